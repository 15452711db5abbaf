//! Chooses the identifiers of B's structures in the merged file.

use crate::plan::Target;
use crate::within::RecordPair;
use elf_lines::{first_forbidden, is_xref};
use elf_octets::Repertoire;
use elf_tagged::{Document, Node, NodeId};
use std::collections::{HashMap, HashSet};

/// The new identifiers of B's structures.
#[derive(Debug, Default)]
pub(crate) struct Identifiers {
    of_nodes: HashMap<NodeId, String>,
    /// New targets for pointers of B whose identifier belongs to no structure of B, or to several.
    of_unresolved: HashMap<String, String>,
}

/// Chooses identifiers that are not in use.
struct IdentifierChooser<'d> {
    a: &'d Document<'d>,
    repertoire: Repertoire,
    /// The identifiers of A, and those that its pointers name.
    of_a: HashSet<String>,
    /// The identifiers of B, and all new ones.
    others: HashSet<String>,
    next: HashMap<String, u64>,
}

impl Identifiers {
    pub(crate) fn of<'d>(
        a: &'d Document<'d>,
        b: &Document<'_>,
        targets: &HashMap<NodeId, Target>,
    ) -> Identifiers {
        let mut namer = IdentifierChooser::of(a, b);
        let mut identifiers = Identifiers::default();
        for node in b.nodes().filter(|node| !node.is_inserted()) {
            let Some(xref) = node.xref() else { continue };
            let of_target = match targets.get(&node.id()) {
                Some(Target::OfA(record)) => a.node(*record).and_then(Node::xref).map(str::to_owned),
                Some(Target::OfB(record)) => identifiers.of_nodes.get(record).cloned(),
                None => None,
            };
            let is_free = !b.is_repeated(xref) && namer.is_available(xref);
            let new =
                of_target.unwrap_or_else(|| if is_free { xref.to_owned() } else { namer.choose_name(xref) });
            identifiers.of_nodes.insert(node.id(), new);
        }
        for xref in b.nodes().filter_map(Node::pointer) {
            let is_resolved = matches!(b.resolve(xref), elf_tagged::Target::One(_));
            if is_resolved || is_universal_pointer(b, xref) || identifiers.of_unresolved.contains_key(xref) {
                continue;
            }
            // The pointer must not start to point to a record of A.
            let is_free = !b.is_repeated(xref) && namer.is_available(xref);
            let new = if is_free { xref.to_owned() } else { namer.choose_name(xref) };
            identifiers.of_unresolved.insert(xref.to_owned(), new);
        }
        identifiers
    }

    /// Returns the identifiers for a merge of two records of one file. All identifiers stay, except
    /// that of the removed record.
    pub(crate) fn within(pair: RecordPair<'_>) -> Identifiers {
        let mut identifiers = Identifiers::default();
        for node in pair.removed.descendants() {
            if let Some(xref) = node.xref() {
                identifiers.of_nodes.insert(node.id(), xref.to_owned());
            }
        }
        if let Some(xref) = pair.kept.xref() {
            identifiers.of_nodes.insert(pair.removed.id(), xref.to_owned());
        }
        identifiers
    }

    /// Returns the identifier of a structure of B in the merged file.
    pub(crate) fn identifier_of(&self, node: Node<'_>) -> Option<&str> {
        self.of_nodes.get(&node.id()).map(String::as_str)
    }

    /// Returns the target of a pointer of B in the merged file.
    pub(crate) fn target_of_pointer<'x>(&'x self, b: &Document<'_>, xref: &'x str) -> &'x str {
        let found = match b.resolve(xref) {
            elf_tagged::Target::One(node) => self.of_nodes.get(&node.id()),
            _ => self.of_unresolved.get(xref),
        };
        found.map_or(xref, String::as_str)
    }
}

/// Returns whether a pointer has the same meaning in every file.
fn is_universal_pointer(document: &Document<'_>, xref: &str) -> bool {
    document.header().is_void(xref) || elf_tagged::is_external_pointer(xref)
}

impl<'d> IdentifierChooser<'d> {
    fn of(a: &'d Document<'d>, b: &Document<'_>) -> IdentifierChooser<'d> {
        let repertoire = Repertoire::new(a.source().decision().used, &a.rules().octets);
        IdentifierChooser {
            a,
            repertoire,
            of_a: all_identifiers(a),
            others: all_identifiers(b),
            next: HashMap::new(),
        }
    }

    /// Returns whether A can have an identifier and does not use it yet.
    fn is_available(&mut self, xref: &str) -> bool {
        let is_valid = is_xref(xref, self.a.rules().lines.conformant_xref) && first_forbidden(xref).is_none();
        is_valid && self.repertoire.length(xref).is_some() && !self.of_a.contains(xref)
    }

    /// Returns an identifier that neither file has. It consists of the letters of the old
    /// identifier and a number.
    fn choose_name(&mut self, old: &str) -> String {
        let letters: String = old.chars().filter(char::is_ascii_alphabetic).take(8).collect();
        let prefix = if letters.is_empty() { "X".to_owned() } else { letters.to_uppercase() };
        loop {
            let next = self.next.entry(prefix.clone()).or_insert(0);
            *next += 1;
            let name = format!("{prefix}{next}");
            if !self.of_a.contains(&name) && self.others.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Returns all identifiers of a file, and those that its pointers name.
fn all_identifiers(document: &Document<'_>) -> HashSet<String> {
    let borne = document.nodes().filter_map(Node::xref);
    borne.chain(document.nodes().filter_map(Node::pointer)).map(str::to_owned).collect()
}
