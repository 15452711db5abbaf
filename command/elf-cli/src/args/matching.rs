//! The arguments of `elf match`.

use super::RunReading;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf match family.ged
  elf match family.ged after.ged --at-least 0.95
  elf match family.ged --format csv -o pairs.csv
  elf match family.ged --format csv --decided pairs.csv -o next.csv";

/// Find records that are about the same person, in one file or in two.
///
/// The command compares names, dates, places and relatives. The score of a pair is the probability that both records
/// are about the same person. To decide, write a table with `--format csv`, put `same` or `different` into its column
/// `decision`, and pass it to the next run with `--decided`, or to `elf merge --pairs`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Match {
    /// The first file; `-` is standard input. If you name a folder or an archive, all files in it are read.
    #[arg(value_name = "A")]
    pub(crate) one: PathBuf,
    /// The second file. Without it, the people of A are compared with each other.
    #[arg(value_name = "B")]
    pub(crate) other: Option<PathBuf>,
    /// Print only pairs with at least this score, from 0 to 1.
    #[arg(long, value_name = "SCORE", default_value = "0.8", value_parser = parse_score, help_heading = "Matching")]
    pub(crate) at_least: f64,
    /// Read your decisions from this table, which an earlier run wrote. Pairs with the decision `different` are
    /// omitted, and pairs with the decision `same` have the score 1. May be repeated.
    #[arg(long, value_name = "FILE", help_heading = "Matching")]
    pub(crate) decided: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: RunReading,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: MatchFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats in which pairs are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchFormat {
    /// Text.
    #[default]
    Human,
    /// JSON Lines: one object for each pair.
    Json,
    /// Comma-separated values with a header line, and with an empty column for your decisions.
    Csv,
}

/// Parses a probability.
pub(super) fn parse_score(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|score| (0.0..=1.0).contains(score));
    number.ok_or_else(|| "expected a number from 0 to 1, such as 0.9".to_owned())
}
