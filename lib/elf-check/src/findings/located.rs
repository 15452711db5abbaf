//! A finding with the structure that it is about.

use crate::findings::baseline::Signature;
use crate::findings::kept::Keep;
use crate::findings::packed::PackedFindings;
use crate::findings::signature::Signer;
use elf_base::Diagnostic;
use elf_edit::{Context, ContextFinder, RecordTags, RepairedFindings};
use elf_tagged::Document;
use elf_tagged::elf_octets::Patch;
use std::sync::Arc;

/// A finding, and the structure that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// The finding.
    pub finding: Diagnostic,
    /// The structure, where one was looked for and found.
    pub context: Option<Context>,
    /// The signature of the structure, known where there is a baseline.
    pub signature: Option<Arc<Signature>>,
    /// The lines that `--fix` changes for it; `None` where it repairs nothing.
    pub repair: Option<Box<[Patch]>>,
}

impl Located {
    /// A finding whose structure nobody looks for.
    pub const fn without_place(finding: Diagnostic) -> Located {
        Located { finding, context: None, signature: None, repair: None }
    }

    /// Takes its repair from those of some findings, if it is among them.
    pub(crate) fn repair_by(&mut self, known: &mut RepairedFindings) {
        if self.repair.is_none() {
            self.repair = known.take(&self.finding).map(Vec::into_boxed_slice);
        }
    }

    /// Takes its repair away: nothing is repaired of a file whose reading the rules ended.
    pub(crate) fn unrepaired(&mut self) {
        self.repair = None;
        self.finding.fix = None;
    }

    /// Finds the structures that findings about a part concern, behind `records`, and for a person the lines
    /// that they stand in; adds them to `located`.
    pub fn in_part(
        document: &Document<'_>,
        findings: Vec<Diagnostic>,
        records: &RecordTags,
        (keep, keyed): (Keep, bool),
        located: &mut PackedFindings,
    ) {
        let mut finder = ContextFinder::of(document, false);
        let mut signer = keyed.then(|| Signer::of(document));
        for mut finding in findings {
            if !matches!(keep, Keep::Bare | Keep::Related) && finding.excerpt.is_none() {
                finding.excerpt = finding.place.and_then(|place| document.source().excerpt(place));
            }
            let mut one = Located::without_place(finding);
            one.context = finder.context_of(&one.finding);
            one.context.iter_mut().for_each(|context| context.record.behind(records));
            one.signature = signer.as_mut().map(|signer| signer.signature_of(&one.finding));
            located.push(&one);
        }
    }
}
