//! Merging: laws that hold for all pairs of files, and single rules.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use elf_edit::Editor;
use elf_lineage::{Lineage, LineageView, PersonId};
use elf_merge::{
    MergeAction, MergeError, MergeSummary, RecordKind, RecordPair, UnitedPersons, merge, merge_records,
};
use elf_schema::{ReadOptions, Rules, TypedDocument};
use elf_tagged::{Node, Payload, Target};
use std::collections::HashMap;

fn read(bytes: &[u8]) -> TypedDocument<'_> {
    elf_schema::read(bytes, &Rules::WILD, &ReadOptions::default(), &mut ()).expect("a file")
}

struct Result {
    bytes: Vec<u8>,
    actions: Vec<MergeAction>,
    summary: MergeSummary,
}

fn merged(a: &[u8], b: &[u8], pairs: &[(&str, &str)]) -> std::result::Result<Result, MergeError> {
    let (a, b) = (read(a), read(b));
    let lineages = [Lineage::of(&a), Lineage::of(&b)];
    let (view_a, view_b) = (LineageView::new(&lineages[0], &a), LineageView::new(&lineages[1], &b));
    let id = |side: usize, id: &str| -> PersonId { lineages[side].find_person(id).expect("a person").id() };
    let united = match pairs {
        [] => UnitedPersons::equal_records(),
        _ => {
            pairs.iter().fold(UnitedPersons::default(), |united, (a, b)| united.with_pair(id(0, a), id(1, b)))
        }
    };
    let merged = merge(&view_a, &view_b, &united)?;
    Ok(Result { bytes: merged.edited.octets.into_owned(), actions: merged.actions, summary: merged.summary })
}

/// The merged records, with pairs of persons to be united.
fn merged_records(a: &str, b: &str, pairs: &[(&str, &str)]) -> String {
    let file = |records: &str| format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n");
    let merged = merged(file(a).as_bytes(), file(b).as_bytes(), pairs).expect("a merge");
    let text = String::from_utf8(merged.bytes).expect("UTF-8");
    text.strip_prefix("0 HEAD\n1 CHAR UTF-8\n")
        .and_then(|text| text.strip_suffix("0 TRLR\n"))
        .expect("records")
        .to_owned()
}

#[test]
fn a_structure_with_the_same_meaning_is_not_added() {
    let a = "0 @I1@ INDI\n1 NAME Karl  /Weber/\n2 GIVN Karl\n1 BIRT Y\n2 DATE 3 Mar 1850\n2 PLAC Wien\n1 OCCU Smith\n2 DATE 1880\n";
    for (b, added) in [
        ("1 NAME Karl /Weber/\n1 BIRT\n2 DATE 3 MAR 1850\n1 OCCU Smith\n", ""),
        ("1 OCCU Baker\n", "1 OCCU Baker\n"),
        ("1 OCCU Smith\n2 DATE 1881\n", "1 OCCU Smith\n2 DATE 1881\n"),
        (
            "1 BIRT\n2 DATE 4 MAR 1850\n2 NOTE x\n3 CONT y\n",
            "1 BIRT\n2 DATE 4 MAR 1850\n2 NOTE x\n3 CONT y\n",
        ),
        ("1 RESI\n1 RESI\n2 PLAC Graz\n", "1 RESI\n1 RESI\n2 PLAC Graz\n"),
    ] {
        let found = merged_records(a, &format!("0 @X@ INDI\n{b}"), &[("I1", "X")]);
        assert_eq!(found, format!("{a}{added}"), "{b}");
    }
    // What B knows of the same event goes under it.
    let found = merged_records(
        a,
        "0 @X@ INDI\n1 BIRT\n2 DATE 3 MAR 1850\n2 AGNC Parish\n2 NOTE x\n1 OCCU Smith\n2 DATE 1880\n2 NOTE y\n",
        &[("I1", "X")],
    );
    let expected = a.replace("2 PLAC Wien\n", "2 PLAC Wien\n2 AGNC Parish\n2 NOTE x\n") + "2 NOTE y\n";
    assert_eq!(found, expected);
}

#[test]
fn identifiers_and_pointers_keep_their_meaning() {
    let a = "0 @I1@ INDI\n1 NAME A\n1 NOTE @N9@\n0 @N1@ NOTE one\n";
    let b = "0 @I1@ INDI\n1 NAME B\n1 NOTE @N1@\n1 NOTE @N2@\n1 NOTE @N8@\n1 SOUR @I1@\n0 @N1@ NOTE two\n0 @N2@ NOTE one\n0 @N9@ NOTE nine\n";
    let found = merged_records(a, b, &[]);
    let added = "0 @I2@ INDI\n1 NAME B\n1 NOTE @N3@\n1 NOTE @N1@\n1 NOTE @N8@\n1 SOUR @I2@\n0 @N3@ NOTE two\n0 @N4@ NOTE nine\n";
    assert_eq!(found, format!("{a}{added}"));
}

#[test]
fn several_pairs_with_one_person_unite_all() {
    let a = "0 @I1@ INDI\n1 NAME Karl\n0 @I2@ INDI\n1 NAME Karl\n";
    let b = "0 @X1@ INDI\n1 SEX M\n0 @X2@ INDI\n1 SEX M\n1 OCCU Smith\n0 @X3@ INDI\n1 ASSO @X2@\n";
    let found = merged_records(a, b, &[("I1", "X1"), ("I1", "X2")]);
    let expected =
        a.replacen("NAME Karl\n", "NAME Karl\n1 SEX M\n1 OCCU Smith\n", 1) + "0 @X3@ INDI\n1 ASSO @I1@\n";
    assert_eq!(found, expected);
}

#[test]
fn records_that_say_the_same_are_united_with_those_they_point_to() {
    let a = "0 @R1@ REPO\n1 NAME Archive\n0 @S1@ SOUR\n1 TITL Book\n1 REPO @R1@\n0 @O1@ OBJE\n1 FILE a.jpg\n";
    let b = "0 @S5@ SOUR\n1 TITL Book\n1 REPO @R5@\n1 CHAN\n2 DATE 1 JAN 2020\n0 @R5@ REPO\n1 NAME Archive\n0 @O5@ OBJE\n1 FILE a.jpg\n0 @S6@ SOUR\n1 TITL Book\n1 REPO @R6@\n0 @R6@ REPO\n1 NAME Other\n";
    let found = merged_records(a, b, &[]);
    let expected = a.replace("1 REPO @R1@\n", "1 REPO @R1@\n1 CHAN\n2 DATE 1 JAN 2020\n")
        + "0 @S6@ SOUR\n1 TITL Book\n1 REPO @R6@\n0 @R6@ REPO\n1 NAME Other\n";
    assert_eq!(found, expected);
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }
}

fn made_file(numbers: &mut Numbers) -> String {
    let line_break = ["\n", "\r\n"][numbers.below(2)];
    let mut text = String::from("0 HEAD\n1 CHAR UTF-8\n");
    for person in 0..4 {
        text += &format!(
            "0 @I{person}@ INDI\n1 NAME {} /{}/\n",
            numbers.of(&["Karl", "Anna"]),
            numbers.of(&["Weber", "Müller"])
        );
        for _ in 0..numbers.below(5) {
            let fact = [
                "1 SEX M\n",
                "1 SEX F\n",
                "1 BIRT\n2 DATE 1850\n",
                "1 BIRT\n2 DATE 1851\n2 PLAC Wien\n",
                "1 BIRT Y\n2 PLAC Wien\n",
                "1 DEAT Y\n",
                "1 RESI\n2 DATE 1870\n",
                "1 RESI\n",
                "1 OCCU Smith\n2 NOTE a\n3 CONT b\n",
                "1 SOUR @S0@\n2 PAGE 1\n",
                "1 SOUR @S0@\n2 PAGE 2\n",
                "1 SOUR @S1@\n",
                "1 NOTE @N0@\n",
                "1 OBJE @O7@\n",
                "1 FAMS @F0@\n",
                "1 FAMC @F1@\n",
                "1 _X\n2 _Y\n3 _Z 1\n",
                "1 NOTE\n",
            ];
            text += numbers.of(&fact);
        }
    }
    for family in 0..2 {
        text += &format!(
            "0 @F{family}@ FAM\n1 HUSB @I{}@\n1 WIFE @I{}@\n1 CHIL @I{}@\n",
            numbers.below(4),
            numbers.below(4),
            numbers.below(4)
        );
        text += numbers.of(&["", "1 MARR\n2 DATE 1875\n", "1 MARR\n2 PLAC Graz\n"]);
    }
    text += numbers.of(&[
        "0 @S0@ SOUR\n1 TITL Book\n1 REPO @R0@\n0 @S1@ SOUR\n",
        "0 @S0@ SOUR\n1 TITL Other\n",
        "",
    ]);
    text += numbers.of(&["0 @R0@ REPO\n1 NAME Archive\n", "0 @R0@ REPO\n1 NAME Library\n", ""]);
    text += numbers.of(&["0 @N0@ NOTE one\n1 CONT two\n", "0 @N0@ NOTE three\n", "0 @N0@ SUBM\n1 NAME x\n"]);
    (text + "0 TRLR\n").replace('\n', line_break)
}

/// What a record says, as it can be compared: the tags and payloads of a structure and all above it.
fn facts(node: Node<'_>, map: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut all = Vec::new();
    let mut waiting = vec![(node, String::new())];
    while let Some((node, above)) = waiting.pop() {
        let payload = match node.payload() {
            Payload::None => String::new(),
            Payload::Pointer(xref) => format!("@{}", map(xref)),
            Payload::Text(text) => text.into_owned(),
        };
        let payload = if ["BIRT", "DEAT"].contains(&node.tag()) { String::new() } else { payload };
        let path = format!("{above}/{} {payload}", node.tag());
        all.push(path.clone());
        waiting.extend(node.substructures().map(|below| (below, path.clone())));
    }
    all
}

#[test]
fn nothing_of_either_file_is_lost() {
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let (a, b) = (made_file(&mut numbers), made_file(&mut numbers));
        let pairs: &[(&str, &str)] = match seed % 3 {
            0 => &[],
            1 => &[("I0", "I1"), ("I1", "I0"), ("I2", "I3")],
            _ => &[("I0", "I0"), ("I0", "I1"), ("I3", "I3")],
        };
        let found = merged(a.as_bytes(), b.as_bytes(), pairs).expect("a merge");
        assert_eq!(found.summary.lost, 0, "{seed}");
        let text = String::from_utf8(found.bytes.clone()).expect("UTF-8");
        // The lines of A are there, in their order, byte for byte.
        let mut lines = text.split_inclusive('\n');
        assert!(a.split_inclusive('\n').all(|line| lines.any(|other| other == line)), "{seed}:\n{a}\n{text}");
        // Each structure of B is there, in the record that its record has become, or reported.
        let (document, of_b) = (read(&found.bytes), read(b.as_bytes()));
        let mut new: HashMap<&str, &str> = HashMap::new();
        for action in &found.actions {
            match action {
                MergeAction::United { a, b, .. } => drop(new.insert(b, a)),
                MergeAction::Added { id, b, .. } => drop(new.insert(b, id)),
                _ => {}
            }
        }
        let is_reported = |family: Option<&str>, fact: &str| {
            found.actions.iter().any(|action| match action {
                MergeAction::RoleDiffers { b, person, left_out, .. } => {
                    family == Some(b) && fact == format!("/{left_out} @{person}")
                }
                _ => false,
            })
        };
        let map = |xref: &str| new.get(xref).map_or_else(|| "?".to_owned(), |new| (*new).to_owned());
        for record in of_b.document().records().filter(|record| record.xref().is_some()) {
            let xref = map(record.xref().expect("an identifier"));
            let elf_tagged::Target::One(merged) = document.document().resolve(&xref) else {
                panic!("{seed}: {xref}\n{text}")
            };
            let is_known = |xref: &str| {
                if new.values().any(|new| *new == xref) { xref.to_owned() } else { "?".to_owned() }
            };
            let there = facts(merged, &is_known);
            for fact in facts(record, &map) {
                let suffix = fact.split_once("FAM ").map_or("", |(_, below)| below);
                assert!(
                    there.contains(&fact) || is_reported(record.xref(), suffix),
                    "{seed}: {fact}\n{a}\n{b}\n{text}"
                );
            }
        }
        let of_a = read(a.as_bytes());
        let count = |document: &TypedDocument<'_>| {
            document.document().records().filter(|record| record.xref().is_some()).count()
        };
        let added = found.actions.iter().filter(|action| matches!(action, MergeAction::Added { .. })).count();
        assert_eq!(count(&document), count(&of_a) + added, "{seed}\n{text}");
    }
}

#[test]
fn files_of_different_standards_are_refused() {
    let a = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 TRLR\n";
    let b = b"0 HEAD\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 TRLR\n";
    assert!(matches!(merged(a, b, &[]), Err(MergeError::Standards { .. })));
}

#[test]
fn large_families_and_deep_structures_take_no_long_time() {
    let children: String = (0..20_000).map(|n| format!("1 CHIL @I{n}@\n")).collect();
    let family = format!("0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n{children}");
    let persons: String = (0..20_000).map(|n| format!("0 @I{n}@ INDI\n1 NAME Person {n}\n")).collect();
    let deep: String = (1..90).map(|level| format!("{level} _X\n")).collect();
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{persons}{family}0 @Z1@ _Z\n{deep}0 TRLR\n");
    let other = file.replace("Person", "Other");
    let found = merged(file.as_bytes(), other.as_bytes(), &[]).expect("a merge");
    assert_eq!((found.summary.persons_added, found.summary.records_added), (20_000, 0));
}

#[test]
fn equal_text_does_not_unite_strangers() {
    let family = "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n";
    let tree = |names: [&str; 3]| {
        let [one, two, three] = names;
        format!(
            "0 @I1@ INDI\n1 NAME {one}\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME {two}\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME {three}\n1 FAMC @F1@\n{family}"
        )
    };
    let (a, b) = (tree(["Karl", "Anna", "Max"]), tree(["Owen", "Gwen", "Ivor"]));
    // The families have the same text, but different people belong to them.
    let found = merged_records(&a, &b, &[]);
    assert!(found.contains("0 @F2@ FAM\n1 HUSB @I4@\n1 WIFE @I5@\n1 CHIL @I6@\n"), "{found}");
    assert_eq!(merged_records(&a, &a, &[]), a);
    // One known couple without dates is no evidence, if the child is another one.
    let found = merged_records(&tree(["?", "?", "Max"]), &tree(["?", "?", "Ivor"]), &[]);
    assert_eq!(found.matches(" FAM\n").count(), 2, "{found}");
    let of = |name: &str| {
        format!(
            "0 @I1@ INDI\n1 NAME Unknown //\n1 FAMC @F1@\n0 @I2@ INDI\n1 NAME {name}\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n"
        )
    };
    assert_eq!(merged_records(&of("Karl"), &of("Owen"), &[]).matches(" INDI\n").count(), 4);
    for (record, other) in
        [("SOUR\n1 TITL Book\n1 REPO", "REPO\n1 NAME"), ("OBJE\n1 FILE a.jpg\n1 NOTE", "NOTE")]
    {
        let of = |name: &str| format!("0 @S1@ {record} @R1@\n0 @R1@ {other} {name}\n");
        assert_eq!(merged_records(&of("Oslo"), &of("Bergen"), &[]).matches("0 @").count(), 4);
        assert_eq!(merged_records(&of("Oslo"), &of("Oslo"), &[]), of("Oslo"));
    }
}

#[test]
fn a_changed_child_leaves_the_couple_united() {
    let of = |child: &str| {
        format!(
            "0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n1 FAMS @F1@\n0 @I2@ INDI\n1 BIRT\n2 DATE 1851\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME {child}\n1 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n"
        )
    };
    let found = merged_records(&of("Max"), &of("Maximilian"), &[]);
    assert_eq!(found, format!("{}1 CHIL @I4@\n0 @I4@ INDI\n1 NAME Maximilian\n1 FAMC @F1@\n", of("Max")));
}

const COUPLE: &str = "0 @I1@ INDI\n1 FAMS @F1@\n0 @I2@ INDI\n1 FAMS @F1@\n";

#[test]
fn a_couple_in_swapped_roles_is_one_couple() {
    let a = format!("{COUPLE}0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n");
    let b = format!("{COUPLE}0 @F1@ FAM\n1 HUSB @I2@\n2 NOTE x\n1 WIFE @I1@\n");
    let found = merged_records(&a, &b, &[("I1", "I1"), ("I2", "I2")]);
    assert_eq!(found, format!("{a}2 NOTE x\n"));
    let file = |records: &str| format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n");
    let actions = merged(file(&a).as_bytes(), file(&b).as_bytes(), &[("I1", "I1"), ("I2", "I2")]);
    let is_role = |action: &&MergeAction| matches!(action, MergeAction::RoleDiffers { .. });
    assert_eq!(actions.expect("a merge").actions.iter().filter(is_role).count(), 2);
}

#[test]
fn the_family_with_the_same_facts_is_chosen() {
    let family =
        |id: u8, year: u16| format!("0 @F{id}@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 MARR\n2 DATE {year}\n");
    let persons = "0 @I1@ INDI\n1 FAMS @F1@\n1 FAMS @F2@\n0 @I2@ INDI\n1 FAMS @F1@\n1 FAMS @F2@\n";
    let a = format!("{persons}{}{}", family(1, 1880), family(2, 1890));
    let b = format!("{COUPLE}{}2 NOTE x\n", family(1, 1890));
    let found = merged_records(&a, &b, &[("I1", "I1"), ("I2", "I2")]);
    assert_eq!(found, format!("{a}2 NOTE x\n"));
}

#[test]
fn a_parent_that_one_file_lacks_does_not_split_a_family() {
    let child = "0 @I3@ INDI\n1 FAMC @F1@\n";
    let a = format!("0 @I1@ INDI\n1 FAMS @F1@\n{child}0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I3@\n");
    let b = format!("{COUPLE}{child}0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n");
    let pairs = [("I1", "I1"), ("I3", "I3")];
    let found = merged_records(&a, &b, &pairs);
    assert_eq!(found, format!("{a}1 WIFE @I2@\n0 @I2@ INDI\n1 FAMS @F1@\n"));
    assert_eq!(merged_records(&b, &a, &pairs), b);
}

#[test]
fn equal_dates_and_other_dates_of_change_are_no_conflict() {
    let of =
        |date: &str, change: &str| format!("0 @I1@ INDI\n1 BIRT\n2 DATE {date}\n1 CHAN\n2 DATE {change}\n");
    let a = of("3 MAR 1850", "1 JAN 2020");
    for date in ["03 MAR 1850", "@#DGREGORIAN@ 3 MAR 1850", "3 Mar 1850"] {
        assert_eq!(merged_records(&a, &of(date, "2 FEB 2021"), &[("I1", "I1")]), a, "{date}");
    }
}

#[test]
fn records_without_identifiers_are_not_added_twice() {
    let a = "0 _EVDEF Census\n1 TYPE P\n0 _ROOT @I1@\n0 @I1@ INDI\n1 NAME A\n";
    let b = format!("{a}0 _EVDEF Other\n");
    assert_eq!(merged_records(a, &b, &[]), b);
}

#[test]
fn tags_of_gedcom_7_keep_their_meaning() {
    let file = |schema: &str, records: &str| format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{schema}{records}0 TRLR\n");
    let a = file("1 SCHMA\n2 TAG _SKILL https://a.example/skill\n", "0 @I1@ INDI\n1 _SKILL piano\n");
    let b = file(
        "1 SCHMA\n2 TAG _SKILL https://b.example/craft\n2 TAG _HAIR https://b.example/hair\n",
        "0 @X1@ INDI\n1 _SKILL smithing\n1 _HAIR red\n",
    );
    let found = merged(a.as_bytes(), b.as_bytes(), &[]).expect("a merge");
    let text = String::from_utf8(found.bytes).expect("UTF-8");
    let schema = "1 SCHMA\n2 TAG _SKILL https://a.example/skill\n2 TAG _SKILL2 https://b.example/craft\n2 TAG _HAIR https://b.example/hair\n";
    let records = "0 @I1@ INDI\n1 _SKILL piano\n0 @X1@ INDI\n1 _SKILL2 smithing\n1 _HAIR red\n";
    assert_eq!(text, file(schema, records));
    assert!(found.actions.contains(&MergeAction::RenamedTag {
        tag: "_SKILL2".to_owned(),
        b: "_SKILL".to_owned(),
        record: None
    }));
    // A file without a schema gets one.
    let found = merged(file("", "").as_bytes(), b.as_bytes(), &[]).expect("a merge");
    assert_eq!(String::from_utf8(found.bytes).expect("UTF-8"), b);
}

#[test]
fn labelled_facts_keep_their_names() {
    let file = |list: &str, records: &str| {
        format!("0 HEAD\n1 SOUR FTM\n1 GEDC\n2 VERS 5.5.1\n{list}{records}0 TRLR\n")
    };
    let a = file(
        "1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Deacon\n3 _FA3\n4 LABL Journey\n",
        "0 @I1@ INDI\n1 _FA1 Trier\n",
    );
    let b = file(
        "1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Baker\n3 _FA3\n4 LABL Duel\n3 _FA4\n4 LABL Journey\n3 _FREL\n4 LABL Tie\n\
         2 FAM\n3 _FA1\n4 LABL Handfasting\n",
        "0 @X1@ INDI\n1 _FA1 master\n1 _FA3 won\n1 _FA4 Rome\n1 _FA9 unnamed\n0 @X2@ FAM\n1 _FA1 1800\n",
    );
    let found = merged(a.as_bytes(), b.as_bytes(), &[]).expect("a merge");
    let list = "1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Deacon\n3 _FA3\n4 LABL Journey\n3 _FA2\n4 LABL Baker\n\
        3 _FA5\n4 LABL Duel\n3 _FA4\n4 LABL Journey\n3 _FREL\n4 LABL Tie\n2 FAM\n3 _FA1\n4 LABL Handfasting\n";
    let records = "0 @I1@ INDI\n1 _FA1 Trier\n0 @X1@ INDI\n1 _FA2 master\n1 _FA5 won\n1 _FA4 Rome\n1 _FA9 unnamed\n\
        0 @X2@ FAM\n1 _FA1 1800\n";
    assert_eq!(String::from_utf8(found.bytes).expect("UTF-8"), file(list, records));
    let renamed = MergeAction::RenamedTag {
        tag: "_FA2".to_owned(),
        b: "_FA1".to_owned(),
        record: Some("INDI".to_owned()),
    };
    assert!(found.actions.contains(&renamed), "{:?}", found.actions);
    // A label that A gives another tag.
    let other = file("1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Journey\n", "0 @X1@ INDI\n1 _FA1 Rome\n");
    let found = merged(a.as_bytes(), other.as_bytes(), &[]).expect("a merge");
    assert!(String::from_utf8(found.bytes).expect("UTF-8").contains("0 @X1@ INDI\n1 _FA3 Rome\n"));
    // A file without labels gets them.
    let found = merged(file("", "").as_bytes(), b.as_bytes(), &[]).expect("a merge");
    assert_eq!(String::from_utf8(found.bytes).expect("UTF-8"), b);
}

#[test]
fn unused_and_contradictory_labels_take_no_names() {
    let file = |labels: &str, fact: &str| {
        let labels = labels.split(' ').map(|one| one.split_once('=').expect("a tag and a label"));
        let list: String =
            labels.map(|(tag, label)| format!("3 {tag}\n4 LABL {}\n", label.replace('_', " "))).collect();
        format!(
            "0 HEAD\n1 SOUR FTM\n1 GEDC\n2 VERS 5.5.1\n1 _SCHEMA\n2 INDI\n{list}0 {fact} INDI\n1 _FA1 x\n0 TRLR\n"
        )
    };
    for (a, b, expected, lost) in [
        // Family Tree Maker labels unused tags `Fact` with a number.
        ("_FA1=Fact_1 _FA2=Fact_2", "_FA1=Deacon", "3 _FA3\n4 LABL Deacon\n", 0),
        ("_FA1=Monk _FA1=Abbot", "_FA1=Monk", "3 _FA2\n4 LABL Monk\n", 0),
        ("_FA1=Baker _FA7=Monk _FA5=Monk", "_FA1=Monk", "0 @B@ INDI\n1 _FA7 x\n", 0),
        ("_FA2=Monk", "_FA1=Monk _FA1=Abbot", "3 _FA1\n4 LABL Monk\n3 _FA1\n4 LABL Abbot\n", 0),
        ("_FA1=Monk _FREL=Tie", "_FA1=Monk _FREL=Bond", "1 _FA1 x\n0 @B@", 1),
    ] {
        for _ in 0..3 {
            let found = merged(file(a, "@A@").as_bytes(), file(b, "@B@").as_bytes(), &[]).expect("a merge");
            let text = String::from_utf8(found.bytes).expect("UTF-8");
            assert!(text.contains(expected), "{a} and {b}: {text}");
            assert!(text.contains(a.split(['=', ' ']).nth(1).expect("a label").replace('_', " ").as_str()));
            assert_eq!(found.summary.lost, lost, "{a} and {b}");
        }
    }
}

#[test]
fn labels_are_compared_with_all_lists_of_the_header() {
    let file = |lists: &str| format!("0 HEAD\n1 SOUR FTM\n1 GEDC\n2 VERS 5.5.1\n{lists}0 TRLR\n");
    let tie = "2 INDI\n3 _FREL\n4 LABL Tie\n";
    let bond = tie.replace("Tie", "Bond");
    let fact = "2 INDI\n3 _FA1\n4 LABL Deacon\n";
    for (a, b, lost) in [
        // The first file has the label in its second list, or under its second INDI.
        (format!("1 _SCHEMA\n{fact}1 _SCHEMA\n{tie}"), &bond, 1),
        (format!("1 _SCHEMA\n{fact}{tie}"), &bond, 1),
        (format!("1 _SCHEMA\n2 FAM\n1 _SCHEMA\n{tie}"), &bond, 1),
        // One of its labels is the same.
        (format!("1 _SCHEMA\n{tie}1 _SCHEMA\n{bond}"), &bond, 0),
    ] {
        let a = file(&a);
        let b = file(&format!("1 _SCHEMA\n{b}"));
        let found = merged(a.as_bytes(), b.as_bytes(), &[]).expect("a merge");
        assert_eq!(String::from_utf8(found.bytes).expect("UTF-8"), a);
        assert_eq!(found.summary.lost, lost, "{a}");
    }
    // A list that lacks a label gets it, where the header lists the kind of record.
    let a = format!("1 _SCHEMA\n2 FAM\n3 _FA1\n4 LABL Ring\n1 _SCHEMA\n{fact}");
    let found =
        merged(file(&a).as_bytes(), file(&format!("1 _SCHEMA\n{tie}")).as_bytes(), &[]).expect("a merge");
    let expected = file(&format!("{a}3 _FREL\n4 LABL Tie\n"));
    assert_eq!(String::from_utf8(found.bytes).expect("UTF-8"), expected);
    assert_eq!(found.summary.lost, 0);
}

#[test]
fn many_labels_are_merged_in_linear_time() {
    let file = |word: &str, id: &str| {
        let lists: String = (1..=8_000).map(|at| format!("2 INDI\n3 _FA{at}\n4 LABL {word}{at}\n")).collect();
        format!("0 HEAD\n1 SOUR FTM\n1 GEDC\n2 VERS 5.5.1\n1 _SCHEMA\n{lists}0 {id} INDI\n1 _FA1 x\n0 TRLR\n")
    };
    let start = std::time::Instant::now();
    let found = merged(file("a", "@A@").as_bytes(), file("b", "@B@").as_bytes(), &[]).expect("a merge");
    let text = String::from_utf8(found.bytes).expect("UTF-8");
    assert!(text.contains("3 _FA16000\n") && text.contains("4 LABL b8000\n"));
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn a_tag_with_several_uris_keeps_its_name() {
    let file = |schema: &str, records: &str| {
        format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n{schema}{records}0 TRLR\n")
    };
    let craft = "2 TAG _CRAFT https://b.example/of-person\n2 TAG _CRAFT https://b.example/of-family\n";
    let records = "0 @F1@ FAM\n1 _CRAFT baking\n0 @I9@ INDI\n1 _CRAFT piano\n";
    for of_a in ["2 TAG _SKILL https://a.example/skill\n", craft] {
        let a = file(of_a, "0 @I1@ INDI\n1 NAME A /B/\n");
        let found = merged(a.as_bytes(), file(craft, records).as_bytes(), &[]).expect("a merge");
        let text = String::from_utf8(found.bytes).expect("UTF-8");
        for line in craft.lines().chain(records.lines()) {
            assert_eq!(text.matches(&format!("{line}\n")).count(), 1, "{line}: {text}");
        }
    }
}

#[test]
fn a_tag_keeps_its_types_beside_the_uris_of_the_other_file() {
    const PERSON: &str = "https://terms.fhiso.org/elf/proposed/INDI-_X";
    const FAMILY: &str = "https://terms.fhiso.org/elf/proposed/FAM-_X";
    let file = |tags: &[(&str, &str)], records: &str| {
        let schema: String = tags.iter().map(|(tag, uri)| format!("2 TAG {tag} {uri}\n")).collect();
        format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n{schema}{records}0 TRLR\n")
    };
    // The type of the structure with this payload, if the schema gives it one.
    let type_of = |bytes: &[u8], payload: &str| {
        let typed = read(bytes);
        let of = typed
            .document()
            .structures()
            .find(|node| node.text() == payload)
            .and_then(|node| typed.type_of(node));
        of.filter(|of| !of.contains("Undefined")).map(str::to_owned)
    };
    let (one, two) = ("https://e.example/1", "https://e.example/2");
    for (a, b, tag_a, tag_b) in [
        (&[("_X", one), ("_X", two)][..], &[("_Z", one)][..], "_X", "_Z"),
        (&[("_X", one), ("_X", two)], &[("_X", one)], "_X", "_X"),
        (&[("_X", one)], &[("_X", one), ("_X", two)], "_X", "_X"),
        (&[("_X", one)], &[("_Z", one), ("_Z", one)], "_X", "_Z"),
        (&[("_X", one)], &[("_Z", one), ("_X", two)], "_X", "_Z"),
        (&[("_X", PERSON)], &[("_X", PERSON), ("_X", FAMILY)], "_X", "_X"),
        (&[("_X", PERSON), ("_X", FAMILY)], &[("_X", PERSON)], "_X", "_X"),
    ] {
        let a = file(a, &format!("0 @I1@ INDI\n1 {tag_a} of a\n"));
        let b = file(b, &format!("0 @I2@ INDI\n1 {tag_b} of b\n"));
        let found = merged(a.as_bytes(), b.as_bytes(), &[]).expect("a merge");
        let text = String::from_utf8_lossy(&found.bytes);
        assert_eq!(type_of(&found.bytes, "of a"), type_of(a.as_bytes(), "of a"), "{text}");
        assert_eq!(type_of(&found.bytes, "of b"), type_of(b.as_bytes(), "of b"), "{text}");
        if b.contains(PERSON) {
            assert!(text.contains("1 _X of b\n"), "{text}");
        }
    }
}

#[test]
fn the_first_of_several_facts_is_named_in_a_conflict() {
    let a = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 SEX M\n1 SEX F\n1 SEX U\n0 TRLR\n";
    let b = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 SEX X\n0 TRLR\n";
    let found = merged(a.as_bytes(), b.as_bytes(), &[("I1", "I1")]).expect("a merge");
    let is_first = |action: &MergeAction| matches!(action, MergeAction::Conflict { kept, .. } if kept == "M");
    assert!(found.actions.iter().any(is_first));
}

/// The records of a file after two of them are merged, and what was reported.
fn merged_within(
    records: &[u8],
    kept: &str,
    removed: &str,
) -> std::result::Result<(String, Vec<MergeAction>), MergeError> {
    let (text, actions, _) = merged_and_counted(records, kept, removed)?;
    Ok((text, actions))
}

fn merged_and_counted(
    records: &[u8],
    kept: &str,
    removed: &str,
) -> std::result::Result<(String, Vec<MergeAction>, MergeSummary), MergeError> {
    let file = [b"0 HEAD\n1 CHAR UTF-8\n", records, b"0 TRLR\n"].concat();
    let document = elf_tagged::Document::parse(&file).expect("a document");
    let record = |xref: &str| match document.resolve(xref) {
        Target::One(node) => node,
        other => panic!("{xref}: {other:?}"),
    };
    let kept = record(kept);
    let kind = match kept.tag() {
        "INDI" => RecordKind::Person,
        "FAM" => RecordKind::Family,
        _ => RecordKind::Other,
    };
    let merged = merge_records(Editor::new(&document), RecordPair { kept, removed: record(removed), kind })?;
    let edited = merged.editor.finish_quietly()?;
    let text = String::from_utf8_lossy(&edited.octets).into_owned();
    let records = text.strip_prefix("0 HEAD\n1 CHAR UTF-8\n").and_then(|text| text.strip_suffix("0 TRLR\n"));
    Ok((records.expect("records").to_owned(), merged.actions, merged.summary))
}

#[test]
fn two_records_of_one_file_become_one() {
    let file = "0 @I1@ INDI\n1 NAME Anna /Berg/\n1 BIRT\n2 DATE 1850\n1 FAMS @F1@\n1 CHAN\n2 DATE 1 JAN 2001\n\
        0 @I2@ INDI\n1 NAME Anna /Bergh/\n1 BIRT\n2 DATE 1850\n2 PLAC Wien\n1 OCCU Weaver\n2 NOTE a\n3 CONT b\n1 ALIA @I1@\n\
        1 FAMS @F1@\n1 FAMS @F2@\n1 CHAN\n2 DATE 2 JAN 2002\n\
        0 @F1@ FAM\n1 WIFE @I1@\n1 WIFE @I2@\n0 @F2@ FAM\n1 WIFE @I2@\n0 @X@ NOTE for @I2@\n1 _ABOUT @I2@\n";
    let expected = "0 @I1@ INDI\n1 NAME Anna /Berg/\n1 BIRT\n2 DATE 1850\n2 PLAC Wien\n1 FAMS @F1@\n1 CHAN\n2 DATE 1 JAN 2001\n\
        1 NAME Anna /Bergh/\n1 OCCU Weaver\n2 NOTE a\n3 CONT b\n1 FAMS @F2@\n\
        0 @F1@ FAM\n1 WIFE @I1@\n0 @F2@ FAM\n1 WIFE @I1@\n0 @X@ NOTE for @I2@\n1 _ABOUT @I1@\n";
    let (text, actions) = merged_within(file.as_bytes(), "I1", "I2").expect("a merge");
    assert_eq!(text, expected);
    assert!(matches!(&*actions, [MergeAction::United { .. }]), "{actions:?}");
}

#[test]
fn a_merge_within_a_file_reports_what_differs() {
    let file =
        b"0 @I1@ INDI\n1 SEX M\n1 DEAT\n2 DATE 1900\n0 @I2@ INDI\n1 SEX F\n1 DEAT\n2 DATE 1901\n1 NOTE x\n";
    let (text, actions) = merged_within(file, "I1", "I2").expect("a merge");
    let expected = "0 @I1@ INDI\n1 SEX M\n1 DEAT\n2 DATE 1900\n1 SEX F\n1 DEAT\n2 DATE 1901\n1 NOTE x\n";
    assert_eq!(text, expected);
    let tags = actions.iter().filter_map(|one| match one {
        MergeAction::Conflict { tag, .. } => Some(&**tag),
        _ => None,
    });
    assert_eq!(tags.collect::<Vec<&str>>(), ["SEX", "DEAT"]);
}

#[test]
fn two_families_become_one_and_a_better_pointer_stays() {
    let file = "0 @I1@ INDI\n1 FAMC @F1@\n1 FAMC @F2@\n2 PEDI adopted\n0 @F1@ FAM\n1 CHIL @I1@\n0 @F2@ FAM\n1 CHIL @I1@\n1 MARR Y\n";
    let (text, _) = merged_within(file.as_bytes(), "F1", "F2").expect("a merge");
    let expected = "0 @I1@ INDI\n1 FAMC @F1@\n2 PEDI adopted\n0 @F1@ FAM\n1 CHIL @I1@\n1 MARR Y\n";
    assert_eq!(text, expected);
}

#[test]
fn records_that_cannot_be_the_same_are_not_merged() {
    let family = "0 @I1@ INDI\n0 @I2@ INDI\n0 @I3@ INDI\n1 ASSO @I1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n0 @N1@ NOTE\n";
    for (kept, removed, part) in [
        ("I1", "I2", "has one of them as HUSB and the other one as CHIL"),
        ("I2", "I1", "has one of them as CHIL and the other one as HUSB"),
        ("I1", "I3", "refers to the other one (ASSO)"),
        ("I3", "I1", "refers to the other one (ASSO)"),
        ("I1", "N1", "two records of the same kind"),
        ("I1", "I1", "two records of the same kind"),
    ] {
        let error = merged_within(family.as_bytes(), kept, removed).expect_err(part).to_string();
        assert!(error.contains(part), "{kept} {removed}: {error}");
    }
}

#[test]
fn several_structures_do_not_become_one() {
    let two = "1 BIRT\n2 DATE 1850\n2 PLAC Wien\n1 BIRT\n2 DATE 1860\n2 PLAC Graz\n";
    let file = format!("0 @I1@ INDI\n1 BIRT\n0 @I2@ INDI\n{two}");
    let (text, actions) = merged_within(file.as_bytes(), "I1", "I2").expect("a merge");
    assert_eq!(text, format!("0 @I1@ INDI\n{two}"));
    let is_conflict = |action: &MergeAction| matches!(action, MergeAction::Conflict { kept, added, .. } if kept == "1850, Wien" && added == "1860, Graz");
    assert!(actions.iter().any(is_conflict), "{actions:?}");
    let found = merged_records("0 @I1@ INDI\n1 BIRT\n", &format!("0 @X@ INDI\n{two}"), &[("I1", "X")]);
    assert_eq!(found, format!("0 @I1@ INDI\n{two}"));
    // What belongs together stays together, also where both may differ.
    let two = "1 OCCU Smith\n2 _FROM 1850\n2 _IN Wien\n1 OCCU Smith\n2 _FROM 1860\n2 _IN Graz\n";
    let found = merged_records("0 @I1@ INDI\n1 OCCU Smith\n", &format!("0 @X@ INDI\n{two}"), &[("I1", "X")]);
    assert_eq!(found, format!("0 @I1@ INDI\n{two}"));
}

#[test]
fn a_pointer_is_not_there_twice_unless_each_has_more_to_say() {
    let people = "0 @I1@ INDI\n0 @I2@ INDI\n";
    for (links, expected) in [
        ("1 HUSB @I1@\n1 HUSB @I2@\n2 _X 1\n", "1 HUSB @I1@\n2 _X 1\n"),
        ("1 HUSB @I2@\n2 _X 1\n1 HUSB @I1@\n", "1 HUSB @I1@\n2 _X 1\n"),
        ("1 HUSB @I1@\n2 _X 1\n1 HUSB @I2@\n", "1 HUSB @I1@\n2 _X 1\n"),
        ("1 HUSB @I1@\n1 HUSB @I2@\n1 HUSB @I2@\n2 _X 1\n", "1 HUSB @I1@\n2 _X 1\n"),
        ("1 HUSB @I1@\n1 HUSB @I2@\n2 _X @I2@\n3 _Y\n2 _X @I1@\n", "1 HUSB @I1@\n2 _X @I1@\n3 _Y\n"),
        ("1 HUSB @I1@\n2 _X 2\n1 HUSB @I2@\n2 _X 1\n", "1 HUSB @I1@\n2 _X 2\n1 HUSB @I1@\n2 _X 1\n"),
        // Those of other records are left as they are.
        ("1 CHIL @I3@\n1 CHIL @I3@\n1 HUSB @I2@\n", "1 CHIL @I3@\n1 CHIL @I3@\n1 HUSB @I1@\n"),
    ] {
        let file = format!("{people}0 @F1@ FAM\n{links}");
        let (text, _) = merged_within(file.as_bytes(), "I1", "I2").expect("a merge");
        assert_eq!(text, format!("0 @I1@ INDI\n0 @F1@ FAM\n{expected}"), "{links}");
    }
}

#[test]
fn a_pointer_to_a_structure_that_goes_leads_to_the_one_that_stays() {
    let third = |xref: &str| format!("0 @I3@ INDI\n1 NOTE @{xref}@\n");
    for (kept, removed, expected, xref) in [
        // Nothing that stays has an identifier.
        ("1 NOTE hello\n", "1 @N1@ NOTE hello\n", "1 NOTE hello\n1 @N1@ NOTE hello\n", "N1"),
        ("1 @N2@ NOTE hello\n", "1 @N1@ NOTE hello\n", "1 @N2@ NOTE hello\n", "N2"),
        ("1 @N2@ NOTE hi\n", "1 @N1@ NOTE hi\n2 SOUR x\n", "1 @N2@ NOTE hi\n2 SOUR x\n", "N2"),
        ("1 RESI\n2 @N2@ NOTE a\n", "1 RESI\n2 @N1@ NOTE a\n", "1 RESI\n2 @N2@ NOTE a\n", "N2"),
        ("1 OCCU x\n2 NOTE a\n", "1 OCCU x\n2 @N1@ NOTE a\n", "1 OCCU x\n2 NOTE a\n2 @N1@ NOTE a\n", "N1"),
    ] {
        let file = format!("0 @I1@ INDI\n{kept}0 @I2@ INDI\n{removed}{}", third("N1"));
        let (text, actions) = merged_within(file.as_bytes(), "I1", "I2").expect("a merge");
        assert_eq!(text, format!("0 @I1@ INDI\n{expected}{}", third(xref)));
        assert!(matches!(&*actions, [MergeAction::United { .. }]), "{actions:?}");
        // The same in two files. The third person is in B alone.
        let a = format!("0 @I1@ INDI\n{kept}");
        let b = format!("0 @X@ INDI\n{removed}{}", third("N1"));
        let person = format!("0 @I3@ INDI\n1 NOTE @{xref}@\n");
        assert_eq!(
            merged_records(&a, &b, &[("I1", "X")]),
            format!("0 @I1@ INDI\n{expected}{person}"),
            "{kept} {removed}"
        );
    }
    // A pointer with an identifier stays, even if it is there twice.
    let file = "0 @I1@ INDI\n0 @I2@ INDI\n0 @F1@ FAM\n1 HUSB @I1@\n1 @H@ HUSB @I2@\n1 _X @H@\n";
    let (text, _) = merged_within(file.as_bytes(), "I1", "I2").expect("a merge");
    assert_eq!(text, "0 @I1@ INDI\n0 @F1@ FAM\n1 @H@ HUSB @I1@\n1 _X @H@\n");
    // A change date that is left out takes the structure with it.
    let file = "0 @I1@ INDI\n1 CHAN\n0 @I2@ INDI\n1 CHAN\n2 @N1@ NOTE a\n0 @I3@ INDI\n1 NOTE @N1@\n";
    let (_, actions) = merged_within(file.as_bytes(), "I1", "I2").expect("a merge");
    assert!(actions.iter().any(|action| matches!(action, MergeAction::Lost { line: 7, .. })), "{actions:?}");
}

#[test]
fn a_change_date_that_is_left_out_is_counted() {
    for (note, left_out) in [("", 0), ("2 NOTE checked\n", 1)] {
        let date = "1 CHAN\n2 DATE 1 JAN 2001\n";
        let file = format!("0 @I1@ INDI\n{date}0 @I2@ INDI\n{date}{note}");
        let (text, _, summary) = merged_and_counted(file.as_bytes(), "I1", "I2").expect("a merge");
        assert_eq!(text, format!("0 @I1@ INDI\n{date}"));
        assert_eq!((summary.change_dates_left_out, summary.persons_united), (left_out, 1), "{note}");
    }
}

#[test]
fn a_text_of_a_record_that_is_lost_is_reported() {
    for (kept, removed, lost) in [
        ("one", "two", true),
        ("one", "one", false),
        ("one", "", false),
        ("", "two", true),
        ("one\n1 CONT more", "one", true),
    ] {
        let file = format!("0 @N1@ NOTE {kept}\n0 @N2@ NOTE {removed}\n1 SOUR @S1@\n0 @S1@ SOUR\n");
        let (text, actions) = merged_within(file.as_bytes(), "N1", "N2").expect("a merge");
        let reports = actions.iter().any(|action| matches!(action, MergeAction::Lost { .. }));
        assert_eq!(reports, lost, "{kept:?} {removed:?}: {actions:?}");
        assert!(text.contains("1 SOUR @S1@\n") && !text.contains("@N2@"), "{text}");
    }
}
