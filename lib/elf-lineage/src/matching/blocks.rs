//! Chooses which pairs of people are compared: the pairs that share a key.
//!
//! Each pass uses another kind of key, so that a pair with a misspelled surname still shares, for
//! example, the day of birth. The people with the same key form a block. A block that is too large
//! is divided by finer keys. If a part is still too large, only neighbours in it are compared. So
//! the number of pairs grows no faster than the number of people.

use super::MatchSide;
use super::person::MatchPerson;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Two people to compare, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) a: usize,
    pub(super) b: usize,
}

/// The maximum size of a block in which all pairs are compared.
const MAX_BLOCK: usize = 40;

/// The number of following people that each person is compared with, in a block that no key
/// divides.
const NEIGHBOURS: usize = 8;

/// The maximum number of keys of a person in one pass.
const MAX_KEYS: usize = 8;

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

    fn keys_of(self, person: &MatchPerson) -> Vec<u64> {
        let root = person.first_given_root();
        let day = person.born.and_then(super::dates::MatchDate::single_day);
        let year = person.born.map(super::dates::MatchDate::middle_year);
        let keys: Vec<u64> = match self {
            Pass::UniqueId => person.unique_ids.iter().map(|id| hash_key(&(self, id))).collect(),
            Pass::SurnameAndInitial => {
                let initials = person.given.iter().filter_map(|given| given.root.chars().next());
                let sounds = &person.surname_sounds;
                initials
                    .flat_map(|initial| sounds.iter().map(move |sound| hash_key(&(self, sound, initial))))
                    .collect()
            }
            Pass::SurnameAndYear => {
                let years = year.into_iter().flat_map(|year| [year.div_euclid(2), (year + 1).div_euclid(2)]);
                let sounds = &person.surname_sounds;
                years
                    .flat_map(|year| sounds.iter().map(move |sound| hash_key(&(self, sound, year))))
                    .collect()
            }
            Pass::SurnameAndDay => {
                let sounds = &person.surname_sounds;
                day.into_iter()
                    .flat_map(|day| sounds.iter().map(move |sound| hash_key(&(self, sound, day))))
                    .collect()
            }
            _ if root.is_empty() => Vec::new(),
            Pass::GivenAndDay => day.map(|day| hash_key(&(self, root, day))).into_iter().collect(),
            Pass::GivenAndYear => year
                .into_iter()
                .flat_map(|year| person.birth_place.first().map(|place| hash_key(&(self, root, year, place))))
                .collect(),
            Pass::GivenAndParents => {
                let parents = person.fathers.first().zip(person.mothers.first());
                let key = |(father, mother): (&super::person::Relative, &super::person::Relative)| {
                    hash_key(&(self, root, &father.given.root, &mother.given.root))
                };
                parents.map(key).into_iter().collect()
            }
            Pass::GivenAndPartner => person
                .partners
                .iter()
                .map(|partner| hash_key(&(self, root, &partner.given.root, &partner.surname)))
                .collect(),
            Pass::GivenAndDeath => {
                let died = person.died.map(super::dates::MatchDate::first_day);
                died.map(|died| hash_key(&(self, root, died))).into_iter().collect()
            }
        };
        keys.into_iter().take(MAX_KEYS).collect()
    }
}

/// The keys that divide a block that is too large, in order.
const FINER_KEYS: [fn(&MatchPerson) -> u64; 4] = [
    |person| hash_key(&person.first_given_root()),
    |person| hash_key(&person.born.map(super::dates::MatchDate::middle_year)),
    |person| hash_key(&person.fathers.first().map(|father| &father.given.root)),
    |person| hash_key(&person.birth_place.first()),
];

fn hash_key(key: &impl Hash) -> u64 {
    // The hash is not seeded, so that every run compares the same pairs.
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Returns the pairs to compare, each once, in the order of the files.
pub(super) fn candidate_pairs(persons: &[MatchPerson], has_two_sides: bool) -> Vec<Pair> {
    let mut all = Vec::new();
    for pass in Pass::ALL {
        let mut keyed: Vec<(u64, usize)> = Vec::new();
        for (number, person) in persons.iter().enumerate() {
            keyed.extend(pass.keys_of(person).into_iter().map(|key| (key, number)));
        }
        keyed.sort_unstable();
        keyed.dedup();
        for block in keyed.chunk_by(|one, other| one.0 == other.0).filter(|block| block.len() > 1) {
            let block = block.iter().map(|(_, number)| *number).collect();
            Blocks { persons, has_two_sides, pairs: &mut all }.add_pairs_of_block(block);
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
    /// Adds the pairs of a block, after dividing it if it is too large.
    fn add_pairs_of_block(&mut self, block: Vec<usize>) {
        let mut waiting = vec![(block, FINER_KEYS.iter())];
        while let Some((block, mut finer)) = waiting.pop() {
            if block.len() <= MAX_BLOCK {
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

    /// Adds the pairs of people who are near each other by name and dates.
    fn add_neighbours(&mut self, mut block: Vec<usize>) {
        block.sort_by_cached_key(|number| {
            let person = &self.persons[*number];
            (person.born.map(super::dates::MatchDate::first_day), person.name.clone(), *number)
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
