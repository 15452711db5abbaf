//! Writes line strings as bytes.

use crate::{Encoding, LineBreak, Unencodable};
use elf_base::rules::WriteRules;

/// The form in which line strings are written as bytes: the encoding, the line break, and whether there is a byte-order
/// mark (D19 *Serialising line strings*).
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::{Encoding, Form, LineBreak};
///
/// let form = Form::new(Encoding::Utf16Le, &Rules::DECEMBER_2019.write).with_line_break(LineBreak::CrLf);
/// let octets = form.join(["0 HEAD", "0 TRLR"])?;
/// assert_eq!(octets[..6], [0xFF, 0xFE, 0x30, 0, 0x20, 0]); // December 2019 recommends a mark
/// assert_eq!(octets[octets.len() - 4..], [0x0D, 0, 0x0A, 0]); // The last line also has a line break.
/// # Ok::<(), elf_octets::Unencodable>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Form {
    /// The encoding in which the bytes are written.
    pub encoding: Encoding,
    /// The line break at the end of each line, including the last line.
    pub line_break: LineBreak,
    /// Whether the file starts with a byte-order mark. The value is ignored in encodings that do not have such a mark.
    pub mark: bool,
}

impl Form {
    /// Creates the default form for `encoding`: LF, and a byte-order mark if the draft of `rules` recommends one.
    pub const fn new(encoding: Encoding, rules: &WriteRules) -> Form {
        let mark = rules.mark.is_written(encoding.mark().is_some(), encoding.is_utf16());
        Form { encoding, line_break: LineBreak::Lf, mark }
    }

    /// Sets the line break that ends each line.
    #[must_use]
    pub const fn with_line_break(mut self, line_break: LineBreak) -> Form {
        self.line_break = line_break;
        self
    }

    /// Sets whether the file starts with a byte-order mark. The value is ignored in encodings that do not have such a
    /// mark.
    #[must_use]
    pub const fn with_mark(mut self, mark: bool) -> Form {
        self.mark = mark && self.encoding.mark().is_some();
        self
    }

    /// Appends the byte-order mark, if the form has one.
    pub fn start(&self, octets: &mut Vec<u8>) {
        if self.mark {
            octets.extend_from_slice(self.encoding.mark().unwrap_or_default());
        }
    }

    /// Appends a line string and a line break.
    ///
    /// # Errors
    ///
    /// Returns [`Unencodable`] with the first character that the encoding does not have, or with the first LF or CR,
    /// which a line string cannot contain. If there is an error, nothing is appended.
    pub fn line(&self, line_string: &str, octets: &mut Vec<u8>) -> Result<(), Unencodable> {
        let before = octets.len();
        let broken = memchr::memchr2(b'\n', b'\r', line_string.as_bytes());
        let line = &line_string[..broken.unwrap_or(line_string.len())];
        let ended = self.encoding.encode_into(line, octets).and_then(|()| match broken {
            None => self.encoding.encode_into(self.line_break.text(), octets),
            Some(offset) => {
                let character = char::from(line_string.as_bytes()[offset]);
                Err(Unencodable { character, offset, encoding: self.encoding })
            }
        });
        if ended.is_err() {
            octets.truncate(before);
        }
        ended
    }

    /// Returns the bytes of a whole file that consists of these line strings.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`line`](Form::line). The offset is the offset in the line string.
    pub fn join<'l>(&self, line_strings: impl IntoIterator<Item = &'l str>) -> Result<Vec<u8>, Unencodable> {
        let mut octets = Vec::new();
        self.start(&mut octets);
        for line_string in line_strings {
            self.line(line_string, &mut octets)?;
        }
        Ok(octets)
    }
}
