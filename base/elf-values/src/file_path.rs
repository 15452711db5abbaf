//! Paths of files: the URLs that GEDCOM 7.0 supports (GEDCOM 7.0 *File Path*).

use crate::problem::Malformed;
use crate::reference::url_fault;
use crate::scan::span;

/// Returns the first reason why a text is not a valid file path in GEDCOM 7.0. A valid file path is an `http`, `https`
/// or `ftp` URL with a host, a `file` URL with a path, or a relative path to a file in the folder of the dataset.
///
/// ```
/// use elf_values::file_path_fault;
///
/// assert_eq!(file_path_fault("media/a.jpg"), None);
/// assert_eq!(file_path_fault("https://e.example/a.jpg?size=1#top"), None);
/// assert_eq!(file_path_fault("media/../../a.jpg").map(|fault| fault.found), Some("..".into()));
/// assert_eq!(file_path_fault("mailto:a@e.example").map(|fault| fault.found), Some("mailto".into()));
/// ```
pub fn file_path_fault(text: &str) -> Option<Malformed> {
    if let Some(fault) = url_fault(text) {
        return Some(fault);
    }
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    match first.split_once(':') {
        Some((scheme, _)) => find_scheme_fault(text, scheme),
        None => find_path_fault(text),
    }
}

fn find_scheme_fault(text: &str, scheme: &str) -> Option<Malformed> {
    let behind = &text[scheme.len() + 1..];
    let is = |names: &[&str]| names.iter().any(|name| scheme.eq_ignore_ascii_case(name));
    let fault = |start, end, expected| Some(Malformed::new(text, span(start, end), expected));
    if is(&["http", "https", "ftp"]) {
        let authority = behind.strip_prefix("//").and_then(|rest| rest.split(['/', '?', '#']).next());
        let host = authority.and_then(|authority| authority.rsplit('@').next());
        let has_host = host.is_some_and(|host| !host.is_empty() && !host.starts_with(':'));
        return if has_host { None } else { fault(0, text.len(), "`//` and a host after the scheme") };
    }
    if is(&["file"]) {
        // RFC 8089 allows only absolute paths in a `file` URL.
        let has_path = behind.starts_with('/');
        return if has_path { None } else { fault(0, text.len(), "`/` after `file:`") };
    }
    fault(0, scheme.len(), "one of the schemes `http`, `https`, `ftp` and `file`, or no scheme")
}

fn find_path_fault(text: &str) -> Option<Malformed> {
    let fault = |start, end, expected| Some(Malformed::new(text, span(start, end), expected));
    if text.starts_with('/') {
        return fault(0, 1, "a path relative to the folder of the file, without `/` at its start");
    }
    if let Some(at) = text.find(['?', '#']) {
        return fault(at, text.len(), "a path without query and fragment");
    }
    let mut start = 0;
    for segment in text.split('/') {
        if segment == ".." {
            return fault(start, start + segment.len(), "a path without `..`");
        }
        start += segment.len() + 1;
    }
    let (from, to) = find_banned_escapes(text)?;
    fault(from, to, "a path without an escaped `\\` or control character")
}

/// Finds escapes such as `%5C` that stand for a reverse solidus or a character that no file may contain (`banned`,
/// GEDCOM 7.0 *Characters*). Returns the byte range of the run of escapes.
fn find_banned_escapes(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('%')) {
        let start = at + next;
        let mut escaped = Vec::new();
        at = start;
        while let Some(octet) = text.get(at..).and_then(decode_escape) {
            escaped.push(octet);
            at += 3;
        }
        // Invalid UTF-8 does not encode a character.
        let text = String::from_utf8_lossy(&escaped);
        if text.chars().any(|c| c == '\\' || is_banned_character(c)) {
            return Some((start, at));
        }
        at = at.max(start + 1);
    }
    None
}

fn decode_escape(text: &str) -> Option<u8> {
    u8::from_str_radix(text.strip_prefix('%')?.get(..2)?, 16).ok()
}

const fn is_banned_character(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_where_the_standard_supports_them() {
        for good in [
            "",
            "media/original.mp3",
            "a/..%2Fb.jpg",
            "a/%2E%2E/b",
            "a../..b/...",
            "./a.jpg",
            "x/a:b.jpg",
            "@x.jpg",
            "most/paths%3Fget%23escaped%5Blike%5Dthis",
            "Bront%C3%AB.jpg",
            "Bront\u{eb}.jpg",
            "https%3a//not.a.url/even-though-similar",
            "HTTP://X/y",
            "http://[::1]/x",
            "http://a@host:80",
            "ftp://e/x",
            "https://e.example?with=args#and-frags",
            "https://e.example/../a%5Cb",
            "file:///a/../b",
            "file:/a",
            "file://host.example.com/server",
            "FILE:///c:/windows",
        ] {
            assert_eq!(file_path_fault(good), None, "{good}");
        }
        for (bad, fault) in [
            ("../a.jpg", ".."),
            ("a/../b.jpg", ".."),
            ("a/..", ".."),
            ("/abs.jpg", "/"),
            ("//host/x", "/"),
            ("a\\b.jpg", "\\"),
            ("a%5Cb.jpg", "%5C"),
            ("a%5cb.jpg", "%5c"),
            ("%20a%00.jpg", "%00"),
            ("%C2%85.jpg", "%C2%85"),
            ("x.jpg?q", "?q"),
            ("x.jpg#f", "#f"),
            ("?", "?"),
            ("mailto:a@b", "mailto"),
            ("gopher://x/y", "gopher"),
            ("data:text/plain,x", "data"),
            ("C:/x.jpg", "C"),
            ("a:b.jpg", "a"),
            ("file:x.jpg", "file:x.jpg"),
            ("http://", "http://"),
            ("http:/x", "http:/x"),
            ("https://:80/x", "https://:80/x"),
            ("http://a@/x", "http://a@/x"),
            ("a b.jpg", " "),
        ] {
            let found = file_path_fault(bad).map(|fault| fault.span.of(bad));
            assert_eq!(found, Some(fault), "{bad}");
        }
    }
}
