//! Converts a schema to a dictionary of 2017: a mapping for each tag whose type the file defines.

use super::plan::Plan;
use super::shapes::{Key, Shapes, is_definable};
use super::source_schema::{Line, SourceSchema};
use super::unused_tags::UnusedTags;
use crate::brief::shorten_text;
use crate::builtin;
use crate::resolve::Resolver;
use elf_base::codes;
use indexmap::IndexMap;
use std::borrow::Cow;
use std::collections::HashSet;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Plans a dictionary for these shapes. `source` finds the types that they have now.
pub(super) fn plan_dictionary(shapes: Shapes, brought: &SourceSchema, source: &Resolver) -> Plan {
    let mut planner = Planner { plan: Plan::default(), shapes, mapped: IndexMap::new() };
    planner.map_tags(source);
    planner.write_mappings();
    planner.report_lost_statements(brought, source);
    Plan { tags: planner.shapes.tags, ..planner.plan }
}

struct Planner {
    plan: Plan,
    shapes: Shapes,
    /// The tags of the dictionary with their types.
    mapped: IndexMap<Box<str>, Arc<str>>,
}

/// The tags and types of the structures, as far as a dictionary can express them.
struct Expressible<'p> {
    tags: HashSet<&'p str>,
    /// Pairs of a tag and its type.
    types: HashSet<(&'p str, &'p str)>,
}

impl Planner {
    /// Maps each tag whose type the file defines: the tag itself if it has only this type, otherwise a new tag.
    fn map_tags(&mut self, source: &Resolver) {
        let shapes = &mut self.shapes;
        let mut unused = UnusedTags::of(&shapes.tags, &shapes.base);
        let mut standard: HashSet<usize> = HashSet::new();
        let mut own: IndexMap<(usize, Arc<str>), Vec<Key>> = IndexMap::new();
        for shape in shapes.met.keys().copied().collect::<Vec<_>>() {
            let tag: Box<str> = shapes.tags.get(shape.key.tag).into();
            let iri = shape.key.iri(source);
            let found = shapes.standard_type(shape, &tag);
            if shapes.is_standard(found, iri, &tag) {
                standard.insert(shape.key.tag);
            } else if let Entry::Vacant(vacant) = self.plan.own.entry(shape.key) {
                let iri = vacant.insert(iri.into());
                own.entry((shape.key.tag, Arc::clone(iri))).or_default().push(shape.key);
            }
        }
        for ((number, iri), keys) in own {
            let tag = shapes.tags.get(number);
            let free = !standard.contains(&number) && is_definable(tag);
            let spelled = match self.mapped.get(tag) {
                None if free => tag.into(),
                Some(other) if *other == iri => tag.into(),
                _ => unused.similar_tag(tag, &iri),
            };
            if *spelled != *tag {
                self.plan.other.extend(keys.into_iter().map(|key| (key, spelled.clone())));
            }
            self.mapped.insert(spelled, iri);
        }
    }

    fn write_mappings(&mut self) {
        for (tag, iri) in &self.mapped {
            self.plan.push_line(1, "DEFN", format!("{tag} {iri}"));
        }
    }

    /// Reports statements of the schema that a dictionary cannot express, or that no structure uses.
    fn report_lost_statements(&mut self, brought: &SourceSchema, source: &Resolver) {
        let own = || self.plan.own.iter().map(|(key, iri)| (self.shapes.tags.get(key.tag), &**iri));
        let expressible = Expressible {
            tags: own().map(|(tag, _)| tag).chain(self.mapped.keys().map(|tag| &**tag)).collect(),
            types: own().collect(),
        };
        let tagged = brought.superstructures_of("TAG");
        let mut losses = Vec::new();
        let mut current = Cow::Borrowed("");
        for (number, line) in brought.lines.iter().enumerate() {
            if line.level == 2 {
                current = source.schema().prefixes().expand(line.payload.trim());
            }
            let message = match &*line.tag {
                _ if line.is_damaged => None,
                "IRI" if tagged.contains(&number) => None,
                "IRI" => Some("a dictionary cannot contain a type without a tag".to_owned()),
                "TAG" => expressible.loss_of_tag(&line.payload, &current),
                _ => loss_of_statement(line),
            };
            if let Some(message) = message {
                losses.push((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
            }
        }
        self.plan.losses = losses;
    }
}

impl Expressible<'_> {
    /// Returns why the definition of a tag for the type `current` is lost, if it is.
    fn loss_of_tag(&self, payload: &str, current: &str) -> Option<String> {
        let tag = payload.split_ascii_whitespace().next()?;
        if !self.tags.contains(tag) {
            Some(format!("left out {tag}: no structure with a type has this tag"))
        } else if !self.types.contains(&(tag, current)) {
            Some(format!("left out the type {}: no {tag} has it", shorten_text(current)))
        } else {
            None
        }
    }
}

/// Returns why a statement of a schema, other than IRI and TAG, is lost, if it is.
fn loss_of_statement(line: &Line) -> Option<String> {
    let is_pair = || line.payload.split_ascii_whitespace().count() == 2;
    match &*line.tag {
        "SCHMA" if line.is_reference() && !builtin::is_built_in_iri(&line.payload) => {
            Some("a dictionary cannot refer to a schema".to_owned())
        }
        "ISA" => Some("a dictionary cannot contain supertypes".to_owned()),
        "SCHMA" => None,
        // Prefixes only shorten, and in 2017 all escapes are kept (O17 §5.4).
        "PRFX" | "ESC" if line.level == 2 && is_pair() => None,
        _ if line.has_fault() => None,
        tag => Some(format!("a dictionary cannot contain `{}`", shorten_text(tag))),
    }
}
