//! Converts the schema of a header to other rules.

use super::plan::{Loss, Plan};
use super::source_schema::SourceSchema;
use crate::document::new_resolver;
use crate::read_options::ReadOptions;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::write::SchemaForm;
use elf_base::{Diagnostic, Rules};
use elf_tagged::write::{Preamble, PreambleLine, WriteError, WriteOptions, Writer};
use elf_tagged::{Document, Options};

/// The schema of a header, converted for a file under other rules. [`header_schema`] returns it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderSchema {
    /// The lines to write; see [`Preamble::schema`].
    pub lines: Option<Vec<PreambleLine<'static>>>,
    /// The reason for each statement that is left out.
    pub losses: Vec<String>,
}

/// Decides which lines of a schema a file under `rules` can have in its header: all except faulty lines and
/// conflicting definitions (J19 §4.2). If `rules` do not have references to schemas, references are replaced by
/// definitions. [`convert`](crate::convert()) uses this.
///
/// # Errors
///
/// Fails if the lines make a header that is too long to be read.
///
/// ```
/// use elf_schema::{ReadOptions, Rules, header_schema};
/// use elf_tagged::write::PreambleLine;
///
/// let lines = vec![PreambleLine::new(1, "SCHMA", ""), PreambleLine::new(2, "PRFX", "e")];
/// let schema = header_schema(&lines, &ReadOptions::default(), &Rules::JANUARY_2019)?;
/// assert_eq!(schema.lines, Some(vec![PreambleLine::new(1, "SCHMA", "")]));
/// assert_eq!(schema.losses, ["left out of the header: expected a prefix and an IRI"]);
/// # Ok::<(), elf_tagged::write::WriteError>(())
/// ```
pub fn header_schema(
    lines: &[PreambleLine<'_>],
    read: &ReadOptions<'_>,
    rules: &Rules,
) -> Result<HeaderSchema, WriteError> {
    let mechanism = rules.schema.mechanism;
    if !mechanism.is_inline() && !mechanism.is_dictionary() {
        // The header can store any schema, or none.
        let lines = lines.iter().cloned().map(PreambleLine::into_owned).collect();
        return Ok(HeaderSchema { lines: Some(lines), losses: Vec::new() });
    }
    let has_references = lines.iter().any(|line| line.tag == "SCHMA" && !line.payload.is_empty());
    let is_translated = mechanism.is_inline() && !mechanism.may_refer() && has_references;
    let from = if is_translated { &Rules::JANUARY_2019 } else { rules };
    let mut unwritable: Vec<Diagnostic> = Vec::new();
    let mut header = Vec::new();
    let mut writer = Writer::new(&mut header, from, &WriteOptions::new(), &mut unwritable)?;
    writer.head(&Preamble::new().with_schema(Some(lines.to_vec())))?;
    writer.finish()?;
    let document = elf_tagged::read(&header, from, &Options::default(), &mut ())
        .map_err(|error| WriteError::from(std::io::Error::other(error)))?;
    let (resolver, grave) = resolver_and_faults(&document, read, rules);
    let brought = SourceSchema::of(&document, &grave, resolver.schema());
    let mut losses = Vec::new();
    let lines = of_output(&document, &brought, resolver.schema(), read, rules, &mut losses);
    brought.add_faults(&mut losses);
    let messages = unwritable.into_iter().map(|finding| finding.message.into_owned());
    Ok(HeaderSchema {
        lines: lines.map(|lines| lines.into_iter().map(PreambleLine::without_origin).collect()),
        losses: messages.chain(losses.into_iter().map(|(_, _, message)| message)).collect(),
    })
}

/// Returns the resolver of a document, and the faults of its schema under the rules `to`.
pub(super) fn resolver_and_faults(
    document: &Document<'_>,
    read: &ReadOptions<'_>,
    to: &Rules,
) -> (Resolver, Vec<Diagnostic>) {
    let mut grave = Vec::new();
    let resolver = new_resolver(document, read, &mut |finding: Diagnostic| {
        if finding.code.class(to.format).is_error() {
            grave.push(finding);
        }
    });
    (resolver, grave)
}

/// Returns the schema of the input in the form that `to` allows, without the definitions that are added later.
pub(super) fn of_output(
    document: &Document<'_>,
    brought: &SourceSchema,
    schema: &Schema,
    read: &ReadOptions<'_>,
    to: &Rules,
    losses: &mut Vec<Loss>,
) -> Option<Vec<PreambleLine<'static>>> {
    let is_given = read.schema.is_some() && !brought.lines.is_empty();
    if is_given || brought.contradicts_others {
        return schema.without_faults(brought).to_lines(to, SchemaForm::Reference);
    }
    if brought.needs_translation(to) {
        let plan = Plan::with_definitions_in_place(brought, &schema.without_faults(brought), to);
        losses.extend(plan.losses);
        return Some(plan.lines);
    }
    if brought.faults().next().is_some() {
        return brought.without_faults(schema);
    }
    let is_stored = to.schema.mechanism.stores_schema();
    let is_left_out = brought.lines.is_empty() && (!is_stored || read.schema.is_some());
    let lines = if is_left_out { None } else { Preamble::of_document(document).schema };
    Some(lines?.into_iter().map(PreambleLine::into_owned).collect())
}
