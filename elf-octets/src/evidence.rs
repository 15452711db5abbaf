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
    let (characters, faults) = count_utf8(window, to_end);
    if faults == 0 {
        return Verdict { encoding: Encoding::Utf8, reason: "the octets are valid UTF-8".to_owned() };
    }
    if characters >= 4 * faults {
        let reason = format!("the octets are UTF-8 with few faults: {faults}, and {characters} characters");
        return Verdict { encoding: Encoding::Utf8, reason };
    }
    let (encoding, _) = best(window);
    Verdict { encoding, reason: format!("the octets are not UTF-8 and read best as {encoding}") }
}

/// Whether octets read badly in the encoding they are said to be in, and well in another: which, and by what.
pub(crate) fn contradicts(window: &[u8], to_end: bool, said: Encoding) -> Option<Verdict> {
    let verdict = judge(window, to_end);
    if verdict.encoding == Encoding::Utf8 {
        return (count_utf8(window, to_end).1 == 0).then_some(verdict);
    }
    let (_, score) = best(window);
    let comparable = CANDIDATES.contains(&family(said)) && family(said) != verdict.encoding;
    // Far enough apart that a name or two cannot decide it.
    (comparable && score >= 8 && score_of(window, family(said)) < 0)
        .then(|| Verdict { reason: format!("the octets read better as {}", verdict.encoding), ..verdict })
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

/// The candidate of the highest score, and its score. Octets that tell nothing are taken for windows-1252.
fn best(window: &[u8]) -> (Encoding, i64) {
    let mut best = (Encoding::Windows1252, score_of(window, Encoding::Windows1252));
    for encoding in CANDIDATES {
        let score = score_of(window, encoding);
        if score > best.1 {
            best = (encoding, score);
        }
    }
    best
}

fn score_of(window: &[u8], encoding: Encoding) -> i64 {
    let page = Page::of(encoding, false);
    let mut score = 0;
    for (at, octet) in window.iter().enumerate().filter(|(_, octet)| !octet.is_ascii()) {
        let before = at.checked_sub(1).and_then(|at| window.get(at)).map(|octet| char::from(*octet));
        let after = window.get(at + 1).map(|octet| char::from(*octet));
        let near = Near { before: before.filter(char::is_ascii), after: after.filter(char::is_ascii) };
        score += match encoding {
            Encoding::Ansel => match ansel::mark(*octet) {
                Some(mark) => score_of_mark(mark, window.get(at + 1..).unwrap_or_default()),
                None => score_of_character(ansel::letter(*octet), near),
            },
            _ => score_of_character(page.character(*octet), near),
        };
    }
    score
}

/// The ASCII characters on both sides.
#[derive(Clone, Copy)]
struct Near {
    before: Option<char>,
    after: Option<char>,
}

/// How well a character fits between its neighbours.
fn score_of_character(character: Option<char>, near: Near) -> i64 {
    /// The letters that Western names are full of, beyond ASCII, in lower case.
    const COMMON: &str = "áàâäãåæéèêëíìîïóòôöõøœúùûüýÿñçßšžł";
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    let Some(c) = character else { return -3 };
    let in_word = letter(near.before) || letter(near.after);
    let inside = letter(near.before) && letter(near.after);
    if c.is_control() {
        return -3;
    }
    if !c.is_alphabetic() {
        return match c {
            '’' if inside => 1,
            '‘' | '’' | '“' | '”' | '–' | '—' | '…' if !inside => 1,
            _ if inside => -2,
            _ => 0,
        };
    }
    if !in_word {
        return 0;
    }
    if c.is_uppercase() && near.before.is_some_and(|c| c.is_ascii_lowercase()) {
        return -2;
    }
    let lower = c.to_lowercase().next().unwrap_or(c);
    if !COMMON.contains(lower) {
        return -1;
    }
    // An accented vowel before a vowel is rare; in ANSEL it is a mark before its letter.
    let consonant = matches!(lower, 'ñ' | 'ç' | 'ß' | 'š' | 'ž' | 'ł');
    if !consonant && near.after.is_some_and(is_vowel) { 0 } else { 2 }
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
