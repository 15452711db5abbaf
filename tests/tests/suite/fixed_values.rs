//! Law of fixes of payloads: a date, an age or a time in an unusual spelling is written as the standard spells
//! it, with the same meaning; nothing else changes, a second run finds nothing more to fix, and as many
//! findings are gone as are counted.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, FixAction, Rules, Safety};
use elf_edit::{Fixes, fix_document};
use elf_schema::elf_values::{Datatype, Value, recover};
use elf_schema::{ReadOptions, TypedDocument, read};
use elf_tests::corpus::corpus;
use std::collections::{BTreeMap, BTreeSet};

const WILD: &str = include_str!("../../../conformance/requirements/dates-in-the-wild.tsv");

fn typed<'o>(octets: &'o [u8], found: &mut Vec<Diagnostic>) -> TypedDocument<'o> {
    let options = ReadOptions::default().with_check_values(true);
    read(octets, &Rules::WILD, &options, found).expect("a file of less than 4 GiB")
}

/// The fixed file, its fixes and the findings before.
fn fix(octets: &[u8], most: Safety) -> (Vec<u8>, Fixes, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let typed = typed(octets, &mut found);
    let fixes = fix_document(typed.document(), &found, most.into(), &mut ());
    let new = typed.document().source().splice(&fixes.patches).expect("patches in order");
    (new, fixes, found)
}

/// Returns whether two payloads mean the same: dates by their values, ages and times but for blanks, letters
/// and zeros in front.
fn mean_the_same(one: &str, other: &str, datatype: Datatype) -> bool {
    match datatype {
        Datatype::Age | Datatype::Time => {
            // A fixed age has its unit, and an hour two digits: else only letters and blanks differ.
            let bare = |text: &str| text.to_lowercase().replace(' ', "");
            let (one, other) = (bare(one), bare(other));
            one == other || format!("{one}y") == other || format!("0{one}") == other
        }
        _ => {
            let meant = recover(one).map_or_else(|| one.to_owned(), |found| found.text);
            Value::read(meant, datatype) == Value::read(other.to_owned(), datatype)
        }
    }
}

/// The numbers in a text that can be years.
fn years(text: &str) -> Vec<&str> {
    // A year of antiquity gets three digits.
    let numbers = text.split(|c: char| !c.is_ascii_digit()).map(|digits| digits.trim_start_matches('0'));
    numbers.filter(|digits| digits.len() > 2).collect()
}

/// Checks the law for one file; returns the number of payloads that were fixed.
fn check(octets: &[u8]) -> usize {
    let (new, fixes, found) = fix(octets, Safety::Safe);
    let (again, twice, left) = fix(&new, Safety::Safe);
    assert_eq!(twice.patches, [], "a second run fixes nothing");
    assert_eq!(again, new);
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    found.iter().for_each(|finding| *counts.entry(finding.code.id()).or_default() += 1);
    left.iter().for_each(|finding| *counts.entry(finding.code.id()).or_default() -= 1);
    for code in ["E0601", "E0602", "E0603", "E0604", "E0605", "E0606", "E0607", "E0608", "E0609"] {
        let fixed = fixes.fixed.iter().filter(|one| found[one.finding].code.id() == code).count();
        assert_eq!(counts.get(code).copied().unwrap_or_default(), fixed as i64, "{code}");
    }
    let (before, after) = (typed(octets, &mut Vec::new()), typed(&new, &mut Vec::new()));
    let mut changed = 0;
    let nodes = before.document().structures().zip(after.document().structures());
    for (one, other) in nodes {
        let (was, is) = (one.text(), other.text());
        assert_eq!((one.tag(), before.datatype(one)), (other.tag(), after.datatype(other)));
        if was != is {
            changed += 1;
            let datatype = before.datatype(one);
            assert!(datatype.is_of_dates(), "{was}");
            assert!(mean_the_same(&was, &is, datatype), "{was} {is}");
            assert!(!matches!(Value::read(is.clone(), datatype), Value::Text(_)), "{is}");
            assert_eq!(years(&was), years(&is), "{was}");
        }
    }
    assert_eq!(before.document().structures().count(), after.document().structures().count());
    changed
}

/// A file with a payload in every record.
fn file(payloads: &[&str]) -> String {
    let mut file =
        "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n1 DATE 5 Oct 2001\n".to_owned();
    for (number, payload) in payloads.iter().enumerate() {
        file.push_str(&format!("0 @I{number}@ INDI\n1 BIRT\n2 DATE {payload}\n2 PLAC x\n"));
    }
    file.push_str("0 TRLR\n");
    file
}

#[test]
fn unusual_spellings_of_real_programs_are_fixed_and_keep_their_meaning() {
    let rows = WILD.lines().skip(1).filter_map(|row| row.split('\t').nth(3));
    let payloads: Vec<&str> =
        rows.flat_map(|forms| forms.split(" ; ")).filter(|form| !form.is_empty()).collect();
    let text = file(&payloads);
    let changed = check(text.as_bytes());
    assert!(changed > 17, "{changed}");
    assert_eq!(check(text.replace('\n', "\r\n").as_bytes()), changed);
    let utf_16: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(text.replace("UTF-8", "UNICODE").encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(check(&utf_16), changed);
}

#[test]
fn what_is_not_certain_is_left_alone() {
    for lines in [
        "2 DATE 5 Oct\n3 CONC  1900",
        "2 DATE 5 Oct 1900\n3 CONT x",
        "2 DATE @@#DJULIAN@@ 30 Jan 1648",
        "2 DATE @#DJULIAN@ 30 Jan 1648 @",
        "2 DATE @#DJULIAN@ 30 Jan\n3 CONC  1648",
        "2 DATE (one @@) 5 Oct 1900",
        "2 DATE 12/05/1890",
        "2 DATE 1840-1860",
        "2 DATE 1.5.1900",
        "2 DATE soon",
        "2 DATE\n2 AGE",
    ] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 BIRT\n{lines}\n0 TRLR\n");
        assert_eq!(check(file.as_bytes()), 0, "{lines}");
    }
}

#[test]
fn a_date_keeps_its_calendars() {
    for (written, fixed_as) in [
        ("@#DJULIAN@30 JAN 1648", "@#DJULIAN@ 30 JAN 1648"),
        ("@#DJULIAN@ 30 Jan 1648", "@#DJULIAN@ 30 JAN 1648"),
        (
            "Bet @#DJULIAN@ 1 jan 1648 and @#DJULIAN@ 3 Jan 1648",
            "BET @#DJULIAN@ 1 JAN 1648 AND @#DJULIAN@ 3 JAN 1648",
        ),
        ("@#DFRENCH R@ 3 nivo 2", "@#DFRENCH R@ 3 NIVO 2"),
    ] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 BIRT\n2 DATE {written}\n0 TRLR\n");
        assert_eq!(check(file.as_bytes()), 1, "{written}");
        let (new, ..) = fix(file.as_bytes(), Safety::Safe);
        assert!(String::from_utf8_lossy(&new).contains(&format!("DATE {fixed_as}\n")), "{written}");
    }
}

#[test]
fn a_payload_is_fixed_beside_other_findings_of_its_line() {
    let file = b"0 Head\n1 CHAR utf8\n0 INDI\n1 BIRT\n02 DATE abt. 5  Oct 1900\n2 AGE 17 Y\n1 CHAN\n2 DATE 5 Oct 1900\n\
        3 TIME 8:35\n2 NOTE a@b\n1 BIRT\n2 DATE BET 5 SEPT 1900 AND 7 SEPT 1900\n0 TRLR\n";
    let (new, fixes, found) = fix(file, Safety::Safe);
    let new = String::from_utf8(new).expect("text");
    for line in [
        "2 DATE ABT 5 OCT 1900\n2 AGE 17y\n",
        "2 DATE 5 OCT 1900\n3 TIME 08:35\n2 NOTE a@@b\n",
        "2 DATE BET 5 SEP 1900 AND 7 SEP 1900\n",
    ] {
        assert!(new.contains(line), "{new}");
    }
    assert_eq!(fixes.fixed.len(), found.iter().filter(|finding| finding.fix.is_some()).count());
    check(file);
}

#[test]
fn each_code_of_values_that_promises_a_fix_has_one() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 BIRT\n2 DATE 5 Oct 1900\n2 AGE 17 Y\n1 DEAT\n2 DATE 5 SEPT 1900\n1 BURI\n2 DATE abt. 1900\n1 CHAN\n\
        2 DATE 5 OCT 1900\n3 TIME 8:35\n1 EVEN\n2 AGE 42\n2 DATE BET 1900 AND 1890\n0 TRLR\n";
    let (_, fixes, found) = fix(file, Safety::Safe);
    let fixed = fixes.fixed.iter().map(|one| found[one.finding].code.id()).collect::<BTreeSet<_>>();
    let of_values = elf_base::codes::all().filter(|code| code.id().starts_with("E06"));
    assert_eq!(
        fixed,
        of_values.filter(|code| code.fix() == Some(Safety::Safe)).map(|code| code.id()).collect()
    );
}

#[test]
fn a_guess_is_made_where_it_is_asked_for() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 BIRT\n2 DATE 1840-1860\n1 DEAT\n2 DATE 12/05/1890\n0 TRLR\n";
    let (new, ..) = fix(file, Safety::Unsafe);
    let new = String::from_utf8(new).expect("text");
    assert!(new.contains("2 DATE BET 1840 AND 1860\n") && new.contains("2 DATE 12/05/1890\n"), "{new}");
}

#[test]
fn payloads_of_real_files_are_fixed_and_keep_their_meaning() {
    let Some(files) = corpus() else { return };
    let mut changed = 0;
    for file in &files {
        let mut found = Vec::new();
        typed(&file.octets, &mut found);
        let is_set = |finding: &Diagnostic| {
            finding.fix.as_ref().is_some_and(|fix| matches!(fix.action, FixAction::SetPayload(_)))
        };
        if found.iter().any(is_set) {
            changed += check(&file.octets);
        }
    }
    assert!(changed > 0);
}
