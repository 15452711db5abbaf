//! The files of the built-in schemas, line by line: a command that checks a small file does little else
//! than read one of them.
//!
//! They are made by `cargo xtask schema` in one spelling, and nothing in them is to be reported. So none of
//! what [`Builder`](crate::build::Builder) asks of a schema in a file is asked here; a test holds what comes
//! of it against what that makes of the same octets.

use crate::EscapeDefinition;
use crate::schema::{Origin, Provenance, Schema, TypeId};
use elf_base::Place;
use elf_tagged::escape::read_definition;
use std::collections::HashMap;

/// Reads the file of a built-in schema.
pub(crate) fn read(text: &str, origin: &Origin) -> Schema {
    let mut schema = Schema::empty();
    let mut types = NamedTypes::default();
    let mut current = None;
    let mut octet = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let start = octet;
        octet += line.len();
        let line = line.trim_end_matches('\n');
        let Some((head, payload)) = split(line) else { continue };
        let from = line.len() - payload.len();
        let provenance = || Provenance {
            origin: origin.clone(),
            place: Some(place((start + from) as u64, number, (from as u64, payload.len() as u64))),
        };
        match head {
            "2 PRFX" => {
                if let Some((prefix, iri)) = payload.split_once(' ') {
                    schema.prefixes.define(prefix, iri, provenance());
                }
            }
            "2 ESC" => {
                if let Ok((tag, types)) = read_definition(payload) {
                    let provenance = provenance();
                    schema.escapes.push(EscapeDefinition { tag: tag.into(), types, provenance });
                }
            }
            "2 IRI" => {
                let of = types.named(payload, &mut schema);
                schema.declare(of, provenance());
                current = Some(of);
            }
            "3 ISA" => {
                let supertype = types.named(payload, &mut schema);
                if let Some(of) = current {
                    schema.add_supertype(of, supertype, provenance());
                }
            }
            "3 TAG" => {
                let mut words = payload.split(' ');
                let tag = schema.intern_tag(words.next().unwrap_or_default());
                for context in words {
                    let superstructure = types.named(context, &mut schema);
                    if let Some(of) = current {
                        schema.define(tag, superstructure, of, provenance());
                    }
                }
            }
            _ => {}
        }
    }
    schema
}

/// Returns the level and tag of a line, and its payload.
fn split(line: &str) -> Option<(&str, &str)> {
    let tag = line.get(2..)?;
    let end = 2 + tag.find(' ')?;
    Some((line.get(..end)?, line.get(end + 1..)?))
}

/// Returns the place of a payload that starts at `octet`, behind so many octets of its line.
const fn place(octet: u64, line: u64, (before, length): (u64, u64)) -> Place {
    Place::new(octet, line, before + 1, before + length + 1)
}

/// The types that names of the file stand for: most stand there again and again.
#[derive(Default)]
struct NamedTypes<'t> {
    by_name: HashMap<&'t str, TypeId>,
}

impl<'t> NamedTypes<'t> {
    /// Returns the type of a name, which may begin with a prefix.
    fn named(&mut self, name: &'t str, schema: &mut Schema) -> TypeId {
        if let Some(&of) = self.by_name.get(name) {
            return of;
        }
        let expanded = schema.prefixes.expand(name).into_owned();
        let of = schema.intern(&expanded);
        self.by_name.insert(name, of);
        of
    }
}

#[cfg(test)]
#[path = "../tests/unit/builtin_lines.rs"]
mod tests;
