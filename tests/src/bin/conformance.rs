//! Prints the status of the requirements: `cargo xtask conformance [--list]`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command")]
#![allow(clippy::disallowed_methods, reason = "a command looks at its arguments")]

use elf_tests::report::run_and_report;
use elf_tests::suite::Suite;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let list = arguments.iter().any(|argument| argument == "--list");
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--list") {
        eprintln!("error: expected --list or nothing, but found {unknown:?}");
        return ExitCode::from(2);
    }
    let suite = match Suite::load() {
        Ok(suite) => suite,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    // A panic counts as a failure of its vector, and is reported there.
    std::panic::set_hook(Box::new(|_| {}));
    let problems = suite.find_inconsistencies();
    let (text, passes) = run_and_report(&suite, list);
    print!("{text}");
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    if passes && problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
