//! Plans a merge: decides which records of B are united with which other records.

use crate::content::record_key;
use crate::equal::find_equal_records;
use crate::families::{FamilyFinder, FamilyOfB, families_of};
use crate::identifiers::Identifiers;
use crate::within::RecordPair;
use elf_edit::EditError;
use elf_lineage::{FamilyId, LineageView, MatchSide, PersonId, PersonMatcher};
use elf_tagged::{Document, Node, NodeId, Target as PointerTarget};
use std::collections::{HashMap, HashSet};

/// The pairs of records of the same person that are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitedPersons {
    pairs: Vec<[PersonOfFile; 2]>,
    unites_equal_records: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PersonOfFile {
    A(PersonId),
    B(PersonId),
}

/// The reason why two files cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The files use different standards.
    #[error(
        "the files use different standards, {a} and {b}: convert one of them first, with `elf convert --to-rules RULES`"
    )]
    Standards {
        /// The standard of A.
        a: &'static str,
        /// The standard of B.
        b: &'static str,
    },
    /// B was not read to its end.
    #[error("reading of the second file stopped early under these rules; the rules `wild` continue")]
    Incomplete,
    /// A cannot be edited.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A record to merge within a file has no identifier, or shares it with another structure.
    #[error("both must be records with an identifier that no other record has")]
    NoIdentifier,
    /// The two records to merge are the same record, or are of different kinds.
    #[error("expected two records of the same kind")]
    NotTwo,
    /// One of the records to merge refers to the other one, so the two are not about the same
    /// thing.
    #[error("one of the records refers to the other one ({tag}), so they are not the same")]
    RefersToOther {
        /// The tag of the pointer.
        tag: String,
    },
    /// A third record refers to the two records in different roles, so the two are not about the
    /// same thing.
    #[error(
        "`@{record}@` has one of them as {kept} and the other one as {removed}, so they are not the same"
    )]
    DifferentRoles {
        /// The identifier of the record that refers to both.
        record: String,
        /// The tag of the pointer to the record that stays.
        kept: String,
        /// The tag of the pointer to the other record.
        removed: String,
    },
}

impl UnitedPersons {
    /// Merges people whose records in both files are equal, including their identifiers.
    #[must_use]
    pub fn equal_records() -> UnitedPersons {
        UnitedPersons { pairs: Vec::new(), unites_equal_records: true }
    }

    /// Merges a person of A and a person of B. If a person is in several pairs, all of them are merged.
    #[must_use]
    pub fn with_pair(mut self, of_a: PersonId, of_b: PersonId) -> UnitedPersons {
        self.pairs.push([PersonOfFile::A(of_a), PersonOfFile::B(of_b)]);
        self
    }

    /// Unites each pair to which [`PersonMatcher`] gives at least this score. The best pairs come
    /// first, and each person is in one pair only.
    #[must_use]
    pub fn by_score(a: &LineageView<'_, '_>, b: &LineageView<'_, '_>, at_least: f64) -> UnitedPersons {
        let mut matcher = PersonMatcher::default();
        matcher.add(MatchSide::A, 0, a);
        matcher.add(MatchSide::B, 1, b);
        let mut used = HashSet::new();
        let mut united = UnitedPersons::default();
        for found in matcher.matches(at_least) {
            if !used.contains(&found.a) && !used.contains(&found.b) {
                used.extend([found.a, found.b]);
                united = united.with_pair(matcher.person(found.a).id, matcher.person(found.b).id);
            }
        }
        united
    }

    /// Merges two people of B. Two records of A are never merged, because the lines of A do not
    /// change.
    #[must_use]
    pub fn with_pair_of_b(mut self, one: PersonId, other: PersonId) -> UnitedPersons {
        self.pairs.push([PersonOfFile::B(one), PersonOfFile::B(other)]);
        self
    }
}

/// The record that a record of B is united with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// A record of A.
    OfA(NodeId),
    /// An earlier record of B.
    OfB(NodeId),
}

impl Target {
    const fn record_of_a(self) -> Option<NodeId> {
        match self {
            Target::OfA(record) => Some(record),
            Target::OfB(_) => None,
        }
    }
}

/// The subject of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A person.
    Person,
    /// A family.
    Family,
    /// Anything else, such as a source.
    Other,
}

#[derive(Debug)]
pub(crate) struct Plan {
    targets: HashMap<NodeId, Target>,
    kinds: HashMap<NodeId, RecordKind>,
    pub(crate) identifiers: Identifiers,
}

impl Plan {
    pub(crate) fn of<'d>(
        a: &LineageView<'_, 'd>,
        b: &LineageView<'_, '_>,
        united: &UnitedPersons,
    ) -> Result<Plan, MergeError> {
        let (of_a, of_b) = (a.typed().document(), b.typed().document());
        let standards = [of_a, of_b].map(standard_of);
        if standards[0] != standards[1] {
            return Err(MergeError::Standards { a: standards[0], b: standards[1] });
        }
        if !of_a.is_complete() {
            return Err(EditError::Incomplete.into());
        }
        if !of_b.is_complete() {
            return Err(MergeError::Incomplete);
        }
        let kinds = find_record_kinds(b);
        let mut planner = Planner { a, b, targets: HashMap::new(), kinds };
        match united.unites_equal_records {
            true => planner.unite_equal_records(),
            false => planner.unite_pairs(&united.pairs),
        }
        planner.unite_other_records();
        planner.unite_families();
        let Planner { targets, kinds, .. } = planner;
        let identifiers = Identifiers::of(of_a, of_b, &targets);
        Ok(Plan { targets, kinds, identifiers })
    }

    /// Returns the plan for a merge of two records of one file.
    pub(crate) fn within(pair: RecordPair<'_>) -> Plan {
        let removed = pair.removed.id();
        Plan {
            targets: HashMap::from([(removed, Target::OfA(pair.kept.id()))]),
            kinds: HashMap::from([(removed, pair.kind)]),
            identifiers: Identifiers::within(pair),
        }
    }

    pub(crate) fn target(&self, record: NodeId) -> Option<Target> {
        self.targets.get(&record).copied()
    }

    pub(crate) fn kind(&self, record: NodeId) -> RecordKind {
        self.kinds.get(&record).copied().unwrap_or(RecordKind::Other)
    }
}

/// Returns the name of the standard of a file.
fn standard_of(document: &Document<'_>) -> &'static str {
    let header = document.header();
    match (header.says_gedcom_7(), header.elf_version()) {
        (true, _) => "GEDCOM 7",
        (false, Some(_)) => "ELF",
        (false, None) => "GEDCOM 5.5.1",
    }
}

pub(crate) fn find_record_kinds(view: &LineageView<'_, '_>) -> HashMap<NodeId, RecordKind> {
    let lineage = view.lineage();
    let persons = lineage.persons().filter_map(|person| view.person(person.id()));
    let families = (0..).map_while(FamilyId::of_index).map_while(|id| view.family(id));
    let persons = persons.map(|record| (record.id(), RecordKind::Person));
    persons.chain(families.map(|record| (record.id(), RecordKind::Family))).collect()
}

/// Returns the records of a file, without header and trailer.
pub(crate) fn list_records<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.records().filter(|record| !record.is_inserted() && !["HEAD", "TRLR"].contains(&record.tag()))
}

struct Planner<'p, 'l, 'm, 'd, 'e> {
    a: &'p LineageView<'l, 'd>,
    b: &'p LineageView<'m, 'e>,
    targets: HashMap<NodeId, Target>,
    kinds: HashMap<NodeId, RecordKind>,
}

impl Planner<'_, '_, '_, '_, '_> {
    /// Unites records that have the same text and identifier, if their pointers also refer to such
    /// records.
    fn unite_equal_records(&mut self) {
        let equal = find_equal_records(self.a, self.b).into_iter();
        self.targets.extend(equal.map(|(of_b, of_a)| (of_b, Target::OfA(of_a))));
    }

    /// Unites the people of each group of pairs that overlap.
    fn unite_pairs(&mut self, pairs: &[[PersonOfFile; 2]]) {
        let mut groups = PersonGroups::default();
        for [one, other] in pairs {
            groups.join(*one, *other);
        }
        let mut first_of_a: HashMap<usize, NodeId> = HashMap::new();
        for person in self.a.lineage().persons() {
            let group = groups.find_group(PersonOfFile::A(person.id()));
            if let Some((group, record)) = group.zip(self.a.person(person.id())) {
                first_of_a.entry(group).or_insert(record.id());
            }
        }
        let mut first_of_b: HashMap<usize, NodeId> = HashMap::new();
        for person in self.b.lineage().persons() {
            let group = groups.find_group(PersonOfFile::B(person.id()));
            let Some((group, record)) = group.zip(self.b.person(person.id())) else { continue };
            let target = match (first_of_a.get(&group), first_of_b.get(&group)) {
                (Some(of_a), _) => Target::OfA(*of_a),
                (None, Some(of_b)) => Target::OfB(*of_b),
                (None, None) => {
                    first_of_b.insert(group, record.id());
                    continue;
                }
            };
            self.targets.insert(record.id(), target);
        }
    }

    /// Unites sources, repositories, notes and media with the same content, and records without
    /// identifiers. A record with a pointer has the same content only after its target is united,
    /// so this takes several rounds.
    fn unite_other_records(&mut self) {
        const ROUNDS: usize = 8;
        let (of_a, of_b) = (self.a.typed().document(), self.b.typed().document());
        let kinds_of_a = find_record_kinds(self.a);
        let mut known: HashMap<(bool, String), NodeId> = HashMap::new();
        for record in
            list_records(of_a).filter(|record| !record.is_error() && !kinds_of_a.contains_key(&record.id()))
        {
            let content = record_key(record, &mut |xref| format!("A:{xref}"));
            known.entry((record.xref().is_some(), content)).or_insert(record.id());
        }
        for _ in 0..ROUNDS {
            let before = self.targets.len();
            for record in list_records(of_b).filter(|record| !record.is_error()) {
                if self.kinds.contains_key(&record.id()) || self.targets.contains_key(&record.id()) {
                    continue;
                }
                let content = record_key(record, &mut |xref| self.name_target(xref));
                if let Some(found) = known.get(&(record.xref().is_some(), content)) {
                    self.targets.insert(record.id(), Target::OfA(*found));
                }
            }
            if self.targets.len() == before {
                return;
            }
        }
    }

    /// Returns a name for the target of a pointer of B. If a pointer of A refers to the same
    /// record, it has the same name.
    fn name_target(&self, xref: &str) -> String {
        let document = self.b.typed().document();
        if document.header().is_void(xref) || elf_tagged::is_external_pointer(xref) {
            return format!("A:{xref}");
        }
        let target = match document.resolve(xref) {
            PointerTarget::One(record) => self.targets.get(&record.id()),
            _ => None,
        };
        let of_a = match target {
            Some(Target::OfA(record)) => self.a.typed().document().node(*record).and_then(Node::xref),
            Some(Target::OfB(_)) | None => None,
        };
        of_a.map_or_else(|| format!("B:{xref}"), |xref| format!("A:{xref}"))
    }

    /// Unites families with the same spouses.
    fn unite_families(&mut self) {
        let document = self.b.typed().document();
        let used = self.targets.values().filter_map(|target| target.record_of_a()).collect();
        let mut finder = FamilyFinder::of(self.a, used);
        for family in families_of(self.b) {
            if self.targets.contains_key(&family.record) {
                continue;
            }
            let Some(record) = document.node(family.record) else { continue };
            let of_a = |person: &NodeId| self.targets.get(person).and_then(|target| target.record_of_a());
            let family_of_b = FamilyOfB {
                record,
                partners: family.partners.iter().map(of_a).collect(),
                children: family.children.iter().filter_map(of_a).collect(),
            };
            if let Some(found) = finder.find_match(&family_of_b) {
                self.targets.insert(family.record, Target::OfA(found));
            }
        }
    }
}

/// Groups of people, joined pair by pair.
#[derive(Default)]
struct PersonGroups {
    numbers: HashMap<PersonOfFile, usize>,
    /// For each group, the group that it was joined with. A group that was not joined has its own
    /// number.
    joined: Vec<usize>,
}

impl PersonGroups {
    fn join(&mut self, one: PersonOfFile, other: PersonOfFile) {
        let [one, other] = [one, other].map(|person| self.group_of(person));
        let (first, last) = (one.min(other), one.max(other));
        self.joined[last] = first;
    }

    fn group_of(&mut self, person: PersonOfFile) -> usize {
        let next = self.joined.len();
        let number = *self.numbers.entry(person).or_insert(next);
        if number == next {
            self.joined.push(next);
        }
        self.find_root(number)
    }

    fn find_group(&mut self, person: PersonOfFile) -> Option<usize> {
        let number = *self.numbers.get(&person)?;
        Some(self.find_root(number))
    }

    /// Returns the group that a group is now part of. Shortens the path for the next search.
    fn find_root(&mut self, mut number: usize) -> usize {
        while self.joined[number] != number {
            self.joined[number] = self.joined[self.joined[number]];
            number = self.joined[number];
        }
        number
    }
}
