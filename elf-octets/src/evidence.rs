//! What octets are, judged by themselves.

use crate::Encoding;

/// What the octets seem to be, and by what they show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) encoding: Encoding,
    /// A clause, such as `the octets are valid UTF-8`.
    pub(crate) reason: &'static str,
}

/// Judges octets that start with one that is not ASCII. `to_end` says whether the file ends with them.
pub(crate) fn judge(window: &[u8], to_end: bool) -> Verdict {
    let valid = encoding_rs::Encoding::utf8_valid_up_to(window);
    let cut = window.len() - valid;
    if cut == 0 || (!to_end && cut < 4) {
        return Verdict { encoding: Encoding::Utf8, reason: "the octets are valid UTF-8" };
    }
    Verdict {
        encoding: Encoding::Windows1252,
        reason: "the octets are not valid UTF-8 and read best as windows-1252",
    }
}

/// What kind of file this is, where it starts like one that is no ELF at all.
pub(crate) fn foreign(octets: &[u8]) -> Option<&'static str> {
    let start = octets.get(..64).unwrap_or(octets);
    let text = start.trim_ascii_start().to_ascii_lowercase();
    if text.starts_with(b"<") {
        return Some("it looks like HTML or XML: was a web page saved in place of the file?");
    }
    if start.starts_with(b"PK\x03\x04") {
        return Some("it looks like a ZIP archive: the file may be inside");
    }
    if start.starts_with(b"\xF0\x40\xC8\xC5\xC1\xC4") {
        return Some("it looks like EBCDIC, which is not read");
    }
    if start.starts_with(b"\x00\x00\xFE\xFF")
        || start.starts_with(b"\x00\x00\x00\x30")
        || start.starts_with(b"0\x00\x00\x00")
    {
        return Some("it looks like UTF-32, which is not read");
    }
    None
}
