//! `cargo xtask copies`: what a package carries although it stands elsewhere in the repository.
//!
//! A package on a registry holds its own folder and nothing above it. Links of the file system would do for
//! most systems, and be text files with a path in them on Windows; so there are copies, written by this
//! command and compared by `cargo xtask tidy`.

use crate::Outcome;
use std::fs;
use std::path::Path;

/// The texts that every package carries under their own names.
pub(crate) const LICENCES: &[&str] = &["LICENSE-MIT", "LICENSE-APACHE"];

/// Other copies: where the text stands, and where a package needs it.
pub(crate) const OTHERS: &[(&str, &str)] = &[("docs/readings.md", "base/elf-base/readings.md")];

/// Writes each copy that differs from its text.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    if let Some(argument) = arguments.first() {
        return Err(format!("expected no argument, but found {argument:?}"));
    }
    for (text, copy) in all(&crate::packages::names(root)?) {
        let content = read(&root.join(&text))?;
        if fs::read(root.join(&copy)).is_ok_and(|there| there == content) {
            continue;
        }
        fs::write(root.join(&copy), content).map_err(|error| format!("{copy}: {error}"))?;
        println!("{text} -> {copy}");
    }
    Ok(())
}

/// Returns the copies of all packages: the text and the copy.
pub(crate) fn all(packages: &[String]) -> Vec<(String, String)> {
    let licences = packages.iter().flat_map(|package| {
        LICENCES.iter().map(move |text| ((*text).to_owned(), format!("{package}/{text}")))
    });
    let others = OTHERS.iter().map(|&(text, copy)| (text.to_owned(), copy.to_owned()));
    licences.chain(others).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
