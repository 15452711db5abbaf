//! What octets are, judged by themselves.
//!
//! UTF-8 proves itself: text of another encoding is hardly ever valid by chance. Encodings of one octet a character
//! are told apart by what they would make of names and places: in the right one, most octets from 80 are accented letters
//! in the middle of words, in the right case; in a wrong one, many are signs there, or capitals, or nothing.

use crate::Encoding;
use crate::ansel;
use crate::pages::Page;
use unicode_normalization::char::compose;

/// What octets seem to be, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) encoding: Encoding,
    /// A clause, such as `the octets are valid UTF-8`.
    pub(crate) reason: String,
}

/// Judges octets that start with one that is not ASCII. `to_end` says whether the file ends with them.
pub(crate) fn judge(window: &[u8], to_end: bool) -> Verdict {
    if let Some(verdict) = judge_utf8(count_utf8(window, to_end)) {
        return verdict;
    }
    let (encoding, _) = Scores::of(window).best();
    Verdict { encoding, reason: format!("the octets are not UTF-8 and read best as {encoding}") }
}

/// The verdict where octets are UTF-8, but for few faults perhaps.
fn judge_utf8((characters, faults): (usize, usize)) -> Option<Verdict> {
    let reason = match faults {
        0 => "the octets are valid UTF-8".to_owned(),
        _ if characters >= 4 * faults => {
            format!("the octets are UTF-8 with few faults: {faults}, and {characters} characters")
        }
        _ => return None,
    };
    Some(Verdict { encoding: Encoding::Utf8, reason })
}

/// Whether octets read badly in the encoding they are said to be in, and well in another: which, and by what.
pub(crate) fn contradicts(window: &[u8], to_end: bool, said: Encoding) -> Option<Verdict> {
    let counts = count_utf8(window, to_end);
    if let Some(verdict) = judge_utf8(counts) {
        return (counts.1 == 0).then_some(verdict);
    }
    let scores = Scores::of(window);
    let (encoding, score) = scores.best();
    // Far enough apart that a name or two cannot decide it.
    let badly = scores.score(family(said))? < 0 && family(said) != encoding;
    (badly && score >= 8)
        .then(|| Verdict { encoding, reason: format!("the octets read better as {encoding}") })
}

/// What kind of file this is, where it starts like one that is none of ours.
pub(crate) fn foreign(octets: &[u8]) -> Option<&'static str> {
    let start = octets.get(..64).unwrap_or(octets);
    if start.trim_ascii_start().starts_with(b"<") {
        return Some("it looks like HTML or XML: a page saved in place of the file?");
    }
    let signatures: [(&[u8], &'static str); 7] = [
        (b"PK\x03\x04", "it looks like a ZIP archive: the file may be inside"),
        (b"\x1F\x8B", "it looks like a gzip archive: the file may be inside"),
        (b"\xF0\x40\xC8\xC5\xC1\xC4", "it looks like EBCDIC, which is not read"),
        (b"\x00\x00\xFE\xFF", "it looks like UTF-32, which is not read"),
        (b"\xFF\xFE\x00\x00", "it looks like UTF-32, which is not read"),
        (b"\x00\x00\x000", "it looks like UTF-32, which is not read"),
        (b"0\x00\x00\x00", "it looks like UTF-32, which is not read"),
    ];
    signatures.into_iter().find(|(signature, _)| start.starts_with(signature)).map(|(_, what)| what)
}

/// How many characters of several octets, and how many faults, octets have as UTF-8.
fn count_utf8(window: &[u8], to_end: bool) -> (usize, usize) {
    let (mut characters, mut faults) = (0, 0);
    let mut rest = window.len();
    for chunk in window.utf8_chunks() {
        characters += chunk.valid().bytes().filter(|octet| *octet >= 0xC0).count();
        rest -= chunk.valid().len() + chunk.invalid().len();
        let cut_off = rest == 0 && !to_end && chunk.invalid().first().is_some_and(|octet| *octet >= 0xC0);
        faults += usize::from(!chunk.invalid().is_empty() && !cut_off);
    }
    (characters, faults)
}

/// The encodings that are told apart, the likeliest first.
const CANDIDATES: [Encoding; 4] =
    [Encoding::Windows1252, Encoding::Ansel, Encoding::Cp437, Encoding::Macintosh];

/// The candidate that has the letters of an encoding at the same octets.
const fn family(encoding: Encoding) -> Encoding {
    match encoding {
        Encoding::Iso8859_1 | Encoding::Iso8859_15 => Encoding::Windows1252,
        Encoding::Cp850 => Encoding::Cp437,
        other => other,
    }
}

/// How well octets read in each of the candidates.
struct Scores([i64; CANDIDATES.len()]);

impl Scores {
    /// Looks at every octet that is not ASCII once.
    fn of(window: &[u8]) -> Scores {
        let letters = CANDIDATES.map(letters);
        let mut scores = Scores([0; CANDIDATES.len()]);
        let mut at = 0;
        while let Some(rest) = window.get(at..) {
            at += encoding_rs::Encoding::ascii_valid_up_to(rest);
            let Some(octet) = window.get(at) else { break };
            if in_row(window, at) {
                at += 1;
                continue;
            }
            let after = window.get(at + 1..).unwrap_or_default();
            let before = at.checked_sub(1).and_then(|at| window.get(at));
            let ascii = |octet: Option<&u8>| octet.filter(|octet| octet.is_ascii()).copied().map(char::from);
            let near = Near { before: ascii(before), after: ascii(after.first()) };
            for ((encoding, letters), score) in CANDIDATES.iter().zip(&letters).zip(&mut scores.0) {
                *score += match ansel::mark(*octet).filter(|_| *encoding == Encoding::Ansel) {
                    Some(mark) => score_of_mark(mark, after),
                    None => letters.get(usize::from(octet & 0x7F)).map_or(0, |shape| score_of(*shape, near)),
                };
            }
            at += 1;
        }
        scores
    }

    /// The candidate of the highest score, and its score. Octets that tell nothing are taken for the first.
    fn best(&self) -> (Encoding, i64) {
        let [first, rest @ ..] = self.0;
        let mut best = (CANDIDATES[0], first);
        for (encoding, score) in CANDIDATES.into_iter().skip(1).zip(rest) {
            if score > best.1 {
                best = (encoding, score);
            }
        }
        best
    }

    /// The score of a candidate.
    fn score(&self, encoding: Encoding) -> Option<i64> {
        CANDIDATES.iter().zip(self.0).find(|(candidate, _)| **candidate == encoding).map(|(_, score)| score)
    }
}

/// Whether the octet is one of at least three with a letter between each two. Such a row, as files for testing have it,
/// goes through an alphabet; it is no word, so what it looks like tells nothing.
fn in_row(window: &[u8], at: usize) -> bool {
    let pair = |at: Option<usize>| {
        let pair = at.and_then(|at| window.get(at..at + 3));
        matches!(pair, Some([one, letter, other]) if !one.is_ascii() && letter.is_ascii_alphabetic() && !other.is_ascii())
    };
    match (pair(at.checked_sub(2)), pair(Some(at))) {
        (true, true) => true,
        (true, false) => pair(at.checked_sub(4)),
        (false, true) => pair(Some(at + 2)),
        (false, false) => false,
    }
}

/// What the octets from 80 are in an encoding.
fn letters(encoding: Encoding) -> [Shape; 128] {
    let page = Page::of(encoding, false);
    let mut letters = [Shape::None; 128];
    for (octet, shape) in (0x80..=u8::MAX).zip(&mut letters) {
        *shape = Shape::of(match encoding {
            Encoding::Ansel => ansel::letter(octet),
            _ => page.character(octet),
        });
    }
    letters
}

/// What kind of character it is, as far as that says how well it fits between others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// None at all, or a control.
    None,
    /// A mark of punctuation that texts are full of.
    Apostrophe,
    Punctuation,
    /// Another sign.
    Sign,
    /// A letter. Whether it is a capital, one that Western names are full of, and one that vowels follow.
    Letter {
        capital: bool,
        common: bool,
        consonant: bool,
    },
}

impl Shape {
    fn of(character: Option<char>) -> Shape {
        /// The letters that Western names are full of, beyond ASCII, in lower case.
        const COMMON: &str = "áàâäãåæéèêëíìîïóòôöõøœúùûüýÿñçßšžł";
        let Some(c) = character.filter(|c| !c.is_control()) else { return Shape::None };
        match c {
            '’' => Shape::Apostrophe,
            '‘' | '“' | '”' | '–' | '—' | '…' => Shape::Punctuation,
            _ if !c.is_alphabetic() => Shape::Sign,
            _ => {
                let lower = c.to_lowercase().next().unwrap_or(c);
                Shape::Letter {
                    capital: c.is_uppercase(),
                    common: COMMON.contains(lower),
                    consonant: matches!(lower, 'ñ' | 'ç' | 'ß' | 'š' | 'ž' | 'ł'),
                }
            }
        }
    }
}

/// The ASCII characters on both sides.
#[derive(Clone, Copy)]
struct Near {
    before: Option<char>,
    after: Option<char>,
}

/// How well a character fits between its neighbours.
fn score_of(shape: Shape, near: Near) -> i64 {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    let in_word = letter(near.before) || letter(near.after);
    let inside = letter(near.before) && letter(near.after);
    match shape {
        Shape::None => -3,
        Shape::Apostrophe if inside => 1,
        Shape::Apostrophe | Shape::Punctuation if !inside => 1,
        Shape::Apostrophe | Shape::Punctuation | Shape::Sign => {
            if inside {
                -2
            } else {
                0
            }
        }
        Shape::Letter { .. } if !in_word => 0,
        Shape::Letter { capital: true, .. } if near.before.is_some_and(|c| c.is_ascii_lowercase()) => -2,
        Shape::Letter { common: false, .. } => -1,
        // An accented vowel before a vowel is rare; in ANSEL it is a mark before its letter.
        Shape::Letter { consonant: false, .. } if near.after.is_some_and(is_vowel) => 0,
        Shape::Letter { .. } => 2,
    }
}

/// How well a mark of ANSEL fits the octets after it.
fn score_of_mark(mark: char, after: &[u8]) -> i64 {
    let base = after.iter().find(|octet| ansel::mark(**octet).is_none()).copied().map(char::from);
    match base.filter(char::is_ascii_alphabetic) {
        Some(base) if compose(base, mark).is_some() => 1 + i64::from(is_vowel(base)),
        _ => -2,
    }
}

fn is_vowel(c: char) -> bool {
    matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_through_an_alphabet_tells_nothing() {
        let row = b"\xE0A\xE0B\xE0C\xE0D\xE0E\xE0F\xE0G\xE0H \xE0a\xE0b\xE0c\xE0d\xE0f\xE0g\xE0h";
        assert_eq!(Scores::of(row).0, [0; 4]);
        assert_eq!(contradicts(row, true, Encoding::Ansel), None);
        // Two are a word: what ANSEL writes as a mark before its letter stands before a consonant here.
        assert!(Scores::of(b"H\xE9l\xE8ne").best().1 > 0);
        let names = b"Jos\xE9 Ren\xE9 Andr\xE9 Fran\xE7ois Mu\xF1oz";
        assert_eq!(
            contradicts(names, true, Encoding::Ansel).map(|verdict| verdict.encoding),
            Some(Encoding::Windows1252)
        );
    }
}
