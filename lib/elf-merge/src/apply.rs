//! Inserting what B says into A.

use crate::content::key_of_payload;
use crate::plan::{Plan, RecordKind, Target, records_of};
use crate::{MergeAction, MergeError, MergeSummary, Merged};
use elf_edit::{EditError, Editor, Structure, Value};
use elf_octets::{Locator, Repertoire};
use elf_tagged::{Document, Node, NodeId, Payload};
use std::collections::HashMap;

/// The facts that a person has only once.
const SINGLE_FACTS: [&str; 3] = ["BIRT", "DEAT", "SEX"];

/// The substructures that tell one event or citation from another.
const KEYS: [&str; 7] = ["DATE", "PLAC", "TYPE", "ADDR", "PAGE", "EVEN", "AGE"];

/// The substructures that there may be any number of.
const MANY: [&str; 5] = ["SOUR", "NOTE", "OBJE", "SNOTE", "ASSO"];

/// The most structures with one tag and one payload that are looked at.
const MOST_CANDIDATES: usize = 64;

pub(crate) struct Merger<'d, 'b> {
    editor: Editor<'d>,
    b: &'b Document<'b>,
    plan: Plan,
    locator: Locator<'b>,
    repertoire: Repertoire,
    /// The records that were inserted, by their records in B.
    inserted: HashMap<NodeId, Structure>,
    actions: Vec<MergeAction>,
    summary: MergeSummary,
}

/// A structure of the merged file that something of B is inserted into.
#[derive(Clone, Copy)]
struct Place<'b> {
    structure: Structure,
    source: Node<'b>,
    /// True for the record of a person.
    is_person: bool,
}

/// Substructures by tag and payload.
type Index = HashMap<(String, String), Vec<Structure>>;

impl<'d, 'b> Merger<'d, 'b> {
    pub(crate) fn new(editor: Editor<'d>, b: &'b Document<'b>, plan: Plan) -> Merger<'d, 'b> {
        let a = editor.document();
        let repertoire = Repertoire::new(a.source().decision().used, &a.rules().octets);
        Merger {
            editor,
            b,
            plan,
            locator: b.locator(),
            repertoire,
            inserted: HashMap::new(),
            actions: Vec::new(),
            summary: MergeSummary::default(),
        }
    }

    pub(crate) fn add_records(&mut self) -> Result<(), MergeError> {
        for record in records_of(self.b) {
            let united_with = match self.plan.target(record.id()) {
                Some(Target::OfA(node)) => {
                    let node = self.editor.document().node(node);
                    node.map(|node| self.editor.structure(node)).transpose()?
                }
                Some(Target::OfB(node)) => self.inserted.get(&node).copied(),
                None => None,
            };
            match united_with {
                Some(structure) => self.unite(record, structure)?,
                None => self.add(record)?,
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Merged<'d>, MergeError> {
        let edited = self.editor.finish_quietly()?;
        Ok(Merged { edited, actions: self.actions, summary: self.summary })
    }

    fn unite(&mut self, record: Node<'b>, structure: Structure) -> Result<(), MergeError> {
        let kind = self.plan.kind(record.id());
        match kind {
            RecordKind::Person => self.summary.persons_united += 1,
            RecordKind::Family => self.summary.families_united += 1,
            RecordKind::Other => {}
        }
        let a = self.editor.xref(structure)?.unwrap_or("").to_owned();
        let b = record.xref().unwrap_or("").to_owned();
        self.actions.push(MergeAction::United { tag: record.tag().to_owned(), a, b });
        let mut waiting = vec![Place { structure, source: record, is_person: kind == RecordKind::Person }];
        while let Some(place) = waiting.pop() {
            self.add_missing(place, &mut waiting)?;
        }
        Ok(())
    }

    fn add(&mut self, record: Node<'b>) -> Result<(), MergeError> {
        let Some(structure) = self.insert(None, record)? else { return Ok(()) };
        self.inserted.insert(record.id(), structure);
        match self.plan.kind(record.id()) {
            RecordKind::Person => self.summary.persons_added += 1,
            RecordKind::Family => self.summary.families_added += 1,
            RecordKind::Other => self.summary.records_added += 1,
        }
        let b = record.xref().unwrap_or("").to_owned();
        let id = self.plan.identifiers.of_node(record).unwrap_or("").to_owned();
        self.actions.push(MergeAction::Added { tag: record.tag().to_owned(), id: id.clone(), b: b.clone() });
        if id != b {
            self.actions.push(MergeAction::Renamed { id, b });
        }
        Ok(())
    }

    /// Inserts the substructures of a structure of B that the structure of the merged file lacks. Those that it has in
    /// part are put on the list.
    fn add_missing(&mut self, place: Place<'b>, waiting: &mut Vec<Place<'b>>) -> Result<(), MergeError> {
        let index = self.index(place.structure)?;
        for source in place.source.substructures() {
            let is_single = place.is_person && SINGLE_FACTS.contains(&source.tag());
            let payload = self.key(source);
            let mut candidates: Vec<Structure> = Vec::new();
            // `BIRT` and `BIRT Y` mean the same.
            let payloads = if is_single && ["", "=Y"].contains(&&*payload) {
                vec![String::new(), "=Y".to_owned()]
            } else {
                vec![payload]
            };
            for payload in payloads {
                let found = index.get(&(source.tag().to_owned(), payload)).into_iter().flatten();
                candidates.extend(found.take(MOST_CANDIDATES));
            }
            if source.is_error() {
                self.lose(source, "a damaged line");
            } else if self.first_with_all(&candidates, source)?.is_some() {
                // Nothing is missing.
            } else if let Some(structure) = self.first_that_agrees(&candidates, source, is_single)? {
                waiting.push(Place { structure, source, is_person: false });
            } else {
                let before = index.iter().filter(|((tag, _), _)| is_single && tag == source.tag());
                let before = before.flat_map(|(_, structures)| structures).min_by_key(|_| 0).copied();
                self.insert(Some(place.structure), source)?;
                if let Some(before) = before {
                    self.report_conflict(place, before, source)?;
                }
            }
        }
        Ok(())
    }

    fn report_conflict(
        &mut self,
        place: Place<'b>,
        kept: Structure,
        added: Node<'b>,
    ) -> Result<(), MergeError> {
        self.summary.conflicts += 1;
        let mut words = vec![self.editor.payload(kept)?.text().unwrap_or("").to_owned()];
        for below in self.editor.substructures(kept)? {
            if ["DATE", "PLAC"].contains(&self.editor.tag(below)?) {
                words.push(self.editor.payload(below)?.text().unwrap_or("").to_owned());
            }
        }
        let below = added.substructures().filter(|below| ["DATE", "PLAC"].contains(&below.tag()));
        let of_b = std::iter::once(added).chain(below).map(|node| node.text().into_owned());
        let joined = |words: Vec<String>| {
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<String>>().join(", ")
        };
        let a = self.editor.xref(place.structure)?.unwrap_or("").to_owned();
        self.actions.push(MergeAction::Conflict {
            tag: added.tag().to_owned(),
            a,
            b: place.source.xref().unwrap_or("").to_owned(),
            kept: joined(words),
            added: joined(of_b.collect()),
        });
        Ok(())
    }

    /// The first structure that has all that a structure of B says.
    fn first_with_all(
        &self,
        candidates: &[Structure],
        source: Node<'b>,
    ) -> Result<Option<Structure>, MergeError> {
        for candidate in candidates {
            if self.has_all(*candidate, source)? {
                return Ok(Some(*candidate));
            }
        }
        Ok(None)
    }

    fn has_all(&self, structure: Structure, source: Node<'b>) -> Result<bool, MergeError> {
        let mut waiting = vec![(structure, source)];
        while let Some((structure, source)) = waiting.pop() {
            if source.substructures().next().is_none() {
                continue;
            }
            let index = self.index(structure)?;
            for below in source.substructures() {
                let found =
                    index.get(&(below.tag().to_owned(), self.key(below))).and_then(|found| found.first());
                let Some(found) = found.filter(|_| !below.is_error()) else { return Ok(false) };
                waiting.push((*found, below));
            }
        }
        Ok(true)
    }

    /// The first structure that a structure of B adds to and does not contradict.
    fn first_that_agrees(
        &self,
        candidates: &[Structure],
        source: Node<'b>,
        is_single: bool,
    ) -> Result<Option<Structure>, MergeError> {
        for candidate in candidates {
            if self.has_same_content(*candidate, source, is_single)? {
                return Ok(Some(*candidate));
            }
        }
        Ok(None)
    }

    /// Returns whether a structure of B is about the same as a structure of the merged file: they do not differ in what
    /// there is once, and both have what tells one event from another. Of a fact that a person has only once, one of
    /// the two may lack it.
    fn has_same_content(
        &self,
        structure: Structure,
        source: Node<'b>,
        is_single: bool,
    ) -> Result<bool, MergeError> {
        let index = self.index(structure)?;
        let has_tag = |tag: &str| index.keys().any(|(other, _)| other == tag);
        for below in source.substructures() {
            let tag = below.tag();
            let is_there = index.contains_key(&(tag.to_owned(), self.key(below)));
            let may_lack = is_single || !KEYS.contains(&tag);
            let may_differ = MANY.contains(&tag) || tag.starts_with('_');
            if !is_there && !may_differ && (has_tag(tag) || !may_lack) {
                return Ok(false);
            }
        }
        let lacks = |key: &&str| has_tag(key) && source.substructure(key).is_none();
        Ok(is_single || !KEYS.iter().any(lacks))
    }

    fn index(&self, structure: Structure) -> Result<Index, MergeError> {
        let mut index = Index::new();
        for below in self.editor.substructures(structure)? {
            let tag = self.editor.tag(below)?;
            let payload = key_of_payload(tag, &self.editor.payload(below)?, str::to_owned);
            index.entry((tag.to_owned(), payload)).or_default().push(below);
        }
        Ok(index)
    }

    /// The payload of a structure of B as it is compared.
    fn key(&self, node: Node<'b>) -> String {
        key_of_payload(node.tag(), &node.payload(), |xref| {
            self.plan.identifiers.of_pointer(self.b, xref).to_owned()
        })
    }

    /// Inserts a structure of B with all under it, and returns it; `None` if it cannot be written.
    fn insert(
        &mut self,
        above: Option<Structure>,
        source: Node<'b>,
    ) -> Result<Option<Structure>, MergeError> {
        let Some(outermost) = self.insert_one(above, source)? else { return Ok(None) };
        let mut waiting = vec![(outermost, source)];
        while let Some((structure, source)) = waiting.pop() {
            for below in source.substructures() {
                if let Some(inserted) = self.insert_one(Some(structure), below)? {
                    waiting.push((inserted, below));
                }
            }
        }
        Ok(Some(outermost))
    }

    fn insert_one(
        &mut self,
        above: Option<Structure>,
        source: Node<'b>,
    ) -> Result<Option<Structure>, MergeError> {
        if source.is_error() {
            self.lose(source, "a damaged line");
            return Ok(None);
        }
        let xref = self.plan.identifiers.of_node(source).map(str::to_owned);
        let value = match source.payload() {
            Payload::None => Value::None,
            Payload::Pointer(xref) => {
                Value::Pointer(self.plan.identifiers.of_pointer(self.b, xref).to_owned())
            }
            Payload::Text(text) if text.is_empty() => Value::None,
            Payload::Text(text) => Value::Text(self.replace_unencodable(source, &text)),
        };
        match self.editor.insert(above, xref.as_deref(), source.tag(), value.clone(), None) {
            Ok(structure) => Ok(Some(structure)),
            Err(EditError::Unencodable(_) | EditError::NoCharacter { .. }) => {
                let Value::Text(text) = value else { return Ok(None) };
                let text = self.without_other_characters(&text);
                Ok(Some(self.editor.insert(above, xref.as_deref(), source.tag(), Value::Text(text), None)?))
            }
            Err(EditError::TagReserved { .. } | EditError::Tag { .. }) => {
                self.lose(source, "a tag that is not allowed there");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reports characters that A's encoding lacks. The editor writes them as escapes if the file has escapes.
    fn replace_unencodable(&mut self, source: Node<'b>, text: &str) -> String {
        if text.lines().any(|line| self.repertoire.length(line).is_none()) {
            self.lose(source, "a character that the encoding of the first file does not have");
        }
        text.to_owned()
    }

    /// The text with question marks for what A's encoding lacks.
    fn without_other_characters(&self, text: &str) -> String {
        let is_writable = |c: char| {
            c == '\n'
                || self.repertoire.has(c) && elf_lines::first_forbidden(c.encode_utf8(&mut [0; 4])).is_none()
        };
        text.chars().map(|c| if is_writable(c) { c } else { '?' }).collect()
    }

    fn lose(&mut self, source: Node<'b>, reason: &str) {
        self.summary.lost += 1;
        let line = self.locator.place(source.line_span()).line;
        self.actions.push(MergeAction::Lost { line, reason: reason.to_owned() });
    }
}
