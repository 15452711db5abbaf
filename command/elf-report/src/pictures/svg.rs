//! Drawings as SVG: text that can be selected and searched, for screens and paper, without a script.
//!
//! Everything from a file passes one writer, [`Markup`], which escapes it. What a screen reader says of the
//! whole are a title and a description; each box has a title of its own for who points at it.

use crate::pictures::drawing::{Drawing, DrawnBox, DrawnLine, LineStyle, PADDING, TextKind};
use crate::pictures::text::is_right_to_left;
use std::fmt::Write;

/// The size of a picture.
///
/// ```
/// use elf_report::pictures::SvgOptions;
///
/// assert_eq!(SvgOptions::default().with_width(Some(210)).width, Some(210));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SvgOptions {
    /// The width in millimetres; without one, it follows from what is drawn.
    pub width: Option<u32>,
}

impl SvgOptions {
    /// The options with that width, in millimetres.
    #[must_use]
    pub fn with_width(self, width: Option<u32>) -> SvgOptions {
        SvgOptions { width }
    }

    /// The width in the units of drawings.
    pub(crate) fn units(self) -> Option<f64> {
        self.width.map(|width| f64::from(width) / MILLIMETRES)
    }
}

/// The length of a unit, in millimetres.
const MILLIMETRES: f64 = 25.4 / 96.0;

/// The room that a note at the foot takes.
const FOOT: f64 = 20.0;

const STYLE: &str = "
text { font-family: 'Noto Sans', 'DejaVu Sans', Arial, Helvetica, sans-serif; fill: #1a1a1a; text-anchor: middle; }
.name { font-size: 12px; }
.small { font-size: 10px; fill: #444; }
.box rect { fill: #f6f5f1; stroke: #8a8577; stroke-width: 1; }
.male rect { fill: #eaf1f8; stroke: #6d8aa8; }
.female rect { fill: #f9edee; stroke: #b07a82; }
.root rect { fill: #fff6d6; stroke: #8a6d1a; stroke-width: 2; }
.root .name { font-weight: bold; }
.again rect { fill: #fff; stroke-dasharray: 2 2; }
.unknown rect { fill: none; stroke: #b5b1a6; stroke-dasharray: 4 3; }
.line { fill: none; stroke: #77736a; stroke-width: 1.2; }
.dashed { stroke-dasharray: 6 3; }
.dotted { stroke-dasharray: 1.5 3; }
.number circle { fill: #444; }
.number text { fill: #fff; font-size: 9px; }
.paper { fill: #fff; }
@media print { .box rect { fill: #fff; stroke: #333; } .line { stroke: #333; } .small { fill: #000; } }
";

/// Writes elements and texts; whatever is handed to it is escaped.
#[derive(Debug, Default)]
struct Markup {
    out: String,
    open: Vec<&'static str>,
}

impl Markup {
    fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = write!(self.out, "</{name}>");
        }
    }

    fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>");
    }

    /// An element that holds a text.
    fn leaf(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close();
    }

    fn line_break(&mut self) {
        self.out.push('\n');
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        let _ = write!(self.out, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"");
            self.text(value);
            self.out.push('"');
        }
        self.out.push_str(end);
    }

    fn text(&mut self, text: &str) {
        for char in text.chars() {
            match char {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '&' => self.out.push_str("&amp;"),
                '"' => self.out.push_str("&quot;"),
                '\n' => self.out.push('\n'),
                // XML 1.0 has no other controls, and neither of the two that are no characters.
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                _ => self.out.push(char),
            }
        }
    }
}

/// A number with one decimal at most.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The words about a drawing.
#[derive(Clone, Debug)]
pub(crate) struct Words<'w> {
    pub(crate) title: &'w str,
    pub(crate) description: &'w str,
    /// A note at the foot, which may be empty.
    pub(crate) note: &'w str,
}

/// Writes a drawing.
pub(crate) fn write(drawing: &Drawing, words: &Words<'_>, options: SvgOptions) -> String {
    let foot = if words.note.is_empty() { 0.0 } else { FOOT };
    let (width, height) = (drawing.width, drawing.height + foot);
    let millimetres = options.width.map_or(width * MILLIMETRES, f64::from);
    // What is broader than the paper is made smaller, and nothing is made larger.
    let wide = options.units().map_or(width, |asked| asked.max(width));
    let scale = millimetres / (wide * MILLIMETRES);
    let size = |units: f64| format!("{}mm", number(units * MILLIMETRES * scale));
    let mut out = Markup::default();
    out.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("width", &size(wide)),
            ("height", &size(height)),
            ("viewBox", &format!("{} 0 {} {}", number((width - wide) / 2.0), number(wide), number(height))),
            ("role", "img"),
            ("aria-labelledby", "picture-title picture-description"),
        ],
    );
    out.line_break();
    out.leaf("title", &[("id", "picture-title")], words.title);
    out.line_break();
    out.leaf("desc", &[("id", "picture-description")], words.description);
    out.line_break();
    out.leaf("style", &[], STYLE);
    out.line_break();
    let left = number((width - wide) / 2.0);
    let paper = [("x", &*left), ("width", "100%"), ("height", "100%"), ("class", "paper")];
    out.empty("rect", &paper);
    out.line_break();
    for line in &drawing.lines {
        line.write(&mut out);
    }
    for one in &drawing.boxes {
        one.write(&mut out);
    }
    if !words.note.is_empty() {
        let (x, y) = (number(width / 2.0), number(height - FOOT / 2.0));
        out.leaf("text", &[("x", &x), ("y", &y), ("class", "small")], words.note);
        out.line_break();
    }
    out.close();
    out.line_break();
    out.out
}

impl DrawnLine {
    fn write(&self, out: &mut Markup) {
        let mut path = String::new();
        let mut points = self.points.iter();
        let Some(&(x, y)) = points.next() else { return };
        let _ = write!(path, "M{} {}", number(x), number(y));
        let mut last = (x, y);
        for &(x, y) in points {
            let (end_x, end_y) = (number(x), number(y));
            let _ = if self.style == LineStyle::Curved {
                let (middle, start_y) = (number(f64::midpoint(last.0, x)), number(last.1));
                write!(path, "C{middle} {start_y} {middle} {end_y} {end_x} {end_y}")
            } else {
                write!(path, "L{end_x} {end_y}")
            };
            last = (x, y);
        }
        let class = match self.style {
            LineStyle::Plain | LineStyle::Curved => "line",
            LineStyle::Dashed => "line dashed",
            LineStyle::Dotted => "line dotted",
        };
        out.empty("path", &[("class", class), ("d", &path)]);
        out.line_break();
    }
}

impl DrawnBox {
    fn write(&self, out: &mut Markup) {
        out.open("g", &[("class", &format!("box {}", self.class))]);
        out.leaf("title", &[], &self.title);
        let (x, y) = (number(self.x), number(self.y));
        let (width, height) = (number(self.width), number(self.height));
        out.empty("rect", &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("rx", "4")]);
        let center = number(self.x + self.width / 2.0);
        let mut y = self.y + PADDING;
        for line in &self.texts {
            y += line.kind.height();
            let class = match line.kind {
                TextKind::Name => "name",
                TextKind::Small => "small",
            };
            let baseline = number(y - line.kind.height() * 0.25);
            let mut attributes = vec![("x", &*center), ("y", &*baseline), ("class", class)];
            if is_right_to_left(&line.text) {
                attributes.push(("direction", "rtl"));
            }
            out.leaf("text", &attributes, &line.text);
        }
        self.write_marks(out);
        out.close();
        out.line_break();
    }

    /// The number by which others refer to the box, and signs of what is not drawn.
    fn write_marks(&self, out: &mut Markup) {
        if let Some(reference) = self.number {
            let (x, y) = (number(self.right() - 2.0), number(self.y + 2.0));
            out.open("g", &[("class", "number")]);
            let reference = reference.to_string();
            let radius = if reference.len() > 2 { "10" } else { "7.5" };
            out.empty("circle", &[("cx", &x), ("cy", &y), ("r", radius)]);
            let baseline = number(self.y + 5.2);
            out.leaf("text", &[("x", &x), ("y", &baseline)], &reference);
            out.close();
        }
        let [left, right] = self.more;
        for (is_there, x) in [(left, self.x - 8.0), (right, self.right() + 8.0)] {
            if is_there {
                let (x, y) = (number(x), number(self.middle() + 3.0));
                out.leaf("text", &[("x", &x), ("y", &y), ("class", "small")], "…");
            }
        }
    }
}
