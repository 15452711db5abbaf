//! Drawings: boxes and sectors with texts and positions, and lines between them. The layouts create a `Drawing`, and
//! `svg` writes it.

use crate::pictures::text::Weight;
use elf_lineage::PersonId;

/// A drawing. Its units are CSS pixels, 96 per inch.
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
    /// A longer text, shown when the mouse points at it.
    pub(crate) title: String,
    /// The number by which other boxes refer to this one.
    pub(crate) number: Option<usize>,
    /// True if there is something on the left (first) or on the right that is not drawn.
    pub(crate) more: [bool; 2],
    pub(crate) person: Option<PersonId>,
}

/// A sector of a ring in a fan chart, or the disc in its center.
#[derive(Clone, Debug)]
pub(crate) struct DrawnSector {
    /// The center of the fan.
    pub(crate) center: (f64, f64),
    /// The inner and outer radius. The inner radius of the disc is 0.
    pub(crate) radii: [f64; 2],
    /// The angles of the start and the end, in radians clockwise from the left.
    pub(crate) angles: [f64; 2],
    pub(crate) texts: Vec<TextLine>,
    pub(crate) direction: TextDirection,
    pub(crate) class: &'static str,
    /// A longer text, shown when the mouse points at it.
    pub(crate) title: String,
    /// The number by which other sectors refer to this one.
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
    /// From the center outward, or inward on the left side, so that no text is upside down.
    Outward,
}

/// A line of text in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextLine {
    pub(crate) kind: TextKind,
    pub(crate) text: String,
}

impl TextLine {
    /// Returns whether the text is in the small font: years, relationships and references.
    pub(crate) fn is_small(&self) -> bool {
        self.kind == TextKind::Small
    }
}

/// The kind of a text. It determines the font size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Name,
    /// The name of the person whose tree is drawn.
    RootName,
    /// Years, relationships and references.
    Small,
}

/// A line from the edge of one box to that of another.
#[derive(Clone, Debug)]
pub(crate) struct DrawnLine {
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) style: LineStyle,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineStyle {
    #[default]
    Plain,
    Dashed,
    Dotted,
    /// With rounded corners.
    Curved,
}

/// The space between the edge of a box and its texts.
pub(crate) const PADDING: f64 = 5.0;

impl Drawing {
    /// Returns all lines of text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &TextLine> {
        let sectors = self.sectors.iter().flat_map(|sector| &sector.texts);
        self.boxes.iter().flat_map(|one| &one.texts).chain(sectors)
    }

    /// Returns the CSS classes of all boxes and sectors.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &'static str> {
        self.boxes.iter().map(|one| one.class).chain(self.sectors.iter().map(|sector| sector.class))
    }

    /// Returns whether a box or sector has a mark for relatives that are not drawn.
    pub(crate) fn has_more(&self) -> bool {
        self.boxes.iter().any(|one| one.more.contains(&true)) || self.sectors.iter().any(|one| one.has_more)
    }
}

impl TextKind {
    /// Returns the font size.
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

    /// Returns the line height.
    pub(crate) const fn height(self) -> f64 {
        match self {
            TextKind::Name | TextKind::RootName => 15.0,
            TextKind::Small => 13.0,
        }
    }
}

impl DrawnBox {
    /// Creates a box that is as high as its texts.
    pub(crate) fn around(texts: Vec<TextLine>, width: f64) -> DrawnBox {
        let height = 2.0 * PADDING + texts.iter().map(|line| line.kind.height()).sum::<f64>();
        DrawnBox { texts, width, height, ..DrawnBox::default() }
    }

    /// Returns the vertical center.
    pub(crate) fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }

    /// Returns the position of the right edge.
    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }
}
