//! Prints how the rows of the requirement tables stand: `cargo xtask conformance [--list]`, or how a program
//! answers the vectors: `cargo xtask conformance --program COMMAND [--list]`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command")]
#![allow(clippy::disallowed_methods, reason = "a command looks at its arguments")]

use elf_tests::program::{Program, Verdict};
use elf_tests::report::{report_program, run_and_report, run_program};
use elf_tests::suite::Suite;
use std::process::ExitCode;

/// The arguments.
#[derive(Default)]
struct Arguments {
    list: bool,
    program: Option<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether nothing fails.
fn run() -> Result<bool, String> {
    let arguments = parse_arguments()?;
    let suite = Suite::load()?;
    if let Some(command) = arguments.program {
        let program = Program::new(&command)?;
        let results = run_program(&suite, &program)?;
        print!("{}", report_program(&program, &results, arguments.list));
        return Ok(!results.iter().any(|(_, verdict)| matches!(verdict, Verdict::Failed(_))));
    }
    // A panic is a failure of its vector, and reported there.
    std::panic::set_hook(Box::new(|_| {}));
    let problems = suite.find_inconsistencies();
    let (text, passes) = run_and_report(&suite, arguments.list);
    print!("{text}");
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    Ok(passes && problems.is_empty())
}

fn parse_arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => arguments.list = true,
            "--program" => {
                arguments.program = Some(words.next().ok_or("expected a command after --program")?)
            }
            other => return Err(format!("expected --list or --program, but found {other:?}")),
        }
    }
    Ok(arguments)
}
