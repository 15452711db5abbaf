//! A clan: related people of four or five generations, generated from its number alone.
//!
//! The file contains all people before the first family. So each clan is generated again for each kind of record, which
//! costs little and needs no memory.

use super::random::Random;
use super::words::{ENGLISH, REGIONS, Region};
use std::collections::VecDeque;

/// A person of a clan. Indices count from 0 within the clan.
pub(super) struct Person {
    pub(super) woman: bool,
    pub(super) given: &'static str,
    pub(super) second: &'static str,
    pub(super) surname: &'static str,
    pub(super) region: &'static Region,
    /// The year of birth.
    pub(super) born: u64,
    /// The family in which the person is a child.
    pub(super) child_of: Option<usize>,
    /// The families in which the person is a spouse.
    pub(super) spouse_in: Vec<usize>,
}

/// A couple and their children.
pub(super) struct Family {
    pub(super) husband: usize,
    pub(super) wife: usize,
    pub(super) children: Vec<usize>,
    /// The year of the marriage.
    pub(super) married: u64,
}

/// The records that one clan adds to the file.
pub(super) struct Clan {
    pub(super) people: Vec<Person>,
    pub(super) families: Vec<Family>,
    pub(super) sources: u64,
    pub(super) notes: u64,
    pub(super) repositories: u64,
}

/// Nothing happens after this year.
pub(super) const PRESENT: u64 = 2020;

/// The maximum number of generations of a clan.
const GENERATIONS: u32 = 5;

/// One of this many clans adds an archive.
const CLANS_FOR_EACH_ARCHIVE: u64 = 25;

impl Clan {
    /// Generates the clan with a number. The first clan has a source, a note and an archive, so that there is always
    /// one to point to.
    pub(super) fn new(seed: u64, number: u64) -> Clan {
        let mut random = Random::new(seed, number);
        let mut clan = Clan {
            people: Vec::new(),
            families: Vec::new(),
            sources: random.between(1, 3),
            notes: 1,
            repositories: u64::from(number.is_multiple_of(CLANS_FOR_EACH_ARCHIVE)),
        };
        let home = choose_region(&mut random);
        let founded = random.between(1640, 1800);
        let husband = clan.add_person(&mut random, home, false, founded, None);
        let mut couples = VecDeque::from([(husband, 1)]);
        while let Some((person, generation)) = couples.pop_front() {
            clan.add_marriage(&mut random, person, generation, &mut couples);
        }
        clan
    }

    /// Adds a spouse and children of `person`, and puts those who will marry into the queue.
    fn add_marriage(
        &mut self,
        random: &mut Random,
        person: usize,
        generation: u32,
        couples: &mut VecDeque<(usize, u32)>,
    ) {
        let Some((woman, born, home)) = self.people.get(person).map(|p| (p.woman, p.born, p.region)) else {
            return;
        };
        let married = born + random.between(20, 32);
        if married > PRESENT {
            return;
        }
        let born_elsewhere = born + random.between(0, 6) - 3;
        let spouse = self.add_person(random, home, !woman, born_elsewhere, None);
        let (husband, wife) = if woman { (spouse, person) } else { (person, spouse) };
        let family = self.families.len();
        self.families.push(Family { husband, wife, children: Vec::new(), married });
        for parent in [husband, wife] {
            if let Some(parent) = self.people.get_mut(parent) {
                parent.spouse_in.push(family);
            }
        }
        let mut year = married;
        for _ in 0..random.between(0, 6) {
            year += random.between(2, 3);
            if year > PRESENT {
                break;
            }
            let is_woman = random.chance(49);
            let child = self.add_person(random, home, is_woman, year, Some(family));
            if let Some(family) = self.families.get_mut(family) {
                family.children.push(child);
            }
            if generation < GENERATIONS && random.chance(45) {
                couples.push_back((child, generation + 1));
            }
        }
    }

    fn add_person(
        &mut self,
        random: &mut Random,
        home: &'static Region,
        woman: bool,
        born: u64,
        child_of: Option<usize>,
    ) -> usize {
        // Most people marry a neighbour.
        let region = if child_of.is_none() && random.chance(15) { self::choose_region(random) } else { home };
        let names = if woman { region.women } else { region.men };
        let father = child_of.and_then(|family| self.people.get(self.families.get(family)?.husband));
        let surname = father.map_or_else(|| random.pick(region.surnames), |father| father.surname);
        let given = random.pick(names);
        let second = if random.chance(40) { random.pick(names) } else { "" };
        let person = Person { woman, given, second, surname, region, born, child_of, spouse_in: Vec::new() };
        self.people.push(person);
        self.people.len() - 1
    }
}

/// Chooses a region. The first ones are more frequent, so that about half of all names are ASCII.
fn choose_region(random: &mut Random) -> &'static Region {
    let common = if random.chance(50) { REGIONS.get(..1) } else { None };
    random.pick_reference(common.unwrap_or(REGIONS)).unwrap_or(&ENGLISH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clan_is_consistent() {
        for number in 0..200 {
            let clan = Clan::new(1, number);
            assert!(clan.people.len() >= 2 && clan.sources >= 1 && clan.notes >= 1);
            for (index, family) in clan.families.iter().enumerate() {
                assert!(!clan.people[family.husband].woman && clan.people[family.wife].woman);
                for parent in [family.husband, family.wife] {
                    assert!(clan.people[parent].spouse_in.contains(&index));
                }
                for &child in &family.children {
                    assert_eq!(clan.people[child].child_of, Some(index));
                    assert!(clan.people[child].born > family.married);
                    assert_eq!(clan.people[child].surname, clan.people[family.husband].surname);
                }
            }
        }
    }

    #[test]
    fn the_first_clan_brings_an_archive() {
        assert_eq!(Clan::new(9, 0).repositories, 1);
        assert_eq!(Clan::new(9, 1).repositories, 0);
    }
}
