//! The schema of the output, if input and output have schemas.
//!
//! The schema of the input is written, as far as the output can express it. Types that only the completed schema
//! defines are written as definitions beside a reference to the default schema, if they are in use (docs/readings.md,
//! C02).

use super::shapes::entry_above;
use super::source_schema::SourceSchema;
use crate::budget::Budget;
use crate::ids::TypeId;
use crate::provenance::Origin;
use crate::read_options::ReadOptions;
use crate::reserved::is_reserved_type;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::term;
use crate::write::SchemaForm;
use elf_base::Rules;
use elf_tagged::Document;
use elf_tagged::escape::EscapeTable;
use elf_tagged::write::{Preamble, PreambleLine, WriteOptions, Writer};
use std::collections::HashSet;
use std::sync::Arc;

pub(super) struct OutputSchema {
    to: Rules,
    /// SCHMA with its substructures; `None` if the output has no schema.
    lines: Option<Vec<PreambleLine<'static>>>,
    /// The schema that readers of the header will use.
    schema: Arc<Schema>,
    /// Definitions that may have to be added.
    missing: Option<Missing>,
    /// True if structures may still lose their types.
    may_lose: bool,
}

/// Definitions that only the completed schema has, and those of them that are in use.
struct Missing {
    /// Finds types by the schema of the output with all missing definitions.
    resolver: Resolver,
    /// The numbers of tag definitions and supertype definitions in the output's own schema.
    own: (usize, usize),
    /// The tags found so far, with the types of their superstructures.
    met: HashSet<(TypeId, Box<str>)>,
}

impl OutputSchema {
    /// Creates the schema of a file of `to` with these lines in its header. `source` has found the types of the
    /// structures, with the options `read`, in a file of `from`.
    pub(super) fn new(
        lines: Option<Vec<PreambleLine<'static>>>,
        source: &Schema,
        read: &ReadOptions<'_>,
        from: &Rules,
        to: &Rules,
    ) -> Option<OutputSchema> {
        let inline = to.schema.mechanism.is_inline();
        let mut reader = *to;
        if !inline {
            // Rules that only store SCHMA do not make the built-in schemas part of the file.
            reader.schema.default = from.schema.default;
        }
        let schema = read_back(lines.clone(), read, &reader)?;
        let is_known = !inline && source.is_built_in() || schema.states_the_same_as(source);
        let missing = if is_known || !inline { None } else { Missing::find_missing(&schema, source) };
        let full =
            missing.as_ref().is_some_and(|missing| missing.resolver.schema().states_the_same_as(source));
        Some(OutputSchema { to: *to, lines, schema, missing, may_lose: !is_known && !full })
    }

    /// Returns whether no structures need to be studied.
    pub(super) const fn is_settled(&self) -> bool {
        self.missing.is_none()
    }

    pub(super) fn study(&mut self, run: &Document<'_>) {
        if let Some(missing) = &mut self.missing {
            missing.study(run);
        }
    }

    /// Returns the lines of the schema, with the missing definitions that are in use, and a resolver for the output if
    /// structures may lose their types.
    pub(super) fn into_lines(self) -> (Option<Vec<PreambleLine<'static>>>, Option<Resolver>) {
        let OutputSchema { to, lines, schema, missing, may_lose } = self;
        let completed = missing.and_then(|missing| missing.in_use(&schema));
        let (lines, schema) = match completed {
            Some(schema) => (schema.to_lines(&to, SchemaForm::Reference), Arc::new(schema)),
            None => (lines, schema),
        };
        (lines, may_lose.then(|| Resolver::new(schema)))
    }
}

impl Missing {
    /// Returns the definitions of the completed schema that `source` has and `output` lacks; `None` if there are none.
    fn find_missing(output: &Schema, source: &Schema) -> Option<Missing> {
        let mut full = output.clone();
        let own = (full.content().definitions.len(), full.supertype_count());
        let iri = |of: TypeId| source.known_iri(of);
        let known: HashSet<(&str, &str)> = output
            .content()
            .supertypes
            .iter()
            .map(|one| (output.known_iri(one.subtype), output.known_iri(one.supertype)))
            .collect();
        for one in source.content().supertypes.iter().filter(|one| one.provenance.origin == Origin::Completed)
        {
            if !known.contains(&(iri(one.subtype), iri(one.supertype))) {
                let [below, above] = [one.subtype, one.supertype].map(|of| full.intern(iri(of)));
                full.declare(below, one.provenance.clone());
                full.add_supertype(below, above, one.provenance.clone());
            }
        }
        let known: HashSet<_> =
            output.definitions().map(|one| (one.tag(), one.superstructure(), one.structure_type())).collect();
        for one in source.definitions().filter(|one| one.provenance().origin == Origin::Completed) {
            if !known.contains(&(one.tag(), one.superstructure(), one.structure_type())) {
                let [above, of] = [one.superstructure(), one.structure_type()].map(|of| full.intern(of));
                full.declare(of, one.provenance().clone());
                full.add_definition(one.tag(), above, of, one.provenance().clone());
            }
        }
        let is_more = (full.content().definitions.len(), full.supertype_count()) != own;
        is_more.then(|| Missing { resolver: Resolver::new(Arc::new(full)), own, met: HashSet::new() })
    }

    fn study(&mut self, run: &Document<'_>) {
        let mut column: Vec<TypeId> = vec![TypeId::UNDEFINED; run.len()];
        for node in run.structures() {
            let above = entry_above(run, node, &column, |of| of);
            let found = self.resolver.resolve(above, node.tag());
            column[node.id().index()] = found;
            if above.index() < self.resolver.schema().len() && !self.met.contains(&(above, node.tag().into()))
            {
                self.met.insert((above, node.tag().into()));
            }
        }
    }

    /// Returns `output` with the missing definitions that are in use, if there are any.
    fn in_use(self, output: &Schema) -> Option<Schema> {
        let full = self.resolver.schema();
        let (definitions, edges) = self.own;
        let mut above: HashSet<TypeId> = HashSet::new();
        let mut used: Vec<u32> = Vec::new();
        let tags: HashSet<(TypeId, &str)> = self.met.iter().map(|(of, tag)| (*of, &**tag)).collect();
        let types: HashSet<TypeId> = tags.iter().map(|(of, _)| *of).collect();
        for &of in &types {
            for passed in full.eventual_supertypes(of) {
                above.insert(passed);
                let own = full.content().definitions_in(passed).iter();
                used.extend(own.copied().filter(|&number| {
                    let tag = full.content().definition(number).tag;
                    number as usize >= definitions && tags.contains(&(of, full.tag(tag)))
                }));
            }
        }
        used.sort_unstable();
        used.dedup();
        let in_use: Vec<_> = used.iter().map(|&number| full.content().definition(number)).collect();
        // When a type is added, its supertypes are added with it.
        for one in &in_use {
            above.extend(full.eventual_supertypes(one.structure_type));
        }
        let mut schema = output.clone();
        let mut is_more = false;
        for one in full.content().supertypes.iter().skip(edges).filter(|one| above.contains(&one.subtype)) {
            let [below, above] = [one.subtype, one.supertype].map(|of| schema.intern(full.known_iri(of)));
            schema.declare(below, one.provenance.clone());
            schema.add_supertype(below, above, one.provenance.clone());
            is_more = true;
        }
        for one in in_use {
            let [above, of] =
                [one.superstructure, one.structure_type].map(|of| schema.intern(full.known_iri(of)));
            schema.declare(of, one.provenance.clone());
            schema.add_definition(full.tag(one.tag), above, of, one.provenance.clone());
            is_more = true;
        }
        is_more.then_some(schema)
    }
}

/// Returns the schema of a file of `rules` with these lines in its header.
pub(super) fn read_back(
    lines: Option<Vec<PreambleLine<'static>>>,
    read: &ReadOptions<'_>,
    rules: &Rules,
) -> Option<Arc<Schema>> {
    let (mut header, mut findings) = (Vec::new(), ());
    let mut writer = Writer::new(&mut header, rules, &WriteOptions::new(), &mut findings).ok()?;
    writer.head(&Preamble::new().with_schema(lines)).ok()?;
    writer.finish().ok()?;
    let options = ReadOptions::default().with_external(read.external);
    let typed = crate::read(&header, rules, &options, &mut ()).ok()?;
    Some(Arc::clone(typed.schema()))
}

/// Returns the escapes that readers of a file of `to` with these lines preserve, with the external schemas of `read`.
pub(super) fn escapes_of(
    lines: Option<&[PreambleLine<'_>]>,
    read: &ReadOptions<'_>,
    to: &Rules,
) -> Option<EscapeTable> {
    lines.map(|lines| read.table_of_header(lines, to))
}

impl Schema {
    /// Returns this schema without conflicting definitions, without those in faulty lines, and without types whose IRIs
    /// are not terms: writers must not write those (J19 §4.2).
    pub(super) fn without_faults(&self, source: &SourceSchema) -> Schema {
        let lines = &source.faulty_lines;
        let conflicts: HashSet<u32> = self.find_conflicting();
        let stands = |provenance: &crate::Provenance| {
            provenance.origin != Origin::File
                || provenance.place.is_none_or(|place| !lines.contains(&place.line))
        };
        let is_term = |of: TypeId| term::survives_uri(self.known_iri(of));
        let mut schema = Schema::empty();
        schema.definitions_mut().prefixes = self.content().prefixes.clone();
        schema.definitions_mut().references.clone_from(&self.content().references);
        schema.definitions_mut().escapes =
            self.content().escapes.iter().filter(|one| stands(&one.provenance)).cloned().collect();
        for (of, iri) in self.types().filter(|(of, _)| is_term(*of)) {
            let new = schema.intern(iri);
            if let Some(declared) = self.declared(of).filter(|declared| stands(declared)) {
                schema.declare(new, declared.clone());
            }
        }
        for one in self.content().supertypes.iter().filter(|one| stands(&one.provenance)) {
            if is_term(one.subtype) && is_term(one.supertype) {
                let [below, above] = [one.subtype, one.supertype].map(|of| schema.intern(self.known_iri(of)));
                schema.add_supertype(below, above, one.provenance.clone());
            }
        }
        for (number, one) in (0..).zip(&self.content().definitions) {
            let is_said = || {
                let names = [one.superstructure, one.structure_type].map(|of| self.known_iri(of));
                source.has_definition(self.tag(one.tag), names[0], names[1])
            };
            let is_good = (stands(&one.provenance) || is_said())
                && !conflicts.contains(&number)
                && is_term(one.superstructure)
                && is_term(one.structure_type)
                && !is_reserved_type(self.known_iri(one.structure_type), one.structure_type);
            if is_good {
                let [above, of] =
                    [one.superstructure, one.structure_type].map(|of| schema.intern(self.known_iri(of)));
                schema.add_definition(self.tag(one.tag), above, of, one.provenance.clone());
            }
        }
        schema
    }

    pub(super) fn find_conflicting(&self) -> HashSet<u32> {
        let found = self.conflicts_within(&mut Budget::with_steps(Budget::CONFLICTS));
        found.into_iter().flat_map(|conflict| conflict.definitions).collect()
    }
}
