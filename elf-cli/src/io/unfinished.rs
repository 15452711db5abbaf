//! Files that are written and not whole yet: nothing is left of them when a run fails or a signal ends it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The paths of the unfinished files of this run. Who holds it makes, moves and removes them.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is being written. It is removed unless it is moved to its place, or kept; then it has no path
/// any more, since another thread may make one of the same name at once.
pub(super) struct Unfinished(Option<PathBuf>);

impl Unfinished {
    /// Makes a file that is not there yet.
    pub(super) fn create(path: PathBuf) -> io::Result<(File, Unfinished)> {
        static HEEDING: Once = Once::new();
        HEEDING.call_once(heed_signals);
        let mut all = all();
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        all.push(path.clone());
        Ok((file, Unfinished(Some(path))))
    }

    /// Makes a file in the folder of `place`, under a name that no other run uses.
    pub(super) fn create_beside(place: &Path) -> io::Result<(File, Unfinished)> {
        place.file_name().ok_or(ErrorKind::InvalidInput)?;
        let mut number = 0_u32;
        loop {
            let name = format!(".elf-{}-{number}.tmp", std::process::id());
            match Unfinished::create(place.with_file_name(name)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
                result => return result,
            }
        }
    }

    /// Puts the file in its place; it is whole.
    pub(super) fn move_to(mut self, place: &Path) -> io::Result<()> {
        let Some(path) = &self.0 else { return Ok(()) };
        let mut all = all();
        fs::rename(path, place)?;
        all.retain(|one| one != path);
        self.0 = None;
        drop(all);
        Ok(())
    }

    /// Leaves the file where it is; it is whole.
    pub(super) fn keep(mut self) {
        if let Some(path) = self.0.take() {
            all().retain(|one| *one != path);
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let Some(path) = self.0.take() else { return };
        let mut all = all();
        all.retain(|one| *one != path);
        // Nothing can be done about a file that cannot be removed.
        let _ = fs::remove_file(&path);
    }
}

/// Removes all unfinished files and ends the process by `end`. None is made or moved on the way.
#[cfg(any(unix, windows))]
fn give_up(end: impl FnOnce()) {
    let all = all();
    all.iter().for_each(|path| drop(fs::remove_file(path)));
    end();
}

/// Has SIGINT and SIGTERM remove the unfinished files first, and then end the process as they always do. No
/// thread is waited for. A hangup is not heeded: `nohup` has it ignored, and heeding would undo that.
#[cfg(unix)]
fn heed_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    // Without the one or the other, a signal leaves behind what it did before.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            give_up(|| {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                std::process::exit(128 + signal);
            });
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Has Ctrl-C, and a console that is closed, remove the unfinished files before they end the process.
#[cfg(windows)]
fn heed_signals() {
    /// The status of a process that Ctrl-C has ended, `STATUS_CONTROL_C_EXIT`.
    const ENDED: i32 = 0xC000_013A_u32.cast_signed();
    // Without it, files are left behind.
    let _ = ctrlc::set_handler(|| give_up(|| std::process::exit(ENDED)));
}

#[cfg(not(any(unix, windows)))]
fn heed_signals() {}
