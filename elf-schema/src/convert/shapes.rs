//! Collects the shapes of structures: what their types depend on. Each shape is collected once, so memory does not grow
//! with the document.

use super::source_schema::SourceSchema;
use crate::column::TypeColumn;
use crate::dictionary::Dictionary;
use crate::dictionary::is_pseudo_tag;
use crate::ids::TypeId;
use crate::reserved::is_reserved_type;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::term;
use elf_base::Rules;
use elf_tagged::write::is_ordinary;
use elf_tagged::{Document, Node};
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// The shapes of structures whose types must be expressed differently.
pub(super) struct Shapes {
    pub(super) way: Direction,
    /// The default schema of the side that has a schema.
    pub(super) base: Arc<Schema>,
    pub(super) resolver: Resolver,
    /// The types that the file defines itself.
    pub(super) types: IndexSet<Arc<str>>,
    pub(super) tags: Tags,
    pub(super) met: IndexMap<Shape, TypeOutcome>,
}

pub(super) enum Direction {
    /// From a dictionary to a schema.
    ToSchema(Arc<Dictionary>),
    /// From a schema to a dictionary.
    ToDictionary,
}

/// The tags of the document, numbered.
#[derive(Debug, Default)]
pub(super) struct Tags(pub(super) IndexSet<Box<str>>);

/// What the type of a structure depends on: the type of its superstructure, its own type, and the number of its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    above: u32,
    pub(super) of: u32,
    pub(super) tag: usize,
}

/// A shape, with the converted type of its superstructure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) above: TypeOutcome,
    pub(super) key: Key,
}

/// What the type of a structure is converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TypeOutcome {
    /// A type of the default schema, or an undefined one.
    Base(TypeId),
    /// A type that the file defines itself, by its number.
    Own(usize),
}

const METADATA: u32 = u32::MAX;
const DOCUMENT: u32 = u32::MAX - 1;
const UNTYPED: u32 = u32::MAX - 2;

impl Shapes {
    /// Creates an empty collection for a document that defines types, to be written by `to`. `None` if its structures
    /// need not be studied.
    pub(super) fn new_if_needed(brought: &SourceSchema, resolver: &Resolver, to: &Rules) -> Option<Shapes> {
        if !brought.needs_translation(to) {
            return None;
        }
        let (way, base) = match (resolver.dictionary(), to.schema.mechanism.is_dictionary()) {
            (_, true) => (Direction::ToDictionary, Schema::default_of(&brought.from)),
            (Some(dictionary), false) => {
                (Direction::ToSchema(Arc::clone(dictionary)), Schema::default_of(to))
            }
            (None, false) => return None,
        };
        let base = Arc::clone(base.unwrap_or_else(|| Schema::published()));
        Some(Shapes {
            way,
            resolver: Resolver::new(Arc::clone(&base)),
            base,
            types: IndexSet::new(),
            tags: Tags::default(),
            met: IndexMap::new(),
        })
    }

    /// Adds the structures of a run. `column` has their types by `source`. Returns which of them get another tag,
    /// because readers would give their own tag another type.
    pub(super) fn add(&mut self, run: &Document<'_>, column: &TypeColumn, source: &Resolver) -> Vec<bool> {
        let mut respelled = vec![false; run.len()];
        let mut became = vec![TypeOutcome::Base(TypeId::UNDEFINED); run.len()];
        for node in run.structures() {
            let above = entry_above(run, node, &became, TypeOutcome::Base);
            let shape = Shape { above, key: Key::of(run, node, column, self.tags.intern(node.tag())) };
            let of = match self.met.get(&shape) {
                Some(&of) => of,
                None => {
                    let of = self.convert_type(shape, node.tag(), source);
                    self.met.insert(shape, of);
                    of
                }
            };
            became[node.id().index()] = of;
            if !is_ordinary(node.tag()) {
                respelled[node.id().index()] = self.is_respelled(shape, node.tag(), source);
            }
        }
        respelled
    }

    /// Returns whether a structure gets another tag because its own has another meaning for readers.
    fn is_respelled(&mut self, shape: Shape, tag: &str, source: &Resolver) -> bool {
        let found = self.standard_type(shape, tag);
        match &self.way {
            Direction::ToSchema(dictionary) => own_type(dictionary, tag).is_some_and(|iri| {
                let is_other = self.resolver.iri(found) != Some(&*iri);
                is_other && !is_reserved(&iri, &self.base) && self.is_defined_differently(found, tag)
            }),
            Direction::ToDictionary => {
                !self.is_standard(found, shape.key.iri(source), tag) && !is_definable(tag)
            }
        }
    }

    /// Returns whether a tag cannot be redefined there, because the default schema gives it the type `found`.
    pub(super) fn is_defined_differently(&self, found: TypeId, tag: &str) -> bool {
        !self.resolver.is_undefined(found) || is_reserved_tag(tag)
    }

    /// Converts the type of a structure.
    fn convert_type(&mut self, shape: Shape, tag: &str, source: &Resolver) -> TypeOutcome {
        let found = self.standard_type(shape, tag);
        match &self.way {
            Direction::ToSchema(dictionary) => match own_type(dictionary, tag) {
                Some(iri) if !is_reserved(&iri, &self.base) => {
                    let (index, _) = self.types.insert_full(iri.into());
                    TypeOutcome::Own(index)
                }
                _ => TypeOutcome::Base(found),
            },
            Direction::ToDictionary => {
                let iri = shape.key.iri(source);
                match self.is_standard(found, iri, tag) {
                    true => TypeOutcome::Base(found),
                    false => TypeOutcome::Base(self.base.type_of(iri).unwrap_or(TypeId::UNDEFINED)),
                }
            }
        }
    }

    /// Returns the type of a structure under the default schema.
    pub(super) fn standard_type(&mut self, shape: Shape, tag: &str) -> TypeId {
        let above = match shape.above {
            TypeOutcome::Base(of) => of,
            TypeOutcome::Own(index) => {
                let iri = self.types.get_index(index);
                iri.and_then(|iri| self.base.type_of(iri)).unwrap_or(TypeId::UNDEFINED)
            }
        };
        self.resolver.resolve(above, tag)
    }

    /// Returns whether the default schema gives the tag this type, or both have none.
    pub(super) fn is_standard(&self, found: TypeId, iri: &str, tag: &str) -> bool {
        let undefined = term::undefined_tag(iri).is_some_and(|of| of == tag);
        undefined || iri.is_empty() || self.resolver.iri(found) == Some(iri)
    }
}

impl Tags {
    fn intern(&mut self, tag: &str) -> usize {
        match self.0.get_index_of(tag) {
            Some(index) => index,
            None => self.0.insert_full(tag.into()).0,
        }
    }

    /// Returns the number of a tag, if it was found.
    pub(super) fn number_of_known(&self, tag: &str) -> Option<usize> {
        self.0.get_index_of(tag)
    }

    pub(super) fn get(&self, number: usize) -> &str {
        &self.0[number]
    }
}

impl Key {
    /// Returns the key of a structure, given the number of its tag. `column` has the types of its run.
    pub(super) fn of(run: &Document<'_>, node: Node<'_>, column: &TypeColumn, tag: usize) -> Key {
        let number = |of: Option<TypeId>| of.and_then(|of| u32::try_from(of.index()).ok()).unwrap_or(UNTYPED);
        let head = run.head().map(|head| head.id());
        let above = match node.superstructure() {
            Some(above) if Some(above.id()) == head => METADATA,
            Some(above) => number(column.get(above.id().index())),
            None => DOCUMENT,
        };
        Key { above, of: number(column.get(node.id().index())), tag }
    }

    /// Returns the IRI of the structure's type by `source`; empty if it has none.
    pub(super) fn iri(self, source: &Resolver) -> &str {
        match self.of {
            UNTYPED => "",
            of => source.iri(TypeId::of(of as usize)).unwrap_or_default(),
        }
    }
}

/// Returns the entry of the superstructure of `node` in `column`, or one computed from the superstructure's type.
pub(super) fn entry_above<T: Copy>(
    run: &Document<'_>,
    node: Node<'_>,
    column: &[T],
    of: impl Fn(TypeId) -> T,
) -> T {
    let head = run.head().map(|head| head.id());
    match node.superstructure() {
        Some(above) if Some(above.id()) == head => of(TypeId::METADATA),
        Some(above) => column.get(above.id().index()).copied().unwrap_or_else(|| of(TypeId::UNDEFINED)),
        None => of(TypeId::DOCUMENT),
    }
}

/// Returns the type that a dictionary gives a tag, if it differs from the type without the dictionary.
pub(super) fn own_type(dictionary: &Dictionary, tag: &str) -> Option<String> {
    let iri = dictionary.resolve(tag).filter(|iri| term::survives_uri(iri))?;
    (iri.strip_prefix(term::NAMESPACE_2017) != Some(tag)).then(|| iri.into_owned())
}

pub(super) fn is_definable(tag: &str) -> bool {
    !is_pseudo_tag(tag) && !is_reserved_tag(tag)
}

/// Returns whether some place forbids defining the tag (J19 §3.1.2).
fn is_reserved_tag(tag: &str) -> bool {
    matches!(tag, "CHAR" | "CONC" | "CONT" | "ERROR" | "HEAD" | "SCHMA" | "TRLR" | "UNDEF")
}

/// Returns whether no schema may define a tag for this type (J19 §3.2).
pub(super) fn is_reserved(iri: &str, base: &Schema) -> bool {
    is_reserved_type(iri, base.type_of(iri).unwrap_or(TypeId::NONE))
}
