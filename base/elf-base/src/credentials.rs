//! Removes names and passwords from IRIs before they are shown.

use std::borrow::Cow;

/// Removes the user name and the password from an IRI, so that it can be shown or stored.
///
/// ```
/// use elf_base::without_credentials;
///
/// assert_eq!(without_credentials("https://ada:secret@e.example/a@b"), "https://e.example/a@b");
/// assert_eq!(without_credentials("http:/ada:secret@e.example/a b"), "http:/e.example/a b");
/// assert_eq!(without_credentials("urn:http:x//ada:secret@e.example"), "urn:http:x//e.example");
/// assert_eq!(without_credentials("https://e.example/a@b"), "https://e.example/a@b");
/// ```
pub fn without_credentials(iri: &str) -> Cow<'_, str> {
    replace_credentials(iri, iri.len(), |_| false, |_, _| {})
}

/// Replaces each character of the user names and passwords that the IRIs of a line contain by `*`.
///
/// Use this for lines of a file that are shown with a finding. Every character of the line stays in its column.
///
/// ```
/// use elf_base::masked_credentials;
///
/// assert_eq!(masked_credentials("1 SCHMA http://ada:x@e.example/a@b"), "1 SCHMA http://*****@e.example/a@b");
/// assert_eq!(masked_credentials("1 WWW http:/ada@e.example/a@b"), "1 WWW http:/***@e.example/a@b");
/// assert_eq!(masked_credentials("1 WWW http://e.example, a@b"), "1 WWW http://e.example, a@b");
/// ```
pub fn masked_credentials(line: &str) -> Cow<'_, str> {
    mask_hosts_before(line, line.len())
}

/// Masks the names and passwords of hosts that start in the first `end` bytes of a line. The text that follows the last
/// of these hosts is not examined.
pub(crate) fn mask_hosts_before(line: &str, end: usize) -> Cow<'_, str> {
    // Stop at whitespace, because the text after an IRI does not belong to it and may contain an `@`.
    replace_credentials(line, end, char::is_whitespace, |masked, hidden| {
        masked.extend(hidden.chars().map(|_| '*'));
        masked.push('@');
    })
}

/// Replaces the names and passwords of the hosts that start in the first `end` bytes, and the `@` that follows them. A
/// host ends at the next part of the IRI, such as its path, or at a character for which `ends_too` returns true.
fn replace_credentials(
    text: &str,
    end: usize,
    ends_too: impl Fn(char) -> bool,
    replacement: impl Fn(&mut String, &str),
) -> Cow<'_, str> {
    // This is the fast path for nearly every text.
    if !text.as_bytes().contains(&b'@') {
        return text.into();
    }
    let ends = |c: char| matches!(c, '/' | '?' | '#' | '\\') || ends_too(c);
    let mut made = String::new();
    let (mut done, mut seen) = (0, 0);
    for start in find_host_starts(text.get(..end).unwrap_or(text)) {
        if start < seen {
            continue;
        }
        let host = text[start..].split(&ends).next().unwrap_or_default();
        seen = start + host.len();
        let Some((hidden, _)) = host.rsplit_once('@') else { continue };
        made.push_str(&text[done..start]);
        replacement(&mut made, hidden);
        done = start + hidden.len() + 1;
    }
    match done {
        0 => text.into(),
        _ => Cow::Owned(made + &text[done..]),
    }
}

/// Returns the byte offsets where hosts start. If a name and password come before a host, the offset is their start.
///
/// A host starts after two slashes. After a web scheme, any number of slashes or backslashes is allowed, because
/// lenient readers accept them.
fn find_host_starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices([':', '/']).filter_map(|(at, found)| {
        let (before, rest) = text.split_at(at);
        let ends_in = |scheme: &str| {
            let from = before.len().checked_sub(scheme.len());
            from.and_then(|from| before.get(from..)).is_some_and(|end| end.eq_ignore_ascii_case(scheme))
        };
        if found == ":" {
            let rest = rest.get(1..).filter(|_| ends_in("http") || ends_in("https"))?;
            Some(text.len() - rest.trim_start_matches(['/', '\\']).len())
        } else {
            rest.starts_with("//").then_some(at + 2)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_hosts_is_hidden_wherever_they_stand() {
        let cases = [
            ("//ada:x@e.example", "//*****@e.example", "//e.example"),
            ("HTTP:\\\\ada:x@e.example", "HTTP:\\\\*****@e.example", "HTTP:\\\\e.example"),
            ("http:ada@e.example", "http:***@e.example", "http:e.example"),
            (
                "https://e.example/http://ada@x",
                "https://e.example/http://***@x",
                "https://e.example/http://x",
            ),
            ("https://a@b@e.example?c@d", "https://***@e.example?c@d", "https://e.example?c@d"),
            ("mailto:ada@e.example", "mailto:ada@e.example", "mailto:ada@e.example"),
        ];
        for (iri, masked, without) in cases {
            assert_eq!(masked_credentials(iri), masked);
            assert_eq!(masked_credentials(masked), masked, "once more");
            assert_eq!(without_credentials(iri), without);
        }
    }

    #[test]
    fn long_texts_take_no_longer_than_their_length() {
        for part in ["http:", "//", "http:/a@", ":/", "@"] {
            let text = part.repeat(200_000);
            assert!(masked_credentials(&text).len() <= text.len());
        }
    }
}
