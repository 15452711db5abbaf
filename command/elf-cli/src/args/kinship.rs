//! The arguments of `elf kinship`.

use super::people::parse_identifier;
use super::{Reading, parse_encoding};
use clap::{Args, ValueEnum};
use elf_tagged::Encoding;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf kinship family.ged \"@I1@\" \"@I2@\"
  elf kinship family.ged I1 I3 --format json";

/// Show how two people are related.
///
/// The command shows all relationships of A to B, the nearest first: by blood, adoption, foster care and marriage,
/// and through step-parents. It names the common ancestors and prints Wright's coefficient of relationship, which
/// takes all paths by blood into account. The exit status is 0 if A and B are related in any way, and 1 if they are
/// not. It is 2 if no record or several records have one of the identifiers.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Kinship {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The identifier of the first person.
    #[arg(value_name = "A", value_parser = parse_identifier)]
    pub(crate) one: String,
    /// The identifier of the second person.
    #[arg(value_name = "B", value_parser = parse_identifier)]
    pub(crate) other: String,
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: KinshipFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The format in which relationships are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum KinshipFormat {
    /// Text: one sentence for each relationship.
    #[default]
    Human,
    /// JSON Lines: one object for each relationship, and a summary.
    Json,
    /// Comma-separated values with a header line.
    Csv,
}
