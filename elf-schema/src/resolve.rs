//! From a tag and its superstructure's type to a type (J19 §3.3), made fast for whole documents.

use crate::common::{ByDictionary, tag_of_2017};
use crate::conflict::Budget;
use crate::rows::TagRow;
use crate::schema::{Schema, TypeId};
use crate::{Dictionary, term};
use elf_base::PackedText;
use elf_tagged::Node;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use indexmap::IndexSet;
use std::sync::Arc;

/// Slots of the table in front; a power of two. Real files have some two hundred pairs of a tag and a type.
const SLOTS: usize = 1024;

/// Finds the types of tags by a schema, and remembers what it found.
///
/// The definitions that apply beneath a type are worked out when the first structure of that type is met, and
/// kept with the schema for all resolvers that go by it; each pair of type and tag is then looked up once.
/// Undefined tag identifiers get numbers after the types of the schema.
///
/// ```
/// use elf_schema::{Resolver, Schema, TypeId};
///
/// let mut resolver = Resolver::new(Schema::published().clone());
/// let family = resolver.resolve(TypeId::DOCUMENT, "FAM");
/// let marriage = resolver.resolve(family, "MARR");
/// let husband = resolver.resolve(marriage, "HUSB");
/// assert_eq!(resolver.iri(husband), Some("https://terms.fhiso.org/elf/Parent1Age"));
/// let unknown = resolver.resolve(marriage, "_UID");
/// assert_eq!(resolver.iri(unknown), Some("https://terms.fhiso.org/elf/Undefined#_UID"));
/// ```
#[derive(Clone, Debug)]
pub struct Resolver {
    schema: Arc<Schema>,
    dictionary: Option<Arc<Dictionary>>,
    /// A dictionary of 2017 whose IRIs are looked up in the schema where they correspond to tags.
    translated: Option<Arc<Dictionary>>,
    /// True if IRIs of 2017 are taken for the types they correspond to.
    common: bool,
    budget: Budget,
    /// The rows of types met as superstructures, where the schema is too large for resolvers to share them.
    rows: HashMap<TypeId, TagRow>,
    /// The tags met that the schema does not define anywhere; their numbers follow those of the schema.
    tags: IndexSet<Box<str>>,
    /// The undefined tag identifier of each tag met.
    undefined_of: HashMap<u32, TypeId>,
    /// Types that the schema does not name: undefined tag identifiers, or what a dictionary gives.
    beyond: IndexSet<Box<str>>,
    pairs: HashMap<(TypeId, u32), TypeId>,
    slots: Box<[Slot]>,
}

/// A short tag and the type it resolved to beneath a type.
#[derive(Clone, Copy, Debug)]
struct Slot {
    tag: PackedText,
    superstructure: TypeId,
    found: TypeId,
}

impl Resolver {
    /// A resolver that has met nothing yet.
    pub fn new(schema: Arc<Schema>) -> Resolver {
        // No tag is an at sign.
        let none = PackedText::of("@").unwrap_or_default();
        let empty = Slot { tag: none, superstructure: TypeId::NONE, found: TypeId::NONE };
        Resolver {
            rows: HashMap::new(),
            tags: IndexSet::new(),
            undefined_of: HashMap::new(),
            beyond: IndexSet::new(),
            pairs: HashMap::new(),
            slots: vec![empty; SLOTS].into_boxed_slice(),
            budget: Budget::new(),
            dictionary: None,
            translated: None,
            common: false,
            schema,
        }
    }

    /// A resolver by a dictionary of 2017, for which the type of the superstructure does not matter (O17
    /// §6.2).
    pub fn of_dictionary(dictionary: Arc<Dictionary>) -> Resolver {
        let mut resolver = Resolver::new(Arc::new(Schema::empty()));
        resolver.dictionary = Some(dictionary);
        resolver
    }

    /// A resolver by what this one goes by and, where that leaves a type open, by another schema.
    pub(crate) fn over(self, fallback: &Arc<Schema>) -> Resolver {
        if let Some(dictionary) = self.dictionary {
            let mut resolver = Resolver::new(Arc::clone(fallback));
            (resolver.translated, resolver.common) = (Some(dictionary), true);
            return resolver;
        }
        let mut resolver = Resolver::new(Arc::new(self.schema.over(fallback)));
        resolver.common = true;
        resolver
    }

    /// The schema it goes by.
    pub const fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The dictionary it goes by, if it does.
    pub const fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        self.dictionary.as_ref()
    }

    /// The type of a structure of that tag in a superstructure of that type.
    pub fn resolve(&mut self, superstructure: TypeId, tag: &str) -> TypeId {
        self.resolve_packed(superstructure, PackedText::of(tag), || tag)
    }

    /// The type of a structure in a superstructure of that type, as [`resolve`](Resolver::resolve) finds it.
    #[inline]
    pub(crate) fn resolve_node(&mut self, superstructure: TypeId, node: Node<'_>) -> TypeId {
        self.resolve_packed(superstructure, node.packed_tag(), || node.tag())
    }

    /// The type of a tag, which is also given packed if it is short.
    #[inline]
    fn resolve_packed<'t>(
        &mut self,
        superstructure: TypeId,
        packed: Option<PackedText>,
        tag: impl FnOnce() -> &'t str,
    ) -> TypeId {
        let Some(packed) = packed else { return self.look_up(superstructure, tag()) };
        let slot = slot_of(superstructure, packed);
        match self.slots.get(slot) {
            Some(slot) if slot.tag == packed && slot.superstructure == superstructure => slot.found,
            _ => {
                let shared = self.shared(superstructure, packed);
                let found = shared.unwrap_or_else(|| self.look_up(superstructure, tag()));
                if let Some(slot) = self.slots.get_mut(slot) {
                    *slot = Slot { tag: packed, superstructure, found };
                }
                found
            }
        }
    }

    /// The IRI of a type it gave.
    pub fn iri(&self, of: TypeId) -> Option<&str> {
        iri(&self.schema, &self.beyond, of)
    }

    /// The type of that IRI, if the schema names it or it was given to a structure.
    pub fn type_of(&self, iri: &str) -> Option<TypeId> {
        let beyond = || self.beyond.get_index_of(iri).map(|index| TypeId::of(self.schema.len() + index));
        self.schema.type_of(iri).or_else(beyond)
    }

    /// Tells whether it is known at once that all structures to which it gives that type have the same tag;
    /// it is for types of a built-in schema that nothing was added to.
    ///
    /// ```
    /// use elf_schema::{Resolver, Schema, TypeId};
    ///
    /// let mut resolver = Resolver::new(Schema::completed().clone());
    /// let family = resolver.resolve(TypeId::DOCUMENT, "FAM");
    /// assert!(resolver.has_only_tag(family) && !resolver.has_only_tag(TypeId::DOCUMENT));
    /// ```
    pub fn has_only_tag(&self, of: TypeId) -> bool {
        let goes_by_schema = self.dictionary.is_none() && self.translated.is_none() && !self.common;
        // A schema that types were added to by extension tags has no table.
        let table = self.schema.table().filter(|_| goes_by_schema);
        table.is_some_and(|table| table.only_tag(of).is_some())
    }

    /// Returns the number of types: those the schema names and those met beyond it.
    pub(crate) fn type_count(&self) -> usize {
        self.schema.len() + self.beyond.len()
    }

    /// Returns whether a type is `elf:Undefined` or an undefined tag identifier.
    pub fn is_undefined(&self, of: TypeId) -> bool {
        of == TypeId::UNDEFINED || self.iri(of).is_some_and(|iri| term::undefined_tag(iri).is_some())
    }

    /// Returns whether the schema has so many supertypes that not all of them were followed; then tags may be
    /// undefined that are not.
    pub const fn gave_up(&self) -> bool {
        self.budget.is_spent()
    }

    /// Returns whether all of the schema can be followed, whatever is met in whatever order.
    pub(crate) fn never_gives_up(&self) -> bool {
        if self.schema.table().is_some() {
            return true;
        }
        let rows = self.schema.rows();
        let mut budget = Budget::new();
        rows.are_shared() || rows.sources().all(|of| self.schema.row(of, &mut budget).is_some())
    }

    pub(crate) fn into_parts(self) -> (Arc<Schema>, Option<Arc<Dictionary>>, IndexSet<Box<str>>) {
        (self.schema, self.dictionary, self.beyond)
    }

    /// Returns the type of a packed tag as all resolvers by the schema find it; `None` where that has to be
    /// looked up.
    #[cold]
    fn shared(&self, superstructure: TypeId, tag: PackedText) -> Option<TypeId> {
        if self.dictionary.is_some() || self.translated.is_some() || self.common {
            return None;
        }
        if let Some(table) = self.schema.table() {
            return table.resolve(superstructure, tag);
        }
        let rows = self.schema.rows();
        rows.row(rows.source(superstructure)?, &self.schema)?.of_packed(tag)
    }

    #[cold]
    fn look_up(&mut self, superstructure: TypeId, tag: &str) -> TypeId {
        let number = self
            .tag_number(tag)
            .unwrap_or_else(|| TypeId::of(self.schema.tag_count() + self.tags.insert_full(tag.into()).0).0);
        if let Some(&found) = self.pairs.get(&(superstructure, number)) {
            return found;
        }
        let found = match self.dictionary.as_ref().map(|dictionary| dictionary.resolve(tag)) {
            Some(Some(iri)) => TypeId::of(self.schema.len() + self.beyond.insert_full(iri.into()).0),
            // A pseudo-structure: of no type (O17 §3.2).
            Some(None) => TypeId::NONE,
            None => match self.translated.as_ref().map(|dictionary| ByDictionary::of(dictionary, tag)) {
                Some(ByDictionary::Iri(iri)) => self.beyond(iri),
                Some(ByDictionary::None) => TypeId::NONE,
                Some(ByDictionary::Tag(name)) => {
                    self.corresponding(superstructure, &name).unwrap_or_else(|| self.undefined(number, tag))
                }
                None => match self.defined(superstructure, (number, tag)) {
                    Some(found) if self.common => {
                        let name = self.iri(found).and_then(tag_of_2017).map(str::to_owned);
                        name.and_then(|name| self.corresponding(superstructure, &name)).unwrap_or(found)
                    }
                    Some(found) => found,
                    None => {
                        let found = self.schema.extension(superstructure, tag);
                        found.unwrap_or_else(|| self.undefined(number, tag))
                    }
                },
            },
        };
        self.pairs.insert((superstructure, number), found);
        found
    }

    /// The type that an IRI of 2017, given by its tag, stands for in a superstructure of that type.
    fn corresponding(&mut self, superstructure: TypeId, tag: &str) -> Option<TypeId> {
        let number = self.tag_number(tag)?;
        self.defined(superstructure, (number, tag))
    }

    /// The type of an IRI that the schema may not name.
    fn beyond(&mut self, iri: Box<str>) -> TypeId {
        let named = self.schema.type_of(&iri);
        named.unwrap_or_else(|| TypeId::of(self.schema.len() + self.beyond.insert_full(iri).0))
    }

    fn defined(&mut self, superstructure: TypeId, (number, tag): (u32, &str)) -> Option<TypeId> {
        if let Some(table) = self.schema.table() {
            return table.resolve(superstructure, PackedText::of(tag)?);
        }
        let row = self.row(superstructure)?;
        let at = row.binary_search_by_key(&number, |(tag, _)| *tag).ok()?;
        row.get(at).map(|(_, found)| *found).filter(|&found| found != TypeId::NONE)
    }

    /// Returns the tags that the schema defines beneath a type, by their numbers, with their types, sorted;
    /// [`TypeId::NONE`] is that of a tag on which definitions contradict one another. `None` where the type
    /// is none of the schema, or its definitions are too many to follow.
    pub(crate) fn row(&mut self, superstructure: TypeId) -> Option<&[(u32, TypeId)]> {
        let rows = self.schema.rows();
        let source = rows.source(superstructure)?;
        if rows.are_shared() {
            return rows.row(source, &self.schema).map(TagRow::by_number);
        }
        let row = match self.rows.entry(source) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(TagRow::of(&self.schema, source, &mut self.budget)?),
        };
        Some(row.by_number())
    }

    /// The number of a tag that the schema defines or that was met.
    pub(crate) fn tag_number(&self, tag: &str) -> Option<u32> {
        let met = || self.tags.get_index_of(tag).map(|number| self.schema.tag_count() + number);
        self.schema.tag_number(tag).or_else(|| met().map(|number| TypeId::of(number).0))
    }

    fn undefined(&mut self, number: u32, tag: &str) -> TypeId {
        if let Some(&found) = self.undefined_of.get(&number) {
            return found;
        }
        let found = self.beyond(term::undefined(tag).into());
        self.undefined_of.insert(number, found);
        found
    }
}

/// The IRI of a type: of the schema, or beyond it.
pub(crate) fn iri<'s>(schema: &'s Schema, beyond: &'s IndexSet<Box<str>>, of: TypeId) -> Option<&'s str> {
    match of.index().checked_sub(schema.len()) {
        None => schema.iri(of),
        Some(index) => beyond.get_index(index).map(|iri| &**iri),
    }
}

#[inline]
fn slot_of(superstructure: TypeId, tag: PackedText) -> usize {
    // Multiplication by an odd constant near 2^64 divided by the golden ratio; the high bits are mixed best.
    let mixed =
        (tag.number() ^ u64::from(superstructure.0).rotate_left(40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    #[allow(clippy::cast_possible_truncation, reason = "ten bits")]
    let slot = (mixed >> (64 - SLOTS.trailing_zeros())) as usize;
    slot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pairs_than_slots_are_resolved_alike() {
        let mut resolver = Resolver::new(Arc::clone(Schema::published()));
        let tags: Vec<String> = (0..5 * SLOTS).map(|number| format!("_{number}")).collect();
        for _ in 0..2 {
            for tag in &tags {
                let found = resolver.resolve(TypeId::DOCUMENT, tag);
                assert_eq!(resolver.iri(found).and_then(term::undefined_tag), Some(tag.as_str()));
            }
        }
    }

    #[test]
    fn resolvers_share_what_the_schema_defines_and_nothing_else() {
        let schema = Schema::completed();
        let mut first = Resolver::new(Arc::clone(schema));
        let mut second = Resolver::new(Arc::clone(schema));
        let person = first.resolve(TypeId::DOCUMENT, "INDI");
        let own = first.resolve(person, "_OWN");
        let birth = first.resolve(person, "BIRT");
        assert_eq!(second.resolve(TypeId::DOCUMENT, "INDI"), person);
        // The type of a tag that the first has met already is not known to the second.
        assert_eq!(second.type_of("https://terms.fhiso.org/elf/Undefined#_OWN"), None);
        let other = second.resolve(person, "_OTHER");
        assert_eq!(second.resolve(person, "BIRT"), birth);
        assert_eq!(
            (first.iri(own), second.iri(other)),
            (
                Some("https://terms.fhiso.org/elf/Undefined#_OWN"),
                Some("https://terms.fhiso.org/elf/Undefined#_OTHER"),
            )
        );
        assert_eq!((first.type_count(), second.type_count()), (schema.len() + 1, schema.len() + 1));
    }
}
