//! The arguments of `elf diff`.

use super::{Format, Reading, encoding, rules};
use elf_tagged::{Encoding, Rules};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf diff before.ged after.ged
  elf convert family.ged --to-rules 2019-01 -o new.ged
  elf diff family.ged new.ged --to-rules 2019-01
  elf diff --format json before.ged after.ged";

/// Say what two files say differently: status 1 if anything.
///
/// Records may come in any order, and so may substructures of different types, but not those of one type.
/// Identifiers agree when they name records that agree, however they are spelled. Encoding, line breaks, the
/// splitting of lines and escapes do not count. What differs is shown by its path, with what A says and what
/// B says.
///
/// Each file is typed by the definitions it brings, and what they leave open by one schema for both:
/// `completed`, or what `--schema` names. The types of 2017 are matched with those of the later drafts, and
/// where a tag has no type in one of the files, tags are compared. What is serialisation to the rules of one
/// of them is no difference.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
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
