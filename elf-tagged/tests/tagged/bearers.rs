//! Identifiers in every place, of what is data by some rules and none by others: what is written by any rules
//! leads where what was read does, or it is said.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::WriteOptions;
use elf_tagged::{Diagnostic, Document, Node, Options, Payload, Rules, read};
use std::fmt::Write as _;

/// The places of an identifier, and two structures that point.
const LINES: [&str; 11] = [
    "0 #HEAD",
    "1 #CHAR UTF-8",
    "1 #NOTE in the header",
    "0 #INDI one",
    "1 #NOTE within",
    "2 #CONT continued",
    "0 #INDI two",
    "0 X @A@",
    "1 Y @B@",
    "0 #TRLR",
    "1 #NOTE in the trailer",
];

/// Makes a file: the digits of `bearers` in base three say of each place whether it has an identifier, and
/// which.
fn file(mut bearers: usize) -> String {
    let mut file = String::new();
    for line in LINES {
        let (before, after) = line.split_once('#').unwrap_or((line, ""));
        let xref = match (line.contains('#'), bearers % 3) {
            (true, 1) => "@A@ ",
            (true, 2) => "@B@ ",
            _ => "",
        };
        if line.contains('#') {
            bearers /= 3;
        }
        writeln!(file, "{before}{xref}{after}").expect("memory");
    }
    file
}

/// Returns where the two pointers lead: to the tag and the text of a structure; `None` where to none, and
/// where they are pointers no more.
fn targets(document: &Document<'_>) -> [Option<(String, String)>; 2] {
    ["X", "Y"].map(|tag| {
        let pointer = document.structures().find(|node| node.tag() == tag)?;
        let target = pointer.target().filter(|target| target.tag() != "UNDEF")?;
        let text = if target.tag() == "HEAD" { String::new() } else { first_line(target) };
        Some((target.tag().to_owned(), text))
    })
}

fn first_line(node: Node<'_>) -> String {
    match node.payload() {
        Payload::Text(text) => text.lines().next().unwrap_or_default().to_owned(),
        Payload::None | Payload::Pointer(_) => String::new(),
    }
}

/// Writes a document as a whole and in runs, which gives the same; `None` where nothing can be written.
fn written(file: &[u8], from: &Rules, to: &Rules) -> Option<(Vec<u8>, Vec<Diagnostic>)> {
    let options = WriteOptions::new().with_partial(true);
    let (octets, found) = writing::write_whole(file, from, to, &options).ok()?;
    let (in_runs, losses) = writing::write_in_runs(file, from, to, &options, 1).expect("as the whole");
    assert_eq!(String::from_utf8_lossy(&octets), String::from_utf8_lossy(&in_runs));
    let codes_and_lines = |found: &[Diagnostic]| -> Vec<_> {
        let mut all: Vec<_> = found.iter().map(|one| (one.code.id(), one.place.map(|at| at.line))).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(codes_and_lines(&found), codes_and_lines(&losses), "{}", String::from_utf8_lossy(file));
    Some((octets, found))
}

#[test]
fn pointers_lead_where_they_led_or_it_is_said() {
    let places = LINES.iter().filter(|line| line.contains('#')).count();
    let mut converted = 0;
    // Every 61st file: any two places in each of their nine states.
    for bearers in (0..3_usize.pow(u32::try_from(places).expect("few"))).step_by(61) {
        let file = file(bearers);
        for from in Rules::PRESETS {
            let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
            let before = targets(&document);
            for to in Rules::PRESETS {
                let Some((octets, said)) = written(file.as_bytes(), from, to) else { continue };
                converted += 1;
                let context = || {
                    let text = String::from_utf8_lossy(&octets);
                    format!("{} to {}\n{file}\n{text}\n{said:#?}", from.name, to.name)
                };
                let mut found: Vec<Diagnostic> = Vec::new();
                let after = read(&octets, to, &Options::default(), &mut found).expect("small");
                let is_faulty = |finding: &Diagnostic| {
                    ["E0309", "E0311", "E0328", "E0329", "E0333"].contains(&finding.code.id())
                };
                assert!(to.write.keeps_faults || !found.iter().any(is_faulty), "{found:#?}\n{}", context());
                for ((before, after), tag) in before.iter().zip(targets(&after)).zip(["X", "Y"]) {
                    let is_said = said.iter().any(|finding| {
                        finding.code.id() == "E0805"
                            && finding.message.contains(&format!("pointer of `{tag}`"))
                    });
                    let is_kept = *before == after || after.is_none() && is_said;
                    assert!(is_kept, "{before:?} {after:?}\n{}", context());
                }
            }
        }
    }
    assert!(converted > 10_000, "{converted}");
}
