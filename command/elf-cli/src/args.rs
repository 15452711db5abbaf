//! The arguments of the command.

mod check;
mod date;
mod diff;
mod edits;
mod extract;
mod files;
mod find;
mod kinship;
mod lsp;
mod matching;
mod mcp;
mod merge;
mod people;
mod replace;
mod report;
mod shell;
mod table;
pub(crate) mod topics;
mod tree;

pub(crate) use check::{Check, ConfigOptions};
pub(crate) use date::Date;
pub(crate) use diff::Diff;
pub(crate) use edits::Edits;
pub(crate) use extract::{Extract, ExtractOptions, Redact};
pub(crate) use files::SchemaName;
pub(crate) use find::{Find, FindFormat};
pub(crate) use kinship::{Kinship, KinshipFormat};
pub(crate) use lsp::Lsp;
pub(crate) use matching::{Match, MatchFormat};
pub(crate) use mcp::Mcp;
pub(crate) use merge::Merge;
pub(crate) use replace::Replace;
pub(crate) use report::ReportArgs;
pub(crate) use shell::{Completions, Man, Shell};
pub(crate) use table::{Table, TableFormat};
pub(crate) use tree::{Tree, TreeFormat};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use elf_rdf::Base;
use elf_report::schema::SchemaFormat;
use elf_schema::vendors::Producer;
use elf_tagged::{Encoding, Rules};
use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;

/// Read, check and convert genealogical text files: GEDCOM and ELF (Extended Legacy Format). An ELF file can define
/// types of its own.
#[derive(Parser)]
#[command(name = "elf", version, after_help = STATUS)]
pub(crate) struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const STATUS: &str = "\
The exit status is 0 if there is nothing to report, 1 if a file has problems or a conversion lost data, and 2 if the \
command failed. With several files, the highest status counts.

`elf help reading` explains the options that the commands share.

Examples:
  elf check family.ged
  elf help check
  elf explain E0203";

/// The commands. Their help texts are the doc comments of the structs: a doc comment here would replace all paragraphs of
/// such a text.
#[derive(Subcommand)]
pub(crate) enum Command {
    Check(Box<Check>),
    Show(Show),
    Info(Info),
    Convert(Convert),
    Edit(Edit),
    Replace(Box<Replace>),
    Extract(Box<Extract>),
    Redact(Box<Redact>),
    Table(Box<Table>),
    Find(Box<Find>),
    Kinship(Kinship),
    Match(Box<Match>),
    Merge(Box<Merge>),
    Report(Box<ReportArgs>),
    Diff(Diff),
    Schema(Schema),
    Tree(Box<Tree>),
    Date(Date),
    Explain(Explain),
    Lsp(Lsp),
    Mcp(Mcp),
    Completions(Completions),
    Man(Man),
}

const SHOW_EXAMPLES: &str = "\
Examples:
  elf show family.ged
  elf show --form typed family.ged
  elf show --at \"@I1@/BIRT\" --at \"INDI[*]/NAME\" family.ged
  elf show --format tsv family.ged > structures.tsv
  elf show --form lines --format json family.ged > lines.jsonl";

/// Print the lines or structures of a file.
#[derive(clap::Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub(crate) struct Show {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print the file in this form. Each form is the result of one stage of reading, from the first stage to the
    /// last.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Tagged)]
    pub(crate) form: Form,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    /// Print only the structures at this path and everything under them, such as `@I1@/BIRT` or
    /// `FAM[*]/CHIL[=@I3@]`. May be repeated.
    #[arg(long, value_name = "PATH", help_heading = "Printing")]
    pub(crate) at: Vec<elf_tagged::path::Path>,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: ShowFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The output format of `elf show`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Indented text.
    #[default]
    Human,
    /// JSON Lines.
    Json,
    /// One structure per line: its path, ` = ` and its payload.
    Flat,
    /// A table with the path, tag, type, payload and line of each structure. Tabs separate the columns.
    Tsv,
}

const INFO_EXAMPLES: &str = "\
Examples:
  elf info family.ged
  elf info --brief .
  elf info --format json before.ged after.ged
  elf info --format tsv . > trees.tsv";

/// Show a file's encoding (and how it was detected), version, producer and counts.
#[derive(clap::Args)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct Info {
    /// Files, folders and archives to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    /// Use this number of threads. The default is the number of cores. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = parse_jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Print one line for each file.
    #[arg(long, conflicts_with = "format", help_heading = "Printing")]
    pub(crate) brief: bool,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: InfoFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The output format of `elf info`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoFormat {
    /// Text for people.
    #[default]
    Human,
    /// JSON Lines: one object per file.
    Json,
    /// A table with a header and one line per file. Tabs separate the columns.
    Tsv,
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  elf explain E0203
  elf explain level-too-deep
  elf explain _FREL
  elf explain
  elf explain --format json > codes.jsonl";

/// Print the manual page of a code, the meaning of a tag, or a list of all codes.
#[derive(clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct Explain {
    /// A code such as `E0203`, the name of a code such as `level-too-deep`, or a tag such as `BIRT` or `_FREL`.
    /// Without this argument, all codes are listed.
    #[arg(value_name = "CODE|NAME|TAG")]
    pub(crate) code: Option<String>,
    #[command(flatten)]
    pub(crate) printing: PrintOptions,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  elf convert family.ged -o utf8.ged
  elf convert family.ged --to-rules gedcom-5.5.1 -o plain-gedcom.ged
  elf convert family.ged --encoding ANSEL --line-break crlf --to-rules gedcom-5.5.1 -o old.ged
  elf convert family.ged --to-rules 2019-12 -o elf.ged
  elf convert family.ged --to-rules gedcom-7 -o family.gdz
  elf convert family.ged --from-encoding windows-1252 --allow-loss -o -
  elf convert . --out-dir converted --manifest converted.jsonl --allow-loss
  elf convert family.ged --format turtle --base https://example.org/family -o family.ttl";

/// Convert to another encoding, draft or GEDCOM version.
///
/// If you want plain GEDCOM that other programs can read, use `--to-rules gedcom-5.5.1`. For GEDCOM 7.0, use
/// `--to-rules gedcom-7`. With the rules of the later ELF drafts, the header of the output marks the file as ELF.
///
/// If the output cannot express a part of the input, the command reports a loss, and the exit status is 1.
#[derive(clap::Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The file to read; `-` is standard input. With `--out-dir`, you can name any number of files, folders and
    /// archives.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write; `-` is standard output.
    ///
    /// If the name ends in `.gdz`, the output is a GEDCOM 7.0 archive (GEDZIP). It contains `gedcom.ged` and an
    /// unchanged copy of each linked file that is in the folder of the input, in a folder under it, or in the input
    /// archive. If a linked file is at any other place, the link is reported.
    #[arg(short, long, value_name = "OUT", required_unless_present = "out_dir", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Also look in this folder for linked files when the output is a `.gdz` archive. May be repeated.
    ///
    /// Linked files outside the folder of the input and outside the folders that you name here are not packed, and
    /// their links are reported.
    #[arg(long, value_name = "DIR", help_heading = "Writing")]
    pub(crate) media_folder: Vec<PathBuf>,
    /// Write the converted files into this folder, under the same relative paths as in the folder or archive
    /// that you named.
    ///
    /// If you convert a `.gdz` archive to GEDCOM 7.0, the output is a `.gdz` archive, too. Existing files in the
    /// folder are overwritten, unless they are inputs.
    #[arg(long, value_name = "DIR", conflicts_with = "output", help_heading = "Writing")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Write a log of the conversion to this file as JSON Lines. For each file, the log contains its SHA-256 before
    /// and after the conversion, and the losses.
    #[arg(long, value_name = "MANIFEST", requires = "out_dir", help_heading = "Writing")]
    pub(crate) manifest: Option<PathBuf>,
    /// Write in this encoding: UTF-8, UTF-16LE, UTF-16BE, ANSEL or ASCII. Characters that the encoding does not have
    /// are written as Unicode escapes.
    #[arg(
        long, value_name = "NAME", value_parser = parse_encoding, default_value = "UTF-8", help_heading = "Writing"
    )]
    pub(crate) encoding: Encoding,
    /// Write this line ending. The default is the most common line ending of the input.
    #[arg(long, value_name = "BREAK", value_enum, help_heading = "Writing")]
    pub(crate) line_break: Option<Break>,
    /// Write a byte-order mark, even if the rules of the output would omit it.
    #[arg(long, help_heading = "Writing")]
    pub(crate) bom: bool,
    /// Write lines of at most this length; 0 means no limit. The default is 255, or 510 in UTF-16.
    ///
    /// The length is in bytes, but in characters under the rules of 2017. Under the rules of December 2019, the
    /// length includes the line ending.
    #[arg(long, value_name = "N", help_heading = "Writing")]
    pub(crate) width: Option<u32>,
    /// Write by these rules: those of an ELF draft, those of a version of GEDCOM, or `wild`. Use `gedcom-5.5.1` for
    /// plain GEDCOM that other programs can read.
    ///
    /// The default depends on the file: `gedcom-7` for GEDCOM 7.0; the draft that `--rules` names; `2019-12` if the
    /// header names a version of ELF; otherwise `gedcom-5.5.1`. In a conversion between GEDCOM 7.0 and other
    /// versions, each structure is translated to its equivalent. A file that is written by the rules `2019-01` refers
    /// to the default schema by the IRI of this schema. Programs without network access need their own copy of it to
    /// read the file.
    #[arg(long, value_name = "RULES", value_parser = rules_parser(), help_heading = "Writing")]
    pub(crate) to_rules: Option<&'static Rules>,
    /// Write the definitions of the extensions that the file uses into its header, so that every program that reads
    /// ELF knows these extensions. Needs `--to-rules 2019-01`, `2019-12` or `declarative`.
    #[arg(long, requires = "to_rules", help_heading = "Writing")]
    pub(crate) define: bool,
    /// Use this IRI for the file in RDF. The IRIs of its records start with it. With `--out-dir`, it is the IRI of
    /// the folder.
    ///
    /// The default is `file:///` with the name of the file. If you combine RDF files or publish them, choose an IRI
    /// of your own.
    #[arg(long, value_name = "IRI", value_parser = Base::parse, help_heading = "Writing")]
    pub(crate) base: Option<Base>,
    /// Exit with status 0 even if the output cannot express a part of the input.
    #[arg(long, help_heading = "Writing")]
    pub(crate) allow_loss: bool,
    /// If the rules stopped reading early, write the part that was read, and exit with status 1. Without this option,
    /// no file is written then, and the exit status is 2.
    #[arg(long, help_heading = "Writing")]
    pub(crate) partial: bool,
    /// Read in this encoding and ignore the encoding that the file names.
    ///
    /// If the encoding of a file is uncertain and you do not use this option, the exit status is 1.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) from_encoding: Option<Encoding>,
    /// Use this number of threads. The default is the number of cores. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = parse_jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print only the totals, not each loss.
    #[arg(short, long, help_heading = "Printing")]
    pub(crate) quiet: bool,
    /// Choose the format of the output and of the report.
    ///
    /// With `human` and `json`, the output is GEDCOM or ELF. Losses are reported as text for people (`human`), or as
    /// JSON Lines on standard output (`json`). With `json`, the converted file cannot go to standard output. The text
    /// shows at most ten losses with the same code for each file, and then the number of further losses.
    ///
    /// With `turtle` and `jsonld`, the output is RDF, a format for linked data that you can query with SPARQL.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: ConvertFormat,
}

/// The formats in which `elf convert` writes its output and reports losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertFormat {
    /// Write GEDCOM or ELF, and report losses as text for people.
    #[default]
    Human,
    /// Write GEDCOM or ELF, and report losses as JSON Lines.
    Json,
    /// Write RDF as Turtle.
    Turtle,
    /// Write RDF as JSON-LD.
    Jsonld,
}

impl ConvertFormat {
    /// Returns the format in which losses are reported.
    pub(crate) const fn of_report(self) -> Format {
        match self {
            ConvertFormat::Json => Format::Json,
            ConvertFormat::Human | ConvertFormat::Turtle | ConvertFormat::Jsonld => Format::Human,
        }
    }
}

const EDIT_EXAMPLES: &str = "\
Examples:
  elf edit family.ged --set \"@I1@/BIRT/PLAC=Paris\" -o new.ged
  elf edit family.ged --create --set \"@I1@/DEAT/DATE=1911\" --diff
  elf edit family.ged --remove \"@I3@\" --cascade --in-place
  elf edit family.ged --set \"@F1@/CHIL[=@I3@]=@I4@\" --remove \"INDI[*]/RIN[*]\" -o new.ged";

/// Edit the structures that you name and leave every other byte unchanged.
///
/// A PATH starts at a record and goes down to its substructures. Its steps are separated by `/`. A step is a tag
/// (`BIRT`), a type (`elf:BIRTH`, which includes its subtypes) or an identifier (`@I1@`). After a step, `[N]` selects
/// the N-th structure of its kind, `[*]` selects all structures, and `[=VALUE]` selects the structures with this
/// payload. Examples: `@I1@/NAME[2]/GIVN`, `@F1@/CHIL[=@I3@]`. A path that matches several structures is refused,
/// unless it contains `[*]`. The path ends before the first `=` that is not inside brackets or between at signs.
///
/// Edits are applied in the order in which you give them. The command reports the problems that your edits introduce.
/// If one of these problems is malformed or non-conformant, or is an unresolved or ambiguous pointer, the exit status
/// is 1.
#[derive(clap::Args)]
#[command(after_help = EDIT_EXAMPLES)]
pub(crate) struct Edit {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) edits: Edits,
    /// Create the structures on the path of `--set` that do not exist yet, and missing parents for `--insert` and
    /// `--move`.
    #[arg(long, help_heading = "Editing")]
    pub(crate) create: bool,
    /// Also remove pointers to removed records, with everything under these pointers.
    #[arg(long, help_heading = "Editing")]
    pub(crate) cascade: bool,
    /// Allow pointers to records that do not exist.
    #[arg(long, help_heading = "Editing")]
    pub(crate) dangling: bool,
    /// The file to write. `-` is standard output, which is also the default.
    #[arg(short, long, value_name = "OUT", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the input file.
    #[arg(long, conflicts_with = "output", help_heading = "Writing")]
    pub(crate) in_place: bool,
    /// Show the lines that would change, and write no file.
    #[arg(long, conflicts_with = "in_place", help_heading = "Writing")]
    pub(crate) diff: bool,
    /// Refuse edits with characters that the encoding of the file does not have. Without this option, such characters
    /// are written as Unicode escapes.
    #[arg(long, help_heading = "Writing")]
    pub(crate) no_escapes: bool,
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Report the problems that your edits introduce in this format. `json` writes them to standard output, so the
    /// edited file cannot go there.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  elf schema
  elf schema family.ged --why \"@I1@/BIRT\"
  elf schema --why INDI/BIRT/DATE
  elf schema --why INDI/_MILT/DATE
  elf schema --vendor rootsmagic --format elf -o rootsmagic.elf
  elf schema family.ged --infer --format elf
  elf schema --format dot -o supertypes.dot
  elf schema --format svg -o supertypes.svg";

/// Print a schema: its types, supertypes, tags and conflicts, or how a tag gets its type.
#[derive(clap::Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub(crate) struct Schema {
    /// Print the schema of this file; `-` is standard input. Without a file, the default schema of the rules is
    /// printed.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Show how each tag of this path gets its type. Examples: `INDI/BIRT/DATE`, `HEAD/SOUR`, or `@I1@/BIRT` if
    /// you name a file.
    #[arg(long, value_name = "PATH")]
    pub(crate) why: Option<elf_tagged::path::Path>,
    /// Print the built-in dictionary of the vendor tags of this program, such as `rootsmagic`. `common` prints the
    /// tags that apply to the files of all programs.
    #[arg(long, value_name = "NAME", value_parser = parse_dictionary, conflicts_with_all = ["file", "why", "schema"])]
    pub(crate) vendor: Option<Dictionary>,
    /// Print the definitions of the extensions that the file uses. They come from the file itself and from the
    /// built-in dictionary of vendor tags. If a tag is defined in neither, a definition is proposed.
    #[arg(long, requires = "file", conflicts_with = "why")]
    pub(crate) infer: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) judging: StatusOptions,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_parser = choice_parser(&SchemaFormat::ALL, SchemaFormat::name, SchemaFormat::about),
        default_value = "human", help_heading = "Printing")]
    pub(crate) format: SchemaFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The value of `--vendor`: a program, or `None` for the dictionary that all programs share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dictionary(pub(crate) Option<Producer>);

fn parse_dictionary(name: &str) -> Result<Dictionary, String> {
    match Producer::named(name) {
        _ if name == "common" => Ok(Dictionary(None)),
        Some(producer) => Ok(Dictionary(Some(producer))),
        None => {
            let known: Vec<&str> = Producer::all().map(Producer::key).collect();
            Err(format!("no dictionary has this name; there are `common`, {}", known.join(", ")))
        }
    }
}

/// The options for the encoding of the input, and for the findings that change the exit status.
#[derive(clap::Args)]
pub(crate) struct StatusOptions {
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// Also exit with status 1 for these findings. Malformed and non-conformant files always have status 1.
    #[arg(long, value_name = "WHAT", help_heading = "Reading")]
    pub(crate) deny: Option<Deny>,
}

#[derive(clap::Args)]
pub(crate) struct RunReading {
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// Use this number of threads. The default is the number of cores. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = parse_jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) common: Reading,
}

/// The options for reading that every command shares. `elf help reading` explains them.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// Read the file by these rules. The default is `wild`, which accepts files as programs write them. See
    /// `elf help reading`.
    #[arg(long, value_name = "RULES", value_parser = rules_parser(), help_heading = "Reading")]
    pub(crate) rules: Option<&'static Rules>,
    /// Use this schema instead of the schema in the file: `completed`, `published`, `gedcom-7`, a file or an IRI.
    /// `completed+FILE` adds the definitions of a file to those of a built-in schema. See `elf help reading`.
    #[arg(long, value_name = "SCHEMA", help_heading = "Reading")]
    pub(crate) schema: Option<String>,
    /// Download the external schemas that a file refers to. See `elf help reading`.
    #[arg(long, conflicts_with = "offline", help_heading = "Reading")]
    pub(crate) fetch: bool,
    /// Use only copies of external schemas that were downloaded before. See `elf help reading`.
    #[arg(long, help_heading = "Reading")]
    pub(crate) offline: bool,
    /// With `--fetch`, also allow downloads from this host, although it is in a private network or does not support
    /// https. May be repeated. See `elf help reading`.
    #[arg(long, value_name = "HOST", requires = "fetch", help_heading = "Reading", value_parser = parse_host)]
    pub(crate) allow_host: Vec<String>,
}

/// Checks that a host is spelled as in an IRI, so that it can be compared with the host of an IRI.
fn parse_host(text: &str) -> Result<String, String> {
    let is_number = text.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    let mut parts = text.strip_suffix('.').unwrap_or(text).split('.');
    // A name whose last part is a number would be read as an address, like `127.1`.
    let is_name =
        parts.clone().all(is_part) && parts.next_back().is_some_and(|last| last.parse::<u64>().is_err());
    let expected = "expected a name or a number such as 192.0.2.1, without a scheme, a port or a path";
    (is_number || is_name).then(|| text.to_owned()).ok_or_else(|| expected.to_owned())
}

impl Reading {
    pub(crate) fn rules(&self) -> &'static Rules {
        self.rules.unwrap_or(&Rules::WILD)
    }
}

#[derive(clap::Args)]
pub(crate) struct PrintOptions {
    /// Print text for people, or JSON Lines (one object per line).
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The findings that set the exit status to 1, in addition to malformed and non-conformant input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Any finding, including deprecated constructs and advice.
    Warnings,
}

/// The forms in which `elf show` can print a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The lines as text, each with its line number and the offset of its first byte.
    Octets,
    /// The lines, divided into level, identifier, tag and payload. Malformed lines are included.
    Lines,
    /// Structures whose payloads still contain their escapes.
    Xref,
    /// Structures with complete payloads: escapes are decoded, and continuation lines are joined.
    Tagged,
    /// The same structures as `tagged`, with their types.
    Typed,
}

/// A line ending that `elf convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Break {
    /// U+000A, used by Unix.
    Lf,
    /// U+000D, used by the old Macintosh.
    Cr,
    /// U+000D U+000A, used by Windows.
    Crlf,
}

/// The output format of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    #[default]
    Human,
    /// JSON Lines.
    Json,
}

/// Builds an argument parser that accepts the name of each value in `all`, and describes each value in the help.
fn choice_parser<F: Copy + Send + Sync + 'static>(
    all: &'static [F],
    name: fn(F) -> &'static str,
    about: fn(F) -> &'static str,
) -> impl TypedValueParser<Value = F> {
    let words = all.iter().map(|&value| PossibleValue::new(name(value)).help(about(value)));
    PossibleValuesParser::new(words)
        .try_map(move |word| all.iter().copied().find(|&value| name(value) == word).ok_or("no such value"))
}

pub(crate) fn rules_parser() -> impl TypedValueParser<Value = &'static Rules> {
    PossibleValuesParser::new(Rules::PRESETS.map(|rules| rules.name))
        .try_map(|name| Rules::from_name(&name).ok_or("no such rules"))
}

fn parse_jobs(text: &str) -> Result<NonZero<usize>, String> {
    text.parse().map_err(|_| "expected a number of threads: 1 or more".to_owned())
}

/// Finds an encoding by its name, ignoring the case of letters.
fn parse_encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        let names = Encoding::ALL.map(Encoding::name).join(", ");
        format!("expected one of {names}")
    })
}

/// Removes `--help` from a command line such as `elf help check --help`, because clap rejects such a command line.
pub(crate) fn without_help_flag(line: impl Iterator<Item = OsString>) -> Vec<OsString> {
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
}
