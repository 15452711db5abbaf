//! The files that each command reads and writes, so that no command overwrites an input.

use super::{Command, Reading};
use std::path::{Path, PathBuf};

impl Command {
    /// The files that the command reads, and the file of the schema.
    pub(crate) fn inputs(&self) -> Vec<&Path> {
        let (mut files, reading) = match self {
            Command::Check(args) => (as_paths(&args.files), Some(&args.reading)),
            Command::Show(args) => (vec![&*args.file], Some(&args.reading)),
            Command::Info(args) => (as_paths(&args.files), Some(&args.reading)),
            Command::Convert(args) => (as_paths(&args.files), Some(&args.reading)),
            Command::Edit(args) => (vec![&*args.file], Some(&args.reading)),
            Command::Replace(args) => (as_paths(&args.files), Some(&args.reading)),
            Command::Extract(args) => (vec![&*args.file], Some(&args.options.reading)),
            Command::Redact(args) => (vec![&*args.file], Some(&args.options.reading)),
            Command::Table(args) => (as_paths(&args.files), Some(&args.reading.common)),
            Command::Report(args) => (as_paths(&args.files), Some(&args.reading.common)),
            Command::Diff(args) => (vec![&*args.one, &*args.two], Some(&args.reading)),
            Command::Schema(args) => (args.file.iter().map(|file| &**file).collect(), Some(&args.reading)),
            Command::Tree(args) => (vec![&*args.file], Some(&args.reading.common)),
            Command::Find(args) => (as_paths(&args.files), Some(&args.reading.common)),
            Command::Kinship(args) => (vec![&*args.file], Some(&args.reading)),
            Command::Match(args) => {
                let files = std::iter::once(&*args.one).chain(args.other.as_deref());
                (files.chain(args.decided.iter().map(|file| &**file)).collect(), Some(&args.reading.common))
            }
            Command::Merge(args) => {
                let files = [&*args.one, &*args.other].into_iter().chain(args.pairs.as_deref());
                (files.collect(), Some(&args.reading))
            }
            Command::Mcp(args) => (as_paths(&args.files), None),
            Command::Date(_)
            | Command::Explain(_)
            | Command::Lsp(_)
            | Command::Completions(_)
            | Command::Man(_) => (Vec::new(), None),
        };
        files.extend(reading.and_then(Reading::schema_file));
        if let Command::Check(args) = self {
            files.extend(args.configuring.config.as_deref());
            files.extend(args.configuring.baseline.as_deref());
        }
        if let Command::Report(args) = self {
            files.extend(args.config.as_deref());
        }
        files
    }

    /// The outputs that receive a genealogical file as text, so they must not have the name of an archive.
    pub(crate) fn outputs_of_text(&self) -> Vec<&Path> {
        let output = match self {
            Command::Edit(args) => &args.output,
            Command::Extract(args) => &args.options.output,
            Command::Redact(args) => &args.options.output,
            Command::Check(args) if args.fixing.fix || args.fixing.unsafe_fixes => &args.output,
            _ => &None,
        };
        output.iter().map(|path| &**path).collect()
    }

    /// The files that the command writes, without inputs that `--in-place` overwrites.
    pub(crate) fn outputs(&self) -> Vec<&Path> {
        let output = match self {
            Command::Report(args) => return vec![&args.output],
            Command::Check(args) => {
                let outputs = args.output.iter().chain(&args.configuring.write_baseline);
                return outputs.map(|path| &**path).collect();
            }
            Command::Show(args) => &args.output,
            Command::Info(args) => &args.output,
            Command::Convert(args) => {
                let outputs = args.output.iter().chain(&args.manifest);
                return outputs.map(|path| &**path).collect();
            }
            Command::Edit(args) => &args.output,
            Command::Replace(args) => &args.output,
            Command::Extract(args) => &args.options.output,
            Command::Redact(args) => &args.options.output,
            Command::Table(args) => &args.output,
            Command::Diff(args) => &args.output,
            Command::Schema(args) => &args.output,
            Command::Tree(args) => &args.output,
            Command::Find(args) => &args.output,
            Command::Kinship(args) => &args.output,
            Command::Match(args) => &args.output,
            Command::Merge(args) => &args.output,
            Command::Date(args) => &args.printing.output,
            Command::Explain(args) => &args.printing.output,
            Command::Lsp(_) | Command::Mcp(_) | Command::Completions(_) | Command::Man(_) => &None,
        };
        output.iter().map(|path| &**path).collect()
    }
}

fn as_paths(files: &[PathBuf]) -> Vec<&Path> {
    files.iter().map(|file| &**file).collect()
}

impl Reading {
    /// The file that `--schema` names. `None` for a built-in schema or an IRI.
    pub(crate) fn schema_file(&self) -> Option<&Path> {
        match SchemaName::parse(self.schema.as_deref()?) {
            SchemaName::File(path) => Some(path),
            SchemaName::Completed
            | SchemaName::Published
            | SchemaName::Gedcom70
            | SchemaName::SchemaStore(_) => None,
        }
    }
}

/// The schema that `--schema` names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SchemaName<'n> {
    Completed,
    Published,
    Gedcom70,
    /// A schema with an IRI.
    SchemaStore(&'n str),
    File(&'n Path),
}

impl SchemaName<'_> {
    /// Splits `BASE+FILE` into the built-in schema and the file. Without a built-in schema, returns `name` unchanged.
    pub(crate) fn split_additions(name: &str) -> (&str, Option<&str>) {
        match name.split_once('+') {
            Some((base @ ("completed" | "published" | "gedcom-7"), more)) => (base, Some(more)),
            _ => (name, None),
        }
    }

    pub(crate) fn parse(name: &str) -> SchemaName<'_> {
        match name {
            "completed" => SchemaName::Completed,
            "published" => SchemaName::Published,
            "gedcom-7" => SchemaName::Gedcom70,
            _ if name.contains("://") => SchemaName::SchemaStore(name),
            _ => SchemaName::File(Path::new(name)),
        }
    }
}
