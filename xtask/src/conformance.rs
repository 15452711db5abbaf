//! `cargo xtask conformance`: shows which requirements of the drafts are met. The suite is a crate of its own, `tests`,
//! and runs as a process of its own: the other commands of `xtask` must work even when a library does not compile, for
//! example to repair a generated schema.

use std::path::Path;
use std::process::Command;

/// Runs every vector and prints the table, with `--list` every row; the last line is `met M/N`. With
/// `--program COMMAND` it runs them against a program.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--package", "elf-tests", "--bin", "conformance", "--"])
        .args(arguments)
        .status()
        .map_err(|error| format!("cargo could not be run: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("the conformance suite has faults; they are listed above".to_owned())
    }
}
