//! Finds people who are probably the same, in one file or between two sets of files.
//!
//! The method is that of Fellegi and Sunter. Pairs of people that share a key, such as the sound of
//! the surname and an initial, are compared field by field (`blocks`). Each field that agrees adds
//! evidence, in bits, and each field that differs subtracts some. The evidence is the logarithm of
//! a ratio: how much more often the field agrees in two records of the same person than in records
//! of two people (`weights`). A rare surname is more evidence than a common one. The score, from 0
//! to 1, follows from the sum. It is for ordering pairs. It is not a probability, because the
//! weights are not calibrated, and because the fields are not independent.

mod blocks;
mod compare;
mod dates;
mod nicknames;
mod person;
mod weights;

pub use compare::MatchField;
pub use person::MatchPerson;

use crate::view::LineageView;
use weights::Weights;

/// Matches people of one or two files.
///
/// ```
/// use elf_lineage::{Lineage, LineageView, MatchSide, PersonMatcher};
/// use elf_schema::{ReadOptions, Rules};
///
/// let file = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Karl /Müller/\n1 BIRT\n2 DATE 3 MAR 1850\n0 @I2@ INDI\n\
///     1 NAME Carl /Mueller/\n1 BIRT\n2 DATE ABT 1850\n0 @I3@ INDI\n1 NAME Max /Müller/\n0 TRLR\n";
/// let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let lineage = Lineage::of(&typed);
/// let mut matcher = PersonMatcher::default();
/// matcher.add(MatchSide::A, 0, &LineageView::new(&lineage, &typed));
/// let found = matcher.matches(0.8);
/// assert_eq!(found.len(), 1);
/// assert_eq!(matcher.person(found[0].a).identifier.as_deref(), Some("I1"));
/// assert_eq!(matcher.person(found[0].b).identifier.as_deref(), Some("I2"));
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PersonMatcher {
    persons: Vec<MatchPerson>,
    /// Whether the people of one side are only compared with those of the other.
    has_two_sides: bool,
}

/// The side of a file in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchSide {
    /// The first side. If there are no files on the second side, its people are compared with each
    /// other.
    A,
    /// The second side.
    B,
}

/// Two records that are probably of the same person.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PersonMatch {
    /// The number of the first person in the [`PersonMatcher`].
    pub a: usize,
    /// The number of the second person.
    pub b: usize,
    /// How much supports that they are the same, from 0 to 1 with four decimals. It is for ordering pairs and is not a
    /// probability.
    pub score: f64,
    /// The fields that are equal, apart from case, accents and words such as `von` before a
    /// surname.
    pub agree: Vec<MatchField>,
    /// The fields that are not equal but support that the people are the same, such as a birth
    /// `ABT 1850` and a birth `3 MAR 1850`, or a surname that one of them has by marriage.
    pub similar: Vec<MatchField>,
    /// The other fields that both people have.
    pub differ: Vec<MatchField>,
}

impl PersonMatcher {
    /// Adds the people of a file. The caller chooses the number `file`.
    pub fn add(&mut self, side: MatchSide, file: usize, view: &LineageView<'_, '_>) {
        self.has_two_sides |= side == MatchSide::B;
        self.persons.extend(MatchPerson::all_of(side, file, view));
    }

    /// Returns all people, in the order in which they were added.
    pub fn persons(&self) -> &[MatchPerson] {
        &self.persons
    }

    /// Returns a person.
    ///
    /// # Panics
    ///
    /// Panics if no person has this number.
    pub fn person(&self, number: usize) -> &MatchPerson {
        &self.persons[number]
    }

    /// Finds the pairs with at least this score. The best come first; pairs with the same score are
    /// in the order of the files.
    ///
    /// People whose name is a placeholder, such as `Living`, are left out. So are pairs of one file
    /// that are partners, parent and child, parent-in-law and child-in-law, or siblings with
    /// different given names.
    pub fn matches(&self, at_least: f64) -> Vec<PersonMatch> {
        let weights = Weights::of(&self.persons, self.has_two_sides);
        let pairs = blocks::candidate_pairs(&self.persons, self.has_two_sides);
        self.match_pairs(&weights, pairs, at_least)
    }

    /// Finds the pairs of one person with at least this score. The pairs are those that
    /// [`matches`](PersonMatcher::matches) may find, but the person is always `a`, and is compared
    /// with all people.
    pub fn matches_of(&self, person: usize, at_least: f64) -> Vec<PersonMatch> {
        let weights = Weights::of(&self.persons, self.has_two_sides);
        let others = (0..self.persons.len()).filter(|other| self.pair_of(person, *other).is_some());
        let pairs = others.map(|other| blocks::Pair { a: person, b: other }).collect();
        self.match_pairs(&weights, pairs, at_least)
    }

    fn match_pairs(&self, weights: &Weights, pairs: Vec<blocks::Pair>, at_least: f64) -> Vec<PersonMatch> {
        let is_possible = |pair: &blocks::Pair| {
            let (one, other) = (&self.persons[pair.a], &self.persons[pair.b]);
            !compare::are_different_people(one, other, weights)
        };
        let found = pairs.into_iter().filter(is_possible).map(|pair| self.match_of_pair(weights, pair));
        let mut found: Vec<PersonMatch> = found.filter(|found| found.score >= at_least).collect();
        found.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then((one.a, one.b).cmp(&(other.a, other.b)))
        });
        found
    }

    /// Compares the given pairs, whatever their score.
    pub fn compare(&self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Vec<PersonMatch> {
        let weights = Weights::of(&self.persons, self.has_two_sides);
        pairs.into_iter().map(|(a, b)| self.match_of_pair(&weights, blocks::Pair { a, b })).collect()
    }

    /// Returns two people in the order in which [`matches`](PersonMatcher::matches) returns them,
    /// or `None` if these two are never compared.
    pub fn pair_of(&self, one: usize, other: usize) -> Option<(usize, usize)> {
        let (first, second) = (one.min(other), one.max(other));
        let is_a = |number: usize| self.persons.get(number).map(|person| person.side == MatchSide::A);
        match (self.has_two_sides, is_a(first)?, is_a(second)?) {
            _ if first == second => None,
            (false, ..) | (true, true, false) => Some((first, second)),
            (true, false, true) => Some((second, first)),
            (true, true, true) | (true, false, false) => None,
        }
    }

    fn match_of_pair(&self, weights: &Weights, pair: blocks::Pair) -> PersonMatch {
        let evidence = compare::compare_persons(&self.persons[pair.a], &self.persons[pair.b], weights);
        let score = (evidence.score() * 10_000.0).round() / 10_000.0;
        let compare::Evidence { agree, similar, differ, .. } = evidence;
        PersonMatch { a: pair.a, b: pair.b, score, agree, similar, differ }
    }
}
