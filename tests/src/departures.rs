//! Readings of the drafts in which the product intentionally differs from the second reader. All other differences are
//! faults.

use crate::comparison::{Aspect, Difference, compare};
use crate::reference::{Draft, PayloadValue, Reading, Severity, TaggedStructure};
use elf_base::Diagnostic;

/// A file that both readers have read.
pub struct Judged {
    /// The reading of the second reader.
    pub reading: Reading,
    /// The findings of the product.
    pub found: Vec<Diagnostic>,
    /// The differences that no reading explains.
    pub differences: Vec<Difference>,
    /// True if all aspects of the file were compared.
    pub is_in_full: bool,
}

/// Reads a file with both readers and returns the unexpected differences.
pub fn unexpected_differences(octets: &[u8], draft: Draft) -> Judged {
    let (reading, mut differences, found) = compare(octets, draft);
    let case = Case { draft, reading: &reading, found: &found };
    let allowed: Vec<&Allowed> = ALLOWED.iter().filter(|allowed| (allowed.applies)(&case)).collect();
    differences.retain(|difference| !allowed.iter().any(|one| one.aspects.contains(&difference.aspect)));
    let is_in_full = allowed.is_empty();
    Judged { reading, found, differences, is_in_full }
}

/// The readings in `docs/readings.md` that explain a difference.
pub fn allowed_readings() -> impl Iterator<Item = &'static str> {
    ALLOWED.iter().map(|allowed| allowed.id)
}

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

    /// Returns whether the second reader reports a fault for this reason.
    fn has_fault(&self, reason: &str) -> bool {
        self.reading.faults.iter().any(|fault| fault.reason.contains(reason))
    }

    /// Returns whether the product reports one of these codes as an error.
    fn has_error(&self, codes: &[&str]) -> bool {
        let is_one = |found: &&Diagnostic| codes.iter().any(|code| found.code.id().starts_with(code));
        self.found.iter().filter(|found| found.class.is_error()).any(|found| is_one(&found))
    }

    /// Returns whether the product reports this code in the header record.
    fn has_in_header(&self, code: &str) -> bool {
        let end = self.reading.records.get(1).map_or(u64::MAX, |record| record.line as u64);
        self.found.iter().any(|found| found.code.id() == code && found.place.is_some_and(|at| at.line < end))
    }

    /// Returns whether the second reader treats an error line as a pointer.
    fn has_pointer_of_error_line(&self) -> bool {
        let is_error_line = |line| {
            self.reading
                .faults
                .iter()
                .any(|fault| fault.line == line && fault.reason.contains("an error line"))
        };
        let mut open: Vec<&TaggedStructure> = self.reading.records.iter().collect();
        while let Some(structure) = open.pop() {
            if matches!(structure.payload, PayloadValue::Pointer(_)) && is_error_line(structure.line) {
                return true;
            }
            open.extend(&structure.substructures);
        }
        false
    }

    /// Returns whether the two readers may stop at different lines.
    fn is_malformed_elsewhere(&self) -> bool {
        let malformed = self.reading.faults.iter().filter(|fault| fault.severity == Severity::Malformed);
        malformed.count() > 1
    }
}

/// A reading of the product that departs from the wording of the draft, the files to which it applies, and the aspects
/// in which the readers may then differ.
struct Allowed {
    /// The reading in `docs/readings.md`.
    id: &'static str,
    /// The aspects in which the readers may differ.
    aspects: &'static [Aspect],
    /// Returns whether the reading applies to a file.
    applies: fn(&Case<'_>) -> bool,
}

use Aspect::{Encoding, Header, LineStrings, Payloads, Structures, Text, Types, Verdict};

/// The aspects that depend on the decoded text.
const ALL: &[Aspect] = &[Text, LineStrings, Verdict, Header, Structures, Payloads, Types];

/// The readings in which the product departs from the wording of the draft, or decides where the draft is silent.
const ALLOWED: &[Allowed] = &[
    // A detected UTF-16 overrides the name in CHAR.
    Allowed {
        id: "AMB-05",
        aspects: &[Encoding, Text, LineStrings, Verdict, Header, Structures, Payloads, Types],
        applies: |case| case.has_error(&["E0105", "E0106"]),
    },
    // How text continues after bytes that cannot be decoded.
    Allowed {
        id: "AMB-24",
        aspects: ALL,
        applies: |case| case.reading.ends_in_undecodable || case.has_error(&["E0109"]),
    },
    // December also reports pointers that do not lead to exactly one record.
    Allowed {
        id: "AMB-07",
        aspects: &[Verdict],
        applies: |case| case.is_of(Draft::December2019) && case.has_error(&["E0328", "E0334"]),
    },
    Allowed { id: "AMB-41", aspects: &[Verdict], applies: |case| case.has_fault("no record") },
    // An invalid language tag is kept.
    Allowed { id: "AMB-13", aspects: &[Header], applies: |case| case.has_fault("PLANG holds none") },
    // The first valid version counts, even if there are others.
    Allowed {
        id: "AMB-20",
        aspects: &[Header],
        applies: |case| case.has_fault("Parsing serialisation metadata"),
    },
    // Continuation lines in the header are removed before CHAR is read.
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
    Allowed { id: "AMB-44", aspects: &[Verdict], applies: |case| case.has_fault("trailer record") },
    // The search for CHAR looks at the starts of lines, even of lines that are malformed.
    Allowed {
        id: "G27",
        aspects: &[Encoding, Text, LineStrings, Verdict, Header, Structures, Payloads, Types],
        applies: |case| case.is_of(Draft::January2019) && case.reading.search_is_in_doubt,
    },
    // Levels after a stray line count from that line.
    Allowed {
        id: "G35",
        aspects: &[Verdict, Structures],
        applies: |case| {
            case.is_of(Draft::January2019) && case.found.iter().any(|found| found.code.id() == "E0203")
        },
    },
    // A malformed line is never a pointer, whatever it looks like.
    Allowed {
        id: "G36",
        aspects: &[Verdict, Payloads],
        applies: |case| case.is_of(Draft::January2019) && case.has_pointer_of_error_line(),
    },
    // January does not say how to treat headers and trailers, so the codes of December are used.
    Allowed {
        id: "G03",
        aspects: &[Verdict, Structures],
        applies: |case| {
            case.is_of(Draft::January2019)
                && (case.has_error(&["E0307", "E0308", "E0309", "E0310", "E0311", "E0312"])
                    || case.has_fault("J19 §4: "))
        },
    },
    Allowed {
        id: "G01",
        aspects: &[Encoding, Text, LineStrings, Verdict, Header, Structures, Payloads, Types],
        applies: |case| {
            case.is_of(Draft::January2019)
                && (case.has_fault("J19 §4.1")
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
