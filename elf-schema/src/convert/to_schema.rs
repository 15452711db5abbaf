//! Converts a dictionary of 2017 to a schema: each tag is defined in the contexts in which it is used.

use super::plan::Plan;
use super::shapes::{Shape, Shapes, TypeOutcome, is_reserved, own_type};
use super::source_schema::SourceSchema;
use super::unused_tags::UnusedTags;
use crate::brief::shorten_text;
use crate::builtin::DATA_MODEL;
use crate::dictionary::Dictionary;
use crate::schema::Schema;
use crate::term;
use crate::write::SchemaForm;
use elf_base::{Rules, codes};
use elf_tagged::write::PreambleLine;
use indexmap::{IndexMap, IndexSet};
use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

/// The tags of a type, each with the superstructure types under which it is used.
type TagsOfType = IndexMap<Box<str>, IndexSet<Arc<str>>>;

/// Plans a schema of rules `to` for these shapes, whose types come from a dictionary.
pub(super) fn plan_schema(
    shapes: Shapes,
    dictionary: &Dictionary,
    brought: &SourceSchema,
    to: &Rules,
) -> Plan {
    let mut planner = Planner {
        plan: Plan { lines: lines_including_base(&shapes.base, to), ..Plan::default() },
        unused: UnusedTags::of(&shapes.tags, &shapes.base),
        definitions: IndexMap::new(),
        spellings: HashMap::new(),
        used: BTreeSet::new(),
        shapes,
        dictionary,
    };
    for shape in planner.shapes.met.keys().copied().collect::<Vec<_>>() {
        planner.add_shape(shape);
    }
    planner.write_definitions();
    planner.report_lost_entries(brought);
    Plan { tags: planner.shapes.tags, ..planner.plan }
}

struct Planner<'d> {
    shapes: Shapes,
    dictionary: &'d Dictionary,
    plan: Plan,
    unused: UnusedTags,
    definitions: IndexMap<Arc<str>, TagsOfType>,
    /// The output tag of each tag under a type.
    spellings: HashMap<(TypeOutcome, usize), Box<str>>,
    /// The tags whose types come from the dictionary.
    used: BTreeSet<Box<str>>,
}

impl Planner<'_> {
    fn add_shape(&mut self, shape: Shape) {
        let tag: Box<str> = self.shapes.tags.get(shape.key.tag).into();
        let Some(iri) = own_type(self.dictionary, &tag) else {
            // A type that a schema cannot name is reported where it occurs.
            let unnamed = self.dictionary.resolve(&tag).filter(|iri| !term::survives_uri(iri));
            self.plan.own.extend(unnamed.map(|iri| (shape.key, Arc::from(iri))));
            return;
        };
        let iri: Arc<str> = iri.into();
        self.used.insert(tag.clone());
        self.plan.own.entry(shape.key).or_insert_with(|| Arc::clone(&iri));
        let spelling = (shape.above, shape.key.tag);
        if let Some(spelled) = self.spellings.get(&spelling) {
            // Several types may become the same type of a superstructure.
            if *spelled != tag {
                self.plan.other.entry(shape.key).or_insert_with(|| spelled.clone());
            }
        } else if !is_reserved(&iri, &self.shapes.base) {
            let spelled = self.choose_tag(shape, &tag, &iri);
            if spelled != tag {
                self.plan.other.insert(shape.key, spelled.clone());
            }
            self.spellings.insert(spelling, spelled);
        }
    }

    /// Returns the output tag for structures of a shape. Defines it, unless the default schema already does.
    fn choose_tag(&mut self, shape: Shape, tag: &str, iri: &Arc<str>) -> Box<str> {
        let found = self.shapes.standard_type(shape, tag);
        if self.shapes.resolver.iri(found) == Some(&**iri) {
            return tag.into();
        }
        let spelled = match self.shapes.is_defined_differently(found, tag) {
            true => self.unused.similar_tag(tag, iri),
            false => tag.into(),
        };
        let context = match shape.above {
            TypeOutcome::Base(of) => Arc::from(self.shapes.resolver.known_iri(of)),
            TypeOutcome::Own(index) => Arc::clone(&self.shapes.types[index]),
        };
        let tags = self.definitions.entry(Arc::clone(iri)).or_default();
        tags.entry(spelled.clone()).or_default().insert(context);
        spelled
    }

    fn write_definitions(&mut self) {
        for (iri, tags) in &self.definitions {
            self.plan.push_line(2, "IRI", iri.to_string());
            for (tag, contexts) in tags {
                let contexts: Vec<&str> = contexts.iter().map(|context| &**context).collect();
                self.plan.push_line(3, "TAG", format!("{tag} {}", contexts.join(" ")));
            }
        }
    }

    /// Reports entries of the dictionary that no structure uses, or that a schema cannot express.
    fn report_lost_entries(&mut self, brought: &SourceSchema) {
        for line in &brought.lines {
            let message = match line.level {
                // Nothing under a pseudo-structure is read (O17 §4.2).
                2 => Some(format!("a schema cannot contain `{}`", shorten_text(&line.tag))),
                1 => self.loss_of_entry(&line.tag, &line.payload),
                _ => None,
            };
            if let Some(message) = message {
                self.plan.losses.push((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
            }
        }
    }

    /// Returns why an entry of the dictionary is lost, if it is.
    fn loss_of_entry(&self, tag: &str, payload: &str) -> Option<String> {
        let mut words = payload.split_ascii_whitespace();
        let (key, more) = (words.next()?, words.count());
        match tag {
            "DEFN" if !names_a_term(self.dictionary, key) => Some(format!(
                "the IRI of {key} changes if it is converted to a URI, so a schema cannot contain it"
            )),
            "DEFN" if !self.used.contains(key) => {
                Some(format!("left out {key}: no structure with a type has this tag"))
            }
            "DEFN" if more > 1 => Some(format!("left out IRIs of {key}: a schema has only one type for it")),
            "PRFX" if more > 0 && !self.uses_prefix(key) => {
                Some(format!("left out the prefix {key}: no tag starts with it"))
            }
            "PRFX" if more == 0 && self.dictionary.default_namespace() != Some(key) => {
                Some("there already is another default namespace".to_owned())
            }
            "PRFX" if more == 0 && !self.uses_default_namespace() => {
                Some("left out the default namespace: no tag is in it".to_owned())
            }
            _ => None,
        }
    }

    fn uses_prefix(&self, prefix: &str) -> bool {
        // Tags that start with the prefix come directly after it in the sorted set.
        let mut from = self.used.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        from.next().is_some_and(|tag| tag.starts_with(prefix))
    }

    fn uses_default_namespace(&self) -> bool {
        let Some(namespace) = self.dictionary.default_namespace() else { return false };
        let mut iris = self.used.iter().filter_map(|tag| self.dictionary.resolve(tag));
        iris.any(|iri| iri.starts_with(namespace))
    }
}

/// Returns whether the IRI of a tag's type can be a term (Basic Concepts §4.1).
fn names_a_term(dictionary: &Dictionary, tag: &str) -> bool {
    dictionary.resolve(tag).is_none_or(|iri| term::survives_uri(&iri))
}

/// Returns the lines of a schema that includes the default one.
fn lines_including_base(base: &Schema, rules: &Rules) -> Vec<PreambleLine<'static>> {
    let mechanism = rules.schema.mechanism;
    if mechanism.may_refer() {
        vec![PreambleLine::new(1, "SCHMA", ""), PreambleLine::new(2, "SCHMA", DATA_MODEL)]
    } else if mechanism.is_inline() {
        base.to_lines(rules, SchemaForm::Inline).unwrap_or_default()
    } else {
        Vec::new()
    }
}
