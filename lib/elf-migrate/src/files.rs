//! Files: their names as they were given to operating systems and as addresses, and their formats
//! (MG24 to MG26).

use crate::values::Said;
use elf_values::MediaType;

/// The formats of GEDCOM 5.5.1, and their media types.
const FORMATS: [(&str, &str); 8] = [
    ("jpg", "image/jpeg"),
    ("gif", "image/gif"),
    ("bmp", "image/bmp"),
    ("tif", "image/tiff"),
    ("pcx", "image/vnd.zbrush.pcx"),
    ("wav", "audio/wav"),
    ("ole", "application/ole"),
    ("octet-stream", "application/octet-stream"),
];

/// Other spellings of formats of that table.
const OTHERS: [(&str, &str); 2] = [("jpeg", "jpg"), ("tiff", "tif")];

/// The media type of a format that has none.
const EXPERIMENTAL: &str = "application/x-";

/// Says a format as GEDCOM 7.0 does.
pub(crate) fn media_type_to_7(text: &str) -> Said {
    let lower = text.trim().to_ascii_lowercase();
    let name = OTHERS.iter().find(|(other, _)| *other == lower).map_or(&*lower, |(_, name)| name);
    if let Some((_, media_type)) = FORMATS.iter().find(|(format, _)| *format == name) {
        return Said::plain(*media_type);
    }
    if MediaType::parse(text).is_ok() {
        return Said::plain(text);
    }
    let made = format!("{EXPERIMENTAL}{}", text.trim());
    if MediaType::parse(&made).is_ok() && !text.trim().contains(['/', ';']) {
        return Said::plain(made);
    }
    Said::unread("application/octet-stream", text)
}

/// Says a media type as GEDCOM 5.5.1 does, by the name of a format where it has one there.
pub(crate) fn media_type_to_551(payload: &str) -> String {
    let format = FORMATS.iter().find(|(_, media_type)| *media_type == payload).map(|(format, _)| *format);
    let experimental = || payload.strip_prefix(EXPERIMENTAL).filter(|name| !name.is_empty());
    format.or_else(experimental).unwrap_or(payload).to_owned()
}

/// The format of a file by the end of its name, as GEDCOM 5.5.1 says it.
pub(crate) fn format_of(name: &str) -> &'static str {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    let end = OTHERS.iter().find(|(other, _)| *other == end).map_or(&*end, |(_, format)| format);
    FORMATS.iter().find(|(format, _)| *format == end).map_or("octet-stream", |(format, _)| format)
}

/// Tells whether two names are those of one format.
pub(crate) fn is_same_media_type(one: &str, other: &str) -> bool {
    let known = |text: &str| {
        let lower = text.trim().to_ascii_lowercase();
        OTHERS
            .iter()
            .find(|(spelled, _)| *spelled == lower)
            .map_or(lower.clone(), |(_, name)| (*name).to_owned())
    };
    known(one) == known(other)
}

/// Says the name of a file as GEDCOM 7.0 does, as a reference to an address.
pub(crate) fn path_to_7(text: &str) -> Said {
    let text = text.trim();
    if has_scheme(text) {
        return Said::plain(written(text, BANNED));
    }
    let path = text.replace('\\', "/");
    let drive = path.as_bytes();
    let made = match (drive.first(), drive.get(1), drive.get(2)) {
        (Some(letter), Some(b':'), Some(b'/')) if letter.is_ascii_alphabetic() => {
            let (drive, rest) = path.split_at_checked(2).unwrap_or_default();
            format!("file:///{drive}{}", encoded(rest))
        }
        _ => match path.strip_prefix("//") {
            Some(host) if text.starts_with('\\') => format!("file://{}", encoded(host)),
            _ if path.starts_with('/') => format!("file://{}", encoded(&path)),
            _ => encoded(&path),
        },
    };
    Said::plain(made)
}

/// Says the address of a file as GEDCOM 5.5.1 does, as a name that an operating system understands.
pub(crate) fn path_to_551(payload: &str) -> String {
    let Some(path) = payload.strip_prefix("file://") else {
        if has_scheme(payload) {
            return payload.to_owned();
        }
        let decoded = decoded(payload);
        // A folder whose name looks like a scheme is said to be one.
        return if has_scheme(&decoded) { format!("./{decoded}") } else { decoded };
    };
    match path.strip_prefix('/') {
        Some(rest) => {
            let is_drive = rest.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
                && rest.as_bytes().get(1) == Some(&b':');
            if is_drive { decoded(rest).replace('/', "\\") } else { decoded(path) }
        }
        None => format!("\\\\{}", decoded(path).replace('/', "\\")),
    }
}

/// Tells whether two addresses name one file: an octet that may stand for itself is the same however it is
/// written.
pub(crate) fn is_same_address(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let mut octets = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((&first, behind)) = rest.split_first() {
            match escaped(rest) {
                Some(octet) if !octet.is_ascii_control() && !RESERVED.contains(&octet) => octets.push(octet),
                Some(octet) => octets.extend_from_slice(format!("%{octet:02X}").as_bytes()),
                None => octets.push(first),
            }
            rest = if escaped(rest).is_some() { rest.get(3..).unwrap_or_default() } else { behind };
        }
        octets
    };
    let [one, other] = [one, other].map(|text| plain(text.strip_prefix("./").unwrap_or(text)));
    one == other
}

/// The octets that mean another thing in an address by themselves (RFC 3986 section 2.2), and the percent
/// sign.
const RESERVED: &[u8] = b":/?#[]@!$&'()*+,;=%";

/// The octet that an address has as a percent sign and two digits at its start.
fn escaped(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(b"%")?;
    let digit = |at: usize| digits.get(at).and_then(|&digit| char::from(digit).to_digit(16));
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// Tells whether a reference starts with the scheme of an address: `https://`.
fn has_scheme(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
    })
}

/// The characters that no address has (RFC 3986 section 2).
const BANNED: &[char] = &[' ', '"', '<', '>', '\\', '^', '`', '{', '|', '}'];

/// The characters that an address gives another meaning.
const MEANING: &[char] = &['?', '#', '%', '[', ']', ':'];

/// Writes what an address does not have, or gives another meaning, as its octets.
fn encoded(path: &str) -> String {
    written(&written(path, MEANING), BANNED)
}

/// Writes some characters as their octets.
fn written(text: &str, octets: &[char]) -> String {
    let mut made = String::with_capacity(text.len());
    for one in text.chars() {
        if octets.contains(&one) {
            made.push_str(&format!("%{:02X}", u32::from(one)));
        } else {
            made.push(one);
        }
    }
    made
}

/// Reads the octets that an address has for characters; what is no text then stays as it is, and so do
/// control characters, which no line holds.
fn decoded(path: &str) -> String {
    let mut octets = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        match escaped(rest).filter(|octet| !octet.is_ascii_control()) {
            Some(octet) => {
                octets.push(octet);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                octets.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8(octets).unwrap_or_else(|_| path.to_owned())
}
