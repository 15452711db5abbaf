//! From the names of all parts to what is unusual about them: the end of a first reading.

use super::census::{At, Census, Entry, Unusual};
use super::duplicates::{Decision, decide};
use super::findings::Fault;
use super::index::Keys;
use super::names::{Fate, Insertion, Label, NOT_INSERTED, Names, Repeated, Slot, Treatment};
use elf_base::Rules;
use elf_base::rules::{Duplicates, XrefErrors};
use hashbrown::{HashMap, HashSet, HashTable};

/// Makes [`Names`] of what a walk through a census shows.
struct Survey<'c> {
    census: &'c Census,
    names: Names,
    /// Beside the repeated identifiers: what bears and what names each.
    groups: Vec<Group>,
    /// What pointers name that lead nowhere or to several, where records are inserted for it.
    wanted: Vec<Wanted>,
    inserts: bool,
}

/// The structures that bear one identifier, and those that point to it.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// How many of them are records, and at which octet the identifier of the last one stands.
    records: u32,
    record: u64,
    pointed: bool,
}

/// What a record is to be inserted for: an identifier, and where it is first pointed to.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    octet: u64,
    label: Label,
    repeated: bool,
}

impl Census {
    /// What is unusual about the names of the document, of which all was read if it was read `to_end`.
    pub(crate) fn names(&self, to_end: bool, keys: &Keys, rules: &Rules) -> Names {
        let names = Names {
            keys: keys.clone(),
            unusual: HashTable::new(),
            repeated: Vec::new(),
            insertions: Vec::new(),
            rejects_all: false,
            to_end,
        };
        let inserts = to_end && rules.tagged.xref_errors == XrefErrors::Undef;
        let mut survey = Survey { census: self, names, groups: Vec::new(), wanted: Vec::new(), inserts };
        self.walk(true, keys, &mut |unusual| match unusual {
            Unusual::Again { entry, first } => survey.again(&entry, first),
            Unusual::Pointer { entry, fault } => survey.pointer(&entry, fault),
        });
        if let XrefErrors::Options(option) = rules.tagged.xref_errors {
            survey.treat(option);
        }
        survey.insert();
        survey.names
    }
}

impl Survey<'_> {
    /// The identifier of `entry` is borne by `first` already.
    fn again(&mut self, entry: &Entry, first: At) {
        let number = match self.fate(entry.label()) {
            Some(Fate::Repeated(number)) => number,
            _ => {
                let number = index(self.names.repeated.len());
                let treatment = Treatment::Stands;
                let place = self.census.place(first);
                let nested = first.is_marked();
                let insertion = NOT_INSERTED;
                self.names.repeated.push(Repeated { first: place, nested, treatment, insertion });
                self.groups.push(Group::default());
                self.set_fate(entry.label(), Fate::Repeated(number));
                self.borne(number, first);
                number
            }
        };
        self.borne(number, entry.at());
    }

    /// One more structure bears the repeated identifier of that number.
    fn borne(&mut self, number: u32, at: At) {
        let octet = self.census.place(at).octet;
        if let Some(group) = self.groups.get_mut(number as usize).filter(|_| !at.is_marked()) {
            group.records = group.records.saturating_add(1);
            group.record = octet;
        }
    }

    /// There is something wrong with a pointer.
    fn pointer(&mut self, entry: &Entry, fault: Fault) {
        let known = self.fate(entry.label());
        let repeated = matches!(known, Some(Fate::Repeated(_)));
        let met = match known {
            Some(Fate::Repeated(number)) => {
                let group = self.groups.get_mut(number as usize);
                group.is_some_and(|group| std::mem::replace(&mut group.pointed, true))
            }
            Some(_) => true,
            None => {
                let substructure = fault == Fault::Substructure;
                let fate = if substructure { Fate::Substructure } else { Fate::Lost(NOT_INSERTED) };
                self.set_fate(entry.label(), fate);
                substructure
            }
        };
        if self.inserts && !met {
            let octet = self.census.place(entry.at()).octet;
            self.wanted.push(Wanted { octet, label: entry.label(), repeated });
        }
    }

    /// Treats the repeated identifiers by the option of the declarative draft.
    fn treat(&mut self, option: Duplicates) {
        if option == Duplicates::RejectAll {
            self.names.rejects_all = !self.groups.is_empty();
            return;
        }
        for (repeated, group) in self.names.repeated.iter_mut().zip(&self.groups) {
            repeated.treatment = match decide(option, group.records == 1, group.pointed) {
                Decision::Keep => Treatment::Kept(group.record),
                Decision::Drop => Treatment::Dropped,
                Decision::Reject => Treatment::Rejected,
            };
        }
    }

    /// Numbers the records that are inserted, in the order in which pointers want them, and names those that cannot bear
    /// what the pointers name (J19 §5.1).
    fn insert(&mut self) {
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort_unstable_by_key(|wanted| wanted.octet);
        // An identifier that nothing bears is free, unless it was invented for another record.
        let any_invented = wanted.iter().any(|wanted| wanted.repeated);
        let mut inserted: HashSet<Label> = HashSet::new();
        let mut free = Free::new(self.census, &self.names.keys, wanted.len());
        let mut last = 0;
        let mut insertions = Vec::with_capacity(wanted.len());
        for (count, wanted) in (0..).zip(&wanted) {
            let mut invented = None;
            if any_invented && (wanted.repeated || !inserted.insert(wanted.label)) {
                last = last.max(count);
                let name = loop {
                    last += 1;
                    let name = super::undefined_name(last);
                    let label = free.keys.label(free.keys.key(&name), &name);
                    if free.is_free(last) && inserted.insert(label) {
                        break name;
                    }
                };
                invented = Some(name.into_boxed_str());
            }
            insertions.push(Insertion { octet: wanted.octet, invented });
        }
        self.names.insertions = insertions;
        for (number, wanted) in (0..).zip(wanted) {
            match self.fate(wanted.label) {
                Some(Fate::Repeated(repeated)) => {
                    if let Some(repeated) = self.names.repeated.get_mut(repeated as usize) {
                        repeated.insertion = number;
                    }
                }
                _ => self.set_fate(wanted.label, Fate::Lost(number)),
            }
        }
    }

    fn fate(&self, label: Label) -> Option<Fate> {
        let Names { keys, unusual, .. } = &self.names;
        unusual.find(keys.hash(label.key), |slot| slot.label == label).map(|slot| slot.fate)
    }

    fn set_fate(&mut self, label: Label, fate: Fate) {
        let Names { keys, unusual, .. } = &mut self.names;
        let hash = |slot: &Slot| keys.hash(slot.label.key);
        match unusual.entry(keys.hash(label.key), |slot| slot.label == label, hash) {
            hashbrown::hash_table::Entry::Occupied(mut slot) => slot.get_mut().fate = fate,
            hashbrown::hash_table::Entry::Vacant(slot) => {
                slot.insert(Slot { label, fate });
            }
        }
    }
}

/// Which of the identifiers `UNDEF1`, `UNDEF2` and so on nothing bears.
struct Free<'c> {
    census: &'c Census,
    keys: Keys,
    /// Up to which number that is known.
    known: u32,
    /// How many more are looked for at once.
    step: u32,
    borne: HashSet<u32>,
}

impl Free<'_> {
    fn new<'c>(census: &'c Census, keys: &Keys, wanted: usize) -> Free<'c> {
        Free { census, keys: keys.clone(), known: 0, step: index(wanted).max(64), borne: HashSet::new() }
    }

    fn is_free(&mut self, number: u32) -> bool {
        while self.known < number {
            self.look();
        }
        !self.borne.contains(&number)
    }

    /// Looks which of the next ones are borne: of more at each time, so that there are few times.
    fn look(&mut self) {
        let end = self.known.saturating_add(self.step);
        let label = |number| {
            let name = super::undefined_name(number);
            (self.keys.label(self.keys.key(&name), &name), number)
        };
        let looked_for: HashMap<Label, u32> = (self.known + 1..=end).map(label).collect();
        let borne = self.census.bearers().filter_map(|label| looked_for.get(&label).copied());
        self.borne.extend(borne);
        self.known = end;
        self.step = self.step.saturating_mul(2);
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
