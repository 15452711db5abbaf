//! Chooses the paths of many outputs in one folder, so that no output overwrites an input or another output.

use super::unfinished::UnfinishedFile;
use super::{Listed, is_standard};
use crate::reading;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// The output paths in one folder.
pub(crate) struct OutputPaths<'p> {
    folder: &'p Path,
    /// The full paths of the inputs, with links resolved.
    inputs: HashSet<PathBuf>,
    #[cfg(unix)]
    files: HashSet<(u64, u64)>,
    /// The input of each path that is in use. Paths are in lower case.
    taken: HashMap<String, PathBuf>,
}

impl<'p> OutputPaths<'p> {
    /// Prepares output paths in `folder` for `files`. No output will overwrite one of the files, one of the `others` or
    /// `reserved`.
    pub(crate) fn new<'i>(
        folder: &'p Path,
        files: impl Iterator<Item = &'i Listed>,
        others: impl IntoIterator<Item = &'i Path>,
        reserved: Option<&Path>,
    ) -> OutputPaths<'p> {
        let paths: HashSet<&Path> =
            files.filter_map(|file| file.source.path_on_disk()).chain(others).collect();
        let reserved = reserved.filter(|path| !is_standard(path));
        OutputPaths {
            folder,
            inputs: paths.iter().filter_map(|path| fs::canonicalize(path).ok()).collect(),
            #[cfg(unix)]
            files: paths
                .iter()
                .filter_map(|path| fs::metadata(path).ok())
                .map(|file| file_identity(&file))
                .collect(),
            taken: reserved.map(|path| (comparison_key(path), path.to_owned())).into_iter().collect(),
        }
    }

    /// Returns the output path for `file`.
    ///
    /// # Errors
    ///
    /// Why it has none.
    pub(crate) fn assign(&mut self, file: &Listed) -> Result<PathBuf, String> {
        if file.source.path_on_disk().is_some_and(is_standard) {
            return Err("standard input has no file name for the output: use `-o`".to_owned());
        }
        let is_plain = |step: Component<'_>| matches!(step, Component::Normal(_) | Component::CurDir);
        if !file.path_in_folder.components().all(is_plain) {
            return Err("its name leads out of the folder".to_owned());
        }
        let steps = file.path_in_folder.components().filter(|step| matches!(step, Component::Normal(_)));
        let place = self.folder.join(steps.collect::<PathBuf>());
        if self.is_input(&place) {
            return Err(format!("its output `{}` is also an input", place.display()));
        }
        match self.taken.entry(comparison_key(&place)) {
            Entry::Vacant(free) => {
                free.insert(file.name.clone());
                Ok(place)
            }
            Entry::Occupied(other) => {
                Err(format!("its output `{}` is also that of `{}`", place.display(), other.get().display()))
            }
        }
    }

    fn is_input(&self, place: &Path) -> bool {
        let is_known = |path: PathBuf| self.inputs.contains(&path);
        #[cfg(unix)]
        let is_same = fs::metadata(place)
            .is_ok_and(|file| file.is_file() && self.files.contains(&file_identity(&file)));
        #[cfg(not(unix))]
        let is_same = false;
        is_same || fs::canonicalize(place).is_ok_and(is_known)
    }
}

/// A key for comparing paths: the full path, with links resolved as far as the path exists. In lower case, since some
/// file systems ignore case.
fn comparison_key(place: &Path) -> String {
    let mut missing = Vec::new();
    let mut there = place;
    let full = loop {
        let here = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        match (fs::canonicalize(here), there.parent(), there.file_name()) {
            (Ok(full), ..) => break full,
            (Err(_), Some(above), Some(name)) => {
                missing.push(name);
                there = above;
            }
            (Err(_), ..) => break there.to_owned(),
        }
    };
    reading::display_name(&missing.into_iter().rev().fold(full, |path, name| path.join(name))).to_lowercase()
}

/// The device and the number of a file, which all its names share.
#[cfg(unix)]
fn file_identity(file: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// Copies a file to `FILE.bak` beside it, or to `FILE.bak2` and so on if that exists.
pub(crate) fn create_backup(path: &Path) -> io::Result<PathBuf> {
    // A symbolic link stays and its target is replaced, so back up the target.
    let path = fs::canonicalize(path)?;
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
    let (file, mut unfinished) = UnfinishedFile::create_beside(&path)?;
    // Set permissions before copying, so a private file is never readable.
    let metadata = fs::metadata(&path)?;
    super::output::copy_access(&file, &path, &metadata)?;
    io::copy(&mut fs::File::open(&path)?, &mut &file)?;
    file.sync_all()?;
    for number in 1_u32.. {
        let mut copy = name.to_owned();
        copy.push(".bak");
        if number > 1 {
            copy.push(number.to_string());
        }
        let copy = path.with_file_name(copy);
        match unfinished.move_to_new(&copy) {
            Ok(()) => return Ok(copy),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(io::Error::other(format!(
                    "cannot keep a backup at `{}`: {}",
                    copy.display(),
                    super::describe_error(&error)
                )));
            }
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Writes a new file, whole or not at all.
///
/// # Errors
///
/// [`ErrorKind::AlreadyExists`] if there is something at `path`.
#[cfg(feature = "mcp")]
pub(crate) fn write_new(path: &Path, octets: &[u8]) -> io::Result<()> {
    // Look first, so that nothing is written in vain.
    if fs::symlink_metadata(path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let (mut file, mut unfinished) = UnfinishedFile::create_beside(path)?;
    io::Write::write_all(&mut file, octets)?;
    file.sync_all()?;
    unfinished.move_to_new(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Source;

    fn listed(name: &str) -> Listed {
        let path = PathBuf::from(name);
        Listed { name: path.clone(), path_in_folder: path.clone(), source: Source::File(path) }
    }

    #[test]
    fn no_two_files_have_a_place() {
        let names = ["a.ged", "A.ged", "b/a.ged", "../x.ged", "-", "./b//./a.ged", "m.ged"];
        let files = names.map(listed);
        let mut places = OutputPaths::new(Path::new("out"), files.iter(), [], Some(Path::new("out/M.ged")));
        let given: Vec<Result<PathBuf, String>> = files.iter().map(|file| places.assign(file)).collect();
        assert_eq!(given[0], Ok(Path::new("out").join("a.ged")));
        assert!(
            given[1].as_ref().is_err_and(|reason| reason.ends_with("is also that of `a.ged`")),
            "{given:?}"
        );
        assert_eq!(given[2], Ok(Path::new("out").join("b/a.ged")));
        assert!(given[3..].iter().all(Result::is_err), "{given:?}");
        assert!(places.assign(&files[1]).is_err(), "it is taken still");
    }

    #[test]
    fn no_place_is_an_input_and_no_copy_overwrites_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ged");
        fs::write(&path, "one").expect("a file");
        let file = Listed { path_in_folder: "a.ged".into(), ..listed(&path.to_string_lossy()) };
        assert!(OutputPaths::new(folder.path(), [&file].into_iter(), [], None).assign(&file).is_err());
        let elsewhere = folder.path().join("out");
        assert!(OutputPaths::new(&elsewhere, [&file].into_iter(), [], None).assign(&file).is_ok());
        let other = listed("a.ged");
        assert!(
            OutputPaths::new(folder.path(), [&other].into_iter(), [&*path], None).assign(&other).is_err()
        );
        let first = create_backup(&path).expect("a copy");
        fs::write(&path, "two").expect("a file");
        let second = create_backup(&path).expect("a copy");
        let contents = [first, second].map(|copy| fs::read_to_string(copy).expect("a copy"));
        assert_eq!(contents, ["one", "two"]);
    }
}
