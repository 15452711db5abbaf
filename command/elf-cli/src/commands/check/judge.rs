//! Questions to the typed structures of a file beyond the drafts: that they stand where a standard has them,
//! and that the facts can be true. Both want the whole file at last, and take it in parts.

use crate::parts;
use elf_base::{Against, Diagnostic, Sink};
use elf_lineage::{Asking, Lineage, LineageBuilder, LineageReader, PartLineage, Questions};
use elf_schema::elf_tagged::XrefLists;
use elf_schema::{Document, Part, Schema, TypedDocument};
use elf_validate::{Links, PartLinks, Validator};
use std::sync::OnceLock;

/// The questions that are asked of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judging {
    /// The standard that its structures are held against.
    pub(crate) against: Option<Against>,
    /// True if a tag that the standard does not have is reported at each place.
    pub(crate) each_undefined: bool,
    /// The questions about facts.
    pub(crate) facts: Option<Asking>,
}

/// The judge of a file in parts, on any thread.
pub(super) struct PartJudge {
    asked: Judging,
    /// Made of the header and the schema, which the first part has.
    started: OnceLock<(Option<Validator>, Option<LineageReader>)>,
}

/// The share of a part in what only the whole file shows.
#[derive(Default)]
pub(super) struct PartJudged {
    links: Option<PartLinks>,
    lineage: Option<PartLineage>,
}

/// The shares of the parts so far, in the order of the file.
#[derive(Default)]
pub(super) struct Judged {
    links: Option<Links>,
    lineage: LineageBuilder,
}

impl Judging {
    /// Judges a whole document.
    pub(crate) fn whole(self, typed: &TypedDocument<'_>, sink: &mut dyn Sink) {
        if let Some(validator) = self.validator(typed.document(), typed.schema()) {
            validator.whole(typed, sink);
        }
        if let Some(asking) = self.facts {
            Lineage::of(typed).questions(&asking, &mut |mut found: Diagnostic| {
                found.excerpt = found.place.and_then(|place| typed.document().source().excerpt(place));
                sink.report(found);
            });
        }
    }

    /// The validator of a document. Unless a standard is named, what is read as GEDCOM 7 is held against it,
    /// and what only says that it is one against nothing: the data model is of what GEDCOM 5.5.1 says.
    fn validator(self, document: &Document<'_>, schema: &Schema) -> Option<Validator> {
        let mut against = self.against?;
        if !against.is_named {
            against.standard = document.rules().schema.default.standard()?;
            if document.header().says_gedcom_7() && !against.standard.has_values_of_7() {
                return None;
            }
        }
        Some(Validator::new(against, schema).with_each_undefined(self.each_undefined))
    }
}

impl PartJudge {
    pub(super) const fn new(asked: Judging) -> PartJudge {
        PartJudge { asked, started: OnceLock::new() }
    }

    /// Judges what a part shows alone, and returns the rest.
    pub(super) fn part(&self, part: &Part<'_>, sink: &mut dyn Sink) -> PartJudged {
        if part.document().source().is_cut() {
            // What is missing, or makes it another answer, may stand in those lines.
            return PartJudged::default();
        }
        let start = || {
            let schema = part.schema();
            let lineage = self.asked.facts.map(|asking| LineageReader::new(schema).for_questions(asking));
            (self.asked.validator(part.document(), schema), lineage)
        };
        let (validator, lineage) = self.started.get_or_init(start);
        PartJudged {
            links: validator.as_ref().map(|validator| validator.part(part, sink)),
            lineage: lineage.as_ref().map(|lineage| lineage.part(part)),
        }
    }

    /// Adds the rest of the next part in the order of the file.
    pub(super) fn add(&self, part: PartJudged, judged: &mut Judged) {
        let validator = self.started.get().and_then(|(validator, _)| validator.as_ref());
        if let (Some(links), Some(validator)) = (part.links, validator) {
            judged.links.get_or_insert_with(|| validator.links()).add(links);
        }
        if let Some(lineage) = part.lineage {
            judged.lineage.take(lineage);
        }
    }

    /// Looks the pointers of the whole file up, and judges what only the whole of it shows, on so many
    /// threads. What is found of pointers goes to the first sink.
    pub(super) fn finish(
        &self,
        (lists, judged): (Option<XrefLists>, Judged),
        threads: usize,
        (pointers, sink): (&mut dyn Sink, &mut dyn Sink),
    ) {
        // So many at once that threads have enough to do, and that what is found may wait in memory.
        let shares = 4 * parts::FEW * threads;
        let (lookup, ended) = parts::beside(
            threads,
            || lists.map(|lists| lists.index(pointers)),
            || judged.links.map(Links::end),
        );
        if let Some(lookup) = lookup {
            let count = lookup.part_count();
            let faults = (0..count).step_by(shares).flat_map(|first| {
                parts::each((count - first).min(shares), threads, |at| lookup.faults(first + at))
            });
            lookup.report(faults, pointers);
        }
        if let Some(ended) = ended.flatten() {
            let faults = parts::each(ended.part_count(), threads, |part| ended.faults(part));
            ended.report(faults, sink);
        }
        if let Some(asking) = self.asked.facts {
            let lineage = judged.lineage.build();
            let questions = Questions::new(&lineage, &asking);
            for first in (0..questions.share_count()).step_by(shares) {
                let found = parts::each((questions.share_count() - first).min(shares), threads, |at| {
                    let mut found: Vec<Diagnostic> = Vec::new();
                    questions.ask(first + at, &mut found);
                    found
                });
                found.into_iter().flatten().for_each(|one| sink.report(one));
            }
        }
    }
}
