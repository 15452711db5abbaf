//! Determines the statuses of irregular identifiers.

use super::super::collect::{Occurrence, Role, Side, WholeDocument};
use super::super::key::{Key, Label};
use super::duplicates::{DuplicateOutcome, outcome_of};
use super::status::{Insertion, NOT_INSERTED, Repeated, Status, Statuses};
use super::undefined::invented_name;
use super::{Irregularity, PointerFault};
use crate::offset::to_u32;
use crate::read::header::Header;
use elf_base::Rules;
use elf_base::rules::Duplicates;
use elf_lines::VOID;
use hashbrown::{HashMap, HashSet};

/// Collects irregular identifiers and pointers, and then determines the [`Statuses`].
pub(in crate::read::xref) struct StatusFinder<'c, 'd> {
    collection: &'c WholeDocument<'d>,
    statuses: Statuses,
    /// The structures that have each repeated identifier. The order is that of [`Statuses::repeated`].
    groups: Vec<Group>,
    /// The identifiers for which records are inserted.
    wanted: Vec<Wanted>,
    inserts: bool,
    /// The identifier by which pointers deliberately refer to no record, if the rules have one.
    void: Option<Key>,
}

/// The structures that have one identifier, and those that point to it.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// The number of records that have the identifier. `record` is the offset of the identifier in the last of them.
    records: u32,
    record: u64,
    pointed: bool,
}

/// An identifier for which a record is inserted, and the first pointer to it.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    offset: u64,
    label: Label,
    repeated: bool,
}

impl<'c, 'd> StatusFinder<'c, 'd> {
    /// Creates a finder for a document with this header. The finder has no irregular identifiers yet. `to_end` is true
    /// if the document was read to its end.
    pub(in crate::read::xref) fn new(
        collection: &'c WholeDocument<'d>,
        to_end: bool,
        header: &Header,
        rules: &Rules,
    ) -> StatusFinder<'c, 'd> {
        StatusFinder {
            collection,
            statuses: Statuses::new(collection.keys(), to_end),
            groups: Vec::new(),
            wanted: Vec::new(),
            inserts: to_end && rules.tagged.xref_errors.inserts_records(),
            void: header.has_void.then(|| collection.keys().key(VOID)),
        }
    }

    pub(in crate::read::xref) fn add_irregularity(&mut self, irregularity: &Irregularity) {
        match irregularity {
            Irregularity::Repeated { entry, first } => self.add_repeated(entry, first),
            Irregularity::Pointer { entry, fault } => self.add_pointer(entry, *fault),
        }
    }

    /// Returns the statuses after all irregularities have been added.
    pub(in crate::read::xref) fn finish(mut self, rules: &Rules) -> Statuses {
        if let Some(option) = rules.tagged.xref_errors.duplicates() {
            self.apply_option(option);
        }
        self.number_insertions();
        self.statuses
    }

    /// Adds a structure whose identifier also belongs to `first`.
    fn add_repeated(&mut self, entry: &Occurrence, first: &Occurrence) {
        let label = self.collection.label(Side::Bearer, entry);
        let number = match self.statuses.status_of_label(label) {
            Some(Status::Repeated(number)) => number,
            _ => {
                let number = to_u32(self.statuses.repeated.len());
                self.statuses.repeated.push(Repeated {
                    first: self.collection.position(Side::Bearer, first),
                    nested: self.collection.is_nested(first),
                    outcome: DuplicateOutcome::Stands,
                    insertion: NOT_INSERTED,
                });
                self.groups.push(Group::default());
                self.statuses.set(label, Status::Repeated(number));
                self.add_bearer(number, first);
                number
            }
        };
        self.add_bearer(number, entry);
    }

    fn add_bearer(&mut self, number: u32, entry: &Occurrence) {
        let offset = self.collection.position(Side::Bearer, entry).start.into();
        let is_record = !self.collection.is_nested(entry);
        if let Some(group) = self.groups.get_mut(number as usize).filter(|_| is_record) {
            group.records = group.records.saturating_add(1);
            group.record = offset;
        }
    }

    /// Adds a pointer that does not refer to exactly one record.
    fn add_pointer(&mut self, entry: &Occurrence, fault: PointerFault) {
        let label = self.collection.label(Side::Pointer, entry);
        let known = self.statuses.status_of_label(label);
        let repeated = matches!(known, Some(Status::Repeated(_)));
        let met = match known {
            Some(Status::Repeated(number)) => {
                let group = self.groups.get_mut(number as usize);
                group.is_some_and(|group| std::mem::replace(&mut group.pointed, true))
            }
            Some(_) => true,
            None => {
                let substructure = fault == PointerFault::Substructure;
                let status = if substructure { Status::Substructure } else { Status::Dangling(NOT_INSERTED) };
                self.statuses.set(label, status);
                substructure
            }
        };
        if self.inserts && !met && self.void != Some(label.key) {
            let offset = self.collection.position(Side::Pointer, entry).start.into();
            self.wanted.push(Wanted { offset, label, repeated });
        }
    }

    /// Treats the repeated identifiers by one of the options of the declarative draft.
    fn apply_option(&mut self, option: Duplicates) {
        if option.reject_all() {
            self.statuses.rejects_all = !self.groups.is_empty();
            return;
        }
        let mut rejects = false;
        for (repeated, group) in self.statuses.repeated.iter_mut().zip(&self.groups) {
            let record = (group.records == 1).then_some(group.record);
            repeated.outcome = outcome_of(option, record, group.pointed);
            rejects |= repeated.outcome == DuplicateOutcome::Rejected;
        }
        if rejects {
            self.reject_enclosed();
        }
    }

    /// Changes the statuses of the identifiers within rejected structures.
    fn reject_enclosed(&mut self) {
        let StatusFinder { collection, statuses, .. } = self;
        let mut rejected: Vec<bool> = Vec::new();
        collection.each_enclosed(&mut |list| {
            rejected.clear();
            for enclosed in list {
                let within = enclosed.within.and_then(|within| rejected.get(within as usize));
                let goes = within.copied().unwrap_or_default();
                let repeated = match statuses.status_of_label(enclosed.label) {
                    Some(Status::Repeated(number)) => statuses.repeated.get_mut(number as usize),
                    _ => None,
                };
                let outcome = repeated.as_ref().map(|repeated| repeated.outcome);
                rejected.push(goes || outcome == Some(DuplicateOutcome::Rejected));
                if !goes || enclosed.role == Role::Pointer {
                    continue;
                }
                let nested = enclosed.role == Role::Substructure;
                match repeated.map(|repeated| &mut repeated.outcome) {
                    None => statuses.set(enclosed.label, Status::Rejected { nested }),
                    // If several structures have the identifier, only the status of the record that keeps it changes.
                    Some(DuplicateOutcome::KeptByRecord { rejected, .. }) => *rejected |= !nested,
                    Some(_) => {}
                }
            }
        });
    }

    /// Numbers the inserted records in the order of their first pointers. Invents identifiers for records that cannot
    /// have the identifier in the pointers (J19 §5.1).
    fn number_insertions(&mut self) {
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort_by_key(|wanted| wanted.offset);
        // An identifier that no structure has can be used, unless it was generated for another record.
        let any_invented = wanted.iter().any(|wanted| wanted.repeated);
        let mut inserted: HashSet<Label> = HashSet::new();
        let mut free = FreeNumbers::new(self.collection, wanted.len());
        let mut last = 0;
        let mut insertions = Vec::with_capacity(wanted.len());
        for (count, wanted) in (0..).zip(&wanted) {
            let mut invented = None;
            if any_invented && (wanted.repeated || !inserted.insert(wanted.label)) {
                last = last.max(count);
                let name = loop {
                    last += 1;
                    let name = invented_name(last);
                    if free.is_free(last) && inserted.insert(free.label(&name)) {
                        break name;
                    }
                };
                invented = Some(name.into_boxed_str());
            }
            insertions.push(Insertion { offset: wanted.offset, invented });
        }
        self.statuses.insertions = insertions;
        for (number, wanted) in (0..).zip(wanted) {
            match self.statuses.status_of_label(wanted.label) {
                Some(Status::Repeated(repeated)) => {
                    if let Some(repeated) = self.statuses.repeated.get_mut(repeated as usize) {
                        repeated.insertion = number;
                    }
                }
                _ => self.statuses.set(wanted.label, Status::Dangling(number)),
            }
        }
    }
}

/// Finds unused identifiers `UNDEF1`, `UNDEF2` and so on.
struct FreeNumbers<'c, 'd> {
    collection: &'c WholeDocument<'d>,
    /// The numbers up to this one have already been searched.
    known: u32,
    /// The number of numbers that the next search covers.
    step: u32,
    borne: HashSet<u32>,
}

impl<'c, 'd> FreeNumbers<'c, 'd> {
    fn new(collection: &'c WholeDocument<'d>, wanted: usize) -> FreeNumbers<'c, 'd> {
        FreeNumbers { collection, known: 0, step: to_u32(wanted).max(64), borne: HashSet::new() }
    }

    fn label(&self, name: &str) -> Label {
        let keys = self.collection.keys();
        keys.label(keys.key(name), name)
    }

    fn is_free(&mut self, number: u32) -> bool {
        while self.known < number {
            self.search_more();
        }
        !self.borne.contains(&number)
    }

    /// Searches the document for the next numbers. Each search covers more numbers than the one before, so there are
    /// few searches.
    fn search_more(&mut self) {
        let end = self.known.saturating_add(self.step);
        let label = |number| (self.label(&invented_name(number)), number);
        let looked_for: HashMap<Label, u32> = (self.known + 1..=end).map(label).collect();
        let borne = self.collection.bearer_labels().filter_map(|label| looked_for.get(&label).copied());
        self.borne.extend(borne);
        self.known = end;
        self.step = self.step.saturating_mul(2);
    }
}
