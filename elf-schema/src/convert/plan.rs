//! Plans how the types of a document are expressed under other rules.

use super::shapes::{Key, Tags, entry_above};
use super::source_schema::SourceSchema;
use super::types_lost::TypesLost;
use crate::builtin;
use crate::column::TypeColumn;
use crate::ids::TypeId;
use crate::read_options::ReadOptions;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::write::SchemaForm;
use elf_base::{Code, Rules, codes};
use elf_tagged::write::{Preamble, PreambleLine, WriteOptions, Writer, is_ordinary};
use elf_tagged::{Document, NodeId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How the types of a document are expressed under other rules.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) lines: Vec<PreambleLine<'static>>,
    pub(super) losses: Vec<Loss>,
    /// The tags of the document, by number.
    pub(super) tags: Tags,
    /// The new tags of structures whose tag changes.
    pub(super) other: HashMap<Key, Box<str>>,
    /// The types of structures that the file defines itself.
    pub(super) own: HashMap<Key, Arc<str>>,
}

/// The structure, the code and the message of a loss.
pub(super) type Loss = (NodeId, Code, String);

/// Finds structures whose custom type will not be read back.
pub(super) struct TypeChangeFinder {
    resolver: Resolver,
}

impl Plan {
    /// Plans to replace references to schemas by definitions.
    pub(super) fn with_definitions_in_place(brought: &SourceSchema, schema: &Schema, to: &Rules) -> Plan {
        let mut plan =
            Plan { lines: schema.to_lines(to, SchemaForm::Inline).unwrap_or_default(), ..Plan::default() };
        let references = schema.references().iter().filter(|one| one.at_hand);
        let at_hand: HashSet<&str> = references.map(|one| &*one.iri).collect();
        for line in brought.lines.iter().filter(|line| line.is_reference()) {
            let iri = &*line.payload;
            if !at_hand.contains(iri) && !builtin::is_built_in_iri(iri) {
                let message = format!("the schema `{}` is not available", crate::brief::shorten_text(iri));
                plan.losses.push((line.node, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
            }
        }
        plan
    }

    /// Returns a finder for structures whose custom type will not be read back from a file of `to`; `None` if the file
    /// defines no types itself.
    pub(super) fn new_change_finder(&self, to: &Rules) -> Option<TypeChangeFinder> {
        if self.own.is_empty() {
            return None;
        }
        Some(TypeChangeFinder { resolver: resolver_for_schema(self.lines.clone(), to)? })
    }

    /// Returns the new tags of the structures of a run, by node. Structures whose custom type will not be read back are
    /// added to `lost`. `column` has their current types.
    pub(super) fn retag_run(
        &self,
        run: &Document<'_>,
        column: &TypeColumn,
        changes: &mut TypeChangeFinder,
        lost: &mut TypesLost,
    ) -> Vec<Option<&str>> {
        let resolver = &mut changes.resolver;
        let mut others = vec![None; run.len()];
        let mut read: Vec<TypeId> = vec![TypeId::UNDEFINED; run.len()];
        for node in run.structures() {
            // A tag without a number is not part of the plan.
            let key = self.tags.number_of_known(node.tag()).map(|tag| Key::of(run, node, column, tag));
            let own = key.and_then(|key| self.own.get(&key));
            let mut other = key.and_then(|key| self.other.get(&key)).map(|tag| &**tag);
            let index = node.id().index();
            let above = entry_above(run, node, &read, |of| of);
            let mut found = resolver.resolve(above, other.unwrap_or_else(|| node.tag()));
            if let Some(own) = own
                && other.is_some()
                && resolver.iri(found) != Some(own)
                && is_ordinary(node.tag())
            {
                // Under another superstructure, the new tag may be unknown and the original tag right.
                let plain = resolver.resolve(above, node.tag());
                if resolver.iri(plain) == Some(own) || resolver.is_undefined(plain) {
                    (other, found) = (None, plain);
                }
            }
            let tag = other.unwrap_or_else(|| node.tag());
            (others[index], read[index]) = (other, found);
            if let Some(iri) = own
                && resolver.iri(found) != Some(iri)
            {
                lost.add_structure(node, tag, iri, resolver.iri(found).unwrap_or("nothing"));
            }
        }
        others
    }

    pub(super) fn push_line(&mut self, level: u32, tag: &'static str, payload: String) {
        self.lines.push(PreambleLine::new(level, tag, payload));
    }
}

/// Returns the resolver for a file of `rules` with this schema.
pub(super) fn resolver_for_schema(schema: Vec<PreambleLine<'static>>, rules: &Rules) -> Option<Resolver> {
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
