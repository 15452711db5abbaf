//! Law of fixes, in files with damage of every kind: as many findings are gone as were counted, and none is new.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_edit::{Fixes, Safety, fix_document};
use elf_tagged::elf_octets::Encoding;
use elf_tagged::{Diagnostic, Document, Options, Rules, codes, read};
use elf_tests::generate::{
    Random, Sort, damage_lines, damage_octets, draft_of, encode_text, join_lines, make_file,
};
use std::collections::BTreeMap;

const FILES: u64 = 600;

/// Spoils lines as safe fixes restore them.
fn spoil(random: &mut Random, lines: &mut Vec<String>) {
    for _ in 0..random.below(6) {
        let at = random.below(lines.len().max(1));
        let Some(line) = lines.get_mut(at) else { return };
        match random.below(10) {
            0 => line.insert(0, '0'),
            1 => line.insert(0, '2'),
            2 => line.push_str(" a@b"),
            3 => line.push_str(" @#x"),
            4 => lines.insert(at + 1, " ".to_owned()),
            5 => lines.insert(at + 1, "a raw line".to_owned()),
            6 => lines.insert(at + 1, format!("{} CONT @I1@", random.below(4))),
            7 => *line = line.replace("0 HEAD", "0 Head"),
            8 => {
                let other = random.pick_word(&[
                    "1 CHAR utf8",
                    "1 CHAR ANSI",
                    "1 CHAR ASCII",
                    "1 SEX",
                    "2 CHAR UTF-8",
                ]);
                if line.starts_with("1 CHAR") {
                    other.clone_into(line);
                }
            }
            _ => {
                if line.starts_with("1 CHAR") {
                    lines.remove(at);
                }
            }
        }
    }
}

fn safe_fixes(document: &Document<'_>, findings: &[Diagnostic]) -> Fixes {
    fix_document(document, findings, Safety::Safe.into(), &mut ())
}

/// Fixes a file and returns the number of fixed findings; an error describes the fault.
fn check(octets: &[u8], rules: &Rules) -> Result<u64, String> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(octets, rules, &Options::default(), &mut findings).expect("small");
    let fixes = safe_fixes(&document, &findings);
    let new = document.source().splice(&fixes.patches).expect("patches in order");
    let mut left: Vec<Diagnostic> = Vec::new();
    read(&new, rules, &Options::default(), &mut left).expect("small");
    let mut gone: BTreeMap<&str, i64> = BTreeMap::new();
    findings.iter().for_each(|finding| *gone.entry(finding.code.id()).or_default() += 1);
    left.iter().for_each(|finding| *gone.entry(finding.code.id()).or_default() -= 1);
    for finding in fixes.fixed.iter().filter_map(|one| findings.get(one.finding)) {
        *gone.entry(finding.code.id()).or_default() -= 1;
    }
    // Mixed line breaks are said of the file, and blank lines count for them; UTF-16 is deprecated when it is
    // named.
    let apart =
        [codes::LINE_BREAKS_MIXED.id(), codes::ENCODING_DEPRECATED.id(), codes::ENCODING_UNCERTAIN.id()];
    gone.retain(|code, count| *count != 0 && !apart.contains(code));
    let shown = || format!("by {}: {}\n{}", rules.name, octets.escape_ascii(), new.escape_ascii());
    if !gone.is_empty() {
        return Err(format!("{gone:?} {}", shown()));
    }
    Ok(fixes.fixed.len() as u64)
}

#[test]
fn findings_that_count_as_fixed_are_gone() {
    let (mut fixed, mut wrong) = (0, Vec::new());
    for seed in 0..FILES {
        let mut random = Random::new(seed);
        for rules in Rules::PRESETS {
            let sort = Sort { draft: draft_of(rules), own_types: 20, faults: 20 };
            let mut lines = make_file(&mut random, sort);
            damage_lines(&mut random, sort, &mut lines);
            spoil(&mut random, &mut lines);
            let text = join_lines(&mut random, sort, &lines);
            let mut octets = encode_text(&mut random, &text);
            damage_octets(&mut random, sort, &mut octets);
            for by in [rules, &Rules::WILD] {
                match check(&octets, by) {
                    Ok(count) => fixed += count,
                    Err(what) => wrong.push(format!("seed {seed}: {what}")),
                }
            }
        }
    }
    wrong.sort_by_key(String::len);
    wrong.truncate(12);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fixed > FILES, "only {fixed} findings were fixed");
}

/// A file of few octets that are not ASCII, where what CHAR says decides little: whatever a fix changes
/// may be evidence for another encoding.
fn of_guessed_encoding(random: &mut Random) -> Vec<u8> {
    const CHARS: [&str; 7] =
        ["", "", "1 CHAR ASCII", "1 CHAR ANSI", "1 CHAR ANSEL", " 1 CHAR IBMPC", "1 CHAR unknown"];
    const RUNS: [&[u8]; 14] = [
        b"\xC3\xA9",
        b"\xE9",
        b"\xE2e",
        b"\xE8O",
        b"\x85",
        b"\xA0",
        b"\xC2\xA0",
        b"\xC2\x85",
        b"\x81",
        b"\x94",
        b"\xFC",
        b"\xC4",
        b"Jos\xE9",
        b"J\x81rgen",
    ];
    const STARTS: [&str; 12] = [
        "1 NAME ",
        " 1 NAME ",
        "01 NOTE ",
        "1 NOTE a@b",
        "1 NOTE @#x ",
        "",
        " ",
        "0 @I",
        "2 CONT ",
        "1 note ",
        "3 DATE ",
        "1  NOTE\t",
    ];
    let mut octets = b"0 HEAD\n".to_vec();
    let char = random.pick_word(&CHARS);
    if !char.is_empty() {
        octets.extend_from_slice(format!("{char}\n").as_bytes());
    }
    octets.extend_from_slice(b"0 @I1@ INDI\n");
    for _ in 0..1 + random.below(4) {
        octets.extend_from_slice(random.pick_word(&STARTS).as_bytes());
        for _ in 0..random.below(3) {
            octets.extend_from_slice(RUNS.get(random.below(RUNS.len())).copied().unwrap_or_default());
            octets.extend_from_slice(random.pick_word(&["", "", "a", "X", "@", " ", "n", "@ N"]).as_bytes());
        }
        octets.extend_from_slice(random.pick_word(&["\n", "\n", "\r\n", " \n", "\r"]).as_bytes());
    }
    octets.extend_from_slice(random.pick_word(&["0 TRLR\n", "0 TRLR", " 0 TRLR\n", ""]).as_bytes());
    octets
}

/// The encoding that a file is read in.
fn encoding(octets: &[u8], rules: &Rules) -> Encoding {
    elf_tagged::elf_octets::decide(octets, rules, &Options::default(), &mut ()).used
}

#[test]
fn no_fix_changes_the_encoding_that_a_file_is_read_in() {
    let (mut fixed, mut refused, mut wrong) = (0_u64, 0_u64, Vec::new());
    for seed in 0..20_000 {
        let octets = of_guessed_encoding(&mut Random::new(seed));
        let rules = &Rules::WILD;
        let mut findings: Vec<Diagnostic> = Vec::new();
        let document = read(&octets, rules, &Options::default(), &mut findings).expect("small");
        let fixes = safe_fixes(&document, &findings);
        let new = document.source().splice(&fixes.patches).expect("patches in order");
        fixed += u64::from(!new.is_ascii() && !fixes.patches.is_empty());
        let [before, after] = [&octets, &new].map(|octets| encoding(octets, rules));
        if let Err(what) = check(&octets, rules) {
            wrong.push(what);
        }
        refused += u64::from(fixes.file_refusal.is_some());
        if before != after && !(octets.is_ascii() && new.is_ascii()) {
            wrong.push(format!("{} is {before}, {} is {after}", octets.escape_ascii(), new.escape_ascii()));
        }
    }
    wrong.sort_by_key(String::len);
    wrong.truncate(12);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fixed > 1000 && refused > 0, "{fixed} fixed, {refused} refused");
}
