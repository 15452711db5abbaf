//! `conformance`: how the rows of the requirement tables stand.
//!
//! The suite is a crate of its own, `tests`, and is run as one: house work must go on when a library does not
//! compile, or else the generated schemas could not be mended.

use std::path::Path;
use std::process::Command;

/// Runs every vector and prints the table, with `--list` every row; the last line is `met M/N`.
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
