//! Long records that are cut: the same records, and the findings of their lines.

use elf_edit::elf_tagged::elf_octets::LongRecords;
use elf_edit::elf_tagged::{self, Diagnostic, Document, Options, Reader, Rules, codes};
use elf_edit::long_records;
use proptest::prelude::*;

/// Records are cut behind twelve lines.
fn of_twelve_lines() -> LongRecords {
    LongRecords { most_lines: 12, most_octets: 1 << 10, ..long_records() }
}

/// The faults of lines in the order of the file, as they are told of the rest of a long record too. Whether
/// text continues a payload hangs on lines that may be far away, and what pointers lead to on other records.
fn of_lines(findings: Vec<Diagnostic>) -> Vec<(u64, u64, &'static str)> {
    let of_others = [
        codes::RECORD_TOO_LONG,
        codes::POINTER_DANGLING,
        codes::POINTER_AMBIGUOUS,
        codes::POINTER_TO_SUBSTRUCTURE,
        codes::XREF_REPEATED,
        codes::AT_SIGN_BARE,
        // A record of text and blank lines has no line at which it may well be cut.
        codes::STRUCTURE_EMPTY,
        codes::CONTINUATION_MISPLACED,
        codes::CONTINUATION_AT_PARENT_LEVEL,
        codes::CONTINUATION_WITH_SUBSTRUCTURES,
    ];
    let of_line = |found: Diagnostic| {
        let is_text = [codes::LINE_BREAK_RAW, codes::LINE_MALFORMED].contains(&found.code);
        let code = if is_text { codes::LINE_MALFORMED } else { found.code };
        let (line, octet) = found.place.map_or((0, 0), |place| (place.line, place.octet));
        // The two begin at different columns of the line.
        (!of_others.contains(&code)).then(|| (line, if is_text { 0 } else { octet }, code.id()))
    };
    let mut all: Vec<_> = findings.into_iter().filter_map(of_line).collect();
    all.sort_unstable();
    all
}

/// The findings of a file read as a whole, and of its parts.
struct Both {
    whole: Vec<Diagnostic>,
    parts: Vec<Diagnostic>,
}

/// Reads a file as a whole, and with its long records cut. `see` gets the document, and then each part that
/// has records. Returns `None` of a file that has no lines, which is seen from more of them than a part of
/// these has.
fn read_both(
    octets: &[u8],
    rules: &Rules,
    size: usize,
    mut see: impl FnMut(&Document<'_>, bool),
) -> Result<Option<Both>, TestCaseError> {
    let options = Options::default();
    let mut whole: Vec<Diagnostic> = Vec::new();
    let document = elf_tagged::read(octets, rules, &options, &mut whole).expect("a document");
    if whole.iter().any(|found| found.code == codes::NO_LINES) {
        return Ok(None);
    }
    see(&document, true);
    let mut parts: Vec<Diagnostic> = Vec::new();
    let reader = Reader::new(octets, rules, &options).with_run_size(size);
    let mut reader = reader.with_long_records(of_twelve_lines());
    let (mut lines, mut is_cut) = (0, false);
    loop {
        let mut found: Vec<Diagnostic> = Vec::new();
        let Some(part) = reader.next_run(&mut found).expect("a part") else {
            parts.extend(found);
            break;
        };
        let behind = part.source().start().line + part.line_count();
        let (own, is_last) = (part.part_id().own_line(), part.part_id().is_last());
        prop_assert_eq!(own.unwrap_or(part.source().start().line), lines + 1);
        prop_assert!(own.is_none() || is_cut);
        lines = behind - 1;
        if own.is_none() {
            is_cut = part.source().is_cut();
            see(&part, false);
        }
        // The findings of the rest are about its own lines; that the trailer is missing, about the end. That
        // an identifier is borne twice is told with any part behind.
        let of_part = found.iter().filter(|found| found.code != codes::XREF_REPEATED);
        for line in of_part.filter_map(|found| found.place).map(|place| place.line) {
            prop_assert!(own.is_none_or(|own| own <= line && (line < behind || is_last)));
        }
        parts.extend(found);
    }
    prop_assert_eq!(lines, document.line_count());
    Ok(Some(Both { whole, parts }))
}

/// Holds a file whose long records are cut against the whole; returns how many of them are.
fn hold_cut(octets: &[u8], rules: &Rules, size: usize) -> Result<usize, TestCaseError> {
    let (mut all, mut records) = (Vec::new(), Vec::new());
    let findings = read_both(octets, rules, size, |document, is_whole| {
        let bearers = document.records().filter_map(|node| node.xref().map(str::to_owned));
        if is_whole { all.extend(bearers) } else { records.extend(bearers) }
    })?;
    let Some(Both { whole, parts }) = findings else { return Ok(0) };
    prop_assert_eq!(records, all);
    let cut = parts.iter().filter(|found| found.code == codes::RECORD_TOO_LONG).count();
    prop_assert_eq!(of_lines(parts), of_lines(whole));
    Ok(cut)
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let one = prop_oneof![
        3 => Just("0 @I1@ INDI"), 1 => Just("0 @N1@ NOTE x"), 1 => Just("0 CONT x"), 2 => Just("1 NOTE a@b"),
        2 => Just("1 NOTE"), 1 => Just("2 SOUR @S1@"), 1 => Just("1 BIRT"), 1 => Just("2 DATE 1 JAN 1900"),
        1 => Just("9 DEEP x"), 1 => Just("1 N*TE x"), 1 => Just("2 CONT @X@"), 1 => Just("02 CONT x"),
        1 => Just("1 HEAD"), 1 => Just("0 TRLR"), 1 => Just("1 @I1@ CONT x"), 1 => Just("1 PLANG en"),
        1 => Just("ERROR x"), 1 => Just("1 ERROR x"), 1 => Just("1998 was a year"),
    ];
    let run = prop_oneof![
        4 => Just("and so on"), 2 => Just("x@y é"), 2 => Just(""), 1 => Just("  \t"), 3 => Just("1 CONT x@y"),
        3 => Just("2 CONT and so on"), 1 => Just("2 CONC more"), 1 => Just("3 CONT"), 1 => Just("  and indented"),
    ];
    let stretch = prop_oneof![
        2 => one.prop_map(|line| vec![line.to_owned()]),
        2 => (run.clone(), 1..30_usize).prop_map(|(line, count)| vec![line.to_owned(); count]),
        1 => proptest::collection::vec(run.prop_map(str::to_owned), 0..6),
    ];
    proptest::collection::vec(stretch, 0..12).prop_map(|all| all.concat())
}

/// A file of lines, behind a header if it has one.
fn file(lines: Vec<String>, has_header: bool, ends: bool, line_break: &str, is_utf_16: bool) -> Vec<u8> {
    let mut all: Vec<String> = Vec::new();
    if has_header {
        all.extend(["0 HEAD", "1 GEDC", "2 VERS 5.5.1", "2 FORM LINEAGE-LINKED"].map(str::to_owned));
        all.push(format!("1 CHAR {}", if is_utf_16 { "UNICODE" } else { "UTF-8" }));
    }
    all.extend(lines);
    let mut text = all.join(line_break);
    if ends {
        text.push_str(line_break);
    }
    match is_utf_16 {
        true => std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect(),
        false => text.into_bytes(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_rest_of_a_long_record_has_the_findings_of_its_lines(
        lines in lines(), has_header in prop::bool::ANY,
        line_break in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")], size in 60..200_usize,
        is_utf_16 in prop::bool::ANY,
        rules in prop::sample::select(vec![&Rules::WILD, &Rules::GEDCOM_5_5_1, &Rules::GEDCOM_7]),
    ) {
        // In the header, what at signs are is known only behind all of it; and what a continuation is that
        // stands astray hangs on lines that may be far away.
        let far = ["0 CONT", "0 TRLR", "02 CONT", "2 CON", "3 CONT", "1 PLANG en", "1 @I1@ CONT x", "1998"];
        let is_near = |line: &String| !far.iter().any(|far| line.starts_with(far));
        let lines = lines.into_iter().filter(is_near).collect();
        let lines = [vec!["0 @I0@ INDI".to_owned()], lines].concat();
        hold_cut(&file(lines, has_header, true, line_break, is_utf_16), rules, size)?;
    }
}

#[test]
fn a_long_record_is_cut() {
    for line in [
        "1 FOO x\n",
        "1 CHIL @I1@\n2 PEDI birth\n",
        "9 DEEP\n",
        "1 N*TE\nand so on\n",
        "and so on\n",
        "1 CONT x\n",
        "2 CONT x@y\n",
    ] {
        let text = format!("0 HEAD\n1 CHAR UTF-8\n0 @F1@ FAM\n{}0 @I1@ INDI\n0 TRLR\n", line.repeat(300));
        assert_eq!(hold_cut(text.as_bytes(), &Rules::WILD, 100).expect("the same"), 1, "{line}");
    }
}

#[test]
fn a_file_without_lines_is_told_so_however_it_is_divided() {
    let text = "and so on, as people write\n".repeat(300);
    let long = LongRecords { most_lines: 200, ..long_records() };
    let mut found: Vec<Diagnostic> = Vec::new();
    let reader = Reader::new(text.as_bytes(), &Rules::WILD, &Options::default()).with_run_size(4_000);
    let mut reader = reader.with_long_records(long);
    while reader.next_run(&mut found).expect("a part").is_some() {}
    assert!(found.iter().any(|found| found.code == codes::NO_LINES), "{found:?}");
}

#[test]
fn what_the_rest_holds_is_not_said_to_be_missing() {
    for (rules, file) in [
        (&Rules::WILD, format!("0 @F1@ FAM\n1 HUSB @I5@\n{}1 @I5@ INDI x\n", "1 FOO x\n".repeat(30))),
        (&Rules::GEDCOM_7, format!("0 @I1@ INDI\n{}1 BIRT\n2 DATE 1900\n", "1 FOO x\n".repeat(9))),
        (&Rules::GEDCOM_7, format!("0 @I1@ INDI\n{}1 BIRT\n2 DATE 1900\n", "1 FOO x\n".repeat(10))),
        (&Rules::GEDCOM_7, format!("0 @I1@ INDI\n{}1 BIRT\n2 DATE 1900\n", "1 FOO x\n".repeat(11))),
    ] {
        let mut found: Vec<Diagnostic> = Vec::new();
        let text = format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{file}{}0 TRLR\n", "1 FOO x\n".repeat(30));
        let reader = Reader::new(text.as_bytes(), rules, &Options::default()).with_run_size(60);
        let mut reader = reader.with_long_records(of_twelve_lines());
        while reader.next_run(&mut found).expect("a part").is_some() {}
        let has = |code| found.iter().any(|found| found.code == code);
        assert!(has(codes::RECORD_TOO_LONG), "{found:?}");
        assert!(!has(codes::POINTER_DANGLING) && !has(codes::STRUCTURE_EMPTY), "{found:?}");
    }
}

#[test]
fn octets_before_the_rest_count_as_seen() {
    let mut octets = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE \u{eb}\n".to_owned().into_bytes();
    octets.extend("1 FOO x\n".repeat(30).into_bytes());
    octets.extend(b"1 NOTE \xE9 and so on\n1 FOO x\n0 TRLR\n");
    let mut found: Vec<Diagnostic> = Vec::new();
    let reader = Reader::new(&octets[..], &Rules::WILD, &Options::default()).with_run_size(60);
    let mut reader = reader.with_long_records(of_twelve_lines());
    while reader.next_run(&mut found).expect("a part").is_some() {}
    assert!(found.iter().any(|found| found.code == codes::OCTET_UNDECODABLE), "{found:?}");
    assert!(found.iter().all(|found| found.code != codes::ENCODING_CONTRADICTED), "{found:?}");
}

#[test]
fn records_with_long_first_lines_are_told_apart() {
    let notes = (0..30).map(|number| format!("0 @N{number}@ SNOTE {}\n", "and so on ".repeat(500)));
    let text = format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n{}0 TRLR\n", notes.collect::<String>());
    let long = LongRecords { most_octets: 1 << 14, ..long_records() };
    let mut found: Vec<Diagnostic> = Vec::new();
    let reader = Reader::new(text.as_bytes(), &Rules::GEDCOM_7, &Options::default()).with_run_size(1 << 13);
    let mut reader = reader.with_long_records(long);
    while reader.next_run(&mut found).expect("a part").is_some() {}
    assert_eq!(found, []);
}
