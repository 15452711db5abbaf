//! The arguments of `elf table`.

use super::check::parse_day;
use super::{RunReading, choice_parser};
use clap::{Args, ValueEnum};
use elf_lineage::LivingRule;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf table people family.ged > people.csv
  elf table people --excel family.ged -o people.csv
  elf table events --format tsv . > events.tsv
  elf table places family.ged > places.csv
  elf table structures --format json before.ged after.ged -o structures.jsonl";

/// Export people, families, events, places, sources or structures as a table.
///
/// The rows are in the order of the files and of the structures in them. The command recognises people, births and
/// dates by their types, so you can combine GEDCOM 5.5.1, GEDCOM 7 and ELF files in one table. A date is written as
/// it is in the file, and further columns contain its first and last possible day. If a field contains several
/// identifiers, `;` separates them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Table {
    /// The table to export.
    #[arg(value_name = "TABLE", value_parser = choice_parser(&elf_tables::Table::ALL, elf_tables::Table::name, elf_tables::Table::about))]
    pub(crate) table: elf_tables::Table,
    /// Files, folders and archives to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Use this file name for standard input in the table.
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: RunReading,
    /// Use this day as today, such as 2026-11-22. The column `living` depends on it.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day, help_heading = "Reading")]
    today: Option<i64>,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: TableFormat,
    /// Prepare the table for Excel: start the file with a byte-order mark, and put an apostrophe before fields that a
    /// spreadsheet would read as formulas.
    #[arg(long, help_heading = "Printing")]
    pub(crate) excel: bool,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

impl Table {
    /// Returns the rule that decides who may be living. `today` returns the current day.
    pub(crate) fn living_rule(&self, today: impl FnOnce() -> i64) -> LivingRule {
        LivingRule::on(self.today.unwrap_or_else(today))
    }
}

/// The format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Comma-separated values (RFC 4180) with a header line.
    #[default]
    Csv,
    /// Tab-separated values with a header line. Tabs, line endings and backslashes in fields are written as
    /// `\t`, `\n`, `\r` and `\\`.
    Tsv,
    /// JSON Lines: one object per line.
    Json,
    /// Apache Parquet, if `elf` was built with support for it.
    Parquet,
}
