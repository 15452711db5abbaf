//! The part of a file that is decoded at once.

use std::ops::Range;

/// Whole lines of a file that are decoded together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputChunk<'o> {
    pub(crate) octets: &'o [u8],
    /// The available bytes that follow the chunk. A character that CONC splits may end there.
    pub(crate) ahead: &'o [u8],
    /// The offset of the chunk in the file.
    pub(crate) base: u64,
    /// The bytes of this chunk that belong to a character which starts in the chunk before.
    pub(crate) cut_tail: CutTail,
}

/// The bytes after a chunk that belong to a character split at its end, as offsets in the file. Empty if no character
/// is split.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CutTail {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl<'o> InputChunk<'o> {
    /// Creates a chunk at offset `base` of the file, with no bytes after it.
    pub(crate) const fn whole(octets: &'o [u8], base: u64) -> InputChunk<'o> {
        InputChunk { octets, ahead: &[], base, cut_tail: CutTail { start: 0, end: 0 } }
    }
}

/// The number of bytes after a line break in which the rest of a split character is searched.
pub(crate) const CONC_REACH: usize = 256;

/// The start of the payload of a CONC line. The start has at most [`CONC_REACH`] bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation {
    around: [u8; CONC_REACH],
    from: usize,
    to: usize,
    /// The offset of the payload, counted from the start of the chunk.
    pub(crate) begins: usize,
}

impl Continuation {
    pub(crate) fn payload(&self) -> &[u8] {
        &self.around[self.from..self.to]
    }
}

impl InputChunk<'_> {
    /// Returns the payload of the CONC line that follows the line which ends at `end`. Some programs count bytes when
    /// they split long payloads, so a character may be split there.
    pub(crate) fn conc_continuation(self, end: usize) -> Option<Continuation> {
        let next = self.octets.get(end).or_else(|| self.ahead.first());
        next.filter(|octet| matches!(octet, b'\n' | b'\r'))?;
        // The line break and the next line may be in this chunk or in the bytes that follow it.
        let mut around = [0; CONC_REACH];
        let here = self.octets.get(end..)?.iter();
        let mut to = 0;
        for (slot, octet) in around.iter_mut().zip(here.chain(self.ahead)) {
            *slot = *octet;
            to += 1;
        }
        let reach = around.get(..to)?;
        let line = reach
            .strip_prefix(b"\r\n")
            .or_else(|| reach.strip_prefix(b"\n"))
            .or_else(|| reach.strip_prefix(b"\r"))?;
        let line = skip_while(line, is_blank);
        let level = skip_while(line, |octet| octet.is_ascii_digit());
        let tag = skip_while(level, is_blank);
        if level.len() == line.len() || tag.len() == level.len() {
            return None;
        }
        let from = to - tag.strip_prefix(b"CONC ")?.len();
        Some(Continuation { around, from, to, begins: end + from })
    }

    /// Returns the range at the start of this chunk that belongs to a character of the chunk before. The range is empty
    /// if there is no such character.
    pub(crate) fn already_decoded(self) -> Range<usize> {
        let local = |offset: u64| usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        local(self.cut_tail.start)..local(self.cut_tail.end)
    }
}

fn skip_while(octets: &[u8], which: impl Fn(u8) -> bool) -> &[u8] {
    let count = octets.iter().take_while(|octet| which(**octet)).count();
    &octets[count..]
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}
