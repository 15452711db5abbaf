//! The text of the project's files, by path.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The project's files: path from the root with `/` between folders, and content. Files that are not UTF-8
/// are fixtures; only their names are looked at.
pub(super) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

/// Names and folders that are skipped, because they are built, fetched or found, not written. In a worktree
/// `.git` is a file.
const SKIPPED: &[&str] =
    &[".git", "target", "tools/fuzz/corpus", "tools/fuzz/artifacts", "tools/fuzz/coverage"];

impl Tree {
    /// Reads every text file below `root`.
    pub(super) fn read(root: &Path) -> io::Result<Tree> {
        let mut files = BTreeMap::new();
        let mut folders = vec![(root.to_path_buf(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = format!("{prefix}{name}");
                if SKIPPED.contains(&path.as_str()) || SKIPPED.contains(&name.as_str()) {
                    continue;
                }
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    folders.push((entry.path(), format!("{path}/")));
                } else if kind.is_file() {
                    files.insert(path, String::from_utf8(fs::read(entry.path())?).ok());
                }
            }
        }
        Ok(Tree { files })
    }

    /// The paths of all files, in their order.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The text files in the order of their paths.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Returns the text of a file; `None` where there is none, or where it is not UTF-8.
    pub(super) fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// A tree made up for a test.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Tree {
        Tree { files: files.iter().map(|&(path, text)| (path.to_owned(), Some(text.to_owned()))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_project_is_read_without_what_is_built() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let tree = Tree::read(root).unwrap();
        assert!(tree.get("Cargo.toml").is_some());
        assert!(tree.get("xtask/src/tidy/tree.rs").is_some_and(|text| text.contains("SKIPPED")));
        assert!(
            !tree
                .files()
                .any(|(path, _)| path.contains("target/") || path == ".git" || path.starts_with(".git/"))
        );
    }
}
