//! The types of a document's structures: a column beside its tree.

use crate::read::report_limits;
use crate::resolve::{self, Resolver};
use crate::schema::{Schema, TypeId};
use crate::{Dictionary, term};
use elf_base::{Diagnostic, Sink, Span, codes};
use elf_tagged::{Document, Node, NodeId};
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// The types of the structures of one document, by the indices of its nodes.
///
/// The tree is left as it is: the tag of a structure stays what the file says.
#[derive(Clone, Debug)]
pub struct Typing {
    schema: Arc<Schema>,
    dictionary: Option<Arc<Dictionary>>,
    beyond: IndexSet<Box<str>>,
    column: Vec<TypeId>,
}

/// A tag that has no type beneath a type that has one: where it was met first, and how often.
struct Lost {
    span: Span,
    count: u64,
}

impl Typing {
    /// Types all structures of a document, in one pass (J19 §3.3). Tags without a type are reported, each once for
    /// each type of superstructure.
    pub fn new(document: &Document<'_>, mut resolver: Resolver, sink: &mut dyn Sink) -> Typing {
        let mut column = vec![TypeId::NONE; document.len()];
        let mut lost: IndexMap<(TypeId, TypeId), Lost> = IndexMap::new();
        let context_free = resolver.dictionary().is_some();
        let named = resolver.schema().len();
        let head = document.head();
        if let Some(head) = head
            && let Some(entry) = column.get_mut(head.id().index())
        {
            // The header stands for the metadata; in 2017 it is a structure like any other (O17 §3.2).
            *entry = match context_free {
                true => resolver.resolve(TypeId::DOCUMENT, head.tag()),
                false => TypeId::METADATA,
            };
        }
        for node in document.structures() {
            let superstructure = match node.superstructure() {
                Some(above) if !context_free => {
                    column.get(above.id().index()).copied().unwrap_or(TypeId::NONE)
                }
                _ => TypeId::DOCUMENT,
            };
            let found = resolver.resolve(superstructure, node.tag());
            if let Some(entry) = column.get_mut(node.id().index()) {
                *entry = found;
            }
            // Undefined tags mostly have numbers beyond the schema; what is beneath them is lost with them.
            if found.index() >= named && superstructure.index() < named && !context_free {
                lost.entry((superstructure, found))
                    .or_insert_with(|| Lost { span: node.tag_span(), count: 0 })
                    .count += 1;
            }
        }
        if let Some(head) = head
            && !context_free
            && let Some(entry) = column.get_mut(head.id().index())
        {
            *entry = TypeId::NONE;
        }
        report_limits(resolver.gave_up(), document.rules(), sink);
        report_lost(document, &resolver, &lost, sink);
        let (schema, dictionary, beyond) = resolver.into_parts();
        Typing { schema, dictionary, beyond, column }
    }

    /// The schema it goes by; an empty one where a dictionary of 2017 is in force.
    pub const fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The dictionary it goes by, under the rules of 2017.
    pub const fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        self.dictionary.as_ref()
    }

    /// The type of a structure; `None` for the header record, continuation lines, and serialisation metadata.
    #[inline]
    pub fn get(&self, node: NodeId) -> Option<TypeId> {
        self.column.get(node.index()).copied().filter(|&of| of != TypeId::NONE)
    }

    /// The IRI of the type of a structure.
    pub fn iri_of(&self, node: NodeId) -> Option<&str> {
        self.iri(self.get(node)?)
    }

    /// The IRI of a type.
    pub fn iri(&self, of: TypeId) -> Option<&str> {
        resolve::iri(&self.schema, &self.beyond, of)
    }

    /// The type of that IRI, if the schema names it or a structure has it.
    pub fn type_of(&self, iri: &str) -> Option<TypeId> {
        let beyond = || self.beyond.get_index_of(iri).map(|index| TypeId::of(self.schema.len() + index));
        self.schema.type_of(iri).or_else(beyond)
    }

    /// Whether a type is `elf:Undefined` or an undefined tag identifier.
    pub fn is_undefined(&self, of: TypeId) -> bool {
        self.iri(of).is_some_and(|iri| term::undefined_tag(iri).is_some())
    }

    /// All structures of that type or an eventual subtype of it, in document order.
    ///
    /// Supertypes say which tags may stand where, and nothing about meaning (J19 §3.1.1): what a structure *is* a kind of
    /// is for the data model to say, as that of ELF does for its own types.
    pub fn of_type<'d>(&self, document: &'d Document<'_>, iri: &str) -> impl Iterator<Item = Node<'d>> {
        let mut wanted = vec![false; self.schema.len() + self.beyond.len()];
        if let Some(of) = self.type_of(iri) {
            for of in self.schema.eventual_subtypes(of).chain([of]) {
                if let Some(entry) = wanted.get_mut(of.index()) {
                    *entry = true;
                }
            }
        }
        document.structures().filter(move |node| {
            let of = self.get(node.id());
            of.is_some_and(|of| wanted.get(of.index()).copied().unwrap_or_default())
        })
    }

    /// How many structures there are of each type, in the order in which the types are met.
    pub fn counts(&self) -> impl Iterator<Item = (TypeId, u64)> {
        let mut counts: IndexMap<TypeId, u64> = IndexMap::new();
        for &of in self.column.iter().filter(|&&of| of != TypeId::NONE) {
            *counts.entry(of).or_default() += 1;
        }
        counts.into_iter()
    }
}

fn report_lost(
    document: &Document<'_>,
    resolver: &Resolver,
    lost: &IndexMap<(TypeId, TypeId), Lost>,
    sink: &mut dyn Sink,
) {
    let mut locator = document.locator();
    let prefixes = resolver.schema().prefixes();
    for ((superstructure, found), lost) in lost {
        let iri = resolver.iri(*found).unwrap_or_default();
        let (tag, above) = (term::undefined_tag(iri), resolver.iri(*superstructure));
        let (Some(tag), Some(above)) = (tag, above) else { continue };
        let above = prefixes.shorten(above);
        let message = match lost.count {
            1 => format!("{tag} has no type in {above}"),
            count => format!("{tag} has no type in {above}; {count} structures have that tag there"),
        };
        let diagnostic = Diagnostic::new(codes::TAG_UNDEFINED, document.rules(), message)
            .at(locator.place(lost.span), locator.excerpt(lost.span));
        sink.report(diagnostic);
    }
}
