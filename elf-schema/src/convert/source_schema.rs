//! The schema or dictionary in the header of the input, and the lines that cannot be written again because no draft
//! understands them.

use super::plan::Loss;
use crate::provenance::Origin;
use crate::schema::Schema;
use crate::write::SchemaForm;
use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::write::PreambleLine;
use elf_tagged::{Document, Node, NodeId};
use std::collections::{HashMap, HashSet};

/// SCHMA of a header, or PRFX and DEFN in 2017, with all substructures.
pub(super) struct SourceSchema {
    /// The rules of the input.
    pub(super) from: Rules,
    pub(super) lines: Vec<Line>,
    /// The numbers of lines with faults.
    pub(super) faulty_lines: HashSet<u64>,
    /// If there are faults, the definitions in lines without one: tag, superstructure type, type.
    faultless: HashSet<(Box<str>, Box<str>, Box<str>)>,
    /// True if definitions of the file conflict with those of other schemas, or name IRIs that are not terms. Then its
    /// lines cannot be copied.
    pub(super) contradicts_others: bool,
}

/// A structure of a schema.
pub(super) struct Line {
    pub(super) node: NodeId,
    /// Counted from 1.
    pub(super) level: u32,
    pub(super) tag: Box<str>,
    pub(super) payload: Box<str>,
    /// True if the line could not be read. The writer of the header reports it.
    pub(super) is_damaged: bool,
    /// The fault that the rules of the output do not allow.
    fault: Option<Fault>,
}

/// What is wrong with a line of a schema.
struct Fault {
    message: String,
    /// The payload without the faulty part, if the rest can stay.
    rest: Option<String>,
}

impl Fault {
    fn of_line(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), rest: None }
    }
}

/// The fault of a definition that conflicts with others.
const CONTRADICTION: &str = "it conflicts with another definition";

impl SourceSchema {
    /// Returns whether a document defines a type or a tag.
    pub(super) fn defines_anything(document: &Document<'_>) -> bool {
        top_lines(document).next().is_some()
    }

    /// Uses a schema that the caller has given instead of that of the document.
    pub(super) fn from_given(schema: &Schema, document: &Document<'_>) -> SourceSchema {
        let from = Rules::JANUARY_2019;
        let first = document.head().or_else(|| document.records().next()).map_or(NodeId::FIRST, Node::id);
        let lines = schema.to_lines(&from, SchemaForm::Inline).unwrap_or_default().into_iter();
        let line = |line: PreambleLine<'_>| Line {
            node: first,
            level: line.level,
            tag: line.tag.into(),
            payload: line.payload.into(),
            is_damaged: false,
            fault: None,
        };
        SourceSchema { from, lines: lines.map(line).collect(), ..SourceSchema::without_schema(document) }
    }

    /// Ignores the schema of the document.
    pub(super) fn without_schema(document: &Document<'_>) -> SourceSchema {
        SourceSchema {
            from: *document.rules(),
            lines: Vec::new(),
            faulty_lines: HashSet::new(),
            faultless: HashSet::new(),
            contradicts_others: false,
        }
    }

    /// Returns the schema of a document. Its faults are among the `grave` findings from reading its `schema`.
    pub(super) fn of(document: &Document<'_>, grave: &[Diagnostic], schema: &Schema) -> SourceSchema {
        let mut brought = SourceSchema::without_schema(document);
        for top in top_lines(document) {
            let mut waiting = vec![(1, top)];
            while let Some((level, node)) = waiting.pop() {
                let from = waiting.len();
                waiting.extend(node.substructures().map(|beneath| (level + 1, beneath)));
                waiting[from..].reverse();
                let (tag, payload) = (node.tag().into(), stored_payload(node).into());
                let (node, is_damaged) = (node.id(), node.is_error());
                brought.lines.push(Line { node, level, tag, payload, is_damaged, fault: None });
            }
        }
        if !grave.is_empty() {
            brought.find_faults(document, grave, schema);
        }
        brought
    }

    /// Finds references that mean nothing under the rules of the input, but would under `to`. Readers would then use
    /// other definitions and prefixes.
    pub(super) fn find_idle_references(&mut self, to: &Rules) {
        if self.from.schema.mechanism.may_refer() || !to.schema.mechanism.may_refer() {
            return;
        }
        for line in self.lines.iter_mut().filter(|line| line.level <= 2 && line.is_reference()) {
            let message = "the rules of the input do not define a reference here";
            line.fault.get_or_insert_with(|| Fault::of_line(message));
        }
    }

    fn find_faults(&mut self, document: &Document<'_>, grave: &[Diagnostic], schema: &Schema) {
        // Only the first fault of a line is reported.
        let mut faults: HashMap<u64, &str> = HashMap::new();
        let mut conflicts: HashMap<u64, &str> = HashMap::new();
        for finding in grave {
            self.contradicts_others |= finding.code == codes::IRI_NOT_A_TERM;
            let Some(place) = finding.place else { continue };
            let is_conflict = finding.code == codes::TAG_CONFLICT;
            let messages = if is_conflict { &mut conflicts } else { &mut faults };
            messages.entry(place.line).or_insert(&finding.message);
        }
        let mut locator = document.locator();
        let mut numbers: Vec<u64> = Vec::new();
        for line in &mut self.lines {
            let span = document.node(line.node).map(Node::span).unwrap_or_default();
            let number = locator.place(span).line;
            line.fault = faults.get(&number).map(|message| Fault::of_line(*message));
            numbers.push(number);
        }
        self.faulty_lines = faults.into_keys().collect();
        self.find_conflicts(schema, |line| conflicts.get(&numbers[line]).copied());
        self.find_under_faulty_definitions();
    }

    /// Finds lines under faulty definitions of 2017. They are dropped with the definition, and reported line by line
    /// (O17 §4.2).
    fn find_under_faulty_definitions(&mut self) {
        if !self.from.schema.mechanism.is_dictionary() {
            return;
        }
        let mut is_left_out = false;
        for line in &mut self.lines {
            match line.level {
                1 => is_left_out = line.fault.is_some(),
                _ if is_left_out => {
                    line.fault
                        .get_or_insert_with(|| Fault::of_line("it is under a structure that is left out"));
                }
                _ => {}
            }
        }
    }

    /// Finds definitions that conflict with others, and those that repeat them. None of these may be kept, because the
    /// tag would get the type of the others. `message` returns the finding about a line, by its index.
    fn find_conflicts<'m>(&mut self, schema: &Schema, message: impl Fn(usize) -> Option<&'m str>) {
        let mut conflicting: HashSet<(&str, &str, &str)> = HashSet::new();
        for number in schema.find_conflicting() {
            let one = schema.content().definition(number);
            let is_of_lines = one.provenance.origin == Origin::File && one.provenance.place.is_some();
            self.contradicts_others |= !is_of_lines;
            let [above, of] = [one.superstructure, one.structure_type].map(|of| schema.known_iri(of));
            conflicting.insert((schema.tag(one.tag), above, of));
        }
        let mut current: Box<str> = Box::default();
        for (index, line) in self.lines.iter_mut().enumerate() {
            match (line.level, &*line.tag) {
                (1 | 2, _) => current = schema.content().prefixes.expand(line.payload.trim()).into(),
                (3, "TAG") if line.fault.is_none() => {
                    let mut words = line.payload.split_ascii_whitespace();
                    let tag = words.next().unwrap_or_default();
                    let expand = |word: &str| Box::<str>::from(schema.content().prefixes.expand(word));
                    let (wrong, right): (Vec<&str>, Vec<&str>) =
                        words.partition(|word| conflicting.contains(&(tag, &*expand(word), &*current)));
                    self.faultless
                        .extend(right.iter().map(|above| (tag.into(), expand(above), current.clone())));
                    line.fault = match (wrong.as_slice(), right.as_slice()) {
                        ([], _) => None,
                        (_, []) => Some(Fault::of_line(message(index).unwrap_or(CONTRADICTION))),
                        _ => Some(Fault {
                            message: format!(
                                "{} of `TAG {}`: {CONTRADICTION}",
                                wrong.join(" "),
                                line.payload
                            ),
                            rest: Some(format!("{tag} {}", right.join(" "))),
                        }),
                    };
                }
                _ => {}
            }
        }
    }

    /// Returns whether a line without a fault defines a tag under a type as this type. A schema only keeps the place of
    /// the first such line.
    pub(super) fn has_definition(&self, tag: &str, above: &str, of: &str) -> bool {
        self.faultless.contains(&(tag.into(), above.into(), of.into()))
    }

    /// Returns the indices of lines that have a structure with this tag directly under them.
    pub(super) fn superstructures_of(&self, tag: &str) -> HashSet<usize> {
        let mut above = Vec::new();
        let mut found = HashSet::new();
        for (number, line) in self.lines.iter().enumerate() {
            above.truncate(line.level.saturating_sub(1) as usize);
            if *line.tag == *tag {
                found.extend(above.last().copied());
            }
            above.push(number);
        }
        found
    }

    /// Adds the [faults](SourceSchema::faults) to the losses, except for structures that already have a loss.
    pub(super) fn add_faults(&self, losses: &mut Vec<Loss>) {
        let known: HashSet<NodeId> = losses.iter().map(|(node, ..)| *node).collect();
        let lines = self.lines.iter().filter(|line| !line.is_damaged && !known.contains(&line.node));
        losses.extend(lines.filter_map(|line| {
            let message = format!("left out of the header: {}", line.fault.as_ref()?.message);
            Some((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message))
        }));
        losses.sort_by_key(|(node, ..)| node.index());
    }

    /// Returns the structures that the rules do not allow, with the reasons.
    pub(super) fn faults(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.lines.iter().filter_map(|line| Some((line.node, &*line.fault.as_ref()?.message)))
    }

    /// Returns whether `rules` express types differently.
    pub(super) fn needs_translation(&self, rules: &Rules) -> bool {
        let brings =
            |tags: &[&str]| self.lines.iter().any(|line| line.level == 1 && tags.contains(&&*line.tag));
        let (from, to) = (self.from.schema.mechanism, rules.schema.mechanism);
        // Definitions of extension tags in GEDCOM 7 are not a schema of ELF, and vice versa.
        if !from.defines_types() || !to.defines_types() {
            return false;
        }
        match (from.is_dictionary(), to.is_dictionary()) {
            (true, true) => false,
            (true, false) => brings(&["PRFX", "DEFN"]),
            (false, true) => brings(&["SCHMA"]),
            (false, false) => to.is_inline() && !to.may_refer() && self.lines.iter().any(Line::is_reference),
        }
    }

    /// Returns the lines of the schema without faults. `None` if all of it was skipped, so that the default schema
    /// applies.
    pub(super) fn without_faults(&self, schema: &Schema) -> Option<Vec<PreambleLine<'static>>> {
        if Schema::default_of(&self.from).is_some_and(|default| std::ptr::eq(&**default, schema)) {
            return None;
        }
        let mut lines: Vec<PreambleLine<'static>> = Vec::new();
        let mut left_out = None;
        for line in &self.lines {
            if left_out.is_some_and(|level| line.level > level) {
                continue;
            }
            left_out = None;
            let rest = line.fault.as_ref().map(|fault| fault.rest.as_deref());
            // Even an empty SCHMA replaces the default schema.
            if rest == Some(None) && (line.level > 1 || &*line.tag != "SCHMA") {
                left_out = Some(line.level);
                continue;
            }
            let text = rest.map_or(&*line.payload, Option::unwrap_or_default).to_owned();
            lines.push(PreambleLine::new(line.level, line.tag.to_string(), text).with_origin(line.node));
        }
        Some(lines)
    }
}

impl Line {
    pub(super) const fn has_fault(&self) -> bool {
        self.fault.is_some()
    }

    /// Returns whether the line refers to an external schema.
    pub(super) fn is_reference(&self) -> bool {
        &*self.tag == "SCHMA" && !self.payload.is_empty()
    }
}

pub(super) fn top_lines<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.serialisation_metadata().filter(|node| matches!(node.tag(), "SCHMA" | "PRFX" | "DEFN"))
}

/// Returns the payload of serialisation metadata, which December 2019 reads unchanged.
fn stored_payload(node: Node<'_>) -> String {
    match node.line_payload() {
        Some(raw) if node.document().rules().tagged.metadata.is_raw() => raw.trim().to_owned(),
        _ => node.text().trim().to_owned(),
    }
}
