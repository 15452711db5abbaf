//! The arguments of `elf merge`.

use super::matching::parse_score;
use super::{Format, Reading};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf merge family.ged after.ged -o merged.ged
  elf merge family.ged after.ged --at-least 0.99 -o merged.ged
  elf match family.ged after.ged --format csv -o pairs.csv
  elf merge family.ged after.ged --pairs pairs.csv -o merged.ged";

/// Add a file to another one, and merge records that are about the same person.
///
/// The output contains every byte of A, including its header. The structures that only B has are inserted in the
/// encoding of A. Families with the same spouses are merged, and so are sources, repositories, notes and media with
/// the same content. If facts differ, both are kept and reported. Without `--pairs` and `--at-least`, people are
/// merged only if their records and identifiers are equal. The exit status is 1 if a part of B cannot be written, and
/// 2 if nothing is written.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// The file to which B is added; `-` is standard input.
    #[arg(value_name = "A")]
    pub(crate) one: PathBuf,
    /// The file that is added to A; `-` is standard input.
    #[arg(value_name = "B")]
    pub(crate) other: PathBuf,
    /// Merge the pairs that have the decision `same` in this table, which `elf match` wrote.
    #[arg(long, value_name = "FILE", conflicts_with = "at_least", help_heading = "Merging")]
    pub(crate) pairs: Option<PathBuf>,
    /// Merge all pairs of people with at least this score, from 0 to 1. The best pairs are merged first, and each
    /// person is merged only once.
    #[arg(long, value_name = "SCORE", value_parser = parse_score, help_heading = "Merging")]
    pub(crate) at_least: Option<f64>,
    /// The file to write. `-` is standard output, which is also the default.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Write the report to standard error in this format. `json` writes one object for each action, and a summary.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}
