//! Writing files.

use crate::errors::os_error;
use pyo3::prelude::*;
use std::io::Write;
use std::path::Path;

/// Writes a file completely, or not at all.
pub(crate) fn save(py: Python<'_>, path: &Path, bytes: &[u8]) -> PyResult<()> {
    py.detach(|| write_whole(path, bytes)).map_err(|failure| os_error(&failure, path))
}

/// Writes a temporary file beside the target and renames it. A file that is replaced keeps its permissions.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::metadata(folder)?;
    let known = std::fs::metadata(&target).ok();
    let mut builder = tempfile::Builder::new();
    builder.prefix(".elf-");
    // Set permissions at once, so that a private file is never readable by others.
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

/// Gives a new file the default permissions of the process. (Temporary files are readable by their owner only.)
#[cfg(unix)]
fn set_usual_permissions(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    // Only the permissions of a new folder show the mask of the process without a race between threads.
    let probe = tempfile::tempdir()?;
    let made = std::fs::File::create(probe.path().join("probe"))?;
    file.set_permissions(std::fs::Permissions::from_mode(made.metadata()?.permissions().mode()))
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
