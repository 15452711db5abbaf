//! Decides what happens to people, then to families, then to the records that they refer to.

use crate::branch::LoneFamilies;
use crate::links::{LinkTable, Pointer};
use crate::lists::ListsByNumber;
use crate::records::{RecordAction, RecordKind, RemovalReason};
use crate::references::{References, SettledRecords};
use elf_lineage::{Family, Lineage, Person};
use std::collections::HashSet;

pub(crate) struct Planner<'p> {
    links: &'p LinkTable,
    lineage: &'p Lineage,
    is_redaction: bool,
    /// What happens to each record.
    actions: Vec<RecordAction>,
    /// The record index of each person and each family, by their numbers in the graph. Graph and
    /// links are both in file order.
    persons: Vec<usize>,
    families: Vec<usize>,
}

impl<'p> Planner<'p> {
    pub(crate) fn new(links: &'p LinkTable, lineage: &'p Lineage, is_redaction: bool) -> Planner<'p> {
        let of_kind = |kind| -> Vec<usize> {
            let records = links.records.iter().enumerate().filter(move |(_, record)| record.kind == kind);
            records.map(|(number, _)| number).collect()
        };
        let actions = vec![RecordAction::Keep; links.records.len()];
        let (persons, families) = (of_kind(RecordKind::Person), of_kind(RecordKind::Family));
        Planner { links, lineage, is_redaction, actions, persons, families }
    }

    /// Sets the action for each person. `action` gets the person's number in the graph.
    pub(crate) fn decide_persons(&mut self, action: impl Fn(usize) -> RecordAction) {
        for (person, &record) in self.persons.iter().enumerate() {
            self.actions[record] = action(person);
        }
    }

    /// Removes the families that lost people and have too few left.
    pub(crate) fn remove_small_families(&mut self, lone: LoneFamilies) {
        for family in self.lineage.families() {
            let members = family.partners().map(|(person, _)| person).chain(family.children());
            let (mut left, mut removed) = (0_u64, 0_u64);
            for person in members {
                match self.actions[self.record_of_person(person)] {
                    RecordAction::Remove(_) => removed += 1,
                    RecordAction::Keep | RecordAction::Hide => left += 1,
                }
            }
            let is_small = left == 0 || left == 1 && lone == LoneFamilies::Remove;
            if removed > 0 && is_small {
                let record = self.record_of_family(family);
                self.actions[record] = RecordAction::Remove(RemovalReason::LoneFamily);
            }
        }
    }

    /// Hides families that are private or unclear, families of hidden people, and families with
    /// another kind of pointer to a hidden person.
    pub(crate) fn hide_families(&mut self, is_hidden: &[bool]) {
        let hidden = self.identifiers_of_hidden_persons();
        let points_to_hidden = |pointer: &&Pointer| {
            pointer.is_direct && !pointer.is_family_link && hidden.contains(&pointer.identifier)
        };
        let pointing = self.links.pointers.iter().filter(points_to_hidden);
        let pointing: HashSet<usize> = pointing.map(|pointer| pointer.record as usize).collect();
        for family in self.lineage.families() {
            let record = self.record_of_family(family);
            let data = &self.links.records[record];
            let is_hidden = data.is_private
                || data.is_unclear
                || pointing.contains(&record)
                || is_family_of_hidden(family, is_hidden);
            if is_hidden && !matches!(self.actions[record], RecordAction::Remove(_)) {
                self.actions[record] = RecordAction::Hide;
            }
        }
    }

    /// Hides families that may belong to a hidden person because several records have the same
    /// identifier. The graph has no links between them.
    pub(crate) fn hide_ambiguous_families(&mut self) {
        let bearers: HashSet<(u32, u32)> =
            self.links.bearers.iter().map(|bearer| (bearer.identifier, bearer.record)).collect();
        let bearers = ListsByNumber::of(bearers.into_iter().collect(), self.links.identifiers.len());
        let is_family = |record: u32| self.links.record(record).kind == RecordKind::Family;
        let is_hidden = |record: u32| !is_family(record) && !self.is_kept(record);
        let mut to_hide: Vec<u32> = Vec::new();
        // Visit the structures with an identifier once, however many pointers refer to it.
        let mut of_hidden: HashSet<u32> = HashSet::new();
        for (identifier, _) in (0..).zip(&self.links.identifiers) {
            if bearers.of_number(identifier).iter().any(|&record| is_hidden(record)) {
                of_hidden.insert(identifier);
            }
        }
        let mut seen: HashSet<u32> = HashSet::new();
        for pointer in self.links.pointers.iter().filter(|pointer| pointer.is_family_link) {
            let targets = bearers.of_number(pointer.identifier);
            if targets.len() < 2 {
                continue;
            }
            if is_family(pointer.record) && of_hidden.contains(&pointer.identifier) {
                to_hide.push(pointer.record);
            } else if is_hidden(pointer.record) && seen.insert(pointer.identifier) {
                to_hide.extend(targets.iter().filter(|&&record| is_family(record)));
            }
        }
        for record in to_hide {
            if self.is_kept(record) {
                self.actions[record as usize] = RecordAction::Hide;
            }
        }
    }

    /// Removes private and unclear records of other kinds. Submitters may be living too. They are only hidden, because the
    /// header needs them.
    pub(crate) fn decide_private_records(&mut self) {
        for (record, action) in self.links.records.iter().zip(&mut self.actions) {
            match record.kind {
                RecordKind::Other if record.is_private => {
                    *action = RecordAction::Remove(RemovalReason::Private);
                }
                RecordKind::Other if record.is_unclear => {
                    *action = RecordAction::Remove(RemovalReason::Stray);
                }
                RecordKind::Submitter if record.is_submitter || record.is_private || record.is_unclear => {
                    *action = RecordAction::Hide;
                }
                _ => {}
            }
        }
    }

    /// Hides records that would be kept, except the header, which says how the file is read.
    pub(crate) fn hide_records(&mut self, records: &[usize]) {
        for &record in records {
            let action = &mut self.actions[record];
            if self.links.records[record].kind != RecordKind::Header && *action == RecordAction::Keep {
                *action = RecordAction::Hide;
            }
        }
    }

    /// Removes stray lines, and the records that only removed records refer to.
    pub(crate) fn settle_records(mut self) -> SettledRecords {
        self.remove_stray_lines();
        References::new(self.links, self.is_redaction, self.actions).remove_unreferenced()
    }

    /// Removes stray lines that follow a removed or hidden record. In a redaction, removes all
    /// stray lines.
    fn remove_stray_lines(&mut self) {
        let mut before = RecordAction::Keep;
        for (record, action) in self.links.records.iter().zip(&mut self.actions) {
            if record.is_stray {
                *action = match before {
                    RecordAction::Keep if self.is_redaction => RecordAction::Remove(RemovalReason::Stray),
                    RecordAction::Hide => RecordAction::Remove(RemovalReason::Living),
                    kept_or_removed => kept_or_removed,
                };
            }
            before = *action;
        }
    }

    /// Returns the identifiers of hidden and removed people.
    fn identifiers_of_hidden_persons(&self) -> HashSet<u32> {
        let is_hidden_person =
            |record: u32| self.links.record(record).kind == RecordKind::Person && !self.is_kept(record);
        let bearers = self.links.bearers.iter().filter(|bearer| bearer.inner.is_none());
        bearers.filter(|bearer| is_hidden_person(bearer.record)).map(|bearer| bearer.identifier).collect()
    }

    fn is_kept(&self, record: u32) -> bool {
        self.actions[record as usize] == RecordAction::Keep
    }

    fn record_of_person(&self, person: Person<'_>) -> usize {
        self.persons[person.id().index()]
    }

    fn record_of_family(&self, family: Family<'_>) -> usize {
        self.families[family.id().index()]
    }
}

/// Returns whether a partner of a family is hidden. Without partners, the children count. A family
/// without members is hidden.
fn is_family_of_hidden(family: Family<'_>, is_hidden: &[bool]) -> bool {
    let mut partners = family.partners().map(|(person, _)| person).peekable();
    if partners.peek().is_some() {
        return partners.any(|person| is_hidden[person.id().index()]);
    }
    let mut children = family.children().peekable();
    children.peek().is_none() || children.any(|child| is_hidden[child.id().index()])
}
