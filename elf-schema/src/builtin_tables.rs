//! The tables of the built-in schemas: what is asked of them about nearly every document. Without them a
//! command that checks a small file would do little else than read the file of one of them.

mod completed;
mod gedcom_7;
mod published;

use crate::builtin;
use crate::definitions::Definitions;
use crate::schema::{Origin, TypeId};
use elf_base::PackedText;
use elf_values::Datatype;
use std::sync::OnceLock;

/// A built-in schema as a table. Types and tags have the numbers that they get where its file is read.
#[derive(Debug)]
pub(crate) struct BuiltInTable {
    origin: Origin,
    rows: &'static TableRows,
    /// The definitions in its file, once they are asked for.
    definitions: OnceLock<Definitions>,
    /// For each type its tag, if it has but one, once that is asked for.
    only_tags: OnceLock<Box<[Option<PackedText>]>>,
}

/// The parts of a table that are made of the file of the schema.
#[derive(Debug)]
struct TableRows {
    /// The types, by their numbers.
    types: &'static [TableType],
    /// The numbers of the types in the order of their IRIs.
    by_iri: &'static [u16],
    /// The tags, sorted, with their numbers.
    tags: &'static [(&'static str, u32)],
}

/// A type of a built-in schema.
#[derive(Debug)]
struct TableType {
    iri: &'static str,
    datatype: Datatype,
    /// The type whose row is its own.
    source: u16,
    /// The tags that have a type beneath it, sorted, if its row is its own.
    row: &'static [(PackedText, TypeId)],
}

impl BuiltInTable {
    /// The table of a schema that is built in.
    pub(crate) fn of(origin: &Origin) -> Option<&'static BuiltInTable> {
        static ALL: [BuiltInTable; 3] = [
            BuiltInTable::new(Origin::Published, &published::ROWS),
            BuiltInTable::new(Origin::Completed, &completed::ROWS),
            BuiltInTable::new(Origin::Gedcom7, &gedcom_7::ROWS),
        ];
        ALL.iter().find(|table| table.origin == *origin)
    }

    const fn new(origin: Origin, rows: &'static TableRows) -> BuiltInTable {
        BuiltInTable { origin, rows, definitions: OnceLock::new(), only_tags: OnceLock::new() }
    }

    /// The definitions in the file of the schema.
    pub(crate) fn definitions(&self) -> &Definitions {
        self.definitions.get_or_init(|| builtin::definitions(&self.origin))
    }

    /// Tells whether what the schema defines is GEDCOM 5.5.1.
    pub(crate) const fn is_of_5_5_1(&self) -> bool {
        matches!(self.origin, Origin::Published | Origin::Completed)
    }

    /// Returns the number of types.
    pub(crate) const fn len(&self) -> usize {
        self.rows.types.len()
    }

    /// The IRI of a type.
    pub(crate) fn iri(&self, of: TypeId) -> Option<&'static str> {
        self.rows.types.get(of.index()).map(|of| of.iri)
    }

    /// The number of the type of that IRI.
    pub(crate) fn type_of(&self, iri: &str) -> Option<TypeId> {
        let iri_of = |number: &u16| self.rows.types.get(usize::from(*number)).map(|of| of.iri);
        let at = self.rows.by_iri.binary_search_by(|number| iri_of(number).cmp(&Some(iri))).ok()?;
        self.rows.by_iri.get(at).map(|&number| TypeId::of(usize::from(number)))
    }

    /// The datatypes of the types.
    pub(crate) fn datatypes(&self) -> Box<[Datatype]> {
        self.rows.types.iter().map(|of| of.datatype).collect()
    }

    /// The tag that all structures of a type have; `None` if there are several, or none.
    pub(crate) fn only_tag(&self, of: TypeId) -> Option<PackedText> {
        let tags = self.only_tags.get_or_init(|| {
            let mut tags = vec![None; self.len()];
            let mut several = vec![false; self.len()];
            for &(tag, of) in self.rows.types.iter().flat_map(|of| of.row) {
                if let (Some(only), Some(several)) = (tags.get_mut(of.index()), several.get_mut(of.index())) {
                    *several |= only.is_some_and(|only| only != tag);
                    *only = (!*several).then_some(tag);
                }
            }
            tags.into()
        });
        tags.get(of.index()).copied().flatten()
    }

    /// Returns the number of tags.
    pub(crate) const fn tag_count(&self) -> usize {
        self.rows.tags.len()
    }

    /// The number of a tag.
    pub(crate) fn tag_number(&self, tag: &str) -> Option<u32> {
        let at = self.rows.tags.binary_search_by_key(&tag, |(tag, _)| tag).ok()?;
        self.rows.tags.get(at).map(|(_, number)| *number)
    }

    /// The type that a tag has beneath a type. All tags that have any are short.
    pub(crate) fn resolve(&self, superstructure: TypeId, tag: PackedText) -> Option<TypeId> {
        let of = self.rows.types.get(superstructure.index())?;
        let row = self.rows.types.get(usize::from(of.source))?.row;
        let at = row.binary_search_by_key(&tag, |(tag, _)| *tag).ok()?;
        row.get(at).map(|(_, found)| *found)
    }
}

/// A type with a row of its own, as the made tables spell it.
const fn row(
    iri: &'static str,
    datatype: Datatype,
    source: u16,
    row: &'static [(PackedText, TypeId)],
) -> TableType {
    TableType { iri, datatype, source, row }
}

/// A type whose row is that of another one, as the made tables spell it.
const fn passed(iri: &'static str, datatype: Datatype, source: u16) -> TableType {
    TableType { iri, datatype, source, row: &[] }
}

/// A tag of at most seven octets, and the number of its type, as the made tables spell it.
const fn tag(text: &str, of: u32) -> (PackedText, TypeId) {
    let mut octets = [0; 8];
    let (mut rest, mut length) = (text.as_bytes(), 0_u32);
    while let [octet, others @ ..] = rest
        && length < 8
    {
        octets[length as usize] = *octet;
        (rest, length) = (others, length + 1);
    }
    match PackedText::of_first(octets, length) {
        Some(packed) => (packed, TypeId(of)),
        None => (PackedText::EMPTY, TypeId::NONE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conflict::Budget;
    use crate::rows::TagRow;
    use crate::undefined::UndefinedScope;
    use crate::{Schema, values};

    const ORIGINS: [Origin; 3] = [Origin::Published, Origin::Completed, Origin::Gedcom7];

    /// The schema that the file of a built-in schema is, without its table.
    fn read(origin: &Origin) -> Schema {
        let mut schema = Schema::empty();
        *schema.said_mut() = builtin::definitions(origin);
        assert!(schema.table().is_none());
        schema
    }

    #[test]
    fn tables_have_the_types_and_tags_of_the_files() {
        for origin in ORIGINS {
            let (table, schema) = (BuiltInTable::of(&origin).expect("a table"), read(&origin));
            assert_eq!((table.len(), table.tag_count()), (schema.len(), schema.tag_count()), "{origin}");
            for (of, iri) in schema.types() {
                assert_eq!((table.iri(of), table.type_of(iri)), (Some(iri), Some(of)));
            }
            assert_eq!((table.type_of("BIRT"), table.iri(TypeId::of(table.len()))), (None, None));
            for (tag, _) in table.rows.tags {
                assert_eq!(table.tag_number(tag), schema.tag_number(tag), "{tag}");
            }
            assert_eq!(table.tag_number("_UID"), None);
            assert_eq!(table.datatypes(), values::datatypes(&schema), "{origin}");
            let made = Schema::built_in_as(&origin);
            let scopes = [&made, &schema].map(|schema| format!("{:?}", UndefinedScope::of(schema)));
            assert_eq!(scopes[0], scopes[1], "{origin}");
        }
    }

    #[test]
    fn tables_give_tags_the_types_that_the_definitions_give_them() {
        for origin in ORIGINS {
            let (table, schema) = (BuiltInTable::of(&origin).expect("a table"), read(&origin));
            let mut types = 0;
            for (of, _) in schema.types() {
                let row = TagRow::of(&schema, of, &mut Budget::new()).expect("a small schema");
                for (tag, number) in table.rows.tags {
                    let packed = PackedText::of(tag).expect("a short tag");
                    let known = row.by_number().iter().find(|(known, _)| known == number);
                    let expected = known.map(|(_, found)| *found);
                    assert_eq!(table.resolve(of, packed), expected, "{tag} in {:?}", schema.iri(of));
                    types += usize::from(expected.is_some());
                }
            }
            assert!(types > 400, "{origin}: {types}");
            assert_eq!(table.resolve(TypeId::NONE, PackedText::EMPTY), None);
        }
    }

    #[test]
    fn only_tags_are_those_of_types_that_have_no_other() {
        for origin in ORIGINS {
            let (table, schema) = (BuiltInTable::of(&origin).expect("a table"), read(&origin));
            let mut tags: Vec<Vec<&str>> = vec![Vec::new(); schema.len()];
            for (of, _) in schema.types() {
                let row = TagRow::of(&schema, of, &mut Budget::new()).expect("a small schema");
                for &(tag, found) in row.by_number().iter().filter(|(_, found)| *found != TypeId::NONE) {
                    tags[found.index()].push(schema.tag(tag));
                }
            }
            let mut several = 0;
            for ((of, iri), tags) in schema.types().zip(&mut tags) {
                tags.sort_unstable();
                tags.dedup();
                let expected = if let [tag] = tags[..] { PackedText::of(tag) } else { None };
                assert_eq!(table.only_tag(of), expected, "{iri}: {tags:?}");
                several += usize::from(tags.len() > 1);
            }
            assert!(several < 20 && (several > 0) == (origin != Origin::Gedcom7), "{origin}: {several}");
            assert_eq!(table.only_tag(TypeId::NONE), None);
        }
    }

    #[test]
    fn a_built_in_schema_that_is_changed_is_what_its_file_says_and_the_change() {
        let mut schema = Schema::clone(Schema::completed());
        assert!(schema.table().is_some());
        let before = schema.definitions().count();
        let of = schema.intern("https://e.example/a");
        assert!(schema.table().is_none());
        assert_eq!((schema.iri(of), schema.definitions().count()), (Some("https://e.example/a"), before));
        assert_eq!(schema.len(), Schema::completed().len() + 1);
    }
}
