//! Each tag of the dictionary of vendor tags that has an equivalent in GEDCOM 7.0, there and back.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::disallowed_methods, reason = "a test reads a file of the repository")]

use crate::{read, to};
use elf_migrate::Target;
use elf_model::{ReadOptions, Rules};
use elf_schema::vendors::VendorTag;
use elf_schema::{Class, Diagnostic};
use elf_validate::{Against, Standard};
use std::collections::HashMap;
use std::path::Path;

/// The payloads of a tag and the lines under it, which have the level L.
const FORMS: &[&str] = &[
    "",
    " Y",
    " N",
    " some text",
    " Ann /Lee/",
    " Lee",
    " @I9@",
    " Ann /Lee",
    " a, b",
    " 12.5",
    " x\nL CONT y",
    " locked",
    " a.jpg",
    " 0",
    " NOT MARRIED",
    " M1\nL TYPE own kind",
    " 0FB1E5C0-3B6D-4C0A-9A3B-0123456789AB",
    "\nL DATE 1 JAN 1900",
    " text\nL NOTE more\nL TYPE own",
];

/// The number of records with a structure that gets another tag is above this one.
const FEWEST: usize = 1000;

/// Returns a record of GEDCOM 5.5.1 with the tag at its place.
fn record(tag: VendorTag, form: &str) -> Option<String> {
    let mut tags: Vec<&str> = tag.place().split('/').collect();
    match tags[0] {
        "**" => drop(tags.splice(..1, ["INDI", "BIRT"])),
        "HEAD" | "-" | "*" => return None,
        _ => {}
    }
    let is_of_family = tags[0] == "FAM";
    for of in tags.iter_mut().filter(|of| **of == "*") {
        *of = if is_of_family { "MARR" } else { "DEAT" };
    }
    tags.push(tag.tag());
    let mut text = String::new();
    for (level, of) in tags.iter().enumerate() {
        let payload = match (*of, level) {
            (_, 0) => String::new(),
            _ if level + 1 == tags.len() => form.replace("\nL", &format!("\n{}", level + 1)),
            ("NAME", _) => " Ann /Bee/".to_owned(),
            ("SOUR", _) => " @S9@".to_owned(),
            ("OBJE", _) => " @O9@".to_owned(),
            ("DATE", _) => " 1900".to_owned(),
            ("FILE", _) => " b.jpg".to_owned(),
            ("FORM", _) => " jpg".to_owned(),
            ("FAMC" | "FAMS", _) => " @F9@".to_owned(),
            ("CHIL", _) => " @I9@".to_owned(),
            _ => " x".to_owned(),
        };
        let xref = if level == 0 { " @X1@" } else { "" };
        text.push_str(&format!("{level}{xref} {of}{payload}\n"));
    }
    Some(text)
}

/// Returns what each producer writes into HEAD.SOUR, by its key.
fn sources() -> HashMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../elf-schema/facts/vendor-producers.tsv");
    let text = std::fs::read_to_string(path).expect("the producers");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let columns = rows.map(|line| line.split('\t').collect::<Vec<_>>());
    let source = |columns: &[&str]| {
        columns.get(2)?.split(';').next().filter(|source| !source.is_empty()).map(str::to_owned)
    };
    columns.filter_map(|columns| Some((columns.first()?.to_string(), source(&columns)?))).collect()
}

/// Parts of messages about faults that the records of the test have themselves.
const EXCUSED: &[&str] = &[
    "expected `NAME` in",
    "expected `FILE` in",
    "to link back",
    "expected a pointer to",
    "invalid file path",
];

/// Returns what is invalid in a file of GEDCOM 7.0.
fn faults(octets: &[u8]) -> Vec<String> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let options = ReadOptions::default();
    let typed = elf_schema::read(octets, &Rules::GEDCOM_7, &options, &mut found).expect("it is small");
    elf_validate::validate(&typed, Against { standard: Standard::Gedcom70, is_named: true }, &mut found);
    found.retain(|finding| finding.class > Class::Advice);
    let messages = found.into_iter().map(|finding| finding.message.to_string());
    messages.filter(|message| !EXCUSED.iter().any(|part| message.contains(part))).collect()
}

#[test]
fn tags_of_the_dictionary_come_back() {
    let (mut failed, mut count) = (Vec::new(), 0);
    let sources = sources();
    for tag in VendorTag::all().filter(|tag| tag.gedcom_7().is_some()) {
        let source =
            tag.producers().find_map(|producer| sources.get(producer.key())).map_or("X", String::as_str);
        for form in FORMS {
            let Some(record) = record(tag, form) else { continue };
            let file = format!(
                "0 HEAD\n1 SOUR {source}\n1 SUBM @U1@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
                 {record}0 @I9@ INDI\n1 NAME Tom /Lee/\n0 @S9@ SOUR\n1 TITL t\n0 @O9@ OBJE\n1 FILE c.jpg\n2 FORM jpg\n\
                 0 @F9@ FAM\n1 MARR Y\n0 @U1@ SUBM\n1 NAME Ada\n0 TRLR\n"
            );
            let mut found = Vec::new();
            let written = to(Target::Gedcom70, file.as_bytes(), &mut found);
            let text = String::from_utf8_lossy(&written);
            if !text.contains("_VENDOR") {
                continue;
            }
            count += 1;
            let back = to(Target::Gedcom551, &written, &mut found);
            let (one, two) = (read(file.as_bytes()), read(&back));
            let differences = one.differences(&two);
            let is_completed = found.iter().any(|one| one.message.contains("added: GEDCOM 7.0 requires"));
            let faults = faults(&written);
            if !is_completed && !differences.is_empty() || !faults.is_empty() {
                let back = String::from_utf8_lossy(&back);
                failed.push(format!("{record}=>\n{text}=>\n{back}\n{faults:?} {found:?}"));
            }
        }
    }
    assert!(count > FEWEST, "{count}");
    assert!(failed.is_empty(), "{} {}", failed.len(), failed.join("\n"));
}

#[test]
fn labelled_facts_come_back_whatever_their_number() {
    let file = "0 HEAD\n1 SOUR FTM\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n1 _SCHEMA\n2 INDI\n\
        3 _FA47\n4 LABL Duel\n0 @I1@ INDI\n1 _FA47 at dawn\n0 TRLR\n";
    let mut found = Vec::new();
    let written = to(Target::Gedcom70, file.as_bytes(), &mut found);
    assert!(String::from_utf8_lossy(&written).contains("1 EVEN at dawn\n2 TYPE Duel\n2 _VENDOR _FA47\n"));
    let back = String::from_utf8(to(Target::Gedcom551, &written, &mut found)).expect("UTF-8");
    assert!(back.contains("\n1 _FA47 at dawn\n"), "{back}");
}
