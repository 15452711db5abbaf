//! How much evidence an agreement of names is: the rarer the name, the more.

use super::person::MatchPerson;
use std::collections::HashMap;

/// The number of persons of an imaginary population that is added to those of the files, so that a name in a small file
/// does not seem common or rare by chance.
const POPULATION: f64 = 1000.0;

/// The number of persons of that population who have any given surname.
const OF_SURNAME: f64 = 10.0;

/// The number of persons of that population who have any given first name.
const OF_GIVEN_NAME: f64 = 30.0;

/// How often a field of two records of one person agrees.
const AGREES: f64 = 0.9;

/// The frequencies of names.
#[derive(Debug)]
pub(super) struct Weights {
    persons: f64,
    surnames: HashMap<String, u32>,
    given_names: HashMap<String, u32>,
    unique_ids: HashMap<String, u32>,
    /// The evidence before anything is compared, in bits.
    pub(super) prior: f64,
}

impl Weights {
    pub(super) fn of(persons: &[MatchPerson], has_two_sides: bool) -> Weights {
        let (mut surnames, mut given_names, mut unique_ids) =
            (HashMap::new(), HashMap::new(), HashMap::new());
        let count = |map: &mut HashMap<String, u32>, name: &str| {
            *map.entry(name.to_owned()).or_insert(0) += 1;
        };
        for person in persons {
            person.surnames.iter().for_each(|name| count(&mut surnames, name));
            count(&mut given_names, person.given_root());
            person.unique_ids.iter().for_each(|id| count(&mut unique_ids, id));
        }
        let sides = if has_two_sides { 2.0 } else { 1.0 };
        let number = persons.len() as f64;
        let others = (number / sides).max(POPULATION);
        Weights { persons: number, surnames, given_names, unique_ids, prior: -(2.0 * others).log2() }
    }

    /// The evidence of a common surname.
    pub(super) fn surname(&self, name: &str) -> f64 {
        self.evidence(self.surnames.get(name).copied(), OF_SURNAME).min(9.0)
    }

    /// The evidence of a common first name.
    pub(super) fn given_name(&self, root: &str) -> f64 {
        self.evidence(self.given_names.get(root).copied(), OF_GIVEN_NAME).min(7.0)
    }

    /// Returns whether an identifier tells persons apart. One that many records have is a mistake of a program.
    pub(super) fn is_telling(&self, unique_id: &str) -> bool {
        self.unique_ids.get(unique_id).is_some_and(|count| *count <= 4)
    }

    fn evidence(&self, count: Option<u32>, at_least: f64) -> f64 {
        let frequency = (f64::from(count.unwrap_or(0)) + at_least) / (self.persons + POPULATION);
        (AGREES / frequency.min(AGREES)).log2()
    }
}
