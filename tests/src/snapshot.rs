//! Compares text with a snapshot in a file. `UPDATE_EXPECT=1` rewrites the snapshot instead.

use std::path::Path;

/// Compares `found` with the snapshot at `path`.
///
/// # Errors
///
/// The first line that differs, or an error of reading or writing the snapshot.
pub fn compare_with_file(path: &Path, found: &str) -> Result<(), String> {
    if updates() {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        return std::fs::write(path, found).map_err(|error| format!("{}: {error}", path.display()));
    }
    let expected = std::fs::read_to_string(path)
        .map_err(|error| format!("{}: {error}; UPDATE_EXPECT=1 writes it", path.display()))?;
    if expected == found {
        return Ok(());
    }
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    let (number, (old, new)) = lines.find(|(_, (old, new))| old != new).unwrap_or_else(|| {
        let shorter = expected.lines().count().min(found.lines().count());
        let line = |text: &'static str| (text, text);
        (shorter, line("(the end)"))
    });
    Err(format!(
        "{} differs in line {}; UPDATE_EXPECT=1 writes it anew\n expected {old}\n but found {new}\n",
        path.display(),
        number + 1
    ))
}

/// Returns whether to rewrite snapshots: `UPDATE_EXPECT` is 1.
pub fn updates() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1")
}
