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
    /// Reads the bytes of a file that the editor shows as `shown`. `None` if the text is longer than 4 GiB.
    pub(crate) fn read(bytes: &[u8], rules: &Rules, shown: &Arc<Text>) -> Option<DiskFile> {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let source = Source::read(bytes, rules, &Options::default(), &mut findings).ok()?;
        findings.retain(|finding| FINDINGS.contains(&finding.code));
        // The fix of such a finding changes bytes on disk, but the buffer contains only text.
        findings.iter_mut().for_each(|finding| finding.fix = None);
        let text = source.text();
        Some(DiskFile {
            decision: source.decision().clone(),
            findings,
            has_replacement: text.contains(char::REPLACEMENT_CHARACTER),
            misreading: Misreading::find(text, shown),
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
    /// Returns what the editor shows instead of `correct`. A buffer that differs may only have been changed, so the
    /// characters decide.
    fn find(correct: &str, shown: &Arc<Text>) -> Option<Misreading> {
        if have_same_lines(correct, without_mark(shown.content())) {
            return None;
        }
        let characters =
            correct.chars().filter(|character| !character.is_ascii() || *character == '\0').collect();
        let misreading = Misreading { opened: Arc::clone(shown), characters };
        misreading.is_wrong(shown.content()).then_some(misreading)
    }

    /// Returns whether a text contains a character that only wrong decoding makes, or if most of its characters that are
    /// not ASCII are not in the correct text.
    fn is_wrong(&self, shown: &str) -> bool {
        let (mut all, mut unknown) = (0_u64, 0_u64);
        for character in without_mark(shown).chars() {
            let is_trace = matches!(character, '\0' | '\u{80}'..='\u{9F}' | char::REPLACEMENT_CHARACTER);
            if character.is_ascii() && !is_trace {
                continue;
            }
            all += 1;
            if !self.characters.contains(&character) {
                if is_trace {
                    return true;
                }
                unknown += 1;
            }
        }
        unknown * 2 > all
    }
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
