//! Converts a document to the rules of another draft, with its types: from a dictionary of 2017 to a schema, from a
//! schema to a dictionary, or from references to definitions.
//!
//! Tags of GEDCOM mean the same in every draft, so they stay. Only the types that a file defines itself are converted:
//! those that the default schema, or the default namespace of 2017, does not give the tag there.

mod header_schema;
mod output;
mod plan;
mod shapes;
mod source_schema;
mod to_dictionary;
mod to_schema;
mod types_lost;
mod unused_tags;

use crate::read_options::ReadOptions;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::typing::find_types;
use elf_base::{Rules, Sink, codes};
use elf_tagged::escape::EscapeTable;
use elf_tagged::write::{
    EncodedRun, PreambleLine, Rehearsal, RunEncoder, RunWriter, SchemaOverride, Summary, Survey, WriteError,
    WriteOptions,
};
use elf_tagged::{Document, Node};
pub use header_schema::{HeaderSchema, header_schema};
use output::{OutputSchema, escapes_of};
use plan::{Loss, Plan, TypeChangeFinder, resolver_for_schema};
use shapes::{Direction, Shapes};
use source_schema::SourceSchema;
use std::io;
use std::sync::Arc;
use types_lost::TypesLost;

/// Writes a document as a file under `rules`, like [`elf_tagged::write::write_document`], and also converts the schema
/// or dictionary in its header, so that structures keep their types. `read` contains the options for finding their
/// types.
///
/// If a tag has another type in the output, the structure gets another tag. Definitions that the output cannot express,
/// such as supertypes in a dictionary, are reported at their place and counted as losses. If a file is too large for
/// memory, use a [`Conversion`].
///
/// # Errors
///
/// A [`WriteError`] if the output fails, or the options cannot be satisfied; [`WriteError::Incomplete`] if the rules
/// ended the reading of the document, unless the options [allow it](WriteOptions::partial).
pub fn convert(
    mut document: Document<'_>,
    read: &ReadOptions<'_>,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    let mut conversion = Conversion::new(Survey::of(&document, rules, options)?, read.clone());
    conversion.study(&mut document)?;
    let mut writer = conversion.into_writer(out, sink)?;
    writer.write_run(&mut document)?;
    writer.finish()
}

/// Converts a document that is read in runs; [`convert`] does this for a whole document. Its memory grows with the
/// number of kinds of structures, not with the number of structures.
///
/// The runs are read two or three times: first for the known identifiers of the document and a [`Survey`] of it, then,
/// as long as the conversion [is not settled](Conversion::is_settled), to be studied, and last to be written. Usually,
/// the run with the header settles it. If types must be expressed differently, all runs must be studied.
///
/// ```
/// use elf_schema::{Conversion, ReadOptions, Rules};
/// use elf_tagged::write::{Survey, WriteOptions};
/// use elf_tagged::{Options, Reader};
/// use std::sync::Arc;
///
/// let octets: &[u8] = b"0 HEAD\n1 PRFX X_ http://e.example/\n0 @I1@ INDI\n1 X_LAT 54\n0 INDI\n1 X_LAT 55\n0 TRLR\n";
/// let reader = || Reader::new(octets, &Rules::OCTOBER_2017, &Options::default()).with_run_size(1);
///
/// let mut survey = Survey::new(&Rules::JANUARY_2019, &WriteOptions::new())?;
/// let mut first = reader();
/// while let Some(run) = first.next_run(&mut ())? {
///     survey.add_run(&run);
/// }
/// let known = Arc::new(first.into_known_xrefs());
///
/// let mut conversion = Conversion::new(survey.finish(&known)?, ReadOptions::default());
/// let mut second = reader().with_known_xrefs(known.clone());
/// while !conversion.is_settled() {
///     let Some(mut run) = second.next_run(&mut ())? else { break };
///     conversion.study(&mut run)?;
/// }
///
/// let (mut written, mut losses) = (Vec::new(), ());
/// let mut writer = conversion.into_writer(&mut written, &mut losses)?;
/// let mut third = reader().with_known_xrefs(known);
/// while let Some(mut run) = third.next_run(&mut ())? {
///     writer.write_run(&mut run)?;
/// }
/// assert_eq!((writer.finish()?.records, losses), (2, ()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Conversion<'e> {
    rehearsal: Rehearsal,
    read: ReadOptions<'e>,
    /// Known after the run with the header.
    types: Option<Types>,
    is_studied: bool,
}

/// How the types of the document are converted.
enum Types {
    /// The document defines no types.
    NoTypes,
    Brought(Box<BroughtTypes>),
}

/// The types that the document defines, and how the output expresses them.
struct BroughtTypes {
    brought: SourceSchema,
    resolver: Resolver,
    /// The kinds of structures whose types must be expressed differently.
    shapes: Option<Shapes>,
    /// The schema of the output, if input and output have schemas.
    output: Option<OutputSchema>,
    /// The losses of the header, except faulty lines.
    losses: Vec<Loss>,
    /// True if another schema than that of the header was used, so the schema in the header is left out.
    displaced: bool,
}

impl<'e> Conversion<'e> {
    /// Creates a conversion to the rules of `rehearsal`. `read` contains the options for finding types.
    pub const fn new(rehearsal: Rehearsal, read: ReadOptions<'e>) -> Conversion<'e> {
        Conversion { rehearsal, read, types: None, is_studied: false }
    }

    /// Returns whether enough runs have been studied to write the document.
    pub fn is_settled(&self) -> bool {
        !self.rehearsal.is_needed()
            && match &self.types {
                None => false,
                Some(Types::NoTypes) => true,
                Some(Types::Brought(types)) => {
                    types.shapes.is_none() && types.output.as_ref().is_none_or(OutputSchema::is_settled)
                }
            }
    }

    /// Studies the next run, in the order of the file. It must be read [with the known
    /// identifiers](elf_tagged::Reader::with_known_xrefs).
    ///
    /// # Errors
    ///
    /// A [`WriteError`] if the options of the survey cannot be satisfied.
    pub fn study(&mut self, run: &mut Document<'_>) -> Result<(), WriteError> {
        self.is_studied = true;
        let mut respelled = Vec::new();
        if self.types.is_none() && !run.is_empty() {
            self.types = Some(self.plan_conversion(run));
        }
        if let Some(Types::Brought(types)) = &mut self.types {
            if let Some(shapes) = &mut types.shapes {
                let column = find_types(run, &mut types.resolver, None);
                respelled = shapes.add(run, &column, &types.resolver);
            }
            if let Some(output) = &mut types.output {
                output.study(run);
            }
        }
        // Which tags change is known only at the end, except tags that readers would type differently.
        let is_respelled = |node: Node<'_>| respelled.get(node.id().index()) == Some(&true);
        let tag = |node: Node<'_>| is_respelled(node).then_some("_X");
        self.rehearsal.examine(run, Some(&SchemaOverride::new(None, &tag)))
    }

    /// Finds out from the run with the header how types are converted.
    fn plan_conversion(&self, run: &mut Document<'_>) -> Types {
        let to = self.rehearsal.rules();
        if !to.schema.mechanism.defines_types() {
            // The writer reports the loss of a whole schema of ELF.
            return Types::NoTypes;
        }
        let (resolver, grave) = header_schema::resolver_and_faults(run, &self.read, to);
        // A built-in schema is not a schema of the file.
        let given = self.read.schema.as_deref().filter(|schema| !schema.is_built_in());
        let has_schemas = resolver.dictionary().is_none() && !to.schema.mechanism.is_dictionary();
        let is_default =
            Schema::default_of(to).is_some_and(|default| Arc::ptr_eq(default, resolver.schema()));
        let is_stored = to.schema.mechanism.stores_schema();
        if !SourceSchema::defines_anything(run)
            && given.is_none()
            && (!has_schemas || is_default || is_stored)
        {
            return Types::NoTypes;
        }
        let mut losses = Vec::new();
        // A SCHMA that keeps the default schema is not one of ELF; it may be that of GEDCOM 7.
        let rules = run.rules();
        let is_none = rules.schema.mechanism.is_of_extension_tags()
            || Schema::default_of(rules).is_some_and(|default| Arc::ptr_eq(default, resolver.schema()));
        let is_overruled = self.read.schema.is_some() || is_none;
        let displaced = self.read.schema.is_some() || is_none && !is_stored;
        if displaced {
            losses.extend(source_schema::top_lines(run).map(|top| {
                let message = match self.read.schema {
                    Some(_) => "left out the schema of the header: another schema was used",
                    None if rules.schema.mechanism.is_of_extension_tags() => {
                        "left out of the header: a schema of GEDCOM 7 is not a schema of ELF"
                    }
                    None => "left out of the header: it is not a schema of ELF",
                };
                (top.id(), codes::SCHEMA_CANNOT_BE_WRITTEN, message.to_owned())
            }));
        }
        let mut brought = match given {
            Some(schema) => SourceSchema::from_given(schema, run),
            None if is_overruled => SourceSchema::without_schema(run),
            None => SourceSchema::of(run, &grave, resolver.schema()),
        };
        brought.find_idle_references(to);
        let shapes = Shapes::new_if_needed(&brought, &resolver, to);
        let output = if has_schemas {
            let lines =
                header_schema::of_output(run, &brought, resolver.schema(), &self.read, to, &mut losses);
            OutputSchema::new(lines, resolver.schema(), &self.read, run.rules(), to)
        } else {
            None
        };
        Types::Brought(Box::new(BroughtTypes { brought, resolver, shapes, output, losses, displaced }))
    }

    /// Creates a writer for the document. Losses are reported to `sink`.
    ///
    /// # Errors
    ///
    /// A [`WriteError`] if the options of the survey cannot be satisfied. [`WriteError::Unrehearsed`] if the conversion
    /// [is not settled](Conversion::is_settled) and no run was studied.
    pub fn into_writer<'w, W: io::Write>(
        self,
        out: W,
        sink: &'w mut dyn Sink,
    ) -> Result<ConversionWriter<'w, W>, WriteError> {
        if !self.is_settled() && !self.is_studied {
            return Err(WriteError::Unrehearsed);
        }
        let to = *self.rehearsal.rules();
        let writer = RunWriter::new(out, self.rehearsal, sink)?;
        let carried = match self.types {
            None | Some(Types::NoTypes) => None,
            Some(Types::Brought(types)) => Some(TypeConverter::of(*types, &self.read, &to)),
        };
        Ok(ConversionWriter { writer, carried })
    }
}

/// Writes a document run by run under other rules. [`Conversion::into_writer`] creates it.
#[must_use = "the trailer is written by `finish`"]
pub struct ConversionWriter<'w, W: io::Write> {
    writer: RunWriter<'w, W>,
    carried: Option<TypeConverter>,
}

/// What is needed to convert the types of structures.
struct TypeConverter {
    resolver: Resolver,
    schema: Option<Vec<PreambleLine<'static>>>,
    /// The escapes that readers of the output preserve, if it has a schema.
    escapes: Option<EscapeTable>,
    /// The losses of the header, until the header is written.
    losses: Vec<Loss>,
    plan: Plan,
    changes: Option<TypeChangeFinder>,
    /// The resolver of the output's types, if structures may lose types.
    output: Option<Resolver>,
    lost: TypesLost,
    displaced: bool,
    begun: bool,
}

impl TypeConverter {
    fn of(types: BroughtTypes, read: &ReadOptions<'_>, to: &Rules) -> TypeConverter {
        let BroughtTypes { brought, resolver, shapes, output, mut losses, displaced } = types;
        let plan = match shapes {
            Some(shapes) => plan_types(shapes, &brought, &resolver, to),
            None => Plan::default(),
        };
        let is_planned = brought.needs_translation(to) && output.is_none();
        losses.extend(plan.losses.iter().cloned());
        brought.add_faults(&mut losses);
        let (schema, output) = match output {
            Some(output) => output.into_lines(),
            None if is_planned => (Some(plan.lines.clone()), None),
            None => {
                let lines = brought.without_faults(resolver.schema());
                // If a dictionary has faults, structures lose the types that the faulty lines would define.
                let is_less = resolver.dictionary().is_some() && brought.faults().next().is_some();
                let found =
                    lines.clone().filter(|_| is_less).and_then(|lines| resolver_for_schema(lines, to));
                (lines, found)
            }
        };
        TypeConverter {
            escapes: escapes_of(schema.as_deref(), read, to),
            schema,
            changes: plan.new_change_finder(to),
            losses,
            plan,
            resolver,
            output,
            lost: TypesLost::default(),
            displaced,
            begun: false,
        }
    }

    /// Returns whether nothing after the header is expressed differently.
    const fn writes_unchanged(&self) -> bool {
        self.changes.is_none() && self.output.is_none()
    }
}

impl<W: io::Write> ConversionWriter<'_, W> {
    /// Writes the next run of the document.
    ///
    /// # Errors
    ///
    /// A [`WriteError`] if the output fails; [`WriteError::Incomplete`] if the rules ended the reading in this run.
    pub fn write_run(&mut self, run: &mut Document<'_>) -> Result<(), WriteError> {
        let Some(carried) = &mut self.carried else { return self.writer.run(run, None) };
        let is_plain = carried.writes_unchanged();
        if is_plain && carried.begun {
            return self.writer.run(run, None);
        }
        let TypeConverter { resolver, plan, changes, output, lost, .. } = carried;
        let mut tags = Vec::new();
        if !is_plain {
            let column = find_types(run, resolver, None);
            if let Some(changes) = changes {
                tags = plan.retag_run(run, &column, changes, lost);
            }
            if let Some(output) = output {
                lost.add_changed_types(run, &column, resolver, output);
            }
        }
        let losses = if run.is_empty() { Vec::new() } else { std::mem::take(&mut carried.losses) };
        carried.begun |= !run.is_empty();
        let tag = |node: Node<'_>| tags.get(node.id().index()).copied().flatten();
        let schema_override = SchemaOverride::new(carried.schema.clone(), &tag)
            .with_escapes(carried.escapes.clone())
            .with_displaced(carried.displaced)
            .with_losses(losses);
        self.writer.run(run, Some(&schema_override))
    }

    /// Creates an encoder for the remaining runs; pass its results to [`write_encoded`](ConversionWriter::write_encoded). `None` until
    /// the first run with lines has been written, and if a run depends on those before it: see
    /// [`RunWriter::encoder`]. This includes conversions that express types differently.
    pub fn encoder(&self) -> Option<RunEncoder> {
        let is_plain =
            self.carried.as_ref().is_none_or(|carried| carried.begun && carried.writes_unchanged());
        if is_plain { self.writer.encoder() } else { None }
    }

    /// Writes the next run, encoded by an [encoder](ConversionWriter::encoder) of this writer.
    ///
    /// # Errors
    ///
    /// The same as [`run`](ConversionWriter::write_run).
    pub fn write_encoded(&mut self, run: EncodedRun) -> Result<(), WriteError> {
        self.writer.write_encoded(run)
    }

    /// Writes the trailer and returns the summary.
    ///
    /// # Errors
    ///
    /// A [`WriteError`] if the output fails; [`WriteError::Incomplete`] if a run was refused.
    pub fn finish(mut self) -> Result<Summary, WriteError> {
        if let Some(carried) = self.carried.take() {
            for (sentence, (place, excerpt)) in carried.lost.into_sentences() {
                self.writer.lose(codes::TYPE_CANNOT_BE_KEPT, sentence, place, excerpt.as_ref());
            }
        }
        self.writer.finish()
    }
}

/// Plans how a file of rules `to` expresses the types of these kinds of structures. `source` is the resolver of their
/// current types.
fn plan_types(shapes: Shapes, brought: &SourceSchema, source: &Resolver, to: &Rules) -> Plan {
    match &shapes.way {
        Direction::ToSchema(dictionary) => {
            let dictionary = Arc::clone(dictionary);
            to_schema::plan_schema(shapes, &dictionary, brought, to)
        }
        Direction::ToDictionary => to_dictionary::plan_dictionary(shapes, brought, source),
    }
}
