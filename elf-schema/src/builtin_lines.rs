//! The files of the built-in schemas, line by line, for what is asked of them that their tables do not say.
//!
//! They are made by `cargo xtask schema` in one spelling, and nothing in them is to be reported. So none of
//! what [`Builder`](crate::build::Builder) asks of a schema in a file is asked here; a test holds what comes
//! of it against what that makes of the same octets.

use crate::definitions::EscapeDefinition;
use crate::definitions::{Definitions, TagDefinition};
use crate::ids::TypeId;
use crate::provenance::{Origin, Provenance};
use elf_base::Place;
use elf_tagged::escape::read_definition;
use hashbrown::HashMap;

/// Reads the file of a built-in schema.
pub(crate) fn read(text: &str, origin: &Origin) -> Definitions {
    let mut said = Definitions::empty();
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
                    said.prefixes.define(prefix, iri, provenance());
                }
            }
            "2 ESC" => {
                if let Ok((tag, types)) = read_definition(payload) {
                    let provenance = provenance();
                    said.escapes.push(EscapeDefinition { tag: tag.into(), types, provenance });
                }
            }
            "2 IRI" => {
                let of = types.named(payload, &mut said);
                said.declare(of, provenance());
                current = Some(of);
            }
            "3 ISA" => {
                let supertype = types.named(payload, &mut said);
                if let Some(of) = current {
                    said.add_supertype(of, supertype, provenance());
                }
            }
            "3 TAG" => {
                let (tag, mut rest) = word(payload);
                let tag = said.intern_tag(tag);
                while !rest.is_empty() {
                    let (context, others) = word(rest);
                    let superstructure = types.named(context, &mut said);
                    if let Some(structure_type) = current {
                        let provenance = provenance();
                        said.define(TagDefinition { tag, superstructure, structure_type, provenance });
                    }
                    rest = others;
                }
            }
            _ => {}
        }
    }
    said
}

/// Returns the level and tag of a line, and its payload.
fn split(line: &str) -> Option<(&str, &str)> {
    let (tag, payload) = word(line.get(2..)?);
    Some((line.get(..2 + tag.len())?, payload)).filter(|_| !payload.is_empty())
}

/// Returns the text before the first blank, and that behind it. Words are so short that looking for the next
/// blank octet by octet takes less than a search that is made ready for long texts.
fn word(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|octet| octet == b' ').unwrap_or(text.len());
    (text.get(..end).unwrap_or_default(), text.get(end + 1..).unwrap_or_default())
}

/// Returns the place of a payload that starts at `octet`, behind so many octets of its line.
const fn place(octet: u64, line: u64, (before, length): (u64, u64)) -> Place {
    Place::new(octet, line, before + 1, before + length + 1)
}

/// The types that names of the file stand for: most stand there again and again. Nobody else chooses the
/// names, so that the hash need not stand up to anybody.
#[derive(Default)]
struct NamedTypes<'t> {
    by_name: HashMap<&'t str, TypeId>,
}

impl<'t> NamedTypes<'t> {
    /// Returns the type of a name, which may begin with a prefix.
    fn named(&mut self, name: &'t str, said: &mut Definitions) -> TypeId {
        if let Some(&of) = self.by_name.get(name) {
            return of;
        }
        let expanded = said.prefixes.expand(name).into_owned();
        let of = said.intern(&expanded);
        self.by_name.insert(name, of);
        of
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::builtin;
    use crate::findings::Findings;
    use elf_base::Rules;

    /// Returns all that a schema says, with its places.
    fn said(schema: &Definitions) -> String {
        let Definitions { prefixes, types, declared, tags, definitions, by_superstructure, .. } = schema;
        let Definitions { supertypes, graph, escapes, references, first_layer, .. } = schema;
        format!(
            "{prefixes:#?} {types:#?} {declared:#?} {tags:#?} {definitions:#?} {by_superstructure:?} \
         {supertypes:#?} {graph:?} {escapes:#?} {references:?} {first_layer}"
        )
    }

    #[test]
    fn built_in_schemas_are_what_the_reader_of_all_schemas_makes_of_their_files() {
        for origin in [Origin::Published, Origin::Completed, Origin::Gedcom7] {
            let mut findings = Findings::default();
            let read_in_full = Builder::new(&Rules::JANUARY_2019, &mut findings)
                .build(&[builtin::raw(origin.clone())], Vec::new());
            assert!(findings.list.is_empty(), "{origin}");
            let (quick, full) = (said(&builtin::definitions(&origin)), said(read_in_full.content()));
            if let Some((quick, full)) = quick.lines().zip(full.lines()).find(|(quick, full)| quick != full) {
                panic!("{origin}: {quick}, but {full}");
            }
            assert!(quick == full, "{origin}: one of them says more");
        }
    }
}
