//! The legend of a drawing: the meaning of the colours, lines and signs that occur in it.

use crate::pictures::drawing::{Drawing, LineStyle};
use crate::pictures::text::{Weight, estimate_width};

/// The height of a row.
const ROW: f64 = 16.0;
/// The space between two entries.
const GAP: f64 = 18.0;
/// The font size.
const SIZE: f64 = 10.0;
/// The space below the rows.
const BELOW: f64 = 12.0;

/// An entry of a legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LegendEntry {
    pub(crate) sample: Sample,
    pub(crate) text: String,
}

/// The sample in front of the text of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    /// A box with this CSS class.
    Box(&'static str),
    Line(LineStyle),
    /// Nothing, because the text contains the sign.
    None,
}

impl Sample {
    pub(crate) const fn width(self) -> f64 {
        match self {
            Sample::Box(_) | Sample::Line(_) => 23.0,
            Sample::None => 0.0,
        }
    }
}

/// The signs and words that may occur in names and years, with their meaning.
const SIGNS: [(&str, &str); 9] = [
    ("⚭", "⚭ married"),
    ("* ", "* born"),
    ("†", "† died"),
    ("bap ", "bap = baptised"),
    ("bur ", "bur = buried"),
    ("abt ", "abt = about"),
    ("bef ", "bef = before"),
    ("aft ", "aft = after"),
    ("/", "1840/1842 = between these years"),
];

/// Returns the entries that a drawing needs.
pub(crate) fn entries(drawing: &Drawing) -> Vec<LegendEntry> {
    let mut entries = Vec::new();
    let mut add = |sample, text: &str| entries.push(LegendEntry { sample, text: text.to_owned() });
    for (class, text) in [
        ("person male", "male"),
        ("person female", "female"),
        ("person", "sex not known"),
        ("person unknown", "not known, or left out"),
        ("person again", "drawn elsewhere: → leads to the number"),
    ] {
        if drawing.classes().any(|one| one == class) {
            add(Sample::Box(class), text);
        }
    }
    for (style, text) in [(LineStyle::Dashed, "adopted"), (LineStyle::Dotted, "foster child or another tie")]
    {
        if drawing.lines.iter().any(|line| line.style == style) {
            add(Sample::Line(style), text);
        }
    }
    if drawing.has_more() {
        add(Sample::None, "… more relatives, not drawn");
    }
    let small: Vec<&str> = drawing.texts().filter(|line| line.is_small()).map(|line| &*line.text).collect();
    for (sign, text) in SIGNS {
        if small.iter().any(|line| line.contains(sign)) {
            add(Sample::None, text);
        }
    }
    entries
}

/// A legend in rows.
#[derive(Clone, Debug)]
pub(crate) struct Legend<'e> {
    placed: Vec<PlacedEntry<'e>>,
    rows: usize,
}

/// An entry and its position relative to the upper left corner of the legend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedEntry<'e> {
    pub(crate) entry: &'e LegendEntry,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl<'e> Legend<'e> {
    /// Arranges entries in rows of `width`. A wider entry gets its own row.
    pub(crate) fn of(entries: &'e [LegendEntry], width: f64) -> Legend<'e> {
        let (mut x, mut rows) = (0.0, usize::from(!entries.is_empty()));
        let mut placed = Vec::with_capacity(entries.len());
        for entry in entries {
            let room = entry.sample.width() + estimate_width(&entry.text, Weight::Regular) * SIZE;
            if x > 0.0 && x + room > width {
                (x, rows) = (0.0, rows + 1);
            }
            placed.push(PlacedEntry { entry, x, y: ROW * (rows - 1) as f64 });
            x += room + GAP;
        }
        Legend { placed, rows }
    }

    pub(crate) fn height(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { ROW * self.rows as f64 + BELOW }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = PlacedEntry<'e>> {
        self.placed.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_set_in_rows() {
        let entry = |text: &str| LegendEntry { sample: Sample::Box("person"), text: text.to_owned() };
        let entries = [entry("one"), entry("two"), entry("a text that is wider than the legend")];
        let legend = Legend::of(&entries, 120.0);
        let rows: Vec<f64> = legend.entries().map(|placed| placed.y).collect();
        assert_eq!(rows, [0.0, 0.0, ROW]);
        assert_eq!(Legend::of(&[], 120.0).height(), 0.0);
    }
}
