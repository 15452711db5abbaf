//! A standard prepared for the validator. It is prepared once for all documents and threads.

use crate::kinds::Kinds;
use crate::links::{RuleSet, RulesByKind, rules_with_certain_tags};
use crate::slots::SlotRows;
use crate::stack::EndChecks;
use crate::table::{Kind, Naming, Table};
use elf_base::Standard;
use elf_schema::elf_tagged::Flags;
use elf_schema::{ExtensionNames, Schema};
use std::sync::{Arc, OnceLock};

#[derive(Debug)]
pub(crate) struct PreparedStandard {
    pub(crate) table: &'static Table,
    pub(crate) rows: SlotRows,
    pub(crate) traits: Box<[Traits]>,
    pub(crate) links: RulesByKind,
    /// The built-in schemas. Each is prepared when it is first needed.
    built_in: [OnceLock<Arc<PreparedSchema>>; Schema::BUILT_IN],
}

#[derive(Debug)]
pub(crate) struct PreparedSchema {
    pub(crate) kinds: Kinds,
    /// The rules for which the schema defines the tag of the missing half of a link.
    pub(crate) certain: RuleSet,
    pub(crate) names: ExtensionNames,
    /// The extension tags that may be a record of the standard or another record, sorted.
    pub(crate) doubtful: Arc<[Box<str>]>,
}

/// Returns the extension tags that have several URIs, if one of them names a standard record. For a
/// record with such a tag, it is unknown which URI applies.
fn find_ambiguous_tags(table: &Table, schema: &Schema) -> Arc<[Box<str>]> {
    let tags = schema.extension_tags();
    let is_record = |uri: &str| {
        let kind = table.kind_of_type(uri);
        kind.is_some_and(|kind| table.roots.iter().any(|slot| slot.kind == kind))
    };
    let mut all: Vec<Box<str>> =
        tags.iter().filter(|one| is_record(&one.uri)).map(|one| one.tag.clone()).collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}

impl PreparedStandard {
    pub(crate) fn of(standard: Standard) -> &'static PreparedStandard {
        static ALL: [OnceLock<PreparedStandard>; 5] = [const { OnceLock::new() }; 5];
        let [data_model, gedcom551, gedcom55, gedcom70, gedcom71] = &ALL;
        let prepared = match standard {
            Standard::DataModel => data_model,
            Standard::Gedcom551 => gedcom551,
            Standard::Gedcom55 => gedcom55,
            Standard::Gedcom70 => gedcom70,
            Standard::Gedcom71 => gedcom71,
        };
        prepared.get_or_init(|| {
            let table = Table::of(standard);
            let traits =
                (0..).zip(table.kinds).map(|(number, kind)| Traits::of(number, kind, table)).collect();
            let built_in = [const { OnceLock::new() }; Schema::BUILT_IN];
            PreparedStandard {
                table,
                rows: SlotRows::of(table),
                traits,
                links: RulesByKind::of(table),
                built_in,
            }
        })
    }

    /// Prepares a schema. Nearly all documents have a built-in schema, which is prepared once.
    pub(crate) fn prepare_schema(&self, schema: &Schema) -> Arc<PreparedSchema> {
        let prepare = || {
            let (kinds, certain) =
                (Kinds::of(self.table, schema), rules_with_certain_tags(self.table, schema));
            let (names, doubtful) =
                (schema.extension_names().clone(), find_ambiguous_tags(self.table, schema));
            Arc::new(PreparedSchema { kinds, certain, names, doubtful })
        };
        match schema.built_in().and_then(|number| self.built_in.get(number)) {
            Some(prepared) => Arc::clone(prepared.get_or_init(prepare)),
            None => prepare(),
        }
    }
}

/// Properties of a kind, packed into bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits(u16);

impl Traits {
    /// Any text is valid, and a missing payload is valid, too.
    pub(crate) const ANY_TEXT: u16 = 1;
    /// A missing payload is valid.
    pub(crate) const NO_PAYLOAD: u16 = 1 << 5;
    /// Pointers must refer to records of certain kinds.
    pub(crate) const LINK: u16 = 1 << 1;
    /// The type is a type of records.
    pub(crate) const RECORD: u16 = 1 << 2;
    /// The structure is checked at its end even if it has no substructures.
    pub(crate) const CHECKED_AT_END: u16 = 1 << 3;
    /// The substructures are counted.
    pub(crate) const COUNTING: u16 = 1 << 4;
    /// The structure may lock its record (RESN).
    pub(crate) const RESTRICTION: u16 = 1 << 6;
    /// The structure must have a payload or substructures.
    pub(crate) const FILLED: u16 = 1 << 7;
    /// Texts follow the grammar of dates, which was already checked when types were found.
    pub(crate) const DATE: u16 = 1 << 8;
    /// The structure has no kind, so nothing is checked.
    pub(crate) const NONE: Traits = Traits(0);

    fn of(number: u16, kind: &Kind, table: &Table) -> Traits {
        let by_tag = table.naming == Naming::Tag;
        let is_root = |of: u16| table.roots.iter().any(|slot| slot.kind == of);
        let is_filled = by_tag && kind.must_say_something && kind.payloads.none;
        let is_record = || is_root(number) || kind.supertypes.iter().any(|&above| is_root(above));
        let all = [
            (Traits::ANY_TEXT, kind.takes_any_text),
            (Traits::NO_PAYLOAD, kind.payloads.none),
            (Traits::LINK, kind.payloads.pointer && !kind.targets.is_empty()),
            (Traits::RECORD, !by_tag && is_record()),
            (Traits::CHECKED_AT_END, kind.is_demanding || by_tag && kind.advice.is_some()),
            (Traits::FILLED, is_filled),
            (Traits::DATE, kind.payloads.text && kind.text.is_only_date()),
            (Traits::RESTRICTION, kind.tag == Some("RESN")),
            (Traits::COUNTING, by_tag || kind.is_counting),
        ];
        Traits(all.iter().filter(|(_, holds)| *holds).fold(0, |all, (bit, _)| all | bit))
    }

    pub(crate) const fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    pub(crate) const fn end_checks(self) -> EndChecks {
        EndChecks { is_counting: self.has(Traits::COUNTING), has_end_check: self.has(Traits::CHECKED_AT_END) }
    }

    /// Returns whether the flags alone show that a payload is valid.
    #[inline]
    pub(crate) const fn accepts(self, flags: Flags) -> bool {
        self.has(Traits::ANY_TEXT) && !flags.is_pointer()
            || self.has(Traits::NO_PAYLOAD) && !flags.has_payload() && flags.is_plain_text()
    }
}
