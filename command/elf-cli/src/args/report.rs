//! The arguments of `elf report`.

use super::check::day;
use super::{RunReading, choices};
use clap::Args;
use elf_check::config::{FindingWord, HeldAgainst};
use elf_lineage::Asking;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf report family.ged -o report.html
  elf report before.ged after.ged -o report.html
  elf report --against 5.5.1 --today 2026-11-23 . -o report.html
  elf report --ignore advice family.ged -o - > report.html";

/// Write one page for eyes about files: what they are, what was found, who is in them.
///
/// The page is one HTML file that asks nothing of any network and can be read without scripts. It has the
/// encodings with their evidence, findings by code with the first of each, tags without a meaning, questions
/// about facts (those of `elf check --facts --unlikely`), how much is known of people, and events by decade;
/// of several files a total first. It is no verdict: the status is 0 whatever was found, and 1 only where the
/// rules ended the reading of a file, so that the page tells of a part of it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReportArgs {
    /// The files, folders of files, and archives; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The page to write; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: PathBuf,
    /// Report only these: codes (E0203), starts of codes (E03), names (level-too-deep), classes (advice).
    /// The configuration's `select` and `ignore` are set aside then.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) select: Vec<FindingWord>,
    /// Report all but these, and those that the configuration ignores.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) ignore: Vec<FindingWord>,
    /// Hold the structures against what this standard says may stand where, as `elf check` does.
    #[arg(long, value_name = "STANDARD", value_parser = choices(&HeldAgainst::ALL, HeldAgainst::name, HeldAgainst::title),
        help_heading = "Choosing")]
    pub(crate) against: Option<HeldAgainst>,
    /// Take this day for today when asking about facts, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, help_heading = "Choosing")]
    pub(crate) today: Option<Asking>,
    /// Take the configuration from this file, whose folder its patterns start from. By default that of each
    /// file is the `elf.toml` beside it, or else the nearest upward.
    #[arg(long, value_name = "CONFIG", conflicts_with = "no_config", help_heading = "Choosing")]
    pub(crate) config: Option<PathBuf>,
    /// Take no configuration.
    #[arg(long, help_heading = "Choosing")]
    pub(crate) no_config: bool,
    /// Call standard input by this name in the report.
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: RunReading,
}
