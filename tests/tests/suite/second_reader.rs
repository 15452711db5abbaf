//! The second reader and the product read the same files, and agree on everything but the readings listed
//! here.

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and looks at the environment"
)]

use elf_tests::comparison::Aspect;
use elf_tests::departures::{allowed_readings, unexpected_differences};
use elf_tests::generate::{Random, Sort, damage_lines, damage_octets, encode_text, join_lines, make_file};
use elf_tests::reference::Draft;
use std::collections::BTreeMap;

/// Returns the number of files of each draft: a sample, or as many as the environment asks for.
fn count() -> u64 {
    std::env::var("ELF_LONG_READINGS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000)
}

/// Makes one file from its seed.
fn octets(seed: u64, draft: Draft) -> Vec<u8> {
    let mut random = Random::new(seed);
    let draft = match draft {
        Draft::December2019 => elf_base::Draft::December2019,
        Draft::January2019 => elf_base::Draft::January2019,
    };
    let faults = if random.chance(50) { 0 } else { 20 };
    let sort =
        Sort { draft, own_types: if draft == elf_base::Draft::December2019 { 15 } else { 40 }, faults };
    let mut lines = make_file(&mut random, sort);
    damage_lines(&mut random, sort, &mut lines);
    let text = join_lines(&mut random, sort, &lines);
    let mut octets = encode_text(&mut random, &text);
    damage_octets(&mut random, sort, &mut octets);
    octets
}

/// Compares all files of a draft, and fails with the shortest of each kind of difference.
fn both_agree(draft: Draft) {
    let mut shortest: BTreeMap<String, (usize, Vec<u8>, String)> = BTreeMap::new();
    let mut in_full = 0;
    for seed in 0..count() {
        let octets = octets(seed, draft);
        let judged = unexpected_differences(&octets, draft);
        let (reading, found) = (&judged.reading, &judged.found);
        in_full += usize::from(judged.is_in_full);
        for difference in judged.differences {
            let mut kind = format!("{:?}", difference.aspect);
            if difference.aspect == Aspect::Verdict {
                let reasons: Vec<&str> = reading.faults.iter().map(|fault| fault.reason).take(1).collect();
                let codes = found.iter().filter(|found| found.class.is_error()).map(|found| found.code.id());
                kind = format!("{kind} {reasons:?} {:?}", codes.take(1).collect::<Vec<_>>());
            }
            let entry =
                shortest.entry(kind).or_insert_with(|| (0, octets.clone(), difference.message.clone()));
            entry.0 += 1;
            if octets.len() < entry.1.len() {
                (entry.1, entry.2) = (octets.clone(), difference.message);
            }
        }
    }
    let show = |(kind, (count, octets, message)): (&String, &(usize, Vec<u8>, String))| {
        format!(
            "=== {count} times {kind}\n{}\n{message}\n",
            octets.escape_ascii().to_string().replace("\\n", "\\n\n")
        )
    };
    let shown: String = shortest.iter().map(show).collect();
    assert!(shortest.is_empty(), "{} kinds of differences\n{shown}", shortest.len());
    // What is not compared in full proves less: it must stay the exception.
    assert!(
        u64::try_from(in_full).expect("few") * 100 > count() * 50,
        "only {in_full} of {} are compared in full",
        count()
    );
}

#[test]
fn december_2019_is_read_alike() {
    both_agree(Draft::December2019);
}

#[test]
fn january_2019_is_read_alike() {
    both_agree(Draft::January2019);
}

#[test]
fn every_allowed_difference_is_a_reading() {
    let readings =
        std::fs::read_to_string(elf_tests::folder("../docs/readings.md")).expect("the page of readings");
    for id in allowed_readings() {
        assert!(readings.contains(&format!("### {id} ")), "there is no reading {id}");
    }
}
