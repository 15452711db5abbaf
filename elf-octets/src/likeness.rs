//! Scores of how well octets read as names in an encoding of single octets, or in ANSEL.
//!
//! Each octet that is not ASCII is judged by its neighbours: an accented letter belongs into a word, in the
//! case of the letters around it; a vowel seldom is beside a vowel; a sign is hardly ever found in a
//! word, and no word mixes scripts. What letters there are together is judged by the alphabets of languages.
//! Both are sums of logarithms, and the encoding with the greatest is the likeliest. What stands apart from
//! words tells little.

use crate::Encoding;
use crate::ansel::{self, Cluster};
use crate::input_chunk::InputChunk;
use crate::languages::{self, FOREIGN, LANGUAGES, LanguageSet, UNKNOWN};
use crate::pages::Page;
use unicode_normalization::char::{compose, decompose_canonical};

/// The fit up to which a character does not belong where it stands.
const MISFIT: i64 = -25;

/// The number of octets beyond ASCII that are judged. More of them change nothing but the time it takes.
const MOST_JUDGED: usize = 1 << 14;

/// The handicap of the languages that LANG does not name, where it names one.
const NOT_NAMED: i64 = 60;

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
    /// The number of octets that make no sense in the encoding: they stand for nothing, for a mark that no
    /// letter has, or for a sign within a word.
    pub(crate) senseless: usize,
    /// True if parts of boxes are within a word, which shows that the octets are not in this encoding.
    pub(crate) boxed: bool,
    /// True if there is a language that has all letters in words: one of those that LANG names, if it names
    /// any.
    pub(crate) of_one_language: bool,
    /// The octets that are in words, by their number.
    pub(crate) in_words: [bool; 256],
}

impl Likelihood {
    /// Reads the octets of `window` that are not ASCII in `encoding`. `named` has the languages that LANG
    /// names.
    pub(crate) fn of(window: &[u8], encoding: Encoding, named: Option<LanguageSet>) -> Likelihood {
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
            if in_row(window, at) {
                at += 1;
                continue;
            }
            if let Some(end) = cut_marks(window, at).filter(|_| encoding == Encoding::Ansel) {
                at = end;
                continue;
            }
            if let Some(letters) = listing(window, at, page) {
                let end = at + letters.len();
                window[at..end].iter().for_each(|octet| reading.in_words[usize::from(*octet)] = true);
                letters.into_iter().for_each(|letter| reading.take_letter(letter, 0, &mut languages));
                (at, judged) = (end, judged + (end - at));
                continue;
            }
            let (spot, end) = if encoding == Encoding::Ansel {
                CharacterContext::in_ansel(window, at)
            } else {
                CharacterContext::in_page(window, at, page)
            };
            let high = window[at..end].iter().filter(|octet| !octet.is_ascii());
            let octets = high.clone().count();
            if spot.in_word() {
                high.for_each(|octet| reading.in_words[usize::from(*octet)] = true);
            }
            reading.take(spot, octets, &mut languages);
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

    /// Returns whether words hold only letters that fit, all of one language.
    pub(crate) const fn is_clean(&self) -> bool {
        self.misfits == 0 && self.fits > 0 && self.of_one_language
    }

    /// Adds what one character says, that so many octets beyond ASCII stand for.
    fn take(&mut self, spot: CharacterContext, octets: usize, languages: &mut [LanguageScore; LANGUAGES]) {
        if spot.is_exotic {
            self.likelihood -= EXOTIC;
            return;
        }
        let Some(character) = spot.character else {
            // Invalid bytes, or marks on characters that never have them.
            self.senseless += if spot.is_cut { 0 } else { octets };
            self.misfits += octets;
            self.likelihood -= 90 * i64::try_from(octets).unwrap_or(i64::MAX >> 8);
            return;
        };
        if !spot.in_word() {
            self.likelihood -= spot.oddity_apart(character);
            return;
        }
        self.likelihood += spot.consumed;
        self.boxed |= is_box(character) && spot.in_midst();
        self.take_letter(character, spot.fit(character), languages);
    }

    /// Adds what a character in a word says, if it fits so well where it stands.
    fn take_letter(&mut self, character: char, mut fit: i64, languages: &mut [LanguageScore; LANGUAGES]) {
        let is_letter = character.is_alphabetic() || is_tone(character);
        if is_letter {
            match languages::weights(lower(character)) {
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

/// The likelihood of one language by the letters in words.
#[derive(Clone, Copy, Debug, Default)]
struct LanguageScore {
    likelihood: i64,
    /// True if the language lacks one of the letters.
    lacks: bool,
}

/// A character that is not ASCII, and those around it.
#[derive(Clone, Copy, Debug)]
struct CharacterContext {
    /// `None` where octets stand for nothing, or for marks on nothing that has them.
    character: Option<char>,
    /// True for several marks on one letter, or half a mark, if no composed letter is like that.
    is_exotic: bool,
    /// True for marks at the end of a line, whose letter may have gone.
    is_cut: bool,
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

    fn in_ansel(window: &[u8], at: usize) -> (CharacterContext, usize) {
        let letter =
            |at: Option<usize>| at.and_then(|at| window.get(at)).and_then(|octet| ansel::letter(*octet));
        let before = letter(at.checked_sub(1));
        if let Some(pair) = ansel::pair(window, at) {
            return (CharacterContext::in_pair(window, at, pair), at + 2);
        }
        let cluster = Cluster::at(window, at);
        let end = cluster.end.max(at + 1);
        // If the next character has a mark, only its letter counts.
        let next = window.get(end).map(|octet| match ansel::mark(*octet) {
            Some(_) => letter(Cluster::at(window, end).end.checked_sub(1)),
            None => ansel::letter(*octet),
        });
        let marked = window.get(at).is_some_and(|octet| ansel::mark(*octet).is_some());
        let marks = if marked { &window[at..end - 1] } else { &[] };
        let base = letter(end.checked_sub(1)).filter(|base| marked && base.is_ascii_alphabetic());
        let character = if marked {
            base.and_then(|base| {
                let add = |base, mark: &u8| compose(base, ansel::mark(*mark)?);
                // Marks below a letter are in the opposite order.
                marks.iter().rev().try_fold(base, add).or_else(|| marks.iter().try_fold(base, add))
            })
        } else {
            letter(Some(at))
        };
        let is_half = matches!(marks, [0xEB | 0xEC | 0xFA | 0xFB]);
        let is_exotic = base.is_some() && character.is_none() && (marks.len() == 2 || is_half);
        let consumed = if marked && character.is_some() { 23 } else { 0 };
        let is_last = matches!(window.get(end), None | Some(b'\n' | b'\r'));
        let is_cut = is_last && ansel::mark(window[end - 1]).is_some();
        (CharacterContext { character, is_exotic, is_cut, before, after: next.flatten(), consumed }, end)
    }

    /// Two octets of Personal Ancestral File. Within a word they are most likely a letter of another encoding
    /// and the letter after it, unless they are a quotation mark or a hyphen there.
    fn in_pair(window: &[u8], at: usize, pair: char) -> CharacterContext {
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

    fn in_word(&self) -> bool {
        self.letter_before().is_some() || self.letter_after().is_some()
    }

    fn in_midst(&self) -> bool {
        self.letter_before().is_some() && self.letter_after().is_some()
    }

    /// Returns how odd a character is that stands apart from words.
    fn oddity_apart(&self, character: char) -> i64 {
        let beside = || self.high_beside();
        match character {
            _ if character.is_alphabetic() && languages::weights(lower(character)).is_none() => 40,
            // Irish and Portuguese have words of one letter.
            _ if character.is_alphabetic() && Script::of(character) == Script::Other => 40,
            // Drawings consist of box-drawing characters only.
            _ if is_box(character) && beside().any(|other| !is_box(other)) => 70,
            _ if is_box(character) => 45,
            // Adjacent symbols are more likely letters in another encoding.
            _ if beside().any(|other| !is_quotation(character) || !is_quotation(other)) => 70,
            _ => 15,
        }
    }

    /// The characters beside this one that are not ASCII.
    fn high_beside(&self) -> impl Iterator<Item = char> {
        [self.before, self.after].into_iter().flatten().filter(|other| !other.is_ascii())
    }

    /// Returns the fit of a character where it stands: a logarithm, 0 at best.
    fn fit(&self, character: char) -> i64 {
        if character.is_alphabetic() && !matches!(character, 'ª' | 'º') {
            if self.before == self.after && self.before == Some(character) {
                return TRIPLED;
            }
            let beside = [self.letter_before(), self.letter_after()];
            return self.fit_of_case(character)
                + match Script::of(character) {
                    own if beside.into_iter().flatten().any(|other| Script::of(other) != own) => MIXED,
                    Script::Latin => self.fit_of_letter(character),
                    Script::Other => self.fit_of_other_letter(character),
                };
        }
        let in_midst = self.in_midst();
        match character {
            _ if is_tone(character) => match self.letter_before() {
                Some(before) if is_vowel(lower(before)) => 0,
                _ => MIXED,
            },
            '’' if in_midst => -10,
            '´' if in_midst => -20,
            '\u{A0}' if !in_midst => -20,
            '\u{A0}' => -30,
            _ if is_quotation(character) && !in_midst => {
                let is_sign = |other: char| !other.is_alphabetic() && !is_quotation(other);
                let is_end = matches!(character, '…' | '\u{A0}') && self.letter_before().is_some();
                if self.high_beside().any(is_sign) {
                    -60
                } else if is_end {
                    -30
                } else {
                    -20
                }
            }
            'ª' | 'º' | '°' if self.letter_after().is_none() => -20,
            _ if in_midst || is_box(character) || self.high_beside().next().is_some() => -80,
            // Few symbols come directly before a word.
            '®' | '™' | '¹' | '²' | '³' | '€' | '°' | '´' if self.letter_after().is_some() => -65,
            '©' if self.letter_before().is_some() => -65,
            '©' | '®' | '™' | '½' | '¼' | '¾' | '¹' | '²' | '³' | '€' | '°' | 'ª' | 'º' | '´' | '§' | '†' => {
                -40
            }
            _ => -70,
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
                // Programs that write names in capitals often leave non-ASCII letters in lower case.
                (Some(before), Some(after)) if before.is_uppercase() && after.is_uppercase() => -12,
                (None, _) if character.is_lowercase() => -20,
                _ => 0,
            }
        }
    }

    /// Returns the fit of a letter that is not Latin to the letters around it.
    fn fit_of_other_letter(&self, character: char) -> i64 {
        let letter = lower(character);
        let (before, after) = (self.letter_before().map(lower), self.letter_after().map(lower));
        let doubled = if before == Some(letter) || after == Some(letter) { -5 } else { 0 };
        doubled
            + match (letter, before, after) {
                // Letters that never start a word, and letters that only end words.
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
        // Only a few languages have words with three non-ASCII letters in a row.
        if [before, after].into_iter().all(|one| one.is_some_and(|one| !one.is_ascii())) {
            fit -= 20;
        }
        fit + match (letter, before, after) {
            // Letters that never start a word, and letters that only start words.
            ('ğ' | 'ð', None, _) => -40,
            ('ğ', Some(before), _) if !is_vowel(before) => -40,
            ('þ', Some(_), _) => -30,
            // A diaeresis separates two vowels.
            ('ï', Some(before), _) if !is_vowel(before) => -25,
            ('ë', Some(before), _) if !is_vowel(before) => -12,
            ('ñ', _, Some(after)) if !is_vowel(after) => -40,
            ('ñ', _, None) => -25,
            ('ç', _, Some('a' | 'o' | 'u' | 'ã' | 'õ' | 'á' | 'ó' | 'ú' | 'â' | 'ô')) => 0,
            ('ç', _, None) => -15,
            ('ç', ..) => -35,
            ('ß', None, _) => -60,
            ('ß', Some(before), _) if !is_vowel(before) => -30,
            // Except on E, grave accents are only at the end of words.
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

/// Returns the letters of a list such as `ÆØÅæøå`, capitals and then their lower case, if one starts at `at`: no
/// word, but letters of one language.
fn listing(window: &[u8], at: usize, page: &Page) -> Option<Vec<char>> {
    let run = window[at..].iter().take(LONGEST_LISTING + 1).take_while(|octet| !octet.is_ascii());
    let letters: Vec<char> = run.map_while(|octet| page.character(*octet)).collect();
    if !(4..=LONGEST_LISTING).contains(&letters.len()) || letters.len() % 2 == 1 {
        return None;
    }
    let (capitals, rest) = letters.split_at(letters.len() / 2);
    let is_list = capitals.iter().zip(rest).all(|(one, other)| one.is_uppercase() && lower(*one) == *other);
    is_list.then_some(letters)
}

/// The most letters of a list.
const LONGEST_LISTING: usize = 20;

/// Returns the offset of the end of marks of ANSEL that CONC has cut from their letter, which tell nothing.
fn cut_marks(window: &[u8], at: usize) -> Option<usize> {
    let rest = window.get(at..)?;
    let marks = rest.iter().take_while(|octet| ansel::mark(**octet).is_some()).count();
    let chunk = InputChunk::whole(rest, 0);
    chunk.continuation(marks).filter(|_| marks > 0).map(|_| at + marks)
}

/// Returns whether the vowel `one` is often followed by the vowel `other`, where one of the two is accented.
fn is_natural(one: char, other: char) -> bool {
    const PAIRS: [&str; 45] = [
        "ía", "íe", "ío", "éa", "éi", "ée", "éo", "ái", "ói", "úi", "eá", "iá", "ié", "ió", "iú", "aí", "oí",
        "aú", "eó", "uí", "ué", "oé", "aé", "ão", "ãe", "ãi", "õe", "äi", "äy", "äu", "öy", "öi", "yö", "yä",
        "iä", "iö", "oë", "aï", "aë", "øy", "øe", "åe", "áu", "aî", "oî",
    ];
    PAIRS.iter().any(|pair| pair.chars().eq([one, other]))
}

/// Returns whether a letter in lower case is a vowel, with whatever mark.
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

/// Returns whether the script of a letter has vowels: Hebrew and Arabic write consonants.
const fn has_vowels(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{52F}')
}

fn lower(character: char) -> char {
    match character {
        // Its lower case would be an I with a combining dot.
        'İ' => 'İ',
        _ => character.to_lowercase().next().unwrap_or(character),
    }
}

/// The fit up to which a sign makes no sense where it stands.
const SENSELESS: i64 = -70;

/// The handicap of a letter with marks that no alphabet has, as scholars write it.
const EXOTIC: i64 = 50;

/// The fit of a letter between two of the same.
const TRIPLED: i64 = -80;

/// The fit of a letter beside one of another script.
const MIXED: i64 = -70;

/// Scripts that no word mixes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Other,
}

impl Script {
    const fn of(letter: char) -> Script {
        match letter {
            '\0'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
            _ => Script::Other,
        }
    }
}

/// Returns whether a character is a mark that windows-1258 has after the vowel it stands on.
const fn is_tone(character: char) -> bool {
    matches!(character, '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}')
}

/// Returns whether a character often is beside others that are not ASCII.
const fn is_quotation(character: char) -> bool {
    matches!(character, '’' | '‘' | '“' | '”' | '„' | '«' | '»' | '–' | '—' | '…' | '\u{A0}')
}

/// Returns whether a character is a part of a box, or a block, as DOS drew them.
const fn is_box(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{259F}')
}
