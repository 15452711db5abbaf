//! The tasks with ELF for Rust.

use crate::Failure;
use elf_edit::{Editor, Value};
use elf_lineage::{Lineage, Relation};
use elf_model::{Differing, Merged, ReadOptions, Structure, WriteOptions};
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

pub fn kinship(octets: &[u8], one: &str, other: &str) -> Result<Vec<String>, Failure> {
    let lineage = Lineage::of(&TypedDocument::parse(octets)?);
    let (Some(one), Some(other)) = (lineage.find_person(one), lineage.find_person(other)) else {
        return Err("no such person".into());
    };
    let kinship = one.kinship(other);
    let mut lines = Vec::new();
    for relationship in kinship.relationships() {
        let Relation::Kin(generations) = relationship.relation else { continue };
        let ancestors = relationship.common_ancestors.iter().filter_map(|id| lineage.person(*id));
        lines.extend(ancestors.map(|ancestor| {
            format!("{}: up {}, down {}", ancestor.name(), generations.up, generations.down)
        }));
    }
    Ok(lines)
}

pub fn merged(one: &[u8], two: &[u8]) -> Result<Vec<u8>, Failure> {
    let read = |octets: &[u8]| elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ());
    let (one, two) = (read(one)?, read(two)?);
    let Merged { dataset, .. } = one.merge_by(&two, Differing::Combine, likeness)?;
    let mut both = Vec::new();
    elf_model::write(&dataset, &mut both, &one.rules_from(&Rules::WILD), &WriteOptions::new(), &mut ())?;
    Ok(both)
}

/// The name, and the year of birth.
fn likeness(record: Structure<'_>) -> Option<(String, String)> {
    let name = record.substructure("NAME")?.text().to_lowercase();
    let birth = record.substructure("BIRT")?.substructure("DATE")?.text();
    Some((name, birth.split(' ').next_back()?.to_owned()))
}
