//! Finds links from a GEDCOM 7.0 file to files in its archive (GEDCOM 7.0 *File Path*).

use std::collections::{HashMap, HashSet};
use std::io::{self, ErrorKind, Read};

/// The maximum number of bytes of a line that are examined. The names of archive entries are shorter.
const MAX_LINE_BYTES: usize = 1 << 17;

/// The maximum number of missing files whose names are stored. Further missing files are only counted.
const MAX_MISSING_NAMES: usize = 1000;

/// A link from a GEDCOM file to another file. The link is a line `1 FILE` of a multimedia record.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FileLink<'l> {
    /// The name of the linked file, with its escapes decoded.
    pub name: &'l str,
    /// The line number, from 1.
    pub line: u64,
    /// The offset of the first byte of the line.
    pub octet: u64,
    /// The bytes of the line without its line ending, at most 131,072.
    pub text: &'l [u8],
}

/// Calls `take` for each link to a local file in a UTF-8 GEDCOM file. Memory use is constant.
///
/// ```
/// let file = b"0 @O1@ OBJE\n1 FILE a%20b.jpg\n1 FILE https://example.org/c.jpg\n";
/// let mut found = Vec::new();
/// elf_archive::file_links(&file[..], |link| found.push((link.name.to_owned(), link.line)))?;
/// assert_eq!(found, [("a b.jpg".to_owned(), 2)]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if reading `input` fails.
pub fn file_links(mut input: impl Read, mut take: impl FnMut(FileLink<'_>)) -> io::Result<()> {
    let mut lines = LinkScanner::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        lines.scan(&buffer[..read], &mut take);
    }
    lines.end_line(&mut take);
    Ok(())
}

/// Finds links in a stream of bytes.
#[derive(Debug, Default)]
struct LinkScanner {
    /// The part of the current line that has been read.
    line: Vec<u8>,
    before: u64,
    /// The offset at which the current line starts.
    start: u64,
    at: u64,
    /// Whether the last byte was U+000D. Together with a U+000A that follows, it forms one line ending.
    is_behind_return: bool,
    /// Whether the current line is inside a multimedia record. `FILE` is a link only there.
    is_multimedia: bool,
}

impl LinkScanner {
    fn scan(&mut self, octets: &[u8], take: &mut dyn FnMut(FileLink<'_>)) {
        let mut rest = octets;
        while let Some(end) = rest.iter().position(|octet| matches!(octet, b'\n' | b'\r')) {
            let (piece, behind) = rest.split_at(end);
            self.push_bytes(piece);
            self.at += 1;
            let is_feed = behind.first() == Some(&b'\n');
            if !(is_feed && self.is_behind_return && self.at == self.start + 1) {
                self.end_line(take);
                self.before += 1;
            }
            self.is_behind_return = !is_feed;
            self.start = self.at;
            rest = &behind[1..];
        }
        self.push_bytes(rest);
    }

    fn push_bytes(&mut self, piece: &[u8]) {
        let room = MAX_LINE_BYTES.saturating_sub(self.line.len());
        self.line.extend(piece.iter().take(room));
        self.at += piece.len() as u64;
    }

    /// Handles a line that has been read completely.
    fn end_line(&mut self, take: &mut dyn FnMut(FileLink<'_>)) {
        let text = self.line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&self.line);
        if text.starts_with(b"0") {
            self.is_multimedia = text.split(|octet| *octet == b' ').any(|word| word == b"OBJE");
        } else if let (true, Some(link)) = (self.is_multimedia, text.strip_prefix(b"1 FILE "))
            && !is_web_link(link)
        {
            let name = &*String::from_utf8_lossy(&unescape_link(link)).into_owned();
            take(FileLink { name, line: self.before + 1, octet: self.start, text });
        }
        self.line.clear();
    }
}

/// Finds out which linked files are missing, while the bytes of a GEDCOM file are written.
#[derive(Debug, Default)]
pub(crate) struct LinkTracker {
    lines: LinkScanner,
    missing: MissingLinks,
}

/// The links whose files are missing.
#[derive(Debug, Default)]
struct MissingLinks {
    /// The names of the files that are present.
    files: HashSet<String>,
    /// The names of the missing files that were found first.
    names: Vec<String>,
    count: u64,
    /// The names of all missing files. Each name is listed once.
    linked: Vec<String>,
    counts: HashMap<String, u64>,
}

impl LinkTracker {
    pub(crate) fn new(files: impl IntoIterator<Item = String>) -> LinkTracker {
        let missing = MissingLinks { files: files.into_iter().collect(), ..MissingLinks::default() };
        LinkTracker { missing, ..LinkTracker::default() }
    }

    /// Examines the next bytes of the GEDCOM file.
    pub(crate) fn scan(&mut self, octets: &[u8]) {
        let LinkTracker { lines, missing } = self;
        lines.scan(octets, &mut |link| missing.add_link(link.name));
    }

    pub(crate) fn end_line(&mut self) {
        let LinkTracker { lines, missing } = self;
        lines.end_line(&mut |link| missing.add_link(link.name));
    }

    /// Returns the names of all missing files. Each name is listed once.
    pub(crate) fn linked(&self) -> &[String] {
        &self.missing.linked
    }

    /// Removes the links to a file that is no longer missing.
    pub(crate) fn set_present(&mut self, name: &str) {
        let MissingLinks { names, count, counts, .. } = &mut self.missing;
        if let Some(links) = counts.remove(name) {
            *count -= links;
            names.retain(|known| known != name);
        }
    }

    /// Returns the names of the first thousand missing files, in the order of the links to them. Also returns the
    /// number of all links to missing files.
    pub(crate) fn missing(&self) -> (&[String], u64) {
        (&self.missing.names, self.missing.count)
    }
}

impl MissingLinks {
    fn add_link(&mut self, name: &str) {
        if self.files.contains(name) {
            return;
        }
        self.count += 1;
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(name.to_owned(), 1);
                self.linked.push(name.to_owned());
            }
        }
        if self.names.len() < MAX_MISSING_NAMES {
            self.names.push(name.to_owned());
        }
    }
}

/// Returns whether a link has a scheme (RFC 3986 §3.1) other than `file`.
fn is_web_link(link: &[u8]) -> bool {
    let Some(end) = link.iter().position(|octet| *octet == b':') else { return false };
    let scheme = &link[..end];
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    // A scheme of a single letter is the drive of a Windows path.
    scheme.len() > 1
        && scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(is_plain)
        && !scheme.eq_ignore_ascii_case(b"file")
}

/// Decodes a link. In a link, `%` and two digits represent a byte (RFC 3986 §2.1).
fn unescape_link(link: &[u8]) -> Vec<u8> {
    let digit =
        |octet: Option<&u8>| char::from(*octet?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut octets = Vec::with_capacity(link.len());
    let mut rest = link;
    while let [octet, after @ ..] = rest {
        rest = after;
        let escape =
            (*octet == b'%').then(|| Some(digit(after.first())? << 4 | digit(after.get(1))?)).flatten();
        if escape.is_some() {
            rest = &after[2..];
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
            let mut links = LinkTracker::new(["media/a b.jpg".to_owned()]);
            text.as_bytes().chunks(size).for_each(|octets| links.scan(octets));
            links.end_line();
            let names = ["c.jpg", "file:///f.jpg", "C:g.jpg", "h%zz%4"].map(str::to_owned);
            assert_eq!(links.missing(), (&names[..], 4), "{size}");
        }
    }

    #[test]
    fn links_are_found_with_their_lines_whatever_breaks_these() {
        for line_break in ["\n", "\r", "\r\n"] {
            let text =
                "\u{FEFF}0 HEAD\n\n0 @O1@ OBJE\n1 FILE a%20b.jpg\n1 FILE c.jpg".replace('\n', line_break);
            for size in [1, 3, text.len()] {
                let mut found = Vec::new();
                let mut take = |link: FileLink<'_>| {
                    let end = usize::try_from(link.octet).unwrap_or_default() + link.text.len();
                    found.push((link.line, text.as_bytes()[..end].ends_with(link.text)));
                };
                let mut lines = LinkScanner::default();
                text.as_bytes().chunks(size).for_each(|octets| lines.scan(octets, &mut take));
                lines.end_line(&mut take);
                assert_eq!(found, [(4, true), (5, true)], "{line_break:?} {size}");
            }
        }
    }

    #[test]
    fn of_many_missing_files_a_thousand_are_named() {
        let mut links = LinkTracker::new([]);
        links.scan(b"0 @O1@ OBJE\n");
        (0..2000).for_each(|_| links.scan(b"1 FILE a\n"));
        let (names, count) = links.missing();
        assert_eq!((names.len(), count), (1000, 2000));
    }
}
