//! `elf show`: the file as it stands at one layer.

use crate::args::{Form, Format, Show};
use crate::commands::print_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::Output;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Sink, Tally};
use elf_render::tree::{self, Structures};
use elf_render::{json, sanitise};
use elf_schema::read_document;
use elf_tagged::elf_lines::{self, Fault, Line, Payload};
use elf_tagged::{Diagnostic, Document, Rules, Source, read_with};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{self, Write};

pub(crate) fn run(args: &Show, console: &mut Console) -> Exit {
    let path = &*args.file;
    let name = reading::name(path);
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let Some(octets) = reading::octets(path, console) else { return Exit::Failed };
    console.working(&format!("reading {name}"));
    let mut tally = Tally::new(|diagnostic: Diagnostic| console.diagnostic(&name, &diagnostic));
    let options = schemas.options(args.judging.encoding);
    let read =
        read_with(&octets, args.reading.rules(), &options.octets, &options, &mut tally).map(|document| {
            if args.form == Form::Typed {
                let mut news = |found: Diagnostic| {
                    if reading::is_news(&found) {
                        tally.report(found)
                    }
                };
                let (document, typing) = read_document(document, &options, &mut news).into_parts();
                (document, Some(typing))
            } else {
                (document, None)
            }
        });
    let exit = reading::status(&tally, &args.judging);
    console.done();
    let (document, typing) = match read {
        Ok(read) => read,
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return Exit::Failed;
        }
    };
    let structures = match (args.form, &typing) {
        (_, Some(typing)) => Structures::typed(&document, typing),
        (Form::Xref, None) => Structures::new(&document, tree::TreeForm::Xref),
        _ => Structures::new(&document, tree::TreeForm::Tagged),
    };
    let shown = print_to(&args.printing, console, |out, _| match args.form {
        Form::Octets => line_strings(out, document.source(), args),
        Form::Lines => lines(out, document.source(), args),
        _ => self::structures(out, &document, &structures, args),
    });
    shown.max(exit)
}

/// The line strings, each with the line and the octet where it starts.
fn line_strings(out: &mut Output, source: &Source<'_>, args: &Show) -> io::Result<Exit> {
    #[derive(Serialize)]
    struct LineString<'a> {
        line: u64,
        octet: u64,
        text: &'a str,
    }
    let mut locator = source.locator();
    for span in source.line_strings() {
        let (place, text) = (locator.place(span), span.of(source.text()));
        let (line, octet) = (place.line, place.octet);
        match args.printing.format {
            Format::Human => writeln!(out, "{line:>6} {octet:>9}  {}", sanitise(text))?,
            Format::Json => json::line(out, &LineString { line, octet, text })?,
        }
        if out.is_closed() {
            break;
        }
    }
    Ok(Exit::Clean)
}

/// The lines, and what is none.
fn lines(out: &mut Output, source: &Source<'_>, args: &Show) -> io::Result<Exit> {
    let rules = args.reading.rules();
    let mut locator = source.locator();
    let mut exit = Exit::Clean;
    for span in source.line_strings() {
        let text = span.of(source.text());
        let number = locator.place(span).line;
        let line = elf_lines::parse(text, &rules.lines);
        if line.is_err() {
            exit = Exit::Problems;
        }
        match (args.printing.format, line) {
            (Format::Human, Ok(line)) => human_line(out, number, &line)?,
            (Format::Human, Err(fault)) => human_fault(out, number, &fault, text)?,
            (Format::Json, Ok(line)) => json::line(out, &JsonLine::new(number, &line, rules))?,
            (Format::Json, Err(fault)) => {
                json::line(out, &JsonFault { line: number, error: fault.code.id(), text })?;
            }
        }
        if out.is_closed() {
            break;
        }
    }
    Ok(exit)
}

fn human_line(out: &mut Output, number: u64, line: &Line<'_>) -> io::Result<()> {
    write!(out, "{number:>6}  ")?;
    // Of a level beyond all counting the digits are enough.
    let depth = if line.level() == u32::MAX { 0 } else { line.level() };
    tree::indent(out, usize::try_from(depth).unwrap_or(usize::MAX))?;
    write!(out, "{} ", line.level_digits())?;
    if let Some(xref) = line.xref() {
        write!(out, "@{}@ ", sanitise(xref))?;
    }
    write!(out, "{}", sanitise(line.tag()))?;
    match line.payload() {
        Some(Payload::Text(text)) => write!(out, " {}", sanitise(text))?,
        Some(Payload::Pointer(id)) => write!(out, " @{}@", sanitise(id))?,
        None => {}
    }
    writeln!(out)
}

fn human_fault(out: &mut Output, number: u64, fault: &Fault, text: &str) -> io::Result<()> {
    writeln!(out, "{number:>6}  {}: {}: {}", fault.code, sanitise(&fault.message), sanitise(text))
}

#[derive(Serialize)]
struct JsonLine<'a> {
    line: u64,
    /// The level as it was written, since a level may have any size.
    level: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    xref: Option<&'a str>,
    tag: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<JsonPayload<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonPayload<'a> {
    Text(&'a str),
    Pointer { pointer: &'a str },
}

#[derive(Serialize)]
struct JsonFault<'a> {
    line: u64,
    error: &'static str,
    text: &'a str,
}

impl<'a> JsonLine<'a> {
    fn new(number: u64, line: &Line<'a>, rules: &Rules) -> JsonLine<'a> {
        let payload = match line.payload() {
            // December 2019 does not tell an absent payload from an empty one (D19 Payloads).
            Some(Payload::Text("")) if rules.tagged.empty_payload.is_absent() => None,
            Some(Payload::Text(text)) => Some(JsonPayload::Text(text)),
            Some(Payload::Pointer(pointer)) => Some(JsonPayload::Pointer { pointer }),
            None => None,
        };
        let level = serde_json::from_str(line.level_digits()).unwrap_or(RawValue::NULL);
        JsonLine { line: number, level, xref: line.xref(), tag: line.tag(), payload }
    }
}

/// The header, then the records one by one.
fn structures<'d>(
    out: &mut Output,
    document: &'d Document<'d>,
    structures: &Structures<'d>,
    args: &Show,
) -> io::Result<Exit> {
    let coloured = out.is_coloured();
    match args.printing.format {
        Format::Human => {
            human_header(out, document)?;
            if let Some(head) = document.head() {
                structures.human(out, head, coloured)?;
            }
        }
        Format::Json => json_header(out, document, structures)?,
    }
    for record in document.records() {
        match args.printing.format {
            Format::Human => structures.human(out, record, coloured)?,
            Format::Json => {
                structures.json(out, record)?;
                out.write_all(b"\n")?;
            }
        }
        if out.is_closed() {
            break;
        }
    }
    Ok(Exit::Clean)
}

fn json_header<'d>(
    out: &mut Output,
    document: &'d Document<'d>,
    structures: &Structures<'d>,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Header<'a> {
        encoding: &'static str,
        elf_version: Option<String>,
        gedcom_version: Option<String>,
        language: Option<&'a str>,
        schemas: Vec<&'a str>,
    }
    let header = document.header();
    let fields = Header {
        encoding: document.source().decision().used.name(),
        elf_version: header.elf_version().map(ToString::to_string),
        gedcom_version: header.gedcom_version().map(ToString::to_string),
        language: header.language(),
        schemas: header.schemas().collect(),
    };
    out.write_all(b"{\"header\":")?;
    serde_json::to_writer(&mut *out, &fields)?;
    out.write_all(b",\"metadata\":[")?;
    for (index, node) in document.metadata().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        structures.json(out, node)?;
    }
    out.write_all(b"]}\n")
}

/// Prints the metadata that was taken out of the header, in a line.
fn human_header(out: &mut Output, document: &Document<'_>) -> io::Result<()> {
    let header = document.header();
    write!(out, "# {}", document.source().decision().used.name())?;
    if let Some(version) = header.gedcom_version_as_written() {
        write!(out, ", GEDCOM {}", sanitise(version))?;
    }
    if let Some(version) = header.elf_version_as_written() {
        write!(out, ", ELF {}", sanitise(version))?;
    }
    if let Some(language) = header.language() {
        write!(out, ", language {}", sanitise(language))?;
    }
    for schema in header.schemas() {
        write!(out, ", schema {}", sanitise(schema))?;
    }
    writeln!(out)
}
