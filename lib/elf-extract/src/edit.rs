//! The second reading: a plan carried out, part by part.

use crate::mentions::LivingNames;
use crate::plan::{Fate, Plan, Target};
use crate::records::{RecordAction, RecordKind, RemovalReason, records};
use crate::redaction::{PRIVATE, Replacement};
use crate::survey::{SurveyReader, fingerprint, is_continued, is_family_link, is_lost, is_private};
use elf_edit::{Context, EditError, EditedPart, PartEditor, PathFinder, Value};
use elf_lineage::names_privacy;
use elf_schema::elf_tagged::{LinePlaces, PartError};
use elf_schema::{Counterpart, Document, Node, NodeId, Run, Role};
use std::collections::{HashMap, HashSet};

/// The edits that a plan makes in a part of a document, and what was removed by them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExtractedPart {
    /// The octets that are left of the part.
    pub part: EditedPart<'static>,
    /// All that was removed, in the order of the file, each with all beneath it.
    pub removed: Vec<Removal>,
    /// The texts that hold a name of somebody who is hidden, and the records of hidden persons whose
    /// identifiers hold a word of their names, in the order of the file. They stay.
    pub mentions: Vec<StructurePlace>,
}

/// A structure that was removed, with all beneath it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removal {
    /// The place of the structure.
    pub place: StructurePlace,
    /// The tag of the structure.
    pub tag: String,
    /// The number of structures that were removed: this one and those beneath it.
    pub structures: u64,
    /// True if it is a record.
    pub is_record: bool,
    /// The reason.
    pub reason: RemovalReason,
}

/// The place of a structure in the file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StructurePlace {
    /// The path, where its record bears an identifier; `None` where that would tell a name, and of a
    /// structure deeper than [`Context::DEEPEST`].
    pub path: Option<String>,
    /// The number of its line.
    pub line: u64,
}

impl Plan {
    /// Carries the plan out in a part of the document, read as it was surveyed.
    ///
    /// # Errors
    ///
    /// [`EditError::Part`] where the part is not what it was when it was surveyed; and where something cannot
    /// be removed without changing what stands beside it.
    pub fn apply(&self, part: &Run<'_>, reader: &SurveyReader) -> Result<ExtractedPart, EditError> {
        let document = part.document();
        let number = document.part_id().number();
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        let surveyed = self.parts.get(at).ok_or(PartError::InputChanged)?;
        if surveyed.fingerprint != fingerprint(document) {
            return Err(PartError::InputChanged.into());
        }
        let first = surveyed.first_record as usize;
        let is_whole = || document.rejected_lines().is_empty() && !excludes_records(document);
        if self.redaction.is_some() && !is_whole() {
            return Err(EditError::Incomplete);
        }
        let mut application = Application {
            plan: self,
            part,
            reader,
            editor: PartEditor::new(document),
            gone: Gone::default(),
            mentions: Vec::new(),
        };
        for (record, number) in records(document).zip(first..) {
            application.record(record, number)?;
        }
        application.finish()
    }
}

/// A plan that is being carried out in a part.
struct Application<'a> {
    plan: &'a Plan,
    part: &'a Run<'a>,
    reader: &'a SurveyReader,
    editor: PartEditor<'a>,
    gone: Gone,
    mentions: Vec<Mention>,
}

/// A place where somebody who is hidden is named.
#[derive(Clone, Copy)]
enum Mention {
    /// A structure whose text holds the name.
    Text(NodeId),
    /// A record whose identifier does.
    Identifier(NodeId),
}

/// The structures that go.
#[derive(Default)]
struct Gone {
    reasons: Vec<(NodeId, RemovalReason)>,
    all: HashSet<NodeId>,
    /// The number of substructures that are left of structures some of whose substructures went.
    left: HashMap<NodeId, usize>,
}

impl Gone {
    /// Notes that a structure goes; and what it stands beneath, up to the record, if nothing else is left of
    /// that.
    fn take(&mut self, node: Node<'_>, reason: RemovalReason) {
        let (mut node, mut reason) = (node, reason);
        while self.all.insert(node.id()) {
            self.reasons.push((node.id(), reason));
            let Some(above) = node.superstructure().filter(|above| !above.is_continuation()) else { return };
            let left = self.left.entry(above.id()).or_insert_with(|| above.substructures().count());
            *left = left.saturating_sub(1);
            let is_empty = *left == 0 && above.text().is_empty() && above.pointer().is_none();
            if !is_empty || above.superstructure().is_none() {
                return;
            }
            (node, reason) = (above, RemovalReason::Emptied);
        }
    }
}

impl<'a> Application<'a> {
    fn record(&mut self, record: Node<'a>, number: usize) -> Result<(), EditError> {
        let (plan, reader) = (self.plan, self.reader);
        let action = plan.actions.get(number).copied().unwrap_or(RecordAction::Keep);
        let counterpart = reader.counterpart(self.part, Counterpart::DOCUMENT, record);
        match (action, &plan.redaction) {
            (RecordAction::Remove(reason), _) => self.gone.take(record, reason),
            (RecordAction::Hide, Some((replacement, _))) => {
                if plan.is_named(number) {
                    self.mentions.push(Mention::Identifier(record.id()));
                }
                let kind = plan.kinds.get(number).copied().unwrap_or(RecordKind::Other);
                self.hide(record, (counterpart, kind), *replacement)?;
            }
            (RecordAction::Hide, None) | (RecordAction::Keep, None) => {
                self.keep((record, number), counterpart, None)
            }
            (RecordAction::Keep, Some((_, names))) => {
                if plan.kinds.get(number) == Some(&RecordKind::Header) {
                    // The name of a file may be that of a person.
                    for node in record.substructures_tagged("FILE") {
                        self.gone.take(node, RemovalReason::FileName);
                    }
                }
                self.keep((record, number), counterpart, Some(names));
            }
        }
        Ok(())
    }

    /// Takes out of a record that stays what leads to what goes; with `names`, of those who are hidden, what
    /// is private, too.
    fn keep(
        &mut self,
        (record, number): (Node<'a>, usize),
        counterpart: Counterpart,
        names: Option<&LivingNames>,
    ) {
        let mut at = record.id();
        while let Some(node) = self.part.document().node(at).filter(|_| at < record.subtree_end()) {
            if self.gone.all.contains(&at) {
                at = node.subtree_end();
                continue;
            }
            at = NodeId::new(at.get() + 1);
            if node.is_continuation() {
                continue;
            }
            let is_record = node.id() == record.id();
            let is_direct = node.superstructure().is_some_and(|above| above.id() == record.id());
            let role = || self.reader.counterpart(self.part, counterpart, node).role();
            if names.is_some() && !is_record && is_private(node) {
                self.gone.take(node, RemovalReason::Private);
                at = node.subtree_end();
                continue;
            }
            if names.is_some() && !is_record && is_lost(node) {
                self.gone.take(node, RemovalReason::Stray);
                at = node.subtree_end();
                continue;
            }
            if !is_record && node.xref().is_some_and(|xref| self.plan.is_gone(number, xref)) {
                self.gone.take(node, RemovalReason::Unreferenced);
                at = node.subtree_end();
                continue;
            }
            let fate = node.pointer().filter(|_| !is_record).map(|pointer| {
                let is_link = is_direct && is_family_link(node, role());
                Fate::of(RecordAction::Keep, self.plan.target(pointer), is_link, names.is_some())
            });
            match fate {
                Some(Fate::Goes(reason)) => {
                    let node = with_what_needs(node);
                    self.gone.take(node, reason);
                    at = node.subtree_end();
                }
                Some(Fate::StaysAlone) => {
                    self.strip(node, &HashSet::new());
                    at = node.subtree_end();
                }
                // Nobody knows whether a person who is not in the file is living.
                Some(Fate::Stays)
                    if names.is_some()
                        && node.tag() == "ASSO"
                        && node.pointer().is_some_and(|to| self.plan.target(to) == Target::Nothing) =>
                {
                    self.gone.take(node, RemovalReason::Stray);
                    at = node.subtree_end();
                }
                None if names.is_some() && self.points_to_removed(node) => {
                    self.gone.take(node, RemovalReason::Stray);
                    at = node.subtree_end();
                }
                Some(Fate::Stays) | None => {
                    // Another person may have the name, and it stands there as that person's.
                    let is_name = is_direct && role() == Some(Role::Name);
                    if !is_name && names.is_some_and(|names| names.are_in(&node.text())) {
                        self.mentions.push(Mention::Text(node.id()));
                    }
                }
            }
        }
    }

    /// Tells whether a text begins like a pointer to what is hidden or goes: a line that lost its end.
    fn points_to_removed(&self, node: Node<'a>) -> bool {
        let text = node.line_payload().unwrap_or_default();
        let identifier = text.strip_prefix('@').and_then(|rest| rest.split_once('@')).map(|(to, _)| to);
        let target = identifier.map(|to| self.plan.target(to));
        matches!(target, Some(Target::Hidden | Target::Removed))
    }

    /// Takes away all beneath a structure but for some substructures, of which it takes away all beneath.
    /// What stands beneath a continuation line stands beneath the structure, too.
    fn strip(&mut self, node: Node<'a>, kept: &HashSet<NodeId>) {
        let mut at = NodeId::new(node.id().get() + 1);
        while let Some(below) = self.part.document().node(at).filter(|_| at < node.subtree_end()) {
            if below.is_continuation() || kept.contains(&at) {
                at = NodeId::new(at.get() + 1);
            } else {
                self.gone.take_alone(below, RemovalReason::Living);
                at = below.subtree_end();
            }
        }
    }

    /// Leaves of a record its links to families and, of a person, what the replacement says.
    fn hide(
        &mut self,
        record: Node<'a>,
        (counterpart, kind): (Counterpart, RecordKind),
        replacement: Replacement,
    ) -> Result<(), EditError> {
        let is_person = kind == RecordKind::Person;
        if !record.payload_span().is_empty() || is_continued(record) {
            // Lines that mean nothing, such as an empty CONC, are changed by another text alone.
            let is_other = record.text().is_empty() || is_continued(record);
            self.editor.set(record, if is_other { Value::from(PRIVATE) } else { Value::None })?;
        }
        let (mut has_name, mut has_sex) = (false, false);
        let mut kept = HashSet::new();
        for node in record.substructures() {
            let role = self.reader.counterpart(self.part, counterpart, node).role();
            // On one line, and with nothing in it that is not looked at.
            let plain = node.line_payload().filter(|_| !is_continued(node));
            let stays = match role {
                // An identifier of its own may be any text.
                _ if node.is_error() || !node.xref_span().is_empty() => false,
                Some(Role::Name) if is_person && !has_name && node.pointer().is_none() => {
                    has_name = true;
                    let name = replacement.name_for(&node.text());
                    // Of several lines some might stay, and they need not be of the name.
                    let stays = !is_continued(node);
                    if let Some(name) = name.filter(|_| stays) {
                        self.editor.set(node, Value::Text(name))?;
                    }
                    stays
                }
                // A submitter must have a name.
                _ if kind == RecordKind::Submitter && node.tag() == "NAME" && !has_name => {
                    has_name = true;
                    let stays = !is_continued(node) && node.pointer().is_none();
                    if stays {
                        self.editor.set(node, Value::from(PRIVATE))?;
                    }
                    stays
                }
                // A longer text says something else.
                Some(Role::Sex) if is_person && !has_sex && plain.is_some_and(|sex| sex.len() == 1) => {
                    has_sex = true;
                    true
                }
                Some(Role::Restriction) => plain.is_some_and(is_privacy_alone),
                role => node.pointer().is_some_and(|pointer| {
                    let is_link = is_family_link(node, role);
                    Fate::of(RecordAction::Hide, self.plan.target(pointer), is_link, true) == Fate::StaysAlone
                }),
            };
            if stays {
                kept.insert(node.id());
            }
        }
        self.strip(record, &kept);
        if is_person && kept.is_empty() && record.text().is_empty() {
            // A record of nothing at all is none that a reader expects.
            self.editor.insert(record, "NAME", PRIVATE)?;
        }
        Ok(())
    }

    /// Makes the edits, and lists them.
    fn finish(self) -> Result<ExtractedPart, EditError> {
        let Application { part, mut editor, gone, mentions, .. } = self;
        let document = part.document();
        let mut places = Places { lines: document.line_places(), paths: PathFinder::of(document) };
        let mut reasons = gone.reasons;
        reasons.sort_by_key(|(id, _)| id.index());
        let (mut removed, mut end) = (Vec::new(), NodeId::FIRST);
        for (id, reason) in reasons {
            let Some(node) = document.node(id).filter(|_| id >= end) else { continue };
            // What stands beneath one that goes has gone with it.
            end = node.subtree_end();
            editor.remove(node)?;
            let structures = node.subtree().filter(|node| !node.is_continuation()).count() as u64;
            removed.push(Removal {
                place: places.of(node),
                tag: node.tag().to_owned(),
                structures,
                is_record: node.superstructure().is_none(),
                reason,
            });
        }
        let mut of_mentions = Vec::new();
        for mention in mentions {
            match mention {
                Mention::Text(id) if gone.all.contains(&id) => {}
                Mention::Text(id) => of_mentions.extend(document.node(id).map(|node| places.of(node))),
                Mention::Identifier(id) => of_mentions.extend(
                    // Its path would tell the name.
                    document.node(id).map(|node| StructurePlace { path: None, line: places.line(node) }),
                ),
            }
        }
        let part = editor.finish()?.into_owned();
        Ok(ExtractedPart { part, removed, mentions: of_mentions })
    }
}

/// The structure that goes with a pointer: a sealing to parents says nothing without their family.
fn with_what_needs(pointer: Node<'_>) -> Node<'_> {
    let sealing = pointer.superstructure().filter(|above| above.tag() == "SLGC" && pointer.tag() == "FAMC");
    sealing.unwrap_or(pointer)
}

/// Tells whether the rules keep anything at level 0 that is no record, but for a bare trailer: nobody looks
/// at that.
fn excludes_records(document: &Document<'_>) -> bool {
    let records: HashSet<NodeId> = records(document).map(Node::id).collect();
    let is_bare_trailer = |node: Node<'_>| node.tag() == "TRLR" && node.subtree().len() == 1;
    let is_looked_at = |node: Node<'_>| {
        records.contains(&node.id()) || node.is_inserted() || node.is_continuation() || is_bare_trailer(node)
    };
    !document.lines().all(is_looked_at)
}

/// Tells whether a notice says that something is private, and nothing else but that it is locked.
fn is_privacy_alone(text: &str) -> bool {
    let is_known = |word: &str| {
        ["privacy", "confidential", "locked"].iter().any(|known| word.trim().eq_ignore_ascii_case(known))
    };
    names_privacy(text) && text.split(',').all(is_known)
}

impl Gone {
    /// Notes that a structure goes, whatever is left of the one it stands beneath.
    fn take_alone(&mut self, node: Node<'_>, reason: RemovalReason) {
        if self.all.insert(node.id()) {
            self.reasons.push((node.id(), reason));
        }
    }
}

/// The places of structures of a part.
struct Places<'d> {
    lines: LinePlaces<'d>,
    paths: PathFinder<'d>,
}

impl Places<'_> {
    fn of(&mut self, node: Node<'_>) -> StructurePlace {
        let steps = || node.ancestors().take(Context::DEEPEST + 1);
        let record = steps().last().filter(|_| steps().count() <= Context::DEEPEST);
        let is_named = record.is_some_and(|record| record.xref().is_some() || record.tag() == "HEAD");
        let line = self.line(node);
        StructurePlace { path: is_named.then(|| self.paths.path_of(node.id())), line }
    }

    fn line(&mut self, node: Node<'_>) -> u64 {
        self.lines.place(node, node.line_span()).line
    }
}
