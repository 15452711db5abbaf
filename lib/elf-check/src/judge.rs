//! Questions to the typed structures of a file beyond the drafts: whether they are where a structural standard
//! allows them, and whether the facts can be true. Both need the whole file in the end.

use elf_base::{Against, Diagnostic, Sink};
use elf_lineage::{Asking, LineageBuilder, LineageReader, Questions, RunLineage};
use elf_schema::{Document, Schema, TypedDocument};
use elf_validate::{Links, RunLinks, Validator};
use rayon::prelude::*;
use std::sync::OnceLock;

/// What is asked of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Questioning {
    /// The standard to validate against.
    pub(crate) against: Option<Against>,
    /// True if a tag that the standard does not have is reported at each place.
    pub(crate) each_undefined: bool,
    /// The questions about facts.
    pub(crate) facts: Option<Asking>,
}

/// Judges the runs of a file, on any thread.
pub(crate) struct Judge {
    asked: Questioning,
    /// Made of the header and the schema, which the first run has.
    started: OnceLock<(Option<Validator>, Option<LineageReader>)>,
}

/// What a run contributes to the questions about the whole file.
#[derive(Default)]
pub(crate) struct RunShare {
    links: Option<RunLinks>,
    lineage: Option<RunLineage>,
}

/// What the runs so far contribute.
#[derive(Default)]
pub(crate) struct FileShare {
    links: Option<Links>,
    lineage: LineageBuilder,
}

impl Judge {
    pub(crate) const fn new(asked: Questioning) -> Judge {
        Judge { asked, started: OnceLock::new() }
    }

    /// Judges what a run shows alone, and returns the rest.
    pub(crate) fn judge_run(&self, run: &TypedDocument<'_>, sink: &mut dyn Sink) -> RunShare {
        let (validator, lineage) = self.started.get_or_init(|| {
            let lineage =
                self.asked.facts.map(|asking| LineageReader::new(run.schema()).for_questions(asking));
            (self.validator(run.document(), run.schema()), lineage)
        });
        RunShare {
            links: validator.as_ref().map(|validator| validator.run_links(run, sink)),
            lineage: lineage.as_ref().map(|lineage| lineage.read(run)),
        }
    }

    /// Adds what the next run in the order of the file contributes.
    pub(crate) fn add(&self, run: RunShare, file: &mut FileShare) {
        let validator = self.started.get().and_then(|(validator, _)| validator.as_ref());
        if let (Some(links), Some(validator)) = (run.links, validator) {
            file.links.get_or_insert_with(|| validator.links()).add(links);
        }
        if let Some(lineage) = run.lineage {
            file.lineage.take(lineage);
        }
    }

    /// Judges what only the whole file shows.
    pub(crate) fn judge_file(&self, file: FileShare, sink: &mut dyn Sink) {
        if let Some(links) = file.links.map(Links::end) {
            let faults: Vec<_> =
                (0..links.run_count()).into_par_iter().map(|run| links.faults(run)).collect();
            links.report(faults, sink);
        }
        if let Some(asking) = self.asked.facts {
            let lineage = file.lineage.build();
            let questions = Questions::new(&lineage, &asking);
            let found: Vec<Vec<Diagnostic>> = (0..questions.share_count())
                .into_par_iter()
                .map(|share| {
                    let mut found = Vec::new();
                    questions.ask(share, &mut found);
                    found
                })
                .collect();
            found.into_iter().flatten().for_each(|one| sink.report(one));
        }
    }

    /// Returns the validator of a document. Unless a standard is named, a file that is read as GEDCOM 7 is
    /// validated against GEDCOM 7, and a file that only says that it is GEDCOM 7 against nothing: the data
    /// model is of GEDCOM 5.5.1.
    fn validator(&self, document: &Document<'_>, schema: &Schema) -> Option<Validator> {
        let mut against = self.asked.against?;
        if !against.is_named {
            against.standard = document.rules().schema.default.standard()?;
            if document.header().says_gedcom_7() && !against.standard.has_values_of_7() {
                return None;
            }
        }
        Some(Validator::new(against, schema).with_each_undefined(self.asked.each_undefined))
    }
}
