//! Generated files, converted between all rules and encodings: what is written conforms by its rules and says
//! the same when it is read back, or the difference was reported.
//!
//! A sample runs with the other tests; `ELF_LONG_CONVERSIONS` asks for more (`.ci/long`). Each conversion
//! follows from its seed, a number from 0: `ELF_CONVERSION_SEED=11627` judges that one alone, and prints what
//! was written and reported.

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test fails by panicking, looks at the environment, and shows what it was asked for"
)]

use elf_base::{Diagnostic, Rules};
use elf_octets::Encoding;
use elf_schema::{ReadOptions, Schema};
use elf_tagged::write::{LineBreak, WriteError, WriteOptions};
use elf_tests::conversion::{Conversion as Judged, faults};
use elf_tests::generate::{Random, Sort, damage, damage_octets, draft_of, encode, file, join};
use elf_tests::reference::{self, Draft};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A conversion, made up from its number.
struct Conversion {
    octets: Vec<u8>,
    from: &'static Rules,
    to: &'static Rules,
    options: WriteOptions,
    schema: Option<Arc<Schema>>,
}

/// Makes one conversion from its seed.
fn conversion(seed: u64) -> Conversion {
    let mut random = Random::new(seed);
    let presets = Rules::PRESETS;
    let from = random.pick(&presets).unwrap_or(&Rules::WILD);
    let to = random.pick(&presets).unwrap_or(&Rules::WILD);
    let faults = if random.chance(60) { 0 } else { 15 };
    let sort = Sort { draft: draft_of(from), own_types: 35, faults };
    let mut lines = file(&mut random, sort);
    damage(&mut random, sort, &mut lines);
    let text = join(&mut random, sort, &lines);
    let mut octets = encode(&mut random, &text);
    damage_octets(&mut random, sort, &mut octets);
    let encodings = [Encoding::Utf8, Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Le, Encoding::Utf16Be];
    let options = WriteOptions::new()
        .with_encoding(random.pick(&encodings).unwrap_or(Encoding::Utf8))
        .with_line_break(
            random.pick(&[LineBreak::Lf, LineBreak::Cr, LineBreak::CrLf]).unwrap_or(LineBreak::Lf),
        )
        .with_width(random.pick(&[None, None, Some(40)]).flatten())
        .with_partial(random.chance(50));
    let schema = random.chance(10).then(|| Arc::clone(Schema::completed()));
    Conversion { octets, from, to, options, schema }
}

/// Says what is wrong with a conversion; `None` where it cannot be judged, as there is no line to be written.
fn check(conversion: &Conversion) -> Option<Result<(), String>> {
    let Conversion { octets, from, to, options, schema } = conversion;
    // GEDCOM 7 is UTF-8.
    if options.check(to).is_err() {
        return None;
    }
    let read = ReadOptions::default().with_schema(schema.clone());
    let before = elf_schema::read(octets, from, &read, &mut ()).expect("a small file");
    let document = elf_tagged::read_with(octets, from, &read.octets, &read, &mut ()).expect("a small file");
    let (mut written, mut reports): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let converted = elf_schema::convert(document, &read, &mut written, to, options, &mut reports);
    // What the rules ended is written only where that is asked for; nothing is where no line is one.
    let summary = match converted {
        Ok(summary) => summary,
        Err(WriteError::Incomplete) if !before.document().is_complete() && !options.partial => return None,
        Err(WriteError::Empty) if before.document().is_empty() => return None,
        Err(error) => return Some(Err(format!("it cannot be written: {error}"))),
    };
    if !before.document().is_complete() && !options.partial {
        return Some(Err("what the rules ended is written".to_owned()));
    }
    let mut findings: Vec<Diagnostic> = Vec::new();
    let after = elf_schema::read(&written, to, &ReadOptions::default(), &mut findings).expect("a small file");
    // `wild` is no draft to conform to.
    if *to != &Rules::WILD {
        findings.retain(|found| found.class.is_error());
        if !findings.is_empty() || !after.document().is_complete() {
            return Some(Err(format!("not conformant: {:?}", findings.iter().take(2).collect::<Vec<_>>())));
        }
    }
    if let Err(fault) = second_opinion(&written, to) {
        return Some(Err(fault));
    }
    let faults = faults(&Judged { before: &before, after: &after, reports: &reports, summary });
    Some(if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) })
}

/// Asks the second reader about what was written for December or January 2019.
fn second_opinion(written: &[u8], to: &Rules) -> Result<(), String> {
    let draft = match to.name {
        "2019-12" => Draft::December2019,
        "2019-01" => Draft::January2019,
        _ => return Ok(()),
    };
    let reading = reference::read(written, draft);
    // With a schema that names no escapes, the product goes by U and D (AMB-54), and pointers to what is no
    // record are advice to it (AMB-41, G09).
    let is_read_otherwise =
        |reason: &str| reason.starts_with("Permitted escapes") || reason.contains("no record");
    let faults: Vec<_> = reading.faults.iter().filter(|fault| !is_read_otherwise(fault.reason)).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("the second reader says {faults:?}")) }
}

/// Prints what a conversion writes and reports.
fn show(conversion: &Conversion) {
    let Conversion { octets, from, to, options, schema } = conversion;
    let read = ReadOptions::default().with_schema(schema.clone());
    let document = elf_tagged::read_with(octets, from, &read.octets, &read, &mut ()).expect("a small file");
    let (mut written, mut reports): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let converted = elf_schema::convert(document, &read, &mut written, to, options, &mut reports);
    eprintln!("{} to {}, {options:?}, --schema {}", from.name, to.name, schema.is_some());
    eprintln!("{}\n=== written: {converted:?}\n{}", octets.escape_ascii(), written.escape_ascii());
    for report in reports {
        eprintln!("{report:?}");
    }
}

/// Returns the first words of a fault, without what differs from file to file.
fn kind_of(fault: &str) -> String {
    let words = fault.trim_start_matches(|c: char| c.is_ascii_digit() || "line :".contains(c));
    words.chars().take_while(|c| !"`:\"\n".contains(*c)).take(60).collect()
}

/// Returns the number that a variable of the environment names.
fn asked(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

#[test]
fn what_is_written_says_the_same_or_it_is_reported() {
    let alone = asked("ELF_CONVERSION_SEED");
    let seeds =
        alone.map_or(0..asked("ELF_LONG_CONVERSIONS").unwrap_or(600), |seed| seed..seed.saturating_add(1));
    let count = seeds.end - seeds.start;
    let mut judged = 0;
    let mut shortest: BTreeMap<String, (usize, usize, String)> = BTreeMap::new();
    for seed in seeds {
        let conversion = conversion(seed);
        if alone.is_some() {
            show(&conversion);
        }
        let Some(outcome) = check(&conversion) else { continue };
        judged += 1;
        let Err(fault) = outcome else { continue };
        let kind = kind_of(&fault);
        let shown = format!(
            "seed {seed}, {} to {}, {:?}, --schema {}\n{}\n{fault}\n",
            conversion.from.name,
            conversion.to.name,
            conversion.options.encoding,
            conversion.schema.is_some(),
            conversion.octets.escape_ascii().to_string().replace("\\n", "\\n\n").replace("\\r", "\\r\n")
        );
        let entry = shortest.entry(kind).or_insert_with(|| (0, usize::MAX, String::new()));
        entry.0 += 1;
        if conversion.octets.len() < entry.1 {
            (entry.1, entry.2) = (conversion.octets.len(), shown);
        }
    }
    let show = |(kind, (times, _, shown)): (&String, &(usize, usize, String))| {
        format!("=== {times} times {kind}\n{shown}\n")
    };
    let shown: String = shortest.iter().map(show).collect();
    assert!(shortest.is_empty(), "{} kinds of faults\n{shown}", shortest.len());
    assert!(judged * 2 > count || alone.is_some(), "only {judged} of {count} conversions are judged");
}
