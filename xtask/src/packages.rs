//! The packages of the workspace: its members but those that are not published.

use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Returns the names of the packages, in the order of the workspace; each stands in a folder of its name.
pub(crate) fn names(root: &Path) -> Result<Vec<String>, String> {
    let manifest = |path: &str| {
        let text = fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
        text.parse::<Table>().map_err(|error| format!("{path}: {error}"))
    };
    let mut names = Vec::new();
    for member in members(&manifest("Cargo.toml")?) {
        if is_published(&manifest(&format!("{member}/Cargo.toml"))?) {
            names.push(member);
        }
    }
    Ok(names)
}

/// Returns the members of a workspace.
pub(crate) fn members(workspace: &Table) -> Vec<String> {
    let members = workspace.get("workspace").and_then(|workspace| workspace.get("members")?.as_array());
    members.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Tells whether a manifest is that of a package for a registry.
pub(crate) fn is_published(manifest: &Table) -> bool {
    let publish = manifest.get("package").and_then(|package| package.get("publish")?.as_bool());
    publish != Some(false)
}
