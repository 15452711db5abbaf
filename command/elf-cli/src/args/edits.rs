//! The edits of `elf edit`, in the order of the command line.

use clap::builder::TypedValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use elf_edit::{Edit, Value};
use elf_tagged::path::{Path, PathError};
use std::ffi::OsStr;

/// The edits in the order of the command line, each with its argument as written.
#[derive(Debug)]
pub(crate) struct Edits(pub(crate) Vec<(String, Edit)>);

/// A kind of edit: the name of its option, and the function that parses the value of the option.
struct Kind {
    name: &'static str,
    value: &'static str,
    help: &'static str,
    parse: fn(&str) -> Result<Edit, PathError>,
}

const KINDS: [Kind; 7] = [
    Kind {
        name: "set",
        value: "PATH=VALUE",
        help: "Replace the payload of the structures at PATH. VALUE is a text, or the `@ID@` of a record, which becomes a \
               pointer. A text is escaped as needed",
        parse: |text| {
            let (path, value) = Path::split(text)?;
            Ok(Edit::Set(path.parse()?, Value::of(value)))
        },
    },
    Kind {
        name: "text",
        value: "PATH=VALUE",
        help: "Replace the payload of the structures at PATH by a text, even if the text looks like a pointer",
        parse: |text| {
            let (path, value) = Path::split(text)?;
            Ok(Edit::Set(path.parse()?, Value::Text(value.to_owned())))
        },
    },
    Kind {
        name: "point",
        value: "PATH=@ID@",
        help: "Replace the payload of the structures at PATH by a pointer, as `--set` does with an `@ID@`",
        parse: |text| {
            let (path, xref) = Path::split(text)?;
            Ok(Edit::Set(path.parse()?, Value::Pointer(parse_label(xref)?)))
        },
    },
    Kind {
        name: "remove",
        value: "PATH",
        help: "Remove the structures at PATH and everything under them",
        parse: |text| Ok(Edit::Remove(text.parse()?)),
    },
    Kind {
        name: "insert",
        value: "PATH=VALUE",
        help: "Insert a structure as the last one under its parent. With `[N]` after its tag, it becomes the N-th structure with \
               that tag. `@N1@ NOTE=VALUE` inserts a record with an identifier. VALUE is as in `--set`",
        parse: |text| {
            let (path, value) = Path::split(text)?;
            Ok(Edit::Insert(path.parse()?, Value::of(value)))
        },
    },
    Kind {
        name: "move",
        value: "PATH=PATH",
        help: "Move the structure at the first path, and everything under it, to the second path. If the second path ends in a \
               tag, the structure gets this tag. If it ends in an identifier, the structure moves under that record",
        parse: |text| {
            let (from, to) = Path::split(text)?;
            Ok(Edit::Move(from.parse()?, to.parse()?))
        },
    },
    Kind {
        name: "rename-id",
        value: "@OLD@=@NEW@",
        help: "Rename the identifier of a record and update every pointer to it",
        parse: |text| {
            let (old, new) = Path::split(text)?;
            Ok(Edit::Rename(parse_label(old)?, parse_label(new)?))
        },
    },
];

/// Parses an identifier without its at signs.
fn parse_label(text: &str) -> Result<String, PathError> {
    let label = text.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
    match label.filter(|label| !label.is_empty() && !label.contains('@')) {
        Some(label) => Ok(label.to_owned()),
        None => Err(PathError::Xref(text.to_owned())),
    }
}

/// Parses the argument of an edit and keeps it beside the edit.
#[derive(Clone)]
struct Parser(fn(&str) -> Result<Edit, PathError>);

impl TypedValueParser for Parser {
    type Value = (String, Edit);

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<(String, Edit), clap::Error> {
        let parse = self.0;
        let parser = move |text: &str| parse(text).map(|edit| (text.to_owned(), edit));
        parser.parse_ref(command, argument, value)
    }
}

impl Edits {
    pub(crate) fn removes(&self) -> bool {
        self.0.iter().any(|(_, edit)| matches!(edit, Edit::Remove(_)))
    }
}

impl clap::Args for Edits {
    fn augment_args(mut command: Command) -> Command {
        for kind in &KINDS {
            let argument = Arg::new(kind.name)
                .long(kind.name)
                .value_name(kind.value)
                .help(kind.help)
                .help_heading("Edits, in the order given")
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
                .value_parser(Parser(kind.parse));
            command = command.arg(argument);
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Edits::augment_args(command)
    }
}

impl clap::FromArgMatches for Edits {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Edits, clap::Error> {
        let mut edits = Vec::new();
        for kind in &KINDS {
            let places = matches.indices_of(kind.name).into_iter().flatten();
            let values = matches.get_many::<(String, Edit)>(kind.name).into_iter().flatten();
            for (place, (text, edit)) in places.zip(values) {
                edits.push((place, (format!("--{} {text}", kind.name), edit.clone())));
            }
        }
        edits.sort_by_key(|&(place, _)| place);
        Ok(Edits(edits.into_iter().map(|(_, edit)| edit).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Edits::from_arg_matches(matches)?;
        Ok(())
    }
}
