//! The state of a server: the files, and the proposals.

use crate::disk::{Disk, FileMarks};
use crate::error::ToolError;
use crate::journal::Journal;
use crate::options::ServerOptions;
use crate::proposals::Proposals;
use crate::snapshot::{Snapshot, hidden_names_in};
use crate::text::field;
use elf_extract::HiddenNames;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is served, in megabytes. A file is held in memory about five times.
const LARGEST_MB: u64 = 200;

/// The largest file that is served, in bytes.
pub(crate) const LARGEST: u64 = LARGEST_MB * 1_000_000;

/// The files that are served, and the changes that are proposed.
pub struct Session {
    pub(crate) options: ServerOptions,
    pub(crate) disk: Box<dyn Disk>,
    pub(crate) files: Vec<ServedFile>,
    pub(crate) proposals: Proposals,
}

/// A file that is served.
pub(crate) struct ServedFile {
    pub(crate) path: PathBuf,
    /// The name by which the assistant knows the file.
    pub(crate) name: String,
    pub(crate) journal: Journal,
    read: Option<ReadFile>,
    names: Option<NamesOfFile>,
}

/// The names of the people whom a file hides. They stay known while the file cannot be read or is not complete.
struct NamesOfFile {
    marks: FileMarks,
    names: Arc<HiddenNames>,
}

/// A file that was read, or the reason why it cannot be served.
struct ReadFile {
    marks: FileMarks,
    /// The names of the people who are hidden in the other files.
    hidden_elsewhere: Vec<Arc<HiddenNames>>,
    snapshot: Result<Arc<Snapshot>, ToolError>,
}

impl Session {
    /// Starts a session. The files are read when they are asked for.
    pub fn new(options: ServerOptions, disk: Box<dyn Disk>) -> Session {
        let names = names_of(&options.files);
        let files = options.files.iter().zip(names).map(|(path, name)| ServedFile {
            journal: Journal::new(path, options.backup_folder.as_deref()),
            path: path.clone(),
            name,
            read: None,
            names: None,
        });
        Session { files: files.collect(), disk, proposals: Proposals::default(), options }
    }

    /// Reads the files that have changed since they were read, and those that were not read yet. Returns all files that can
    /// be read: one that cannot is an error of the tool that asks for it.
    pub(crate) fn read_changed_files(&mut self) -> Vec<Arc<Snapshot>> {
        (0..self.files.len()).filter_map(|at| self.snapshot_at(at).ok()).collect()
    }

    /// The number of the file that the assistant names; without a name, the only one.
    pub(crate) fn file_number(&self, name: Option<&str>) -> Result<usize, ToolError> {
        let known = || {
            let names: Vec<String> = self.files.iter().map(|file| format!("`{}`", file.name)).collect();
            names.join(", ")
        };
        match (name.filter(|name| !name.is_empty()), self.files.len()) {
            (None, 1) => Ok(0),
            (None, _) => {
                Err(ToolError::new(format!("several files are served: set `file` to one of {}", known())))
            }
            (Some(name), _) => self.files.iter().position(|file| file.name == name).ok_or_else(|| {
                ToolError::new(format!(
                    "no file `{}` is served: set `file` to one of {}",
                    field(name),
                    known()
                ))
            }),
        }
    }

    /// The file that the assistant names, as it is now.
    pub(crate) fn snapshot(&mut self, name: Option<&str>) -> Result<Arc<Snapshot>, ToolError> {
        let at = self.file_number(name)?;
        self.snapshot_at(at)
    }

    /// A file as it is now. It is read again if it has changed, or if other people are hidden in another file.
    pub(crate) fn snapshot_at(&mut self, at: usize) -> Result<Arc<Snapshot>, ToolError> {
        let hidden_elsewhere = self.names_hidden_elsewhere(at)?;
        let Session { options, disk, files, .. } = self;
        let file = files.get_mut(at).ok_or_else(|| ToolError::new("no such file"))?;
        let unreadable = |error: &io::Error| unreadable(&file.name, error);
        let marks = disk.marks(&file.path).map_err(|error| unreadable(&error))?;
        let is_same =
            |one: &[Arc<HiddenNames>]| one.iter().zip(&hidden_elsewhere).all(|(a, b)| Arc::ptr_eq(a, b));
        let is_current = |read: &&ReadFile| read.marks == marks && is_same(&read.hidden_elsewhere);
        if let Some(read) = file.read.as_ref().filter(is_current) {
            return read.snapshot.clone();
        }
        let known = file.names.as_ref().map(|known| &*known.names);
        let snapshot = match disk.read(&file.path, LARGEST).map_err(|error| unreadable(&error))? {
            Some(bytes) => {
                Snapshot::read(&file.name, &bytes, options, &hidden_elsewhere, known).map(Arc::new)
            }
            None => Err(too_large(&file.name, marks.size)),
        };
        if let Ok(snapshot) = &snapshot {
            file.set_names(marks, Arc::clone(&snapshot.hidden_names));
        }
        file.read = Some(ReadFile { marks, hidden_elsewhere, snapshot: snapshot.clone() });
        snapshot
    }

    /// The names of the people who are hidden in the other files, in the order of the files. The error says of which file
    /// the names are unknown.
    pub(crate) fn names_hidden_elsewhere(&mut self, at: usize) -> Result<Vec<Arc<HiddenNames>>, ToolError> {
        let Session { options, disk, files, .. } = self;
        if options.shows_living {
            return Ok(Vec::new());
        }
        let others = files.iter_mut().enumerate().filter(|(other, _)| *other != at);
        others.map(|(_, file)| file.hidden_names(&**disk, options)).collect()
    }

    /// Returns whether a text contains the name of someone who is hidden in a file.
    pub(crate) fn names_hidden(&self, text: &str) -> bool {
        let mut names = self.files.iter().filter_map(|file| file.names.as_ref());
        !self.options.shows_living && names.any(|known| known.names.occur_in_text(text))
    }

    /// The bytes of a file, if they are those of a snapshot. `None` if the file has changed.
    pub(crate) fn bytes_of(&mut self, at: usize, snapshot: &Snapshot) -> Result<Option<Vec<u8>>, ToolError> {
        let file = self.files.get(at).ok_or_else(|| ToolError::new("no such file"))?;
        let bytes = self.disk.read(&file.path, LARGEST).map_err(|error| unreadable(&file.name, &error))?;
        let bytes = bytes.filter(|bytes| crate::snapshot::hash_of(bytes) == snapshot.hash);
        if bytes.is_none() {
            self.forget_snapshot(at);
        }
        Ok(bytes)
    }

    /// Reads a file again for the next answer, even if its marks are the same.
    pub(crate) fn forget_snapshot(&mut self, at: usize) {
        if let Some(file) = self.files.get_mut(at) {
            file.read = None;
        }
    }
}

impl ServedFile {
    /// Returns the names of the people whom the file hides. The file is read if it has changed. If it cannot be read now, or
    /// has no trailer, the names that were known before stay; without any, the other files must not be shown.
    fn hidden_names(
        &mut self,
        disk: &dyn Disk,
        options: &ServerOptions,
    ) -> Result<Arc<HiddenNames>, ToolError> {
        if let Ok(marks) = disk.marks(&self.path)
            && self.names.as_ref().is_none_or(|known| known.marks != marks)
            && let Ok(Some(bytes)) = disk.read(&self.path, LARGEST)
            && let known = self.names.as_ref().map(|known| &*known.names)
            && let Ok(names) = hidden_names_in(&self.name, &bytes, options, known)
        {
            self.set_names(marks, Arc::new(names));
        }
        self.names.as_ref().map(|known| Arc::clone(&known.names)).ok_or_else(|| {
            ToolError::new(format!(
                "{}: this file cannot be read, so nobody knows who is hidden in it, and the other files are not shown \
                 either. The user can mend the file or start the server without it",
                self.name
            ))
        })
    }

    /// Stores the names of the people whom the file hides. If they are the same as before, other files need not be read
    /// again.
    fn set_names(&mut self, marks: FileMarks, names: Arc<HiddenNames>) {
        let known = self.names.take().map(|known| known.names).filter(|known| **known == *names);
        self.names = Some(NamesOfFile { marks, names: known.unwrap_or(names) });
    }
}

pub(crate) fn unreadable(name: &str, error: &io::Error) -> ToolError {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file any more".to_owned(),
        _ => error.to_string(),
    };
    ToolError::new(format!("{name}: cannot be read: {reason}"))
}

fn too_large(name: &str, size: u64) -> ToolError {
    ToolError::new(format!(
        "{name}: the file has {} MB, and files of more than {} MB are not served. The user can serve a branch of it, \
         which `elf extract` writes",
        size.div_ceil(1_000_000),
        LARGEST_MB
    ))
}

/// The names of the files for the assistant: without folders where that is clear.
fn names_of(paths: &[PathBuf]) -> Vec<String> {
    let short = |path: &Path| {
        path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
    };
    let names: Vec<String> = paths.iter().map(|path| short(path)).collect();
    let is_only = |name: &str| names.iter().filter(|other| *other == name).count() == 1;
    let clear = |path: &PathBuf| {
        let name = short(path);
        if is_only(&name) { name } else { path.to_string_lossy().into_owned() }
    };
    paths.iter().map(|path| field(&clear(path))).collect()
}
