//! E-mail addresses, web pages and telephone numbers of hidden people, and how they are found in texts about others.

use crate::words::hash_word;
use std::collections::HashSet;

/// The number of last digits by which telephone numbers are compared. The digits before them may be left out or written in
/// several ways: `+49 30 1234567`, `030 1234567`.
const COMPARED_DIGITS: u32 = 7;

/// The least number of digits of a telephone number.
const LEAST_DIGITS: u32 = 6;

/// Characters between the digits of a telephone number.
const BETWEEN_DIGITS: [char; 8] = [' ', '-', '.', '/', '(', ')', '+', '\u{A0}'];

/// The tags of telephone and fax numbers, as a part of the tag.
const NUMBER_TAGS: [&str; 5] = ["PHON", "FAX", "MOBIL", "CELL", "TELE"];

/// The tags of web pages, as a part of the tag.
const PAGE_TAGS: [&str; 3] = ["WWW", "URL", "WEB"];

/// The tags of addresses of any kind, as a part of the tag.
const ADDRESS_TAGS: [&str; 2] = ["ADDR", "MAIL"];

/// Addresses and numbers, by their hashes. A collision only causes a text to be reported without need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contacts {
    /// E-mail addresses and web pages.
    addresses: HashSet<u64>,
    numbers: HashSet<u64>,
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
    pub(crate) fn is_empty(&self) -> bool {
        self.addresses.is_empty() && self.numbers.is_empty()
    }

    /// Adds what a structure of a hidden record contains: e-mail addresses in any text, and the pages and numbers of its tag.
    pub(crate) fn add(&mut self, tag: &str, text: &str) {
        self.addresses.extend(mail_addresses(text).map(MailAddress::hash));
        if contains_any(tag, &PAGE_TAGS) {
            self.addresses.extend(pages(text).map(hash_word));
        }
        if contains_any(tag, &NUMBER_TAGS) {
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
    }

    pub(crate) fn merge(&mut self, other: &Contacts) {
        self.addresses.extend(&other.addresses);
        self.numbers.extend(&other.numbers);
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
        ] {
            assert!(contacts.occur_in(text), "{text}");
        }
        for text in
            ["max@example.com", "3 MAR 1850", "505 12 35", "1 2 3 4", "strauss.example", "@", "a@", "@.b", ""]
        {
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
        assert!(contacts.is_empty() && !contacts.occur_in("000112"));
    }

    #[test]
    fn a_run_of_at_signs_takes_linear_time() {
        let text = format!("ida{}home.example", "@".repeat(200_000));
        let start = std::time::Instant::now();
        assert_eq!(mail_addresses(&text).count(), 1);
        assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
    }
}
