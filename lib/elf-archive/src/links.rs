//! Links of a file of GEDCOM 7.0 to files in its archive (GEDCOM 7.0 *File Path*).

use std::collections::{HashMap, HashSet};
use std::io::{self, ErrorKind, Read};

/// The octets of a line that are looked at: no name of an entry has more.
const MOST: usize = 1 << 17;

/// The most links whose names are kept; others are counted.
const MOST_NAMED: usize = 1000;

/// A link from a GEDCOM file to another file: a line `1 FILE` of a multimedia record.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FileLink<'l> {
    /// The file name, with escapes decoded.
    pub name: &'l str,
    /// The number of its line, from 1.
    pub line: u64,
    /// The offset of the first byte of its line.
    pub octet: u64,
    /// The bytes of the line without its line break, at most 131,072.
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
/// Those of `input`.
pub fn file_links(mut input: impl Read, mut take: impl FnMut(FileLink<'_>)) -> io::Result<()> {
    let mut lines = LinkLines::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        lines.see(&buffer[..read], &mut take);
    }
    lines.end(&mut take);
    Ok(())
}

/// The links of a file, found as its octets go by.
#[derive(Debug, Default)]
struct LinkLines {
    /// The line that the octets so far end in, and the number of those before it.
    line: Vec<u8>,
    before: u64,
    /// The octet that the line starts at, and the number of octets so far.
    start: u64,
    at: u64,
    /// True after U+000D, which is one line break together with U+000A.
    is_behind_return: bool,
    /// True under a record of multimedia: only there a `FILE` is a link.
    is_multimedia: bool,
}

impl LinkLines {
    fn see(&mut self, octets: &[u8], take: &mut dyn FnMut(FileLink<'_>)) {
        let mut rest = octets;
        while let Some(end) = rest.iter().position(|octet| matches!(octet, b'\n' | b'\r')) {
            let (piece, behind) = rest.split_at(end);
            self.push(piece);
            self.at += 1;
            let is_feed = behind.first() == Some(&b'\n');
            if !(is_feed && self.is_behind_return && self.at == self.start + 1) {
                self.end(take);
                self.before += 1;
            }
            self.is_behind_return = !is_feed;
            self.start = self.at;
            rest = &behind[1..];
        }
        self.push(rest);
    }

    fn push(&mut self, piece: &[u8]) {
        let room = MOST.saturating_sub(self.line.len());
        self.line.extend(piece.iter().take(room));
        self.at += piece.len() as u64;
    }

    /// Ends a line.
    fn end(&mut self, take: &mut dyn FnMut(FileLink<'_>)) {
        let text = self.line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&self.line);
        if text.starts_with(b"0") {
            self.is_multimedia = text.split(|octet| *octet == b' ').any(|word| word == b"OBJE");
        } else if let (true, Some(link)) = (self.is_multimedia, text.strip_prefix(b"1 FILE "))
            && !is_of_the_web(link)
        {
            let name = &*String::from_utf8_lossy(&unescape_link(link)).into_owned();
            take(FileLink { name, line: self.before + 1, octet: self.start, text });
        }
        self.line.clear();
    }
}

/// The links of a file that lead to none of the files that are there, counted as its octets go by.
#[derive(Debug, Default)]
pub(crate) struct Links {
    lines: LinkLines,
    missing: MissingLinks,
}

/// The links that lead to no file.
#[derive(Debug, Default)]
struct MissingLinks {
    /// The names of the files that are there.
    files: HashSet<String>,
    /// The names of the first links.
    names: Vec<String>,
    count: u64,
    /// Each name once, with the number of its links.
    linked: Vec<String>,
    counts: HashMap<String, u64>,
}

impl Links {
    pub(crate) fn new(files: impl IntoIterator<Item = String>) -> Links {
        let missing = MissingLinks { files: files.into_iter().collect(), ..MissingLinks::default() };
        Links { missing, ..Links::default() }
    }

    /// Sees the next octets.
    pub(crate) fn see(&mut self, octets: &[u8]) {
        let Links { lines, missing } = self;
        lines.see(octets, &mut |link| missing.add(link.name));
    }

    /// Ends a line.
    pub(crate) fn end(&mut self) {
        let Links { lines, missing } = self;
        lines.end(&mut |link| missing.add(link.name));
    }

    /// The names of all files that are not there, each once.
    pub(crate) fn linked(&self) -> &[String] {
        &self.missing.linked
    }

    /// Forgets the links to a file that is there now.
    pub(crate) fn set_present(&mut self, name: &str) {
        let MissingLinks { names, count, counts, .. } = &mut self.missing;
        if let Some(links) = counts.remove(name) {
            *count -= links;
            names.retain(|known| known != name);
        }
    }

    /// The names of the first thousand files that are not there, in the order of the links to them, and the
    /// number of such links.
    pub(crate) fn missing(&self) -> (&[String], u64) {
        (&self.missing.names, self.missing.count)
    }
}

impl MissingLinks {
    fn add(&mut self, name: &str) {
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
        if self.names.len() < MOST_NAMED {
            self.names.push(name.to_owned());
        }
    }
}

/// Returns whether a link has a scheme (RFC 3986 §3.1) other than that of files.
fn is_of_the_web(link: &[u8]) -> bool {
    let Some(end) = link.iter().position(|octet| *octet == b':') else { return false };
    let scheme = &link[..end];
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    // One letter is a drive of Windows.
    scheme.len() > 1
        && scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(is_plain)
        && !scheme.eq_ignore_ascii_case(b"file")
}

/// Decodes a link, in which `%` and two digits are a byte (RFC 3986 §2.1).
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
            let mut links = Links::new(["media/a b.jpg".to_owned()]);
            text.as_bytes().chunks(size).for_each(|octets| links.see(octets));
            links.end();
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
                let mut lines = LinkLines::default();
                text.as_bytes().chunks(size).for_each(|octets| lines.see(octets, &mut take));
                lines.end(&mut take);
                assert_eq!(found, [(4, true), (5, true)], "{line_break:?} {size}");
            }
        }
    }

    #[test]
    fn of_many_missing_files_a_thousand_are_named() {
        let mut links = Links::new([]);
        links.see(b"0 @O1@ OBJE\n");
        (0..2000).for_each(|_| links.see(b"1 FILE a\n"));
        let (names, count) = links.missing();
        assert_eq!((names.len(), count), (1000, 2000));
    }
}
