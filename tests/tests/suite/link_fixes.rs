//! Law of link fixes: if the missing half of a link is certain, it is written after the record that lacks it,
//! the finding is gone, and nothing else in the file changes.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::rules::BadLine;
use elf_edit::elf_tagged::elf_octets::Patch;
use elf_edit::{LinkFixes, Safety, fix_document};
use elf_schema::{Diagnostic, Node, ReadOptions, Reader, Rules, TypedDocument};
use elf_tests::generate::{Random, encode_text};
use elf_validate::{Against, Standard, Validator, validate};
use proptest::prelude::*;

/// A record of a file that is made up: its identifier, its tag, its pointers, and what is at its end.
type Made = (u8, &'static str, Vec<(&'static str, u8, bool)>, &'static str);

/// The way in which the lines of a file are written.
#[derive(Clone, Debug)]
struct Style {
    indent: &'static str,
    line_break: &'static str,
    charset: &'static str,
    seed: u64,
    /// True if the last line, which may be no trailer, has no line break.
    is_open: bool,
    has_trailer: bool,
}

fn octets_of(records: &[Made], style: &Style) -> Vec<u8> {
    let Style { indent, line_break, charset, seed, is_open, has_trailer } = style;
    let mut lines = vec!["0 HEAD".to_owned(), format!("1 CHAR {charset}")];
    for (identifier, tag, pointers, end) in records {
        lines.push(format!("0 @R{identifier}@ {tag}"));
        for (tag, to, is_qualified) in pointers {
            lines.push(format!("{indent}1 {tag} @R{to}@"));
            if *is_qualified {
                lines.push("2 STAT disproven".to_owned());
            }
        }
        lines.extend(end.lines().map(str::to_owned));
    }
    if *has_trailer {
        lines.push("0 TRLR".to_owned());
    }
    let text = lines.join(line_break) + if *is_open { "" } else { line_break };
    encode_text(&mut Random::new(*seed), &text)
}

fn read<'o>(octets: &'o [u8], rules: &Rules, sink: &mut Vec<Diagnostic>) -> TypedDocument<'o> {
    elf_schema::read(octets, rules, &ReadOptions::default(), sink).expect("a small file")
}

fn found(typed: &TypedDocument<'_>, against: Against) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(typed, against, &mut found);
    found
}

/// The words of findings, in some order that does not depend on their lines; but that a record says nothing,
/// which an answer may change.
fn said(findings: &[Diagnostic]) -> Vec<String> {
    let said = findings.iter().filter(|one| one.code.name() != "structure-incomplete");
    let mut said: Vec<String> = said.map(|one| format!("{} {}", one.code.id(), one.message)).collect();
    said.sort();
    said
}

/// The links of a record to another one, by their tags.
fn links<'d>(record: Node<'d>, to: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    let tags = ["FAMC", "FAMS", "CHIL", "HUSB", "WIFE"];
    record.substructures().filter(move |link| tags.contains(&link.tag()) && link.target() == Some(to))
}

/// Returns whether a one-sided link has a certain answer, as the manual page words it.
fn is_certain(link: Node<'_>) -> bool {
    let (Some(record), Some(target)) = (link.superstructure(), link.target()) else { return false };
    let as_child = |link: Node<'_>| ["FAMC", "CHIL"].contains(&link.tag());
    link.tag() != "FAMS"
        && record.xref().is_some()
        && links(target, record).next().is_none()
        && !target.substructures().any(|other| {
            let answers: &[&str] = match link.tag() {
                "CHIL" => &["FAMC"],
                "FAMC" => &["CHIL"],
                _ => &["FAMS"],
            };
            answers.contains(&other.tag()) && other.target().is_none_or(|to| to.is_inserted())
        })
        && links(record, target)
            .all(|other| as_child(other) == as_child(link) && other.substructure("STAT").is_none())
}

/// The lines of the one-sided links with a certain answer.
fn certain(typed: &TypedDocument<'_>, findings: &[Diagnostic]) -> Vec<u64> {
    let document = typed.document();
    let line = |node: Node<'_>| document.locator().place(node.line_span()).line;
    let links = document.records().flat_map(|record| record.substructures()).filter(|link| is_certain(*link));
    let lines: Vec<u64> = links.map(line).collect();
    let one_sided = findings.iter().filter(|one| one.code.name() == "link-one-sided");
    one_sided
        .filter_map(|one| one.place)
        .map(|place| place.line)
        .filter(|line| lines.contains(line))
        .collect()
}

/// The patches of the findings of a file that is read in runs, each once.
fn patches_in_runs(octets: &[u8], rules: &Rules, against: Against, size: usize) -> Vec<Patch> {
    let reader = || Reader::new(octets, rules, ReadOptions::default()).with_run_size(size);
    let mut started: Option<(Validator, _)> = None;
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut first = reader();
    while let Some(run) = first.next_run(&mut ()).expect("a stream in memory") {
        let (validator, links) = started.get_or_insert_with(|| {
            let validator = Validator::new(against, run.schema());
            let links = validator.links();
            (validator, links)
        });
        links.add(validator.validate_run(&run, &mut findings));
    }
    if let Some((_, links)) = started {
        links.finish(&mut findings);
    }
    let mut wanted = LinkFixes::default();
    let safe = |finding: &&Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
    findings.iter().filter(safe).for_each(|finding| wanted.want(finding));
    let mut second = reader();
    while let Some(run) = second.next_run(&mut ()).expect("a stream in memory") {
        wanted.find(run.document(), Safety::Safe);
    }
    assert!(wanted.is_complete());
    let mut patches: Vec<Patch> = Vec::new();
    for patch in findings.iter().filter_map(|finding| wanted.patches_of(finding)).flatten() {
        if !patches.contains(patch) {
            patches.push(patch.clone());
        }
    }
    patches.sort_by_key(|patch| (patch.lines.start, patch.lines.end));
    // A run of one line without a break does not show which break the file has.
    patches.iter_mut().for_each(|patch| patch.line_break = None);
    patches
}

/// Returns whether the types that structures have by rules are those of the data model.
fn has_its_types(rules: &Rules) -> bool {
    rules.schema.default.standard() == Some(elf_base::Standard::DataModel)
}

fn check(octets: &[u8], rules: &Rules, against: Against, size: usize) -> Result<(), TestCaseError> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let typed = read(octets, rules, &mut before);
    // If the rules end the reading, nothing is fixed.
    if !rules.recovers() && !typed.document().is_complete() {
        return Ok(());
    }
    let findings = found(&typed, against);
    let asked: Vec<usize> =
        findings.iter().enumerate().filter(|(_, one)| one.fix.is_some()).map(|(index, _)| index).collect();
    let lines: Vec<u64> =
        asked.iter().filter_map(|&index| findings[index].place).map(|place| place.line).collect();
    // Without a trailer the file may be cut off.
    let has_answers = typed.document().lines().any(|line| line.tag() == "TRLR")
        && !rules.octets.stream_escapes
        && rules.tagged.bad_line != BadLine::Reject
        && (against.standard != Standard::DataModel || has_its_types(rules));
    if has_answers {
        prop_assert_eq!(&lines, &certain(&typed, &findings));
    } else {
        prop_assert_eq!(&lines, &Vec::<u64>::new());
    }
    let fixes = fix_document(typed.document(), &findings, Safety::Safe.into(), &mut ());
    let fixed: Vec<usize> = fixes.fixed.iter().map(|one| one.finding).collect();
    prop_assert_eq!(&fixed, &asked);
    let new = typed.document().source().splice(&fixes.patches).expect("patches in order");
    let answered = read(&new, rules, &mut after);
    prop_assert_eq!(said(&before), said(&after));
    let mut left = findings.clone();
    let mut index = 0;
    left.retain(|_| {
        index += 1;
        fixed.binary_search(&(index - 1)).is_err()
    });
    prop_assert_eq!(said(&left), said(&found(&answered, against)));
    let in_runs = patches_in_runs(octets, rules, against, size);
    prop_assert_eq!(typed.document().source().splice(&in_runs).expect("patches in order"), new);
    Ok(())
}

fn made() -> impl Strategy<Value = Vec<Made>> {
    let record = |tag: &'static str, tags: &'static [&'static str], targets: std::ops::Range<u8>| {
        let pointer = (prop::sample::select(tags), targets, prop::bool::weighted(0.05));
        let end = prop::sample::select(
            &[
                "",
                "",
                "",
                "1 FAMC x",
                "1 CHIL @R1@ ",
                "1 FAMS",
                "1 NOTE a\nand more",
                "1 NOTE a\n2 CONT b",
                "2 DATE 1900",
            ][..],
        );
        (Just(tag), prop::collection::vec(pointer, 0..6), end)
    };
    let person = record("INDI", &["FAMC", "FAMC", "FAMS", "FAMS", "ALIA"], 5..10);
    let family = record("FAM", &["CHIL", "CHIL", "HUSB", "WIFE"], 0..6);
    let persons = (0..5_u8, person).prop_map(|(number, (tag, pointers, end))| (number, tag, pointers, end));
    let families = (5..10_u8, family).prop_map(|(number, (tag, pointers, end))| (number, tag, pointers, end));
    prop::collection::vec(prop_oneof![persons, families], 0..10).prop_map(|mut records: Vec<Made>| {
        // Most identifiers are borne once.
        let mut met = Vec::new();
        records.retain(|(number, ..)| {
            let is_new = !met.contains(number) || met.len() > 8;
            met.push(*number);
            is_new
        });
        records
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1200))]

    #[test]
    fn certain_answers_are_written_and_nothing_else_is(
        records in made(),
        (indent, line_break, is_open, has_trailer) in (
            prop::sample::select(&["", "", "  ", "\t"][..]),
            prop::sample::select(&["\n", "\r\n", "\r"][..]),
            any::<bool>(),
            any::<bool>(),
        ),
        (charset, seed) in (prop::sample::select(&["UTF-8", "UNICODE", "ANSEL"][..]), any::<u64>()),
        rules in prop::sample::select(Rules::PRESETS.to_vec()),
        standard in prop::sample::select(Standard::ALL.to_vec()),
        size in 1_usize..200,
    ) {
        let octets = octets_of(&records, &Style { indent, line_break, charset, seed, is_open, has_trailer });
        let against = Against { standard, is_named: false };
        check(&octets, rules, against, size)?;
    }
}
