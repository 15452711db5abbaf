//! Growth of time and memory with the file: ten times the work should cost ten times as much.
//!
//! ```text
//! cargo run --release --bin scale -- [--largest MEGABYTES] [--rounds N]
//! ```
//!
//! Files of 1, 10, 100 and 1000 MB, and the one of 100 MB in other encodings. Each run is a process that
//! reads its file, runs its case once and ends: memory that was never used costs the same at every size.
//! Small files take more rounds, since they are quick and a moment's disturbance weighs more in them.

use elf_bench::case::Case;
use elf_bench::cases::named;
use elf_bench::child::{self, Measured, Repeat};
use elf_bench::data;
use elf_bench::forms::Form;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

/// The cases that are measured at each size, the floor first.
const AT_EACH_SIZE: [&str; 4] = ["floor_nodes", "lines", "tree", "typed"];
/// The cases that are measured with the file of 100 MB besides.
const IN_OTHER_ENCODINGS: [&str; 2] = ["tree-ansel", "tree-utf-16le"];

fn main() -> ExitCode {
    child::main(|arguments| run(arguments).map(|()| true))
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (mut largest, mut rounds) = (1000, 3);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("expected a value after {argument}"))?;
        match argument.as_str() {
            "--largest" => largest = value.parse()?,
            "--rounds" => rounds = value.parse()?,
            other => return Err(format!("expected --largest or --rounds, but found {other:?}").into()),
        }
    }
    println!("| case | file | ms | ns/line | peak MB | peak/input | cost of ten times |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut before: Vec<Option<f64>> = vec![None; AT_EACH_SIZE.len()];
    for megabytes in [1, 10, 100, 1000].into_iter().filter(|megabytes| *megabytes <= largest) {
        let rounds = rounds * u32::try_from(100 / megabytes).unwrap_or(0).clamp(1, 10);
        let mut file = File::new(megabytes, Form::Gedcom)?;
        for (name, before) in AT_EACH_SIZE.into_iter().zip(&mut before) {
            let nanoseconds = file.measure(name, rounds, *before)?;
            *before = Some(nanoseconds);
        }
        if megabytes == 100 {
            for name in IN_OTHER_ENCODINGS {
                let case = case(name)?;
                file.rewrite(case.form)?;
                file.measure(name, rounds, None)?;
            }
        }
    }
    Ok(())
}

fn case(name: &str) -> Result<&'static Case, String> {
    named(name).ok_or_else(|| child::unknown(name))
}

/// A file to be measured, for as long as it is.
struct File {
    path: PathBuf,
    megabytes: u64,
    octets: u64,
    lines: u64,
}

impl File {
    fn new(megabytes: u64, form: Form) -> Result<File, Box<dyn Error>> {
        let path = env::temp_dir().join(format!("elf-bench-scale-{}", std::process::id()));
        let octets = form.of(&data::plan(megabytes * 1_000_000));
        let lines = octets.iter().filter(|octet| **octet == b'\n').count() as u64;
        fs::write(&path, &octets)?;
        Ok(File { path, megabytes, octets: octets.len() as u64, lines })
    }

    /// Writes the file anew, with the same records in another form.
    fn rewrite(&mut self, form: Form) -> Result<(), Box<dyn Error>> {
        let octets = form.of(&data::plan(self.megabytes * 1_000_000));
        fs::write(&self.path, &octets)?;
        self.octets = octets.len() as u64;
        Ok(())
    }

    /// Prints the row of a case; its time a line in nanoseconds. `before`: that of a file a tenth as large.
    #[allow(clippy::cast_precision_loss, reason = "a table has three digits")]
    fn measure(&self, name: &str, rounds: u32, before: Option<f64>) -> Result<f64, Box<dyn Error>> {
        let mut best: Option<Measured> = None;
        for round in 1..=rounds {
            eprint!("\r{} MB, round {round} of {rounds}: {name:<20}", self.megabytes);
            let measured = child::run(name, &self.path, Repeat::Once)?;
            if best.is_none_or(|best| measured.time < best.time) {
                best = Some(measured);
            }
        }
        eprint!("\r{:<60}\r", "");
        let best = best.ok_or("expected at least one round")?;
        let seconds = best.time.as_secs_f64();
        let nanoseconds = seconds * 1e9 / self.lines as f64;
        println!(
            "| {name} | {} MB | {:.1} | {nanoseconds:.1} | {:.1} | {:.2} | {} |",
            self.octets / 1_000_000,
            seconds * 1e3,
            best.peak as f64 / 1e6,
            best.peak as f64 / self.octets as f64,
            before.map_or("–".to_owned(), |before| format!("{:.1}", 10.0 * nanoseconds / before)),
        );
        Ok(nanoseconds)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            eprintln!("{} is left behind: {error}", self.path.display());
        }
    }
}
