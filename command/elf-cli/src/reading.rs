//! Functions for every command that reads a file.

use crate::args::{Deny, StatusOptions};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Source};
use crate::meter::Meter;
use elf_base::{Diagnostic, Tally, codes};
use elf_tagged::{Encoding, Options};
use std::path::Path;

/// The name of a file for messages and data: its path as given. A byte that is not UTF-8 becomes `\xE9`.
pub(crate) fn display_name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        name.extend(chunk.invalid().iter().map(|octet| format!("\\x{octet:02X}")));
    }
    name
}

/// Reads a file. If it cannot be read, prints the reason and returns `None`.
pub(crate) fn read_file(path: &Path, console: &mut Console) -> Option<Vec<u8>> {
    match io::find_source(path) {
        Ok(source) => read_source(path, &source, console),
        Err(reason) => {
            console.print_unreadable(path, &reason);
            None
        }
    }
}

/// Reads two files at the same time. The line of progress shows the first.
pub(crate) fn read_two_files(paths: [&Path; 2], console: &mut Console) -> Option<[Vec<u8>; 2]> {
    let sources = paths.map(|path| (path, io::find_source(path)));
    let meter =
        console.show_progress(&format!("reading {} and {}", display_name(paths[0]), display_name(paths[1])));
    let read = |(_, source): &(&Path, Result<Source, String>), meter: &Meter| match source {
        Ok(source) => io::read_source(source, meter).map_err(|error| io::describe_error(&error)),
        Err(reason) => Err(reason.clone()),
    };
    let [one, two] = &sources;
    let (of_one, of_two) = rayon::join(|| read(one, &meter), || read(two, &Meter::default()));
    console.clear_progress();
    for (path, octets) in paths.iter().zip([&of_one, &of_two]) {
        if let Err(reason) = octets {
            console.print_unreadable(path, reason);
        }
    }
    Some([of_one.ok()?, of_two.ok()?])
}

/// Reads a source that is named `path`. If it cannot be read, prints the reason and returns `None`.
pub(crate) fn read_source(path: &Path, source: &Source, console: &mut Console) -> Option<Vec<u8>> {
    let meter = console.show_progress(&format!("reading {}", display_name(path)));
    let octets = io::read_source(source, &meter);
    console.clear_progress();
    octets.map_err(|error| console.print_unreadable(path, &io::describe_error(&error))).ok()
}

/// Returns whether commands other than `check` report a finding. Undefined tags are not reported: these commands leave
/// such structures unchanged.
pub(crate) fn is_worth_reporting(diagnostic: &Diagnostic) -> bool {
    diagnostic.code != codes::TAG_UNDEFINED
}

/// Recognises findings that are repeated at each place of a file but count as one problem.
#[derive(Debug, Default)]
pub(crate) struct RepeatedFindings {
    has_full_tags: bool,
}

impl RepeatedFindings {
    /// Returns whether the same finding was reported earlier in the file.
    pub(crate) fn is_repeated(&mut self, finding: &Diagnostic) -> bool {
        finding.code == codes::TAG_IN_FULL && std::mem::replace(&mut self.has_full_tags, true)
    }
}

pub(crate) fn decoding_options(forced: Option<Encoding>) -> Options {
    Options::default().with_forced(forced)
}

/// The exit status for the findings of a file.
pub(crate) fn exit_status<S>(tally: &Tally<S>, judging: &StatusOptions) -> Exit {
    let problems = match judging.deny {
        Some(Deny::Warnings) => tally.total(),
        None => tally.errors(),
    };
    if problems > 0 { Exit::Problems } else { Exit::Clean }
}
