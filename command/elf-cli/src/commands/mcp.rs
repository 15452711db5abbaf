//! `elf mcp`: the server for assistants, on the standard streams.

use crate::args::Mcp as Args;
use crate::console::Console;
use crate::exit::Exit;

/// Says that this build has no server.
#[cfg(not(feature = "mcp"))]
pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
    let Args { files: _, allow_edits: _, backup_folder: _, living: _, .. } = args;
    let _ = args.rule();
    console.print_error("this build of `elf` has no server for assistants: build it with the feature `mcp`");
    Exit::Failed
}

#[cfg(feature = "mcp")]
pub(crate) use with_server::run;

#[cfg(feature = "mcp")]
mod with_server {
    use super::{Args, Console, Exit};
    use crate::io::{self as files, Output, Source};
    use crate::meter::Meter;
    use elf_mcp::{Disk, FileMarks, ServerOptions, Session};
    use std::any::Any;
    use std::collections::HashSet;
    use std::io::{self, IsTerminal, Write};
    use std::path::{Path, PathBuf};

    pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
        for path in &args.files {
            let problem = match files::is_standard(path) {
                true => Err("standard input has the messages of the assistant: name a file".to_owned()),
                false => files::find_source(path).and_then(|source| match source {
                    Source::Unreadable(reason) => Err(reason),
                    _ => files::marks(path).map(|_| ()).map_err(|error| files::describe_error(&error)),
                }),
            };
            if let Err(reason) = problem {
                console.print_unreadable(path, &reason);
                return Exit::Failed;
            }
        }
        let mut identities = HashSet::new();
        let is_first = |path: &&PathBuf| identities.insert(files::FileIdentity::of(path));
        let served: Vec<PathBuf> = args.files.iter().filter(is_first).cloned().collect();
        let mut names = HashSet::new();
        if let Some(path) = served.iter().find(|path| !names.insert(path.file_name()))
            && args.backup_folder.is_some()
        {
            console.print_error(&format!(
                "two files are called `{}`: rename one, or leave out `--backup-folder`, so that their backups are apart",
                path.file_name().unwrap_or_default().display()
            ));
            return Exit::Failed;
        }
        crate::threads::start_pool(None);
        if io::stdin().is_terminal() {
            console.print_note("waiting for an assistant; `elf mcp --help` says how to set up yours");
        }
        let options = ServerOptions::new(served, args.rule())
            .with_edits(args.allow_edits)
            .with_living(args.living)
            .with_backup_folder(args.backup_folder.clone());
        match elf_mcp::serve(Session::new(options, Box::new(CommandDisk))) {
            Ok(()) => Exit::Clean,
            Err(error) => {
                console.print_error(&error.to_string());
                Exit::Failed
            }
        }
    }

    /// Files as all commands read and replace them.
    struct CommandDisk;

    impl Disk for CommandDisk {
        fn marks(&self, path: &Path) -> io::Result<FileMarks> {
            let (size, modified) = files::marks(path)?;
            Ok(FileMarks { size, modified })
        }

        fn read(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
            let source = files::find_source(path).map_err(io::Error::other)?;
            if matches!(source, Source::File(_)) && files::marks(path)?.0 > most {
                return Ok(None);
            }
            let bytes = files::read_source_again(&source, &Meter::default()).map_err(named)?;
            Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
        }

        fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            if matches!(files::find_source(path), Ok(Source::Gzip(_) | Source::Entry(..))) {
                return Err(io::Error::other("an archive cannot be overwritten"));
            }
            let mut output = Output::create(path).map_err(named)?;
            output.write_all(bytes).map_err(named)?;
            output.finish().map_err(named)
        }

        fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            files::write_new(path, bytes).map_err(named)
        }

        fn lock(&self, path: &Path) -> io::Result<Box<dyn Any>> {
            Ok(Box::new(files::lock_path(path).map_err(named)?))
        }

        fn create_folder(&self, path: &Path) -> io::Result<()> {
            files::create_private_folder(path).map_err(named)
        }
    }

    /// An error with the reason that the command prints; its kind stays.
    #[allow(clippy::needless_pass_by_value, reason = "it maps errors")]
    fn named(error: io::Error) -> io::Error {
        io::Error::new(error.kind(), files::describe_error(&error))
    }
}
