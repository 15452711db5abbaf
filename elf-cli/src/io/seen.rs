//! Files as they were when they were opened: one that has changed since is not overwritten.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// The files that this run has opened, by the paths they were opened by.
static SEEN: Mutex<Option<HashMap<PathBuf, FileStamp>>> = Mutex::new(None);

/// The marks that tell a file from one that another program has written in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    size: u64,
    modified: Option<SystemTime>,
    number: u64,
}

impl FileStamp {
    fn of(file: &Metadata) -> FileStamp {
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(file);
        #[cfg(not(unix))]
        let number = 0;
        FileStamp { size: file.len(), modified: file.modified().ok(), number }
    }
}

fn all() -> MutexGuard<'static, Option<HashMap<PathBuf, FileStamp>>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers a file that is opened. Of one that is opened again, its state before the first reading counts.
pub(super) fn remember(path: &Path, file: &Metadata) {
    all().get_or_insert_default().entry(path.to_owned()).or_insert_with(|| FileStamp::of(file));
}

/// Tells whether a file that was opened by this path is another one now, or gone.
pub(super) fn has_changed(path: &Path) -> bool {
    let Some(before) = all().as_ref().and_then(|all| all.get(path).copied()) else { return false };
    fs::metadata(path).map_or(true, |now| FileStamp::of(&now) != before)
}

/// Forgets a file, which this run itself has replaced.
pub(super) fn forget(path: &Path) {
    all().as_mut().and_then(|all| all.remove(path));
}
