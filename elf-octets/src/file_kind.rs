//! Files of other kinds than GEDCOM and ELF, told by how they start: archives, pages, databases, noise.

use std::fmt;

/// A kind of file that is neither GEDCOM nor ELF, such as a ZIP archive or a web page.
///
/// ```
/// use elf_octets::FileKind;
///
/// assert_eq!(FileKind::of(b"PK\x03\x04\x14\0\0\0"), Some(FileKind::Zip));
/// assert_eq!(FileKind::of(b"<!DOCTYPE html><title>Not found</title>"), Some(FileKind::Html));
/// assert_eq!(FileKind::of(b"0 HEAD\n1 CHAR UTF-8\n"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A web page.
    Html,
    /// A family tree of Gramps, in XML.
    Gramps,
    /// Any other XML.
    Xml,
    /// JSON.
    Json,
    /// Rich text, as word processors write it.
    Rtf,
    /// PDF.
    Pdf,
    /// A ZIP archive; a GEDZIP file is one.
    Zip,
    /// A document of a word processor or a spreadsheet, packed as ZIP.
    OfficeDocument,
    /// A document of older Microsoft programs: Word, Excel, and some genealogy programs.
    CompoundDocument,
    /// A file or an archive packed by gzip.
    Gzip,
    /// An archive in another form: 7z, RAR, tar, bzip2, xz, Zstandard.
    Archive,
    /// An `SQLite` database, the format of several genealogy programs.
    Sqlite,
    /// An Access database, the format of several genealogy programs.
    Access,
    /// A picture.
    Picture,
    /// A program.
    Program,
    /// Text in UTF-32.
    Utf32,
    /// Text in EBCDIC, of mainframes.
    Ebcdic,
    /// Only zero bytes, as a failed copy leaves after.
    Zeros,
    /// Bytes that are not text: a database, another binary format, or noise.
    Binary,
}

/// The least number of octets that are judged by how many of them no text holds.
const FEW: usize = 16;

/// The start of a kind of file: at an offset, these octets.
type Signature = (usize, &'static [u8], FileKind);

/// The starts of files that no text begins with.
const SIGNATURES: &[Signature] = &[
    (0, b"PK\x03\x04", FileKind::Zip),
    (0, b"PK\x05\x06", FileKind::Zip),
    (0, b"\x1F\x8B", FileKind::Gzip),
    (0, b"7z\xBC\xAF\x27\x1C", FileKind::Archive),
    (0, b"Rar!\x1A\x07", FileKind::Archive),
    (0, b"BZh", FileKind::Archive),
    (0, b"\xFD7zXZ\0", FileKind::Archive),
    (0, b"\x28\xB5\x2F\xFD", FileKind::Archive),
    (257, b"ustar", FileKind::Archive),
    (0, b"%PDF-", FileKind::Pdf),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", FileKind::CompoundDocument),
    (0, b"SQLite format 3\0", FileKind::Sqlite),
    (4, b"Standard Jet DB", FileKind::Access),
    (4, b"Standard ACE DB", FileKind::Access),
    (0, b"\xFF\xD8\xFF", FileKind::Picture),
    (0, b"\x89PNG\r\n", FileKind::Picture),
    (0, b"GIF87a", FileKind::Picture),
    (0, b"GIF89a", FileKind::Picture),
    (0, b"II*\0", FileKind::Picture),
    (0, b"MM\0*", FileKind::Picture),
    (0, b"\x7FELF", FileKind::Program),
    (0, b"\x00\x00\xFE\xFF", FileKind::Utf32),
    (0, b"\xFF\xFE\x00\x00", FileKind::Utf32),
    (0, b"\x00\x00\x000", FileKind::Utf32),
    (0, b"0\x00\x00\x00", FileKind::Utf32),
    (0, b"\xF0\x40\xC8\xC5\xC1\xC4", FileKind::Ebcdic),
    (0, b"{\\rtf", FileKind::Rtf),
];

/// Tags of which a genealogical file has one soon, be it damaged at its start.
const TAGS: [&[u8]; 12] = [
    b"HEAD", b"SOUR", b"GEDC", b"CHAR", b"SUBM", b"INDI", b"NAME", b"SEX", b"BIRT", b"FAM", b"NOTE", b"TRLR",
];

impl FileKind {
    /// The number of bytes at the start of the file that are examined.
    pub const WINDOW: usize = 1 << 16;

    /// Recognises the kind of a file by its first bytes; at most [`WINDOW`](FileKind::WINDOW) bytes are examined.
    /// Returns `None` for GEDCOM, ELF and other text, and if there are too few bytes to tell. A file that contains
    /// GEDCOM lines is only recognised as another kind if it starts with bytes that are not text.
    pub fn of(octets: &[u8]) -> Option<FileKind> {
        let window = octets.get(..FileKind::WINDOW).unwrap_or(octets);
        let signature = SIGNATURES.iter().find(|(at, start, _)| has_at(window, *at, start));
        let kind = match signature {
            Some((_, _, FileKind::Zip)) if is_document(window) => FileKind::OfficeDocument,
            Some((_, _, kind)) => *kind,
            None => of_text(window).or_else(|| of_noise(window))?,
        };
        // An archive or a database may contain an uncompressed GEDCOM file.
        let is_certain = signature.is_some_and(|(at, start, _)| *at > 0 || !is_printable(start));
        (is_certain || !has_lines(window)).then_some(kind)
    }

    /// Returns the name of the kind with its article, to be used after “looks like”.
    pub const fn name(self) -> &'static str {
        match self {
            FileKind::Html => "a web page (HTML)",
            FileKind::Gramps => "a family tree of Gramps (XML)",
            FileKind::Xml => "XML",
            FileKind::Json => "JSON",
            FileKind::Rtf => "a word processor file (RTF)",
            FileKind::Pdf => "a PDF file",
            FileKind::Zip => "a ZIP archive",
            FileKind::OfficeDocument => "a document of an office program",
            FileKind::CompoundDocument => "a document of a Microsoft program or a similar program",
            FileKind::Gzip => "a gzip archive",
            FileKind::Archive => "an archive",
            FileKind::Sqlite => "an SQLite database",
            FileKind::Access => "an Access database",
            FileKind::Picture => "a picture",
            FileKind::Program => "a program",
            FileKind::Utf32 => "text in UTF-32, which is not supported",
            FileKind::Ebcdic => "text in EBCDIC, which is not supported",
            FileKind::Zeros => "a file that contains only zero bytes",
            FileKind::Binary => "binary data",
        }
    }

    /// Returns advice for somebody who has such a file but needs a GEDCOM file.
    pub const fn advice(self) -> &'static str {
        match self {
            FileKind::Html => "perhaps a web page was saved instead of the file: download the file again",
            FileKind::Gramps => "export GEDCOM from Gramps",
            FileKind::Xml | FileKind::Json | FileKind::Pdf | FileKind::Picture | FileKind::Program => {
                "check that this is the right file: GEDCOM files usually end in `.ged`"
            }
            FileKind::Rtf | FileKind::OfficeDocument | FileKind::CompoundDocument => {
                "if a word processor converted a GEDCOM file, save it as plain text; otherwise export GEDCOM from your genealogy program"
            }
            FileKind::Zip | FileKind::Gzip | FileKind::Archive => "unpack it: the GEDCOM file may be inside",
            FileKind::Sqlite | FileKind::Access => "export GEDCOM from the program that uses this database",
            FileKind::Utf32 | FileKind::Ebcdic => "convert it to UTF-8 first",
            FileKind::Zeros => "it was damaged when it was copied or stored: look for another copy",
            FileKind::Binary => {
                "if it belongs to a genealogy program, export GEDCOM from that program; if it is text, name its encoding"
            }
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn has_at(octets: &[u8], at: usize, expected: &[u8]) -> bool {
    octets.get(at..).is_some_and(|rest| rest.starts_with(expected))
}

/// Returns whether a ZIP archive is a document: its first member says so (ODF part 3, Office Open XML).
fn is_document(archive: &[u8]) -> bool {
    has_at(archive, 30, b"mimetypeapplication/vnd.oasis") || has_at(archive, 30, b"[Content_Types].xml")
}

/// Tells kinds of text by how they begin.
fn of_text(window: &[u8]) -> Option<FileKind> {
    let text = window.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(window).trim_ascii_start();
    let start = text.get(..1024).unwrap_or(text).to_ascii_lowercase();
    let has = |part: &[u8]| memchr::memmem::find(&start, part).is_some();
    match start.as_slice() {
        [b'<', b'!' | b'?' | b'a'..=b'z', ..] => Some(if has(b"gramps-project.org/xml") {
            FileKind::Gramps
        } else if has(b"<html") || has(b"<!doctype html") || has(b"<head") {
            FileKind::Html
        } else {
            FileKind::Xml
        }),
        [b'{' | b'[', rest @ ..] => {
            let next = rest.trim_ascii_start().first()?;
            matches!(next, b'"' | b'{' | b'[' | b'}' | b']').then_some(FileKind::Json)
        }
        _ => None,
    }
}

/// Tells octets that are no text in any encoding.
fn of_noise(window: &[u8]) -> Option<FileKind> {
    if window.len() < FEW {
        return None;
    }
    if window.iter().all(|octet| *octet == 0) {
        return Some(FileKind::Zeros);
    }
    let is_strange = match window {
        [0xFF, 0xFE, ..] | [1..=0x7F, 0, ..] => is_no_utf16(window, u16::from_le_bytes),
        [0xFE, 0xFF, ..] | [0, 1..=0x7F, ..] => is_no_utf16(window, u16::from_be_bytes),
        _ => is_much(window.iter().filter(|octet| is_control(u16::from(**octet))).count(), window.len()),
    };
    is_strange.then_some(FileKind::Binary)
}

/// Returns whether octets read as UTF-16 hold much that no text does.
fn is_no_utf16(window: &[u8], unit: fn([u8; 2]) -> u16) -> bool {
    let units = || window.chunks_exact(2).filter_map(|pair| pair.try_into().ok().map(unit));
    let strange = char::decode_utf16(units()).filter(|decoded| match decoded {
        Ok(character) => {
            u16::try_from(u32::from(*character)).is_ok_and(|unit| is_control(unit) || is_private(unit))
        }
        Err(_) => true,
    });
    is_much(strange.count(), window.len() / 2)
}

/// Returns whether so many strange ones of so many are too many for damaged text: one in twenty.
const fn is_much(strange: usize, of: usize) -> bool {
    strange > of / 20
}

/// Returns whether a character is a control character other than those found in text: tab, line breaks, form
/// feed, and the U+001A that ended files of CP/M and DOS.
const fn is_control(character: u16) -> bool {
    matches!(character, 0..=8 | 0x0B | 0x0E..=0x19 | 0x1B..=0x1F | 0x7F)
}

const fn is_private(unit: u16) -> bool {
    matches!(unit, 0xE000..=0xF8FF)
}

/// Returns whether octets are printable characters of ASCII.
fn is_printable(octets: &[u8]) -> bool {
    octets.iter().all(|octet| matches!(octet, b' '..=b'~'))
}

/// Returns whether there is a line of GEDCOM among octets, in an encoding based on ASCII or in UTF-16.
fn has_lines(window: &[u8]) -> bool {
    let octets: Vec<u8> = window.iter().copied().filter(|octet| *octet != 0).collect();
    octets.split(|octet| matches!(octet, b'\n' | b'\r')).any(is_line)
}

/// Returns whether a line string is a level, perhaps an identifier, and one of the commonest tags.
fn is_line(line: &[u8]) -> bool {
    let mut words = line.split(|octet| matches!(octet, b' ' | b'\t')).filter(|word| !word.is_empty());
    let level = words.next().unwrap_or_default();
    let level = level.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(level);
    let mut word = words.next().unwrap_or_default();
    if word.starts_with(b"@") {
        word = words.next().unwrap_or_default();
    }
    !level.is_empty()
        && level.len() <= 2
        && level.iter().all(u8::is_ascii_digit)
        && TAGS.iter().any(|tag| word.eq_ignore_ascii_case(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Octets that nothing orders, the same in every run.
    fn noise(count: usize) -> Vec<u8> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let step = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[3]
        };
        std::iter::repeat_with(step).take(count).collect()
    }

    #[test]
    fn kinds_are_known_by_how_they_start() {
        let zip = |name: &[u8]| [b"PK\x03\x04".as_slice(), &[0; 26], name].concat();
        let tar = [b"tree.ged".as_slice(), &[0; 249], b"ustar"].concat();
        let cases: [(&[u8], Option<FileKind>); 26] = [
            (b"<!DOCTYPE html>\n<p>", Some(FileKind::Html)),
            (b"\xEF\xBB\xBF\n <HTML lang=en>", Some(FileKind::Html)),
            (
                b"<?xml version=\"1.0\"?><database xmlns=\"http://gramps-project.org/xml/1.7.1/\">",
                Some(FileKind::Gramps),
            ),
            (b"<?xml version=\"1.0\"?><tree/>", Some(FileKind::Xml)),
            (b"< 3", None),
            (b"{\n  \"people\": []", Some(FileKind::Json)),
            (b"[{}]", Some(FileKind::Json)),
            (b"{smile}", None),
            (b"[1900] born", None),
            (b"{\\rtf1\\ansi", Some(FileKind::Rtf)),
            (b"%PDF-1.7\n1 0 obj", Some(FileKind::Pdf)),
            (&zip(b"tree.ged"), Some(FileKind::Zip)),
            (&zip(b"[Content_Types].xml"), Some(FileKind::OfficeDocument)),
            (&zip(b"mimetypeapplication/vnd.oasis.opendocument.text"), Some(FileKind::OfficeDocument)),
            (b"\x1F\x8B\x08", Some(FileKind::Gzip)),
            (&tar, Some(FileKind::Archive)),
            (b"SQLite format 3\0", Some(FileKind::Sqlite)),
            (b"\0\x01\0\0Standard Jet DB\0", Some(FileKind::Access)),
            (b"\x89PNG\r\n\x1A\n", Some(FileKind::Picture)),
            (b"0\0\0\0 \0\0\0H\0\0\0", Some(FileKind::Utf32)),
            (b"\xFF\xFE\0\x000\0\0\0", Some(FileKind::Utf32)),
            (b"\xF0\x40\xC8\xC5\xC1\xC4", Some(FileKind::Ebcdic)),
            (b"", None),
            (b"Dear cousin,\nattached is the family tree.\n", None),
            (b"0 HEAD\n1 CHAR ANSEL\n", None),
            (b"1 SOUR X\n", None),
        ];
        for (octets, kind) in cases {
            assert_eq!(FileKind::of(octets), kind, "{}", String::from_utf8_lossy(octets));
        }
    }

    #[test]
    fn noise_is_no_text() {
        for count in [500, 5_000, 200_000] {
            let noise = noise(count);
            assert_eq!(FileKind::of(&noise), Some(FileKind::Binary), "{count}");
            for mark in [b"\xFF\xFE", b"\xFE\xFF", b"a\0", b"\0a"] {
                let noise = [mark.as_slice(), &noise].concat();
                assert_eq!(FileKind::of(&noise), Some(FileKind::Binary), "{mark:?} {count}");
            }
        }
        assert_eq!(FileKind::of(&[0; 100]), Some(FileKind::Zeros));
        assert_eq!(FileKind::of(&[0; 200_000]), Some(FileKind::Zeros));
    }

    #[test]
    fn text_is_text_in_every_encoding_and_however_damaged() {
        let text = "Liebe Cousine, hier kommt der Stammbaum der Familie Müller aus Köln.\r\n".repeat(20);
        let utf16 = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        for octets in [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes), text.clone().into_bytes()] {
            assert_eq!(FileKind::of(&octets), None);
        }
        // Ten letters to a mark of ANSEL, control characters of a word processor, the end of a DOS file.
        assert_eq!(FileKind::of("ab\u{1}cdefghijklmnopqrstuvwxyz\n".repeat(9).as_bytes()), None);
        assert_eq!(FileKind::of(b"a letter of the eighties\r\n\x1A"), None);
    }

    #[test]
    fn lines_of_gedcom_are_read_whatever_stands_before_them() {
        for line in ["0 HEAD", "1 NAME John /Smith/", "  0 @I1@ INDI", "00 head", "2 SOUR @S1@"] {
            for before in ["<html><pre>\n", "BZh\n", "{\"\n", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\n"] {
                let text = format!("{before}{line}\n");
                assert_eq!(FileKind::of(text.as_bytes()), None, "{text:?}");
                let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                assert_eq!(FileKind::of(&utf16), None, "{text:?} in UTF-16");
            }
        }
        let mut tar = vec![0; 512];
        tar[..5].copy_from_slice(b"a.ged");
        tar[257..262].copy_from_slice(b"ustar");
        for (start, kind) in [
            (b"PK\x03\x04".to_vec(), FileKind::Zip),
            (b"SQLite format 3\0".to_vec(), FileKind::Sqlite),
            (tar, FileKind::Archive),
        ] {
            let holding = [&start[..], b"\n0 HEAD\n1 CHAR UTF-8\n0 TRLR\n"].concat();
            assert_eq!(FileKind::of(&holding), Some(kind), "it may hold a file as it is");
        }
        for no_line in ["12 MAR 1890", "100 HEAD", "HEAD", "0", "0 HEADS", "x 0 HEAD"] {
            assert_eq!(
                FileKind::of(format!("<html>\n{no_line}").as_bytes()),
                Some(FileKind::Html),
                "{no_line}"
            );
        }
    }
}
