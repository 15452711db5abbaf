//! For all commands about people: reads a file, and finds and prints people.

use crate::console::Console;
use crate::io::{self as files, Source};
use crate::meter::Meter;
use elf_check::Problems;
use elf_lineage::{Lineage, LineageView, Person, PersonError, PersonFacts};
use elf_report::counted;
use elf_report::people::PersonLine;
use elf_schema::near::Near;
use elf_schema::{ReadOptions, Rules};
use serde::Serialize;
use std::io::{self, Write};

/// The people of a file, with the text of their records.
pub(super) struct People<'v, 'd> {
    pub(super) view: LineageView<'v, 'd>,
    pub(super) problems: Problems,
    /// False if the rules stopped reading early.
    pub(super) is_complete: bool,
}

/// Reads a whole file and calls `work` with its people.
///
/// # Errors
///
/// Why the file cannot be read.
pub(super) fn with_people<T>(
    source: &Source,
    rules: &Rules,
    options: &ReadOptions<'_>,
    meter: &Meter,
    work: impl FnOnce(&People<'_, '_>) -> T,
) -> Result<T, String> {
    let bytes = files::read_source(source, meter).map_err(|error| files::describe_error(&error))?;
    let mut problems = Problems::default();
    let typed = elf_schema::read(&bytes, rules, options, &mut problems).map_err(|error| error.to_string())?;
    let lineage = Lineage::with_notices(&typed);
    let is_complete = typed.document().is_complete();
    Ok(work(&People { view: LineageView::new(&lineage, &typed), problems, is_complete }))
}

/// Reports that the rules stopped reading a file early, or that the file has problems.
pub(super) fn report_reading(name: &str, problems: &Problems, is_complete: bool, console: &mut Console) {
    if !is_complete {
        let place = problems.place();
        console.print_error(&format!("reading of {name} stopped early{place}: the rest was not read"));
    } else if problems.count() > 0 {
        let problems = counted(problems.count(), "problem");
        console.print_note(&format!("the input has {problems}: `elf check {name}` shows them"));
    }
}

/// The message that no person, or several, have an identifier.
pub(super) fn person_error_message(lineage: &Lineage, error: &PersonError, name: &str) -> String {
    match error {
        PersonError::Unknown(identifier) => unknown_person_message(lineage, identifier, name),
        _ => format!("{name}: {error}"),
    }
}

/// The message that no person has an identifier, with similar identifiers.
pub(super) fn unknown_person_message(lineage: &Lineage, identifier: &str, name: &str) -> String {
    let known: Vec<String> = lineage.persons().filter_map(Person::identifier).collect();
    let near = Near::of(identifier, known.iter().map(String::as_str));
    let help = near.help(|| None);
    let help = help.unwrap_or_else(|| format!("`elf find {name}` lists all people"));
    format!("{name}: no person has the identifier `@{identifier}@`; {help}")
}

/// A person of a list, as a row of CSV or an object of JSON. JSON omits empty fields.
#[derive(Debug, Serialize)]
pub(super) struct PersonRow<'p> {
    file: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    given: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    surname: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    sex: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    birth: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    birth_place: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    death: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    death_place: &'p str,
    line: u64,
}

impl<'p> PersonRow<'p> {
    /// The header of the table, with its line ending.
    pub(super) const HEADER: &'static [u8] =
        b"file,id,name,given,surname,sex,birth,birth_place,death,death_place,line\r\n";

    pub(super) fn new(file: &'p str, facts: &'p PersonFacts<'_, '_>) -> PersonRow<'p> {
        let name = facts.names.first();
        PersonRow {
            file,
            id: facts.record.xref().unwrap_or_default(),
            name: facts.name(),
            given: name.map_or("", |name| &name.given),
            surname: name.map_or("", |name| &name.surname),
            sex: &facts.sex,
            birth: &facts.birth.date,
            birth_place: &facts.birth.place,
            death: &facts.death.date,
            death_place: &facts.death.place,
            line: facts.line,
        }
    }

    /// Writes the fields in the order of the header.
    pub(super) fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let line = self.line.to_string();
        let PersonRow { file, id, name, given, surname, sex, birth, birth_place, death, death_place, .. } =
            *self;
        let fields = [file, id, name, given, surname, sex, birth, birth_place, death, death_place, &line];
        write_csv_row(&fields, out)
    }

    /// The person as a line of text.
    pub(super) const fn text_line(&self) -> PersonLine<'p> {
        PersonLine {
            id: self.id,
            name: self.name,
            birth: [self.birth, self.birth_place],
            death: [self.death, self.death_place],
        }
    }
}

/// Writes a row of comma-separated values (RFC 4180).
pub(super) fn write_csv_row(fields: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    csv.write_record(fields).map_err(|error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::ErrorKind::Other.into(),
    })?;
    csv.flush()
}

/// Returns the identifiers. `-` stands for those on standard input: one on each line, with or without at signs.
///
/// # Errors
///
/// Why standard input cannot be read.
pub(super) fn read_identifiers(named: &[String]) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for identifier in named {
        if identifier != "-" {
            all.push(identifier.clone());
            continue;
        }
        let text = io::read_to_string(io::stdin().lock()).map_err(|error| files::describe_error(&error))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        all.extend(lines.map(|line| line.trim_matches('@').to_owned()));
    }
    Ok(all)
}
