//! The arguments of `elf check`.

use super::{Reading, choice_parser, parse_encoding, parse_jobs};
use clap::{ArgAction, Args};
use elf_check::NamePattern;
use elf_check::config::{FindingWord, StandardChoice, parse_denied};
use elf_report::findings::FindingFormat;
use elf_tagged::Encoding;
use elf_values::parse_iso_day;
use std::num::NonZero;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf check family.ged
  elf check --quiet .
  elf check --ignore E0327,deprecated --deny advice family.ged
  elf check --statistics --rules 2019-12 family.ged
  elf check --no-config family.ged
  elf check --write-baseline known.jsonl family.ged
  elf check --baseline known.jsonl family.ged
  elf check --against 5.5.1 --facts --unlikely family.ged
  elf check --fix --ignore at-sign-bare family.ged -o fixed.ged
  elf check --fix --out-dir fixed --quiet .
  elf check --format json family.ged > findings.jsonl";

/// Check a file and report each problem with its line and the clause of the standard.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Files, folders and archives to check; `-` is standard input.
    ///
    /// In folders and their subfolders, the command reads the files whose names end in `.ged`, `.gedcom`, `.elf`,
    /// `.gdz`, `.zip` or `.gz`. A file in an archive is reported as `archive.zip!inner.ged`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Skip files whose path or name matches this pattern. May be repeated.
    ///
    /// `*` matches any characters, `?` matches one character, `[ab]` matches one of the characters in brackets, and
    /// `{a,b}` matches one of the texts in braces. The pattern must match the whole name: `e.ged` does not skip
    /// `e.ged.gz`. `old/` skips everything in folders with the name `old`.
    #[arg(long, value_name = "GLOB", help_heading = "Choosing")]
    pub(crate) exclude: Vec<NamePattern>,
    #[command(flatten)]
    pub(crate) choosing: ChoiceOptions,
    #[command(flatten)]
    pub(crate) configuring: ConfigOptions,
    #[command(flatten)]
    pub(crate) fixing: FixOptions,
    #[command(flatten)]
    pub(crate) facts: FactOptions,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Validate against this standard and report violations as non-conformant.
    ///
    /// Without this option, files are validated against the ELF data model, which gives only advice, and GEDCOM 7
    /// files are validated against GEDCOM 7.0. Under the rules of 2017, nothing is validated. `none` switches
    /// validation off.
    #[arg(long, value_name = "STANDARD", value_parser = choice_parser(&StandardChoice::ALL, StandardChoice::name, StandardChoice::title),
        help_heading = "Choosing")]
    pub(crate) against: Option<StandardChoice>,
    /// Read in this encoding and ignore the encoding that the file names. See `elf help reading`.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// Use this file name for standard input in the report.
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Use this number of threads. The default is the number of cores. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = parse_jobs, help_heading = "Reading")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_parser = choice_parser(&FindingFormat::ALL, FindingFormat::name, FindingFormat::about),
        default_value = "human", help_heading = "Printing")]
    pub(crate) format: FindingFormat,
    /// Print every finding. Without this option, at most ten findings with the same code are printed for each file,
    /// and an unknown tag is reported only at its first occurrence.
    #[arg(long, help_heading = "Printing")]
    pub(crate) all: bool,
    /// Print only the summary of each file and the total. If you repeat the option (`-qq`), only the total is
    /// printed.
    #[arg(short, long, action = ArgAction::Count, help_heading = "Printing")]
    pub(crate) quiet: u8,
    /// Instead of the findings, print how often each code was found and whether `--fix` can fix it. Known vendor tags
    /// are also counted, and their meaning is printed.
    #[arg(long, conflicts_with = "quiet", help_heading = "Printing")]
    pub(crate) statistics: bool,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The options that choose which findings count. WHAT is a code (E0203), the start of codes (E03), a name
/// (level-too-deep) or a class (malformed, non-conformant, deprecated, advice).
#[derive(Args)]
pub(crate) struct ChoiceOptions {
    /// Report only these findings: a code (`E0203`), the start of codes (`E03`), a name (`level-too-deep`) or a
    /// class (`malformed`, `non-conformant`, `deprecated`, `advice`).
    ///
    /// If you use this option, `select` and `ignore` in `elf.toml` have no effect.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) select: Vec<FindingWord>,
    /// Do not report these findings, in addition to those that `elf.toml` ignores. Ignored findings are not printed,
    /// fixed or counted.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Choosing")]
    pub(crate) ignore: Vec<FindingWord>,
    /// Exit with status 1 if there are findings of this kind, in addition to those that `elf.toml` denies. `warnings`
    /// means all findings.
    #[arg(
        long, value_name = "WHAT", value_delimiter = ',', value_parser = parse_denied, help_heading = "Choosing"
    )]
    pub(crate) deny: Vec<FindingWord>,
}

/// The options for the configuration file and the baseline.
#[derive(Args)]
pub(crate) struct ConfigOptions {
    /// Use this configuration file. Patterns in it are relative to its folder. By default, the nearest `elf.toml` in
    /// the folder of each input file or in a parent folder is used.
    #[arg(long, value_name = "CONFIG", conflicts_with = "no_config", help_heading = "Choosing")]
    pub(crate) config: Option<PathBuf>,
    /// Ignore configuration files.
    #[arg(long, help_heading = "Choosing")]
    pub(crate) no_config: bool,
    /// Report only findings that are not in this baseline. Findings in the baseline are neither printed nor counted,
    /// but `--fix` also fixes them.
    #[arg(long, value_name = "BASELINE", conflicts_with = "write_baseline", help_heading = "Choosing")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings to this baseline file instead of printing them. The exit status is 0 if the file was
    /// written.
    ///
    /// A baseline identifies a finding by its structure, not by its line number.
    #[arg(long, value_name = "BASELINE", conflicts_with_all = ["fix", "unsafe_fixes", "diff", "in_place"], help_heading = "Choosing")]
    pub(crate) write_baseline: Option<PathBuf>,
}

/// The options for questions about facts.
#[derive(Args)]
pub(crate) struct FactOptions {
    /// Look for impossible dates, such as a child born before its mother.
    ///
    /// If dates are inexact, a question is asked only if the facts are impossible on all days that the dates may
    /// mean. Questions do not change the exit status, unless you name them in `--deny`.
    #[arg(long, help_heading = "Facts")]
    pub(crate) facts: bool,
    /// Also look for unlikely facts, such as a life of 130 years. You can set the limits in `elf.toml`.
    #[arg(long, requires = "facts", help_heading = "Facts")]
    pub(crate) unlikely: bool,
    /// Use this day as today in questions about facts, such as 2026-11-22.
    #[arg(long, value_name = "YYYY-MM-DD", requires = "facts", value_parser = parse_day, help_heading = "Facts")]
    pub(crate) today: Option<i64>,
}

/// Parses the day that counts as today. Returns its Julian day number.
pub(super) fn parse_day(text: &str) -> Result<i64, String> {
    parse_iso_day(text).ok_or_else(|| "expected a day such as 2026-11-22".to_owned())
}

/// The options for fixes.
#[derive(Args)]
pub(crate) struct FixOptions {
    /// Fix problems if the fix does not change the meaning of the file, and report all other problems.
    ///
    /// The fixed file is written to OUT (by default, to standard output). The report is written to standard error.
    /// Records with `RESN locked` are not changed.
    #[arg(long, help_heading = "Fixing")]
    pub(crate) fix: bool,
    /// Also apply fixes that guess the meaning, and also fix records with `RESN locked`.
    #[arg(long, help_heading = "Fixing")]
    pub(crate) unsafe_fixes: bool,
    /// Show the lines that a fix would change, and write no file. The exit status is 1 if there are such lines.
    #[arg(long, conflicts_with = "in_place", help_heading = "Fixing")]
    pub(crate) diff: bool,
    /// Overwrite the input files with the fixed files.
    #[arg(long, conflicts_with = "output", help_heading = "Fixing")]
    pub(crate) in_place: bool,
    /// Keep a copy of each overwritten file as `FILE.bak`.
    #[arg(long, requires = "in_place", help_heading = "Fixing")]
    pub(crate) backup: bool,
    /// Write all files into this folder, after fixing as many problems as possible. The files have the same relative
    /// paths as in the folder or archive that you named.
    ///
    /// Existing files in the folder are overwritten, unless they are inputs.
    #[arg(
        long, value_name = "DIR", conflicts_with_all = ["output", "in_place", "diff"], help_heading = "Fixing"
    )]
    pub(crate) out_dir: Option<PathBuf>,
}

impl FixOptions {
    /// Returns whether any option asks for fixes.
    pub(crate) const fn is_requested(&self) -> bool {
        self.fix || self.unsafe_fixes || self.diff || self.in_place || self.out_dir.is_some()
    }
}
