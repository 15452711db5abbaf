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

/// Replace text in payloads of some tags or types, and nothing else.
///
/// Payloads are searched at any depth. A payload that CONC or CONT continues is one text. All other lines stay byte
/// for byte, and pointers are never changed. The number of payloads that changed is printed. The exit status is 0 also
/// if nothing matched.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Replace {
    /// The text to replace.
    #[arg(value_name = "FROM")]
    pub(crate) from: String,
    /// The text that takes its place.
    #[arg(value_name = "TO")]
    pub(crate) to: String,
    /// The files, folders of files, and archives; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Search the payloads of these tags or types, such as `PLAC`, `PLAC,ADDR` or `elf:NOTE`.
    #[arg(long = "in", value_name = "WHERE", required = true, help_heading = "Searching")]
    pub(crate) places: Vec<ReplacePlaces>,
    /// Replace only payloads that equal FROM as a whole.
    #[arg(long, help_heading = "Searching")]
    whole: bool,
    /// Take FROM for a regular expression; `$1` in TO stands for its first group, `$$` for a dollar sign.
    #[arg(long, help_heading = "Searching")]
    regex: bool,
    /// Ignore the case of letters.
    #[arg(long, help_heading = "Searching")]
    ignore_case: bool,
    /// The file to write; by default, and for `-`, standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the files in which something changes.
    #[arg(long, conflicts_with = "output", help_heading = "Writing")]
    pub(crate) in_place: bool,
    /// Keep each file that is overwritten beside it, called `FILE.bak`.
    #[arg(long, requires = "in_place", help_heading = "Writing")]
    pub(crate) backup: bool,
    /// Write each file into this folder, by its path under the folder or archive that it was found in.
    #[arg(
        long, value_name = "DIR", conflicts_with_all = ["output", "in_place", "diff"], help_heading = "Writing"
    )]
    pub(crate) out_dir: Option<PathBuf>,
    /// Show only which lines change, and how.
    #[arg(long, conflicts_with = "in_place", help_heading = "Writing")]
    pub(crate) diff: bool,
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Report for a person, or as JSON Lines on standard output; then the files need another place.
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
