//! Computes how much evidence it is that two names agree. A rare name is more evidence than a
//! common one.

use super::person::MatchPerson;
use std::collections::HashMap;

/// The size of an imaginary population that is added to the people of the files, so that a name in
/// a small file does not seem common or rare by chance.
const POPULATION: f64 = 1000.0;

/// The number of people in the imaginary population with any given surname.
const WITH_SURNAME: f64 = 10.0;

/// The number of people in the imaginary population with any given first name.
const WITH_GIVEN_NAME: f64 = 30.0;

/// The rate at which a field of two records of the same person agrees.
const AGREEMENT_RATE: f64 = 0.9;

/// The frequencies of names.
#[derive(Debug)]
pub(super) struct Weights {
    persons: f64,
    surnames: HashMap<String, u32>,
    given_names: HashMap<String, u32>,
    unique_ids: HashMap<String, u32>,
    /// The evidence before any comparison, in bits.
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
            count(&mut given_names, person.first_given_root());
            person.unique_ids.iter().for_each(|id| count(&mut unique_ids, id));
        }
        let sides = if has_two_sides { 2.0 } else { 1.0 };
        let number = persons.len() as f64;
        let others = (number / sides).max(POPULATION);
        Weights { persons: number, surnames, given_names, unique_ids, prior: -(2.0 * others).log2() }
    }

    /// Returns how much evidence it is, in bits, that two people share this surname.
    pub(super) fn surname_bits(&self, name: &str) -> f64 {
        self.evidence_bits(self.surnames.get(name).copied(), WITH_SURNAME).min(9.0)
    }

    /// Returns how much evidence it is, in bits, that two people share this first name.
    pub(super) fn given_name_bits(&self, root: &str) -> f64 {
        self.evidence_bits(self.given_names.get(root).copied(), WITH_GIVEN_NAME).min(7.0)
    }

    /// Returns whether an identifier distinguishes people. If many records have the same
    /// identifier, a program made a mistake.
    pub(super) fn is_distinctive(&self, unique_id: &str) -> bool {
        self.unique_ids.get(unique_id).is_some_and(|count| *count <= 4)
    }

    fn evidence_bits(&self, count: Option<u32>, at_least: f64) -> f64 {
        let frequency = (f64::from(count.unwrap_or(0)) + at_least) / (self.persons + POPULATION);
        (AGREEMENT_RATE / frequency.min(AGREEMENT_RATE)).log2()
    }
}
