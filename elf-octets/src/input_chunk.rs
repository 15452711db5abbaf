//! The part of a file that is decoded at once, with the octets after it that a cut character may end in.

use std::ops::Range;

/// Octets to decode: whole lines from anywhere in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputChunk<'o> {
    /// The octets.
    pub(crate) octets: &'o [u8],
    /// The octets after them, as many as are available: a character cut by CONC may end there.
    pub(crate) ahead: &'o [u8],
    /// The offset of `octets` in the file.
    pub(crate) base: u64,
    /// The octets (from 0 at the start of the file) that already belong to a character cut at the end of the chunk before.
    pub(crate) taken: (u64, u64),
}

impl<'o> InputChunk<'o> {
    /// Makes a chunk of octets that start at offset `base` of the file, with nothing after it.
    pub(crate) const fn whole(octets: &'o [u8], base: u64) -> InputChunk<'o> {
        InputChunk { octets, ahead: &[], base, taken: (0, 0) }
    }
}

/// How far past a line break the rest of a character cut by CONC is searched for, in octets.
pub(crate) const CONC_REACH: usize = 256;

/// The payload of a CONC line, up to [`CONC_REACH`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation {
    around: [u8; CONC_REACH],
    from: usize,
    to: usize,
    /// The offset at which the payload starts, counted from the octets of the chunk.
    pub(crate) begins: usize,
}

impl Continuation {
    pub(crate) fn payload(&self) -> &[u8] {
        &self.around[self.from..self.to]
    }
}

impl InputChunk<'_> {
    /// The payload of the CONC line after the line that ends at `end`. Programs that split long payloads by
    /// octets cut characters there.
    pub(crate) fn continuation(self, end: usize) -> Option<Continuation> {
        let next = self.octets.get(end).or_else(|| self.ahead.first());
        next.filter(|octet| matches!(octet, b'\n' | b'\r'))?;
        // The line break and the start of the next line, in this chunk or ahead of it.
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
        let line = skip(line, is_blank);
        let level = skip(line, |octet| octet.is_ascii_digit());
        let tag = skip(level, is_blank);
        if level.len() == line.len() || tag.len() == level.len() {
            return None;
        }
        let from = to - tag.strip_prefix(b"CONC ")?.len();
        Some(Continuation { around, from, to, begins: end + from })
    }

    /// The octets at the start of this chunk that belong to a character of the chunk before, counted from the start of
    /// this one. The range is empty if there are none.
    pub(crate) fn taken_tail(self) -> Range<usize> {
        let local = |offset: u64| usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        local(self.taken.0)..local(self.taken.1)
    }
}

fn skip(octets: &[u8], which: impl Fn(u8) -> bool) -> &[u8] {
    let count = octets.iter().take_while(|octet| which(**octet)).count();
    &octets[count..]
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}
