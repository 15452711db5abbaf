//! Cross-reference identifiers and the pointers to them (D19 *Pointer conversion*; J19 §5.1; RDX; O17 §3.1).

mod census;
mod duplicates;
mod index;
mod places;
mod shares;

pub(crate) use census::{Census, Named};

pub(crate) use index::{Key, Keys, Pointers};

use crate::report::Reporter;
use crate::tree::build::{Built, Name, Names};
use crate::tree::{NONE, NodeData, View, flag};
use elf_base::rules::{Metadata, XrefErrors};
use elf_base::{Code, Rules, Span, codes};
use index::Found;

/// Indexes the identifiers, reports those borne twice and the pointers that lead nowhere, and does with them what the
/// rules say.
pub(crate) fn resolve(
    text: &str,
    built: &mut Built,
    rules: &Rules,
    reporter: &mut Reporter<'_, '_>,
) -> Pointers {
    let anywhere = rules.tagged.metadata == Metadata::PseudoStructures;
    let Names { keys, mut bearers, pointers: mut named } = std::mem::take(&mut built.names);
    let header_end =
        built.header.head.and_then(|head| built.nodes.get(head as usize)).map_or(0, |head| head.next);
    let within = if anywhere { u32::MAX } else { header_end };
    retain_visible(&mut bearers, &built.nodes, within);
    retain_visible(&mut named, &built.nodes, within);
    let mut pointers = index(text, built, keys, &bearers, reporter);
    if let XrefErrors::Options(option) = rules.tagged.xref_errors {
        duplicates::apply(text, built, &mut pointers, (&bearers, &named), option, reporter);
    }
    if built.to_end {
        report_pointers(text, built, &mut pointers, &named, rules, reporter);
    }
    pointers
}

/// Leaves what is part of the data: not serialisation metadata, which stands in the first record, nor beneath a
/// pseudo-structure, which may stand anywhere.
fn retain_visible(names: &mut Vec<Name>, nodes: &[NodeData], within: u32) {
    let hidden = |name: &Name| name.node < within && is_hidden(nodes, name.node);
    if names.iter().any(hidden) {
        names.retain(|name| !hidden(name));
    }
}

/// Whether the node, or anything above it, is no part of the data.
fn is_hidden(nodes: &[NodeData], node: u32) -> bool {
    let mut at = node;
    while let Some(data) = nodes.get(at as usize) {
        if data.flags & (flag::HIDDEN | flag::CONTINUATION) != 0 {
            return true;
        }
        at = data.parent;
    }
    false
}

fn index(
    text: &str,
    built: &Built,
    keys: Keys,
    bearers: &[Name],
    reporter: &mut Reporter<'_, '_>,
) -> Pointers {
    let view = View { text, made: &built.made, nodes: &built.nodes };
    let (pointers, repeated) = Pointers::of(bearers, keys, view);
    for (other, first) in repeated {
        let here = view.xref_span(other);
        let message = "the cross-reference identifier is borne by another structure too";
        let first = view.xref_span(first);
        reporter.related(codes::XREF_REPEATED, here, message, first, "first borne here");
    }
    pointers
}

fn report_pointers(
    text: &str,
    built: &mut Built,
    pointers: &mut Pointers,
    named: &[Name],
    rules: &Rules,
    reporter: &mut Reporter<'_, '_>,
) {
    let insert = rules.tagged.xref_errors == XrefErrors::Undef;
    let mut odd: Vec<(u32, Option<Found>)> = Vec::new();
    let view = View { text, made: &built.made, nodes: &built.nodes };
    for name in &*pointers.by_shares(named) {
        let xref = || view.line_pointer(name.node).unwrap_or_default();
        match pointers.find_key(view, name.key, xref) {
            Some(Found { repeated: false, nested: false, .. }) => {}
            // A continuation may have made a string of it since, or the rules rejected it.
            _ if view.flags(name.node) & (flag::POINTER | flag::HIDDEN) != flag::POINTER => {}
            found => odd.push((name.node, found)),
        }
    }
    odd.sort_unstable_by_key(|&(node, _)| node);
    let mut lost: Vec<u32> = Vec::new();
    for (node, found) in odd {
        let xref = view.line_pointer(node).unwrap_or_default();
        let led = report_pointer(view, node, xref, found, insert, reporter);
        if !led && insert {
            lost.push(node);
        }
    }
    for id in lost {
        insert_undefined(text, built, pointers, id);
    }
}

/// Says what is wrong with a pointer; whether it leads somewhere all the same.
#[cold]
fn report_pointer(
    view: View<'_>,
    id: u32,
    xref: &str,
    found: Option<Found>,
    insert: bool,
    reporter: &mut Reporter<'_, '_>,
) -> bool {
    let span = view.payload_span(id);
    let help = if insert {
        "the pointer is led to an inserted record tagged UNDEF"
    } else {
        "the pointer is kept as it is written"
    };
    match found {
        None => {
            let (span, code, message) = lost(span, is_external(xref));
            reporter.with_help(code, span, message, help);
            false
        }
        Some(Found { repeated: true, .. }) => {
            let message = "expected one structure of this cross-reference identifier, but several bear it";
            reporter.with_help(codes::POINTER_AMBIGUOUS, span, message, help);
            false
        }
        Some(_) => {
            let message = "the pointer leads to a structure that is no record";
            reporter.at(codes::POINTER_TO_SUBSTRUCTURE, span, message);
            true
        }
    }
}

/// Whether a pointer is of GEDCOM's syntax for other files and for parts of records.
fn is_external(xref: &str) -> bool {
    memchr::memchr2(b':', b'!', xref.as_bytes()).is_some()
}

/// What a pointer to `xref` is called that nothing answers to.
pub(crate) fn lost_code(xref: &str) -> Code {
    lost((), is_external(xref)).1
}

/// What is said of a pointer that nothing answers to; one with a colon or an exclamation mark is of GEDCOM's syntax for
/// other files and for parts of records (D19 *Payloads*).
fn lost<P>(place: P, external: bool) -> (P, Code, &'static str) {
    if external {
        (place, codes::POINTER_EXTERNAL, "the pointer leads out of the file, or into a record")
    } else {
        let message = "expected the cross-reference identifier of a structure, but none bears it";
        (place, codes::POINTER_DANGLING, message)
    }
}

/// Adds a record tagged UNDEF for what the pointer `id` names, unless there is one (J19 §5.1).
fn insert_undefined(text: &str, built: &mut Built, pointers: &mut Pointers, id: u32) {
    let view = View { text, made: &built.made, nodes: &built.nodes };
    let Some(xref) = view.line_pointer(id) else { return };
    if pointers.undefined(view, xref).is_some() {
        return;
    }
    // A dangling identifier is free; one that several bear is not.
    let mut name = xref.to_owned();
    let mut number = pointers.undefined_count();
    while pointers.find(view, &name).is_some() {
        number += 1;
        name = format!("UNDEF{number}");
    }
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let record = offset(built.nodes.len());
    let start = offset(built.made.len());
    built.made.push_str(&name);
    let node = NodeData { start: 0, parent: NONE, next: record + 1, flags: flag::XREF | flag::UNDEF };
    built.nodes.push_aside(node, Span::new(start, offset(built.made.len())));
    let view = View { text, made: &built.made, nodes: &built.nodes };
    pointers.insert_undefined(view, id, record, &name);
}
