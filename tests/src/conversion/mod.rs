//! The judge of a conversion: the document that was read and the one that was written stand side by side,
//! structure by structure, and each difference needs a report of the right kind at its place; each report
//! needs a difference.
//!
//! A structure that is left out, by the code and line of a report, goes with everything under it; what remains has
//! to match one to one. What the drafts say in different ways or not at all (docs/readings.md, C01) is no
//! difference: letters and marks apart, the form of line breaks, an empty payload beside none, records UNDEF
//! for pointers that lead nowhere.

mod header;
mod lines;
mod outline;
mod reports;
mod schema;
mod text;

pub use outline::{Outline, Outlined, PointerTarget};
pub use reports::{Difference, Reports, TABLE};

use elf_base::rules::Mechanism;
use elf_base::{Diagnostic, Rules, Span, codes};
use elf_schema::{Schema, TypedDocument};
use elf_tagged::write::Summary;
use elf_tagged::{Node, Payload};
use schema::HeaderSchema;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A conversion and its reports.
pub struct Conversion<'c> {
    /// The input.
    pub before: &'c TypedDocument<'c>,
    /// The output, read again.
    pub after: &'c TypedDocument<'c>,
    /// The reports of the conversion.
    pub reports: &'c [Diagnostic],
    /// The counts of the writer.
    pub summary: Summary,
}

/// The state of a conversion while it is judged.
struct Judge<'c> {
    conversion: &'c Conversion<'c>,
    before: Outline<'c>,
    after: Outline<'c>,
    reports: Reports<'c>,
    /// The structure of the output for each structure of the input.
    became: Vec<Option<usize>>,
    /// The structure of the input for each structure of the output.
    was: Vec<Option<usize>>,
    schema_before: HeaderSchema,
    schema_after: HeaderSchema,
}

/// Returns the faults of a conversion: differences without a report, and reports without a difference.
pub fn find_faults(conversion: &Conversion<'_>) -> Vec<String> {
    let [before, after] = [conversion.before, conversion.after].map(|typed| Outline::of(typed.document()));
    let (became, was) = (vec![None; before.structures.len()], vec![None; after.structures.len()]);
    let reports = Reports::new(conversion.reports);
    let [schema_before, schema_after] =
        [conversion.before, conversion.after].map(|typed| HeaderSchema::of(typed.document()));
    let mut judge = Judge { conversion, before, after, reports, became, was, schema_before, schema_after };
    let losses = conversion.reports.iter().filter(|report| report.class.is_error()).count() as u64;
    if losses != conversion.summary.losses {
        judge
            .reports
            .add_fault(0, &format!("{} losses are counted, {losses} reported", conversion.summary.losses));
    }
    let used = conversion.after.document().source().decision().used;
    let is_alarm =
        |one: &Diagnostic| one.code == codes::OUTPUT_TAKEN_FOR_OTHER && !one.message.ends_with(used.name());
    if conversion.reports.iter().any(is_alarm) && judge.reports.explain(1, Difference::Encoding) {
        // Text in a wrong encoding cannot be compared. Only the number of losses is checked.
        return judge.reports.faults;
    }
    if judge.pair_structures() {
        judge.check_structures();
        judge.check_types();
    }
    judge.check_header();
    judge.check_repeated_identifiers();
    judge.check_lines();
    judge.reports.into_faults()
}

impl Conversion<'_> {
    fn rules(&self) -> [&Rules; 2] {
        [self.before, self.after].map(|typed| typed.document().rules())
    }

    /// Returns whether GEDC is data on one side and metadata on the other.
    fn has_gedc_on_one_side(&self) -> bool {
        let [from, to] = self.rules().map(|rules| rules.tagged.metadata.has_versions());
        from != to
    }
}

impl<'c> Judge<'c> {
    /// Pairs the structures of input and output. Returns false if that is impossible.
    fn pair_structures(&mut self) -> bool {
        let skipped =
            [&self.before, &self.after].map(|outline| match self.conversion.has_gedc_on_one_side() {
                true => header::gedc_as_data(outline),
                false => 0..0,
            });
        let [skipped_before, skipped_after] = skipped;
        let (mut number, mut other) = (0, 0);
        while let Some(&one) = self.before.structures.get(number) {
            if skipped_before.contains(&number) {
                number = skipped_before.end;
                continue;
            }
            // An inserted record may be written anywhere; its line is that of a pointer.
            if !one.node.is_inserted() && self.is_left_out(number, other) {
                number = one.end;
                continue;
            }
            if skipped_after.contains(&other) {
                other = skipped_after.end;
            }
            let Some(&written) = self.after.structures.get(other) else {
                self.reports.add_fault(one.line, &format!("`{}` is missing at the end", one.node.tag()));
                return false;
            };
            // Tags are compared together with types.
            if (one.depth, one.in_header) != (written.depth, written.in_header) {
                let message = format!(
                    "`{}` at depth {} against `{}` at depth {}",
                    one.node.tag(),
                    one.depth,
                    written.node.tag(),
                    written.depth
                );
                self.reports.add_fault(one.line, &message);
                return false;
            }
            if let (Some(became), Some(was)) = (self.became.get_mut(number), self.was.get_mut(other)) {
                (*became, *was) = (Some(other), Some(number));
            }
            (number, other) = (number + 1, other + 1);
        }
        if skipped_after.contains(&other) {
            other = skipped_after.end;
        }
        self.check_additions(other)
    }

    /// Checks the reports about repeated identifiers in structures that are metadata on one side.
    fn check_repeated_identifiers(&mut self) {
        if self.conversion.has_gedc_on_one_side() {
            for one in &self.before.structures {
                let _ = one.in_header
                    && has_identifier(one.node)
                    && self.reports.explain(one.line, Difference::Identifier);
            }
        }
    }

    /// Returns whether a structure is reported as left out while the next one in the output is `other`.
    fn is_left_out(&mut self, number: usize, other: usize) -> bool {
        let Some(&one) = self.before.structures.get(number) else { return false };
        let [_, to] = self.conversion.rules().map(|rules| *rules);
        // A tag that is written in another case is reported with the same code.
        if let Some(tag) = required_case(one.node, &to) {
            let is_it = |other: &Outlined<'_>| other.node.tag() == tag && other.depth == one.depth;
            let is_there = self.after.structures.get(other).is_some_and(is_it);
            let is_reported = self.reports.explain(one.line, Difference::Structure);
            // The structure may also be reported as left out, if the output has another one in its place.
            if !is_reported || is_there && !self.reports.explain(one.line, Difference::Structure) {
                return false;
            }
        } else if !self.reports.explain(one.line, Difference::Structure) {
            return false;
        }
        // If the rules forbid empty structures, each one that is left out is reported, even before it became empty.
        if !to.tagged.empty_structures {
            for beneath in self.before.structures.get(number..one.end).unwrap_or_default() {
                use Difference::{Characters, Escape, Identifier, Structure, Whitespace};
                for kind in [Structure, Structure, Identifier, Escape, Characters, Characters, Whitespace] {
                    let _ = self.reports.explain(beneath.line, kind);
                }
            }
        }
        true
    }

    /// Checks additional structures at the end of the output: inserted records, each with at least one pointer to it.
    fn check_additions(&mut self, from: usize) -> bool {
        let targets: HashSet<usize> = self
            .after
            .structures
            .iter()
            .filter_map(|each| match self.after.pointer_target(each.node) {
                Some(PointerTarget::To(number)) => Some(number),
                _ => None,
            })
            .collect();
        for (number, added) in self.after.structures.iter().enumerate().skip(from) {
            let is_expected = added.depth == 0
                && added.node.tag() == "UNDEF"
                && added.node.payload() == Payload::None
                && targets.contains(&number);
            if !is_expected {
                self.reports
                    .add_fault(0, &format!("`{}` was added in line {}", added.node.tag(), added.line));
                return false;
            }
        }
        true
    }

    /// Compares the structures that input and output share.
    fn check_structures(&mut self) {
        let pairs: Vec<(Outlined<'c>, Outlined<'c>)> = self.pairs().collect();
        for (one, other) in pairs {
            self.identifier(&one, &other);
            self.payload(&one, &other);
            if one.node.is_error() {
                self.reports
                    .require_report(one.line, Difference::FaultyLine, || one.node.text().into_owned());
            }
        }
        if let (Some(head), Some(other)) = (self.before.head, self.after.head) {
            let line = self.conversion.before.document().locator().place(head.span()).line;
            let [one, other] =
                [head, other].map(|node| Outlined { node, line, depth: 0, in_header: false, end: 0 });
            self.identifier(&one, &other);
            if !self.reports.explain(line, Difference::HeadPayload) {
                self.payload(&one, &other);
            }
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (Outlined<'c>, Outlined<'c>)> {
        let became = self.became.iter().map(|other| self.after.structures.get((*other)?).copied());
        self.before.structures.iter().copied().zip(became).filter_map(|(one, other)| Some((one, other?)))
    }

    fn identifier(&mut self, one: &Outlined<'c>, other: &Outlined<'c>) {
        let line = one.line;
        match (one.node.xref(), other.node.xref()) {
            // The rules removed the identifier on reading (P09).
            (None, None) if !one.node.is_inserted() && !one.node.is_error() && has_identifier(one.node) => {
                self.reports.require_report(line, Difference::Identifier, || "taken away".to_owned());
            }
            (None, None) => {}
            (None, Some(xref)) => self.reports.add_fault(line, &format!("the identifier `{xref}` was added")),
            (Some(xref), None) => {
                self.reports.require_report(line, Difference::Identifier, || xref.to_owned())
            }
            (Some(xref), Some(new)) if text::normalise(xref) != text::normalise(new) => {
                self.reports
                    .require_report(line, Difference::OtherIdentifier, || format!("{xref} became {new}"));
            }
            _ => {}
        }
        let is_long = |text: &str, most: usize| text.chars().count() > most;
        let [_, to] = self.conversion.rules();
        let has_long =
            other.node.xref().is_some_and(|xref| is_long(xref, 20)) || is_long(other.node.tag(), 15);
        if to.lines.lengths_advised && has_long {
            self.reports.require_report(line, Difference::Long, || one.node.tag().to_owned());
        }
        if other.node.xref().is_some() && other.node.superstructure().is_some() {
            self.reports.require_report(line, Difference::IdentifierWithin, || one.node.tag().to_owned());
        }
    }

    fn payload(&mut self, one: &Outlined<'c>, other: &Outlined<'c>) {
        let line = one.line;
        match (one.node.payload(), other.node.payload()) {
            (Payload::Pointer(id), Payload::Pointer(new)) => {
                let [leads, other_leads] = [
                    self.before.pointer_target(one.node).unwrap_or(PointerTarget::Nowhere),
                    match self.after.pointer_target(other.node) {
                        Some(PointerTarget::To(number)) => match self.was.get(number) {
                            Some(&Some(was)) => PointerTarget::To(was),
                            _ => PointerTarget::Nowhere,
                        },
                        Some(leads) => leads,
                        None => PointerTarget::Nowhere,
                    },
                ];
                let is_same = leads == other_leads && leads != PointerTarget::ToNoData;
                let is_by_name = matches!(leads, PointerTarget::Nowhere | PointerTarget::ToSeveral);
                if !is_same || is_by_name && text::normalise(id) != text::normalise(new) {
                    let what = || format!("{id} leads {leads:?}, {new} leads {other_leads:?}");
                    self.reports.require_report(line, Difference::Pointer, what);
                }
            }
            (Payload::Pointer(id), written) => {
                let expected = text::normalise(&format!("@{id}@"));
                let cleaned = expected.replace(text::FORBIDDEN, "");
                if cleaned != expected {
                    self.reports
                        .require_report(line, Difference::Characters, || expected.escape_debug().to_string());
                }
                let as_text = matches!(&written, Payload::Text(text) if text::normalise(text) == cleaned
                    || self.is_questioned(line, &cleaned, text));
                if !as_text {
                    self.reports.add_fault(line, &format!("the pointer {id} became {written:?}"));
                }
                self.reports
                    .require_report(line, Difference::Pointer, || format!("the pointer {id} became text"));
            }
            (payload, Payload::Pointer(id)) => {
                self.reports.add_fault(line, &format!("{payload:?} became a pointer, {id}"));
            }
            (payload, written) => {
                let tells_empty = one.node.superstructure().is_some()
                    && self.conversion.rules().iter().all(|rules| rules.tagged.empty_payload.is_written());
                if tells_empty && (payload == Payload::None) != (written == Payload::None) {
                    self.reports.add_fault(line, &format!("{payload:?} became {written:?}"));
                }
                self.compare_text(one, other);
            }
        }
    }

    /// Compares types and tags. A tag may change to keep the type. A type that the input defines itself must stay, and
    /// so must a type of a built-in schema if both sides have it.
    fn check_types(&mut self) {
        let Conversion { before, after, .. } = *self.conversion;
        let has_schemas = self.must_keep_types();
        let [_, to] = self.conversion.rules().map(|rules| *rules);
        let mut met: HashMap<Kind, Types> = HashMap::new();
        for (number, one) in self.before.structures.iter().enumerate() {
            let iri = before.type_of(one.node).unwrap_or_default();
            let kind = (iri.to_owned(), one.node.tag().to_owned());
            let types = met.entry(kind).or_default();
            types.lines.push(one.line);
            let other = self.became.get(number).copied().flatten();
            let Some(other) = other.and_then(|other| self.after.structures.get(other)) else { continue };
            let becomes = after.type_of(other.node).unwrap_or_default();
            if becomes != iri {
                types.lost.get_or_insert_with(|| (one.line, becomes.to_owned()));
                if other.node.tag() != one.node.tag() && required_case(one.node, &to).is_none() {
                    let message = format!("`{}` became `{}`", one.node.tag(), other.node.tag());
                    self.reports.add_fault(one.line, &message);
                }
            }
        }
        for ((iri, tag), Types { lines, lost }) in met {
            let Some((line, becomes)) = lost else { continue };
            let mut is_reported = false;
            for &line in &lines {
                is_reported |= self.reports.explain(line, Difference::Type);
            }
            // If the schema is reported as left out, so are its types: GEDCOM defines none.
            is_reported |=
                !to.schema.mechanism.defines_types() && self.reports.is_reported(Difference::Schema);
            let is_needed = is_own(&iri) || has_schemas && !iri.is_empty() && !iri.contains("/Undefined#");
            if is_needed && !is_reported {
                self.reports
                    .add_fault(line, &format!("Type not reported: {tag} was {iri}, and is {becomes}"));
            }
        }
    }

    /// Returns whether types of the built-in schemas must be preserved: in a schema that can express them all, and if
    /// both sides have the published one. Rules that only store a schema get no definitions for them, and nothing is
    /// lost (docs/readings.md, C02).
    fn must_keep_types(&self) -> bool {
        let [from, to] = self.conversion.rules();
        let is_published = |rules: &Rules| {
            Schema::default_of(rules).is_some_and(|schema| Arc::ptr_eq(schema, Schema::published()))
        };
        let is_inline = matches!(to.schema.mechanism, Mechanism::Inline { .. });
        from.schema.mechanism != Mechanism::IriDictionary && is_inline
            || is_published(from)
                && is_published(to)
                && !Arc::ptr_eq(self.conversion.before.schema(), Schema::completed())
    }
}

/// A type and a tag.
type Kind = (String, String);

/// The lines of the structures with one type and tag, and the first one whose type changes.
#[derive(Default)]
struct Types {
    lines: Vec<u64>,
    lost: Option<(u64, String)>,
}

/// Returns the tag in the case that the rules require, if that differs.
fn required_case(node: Node<'_>, to: &Rules) -> Option<String> {
    let is_capital = |tag: &str| !tag.contains(|c: char| c.is_ascii_lowercase());
    let tag = node.tag().to_ascii_uppercase();
    // A structure that is not the header must not become one.
    let is_spelled = tag.starts_with(|c: char| c.is_ascii_digit()) || tag == "HEAD";
    let other = to.lines.tags.are_capitals() && (is_spelled || !is_capital(node.tag()));
    other.then(|| if is_spelled { format!("_{tag}") } else { tag })
}

/// Returns whether the line of a structure has an identifier before its tag.
fn has_identifier(node: Node<'_>) -> bool {
    let (span, tag) = (node.span(), node.tag_span());
    Span::new(span.start, tag.start.max(span.start)).of(node.document().text()).contains('@')
}

/// Returns whether generated files or fixtures define this type themselves.
fn is_own(iri: &str) -> bool {
    iri.contains("e.example")
}
