//! The laws of migrations: what is valid comes back, parts are the whole, hostile files do no harm.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "the corpus is a folder")]

use crate::{read, to};
use elf_migrate::{MigratedReader, Study, Target};
use elf_model::{ReadOptions, Rules};
use elf_schema::{Class, Diagnostic, Reader, codes};
use elf_validate::{Against, Standard};
use proptest::prelude::*;
use std::io::Read;
use std::path::Path;

/// Migrates a file that is read in runs of about this many bytes.
fn in_parts(octets: &[u8], target: Target, size: usize) -> Vec<u8> {
    let reader = || Reader::new(octets, &Rules::WILD, ReadOptions::default()).with_run_size(size);
    let (mut study, mut first) = (Study::new(target), reader());
    while let Some(part) = first.next_run(&mut ()).expect("memory") {
        study.study_run(&part);
    }
    let migration = study.finish();
    let (mut findings, mut losses) = ((), ());
    let writer = migration.writer(&Rules::WILD);
    let mut migrated = MigratedReader::new(reader(), writer, &mut findings, &mut losses);
    let mut written = Vec::new();
    migrated.read_to_end(&mut written).expect("memory");
    written
}

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(words)
}

const DATES: &[&str] = &[
    "1900",
    "5 OCT 1835",
    "ABT 1900",
    "BET 1900 AND JAN 1910",
    "FROM 1900 TO 1910",
    "@#DJULIAN@ 5 OCT 1700",
    "@#DJULIAN@ 30 JAN 1648/49",
    "30 JAN 1648/49",
    "1648/49",
    "@#DFRENCH R@ 1 VEND 3",
    "@#DHEBREW@ 1 ADR 5783",
    "@#DHEBREW@ 1 ADS 5784",
    "@#DROMAN@ 28",
    "44 B.C.",
    "INT 1900 (when the war began)",
    "(before the war)",
    "BEF @#DGREGORIAN@ 1900",
    "INT @#DJULIAN@ 30 JAN 1648/49 (the king)",
];

const AGES: &[&str] = &["CHILD", "INFANT", "STILLBORN", "<8y", "12y 3m", ">3d", "0y"];

/// An event with its details.
fn event() -> impl Strategy<Value = String> {
    let tag = one_of(&["BIRT", "DEAT", "BURI", "EVEN", "OCCU", "RESI", "BAPM"]);
    let source = one_of(&[
        "2 SOUR @S1@\n3 PAGE 7\n3 DATA\n4 TEXT words\n3 QUAY 2\n",
        "2 SOUR an old book\n3 TEXT words\n3 NOTE torn\n",
        "2 SOUR @S1@\n3 EVEN BIRT\n4 ROLE (guest)\n",
        "",
    ]);
    let media = one_of(&[
        "2 OBJE @O1@\n",
        "2 OBJE\n3 FILE C:\\a b\\c.jpg\n4 FORM jpg\n5 MEDI photo\n3 TITL at sea\n",
        "2 OBJE\n3 FILE a.gif\n4 FORM gif\n3 FILE b.bmp\n4 FORM bmp\n3 TITL two\n",
        "",
    ]);
    let note = one_of(&["2 NOTE @N1@\n", "2 NOTE one\n3 CONT @@two\n", ""]);
    (tag, one_of(DATES), one_of(AGES), source, media, note).prop_map(
        |(tag, date, age, source, media, note)| {
            let payload = if tag == "OCCU" { " smith" } else { "" };
            format!("1 {tag}{payload}\n2 TYPE x\n2 DATE {date}\n2 AGE {age}\n{source}{media}{note}")
        },
    )
}

fn person() -> impl Strategy<Value = String> {
    let more = one_of(&[
        "1 RIN 7\n1 RFN a:b\n1 AFN 1-2\n",
        "1 RESN privacy\n1 FAMC @F1@\n2 PEDI adopted\n2 STAT proven\n",
        "1 ASSO @I1@\n2 RELA witness\n1 ASSO @I1@\n2 RELA land-lord\n",
        "1 NAME Anna /B/\n2 TYPE aka\n2 GIVN Anna\n2 FONE Anna\n3 TYPE kana\n2 ROMN Anna\n3 TYPE mine\n",
        "1 _UID 0123456789ABCDEF0123456789ABCDEF8098\n1 _OWN x\n2 SOUR text\n",
        "1 BAPL\n2 STAT PRE-1970\n3 DATE 1 JAN 1990\n1 SUBM @U1@\n",
        "1 CHAN\n2 DATE 1 JAN 2020\n3 TIME 24:00:00\n",
        "",
    ]);
    let sex = one_of(&["M", "F", "U"]);
    (sex, prop::collection::vec(event(), 0..3), more)
        .prop_map(|(sex, events, more)| format!("1 SEX {sex}\n{}{more}", events.concat()))
}

fn document() -> impl Strategy<Value = String> {
    prop::collection::vec(person(), 1..5).prop_map(|persons| {
        let mut text = "0 HEAD\n1 SOUR TREES\n1 SUBM @U1@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n\
            1 CHAR UTF-8\n1 FILE a.ged\n1 LANG Mandrin\n"
            .to_owned();
        for (at, person) in persons.iter().enumerate() {
            text.push_str(&format!("0 @I{}@ INDI\n{person}", at + 1));
        }
        text.push_str(
            "0 @F1@ FAM\n1 HUSB @I1@\n1 SLGS\n2 STAT DNS/CAN\n3 DATE 1 JAN 1990\n1 RIN 8\n0 @S1@ SOUR\n1 TITL A book\n1 DATA\n2 EVEN BIRT, DEAT\n\
            3 DATE FROM 1800 TO 1900\n0 @O1@ OBJE\n1 FILE a/b.tif\n2 FORM tif\n3 TYPE card\n0 @N1@ NOTE many\n\
            1 CONT lines\n1 RIN 9\n0 @U1@ SUBM\n1 NAME Ada\n1 LANG English\n0 TRLR\n",
        );
        text
    })
}

/// Returns whether a finding says that a date of two years is said otherwise, with its text as a phrase.
fn is_of_a_date(finding: &Diagnostic) -> bool {
    finding.code == codes::STRUCTURE_REARRANGED && finding.message.contains("/49` written as")
}

/// Checks that a file of GEDCOM 5.5.1 comes back from GEDCOM 7.0, with no findings but those that are allowed.
fn check_return(text: &str, is_allowed: impl Fn(&Diagnostic) -> bool) -> Result<(), TestCaseError> {
    let mut found = Vec::new();
    let written = to(Target::Gedcom70, text.as_bytes(), &mut found);
    let back = to(Target::Gedcom551, &written, &mut found);
    let (before, after) = (read(text.as_bytes()), read(&back));
    let differences = before.differences(&after);
    prop_assert!(
        differences.is_empty() && found.iter().all(is_allowed),
        "{differences:?} {found:?}\n{}\n{}",
        String::from_utf8_lossy(&written),
        String::from_utf8_lossy(&back)
    );
    Ok(())
}

proptest! {
    #[test]
    fn valid_files_come_back(text in document()) {
        check_return(&text, is_of_a_date)?;
    }

    #[test]
    fn parts_are_the_whole(text in document(), size in 1_usize..200) {
        let octets = text.as_bytes();
        let whole = to(Target::Gedcom70, octets, &mut Vec::new());
        prop_assert_eq!(&in_parts(octets, Target::Gedcom70, size), &whole);
        prop_assert_eq!(in_parts(&whole, Target::Elf, size), to(Target::Elf, &whole, &mut Vec::new()));
    }

    #[test]
    fn no_octets_do_harm(octets in prop::collection::vec(any::<u8>(), 0..300), lines in "([0-3] (@A@ )?(HEAD|SCHMA|TAG|INDI|SOUR|OBJE|FILE|DATE|NAME|NOTE|BIRT|_X)( (@A@|x|1900|_X y))?\n){0,30}") {
        for octets in [&octets[..], lines.as_bytes()] {
            let written = to(Target::Gedcom70, octets, &mut Vec::new());
            to(Target::Elf, &written, &mut Vec::new());
            to(Target::Elf, octets, &mut Vec::new());
        }
    }
}

const PRODUCERS: &[&str] =
    &["FTW", "FAMILY_HISTORIAN", "Legacy", "AHN", "BROSKEEP", "MYHERITAGE", "RootsMagic", "PAF", "X"];

/// Structures of persons with vendor tags.
const OF_PERSONS: &[&str] = &[
    "1 _MILT\n",
    "1 _MILT Militia\n2 DATE 1900\n",
    "1 _MILT\n2 TYPE Army: reserve\n2 _PRIV Y\n",
    "1 _MILT\n2 TYPE Army\n2 TYPE Navy\n",
    "1 _FA1 by the bishop\n",
    "1 _FA1\n2 TYPE high church\n2 PLAC Rome\n",
    "1 _FA2 x\n",
    "1 _HEIG 6 ft\n2 DATE 1920\n",
    "1 _HEIG\n",
    "1 _ATTR 180 cm\n2 TYPE Height\n",
    "1 _ATTR 180 cm\n",
    "1 _ATTR\n2 TYPE Height\n",
    "1 _MARNM Anna /Huber/\n",
    "1 _MARNM Huber\n",
    "1 _MARNM Anna Huber\n",
    "1 NAME Ada /B/\n2 _AKA Nan /B/\n3 TYPE nickname\n2 _MARNM Huber\n",
    "1 NAME Ada /B/\n2 _AKA Nan /B/\n3 TYPE aka\n3 NOTE at home\n2 _CALL Ad\n2 NICK Addy\n",
    "1 NAME Ada /B/\n2 _MARNM Huber\n2 _MARNM Von Berg\n2 _MARNM /Von Berg/\n2 TYPE birth\n",
    "1 RESN locked\n1 _PRIV Y\n",
    "1 _PRIVATE Y\n",
    "1 _PRIV N\n",
    "1 _UID 0FB1E5C0-3B6D-4C0A-9A3B-0123456789AB\n1 _UID 0fb1e5c03b6d4c0a9a3b0123456789ab\n1 _UID 3\n",
    "1 _UID 0FB1E5C03B6D4C0A9A3B0123456789AB1F2E\n",
    "1 BIRT Y\n2 _SHAR @I1@\n3 ROLE witness\n2 _SHAN Old Tom\n3 ROLE old friend\n",
    "1 BIRT Y\n2 _WITN Old Tom\n2 _GODP @I1@\n2 _WITN @I1@\n",
    "1 _GODP Old Tom\n1 _WITN Old Tom\n",
    "1 _NLIV Y\n",
    "1 _nliv Y\n1 _Milt x\n1 FLAT 3\n1 ADDR 1 Street\n",
    "1 _EMAIL a@@b.example\n",
];

/// Structures of families with vendor tags.
const OF_FAMILIES: &[&str] = &[
    "1 _NMR\n",
    "1 _NMR Y\n2 NOTE never\n",
    "1 MARR Y\n",
    "1 _COML Y\n2 DATE 1850\n",
    "1 _STAT NOT MARRIED\n",
    "1 _STAT Divorced\n",
    "1 _MARR N\n",
    "1 _NONE\n",
    "1 NCHI 2\n",
    "1 _SEPR\n2 DATE 1900\n",
    "1 _ATTR 2\n2 TYPE Houses\n",
    "1 _DIV Y\n",
    "1 _FA1 by hand\n",
    "1 _UID 0FB1E5C0-3B6D-4C0A-9A3B-0123456789AB\n",
    "1 FLAT 3\n",
];

/// A file of GEDCOM 5.5.1 with vendor tags.
fn vendor_document() -> impl Strategy<Value = String> {
    let of_person = prop::sample::subsequence(OF_PERSONS, 0..6).prop_shuffle();
    let of_family = prop::sample::subsequence(OF_FAMILIES, 0..4).prop_shuffle();
    (one_of(PRODUCERS), of_person, of_family).prop_map(|(producer, of_person, of_family)| {
        format!(
            "0 HEAD\n1 SOUR {producer}\n1 SUBM @U1@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
             1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Ordained deacon\n0 @I1@ INDI\n1 NAME Tom /Lee/\n0 @I2@ INDI\n{}\
             1 SEX F\n0 @F1@ FAM\n1 HUSB @I1@\n{}0 @U1@ SUBM\n1 NAME Ada\n0 TRLR\n",
            of_person.concat(),
            of_family.concat()
        )
    })
}

/// Structures of persons in GEDCOM 7.0 that vendor tags may have become.
const FORMS: &[&str] = &[
    "1 EVEN x\n2 TYPE Military service\n",
    "1 EVEN\n2 TYPE Military service: Army\n",
    "1 EVEN x\n2 TYPE Ordained deacon\n",
    "1 EVEN x\n2 TYPE Ordained priest\n",
    "1 FACT 6 ft\n2 TYPE Height\n",
    "1 FACT 6 ft\n2 TYPE Weight\n",
    "1 NAME Anna /Huber/\n2 TYPE MARRIED\n",
    "1 NAME /Huber/\n2 TYPE MARRIED\n",
    "1 NAME Nan /B/\n2 TYPE AKA\n",
    "1 NAME Nan /B/\n2 TYPE OTHER\n3 PHRASE mine\n",
    "1 UID 0fb1e5c0-3b6d-4c0a-9a3b-0123456789ab\n",
    "1 ASSO @I1@\n2 ROLE GODP\n",
    "1 ASSO @I1@\n2 ROLE WITN\n",
    "1 ASSO @I1@\n2 ROLE OTHER\n3 PHRASE cousin\n",
    "1 OCCU smith\n",
    "1 NO CHR\n",
    "1 DEAT Y\n",
];

/// Structures of families in GEDCOM 7.0 that vendor tags may have become.
const FAMILY_FORMS: &[&str] = &[
    "1 NO MARR\n",
    "1 NO DIV\n",
    "1 NO MARR\n2 NOTE never\n",
    "1 MARR Y\n",
    "1 MARR Y\n2 TYPE Common law\n",
    "1 NCHI 0\n",
    "1 NCHI 2\n",
    "1 EVEN\n2 TYPE Separation\n",
    "1 DIV Y\n",
];

/// Lines that say which vendor tag a structure of a family had.
const FAMILY_MARKS: &[&str] = &[
    "",
    "2 _VENDOR _NMR\n",
    "2 _VENDOR _NMR Y\n",
    "2 _VENDOR _STAT NOT MARRIED\n",
    "2 _VENDOR _COML\n",
    "2 _VENDOR _NONE\n",
    "2 _VENDOR _NONE Y\n",
    "2 _VENDOR _SEPR\n",
    "2 _VENDOR _DIV\n",
];

/// Lines that say which vendor tag a structure had.
const MARKS: &[&str] = &[
    "",
    "2 _VENDOR _MILT\n",
    "2 _VENDOR _FA1\n",
    "2 _VENDOR _HEIG\n",
    "2 _VENDOR _MARNM\n",
    "2 _VENDOR _MARNM Huber\n",
    "2 _VENDOR NAME/_MARNM Huber\n",
    "2 _VENDOR NAME/_AKA\n",
    "2 _VENDOR _UID 0fb1e5c03b6d4c0a9a3b0123456789ab\n",
    "2 _VENDOR _GODP\n",
    "2 _VENDOR _GODP @I1@\n",
    "2 _VENDOR _SHAR\n",
    "2 _VENDOR _ATTR\n",
    "2 _VENDOR _NMR\n",
    "2 _VENDOR _NLIV Y\n",
    "2 _VENDOR HUSB @I1@\n",
    "2 _VENDOR BIRT\n",
    "2 _VENDOR _EMAIL\n",
    "2 _VENDOR\n",
    "2 _VENDOR _MILT\n2 _VENDOR _HEIG\n",
];

/// A file of GEDCOM 7.0 whose marks need not fit.
fn marked_document() -> impl Strategy<Value = String> {
    let structure = (one_of(FORMS), one_of(MARKS)).prop_map(|(form, mark)| format!("{form}{mark}"));
    let of_family =
        (one_of(FAMILY_FORMS), one_of(FAMILY_MARKS)).prop_map(|(form, mark)| format!("{form}{mark}"));
    let (persons, families) =
        (prop::collection::vec(structure, 0..8), prop::collection::vec(of_family, 0..4));
    (one_of(PRODUCERS), any::<bool>(), persons, families).prop_map(
        |(producer, has_label, structures, of_family)| {
            let (tag, label) = if has_label {
                (
                    "2 TAG _LABL https://terms.fhiso.org/elf/vendor/HEAD-_SCHEMA-LABL\n",
                    "1 _SCHEMA\n2 INDI\n3 _FA1\n4 _LABL Ordained deacon\n",
                )
            } else {
                ("", "")
            };
            format!(
                "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _VENDOR https://terms.fhiso.org/elf/vendor/_VENDOR\n\
                 {tag}1 SOUR {producer}\n{label}\
                 1 SUBM @U1@\n0 @I1@ INDI\n1 NAME Tom /Lee/\n0 @I2@ INDI\n1 NAME Ada /Lee/\n{}0 @F1@ FAM\n\
                 1 HUSB @I1@\n{}0 @U1@ SUBM\n1 NAME Ada\n0 TRLR\n",
                structures.concat(),
                of_family.concat()
            )
        },
    )
}

/// Returns the records of a file without the marks of vendor tags, each as its sorted lines with their substructures.
fn content_without_marks(octets: &[u8]) -> Vec<Vec<String>> {
    let text = String::from_utf8_lossy(octets);
    let body = text.split("\n0 ").skip(1);
    body.map(|record| {
        let mut structures: Vec<String> = record
            .split("\n1 ")
            .map(|one| {
                one.lines().filter(|line| !line.starts_with("2 _VENDOR")).collect::<Vec<_>>().join("\n")
            })
            .collect();
        structures.sort();
        structures
    })
    .collect()
}

proptest! {
    #[test]
    fn vendor_tags_come_back(text in vendor_document()) {
        check_return(&text, |finding| !is_loss(finding))?;
    }

    #[test]
    fn no_mark_of_a_vendor_tag_changes_what_a_file_says(text in marked_document()) {
        for target in [Target::Gedcom551, Target::Elf] {
            let mut found = Vec::new();
            let back = to(target, text.as_bytes(), &mut found);
            let again = to(Target::Gedcom70, &back, &mut found);
            prop_assert!(
                content_without_marks(&again) == content_without_marks(text.as_bytes())
                    && !found.iter().any(is_loss),
                "{found:?}\n{text}\n{}\n{}", String::from_utf8_lossy(&back), String::from_utf8_lossy(&again)
            );
        }
    }
}

#[test]
fn deep_and_wide_files_take_little_time() {
    let deep: String = (1..20_000).map(|level| format!("{level} _X\n")).collect();
    let deep = format!("0 HEAD\n0 @I1@ INDI\n{deep}{} _X y\n0 TRLR\n", 20_000);
    let wide = format!("0 HEAD\n0 @I1@ INDI\n{}0 TRLR\n", "1 BIRT\n2 DATE\n1 SOUR x\n".repeat(20_000));
    for text in [deep, wide] {
        let written = to(Target::Gedcom70, text.as_bytes(), &mut Vec::new());
        to(Target::Gedcom551, &written, &mut Vec::new());
    }
}

#[test]
fn lines_that_cannot_be_read_are_losses() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n0@I2@INDI\n0 TRLR\n";
    let mut found = Vec::new();
    let written = to(Target::Gedcom70, file, &mut found);
    let text = String::from_utf8_lossy(&written);
    let codes: Vec<_> = found.iter().map(|one: &Diagnostic| one.code).collect();
    assert!(codes.contains(&codes::FAULTY_LINE_WRITTEN), "{codes:?} {text}");
}

/// Returns whether a finding says that something is lost.
fn is_loss(finding: &Diagnostic) -> bool {
    finding.code == codes::STRUCTURE_NOT_CARRIED || finding.code == codes::VALUE_NOT_CARRIED
}

/// The most differences that what one finding speaks of makes: the structure that went, the one that came,
/// and what is under.
const MOST_BENEATH: usize = 4;

/// The folder of the valid files of GEDCOM 7.0 that its authors publish, by a variable of the environment.
const OFFICIAL: &str = "ELF_GEDCOM_7_FILES";

/// Faults that what is written of them may have, and why.
const EXCUSED: &[(&str, &str)] = &[
    ("invalid age", "an age in words stands where readers look for it"),
    ("expected one of `audio`", "a medium in words stands where readers look for it"),
    ("at most 20 characters", "who writes the file shortens identifiers"),
    ("but `@U1@` is `_USER`", "a record of the standard by another tag is an extension in GEDCOM 5.5.1"),
    ("but found `INFANT`", "GEDCOM 5.5.1 has other states for each ordinance"),
    ("unknown tag", "the data model of ELF has it, and readers of GEDCOM 5.5.1 know it"),
];

#[test]
fn valid_files_of_gedcom_7_are_valid_by_gedcom_5_5_1() {
    let Some(folder) = std::env::var_os(OFFICIAL) else {
        eprintln!("{OFFICIAL} names no folder: nothing is tested");
        return;
    };
    let faults = |octets: &[u8], rules: &Rules, standard| {
        let mut found: Vec<Diagnostic> = Vec::new();
        let typed =
            elf_schema::read(octets, rules, &ReadOptions::default(), &mut found).expect("it is small");
        elf_validate::validate(&typed, Against { standard, is_named: true }, &mut found);
        found.retain(|finding| finding.class > Class::Advice);
        found
            .into_iter()
            .map(|one| format!("{:?} {}", one.place.map(|at| at.line), one.message))
            .collect::<Vec<_>>()
    };
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|end| end != "ged") {
            continue;
        }
        let octets = std::fs::read(&path).expect("a file");
        let before = faults(&octets, &Rules::GEDCOM_7, Standard::Gedcom70);
        let written = to(Target::Gedcom551, &octets, &mut Vec::new());
        let after = faults(&written, &Rules::GEDCOM_5_5_1, Standard::Gedcom551);
        let excused = |fault: &String| EXCUSED.iter().any(|(of, _)| fault.contains(of));
        let after: Vec<String> = after.into_iter().filter(|fault| !excused(fault)).collect();
        if !after.is_empty() {
            wrong.push(format!("{}: {before:?} => {:#?}", path.display(), &after[..after.len().min(12)]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_corpus_comes_back_but_for_what_is_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("the corpus is not here: nothing is tested");
        return;
    };
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    for file in
        files.iter().filter(|file| file.extension().is_some_and(|end| end.eq_ignore_ascii_case("ged")))
    {
        let octets = std::fs::read(file).expect("a file");
        let is_of_7 = octets.windows(10).any(|window| window == b"2 VERS 7.0");
        let targets = if is_of_7 { [Target::Elf, Target::Gedcom70] } else { [Target::Gedcom70, Target::Elf] };
        let mut found = Vec::new();
        let written = to(targets[0], &octets, &mut found);
        let back = to(targets[1], &written, &mut found);
        // One line of a file may be lost more than once, but not more than a part of what is there.
        let losses = found.iter().filter(|one| is_loss(one)).count();
        let lines = octets.iter().filter(|&&octet| octet == b'\n').count();
        let (one, two) = (read(&octets), read(&back));
        let differences = one.differences(&two);
        assert!(
            differences.len() <= found.len() * MOST_BENEATH,
            "{}: {} findings, {losses} losses in {lines} lines, {} differences such as {:?}",
            file.display(),
            found.len(),
            differences.len(),
            &differences[..differences.len().min(5)]
        );
    }
}
