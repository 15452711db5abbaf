//! Tests of the tables of the built-in schemas: they say what the files say.

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
