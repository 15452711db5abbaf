//! Every context path of GEDCOM 5.5.1 under the two built-in schemas.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_schema::{Diagnostic, ReadOptions, Reader, Resolver, Rules, Schema, TypeId};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

const TABLE: &str = include_str!("../data/gedcom551-paths.tsv");

/// The rows of the table: path, published type, completed type.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| {
        let mut columns = line.split('\t');
        let mut column = || columns.next().expect("three columns");
        (column(), column(), column())
    })
}

/// The type of a path, as the tables of the schema give it, shortened; `None` where a step has none.
fn type_of_path(resolver: &mut Resolver, path: &str) -> Option<String> {
    let mut steps = path.split('.').peekable();
    let mut of = TypeId::DOCUMENT;
    if steps.next_if_eq(&"HEAD").is_some() {
        of = TypeId::METADATA;
    }
    for step in steps {
        of = resolver.resolve(of, step);
    }
    if resolver.is_undefined(of) {
        return None;
    }
    let iri = resolver.iri(of).expect("a type");
    Some(resolver.schema().prefixes().shorten(iri).into_owned())
}

fn typed(
    schema: &Arc<Schema>,
    expected: impl Fn(&(&str, &'static str, &'static str)) -> &'static str,
) -> usize {
    let mut resolver = Resolver::new(Arc::clone(schema));
    let mut count = 0;
    for row in rows() {
        let expected = expected(&row);
        if expected == "metadata" {
            continue;
        }
        let found = type_of_path(&mut resolver, row.0);
        assert_eq!(found.as_deref().unwrap_or("-"), expected, "{}", row.0);
        count += usize::from(found.is_some());
    }
    count
}

#[test]
fn the_table_is_whole() {
    assert_eq!(rows().count(), 2_997);
    let metadata: Vec<_> = rows().filter(|row| row.1 == "metadata").map(|row| row.0).collect();
    assert_eq!(metadata, ["HEAD", "HEAD.CHAR", "HEAD.CHAR.VERS", "TRLR"]);
}

#[test]
fn published_types_what_it_is_known_to() {
    assert_eq!(typed(Schema::published(), |row| row.1), 2_577);
}

#[test]
fn completed_types_all() {
    assert_eq!(typed(Schema::completed(), |row| row.2), 2_993);
}

/// A file that has every path of the table once.
fn every_path() -> String {
    let mut rows: Vec<_> = rows().map(|row| row.0).collect();
    // The header first, the trailer last; within a record the table is in order.
    rows.sort_by_key(|path| (!path.starts_with("HEAD"), *path == "TRLR"));
    let mut file = String::new();
    for path in rows {
        let (level, tag) =
            path.rsplit_once('.').map_or((0, path), |(above, tag)| (above.split('.').count(), tag));
        let payload = if path == "HEAD.CHAR" { " UTF-8" } else { "" };
        file.push_str(&format!("{level} {tag}{payload}\n"));
    }
    file
}

/// Counts the structures of that file that have a type, and how many none; each is compared with the table.
fn in_a_file(rules: &Rules, schema: &Arc<Schema>, column: impl Fn(&str) -> &'static str) -> (usize, usize) {
    let file = every_path();
    let options = ReadOptions::default().with_schema(Some(Arc::clone(schema)));
    let typed = elf_schema::read(file.as_bytes(), rules, &options, &mut ()).expect("a short text");
    let (mut with, mut without) = (0, 0);
    for node in typed.document().structures() {
        let mut path: Vec<_> = node.with_ancestors().map(|above| above.tag()).collect();
        path.reverse();
        let path = path.join(".");
        let found = typed.type_of(node).expect("a structure has a type");
        let expected = column(&path);
        if expected == "-" {
            without += 1;
            assert_eq!(Some(found), elf_schema::term::undefined_tag(found).map(|_| found), "{path}");
        } else {
            with += 1;
            assert_eq!(schema.prefixes().shorten(found), expected, "{path}");
        }
    }
    (with, without)
}

#[test]
fn a_file_of_all_paths_is_typed_like_the_table() {
    let table: HashMap<_, _> = rows().map(|row| (row.0, (row.1, row.2))).collect();
    let published = |path: &str| table[path].0;
    let completed = |path: &str| table[path].1;
    let (january, wild) = (&Rules::JANUARY_2019, &Rules::WILD);
    assert_eq!(in_a_file(january, Schema::published(), published), (2_577, 416));
    assert_eq!(in_a_file(january, Schema::completed(), completed), (2_993, 0));
    // GEDC, its VERS and its FORM are serialisation metadata there (D19 *Header metadata*).
    assert_eq!(in_a_file(wild, Schema::completed(), completed), (2_990, 0));
    assert_eq!(in_a_file(&Rules::DECEMBER_2019, Schema::published(), published), (2_574, 416));
}

#[test]
fn parts_are_typed_like_the_whole() {
    let file = every_path();
    let schema = "0 HEAD\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n2 ESC NOTE Q\n2 IRI urn:x:y\n\
                  3 TAG _X https://terms.fhiso.org/elf/Document\n";
    let records = "0 _X\n0 NOTE @#QX@ y\n1 _Y\n0 INDI\n1 _Y\n1 _Y\n0 FAM\n";
    let own = file.replacen("0 HEAD\n", schema, 1).replacen("0 FAM\n", records, 1);
    for (text, rules) in [
        (&file, &Rules::WILD),
        (&file, &Rules::JANUARY_2019),
        (&own, &Rules::JANUARY_2019),
        (&own, &Rules::WILD),
        (&file, &Rules::OCTOBER_2017),
    ] {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let typed = elf_schema::read(text.as_bytes(), rules, &ReadOptions::default(), &mut findings)
            .expect("a short text");
        let whole: Vec<_> = typed
            .document()
            .structures()
            .map(|node| {
                (
                    node.tag().to_owned(),
                    typed.type_of(node).map(str::to_owned),
                    format!("{:?}", node.payload()),
                )
            })
            .collect();
        assert_eq!(whole.iter().any(|(_, of, _)| of.as_deref() == Some("urn:x:y")), std::ptr::eq(text, &own));
        for size in [1, 100, 10_000, 1 << 20] {
            let mut reader = Reader::new(text.as_bytes(), rules, ReadOptions::default()).with_run_size(size);
            let mut parts = Vec::new();
            let mut later: Vec<Diagnostic> = Vec::new();
            while let Some(part) = reader.next_run(&mut later).expect("reading from memory") {
                parts.extend(part.document().structures().map(|node| {
                    (
                        node.tag().to_owned(),
                        part.type_of(node).map(str::to_owned),
                        format!("{:?}", node.payload()),
                    )
                }));
            }
            assert_eq!(parts, whole, "{} in runs of {size}", rules.name);
            let of_schemas = |findings: &[Diagnostic]| -> Vec<_> {
                let of_schemas = findings.iter().filter(|found| found.code.id().starts_with("E04"));
                of_schemas.map(|found| (found.code, found.message.clone(), found.place)).collect()
            };
            assert_eq!(of_schemas(&later), of_schemas(&findings), "{} in runs of {size}", rules.name);
        }
    }
}

#[test]
fn published_is_the_appendix() {
    let schema = Schema::published();
    let declared = schema.types().filter(|(of, _)| schema.declared(*of).is_some()).count();
    assert_eq!((declared, schema.supertype_count()), (176, 67));
    assert_eq!(schema.definitions().count(), 207);
    let prefixes: Vec<_> = schema.prefixes().iter().map(|(prefix, found)| (prefix, &*found.iri)).collect();
    assert_eq!(
        prefixes,
        [("elf", "https://terms.fhiso.org/elf/"), ("elfm", "https://terms.fhiso.org/elf/metadata/")]
    );
    let [escape] = schema.escapes() else { panic!("expected one ESC") };
    assert_eq!((&*escape.tag, escape.types.letters().collect::<String>()), ("DATE", "D".to_owned()));
    assert!(schema.conflicts().is_empty() && schema.circles().is_empty());
    assert!(Schema::completed().conflicts().is_empty());
}

/// The appendix is a document of ELF: with a header and a record like its own around it, the published schema
/// is read from the file and types the file, but for the ELF under GEDC that it forgot (docs/readings.md,
/// S02).
#[test]
fn the_appendix_types_itself() {
    let text = include_str!("../../builtin/published.ged")
        .replacen("2 FORM LINEAGE-LINKED\n", "2 FORM LINEAGE-LINKED\n2 ELF 1.0.0\n", 1)
        .replacen("1 SCHMA\n", "1 SOUR https://fhiso.org/elf/\n1 SUBM @fhiso_elf1@\n1 SCHMA\n", 1)
        .replacen("0 TRLR\n", "0 @fhiso_elf1@ SUBM\n1 NAME FHISO\n0 TRLR\n", 1);
    let facts = |schema: &Schema| -> BTreeSet<String> {
        let definitions = schema
            .definitions()
            .map(|one| format!("{} {} {}", one.tag(), one.superstructure(), one.structure_type()));
        let supertypes = schema.types().flat_map(|(of, iri)| {
            schema.supertypes(of).map(move |(above, _)| format!("{iri} {:?}", schema.iri(above)))
        });
        definitions.chain(supertypes).collect()
    };
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed =
        elf_schema::read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut findings)
            .expect("a short text");
    assert!(!Arc::ptr_eq(typed.schema(), Schema::published()), "its own, not the built-in one");
    assert_eq!(facts(typed.schema()), facts(Schema::published()));
    let types: Vec<_> = typed
        .document()
        .structures()
        .map(|node| (node.tag(), typed.schema().prefixes().shorten(typed.type_of(node).expect("a type"))))
        .collect();
    let types: Vec<_> = types.iter().map(|(tag, of)| (*tag, &**of)).collect();
    assert_eq!(
        types,
        [
            ("NOTE", "elf:GEDCOM_CONTENT_DESCRIPTION"),
            ("GEDC", "elf:GEDCOM_FORMAT"),
            ("VERS", "elf:VERSION_NUMBER"),
            ("FORM", "elf:GEDCOM_FORM"),
            ("ELF", "elf:Undefined#ELF"),
            ("SOUR", "elf:DOCUMENT_SOURCE"),
            ("SUBM", "elf:SUBMITTER_POINTER"),
            ("SUBM", "elf:SUBMITTER_RECORD"),
            ("NAME", "elf:SUBMITTER_NAME"),
        ]
    );
    // The reader knows the ELF version, though the schema does not (S21).
    assert_eq!(findings, []);
}

#[test]
fn contexts_of_gedcom_5_5_have_types_too() {
    let mut resolver = Resolver::new(Arc::clone(Schema::completed()));
    for (path, expected) in [
        ("OBJE.BLOB", "elf:BINARY_OBJECT"),
        ("OBJE.OBJE", "elf:CONTINUED_BINARY_OBJECT"),
        ("INDI.OBJE.FORM", "elf:MULTIMEDIA_FORMAT"),
        ("INDI.OBJE.NOTE", "elf:NOTE_STRUCTURE"),
        ("INDI.ASSO.TYPE", "g551:TYPE-RECORD_TYPE"),
        ("INDI.NOTE.SOUR", "elf:SOURCE_CITATION"),
        ("INDI.BIRT.PLAC.SOUR", "elf:SOURCE_CITATION"),
        ("FAM.MARR.AGE", "elf:AGE_AT_EVENT"),
        ("INDI.BURI", "elf:BURIAL"),
        ("INDI.BRI", "elf:BURIAL"),
    ] {
        assert_eq!(type_of_path(&mut resolver, path).as_deref(), Some(expected), "{path}");
    }
}
