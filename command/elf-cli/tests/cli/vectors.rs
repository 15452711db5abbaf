//! The vectors of the conformance suite, through the command and the protocol that any program can use.
//!
//! `cargo xtask conformance` runs them through the libraries. The command adds layers above these.

#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_tests::program::{Program, Verdict};
use elf_tests::report::run_program;
use elf_tests::suite::Suite;
use std::path::Path;

#[test]
fn the_command_answers_the_vectors_as_expected() {
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/adapters/elf");
    let command = format!("env ELF={} {}", env!("CARGO_BIN_EXE_elf"), adapter.display());
    let program = Program::new(&command).expect("the claims of the adapter");
    let suite = Suite::load().expect("the suite");
    let results = run_program(&suite, &program).expect("a folder");
    let met = results.iter().filter(|(_, verdict)| *verdict == Verdict::Met).count();
    let failures = results.iter().filter_map(|(case, verdict)| match verdict {
        Verdict::Failed(error) => Some(format!("{} [{}]: {error}", case.vector.id, case.file)),
        Verdict::Met | Verdict::NotClaimed(_) => None,
    });
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), results.len(), failures.join("\n"));
    assert!(met > 1_400, "only {met} vectors are met");
}
