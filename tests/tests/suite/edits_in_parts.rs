//! A file that is edited by the parts that the edits concern comes out as one that is edited whole: octets,
//! lines, findings, and what goes with what is removed.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::Rules;
use elf_edit::{Edit, EditOptions, Value};
use elf_octets::Options;
use elf_tests::corpus::{CorpusFile, corpus};
use elf_tests::edits::{in_parts, whole};
use proptest::prelude::*;

/// Numbers that look chosen at random, the same in every run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides.max(1)
    }

    fn pick<'a>(&mut self, all: &'a [&'a str]) -> &'a str {
        all.get(self.throw(all.len())).copied().unwrap_or("X9")
    }
}

/// Some edits of records with these identifiers.
fn edits(xrefs: &[&str], dice: &mut Dice) -> Vec<Edit> {
    let tags = ["NAME", "SEX", "BIRT", "BIRT/DATE", "HUSB", "CHIL[1]", "NOTE", "FAMS", "DEAT/PLAC", "_X/Y"];
    let texts = ["1900", "é", "漢字", "", "a\nb", "@I1@", "31 FEB 1900", "long text ".repeat(40).leak()];
    let mut made = Vec::new();
    for _ in 0..=dice.throw(3) {
        let (xref, other) = (dice.pick(xrefs).to_owned(), dice.pick(xrefs).to_owned());
        let in_head = ["SOUR", "SOUR/VERS", "NOTE", "SUBM", "DATE", "CHAR", "GEDC/VERS", "_X", "SCHMA"];
        let path = match dice.throw(9) {
            0 => format!("@{xref}@"),
            1 => "HEAD".to_owned(),
            2 | 3 => format!("HEAD/{}", dice.pick(&in_head)),
            _ => format!("@{xref}@/{}", dice.pick(&tags)),
        };
        let Ok(path) = path.parse() else { continue };
        let value = match dice.throw(4) {
            0 => Value::Pointer(other.clone()),
            _ => Value::of(dice.pick(&texts)),
        };
        made.push(match dice.throw(7) {
            0 | 1 => Edit::Set(path, value),
            2 | 3 => Edit::Remove(path),
            4 => Edit::Insert(path, value),
            5 => match dice.throw(3) {
                0 => Edit::Rename(xref, format!("N{}", dice.throw(9))),
                1 => Edit::Rename(xref, format!("LONGIDENTIFIER{}", dice.throw(9))),
                _ => Edit::Insert(format!("@NEW{}@ NOTE", dice.throw(3)).parse().expect("a path"), value),
            },
            _ => Edit::Move(path, format!("@{other}@/NOTE").parse().expect("a path")),
        });
    }
    made
}

/// Makes edits in both ways; tells whether parts were enough.
fn check(
    name: &str,
    octets: &[u8],
    rules: &Rules,
    (edits, options): (&[Edit], EditOptions),
    size: usize,
) -> bool {
    let Some(parts) = in_parts(octets, rules, edits, options, size) else { return false };
    let whole = whole(octets, rules, edits, options);
    assert_eq!(
        Some(&parts),
        whole.as_ref(),
        "{name} by {} in parts of {size}: {edits:?} {options:?}",
        rules.name
    );
    true
}

fn options(dice: &mut Dice) -> EditOptions {
    EditOptions::new()
        .with_cascade(dice.throw(2) == 0)
        .with_create(dice.throw(2) == 0)
        .with_dangling(dice.throw(2) == 0)
}

#[test]
fn edits_of_the_corpus_come_out_alike() {
    let mut by_parts = 0;
    let mut dice = Dice(7);
    let Some(files) = corpus() else { return };
    for CorpusFile { name, octets, .. } in files.into_iter().filter(|file| file.octets.len() < 60_000) {
        for rules in [&Rules::WILD, &Rules::DECEMBER_2019, &Rules::GEDCOM_7] {
            let document = elf_tagged::read(&octets, rules, &Options::default(), &mut ()).expect("small");
            let xrefs: Vec<&str> = document.structures().filter_map(|node| node.xref()).collect();
            for size in [1, 30, 200, 1000, 3000, 1, 200] {
                let (edits, options) = (edits(&xrefs, &mut dice), options(&mut dice));
                by_parts += usize::from(check(&name, &octets, rules, (&edits, options), size));
            }
        }
    }
    assert!(by_parts > 60, "{by_parts}");
}

/// A file of people and families, with faults here and there.
fn file(people: usize, dice: &mut Dice) -> Vec<u8> {
    let eol = ["\n", "\r\n"][dice.throw(2)];
    let head =
        ["1 CHAR UTF-8", "1 CHAR ANSEL", "1 CHAR ANSI", "1 SOUR X", "1 GEDC|2 VERS 7.0"][dice.throw(5)];
    let more = ["1 SUBM @I1@|", "1 NOTE a|2 CONT b|", "1 DATE x|1 SOUR Y|2 VERS 1|", "0 HEAD|", "", ""]
        [dice.throw(6)];
    let mut text = format!("0 HEAD|{head}|{more}");
    for one in 1..=people {
        text +=
            &format!("0 @I{one}@ INDI|1 NAME Person {one}|1 SEX M|1 BIRT|2 DATE 1 JAN 18{:02}|", one % 100);
        match dice.throw(9) {
            0 => text += "1 NOTE first|2 CONC second|2 CONT third|",
            1 => text += &format!("1 FAMS @F{}@|", dice.throw(people)),
            2 => text += &format!("1 ASSO @I{}@|2 RELA x|2 SOUR @S1@|", dice.throw(people)),
            3 => text += "3 DEEP x|no line|",
            4 => text += "1 @N1@ NOTE embedded|",
            5 => {
                text += &format!(
                    "0 NOTE of nobody|0 @F{one}@ FAM|1 HUSB @I{one}@|1 CHIL @I{}@|",
                    dice.throw(people)
                )
            }
            6 => text += &format!("0 @LONGIDENTIFIER{}@ NOTE @I{one}@|", dice.throw(4)),
            7 => text += "1 PLAC Zürich|",
            _ => {}
        }
    }
    text += if dice.throw(5) == 0 { "" } else { "0 TRLR" };
    text += if dice.throw(2) == 0 { "" } else { "|" };
    let text = text.replace('|', eol);
    match head {
        "1 CHAR ANSI" => text.chars().map(|one| u8::try_from(u32::from(one)).unwrap_or(b'?')).collect(),
        _ => text.into_bytes(),
    }
}

#[test]
fn parts_are_enough_for_many_edits_of_made_files() {
    let mut by_parts = 0;
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let octets = file(12, &mut dice);
        let xrefs: Vec<String> = (1..=12).map(|one| format!("I{one}")).collect();
        let xrefs: Vec<&str> = xrefs.iter().map(String::as_str).collect();
        let (edits, options) = (edits(&xrefs, &mut dice), options(&mut dice));
        by_parts += usize::from(check("made", &octets, &Rules::WILD, (&edits, options), 100));
    }
    assert!(by_parts > 20, "{by_parts}");
}

#[test]
fn what_is_written_is_in_the_encoding_that_a_later_part_shows() {
    let people = |from: usize, to: usize| {
        let one = |number| format!("0 @I{number}@ INDI\n1 NAME Person of that number {number}\n");
        (from..to).map(one).collect::<String>()
    };
    let shows = "0 @S1@ SOUR\n1 TITL Zo\u{e9} \u{2013} \u{17e}ivot\n";
    let edits = [Edit::Set("@I30000@/NAME".parse().expect("a path"), "Zo\u{eb}".into())];
    for head in ["1 CHAR ANSEL", "1 CHAR ANSI", "1 CHAR UTF-8", "1 SOUR X"] {
        let text = format!("0 HEAD\n{head}\n{}{shows}{}0 TRLR\n", people(1, 300), people(300, 31_000));
        let octets = text.as_bytes();
        check(head, octets, &Rules::WILD, (&edits, EditOptions::new()), 1 << 13);
        let written = whole(octets, &Rules::WILD, &edits, EditOptions::new()).expect("an edit").octets;
        assert!(String::from_utf8(written).is_ok_and(|text| text.contains("Zo\u{eb}")), "{head}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn edits_of_made_files_come_out_alike(seed: u64, people in 1..60_usize, size in 1..900_usize) {
        let mut dice = Dice(seed);
        let octets = file(people, &mut dice);
        let xrefs: Vec<String> = (1..=people).flat_map(|one| [format!("I{one}"), format!("F{one}")])
            .chain(["N1".to_owned(), "LONGIDENTIFIER1".to_owned()]).collect();
        let xrefs: Vec<&str> = xrefs.iter().map(String::as_str).collect();
        for rules in [&Rules::WILD, &Rules::DECEMBER_2019, &Rules::GEDCOM_5_5_1, &Rules::OCTOBER_2017] {
            let (edits, options) = (edits(&xrefs, &mut dice), options(&mut dice));
            check("made", &octets, rules, (&edits, options), size);
        }
    }
}
