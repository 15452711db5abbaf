//! The pairs that are compared: those that share a key.
//!
//! Each pass has keys of its own, so that a pair whose surname is misspelled still shares the day of birth. A block of
//! persons with one key that is too large is divided by finer keys, and at last only neighbours in it are compared, so
//! the number of pairs grows no faster than that of persons.

use super::MatchSide;
use super::person::MatchPerson;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Two persons to be compared, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) a: usize,
    pub(super) b: usize,
}

/// The most persons of a block of which all pairs are compared.
const MOST_IN_BLOCK: usize = 40;

/// The number of persons after each one that it is compared with, in a block that no key divides.
const NEIGHBOURS: usize = 8;

/// The most keys of a person in one pass.
const MOST_KEYS: usize = 8;

/// A kind of key that persons share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pass {
    UniqueId,
    SurnameAndInitial,
    SurnameAndYear,
    SurnameAndDay,
    GivenAndDay,
    GivenAndYear,
    GivenAndParents,
    GivenAndPartner,
    GivenAndDeath,
}

impl Pass {
    const ALL: [Pass; 9] = [
        Pass::UniqueId,
        Pass::SurnameAndInitial,
        Pass::SurnameAndYear,
        Pass::SurnameAndDay,
        Pass::GivenAndDay,
        Pass::GivenAndYear,
        Pass::GivenAndParents,
        Pass::GivenAndPartner,
        Pass::GivenAndDeath,
    ];

    /// The keys of a person.
    fn keys(self, person: &MatchPerson) -> Vec<u64> {
        let root = person.given_root();
        let day = person.born.and_then(super::dates::MatchDate::day);
        let year = person.born.map(super::dates::MatchDate::year);
        let keys: Vec<u64> = match self {
            Pass::UniqueId => person.unique_ids.iter().map(|id| hash(&(self, id))).collect(),
            Pass::SurnameAndInitial => {
                let initials = person.given.iter().filter_map(|given| given.root.chars().next());
                let sounds = &person.sounds;
                initials
                    .flat_map(|initial| sounds.iter().map(move |sound| hash(&(self, sound, initial))))
                    .collect()
            }
            Pass::SurnameAndYear => {
                let years = year.into_iter().flat_map(|year| [year.div_euclid(2), (year + 1).div_euclid(2)]);
                let sounds = &person.sounds;
                years.flat_map(|year| sounds.iter().map(move |sound| hash(&(self, sound, year)))).collect()
            }
            Pass::SurnameAndDay => {
                let sounds = &person.sounds;
                day.into_iter()
                    .flat_map(|day| sounds.iter().map(move |sound| hash(&(self, sound, day))))
                    .collect()
            }
            _ if root.is_empty() => Vec::new(),
            Pass::GivenAndDay => day.map(|day| hash(&(self, root, day))).into_iter().collect(),
            Pass::GivenAndYear => year
                .into_iter()
                .flat_map(|year| person.birth_place.first().map(|place| hash(&(self, root, year, place))))
                .collect(),
            Pass::GivenAndParents => {
                let parents = person.fathers.first().zip(person.mothers.first());
                let key = |(father, mother): (&super::person::Relative, &super::person::Relative)| {
                    hash(&(self, root, &father.given.root, &mother.given.root))
                };
                parents.map(key).into_iter().collect()
            }
            Pass::GivenAndPartner => person
                .partners
                .iter()
                .map(|partner| hash(&(self, root, &partner.given.root, &partner.surname)))
                .collect(),
            Pass::GivenAndDeath => {
                let died = person.died.map(super::dates::MatchDate::first);
                died.map(|died| hash(&(self, root, died))).into_iter().collect()
            }
        };
        keys.into_iter().take(MOST_KEYS).collect()
    }
}

/// The keys that divide a block that is too large, one after the other.
const FINER: [fn(&MatchPerson) -> u64; 4] = [
    |person| hash(&person.given_root()),
    |person| hash(&person.born.map(super::dates::MatchDate::year)),
    |person| hash(&person.fathers.first().map(|father| &father.given.root)),
    |person| hash(&person.birth_place.first()),
];

fn hash(key: &impl Hash) -> u64 {
    // No random numbers, so that every run compares the same pairs.
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// The pairs to be compared, each once, in the order of the files.
pub(super) fn pairs(persons: &[MatchPerson], has_two_sides: bool) -> Vec<Pair> {
    let mut all = Vec::new();
    for pass in Pass::ALL {
        let mut keyed: Vec<(u64, usize)> = Vec::new();
        for (number, person) in persons.iter().enumerate() {
            keyed.extend(pass.keys(person).into_iter().map(|key| (key, number)));
        }
        keyed.sort_unstable();
        keyed.dedup();
        for block in keyed.chunk_by(|one, other| one.0 == other.0).filter(|block| block.len() > 1) {
            let block = block.iter().map(|(_, number)| *number).collect();
            Blocks { persons, has_two_sides, pairs: &mut all }.add(block);
        }
        all.sort_unstable();
        all.dedup();
    }
    all
}

struct Blocks<'p> {
    persons: &'p [MatchPerson],
    has_two_sides: bool,
    pairs: &'p mut Vec<Pair>,
}

impl Blocks<'_> {
    /// Adds the pairs of a block, divided if it is too large.
    fn add(&mut self, block: Vec<usize>) {
        let mut waiting = vec![(block, FINER.iter())];
        while let Some((block, mut finer)) = waiting.pop() {
            if block.len() <= MOST_IN_BLOCK {
                self.add_all_pairs(&block);
                continue;
            }
            let Some(key_of) = finer.next() else {
                self.add_neighbours(block);
                continue;
            };
            let mut keyed: Vec<(u64, usize)> =
                block.iter().map(|number| (key_of(&self.persons[*number]), *number)).collect();
            keyed.sort_unstable();
            for part in keyed.chunk_by(|one, other| one.0 == other.0) {
                waiting.push((part.iter().map(|(_, number)| *number).collect(), finer.clone()));
            }
        }
    }

    fn add_all_pairs(&mut self, block: &[usize]) {
        for (at, one) in block.iter().enumerate() {
            for other in &block[at + 1..] {
                self.add_pair(*one, *other);
            }
        }
    }

    /// Adds the pairs of persons who are near each other by name and dates.
    fn add_neighbours(&mut self, mut block: Vec<usize>) {
        block.sort_by_cached_key(|number| {
            let person = &self.persons[*number];
            (person.born.map(super::dates::MatchDate::first), person.name.clone(), *number)
        });
        for (at, one) in block.iter().enumerate() {
            for other in block[at + 1..].iter().take(NEIGHBOURS) {
                self.add_pair(*one.min(other), *one.max(other));
            }
        }
    }

    fn add_pair(&mut self, a: usize, b: usize) {
        let sides = (self.persons[a].side, self.persons[b].side);
        match (self.has_two_sides, sides) {
            (false, _) | (true, (MatchSide::A, MatchSide::B)) => self.pairs.push(Pair { a, b }),
            (true, (MatchSide::B, MatchSide::A)) => self.pairs.push(Pair { a: b, b: a }),
            (true, (MatchSide::A, MatchSide::A) | (MatchSide::B, MatchSide::B)) => {}
        }
    }
}
