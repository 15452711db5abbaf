//! Reads a file with gedcomkit and prints how long it took, as `whole --once` does for the cases it knows.

use elf_bench::cases::Case;
use elf_bench::child::{ENOUGH, Measured};
use elf_bench::forms::Form;
use std::hint::black_box;
use std::process::ExitCode;

fn read(input: &[u8]) -> u64 {
    // Its default limits are for files of up to 203,154 people; the measured file is not hostile.
    let mut limits = gedcomkit::Limits::default();
    (limits.input_bytes, limits.records, limits.structures) = (usize::MAX, usize::MAX, usize::MAX);
    let document = gedcomkit::Document::from_bytes_with(input, limits);
    black_box(document).map_or(0, |(document, _)| document.records.len() as u64)
}

fn main() -> ExitCode {
    let case = Case {
        name: "gedcomkit",
        what: "gedcomkit 0.1.19: decoded, read into a tree of records",
        form: Form::Gedcom,
        run: read,
    };
    let path = std::env::args().nth(1).unwrap_or_default();
    match Measured::take(&case, &path, ENOUGH) {
        Ok(measured) => println!("{}", measured.to_line()),
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
