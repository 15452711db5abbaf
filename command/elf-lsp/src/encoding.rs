//! Detects the encoding of a file on disk. The editor passes decoded text, so only the bytes show
//! the encoding.

use elf_base::{Code, Diagnostic, Rules, codes};
use elf_schema::{Options, Source};
use elf_tagged::elf_octets::{Decision, decide};

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

/// The encoding that the bytes on disk show, and findings about it.
#[derive(Clone, Debug)]
pub(crate) struct DiskEncoding {
    pub(crate) decision: Decision,
    pub(crate) findings: Vec<Diagnostic>,
}

impl DiskEncoding {
    pub(crate) fn detect(bytes: &[u8], rules: &Rules) -> DiskEncoding {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let decision = decide(bytes, rules, &Options::default(), &mut findings);
        findings.retain(|finding| FINDINGS.contains(&finding.code));
        // The fix of such a finding changes bytes on disk, but the buffer contains only text.
        findings.iter_mut().for_each(|finding| finding.fix = None);
        DiskEncoding { decision, findings }
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
