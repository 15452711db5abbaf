//! Carrying out a plan: the structures of each record are kept, hidden or removed through the editor.

use crate::extraction::{Extraction, Mention};
use crate::fate::{Fate, PointerCase, Target};
use crate::plan::{Plan, PlannedRecord};
use crate::records::{RecordAction, RecordKind, RemovalReason, records};
use crate::redaction::{PRIVATE, Replacement};
use crate::removals::Removals;
use crate::structures::{ASSOCIATIONS, is_continued, is_family_link, is_file_name, is_lost};
use elf_edit::{EditError, EditOptions, Editor, Value};
use elf_lineage::names_privacy;
use elf_schema::{Counterpart, Document, Node, NodeId, Role};
use std::collections::HashSet;

impl<'d> Plan<'d> {
    /// Carries out the plan. If reading stopped early, the lines after that place are left out.
    ///
    /// # Errors
    ///
    /// If a structure cannot be removed without changing how others are read, and for a redaction of a
    /// document with lines that the rules reject: nobody looked at these.
    pub fn extract(&self) -> Result<Extraction<'d>, EditError> {
        let document = self.roles.document();
        if self.is_redaction() && has_other_lines(document) {
            return Err(EditError::Incomplete);
        }
        let mut extractor = Extractor {
            plan: self,
            document,
            editor: Editor::new(document).with_options(EditOptions::new().with_partial(true)),
            removals: Removals::of(document),
            mentions: Vec::new(),
        };
        for (number, record) in (0..).zip(records(document)) {
            extractor.apply_to_record(record, number)?;
        }
        extractor.finish()
    }
}

/// Returns whether a document has lines that are not in a record, apart from a trailer without substructures.
fn has_other_lines(document: &Document<'_>) -> bool {
    let records: HashSet<NodeId> = records(document).map(Node::id).collect();
    let is_bare_trailer = |node: Node<'_>| node.tag() == "TRLR" && node.subtree_lines().len() == 1;
    let is_known = |node: Node<'_>| {
        records.contains(&node.id()) || node.is_inserted() || node.is_continuation() || is_bare_trailer(node)
    };
    !document.rejected_lines().is_empty() || !document.lines().all(is_known)
}

struct Extractor<'p, 'd> {
    plan: &'p Plan<'d>,
    document: &'d Document<'d>,
    editor: Editor<'d>,
    removals: Removals,
    mentions: Vec<Mention<'d>>,
}

/// A record that stays.
struct KeptRecord<'d> {
    record: Node<'d>,
    number: u32,
    counterpart: Counterpart,
}

/// What becomes of a structure of a kept record.
enum Treatment<'d> {
    Keep,
    /// The structure stays, its substructures are removed.
    Strip,
    /// The structure given here is removed: the one asked about, or the one that contains it.
    Remove(Node<'d>, RemovalReason),
}

/// A hidden record, and which of its structures were met already.
struct HiddenRecord {
    kind: RecordKind,
    counterpart: Counterpart,
    replacement: Replacement,
    has_name: bool,
    has_sex: bool,
}

impl<'d> Extractor<'_, 'd> {
    fn apply_to_record(&mut self, record: Node<'d>, number: u32) -> Result<(), EditError> {
        let plan = self.plan;
        let planned = plan.records[number as usize];
        let counterpart = plan.roles.of_record(record);
        if self.has_name_in_identifier(record, planned) {
            self.mentions.push(Mention { structure: record, is_identifier: true });
        }
        match (planned.action, &plan.hidden) {
            (RecordAction::Remove(reason), _) => self.removals.remove(record, reason),
            (RecordAction::Hide, Some(hidden)) => {
                let hidden = HiddenRecord {
                    kind: planned.kind,
                    counterpart,
                    replacement: hidden.replacement,
                    has_name: false,
                    has_sex: false,
                };
                self.hide(record, hidden)?;
            }
            // A branch hides nobody.
            (RecordAction::Hide, None) | (RecordAction::Keep, _) => {
                if plan.is_redaction() && matches!(planned.kind, RecordKind::Header | RecordKind::Submitter) {
                    self.remove_file_names(record);
                }
                self.keep(&KeptRecord { record, number, counterpart });
            }
        }
        Ok(())
    }

    /// Returns whether the identifier of a record that stays contains a word of the name of a hidden person. The
    /// identifiers of other persons contain their own names.
    fn has_name_in_identifier(&self, record: Node<'d>, planned: PlannedRecord) -> bool {
        let Some(hidden) = &self.plan.hidden else { return false };
        match (planned.kind, planned.action) {
            (_, RecordAction::Remove(_)) | (RecordKind::Person, RecordAction::Keep) => false,
            (RecordKind::Person, RecordAction::Hide) => planned.is_named,
            _ => record.xref().is_some_and(|identifier| hidden.names.are_in_identifier(identifier)),
        }
    }

    /// Removes the names of files from the header or a submission, since they may be those of persons.
    fn remove_file_names(&mut self, record: Node<'d>) {
        for node in record.descendants().filter(|node| is_file_name(*node)) {
            self.removals.remove(node, RemovalReason::FileName);
        }
    }

    /// Removes the structures of a kept record that point to something removed and, in a redaction, those that
    /// are private or about a hidden person.
    fn keep(&mut self, kept: &KeptRecord<'d>) {
        let mut at = kept.record.id();
        while let Some(node) = self.document.node(at).filter(|_| at < kept.record.subtree_end()) {
            at = NodeId::new(at.get() + 1);
            if self.removals.contains(node.id()) {
                at = node.subtree_end();
            } else if !node.is_continuation() {
                match self.treatment(kept, node) {
                    Treatment::Keep => self.find_mention(kept, node),
                    Treatment::Strip => {
                        self.remove_below(node, &HashSet::new());
                        at = node.subtree_end();
                    }
                    Treatment::Remove(removed, reason) => {
                        self.removals.remove(removed, reason);
                        at = node.subtree_end();
                    }
                }
            }
        }
    }

    fn treatment(&self, kept: &KeptRecord<'d>, node: Node<'d>) -> Treatment<'d> {
        if node.id() != kept.record.id() {
            if let Some(reason) = self.removal_reason(kept, node) {
                return Treatment::Remove(node, reason);
            }
            if let Some(pointer) = node.pointer() {
                return self.treatment_of_pointer(kept, node, pointer);
            }
        }
        match self.plan.is_redaction() && self.starts_with_removed_pointer(node) {
            true => Treatment::Remove(node, RemovalReason::Stray),
            false => Treatment::Keep,
        }
    }

    /// The reason to remove a structure below a record whatever it points to, if there is one.
    fn removal_reason(&self, kept: &KeptRecord<'d>, node: Node<'d>) -> Option<RemovalReason> {
        let is_redaction = self.plan.is_redaction();
        if is_redaction && self.plan.roles.is_private(node) {
            Some(RemovalReason::Private)
        } else if is_redaction && is_lost(node) {
            Some(RemovalReason::Stray)
        } else if node.xref().is_some_and(|xref| self.plan.is_unreferenced(kept.number, xref)) {
            Some(RemovalReason::Unreferenced)
        } else {
            None
        }
    }

    fn treatment_of_pointer(&self, kept: &KeptRecord<'d>, node: Node<'d>, pointer: &str) -> Treatment<'d> {
        let target = self.plan.target(pointer);
        let is_redaction = self.plan.is_redaction();
        let is_direct = node.superstructure().is_some_and(|above| above.id() == kept.record.id());
        let role = || self.plan.roles.role(kept.counterpart, node);
        let is_family_link = is_direct && is_family_link(node, role());
        let action = RecordAction::Keep;
        match (PointerCase { action, target, is_family_link, is_redaction }).fate() {
            Fate::Goes(reason) => Treatment::Remove(with_event_of(node, is_redaction), reason),
            Fate::StaysAlone => Treatment::Strip,
            // A person who is not in the file may be living.
            Fate::Stays
                if is_redaction && ASSOCIATIONS.contains(&node.tag()) && target == Target::Nothing =>
            {
                Treatment::Remove(node, RemovalReason::Stray)
            }
            Fate::Stays => Treatment::Keep,
        }
    }

    /// Returns whether a text starts like a pointer to something hidden or removed: the line of a pointer may
    /// have lost its end.
    fn starts_with_removed_pointer(&self, node: Node<'d>) -> bool {
        let identifier = node.line_payload().and_then(|text| text.strip_prefix('@')?.split_once('@'));
        let target = identifier.map(|(identifier, _)| self.plan.target(identifier));
        matches!(target, Some(Target::Hidden | Target::Removed))
    }

    /// Notes the name of a hidden person in the text of a kept structure.
    fn find_mention(&mut self, kept: &KeptRecord<'d>, node: Node<'d>) {
        let Some(hidden) = &self.plan.hidden else { return };
        // Another person may have the same name.
        let is_direct = node.superstructure().is_some_and(|above| above.id() == kept.record.id());
        let is_name = is_direct && self.plan.roles.role(kept.counterpart, node) == Some(Role::Name);
        let text = node.text();
        if !is_name && (hidden.names.are_in(&text) || self.points_to_hidden(&text)) {
            self.mentions.push(Mention { structure: node, is_identifier: false });
        }
    }

    /// Returns whether a text contains the identifier of something hidden or removed between at signs.
    fn points_to_hidden(&self, text: &str) -> bool {
        let mut parts = text.split('@');
        parts.next();
        parts.any(|identifier| {
            !identifier.is_empty() && matches!(self.plan.target(identifier), Target::Hidden | Target::Removed)
        })
    }

    /// Removes all substructures except those `kept`, of which the substructures are removed. Structures under
    /// a continuation line count as substructures.
    fn remove_below(&mut self, node: Node<'d>, kept: &HashSet<NodeId>) {
        let mut at = NodeId::new(node.id().get() + 1);
        while let Some(below) = self.document.node(at).filter(|_| at < node.subtree_end()) {
            if below.is_continuation() || kept.contains(&at) {
                at = NodeId::new(at.get() + 1);
            } else {
                self.removals.remove_alone(below, RemovalReason::Living);
                at = below.subtree_end();
            }
        }
    }

    /// Keeps of a record its links to families and, of a person, the parts that the replacement has.
    fn hide(&mut self, record: Node<'d>, mut hidden: HiddenRecord) -> Result<(), EditError> {
        self.hide_payload(record)?;
        let mut kept = HashSet::new();
        for node in record.substructures() {
            if self.keep_of_hidden(&mut hidden, node)? {
                kept.insert(node.id());
            }
        }
        self.remove_below(record, &kept);
        if hidden.kind == RecordKind::Person && kept.is_empty() && record.text().is_empty() {
            // Readers do not expect an empty record.
            let record = self.editor.structure(record)?;
            self.editor.insert(Some(record), None, "NAME", PRIVATE, None)?;
        }
        Ok(())
    }

    fn hide_payload(&mut self, record: Node<'d>) -> Result<(), EditError> {
        if record.payload_span().is_empty() && !is_continued(record) {
            return Ok(());
        }
        // Lines without a meaning, such as an empty CONC, stay unless the text changes.
        let needs_text = record.text().is_empty() || is_continued(record);
        self.set(record, if needs_text { Value::from(PRIVATE) } else { Value::None })
    }

    /// Decides whether a substructure of a hidden record stays, and replaces its text if need be.
    fn keep_of_hidden(&mut self, hidden: &mut HiddenRecord, node: Node<'d>) -> Result<bool, EditError> {
        // An identifier may be any text.
        if node.is_error() || !node.xref_span().is_empty() {
            return Ok(false);
        }
        let is_person = hidden.kind == RecordKind::Person;
        let one_line = node.line_payload().filter(|_| !is_continued(node));
        match self.plan.roles.role(hidden.counterpart, node) {
            Some(Role::Name) if is_person && !hidden.has_name && node.pointer().is_none() => {
                hidden.has_name = true;
                self.keep_name(node, hidden.replacement.name_for(&node.text()))
            }
            // A submitter needs a name.
            _ if hidden.kind == RecordKind::Submitter && node.tag() == "NAME" && !hidden.has_name => {
                hidden.has_name = true;
                match node.pointer() {
                    Some(_) => Ok(false),
                    None => self.keep_name(node, Some(PRIVATE.to_owned())),
                }
            }
            // A longer text is not only the sex.
            Some(Role::Sex) if is_person && !hidden.has_sex && one_line.is_some_and(|sex| sex.len() == 1) => {
                hidden.has_sex = true;
                Ok(true)
            }
            Some(Role::Restriction) => Ok(one_line.is_some_and(is_privacy_alone)),
            role => Ok(node.pointer().is_some_and(|pointer| {
                let case = PointerCase {
                    action: RecordAction::Hide,
                    target: self.plan.target(pointer),
                    is_family_link: is_family_link(node, role),
                    is_redaction: true,
                };
                case.fate() == Fate::StaysAlone
            })),
        }
    }

    /// Replaces a name of one line. A longer name does not stay: some of its lines might keep their text.
    fn keep_name(&mut self, node: Node<'d>, replacement: Option<String>) -> Result<bool, EditError> {
        if is_continued(node) {
            return Ok(false);
        }
        if let Some(name) = replacement {
            self.set(node, Value::Text(name))?;
        }
        Ok(true)
    }

    fn set(&mut self, node: Node<'d>, value: Value) -> Result<(), EditError> {
        let structure = self.editor.structure(node)?;
        self.editor.set(structure, value)
    }

    /// Makes the edits.
    fn finish(mut self) -> Result<Extraction<'d>, EditError> {
        let removed = self.removals.outermost(self.document);
        for removal in &removed {
            let structure = self.editor.structure(removal.structure)?;
            self.editor.remove(structure)?;
        }
        let removals = self.removals;
        let mut mentions = self.mentions;
        mentions.retain(|mention| mention.is_identifier || !removals.contains(mention.structure.id()));
        let octets = self.editor.finish_quietly()?.octets;
        Ok(Extraction { octets, removed, mentions, document: self.document })
    }
}

/// Returns the structure that is removed with a pointer: a sealing to parents means nothing without their
/// family, and in a redaction an adoption is about the family that adopts.
fn with_event_of(pointer: Node<'_>, is_redaction: bool) -> Node<'_> {
    let is_event = |above: &Node<'_>| {
        pointer.tag() == "FAMC" && (above.tag() == "SLGC" || is_redaction && above.tag() == "ADOP")
    };
    pointer.superstructure().filter(is_event).unwrap_or(pointer)
}

/// Returns whether a restriction notice says that its record is private, and nothing else except that it is
/// locked.
fn is_privacy_alone(text: &str) -> bool {
    let is_known = |word: &str| {
        ["privacy", "confidential", "locked"].iter().any(|known| word.trim().eq_ignore_ascii_case(known))
    };
    names_privacy(text) && text.split(',').all(is_known)
}
