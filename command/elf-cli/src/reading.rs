//! Reading a file through the layers, for every command that does.

use crate::args::{Deny, StatusOptions};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Source};
use crate::meter::Meter;
use elf_base::{Diagnostic, Tally, codes};
use elf_tagged::{Encoding, Options};
use std::path::Path;

/// The name of a file in messages and data: the path as it was given, `\xE9` for an octet that is not UTF-8.
pub(crate) fn name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        name.extend(chunk.invalid().iter().map(|octet| format!("\\x{octet:02X}")));
    }
    name
}

/// The octets of `path`; what keeps them from being read is said on the console.
pub(crate) fn octets(path: &Path, console: &mut Console) -> Option<Vec<u8>> {
    match io::one(path) {
        Ok(source) => octets_from(path, &source, console),
        Err(reason) => {
            console.unreadable(path, &reason);
            None
        }
    }
}

/// The octets of two files, read at the same time. Progress is that of the first.
pub(crate) fn octets_of_two(paths: [&Path; 2], console: &mut Console) -> Option<[Vec<u8>; 2]> {
    let sources = paths.map(|path| (path, io::one(path)));
    let meter = console.working(&format!("reading {} and {}", name(paths[0]), name(paths[1])));
    let read = |(_, source): &(&Path, Result<Source, String>), meter: &Meter| match source {
        Ok(source) => io::read_source(source, meter).map_err(|error| io::reason(&error)),
        Err(reason) => Err(reason.clone()),
    };
    let [one, two] = &sources;
    let (of_one, of_two) = rayon::join(|| read(one, &meter), || read(two, &Meter::default()));
    console.done();
    for (path, octets) in paths.iter().zip([&of_one, &of_two]) {
        if let Err(reason) = octets {
            console.unreadable(path, reason);
        }
    }
    Some([of_one.ok()?, of_two.ok()?])
}

/// The octets of `source`, which is called `path`; what keeps them from being read is said on the console.
pub(crate) fn octets_from(path: &Path, source: &Source, console: &mut Console) -> Option<Vec<u8>> {
    let meter = console.working(&format!("reading {}", name(path)));
    let octets = io::read_source(source, &meter);
    console.done();
    octets.map_err(|error| console.unreadable(path, &io::reason(&error))).ok()
}

/// Returns whether a finding is news to a command that does something else than check a file. One about a tag
/// without a type is not: whatever the command does, such structures stay as they are.
pub(crate) fn is_news(diagnostic: &Diagnostic) -> bool {
    diagnostic.code != codes::TAG_UNDEFINED
}

/// The findings that say the same at each place of a file, and are a problem once.
#[derive(Debug, Default)]
pub(crate) struct RepeatedFindings {
    has_full_tags: bool,
}

impl RepeatedFindings {
    /// Returns whether a finding says what an earlier one of the file has said.
    pub(crate) fn has(&mut self, finding: &Diagnostic) -> bool {
        finding.code == codes::TAG_IN_FULL && std::mem::replace(&mut self.has_full_tags, true)
    }
}

/// Returns the options of decoding: in the encoding that was asked for, if one was.
pub(crate) fn options(forced: Option<Encoding>) -> Options {
    Options::default().with_forced(forced)
}

/// Returns the exit status that the findings of a file make.
pub(crate) fn status<S>(tally: &Tally<S>, judging: &StatusOptions) -> Exit {
    let problems = match judging.deny {
        Some(Deny::Warnings) => tally.total(),
        None => tally.errors(),
    };
    if problems > 0 { Exit::Problems } else { Exit::Clean }
}
