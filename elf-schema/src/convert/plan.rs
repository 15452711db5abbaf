//! The plan of how the types of a document are said by other rules.

use super::shapes::{Key, Shapes, Tags, TypeOutcome, Way, above, is_definable, is_reserved, own_type};
use super::source_schema::SourceSchema;
use super::types_lost::TypesLost;
use crate::builtin;
use crate::builtin::DATA_MODEL;
use crate::column::TypeColumn;
use crate::dictionary::Dictionary;
use crate::ids::TypeId;
use crate::read_options::ReadOptions;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::term;
use crate::write::SchemaForm;
use elf_base::{Code, Rules, codes};
use elf_tagged::write::{Preamble, PreambleLine, WriteOptions, Writer, is_ordinary};
use elf_tagged::{Document, NodeId};
use indexmap::{IndexMap, IndexSet};
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Bound;
use std::sync::Arc;

/// The way in which the types of a document are said by other rules.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) lines: Vec<PreambleLine<'static>>,
    /// The losses of the header, with the structures where it stands.
    pub(super) losses: Vec<Loss>,
    /// The tags of the document, by number.
    tags: Tags,
    /// Tags that are not those of the document.
    other: HashMap<Key, Box<str>>,
    /// The type of a structure, where the document has one of its own for it.
    own: HashMap<Key, Arc<str>>,
}

/// A loss, with the structure where it stands.
pub(super) type Loss = (NodeId, Code, String);

/// Finds the structures whose own type will not be read back.
pub(super) struct Changes {
    resolver: Resolver,
}

/// The tags of a type, and the types beneath which it has them.
type TagsOfType = IndexMap<Box<str>, IndexSet<Arc<str>>>;

impl Shapes {
    /// Plans how the types of structures of these kinds are said by `to`; `source` gives them the numbers
    /// they have.
    pub(super) fn plan(self, brought: &SourceSchema, source: &Resolver, to: &Rules) -> Plan {
        match &self.way {
            Way::ToSchema(dictionary) => {
                let dictionary = Arc::clone(dictionary);
                Plan::to_schema(self, &dictionary, brought, to)
            }
            Way::ToDictionary => Plan::to_dictionary(self, brought, source),
        }
    }
}

impl Plan {
    /// From a dictionary: definitions in the contexts in which the tags stand.
    fn to_schema(mut shapes: Shapes, dictionary: &Dictionary, brought: &SourceSchema, to: &Rules) -> Plan {
        let mut plan = Plan { lines: base_lines(&shapes.base, to), ..Plan::default() };
        let mut fresh = Fresh::of(&shapes.tags, &shapes.base);
        let mut definitions: IndexMap<Arc<str>, TagsOfType> = IndexMap::new();
        let mut spellings: HashMap<(TypeOutcome, u32), Box<str>> = HashMap::new();
        let mut used: BTreeSet<Box<str>> = BTreeSet::new();
        for shape in shapes.met.keys().copied().collect::<Vec<_>>() {
            let tag: Box<str> = shapes.tags.get(shape.key.tag).into();
            let Some(iri) = own_type(dictionary, &tag) else {
                // One that no schema can name is lost where it is met.
                let unnamed = dictionary.resolve(&tag).filter(|iri| !term::survives_uri(iri));
                plan.own.extend(unnamed.map(|iri| (shape.key, Arc::from(iri))));
                continue;
            };
            let iri: Arc<str> = iri.into();
            used.insert(tag.clone());
            plan.own.entry(shape.key).or_insert_with(|| Arc::clone(&iri));
            if is_reserved(&iri, &shapes.base) || spellings.contains_key(&(shape.above, shape.key.tag)) {
                // One type of a superstructure may have come of several.
                if let Some(spelled) = spellings.get(&(shape.above, shape.key.tag))
                    && *spelled != tag
                {
                    plan.other.entry(shape.key).or_insert_with(|| spelled.clone());
                }
                continue;
            }
            let found = shapes.standard(shape, &tag);
            let mut spelled = tag.clone();
            if shapes.resolver.iri(found) != Some(&*iri) {
                if shapes.is_taken(found, &tag) {
                    spelled = fresh.tag(&tag, &iri);
                }
                let context = match shape.above {
                    TypeOutcome::Base(of) => Arc::from(shapes.resolver.iri(of).unwrap_or_default()),
                    TypeOutcome::Own(index) => {
                        let own = shapes.types.get_index(index as usize).cloned();
                        own.unwrap_or_else(|| Arc::from(""))
                    }
                };
                let tags = definitions.entry(iri).or_default();
                tags.entry(spelled.clone()).or_default().insert(context);
            }
            if spelled != tag {
                plan.other.insert(shape.key, spelled.clone());
            }
            spellings.insert((shape.above, shape.key.tag), spelled);
        }
        for (iri, tags) in definitions {
            plan.line(2, "IRI", iri.to_string());
            for (tag, contexts) in tags {
                let contexts: Vec<&str> = contexts.iter().map(|context| &**context).collect();
                plan.line(3, "TAG", format!("{tag} {}", contexts.join(" ")));
            }
        }
        plan.lose_entries(brought, dictionary, &used);
        plan.tags = shapes.tags;
        plan
    }

    /// Reports what a dictionary says that no structure needs, or that a schema has no word for.
    fn lose_entries(&mut self, brought: &SourceSchema, dictionary: &Dictionary, used: &BTreeSet<Box<str>>) {
        // What starts with a prefix comes next to it.
        let starts = |prefix: &str| {
            let mut from = used.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
            from.next().is_some_and(|tag| tag.starts_with(prefix))
        };
        let uses_default = dictionary.default_namespace().is_some_and(|namespace| {
            used.iter().any(|tag| dictionary.resolve(tag).is_some_and(|iri| iri.starts_with(namespace)))
        });
        for line in &brought.lines {
            if line.level == 2 {
                // Nothing beneath a pseudo-structure is read (O17 §4.2).
                let message = format!("a schema has no place for `{}`", crate::brief::brief(&line.tag));
                self.losses.push((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
            }
            if line.level > 1 {
                continue;
            }
            let mut words = line.payload.split_ascii_whitespace();
            let (Some(key), more) = (words.next(), words.count()) else { continue };
            let message = match &*line.tag {
                "DEFN" if !names_a_term(dictionary, key) => {
                    format!("the IRI of {key} changes as a URI, so no schema can name it")
                }
                "DEFN" if !used.contains(key) => format!("nothing has the tag {key}, so it is not defined"),
                "DEFN" if more > 1 => format!("a schema has one type for {key}: the other IRIs are left out"),
                "PRFX" if more > 0 && !starts(key) => {
                    format!("no tag starts with {key}, so the prefix is not carried over")
                }
                "PRFX" if more == 0 && dictionary.default_namespace() != Some(key) => {
                    "another namespace is the default one already".to_owned()
                }
                "PRFX" if more == 0 && !uses_default => {
                    "no tag is of the default namespace, so it is not carried over".to_owned()
                }
                _ => continue,
            };
            self.losses.push((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
        }
    }

    /// From a schema: a mapping for each tag that has a type of the file's own.
    fn to_dictionary(mut shapes: Shapes, brought: &SourceSchema, source: &Resolver) -> Plan {
        let mut plan = Plan::default();
        let mut fresh = Fresh::of(&shapes.tags, &shapes.base);
        let mut standard: HashSet<u32> = HashSet::new();
        let mut own: IndexMap<(u32, Arc<str>), Vec<Key>> = IndexMap::new();
        for shape in shapes.met.keys().copied().collect::<Vec<_>>() {
            let tag: Box<str> = shapes.tags.get(shape.key.tag).into();
            let iri = shape.key.iri(source);
            let found = shapes.standard(shape, &tag);
            if shapes.is_standard(found, iri, &tag) {
                standard.insert(shape.key.tag);
            } else if let Entry::Vacant(vacant) = plan.own.entry(shape.key) {
                let iri = vacant.insert(iri.into());
                own.entry((shape.key.tag, Arc::clone(iri))).or_default().push(shape.key);
            }
        }
        let mut mapped: IndexMap<Box<str>, Arc<str>> = IndexMap::new();
        for ((number, iri), keys) in own {
            let tag = shapes.tags.get(number);
            let free = !standard.contains(&number) && is_definable(tag);
            let spelled = match mapped.get(tag) {
                None if free => tag.into(),
                Some(other) if *other == iri => tag.into(),
                _ => fresh.tag(tag, &iri),
            };
            if *spelled != *tag {
                plan.other.extend(keys.into_iter().map(|key| (key, spelled.clone())));
            }
            mapped.insert(spelled, iri);
        }
        for (tag, iri) in &mapped {
            plan.line(1, "DEFN", format!("{tag} {iri}"));
        }
        let mut tags: HashSet<&str> = plan.own.keys().map(|key| shapes.tags.get(key.tag)).collect();
        tags.extend(mapped.keys().map(|tag| &**tag));
        let types: HashSet<(&str, &str)> =
            plan.own.iter().map(|(key, iri)| (shapes.tags.get(key.tag), &**iri)).collect();
        let tagged = brought.superstructures_of("TAG");
        let mut current = Cow::Borrowed("");
        for (number, line) in brought.lines.iter().enumerate() {
            if line.level == 2 {
                current = source.schema().prefixes().expand(line.payload.trim());
            }
            let message = match &*line.tag {
                _ if line.is_damaged => continue,
                "SCHMA" if line.is_reference() && !builtin::known(&line.payload) => {
                    "a dictionary cannot refer to a schema".to_owned()
                }
                "ISA" => "a dictionary has no supertypes".to_owned(),
                "IRI" if !tagged.contains(&number) => {
                    "a dictionary has no place for a type without a tag".to_owned()
                }
                "TAG" => match line.payload.split_ascii_whitespace().next() {
                    Some(tag) if !tags.contains(tag) => {
                        format!("nothing has the tag {tag}, so it is not defined")
                    }
                    Some(tag) if !types.contains(&(tag, &*current)) => {
                        let current = crate::brief::brief(&current);
                        format!("no {tag} has the type {current}, so it is not defined")
                    }
                    _ => continue,
                },
                "SCHMA" | "IRI" => continue,
                // Prefixes only shorten, and in 2017 all escapes are kept (O17 §5.4).
                "PRFX" | "ESC" if line.level == 2 && line.payload.split_ascii_whitespace().count() == 2 => {
                    continue;
                }
                _ if line.has_fault() => continue,
                tag => format!("a dictionary has no place for `{}`", crate::brief::brief(tag)),
            };
            plan.losses.push((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
        }
        plan.tags = shapes.tags;
        plan
    }

    /// From a schema with references: one that says all itself.
    pub(super) fn in_place(brought: &SourceSchema, schema: &Schema, to: &Rules) -> Plan {
        let mut plan =
            Plan { lines: schema.to_lines(to, SchemaForm::Inline).unwrap_or_default(), ..Plan::default() };
        let references = schema.references().iter().filter(|one| one.at_hand);
        let at_hand: HashSet<&str> = references.map(|one| &*one.iri).collect();
        for line in brought.lines.iter().filter(|line| line.is_reference()) {
            let iri = &*line.payload;
            if !at_hand.contains(iri) && !builtin::known(iri) {
                let message = format!("the schema `{}` is not at hand", crate::brief::brief(iri));
                plan.losses.push((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
            }
        }
        plan
    }

    /// Returns what finds the structures whose own type will not be read back, by the header that `to` will
    /// have; `None` where no structure has a type of the file's own.
    pub(super) fn changes(&self, to: &Rules) -> Option<Changes> {
        if self.own.is_empty() {
            return None;
        }
        Some(Changes { resolver: resolver_of(self.lines.clone(), to)? })
    }

    /// The tags that structures of a part get in place of their own, by the indices of its nodes; `lost`
    /// takes note of its structures whose own type will not be read back. `column` are the types it has.
    pub(super) fn look_at(
        &self,
        part: &Document<'_>,
        column: &TypeColumn,
        changes: &mut Changes,
        lost: &mut TypesLost,
    ) -> Vec<Option<&str>> {
        let resolver = &mut changes.resolver;
        let mut others = vec![None; part.len()];
        let mut read: Vec<TypeId> = vec![TypeId::UNDEFINED; part.len()];
        for node in part.structures() {
            let key = Key::of(part, node, column, self.tags.known(node.tag()));
            let mut other = self.other.get(&key).map(|tag| &**tag);
            let index = node.id().index();
            let above = above(part, node, &read, |of| of);
            let mut found = resolver.resolve(above, other.unwrap_or_else(|| node.tag()));
            if let Some(own) = self.own.get(&key)
                && other.is_some()
                && resolver.iri(found) != Some(own)
                && is_ordinary(node.tag())
            {
                // Beneath another type the other tag means nothing, and its own may mean what it should.
                let plain = resolver.resolve(above, node.tag());
                if resolver.iri(plain) == Some(own) || resolver.is_undefined(plain) {
                    (other, found) = (None, plain);
                }
            }
            let tag = other.unwrap_or_else(|| node.tag());
            if let (Some(entry), Some(read)) = (others.get_mut(index), read.get_mut(index)) {
                (*entry, *read) = (other, found);
            }
            if let Some(iri) = self.own.get(&key)
                && resolver.iri(found) != Some(iri)
            {
                lost.add(node, tag, iri, resolver.iri(found).unwrap_or("nothing"));
            }
        }
        others
    }

    fn line(&mut self, level: u32, tag: &'static str, payload: String) {
        self.lines.push(PreambleLine::new(level, tag, payload));
    }
}

/// Returns what gives types in a file of `rules` with that schema.
pub(super) fn resolver_of(schema: Vec<PreambleLine<'static>>, rules: &Rules) -> Option<Resolver> {
    let preamble = Preamble::new().with_schema(Some(schema));
    let (mut header, mut findings) = (Vec::new(), ());
    let mut writer = Writer::new(&mut header, rules, &WriteOptions::new(), &mut findings).ok()?;
    writer.head(&preamble).ok()?;
    writer.finish().ok()?;
    let typed = crate::read(&header, rules, &ReadOptions::default(), &mut ()).ok()?;
    Some(match typed.typing().dictionary() {
        Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
        None => Resolver::new(Arc::clone(typed.schema())),
    })
}

/// Returns whether the type of a tag has an IRI that can be the name of a term (Basic Concepts §4.1).
fn names_a_term(dictionary: &Dictionary, tag: &str) -> bool {
    dictionary.resolve(tag).is_none_or(|iri| term::survives_uri(&iri))
}

/// The lines of a schema that has the default one in it.
fn base_lines(base: &Schema, rules: &Rules) -> Vec<PreambleLine<'static>> {
    let mechanism = rules.schema.mechanism;
    if mechanism.may_refer() {
        vec![PreambleLine::new(1, "SCHMA", ""), PreambleLine::new(2, "SCHMA", DATA_MODEL)]
    } else if mechanism.is_inline() {
        base.to_lines(rules, SchemaForm::Inline).unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// Tags that no structure of a document has, nor the default schema.
struct Fresh {
    taken: HashSet<Box<str>>,
    given: HashMap<(Box<str>, Arc<str>), Box<str>>,
    /// The last number that a tag was made with.
    numbers: HashMap<Box<str>, u64>,
}

impl Fresh {
    fn of(tags: &Tags, base: &Schema) -> Fresh {
        let of_base = base.definitions().map(|one| one.tag().into());
        let taken = tags.0.iter().cloned().chain(of_base).collect();
        Fresh { taken, given: HashMap::new(), numbers: HashMap::new() }
    }

    /// A tag like that one, the same for the same type.
    fn tag(&mut self, tag: &str, iri: &Arc<str>) -> Box<str> {
        let key = (Box::from(tag), Arc::clone(iri));
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let stem = if tag.starts_with('_') { tag.to_owned() } else { format!("_{tag}") };
        let number = self.numbers.entry(stem.as_str().into()).or_default();
        let new = loop {
            *number += 1;
            let new = if *number == 1 { stem.clone() } else { format!("{stem}{number}") };
            if self.taken.insert(new.as_str().into()) {
                break Box::<str>::from(new);
            }
        };
        self.given.insert(key, new.clone());
        new
    }
}
