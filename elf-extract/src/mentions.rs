//! The names of the living in texts about others.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The most words of a name that are looked for: of a longer one the first ones.
const MOST_WORDS: usize = 6;

/// An odd number that spreads the hashes of the words of a name.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A name as it is looked for in texts: the hash of its words, and how many they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameHash {
    words: u8,
    hash: u64,
}

/// The names of persons, to be looked for in texts: names of at least two words, in any case, with marks or
/// without; of one with more words the first and the last alone, and the first with the surname, too.
///
/// Names are known by their hashes. One that is taken for another costs nobody a secret: a text is reported
/// that need not be.
#[derive(Debug, Default)]
pub(crate) struct LivingNames {
    hashes: HashSet<u64>,
    /// True for the numbers of words that the names have.
    lengths: [bool; MOST_WORDS + 1],
}

impl LivingNames {
    pub(crate) fn of(names: impl Iterator<Item = NameHash>) -> LivingNames {
        let mut all = LivingNames::default();
        for NameHash { words, hash } in names {
            if let Some(known) = all.lengths.get_mut(usize::from(words)) {
                *known = true;
            }
            all.hashes.insert(hash);
        }
        all
    }

    /// Tells whether a text holds one of the names.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        if self.hashes.is_empty() {
            return false;
        }
        // The runs of words that end with the last one, the shortest first.
        let mut runs = [0_u64; MOST_WORDS];
        for (count, word) in (1..).zip(words(text)) {
            for length in (2..=MOST_WORDS).rev() {
                let shorter = runs.get(length - 2).copied().unwrap_or_default();
                if let Some(run) = runs.get_mut(length - 1) {
                    *run = run_with(shorter, word);
                    let is_asked = count >= length && self.lengths.get(length) == Some(&true);
                    if is_asked && self.hashes.contains(run) {
                        return true;
                    }
                }
            }
            let [one, ..] = &mut runs;
            *one = run_with(0, word);
        }
        false
    }
}

impl NameHash {
    /// The names that a payload of NAME is looked for by: its first words; the first and the last; and each
    /// of the words before the surname, which stands between slashes, with the surname.
    pub(crate) fn all_of(payload: &str) -> Vec<NameHash> {
        let all: Vec<u64> = words(payload).collect();
        let [first, .., last] = all[..] else { return Vec::new() };
        let mut names = vec![NameHash::of(&all), NameHash::of(&[first, last])];
        let mut parts = payload.splitn(3, '/');
        if let (Some(given), Some(surname)) = (parts.next(), parts.next()) {
            let surname: Vec<u64> = words(surname).collect();
            let given = if surname.is_empty() { Vec::new() } else { words(given).take(MOST_WORDS).collect() };
            for &one in &given {
                names.push(NameHash::of(&[&[one], &*surname].concat()));
                // Sources often have the surname first.
                names.push(NameHash::of(&[&*surname, &[one]].concat()));
            }
        }
        names.dedup();
        names
    }

    fn of(words: &[u64]) -> NameHash {
        let words = words.get(..MOST_WORDS).unwrap_or(words);
        let hash = words.iter().fold(0, |run, &word| run_with(run, word));
        NameHash { words: u8::try_from(words.len()).unwrap_or(u8::MAX), hash }
    }
}

/// The hash of a run of words and one more.
const fn run_with(run: u64, word: u64) -> u64 {
    run.wrapping_mul(SPREAD).wrapping_add(word)
}

/// Tells whether an identifier holds one of the words of a name, of at least three letters.
pub(crate) fn is_named_after(identifier: &str, name: &str) -> bool {
    let identifier: String = folded(identifier).collect();
    let words = name.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c));
    let mut words = words.map(|word| folded(word).collect::<String>());
    words.any(|word| word.chars().nth(2).is_some() && identifier.contains(&word))
}

/// The letters of a text as they are compared: small ones, without their marks, however those are written.
fn folded(text: &str) -> impl Iterator<Item = char> {
    text.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase)
}

/// The hashes of the words of a text, as letters are compared: letters, digits, and what joins them within a
/// word.
fn words(text: &str) -> impl Iterator<Item = u64> {
    let words = text.split(|c: char| !is_of_word(c)).filter(|word| word.chars().any(char::is_alphanumeric));
    words.map(|word| {
        let word = ["'s", "’s"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        let mut hasher = DefaultHasher::new();
        match word.is_ascii() {
            true => word.bytes().for_each(|octet| u32::from(octet.to_ascii_lowercase()).hash(&mut hasher)),
            false => folded(word).for_each(|c| u32::from(c).hash(&mut hasher)),
        }
        hasher.finish()
    })
}

/// Tells whether a character may be part of a word.
fn is_of_word(c: char) -> bool {
    match c {
        '\'' | '’' | '-' => true,
        '«' | '»' | '“' | '”' | '„' | '‚' | '‘' | '…' | '–' | '—' | '·' | '、' | '。' | '，' => {
            false
        }
        // Marks are no letters, and stand in words.
        _ => c.is_alphanumeric() || !c.is_ascii() && !c.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_words() {
        let names = [
            "Ada Augusta King",
            "Max",
            "Jean-Luc O'Neil",
            "Zoë Müller",
            "Dr. Eva /Lind/ Jr.",
            "María del Carmen de la Fuente López",
        ];
        let names = LivingNames::of(names.into_iter().flat_map(NameHash::all_of));
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
        ] {
            assert!(names.are_in(text), "{text}");
        }
        assert!(is_named_after("I_King42", "Ada /King/") && is_named_after("ZOËM", "Zoe\u{308} /M./"));
        assert!(!is_named_after("I1", "Ada /I1/") && !is_named_after("I00012", "Ada /King/"));
        for text in ["Max", "Ada", "Augusta King", "Kingsley Ada King-size", "Zoë and Müller", "King Ada", ""]
        {
            assert!(!names.are_in(text), "{text}");
        }
    }
}
