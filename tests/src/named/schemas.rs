//! Named tests about schemas.

use super::{equal, holds};
use crate::run::print_schema;
use elf_base::{Diagnostic, Rules, codes};
use elf_octets::Options;
use elf_schema::source::{Kept, Supplied};
use elf_schema::{Schema, SchemaForm, Tagger};
use std::collections::{BTreeMap, BTreeSet};

/// The schema of a file that refers to `https://e.example/s`, at which `external` stands.
fn with_external(external: &str) -> Result<(String, Vec<Diagnostic>), String> {
    let mut supplied = Supplied::new();
    supplied.add("https://e.example/s", external.as_bytes().to_vec(), None);
    supplied.add("https://e.example/t", b"0 HEAD\n1 SCHMA\n2 ESC _T T\n0 TRLR\n".to_vec(), None);
    let file = b"0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/s\n0 TRLR\n";
    let mut findings = Vec::new();
    let document = elf_tagged::read(file, &Rules::JANUARY_2019, &Options::default(), &mut findings);
    let document = document.map_err(|error| error.to_string())?;
    let schema = Schema::of_document(&document, &supplied, &mut findings).ok_or("expected a schema")?;
    Ok((print_schema(&schema), findings))
}

/// J19-SCH-08.
pub(super) fn only_the_schema_of_a_fetched_file() -> Result<(), String> {
    let (schema, _) = with_external("0 HEAD\n1 NOTE hi\n1 SCHMA\n2 ESC DATE D\n0 NOTE x\n0 TRLR\n")?;
    equal("the schema", &"ESC DATE D ; SCHMA https://e.example/s".to_owned(), &schema)
}

/// J19-SCH-09.
pub(super) fn references_of_a_fetched_schema_are_reported() -> Result<(), String> {
    let (_, findings) = with_external("0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/t\n0 TRLR\n")?;
    holds("a report of E0416", findings.iter().any(|found| found.code == codes::SCHEMA_NESTED))
}

/// J19-SCH-10.
pub(super) fn references_of_a_fetched_schema_are_not_followed() -> Result<(), String> {
    let (schema, _) = with_external("0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/t\n2 ESC DATE D\n0 TRLR\n")?;
    holds(&format!("no definition of the second, but found {schema}"), !schema.contains("_T"))
}

/// J19-OCT-10: whoever publishes a schema should say that it is one, and a reader takes what comes.
pub(super) fn a_schema_served_as_plain_text_is_read() -> Result<(), String> {
    let mut kept = Kept::new(b"0 HEAD\n1 SCHMA\n2 IRI https://e.example/\xC4\n0 TRLR\n".to_vec());
    kept.content_type = Some("text/plain; charset=windows-1252".to_owned());
    let mut supplied = Supplied::new();
    supplied.add_kept("https://e.example/s", &kept);
    let file = b"0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/s\n0 TRLR\n";
    let document = elf_tagged::read(file, &Rules::JANUARY_2019, &Options::default(), &mut ());
    let document = document.map_err(|error| error.to_string())?;
    let schema = Schema::of_document(&document, &supplied, &mut ()).ok_or("expected a schema")?;
    holds("the type in the charset that was named", schema.type_of("https://e.example/\u{C4}").is_some())
}

/// J19-SCH-14.
pub(super) fn shortening_is_undone_by_expansion() -> Result<(), String> {
    let schema = Schema::published();
    let prefixes = schema.prefixes();
    equal("a short name", &"elf:BIRTH".into(), &prefixes.shorten("https://terms.fhiso.org/elf/BIRTH"))?;
    let others = ["https://e.example/x", "elf:BIRTH", "urn:x", "https://terms.fhiso.org/elf/", "zz:A"];
    for iri in schema.types().map(|(_, iri)| iri).chain(others) {
        let short = prefixes.shorten(iri);
        // A string that would be taken for a prefixed one has no other spelling.
        let expanded = prefixes.expand(&short);
        holds(&format!("{iri} back from {short}, not {expanded}"), expanded == iri || short == iri)?;
    }
    Ok(())
}

/// J19-SCH-30.
pub(super) fn the_default_schema_has_its_counts() -> Result<(), String> {
    let schema = Schema::published();
    let declared = schema.types().filter(|(id, _)| schema.declared(*id).is_some()).count();
    equal("IRI structures", &176, &declared)?;
    equal("ISA structures", &67, &schema.supertype_count())?;
    let places: BTreeSet<_> = schema.definitions().filter_map(|one| one.provenance().place).collect();
    equal("TAG structures", &166, &places.len())?;
    let pairs: BTreeSet<_> = schema.definitions().map(|one| (one.tag(), one.superstructure())).collect();
    equal("pairs", &207, &pairs.len())?;
    equal("definitions", &207, &schema.definitions().count())?;
    equal("conflicts", &0, &schema.conflicts().len())?;
    let prefixes: Vec<_> = schema.prefixes().iter().map(|(prefix, bound)| (prefix, &*bound.iri)).collect();
    let expected =
        [("elf", "https://terms.fhiso.org/elf/"), ("elfm", "https://terms.fhiso.org/elf/metadata/")].to_vec();
    equal("prefixes", &expected, &prefixes)?;
    let escapes: Vec<_> =
        schema.escapes().iter().map(|one| (&*one.tag, one.types.letters().collect::<String>())).collect();
    equal("escapes", &vec![("DATE", "D".to_owned())], &escapes)
}

/// J19-TAG-24.
pub(super) fn one_tag_for_a_type() -> Result<(), String> {
    let mut tags: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in Schema::published().definitions() {
        tags.entry(one.structure_type()).or_default().insert(one.tag());
    }
    let several: Vec<_> = tags.iter().filter(|(_, tags)| tags.len() > 1).map(|(iri, _)| *iri).collect();
    equal("types of several tags", &vec!["https://terms.fhiso.org/elf/ADDRESS_EMAIL"], &several)?;
    let mut tagger = Tagger::new(Schema::published());
    let mut made = BTreeSet::new();
    for superstructure in ["INDIVIDUAL_RECORD", "FAM_RECORD", "NOTE_RECORD"] {
        let above = format!("https://terms.fhiso.org/elf/{superstructure}");
        made.insert(tagger.tag(&above, "https://e.example/Shoe").map_err(|error| error.to_string())?);
    }
    equal("tags made for one type", &1, &made.len())?;
    let lines =
        tagger.into_schema().to_lines(&Rules::JANUARY_2019, SchemaForm::Reference).unwrap_or_default();
    let definitions = lines.iter().filter(|line| line.payload.contains("Shoe")).count();
    equal("definitions of it", &1, &definitions)
}

/// J19-OCT-02, O17-002: what this project builds on the drafts is the completed schema.
pub(super) fn a_schema_changes_no_verdict() -> Result<(), String> {
    let completed = elf_schema::ReadOptions::default().with_schema(Some(Schema::completed().clone()));
    for rules in [&Rules::JANUARY_2019, &Rules::OCTOBER_2017] {
        let (mut clean, mut faulty) = (0, 0);
        for seed in 0..120 {
            let mut random = crate::generate::Random::new(seed);
            let faults = if random.chance(50) { 0 } else { 20 };
            let sort = crate::generate::Sort { draft: rules.draft, own_types: 0, faults };
            let mut lines = crate::generate::file(&mut random, sort);
            crate::generate::damage(&mut random, sort, &mut lines);
            let text = lines.join("\n");
            let errors = |options: &elf_schema::ReadOptions<'_>| {
                let mut found: Vec<Diagnostic> = Vec::new();
                let read = elf_schema::read(text.as_bytes(), rules, options, &mut found);
                read.map_err(|error| error.to_string())?;
                let errors = found.iter().filter(|found| found.class.is_error());
                Ok::<_, String>(errors.map(|found| found.code.id()).collect::<Vec<_>>())
            };
            let [own, with] = [errors(&elf_schema::ReadOptions::default())?, errors(&completed)?];
            equal(&format!("the faults of {text:?} by {}", rules.name), &own, &with)?;
            if own.is_empty() {
                clean += 1;
            } else {
                faulty += 1;
            }
        }
        holds(
            &format!("files of both kinds by {}: {clean}, {faulty}", rules.name),
            clean > 10 && faulty > 10,
        )?;
    }
    Ok(())
}
