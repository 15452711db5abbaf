//! Drawings: boxes with texts, and lines that join them, in their places. Whatever lays something out makes
//! one, and `svg` writes it.

/// A drawing; units are those of CSS, 96 to the inch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) boxes: Vec<DrawnBox>,
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
}

/// A line of text in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextLine {
    pub(crate) kind: TextKind,
    pub(crate) text: String,
}

/// A kind of text, which its size follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Name,
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

impl TextKind {
    /// The size of the type.
    pub(crate) const fn size(self) -> f64 {
        match self {
            TextKind::Name => 12.0,
            TextKind::Small => 10.0,
        }
    }

    /// The height of a line.
    pub(crate) const fn height(self) -> f64 {
        match self {
            TextKind::Name => 15.0,
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
