//! The arguments of `elf table`.

use super::check::day;
use super::{RunReading, choices};
use clap::{Args, ValueEnum};
use elf_lineage::{Asking, LivingRule};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf table people family.ged > people.csv
  elf table people --excel family.ged -o people.csv
  elf table events --format tsv . > events.tsv
  elf table places family.ged > places.csv
  elf table structures --format json before.ged after.ged -o structures.jsonl";

/// Make a table of files, for a spreadsheet or a database.
///
/// Rows come in the order of the files and of what stands in them. What is a person, a birth or a date
/// follows from the types, so that files of GEDCOM 5.5.1, GEDCOM 7 and ELF make one table. Dates stand as
/// they are written, beside the first and the last day that they name; several identifiers have `;` between
/// them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Table {
    /// The table.
    #[arg(value_name = "TABLE", value_parser = choices(&elf_tables::Table::ALL, elf_tables::Table::name, elf_tables::Table::about))]
    pub(crate) table: elf_tables::Table,
    /// The files, folders of files, and archives; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Call standard input by this name.
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: RunReading,
    /// Take this day for today, such as 2026-11-22, for the column `living` of people.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, help_heading = "Reading")]
    today: Option<Asking>,
    /// The format of the table.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: TableFormat,
    /// Guard fields that a spreadsheet would take for a formula with an apostrophe, and write a byte-order
    /// mark.
    #[arg(long, help_heading = "Printing")]
    pub(crate) excel: bool,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

impl Table {
    /// The rule by which people are living; `today` is the day of the clock.
    pub(crate) fn living_rule(&self, today: impl FnOnce() -> Asking) -> LivingRule {
        LivingRule::on(self.today.unwrap_or_else(today).today)
    }
}

/// The format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Fields parted by commas, as RFC 4180 has it, with a header line.
    #[default]
    Csv,
    /// Fields parted by tabs, with a header line; tabs, line breaks and backslashes in a field are written as
    /// `\t`, `\n`, `\r` and `\\`.
    Tsv,
    /// JSON Lines: an object a line.
    Json,
    /// Apache Parquet, in builds that have it.
    Parquet,
}
