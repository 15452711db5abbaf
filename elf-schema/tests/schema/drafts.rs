//! The worked examples of the drafts, and what their requirements say of schemas and tags.
//!
//! Rows are those of the requirement tables (J19-SCH, J19-TAG, the schema rows of RDX, O17 and E17).

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_schema::source::SuppliedSchemas;
use elf_schema::{Class, Diagnostic, Node, Payload, ReadOptions, Rules, Schema, TypedDocument, read};

/// Returns what was read, as `type"payload"{substructures}`, and the names of what was found.
fn typed(text: &str, rules: &Rules) -> (String, Vec<&'static str>) {
    with(text, rules, &ReadOptions::default())
}

fn with(text: &str, rules: &Rules, options: &ReadOptions<'_>) -> (String, Vec<&'static str>) {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed = read(text.as_bytes(), rules, options, &mut findings).expect("a short text");
    let shown = |nodes: Vec<Node<'_>>| {
        nodes.into_iter().map(|node| shown(&typed, node)).collect::<Vec<_>>().join(",")
    };
    let metadata = shown(typed.metadata().collect());
    let document = shown(typed.records().collect());
    let shown = if metadata.is_empty() { document } else { format!("{metadata}|{document}") };
    let names = findings
        .into_iter()
        .filter(|found| found.code.id().starts_with("E04"))
        .map(|found| found.code.name());
    (shown, names.collect())
}

fn shown(typed: &TypedDocument<'_>, node: Node<'_>) -> String {
    let iri = typed.type_of(node).unwrap_or("-");
    let mut out = Schema::published().prefixes().shorten(iri).into_owned();
    match node.payload() {
        Payload::None => {}
        Payload::Text(text) => out.push_str(&format!("{text:?}")),
        Payload::Pointer(id) => out.push_str(&format!("^@{id}@")),
    }
    let below: Vec<_> = node.substructures().map(|below| shown(typed, below)).collect();
    if !below.is_empty() {
        out.push_str(&format!("{{{}}}", below.join(",")));
    }
    out
}

fn january(text: &str) -> String {
    typed(text, &Rules::JANUARY_2019).0
}

/// Returns what is found of a schema that is in a header.
fn found(schema: &str) -> Vec<&'static str> {
    typed(&format!("0 HEAD\n1 SCHMA\n{schema}0 TRLR\n"), &Rules::JANUARY_2019).1
}

const EX: &str = "2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX ex https://e.example/\n";

#[test]
fn default_schema_types_what_has_no_schema() {
    // J19-SCH-02, J19-TAG-07, J19-TAG-08, J19-TAG-13
    assert_eq!(january("0 HEAD\n0 INDI\n1 SEX M\n0 TRLR\n"), r#"elf:INDIVIDUAL_RECORD{elf:SEX_VALUE"M"}"#);
    assert_eq!(
        january("0 HEAD\n0 FAM\n1 MARR\n2 CAUS x\n0 TRLR\n"),
        r#"elf:FAM_RECORD{elf:MARRIAGE{elf:CAUSE_OF_EVENT"x"}}"#
    );
    assert_eq!(
        january("0 HEAD\n0 FAM\n1 HUSB @I@\n1 MARR\n2 HUSB\n3 AGE 20y\n0 @I@ INDI\n0 TRLR\n"),
        r#"elf:FAM_RECORD{elf:PARENT1_POINTER^@I@,elf:MARRIAGE{elf:Parent1Age{elf:AGE_AT_EVENT"20y"}}},elf:INDIVIDUAL_RECORD"#
    );
    assert_eq!(
        january("0 HEAD\n1 SUBM @U@\n0 @U@ SUBM\n0 TRLR\n"),
        "elf:SUBMITTER_POINTER^@U@|elf:SUBMITTER_RECORD"
    );
}

#[test]
fn any_schema_displaces_the_default() {
    // J19-SCH-03: ESC DATE D too.
    assert_eq!(
        january("0 HEAD\n1 SCHMA\n0 INDI\n1 DATE @#DX@ 1\n0 TRLR\n"),
        r#"elf:Undefined#INDI{elf:Undefined#DATE"1"}"#
    );
    // J19-SCH-28
    assert_eq!(
        january("0 HEAD\n1 SCHMA\n2 ESC _D G\n0 _D @#GX@ y\n0 TRLR\n"),
        r#"elf:Undefined#_D"@#GX@ y""#
    );
    // J19-SCH-29
    assert_eq!(
        january("0 HEAD\n1 CHAR ANSEL\n2 VERS Z39.47\n1 LANG English\n0 TRLR\n"),
        r#"elf:LANGUAGE_OF_TEXT"English"|"#
    );
}

#[test]
fn schemas_are_merged_and_prefixes_may_come_late() {
    // J19-SCH-04, J19-SCH-15, J19-SCH-22
    let text = "0 HEAD\n1 SCHMA\n2 PRFX ex https://e.example/\n1 SCHMA\n2 IRI ex:A\n\
                3 TAG A https://terms.fhiso.org/elf/Document\n0 A\n0 TRLR\n";
    assert_eq!(january(text), "https://e.example/A");
    let text = "0 HEAD\n1 SCHMA\n2 IRI ex:A\n3 TAG A elf:Document\n2 PRFX ex https://e.example/\n\
                2 PRFX elf https://terms.fhiso.org/elf/\n0 A\n0 TRLR\n";
    assert_eq!(january(text), "https://e.example/A");
    let text = format!(
        "0 HEAD\n1 SCHMA\n{EX}2 IRI ex:A\n3 TAG _A elf:Document\n2 IRI ex:A\n3 TAG _B elf:Document\n0 _A\n0 _B\n0 TRLR\n"
    );
    assert_eq!(
        typed(&text, &Rules::JANUARY_2019),
        ("https://e.example/A,https://e.example/A".to_owned(), vec![])
    );
}

#[test]
fn the_default_schema_can_be_referred_to() {
    // J19-SCH-06, J19-SCH-11
    let text = "0 HEAD\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n0 INDI\n0 TRLR\n";
    let expected = ("elf:INDIVIDUAL_RECORD".to_owned(), vec![]);
    assert_eq!(typed(text, &Rules::JANUARY_2019), expected);
    let text = "0 HEAD\n1 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n0 INDI\n0 TRLR\n";
    assert_eq!(typed(text, &Rules::WILD), expected);
    assert_eq!(typed(text, &Rules::DECEMBER_2019), expected);
    // Its prefixes may be used beside it.
    let text = "0 HEAD\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n2 IRI https://e.example/S\n\
                3 TAG _S elf:INDIVIDUAL_RECORD\n0 INDI\n1 _S\n0 TRLR\n";
    assert_eq!(january(text), "elf:INDIVIDUAL_RECORD{https://e.example/S}");
}

#[test]
fn a_schema_counts_whatever_its_payload() {
    // J19 §4.2 allows none; docs/readings.md, G37.
    let file = |schema: &str| format!("0 HEAD\n1 SCHMA{schema}\n0 INDI\n1 DATE @#DX@ 1\n0 TRLR\n");
    let undefined = r#"elf:Undefined#INDI{elf:Undefined#DATE"1"}"#;
    assert_eq!(january(&file("")), undefined);
    assert_eq!(january(&file(" text")), undefined);
    assert_eq!(january(&file("\n2 CONT text")), undefined);
    let default = r#"elf:INDIVIDUAL_RECORD{elf:Undefined#DATE"@#DX@ 1"}"#;
    let named = file(" https://fhiso.org/TR/elf-data-model/v1.0.0\n1 SCHMA");
    let found = vec!["schema-malformed", "tag-undefined"];
    assert_eq!(typed(&named, &Rules::JANUARY_2019), (default.to_owned(), found));
    assert_eq!(january(&file(" https://fhiso.org/TR\n2 CONC /elf-data-model/v1.0.0")), default);
}

#[test]
fn external_schemas_come_from_the_caller() {
    // J19-SCH-07 to J19-SCH-10
    let text = "0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/s\n0 _A @#DX@ y\n0 TRLR\n";
    // What it would permit is kept.
    let missing = ("elf:Undefined#_A\"@#DX@ y\"".to_owned(), vec!["schema-external"]);
    assert_eq!(typed(text, &Rules::JANUARY_2019), missing);
    let mut supplied = SuppliedSchemas::new();
    let schema = "0 HEAD\n1 NOTE hi\n1 CHAR UTF-8\n1 SCHMA\n2 ESC _A D\n2 PRFX e https://e.example/\n\
                  2 SCHMA https://e.example/further\n2 IRI e:Ä\n3 TAG _A https://terms.fhiso.org/elf/Document\n0 TRLR\n";
    supplied.add("https://e.example/s", schema.as_bytes().to_vec(), None);
    let options = ReadOptions::default().with_external(&supplied);
    assert_eq!(
        with(text, &Rules::JANUARY_2019, &options),
        ("https://e.example/Ä\"@#DX@ y\"".to_owned(), vec!["schema-nested"])
    );
    // What the octets are encoded in may be said from outside.
    let mut supplied = SuppliedSchemas::new();
    let latin: Vec<u8> = schema
        .replace("1 CHAR UTF-8\n", "")
        .chars()
        .filter_map(|c| u8::try_from(u32::from(c)).ok())
        .collect();
    supplied.add("https://e.example/s", latin, elf_schema::Encoding::from_name("windows-1252"));
    let options = ReadOptions::default().with_external(&supplied);
    assert_eq!(with(text, &Rules::JANUARY_2019, &options).0, "https://e.example/Ä\"@#DX@ y\"");
    // The declarative draft knows no external schemas.
    let (_, names) = typed(text, &Rules::DECLARATIVE);
    assert_eq!(names, ["schema-malformed"]);
    let urn = "0 HEAD\n1 SCHMA\n2 SCHMA urn:x:y\n0 TRLR\n";
    assert_eq!(typed(urn, &Rules::JANUARY_2019).1, ["schema-external"]);
}

#[test]
fn what_an_external_schema_does_wrong_is_said_where_it_is_referred_to() {
    let text = "0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/s\n0 TRLR\n";
    let mut supplied = SuppliedSchemas::new();
    supplied.add("https://e.example/s", b"0 HEAD\n1 SCHMA\n2 IRI a b\n0 TRLR\n".to_vec(), None);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let options = ReadOptions::default().with_external(&supplied);
    read(text.as_bytes(), &Rules::JANUARY_2019, &options, &mut findings).expect("a short text");
    let found = findings.iter().find(|found| found.code.name() == "iri-malformed").expect("a finding");
    assert_eq!(found.message, "in `https://e.example/s`, line 3: expected an IRI, but found `a b`");
    assert_eq!(found.place.expect("a place").line, 3);
}

#[test]
fn no_definition_overrides_another() {
    // J19-TAG-10, J19-TAG-11, J19-TAG-12, J19-TAG-16
    let text = "0 HEAD\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n2 IRI https://e.example/BirthDate\n\
                3 TAG DATE https://terms.fhiso.org/elf/BIRTH\n0 INDI\n1 BIRT\n2 DATE 1900\n1 DEAT\n2 DATE 1950\n0 TRLR\n";
    let (shown, names) = typed(text, &Rules::JANUARY_2019);
    assert_eq!(
        shown,
        r#"elf:INDIVIDUAL_RECORD{elf:BIRTH{elf:Undefined#DATE"1900"},elf:DEATH{elf:DATE_VALUE"1950"}}"#
    );
    assert_eq!(names, ["tag-conflict", "tag-undefined"]);
    let kinds = |agent: &str, record: &str| {
        format!(
            "0 HEAD\n1 SCHMA\n{EX}2 IRI elf:SUBMITTER_RECORD\n3 ISA elf:Agent\n3 ISA elf:Record\n3 TAG SUBM elf:Document\n\
             2 IRI elf:Agent\n2 IRI elf:Record\n2 IRI ex:{agent}\n3 TAG _EX_KIND elf:Agent\n2 IRI ex:{record}\n\
             3 TAG _EX_KIND elf:Record\n0 SUBM\n1 _EX_KIND z\n0 TRLR\n"
        )
    };
    let (shown, names) = typed(&kinds("AgentKind", "RecordKind"), &Rules::JANUARY_2019);
    assert_eq!(shown, r#"elf:SUBMITTER_RECORD{elf:Undefined#_EX_KIND"z"}"#);
    assert_eq!(names, ["tag-conflict"]);
    let (shown, names) = typed(&kinds("Kind", "Kind"), &Rules::JANUARY_2019);
    assert_eq!(shown, r#"elf:SUBMITTER_RECORD{https://e.example/Kind"z"}"#);
    assert_eq!(names, Vec::<&str>::new());
}

#[test]
fn a_conflict_names_both_places() {
    let text = format!(
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n{EX}2 IRI ex:A\n3 TAG _A elf:Document\n2 IRI ex:B\n3 TAG _A elf:Document\n0 TRLR\n"
    );
    let mut findings: Vec<Diagnostic> = Vec::new();
    read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut findings)
        .expect("a short text");
    let [found] = findings.as_slice() else { panic!("expected one finding, but found {findings:?}") };
    assert_eq!(found.message, "_A under elf:Document is defined as both ex:A and ex:B, so it has no type");
    assert_eq!((found.class, found.place.map(|place| place.line)), (Class::NonConformant, Some(9)));
    assert_eq!(found.related.iter().map(|other| other.place.line).collect::<Vec<_>>(), [7]);
}

#[test]
fn what_has_no_type_is_undefined() {
    // J19-TAG-15, J19-TAG-17 to J19-TAG-19, J19-LIN-15, RDX-109
    assert_eq!(
        january("0 HEAD\n0 INDI\n1 BURI\n2 DATE 1900\n0 TRLR\n"),
        r#"elf:INDIVIDUAL_RECORD{elf:Undefined#BURI{elf:Undefined#DATE"1900"}}"#
    );
    assert_eq!(january("0 HEAD\n0 UNDEF\n0 TRLR\n"), "elf:Undefined");
    assert_eq!(
        january("0 HEAD\n0 NOTE a\njunk\n0 TRLR\n"),
        r#"elf:NOTE_RECORD"a"{elf:Undefined#ERROR"junk"}"#
    );
    // A schema may name an undefined tag identifier as a superstructure.
    let text = format!(
        "0 HEAD\n1 SCHMA\n{EX}2 IRI ex:D\n3 TAG _DATE elf:Undefined#_EVENT\n0 _EVENT\n1 _DATE 1\n0 TRLR\n"
    );
    assert_eq!(january(&text), r#"elf:Undefined#_EVENT{https://e.example/D"1"}"#);
    assert_eq!(typed("0 HEAD\n0 _FOO\n0 TRLR\n", &Rules::DECLARATIVE).0, "elf:Undefined#_FOO");
}

#[test]
fn definitions_that_are_malformed_are_reported() {
    // J19-SCH-12, J19-SCH-16 to J19-SCH-19, J19-SCH-23 to J19-SCH-26, RDX-114
    let cases: &[(&str, &[&str])] = &[
        ("2 PRFX ex https://e.example/\n2 IRI ex:A\n", &[]),
        ("2 PRFX ex\n", &["prefix-malformed"]),
        // Any token is a prefix, and the longest counts (docs/readings.md, G31).
        (
            "2 PRFX a:b https://e.example/\n2 PRFX a https://f.example/\n2 IRI a:b:C\n3 TAG _C https://e.example/C\n",
            &[],
        ),
        ("2 PRFX ex not-an-iri\n", &["iri-malformed"]),
        ("2 PRFX ex https://e.example/\n2 PRFX ex https://f.example/\n", &["prefix-conflict"]),
        ("2 PRFX ex https://e.example/\n2 PRFX ex https://e.example/\n", &["definition-repeated"]),
        ("2 PRFX ex https://e.example/\n3 NOTE x\n", &["schema-malformed"]),
        ("2 IRI\n", &["iri-malformed"]),
        ("2 IRI https://e.example/A B\n", &["iri-malformed"]),
        ("2 IRI https://e.example/%C3%A9\n", &["iri-not-a-term"]),
        ("2 IRI https://e.example/A\n3 PRFX x\n", &["schema-malformed"]),
        ("2 IRI https://e.example/A\n3 TAG BAD-TAG https://e.example/A\n", &["tag-definition-malformed"]),
        ("2 IRI https://e.example/A\n3 TAG _A\n", &["tag-definition-malformed"]),
        ("2 IRI https://e.example/A\n3 TAG _A https://e.example/A\n4 TAG x\n", &["schema-malformed"]),
        ("2 IRI https://e.example/A\n3 TAG UUID https://e.example/A\n", &["tag-bare"]),
        ("2 IRI https://e.example/A\n3 TAG _UNCLE_OF_THE_BRIDE https://e.example/A\n", &[]),
        ("2 IRI https://e.example/A\n3 TAG CONT https://e.example/A\n", &["tag-reserved"]),
        ("2 IRI https://e.example/A\n3 TAG CHAR https://terms.fhiso.org/elf/Metadata\n", &["tag-reserved"]),
        ("2 IRI https://e.example/A\n3 TAG CHAR https://e.example/A\n", &[]),
        (
            "2 IRI https://terms.fhiso.org/elf/Undefined#X\n3 TAG _X https://terms.fhiso.org/elf/Document\n",
            &["tag-reserved"],
        ),
        ("2 IRI https://e.example/A\n3 ISA https://e.example/B\n", &["type-unknown"]),
        ("2 IRI https://e.example/A\n3 ISA https://e.example/A\n", &["supertype-cycle"]),
        (
            "2 IRI https://e.example/A\n3 TAG _A elf:Document elf:Document\n",
            &["definition-repeated", "type-unknown"],
        ),
        ("2 ESC _OLD_EXTENSION QG\n2 ESC _OLD_EXTENSION GQ\n", &[]),
        ("2 ESC _OLD_EXTENSION QGGQQGGGG\n", &["definition-repeated"]),
        ("2 ESC DATE U\n", &["escape-definition-malformed"]),
        ("2 ESC DATE\n", &["escape-definition-malformed"]),
        ("2 ESC DATE D\n2 ESC DATE DG\n", &["escape-definition-conflict"]),
        ("2 ESC DATE D\n2 ESC DATE D\n", &[]),
        ("2 NOTE x\n", &["schema-malformed"]),
        ("2 SCHMA x\n", &["iri-malformed"]),
    ];
    for (schema, expected) in cases {
        assert_eq!(found(schema), *expected, "{schema}");
    }
}

#[test]
fn a_circle_of_supertypes_ends() {
    // J19-TAG-04, J19-TAG-06
    let text = format!(
        "0 HEAD\n1 SCHMA\n{EX}2 IRI ex:A\n3 ISA ex:B\n3 TAG _A elf:Document\n2 IRI ex:B\n3 ISA ex:A\n2 IRI ex:C\n\
         3 TAG _C ex:B\n0 _A\n1 _C\n0 TRLR\n"
    );
    let (shown, names) = typed(&text, &Rules::JANUARY_2019);
    assert_eq!(shown, "https://e.example/A{https://e.example/C}");
    assert_eq!(names, ["supertype-cycle"]);
    let schema = Schema::published();
    let of = |name: &str| schema.type_of(&schema.prefixes().expand(name)).expect("a type");
    let mut above: Vec<_> = schema.eventual_supertypes(of("elf:SUBMITTER_RECORD")).collect();
    above.sort();
    let mut expected = [of("elf:SUBMITTER_RECORD"), of("elf:Agent"), of("elf:Record")];
    expected.sort();
    assert_eq!(above, expected);
    assert!(schema.eventual_subtypes(of("elf:Agent")).any(|below| below == of("elf:SUBMITTER_RECORD")));
}

#[test]
fn the_shape_of_a_schema_decides_in_december() {
    let inline = format!("0 HEAD\n1 SCHMA\n{EX}2 IRI ex:A\n3 TAG _A elf:Document\n0 _A\n0 TRLR\n");
    for rules in [&Rules::WILD, &Rules::DECEMBER_2019] {
        assert_eq!(typed(&inline, rules), ("https://e.example/A".to_owned(), vec![]));
    }
    // That of GEDCOM 7 is none of ELF, and displaces nothing.
    let seven = "0 HEAD\n1 SCHMA\n2 TAG _A https://e.example/A\n0 INDI\n0 TRLR\n";
    assert_eq!(
        typed(seven, &Rules::WILD),
        ("elf:INDIVIDUAL_RECORD".to_owned(), vec!["schema-malformed", "schema-malformed"])
    );
}

#[test]
fn dictionary_of_2017() {
    // O17-103 to O17-111
    let types = |head: &str, body: &str| {
        let text = format!("0 HEAD\n{head}{body}0 TRLR\n");
        typed(&text, &Rules::OCTOBER_2017).0
    };
    let mapped = "1 PRFX _ http://n#\n1 DEFN _UID http://m http://o\n";
    assert_eq!(types(mapped, "0 _UID\n0 _LOC\n"), "http://m,http://n#LOC");
    let prefixed = "1 PRFX X_ http://e/\n";
    assert_eq!(types(prefixed, "0 X_LAT\n0 X_A_B\n0 X_\n"), "http://e/LAT,http://e/A_B,http://e/");
    assert_eq!(types(prefixed, "0 Y_X_Z\n"), "http://terms.fhiso.org/elf/Y_X_Z");
    let default = "1 PRFX http://e.org/d/\n";
    assert_eq!(types(default, "0 INDI\n"), "http://e.org/d/INDI");
    assert_eq!(
        types("", "0 ZZZ\n1 NAME\n"),
        "http://terms.fhiso.org/elf/ZZZ{http://terms.fhiso.org/elf/NAME}"
    );
    assert_eq!(types("1 _X a\n1 PRFX _ http://e#\n", ""), "http://e#X\"a\"|");
    // O17-123 to O17-125
    let continued = "1 DEFN _UID http://example.com/UU\n2 CONC ID\n2 CONT http://purl.org/dc\n";
    assert_eq!(types(continued, "0 _UID\n"), "http://example.com/UUID");
}

#[test]
fn a_hint_that_is_no_iri_is_left_out_alone() {
    let text = "0 HEAD\n1 CHAR UTF-8\n1 DEFN _A http://a/A oops http://b/A\n1 DEFN _B oops http://b/B\n0 _A\n0 _B\n0 TRLR\n";
    let mut found: Vec<Diagnostic> = Vec::new();
    let options = ReadOptions::default();
    let typed =
        elf_schema::read(text.as_bytes(), &Rules::OCTOBER_2017, &options, &mut found).expect("a short text");
    let types: Vec<_> = typed.records().map(|node| typed.type_of(node)).collect();
    assert_eq!(types, [Some("http://a/A"), Some("http://terms.fhiso.org/elf/_B")]);
    let dictionary = typed.typing().dictionary().expect("a dictionary");
    let mappings: Vec<_> = dictionary.mappings().map(|(tag, iris)| (tag, iris.collect::<Vec<_>>())).collect();
    assert_eq!(mappings, [("_A", vec!["http://a/A", "http://b/A"])]);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn faults_of_the_dictionary_of_2017() {
    // O17-097 to O17-102, O17-124, E17-010
    let cases: &[(&str, &[&str])] = &[
        ("1 PRFX http://a/\n1 PRFX http://b/\n", &["prefix-conflict"]),
        ("1 PRFX d#\n", &["iri-malformed"]),
        ("1 PRFX X http://a/\n", &["prefix-malformed"]),
        ("1 PRFX A_B_ http://a/\n", &["prefix-malformed"]),
        ("1 PRFX 9_ http://a/\n1 PRFX _ http://a/\n", &[]),
        ("1 PRFX X_ http://a/\n1 PRFX X_ http://b/\n", &["prefix-conflict"]),
        ("1 PRFX X_\n2 CONT http://e/\n", &["prefix-malformed"]),
        ("1 PRFX X_ \t http://e/\n", &[]),
        ("1 DEFN _U http://a\n1 DEFN _U http://b\n", &["mapping-conflict"]),
        ("1 DEFN _U http://a\n1 DEFN _U http://a\n", &["definition-repeated"]),
        ("1 DEFN _UID\n2 CONT http://a\n", &["mapping-malformed"]),
        ("1 DEFN A-B http://a\n", &["mapping-malformed"]),
        ("1 DEFN _U http://e.org/%C3%A9\n", &["iri-not-a-term"]),
        ("1 DEFN _U http://e.org/é\n", &[]),
    ];
    for (head, expected) in cases {
        let text = format!("0 HEAD\n1 CHAR UTF-8\n{head}0 TRLR\n");
        assert_eq!(typed(&text, &Rules::OCTOBER_2017).1, *expected, "{head}");
    }
}
