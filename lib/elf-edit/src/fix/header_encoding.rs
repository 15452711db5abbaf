//! The evidence for the encoding of a file. The evidence is used to check a fix of the header.

use elf_base::{Code, Diagnostic, Fix, FixAction, Rules};
use elf_octets::{
    Decision, DetectedBy, Encoding, EncodingReason, HeaderDecision, Irregularity, Options, Passage,
};
use elf_tagged::Document;

/// The properties of the bytes of a file or a run that affect the detected encoding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BytesSeen {
    has_non_ascii: bool,
    has_undecodable: bool,
}

impl BytesSeen {
    pub(super) fn of(document: &Document<'_>) -> BytesSeen {
        let source = document.source();
        // Ignore the lines after the place at which reading stopped.
        let end = document.end();
        let read = end.and_then(|end| document.text().get(..end as usize));
        let is_undecodable = |one: &elf_octets::Irregular| {
            one.kind == Irregularity::Undecodable && end.is_none_or(|end| one.text.start < end)
        };
        BytesSeen {
            has_non_ascii: !read.map_or(source.is_ascii(), str::is_ascii),
            has_undecodable: source.irregular().iter().any(is_undecodable),
        }
    }
}

/// The evidence for the encoding of a file. The evidence is used to check a changed header.
pub(super) struct HeaderEncoding<'f> {
    decision: &'f Decision,
    options: Options,
    seen: BytesSeen,
    before: HeaderDecision,
    /// The codes of the findings about the encoding that do not come from the header alone.
    of_bytes: Vec<Code>,
}

impl<'f> HeaderEncoding<'f> {
    /// Collects the evidence of a file that starts with `head`. `of_encoding` contains the codes of all findings about
    /// the encoding of the file.
    pub(super) fn new(
        head: &Passage,
        decision: &'f Decision,
        seen: BytesSeen,
        of_encoding: &[Code],
        rules: &Rules,
    ) -> HeaderEncoding<'f> {
        let options = reading_options(decision);
        let before = HeaderDecision::of(head.octets(), head.is_last(), decision.used, rules, &options);
        let mut of_bytes = of_encoding.to_vec();
        for finding in before.findings() {
            if let Some(index) = of_bytes.iter().position(|code| *code == finding.code) {
                of_bytes.swap_remove(index);
            }
        }
        HeaderEncoding { decision, options, seen, before, of_bytes }
    }

    /// Returns whether the encoding is more than a guess. The encoding is more than a guess if the file names it, if
    /// the bytes show it, or if the caller chose it.
    pub(super) fn is_certain(&self) -> bool {
        match self.decision.because {
            EncodingReason::Detected | EncodingReason::Specified | EncodingReason::Forced => true,
            _ if self.decision.used == Encoding::Utf8 => !self.seen.has_undecodable,
            // All single-byte encodings spell ASCII alike.
            _ => !self.seen.has_non_ascii && !self.decision.used.is_utf16(),
        }
    }

    /// Returns the findings about the encoding that the file would have with the header `head`. Returns `None` if the
    /// file would be decoded in another encoding.
    pub(super) fn findings_with_header(
        &self,
        head: &[u8],
        to_end: bool,
        rules: &Rules,
    ) -> Option<Vec<Diagnostic>> {
        let BytesSeen { has_non_ascii, has_undecodable } = self.seen;
        let used = self.decision.used;
        let after = HeaderDecision::of(head, to_end, used, rules, &self.options);
        let mut findings: Vec<Diagnostic> = after.findings().cloned().collect();
        let fix = Fix::safe(FixAction::NameEncoding);
        let of_bytes = self.of_bytes.iter().map(|&code| Diagnostic::new(code, rules, "").fix(fix.clone()));
        if has_non_ascii && after.is_open() {
            findings.extend(of_bytes);
            return after.has_same_open_question(&self.before).then_some(findings);
        }
        // ASCII is the same in all single-byte encodings.
        if after.used() != used && (has_non_ascii || after.used().is_utf16() || used.is_utf16()) {
            return None;
        }
        if has_undecodable && after.specifies_utf_8() {
            findings.extend(of_bytes);
            return self.before.specifies_utf_8().then_some(findings);
        }
        Some(findings)
    }
}

pub(super) fn reading_options(decision: &Decision) -> Options {
    let forced = (decision.because == EncodingReason::Forced).then_some(decision.used);
    let is_external = decision.detected_by == Some(DetectedBy::External);
    Options::default().with_forced(forced).with_external(decision.detected.filter(|_| is_external))
}
