//! Drawings as SVG for screens and paper. The text can be selected and searched, and there are no scripts.
//!
//! All text from a file goes through [`Markup`], which escapes it. The picture has a title and a description for screen
//! readers, and each box has a title that is shown when the mouse points at it.

mod markup;
mod paper;
mod shapes;

use self::markup::{Markup, number};
use crate::pictures::drawing::{Drawing, DrawnSector};
use crate::pictures::legend::{Legend, LegendEntry, Sample};
use crate::pictures::options::{MILLIMETRES, SvgOptions};
use crate::pictures::text::{Weight, estimate_width, is_right_to_left};

pub(super) use self::paper::{page_documents, write_pages};

/// The margin of the picture.
const MARGIN: f64 = 20.0;

/// The height of the title and the description at the top.
const HEAD: f64 = 48.0;

/// The font size of the title.
const TITLE_SIZE: f64 = 16.0;

/// The font size of the description, the legend and the note.
const SMALL_SIZE: f64 = 10.0;

/// The height of a note at the bottom.
const FOOT: f64 = 20.0;

/// The style sheet of every picture. The content security policy of an HTML page allows it by its digest.
pub(crate) const STYLE: &str = "
.elf-chart text { font-family: 'DejaVu Sans', 'Noto Sans', Verdana, Arial, Helvetica, sans-serif; fill: #1a1a1a; text-anchor: middle; }
.elf-chart .name { font-size: 12px; }
.elf-chart .small { font-size: 10px; fill: #444; }
.elf-chart .sign { font-size: 15px; fill: #1a1a1a; }
.elf-chart .start { text-anchor: start; }
.elf-chart .end { text-anchor: end; }
.elf-chart .heading { font-size: 16px; font-weight: bold; }
.elf-chart .area { fill: #f6f5f1; stroke: #8a8577; stroke-width: 1; }
.elf-chart .male .area { fill: #eaf1f8; stroke: #6d8aa8; }
.elf-chart .female .area { fill: #f9edee; stroke: #b07a82; }
.elf-chart .root .area { fill: #fff6d6; stroke: #8a6d1a; stroke-width: 2; }
.elf-chart .root .name { font-weight: bold; }
.elf-chart .again .area { fill: #fff; stroke-dasharray: 2 2; }
.elf-chart .unknown .area { fill: none; stroke: #b5b1a6; stroke-dasharray: 4 3; }
.elf-chart .line { fill: none; stroke: #77736a; stroke-width: 1.2; }
.elf-chart .guide { fill: none; stroke: none; }
.elf-chart .dashed { stroke-dasharray: 6 3; }
.elf-chart .dotted { stroke-dasharray: 1.5 3; }
.elf-chart .number circle { fill: #444; }
.elf-chart .number text { fill: #fff; font-size: 9px; }
.elf-chart .paper { fill: #fff; }
.elf-chart a:focus .area, .elf-chart a:hover .area { stroke: #0b57a4; stroke-width: 2; }
";

/// The words about a drawing.
#[derive(Clone, Debug)]
pub(crate) struct Words<'w> {
    pub(crate) title: &'w str,
    pub(crate) description: &'w str,
    /// A note at the bottom. It may be empty.
    pub(crate) note: &'w str,
    pub(crate) legend: &'w [LegendEntry],
    /// True if the title and the description are also drawn at the top of the picture.
    pub(crate) has_heading: bool,
}

/// Writes a drawing.
pub(crate) fn write(drawing: &Drawing, words: &Words<'_>, options: &SvgOptions) -> String {
    let width = drawing.width.max(words.width());
    // Scale down a drawing that is wider than the paper, but never scale up.
    let wide = options.units().map_or(width, |asked| asked.max(width));
    let head = if words.has_heading { HEAD } else { 0.0 };
    let legend = Legend::of(words.legend, wide - 2.0 * MARGIN);
    let foot = if words.note.is_empty() { 0.0 } else { FOOT };
    let height = head + drawing.height + legend.height() + foot;
    let millimetres = options.width.map_or(wide * MILLIMETRES, f64::from);
    let scale = millimetres / wide;
    let mut out = Markup::default();
    open_picture(&mut out, words, options, [wide * scale, height * scale, wide, height]);
    write_paper(&mut out);
    if words.has_heading {
        write_heading(&mut out, words, wide / 2.0);
    }
    let place = format!("translate({} {})", number((wide - drawing.width) / 2.0), number(head));
    out.open("g", &[("transform", &place)]);
    out.line_break();
    drawing.lines.iter().for_each(|line| line.write(&mut out));
    DrawnSector::write_all(&drawing.sectors, &mut out);
    for one in &drawing.boxes {
        one.write(&mut out, options.link_to(one.person).as_deref());
    }
    out.close();
    out.line_break();
    write_legend(&mut out, &legend, MARGIN, head + drawing.height);
    if !words.note.is_empty() {
        let (x, y) = (number(wide / 2.0), number(height - FOOT / 2.0));
        out.leaf("text", &[("x", &x), ("y", &y), ("class", "small")], words.note);
        out.line_break();
    }
    out.close();
    out.line_break();
    out.finish()
}

impl Words<'_> {
    /// Returns the width of the heading including margins. 0 without a heading.
    fn width(&self) -> f64 {
        if !self.has_heading {
            return 0.0;
        }
        let title = estimate_width(self.title, Weight::Bold) * TITLE_SIZE;
        title.max(estimate_width(self.description, Weight::Regular) * SMALL_SIZE) + 2.0 * MARGIN
    }
}

/// Writes the start of a picture. `sizes` is the width and height in millimetres, then the width and height in units.
fn open_picture(out: &mut Markup, words: &Words<'_>, options: &SvgOptions, sizes: [f64; 4]) {
    let [wide, high, width, height] = sizes;
    // Screen readers treat a picture without links as one image. Links in an image would be hidden.
    let role = if options.links.is_some() { "group" } else { "img" };
    let [title, description] = ["title", "description"].map(|what| format!("{}-{what}", options.id));
    out.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", "elf-chart"),
            ("width", &format!("{}mm", number(wide))),
            ("height", &format!("{}mm", number(high))),
            ("viewBox", &format!("0 0 {} {}", number(width), number(height))),
            ("role", role),
            ("aria-labelledby", &format!("{title} {description}")),
        ],
    );
    out.line_break();
    out.leaf("title", &[("id", &title)], words.title);
    out.line_break();
    out.leaf("desc", &[("id", &description)], words.description);
    out.line_break();
    if options.has_style {
        out.leaf("style", &[], STYLE);
        out.line_break();
    }
}

fn write_paper(out: &mut Markup) {
    out.empty("rect", &[("width", "100%"), ("height", "100%"), ("class", "paper")]);
    out.line_break();
}

/// Writes the title and the description at the top, centered at `middle`.
fn write_heading(out: &mut Markup, words: &Words<'_>, middle: f64) {
    let middle = number(middle);
    let mut attributes = vec![("x", &*middle), ("y", "24"), ("class", "heading")];
    if is_right_to_left(words.title) {
        attributes.push(("direction", "rtl"));
    }
    out.leaf("text", &attributes, words.title);
    out.leaf("text", &[("x", &middle), ("y", "40"), ("class", "small")], words.description);
    out.line_break();
}

/// Writes a legend with its upper left corner at the given point.
fn write_legend(out: &mut Markup, legend: &Legend<'_>, left: f64, top: f64) {
    for placed in legend.entries() {
        let (x, y) = (left + placed.x, top + placed.y);
        let middle = number(y + 7.0);
        match placed.entry.sample {
            Sample::Box(class) => {
                out.open("g", &[("class", &format!("box {class}"))]);
                let [x, y] = [x, y + 1.5].map(number);
                let area =
                    [("class", "area"), ("x", &x), ("y", &y), ("width", "18"), ("height", "11"), ("rx", "3")];
                out.empty("rect", &area);
                out.close();
            }
            Sample::Line(style) => {
                let path = format!("M{} {middle}h18", number(x));
                out.empty("path", &[("class", style.class()), ("d", &path)]);
            }
            Sample::None => {}
        }
        let (x, y) = (number(x + placed.entry.sample.width()), number(y + 10.5));
        out.leaf("text", &[("x", &x), ("y", &y), ("class", "small start")], &placed.entry.text);
        out.line_break();
    }
}
