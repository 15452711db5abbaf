//! The edits of `elf edit`, in the order in which they stand on the command line.

use clap::builder::TypedValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use elf_edit::{Edit, Value};
use elf_tagged::path::{Path, PathError};
use std::ffi::OsStr;

/// The edits, each with its argument as it was given.
#[derive(Debug)]
pub(crate) struct Edits(pub(crate) Vec<(String, Edit)>);

/// An option that makes an edit.
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
        help: "Give structures another payload: text, escaped as the file needs; or the `@ID@` of a record, which makes a \
               pointer",
        parse: |text| {
            let (path, value) = Path::split(text)?;
            Ok(Edit::Set(path.parse()?, Value::of(value)))
        },
    },
    Kind {
        name: "text",
        value: "PATH=VALUE",
        help: "Give structures a text for their payload, whatever it looks like",
        parse: |text| {
            let (path, value) = Path::split(text)?;
            Ok(Edit::Set(path.parse()?, Value::Text(value.to_owned())))
        },
    },
    Kind {
        name: "point",
        value: "PATH=@ID@",
        help: "Make the payload of structures a pointer: the same as `--set` with an `@ID@`",
        parse: |text| {
            let (path, xref) = Path::split(text)?;
            Ok(Edit::Set(path.parse()?, Value::Pointer(label(xref)?)))
        },
    },
    Kind {
        name: "remove",
        value: "PATH",
        help: "Take structures away, with all beneath them",
        parse: |text| Ok(Edit::Remove(text.parse()?)),
    },
    Kind {
        name: "insert",
        value: "PATH=VALUE",
        help: "Add a structure, as the last one there or, with `[N]` behind its tag, as the N-th of that tag; a record \
               with an identifier is `@N1@ NOTE=VALUE`; VALUE is as in `--set`",
        parse: |text| {
            let (path, value) = Path::split(text)?;
            Ok(Edit::Insert(path.parse()?, Value::of(value)))
        },
    },
    Kind {
        name: "move",
        value: "PATH=PATH",
        help: "Put a structure, with all beneath it, where the second path says, under the tag that path ends in; or \
               beneath what bears the identifier it ends in",
        parse: |text| {
            let (from, to) = Path::split(text)?;
            Ok(Edit::Move(from.parse()?, to.parse()?))
        },
    },
    Kind {
        name: "rename-id",
        value: "@OLD@=@NEW@",
        help: "Give the structure that bears an identifier another one, and lead all pointers there",
        parse: |text| {
            let (old, new) = Path::split(text)?;
            Ok(Edit::Rename(label(old)?, label(new)?))
        },
    },
];

/// An identifier without its at signs.
fn label(text: &str) -> Result<String, PathError> {
    let label = text.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
    match label.filter(|label| !label.is_empty() && !label.contains('@')) {
        Some(label) => Ok(label.to_owned()),
        None => Err(PathError::Xref(text.to_owned())),
    }
}

/// Keeps the argument beside the edit it stands for.
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
