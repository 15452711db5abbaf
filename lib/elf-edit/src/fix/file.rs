//! Fixes that depend on the whole file: those of its header, which names the encoding.

use super::run::LineRun;
use super::split::LineSplitter;
use super::{FindingIndex, FixOptions, Fixes};
use elf_base::{Code, Diagnostic, Fix, FixAction, Rules};
use elf_octets::{
    Because, Decision, DetectedBy, EVIDENCE_LIMIT, Encoding, HeaderDecision, Irregularity, Options, Passage,
    Patch, decide,
};
use elf_tagged::path::Types;
use elf_tagged::{Document, Header};
use std::ops::Range;

/// The reason why nothing in a file is fixed.
///
/// ```
/// use elf_edit::{FileRefusal, FixOptions, Safety, fix_document};
/// use elf_tagged::{Diagnostic, Options, Rules, read};
///
/// // Nothing names the encoding. In ANSEL a mark stands before its letter, and this file has an at sign to be
/// // doubled; with that it would be read as Mac OS Roman.
/// let file = b"0 HEAD\n0 @I1@ INDI\n1 NOTE a@b\xC3\xA9Jos\xE9@ N\n0 TRLR\n";
/// let mut findings: Vec<Diagnostic> = Vec::new();
/// let document = read(file, &Rules::WILD, &Options::default(), &mut findings)?;
/// let fixes = fix_document(&document, &findings, Safety::Safe.into(), &mut ());
/// assert!(matches!(fixes.file_refusal, Some(FileRefusal::EncodingChanged { .. })));
/// assert_eq!(fixes.patches, []);
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileRefusal {
    /// The rules ended the reading: the rest of the file was not read.
    #[error("the rules ended the reading")]
    Ended,
    /// The bytes decide the encoding, and the fixed file would be read in another one.
    #[error("it is read as {before}, and with the fixes it would be read as {after}")]
    #[non_exhaustive]
    EncodingChanged {
        /// The encoding of the file.
        before: Encoding,
        /// The encoding that the fixed file would be read in.
        after: Encoding,
    },
}

/// Fixes the header of a file, and decides whether the file can be fixed at all, once all parts were read.
#[derive(Debug)]
pub struct HeaderFixer {
    rules: Rules,
    seen: BytesSeen,
    head: Option<Head>,
    is_ended: bool,
    is_changed: bool,
    window: EncodingWindow,
}

/// What a part of a file shows about the whole file.
#[derive(Debug)]
pub struct PartEvidence {
    rules: Rules,
    seen: BytesSeen,
    head: Option<Head>,
    is_ended: bool,
    is_changed: bool,
    /// The fixed bytes behind the header, if bytes may decide the encoding.
    octets: Vec<u8>,
}

/// The lines that hold the header.
#[derive(Debug)]
struct Head {
    passage: Passage,
    header: Header,
    lines: Range<u64>,
}

impl PartEvidence {
    /// Collects the evidence of a part. `patches` are the fixes of its records, `head` the lines that may hold
    /// the header.
    pub(super) fn of(
        document: &Document<'_>,
        head: Option<Range<u64>>,
        patches: &[Patch],
        is_ended: bool,
    ) -> PartEvidence {
        let source = document.source();
        let head = head.map(|lines| {
            let passage = source.passage(lines.clone());
            Head { passage, header: document.header().clone(), lines }
        });
        let mut octets = Vec::new();
        if may_be_open(source.decision()) {
            // The patches were applied before, run by run.
            octets = source.splice(patches).unwrap_or_default();
            octets.drain(..head.as_ref().map_or(0, |head| head.passage.octets().len()));
        }
        PartEvidence {
            rules: *document.rules(),
            seen: BytesSeen::of(document),
            head,
            is_ended,
            is_changed: !patches.is_empty(),
            octets,
        }
    }
}

impl HeaderFixer {
    /// Makes a fixer for a file that is read by `rules`.
    pub fn new(rules: &Rules) -> HeaderFixer {
        let (seen, window) = (BytesSeen::default(), EncodingWindow::default());
        HeaderFixer { rules: *rules, seen, head: None, is_ended: false, is_changed: false, window }
    }

    /// Adds the evidence of the next part in the order of the file.
    pub fn add(&mut self, part: PartEvidence) {
        self.rules = part.rules;
        self.seen = self.seen.and(part.seen);
        self.is_ended |= part.is_ended;
        self.is_changed |= part.is_changed;
        self.window.has_high |= part.head.as_ref().is_some_and(|head| !head.passage.octets().is_ascii());
        self.window.add(&part.octets);
        match (&mut self.head, part.head) {
            (Some(head), Some(next)) => {
                head.passage.append(&next.passage);
                head.header = next.header;
                head.lines.end = next.lines.end;
            }
            (head @ None, next) => *head = next,
            (Some(_), None) => {}
        }
    }

    /// Fixes the header, after the last part. `decision` is the decision on the encoding of the file;
    /// `findings` has at least those about the header and about the encoding. If the result has a
    /// [`file_refusal`](Fixes::file_refusal), the fixes of the parts must not be applied either.
    pub fn finish(
        self,
        decision: &Decision,
        findings: &[Diagnostic],
        options: FixOptions<'_>,
        types: &mut dyn Types,
    ) -> Fixes {
        if self.is_ended {
            return Fixes::refused(FileRefusal::Ended);
        }
        let HeaderFixer { rules, seen, head, is_changed, window, .. } = self;
        let mut fixes = Fixes::default();
        let mut head_bytes = Vec::new();
        if let Some(Head { passage, header, lines }) = head {
            head_bytes = passage.octets().to_vec();
            let wanted = || findings.iter().filter(|finding| options.wants(finding));
            let of_encoding: Vec<Code> =
                wanted().filter(|finding| names_encoding(finding)).map(|finding| finding.code).collect();
            let is_within = |finding: &&Diagnostic| finding.place.is_some_and(|at| at.line < lines.end);
            if !of_encoding.is_empty() || wanted().any(|finding| is_within(&finding)) {
                let encoding = HeaderEncoding::new(&passage, decision, seen, &of_encoding, &rules);
                let of_payloads =
                    wanted().filter(is_within).filter(|one| is_of_payload(one)).cloned().collect();
                let (header, rules, encoding) = (&header, &rules, Some(encoding));
                let run = LineRun { lines, passage, rules, decision, header, encoding, of_payloads, options };
                if let Some(run_fixes) = run.fix(types) {
                    let patches = run_fixes.patches.iter().map(|one| (&one.patch).into());
                    let source = run.passage.decode(run.passage.octets(), decision, run.rules);
                    let fixed = source.ok().and_then(|source| source.splice_lines(patches).ok());
                    head_bytes = fixed.unwrap_or(head_bytes);
                    fixes.add(run_fixes, &mut FindingIndex::of(findings));
                }
            }
        }
        if is_changed || !fixes.patches.is_empty() {
            let before = decision.used;
            let after = window.encoding_behind(head_bytes, decision, &rules);
            if after != before {
                return Fixes::refused(FileRefusal::EncodingChanged { before, after });
            }
        }
        fixes
    }
}

/// Returns whether the fix of a finding names the encoding of the whole file.
pub(super) fn names_encoding(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::NameEncoding)
}

/// Returns whether the fix of a finding is another payload.
pub(super) fn is_of_payload(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| matches!(fix.action, FixAction::SetPayload(_)))
}

/// The features of the bytes of a file, or of a part of it, that matter to its encoding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BytesSeen {
    has_non_ascii: bool,
    has_undecodable: bool,
}

impl BytesSeen {
    fn of(document: &Document<'_>) -> BytesSeen {
        let source = document.source();
        // What stands behind the end of the reading does not count.
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

    const fn and(self, other: BytesSeen) -> BytesSeen {
        BytesSeen {
            has_non_ascii: self.has_non_ascii || other.has_non_ascii,
            has_undecodable: self.has_undecodable || other.has_undecodable,
        }
    }
}

/// The evidence for the encoding of a file, by which a changed header is judged.
pub(super) struct HeaderEncoding<'f> {
    decision: &'f Decision,
    options: Options,
    seen: BytesSeen,
    before: HeaderDecision,
    /// The findings about the encoding that do not come from the header alone.
    of_bytes: Vec<Code>,
}

impl<'f> HeaderEncoding<'f> {
    /// `of_encoding` has the codes of all findings about the encoding of a file that starts with `head`.
    fn new(
        head: &Passage,
        decision: &'f Decision,
        seen: BytesSeen,
        of_encoding: &[Code],
        rules: &Rules,
    ) -> HeaderEncoding<'f> {
        let options = options_of(decision);
        let before = HeaderDecision::of(head.octets(), head.is_last(), decision.used, rules, &options);
        let mut of_bytes = of_encoding.to_vec();
        for finding in before.findings() {
            if let Some(index) = of_bytes.iter().position(|code| *code == finding.code) {
                of_bytes.swap_remove(index);
            }
        }
        HeaderEncoding { decision, options, seen, before, of_bytes }
    }

    /// Returns whether the encoding is more than a guess: the file names or shows it, or the caller chose it.
    pub(super) fn is_shown(&self) -> bool {
        match self.decision.because {
            Because::Detected | Because::Specified | Because::Forced => true,
            _ if self.decision.used == Encoding::Utf8 => !self.seen.has_undecodable,
            // All encodings with single bytes spell ASCII alike.
            _ => !self.seen.has_non_ascii && !self.decision.used.is_utf16(),
        }
    }

    /// Returns the findings about the encoding of the file with another header. `None` if it would be read in
    /// another encoding.
    pub(super) fn findings(&self, head: &[u8], to_end: bool, rules: &Rules) -> Option<Vec<Diagnostic>> {
        let BytesSeen { has_non_ascii, has_undecodable } = self.seen;
        let used = self.decision.used;
        let after = HeaderDecision::of(head, to_end, used, rules, &self.options);
        let mut findings: Vec<Diagnostic> = after.findings().cloned().collect();
        let fix = Fix::safe(FixAction::NameEncoding);
        let of_bytes = self.of_bytes.iter().map(|&code| Diagnostic::new(code, rules, "").fix(fix.clone()));
        if has_non_ascii && after.is_open() {
            findings.extend(of_bytes);
            return after.asks_as(&self.before).then_some(findings);
        }
        // ASCII is the same in all encodings with single bytes.
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

/// Returns the options that the caller chose for decoding.
fn options_of(decision: &Decision) -> Options {
    let forced = (decision.because == Because::Forced).then_some(decision.used);
    let is_external = decision.detected_by == Some(DetectedBy::External);
    Options::default().with_forced(forced).with_external(decision.detected.filter(|_| is_external))
}

/// Returns whether the bytes of a file may decide its encoding. All encodings with single bytes spell ASCII
/// alike, so a byte-order mark needs no other bytes.
fn may_be_open(decision: &Decision) -> bool {
    let used = decision.used;
    match decision.because {
        Because::Detected | Because::Forced => false,
        Because::Specified => used != Encoding::Utf8 && !used.is_utf16(),
        _ => !used.is_utf16(),
    }
}

/// The bytes behind the header of a fixed file that can decide its encoding: the first ones, and those from
/// shortly before the first that is not ASCII. They are kept, since the header is fixed last.
#[derive(Debug, Default)]
struct EncodingWindow {
    octets: Vec<u8>,
    /// Whether any byte is not ASCII, in the header or behind it.
    has_high: bool,
}

/// The number of bytes kept before the first that is not ASCII: a mark may stand behind its letter.
const BEFORE: usize = 8;

/// The number of bytes behind the header that are kept in any case: CHAR is looked for up to the second line of
/// level 0.
const ALWAYS_KEPT: usize = 1 << 16;

/// The most bytes from the first that is not ASCII on: one more than needed shows that the file goes on.
const MOST: usize = BEFORE + EVIDENCE_LIMIT + 1;

impl EncodingWindow {
    fn add(&mut self, octets: &[u8]) {
        let mut rest = octets;
        if !self.has_high {
            let (first, behind) =
                octets.split_at(ALWAYS_KEPT.saturating_sub(self.octets.len()).min(octets.len()));
            self.octets.extend_from_slice(first);
            self.has_high = !octets.is_ascii();
            let high =
                if first.is_ascii() { behind.iter().position(|byte| !byte.is_ascii()) } else { Some(0) };
            rest = &behind[high.map_or(behind.len(), |high| high.saturating_sub(BEFORE))..];
        }
        let left = (ALWAYS_KEPT + MOST).saturating_sub(self.octets.len()).min(rest.len());
        self.octets.extend_from_slice(&rest[..left]);
    }

    /// Decides the encoding of a file with the header `head` and these bytes.
    fn encoding_behind(self, head: Vec<u8>, decision: &Decision, rules: &Rules) -> Encoding {
        let octets = [head, self.octets].concat();
        if !may_be_open(decision) || octets.is_ascii() {
            return decision.used;
        }
        decide(&octets, rules, &options_of(decision), &mut ()).used
    }
}

/// Finds the lines of a document that may hold the header of the file: those up to the end of the first
/// record. `None` if the header was found in an earlier part.
pub(super) fn head_lines(document: &Document<'_>, splitter: &LineSplitter<'_>) -> Option<Range<u64>> {
    let (source, rules) = (document.source(), document.rules());
    let all = splitter.lines();
    let mut head = all.start..all.start;
    while document.may_hold_header() {
        let next = head.end..splitter.next_start(head.end + 1);
        let passage = source.passage(next.clone());
        let decoded = passage.decode(passage.octets(), source.decision(), rules);
        let is_open = decoded
            .is_ok_and(|decoded| elf_tagged::read_apart(decoded, rules, document.header(), true, &mut ()).1);
        head.end = next.end;
        if !is_open || head.end >= all.end {
            return Some(head);
        }
    }
    None
}
