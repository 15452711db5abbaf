//! Carries out a plan: keeps, hides or removes the structures of each record with the editor.

use crate::contacts::{is_contact_tag, is_particular_tag};
use crate::extraction::{Extraction, Mention, Removal};
use crate::fate::{Fate, PointerCase, Target};
use crate::mentions::SingleNames;
use crate::names::NamePart;
use crate::own_names::names_relative;
use crate::plan::Plan;
use crate::records::{RecordAction, RecordKind, RemovalReason, header_and_records};
use crate::redaction::{PRIVATE, Replacement};
use crate::removals::Removals;
use crate::structures::{ASSOCIATIONS, is_continued, is_family_link, is_file_name, is_of_unknown_person};
use elf_edit::{EditError, EditOptions, Edited, Editor, Value};
use elf_lineage::names_privacy;
use elf_schema::elf_tagged::elf_octets::Patch;
use elf_schema::vendors;
use elf_schema::{Counterpart, Document, Node, NodeId, Role, Schema};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

impl<'d> Plan<'d> {
    /// Carries out the plan. If reading stopped early, the lines after that place are left out.
    ///
    /// # Errors
    ///
    /// If a structure cannot be removed without changing how others are read, and for a redaction of a
    /// document with lines that the rules reject: nobody looked at these.
    pub fn extract(&self) -> Result<Extraction<'d>, EditError> {
        self.extractor(|_| true)?.into_extraction()
    }

    /// Returns the lines that the plan changes in some records, but does not make the new file, nor check that it would be
    /// read as it should. `is_wanted` chooses the records by the numbers of their lines. If reading stopped early, the lines
    /// after that place are not among the changed ones.
    ///
    /// # Errors
    ///
    /// For a redaction of a document with lines that the rules reject: nobody looked at these.
    pub fn changed_lines_in(&self, is_wanted: impl Fn(Range<u64>) -> bool) -> Result<Vec<Patch>, EditError> {
        self.extractor(is_wanted)?.into_changed_lines()
    }

    /// Applies the plan to the records whose lines are wanted.
    fn extractor(&self, is_wanted: impl Fn(Range<u64>) -> bool) -> Result<Extractor<'_, 'd>, EditError> {
        let document = self.roles.document();
        if self.is_redaction() && has_lines_outside_records(document) {
            return Err(EditError::Incomplete);
        }
        let mut extractor = Extractor {
            plan: self,
            document,
            editor: Editor::new(document).with_options(EditOptions::new().with_partial(true)),
            removals: Removals::of(document),
            mentions: Vec::new(),
            renamed: 0,
            named_tags: HashMap::new(),
            names_of_others: HashMap::new(),
        };
        for ((number, record), lines) in (0..).zip(header_and_records(document)).zip(self.lines_of_records())
        {
            if is_wanted(lines) {
                extractor.apply_to_record(record, number)?;
            }
        }
        Ok(extractor)
    }
}

/// Returns whether a document has lines outside of records. A trailer without substructures does
/// not count.
fn has_lines_outside_records(document: &Document<'_>) -> bool {
    let records: HashSet<NodeId> = header_and_records(document).map(Node::id).collect();
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
    /// The number of identifiers that were replaced, because they contained names.
    renamed: u32,
    /// For each tag that no standard and no program has, whether it contains a hidden name.
    named_tags: HashMap<&'d str, bool>,
    /// For each name of someone who is not hidden, whether it names someone hidden.
    names_of_others: HashMap<NodeId, bool>,
}

/// A record that is kept, with what its structures are checked for.
struct KeptRecord<'d> {
    record: Node<'d>,
    number: u32,
    counterpart: Counterpart,
}

/// What to do with a structure of a kept record.
enum Treatment<'d> {
    Keep,
    /// Keep the structure, and remove its substructures.
    Strip,
    /// Remove this structure: the examined one, or one that contains it.
    Remove(Node<'d>, RemovalReason),
}

/// A hidden record, and which of its parts were found so far.
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
        let counterpart = plan.roles.counterpart_of_record(record);
        if self.has_name_in_identifier(record, number) {
            self.mentions.push(Mention { structure: record, is_in_path: true });
            self.replace_identifier(record)?;
        }
        match (planned.action, &plan.hidden) {
            (RecordAction::Remove(reason), _) => self.removals.remove_with_emptied(record, reason),
            (RecordAction::Hide, Some(_)) if self.has_name_in_tag(record) && self.is_strict() => {
                self.removals.remove_with_emptied(record, RemovalReason::Living);
            }
            (RecordAction::Hide, Some(hidden)) => {
                let hidden = HiddenRecord {
                    kind: planned.kind,
                    counterpart,
                    replacement: hidden.replacement,
                    has_name: false,
                    has_sex: false,
                };
                self.reduce_hidden_record(record, hidden)?;
            }
            // A branch hides nobody.
            (RecordAction::Hide, None) | (RecordAction::Keep, _) => {
                if plan.is_redaction() && matches!(planned.kind, RecordKind::Header | RecordKind::Submitter) {
                    self.remove_file_names(record);
                    self.remove_contacts(record);
                }
                self.apply_to_kept_record(&KeptRecord { record, number, counterpart })?;
            }
        }
        Ok(())
    }

    /// Returns whether mentions are hidden too.
    fn is_strict(&self) -> bool {
        self.plan.hidden.as_ref().is_some_and(|hidden| hidden.strict)
    }

    /// Gives a record an identifier without a name, if mentions are hidden.
    fn replace_identifier(&mut self, record: Node<'d>) -> Result<(), EditError> {
        let Some(identifier) = record.xref().filter(|_| self.is_strict()) else { return Ok(()) };
        loop {
            self.renamed += 1;
            match self.editor.rename(identifier, &format!("HIDDEN{}", self.renamed)) {
                Err(EditError::XrefTaken { .. }) => {}
                renamed => return renamed,
            }
        }
    }

    /// Returns whether the identifier of a kept record contains a word of a hidden person's name. A
    /// person's identifier is not compared with the person's own name here.
    fn has_name_in_identifier(&self, record: Node<'d>, number: u32) -> bool {
        let Some(hidden) = &self.plan.hidden else { return false };
        let planned = self.plan.records[number as usize];
        match (planned.kind, planned.action) {
            (_, RecordAction::Remove(_)) | (RecordKind::Person, RecordAction::Keep) => false,
            (RecordKind::Person, RecordAction::Hide) => hidden.named.binary_search(&number).is_ok(),
            _ => record.xref().is_some_and(|identifier| hidden.names.occur_in_identifier(identifier)),
        }
    }

    /// Removes file names from the header or a submission, because they may be the names of people.
    fn remove_file_names(&mut self, record: Node<'d>) {
        for node in record.descendants().filter(|node| is_file_name(*node)) {
            self.removals.remove_with_emptied(node, RemovalReason::FileName);
        }
    }

    /// Removes what the header or a submission says about the submitter, except the pointer to the submitter's record. The
    /// address of the company that made the program is kept.
    fn remove_contacts(&mut self, record: Node<'d>) {
        let is_of_program = |node: Node<'d>| node.with_ancestors().any(|above| above.tag() == "SOUR");
        for node in record.descendants().filter(|node| !node.is_continuation() && !is_of_program(*node)) {
            let is_of_submitter = is_submitter_tag(node.superstructure().map_or("", Node::tag));
            let is_unlinked = is_submitter_tag(node.tag()) && node.pointer().is_none();
            if is_of_submitter || is_unlinked || is_contact_tag(node.tag()) {
                self.removals.remove_with_emptied(node, RemovalReason::Living);
            }
        }
    }

    /// Removes the structures of a kept record that point to something removed. In a redaction,
    /// also removes those that are private or about a hidden person.
    fn apply_to_kept_record(&mut self, kept: &KeptRecord<'d>) -> Result<(), EditError> {
        let mut at = kept.record.id();
        while let Some(node) = self.document.node(at).filter(|_| at < kept.record.subtree_end()) {
            at = NodeId::new(at.get() + 1);
            if self.removals.contains(node.id()) {
                at = node.subtree_end();
            } else if !node.is_continuation() {
                match self.treatment_of(kept, node) {
                    Treatment::Keep if self.has_name_in_tag(node) && self.is_strict() => {
                        self.mentions.push(Mention { structure: node, is_in_path: true });
                        self.removals.remove_with_emptied(node, RemovalReason::Living);
                        at = node.subtree_end();
                    }
                    Treatment::Keep => self.report_mention(kept, node)?,
                    Treatment::Strip => {
                        self.remove_substructures_except(node, &HashSet::new());
                        at = node.subtree_end();
                    }
                    Treatment::Remove(removed, reason) => {
                        self.removals.remove_with_emptied(removed, reason);
                        at = node.subtree_end();
                    }
                }
            }
        }
        Ok(())
    }

    fn treatment_of(&self, kept: &KeptRecord<'d>, node: Node<'d>) -> Treatment<'d> {
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

    /// Returns the reason to remove a structure regardless of its pointer, if there is one.
    fn removal_reason(&self, kept: &KeptRecord<'d>, node: Node<'d>) -> Option<RemovalReason> {
        let is_redaction = self.plan.is_redaction();
        if is_redaction && self.plan.roles.is_private(node) {
            Some(RemovalReason::Private)
        } else if is_redaction && is_of_unknown_person(node) {
            Some(RemovalReason::Stray)
        } else if node.xref().is_some_and(|xref| self.plan.is_unreferenced(kept.number, xref)) {
            Some(RemovalReason::Unreferenced)
        } else {
            None
        }
    }

    fn treatment_of_pointer(&self, kept: &KeptRecord<'d>, node: Node<'d>, pointer: &str) -> Treatment<'d> {
        let target = self.plan.target_of(pointer);
        let is_redaction = self.plan.is_redaction();
        let is_direct = node.superstructure().is_some_and(|above| above.id() == kept.record.id());
        let role = || self.plan.roles.role(kept.counterpart, node);
        let is_family_link = is_direct && is_family_link(node, role());
        let action = RecordAction::Keep;
        match (PointerCase { action, target, is_family_link, is_redaction }).fate() {
            Fate::Remove(reason) => Treatment::Remove(structure_removed_with(node, is_redaction), reason),
            Fate::KeepAlone => Treatment::Strip,
            // A person who is not in the file may be living.
            Fate::Keep if is_redaction && ASSOCIATIONS.contains(&node.tag()) && target == Target::Nothing => {
                Treatment::Remove(node, RemovalReason::Stray)
            }
            Fate::Keep => Treatment::Keep,
        }
    }

    /// Returns whether a text starts like a pointer to something hidden or removed. A damaged
    /// pointer may have lost its end.
    fn starts_with_removed_pointer(&self, node: Node<'d>) -> bool {
        let identifier = node.line_payload().and_then(|text| text.strip_prefix('@')?.split_once('@'));
        let target = identifier.map(|(identifier, _)| self.plan.target_of(identifier));
        matches!(target, Some(Target::Hidden | Target::Removed))
    }

    /// Returns whether a tag that no standard and no program has contains a hidden name, as in `_ZELDA_QUUX`.
    fn has_name_in_tag(&mut self, node: Node<'d>) -> bool {
        let Some(hidden) = &self.plan.hidden else { return false };
        let is_named = || !is_known_tag(node.tag()) && hidden.names.occur_in_tag(node.tag());
        *self.named_tags.entry(node.tag()).or_insert_with(is_named)
    }

    /// Reports a kept text that contains the name of a hidden person. If mentions are hidden, replaces the text.
    fn report_mention(&mut self, kept: &KeptRecord<'d>, node: Node<'d>) -> Result<(), EditError> {
        let Some(hidden) = &self.plan.hidden else { return Ok(()) };
        if self.has_name_in_tag(node) {
            self.mentions.push(Mention { structure: node, is_in_path: true });
        }
        if let Some(pointer) = node.pointer() {
            if hidden.strict
                && self.plan.target_of(pointer) == Target::Nothing
                && hidden.names.occur_in_identifier(pointer)
            {
                self.removals.remove_with_emptied(node, RemovalReason::Living);
            }
            return Ok(());
        }
        let text = node.text();
        let is_direct = node.superstructure().is_some_and(|above| above.id() == kept.record.id());
        // Another person may have the same name or title.
        let is_name = is_direct && self.plan.roles.role(kept.counterpart, node) == Some(Role::Name);
        let is_part_of_another = self.plan.roles.name_part(node).is_some()
            && node.superstructure().is_some_and(|above| self.is_name_of_another(kept, above));
        let names_another = is_name && self.names_another(node);
        let is_own = || {
            is_direct
                && self.plan.roles.name_part(node) == Some(NamePart::Title)
                && hidden.names.is_title(&text)
        };
        let names_hidden = || {
            hidden.names.occur_in(&text, SingleNames::InAnyCase)
                && hidden.names.occur_in(&text, self.single_names_in(kept, node, &text))
                || !is_particular_tag(node.tag()) && hidden.names.particulars_occur_in(&text)
        };
        let is_mention = match is_name {
            true => names_another,
            false => {
                names_hidden() && !is_own() || is_part_of_another || self.contains_hidden_identifier(&text)
            }
        };
        if is_mention {
            self.mentions.push(Mention { structure: node, is_in_path: false });
            if self.is_strict() {
                self.set_payload(node, Value::from(PRIVATE))?;
                self.remove_address_of(kept, node);
            }
        }
        Ok(())
    }

    /// Removes the rest of an address of someone hidden: what is under and beside an ADDR that names the person, or beside the
    /// name of a repository.
    fn remove_address_of(&mut self, kept: &KeptRecord<'d>, mention: Node<'d>) {
        let kind = self.plan.records[kept.number as usize].kind;
        let is_owner = kind == RecordKind::Other && mention.tag() == "NAME";
        if !is_owner && mention.tag() != "ADDR" {
            return;
        }
        let beside = mention.superstructure().into_iter().flat_map(Node::substructures);
        let beside = beside.filter(|node| node.id() != mention.id() && is_contact_tag(node.tag()));
        for node in beside.chain(mention.substructures().filter(|node| !node.is_continuation())) {
            self.removals.remove_with_emptied(node, RemovalReason::Living);
        }
    }

    /// Returns whether a structure is the name of a kept person, or another form of it, and names someone hidden.
    fn is_name_of_another(&mut self, kept: &KeptRecord<'d>, node: Node<'d>) -> bool {
        let is_direct = node.superstructure().is_some_and(|above| above.id() == kept.record.id());
        let is_name = is_direct && self.plan.roles.role(kept.counterpart, node) == Some(Role::Name)
            || self.plan.roles.name_part(node) == Some(NamePart::Name);
        is_name && self.names_another(node)
    }

    /// Returns whether a name, or its parts together, name someone who is hidden: `Wife of Ida Berg`. Each name is read
    /// once, although each of its parts asks.
    fn names_another(&mut self, name: Node<'d>) -> bool {
        if let Some(&known) = self.names_of_others.get(&name.id()) {
            return known;
        }
        let found = self.finds_another(name);
        self.names_of_others.insert(name.id(), found);
        found
    }

    fn finds_another(&self, name: Node<'d>) -> bool {
        let Some(hidden) = &self.plan.hidden else { return false };
        if hidden.names.occur_in_name(&name.text()) {
            return true;
        }
        let parts =
            name.substructures().filter_map(|below| Some((self.plan.roles.name_part(below)?, below.text())));
        let (mut affixes, mut given, mut surnames) = (Vec::new(), Vec::new(), Vec::new());
        for (part, text) in parts {
            match part {
                NamePart::Given => given.push(text),
                NamePart::Surname => surnames.push(text),
                // `von` is a part of the person's own name.
                NamePart::Affix if names_relative(&text) => affixes.push(text),
                NamePart::Affix
                | NamePart::Name
                | NamePart::Nickname
                | NamePart::Title
                | NamePart::TextWithNames => {}
            }
        }
        let has_parts = !given.is_empty() || !surnames.is_empty();
        let whole = || [affixes, given, surnames].concat().join(" ");
        has_parts && hidden.names.occur_in_name(&whole())
    }

    /// Returns where names of one word are found in the text of a structure.
    fn single_names_in(&self, kept: &KeptRecord<'d>, node: Node<'d>, text: &str) -> SingleNames {
        let roles = &self.plan.roles;
        let kind = self.plan.records[kept.number as usize].kind;
        let above = node.superstructure();
        let is_of_record = |above: Node<'d>| above.id() == kept.record.id();
        let is_in_name =
            || above.is_some_and(|above| is_of_record(above) || roles.name_part(above).is_some());
        let is_name_part = || roles.name_part(node).is_some_and(|part| part != NamePart::Title);
        if kind == RecordKind::Person && is_name_part() && is_in_name()
            || kind == RecordKind::Header && says_how_to_read(node)
            || roles.is_listed_word(node, text)
        {
            SingleNames::Nowhere
        } else if is_file_name(node) || is_contact_tag(node.tag()) {
            SingleNames::InAnyCase
        } else {
            SingleNames::Capitalised
        }
    }

    /// Returns whether a text contains, between at signs, the identifier of something hidden or
    /// removed.
    fn contains_hidden_identifier(&self, text: &str) -> bool {
        let mut parts = text.split('@');
        parts.next();
        parts.any(|identifier| {
            !identifier.is_empty()
                && matches!(self.plan.target_of(identifier), Target::Hidden | Target::Removed)
        })
    }

    /// Removes the substructures of `node`. Those in `kept` stay, but lose their own substructures.
    /// Structures under a continuation line count as substructures.
    fn remove_substructures_except(&mut self, node: Node<'d>, kept: &HashSet<NodeId>) {
        let mut at = NodeId::new(node.id().get() + 1);
        while let Some(below) = self.document.node(at).filter(|_| at < node.subtree_end()) {
            if below.is_continuation() || kept.contains(&at) {
                at = NodeId::new(at.get() + 1);
            } else {
                self.removals.remove_only(below, RemovalReason::Living);
                at = below.subtree_end();
            }
        }
    }

    /// Removes everything from a record except its links to families and, for a person, the parts
    /// that the replacement has.
    fn reduce_hidden_record(&mut self, record: Node<'d>, mut hidden: HiddenRecord) -> Result<(), EditError> {
        self.clear_payload(record)?;
        let mut kept = HashSet::new();
        for node in record.substructures() {
            if self.reduce_substructure(&mut hidden, node)? {
                kept.insert(node.id());
            }
        }
        self.remove_substructures_except(record, &kept);
        if hidden.kind == RecordKind::Person && kept.is_empty() && record.text().is_empty() {
            // Readers do not expect an empty record.
            let record = self.editor.structure(record)?;
            self.editor.insert(Some(record), None, "NAME", PRIVATE, None)?;
        }
        Ok(())
    }

    fn clear_payload(&mut self, record: Node<'d>) -> Result<(), EditError> {
        if record.payload_span().is_empty() && !is_continued(record) {
            return Ok(());
        }
        // Meaningless lines, such as an empty CONC, are removed only if the text changes.
        let needs_text = record.text().is_empty() || is_continued(record);
        self.set_payload(record, if needs_text { Value::from(PRIVATE) } else { Value::None })
    }

    /// Decides whether a substructure of a hidden record stays, and replaces its text if necessary.
    fn reduce_substructure(&mut self, hidden: &mut HiddenRecord, node: Node<'d>) -> Result<bool, EditError> {
        // An identifier may be any text.
        if node.is_error() || !node.xref_span().is_empty() {
            return Ok(false);
        }
        let is_person = hidden.kind == RecordKind::Person;
        let one_line = node.line_payload().filter(|_| !is_continued(node));
        match self.plan.roles.role(hidden.counterpart, node) {
            Some(Role::Name) if is_person && !hidden.has_name && node.pointer().is_none() => {
                hidden.has_name = true;
                self.replace_name(node, hidden.replacement.name_for(&node.text()))
            }
            // A submitter needs a name.
            _ if hidden.kind == RecordKind::Submitter && node.tag() == "NAME" && !hidden.has_name => {
                hidden.has_name = true;
                match node.pointer() {
                    Some(_) => Ok(false),
                    None => self.replace_name(node, hidden.replacement.name_for(&node.text())),
                }
            }
            // A text of more than one character may say more than the sex.
            Some(Role::Sex) if is_person && !hidden.has_sex && one_line.is_some_and(|sex| sex.len() == 1) => {
                hidden.has_sex = true;
                Ok(true)
            }
            Some(Role::Restriction) => Ok(one_line.is_some_and(is_only_privacy_notice)),
            role => Ok(node.pointer().is_some_and(|pointer| {
                let case = PointerCase {
                    action: RecordAction::Hide,
                    target: self.plan.target_of(pointer),
                    is_family_link: is_family_link(node, role),
                    is_redaction: true,
                };
                case.fate() == Fate::KeepAlone
            })),
        }
    }

    /// Replaces a name of one line. A longer name is removed, because some of its lines might keep
    /// their text.
    fn replace_name(&mut self, node: Node<'d>, replacement: Option<String>) -> Result<bool, EditError> {
        if is_continued(node) {
            return Ok(false);
        }
        if let Some(name) = replacement {
            self.set_payload(node, Value::Text(name))?;
        }
        Ok(true)
    }

    fn set_payload(&mut self, node: Node<'d>, value: Value) -> Result<(), EditError> {
        let structure = self.editor.structure(node)?;
        self.editor.set(structure, value)
    }

    fn into_extraction(mut self) -> Result<Extraction<'d>, EditError> {
        let removed = self.remove()?;
        let removals = self.removals;
        let mut mentions = self.mentions;
        mentions.retain(|mention| mention.is_in_path || !removals.contains(mention.structure.id()));
        let Edited { octets, patches, .. } = self.editor.finish_quietly()?;
        Ok(Extraction { octets, patches, removed, mentions, document: self.document })
    }

    fn into_changed_lines(mut self) -> Result<Vec<Patch>, EditError> {
        self.remove()?;
        self.editor.changed_lines()
    }

    /// Removes what is to be removed. Returns the outermost of these structures.
    fn remove(&mut self) -> Result<Vec<Removal<'d>>, EditError> {
        let removed = self.removals.outermost(self.document);
        for removal in &removed {
            let structure = self.editor.structure(removal.structure)?;
            self.editor.remove(structure)?;
        }
        Ok(removed)
    }
}

/// Returns whether a standard or the dictionary of vendor tags has a tag. What a file defines does not count, because its
/// user may have chosen the tag.
fn is_known_tag(tag: &str) -> bool {
    static OF_STANDARDS: OnceLock<HashSet<&str>> = OnceLock::new();
    let of_standards = OF_STANDARDS.get_or_init(|| {
        let schemas = [Schema::completed(), Schema::gedcom_7()];
        schemas
            .into_iter()
            .flat_map(|schema| schema.definitions())
            .map(|definition| definition.tag())
            .collect()
    });
    of_standards.contains(tag) || vendors::tags_named(tag).next().is_some()
}

/// Returns whether a tag is one of a submitter, whose record or address it contains.
fn is_submitter_tag(tag: &str) -> bool {
    tag.trim_start_matches('_').eq_ignore_ascii_case("SUBM")
}

/// Returns whether a structure of the header says how the file is read: its program, encoding, version or schema.
fn says_how_to_read(node: Node<'_>) -> bool {
    let is_under = |tag: &str| node.with_ancestors().any(|above| above.tag() == tag);
    matches!(node.tag(), "SOUR" | "CHAR" | "VERS" | "ELF") || is_under("GEDC") || is_under("SCHMA")
}

/// Returns the structure that is removed together with a pointer. A sealing to parents means
/// nothing without their family. In a redaction, an adoption is removed with the family that
/// adopts.
fn structure_removed_with(pointer: Node<'_>, is_redaction: bool) -> Node<'_> {
    let is_event = |above: &Node<'_>| {
        pointer.tag() == "FAMC" && (above.tag() == "SLGC" || is_redaction && above.tag() == "ADOP")
    };
    pointer.superstructure().filter(is_event).unwrap_or(pointer)
}

/// Returns whether a restriction notice only says that its record is private. It may also say that
/// the record is locked.
fn is_only_privacy_notice(text: &str) -> bool {
    let is_known = |word: &str| {
        ["privacy", "confidential", "locked"].iter().any(|known| word.trim().eq_ignore_ascii_case(known))
    };
    names_privacy(text) && text.split(',').all(is_known)
}
