//! The commands, one in each file or folder.

mod check;
mod convert;
mod date;
mod decisions;
mod destination;
mod diff;
mod each;
mod edit;
mod explain;
mod extract;
mod find;
mod info;
mod kinship;
mod lsp;
mod matching;
mod mcp;
mod merge;
mod people;
mod replace;
mod report;
mod schema;
mod shell;
mod show;
mod table;
mod tree;

use crate::args::{Args, Command, PrintOptions};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{FileList, Listed, Output};
use elf_report::counted;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const IS_INPUT: &str = "it is an input: name another output file";

const IS_ARCHIVE: &str =
    "this command cannot write archives: name a `.ged` file, and pack it with `elf convert`";

/// Runs the command, unless an output would overwrite an input.
pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
    let inputs = args.command.inputs();
    if inputs.iter().filter(|input| crate::io::is_standard(input)).count() > 1 {
        console.print_error("standard input can be one of the files, not two");
        return Exit::Failed;
    }
    let outputs = args.command.outputs();
    if let [one, other] = outputs[..]
        && crate::io::is_same_place(one, other)
    {
        console.print_unwritable(other, "another output is already written to it");
        return Exit::Failed;
    }
    for output in outputs {
        if inputs.iter().any(|input| crate::io::would_overwrite(input, output)) {
            console.print_unwritable(output, IS_INPUT);
            return Exit::Failed;
        }
    }
    if let Some(output) = args.command.outputs_of_text().into_iter().find(|output| is_archive_name(output)) {
        console.print_unwritable(output, IS_ARCHIVE);
        return Exit::Failed;
    }
    match &args.command {
        Command::Check(args) => check::run(args, console),
        Command::Show(args) => show::run(args, console),
        Command::Info(args) => info::run(args, console),
        Command::Convert(args) => convert::run(args, console),
        Command::Edit(args) => edit::run(args, console),
        Command::Replace(args) => replace::run(args, console),
        Command::Extract(args) => extract::extract(args, console),
        Command::Redact(args) => extract::redact(args, console),
        Command::Report(args) => report::run(args, console),
        Command::Diff(args) => diff::run(args, console),
        Command::Schema(args) => schema::run(args, console),
        Command::Table(args) => table::run(args, console),
        Command::Tree(args) => tree::run(args, console),
        Command::Find(args) => find::run(args, console),
        Command::Kinship(args) => kinship::run(args, console),
        Command::Match(args) => matching::run(args, console),
        Command::Merge(args) => merge::run(args, console),
        Command::Date(args) => date::run(args, console),
        Command::Explain(args) => explain::run(args, console),
        Command::Lsp(_) => lsp::run(console),
        Command::Mcp(args) => mcp::run(args, console),
        Command::Completions(args) => shell::completions(args, console),
        Command::Man(args) => shell::man(args, console),
    }
}

/// Returns whether a path has the extension of an archive or of a packed file.
fn is_archive_name(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    matches!(extension.as_deref(), Some("gdz" | "zip" | "gz"))
}

/// Lists the files that `paths` name, without those in the folder `except`. If one of `outputs` is one of them, reports
/// that and returns an error.
fn list_inputs<'o>(
    paths: &[PathBuf],
    except: Option<&Path>,
    outputs: impl IntoIterator<Item = &'o PathBuf>,
    console: &mut Console,
) -> Option<Vec<Listed>> {
    let FileList { files, of_other_programs } = crate::io::list_files(paths, except);
    if of_other_programs > 0 {
        let others = counted(of_other_programs, "other file");
        console.print_note(&format!(
            "{others} not read: they belong to genealogy programs; export them as GEDCOM"
        ));
    }
    for output in outputs {
        let is_same = |path: &Path| crate::io::would_overwrite(path, output);
        if files.iter().any(|file| file.source.path_on_disk().is_some_and(is_same)) {
            console.print_unwritable(output, IS_INPUT);
            return None;
        }
    }
    Some(files)
}

/// Runs `print` with the output that the arguments name.
fn print_to(
    printing: &PrintOptions,
    console: &mut Console,
    print: impl FnOnce(&mut Output, &mut Console) -> io::Result<Exit>,
) -> Exit {
    write_to(printing.output.as_deref(), console, print)
}

/// Runs `print` with `output` or, without one, with standard output. A closed pipe is not a failure.
fn write_to(
    output: Option<&Path>,
    console: &mut Console,
    print: impl FnOnce(&mut Output, &mut Console) -> io::Result<Exit>,
) -> Exit {
    let path = output.unwrap_or(Path::new("-"));
    let result = Output::create(path).and_then(|mut out| {
        let exit = print(&mut out, console)?;
        // If nothing was read, print nothing, and do not replace a file.
        if exit != Exit::Failed || !out.is_empty() {
            out.finish()?;
        }
        Ok(exit)
    });
    result.unwrap_or_else(|error| {
        console.print_unwritable(path, &crate::io::describe_error(&error));
        Exit::Failed
    })
}

/// Writes a changed file to `output` or, without one, to standard output. `keeps_copy` keeps a copy of the file that is
/// replaced.
fn write_changed(bytes: &[u8], output: Option<&Path>, keeps_copy: bool, console: &mut Console) -> Exit {
    let mut copy = None;
    let exit = write_to(output, console, |out, _| {
        out.write_all(bytes)?;
        copy = output.filter(|_| keeps_copy).map(crate::io::create_backup).transpose()?;
        Ok(Exit::Clean)
    });
    // Nothing was replaced, so remove the copy.
    if let (Exit::Failed, Some(copy)) = (exit, copy) {
        crate::io::remove_file(&copy);
    }
    exit
}
