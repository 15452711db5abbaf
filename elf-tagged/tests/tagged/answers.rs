//! The answers that a writer gets of runs, and of the whole.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_base::Diagnostic;
use elf_base::Rules;
use elf_base::rules::{Duplicates, XrefErrors};
use elf_tagged::{Document, Options, Payload, Reader, Target, read};
use std::sync::Arc;

/// The answers that a writer gets about the identifiers and pointers of the structures.
fn answers(document: &Document<'_>) -> Vec<String> {
    let answer = |node: elf_tagged::Node<'_>| {
        let repeated = node.xref().map(|xref| (xref, document.is_repeated(xref)));
        let pointer = match node.payload() {
            Payload::Pointer(xref) => Some((xref.to_owned(), document.bearer(xref))),
            _ => None,
        };
        format!("{} {repeated:?} {pointer:?}", node.tag())
    };
    document.structures().map(answer).collect()
}

const FILES: [&[u8]; 4] = [
    b"0 HEAD\n1 CHAR UTF-8\n0 @A@ INDI\n1 @A@ NOTE @B@\n0 FAM @A@\n1 @B@ NOTE @C@\n0 @D@ INDI\n\
        1 NOTE @LONGER_THAN_ANY@\n1 @LONGER_THAN_ANY@ NOTE @D@\n0 @UNDEF1@ FAM @D:1@\n0 @E@ FAM\n0 @E@ FAM @E@\n\
        1 @LONGER_THAN_ANY@ NOTE\n1 @F@ NOTE\n2 @F@ NOTE\n0 TRLR\n",
    b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @A@ INDI\n1 ALIA @VOID@\n1 ALIA @B@\n0 @C@ FAM\n0 @C@ FAM\n0 TRLR\n",
    b"0 HEAD\n0 NOTE @B@\n0 @A@ INDI\n1 FAMC @A@\n0 @A@ FAM\n1 @B@ MARR\n0 @K@ FAM @A@\n1 @K@ NOTE\n0 NOTE @K@\n",
    b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @VOID@ NOTE x\n0 @VOID@ FAM @VOID@\n0 NOTE @VOID@\n0 TRLR\n",
];

/// Identifiers that are counted, with and without zeros before the number, and others: short, long, hashed.
const IDENTIFIERS: [&str; 14] = [
    "I7",
    "I007",
    "I07",
    "I8",
    "I0",
    "I00",
    "F1",
    "F99999999999999",
    "UNDEF1",
    "UNDEF2",
    "A",
    "AB1",
    "A_LONG_NAME",
    "A_LONGER_NAME",
];

/// Numbers that look drawn by chance.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// A file of a few records, of which many bear and name the same.
fn file_of(seed: u64) -> Vec<u8> {
    let mut numbers = Numbers(seed);
    let mut file = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
    for _ in 0..1 + numbers.below(8) {
        for (level, tag) in ["INDI", "NOTE", "ALIA", "CONT"].iter().enumerate().take(1 + numbers.below(4)) {
            let mut name = || IDENTIFIERS[numbers.below(IDENTIFIERS.len())];
            let (bearer, pointer) = (format!("@{}@ ", name()), format!(" @{}@", name()));
            let bearer = if level == 0 || numbers.below(3) == 0 { &*bearer } else { "" };
            let pointer = if numbers.below(2) == 0 { &*pointer } else { "" };
            file.push_str(&format!("{} {bearer}{tag}{pointer}\n", level.min(2)));
        }
    }
    file.push_str("0 TRLR\n");
    file.into_bytes()
}

/// A second reader, which knows the repeated and unresolved identifiers, gives the answers of the whole.
fn check(file: &[u8], rules: &Rules, run_size: usize) {
    let whole = read(file, rules, &Options::default(), &mut ()).unwrap();
    let reader = || Reader::new(file, rules, &Options::default()).with_run_size(run_size);
    let mut first = reader();
    while first.next_run(&mut ()).unwrap().is_some() {}
    let mut second = reader().with_known_xrefs(Arc::new(first.into_known_xrefs()));
    let mut of_runs = Vec::new();
    while let Some(run) = second.next_run(&mut ()).unwrap() {
        of_runs.extend(answers(&run));
    }
    let shown = || String::from_utf8_lossy(file.get(..2000).unwrap_or(file)).into_owned();
    assert_eq!(of_runs, answers(&whole), "{}\n{}", rules.name, shown());
}

#[test]
fn whole_and_runs_agree_whatever_identifiers_are_like() {
    for seed in 0..400 {
        let file = file_of(seed);
        for mut rules in Rules::PRESETS.into_iter().copied() {
            check(&file, &rules, 1);
            for option in [Duplicates::RejectBearers, Duplicates::DropUnused, Duplicates::KeepRecord] {
                rules.tagged.xref_errors = XrefErrors::Options(option);
                check(&file, &rules, 1);
            }
        }
    }
}

#[test]
fn identifiers_that_are_not_counted_are_found_however_many_they_are() {
    const RECORDS: usize = 100_000;
    let mut file = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
    for at in 0..RECORDS {
        let other = at * 7919 % RECORDS;
        file.push_str(&format!("0 @N{at:x}X@ INDI\n1 ALIA @N{other:x}X@\n1 ALIA @LONGER{other}NAME@\n"));
        file.push_str(&format!("0 @LONGER{at}NAME@ NOTE @N{other:x}X@\n"));
    }
    file.push_str("0 @N12X@ INDI\n1 ALIA @N12X@\n1 ALIA @LONGER1NAM@\n0 TRLR\n");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut findings).unwrap();
    for at in (0..RECORDS).step_by(97) {
        for xref in [format!("N{at:x}X"), format!("LONGER{at}NAME")] {
            assert!(
                matches!(document.resolve(&xref), Target::One(node) if node.xref() == Some(&*xref)),
                "{xref}"
            );
        }
    }
    assert_eq!((document.resolve("N12X"), document.resolve("LONGER1NAM")), (Target::Several, Target::None));
    check(file.as_bytes(), &Rules::WILD, 1 << 20);
    check(file.as_bytes(), &Rules::JANUARY_2019, 1 << 20);
}

#[test]
fn a_writer_gets_the_same_answers_of_runs_as_of_the_whole() {
    let options =
        [Duplicates::RejectAll, Duplicates::RejectBearers, Duplicates::DropUnused, Duplicates::KeepRecord];
    let undefined = [XrefErrors::Keep, XrefErrors::Undef];
    for xref_errors in options.map(XrefErrors::Options).into_iter().chain(undefined) {
        for file in FILES {
            let mut rules = Rules::WILD;
            rules.tagged.xref_errors = xref_errors;
            check(file, &rules, 1);
        }
    }
}
