//! Findings and summaries in the formats of `elf check`.

mod at;
mod format;
mod github;
mod json_lines;
mod sarif;
mod short;
mod summary;

pub use at::At;
pub use format::FindingFormat;
pub use sarif::Log;
pub use summary::{FindingCounts, Statistics, Summary, Total};

use crate::{grouped, human, json};
use elf_base::{Class, Code, Diagnostic};
use elf_check::CodeCount;
use std::io::{self, Write};

/// Prints what is found in files.
#[derive(Clone, Copy)]
pub struct Printer<'p> {
    /// The format to print in.
    pub format: FindingFormat,
    /// For people only.
    pub renderer: &'p human::Renderer,
}

impl Printer<'_> {
    /// Prints what is before all findings.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn start(self, out: &mut dyn Write) -> io::Result<()> {
        if self.format == FindingFormat::Sarif { Log::start(out) } else { Ok(()) }
    }

    /// Returns what is before the first finding of all, and between any two.
    pub const fn separators(self) -> [&'static [u8]; 2] {
        match self.format {
            FindingFormat::Sarif => [b"\n", b",\n"],
            FindingFormat::Human | FindingFormat::Short | FindingFormat::Json | FindingFormat::Github => {
                [b"", b""]
            }
        }
    }

    /// Prints what is after all findings, under the exit status of the run: 0, 1, or 2 where it failed.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn finish(
        self,
        out: &mut dyn Write,
        log: &Log,
        met: &[CodeCount],
        exit_status: u8,
    ) -> io::Result<()> {
        if self.format == FindingFormat::Sarif { log.finish(out, met, exit_status) } else { Ok(()) }
    }

    /// Prints a finding of `file`.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn finding(
        self,
        out: &mut dyn Write,
        file: &str,
        finding: &Diagnostic,
        at: &At<'_>,
    ) -> io::Result<()> {
        match self.format {
            FindingFormat::Human => {
                let text =
                    self.renderer.finding(file, finding, at.words.as_deref(), at.repair_in_words(finding));
                writeln!(out, "{text}")
            }
            FindingFormat::Short => short::finding(out, file, finding),
            FindingFormat::Json => json_lines::finding(out, file, finding, at),
            FindingFormat::Sarif => sarif::finding(out, file, finding, at),
            FindingFormat::Github => github::finding(out, file, finding, at),
        }
    }

    /// Says how many more findings of a code there are than were printed.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn more(self, out: &mut dyn Write, (class, code): (Class, Code), more: u64) -> io::Result<()> {
        writeln!(out, "{class}[{}]: {} more; `--all` prints them\n", code.id(), grouped(more))
    }

    /// Prints what was found in a file as a whole.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn summary(self, out: &mut dyn Write, summary: &Summary<'_>) -> io::Result<()> {
        match self.format {
            FindingFormat::Human | FindingFormat::Short => summary.line(out),
            FindingFormat::Github => {
                let file = github::harmless(summary.file);
                Summary { file: &file, ..summary.clone() }.line(out)
            }
            FindingFormat::Json => json::summary(out, summary),
            // It is in the log.
            FindingFormat::Sarif => Ok(()),
        }
    }

    /// Keeps what was found in a file as a whole for the log of all files, where there is one.
    pub fn log(self, summary: &Summary<'_>, log: &mut Log) {
        if self.format == FindingFormat::Sarif {
            log.file(summary);
        }
    }

    /// Prints what was found in all files.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn total(self, out: &mut dyn Write, total: &Total) -> io::Result<()> {
        match self.format {
            FindingFormat::Human | FindingFormat::Short | FindingFormat::Github => total.line(out),
            FindingFormat::Json => json::summary(out, total),
            FindingFormat::Sarif => Ok(()),
        }
    }

    /// Prints how often each code was found.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn statistics(self, out: &mut dyn Write, statistics: &[Statistics]) -> io::Result<()> {
        match self.format {
            FindingFormat::Human | FindingFormat::Short | FindingFormat::Github => {
                summary::table(out, statistics)
            }
            FindingFormat::Json => statistics.iter().try_for_each(|one| json::line(out, one)),
            // The rules say how often each was broken.
            FindingFormat::Sarif => Ok(()),
        }
    }
}
