//! Recognises files that are neither GEDCOM nor ELF by their first bytes. Such files are archives, web pages, databases
//! or noise.

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
    /// Any other XML file.
    Xml,
    /// A file in JSON.
    Json,
    /// Rich text, as word processors write it.
    Rtf,
    /// A document in PDF.
    Pdf,
    /// A ZIP archive. GEDZIP files are ZIP archives too.
    Zip,
    /// A document of a word processor or a spreadsheet, which is packed as ZIP.
    OfficeDocument,
    /// A document of older Microsoft programs: Word, Excel, and some genealogy programs.
    CompoundDocument,
    /// A file or an archive compressed by gzip.
    Gzip,
    /// An archive in another format: 7z, RAR, tar, bzip2, xz, Zstandard.
    Archive,
    /// An `SQLite` database, the format of several genealogy programs.
    Sqlite,
    /// An Access database, the format of several genealogy programs.
    Access,
    /// A picture.
    Picture,
    /// An executable program.
    Program,
    /// Text in UTF-32.
    Utf32,
    /// Text in EBCDIC, the encoding of mainframes.
    Ebcdic,
    /// Zero bytes only, as a failed copy leaves them.
    Zeros,
    /// Bytes that are not text, such as a database or another binary format.
    Binary,
}

/// The smallest number of bytes for which the share of strange characters is computed.
const FEW: usize = 16;

/// The bytes at an offset that identify a kind of file.
type Signature = (usize, &'static [u8], FileKind);

/// Signatures that never occur in text.
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

/// Tags that occur near the start of genealogical files, even in damaged ones.
const TAGS: [&[u8]; 12] = [
    b"HEAD", b"SOUR", b"GEDC", b"CHAR", b"SUBM", b"INDI", b"NAME", b"SEX", b"BIRT", b"FAM", b"NOTE", b"TRLR",
];

impl FileKind {
    /// The number of bytes at the start of the file that are examined.
    pub const WINDOW: usize = 1 << 16;

    /// Recognises the kind of a file by its first bytes, of which at most [`WINDOW`](FileKind::WINDOW) are examined.
    /// Returns `None` for GEDCOM, ELF and other text, and for too few bytes. A file that contains GEDCOM lines is
    /// recognised as another kind only if it starts with bytes that are not text.
    pub fn of(octets: &[u8]) -> Option<FileKind> {
        let window = octets.get(..FileKind::WINDOW).unwrap_or(octets);
        let signature = SIGNATURES.iter().find(|(at, start, _)| matches_at(window, *at, start));
        let kind = match signature {
            Some((_, _, FileKind::Zip)) if is_document(window) => FileKind::OfficeDocument,
            Some((_, _, kind)) => *kind,
            None => recognise_text(window).or_else(|| recognise_noise(window))?,
        };
        // Even with GEDCOM lines, the file may be an archive or a database that contains an uncompressed GEDCOM file.
        let is_certain = signature.is_some_and(|(at, start, _)| *at > 0 || !is_printable(start));
        (is_certain || !has_lines(window)).then_some(kind)
    }

    /// Returns the name of the kind with its article. The name can follow the words “looks like”.
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

    /// Returns advice for a user who has a file of this kind but needs a GEDCOM file.
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

fn matches_at(octets: &[u8], at: usize, expected: &[u8]) -> bool {
    octets.get(at..).is_some_and(|rest| rest.starts_with(expected))
}

/// Returns whether a ZIP archive is an office document. The first member of such an archive has a standard name (ODF
/// part 3, Office Open XML).
fn is_document(archive: &[u8]) -> bool {
    matches_at(archive, 30, b"mimetypeapplication/vnd.oasis")
        || matches_at(archive, 30, b"[Content_Types].xml")
}

/// Recognises kinds of text by the way in which they start.
fn recognise_text(window: &[u8]) -> Option<FileKind> {
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

/// Recognises bytes that are not text in any encoding.
fn recognise_noise(window: &[u8]) -> Option<FileKind> {
    if window.len() < FEW {
        return None;
    }
    if window.iter().all(|octet| *octet == 0) {
        return Some(FileKind::Zeros);
    }
    let is_strange = match window {
        [0xFF, 0xFE, ..] | [1..=0x7F, 0, ..] => has_impossible_utf16(window, u16::from_le_bytes),
        [0xFE, 0xFF, ..] | [0, 1..=0x7F, ..] => has_impossible_utf16(window, u16::from_be_bytes),
        _ => {
            is_too_strange(window.iter().filter(|octet| is_control(u16::from(**octet))).count(), window.len())
        }
    };
    is_strange.then_some(FileKind::Binary)
}

/// Returns whether bytes that are read as UTF-16 have too many characters that never occur in text.
fn has_impossible_utf16(window: &[u8], unit: fn([u8; 2]) -> u16) -> bool {
    let units = || window.chunks_exact(2).filter_map(|pair| pair.try_into().ok().map(unit));
    let strange = char::decode_utf16(units()).filter(|decoded| match decoded {
        Ok(character) => {
            u16::try_from(u32::from(*character)).is_ok_and(|unit| is_control(unit) || is_private_use(unit))
        }
        Err(_) => true,
    });
    is_too_strange(strange.count(), window.len() / 2)
}

/// Returns whether more than one in twenty characters is strange. Damaged text has fewer.
const fn is_too_strange(strange: usize, of: usize) -> bool {
    strange > of / 20
}

/// Returns whether a character is a control character that does not occur in text. Text contains tab, line breaks, form
/// feed, and the U+001A at the end of CP/M and DOS files.
const fn is_control(character: u16) -> bool {
    matches!(character, 0..=8 | 0x0B | 0x0E..=0x19 | 0x1B..=0x1F | 0x7F)
}

const fn is_private_use(unit: u16) -> bool {
    matches!(unit, 0xE000..=0xF8FF)
}

fn is_printable(octets: &[u8]) -> bool {
    octets.iter().all(|octet| matches!(octet, b' '..=b'~'))
}

/// Returns whether a GEDCOM line occurs in the bytes, either in UTF-16 or in an encoding based on ASCII.
fn has_lines(window: &[u8]) -> bool {
    let octets: Vec<u8> = window.iter().copied().filter(|octet| *octet != 0).collect();
    octets.split(|octet| matches!(octet, b'\n' | b'\r')).any(is_gedcom_line)
}

/// Returns whether a line consists of a level, an optional identifier, and one of the most common tags.
fn is_gedcom_line(line: &[u8]) -> bool {
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

    /// Returns pseudo-random bytes that are the same in every run.
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
        // Each of these texts has one unusual thing: a mark of ANSEL after ten letters, control characters of a word
        // processor, or the end of a DOS file.
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
