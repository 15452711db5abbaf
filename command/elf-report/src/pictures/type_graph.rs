//! The graph of supertypes as a picture. Each type is to the right of all its supertypes.

use crate::pictures::drawing::{Drawing, DrawnBox, DrawnLine, LineStyle, PADDING, TextKind, TextLine};
use crate::pictures::layers::Layered;
use crate::pictures::options::SvgOptions;
use crate::pictures::svg;
use crate::pictures::text::{TextRoom, Weight, clean_text, estimate_width, wrap_name};
use elf_schema::Schema;
use std::collections::HashMap;

/// The space between two columns.
const GUTTER: f64 = 50.0;
/// The space between two boxes.
const GAP: f64 = 5.0;
const MARGIN: f64 = 20.0;
/// The maximum width of a box. Longer names are shortened.
const WIDEST: f64 = 260.0;

/// Draws the types of a schema that have supertypes or subtypes as an SVG, with supertypes on the left.
///
/// ```
/// use elf_report::pictures::SvgOptions;
///
/// let svg = elf_report::pictures::type_graph(&elf_schema::Schema::published(), &SvgOptions::default());
/// assert!(svg.contains(">elf:MARRIAGE</text>"));
/// ```
pub fn type_graph(schema: &Schema, options: &SvgOptions) -> String {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut types: Vec<&str> = Vec::new();
    let mut edges = Vec::new();
    let mut number = |iri| {
        *numbers.entry(iri).or_insert_with(|| {
            types.push(iri);
            types.len() - 1
        })
    };
    for (of, iri) in schema.types() {
        for above in schema.supertypes(of).filter_map(|(above, _)| schema.iri(above)) {
            edges.push((number(above), number(iri)));
        }
    }
    let names: Vec<String> = types.iter().map(|iri| clean_text(&schema.prefixes().shorten(iri))).collect();
    let drawing = lay_out(&types, &names, &edges);
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let description = format!(
        "{} and {} between them; supertypes are on the left.",
        plural(types.len(), "type"),
        plural(edges.len(), "link")
    );
    let words = svg::Words {
        title: "Types and their supertypes",
        description: &description,
        note: "",
        legend: &[],
        has_heading: false,
    };
    svg::write(&drawing, &words, options)
}

fn lay_out(types: &[&str], names: &[String], edges: &[(usize, usize)]) -> Drawing {
    let height = 2.0 * PADDING + TextKind::Name.height();
    let places = Layered { heights: &vec![height + GAP; types.len()], edges }.compute_places();
    let widths = names
        .iter()
        .map(|name| estimate_width(name, Weight::Regular) * TextKind::Name.size() + 2.0 * PADDING + 6.0);
    let columns = places.boxes.iter().map(|(layer, _)| layer + 1).max().unwrap_or(0);
    let mut column_widths = vec![0.0_f64; columns];
    for (width, (layer, _)) in widths.zip(&places.boxes) {
        column_widths[*layer] = column_widths[*layer].max(width.min(WIDEST));
    }
    let mut x = MARGIN;
    let lefts = column_widths.iter().map(|width| {
        let left = x;
        x += width + GUTTER;
        left
    });
    let lefts: Vec<f64> = lefts.collect();
    let mut drawing = Drawing { width: x - GUTTER + MARGIN, ..Drawing::default() };
    if types.is_empty() {
        (drawing.width, drawing.height) = (4.0 * MARGIN, 2.0 * MARGIN);
        return drawing;
    }
    let column = |at: usize| {
        let (layer, top) = places.boxes[at];
        (lefts[layer], column_widths[layer], top + MARGIN)
    };
    for (at, (iri, name)) in types.iter().zip(names).enumerate() {
        let (x, width, y) = column(at);
        let room = (width - 2.0 * PADDING) / TextKind::Name.size();
        let lines = wrap_name(name, TextRoom { width: room, lines: 1, weight: Weight::Regular });
        let texts = lines.into_iter().map(|text| TextLine { kind: TextKind::Name, text }).collect();
        let title = clean_text(iri);
        drawing.boxes.push(DrawnBox { x, y, height, title, class: "type", ..DrawnBox::around(texts, width) });
    }
    for (&(from, to), cuts) in edges.iter().zip(&places.cuts) {
        let (one, other) = (&drawing.boxes[from], &drawing.boxes[to]);
        let (left, right) = if one.x <= other.x { (one, other) } else { (other, one) };
        let mut points = vec![(left.right(), left.middle())];
        for cut in cuts {
            let (x, width, y) = column(*cut);
            points.extend([(x, y), (x + width, y)]);
        }
        points.push((right.x, right.middle()));
        drawing.lines.push(DrawnLine { points, style: LineStyle::Curved });
    }
    let bottom = drawing.boxes.iter().map(|one| one.y + one.height).fold(0.0, f64::max);
    drawing.height = bottom + MARGIN;
    drawing
}
