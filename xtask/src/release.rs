//! `cargo xtask release`: checks whether a version can be released. It publishes and tags nothing.

use crate::{Outcome, packages};
use std::fs;
use std::path::Path;
use std::process::Command;
use toml::{Table, Value};

const WORKFLOW: &str = ".github/workflows/release.yml";

/// Runs all checks, or only builds the packages.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let all = match words[..] {
        ["--check"] => true,
        ["--packages"] => false,
        _ => return Err("expected `--check`, or `--packages` to build only the packages".to_owned()),
    };
    let mut faults = Vec::new();
    if all {
        let workspace = parse_toml(&read_text(root, "Cargo.toml")?)?;
        faults.extend(check_versions(&workspace));
        faults.extend(check_changelog(&read_text(root, "CHANGELOG.md")?, workspace_version(&workspace)));
        faults.extend(check_workflow(&read_text(root, WORKFLOW)?));
    }
    faults.extend(build_packages(root)?);
    for fault in &faults {
        println!("release: {fault}");
    }
    match faults.len() {
        0 => Ok(()),
        count => Err(format!("{count} problem(s) prevent a release")),
    }
}

/// The version of the workspace, which all packages share.
pub(crate) fn workspace_version(workspace: &Table) -> &str {
    let package = workspace.get("workspace").and_then(|workspace| workspace.get("package"));
    package.and_then(|package| package.get("version")?.as_str()).unwrap_or_default()
}

/// Checks that crates depend on each other in the version of the workspace, and that the workspace names its
/// repository.
fn check_versions(workspace: &Table) -> Vec<String> {
    let mut faults = Vec::new();
    let version = workspace_version(workspace);
    let workspace = workspace.get("workspace");
    let dependencies = workspace.and_then(|workspace| workspace.get("dependencies")?.as_table());
    for (name, dependency) in dependencies.into_iter().flatten() {
        let asked = dependency.get("version").and_then(Value::as_str);
        if dependency.get("path").is_some() && asked != Some(version) {
            faults.push(format!("{name} is required as {}, not {version}", asked.unwrap_or("any version")));
        }
    }
    if workspace.and_then(|workspace| workspace.get("package")?.get("repository")).is_none() {
        faults.push("the workspace has no `repository`".to_owned());
    }
    faults
}

/// Checks that the changelog has a section for the version with a date and at least one entry.
fn check_changelog(text: &str, version: &str) -> Option<String> {
    let heading = format!("\n## [{version}] - ");
    let Some((_, after)) = text.split_once(&heading) else {
        return Some(format!("CHANGELOG.md has no section `## [{version}] - DATE`"));
    };
    let (date, section) = after.split_once('\n').unwrap_or((after, ""));
    let digits =
        |part: &str, count: usize| part.len() == count && part.bytes().all(|octet| octet.is_ascii_digit());
    let parts: Vec<&str> = date.trim().split('-').collect();
    let is_date =
        matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2));
    let section = section.split("\n## ").next().unwrap_or_default();
    if !is_date {
        Some(format!("CHANGELOG.md: `{date}` is not a date"))
    } else if !section.contains("\n- ") {
        Some(format!("CHANGELOG.md has no entries for {version}"))
    } else {
        None
    }
}

/// Checks that the workflow builds the packages on all systems.
fn check_workflow(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for system in ["ubuntu-", "macos-", "windows-"] {
        if !text.contains(system) {
            faults.push(format!("{WORKFLOW} builds nothing on {system}*"));
        }
    }
    if !text.contains("cargo xtask dist") {
        faults.push(format!("{WORKFLOW} does not run `cargo xtask dist`"));
    }
    faults
}

/// Builds each package from its own files. Warnings count as errors.
fn build_packages(root: &Path) -> Result<Vec<String>, String> {
    let names = packages::published_packages(root)?;
    let mut command = cargo_command(root);
    command.args(["package", "--locked", "--color", "never"]);
    for name in &names {
        command.args(["--package", name]);
    }
    println!("release: packaging {} crates and building each package from its own files", names.len());
    let output = command.output().map_err(|error| format!("cargo package: {error}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut faults: Vec<String> = stderr
        .lines()
        .filter(|line| line.starts_with("warning") || line.starts_with("error"))
        .map(str::to_owned)
        .collect();
    if !output.status.success() && faults.is_empty() {
        faults.push("cargo package failed".to_owned());
    }
    Ok(faults)
}

fn cargo_command(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

fn read_text(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
}

fn parse_toml(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error| format!("Cargo.toml: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree_and_the_repository_is_named() {
        let workspace = |version: &str, more: &str| {
            let text = format!(
                "[workspace.package]\nversion = '0.2.0'\n{more}\n[workspace.dependencies]\nserde = '1'\n\
                 elf-a = {{ path = 'elf-a', version = '{version}' }}\n"
            );
            check_versions(&text.parse().unwrap())
        };
        let named = "repository = 'https://e.example/elf'";
        assert_eq!(workspace("0.2.0", named), Vec::<String>::new());
        assert_eq!(workspace("0.1.0", named), ["elf-a is required as 0.1.0, not 0.2.0"]);
        assert_eq!(workspace("0.2.0", ""), ["the workspace has no `repository`"]);
    }

    #[test]
    fn a_version_has_its_section() {
        let text = "# Changelog\n\n## [Unreleased]\n\n- a\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- b\n\n\
            ## [0.1.0] - soon\n\n- c\n\n## [0.0.1] - 2026-01-01\n\n## [0.0.0] - 2025-01-01\n\n- d\n";
        assert_eq!(check_changelog(text, "0.2.0"), None);
        assert!(check_changelog(text, "0.3.0").is_some_and(|fault| fault.contains("no section")));
        assert!(check_changelog(text, "0.1.0").is_some_and(|fault| fault.contains("`soon` is not a date")));
        assert!(check_changelog(text, "0.0.1").is_some_and(|fault| fault.contains("no entries")));
    }

    #[test]
    fn the_workflow_builds_what_there_is() {
        let text = "os: [ubuntu-24.04, macos-15, windows-2025]\nrun: cargo xtask dist\n";
        assert_eq!(check_workflow(text), Vec::<String>::new());
        assert_eq!(check_workflow("").len(), 4);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert_eq!(check_workflow(&read_text(root, WORKFLOW).unwrap()), Vec::<String>::new());
    }
}
