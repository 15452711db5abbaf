//! The judge of conversions: it agrees with what the product writes and reports, and no longer where either
//! is spoilt.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules};
use elf_schema::ReadOptions;
use elf_tagged::write::{Summary, WriteOptions};
use elf_tests::conversion::{Conversion, find_faults};

/// A file that was converted, with what was written and reported.
struct Sample {
    octets: Vec<u8>,
    from: &'static Rules,
    to: &'static Rules,
    written: String,
    reports: Vec<Diagnostic>,
    summary: Summary,
}

impl Sample {
    /// Converts a file, and looks that the judge agrees.
    fn new(text: &str, from: &'static Rules, to: &'static Rules) -> Sample {
        Sample::of_octets(text.as_bytes(), from, to)
    }

    fn of_octets(octets: &[u8], from: &'static Rules, to: &'static Rules) -> Sample {
        let read = ReadOptions::default();
        let document = elf_tagged::read_with(octets, from, &read.octets, &read, &mut ()).expect("small");
        let (mut written, mut reports): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let options = WriteOptions::new();
        let summary =
            elf_schema::convert(document, &read, &mut written, to, &options, &mut reports).expect("written");
        let written = String::from_utf8(written).expect("UTF-8");
        let sample = Sample { octets: octets.to_vec(), from, to, written, reports, summary };
        assert_eq!(sample.faults(), Vec::<String>::new(), "{}", sample.written);
        sample
    }

    /// Returns what the judge says.
    fn faults(&self) -> Vec<String> {
        let read = ReadOptions::default();
        let before = elf_schema::read(&self.octets, self.from, &read, &mut ()).expect("small");
        let after = elf_schema::read(self.written.as_bytes(), self.to, &read, &mut ()).expect("small");
        let Sample { reports, summary, .. } = self;
        find_faults(&Conversion { before: &before, after: &after, reports, summary: *summary })
    }

    /// Takes back the first report of a code at a line.
    fn without_report(mut self, code: &str, line: u64) -> Sample {
        let is_meant =
            |of: &Diagnostic| of.code.id() == code && of.place.is_some_and(|place| place.line == line);
        let at = self.reports.iter().position(is_meant);
        let at = at.unwrap_or_else(|| panic!("no {code} at line {line}: {:?}", self.reports));
        self.summary.losses -= u64::from(self.reports.remove(at).class.is_error());
        self
    }

    /// Says a report twice.
    fn with_report_twice(mut self, code: &str) -> Sample {
        let report = self.reports.iter().find(|of| of.code.id() == code).expect("a report").clone();
        self.summary.losses += u64::from(report.class.is_error());
        self.reports.push(report);
        self
    }

    /// Writes something else.
    fn with(mut self, old: &str, new: &str) -> Sample {
        assert!(self.written.contains(old), "{old:?} in {}", self.written);
        self.written = self.written.replacen(old, new, 1);
        self
    }

    /// Asserts that the judge finds a fault with these words.
    #[track_caller]
    fn is_faulty(&self, words: &str) {
        let faults = self.faults();
        assert!(faults.iter().any(|fault| fault.contains(words)), "{faults:?}\n{}", self.written);
    }
}

const JANUARY: &Rules = &Rules::JANUARY_2019;
const DECEMBER: &Rules = &Rules::DECEMBER_2019;
const DECLARATIVE: &Rules = &Rules::DECLARATIVE;

#[test]
fn removed_escapes_have_to_be_reported() {
    let sample = |note: &str, from| {
        Sample::new(&format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE {note}\n0 TRLR\n"), from, DECEMBER)
    };
    sample("a @#XYZ@ b", JANUARY).without_report("E0813", 4).is_faulty("Escape not reported");
    sample("a @#XYZ@b", DECLARATIVE).without_report("E0813", 4).is_faulty("Escape not reported");
    sample("a @#U110000@ b", DECLARATIVE).without_report("E0803", 4).is_faulty("Characters not reported");
    // A payload with the text `@#` excuses none.
    let false_alarm = sample("a @#XYZ@ b", JANUARY);
    let report = false_alarm.reports.first().expect("a report").clone();
    let mut quiet = sample("a @@#XYZ@@ b", JANUARY);
    quiet.reports.push(report);
    quiet.summary.losses += 1;
    quiet.is_faulty("false alarm E0813");
}

#[test]
fn each_report_pays_for_one_difference() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a @#XYZ@ b\n0 TRLR\n";
    Sample::new(text, JANUARY, DECEMBER).with_report_twice("E0813").is_faulty("false alarm E0813");
}

#[test]
fn what_continues_a_faulty_line_of_metadata_excuses_nothing_beneath() {
    let text = "0 HEAD\n1 CHAR UTF-8\n1 GEDC junk\n2 VERS 5.5.1\n2 NOTE keep\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n0 TRLR\n";
    for (code, line) in [("E0806", 3), ("E0816", 5)] {
        Sample::new(text, DECEMBER, DECEMBER).without_report(code, line).is_faulty("not reported");
    }
}

#[test]
fn versions_and_forms_are_looked_for_in_the_output() {
    let text = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n0 TRLR\n";
    let sample = |to| Sample::new(text, &Rules::WILD, to);
    sample(JANUARY).with("2 FORM LINEAGE-LINKED\n", "").is_faulty("FORM `LINEAGE-LINKED` became");
    sample(JANUARY)
        .with("1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n", "")
        .is_faulty("GEDC `` became None");
    sample(DECEMBER).with("2 FORM LINEAGE-LINKED\n", "2 FORM X\n").is_faulty("FORM `LINEAGE-LINKED` became");
}

#[test]
fn schemas_are_compared_statement_by_statement() {
    let text = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX ex http://e.example/\n2 IRI ex:Shoe\n3 ISA ex:Thing\n\
                3 TAG _SHOE ex:Thing\n2 ESC NOTE X\n0 @I1@ INDI\n0 TRLR\n";
    for line in
        ["2 PRFX ex http://e.example/\n", "3 ISA ex:Thing\n", "3 TAG _SHOE ex:Thing\n", "2 ESC NOTE X\n"]
    {
        for to in [JANUARY, DECEMBER, DECLARATIVE] {
            let sample = Sample::new(text, JANUARY, to);
            if sample.written.contains(line) {
                sample.with(line, "").is_faulty("Schema not reported");
            }
        }
    }
    let sample = || Sample::new(text, JANUARY, &Rules::OCTOBER_2017);
    for line in [6, 7] {
        sample().without_report("E0809", line).is_faulty("Schema not reported");
    }
    let dictionary = "0 HEAD\n1 CHAR UTF-8\n1 PRFX X_ http://e.example/\n1 DEFN AUTH http://e.example/a\n0 @I1@ INDI\n0 TRLR\n";
    for line in [3, 4] {
        let sample = Sample::new(dictionary, &Rules::OCTOBER_2017, JANUARY);
        sample.without_report("E0809", line).is_faulty("Schema not reported");
    }
}

#[test]
fn a_reference_says_what_the_published_schema_says() {
    let reference = "2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n";
    // A type that only the completed schema knows makes the schema be written anew.
    let text = format!(
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n{reference}2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:EVENT#Individual\n\
         3 ISA elf:IndividualEvent\n3 TAG EVEN elf:INDIVIDUAL_RECORD\n3 TAG _EVEN elf:FAM_RECORD\n\
         2 IRI elf:DIVORCE\n3 ISA elf:FamilyEvent\n\
         0 FAM\n1 NOTE a\n2 SOUR b\n0 TRLR\n"
    );
    let sample = || Sample::new(&text, &Rules::WILD, JANUARY);
    for line in ["3 ISA elf:IndividualEvent", "3 TAG EVEN elf:INDIVIDUAL_RECORD", "2 IRI elf:DIVORCE"] {
        assert!(!sample().written.contains(line), "{}", sample().written);
    }
    for missing in ["ISA", "TAG", "IRI"] {
        sample().with(reference, "").is_faulty(&format!("Schema not reported, {missing}"));
    }
    sample().with("3 TAG _EVEN elf:FAM_RECORD\n", "").is_faulty("Schema not reported, TAG");
}

#[test]
fn each_line_that_could_not_be_read_is_reported_once() {
    let text = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 IRI http://e.example/A\n2IRI x\n0 @I1@ INDI\n0 TRLR\n";
    for to in Rules::PRESETS {
        let sample = Sample::new(text, JANUARY, to);
        let kept = sample.written.contains("ERROR");
        sample.without_report(if kept { "E0812" } else { "E0816" }, 5).is_faulty("not reported");
    }
}

#[test]
fn lines_that_are_left_out_are_counted() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a\njunk\n2 CONT b\n0 TRLR\n";
    let sample = Sample::new(text, DECLARATIVE, DECEMBER);
    let mut other = sample.without_report("E0816", 5);
    other.is_faulty("Line not reported");
    let report = elf_base::Diagnostic::new(
        elf_base::codes::LEFT_OUT_WHEN_READ,
        DECEMBER,
        "left out a rejected line and 7 lines that depend on it",
    );
    let place =
        Sample::new(text, DECLARATIVE, DECEMBER).reports.first().and_then(|of| of.place).expect("a place");
    other.reports.push(report.at(place, None));
    other.summary.losses += 1;
    other.is_faulty("are said to depend on it");
}
