//! Scores how well bytes read as names in a single-byte encoding or in ANSEL.
//!
//! Each non-ASCII character is judged by its neighbours. An accented letter is part of a word and has the case of the
//! letters around it. Vowels are seldom side by side, a sign is hardly ever within a word, and no word mixes scripts.
//! All letters together are judged by the alphabets of languages. Both scores are sums of logarithms, and the encoding
//! with the greatest sum is the most likely. Characters outside words are weak evidence.

use crate::Encoding;
use crate::ansel::{self, Cluster};
use crate::input_chunk::InputChunk;
use crate::languages::{self, FOREIGN, LANGUAGES, LanguageSet, UNKNOWN};
use crate::pages::Page;
use unicode_normalization::char::{compose, decompose_canonical};

/// If a character has this fit or less, it does not belong to the place where it is.
const MISFIT: i64 = -25;

/// The greatest number of non-ASCII bytes that are examined. More bytes would take time and not change the result.
const MOST_JUDGED: usize = 1 << 14;

/// The handicap of the languages that LANG does not name, if it names a language.
const NOT_NAMED: i64 = 60;

/// The likelihood that some bytes are in an encoding, with the counts from which it is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Likelihood {
    pub(crate) encoding: Encoding,
    /// The likelihood, in tenths of a natural logarithm.
    pub(crate) likelihood: i64,
    /// The number of letters in words that fit their neighbours.
    pub(crate) fits: usize,
    /// The number of characters in words that do not fit their neighbours.
    pub(crate) misfits: usize,
    /// The number of bytes that make no sense. Such bytes have no meaning, or they are a mark without a suitable
    /// letter, or a sign within a word.
    pub(crate) senseless: usize,
    /// Whether a word contains parts of boxes. Parts of boxes in a word show that the encoding is wrong.
    pub(crate) boxed: bool,
    /// Whether one language has all letters of the words. If LANG names languages, only these languages are examined.
    pub(crate) of_one_language: bool,
    /// The non-ASCII bytes that occur in words.
    pub(crate) in_words: [bool; 256],
}

impl Likelihood {
    /// Computes the likelihood that the non-ASCII bytes of `window` are in `encoding`. `named` contains the languages
    /// that LANG names.
    pub(crate) fn of_octets(window: &[u8], encoding: Encoding, named: Option<LanguageSet>) -> Likelihood {
        let mut reading = Likelihood {
            encoding,
            likelihood: 0,
            fits: 0,
            misfits: 0,
            senseless: 0,
            boxed: false,
            of_one_language: false,
            in_words: [false; 256],
        };
        let page = Page::of(encoding, true);
        let mut languages = [LanguageScore::default(); LANGUAGES];
        let (mut at, mut judged) = (0, 0);
        while let Some(rest) = window.get(at..) {
            at += encoding_rs::Encoding::ascii_valid_up_to(rest);
            if at >= window.len() || judged >= MOST_JUDGED {
                break;
            }
            if alternates_with_letters(window, at) {
                at += 1;
                continue;
            }
            if let Some(end) = end_of_cut_marks(window, at).filter(|_| encoding == Encoding::Ansel) {
                at = end;
                continue;
            }
            if let Some(letters) = find_letter_list(window, at, page) {
                let end = at + letters.len();
                window[at..end].iter().for_each(|octet| reading.in_words[usize::from(*octet)] = true);
                letters.into_iter().for_each(|letter| reading.add_letter(letter, 0, &mut languages));
                (at, judged) = (end, judged + (end - at));
                continue;
            }
            let (spot, end) = if encoding == Encoding::Ansel {
                CharacterContext::decode_from_ansel(window, at)
            } else {
                CharacterContext::decode_from_page(window, at, page)
            };
            let high = window[at..end].iter().filter(|octet| !octet.is_ascii());
            let octets = high.clone().count();
            if spot.is_in_word() {
                high.for_each(|octet| reading.in_words[usize::from(*octet)] = true);
            }
            reading.add_character(spot, octets, &mut languages);
            judged += octets;
            at = end;
        }
        let handicap = |index| match named {
            Some(named) if !named.has(index) => NOT_NAMED,
            _ => 0,
        };
        let likelihoods = languages.iter().enumerate().map(|(index, one)| one.likelihood - handicap(index));
        reading.likelihood += likelihoods.max().unwrap_or_default();
        let is_named = |index| named.is_none_or(|named| named.has(index));
        reading.of_one_language =
            languages.iter().enumerate().any(|(index, language)| !language.lacks && is_named(index));
        reading
    }

    /// Returns whether all characters in words are letters of one language that fit their neighbours.
    pub(crate) const fn is_clean(&self) -> bool {
        self.misfits == 0 && self.fits > 0 && self.of_one_language
    }

    /// Adds the evidence of one character, which has `octets` non-ASCII bytes.
    fn add_character(
        &mut self,
        spot: CharacterContext,
        octets: usize,
        languages: &mut [LanguageScore; LANGUAGES],
    ) {
        if spot.is_exotic {
            self.likelihood -= EXOTIC;
            return;
        }
        let Some(character) = spot.character else {
            // These bytes have no meaning, or they are marks on a letter that never has such marks.
            self.senseless += if spot.is_cut { 0 } else { octets };
            self.misfits += octets;
            self.likelihood -= 90 * i64::try_from(octets).unwrap_or(i64::MAX >> 8);
            return;
        };
        if !spot.is_in_word() {
            self.likelihood -= spot.oddity_outside_words(character);
            return;
        }
        self.likelihood += spot.consumed;
        self.boxed |= is_box(character) && spot.is_inside_word();
        self.add_letter(character, spot.fit_of_character(character), languages);
    }

    /// Adds the evidence of a character in a word. `fit` is how well it fits its neighbours.
    fn add_letter(&mut self, character: char, mut fit: i64, languages: &mut [LanguageScore; LANGUAGES]) {
        let is_letter = character.is_alphabetic() || is_tone(character);
        if is_letter {
            match languages::letter_weights(to_lower_case(character)) {
                Some(weights) => {
                    for (language, weight) in languages.iter_mut().zip(weights) {
                        language.likelihood += i64::from(*weight);
                        language.lacks |= *weight <= FOREIGN;
                    }
                }
                None => fit += i64::from(UNKNOWN),
            }
        }
        self.likelihood += fit;
        if fit <= MISFIT {
            self.misfits += 1;
            self.senseless += usize::from(!is_letter && fit <= SENSELESS);
        } else if is_letter {
            self.fits += 1;
        }
    }
}

/// The likelihood that the letters in words belong to one language.
#[derive(Clone, Copy, Debug, Default)]
struct LanguageScore {
    likelihood: i64,
    /// Whether the language does not have one of the letters.
    lacks: bool,
}

/// A non-ASCII character and its neighbours.
#[derive(Clone, Copy, Debug)]
struct CharacterContext {
    /// The character. `None` for bytes without a meaning, and for marks on a character that never has such marks.
    character: Option<char>,
    /// Whether a letter has several marks, or half a mark, and Unicode has no composed character for it.
    is_exotic: bool,
    /// Whether the character consists of marks at the end of a line. CONC may have moved the letter of the marks to the
    /// next line.
    is_cut: bool,
    before: Option<char>,
    after: Option<char>,
    /// A logarithm that is added if the character includes a neighbouring letter. Other encodings score that letter
    /// separately.
    consumed: i64,
}

impl CharacterContext {
    fn decode_from_page(window: &[u8], at: usize, page: &Page) -> (CharacterContext, usize) {
        let character =
            |at: Option<usize>| at.and_then(|at| window.get(at)).and_then(|octet| page.character(*octet));
        let here = character(Some(at));
        let mut after = character(Some(at + 1));
        if after.is_some_and(is_tone) && !here.is_some_and(is_tone) {
            after = character(Some(at + 2));
        }
        let mut before = character(at.checked_sub(1));
        if before.is_some_and(is_tone) {
            before = character(at.checked_sub(2));
        }
        let spot = CharacterContext {
            character: here.filter(|character| !character.is_control()),
            is_exotic: false,
            is_cut: false,
            before,
            after,
            consumed: 0,
        };
        (spot, at + 1)
    }

    fn decode_from_ansel(window: &[u8], at: usize) -> (CharacterContext, usize) {
        let letter = |at: Option<usize>| {
            at.and_then(|at| window.get(at)).and_then(|octet| ansel::letter_character(*octet))
        };
        let before = letter(at.checked_sub(1));
        if let Some(pair) = ansel::pair_character(window, at) {
            return (CharacterContext::decode_from_pair(window, at, pair), at + 2);
        }
        let cluster = Cluster::starting_at(window, at);
        let end = cluster.end.max(at + 1);
        // If the next character has a mark, compare with its letter only.
        let next = window.get(end).map(|octet| match ansel::mark_character(*octet) {
            Some(_) => letter(Cluster::starting_at(window, end).end.checked_sub(1)),
            None => ansel::letter_character(*octet),
        });
        let marked = window.get(at).is_some_and(|octet| ansel::mark_character(*octet).is_some());
        let marks = if marked { &window[at..end - 1] } else { &[] };
        let base = letter(end.checked_sub(1)).filter(|base| marked && base.is_ascii_alphabetic());
        let character = if marked {
            base.and_then(|base| {
                let add = |base, mark: &u8| compose(base, ansel::mark_character(*mark)?);
                // Also try the opposite order, because marks below a letter come in the opposite order.
                marks.iter().rev().try_fold(base, add).or_else(|| marks.iter().try_fold(base, add))
            })
        } else {
            letter(Some(at))
        };
        let is_half = matches!(marks, [0xEB | 0xEC | 0xFA | 0xFB]);
        let is_exotic = base.is_some() && character.is_none() && (marks.len() == 2 || is_half);
        let consumed = if marked && character.is_some() { 23 } else { 0 };
        let is_last = matches!(window.get(end), None | Some(b'\n' | b'\r'));
        let is_cut = is_last && ansel::mark_character(window[end - 1]).is_some();
        (CharacterContext { character, is_exotic, is_cut, before, after: next.flatten(), consumed }, end)
    }

    /// Judges two bytes that are one character of Personal Ancestral File. Within a word, they are most likely two
    /// letters of another encoding, unless the character is a quotation mark or a hyphen.
    fn decode_from_pair(window: &[u8], at: usize, pair: char) -> CharacterContext {
        let ascii = |at: Option<usize>| at.and_then(|at| window.get(at)).filter(|octet| octet.is_ascii());
        let before = ascii(at.checked_sub(1)).map(|octet| char::from(*octet));
        let after = ascii(Some(at + 2)).map(|octet| char::from(*octet));
        let stands = match pair {
            '‘' | '’' | '–' | '—' | '\u{AD}' => true,
            _ => ![before, after].into_iter().flatten().any(char::is_alphabetic),
        };
        let character = Some(pair).filter(|_| stands);
        CharacterContext { character, is_exotic: false, is_cut: false, before, after, consumed: 0 }
    }

    fn letter_before(&self) -> Option<char> {
        self.before.filter(|character| character.is_alphabetic())
    }

    fn letter_after(&self) -> Option<char> {
        self.after.filter(|character| character.is_alphabetic())
    }

    fn is_in_word(&self) -> bool {
        self.letter_before().is_some() || self.letter_after().is_some()
    }

    fn is_inside_word(&self) -> bool {
        self.letter_before().is_some() && self.letter_after().is_some()
    }

    /// Returns how unusual a character is outside words, as a score.
    fn oddity_outside_words(&self, character: char) -> i64 {
        let beside = || self.non_ascii_neighbours();
        match character {
            _ if character.is_alphabetic()
                && languages::letter_weights(to_lower_case(character)).is_none() =>
            {
                40
            }
            // Only Irish and Portuguese have words of one such letter.
            _ if character.is_alphabetic() && Script::of_letter(character) == Script::Other => 40,
            // A drawing consists of box-drawing characters only.
            _ if is_box(character) && beside().any(|other| !is_box(other)) => 70,
            _ if is_box(character) => 45,
            // Symbols that stand side by side are probably letters in another encoding.
            _ if beside().any(|other| !is_quotation(character) || !is_quotation(other)) => 70,
            _ => 15,
        }
    }

    fn non_ascii_neighbours(&self) -> impl Iterator<Item = char> {
        [self.before, self.after].into_iter().flatten().filter(|other| !other.is_ascii())
    }

    /// Returns how well a character fits its neighbours. The result is a logarithm of at most 0.
    fn fit_of_character(&self, character: char) -> i64 {
        if character.is_alphabetic() && !matches!(character, 'ª' | 'º') {
            if self.before == self.after && self.before == Some(character) {
                return TRIPLED;
            }
            let beside = [self.letter_before(), self.letter_after()];
            return self.fit_of_case(character)
                + match Script::of_letter(character) {
                    own if beside.into_iter().flatten().any(|other| Script::of_letter(other) != own) => MIXED,
                    Script::Latin => self.fit_of_letter(character),
                    Script::Other => self.fit_of_other_letter(character),
                };
        }
        let in_midst = self.is_inside_word();
        match character {
            _ if is_tone(character) => match self.letter_before() {
                Some(before) if is_vowel(to_lower_case(before)) => 0,
                _ => MIXED,
            },
            '’' if in_midst => -10,
            '´' if in_midst => -20,
            '\u{A0}' if !in_midst => -20,
            '\u{A0}' => -30,
            _ if is_quotation(character) && !in_midst => {
                let is_sign = |other: char| !other.is_alphabetic() && !is_quotation(other);
                let is_end = matches!(character, '…' | '\u{A0}') && self.letter_before().is_some();
                if self.non_ascii_neighbours().any(is_sign) {
                    -60
                } else if is_end {
                    -30
                } else {
                    -20
                }
            }
            'ª' | 'º' | '°' if self.letter_after().is_none() => -20,
            _ if in_midst || is_box(character) || self.non_ascii_neighbours().next().is_some() => -80,
            // These symbols do not come directly before a word.
            '®' | '™' | '¹' | '²' | '³' | '€' | '°' | '´' if self.letter_after().is_some() => -65,
            '©' if self.letter_before().is_some() => -65,
            '©' | '®' | '™' | '½' | '¼' | '¾' | '¹' | '²' | '³' | '€' | '°' | 'ª' | 'º' | '´' | '§' | '†' => {
                -40
            }
            _ => -70,
        }
    }

    /// Returns how well the case of a letter fits the letters around it.
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
                // Programs that write names in capitals often leave non-ASCII letters in lower case.
                (Some(before), Some(after)) if before.is_uppercase() && after.is_uppercase() => -12,
                (None, _) if character.is_lowercase() => -20,
                _ => 0,
            }
        }
    }

    /// Returns how well a letter that is not Latin fits the letters around it.
    fn fit_of_other_letter(&self, character: char) -> i64 {
        let letter = to_lower_case(character);
        let (before, after) =
            (self.letter_before().map(to_lower_case), self.letter_after().map(to_lower_case));
        let doubled = if before == Some(letter) || after == Some(letter) { -5 } else { 0 };
        doubled
            + match (letter, before, after) {
                // These are letters that never start a word, and letters that only end words.
                ('ь' | 'ъ' | 'ы' | 'ϊ' | 'ϋ' | 'ΐ' | 'ΰ', None, _) => -40,
                ('ς' | 'ך' | 'ם' | 'ן' | 'ף' | 'ץ' | 'ة' | 'ى', _, Some(_)) => -40,
                ('σ' | 'כ' | 'מ' | 'נ' | 'פ' | 'צ', _, None) => -30,
                _ if has_vowels(letter) => {
                    let vowels = [before, Some(letter), after].map(|one| one.map(is_vowel));
                    match vowels {
                        [Some(false), Some(false), Some(false)] | [Some(true), Some(true), Some(true)] => -15,
                        _ => 0,
                    }
                }
                _ => 0,
            }
    }

    /// Returns how well a Latin letter fits the letters around it.
    fn fit_of_letter(&self, character: char) -> i64 {
        let letter = to_lower_case(character);
        let (before, after) =
            (self.letter_before().map(to_lower_case), self.letter_after().map(to_lower_case));
        let mut fit = 0;
        if before == Some(letter) || after == Some(letter) {
            fit += match letter {
                'ä' | 'ö' => 0,
                'å' => -20,
                _ => -45,
            };
        } else if is_vowel(letter) {
            let beside = |one: Option<char>, other: Option<char>| match (one, other) {
                (Some(one), Some(other)) if is_vowel(one) && is_vowel(other) => {
                    !is_common_vowel_pair(one, other)
                }
                _ => false,
            };
            fit -= 18 * i64::from(beside(Some(letter), after)) + 12 * i64::from(beside(before, Some(letter)));
        }
        // Only a few languages have words with three successive non-ASCII letters.
        if [before, after].into_iter().all(|one| one.is_some_and(|one| !one.is_ascii())) {
            fit -= 20;
        }
        fit + match (letter, before, after) {
            // These are letters that never start a word, and letters that only start words.
            ('ğ' | 'ð', None, _) => -40,
            ('ğ', Some(before), _) if !is_vowel(before) => -40,
            ('þ', Some(_), _) => -30,
            // The letter ï follows a vowel, because its diaeresis separates two vowels.
            ('ï', Some(before), _) if !is_vowel(before) => -25,
            ('ë', Some(before), _) if !is_vowel(before) => -12,
            ('ñ', _, Some(after)) if !is_vowel(after) => -40,
            ('ñ', _, None) => -25,
            ('ç', _, Some('a' | 'o' | 'u' | 'ã' | 'õ' | 'á' | 'ó' | 'ú' | 'â' | 'ô')) => 0,
            ('ç', _, None) => -15,
            ('ç', ..) => -35,
            ('ß', None, _) => -60,
            ('ß', Some(before), _) if !is_vowel(before) => -30,
            // Grave accents on other letters than E occur only at the end of words.
            ('ò' | 'ì' | 'ù', _, Some(_)) => -25,
            ('à', _, Some(_)) => -15,
            ('ã', _, Some('o' | 'e' | 'i')) | ('õ', _, Some('e')) => 5,
            ('ã', _, Some(_)) | ('õ', ..) => -25,
            ('â' | 'ê' | 'î' | 'ô' | 'û', _, None) => -20,
            // R and L can form a syllable, so any consonant can follow them.
            (_, Some('r' | 'l'), _) => 0,
            (_, Some(before), Some(after)) if ![before, letter, after].into_iter().any(is_vowel) => -26,
            _ => 0,
        }
    }
}

/// Returns whether a byte is one of at least three bytes that alternate with letters. Test files have alphabets in
/// which every second character is such a byte. These alphabets are not words, so they prove nothing.
fn alternates_with_letters(window: &[u8], at: usize) -> bool {
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

/// Returns the letters of a list at `at`, such as `ÆØÅæøå`, which has capitals and then their lower case. Such a list
/// is not a word, but its letters belong to one language.
fn find_letter_list(window: &[u8], at: usize, page: &Page) -> Option<Vec<char>> {
    let run = window[at..].iter().take(LONGEST_LISTING + 1).take_while(|octet| !octet.is_ascii());
    let letters: Vec<char> = run.map_while(|octet| page.character(*octet)).collect();
    if !(4..=LONGEST_LISTING).contains(&letters.len()) || letters.len() % 2 == 1 {
        return None;
    }
    let (capitals, rest) = letters.split_at(letters.len() / 2);
    let is_list =
        capitals.iter().zip(rest).all(|(one, other)| one.is_uppercase() && to_lower_case(*one) == *other);
    is_list.then_some(letters)
}

/// The greatest number of letters in a list.
const LONGEST_LISTING: usize = 20;

/// Returns the end of ANSEL marks whose letter CONC has moved to the next line. Such marks prove nothing.
fn end_of_cut_marks(window: &[u8], at: usize) -> Option<usize> {
    let rest = window.get(at..)?;
    let marks = rest.iter().take_while(|octet| ansel::mark_character(**octet).is_some()).count();
    let chunk = InputChunk::whole(rest, 0);
    chunk.conc_continuation(marks).filter(|_| marks > 0).map(|_| at + marks)
}

/// Returns whether the vowel `other` often follows the vowel `one`, when one of them has an accent.
fn is_common_vowel_pair(one: char, other: char) -> bool {
    const PAIRS: [&str; 45] = [
        "ía", "íe", "ío", "éa", "éi", "ée", "éo", "ái", "ói", "úi", "eá", "iá", "ié", "ió", "iú", "aí", "oí",
        "aú", "eó", "uí", "ué", "oé", "aé", "ão", "ãe", "ãi", "õe", "äi", "äy", "äu", "öy", "öi", "yö", "yä",
        "iä", "iö", "oë", "aï", "aë", "øy", "øe", "åe", "áu", "aî", "oî",
    ];
    PAIRS.iter().any(|pair| pair.chars().eq([one, other]))
}

/// Returns whether a lower-case letter is a vowel, with or without marks.
fn is_vowel(letter: char) -> bool {
    let mut base = None;
    decompose_canonical(letter, |part| {
        base.get_or_insert(part);
    });
    matches!(
        base,
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'æ' | 'ø' | 'œ' | 'ı' | 'ơ' | 'ư')
            | Some('а' | 'е' | 'и' | 'о' | 'у' | 'ы' | 'э' | 'ю' | 'я' | 'і' | 'є' | 'ъ')
            | Some('α' | 'ε' | 'η' | 'ι' | 'ο' | 'υ' | 'ω')
    )
}

/// Returns whether the script of a letter has letters for vowels. Hebrew and Arabic have none.
const fn has_vowels(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{52F}')
}

fn to_lower_case(character: char) -> char {
    match character {
        // The lower case of this letter would be an I with a combining dot.
        'İ' => 'İ',
        _ => character.to_lowercase().next().unwrap_or(character),
    }
}

/// If a sign has this fit or less, it makes no sense at its place.
const SENSELESS: i64 = -70;

/// The handicap of a letter with marks that no alphabet has. Such letters occur in scholarly texts.
const EXOTIC: i64 = 50;

/// The fit of a letter that stands between two copies of itself.
const TRIPLED: i64 = -80;

/// The fit of a letter that stands next to a letter of another script.
const MIXED: i64 = -70;

/// The scripts of letters. A word never mixes scripts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Other,
}

impl Script {
    const fn of_letter(letter: char) -> Script {
        match letter {
            '\0'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
            _ => Script::Other,
        }
    }
}

/// Returns whether a character is a combining mark of windows-1258, which comes after its vowel.
const fn is_tone(character: char) -> bool {
    matches!(character, '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}')
}

/// Returns whether a character is often next to another non-ASCII character.
const fn is_quotation(character: char) -> bool {
    matches!(character, '’' | '‘' | '“' | '”' | '„' | '«' | '»' | '–' | '—' | '…' | '\u{A0}')
}

const fn is_box(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{259F}')
}
