//! Drawings: boxes and sectors with texts, and lines that join them, in their places. Whatever lays something out
//! makes one, and `svg` writes it.

use crate::pictures::text::Weight;
use elf_lineage::PersonId;

/// A drawing; units are those of CSS, 96 to the inch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) boxes: Vec<DrawnBox>,
    pub(crate) sectors: Vec<DrawnSector>,
    pub(crate) lines: Vec<DrawnLine>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A box.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnBox {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) texts: Vec<TextLine>,
    pub(crate) class: &'static str,
    /// A longer text, for who points at it.
    pub(crate) title: String,
    /// The number by which other boxes refer to it.
    pub(crate) number: Option<usize>,
    /// True if something on the left, or on the right, is not drawn.
    pub(crate) more: [bool; 2],
    /// The person in it.
    pub(crate) person: Option<PersonId>,
}

/// A sector of a ring of a fan, or the disc in its middle.
#[derive(Clone, Debug)]
pub(crate) struct DrawnSector {
    /// The middle of the fan.
    pub(crate) center: (f64, f64),
    /// The inner and the outer radius; the inner one of the disc is 0.
    pub(crate) radii: [f64; 2],
    /// Where the sector begins and ends, in radians clockwise from the left.
    pub(crate) angles: [f64; 2],
    pub(crate) texts: Vec<TextLine>,
    pub(crate) direction: TextDirection,
    pub(crate) class: &'static str,
    /// A longer text, for who points at it.
    pub(crate) title: String,
    /// The number by which other sectors refer to it.
    pub(crate) number: Option<usize>,
    /// True if there are parents that are not drawn.
    pub(crate) has_more: bool,
}

/// The direction of the texts of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextDirection {
    /// From left to right.
    Level,
    /// Along the ring.
    Along,
    /// From the middle outward, or inward where that can be read from the left.
    Outward,
}

/// A line of text in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextLine {
    pub(crate) kind: TextKind,
    pub(crate) text: String,
}

impl TextLine {
    /// Tells whether it has years, ties or references.
    pub(crate) fn is_small(&self) -> bool {
        self.kind == TextKind::Small
    }
}

/// A kind of text, which its size follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Name,
    /// The name of the person that a tree is of.
    RootName,
    /// Years, ties, references.
    Small,
}

/// A line from the edge of one box to that of another.
#[derive(Clone, Debug)]
pub(crate) struct DrawnLine {
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) style: LineStyle,
}

/// The way in which a line is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineStyle {
    #[default]
    Plain,
    Dashed,
    Dotted,
    /// Bent, not broken at its corners.
    Curved,
}

/// The room between the edge of a box and its texts.
pub(crate) const PADDING: f64 = 5.0;

impl Drawing {
    /// All lines of text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &TextLine> {
        let sectors = self.sectors.iter().flat_map(|sector| &sector.texts);
        self.boxes.iter().flat_map(|one| &one.texts).chain(sectors)
    }

    /// The classes of all boxes and sectors.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &'static str> {
        self.boxes.iter().map(|one| one.class).chain(self.sectors.iter().map(|sector| sector.class))
    }

    /// Tells whether something is marked as not drawn.
    pub(crate) fn has_more(&self) -> bool {
        self.boxes.iter().any(|one| one.more.contains(&true)) || self.sectors.iter().any(|one| one.has_more)
    }
}

impl TextKind {
    /// The size of the type.
    pub(crate) const fn size(self) -> f64 {
        match self {
            TextKind::Name | TextKind::RootName => 12.0,
            TextKind::Small => 10.0,
        }
    }

    pub(crate) const fn weight(self) -> Weight {
        match self {
            TextKind::RootName => Weight::Bold,
            TextKind::Name | TextKind::Small => Weight::Regular,
        }
    }

    /// The height of a line.
    pub(crate) const fn height(self) -> f64 {
        match self {
            TextKind::Name | TextKind::RootName => 15.0,
            TextKind::Small => 13.0,
        }
    }
}

impl DrawnBox {
    /// A box as high as its texts take.
    pub(crate) fn around(texts: Vec<TextLine>, width: f64) -> DrawnBox {
        let height = 2.0 * PADDING + texts.iter().map(|line| line.kind.height()).sum::<f64>();
        DrawnBox { texts, width, height, ..DrawnBox::default() }
    }

    /// The middle of the height.
    pub(crate) fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }

    /// The right edge.
    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }
}
