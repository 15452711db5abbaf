//! The names of hidden persons in texts about others.

use crate::names::NamesOfPerson;
use crate::words::{
    Word, composed, folded, hash, is_word_of_its_own, joined_without_markup, markup, percent_decoded,
    spellings, split_words, words,
};
use std::collections::{HashMap, HashSet, VecDeque};
use unicode_normalization::char::is_combining_mark;

/// The number of words of a name that are looked for: the first ones of a longer name.
const MOST_WORDS: usize = 6;

/// The most words from a given name to a surname, or back: `Peter, Anna and Eve Lee`.
const NEAR: usize = 12;

/// The most words from an initial to the surname: `A. M. Lee`.
const NEAR_INITIAL: usize = 3;

/// The least number of letters of a word of a name that is looked for in identifiers.
const LEAST_OF_IDENTIFIER: usize = 3;

/// An odd number that mixes the hashes of words.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The words of names that are titles or particles.
const PARTICLES: [&str; 40] = [
    "a", "al", "am", "and", "auf", "aus", "da", "de", "dei", "del", "della", "den", "der", "des", "di", "do",
    "dos", "dr", "du", "e", "el", "jr", "la", "las", "le", "les", "los", "miss", "mr", "mrs", "ms", "of",
    "sr", "st", "ten", "ter", "und", "van", "von", "y",
];

/// The hash of the words of a name, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameHash {
    words: usize,
    hash: u64,
}

/// The names of a person, as they are looked for in texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct PersonNames {
    whole: Vec<NameHash>,
    /// The words of the given names and nicknames, in small letters and without diacritics.
    given: Vec<Box<str>>,
    /// The words of the surnames.
    surnames: Vec<Box<str>>,
}

impl PersonNames {
    pub(crate) fn of(names: &NamesOfPerson) -> PersonNames {
        let words_of = |pieces: &[String]| -> Vec<Box<str>> {
            let mut words: Vec<Box<str>> = pieces.iter().flat_map(|piece| words_of_name(piece)).collect();
            words.sort();
            words.dedup();
            words
        };
        PersonNames {
            whole: names.whole.iter().flat_map(|name| NameHash::all_of(name)).collect(),
            given: words_of(&names.given),
            surnames: words_of(&names.surnames),
        }
    }

    /// The words of the surnames.
    pub(crate) fn surnames(&self) -> impl Iterator<Item = &str> {
        self.surnames.iter().map(|word| &**word)
    }
}

/// The words of a name in all spellings, without particles. The last word counts in any case: it is the name.
fn words_of_name(name: &str) -> Vec<Box<str>> {
    let name = composed(name);
    let all: Vec<&str> = split_words(&name).filter(|word| !word.contains(is_word_of_its_own)).collect();
    let mut words: Vec<Box<str>> = Vec::new();
    for (behind, word) in (0..all.len()).rev().zip(&all) {
        for spelling in spellings(word) {
            if behind == 0 && spelling.chars().nth(1).is_some() || !PARTICLES.contains(&spelling.as_str()) {
                words.push(spelling.into());
            }
        }
    }
    words
}

/// The roles of a word in the names that are looked for.
#[derive(Clone, Copy, Debug, Default)]
struct WordRoles {
    is_given: bool,
    is_surname: bool,
    /// True if a given name begins with this letter.
    is_initial: bool,
    /// True for a word of the own names of a person that is looked for in identifiers.
    is_of_identifier: bool,
}

/// The names of persons to look for in texts: in upper or lower case, with or without diacritics. A name is
/// found by its words in order, and by a given name, or its initial, near one of the surnames of the person or of
/// near relatives.
///
/// Names are compared by their hashes. If two names have the same hash, a text is reported without need.
#[derive(Debug, Default)]
pub(crate) struct LivingNames {
    hashes: HashSet<u64>,
    /// True for each number of words that a name has.
    lengths: [bool; MOST_WORDS + 1],
    roles: HashMap<u64, WordRoles>,
    /// A given name, or an initial, and a surname of one person.
    pairs: HashSet<(u64, u64)>,
    /// A given name and a surname written as one word, in either order.
    joined: HashSet<u64>,
}

/// A word of a text that is part of a name.
#[derive(Clone, Copy)]
struct FoundWord {
    /// The number of the word in the text.
    at: usize,
    hash: u64,
    roles: WordRoles,
    is_capitalised: bool,
    is_initial: bool,
}

impl LivingNames {
    /// Adds the names of a person, with the surnames of near relatives: a married woman is named after her husband,
    /// and a child of whom only the given name is known after the parents.
    pub(crate) fn add<'n>(&mut self, names: &'n PersonNames, of_relatives: impl Iterator<Item = &'n str>) {
        for &NameHash { words, hash } in &names.whole {
            // A name has at most `MOST_WORDS` words.
            self.lengths[words] = true;
            self.hashes.insert(hash);
        }
        let surnames: HashSet<&str> = names.surnames().chain(of_relatives).collect();
        for given in &names.given {
            let first: String = given.chars().take(1).collect();
            self.roles(given).is_given = true;
            self.roles(&first).is_initial = true;
            for &surname in surnames.iter().filter(|surname| **surname != &**given) {
                self.roles(surname).is_surname = true;
                self.pairs.insert((hash(given), hash(surname)));
                self.pairs.insert((hash(&first), hash(surname)));
                self.joined.insert(hash(&format!("{given}{surname}")));
                self.joined.insert(hash(&format!("{surname}{given}")));
            }
        }
        for word in names.given.iter().chain(&names.surnames) {
            self.roles(word).is_of_identifier |= word.chars().count() >= LEAST_OF_IDENTIFIER;
        }
    }

    fn roles(&mut self, word: &str) -> &mut WordRoles {
        self.roles.entry(hash(word)).or_default()
    }

    /// Returns whether a text contains one of the names: as it is; with or without its markup, since `<Max Strauss>`
    /// may be text or an element, and an element may be within a word; with `%20` for a blank; and with words
    /// written as one (`MaxStrauss`).
    pub(crate) fn are_in(&self, text: &str) -> bool {
        if self.hashes.is_empty() && self.pairs.is_empty() {
            return false;
        }
        let text = composed(text);
        let has_markup = text.contains(['<', '&']);
        self.are_in_words(words(&text, |_| None))
            || has_markup && self.are_in_words(words(&text, markup))
            || has_markup && self.are_in_plain(&joined_without_markup(&text))
            || percent_decoded(&text).is_some_and(|text| self.are_in_plain(&composed(&text)))
            || self.are_in_parts_of_words(&text)
    }

    /// Returns whether one of the names is in a text whose escapes are decoded.
    fn are_in_plain(&self, text: &str) -> bool {
        self.are_in_words(words(text, |_| None)) || self.are_in_parts_of_words(text)
    }

    /// Returns whether one of the names is in a text whose words are divided before capitals.
    fn are_in_parts_of_words(&self, text: &str) -> bool {
        let parts = split_words(text).flat_map(parts_of_word);
        self.are_in_words(parts.map(Word::of))
    }

    /// Returns whether an identifier contains a word of the own names of a person, of at least three letters.
    pub(crate) fn are_in_identifier(&self, identifier: &str) -> bool {
        let identifier = composed(identifier);
        let whole = split_words(&identifier);
        let parts = split_words(&identifier).flat_map(parts_of_word);
        whole.chain(parts).map(Word::of).any(|word| {
            let known = word.hashes().filter_map(|hash| self.roles.get(&hash));
            known.into_iter().any(|roles| roles.is_of_identifier)
        })
    }

    /// Returns whether one of the names is among these words.
    fn are_in_words(&self, words: impl Iterator<Item = Word>) -> bool {
        // The hashes of the runs of words that end with the current word, the shortest first.
        let mut runs = [0_u64; MOST_WORDS];
        let mut found: VecDeque<FoundWord> = VecDeque::new();
        for (count, word) in (1..).zip(words) {
            for length in (2..=MOST_WORDS).rev() {
                let run = run_with(runs[length - 2], word.hash());
                runs[length - 1] = run;
                if count >= length && self.lengths[length] && self.hashes.contains(&run) {
                    return true;
                }
            }
            runs[0] = run_with(0, word.hash());
            while found.front().is_some_and(|before| before.at + NEAR < count) {
                found.pop_front();
            }
            for hash in word.hashes() {
                if self.joined.contains(&hash) {
                    return true;
                }
                let Some(&roles) = self.roles.get(&hash) else { continue };
                let (is_capitalised, is_initial) = (word.is_capitalised(), word.is_initial());
                let this = FoundWord { at: count, hash, roles, is_capitalised, is_initial };
                if found.iter().any(|before| self.are_one_name(*before, this)) {
                    return true;
                }
                found.push_back(this);
            }
        }
        false
    }

    /// Returns whether two words near each other are the given name and the surname of one person.
    fn are_one_name(&self, first: FoundWord, second: FoundWord) -> bool {
        let is_pair = |given: FoundWord, surname: FoundWord, most_between: usize| {
            let is_near = surname.is_capitalised && second.at - first.at <= most_between;
            let is_given = match given.is_initial {
                true => given.roles.is_initial && is_near,
                false => given.roles.is_given,
            };
            is_given && surname.roles.is_surname && self.pairs.contains(&(given.hash, surname.hash))
        };
        is_pair(first, second, NEAR_INITIAL) || is_pair(second, first, 1)
    }
}

/// The parts of a word that begin with capitals, without digits: `AnnaLee`, `FLee`, `Lee1`.
fn parts_of_word(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut before: Option<char> = None;
        let mut letters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            let begins = |before: char| {
                letter.is_uppercase() && (before.is_lowercase() || next.is_some_and(char::is_lowercase))
            };
            if letter.is_ascii_digit() || before.is_some_and(begins) {
                end = at;
                break;
            }
            before = Some(letter);
        }
        let (part, behind) = rest.split_at(end);
        rest = behind;
        (!part.is_empty()).then_some(part)
    })
}

impl NameHash {
    /// The names to look for, from a payload of NAME: its first words; the first and the last word; and each
    /// given name with the surname, which is between slashes.
    pub(crate) fn all_of(payload: &str) -> Vec<NameHash> {
        let payload = composed(payload);
        let words = |text| words(text, |_| None).map(|word| word.hash());
        let all: Vec<u64> = words(&payload).collect();
        let [first, .., last] = all[..] else { return Vec::new() };
        let mut names = vec![NameHash::of(&all)];
        // Two of the characters of a Chinese name are not a name.
        let is_spelt = !payload.contains(is_word_of_its_own);
        if is_spelt {
            names.push(NameHash::of(&[first, last]));
        }
        let mut parts = payload.splitn(3, '/');
        if let (Some(given), Some(surname)) = (parts.next(), parts.next()) {
            let mut given: Vec<u64> = words(given).collect();
            if given.is_empty() {
                given.extend(words(parts.next().unwrap_or_default()));
            }
            let surname: Vec<u64> = words(surname).collect();
            // The surname often comes first.
            names.push(NameHash::of(&[&*surname, &*given].concat()));
            names.push(NameHash::of(&[&*given, &*surname].concat()));
            if is_spelt && !surname.is_empty() {
                for &one in given.iter().take(MOST_WORDS) {
                    names.push(NameHash::of(&[&[one], &*surname].concat()));
                    names.push(NameHash::of(&[&*surname, &[one]].concat()));
                }
            }
        }
        names.retain(|name| name.words > 1);
        names.sort_by_key(|name| name.hash);
        names.dedup();
        names
    }

    fn of(words: &[u64]) -> NameHash {
        let words = &words[..words.len().min(MOST_WORDS)];
        let hash = words.iter().fold(0, |run, &word| run_with(run, word));
        NameHash { words: words.len(), hash }
    }
}

/// The hash of a run of words and one more.
const fn run_with(run: u64, word: u64) -> u64 {
    run.wrapping_mul(SPREAD).wrapping_add(word)
}

/// Returns whether an identifier contains a word of a name that has at least three letters.
pub(crate) fn is_named_after(identifier: &str, name: &str) -> bool {
    let identifier: String = folded(identifier).collect();
    let words = name.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c));
    let mut words = words.map(|word| folded(word).collect::<String>());
    words.any(|word| word.chars().nth(2).is_some() && identifier.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> PersonNames {
        let mut pieces = NamesOfPerson { whole: vec![name.to_owned()], ..NamesOfPerson::default() };
        let mut parts = name.splitn(3, '/');
        if let (Some(given), Some(surname)) = (parts.next(), parts.next()) {
            pieces.given.push(given.to_owned());
            pieces.surnames.push(surname.to_owned());
        }
        PersonNames::of(&pieces)
    }

    #[test]
    fn names_are_found_as_words() {
        let names = [
            "Ada Augusta King",
            "Max",
            "Jean-Luc O'Neil",
            "Zoë Müller",
            "Dr. Eva /Lind/ Jr.",
            "María del Carmen de la Fuente López",
            "Max /Strauss/",
            "Sean /O'Brien/",
            "Jean-Luc /Picard/",
            "Uwe /Strauß-Berg/",
            "/王/小明",
            "김 /철수/",
        ];
        let mut living = LivingNames::default();
        for name in names {
            living.add(&named(name), std::iter::empty());
        }
        let names = living;
        for text in [
            "see Ada Augusta King.",
            "ADA KING's letter is lost; ADA KING wrote",
            "told by (Jean-Luc O'Neil)",
            "„Zoë Müller“ said",
            "Ada /King/",
            "to Eva Lind",
            "María López",
            "mari\u{301}a lope\u{301}z, MARIA LOPEZ",
            "Lind, Eva",
            "Ada Augusta King's house",
            "'Max Strauss' told",
            "Max Strauss' Haus, Max Strauss’ Haus",
            "‘Max Strauss’",
            "Max 'Strauss'",
            "Max-Strauss",
            "-Max Strauss- (died)",
            "Sean O’Brien",
            "sean o brien",
            "Jean Luc Picard",
            "jean‐luc picard",
            "uwe STRAUSS BERG",
            "Max <b>Strauss</b>",
            "Max&nbsp;Strauss",
            "Max <a href=\"x\">Strauss</a>",
            "Max <Strauss",
            "asked <Max Strauss>",
            "<p title='Max Strauss'>",
            "Max & Strauss",
            "Ma\u{AD}x Strauss",
            "据说王小明还在",
            "小明王",
            "김철수는",
            "\u{1100}\u{1175}\u{11B7}\u{110E}\u{1165}\u{11AF}\u{1109}\u{116E}",
        ] {
            assert!(names.are_in(text), "{text}");
        }
        assert!(is_named_after("I_King42", "Ada /King/") && is_named_after("ZOËM", "Zoe\u{308} /M./"));
        assert!(!is_named_after("I1", "Ada /I1/") && !is_named_after("I00012", "Ada /King/"));
        for text in [
            "Max",
            "Ada",
            "Augusta King",
            "Kingsley Ada Kingsize",
            "Zoë and Müller",
            "King Ada",
            "O'Brien",
            "王明",
            "王小",
            "<b>&#;&",
            "",
        ] {
            assert!(!names.are_in(text), "{text}");
        }
    }
}
