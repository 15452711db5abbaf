//! Converts a file and checks the result: it must conform to the rules it is written by and mean the same when it is
//! read back, unless the difference was reported.

#![allow(clippy::expect_used, reason = "a file of a test is small")]

use crate::conversion::{Conversion, find_faults};
use crate::reference::{self, Draft};
use elf_base::{Diagnostic, Rules};
use elf_schema::{ReadOptions, Schema};
use elf_tagged::write::{WriteError, WriteOptions};
use std::borrow::Cow;
use std::sync::Arc;

/// A conversion to check.
pub struct Attempt<'a> {
    /// The bytes of the file.
    pub octets: Cow<'a, [u8]>,
    /// The rules to read by.
    pub from: &'static Rules,
    /// The rules to write by.
    pub to: &'static Rules,
    /// The other options of the writer.
    pub options: WriteOptions,
    /// The schema to use instead of the one in the file.
    pub schema: Option<Arc<Schema>>,
}

/// Returns what is wrong with a conversion. `None` if the output would be empty.
///
/// # Panics
///
/// If the file is larger than any in a test.
pub fn check_conversion(conversion: &Attempt<'_>) -> Option<Result<(), String>> {
    let Attempt { octets, from, to, options, schema } = conversion;
    // GEDCOM 7 is always UTF-8.
    if options.check(to).is_err() {
        return None;
    }
    let read = ReadOptions::default().with_schema(schema.clone());
    let before = elf_schema::read(octets, from, &read, &mut ()).expect("a small file");
    let document = elf_tagged::read_with(octets, from, &read.octets, &read, &mut ()).expect("a small file");
    let (mut written, mut reports): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let converted = elf_schema::convert(document, &read, &mut written, to, options, &mut reports);
    // An incomplete reading is written only on request, and nothing is written if there is no valid line.
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
    // `wild` is not a draft that a file can conform to.
    if *to != &Rules::WILD {
        // A doubt about the encoding is harmless as long as the file is read in the right one. Otherwise the writer
        // must have reported it.
        let is_kept = after.document().source().decision().used == options.encoding;
        let is_said = reports.iter().any(|report| report.code == elf_base::codes::OUTPUT_TAKEN_FOR_OTHER);
        let is_doubt = |found: &Diagnostic| {
            is_said && !is_kept
                || found.code == elf_base::codes::ENCODING_CONTRADICTED
                    && (is_said || found.message.contains(" better"))
        };
        // Text that continues without CONT is written as it was read.
        let is_joined = |found: &Diagnostic| found.code == elf_base::codes::LINES_JOINED;
        findings.retain(|found| found.class.is_error() && !is_doubt(found) && !is_joined(found));
        if !findings.is_empty() || !after.document().is_complete() {
            return Some(Err(format!("not conformant: {:?}", findings.iter().take(2).collect::<Vec<_>>())));
        }
    }
    if let Err(fault) = check_with_second_reader(&written, to) {
        return Some(Err(fault));
    }
    let faults = find_faults(&Conversion { before: &before, after: &after, reports: &reports, summary });
    Some(if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) })
}

/// Checks a file written for December or January 2019 with the second reader.
fn check_with_second_reader(written: &[u8], to: &Rules) -> Result<(), String> {
    let draft = match to.name {
        "2019-12" => Draft::December2019,
        "2019-01" => Draft::January2019,
        _ => return Ok(()),
    };
    let reading = reference::read(written, draft);
    // If a schema defines no escapes, the product allows U and D (AMB-54). It reports a pointer to something that is
    // not a record as advice (AMB-41, G09).
    let is_read_otherwise =
        |reason: &str| reason.starts_with("Permitted escapes") || reason.contains("no record");
    let faults: Vec<_> = reading.faults.iter().filter(|fault| !is_read_otherwise(fault.reason)).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("the second reader says {faults:?}")) }
}
