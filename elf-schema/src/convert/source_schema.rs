//! The schema or the dictionary that a document brings in its header, and what of it cannot be written again
//! because no draft understands it.

use crate::provenance::Origin;
use crate::schema::Schema;
use crate::write::SchemaForm;
use elf_base::{Diagnostic, Rules, codes};
use elf_tagged::write::PreambleLine;
use elf_tagged::{Document, Node, NodeId};
use std::collections::{HashMap, HashSet};

/// SCHMA of a header, or PRFX and DEFN in 2017, with all beneath them.
pub(super) struct SourceSchema {
    /// The rules it was read by.
    pub(super) from: Rules,
    pub(super) lines: Vec<Line>,
    /// The lines of the file that hold faults.
    pub(super) faulty_lines: HashSet<u64>,
    /// The definitions of tags in lines without a fault, where there are faults: tag, superstructure type,
    /// type.
    faultless: HashSet<(Box<str>, Box<str>, Box<str>)>,
    /// True if definitions of the file contradict some that stand elsewhere, or name what is no term, so that
    /// its lines cannot stand as they are.
    pub(super) contradicts_others: bool,
}

/// A structure of a schema.
pub(super) struct Line {
    pub(super) node: NodeId,
    /// From 1.
    pub(super) level: u32,
    pub(super) tag: Box<str>,
    pub(super) payload: Box<str>,
    /// True of a line that could not be read. Whoever writes the header says what becomes of it.
    pub(super) is_damaged: bool,
    /// The fault of it, if it has one, so that the rules of the output do not let it stand.
    fault: Option<String>,
}

impl SourceSchema {
    /// Returns whether a document brings anything.
    pub(super) fn is_any(document: &Document<'_>) -> bool {
        tops(document).next().is_some()
    }

    /// Takes a schema that was given for one of the document: its structures stand where the document starts.
    pub(super) fn given(schema: &Schema, document: &Document<'_>) -> SourceSchema {
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
        SourceSchema { from, lines: lines.map(line).collect(), ..SourceSchema::nothing(document) }
    }

    /// Takes no notice of what a document brings.
    pub(super) fn nothing(document: &Document<'_>) -> SourceSchema {
        SourceSchema {
            from: *document.rules(),
            lines: Vec::new(),
            faulty_lines: HashSet::new(),
            faultless: HashSet::new(),
            contradicts_others: false,
        }
    }

    /// Returns what a document brings. Its faults are among the `grave` ones that were reported when its
    /// `schema` was read.
    pub(super) fn of(document: &Document<'_>, grave: &[Diagnostic], schema: &Schema) -> SourceSchema {
        let mut brought = SourceSchema::nothing(document);
        for top in tops(document) {
            let mut waiting = vec![(1, top)];
            while let Some((level, node)) = waiting.pop() {
                let from = waiting.len();
                waiting.extend(node.substructures().map(|beneath| (level + 1, beneath)));
                waiting[from..].reverse();
                let (tag, payload) = (node.tag().into(), payload(node).into());
                let (node, is_damaged) = (node.id(), node.is_error());
                brought.lines.push(Line { node, level, tag, payload, is_damaged, fault: None });
            }
        }
        if !grave.is_empty() {
            brought.find_faults(document, grave, schema);
        }
        brought
    }

    /// Finds what refers to nothing by the rules it was read by, and would refer to a schema by `to`: read
    /// back, other definitions and prefixes would be in force.
    pub(super) fn find_idle_references(&mut self, to: &Rules) {
        if self.from.schema.mechanism.may_refer() || !to.schema.mechanism.may_refer() {
            return;
        }
        for line in self.lines.iter_mut().filter(|line| line.level <= 2 && line.is_reference()) {
            let message = "by the rules it was read by it refers to nothing";
            line.fault.get_or_insert_with(|| message.to_owned());
        }
    }

    fn find_faults(&mut self, document: &Document<'_>, grave: &[Diagnostic], schema: &Schema) {
        // Of definitions that disagree none may stay: the tag would get the type of the others.
        let mut faults: Vec<(u64, &str)> = Vec::new();
        if grave.iter().any(|finding| finding.code == codes::TAG_CONFLICT) {
            for number in schema.conflicting() {
                let Some(one) = schema.content().definitions.get(number as usize) else { continue };
                match (&one.provenance.origin, one.provenance.place) {
                    (Origin::File, Some(place)) => {
                        faults.push((place.line, "it contradicts another definition"))
                    }
                    _ => self.contradicts_others = true,
                }
            }
        }
        // The first fault of a line is what is said of it.
        let mut first: HashMap<u64, usize> = HashMap::new();
        for (index, (line, _)) in faults.iter().enumerate() {
            first.entry(*line).or_insert(index);
        }
        for finding in grave {
            self.contradicts_others |= finding.code == codes::IRI_NOT_A_TERM;
            // A conflict is no fault of a reference to what stands elsewhere.
            let Some(line) = finding.place.map(|place| place.line) else { continue };
            if finding.code != codes::TAG_CONFLICT {
                first.entry(line).or_insert(faults.len());
                faults.push((line, &finding.message));
            } else if let Some(&index) = first.get(&line) {
                faults[index].1 = &finding.message;
            }
        }
        self.faulty_lines = faults.iter().map(|(line, _)| *line).collect();
        let mut locator = document.locator();
        let mut by_place: HashMap<u64, &mut Line> = HashMap::new();
        for line in &mut self.lines {
            let span = document.node(line.node).map(Node::span).unwrap_or_default();
            by_place.insert(locator.place(span).line, line);
        }
        for (line, message) in faults {
            if let Some(line) = by_place.get_mut(&line) {
                line.fault.get_or_insert_with(|| message.to_owned());
            }
        }
        self.find_repeated_conflicts(schema);
        self.find_beneath_definitions();
    }

    /// Finds what stands beneath definitions of 2017 that have faults: it goes with them, and is said line by
    /// line as elsewhere (O17 §4.2).
    fn find_beneath_definitions(&mut self) {
        if !self.from.schema.mechanism.is_dictionary() {
            return;
        }
        let mut is_left_out = false;
        for line in &mut self.lines {
            match line.level {
                1 => is_left_out = line.fault.is_some(),
                _ if is_left_out => {
                    line.fault.get_or_insert_with(|| "it stands beneath what is left out".to_owned());
                }
                _ => {}
            }
        }
    }

    /// Finds the definitions that say again what contradicts another one: a schema keeps the first of those
    /// that say the same, and if that goes, the others would take its place.
    fn find_repeated_conflicts(&mut self, schema: &Schema) {
        let definitions = schema.conflicting().into_iter().map(|number| {
            let one = schema.content().definition(number);
            (schema.tag(one.tag), schema.name(one.superstructure), schema.name(one.structure_type))
        });
        let conflicting: HashSet<(&str, &str, &str)> = definitions.collect();
        let mut current: Box<str> = Box::default();
        for line in &mut self.lines {
            match (line.level, &*line.tag) {
                (1 | 2, _) => current = schema.content().prefixes.expand(line.payload.trim()).into(),
                (3, "TAG") if line.fault.is_none() => {
                    let mut words = line.payload.split_ascii_whitespace();
                    let tag = words.next().unwrap_or_default();
                    let types: Vec<_> = words.map(|word| schema.content().prefixes.expand(word)).collect();
                    if types.iter().any(|above| conflicting.contains(&(tag, above, &*current))) {
                        line.fault = Some("it contradicts another definition".to_owned());
                        continue;
                    }
                    let said = types.iter().map(|above| (tag.into(), (&**above).into(), current.clone()));
                    self.faultless.extend(said);
                }
                _ => {}
            }
        }
    }

    /// Tells whether a line without a fault defines a tag beneath a type as that of another type. A schema
    /// keeps the place of the first line only that does.
    pub(super) fn defines(&self, tag: &str, above: &str, of: &str) -> bool {
        self.faultless.contains(&(tag.into(), above.into(), of.into()))
    }

    /// The lines with a structure of that tag directly beneath them, by their numbers from 0.
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

    /// Lists the [faults](SourceSchema::faults) that are to be reported as lost with the schema.
    pub(super) fn lost_faults(&self) -> impl Iterator<Item = (NodeId, &str)> {
        let lines = self.lines.iter().filter(|line| !line.is_damaged);
        lines.filter_map(|line| Some((line.node, line.fault.as_deref()?)))
    }

    /// Lists what the rules do not let stand, with what is wrong with it.
    pub(super) fn faults(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.lines.iter().filter_map(|line| Some((line.node, line.fault.as_deref()?)))
    }

    /// Returns whether types have to be said in another way by `rules`.
    pub(super) fn needs_translation(&self, rules: &Rules) -> bool {
        let brings =
            |tags: &[&str]| self.lines.iter().any(|line| line.level == 1 && tags.contains(&&*line.tag));
        let (from, to) = (self.from.schema.mechanism, rules.schema.mechanism);
        // What GEDCOM 7 says of extension tags is no schema of ELF, and the other way round.
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

    /// The lines of the schema but for its faults. `None` where the whole of it was passed over, so that the
    /// default one is in force.
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
            // An empty SCHMA still puts the default schema out of force.
            if line.fault.is_some() && (line.level > 1 || &*line.tag != "SCHMA") {
                left_out = Some(line.level);
                continue;
            }
            let text = if line.fault.is_some() { String::new() } else { line.payload.to_string() };
            lines.push(PreambleLine::new(line.level, line.tag.to_string(), text).with_origin(line.node));
        }
        Some(lines)
    }
}

impl Line {
    /// Returns whether something is wrong with it, which is reported apart.
    pub(super) const fn has_fault(&self) -> bool {
        self.fault.is_some()
    }

    /// Returns whether it refers to a schema that stands elsewhere.
    pub(super) fn is_reference(&self) -> bool {
        &*self.tag == "SCHMA" && !self.payload.is_empty()
    }
}

pub(super) fn tops<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.serialisation_metadata().filter(|node| matches!(node.tag(), "SCHMA" | "PRFX" | "DEFN"))
}

/// The payload of serialisation metadata, which December 2019 reads as it stands.
fn payload(node: Node<'_>) -> String {
    match node.line_payload() {
        Some(raw) if node.document().rules().tagged.metadata.is_raw() => raw.trim().to_owned(),
        _ => node.text().trim().to_owned(),
    }
}
