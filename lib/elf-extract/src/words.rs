//! Splits texts into words that are compared without case and diacritics.

use std::borrow::Cow;
use std::iter::from_fn;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The maximum length of a markup element or character reference, in characters.
const MAX_MARKUP_CHARS: usize = 200;

/// Titles and particles, which are not names by themselves.
const PARTICLES: [&str; 40] = [
    "a", "al", "am", "and", "auf", "aus", "da", "de", "dei", "del", "della", "den", "der", "des", "di", "do",
    "dos", "dr", "du", "e", "el", "jr", "la", "las", "le", "les", "los", "miss", "mr", "mrs", "ms", "of",
    "sr", "st", "ten", "ter", "und", "van", "von", "y",
];

/// Returns whether a word in lower case is a title or a particle, and not a name by itself.
pub(crate) fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word)
}

/// Returns the words of a name that are not titles or particles. If there are no others, returns the last one.
pub(crate) fn significant_words(name: &str) -> Vec<&str> {
    let words = || split_words(name).filter(|word| word.chars().any(char::is_alphabetic));
    let significant: Vec<&str> = words().filter(|word| !is_particle(&fold(word))).collect();
    match significant.is_empty() {
        true => words().last().into_iter().collect(),
        false => significant,
    }
}

/// Words between two names, such as `Sissi or Sessi`.
const WORDS_BETWEEN_NAMES: [&str; 11] =
    ["aka", "alias", "and", "eller", "et", "och", "oder", "og", "or", "ou", "und"];

/// Returns whether a word stands between two names of a list.
pub(crate) fn is_between_names(word: &str) -> bool {
    WORDS_BETWEEN_NAMES.contains(&fold(word).as_str())
}

/// Words that are often written together with the next one: `Mc Donald`, `McDonald`; `O'Brien`, `OBrien`.
const NAME_PREFIXES: [&str; 39] = [
    "abu", "al", "ap", "ben", "bin", "d", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du",
    "el", "fitz", "het", "ibn", "l", "la", "las", "le", "los", "mac", "mc", "o", "san", "st", "te", "ten",
    "ter", "van", "vom", "von", "zu", "zum", "zur",
];

/// Returns the words of a text, in which prefixes of names are joined with the next word. `None` if there are none.
pub(crate) fn join_prefixes(text: &str) -> Option<String> {
    let is_prefix =
        |word: &str| word.len() <= 5 && NAME_PREFIXES.iter().any(|prefix| prefix.eq_ignore_ascii_case(word));
    split_words(text).any(is_prefix).then(|| {
        let mut joined = String::with_capacity(text.len());
        let mut prefix = String::new();
        for word in split_words(text) {
            if is_prefix(word) {
                prefix.push_str(word);
                continue;
            }
            // The whole has a capital if the name has one.
            match word.chars().next().is_some_and(char::is_uppercase) {
                true => joined.extend(
                    prefix.chars().take(1).flat_map(char::to_uppercase).chain(prefix.chars().skip(1)),
                ),
                false => joined.push_str(&prefix),
            }
            prefix.clear();
            joined.push_str(word);
            joined.push(' ');
        }
        joined + &prefix
    })
}

/// Returns a text without the apostrophes and hyphens between letters, which people write or leave out at will:
/// `Kaʻiulani`, `Anne-Marie`. `None` if there are none.
pub(crate) fn join_word_parts(text: &str) -> Option<String> {
    let mut joined = String::new();
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_mark = is_apostrophe(letter) || matches!(letter, '-' | '\u{2010}' | '\u{2011}');
        let mut is_in_word = || {
            before.is_some_and(char::is_alphabetic) && letters.peek().is_some_and(|next| next.is_alphabetic())
        };
        if !(is_mark && is_in_word()) {
            joined.push(letter);
        }
        before = Some(letter);
    }
    (joined.len() < text.len()).then_some(joined)
}

/// A word of a text, as the hashes of the words that it may mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// The hashes of the word itself, of the word without digits around it, without a final *s*,
    /// and with umlauts spelled as two letters.
    hashes: [Option<u64>; 4],
    is_letter: bool,
    /// True if the word starts with a capital, or in a script without capitals.
    may_be_name: bool,
}

impl Word {
    pub(crate) fn of(word: &str) -> Word {
        // A mark may have lost its letter.
        let mut letters = word.chars().filter(|c| c.is_alphanumeric());
        let first = letters.next();
        // Many scripts have no capitals.
        let may_be_name = first.is_some_and(|first| !first.is_lowercase());
        let is_letter = letters.next().is_none()
            && first.is_some_and(|first| first.is_alphabetic() && !is_script_without_spaces(first));
        let bare = word.trim_matches(|c: char| c.is_ascii_digit());
        let stem = bare.strip_suffix(['s', 'S']).filter(|stem| stem.chars().nth(1).is_some());
        let spelt_out = (!bare.is_ascii()).then(|| spellings(bare).nth(1)).flatten();
        let hashes = [
            Some(hash_word(word)),
            (bare.len() < word.len() && !bare.is_empty()).then(|| hash_word(bare)),
            stem.map(hash_word),
            spelt_out.map(|word| hash_word(&word)),
        ];
        Word { hashes, is_letter, may_be_name }
    }

    /// Returns the hash of the word itself.
    pub(crate) fn hash(&self) -> u64 {
        self.hashes[0].unwrap_or_default()
    }

    /// Returns the hashes of all words that the word may mean.
    pub(crate) fn hashes_of_readings(&self) -> impl Iterator<Item = u64> + use<> {
        self.hashes.into_iter().flatten()
    }

    /// Returns whether the word starts like a name: with a capital, or in a script without capitals.
    pub(crate) const fn may_be_name(&self) -> bool {
        self.may_be_name
    }

    /// Returns whether the word is a single letter.
    pub(crate) const fn is_letter(&self) -> bool {
        self.is_letter
    }
}

/// Returns the spellings of a word: in lower case without diacritics and, if it has umlauts or
/// similar letters, with two letters for each.
pub(crate) fn spellings(word: &str) -> impl Iterator<Item = String> {
    let plain = fold(word);
    let mut spelt_out = String::new();
    if !word.is_ascii() {
        for letter in word.nfkc().flat_map(char::to_lowercase) {
            match letter {
                'ä' | 'æ' => spelt_out.push_str("ae"),
                'ö' | 'ø' | 'œ' => spelt_out.push_str("oe"),
                'ü' => spelt_out.push_str("ue"),
                'å' => spelt_out.push_str("aa"),
                'đ' => spelt_out.push_str("dj"),
                other => spelt_out.extend(fold_letters(other.encode_utf8(&mut [0; 4]))),
            }
        }
    }
    let further = (!spelt_out.is_empty() && spelt_out != plain).then_some(spelt_out);
    std::iter::once(plain).chain(further)
}

/// Returns a text for comparing, without diacritics and in one case.
pub(crate) fn fold(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => fold_letters(text).collect(),
    }
}

/// Returns the letters of a text for comparing, without diacritics and in one case. `ß` has two
/// capitals.
fn fold_letters(text: &str) -> impl Iterator<Item = char> {
    let letters = text.nfkd().filter(|c| !is_combining_mark(*c) && !is_invisible(*c));
    let lower = letters.flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    lower.flat_map(|letter| {
        let [first, second] = plain_letters(letter);
        std::iter::once(first).chain((second != '\0').then_some(second))
    })
}

/// Returns the letters that people write instead of another one that Unicode does not decompose, such as a letter with a
/// stroke or the Persian form of an Arabic letter. The second one is U+0000 if there is only one.
const fn plain_letters(letter: char) -> [char; 2] {
    match letter {
        'ø' => ['o', '\0'],
        'ł' => ['l', '\0'],
        'đ' | 'ð' => ['d', '\0'],
        'ħ' => ['h', '\0'],
        'ŧ' => ['t', '\0'],
        'þ' => ['t', 'h'],
        'ى' | 'ی' => ['ي', '\0'],
        'ک' => ['ك', '\0'],
        'ة' => ['ه', '\0'],
        other => [other, '\0'],
    }
}

/// Returns a text in composed form, with plain letters and digits instead of wide ones and the like, so that words are
/// divided at the same places in every form.
pub(crate) fn compose(text: &str) -> Cow<'_, str> {
    match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfkc().collect()),
    }
}

/// Returns the words of a text.
///
/// Apostrophes and hyphens divide words, since they are also used as quotation marks and left out at will:
/// `O'Brien`, `O’Brien`, `Jean-Luc`, `Jean Luc`, `Strauss'`.
pub(crate) fn split_words(text: &str) -> impl Iterator<Item = &str> {
    split_words_around(text, |_| None)
}

/// Returns the words of a text without markup. At a `<` or `&`, `skipped` returns the number of
/// bytes to skip.
pub(crate) fn words_without_markup(
    text: &str,
    skipped: impl Fn(&str) -> Option<usize>,
) -> impl Iterator<Item = Word> {
    split_words_around(text, skipped).map(Word::of)
}

fn split_words_around(text: &str, skipped: impl Fn(&str) -> Option<usize>) -> impl Iterator<Item = &str> {
    let mut rest = text;
    from_fn(move || {
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '<' | '&' => skipped(rest),
                c if is_script_without_spaces(c) => return Some(take_prefix(&mut rest, first.len_utf8())),
                c if is_word_character(c) => {
                    let end = rest
                        .find(|c| !is_word_character(c) || is_script_without_spaces(c))
                        .unwrap_or(rest.len());
                    let word = take_prefix(&mut rest, end);
                    if word.chars().any(char::is_alphanumeric) {
                        return Some(word);
                    }
                    continue;
                }
                _ => None,
            };
            take_prefix(&mut rest, length.unwrap_or(first.len_utf8()));
        }
        None
    })
}

/// Returns a text without markup. Elements are removed and character references are decoded, so
/// that the parts of a word are joined.
pub(crate) fn remove_markup(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        plain.push_str(take_prefix(&mut rest, at));
        let length = markup_length(rest);
        let taken = take_prefix(&mut rest, length.unwrap_or(1));
        match length {
            Some(_) => plain.extend(decode_character_reference(taken)),
            None => plain.push_str(taken),
        }
    }
    plain.push_str(rest);
    plain
}

/// Decodes a character reference such as `&#252;` or `&uuml;`, and removes diacritics. `None` for
/// an invisible or unknown character, and for an element.
fn decode_character_reference(markup: &str) -> Option<char> {
    let name = markup.strip_prefix('&')?.strip_suffix(';')?;
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        };
        return code.and_then(char::from_u32);
    }
    match name {
        "amp" => Some('&'),
        "apos" | "lsquo" | "rsquo" => Some('\''),
        "nbsp" => Some(' '),
        "szlig" => Some('ß'),
        "AElig" | "aelig" => Some('æ'),
        _ => {
            let mut letters = name.chars();
            let letter = letters.next().filter(char::is_ascii_alphabetic)?;
            let accents = ["uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "caron", "slash"];
            accents.contains(&letters.as_str()).then_some(letter)
        }
    }
}

/// Decodes the percent escapes of a text. `None` if there are none.
pub(crate) fn decode_percent_escapes(text: &str) -> Option<String> {
    let octets = text.as_bytes();
    let mut decoded: Vec<u8> = Vec::with_capacity(octets.len());
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        let escaped = (octet == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        let escaped = escaped.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let escaped = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(escaped.unwrap_or(octet));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    (decoded.len() < octets.len()).then(|| String::from_utf8_lossy(&decoded).into_owned())
}

fn take_prefix<'t>(rest: &mut &'t str, octets: usize) -> &'t str {
    let (taken, left) = rest.split_at(octets);
    *rest = left;
    taken
}

/// Returns the length of the HTML element or character reference at the start of a text. Some
/// programs write notes in HTML.
pub(crate) fn markup_length(text: &str) -> Option<usize> {
    let mut inner = text.char_indices().skip(1).take(MAX_MARKUP_CHARS).peekable();
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

/// Returns the hash of a word, ignoring case and diacritics.
pub(crate) fn hash_word(word: &str) -> u64 {
    // FNV-1a. Most of the words of a file are looked up, so the hash must be quick.
    let add = |hash: u64, c: char| (hash ^ u64::from(c)).wrapping_mul(0x100_0000_01b3);
    match word.is_ascii() {
        true => word.bytes().map(|octet| char::from(octet.to_ascii_lowercase())).fold(FNV_OFFSET, add),
        false => fold_letters(word).fold(FNV_OFFSET, add),
    }
}

/// The hash of no characters.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns whether a character can be part of a word: a letter, a digit or a combining mark.
pub(crate) fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() && !is_apostrophe(c) || !c.is_ascii() && (is_combining_mark(c) || is_invisible(c))
}

/// Returns whether a character is an apostrophe, which people also write as a letter of its own.
pub(crate) const fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '´' | '\u{2B9}'..='\u{2BF}' | '\u{2C8}' | '\u{2CA}' | '\u{2CB}' | '\u{55A}' | '\u{5F3}'
            | '\u{7F4}' | '\u{7F5}' | '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{2035}' | '\u{A78B}' | '\u{A78C}'
    )
}

/// Returns whether a character is invisible, such as a soft hyphen, a joiner or a direction mark, or only makes a word
/// longer, such as the Arabic tatweel.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{61C}' | '\u{640}' | '\u{115F}' | '\u{1160}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E01EF}'
    )
}

/// Returns whether a character belongs to a script without spaces between words: Han, Kana or
/// Hangul.
pub(crate) const fn is_script_without_spaces(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

/// An odd number, multiplied into hashes to mix their bits.
const HASH_MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Extends the hash of a run of words by one more word.
pub(crate) const fn extend_hash(run: u64, word: u64) -> u64 {
    run.wrapping_mul(HASH_MULTIPLIER).wrapping_add(word)
}
