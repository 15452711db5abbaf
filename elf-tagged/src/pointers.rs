//! Cross-reference identifiers and the pointers to them (D19 *Pointer conversion*; J19 §5.1; RDX; O17 §3.1).

mod census;
mod duplicates;
mod findings;
mod hidden;
mod index;
mod names;
mod part;
mod places;
mod shares;
mod survey;

pub(crate) use index::{Key, Keys, Pointers};
pub use names::Names;
pub(crate) use part::{Gathering, Manner, PartNames, Told};
pub(crate) use shares::ByShares;

use crate::header::Header;
use crate::report::Reporter;
use crate::tree::build::{Built, Met};
use crate::tree::{Arena, NONE, NodeData, View, flag};
use elf_base::rules::XrefErrors;
use elf_base::{Rules, Span, codes};
use findings::Fault;
use hidden::Hidden;
use index::Found;

/// What is known in a document of the identifiers of its structures.
#[derive(Debug, Default)]
pub(crate) enum Resolution {
    /// Nothing: it is a part of a document of which the rest is not known.
    #[default]
    Unknown,
    /// All of them, for it is whole.
    Whole(Pointers),
    /// What is unusual about them, in a part of a document.
    Part(PartNames),
}

/// What bears an identifier first, in the whole document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bearer {
    /// Nothing.
    None,
    /// A record.
    Record,
    /// A structure that is no record.
    Substructure,
}

impl Resolution {
    /// What bears `xref` first. Where that cannot be known, it is taken for a record, as nearly all are; and a part does not
    /// know of identifiers that [went](crate::Document::rejected_identifiers) with rejected structures of other parts.
    pub(crate) fn bearer(&self, view: View<'_>, xref: &str) -> Bearer {
        match self {
            Resolution::Unknown => Bearer::Record,
            Resolution::Whole(pointers) => match pointers.find(view, xref) {
                None => Bearer::None,
                Some(Found { nested: true, .. }) => Bearer::Substructure,
                Some(_) => Bearer::Record,
            },
            Resolution::Part(names) => names.names().bearer(xref),
        }
    }

    /// Whether several structures bear any one identifier.
    pub(crate) fn any_repeated(&self) -> bool {
        match self {
            Resolution::Unknown => false,
            Resolution::Whole(pointers) => pointers.any_repeated(),
            Resolution::Part(names) => names.names().any_repeated(),
        }
    }

    /// Whether several structures bear `xref`. Where that cannot be known, nearly none does.
    pub(crate) fn is_repeated(&self, view: View<'_>, xref: &str) -> bool {
        match self {
            Resolution::Unknown => false,
            Resolution::Whole(pointers) => {
                pointers.any_repeated() && pointers.find(view, xref).is_some_and(|found| found.repeated)
            }
            Resolution::Part(names) => names.names().is_repeated(xref),
        }
    }

    /// The identifier of the inserted record that a pointer to `xref` leads to; `xref` itself where there is none.
    pub(crate) fn redirected<'d>(&'d self, view: View<'d>, xref: &'d str) -> &'d str {
        match self {
            Resolution::Unknown => xref,
            Resolution::Whole(pointers) => pointers.redirected(view, xref),
            Resolution::Part(names) => names.names().redirected(xref),
        }
    }
}

/// Indexes the identifiers, reports those borne twice and the pointers that lead nowhere, and does with them what the
/// rules say.
pub(crate) fn resolve(
    text: &str,
    built: &mut Built,
    rules: &Rules,
    reporter: &mut Reporter<'_, '_>,
) -> Pointers {
    let Met { keys, bearers, pointers: named } = take_names(built, rules);
    let mut pointers = index(text, built, keys, &bearers, reporter);
    if let XrefErrors::Options(option) = rules.tagged.xref_errors {
        let names = (&*bearers.in_order(), &*named.in_order());
        duplicates::apply(text, built, &mut pointers, names, option, reporter);
    }
    if built.to_end {
        report_pointers(text, built, &mut pointers, &named, rules, reporter);
    }
    if matches!(rules.tagged.xref_errors, XrefErrors::Options(_)) {
        forget_rejected(text, built, &mut pointers, &bearers);
    }
    pointers
}

/// Takes the names out of what was built, those that are part of the data.
fn take_names(built: &mut Built, rules: &Rules) -> Met {
    let mut met = std::mem::take(&mut built.names);
    let anywhere = rules.tagged.metadata.is_pseudo();
    let header_end =
        built.header.head.and_then(|head| built.nodes.get(head as usize)).map_or(0, |head| head.next);
    let within = if anywhere { u32::MAX } else { header_end };
    // Serialisation metadata stands in the first record, what stands beneath a pseudo-structure anywhere.
    let hidden = Hidden::before(within, &built.nodes);
    // So does the header itself, where it is no structure of the dataset (J19 §4; RDX *Header*).
    if rules.tagged.metadata.takes_header()
        && let Some(head) = built.header.head
    {
        met.bearers.retain(|name| name.node != head);
    }
    if !hidden.is_empty() {
        met.bearers.retain(|name| !hidden.has(name.node));
        met.pointers.retain(|name| !hidden.has(name.node));
    }
    met
}

fn index(
    text: &str,
    built: &Built,
    keys: Keys,
    bearers: &ByShares,
    reporter: &mut Reporter<'_, '_>,
) -> Pointers {
    let view = View { text, made: &built.made, nodes: &built.nodes };
    let (pointers, repeated) = Pointers::of(bearers, keys, view);
    for (other, first) in repeated {
        let here = view.xref_span(other);
        let (message, label) = findings::REPEATED;
        reporter.related(codes::XREF_REPEATED, here, message, view.xref_span(first), label);
    }
    pointers
}

fn report_pointers(
    text: &str,
    built: &mut Built,
    pointers: &mut Pointers,
    named: &ByShares,
    rules: &Rules,
    reporter: &mut Reporter<'_, '_>,
) {
    let mut odd: Vec<(u32, Option<Found>)> = Vec::new();
    let view = View { text, made: &built.made, nodes: &built.nodes };
    for name in named.shares().iter().flatten() {
        let xref = || view.line_pointer(name.node).unwrap_or_default();
        match pointers.find_key(view, name.key, xref) {
            Some(Found { repeated: false, nested: false, .. }) => {}
            // A continuation may have made a string of it since, or the rules rejected it.
            _ if visible_pointer(view, name.node).is_none_or(|xref| is_void(&built.header, xref)) => {}
            found => odd.push((name.node, found)),
        }
    }
    odd.sort_unstable_by_key(|&(node, _)| node);
    let mut lost: Vec<u32> = Vec::new();
    for (node, found) in odd {
        let xref = view.line_pointer(node).unwrap_or_default();
        let Some(fault) = Fault::of(found, xref) else { continue };
        let (code, message, help) = fault.meaning(rules);
        match help {
            Some(help) => reporter.with_help(code, view.payload_span(node), message, help),
            None => reporter.at(code, view.payload_span(node), message),
        }
        if fault != Fault::Substructure {
            lost.push(node);
        }
    }
    if rules.tagged.xref_errors == XrefErrors::Undef {
        insert_undefined(text, built, pointers, &lost);
    }
}

/// Forgets the identifiers that went with the structures which the rules reject (RDX).
fn forget_rejected(text: &str, built: &Built, pointers: &mut Pointers, bearers: &ByShares) {
    let hidden = Hidden::before(u32::MAX, &built.nodes);
    let view = View { text, made: &built.made, nodes: &built.nodes };
    for name in bearers.shares().iter().flatten().filter(|name| hidden.has(name.node)) {
        if let Some(xref) = view.xref(name.node) {
            pointers.settle(view, xref, None);
        }
    }
}

/// What the pointer of a node names, if that is one of the data.
fn visible_pointer<'d>(view: View<'d>, node: u32) -> Option<&'d str> {
    // A continuation may have made a string of it since, or the rules have taken the structure out.
    let is_visible = view.flags(node) & (flag::POINTER | flag::HIDDEN) == flag::POINTER;
    view.line_pointer(node).filter(|_| is_visible)
}

/// Whether `xref` is the identifier by which GEDCOM 7 points to nothing on purpose, in a document that is read so.
pub(crate) fn is_void(header: &Header, xref: &str) -> bool {
    header.is_gedcom_7() && xref == "VOID"
}

/// Rejects everything (RDX).
fn hide_records(nodes: &mut [NodeData]) {
    for node in nodes.iter_mut().filter(|node| node.parent == NONE) {
        node.flags |= flag::HIDDEN;
    }
}

/// Whether a pointer is of GEDCOM's syntax for other files and for parts of records.
pub(crate) fn is_external(xref: &str) -> bool {
    memchr::memchr2(b':', b'!', xref.as_bytes()).is_some()
}

/// Adds records tagged UNDEF for what these pointers name, one for each identifier (J19 §5.1).
fn insert_undefined(text: &str, built: &mut Built, pointers: &mut Pointers, lost: &[u32]) {
    let (mut count, mut last) = (0, 0);
    for &id in lost {
        let view = View { text, made: &built.made, nodes: &built.nodes };
        let Some(xref) = view.line_pointer(id) else { continue };
        if pointers.undefined(view, xref).is_some() {
            continue;
        }
        // A dangling identifier is free; one that several bear is not.
        let mut name = xref.to_owned();
        if pointers.find(view, &name).is_some() {
            // Below the last number that was taken, none is free.
            last = last.max(count);
            while pointers.find(view, &name).is_some() {
                last += 1;
                name = undefined_name(last);
            }
        }
        count += 1;
        let record = push_undefined(&mut built.nodes, &mut built.made, &name);
        let view = View { text, made: &built.made, nodes: &built.nodes };
        pointers.insert_undefined(view, id, record, &name);
    }
}

/// The identifier invented for an inserted record, if it is free.
fn undefined_name(number: u32) -> String {
    format!("UNDEF{number}")
}

/// Adds an inserted record that bears `name`: its index.
fn push_undefined(nodes: &mut Arena, made: &mut String, name: &str) -> u32 {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let record = offset(nodes.len());
    let start = offset(made.len());
    made.push_str(name);
    let node = NodeData { start: 0, parent: NONE, next: record + 1, flags: flag::XREF | flag::UNDEF };
    nodes.push_aside(node, Span::new(start, offset(made.len())));
    record
}
