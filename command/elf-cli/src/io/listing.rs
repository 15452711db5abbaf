//! The files that the arguments of a command stand for: those of folders, of archives, of patterns.

use super::{is_standard, reason};
use elf_archive::{ArchiveEntry, GEDCOM, find_gedcom, is_gedzip, is_genealogical, is_match};
use elf_tagged::elf_octets::FileKind;
use rayon::prelude::*;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file to be read, or the reason why one is not.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// The name in what is reported.
    pub(crate) name: PathBuf,
    /// The path under the folder that was named, as a file of its own: unpacked, an archive a folder.
    pub(crate) beneath: PathBuf,
    pub(crate) source: Source,
}

impl Listed {
    /// The path of the file that holds it, and its name in that where it is in an archive.
    pub(crate) fn place(&self) -> (&Path, Option<&str>) {
        (self.source.path().unwrap_or(&self.name), self.source.inner())
    }

    /// The path beneath the folder that was named, with the name that the file has there: one that gzip has packed
    /// keeps its ending.
    pub(crate) fn path_beneath(&self) -> PathBuf {
        let name = match &self.source {
            Source::Gzip(path) => path.file_name(),
            Source::File(_) | Source::Entry(..) | Source::Unreadable(_) => None,
        };
        name.map_or_else(|| self.beneath.clone(), |name| self.beneath.with_file_name(name))
    }
}

/// The place of a file's octets.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A file, a device, or standard input.
    File(PathBuf),
    /// A file that gzip has packed.
    Gzip(PathBuf),
    /// An entry of an archive.
    Entry(Arc<Path>, Box<ArchiveEntry>),
    /// None that can be read: why.
    Unreadable(String),
}

impl Source {
    /// Opens the source, to be read once.
    pub(super) fn unpack(&self) -> io::Result<Option<Box<dyn Read>>> {
        match self {
            Source::File(_) => Ok(None),
            Source::Gzip(path) => Ok(Some(Box::new(elf_archive::unpack_gzip(File::open(path)?)))),
            Source::Entry(archive, entry) => entry.open(File::open(archive)?).map(Some),
            Source::Unreadable(reason) => Err(io::Error::other(reason.clone())),
        }
    }

    /// The name of the file in its archive, if it is in one.
    pub(crate) fn inner(&self) -> Option<&str> {
        match self {
            Source::Entry(_, entry) => Some(entry.name()),
            Source::File(_) | Source::Gzip(_) | Source::Unreadable(_) => None,
        }
    }

    /// The file of the file system that holds the octets.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Source::File(path) | Source::Gzip(path) => Some(path),
            Source::Entry(archive, _) => Some(archive),
            Source::Unreadable(_) => None,
        }
    }
}

/// The extensions of files in which other programs keep family trees.
const OF_OTHER_PROGRAMS: [&str; 25] = [
    "ahn", "aq", "cft", "fbc", "fbk", "fdb", "ftb", "ftm", "ftmb", "ftw", "gno", "gpkg", "gramps", "gwb",
    "hmw", "mftpkg", "mftree", "paf", "pjc", "rmbackup", "rmgc", "rmtree", "sqz", "uftree", "zed",
];

/// The files that some paths stand for.
pub(crate) struct FileList {
    pub(crate) files: Vec<Listed>,
    /// The number of files of other programs in the folders, which are not read.
    pub(crate) of_other_programs: u64,
}

/// Lists the files that `paths` stand for, in their order; of folders without those in
/// the folder `except`.
pub(crate) fn list(paths: &[PathBuf], except: Option<&Path>) -> FileList {
    let except = except.and_then(|folder| fs::canonicalize(folder).ok());
    let mut listing = Listing { except, ..Listing::default() };
    for path in paths {
        listing.add_matches(path);
    }
    let of_other_programs = listing.of_other_programs;
    FileList { files: listing.finish(), of_other_programs }
}

/// Returns the one file that `path` stands for, unpacked where it is packed.
///
/// # Errors
///
/// The reason why it does not stand for one file.
pub(crate) fn one(path: &Path) -> Result<Source, String> {
    if !is_standard(path) && fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return Err("it is a folder: name one file".to_owned());
    }
    let mut listing = Listing::default();
    listing.add_named(path);
    let mut files = listing.files;
    // In a GEDZIP archive, files other than the GEDCOM file are linked media.
    if is_gedzip(&path.to_string_lossy())
        && let Some(at) = find_gedcom(files.iter().map(|file| file.source.inner().unwrap_or_default()))
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

/// Returns the reason why what `path` names cannot be overwritten, be in it what may, if there is one.
pub(crate) fn not_in_place(path: &Path) -> Option<&'static str> {
    if is_standard(path) {
        return Some("standard input cannot be overwritten: name a file, or omit `--in-place`");
    }
    if is_pipe_or_device(path) {
        return Some("a pipe or device cannot be overwritten: omit `--in-place`");
    }
    matches!(one(path), Ok(Source::Gzip(_) | Source::Entry(..)))
        .then_some("a packed file cannot be overwritten: name another file with `-o`")
}

/// Returns whether `path` names what is there once: read, it is gone, and its place is not to be taken.
pub(crate) fn is_pipe_or_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The files found so far.
#[derive(Default)]
struct Listing {
    files: Vec<Listed>,
    /// The folders and archives in which there is no genealogical file.
    empty: Vec<PathBuf>,
    /// The folder that is being looked through.
    root: PathBuf,
    /// The full path of a folder that is skipped.
    except: Option<PathBuf>,
    /// The full paths of the folders that were looked through.
    folders: Vec<PathBuf>,
    /// The links out of a folder: the number of the file that is refused for each, and what it leads to.
    links_outside: Vec<(usize, PathBuf)>,
    /// The number of files of other programs in folders.
    of_other_programs: u64,
}

/// How a file is packed, as its first octets show it.
#[derive(Default)]
struct Probe {
    packed: Option<FileKind>,
}

impl Listing {
    /// Adds what an argument stands for.
    fn add_named(&mut self, path: &Path) {
        let before = self.files.len();
        let metadata = if is_standard(path) { None } else { fs::metadata(path).ok() };
        if metadata.as_ref().is_some_and(fs::Metadata::is_dir) {
            // A shell that expands `*` includes the output folder.
            if self.except.is_none() || fs::canonicalize(path).ok() != self.except {
                self.add_folder(path);
            }
        } else if metadata.is_some_and(|metadata| metadata.is_file()) {
            self.add_file(path.to_owned(), &probe(path));
        } else if !self.add_inner(path) {
            self.push(path.to_owned(), Source::File(path.to_owned()));
        }
        if self.files.len() == before {
            self.empty.push(path.to_owned());
        }
    }

    /// Adds what an argument stands for, which may be a pattern that a shell has left: `*` and `?` in the
    /// steps of a path that does not exist. Anything else stands for itself.
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
                Some(pattern) => found.iter().flat_map(|folder| self.fitting(folder, pattern)).collect(),
                None => found.into_iter().map(|folder| folder.join(step)).collect(),
            };
        }
        // Patterns do not include pipes and devices.
        let is_wanted =
            |path: &PathBuf| fs::metadata(path).is_ok_and(|metadata| metadata.is_file() || metadata.is_dir());
        found.retain(is_wanted);
        if found.is_empty() && self.files.len() == before {
            self.add_named(path);
        }
        found.iter().for_each(|path| self.add_named(path));
    }

    /// The paths in a folder whose names fit a pattern, sorted; a folder that cannot be looked through is
    /// refused.
    fn fitting(&mut self, folder: &Path, pattern: &str) -> Vec<PathBuf> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = match fs::read_dir(here) {
            Ok(entries) => entries,
            Err(error) => {
                if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                    self.refuse(folder.to_owned(), &reason(&error));
                }
                return Vec::new();
            }
        };
        let mut names = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => self.refuse(folder.to_owned(), &reason(&error)),
            }
        }
        names.retain(|name| {
            let name = name.to_string_lossy();
            (!name.starts_with('.') || pattern.starts_with('.')) && is_match(pattern, &name, cfg!(windows))
        });
        names.sort_unstable();
        names.iter().map(|name| folder.join(name)).collect()
    }

    fn push(&mut self, name: PathBuf, source: Source) {
        let path = source.path().unwrap_or(&name);
        let in_root = path.strip_prefix(&self.root).ok().filter(|_| !self.root.as_os_str().is_empty());
        let in_root = in_root.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
        let beneath = match (&source, in_root.extension()) {
            (Source::Entry(_, entry), _) => in_root.join(entry.name()),
            (Source::Gzip(_), Some(ending)) if ending.eq_ignore_ascii_case("gz") => {
                in_root.with_extension("")
            }
            _ => in_root.to_owned(),
        };
        self.files.push(Listed { name, beneath, source });
    }

    /// Adds a file that cannot be read.
    fn refuse(&mut self, name: PathBuf, reason: &str) {
        self.push(name, Source::Unreadable(reason.to_owned()));
    }

    /// Adds the genealogical files of a folder and of those under it, sorted by path.
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
                    found.push((folder, Some(Refused::new(reason(&error)))));
                    continue;
                }
            };
            for entry in entries {
                match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
                    Ok((path, kind)) if kind.is_dir() => {
                        folders.extend(Some(path).filter(|path| is_wanted(path)))
                    }
                    Ok((path, kind)) if kind.is_symlink() => found.extend(through_link(path, &whole)),
                    Ok((path, kind)) if kind.is_file() && is_named_as_one(&path) => found.push((path, None)),
                    Ok((path, kind)) if kind.is_file() && is_of_other_program(&path) => {
                        self.of_other_programs += 1;
                    }
                    Ok(_) => {}
                    Err(error) => found.push((folder.clone(), Some(Refused::new(reason(&error))))),
                }
            }
        }
        found.sort_by(|(one, _), (other, _)| {
            one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes())
        });
        root.clone_into(&mut self.root);
        // Opening a file to recognise it is slow.
        let probed: Vec<Option<Probe>> =
            found.par_iter().map(|(path, refused)| refused.is_none().then(|| probe(path))).collect();
        for ((path, refused), probed) in found.into_iter().zip(probed) {
            match (refused, probed) {
                (None, Some(probed)) => self.add_file(path, &probed),
                (refused, _) => {
                    let Refused { reason, target } = refused.unwrap_or_default();
                    self.links_outside.extend(target.map(|target| (self.files.len(), target)));
                    self.refuse(path, &reason);
                }
            }
        }
        self.root = PathBuf::new();
    }

    /// Takes away the links out of a folder that lead to what is read by another name: then they are not left
    /// out.
    fn pass_over_links(&mut self) {
        if self.links_outside.is_empty() {
            return;
        }
        let paths = self.files.iter().filter_map(|file| file.source.path());
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

    /// Adds a file in an archive that is called as in what is reported, `archive.zip!inner.ged`, and tells
    /// whether `path` is such a name.
    fn add_inner(&mut self, path: &Path) -> bool {
        let Some((archive, _)) = archive_of(path) else { return false };
        let mut listing = Listing::default();
        listing.add_file(archive.to_owned(), &probe(archive));
        match listing.files.into_iter().find(|file| file.name == path) {
            Some(file) => self.files.push(file),
            None => self.refuse(path.to_owned(), "the archive has no such file"),
        }
        true
    }

    /// Adds a file, or the files in it where it is an archive.
    fn add_file(&mut self, path: PathBuf, &Probe { packed }: &Probe) {
        match packed {
            None => self.push(path.clone(), Source::File(path)),
            Some(FileKind::Gzip) => self.push(path.clone(), Source::Gzip(path)),
            Some(_) => match list_entries(&path) {
                Ok(entries) => self.add_entries(&path, entries),
                Err(error) => self.refuse(path, &reason(&error)),
            },
        }
    }

    fn add_entries(&mut self, path: &Path, entries: Vec<ArchiveEntry>) {
        let archive: Arc<Path> = path.into();
        let has_media = is_gedzip(&path.to_string_lossy());
        let mut known = HashSet::new();
        for entry in entries {
            let inner = Path::new(entry.name());
            // Skip the extra entries that macOS adds to archives. In a GEDZIP archive, another archive is a linked
            // file.
            let is_none = entry.name().starts_with("__MACOSX/") || has_media && is_archive_name(inner);
            if is_none || !is_named_as_one(inner) {
                continue;
            }
            let mut name = path.as_os_str().to_owned();
            name.push("!");
            name.push(entry.name());
            let name = PathBuf::from(name);
            let steps = entry.name().split('/').filter(|step| !matches!(*step, "" | "."));
            let is_new = known.insert(steps.collect::<Vec<_>>().join("/").to_lowercase());
            if is_archive_name(inner) {
                self.refuse(name, "archives inside archives are not opened: unpack it");
            } else if let Some(reason) = entry.refusal() {
                self.refuse(name, reason);
            } else if !is_new {
                let reason = "an earlier entry has the same name except for upper and lower case";
                self.refuse(name, reason);
            } else {
                self.push(name, Source::Entry(Arc::clone(&archive), Box::new(entry)));
            }
        }
    }

    /// The files; where there are none at all, the places where there should be some.
    fn finish(mut self) -> Vec<Listed> {
        self.pass_over_links();
        if self.files.is_empty() {
            for path in std::mem::take(&mut self.empty) {
                let is_output = self.except.is_some() && fs::canonicalize(&path).ok() == self.except;
                let reason = match is_output {
                    true => "it is the output folder",
                    false => "there is no genealogical file in it",
                };
                self.refuse(path, reason);
            }
        }
        self.files
    }
}

/// The reason why a thing in a folder is not looked at.
#[derive(Default)]
struct Refused {
    reason: String,
    /// The full path of what a link leads to, where that is outside the folder.
    target: Option<PathBuf>,
}

impl Refused {
    const fn new(reason: String) -> Refused {
        Refused { reason, target: None }
    }
}

/// Returns the archive that `path` names a file in, as in what is reported: `archive.zip!inner.ged`; and the
/// name of that file.
pub(crate) fn archive_of(path: &Path) -> Option<(&Path, &str)> {
    let name = path.to_str().filter(|name| name.contains('!') && fs::symlink_metadata(path).is_err())?;
    let mut ends = name.match_indices('!').filter_map(|(end, _)| name.split_at_checked(end));
    let (archive, inner) = ends.find(|(archive, _)| is_file(Path::new(archive)))?;
    Some((Path::new(archive), inner.strip_prefix('!')?))
}

/// Says what becomes of a link in a folder: it is not followed, since what it leads to in the same folder is
/// found at its own place. One that leads to a file without the name of one is that file.
fn through_link(link: PathBuf, root: &Path) -> Option<(PathBuf, Option<Refused>)> {
    let target = fs::canonicalize(&link);
    if target.as_ref().is_ok_and(|target| target.starts_with(root)) {
        let is_hidden = |target: &PathBuf| target.is_file() && !is_named_as_one(target);
        return (is_named_as_one(&link) && target.is_ok_and(|target| is_hidden(&target)))
            .then_some((link, None));
    }
    let reason = match &target {
        Ok(_) => "it is a link out of the folder, which is not followed: name it to read it",
        Err(_) => "it is a broken link",
    };
    let is_folder = target.as_ref().is_ok_and(|target| target.is_dir());
    let refused = || Refused { reason: reason.to_owned(), target: target.ok() };
    (is_folder || is_named_as_one(&link)).then(|| (link, Some(refused())))
}

/// Opens a file, which is no device, to see how large it is and how it is packed. One that cannot be opened
/// says so when it is read.
fn probe(path: &Path) -> Probe {
    let Ok(mut file) = File::open(path) else { return Probe::default() };
    Probe { packed: packed_as(&mut file, path) }
}

/// Tells how a file is packed, by its first octets, if it is.
fn packed_as(file: &mut File, path: &Path) -> Option<FileKind> {
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

/// Returns whether a file in a folder or an archive is looked at, by its name.
fn is_named_as_one(path: &Path) -> bool {
    is_genealogical(&path.to_string_lossy())
}

/// Returns whether another program keeps a family tree in a file, by its name.
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
