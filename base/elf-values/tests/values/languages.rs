//! Language tags against the grammar of RFC 5646 §2.1: tags as data, and any text held against the
//! productions one by one.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_values::{Datatype, Value, is_language_tag};
use proptest::prelude::*;

const TAGS: &str = include_str!("../data/language-tags.tsv");

/// The rows: a tag, and whether it is well-formed.
fn rows() -> impl Iterator<Item = (&'static str, bool)> {
    TAGS.lines().skip(1).map(|row| {
        let mut cells = row.split('\t');
        let tag = cells.next().expect("a tag");
        (tag, cells.next() == Some("yes"))
    })
}

#[test]
fn tags_are_well_formed_as_their_rows_say() {
    for (tag, is_well_formed) in rows() {
        assert_eq!(is_language_tag(tag), is_well_formed, "{tag:?}");
        assert_eq!(by_the_grammar(tag), is_well_formed, "{tag:?}");
    }
    assert!(rows().count() > 130);
}

#[test]
fn a_payload_is_a_name_first_and_then_a_tag() {
    let read = |text| Value::read(text, Datatype::Language);
    for (payload, tag) in [
        ("German", "de"),
        ("LAO", "lo"),
        ("Thai", "th"),
        ("Serb", "sr"),
        ("de-AT", "de-AT"),
        (" yue ", "yue"),
        ("x-pig-latin", "x-pig-latin"),
        ("i-klingon", "i-klingon"),
    ] {
        assert_eq!(read(payload), Value::Language(tag.into()), "{payload}");
    }
    // Words of four letters and more are well-formed, and no such language is registered.
    for payload in ["Klingon", "Englisch", "Welsh", "de_AT", "German/English", ""] {
        assert_eq!(read(payload), Value::Text(payload.into()), "{payload}");
    }
}

/// The production `Language-Tag`, as it is printed, over the subtags.
fn by_the_grammar(text: &str) -> bool {
    const IRREGULAR: [&str; 17] = [
        "en-gb-oed",
        "i-ami",
        "i-bnn",
        "i-default",
        "i-enochian",
        "i-hak",
        "i-klingon",
        "i-lux",
        "i-mingo",
        "i-navajo",
        "i-pwn",
        "i-tao",
        "i-tay",
        "i-tsu",
        "sgn-be-fr",
        "sgn-be-nl",
        "sgn-ch-de",
    ];
    const REGULAR: [&str; 9] = [
        "art-lojban",
        "cel-gaulish",
        "no-bok",
        "no-nyn",
        "zh-guoyu",
        "zh-hakka",
        "zh-min",
        "zh-min-nan",
        "zh-xiang",
    ];
    let text = text.to_ascii_lowercase();
    let subtags: Vec<&str> = text.split('-').collect();
    is_langtag(&subtags)
        || is_private_use(&subtags)
        || IRREGULAR.contains(&text.as_str())
        || REGULAR.contains(&text.as_str())
}

fn alpha(text: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len()) && text.bytes().all(|octet| octet.is_ascii_alphabetic())
}

fn digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|octet| octet.is_ascii_digit())
}

fn alphanum(text: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len()) && text.bytes().all(|octet| octet.is_ascii_alphanumeric())
}

/// `privateuse = "x" 1*("-" (1*8alphanum))`
fn is_private_use(subtags: &[&str]) -> bool {
    matches!(subtags, ["x", rest @ ..] if !rest.is_empty() && rest.iter().all(|subtag| alphanum(subtag, 1..=8)))
}

/// `langtag = language ["-" script] ["-" region] *("-" variant) *("-" extension) ["-" privateuse]`
fn is_langtag(subtags: &[&str]) -> bool {
    let Some((language, mut rest)) = subtags.split_first() else { return false };
    if alpha(language, 2..=3) {
        let mut extlangs = 0;
        while let Some((_, behind)) =
            rest.split_first().filter(|(next, _)| extlangs < 3 && alpha(next, 3..=3))
        {
            rest = behind;
            extlangs += 1;
        }
    } else if !alpha(language, 4..=8) {
        return false;
    }
    let mut skip = |fits: &dyn Fn(&str) -> bool, most: usize| {
        let mut count = 0;
        while let Some((_, behind)) = rest.split_first().filter(|(next, _)| count < most && fits(next)) {
            rest = behind;
            count += 1;
        }
        count
    };
    skip(&|subtag| alpha(subtag, 4..=4), 1);
    skip(&|subtag| alpha(subtag, 2..=2) || digits(subtag, 3), 1);
    let starts_with_digit = |subtag: &str| subtag.starts_with(|first: char| first.is_ascii_digit());
    skip(
        &|subtag| alphanum(subtag, 5..=8) || alphanum(subtag, 4..=4) && starts_with_digit(subtag),
        usize::MAX,
    );
    while skip(&|subtag| alphanum(subtag, 1..=1) && subtag != "x", 1) == 1 {
        if skip(&|subtag| alphanum(subtag, 2..=8), usize::MAX) == 0 {
            return false;
        }
    }
    rest.is_empty() || is_private_use(rest)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_text_is_judged_as_the_productions_have_it(subtags in proptest::collection::vec(
        prop_oneof![
            4 => "[a-zA-Z]{2,3}", 2 => "[A-Z][a-z]{3}", 2 => "[0-9]{3}", 2 => "[a-z0-9]{4,9}", 1 => "[a-zX0-9]", 1 => "\\PC{0,2}",
            1 => Just("x".to_owned()), 1 => Just("zh".to_owned()), 1 => Just("i".to_owned()),
        ],
        0..7,
    )) {
        let text = subtags.join("-");
        prop_assert_eq!(is_language_tag(&text), by_the_grammar(&text), "{}", text);
    }
}
