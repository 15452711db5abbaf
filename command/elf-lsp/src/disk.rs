//! The only module of the server that reads files: `elf.toml`, and the bytes of files that are open in the editor.

#![allow(clippy::disallowed_methods, reason = "the one place that touches files")]

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The size in bytes of the largest file whose encoding is detected.
const LARGEST: u64 = 1 << 30;

/// Reads a file. `None` if it is larger than `limit` bytes.
pub(crate) fn read_limited(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Returns the bytes of a file that is open in the editor. Returns `None` if the file cannot be
/// read or is too large.
pub(crate) fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    read_limited(path, LARGEST).ok().flatten()
}

/// Finds the nearest file with a name in the folder of `file` or in a folder above it. As in the
/// command `elf`, a link to a file in another folder ends the search without a result.
pub(crate) fn find_nearest(file: &Path, name: &str) -> Option<PathBuf> {
    let folder = file.parent()?.canonicalize().ok()?;
    let found = folder.ancestors().map(|folder| folder.join(name)).find(|path| path.exists())?;
    let is_inside = found.canonicalize().ok()?.parent() == found.parent();
    (is_inside && found.is_file()).then_some(found)
}
