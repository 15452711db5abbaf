//! Converts numbers and identifiers that archives and programs give records (MG40 to MG47).

/// The type of numbers of the Ancestral File.
const ANCESTRAL_FILE: &str = "https://gedcom.io/terms/v7/AFN";

/// The type of numbers in a file of permanent records; the name of the file may follow.
const RECORD_FILE: &str = "https://gedcom.io/terms/v7/RFN";

/// The type of numbers that a program gave to records; the name of the program may follow.
const RECORD_ID: &str = "https://gedcom.io/terms/v7/RIN";

/// The type of identifiers of people in the tree of `FamilySearch`.
const FAMILY_SEARCH: &str = "https://gedcom.io/exid-type/FamilySearch-PersonId";

pub(crate) struct ExternalId {
    pub(crate) text: String,
    /// The payload of its `TYPE`.
    pub(crate) iri: String,
}

pub(crate) struct RecordNumber {
    pub(crate) tag: &'static str,
    pub(crate) text: String,
}

/// Converts a number to an external identifier. `system` is the program that wrote the file. `None` for other
/// tags.
pub(crate) fn external_id_of(tag: &str, text: &str, system: Option<&str>) -> Option<ExternalId> {
    let (text, iri) = match tag {
        "AFN" => (text, ANCESTRAL_FILE.to_owned()),
        "RFN" => match text.split_once(':') {
            Some((file, number)) if needs_no_escaping(file) && !number.is_empty() => {
                (number, format!("{RECORD_FILE}#{file}"))
            }
            _ => (text, RECORD_FILE.to_owned()),
        },
        "RIN" => match system.filter(|system| needs_no_escaping(system)) {
            Some(system) => (text, format!("{RECORD_ID}#{system}")),
            None => (text, RECORD_ID.to_owned()),
        },
        "_FSFTID" | "_FID" | "FSFTID" => (text, FAMILY_SEARCH.to_owned()),
        _ => return None,
    };
    Some(ExternalId { text: text.to_owned(), iri })
}

/// Converts an external identifier to a number. `None` if GEDCOM 5.5.1 has no tag for its type.
pub(crate) fn number_of(text: &str, iri: &str) -> Option<RecordNumber> {
    let owner = |start: &str| match iri.strip_prefix(start)? {
        "" => Some(""),
        rest => rest.strip_prefix('#'),
    };
    let (tag, text) = if iri == ANCESTRAL_FILE {
        ("AFN", text.to_owned())
    } else if iri == FAMILY_SEARCH {
        ("_FSFTID", text.to_owned())
    } else if let Some(file) = owner(RECORD_FILE) {
        ("RFN", if file.is_empty() { text.to_owned() } else { format!("{file}:{text}") })
    } else {
        owner(RECORD_ID)?;
        ("RIN", text.to_owned())
    };
    Some(RecordNumber { tag, text })
}

/// Returns the tag if it is that of a number that a record has at most once.
pub(crate) fn number_tag(tag: &str) -> Option<&'static str> {
    ["AFN", "RFN", "RIN", "_FSFTID"].into_iter().find(|one| *one == tag)
}

/// Returns whether a text needs no escaping in a URL.
fn needs_no_escaping(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// The number of bytes of a UUID.
const UNIQUE: usize = 16;

/// The number of digits of the checksum that programs append to a UUID.
const CHECKSUM: usize = 4;

/// Converts a `_UID` to the `UID` of GEDCOM 7.0 (MG45). A `_UID` of PAF has a checksum of four digits, and becomes a
/// `UID` in upper case. A `_UID` with hyphens is kept if it is in lower case. `None` for any other text.
pub(crate) fn uid_to_7(text: &str) -> Option<String> {
    if is_hyphenated(text) {
        return text.bytes().all(|byte| !byte.is_ascii_uppercase()).then(|| text.to_owned());
    }
    let digits = text.get(..2 * UNIQUE)?;
    // With a correct checksum, `digits` are hexadecimal, so they can be sliced.
    (with_checksum(digits).as_deref() == Some(text)).then(|| with_hyphens(digits))
}

/// Returns the `UID` of GEDCOM 7.0 for a UUID: with hyphens or without them, in braces, or with four more digits as a
/// checksum, which may be wrong. `None` for any other text.
pub(crate) fn unique_id_of(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    if is_hyphenated(text) {
        return Some(text.to_owned());
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_length = [2 * UNIQUE, 2 * UNIQUE + CHECKSUM].contains(&text.len());
    (is_number && has_length).then(|| with_hyphens(&text[..2 * UNIQUE]))
}

/// Adds hyphens to 32 hexadecimal digits.
fn with_hyphens(digits: &str) -> String {
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

pub(crate) fn uid_to_551(payload: &str) -> String {
    let has_capitals = payload.bytes().all(|byte| !byte.is_ascii_lowercase());
    let digits = payload.replace('-', "");
    let made = with_checksum(&digits).filter(|_| has_capitals && is_hyphenated(payload));
    made.unwrap_or_else(|| payload.to_owned())
}

fn is_hyphenated(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Appends the checksum that PAF computes to sixteen bytes in hexadecimal digits.
fn with_checksum(digits: &str) -> Option<String> {
    let is_capital = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
    if digits.len() != 2 * UNIQUE || !digits.bytes().all(is_capital) {
        return None;
    }
    let (mut sum, mut sums) = (0_u8, 0_u8);
    for at in 0..UNIQUE {
        let byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
        sum = sum.wrapping_add(byte);
        sums = sums.wrapping_add(sum);
    }
    Some(format!("{digits}{sum:02X}{sums:02X}"))
}
