//! The manifest of a conversion: what was read, what was written, and what was lost.

use super::{Failure, WrittenConversion, describe_ending};
use crate::io::Input;
use elf_check::runs::Restart;
use elf_convert::Converted;
use elf_report::json;
use elf_tagged::elf_octets::Decision;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};
use std::path::Path;

/// The lines of a manifest, one for each file.
#[derive(Default)]
pub(super) struct Manifest(Vec<ManifestLine>);

#[derive(Serialize)]
struct ManifestLine {
    file: String,
    #[serde(flatten)]
    input: Option<InputFacts>,
    /// The version of `elf`.
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<WrittenFile>,
    /// Why nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The facts about an input in a manifest.
#[derive(Serialize)]
pub(super) struct InputFacts {
    octets: u64,
    sha256: String,
    /// The encoding in which the file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    /// The evidence for the encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'static str>,
    /// The rules by which the file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'static str>,
}

impl InputFacts {
    pub(super) fn new(digest: Option<Digest>, decision: Option<&Decision>) -> InputFacts {
        // A digest has been computed if one is needed.
        let Digest { octets, sha256 } = digest.unwrap_or_else(|| Digest { octets: 0, sha256: String::new() });
        InputFacts {
            octets,
            sha256,
            encoding: decision.map(|decision| decision.used.name()),
            because: decision.map(|decision| decision.because.name()),
            rules: decision.map(|decision| decision.rules.name),
        }
    }

    /// Describes the packed file itself, because it cannot be unpacked.
    pub(super) fn of_packed(path: &Path) -> io::Result<InputFacts> {
        let mut digested = Digested::new(io::sink(), true);
        io::copy(&mut crate::io::open_archive(path)?, &mut digested)?;
        Ok(InputFacts::new(digested.finish().1, None))
    }
}

#[derive(Serialize)]
struct WrittenFile {
    file: String,
    octets: u64,
    sha256: String,
    lines: u64,
    records: u64,
    losses: u64,
    /// The number of malformed and non-conformant findings in the input.
    problems: u64,
    complete: bool,
}

impl Manifest {
    /// Adds the result of converting a file.
    pub(super) fn add(
        &mut self,
        file: &str,
        input: Option<InputFacts>,
        place: Option<&Path>,
        done: &Result<WrittenConversion, Failure>,
    ) {
        let version = env!("CARGO_PKG_VERSION");
        let mut entry = ManifestLine { file: file.to_owned(), input, version, output: None, error: None };
        match done {
            Ok(WrittenConversion { converted: Converted { problems, written, ending, .. }, digest }) => {
                let place = place.map(crate::reading::display_name);
                if let (Some(after), Some(file)) = (digest, place) {
                    entry.output = Some(WrittenFile {
                        file,
                        octets: after.octets,
                        sha256: after.sha256.clone(),
                        lines: written.lines,
                        records: written.records,
                        losses: written.losses,
                        problems: *problems,
                        complete: ending.is_complete(),
                    });
                }
            }
            Err(Failure::Ended { ending, .. }) => {
                let at = ending.finding().map_or_else(String::new, describe_ending);
                entry.error = Some(format!("reading stopped early{at}"));
            }
            Err(Failure::Reading(reason)) => entry.error = Some(format!("cannot be read: {reason}")),
            Err(Failure::Writing(reason)) => entry.error = Some(format!("cannot be written: {reason}")),
        }
        self.0.push(entry);
    }

    /// Writes the manifest as JSON Lines.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.0.iter().try_for_each(|entry| json::write_line(out, entry))
    }
}

/// The size and the hash of some bytes.
#[derive(Clone, Debug)]
pub(super) struct Digest {
    octets: u64,
    /// The SHA-256 in lower-case hexadecimal digits.
    sha256: String,
}

/// Computes the digest of an input. `None` if it can be read only once.
pub(super) fn compute_digest(input: &mut Input) -> io::Result<Option<Digest>> {
    let mut digested = Digested::new(io::sink(), true);
    io::copy(&mut input.restart()?, &mut digested)?;
    Ok(digested.finish().1)
}

/// A writer that computes the digest of what is written, if it is wanted.
pub(super) struct Digested<W> {
    out: W,
    octets: u64,
    sha256: Option<Sha256>,
}

impl<W: Write> Digested<W> {
    pub(super) fn new(out: W, is_wanted: bool) -> Digested<W> {
        Digested { out, octets: 0, sha256: is_wanted.then(Sha256::new) }
    }

    /// Returns the inner writer and the digest.
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
