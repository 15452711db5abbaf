//! The arguments of `elf diff`.

use super::{Format, Reading, encoding, rules};
use elf_tagged::{Encoding, Rules};
use std::path::PathBuf;

/// Say what two files say differently: status 1 if anything.
///
/// Records may come in any order, and so may substructures of different types, but not those of one type. Identifiers
/// agree when they name records that agree, however they are spelled. Encoding, line breaks, the splitting of lines and
/// escapes do not count. What differs is shown by its path, with what A says and what B says.
#[derive(clap::Args)]
pub(crate) struct Diff {
    /// The first file; `-` is standard input.
    #[arg(value_name = "A")]
    pub(crate) one: PathBuf,
    /// The second file; `-` is standard input.
    #[arg(value_name = "B")]
    pub(crate) two: PathBuf,
    /// Read both in this encoding, whatever they say, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The rules to read B by, if they are not those of A: what `elf convert --to-rules` has written.
    #[arg(long, value_name = "RULES", value_parser = rules(), help_heading = "Reading")]
    pub(crate) to_rules: Option<&'static Rules>,
    /// For a person, or as JSON Lines: one object a line.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}
