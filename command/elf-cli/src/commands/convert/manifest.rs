//! The manifest of a conversion: what was read, what was written, and what was lost between.

use super::{Converted, Failure, said};
use crate::io::Input;
use crate::reading;
use elf_check::runs::Restart;
use elf_report::json;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};
use std::path::Path;

/// The lines of a manifest, one a file.
#[derive(Default)]
pub(super) struct Manifest(Vec<ManifestLine>);

/// A file of a manifest.
#[derive(Serialize)]
struct ManifestLine {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    octets: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<WrittenFile>,
    /// The reason why nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A file that was written.
#[derive(Serialize)]
struct WrittenFile {
    file: String,
    octets: u64,
    sha256: String,
    lines: u64,
    records: u64,
    losses: u64,
    /// The number of findings that make the input malformed or non-conformant.
    problems: u64,
    complete: bool,
}

impl Manifest {
    /// Adds what became of a file at its place.
    pub(super) fn add(&mut self, file: &str, place: Option<&Path>, done: &Result<Converted, Failure>) {
        let mut entry =
            ManifestLine { file: file.to_owned(), octets: None, sha256: None, output: None, error: None };
        match done {
            Ok(Converted { problems, written, ended, digests, .. }) => {
                let place = place.map(reading::name);
                if let (Some((before, after)), Some(file)) = (digests, place) {
                    (entry.octets, entry.sha256) = (Some(before.octets), Some(before.sha256.clone()));
                    entry.output = Some(WrittenFile {
                        file,
                        octets: after.octets,
                        sha256: after.sha256.clone(),
                        lines: written.lines,
                        records: written.records,
                        losses: written.losses,
                        problems: *problems,
                        complete: ended.is_none(),
                    });
                }
            }
            Err(Failure::Ended(_, ended)) => {
                let at = ended.as_deref().map_or_else(String::new, said);
                entry.error = Some(format!("the rules ended the reading{at}"));
            }
            Err(Failure::Reading(reason)) => entry.error = Some(format!("cannot be read: {reason}")),
            Err(Failure::Writing(reason)) => entry.error = Some(format!("cannot be written: {reason}")),
        }
        self.0.push(entry);
    }

    /// Writes all as JSON Lines.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.0.iter().try_for_each(|entry| json::line(out, entry))
    }
}

/// The size of some octets, and what tells them from any others.
#[derive(Clone, Debug)]
pub(super) struct Digest {
    octets: u64,
    /// The SHA-256, in small hexadecimal digits.
    sha256: String,
}

/// Returns the digest of an input, if it is wanted.
pub(super) fn digest(input: &mut Input, is_wanted: bool) -> io::Result<Option<Digest>> {
    if !is_wanted {
        return Ok(None);
    }
    let mut digested = Digested::new(io::sink(), true);
    io::copy(&mut input.restart()?, &mut digested)?;
    Ok(digested.finish().1)
}

/// An outlet that digests what goes through, if that is wanted.
pub(super) struct Digested<W> {
    out: W,
    octets: u64,
    sha256: Option<Sha256>,
}

impl<W: Write> Digested<W> {
    pub(super) fn new(out: W, is_wanted: bool) -> Digested<W> {
        Digested { out, octets: 0, sha256: is_wanted.then(Sha256::new) }
    }

    /// Returns the outlet, and the digest if it was wanted.
    pub(super) fn finish(self) -> (W, Option<Digest>) {
        let Digested { out, octets, sha256 } = self;
        let digits = |hash: Sha256| hash.finalize().iter().map(|octet| format!("{octet:02x}")).collect();
        (out, sha256.map(|hash| Digest { octets, sha256: digits(hash) }))
    }
}

impl<W: Write> Write for Digested<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.out.write(octets)?;
        self.octets += written as u64;
        if let (Some(hash), Some(octets)) = (&mut self.sha256, octets.get(..written)) {
            hash.update(octets);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
