//! The encoding of a file on disk: the editor shows its text, but only its bytes show the encoding.

use elf_base::{Code, Diagnostic, Rules, codes};
use elf_schema::{Options, Source};
use elf_tagged::elf_octets::{Decision, decide};

/// The findings about the encoding of a file, which only its bytes show.
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

/// What the bytes on disk show.
#[derive(Clone, Debug)]
pub(crate) struct DiskEncoding {
    pub(crate) decision: Decision,
    pub(crate) findings: Vec<Diagnostic>,
}

impl DiskEncoding {
    pub(crate) fn of(bytes: &[u8], rules: &Rules) -> DiskEncoding {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let decision = decide(bytes, rules, &Options::default(), &mut findings);
        findings.retain(|finding| FINDINGS.contains(&finding.code));
        // A fix changes bytes on disk, and the buffer has none.
        findings.iter_mut().for_each(|finding| finding.fix = None);
        DiskEncoding { decision, findings }
    }
}

/// Returns whether a code is about the encoding of a file.
pub(crate) fn is_of_encoding(code: Code) -> bool {
    FINDINGS.contains(&code)
}

/// The text of a file, decoded as `elf check` decodes it; `None` if it is longer than 4 GiB.
pub(crate) fn decoded(bytes: &[u8], rules: &Rules) -> Option<String> {
    let source = Source::read(bytes, rules, &Options::default(), &mut ()).ok()?;
    Some(source.text().to_owned())
}
