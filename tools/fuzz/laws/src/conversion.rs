//! The law of conversion.

use crate::{Input, has_faults};
use elf_octets::Encoding;
use elf_schema::{Conversion, Diagnostic, ReadOptions, Rules};
use elf_tagged::write::{Survey, WriteError, WriteOptions};
use elf_tagged::{Options, Reader, XrefReader};
use elf_tests::attempt::{Attempt, check};
use std::borrow::Cow;
use std::sync::Arc;

/// A file that is read by any rules and written by any others comes out the same whatever its parts are,
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
    let parts = in_parts(input, &options);
    assert!(parts == whole, "{}\n{}\n---\n{}", told(), shown(), String::from_utf8_lossy(&parts));
    let mut found: Vec<Diagnostic> = Vec::new();
    let again = elf_schema::read(&whole, input.to, &read, &mut found).expect("it is hardly longer");
    assert!(again.document().is_complete(), "{}: {found:?}\n{}", told(), shown());
    if *input.to == Rules::WILD || has_faults(input) {
        return;
    }
    let octets = Cow::Borrowed(input.octets);
    let attempt = Attempt { octets, from: input.rules, to: input.to, options, schema: None };
    if let Some(Err(fault)) = check(&attempt) {
        panic!("{}: {fault}", told());
    }
}

/// Converts a file in parts of a few lines.
fn in_parts(input: &Input<'_>, options: &WriteOptions) -> Vec<u8> {
    /// The octets of a part.
    const SIZE: usize = 40;
    let mut survey = Survey::new(input.to, options).expect("they were checked");
    let mut first = XrefReader::new(input.octets, input.rules, &Options::default()).with_run_size(SIZE);
    while let Some(part) = first.next_run().expect("memory") {
        let mut one = Survey::new(input.to, options).expect("they were checked");
        one.see(&part);
        survey.join(one);
    }
    let names = Arc::new(first.into_xrefs().expect("memory"));
    let reader = || Reader::with_xrefs(input.octets, names.clone()).with_run_size(SIZE);
    let mut conversion = Conversion::new(survey.finish(&names).expect("all parts"), ReadOptions::default());
    let mut second = reader();
    while !conversion.is_settled() {
        let Some(mut part) = second.next_run(&mut ()).expect("memory") else { break };
        conversion.study(&mut part).expect("memory");
    }
    let mut written = Vec::new();
    let mut sink = ();
    let mut writer = conversion.into_writer(&mut written, &mut sink).expect("they were checked");
    let mut third = reader();
    while let Some(mut part) = third.next_run(&mut ()).expect("memory") {
        writer.part(&mut part).expect("memory");
    }
    let _ = writer.finish();
    written
}
