//! Writes boxes, sectors and lines as SVG elements.

use super::markup::{Markup, number};
use crate::pictures::drawing::{
    DrawnBox, DrawnLine, DrawnSector, LineStyle, PADDING, TextDirection, TextKind, TextLine,
};
use crate::pictures::text::is_right_to_left;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;

/// The sign of a marriage, which is small in most fonts.
const MARRIAGE: char = '⚭';

impl LineStyle {
    pub(super) const fn class(self) -> &'static str {
        match self {
            LineStyle::Plain | LineStyle::Curved => "line",
            LineStyle::Dashed => "line dashed",
            LineStyle::Dotted => "line dotted",
        }
    }
}

impl DrawnLine {
    pub(super) fn write(&self, out: &mut Markup) {
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
        out.empty("path", &[("class", self.style.class()), ("d", &path)]);
        out.line_break();
    }
}

impl DrawnBox {
    /// Writes the box. `link` is its link address.
    pub(super) fn write(&self, out: &mut Markup, link: Option<&str>) {
        if let Some(link) = link {
            out.open("a", &[("href", link)]);
        }
        out.open("g", &[("class", &format!("box {}", self.class))]);
        out.leaf("title", &[], &self.title);
        let (x, y) = (number(self.x), number(self.y));
        let (width, height) = (number(self.width), number(self.height));
        let area =
            [("class", "area"), ("x", &x), ("y", &y), ("width", &width), ("height", &height), ("rx", "4")];
        out.empty("rect", &area);
        let center = number(self.x + self.width / 2.0);
        let mut y = self.y + PADDING;
        for line in &self.texts {
            y += line.kind.height();
            line.write(out, &[("x", &center), ("y", &number(y - line.kind.height() * 0.25))]);
        }
        if let Some(reference) = self.number {
            write_number(out, reference, self.right() - 2.0, self.y + 2.0);
        }
        let [left, right] = self.more;
        for (is_there, x) in [(left, self.x - 8.0), (right, self.right() + 8.0)] {
            if is_there {
                write_more(out, x, self.middle() + 3.0);
            }
        }
        out.close();
        if link.is_some() {
            out.close();
        }
        out.line_break();
    }
}

/// Writes the number by which other boxes refer to a box or sector.
fn write_number(out: &mut Markup, reference: usize, x: f64, y: f64) {
    let (center_x, center_y) = (number(x), number(y));
    out.open("g", &[("class", "number")]);
    let reference = reference.to_string();
    let radius = if reference.len() > 2 { "10" } else { "7.5" };
    out.empty("circle", &[("cx", &center_x), ("cy", &center_y), ("r", radius)]);
    out.leaf("text", &[("x", &center_x), ("y", &number(y + 3.2))], &reference);
    out.close();
}

/// Writes the mark for relatives that are not drawn.
fn write_more(out: &mut Markup, x: f64, y: f64) {
    out.leaf("text", &[("x", &number(x)), ("y", &number(y)), ("class", "small")], "…");
}

impl TextKind {
    const fn class(self) -> &'static str {
        match self {
            TextKind::Name | TextKind::RootName => "name",
            TextKind::Small => "small",
        }
    }
}

impl TextLine {
    fn write(&self, out: &mut Markup, place: &[(&str, &str)]) {
        self.open(out, place);
        self.write_words(out);
        out.close();
    }

    fn open(&self, out: &mut Markup, place: &[(&str, &str)]) {
        let mut attributes = place.to_vec();
        attributes.push(("class", self.kind.class()));
        if is_right_to_left(&self.text) {
            attributes.push(("direction", "rtl"));
        }
        out.open("text", &attributes);
    }

    /// Writes the text, with an enlarged sign of marriage.
    fn write_words(&self, out: &mut Markup) {
        match self.text.strip_prefix(MARRIAGE) {
            Some(rest) => {
                out.leaf("tspan", &[("class", "sign")], "⚭");
                out.text(rest);
            }
            None => out.text(&self.text),
        }
    }
}

impl DrawnSector {
    /// Returns the point at an angle and a radius.
    fn point(&self, angle: f64, radius: f64) -> (f64, f64) {
        (self.center.0 - radius * angle.cos(), self.center.1 - radius * angle.sin())
    }

    fn point_text(&self, angle: f64, radius: f64) -> String {
        let (x, y) = self.point(angle, radius);
        format!("{} {}", number(x), number(y))
    }

    fn middle_angle(&self) -> f64 {
        f64::midpoint(self.angles[0], self.angles[1])
    }

    fn middle_radius(&self) -> f64 {
        f64::midpoint(self.radii[0], self.radii[1])
    }

    /// Returns the height of all lines of text.
    fn text_height(&self) -> f64 {
        self.texts.iter().map(|line| line.kind.height()).sum()
    }

    pub(super) fn write_all(sectors: &[DrawnSector], out: &mut Markup) {
        sectors.iter().enumerate().for_each(|(at, sector)| sector.write(out, at));
        sectors.iter().for_each(|sector| sector.write_marks(out));
        out.line_break();
    }

    /// Writes the sector. `at` is its index in the picture.
    fn write(&self, out: &mut Markup, at: usize) {
        out.open("g", &[("class", &format!("box {}", self.class))]);
        out.leaf("title", &[], &self.title);
        let [start, end] = self.angles;
        let [inner, outer] = self.radii;
        if inner > 0.0 {
            let (inner_radius, outer_radius) = (number(inner), number(outer));
            let path = format!(
                "M{} L{} A{outer_radius} {outer_radius} 0 0 1 {} L{} A{inner_radius} {inner_radius} 0 0 0 {}Z",
                self.point_text(start, inner),
                self.point_text(start, outer),
                self.point_text(end, outer),
                self.point_text(end, inner),
                self.point_text(start, inner),
            );
            out.empty("path", &[("class", "area"), ("d", &path)]);
        } else {
            let (x, y) = (number(self.center.0), number(self.center.1));
            out.empty("circle", &[("class", "area"), ("cx", &x), ("cy", &y), ("r", &number(outer))]);
        }
        match self.direction {
            TextDirection::Level => self.write_level(out),
            TextDirection::Along => self.write_along(out, at),
            TextDirection::Outward => self.write_outward(out),
        }
        out.close();
        out.line_break();
    }

    /// Writes the number and the mark for more ancestors. Call this after all sectors, which would cover them.
    fn write_marks(&self, out: &mut Markup) {
        let (middle, outer) = (self.middle_angle(), self.radii[1]);
        if let Some(reference) = self.number {
            let (x, y) = self.point(middle, outer - 2.0);
            write_number(out, reference, x, y);
        }
        if self.has_more {
            let (x, y) = self.point(middle, outer + 9.0);
            write_more(out, x, y + 3.0);
        }
    }

    fn write_level(&self, out: &mut Markup) {
        let center = number(self.center.0);
        let mut y = self.center.1 - self.text_height() / 2.0;
        for line in &self.texts {
            y += line.kind.height();
            line.write(out, &[("x", &center), ("y", &number(y - line.kind.height() * 0.25))]);
        }
    }

    /// Writes each line of text on its own arc.
    fn write_along(&self, out: &mut Markup, at: usize) {
        let mut radius = self.middle_radius() + self.text_height() / 2.0;
        for (number_of_line, line) in self.texts.iter().enumerate() {
            radius -= line.kind.height();
            let baseline = radius + line.kind.height() * 0.25;
            let id = format!("arc-{at}-{number_of_line}");
            let [start, end] = self.angles.map(|angle| self.point_text(angle, baseline));
            let size = number(baseline);
            let arc = format!("M{start} A{size} {size} 0 0 1 {end}");
            out.empty("path", &[("id", &id), ("d", &arc), ("class", "guide")]);
            line.open(out, &[]);
            out.open("textPath", &[("href", &format!("#{id}")), ("startOffset", "50%")]);
            line.write_words(out);
            out.close();
            out.close();
        }
    }

    fn write_outward(&self, out: &mut Markup) {
        let middle = self.middle_angle();
        // Text runs inward on the left side and outward on the right side, so it is never upside down.
        let turned = if middle < FRAC_PI_2 { middle } else { middle - 2.0 * FRAC_PI_2 };
        let (x, y) = self.point(middle, self.middle_radius());
        let place = format!("translate({} {}) rotate({})", number(x), number(y), number(turned.to_degrees()));
        out.open("g", &[("transform", &place)]);
        let mut y = -self.text_height() / 2.0;
        for line in &self.texts {
            y += line.kind.height();
            line.write(out, &[("y", &number(y - line.kind.height() * 0.25))]);
        }
        out.close();
    }
}
