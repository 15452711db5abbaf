//! The files of the project, by path.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The texts of all files, by paths with `/` between folders. The text of a file that is not UTF-8 is `None`.
pub(super) struct ProjectFiles {
    files: BTreeMap<String, Option<String>>,
}

/// Names and paths that are skipped because they are built or fetched. In a worktree, `.git` is a file.
const SKIPPED: &[&str] =
    &[".git", "target", "node_modules", "tools/fuzz/corpus", "tools/fuzz/artifacts", "tools/fuzz/coverage"];

impl ProjectFiles {
    /// Reads every file below `root`.
    pub(super) fn read(root: &Path) -> io::Result<ProjectFiles> {
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
        Ok(ProjectFiles { files })
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The paths and texts of the files that are UTF-8.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// The text of a file. `None` if there is no such file or it is not UTF-8.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    #[cfg(test)]
    pub(super) fn from_texts(files: &[(&str, &str)]) -> ProjectFiles {
        let owned = files.iter().map(|&(path, text)| (path.to_owned(), Some(text.to_owned())));
        ProjectFiles { files: owned.collect() }
    }
}
