//! Lines of the file that was read which are no part of its data: losses, for nothing of it is written.
//!
//! Lines and structures that the rules rejected (RDX *Line*, `xref_id`), pseudo-structures in other places
//! than theirs and what stands beneath any (O17 §4.2), what the trailer holds, identifiers that were taken
//! away, octets that could not be decoded. What becomes of serialisation metadata in the header is the
//! business of [`header`](super::header).

use super::short;
use crate::Document;
use crate::tree::build::RejectedLine;
use crate::tree::{NONE, NodeData, View, flag};
use elf_base::{Code, Span, codes};
use std::collections::HashMap;
use std::ops::Range;

/// The message about a line that [strayed](StrayLines) into a structure that is left out.
pub(super) const STRAY_LINE_LEFT_OUT: &str =
    "the line was read as part of what is left out, so it is left out with it";

/// Something that the reading left out of the data.
pub(super) struct Omission {
    /// The first node that stands behind it, or is it.
    pub(super) node: u32,
    pub(super) span: Span,
    pub(super) code: Code,
    pub(super) message: String,
}

/// Returns what the reading left out of a document, in the order of the file.
pub(super) fn omissions(document: &Document<'_>) -> Vec<Omission> {
    let mut omissions = Vec::new();
    if document.left_out.in_tree {
        in_tree(document, &mut omissions);
    }
    omissions.extend(document.left_out.lines.iter().map(|line| rejected_line(document, *line)));
    omissions.extend(document.source().replaced().into_iter().map(|span| replaced_octets(document, span)));
    omissions.sort_by_key(|omission| omission.span.start);
    omissions
}

/// Octets that could not be decoded, so that U+FFFD stands for them in the text.
fn replaced_octets(document: &Document<'_>, span: Span) -> Omission {
    let message = match span.of(document.text()).chars().count() {
        1 => "what could not be decoded was read as U+FFFD".to_owned(),
        count => format!("what could not be decoded was read as U+FFFD, {count} times"),
    };
    // The node that they stand in.
    let behind = nodes_of_file(document).partition_point(|node| node.start <= span.start);
    let node = u32::try_from(behind.saturating_sub(1)).unwrap_or(NONE);
    Omission { node, span, code: codes::OCTETS_REPLACED, message }
}

fn rejected_line(document: &Document<'_>, line: RejectedLine) -> Omission {
    let RejectedLine { start, dependants } = line;
    let message = match dependants {
        0 => "the rules reject the line, so it is left out".to_owned(),
        1 => "the rules reject the line, so it is left out, and one that depends on it".to_owned(),
        more => format!("the rules reject the line, so it is left out, and {more} that depend on it"),
    };
    let rest = document.text().as_bytes().get(start as usize..).unwrap_or_default();
    let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    let end = start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
    let node = nodes_of_file(document).partition_point(|node| node.start < start);
    Omission {
        node: u32::try_from(node).unwrap_or(NONE),
        span: Span::new(start, end),
        code: codes::LEFT_OUT_WHEN_READ,
        message,
    }
}

/// Returns the nodes but for records that the rules inserted behind all others, which stand nowhere in the
/// file.
fn nodes_of_file<'d>(document: &'d Document<'_>) -> &'d [NodeData] {
    let nodes = &*document.nodes;
    nodes.get(..nodes.partition_point(|node| node.flags & flag::UNDEF == 0)).unwrap_or_default()
}

/// Finds what the tree holds and is no part of the data.
fn in_tree(document: &Document<'_>, omissions: &mut Vec<Omission>) {
    let view = document.view();
    let mut add = |node: u32, code, message: String| {
        let span = Span::new(view.get(node).map_or(0, |data| data.start), view.line_end(node));
        omissions.push(Omission { node, span, code, message });
    };
    let mut id = 0;
    while let Some(node) = view.get(id) {
        let behind = node.next.max(id + 1);
        if node.flags & flag::HIDDEN != 0 {
            if let Some(message) = hidden(document, id, node) {
                add(id, codes::LEFT_OUT_WHEN_READ, message);
                stray_lines(view, id + 1..behind, &mut add);
            }
            id = behind;
            continue;
        }
        if let Some(xref) = lost_identifier(view, id, node) {
            add(id, codes::XREF_CANNOT_BE_WRITTEN, xref);
        }
        if node.flags & flag::CONTINUATION != 0 {
            let lines = view.children(id).filter(|&child| view.flags(child) & (flag::RAW | flag::ERROR) == 0);
            for child in lines {
                let tag = short(view.tag(child));
                let message = format!("nothing beneath a continuation line is data, so `{tag}` is left out");
                add(child, codes::LEFT_OUT_WHEN_READ, message);
            }
            stray_lines(view, id + 1..behind, &mut add);
            id = behind;
            continue;
        }
        id += 1;
    }
}

/// Adds the lines that strayed into what is left out, among those nodes.
fn stray_lines(view: View<'_>, nodes: Range<u32>, add: &mut impl FnMut(u32, Code, String)) {
    let mut strays = StrayLines::default();
    for id in nodes.filter(|&id| strays.has(view, id)) {
        add(id, codes::LEFT_OUT_WHEN_READ, STRAY_LINE_LEFT_OUT.to_owned());
    }
}

/// The lines that became part of the structure above them though they are none that stands there: text,
/// lines that could not be read, and continuations at the level of what they continue. They may be records
/// that came to harm, and the place of the structure does not show that they went with it.
#[derive(Default)]
pub(super) struct StrayLines {
    /// The levels of what was continued, each parsed once: a level may be as long as the file.
    levels: HashMap<u32, Option<u32>>,
}

impl StrayLines {
    /// Tells whether a line is one of them.
    pub(super) fn has(&mut self, view: View<'_>, id: u32) -> bool {
        let Some(node) = view.get(id) else { return false };
        match node.flags {
            flags if flags & (flag::RAW | flag::ERROR) != 0 => true,
            flags if flags & (flag::CONT | flag::CONC) != 0 => {
                let above = self.levels.entry(node.parent).or_insert_with(|| level(view, node.parent));
                level(view, id) <= *above
            }
            _ => false,
        }
    }
}

/// Returns the level that the line of a node starts with.
fn level(view: View<'_>, id: u32) -> Option<u32> {
    let start = view.get(id).map_or(0, |node| node.start);
    elf_lines::leading_level(view.text.get(start as usize..).unwrap_or_default())
}

/// Returns why a structure that is no data is a loss, if it is.
fn hidden(document: &Document<'_>, id: u32, node: &NodeData) -> Option<String> {
    if document.header.metadata.binary_search_by_key(&id, |metadata| metadata.0).is_ok() {
        return None;
    }
    let view = document.view();
    let tag = view.tag(id);
    let is_last = node.parent == NONE && node.next as usize == nodes_of_file(document).len();
    if tag == "TRLR" && is_last && document.source().is_last() {
        let bare = node.next == id + 1 && node.flags & flag::XREF == 0 && view.line_payload(id).is_empty();
        return (!bare).then(|| "the trailer holds no data, so what stands in it is left out".to_owned());
    }
    Some(if document.rejects() {
        format!("the rules reject `{}`, so it is left out, with all beneath it", short(tag))
    } else {
        format!("`{}` is no data there, so it is left out, with all beneath it", short(tag))
    })
}

/// Returns what is to be said of an identifier that the rules took away, or that a continuation line bears.
fn lost_identifier(view: View<'_>, id: u32, node: &NodeData) -> Option<String> {
    if node.flags & (flag::XREF | flag::ERROR) != flag::XREF {
        return None;
    }
    let xref = short(view.xref_span(id).of(view.text));
    if node.flags & flag::CONTINUATION != 0 {
        return Some(format!("a continuation line bears no identifier, so `@{xref}@` is left out"));
    }
    let taken = node.flags & flag::UNNAMED != 0;
    taken.then(|| format!("several structures bear `@{xref}@`, so this one is left without"))
}
