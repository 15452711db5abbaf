//! Finds the differences in the content of two datasets. Identifiers may differ, because they have no meaning (D19
//! *Pointer conversion*).
//!
//! The comparison first finds which record of one dataset corresponds to which record of the other. After that,
//! corresponding records are compared structure by structure. Two pointers agree if they point to corresponding
//! records.

mod align;
mod common;
mod hashes;
mod kinds;
mod likeness;
mod matching;
mod side;
mod targets;
mod units;
mod walk;

pub use common::keep_common_data;

use crate::compare::PayloadKey;
use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, NodeData, to_u32};
use crate::structure::Structure;
use elf_octets::nfc;
use elf_schema::built_in_datatype;
use elf_schema::elf_values::{Datatype, canonical_spelling};
use hashbrown::{DefaultHashBuilder, HashMap};
use hashes::StructureHasher;
use matching::Matching;
use side::{ComparedDataset, UnitPlace, prepare_datasets};
use std::borrow::Cow;
use targets::resolve_all_pointers;

use units::METADATA;
use walk::{AlignedPair, UnitWalk};

/// A difference between two datasets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference<'d> {
    /// A structure of the first dataset and the corresponding one of the second have different payloads. The
    /// substructures of both are compared separately.
    Payload(Structure<'d>, Structure<'d>),
    /// Two structures agree, but their order among the other structures of their type is different.
    Order(Structure<'d>, Structure<'d>),
    /// A structure that only the first dataset has, with all its substructures.
    Removed(Structure<'d>),
    /// A structure that only the second dataset has, with all its substructures.
    Added(Structure<'d>),
    /// The language of payloads that do not name their own is different (D19 *Header metadata*).
    Language(Option<&'d str>, Option<&'d str>),
}

impl Dataset {
    /// Returns whether two datasets have the same content, so that [`differences`](Dataset::differences) finds no
    /// difference. The spelling of identifiers does not matter, and neither does it matter whether letters and their
    /// marks are composed.
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules};
    /// let read = |octets: &str| {
    ///     elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
    /// };
    /// let one = read("0 HEAD\n0 @I1@ INDI\n1 SEX M\n0 @I2@ INDI\n0 @F1@ FAM\n1 HUSB @I1@\n0 TRLR\n")?;
    /// let two = read("0 HEAD\n0 @F1@ FAM\n1 HUSB @I2@\n0 @I1@ INDI\n0 @I2@ INDI\n1 SEX M\n0 TRLR\n")?;
    /// let other = read("0 HEAD\n0 @F1@ FAM\n1 HUSB @I1@\n0 @I1@ INDI\n0 @I2@ INDI\n1 SEX M\n0 TRLR\n")?;
    /// assert!(one != two && one.means_the_same(&two));
    /// assert!(!one.means_the_same(&other));
    /// # Ok::<(), elf_model::ReadError>(())
    /// ```
    pub fn means_the_same(&self, other: &Dataset) -> bool {
        self.len() == other.len() && self.metadata == other.metadata && self.differences(other).is_empty()
    }

    /// Finds the differences between two datasets. The differences are in the order of the first dataset, and
    /// structures that only the second dataset has are listed among them.
    ///
    /// Records may be in any order, and so may substructures of different types, but not substructures of one type.
    /// Pointers agree if they point to corresponding records. Unresolved pointers, and pointers to an identifier of
    /// several records, agree if they are spelled alike. Letters with marks agree with their composed forms, because
    /// the encoding decides which form is written (D19 *Conventions used*). The case of language tags is ignored (Basic
    /// Concepts *Language tags*), and so is the spelling of dates, ages and times of day.
    ///
    /// Structures are compared by type. If a tag has no type in one of the datasets, both datasets are compared by that
    /// tag.
    ///
    /// If the result is empty, the datasets have no difference. Corresponding records are found in several steps: by
    /// their content, by what they point to and what points to them, by their identifiers, and by likeness. If nothing
    /// distinguishes several records, the first possible pairs are taken. In datasets with many such records, more
    /// differences may be reported than necessary.
    ///
    /// Apart from sorting, the time grows linearly with the length of the datasets.
    ///
    /// ```
    /// use elf_model::{Difference, ReadOptions, Rules};
    /// let read = |octets: &str| {
    ///     elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
    /// };
    /// let one = read("0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 BIRT\n2 DATE 1815\n0 @N1@ NOTE x\n0 TRLR\n")?;
    /// let two = read("0 HEAD\n0 @A@ NOTE x\n0 @B@ INDI\n1 BIRT\n2 DATE 1816\n1 NAME Ada\n1 SEX F\n0 TRLR\n")?;
    /// let found = one.differences(&two);
    /// let [Difference::Payload(before, after), Difference::Added(sex)] = found[..] else { panic!("{found:?}") };
    /// assert_eq!((before.text(), after.text(), sex.text()), ("1815", "1816", "F"));
    /// # Ok::<(), elf_model::ReadError>(())
    /// ```
    pub fn differences<'d>(&'d self, other: &'d Dataset) -> Vec<Difference<'d>> {
        let [before, after] = [self, other].map(|dataset| dataset.header().language.as_deref());
        let language = (!is_same_language(before, after)).then_some(Difference::Language(before, after));
        let changes = self.with_pairing(other, &[], |pairing| pairing.collect_changes());
        let differences = changes.into_iter().map(|change| change.to_difference(self, other));
        language.into_iter().chain(differences).collect()
    }

    /// Finds the corresponding records of two datasets, as [`differences`](Dataset::differences) does. The records of a
    /// pair in `given` correspond if neither is in another pair and both have the same type.
    pub(crate) fn find_counterparts<'d>(
        &'d self,
        other: &'d Dataset,
        given: &[GivenPair],
    ) -> Counterparts<'d> {
        self.with_pairing(other, given, |pairing| {
            let mut counterparts = Counterparts { records: Vec::new(), metadata: Vec::new() };
            for (unit, other_unit) in pairing.matching.pairs() {
                let mut changes = Vec::new();
                pairing.compare_units([unit, other_unit], &mut changes);
                let [one, two] = pairing.sides;
                let is_equal = changes.is_empty();
                let of_two = changes.into_iter().filter_map(|placed| match placed.change {
                    Change::Added(id) | Change::Payload(_, id) => Some(Structure { dataset: other, id }),
                    Change::Order(..) | Change::Removed(_) => None,
                });
                if let (Some(one), Some(two)) = (one.record_of(unit), two.record_of(other_unit)) {
                    let (one, two) = (self.original_of(one), other.original_of(two));
                    counterparts.records.push(RecordPair { one, two, is_equal, of_two: of_two.collect() });
                } else {
                    counterparts.metadata.extend(of_two);
                }
            }
            counterparts
        })
    }

    /// Returns the original of the structure `copied`, which has the same index.
    fn original_of(&self, copied: Structure<'_>) -> Structure<'_> {
        Structure { dataset: self, id: copied.id }
    }

    /// Finds the records of both datasets that correspond to each other, and calls `then` with the result.
    fn with_pairing<T>(
        &self,
        other: &Dataset,
        given: &[GivenPair],
        then: impl FnOnce(&Pairing<'_, '_>) -> T,
    ) -> T {
        let has_languages = !self.plain_plang && !other.plain_plang;
        // Resolve pointers before identifiers are composed: identifiers that differ only in their composition are
        // different identifiers (D19 *Cross-reference identifiers*).
        let targets = [resolve_all_pointers(self), resolve_all_pointers(other)];
        let composed = [self.normalize_payloads(has_languages), other.normalize_payloads(has_languages)];
        let sides = prepare_datasets([&composed[0], &composed[1]], targets);
        let hasher = DefaultHashBuilder::default();
        let units = [sides[0].build_units(&hasher), sides[1].build_units(&hasher)];
        let given =
            given.iter().filter_map(|pair| Some([sides[0].unit_of(pair.one)?, sides[1].unit_of(pair.two)?]));
        then(&Pairing::new(Matching::new([&units[0], &units[1]], given), &sides))
    }

    /// Returns the dataset with normalized payloads. Text is in normal form C, and dates, ages and times are in
    /// canonical spelling. If `has_languages` is true, PLANG names a language, and language tags are in lower case.
    fn normalize_payloads(&self, has_languages: bool) -> Cow<'_, Dataset> {
        let language = self.tags.find("PLANG").filter(|_| has_languages);
        let datatype = |number| self.types.iri(to_u32(number)).and_then(built_in_datatype);
        let datatypes: Vec<Option<Datatype>> = (0..self.types.len()).map(datatype).collect();
        let respelled = |node: &NodeData| {
            let datatype = datatypes.get(node.structure_type as usize).copied().flatten()?;
            let is_text = node.kind == Kind::Literal;
            is_text.then(|| canonical_spelling(self.text_slice(node.payload, node.end), datatype)).flatten()
        };
        let is_canonical = || !self.nodes.iter().any(|node| respelled(&node).is_some());
        if language.is_none() && matches!(nfc(&self.text), Cow::Borrowed(_)) && is_canonical() {
            return Cow::Borrowed(self);
        }
        let mut text = String::with_capacity(self.text.len());
        let compose = |mut node: NodeData| {
            let [xref, payload] = [(node.start, node.payload), (node.payload, node.end)]
                .map(|(from, to)| self.text_slice(from, to));
            let canonical = respelled(&node);
            let payload = canonical.as_deref().unwrap_or(payload);
            node.start = to_u32(text.len());
            text.push_str(xref);
            node.payload = to_u32(text.len());
            if language == Some(node.tag) && node.kind == Kind::Literal {
                text.push_str(&payload.to_ascii_lowercase());
            } else {
                text.push_str(&nfc(payload));
            }
            node.end = to_u32(text.len());
            node
        };
        let nodes = self.nodes.iter().map(compose).collect();
        Cow::Owned(Dataset {
            nodes,
            metadata: self.metadata,
            text,
            tags: self.tags.clone(),
            types: self.types.clone(),
            header: self.header.clone(),
            plain_plang: self.plain_plang,
            ..Dataset::default()
        })
    }
}

pub(crate) struct Counterparts<'d> {
    pub(crate) records: Vec<RecordPair<'d>>,
    /// The structures of the second header that the first header lacks, or has with another payload.
    pub(crate) metadata: Vec<Structure<'d>>,
}

/// A record of the first dataset and the corresponding one of the second.
pub(crate) struct RecordPair<'d> {
    pub(crate) one: Structure<'d>,
    pub(crate) two: Structure<'d>,
    /// Whether no difference was found between the two records.
    pub(crate) is_equal: bool,
    /// The structures of the second record that the first record lacks, or has with another payload.
    pub(crate) of_two: Vec<Structure<'d>>,
}

/// The indices of two records that the caller knows to be the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GivenPair {
    pub(crate) one: u32,
    pub(crate) two: u32,
}

/// Returns whether two default languages are the same. The case of language tags is ignored, and no language means
/// `und` (Basic Concepts *Language tags*, *Language-tagged strings*).
pub(crate) fn is_same_language(one: Option<&str>, other: Option<&str>) -> bool {
    let [one, other] = [one, other].map(|language| language.filter(|tag| !tag.is_empty()).unwrap_or("und"));
    one.eq_ignore_ascii_case(other)
}

/// A difference whose structures are given by their indices.
#[derive(Clone, Copy, Debug)]
enum Change {
    Payload(u32, u32),
    Order(u32, u32),
    Removed(u32),
    Added(u32),
}

impl Change {
    fn to_difference<'d>(self, one: &'d Dataset, two: &'d Dataset) -> Difference<'d> {
        let before = |id| Structure { dataset: one, id };
        let after = |id| Structure { dataset: two, id };
        match self {
            Change::Payload(one, two) => Difference::Payload(before(one), after(two)),
            Change::Order(one, two) => Difference::Order(before(one), after(two)),
            Change::Removed(id) => Difference::Removed(before(id)),
            Change::Added(id) => Difference::Added(after(id)),
        }
    }
}

/// A change, and the place in the result at which it is listed.
#[derive(Clone, Copy, Debug)]
struct PlacedChange {
    /// The index in the first dataset before which the change is listed. For an addition, the second number is the
    /// index in the second dataset.
    place: (u32, u32),
    change: Change,
}

impl PlacedChange {
    const fn new_change(id: u32, change: Change) -> PlacedChange {
        PlacedChange { place: (id + 1, 0), change }
    }

    /// Creates the change for an added structure, which is listed before the structure `before` of the first dataset.
    const fn new_addition(before: u32, id: u32) -> PlacedChange {
        PlacedChange { place: (before, id), change: Change::Added(id) }
    }
}

/// The units of two datasets that correspond to each other, with hashes that show which of their structures are equal.
struct Pairing<'s, 'd> {
    matching: Matching<'s, 'd>,
    sides: &'s [ComparedDataset<'d>; 2],
    /// The hash of each structure in the units that may have changed. Structures with the same hash are equal.
    hashes: [Vec<u64>; 2],
    targets: TargetNumbers,
}

/// Numbers for the targets of pointers. Structures of the two datasets that correspond to each other have the same
/// number.
struct TargetNumbers {
    of_units: [Vec<u32>; 2],
    /// The numbers of the metadata, and of the structures within records.
    nested: [HashMap<UnitPlace, u32>; 2],
}

impl TargetNumbers {
    fn new(matching: &Matching<'_, '_>, sides: &[ComparedDataset<'_>; 2]) -> TargetNumbers {
        let lens = [0, 1].map(|side| matching.sides[side].len());
        let number = |side: usize, unit: u32| match (side, matching.partner_of(side, unit)) {
            (0, _) => unit,
            (_, Some(partner)) => partner,
            (_, None) => lens[0] + unit,
        };
        let of_units = [0, 1].map(|side| (0..lens[side]).map(|unit| number(side, unit)).collect());
        let mut next = lens[0] + lens[1];
        let mut nested = sides.each_ref().map(|side| number_nested_targets(side, &mut next));
        let mut holding: Vec<u32> = nested[0].keys().map(|target| target.unit).collect();
        holding.sort();
        holding.dedup();
        let [of_one, of_two] = &mut nested;
        let hashes = [&*sides[0].shapes, &*sides[1].shapes];
        let units = UnitWalk { sides, hashes, visits_equal: true };
        for one in holding {
            let Some(two) = matching.partner_of(0, one) else { continue };
            units.visit_pairs([one, two], &mut |pair| {
                if let AlignedPair::Both(one, two) | AlignedPair::Moved(one, two) = pair
                    && let (Some(number), Some(entry)) =
                        (of_one.get(&sides[0].place_of(one)), of_two.get_mut(&sides[1].place_of(two)))
                {
                    *entry = *number;
                }
            });
        }
        TargetNumbers { of_units, nested }
    }

    /// Returns the payload in the form in which it is compared: in place of a pointer, it has the number of the target.
    fn payload_key<'d>(
        &self,
        sides: &[ComparedDataset<'d>; 2],
        side: usize,
        structure: Structure<'d>,
    ) -> PayloadKey<'d> {
        match (structure.node().kind, sides[side].target_place(structure)) {
            (Kind::None, _) => PayloadKey::None,
            (Kind::Literal, _) => PayloadKey::Literal(structure.raw_payload()),
            (Kind::Pointer, Some(target)) => PayloadKey::Target(match self.nested[side].get(&target) {
                Some(&number) => number,
                None => self.of_units[side][target.unit as usize],
            }),
            (Kind::Pointer, None) => PayloadKey::Named(structure.raw_payload()),
        }
    }
}

/// Assigns numbers to the targets that are not records. The numbers start after `last`.
fn number_nested_targets(side: &ComparedDataset<'_>, last: &mut u32) -> HashMap<UnitPlace, u32> {
    let mut numbers = HashMap::new();
    let targets = side.dataset.structures().filter_map(|structure| side.target_place(structure));
    for target in targets.filter(|target| target.is_nested()) {
        numbers.entry(target).or_insert_with(|| {
            *last += 1;
            *last
        });
    }
    numbers
}

impl<'s, 'd> Pairing<'s, 'd> {
    /// Pairs the units that have changed, and then computes hashes of their structures. For the hashes, it must be
    /// known which targets of pointers correspond.
    fn new(mut matching: Matching<'s, 'd>, sides: &'s [ComparedDataset<'d>; 2]) -> Pairing<'s, 'd> {
        matching.match_changed(sides);
        let targets = TargetNumbers::new(&matching, sides);
        let changed: Vec<[u32; 2]> = matching
            .pairs()
            .filter(|&(one, two)| one == METADATA || !matching.agree_in_full(one, two))
            .map(|(one, two)| [one, two])
            .collect();
        let hasher = StructureHasher::new();
        let hashes = [0, 1].map(|side| {
            let here = &sides[side];
            let subtrees = changed.iter().map(|units| here.structure_range(units[side]));
            hasher.hash_subtrees(here.dataset, &here.kinds, subtrees, |structure| {
                targets.payload_key(sides, side, structure)
            })
        });
        Pairing { matching, sides, hashes, targets }
    }

    fn collect_changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (one, two) in self.matching.pairs() {
            self.compare_units([one, two], &mut changes);
        }
        let unmatched = |side: usize| {
            let units = self.matching.free_units(side).into_iter();
            units.filter_map(move |unit| self.sides[side].record_of(unit)).map(|record| record.id)
        };
        changes.extend(unmatched(0).map(|id| PlacedChange::new_change(id, Change::Removed(id))));
        changes.extend(unmatched(1).map(|id| PlacedChange::new_addition(NONE, id)));
        changes.sort_by_key(|placed| placed.place);
        changes.into_iter().map(|placed| placed.change).collect()
    }

    fn compare_units(&self, units: [u32; 2], changes: &mut Vec<PlacedChange>) {
        let [one, two] = units;
        let sides = self.sides;
        if one != METADATA && self.matching.agree_in_full(one, two) {
            return;
        }
        if let (Some(one), Some(two)) = (sides[0].record_of(one), sides[1].record_of(two))
            && self.hashes[0][one.index()] == self.hashes[1][two.index()]
        {
            return;
        }
        let payload = |side: usize, structure| self.targets.payload_key(sides, side, structure);
        let hashes = [&*self.hashes[0], &*self.hashes[1]];
        UnitWalk { sides, hashes, visits_equal: false }.visit_pairs(units, &mut |pair| match pair {
            AlignedPair::Both(one, two) => {
                if payload(0, one) != payload(1, two) {
                    changes.push(PlacedChange::new_change(one.id, Change::Payload(one.id, two.id)));
                }
            }
            AlignedPair::Moved(one, two) => {
                changes.push(PlacedChange::new_change(one.id, Change::Order(one.id, two.id)));
            }
            AlignedPair::One(one) => changes.push(PlacedChange::new_change(one.id, Change::Removed(one.id))),
            AlignedPair::Two(two, end) => changes.push(PlacedChange::new_addition(end, two.id)),
        });
    }
}
