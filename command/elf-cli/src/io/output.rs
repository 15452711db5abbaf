//! Outputs: standard output, or a file that is written beside its place and then renamed.

use super::unfinished::UnfinishedFile;
use super::{BUFFER, InputFile, is_coloured, is_standard, seen, terminal_width, usable_width};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stderr, StdoutLock, Write};
use std::path::{Path, PathBuf};

/// The destination of a command's data: standard output, or a file that appears when it is complete.
pub(crate) struct Output {
    to: Destination,
    closed: bool,
    /// True until anything is written.
    is_empty: bool,
}

enum Destination {
    Standard(BufWriter<StdoutLock<'static>>),
    Error(BufWriter<Stderr>),
    /// A device or named pipe, which is written directly.
    Device(BufWriter<File>),
    /// A temporary file beside its place, and the file that it replaces.
    File(BufWriter<File>, UnfinishedFile, ReplacedFile),
}

/// The file to replace, and the path that led to it through links.
struct ReplacedFile {
    path: PathBuf,
    place: PathBuf,
}

/// The number of symbolic links to follow to a missing file. Most systems use the same limit.
const MOST_LINKS: usize = 40;

/// Follows symbolic links to the file that will be replaced, which may not exist yet. The link itself stays.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&place) else { return Ok(place) };
        place = place.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    Err(io::Error::other("its symbolic links form a circle"))
}

/// Opens the device or pipe at `path`. `None` if there is a file or folder. (The link `/dev/stdout` may lead to a pipe
/// that has no path.)
fn open_device(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            OpenOptions::new().write(true).open(path).map(Some)
        }
        _ => Ok(None),
    }
}

impl Output {
    pub(crate) fn standard_output() -> Output {
        let to = Destination::Standard(BufWriter::with_capacity(BUFFER, io::stdout().lock()));
        Output { to, closed: false, is_empty: true }
    }

    /// Standard error, as an output of data.
    pub(crate) fn standard_error() -> Output {
        let to = Destination::Error(BufWriter::with_capacity(BUFFER, io::stderr()));
        Output { to, closed: false, is_empty: true }
    }

    /// Opens the file at `path`, or standard output for `-`. An existing file stays unchanged until
    /// [`finish`](Output::finish).
    ///
    /// # Errors
    ///
    /// An error if no file can be created beside `path`, or if the existing file must not be replaced: it is read-only,
    /// has hard links, or belongs to a user to whom the new file cannot be given.
    pub(crate) fn create(path: &Path) -> io::Result<Output> {
        if is_standard(path) {
            return Ok(Output::standard_output());
        }
        if let Some(device) = open_device(path)? {
            let to = Destination::Device(BufWriter::with_capacity(BUFFER, device));
            return Ok(Output { to, closed: false, is_empty: true });
        }
        let place = fs::canonicalize(path).or_else(|_| follow_links(path))?;
        let metadata = match fs::metadata(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            read => Some(read?),
        };
        if metadata.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(ErrorKind::IsADirectory.into());
        }
        metadata.as_ref().map_or(Ok(()), check_replaceable)?;
        let (file, beside) = UnfinishedFile::create_beside(&place).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::other("its folder does not exist"),
            _ => error,
        })?;
        if let Some(metadata) = metadata {
            copy_access(&file, &place, &metadata)?;
        }
        let replaced = ReplacedFile { path: path.to_owned(), place };
        Ok(Output {
            to: Destination::File(BufWriter::with_capacity(BUFFER, file), beside, replaced),
            closed: false,
            is_empty: true,
        })
    }

    /// Copies an input unchanged, inside the kernel if possible.
    pub(crate) fn copy(&mut self, input: InputFile) -> io::Result<()> {
        let result = match (input.0, &mut self.to) {
            (Some(mut file), Destination::Standard(writer)) => io::copy(&mut file, writer),
            (Some(mut file), Destination::Device(writer) | Destination::File(writer, ..)) => {
                io::copy(&mut file, writer)
            }
            (Some(mut file), Destination::Error(writer)) => io::copy(&mut file, writer),
            (None, _) => io::copy(&mut io::stdin().lock(), self.writer()),
        };
        self.is_empty = false;
        self.ignore_closed_pipe(result).map(|_| ())
    }

    /// Returns whether nothing was written.
    pub(crate) const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns whether the reader closed the pipe, so that more output is useless.
    pub(crate) const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns whether to write in colour: the output is a terminal, and neither `NO_COLOR` nor `CLICOLOR` forbids it.
    pub(crate) fn is_coloured(&self) -> bool {
        matches!(self.to, Destination::Standard(_)) && is_coloured(&io::stdout())
    }

    pub(crate) fn is_terminal(&self) -> bool {
        match self.to {
            Destination::Standard(_) => io::stdout().is_terminal(),
            Destination::Error(_) => io::stderr().is_terminal(),
            Destination::Device(_) | Destination::File(..) => false,
        }
    }

    /// The width in columns of the terminal that shows the output. `None` if it is not a terminal.
    pub(crate) fn terminal_width(&self) -> Option<usize> {
        match self.to {
            Destination::Standard(_) => {
                let stdout = io::stdout();
                stdout
                    .is_terminal()
                    .then(|| terminal_size::terminal_size_of(stdout))
                    .flatten()
                    .and_then(usable_width)
            }
            Destination::Error(_) => terminal_width(),
            Destination::Device(_) | Destination::File(..) => None,
        }
    }

    /// Writes what is buffered and puts a file in its place.
    ///
    /// # Errors
    ///
    /// Also if this run has read the file that is replaced, and another program has changed it since.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match self.to {
            Destination::Standard(_) | Destination::Error(_) | Destination::Device(_) => Ok(()),
            Destination::File(file, mut beside, ReplacedFile { path, place }) => {
                // Replace the existing file only after the new one is safely on the disk.
                file.get_ref().sync_all()?;
                match seen::lock_for_replacement(&path, file.get_ref())? {
                    Some(held) => beside.replace(&place, |old| held.expect_unchanged(old))?,
                    None => beside.move_to(&place)?,
                }
                seen::forget_state(&path);
                Ok(())
            }
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.to {
            Destination::Standard(writer) => writer,
            Destination::Error(writer) => writer,
            Destination::Device(writer) | Destination::File(writer, ..) => writer,
        }
    }

    fn ignore_closed_pipe<T: Default>(&mut self, result: io::Result<T>) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(T::default())
            }
            result => result,
        }
    }
}

impl Write for Output {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.write_all(octets)?;
        Ok(octets.len())
    }

    fn write_all(&mut self, octets: &[u8]) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        self.is_empty &= octets.is_empty();
        let result = self.writer().write_all(octets);
        self.ignore_closed_pipe(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.writer().flush();
        self.ignore_closed_pipe(result)
    }
}

/// Makes writing past the limit of the file size an error instead of a signal that ends the process.
pub(crate) fn ignore_file_size_signal() {
    // Nearly all systems use this number for the signal. On others, the run ends as it would without the handler.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(25, std::sync::Arc::default());
}

/// Gives a new file the owner, group, permissions and access control list of the file at `path`, which it will replace.
pub(super) fn copy_access(file: &File, path: &Path, of: &fs::Metadata) -> io::Result<()> {
    copy_owner(file, of)?;
    // Set the list first: otherwise the group permissions would apply to everybody in the list.
    copy_access_list(file, path)?;
    file.set_permissions(permissions_for_replacement(of))
}

#[cfg(unix)]
fn copy_owner(file: &File, of: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let made = file.metadata()?;
    let user = Some(of.uid()).filter(|&user| user != made.uid());
    let group = Some(of.gid()).filter(|&group| group != made.gid());
    if user.is_none() && group.is_none() {
        return Ok(());
    }
    let refused = "it belongs to another user or group, and the new file would not; name another output";
    fchown(file, user, group).map_err(|_| io::Error::other(refused))
}

#[cfg(not(unix))]
fn copy_owner(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Copies the access control list and the other extended attributes.
#[cfg(target_os = "linux")]
fn copy_access_list(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr, listxattr};
    use rustix::io::Errno;
    use std::ffi::CStr;
    const LIST: &CStr = c"system.posix_acl_access";
    const LOST: &str = "its access control list cannot be kept; name another output";
    /// The limit of Linux for one value and for the list of all names, in bytes.
    const MOST: usize = 1 << 16;
    let mut value = Vec::with_capacity(MOST);
    match getxattr(path, LIST, rustix::buffer::spare_capacity(&mut value)) {
        Ok(_) => fsetxattr(file, LIST, &value, XattrFlags::empty()).map_err(|_| io::Error::other(LOST))?,
        Err(Errno::NODATA) => match fremovexattr(file, LIST) {
            // An inherited list of the folder has been removed, or there is none.
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(error.into()),
        },
        // Files have no access control lists on this system.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
        Err(_) => return Err(io::Error::other(LOST)),
    }
    let mut names = Vec::with_capacity(MOST);
    // If extended attributes are not supported or too large, the file is written without them.
    if listxattr(path, rustix::buffer::spare_capacity(&mut names)).is_ok() {
        for name in names.split(|&octet| octet == 0).filter(|name| name.starts_with(b"user.")) {
            value.clear();
            if getxattr(path, name, rustix::buffer::spare_capacity(&mut value)).is_ok() {
                let _ = fsetxattr(file, name, &value, XattrFlags::empty());
            }
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn copy_access_list(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The permissions for a file that replaces another one: the same, without set-user-ID and set-group-ID, because the
/// new content must not run with the rights of the owner.
fn permissions_for_replacement(of: &fs::Metadata) -> fs::Permissions {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::from_mode(
        std::os::unix::fs::PermissionsExt::mode(&of.permissions()) & 0o1777,
    );
    #[cfg(not(unix))]
    of.permissions()
}

/// Refuses to replace a file if that might surprise its user.
fn check_replaceable(file: &fs::Metadata) -> io::Result<()> {
    if file.permissions().readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(file) > 1 {
        let message =
            "it is a hard link, and its other names would keep the old content; name another output";
        return Err(io::Error::other(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_appears_once_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ged");
        fs::write(&path, "before").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"after").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"before");
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_output_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ged");
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"half").unwrap();
        drop(output);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ged");
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link.ged");
        std::os::unix::fs::symlink("out.ged", &link).unwrap();
        let mut output = Output::create(&link).unwrap();
        output.write_all(b"after").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        // A chain of links may lead to a file that does not exist yet.
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        std::os::unix::fs::symlink("second", &first).unwrap();
        std::os::unix::fs::symlink("new.ged", &second).unwrap();
        let mut output = Output::create(&first).unwrap();
        output.write_all(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(folder.path().join("new.ged")).unwrap(), b"new");
        assert!(fs::symlink_metadata(&first).unwrap().is_symlink());
        // Links that form a cycle lead nowhere.
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        std::os::unix::fs::symlink("other", &one).unwrap();
        std::os::unix::fs::symlink("one", &other).unwrap();
        assert!(Output::create(&one).is_err());
        assert!(fs::symlink_metadata(&one).unwrap().is_symlink());
    }

    #[test]
    fn outputs_of_many_threads_do_not_take_each_other_for_unfinished() {
        let folder = tempfile::tempdir().unwrap();
        let write = |thread: usize| {
            for _ in 0..200 {
                let path = folder.path().join(format!("{thread}.ged"));
                let mut output = Output::create(&path).unwrap();
                output.write_all(b"whole").unwrap();
                output.finish().unwrap();
                assert_eq!(fs::read(&path).unwrap(), b"whole");
            }
        };
        std::thread::scope(|scope| (0..8).for_each(|thread| drop(scope.spawn(move || write(thread)))));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 8);
    }

    #[test]
    fn a_file_that_changed_since_it_was_read_is_left_alone() {
        use crate::io::open_input;
        use crate::meter::Meter;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.ged");
        let edit = |between: &dyn Fn()| {
            fs::write(&path, "0 HEAD\n").unwrap();
            let octets = open_input(&path, &Meter::default()).unwrap().into_bytes().unwrap();
            between();
            let mut output = Output::create(&path).unwrap();
            output.write_all(&octets).unwrap();
            output.write_all(b"0 TRLR\n").unwrap();
            output.finish()
        };
        edit(&|| {}).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"0 HEAD\n0 TRLR\n");
        // Text appended, text of the same length, another file, and no file.
        edit(&|| fs::write(&path, "0 HEAD\n0 @I1@ INDI\n").unwrap()).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"0 HEAD\n0 @I1@ INDI\n");
        edit(&|| fs::remove_file(&path).unwrap()).unwrap_err();
        assert!(!path.exists());
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
        let touch =
            || File::options().write(true).open(&path).and_then(|file| file.set_modified(later)).unwrap();
        let error = edit(&touch).unwrap_err();
        assert!(error.to_string().contains("changed after it was read"), "{error}");
        // The time of change was reset, and permissions were removed.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let put_back = || {
                let was = fs::metadata(&path).unwrap().modified().unwrap();
                // File times are only as exact as the system clock.
                std::thread::sleep(std::time::Duration::from_millis(20));
                fs::write(&path, "0 head\n").unwrap();
                File::options().write(true).open(&path).and_then(|file| file.set_modified(was)).unwrap();
            };
            edit(&put_back).unwrap_err();
            assert_eq!(fs::read(&path).unwrap(), b"0 head\n");
            edit(&|| fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap()).unwrap_err();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside");
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
    fn what_is_written_while_a_file_is_replaced_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let [place, other] = ["in.ged", "other.ged"].map(|name| folder.path().join(name));
        for file in [&place, &other] {
            fs::write(file, "").unwrap();
        }
        if let Err(error) = crate::io::unfinished::exchange_names(&place, &other) {
            eprintln!("files do not exchange their names here, nothing is tested: {error}");
            return;
        }
        fs::remove_file(&other).unwrap();
        // `meanwhile` is what another program does between the exchange of the names and the check of the old file.
        let replace = |meanwhile: &dyn Fn(&Path) -> io::Result<()>| {
            fs::write(&place, "old").unwrap();
            let (mut file, mut beside) = UnfinishedFile::create_beside(&place).unwrap();
            file.write_all(b"new").unwrap();
            beside.replace(&place, meanwhile)
        };
        let read_all = || {
            let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
            let mut all: Vec<String> = names.map(|name| fs::read_to_string(name).unwrap()).collect();
            all.sort();
            all
        };
        replace(&|_| Ok(())).unwrap();
        assert_eq!(read_all(), ["new"]);
        replace(&|old| fs::write(old, "other").and(Err(ErrorKind::Other.into()))).unwrap_err();
        assert_eq!(read_all(), ["other"]);
        // Another program writes to the new file at once, or puts a file of its own there.
        let error = replace(&|old| {
            fs::write(old, "other")?;
            fs::write(&place, "new and more")?;
            Err(ErrorKind::Other.into())
        });
        assert!(error.unwrap_err().to_string().contains(".elf-"));
        assert_eq!((fs::read_to_string(&place).unwrap().as_str(), read_all().len()), ("other", 2));
        assert!(read_all().contains(&"new and more".to_owned()));
        // Another program removes the file.
        let removed = replace(&|_| fs::remove_file(&place).and(Err(ErrorKind::Other.into())));
        assert!(removed.unwrap_err().to_string().contains(".elf-"));
        assert!(!place.exists() && read_all().contains(&"old".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn what_would_surprise_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("in.ged"), folder.path().join("other.ged"));
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let refused = |path: &Path| Output::create(path).err().unwrap().to_string();
        assert_eq!(refused(&path), "it is read-only");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o6754)).unwrap();
        fs::hard_link(&path, &other).unwrap();
        assert!(
            refused(&path).contains("it is a hard link") && refused(&other).contains("it is a hard link")
        );
        fs::remove_file(&other).unwrap();
        let output = Output::create(&path).unwrap();
        output.finish().unwrap();
        // The new file does not run with the rights of its owner.
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o754);
    }

    #[test]
    fn a_name_may_be_as_long_as_the_system_allows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("{}.ged", "n".repeat(251)));
        for text in [&b"one"[..], b"two"] {
            let mut output = Output::create(&path).unwrap();
            output.write_all(text).unwrap();
            output.finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), text);
        }
    }

    /// An access control list: another user may read and write, and the group may do nothing.
    #[cfg(target_os = "linux")]
    fn access_list() -> Vec<u8> {
        let mut list = 2_u32.to_le_bytes().to_vec();
        let entries =
            [(1_u16, 6_u16, u32::MAX), (2, 6, 12345), (4, 0, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)];
        for (tag, rights, whose) in entries {
            list.extend(tag.to_le_bytes().iter().chain(&rights.to_le_bytes()).chain(&whose.to_le_bytes()));
        }
        list
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
    fn lists_of_access_control_stay() {
        use rustix::buffer::spare_capacity;
        use rustix::fs::{XattrFlags, getxattr, setxattr};
        use std::os::unix::fs::PermissionsExt;
        const LIST: &str = "system.posix_acl_access";
        let get = |path: &Path, name: &str| {
            let mut value = Vec::with_capacity(1 << 16);
            getxattr(path, name, spare_capacity(&mut value)).ok().map(|_| value)
        };
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ged");
        fs::write(&path, "before").unwrap();
        if setxattr(&path, LIST, &access_list(), XattrFlags::empty()).is_err() {
            eprintln!("files have no lists of access control here: nothing is tested");
            return;
        }
        let has_notes = setxattr(&path, "user.note", b"mine", XattrFlags::empty()).is_ok();
        let (list, rights) = (get(&path, LIST), mode(&path));
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"after").unwrap();
        output.finish().unwrap();
        let copy = crate::io::create_backup(&path).unwrap();
        for path in [&path, &copy] {
            assert_eq!((get(path, LIST), mode(path)), (list.clone(), rights), "{}", path.display());
            assert_eq!(get(path, "user.note").is_some(), has_notes, "{}", path.display());
        }
        // A file that replaces one without a list does not get the default list of its folder.
        let plain = folder.path().join("plain.ged");
        fs::write(&plain, "before").unwrap();
        fs::set_permissions(&plain, fs::Permissions::from_mode(0o640)).unwrap();
        setxattr(folder.path(), "system.posix_acl_default", &access_list(), XattrFlags::empty()).unwrap();
        let mut output = Output::create(&plain).unwrap();
        output.write_all(b"after").unwrap();
        output.finish().unwrap();
        assert_eq!((get(&plain, LIST), mode(&plain)), (None, 0o640));
    }
}
