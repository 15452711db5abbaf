//! The encoding of a whole file, which its header names: what a repair of the header must not change.

use elf_base::{Code, Diagnostic, Fix, FixAction, Rules};
use elf_octets::{Because, Decision, HeaderDecision, Irregularity, Options, Passage};
use elf_tagged::Document;

/// The evidence for the encoding of a file, known when all of the file has been read.
pub(super) struct FileEncoding<'f> {
    decision: &'f Decision,
    options: Options,
    seen: OctetsSeen,
    before: HeaderDecision,
    /// The findings about the encoding that are not about what the header says alone.
    answered: Vec<Code>,
}

/// The features of the octets of a file, or of a part of it, that matter to its encoding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OctetsSeen {
    /// True if any character is not ASCII.
    pub(super) non_ascii: bool,
    /// True if any octets could not be decoded.
    pub(super) undecodable: bool,
}

impl OctetsSeen {
    pub(super) fn of(document: &Document<'_>) -> OctetsSeen {
        let source = document.source();
        // Behind the end of the reading nothing is looked at.
        let end = document.end();
        let read = end.and_then(|end| document.text().get(..end as usize));
        let undecodable = |one: &elf_octets::Irregular| {
            one.kind == Irregularity::Undecodable && end.is_none_or(|end| one.text.start < end)
        };
        OctetsSeen {
            non_ascii: !read.map_or(source.is_ascii(), str::is_ascii),
            undecodable: source.irregular().iter().any(undecodable),
        }
    }

    pub(super) const fn and(self, other: OctetsSeen) -> OctetsSeen {
        OctetsSeen {
            non_ascii: self.non_ascii || other.non_ascii,
            undecodable: self.undecodable || other.undecodable,
        }
    }
}

impl<'f> FileEncoding<'f> {
    /// Gathers the evidence of a file that starts with `head`; `said` are the findings about its encoding.
    pub(super) fn new(
        head: &Passage,
        decision: &'f Decision,
        seen: OctetsSeen,
        said: &[Code],
        rules: &Rules,
    ) -> FileEncoding<'f> {
        let options = options_of(decision);
        let before = HeaderDecision::of(head.octets(), head.is_last(), decision.used, rules, &options);
        let mut answered = said.to_vec();
        for finding in before.findings() {
            if let Some(index) = answered.iter().position(|other| *other == finding.code) {
                answered.swap_remove(index);
            }
        }
        FileEncoding { decision, options, seen, before, answered }
    }

    /// Tells whether the encoding is more than a guess: the file says it or shows it, or the caller does.
    pub(super) fn is_shown(&self) -> bool {
        match self.decision.because {
            Because::Detected | Because::Specified | Because::Forced => true,
            _ if self.decision.used == elf_octets::Encoding::Utf8 => !self.seen.undecodable,
            // All encodings of single octets spell ASCII alike.
            _ => !self.seen.non_ascii && !self.decision.used.is_utf16(),
        }
    }

    /// Repeats the findings that are not about what the header says alone.
    fn answered_by(&self, rules: &Rules) -> impl Iterator<Item = Diagnostic> {
        let fix = Fix::safe(FixAction::NameEncoding);
        self.answered.iter().map(move |&code| Diagnostic::new(code, rules, "").fix(fix.clone()))
    }

    /// The findings about the encoding if the file starts with that header instead; `None` where it would be
    /// read in another.
    pub(super) fn findings(&self, head: &[u8], to_end: bool, rules: &Rules) -> Option<Vec<Diagnostic>> {
        let used = self.decision.used;
        let after = HeaderDecision::of(head, to_end, used, rules, &self.options);
        let mut findings: Vec<Diagnostic> = after.findings().cloned().collect();
        if self.seen.non_ascii && after.is_open() {
            if !after.asks_as(&self.before) {
                return None;
            }
            findings.extend(self.answered_by(rules));
            return Some(findings);
        }
        // ASCII is the same in all encodings of single octets.
        if after.used() != used && (self.seen.non_ascii || after.used().is_utf16() || used.is_utf16()) {
            return None;
        }
        if self.seen.undecodable && after.specifies_utf_8() {
            if !self.before.specifies_utf_8() {
                return None;
            }
            findings.extend(self.answered_by(rules));
        }
        Some(findings)
    }
}

/// Returns the options by which a file was decoded, as far as the caller had a say.
pub(super) fn options_of(decision: &Decision) -> Options {
    let forced = (decision.because == Because::Forced).then_some(decision.used);
    let by_caller = decision.detected_by == Some(elf_octets::DetectedBy::External);
    Options::default().with_forced(forced).with_external(decision.detected.filter(|_| by_caller))
}

/// Tells whether the repair of a finding is about the encoding of the whole file.
pub(super) fn names_encoding(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::NameEncoding)
}
