//! Tests of what the header says of the serialisation, and of what is wrong with it, by each set of rules.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_tagged::write::{WriteOptions, write_document};
use elf_tagged::{Diagnostic, Document, Options, Payload, Rules, read};

/// Reads a file and gives it with `line CODE class` of each finding.
fn findings<'o>(rules: &Rules, file: &'o str) -> (Document<'o>, Vec<String>) {
    let mut found: Vec<Diagnostic> = Vec::new();
    let document = read(file.as_bytes(), rules, &Options::default(), &mut found).expect("small");
    let shown = |finding: &Diagnostic| {
        let line = finding.place.map_or(0, |place| place.line);
        let grave = if finding.class.is_error() { "!" } else { "" };
        format!("{line} {}{grave}", finding.code.id())
    };
    (document, found.iter().map(shown).collect())
}

/// Asserts what is found in a header with those lines in front of two records.
#[track_caller]
fn header(rules: &Rules, lines: &str, expected: &[&str]) {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n");
    let (_, found) = findings(rules, &file);
    assert_eq!(found, expected, "{}: {lines}", rules.name);
}

const DECEMBER: [&Rules; 2] = [&Rules::DECEMBER_2019, &Rules::WILD];

#[test]
fn payload_languages_are_language_tags_wherever_they_stand() {
    let well = "und nds en-GB pt-br DE zh-Hant-TW sl-rozaj-biske de-CH-1901 es-419 x-klingon de-x-a1 i-klingon \
        en-GB-oed art-lojban zh-min-nan zh-cmn-Hans-CN en-u-islamcal en-a-bbb-x-a-ccc qaa-Qaaa-QM-x-southern abcd \
        german sgn-BE-FR hy-Latn-IT-arevela de-Latn-DE-1996 x-whatever";
    let ill = "x a en-x en-a i-foo a-DE de-419-DE zh-a-b ar-a de_DE de- -de de--AT abcdefghi d\u{e9} 12 de-x- en-GB-oedx \
        de-abcdefghi";
    for rules in DECEMBER {
        for tag in well.split_whitespace() {
            header(rules, &format!("1 PLANG {tag}\n0 NOTE a\n1 PLANG {tag}\n"), &[]);
        }
        for tag in ill.split_whitespace() {
            header(rules, &format!("1 PLANG {tag}\n0 NOTE a\n1 PLANG {tag}\n"), &["3 E0331!", "5 E0331!"]);
        }
        header(rules, "1 NOTE a\n2 PLANG de_DE\n1 NOTE b\n2 PLANG de\n", &["4 E0331!"]);
        header(rules, "0 NOTE a\n1 PLANG\n", &["4 E0331!"]);
        header(rules, "0 NOTE a\n1 PLANG de\n2 CONC -AT\n0 NOTE b\n1 PLANG d@#U65@\n", &[]);
        header(rules, "0 NOTE a\n1 PLANG de\n2 CONT -AT\n", &["4 E0331!"]);
    }
    header(&Rules::JANUARY_2019, "1 PLANG de_DE\n0 NOTE a\n1 PLANG x\n", &[]);
}

#[test]
fn plang_and_dtype_describe_payloads_and_nothing_else() {
    for rules in DECEMBER {
        header(rules, "0 PLANG de\n0 DTYPE x\n", &["3 E0338!", "4 E0338!"]);
        header(rules, "0 @X@ NOTE a\n1 PLANG @X@\n0 NOTE b\n1 DTYPE @X@\n", &["4 E0338!", "6 E0338!"]);
        header(rules, "0 @X@ NOTE a\n0 INDI\n1 NOTE @X@\n2 PLANG de\n2 DTYPE x\n", &["6 E0338!", "7 E0338!"]);
        header(
            rules,
            "0 NOTE a\n1 PLANG de\n1 DTYPE x\n1 SOUR b\n2 PLANG de\n1 PLANG fr\n1 DTYPE y\n",
            &["8 E0338!", "9 E0338!"],
        );
        header(rules, "0 NOTE a\n1 PLANG de\n0 NOTE b\n1 PLANG de\n1 DTYPE xsd:string\n", &[]);
        header(
            rules,
            "1 NOTE a\n2 PLANG de\n2 PLANG fr\n1 SCHMA https://e.example/\n2 PLANG x\n2 PLANG y\n",
            &["5 E0338!"],
        );
    }
    header(&Rules::JANUARY_2019, "0 PLANG de\n0 NOTE\n1 DTYPE x\n1 DTYPE y\n", &[]);
}

#[test]
fn serialisation_metadata_bears_no_identifiers() {
    let lines =
        "1 @C@ SCHMA\n2 @P@ PRFX ex https://e.example/\n2 IRI ex:A\n3 @Y@ TAG _A ex:B\n1 @N@ NOTE x\n";
    header(&Rules::JANUARY_2019, lines, &["3 E0313!", "4 E0313!", "6 E0313!"]);
    header(&Rules::DECLARATIVE, lines, &["3 E0313!", "4 E0313!", "6 E0313!", "7 E0313!"]);
    for rules in DECEMBER {
        header(rules, lines, &["3 E0313!", "4 E0313!", "6 E0313!"]);
    }
    header(&Rules::OCTOBER_2017, "1 @P@ PRFX ex https://e.example/\n1 @N@ NOTE x\n", &[]);
}

#[test]
fn serialisation_metadata_that_is_repeated() {
    for rules in Rules::PRESETS {
        let found: &[&str] = match rules.name {
            "2017-07" | "2017-10" => &["3 E0316"],
            "gedcom-7" => &["2 E0342!", "3 E0316!", "3 E0342!"],
            _ => &["3 E0316!"],
        };
        header(rules, "1 CHAR ANSEL\n", found);
    }
    header(&Rules::DECLARATIVE, "1 SCHMA\n1 SCHMA\n", &["4 E0316!"]);
    header(&Rules::JANUARY_2019, "1 SCHMA\n1 SCHMA\n", &[]);
    header(&Rules::OCTOBER_2017, "1 PRFX a https://a.example/\n1 PRFX b https://b.example/\n", &[]);
}

#[test]
fn a_header_in_other_letters_or_with_a_payload() {
    for rules in DECEMBER {
        for (file, expected) in [
            ("0 head\n1 CHAR UTF-8\n0 TRLR\n", ["1 E0312!"]),
            ("0 Head\n1 CHAR UTF-8\n0 TRLR\n", ["1 E0312!"]),
            ("0 HEAD  \n1 CHAR UTF-8\n0 TRLR\n", ["1 E0311!"]),
            ("0 HEAD\n1 CONT x\n1 CHAR UTF-8\n0 TRLR\n", ["1 E0311!"]),
            ("0 HEAD\n1 CONC\n1 CHAR UTF-8\n0 TRLR\n", ["1 E0311!"]),
        ] {
            let (document, found) = findings(rules, file);
            assert_eq!(found, expected, "{}: {file}", rules.name);
            assert!(document.head().is_some());
        }
    }
}

#[test]
fn versions_are_shown_as_they_are_written() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.01\n2 FORM LINEAGE-LINKED\n1 ELF 1.7\n0 TRLR\n";
    let mut found: Vec<Diagnostic> = Vec::new();
    let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut found).expect("small");
    let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
    assert_eq!(
        messages,
        [
            "expected GEDCOM version 5.5 or 5.5.1, but found 5.01",
            "expected ELF version 1.0, but found 1.7; it is read as 1.0"
        ]
    );
    let header = document.header();
    let versions = [header.gedcom_version(), header.elf_version()];
    assert_eq!(versions.map(|version| version.expect("a version").to_string()), ["5.1.0", "1.7.0"]);
    let written = [header.gedcom_version_as_written(), header.elf_version_as_written()];
    assert_eq!(written, [Some("5.01"), Some("1.7")]);
}

/// Writes a file by `to` that was read by `from`: the octets, and `line CODE class` of what was said.
fn written(from: &Rules, to: &Rules, file: &str) -> (String, Vec<String>) {
    let (document, _) = findings(from, file);
    let (mut octets, mut said) = (Vec::new(), Vec::<Diagnostic>::new());
    write_document(&document, &mut octets, to, &WriteOptions::new(), &mut said).expect("memory");
    let shown = |finding: &Diagnostic| {
        let grave = if finding.class.is_error() { "!" } else { "" };
        format!("{} {}{grave}", finding.place.map_or(0, |place| place.line), finding.code.id())
    };
    (String::from_utf8(octets).expect("UTF-8"), said.iter().map(shown).collect())
}

#[test]
fn december_writes_schma_as_it_stands() {
    for schema in [
        "1 SCHMA\n",
        "1 SCHMA https://b.example/\n2 VERS 1.0\n",
        "1 SCHMA\n2 TAG _X https://e/x\n",
        "1 SCHMA foo bar\n",
        "1 SCHMA\n2 IRI not an iri\n3 FOO a@@b\n1 SCHMA\n2 ESC DATE\n",
    ] {
        for (from, to) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (from, to) = (DECEMBER[from], DECEMBER[to]);
            let file = format!("0 HEAD\n1 CHAR UTF-8\n{schema}0 INDI\n0 TRLR\n");
            let (octets, said) = written(from, to, &file);
            assert!(octets.contains(&format!("LINEAGE-LINKED\n{schema}0 INDI\n")), "{octets}");
            assert!(said.is_empty(), "{said:?}: {schema}");
        }
    }
    // In January 2019 an empty one puts the default schema out of force, and in December it does not.
    let (octets, said) = written(
        &Rules::JANUARY_2019,
        &Rules::DECEMBER_2019,
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n0 INDI\n0 TRLR\n",
    );
    assert!(!octets.contains("SCHMA"), "{octets}");
    assert_eq!(said, ["3 E0809!"]);
    // So does one that holds nothing that is known, and what it holds stays.
    let (octets, said) = written(
        &Rules::JANUARY_2019,
        &Rules::DECEMBER_2019,
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 FOO bar\n0 INDI\n0 TRLR\n",
    );
    assert!(octets.contains("1 SCHMA\n2 FOO bar\n"), "{octets}");
    assert_eq!(said, ["3 E0809!"]);
}

#[test]
fn what_stands_beneath_serialisation_metadata_is_a_loss() {
    let file = "0 HEAD\n1 CHAR UTF-8\n2 VERS x\n2 FOO a\n3 BAR b\n1 ELF 1.0\n2 BAR y\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n\
        3 VERS 5.5\n1 PLANG de\n2 X y\n0 TRLR\n";
    for from in DECEMBER {
        for to in DECEMBER {
            let (_, said) = written(from, to, file);
            assert_eq!(said, ["3 E0815", "4 E0816!", "7 E0816!", "11 E0815", "13 E0816!"]);
        }
    }
    // To January 2019 all but CHAR is data.
    let (_, said) = written(&Rules::JANUARY_2019, &Rules::DECEMBER_2019, file);
    assert_eq!(said, ["3 E0815", "4 E0816!", "11 E0806!", "6 E0806!", "12 E0806!"]);
}

#[test]
fn versions_and_identifiers_of_the_header_that_are_not_written() {
    let file = "0 HEAD\n1 @C@ CHAR UTF-8\n1 ELF 2.0\n1 GEDC\n2 VERS 5.3\n2 FORM LINEAGE-LINKED\n1 @X@ PLANG de\n\
        1 SCHMA\n2 @P@ PRFX a b:\n0 TRLR\n";
    for rules in DECEMBER {
        let (octets, said) = written(rules, rules, file);
        assert!(octets.contains("1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n"), "{octets}");
        assert_eq!(said, ["5 E0814!", "3 E0814!", "2 E0802!", "7 E0802!", "9 E0802!"]);
    }
    let (_, said) = written(&Rules::WILD, &Rules::WILD, "0 HEAD\n1 CHAR UTF-8\n1 ELF x\n0 TRLR\n");
    assert_eq!(said, ["3 E0814!"]);
}

#[test]
fn nothing_points_to_what_is_no_structure_of_the_dataset() {
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        let (document, found) = findings(rules, "0 @H@ HEAD\n1 CHAR UTF-8\n0 INDI\n1 NOTE @H@\n0 TRLR\n");
        assert_eq!(found.first().map(|found| &**found), Some("1 E0311!"), "{}", rules.name);
        assert!(found.iter().any(|found| found.starts_with("4 E0327")), "{}: {found:?}", rules.name);
        let note = document.records().next().and_then(|record| record.substructure("NOTE")).expect("a note");
        assert_eq!(note.payload(), Payload::Pointer("H"));
        assert_ne!(note.target().map(|target| target.tag()), Some("HEAD"));
    }
}

#[test]
fn of_several_versions_the_first_is_taken() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 ELF 1.0\n2 VERS 5.5\n1 GEDC\n2 ELF 1.2\n2 VERS 5.5.1\n1 GEDC\n0 TRLR\n";
    for rules in [&Rules::JULY_2017, &Rules::OCTOBER_2017, &Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        let document = read(file.as_bytes(), rules, &Options::default(), &mut ()).expect("small");
        assert_eq!(document.header().elf_version_as_written(), Some("1.0"), "{}", rules.name);
        assert_eq!(document.header().gedcom_version_as_written(), Some("5.5"), "{}", rules.name);
    }
}

#[test]
fn payloads_are_merged_where_metadata_is_not_read_as_it_stands() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 5.5\n3 CONC .1\n1 SCHMA https://e.example/a\n2 CONC @@b\n1 SCHMA\n2 CONT c\n\
                1 SCHMA @X@\n0 TRLR\n";
    for (rules, version, schemas) in [
        (&Rules::JANUARY_2019, "5.5.1", &["https://e.example/a@b", "\nc"][..]),
        (&Rules::DECLARATIVE, "5.5.1", &["https://e.example/a@b", "\nc"]),
        // Continuation lines are structures there (D19 *Parsing serialisation metadata*).
        (&Rules::DECEMBER_2019, "5.5", &["https://e.example/a"]),
    ] {
        let (document, _) = findings(rules, file);
        let header = document.header();
        assert_eq!(header.gedcom_version_as_written(), Some(version), "{}", rules.name);
        assert_eq!(header.schemas().collect::<Vec<_>>(), schemas, "{}", rules.name);
    }
}
