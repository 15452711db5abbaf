//! The `Language-Tag` production of RFC 5646 §2.1 (Basic Concepts §3).

/// The grandfathered tags that match no other production (RFC 5646 §2.1, `irregular`).
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

/// The grandfathered tags that look like others (RFC 5646 §2.1, `regular`).
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

/// `Language-Tag = langtag / privateuse / grandfathered`, without regard to case.
pub(super) fn is_well_formed(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    if IRREGULAR.contains(&tag.as_str()) || REGULAR.contains(&tag.as_str()) {
        return true;
    }
    let subtags: Vec<&str> = tag.split('-').collect();
    let is_subtag = |subtag: &&str| {
        (1..=8).contains(&subtag.len()) && subtag.chars().all(|character| character.is_ascii_alphanumeric())
    };
    subtags.iter().all(is_subtag)
        && (private_use(&subtags).is_some_and(<[&str]>::is_empty)
            || langtag(&subtags).is_some_and(<[&str]>::is_empty))
}

/// `langtag = language ["-" script] ["-" region] *("-" variant) *("-" extension) ["-" privateuse]`.
fn langtag<'a>(subtags: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let mut rest = language(subtags)?;
    rest = split_subtag(rest, is_script).unwrap_or(rest);
    rest = split_subtag(rest, is_region).unwrap_or(rest);
    while let Some(behind) = split_subtag(rest, is_variant) {
        rest = behind;
    }
    while let Some(behind) = extension(rest) {
        rest = behind;
    }
    Some(private_use(rest).unwrap_or(rest))
}

/// `language = 2*3ALPHA ["-" extlang] / 4ALPHA / 5*8ALPHA` and `extlang = 3ALPHA *2("-" 3ALPHA)`.
fn language<'a>(subtags: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let (first, mut rest) = subtags.split_first()?;
    if !is_alpha(first, 2, 8) {
        return None;
    }
    if first.len() <= 3 {
        for _ in 0..3 {
            rest = split_subtag(rest, |subtag| is_alpha(subtag, 3, 3)).unwrap_or(rest);
        }
    }
    Some(rest)
}

/// `extension = singleton 1*("-" (2*8alphanum))`, where a singleton is anything but x.
fn extension<'a>(subtags: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let rest = split_subtag(subtags, |subtag| subtag.len() == 1 && subtag != "x")?;
    let mut rest = split_subtag(rest, |subtag| subtag.len() >= 2)?;
    while let Some(behind) = split_subtag(rest, |subtag| subtag.len() >= 2) {
        rest = behind;
    }
    Some(rest)
}

/// `privateuse = "x" 1*("-" (1*8alphanum))`.
fn private_use<'a>(subtags: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let rest = split_subtag(subtags, |subtag| subtag == "x")?;
    (!rest.is_empty()).then_some(&[])
}

/// Splits off one subtag of a kind.
fn split_subtag<'a>(subtags: &'a [&'a str], is_kind: impl Fn(&str) -> bool) -> Option<&'a [&'a str]> {
    subtags.split_first().filter(|(first, _)| is_kind(first)).map(|(_, rest)| rest)
}

/// `ALPHA`, from `least` to `most` of them.
fn is_alpha(subtag: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&subtag.len()) && subtag.chars().all(|character| character.is_ascii_alphabetic())
}

/// `script = 4ALPHA`.
fn is_script(subtag: &str) -> bool {
    is_alpha(subtag, 4, 4)
}

/// `region = 2ALPHA / 3DIGIT`.
fn is_region(subtag: &str) -> bool {
    is_alpha(subtag, 2, 2) || subtag.len() == 3 && subtag.chars().all(|character| character.is_ascii_digit())
}

/// `variant = 5*8alphanum / (DIGIT 3alphanum)`.
fn is_variant(subtag: &str) -> bool {
    subtag.len() >= 5 || subtag.len() == 4 && subtag.starts_with(|first: char| first.is_ascii_digit())
}
