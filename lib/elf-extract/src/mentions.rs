//! The names of hidden persons in texts about others.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter::from_fn;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The number of words of a name that are looked for: the first ones of a longer name.
const MOST_WORDS: usize = 6;

/// The length of the longest markup element or character reference, in characters.
const LONGEST_MARKUP: usize = 200;

/// An odd number that mixes the hashes of words.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of the words of a name, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameHash {
    words: usize,
    hash: u64,
}

/// The names of persons to look for in texts: names of at least two words, in upper or lower case, with or
/// without diacritics. Longer names are also found by the first and the last word, and by the first word and
/// the surname.
///
/// Names are compared by their hashes. If two names have the same hash, a text is reported without need.
#[derive(Debug, Default)]
pub(crate) struct LivingNames {
    hashes: HashSet<u64>,
    /// True for each number of words that a name has.
    lengths: [bool; MOST_WORDS + 1],
}

impl LivingNames {
    pub(crate) fn of(names: impl Iterator<Item = NameHash>) -> LivingNames {
        let mut all = LivingNames::default();
        for NameHash { words, hash } in names {
            // A name has at most `MOST_WORDS` words.
            all.lengths[words] = true;
            all.hashes.insert(hash);
        }
        all
    }

    /// Tells whether a text contains one of the names, with or without its markup: `<Max Strauss>` may be text
    /// or an element.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        if self.hashes.is_empty() {
            return false;
        }
        let text = composed(text);
        self.are_among(words(&text, |_| None))
            || text.contains(['<', '&']) && self.are_among(words(&text, markup))
    }

    /// Tells whether one of the names is among these words.
    fn are_among(&self, words: impl Iterator<Item = u64>) -> bool {
        // The hashes of the runs of words that end with the current word, the shortest first.
        let mut runs = [0_u64; MOST_WORDS];
        for (count, word) in (1..).zip(words) {
            for length in (2..=MOST_WORDS).rev() {
                let run = run_with(runs[length - 2], word);
                runs[length - 1] = run;
                if count >= length && self.lengths[length] && self.hashes.contains(&run) {
                    return true;
                }
            }
            runs[0] = run_with(0, word);
        }
        false
    }
}

impl NameHash {
    /// The names to look for, from a payload of NAME: its first words; the first and the last word; and each
    /// given name with the surname, which is between slashes.
    pub(crate) fn all_of(payload: &str) -> Vec<NameHash> {
        let payload = composed(payload);
        let words = |text| words(text, |_| None);
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

/// Tells whether an identifier contains a word of a name that has at least three letters.
pub(crate) fn is_named_after(identifier: &str, name: &str) -> bool {
    let identifier: String = folded(identifier).collect();
    let words = name.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c));
    let mut words = words.map(|word| folded(word).collect::<String>());
    words.any(|word| word.chars().nth(2).is_some() && identifier.contains(&word))
}

/// The letters of a text for comparing: without diacritics and in one case; `ß` has two capitals.
fn folded(text: &str) -> impl Iterator<Item = char> {
    let letters = text.nfd().filter(|c| !is_combining_mark(*c) && !is_ignored(*c));
    letters.flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// A text in composed form, so that words are divided in the same places in every form.
fn composed(text: &str) -> Cow<'_, str> {
    match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfc().collect()),
    }
}

/// The hashes of the words of a text.
///
/// Apostrophes and hyphens divide words, since they are also used as quotation marks and left out at will:
/// `O'Brien`, `O’Brien`, `Jean-Luc`, `Jean Luc`, `Strauss'`. At a `<` or `&`, `skipped` returns the number of
/// bytes to skip.
fn words(text: &str, skipped: impl Fn(&str) -> Option<usize>) -> impl Iterator<Item = u64> {
    let mut rest = text;
    from_fn(move || {
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '<' | '&' => skipped(rest),
                c if is_word_of_its_own(c) => return Some(hash(take(&mut rest, first.len_utf8()))),
                c if is_of_word(c) => {
                    let end = rest.find(|c| !is_of_word(c) || is_word_of_its_own(c)).unwrap_or(rest.len());
                    let word = take(&mut rest, end);
                    if word.chars().any(char::is_alphanumeric) {
                        return Some(hash(word));
                    }
                    continue;
                }
                _ => None,
            };
            take(&mut rest, length.unwrap_or(first.len_utf8()));
        }
        None
    })
}

/// Removes bytes from the start of a text, and returns them.
fn take<'t>(rest: &mut &'t str, octets: usize) -> &'t str {
    let (taken, left) = rest.split_at(octets);
    *rest = left;
    taken
}

/// The length of the HTML element or character reference at the start of a text: some programs write notes in
/// HTML.
fn markup(text: &str) -> Option<usize> {
    let mut inner = text.char_indices().skip(1).take(LONGEST_MARKUP).peekable();
    let (_, second) = *inner.peek()?;
    if text.starts_with('<') {
        let end = inner.find(|(_, c)| matches!(c, '<' | '>'));
        return end
            .filter(|(_, c)| *c == '>' && (second == '/' || second.is_ascii_alphabetic()))
            .map(|(at, _)| at + 1);
    }
    let end = inner.find(|(_, c)| !c.is_ascii_alphanumeric() && *c != '#');
    end.filter(|(_, c)| *c == ';').map(|(at, _)| at + 1)
}

/// The hash of a word, without case and diacritics.
fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    match word.is_ascii() {
        true => word.bytes().for_each(|octet| u32::from(octet.to_ascii_lowercase()).hash(&mut hasher)),
        false => folded(word).for_each(|c| u32::from(c).hash(&mut hasher)),
    }
    hasher.finish()
}

/// Tells whether a character may be part of a word: a letter, a digit or a combining mark.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || !c.is_ascii() && (is_combining_mark(c) || is_ignored(c))
}

/// Tells whether a character is invisible: soft hyphens, joiners, direction marks.
const fn is_ignored(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// Tells whether a character belongs to a script without spaces between words: Han, Kana and Hangul.
const fn is_word_of_its_own(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
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
            "Max /Strauss/",
            "Sean /O'Brien/",
            "Jean-Luc /Picard/",
            "Uwe /Strauß-Berg/",
            "/王/小明",
            "김 /철수/",
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
