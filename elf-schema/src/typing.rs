//! The types of the structures of a document, stored beside its tree.

use crate::column::TypeColumn;
use crate::dictionary::Dictionary;
use crate::ids::TypeId;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::undefined::{TypePair, UndefinedTags};
use crate::values;
use elf_base::Sink;
use elf_tagged::{Document, DocumentId, Node, NodeId};
use elf_values::{Datatype, Value};
use std::sync::Arc;

/// The types of the structures of a document, indexed by its nodes.
///
/// The tree does not change: structures keep the tags that the file has.
#[derive(Clone, Debug)]
pub struct Typing {
    resolver: Arc<Resolver>,
    column: TypeColumn,
    document: DocumentId,
}

impl Typing {
    pub(crate) fn of(document: &Document<'_>, resolver: Arc<Resolver>, column: TypeColumn) -> Typing {
        Typing { resolver, column, document: document.id().clone() }
    }

    /// Returns whether the types are those of this document.
    fn is_typing_of(&self, document: &Document<'_>) -> bool {
        self.document == *document.id()
    }

    /// Reports payloads that violate their datatypes.
    pub(crate) fn report_values(&self, document: &Document<'_>, sink: &mut dyn Sink) {
        values::report_values(document, &self.column, self.schema(), sink);
    }

    /// Returns the schema that the types come from. Empty if the file has a dictionary of 2017.
    pub fn schema(&self) -> &Arc<Schema> {
        self.resolver.schema()
    }

    /// Returns the dictionary that the types come from, under the rules of 2017.
    pub fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        self.resolver.dictionary()
    }

    /// Returns the resolver that found the types. Their numbers are the same in all runs of one reader.
    pub fn resolver(&self) -> &Resolver {
        &self.resolver
    }

    /// Returns the type of the node with an index; `None` for the header, continuation lines and serialisation
    /// metadata. Does not check that the index belongs to this document.
    #[inline]
    pub fn get(&self, node: NodeId) -> Option<TypeId> {
        self.column.get(node.index())
    }

    /// Returns the type of a structure; `None` for structures of other documents.
    pub fn type_id(&self, node: Node<'_>) -> Option<TypeId> {
        self.get(node.id()).filter(|_| self.is_typing_of(node.document()))
    }

    /// Returns the IRI of the type of the node with an index.
    pub fn iri_of(&self, node: NodeId) -> Option<&str> {
        self.iri(self.get(node)?)
    }

    /// Returns the IRI of a type.
    pub fn iri(&self, of: TypeId) -> Option<&str> {
        self.resolver.iri(of)
    }

    /// Returns the type with this IRI, if the schema or a structure has it.
    pub fn type_of(&self, iri: &str) -> Option<TypeId> {
        self.resolver.type_of(iri)
    }

    /// Returns whether a type is `elf:Undefined` or an undefined tag identifier.
    pub fn is_undefined(&self, of: TypeId) -> bool {
        self.resolver.is_undefined(of)
    }

    /// Returns the datatype of a payload; see [`TypedDocument::datatype`](crate::TypedDocument::datatype).
    pub fn datatype(&self, node: Node<'_>) -> Datatype {
        values::datatype_of(node, self.schema(), self.type_id(node))
    }

    /// Returns the value of a payload; see [`TypedDocument::value`](crate::TypedDocument::value).
    pub fn value<'d>(&self, node: Node<'d>) -> Option<Value<'d>> {
        self.is_typing_of(node.document()).then(|| values::value_of(node, self.datatype(node)))?
    }

    /// Returns all structures of a type or one of its subtypes, in document order.
    ///
    /// In a schema, supertypes say which tags are allowed where, and nothing about meaning (J19 §3.1.1). Only a data
    /// model, such as that of ELF, says that a structure *is* of another kind.
    pub fn of_type<'d>(&'d self, document: &'d Document<'_>, iri: &str) -> impl Iterator<Item = Node<'d>> {
        let wanted = if self.is_typing_of(document) { self.with_subtypes(iri) } else { Vec::new() };
        document.structures().filter(move |node| has_wanted_type(*node, &self.column, &wanted))
    }

    /// Returns the substructures of this type or a subtype of it.
    pub(crate) fn substructures_of_type<'d>(
        &'d self,
        node: Node<'d>,
        iri: &str,
    ) -> impl Iterator<Item = Node<'d>> {
        let wanted = if self.is_typing_of(node.document()) { self.with_subtypes(iri) } else { Vec::new() };
        node.substructures().filter(move |node| has_wanted_type(*node, &self.column, &wanted))
    }

    fn with_subtypes(&self, iri: &str) -> Vec<bool> {
        with_subtypes(self.schema(), self.type_of(iri), self.resolver.type_count())
    }

    /// Counts the structures of each type, in the order of their first occurrences.
    pub fn counts(&self) -> impl Iterator<Item = (TypeId, u64)> {
        counts(&self.column)
    }
}

/// Counts the structures of each type in `column`, in the order of their first occurrences.
pub(crate) fn counts(column: &TypeColumn) -> impl Iterator<Item = (TypeId, u64)> + use<> {
    let most = column.iter().map(|(_, of)| of.index()).max();
    let mut counts = vec![0_u64; most.map_or(0, |most| most + 1)];
    let mut met = Vec::new();
    for (_, of) in column.iter() {
        // There is a counter for each type up to the largest number.
        let count = &mut counts[of.index()];
        if *count == 0 {
            met.push(of);
        }
        *count += 1;
    }
    met.into_iter().map(move |of| (of, counts[of.index()]))
}

/// Finds the types of all nodes of a document. Nodes that are not structures get none. Tags without a type are passed
/// to `finder`, if there is one.
pub(crate) fn find_types(
    document: &Document<'_>,
    resolver: &mut Resolver,
    mut finder: Option<(&mut UndefinedTags, &mut dyn Sink)>,
) -> TypeColumn {
    let mut column = TypeColumn::untyped(document.len());
    let context_free = resolver.dictionary().is_some();
    let named = resolver.schema().len();
    let head = document.head();
    if let Some(head) = head {
        // The header represents the metadata; in 2017 it is an ordinary structure (O17 §3.2).
        let of = match context_free {
            true => resolver.resolve(TypeId::DOCUMENT, head.tag()),
            false => TypeId::METADATA,
        };
        column.set(head.id().index(), of);
    }
    // Undefined tags usually have numbers after those of the schema; structures under them are undefined, too.
    let watched = finder.as_mut().map_or(usize::MAX, |(finder, _)| finder.begin_run(document, resolver));
    let mut locator = None;
    for node in document.structures() {
        let superstructure = match node.superstructure() {
            Some(above) if !context_free => column.get(above.id().index()).unwrap_or(TypeId::NONE),
            _ => TypeId::DOCUMENT,
        };
        let found = resolver.resolve(superstructure, node.tag());
        column.set(node.id().index(), found);
        if found.index() >= watched
            && superstructure.index() < named
            && let Some((finder, sink)) = &mut finder
        {
            let types = TypePair { superstructure, found };
            finder.add_structure(node, types, resolver, &mut locator, *sink);
        }
    }
    if let Some(head) = head.filter(|_| !context_free) {
        column.set(head.id().index(), TypeId::NONE);
    }
    column
}

/// Returns for each type number below `types` whether it is `of` or a subtype of it.
pub(crate) fn with_subtypes(schema: &Schema, of: Option<TypeId>, types: usize) -> Vec<bool> {
    let mut wanted = vec![false; types];
    for of in of.into_iter().flat_map(|of| schema.eventual_subtypes(of).chain([of])) {
        wanted[of.index()] = true;
    }
    wanted
}

/// Returns whether `wanted` is true for the type of a structure.
pub(crate) fn has_wanted_type(node: Node<'_>, column: &TypeColumn, wanted: &[bool]) -> bool {
    let of = column.get(node.id().index());
    // `wanted` is empty if the types are those of another document.
    of.is_some_and(|of| wanted.get(of.index()) == Some(&true))
}
