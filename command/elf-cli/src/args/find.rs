//! The arguments of `elf find`.

use super::people::{LivingOptions, parse_identifier, parse_name_query, parse_text_query};
use super::{RunReading, choice_parser};
use clap::{Args, ValueEnum};
use elf_lineage::{PersonQuery, SexCode, YearRange};
use elf_tagged::path::Path;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  elf find family.ged --name \"ada king\"
  elf find family.ged --sounds-like Miller --born 1840..1860
  elf find family.ged --lacks SOUR --format csv > without-sources.csv
  elf find . --place london --has OCCU
  elf find family.ged --descendant-of \"@I1@\" --deceased --format ids";

/// Find people by names, dates, places, relatives, or structures in their records.
///
/// The command lists the people who meet all conditions. Without conditions, it lists everybody. The search for names
/// and places ignores case and accents: `muller` finds `Müller`. The exit status is 0 if somebody was found, 1 if
/// nobody was found, and 2 if a file could not be read.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Find {
    /// Files, folders and archives to search; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Find people whose names and titles contain each word of TEXT, in any order. Other names and names by marriage
    /// count, too.
    #[arg(long, value_name = "TEXT", value_parser = parse_name_query, help_heading = "Conditions")]
    name: Vec<String>,
    /// Find people with a surname that contains each word of TEXT.
    #[arg(long, value_name = "TEXT", value_parser = parse_name_query, help_heading = "Conditions")]
    surname: Vec<String>,
    /// Find people whose given names contain each word of TEXT.
    #[arg(long, value_name = "TEXT", value_parser = parse_name_query, help_heading = "Conditions")]
    given: Vec<String>,
    /// Find people with a surname that sounds like TEXT, by the Daitch–Mokotoff system.
    #[arg(long, value_name = "TEXT", value_parser = parse_name_query, help_heading = "Conditions")]
    sounds_like: Option<String>,
    /// Find people who may have been born in these years: `1850`, `1850..1860`, `..1850` or `1850..`. Open dates count,
    /// too: `AFT 1836` may be in `1880..1890`. If the birth has no date, the date of the baptism is used.
    #[arg(long, value_name = "RANGE", help_heading = "Conditions")]
    born: Option<YearRange>,
    /// Find people who may have died in these years, such as `1850..1860`. If the death has no date, the date of the burial is
    /// used.
    #[arg(long, value_name = "RANGE", help_heading = "Conditions")]
    died: Option<YearRange>,
    /// Find people with an event whose place contains TEXT. Events of the person's marriages count, too.
    #[arg(long, value_name = "TEXT", value_parser = parse_text_query, help_heading = "Conditions")]
    place: Vec<String>,
    /// Find people of this sex.
    #[arg(long, value_name = "SEX", value_parser = choice_parser(&SexCode::ALL, SexCode::name, SexCode::about), help_heading = "Conditions")]
    sex: Option<SexCode>,
    /// Find people whose record has a structure at PATH. The path starts below the record: `BIRT/DATE`, `OCCU`,
    /// `elf:Event`. `SOUR` means a source anywhere in the record. May be repeated.
    #[arg(long, value_name = "PATH", help_heading = "Conditions")]
    has: Vec<Path>,
    /// Find people whose record has no structure at PATH. May be repeated.
    #[arg(long, value_name = "PATH", help_heading = "Conditions")]
    lacks: Vec<Path>,
    /// Find people who are not linked to a family, neither as a child nor as a partner.
    #[arg(long, help_heading = "Conditions")]
    unconnected: bool,
    /// Find the ancestors of this person. Only parents and children by birth count; adoption and foster care do not.
    #[arg(long, value_name = "ID", value_parser = parse_identifier, help_heading = "Conditions")]
    ancestor_of: Option<String>,
    /// Find the descendants of this person. Only parents and children by birth count; adoption and foster care do not.
    #[arg(long, value_name = "ID", value_parser = parse_identifier, help_heading = "Conditions")]
    descendant_of: Option<String>,
    /// Find only people who may be living, as `elf redact` decides it.
    #[arg(long, conflicts_with = "deceased", help_heading = "Living people")]
    living: bool,
    /// Find only people who are not living, as `elf redact` decides it.
    #[arg(long, help_heading = "Living people")]
    deceased: bool,
    #[command(flatten)]
    rule: LivingOptions,
    /// Use this file name for standard input in the list.
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: RunReading,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: FindFormat,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats in which people are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindFormat {
    /// Text: one line for each person.
    #[default]
    Human,
    /// JSON Lines: one object for each person.
    Json,
    /// Comma-separated values with a header line.
    Csv,
    /// Identifiers, one on each line, for `extract --from -` and scripts.
    Ids,
}

impl Find {
    /// Builds the query from the conditions.
    pub(crate) fn query(&self) -> PersonQuery {
        let mut query = PersonQuery::new();
        query = self.name.iter().fold(query, |query, text| query.with_name(text));
        query = self.surname.iter().fold(query, |query, text| query.with_surname(text));
        query = self.given.iter().fold(query, |query, text| query.with_given(text));
        query = self.sounds_like.iter().fold(query, |query, text| query.with_sound(text));
        query = self.born.into_iter().fold(query, PersonQuery::with_birth);
        query = self.died.into_iter().fold(query, PersonQuery::with_death);
        query = self.place.iter().fold(query, |query, text| query.with_place(text));
        query = self.sex.into_iter().fold(query, PersonQuery::with_sex);
        query = self.has.iter().cloned().fold(query, PersonQuery::with_structure);
        query = self.lacks.iter().cloned().fold(query, PersonQuery::without_structure);
        query = self.ancestor_of.iter().fold(query, |query, id| query.with_descendant(id));
        query = self.descendant_of.iter().fold(query, |query, id| query.with_ancestor(id));
        if self.unconnected {
            query = query.without_families();
        }
        match self.living || self.deceased {
            true => query.with_living(self.rule.living_rule(), self.living),
            false => query,
        }
    }
}
