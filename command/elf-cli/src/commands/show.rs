//! `elf show`: prints a file in the form that one layer reads.

use crate::args::{Form, Show, ShowFormat};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::Output;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Sink, Tally};
use elf_edit::PathFinder;
use elf_report::lines::{Extent, LinePrinter};
use elf_report::sanitise;
use elf_report::tree::{Structures, TreeForm};
use elf_schema::{PathTypes, ReadOptions, Typing, read_document};
use elf_tagged::path::{FindError, Path};
use elf_tagged::{Diagnostic, Document, Node, NodeId, Source, TooLarge, read_with};
use std::io::{Result as IoResult, Write};

pub(crate) fn run(args: &Show, console: &mut Console) -> Exit {
    let path = &*args.file;
    if let Some(problem) = find_contradiction(args) {
        console.print_error(problem);
        return Exit::Failed;
    }
    let name = reading::display_name(path);
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.judging.encoding);
    let Some(octets) = reading::read_file(path, console) else { return Exit::Failed };
    console.show_progress(&format!("reading {name}"));
    let mut repeated = reading::RepeatedFindings::default();
    let mut tally = Tally::new(|diagnostic: Diagnostic| {
        if !repeated.is_repeated(&diagnostic) {
            console.print_diagnostic(&name, &diagnostic);
        }
    });
    let read = read_for_form(args, &octets, &options, &mut tally);
    let exit = reading::exit_status(&tally, &args.judging);
    console.clear_progress();
    let (document, typing) = match &read {
        Ok((document, typing)) => (document, typing.as_ref()),
        Err(error) => {
            console.print_unreadable(path, &error.to_string());
            return Exit::Failed;
        }
    };
    let at = match find_structures(args, document, typing) {
        Ok(at) => at,
        Err((path, error)) => {
            console.print_error(&format!("cannot show `{path}`: {error}"));
            return Exit::Failed;
        }
    };
    let structures = match (args.form, typing) {
        (Form::Typed, Some(typing)) => Structures::typed(document, typing),
        (Form::Xref, _) => Structures::new(document, TreeForm::Xref),
        _ => Structures::new(document, TreeForm::Tagged),
    };
    let shown = write_to(args.output.as_deref(), console, |out, _| match (args.form, args.format) {
        (Form::Octets | Form::Lines, _) => print_lines(out, document.source(), args, &Extent::of(at)),
        (_, ShowFormat::Human | ShowFormat::Json) => {
            self::print_structures(out, document, &structures, args, at)
        }
        (_, ShowFormat::Flat | ShowFormat::Tsv) => print_table(out, document, &structures, args, at),
    });
    shown.max(exit)
}

/// Returns what is wrong with the combination of arguments, if anything.
fn find_contradiction(args: &Show) -> Option<&'static str> {
    let is_table = matches!(args.format, ShowFormat::Flat | ShowFormat::Tsv);
    match args.form {
        Form::Octets | Form::Lines | Form::Xref if is_table => {
            Some("`--format flat` and `--format tsv` need `--form tagged` or `--form typed`")
        }
        Form::Octets | Form::Lines | Form::Xref | Form::Tagged | Form::Typed => None,
    }
}

/// Reads the file as far as the form and the paths need it.
fn read_for_form<'o>(
    args: &Show,
    octets: &'o [u8],
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> Result<(Document<'o>, Option<Typing>), TooLarge> {
    let document = read_with(octets, args.reading.rules(), &options.octets, options, sink)?;
    // Problems of types are reported only if types are shown.
    let is_typed = args.form == Form::Typed;
    if !is_typed && !args.at.iter().any(Path::names_types) {
        return Ok((document, None));
    }
    let mut news = |found: Diagnostic| {
        if is_typed && reading::is_worth_reporting(&found) {
            sink.report(found);
        }
    };
    let (document, typing) = read_document(document, options, &mut news).into_parts();
    Ok((document, Some(typing)))
}

/// Finds the structures at the paths, path by path. `None` if no path is given, which means all structures.
fn find_structures<'a, 'd>(
    args: &'a Show,
    document: &'d Document<'d>,
    typing: Option<&Typing>,
) -> Result<Option<Vec<Node<'d>>>, (&'a Path, FindError)> {
    if args.at.is_empty() {
        return Ok(None);
    }
    let mut types = typing.map(|typing| PathTypes::new(typing, document.rules()));
    let mut all = Vec::new();
    for path in &args.at {
        let found = match &mut types {
            Some(types) => document.find(path, types),
            None => document.find(path, &mut ()),
        };
        all.extend(found.map_err(|error| (path, error))?);
    }
    Ok(Some(all))
}

/// Prints line strings, or parsed and malformed lines.
fn print_lines(out: &mut Output, source: &Source<'_>, args: &Show, extent: &Extent) -> IoResult<Exit> {
    let mut printer = LinePrinter::new(source, args.format == ShowFormat::Json);
    let mut exit = Exit::Clean;
    for span in source.line_strings().filter(|&span| extent.has(span)) {
        if args.form == Form::Octets {
            printer.line_string(out, span)?;
        } else if !printer.line(out, span)? {
            exit = Exit::Problems;
        }
        if out.is_closed() {
            break;
        }
    }
    Ok(exit)
}

/// Prints structures with everything under them. Without paths, prints the whole file, header first.
fn print_structures<'d>(
    out: &mut Output,
    document: &'d Document<'d>,
    structures: &Structures<'d>,
    args: &Show,
    at: Option<Vec<Node<'d>>>,
) -> IoResult<Exit> {
    let coloured = out.is_coloured();
    let is_json = args.format == ShowFormat::Json;
    let roots: Vec<Node<'_>> = match at {
        Some(at) => at,
        None if is_json => {
            structures.json_header(out)?;
            document.records().collect()
        }
        None => {
            structures.human_header(out)?;
            document.head().into_iter().chain(document.records()).collect()
        }
    };
    let mut line = Vec::new();
    for root in roots {
        if is_json {
            line.clear();
            structures.json(&mut line, root)?;
            line.push(b'\n');
            out.write_all(&line)?;
        } else {
            structures.human(out, root, coloured)?;
        }
        if out.is_closed() {
            break;
        }
    }
    Ok(Exit::Clean)
}

/// Longer paths are not printed: in a deeply nested file, the output would grow with the square of the depth.
const LONGEST_PATH: usize = 1024;

/// Every path of a deeper structure is too long.
const DEEPEST_PATH: usize = LONGEST_PATH / 2 + 1;

/// Prints one structure per line, with its path.
fn print_table<'d>(
    out: &mut Output,
    document: &'d Document<'d>,
    structures: &Structures<'d>,
    args: &Show,
    at: Option<Vec<Node<'d>>>,
) -> IoResult<Exit> {
    let is_flat = args.format == ShowFormat::Flat;
    if !is_flat {
        writeln!(out, "{}", Structures::COLUMNS.join("\t"))?;
    }
    let roots = at.unwrap_or_else(|| document.head().into_iter().chain(document.records()).collect());
    let is_terminal = out.is_terminal();
    let (mut paths, mut locator) = (PathFinder::of(document), document.source().locator());
    // The ends of the structures that contain the current one.
    let mut open: Vec<NodeId> = Vec::new();
    for node in roots.into_iter().flat_map(|root| std::iter::once(root).chain(root.descendants())) {
        while open.pop_if(|end| *end <= node.id()).is_some() {}
        open.push(node.subtree_end());
        let path = if open.len() > DEEPEST_PATH { String::new() } else { paths.path_of(node.id()) };
        let path = if path.len() > LONGEST_PATH { String::new() } else { path };
        let line = match is_flat {
            true => structures.flat(node, &path),
            false => {
                let line = (!node.is_inserted()).then(|| locator.line_number(node.span()));
                structures.row(node, &path, line)
            }
        };
        let (line, end) = line.split_at(line.len() - 1);
        let line = if is_terminal { sanitise(line) } else { line.into() };
        write!(out, "{line}{end}")?;
        if out.is_closed() {
            break;
        }
    }
    Ok(Exit::Clean)
}
