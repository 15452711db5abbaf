//! The place of a finding, for people and for programs.

use elf_base::{Diagnostic, Safety};
use elf_tagged::elf_octets::Patch;
use std::borrow::Cow;

/// The structure that a finding is about, in words and for programs, and its fix.
#[derive(Clone, Debug, Default)]
pub struct At<'l> {
    /// The identifier of the record, or its tag.
    pub record: Option<String>,
    /// The path of the structure from the record on, as `elf show` takes it.
    pub path: Option<String>,
    /// The record, its person and the structures above.
    pub words: Option<String>,
    /// The lines that `--fix` changes; `None` where it fixes nothing.
    pub repair: Option<&'l [Patch]>,
}

impl At<'_> {
    /// The fix, if there is one, in words.
    pub(super) fn repair_in_words(&self, finding: &Diagnostic) -> Option<&'static str> {
        let proposed = finding.fix.as_ref().map(|fix| fix.safety);
        match (self.repair, proposed) {
            (Some(_), _) => Some("`--fix` fixes this"),
            // Unsafe fixes are not verified before they are made.
            (None, Some(Safety::Unsafe)) => Some("`--unsafe-fixes` may fix this"),
            (None, Some(Safety::Safe) | None) => None,
        }
    }
}

/// The name of a file with the slashes that programs elsewhere expect.
pub(super) fn slashed(name: &str) -> Cow<'_, str> {
    if cfg!(windows) { Cow::Owned(name.replace('\\', "/")) } else { Cow::Borrowed(name) }
}
