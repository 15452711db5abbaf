//! Files as they were when they were opened: one that has changed since is not overwritten, be it by another
//! run at this moment.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// The files that this run has opened, by the paths they were opened by.
static SEEN: Mutex<Option<HashMap<PathBuf, FileStamp>>> = Mutex::new(None);

/// The marks that tell a file from one that another program has written in its place or made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    size: u64,
    modified: Option<SystemTime>,
    /// The number of the file, who may do what with it, whose it is, and its number of names.
    #[cfg(unix)]
    marks: (u64, u32, u32, u32, u64),
    /// The last time that anything of it changed, be it a mark alone or a time that was put back.
    #[cfg(unix)]
    changed: Option<(i64, i64)>,
}

impl FileStamp {
    pub(super) fn of(file: &Metadata) -> FileStamp {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        FileStamp {
            size: file.len(),
            modified: file.modified().ok(),
            #[cfg(unix)]
            marks: (file.ino(), file.mode(), file.uid(), file.gid(), file.nlink()),
            #[cfg(unix)]
            changed: Some((file.ctime(), file.ctime_nsec())),
        }
    }

    /// The marks without the time that a new name counts for too.
    pub(super) const fn by_any_name(self) -> FileStamp {
        #[cfg(unix)]
        return FileStamp { changed: None, ..self };
        #[cfg(not(unix))]
        self
    }
}

fn all() -> MutexGuard<'static, Option<HashMap<PathBuf, FileStamp>>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers a file that is opened. Of one that is opened again, its state before the first reading counts.
pub(super) fn remember(path: &Path, file: &Metadata) {
    all().get_or_insert_default().entry(path.to_owned()).or_insert_with(|| FileStamp::of(file));
}

/// A file that this run is about to replace. As long as this lives and what takes its place is open, no other
/// run replaces either.
pub(super) struct Held {
    before: FileStamp,
    /// The open file has the lock.
    _file: Option<File>,
}

impl Held {
    /// Refuses a file that is not what this run has read, now that it has another name.
    ///
    /// # Errors
    ///
    /// An error if it is another one, or has been written to, or is gone.
    pub(super) fn expect_unchanged(&self, path: &Path) -> io::Result<()> {
        expect(path, |now| now.by_any_name() == self.before.by_any_name())
    }
}

fn expect(path: &Path, is_known: impl Fn(FileStamp) -> bool) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(now) if is_known(FileStamp::of(&now)) => Ok(()),
        _ => Err(io::Error::other("it changed after it was read, so it is not overwritten")),
    }
}

/// Holds what is at this path, to be replaced by another file. What this run has not opened is not held.
///
/// # Errors
///
/// An error if the file that was opened by this path is another one now, or gone; if it cannot be opened any
/// more; or if another program holds it for long.
pub(super) fn hold(path: &Path, by: &File) -> io::Result<Option<Held>> {
    let Some(before) = all().as_ref().and_then(|all| all.get(path).copied()) else { return Ok(None) };
    // No other process knows this file yet. Without locks, another run may believe that it wrote last.
    #[cfg(unix)]
    let _ = rustix::fs::flock(by, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    #[cfg(not(unix))]
    let _ = by;
    let held = Held { before, _file: locked(path)? };
    // Another run may have held the file until now and replaced it.
    expect(path, |now| now == before).map(|()| Some(held))
}

/// Opens a file and locks it, for which other runs wait; without a lock where there are none, as for what is
/// opened to be read on some network shares, or where the file is gone.
#[cfg(unix)]
fn locked(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    use std::time::{Duration, Instant};
    /// A run holds a file as long as it takes to rename another one: longer than this, and it is not one.
    const WAIT: Duration = Duration::from_secs(5);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let start = Instant::now();
    loop {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(file)),
            Err(Errno::WOULDBLOCK | Errno::INTR) if start.elapsed() < WAIT => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(Errno::WOULDBLOCK) => return Err(io::Error::other("another program has locked it")),
            Err(_) => return Ok(None),
        }
    }
}

/// Opens nothing: an open file may not be replaced elsewhere.
#[cfg(not(unix))]
fn locked(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Forgets a file, which this run itself has replaced.
pub(super) fn forget(path: &Path) {
    all().as_mut().and_then(|all| all.remove(path));
}
