//! Whole files, one table: how fast each case is, what memory it takes, and how it stands to the floors.
//!
//! ```text
//! cargo run --release --bin whole -- [--megabytes N] [--rounds N] [--program PATH]… [--elf PATH] [CASE…]
//! cargo run --release --bin whole -- --once CASE FILE     (one run, for a profiler)
//! ```
//!
//! Each case runs in a process of its own over a file in memory, quick ones several times; the rounds go over
//! all cases in turn, so that a busy minute of the machine hurts them all alike. The table has the quickest
//! run of each, and under `spread` how much slower its slowest round was. What is timed is the time a case
//! had a core, where the system tells; commands are timed on the wall.
//!
//! A `--program` is a peer that may not be linked here: it takes the path of the file and prints what
//! `--once` prints. With `--elf`, the command itself is measured from start to end, `elf check FILE` and `elf
//! info FILE`, beside `wc -l FILE`.

use elf_bench::case::Case;
use elf_bench::cases::{self, named};
use elf_bench::child::{self, Measured, Repeat};
use elf_bench::data;
use elf_bench::forms::Form;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// The options of the command line.
struct Options {
    megabytes: u64,
    rounds: u32,
    subjects: Vec<Subject>,
}

/// A case or program that is measured.
#[derive(Clone)]
struct Subject {
    name: String,
    what: &'static str,
    form: Form,
    run: Run,
}

/// The way in which a subject is run.
#[derive(Clone)]
enum Run {
    /// A case, in a process of this program.
    Case,
    /// A program that measures itself.
    Program(PathBuf),
    /// A command that is measured from outside.
    Command(String, &'static str),
}

/// All rounds of one subject.
struct Row<'o> {
    subject: &'o Subject,
    best: Measured,
    slowest: Measured,
}

/// The inputs on disk, and what they hold.
struct Inputs {
    folder: PathBuf,
    lines: u64,
    sizes: BTreeMap<Form, u64>,
}

fn main() -> ExitCode {
    child::main(|arguments| run(arguments).map(|()| true))
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let options = parse(arguments)?;
    let inputs = Inputs::write(&options)?;
    let outcome = measure(&options, &inputs);
    inputs.remove();
    print(&outcome?, &inputs, &options);
    Ok(())
}

fn parse(arguments: &[String]) -> Result<Options, Box<dyn Error>> {
    let mut options = Options { megabytes: 100, rounds: 3, subjects: Vec::new() };
    let mut programs = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("expected a value after {argument}"));
        match argument.as_str() {
            "--megabytes" => options.megabytes = value()?.parse()?,
            "--rounds" => options.rounds = value()?.parse()?,
            "--program" => programs.push(Subject::of_program(value()?)),
            "--elf" => {
                let elf = value()?;
                programs.push(Subject::of_command("wc -l", "wc", "-l"));
                programs.push(Subject::of_command("elf check", elf, "check"));
                programs.push(Subject::of_command("elf info", elf, "info"));
            }
            name => options.subjects.push(named(name).ok_or_else(|| child::unknown(name))?.into()),
        }
    }
    if options.subjects.is_empty() {
        options.subjects = cases::all().map(Subject::from).collect();
    }
    options.subjects.extend(programs);
    // A ratio needs its floor, measured in the same run.
    for floor in ["floor_nodes", "floor_split"] {
        if let Some(case) = named(floor).filter(|case| options.subjects.iter().all(|s| s.name != case.name)) {
            options.subjects.insert(0, case.into());
        }
    }
    Ok(options)
}

impl Subject {
    fn of_program(path: &str) -> Subject {
        let path = PathBuf::from(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Subject { name, what: "a program of its own", form: Form::Gedcom, run: Run::Program(path) }
    }

    fn of_command(name: &str, program: &str, argument: &'static str) -> Subject {
        let run = Run::Command(program.to_owned(), argument);
        Subject {
            name: name.to_owned(),
            what: "the whole command, reading included",
            form: Form::Gedcom,
            run,
        }
    }
}

impl From<&Case> for Subject {
    fn from(case: &Case) -> Subject {
        Subject { name: case.name.to_owned(), what: case.what, form: case.form, run: Run::Case }
    }
}

impl Inputs {
    fn write(options: &Options) -> Result<Inputs, Box<dyn Error>> {
        let folder = env::temp_dir().join(format!("elf-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let plan = data::plan(options.megabytes * 1_000_000);
        let mut inputs = Inputs { folder, lines: 0, sizes: BTreeMap::new() };
        for Subject { form, .. } in &options.subjects {
            if !inputs.sizes.contains_key(form) {
                let octets = form.of(&plan);
                if *form == Form::Gedcom {
                    inputs.lines = octets.iter().filter(|&&octet| octet == b'\n').count() as u64;
                }
                fs::write(inputs.path(*form), &octets)?;
                inputs.sizes.insert(*form, octets.len() as u64);
            }
        }
        Ok(inputs)
    }

    fn path(&self, form: Form) -> PathBuf {
        self.folder.join(form.name())
    }

    /// Removes the folder of the inputs, or says that it is left after among the system's temporary files.
    fn remove(&self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("{} is left behind: {error}", self.folder.display());
        }
    }
}

fn measure<'o>(options: &'o Options, inputs: &Inputs) -> Result<Vec<Row<'o>>, Box<dyn Error>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for round in 1..=options.rounds {
        for subject in &options.subjects {
            eprint!("\rround {round} of {}: {:<20}", options.rounds, subject.name);
            let measured = in_child(subject, &inputs.path(subject.form))?;
            match rows.iter_mut().find(|row| row.subject.name == subject.name) {
                Some(row) => {
                    row.best.time = row.best.time.min(measured.time);
                    row.slowest.time = row.slowest.time.max(measured.time);
                }
                None => rows.push(Row { subject, best: measured, slowest: measured }),
            }
        }
    }
    eprintln!("\r{:<40}", "");
    Ok(rows)
}

fn in_child(subject: &Subject, path: &Path) -> Result<Measured, Box<dyn Error>> {
    match &subject.run {
        Run::Command(program, argument) => {
            Ok(Measured::take_of_command(Command::new(program).arg(argument).arg(path))?)
        }
        Run::Program(program) => child::measured_by(Command::new(program).arg(path)),
        Run::Case => child::run(&subject.name, path, Repeat::Often),
    }
}

#[allow(clippy::cast_precision_loss, reason = "a table has three digits")]
fn print(rows: &[Row<'_>], inputs: &Inputs, options: &Options) {
    let time = |name| rows.iter().find(|row| row.subject.name == name).map(|row| row.best.time.as_secs_f64());
    let (split, nodes) = (time("floor_split").unwrap_or_default(), time("floor_nodes").unwrap_or_default());
    let gedcom = inputs.sizes.get(&Form::Gedcom).copied().unwrap_or_default();
    println!("{} octets, {} lines, {} rounds\n", gedcom, inputs.lines, options.rounds);
    println!(
        "| case | input MB | ms | MB/s | ns/line | of floor_split | of floor_nodes | peak MB | peak/input | spread | things | what |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    for row in rows {
        let size = inputs.sizes.get(&row.subject.form).copied().unwrap_or_default() as f64;
        let seconds = row.best.time.as_secs_f64();
        println!(
            "| {} | {:.0} | {:.1} | {:.0} | {:.1} | {:.2} | {:.2} | {:.0} | {:.2} | {:.2} | {} | {} |",
            row.subject.name,
            size / 1e6,
            seconds * 1e3,
            size / 1e6 / seconds,
            seconds * 1e9 / inputs.lines as f64,
            split / seconds,
            nodes / seconds,
            row.best.peak as f64 / 1e6,
            row.best.peak as f64 / size,
            row.slowest.time.as_secs_f64() / seconds,
            row.best.things,
            row.subject.what,
        );
    }
}
