//! Which escapes a tag preserves, according to the schema (J19 §4.2.4; D19 *Permitted escapes*).

use crate::builtin;
use crate::provenance::Origin;
use crate::read::read_as_january_2019;
use crate::read_options::ReadOptions;
use crate::schema::Schema;
use crate::term;
use elf_base::Rules;
use elf_tagged::escape::{EscapeSource, EscapeTable, EscapeTypes, ExternalEscapes};
use elf_tagged::write::PreambleLine;

/// Uses the schema that the options name; else that of the header, with the external schemas that are available; else
/// the common one, unless it is built in, because each draft has its own built-in one. Pass this to the reader of a
/// document that will be typed with these options.
impl EscapeSource for ReadOptions<'_> {
    fn table(&self, schema: &[PreambleLine<'_>], rules: &Rules) -> EscapeTable {
        let common = self.common.as_ref().filter(|common| schema.is_empty() && !common.is_built_in());
        match self.schema.as_ref().or(common) {
            Some(given) => given.escape_table(rules),
            None => self.table_of_header(schema, rules),
        }
    }
}

impl ReadOptions<'_> {
    /// Returns the table for a document with this schema in its header, whatever schema the options name.
    pub(crate) fn table_of_header(&self, schema: &[PreambleLine<'_>], rules: &Rules) -> EscapeTable {
        let mut wanted: Vec<String> = Vec::new();
        let _ = EscapeTable::of_schema(schema, rules, &mut |iri| {
            wanted.extend((!builtin::is_built_in_iri(iri) && term::is_iri(iri)).then(|| iri.to_owned()));
            ExternalEscapes::Missing
        });
        self.external.prepare(&wanted.iter().map(String::as_str).collect::<Vec<_>>());
        EscapeTable::of_schema(schema, rules, &mut |iri| self.external_escapes(iri, rules))
    }

    fn external_escapes(&self, iri: &str, rules: &Rules) -> ExternalEscapes {
        if builtin::is_built_in_iri(iri) {
            return ExternalEscapes::Of(Schema::of_data_model(rules).named_escapes());
        }
        if !term::is_iri(iri) {
            return ExternalEscapes::NoReference;
        }
        let table = self.external.schema(iri).and_then(|found| {
            let read = read_as_january_2019(&found, &mut ());
            read.ok().map(|document| document.header().escapes().clone())
        });
        match table.filter(EscapeTable::is_of_schema) {
            Some(table) => ExternalEscapes::Of(table.into_definitions()),
            None => ExternalEscapes::Missing,
        }
    }
}

impl Schema {
    /// Returns the escapes that tags preserve in a document under `rules` with this schema.
    pub fn escape_table(&self, rules: &Rules) -> EscapeTable {
        if rules.schema.mechanism.is_dictionary() {
            return EscapeTable::default_of(rules);
        }
        let is_missing = self.content().references.iter().any(|reference| !reference.at_hand);
        EscapeTable::of_definitions(rules, self.named_escapes(), is_missing)
    }

    fn named_escapes(&self) -> Vec<(Box<str>, EscapeTypes)> {
        self.escapes().iter().map(|one| (one.tag.clone(), one.types)).collect()
    }

    pub(crate) fn is_built_in(&self) -> bool {
        let mut origins = self.definitions().map(|one| &one.provenance().origin);
        self.content().references.is_empty()
            && self.definitions().next().is_some()
            && origins.all(|origin| {
                matches!(
                    origin,
                    Origin::Published
                        | Origin::Completed
                        | Origin::Gedcom70
                        | Origin::Gedcom71
                        | Origin::Vendor(_)
                )
            })
    }
}
