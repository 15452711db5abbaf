//! Files that are written and not whole yet: nothing is left of them when a run fails or a signal ends it.

use super::seen::FileStamp;
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
        hold(&file);
        all.push(path.clone());
        Ok((file, Unfinished(Some(path))))
    }

    /// Makes a file in the folder of `place`, under a name that no other run uses. Files go that a run left there
    /// that was killed.
    pub(super) fn create_beside(place: &Path) -> io::Result<(File, Unfinished)> {
        place.file_name().ok_or(ErrorKind::InvalidInput)?;
        sweep(place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")));
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
    pub(super) fn move_to(&mut self, place: &Path) -> io::Result<()> {
        let Some(path) = &self.0 else { return Ok(()) };
        let mut all = all();
        fs::rename(path, place)?;
        all.retain(|one| one != path);
        self.0 = None;
        drop(all);
        sync_folder(place);
        Ok(())
    }

    /// Puts the file, which is whole, in the place of one that `expect_known` lets go.
    ///
    /// A look before is not enough, since another program may write to the old file at any moment. So the two
    /// exchange their names where the system knows how, the old file is looked at once more by its new name,
    /// and it goes only then. What a program writes more than a moment after it opened the old file is lost.
    ///
    /// # Errors
    ///
    /// The error of `expect_known`: the old file is in its place then, with what was written to it.
    pub(super) fn replace(
        &mut self,
        place: &Path,
        expect_known: impl Fn(&Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(path) = self.0.clone() else { return Ok(()) };
        let whole = FileStamp::of(&fs::metadata(&path)?).by_any_name();
        // Block signals here: a signal handler would remove the old file.
        let mut all = all();
        if exchange(&path, place).is_err() {
            drop(all);
            return expect_known(place).and_then(|()| self.move_to(place));
        }
        settle(place);
        let Err(changed) = expect_known(&path) else {
            drop(all);
            // The old file is removed when this is dropped.
            return Ok(());
        };
        let is_back = exchange(&path, place).is_ok();
        settle(place);
        if is_back && fs::metadata(&path).is_ok_and(|now| FileStamp::of(&now).by_any_name() == whole) {
            return Err(changed);
        }
        // Another program was faster again: only remove our own file.
        all.retain(|one| *one != path);
        self.0 = None;
        let other = format!("it changed while it was replaced; see also `{}`", path.display());
        Err(io::Error::other(other))
    }

    /// Gives the file a name that no other file has; it is whole.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyExists`] where one has it.
    pub(super) fn move_to_new(&mut self, place: &Path) -> io::Result<()> {
        let Some(path) = &self.0 else { return Ok(()) };
        match fs::hard_link(path, place) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {}
            // The file with its own name is removed when this is dropped.
            linked => return linked.map(|()| sync_folder(place)),
        }
        // Without hard links, reserve the name first, because moving would replace another file.
        let (file, taken) = Unfinished::create(place.to_owned())?;
        drop(file);
        self.move_to(place)?;
        taken.forget();
        Ok(())
    }

    /// Leaves what is at the path: another file has taken its place.
    fn forget(mut self) {
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
        // If a file cannot be removed, nothing else can be done.
        let _ = fs::remove_file(&path);
    }
}

/// Locks a file for as long as it is open. Where that is not possible, only its age tells that somebody writes it.
fn hold(file: &File) {
    #[cfg(unix)]
    let _ = rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    #[cfg(not(unix))]
    let _ = file;
}

/// Removes what runs left in a folder that were killed: files with names of unfinished ones that nobody has locked, and
/// that nobody has written to for an hour.
#[cfg(unix)]
fn sweep(folder: &Path) {
    use std::collections::BTreeSet;
    /// The folders that this run has swept: each once, however many files are written there.
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    // What cannot be looked at is left alone.
    let Ok(entries) = fs::read_dir(folder) else { return };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter(|path| is_named_unfinished(path) && is_left_over(path))
        .for_each(|path| super::remove(&path));
}

#[cfg(not(unix))]
fn sweep(_: &Path) {}

/// Tells whether a file is named `.elf-PID-N.tmp`.
#[cfg(unix)]
fn is_named_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let numbers = name.and_then(|name| name.strip_prefix(".elf-")?.strip_suffix(".tmp")?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Tells whether nobody writes a file any more.
#[cfg(unix)]
fn is_left_over(path: &Path) -> bool {
    const AGE: std::time::Duration = std::time::Duration::from_secs(3600);
    let is_old = |file: &fs::Metadata| {
        file.is_file() && file.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > AGE))
    };
    // A link is none of ours, and a pipe would not open.
    fs::symlink_metadata(path).is_ok_and(|file| is_old(&file))
        && File::open(path).is_ok_and(|file| {
            rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok()
        })
}

/// Has two files exchange their names at once, where the system and the file system know how.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Waits until new names survive a power cut, and until a program that opened a file by its name just before
/// has written to it.
fn settle(place: &Path) {
    sync_folder(place);
    std::thread::sleep(std::time::Duration::from_millis(1));
}

/// Has the name of a file that is in its place survive a power cut too, where the system knows how.
fn sync_folder(place: &Path) {
    #[cfg(unix)]
    if let Some(folder) = place.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // The written file is complete in any case.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = place;
}

/// Removes all unfinished files and ends the process by `end`. None is made or moved on the way.
#[cfg(any(unix, windows))]
fn give_up(end: impl FnOnce()) {
    let all = all();
    all.iter().for_each(|path| drop(fs::remove_file(path)));
    end();
}

/// Has the signals by which somebody ends a process remove the unfinished files first, and then end it as
/// they always do; no thread is waited for. One that the run was started to ignore, as `nohup` and a shell in
/// the background have it, stays ignored.
#[cfg(unix)]
fn heed_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    // If the system does not say, assume that a hangup may be ignored.
    let ignored = [(SIGHUP, true), (SIGINT, false), (SIGQUIT, false), (SIGTERM, false)];
    let heeded = ignored.iter().filter(|(signal, unknown)| !ignores(*signal).unwrap_or(*unknown));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(heeded.map(|(signal, _)| signal)) else {
        return;
    };
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

/// Returns whether a signal is ignored, if the system says so.
#[cfg(unix)]
fn ignores(signal: i32) -> Option<bool> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & 1 << (signal - 1) != 0)
}

/// Has Ctrl-C, and a console that is closed, remove the unfinished files before they end the process.
#[cfg(windows)]
fn heed_signals() {
    /// The status of a process that Ctrl-C has ended, `STATUS_CONTROL_C_EXIT`.
    const ENDED: i32 = 0xC000_013A_u32.cast_signed();
    // Without it, temporary files would be left behind.
    let _ = ctrlc::set_handler(|| give_up(|| std::process::exit(ENDED)));
}

#[cfg(not(any(unix, windows)))]
fn heed_signals() {}

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
        hold(&held);
        File::create(folder.path().join(".elf-3-0.tmp")).unwrap();
        let (_, written) = Unfinished::create_beside(&folder.path().join("out.ged")).unwrap();
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
