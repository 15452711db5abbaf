//! The built-in schemas. They are stored as ELF files and read like any external schema.

use crate::build::Builder;
use crate::findings::Findings;
use crate::provenance::Origin;
use crate::raw::Raw;
use crate::schema::Schema;
use crate::vendors::{self, Producer};
use elf_base::Rules;
use elf_base::rules::DefaultSchema;
use elf_tagged::Options;
use elf_tagged::escape::names_default_schema;
use std::sync::{Arc, OnceLock};

/// The IRI of the default schema (J19 §4.2.1).
pub const DATA_MODEL: &str = elf_tagged::escape::DEFAULT_SCHEMA;

const PUBLISHED: &str = include_str!("../builtin/published.ged");
const COMPLETED: &str = include_str!("../builtin/completed.ged");
const GEDCOM_7: &str = include_str!("../builtin/gedcom-7.ged");
const GEDCOM_7_1: &str = include_str!("../builtin/gedcom-7-1.ged");

/// Published, completed, GEDCOM 7.0 and GEDCOM 7.1, in the order of [`Origin`].
static MADE: [OnceLock<Arc<Schema>>; 4] = [const { OnceLock::new() }; 4];

impl Schema {
    /// The number of built-in schemas, including those with a dictionary of vendor tags.
    pub const BUILT_IN: usize = MADE.len() + vendors::DICTIONARY_COUNT;

    /// The default schema exactly as the January 2019 draft publishes it (J19 §9), including its misprint `BRI` for
    /// `BURI`.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// assert_eq!(schema.definitions().count(), 207);
    /// ```
    pub fn published() -> &'static Arc<Schema> {
        let [schema, ..] = &MADE;
        schema.get_or_init(|| Arc::new(read_built_in(Origin::Published)))
    }

    /// The published schema with its gaps filled: every structure of GEDCOM 5.5.1 and 5.5 that is not serialisation
    /// metadata has a type.
    pub fn completed() -> &'static Arc<Schema> {
        let [_, schema, ..] = &MADE;
        schema.get_or_init(|| Arc::new(read_built_in(Origin::Completed)))
    }

    /// The structures of GEDCOM 7.0. The corresponding types of ELF are their supertypes.
    ///
    /// ```
    /// use elf_schema::{Schema, vocabulary::elf};
    ///
    /// let schema = Schema::gedcom_7();
    /// let birth = schema.type_of("https://gedcom.io/terms/v7/BIRT").expect("a type");
    /// let above: Vec<_> = schema.eventual_supertypes(birth).filter_map(|of| schema.iri(of)).collect();
    /// assert!(above.contains(&elf::BIRTH) && above.contains(&elf::EVENT));
    /// ```
    pub fn gedcom_7() -> &'static Arc<Schema> {
        let [_, _, schema, _] = &MADE;
        schema.get_or_init(|| Arc::new(read_built_in(Origin::Gedcom70)))
    }

    /// The structures of GEDCOM 7.0 and the additions of the draft of GEDCOM 7.1.
    ///
    /// ```
    /// use elf_schema::Schema;
    ///
    /// let title = "https://gedcom.io/terms/v7.1/HEAD-TITL";
    /// assert!(Schema::gedcom_7_1().type_of(title).is_some() && Schema::gedcom_7().type_of(title).is_none());
    /// ```
    pub fn gedcom_7_1() -> &'static Arc<Schema> {
        let [.., schema] = &MADE;
        schema.get_or_init(|| Arc::new(read_built_in(Origin::Gedcom71)))
    }

    /// Returns the number of a built-in schema, below [`BUILT_IN`](Schema::BUILT_IN), or `None` for other schemas and
    /// for copies. Use it to cache data that is derived from a built-in schema.
    pub fn built_in(&self) -> Option<usize> {
        let is_it =
            |one: &OnceLock<Arc<Schema>>| one.get().is_some_and(|one| std::ptr::eq(&raw const **one, self));
        let with_vendor_tags = || Some(MADE.len() + vendors::index_of_schema(self)?);
        MADE.iter().position(is_it).or_else(with_vendor_tags)
    }

    /// Returns whether this is the completed schema, with a dictionary of vendor tags or without.
    pub fn is_completed(&self) -> bool {
        std::ptr::eq(&raw const **Schema::completed(), self) || vendors::index_of_schema(self).is_some()
    }

    /// Returns whether this is the built-in schema of GEDCOM 7 itself, without additions.
    pub(crate) fn is_gedcom_7(&self) -> bool {
        let [_, _, of_gedcom_7 @ ..] = &MADE;
        of_gedcom_7.iter().any(|schema| schema.get().is_some_and(|one| std::ptr::eq(&raw const **one, self)))
    }

    /// Returns the schema for files without one under these rules; `None` under the drafts of 2017.
    pub fn default_of(rules: &Rules) -> Option<&'static Arc<Schema>> {
        match rules.schema.default {
            DefaultSchema::Published => Some(Schema::published()),
            DefaultSchema::Completed => Some(Schema::completed()),
            DefaultSchema::Gedcom70 => Some(Schema::gedcom_7()),
            DefaultSchema::Gedcom71 => Some(Schema::gedcom_7_1()),
            DefaultSchema::None => None,
        }
    }

    /// Returns the default schema with the dictionary of vendor tags, for files of `producer` without a schema; `None`
    /// if the dictionary does not apply under these rules.
    pub fn default_with_vendor_tags(
        rules: &Rules,
        producer: Option<Producer>,
    ) -> Option<&'static Arc<Schema>> {
        vendors::applies_by(rules).then(|| vendors::over_completed(producer))
    }

    /// Returns the schema that the [IRI of the default schema](DATA_MODEL) refers to under these rules. It may be the
    /// completed one (docs/readings.md, S18).
    pub fn of_data_model(rules: &Rules) -> &'static Arc<Schema> {
        if rules.schema.default.is_completed() { Schema::completed() } else { Schema::published() }
    }
}

pub(crate) fn is_built_in_iri(iri: &str) -> bool {
    names_default_schema(iri)
}

pub(crate) fn raw_built_in(origin: Origin) -> Raw {
    match elf_tagged::read(text_of(&origin).as_bytes(), &Rules::JANUARY_2019, &Options::default(), &mut ()) {
        Ok(document) => Raw::of(&document, origin),
        // A built-in schema is far shorter than the limit, so this does not happen.
        Err(_) => Raw { origin, items: Vec::new(), found: false },
    }
}

/// Reads a built-in schema. A test ensures that there are no findings.
fn read_built_in(origin: Origin) -> Schema {
    Builder::new(&Rules::JANUARY_2019, &mut Findings::default()).build(&[raw_built_in(origin)], Vec::new())
}

const fn text_of(origin: &Origin) -> &'static str {
    match origin {
        Origin::Completed => COMPLETED,
        Origin::Gedcom70 => GEDCOM_7,
        Origin::Gedcom71 => GEDCOM_7_1,
        Origin::Published | Origin::Vendor(_) | Origin::File | Origin::External(_) | Origin::Made => {
            PUBLISHED
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Diagnostic;

    #[test]
    fn the_files_of_built_in_schemas_have_no_faults() {
        for origin in [Origin::Published, Origin::Completed, Origin::Gedcom70, Origin::Gedcom71] {
            let mut findings: Vec<Diagnostic> = Vec::new();
            let text = text_of(&origin).as_bytes();
            elf_tagged::read(text, &Rules::JANUARY_2019, &Options::default(), &mut findings).unwrap();
            assert!(findings.is_empty(), "{findings:?}");
            let mut findings = Findings::default();
            let schema =
                Builder::new(&Rules::JANUARY_2019, &mut findings).build(&[raw_built_in(origin)], Vec::new());
            assert!(findings.list.is_empty() && schema.len() > 100, "{:?}", findings.list);
        }
    }
}
