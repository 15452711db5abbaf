//! The law of conversion.

use crate::{Input, has_faults};
use elf_octets::Encoding;
use elf_schema::{Conversion, Diagnostic, ReadOptions, Rules};
use elf_tagged::write::{Survey, WriteError, WriteOptions};
use elf_tagged::{Options, Reader};
use elf_tests::attempt::{Attempt, check_conversion};
use std::borrow::Cow;
use std::sync::Arc;

/// A file that is read by any rules and written by any others comes out the same whatever its runs are,
/// and is read to its end by those rules. Where it had no fault, it conforms to them, and says the same when
/// it is read again, or the difference was reported.
///
/// # Panics
///
/// If the law does not hold.
pub fn conversion(input: &Input<'_>) {
    let encodings = [Encoding::Utf8, Encoding::Ansel, Encoding::Ascii, Encoding::Utf16Le];
    let encoding = encodings[input.octets.len() % encodings.len()];
    let options = WriteOptions::new().with_partial(true).with_encoding(encoding);
    if options.check(input.to).is_err() {
        return;
    }
    let told = || format!("{} to {}, {encoding}", input.rules.name, input.to.name);
    let document = elf_tagged::read(input.octets, input.rules, &Options::default(), &mut ()).expect("small");
    let read = ReadOptions::default();
    let mut whole = Vec::new();
    match elf_schema::convert(document, &read, &mut whole, input.to, &options, &mut ()) {
        Ok(_) => {}
        Err(WriteError::Empty) => return,
        Err(error) => panic!("{}: {error}", told()),
    }
    let shown = || String::from_utf8_lossy(&whole);
    let runs = in_runs(input, &options);
    assert!(runs == whole, "{}\n{}\n---\n{}", told(), shown(), String::from_utf8_lossy(&runs));
    let mut found: Vec<Diagnostic> = Vec::new();
    let again = elf_schema::read(&whole, input.to, &read, &mut found).expect("it is hardly longer");
    assert!(again.document().is_complete(), "{}: {found:?}\n{}", told(), shown());
    if *input.to == Rules::WILD || has_faults(input) {
        return;
    }
    let octets = Cow::Borrowed(input.octets);
    let attempt = Attempt { octets, from: input.rules, to: input.to, options, schema: None };
    if let Some(Err(fault)) = check_conversion(&attempt) {
        panic!("{}: {fault}", told());
    }
}

/// Converts a file in runs of a few lines.
fn in_runs(input: &Input<'_>, options: &WriteOptions) -> Vec<u8> {
    /// The octets of a run.
    const SIZE: usize = 40;
    let reader = || Reader::new(input.octets, input.rules, &Options::default()).with_run_size(SIZE);
    let mut survey = Survey::new(input.to, options).expect("they were checked");
    let mut first = reader();
    while let Some(run) = first.next_run(&mut ()).expect("memory") {
        let mut one = Survey::new(input.to, options).expect("they were checked");
        one.add_run(&run);
        survey.join(one);
    }
    let known = Arc::new(first.into_known_xrefs());
    let rehearsal = survey.finish(&known).expect("one survey");
    let mut conversion = Conversion::new(rehearsal, ReadOptions::default());
    let mut second = reader().with_known_xrefs(known.clone());
    while !conversion.is_settled() {
        let Some(mut run) = second.next_run(&mut ()).expect("memory") else { break };
        conversion.study(&mut run).expect("memory");
    }
    let mut written = Vec::new();
    let mut sink = ();
    let mut writer = conversion.into_writer(&mut written, &mut sink).expect("they were checked");
    let mut third = reader().with_known_xrefs(known);
    while let Some(mut run) = third.next_run(&mut ()).expect("memory") {
        writer.write_run(&mut run).expect("memory");
    }
    let _ = writer.finish();
    written
}
