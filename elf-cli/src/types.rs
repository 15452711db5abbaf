//! The types of structures as paths and repairs ask for them.

use elf_schema::{ReadOptions, Resolver, TooLarge, TypeId, Typing};
use elf_tagged::Rules;
use elf_tagged::path::Types;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The types of structures, by the schema in force.
pub(crate) struct TypesInForce {
    resolver: Resolver,
    /// The types that a name in a path stands for: itself and its subtypes.
    named: HashMap<String, Named>,
}

struct Named {
    iri: String,
    types: HashSet<TypeId>,
}

impl TypesInForce {
    /// The types that a file gives, read by these rules.
    pub(crate) fn read(
        octets: &[u8],
        rules: &Rules,
        options: &ReadOptions<'_>,
    ) -> Result<TypesInForce, TooLarge> {
        Ok(TypesInForce::of(elf_schema::read(octets, rules, options, &mut ())?.typing()))
    }

    /// The types that a typed file gives.
    pub(crate) fn of(typing: &Typing) -> TypesInForce {
        let resolver = match typing.dictionary() {
            Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
            None => Resolver::new(Arc::clone(typing.schema())),
        };
        TypesInForce { resolver, named: HashMap::new() }
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
        let schema = self.resolver.schema();
        self.named.entry(name.to_owned()).or_insert_with(|| {
            let iri = schema.prefixes().expand(name).into_owned();
            let of = schema.type_of(&iri);
            let types = of.into_iter().flat_map(|of| schema.eventual_subtypes(of)).collect();
            Named { iri, types }
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
        let named = self.named(name);
        named.types.contains(&found) || iri.as_ref() == Some(&named.iri)
    }

    fn tag_for(&mut self, tags: &[&str], name: &str) -> Option<String> {
        let above = self.type_of(tags);
        let iri = self.named(name).iri.clone();
        let above = self.resolver.iri(above)?.to_owned();
        self.resolver.schema().tags_of(&iri, &above).first().map(|tag| (*tag).to_owned())
    }
}
