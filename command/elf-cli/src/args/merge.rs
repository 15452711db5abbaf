//! The arguments of `elf merge`.

use super::matching::score;
use super::{Format, Reading};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf merge family.ged after.ged -o merged.ged
  elf merge family.ged after.ged --at-least 0.99 -o merged.ged
  elf match family.ged after.ged --format csv -o pairs.csv
  elf merge family.ged after.ged --pairs pairs.csv -o merged.ged";

/// Add a file to another one, and unite the persons who are the same.
///
/// The lines of A stay byte for byte; what only B says is inserted, in the encoding of A. Families with the same
/// spouses are united, and so are sources, repositories, notes and media that say the same. The header is that of A.
/// Facts that differ are both kept, and reported. Without `--pairs` and `--at-least`, only persons whose records and
/// identifiers are equal are united. Exit status: 1 if something of B cannot be written in A, 2 if nothing is written.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// The file that is added to; `-` is standard input.
    #[arg(value_name = "A")]
    pub(crate) one: PathBuf,
    /// The file that is added; `-` is standard input.
    #[arg(value_name = "B")]
    pub(crate) other: PathBuf,
    /// Unite the persons whose decision is `same` in this table of `elf match`.
    #[arg(long, value_name = "FILE", conflicts_with = "at_least", help_heading = "Merging")]
    pub(crate) pairs: Option<PathBuf>,
    /// Unite all pairs of persons with at least this score, from 0 to 1: each person once, the best pairs first.
    #[arg(long, value_name = "SCORE", value_parser = score, help_heading = "Merging")]
    pub(crate) at_least: Option<f64>,
    /// The file to write; by default, and for `-`, standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Report on standard error as text, or as JSON Lines: one object for each action, and a summary.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}
