//! Collects, in the first pass, the information that rows need from the whole document.

use crate::families::FamilyMembers;
use crate::people::RelativesOfPerson;
use crate::places::{Places, RunPlaces};
use crate::record_numbers::{RecordNumbers, RunRecords};
use crate::sources::{Citations, RunCitations};
use crate::table::Table;
use elf_lineage::{FamilyId, Lineage, LineageBuilder, LivingRule, PersonId, RunLineage};
use std::borrow::Cow;

/// The information from one run, for [`Survey::take`].
#[derive(Clone, Debug)]
pub struct RunSurvey(pub(crate) RunInfo);

/// The information from one run that the table needs.
#[derive(Clone, Debug)]
pub(crate) enum RunInfo {
    Lineage(Box<RunLineage>, LineageCounts),
    Citations(RunCitations),
    Records(RunRecords),
    Places(RunPlaces),
    Nothing,
}

/// The numbers of people and families.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineageCounts {
    pub(crate) persons: usize,
    pub(crate) families: usize,
}

/// Collects the information about a whole document that rows need. Runs are added in order. Memory
/// use depends on the table. For people and families, it grows with people, families and their
/// links; for sources, with the targets of pointers; for structures, with the identifiers; for
/// places, with their number. For events, it is constant.
#[derive(Debug)]
pub struct Survey(SurveyState);

#[derive(Debug)]
enum SurveyState {
    Lineage(Box<LineageBuilder>, Vec<LineageCounts>, LineageCounts),
    Citations(Citations),
    Records(RecordNumbers),
    Places(Places),
    Nothing,
}

/// The complete information about a document, which rows need.
#[derive(Debug)]
pub struct Surveyed {
    pub(crate) info: DocumentInfo,
    /// Whether this survey only contains the information for some runs.
    #[cfg_attr(not(feature = "parts"), expect(dead_code, reason = "only parts of a document need this"))]
    pub(crate) is_part: bool,
}

#[derive(Debug)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum DocumentInfo {
    Relatives(Relatives),
    Citations(Citations),
    Records(RecordNumbers),
    Places(Places),
    Nothing,
}

/// The relatives of people and the members of families.
#[derive(Debug)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Relatives {
    /// The relatives of some runs.
    #[cfg_attr(not(feature = "parts"), expect(dead_code, reason = "only parts of a document have this"))]
    OfRuns(RelativesOfRuns),
    /// The graph of the whole document, and the start of each run in the graph. This variant is the
    /// last one because serde requires this of a skipped variant.
    #[cfg_attr(feature = "parts", serde(skip))]
    Graph(Box<Lineage>, Vec<LineageCounts>),
}

/// The relatives of the people and families of some runs. There is a list for each run.
#[derive(Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RelativesOfRuns {
    pub(crate) first_run: usize,
    pub(crate) people: Vec<Vec<RelativesOfPerson>>,
    pub(crate) families: Vec<Vec<FamilyMembers>>,
}

impl Surveyed {
    /// Returns the number of pointers between people and families that are unresolved, ambiguous or
    /// of the wrong type. These relatives are missing in the rows. Returns 0 for tables other than
    /// people and families.
    pub fn lost_links(&self) -> u64 {
        match &self.info {
            DocumentInfo::Relatives(Relatives::Graph(lineage, _)) => lineage.lost_links(),
            DocumentInfo::Relatives(Relatives::OfRuns(_))
            | DocumentInfo::Citations(_)
            | DocumentInfo::Records(_)
            | DocumentInfo::Places(_)
            | DocumentInfo::Nothing => 0,
        }
    }
}

impl Relatives {
    /// Returns the relatives of the person with this number in a run. If the run was not surveyed,
    /// the person has no relatives.
    pub(crate) fn of_person(
        &self,
        run: usize,
        number: usize,
        living: Option<LivingRule>,
    ) -> Cow<'_, RelativesOfPerson> {
        match self {
            Relatives::Graph(lineage, before) => {
                let number = before.get(run).map(|before| before.persons + number);
                let person = number.and_then(PersonId::of_index).and_then(|id| lineage.person(id));
                Cow::Owned(person.map(|person| RelativesOfPerson::of(person, living)).unwrap_or_default())
            }
            Relatives::OfRuns(RelativesOfRuns { first_run, people, .. }) => {
                borrow_or_default(number_in_run(people, *first_run, run, number))
            }
        }
    }

    /// Returns the members of the family with this number in a run.
    pub(crate) fn of_family(&self, run: usize, number: usize) -> Cow<'_, FamilyMembers> {
        match self {
            Relatives::Graph(lineage, before) => {
                let number = before.get(run).map(|before| before.families + number);
                let family = number.and_then(FamilyId::of_index).and_then(|id| lineage.family(id));
                Cow::Owned(family.map(|family| FamilyMembers::of(lineage, family)).unwrap_or_default())
            }
            Relatives::OfRuns(RelativesOfRuns { first_run, families, .. }) => {
                borrow_or_default(number_in_run(families, *first_run, run, number))
            }
        }
    }
}

fn number_in_run<T>(runs: &[Vec<T>], first_run: usize, run: usize, number: usize) -> Option<&T> {
    runs.get(run.checked_sub(first_run)?)?.get(number)
}

fn borrow_or_default<T: Clone + Default>(item: Option<&T>) -> Cow<'_, T> {
    item.map_or_else(|| Cow::Owned(T::default()), Cow::Borrowed)
}

impl Survey {
    /// Creates an empty survey.
    pub fn of(table: Table) -> Survey {
        Survey(match table {
            Table::People | Table::Families => {
                SurveyState::Lineage(Box::default(), Vec::new(), LineageCounts::default())
            }
            Table::Sources => SurveyState::Citations(Citations::default()),
            Table::Structures => SurveyState::Records(RecordNumbers::default()),
            Table::Places => SurveyState::Places(Places::default()),
            Table::Events => SurveyState::Nothing,
        })
    }

    /// Adds the information of the next run, in the order of the document.
    pub fn take(&mut self, run: RunSurvey) {
        match (&mut self.0, run.0) {
            (SurveyState::Lineage(builder, before, all), RunInfo::Lineage(lineage, counts)) => {
                before.push(*all);
                all.persons += counts.persons;
                all.families += counts.families;
                builder.take(*lineage);
            }
            (SurveyState::Citations(all), RunInfo::Citations(run)) => all.add_run(run),
            (SurveyState::Records(all), RunInfo::Records(run)) => all.add_run(run),
            (SurveyState::Places(all), RunInfo::Places(run)) => all.add_run(run),
            (
                SurveyState::Lineage(..)
                | SurveyState::Citations(_)
                | SurveyState::Records(_)
                | SurveyState::Places(_)
                | SurveyState::Nothing,
                _,
            ) => {}
        }
    }

    /// Completes the survey after the last run.
    pub fn finish(self) -> Surveyed {
        let info = match self.0 {
            SurveyState::Lineage(builder, mut before, all) => {
                before.push(all);
                DocumentInfo::Relatives(Relatives::Graph(Box::new(builder.build()), before))
            }
            SurveyState::Citations(citations) => DocumentInfo::Citations(citations),
            SurveyState::Records(mut records) => {
                records.keep_repeated();
                DocumentInfo::Records(records)
            }
            SurveyState::Places(places) => DocumentInfo::Places(places),
            SurveyState::Nothing => DocumentInfo::Nothing,
        };
        Surveyed { info, is_part: false }
    }
}
