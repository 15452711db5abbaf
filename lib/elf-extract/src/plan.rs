//! Plans: the decision what happens to each record, made from a survey.

use crate::branch::{Branch, LoneFamilies};
use crate::doubts::{Doubt, DoubtReason, find_doubts};
use crate::error::PlanError;
use crate::fate::Target;
use crate::hidden::HiddenRecords;
use crate::links::LinkTable;
use crate::mentions::HiddenNames;
use crate::planner::Planner;
use crate::records::{RecordAction, RecordKind, RemovalReason};
use crate::redaction::{Redaction, Replacement};
use crate::references::{InnerStructure, SettledRecords};
use crate::roles::RoleFinder;
use crate::survey::Survey;
use indexmap::IndexSet;
use std::ops::Range;

/// Decides what happens to each record of a document. [`extract`](Plan::extract) carries it out.
#[derive(Debug)]
pub struct Plan<'d> {
    pub(crate) roles: RoleFinder<'d>,
    /// The records, in file order.
    pub(crate) records: Vec<PlannedRecord>,
    identifiers: IndexSet<Box<str>>,
    /// For each identifier, what happens to the targets of its pointers.
    targets: Vec<Target>,
    /// The inner records of kept records that only removed structures referred to, sorted.
    unreferenced: Vec<InnerStructure>,
    /// The hidden people; `None` for a branch.
    pub(crate) hidden: Option<HiddenPersons>,
    unclear_lines: Vec<u64>,
    doubts: Vec<Doubt>,
}

/// A record, and what happens to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedRecord {
    pub(crate) kind: RecordKind,
    pub(crate) action: RecordAction,
    /// The line number of the record.
    pub(crate) line: u64,
}

#[derive(Debug)]
pub(crate) struct HiddenPersons {
    pub(crate) replacement: Replacement,
    pub(crate) names: HiddenNames,
    /// The numbers of the records of hidden people whose identifiers contain a word of their names, sorted.
    pub(crate) named: Vec<u32>,
    /// True if texts and identifiers that contain a name are hidden too.
    pub(crate) strict: bool,
}

/// The numbers of kept, hidden and removed records of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordCounts {
    /// The number of kept records. Structures that refer to removed records are removed from them.
    pub kept: u64,
    /// The number of records that are reduced to their links to families.
    pub hidden: u64,
    /// The number of records that are removed.
    pub removed: u64,
}

impl<'d> Plan<'d> {
    /// Plans to keep a branch, and the records that its people refer to.
    ///
    /// # Errors
    ///
    /// [`PlanError::NoPerson`] if no person has an identifier that the branch starts from.
    pub fn branch(survey: Survey<'d>, branch: &Branch) -> Result<Plan<'d>, PlanError> {
        let Survey { roles, lineage, links, .. } = survey;
        let is_member = branch.members(&lineage)?;
        let mut planner = Planner::new(&links, &lineage, false);
        planner.decide_persons(|person| match is_member[person] {
            true => RecordAction::Keep,
            false => RecordAction::Remove(RemovalReason::Outside),
        });
        planner.remove_small_families(branch.lone_families);
        let settled = planner.settle_records();
        Ok(Plan::new(roles, links, settled))
    }

    /// Plans to hide people who may be living, and the records that only they refer to.
    ///
    /// # Errors
    ///
    /// [`PlanError::NoPerson`] if no person has an identifier that the redaction keeps;
    /// [`PlanError::UnclearHeader`] if a person's record may start in the header.
    pub fn redaction(survey: Survey<'d>, redaction: &Redaction) -> Result<Plan<'d>, PlanError> {
        let Survey { roles, lineage, links, has_trailer } = survey;
        if let Some(line) = links.unclear_header {
            return Err(PlanError::UnclearHeader { line });
        }
        let mut is_hidden = redaction.hidden_persons(&lineage)?;
        let settle = |is_hidden: &[bool], doubtful: &[usize]| {
            let mut planner = Planner::new(&links, &lineage, true);
            planner.decide_persons(|person| match (is_hidden[person], redaction.replacement) {
                (false, _) => RecordAction::Keep,
                (true, Replacement::Nothing) => RecordAction::Remove(RemovalReason::Living),
                (true, _) => RecordAction::Hide,
            });
            planner.remove_small_families(LoneFamilies::Remove);
            planner.hide_families(is_hidden);
            planner.hide_ambiguous_families();
            planner.decide_private_records();
            planner.hide_records(doubtful);
            planner.settle_records()
        };
        let mut settled = settle(&is_hidden, &[]);
        let doubts = find_doubts(&links, &settled, has_trailer);
        let doubtful = if redaction.strict { doubtful_records(&links, &doubts) } else { Vec::new() };
        if !doubtful.is_empty() {
            hide_doubtful_persons(&links, &doubtful, &mut is_hidden);
            settled = settle(&is_hidden, &doubtful);
        }
        let HiddenRecords { names, named } = HiddenRecords::of(&roles, &links, &settled, &lineage);
        let Redaction { replacement, strict, .. } = *redaction;
        Ok(Plan {
            doubts,
            unclear_lines: links.unclear_lines.clone(),
            hidden: Some(HiddenPersons { replacement, names, named, strict }),
            ..Plan::new(roles, links, settled)
        })
    }

    fn new(roles: RoleFinder<'d>, links: LinkTable, settled: SettledRecords) -> Plan<'d> {
        let records = links.records.iter().zip(settled.actions).map(|(record, action)| PlannedRecord {
            kind: record.kind,
            action,
            line: record.line,
        });
        Plan {
            roles,
            records: records.collect(),
            identifiers: links.identifiers,
            targets: settled.targets,
            unreferenced: settled.unreferenced,
            hidden: None,
            unclear_lines: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// Returns the names and addresses of the people whom the plan hides. `None` for a branch.
    pub fn hidden_names(&self) -> Option<&HiddenNames> {
        self.hidden.as_ref().map(|hidden| &hidden.names)
    }

    /// Adds names and addresses that are searched for in texts, such as those of people who are hidden in another file. A
    /// branch searches for none.
    #[must_use]
    pub fn with_hidden_names(mut self, names: &HiddenNames) -> Plan<'d> {
        if let Some(hidden) = &mut self.hidden {
            hidden.names.merge(names);
        }
        self
    }

    /// Returns whether the plan hides people.
    pub const fn is_redaction(&self) -> bool {
        self.hidden.is_some()
    }

    /// Returns the line numbers that make it unclear whom their records are about. A redaction
    /// hides or removes these records.
    pub fn unclear_lines(&self) -> &[u64] {
        &self.unclear_lines
    }

    /// Returns the records that may still contain information about hidden people, by reason and in
    /// file order.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// Returns for each person, in the order of the file, whether the record is hidden or removed.
    pub fn hidden_people(&self) -> Vec<bool> {
        let people = self.records.iter().filter(|record| record.kind == RecordKind::Person);
        people.map(|record| record.action != RecordAction::Keep).collect()
    }

    /// Returns the lines of the records that are hidden or removed, in the order of the file. Blank lines and lines
    /// without a record belong to the record before them.
    pub fn hidden_lines(&self) -> Vec<Range<u64>> {
        let lines = self.lines_of_records().zip(&self.records);
        lines.filter(|(_, record)| record.action != RecordAction::Keep).map(|(lines, _)| lines).collect()
    }

    /// Returns the lines of each record, in the order of the file.
    pub(crate) fn lines_of_records(&self) -> impl Iterator<Item = Range<u64>> {
        let starts = self.records.iter().map(|record| record.line);
        starts.clone().zip(starts.skip(1).chain([u64::MAX])).map(|(start, end)| start..end)
    }

    /// Counts the kept, hidden and removed records of a kind.
    pub fn counts(&self, kind: RecordKind) -> RecordCounts {
        let mut counts = RecordCounts::default();
        for record in self.records.iter().filter(|record| record.kind == kind) {
            *match record.action {
                RecordAction::Keep => &mut counts.kept,
                RecordAction::Hide => &mut counts.hidden,
                RecordAction::Remove(_) => &mut counts.removed,
            } += 1;
        }
        counts
    }

    /// Returns whether a structure inside a record is removed because only removed structures
    /// referred to its identifier.
    pub(crate) fn is_unreferenced(&self, record: u32, identifier: &str) -> bool {
        let number = self.identifiers.get_index_of(identifier);
        let inner = |number| InnerStructure { record, identifier: number };
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.is_some_and(|number| self.unreferenced.binary_search(&inner(number)).is_ok())
    }

    /// Returns what happens to the target of a pointer to this identifier.
    pub(crate) fn target_of(&self, identifier: &str) -> Target {
        match self.identifiers.get_index_of(identifier) {
            Some(number) => self.targets[number],
            None => Target::Nothing,
        }
    }
}

/// The records that may be about someone else, except those with an unresolved pointer, of which many files have some.
fn doubtful_records(links: &LinkTable, doubts: &[Doubt]) -> Vec<usize> {
    let doubts = doubts.iter().filter(|doubt| doubt.reason != DoubtReason::LostPointer);
    let record_at = |line: u64| links.records.binary_search_by_key(&line, |record| record.line).ok();
    doubts.filter_map(|doubt| record_at(doubt.line)).collect()
}

/// Hides the people whose records are doubtful.
fn hide_doubtful_persons(links: &LinkTable, doubtful: &[usize], is_hidden: &mut [bool]) {
    let is_person = |record: &usize| links.records[*record].kind == RecordKind::Person;
    let persons: Vec<usize> = (0..links.records.len()).filter(is_person).collect();
    for record in doubtful {
        if let Ok(person) = persons.binary_search(record) {
            is_hidden[person] = true;
        }
    }
}
