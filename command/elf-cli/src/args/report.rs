//! The arguments of `elf report`.

use super::check::parse_day;
use super::{RunReading, choice_parser};
use clap::Args;
use elf_check::config::{FindingWord, StandardChoice};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf report family.ged -o report.html
  elf report --living family.ged -o for-me.html
  elf report --no-people before.ged after.ged -o report.html
  elf report --against 5.5.1 --today 2026-11-23 . -o report.html
  elf report --ignore advice family.ged -o - > report.html";

/// Write an HTML report about files: encodings, findings, people and events.
///
/// The first part of the report shows the people to their relatives. It contains a family tree, a list of people,
/// lists of places and sources, and a section for each person with events, parents, partners, children, notes and
/// sources. People who may be living, as `elf redact` decides it, are hidden, also in findings; `--living` shows
/// them.
///
/// The report is one HTML file that needs no network and no scripts. It also shows the encoding of each file and the
/// evidence for it, the findings by code, unknown tags, and questions about facts (those of
/// `elf check --facts --unlikely`). It shows how complete the data about people is, and the number of events in each
/// decade. A report about several files starts with totals.
///
/// The exit status is 0 even if there are findings. It is 1 if the rules stopped reading a file early, because then
/// the report covers only a part of that file.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReportArgs {
    /// Files, folders and archives to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The HTML file to write; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: PathBuf,
    /// Show people who may be living, too.
    #[arg(long, help_heading = "Choosing")]
    pub(crate) living: bool,
    /// Omit the part about people. Findings then quote the lines of living people without hiding anything.
    #[arg(long, conflicts_with = "living", help_heading = "Choosing")]
    pub(crate) no_people: bool,
    /// Report only these findings: a code (`E0203`), the start of codes (`E03`), a name (`level-too-deep`) or a
    /// class (`malformed`, `non-conformant`, `deprecated`, `advice`).
    ///
    /// If you use this option, `select` and `ignore` in `elf.toml` have no effect.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) select: Vec<FindingWord>,
    /// Do not report these findings, in addition to those that `elf.toml` ignores.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) ignore: Vec<FindingWord>,
    /// Validate against this standard, as `elf check --against` does.
    #[arg(long, value_name = "STANDARD", value_parser = choice_parser(&StandardChoice::ALL, StandardChoice::name, StandardChoice::title),
        help_heading = "Choosing")]
    pub(crate) against: Option<StandardChoice>,
    /// Use this day as today, such as 2026-11-22. Questions about facts and the rule for living people depend on it.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day, help_heading = "Choosing")]
    pub(crate) today: Option<i64>,
    /// Use this configuration file. Patterns in it are relative to its folder. By default, the nearest `elf.toml` in
    /// the folder of each input file or in a parent folder is used.
    #[arg(long, value_name = "CONFIG", conflicts_with = "no_config", help_heading = "Choosing")]
    pub(crate) config: Option<PathBuf>,
    /// Ignore configuration files.
    #[arg(long, help_heading = "Choosing")]
    pub(crate) no_config: bool,
    /// Use this file name for standard input in the report.
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: RunReading,
}
