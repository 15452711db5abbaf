//! The arguments of `elf replace`.

use super::{Format, Reading, parse_encoding};
use clap::Args;
use elf_edit::{ReplaceOptions, ReplacePlaces};
use elf_tagged::Encoding;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf replace --in PLAC Danzig Gdańsk family.ged --diff
  elf replace --in PLAC,ADDR --whole --ignore-case danzig Gdańsk family.ged -o new.ged
  elf replace --in FILE --regex \"^C:.Photos.\" photos/ family.ged --in-place --backup
  elf replace --in elf:NOTE teh the . --out-dir corrected";

/// Replace text in the payloads of the tags or types that you name, and nothing else.
///
/// The command searches structures at any depth. If CONC or CONT lines continue a payload, they are searched together
/// with it as one text. All other lines stay the same byte for byte, and pointers are never changed. The command
/// prints the number of payloads that changed. The exit status is 0 even if nothing matched.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Replace {
    /// The text to replace.
    #[arg(value_name = "FROM")]
    pub(crate) from: String,
    /// The text that takes its place.
    #[arg(value_name = "TO")]
    pub(crate) to: String,
    /// Files, folders and archives to search; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Search the payloads of these tags or types, such as `PLAC`, `PLAC,ADDR` or `elf:NOTE`.
    #[arg(long = "in", value_name = "WHERE", required = true, help_heading = "Searching")]
    pub(crate) places: Vec<ReplacePlaces>,
    /// Replace a payload only if the whole payload equals FROM.
    #[arg(long, help_heading = "Searching")]
    whole: bool,
    /// Treat FROM as a regular expression. In TO, `$1` stands for the text of its first group, and `$$` for a dollar
    /// sign.
    #[arg(long, help_heading = "Searching")]
    regex: bool,
    /// Ignore the case of letters.
    #[arg(long, help_heading = "Searching")]
    ignore_case: bool,
    /// The file to write. `-` is standard output, which is also the default.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite those input files in which something changes.
    #[arg(long, conflicts_with = "output", help_heading = "Writing")]
    pub(crate) in_place: bool,
    /// Keep a copy of each overwritten file as `FILE.bak`.
    #[arg(long, requires = "in_place", help_heading = "Writing")]
    pub(crate) backup: bool,
    /// Write all files into this folder, under the same relative paths as in the folder or archive that you named.
    #[arg(
        long, value_name = "DIR", conflicts_with_all = ["output", "in_place", "diff"], help_heading = "Writing"
    )]
    pub(crate) out_dir: Option<PathBuf>,
    /// Show the lines that would change, and write no file.
    #[arg(long, conflicts_with = "in_place", help_heading = "Writing")]
    pub(crate) diff: bool,
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print the report in this format. `json` writes it to standard output, so the changed files cannot go there.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}

impl Replace {
    pub(crate) fn replace_options(&self) -> ReplaceOptions {
        let mut options = ReplaceOptions::default();
        (options.whole, options.regex, options.ignore_case) = (self.whole, self.regex, self.ignore_case);
        options
    }
}
