//! A record that is being converted, as an arena of structures. Texts borrow from the document until they change.

use crate::identifiers::Made;
use elf_tagged::{Document, Node, NodeId, Payload};
use std::borrow::Cow;

/// A record with all its structures. The first structure is the record itself.
#[derive(Clone, Debug)]
pub(crate) struct Record<'d> {
    structures: Vec<Structure<'d>>,
    is_changed: bool,
    /// True for a record that the migration created from a part of another record.
    is_made: bool,
}

pub(crate) type Id = usize;

pub(crate) const TOP: Id = 0;

/// A capacity that is enough for most records.
const EXPECTED: usize = 32;

#[derive(Clone, Debug)]
pub(crate) struct Structure<'d> {
    pub(crate) tag: Cow<'d, str>,
    pub(crate) xref: Option<Cow<'d, str>>,
    pub(crate) payload: Value<'d>,
    /// The structure of the document that it comes from.
    pub(crate) origin: NodeId,
    pub(crate) below: Vec<Id>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value<'d> {
    None,
    Text(Cow<'d, str>),
    /// A pointer in the file.
    Pointer(Cow<'d, str>),
    /// The null pointer `@VOID@`, written by the migration.
    Void,
    /// A pointer to a record that the migration created.
    Made(Made),
}

impl<'d> Value<'d> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::None | Value::Pointer(_) | Value::Void | Value::Made(_) => None,
        }
    }

    pub(crate) const fn is_pointer(&self) -> bool {
        matches!(self, Value::Pointer(_) | Value::Void | Value::Made(_))
    }

    /// Returns a text, or no payload if the text is empty.
    pub(crate) fn of(text: impl Into<Cow<'d, str>>) -> Value<'d> {
        let text = text.into();
        if text.is_empty() { Value::None } else { Value::Text(text) }
    }
}

impl<'d> Record<'d> {
    /// Copies a record of a document.
    pub(crate) fn of(node: Node<'d>) -> Record<'d> {
        let mut record = Record::new(Structure::of(node));
        record.structures.reserve(EXPECTED);
        // A file can nest structures deeply, so this does not recurse.
        let mut open = vec![(TOP, node.substructures())];
        while let Some((parent, substructures)) = open.last_mut() {
            let parent = *parent;
            match substructures.next() {
                None => _ = open.pop(),
                Some(node) => {
                    let id = record.push(parent, Structure::of(node));
                    open.push((id, node.substructures()));
                }
            }
        }
        record.is_changed = false;
        record
    }

    pub(crate) fn new(top: Structure<'d>) -> Record<'d> {
        Record { structures: vec![top], is_changed: true, is_made: false }
    }

    /// Marks the record as created by the migration, and gives it an identifier.
    pub(crate) fn set_made(&mut self, made: Made) {
        self.get_mut(TOP).xref = Some(made.to_string().into());
        self.is_made = true;
    }

    /// Returns whether this is the header of the document, and not another record with the tag HEAD.
    pub(crate) fn is_header_of(&self, document: &Document<'_>) -> bool {
        !self.is_made && document.head().map(Node::id) == Some(self.get(TOP).origin)
    }

    /// Returns whether the record may differ from the document.
    pub(crate) const fn is_changed(&self) -> bool {
        self.is_changed
    }

    pub(crate) const fn is_made(&self) -> bool {
        self.is_made
    }

    pub(crate) fn xref(&self) -> Option<&str> {
        self.get(TOP).xref.as_deref()
    }

    pub(crate) fn get(&self, id: Id) -> &Structure<'d> {
        // Indices come from this arena, which only grows.
        &self.structures[id]
    }

    pub(crate) fn get_mut(&mut self, id: Id) -> &mut Structure<'d> {
        self.is_changed = true;
        &mut self.structures[id]
    }

    /// Returns the superstructure of each structure, by its index; `None` for the record, and for structures that are no
    /// longer in the tree.
    pub(crate) fn superstructures(&self) -> Vec<Option<Id>> {
        let mut all = vec![None; self.len()];
        let mut open = vec![TOP];
        while let Some(above) = open.pop() {
            for &id in &self.get(above).below {
                all[id] = Some(above);
                open.push(id);
            }
        }
        all
    }

    /// Adds a structure as the last substructure of `above`.
    pub(crate) fn push(&mut self, above: Id, structure: Structure<'d>) -> Id {
        let id = self.add_detached(structure);
        self.get_mut(above).below.push(id);
        id
    }

    /// Adds a structure that is not yet in the tree.
    pub(crate) fn add_detached(&mut self, structure: Structure<'d>) -> Id {
        self.is_changed = true;
        self.structures.push(structure);
        self.structures.len() - 1
    }

    /// Adds a structure with a text as the last substructure of `above`, with the same origin.
    pub(crate) fn add(&mut self, above: Id, tag: &'static str, text: impl Into<Cow<'d, str>>) -> Id {
        let origin = self.get(above).origin;
        self.push(above, Structure::new(tag, Value::of(text), origin))
    }

    pub(crate) fn find(&self, above: Id, tag: &str) -> Option<Id> {
        self.get(above).below.iter().copied().find(|&id| self.get(id).tag == tag)
    }

    /// Finds the first substructure with a tag, if it has no substructures of its own. It can be removed without losing
    /// any.
    pub(crate) fn find_childless(&self, above: Id, tag: &str) -> Option<Id> {
        self.find(above, tag).filter(|&id| self.get(id).below.is_empty())
    }

    pub(crate) fn text_of(&self, above: Id, tag: &str) -> Option<&str> {
        self.get(self.find(above, tag)?).payload.text()
    }

    pub(crate) fn detach(&mut self, above: Id, id: Id) {
        self.get_mut(above).below.retain(|&one| one != id);
    }

    /// Copies a structure of another record with its substructures. The copy is not yet in the tree.
    pub(crate) fn graft(&mut self, from: &Record<'d>, id: Id) -> Id {
        let top = self.add_detached(from.get(id).childless());
        let mut open = vec![(id, top)];
        while let Some((source, copy)) = open.pop() {
            for &below in &from.get(source).below {
                let id = self.push(copy, from.get(below).childless());
                open.push((below, id));
            }
        }
        top
    }

    /// Copies a structure of a record of another run like [`graft`](Record::graft). The copy has an origin in this run.
    pub(crate) fn graft_at(&mut self, from: &Record<'static>, id: Id, origin: NodeId) -> Id {
        let first = self.structures.len();
        let top = self.graft(from, id);
        for structure in self.structures.iter_mut().skip(first) {
            structure.origin = origin;
        }
        top
    }

    /// Copies the texts, so that the record outlives the document.
    pub(crate) fn into_owned(self) -> Record<'static> {
        let owned = |text: Cow<'d, str>| Cow::Owned(text.into_owned());
        let structures = self.structures.into_iter().map(|one| Structure {
            tag: owned(one.tag),
            xref: one.xref.map(owned),
            payload: match one.payload {
                Value::None => Value::None,
                Value::Text(text) => Value::Text(owned(text)),
                Value::Pointer(xref) => Value::Pointer(owned(xref)),
                Value::Void => Value::Void,
                Value::Made(made) => Value::Made(made),
            },
            origin: one.origin,
            below: one.below,
        });
        Record { structures: structures.collect(), is_changed: true, is_made: self.is_made }
    }

    pub(crate) fn len(&self) -> usize {
        self.structures.len()
    }

    /// Calls `visit` for each structure in document order, with its level.
    pub(crate) fn visit_all(&self, mut visit: impl FnMut(usize, &Structure<'d>)) {
        let mut open = vec![(0, TOP)];
        while let Some((level, id)) = open.pop() {
            let structure = self.get(id);
            visit(level, structure);
            open.extend(structure.below.iter().rev().map(|&id| (level + 1, id)));
        }
    }

    pub(crate) fn in_document_order(&self) -> Vec<Id> {
        let (mut order, mut open) = (Vec::with_capacity(self.structures.len()), vec![TOP]);
        while let Some(id) = open.pop() {
            order.push(id);
            open.extend(self.get(id).below.iter().rev());
        }
        order
    }
}

impl<'d> Structure<'d> {
    pub(crate) fn new(tag: impl Into<Cow<'d, str>>, payload: Value<'d>, origin: NodeId) -> Structure<'d> {
        Structure { tag: tag.into(), xref: None, payload, origin, below: Vec::new() }
    }

    /// Copies a structure without its substructures.
    fn childless(&self) -> Structure<'d> {
        Structure { below: Vec::new(), ..self.clone() }
    }

    /// Copies a structure of a document, without its substructures.
    pub(crate) fn of(node: Node<'d>) -> Structure<'d> {
        let payload = match node.payload() {
            Payload::None => Value::None,
            Payload::Text(text) => Value::of(text),
            // Take the pointer as written, because January 2019 redirects some pointers (J19 §5.1).
            Payload::Pointer(xref) => Value::Pointer(Cow::Borrowed(node.pointer().unwrap_or(xref))),
        };
        Structure {
            tag: Cow::Borrowed(node.tag()),
            xref: node.xref().map(Cow::Borrowed),
            payload,
            origin: node.id(),
            below: Vec::new(),
        }
    }
}
