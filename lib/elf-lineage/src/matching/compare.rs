//! Compares two people, field by field.

use super::person::{GivenName, MatchPerson, Relative};
use super::weights::Weights;
use crate::run::Sex;
use std::fmt;

/// A field that is compared to match people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchField {
    /// A globally unique identifier: `UID`, `_UID`.
    UniqueId,
    /// The surname, by birth or by marriage.
    Surname,
    /// The given names.
    Given,
    /// The sex.
    Sex,
    /// The date of the birth or baptism.
    Birth,
    /// The place of the birth.
    BirthPlace,
    /// The date of the death or burial.
    Death,
    /// The place of the death.
    DeathPlace,
    /// The name of the father.
    Father,
    /// The name of the mother.
    Mother,
    /// The name of a partner.
    Spouse,
    /// The names of the children.
    Children,
}

impl MatchField {
    /// Returns the name of the field in JSON and CSV.
    pub const fn name(self) -> &'static str {
        match self {
            MatchField::UniqueId => "uid",
            MatchField::Surname => "surname",
            MatchField::Given => "given",
            MatchField::Sex => "sex",
            MatchField::Birth => "birth",
            MatchField::BirthPlace => "birth_place",
            MatchField::Death => "death",
            MatchField::DeathPlace => "death_place",
            MatchField::Father => "father",
            MatchField::Mother => "mother",
            MatchField::Spouse => "spouse",
            MatchField::Children => "children",
        }
    }
}

impl fmt::Display for MatchField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The evidence that two records are about the same person.
#[derive(Debug)]
pub(super) struct Evidence {
    bits: f64,
    pub(super) agree: Vec<MatchField>,
    pub(super) similar: Vec<MatchField>,
    pub(super) differ: Vec<MatchField>,
}

impl Evidence {
    /// Adds the evidence of a field, unless it is `None` because one person lacks the field.
    fn add(&mut self, field: MatchField, bits: Option<f64>, is_equal: bool) {
        let Some(bits) = bits else { return };
        self.bits += bits;
        let list = match bits > 0.0 {
            _ if is_equal => &mut self.agree,
            true => &mut self.similar,
            false => &mut self.differ,
        };
        list.push(field);
    }

    /// Returns the evidence as a number from 0 to 1.
    pub(super) fn score(&self) -> f64 {
        1.0 / (1.0 + (-self.bits).exp2())
    }
}

/// The similarity of two given names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Different,
    /// One name is the initial of the other, such as `J.` and `Johann`.
    Initial,
    /// The people share a name that is not the first name of both.
    Common,
    /// The names are different spellings of one name.
    Similar,
    /// One name is a short or foreign form of the other.
    Form,
    /// The first names are the same.
    Same,
}

pub(super) fn compare_persons(one: &MatchPerson, other: &MatchPerson, weights: &Weights) -> Evidence {
    let mut evidence =
        Evidence { bits: weights.prior, agree: Vec::new(), similar: Vec::new(), differ: Vec::new() };
    let is_same_record = have_same_unique_id(one, other, weights);
    evidence.add(MatchField::UniqueId, is_same_record.then_some(40.0), is_same_record);
    let is_same_surname = one.surnames.first().is_some_and(|name| other.surnames.first() == Some(name));
    evidence.add(MatchField::Surname, compare_surnames(one, other, weights), is_same_surname);
    let given = compare_given_names(one, other, weights);
    let is_same_given = one.given.first().is_some_and(|name| other.given.first() == Some(name));
    evidence.add(MatchField::Given, given, is_same_given);
    evidence.add(MatchField::Sex, compare_sexes(one.sex, other.sex), one.sex == other.sex);
    let birth = one.born.zip(other.born).map(|(one, other)| one.compare_bits(other));
    evidence.add(MatchField::Birth, birth, one.born == other.born);
    let birth_place = compare_places(&one.birth_place, &other.birth_place);
    evidence.add(MatchField::BirthPlace, birth_place, one.birth_place == other.birth_place);
    let death = one.died.zip(other.died).map(|(one, other)| one.compare_bits(other));
    evidence.add(MatchField::Death, death, one.died == other.died);
    let death_place = compare_places(&one.death_place, &other.death_place);
    evidence.add(MatchField::DeathPlace, death_place, one.death_place == other.death_place);
    let [father, mother] = compare_parents(one, other);
    evidence.add(MatchField::Father, father, have_same_names(&one.fathers, &other.fathers));
    evidence.add(MatchField::Mother, mother, have_same_names(&one.mothers, &other.mothers));
    let partners = compare_partner_names(&one.partners, &other.partners);
    evidence.add(MatchField::Spouse, partners, have_same_names(&one.partners, &other.partners));
    let children = compare_child_names(&one.children, &other.children);
    evidence.add(MatchField::Children, children, have_same_names(&one.children, &other.children));
    // Features that siblings share do not show which sibling it is.
    let differs = |bits: Option<f64>| bits.is_some_and(|bits| bits < -3.0);
    let have_parents = [father, mother].into_iter().flatten().any(|bits| bits > 0.0);
    if have_parents && !is_same_record && (differs(given) || differs(birth)) {
        evidence.bits -= 10.0;
    }
    if one.is_close_relative(other) {
        evidence.bits -= 60.0;
    }
    evidence
}

/// Returns whether the two people are certainly not one person: one of them has a placeholder instead of a name, or they
/// are relatives in one file who cannot be the same person.
pub(super) fn are_different_people(one: &MatchPerson, other: &MatchPerson, weights: &Weights) -> bool {
    if one.is_close_relative(other) {
        return true;
    }
    let is_excluded = one.has_placeholder_name()
        || other.has_placeholder_name()
        || one.is_sibling(other) && have_different_given_names(one, other);
    is_excluded && !have_same_unique_id(one, other, weights)
}

fn have_same_unique_id(one: &MatchPerson, other: &MatchPerson, weights: &Weights) -> bool {
    one.unique_ids.iter().any(|id| weights.is_distinctive(id) && other.unique_ids.contains(id))
}

/// Returns whether no given name of a person can be a given name of a sibling with the same name. Of two sisters called
/// Olga Nikolaevna and Maria Nikolaevna, the names are different: the name by which one is called must be among the
/// names of the other.
fn have_different_given_names(one: &MatchPerson, other: &MatchPerson) -> bool {
    let is_called = |a: &GivenName, b: &GivenName| a.words.first().is_some_and(|name| b.words.contains(name));
    let fits = |a: &GivenName, b: &GivenName| match given_name_likeness(a, b) {
        Likeness::Different => false,
        Likeness::Common => is_called(a, b) || is_called(b, a),
        Likeness::Same => a.words.len() == 1 || b.words.len() == 1 || have_common_second(a, b),
        Likeness::Initial | Likeness::Similar | Likeness::Form => true,
    };
    let are_known = !one.given.is_empty() && !other.given.is_empty();
    are_known && !one.given.iter().any(|a| other.given.iter().any(|b| fits(a, b)))
}

/// Returns whether two lists have relatives with the same names.
fn have_same_names(one: &[Relative], other: &[Relative]) -> bool {
    let names = |relatives: &[Relative]| {
        let names = relatives.iter().map(|one| (one.given.words.clone(), one.surname.clone()));
        let mut names: Vec<(Vec<String>, String)> = names.collect();
        names.sort();
        names
    };
    one.len() == other.len() && names(one) == names(other)
}

fn compare_surnames(one: &MatchPerson, other: &MatchPerson, weights: &Weights) -> Option<f64> {
    let all = |person: &MatchPerson| person.surnames.is_empty() && person.married_surnames.is_empty();
    if all(one) || all(other) {
        return None;
    }
    let common = one.surnames.iter().filter(|name| other.surnames.contains(name));
    let exact = common.map(|name| weights.surname_bits(name)).fold(None, max_known);
    let pairs = || one.surnames.iter().flat_map(|a| other.surnames.iter().map(move |b| (a, b)));
    let spelled = pairs()
        .filter(|(a, b)| is_similar(a, b))
        .map(|(a, b)| 0.7 * weights.surname_bits(a).min(weights.surname_bits(b)));
    let found = spelled.fold(exact, max_known);
    if found.is_some() {
        return found;
    }
    let by_marriage = |a: &MatchPerson, b: &MatchPerson| {
        a.surnames
            .iter()
            .chain(&a.married_surnames)
            .any(|name| b.married_surnames.iter().any(|other| is_similar(name, other)))
    };
    if by_marriage(one, other) || by_marriage(other, one) {
        return Some(3.5);
    }
    match one.surnames.is_empty() || other.surnames.is_empty() {
        true => None,
        // A woman may be recorded under a married surname that is not otherwise in the file.
        false if one.sex == Sex::Female || other.sex == Sex::Female => Some(-4.0),
        false => Some(-8.0),
    }
}

fn compare_given_names(one: &MatchPerson, other: &MatchPerson, weights: &Weights) -> Option<f64> {
    let pairs = one.given.iter().flat_map(|a| other.given.iter().map(move |b| (a, b)));
    let (likeness, a, b) =
        pairs.map(|(a, b)| (given_name_likeness(a, b), a, b)).max_by_key(|(likeness, ..)| *likeness)?;
    let weight = weights.given_name_bits(&a.root).min(weights.given_name_bits(&b.root));
    Some(match likeness {
        Likeness::Same if a.words == b.words => weight,
        // Of two brothers called Johann Karl and Johann Peter, the second names show that they are
        // different people.
        Likeness::Same if a.words.len() > 1 && b.words.len() > 1 && !have_common_second(a, b) => -2.0,
        Likeness::Same => 0.9 * weight,
        Likeness::Form => 0.8 * weight,
        Likeness::Similar => 0.7 * weight,
        Likeness::Common => 0.5 * weight,
        Likeness::Initial => 1.0,
        Likeness::Different => -8.0,
    })
}

fn have_common_second(one: &GivenName, other: &GivenName) -> bool {
    let others = |name: &GivenName| name.words.iter().skip(1).cloned().collect::<Vec<String>>();
    let (one, other) = (others(one), others(other));
    one.iter().any(|a| other.iter().any(|b| is_similar(a, b) || is_initial(a, b)))
}

fn given_name_likeness(one: &GivenName, other: &GivenName) -> Likeness {
    let (Some(a), Some(b)) = (one.words.first(), other.words.first()) else { return Likeness::Different };
    if a == b && a.chars().count() > 1 {
        Likeness::Same
    } else if one.root == other.root && a.chars().count() > 1 {
        Likeness::Form
    } else if is_similar(a, b) {
        Likeness::Similar
    } else if one.words.iter().any(|word| word.chars().count() > 1 && other.words.contains(word)) {
        Likeness::Common
    } else if is_initial(a, b) {
        Likeness::Initial
    } else {
        Likeness::Different
    }
}

/// Returns whether one word is the initial of the other.
fn is_initial(one: &str, other: &str) -> bool {
    (one.chars().count() == 1 || other.chars().count() == 1) && one.chars().next() == other.chars().next()
}

/// Returns whether two words are spellings of the same name.
fn is_similar(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let shorter = one.chars().count().min(other.chars().count());
    let longer = one.chars().count().max(other.chars().count());
    match (shorter, longer) {
        (..=3, _) | (_, 60..) => false,
        (4..=5, _) => strsim::osa_distance(one, other) <= 1,
        _ => strsim::osa_distance(one, other) <= 2 && strsim::jaro_winkler(one, other) >= 0.88,
    }
}

fn compare_sexes(one: Sex, other: Sex) -> Option<f64> {
    match (one, other) {
        (Sex::Unknown, _) | (_, Sex::Unknown) => None,
        _ if one == other => Some(1.0),
        _ => Some(-8.0),
    }
}

fn compare_places(one: &[String], other: &[String]) -> Option<f64> {
    let (a, b) = (one.first()?, other.first()?);
    if is_similar(a, b) || one.contains(b) || other.contains(a) {
        return Some(3.0);
    }
    Some(if one.iter().any(|part| other.contains(part)) { -0.5 } else { -2.0 })
}

/// Compares the fathers and the mothers. If the files give the same two parents in swapped roles,
/// they agree.
fn compare_parents(one: &MatchPerson, other: &MatchPerson) -> [Option<f64>; 2] {
    let same_roles = [
        compare_parent_names(&one.fathers, &other.fathers),
        compare_parent_names(&one.mothers, &other.mothers),
    ];
    let swapped = [
        compare_parent_names(&one.fathers, &other.mothers),
        compare_parent_names(&one.mothers, &other.fathers),
    ];
    let sum = |bits: [Option<f64>; 2]| bits.into_iter().flatten().sum::<f64>();
    let is_swapped = swapped.iter().all(|bits| bits.is_some_and(|bits| bits > 0.0));
    if is_swapped && sum(swapped) > sum(same_roles) { swapped } else { same_roles }
}

fn compare_parent_names(one: &[Relative], other: &[Relative]) -> Option<f64> {
    let alike = best_likeness(one, other)?;
    Some(match alike {
        Likeness::Same | Likeness::Form => 4.0,
        Likeness::Similar => 3.0,
        Likeness::Common => 2.0,
        Likeness::Initial => 0.5,
        Likeness::Different => -4.0,
    })
}

fn compare_partner_names(one: &[Relative], other: &[Relative]) -> Option<f64> {
    Some(match best_likeness(one, other)? {
        Likeness::Same | Likeness::Form => 5.0,
        Likeness::Similar => 4.0,
        Likeness::Common => 2.0,
        Likeness::Initial => 0.5,
        // Many people married twice.
        Likeness::Different => -2.0,
    })
}

/// Returns the best likeness between the names of the two people's relatives. `None` if one side
/// has no relatives.
fn best_likeness(one: &[Relative], other: &[Relative]) -> Option<Likeness> {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let named = pairs.filter(|(a, b)| !a.given.words.is_empty() && !b.given.words.is_empty());
    named.map(|(a, b)| given_name_likeness(&a.given, &b.given)).max()
}

fn compare_child_names(one: &[Relative], other: &[Relative]) -> Option<f64> {
    let roots = |children: &[Relative]| -> Vec<String> {
        children.iter().map(|child| child.given.root.clone()).filter(|root| !root.is_empty()).collect()
    };
    let (one, other) = (roots(one), roots(other));
    let fewer = one.len().min(other.len());
    if fewer == 0 {
        return None;
    }
    let common = one.iter().filter(|root| other.contains(root)).count();
    Some(match common {
        0 if fewer == 1 => -0.5,
        0 => -3.0,
        _ if 2 * common >= fewer && common > 1 => 5.0,
        _ => 2.5,
    })
}

fn max_known(best: Option<f64>, next: f64) -> Option<f64> {
    Some(best.map_or(next, |best| best.max(next)))
}
