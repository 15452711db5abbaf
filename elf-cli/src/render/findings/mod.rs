//! Findings and summaries in the formats of `elf check`.

mod github;
mod sarif;
mod short;
mod summary;

pub(crate) use sarif::{CodeCount, Log};
pub(crate) use summary::{FindingCounts, Statistics, Summary, Total};

use crate::args::CheckFormat;
use crate::exit::Exit;
use crate::render::{grouped, human, json};
use elf_base::{Class, Code, Diagnostic, Safety};
use elf_tagged::elf_octets::Patch;
use std::io::{self, Write};

/// Prints what is found in files.
#[derive(Clone, Copy)]
pub(crate) struct Printer<'p> {
    pub(crate) format: CheckFormat,
    /// For people only.
    pub(crate) renderer: &'p human::Renderer,
}

/// The structure that a finding is about, in words and for programs, and its repair.
#[derive(Clone, Debug, Default)]
pub(crate) struct At<'l> {
    /// The identifier of the record, or its tag.
    pub(crate) record: Option<String>,
    pub(crate) path: Option<String>,
    /// The record, its person and the structures above.
    pub(crate) words: Option<String>,
    /// The lines that `--fix` changes; `None` where it repairs nothing.
    pub(crate) repair: Option<&'l [Patch]>,
}

impl At<'_> {
    /// The repair, if there is one, in words.
    fn repair_in_words(&self, finding: &Diagnostic) -> Option<&'static str> {
        let proposed = finding.fix.as_ref().map(|fix| fix.safety);
        match (self.repair, proposed) {
            (Some(_), _) => Some("`--fix` repairs this"),
            // Guesses are not judged before they are made.
            (None, Some(Safety::Unsafe)) => Some("`--unsafe-fixes` may repair this"),
            (None, Some(Safety::Safe) | None) => None,
        }
    }
}

impl Printer<'_> {
    /// Prints what stands before all findings.
    pub(crate) fn start(self, out: &mut dyn Write) -> io::Result<()> {
        if self.format == CheckFormat::Sarif { Log::start(out) } else { Ok(()) }
    }

    /// Returns what stands before the first finding of all, and between any two.
    pub(crate) const fn separators(self) -> [&'static [u8]; 2] {
        match self.format {
            CheckFormat::Sarif => [b"\n", b",\n"],
            CheckFormat::Human | CheckFormat::Short | CheckFormat::Json | CheckFormat::Github => [b"", b""],
        }
    }

    /// Prints what stands behind all findings, under the exit status so far.
    pub(crate) fn finish(
        self,
        out: &mut dyn Write,
        log: &Log,
        met: &[CodeCount],
        exit: Exit,
    ) -> io::Result<()> {
        if self.format == CheckFormat::Sarif { log.finish(out, met, exit) } else { Ok(()) }
    }

    /// Prints a finding of `file`.
    pub(crate) fn finding(
        self,
        out: &mut dyn Write,
        file: &str,
        finding: &Diagnostic,
        at: &At<'_>,
    ) -> io::Result<()> {
        match self.format {
            CheckFormat::Human => {
                let text =
                    self.renderer.finding(file, finding, at.words.as_deref(), at.repair_in_words(finding));
                writeln!(out, "{text}")
            }
            CheckFormat::Short => short::finding(out, file, finding),
            CheckFormat::Json => json::finding(out, file, finding, at),
            CheckFormat::Sarif => sarif::finding(out, file, finding, at),
            CheckFormat::Github => github::finding(out, file, finding, at),
        }
    }

    /// Says how many more findings of a code there are than were printed.
    pub(crate) fn more(self, out: &mut dyn Write, (class, code): (Class, Code), more: u64) -> io::Result<()> {
        writeln!(out, "{class}[{}]: {} more; `--all` prints them\n", code.id(), grouped(more))
    }

    /// Prints what was found in a file as a whole.
    pub(crate) fn summary(self, out: &mut dyn Write, summary: &Summary<'_>) -> io::Result<()> {
        match self.format {
            CheckFormat::Human | CheckFormat::Short => summary.line(out),
            CheckFormat::Github => {
                let file = github::harmless(summary.file);
                Summary { file: &file, ..summary.clone() }.line(out)
            }
            CheckFormat::Json => json::summary(out, summary),
            // It stands in the log.
            CheckFormat::Sarif => Ok(()),
        }
    }

    /// Keeps what was found in a file as a whole for the log of all files, where there is one.
    pub(crate) fn log(self, summary: &Summary<'_>, log: &mut Log) {
        if self.format == CheckFormat::Sarif {
            log.file(summary);
        }
    }

    /// Prints what was found in all files.
    pub(crate) fn total(self, out: &mut dyn Write, total: &Total) -> io::Result<()> {
        match self.format {
            CheckFormat::Human | CheckFormat::Short | CheckFormat::Github => total.line(out),
            CheckFormat::Json => json::summary(out, total),
            CheckFormat::Sarif => Ok(()),
        }
    }

    /// Prints how often each code was found.
    pub(crate) fn statistics(self, out: &mut dyn Write, statistics: &[Statistics]) -> io::Result<()> {
        match self.format {
            CheckFormat::Human | CheckFormat::Short | CheckFormat::Github => summary::table(out, statistics),
            CheckFormat::Json => statistics.iter().try_for_each(|one| json::line(out, one)),
            // The rules say how often each was broken.
            CheckFormat::Sarif => Ok(()),
        }
    }
}
