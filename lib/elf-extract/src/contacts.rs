//! Addresses and numbers of hidden people, and how they are found in texts about others: e-mail addresses, web pages,
//! telephone numbers, street addresses, and the numbers by which authorities and programs know a person.

use crate::words::{extend_hash, fold, hash_word, split_words};
use elf_schema::elf_values::Calendar;
use std::collections::HashSet;
use std::ops::Range;

/// The number of last digits by which telephone numbers are compared. The digits before them may be left out or written in
/// several ways: `+49 30 1234567`, `030 1234567`.
const COMPARED_DIGITS: u32 = 7;

/// The least number of digits of a telephone number.
const LEAST_DIGITS: u32 = 6;

/// Characters between the digits of a telephone number.
const BETWEEN_DIGITS: [char; 8] = [' ', '-', '.', '/', '(', ')', '+', '\u{A0}'];

/// The tags of telephone and fax numbers, as a part of the tag.
const NUMBER_TAGS: [&str; 7] = ["PHON", "FAX", "MOBIL", "CELL", "CONTACT", "_FON", "_TEL"];

/// The tags of web pages, as a part of the tag.
const PAGE_TAGS: [&str; 3] = ["WWW", "URL", "WEB"];

/// The tags of addresses of any kind, as a part of the tag.
const ADDRESS_TAGS: [&str; 2] = ["ADDR", "MAIL"];

/// The tags of numbers by which an authority or a program knows a person, without leading underscores.
const CODE_TAGS: [&str; 11] =
    ["AFN", "EXID", "FSFTID", "FSID", "FID", "IDNO", "REFN", "RFN", "RIN", "SSN", "UID"];

/// The tags of facts that are only a number in some files, such as a social security number.
const FACT_TAGS: [&str; 3] = ["EVEN", "FACT", "_ATTR"];

/// Vendor tags of numbers of kits and documents, as a part of the tag.
const DOCUMENT_TAGS: [&str; 4] = ["DNA", "GEDMATCH", "KIT", "PASSPORT"];

/// The tags of street addresses.
const STREET_TAGS: [&str; 4] = ["ADDR", "ADR1", "ADR2", "ADR3"];

/// The tags of texts that are a street address only if they contain a word such as `street`.
const PLACE_TAGS: [&str; 6] = ["EVEN", "FACT", "PLAC", "PROP", "RESI", "_ATTR"];

/// The words before a telephone number, in lower case and without diacritics.
const WORDS_BEFORE_NUMBER: [&str; 16] = [
    "call",
    "cell",
    "fax",
    "handy",
    "mob",
    "mobil",
    "mobile",
    "number",
    "nummer",
    "phone",
    "tel",
    "telefon",
    "telefonnummer",
    "telefono",
    "telephone",
    "telnr",
];

/// The least number of letters and digits of a code. A shorter one may be anything.
const LEAST_CODE: usize = 5;

/// The same for a code of digits alone.
const LEAST_CODE_OF_DIGITS: usize = 6;

/// The largest number of letters and digits of a code.
const MOST_CODE: usize = 40;

/// The largest number of words of a code, and of the words of a street address that are compared.
const MOST_WORDS: usize = 8;

/// The least number of digits of a postal code.
const LEAST_POSTAL_CODE: usize = 4;

/// The words before the number of a flat or a postbox, in addresses whose next line may be the street.
const UNITS: [&str; 14] = [
    "apartment",
    "apt",
    "box",
    "flat",
    "floor",
    "no",
    "postfach",
    "room",
    "stock",
    "suite",
    "top",
    "tur",
    "unit",
    "wohnung",
];

/// The ends of street names, and what is compared instead.
const STREET_ENDS: [(&str, &str); 13] = [
    ("strasse", "str"),
    ("street", "st"),
    ("avenue", "ave"),
    ("road", "rd"),
    ("lane", "ln"),
    ("drive", "dr"),
    ("gasse", "g"),
    ("boulevard", "blvd"),
    ("court", "ct"),
    ("place", "pl"),
    ("square", "sq"),
    ("terrace", "ter"),
    ("highway", "hwy"),
];

/// The ends of other words for a street, after its name.
const OTHER_STREET_ENDS: [&str; 15] = [
    "allee", "close", "gata", "gatan", "gracht", "kade", "laan", "plats", "platz", "plein", "singel",
    "straat", "vagen", "vej", "weg",
];

/// Short words for a street, after its name.
const SHORT_STREET_ENDS: [&str; 13] =
    ["ave", "blvd", "ct", "dr", "hwy", "ln", "pl", "rd", "sq", "st", "str", "ter", "way"];

/// Words for a street before its name: `rue Pasteur`.
const STREET_STARTS: [&str; 17] = [
    "av",
    "avenida",
    "avenue",
    "boulevard",
    "calle",
    "chemin",
    "corso",
    "largo",
    "piazza",
    "place",
    "plaza",
    "rua",
    "rue",
    "ul",
    "ulica",
    "via",
    "viale",
];

/// Words before the number of a house.
const WORDS_BEFORE_HOUSE_NUMBER: [&str; 5] = ["n", "no", "nr", "num", "numero"];

/// The largest number of words between the number of a house and the word for a street.
const MOST_WORDS_OF_STREET: usize = 4;

/// Addresses and numbers, by their hashes. A collision only causes a text to be reported without need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contacts {
    /// E-mail addresses and web pages.
    addresses: HashSet<u64>,
    numbers: HashSet<u64>,
    /// The numbers by which authorities and programs know people.
    codes: HashSet<u64>,
    /// Street addresses, as runs of words.
    streets: HashSet<u64>,
    /// For each number of words, whether a street address has that number of words.
    street_lengths: [bool; MOST_WORDS + 1],
}

/// Returns whether a tag is one of a street address, or of a number by which an authority or a program knows a person. Two
/// people can have the same one.
pub(crate) fn is_particular_tag(tag: &str) -> bool {
    is_code_tag(tag) || STREET_TAGS.contains(&tag)
}

fn is_code_tag(tag: &str) -> bool {
    CODE_TAGS.contains(&tag.trim_start_matches('_'))
}

/// Returns whether a tag is one of an address: of a house, an e-mail address, a web page, a telephone or fax number.
pub(crate) fn is_contact_tag(tag: &str) -> bool {
    contains_any(tag, &NUMBER_TAGS) || contains_any(tag, &PAGE_TAGS) || contains_any(tag, &ADDRESS_TAGS)
}

fn contains_any(tag: &str, words: &[&str]) -> bool {
    let tag = tag.to_ascii_uppercase();
    words.iter().any(|word| tag.contains(word))
}

impl Contacts {
    /// Returns whether there is a street address or a code.
    pub(crate) fn has_particulars(&self) -> bool {
        !self.codes.is_empty() || !self.streets.is_empty()
    }

    /// Adds the street address or the code in a structure of a hidden person.
    pub(crate) fn add_particulars(&mut self, tag: &str, text: &str) {
        let is_number = || text.chars().all(|c| c.is_ascii_digit() || BETWEEN_DIGITS.contains(&c));
        let is_document = contains_any(tag, &DOCUMENT_TAGS);
        let may_be_number = is_document || FACT_TAGS.contains(&tag);
        if is_code_tag(tag) || may_be_number && is_number() && !is_date(text) {
            self.add_code(text);
        }
        match may_be_number || tag == "TYPE" {
            true => codes_with_letters(text).for_each(|code| self.add_code(code)),
            false => security_numbers(text).for_each(|code| self.add_code(code)),
        }
        if STREET_TAGS.contains(&tag) {
            for part in streets_of(text).into_iter().filter(|part| !is_only_unit(part)) {
                let words = street_words(part);
                self.add_words_of_street(&words[..words.len().min(MOST_WORDS)]);
                self.add_streets_in(&words);
            }
        } else if PLACE_TAGS.contains(&tag) {
            parts_of_address(text).into_iter().for_each(|part| self.add_streets_in(&street_words(part)));
        }
    }

    fn add_code(&mut self, text: &str) {
        let words: Vec<&str> = code_words(text).take(MOST_WORDS).collect();
        self.codes.extend(Code::default().with_words(&words).key());
    }

    /// Adds the streets in a part of an address.
    fn add_streets_in(&mut self, words: &[StreetWord]) {
        for street in streets_in(words) {
            self.add_words_of_street(&words[street]);
        }
    }

    /// Adds the words of a street with the number of a house, which may be before or after the street.
    fn add_words_of_street(&mut self, words: &[StreetWord]) {
        // A number alone is not a street.
        if words.len() < 2 || words.iter().all(|word| word.is_number) {
            return;
        }
        let mut hashes: Vec<u64> = words.iter().map(|word| word.hash).collect();
        let mut add = |hashes: &[u64]| {
            self.streets.insert(hashes.iter().fold(0, |run, word| extend_hash(run, *word)));
            self.street_lengths[hashes.len()] = true;
        };
        add(&hashes);
        let is_number = |word: Option<&StreetWord>| word.is_some_and(|word| word.is_number);
        match (is_number(words.first()), is_number(words.last())) {
            (true, false) => hashes.rotate_left(1),
            (false, true) => hashes.rotate_right(1),
            (true, true) | (false, false) => return,
        }
        add(&hashes);
    }

    /// Returns whether a text contains one of the street addresses or codes.
    pub(crate) fn particulars_occur_in(&self, text: &str) -> bool {
        text.contains(|c: char| c.is_ascii_digit())
            && (self.codes_occur_in(text) || self.streets_occur_in(text))
    }

    fn codes_occur_in(&self, text: &str) -> bool {
        if self.codes.is_empty() {
            return false;
        }
        let words: Vec<&str> = code_words(text).collect();
        (0..words.len()).any(|start| {
            let mut code = Code::default();
            words[start..].iter().take(MOST_WORDS).any(|word| {
                code = code.with_words(&[word]);
                code.key().is_some_and(|key| self.codes.contains(&key))
            })
        })
    }

    fn streets_occur_in(&self, text: &str) -> bool {
        if self.streets.is_empty() {
            return false;
        }
        // The hashes of the runs of words that end with the current word, the shortest first.
        let mut runs = [0_u64; MOST_WORDS];
        street_words(text).into_iter().zip(1..).any(|(word, count)| {
            for length in (1..=MOST_WORDS).rev() {
                runs[length - 1] = extend_hash(if length == 1 { 0 } else { runs[length - 2] }, word.hash);
            }
            (1..=MOST_WORDS.min(count))
                .any(|length| self.street_lengths[length] && self.streets.contains(&runs[length - 1]))
        })
    }

    /// Adds what a structure of a hidden record contains: e-mail addresses in any text, telephone numbers if the tag or the
    /// words before them say so, and the pages of its tag.
    pub(crate) fn add(&mut self, tag: &str, text: &str) {
        self.addresses.extend(mail_addresses(text).map(MailAddress::hash));
        if contains_any(tag, &PAGE_TAGS) {
            self.addresses.extend(pages(text).map(hash_word));
        }
        match contains_any(tag, &NUMBER_TAGS) {
            true => self.add_numbers(text),
            false => telephone_numbers(text).for_each(|number| self.add_numbers(number)),
        }
    }

    /// Adds the links in a text that people write.
    pub(crate) fn add_links(&mut self, text: &str) {
        self.addresses.extend(links(text).map(hash_word));
    }

    fn add_numbers(&mut self, text: &str) {
        for number in digit_groups(text).filter(|number| number.is_whole) {
            let last = |digits: u32| DigitGroup {
                count: digits,
                value: number.value % 10_u64.pow(digits),
                ..number
            };
            // A number that is too short has no last digits to compare.
            if let Some(key) = number.key() {
                self.numbers.extend(last(LEAST_DIGITS).key().into_iter().chain([key]));
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &Contacts) {
        self.addresses.extend(&other.addresses);
        self.numbers.extend(&other.numbers);
        self.codes.extend(&other.codes);
        self.streets.extend(&other.streets);
        self.street_lengths.iter_mut().zip(other.street_lengths).for_each(|(known, length)| *known |= length);
    }

    /// Returns whether all addresses and numbers of `other` are among these.
    pub(crate) fn contains(&self, other: &Contacts) -> bool {
        self.addresses.is_superset(&other.addresses)
            && self.numbers.is_superset(&other.numbers)
            && self.codes.is_superset(&other.codes)
            && self.streets.is_superset(&other.streets)
    }

    /// Returns whether a text contains one of the addresses or numbers.
    pub(crate) fn occur_in(&self, text: &str) -> bool {
        let has_page = |page: &str| self.addresses.contains(&hash_word(page));
        let has_address = |address: MailAddress<'_>| self.addresses.contains(&address.hash());
        let has_number = |number: DigitGroup| number.key().is_some_and(|key| self.numbers.contains(&key));
        !self.addresses.is_empty() && (mail_addresses(text).any(has_address) || pages(text).any(has_page))
            || !self.numbers.is_empty() && digit_groups(text).any(has_number)
    }
}

/// The letters and digits of a code, so far.
#[derive(Clone, Copy, Debug, Default)]
struct Code {
    hash: u64,
    letters: usize,
    digits: usize,
}

impl Code {
    fn with_words(self, words: &[&str]) -> Code {
        words.iter().flat_map(|word| word.bytes()).fold(self, |code, octet| Code {
            hash: extend_hash(code.hash, u64::from(octet.to_ascii_lowercase())),
            letters: code.letters + usize::from(!octet.is_ascii_digit()),
            digits: code.digits + usize::from(octet.is_ascii_digit()),
        })
    }

    /// Returns what is compared; `None` if this is too short or too long for a code, or has no digit.
    fn key(self) -> Option<u64> {
        let least = if self.letters == 0 { LEAST_CODE_OF_DIGITS } else { LEAST_CODE };
        let length = self.letters + self.digits;
        (self.digits > 0 && (least..=MOST_CODE).contains(&length)).then_some(self.hash)
    }
}

/// Returns the words that may be parts of a code. Programs differ in the signs between them.
fn code_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns whether a part of an address names a street with the number of a house.
fn is_street(part: &str) -> bool {
    let has = |is_of: fn(&char) -> bool| part.chars().any(|c| is_of(&c));
    has(char::is_ascii_digit) && has(|c| c.is_alphabetic()) && split_words(part).nth(1).is_some()
}

/// Returns the parts of an address that name a street or a part of a house. The others are towns with postal codes, which
/// many people share: after the street, parts that end with a code, as `NY 10001`, and parts that start with one, as `8010
/// Graz`. If one ends with a code, a number at the start of another is that of a house. What may be either is a street.
fn streets_of(address: &str) -> Vec<&str> {
    let is_code = |word: &&str| word.len() >= LEAST_POSTAL_CODE && word.bytes().all(|c| c.is_ascii_digit());
    let starts_with_code = |part: &str| split_words(part).next().is_some_and(|word| is_code(&word));
    let ends_with_code = |part: &str| split_words(part).last().is_some_and(|word| is_code(&word));
    let parts = parts_of_address(address);
    let parts = parts.into_iter().filter(|part| is_street(part));
    let has_code_at_end = parts.clone().skip(1).any(ends_with_code);
    let mut has_street = false;
    let is_of_house = |part: &&str| {
        let is_town = has_street && (ends_with_code(part) || starts_with_code(part) && !has_code_at_end);
        has_street |= !is_unit(part);
        !is_town
    };
    parts.filter(is_of_house).collect()
}

/// Returns whether a part of an address begins with a word such as `Apt`.
fn is_unit(part: &str) -> bool {
    split_words(part).next().is_some_and(|word| UNITS.contains(&&*fold(word)))
}

/// Returns whether a part of an address is only a unit with its number, which many houses have.
fn is_only_unit(part: &str) -> bool {
    is_unit(part) && split_words(part).nth(2).is_none()
}

/// Returns the parts of an address: of each line, what is between commas. The number of a house between commas is in one
/// part with its street: `12, rue Pasteur` and `Calle Mayor, 12`.
fn parts_of_address(address: &str) -> Vec<&str> {
    let is_house_number = |part: &str| {
        let digits = part.trim().bytes().take_while(u8::is_ascii_digit).count();
        (1..LEAST_POSTAL_CODE).contains(&digits) && part.trim().len() <= digits + 1
    };
    let has_digits = |part: &str| part.contains(|c: char| c.is_ascii_digit());
    let mut found = Vec::new();
    for line in address.split('\n') {
        let commas = line.match_indices(',').map(|(at, _)| at);
        let starts = std::iter::once(0).chain(commas.clone().map(|at| at + 1));
        let mut parts = starts.zip(commas.chain([line.len()])).map(|(start, end)| start..end).peekable();
        let mut joined: Vec<Range<usize>> = Vec::new();
        while let Some(mut part) = parts.next() {
            if is_house_number(&line[part.clone()]) {
                let text_of = |part: Option<&Range<usize>>| {
                    part.map(|part| &line[part.clone()]).filter(|part| !has_digits(part))
                };
                let (before, after) = (text_of(joined.last()), text_of(parts.peek()));
                let is_of_next = after.is_some_and(|after| {
                    before.is_none_or(|before| has_word_for_street(after) && !has_word_for_street(before))
                });
                if is_of_next {
                    part.end = parts.next().map_or(part.end, |next| next.end);
                } else if before.is_some() {
                    // The street is before the number.
                    part.start = joined.pop().map_or(part.start, |street| street.start);
                }
            }
            joined.push(part);
        }
        found.extend(joined.into_iter().map(|part| &line[part]));
    }
    found
}

/// Returns whether a text has a word for a street, such as `Larkspur Lane`, `Hauptstraße` or `rue Pasteur`.
fn has_word_for_street(text: &str) -> bool {
    street_words(text).iter().any(|word| word.starts_street || word.ends_street)
}

/// Returns the numbers of documents and kits in a text: words with capitals and at least three digits, which may have hyphens.
/// `1950s`, `12MAR1950`, `COVID-19` and `LST-325` are not such numbers.
fn codes_with_letters(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| {
        let letters = word.trim_matches(|c: char| !c.is_alphabetic());
        let is_month = Calendar::Gregorian.months().contains(&letters);
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let length = word.chars().filter(|c| c.is_alphanumeric()).count();
        let is_long = digits > 3 || digits == 3 && length > 6;
        is_long && !letters.is_empty() && !is_month && !word.contains(char::is_lowercase)
    })
}

/// Returns the American social security numbers in a text: `123-45-6789`.
fn security_numbers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '-').map(|word| word.trim_matches('-'));
    words.filter(|word| {
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        word.split('-').map(|part| if is_number(part) { part.len() } else { 0 }).eq([3, 2, 4])
    })
}

/// Returns whether the numbers of a text are those of days and years: `12.03.1950`, `1990-1995`.
fn is_date(text: &str) -> bool {
    let is_year = |word: &str| word.parse().is_ok_and(|year: u32| (1000..2200).contains(&year));
    let mut words = code_words(text);
    code_words(text).any(is_year) && words.all(|word| word.len() <= 2 || is_year(word))
}

/// A word of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StreetWord {
    hash: u64,
    /// True for a number, which may be that of a house.
    is_number: bool,
    /// True for a word for a street before its name.
    starts_street: bool,
    /// True for a word for a street after its name, or at the end of it.
    ends_street: bool,
    /// True if the word is only a word for a street, such as `Lane`.
    is_bare: bool,
}

/// Returns the words of a text, with the ends of street names in one form, and without words such as `Nr.` before a number.
/// Of the number of a house, only the digits are compared: `12a`.
fn street_words(text: &str) -> Vec<StreetWord> {
    let starts_with_digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut words = split_words(text).peekable();
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let word = fold(word);
        if WORDS_BEFORE_HOUSE_NUMBER.contains(&&*word)
            && words.peek().is_some_and(|next| starts_with_digit(next))
        {
            continue;
        }
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = digits > 0 && word.len() <= digits + 1;
        let end = STREET_ENDS.iter().find_map(|(end, short)| Some((word.strip_suffix(end)?, short)));
        let hash = match end {
            Some((start, short)) => hash_word(&format!("{start}{short}")),
            None if is_number => hash_word(&word[..digits]),
            None => hash_word(&word),
        };
        found.push(StreetWord {
            hash,
            is_number,
            starts_street: STREET_STARTS.contains(&&*word),
            ends_street: end.is_some()
                || SHORT_STREET_ENDS.contains(&&*word)
                || OTHER_STREET_ENDS.iter().any(|end| word.ends_with(end)),
            is_bare: end.is_some_and(|(start, _)| start.is_empty())
                || SHORT_STREET_ENDS.contains(&&*word)
                || OTHER_STREET_ENDS.contains(&&*word),
        });
    }
    found
}

/// Returns the parts of an address that are a street with the number of a house: `12 Oak Street` in `12 Oak Street Apt 4`,
/// `rue Pasteur 12`, `Hauptstraße 12`.
fn streets_in(words: &[StreetWord]) -> Vec<Range<usize>> {
    let mut streets = Vec::new();
    for (at, _) in words.iter().enumerate().filter(|(_, word)| word.is_number) {
        let after = &words[at + 1..words.len().min(at + 2 + MOST_WORDS_OF_STREET)];
        let after = &after[..after.iter().position(|word| word.is_number).unwrap_or(after.len())];
        // `9000 St. Gallen` is a town.
        if let Some(end) = after.iter().skip(1).position(|word| word.ends_street) {
            streets.push(at..at + end + 3);
        } else if after.first().is_some_and(|word| word.starts_street) && after.len() > 1 {
            streets.push(at..at + after.len() + 1);
        }
        let first = at.saturating_sub(MOST_WORDS_OF_STREET);
        let first = words[first..at]
            .iter()
            .rposition(|word| word.is_number)
            .map_or(first, |number| first + number + 1);
        let before = &words[first..at];
        if let Some(start) =
            before.iter().rposition(|word| word.starts_street).filter(|start| start + 1 < before.len())
        {
            streets.push(first + start..at + 1);
        } else if let Some(last) = before.last().filter(|word| word.ends_street) {
            match last.is_bare {
                // `Larkspur Lane 12`.
                true if before.len() > 1 => streets.push(at - 2..at + 1),
                true => {}
                // `Hauptstraße 12`.
                false => streets.push(at - 1..at + 1),
            }
        }
    }
    streets.retain(|street| street.len() > 1);
    streets
}

/// An e-mail address in a text.
#[derive(Clone, Copy, Debug)]
struct MailAddress<'t> {
    user: &'t str,
    domain: &'t str,
}

impl MailAddress<'_> {
    fn hash(self) -> u64 {
        hash_word(self.user).rotate_left(1) ^ hash_word(self.domain)
    }
}

/// Returns the e-mail addresses in a text.
fn mail_addresses(text: &str) -> impl Iterator<Item = MailAddress<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
    // Some programs double the sign. Only the first of a run has a user before it.
    let first_signs = text.match_indices('@').filter(|(at, _)| !text[..*at].ends_with('@'));
    first_signs.filter_map(move |(at, _)| {
        let before = text[..at]
            .rfind(|c: char| !is_part(c))
            .map_or(0, |end| end + text[end..].chars().next().map_or(1, char::len_utf8));
        let behind = text[at..].len() - text[at..].trim_start_matches('@').len() + at;
        let end = text[behind..].find(|c: char| !is_part(c)).map_or(text.len(), |length| behind + length);
        let user = text[before..at].trim_matches(['.', '-']);
        let domain = text[behind..end].trim_matches(['.', '-']);
        (!user.is_empty() && domain.contains('.')).then_some(MailAddress { user, domain })
    })
}

/// Returns the parts of a text in which capitals mean nothing: the users of e-mail addresses, web pages and file names.
pub(crate) fn parts_without_capitals(text: &str) -> impl Iterator<Item = &str> {
    mail_addresses(text).map(|address| address.user).chain(pages(text))
}

/// Returns the addresses of web pages in a text that people write: those that begin with `https://` or `www.` and name more
/// than a site.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let is_link = text.contains("://") || text.contains("www.");
    let words = text.split(char::is_whitespace).filter(move |_| is_link);
    words
        .filter(|word| word.contains("://") || word.contains("www."))
        .flat_map(pages)
        .filter(|page| page.contains('/'))
}

/// Returns the addresses of web pages in a text, without `https://` and `www.`.
fn pages(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '(' | ')' | ',' | ';');
    let words = text.split(is_end).filter(|word| word.contains('.'));
    words.filter_map(|word| {
        let page = word.split_once("://").map_or(word, |(_, page)| page);
        let page = page.trim_end_matches(['/', '.', ':', '!', '?']);
        let page = page.strip_prefix("www.").or_else(|| page.strip_prefix("WWW.")).unwrap_or(page);
        page.contains('.').then_some(page)
    })
}

/// The last digits of a telephone number, up to the end of a group of digits.
#[derive(Clone, Copy, Debug)]
struct DigitGroup {
    /// The number of digits so far.
    count: u32,
    /// The last digits as a number.
    value: u64,
    /// True if a number may end here: no more digits follow, or the digits before a slash are enough for a number.
    is_whole: bool,
}

impl DigitGroup {
    /// Returns what is compared; `None` if there are too few digits.
    fn key(self) -> Option<u64> {
        let digits = self.count.min(COMPARED_DIGITS);
        (digits >= LEAST_DIGITS).then(|| self.value + u64::from(digits) * 10_u64.pow(COMPARED_DIGITS))
    }
}

/// Returns the telephone numbers in a text that people write: those after a plus sign, or after a word such as `phone`.
fn telephone_numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit() || c == '+') {
            let (before, behind) = rest.split_at(start);
            let is_end = |c: char| !c.is_ascii_digit() && !BETWEEN_DIGITS.contains(&c);
            let (number, behind) = behind.split_at(behind.find(is_end).unwrap_or(behind.len()));
            rest = behind;
            let is_announced = || {
                let word = split_words(before).last().map(fold).unwrap_or_default();
                WORDS_BEFORE_NUMBER.contains(&&*word)
            };
            if is_date(number) {
                continue;
            }
            if number.starts_with('+') || is_announced() {
                return Some(number);
            }
        }
        None
    })
}

/// Returns the groups of digits that may end a telephone number, each with the digits before it.
fn digit_groups(text: &str) -> impl Iterator<Item = DigitGroup> {
    let mut letters = text.chars();
    let (mut count, mut value) = (0_u32, 0_u64);
    std::iter::from_fn(move || {
        while let Some(letter) = letters.next() {
            let Some(digit) = letter.to_digit(10) else {
                if !BETWEEN_DIGITS.contains(&letter) {
                    (count, value) = (0, 0);
                }
                continue;
            };
            count = count.saturating_add(1);
            value = (value * 10 + u64::from(digit)) % 10_u64.pow(COMPARED_DIGITS);
            if letters.clone().next().is_none_or(|next| !next.is_ascii_digit()) {
                let mut rest = letters.clone();
                let mut has_slash = false;
                let after = rest.find(|next| {
                    has_slash |= *next == '/';
                    !BETWEEN_DIGITS.contains(next)
                });
                let is_whole =
                    after.is_none_or(|after| !after.is_ascii_digit()) || has_slash && count >= LEAST_DIGITS;
                return Some(DigitGroup { count, value, is_whole });
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_numbers_are_found_however_they_are_written() {
        let mut contacts = Contacts::default();
        for (tag, text) in [
            ("EMAIL", "Max.Strauss@example.com"),
            ("NOTE", "write to ida@home.example."),
            ("PHON", "+43 (1) 505 12 34"),
            ("_MOBILE", "0664/123456"),
            ("WWW", "https://www.strauss.example/max/"),
            ("NOTE", "Reach him at +43 316 777 888, or by phone: (0316) 22 44 66; born 1990, no. 998877"),
        ] {
            contacts.add(tag, text);
        }
        for text in [
            "ask max.strauss@example.com!",
            "<mailto:MAX.STRAUSS@EXAMPLE.COM>",
            "max.strauss@@example.com",
            "see ida@home.example",
            "Tel. 0043-1-5051234",
            "phone 01/505 12 34, in the evening",
            "555 1000 505 1234 and more",
            "call 123456",
            "see http://strauss.example/max.",
            "now 0316/777888",
            "0316 224466 is new",
        ] {
            assert!(contacts.occur_in(text), "{text}");
        }
        for text in [
            "max@example.com",
            "3 MAR 1850",
            "505 12 35",
            "1 2 3 4",
            "998877",
            "strauss.example",
            "@",
            "a@",
            "@.b",
            "",
        ] {
            assert!(!contacts.occur_in(text), "{text}");
        }
    }

    #[test]
    fn a_number_ends_where_no_digit_follows_or_at_a_slash() {
        for (field, text) in [
            ("030 1234567 (home)", "call 030 1234567"),
            ("0664 1234567 ", "0664/1234567"),
            ("555-1234567.", "call 555-1234567"),
            ("555-1234/555-5678", "call 555-1234"),
            ("555-1234/555-5678", "call 555-5678"),
            ("0664 1234567 / 0664 7654321", "call 1234567"),
            ("0664 1234567 / 0664 7654321", "call 7654321"),
        ] {
            let mut contacts = Contacts::default();
            contacts.add("PHON", field);
            assert!(contacts.occur_in(text), "{field}: {text}");
            assert!(!contacts.occur_in("call 1234568, 5559999"), "{field}");
        }
    }

    #[test]
    fn a_number_with_too_few_digits_is_not_searched_for() {
        let mut contacts = Contacts::default();
        contacts.add("PHON", "112");
        assert!(contacts == Contacts::default() && !contacts.occur_in("000112"));
    }

    #[test]
    fn codes_and_street_addresses_are_found_however_they_are_written() {
        let mut contacts = Contacts::default();
        for (tag, text) in [
            ("SSN", "123-45-6789"),
            ("IDNO", "C01X 00T47"),
            ("_FSFTID", "KWX7-12A"),
            ("FACT", "555 66 7777"),
            ("ADDR", "Max Strauss\nHauptstraße 12, Hof\n8010 Graz"),
            ("ADR1", "7 Elm Street"),
            ("ADDR", "Apt 4\n12 Oak Street\nSpringfield IL 62701"),
            ("FACT", "12.03.1950"),
            ("FACT", "1990-1995"),
        ] {
            contacts.add_particulars(tag, text);
        }
        for text in [
            "SSN 123456789.",
            "his number is 123 45 6789",
            "passport c01x00t47",
            "see kwx7 12a there",
            "555-66-7777",
            "lives at Hauptstr. 12",
            "HAUPTSTRASSE 12 in Graz",
            "7 Elm St.",
            "at 12 Oak St",
        ] {
            assert!(contacts.particulars_occur_in(text), "{text}");
        }
        for text in [
            "123-45-678",
            "1 2 3 4 5",
            "Hauptstraße 1",
            "8010 Graz",
            "Elm Street",
            "Hof",
            "7 Elm",
            "",
            "Springfield IL 62701",
            "12.03.1950",
            "from 1990 to 1995",
        ] {
            assert!(!contacts.particulars_occur_in(text), "{text}");
        }
        let mut few = Contacts::default();
        for (tag, text) in [
            ("RIN", "123"),
            ("RIN", "12345"),
            ("REFN", "Berg"),
            ("ADDR", "Graz, Austria"),
            ("FACT", "in 1990"),
        ] {
            few.add_particulars(tag, text);
        }
        assert!(!few.has_particulars());
    }

    #[test]
    fn the_street_of_an_address_is_told_from_its_town() {
        for (address, streets) in [
            ("Jungfernstieg 7\n20095 Hamburg", &["Jungfernstieg 7"][..]),
            ("Getreidegasse 9, 5020 Salzburg", &["Getreidegasse 9"]),
            ("Royal Avenue 2\n1050 Belfast\nIreland", &["Royal Avenue 2"]),
            ("Am Markt 1234\n8010 Graz", &["Am Markt 1234"]),
            ("Keizersgracht 100\n1012 AB Amsterdam", &["Keizersgracht 100"]),
            ("1234 Broadway\nNew York, NY 10001", &["1234 Broadway"]),
            ("10550 Wilshire Blvd, Los Angeles CA 90024", &["10550 Wilshire Blvd"]),
            ("c/o Ida Berg\n2500 Oak Court\nReno NV 89501", &["2500 Oak Court"]),
            ("Apt 5\n1234 Broadway\nNew York", &["Apt 5", "1234 Broadway"]),
            ("House 3\n1234 Broadway\nNY 10001", &["House 3", "1234 Broadway"]),
            // Nobody can tell whether this is a street.
            ("8010 Graz, Austria", &["8010 Graz"]),
        ] {
            let found: Vec<&str> = streets_of(address).into_iter().map(str::trim).collect();
            assert_eq!(found, streets, "{address}");
        }
    }

    #[test]
    fn many_numbers_between_commas_take_linear_time() {
        let address = "12, rue Pasteur, ".repeat(200_000);
        let start = std::time::Instant::now();
        let parts = parts_of_address(&address);
        assert_eq!((parts.len(), parts[1].trim()), (200_001, "12, rue Pasteur"));
        assert_eq!(parts_of_address("Calle Mayor, 12, Madrid"), ["Calle Mayor, 12", " Madrid"]);
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_run_of_at_signs_takes_linear_time() {
        let text = format!("ida{}home.example", "@".repeat(200_000));
        let start = std::time::Instant::now();
        assert_eq!(mail_addresses(&text).count(), 1);
        assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
    }
}
