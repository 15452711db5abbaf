//! The packages of the workspace.

use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Returns the names of the published packages in the order of the workspace.
///
/// # Errors
///
/// A manifest cannot be read.
pub(crate) fn published_packages(root: &Path) -> Result<Vec<String>, String> {
    let manifest = |path: &str| {
        let text = fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
        text.parse::<Table>().map_err(|error| format!("{path}: {error}"))
    };
    let mut names = Vec::new();
    for folder in member_folders(&manifest("Cargo.toml")?) {
        let path = format!("{folder}/Cargo.toml");
        let manifest = manifest(&path)?;
        let field = |name: &str| manifest.get("package").and_then(|package| package.get(name));
        if field("publish").and_then(Value::as_bool) == Some(false) {
            continue;
        }
        let name = field("name").and_then(Value::as_str).ok_or_else(|| format!("{path}: no package name"))?;
        names.push(name.to_owned());
    }
    Ok(names)
}

/// Returns the folders of all members.
///
/// Fails if the manifest of the workspace cannot be read.
pub(crate) fn folders(root: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(root.join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    Ok(member_folders(&text.parse().map_err(|error| format!("Cargo.toml: {error}"))?))
}

pub(crate) fn member_folders(workspace: &Table) -> Vec<String> {
    let members = workspace.get("workspace").and_then(|workspace| workspace.get("members")?.as_array());
    members.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
