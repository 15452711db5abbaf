//! Files, standard input and standard output. Nothing outside this folder opens any.
//!
//! A small input is read whole, a large one in runs. An output is written to a file beside its place and renamed when
//! it is complete, so a failure leaves the old file. After a pipe is closed, what is written to it is discarded without
//! an error.
//!
//! `output` writes one output, `places` chooses the places of many, `listing` finds the files that arguments name, and
//! `unfinished` removes incomplete files.
#![allow(clippy::disallowed_methods, reason = "the one place that touches files")]

mod listing;
mod output;
mod places;
mod seen;
mod unfinished;
mod waiting;

pub(crate) use listing::{
    FileList, FileOrMember, Listed, Source, find_source, in_place_obstacle, is_pipe_or_device, list_files,
};
pub(crate) use output::{Output, ignore_file_size_signal};
#[cfg(feature = "mcp")]
pub(crate) use places::write_new;
pub(crate) use places::{OutputPaths, create_backup};
#[cfg(feature = "mcp")]
pub(crate) use seen::lock_path;
pub(crate) use waiting::WaitingText;

use crate::meter::{CountingReader, Meter};
use elf_check::runs::Restart;
use listing::split_archive_path;
use seen::FileStamp;
use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

/// The number of bytes to read at once.
const BLOCK: usize = 1 << 20;

/// The size of the buffer of an output in bytes.
const BUFFER: usize = 1 << 16;

/// Returns whether `path` is `-`, which is standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads all bytes of `path`, or of standard input for `-`. `meter` counts them.
pub(crate) fn read_path(path: &Path, meter: &Meter) -> io::Result<Vec<u8>> {
    if is_standard(path) {
        return read_blocks(meter.count_reads(io::stdin().lock(), None), 0);
    }
    open_input(path, meter)?.into_bytes()
}

/// Reads all bytes of a source. `meter` counts them.
pub(crate) fn read_source(source: &Source, meter: &Meter) -> io::Result<Vec<u8>> {
    match (source, source.open_packed()?) {
        (_, Some(unpacked)) => read_blocks(meter.count_reads(unpacked, None), 0),
        (Source::File(path), None) => read_path(path, meter),
        (_, None) => Err(ErrorKind::NotFound.into()),
    }
}

/// The content of a file, which can be read several times.
pub(crate) enum Input {
    /// All bytes of a small file, or of an input that can be read only once.
    Bytes(Vec<u8>),
    File(LargeFile),
}

/// A file that is read several times. It is an error if it changes in between, because each reading uses results of the
/// one before.
pub(crate) struct LargeFile {
    file: CountingReader<File>,
    stamp: FileStamp,
}

impl Input {
    pub(crate) fn from_file(file: File, meter: &Meter) -> io::Result<Input> {
        let metadata = file.metadata()?;
        let file = meter.count_reads(file, Some(metadata.len()));
        Ok(Input::File(LargeFile { file, stamp: FileStamp::of(&metadata) }))
    }
}

impl Read for LargeFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        let is_at_end = count == 0 && !buffer.is_empty();
        if is_at_end && FileStamp::of(&self.file.get_ref().metadata()?) != self.stamp {
            return Err(io::Error::other("it changed while it was read"));
        }
        Ok(count)
    }
}

impl Input {
    /// The size in bytes.
    pub(crate) fn size(&mut self) -> io::Result<u64> {
        match self {
            Input::Bytes(bytes) => Ok(bytes.len() as u64),
            Input::File(large) => large.file.seek(SeekFrom::End(0)),
        }
    }

    /// Returns all bytes.
    ///
    /// # Errors
    ///
    /// Also if there are more than 4 GiB, which no document can hold.
    pub(crate) fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Input::Bytes(bytes) => Ok(bytes),
            Input::File(mut large) => {
                let size = large.file.seek(SeekFrom::End(0))?;
                large.file.rewind()?;
                if size > u64::from(u32::MAX) {
                    return Err(io::Error::other(
                        "it is larger than 4 GiB: only `check`, `convert`, `info`, `table` and `report` read such a file",
                    ));
                }
                read_blocks(large, size)
            }
        }
    }
}

impl Restart for Input {
    fn restart(&mut self) -> io::Result<Box<dyn Read + '_>> {
        match self {
            Input::Bytes(bytes) => Ok(Box::new(&**bytes)),
            Input::File(large) => {
                large.file.rewind()?;
                Ok(Box::new(large))
            }
        }
    }
}

/// The largest file, in bytes, that is read into memory at once.
const SMALL: u64 = 8 << 20;

/// Opens `path`, or standard input for `-`. `meter` counts the bytes that are read.
pub(crate) fn open_input(path: &Path, meter: &Meter) -> io::Result<Input> {
    if is_standard(path) {
        return Ok(Input::Bytes(read_path(path, meter)?));
    }
    let file = File::open(path)?;
    let metadata = file.metadata();
    metadata.iter().filter(|metadata| metadata.is_file()).for_each(|file| seen::remember_state(path, file));
    // Devices and pipes have no size, and are read once.
    let size = metadata.ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    match size {
        Some(size) if size > SMALL => Input::from_file(file, meter),
        size => Ok(Input::Bytes(read_blocks(meter.count_reads(file, size), size.unwrap_or(0))?)),
    }
}

/// Opens a source. `meter` counts the bytes that are read.
pub(crate) fn open_source(source: &Source, meter: &Meter) -> io::Result<Input> {
    match (source, source.open_packed()?) {
        (_, Some(unpacked)) => Ok(Input::Bytes(read_blocks(meter.count_reads(unpacked, None), 0)?)),
        (Source::File(path), None) => open_input(path, meter),
        (_, None) => Err(ErrorKind::NotFound.into()),
    }
}

/// Reads the whole of a file as if for the first time: what it was at an earlier reading no longer counts.
#[cfg(feature = "mcp")]
pub(crate) fn read_source_again(source: &Source, meter: &Meter) -> io::Result<Vec<u8>> {
    if let Source::File(path) = source {
        seen::forget_state(path);
    }
    read_source(source, meter)
}

/// The size of a file, and when it was last changed.
#[cfg(feature = "mcp")]
pub(crate) fn marks(path: &Path) -> io::Result<(u64, Option<std::time::SystemTime>)> {
    let metadata = fs::metadata(split_archive_path(path).map_or(path, |(archive, _)| archive))?;
    Ok((metadata.len(), metadata.modified().ok()))
}

/// Opens an archive to read its other files.
pub(crate) fn open_archive(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Opens the target of a relative link, if it is a file inside the folder. Neither `..` nor a symbolic link may lead
/// out of the folder.
pub(crate) fn open_within(folder: &Path, link: &str) -> Option<File> {
    let link = Path::new(link);
    let is_step = |step: Component<'_>| matches!(step, Component::Normal(_));
    if link.as_os_str().is_empty() || !link.components().all(is_step) {
        return None;
    }
    let place = find_file(&folder.join(link))?;
    path_within(folder, &place).and_then(|_| File::open(place).ok())
}

/// Removes `..` and the step before it, as Windows and web addresses do: `photos/../a.jpg` is `a.jpg`, even if there is
/// no folder `photos`.
fn without_back_steps(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for step in path.components() {
        match (step, plain.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => _ = plain.pop(),
            _ => plain.push(step),
        }
    }
    plain
}

/// Returns the full path of the file at `path`, after `..` is removed. `None` if there is no file.
pub(crate) fn find_file(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(without_back_steps(path)).ok().filter(|path| path.is_file())
}

/// Returns the path of `file` relative to `folder`, with `/` between its steps. `file` is a full path. `None` if the
/// folder does not contain it.
pub(crate) fn path_within(folder: &Path, file: &Path) -> Option<String> {
    let inside = file.strip_prefix(fs::canonicalize(folder).ok()?).ok()?;
    let steps: Option<Vec<&str>> = inside.iter().map(|step| step.to_str()).collect();
    Some(steps?.join("/"))
}

pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    File::open(path)
}

pub(crate) fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// An input that is copied without being parsed: a file, or standard input (`None`).
pub(crate) struct InputFile(Option<File>);

/// Opens `path`, or standard input for `-`, for [`Output::copy`].
pub(crate) fn open_to_copy(path: &Path) -> io::Result<InputFile> {
    if is_standard(path) {
        return Ok(InputFile(None));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    Ok(InputFile(Some(file)))
}

/// Reads all bytes. `size` is the expected size: a right one saves copying, a wrong one costs little.
fn read_blocks(mut input: impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    let size = usize::try_from(size).map_err(|_| ErrorKind::OutOfMemory)?;
    octets.try_reserve_exact(size).map_err(|_| ErrorKind::OutOfMemory)?;
    loop {
        if octets.len() == octets.capacity() {
            octets.try_reserve(BLOCK).map_err(|_| ErrorKind::OutOfMemory)?;
        }
        if input.by_ref().take(BLOCK as u64).read_to_end(&mut octets)? == 0 {
            return Ok(octets);
        }
    }
}

/// Returns the full path of an existing file or folder, with links resolved.
pub(crate) fn full_path(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// What a path names, however it is spelled.
#[cfg(feature = "mcp")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity {
    /// The full path of the file or archive.
    path: PathBuf,
    /// The file in the archive.
    inner: Option<String>,
}

#[cfg(feature = "mcp")]
impl FileIdentity {
    /// Paths with the same identity lead to the same file, also through links.
    pub(crate) fn of(path: &Path) -> FileIdentity {
        let (file, inner) =
            split_archive_path(path).map_or((path, None), |(file, inner)| (file, Some(inner)));
        let path = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        FileIdentity { path, inner: inner.map(str::to_owned) }
    }
}

/// Reads a file. Returns `None` if it has more than `most` bytes.
pub(crate) fn read_small(path: &Path, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut octets = Vec::new();
    File::open(path)?.take(most as u64 + 1).read_to_end(&mut octets)?;
    Ok((octets.len() <= most).then_some(octets))
}

/// What a name in a folder refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookupResult {
    /// No file: nothing, a folder, a pipe or a device.
    Nothing,
    File,
    /// A link to a file outside the folder.
    LinkOutside,
}

/// Looks for a file in a folder without opening it. `folder` is a full path.
pub(crate) fn look_up_in_folder(folder: &Path, name: &str) -> LookupResult {
    let path = folder.join(name);
    let is_file = |path: &Path| fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    match fs::symlink_metadata(&path) {
        Ok(metadata) if metadata.is_file() => LookupResult::File,
        Ok(metadata) if metadata.is_symlink() && is_file(&path) => match fs::canonicalize(&path) {
            Ok(target) if target.starts_with(folder) => LookupResult::File,
            _ => LookupResult::LinkOutside,
        },
        _ => LookupResult::Nothing,
    }
}

/// The user's cache folder, if the environment names one.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || {
        if cfg!(windows) {
            return folder("LOCALAPPDATA");
        }
        let beneath = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        Some(folder("HOME")?.join(beneath))
    };
    folder("XDG_CACHE_HOME").or_else(usual)
}

/// Creates a folder and its missing parents.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Creates a folder and its missing parents, which only their owner may read. Folders that exist stay as they are.
#[cfg(feature = "mcp")]
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut folder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.recursive(true).create(path)
}

/// Describes an error in a few words.
pub(crate) fn describe_error(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a directory".to_owned(),
        ErrorKind::OutOfMemory => "it does not fit into memory".to_owned(),
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        ErrorKind::InvalidFilename => "the name is too long or not valid on this system".to_owned(),
        ErrorKind::NotADirectory => "a part of its path is not a folder".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        ErrorKind::AlreadyExists => "a file with this name exists".to_owned(),
        ErrorKind::FileTooLarge => "it would exceed the maximum file size".to_owned(),
        _ => {
            let said = error.to_string();
            said.split_once(" (os error").map_or(&*said, |(reason, _)| reason).to_owned()
        }
    }
}

/// Removes a file. Errors are ignored.
pub(crate) fn remove_file(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Returns whether `stream` is a terminal that shows colours.
pub(crate) fn is_coloured(stream: &impl anstream::stream::RawStream) -> bool {
    !matches!(anstream::AutoStream::choice(stream), anstream::ColorChoice::Never)
}

/// The width in columns of the terminal on standard error, if there is one.
pub(crate) fn terminal_width() -> Option<usize> {
    let stderr = io::stderr();
    stderr.is_terminal().then(|| terminal_size::terminal_size_of(stderr)).flatten().and_then(usable_width)
}

/// The width of a terminal in columns. `None` if it is too narrow to be useful.
fn usable_width((width, _): (terminal_size::Width, terminal_size::Height)) -> Option<usize> {
    Some(usize::from(width.0)).filter(|&width| width >= 40)
}

/// Returns whether writing `output` would overwrite what `input` reads, also through a link, standard input or an
/// archive. Standard output and devices overwrite nothing.
pub(crate) fn would_overwrite(input: &Path, output: &Path) -> bool {
    if is_standard(output) {
        return false;
    }
    let input = split_archive_path(input).map_or(input, |(archive, _)| archive);
    let (Ok(place), Ok(metadata)) = (fs::canonicalize(output), fs::metadata(output)) else { return false };
    if !metadata.is_file() {
        return false;
    }
    if is_standard(input) {
        return standard_input().is_some_and(|input| is_same_file(&input, &metadata));
    }
    fs::canonicalize(input).is_ok_and(|input| input == place)
        || fs::metadata(input).is_ok_and(|input| is_same_file(&input, &metadata))
}

/// Returns whether two outputs would be written to the same place.
pub(crate) fn is_same_place(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?))
    };
    one == other || would_overwrite(one, other) || full(one).is_some_and(|one| full(other) == Some(one))
}

#[cfg(unix)]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn standard_input() -> Option<fs::Metadata> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned().ok()?;
    File::from(input).metadata().ok()
}

#[cfg(not(unix))]
fn standard_input() -> Option<fs::Metadata> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_in_blocks_reads_everything() {
        let octets: Vec<u8> = (0..=255).cycle().take(3 * BLOCK + 17).collect();
        for size in [0, 1, octets.len() as u64, 10 * BLOCK as u64] {
            assert_eq!(read_blocks(&*octets, size).unwrap(), octets);
        }
    }

    #[test]
    fn a_file_too_large_to_be_read_as_a_whole_is_not_read_at_all() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 33).unwrap();
        let error = Input::from_file(file, &Meter::default()).unwrap().into_bytes().unwrap_err();
        assert!(error.to_string().starts_with("it is larger than 4 GiB"), "{error}");
    }

    #[test]
    fn an_input_can_be_read_again_whatever_its_size() {
        let folder = tempfile::tempdir().unwrap();
        for size in [0, 17, SMALL + 17] {
            let octets: Vec<u8> = (0..=255).cycle().take(usize::try_from(size).unwrap()).collect();
            let path = folder.path().join("in.ged");
            fs::write(&path, &octets).unwrap();
            let mut input = open_input(&path, &Meter::default()).unwrap();
            assert_eq!(matches!(input, Input::File(_)), size > SMALL);
            for _ in 0..2 {
                let mut read = Vec::new();
                input.restart().unwrap().read_to_end(&mut read).unwrap();
                assert!(read == octets);
            }
            assert_eq!(input.size().unwrap(), size);
            assert!(input.into_bytes().unwrap() == octets);
        }
    }

    #[test]
    fn an_input_is_known_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.ged");
        fs::write(&path, "0 HEAD").unwrap();
        let other = folder.path().join("other.ged");
        fs::hard_link(&path, &other).unwrap();
        let around = folder.path().join(".").join("in.ged");
        assert!(would_overwrite(&path, &path));
        assert!(would_overwrite(&path, &around));
        assert!(would_overwrite(&path, &other) || cfg!(not(unix)));
        assert!(!would_overwrite(&path, &folder.path().join("new.ged")));
        assert!(!would_overwrite(&path, folder.path()) && !would_overwrite(&path, Path::new("-")));
    }
}
