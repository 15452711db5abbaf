//! Identifiers that cannot stay as they are: what they and the pointers to them become, whole and in runs.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::{Identifiers, Use, WriteOptions, write_document};
use elf_tagged::{Diagnostic, Document, Encoding, Node, Options, Payload, Rules, Target, codes, read};
use proptest::prelude::*;
use std::collections::HashSet;
use writing::{strict, write_in_runs};

/// The text that is written, with the code and the line of each finding.
type Outcome = (String, Vec<(&'static str, u64)>);

fn outcome(octets: &[u8], found: &[Diagnostic], encoding: Encoding) -> Outcome {
    let text = elf_octets_text(octets, encoding);
    let structures = text.lines().skip_while(|line| *line == "0 HEAD" || !line.starts_with("0 "));
    let lines: Vec<&str> = structures.filter(|line| *line != "0 TRLR").collect();
    let place = |finding: &Diagnostic| finding.place.map_or(0, |place| place.line);
    let mut said: Vec<_> = found.iter().map(|finding| (finding.code.id(), place(finding))).collect();
    said.sort_unstable();
    (lines.join("\n"), said)
}

fn elf_octets_text(octets: &[u8], encoding: Encoding) -> String {
    elf_tagged::elf_octets::decode(octets, encoding, &Rules::DECEMBER_2019.octets).text.into_owned()
}

fn whole(file: &str, from: &Rules, to: &Rules, encoding: Encoding) -> Outcome {
    let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let options = WriteOptions::new().with_encoding(encoding);
    let summary = write_document(&document, &mut octets, to, &options, &mut found).expect("memory");
    let losses = found.iter().filter(|finding| finding.class.is_error()).count();
    assert_eq!(summary.losses, losses as u64, "{found:?}");
    if !to.write.keeps_faults {
        strict(&octets, to);
    }
    outcome(&octets, &found, encoding)
}

fn in_runs(file: &str, from: &Rules, to: &Rules, encoding: Encoding, size: usize) -> Outcome {
    let options = WriteOptions::new().with_encoding(encoding);
    let (octets, found) = write_in_runs(file.as_bytes(), from, to, &options, size).expect("good options");
    outcome(&octets, &found, encoding)
}

/// Converts structures, and checks that the outcome is the same whole and in runs of any size.
fn written(structures: &str, from: &Rules, to: &Rules, encoding: Encoding) -> Outcome {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{structures}\n0 TRLR\n");
    let one = whole(&file, from, to, encoding);
    for size in [1, 30, 1 << 20] {
        assert_eq!(in_runs(&file, from, to, encoding, size), one, "in runs of {size}");
    }
    one
}

const WILD: &Rules = &Rules::WILD;
const DECEMBER: &Rules = &Rules::DECEMBER_2019;
const JANUARY: &Rules = &Rules::JANUARY_2019;

#[test]
fn an_identifier_that_the_encoding_lacks() {
    let file = "0 @漢@ INDI\n0 @F1@ FAM\n1 CHIL @漢@";
    let (text, said) = written(file, DECEMBER, DECEMBER, Encoding::Ascii);
    assert_eq!(text, "0 @X1@ INDI\n0 @F1@ FAM\n1 CHIL @X1@");
    assert_eq!(said, [("E0811", 3)]);
    assert_eq!(written(file, DECEMBER, DECEMBER, Encoding::Utf8), (file.to_owned(), vec![]));
    // January has identifiers of ASCII only.
    assert_eq!(written(file, DECEMBER, JANUARY, Encoding::Utf8).0, text);
}

#[test]
fn identifiers_of_gedcom() {
    let file = "0 @I(1)@ INDI\n1 FAMS @F/1@\n0 @F/1@ FAM\n1 HUSB @I(1)@\n1 @N#:!@ NOTE x\n2 SOUR @N#:!@\n1 WIFE @I1X1@";
    let (text, said) = written(file, WILD, DECEMBER, Encoding::Utf8);
    assert_eq!(
        text,
        "0 @I1X2@ INDI\n1 FAMS @F1X1@\n0 @F1X1@ FAM\n1 HUSB @I1X2@\n1 @NX1@ NOTE x\n2 SOUR @NX1@\n1 WIFE @I1X1@"
    );
    assert_eq!(said, [("E0808", 7), ("E0811", 3), ("E0811", 5), ("E0811", 7)]);
    assert_eq!(written(file, WILD, WILD, Encoding::Utf8).0, file);
    assert_eq!(written(file, WILD, JANUARY, Encoding::Utf8).0, format!("{file}\n0 @I1X1@ UNDEF"));
}

/// An inserted record stands nowhere in the file: what is said of it is said of the first pointer to it.
#[test]
fn identifiers_of_inserted_records() {
    let long = "ABCDEFGHIJKLMNOPQRSTU";
    let file = format!(
        "0 INDI\n1 FAMC @I 2@\n1 FAMC @I1@\n0 FAM\n1 HUSB @I(1)@\n1 WIFE @I 2@\n1 CHIL @I(1)@\n1 CHIL @{long}@"
    );
    let (text, said) = written(&file, JANUARY, DECEMBER, Encoding::Utf8);
    let records = format!("0 @I2X1@ UNDEF\n0 @I1@ UNDEF\n0 @I1X1@ UNDEF\n0 @{long}@ UNDEF");
    assert!(text.ends_with(&records), "{text}");
    assert_eq!(said, [("E0208", 10), ("E0811", 4), ("E0811", 7)]);
    // An identifier that two structures have leads to a record with one that was invented.
    let repeated = "0 @I#1@ INDI\n0 @I#1@ INDI\n0 FAM\n1 HUSB @I#1@\n1 WIFE @I#2@";
    let (_, said) = written(repeated, JANUARY, DECEMBER, Encoding::Utf8);
    assert_eq!(said, [("E0811", 3), ("E0811", 4), ("E0811", 7)]);
}

#[test]
fn identifiers_that_become_equal() {
    let file =
        "0 @\u{e9}@ INDI\n1 NAME A\n0 @e\u{301}@ INDI\n1 NAME B\n0 FAM\n1 HUSB @\u{e9}@\n1 WIFE @e\u{301}@";
    let (text, said) = written(file, DECEMBER, DECEMBER, Encoding::Ansel);
    assert_eq!(
        text,
        "0 @eX1@ INDI\n1 NAME A\n0 @e\u{301}@ INDI\n1 NAME B\n0 FAM\n1 HUSB @eX1@\n1 WIFE @e\u{301}@"
    );
    assert_eq!(said, [("E0811", 3)]);
    assert_eq!(written(file, DECEMBER, DECEMBER, Encoding::Utf16Le).1, []);
    let marks = "0 @a\u{301}\u{323}@ INDI\n0 @a\u{323}\u{301}@ INDI";
    let (text, said) = written(marks, DECEMBER, DECEMBER, Encoding::Ansel);
    assert_eq!((text.as_str(), said), ("0 @aX1@ INDI\n0 @a\u{323}\u{301}@ INDI", vec![("E0811", 3)]));
    // Alone, each stays, in the letters that ANSEL has.
    let alone = "0 @\u{e9}@ INDI\n1 ALIA @\u{e9}@";
    let (text, said) = written(alone, DECEMBER, DECEMBER, Encoding::Ansel);
    assert_eq!((text.as_str(), said), ("0 @e\u{301}@ INDI\n1 ALIA @e\u{301}@", vec![]));
}

#[test]
fn a_pointer_to_nothing_is_not_caught() {
    let file = "0 @e\u{301}@ INDI\n1 ALIA @\u{e9}@\n1 ASSO @e\u{301}@";
    let (text, said) = written(file, DECEMBER, DECEMBER, Encoding::Ansel);
    assert_eq!(text, "0 @eX1@ INDI\n1 ALIA @e\u{301}@\n1 ASSO @eX1@");
    assert_eq!(said, [("E0811", 3)]);
    // The kelvin sign becomes a letter of ASCII.
    let file = "0 @K@ INDI\n1 ALIA @\u{212A}@";
    let (text, said) = written(file, DECEMBER, DECEMBER, Encoding::Ansel);
    assert_eq!((text.as_str(), said), ("0 @KX1@ INDI\n1 ALIA @K@", vec![("E0811", 3)]));
    // One that cannot be spelled is text, for its name is all there is of it.
    let file = "0 @I1@ INDI\n1 ALIA @\u{6f22}@";
    let (text, said) = written(file, DECEMBER, DECEMBER, Encoding::Ascii);
    assert_eq!((text.as_str(), said), ("0 @I1@ INDI\n1 ALIA @@@#U6F22@@@", vec![("E0805", 4)]));
}

#[test]
fn identifiers_that_several_structures_bear() {
    let file = "0 @A@ A\n0 @A@ B\n1 @A@ N\n0 @AX2@ C\n1 D @A@";
    let renamed = "0 @AX1@ A\n0 @AX3@ B\n1 @AX4@ N\n0 @AX2@ C";
    let (text, said) = written(file, WILD, DECEMBER, Encoding::Utf8);
    assert_eq!(text, format!("{renamed}\n1 D @A@"));
    assert_eq!(said, [("E0805", 7), ("E0808", 5), ("E0811", 3), ("E0811", 4), ("E0811", 5)]);
    let (text, said) = written(file, WILD, JANUARY, Encoding::Utf8);
    assert_eq!(text, format!("{renamed}\n1 D @A@\n0 @A@ UNDEF"));
    assert_eq!(said.iter().filter(|(code, _)| *code == "E0805").count(), 1);
    for rules in [&Rules::DECLARATIVE, &Rules::OCTOBER_2017] {
        let (text, said) = written(file, WILD, rules, Encoding::Utf8);
        assert_eq!(text, format!("{renamed}\n1 D @@A@@"));
        assert_eq!(said.iter().filter(|(code, _)| *code == "E0805").count(), 1);
    }
    assert_eq!(written(file, WILD, WILD, Encoding::Utf8), (file.to_owned(), vec![("E0808", 5)]));
    // In January the reader has led the pointer elsewhere.
    let (text, said) = written(file, JANUARY, JANUARY, Encoding::Utf8);
    assert_eq!(text, format!("{renamed}\n1 D @UNDEF1@\n0 @UNDEF1@ UNDEF"));
    assert!(said.iter().all(|(code, _)| *code != "E0805"));
}

#[test]
fn a_repeated_identifier_that_cannot_be_spelled() {
    let file = "0 @(A)@ A\n0 @(A)@ B\n1 D @(A)@";
    let (text, said) = written(file, WILD, DECEMBER, Encoding::Utf8);
    assert_eq!(text, "0 @AX1@ A\n0 @AX2@ B\n1 D @@(A)@@");
    assert_eq!(said, [("E0805", 5), ("E0811", 3), ("E0811", 4)]);
}

#[test]
fn new_identifiers_are_short() {
    let file = "0 @I(12345678901234567890)@ INDI\n0 @I(12345678901234567890)é@ INDI\n0 @_X()1@ NOTE x";
    let (text, _) = written(file, WILD, DECEMBER, Encoding::Utf8);
    assert_eq!(text, "0 @I12345678901X1@ INDI\n0 @I12345678901X2@ INDI\n0 @X1X1@ NOTE x");
}

#[test]
fn many_identifiers_are_renamed_in_linear_time() {
    let mut file = String::new();
    for number in 0..3_000 {
        file.push_str(&format!("0 @\u{6f22}{}@ INDI\n0 @X{number}@ NOTE x\n", "\u{6587}".repeat(number % 3)));
    }
    let found = written(file.trim_end(), WILD, DECEMBER, Encoding::Ascii);
    assert_eq!(found.1.iter().filter(|(code, _)| *code == codes::IDENTIFIER_RENAMED.id()).count(), 3_000);
}

/// Identifiers of every kind: plain, like new ones, that some rules or encodings cannot spell, that become
/// equal in ANSEL.
const IDENTIFIERS: [&str; 16] = [
    "A",
    "B",
    "AX1",
    "X1",
    "(A)",
    "A(",
    "a b",
    "I!1",
    "F:1",
    "\u{e9}",
    "e\u{301}",
    "\u{6f22}",
    "K",
    "\u{212A}",
    "a\u{301}\u{323}",
    "a\u{323}\u{301}",
];

/// A structure: whether it is a record, its identifier, its tag, and what it points to.
fn structures() -> impl Strategy<Value = String> {
    let id = || prop::option::weighted(0.6, prop::sample::select(IDENTIFIERS.to_vec()));
    let tags = prop::sample::select(vec!["INDI", "FAM", "NOTE", "_X"]);
    let beneath = prop::sample::select(vec!["NOTE", "SOUR", "ALIA", "_Y"]);
    let below = (id(), beneath, id(), prop::bool::weighted(0.2));
    let bearer = |id: Option<&str>| id.map_or_else(String::new, |id| format!("@{id}@ "));
    let record = (id(), tags, prop::collection::vec((prop::bool::weighted(0.15), below), 0..4));
    let record = record.prop_map(move |(own, tag, below)| {
        let mut lines = format!("0 {}{tag}\n", bearer(own));
        for (bears, (own, tag, to, carried)) in below {
            let own = bearer(own.filter(|_| bears));
            match to {
                Some(to) if carried => lines.push_str(&format!("1 {own}{tag}\n2 CONC @{to}@\n")),
                Some(to) => lines.push_str(&format!("1 {own}{tag} @{to}@\n")),
                None => lines.push_str(&format!("1 {own}{tag} x@@y\n")),
            }
        }
        lines
    });
    prop::collection::vec(record, 1..9).prop_map(|records| records.concat())
}

/// The structures of a document but for those that rules insert.
fn own_structures<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.structures().filter(|node| node.tag() != "UNDEF")
}

/// Level and tag of a structure, and the number of the structure to which its pointer leads, or the pointer
/// itself.
type Vertex = (usize, String, Option<Result<usize, String>>);

/// The structures of a document.
fn graph(document: &Document<'_>) -> Vec<Vertex> {
    let all: Vec<_> = own_structures(document).collect();
    let number = |target: elf_tagged::Node<'_>| all.iter().position(|node| node.id() == target.id());
    let of = |node: &elf_tagged::Node<'_>| {
        let leads = match node.payload() {
            Payload::Pointer(id) => Some(match document.resolve(id) {
                Target::One(target) => number(target).ok_or_else(|| id.to_owned()),
                _ => Err(id.to_owned()),
            }),
            _ => None,
        };
        (node.with_ancestors().count(), node.tag().to_owned(), leads)
    };
    all.iter().map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every file that is written conforms, whole as in runs; and each pointer leads where it led, or a
    /// finding reports it.
    #[test]
    fn pointers_lead_where_they_led(
        records in structures(),
        head in prop::option::weighted(0.2, prop::sample::select(IDENTIFIERS.to_vec())),
        from in prop::sample::select(Rules::PRESETS.to_vec()),
        to in prop::sample::select(Rules::PRESETS.to_vec()),
        encoding in prop::sample::select(vec![Encoding::Utf8, Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Be]),
        size in 1..120_usize,
    ) {
        let head = head.map_or_else(String::new, |id| format!("1 @{id}@ SUBM x\n"));
        let file = format!("0 HEAD\n1 CHAR UTF-8\n{head}{records}0 TRLR\n");
        let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
        if !document.is_complete() {
            return Ok(());
        }
        let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let options = WriteOptions::new().with_encoding(encoding);
        if options.check(to).is_err() {
            return Ok(());
        }
        let summary = write_document(&document, &mut octets, to, &options, &mut found).expect("memory");
        let one = outcome(&octets, &found, encoding);
        prop_assert_eq!(&in_runs(&file, from, to, encoding, size), &one, "{} to {}\n{}", from.name, to.name, file);
        let mut wrong: Vec<Diagnostic> = Vec::new();
        let again = read(&octets, to, &Options::default(), &mut wrong).expect("small");
        wrong.retain(|finding| finding.class.is_error() && !to.write.keeps_faults);
        prop_assert!(wrong.is_empty(), "{} to {}: {:?}\n{}\n{}", from.name, to.name, wrong, file, one.0);
        if summary.dropped > 0 {
            return Ok(());
        }
        let (before, after) = (graph(&document), graph(&again));
        prop_assert_eq!(before.len(), after.len(), "{} to {}\n{}\n{}", from.name, to.name, file, one.0);
        let reported = found.iter().filter(|finding| finding.code == codes::POINTER_CANNOT_BE_WRITTEN).count();
        let place = |finding: &Diagnostic| finding.place.map(|place| place.line);
        let stripped = found.iter().filter(|finding| finding.code == codes::XREF_CANNOT_BE_WRITTEN);
        let stripped: HashSet<u64> = stripped.filter_map(place).collect();
        let mut locator = document.locator();
        let lines: Vec<u64> =
            own_structures(&document).map(|node| locator.place(node.tag_span()).line).collect();
        let mut changed = 0;
        for ((level, tag, leads), (other_level, other_tag, other_leads)) in before.iter().zip(&after) {
            prop_assert_eq!((level, tag), (other_level, other_tag));
            let same = match (leads, other_leads) {
                (Some(Ok(one)), Some(Ok(other))) => one == other,
                // What led nowhere leads nowhere.
                (Some(Err(_)), Some(Err(_))) | (None, None) => true,
                // What it led to is left without its identifier, which is reported there.
                (Some(Ok(one)), _) if stripped.contains(&lines[*one]) => true,
                _ => false,
            };
            changed += usize::from(!same);
            let caught = matches!((leads, other_leads), (Some(Err(_)) | None, Some(Ok(_))));
            prop_assert!(!caught, "{} to {}\n{}\n{}", from.name, to.name, file, one.0);
        }
        prop_assert!(changed <= reported, "{} to {}: {} of {}\n{}\n{}", from.name, to.name, changed, reported, file, one.0);
    }
}

/// Identifiers that several structures may have stay, but where one of these is left out.
#[test]
fn a_shared_identifier_of_which_one_is_left_out() {
    let uses = [("A", Use::OneOfSeveral), ("A", Use::OneOfSeveral), ("B", Use::OneOfSeveral)];
    let renaming = |absent: &[&str]| {
        let mut identifiers = Identifiers::new(&Rules::WILD, &WriteOptions::new());
        uses.iter().for_each(|&(id, of)| identifiers.examine(id, of));
        uses.iter().for_each(|&(id, of)| identifiers.collect(id, of));
        identifiers.into_renaming(&absent.iter().map(|&id| Box::from(id)).collect())
    };
    assert!(renaming(&[]).is_empty());
    let renamed = renaming(&["A", "C"]);
    assert!(renamed.is_repeated("A") && !renamed.is_repeated("B") && !renamed.is_repeated("C"));
}

/// A structure at a level that the rules do not have is left out, and a pointer to it leads nowhere.
#[test]
fn an_identifier_above_the_highest_level() {
    let deep: String = (1..100).map(|level| format!("{level} NOTE\n")).collect();
    let structures = format!("0 NOTE\n{deep}100 @Z@ NOTE x\n0 NOTE @Z@\n");
    let (text, said) = written(&structures, &Rules::WILD, &Rules::GEDCOM_5_5_1, Encoding::Utf8);
    assert!(text.ends_with("99 NOTE\n0 NOTE @Z@"), "{text}");
    let codes: Vec<&str> = said.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["E0805", "E0806"]);
}
