//! Reading in parts, on any number of threads, is reading the whole.

use super::*;
use elf_schema::Diagnostic;
use elf_tagged::write::{PartWriter, Survey, WriteOptions};
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
        let first = XrefReader::new(any_read(octets), rules, &options.octets).with_part_size(size);
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
    let example = include_bytes!("../../../../examples/haugen.ged");
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

/// The octets that a file is converted to on so many threads, with the losses and the findings; `most` parts
/// are put.
fn converted(octets: &[u8], size: usize, threads: usize, most: usize) -> (Vec<u8>, Vec<String>, Vec<String>) {
    let (rules, options) = (&Rules::WILD, Options::default());
    let blank = Survey::new(&Rules::OCTOBER_2017, &WriteOptions::new()).unwrap();
    let see = |part: &Document<'_>| {
        let mut one = blank.clone();
        one.see(part);
        one
    };
    let mut first = XrefReader::new(any_read(octets), rules, &options).with_part_size(size);
    let mut all = blank.clone();
    survey(&mut first, threads, see, |one| all.join(one)).unwrap();
    let names = first.into_xrefs().unwrap();
    let (mut written, mut losses): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut writer = PartWriter::new(&mut written, all.finish(&names).unwrap(), &mut losses).unwrap();
    let mut reader = elf_tagged::Reader::with_xrefs(any_read(octets), names).with_part_size(size);
    let (mut findings, mut late): (Vec<Diagnostic>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut puts = 0;
    let done = loop {
        if let Some(encoder) = writer.encoder() {
            let put = |part, found: Vec<Diagnostic>| {
                puts += 1;
                findings.extend(found);
                if puts > most { Err(WriteError::Incomplete) } else { writer.put(part) }
            };
            if let Err(error) = encode(&mut reader, vec![encoder; threads], put, &mut late) {
                break Err(error);
            }
        }
        let Some(part) = reader.next_part(&mut findings).unwrap() else { break Ok(()) };
        writer.part(&part, None).unwrap();
    };
    match done {
        Ok(()) => assert!(writer.finish().unwrap().records > 0 && puts > 1),
        Err(error) => assert!(matches!(error, WriteError::Incomplete) && puts == most + 1),
    }
    findings.extend(late);
    let lost = losses.iter().map(|one| format!("{} {:?} {}", one.code, one.place, one.message)).collect();
    (written, lost, said(&findings))
}

#[test]
fn parts_are_written_in_order_on_any_number_of_threads() {
    let mut file = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
    for number in 0..300 {
        let to = number * 7 % 311;
        file +=
            &format!("0 @I{number}@ INDI\n1 NOTE a@b \u{416} {number}\n1 FAMC @I{to}@\n1 BIRT\n3 DATE x\n");
    }
    file += "0 TRLR\n";
    let octets = file.as_bytes();
    for size in [1, 100, 1000] {
        let one = converted(octets, size, 1, usize::MAX);
        assert!(!one.1.is_empty() && !one.2.is_empty());
        for threads in [2, 4] {
            assert!(
                converted(octets, size, threads, usize::MAX) == one,
                "{threads} threads, parts of {size}"
            );
            // Nothing is written behind what could not be.
            let (stopped, ..) = converted(octets, size, threads, 3);
            assert!(one.0.starts_with(&stopped) && stopped.len() < one.0.len());
        }
    }
}

#[test]
fn a_thread_that_panics_ends_the_reading() {
    let file = "0 HEAD\n1 CHAR UTF-8\n".to_owned() + &"0 @I1@ INDI\n1 NAME A\n".repeat(500) + "0 TRLR\n";
    for threads in [2, 4] {
        let names: Option<Xrefs> = None;
        let mut reader =
            reader(file.as_bytes(), &Rules::WILD, ReadOptions::default(), names).with_part_size(64);
        let seen = AtomicUsize::new(0);
        let see = |_: Option<&Part<'_>>, (): ()| {
            assert_ne!(seen.fetch_add(1, Ordering::Relaxed), 100, "a panic that is meant");
        };
        let result = read(&mut reader, threads, (|| (), see), |()| (), &mut ());
        assert!(result.is_err());
    }
}
