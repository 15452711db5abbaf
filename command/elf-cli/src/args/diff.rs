//! The arguments of `elf diff`.

use super::{Format, Reading, parse_encoding, rules_parser};
use elf_tagged::{Encoding, Rules};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf diff before.ged after.ged
  elf convert family.ged --to-rules 2019-01 -o new.ged
  elf diff family.ged new.ged --to-rules 2019-01
  elf diff --format json before.ged after.ged";

/// Compare the content of two files, ignoring record order and identifiers.
///
/// The exit status is 1 if the files differ. Each difference is shown with its path, its text in A and its text
/// in B.
///
/// Records may be in any order. Substructures of different types may be in any order, but the order of
/// substructures of the same type counts. Two pointers are equal if their records are equal, even if the
/// identifiers differ. Encoding, line endings, the splitting of long text and escapes are ignored.
///
/// Each file is typed by its own definitions first, and then by one schema for both: `completed`, or the schema
/// that `--schema` names. Types of the 2017 drafts are matched with those of later drafts. If a tag has no type
/// in one file, the tags are compared. Structures that are only serialisation metadata under the rules of
/// either file are ignored.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// The first file; `-` is standard input.
    #[arg(value_name = "A")]
    pub(crate) one: PathBuf,
    /// The second file; `-` is standard input.
    #[arg(value_name = "B")]
    pub(crate) two: PathBuf,
    /// Read both files in this encoding and ignore the encodings that they name. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Rules to read B by, if they differ from those for A. Use this to compare with the output of `elf convert
    /// --to-rules`.
    #[arg(long, value_name = "RULES", value_parser = rules_parser(), help_heading = "Reading")]
    pub(crate) to_rules: Option<&'static Rules>,
    /// Print text for people, or JSON Lines (one object per line).
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}
