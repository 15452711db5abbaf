//! Finds the type of a tag by the type of its superstructure (J19 §3.3).
//!
//! [`Resolver::resolve`] finds the type of each pair of superstructure type and tag only once. `find_type` asks the
//! schema or the dictionary; a tag without a type there gets its undefined tag identifier.

use crate::budget::Budget;
use crate::common::{TagOf2017, tag_of_2017};
use crate::dictionary::Dictionary;
use crate::ids::TypeId;
use crate::lookup::Meaning;
use crate::schema::Schema;
use crate::term;
use hashbrown::{Equivalent, HashMap};
use indexmap::IndexSet;
use std::sync::Arc;

/// Finds the types of tags by a schema, and caches them. Undefined tag identifiers are numbered after the types of the
/// schema.
#[derive(Clone, Debug)]
pub struct Resolver {
    schema: Arc<Schema>,
    authority: Authority,
    memo: HashMap<Context, TypeId>,
    /// Types that are not in the schema: undefined tag identifiers, and types of a dictionary. They are numbered after
    /// those of the schema.
    beyond: IndexSet<Box<str>>,
    budget: Budget,
}

/// Where the types of tags come from.
#[derive(Clone, Debug)]
enum Authority {
    /// The schema.
    Schema,
    /// A dictionary of 2017, for which the superstructure does not matter (O17 §6.2). The schema is empty.
    Dictionary(Arc<Dictionary>),
    /// A schema that is common to files of several drafts. An IRI of 2017 is translated to the type that the schema
    /// gives its tag.
    CommonSchema,
    /// The same for a file with a dictionary of 2017: the dictionary returns an IRI, which is translated by the schema.
    CommonDictionary(Arc<Dictionary>),
}

/// A tag under a superstructure of some type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Context {
    superstructure: TypeId,
    tag: Box<str>,
}

/// A borrowed [`Context`] for lookups. Both have the same fields in the same order, so their hashes are equal.
#[derive(Clone, Copy, Hash)]
struct ContextRef<'t> {
    superstructure: TypeId,
    tag: &'t str,
}

impl Equivalent<Context> for ContextRef<'_> {
    fn equivalent(&self, key: &Context) -> bool {
        self.superstructure == key.superstructure && *self.tag == *key.tag
    }
}

impl Resolver {
    /// Creates a resolver for a schema.
    pub fn new(schema: Arc<Schema>) -> Resolver {
        Resolver::with_authority(schema, Authority::Schema)
    }

    /// Creates a resolver for a dictionary of 2017, where the type of the superstructure does not matter (O17 §6.2).
    pub fn of_dictionary(dictionary: Arc<Dictionary>) -> Resolver {
        Resolver::with_authority(Arc::new(Schema::empty()), Authority::Dictionary(dictionary))
    }

    fn with_authority(schema: Arc<Schema>, authority: Authority) -> Resolver {
        let (memo, beyond, budget) = (HashMap::new(), IndexSet::new(), Budget::with_steps(Budget::LOOKUPS));
        Resolver { schema, authority, memo, beyond, budget }
    }

    /// Returns a resolver that asks `fallback` for types that this one does not find.
    pub(crate) fn with_fallback(self, fallback: &Arc<Schema>) -> Resolver {
        match self.authority {
            Authority::Dictionary(dictionary) => {
                Resolver::with_authority(Arc::clone(fallback), Authority::CommonDictionary(dictionary))
            }
            _ => Resolver::with_authority(
                Arc::new(self.schema.with_fallback(fallback)),
                Authority::CommonSchema,
            ),
        }
    }

    /// Returns the schema.
    pub const fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Returns the dictionary, if types come from one.
    pub const fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        match &self.authority {
            Authority::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    /// Returns the type of a structure with this tag in a superstructure of this type.
    #[inline]
    pub fn resolve(&mut self, superstructure: TypeId, tag: &str) -> TypeId {
        match self.memo.get(&ContextRef { superstructure, tag }) {
            Some(&known) => known,
            None => self.find_and_remember(superstructure, tag),
        }
    }

    #[cold]
    fn find_and_remember(&mut self, superstructure: TypeId, tag: &str) -> TypeId {
        let found = self.find_type(superstructure, tag);
        self.memo.insert(Context { superstructure, tag: tag.into() }, found);
        found
    }

    fn find_type(&mut self, superstructure: TypeId, tag: &str) -> TypeId {
        let found = match self.authority.clone() {
            Authority::Schema => self.find_defined_or_extension(superstructure, tag),
            Authority::Dictionary(dictionary) => match dictionary.resolve(tag) {
                Some(iri) => Some(self.intern(&iri)),
                // A pseudo-structure, which has no type (O17 §3.2).
                None => return TypeId::NONE,
            },
            Authority::CommonSchema => {
                let found = self.find_defined_or_extension(superstructure, tag);
                let of_2017 = found.and_then(|of| self.iri(of)).and_then(tag_of_2017).map(str::to_owned);
                of_2017.and_then(|tag| self.find_defined(superstructure, &tag)).or(found)
            }
            Authority::CommonDictionary(dictionary) => match TagOf2017::of(&dictionary, tag) {
                TagOf2017::Iri(iri) => Some(self.intern(&iri)),
                TagOf2017::Tag(other) => self.find_defined(superstructure, &other),
                TagOf2017::Pseudo => return TypeId::NONE,
            },
        };
        found.unwrap_or_else(|| self.intern(&term::undefined(tag)))
    }

    fn find_defined_or_extension(&mut self, superstructure: TypeId, tag: &str) -> Option<TypeId> {
        let found = self.find_defined(superstructure, tag);
        let found = found.or_else(|| self.schema.extension_type(superstructure, tag));
        found.or_else(|| self.schema.vendor_flag(superstructure, tag))
    }

    /// Returns the type that the schema defines for a tag.
    fn find_defined(&mut self, superstructure: TypeId, tag: &str) -> Option<TypeId> {
        match self.find_meaning(superstructure, tag) {
            Meaning::Type(of) => Some(of),
            Meaning::Conflict | Meaning::Undefined => None,
        }
    }

    pub(crate) fn find_meaning(&mut self, superstructure: TypeId, tag: &str) -> Meaning {
        match self.schema.tag_number(tag) {
            Some(number) => self.schema.find_meaning(superstructure, number, &mut self.budget),
            None => Meaning::Undefined,
        }
    }

    /// Returns the type with this IRI. If the schema lacks it, it is added.
    fn intern(&mut self, iri: &str) -> TypeId {
        self.type_of(iri).unwrap_or_else(|| {
            let (index, _) = self.beyond.insert_full(iri.into());
            TypeId::of(self.schema.len() + index)
        })
    }

    /// Returns the IRI of a type that this resolver returned.
    pub fn iri(&self, of: TypeId) -> Option<&str> {
        match of.index().checked_sub(self.schema.len()) {
            None => self.schema.iri(of),
            Some(index) => self.beyond.get_index(index).map(|iri| &**iri),
        }
    }

    /// Returns the IRI of a type that this resolver returned.
    #[allow(clippy::expect_used, reason = "an index into the types of this resolver")]
    pub(crate) fn known_iri(&self, of: TypeId) -> &str {
        self.iri(of).expect("a type of this resolver")
    }

    /// Returns the type with this IRI, if the schema has it or this resolver has returned it.
    pub fn type_of(&self, iri: &str) -> Option<TypeId> {
        let found_beyond =
            || self.beyond.get_index_of(iri).map(|index| TypeId::of(self.schema.len() + index));
        self.schema.type_of(iri).or_else(found_beyond)
    }

    /// Returns whether all structures of this type have the same tag. May return false if that cannot be found out
    /// quickly.
    pub fn has_only_tag(&self, of: TypeId) -> bool {
        let goes_by_schema = matches!(self.authority, Authority::Schema);
        goes_by_schema && self.schema.extension_tags().is_empty() && self.schema.only_tag(of).is_some()
    }

    /// Returns the number of types, in the schema and beyond it.
    pub(crate) fn type_count(&self) -> usize {
        self.schema.len() + self.beyond.len()
    }

    /// Returns whether a type is `elf:Undefined` or an undefined tag identifier.
    pub fn is_undefined(&self, of: TypeId) -> bool {
        of == TypeId::UNDEFINED || self.iri(of).is_some_and(|iri| term::undefined_tag(iri).is_some())
    }

    /// Returns whether a lookup reached the limit on supertypes, so that tags may be undefined although the schema
    /// defines them.
    pub const fn gave_up(&self) -> bool {
        self.budget.is_spent()
    }

    /// Returns whether no document can reach the limit on supertypes, whatever tags it has.
    pub fn never_gives_up(&self) -> bool {
        let mut budget = Budget::with_steps(Budget::LOOKUPS / self.schema.tag_count().max(1));
        let types = self.schema.content().type_ids();
        types.for_each(|of| self.schema.walk_up(of, &mut budget).for_each(drop));
        !budget.is_spent()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_tags_resolve_alike_each_time() {
        let mut resolver = Resolver::new(Arc::clone(Schema::published()));
        let tags: Vec<String> = (0..5_000).map(|number| format!("_{number}")).collect();
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
        // The second resolver does not know types that only the first has returned.
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
