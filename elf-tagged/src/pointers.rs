//! Cross-reference identifiers and the pointers to them (D19 *Pointer conversion*; J19 §5.1; RDX; O17 §3.1).

use crate::report::Reporter;
use crate::tree::build::Built;
use crate::tree::{NONE, NodeData, View, flag};
use elf_base::rules::{Duplicates, XrefErrors};
use elf_base::{Rules, Span, codes};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The index of the identifiers of a document: four octets and a little for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    hasher: DefaultHashBuilder,
    bearers: HashTable<u32>,
    /// Inserted records, by the identifier that pointers to them name in the file.
    undefined: HashTable<(u32, u32)>,
}

impl Pointers {
    /// The first structure that bears `xref`.
    pub(crate) fn find(&self, view: View<'_>, xref: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(xref);
        self.bearers.find(hash, |&id| view.xref(id) == Some(xref)).copied()
    }

    /// The identifier of the inserted record that a pointer to `xref` leads to; `xref` itself where there is none.
    pub(crate) fn redirected<'d>(&self, view: View<'d>, xref: &'d str) -> &'d str {
        if self.undefined.is_empty() {
            return xref;
        }
        let hash = self.hasher.hash_one(xref);
        self.undefined
            .find(hash, |&(pointer, _)| view.line_pointer(pointer) == Some(xref))
            .and_then(|&(_, record)| view.xref(record))
            .unwrap_or(xref)
    }

    fn insert(&mut self, view: View<'_>, id: u32) -> Option<u32> {
        let xref = view.xref(id)?;
        let hash = self.hasher.hash_one(xref);
        let hasher = &self.hasher;
        match self.bearers.entry(
            hash,
            |&other| view.xref(other) == Some(xref),
            |&other| hasher.hash_one(view.xref(other).unwrap_or_default()),
        ) {
            hashbrown::hash_table::Entry::Occupied(first) => Some(*first.get()),
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                vacant.insert(id);
                None
            }
        }
    }
}

/// The ids of all nodes that are part of the data, in document order.
struct Visible<'d> {
    nodes: &'d [NodeData],
    at: u32,
}

impl Iterator for Visible<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let id = self.at;
            let node = self.nodes.get(id as usize)?;
            if node.flags & (flag::HIDDEN | flag::CONTINUATION) != 0 {
                self.at = node.next.max(id + 1);
                continue;
            }
            self.at += 1;
            return Some(id);
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
    let mut pointers = index(text, built, reporter);
    if let XrefErrors::Options(option) = rules.tagged.xref_errors {
        apply_option(text, built, &pointers, option, reporter);
        pointers = Pointers::default();
        for id in (Visible { nodes: &built.nodes, at: 0 }) {
            let view = View { text, made: &built.made, nodes: &built.nodes };
            pointers.insert(view, id);
        }
    }
    report_pointers(text, built, &mut pointers, rules, reporter);
    pointers
}

fn index(text: &str, built: &mut Built, reporter: &mut Reporter<'_, '_>) -> Pointers {
    let mut pointers = Pointers::default();
    let mut repeated = Vec::new();
    let view = View { text, made: &built.made, nodes: &built.nodes };
    for id in (Visible { nodes: &built.nodes, at: 0 }) {
        if view.flags(id) & flag::XREF == 0 {
            continue;
        }
        if let Some(first) = pointers.insert(view, id) {
            repeated.push((first, id));
        }
    }
    for (first, id) in repeated {
        for bearer in [first, id] {
            if let Some(node) = built.nodes.get_mut(bearer as usize) {
                node.flags |= flag::REPEATED;
            }
        }
        let [first, id] = [first, id].map(|id| xref_span(&built.nodes, text, id));
        let message = "the cross-reference identifier is borne by another structure too";
        reporter.related(codes::XREF_REPEATED, id, message, first, "first borne here");
    }
    pointers
}

/// Where the identifier of a node stands, without its at signs.
fn xref_span(nodes: &[NodeData], text: &str, id: u32) -> Span {
    let Some(node) = nodes.get(id as usize) else { return Span::default() };
    let before = text.get(node.start as usize..node.tag as usize).unwrap_or_default();
    let open = before.find('@').map_or(0, |at| at + 1);
    let close = before.rfind('@').unwrap_or(before.len()).max(open);
    let offset = |at: usize| node.start + u32::try_from(at).unwrap_or(0);
    Span::new(offset(open), offset(close))
}

fn report_pointers(
    text: &str,
    built: &mut Built,
    pointers: &mut Pointers,
    rules: &Rules,
    reporter: &mut Reporter<'_, '_>,
) {
    let insert = rules.tagged.xref_errors == XrefErrors::Undef;
    let mut lost: Vec<u32> = Vec::new();
    let view = View { text, made: &built.made, nodes: &built.nodes };
    for id in (Visible { nodes: &built.nodes, at: 0 }) {
        let Some(node) = view.get(id).filter(|node| node.flags & flag::POINTER != 0) else { continue };
        let Some(xref) = view.line_pointer(id) else { continue };
        let target = pointers.find(view, xref);
        let span = if node.flags & flag::MADE == 0 {
            Span::new(node.payload, node.end)
        } else {
            Span::new(node.tag, node.tag_end)
        };
        let help = if insert {
            "the pointer is led to an inserted record tagged UNDEF"
        } else {
            "the pointer is kept as it is written"
        };
        match target {
            None if xref.contains([':', '!']) => {
                let message = "the pointer leads out of the file, or into a record";
                reporter.with_help(codes::POINTER_EXTERNAL, span, message, help);
            }
            None => {
                let message = "expected the cross-reference identifier of a structure, but none bears it";
                reporter.with_help(codes::POINTER_DANGLING, span, message, help);
            }
            Some(found) if view.flags(found) & flag::REPEATED != 0 => {
                let message =
                    "expected one structure of this cross-reference identifier, but several bear it";
                reporter.with_help(codes::POINTER_AMBIGUOUS, span, message, help);
            }
            Some(found) => {
                if view.get(found).is_some_and(|node| node.parent != NONE) {
                    let message = "the pointer leads to a structure that is no record";
                    reporter.at(codes::POINTER_TO_SUBSTRUCTURE, span, message);
                }
                continue;
            }
        }
        if insert {
            lost.push(id);
        }
    }
    for id in lost {
        insert_undefined(text, built, pointers, id);
    }
}

/// Adds a record tagged UNDEF for what the pointer `id` names, unless there is one (J19 §5.1).
fn insert_undefined(text: &str, built: &mut Built, pointers: &mut Pointers, id: u32) {
    let view = View { text, made: &built.made, nodes: &built.nodes };
    let Some(xref) = view.line_pointer(id) else { return };
    let hash = pointers.hasher.hash_one(xref);
    if pointers.undefined.find(hash, |&(pointer, _)| view.line_pointer(pointer) == Some(xref)).is_some() {
        return;
    }
    // A dangling identifier is free; one that several bear is not.
    let mut name = xref.to_owned();
    let mut number = pointers.undefined.len();
    while pointers.find(view, &name).is_some() {
        number += 1;
        name = format!("UNDEF{number}");
    }
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let record = offset(built.nodes.len());
    let payload = offset(built.made.len());
    built.made.push_str(&name);
    built.nodes.push(NodeData {
        start: 0,
        tag: 0,
        tag_end: 0,
        payload,
        end: offset(built.made.len()),
        parent: NONE,
        next: record + 1,
        flags: flag::XREF | flag::UNDEF,
    });
    let view = View { text, made: &built.made, nodes: &built.nodes };
    let hasher = &pointers.hasher;
    pointers.undefined.insert_unique(hash, (id, record), |&(pointer, _)| {
        hasher.hash_one(view.line_pointer(pointer).unwrap_or_default())
    });
    pointers.insert(view, record);
}

/// One of the four ways in which the declarative draft lets a repeated identifier be treated.
fn apply_option(
    text: &str,
    built: &mut Built,
    pointers: &Pointers,
    option: Duplicates,
    reporter: &mut Reporter<'_, '_>,
) {
    // The bearers of each repeated identifier, and the pointers to it, by the first bearer.
    let mut groups: indexed::Groups = indexed::Groups::default();
    let view = View { text, made: &built.made, nodes: &built.nodes };
    for id in (Visible { nodes: &built.nodes, at: 0 }) {
        if view.flags(id) & flag::REPEATED != 0
            && let Some(first) = view.xref(id).and_then(|xref| pointers.find(view, xref))
        {
            groups.group(first).bearers.push(id);
        }
        if let Some(first) = view.line_pointer(id).and_then(|xref| pointers.find(view, xref))
            && view.flags(first) & flag::REPEATED != 0
        {
            groups.group(first).pointers.push(id);
        }
    }
    for group in groups.into_iter() {
        let records: Vec<u32> = group
            .bearers
            .iter()
            .copied()
            .filter(|&id| built.nodes.get(id as usize).is_some_and(|node| node.parent == NONE))
            .collect();
        let keeper = match (option, records.as_slice()) {
            (Duplicates::KeepRecord, &[record]) => Some(record),
            _ => None,
        };
        let drops =
            matches!(option, Duplicates::KeepRecord | Duplicates::DropUnused) && group.pointers.is_empty();
        if keeper.is_some() || drops {
            for &id in group.bearers.iter() {
                if let Some(node) = built.nodes.get_mut(id as usize) {
                    node.flags &= !flag::REPEATED;
                    if Some(id) != keeper {
                        node.flags &= !flag::XREF;
                    }
                }
            }
            continue;
        }
        if option == Duplicates::RejectAll {
            for node in &mut built.nodes {
                if node.parent == NONE {
                    node.flags |= flag::HIDDEN;
                }
            }
            built.complete = false;
            return;
        }
        for &id in group.bearers.iter().chain(&group.pointers) {
            if let Some(node) = built.nodes.get_mut(id as usize) {
                node.flags |= flag::HIDDEN;
                let span = Span::new(node.tag, node.tag_end);
                reporter.at(
                    codes::STRUCTURE_REJECTED,
                    span,
                    "bears or names a repeated cross-reference identifier",
                );
            }
        }
    }
}

/// Groups of nodes by a first one, in the order in which they are met.
mod indexed {
    use hashbrown::HashMap;

    #[derive(Default)]
    pub(super) struct Groups {
        places: HashMap<u32, usize>,
        groups: Vec<Group>,
    }

    #[derive(Default)]
    pub(super) struct Group {
        pub(super) bearers: Vec<u32>,
        pub(super) pointers: Vec<u32>,
    }

    impl Groups {
        pub(super) fn group(&mut self, first: u32) -> &mut Group {
            let place = *self.places.entry(first).or_insert_with(|| {
                self.groups.push(Group::default());
                self.groups.len() - 1
            });
            &mut self.groups[place]
        }

        pub(super) fn into_iter(self) -> impl Iterator<Item = Group> {
            self.groups.into_iter()
        }
    }
}
