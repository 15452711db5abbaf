//! The arguments of the command.

mod check;
mod date;
mod diff;
mod edits;
mod extract;
mod files;
mod find;
mod kinship;
mod people;
mod report;
mod shell;
mod table;
mod tree;

pub(crate) use check::{Check, ConfigOptions};
pub(crate) use date::Date;
pub(crate) use diff::Diff;
pub(crate) use edits::Edits;
pub(crate) use extract::{Extract, ExtractOptions, Redact};
pub(crate) use files::SchemaName;
pub(crate) use find::{Find, FindFormat};
pub(crate) use kinship::{Kinship, KinshipFormat};
pub(crate) use report::ReportArgs;
pub(crate) use shell::{Completions, Man, Shell};
pub(crate) use table::{Table, TableFormat};
pub(crate) use tree::{Tree, TreeFormat};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use elf_report::schema::SchemaFormat;
use elf_tagged::{Encoding, Rules};
use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;

/// Reads, checks and converts genealogical text files: GEDCOM, and ELF, the format that carries its own
/// types.
#[derive(Parser)]
#[command(name = "elf", version, after_help = STATUS)]
pub(crate) struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const STATUS: &str = "\
Exit status: 0 nothing to report; 1 a file has problems, or something was lost on the way; 2 the command could not do \
its work. With several files the highest counts.

Examples:
  elf check family.ged
  elf help check
  elf explain E0203";

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Report what is wrong with a file, at what line, and by which clause.
    Check(Box<Check>),
    /// Print a file as it stands at one layer.
    Show(Show),
    /// Say what a file is: its encoding and why, versions, producer, counts.
    Info(Info),
    /// Read and write again as a conformant writer, in any encoding, by the rules of any draft.
    Convert(Convert),
    /// Change some structures of a file, and nothing else in it.
    Edit(Edit),
    /// Write one branch of a family tree: some persons, and those related to them.
    Extract(Box<Extract>),
    /// Hide persons who may be living: a filter, and no guarantee.
    Redact(Box<Redact>),
    /// Make a table of files, for a spreadsheet or a database: people, families, events, sources, structures.
    Table(Box<Table>),
    /// Find persons by name, dates, places, relatives, or what their records have or lack.
    Find(Box<Find>),
    /// Show how two persons are related.
    Kinship(Kinship),
    /// Write one page for eyes about files: what they are, what was found, who is in them.
    Report(Box<ReportArgs>),
    /// Say what two files say differently, whatever their order and their identifiers.
    Diff(Diff),
    /// Print the schema in force: types, supertypes, tags, conflicts; or how a tag got its type.
    Schema(Schema),
    /// Draw the ancestors and descendants of a person.
    Tree(Box<Tree>),
    /// Say what a date, a period, an age or a time says: its form, its days, its canonical spelling.
    Date(Date),
    /// Print the manual page of a diagnostic code, or the list of all codes.
    Explain(Explain),
    /// Print what a shell needs to complete the command's words.
    Completions(Completions),
    /// Print the manual page of a command, for `man`.
    Man(Man),
}

const SHOW_EXAMPLES: &str = "\
Examples:
  elf show family.ged
  elf show --form typed family.ged
  elf show --at '@I1@/BIRT' --at 'INDI[*]/NAME' family.ged
  elf show --format tsv family.ged > structures.tsv
  elf show --form lines --format json family.ged > lines.jsonl";

/// Print a file as it stands at one layer.
#[derive(clap::Args)]
#[command(after_help = SHOW_EXAMPLES)]
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
    /// Print only what stands at a path, with all beneath it, such as `@I1@/BIRT` or `FAM[*]/CHIL[=@I3@]`.
    #[arg(long, value_name = "PATH", help_heading = "Printing")]
    pub(crate) at: Vec<elf_tagged::path::Path>,
    /// For a person, as JSON Lines, or one structure a line: path and payload, or a table with a header.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: ShowFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The format in which a file is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// For a person.
    #[default]
    Human,
    /// JSON Lines.
    Json,
    /// A structure a line: its path, ` = ` and its payload.
    Flat,
    /// A table: path, tag, type, payload and line of each structure.
    Tsv,
}

const INFO_EXAMPLES: &str = "\
Examples:
  elf info family.ged
  elf info --brief .
  elf info --format json before.ged after.ged
  elf info --format tsv . > trees.tsv";

/// Say what a file is: its encoding and why, versions, producer, counts.
#[derive(clap::Args)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct Info {
    /// The files, folders of files, and archives; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    /// The number of threads that read; by default as many as there are cores. What is printed is the same.
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Print one line about each file.
    #[arg(long, conflicts_with = "format", help_heading = "Printing")]
    pub(crate) brief: bool,
    /// For a person, as JSON Lines: one object a line, or as a table with a header and a line for each file.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: InfoFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The format in which `elf info` prints what a file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoFormat {
    /// For a person.
    #[default]
    Human,
    /// JSON Lines.
    Json,
    /// Fields parted by tabs.
    Tsv,
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  elf explain E0203
  elf explain level-too-deep
  elf explain
  elf explain --format json > codes.jsonl";

/// Print the manual page of a diagnostic code, or the list of all codes.
#[derive(clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct Explain {
    /// The code, such as E0203, or its name, such as level-too-deep. Without one, all are listed.
    #[arg(value_name = "CODE|NAME")]
    pub(crate) code: Option<String>,
    #[command(flatten)]
    pub(crate) printing: PrintOptions,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  elf convert family.ged -o utf8.ged
  elf convert family.ged --encoding ANSEL --line-break crlf -o old.ged
  elf convert family.ged --to-rules gedcom-5.5.1 -o plain-gedcom.ged
  elf convert family.ged --to-rules 2019-12 -o elf.ged
  elf convert family.ged --to-rules gedcom-7 -o family.gdz
  elf convert family.ged --from-encoding windows-1252 --allow-loss -o -
  elf convert . --out-dir converted --manifest converted.jsonl --allow-loss";

/// Read and write again as a conformant writer, in any encoding, by the rules of any draft.
///
/// What the output's rules or encoding have no place for is reported as a loss, and makes status 1. The rules
/// of the later drafts mark what they write as ELF; `--to-rules gedcom-5.5.1` writes plain GEDCOM 5.5.1 for
/// other programs, and `--to-rules gedcom-7` GEDCOM 7.0.
#[derive(clap::Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The file, or with `--out-dir` the files, folders of files, and archives; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write; `-` is standard output. One called `.gdz` is an archive of GEDCOM 7.0, with
    /// `gedcom.ged` in it and the files that links lead to, byte for byte, if they lie in or below the folder of the
    /// input, in an archive or on the disk. Links to other files are reported.
    #[arg(short, long, value_name = "OUT", required_unless_present = "out_dir", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// For an output called `.gdz`, look for the files that links lead to in this folder too; may be repeated. Links
    /// that lead out of the folder of the input and out of these folders are reported, and nothing is packed for them.
    #[arg(long, value_name = "DIR", help_heading = "Writing")]
    pub(crate) media_folder: Vec<PathBuf>,
    /// Write each file into this folder, by its path beneath the folder or archive that it was found in; a
    /// `.gdz` stays one in GEDCOM 7.0. What stands there is overwritten, unless it is an input.
    #[arg(long, value_name = "DIR", conflicts_with = "output", help_heading = "Writing")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Record in this file, as JSON Lines, what became of each: its SHA-256 before and after, and what was
    /// lost.
    #[arg(long, value_name = "MANIFEST", requires = "out_dir", help_heading = "Writing")]
    pub(crate) manifest: Option<PathBuf>,
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
    /// Longest line, in octets, or in characters by the rules of 2017; 0 for no limit. By default 255, by the
    /// rules of December 2019 with the line break, and in UTF-16 twice that.
    #[arg(long, value_name = "N", help_heading = "Writing")]
    pub(crate) width: Option<u32>,
    /// Rules to write by: those of a draft, of GEDCOM, or `wild`. For plain GEDCOM, which other programs read, use
    /// `gedcom-5.5.1`. By default they are what the file is: `gedcom-7` for GEDCOM 7.0; the draft that `--rules`
    /// names; `2019-12` if the header names a version of ELF; otherwise `gedcom-5.5.1`. Between GEDCOM 7.0 and the
    /// others, each structure is written as the other standard has it.
    #[arg(long, value_name = "RULES", value_parser = rules(), help_heading = "Writing")]
    pub(crate) to_rules: Option<&'static Rules>,
    /// Exit with status 0 although something could not be carried over.
    #[arg(long, help_heading = "Writing")]
    pub(crate) allow_loss: bool,
    /// Write what was read although the rules ended the reading, and exit with status 1; without this, such a
    /// file is not written, and the status is 2.
    #[arg(long, help_heading = "Writing")]
    pub(crate) partial: bool,
    /// Read in this encoding, whatever the file says. If the encoding of a file is uncertain and you do not
    /// name it here, the exit status is 1.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) from_encoding: Option<Encoding>,
    /// The number of threads that read; by default as many as there are cores. What is written is the same.
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print the totals only, not each loss.
    #[arg(short, long, help_heading = "Printing")]
    pub(crate) quiet: bool,
    /// Report losses for a person, or as JSON Lines on standard output; then the file needs another place. For a
    /// person, at most ten losses with the same code are printed for each file, then the number of the others.
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
    /// Report what the edits break for a person, or as JSON Lines on standard output; then the file needs
    /// another place.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  elf schema
  elf schema family.ged --why '@I1@/BIRT'
  elf schema --why INDI/BIRT/DATE
  elf schema --format dot -o supertypes.dot
  elf schema --format svg -o supertypes.svg";

/// Print the schema in force: types, supertypes, tags, conflicts; or how a tag got its type.
#[derive(clap::Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
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
    /// For a person, as JSON Lines, as a SCHMA document, or the supertype graph for Graphviz or as a picture.
    #[arg(long, value_name = "FORMAT", value_parser = choices(&SchemaFormat::ALL, SchemaFormat::name, SchemaFormat::about),
        default_value = "human", help_heading = "Printing")]
    pub(crate) format: SchemaFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// In which encoding a file is read, and what its findings are worth.
#[derive(clap::Args)]
pub(crate) struct StatusOptions {
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// Exit with status 1 for this, besides malformed and non-conformant sources.
    #[arg(long, value_name = "WHAT", help_heading = "Reading")]
    pub(crate) deny: Option<Deny>,
}

/// The options of commands that read files in runs.
#[derive(clap::Args)]
pub(crate) struct RunReading {
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// The number of threads that read; by default as many as there are cores. What comes
    /// out is the same.
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) common: Reading,
}

/// By which rules a file is read.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// The rules to read by: those of a draft, of GEDCOM, or `wild`, the default, for files as they are
    /// found.
    #[arg(long, value_name = "RULES", value_parser = rules(), help_heading = "Reading")]
    pub(crate) rules: Option<&'static Rules>,
    /// The schema in force, whatever the file brings: `completed`, `published`, `gedcom-7`, a file, or an
    /// IRI. By default the schema of the file or else, under `wild` and `gedcom-5.5.1`, `completed`, for a
    /// file of GEDCOM 7.0 `gedcom-7`, and under other rules that have one `published`. What `SCHMA` says of
    /// tags in GEDCOM 7.0 always counts.
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
    #[arg(long, value_name = "HOST", requires = "fetch", help_heading = "Reading", value_parser = host)]
    pub(crate) allow_host: Vec<String>,
}

/// A host as an IRI spells it: what nothing could match is no host.
fn host(text: &str) -> Result<String, String> {
    let is_number = text.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    let mut parts = text.strip_suffix('.').unwrap_or(text).split('.');
    // A name whose last part is a number would be read as a number, as `127.1` is.
    let is_name =
        parts.clone().all(is_part) && parts.next_back().is_some_and(|last| last.parse::<u64>().is_err());
    let expected = "expected a name or a number such as 192.0.2.1, without a scheme, a port or a path";
    (is_number || is_name).then(|| text.to_owned()).ok_or_else(|| expected.to_owned())
}

impl Reading {
    /// The rules that are named, or else those of files as they are found.
    pub(crate) fn rules(&self) -> &'static Rules {
        self.rules.unwrap_or(&Rules::WILD)
    }
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
    /// Structures as `tagged` has them, with their types.
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

/// The words for values, each with what it is, to the value.
fn choices<F: Copy + Send + Sync + 'static>(
    all: &'static [F],
    name: fn(F) -> &'static str,
    about: fn(F) -> &'static str,
) -> impl TypedValueParser<Value = F> {
    let words = all.iter().map(|&value| PossibleValue::new(name(value)).help(about(value)));
    PossibleValuesParser::new(words)
        .try_map(move |word| all.iter().copied().find(|&value| name(value) == word).ok_or("no such value"))
}

/// The name of a preset, to the preset.
pub(crate) fn rules() -> impl TypedValueParser<Value = &'static Rules> {
    PossibleValuesParser::new(Rules::PRESETS.map(|rules| rules.name))
        .try_map(|name| Rules::from_name(&name).ok_or("no such rules"))
}

/// A number of threads.
fn jobs(text: &str) -> Result<NonZero<usize>, String> {
    text.parse().map_err(|_| "expected a number of threads: 1 or more".to_owned())
}

/// The name of an encoding, in any case, to the encoding.
fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        let names = Encoding::ALL.map(Encoding::name).join(", ");
        format!("expected one of {names}")
    })
}

/// Returns the words of a command line as they are parsed: behind `help`, whoever asks for help gets it.
pub(crate) fn words(line: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = line.collect();
    let all = words.len();
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
        if words.len() == 2 && all > 2 {
            words.push("help".into());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    /// House style of help texts: they open with a verb, or with what the argument is.
    #[test]
    fn the_texts_open_with_a_verb_or_a_noun() {
        let mut all = Args::command();
        all.build();
        let mut commands = vec![&all];
        while let Some(command) = commands.pop() {
            commands.extend(command.get_subcommands());
            let arguments = command.get_arguments();
            let texts = arguments.flat_map(|argument| [argument.get_help(), argument.get_long_help()]);
            for text in texts.chain([command.get_about(), command.get_long_about()]).flatten() {
                let text = text.to_string();
                let first = text.split_whitespace().next().unwrap_or_default();
                let questions = ["How", "What", "Whether", "Where", "Which", "Who", "Those", "That"];
                let opens = !questions.contains(&first) && !text.starts_with("The same");
                assert!(opens, "{}: {text}", command.get_name());
            }
        }
    }
}
