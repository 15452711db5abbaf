//! Ages that events state, of persons and of couples.

use crate::{codes, lineage, questions};
use elf_lineage::{LineageBuilder, LineageReader, QuestionOptions};
use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};

/// A person born in 1800 with these other lines.
fn born_in_1800(lines: &str) -> String {
    format!("0 @I1@ INDI\n1 NAME Jane /Doe/\n1 BIRT\n2 DATE 1800\n{lines}")
}

#[test]
fn the_finding_names_the_age_the_event_and_the_birth() {
    let person = born_in_1800("1 CENS\n2 DATE 1870\n2 AGE 33y");
    let found = questions(&lineage(&person), true);
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        found.to_string(),
        "line 9, column 1: question[P21]: the census of Jane Doe (@I1@) is dated in 1870, at least 69 years after the \
         birth in 1800, and states an age of 33 years"
    );
    let related: Vec<u64> = found.related.iter().map(|one| one.place.line).collect();
    assert_eq!(related, [6, 8]);
    let young = born_in_1800("1 CENS\n2 DATE 1810\n2 AGE 33y");
    let found = questions(&lineage(&young), true);
    assert!(
        found[0]
            .message
            .contains("in 1810, at most 10 years after the birth in 1800, and states an age of 33")
    );
}

#[test]
fn ages_of_persons() {
    for (lines, is_asked) in [
        ("1 CENS\n2 DATE 1834\n2 AGE 33y", false),
        ("1 CENS\n2 DATE 1870\n2 AGE > 33y", false),
        ("1 CENS\n2 DATE 1820\n2 AGE > 33y", true),
        ("1 CENS\n2 DATE 1820\n2 AGE < 8y", true),
        // Rounded down to a multiple of five.
        ("1 CENS\n2 DATE 1844\n2 AGE 40", false),
        ("1 DEAT\n2 DATE 1815\n2 AGE CHILD", false),
        ("1 DEAT\n2 DATE 1830\n2 AGE CHILD", true),
        ("1 DEAT\n2 DATE 1830\n2 AGE INFANT", true),
        ("1 DEAT\n2 DATE 1801\n2 AGE STILLBORN", false),
        ("1 DEAT\n2 DATE 1810\n2 AGE STILLBORN", true),
        ("1 DEAT\n2 DATE 1810\n2 AGE 3m", true),
        ("1 DEAT\n2 DATE 1870\n2 AGE 33", true),
        // As it is fixed.
        ("1 DEAT\n2 DATE 1870\n2 AGE 33Y", true),
        ("1 DEAT\n2 DATE 1870\n2 AGE 33 y", true),
        ("1 DEAT\n2 DATE 1834\n2 AGE 33 Y", false),
        ("1 DEAT\n2 DATE 1830\n2 AGE child", true),
        ("1 DEAT\n2 DATE 1870\n2 AGE 33 years", false),
        ("1 DEAT\n2 DATE 1870\n2 AGE about 33", false),
        ("1 DEAT\n2 AGE 33y", false),
        ("1 DEAT\n2 DATE (about 1870)\n2 AGE 33y", false),
        // The dead grow no older.
        ("1 DEAT\n2 DATE 1834\n1 BURI\n2 DATE 1870\n2 AGE 33y", false),
        ("1 DEAT\n2 DATE BEF 1870\n1 BURI\n2 DATE 1870\n2 AGE 33y", false),
        ("1 DEAT\n2 DATE 1850\n1 BURI\n2 DATE 1870\n2 AGE 33y", true),
    ] {
        let asked = codes(&born_in_1800(lines), true).contains(&"P21");
        assert_eq!(asked, is_asked, "{lines}");
        assert!(!codes(&born_in_1800(lines), false).contains(&"P21"));
    }
    // What is before the birth is another question, whatever the age.
    assert_eq!(codes(&born_in_1800("1 CENS\n2 DATE 1790\n2 AGE 33y"), true), ["P06"]);
}

/// A couple of whom the wife was born in 1800, married in 1850.
fn couple(lines: &str) -> String {
    format!(
        "0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n1 MARR\n2 DATE 1850\n{lines}\n0 @I2@ INDI\n1 BIRT\n2 DATE 1820\n{}",
        born_in_1800("1 SEX F")
    )
}

#[test]
fn ages_of_couples() {
    for (lines, count) in [
        ("2 HUSB\n3 AGE 30y\n2 WIFE\n3 AGE 49y", 0),
        ("2 HUSB\n3 AGE 49y\n2 WIFE\n3 AGE 49y", 1),
        ("2 HUSB\n3 AGE 49y\n2 WIFE\n3 AGE 30y", 2),
        ("2 AGE 10y", 0),
        ("2 WIFE\n3 AGE 31y\n1 WIFE @I3@\n0 @I3@ INDI", 0),
    ] {
        let asked = codes(&couple(lines), true);
        assert_eq!(asked.iter().filter(|code| **code == "P21").count(), count, "{lines}");
    }
}

#[test]
fn ages_in_other_parts_and_in_gedcom_7_are_compared_too() {
    let body = couple("2 WIFE\n3 AGE 31y");
    for head in ["1 CHAR UTF-8", "1 GEDC\n2 VERS 7.0"] {
        let file =
            format!("0 HEAD\n{head}\n{}\n{body}\n1 CENS\n2 DATE 1810\n2 AGE 33y\n0 TRLR\n", "0 @I9@ INDI");
        let mut reader = Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default()).with_run_size(1);
        let mut builder = LineageBuilder::default();
        while let Some(run) = reader.next_run(&mut ()).expect("octets in memory") {
            builder.take(LineageReader::new(run.schema()).read(&run));
        }
        let mut found: Vec<Diagnostic> = Vec::new();
        let options = QuestionOptions::on_date(2026, 11, 22).expect("a day").with_unlikely(true);
        builder.build().questions(&options, &mut found);
        found.retain(|found| found.code == elf_schema::codes::AGE_CONTRADICTED);
        let whose: Vec<_> =
            found.iter().map(|found| (found.code.id(), found.message.contains("marriage of Jane"))).collect();
        assert_eq!(whose, [("P21", true), ("P21", false)], "{head}");
    }
}
