//! Fixes that depend on the whole file. An example is the fix of the encoding that the header names.

use super::header_encoding::{BytesSeen, HeaderEncoding, reading_options};
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
/// // The file does not name its encoding. The fix would double the at sign between the octets and the letter. With
/// // two at signs, the octets would be read as Hebrew instead of Russian.
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
    /// Reading stopped early because of the rules.
    #[error("reading stopped early under these rules")]
    Ended,
    /// The encoding is detected from the content, and the fixed file would be decoded in another encoding.
    #[error("with the fixes, the file would be read as {after} instead of {before}")]
    #[non_exhaustive]
    EncodingChanged {
        /// The encoding in which the file was decoded.
        before: Encoding,
        /// The encoding in which the fixed file would be decoded.
        after: Encoding,
    },
    /// The file has no header, and the fixed file would be recognised as another kind of file, such as a file with many
    /// zero bytes.
    #[error("with the fixes, the file would be recognised as {}", .kind.name())]
    #[non_exhaustive]
    KindChanged {
        /// The kind as which the fixed file would be recognised.
        kind: FileKind,
    },
}

/// Fixes the header of a document. The header is within `lines`.
pub(super) fn fix_header(
    document: &Document<'_>,
    lines: Range<u64>,
    findings: &[Diagnostic],
    options: FixOptions<'_>,
    types: &mut dyn Types,
) -> Fixes {
    let mut fixes = Fixes::default();
    let wanted = || findings.iter().filter(|finding| options.wants_fix_of(finding));
    let of_encoding: Vec<Code> =
        wanted().filter(|finding| is_encoding_fix(finding)).map(|finding| finding.code).collect();
    let is_within = |finding: &&Diagnostic| finding.place.is_some_and(|at| at.line < lines.end);
    if of_encoding.is_empty() && !wanted().any(|finding| is_within(&finding)) {
        return fixes;
    }
    let (source, rules) = (document.source(), document.rules());
    let (passage, decision) = (source.passage(lines.clone()), source.decision());
    let encoding = HeaderEncoding::new(&passage, decision, BytesSeen::of(document), &of_encoding, rules);
    let of_payloads = wanted().filter(is_within).filter(|one| is_payload_fix(one)).cloned().collect();
    let (header, encoding) = (document.header(), Some(encoding));
    let run = RecordLines {
        lines,
        passage,
        rules,
        decision,
        header,
        encoding,
        payload_findings: of_payloads,
        options,
    };
    if let Some(run_fixes) = run.fix(types) {
        fixes.add_run(run_fixes, &mut FindingIndex::of(findings));
    }
    fixes
}

/// Returns the reason why a file cannot be fixed with `patches`. The fixed file would be decoded in another encoding,
/// or not be read at all.
pub(super) fn find_file_refusal(document: &Document<'_>, patches: &[Patch]) -> Option<FileRefusal> {
    let source = document.source();
    let decision = source.decision();
    let is_headless = document.head().is_none();
    if patches.is_empty() || !(may_depend_on_bytes(decision) || is_headless) {
        return None;
    }
    // If the patches do not fit, an error is returned later, when they are applied.
    let fixed = source.splice(patches).ok()?;
    if is_headless && let Some(kind) = FileKind::of(&fixed) {
        return Some(FileRefusal::KindChanged { kind });
    }
    if !may_depend_on_bytes(decision) {
        return None;
    }
    let after = decide(&fixed, document.rules(), &reading_options(decision), &mut ()).used;
    let before = decision.used;
    (after != before).then_some(FileRefusal::EncodingChanged { before, after })
}

/// Returns whether the fix of a finding changes the name of the encoding in the file.
pub(super) fn is_encoding_fix(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::NameEncoding)
}

/// Returns whether a standard proposes the fix of a finding: another payload, or an identifier in place of a payload.
/// If the lines are read again, such findings are not reported.
pub(super) fn is_payload_fix(finding: &Diagnostic) -> bool {
    finding
        .fix
        .as_ref()
        .is_some_and(|fix| matches!(fix.action, FixAction::SetPayload(_) | FixAction::IdentifierFirst))
}

/// Returns whether the encoding of a file may depend on its bytes. All single-byte encodings spell ASCII alike, so a
/// byte-order mark decides alone.
fn may_depend_on_bytes(decision: &Decision) -> bool {
    let used = decision.used;
    match decision.because {
        EncodingReason::Detected | EncodingReason::Forced => false,
        EncodingReason::Specified => used != Encoding::Utf8 && !used.is_utf16(),
        _ => !used.is_utf16(),
    }
}

/// Returns the lines of a document that may contain the header of the file. These are the lines up to the end of the
/// first record. Returns `None` if the header was in an earlier run.
pub(super) fn header_lines(document: &Document<'_>, splitter: &LineSplitter<'_>) -> Option<Range<u64>> {
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
