//! Differences in what two datasets say, whatever their identifiers: these have no meaning (D19 *Pointer
//! conversion*).
//!
//! First it is found which record of one dataset is which of the other; then records that are the same are
//! compared structure by structure. A pointer agrees with one that leads to the same record.

mod align;
mod common;
mod comparison;
mod kinds;
mod likeness;
mod matching;
mod side;
mod sketch;
mod units;
mod walk;

pub use common::Common;
pub use comparison::{Compared, Comparison, Sketch};

use crate::compare::{ClassKey, Classes, PayloadKey};
use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, NodeData};
use crate::structure::Structure;
use elf_octets::nfc;
use hashbrown::{DefaultHashBuilder, HashMap};
use matching::Matching;
use side::{ComparedDataset, UnitPlace, count, targets, whole_sides};
use std::borrow::Cow;
use units::METADATA;
use walk::{AlignedPair, walk};

/// A difference of two datasets: a structure of the first, a structure of the second, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference<'d> {
    /// A structure of the first and one of the second that are the same but for their payloads; what stands
    /// beneath them is compared for itself.
    Payload(Structure<'d>, Structure<'d>),
    /// Two structures that agree in all, but others of their type stand around them in another order.
    Order(Structure<'d>, Structure<'d>),
    /// A structure that only the first has, with all beneath it.
    Removed(Structure<'d>),
    /// A structure that only the second has, with all beneath it.
    Added(Structure<'d>),
    /// The language of payloads that name no other (D19 *Header metadata*).
    Language(Option<&'d str>, Option<&'d str>),
}

impl Dataset {
    /// Tells whether two datasets are equal but for the spelling of their identifiers, and for letters and
    /// marks that are composed in one and not in the other: [`differences`](Dataset::differences) finds none.
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

    /// Finds the differences of two datasets, in the order of the first; structures that only the second has
    /// stand among them.
    ///
    /// Records may come in any order, and so may substructures of different types, but not those of one type.
    /// Identifiers agree when they name records that agree; those that name nothing, or several, if they are
    /// spelled alike. Letters with marks agree with their composed forms, for that depends on the encoding
    /// (D19 *Conventions used*), and language tags in capital letters with those in small ones (Basic
    /// Concepts *Language tags*). Types count, not tags, except where a tag has no type in one of the two:
    /// there tags count in both.
    ///
    /// No difference means that there is none. Which record is which is told by what they hold and by what
    /// they point to and what points to them, then by their identifiers, then by likeness; where records are
    /// so alike that nothing tells them apart, the first way to pair them up is taken. So of datasets with
    /// much such symmetry there may be reported more than there need be.
    ///
    /// It takes time in proportion to the length of the datasets, but for the sorting of what is equal.
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
        found(self, other, &self.changes(other))
    }

    fn changes(&self, other: &Dataset) -> Vec<Change> {
        self.with_matching(other, |pairing| pairing.changes())
    }

    /// Finds the records of two datasets that stand for the same, as [`differences`](Dataset::differences)
    /// does.
    pub(crate) fn counterparts<'d>(&'d self, other: &'d Dataset) -> Counterparts<'d> {
        let one = |id| Structure { dataset: self, id };
        let two = |id| Structure { dataset: other, id };
        self.with_matching(other, |pairing| {
            let Pairing { matching, sides, .. } = pairing;
            let mut counterparts = Counterparts { records: Vec::new(), metadata: Vec::new() };
            for units in matching.pairs() {
                let mut changes = Vec::new();
                pairing.compare([units.0, units.1], &mut changes);
                let records = (sides[0].root(units.0), sides[1].root(units.1));
                match records {
                    (Some(first), Some(second)) => {
                        counterparts.records.push((one(first.id), two(second.id), changes.is_empty()));
                    }
                    _ => {
                        counterparts.metadata.extend(changes.into_iter().filter_map(
                            |(_, change)| match change {
                                Change::Added(id) | Change::Payload(_, id) => Some(two(id)),
                                Change::Order(..) | Change::Removed(_) => None,
                            },
                        ))
                    }
                }
            }
            counterparts
        })
    }

    /// Matches the records of two datasets, and hands on which structures are equal.
    fn with_matching<T>(&self, other: &Dataset, then: impl FnOnce(&Pairing<'_, '_>) -> T) -> T {
        let languages = !self.plain_plang && !other.plain_plang;
        // Before identifiers are composed, as two that differ in that alone are two (D19 *Cross-reference
        // identifiers*).
        let targets = [targets(self), targets(other)];
        let composed = [self.composed(languages), other.composed(languages)];
        let sides = whole_sides([&composed[0], &composed[1]], &targets);
        let hasher = DefaultHashBuilder::default();
        let units = [sides[0].units(&hasher), sides[1].units(&hasher)];
        then(&Pairing::of(Matching::new([&units[0], &units[1]]), &sides))
    }

    /// The dataset with its payloads in normal form C, and, where PLANG names `languages`, these in small
    /// letters.
    fn composed(&self, languages: bool) -> Cow<'_, Dataset> {
        let language = self.tags.get_index_of("PLANG").filter(|_| languages);
        if language.is_none() && matches!(nfc(&self.text), Cow::Borrowed(_)) {
            return Cow::Borrowed(self);
        }
        let mut text = String::with_capacity(self.text.len());
        let mut dataset = self.clone();
        let composed = |mut node: NodeData| {
            let [xref, payload] =
                [(node.start, node.payload), (node.payload, node.end)].map(|(from, to)| self.slice(from, to));
            let from = count(text.len());
            text.push_str(xref);
            let middle = count(text.len());
            match language {
                Some(language) if node.tag as usize == language && node.kind == Kind::Literal => {
                    text.push_str(&payload.to_ascii_lowercase());
                }
                _ => text.push_str(&nfc(payload)),
            }
            (node.start, node.payload, node.end) = (from, middle, count(text.len()));
            node
        };
        dataset.nodes = self.nodes.iter().map(composed).collect();
        dataset.text = text;
        dataset.escapes = Vec::new();
        dataset.bearers = std::sync::OnceLock::new();
        Cow::Owned(dataset)
    }
}

/// Records of two datasets that stand for the same.
pub(crate) struct Counterparts<'d> {
    /// Pairs of a record of the first and one of the second, and whether the two are equal.
    pub(crate) records: Vec<(Structure<'d>, Structure<'d>, bool)>,
    /// Structures of the second header that the first has not, or has otherwise.
    pub(crate) metadata: Vec<Structure<'d>>,
}

/// Returns whether two default payload languages are one: language tags are compared without regard to case,
/// and `und` is what is meant where none is named (Basic Concepts *Language tags*, *Language-tagged
/// strings*).
pub(crate) fn is_same_language(one: Option<&str>, other: Option<&str>) -> bool {
    let [one, other] = [one, other].map(|language| language.filter(|tag| !tag.is_empty()).unwrap_or("und"));
    one.eq_ignore_ascii_case(other)
}

/// The differences that these changes make, and that of the languages of the payloads.
fn found<'d>(one: &'d Dataset, two: &'d Dataset, changes: &[Change]) -> Vec<Difference<'d>> {
    let [before, after] = [one, two].map(|dataset| dataset.header().language.as_deref());
    let language = (!is_same_language(before, after)).then_some(Difference::Language(before, after));
    language.into_iter().chain(changes.iter().map(|change| change.between(one, two))).collect()
}

/// A difference, by the numbers of structures.
#[derive(Clone, Copy, Debug)]
enum Change {
    Payload(u32, u32),
    Order(u32, u32),
    Removed(u32),
    Added(u32),
}

impl Change {
    fn between<'d>(self, one: &'d Dataset, two: &'d Dataset) -> Difference<'d> {
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

/// Units side by side, with the structures of those that have to be looked at.
struct Pairing<'s, 'd> {
    matching: Matching<'s, 'd>,
    sides: &'s [ComparedDataset<'d>; 2],
    /// The classes of the structures of both sides.
    classes: [Vec<u32>; 2],
    targets: Targets,
}

/// The targets of pointers: numbers that are the same on both sides for structures that stand side by side.
struct Targets {
    units: [Vec<u32>; 2],
    /// Structures within records, and of the metadata.
    nested: [HashMap<UnitPlace, u32>; 2],
}

impl Targets {
    fn of<'d>(&self, side: usize, here: &ComparedDataset<'d>, structure: Structure<'d>) -> PayloadKey<'d> {
        let number = here.target(structure).and_then(|target| match self.nested[side].get(&target) {
            Some(&number) => Some(number),
            None => self.units[side].get(target.unit as usize).copied(),
        });
        match (structure.data().kind, number) {
            (Kind::None, _) => PayloadKey::None,
            (Kind::Literal, _) => PayloadKey::Literal(structure.raw()),
            (Kind::Pointer, Some(number)) => PayloadKey::Target(number),
            (Kind::Pointer, None) => PayloadKey::Named(structure.raw()),
        }
    }

    fn find(matching: &Matching<'_, '_>, sides: &[ComparedDataset<'_>; 2]) -> Targets {
        let lens = [0, 1].map(|side| matching.sides[side].len());
        let number = |side: usize, unit: u32| match (side, matching.partner(side, unit)) {
            (0, _) => unit,
            (_, Some(partner)) => partner,
            (_, None) => lens[0] + unit,
        };
        let units = [0, 1].map(|side| (0..lens[side]).map(|unit| number(side, unit)).collect::<Vec<u32>>());
        let mut next = lens[0] + lens[1];
        let mut nested = [0, 1].map(|side| -> HashMap<UnitPlace, u32> {
            let here = &sides[side];
            let targets = here.dataset.structures().filter_map(|structure| here.target(structure));
            let mut all = HashMap::new();
            for target in targets.filter(|target| target.is_nested()) {
                all.entry(target).or_insert_with(|| {
                    next += 1;
                    next
                });
            }
            all
        });
        let mut holding: Vec<u32> = nested[0].keys().map(|target| target.unit).collect();
        holding.sort();
        holding.dedup();
        let [ones, twos] = &mut nested;
        for one in holding {
            let Some(two) = matching.partner(0, one) else { continue };
            let shapes = [&*sides[0].shapes, &*sides[1].shapes];
            walk(sides, shapes, [one, two], true, &mut |beside| {
                if let AlignedPair::Both(one, two) | AlignedPair::Moved(one, two) = beside
                    && let (Some(number), Some(entry)) =
                        (ones.get(&sides[0].place(one)), twos.get_mut(&sides[1].place(two)))
                {
                    *entry = *number;
                }
            });
        }
        Targets { units, nested }
    }
}

impl<'s, 'd> Pairing<'s, 'd> {
    /// Matches what is left to match, and finds classes in which pointers agree when what they lead to stands
    /// side by side.
    fn of(mut matching: Matching<'s, 'd>, sides: &'s [ComparedDataset<'d>; 2]) -> Pairing<'s, 'd> {
        matching.match_changed(sides);
        let targets = Targets::find(&matching, sides);
        let mut classes = Classes::default();
        let classes = [0, 1].map(|side| {
            let here = &sides[side];
            classes.classify(here.dataset, &here.kinds, |structure| ClassKey {
                xref: None,
                payload: targets.of(side, here, structure),
            })
        });
        Pairing { matching, sides, classes, targets }
    }

    /// All differences, in order.
    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (one, two) in self.matching.pairs() {
            self.compare([one, two], &mut changes);
        }
        for side in [0, 1] {
            for unit in self.matching.free(side) {
                let Some(record) = self.sides[side].root(unit) else { continue };
                changes.push(match side {
                    0 => ((record.id + 1, 0), Change::Removed(record.id)),
                    _ => ((NONE, record.id), Change::Added(record.id)),
                });
            }
        }
        changes.sort_by_key(|&((first, second), _)| (first, second));
        changes.into_iter().map(|(_, change)| change).collect()
    }

    /// Finds the differences of two units; none if their structures are not at hand.
    fn compare(&self, units: [u32; 2], changes: &mut Vec<((u32, u32), Change)>) {
        let sides = self.sides;
        let class = |side: usize| {
            let record = sides[side].root(units[side]);
            record.and_then(|record| self.classes[side].get(record.index()).copied())
        };
        if units[0] != METADATA && class(0) == class(1) {
            return;
        }
        let (known, targets) = ([&*self.classes[0], &*self.classes[1]], &self.targets);
        walk(sides, known, units, false, &mut |beside| match beside {
            AlignedPair::Both(one, two) => {
                if targets.of(0, &sides[0], one) != targets.of(1, &sides[1], two) {
                    changes.push(((one.id + 1, 0), Change::Payload(one.id, two.id)));
                }
            }
            AlignedPair::Moved(one, two) => changes.push(((one.id + 1, 0), Change::Order(one.id, two.id))),
            AlignedPair::One(one) => changes.push(((one.id + 1, 0), Change::Removed(one.id))),
            AlignedPair::Two(two, end) => {
                changes.push(((end, two.id), Change::Added(two.id)));
            }
        });
    }
}
