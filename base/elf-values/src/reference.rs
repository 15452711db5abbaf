//! URI references (RFC 3986 §4.1), and URLs of the WHATWG, which may have letters outside ASCII.

use crate::problem::Malformed;
use crate::scan::{Cursor, span};

/// Returns the first reason why a text is not a valid URI reference. An empty reference is valid.
///
/// ```
/// use elf_values::uri_fault;
///
/// assert_eq!(uri_fault("https://e.example/a%20b?c#d"), None);
/// assert_eq!(uri_fault("a b").map(|fault| fault.found), Some(" ".into()));
/// ```
pub fn uri_fault(text: &str) -> Option<Malformed> {
    find_fault(text, |_| false)
}

/// Returns the first reason why a text is not a valid URL, with or without a scheme.
///
/// ```
/// use elf_values::url_fault;
///
/// assert_eq!(url_fault("media/père.jpg"), None);
/// assert_eq!(url_fault("C:\\a.jpg").map(|fault| fault.found), Some("\\".into()));
/// ```
pub fn url_fault(text: &str) -> Option<Malformed> {
    // The last two code points of each plane are not characters.
    find_fault(text, |c| {
        c >= '\u{A0}' && !matches!(c, '\u{FDD0}'..='\u{FDEF}') && c as u32 & 0xFFFE != 0xFFFE
    })
}

/// Returns whether a text is an extension tag of GEDCOM 7.0: an underscore followed by capital letters, digits or
/// underscores.
pub fn is_extension_tag(text: &str) -> bool {
    let is_tag_octet = |octet: u8| octet.is_ascii_uppercase() || octet.is_ascii_digit() || octet == b'_';
    text.strip_prefix('_').is_some_and(|tag| !tag.is_empty() && tag.bytes().all(is_tag_octet))
}

/// Returns the first reason why a text does not define an extension tag (GEDCOM 7.0 *Tag Definition*). A definition is
/// a tag, a space and a URI.
///
/// ```
/// use elf_values::tag_definition_fault;
///
/// assert_eq!(tag_definition_fault("_SKY https://e.example/sky"), None);
/// assert_eq!(tag_definition_fault("SKY https://e.example/sky").map(|fault| fault.found), Some("SKY".into()));
/// ```
pub fn tag_definition_fault(text: &str) -> Option<Malformed> {
    let (tag, uri) = text.split_once(' ').unwrap_or((text, ""));
    if !is_extension_tag(tag) {
        return Some(Malformed::new(text, span(0, tag.len()), "an extension tag such as `_SKY`"));
    }
    let start = text.len() - uri.len();
    if uri.is_empty() {
        return Some(Malformed::new(text, span(start, start), "a space and a URI after the tag"));
    }
    let fault = uri_fault(uri)?;
    let place = span(start + fault.span.start as usize, start + fault.span.end as usize);
    Some(Malformed { span: place, ..fault })
}

fn find_fault(text: &str, is_further: impl Fn(char) -> bool) -> Option<Malformed> {
    let mut cursor = Cursor::new(text);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?@!$&'()*+,;=[]".contains(c);
    let mut has_fragment = false;
    loop {
        cursor.read_while(|c| is_plain(c) || is_further(c));
        let start = cursor.position();
        match cursor.peek() {
            None => break,
            Some(b'%') => {
                let digits = cursor.rest().as_bytes().get(1..3).unwrap_or_default();
                if digits.len() < 2 || !digits.iter().all(u8::is_ascii_hexdigit) {
                    cursor.skip_octet(b'%');
                    return Some(Malformed::new(
                        text,
                        cursor.span_from(start),
                        "two hexadecimal digits after `%`",
                    ));
                }
                cursor.skip_octet(b'%');
            }
            Some(b'#') if !has_fragment => {
                has_fragment = true;
                cursor.skip_octet(b'#');
            }
            Some(_) => {
                let length = cursor.rest().chars().next().map_or(0, char::len_utf8);
                let place = span(start as usize, start as usize + length);
                return Some(Malformed::new(text, place, "a character that is allowed in an address"));
            }
        }
    }
    find_scheme_fault(text)
}

fn find_scheme_fault(text: &str) -> Option<Malformed> {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (scheme, _) = first.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c));
    let place = span(0, scheme.len());
    (!is_scheme).then(|| Malformed::new(text, place, "a scheme such as `https` before `:`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_other_text() {
        for (text, is_uri, is_url) in [
            ("", true, true),
            ("media/a.jpg", true, true),
            ("https://e.example:80/a?b=c#d", true, true),
            ("file:///C:/a.jpg", true, true),
            ("urn:uuid:0", true, true),
            ("http://[::1]/", true, true),
            ("%C3%A9.jpg", true, true),
            ("\u{e9}.jpg", false, true),
            ("a b.jpg", false, false),
            ("a\\b.jpg", false, false),
            ("100%", false, false),
            ("%4g", false, false),
            ("a#b#c", false, false),
            ("1a:b", false, false),
            (":b", false, false),
            ("a<b", false, false),
            ("\u{ffff}", false, false),
        ] {
            assert_eq!((uri_fault(text).is_none(), url_fault(text).is_none()), (is_uri, is_url), "{text}");
        }
    }
}
