//! The `elf` command, built for the tests that run it.

use std::path::PathBuf;
use std::process::Command;

/// Builds the command, which is quick where the whole workspace is under test, and returns its path.
///
/// # Panics
///
/// Where it does not build.
#[allow(clippy::expect_used, reason = "a test that cannot go on fails")]
pub fn command() -> PathBuf {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let test = std::env::current_exe().expect("a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("the folder of the profile");
    // The profile that the tests themselves are built in.
    let profile = folder.file_name().and_then(|name| name.to_str()).expect("a name");
    let manifest = crate::folder("../Cargo.toml");
    let mut build = Command::new(cargo);
    build.args([
        "build",
        "--quiet",
        "--locked",
        "--offline",
        "--workspace",
        "--bin",
        "elf",
        "--profile",
        if profile == "debug" { "dev" } else { profile },
        "--manifest-path",
    ]);
    assert!(build.arg(manifest).status().expect("cargo runs").success(), "the command does not build");
    folder.join(format!("elf{}", std::env::consts::EXE_SUFFIX))
}
