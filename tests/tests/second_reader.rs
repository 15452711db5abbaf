//! The second reader and the product read the same files, and agree on everything but the readings listed
//! here.

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and looks at the environment"
)]

use elf_base::Diagnostic;
use elf_tests::comparison::{Aspect, compare};
use elf_tests::generate::{Random, Sort, damage, damage_octets, encode, file, join};
use elf_tests::reference::{Draft, Reading, Severity};
use std::collections::BTreeMap;

/// A file that both readers have read.
struct Case<'c> {
    draft: Draft,
    reading: &'c Reading,
    found: &'c [Diagnostic],
}

impl Case<'_> {
    fn is_of(&self, draft: Draft) -> bool {
        self.draft == draft
    }

    /// Returns true where the second reader faults the file for such a reason.
    fn has(&self, reason: &str) -> bool {
        self.reading.faults.iter().any(|fault| fault.reason.contains(reason))
    }

    /// Returns true where the product makes an error of one of these codes.
    fn has_error(&self, codes: &[&str]) -> bool {
        let is_one = |found: &&Diagnostic| codes.iter().any(|code| found.code.id().starts_with(code));
        self.found.iter().filter(|found| found.class.is_error()).any(|found| is_one(&found))
    }

    /// Returns true where the product finds this in the header record.
    fn has_in_header(&self, code: &str) -> bool {
        let end = self.reading.records.get(1).map_or(u64::MAX, |record| record.line as u64);
        self.found.iter().any(|found| found.code.id() == code && found.place.is_some_and(|at| at.line < end))
    }

    /// Returns true where the lines at which the product and the second reader stop may differ.
    fn is_malformed_elsewhere(&self) -> bool {
        let malformed = self.reading.faults.iter().filter(|fault| fault.severity == Severity::Malformed);
        malformed.count() > 1
    }
}

/// A reading of the product that is not the letter: where it applies, and in what the two may differ then.
struct Allowed {
    /// The reading in `docs/readings.md`.
    id: &'static str,
    /// The aspects in which the two may differ.
    aspects: &'static [Aspect],
    /// True for the files to which it applies.
    applies: fn(&Case<'_>) -> bool,
}

use Aspect::{Encoding, Header, LineStrings, Payloads, Structures, Text, Types, Verdict};

/// The aspects that hang on the text.
const ALL: &[Aspect] = &[Text, LineStrings, Verdict, Header, Structures, Payloads, Types];

/// The readings in which the product departs from the letter, or chooses where the draft is silent.
const ALLOWED: &[Allowed] = &[
    // Detected UTF-16 wins over the name.
    Allowed {
        id: "AMB-05",
        aspects: &[Encoding, Text, LineStrings, Verdict, Header, Structures, Payloads, Types],
        applies: |case| case.has_error(&["E0105", "E0106"]),
    },
    // What follows octets that mean nothing.
    Allowed {
        id: "AMB-24",
        aspects: ALL,
        applies: |case| case.reading.ends_in_undecodable || case.has_error(&["E0109"]),
    },
    // Pointers to no single record are reported in December as well, as what they are.
    Allowed {
        id: "AMB-07",
        aspects: &[Verdict],
        applies: |case| case.is_of(Draft::December2019) && case.has_error(&["E0328", "E0334"]),
    },
    Allowed { id: "AMB-41", aspects: &[Verdict], applies: |case| case.has("no record") },
    // What is no language tag is kept.
    Allowed { id: "AMB-13", aspects: &[Header], applies: |case| case.has("PLANG holds none") },
    // The first good version counts, whatever stands beside it.
    Allowed { id: "AMB-20", aspects: &[Header], applies: |case| case.has("Parsing serialisation metadata") },
    // Continuations beneath HEAD are judged before CHAR and the others are taken out.
    Allowed {
        id: "AMB-21",
        aspects: ALL,
        applies: |case| case.is_of(Draft::December2019) && case.has_in_header("E0301"),
    },
    Allowed {
        id: "AMB-37",
        aspects: &[Verdict],
        applies: |case| case.is_of(Draft::December2019) && case.is_malformed_elsewhere(),
    },
    Allowed { id: "AMB-44", aspects: &[Verdict], applies: |case| case.has("trailer record") },
    // The search for CHAR looks at the starts of lines, whether or not they parse.
    Allowed {
        id: "G27",
        aspects: &[Encoding, Text, LineStrings, Verdict, Header, Structures, Payloads, Types],
        applies: |case| {
            case.is_of(Draft::January2019) && case.has("an error line") && case.reading.text.contains("CHAR")
        },
    },
    // Beneath a stray line, levels count from that line.
    Allowed {
        id: "G35",
        aspects: &[Verdict, Structures],
        applies: |case| {
            case.is_of(Draft::January2019) && case.found.iter().any(|found| found.code.id() == "E0203")
        },
    },
    // The codes of December for headers and trailers, where January says nothing.
    Allowed {
        id: "G03",
        aspects: &[Verdict, Structures],
        applies: |case| {
            case.is_of(Draft::January2019)
                && (case.has_error(&["E0307", "E0308", "E0309", "E0310", "E0311", "E0312"])
                    || case.has("J19 §4: "))
        },
    },
    Allowed {
        id: "G01",
        aspects: &[Encoding, Text, LineStrings, Verdict, Header, Structures, Payloads, Types],
        applies: |case| {
            case.is_of(Draft::January2019)
                && (case.has("J19 §4.1")
                    || case
                        .found
                        .iter()
                        .any(|found| matches!(found.code.id(), "E0103" | "E0104" | "E0110" | "E0316")))
        },
    },
    Allowed {
        id: "G08",
        aspects: ALL,
        applies: |case| {
            case.is_of(Draft::January2019) && case.found.iter().any(|found| found.code.id() == "E0303")
        },
    },
];

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
    let mut lines = file(&mut random, sort);
    damage(&mut random, sort, &mut lines);
    let text = join(&mut random, sort, &lines);
    let mut octets = encode(&mut random, &text);
    damage_octets(&mut random, sort, &mut octets);
    octets
}

/// Compares all files of a draft, and fails with the shortest of each kind of difference.
fn both_agree(draft: Draft) {
    let mut shortest: BTreeMap<String, (usize, Vec<u8>, String)> = BTreeMap::new();
    let mut in_full = 0;
    for seed in 0..count() {
        let octets = octets(seed, draft);
        let (reading, differences, found) = compare(&octets, draft);
        let case = Case { draft, reading: &reading, found: &found };
        let allowed: Vec<&Allowed> = ALLOWED.iter().filter(|allowed| (allowed.applies)(&case)).collect();
        in_full += usize::from(allowed.is_empty());
        let is_allowed = |aspect| allowed.iter().any(|allowed| allowed.aspects.contains(&aspect));
        for difference in differences.into_iter().filter(|difference| !is_allowed(difference.aspect)) {
            let mut kind = format!("{:?}", difference.aspect);
            if difference.aspect == Verdict {
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
    for allowed in ALLOWED {
        assert!(readings.contains(&format!("### {} ", allowed.id)), "there is no reading {}", allowed.id);
    }
}
