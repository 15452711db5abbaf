//! `elf kinship`: shows how two people are related.

use crate::args::{Kinship, KinshipFormat};
use crate::commands::people::{People, person_error_message, report_reading, with_people, write_csv_row};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self as files, Output};
use crate::reading;
use crate::schemas::Schemas;
use elf_lineage::{Person, PersonId, Relationship};
use elf_report::json;
use serde::Serialize;
use std::io::{self, Write};

pub(crate) fn run(args: &Kinship, console: &mut Console) -> Exit {
    let name = reading::display_name(&args.file);
    if args.one == args.other {
        console.print_error(&format!("`@{}@` is named twice: expected two people", args.one));
        return Exit::Failed;
    }
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.encoding);
    let source = match files::find_source(&args.file) {
        Ok(source) => source,
        Err(reason) => {
            console.print_unreadable(&args.file, &reason);
            return Exit::Failed;
        }
    };
    let meter = console.show_progress(&format!("reading {name}"));
    let read = with_people(&source, args.reading.rules(), &options, &meter, |people| {
        console.clear_progress();
        find_relationships(args, &name, people, console)
    });
    read.unwrap_or_else(|reason| {
        console.clear_progress();
        console.print_unreadable(&args.file, &reason);
        Exit::Failed
    })
}

fn find_relationships(args: &Kinship, name: &str, people: &People<'_, '_>, console: &mut Console) -> Exit {
    let lineage = people.view.lineage();
    let persons = [&args.one, &args.other].map(|identifier| lineage.only_person(identifier));
    let errors = persons.iter().filter_map(|person| person.as_ref().err());
    errors.for_each(|error| console.print_error(&person_error_message(lineage, error, name)));
    let [Ok(one), Ok(other)] = persons else { return Exit::Failed };
    report_reading(name, &people.problems, people.is_complete, console);
    let kinship = one.kinship(other);
    let exit = if kinship.is_related() && people.is_complete { Exit::Clean } else { Exit::Problems };
    let printed = write_to(args.output.as_deref(), console, |out, _| {
        Relationships { one, other, kinship: &kinship }.print(args, out)?;
        Ok(exit)
    });
    if printed == exit && !kinship.is_complete() {
        console.print_note(
            "the ancestors are related in too many ways: more distant relationships are left out",
        );
    }
    printed
}

#[derive(Serialize)]
struct RelationshipLine {
    kind: &'static str,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    down: Option<u32>,
    half: bool,
    common_ancestors: Vec<String>,
}

#[derive(Serialize)]
struct SummaryLine<'s> {
    summary: Summary<'s>,
}

#[derive(Serialize)]
struct Summary<'s> {
    a: &'s str,
    b: &'s str,
    related: bool,
    coefficient: f64,
}

struct Relationships<'k> {
    one: Person<'k>,
    other: Person<'k>,
    kinship: &'k elf_lineage::Kinship,
}

impl Relationships<'_> {
    fn print(&self, args: &Kinship, out: &mut Output) -> io::Result<()> {
        match args.format {
            KinshipFormat::Human => out.write_all(
                elf_report::people::describe_kinship(self.one, self.other, self.kinship).as_bytes(),
            ),
            KinshipFormat::Json => {
                for relationship in self.kinship.relationships() {
                    json::write_line(out, &self.row_of(relationship))?;
                }
                let (related, coefficient) = (self.kinship.is_related(), self.kinship.coefficient());
                let summary = Summary { a: &args.one, b: &args.other, related, coefficient };
                json::write_line(out, &SummaryLine { summary })
            }
            KinshipFormat::Csv => {
                write_csv_row(&["kind", "name", "up", "down", "half", "common_ancestors"], out)?;
                let lines = self.kinship.relationships().iter().map(|relationship| self.row_of(relationship));
                lines.into_iter().try_for_each(|line| line.write_csv(out))
            }
        }
    }

    fn row_of(&self, relationship: &Relationship) -> RelationshipLine {
        let identifier = |id: &PersonId| self.one.lineage().person(*id).and_then(Person::identifier);
        let generations = relationship.generations();
        RelationshipLine {
            kind: relationship.kind.name(),
            name: relationship.name(self.one.sex()),
            up: generations.map(|generations| generations.up),
            down: generations.map(|generations| generations.down),
            half: generations.is_some_and(|generations| generations.half),
            common_ancestors: relationship.common_ancestors.iter().filter_map(identifier).collect(),
        }
    }
}

impl RelationshipLine {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let number = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
        let half = if self.half { "true" } else { "false" };
        let ancestors = self.common_ancestors.join(";");
        write_csv_row(&[self.kind, &self.name, &number(self.up), &number(self.down), half, &ancestors], out)
    }
}
