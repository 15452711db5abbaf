//! Documents compared without datasets of all their records.

use super::common::Common;
use super::matching::Matching;
use super::side::{sides, targets};
use super::sketch::{DocumentSketch, Places};
use super::units::METADATA;
use super::{Change, Difference, Pairing, found};
use crate::arena::DatasetTooLarge;
use crate::dataset::Dataset;
use crate::nodes::NONE;
use crate::paths::Paths;
use crate::structure::Structure;
use elf_schema::TypedDocument;
use hashbrown::DefaultHashBuilder;
use std::hash::{BuildHasher, RandomState};

/// A comparison of two documents that were read and typed.
///
/// It finds what [`Dataset::differences`] finds of the parts that both have in [`Common`], and takes less
/// time and memory for it: only the records that may differ become structures of a dataset.
///
/// It has three steps, of which the first one, [`sketch`](Comparison::sketch), can be made for both documents
/// at once.
///
/// ```
/// use elf_model::elf_schema::{self, ReadOptions, Rules};
/// use elf_model::{Common, Comparison, Difference};
///
/// let one = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 BIRT\n2 DATE 1815\n0 @N1@ NOTE x\n0 TRLR\n";
/// let two = b"0 HEAD\n0 @A@ NOTE x\n0 @B@ INDI\n1 BIRT\n2 DATE 1816\n1 NAME Ada\n0 TRLR\n";
/// let read = |octets| elf_schema::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ());
/// let (one, two) = (read(one)?, read(two)?);
///
/// let comparison = Comparison::new([&one, &two], Common::of([&Rules::WILD, &Rules::WILD]));
/// let compared = comparison.finish(comparison.sketch::<0>(), comparison.sketch::<1>())?;
/// let found = compared.differences();
/// let [Difference::Payload(before, after)] = found[..] else { panic!("{found:?}") };
/// assert_eq!((before.text(), after.text()), ("1815", "1816"));
/// let [_, paths] = compared.paths();
/// assert_eq!(paths.of(after), "@B@/BIRT/DATE");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Comparison<'t> {
    documents: [&'t TypedDocument<'t>; 2],
    terms: Terms,
}

/// The records of a document of a comparison, as far as that has to know them: of the first document
/// where `SIDE` is 0, of the second where it is 1. [`Comparison::sketch`] makes it.
#[derive(Debug)]
pub struct Sketch<'t, const SIDE: usize>(DocumentSketch<'t>);

/// The terms by which two documents are told to say the same.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) common: Common,
    /// True if PLANG names a language in both.
    pub(super) languages: bool,
    pub(super) names: DefaultHashBuilder,
    /// Records are taken for equal by their hashes: who writes a file must not be able to choose them.
    keys: RandomState,
}

impl Terms {
    /// The kind of structures whose tag has no type, by the kind of what they stand beneath.
    pub(super) fn place(&self, above: u64, tag: &str) -> u64 {
        self.names.hash_one((above, tag))
    }

    /// The shape of a unit that says this.
    pub(super) fn shape(&self, said: &[u8]) -> u128 {
        (u128::from(self.keys.hash_one(said)) << 64) | u128::from(self.names.hash_one(said))
    }

    /// The shape of a unit whose pointer of that number names something that is not there.
    pub(super) fn unlike(&self, shape: u128, number: u32, name: &str) -> u128 {
        let made = (shape, number, name);
        (u128::from(self.keys.hash_one(made)) << 64) | u128::from(self.names.hash_one(made))
    }
}

/// The differences of two documents, with the structures that they are about.
#[derive(Debug)]
pub struct Compared {
    datasets: [Dataset; 2],
    changes: Vec<Change>,
    /// For each record of the datasets, how many came before it, and how many there are, of its identifier
    /// or, where it has none, of its tag; none if the datasets have all records.
    numbers: Option<[Vec<(u32, u32)>; 2]>,
}

impl<'t> Comparison<'t> {
    /// A comparison of two documents.
    pub fn new(documents: [&'t TypedDocument<'t>; 2], common: Common) -> Comparison<'t> {
        let languages = documents.iter().all(|typed| typed.document().rules().tagged.payload_language);
        let (names, keys) = (DefaultHashBuilder::default(), RandomState::new());
        Comparison { documents, terms: Terms { common, languages, names, keys } }
    }

    /// Goes through one of the documents: the first where `SIDE` is 0, the second where it is 1.
    pub fn sketch<const SIDE: usize>(&'t self) -> Sketch<'t, SIDE> {
        const { assert!(SIDE < 2, "a comparison has two sides") };
        Sketch(DocumentSketch::of(self.documents[SIDE], &self.terms))
    }

    /// Finds what differs, given the sketches of both documents, which this comparison has made.
    ///
    /// # Errors
    ///
    /// [`DatasetTooLarge`] where identifiers and payloads of the records that may differ are longer than
    /// 4 GiB.
    pub fn finish(&'t self, one: Sketch<'t, 0>, two: Sketch<'t, 1>) -> Result<Compared, DatasetTooLarge> {
        let sketches = [one.0, two.0];
        let Terms { common, languages, .. } = self.terms;
        // Where a tag has a type in one document only, its structures are told by their tags in both; and
        // records that January 2019 made for pointers may be none.
        let places = sketches.each_ref().map(|sketch| &sketch.places);
        if common.makes_records() || Places::are_mixed(places) {
            drop(sketches);
            let [one, two] = self.documents.map(Dataset::from_document);
            let datasets = common.reduce([&one?, &two?]);
            let changes = datasets[0].changes(&datasets[1]);
            return Ok(Compared { datasets, changes, numbers: None });
        }
        let units = sketches.each_ref().map(|sketch| &sketch.units);
        let matching = Matching::new(units);
        let wanted = wanted(&matching);
        let part = |side: usize| {
            let document = self.documents[side];
            Dataset::of_units(document, |unit| wanted[side].get(unit).copied().unwrap_or_default())
        };
        let datasets = common.reduce([&part(0)?, &part(1)?]);
        let composed = datasets.each_ref().map(|dataset| dataset.composed(languages));
        let roots = [0, 1].map(|side| {
            let mut records = composed[side].records().map(|record| record.id);
            let root = |(unit, &is_wanted): (usize, &bool)| match is_wanted && unit > 0 {
                true => records.next().unwrap_or(NONE),
                false => NONE,
            };
            wanted[side].iter().enumerate().map(root).collect::<Vec<u32>>()
        });
        let targets = [0, 1].map(|side| {
            let target = |structure: Structure<'_>| sketches[side].target(structure.pointer()?);
            let within = targets(&datasets[side]);
            datasets[side].structures().map(target).zip(within).collect::<Vec<_>>()
        });
        let sides = sides([&composed[0], &composed[1]], roots, |side, places, structure| {
            // A place within a record is found anew, as types come in another order here.
            match targets[side].get(structure.index())? {
                (Some(target), within) if target.is_nested() => places.get(*within as usize).copied(),
                (target, _) => *target,
            }
        });
        let changes = Pairing::of(matching, &sides).changes();
        let numbers = [0, 1].map(|side| {
            let all = if changes.is_empty() { Vec::new() } else { sketches[side].numbers() };
            let wanted = wanted[side].iter().skip(1);
            all.into_iter()
                .skip(1)
                .zip(wanted)
                .filter_map(|(of, &is_wanted)| is_wanted.then_some(of))
                .collect()
        });
        Ok(Compared { datasets, changes, numbers: Some(numbers) })
    }
}

impl Compared {
    /// The differences, in the order of [`Dataset::differences`], with structures of the
    /// [datasets](Compared::datasets).
    pub fn differences(&self) -> Vec<Difference<'_>> {
        let [one, two] = &self.datasets;
        found(one, two, &self.changes)
    }

    /// The metadata of both documents and the records that may differ, as far as rules of both take them for
    /// data.
    pub const fn datasets(&self) -> &[Dataset; 2] {
        &self.datasets
    }

    /// The paths of the structures of both datasets, as they are in the whole documents.
    pub fn paths(&self) -> [Paths; 2] {
        let [one, two] = self.datasets.each_ref().map(Paths::new);
        match &self.numbers {
            None => [one, two],
            Some([of_one, of_two]) => {
                [one.with_numbers(&self.datasets[0], of_one), two.with_numbers(&self.datasets[1], of_two)]
            }
        }
    }
}

/// Tells of the units of both sides whether their structures have to be looked at: of the metadata, and of
/// what has no partner or one that looks otherwise or points elsewhere.
fn wanted(matching: &Matching<'_, '_>) -> [Vec<bool>; 2] {
    let sides = matching.sides;
    let mut wanted = sides.map(|units| vec![false; units.len() as usize]);
    let mut want = |side: usize, unit: u32| {
        for (side, unit) in [(side, Some(unit)), (1 - side, matching.partner(side, unit))] {
            let entry = unit.and_then(|unit| wanted[side].get_mut(unit as usize));
            entry.into_iter().for_each(|entry| *entry = true);
        }
    };
    want(0, METADATA);
    for side in [0, 1] {
        for unit in 0..sides[side].len() {
            if matching.partner(side, unit).is_none() {
                want(side, unit);
            }
            // What leads into a record, or to the metadata, is told by what stands beside it.
            for link in sides[side].links(unit).iter().filter(|link| link.is_nested()) {
                want(side, unit);
                want(side, link.unit);
            }
        }
    }
    for (one, two) in matching.pairs() {
        let [ones, twos] = [sides[0].links(one), sides[1].links(two)];
        let agree = sides[0].shape(one) == sides[1].shape(two)
            && ones.len() == twos.len()
            && ones.iter().zip(twos).all(|(from, to)| matching.partner(0, from.unit) == Some(to.unit));
        if !agree {
            want(0, one);
        }
    }
    wanted
}
