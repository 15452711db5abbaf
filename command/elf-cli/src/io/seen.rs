//! Remembers the state of each file when it was opened. A file that has changed since, even by another run at this
//! moment, is not overwritten.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
#[cfg(any(unix, all(windows, feature = "mcp")))]
use std::time::{Duration, Instant};

/// The files that this run has opened, by the paths used to open them.
static SEEN: Mutex<Option<HashMap<PathBuf, FileStamp>>> = Mutex::new(None);

/// Attributes that reveal whether another program has changed or replaced a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    size: u64,
    modified: Option<SystemTime>,
    /// Inode, mode, user, group and number of hard links.
    #[cfg(unix)]
    marks: (u64, u32, u32, u32, u64),
    /// The time of the last change of content or attributes. Programs cannot set it back.
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

    /// The attributes without the time of change, which a new name also changes.
    pub(super) const fn without_change_time(self) -> FileStamp {
        #[cfg(unix)]
        return FileStamp { changed: None, ..self };
        #[cfg(not(unix))]
        self
    }
}

/// The time between two attempts to get a lock.
#[cfg(any(unix, all(windows, feature = "mcp")))]
const PAUSE: Duration = Duration::from_millis(10);

#[cfg(any(unix, all(windows, feature = "mcp")))]
const LOCKED: &str = "another program has locked it";

fn lock_seen() -> MutexGuard<'static, Option<HashMap<PathBuf, FileStamp>>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers a file when it is opened. If it is opened again, its first state counts.
pub(super) fn remember_state(path: &Path, file: &Metadata) {
    lock_seen().get_or_insert_default().entry(path.to_owned()).or_insert_with(|| FileStamp::of(file));
}

/// A file that this run is about to replace. No other run can replace the file while this value lives and the new file
/// is open.
pub(super) struct LockedFile {
    before: FileStamp,
    /// The open file holds the lock.
    _file: Option<File>,
}

impl LockedFile {
    /// Checks that the file, which now has the name `path`, is the one that this run read.
    ///
    /// # Errors
    ///
    /// It is another file, has been written to, or is gone.
    pub(super) fn expect_unchanged(&self, path: &Path) -> io::Result<()> {
        check_state(path, |now| now.without_change_time() == self.before.without_change_time())
    }
}

fn check_state(path: &Path, is_known: impl Fn(FileStamp) -> bool) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(now) if is_known(FileStamp::of(&now)) => Ok(()),
        _ => Err(io::Error::other("it changed after it was read, so it is not overwritten")),
    }
}

/// Locks the file at `path`, which another file will replace. `None` if this run has not opened it.
///
/// # Errors
///
/// The file has changed or is gone, cannot be opened any more, or stays locked by another program.
pub(super) fn lock_for_replacement(path: &Path, by: &File) -> io::Result<Option<LockedFile>> {
    let Some(before) = lock_seen().as_ref().and_then(|all| all.get(path).copied()) else { return Ok(None) };
    // No other process knows this file yet. Without locks, another run may replace it again.
    #[cfg(unix)]
    let _ = rustix::fs::flock(by, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    #[cfg(not(unix))]
    let _ = by;
    let held = LockedFile { before, _file: open_locked(path)? };
    // Another run may have held the lock until now and replaced the file.
    check_state(path, |now| now == before).map(|()| Some(held))
}

/// Opens and locks a file. `None` if the file is gone or cannot be locked, as on some network shares.
#[cfg(unix)]
fn open_locked(path: &Path) -> io::Result<Option<File>> {
    /// Another run of this program holds the lock only while it renames a file. After this time, the lock must belong
    /// to something else.
    const WAIT: Duration = Duration::from_secs(5);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(wait_for_lock(&file, WAIT)?.then_some(file))
}

/// Locks an open file. Returns false if it cannot be locked, as on some network shares.
///
/// # Errors
///
/// Another program has had the lock for the time `most`.
#[cfg(unix)]
fn wait_for_lock(file: &File, most: Duration) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    let start = Instant::now();
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(true),
            Err(Errno::WOULDBLOCK | Errno::INTR) if start.elapsed() < most => std::thread::sleep(PAUSE),
            Err(Errno::WOULDBLOCK) => return Err(io::Error::other(LOCKED)),
            Err(_) => return Ok(false),
        }
    }
}

/// Creates the file at `path` if it is missing, and locks it until the returned file is closed. Waits while another run
/// has the lock. On some network shares, other runs can have it at the same time.
///
/// # Errors
///
/// The file cannot be opened, or another program keeps the lock.
#[cfg(feature = "mcp")]
pub(crate) fn lock_path(path: &Path) -> io::Result<File> {
    /// Another run may be writing a large file to a slow disk.
    #[cfg(any(unix, windows))]
    const WAIT: Duration = Duration::from_secs(30);
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        /// `ERROR_SHARING_VIOLATION`: another program has the file open.
        const IN_USE: i32 = 32;
        options.share_mode(0);
        let start = Instant::now();
        loop {
            match options.open(path) {
                Err(error) if error.raw_os_error() != Some(IN_USE) => return Err(error),
                Err(_) if start.elapsed() < WAIT => std::thread::sleep(PAUSE),
                Err(_) => return Err(io::Error::other(LOCKED)),
                Ok(file) => return Ok(file),
            }
        }
    }
    #[cfg(not(windows))]
    {
        let file = options.open(path)?;
        #[cfg(unix)]
        wait_for_lock(&file, WAIT)?;
        Ok(file)
    }
}

/// An open file may block its replacement on this system, so nothing is opened.
#[cfg(not(unix))]
fn open_locked(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Forgets a file that this run has replaced itself.
pub(super) fn forget_state(path: &Path) {
    lock_seen().as_mut().and_then(|all| all.remove(path));
}
