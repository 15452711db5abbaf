//! An editing session: an index of names, edits, undo, and the file that is saved. It renames a person, removes the
//! name, and undoes that: `cargo run --example session -- FILE NAME OTHER_NAME`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_edit::elf_tagged::Document;
use elf_edit::{Checkpoint, EditError, Editor, Structure};
use std::collections::BTreeMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, name, other] = &*arguments else { return Err("expected a file and two names".into()) };
    let octets = std::fs::read(file)?;
    let document = Document::parse(&octets)?;
    let mut session = Session::new(&document)?;
    session.rename(name, other)?;
    session.remove(name)?;
    session.undo()?;
    println!("{}", String::from_utf8_lossy(&session.save()?));
    Ok(())
}

pub(crate) struct Session<'d> {
    editor: Editor<'d>,
    people: BTreeMap<String, Structure>,
    undo: Vec<Checkpoint>,
}

impl<'d> Session<'d> {
    /// Starts a session with an index of people by their names.
    pub(crate) fn new(document: &'d Document<'d>) -> Result<Session<'d>, EditError> {
        let editor = Editor::new(document);
        let names = document.records().filter_map(|record| record.substructure("NAME"));
        let people = names.map(|name| Ok((name.text().into_owned(), editor.structure(name)?)));
        Ok(Session { people: people.collect::<Result<_, EditError>>()?, editor, undo: Vec::new() })
    }

    /// Gives a person another name. Does nothing if nobody has the name.
    pub(crate) fn rename(&mut self, name: &str, other: &str) -> Result<(), EditError> {
        let Some(&person) = self.people.get(name) else { return Ok(()) };
        self.undo.push(self.editor.checkpoint());
        self.editor.set(person, other)
    }

    /// Removes the name of a person, with everything in it.
    pub(crate) fn remove(&mut self, name: &str) -> Result<(), EditError> {
        let Some(&person) = self.people.get(name) else { return Ok(()) };
        self.undo.push(self.editor.checkpoint());
        self.editor.remove(person)
    }

    /// Undoes the last edit that has not been undone.
    pub(crate) fn undo(&mut self) -> Result<(), EditError> {
        self.undo.pop().map_or(Ok(()), |before| self.editor.roll_back(&before))
    }

    /// Returns the file with all edits.
    pub(crate) fn save(&self) -> Result<Vec<u8>, EditError> {
        Ok(self.editor.finish(&mut ())?.octets.into_owned())
    }
}
