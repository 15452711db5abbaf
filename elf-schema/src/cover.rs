//! The types that are included when structures are searched by a type, as in a path.

use crate::resolve::Resolver;
use crate::schema::Schema;
use elf_base::Rules;
use std::collections::HashSet;

impl Resolver {
    /// Returns the IRIs of the types that a type includes when you search for structures: itself, its subtypes in the
    /// data model, and its subtypes in the schema.
    ///
    /// In January 2019 and the declarative draft, supertypes in a schema only say which tags are allowed where (J19
    /// §3.1.1; RDX *IRI definitions*), so under their rules only subtypes in the data model count.
    ///
    /// ```
    /// use elf_schema::{Resolver, Rules, Schema, vocabulary::elf};
    ///
    /// let resolver = Resolver::new(Schema::published().clone());
    /// let covered = resolver.covered_types(elf::EVENT, &Rules::JANUARY_2019);
    /// assert!(covered.contains(elf::BIRTH) && !covered.contains(elf::DATE_VALUE));
    /// ```
    pub fn covered_types(&self, iri: &str, rules: &Rules) -> HashSet<Box<str>> {
        let mut covered = HashSet::from([Box::from(iri)]);
        let mut cover = |schema: &Schema| {
            let of = schema.type_of(iri);
            let types = of.into_iter().flat_map(|of| schema.eventual_subtypes(of));
            covered.extend(types.filter_map(|of| schema.iri(of)).map(Box::from));
        };
        cover(Schema::completed());
        if !rules.schema.mechanism.is_inline() {
            cover(self.schema());
        }
        covered
    }
}
