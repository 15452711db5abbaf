//! Named tests about reading.

use super::{expect_equal, expect_true};
use crate::notation::december::{Expected, Input, Outcome, parse_vectors};
use crate::requirements::Requirements;
use crate::run::{outcome_of, tree_of};
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
    for (quote, octets, outcome, _) in december_files()? {
        if outcome == Outcome::Ok {
            let (strict, _) = read(&octets, &Rules::DECEMBER_2019)?;
            let (wild, findings) = read(&octets, &Rules::WILD)?;
            let found = outcome_of(wild.is_complete(), &findings);
            expect_true(
                &format!("{quote} to be conformant by all rules, but it is {found}"),
                found == Outcome::Ok,
            )?;
            expect_equal(&format!("{quote} to be"), &tree_of(&strict), &tree_of(&wild))?;
        }
    }
    Ok(())
}

/// D19-GEN-09.
pub(super) fn nothing_silent() -> Result<(), String> {
    let mut seen = 0;
    for (quote, octets, outcome, _) in december_files()? {
        if outcome != Outcome::Ok {
            for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
                let (_, findings) = read(&octets, rules)?;
                let said = findings.iter().any(|found| found.class.is_error());
                expect_true(&format!("a report on {quote} by the rules {}", rules.name), said)?;
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
    for (quote, octets, outcome, tree) in december_files()? {
        let (document, _) = read(&octets, &Rules::DECEMBER_2019)?;
        if let (Outcome::Ok, Some(tree)) = (outcome, tree) {
            expect_equal(&format!("{quote} to be"), &tree, &tree_of(&document).to_string())?;
            let mut findings: Vec<Diagnostic> = Vec::new();
            let options = elf_schema::ReadOptions::default();
            elf_schema::read(&octets, &Rules::DECEMBER_2019, &options, &mut findings)
                .map_err(|error| error.to_string())?;
            let errors: Vec<_> = findings.iter().filter(|found| found.class.is_error()).collect();
            expect_true(
                &format!("no fault in {quote} with schemas, but found {errors:?}"),
                errors.is_empty(),
            )?;
        }
    }
    Ok(())
}

type File = (String, Vec<u8>, Outcome, Option<String>);

/// The `FILE` vectors of the December table.
fn december_files() -> Result<Vec<File>, String> {
    let requirements = Requirements::load(&crate::folder("requirements"))?;
    let mut files = Vec::new();
    for row in requirements.rows() {
        for vector in parse_vectors(&row.test)? {
            if let (Input::File(octets), Expected::File(outcome, tree)) = (vector.input, vector.expected) {
                files.push((vector.quote, octets, outcome, tree.map(|tree| tree.to_string())));
            }
        }
    }
    Ok(files)
}
