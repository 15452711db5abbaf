//! The plan of how the types of a document are said by other rules.

use super::shapes::{Key, Tags, above};
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

/// The way in which the types of a document are said by other rules.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) lines: Vec<PreambleLine<'static>>,
    /// The losses of the header, with the structures where it stands.
    pub(super) losses: Vec<Loss>,
    /// The tags of the document, by number.
    pub(super) tags: Tags,
    /// Tags that are not those of the document.
    pub(super) other: HashMap<Key, Box<str>>,
    /// The type of a structure, where the document has one of its own for it.
    pub(super) own: HashMap<Key, Arc<str>>,
}

/// A loss, with the structure where it stands.
pub(super) type Loss = (NodeId, Code, String);

/// Finds the structures whose own type will not be read back.
pub(super) struct Changes {
    resolver: Resolver,
}

impl Plan {
    /// From a schema with references: one that says all itself.
    pub(super) fn in_place(brought: &SourceSchema, schema: &Schema, to: &Rules) -> Plan {
        let mut plan =
            Plan { lines: schema.to_lines(to, SchemaForm::Inline).unwrap_or_default(), ..Plan::default() };
        let references = schema.references().iter().filter(|one| one.at_hand);
        let at_hand: HashSet<&str> = references.map(|one| &*one.iri).collect();
        for line in brought.lines.iter().filter(|line| line.is_reference()) {
            let iri = &*line.payload;
            if !at_hand.contains(iri) && !builtin::known(iri) {
                let message = format!("the schema `{}` is not available", crate::brief::brief(iri));
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

    /// The tags that structures of a run get in place of their own, by the indices of its nodes; `lost`
    /// takes note of its structures whose own type will not be read back. `column` are the types it has.
    pub(super) fn look_at(
        &self,
        run: &Document<'_>,
        column: &TypeColumn,
        changes: &mut Changes,
        lost: &mut TypesLost,
    ) -> Vec<Option<&str>> {
        let resolver = &mut changes.resolver;
        let mut others = vec![None; run.len()];
        let mut read: Vec<TypeId> = vec![TypeId::UNDEFINED; run.len()];
        for node in run.structures() {
            // A tag without a number was not planned.
            let key = self.tags.known(node.tag()).map(|tag| Key::of(run, node, column, tag));
            let own = key.and_then(|key| self.own.get(&key));
            let mut other = key.and_then(|key| self.other.get(&key)).map(|tag| &**tag);
            let index = node.id().index();
            let above = above(run, node, &read, |of| of);
            let mut found = resolver.resolve(above, other.unwrap_or_else(|| node.tag()));
            if let Some(own) = own
                && other.is_some()
                && resolver.iri(found) != Some(own)
                && is_ordinary(node.tag())
            {
                // Under another type, the new tag may have no meaning, while the original tag has the right one.
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
                lost.add(node, tag, iri, resolver.iri(found).unwrap_or("nothing"));
            }
        }
        others
    }

    pub(super) fn line(&mut self, level: u32, tag: &'static str, payload: String) {
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
