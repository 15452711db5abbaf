//! Scores of how well octets read as names in an encoding of single octets, or in ANSEL.
//!
//! Each octet that is not ASCII is judged by its neighbours: an accented letter belongs into a word, in the
//! case of the letters around it; a vowel seldom stands beside a vowel; a sign is hardly ever found in a
//! word. What letters there are together is judged by the alphabets of languages. Both are sums of
//! logarithms, and the encoding with the greatest is the likeliest. What stands apart from words tells
//! nothing.

use crate::Encoding;
use crate::alphabets::{self, FOREIGN, LANGUAGES, UNKNOWN};
use crate::ansel::{self, Cluster};
use crate::pages::Page;
use unicode_normalization::char::{compose, decompose_canonical};

/// The fit up to which a character does not belong where it stands.
const MISFIT: i64 = -25;

/// The likelihood of octets in one encoding, with the counts that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Likelihood {
    pub(crate) encoding: Encoding,
    /// The likelihood of the encoding: tenths of a natural logarithm.
    pub(crate) likelihood: i64,
    /// The number of characters in words that are letters and fit where they stand.
    pub(crate) fits: usize,
    /// The number of characters in words that do not fit where they stand.
    pub(crate) misfits: usize,
    /// The number of octets that stand for nothing in the encoding.
    pub(crate) missing: usize,
    /// True if parts of boxes stand within a word, which shows that the octets are not in this encoding.
    pub(crate) boxed: bool,
    /// True if there is a language that has all letters in words.
    pub(crate) of_one_language: bool,
}

impl Likelihood {
    /// Reads every octet of `window` that is not ASCII in `encoding`. Letters of scripts other than Latin fit
    /// where `scripts` says so.
    pub(crate) fn of(window: &[u8], encoding: Encoding, scripts: bool) -> Likelihood {
        let mut reading = Likelihood {
            encoding,
            likelihood: 0,
            fits: 0,
            misfits: 0,
            missing: 0,
            boxed: false,
            of_one_language: false,
        };
        let page = Page::of(encoding, true);
        let mut languages = [Language::default(); LANGUAGES];
        let mut at = 0;
        while let Some(rest) = window.get(at..) {
            at += encoding_rs::Encoding::ascii_valid_up_to(rest);
            if at >= window.len() {
                break;
            }
            if in_row(window, at) {
                at += 1;
                continue;
            }
            let (spot, end) = if encoding == Encoding::Ansel {
                CharacterContext::in_ansel(window, at)
            } else {
                CharacterContext::in_page(window, at, page)
            };
            let octets = window[at..end].iter().filter(|octet| !octet.is_ascii()).count();
            reading.take(spot, octets, scripts, &mut languages);
            at = end;
        }
        reading.likelihood += languages.iter().map(|language| language.likelihood).max().unwrap_or_default();
        reading.of_one_language = languages.iter().any(|language| !language.lacks);
        reading
    }

    /// Returns whether words hold only letters that fit, all of one language.
    pub(crate) const fn is_clean(&self) -> bool {
        self.misfits == 0 && self.fits > 0 && self.of_one_language
    }

    /// Adds what one character says, that so many octets beyond ASCII stand for.
    fn take(
        &mut self,
        spot: CharacterContext,
        octets: usize,
        scripts: bool,
        languages: &mut [Language; LANGUAGES],
    ) {
        let Some(character) = spot.character else {
            // Octets that stand for nothing, or marks on nothing that bears them.
            self.missing += usize::from(spot.missing);
            self.misfits += octets;
            self.likelihood -= 90 * i64::try_from(octets).unwrap_or(i64::MAX >> 8);
            return;
        };
        if !spot.in_word() {
            let letter = character.is_alphabetic() && (!scripts || is_latin(character));
            self.likelihood -= match character {
                _ if letter && alphabets::weights(lower(character)).is_none() => 40,
                // Nobody draws with one piece.
                _ if is_box(character) && ![spot.before, spot.after].into_iter().flatten().any(is_box) => 25,
                _ => 15,
            };
            return;
        }
        self.likelihood += spot.consumed;
        let mut fit = spot.fit(character);
        if character.is_alphabetic() {
            match alphabets::weights(lower(character)) {
                Some(weights) => {
                    for (language, weight) in languages.iter_mut().zip(weights) {
                        language.likelihood += i64::from(*weight);
                        language.lacks |= *weight <= FOREIGN;
                    }
                }
                None if scripts && !is_latin(character) => {}
                None => fit += i64::from(UNKNOWN),
            }
        }
        self.boxed |= is_box(character) && spot.in_midst();
        self.likelihood += fit;
        if fit <= MISFIT {
            self.misfits += 1;
        } else if character.is_alphabetic() {
            self.fits += 1;
        }
    }
}

/// The likelihood of one language by the letters in words.
#[derive(Clone, Copy, Debug, Default)]
struct Language {
    likelihood: i64,
    /// True if the language lacks one of the letters.
    lacks: bool,
}

/// A character that is not ASCII, and those around it.
#[derive(Clone, Copy, Debug)]
struct CharacterContext {
    /// `None` where octets stand for nothing.
    character: Option<char>,
    missing: bool,
    before: Option<char>,
    after: Option<char>,
    /// The logarithm to be added because the character takes another letter along, which other encodings have
    /// to account for apart.
    consumed: i64,
}

impl CharacterContext {
    fn in_page(window: &[u8], at: usize, page: &Page) -> (CharacterContext, usize) {
        let character =
            |at: Option<usize>| at.and_then(|at| window.get(at)).and_then(|octet| page.character(*octet));
        let spot = CharacterContext {
            character: character(Some(at)).filter(|character| !character.is_control()),
            missing: character(Some(at)).is_none(),
            before: character(at.checked_sub(1)),
            after: character(Some(at + 1)),
            consumed: 0,
        };
        (spot, at + 1)
    }

    fn in_ansel(window: &[u8], at: usize) -> (CharacterContext, usize) {
        let letter =
            |at: Option<usize>| at.and_then(|at| window.get(at)).and_then(|octet| ansel::letter(*octet));
        let before = letter(at.checked_sub(1));
        let cluster = Cluster::at(window, at);
        let end = cluster.end.max(at + 1);
        // Of what comes next with a mark, it is the letter that counts.
        let next = window.get(end).map(|octet| match ansel::mark(*octet) {
            Some(_) => letter(Cluster::at(window, end).end.checked_sub(1)),
            None => ansel::letter(*octet),
        });
        let marked = window.get(at).is_some_and(|octet| ansel::mark(*octet).is_some());
        let character = if marked {
            let marks = &window[at..end - 1];
            letter(end.checked_sub(1)).filter(|base| base.is_ascii_alphabetic()).and_then(|base| {
                marks.iter().rev().try_fold(base, |base, mark| compose(base, ansel::mark(*mark)?))
            })
        } else {
            letter(Some(at))
        };
        let missing = !marked && character.is_none();
        let consumed = if marked && character.is_some() { 23 } else { 0 };
        (CharacterContext { character, missing, before, after: next.flatten(), consumed }, end)
    }

    fn letter_before(&self) -> Option<char> {
        self.before.filter(|character| character.is_alphabetic())
    }

    fn letter_after(&self) -> Option<char> {
        self.after.filter(|character| character.is_alphabetic())
    }

    fn in_word(&self) -> bool {
        self.letter_before().is_some() || self.letter_after().is_some()
    }

    fn in_midst(&self) -> bool {
        self.letter_before().is_some() && self.letter_after().is_some()
    }

    /// Returns the fit of a character where it stands: a logarithm, 0 at best.
    fn fit(&self, character: char) -> i64 {
        if character.is_alphabetic() && !matches!(character, 'ª' | 'º') {
            return self.fit_of_case(character) + self.fit_of_letter(character);
        }
        let in_midst = self.in_midst();
        match character {
            '’' if in_midst => -10,
            '\u{A0}' if !in_midst => -20,
            '\u{A0}' => -30,
            '’' | '‘' | '“' | '”' | '„' | '«' | '»' | '–' | '—' | '…' if !in_midst => -20,
            'ª' | 'º' | '°' if self.letter_after().is_none() => -20,
            _ if in_midst || is_box(character) => -80,
            _ => -40,
        }
    }

    /// Returns the fit of the case of a letter to the letters around it.
    fn fit_of_case(&self, character: char) -> i64 {
        let (before, after) = (self.letter_before(), self.letter_after());
        if character.is_uppercase() {
            match (before, after) {
                (Some(before), _) if before.is_lowercase() => -70,
                (Some(_), Some(after)) if after.is_lowercase() => -45,
                (Some(_), _) => -5,
                (None, _) => -12,
            }
        } else {
            match (before, after) {
                // Programs that write names in capitals forget those beyond ASCII.
                (Some(before), Some(after)) if before.is_uppercase() && after.is_uppercase() => -12,
                (None, _) => -20,
                _ => 0,
            }
        }
    }

    /// Returns the fit of a letter to the letters around it.
    fn fit_of_letter(&self, character: char) -> i64 {
        let letter = lower(character);
        let (before, after) = (self.letter_before().map(lower), self.letter_after().map(lower));
        let mut fit = 0;
        if before == Some(letter) || after == Some(letter) {
            fit += match letter {
                'ä' | 'ö' => 0,
                'å' => -20,
                _ => -45,
            };
        } else if is_vowel(letter) {
            let beside = |one: Option<char>, other: Option<char>| match (one, other) {
                (Some(one), Some(other)) if is_vowel(one) && is_vowel(other) => !is_natural(one, other),
                _ => false,
            };
            fit -= 18 * i64::from(beside(Some(letter), after)) + 12 * i64::from(beside(before, Some(letter)));
        }
        fit + match (letter, before, after) {
            ('ñ', _, Some(after)) if !is_vowel(after) => -40,
            ('ñ', _, None) => -25,
            ('ç', _, Some('a' | 'o' | 'u' | 'ã' | 'õ' | 'á' | 'ó' | 'ú' | 'â' | 'ô')) => 0,
            ('ç', _, None) => -15,
            ('ç', ..) => -35,
            ('ß', None, _) => -60,
            ('ß', Some(before), _) if !is_vowel(before) => -30,
            // Grave accents are for ends of words, but on E.
            ('ò' | 'ì' | 'ù', _, Some(_)) => -25,
            ('à', _, Some(_)) => -15,
            ('ã', _, Some('o' | 'e')) | ('õ', _, Some('e')) => 5,
            ('ã', _, Some(_)) | ('õ', ..) => -25,
            ('â' | 'ê' | 'î' | 'ô' | 'û', _, None) => -20,
            // After R and L, which can be a syllable, any consonant may stand.
            (_, Some('r' | 'l'), _) => 0,
            (_, Some(before), Some(after)) if ![before, letter, after].into_iter().any(is_vowel) => -26,
            _ => 0,
        }
    }
}

/// Returns whether the octet is one of at least three with a letter between each two. Such a row, as files for
/// testing have it, goes through an alphabet: it is no word, so its octets are no evidence.
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

/// Returns whether the vowel `one` is often followed by the vowel `other`, where one of the two is accented.
fn is_natural(one: char, other: char) -> bool {
    const PAIRS: [&str; 44] = [
        "ía", "íe", "ío", "éa", "éi", "ée", "éo", "ái", "ói", "úi", "eá", "iá", "ié", "ió", "iú", "aí", "oí",
        "aú", "eó", "uí", "ué", "oé", "aé", "ão", "ãe", "õe", "äi", "äy", "äu", "öy", "öi", "yö", "yä", "iä",
        "iö", "oë", "aï", "aë", "øy", "øe", "åe", "áu", "aî", "oî",
    ];
    PAIRS.iter().any(|pair| pair.chars().eq([one, other]))
}

/// Returns whether a letter in lower case is a vowel, with whatever mark.
fn is_vowel(letter: char) -> bool {
    let mut base = None;
    decompose_canonical(letter, |part| {
        base.get_or_insert(part);
    });
    matches!(base, Some('a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'æ' | 'ø' | 'œ' | 'ı'))
}

fn lower(character: char) -> char {
    character.to_lowercase().next().unwrap_or(character)
}

const fn is_latin(character: char) -> bool {
    matches!(character, '\0'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}

/// Returns whether a character is a part of a box, or a block, as DOS drew them.
const fn is_box(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{259F}')
}
