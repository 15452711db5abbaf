//! Tasks for people who work on the project: `cargo xtask COMMAND`.
//!
//! The module of a command has its name. Its function `run` gets the root of the project and the arguments, prints
//! results on standard output, and returns an error as a message.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command")]
#![allow(clippy::disallowed_methods, reason = "this is one of the two places that open files")]

mod additions;
mod api;
mod conformance;
mod dist;
mod fuzz;
mod packages;
mod release;
mod schema;
mod standards;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND [OPTIONS]

  tidy                         check codes, manual pages, links, the table of dependencies and file names
  book                         copy manual pages and examples into the pages of the book that show them
  schema [--check]             generate the built-in schemas and the vocabulary of elf-schema
  api [--check]                list what the crates of the five layers make public, in docs/api
  standards [--check]          generate the tables of the structural standards of elf-validate
  fuzz [LAW…] [--seconds N]    search for inputs that break a law (see `tools/fuzz/laws`), 60 seconds for each law
                               by default; `--keep` saves a few inputs that cover all branches to `tools/fuzz/kept`
  dist [--plan] [CARRIER…]     build what people install: archive, Debian package, wheels, npm packages; see `dist --help`
  release --check|--packages   check whether a release is possible; `--packages` only builds the packages
  conformance [--list] [--program COMMAND]
                               run the vectors through the libraries, or through a program, and count what is met
  generate --megabytes N       write a large file for measurements, realistic or faulty; see `generate --help`
";

/// The result of a command. An error is a message for standard error.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    match run(&root(), command, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(root: &Path, command: &str, arguments: &[String]) -> Outcome {
    match command {
        "tidy" => tidy::run(root),
        "book" => tidy::write_book(root),
        "schema" => schema::run(root, arguments),
        "standards" => standards::run(root, arguments),
        "api" => api::run(root, arguments),
        "conformance" => conformance::run(root, arguments),
        "dist" if arguments.iter().any(|argument| argument == "--help") => {
            print!("{}", dist::HELP);
            Ok(())
        }
        "dist" => dist::run(root, arguments),
        "release" => release::run(root, arguments),
        "fuzz" => fuzz::run(root, arguments),
        "generate" => xtask::generate::run(arguments),
        "help" | "-h" | "--help" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(format!("expected a command, but found {other:?}\n\n{USAGE}")),
    }
}

/// The root of the project: the folder above this crate.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
