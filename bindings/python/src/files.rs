//! Writing files.

use crate::errors::os_error;
use pyo3::prelude::*;
use std::io::Write;
use std::path::Path;

/// Writes a file, completely or not at all.
pub(crate) fn save(py: Python<'_>, path: &Path, bytes: &[u8]) -> PyResult<()> {
    py.detach(|| write_whole(path, bytes)).map_err(|failure| os_error(&failure, path))
}

/// Writes a file beside the target, and renames it. The permissions of a file that is replaced stay.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::metadata(folder)?;
    let known = std::fs::metadata(&target).ok();
    let mut builder = tempfile::Builder::new();
    builder.prefix(".elf-");
    // A private file is never readable by others, not even while it is written.
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    match known {
        Some(known) if known.permissions().readonly() => {
            return Err(std::io::ErrorKind::PermissionDenied.into());
        }
        Some(known) => file.as_file().set_permissions(known.permissions())?,
        None => set_usual_permissions(file.as_file())?,
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|failure| failure.error)?;
    Ok(())
}

/// Gives a new file the permissions that files get: temporary files are for their owner only.
#[cfg(unix)]
fn set_usual_permissions(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    // The mask of the process can be read without a race only from a file that was just made.
    let probe = tempfile::tempdir()?;
    let made = std::fs::File::create(probe.path().join("probe"))?;
    file.set_permissions(std::fs::Permissions::from_mode(made.metadata()?.permissions().mode()))
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
