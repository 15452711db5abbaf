//! Chooses where a command writes changed files, and writes them.

use super::write_changed;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, FileOrMember, Listed, OutputPaths, Source};
use elf_archive::is_gedzip;
use std::path::{Path, PathBuf};

/// The arguments for the destination of changed files.
#[derive(Clone, Copy)]
pub(crate) struct OutputArgs<'a> {
    pub(crate) output: Option<&'a Path>,
    pub(crate) is_in_place: bool,
    pub(crate) out_dir: Option<&'a Path>,
    /// True to keep a copy of each file that is overwritten.
    pub(crate) keeps_copy: bool,
}

pub(crate) struct Destinations<'a> {
    args: OutputArgs<'a>,
    folder: Option<OutputPaths<'a>>,
}

pub(crate) enum Destination {
    /// The input file itself.
    Itself(PathBuf),
    /// A file in the folder of `--out-dir`.
    InFolder(PathBuf),
    /// Another file, or standard output.
    Output(PathBuf),
}

impl<'a> Destinations<'a> {
    /// Prepares destinations for `files` that overwrite none of the `others`.
    pub(crate) fn new<'i>(
        args: OutputArgs<'a>,
        files: impl Iterator<Item = &'i Listed>,
        others: impl IntoIterator<Item = &'i Path>,
    ) -> Destinations<'a> {
        Destinations {
            args,
            folder: args.out_dir.map(|folder| OutputPaths::new(folder, files, others, None)),
        }
    }

    /// Returns the destination for a file, or why it has none.
    pub(crate) fn assign(&mut self, file: &Listed) -> Result<Destination, String> {
        match (&mut self.folder, self.args.output) {
            (Some(_), _) if is_in_gedzip(file) => {
                Err("it is in a GEDZIP archive, and only `elf convert` writes these: \
                 give `--fix` an unpacked copy, or name the fixed file with `-o fixed.ged`"
                    .to_owned())
            }
            (Some(folder), _) => folder.assign(file).map(Destination::InFolder),
            (None, _) if self.args.is_in_place => overwrite_input(file),
            (None, output) => Ok(Destination::Output(output.unwrap_or(Path::new("-")).to_owned())),
        }
    }

    /// Writes a file. An unchanged file is not written over itself.
    pub(crate) fn write(
        &self,
        destination: &Destination,
        bytes: &[u8],
        is_changed: bool,
        console: &mut Console,
    ) -> Exit {
        match destination {
            Destination::Itself(_) if !is_changed => Exit::Clean,
            Destination::Itself(path) => write_changed(bytes, Some(path), self.args.keeps_copy, console),
            Destination::InFolder(path) => match path.parent().map_or(Ok(()), io::create_folder) {
                Ok(()) => write_changed(bytes, Some(path), false, console),
                Err(error) => {
                    console.print_unwritable(path, &io::describe_error(&error));
                    Exit::Failed
                }
            },
            Destination::Output(path) => write_changed(bytes, Some(path), false, console),
        }
    }
}

/// Returns whether a file is in a `.gdz` archive. In the output folder, the archive would become a folder with that
/// name.
fn is_in_gedzip(file: &Listed) -> bool {
    let FileOrMember { path, member } = file.place();
    member.is_some() && is_gedzip(&path.to_string_lossy())
}

fn overwrite_input(file: &Listed) -> Result<Destination, String> {
    match &file.source {
        Source::File(path) if io::is_pipe_or_device(path) => {
            Err("a pipe or device cannot be overwritten: use `--out-dir`".to_owned())
        }
        Source::File(path) => Ok(Destination::Itself(path.clone())),
        Source::Gzip(_) | Source::Entry(..) => {
            Err("an archive cannot be overwritten: use `--out-dir`".to_owned())
        }
        Source::Unreadable(reason) => Err(reason.clone()),
    }
}
