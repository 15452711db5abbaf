//! The tables of the built-in schemas: what is asked of them about nearly every document. Without them a
//! command that checks a small file would do little else than read the file of one of them.

mod completed;
mod gedcom_7;
mod published;

use crate::builtin;
use crate::definitions::Definitions;
use crate::schema::{Origin, TypeId};
use elf_base::PackedText;
use elf_values::Datatype;
use std::sync::OnceLock;

/// A built-in schema as a table. Types and tags have the numbers that they get where its file is read.
#[derive(Debug)]
pub(crate) struct BuiltInTable {
    origin: Origin,
    rows: &'static TableRows,
    /// The definitions in its file, once they are asked for.
    definitions: OnceLock<Definitions>,
    /// For each type its tag, if it has but one, once that is asked for.
    only_tags: OnceLock<Box<[Option<PackedText>]>>,
}

/// The parts of a table that are made of the file of the schema.
#[derive(Debug)]
struct TableRows {
    /// The types, by their numbers.
    types: &'static [TableType],
    /// The numbers of the types in the order of their IRIs.
    by_iri: &'static [u16],
    /// The tags, sorted, with their numbers.
    tags: &'static [(&'static str, u32)],
}

/// A type of a built-in schema.
#[derive(Debug)]
struct TableType {
    iri: &'static str,
    datatype: Datatype,
    /// The type whose row is its own.
    source: u16,
    /// The tags that have a type beneath it, sorted, if its row is its own.
    row: &'static [(PackedText, TypeId)],
}

impl BuiltInTable {
    /// The table of a schema that is built in.
    pub(crate) fn of(origin: &Origin) -> Option<&'static BuiltInTable> {
        static ALL: [BuiltInTable; 3] = [
            BuiltInTable::new(Origin::Published, &published::ROWS),
            BuiltInTable::new(Origin::Completed, &completed::ROWS),
            BuiltInTable::new(Origin::Gedcom7, &gedcom_7::ROWS),
        ];
        ALL.iter().find(|table| table.origin == *origin)
    }

    const fn new(origin: Origin, rows: &'static TableRows) -> BuiltInTable {
        BuiltInTable { origin, rows, definitions: OnceLock::new(), only_tags: OnceLock::new() }
    }

    /// The definitions in the file of the schema.
    pub(crate) fn definitions(&self) -> &Definitions {
        self.definitions.get_or_init(|| builtin::definitions(&self.origin))
    }

    /// Tells whether what the schema defines is GEDCOM 5.5.1.
    pub(crate) const fn is_of_5_5_1(&self) -> bool {
        matches!(self.origin, Origin::Published | Origin::Completed)
    }

    /// Returns the number of types.
    pub(crate) const fn len(&self) -> usize {
        self.rows.types.len()
    }

    /// The IRI of a type.
    pub(crate) fn iri(&self, of: TypeId) -> Option<&'static str> {
        self.rows.types.get(of.index()).map(|of| of.iri)
    }

    /// The number of the type of that IRI.
    pub(crate) fn type_of(&self, iri: &str) -> Option<TypeId> {
        let iri_of = |number: &u16| self.rows.types.get(usize::from(*number)).map(|of| of.iri);
        let at = self.rows.by_iri.binary_search_by(|number| iri_of(number).cmp(&Some(iri))).ok()?;
        self.rows.by_iri.get(at).map(|&number| TypeId::of(usize::from(number)))
    }

    /// The datatypes of the types.
    pub(crate) fn datatypes(&self) -> Box<[Datatype]> {
        self.rows.types.iter().map(|of| of.datatype).collect()
    }

    /// The tag that all structures of a type have; `None` if there are several, or none.
    pub(crate) fn only_tag(&self, of: TypeId) -> Option<PackedText> {
        let tags = self.only_tags.get_or_init(|| {
            let mut tags = vec![None; self.len()];
            let mut several = vec![false; self.len()];
            for &(tag, of) in self.rows.types.iter().flat_map(|of| of.row) {
                if let (Some(only), Some(several)) = (tags.get_mut(of.index()), several.get_mut(of.index())) {
                    *several |= only.is_some_and(|only| only != tag);
                    *only = (!*several).then_some(tag);
                }
            }
            tags.into()
        });
        tags.get(of.index()).copied().flatten()
    }

    /// Returns the number of tags.
    pub(crate) const fn tag_count(&self) -> usize {
        self.rows.tags.len()
    }

    /// The number of a tag.
    pub(crate) fn tag_number(&self, tag: &str) -> Option<u32> {
        let at = self.rows.tags.binary_search_by_key(&tag, |(tag, _)| tag).ok()?;
        self.rows.tags.get(at).map(|(_, number)| *number)
    }

    /// The type that a tag has beneath a type. All tags that have any are short.
    pub(crate) fn resolve(&self, superstructure: TypeId, tag: PackedText) -> Option<TypeId> {
        let of = self.rows.types.get(superstructure.index())?;
        let row = self.rows.types.get(usize::from(of.source))?.row;
        let at = row.binary_search_by_key(&tag, |(tag, _)| *tag).ok()?;
        row.get(at).map(|(_, found)| *found)
    }
}

/// A type with a row of its own, as the made tables spell it.
const fn row(
    iri: &'static str,
    datatype: Datatype,
    source: u16,
    row: &'static [(PackedText, TypeId)],
) -> TableType {
    TableType { iri, datatype, source, row }
}

/// A type whose row is that of another one, as the made tables spell it.
const fn passed(iri: &'static str, datatype: Datatype, source: u16) -> TableType {
    TableType { iri, datatype, source, row: &[] }
}

/// A tag of at most seven octets, and the number of its type, as the made tables spell it.
const fn tag(text: &str, of: u32) -> (PackedText, TypeId) {
    let mut octets = [0; 8];
    let (mut rest, mut length) = (text.as_bytes(), 0_u32);
    while let [octet, others @ ..] = rest
        && length < 8
    {
        octets[length as usize] = *octet;
        (rest, length) = (others, length + 1);
    }
    match PackedText::of_first(octets, length) {
        Some(packed) => (packed, TypeId(of)),
        None => (PackedText::EMPTY, TypeId::NONE),
    }
}

#[cfg(test)]
#[path = "../tests/unit/builtin_tables.rs"]
mod tests;
