//! English names of relationships.

use super::{Generations, Relation, Relationship, RelationshipKind};
use crate::run::Sex;

/// The words for a man, a woman, and a person of unknown sex.
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

/// The maximum number of times that `great-` is repeated.
const MAX_GREATS: u32 = 8;

pub(super) fn name_relationship(relationship: &Relationship, sex: Sex) -> String {
    match relationship.relation {
        Relation::Kin(generations) => {
            let prefix = match (relationship.kind, generations.up, generations.down) {
                (RelationshipKind::Adoptive, 1, 0) => "adopted ",
                (RelationshipKind::Adoptive, ..) => "adoptive ",
                (RelationshipKind::Foster, ..) => "foster ",
                (
                    RelationshipKind::Blood
                    | RelationshipKind::Uncertain
                    | RelationshipKind::Marriage
                    | RelationshipKind::Step,
                    ..,
                ) => "",
            };
            format!("{prefix}{}", name_blood_relation(generations, sex))
        }
        Relation::Spouse => SPOUSE.of(sex).to_owned(),
        Relation::ParentInLaw => PARENT_IN_LAW.of(sex).to_owned(),
        Relation::ChildInLaw => CHILD_IN_LAW.of(sex).to_owned(),
        Relation::SiblingInLaw => SIBLING_IN_LAW.of(sex).to_owned(),
        Relation::StepParent => STEP_PARENT.of(sex).to_owned(),
        Relation::StepChild => STEP_CHILD.of(sex).to_owned(),
    }
}

fn name_blood_relation(Generations { up, down, half }: Generations, sex: Sex) -> String {
    let prefix = if half { "half-" } else { "" };
    match (up, down) {
        // A person has no relationship to themselves.
        (0, 0) => "same person".to_owned(),
        (0, 1) => PARENT.of(sex).to_owned(),
        (0, _) => format!("{}{}", repeat_great(down - 2), GRANDPARENT.of(sex)),
        (1, 0) => CHILD.of(sex).to_owned(),
        (_, 0) => format!("{}{}", repeat_great(up - 2), GRANDCHILD.of(sex)),
        (1, 1) => format!("{prefix}{}", SIBLING.of(sex)),
        (1, _) => choose_word(&format!("{prefix}{}", repeat_great(down - 2)), ["uncle", "aunt"], sex),
        (_, 1) => choose_word(&format!("{prefix}{}", repeat_great(up - 2)), ["nephew", "niece"], sex),
        _ => name_cousin(up, down, half),
    }
}

/// Returns a word that has no neutral form. If the sex is unknown, both forms are named.
fn choose_word(prefix: &str, [male, female]: [&str; 2], sex: Sex) -> String {
    match sex {
        Sex::Male => format!("{prefix}{male}"),
        Sex::Female => format!("{prefix}{female}"),
        Sex::Unknown => format!("{prefix}{female} or {prefix}{male}"),
    }
}

fn name_cousin(up: u32, down: u32, half: bool) -> String {
    let prefix = if half { "half " } else { "" };
    let degree = spell_ordinal(up.min(down) - 1);
    match up.abs_diff(down) {
        0 => format!("{prefix}{degree} cousin"),
        1 => format!("{prefix}{degree} cousin once removed"),
        2 => format!("{prefix}{degree} cousin twice removed"),
        times => format!("{prefix}{degree} cousin {} times removed", spell_number(times)),
    }
}

fn repeat_great(count: u32) -> String {
    match count {
        0..=MAX_GREATS => "great-".repeat(count as usize),
        _ => format!("{count} times great-"),
    }
}

fn spell_number(number: u32) -> String {
    const WORDS: [&str; 8] = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = number.checked_sub(3).and_then(|at| WORDS.get(at as usize));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

fn spell_ordinal(number: u32) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let word = number.checked_sub(1).and_then(|at| WORDS.get(at as usize));
    word.map_or_else(|| format!("{number}{}", ordinal_suffix(number)), |word| (*word).to_owned())
}

/// Returns the suffix of an ordinal in figures: `21st`, `112th`.
fn ordinal_suffix(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (1, last) if last != 11 => "st",
        (2, last) if last != 12 => "nd",
        (3, last) if last != 13 => "rd",
        _ => "th",
    }
}
