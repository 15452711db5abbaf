//! The reason why no repair of a file is made, and the octets that may give one.

use super::file_encoding::options_of;
use crate::evidence::Evidence;
use elf_base::Rules;
use elf_octets::{Because, Decision, EVIDENCE_LIMIT, Encoding, FileKind, PatchError, PatchLines};
use elf_tagged::Document;

/// The reason why no finding of a file is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepairRefusal {
    /// The rules ended the reading: what stands behind was not read.
    #[error("the rules ended the reading")]
    Ended,
    /// The octets have a say in the encoding, and those of the repaired file would decide otherwise.
    #[error("it is read as {before}, and repaired it would be read as {after}")]
    #[non_exhaustive]
    EncodingChanged {
        /// The encoding of the file.
        before: Encoding,
        /// The one that the repaired file would be read in.
        after: Encoding,
    },
    /// The file has no header by which it is told, and repaired it would be taken for no text, as one is that
    /// has many octets 00.
    #[error("repaired it would be taken for {}", .kind.name())]
    #[non_exhaustive]
    KindChanged {
        /// The kind that it would be taken for.
        kind: FileKind,
    },
}

impl RepairRefusal {
    /// Returns the refusal of patches of a file without a header that starts with those octets then.
    fn of_kind(start: &[u8]) -> Option<RepairRefusal> {
        FileKind::of(start).map(|kind| RepairRefusal::KindChanged { kind })
    }

    fn of(decision: &Decision, after: Encoding) -> Option<RepairRefusal> {
        let before = decision.used;
        (after != before).then_some(RepairRefusal::EncodingChanged { before, after })
    }
}

/// Tells whether octets of a file may have a say in the decision on its encoding. All encodings of single
/// octets spell ASCII alike, so a mark at the start needs no other octets.
fn may_be_open(decision: &Decision) -> bool {
    let is_utf_8 = decision.used == Encoding::Utf8;
    match decision.because {
        Because::Detected | Because::Forced => false,
        Because::Specified => !is_utf_8 && !decision.used.is_utf16(),
        _ => !decision.used.is_utf16(),
    }
}

/// The octets of a repaired file, or of a part of it, by which its encoding is decided: the first ones behind
/// the header, and then those from shortly before the first that is not ASCII.
#[derive(Debug, Default)]
pub(super) struct RepairedOctets {
    start: Vec<u8>,
    octets: Vec<u8>,
    /// The number of octets between the two, all of them ASCII.
    skipped: usize,
    has_high: bool,
    /// True if any line is repaired.
    is_changed: bool,
    /// True if the file has no header.
    is_headless: bool,
}

impl RepairedOctets {
    /// The most that are needed: one more shows that the file goes on.
    const MOST: usize = BEFORE + EVIDENCE_LIMIT + 1;

    /// The octets of a document, or of a part, whose header takes the first `head`, with patches of lines
    /// behind that.
    pub(super) fn of<'p>(
        document: &Document<'_>,
        head: usize,
        patches: impl Iterator<Item = PatchLines<'p>> + Clone,
    ) -> Result<RepairedOctets, PatchError> {
        let source = document.source();
        let is_changed = patches.clone().next().is_some();
        let is_first = source.start().octet < LOOKED_AT as u64;
        let is_open = may_be_open(source.decision());
        if !is_open && !is_first {
            return Ok(RepairedOctets { is_changed, ..RepairedOctets::default() });
        }
        let is_headless = source.start().line == 1 && document.head().is_none();
        let spliced = if is_changed { source.splice_lines(patches)? } else { Vec::new() };
        let octets = if is_changed { &spliced } else { source.octets() };
        let octets = octets.get(head..).unwrap_or_default();
        let (start, rest) = octets.split_at(if is_first { LOOKED_AT.min(octets.len()) } else { 0 });
        let rest = if is_open { rest } else { &[] };
        // The quick question first: most parts of a file without CHAR are ASCII.
        let high = if rest.is_ascii() { None } else { rest.iter().position(|octet| !octet.is_ascii()) };
        let high = if start.is_ascii() { high } else { Some(0) };
        let skipped = high.map_or(rest.len(), |high| high.saturating_sub(BEFORE));
        let kept = rest.get(skipped..).unwrap_or_default();
        let kept = kept.get(..RepairedOctets::MOST).unwrap_or(kept);
        let (start, octets, has_high) = (start.to_vec(), kept.to_vec(), high.is_some());
        Ok(RepairedOctets { start, octets, skipped, has_high, is_changed, is_headless })
    }

    /// Takes those of the next part.
    pub(super) fn append(&mut self, next: RepairedOctets) {
        self.is_changed |= next.is_changed;
        self.is_headless |= next.is_headless;
        self.start.extend(next.start);
        if !self.has_high {
            (self.octets, self.skipped) = (next.octets, self.skipped.saturating_add(next.skipped));
        } else {
            // Between characters that are not ASCII it matters how far apart they stand, and no more.
            let left = RepairedOctets::MOST.saturating_sub(self.octets.len());
            self.octets.resize(self.octets.len() + next.skipped.min(left), b'\n');
            let left = left.saturating_sub(next.skipped);
            self.octets.extend_from_slice(next.octets.get(..left).unwrap_or(&next.octets));
        }
        self.has_high |= next.has_high;
    }

    /// Returns the refusal, where the file would be read in another encoding, or be taken for no text: its
    /// header is repaired as well, and is `head` then.
    pub(super) fn refusal(
        &self,
        mut head: Vec<u8>,
        is_head_changed: bool,
        decision: &Decision,
        rules: &Rules,
    ) -> Option<RepairRefusal> {
        if !(self.is_changed || is_head_changed) {
            return None;
        }
        head.extend_from_slice(&self.start);
        let kind = RepairRefusal::of_kind(&head).filter(|_| self.is_headless);
        if kind.is_some() || !may_be_open(decision) {
            return kind;
        }
        let mut evidence = Evidence::default();
        evidence.add(&head, true);
        if !evidence.is_ascii() {
            // Whether the rest is looked at hangs on how far it stands behind the first octet beyond ASCII.
            evidence.add(&vec![b'\n'; self.skipped.min(RepairedOctets::MOST)], false);
        }
        evidence.add(&self.octets, false);
        if evidence.is_ascii() {
            return None;
        }
        RepairRefusal::of(decision, evidence.decide(rules, &options_of(decision)).0.used)
    }
}

/// The number of octets that are kept before the first that is not ASCII: the letter that a mark belongs to
/// may stand there.
const BEFORE: usize = 8;

/// The number of octets behind the header that are kept, whatever they are: CHAR is looked for up to the
/// second line of level 0, and a file may have no header.
const LOOKED_AT: usize = 1 << 16;
