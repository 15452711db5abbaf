//! Drawings on pages of paper. Each page has the title, its number, and the numbers of adjacent pages.

use super::markup::{Markup, number};
use super::{HEAD, MARGIN, STYLE, Words, open_picture, write_heading, write_legend, write_paper};
use crate::pictures::cuts::{Part, divide_into_parts};
use crate::pictures::drawing::{Drawing, DrawnSector};
use crate::pictures::legend::Legend;
use crate::pictures::options::{MILLIMETRES, PageSize, SvgOptions};
use std::ops::RangeInclusive;

/// The minimum scale. Below it, text is too small to read, so the picture is divided.
const LEAST_SCALE: f64 = 0.6;
/// The scale of a picture that is divided.
const DIVIDED_SCALE: f64 = 0.8;
/// The margin of the paper, where printers do not print.
const EDGE: f64 = 38.0;
/// The space for the page number.
const FOOT: f64 = 18.0;

/// A drawing on pages.
struct Paper<'d> {
    drawing: &'d Drawing,
    words: &'d Words<'d>,
    legend: Legend<'d>,
    /// The width and height of a page, in units.
    size: [f64; 2],
    scale: f64,
    parts: Vec<Part>,
}

/// Writes the pages of a drawing below each other, as one picture. A browser prints it page by page.
pub(crate) fn write_pages(
    drawing: &Drawing,
    words: &Words<'_>,
    options: &SvgOptions,
    page: PageSize,
) -> String {
    let paper = Paper::of(drawing, words, page);
    let [width, height] = paper.size;
    let whole = height * paper.parts.len() as f64;
    let mut out = Markup::default();
    let sizes = [width * MILLIMETRES, whole * MILLIMETRES, width, whole];
    open_picture(&mut out, words, &SvgOptions { has_style: false, ..options.clone() }, sizes);
    let [wide, high] = paper.size.map(|side| number(side * MILLIMETRES));
    out.leaf("style", &[], &format!("{STYLE}@page {{ size: {wide}mm {high}mm; margin: 0; }}\n"));
    out.line_break();
    for at in 0..paper.parts.len() {
        paper.write(&mut out, at, height * at as f64);
    }
    out.close();
    out.line_break();
    out.finish()
}

/// Writes each page of a drawing as a separate picture.
pub(crate) fn page_documents(
    drawing: &Drawing,
    words: &Words<'_>,
    options: &SvgOptions,
    page: PageSize,
) -> Vec<String> {
    let paper = Paper::of(drawing, words, page);
    let [width, height] = paper.size;
    let document = |at| {
        let mut out = Markup::default();
        open_picture(&mut out, words, options, [width * MILLIMETRES, height * MILLIMETRES, width, height]);
        paper.write(&mut out, at, 0.0);
        out.close();
        out.line_break();
        out.finish()
    };
    (0..paper.parts.len()).map(document).collect()
}

impl<'d> Paper<'d> {
    /// Chooses portrait or landscape: the one that needs fewer pages, or makes a single page larger.
    fn of(drawing: &'d Drawing, words: &'d Words<'d>, page: PageSize) -> Paper<'d> {
        let [short, long] = page.millimetres().map(|side| side / MILLIMETRES);
        let papers = [[short, long], [long, short]].map(|size| Paper::with_size(drawing, words, size));
        let [portrait, landscape] = papers;
        let rank = |paper: &Paper<'_>| (paper.parts.len(), -paper.scale);
        if rank(&landscape) < rank(&portrait) { landscape } else { portrait }
    }

    fn with_size(drawing: &'d Drawing, words: &'d Words<'d>, size: [f64; 2]) -> Paper<'d> {
        let legend = Legend::of(words.legend, size[0] - 2.0 * EDGE);
        let mut paper = Paper { drawing, words, legend, size, scale: 1.0, parts: Vec::new() };
        let [wide, high] = paper.room();
        let fitting = f64::min(wide / drawing.width, high / drawing.height).min(1.0);
        // A fan is never divided into pages.
        if fitting >= LEAST_SCALE || drawing.boxes.is_empty() {
            paper.scale = fitting;
            paper.parts = vec![Part {
                right: drawing.width,
                bottom: drawing.height,
                boxes: (0..drawing.boxes.len()).collect(),
                lines: (0..drawing.lines.len()).collect(),
                ..Part::default()
            }];
        } else {
            paper.scale = DIVIDED_SCALE;
            paper.parts = divide_into_parts(drawing, wide / DIVIDED_SCALE, high / DIVIDED_SCALE);
        }
        paper
    }

    /// Returns the space for the drawing on a page.
    fn room(&self) -> [f64; 2] {
        let [width, height] = self.size;
        [width - 2.0 * EDGE, height - 2.0 * EDGE - self.head() - self.legend.height() - FOOT]
    }

    fn head(&self) -> f64 {
        if self.words.has_heading { HEAD } else { 0.0 }
    }

    /// Writes a page with its upper edge at `top`.
    fn write(&self, out: &mut Markup, at: usize, top: f64) {
        let [width, height] = self.size.map(number);
        let view = format!("0 0 {width} {height}");
        let top = number(top);
        out.open("svg", &[("y", &top), ("width", &width), ("height", &height), ("viewBox", &view)]);
        out.line_break();
        write_paper(out);
        out.open("g", &[("transform", &format!("translate(0 {})", number(EDGE)))]);
        if self.words.has_heading {
            write_heading(out, self.words, self.size[0] / 2.0);
        }
        self.write_part(out, &self.parts[at]);
        let [_, room] = self.room();
        write_legend(out, &self.legend, EDGE, self.head() + room + MARGIN / 2.0);
        self.write_foot(out, at);
        out.close();
        out.close();
        out.line_break();
    }

    /// Writes a part of the drawing, clipped at its edges.
    fn write_part(&self, out: &mut Markup, part: &Part) {
        let (wide, high) = (part.right - part.left, part.bottom - part.top);
        // A part that is smaller than the page is centered.
        let left = (self.size[0] - wide * self.scale) / 2.0;
        let view = format!("{} {} {} {}", number(part.left), number(part.top), number(wide), number(high));
        out.open(
            "svg",
            &[
                ("x", &number(left)),
                ("y", &number(self.head())),
                ("width", &number(wide * self.scale)),
                ("height", &number(high * self.scale)),
                ("viewBox", &view),
            ],
        );
        out.line_break();
        part.lines.iter().for_each(|at| self.drawing.lines[*at].write(out));
        DrawnSector::write_all(&self.drawing.sectors, out);
        part.boxes.iter().for_each(|at| self.drawing.boxes[*at].write(out, None));
        out.close();
        out.line_break();
    }

    /// Writes the page number, the adjacent pages and the note.
    fn write_foot(&self, out: &mut Markup, at: usize) {
        let y = number(self.size[1] - 2.0 * EDGE - 2.0);
        let [left, right] = [EDGE, self.size[0] - EDGE].map(number);
        let count = self.parts.len();
        if count > 1 {
            let text = format!("Page {} of {count}", at + 1);
            out.leaf("text", &[("x", &right), ("y", &y), ("class", "small end")], &text);
        }
        let mut words = self.describe_neighbours(at);
        if !self.words.note.is_empty() {
            words.push(self.words.note.to_owned());
        }
        if !words.is_empty() {
            out.leaf("text", &[("x", &left), ("y", &y), ("class", "small start")], &words.join("; "));
        }
        out.line_break();
    }

    /// Describes the adjacent pages in words.
    fn describe_neighbours(&self, at: usize) -> Vec<String> {
        let own = self.parts[at].column;
        let pages = |column: Option<usize>| {
            let column = column?;
            let first = self.parts.partition_point(|part| part.column < column);
            let end = self.parts.partition_point(|part| part.column <= column);
            (first < end).then(|| first + 1..=end)
        };
        let is_own =
            |at: Option<usize>| at.and_then(|at| self.parts.get(at)).is_some_and(|part| part.column == own);
        let mut words = Vec::new();
        if is_own(at.checked_sub(1)) {
            words.push(format!("above: page {at}"));
        }
        if is_own(Some(at + 1)) {
            words.push(format!("below: page {}", at + 2));
        }
        for (side, column) in [("left", own.checked_sub(1)), ("right", Some(own + 1))] {
            words.extend(pages(column).map(|pages| format!("{side}: {}", describe_pages(&pages))));
        }
        words
    }
}

/// Describes a range of pages in words.
fn describe_pages(pages: &RangeInclusive<usize>) -> String {
    match (pages.start(), pages.end()) {
        (first, last) if first == last => format!("page {first}"),
        (first, last) => format!("pages {first}–{last}"),
    }
}
