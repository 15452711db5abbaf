//! Evidence for an encoding: what speaks for which one, and by how much.
//!
//! UTF-8 proves itself: text of another encoding is hardly ever valid by chance. Encodings of one octet a
//! character are told apart by a sum of evidence, in tenths of a natural logarithm. The reading with the
//! greatest sum wins:
//!
//! | witness | speaks for | how much |
//! | --- | --- | --- |
//! | the letters in words ([`Likelihood`]) | the reading that makes words of a language, in the right case | most of the sum |
//! | CHAR, if it says `ANSI` or `IBMPC` | the page of Windows or DOS that computers of the language had | [`CODE_PAGE`], [`OTHER_CODE_PAGE`]; [`NO_CODE_PAGE`] against ANSEL |
//! | CHAR, if it names one encoding (`ANSEL`, `CP1251`, `ANSI` with a page number) | that encoding | [`NAMED`] |
//! | LANG | readings as that language, and its pages | [`LANGUAGE_PAGE`] |
//! | SOUR | the page that the program wrote | [`PRODUCER`] |
//! | `chardetng`, the detector of Firefox | the page it guesses | [`DETECTOR`] |
//! | how common an encoding is in files of genealogy | all but windows-1252 less | [`CANDIDATES`] |
//!
//! Evidence is *weak* if another reading with other letters comes within [`WEAK`] of the best, or within
//! [`WEAK_IF_MIXED`] if it has the letters of one language and the best has not. Then the best is used all the
//! same, and the others are its [rivals](Verdict::rivals).

use crate::Encoding;
use crate::languages::LanguageSet;
use crate::likeness::Likelihood;
use crate::pages::Page;

/// The encodings that are told apart, and how much less likely each is to begin with.
///
/// ISO 8859-1 is not among them, because windows-1252 has all its letters in the same places; nor is ASCII.
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

/// For the encoding that CHAR names.
const NAMED: i64 = 50;

/// For the code page that CHAR means by `ANSI` or `IBMPC` where computers were set to the language of LANG, or
/// to a Western one if there is no LANG.
const CODE_PAGE: i64 = 42;

/// For the other pages of Windows, or of DOS, if CHAR says `ANSI` or `IBMPC`.
const OTHER_CODE_PAGE: i64 = 15;

/// Against ANSEL, which has a name of its own, if CHAR says `ANSI` or `IBMPC`.
const NO_CODE_PAGE: i64 = -40;

/// For the pages of the language that LANG names.
const LANGUAGE_PAGE: i64 = 20;

/// For the page that the program of SOUR wrote.
const PRODUCER: i64 = 15;

/// For the page that `chardetng` guesses.
const DETECTOR: i64 = 15;

/// The distance from the best reading within which another one makes the evidence weak.
const WEAK: i64 = 30;

/// The distance for a reading in which all letters are of one language, if those of the best are not.
const WEAK_IF_MIXED: i64 = 90;

/// The number of octets beyond ASCII from which `chardetng` is asked.
const DETECTOR_LEAST: usize = 4;

/// The number of octets in lines beyond ASCII that `chardetng` gets.
const DETECTOR_LIMIT: usize = 1 << 16;

/// Programs that wrote one encoding, by the start of SOUR in capitals.
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

/// What the header says that is evidence for the encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderHints {
    /// The languages that LANG names.
    languages: Option<LanguageSet>,
    /// The encoding that the program of SOUR wrote.
    producer: Option<Encoding>,
    /// The encoding that CHAR names.
    named: Option<Encoding>,
    /// The system whose code page CHAR means.
    code_page: Option<System>,
}

/// A system with code pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Windows,
    Dos,
}

impl System {
    const fn has(self, page: Encoding) -> bool {
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

    /// The pages of Western computers, which stand for all where there is no LANG.
    const fn is_western(page: Encoding) -> bool {
        matches!(page, Encoding::Windows1252 | Encoding::Cp437 | Encoding::Cp850)
    }
}

impl HeaderHints {
    /// Takes note of a line of the header, in capitals and with its whitespace normalised, if it is LANG or
    /// SOUR.
    pub(crate) fn note_line(&mut self, line: impl Iterator<Item = char>) {
        let line: String = line.take(40).collect();
        if let Some(language) = line.strip_prefix("1 LANG ") {
            self.languages = self.languages.or_else(|| LanguageSet::named(language));
        } else if let Some(program) = line.strip_prefix("1 SOUR ") {
            let row = PRODUCERS.iter().find(|(name, _)| program.starts_with(name));
            self.producer = self.producer.or(row.map(|(_, encoding)| *encoding));
        }
    }

    /// Adds that CHAR means the code page of a computer, if it does: `default` is the page that it is taken
    /// for.
    pub(crate) fn of_char(self, default: Option<Encoding>) -> HeaderHints {
        let systems = [System::Windows, System::Dos];
        let code_page = default.and_then(|page| systems.into_iter().find(|system| system.has(page)));
        HeaderHints { code_page, ..self }
    }

    /// Returns how much the header speaks for an encoding.
    fn speak_for(self, encoding: Encoding) -> i64 {
        let of_language = self.languages.is_some_and(|languages| languages.uses(encoding));
        let is_expected = match self.languages {
            Some(_) => of_language,
            None => System::is_western(encoding),
        };
        let of_char = match self.code_page {
            Some(system) if system.has(encoding) && is_expected => CODE_PAGE,
            Some(system) if system.has(encoding) => OTHER_CODE_PAGE,
            Some(_) if encoding == Encoding::Ansel => NO_CODE_PAGE,
            Some(_) | None => 0,
        };
        of_char
            + if self.named == Some(encoding) { NAMED } else { 0 }
            + if of_language { LANGUAGE_PAGE } else { 0 }
            + if self.producer == Some(encoding) { PRODUCER } else { 0 }
    }
}

/// The encoding that octets seem to be in, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) encoding: Encoding,
    /// A clause, such as `the octets are valid UTF-8`.
    pub(crate) reason: String,
    /// The encodings in which the octets read about as well, the likeliest first; empty if the evidence is
    /// strong.
    pub(crate) rivals: Vec<Encoding>,
}

/// Judges octets from the first that is not ASCII on, or from the one before it. `to_end` says whether the
/// file ends with them.
pub(crate) fn detect_by_content(window: &[u8], to_end: bool, hints: HeaderHints) -> Verdict {
    if let Some(verdict) = detect_utf8(count_utf8(window, to_end)) {
        return verdict;
    }
    let Ranking { best, rivals } = rank(window, hints);
    let encoding = best.encoding;
    Verdict { encoding, reason: format!("the bytes are not UTF-8 and fit {encoding} best"), rivals }
}

/// The verdict where octets are UTF-8, but for few faults perhaps.
fn detect_utf8((characters, faults): (usize, usize)) -> Option<Verdict> {
    let reason = match faults {
        0 => "the bytes are valid UTF-8".to_owned(),
        _ if characters >= 4 * faults => {
            format!("the bytes are UTF-8 with few errors: {faults} errors, {characters} characters")
        }
        _ => return None,
    };
    Some(Verdict { encoding: Encoding::Utf8, reason, rivals: Vec::new() })
}

/// The evidence of octets for or against the encoding of single octets that they are said to be in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CharCheck {
    /// The octets are in the encoding; or as likely in one of these others.
    Stands(Vec<Encoding>),
    /// The octets are valid UTF-8, but by chance.
    Chance,
    /// The octets read badly in the encoding, and well in another.
    Doubtful(Verdict),
    /// The octets cannot be in the encoding.
    Impossible(Verdict),
}

/// Weighs octets against the encoding of single octets that they are said to be in.
pub(crate) fn check_char_name(window: &[u8], to_end: bool, said: Encoding, hints: HeaderHints) -> CharCheck {
    let (characters, faults) = count_utf8(window, to_end);
    let utf8 = detect_utf8((characters, faults));
    if let Some(verdict) = utf8.clone().filter(|_| faults == 0) {
        return if is_utf8_by_chance(window, said) {
            CharCheck::Chance
        } else {
            CharCheck::Impossible(verdict)
        };
    }
    let named = Likelihood::of(window, said, hints.languages);
    if named.senseless == 0 && (named.of_one_language || named.fits == 0) {
        // No other encoding can fit much better, and trying all of them is slow.
        return CharCheck::Stands(Vec::new());
    }
    let Ranking { best, rivals } = rank(window, HeaderHints { named: Some(said), ..hints });
    let is_of_lang = hints.languages.is_some() && best.is_clean() && !named.of_one_language;
    let (verdict, fits) = match utf8 {
        Some(verdict) => (verdict, characters),
        None => {
            let reason = format!("the bytes fit {} better", best.encoding);
            (Verdict { encoding: best.encoding, reason, rivals }, best.fits)
        }
    };
    if verdict.encoding == said {
        CharCheck::Stands(verdict.rivals)
    } else if named.senseless > 0 && fits > named.fits || is_of_lang {
        CharCheck::Impossible(verdict)
    } else if fits >= named.fits + 4 {
        // The difference is large enough that it does not depend on one or two names.
        CharCheck::Doubtful(verdict)
    } else {
        CharCheck::Stands(Vec::new())
    }
}

/// Weighs octets against the page that CHAR is taken for, where it says `ANSI` or `IBMPC`: which page that is
/// the octets and the rest of the header show.
pub(crate) fn check_code_page(window: &[u8], to_end: bool, said: Encoding, hints: HeaderHints) -> CharCheck {
    let counts = count_utf8(window, to_end);
    match detect_utf8(counts) {
        Some(_) if counts.1 == 0 && is_utf8_by_chance(window, said) => return CharCheck::Chance,
        Some(verdict) => return CharCheck::Impossible(verdict),
        None => {}
    }
    let Ranking { best, rivals } = rank(window, hints);
    let encoding = best.encoding;
    if encoding == said || !best.differs_from(said) {
        return CharCheck::Stands(rivals);
    }
    CharCheck::Impossible(Verdict { encoding, reason: format!("the bytes fit {encoding} better"), rivals })
}

/// Returns whether octets that are valid UTF-8 are so by chance, and rather in the encoding that they are said
/// to be in: they hold one sequence of two octets, which is a letter and a quotation mark there, as in
/// `ANDRÉ’S`.
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

/// Counts the characters of several octets in `window`, and the faults, as UTF-8.
fn count_utf8(window: &[u8], to_end: bool) -> (usize, usize) {
    let (mut characters, mut faults) = (0, 0);
    let mut rest = window;
    loop {
        // ASCII ends every sequence, so each run of other bytes can be judged separately.
        rest = &rest[encoding_rs::Encoding::ascii_valid_up_to(rest)..];
        let run = rest.iter().take_while(|octet| !octet.is_ascii()).count();
        if run == 0 {
            return (characters, faults);
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

/// The likeliest reading of octets, and the encodings of those that come near.
struct Ranking {
    best: Likelihood,
    rivals: Vec<Encoding>,
}

/// Reads octets in each of the candidates, and compares.
fn rank(window: &[u8], hints: HeaderHints) -> Ranking {
    let guess = guess_of_detector(window);
    let mut readings: Vec<Likelihood> = CANDIDATES
        .into_iter()
        .map(|(encoding, handicap)| {
            let mut reading = Likelihood::of(window, encoding, hints.languages);
            reading.likelihood += handicap + hints.speak_for(encoding);
            reading.likelihood += if guess == Some(encoding) { DETECTOR } else { 0 };
            reading
        })
        .filter(|reading| !reading.boxed)
        .collect();
    // Mac OS Roman also has letters where other encodings have letters, but rare ones. So require that the bytes need
    // it. Letters that do not occur together in a language are as unlikely.
    let is_macintosh = |reading: &Likelihood| reading.encoding == Encoding::Macintosh;
    if readings.iter().any(|reading| !is_macintosh(reading) && reading.is_clean()) {
        readings.retain(|reading| !is_macintosh(reading));
    }
    // The sort is stable: of equal scores, the more common encoding comes first.
    readings.sort_by_key(|reading| -reading.likelihood);
    let mut readings = readings.into_iter();
    let best = readings.next().unwrap_or_else(|| Likelihood::of(window, Encoding::Windows1252, None));
    let is_near = |other: &Likelihood| {
        let distance = best.likelihood - other.likelihood;
        distance < WEAK || distance < WEAK_IF_MIXED && other.is_clean() && !best.is_clean()
    };
    let near = readings.filter(is_near).map(|other| other.encoding);
    let rivals = near.filter(|encoding| best.differs_from(*encoding)).collect();
    Ranking { best, rivals }
}

/// Returns the guess of `chardetng` from at least [`DETECTOR_LEAST`] octets beyond ASCII. It knows the letters that are beside each other in the languages of
/// the web; not the pages of Western DOS, nor ANSEL.
fn guess_of_detector(window: &[u8]) -> Option<Encoding> {
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
        // The default guess without evidence.
        "windows-1252" => None,
        "IBM866" => Some(Encoding::Cp866),
        "KOI8-U" => Some(Encoding::Koi8R),
        name => Encoding::from_name(name),
    }
}

impl Likelihood {
    /// Returns whether another encoding has other characters for the octets that are in words.
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
        assert_eq!(Likelihood::of(row, Encoding::Macintosh, None).misfits, 0);
        assert_eq!(check_char_name(row, true, Encoding::Ansel, none), CharCheck::Stands(Vec::new()));
        // Two are a word: what ANSEL writes as a mark before its letter is before a consonant here.
        assert!(rank(b"H\xE9l\xE8ne", none).best.fits > 0);
        let names = b"Jos\xE9 Ren\xE9 Andr\xE9 Fran\xE7ois Mu\xF1oz";
        let CharCheck::Impossible(Verdict { encoding, .. }) =
            check_char_name(names, true, Encoding::Ansel, none)
        else {
            panic!("these are no names in ANSEL");
        };
        assert_eq!(encoding, Encoding::Windows1252);
    }
}
