//! Extracts and redactions of every file there is, in every encoding: nothing panics, what stays are lines of
//! the input in their order, and what comes out is read again with no new finding; and of a file of people
//! each of whom carries a word found nowhere else, the words of the living are gone.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "the environment says how many people there are")]

use elf_base::{Diagnostic, Rules};
use elf_extract::{Branch, Generations, LivingRule, Plan, PlanError, Redaction, Replacement, Survey};
use elf_octets::{Encoding, Options, Source};
use elf_schema::{ReadOptions, TypedDocument};
use elf_tests::corpus::corpus;
use elf_tests::fixtures::Fixture;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// The Julian day number of 23 November 2026.
const TODAY: i64 = 2_461_368;

/// A file, and how it is read.
#[derive(Clone, Copy)]
struct Input<'f> {
    name: &'f str,
    octets: &'f [u8],
    encoding: Option<Encoding>,
}

impl<'f> Input<'f> {
    fn options(self) -> ReadOptions<'static> {
        ReadOptions::default().with_octets(Options::default().with_forced(self.encoding))
    }

    fn read(self) -> TypedDocument<'f> {
        elf_schema::read(self.octets, &Rules::WILD, &self.options(), &mut ()).expect("a small file")
    }

    /// The numbers of findings of each code.
    fn findings(self) -> BTreeMap<&'static str, u64> {
        let mut counts = BTreeMap::new();
        let mut count = |finding: Diagnostic| *counts.entry(finding.code.id()).or_default() += 1;
        elf_schema::read(self.octets, &Rules::WILD, &self.options(), &mut count).expect("a small file");
        counts
    }

    fn lines(self) -> Vec<String> {
        let source = Source::read(self.octets, &Rules::WILD, &self.options().octets, &mut ()).expect("small");
        source.line_strings().map(|span| span.of(source.text()).to_owned()).collect()
    }

    /// Carries out extracts and redactions of all kinds, and checks what comes out.
    fn check(self) -> usize {
        let typed = self.read();
        let survey = || Survey::of(&typed);
        let people: Vec<String> = survey().lineage().persons().filter_map(|one| one.identifier()).collect();
        let mut plans = Vec::new();
        if let Some(middle) = people.get(people.len() / 2) {
            let from = Branch::of([middle]).with_ancestors(Generations::All).with_spouses(true);
            let branch = from.with_descendants(Generations::UpTo(2));
            plans.push(("a branch", Plan::branch(survey(), &branch).expect("a person")));
        }
        for replacement in Replacement::ALL {
            let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
            match Plan::redaction(survey(), &redaction) {
                Ok(plan) => plans.push((replacement.name(), plan)),
                // Nobody knows whether the first record has lost its line.
                Err(PlanError::UnclearHeader { .. }) => {
                    assert!(self.findings().values().sum::<u64>() > 0, "{}", self.name);
                }
                Err(error) => panic!("{}: {error}", self.name),
            }
        }
        let (before, lines) = (self.findings(), self.lines());
        for (what, plan) in &plans {
            let extraction = plan.extract();
            let extraction = extraction.unwrap_or_else(|error| panic!("{}, {what}: {error}", self.name));
            let output = Input { octets: &extraction.octets, ..self };
            for (code, count) in output.findings() {
                let known = before.get(code).copied().unwrap_or_default();
                assert!(count <= known, "{}, {what}: {count} of {code}, {known} before", self.name);
            }
            let mut rest = lines.iter();
            for line in output.lines() {
                let is_made = line.contains(" NAME Private")
                    || line.contains(" NAME ") && *what == "initials"
                    || line.ends_with(" INDI");
                assert!(
                    is_made || rest.any(|known| *known == line),
                    "{}, {what}: `{line}` is not of the input, or not in its order",
                    self.name
                );
            }
        }
        plans.len()
    }
}

#[test]
fn every_file_of_the_corpus_and_every_fixture() {
    let mut seen = 0;
    for file in corpus().unwrap_or_default() {
        // Read whole by the rules, or there is nothing to extract from.
        seen += Input { name: &file.name, octets: &file.octets, encoding: None }.check();
    }
    for fixture in Fixture::all_fixtures().expect("fixtures") {
        let octets = fixture.octets().expect("a fixture");
        seen += Input { name: &fixture.name(), octets: &octets, encoding: None }.check();
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn a_family_in_every_encoding() {
    let text = include_str!("../../../examples/haugen.ged").replace("31 MAY 1851", "31 MAY 1999");
    let mut seen = 0;
    for encoding in Encoding::ALL {
        for line_break in ["\n", "\r", "\r\n"] {
            for mark in [None, encoding.mark()] {
                let mut octets = mark.unwrap_or_default().to_vec();
                let known: String = text
                    .chars()
                    .filter(|c| encoding.encode_into(&c.to_string(), &mut Vec::new()).is_ok())
                    .collect();
                let known = known.replace("CHAR UTF-8", &format!("CHAR {}", encoding.name()));
                encoding.encode_into(&known.replace('\n', line_break), &mut octets).expect("what it has");
                let name = format!("{encoding}, {line_break:?}, {mark:?}");
                seen += Input { name: &name, octets: &octets, encoding: Some(encoding) }.check();
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

/// The people of one family of [`people`], each with whether the output may hold the person's word.
const OF_FAMILY: [(bool, &str); 8] = [
    (true, "1 BIRT\n2 DATE 1820\n1 DEAT\n2 DATE 1890\n"),
    (false, "1 BIRT\n2 DATE 1990\n"),
    (false, "1 SEX M\n1 OCCU {}\n"),
    (false, "1 RESN confidential\n1 BIRT\n2 DATE 1830\n1 DEAT Y\n"),
    (false, "1 BIRT\n2 DATE 1980\n2 PLAC {}\n1 DEAT\n"),
    // The child was born in 1820 and married in 2010: a birth that may be wrong says nothing about the father.
    (false, "1 CHR\n2 PLAC {}\n"),
    (true, "1 BURI\n2 PLAC {}\n"),
    (false, "1 EVEN\n2 TYPE {}\n1 _VEND {}\n2 DATE 1700\n"),
];

/// The word of a person, which no other person has.
fn word(person: usize) -> String {
    let mut word = String::from("qx");
    let mut rest = person;
    for _ in 0..5 {
        word.push(char::from(b'a' + u8::try_from(rest % 26).expect("a letter")));
        rest /= 26;
    }
    word + "z"
}

/// A file of so many families: of each the first person is dead, and the second, who is not, is a partner of
/// the family; the others are children, alone, or parents of the first. All carry their words in name, note
/// and source, and the dead have associations with the living.
fn people(families: usize) -> String {
    let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
    let mut add = |text: std::fmt::Arguments<'_>| file.write_fmt(text).expect("a string");
    for family in 0..families {
        let first = family * OF_FAMILY.len();
        for (at, (_, facts)) in OF_FAMILY.iter().enumerate() {
            let person = first + at;
            let word = word(person);
            add(format_args!("0 @I{person}@ INDI\n1 NAME Jo {word} /Doe{word}/\n2 SURN {word}\n"));
            add(format_args!("{}", facts.replace("{}", &word)));
            add(format_args!(
                "1 NOTE of {word}\n2 CONT and {word}\n1 SOUR @S{person}@\n2 PAGE {word}\n1 NOTE @N{person}@\n"
            ));
            let link = match at {
                0 => format!(
                    "1 FAMS @F{first}@\n1 FAMC @G{first}@\n1 ASSO @I{}@\n2 RELA {}\n",
                    first + 1,
                    self::word(first + 1)
                ),
                1 => format!("1 FAMS @F{first}@\n1 FAMC @F{}@\n", first.wrapping_sub(OF_FAMILY.len())),
                4 => format!("1 FAMC @F{first}@\n2 NOTE {word}\n"),
                5 => format!("1 FAMS @G{first}@\n"),
                _ => String::new(),
            };
            add(format_args!("{link}"));
        }
    }
    for family in 0..families {
        let first = family * OF_FAMILY.len();
        let (second, fifth, sixth) = (first + 1, first + 4, first + 5);
        add(format_args!(
            "0 @F{first}@ FAM\n1 HUSB @I{first}@\n1 WIFE @I{second}@\n1 CHIL @I{fifth}@\n2 _FREL {}\n",
            word(fifth)
        ));
        add(format_args!("1 MARR\n2 DATE 2010\n2 NOTE {}\n1 NOTE @N{second}@\n", word(second)));
        add(format_args!("0 @G{first}@ FAM\n1 HUSB @I{sixth}@\n1 CHIL @I{first}@\n"));
    }
    for person in 0..families * OF_FAMILY.len() {
        let word = word(person);
        add(format_args!(
            "0 @S{person}@ SOUR\n1 TITL Letters of {word}\n1 REPO @R{person}@\n0 @R{person}@ REPO\n1 NAME {word}\n"
        ));
        add(format_args!("0 @N{person}@ NOTE about {word}\n"));
    }
    add(format_args!("0 TRLR\n"));
    file
}

/// A hundred families; `ELF_LONG_PEOPLE` asks for as many people as it says.
#[test]
fn no_word_of_the_living_is_left() {
    let asked = std::env::var("ELF_LONG_PEOPLE").ok().and_then(|number| number.parse().ok());
    let families = asked.unwrap_or(800_usize).div_ceil(OF_FAMILY.len());
    let file = people(families);
    let typed = TypedDocument::parse(file.as_bytes()).expect("a small file");
    for replacement in [Replacement::Placeholder, Replacement::Nothing] {
        let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
        let plan = Plan::redaction(Survey::of(&typed), &redaction).expect("a plan");
        let extraction = plan.extract().expect("an output");
        let out = std::str::from_utf8(&extraction.octets).expect("UTF-8");
        let is_part = |c: char| c.is_ascii_alphanumeric();
        let words: HashSet<&str> =
            out.split(|c| !is_part(c)).map(|word| word.trim_start_matches("Doe")).collect();
        for person in 0..families * OF_FAMILY.len() {
            let (may_stay, _) = OF_FAMILY[person % OF_FAMILY.len()];
            let stays = words.contains(&*word(person));
            assert!(stays == may_stay, "person {person}, {}: {stays}", replacement.name());
        }
        let of_output = TypedDocument::parse(out.as_bytes()).expect("a small file");
        let count = Survey::of(&of_output).lineage().persons().count();
        let expected = if replacement == Replacement::Nothing { 2 } else { OF_FAMILY.len() };
        assert_eq!(count, families * expected);
    }
}
