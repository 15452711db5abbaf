//! The words of findings; and one value at one place is one finding.

use crate::named;
use elf_schema::{Diagnostic, ReadOptions, Rules};
use elf_validate::{Standard, validate};

/// The findings in the lines of a person, those of the reader too.
fn found(lines: &str, standard: Standard) -> Vec<String> {
    let file = format!(
        "0 HEAD\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
         0 @U@ SUBM\n1 NAME x\n0 @F1@ FAM\n0 @I1@ INDI\n{lines}\n0 TRLR\n"
    );
    let mut found = Vec::new();
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut found)
        .expect("a small file");
    validate(&typed, named(standard), &mut found);
    found.iter().map(|found| format!("{} {}", found.code, found.message)).collect()
}

fn by_types(lines: &str) -> Vec<String> {
    found(lines, Standard::DataModel)
}

#[test]
fn messages_of_the_data_model_name_tags() {
    let lines = "1 OBJE\n2 FILE x";
    assert_eq!(by_types(lines), ["E0901 expected `FORM` in `FILE`, but found none"]);
    let lines = "1 SEX F\n0 @F2@ FAM\n1 MARR\n2 HUSB\n3 AGE 20y\n2 HUSB\n3 AGE 20y";
    assert_eq!(by_types(lines), ["E0902 expected at most 1 `HUSB` in `MARR`, but found another one"]);
    assert_eq!(by_types("1 FAMS @U@"), ["E0906 expected a pointer to `FAM`, but `@U@` is `SUBM`"]);
    let doubled = "E0904 expected a pointer, but found the text `@F1@`: doubled at signs mean text";
    assert_eq!(by_types("1 FAMS @@F1@@"), [doubled]);
    assert_eq!(by_types("1 FAMS F1"), ["E0904 expected a pointer, but found `F1`"]);
}

#[test]
fn a_text_like_a_pointer_is_asked_about() {
    for (line, standard, expected) in [
        ("1 FAMS @@F1@@", Standard::DataModel, Some("did you mean `@F1@`? It must point to `FAM`")),
        ("1 FAMS F1", Standard::Gedcom551, Some("did you mean `@F1@`? It must point to `FAM`")),
        (
            "1 FAMS the first",
            Standard::Gedcom551,
            Some("programs do not expect it here: they lose it or show it as plain text"),
        ),
    ] {
        let file = format!("0 HEAD\n0 @F1@ FAM\n0 @I1@ INDI\n{line}\n0 TRLR\n");
        let mut all: Vec<Diagnostic> = Vec::new();
        let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
            .expect("a small file");
        validate(&typed, named(standard), &mut all);
        let found = all.iter().find(|found| found.code.id() == "E0904").expect("a finding");
        assert_eq!(found.help.as_deref(), expected, "{line}");
    }
}

#[test]
fn the_header_is_held_to_its_tags_too() {
    let file = "0 HEAD\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5.1\n3 YYYY x\n2 FORM LINEAGE-LINKED\n2 ZZZZ x\n1 CHAR UTF-8\n\
                2 XXXX x\n0 @U@ SUBM\n1 NAME x\n0 TRLR\n";
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut found = Vec::new();
    validate(&typed, named(Standard::Gedcom551), &mut found);
    let mut lines: Vec<u64> = found.iter().filter_map(|found| Some(found.place?.line)).collect();
    lines.sort_unstable();
    assert_eq!(lines, [6, 8, 10], "{found:?}");
    // An address with neither lines nor parts says nothing.
    assert!(found_of("1 RESI\n2 ADDR").iter().any(|said| said.starts_with("E0912")));
}

fn found_of(lines: &str) -> Vec<String> {
    found(lines, Standard::Gedcom551)
}

#[test]
fn a_pointer_is_reported_where_none_may_stand() {
    let codes = |lines, standard| -> Vec<String> {
        found(lines, standard).iter().filter_map(|found| Some(found.get(..5)?.to_owned())).collect()
    };
    for standard in [Standard::DataModel, Standard::Gedcom551] {
        // Whether it leads anywhere is another question.
        assert_eq!(codes("1 OCCU @X9@", standard), ["E0327", "E0904"], "{standard}");
        assert_eq!(codes("1 FAMC @X9@", standard), ["E0327"], "{standard}");
        assert_eq!(codes("1 OCCU @F1@", standard), ["E0904"], "{standard}");
        let nested = "1 FAMS @A2@\n1 BIRT Y\n2 @A2@ TYPE x";
        assert!(!codes(nested, standard).contains(&"E0906".to_owned()), "{standard}");
        assert!(codes(nested, standard).contains(&"E0330".to_owned()), "{standard}");
    }
}

#[test]
fn a_pointer_to_an_extension_leads_to_nothing_of_its_type() {
    for tag in ["fam", "_LOC"] {
        let expected = format!("E0906 expected a pointer to `FAM`, but `@L@` is `{tag}`");
        assert!(by_types(&format!("1 FAMS @L@\n0 @L@ {tag}")).contains(&expected), "{tag}");
    }
}

#[test]
fn a_value_outside_its_grammar_is_not_too_long_as_well() {
    for (lines, code) in [
        ("1 NCHI many children", "E0908"),
        ("1 BIRT\n2 DATE some time in the long winter of the year 1900", "E0601"),
        ("1 SEX F\n1 BIRT\n2 PLAC x\n3 MAP\n4 LATI +50\u{b0} 3\u{2032} 1.49\u{2033}\n4 LONG E4", "E0908"),
    ] {
        let said = found(lines, Standard::Gedcom551);
        assert_eq!(said.iter().filter_map(|said| said.get(..5)).collect::<Vec<_>>(), [code], "{lines}");
    }
}

/// The findings of a file.
fn diagnostics(file: &str, standard: Standard) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    validate(&typed, named(standard), &mut found);
    found
}

#[test]
fn of_what_stands_too_often_the_first_is_named() {
    let file = "0 HEAD\n0 @A@ SUBN\n0 @I1@ INDI\n1 NAME a\n1 SEX F\n1 NOTE x\n1 SEX M\n1 SEX F\n\
                0 @I2@ INDI\n1 SEX M\n0 @B@ SUBN\n0 TRLR\n";
    for standard in [Standard::DataModel, Standard::Gedcom551] {
        let found = diagnostics(file, standard);
        let repeated = found.iter().filter(|found| found.code.id() == "E0902");
        let lines: Vec<(u64, u64)> =
            repeated.map(|found| (found.place.expect("a place").line, found.related[0].place.line)).collect();
        let records = if standard == Standard::Gedcom551 { &[(11, 2)][..] } else { &[] };
        assert_eq!(lines, [&[(7, 5), (8, 5)], records].concat(), "{standard}");
        assert!(found.iter().flat_map(|found| &found.related).all(|first| first.excerpt.is_some()));
    }
}

#[test]
fn gedcom_7_has_no_conc() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NOTE a\n2 CONC b\n2 CONT c\n2 CONC d\n\
                1 _X\n2 CONC e\n0 TRLR\n";
    let said = |rules, standard| -> Vec<(String, Option<u64>)> {
        let typed = elf_schema::read(file.as_bytes(), rules, &ReadOptions::default(), &mut ());
        let mut found: Vec<Diagnostic> = Vec::new();
        validate(&typed.expect("a small file"), named(standard), &mut found);
        let of_tags = found.iter().filter(|found| found.code.id() == "E0415");
        of_tags.map(|found| (found.message.to_string(), found.place.map(|place| place.line))).collect()
    };
    let message = "unknown tag `CONC` under `NOTE` (2 occurrences)";
    assert_eq!(said(&Rules::GEDCOM_5_5_1, Standard::Gedcom70), [(message.to_owned(), Some(6))]);
    assert_eq!(said(&Rules::GEDCOM_5_5_1, Standard::Gedcom551), []);
    // The reader says so by the rules of GEDCOM 7.
    assert_eq!(said(&Rules::GEDCOM_7, Standard::Gedcom70), []);
}

#[test]
fn what_the_reader_says_of_a_header_is_not_said_again() {
    let file =
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n1 NOTE a\n2 FORM b\n0 TRLR\n";
    let found = diagnostics(file, Standard::Gedcom70);
    let tags: Vec<(&str, u64)> =
        found.iter().map(|one| (one.code.id(), one.place.map_or(0, |at| at.line))).collect();
    assert_eq!(tags, [("E0415", 7)]);
}
