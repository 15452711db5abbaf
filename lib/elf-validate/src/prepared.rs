//! A standard as the validator uses it: worked out once, for all documents and threads.

use crate::kinds::Kinds;
use crate::links::{RuleSet, RulesByKind, with_certain_tags};
use crate::slots::Rows;
use crate::stack::Asked;
use crate::table::{Kind, Naming, Table};
use elf_base::Standard;
use elf_schema::elf_tagged::Flags;
use elf_schema::{ExtensionNames, Schema};
use std::sync::{Arc, OnceLock};

/// A standard, with what is worked out from its table.
#[derive(Debug)]
pub(crate) struct PreparedStandard {
    pub(crate) table: &'static Table,
    pub(crate) rows: Rows,
    /// The questions to the structures of each kind.
    pub(crate) traits: Box<[Traits]>,
    /// The rules about links.
    pub(crate) links: RulesByKind,
    /// For each schema that is built in.
    built_in: [OnceLock<Arc<PreparedSchema>>; Schema::BUILT_IN],
}

/// A schema, whose documents are held against a standard.
#[derive(Debug)]
pub(crate) struct PreparedSchema {
    pub(crate) kinds: Kinds,
    /// The rules about links whose answers can be written by the schema.
    pub(crate) certain: RuleSet,
    /// The extension tags that stand for calendars and months.
    pub(crate) names: ExtensionNames,
    /// The extension tags that may stand for a record of the standard or for another, sorted.
    pub(crate) doubtful: Arc<[Box<str>]>,
}

/// The extension tags of several URIs of which one is that of a record of the standard: that of an own record
/// may be another, and nothing decides between them.
fn doubtful(table: &Table, schema: &Schema) -> Arc<[Box<str>]> {
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
    /// Returns a standard.
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
            PreparedStandard { table, rows: Rows::of(table), traits, links: RulesByKind::of(table), built_in }
        })
    }

    /// Prepares a schema; nearly all documents have one that is built in, which is prepared once.
    pub(crate) fn with_schema(&self, schema: &Schema) -> Arc<PreparedSchema> {
        let prepare = || {
            let (kinds, certain) = (Kinds::of(self.table, schema), with_certain_tags(self.table, schema));
            let (names, doubtful) = (schema.extension_names().clone(), doubtful(self.table, schema));
            Arc::new(PreparedSchema { kinds, certain, names, doubtful })
        };
        match schema.built_in().and_then(|number| self.built_in.get(number)) {
            Some(prepared) => Arc::clone(prepared.get_or_init(prepare)),
            None => prepare(),
        }
    }
}

/// The questions to each structure of a kind, in few bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits(u16);

impl Traits {
    /// Any text is good, and none.
    pub(crate) const ANY_TEXT: u16 = 1;
    /// No payload is good.
    pub(crate) const NO_PAYLOAD: u16 = 1 << 5;
    /// The pointers lead to records of certain kinds.
    pub(crate) const LINK: u16 = 1 << 1;
    /// The structure is a record by its type.
    pub(crate) const RECORD: u16 = 1 << 2;
    /// Something may be missing in it though nothing is in it.
    pub(crate) const HELD: u16 = 1 << 3;
    /// The structures in it are counted.
    pub(crate) const COUNTING: u16 = 1 << 4;
    /// The structure may lock the record that it is in.
    pub(crate) const RESTRICTION: u16 = 1 << 6;
    /// The structure must say something, which it shows where nothing is in it.
    pub(crate) const FILLED: u16 = 1 << 7;
    /// Typing the document has held its texts against their grammar, which is one of dates.
    pub(crate) const DATE: u16 = 1 << 8;
    /// Of no kind, of which nothing is asked.
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
            (Traits::HELD, kind.is_demanding || by_tag && kind.advice.is_some()),
            (Traits::FILLED, is_filled),
            (Traits::DATE, kind.payloads.text && kind.text.is_of_dates()),
            (Traits::RESTRICTION, kind.tag == Some("RESN")),
            (Traits::COUNTING, by_tag || kind.is_counting),
        ];
        Traits(all.iter().filter(|(_, holds)| *holds).fold(0, |all, (bit, _)| all | bit))
    }

    pub(crate) const fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    pub(crate) const fn asked(self) -> Asked {
        Asked { is_counting: self.has(Traits::COUNTING), is_held: self.has(Traits::HELD) }
    }

    /// Returns whether the payload of a structure is good, as far as its flags alone show that.
    #[inline]
    pub(crate) const fn take(self, flags: Flags) -> bool {
        self.has(Traits::ANY_TEXT) && !flags.is_pointer()
            || self.has(Traits::NO_PAYLOAD) && !flags.has_payload() && flags.is_plain_text()
    }
}
