//! GEDCOM 7.0, structure by structure: each type in each place that it has.

use crate::{Cardinality, Kind, cardinality, named, rows};
use elf_schema::{Class, Diagnostic, ReadOptions, Rules};
use elf_validate::{Against, Standard, validate};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

struct Row {
    tag: &'static str,
    payloads: &'static str,
    target: &'static str,
    grammar: &'static str,
    listed: Vec<&'static str>,
    slots: Vec<(&'static str, Cardinality)>,
}

/// The types, and the shortest way to each from a record.
struct Types {
    rows: BTreeMap<&'static str, Row>,
    ways: BTreeMap<&'static str, Vec<&'static str>>,
}

/// A way of types, how often the last of them is there, and with what payload, where it is not a good
/// one.
#[derive(Clone, Copy)]
struct Plan<'p> {
    way: &'p [&'static str],
    times: u32,
    payload: Option<&'p str>,
}

impl Row {
    /// A text of the grammar.
    fn good(&self) -> &'static str {
        match self.grammar {
            "" => "x",
            "age" => "> 1y 2w",
            "date" => "ABT JULIAN 44 BCE",
            "exact-date" => "1 JAN 1900",
            "integer" => "12",
            "language-tag" => "de-CH-1996",
            "latitude" => "N52.01",
            "longitude" => "E4.36",
            "media-type" => "text/plain",
            "name" => "Ada /Byron/",
            "period" => "FROM 1900 TO 1910",
            "tag-definition" => "_SKY https://e.example/sky",
            "time" => "2:30:00.5Z",
            "uri" => "https://e.example/",
            "uuid" => "bbcc0025-34cb-4542-8cfb-45ba201c9c2c",
            "file-path" => "media/p\u{e8}re.jpg",
            "version" => "7.0.18",
            "word" | "enumeration" | "enumerations" => self.listed[0],
            other => panic!("{other}"),
        }
    }

    /// Further texts that are good.
    fn others(&self) -> Vec<String> {
        let listed = self.listed.iter().map(|value| (*value).to_owned());
        match self.grammar {
            "enumeration" => listed.chain(["_OTHER".to_owned()]).collect(),
            "enumerations" => listed.chain([self.listed.join(" ,  ") + ",_OTHER"]).collect(),
            _ => Vec::new(),
        }
    }

    /// Texts that are not in the grammar or not listed, and the finding.
    fn bad(&self) -> (&'static [&'static str], &'static str) {
        match self.grammar {
            "" => (&[], ""),
            "word" => (&["y", "_Y", "Y Y"], "value-not-listed"),
            "enumeration" => (&["none", "_", "_x", "X Y"], "value-not-listed"),
            "enumerations" => (&["none", "_OTHER,,_OTHER", "_OTHER, none"], "value-not-listed"),
            "age" => (&["CHILD", "<8w", "8"], "age-malformed"),
            "date" => (&["about 1900", "INT 1900 (so)", "@#DJULIAN@ 1900"], "date-malformed"),
            "period" => (&["1900", "BET 1900 AND 1901"], "date-malformed"),
            "exact-date" => (&["JAN 1900", "1900"], "date-malformed"),
            "time" => (&["24:00", "8", "12:00+01:00"], "time-malformed"),
            "language-tag" => (&["Old English", "en_US"], "value-malformed"),
            "latitude" => (&["52.01", "N91"], "value-malformed"),
            "longitude" => (&["E181", "N12"], "value-malformed"),
            "integer" => (&["-1", "one"], "value-malformed"),
            "media-type" => (&["jpg"], "value-malformed"),
            "name" => (&["Ada /Byron"], "value-malformed"),
            "tag-definition" => (&["SKY https://e.example/", "_SKY"], "value-malformed"),
            "uri" => (&["a b"], "value-malformed"),
            "uuid" => (&["17", "bbcc002534cb45428cfb45ba201c9c2c"], "uid-unusual"),
            "file-path" => (&["C:\\a.jpg", "a b.jpg", "../a.jpg", "data:,"], "value-malformed"),
            "version" => (&["7.1", "7.0.x"], "value-malformed"),
            other => panic!("{other}"),
        }
    }
}

impl Types {
    fn read() -> Types {
        let values: BTreeMap<&str, (&'static str, Vec<&'static str>)> =
            rows(include_str!("../../facts/gedcom70-values.tsv"))
                .map(|cells| (cells[0], (cells[1], cells[2].split('|').collect())))
                .collect();
        let mut types = Types { rows: BTreeMap::new(), ways: BTreeMap::new() };
        for cells in rows(include_str!("../../facts/gedcom70.tsv")) {
            let [name, tag, payloads, target, value, places] = cells[..] else { panic!("{cells:?}") };
            let (grammar, listed) = values.get(value).cloned().unwrap_or_default();
            let places = places.split(';').filter(|place| !place.is_empty()).map(|place| {
                let (name, rest) = place.split_once('{').expect("a cardinality");
                let (min, max) = rest.strip_suffix('}').and_then(|both| both.split_once(':')).expect("two");
                (name, cardinality(min, max))
            });
            let slots = places.collect();
            types.rows.insert(name, Row { tag, payloads, target, grammar, listed, slots });
        }
        let mut open = VecDeque::from([("(dataset)", Vec::new())]);
        while let Some((of, way)) = open.pop_front() {
            for (below, _) in &types.rows[of].slots {
                if !types.ways.contains_key(below) {
                    let way: Vec<&str> = way.iter().copied().chain([*below]).collect();
                    types.ways.insert(below, way.clone());
                    open.push_back((below, way));
                }
            }
        }
        types
    }

    fn good(&self, of: &str) -> String {
        let row = &self.rows[of];
        let kinds = Kind::ALL.into_iter().rev().find(|kind| kind.is_in(row.payloads));
        match kinds {
            Some(Kind::Pointer) => format!("@{}@", row.target),
            Some(Kind::Text) => row.good().to_owned(),
            _ => String::new(),
        }
    }

    /// A structure with all that it must have, and what the plan has under it; `rest` is the way from it.
    fn structure(
        &self,
        of: &str,
        (level, xref): (usize, &str),
        rest: &[&str],
        plan: Plan<'_>,
        out: &mut String,
    ) {
        let row = &self.rows[of];
        let is_meant = rest.is_empty();
        let payload = match plan.payload {
            Some(payload) if is_meant => payload.to_owned(),
            _ => self.good(of),
        };
        let _ = writeln!(
            out,
            "{}",
            format!("{level} {xref} {} {payload}", row.tag).replace("  ", " ").trim_end()
        );
        let mut is_empty = payload.is_empty();
        for (below, (min, _)) in &row.slots {
            let leads = rest.first().is_some_and(|next| next == below);
            let times = match (leads, rest.len()) {
                (true, 1) => plan.times,
                (true, _) => 1,
                // It must have one of two.
                (false, _) if of == "NOTE-TRAN" && *below == "MIME" && rest.first() != Some(&"LANG") => 1,
                (false, _) => *min,
            };
            // Beside the way nothing is meant.
            let rest = if leads { &rest[1..] } else { &["-"][..] };
            for _ in 0..times {
                is_empty = false;
                self.structure(below, (level + 1, ""), rest, plan, out);
            }
        }
        if is_empty && !matches!(of, "HEAD" | "TRLR") {
            let _ = writeln!(out, "{} _SAYS something", level + 1);
        }
    }

    /// The names of the findings of a file that is good but for the plan.
    fn findings(&self, plan: Plan<'_>) -> Vec<&'static str> {
        let mut file = String::new();
        let (root, rest) = plan.way.split_first().expect("a way");
        for (record, _) in &self.rows["(dataset)"].slots {
            let tag = self.rows[record].tag;
            let times = match (record == root, rest.is_empty()) {
                (true, true) => plan.times,
                _ => 1,
            };
            for number in 0..times {
                let number = if number == 0 { String::new() } else { number.to_string() };
                let is_record = !matches!(*record, "HEAD" | "TRLR");
                let xref = if is_record { format!("@{tag}{number}@") } else { String::new() };
                let rest = if record == root { rest } else { &["-"][..] };
                // The header comes first, the trailer last.
                let mut text = String::new();
                self.structure(record, (0, &xref), rest, plan, &mut text);
                if *record == "HEAD" {
                    file.insert_str(0, &text);
                } else {
                    file.push_str(&text);
                }
            }
        }
        let mut found: Vec<Diagnostic> = Vec::new();
        let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
            .expect("a small file");
        validate(&typed, named(Standard::Gedcom70), &mut found);
        // What concerns two records has tests of its own.
        let others = ["link-one-sided", "pointer-circular", "pointer-repeated", "identifier-untyped"];
        found.retain(|found| !others.contains(&found.code.name()));
        let is_advised = |found: &Diagnostic| found.code.name() == "uid-unusual";
        assert!(
            found.iter().all(|found| is_advised(found) || found.class == Class::NonConformant),
            "{found:?}"
        );
        found.iter().map(|found| found.code.name()).collect()
    }
}

#[test]
fn every_type_is_held_to_its_row_wherever_it_stands() {
    let types = Types::read();
    assert_eq!((types.rows.len(), types.ways.len()), (180, 179));
    let mut places = 0;
    for (above, row) in &types.rows {
        for (of, (min, max)) in &row.slots {
            // Of header and trailer, the reader says that they are missing or repeated.
            if matches!(*of, "HEAD" | "TRLR") {
                continue;
            }
            places += 1;
            let way = types.ways.get(above).into_iter().flatten().copied().chain([*of]);
            let way: Vec<&str> = way.collect();
            let plan = Plan { way: &way, times: 1, payload: None };
            assert_eq!(types.findings(plan), [""; 0], "{way:?}");
            assert_eq!(types.findings(Plan { times: max.unwrap_or(4), ..plan }), [""; 0], "{way:?}, most");
            if let Some(max) = max {
                let found = types.findings(Plan { times: max + 1, ..plan });
                assert_eq!(found, ["structure-repeated"], "{way:?}, once more");
            }
            if *min > 0 {
                assert_eq!(
                    types.findings(Plan { times: 0, ..plan }),
                    ["structure-missing"],
                    "{way:?}, not there"
                );
            }
        }
    }
    assert_eq!(places, 1386);
}

#[test]
fn every_type_is_held_to_its_payload() {
    let types = Types::read();
    for (of, way) in types.ways.iter().filter(|(of, _)| !matches!(**of, "HEAD" | "TRLR")) {
        let row = &types.rows[of];
        let found = |payload: &str| types.findings(Plan { way, times: 1, payload: Some(payload) });
        let pointer = format!("@{}@", if row.target.is_empty() { "INDI" } else { row.target });
        for (kind, payload) in Kind::ALL.into_iter().zip(["", row.good(), &pointer]) {
            let expected: &[&str] = if kind.is_in(row.payloads) { &[] } else { &[kind.fault()] };
            assert_eq!(found(payload), expected, "{of} with {}", kind.name());
        }
        // A pointer to nothing is where others do.
        let is_pointer = Kind::Pointer.is_in(row.payloads);
        let expected: &[&str] = if is_pointer { &[] } else { &["payload-unexpected"] };
        assert_eq!(found("@VOID@"), expected, "{of}");
        for good in row.others() {
            assert_eq!(found(&good), [""; 0], "{of} {good}");
        }
        let (bad, expected) = row.bad();
        for bad in bad {
            assert_eq!(found(bad), [expected], "{of} {bad}");
        }
        if !row.target.is_empty() {
            let other = if row.target == "FAM" { "@INDI@" } else { "@FAM@" };
            assert_eq!(found(other), ["pointer-wrong-type"], "{of}");
        }
    }
}

/// The findings of a file, with their lines; the first of `records` is line 4.
fn found(records: &str) -> Vec<(u64, &'static str)> {
    found_in(&format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{records}\n0 TRLR\n"))
}

/// The findings of a file, with their lines.
fn found_in(file: &str) -> Vec<(u64, &'static str)> {
    found_by(&Rules::WILD, file)
}

fn found_by(rules: &Rules, file: &str) -> Vec<(u64, &'static str)> {
    let typed =
        elf_schema::read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).expect("a small file");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed, named(Standard::Gedcom70), &mut found);
    found.iter().map(|found| (found.place.map_or(0, |place| place.line), found.code.name())).collect()
}

#[test]
fn no_structure_says_nothing() {
    let empty = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I@ INDI\n1 BIRT\n1 NOTE\n1 CHAN\n2 DATE 1 JAN 2000\n0 TRLR\n";
    let told = [(5, "structure-incomplete"), (6, "structure-incomplete")];
    assert_eq!(found_by(&Rules::DECEMBER_2019, empty), told);
    // The reader says so by the rules of GEDCOM 7.
    assert_eq!(found_in(empty), []);
    assert_eq!(found("0 @I@ INDI\n1 NOTE\n2 CONT x\n1 NOTE\n2 LANG en\n1 BIRT\n2 _X"), []);
    assert_eq!(found("0 @I@ INDI\n1 NOTE\n2 CONT"), []);
}

#[test]
fn extensions_are_silent_and_other_tags_are_not() {
    let file = "0 @I@ INDI\n1 _X y\n2 SEX Z\n1 SEX _Z\n1 _SUBM @U@\n0 @U@ _USER x\n0 _REC x";
    assert_eq!(found(file), []);
    let file = "0 @I@ INDI\n1 RFN x\n1 NAME x\n2 ROMN x\n0 @N@ NOTE x";
    assert_eq!(found(file), [(5, "tag-undefined"), (7, "tag-undefined"), (8, "tag-undefined")]);
}

/// The findings of a file whose header gives tags URIs; the first of `records` is line 7.
fn found_with(records: &str) -> Vec<(u64, &'static str)> {
    let tags = ["_DATE https://gedcom.io/terms/v7/DATE", "_USER https://gedcom.io/terms/v7/record-SUBM"];
    found_by_schema(&tags, records)
}

/// The findings of a file whose header gives tags URIs; the first of `records` is line 5 and the number of
/// tags.
fn found_by_schema(tags: &[&str], records: &str) -> Vec<(u64, &'static str)> {
    let tags: String = tags.iter().map(|tag| format!("2 TAG {tag}\n")).collect();
    found_in(&format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n{tags}{records}\n0 TRLR\n"))
}

#[test]
fn pointers_lead_to_records_of_their_type() {
    let records = "0 @I@ INDI\n1 SUBM @W@\n1 _SUBM @W@\n0 @W@ _W\n1 NAME x";
    assert_eq!(found(records), [(5, "pointer-wrong-type")]);
    let submitter = "_W https://gedcom.io/terms/v7/record-SUBM";
    let other = "_W https://e.example/w";
    assert_eq!(found_by_schema(&[other], records), [(7, "pointer-wrong-type")]);
    assert_eq!(found_by_schema(&[submitter], records), []);
    // Which of the two it is, nothing says.
    assert_eq!(found_by_schema(&[submitter, other], records), []);
    let source = "_W https://gedcom.io/terms/v7/record-SOUR";
    assert_eq!(
        found_by_schema(&[source], "0 @I@ INDI\n1 SUBM @W@\n0 @W@ _W\n1 TITL x"),
        [(7, "pointer-wrong-type")]
    );
}

#[test]
fn dates_have_the_months_that_the_schema_gives_them() {
    let month = "_M https://gedcom.io/terms/v7/month-FEB";
    let found = |date: &str| {
        let records = format!("0 @I@ INDI\n1 BIRT\n2 DATE {date}\n1 CHAN\n2 DATE 1 _M 1900");
        found_by_schema(&[month, "_C https://e.example/c"], &records)
    };
    for good in ["28 _M 1900", "JULIAN 29 _M 1900", "_C 40 _M 1900", "_C 40 _X 1 _Y", "_D 40 _X 1 _Y"] {
        assert_eq!(found(good), [], "{good}");
    }
    for bad in ["29 _M 1900", "1 _X 1900", "HEBREW 1 _M 5000", "1 JAN 5 _Y", "_C 40 JN 1900", "5 JN 1900"] {
        assert_eq!(found(bad), [(9, "date-impossible")], "{bad}");
    }
}

#[test]
fn records_are_not_relocated_nor_are_structures_to_records() {
    assert_eq!(found_with("0 @D@ _DATE 1900\n1 PHRASE x\n1 FOO x"), [(7, "tag-undefined")]);
    assert_eq!(
        found_with("0 @I@ INDI\n1 _USER\n2 NAME x\n1 _X y\n2 _USER\n3 NAME x"),
        [(8, "tag-undefined"), (11, "tag-undefined")]
    );
}

#[test]
fn tags_of_elf_are_none_of_gedcom_7() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n2 SCHMA x\n1 ELF 1.0.0\n1 SCHMA\n2 SCHMA x\n2 TAG _A https://e.example/a\n0 TRLR\n";
    let undefined = "tag-undefined";
    assert_eq!(found_in(file), [(4, undefined), (5, undefined), (7, undefined)]);
}

#[test]
fn translations_of_notes_say_their_language_or_format() {
    for good in ["LANG en", "MIME text/html", "LANG en\n3 MIME text/html"] {
        let note = format!("0 @I@ INDI\n1 NOTE x\n2 TRAN y\n3 {good}\n0 @N@ SNOTE x\n1 TRAN y\n2 {good}");
        assert_eq!(found(&note.replace("\n2 LANG en\n3", "\n2 LANG en\n2")), [], "{good}");
    }
    let missing = [(6, "structure-missing"), (9, "structure-missing")];
    assert_eq!(found("0 @I@ INDI\n1 NOTE x\n2 TRAN y\n1 SEX X\n0 @N@ SNOTE x\n1 TRAN y\n2 _X z"), missing);
}

#[test]
fn relocated_structures_are_held_to_the_rows_of_theirs() {
    let good =
        "0 @I@ INDI\n1 NAME x\n2 _DATE FROM 6 APR 1917\n3 PHRASE war\n1 SUBM @U@\n0 @U@ _USER\n1 NAME x";
    assert_eq!(found_with(good), []);
    let bad = "0 @I@ INDI\n1 NAME x\n2 _DATE of war\n3 PHRASE a\n3 PHRASE b\n3 SEX M\n1 ASSO @U@\n2 ROLE CHIL\n\
               0 @U@ _USER\n1 LANG en";
    assert_eq!(
        found_with(bad),
        [
            (9, "date-malformed"),
            (11, "structure-repeated"),
            (15, "structure-missing"),
            (13, "pointer-wrong-type"),
            (12, "tag-undefined")
        ]
    );
}

#[test]
fn nothing_is_relocated_to_where_it_has_its_own_tag() {
    let found = found_with("0 @I@ INDI\n1 BIRT\n2 DATE 1900\n2 _DATE 1901\n1 NAME x\n2 _DATE 1902");
    assert_eq!(found, [(10, "tag-undefined")]);
}

#[test]
fn what_typing_says_of_tags_is_not_said_again() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 INDI\n1 RFN x\n0 TRLR\n";
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let found = |is_named| {
        let mut found: Vec<Diagnostic> = Vec::new();
        validate(&typed, Against { standard: Standard::Gedcom70, is_named }, &mut found);
        found.len()
    };
    assert_eq!((found(true), found(false)), (1, 0));
}

#[test]
fn families_and_persons_answer_one_another() {
    let person =
        |lines: &str| format!("0 @F@ FAM\n1 HUSB @I@\n1 CHIL @I@\n1 CHIL @VOID@\n0 @I@ INDI\n1 SEX X{lines}");
    assert_eq!(found(&person("")), [(5, "link-one-sided"), (6, "link-one-sided")]);
    assert_eq!(found(&person("\n1 FAMS @F@\n1 FAMC @F@")), []);
}

#[test]
fn a_medium_should_not_lead_to_itself() {
    let object = "0 @O@ OBJE\n1 FILE a.jpg\n2 FORM image/jpeg\n1 SOUR @S@\n2 OBJE @O@\n0 @S@ SOUR\n1 TITL x";
    assert_eq!(found(object), [(8, "pointer-circular")]);
}
