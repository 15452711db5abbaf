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
/// The exit status is 1 if the files differ. For each difference, the command shows the path of the structure, its
/// text in A and its text in B.
///
/// Records and substructures of different types may be in any order. The order of substructures of the same type
/// counts. Two pointers are equal if the records that they refer to are equal, even if the identifiers differ. The
/// comparison ignores the encoding, the line endings, the way in which long texts are split, and escapes.
///
/// A structure gets its type from the definitions in its own file, or else from one schema for both files. This
/// schema is `completed`, or the one that `--schema` names. A type of the 2017 drafts is equal to the same type of
/// later drafts. If a tag has no type in one of the files, the tags are compared instead of the types. Structures
/// that are only serialisation metadata under the rules of one of the files are ignored.
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
    /// Read B by these rules, if they differ from the rules for A. Use this option to compare a file with the output
    /// of `elf convert --to-rules`.
    #[arg(long, value_name = "RULES", value_parser = rules_parser(), help_heading = "Reading")]
    pub(crate) to_rules: Option<&'static Rules>,
    /// Print text for people, or JSON Lines (one object per line).
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}
