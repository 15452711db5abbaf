//! The types of structures as paths and repairs ask for them.

use elf_schema::{ReadOptions, Resolver, TooLarge, TypeId, Typing};
use elf_tagged::Rules;
use elf_tagged::path::Types;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The types of structures, by the schema in force.
pub(crate) struct TypesInForce {
    resolver: Resolver,
    rules: Rules,
    /// The types that a name in a path stands for.
    named: HashMap<String, Named>,
}

struct Named {
    iri: String,
    covered: HashSet<Box<str>>,
}

impl TypesInForce {
    /// The types that a file gives, read by these rules.
    pub(crate) fn read(
        octets: &[u8],
        rules: &Rules,
        options: &ReadOptions<'_>,
    ) -> Result<TypesInForce, TooLarge> {
        Ok(TypesInForce::of(elf_schema::read(octets, rules, options, &mut ())?.typing(), rules))
    }

    /// The types that a typed file gives, which was read by these rules.
    pub(crate) fn of(typing: &Typing, rules: &Rules) -> TypesInForce {
        let resolver = match typing.dictionary() {
            Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
            None => Resolver::new(Arc::clone(typing.schema())),
        };
        TypesInForce { resolver, rules: *rules, named: HashMap::new() }
    }

    /// The type of a structure with these tags, its record's first.
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

    fn named(&mut self, name: &str) -> &Named {
        let (resolver, rules) = (&self.resolver, &self.rules);
        self.named.entry(name.to_owned()).or_insert_with(|| {
            let iri = resolver.schema().prefixes().expand(name).into_owned();
            Named { covered: resolver.covered_types(&iri, rules), iri }
        })
    }
}

impl Types for TypesInForce {
    fn is_defined(&mut self, tags: &[&str]) -> bool {
        let found = self.type_of(tags);
        !self.resolver.is_undefined(found)
    }

    fn is_of(&mut self, tags: &[&str], name: &str) -> bool {
        let found = self.type_of(tags);
        let iri = self.resolver.iri(found).map(str::to_owned);
        iri.is_some_and(|iri| self.named(name).covered.contains(&*iri))
    }

    fn tag_for(&mut self, tags: &[&str], name: &str) -> Option<String> {
        let above = self.type_of(tags);
        let iri = self.named(name).iri.clone();
        let above = self.resolver.iri(above)?.to_owned();
        self.resolver.schema().tags_of(&iri, &above).first().map(|tag| (*tag).to_owned())
    }
}
