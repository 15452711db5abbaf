//! A record that is being changed: an arena of its structures, owned as far as they differ from the
//! document.

use crate::identifiers::Made;
use elf_tagged::{Document, Node, NodeId, Payload};
use std::borrow::Cow;

/// A record of a document with all beneath it. Its first structure is the record itself.
#[derive(Clone, Debug)]
pub(crate) struct Record<'d> {
    structures: Vec<Structure<'d>>,
    /// Tells whether the migration made it, and no record of the file is it.
    is_made: bool,
}

/// The number of a structure within its record.
pub(crate) type Id = usize;

/// The number of the record itself.
pub(crate) const TOP: Id = 0;

/// A structure of a record.
#[derive(Clone, Debug)]
pub(crate) struct Structure<'d> {
    pub(crate) tag: Cow<'d, str>,
    pub(crate) xref: Option<Cow<'d, str>>,
    pub(crate) payload: Value<'d>,
    /// The structure of the document that it comes from.
    pub(crate) origin: NodeId,
    /// The substructures, in order.
    pub(crate) below: Vec<Id>,
}

/// The payload of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value<'d> {
    None,
    Text(Cow<'d, str>),
    /// A pointer that was read.
    Pointer(Cow<'d, str>),
    /// The pointer to nothing, which the migration made: no identifier of the file is meant.
    Void,
    /// A pointer to a record that the migration made.
    Made(Made),
}

impl<'d> Value<'d> {
    /// The text, where it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::None | Value::Pointer(_) | Value::Void | Value::Made(_) => None,
        }
    }

    /// Tells whether it is a pointer, whoever made it.
    pub(crate) const fn is_pointer(&self) -> bool {
        matches!(self, Value::Pointer(_) | Value::Void | Value::Made(_))
    }

    /// A text, or nothing where it is empty.
    pub(crate) fn of(text: impl Into<Cow<'d, str>>) -> Value<'d> {
        let text = text.into();
        if text.is_empty() { Value::None } else { Value::Text(text) }
    }
}

impl<'d> Record<'d> {
    /// The record that a node of a document is, with the structures beneath it.
    pub(crate) fn of(node: Node<'d>) -> Record<'d> {
        let mut record = Record { structures: vec![Structure::of(node)], is_made: false };
        // How deep they nest, the file decides.
        let mut open = vec![(TOP, node.substructures())];
        while let Some((above, substructures)) = open.last_mut() {
            let above = *above;
            match substructures.next() {
                None => {
                    open.pop();
                }
                Some(node) => {
                    let id = record.push(above, Structure::of(node));
                    open.push((id, node.substructures()));
                }
            }
        }
        record
    }

    /// A record without substructures.
    pub(crate) fn new(top: Structure<'d>) -> Record<'d> {
        Record { structures: vec![top], is_made: false }
    }

    /// Makes it a record that the migration made, with the identifier of one.
    pub(crate) fn set_made(&mut self, made: Made) {
        self.get_mut(TOP).xref = Some(made.to_string().into());
        self.is_made = true;
    }

    /// Tells whether it is the header of a document, and no record that has its tag.
    pub(crate) fn is_header_of(&self, document: &Document<'_>) -> bool {
        !self.is_made && document.head().map(Node::id) == Some(self.get(TOP).origin)
    }

    /// Tells whether the migration made it.
    pub(crate) const fn is_made(&self) -> bool {
        self.is_made
    }

    /// A structure.
    pub(crate) fn get(&self, id: Id) -> &Structure<'d> {
        // Numbers come from this arena, which only grows.
        &self.structures[id]
    }

    /// A structure, to be changed.
    pub(crate) fn get_mut(&mut self, id: Id) -> &mut Structure<'d> {
        &mut self.structures[id]
    }

    /// Adds a structure as the last beneath another one.
    pub(crate) fn push(&mut self, above: Id, structure: Structure<'d>) -> Id {
        let id = self.loose(structure);
        self.get_mut(above).below.push(id);
        id
    }

    /// Adds a structure that stands nowhere yet.
    pub(crate) fn loose(&mut self, structure: Structure<'d>) -> Id {
        self.structures.push(structure);
        self.structures.len() - 1
    }

    /// Adds a structure with a text as the last beneath another one, which it is said to come from.
    pub(crate) fn add(&mut self, above: Id, tag: &'static str, text: impl Into<Cow<'d, str>>) -> Id {
        let origin = self.get(above).origin;
        self.push(above, Structure::new(tag, Value::of(text), origin))
    }

    /// The first substructure of a tag.
    pub(crate) fn find(&self, above: Id, tag: &str) -> Option<Id> {
        self.get(above).below.iter().copied().find(|&id| self.get(id).tag == tag)
    }

    /// The first substructure of a tag, where it may go into its superstructure. All that goes there is
    /// found here: what has more beneath it stays, so that nothing is left out with it.
    pub(crate) fn bare(&self, above: Id, tag: &str) -> Option<Id> {
        self.find(above, tag).filter(|&id| self.get(id).below.is_empty())
    }

    /// The text of the first substructure of a tag.
    pub(crate) fn text_of(&self, above: Id, tag: &str) -> Option<&str> {
        self.get(self.find(above, tag)?).payload.text()
    }

    /// Takes a substructure away from a structure.
    pub(crate) fn detach(&mut self, above: Id, id: Id) {
        self.get_mut(above).below.retain(|&one| one != id);
    }

    /// Copies a structure with all beneath it out of another record, to stand nowhere yet.
    pub(crate) fn graft(&mut self, from: &Record<'d>, id: Id) -> Id {
        let top = self.loose(from.get(id).childless());
        let mut open = vec![(id, top)];
        while let Some((source, copy)) = open.pop() {
            for &below in &from.get(source).below {
                let id = self.push(copy, from.get(below).childless());
                open.push((below, id));
            }
        }
        top
    }

    /// Copies a structure with all beneath it out of a record of another part, to stand nowhere yet
    /// and to come from a structure of this one.
    pub(crate) fn graft_at(&mut self, from: &Record<'static>, id: Id, origin: NodeId) -> Id {
        let first = self.structures.len();
        let top = self.graft(from, id);
        for structure in self.structures.iter_mut().skip(first) {
            structure.origin = origin;
        }
        top
    }

    /// Makes the record own its texts, so that it outlives the document.
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
        Record { structures: structures.collect(), is_made: self.is_made }
    }

    /// The number of structures, those that stand nowhere included.
    pub(crate) fn len(&self) -> usize {
        self.structures.len()
    }

    /// Calls `take` for each structure in order, with its level.
    pub(crate) fn walk(&self, mut take: impl FnMut(usize, &Structure<'d>)) {
        let mut open = vec![(0, TOP)];
        while let Some((level, id)) = open.pop() {
            let structure = self.get(id);
            take(level, structure);
            open.extend(structure.below.iter().rev().map(|&id| (level + 1, id)));
        }
    }

    /// Returns the structures in order: each before those beneath it.
    pub(crate) fn order(&self) -> Vec<Id> {
        let (mut order, mut open) = (Vec::with_capacity(self.structures.len()), vec![TOP]);
        while let Some(id) = open.pop() {
            order.push(id);
            open.extend(self.get(id).below.iter().rev());
        }
        order
    }
}

impl<'d> Structure<'d> {
    /// A structure without substructures.
    pub(crate) fn new(tag: impl Into<Cow<'d, str>>, payload: Value<'d>, origin: NodeId) -> Structure<'d> {
        Structure { tag: tag.into(), xref: None, payload, origin, below: Vec::new() }
    }

    /// Returns it without its substructures.
    fn childless(&self) -> Structure<'d> {
        Structure { below: Vec::new(), ..self.clone() }
    }

    fn of(node: Node<'d>) -> Structure<'d> {
        let payload = match node.payload() {
            Payload::None => Value::None,
            Payload::Text(text) => Value::of(text),
            // As it is written: January leads some to records that are not written (J19 §5.1).
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
