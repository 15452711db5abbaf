//! Whether two datasets say the same, whatever their identifiers: these have no meaning (D19 *Pointer conversion*).
//!
//! Structures get classes in rounds. In the first, a pointer is just a pointer; in each further one it is a pointer to a
//! structure of that class, so that the classes grow finer until they tell apart all that can be told apart. Then the
//! records of one dataset are put beside records of the other, first those that stand alone in their class; where two are
//! side by side, so are the records that their pointers lead to.

use crate::compare::{Classes, Made, Matter, ordered, outline};
use crate::dataset::{Dataset, Kind, NONE};
use crate::structure::Structure;
use indexmap::IndexMap;

/// The most rounds. People are few steps from each other; only a file made to be long needs more.
const ROUNDS: usize = 32;

impl Dataset {
    /// Whether two datasets are equal but for the spelling of their identifiers: each pointer leads to the structure that
    /// corresponds. Pointers that lead nowhere, or to several structures, correspond if they are spelled alike.
    ///
    /// What it calls the same is the same. Where structures are so alike that nothing around them tells them apart, it
    /// takes the first way to pair them up and does not go back on it; of two datasets with much such symmetry it can say
    /// no, though another way would have been right.
    ///
    /// Takes time in proportion to the length of the datasets, about as often as steps along pointers are needed to tell
    /// all structures apart.
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
        if self.len() != other.len()
            || self.metadata != other.metadata
            || self.header().language != other.header().language
        {
            return false;
        }
        let mut sides = [Side::of(self), Side::of(other)];
        let mut count = 0;
        for _ in 0..ROUNDS {
            let mut classes = Classes::default();
            let outlines = sides.each_mut().map(|side| side.refine(&mut classes));
            if outlines[0] != outlines[1] {
                return false;
            }
            if classes.len() == count {
                break;
            }
            count = classes.len();
        }
        let [one, two] = &sides;
        Pairing::new(one, two).completes()
    }
}

/// A dataset with the classes of its structures.
struct Side<'d> {
    dataset: &'d Dataset,
    kinds: Vec<u32>,
    /// For each structure the target of its pointer, if it leads to one.
    targets: Vec<u32>,
    classes: Vec<u32>,
}

impl<'d> Side<'d> {
    fn of(dataset: &'d Dataset) -> Side<'d> {
        let target = |structure: Structure<'d>| structure.target().map_or(NONE, |target| target.id);
        Side {
            dataset,
            kinds: Vec::new(),
            targets: dataset.structures().map(target).collect(),
            // One class for all, in the round before the first.
            classes: vec![0; dataset.len()],
        }
    }

    /// One round; gives what must be alike.
    fn refine(&mut self, classes: &mut Classes<'d>) -> (Vec<u32>, Vec<u32>) {
        self.kinds = classes.kinds(self.dataset);
        let found = classes.classify(self.dataset, &self.kinds, |structure| Made {
            xref: None,
            payload: match structure.data().kind {
                Kind::None => Matter::None,
                Kind::Literal => Matter::Literal(structure.raw()),
                Kind::Pointer => match self.target(structure) {
                    Some(target) => Matter::Target(self.class(target)),
                    None => Matter::Named(structure.raw()),
                },
            },
        });
        self.classes = found;
        outline(self.dataset, &self.kinds, &self.classes)
    }

    fn class(&self, structure: Structure<'_>) -> u32 {
        self.classes.get(structure.index()).copied().unwrap_or(NONE)
    }

    fn target(&self, structure: Structure<'_>) -> Option<Structure<'d>> {
        self.dataset.structure(*self.targets.get(structure.index())? as usize)
    }
}

/// Records, and what stands directly in the metadata, side by side.
struct Pairing<'s, 'd> {
    one: &'s Side<'d>,
    two: &'s Side<'d>,
    /// For each structure of the first dataset the one of the second it stands beside, and the other way round.
    partners: [Vec<u32>; 2],
    /// Records to be looked at beneath.
    waiting: Vec<(Structure<'d>, Structure<'d>)>,
}

impl<'s, 'd> Pairing<'s, 'd> {
    fn new(one: &'s Side<'d>, two: &'s Side<'d>) -> Pairing<'s, 'd> {
        let partners = [one, two].map(|side| vec![NONE; side.dataset.len()]);
        Pairing { one, two, partners, waiting: Vec::new() }
    }

    /// Whether all can be put side by side so that pointers agree.
    fn completes(mut self) -> bool {
        let [one, two] = [self.one, self.two].map(|side| ordered(side.dataset.metadata(), &side.kinds));
        for (one, two) in one.into_iter().zip(two) {
            if !self.pair(one, two) {
                return false;
            }
        }
        for (ones, twos) in self.groups() {
            let mut free = twos.into_iter();
            for one in ones {
                if self.partner(0, one).is_some() {
                    continue;
                }
                let two = free.by_ref().find(|two| self.partner(1, *two).is_none());
                if !two.is_some_and(|two| self.pair(one, two)) {
                    return false;
                }
            }
        }
        self.pointers_agree()
    }

    /// Whether each pointer leads to what stands beside the target of the pointer beside it.
    fn pointers_agree(&self) -> bool {
        self.one.dataset.structures().all(|one| {
            let Some(target) = self.one.target(one) else { return true };
            let beside = self.partner(0, one).and_then(|two| self.two.target(two));
            beside.is_some() && self.partner(0, target) == beside
        })
    }

    /// The records of both datasets by class, small classes first, and of those of one size the ones with pointers.
    fn groups(&self) -> Vec<(Vec<Structure<'d>>, Vec<Structure<'d>>)> {
        let mut groups: IndexMap<u32, (Vec<Structure<'d>>, Vec<Structure<'d>>)> = IndexMap::new();
        for record in self.one.dataset.records() {
            groups.entry(self.one.class(record)).or_default().0.push(record);
        }
        for record in self.two.dataset.records() {
            groups.entry(self.two.class(record)).or_default().1.push(record);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by_cached_key(|(ones, _)| {
            let points =
                |record: &Structure<'_>| record.subtree().any(|each| self.one.target(each).is_some());
            (ones.len(), !ones.first().is_some_and(points))
        });
        groups
    }

    /// Puts two records side by side, and all that follows from it; whether that can be.
    fn pair(&mut self, one: Structure<'d>, two: Structure<'d>) -> bool {
        self.waiting.push((one, two));
        while let Some((one, two)) = self.waiting.pop() {
            match (self.partner(0, one), self.partner(1, two)) {
                (None, None) => {}
                (Some(partner), _) if partner == two => continue,
                _ => return false,
            }
            if self.one.class(one) != self.two.class(two) || !self.pair_beneath(one, two) {
                return false;
            }
        }
        true
    }

    /// Puts two structures of one class and all beneath them side by side.
    fn pair_beneath(&mut self, one: Structure<'d>, two: Structure<'d>) -> bool {
        let mut open = vec![(one, two)];
        while let Some((one, two)) = open.pop() {
            for (side, (of, partner)) in [(one, two), (two, one)].into_iter().enumerate() {
                if let Some(entry) = self.partners.get_mut(side).and_then(|side| side.get_mut(of.index())) {
                    *entry = partner.id;
                }
            }
            match (self.one.target(one), self.two.target(two)) {
                (None, None) => {}
                (Some(one), Some(two)) => {
                    let [one, two] = [one, two].map(|target| target.ancestors().last());
                    self.waiting.extend(one.zip(two));
                }
                _ => return false,
            }
            let [ones, twos] = [(one, self.one), (two, self.two)]
                .map(|(structure, side)| ordered(structure.substructures(), &side.kinds));
            open.extend(ones.into_iter().zip(twos));
        }
        true
    }

    fn partner(&self, side: usize, of: Structure<'d>) -> Option<Structure<'d>> {
        let partner = *self.partners.get(side)?.get(of.index())?;
        let other = if side == 0 { self.two } else { self.one };
        other.dataset.structure(partner as usize)
    }
}
