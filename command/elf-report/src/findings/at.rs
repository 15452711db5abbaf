//! The place of a finding, for people and for programs.

use elf_base::{Diagnostic, Safety};
use elf_tagged::elf_octets::Patch;
use std::borrow::Cow;

/// The structure that a finding is about, and its fix.
#[derive(Clone, Debug, Default)]
pub struct At<'l> {
    /// The identifier or the tag of the record.
    pub record: Option<String>,
    /// The path of the structure within the record, as `elf show` accepts it.
    pub path: Option<String>,
    /// A description of the place: the record, its person and the superstructures.
    pub words: Option<String>,
    /// The patches of `--fix`; `None` if it does not fix the finding.
    pub repair: Option<&'l [Patch]>,
}

impl At<'_> {
    /// Describes the fix, if there is one.
    pub(super) fn repair_in_words(&self, finding: &Diagnostic) -> Option<&'static str> {
        let proposed = finding.fix.as_ref().map(|fix| fix.safety);
        match (self.repair, proposed) {
            (Some(_), _) => Some("`--fix` fixes this"),
            // Unsafe fixes are only verified when they are made.
            (None, Some(Safety::Unsafe)) => Some("`--unsafe-fixes` may fix this"),
            (None, Some(Safety::Safe) | None) => None,
        }
    }
}

/// Returns a file name with `/` as separator, for programs on other systems.
pub(super) fn with_slashes(name: &str) -> Cow<'_, str> {
    if cfg!(windows) { Cow::Owned(name.replace('\\', "/")) } else { Cow::Borrowed(name) }
}
