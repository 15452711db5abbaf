//! Reading in runs of any size gives what reading the whole gives.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_tagged::elf_base::rules::{Duplicates, XrefErrors};
use elf_tagged::{
    Code, Diagnostic, Document, Node, Options, Reader, Rules, UnreadRun, codes, depend_on_whole, read,
};
use proptest::prelude::*;
use std::sync::Arc;

/// Records and metadata, each with everything under it, in the words of the file.
fn structures(document: &Document<'_>) -> Vec<String> {
    let show = |node: Node<'_>| {
        let depth = node.with_ancestors().count();
        let inserted = if node.is_inserted() { " inserted" } else { "" };
        format!("{depth} {:?} {} {:?}{inserted}", node.xref(), node.tag(), node.payload())
    };
    document.structures().map(show).collect()
}

/// Returns the findings as texts, sorted.
fn findings(all: &[Diagnostic]) -> Vec<String> {
    let said = |finding: &Diagnostic| {
        let related: Vec<_> =
            finding.related.iter().map(|related| (related.place, &related.message)).collect();
        format!("{} {:?} {} {:?} {related:?}", finding.code, finding.place, finding.message, finding.help)
    };
    let mut all: Vec<String> = all.iter().map(said).collect();
    all.sort();
    all
}

/// What a reading gave: the structures, the findings and whether the document was read to its end.
struct Reading {
    structures: Vec<String>,
    findings: Vec<Diagnostic>,
    is_complete: bool,
}

fn read_whole(octets: &[u8], rules: &Rules) -> Reading {
    let mut findings = Vec::new();
    let document = read(octets, rules, &Options::default(), &mut findings).expect("small");
    Reading { structures: structures(&document), findings, is_complete: document.is_complete() }
}

fn reader<'o>(octets: &'o [u8], rules: &Rules, size: usize) -> Reader<&'o [u8]> {
    Reader::new(octets, rules, &Options::default()).with_run_size(size)
}

/// Reads one run after the other.
fn read_runs(mut reader: Reader<&[u8]>) -> Reading {
    let (mut all, mut findings) = (Vec::new(), Vec::new());
    while let Some(run) = reader.next_run(&mut findings).expect("memory") {
        all.extend(structures(&run));
    }
    Reading { structures: all, findings, is_complete: reader.is_complete() }
}

/// Once the header is known, reads the last run first, as threads might, and takes the outcomes in order.
fn read_runs_apart(mut reader: Reader<&[u8]>) -> Reading {
    let (mut all, mut findings) = (Vec::new(), Vec::new());
    while !reader.knows_header()
        && let Some(run) = reader.next_run(&mut findings).expect("memory")
    {
        all.extend(structures(&run));
    }
    let mut unread = Vec::new();
    while let Some(run) = reader.next_unread().expect("memory") {
        unread.push(run);
    }
    let read = |run: &UnreadRun| {
        let mut own: Vec<Diagnostic> = Vec::new();
        let (document, outcome) = run.read(&mut own).expect("small");
        (structures(&document), own, outcome)
    };
    let read: Vec<_> = unread.iter().rev().map(read).collect();
    for (structures, own, outcome) in read.into_iter().rev() {
        if reader.is_done() {
            break;
        }
        all.extend(structures);
        findings.extend(own);
        reader.take(outcome, &mut findings);
    }
    Reading { structures: all, findings, is_complete: reader.is_complete() }
}

/// Checks that runs have the structures and findings of the whole. The whole may also have findings about lines
/// after the end of a reading, which the runs do not reach.
fn check_same(runs: &Reading, whole: &Reading, rules: &Rules, size: usize) {
    let context = || format!("{} in runs of {size}", rules.name);
    assert_eq!(runs.structures, whole.structures, "{}", context());
    assert_eq!(runs.is_complete, whole.is_complete, "{}", context());
    let (found, mut expected) = (findings(&runs.findings), findings(&whole.findings));
    if rules.terminates() && !whole.is_complete {
        expected.retain(|finding| found.contains(finding));
    }
    assert_eq!(found, expected, "{}", context());
}

/// The law: runs of any size, read in any order, give what reading the whole gives. A second reader that knows
/// the identifiers gives the same, except for findings about them.
fn check(octets: &[u8], rules: &Rules, size: usize) {
    let mut whole = read_whole(octets, rules);
    check_same(&read_runs(reader(octets, rules, size)), &whole, rules, size);
    check_same(&read_runs_apart(reader(octets, rules, size)), &whole, rules, size);

    let mut first = reader(octets, rules, size);
    while first.next_run(&mut ()).expect("memory").is_some() {}
    let known = Arc::new(first.into_known_xrefs());
    if !first_run_is_whole(octets, rules, size) {
        whole.findings.retain(|finding| !ABOUT_IDENTIFIERS.contains(&finding.code));
    }
    check_same(&read_runs(reader(octets, rules, size).with_known_xrefs(known)), &whole, rules, size);
}

fn first_run_is_whole(octets: &[u8], rules: &Rules, size: usize) -> bool {
    let run = reader(octets, rules, size).next_unread().expect("memory");
    run.is_some_and(|run| run.is_whole())
}

/// The codes of findings that only the whole document shows.
const ABOUT_IDENTIFIERS: [Code; 5] = [
    codes::POINTER_DANGLING,
    codes::POINTER_EXTERNAL,
    codes::POINTER_AMBIGUOUS,
    codes::POINTER_TO_SUBSTRUCTURE,
    codes::XREF_REPEATED,
];

/// The presets, and the declarative draft with each of its four options.
fn all_rules() -> Vec<Rules> {
    let options =
        [Duplicates::RejectAll, Duplicates::RejectBearers, Duplicates::DropUnused, Duplicates::KeepRecord];
    let option = |option| {
        let mut rules = Rules::DECLARATIVE;
        rules.tagged.xref_errors = XrefErrors::Options(option);
        rules
    };
    Rules::PRESETS.into_iter().copied().chain(options.map(option)).collect()
}

const FILES: [&str; 12] = [
    // The first pointer to A is one only once its record is whole.
    "0 HEAD\n1 @B@ INDI @A@\n2 CONC\n1 @A@ INDI @B@\n1 @A@ INDI\n1 @B@ INDI\n1 INDI @A@\n",
    // UNDEF1 and UNDEF2 are taken, the one by a record and the other by a pointer that comes first.
    "0 HEAD\n1 CHAR UTF-8\n1 ALIA @UNDEF2@\n0 @A@ INDI\n0 @A@ FAM\n1 HUSB @A@\n0 @UNDEF1@ NOTE\n1 ALIA @B@\n1 ALIA @UNDEF2@\n0 TRLR @C@\n1 NOTE @D@\n",
    "0 @H@ HEAD\n1 @M@ CHAR UTF-8\n0 @A@ INDI\n1 @A@ NOTE\n1 ALIA @M@\n0 @H@ INDI\n1 @B@ NOTE @A@\n0 @B@ NOTE @B@\n1 ALIA @C\n2 CONC @\n1 ALIA @C@\n2 CONC\n0 @A@ TRLR\n",
    "0 HEAD\n0 @LONGER_THAN_ANY@ INDI\n1 @LONGER_THAN_ANY@ NOTE @LONGER_THAN_NONE@\n0 NOTE @LONGER_THAN_ANY@\n1 NOTE @x:LONGER!@\n",
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 @X@ NOTE a\n2 CONT b\n0 TRLR\n",
    "0 HEAD\n0 NOTE a\n0 CONT b\nraw text\n0 % no line\n0 @A@ INDI\n1 ALIA @A@\n3 DATE x\n0 TRLR\n0 NOTE after\n",
    "0 HEAD\n1 NOTE x@y\n1 CHAR UTF-8\n2 CONT z\n0 @A@ INDI\n0 @A@ INDI\n1 ALIA @A@\n1 ALIA @B@\n",
    "junk\n0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 N\u{F6}TE a\n0 TRLR x\n",
    // B, C and LONGER_THAN_ANY go with structures that are rejected for A, the record K, which keeps its
    // identifier, too.
    "0 HEAD\n0 NOTE @B@\n0 @A@ INDI\n1 FAMC @A@\n2 @C@ NOTE @LONGER_THAN_ANY@\n0 @A@ FAM\n1 @B@ MARR\n2 @LONGER_THAN_ANY@ NOTE @C@\n0 @K@ FAM @A@\n1 @K@ NOTE @K@\n0 NOTE @C@\n1 NOTE @K@\n1 NOTE @LONGER_THAN_ANY@\n1 @A@ NOTE @A@\n0 TRLR\n",
    "0 HEAD\n0 @A@ INDI\n0 @A@ FAM\n1 @B@ X\n0 @B@ FAM @A@\n0 @C@ NOTE @B@\n1 @D@ NOTE @A@\n2 @E@ NOTE @D@\n0 @F@ NOTE @E@\n1 NOTE @F@\n1 NOTE @C@\n",
    "",
    "no line at all\nnor this\n",
];

#[test]
fn runs_of_every_size_give_the_same() {
    for rules in &all_rules() {
        for file in FILES {
            for size in 1..file.len() + 2 {
                check(file.as_bytes(), rules, size);
            }
        }
    }
}

/// Many identifiers: some repeated, some without a record, some long, some below records.
#[test]
fn identifiers_are_looked_up_across_runs() {
    let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
    for number in 0..3000_u32 {
        let own = if number % 97 == 0 { number / 2 } else { number };
        let long = if number % 5 == 0 { "LONGER_THAN_SEVEN" } else { "" };
        file.push_str(&format!("0 @I{long}{own}@ INDI\n1 NAME Zo\u{EB} /{number}/\n"));
        file.push_str(&format!(
            "1 ALIA @I{}@\n1 ALIA @ILONGER_THAN_SEVEN{}@\n",
            number * 7 % 3100,
            number + 5
        ));
        file.push_str(&format!("1 @N{number}@ NOTE x\n1 NOTE @N{}@\n1 OBJE @other:{number}@\n", number / 3));
        if number % 4 == 0 {
            file.push_str(&format!("1 @UNDEF{number}@ NOTE\n1 NOTE @UNDEF{}@\n", number + 2));
        }
    }
    file.push_str("0 TRLR\n");
    for rules in [Rules::WILD, Rules::JANUARY_2019, Rules::DECLARATIVE] {
        for size in [200, 1 << 12, 1 << 16] {
            check(file.as_bytes(), &rules, size);
        }
    }
}

#[test]
fn one_run_has_the_whole_document_where_the_rules_depend_on_it() {
    let file: &[u8] = b"0 HEAD\n0 @A@ INDI\n0 @A@ INDI\n1 ALIA @A@\n1 ALIA @B@\n0 TRLR\n";
    for rules in all_rules() {
        let mut reader = reader(file, &rules, 1);
        let run = reader.next_run(&mut ()).expect("memory").expect("a run");
        assert_eq!(run.source().octets() == file, depend_on_whole(&rules), "{}", rules.name);
    }
}

#[test]
fn without_lookup_nothing_is_reported_about_identifiers() {
    let file = FILES[4].as_bytes();
    for rules in all_rules().iter().filter(|rules| !depend_on_whole(rules)) {
        let found = read_runs(reader(file, rules, 1).without_lookup());
        assert_eq!(found.structures, read_whole(file, rules).structures, "{}", rules.name);
        assert!(!found.findings.iter().any(|one| ABOUT_IDENTIFIERS.contains(&one.code)), "{}", rules.name);
    }
}

/// Runs keep no text of an identifier that is not its own key.
#[test]
fn findings_name_the_identifier_that_they_are_about() {
    let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 @I1@ NOTE x\n1 ALIA @I1@\n1 ALIA @I1000009@\n\
        1 ALIA @LONGER_THAN_SEVEN@\n1 ALIA @X:1@\n1 @N1@ NOTE y\n1 NOTE @N1@\n0 TRLR\n";
    let mut found: Vec<Diagnostic> = Vec::new();
    read(file, &Rules::DECEMBER_2019, &Options::default(), &mut found).expect("small");
    let said: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
    let expected = [
        "another structure has the cross-reference identifier `@I1@`, too",
        "ambiguous pointer `@I1@`: several structures have this identifier",
        "unresolved pointer `@I1000009@`: no record has this identifier",
        "unresolved pointer: no record has its identifier",
        "the pointer `@X:1@` refers to another file or to a part of a record",
        "the pointer `@N1@` refers to a structure that is not a record",
    ];
    assert!(said.ends_with(&expected), "{said:?}");
    check(file, &Rules::DECEMBER_2019, 1);
}

#[test]
fn a_run_whose_outcome_is_not_taken_leaves_the_document_incomplete() {
    let file: &[u8] = b"0 HEAD\n0 @A@ INDI\n0 @B@ INDI\n0 TRLR\n";
    let mut reader = reader(file, &Rules::WILD, 1);
    assert!(!reader.knows_header());
    reader.next_run(&mut ()).expect("memory").expect("a run");
    assert!(reader.knows_header());
    while let Some(run) = reader.next_unread().expect("memory") {
        if run.number() < 3 {
            let (_, outcome) = run.read(&mut ()).expect("small");
            reader.take(outcome, &mut ());
        }
    }
    assert!(!reader.is_done() && !reader.is_complete());
}

#[test]
fn the_example_file_is_the_same_in_runs() {
    let example = include_bytes!("../../../examples/haugen.ged");
    for size in [1, 100, 1 << 20] {
        check(example, &Rules::WILD, size);
        check(example, &Rules::DECEMBER_2019, size);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn mutated_lines_give_the_same_in_runs(
        before in "(garbage\n|5 FOO x\n|\n){0,3}",
        lines in proptest::collection::vec("[012] (@[AB]@ )?(INDI|NOTE|CONT|CONC|HEAD|TRLR|x-)( @[AB]@| t@xt)?|[ -~]{0,12}", 0..24),
        size in 1_usize..200,
        rules in prop::sample::select(all_rules()),
    ) {
        let file = format!("{before}0 HEAD\n{}\n", lines.join("\n"));
        check(file.as_bytes(), &rules, size);
    }

    #[test]
    fn damaged_lines_give_the_same_in_runs(
        lines in proptest::collection::vec(
            "(\u{FEFF}|\u{A0})?[012][ \u{A0}]?(@{0,2}[AB]@{1,2}[ \u{A0}]?)?(INDI|NOTE|CONT|BIRTH|NAME|TRLR|BLOCK)( t@xt|1 SEX M|0 @C@ INDI)?\
             |CHIL @A@|text|",
            0..24,
        ),
        lone in 0_usize..6,
        size in 1_usize..200,
        rules in prop::sample::select(all_rules()),
    ) {
        // Every so many lines end in a line feed alone.
        let broken = lines.iter().enumerate().map(|(at, line)| {
            let is_lone = lone > 0 && at % (lone + 3) == 0;
            format!("{line}{}", if is_lone { "\n" } else { "\r\n" })
        });
        let file = format!("0 HEAD\r\n1 CHAR UTF-8\r\n{}0 TRLR\r\n", broken.collect::<String>());
        check(file.as_bytes(), &rules, size);
    }

    #[test]
    fn identifiers_give_the_same_in_runs(
        head in "(garbage\n|0@A@INDI\n){0,3}0 (@[AB]@ )?HEAD\n(1 CHAR UTF-8\n)?(1 @A@ NOTE @B@\n)?",
        lines in proptest::collection::vec(
            "[01] (@(A|B|C:|UNDEF[12]|ABCDEFG|ABCDEFGH|I0123456|LONGER_THAN_TWENTY_OCTETS)@ )?(INDI|NOTE)\
             ( @(A|B|C:|UNDEF[123]|ABCDEFG|ABCDEFGH|ABCDEFGI|I0123456|I0123457|LONGER_THAN_TWENTY_OCTETS)@)?\
             |2 CON[CT] (@|x)|1 NOTE @A|0 (@A@ )?TRLR( @B@)?",
            0..40,
        ),
        size in 1_usize..300,
        rules in prop::sample::select(all_rules()),
        utf16 in any::<bool>(),
    ) {
        let file = format!("{head}{}\n0 TRLR\n", lines.join("\n"));
        let octets: Vec<u8> = match utf16 {
            true => [0xFEFF].into_iter().chain(file.encode_utf16()).flat_map(u16::to_be_bytes).collect(),
            false => file.into_bytes(),
        };
        check(&octets, &rules, size);
    }
}

#[test]
fn what_lies_behind_the_end_of_a_reading_is_not_spoken_of() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n5 X\n0 NOTE \x01\r0 NOTE \xFF\n0 TRLR\n";
    let header = b"0 HEAD\n1 CHAR UTF-8\n1 SOUR \x01\n0 TRLR\n0 NOTE \x02\r0 TRLR\n";
    for (octets, lines, codes) in [(&file[..], 3, &["E0203"][..]), (header, 4, &["E0308", "E0115"])] {
        let mut whole: Vec<Diagnostic> = Vec::new();
        let document = read(octets, &Rules::DECEMBER_2019, &Options::default(), &mut whole).expect("small");
        assert_eq!((document.line_count(), document.line_breaks().total()), (lines, lines));
        let found: Vec<&str> = whole.iter().map(|finding| finding.code.id()).collect();
        assert_eq!(found, codes);
        for size in [1, 30, 1000] {
            let mut of_runs: Vec<Diagnostic> = Vec::new();
            let mut reader =
                Reader::new(octets, &Rules::DECEMBER_2019, &Options::default()).with_run_size(size);
            let mut count = 0;
            while let Some(run) = reader.next_run(&mut of_runs).expect("memory") {
                count += run.line_count();
            }
            assert_eq!(count, lines);
            let mut found: Vec<&str> = of_runs.iter().map(|finding| finding.code.id()).collect();
            found.sort_unstable();
            let mut expected = codes.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected, "in runs of {size}");
        }
    }
}

/// An input that counts what is read of it.
struct Counted<'c> {
    left: &'c [u8],
    read: &'c std::cell::Cell<usize>,
}

impl std::io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = std::io::Read::read(&mut self.left, buffer)?;
        self.read.set(self.read.get() + count);
        Ok(count)
    }
}

#[test]
fn a_sink_that_has_enough_ends_the_reading() {
    use elf_tagged::UntilBreak;
    use std::ops::ControlFlow;
    let file =
        format!("0 HEAD\n1 CHAR UTF-8\n{}0 TRLR\n", "0 @I1@ INDI\njunk in each record\n".repeat(100_000));
    let read = std::cell::Cell::new(0);
    let input = Counted { left: file.as_bytes(), read: &read };
    let mut reader = Reader::new(input, &Rules::WILD, &Options::default()).with_run_size(1 << 10);
    let mut found = Vec::new();
    let mut sink = UntilBreak::new(|finding: Diagnostic| {
        found.push(finding);
        if found.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut runs = 0;
    while reader.next_run(&mut sink).expect("memory does not fail").is_some() {
        runs += 1;
    }
    assert!(read.get() < file.len() / 4, "{} of {} octets, {runs} runs", read.get(), file.len());
    let before = read.get();
    assert!(reader.next_run(&mut sink).expect("memory does not fail").is_none());
    assert!(read.get() == before && !reader.is_complete());
    // The caller may go on after all.
    assert!(reader.next_run(&mut ()).expect("memory does not fail").is_some());
    assert_eq!(found.len(), 3);
}
