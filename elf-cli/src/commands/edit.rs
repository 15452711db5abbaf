//! `elf edit`: some structures changed, and nothing else.

use crate::args::{Edit as Args, Format};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::findings::Findings;
use crate::io;
use crate::reading;
use crate::render::diff;
use crate::render::json::{self, EditSummary};
use crate::schemas::Schemas;
use elf_base::{Sink, Tally};
use elf_schema::{Dictionary, ReadOptions, Resolver, TypeId};
use elf_tagged::edit::{Edit, EditOptions, Editor, Path, Selector, Types, Value};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
    if let Some(problem) = contradiction(args) {
        console.failure(problem);
        return Exit::Failed;
    }
    match args.format {
        Format::Human => report(args, &mut std::io::sink(), console).unwrap_or(Exit::Failed),
        Format::Json => write_to(None, console, |out, console| report(args, out, console)),
    }
}

/// Why the arguments cannot be obeyed, if they cannot.
fn contradiction(args: &Args) -> Option<&'static str> {
    if args.in_place && io::is_standard(&args.file) {
        return Some("standard input cannot be overwritten: name a file, or leave out `--in-place`");
    }
    let standard = !args.in_place && args.output.as_deref().is_none_or(io::is_standard);
    match args.format {
        Format::Human => None,
        Format::Json if args.diff => Some("`--diff` is for people: it has no JSON"),
        Format::Json => standard
            .then_some("the edited file and JSON cannot both go to standard output: name a file with `-o`"),
    }
}

/// Edits the file, and prints to `out` what a program is told.
fn report(args: &Args, out: &mut impl Write, console: &mut Console) -> std::io::Result<Exit> {
    let name = reading::name(&args.file);
    let mut summary = EditSummary { file: &name, edits: args.edits.0.len(), malformed: 0, non_conformant: 0 };
    let exit = match args.edits.0.is_empty() {
        true => unedited(args, console),
        false => edited(args, &mut summary, out, console)?,
    };
    if args.format == Format::Json && exit != Exit::Failed {
        json::summary(out, &summary)?;
    }
    Ok(exit)
}

/// Makes the edits and writes the file.
fn edited(
    args: &Args,
    summary: &mut EditSummary<'_>,
    out: &mut impl Write,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*args.file;
    let Some(octets) = reading::octets(path, console) else { return Ok(Exit::Failed) };
    console.working(&format!("editing {}", summary.file));
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return Ok(exit),
    };
    let options = schemas.options(args.encoding);
    let editor = match Editor::open_with(&octets, args.reading.rules, &options.octets, &options) {
        Ok(editor) => editor.with_options(EditOptions::new().with_escapes(!args.no_escapes)),
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return Ok(Exit::Failed);
        }
    };
    let Some(editor) = edit(args, editor, &octets, &options, console) else { return Ok(Exit::Failed) };
    let mut findings = Findings::of(summary.file, args.format, console, out);
    let mut tally = Tally::new(|finding| findings.report(finding));
    let result = editor.finish(&mut tally);
    (summary.malformed, summary.non_conformant) = (tally.malformed, tally.non_conformant);
    findings.finish()?;
    console.done();
    let edited = match result {
        Ok(edited) => edited,
        Err(error) => {
            console.failure(&format!("cannot edit {}: {error}", summary.file));
            return Ok(Exit::Failed);
        }
    };
    if edited.faults > 0 {
        console.note("the edits break the rules: what is reported above stands in the edited file");
    }
    let exit = if edited.faults > 0 { Exit::Problems } else { Exit::Clean };
    if args.diff {
        return Ok(write_to(args.output.as_deref(), console, |out, _| {
            let coloured = out.is_coloured();
            diff::write(out, &reading::name(path), editor.document().source(), &edited.patches, coloured)?;
            Ok(exit)
        }));
    }
    if args.in_place && edited.patches.is_empty() {
        return Ok(exit);
    }
    Ok(write(args, &edited.octets, exit, console))
}

/// Writes the file as it is: what is not looked at cannot be changed.
fn unedited(args: &Args, console: &mut Console) -> Exit {
    let path = &*args.file;
    let input = match io::open_to_copy(path) {
        Ok(input) => input,
        Err(error) => {
            console.unreadable(path, &io::reason(&error));
            return Exit::Failed;
        }
    };
    if args.in_place || args.diff {
        return Exit::Clean;
    }
    write_to(args.output.as_deref(), console, |out, _| out.copy(input).map(|()| Exit::Clean))
}

/// Makes the edits; what keeps them from being made is said on the console.
fn edit<'o>(
    args: &Args,
    mut editor: Editor<'o>,
    octets: &[u8],
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Option<Editor<'o>> {
    let mut types = if args.edits.0.iter().any(|(_, edit)| names_types(edit)) {
        Some(TypesInForce::read(args, octets, options, console)?)
    } else {
        None
    };
    for (text, edit) in &args.edits.0 {
        let done = match &mut types {
            Some(types) => editor.apply(&meant(edit, &editor, types), types),
            None => editor.apply(&meant(edit, &editor, &mut ()), &mut ()),
        };
        if let Err(error) = done {
            console.failure(&format!("cannot make the edit `{text}`: {error}"));
            return None;
        }
    }
    Some(editor)
}

/// The edit with a pointer for its text, if that has the form of one: what was a pointer stays one, and what is new is
/// one if something bears the identifier.
fn meant<'e>(edit: &'e Edit, editor: &Editor<'_>, types: &mut dyn Types) -> Cow<'e, Edit> {
    let named = |text: &str| {
        let id = text.strip_prefix('@')?.strip_suffix('@')?;
        (!id.is_empty() && !id.contains('@')).then(|| id.to_owned())
    };
    match edit {
        Edit::Set(path, Value::Text(text)) => {
            let points = editor.find(path, types).is_ok_and(|at| editor.pointer(at).is_some());
            let id = named(text).filter(|_| points);
            id.map(|id| Cow::Owned(Edit::Set(path.clone(), Value::Pointer(id))))
        }
        Edit::Insert(path, Value::Text(text)) => {
            let id = named(text).filter(|id| editor.is_borne(id));
            id.map(|id| Cow::Owned(Edit::Insert(path.clone(), Value::Pointer(id))))
        }
        _ => None,
    }
    .unwrap_or(Cow::Borrowed(edit))
}

/// Writes the edited file where the arguments say.
fn write(args: &Args, octets: &[u8], exit: Exit, console: &mut Console) -> Exit {
    let output = if args.in_place { Some(&*args.file) } else { args.output.as_deref() };
    write_to(output, console, |out, _| out.write_all(octets).map(|()| exit))
}

fn names_types(edit: &Edit) -> bool {
    let named = |path: &Path| path.steps().iter().any(|step| matches!(step.selector, Selector::Type(_)));
    match edit {
        Edit::Set(path, Value::None | Value::Text(_) | Value::Pointer(_)) | Edit::Remove(path) => named(path),
        Edit::Insert(path, _) => named(path),
        Edit::Move(from, to) => named(from) || named(to),
        _ => false,
    }
}

/// The types of structures, by the schema in force.
struct TypesInForce {
    resolver: Resolver,
    /// The types that a name in a path stands for: itself and its subtypes.
    named: HashMap<String, Named>,
}

struct Named {
    iri: String,
    types: HashSet<TypeId>,
}

impl TypesInForce {
    /// Those of the file; why there are none is said on the console.
    fn read(
        args: &Args,
        octets: &[u8],
        options: &ReadOptions<'_>,
        console: &mut Console,
    ) -> Option<TypesInForce> {
        let typed = elf_schema::read(octets, args.reading.rules, options, &mut ())
            .map_err(|error| console.unreadable(&args.file, &error.to_string()))
            .ok()?;
        let dictionary: Option<&Arc<Dictionary>> = typed.typing().dictionary();
        let resolver = match dictionary {
            Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
            None => Resolver::new(Arc::clone(typed.schema())),
        };
        Some(TypesInForce { resolver, named: HashMap::new() })
    }

    /// The type of a structure with these tags, its record's first.
    fn type_of(&mut self, tags: &[&str]) -> TypeId {
        let mut found = TypeId::DOCUMENT;
        for (depth, tag) in tags.iter().enumerate() {
            found = match (depth, *tag) {
                (0, "HEAD") if self.resolver.dictionary().is_none() => TypeId::METADATA,
                _ => self.resolver.resolve(found, tag),
            };
        }
        found
    }

    fn named(&mut self, name: &str) -> &Named {
        let schema = self.resolver.schema();
        self.named.entry(name.to_owned()).or_insert_with(|| {
            let iri = schema.prefixes().expand(name).into_owned();
            let of = schema.type_of(&iri);
            let types = of.into_iter().flat_map(|of| schema.eventual_subtypes(of)).collect();
            Named { iri, types }
        })
    }
}

impl Types for TypesInForce {
    fn is_of(&mut self, tags: &[&str], name: &str) -> bool {
        let found = self.type_of(tags);
        let iri = self.resolver.iri(found).map(str::to_owned);
        let named = self.named(name);
        named.types.contains(&found) || iri.as_ref() == Some(&named.iri)
    }

    fn tag_for(&mut self, tags: &[&str], name: &str) -> Option<String> {
        let above = self.type_of(tags);
        let iri = self.named(name).iri.clone();
        let above = self.resolver.iri(above)?.to_owned();
        self.resolver.schema().tags_of(&iri, &above).first().map(|tag| (*tag).to_owned())
    }
}
