//! The disk, as the server needs it. The command `elf` supplies one that replaces files atomically.

use std::any::Any;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Reads and writes files. The server asks only for the files that the user named, and for those in the folders with
/// their backups.
pub trait Disk: Send {
    /// Returns the marks of a file, without reading it.
    ///
    /// # Errors
    ///
    /// If there is no such file.
    fn marks(&self, path: &Path) -> io::Result<FileMarks>;

    /// Reads a file; `None` if it has more than `most` bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn read(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>>;

    /// Writes a file whole or not at all. A file that has changed since it was [read](Disk::read) is left alone.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or has changed.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Writes a new file whole or not at all. An existing file is left alone.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::AlreadyExists`] if there is something at `path`; other kinds if the file cannot be written.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Locks the file at `path`, and creates it if it is missing. No other server gets the lock until the value is
    /// dropped. Waits while another server has it.
    ///
    /// # Errors
    ///
    /// If the file cannot be created, or if another program keeps the lock.
    fn lock(&self, path: &Path) -> io::Result<Box<dyn Any>>;

    /// Creates a folder and the folders above it, where they are missing. Only the owner should be able to read them,
    /// because the backups in them contain everything.
    ///
    /// # Errors
    ///
    /// If a folder cannot be created.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
}

/// The marks by which a change of a file is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMarks {
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change, if the system knows it.
    pub modified: Option<SystemTime>,
}
