//! A document written by the rules of another draft, its types kept: from the dictionary of 2017 to a schema, from a schema
//! to a dictionary, from references to definitions in place.
//!
//! Tags of GEDCOM mean the same in every draft, and stay: what is carried over are the types that a file brings itself.
//! A type is one of those if it is not what the default schema, or the default namespace of 2017, gives its tag there.

mod brought;
mod plan;
mod shapes;

use crate::document::{ReadOptions, resolver};
use crate::resolve::Resolver;
use crate::typing::{Found, column};
use brought::Brought;
use elf_base::rules::Mechanism;
use elf_base::{Code, Diagnostic, Rules, Sink, codes};
use elf_tagged::write::{Dress, PartWriter, PreambleLine, Summary, Survey, WriteError, WriteOptions};
use elf_tagged::{Document, Node, NodeId};
use plan::{Changes, Plan};
use shapes::Shapes;
use std::collections::HashSet;
use std::io;

/// Writes a document as a file of `rules`, as [`elf_tagged::write::write_document`] does, and with the types that the
/// file gives its structures by a dictionary or a schema of its own, said in the way `rules` have for that. `read` is how
/// its types are found.
///
/// Where a tag cannot have its type there, because it has another one already, the structure gets another tag. What
/// cannot be said at all, such as supertypes in a dictionary, is reported where it stands, and counted as a loss.
///
/// A file that is too large to be held whole is converted in parts by a [`Conversion`].
///
/// # Errors
///
/// Where the output fails, or the options ask for what cannot be; [`WriteError::Incomplete`] where the rules ended the
/// reading of the document, unless the options [allow it](WriteOptions::partial).
///
/// ```
/// use elf_schema::{ReadOptions, Rules};
/// use elf_tagged::{Options, write::WriteOptions};
///
/// let octets = b"0 HEAD\n1 PRFX X_ http://e.example/\n0 @I1@ INDI\n1 X_LAT 54\n0 TRLR\n";
/// let document = elf_tagged::read(octets, &Rules::OCTOBER_2017, &Options::default(), &mut ())?;
/// let mut written = Vec::new();
/// let (rules, options) = (&Rules::JANUARY_2019, WriteOptions::new());
/// elf_schema::convert(document, &ReadOptions::default(), &mut written, rules, &options, &mut ())?;
/// assert!(String::from_utf8_lossy(&written).contains(
///     "2 IRI http://e.example/LAT\n3 TAG X_LAT https://terms.fhiso.org/elf/INDIVIDUAL_RECORD\n"
/// ));
/// let typed = elf_schema::read(&written, rules, &ReadOptions::default(), &mut ())?;
/// assert_eq!(typed.of_type("http://e.example/LAT").count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert(
    mut document: Document<'_>,
    read: &ReadOptions<'_>,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    let mut survey = Survey::new(rules, options)?;
    survey.see(&document);
    let mut conversion = Conversion::new(survey, rules, read.clone());
    conversion.study(&mut document)?;
    let mut writer = conversion.into_writer(out, sink)?;
    writer.part(&mut document)?;
    writer.finish()
}

/// A conversion of a document that is read in parts, as [`convert`] makes of a whole one. Its memory grows with the kinds of
/// structures of the document, not with their number.
///
/// The parts are read two or three times: first for the names of the document and a [`Survey`] of it, then, as long as the
/// conversion [is not settled](Conversion::is_settled), to be studied, and last to be written. As a rule it is settled
/// by the part that has the header; not where types have to be said in another way.
///
/// ```
/// use elf_schema::{Conversion, ReadOptions, Rules};
/// use elf_tagged::write::{Survey, WriteOptions};
/// use elf_tagged::{Options, Reader};
///
/// let octets: &[u8] = b"0 HEAD\n1 PRFX X_ http://e.example/\n0 @I1@ INDI\n1 X_LAT 54\n0 INDI\n1 X_LAT 55\n0 TRLR\n";
/// let reader = || Reader::new(octets, &Rules::OCTOBER_2017, &Options::default()).with_part_size(1);
///
/// let mut survey = Survey::new(&Rules::JANUARY_2019, &WriteOptions::new())?;
/// let mut first = reader().for_names();
/// while let Some(part) = first.next_part(&mut ())? {
///     survey.see(&part);
/// }
/// let names = first.into_names().map(std::sync::Arc::new).expect("it was read to its end");
///
/// let mut conversion = Conversion::new(survey, &Rules::JANUARY_2019, ReadOptions::default());
/// let mut second = reader().with_names(names.clone());
/// while !conversion.is_settled() {
///     let Some(mut part) = second.next_part(&mut ())? else { break };
///     conversion.study(&mut part)?;
/// }
///
/// let (mut written, mut losses) = (Vec::new(), ());
/// let mut writer = conversion.into_writer(&mut written, &mut losses)?;
/// let mut third = reader().with_names(names);
/// while let Some(mut part) = third.next_part(&mut ())? {
///     writer.part(&mut part)?;
/// }
/// assert_eq!((writer.finish()?.records, losses), (2, ()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Conversion<'e> {
    survey: Survey,
    to: Rules,
    read: ReadOptions<'e>,
    /// Known from the part that has the header on.
    types: Option<Types>,
}

/// What a document says of its types.
enum Types {
    /// Nothing.
    Unsaid,
    Said(Box<Said>),
}

struct Said {
    brought: Brought,
    resolver: Resolver,
    /// What the structures are of which the types have to be said in another way.
    shapes: Option<Shapes>,
}

impl<'e> Conversion<'e> {
    /// A conversion to `rules` of the document that `survey` knows, which was made for the same rules. `read` is how its
    /// types are found.
    pub const fn new(survey: Survey, rules: &Rules, read: ReadOptions<'e>) -> Conversion<'e> {
        Conversion { survey, to: *rules, read, types: None }
    }

    /// Whether what is known suffices to write the document.
    pub fn is_settled(&self) -> bool {
        !self.survey.needs_rehearsal()
            && match &self.types {
                None => false,
                Some(Types::Unsaid) => true,
                Some(Types::Said(said)) => said.shapes.is_none(),
            }
    }

    /// Takes note of the next part, in the order of the file. Parts are those that will be written: where they depend on the
    /// whole document, they are read [with its names](elf_tagged::Reader::with_names).
    ///
    /// # Errors
    ///
    /// What the options of the survey ask for and cannot be.
    pub fn study(&mut self, part: &mut Document<'_>) -> Result<(), WriteError> {
        self.survey.rehearse(part)?;
        if self.types.is_none() && !part.is_empty() {
            self.types = Some(self.types_of(part));
        }
        if let Some(Types::Said(said)) = &mut self.types
            && let Some(shapes) = &mut said.shapes
        {
            let column = column(part, &mut said.resolver, &mut Found::default());
            shapes.add(part, &column, &said.resolver);
        }
        Ok(())
    }

    /// What the part that has the header says of types.
    fn types_of(&self, part: &mut Document<'_>) -> Types {
        if !Brought::is_any(part) {
            return Types::Unsaid;
        }
        let mut grave = Vec::new();
        let resolver = resolver(part, &self.read, &mut |finding: Diagnostic| {
            if finding.code.class(self.to.draft).is_error() {
                grave.push(finding);
            }
        });
        let mut brought = Brought::of(part, &grave);
        if part.header().is_gedcom_7() && self.to.schema.mechanism != Mechanism::Reference {
            brought.reject("it is that of GEDCOM 7, which is no schema of ELF");
        }
        let shapes = Shapes::needed(&brought, &resolver, &self.to);
        Types::Said(Box::new(Said { brought, resolver, shapes }))
    }

    /// A writer of the document. What cannot be carried over is reported to `sink`.
    ///
    /// # Errors
    ///
    /// What the options of the survey ask for and cannot be.
    pub fn into_writer<'w, W: io::Write>(
        self,
        out: W,
        sink: &'w mut dyn Sink,
    ) -> Result<ConversionWriter<'w, W>, WriteError> {
        let writer = PartWriter::new(out, self.survey, sink)?;
        let carried = match self.types {
            None | Some(Types::Unsaid) => None,
            Some(Types::Said(said)) => Some(Carried::of(*said, &self.to)),
        };
        Ok(ConversionWriter { writer, carried })
    }
}

/// Writes a document part by part by other rules: [`Conversion::into_writer`].
#[must_use = "the trailer is written by `finish`"]
pub struct ConversionWriter<'w, W: io::Write> {
    writer: PartWriter<'w, W>,
    carried: Option<Carried>,
}

/// What is carried over of types.
struct Carried {
    resolver: Resolver,
    /// Whether the document is written as it is.
    plain: bool,
    schema: Option<Vec<PreambleLine<'static>>>,
    /// What cannot be carried over of the header, until it has been said.
    losses: Vec<(NodeId, Code, String)>,
    plan: Plan,
    changes: Option<Changes>,
}

impl Carried {
    fn of(said: Said, to: &Rules) -> Carried {
        let Said { brought, resolver, shapes } = said;
        let translated = brought.needs_translation(to);
        let plan = match shapes {
            Some(shapes) => shapes.plan(&brought, &resolver, to),
            None if translated && resolver.dictionary().is_none() => Plan::in_place(&brought, &resolver, to),
            None => Plan::default(),
        };
        let mut losses = plan.losses.clone();
        let said: HashSet<NodeId> = losses.iter().map(|(node, ..)| *node).collect();
        let left_out = brought.faults().filter(|(node, _)| !said.contains(node));
        losses.extend(left_out.map(|(node, message)| {
            (node, codes::SCHEMA_CANNOT_BE_WRITTEN, format!("left out of the header: {message}"))
        }));
        losses.sort_by_key(|(node, ..)| *node);
        Carried {
            plain: !translated && losses.is_empty(),
            schema: if translated { Some(plan.lines.clone()) } else { brought.without_faults(&resolver) },
            changes: plan.changes(to),
            losses,
            plan,
            resolver,
        }
    }
}

impl<W: io::Write> ConversionWriter<'_, W> {
    /// Writes the next part of the document, which may be all of it.
    ///
    /// # Errors
    ///
    /// Where the output fails; [`WriteError::Incomplete`] where the rules ended the reading in this part.
    pub fn part(&mut self, part: &mut Document<'_>) -> Result<(), WriteError> {
        let Some(carried) = &mut self.carried else { return self.writer.part(part, None) };
        if carried.plain {
            return self.writer.part(part, None);
        }
        let (tags, changed) = match &mut carried.changes {
            Some(changes) => {
                let column = column(part, &mut carried.resolver, &mut Found::default());
                carried.plan.look_at(part, &column, changes)
            }
            None => Default::default(),
        };
        let losses = match part.is_empty() {
            true => Vec::new(),
            false => std::mem::take(&mut carried.losses).into_iter().chain(changed).collect(),
        };
        let tag = |node: Node<'_>| tags.get(node.id().index()).copied().flatten();
        let dress = Dress::new(carried.schema.clone(), &tag).with_losses(losses);
        self.writer.part(part, Some(&dress))
    }

    /// Writes the trailer, and says what was written.
    ///
    /// # Errors
    ///
    /// Where the output fails; [`WriteError::Incomplete`] where a part was refused.
    pub fn finish(self) -> Result<Summary, WriteError> {
        self.writer.finish()
    }
}
