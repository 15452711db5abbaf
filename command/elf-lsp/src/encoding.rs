//! Detects the encoding of a file on disk. The editor passes decoded text, so only the bytes show
//! the encoding.

use crate::text::Text;
use elf_base::{Code, Diagnostic, Rules, codes};
use elf_schema::{Options, Source};
use elf_tagged::Encoding;
use elf_tagged::elf_octets::Decision;
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
    /// True if the text of the file contains U+FFFD. Then a U+FFFD in the buffer does not come from the editor.
    pub(crate) has_replacement: bool,
    /// What the editor shows instead of the text. `None` if it shows the text of the file.
    pub(crate) misreading: Option<Misreading>,
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
        Some(DiskFile {
            decision: source.decision().clone(),
            findings,
            is_ascii: source.is_ascii(),
            has_replacement: text.contains(char::REPLACEMENT_CHARACTER),
            misreading: Misreading::find(text, opened),
        })
    }

    pub(crate) fn is_unicode(&self) -> bool {
        self.decision.used == Encoding::Utf8 || self.decision.used.is_utf16()
    }

    /// Returns whether the editor shows wrong characters. `shown` is the text of the buffer, which may have been changed
    /// since the editor opened the file.
    pub(crate) fn is_misread(&self, shown: &str) -> bool {
        match &self.misreading {
            Some(misreading) => misreading.is_wrong(shown),
            // The editor may decode an open file again, in another encoding.
            None => {
                !self.is_unicode() && !self.has_replacement && shown.contains(char::REPLACEMENT_CHARACTER)
            }
        }
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
