//! Named tests about schemas.

use super::{expect_equal, expect_true};
use crate::library::definitions;
use elf_base::{Diagnostic, Rules, codes};
use elf_octets::Options;
use elf_schema::source::{CachedSchema, SuppliedSchemas};
use elf_schema::{Schema, SchemaForm, Tagger};
use std::collections::{BTreeMap, BTreeSet};

/// The schema of a file that refers to `https://e.example/s`, where `external` is served.
fn read_with_external(external: &str) -> Result<(String, Vec<Diagnostic>), String> {
    let mut supplied = SuppliedSchemas::new();
    supplied.add("https://e.example/s", external.as_bytes().to_vec(), None);
    supplied.add("https://e.example/t", b"0 HEAD\n1 SCHMA\n2 ESC _T T\n0 TRLR\n".to_vec(), None);
    let file = b"0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/s\n0 TRLR\n";
    let mut findings = Vec::new();
    let document = elf_tagged::read(file, &Rules::JANUARY_2019, &Options::default(), &mut findings);
    let document = document.map_err(|error| error.to_string())?;
    let schema = Schema::of_document(&document, &supplied, &mut findings).ok_or("expected a schema")?;
    Ok((definitions(&schema).join(" ; "), findings))
}

/// J19-SCH-08.
pub(super) fn only_the_schema_of_a_fetched_file() -> Result<(), String> {
    let (schema, _) = read_with_external("0 HEAD\n1 NOTE hi\n1 SCHMA\n2 ESC DATE D\n0 NOTE x\n0 TRLR\n")?;
    expect_equal("the schema", &"ESC DATE D ; SCHMA https://e.example/s".to_owned(), &schema)
}

/// J19-SCH-09.
pub(super) fn references_of_a_fetched_schema_are_reported() -> Result<(), String> {
    let (_, findings) = read_with_external("0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/t\n0 TRLR\n")?;
    expect_true("a report of E0416", findings.iter().any(|found| found.code == codes::SCHEMA_NESTED))
}

/// J19-SCH-10.
pub(super) fn references_of_a_fetched_schema_are_not_followed() -> Result<(), String> {
    let (schema, _) =
        read_with_external("0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/t\n2 ESC DATE D\n0 TRLR\n")?;
    expect_true(&format!("no definition of the second, but found {schema}"), !schema.contains("_T"))
}

/// J19-OCT-10: a publisher should declare a schema as such, and a reader accepts whatever type is served.
pub(super) fn a_schema_served_as_plain_text_is_read() -> Result<(), String> {
    let mut kept = CachedSchema::new(b"0 HEAD\n1 SCHMA\n2 IRI https://e.example/\xC4\n0 TRLR\n".to_vec());
    kept.content_type = Some("text/plain; charset=windows-1252".to_owned());
    let mut supplied = SuppliedSchemas::new();
    supplied.add_kept("https://e.example/s", &kept);
    let file = b"0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/s\n0 TRLR\n";
    let document = elf_tagged::read(file, &Rules::JANUARY_2019, &Options::default(), &mut ());
    let document = document.map_err(|error| error.to_string())?;
    let schema = Schema::of_document(&document, &supplied, &mut ()).ok_or("expected a schema")?;
    expect_true(
        "the type in the charset that was named",
        schema.type_of("https://e.example/\u{C4}").is_some(),
    )
}

/// J19-SCH-14.
pub(super) fn shortening_is_undone_by_expansion() -> Result<(), String> {
    let schema = Schema::published();
    let prefixes = schema.prefixes();
    expect_equal(
        "a short name",
        &"elf:BIRTH".into(),
        &prefixes.shorten("https://terms.fhiso.org/elf/BIRTH"),
    )?;
    let others = ["https://e.example/x", "elf:BIRTH", "urn:x", "https://terms.fhiso.org/elf/", "zz:A"];
    for iri in schema.types().map(|(_, iri)| iri).chain(others) {
        let short = prefixes.shorten(iri);
        // A string that looks prefixed has no other spelling.
        let expanded = prefixes.expand(&short);
        expect_true(&format!("{iri} back from {short}, not {expanded}"), expanded == iri || short == iri)?;
    }
    Ok(())
}

/// J19-SCH-30.
pub(super) fn the_default_schema_has_its_counts() -> Result<(), String> {
    let schema = Schema::published();
    let declared = schema.types().filter(|(id, _)| schema.declared(*id).is_some()).count();
    expect_equal("IRI structures", &176, &declared)?;
    expect_equal("ISA structures", &67, &schema.supertype_count())?;
    let places: BTreeSet<_> = schema.definitions().filter_map(|one| one.provenance().place).collect();
    expect_equal("TAG structures", &166, &places.len())?;
    let pairs: BTreeSet<_> = schema.definitions().map(|one| (one.tag(), one.superstructure())).collect();
    expect_equal("pairs", &207, &pairs.len())?;
    expect_equal("definitions", &207, &schema.definitions().count())?;
    expect_equal("conflicts", &0, &schema.conflicts().len())?;
    let prefixes: Vec<_> = schema.prefixes().iter().map(|(prefix, bound)| (prefix, &*bound.iri)).collect();
    let expected =
        [("elf", "https://terms.fhiso.org/elf/"), ("elfm", "https://terms.fhiso.org/elf/metadata/")].to_vec();
    expect_equal("prefixes", &expected, &prefixes)?;
    let escapes: Vec<_> =
        schema.escapes().iter().map(|one| (&*one.tag, one.types.letters().collect::<String>())).collect();
    expect_equal("escapes", &vec![("DATE", "D".to_owned())], &escapes)
}

/// J19-TAG-24.
pub(super) fn one_tag_for_a_type() -> Result<(), String> {
    let mut tags: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in Schema::published().definitions() {
        tags.entry(one.structure_type()).or_default().insert(one.tag());
    }
    let several: Vec<_> = tags.iter().filter(|(_, tags)| tags.len() > 1).map(|(iri, _)| *iri).collect();
    expect_equal("types of several tags", &vec!["https://terms.fhiso.org/elf/ADDRESS_EMAIL"], &several)?;
    let mut tagger = Tagger::new(Schema::published());
    let mut made = BTreeSet::new();
    for superstructure in ["INDIVIDUAL_RECORD", "FAM_RECORD", "NOTE_RECORD"] {
        let above = format!("https://terms.fhiso.org/elf/{superstructure}");
        made.insert(tagger.tag(&above, "https://e.example/Shoe").map_err(|error| error.to_string())?);
    }
    expect_equal("tags made for one type", &1, &made.len())?;
    let lines =
        tagger.into_schema().to_lines(&Rules::JANUARY_2019, SchemaForm::Reference).unwrap_or_default();
    let definitions = lines.iter().filter(|line| line.payload.contains("Shoe")).count();
    expect_equal("definitions of it", &1, &definitions)
}

/// J19-OCT-02, O17-002: the completed schema is what this project adds to the drafts.
pub(super) fn a_schema_changes_no_verdict() -> Result<(), String> {
    let completed = elf_schema::ReadOptions::default().with_schema(Some(Schema::completed().clone()));
    for rules in [&Rules::JANUARY_2019, &Rules::OCTOBER_2017] {
        let (mut clean, mut faulty) = (0, 0);
        for seed in 0..120 {
            let mut random = crate::generate::Random::new(seed);
            let faults = if random.chance(50) { 0 } else { 20 };
            let sort =
                crate::generate::Sort { draft: crate::generate::draft_of(rules), own_types: 0, faults };
            let mut lines = crate::generate::make_file(&mut random, sort);
            crate::generate::damage_lines(&mut random, sort, &mut lines);
            let text = lines.join("\n");
            let errors = |options: &elf_schema::ReadOptions<'_>| {
                let mut found: Vec<Diagnostic> = Vec::new();
                let read = elf_schema::read(text.as_bytes(), rules, options, &mut found);
                read.map_err(|error| error.to_string())?;
                let errors = found.iter().filter(|found| found.class.is_error());
                Ok::<_, String>(errors.map(|found| found.code.id()).collect::<Vec<_>>())
            };
            let [own, with] = [errors(&elf_schema::ReadOptions::default())?, errors(&completed)?];
            expect_equal(&format!("the faults of {text:?} by {}", rules.name), &own, &with)?;
            if own.is_empty() {
                clean += 1;
            } else {
                faulty += 1;
            }
        }
        expect_true(
            &format!("files of both kinds by {}: {clean}, {faulty}", rules.name),
            clean > 10 && faulty > 10,
        )?;
    }
    Ok(())
}

/// A schema with a record, a structure under it that preserves escapes of type G, and prefixes.
const OWN: &str = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n\
    2 PRFX ex https://e.example/\n2 ESC _D G\n2 IRI ex:R\n3 TAG _R elf:Document\n2 IRI ex:D\n3 TAG _D ex:R\n0 TRLR\n";

/// The types and texts of all structures of a file, read with these options.
fn read_typed(
    octets: &[u8],
    options: &elf_schema::ReadOptions<'_>,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<(String, String)>, String> {
    let typed = elf_schema::read(octets, &Rules::JANUARY_2019, options, findings);
    let typed = typed.map_err(|error| error.to_string())?;
    let one = |node: elf_tagged::Node<'_>| {
        (typed.type_of(node).unwrap_or_default().to_owned(), node.text().into_owned())
    };
    Ok(typed.document().structures().map(one).collect())
}

/// Converts a file with these options. Returns the bytes and the number of losses.
fn convert_file(octets: &[u8], options: &elf_schema::ReadOptions<'_>) -> Result<(Vec<u8>, u64), String> {
    let rules = &Rules::JANUARY_2019;
    let document = elf_tagged::read_with(octets, rules, &Options::default(), options, &mut ());
    let document = document.map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let write = elf_tagged::write::WriteOptions::new().with_mark(Some(false));
    let summary = elf_schema::convert(document, options, &mut out, rules, &write, &mut ());
    let losses = summary.map_err(|error| error.to_string())?.losses;
    Ok((out, losses))
}

/// J19-ESC-23: escapes are kept if the schema preserves them or is missing, and dropped otherwise.
pub(super) fn an_external_schema_keeps_escapes() -> Result<(), String> {
    let file = b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA https://e.example/s\n0 _R\n1 _D @#GX@ 1\n1 _E @#GX@ 2\n0 TRLR\n";
    let mut supplied = SuppliedSchemas::new();
    supplied.add("https://e.example/s", OWN.as_bytes().to_vec(), None);
    let with = elf_schema::ReadOptions::default().with_external(&supplied);
    let texts = |options: &elf_schema::ReadOptions<'_>, octets: &[u8]| {
        let found = read_typed(octets, options, &mut Vec::new())?;
        Ok::<_, String>(
            found.into_iter().map(|(_, text)| text).filter(|text| !text.is_empty()).collect::<Vec<_>>(),
        )
    };
    let at_hand = vec!["@#GX@ 1".to_owned(), "2".to_owned()];
    expect_equal("the texts with the schema", &at_hand, &texts(&with, file)?)?;
    let (again, losses) = convert_file(file, &with)?;
    // Escapes that were dropped on reading are not written.
    expect_equal("losses", &1, &losses)?;
    let shown = String::from_utf8_lossy(&again).into_owned();
    expect_true(&format!("the escape as it was, in {shown:?}"), shown.contains("\n1 _D @#GX@ 1\n"))?;
    expect_equal("the texts again", &at_hand, &texts(&with, &again)?)?;
    let without = elf_schema::ReadOptions::default();
    let missing = vec!["@#GX@ 1".to_owned(), "@#GX@ 2".to_owned()];
    expect_equal("the texts without the schema", &missing, &texts(&without, file)?)?;
    let (again, losses) = convert_file(file, &without)?;
    expect_equal("losses", &0, &losses)?;
    let shown = String::from_utf8_lossy(&again).into_owned();
    expect_true(
        &format!("the escapes as they were, in {shown:?}"),
        shown.contains("\n1 _D @#GX@ 1\n1 _E @#GX@ 2\n"),
    )
}

/// J19-SER-24, J19-SER-22: types and escapes are read back from the written file alone, whatever schema the input had.
pub(super) fn what_is_written_brings_its_schema() -> Result<(), String> {
    let schema = Schema::read("made.elf", OWN.as_bytes(), &Options::default(), &(), &mut ());
    let schema = schema.map_err(|error| error.to_string())?.ok_or("expected a schema")?;
    let options = elf_schema::ReadOptions::default().with_schema(Some(std::sync::Arc::new(schema)));
    for own in ["", "1 SCHMA\n2 ESC _D Q\n"] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n{own}0 _R\n1 _D @#GX@ 1\n1 _D x\n0 TRLR\n");
        let expected = read_typed(file.as_bytes(), &options, &mut Vec::new())?;
        let types = expected.iter().filter(|(kind, _)| kind.starts_with("https://e.example/")).count();
        expect_equal("structures of types of the schema", &3, &types)?;
        expect_true("an escape that is kept", expected.iter().any(|(_, text)| text == "@#GX@ 1"))?;
        let (octets, losses) = convert_file(file.as_bytes(), &options)?;
        expect_true(
            &format!("no loss beside the schema {own:?}, but {losses}"),
            losses == 0 || !own.is_empty(),
        )?;
        let mut findings = Vec::new();
        let found = read_typed(&octets, &elf_schema::ReadOptions::default(), &mut findings)?;
        expect_equal(&format!("what is read of {}", String::from_utf8_lossy(&octets)), &expected, &found)?;
        expect_equal("errors", &0, &findings.iter().filter(|found| found.class.is_error()).count())?;
    }
    Ok(())
}
