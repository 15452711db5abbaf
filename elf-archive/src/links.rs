//! Links of a file of GEDCOM 7.0 to files in its archive (GEDCOM 7.0 *File Path*).

use std::collections::HashSet;

/// The octets of a line that are looked at: no name of an entry has more.
const MOST: usize = 1 << 17;

/// The links of a file that lead to none of the files that are there, counted as its octets go by.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// The names of the files that are there.
    files: HashSet<String>,
    /// The line that the octets so far end in.
    line: Vec<u8>,
    /// True beneath a record of multimedia: only there a `FILE` is a link.
    is_multimedia: bool,
    /// The first name of a file that is not there.
    first: Option<String>,
    missing: u64,
}

impl Links {
    pub(crate) fn new(files: impl IntoIterator<Item = String>) -> Links {
        Links { files: files.into_iter().collect(), ..Links::default() }
    }

    /// Sees the next octets.
    pub(crate) fn see(&mut self, octets: &[u8]) {
        let mut pieces = octets.split(|octet| matches!(octet, b'\n' | b'\r')).peekable();
        while let Some(piece) = pieces.next() {
            let room = MOST.saturating_sub(self.line.len());
            self.line.extend(piece.iter().take(room));
            if pieces.peek().is_some() {
                self.end();
            }
        }
    }

    /// Ends a line.
    pub(crate) fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        let text = line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&line);
        if text.starts_with(b"0") {
            self.is_multimedia = text.split(|octet| *octet == b' ').any(|word| word == b"OBJE");
        } else if let (true, Some(link)) = (self.is_multimedia, text.strip_prefix(b"1 FILE ")) {
            self.count(link);
        }
        self.line = line;
        self.line.clear();
    }

    fn count(&mut self, link: &[u8]) {
        if is_of_the_web(link) {
            return;
        }
        let name = String::from_utf8_lossy(&unescaped(link)).into_owned();
        if !self.files.contains(&name) {
            self.missing += 1;
            self.first.get_or_insert(name);
        }
    }

    /// The first file that is not there, and the number of links to such files.
    pub(crate) fn missing(&self) -> Option<(&str, u64)> {
        self.first.as_deref().map(|first| (first, self.missing))
    }
}

/// Tells whether a link has a scheme (RFC 3986 §3.1) other than that of files.
fn is_of_the_web(link: &[u8]) -> bool {
    let Some(end) = link.iter().position(|octet| *octet == b':') else { return false };
    let scheme = link.get(..end).unwrap_or_default();
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    // One letter is a drive of Windows.
    scheme.len() > 1
        && scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(is_plain)
        && !scheme.eq_ignore_ascii_case(b"file")
}

/// The octets that a link means: `%` and two digits are one (RFC 3986 §2.1).
fn unescaped(link: &[u8]) -> Vec<u8> {
    let digit =
        |octet: Option<&u8>| char::from(*octet?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut octets = Vec::with_capacity(link.len());
    let mut rest = link;
    while let [octet, after @ ..] = rest {
        rest = after;
        let escape =
            (*octet == b'%').then(|| Some(digit(after.first())? << 4 | digit(after.get(1))?)).flatten();
        if escape.is_some() {
            rest = after.get(2..).unwrap_or_default();
        }
        octets.push(escape.unwrap_or(*octet));
    }
    octets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_what_is_not_there_are_counted_however_the_octets_come() {
        let text = "\u{FEFF}0 HEAD\r\n1 FILE no.ged\r\n0 @O1@ OBJE\r\n1 FILE media/a%20b.jpg\r\n\
            1 FILE https://example.org/a.jpg\r\n1 FILE c.jpg\r\n2 FILE d.jpg\r\n0 @I1@ INDI\r\n1 FILE e.jpg\r\n\
            0 @O2@ OBJE\r\n1 FILE file:///f.jpg\r\n1 FILE C:g.jpg\r\n1 FILE h%zz%4";
        for size in [1, 2, 7, text.len()] {
            let mut links = Links::new(["media/a b.jpg".to_owned()]);
            text.as_bytes().chunks(size).for_each(|octets| links.see(octets));
            links.end();
            assert_eq!(links.missing(), Some(("c.jpg", 4)), "{size}");
        }
    }
}
