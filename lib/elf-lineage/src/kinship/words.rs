//! English names of relationships.

use super::{Generations, Relation, Relationship, RelationshipKind};
use crate::run::Sex;

/// The words for a man, a woman, and a person whose sex is not known.
struct Words([&'static str; 3]);

impl Words {
    const fn of(&self, sex: Sex) -> &'static str {
        let [male, female, neutral] = self.0;
        match sex {
            Sex::Male => male,
            Sex::Female => female,
            Sex::Unknown => neutral,
        }
    }
}

const PARENT: Words = Words(["father", "mother", "parent"]);
const GRANDPARENT: Words = Words(["grandfather", "grandmother", "grandparent"]);
const CHILD: Words = Words(["son", "daughter", "child"]);
const GRANDCHILD: Words = Words(["grandson", "granddaughter", "grandchild"]);
const SIBLING: Words = Words(["brother", "sister", "sibling"]);
const SPOUSE: Words = Words(["husband", "wife", "spouse"]);
const PARENT_IN_LAW: Words = Words(["father-in-law", "mother-in-law", "parent-in-law"]);
const CHILD_IN_LAW: Words = Words(["son-in-law", "daughter-in-law", "child-in-law"]);
const SIBLING_IN_LAW: Words = Words(["brother-in-law", "sister-in-law", "sibling-in-law"]);
const STEP_PARENT: Words = Words(["stepfather", "stepmother", "step-parent"]);
const STEP_CHILD: Words = Words(["stepson", "stepdaughter", "step-child"]);

/// The most times that `great-` is repeated.
const MOST_GREATS: u32 = 8;

pub(super) fn name(relationship: &Relationship, sex: Sex) -> String {
    match relationship.relation {
        Relation::Kin(generations) => {
            let prefix = match (relationship.kind, generations.up, generations.down) {
                (RelationshipKind::Adoptive, 1, 0) => "adopted ",
                (RelationshipKind::Adoptive, ..) => "adoptive ",
                (RelationshipKind::Foster, ..) => "foster ",
                (RelationshipKind::Blood | RelationshipKind::Marriage | RelationshipKind::Step, ..) => "",
            };
            format!("{prefix}{}", kin(generations, sex))
        }
        Relation::Spouse => SPOUSE.of(sex).to_owned(),
        Relation::ParentInLaw => PARENT_IN_LAW.of(sex).to_owned(),
        Relation::ChildInLaw => CHILD_IN_LAW.of(sex).to_owned(),
        Relation::SiblingInLaw => SIBLING_IN_LAW.of(sex).to_owned(),
        Relation::StepParent => STEP_PARENT.of(sex).to_owned(),
        Relation::StepChild => STEP_CHILD.of(sex).to_owned(),
    }
}

fn kin(Generations { up, down, half }: Generations, sex: Sex) -> String {
    let prefix = if half { "half-" } else { "" };
    match (up, down) {
        // A person has no relationship to themselves.
        (0, 0) => "same person".to_owned(),
        (0, 1) => PARENT.of(sex).to_owned(),
        (0, _) => format!("{}{}", greats(down - 2), GRANDPARENT.of(sex)),
        (1, 0) => CHILD.of(sex).to_owned(),
        (_, 0) => format!("{}{}", greats(up - 2), GRANDCHILD.of(sex)),
        (1, 1) => format!("{prefix}{}", SIBLING.of(sex)),
        (1, _) => of_either_sex(&format!("{prefix}{}", greats(down - 2)), ["uncle", "aunt"], sex),
        (_, 1) => of_either_sex(&format!("{prefix}{}", greats(up - 2)), ["nephew", "niece"], sex),
        _ => cousin(up, down, half),
    }
}

/// A word that has no neutral form: both are named if the sex is not known.
fn of_either_sex(prefix: &str, [male, female]: [&str; 2], sex: Sex) -> String {
    match sex {
        Sex::Male => format!("{prefix}{male}"),
        Sex::Female => format!("{prefix}{female}"),
        Sex::Unknown => format!("{prefix}{female} or {prefix}{male}"),
    }
}

fn cousin(up: u32, down: u32, half: bool) -> String {
    let prefix = if half { "half " } else { "" };
    let degree = ordinal(up.min(down) - 1);
    match up.abs_diff(down) {
        0 => format!("{prefix}{degree} cousin"),
        1 => format!("{prefix}{degree} cousin once removed"),
        2 => format!("{prefix}{degree} cousin twice removed"),
        times => format!("{prefix}{degree} cousin {} times removed", cardinal(times)),
    }
}

fn greats(count: u32) -> String {
    match count {
        0..=MOST_GREATS => "great-".repeat(count as usize),
        _ => format!("{count} times great-"),
    }
}

fn cardinal(number: u32) -> String {
    const WORDS: [&str; 8] = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = number.checked_sub(3).and_then(|at| WORDS.get(at as usize));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

fn ordinal(number: u32) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let word = number.checked_sub(1).and_then(|at| WORDS.get(at as usize));
    word.map_or_else(|| format!("{number}{}", ending(number)), |word| (*word).to_owned())
}

/// The ending of an ordinal in figures: `21st`, `112th`.
fn ending(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (1, last) if last != 11 => "st",
        (2, last) if last != 12 => "nd",
        (3, last) if last != 13 => "rd",
        _ => "th",
    }
}
