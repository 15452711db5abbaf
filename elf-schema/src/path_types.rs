//! Answers which types structures at a path have.

use crate::ids::TypeId;
use crate::resolve::Resolver;
use crate::typing::Typing;
use crate::values;
use elf_base::Rules;
use elf_tagged::path::Types;
use elf_values::Datatype;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Gives paths the types of structures, according to the schema of a file. Implements [`Types`] for `elf-tagged` and
/// `elf-edit`, which do not know types.
///
/// ```
/// use elf_schema::{PathTypes, ReadOptions, Rules};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 1815\n0 TRLR\n";
/// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let mut types = PathTypes::new(typed.typing(), &Rules::WILD);
/// let dates = typed.document().find(&"@I1@/elf:IndividualEvent/DATE".parse()?, &mut types)?;
/// assert_eq!(dates[0].text(), "1815");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PathTypes {
    resolver: Resolver,
    rules: Rules,
    /// The types that each name in a path includes.
    named: HashMap<String, Named>,
}

struct Named {
    iri: String,
    covered: HashSet<Box<str>>,
}

impl PathTypes {
    /// Uses the schema or dictionary of `typing`. `rules` decide whether a type in a path includes subtypes that only
    /// the file defines (J19 §3.3).
    pub fn new(typing: &Typing, rules: &Rules) -> PathTypes {
        let resolver = match typing.dictionary() {
            Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
            None => Resolver::new(Arc::clone(typing.schema())),
        };
        PathTypes { resolver, rules: *rules, named: HashMap::new() }
    }

    /// Returns the IRI of a structure's type. `tags` is its path, starting with the record.
    pub fn iri_of(&mut self, tags: &[&str]) -> Option<&str> {
        let found = self.type_of(tags);
        self.resolver.iri(found)
    }

    /// Returns the datatype of a structure's payload. `tags` is its path, starting with the record.
    pub fn datatype_of(&mut self, tags: &[&str]) -> Datatype {
        let found = self.type_of(tags);
        let is_gedcom_7 = self.rules.schema.mechanism.is_of_extension_tags();
        values::datatype_of_type(self.resolver.schema(), Some(found), is_gedcom_7)
    }

    fn type_of(&mut self, tags: &[&str]) -> TypeId {
        let mut found = TypeId::DOCUMENT;
        for (depth, tag) in tags.iter().enumerate() {
            found = match (depth, *tag) {
                (0, "HEAD") if self.resolver.dictionary().is_none() => TypeId::METADATA,
                _ => self.resolver.resolve(found, tag),
            };
        }
        found
    }

    /// Returns the types that a name includes, and the resolver for other types.
    fn types_named(&mut self, name: &str) -> (&Named, &Resolver) {
        let (resolver, rules) = (&self.resolver, &self.rules);
        let named = self.named.entry(name.to_owned()).or_insert_with(|| {
            let iri = resolver.schema().prefixes().expand(name).into_owned();
            Named { covered: resolver.covered_types(&iri, rules), iri }
        });
        (named, resolver)
    }
}

impl Types for PathTypes {
    fn is_defined(&mut self, tags: &[&str]) -> bool {
        let found = self.type_of(tags);
        !self.resolver.is_undefined(found)
    }

    fn is_of(&mut self, tags: &[&str], name: &str) -> bool {
        let found = self.type_of(tags);
        let (named, resolver) = self.types_named(name);
        resolver.iri(found).is_some_and(|iri| named.covered.contains(iri))
    }

    fn tag_for(&mut self, tags: &[&str], name: &str) -> Option<String> {
        let above = self.type_of(tags);
        let (Named { iri, .. }, resolver) = self.types_named(name);
        resolver.schema().tags_of(iri, resolver.iri(above)?).first().map(|tag| (*tag).to_owned())
    }
}
