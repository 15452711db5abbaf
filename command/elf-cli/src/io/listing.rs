//! Finds the files that the arguments of a command name: files, folders, archives and patterns.

use super::{describe_error, is_standard};
use elf_archive::{ArchiveEntry, GEDCOM, find_gedcom, is_gedzip, is_genealogical, is_match};
use elf_tagged::elf_octets::FileKind;
use rayon::prelude::*;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file to read, or the reason why it is not read.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// The name for messages.
    pub(crate) name: PathBuf,
    /// The path below the folder in the arguments. For a packed file, the path as if it were unpacked: an archive
    /// counts as a folder.
    pub(crate) path_in_folder: PathBuf,
    pub(crate) source: Source,
}

/// A file on disk, or a file in an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileOrMember<'p> {
    /// The path of the file, or of the archive that contains it.
    pub(crate) path: &'p Path,
    /// The name inside the archive.
    pub(crate) member: Option<&'p str>,
}

impl Listed {
    /// The path of the file, or of the archive that contains it with the name inside the archive.
    pub(crate) fn place(&self) -> FileOrMember<'_> {
        FileOrMember {
            path: self.source.path_on_disk().unwrap_or(&self.name),
            member: self.source.name_in_archive(),
        }
    }

    /// The path below the folder in the arguments, with the name of the file itself. A file that gzip packed keeps the
    /// ending `.gz`.
    pub(crate) fn packed_path_in_folder(&self) -> PathBuf {
        let name = match &self.source {
            Source::Gzip(path) => path.file_name(),
            Source::File(_) | Source::Entry(..) | Source::Unreadable(_) => None,
        };
        name.map_or_else(|| self.path_in_folder.clone(), |name| self.path_in_folder.with_file_name(name))
    }
}

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A file, a device or standard input.
    File(PathBuf),
    /// A file packed with gzip.
    Gzip(PathBuf),
    /// An entry of an archive.
    Entry(Arc<Path>, Box<ArchiveEntry>),
    /// The file cannot be read, for this reason.
    Unreadable(String),
}

impl Source {
    /// Opens a packed source to read it once. `None` if it is not packed.
    pub(super) fn open_packed(&self) -> io::Result<Option<Box<dyn Read>>> {
        match self {
            Source::File(_) => Ok(None),
            Source::Gzip(path) => Ok(Some(Box::new(elf_archive::unpack_gzip(File::open(path)?)))),
            Source::Entry(archive, entry) => entry.open(File::open(archive)?).map(Some),
            Source::Unreadable(reason) => Err(io::Error::other(reason.clone())),
        }
    }

    /// The name of the file inside its archive, if it is in one.
    pub(crate) fn name_in_archive(&self) -> Option<&str> {
        match self {
            Source::Entry(_, entry) => Some(entry.name()),
            Source::File(_) | Source::Gzip(_) | Source::Unreadable(_) => None,
        }
    }

    /// The file on disk that contains the bytes.
    pub(crate) fn path_on_disk(&self) -> Option<&Path> {
        match self {
            Source::File(path) | Source::Gzip(path) => Some(path),
            Source::Entry(archive, _) => Some(archive),
            Source::Unreadable(_) => None,
        }
    }
}

/// Extensions of files in which other programs store family trees.
const OF_OTHER_PROGRAMS: [&str; 25] = [
    "ahn", "aq", "cft", "fbc", "fbk", "fdb", "ftb", "ftm", "ftmb", "ftw", "gno", "gpkg", "gramps", "gwb",
    "hmw", "mftpkg", "mftree", "paf", "pjc", "rmbackup", "rmgc", "rmtree", "sqz", "uftree", "zed",
];

pub(crate) struct FileList {
    pub(crate) files: Vec<Listed>,
    /// The number of files of other programs in the folders. They are not read.
    pub(crate) of_other_programs: u64,
}

/// Lists the files that `paths` name, in their order. Skips the folder `except`.
pub(crate) fn list_files(paths: &[PathBuf], except: Option<&Path>) -> FileList {
    let except = except.and_then(|folder| fs::canonicalize(folder).ok());
    let mut listing = Listing { except, ..Listing::default() };
    for path in paths {
        listing.add_matches(path);
    }
    let of_other_programs = listing.of_other_programs;
    FileList { files: listing.finish(), of_other_programs }
}

/// Returns the one file that `path` names, which may be packed.
///
/// # Errors
///
/// Why it does not name exactly one file.
pub(crate) fn find_source(path: &Path) -> Result<Source, String> {
    if !is_standard(path) && fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return Err("it is a folder: name one file".to_owned());
    }
    let mut listing = Listing::default();
    listing.add_named(path);
    let mut files = listing.files;
    // The other files of a GEDZIP archive are linked media.
    if is_gedzip(&path.to_string_lossy())
        && let Some(at) =
            find_gedcom(files.iter().map(|file| file.source.name_in_archive().unwrap_or_default()))
    {
        files.swap(0, at);
        files.truncate(1);
    }
    match (files.pop(), &files[..]) {
        (Some(file), []) => Ok(file.source),
        (Some(last), others) if is_gedzip(&path.to_string_lossy()) => Err(format!(
            "it contains several files, but no `{GEDCOM}`: name one of them, `{}` or `{}`{}",
            others.first().unwrap_or(&last).name.display(),
            last.name.display(),
            if others.len() > 1 { format!(" or one of {} more", others.len() - 1) } else { String::new() },
        )),
        (Some(file), _) => {
            Err(format!("it contains several files: name one of them, such as `{}`", file.name.display()))
        }
        (None, _) => Err("there is no genealogical file in it".to_owned()),
    }
}

/// Returns why the file at `path` cannot be overwritten, whatever it contains. `None` if it can.
pub(crate) fn in_place_obstacle(path: &Path) -> Option<&'static str> {
    if is_standard(path) {
        return Some("standard input cannot be overwritten: name a file, or omit `--in-place`");
    }
    if is_pipe_or_device(path) {
        return Some("a pipe or device cannot be overwritten: omit `--in-place`");
    }
    matches!(find_source(path), Ok(Source::Gzip(_) | Source::Entry(..)))
        .then_some("a packed file cannot be overwritten: name another file with `-o`")
}

/// Returns whether `path` is a pipe or a device. It can be read only once, and must not be replaced.
pub(crate) fn is_pipe_or_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The files found so far.
#[derive(Default)]
struct Listing {
    files: Vec<Listed>,
    /// Folders and archives without a genealogical file.
    empty: Vec<PathBuf>,
    /// The folder that is being searched.
    root: PathBuf,
    /// The full path of a folder to skip.
    except: Option<PathBuf>,
    /// The full paths of folders that have been searched.
    folders: Vec<PathBuf>,
    /// Links that lead out of a folder: the index of the refused file, and the target of the link.
    links_outside: Vec<(usize, PathBuf)>,
    of_other_programs: u64,
}

/// How a file is packed, by its first bytes.
#[derive(Default)]
struct Probe {
    packed: Option<FileKind>,
}

impl Listing {
    /// Adds the files that an argument names.
    fn add_named(&mut self, path: &Path) {
        let before = self.files.len();
        let metadata = if is_standard(path) { None } else { fs::metadata(path).ok() };
        if metadata.as_ref().is_some_and(fs::Metadata::is_dir) {
            // `*` expanded by a shell includes the output folder.
            if self.except.is_none() || fs::canonicalize(path).ok() != self.except {
                self.add_folder(path);
            }
        } else if metadata.is_some_and(|metadata| metadata.is_file()) {
            self.add_file(path.to_owned(), &probe_packing(path));
        } else if !self.add_named_in_archive(path) {
            self.add_listed(path.to_owned(), Source::File(path.to_owned()));
        }
        if self.files.len() == before {
            self.empty.push(path.to_owned());
        }
    }

    /// Adds the files that match an argument with `*` or `?`, in case the shell did not expand it. An argument without
    /// them, or a path that exists, names itself.
    fn add_matches(&mut self, path: &Path) {
        let has_pattern = |step: &OsStr| step.to_str().is_some_and(|step| step.contains(['*', '?']));
        let is_missing =
            || fs::symlink_metadata(path).is_err_and(|error| error.kind() != ErrorKind::PermissionDenied);
        if is_standard(path) || !path.iter().any(has_pattern) || !is_missing() {
            return self.add_named(path);
        }
        let before = self.files.len();
        let mut found = vec![PathBuf::new()];
        for step in path.iter() {
            found = match step.to_str().filter(|_| has_pattern(step)) {
                Some(pattern) => {
                    found.iter().flat_map(|folder| self.matching_paths(folder, pattern)).collect()
                }
                None => found.into_iter().map(|folder| folder.join(step)).collect(),
            };
        }
        // Patterns do not match pipes and devices.
        let is_wanted =
            |path: &PathBuf| fs::metadata(path).is_ok_and(|metadata| metadata.is_file() || metadata.is_dir());
        found.retain(is_wanted);
        if found.is_empty() && self.files.len() == before {
            self.add_named(path);
        }
        found.iter().for_each(|path| self.add_named(path));
    }

    /// The paths in a folder whose names match a pattern, sorted. An unreadable folder is added as a refused file.
    fn matching_paths(&mut self, folder: &Path, pattern: &str) -> Vec<PathBuf> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = match fs::read_dir(here) {
            Ok(entries) => entries,
            Err(error) => {
                if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                    self.add_refused(folder.to_owned(), &describe_error(&error));
                }
                return Vec::new();
            }
        };
        let mut names = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => self.add_refused(folder.to_owned(), &describe_error(&error)),
            }
        }
        names.retain(|name| {
            let name = name.to_string_lossy();
            (!name.starts_with('.') || pattern.starts_with('.')) && is_match(pattern, &name, cfg!(windows))
        });
        names.sort_unstable();
        names.iter().map(|name| folder.join(name)).collect()
    }

    fn add_listed(&mut self, name: PathBuf, source: Source) {
        let path = source.path_on_disk().unwrap_or(&name);
        let in_root = path.strip_prefix(&self.root).ok().filter(|_| !self.root.as_os_str().is_empty());
        let in_root = in_root.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
        let beneath = match (&source, in_root.extension()) {
            (Source::Entry(_, entry), _) => in_root.join(entry.name()),
            (Source::Gzip(_), Some(ending)) if ending.eq_ignore_ascii_case("gz") => {
                in_root.with_extension("")
            }
            _ => in_root.to_owned(),
        };
        self.files.push(Listed { name, path_in_folder: beneath, source });
    }

    fn add_refused(&mut self, name: PathBuf, reason: &str) {
        self.add_listed(name, Source::Unreadable(reason.to_owned()));
    }

    /// Adds the genealogical files of a folder and of its subfolders, sorted by path.
    fn add_folder(&mut self, root: &Path) {
        let whole = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let except = self.except.as_ref().filter(|except| except.starts_with(&whole));
        let is_wanted = |folder: &Path| {
            except.is_none_or(|except| fs::canonicalize(folder).map_or(true, |folder| folder != *except))
        };
        self.folders.push(whole.clone());
        let (mut folders, mut found) = (vec![root.to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    found.push((folder, Some(Refused::new(describe_error(&error)))));
                    continue;
                }
            };
            for entry in entries {
                match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
                    Ok((path, kind)) if kind.is_dir() => {
                        folders.extend(Some(path).filter(|path| is_wanted(path)))
                    }
                    Ok((path, kind)) if kind.is_symlink() => found.extend(resolve_link(path, &whole)),
                    Ok((path, kind)) if kind.is_file() && has_genealogical_name(&path) => {
                        found.push((path, None))
                    }
                    Ok((path, kind)) if kind.is_file() && is_of_other_program(&path) => {
                        self.of_other_programs += 1;
                    }
                    Ok(_) => {}
                    Err(error) => found.push((folder.clone(), Some(Refused::new(describe_error(&error))))),
                }
            }
        }
        found.sort_by(|(one, _), (other, _)| {
            one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes())
        });
        root.clone_into(&mut self.root);
        // Opening files to recognise them is slow, so do it on all threads.
        let probed: Vec<Option<Probe>> =
            found.par_iter().map(|(path, refused)| refused.is_none().then(|| probe_packing(path))).collect();
        for ((path, refused), probed) in found.into_iter().zip(probed) {
            match (refused, probed) {
                (None, Some(probed)) => self.add_file(path, &probed),
                (refused, _) => {
                    let Refused { reason, target } = refused.unwrap_or_default();
                    self.links_outside.extend(target.map(|target| (self.files.len(), target)));
                    self.add_refused(path, &reason);
                }
            }
        }
        self.root = PathBuf::new();
    }

    /// Removes refused links whose targets are read anyway under another name.
    fn remove_duplicate_links(&mut self) {
        if self.links_outside.is_empty() {
            return;
        }
        let paths = self.files.iter().filter_map(|file| file.source.path_on_disk());
        let read: HashSet<PathBuf> = paths.filter_map(|path| fs::canonicalize(path).ok()).collect();
        let is_read = |target: &Path| match target.is_dir() {
            true => self.folders.iter().any(|folder| target.starts_with(folder)),
            false => read.contains(target),
        };
        let links = self.links_outside.iter().filter(|(_, target)| is_read(target));
        let needless: HashSet<usize> = links.map(|(number, _)| *number).collect();
        let mut numbers = 0..;
        self.files.retain(|_| numbers.next().is_none_or(|number| !needless.contains(&number)));
    }

    /// Adds a file in an archive whose name is written as in messages, `archive.zip!inner.ged`. Returns whether `path`
    /// is such a name.
    fn add_named_in_archive(&mut self, path: &Path) -> bool {
        let Some((archive, _)) = split_archive_path(path) else { return false };
        let mut listing = Listing::default();
        listing.add_file(archive.to_owned(), &probe_packing(archive));
        match listing.files.into_iter().find(|file| file.name == path) {
            Some(file) => self.files.push(file),
            None => self.add_refused(path.to_owned(), "the archive has no such file"),
        }
        true
    }

    /// Adds a file or, for an archive, the files in it.
    fn add_file(&mut self, path: PathBuf, &Probe { packed }: &Probe) {
        match packed {
            None => self.add_listed(path.clone(), Source::File(path)),
            Some(FileKind::Gzip) => self.add_listed(path.clone(), Source::Gzip(path)),
            Some(_) => match list_entries(&path) {
                Ok(entries) => self.add_entries(&path, entries),
                Err(error) => self.add_refused(path, &describe_error(&error)),
            },
        }
    }

    fn add_entries(&mut self, path: &Path, entries: Vec<ArchiveEntry>) {
        let archive: Arc<Path> = path.into();
        let has_media = is_gedzip(&path.to_string_lossy());
        let mut known = HashSet::new();
        for entry in entries {
            let inner = Path::new(entry.name());
            // Skip the entries that macOS adds to archives. In a GEDZIP archive, another archive is a linked file.
            let is_none = entry.name().starts_with("__MACOSX/") || has_media && is_archive_name(inner);
            if is_none || !has_genealogical_name(inner) {
                continue;
            }
            let mut name = path.as_os_str().to_owned();
            name.push("!");
            name.push(entry.name());
            let name = PathBuf::from(name);
            let steps = entry.name().split('/').filter(|step| !matches!(*step, "" | "."));
            let is_new = known.insert(steps.collect::<Vec<_>>().join("/").to_lowercase());
            if is_archive_name(inner) {
                self.add_refused(name, "archives inside archives are not opened: unpack it");
            } else if let Some(reason) = entry.refusal() {
                self.add_refused(name, reason);
            } else if !is_new {
                let reason = "an earlier entry has the same name except for upper and lower case";
                self.add_refused(name, reason);
            } else {
                self.add_listed(name, Source::Entry(Arc::clone(&archive), Box::new(entry)));
            }
        }
    }

    /// Returns the files. If there are none, returns one refused entry for each empty folder or archive.
    fn finish(mut self) -> Vec<Listed> {
        self.remove_duplicate_links();
        if self.files.is_empty() {
            for path in std::mem::take(&mut self.empty) {
                let is_output = self.except.is_some() && fs::canonicalize(&path).ok() == self.except;
                let reason = match is_output {
                    true => "it is the output folder",
                    false => "there is no genealogical file in it",
                };
                self.add_refused(path, reason);
            }
        }
        self.files
    }
}

/// Why a file or folder inside a folder is skipped.
#[derive(Default)]
struct Refused {
    reason: String,
    /// The full path of the target of a link that leads out of the folder.
    target: Option<PathBuf>,
}

impl Refused {
    const fn new(reason: String) -> Refused {
        Refused { reason, target: None }
    }
}

/// Splits `archive.zip!inner.ged` into the archive and the file in it. `None` if there is no such archive.
pub(crate) fn split_archive_path(path: &Path) -> Option<(&Path, &str)> {
    let name = path.to_str().filter(|name| name.contains('!') && fs::symlink_metadata(path).is_err())?;
    let mut ends = name.match_indices('!').filter_map(|(end, _)| name.split_at_checked(end));
    let (archive, inner) = ends.find(|(archive, _)| is_file(Path::new(archive)))?;
    Some((Path::new(archive), inner.strip_prefix('!')?))
}

/// Decides about a link in a folder. A link to a file that does not have the name of a genealogical file is read as
/// one. Other links are skipped: a target in the same folder is found without the link.
fn resolve_link(link: PathBuf, root: &Path) -> Option<(PathBuf, Option<Refused>)> {
    let target = fs::canonicalize(&link);
    if target.as_ref().is_ok_and(|target| target.starts_with(root)) {
        let is_hidden = |target: &PathBuf| target.is_file() && !has_genealogical_name(target);
        return (has_genealogical_name(&link) && target.is_ok_and(|target| is_hidden(&target)))
            .then_some((link, None));
    }
    let reason = match &target {
        Ok(_) => "it is a link to a place outside the folder, which is not followed: name it to read it",
        Err(_) => "it is a broken link",
    };
    let is_folder = target.as_ref().is_ok_and(|target| target.is_dir());
    let refused = || Refused { reason: reason.to_owned(), target: target.ok() };
    (is_folder || has_genealogical_name(&link)).then(|| (link, Some(refused())))
}

/// Opens a file to learn how it is packed. If it cannot be opened, the error is reported when it is read.
fn probe_packing(path: &Path) -> Probe {
    let Ok(mut file) = File::open(path) else { return Probe::default() };
    Probe { packed: detect_packing(&mut file, path) }
}

/// Recognises a packed file by its first bytes.
fn detect_packing(file: &mut File, path: &Path) -> Option<FileKind> {
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    match start {
        [0x1F, 0x8B, 8, _] => return Some(FileKind::Gzip),
        [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6] => {}
        _ => return None,
    }
    let mut window = start.to_vec();
    file.take(FileKind::WINDOW as u64).read_to_end(&mut window).ok()?;
    match FileKind::of(&window) {
        Some(FileKind::OfficeDocument) => None,
        // Text may start like an archive, and an archive may contain uncompressed text.
        None if !is_archive_name(path) && list_entries(path).is_err() => None,
        _ => Some(FileKind::Zip),
    }
}

fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn has_genealogical_name(path: &Path) -> bool {
    is_genealogical(&path.to_string_lossy())
}

fn is_of_other_program(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| OF_OTHER_PROGRAMS.iter().any(|one| one.eq_ignore_ascii_case(extension)))
}

fn is_archive_name(path: &Path) -> bool {
    elf_archive::is_packed(&path.to_string_lossy())
}

fn list_entries(path: &Path) -> io::Result<Vec<ArchiveEntry>> {
    elf_archive::entries(File::open(path)?)
}
