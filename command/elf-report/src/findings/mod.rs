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

use crate::vendor::VendorCount;
use crate::{grouped, human, json};
use elf_base::{Class, Code, Diagnostic};
use elf_check::CodeCount;
use serde::Serialize;
use std::io::{self, Write};

/// Prints findings in one format.
#[derive(Clone, Copy)]
pub struct Printer<'p> {
    /// The format to print in.
    pub format: FindingFormat,
    /// Used by the format for people only.
    pub renderer: &'p human::Renderer,
}

#[derive(Serialize)]
struct VendorLine<'v> {
    vendor: &'v VendorCount,
}

impl Printer<'_> {
    /// Prints the text before all findings.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_start(self, out: &mut dyn Write) -> io::Result<()> {
        if self.format == FindingFormat::Sarif { Log::start(out) } else { Ok(()) }
    }

    /// Returns the text before the first finding, and the text between two findings.
    pub const fn separators(self) -> [&'static [u8]; 2] {
        match self.format {
            FindingFormat::Sarif => [b"\n", b",\n"],
            FindingFormat::Human | FindingFormat::Short | FindingFormat::Json | FindingFormat::Github => {
                [b"", b""]
            }
        }
    }

    /// Prints the text after all findings. `exit_status` is that of the run: 0, 1, or 2 if it
    /// failed.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_end(
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
    /// If writing to `out` fails.
    pub fn write_finding(
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

    /// Prints the number of findings of a code that were not printed.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_more(self, out: &mut dyn Write, class: Class, code: Code, more: u64) -> io::Result<()> {
        writeln!(out, "{class}[{}]: {} more; `--all` prints them\n", code.id(), grouped(more))
    }

    /// Prints the summary of a file.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_summary(self, out: &mut dyn Write, summary: &Summary<'_>) -> io::Result<()> {
        match self.format {
            FindingFormat::Human | FindingFormat::Short => summary.line(out),
            FindingFormat::Github => {
                let file = github::disarm_file_name(summary.file);
                Summary { file: &file, ..summary.clone() }.line(out)
            }
            FindingFormat::Json => json::write_summary(out, summary),
            // The summary is in the log.
            FindingFormat::Sarif => Ok(()),
        }
    }

    /// Adds the summary of a file to the log, if the format has one.
    pub fn add_to_log(self, summary: &Summary<'_>, log: &mut Log) {
        if self.format == FindingFormat::Sarif {
            log.file(summary);
        }
    }

    /// Prints the summary of all files.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_total(self, out: &mut dyn Write, total: &Total) -> io::Result<()> {
        match self.format {
            FindingFormat::Human | FindingFormat::Short | FindingFormat::Github => total.line(out),
            FindingFormat::Json => json::write_summary(out, total),
            FindingFormat::Sarif => Ok(()),
        }
    }

    /// Prints the number of findings of each code.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_statistics(self, out: &mut dyn Write, statistics: &[Statistics]) -> io::Result<()> {
        match self.format {
            FindingFormat::Human | FindingFormat::Short | FindingFormat::Github => {
                summary::table(out, statistics)
            }
            FindingFormat::Json => statistics.iter().try_for_each(|one| json::write_line(out, one)),
            // The rules in the log contain these numbers.
            FindingFormat::Sarif => Ok(()),
        }
    }

    /// Prints the number of structures of each type of vendor tags.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_vendor_tags(self, out: &mut dyn Write, counts: &[VendorCount]) -> io::Result<()> {
        match self.format {
            FindingFormat::Human | FindingFormat::Short | FindingFormat::Github => {
                summary::vendor_table(out, counts)
            }
            FindingFormat::Json => {
                counts.iter().try_for_each(|vendor| json::write_line(out, &VendorLine { vendor }))
            }
            // The log has the number of all.
            FindingFormat::Sarif => Ok(()),
        }
    }
}
