//! Named tests about reading.

use super::{expect_equal, expect_true};
use crate::library::{answer_of_file, tree_of};
use crate::suite::Suite;
use crate::vectors::Case;
use crate::vectors::vector::{Form, Outcome};
use elf_base::rules::EncodingNames;
use elf_base::{Diagnostic, Rules, codes};
use elf_octets::Options;
use elf_tagged::{Document, Payload};

fn read<'o>(octets: &'o [u8], rules: &Rules) -> Result<(Document<'o>, Vec<Diagnostic>), String> {
    let mut findings = Vec::new();
    let document = elf_tagged::read(octets, rules, &Options::default(), &mut findings);
    Ok((document.map_err(|error| error.to_string())?, findings))
}

/// D19-OCT-37.
pub(super) fn long_line() -> Result<(), String> {
    let payload = "žluťoučký kůň ".repeat(10_000_000 / 14 + 1);
    let file = format!("0 HEAD\n1 CHAR UTF-8\n0 NOTE {payload}\n0 TRLR\n");
    let (document, findings) = read(file.as_bytes(), &Rules::DECEMBER_2019)?;
    expect_equal("findings", &0, &findings.len())?;
    let note = document.records().next().ok_or("expected a record")?;
    expect_true(
        "the payload unchanged",
        note.text() == payload.as_str() && payload.chars().count() >= 10_000_000,
    )
}

/// D19-OCT-26: only rules that know more names than they can decode can fail in this way. December knows four, and
/// `wild` continues.
pub(super) fn unsupported_encoding() -> Result<(), String> {
    let mut rules = Rules::DECEMBER_2019;
    rules.octets.names = EncodingNames::Producers;
    let (document, findings) = read(b"0 HEAD\n1 CHAR KOI8-U\n0 NOTE a\n0 TRLR\n", &rules)?;
    expect_true("a report of E0104", findings.iter().any(|found| found.code == codes::ENCODING_UNSUPPORTED))?;
    expect_true("the reading to end", !document.is_complete())
}

/// D19-STR-16.
pub(super) fn language() -> Result<(), String> {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 NAME Bob\n1 FAMC @F1@\n0 @F1@ FAM\n0 TRLR\n";
    let (document, _) = read(file, &Rules::DECEMBER_2019)?;
    let person = document.records().next().ok_or("expected a record")?;
    let name = person.substructure("NAME").ok_or("expected a name")?;
    expect_equal("the payload", &Payload::Text("Bob".into()), &name.payload())?;
    expect_equal("the language", &"und", &name.language())?;
    let link = person.substructure("FAMC").ok_or("expected a link")?;
    expect_equal("the payload", &Payload::Pointer("F1"), &link.payload())?;
    let file = b"0 HEAD\n1 CHAR UTF-8\n1 PLANG nds\n0 INDI\n1 NAME Bob\n0 TRLR\n";
    let (document, _) = read(file, &Rules::DECEMBER_2019)?;
    let name =
        document.records().next().and_then(|person| person.substructure("NAME")).ok_or("expected a name")?;
    expect_equal("the language", &"nds", &name.language())
}

/// D19-PTR-12, J19-XRF-18: for the rules that create such records.
pub(super) fn undefined_records() -> Result<(), String> {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 FAM\n1 CHIL @I9@\n1 CHIL @I9@\n1 CHIL @I8@\n0 TRLR\n";
    let (document, _) = read(file, &Rules::JANUARY_2019)?;
    let inserted: Vec<_> = document.records().filter(|record| record.tag() == "UNDEF").collect();
    expect_equal("inserted records", &2, &inserted.len())?;
    for record in &inserted {
        expect_equal("the payload", &Payload::None, &record.payload())?;
        expect_equal("substructures", &0, &record.substructures().count())?;
    }
    let family = document.records().next().ok_or("expected a record")?;
    let targets: Vec<_> =
        family.substructures().map(|child| child.target().map(|target| target.id())).collect();
    expect_true("every pointer to lead somewhere", targets.iter().all(Option::is_some))?;
    expect_true("one record for each identifier", targets[0] == targets[1] && targets[1] != targets[2])
}

/// D19-GEN-02: rules that extend a draft read conformant files in the same way.
pub(super) fn wild_takes_conformant() -> Result<(), String> {
    for File { case, octets, outcome } in files()? {
        if outcome == Outcome::Conformant {
            let (strict, _) = read(&octets, &Rules::DECEMBER_2019)?;
            let (wild, findings) = read(&octets, &Rules::WILD)?;
            // `wild` weighs CHAR against the bytes (AMB-05).
            if findings.iter().any(|found| found.code == codes::ENCODING_CONTRADICTED) {
                continue;
            }
            let errors: Vec<_> = findings.iter().filter(|found| found.class.is_error()).collect();
            expect_true(
                &format!("{} to be conformant by all rules, but found {errors:?}", case.vector.id),
                errors.is_empty() && wild.is_complete(),
            )?;
            expect_equal(&format!("{} to be", case.vector.id), &tree_of(&strict), &tree_of(&wild))?;
        }
    }
    Ok(())
}

/// D19-GEN-09.
pub(super) fn nothing_silent() -> Result<(), String> {
    let mut seen = 0;
    for File { case, octets, outcome } in files()? {
        if outcome != Outcome::Conformant {
            for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
                let (_, findings) = read(&octets, rules)?;
                let is_reported = findings.iter().any(|found| found.class.is_error());
                expect_true(
                    &format!("a report on {} by the rules {}", case.vector.id, rules.name),
                    is_reported,
                )?;
            }
            seen += 1;
        }
    }
    expect_true("vectors that are not conformant", seen > 50)
}

/// D19-GEN-13: the crate that reads structures does not depend on schemas, and schemas do not change its verdict.
pub(super) fn without_schemas() -> Result<(), String> {
    for crate_name in ["base/elf-base", "elf-octets", "elf-lines", "elf-tagged"] {
        let path = crate::folder("..").join(crate_name).join("Cargo.toml");
        let manifest =
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        expect_true(&format!("{crate_name} to import no schemas"), !manifest.contains("elf-schema"))?;
    }
    for File { case, octets, outcome } in files()? {
        let (Outcome::Conformant, Some(records)) = (outcome, &case.vector.records) else { continue };
        let id = &case.vector.id;
        let answer = answer_of_file(&octets, &Rules::DECEMBER_2019, &Options::default())?;
        expect_true(&format!("{id} to be {records}"), answer.records.is_tagged_like(records))?;
        let mut findings: Vec<Diagnostic> = Vec::new();
        let options = elf_schema::ReadOptions::default();
        elf_schema::read(&octets, &Rules::DECEMBER_2019, &options, &mut findings)
            .map_err(|error| error.to_string())?;
        let errors: Vec<_> = findings.iter().filter(|found| found.class.is_error()).collect();
        expect_true(&format!("no fault in {id} with schemas, but found {errors:?}"), errors.is_empty())?;
    }
    Ok(())
}

/// A vector that reads a file by December 2019.
struct File {
    case: Case,
    octets: Vec<u8>,
    outcome: Outcome,
}

/// The vectors that read a file by December 2019 and expect an outcome.
fn files() -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for case in Suite::load()?.vectors.cases {
        let is_file = case.vector.form == Form::Tagged && case.rules == Rules::DECEMBER_2019;
        if let (true, Some(octets), Some(outcome)) = (is_file, case.vector.input()?, case.vector.outcome) {
            files.push(File { case, octets, outcome });
        }
    }
    Ok(files)
}
