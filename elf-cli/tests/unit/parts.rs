//! Reading in parts, on any number of threads, is reading the whole.

use super::*;
use elf_schema::Diagnostic;
use proptest::prelude::*;

/// The result of reading a file: its findings, the numbers of its lines and records, and whether all of
/// it was read.
type Outcome = (Vec<String>, u64, u64, bool);

/// The findings, sorted: who takes them puts them in order.
fn said(findings: &[Diagnostic]) -> Vec<String> {
    let said = |one: &Diagnostic| format!("{} {:?} {}", one.code, one.place, one.message);
    let mut all: Vec<String> = findings.iter().map(said).collect();
    all.sort();
    all
}

fn in_parts(octets: &[u8], rules: &Rules, size: usize, threads: usize) -> Outcome {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let options = ReadOptions::default();
    let names = Xrefs::are_needed(rules).then(|| {
        let first = XrefReader::new(octets, rules, &options.octets).with_part_size(size);
        read_xrefs(first, threads).unwrap()
    });
    let mut reader = reader(octets, rules, options, names).with_part_size(size);
    let (mut lines, mut records) = (0, 0);
    let see = |part: Option<&Part<'_>>, findings: Vec<Diagnostic>| {
        let counts =
            |part: &Part<'_>| (part.document().line_count(), part.document().records().count() as u64);
        (part.map(counts).unwrap_or_default(), findings)
    };
    let mut of_parts = Vec::new();
    let add = |((more_lines, more_records), findings): ((u64, u64), Vec<Diagnostic>)| {
        lines += more_lines;
        records += more_records;
        of_parts.extend(findings);
    };
    read(&mut reader, threads, (Vec::new, see), add, &mut findings).unwrap();
    of_parts.append(&mut findings);
    (said(&of_parts), lines, records, reader.tagged().is_complete())
}

fn whole(octets: &[u8], rules: &Rules) -> Outcome {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed = elf_schema::read(octets, rules, &ReadOptions::default(), &mut findings).unwrap();
    let document = typed.document();
    let (lines, records) = (document.line_count(), document.records().count() as u64);
    (said(&findings), lines, records, document.is_complete())
}

fn check(octets: &[u8], rules: &Rules, size: usize) {
    let one = in_parts(octets, rules, size, 1);
    for threads in [2, 4] {
        assert_eq!(in_parts(octets, rules, size, threads), one, "{} threads, {}", threads, rules.name);
    }
    let all = whole(octets, rules);
    assert_eq!(one, all, "{} in parts of {size}", rules.name);
}

#[test]
fn each_is_made_once_and_in_order() {
    for count in [0, 1, 7, 8, 31, 32, 33, 100] {
        for threads in [0, 1, 2, 3, 64] {
            let made = each(count, threads, |number| number);
            assert_eq!(made, (0..count).collect::<Vec<usize>>(), "{count} on {threads}");
        }
    }
}

#[test]
fn an_example_is_the_same_on_any_number_of_threads() {
    let example = include_bytes!("../../../examples/haugen.ged");
    for rules in Rules::PRESETS {
        for size in [1, 64, 1000] {
            check(example, rules, size);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_files_are_the_same_on_any_number_of_threads(
        lines in proptest::collection::vec(
            "[012] (@[AB]@ )?(INDI|NOTE|NAME|_UID|WHAT|CONT|CONC|HEAD|TRLR|x-)( @[AB]@| t@xt| caf\u{E9})?|[ -~]{0,12}",
            0..60,
        ),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(vec![b'0', b'@', b'\n', b'\r', b' ', 0xC3, 0xFF, 0]),
        size in 1_usize..200,
        rules in prop::sample::select(Rules::PRESETS.to_vec()),
        utf16 in any::<bool>(),
    ) {
        let text = format!("0 HEAD\n1 CHAR UTF-8\n{}\n0 TRLR\n", lines.join("\n"));
        let mut octets: Vec<u8> = match utf16 {
            true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            false => text.into_bytes(),
        };
        let at = at.index(octets.len());
        octets[at] = with;
        check(&octets, rules, size);
    }
}
