//! Detects the encoding of a file on disk. The editor passes decoded text, so only the bytes show
//! the encoding.

use crate::actions::SAVE_AS_UTF_8_TITLE;
use crate::error::RequestError;
use crate::text::Text;
use elf_base::{Code, Diagnostic, Rules, codes};
use elf_schema::{Options, Source};
use elf_tagged::Encoding;
use elf_tagged::elf_octets::{Decision, Irregularity};
use std::collections::HashSet;
use std::sync::Arc;

/// The codes of findings about the encoding of a file.
const FINDINGS: [Code; 9] = [
    codes::ENCODING_UNKNOWN,
    codes::ENCODING_UNSUPPORTED,
    codes::ENCODING_CONTRADICTED,
    codes::ENCODING_CONTRADICTS_MARK,
    codes::ENCODING_ALIAS,
    codes::ENCODING_BY_CONTENT,
    codes::ENCODING_DEPRECATED,
    codes::ENCODING_UNNAMED,
    codes::ENCODING_UNCERTAIN,
];

/// A file on disk: the encoding that its bytes show, and findings about it.
#[derive(Clone, Debug)]
pub(crate) struct DiskFile {
    pub(crate) decision: Decision,
    pub(crate) findings: Vec<Diagnostic>,
    /// True if all characters of the file are ASCII. Then editors save the file as UTF-8.
    pub(crate) is_ascii: bool,
    /// How often the text of the file contains U+FFFD. If the buffer has more of them, the editor has lost characters.
    pub(crate) replacements: usize,
    /// The line of the first byte that is not UTF-8, in a file in UTF-8. Lines count from 1.
    invalid_line: Option<u64>,
    /// What the editor shows instead of the text. `None` if it shows the text of the file, or if it has only replaced
    /// bytes that are not UTF-8.
    pub(crate) misreading: Option<Misreading>,
}

/// Why the editor shows wrong characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrongText {
    /// The editor decoded the file in another encoding than this, which is that of the file.
    OtherEncoding(Encoding),
    /// The file is in UTF-8, but has bytes that are not UTF-8, and the editor has replaced them by U+FFFD. The first of
    /// them is on this line, which counts from 1.
    ReplacedBytes(u64),
}

impl WrongText {
    /// Returns whether a command can restore the text from the bytes on disk, so that it can be saved as UTF-8.
    pub(crate) const fn can_be_restored(self) -> bool {
        match self {
            WrongText::OtherEncoding(encoding) => !is_unicode(encoding),
            WrongText::ReplacedBytes(_) => true,
        }
    }

    /// Says what is wrong.
    pub(crate) fn problem(self) -> String {
        match self {
            WrongText::OtherEncoding(encoding) => {
                format!("the file is in {encoding}, and the editor shows wrong characters")
            }
            WrongText::ReplacedBytes(line) => format!(
                "the file has bytes that are not UTF-8 (the first is in line {line}), and the editor has replaced them"
            ),
        }
    }

    /// Says what to do about it.
    pub(crate) fn advice(self) -> String {
        match self {
            WrongText::OtherEncoding(encoding) if is_unicode(encoding) => {
                format!("reopen the file in {encoding} first")
            }
            WrongText::OtherEncoding(_) => {
                format!("convert the file to UTF-8 first, with the quick fix `{SAVE_AS_UTF_8_TITLE}`")
            }
            WrongText::ReplacedBytes(_) => {
                format!("restore these characters first, with the quick fix `{SAVE_AS_UTF_8_TITLE}`")
            }
        }
    }

    pub(crate) fn refusal(self) -> RequestError {
        RequestError::failed(format!("{}: {}", self.problem(), self.advice()))
    }
}

/// A buffer with the wrong characters, because the editor decoded the file in another encoding.
#[derive(Clone, Debug)]
pub(crate) struct Misreading {
    /// The wrong text, as the editor opened it.
    pub(crate) opened: Arc<Text>,
    /// The characters of the correct text that are not ASCII, and U+0000.
    characters: HashSet<char>,
}

impl DiskFile {
    /// Reads the bytes of a file. `opened` is the text as the editor opened the file. `None` if the text of the file is
    /// longer than 4 GiB.
    pub(crate) fn read(bytes: &[u8], rules: &Rules, opened: &Arc<Text>) -> Option<DiskFile> {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let source = Source::read(bytes, rules, &Options::default(), &mut findings).ok()?;
        findings.retain(|finding| is_of_encoding(finding.code));
        let text = source.text();
        let is_utf_8 = source.decision().used == Encoding::Utf8;
        let mut irregular = source.irregular().iter().filter(|_| is_utf_8);
        let invalid = irregular.find(|one| one.kind == Irregularity::Undecodable);
        let invalid_line = invalid.map(|one| source.locator().place(one.text).line);
        let is_lossy = invalid_line.is_some() && has_replacement(opened);
        Some(DiskFile {
            decision: source.decision().clone(),
            findings,
            is_ascii: source.is_ascii(),
            replacements: count_replacements(text),
            invalid_line,
            misreading: if is_lossy { None } else { Misreading::find(text, opened) },
        })
    }

    /// Returns why the editor shows wrong characters, if it does. `shown` is the text of the buffer, which may have been
    /// changed since the editor opened the file.
    pub(crate) fn wrong_text(&self, shown: &str) -> Option<WrongText> {
        let has_lost = || count_replacements(shown) > self.replacements;
        if let Some(line) = self.invalid_line
            && has_lost()
        {
            return Some(WrongText::ReplacedBytes(line));
        }
        let is_wrong = match &self.misreading {
            Some(misreading) => misreading.is_wrong(shown),
            // The editor may decode an open file again, in another encoding.
            None => !is_unicode(self.decision.used) && has_lost(),
        };
        is_wrong.then_some(WrongText::OtherEncoding(self.decision.used))
    }
}

impl Misreading {
    /// Returns what the editor shows instead of `correct`. An editor may open a file with unsaved changes of the user, so
    /// a text that differs is not always wrong.
    fn find(correct: &str, opened: &Arc<Text>) -> Option<Misreading> {
        let shown = without_mark(opened.content());
        if have_same_lines(correct, shown) {
            return None;
        }
        let characters =
            correct.chars().filter(|character| !character.is_ascii() || *character == '\0').collect();
        let misreading = Misreading { opened: Arc::clone(opened), characters };
        let is_wrong =
            misreading.has_trace(shown) || misreading.is_wrong(shown) && has_misread_line(correct, shown);
        is_wrong.then_some(misreading)
    }

    /// Returns whether a text contains a character that only wrong decoding makes.
    fn has_trace(&self, shown: &str) -> bool {
        shown.chars().any(|character| is_trace(character) && !self.characters.contains(&character))
    }

    /// Returns whether a text has a trace of wrong decoding, or if most of its characters that are not ASCII are not in
    /// the correct text.
    fn is_wrong(&self, shown: &str) -> bool {
        let shown = without_mark(shown);
        let foreign = || shown.chars().filter(|character| !character.is_ascii());
        let unknown = foreign().filter(|character| !self.characters.contains(character)).count();
        self.has_trace(shown) || unknown * 2 > foreign().count()
    }
}

const fn is_unicode(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Utf8) || encoding.is_utf16()
}

/// Returns whether a text contains U+FFFD, which editors write for bytes that are not UTF-8.
pub(crate) fn has_replacement(text: &Text) -> bool {
    text.content().contains(char::REPLACEMENT_CHARACTER)
}

fn count_replacements(text: &str) -> usize {
    text.matches(char::REPLACEMENT_CHARACTER).count()
}

/// Returns whether only wrong decoding leaves a character in a text.
const fn is_trace(character: char) -> bool {
    matches!(character, '\0' | '\u{80}'..='\u{9F}' | char::REPLACEMENT_CHARACTER)
}

/// Returns whether a line of the correct text is also in `shown`, with other characters that are not ASCII. Wrong decoding
/// leaves ASCII as it is.
fn has_misread_line(correct: &str, shown: &str) -> bool {
    correct.lines().zip(shown.lines()).any(|(correct, shown)| {
        correct != shown && !correct.is_ascii() && !shown.is_ascii() && have_same_ascii(correct, shown)
    })
}

/// Returns whether two texts have the same characters of ASCII, which all supported encodings of one byte share.
pub(crate) fn have_same_ascii(one: &str, other: &str) -> bool {
    let ascii = |character: &char| character.is_ascii() && !character.is_ascii_control();
    one.chars().filter(ascii).eq(other.chars().filter(ascii))
}

pub(crate) fn is_of_encoding(code: Code) -> bool {
    FINDINGS.contains(&code)
}

/// Returns the text of a file, decoded as `elf check` does it. Returns `None` if the file is longer
/// than 4 GiB.
pub(crate) fn decode_file(bytes: &[u8], rules: &Rules) -> Option<String> {
    let source = Source::read(bytes, rules, &Options::default(), &mut ()).ok()?;
    Some(source.text().to_owned())
}

/// The text without a byte-order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{FEFF}')
}

/// Returns whether two texts are equal apart from their line endings.
fn have_same_lines(one: &str, other: &str) -> bool {
    one.lines().eq(other.lines())
}
