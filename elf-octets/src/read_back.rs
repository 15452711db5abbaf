//! Checks whether readers will detect the encoding of an output file correctly.

use crate::Encoding;
use crate::decide::EVIDENCE_LIMIT;
use crate::encoding::Scheme;
use crate::evidence::{self, CharCheck, HeaderHints};
use elf_base::rules::OctetRules;

/// Checks, while a file is written, whether readers will detect its encoding correctly.
///
/// Under rules that let the [bytes decide](OctetRules::content), readers may override CHAR. Readers then read text as
/// UTF-8 if it happens to be valid UTF-8, and in another encoding if CHAR makes no sense. A few words of ANSEL are
/// enough to mislead a reader in this way. The check keeps at most [`EVIDENCE_LIMIT`] bytes in memory.
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::{Encoding, ReadBack};
///
/// let mut octets = Vec::new();
/// Encoding::Ansel.encode_into("ßŁ", &mut octets)?;
/// let mut watch = ReadBack::new(Encoding::Ansel, &Rules::WILD.octets);
/// watch.examine(&octets);
/// assert_eq!(watch.misdetected(), Some(Encoding::Utf8));
///
/// Encoding::Ansel.encode_into(" José", &mut octets)?;
/// let mut watch = ReadBack::new(Encoding::Ansel, &Rules::WILD.octets);
/// watch.examine(&octets);
/// assert_eq!(watch.misdetected(), None);
/// # Ok::<(), elf_octets::Unencodable>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReadBack {
    encoding: Encoding,
    /// The bytes from the first non-ASCII byte on.
    window: Vec<u8>,
    /// Whether the result is certain, so that later bytes cannot change it.
    is_settled: bool,
    /// Whether the window contains all bytes from its start to the current end of the file.
    to_end: bool,
}

impl ReadBack {
    /// Creates a check of a file in `encoding` that will be read under `rules`.
    pub const fn new(encoding: Encoding, rules: &OctetRules) -> ReadBack {
        let is_settled = match encoding.scheme() {
            Scheme::Ascii | Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be => true,
            Scheme::Ansel | Scheme::Page => !rules.content,
        };
        ReadBack { encoding, window: Vec::new(), is_settled, to_end: true }
    }

    /// Examines the next bytes of the file.
    pub fn examine(&mut self, octets: &[u8]) {
        if self.is_settled {
            return;
        }
        let start = match self.window.is_empty() {
            true => encoding_rs::Encoding::ascii_valid_up_to(octets),
            false => 0,
        };
        let news = &octets[start..];
        let room = EVIDENCE_LIMIT - self.window.len().min(EVIDENCE_LIMIT);
        self.to_end = news.len() <= room;
        self.window.extend_from_slice(news.get(..room).unwrap_or(news));
        self.is_settled = !self.to_end;
    }

    /// Returns the encoding that readers will detect. Returns `None` if that is the encoding of the file.
    pub fn misdetected(&self) -> Option<Encoding> {
        if self.window.is_empty() {
            return None;
        }
        match evidence::check_char_name(&self.window, self.to_end, self.encoding, HeaderHints::default()) {
            CharCheck::Impossible(verdict) => Some(verdict.encoding),
            CharCheck::Fits(_) | CharCheck::Chance | CharCheck::Doubtful(_) => None,
        }
    }
}
