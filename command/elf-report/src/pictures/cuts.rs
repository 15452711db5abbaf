//! Divides a drawing into parts that fit on pages. Vertical cuts are between columns of boxes; horizontal cuts are
//! where they cross the fewest boxes.

use crate::pictures::drawing::{Drawing, DrawnBox};

/// The space on either side of a column of boxes that is on the same page.
const BESIDE: f64 = 17.9;
/// The width of the strip that is on both pages at a vertical cut, so that lines continue visibly.
const OVERLAP: f64 = 3.0;
/// The space above and below the boxes of a page.
const ABOVE: f64 = 6.0;
/// The minimum share of the height of a page that is filled, unless it is the last page of a column.
const LEAST_SHARE: f64 = 0.6;

/// The part of a drawing on one page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// The column of parts that it belongs to, from 0.
    pub(crate) column: usize,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    /// The indices of the boxes and lines that are at least partly in it.
    pub(crate) boxes: Vec<usize>,
    pub(crate) lines: Vec<usize>,
}

/// Divides a drawing into parts of at most `width` and `height`, column by column.
pub(crate) fn divide_into_parts(drawing: &Drawing, width: f64, height: f64) -> Vec<Part> {
    let mut parts = Vec::new();
    for (column, columns) in group_columns(drawing, width - 2.0 * OVERLAP).into_iter().enumerate() {
        let boxes = columns.boxes;
        for [top, bottom] in find_page_rows(drawing, &boxes, height) {
            let (left, right) = (columns.left - OVERLAP, columns.right + OVERLAP);
            parts.push(Part { column, left, right, top, bottom, ..Part::default() });
        }
        add_boxes(drawing, &boxes, &mut parts, column);
    }
    add_lines(drawing, &mut parts);
    parts
}

/// Columns of boxes that fit next to each other on a page.
struct Columns {
    left: f64,
    right: f64,
    /// The indices of the boxes, from top to bottom.
    boxes: Vec<usize>,
}

fn group_columns(drawing: &Drawing, width: f64) -> Vec<Columns> {
    let mut order: Vec<usize> = (0..drawing.boxes.len()).collect();
    order.sort_by(|one, other| drawing.boxes[*one].x.total_cmp(&drawing.boxes[*other].x));
    let mut all: Vec<Columns> = Vec::new();
    // Boxes from here on overlap horizontally, so no vertical cut can separate them.
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

fn bottom_of(one: &DrawnBox) -> f64 {
    one.y + one.height
}

/// Returns the top and bottom of each page for these boxes.
fn find_page_rows(drawing: &Drawing, boxes: &[usize], height: f64) -> Vec<[f64; 2]> {
    let boxes: Vec<&DrawnBox> = boxes.iter().map(|at| &drawing.boxes[*at]).collect();
    let mut rows = Vec::new();
    // The first box that is not completely on a page yet. Boxes are sorted by their top.
    let mut first = 0;
    while let Some(start) = boxes.get(first) {
        let top = start.y - ABOVE;
        let limit = top + height;
        let end = first + boxes[first..].partition_point(|one| one.y < limit);
        let here = &boxes[first..end];
        let cut = match boxes[end..].is_empty() && here.iter().all(|one| bottom_of(one) <= limit) {
            true => limit,
            false => find_best_cut(here, [top + height * LEAST_SHARE, limit]),
        };
        rows.push([top, cut]);
        // Each page completes at least one box, so this loop ends.
        let is_done = |one: &&DrawnBox| bottom_of(one) <= cut + 1e-6;
        first += here.iter().position(|one| !is_done(one)).unwrap_or(here.len()).max(1);
    }
    rows
}

/// Returns the height between `least` and `most` at which a cut crosses the fewest boxes. If there are several, the
/// lowest on the page.
fn find_best_cut(boxes: &[&DrawnBox], [least, most]: [f64; 2]) -> f64 {
    // Walk down over the tops and bottoms of boxes and count the boxes that a cut would cross.
    let mut edges: Vec<(f64, i32)> = Vec::with_capacity(2 * boxes.len());
    for one in boxes {
        edges.push((one.y, 1));
        edges.push((bottom_of(one), -1));
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

fn add_boxes(drawing: &Drawing, boxes: &[usize], parts: &mut [Part], column: usize) {
    let start = parts.partition_point(|part| part.column < column);
    let rows = &mut parts[start..];
    for at in boxes {
        let one = &drawing.boxes[*at];
        for part in find_parts_between(rows, one.y, bottom_of(one)) {
            part.boxes.push(*at);
        }
    }
}

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
            for part in find_parts_between(column, top, bottom) {
                part.lines.push(at);
            }
        }
    }
}

/// Returns the parts of a column that overlap the range from `top` to `bottom`.
fn find_parts_between(column: &mut [Part], top: f64, bottom: f64) -> impl Iterator<Item = &mut Part> {
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
        let parts = divide_into_parts(&drawing(&[(0, 0), (0, 48), (0, 96), (1, 24), (1, 96)]), 400.0, 100.0);
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
            let parts = divide_into_parts(&drawing, 500.0, 400.0);
            for (at, one) in drawing.boxes.iter().enumerate() {
                let is_whole = parts.iter().any(|part| {
                    part.boxes.contains(&at)
                        && part.left <= one.x
                        && one.right() <= part.right
                        && part.top <= one.y
                        && bottom_of(one) <= part.bottom + 1e-6
                });
                prop_assert!(is_whole, "{one:?}");
            }
            for part in &parts {
                prop_assert!(part.right - part.left <= 500.0 && part.bottom - part.top <= 400.0 + 1e-6);
            }
        }
    }
}
