//! The arguments of the command.

mod date;
mod diff;
mod edits;
mod files;

pub(crate) use date::Date;
pub(crate) use diff::Diff;
pub(crate) use edits::Edits;
pub(crate) use files::SchemaName;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use elf_tagged::{Encoding, Rules};
use std::num::NonZero;
use std::path::PathBuf;

/// Reads, checks and converts genealogical text files: GEDCOM, and ELF, the format that carries its own
/// types.
#[derive(Parser)]
#[command(name = "elf", version, disable_help_subcommand = true, after_help = STATUS)]
pub(crate) struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const STATUS: &str = "\
Exit status: 0 nothing to report; 1 a file has problems, or something was lost on the way; 2 the command could not do \
its work. With several files the highest counts.";

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Report everything that is wrong with a file.
    Check(Check),
    /// Print a file as it stands at one layer.
    Show(Show),
    /// Say what a file is: its encoding and why, versions, producer, counts.
    Info(Info),
    /// Read and write again as a conformant writer, in any encoding, by the rules of any draft.
    Convert(Convert),
    /// Change some structures of a file, and nothing else in it.
    Edit(Edit),
    /// Say what two files say differently, whatever their order and their identifiers.
    Diff(Diff),
    /// Print the schema in force: types, supertypes, tags, conflicts; or how a tag got its type.
    Schema(Schema),
    /// Say what a date, a period, an age or a time says: its form, its days, its canonical spelling.
    Date(Date),
    /// Print the manual page of a diagnostic code.
    Explain(Explain),
}

/// Report everything that is wrong with a file.
#[derive(clap::Args)]
pub(crate) struct Check {
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fixing: FixOptions,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    /// How many threads read a large file; by default as many as there are cores. What is reported is the
    /// same.
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Print all findings for a person too, not only the first ten of each code in a file.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) printing: PrintOptions,
}

/// The options of repairs.
#[derive(clap::Args)]
pub(crate) struct FixOptions {
    /// Repair what can be repaired without changing what the file says, and report what is left. The repaired
    /// file is written to OUT, by default standard output, and the report to standard error.
    #[arg(long, help_heading = "Repairing")]
    pub(crate) fix: bool,
    /// Repair also what needs a guess.
    #[arg(long, help_heading = "Repairing")]
    pub(crate) unsafe_fixes: bool,
    /// Show only which lines a repair changes, and how; status 1 if any.
    #[arg(long, conflicts_with = "in_place", help_heading = "Repairing")]
    pub(crate) diff: bool,
    /// Overwrite the files with what was repaired.
    #[arg(long, conflicts_with = "output", help_heading = "Repairing")]
    pub(crate) in_place: bool,
}

/// Print a file as it stands at one layer.
#[derive(clap::Args)]
pub(crate) struct Show {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The layer.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Tagged)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    #[command(flatten)]
    pub(crate) printing: PrintOptions,
}

/// Say what a file is: its encoding and why, versions, producer, counts.
#[derive(clap::Args)]
pub(crate) struct Info {
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    /// How many threads read a large file; by default as many as there are cores. What is found is the same.
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) printing: PrintOptions,
}

/// Print the manual page of a diagnostic code.
#[derive(clap::Args)]
pub(crate) struct Explain {
    /// The code, such as E0203, or its name, such as level-too-deep.
    #[arg(value_name = "CODE")]
    pub(crate) code: String,
    #[command(flatten)]
    pub(crate) printing: PrintOptions,
}

/// Read and write again as a conformant writer.
#[derive(clap::Args)]
pub(crate) struct Convert {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: PathBuf,
    /// Write in this encoding: UTF-8, UTF-16LE, UTF-16BE, ANSEL or ASCII. What it cannot spell becomes a
    /// Unicode escape.
    #[arg(
        long, value_name = "NAME", value_parser = encoding, default_value = "UTF-8", help_heading = "Writing"
    )]
    pub(crate) encoding: Encoding,
    /// The line break; by default the commonest one of the input.
    #[arg(long, value_name = "BREAK", value_enum, help_heading = "Writing")]
    pub(crate) line_break: Option<Break>,
    /// Write a byte-order mark where the rules would not.
    #[arg(long, help_heading = "Writing")]
    pub(crate) bom: bool,
    /// The longest line, in the unit of the rules; 0 for no limit.
    #[arg(long, value_name = "N", help_heading = "Writing")]
    pub(crate) width: Option<u32>,
    /// The rules to write by.
    #[arg(
        long, value_name = "RULES", default_value = Rules::DECEMBER_2019.name, value_parser = rules(),
        help_heading = "Writing"
    )]
    pub(crate) to_rules: &'static Rules,
    /// Exit with status 0 although something could not be carried over.
    #[arg(long, help_heading = "Writing")]
    pub(crate) allow_loss: bool,
    /// Write what was read although the rules ended the reading, and exit with status 1; without this, such a
    /// file is not written, and the status is 2.
    #[arg(long, help_heading = "Writing")]
    pub(crate) partial: bool,
    /// Read in this encoding, whatever the file says.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) from_encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// What is lost: for a person, or as JSON Lines on standard output; then the file needs another place.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}

const EDIT_EXAMPLES: &str = "\
Examples:
  elf edit family.ged --set '@I1@/BIRT/PLAC=Paris' -o new.ged
  elf edit family.ged --create --set '@I1@/DEAT/DATE=1911' --diff
  elf edit family.ged --remove '@I3@' --cascade --in-place
  elf edit family.ged --set '@F1@/CHIL[=@I3@]=@I4@' --remove 'INDI[*]/RIN[*]' -o new.ged";

/// Change some structures of a file, and nothing else in it.
///
/// A PATH leads from a record down, steps parted by `/`: a tag (`BIRT`), a type (`elf:BIRTH`, subtypes
/// included) or an identifier (`@I1@`), with `[N]` for the N-th of its kind, `[*]` for all, `[=VALUE]` for
/// those with that payload: `@I1@/NAME[2]/GIVN`, `@F1@/CHIL[=@I3@]`. A path that names several where one is
/// meant is refused. The first `=` outside brackets and at signs ends it. Each edit sees what those before it
/// did. Lines that no edit names stay octet for octet. What the edits bring about is reported, and makes
/// status 1 if it is malformed, non-conformant, or a pointer that leads nowhere or to several.
#[derive(clap::Args)]
#[command(after_help = EDIT_EXAMPLES)]
pub(crate) struct Edit {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) edits: Edits,
    /// Make the structures that a path lacks: those to be set, and those that something is inserted or moved
    /// beneath.
    #[arg(long, help_heading = "Editing")]
    pub(crate) create: bool,
    /// Remove the pointers to what is removed, too, with all beneath them.
    #[arg(long, help_heading = "Editing")]
    pub(crate) cascade: bool,
    /// Make pointers to records that are not there.
    #[arg(long, help_heading = "Editing")]
    pub(crate) dangling: bool,
    /// The file to write; by default, and for `-`, standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long, conflicts_with = "output", help_heading = "Writing")]
    pub(crate) in_place: bool,
    /// Show only which lines change, and how.
    #[arg(long, conflicts_with = "in_place", help_heading = "Writing")]
    pub(crate) diff: bool,
    /// Refuse characters that the encoding of the file lacks, instead of writing them as Unicode escapes.
    #[arg(long, help_heading = "Writing")]
    pub(crate) no_escapes: bool,
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// What the edits break: for a person, or as JSON Lines on standard output; then the file needs another
    /// place.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}

/// Print the schema in force: types, supertypes, tags, conflicts; or how a tag got its type.
#[derive(clap::Args)]
pub(crate) struct Schema {
    /// The file whose schema it is; `-` is standard input. Without one, the schema that the rules have by
    /// default.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Say how the tags of a path get their types, such as `INDI/BIRT/DATE`, `HEAD/SOUR` or, of a file,
    /// `@I1@/BIRT`.
    #[arg(long, value_name = "PATH")]
    pub(crate) why: Option<elf_tagged::path::Path>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    /// For a person, as JSON Lines, as a SCHMA document, or as the supertype graph.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: SchemaFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

impl FixOptions {
    /// Tells whether anything is to be repaired, or shown as if it were.
    pub(crate) const fn any(&self) -> bool {
        self.fix || self.unsafe_fixes || self.diff || self.in_place
    }
}

/// In which encoding a file is read, and what its findings are worth.
#[derive(clap::Args)]
pub(crate) struct StatusOptions {
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// What makes the exit status 1 besides malformed and non-conformant sources.
    #[arg(long, value_name = "WHAT", help_heading = "Reading")]
    pub(crate) deny: Option<Deny>,
}

/// By which rules a file is read.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// The rules to read by: those of a draft, or `wild` for files as they are found.
    #[arg(long, value_name = "RULES", default_value = Rules::WILD.name, value_parser = rules(), help_heading = "Reading")]
    pub(crate) rules: &'static Rules,
    /// The schema in force, whatever the file brings: `completed`, `published`, a file, or an IRI. By default
    /// the schema of the file or else, under `wild`, `completed`, and under other rules that have one
    /// `published`.
    #[arg(long, value_name = "SCHEMA", help_heading = "Reading")]
    pub(crate) schema: Option<String>,
    /// Fetch the external schemas that a file refers to over the network, and keep them in the cache. Without
    /// this and `--offline`, only those that are built in are used.
    #[arg(long, conflicts_with = "offline", help_heading = "Reading")]
    pub(crate) fetch: bool,
    /// Take external schemas from the cache only.
    #[arg(long, help_heading = "Reading")]
    pub(crate) offline: bool,
    /// Ask this host although it is of a private network, or answers over plain http only; may be repeated.
    #[arg(long, value_name = "HOST", requires = "fetch", help_heading = "Reading")]
    pub(crate) allow_host: Vec<String>,
}

/// The options of printing data.
#[derive(clap::Args)]
pub(crate) struct PrintOptions {
    /// For a person, or as JSON Lines: one object a line.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The findings that make the exit status 1 besides those of malformed and non-conformant sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Any diagnostic: what is deprecated, and advice.
    Warnings,
}

/// A layer that `elf show` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Line strings, each with its line and the octet where it starts.
    Octets,
    /// Lines: level, cross-reference identifier, tag, payload; and what is no line.
    Lines,
    /// Structures whose payloads are still escaped.
    Xref,
    /// Structures whose payloads are unescaped and merged.
    Tagged,
    /// The same with the types of the structures.
    Typed,
}

/// A line break that `elf convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Break {
    /// U+000A, as Unix has it.
    Lf,
    /// U+000D, as the old Macintosh had it.
    Cr,
    /// U+000D U+000A, as Windows has it.
    Crlf,
}

/// The format in which data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person.
    #[default]
    Human,
    /// JSON Lines.
    Json,
}

/// The format in which a schema is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// For a person.
    #[default]
    Human,
    /// JSON Lines.
    Json,
    /// A document that holds it as SCHMA.
    Elf,
    /// The supertype graph, for Graphviz.
    Dot,
}

/// The name of a preset, to the preset.
pub(crate) fn rules() -> impl TypedValueParser<Value = &'static Rules> {
    PossibleValuesParser::new(Rules::PRESETS.map(|rules| rules.name))
        .try_map(|name| Rules::from_name(&name).ok_or("no such rules"))
}

/// The name of an encoding, in any case, to the encoding.
fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        let names = Encoding::ALL.map(Encoding::name).join(", ");
        format!("expected one of {names}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }
}
