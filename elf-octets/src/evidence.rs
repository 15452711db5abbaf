//! Weighs evidence to find the encoding of a file.
//!
//! Valid UTF-8 is nearly always UTF-8, because text in another encoding is hardly ever valid UTF-8 by chance.
//! Single-byte encodings get a score, in tenths of a natural logarithm. The encoding with the greatest score wins:
//!
//! | evidence | counts for | score |
//! | --- | --- | --- |
//! | the letters in words ([`Likelihood`]) | the reading that makes words of a language, in the right case | most of the sum |
//! | CHAR, if it says `ANSI` or `IBMPC` | the page of Windows or DOS that computers of the language had | [`CODE_PAGE`], [`OTHER_CODE_PAGE`]; [`NO_CODE_PAGE`] against ANSEL |
//! | CHAR, if it names one encoding (`ANSEL`, `CP1251`, `ANSI` with a page number) | that encoding | [`NAMED`] |
//! | LANG | readings as that language, and its pages | [`LANGUAGE_PAGE`] |
//! | SOUR | the page that the program wrote | [`PRODUCER`] |
//! | `chardetng`, the detector of Firefox | the page it guesses | [`DETECTOR`] |
//! | how common an encoding is in genealogical files | windows-1252 most | [`CANDIDATES`] |
//!
//! Evidence is *weak* if an encoding that gives other letters has a score within [`WEAK`] of the best. The limit is
//! [`WEAK_IF_MIXED`] if the letters of that encoding belong to one language, and the letters of the best encoding do
//! not. The best encoding is used anyway, and the others are its [rivals](Verdict::rivals).

use crate::Encoding;
use crate::languages::LanguageSet;
use crate::likelihood::Likelihood;
use crate::pages::Page;

/// The encodings that are compared, with a handicap for uncommon ones.
///
/// ISO 8859-1 is missing, because windows-1252 has all its letters in the same places. ASCII is missing, because all
/// other encodings contain it.
const CANDIDATES: [(Encoding, i64); 20] = [
    (Encoding::Windows1252, 0),
    (Encoding::Ansel, -5),
    (Encoding::Cp437, -8),
    (Encoding::Cp850, -10),
    (Encoding::Macintosh, -15),
    (Encoding::Windows1251, -15),
    (Encoding::Windows1250, -20),
    (Encoding::Windows1253, -20),
    (Encoding::Windows1254, -20),
    (Encoding::Windows1255, -20),
    (Encoding::Windows1256, -20),
    (Encoding::Windows1257, -20),
    (Encoding::Windows1258, -20),
    (Encoding::Cp866, -20),
    (Encoding::Koi8R, -25),
    (Encoding::Cp852, -25),
    (Encoding::Iso8859_2, -25),
    (Encoding::Iso8859_5, -30),
    (Encoding::Iso8859_15, -35),
    (Encoding::Iso8859_1, -100),
];

/// The score of an encoding that CHAR names.
const NAMED: i64 = 50;

/// The score of the code page that `ANSI` or `IBMPC` most likely means. This is the page of computers in the language
/// that LANG names. Without LANG, it is the page of Western computers.
const CODE_PAGE: i64 = 42;

/// The score of the other code pages of Windows (for `ANSI`) or DOS (for `IBMPC`).
const OTHER_CODE_PAGE: i64 = 15;

/// The score of ANSEL if CHAR is `ANSI` or `IBMPC`, because ANSEL has its own name.
const NO_CODE_PAGE: i64 = -40;

/// The score of the code pages of the language in LANG.
const LANGUAGE_PAGE: i64 = 20;

/// The score of the code page that the program in SOUR wrote.
const PRODUCER: i64 = 15;

/// The score of the code page that `chardetng` guesses.
const DETECTOR: i64 = 15;

/// The evidence is weak if the score of another encoding is nearer to the best score than this.
const WEAK: i64 = 30;

/// The limit for weak evidence if all letters of the other encoding belong to one language, and the letters of the best
/// do not.
const WEAK_IF_MIXED: i64 = 90;

/// The smallest number of non-ASCII bytes for which `chardetng` is used.
const DETECTOR_LEAST: usize = 4;

/// The greatest number of bytes that are passed to `chardetng`. Only the bytes of lines with non-ASCII bytes are
/// passed.
const DETECTOR_LIMIT: usize = 1 << 16;

/// Programs that always wrote one encoding. A program is identified by the start of SOUR in capitals.
const PRODUCERS: [(&str, Encoding); 8] = [
    ("PAF", Encoding::Ansel),
    ("FTW", Encoding::Windows1252),
    ("AHN", Encoding::Windows1252),
    ("REUNION", Encoding::Macintosh),
    ("MACFAMILYTREE", Encoding::Macintosh),
    ("GEDITCOM", Encoding::Macintosh),
    ("GENERY", Encoding::Windows1251),
    ("AGELONG", Encoding::Windows1251),
];

/// The evidence for the encoding that the header contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderHints {
    /// The languages that LANG names.
    languages: Option<LanguageSet>,
    /// The encoding that the program in SOUR writes.
    producer: Option<Encoding>,
    /// The encoding that CHAR names.
    named: Option<Encoding>,
    /// The operating system whose code page is meant by CHAR.
    code_page: Option<System>,
}

/// An operating system with code pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Windows,
    Dos,
}

impl System {
    const fn has_page(self, page: Encoding) -> bool {
        match page {
            Encoding::Windows1250
            | Encoding::Windows1251
            | Encoding::Windows1252
            | Encoding::Windows1253
            | Encoding::Windows1254
            | Encoding::Windows1255
            | Encoding::Windows1256
            | Encoding::Windows1257
            | Encoding::Windows1258 => matches!(self, System::Windows),
            Encoding::Cp437 | Encoding::Cp850 | Encoding::Cp852 | Encoding::Cp866 => {
                matches!(self, System::Dos)
            }
            Encoding::Ascii
            | Encoding::Ansel
            | Encoding::Utf8
            | Encoding::Utf16Le
            | Encoding::Utf16Be
            | Encoding::Iso8859_1
            | Encoding::Iso8859_2
            | Encoding::Iso8859_5
            | Encoding::Iso8859_15
            | Encoding::Koi8R
            | Encoding::Macintosh => false,
        }
    }

    /// Returns whether a code page was usual in Western Europe and America. A file without LANG is assumed to come from
    /// there.
    const fn is_western(page: Encoding) -> bool {
        matches!(page, Encoding::Windows1252 | Encoding::Cp437 | Encoding::Cp850)
    }
}

impl HeaderHints {
    /// Stores the content of a header line if it is LANG or SOUR. The line must be in capitals, with normalised
    /// whitespace.
    pub(crate) fn remember_line(&mut self, line: impl Iterator<Item = char>) {
        let line: String = line.take(40).collect();
        if let Some(language) = line.strip_prefix("1 LANG ") {
            self.languages = self.languages.or_else(|| LanguageSet::from_lang(language));
        } else if let Some(program) = line.strip_prefix("1 SOUR ") {
            let row = PRODUCERS.iter().find(|(name, _)| program.starts_with(name));
            self.producer = self.producer.or(row.map(|(_, encoding)| *encoding));
        }
    }

    /// Adds the operating system if CHAR names the code page of a computer. `default` is the usual page for that name.
    pub(crate) fn with_code_page(self, default: Option<Encoding>) -> HeaderHints {
        let systems = [System::Windows, System::Dos];
        let code_page = default.and_then(|page| systems.into_iter().find(|system| system.has_page(page)));
        HeaderHints { code_page, ..self }
    }

    /// Returns the score that an encoding gets from the header.
    fn score_of(self, encoding: Encoding) -> i64 {
        let of_language = self.languages.is_some_and(|languages| languages.uses_code_page(encoding));
        let is_expected = match self.languages {
            Some(_) => of_language,
            None => System::is_western(encoding),
        };
        let of_char = match self.code_page {
            Some(system) if system.has_page(encoding) && is_expected => CODE_PAGE,
            Some(system) if system.has_page(encoding) => OTHER_CODE_PAGE,
            Some(_) if encoding == Encoding::Ansel => NO_CODE_PAGE,
            Some(_) | None => 0,
        };
        of_char
            + if self.named == Some(encoding) { NAMED } else { 0 }
            + if of_language { LANGUAGE_PAGE } else { 0 }
            + if self.producer == Some(encoding) { PRODUCER } else { 0 }
    }
}

/// The most likely encoding of some bytes, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) encoding: Encoding,
    /// The reason as a clause, such as `the octets are valid UTF-8`.
    pub(crate) reason: String,
    /// Other encodings that fit the bytes about as well, with the most likely one first. The list is empty if the
    /// evidence is strong.
    pub(crate) rivals: Vec<Encoding>,
}

/// Finds the most likely encoding of `window`, which starts at the first non-ASCII byte or one byte before it. `to_end`
/// is true if the file ends with `window`.
pub(crate) fn detect_from_content(window: &[u8], to_end: bool, hints: HeaderHints) -> Verdict {
    if let Some(verdict) = recognise_utf8(count_utf8(window, to_end)) {
        return verdict;
    }
    let Ranking { best, rivals } = rank_encodings(window, hints);
    let encoding = best.encoding;
    Verdict { encoding, reason: format!("the bytes are not UTF-8 and fit {encoding} best"), rivals }
}

/// Returns UTF-8 if `window` is valid UTF-8, or nearly so.
fn recognise_utf8(Utf8Count { characters, faults }: Utf8Count) -> Option<Verdict> {
    let reason = match faults {
        0 => "the bytes are valid UTF-8".to_owned(),
        _ if characters >= 4 * faults => {
            format!("the bytes are UTF-8 with few errors: {faults} errors, {characters} characters")
        }
        _ => return None,
    };
    Some(Verdict { encoding: Encoding::Utf8, reason, rivals: Vec::new() })
}

/// The result of comparing the encoding that CHAR names with the bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CharCheck {
    /// The bytes fit the encoding, and they fit the listed encodings about as well.
    Fits(Vec<Encoding>),
    /// The bytes are valid UTF-8, but only by chance.
    Chance,
    /// The bytes fit the encoding badly, and they fit another encoding well.
    Doubtful(Verdict),
    /// The bytes cannot be in the encoding.
    Impossible(Verdict),
}

/// Checks whether bytes can be in the single-byte encoding that CHAR names.
pub(crate) fn check_char_name(window: &[u8], to_end: bool, said: Encoding, hints: HeaderHints) -> CharCheck {
    let count = count_utf8(window, to_end);
    let Utf8Count { characters, faults } = count;
    let utf8 = recognise_utf8(count);
    if let Some(verdict) = utf8.clone().filter(|_| faults == 0) {
        return if is_utf8_by_chance(window, said) {
            CharCheck::Chance
        } else {
            CharCheck::Impossible(verdict)
        };
    }
    let named = Likelihood::of_octets(window, said, hints.languages);
    if named.senseless == 0 && (named.of_one_language || named.fits == 0) {
        // No other encoding can fit much better, and it would be slow to try all encodings.
        return CharCheck::Fits(Vec::new());
    }
    let Ranking { best, rivals } = rank_encodings(window, HeaderHints { named: Some(said), ..hints });
    let is_of_lang = hints.languages.is_some() && best.is_clean() && !named.of_one_language;
    let (verdict, fits) = match utf8 {
        Some(verdict) => (verdict, characters),
        None => {
            let reason = format!("the bytes fit {} better", best.encoding);
            (Verdict { encoding: best.encoding, reason, rivals }, best.fits)
        }
    };
    if verdict.encoding == said {
        CharCheck::Fits(verdict.rivals)
    } else if named.senseless > 0 && fits > named.fits || is_of_lang {
        CharCheck::Impossible(verdict)
    } else if fits >= named.fits + 4 {
        // One or two unusual names cannot reach this limit, because it is so large.
        CharCheck::Doubtful(verdict)
    } else {
        CharCheck::Fits(Vec::new())
    }
}

/// Finds the code page that `ANSI` or `IBMPC` means, by the bytes and the header. `said` is the page that the name
/// usually means.
pub(crate) fn check_code_page(window: &[u8], to_end: bool, said: Encoding, hints: HeaderHints) -> CharCheck {
    let counts = count_utf8(window, to_end);
    match recognise_utf8(counts) {
        Some(_) if counts.faults == 0 && is_utf8_by_chance(window, said) => return CharCheck::Chance,
        Some(verdict) => return CharCheck::Impossible(verdict),
        None => {}
    }
    let Ranking { best, rivals } = rank_encodings(window, hints);
    let encoding = best.encoding;
    if encoding == said || !best.differs_from(said) {
        return CharCheck::Fits(rivals);
    }
    CharCheck::Impossible(Verdict { encoding, reason: format!("the bytes fit {encoding} better"), rivals })
}

/// Returns whether bytes are valid UTF-8 by chance.
///
/// Bytes are valid UTF-8 by chance if their only non-ASCII sequence has two bytes, and these are a letter and a
/// quotation mark in the encoding of CHAR, as in `ANDRÉ’S`.
fn is_utf8_by_chance(window: &[u8], said: Encoding) -> bool {
    let mut high = window.iter().enumerate().filter(|(_, octet)| !octet.is_ascii());
    let (Some((at, letter)), Some((next, mark)), None) = (high.next(), high.next(), high.next()) else {
        return false;
    };
    let page = Page::of(said, true);
    let is_quotation = |c| matches!(c, '’' | '‘' | '“' | '”' | '‚' | '„' | '‹' | '›' | '«' | '»' | '´');
    next == at + 1
        && page.character(*letter).is_some_and(char::is_alphabetic)
        && page.character(*mark).is_some_and(is_quotation)
}

/// The number of non-ASCII characters and of invalid sequences in UTF-8.
#[derive(Clone, Copy)]
struct Utf8Count {
    characters: usize,
    faults: usize,
}

/// Reads `window` as UTF-8 and counts its non-ASCII characters and invalid sequences.
fn count_utf8(window: &[u8], to_end: bool) -> Utf8Count {
    let (mut characters, mut faults) = (0, 0);
    let mut rest = window;
    loop {
        // An ASCII byte ends every sequence, so each run of other bytes can be examined separately.
        rest = &rest[encoding_rs::Encoding::ascii_valid_up_to(rest)..];
        let run = rest.iter().take_while(|octet| !octet.is_ascii()).count();
        if run == 0 {
            return Utf8Count { characters, faults };
        }
        let (octets, behind) = rest.split_at(run);
        rest = behind;
        let mut left = run;
        for chunk in octets.utf8_chunks() {
            characters += chunk.valid().chars().count();
            left -= chunk.valid().len() + chunk.invalid().len();
            let ends_window = left == 0 && rest.is_empty() && !to_end;
            let cut_off = ends_window && chunk.invalid().first().is_some_and(|octet| *octet >= 0xC0);
            faults += usize::from(!chunk.invalid().is_empty() && !cut_off);
        }
    }
}

/// The most likely encoding, and other encodings that are nearly as likely.
struct Ranking {
    best: Likelihood,
    rivals: Vec<Encoding>,
}

/// Scores every candidate and returns the best one.
fn rank_encodings(window: &[u8], hints: HeaderHints) -> Ranking {
    let guess = guess_with_detector(window);
    let mut readings: Vec<Likelihood> = CANDIDATES
        .into_iter()
        .map(|(encoding, handicap)| {
            let mut reading = Likelihood::of_octets(window, encoding, hints.languages);
            reading.likelihood += handicap + hints.score_of(encoding);
            reading.likelihood += if guess == Some(encoding) { DETECTOR } else { 0 };
            reading
        })
        .filter(|reading| !reading.boxed)
        .collect();
    // Mac OS Roman has letters where other encodings have letters, but they are rare ones. So Mac OS Roman is accepted
    // only if no other encoding makes sense. An encoding makes no sense either if it gives rare letters of several
    // languages.
    let is_macintosh = |reading: &Likelihood| reading.encoding == Encoding::Macintosh;
    if readings.iter().any(|reading| !is_macintosh(reading) && reading.is_clean()) {
        readings.retain(|reading| !is_macintosh(reading));
    }
    // The sort is stable: if two encodings have the same score, the more common one comes first.
    readings.sort_by_key(|reading| -reading.likelihood);
    let mut readings = readings.into_iter();
    let best = readings.next().unwrap_or_else(|| Likelihood::of_octets(window, Encoding::Windows1252, None));
    let is_near = |other: &Likelihood| {
        let distance = best.likelihood - other.likelihood;
        distance < WEAK || distance < WEAK_IF_MIXED && other.is_clean() && !best.is_clean()
    };
    let near = readings.filter(is_near).map(|other| other.encoding);
    let rivals = near.filter(|encoding| best.differs_from(*encoding)).collect();
    Ranking { best, rivals }
}

/// Returns the encoding that `chardetng` guesses, if there are at least [`DETECTOR_LEAST`] non-ASCII bytes. The
/// detector `chardetng` knows which letters occur side by side in the languages of the web, but not ANSEL and the
/// Western pages of DOS.
fn guess_with_detector(window: &[u8]) -> Option<Encoding> {
    window.iter().filter(|octet| !octet.is_ascii()).nth(DETECTOR_LEAST - 1)?;
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    let mut room = DETECTOR_LIMIT;
    for line in window.split_inclusive(|octet| matches!(octet, b'\n' | b'\r')).filter(|line| !line.is_ascii())
    {
        let line = line.get(..room).unwrap_or(line);
        detector.feed(line, false);
        room -= line.len();
        if room == 0 {
            break;
        }
    }
    detector.feed(b"", true);
    let guess = detector.guess(None, chardetng::Utf8Detection::Deny);
    match guess.name() {
        // The detector `chardetng` returns windows-1252 if it has no evidence.
        "windows-1252" => None,
        "IBM866" => Some(Encoding::Cp866),
        "KOI8-U" => Some(Encoding::Koi8R),
        name => Encoding::from_name(name),
    }
}

impl Likelihood {
    /// Returns whether another encoding gives other characters for the bytes within words.
    fn differs_from(&self, other: Encoding) -> bool {
        if [self.encoding, other].contains(&Encoding::Ansel) {
            return self.encoding != other && self.in_words.contains(&true);
        }
        let (here, there) = (Page::of(self.encoding, true), Page::of(other, true));
        (0..=0xFF_u8)
            .filter(|octet| self.in_words[usize::from(*octet)])
            .any(|octet| here.character(octet) != there.character(octet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_through_an_alphabet_tells_nothing() {
        let row = b"\xE0A\xE0B\xE0C\xE0D\xE0E\xE0F\xE0G\xE0H \xE0a\xE0b\xE0c\xE0d\xE0f\xE0g\xE0h";
        let none = HeaderHints::default();
        assert_eq!(Likelihood::of_octets(row, Encoding::Macintosh, None).misfits, 0);
        assert_eq!(check_char_name(row, true, Encoding::Ansel, none), CharCheck::Fits(Vec::new()));
        // In ANSEL, these bytes are a mark and its letter. In this encoding, they are a vowel and a consonant.
        assert!(rank_encodings(b"H\xE9l\xE8ne", none).best.fits > 0);
        let names = b"Jos\xE9 Ren\xE9 Andr\xE9 Fran\xE7ois Mu\xF1oz";
        let CharCheck::Impossible(Verdict { encoding, .. }) =
            check_char_name(names, true, Encoding::Ansel, none)
        else {
            panic!("these are no names in ANSEL");
        };
        assert_eq!(encoding, Encoding::Windows1252);
    }
}
