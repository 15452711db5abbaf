//! The kinds of the types of a schema: a type that a file defines is held against its nearest supertype.

use crate::table::{Naming, Table};
use elf_schema::{Schema, TypeId};
use std::collections::BTreeMap;

/// The kinds of types, by the numbers of the types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds(Box<[Option<u16>]>);

/// A type that is reached: its kind, unless several are equally near.
type Reached = Option<u16>;

impl Kinds {
    /// The kinds of all types of a schema; none, where tags tell structures apart.
    ///
    /// They spread from supertypes to subtypes, one step at a time, so that each type is reached from its
    /// nearest supertypes first, and once: in time that grows with the definitions, circles or not.
    pub(crate) fn of(table: &Table, schema: &Schema) -> Kinds {
        if table.naming == Naming::Tag {
            return Kinds::default();
        }
        let mut found: Vec<Option<Reached>> =
            schema.types().map(|(_, iri)| table.number(iri).map(Some)).collect();
        let mut subtypes: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
        for (of, _) in schema.types() {
            for (supertype, _) in schema.supertypes(of) {
                if let Some(below) = subtypes.get_mut(supertype.index()) {
                    below.push(of.index());
                }
            }
        }
        let mut reached: Vec<usize> =
            (0..found.len()).filter(|&of| matches!(found.get(of), Some(Some(_)))).collect();
        while !reached.is_empty() {
            let mut next: BTreeMap<usize, Reached> = BTreeMap::new();
            for of in reached {
                let Some(&Some(kind)) = found.get(of) else { continue };
                for &subtype in subtypes.get(of).into_iter().flatten() {
                    if matches!(found.get(subtype), Some(None)) {
                        let entry = next.entry(subtype).or_insert(kind);
                        if *entry != kind {
                            *entry = None;
                        }
                    }
                }
            }
            for (&of, &kind) in &next {
                if let Some(entry) = found.get_mut(of) {
                    *entry = Some(kind);
                }
            }
            reached = next.into_keys().collect();
        }
        Kinds(found.into_iter().map(Option::flatten).collect())
    }

    /// The number of the kind of a type.
    pub(crate) fn get(&self, of: TypeId) -> Option<u16> {
        *self.0.get(of.index())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::{Rules, Standard};

    fn kind_of(definitions: &str, iri: &str) -> Option<&'static str> {
        let file = format!(
            "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX e https://e.example/\n{definitions}0 TRLR\n"
        );
        let typed = elf_schema::read(file.as_bytes(), &Rules::JANUARY_2019, &Default::default(), &mut ())
            .expect("a small file");
        let table = Table::of(Standard::DataModel);
        let kinds = Kinds::of(table, typed.schema());
        let of = typed.schema().type_of(iri).expect("a type");
        Some(table.kind(kinds.get(of)?)?.name)
    }

    #[test]
    fn a_type_of_the_file_has_the_kind_of_its_nearest_supertype() {
        let chain = "2 IRI e:A\n3 ISA e:B\n2 IRI e:B\n3 ISA elf:BIRTH\n2 IRI elf:BIRTH\n";
        assert_eq!(kind_of(chain, "https://e.example/A"), Some("https://terms.fhiso.org/elf/BIRTH"));
        let torn = "2 IRI e:A\n3 ISA elf:DEATH\n3 ISA elf:BIRTH\n";
        assert_eq!(kind_of(torn, "https://e.example/A"), None);
        let circle = "2 IRI e:A\n3 ISA e:B\n2 IRI e:B\n3 ISA e:A\n";
        assert_eq!(kind_of(circle, "https://e.example/A"), None);
    }
}
