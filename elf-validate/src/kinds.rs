//! The kinds of the types of a schema: a type that a file defines is held against its nearest supertype.

use crate::table::{Naming, Table};
use elf_schema::{Schema, TypeId};

/// The kinds of types, by the numbers of the types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds(Box<[Option<u16>]>);

impl Kinds {
    /// The kinds of all types of a schema; none, where tags tell structures apart.
    pub(crate) fn of(table: &Table, schema: &Schema) -> Kinds {
        match table.naming {
            Naming::Tag => Kinds::default(),
            Naming::Type => Kinds(schema.by_nearest_supertype(|iri| table.number(iri)).into()),
        }
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
