//! Studies a file of GEDCOM 7.0 that is migrated to GEDCOM 5.5.1 or ELF.

use super::header_and_records;
use crate::decisions::{ExtensionTypes, From7Decisions};
use crate::extensions::rename_tags;
use crate::from_7::{self, Documented, Meaning, RecordContext};
use crate::identifiers::INLINE;
use crate::lost::{self, LostIdentifiers};
use crate::record::{Record, Structure, Value};
use crate::target::Target;
use crate::unstated;
use crate::vendor_tags::{self, ParentTies, VendorTags};
use elf_schema::{Resolver, TypedDocument, vendors};
use elf_tagged::{Document, Node};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct From7Study {
    target: Target,
    is_started: bool,
    documented: Documented,
    known_tags: HashSet<String>,
    types: ExtensionTypes,
    meanings: HashSet<Meaning>,
    /// Extension tags without an IRI.
    untyped_tags: HashSet<String>,
    used_tags: HashSet<String>,
    used_values: HashSet<String>,
    inline: InlineRecords,
    lost_identifiers: LostIdentifiers,
    ties: ParentTies,
    /// The types of vendor tags in the migrated file; `None` if it had none.
    vendor_tags: Option<VendorTags>,
}

/// Records that an earlier migration to GEDCOM 7.0 may have created from parts of others.
#[derive(Debug, Default)]
struct InlineRecords {
    /// The number of records with each identifier.
    bearers: HashMap<Box<str>, u32>,
    /// The number of pointers to each identifier.
    pointers: HashMap<Box<str>, u32>,
    /// Records that may be moved back if there is only one link to them.
    candidates: HashMap<String, Record<'static>>,
}

impl From7Study {
    pub(super) fn new(target: Target) -> From7Study {
        From7Study {
            target,
            is_started: false,
            documented: Documented::new(),
            known_tags: HashSet::new(),
            types: ExtensionTypes::new(),
            meanings: HashSet::new(),
            untyped_tags: HashSet::new(),
            used_tags: HashSet::new(),
            used_values: HashSet::new(),
            inline: InlineRecords::default(),
            lost_identifiers: LostIdentifiers::default(),
            ties: ParentTies::default(),
            vendor_tags: None,
        }
    }

    pub(super) fn add(&mut self, run: &TypedDocument<'_>, system: Option<&str>, resolver: &mut Resolver) {
        if !self.is_started {
            self.is_started = true;
            self.add_documented_tags(run.document());
        }
        let bearers = run.document().xref_nodes();
        self.lost_identifiers.add_bearers(&bearers);
        let no_ties = ParentTies::default();
        for node in header_and_records(run.document()) {
            self.ties.add_family(node);
            let record = Record::of(node);
            let is_inline = self.inline.add_record(&record);
            record.visit_all(|_, structure| {
                self.inline.add_pointer(structure, is_inline);
                self.add_tag(&structure.tag);
                self.add_values(structure);
            });
            let mut context = RecordContext {
                run,
                documented: &self.documented,
                known_tags: &self.known_tags,
                resolver,
                system,
                // These are decided later. No moved record has an extension itself, and no PEDI that ties remove.
                renamed: &HashMap::new(),
                inline: &HashMap::new(),
                ties: &no_ties,
                is_plain: self.target == Target::Gedcom551,
                vendor_tags: self.vendor_tags.as_mut(),
            };
            let converted = from_7::migrate(record, &mut context);
            if run.document().head() == Some(node) && self.has_marks() {
                self.vendor_tags = VendorTags::of_header(&converted.record);
            }
            self.lost_identifiers
                .add_lost(&bearers, &lost::structures_losing_identifiers(node, Some(&converted.record)));
            for extension in converted.extensions {
                self.types.entry(extension.iri).or_default().insert(extension.place);
            }
            self.meanings.extend(converted.meanings);
            self.untyped_tags.extend(converted.untyped_tags.into_iter().map(str::to_owned));
        }
    }

    /// Returns whether the header documents the mark of vendor tags.
    fn has_marks(&self) -> bool {
        self.documented.values().any(|iris| iris.contains(vendors::MARK))
    }

    fn add_documented_tags(&mut self, document: &Document<'_>) {
        let Some(head) = document.head() else { return };
        let definitions = head.lines().filter(|line| line.tag() == "SCHMA").flat_map(Node::lines);
        for definition in definitions.filter(|line| line.tag() == "TAG") {
            let text = definition.text();
            let Some((tag, iri)) = text.split_once(' ') else { continue };
            if vendor_tags::is_known(tag, iri.trim()) {
                if vendors::known_type(iri.trim()).is_some() {
                    self.known_tags.insert(tag.to_owned());
                }
            } else {
                self.documented.entry(tag.to_owned()).or_default().insert(iri.trim().to_owned());
            }
        }
    }

    fn add_tag(&mut self, tag: &str) {
        if self.documented.contains_key(tag) {
            insert_new(&mut self.used_tags, tag);
        } else if tag.starts_with('_') {
            insert_new(&mut self.untyped_tags, tag);
        }
    }

    /// Adds documented tags in a payload: calendars of dates, and values of enumerations.
    fn add_values(&mut self, structure: &Structure<'_>) {
        let Some(text) = structure.payload.text() else { return };
        if text.starts_with('_') || matches!(&*structure.tag, "DATE" | "SDATE") {
            for word in text.split([' ', ',']).filter(|word| self.documented.contains_key(*word)) {
                insert_new(&mut self.used_values, word);
            }
        }
    }

    pub(super) fn finish(self) -> From7Decisions {
        let typed_tags = self.types.values().flatten().map(|place| place.tag.as_str());
        From7Decisions {
            renamed_tags: match self.target {
                Target::Elf => rename_tags(typed_tags, &self.untyped_tags),
                Target::Gedcom70 | Target::Gedcom551 => HashMap::new(),
            },
            unstated: (self.target == Target::Gedcom551)
                .then(|| unstated::unused_submitter_xref(|xref| self.inline.is_used(xref))),
            documented: self.documented,
            known_tags: self.known_tags,
            types: self.types,
            meanings: self.meanings,
            used_tags: self.used_tags,
            used_values: self.used_values,
            inline: self.inline.into_movable(),
            lost_identifiers: self.lost_identifiers.shared_identifiers(),
            ties: self.ties,
            vendor_schema: self.vendor_tags.map(|tags| Arc::clone(tags.schema())),
        }
    }
}

impl InlineRecords {
    /// Adds a record. Returns whether it may be moved back.
    fn add_record(&mut self, record: &Record<'_>) -> bool {
        let Some(xref) = record.xref().filter(|xref| xref.starts_with(INLINE)) else { return false };
        let bearers = self.bearers.entry(xref.into()).or_insert(0);
        *bearers += 1;
        if *bearers > 1 || !from_7::is_inline(record) {
            return false;
        }
        self.candidates.insert(xref.to_owned(), record.clone().into_owned());
        true
    }

    fn add_pointer(&mut self, structure: &Structure<'_>, is_in_candidate: bool) {
        let Value::Pointer(xref) = &structure.payload else { return };
        if !xref.starts_with(INLINE) {
            return;
        }
        // A record is moved only if a single link refers to it. A link from another movable record does not count:
        // if both records were moved into each other, nothing would be left.
        let is_link = !is_in_candidate && matches!(&*structure.tag, "SOUR" | "OBJE");
        *self.pointers.entry(xref.as_ref().into()).or_insert(0) += if is_link { 1 } else { 2 };
    }

    fn is_used(&self, xref: &str) -> bool {
        self.pointers.contains_key(xref) || self.bearers.contains_key(xref)
    }

    fn into_movable(self) -> HashMap<String, Record<'static>> {
        let InlineRecords { bearers, pointers, mut candidates } = self;
        candidates.retain(|xref, _| pointers.get(&**xref) == Some(&1) && bearers.get(&**xref) == Some(&1));
        candidates
    }
}

/// Inserts a text, and copies it only if it is new.
fn insert_new(set: &mut HashSet<String>, text: &str) {
    if !set.contains(text) {
        set.insert(text.to_owned());
    }
}
