//! Changes one value and no other byte: `cargo run --example date -- FILE PATH DATE`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_edit::elf_tagged::Document;
use elf_edit::{Editor, Value};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, path, date] = &*arguments else { return Err("expected a file, a path and a date".into()) };
    let octets = changed(&std::fs::read(file)?, path, date)?;
    Ok(std::fs::write(file, octets)?)
}

/// Replaces the payload at `path`, such as `@I1@/BIRT/DATE`.
pub(crate) fn changed(octets: &[u8], path: &str, value: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let document = Document::parse(octets)?;
    let mut editor = Editor::new(&document);
    let structure = editor.find_one(&path.parse()?, &mut ())?;
    editor.set(structure, Value::from(value))?;
    Ok(editor.finish(&mut ())?.octets.into_owned())
}
