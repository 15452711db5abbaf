//! Files that are being written. They are removed if the run fails or a signal ends it.

use super::seen::FileStamp;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The paths of the unfinished files of this run. Hold the lock to create, move or remove one.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock_unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is being written. Dropping this value removes the file, unless it was moved to its place. The path is
/// then `None`, because another thread may create a file with the same name at once.
pub(super) struct UnfinishedFile(Option<PathBuf>);

impl UnfinishedFile {
    /// Creates a file that must not exist yet.
    pub(super) fn create(path: PathBuf) -> io::Result<(File, UnfinishedFile)> {
        static HEEDING: Once = Once::new();
        HEEDING.call_once(handle_signals);
        let mut all = lock_unfinished();
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        lock_file(&file);
        all.push(path.clone());
        Ok((file, UnfinishedFile(Some(path))))
    }

    /// Creates a file in the folder of `place`, with a name that no other run uses. Also removes files that killed runs
    /// left there.
    pub(super) fn create_beside(place: &Path) -> io::Result<(File, UnfinishedFile)> {
        place.file_name().ok_or(ErrorKind::InvalidInput)?;
        remove_left_over(
            place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        );
        let mut number = 0_u32;
        loop {
            let name = format!(".elf-{}-{number}.tmp", std::process::id());
            match UnfinishedFile::create(place.with_file_name(name)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
                result => return result,
            }
        }
    }

    /// Moves the complete file to its place.
    pub(super) fn move_to(&mut self, place: &Path) -> io::Result<()> {
        let Some(path) = &self.0 else { return Ok(()) };
        let mut all = lock_unfinished();
        fs::rename(path, place)?;
        all.retain(|one| one != path);
        self.0 = None;
        drop(all);
        sync_folder(place);
        Ok(())
    }

    /// Replaces the file at `place` with this one, if `expect_known` accepts the old file.
    ///
    /// A check before the replacement is not enough: another program may write to the old file at any moment. So the
    /// two files exchange names where the system supports it, `expect_known` checks the old file under its new name,
    /// and only then is the old file removed. What a program writes later than a moment after it opened the old file is
    /// lost.
    ///
    /// # Errors
    ///
    /// The error of `expect_known`. The old file is then back in its place, with what was written to it.
    pub(super) fn replace(
        &mut self,
        place: &Path,
        expect_known: impl Fn(&Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(path) = self.0.clone() else { return Ok(()) };
        let whole = FileStamp::of(&fs::metadata(&path)?).without_change_time();
        // Keep the lock: otherwise a signal would remove the old file.
        let mut all = lock_unfinished();
        if exchange_names(&path, place).is_err() {
            drop(all);
            return expect_known(place).and_then(|()| self.move_to(place));
        }
        wait_for_disk(place);
        let Err(changed) = expect_known(&path) else {
            drop(all);
            // The old file is removed when this value is dropped.
            return Ok(());
        };
        let is_back = exchange_names(&path, place).is_ok();
        wait_for_disk(place);
        if is_back && fs::metadata(&path).is_ok_and(|now| FileStamp::of(&now).without_change_time() == whole)
        {
            return Err(changed);
        }
        // Another program has replaced the file again: remove only our own file.
        all.retain(|one| *one != path);
        self.0 = None;
        let other = format!("it changed while it was replaced; see also `{}`", path.display());
        Err(io::Error::other(other))
    }

    /// Moves the complete file to a path that must not exist yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyExists`] if it exists.
    pub(super) fn move_to_new(&mut self, place: &Path) -> io::Result<()> {
        let Some(path) = &self.0 else { return Ok(()) };
        match fs::hard_link(path, place) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {}
            // The temporary name is removed when this value is dropped.
            linked => return linked.map(|()| sync_folder(place)),
        }
        // Without hard links, reserve the name first, because renaming would replace another file.
        let (file, taken) = UnfinishedFile::create(place.to_owned())?;
        drop(file);
        self.move_to(place)?;
        taken.keep_file();
        Ok(())
    }

    /// Keeps the file at the path: it is another file now.
    fn keep_file(mut self) {
        if let Some(path) = self.0.take() {
            lock_unfinished().retain(|one| *one != path);
        }
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        let Some(path) = self.0.take() else { return };
        let mut all = lock_unfinished();
        all.retain(|one| *one != path);
        // If a file cannot be removed, nothing else can be done.
        let _ = fs::remove_file(&path);
    }
}

/// Locks a file as long as it is open. If that fails, other runs go by its age.
fn lock_file(file: &File) {
    #[cfg(unix)]
    let _ = rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    #[cfg(not(unix))]
    let _ = file;
}

/// Removes the files that killed runs left in a folder: files with the name of an unfinished one that nobody has locked
/// or written to for an hour.
#[cfg(unix)]
fn remove_left_over(folder: &Path) {
    use std::collections::BTreeSet;
    /// The folders that this run has cleaned. Each is cleaned once.
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    // If the folder cannot be read, leave it alone.
    let Ok(entries) = fs::read_dir(folder) else { return };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter(|path| is_named_unfinished(path) && is_left_over(path))
        .for_each(|path| super::remove_file(&path));
}

#[cfg(not(unix))]
fn remove_left_over(_: &Path) {}

/// Returns whether a file has a name such as `.elf-PID-N.tmp`.
#[cfg(unix)]
fn is_named_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let numbers = name.and_then(|name| name.strip_prefix(".elf-")?.strip_suffix(".tmp")?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Returns whether no run writes the file any more.
#[cfg(unix)]
fn is_left_over(path: &Path) -> bool {
    const AGE: std::time::Duration = std::time::Duration::from_secs(3600);
    let is_old = |file: &fs::Metadata| {
        file.is_file() && file.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > AGE))
    };
    // This program creates no links, and opening a pipe would block.
    fs::symlink_metadata(path).is_ok_and(|file| is_old(&file))
        && File::open(path).is_ok_and(|file| {
            rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok()
        })
}

/// Exchanges the names of two files in one step, if the system and the file system support it.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange_names(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange_names(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Waits until the new names would survive a power cut, and until a program that opened the old file just before has
/// written to it.
fn wait_for_disk(place: &Path) {
    sync_folder(place);
    std::thread::sleep(std::time::Duration::from_millis(1));
}

/// Writes the folder of `place` to the disk, so that the new name survives a power cut.
fn sync_folder(place: &Path) {
    #[cfg(unix)]
    if let Some(folder) = place.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // An error is harmless: the file itself is on the disk.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = place;
}

/// Removes all unfinished files and calls `end`, which ends the process. The lock keeps other threads from creating or
/// moving one meanwhile.
#[cfg(any(unix, windows))]
fn remove_all_and_end(end: impl FnOnce()) {
    let all = lock_unfinished();
    all.iter().for_each(|path| drop(fs::remove_file(path)));
    end();
}

/// Makes signals that end the process remove the unfinished files first, without waiting for threads. A signal that was
/// ignored at the start stays ignored, as with `nohup` or in the background of a shell.
#[cfg(unix)]
fn handle_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    // If the system does not tell, assume that a hangup is ignored.
    let ignored = [(SIGHUP, true), (SIGINT, false), (SIGQUIT, false), (SIGTERM, false)];
    let heeded = ignored.iter().filter(|(signal, unknown)| !is_signal_ignored(*signal).unwrap_or(*unknown));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(heeded.map(|(signal, _)| signal)) else {
        return;
    };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            remove_all_and_end(|| {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                std::process::exit(128 + signal);
            });
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Returns whether a signal is ignored. `None` if the system does not tell.
#[cfg(unix)]
fn is_signal_ignored(signal: i32) -> Option<bool> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & 1 << (signal - 1) != 0)
}

/// Makes Ctrl-C and closing the console remove the unfinished files before the process ends.
#[cfg(windows)]
fn handle_signals() {
    /// `STATUS_CONTROL_C_EXIT`, the status of a process ended by Ctrl-C.
    const ENDED: i32 = 0xC000_013A_u32.cast_signed();
    // If this fails, temporary files may be left behind.
    let _ = ctrlc::set_handler(|| remove_all_and_end(|| std::process::exit(ENDED)));
}

#[cfg(not(any(unix, windows)))]
fn handle_signals() {}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn what_killed_runs_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - Duration::from_secs(7200);
        let make = |name: &str| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(old).unwrap();
            file
        };
        let kept = ["a.ged", ".elf-x-0.tmp", ".elf-1.tmp", ".elf-1-2.tmp.ged", "elf-1-0.tmp", ".elf--0.tmp"];
        kept.iter().for_each(|name| drop(make(name)));
        ["1-0", "99999-17"].iter().for_each(|numbers| drop(make(&format!(".elf-{numbers}.tmp"))));
        let held = make(".elf-2-0.tmp");
        lock_file(&held);
        File::create(folder.path().join(".elf-3-0.tmp")).unwrap();
        let (_, written) = UnfinishedFile::create_beside(&folder.path().join("out.ged")).unwrap();
        drop(written);
        let names = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        let mut expected: Vec<&str> = [&kept[..], &[".elf-2-0.tmp", ".elf-3-0.tmp"]].concat();
        expected.sort_unstable();
        assert_eq!(names, expected);
    }
}
