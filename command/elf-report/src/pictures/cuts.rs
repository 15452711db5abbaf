//! Divides a drawing into parts that fit on pages: between the columns of boxes, and where a cut crosses the fewest
//! boxes.

use crate::pictures::drawing::{Drawing, DrawnBox};

/// The room on either side of a column of boxes that belongs to it.
const BESIDE: f64 = 17.9;
/// The room beyond, so that a line on the cut is on both pages.
const OVERLAP: f64 = 3.0;
/// The room above and below the boxes of a page.
const ABOVE: f64 = 6.0;
/// The least share of the height of a page that is used, unless nothing follows.
const LEAST_SHARE: f64 = 0.6;

/// A part of a drawing that is on one page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// The number of the column of parts, from 0.
    pub(crate) column: usize,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    /// The numbers of the boxes and lines that are in it, wholly or partly.
    pub(crate) boxes: Vec<usize>,
    pub(crate) lines: Vec<usize>,
}

/// Divides a drawing into parts of at most this width and height, one column after the other.
pub(crate) fn cut(drawing: &Drawing, width: f64, height: f64) -> Vec<Part> {
    let mut parts = Vec::new();
    for (column, columns) in columns(drawing, width - 2.0 * OVERLAP).into_iter().enumerate() {
        let boxes = columns.boxes;
        for [top, bottom] in rows(drawing, &boxes, height) {
            let (left, right) = (columns.left - OVERLAP, columns.right + OVERLAP);
            parts.push(Part { column, left, right, top, bottom, ..Part::default() });
        }
        add_boxes(drawing, &boxes, &mut parts, column);
    }
    add_lines(drawing, &mut parts);
    parts
}

/// Columns of boxes that fit side by side on a page.
struct Columns {
    left: f64,
    right: f64,
    /// The numbers of the boxes, from top to bottom.
    boxes: Vec<usize>,
}

fn columns(drawing: &Drawing, width: f64) -> Vec<Columns> {
    let mut order: Vec<usize> = (0..drawing.boxes.len()).collect();
    order.sort_by(|one, other| drawing.boxes[*one].x.total_cmp(&drawing.boxes[*other].x));
    let mut all: Vec<Columns> = Vec::new();
    // The start of the boxes that overlap each other from left to right, and so cannot be parted.
    let (mut pending, mut pending_edges) = (Vec::new(), [0.0_f64; 2]);
    let mut close = |boxes: Vec<usize>, [left, right]: [f64; 2]| match all.last_mut() {
        Some(last) if right - last.left <= width => {
            last.right = right;
            last.boxes.extend(boxes);
        }
        _ => all.push(Columns { left, right, boxes }),
    };
    for at in order {
        let one = &drawing.boxes[at];
        let (left, right) = (one.x - BESIDE, one.right() + BESIDE);
        if !pending.is_empty() && left >= pending_edges[1] {
            close(std::mem::take(&mut pending), pending_edges);
        }
        if pending.is_empty() {
            pending_edges = [left, right];
        }
        pending_edges[1] = pending_edges[1].max(right);
        pending.push(at);
    }
    if !pending.is_empty() {
        close(pending, pending_edges);
    }
    for columns in &mut all {
        columns.boxes.sort_by(|one, other| drawing.boxes[*one].y.total_cmp(&drawing.boxes[*other].y));
    }
    all
}

fn bottom(one: &DrawnBox) -> f64 {
    one.y + one.height
}

/// The tops and bottoms of the pages of some columns.
fn rows(drawing: &Drawing, boxes: &[usize], height: f64) -> Vec<[f64; 2]> {
    let boxes: Vec<&DrawnBox> = boxes.iter().map(|at| &drawing.boxes[*at]).collect();
    let mut rows = Vec::new();
    // The first box that is not wholly on a page yet; boxes are in the order of their tops.
    let mut first = 0;
    while let Some(start) = boxes.get(first) {
        let top = start.y - ABOVE;
        let limit = top + height;
        let end = first + boxes[first..].partition_point(|one| one.y < limit);
        let here = &boxes[first..end];
        let cut = match boxes[end..].is_empty() && here.iter().all(|one| bottom(one) <= limit) {
            true => limit,
            false => best_cut(here, [top + height * LEAST_SHARE, limit]),
        };
        rows.push([top, cut]);
        // At least one box is done, so that pages end.
        let is_done = |one: &&DrawnBox| bottom(one) <= cut + 1e-6;
        first += here.iter().position(|one| !is_done(one)).unwrap_or(here.len()).max(1);
    }
    rows
}

/// The height at which a cut crosses the fewest boxes, the lowest of several.
fn best_cut(boxes: &[&DrawnBox], [least, most]: [f64; 2]) -> f64 {
    // Each top opens a box, each bottom closes one; the sweep counts the open ones.
    let mut edges: Vec<(f64, i32)> = Vec::with_capacity(2 * boxes.len());
    for one in boxes {
        edges.push((one.y, 1));
        edges.push((bottom(one), -1));
    }
    edges.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let (mut open, mut best) = (0, (i32::MAX, most));
    for (at, (y, change)) in edges.iter().enumerate() {
        open += change;
        let next = edges.get(at + 1).map_or(most, |next| next.0).min(most);
        let middle = f64::midpoint(*y, next);
        if *y >= least && *y <= most && open <= best.0 {
            best = (open, middle);
        }
    }
    best.1
}

/// Adds boxes to the parts of their column.
fn add_boxes(drawing: &Drawing, boxes: &[usize], parts: &mut [Part], column: usize) {
    let start = parts.partition_point(|part| part.column < column);
    let rows = &mut parts[start..];
    for at in boxes {
        let one = &drawing.boxes[*at];
        for part in within(rows, one.y, bottom(one)) {
            part.boxes.push(*at);
        }
    }
}

/// Adds lines to all parts that they cross.
fn add_lines(drawing: &Drawing, parts: &mut [Part]) {
    let columns: Vec<&mut [Part]> = parts.chunk_by_mut(|one, other| one.column == other.column).collect();
    let mut columns = columns;
    for (at, line) in drawing.lines.iter().enumerate() {
        let edges = |of: fn(&(f64, f64)) -> f64| {
            let all = line.points.iter().map(of);
            (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (top, bottom)) = (edges(|point| point.0), edges(|point| point.1));
        let first = columns.partition_point(|column| column[0].right < left);
        for column in columns[first..].iter_mut().take_while(|column| column[0].left <= right) {
            for part in within(column, top, bottom) {
                part.lines.push(at);
            }
        }
    }
}

/// The parts of a column that have something between two heights.
fn within(column: &mut [Part], top: f64, bottom: f64) -> impl Iterator<Item = &mut Part> {
    let first = column.partition_point(|part| part.bottom < top);
    column[first..].iter_mut().take_while(move |part| part.top <= bottom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawing(boxes: &[(u8, u16)]) -> Drawing {
        let boxes = boxes.iter().map(|(column, y)| DrawnBox {
            x: f64::from(*column) * 156.0,
            y: f64::from(*y),
            width: 120.0,
            height: 40.0,
            ..DrawnBox::default()
        });
        Drawing { boxes: boxes.collect(), ..Drawing::default() }
    }

    #[test]
    fn a_cut_prefers_the_room_between_boxes() {
        let parts = cut(&drawing(&[(0, 0), (0, 48), (0, 96), (1, 24), (1, 96)]), 400.0, 100.0);
        let edges: Vec<(usize, f64, f64)> =
            parts.iter().map(|part| (part.column, part.top, part.bottom)).collect();
        assert_eq!(edges, [(0, -6.0, 91.0), (0, 90.0, 190.0)]);
    }

    proptest! {
        #[test]
        fn every_box_is_whole_on_a_page(
            boxes in proptest::collection::vec((0_u8..9, 0_u16..3000), 1..80),
        ) {
            let drawing = drawing(&boxes);
            let parts = cut(&drawing, 500.0, 400.0);
            for (at, one) in drawing.boxes.iter().enumerate() {
                let is_whole = parts.iter().any(|part| {
                    part.boxes.contains(&at)
                        && part.left <= one.x
                        && one.right() <= part.right
                        && part.top <= one.y
                        && bottom(one) <= part.bottom + 1e-6
                });
                prop_assert!(is_whole, "{one:?}");
            }
            for part in &parts {
                prop_assert!(part.right - part.left <= 500.0 && part.bottom - part.top <= 400.0 + 1e-6);
            }
        }
    }
}
