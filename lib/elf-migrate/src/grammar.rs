//! The structures of GEDCOM 7.0, by tag and superstructure.

use crate::values::PayloadKind;
use elf_schema::{Schema, TypeId};
use elf_validate::{Kind, Slot, Standard, Table};
use std::collections::BTreeSet;
use std::sync::LazyLock;

pub(crate) const TERMS: &str = "https://gedcom.io/terms/v7/";

/// A structure of GEDCOM 7.0, by the number of its type in the built-in schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Structure7(TypeId);

/// A structure of GEDCOM 7.0 and its superstructure. The meaning of a payload may depend on both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place7 {
    pub(crate) parent: Structure7,
    pub(crate) structure: Structure7,
}

/// The built-in schema and the structural table of GEDCOM 7.0, prepared for fast lookups.
struct Grammar {
    /// The types, by their numbers.
    types: Vec<TypeEntry>,
    tags: BTreeSet<&'static str>,
}

#[derive(Clone, Default)]
struct TypeEntry {
    term: &'static str,
    /// The substructures, sorted by the keys of their tags.
    substructures: Vec<Substructure>,
    kind: Option<&'static Kind>,
    payload_kind: Option<PayloadKind>,
    required: Vec<&'static str>,
}

#[derive(Clone, Copy)]
struct Substructure {
    key: u64,
    tag: &'static str,
    structure: Structure7,
    limit: Option<u32>,
}

/// Packs a tag into a number for fast comparison. All tags of the standard are short enough.
fn pack_tag(tag: &str) -> Option<u64> {
    (tag.len() <= 8).then(|| tag.bytes().fold(0, |key, byte| key << 8 | u64::from(byte)))
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(Grammar::new);

impl Grammar {
    fn new() -> Grammar {
        let schema = Schema::gedcom_7();
        let mut types = vec![TypeEntry::default(); schema.len()];
        for (id, iri) in schema.types() {
            let (term, kind) = match id {
                TypeId::METADATA => ("HEAD", header_kind()),
                _ => (iri.strip_prefix(TERMS).unwrap_or(iri), kind_of_iri(iri)),
            };
            let slots: &[Slot] = kind.map_or(&[], |kind| kind.slots);
            types[id.index()] = TypeEntry {
                term,
                substructures: Vec::new(),
                kind,
                payload_kind: PayloadKind::of_term(term),
                required: slots.iter().filter(|slot| slot.min > 0).map(|slot| slot.name).collect(),
            };
        }
        let mut tags = BTreeSet::new();
        for definition in schema.definitions() {
            let ids = [definition.superstructure(), definition.structure_type()];
            if let [Some(parent), Some(id)] = ids.map(|iri| schema.type_of(iri)) {
                let tag = definition.tag();
                let entry = &mut types[parent.index()];
                let limit = entry.kind.and_then(|kind| kind.slot(tag)).and_then(|slot| slot.max);
                let structure = Structure7(id);
                entry.substructures.extend(pack_tag(tag).map(|key| Substructure {
                    key,
                    tag,
                    structure,
                    limit,
                }));
                tags.insert(tag);
            }
        }
        for entry in &mut types {
            entry.substructures.sort_unstable_by_key(|one| one.key);
        }
        Grammar { types, tags }
    }
}

impl Structure7 {
    /// Finds the record type of a tag; the header counts as a record.
    pub(crate) fn record(tag: &str) -> Option<Structure7> {
        match tag {
            "HEAD" => Some(Structure7(TypeId::METADATA)),
            _ => Structure7(TypeId::DOCUMENT).substructure(tag),
        }
    }

    /// Finds the type of substructures with a tag.
    pub(crate) fn substructure(self, tag: &str) -> Option<Structure7> {
        Some(self.find_substructure(tag)?.structure)
    }

    /// Finds the substructure type with an IRI, with its tag.
    pub(crate) fn substructure_of_iri(self, iri: &str) -> Option<(&'static str, Structure7)> {
        let found = Structure7::of_iri(iri)?;
        let all = &self.type_entry().substructures;
        all.iter().find(|one| one.structure == found).map(|one| (one.tag, found))
    }

    pub(crate) fn of_iri(iri: &str) -> Option<Structure7> {
        iri.starts_with(TERMS).then(|| Schema::gedcom_7().type_of(iri))?.map(Structure7)
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.kind().is_some_and(|kind| kind.payloads.pointer)
    }

    /// Returns what the structural table allows for the structure.
    pub(crate) fn kind(self) -> Option<&'static Kind> {
        self.type_entry().kind
    }

    /// Returns the maximum number of substructures with a tag; `None` if there is no limit.
    pub(crate) fn max_count(self, tag: &str) -> Option<u32> {
        self.find_substructure(tag)?.limit
    }

    pub(crate) fn required_substructures(self) -> &'static [&'static str] {
        &self.type_entry().required
    }

    pub(crate) fn requires_text(self) -> bool {
        self.kind().is_some_and(|kind| !kind.payloads.none && !kind.payloads.pointer)
    }

    /// Returns the last part of the IRI, such as `INDI-NAME`; `HEAD` for the header.
    pub(crate) fn term(self) -> &'static str {
        self.type_entry().term
    }

    fn find_substructure(self, tag: &str) -> Option<&'static Substructure> {
        let (key, all) = (pack_tag(tag)?, &self.type_entry().substructures);
        Some(&all[all.binary_search_by_key(&key, |one| one.key).ok()?])
    }

    fn type_entry(self) -> &'static TypeEntry {
        // All type numbers come from the built-in schema.
        &GRAMMAR.types[self.0.index()]
    }
}

impl Place7 {
    /// Returns how the payload is converted; `None` for payloads that are the same in both standards.
    pub(crate) fn payload_kind(self) -> Option<PayloadKind> {
        // The role in the event of a source has other words than that of an associate.
        if self.structure.term() == "ROLE" && self.parent.term() == "SOUR-EVEN" {
            return Some(PayloadKind::ROLE_IN_EVENT);
        }
        self.structure.type_entry().payload_kind
    }
}

fn header_kind() -> Option<&'static Kind> {
    let table = Table::of(Standard::Gedcom70);
    table.kind(table.root("HEAD")?.kind)
}

fn kind_of_iri(iri: &str) -> Option<&'static Kind> {
    let table = Table::of(Standard::Gedcom70);
    let at = table.types.binary_search_by_key(&iri, |(of, _)| *of).ok()?;
    table.kind(table.types[at].1)
}

pub(crate) fn is_standard(tag: &str) -> bool {
    GRAMMAR.tags.contains(tag)
}
