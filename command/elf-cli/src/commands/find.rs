//! `elf find`: finds people who meet conditions.

use crate::args::{Find, FindFormat};
use crate::commands::each::{Files, OrderedConsole};
use crate::commands::people::{People, PersonRow, person_error_message, report_reading, with_people};
use crate::commands::{list_inputs, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Listed, Output};
use crate::meter::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_check::Problems;
use elf_lineage::{PersonError, PersonQuery};
use elf_report::json;
use elf_report::people::person_list;
use elf_schema::ReadOptions;
use std::io::{self, Write};

pub(crate) fn run(args: &Find, console: &mut Console) -> Exit {
    let schemas = match Schemas::from_args(&args.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.reading.encoding);
    crate::threads::start_pool(args.reading.jobs);
    let Some(files) = list_inputs(&args.files, None, &args.output, console) else { return Exit::Failed };
    let search = Search { args, options: &options, query: args.query(), names_files: files.len() > 1 };
    write_to(args.output.as_deref(), console, |out, console| search.search_files(&files, out, console))
}

/// The result of searching one file.
enum SearchResult {
    Persons {
        count: usize,
        problems: Problems,
        is_complete: bool,
    },
    /// An identifier in a condition matches no person of the file, or several. With the message.
    NoSuchPerson(PersonError, String),
    Unread(String),
}

struct Search<'s> {
    args: &'s Find,
    options: &'s ReadOptions<'s>,
    query: PersonQuery,
    /// True if the text output names the file of each person.
    names_files: bool,
}

impl Search<'_> {
    fn search_files(&self, list: &[Listed], out: &mut Output, console: &mut Console) -> io::Result<Exit> {
        let header: &[u8] = if self.args.format == FindFormat::Csv { PersonRow::HEADER } else { b"" };
        let (mut count, mut exit, mut searched, mut unknown) = (0, Exit::Clean, 0, Vec::new());
        let work = |file: &Listed, meter: &Meter, out: &mut dyn Write| self.search_file(file, meter, out);
        let add = |file: &Listed, found: SearchResult, console: &mut OrderedConsole<'_>| match found {
            SearchResult::Persons { count: more, problems, is_complete } => {
                (count, searched) = (count + more, searched + 1);
                report_reading(&self.display_name(file), &problems, is_complete, console.console());
                exit = exit.max(if is_complete { Exit::Clean } else { Exit::Problems });
            }
            SearchResult::NoSuchPerson(PersonError::Unknown(_), message) => unknown.push(message),
            SearchResult::NoSuchPerson(_, message) => {
                console.console().print_error(&message);
                exit = Exit::Failed;
            }
            SearchResult::Unread(reason) => {
                console.console().print_unreadable(&file.name, &reason);
                exit = Exit::Failed;
            }
        };
        Files { list, doing: "reading", separators: [header, b""] }.for_each(out, console, work, add)?;
        // The person can be in only one file, so one file that has it is enough.
        if searched == 0 && !unknown.is_empty() {
            unknown.iter().for_each(|message| console.print_error(message));
            exit = Exit::Failed;
        }
        if count == 0 && exit != Exit::Failed {
            out.write_all(header)?;
            console.print_note("no matching people");
        }
        Ok(exit.max(if count == 0 { Exit::Problems } else { Exit::Clean }))
    }

    fn display_name(&self, file: &Listed) -> String {
        let named = self.args.stdin_filename.as_deref().filter(|_| crate::io::is_standard(&file.name));
        reading::display_name(named.unwrap_or(&file.name))
    }

    /// Prints the people of a file who meet the conditions.
    fn search_file(&self, file: &Listed, meter: &Meter, out: &mut dyn Write) -> io::Result<SearchResult> {
        let (name, rules) = (self.display_name(file), self.args.reading.common.rules());
        let read = with_people(&file.source, rules, self.options, meter, |people| {
            match self.query.find(&people.view) {
                Err(error) => {
                    let message = person_error_message(people.view.lineage(), &error, &name);
                    Ok(SearchResult::NoSuchPerson(error, message))
                }
                Ok(persons) => {
                    let facts = persons.into_iter().filter_map(|id| people.view.facts(id));
                    let count = self.print_people(&name, facts, out)?;
                    let People { problems, is_complete, .. } = people;
                    Ok(SearchResult::Persons { count, problems: problems.clone(), is_complete: *is_complete })
                }
            }
        });
        read.unwrap_or_else(|reason| Ok(SearchResult::Unread(reason)))
    }

    /// Prints people and returns their number.
    fn print_people<'l, 'd>(
        &self,
        file: &str,
        persons: impl Iterator<Item = elf_lineage::PersonFacts<'l, 'd>>,
        out: &mut dyn Write,
    ) -> io::Result<usize> {
        let mut count = 0;
        let persons = persons.inspect(|_| count += 1);
        match self.args.format {
            FindFormat::Human => {
                let persons: Vec<_> = persons.collect();
                let lines: Vec<_> =
                    persons.iter().map(|facts| PersonRow::new(file, facts).text_line()).collect();
                if self.names_files && !lines.is_empty() {
                    writeln!(out, "{}:", elf_report::sanitise(file))?;
                }
                out.write_all(person_list(&lines).as_bytes())?;
            }
            FindFormat::Json => {
                for facts in persons {
                    json::write_line(out, &PersonRow::new(file, &facts))?;
                }
            }
            FindFormat::Csv => {
                for facts in persons {
                    PersonRow::new(file, &facts).write_csv(out)?;
                }
            }
            FindFormat::Ids => {
                for facts in persons {
                    // A person without an identifier cannot be referred to.
                    if let Some(identifier) = facts.record.xref() {
                        writeln!(out, "@{identifier}@")?;
                    }
                }
            }
        }
        Ok(count)
    }
}
