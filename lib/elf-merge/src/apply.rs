//! Inserts the content of file B into file A.

use crate::content::{payload_key, record_key};
use crate::labels::LabelMerge;
use crate::plan::{Plan, RecordKind, Target, list_records};
use crate::schema::{SchemaMerge, find_schemas};
use crate::within::{MergedRecords, RecordPair};
use crate::{MergeAction, MergeError, MergeSummary, Merged};
use elf_edit::{EditError, Editor, Structure, Value};
use elf_octets::{Locator, Repertoire};
use elf_schema::vendors::definition_lists;
use elf_tagged::{Document, Node, NodeId, Payload};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

const SINGLE_FACTS: [&str; 3] = ["BIRT", "DEAT", "SEX"];

/// The tags of substructures that distinguish events or citations from each other.
const DISTINGUISHING_TAGS: [&str; 7] = ["DATE", "PLAC", "TYPE", "ADDR", "PAGE", "EVEN", "AGE"];

/// The tags that may occur any number of times.
const REPEATABLE_TAGS: [&str; 5] = ["SOUR", "NOTE", "OBJE", "SNOTE", "ASSO"];

/// The maximum number of structures with the same tag and payload that are compared.
const MAX_CANDIDATES: usize = 64;

pub(crate) struct Merger<'d, 'b> {
    editor: Editor<'d>,
    b: &'b Document<'b>,
    plan: Plan,
    tags: SchemaMerge,
    labels: LabelMerge<'b>,
    locator: Locator<'b>,
    repertoire: Repertoire,
    /// The records of the merged file that were inserted, by their records in B.
    inserted: HashMap<NodeId, Structure>,
    /// The new targets of pointers whose target in B was replaced by another structure. The keys
    /// are the identifiers in B.
    redirected: HashMap<String, String>,
    actions: Vec<MergeAction>,
    summary: MergeSummary,
}

/// The labels and definitions in the lists of A. Structures that have the same tags down from the list count as one, which is
/// the first of them.
struct KnownDefinitions<'d> {
    /// The first structure with a tag, by the structure above.
    first: HashMap<(NodeId, &'d str), Node<'d>>,
    /// The payloads of all structures that count as one.
    texts: HashSet<(NodeId, String)>,
}

impl<'d> KnownDefinitions<'d> {
    /// Reads all lists of a document, of which `list` is the first.
    fn of(list: Node<'d>) -> KnownDefinitions<'d> {
        let mut known = KnownDefinitions { first: HashMap::new(), texts: HashSet::new() };
        let mut waiting: Vec<(NodeId, Node<'d>)> =
            definition_lists(list.document()).map(|other| (list.id(), other)).collect();
        waiting.reverse();
        while let Some((above, node)) = waiting.pop() {
            for below in node.substructures() {
                let first = known.first.entry((above, below.tag())).or_insert(below).id();
                known.texts.insert((first, below.text().trim().to_owned()));
                waiting.push((first, below));
            }
        }
        known
    }
}

/// A structure of the merged file into which a structure of B is inserted.
#[derive(Clone, Copy)]
struct MergeTarget<'b> {
    structure: Structure,
    source: Node<'b>,
    /// The kind of the record; `None` if the structure is not a record.
    kind: Option<RecordKind>,
}

/// A structure of the merged file that replaces a structure of B which has an identifier.
#[derive(Clone, Copy)]
struct Replacement<'b> {
    structure: Structure,
    source: Node<'b>,
}

/// A structure of B that is being inserted into a structure of the merged file.
struct Union<'b> {
    place: MergeTarget<'b>,
    /// The substructures of B that are still to be inserted.
    sources: std::vec::IntoIter<Node<'b>>,
    /// The substructures of the merged file, as they were before the union.
    index: SubstructureIndex,
    /// The substructures of the merged file into which a substructure of B was inserted.
    united: HashSet<Structure>,
}

/// The substructures of a structure, by tag and payload.
#[derive(Default)]
struct SubstructureIndex {
    by_payload: HashMap<(String, String), Vec<Structure>>,
    first_of_tag: HashMap<String, Structure>,
}

impl SubstructureIndex {
    fn add(&mut self, tag: &str, payload: String, structure: Structure) {
        self.by_payload.entry((tag.to_owned(), payload)).or_default().push(structure);
        self.first_of_tag.entry(tag.to_owned()).or_insert(structure);
    }

    /// Returns the structures with a tag and a payload, in file order.
    fn with_payload(&self, tag: &str, payload: String) -> &[Structure] {
        self.by_payload.get(&(tag.to_owned(), payload)).map_or(&[], Vec::as_slice)
    }

    fn first_with_tag(&self, tag: &str) -> Option<Structure> {
        self.first_of_tag.get(tag).copied()
    }
}

impl<'d, 'b> Merger<'d, 'b> {
    pub(crate) fn new(editor: Editor<'d>, b: &'b Document<'b>, plan: Plan) -> Merger<'d, 'b> {
        let a = editor.document();
        let repertoire = Repertoire::new(a.source().decision().used, &a.rules().octets);
        Merger {
            editor,
            b,
            plan,
            tags: SchemaMerge::default(),
            labels: LabelMerge::default(),
            locator: b.locator(),
            repertoire,
            inserted: HashMap::new(),
            redirected: HashMap::new(),
            actions: Vec::new(),
            summary: MergeSummary::default(),
        }
    }

    /// Adds B's tag definitions to the schema of A. ELF schemas are not merged; if A lacks a schema
    /// of B, this is reported.
    pub(crate) fn add_schema(&mut self) -> Result<(), MergeError> {
        let a = self.editor.document();
        if !a.header().says_gedcom_7() {
            let mut same = |xref: &str| xref.to_owned();
            let of_a: HashSet<String> =
                find_schemas(a).into_iter().map(|schema| record_key(schema, &mut same)).collect();
            for schema in find_schemas(self.b) {
                if !of_a.contains(&record_key(schema, &mut same)) {
                    self.report_loss(schema, "the schema, which is not the same as that of the first file");
                }
            }
            return self.add_labels();
        }
        self.tags = SchemaMerge::of(a, self.b);
        let mut renamed: Vec<(&String, &String)> = self.tags.new_tags.iter().collect();
        renamed.sort_unstable();
        let renamed = renamed.into_iter();
        self.actions.extend(renamed.map(|(b, tag)| MergeAction::RenamedTag {
            tag: tag.clone(),
            b: b.clone(),
            record: None,
        }));
        if self.tags.lines.is_empty() {
            return Ok(());
        }
        let schema = match (find_schemas(a).into_iter().find(|node| node.tag() == "SCHMA"), a.head()) {
            (Some(schema), _) => self.editor.structure(schema)?,
            (None, Some(head)) => {
                let head = self.editor.structure(head)?;
                self.editor.insert(Some(head), None, "SCHMA", Value::None, None)?
            }
            (None, None) => return Ok(()),
        };
        for line in self.tags.lines.clone() {
            self.editor.insert(Some(schema), None, "TAG", Value::Text(line), None)?;
        }
        Ok(())
    }

    /// Adds B's labels of facts to those of A.
    fn add_labels(&mut self) -> Result<(), MergeError> {
        let a = self.editor.document();
        self.labels = LabelMerge::of(a, self.b);
        self.actions.extend(self.labels.new_tags.iter().map(|(of, new)| MergeAction::RenamedTag {
            tag: new.clone(),
            b: of.tag.to_owned(),
            record: Some(of.record.to_owned()),
        }));
        match (definition_lists(a).next(), a.head()) {
            (Some(list_of_a), _) => self.add_missing_definitions(list_of_a)?,
            (None, Some(head)) => {
                let head = self.editor.structure(head)?;
                for list in definition_lists(self.b) {
                    self.insert_subtree(Some(head), list)?;
                }
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Adds the labels and definitions of B that no list of A has, to A's first list. Reports those that differ.
    fn add_missing_definitions(&mut self, list_of_a: Node<'d>) -> Result<(), MergeError> {
        let known = KnownDefinitions::of(list_of_a);
        let mut waiting: Vec<(Node<'d>, Node<'b>)> =
            definition_lists(self.b).map(|list| (list_of_a, list)).collect();
        waiting.reverse();
        while let Some((above, source)) = waiting.pop() {
            for below in source.substructures() {
                let Some(there) = known.first.get(&(above.id(), self.tag_in_a(below))).copied() else {
                    // A tag that B repeats is inserted again: its labels may contradict one another.
                    self.insert_subtree(Some(self.editor.structure(above)?), below)?;
                    continue;
                };
                if !known.texts.contains(&(there.id(), below.text().trim().to_owned())) {
                    self.report_loss(
                        below,
                        "a label or a definition that differs from that of the first file",
                    );
                }
                waiting.push((there, below));
            }
        }
        Ok(())
    }

    pub(crate) fn add_records(&mut self) -> Result<(), MergeError> {
        for record in list_records(self.b) {
            let united_with = match self.plan.target(record.id()) {
                Some(Target::OfA(node)) => {
                    let node = self.editor.document().node(node);
                    node.map(|node| self.editor.structure(node)).transpose()?
                }
                Some(Target::OfB(node)) => self.inserted.get(&node).copied(),
                None => None,
            };
            match united_with {
                Some(structure) => self.unite_record(record, structure)?,
                None => self.add_record(record)?,
            }
        }
        self.redirect_to_replacements()
    }

    pub(crate) fn into_merged_records(self) -> MergedRecords<'d> {
        MergedRecords { editor: self.editor, actions: self.actions, summary: self.summary }
    }

    pub(crate) fn finish(self) -> Result<Merged<'d>, MergeError> {
        let edited = self.editor.finish_quietly()?;
        Ok(Merged { edited, actions: self.actions, summary: self.summary })
    }

    fn unite_record(&mut self, record: Node<'b>, structure: Structure) -> Result<(), MergeError> {
        let kind = self.plan.kind(record.id());
        match kind {
            RecordKind::Person => self.summary.persons_united += 1,
            RecordKind::Family => self.summary.families_united += 1,
            RecordKind::Other => {}
        }
        let a = self.editor.xref(structure)?.unwrap_or("").to_owned();
        let b = record.xref().unwrap_or("").to_owned();
        self.actions.push(MergeAction::United { tag: record.tag().to_owned(), a, b });
        let mut unions =
            vec![self.start_union(MergeTarget { structure, source: record, kind: Some(kind) })?];
        while let Some(union) = unions.last_mut() {
            let Some(source) = union.sources.next() else {
                unions.pop();
                continue;
            };
            if let Some(structure) = self.add_missing(union, source)? {
                self.note_replacement(Replacement { structure, source })?;
                // This union is finished before the next substructure, which is then compared with
                // the result of the union.
                unions.push(self.start_union(MergeTarget { structure, source, kind: None })?);
            }
        }
        Ok(())
    }

    fn start_union(&self, place: MergeTarget<'b>) -> Result<Union<'b>, MergeError> {
        let sources: Vec<Node<'b>> = place.source.substructures().collect();
        let index = self.index_substructures(place.structure)?;
        Ok(Union { place, sources: sources.into_iter(), index, united: HashSet::new() })
    }

    fn add_record(&mut self, record: Node<'b>) -> Result<(), MergeError> {
        let Some(structure) = self.insert_subtree(None, record)? else { return Ok(()) };
        self.inserted.insert(record.id(), structure);
        match self.plan.kind(record.id()) {
            RecordKind::Person => self.summary.persons_added += 1,
            RecordKind::Family => self.summary.families_added += 1,
            RecordKind::Other => self.summary.records_added += 1,
        }
        let b = record.xref().unwrap_or("").to_owned();
        let id = self.plan.identifiers.identifier_of(record).unwrap_or("").to_owned();
        self.actions.push(MergeAction::Added { tag: record.tag().to_owned(), id: id.clone(), b: b.clone() });
        if id != b {
            self.actions.push(MergeAction::Renamed { id, b });
        }
        Ok(())
    }

    /// Inserts a substructure of B that the merged file lacks. If the merged file has a part of it,
    /// returns that part. Only one structure of B is inserted into each structure, because two of
    /// them are, for example, two events or two citations.
    fn add_missing(
        &mut self,
        union: &mut Union<'b>,
        source: Node<'b>,
    ) -> Result<Option<Structure>, MergeError> {
        let (place, index) = (union.place, &union.index);
        if self.skip_change_date(place, source, index)? {
            return Ok(None);
        }
        if let Some(partner) = self.find_partner_in_other_role(place, source, index)? {
            return Ok(Some(partner));
        }
        let tag = self.tag_in_a(source).to_owned();
        let is_single = place.kind == Some(RecordKind::Person) && SINGLE_FACTS.contains(&&*tag);
        let payload = self.comparison_key(source);
        // `BIRT` and `BIRT Y` mean the same.
        let payloads = if is_single && ["", "=Y"].contains(&&*payload) {
            vec![String::new(), "=Y".to_owned()]
        } else {
            vec![payload]
        };
        let found = payloads
            .into_iter()
            .flat_map(|payload| index.with_payload(&tag, payload).iter().take(MAX_CANDIDATES));
        let mut candidates: Vec<Structure> = found.copied().collect();
        if source.is_error() {
            self.report_loss(source, "a damaged line");
            return Ok(None);
        }
        if let Some(replacements) = self.find_containing(&candidates, source)? {
            replacements.into_iter().try_for_each(|replacement| self.note_replacement(replacement))?;
            return Ok(None);
        }
        candidates.retain(|candidate| !union.united.contains(candidate));
        if let Some(structure) = self.find_compatible(&candidates, source, is_single)? {
            union.united.insert(structure);
            return Ok(Some(structure));
        }
        let before = index.first_with_tag(&tag).filter(|_| is_single);
        self.insert_subtree(Some(place.structure), source)?;
        if let Some(before) = before {
            self.report_conflict(place, before, source)?;
        }
        Ok(None)
    }

    /// Returns whether a structure is a change date, and the record in A already has one. A change
    /// date is not a fact of the record, so A's change date is kept.
    fn skip_change_date(
        &mut self,
        place: MergeTarget<'b>,
        source: Node<'b>,
        index: &SubstructureIndex,
    ) -> Result<bool, MergeError> {
        let Some(kept) =
            index.first_with_tag("CHAN").filter(|_| place.kind.is_some() && source.tag() == "CHAN")
        else {
            return Ok(false);
        };
        if let Some(replacements) = self.contains_all_of(kept, source)? {
            replacements.into_iter().try_for_each(|replacement| self.note_replacement(replacement))?;
            return Ok(true);
        }
        self.summary.change_dates_left_out += 1;
        for node in source.descendants().filter(|node| node.xref().is_some()) {
            self.report_loss(node, "an identifier, in a change date that is left out");
        }
        Ok(true)
    }

    /// Returns the link in A from a family to the same partner in another role. Reports the
    /// difference.
    fn find_partner_in_other_role(
        &mut self,
        place: MergeTarget<'b>,
        source: Node<'b>,
        index: &SubstructureIndex,
    ) -> Result<Option<Structure>, MergeError> {
        let other = match source.tag() {
            "HUSB" => "WIFE",
            "WIFE" => "HUSB",
            _ => return Ok(None),
        };
        if place.kind != Some(RecordKind::Family) || source.pointer().is_none() {
            return Ok(None);
        }
        let key = self.comparison_key(source);
        let has_role = !index.with_payload(source.tag(), key.clone()).is_empty();
        let Some(found) = index.with_payload(other, key).first().copied().filter(|_| !has_role) else {
            return Ok(None);
        };
        let person =
            source.pointer().map_or("", |xref| self.plan.identifiers.target_of_pointer(self.b, xref));
        self.actions.push(MergeAction::RoleDiffers {
            a: self.editor.xref(place.structure)?.unwrap_or("").to_owned(),
            b: place.source.xref().unwrap_or("").to_owned(),
            person: person.to_owned(),
            kept: other.to_owned(),
            left_out: source.tag().to_owned(),
        });
        Ok(Some(found))
    }

    fn report_conflict(
        &mut self,
        place: MergeTarget<'b>,
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

    /// Finds the first structure that has all content of a structure of B. Returns the replacements
    /// that this makes possible.
    fn find_containing(
        &self,
        candidates: &[Structure],
        source: Node<'b>,
    ) -> Result<Option<Vec<Replacement<'b>>>, MergeError> {
        for candidate in candidates {
            let replacements = self.contains_all_of(*candidate, source)?;
            if replacements.is_some() {
                return Ok(replacements);
            }
        }
        Ok(None)
    }

    /// If a structure has all content of a structure of B, returns the replacements that this makes
    /// possible.
    fn contains_all_of(
        &self,
        structure: Structure,
        source: Node<'b>,
    ) -> Result<Option<Vec<Replacement<'b>>>, MergeError> {
        let mut replacements = Vec::new();
        let mut waiting = vec![(structure, source)];
        while let Some((structure, source)) = waiting.pop() {
            if !self.can_replace(structure, source)? {
                return Ok(None);
            }
            if source.xref().is_some() {
                replacements.push(Replacement { structure, source });
            }
            if source.substructures().next().is_none() {
                continue;
            }
            let index = self.index_substructures(structure)?;
            for below in source.substructures() {
                let found = index.with_payload(self.tag_in_a(below), self.comparison_key(below)).first();
                let Some(found) = found.filter(|_| !below.is_error()) else { return Ok(None) };
                waiting.push((*found, below));
            }
        }
        Ok(Some(replacements))
    }

    /// Returns whether pointers to a structure of B can point to a structure of the merged file instead.
    fn can_replace(&self, structure: Structure, source: Node<'b>) -> Result<bool, MergeError> {
        let xref = self.editor.xref(structure)?;
        let is_usable = xref.is_some_and(|xref| !self.editor.document().is_repeated(xref));
        Ok(is_usable || source.xref().is_none())
    }

    fn note_replacement(&mut self, replacement: Replacement<'b>) -> Result<(), MergeError> {
        let Replacement { structure, source } = replacement;
        let Some(old) = self.plan.identifiers.identifier_of(source).map(str::to_owned) else { return Ok(()) };
        match self.editor.xref(structure)? {
            // If several structures have the same identifier, a pointer to it does not say which
            // one is meant.
            Some(_) if source.xref().is_some_and(|xref| self.b.is_repeated(xref)) => {}
            Some(new) if new == old => {}
            Some(new) => drop(self.redirected.insert(old, new.to_owned())),
            None => self.report_loss(source, "an identifier"),
        }
        Ok(())
    }

    /// Changes the targets of pointers to structures that were not inserted because other
    /// structures replace them.
    fn redirect_to_replacements(&mut self) -> Result<(), MergeError> {
        if self.redirected.is_empty() {
            return Ok(());
        }
        let mut waiting = self.editor.records();
        while let Some(structure) = waiting.pop() {
            let new = match self.editor.payload(structure)? {
                Payload::Pointer(xref) => self.redirected.get(xref).cloned(),
                Payload::None | Payload::Text(_) => None,
            };
            if let Some(new) = new {
                self.editor.set(structure, Value::Pointer(new))?;
            }
            waiting.extend(self.editor.substructures(structure)?);
        }
        Ok(())
    }

    /// Returns the first structure to which a structure of B can add content without contradicting
    /// it.
    fn find_compatible(
        &self,
        candidates: &[Structure],
        source: Node<'b>,
        is_single: bool,
    ) -> Result<Option<Structure>, MergeError> {
        for candidate in candidates {
            if self.can_replace(*candidate, source)? && self.is_compatible(*candidate, source, is_single)? {
                return Ok(Some(*candidate));
            }
        }
        Ok(None)
    }

    /// Returns whether a structure of B may be about the same event or citation as a structure of
    /// the merged file. The two must not differ in any tag that may occur only once, and both must
    /// have the distinguishing tags. If a person can have the fact only once, one side may lack the
    /// distinguishing tags.
    fn is_compatible(
        &self,
        structure: Structure,
        source: Node<'b>,
        is_single: bool,
    ) -> Result<bool, MergeError> {
        let index = self.index_substructures(structure)?;
        let has_tag = |tag: &str| index.first_with_tag(tag).is_some();
        for below in source.substructures() {
            let tag = self.tag_in_a(below);
            let is_there = !index.with_payload(tag, self.comparison_key(below)).is_empty();
            let may_lack = is_single || !DISTINGUISHING_TAGS.contains(&tag);
            let may_differ = REPEATABLE_TAGS.contains(&tag) || tag.starts_with('_');
            if !is_there && !may_differ && (has_tag(tag) || !may_lack) {
                return Ok(false);
            }
        }
        let lacks = |key: &&str| has_tag(key) && source.substructure(key).is_none();
        Ok(is_single || !DISTINGUISHING_TAGS.iter().any(lacks))
    }

    fn index_substructures(&self, structure: Structure) -> Result<SubstructureIndex, MergeError> {
        let mut index = SubstructureIndex::default();
        for below in self.editor.substructures(structure)? {
            let tag = self.editor.tag(below)?;
            let payload = payload_key(tag, &self.editor.payload(below)?, str::to_owned);
            index.add(tag, payload, below);
        }
        Ok(index)
    }

    /// Returns the tag that a structure of B has in the merged file.
    fn tag_in_a(&self, node: Node<'b>) -> &str {
        let new =
            self.labels.new_tag(node).or_else(|| self.tags.new_tags.get(node.tag()).map(String::as_str));
        new.unwrap_or_else(|| node.tag())
    }

    /// Returns the payload of a structure of B in the form that is compared.
    fn comparison_key(&self, node: Node<'b>) -> String {
        payload_key(node.tag(), &node.payload(), |xref| {
            self.plan.identifiers.target_of_pointer(self.b, xref).to_owned()
        })
    }

    /// Inserts a structure of B with all its descendants. Returns `None` if the structure cannot be
    /// written.
    fn insert_subtree(
        &mut self,
        above: Option<Structure>,
        source: Node<'b>,
    ) -> Result<Option<Structure>, MergeError> {
        let Some(outermost) = self.insert_structure(above, source)? else { return Ok(None) };
        let mut waiting = vec![(outermost, source)];
        while let Some((structure, source)) = waiting.pop() {
            for below in source.substructures() {
                if let Some(inserted) = self.insert_structure(Some(structure), below)? {
                    waiting.push((inserted, below));
                }
            }
        }
        Ok(Some(outermost))
    }

    fn insert_structure(
        &mut self,
        above: Option<Structure>,
        source: Node<'b>,
    ) -> Result<Option<Structure>, MergeError> {
        if source.is_error() {
            self.report_loss(source, "a damaged line");
            return Ok(None);
        }
        let xref = self.plan.identifiers.identifier_of(source).map(str::to_owned);
        let value = match source.payload() {
            Payload::None => Value::None,
            Payload::Pointer(xref) => {
                Value::Pointer(self.plan.identifiers.target_of_pointer(self.b, xref).to_owned())
            }
            Payload::Text(text) if text.is_empty() => Value::None,
            Payload::Text(text) => Value::Text(self.replace_unencodable(source, &text)),
        };
        let tag = self.tag_in_a(source).to_owned();
        match self.editor.insert(above, xref.as_deref(), &tag, value.clone(), None) {
            Ok(structure) => Ok(Some(structure)),
            Err(EditError::Unencodable(_) | EditError::NoCharacter { .. }) => {
                let Value::Text(text) = value else { return Ok(None) };
                let text = self.replace_with_question_marks(&text);
                Ok(Some(self.editor.insert(above, xref.as_deref(), &tag, Value::Text(text), None)?))
            }
            Err(EditError::TagReserved { .. } | EditError::Tag { .. }) => {
                self.report_loss(source, "a tag that is not allowed there");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reports characters that A's encoding lacks. If the file has escapes, the editor writes such
    /// characters as escapes.
    fn replace_unencodable(&mut self, source: Node<'b>, text: &str) -> String {
        if text.lines().any(|line| self.repertoire.length(line).is_none()) {
            self.report_loss(source, "a character that the encoding of the first file does not have");
        }
        text.to_owned()
    }

    /// Returns the text with a question mark in place of each character that A's encoding lacks.
    fn replace_with_question_marks(&self, text: &str) -> String {
        let is_writable = |c: char| {
            c == '\n'
                || self.repertoire.has(c) && elf_lines::first_forbidden(c.encode_utf8(&mut [0; 4])).is_none()
        };
        text.chars().map(|c| if is_writable(c) { c } else { '?' }).collect()
    }

    fn report_loss(&mut self, source: Node<'b>, reason: &str) {
        self.summary.lost += 1;
        let line = self.locator.place(source.line_span()).line;
        self.actions.push(MergeAction::Lost { line, reason: reason.to_owned() });
    }
}

impl<'d> Merger<'d, 'd> {
    /// Merges two records of one file. The file takes the place of both A and B.
    pub(crate) fn merge_within(
        &mut self,
        pair: RecordPair<'d>,
        pointers: &[Node<'d>],
        xref: &str,
    ) -> Result<(), MergeError> {
        let text_of = |record: Node<'d>| payload_key(record.tag(), &record.payload(), str::to_owned);
        if ![String::new(), text_of(pair.kept)].contains(&text_of(pair.removed)) {
            self.report_loss(pair.removed, "another text than the record that stays");
        }
        let kept = self.editor.structure(pair.kept)?;
        // The removed record comes first, so that the identifiers of its substructures are free
        // before they are added to the other record.
        self.editor.remove(self.editor.structure(pair.removed)?)?;
        self.unite_record(pair.removed, kept)?;
        self.redirect_to_replacements()?;
        self.redirect_pointers(pointers, xref)?;
        self.remove_repetitions(pointers, xref)?;
        for below in self.editor.substructures(kept)? {
            let is_to_itself = matches!(self.editor.payload(below)?, Payload::Pointer(to) if to == xref);
            if is_to_itself && self.editor.tag(below)? == "ALIA" {
                self.editor.remove(below)?;
            }
        }
        Ok(())
    }

    fn redirect_pointers(&mut self, pointers: &[Node<'d>], xref: &str) -> Result<(), MergeError> {
        for node in pointers {
            let structure = self.editor.structure(*node)?;
            match self.editor.set(structure, Value::Pointer(xref.to_owned())) {
                // The pointer was in the record that was removed.
                Err(EditError::Removed) => {}
                result => result?,
            }
        }
        Ok(())
    }

    /// If two pointers have the same tag and target, removes the one whose content the other
    /// pointer also has. A pointer whose target did not change is only compared with pointers whose
    /// target did.
    fn remove_repetitions(&mut self, pointers: &[Node<'d>], xref: &str) -> Result<(), MergeError> {
        let mut siblings: HashMap<Structure, SubstructureIndex> = HashMap::new();
        // The innermost pointers come first, so that the structures above them then have the same
        // content.
        for node in pointers.iter().rev() {
            let structure = self.editor.structure(*node)?;
            let above = match self.editor.superstructure(structure) {
                Err(EditError::Removed) => continue,
                above => above?,
            };
            let Some(above) = above else { continue };
            let index = match siblings.entry(above) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(self.index_substructures(above)?),
            };
            let key = payload_key(node.tag(), &Payload::Pointer(xref), str::to_owned);
            let same = index.with_payload(node.tag(), key).iter().copied();
            let others = same.filter(|other| *other != structure && self.editor.tag(*other).is_ok());
            let others: Vec<Structure> = others.take(MAX_CANDIDATES).collect();
            // A pointer with an identifier stays, because other pointers may point to it.
            if self.find_containing(&others, *node)?.is_some_and(|replaced| replaced.is_empty()) {
                self.editor.remove(structure)?;
                continue;
            }
            for other in others {
                if let Some(node) = self.editor.node(other)?
                    && self.contains_all_of(structure, node)?.is_some_and(|replaced| replaced.is_empty())
                {
                    self.editor.remove(other)?;
                }
            }
        }
        Ok(())
    }
}
