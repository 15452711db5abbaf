//! Fixes that depend on the whole file: those of its header, which names the encoding.

use super::header_encoding::{BytesSeen, HeaderEncoding, options_of};
use super::run::RecordLines;
use super::split::LineSplitter;
use super::{FindingIndex, FixOptions, Fixes};
use elf_base::{Code, Diagnostic, FixAction};
use elf_octets::{Decision, Encoding, EncodingReason, FileKind, Patch, decide};
use elf_tagged::Document;
use elf_tagged::path::Types;
use std::ops::Range;

/// The reason why nothing in a file is fixed.
///
/// ```
/// use elf_edit::{FileRefusal, FixOptions, Safety, fix_document};
/// use elf_tagged::{Diagnostic, Options, Rules, read};
///
/// // Nothing names the encoding, and the at sign that is to be doubled parts octets from a letter: with two of
/// // them, the octets would be read as Hebrew and no longer as Russian.
/// let file = b"0 HEAD\n0 @I1@ INDI\n1 NOTE \xE2\x82\xE8\xCF\xE2@o\n0 TRLR\n";
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
    /// The rules stopped reading early.
    #[error("reading stopped early under these rules")]
    Ended,
    /// The encoding is detected from the content, and the fixed file would be read in another one.
    #[error("with the fixes, the file would be read as {after} instead of {before}")]
    #[non_exhaustive]
    EncodingChanged {
        /// The encoding of the file.
        before: Encoding,
        /// The encoding that the fixed file would be read in.
        after: Encoding,
    },
    /// The file has no header, and the fixed file would be recognised as another kind of file, such as one with many
    /// zero bytes.
    #[error("with the fixes, the file would be recognised as {}", .kind.name())]
    #[non_exhaustive]
    KindChanged {
        /// What it would be taken for.
        kind: FileKind,
    },
}

/// Fixes the header of a document, which is in `lines`.
pub(super) fn fix_header(
    document: &Document<'_>,
    lines: Range<u64>,
    findings: &[Diagnostic],
    options: FixOptions<'_>,
    types: &mut dyn Types,
) -> Fixes {
    let mut fixes = Fixes::default();
    let wanted = || findings.iter().filter(|finding| options.wants(finding));
    let of_encoding: Vec<Code> =
        wanted().filter(|finding| names_encoding(finding)).map(|finding| finding.code).collect();
    let is_within = |finding: &&Diagnostic| finding.place.is_some_and(|at| at.line < lines.end);
    if of_encoding.is_empty() && !wanted().any(|finding| is_within(&finding)) {
        return fixes;
    }
    let (source, rules) = (document.source(), document.rules());
    let (passage, decision) = (source.passage(lines.clone()), source.decision());
    let encoding = HeaderEncoding::new(&passage, decision, BytesSeen::of(document), &of_encoding, rules);
    let of_payloads = wanted().filter(is_within).filter(|one| is_of_payload(one)).cloned().collect();
    let (header, encoding) = (document.header(), Some(encoding));
    let run = RecordLines { lines, passage, rules, decision, header, encoding, of_payloads, options };
    if let Some(run_fixes) = run.fix(types) {
        fixes.add(run_fixes, &mut FindingIndex::of(findings));
    }
    fixes
}

/// Returns the reason why a file cannot be fixed with `patches`: the fixed file would be read in another encoding, or
/// not at all.
pub(super) fn refusal_of(document: &Document<'_>, patches: &[Patch]) -> Option<FileRefusal> {
    let source = document.source();
    let decision = source.decision();
    let is_headless = document.head().is_none();
    if patches.is_empty() || !(may_be_open(decision) || is_headless) {
        return None;
    }
    // If the patches do not fit, applying them returns an error.
    let fixed = source.splice(patches).ok()?;
    if is_headless && let Some(kind) = FileKind::of(&fixed) {
        return Some(FileRefusal::KindChanged { kind });
    }
    if !may_be_open(decision) {
        return None;
    }
    let after = decide(&fixed, document.rules(), &options_of(decision), &mut ()).used;
    let before = decision.used;
    (after != before).then_some(FileRefusal::EncodingChanged { before, after })
}

/// Returns whether the fix of a finding names the encoding of the whole file.
pub(super) fn names_encoding(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::NameEncoding)
}

/// Returns whether the fix of a finding is one that a standard proposes, which reading lines again does not show:
/// another payload, or an identifier in its place.
pub(super) fn is_of_payload(finding: &Diagnostic) -> bool {
    finding
        .fix
        .as_ref()
        .is_some_and(|fix| matches!(fix.action, FixAction::SetPayload(_) | FixAction::IdentifierFirst))
}

/// Returns whether the bytes of a file may decide its encoding. All encodings with single bytes spell ASCII
/// alike, so a byte-order mark needs no other bytes.
fn may_be_open(decision: &Decision) -> bool {
    let used = decision.used;
    match decision.because {
        EncodingReason::Detected | EncodingReason::Forced => false,
        EncodingReason::Specified => used != Encoding::Utf8 && !used.is_utf16(),
        _ => !used.is_utf16(),
    }
}

/// Finds the lines of a document that may hold the header of the file: those up to the end of the first
/// record. `None` if the header was found in an earlier run.
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
