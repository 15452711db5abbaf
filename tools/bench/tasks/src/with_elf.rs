//! The tasks with ELF for Rust.

use crate::Failure;
use elf_edit::{Editor, Value};
use elf_schema::elf_tagged::{Target, read as read_tags};
use elf_schema::{Diagnostic, Document, Node, Options, Rules, TypedDocument, vocabulary::elf};

pub fn faults(octets: &[u8]) -> Result<Vec<String>, Failure> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    read_tags(octets, &Rules::WILD, &Options::default(), &mut findings)?;
    Ok(findings.iter().map(ToString::to_string).collect())
}

pub fn name(octets: &[u8], person: &str) -> Result<Option<String>, Failure> {
    let document = Document::parse(octets)?;
    let Target::One(person) = document.resolve(person) else { return Ok(None) };
    Ok(person.substructure("NAME").map(|name| name.text().into_owned()))
}

pub fn husband(octets: &[u8], family: &str) -> Result<Option<String>, Failure> {
    let document = Document::parse(octets)?;
    let Target::One(family) = document.resolve(family) else { return Ok(None) };
    let husband = family.substructure("HUSB").and_then(Node::target);
    let name = husband.and_then(|husband| husband.substructure("NAME"));
    Ok(name.map(|name| name.text().into_owned()))
}

pub fn birth_changed(octets: &[u8], person: &str, date: &str) -> Result<Vec<u8>, Failure> {
    let document = Document::parse(octets)?;
    let mut editor = Editor::new(&document);
    let structure = editor.find_one(&format!("@{person}@/BIRT/DATE").parse()?, &mut ())?;
    editor.set(structure, Value::from(date))?;
    Ok(editor.finish(&mut ())?.octets.into_owned())
}

pub fn events(octets: &[u8]) -> Result<Vec<String>, Failure> {
    let typed = TypedDocument::parse(octets)?;
    let dates = typed.of_type(elf::EVENT).filter_map(|event| event.substructure("DATE"));
    Ok(dates.map(|date| date.text().into_owned()).collect())
}
