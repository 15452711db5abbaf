//! Converts file paths and URLs, and file formats (MG24 to MG26).

use crate::converted::Converted7;
use crate::media_types;
use elf_values::MediaType;
use std::borrow::Cow;

/// The start of media types for formats without a registered type.
const EXPERIMENTAL: &str = "application/x-";

/// Converts the name of a format to a media type (MG24).
pub(crate) fn format_to_7(text: &str) -> Converted7<'_> {
    if let Some(media_type) = media_types::of_extension(text) {
        return Converted7::exact(media_type);
    }
    if MediaType::parse(text).is_ok() {
        return Converted7::exact(text);
    }
    let made = format!("{EXPERIMENTAL}{}", text.trim());
    if MediaType::parse(&made).is_ok() && !text.trim().contains(['/', ';']) {
        return Converted7::exact(made);
    }
    Converted7::unread("application/octet-stream", text)
}

/// Converts a media type to GEDCOM 5.5.1: to the name of a format if there is one.
pub(crate) fn format_to_551(payload: &str) -> String {
    // Only unknown names are used: a known one would come back as its registered type.
    let is_unknown = |name: &&str| !name.is_empty() && media_types::of_extension(name).is_none();
    let experimental = || payload.strip_prefix(EXPERIMENTAL).filter(is_unknown);
    media_types::extension_of(payload).or_else(experimental).unwrap_or(payload).to_owned()
}

/// Converts the media type of a text to GEDCOM 7.0. It is a type, not a file format.
pub(crate) fn media_type_to_7(text: &str) -> Converted7<'_> {
    match MediaType::parse(text) {
        Ok(_) => Converted7::exact(text),
        Err(_) => Converted7::unread("", text),
    }
}

/// Returns the extension of a file name if its format is known, otherwise `octet-stream`.
pub(crate) fn format_of_name(name: &str) -> &'static str {
    // What follows the path of a URL is not part of the name.
    let path = if has_scheme(name) { name.split(['?', '#']).next().unwrap_or(name) } else { name };
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let known = media_types::of_extension(extension).and_then(media_types::extension_of);
    known.unwrap_or("octet-stream")
}

pub(crate) fn is_same_format(one: &str, other: &str) -> bool {
    let media_type = |text| media_types::of_extension(text).unwrap_or(text);
    media_type(one.trim()).eq_ignore_ascii_case(media_type(other.trim()))
}

/// Converts the path of a file to a URL reference, for GEDCOM 7.0 (MG25, MG26).
pub(crate) fn path_to_7(text: &str) -> Converted7<'_> {
    let text = text.trim();
    if has_scheme(text) {
        return Converted7::exact(percent_encode(text, BANNED));
    }
    let path = text.replace('\\', "/");
    let drive = path.as_bytes();
    let made = match (drive.first(), drive.get(1), drive.get(2)) {
        (Some(letter), Some(b':'), Some(b'/')) if letter.is_ascii_alphabetic() => {
            // The first two bytes are ASCII.
            let (drive, rest) = path.split_at(2);
            format!("file:///{drive}{}", escape_path(rest))
        }
        _ => match path.strip_prefix("//") {
            Some(host) if text.starts_with('\\') => format!("file://{}", escape_path(host)),
            _ if path.starts_with('/') => format!("file://{}", escape_path(&path)),
            _ => escape_path(&without_back_steps(&path)),
        },
    };
    Converted7::exact(made)
}

/// Removes `..` from a relative path, together with the step before it, because GEDCOM 7.0 has no `..` (*File Path*).
/// `..` at the start stays.
fn without_back_steps(path: &str) -> Cow<'_, str> {
    if !path.split('/').any(|step| step == "..") {
        return Cow::Borrowed(path);
    }
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match (step, steps.last()) {
            ("..", Some(before)) if *before != ".." => _ = steps.pop(),
            ("." | "", _) => {}
            _ => steps.push(step),
        }
    }
    Cow::Owned(steps.join("/"))
}

/// Converts a URL reference to a path of the operating system, for GEDCOM 5.5.1.
pub(crate) fn path_to_551(payload: &str) -> String {
    let Some(path) = payload.strip_prefix("file://") else {
        if has_scheme(payload) {
            return payload.to_owned();
        }
        let path = percent_decode(payload);
        // The folder's name looks like a scheme; `./` prevents that.
        return if has_scheme(&path) { format!("./{path}") } else { path };
    };
    match path.strip_prefix('/') {
        Some(rest) => {
            let is_drive = rest.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
                && rest.as_bytes().get(1) == Some(&b':');
            if is_drive { percent_decode(rest).replace('/', "\\") } else { percent_decode(path) }
        }
        None => format!("\\\\{}", percent_decode(path).replace('/', "\\")),
    }
}

/// Returns whether two URL references name the same file. Escaping a character that needs no escape makes no
/// difference.
pub(crate) fn is_same_address(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((&first, behind)) = rest.split_first() {
            match parse_escape(rest) {
                Some(byte) if !byte.is_ascii_control() && !RESERVED.contains(&byte) => bytes.push(byte),
                Some(byte) => bytes.extend_from_slice(format!("%{byte:02X}").as_bytes()),
                None => bytes.push(first),
            }
            // An escape has three bytes.
            rest = if parse_escape(rest).is_some() { &rest[3..] } else { behind };
        }
        bytes
    };
    let [one, other] = [one, other].map(|text| plain(text.strip_prefix("./").unwrap_or(text)));
    one == other
}

/// The characters with a special meaning in URLs (RFC 3986 section 2.2), and the percent sign.
const RESERVED: &[u8] = b":/?#[]@!$&'()*+,;=%";

/// Parses a percent sign and two digits at the start of a text.
fn parse_escape(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(b"%")?;
    let digit = |at: usize| digits.get(at).and_then(|&digit| char::from(digit).to_digit(16));
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// Returns whether a reference starts with a scheme such as `https://`.
fn has_scheme(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Characters that URLs do not allow (RFC 3986 section 2).
const BANNED: &[char] = &[' ', '"', '<', '>', '\\', '^', '`', '{', '|', '}'];

/// Characters that have another meaning in URLs.
const MEANING: &[char] = &['?', '#', '%', '[', ']', ':'];

/// Escapes characters that URLs do not allow or that have another meaning there.
fn escape_path(path: &str) -> String {
    percent_encode(&percent_encode(path, MEANING), BANNED)
}

/// Percent-encodes the given characters, which must be ASCII.
fn percent_encode(text: &str, characters: &[char]) -> String {
    let mut made = String::with_capacity(text.len());
    for one in text.chars() {
        if characters.contains(&one) {
            made.push_str(&format!("%{:02X}", u32::from(one)));
        } else {
            made.push(one);
        }
    }
    made
}

/// Decodes percent-encoding, except of control characters, which lines cannot contain. A path that would not be valid
/// UTF-8 stays unchanged.
fn percent_decode(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        match parse_escape(rest).filter(|byte| !byte.is_ascii_control()) {
            Some(byte) => {
                bytes.push(byte);
                // Two digits follow the percent sign.
                rest = &behind[2..];
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}
