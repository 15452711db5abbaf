//! Where the lines of a text stand in it, and in the octets it was decoded from.

use crate::prescan::{RawLines, Units};

/// Where each line starts, in text and in octets. A break is a break in both, so the n-th line of the text is the
/// n-th line of the octets in every encoding.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineTable {
    /// Where each line starts in the text, in octets of UTF-8; then the length of the text.
    pub(crate) text: Vec<u32>,
    /// Where each line starts in the octets, counted in units of the encoding. Empty for UTF-8, where it follows from the text.
    pub(crate) units: Vec<u32>,
}

impl LineTable {
    pub(crate) fn of_text(text: &str) -> Vec<u32> {
        starts(text.as_bytes(), Units::One)
    }

    pub(crate) fn of_octets(octets: &[u8], units: Units) -> Vec<u32> {
        starts(octets, units)
    }

    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }
}

fn starts(octets: &[u8], units: Units) -> Vec<u32> {
    let mut lines = RawLines { octets, units, at: 0, number: 1 };
    let mut starts = Vec::new();
    while let Some((_, range)) = lines.next() {
        starts.push(u32::try_from(range.start / units.len()).unwrap_or(u32::MAX));
    }
    starts
}
