//! Checks that go beyond the drafts. These checks find structures at places where a structural standard does not allow
//! them, and facts that are implausible. Both checks need the whole file.

use crate::threads::map_numbers;
use elf_base::{Against, Diagnostic, Sink};
use elf_lineage::{LineageBuilder, LineageReader, QuestionOptions, Questions, RunLineage};
use elf_schema::{Document, Schema, TypedDocument};
use elf_validate::{Links, RunLinks, Validator};
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug)]
pub(crate) struct JudgeOptions {
    /// The standard against which the file is validated.
    pub(crate) against: Option<Against>,
    /// Whether every occurrence of an unknown tag is reported.
    pub(crate) each_undefined: bool,
    pub(crate) facts: Option<QuestionOptions>,
}

/// Validates the runs of a file and checks their facts. A judge can be used on any thread.
pub(crate) struct Judge {
    asked: JudgeOptions,
    /// The validator and the reader of facts. Both are created from the header and the schema of the first run.
    started: OnceLock<(Option<Validator>, Option<LineageReader>)>,
}

/// The data of one run that is needed for the checks of the whole file.
#[derive(Default)]
pub(crate) struct RunContribution {
    links: Option<RunLinks>,
    lineage: Option<RunLineage>,
}

/// The data of all runs that have been added.
#[derive(Default)]
pub(crate) struct FileContribution {
    links: Option<Links>,
    lineage: LineageBuilder,
}

impl Judge {
    pub(crate) const fn new(asked: JudgeOptions) -> Judge {
        Judge { asked, started: OnceLock::new() }
    }

    /// Reports the findings for which the run alone is enough. Returns the data for the checks of the whole file.
    pub(crate) fn judge_run(&self, run: &TypedDocument<'_>, sink: &mut dyn Sink) -> RunContribution {
        let (validator, lineage) = self.started.get_or_init(|| {
            let lineage =
                self.asked.facts.map(|options| LineageReader::new(run.schema()).for_questions(options));
            (self.choose_validator(run.document(), run.schema()), lineage)
        });
        RunContribution {
            links: validator.as_ref().map(|validator| validator.validate_run(run, sink)),
            lineage: lineage.as_ref().map(|lineage| lineage.read(run)),
        }
    }

    /// Adds the data of a run. The runs must be added in the order of the file.
    pub(crate) fn add(&self, run: RunContribution, file: &mut FileContribution) {
        let validator = self.started.get().and_then(|(validator, _)| validator.as_ref());
        if let (Some(links), Some(validator)) = (run.links, validator) {
            file.links.get_or_insert_with(|| validator.links()).add(links);
        }
        if let Some(lineage) = run.lineage {
            file.lineage.take(lineage);
        }
    }

    /// Reports the findings that need the whole file.
    pub(crate) fn judge_file(&self, file: FileContribution, sink: &mut dyn Sink) {
        if let Some(links) = file.links.map(Links::end) {
            let faults = map_numbers(links.run_count(), |run| links.find_faults(run));
            links.report(faults, sink);
        }
        if let Some(options) = self.asked.facts {
            let lineage = file.lineage.build();
            let questions = Questions::new(&lineage, &options);
            let found: Vec<Vec<Diagnostic>> = map_numbers(questions.share_count(), |share| {
                let mut found = Vec::new();
                questions.ask(share, &mut found);
                found
            });
            found.into_iter().flatten().for_each(|one| sink.report(one));
        }
    }

    /// Returns the validator for a document. Unless the user names a standard, a file that is read as GEDCOM 7 is
    /// validated against GEDCOM 7. A file with a GEDCOM 7 header that is read by other rules is not validated, because
    /// the ELF data model is based on GEDCOM 5.5.1.
    fn choose_validator(&self, document: &Document<'_>, schema: &Schema) -> Option<Validator> {
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
