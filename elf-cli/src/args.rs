//! The arguments of the command.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use elf_tagged::{Encoding, Rules};
use std::path::PathBuf;

/// Reads, checks and converts genealogical text files: GEDCOM, and ELF, the format that carries its own types.
#[derive(Parser)]
#[command(name = "elf", version, disable_help_subcommand = true, after_help = STATUS)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const STATUS: &str = "\
Exit status: 0 nothing to report; 1 a file has problems, or something was lost on the way; 2 the command could not do \
its work. With several files the highest counts.";

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Report everything that is wrong with a file.
    Check(Check),
    /// Print a file as it stands at one layer.
    Show(Show),
    /// Say what a file is: its encoding and why, versions, producer, counts.
    Info(Info),
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
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) printing: Printing,
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
    pub(crate) printing: Printing,
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
    pub(crate) printing: Printing,
}

/// Print the manual page of a diagnostic code.
#[derive(clap::Args)]
pub(crate) struct Explain {
    /// The code, such as E0203, or its name, such as level-too-deep.
    #[arg(value_name = "CODE")]
    pub(crate) code: String,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// By which rules a file is read.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// The rules to read by: those of a draft, or `wild` for files as they are found.
    #[arg(long, value_name = "RULES", default_value = Rules::WILD.name, value_parser = rules(), help_heading = "Reading")]
    pub(crate) rules: &'static Rules,
    /// Read in this encoding, whatever the file says, such as UTF-8, ANSEL or windows-1252.
    #[arg(long, value_name = "NAME", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// What makes the exit status 1 besides malformed and non-conformant sources.
    #[arg(long, value_name = "WHAT", help_heading = "Reading")]
    pub(crate) deny: Option<Deny>,
}

/// How data is printed.
#[derive(clap::Args)]
pub(crate) struct Printing {
    /// For a person, or as JSON Lines: one object a line.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// What makes the exit status 1 besides malformed and non-conformant sources.
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
}

/// How data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person.
    #[default]
    Human,
    /// JSON Lines.
    Json,
}

/// The name of a preset, to the preset.
pub(crate) fn rules() -> impl TypedValueParser<Value = &'static Rules> {
    PossibleValuesParser::new(Rules::PRESETS.map(|rules| rules.name))
        .try_map(|name| Rules::named(&name).ok_or("no such rules"))
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
