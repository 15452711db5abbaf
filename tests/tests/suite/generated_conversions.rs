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
use elf_tagged::write::{LineBreak, WriteOptions};
use elf_tests::attempt::{Attempt, check_conversion};
use elf_tests::generate::{
    Random, Sort, damage_lines, damage_octets, draft_of, encode_text, join_lines, make_file,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Makes one conversion from its seed.
fn conversion(seed: u64) -> Attempt<'static> {
    let mut random = Random::new(seed);
    let presets = Rules::PRESETS;
    let from = random.pick(&presets).unwrap_or(&Rules::WILD);
    let to = random.pick(&presets).unwrap_or(&Rules::WILD);
    let faults = if random.chance(60) { 0 } else { 15 };
    let sort = Sort { draft: draft_of(from), own_types: 35, faults };
    let mut lines = make_file(&mut random, sort);
    damage_lines(&mut random, sort, &mut lines);
    let text = join_lines(&mut random, sort, &lines);
    let mut octets = encode_text(&mut random, &text);
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
    Attempt { octets: octets.into(), from, to, options, schema }
}

/// Prints what a conversion writes and reports.
fn show(conversion: &Attempt<'_>) {
    let Attempt { octets, from, to, options, schema } = conversion;
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
        let Some(outcome) = check_conversion(&conversion) else { continue };
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
