//! The validator: checks a document, or a run of it, against a table.

use crate::advice;
use crate::findings::Findings;
use crate::kinds::SpecialType;
use crate::links::{LinkCollector, Links, RunLinks};
use crate::payloads::{find_payload_fault, is_obviously_valid, shorten, suggest_pointer};
use crate::prepared::{PreparedSchema, PreparedStandard, Traits};
use crate::slots::NO_KIND;
use crate::stack::StructureStack;
use crate::table::Naming;
use crate::undefined::TagCollector;
use crate::values;
use elf_base::{Against, Code, Diagnostic, Fix, FixAction, Sink, codes};
use elf_schema::elf_tagged::Flags;
use elf_schema::{Document, Node, NodeId, Payload, Schema, TypedDocument};
use std::ops::Range;
use std::sync::Arc;

/// Validates a document against a structural standard. Findings go to `sink`, record by record in the order of the
/// file; findings about the whole document come last.
pub fn validate(typed: &TypedDocument<'_>, against: Against, sink: &mut dyn Sink) {
    Validator::new(against, typed.schema()).validate_document(typed, sink);
}

/// Validates the runs of a document against a structural standard, on any thread.
///
/// ```
/// use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};
/// use elf_validate::{Against, Standard, Validator};
///
/// let octets = b"0 HEAD\n0 @I1@ INDI\n1 FAMS @R2@\n0 @R1@ REPO\n1 NAME Archive\n0 @R2@ REPO\n0 TRLR\n";
/// let against = Against { standard: Standard::DataModel, is_named: false };
/// let mut reader = Reader::new(&octets[..], &Rules::WILD, ReadOptions::default());
/// let mut found: Vec<Diagnostic> = Vec::new();
/// // The schema stands in the first run.
/// let mut started = None;
/// while let Some(run) = reader.next_run(&mut ())? {
///     let (validator, links) = started.get_or_insert_with(|| {
///         let validator = Validator::new(against, run.schema());
///         let links = validator.links();
///         (validator, links)
///     });
///     links.add(validator.validate_run(&run, &mut found));
/// }
/// if let Some((_, links)) = started {
///     links.finish(&mut found);
/// }
/// let found: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert_eq!(
///     found,
///     [
///         "line 6, column 1: advice[E0901]: expected `NAME` in `REPO`, but found none",
///         "line 3, column 8: advice[E0906]: expected a pointer to `FAM`, but `@R2@` is `REPO`",
///     ]
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Validator {
    standard: &'static PreparedStandard,
    against: Against,
    schema: Arc<PreparedSchema>,
    /// True if structures are identified by their types.
    uses_types: bool,
    /// True if every occurrence of an unknown tag is reported.
    each_undefined: bool,
}

impl Validator {
    /// Creates a validator for documents with this schema.
    pub fn new(against: Against, schema: &Schema) -> Validator {
        let standard = PreparedStandard::of(against.standard);
        let schema = standard.prepare_schema(schema);
        let uses_types = match standard.table.naming {
            Naming::Tag => schema.kinds.identify_structures,
            Naming::Type => true,
        };
        Validator { standard, against, schema, uses_types, each_undefined: false }
    }

    /// Sets whether every structure with an unknown tag is reported. Otherwise only the first one with this tag under
    /// each kind is reported, with the number of occurrences.
    #[must_use]
    pub fn with_each_undefined(mut self, each_undefined: bool) -> Validator {
        self.each_undefined = each_undefined;
        self
    }

    /// Validates a whole document, like [`validate`].
    pub fn validate_document(&self, typed: &TypedDocument<'_>, sink: &mut dyn Sink) {
        let document = typed.document();
        let mut links = self.links();
        links.add(self.validate_run(typed, sink));
        links.finish(&mut |mut found: Diagnostic| {
            found.excerpt = found.place.and_then(|place| document.source().excerpt(place));
            found.related.iter_mut().for_each(|one| one.excerpt = document.source().excerpt(one.place));
            sink.report(found);
        });
    }

    /// Starts collecting the links of a document. Add the [links of each run](Validator::validate_run) to it.
    pub fn links(&self) -> Links {
        let (standard, schema) = (self.standard, &self.schema);
        let doubtful = Arc::clone(&schema.doubtful);
        Links::new(standard.table, &standard.links, self.against, schema.certain, doubtful)
    }

    /// Validates a run. Findings about the run go to `sink`. The returned links are checked when
    /// the whole document is known (see [`Links::add`]).
    pub fn validate_run(&self, run: &TypedDocument<'_>, sink: &mut dyn Sink) -> RunLinks {
        match self.schema.kinds.find_by_counterpart(run, self.standard.table) {
            Some(kinds) => self.validate_structures(run, |node| kinds.kind_of(node), sink),
            None => {
                let kind = |node| run.type_id(node).map_or(NO_KIND, |of| self.schema.kinds.kind_of(of));
                self.validate_structures(run, kind, sink)
            }
        }
    }

    fn validate_structures<'d>(
        &self,
        run: &'d TypedDocument<'_>,
        kind_of: impl Fn(Node<'d>) -> u16,
        sink: &mut dyn Sink,
    ) -> RunLinks {
        let document = run.document();
        let findings = Findings::new(self.against, &self.schema.names, sink);
        let mut validation = RunValidation {
            links: LinkCollector::new(self.standard.table, document),
            tags: TagCollector::new(
                run,
                self.each_undefined,
                self.schema.kinds.covers_standard && !self.against.is_named,
            ),
            stack: StructureStack::new(self.standard.table, &self.standard.rows, document),
            is_as_written: !document.inserts_records(),
            dates_are_checked: findings.dates_are_checked(),
            may_be_empty: document.rules().tagged.empty_structures,
            findings,
        };
        for (range, takes_hidden) in node_ranges(document) {
            let mut at = range.start;
            while at < range.end
                && let Some(node) = document.node(NodeId::new(at))
            {
                let flags = node.flags();
                if flags.is_continuation() || flags.is_inserted() || flags.is_hidden() && !takes_hidden {
                    if flags.is_raw() {
                        validation.links.add_raw_line(node);
                    }
                    if flags.is_conc() && !self.against.standard.has_conc() {
                        self.report_concatenation(node, &mut validation);
                    }
                    at = node.subtree_end().get().max(at + 1);
                } else {
                    self.validate_structure(node, flags, &kind_of, &mut validation);
                    at += 1;
                }
            }
        }
        let RunValidation { mut findings, links, tags, mut stack, .. } = validation;
        stack.close_before(NodeId::new(u32::MAX - 1), &mut findings);
        links.finish(tags)
    }

    /// Validates a structure, and opens it for its substructures.
    #[inline]
    fn validate_structure<'d>(
        &self,
        node: Node<'d>,
        flags: Flags,
        kind_of: &impl Fn(Node<'d>) -> u16,
        validation: &mut RunValidation<'_, 'd>,
    ) {
        validation.stack.close_before(node.id(), &mut validation.findings);
        let is_root = validation.stack.is_empty();
        let typed = if self.uses_types { kind_of(node) } else { NO_KIND };
        let number = if typed < SpecialType::FIRST {
            validation.stack.count_type(typed, node, &mut validation.findings);
            typed
        } else {
            self.count_uncommon(node, typed, is_root, kind_of, validation)
        };
        let traits = self.standard.traits.get(usize::from(number)).copied().unwrap_or(Traits::NONE);
        if is_root || flags.has_xref() || flags.is_hidden() || traits.has(Traits::RECORD) {
            validation.collect_bearer(node, flags, number, traits, is_root);
        }
        let has_end_check = || {
            traits.has(Traits::DATE)
                && validation.dates_are_checked
                && flags.is_plain_text()
                && (traits.has(Traits::NO_PAYLOAD) || !node.payload_span().is_empty())
        };
        if !traits.accepts(flags) && number != NO_KIND && !has_end_check() {
            self.check_payload(node, flags, number, traits, validation);
        }
        if traits.has(Traits::FILLED) && validation.may_be_empty && node.payload_span().is_empty() {
            advice::check_not_empty(node, &mut validation.findings);
        }
        validation.stack.push(node, number, traits.end_checks());
    }

    /// Counts a structure by its type if the structure has no kind, or has several. Returns the
    /// kind number that the structure is validated as.
    fn count_uncommon<'d>(
        &self,
        node: Node<'d>,
        typed: u16,
        is_root: bool,
        kind_of: &impl Fn(Node<'d>) -> u16,
        validation: &mut RunValidation<'_, 'd>,
    ) -> u16 {
        match self.standard.table.naming {
            Naming::Tag if typed == NO_KIND => match self.count_by_tag(node, is_root, validation) {
                // An extension tag may have the type of a standard structure.
                NO_KIND if node.tag().starts_with('_') => {
                    let (number, above) = (kind_of(node), validation.stack.top_kind());
                    let table = self.standard.table;
                    let findings = &mut validation.findings;
                    let can_stand =
                        TagCollector::report_relocated_tag(node, number, above, is_root, table, findings);
                    if can_stand { number } else { NO_KIND }
                }
                number => number,
            },
            Naming::Type if typed == NO_KIND => {
                validation.stack.count_type(typed, node, &mut validation.findings);
                typed
            }
            Naming::Tag | Naming::Type => self.count_special(typed, node, validation),
        }
    }

    /// Counts a structure of a special type. Reports the structure if its type is abstract. Returns
    /// the kind number that the structure is validated as.
    #[cold]
    fn count_special<'d>(&self, number: u16, node: Node<'d>, validation: &mut RunValidation<'_, 'd>) -> u16 {
        let Some(special) = self.schema.kinds.get_special(number) else { return NO_KIND };
        validation.stack.count_types(&special.counted, node, &mut validation.findings);
        // The header stands for the metadata, which is not a structure in the data model.
        let is_head = || node.document().head().is_some_and(|head| head.id() == node.id());
        if let Some(kind) = self.standard.table.kind(special.kind).filter(|_| special.is_abstract)
            && !is_head()
        {
            let (tag, name) = (shorten(node.tag()), self.standard.table.display_name(kind.name));
            let message = format!("`{tag}` has the type `{name}`, which is abstract");
            validation.findings.report(codes::TYPE_ABSTRACT, node, message);
        }
        special.kind
    }

    /// Counts a structure by its tag, and returns its kind number.
    #[inline]
    fn count_by_tag<'d>(&self, node: Node<'d>, is_root: bool, validation: &mut RunValidation<'_, 'd>) -> u16 {
        let number = if is_root {
            validation.links.count_root(node).unwrap_or(NO_KIND)
        } else {
            validation.stack.count_tag(node, &mut validation.findings)
        };
        if number == NO_KIND && validation.stack.knows_substructures() {
            validation.tags.add_tag(
                node,
                validation.stack.top_kind(),
                self.standard.table,
                &mut validation.findings,
            );
        }
        number
    }

    /// Reports a CONC line, which GEDCOM 7.0 does not have. The reader joins it to the previous payload.
    #[cold]
    fn report_concatenation<'d>(&self, node: Node<'d>, validation: &mut RunValidation<'_, 'd>) {
        validation.stack.close_before(node.id(), &mut validation.findings);
        if !validation.stack.is_empty() && validation.stack.knows_substructures() {
            validation.tags.add_tag(
                node,
                validation.stack.top_kind(),
                self.standard.table,
                &mut validation.findings,
            );
        }
    }

    /// Checks the payload of a structure, and collects a pointer.
    fn check_payload<'d>(
        &self,
        node: Node<'d>,
        flags: Flags,
        number: u16,
        traits: Traits,
        validation: &mut RunValidation<'_, 'd>,
    ) {
        let Some(kind) = self.standard.table.kind(number) else { return };
        if traits.has(Traits::RESTRICTION) {
            validation.links.add_restriction(node, validation.stack.is_record_open());
        }
        // Rules that insert records for unresolved pointers resolve these pointers to the inserted records.
        if flags.is_pointer()
            && traits.has(Traits::LINK)
            && validation.is_as_written
            && (validation.links.add_listed_pointer(node, number, validation.stack.is_record_open())
                || node.pointer().is_some())
        {
            return;
        }
        if is_obviously_valid(node, flags, kind) {
            return;
        }
        if flags.is_plain_text()
            && kind.payloads.text
            && let Some(text) = node.line_payload().filter(|text| !text.is_empty())
        {
            values::check_text(node, text, &kind.text, &mut validation.findings);
            return;
        }
        let payload = node.payload();
        match (find_payload_fault(&payload, kind), payload) {
            // No pointer is allowed at this place, whatever record the pointer refers to.
            (Some((code, message)), Payload::Pointer(_)) => {
                validation.report_pointer(node, flags, code, message);
            }
            // The reader reports unresolved pointers.
            (None, Payload::Pointer(_)) if !kind.targets.is_empty() => {
                validation.links.add_pointer(node, number, validation.stack.is_record_open());
            }
            (Some((code, message)), payload) => {
                if traits.has(Traits::LINK) {
                    validation.links.add_broken_pointer(node, number, validation.stack.is_record_open());
                }
                // If the rules forbid empty structures, the reader has already reported the missing
                // content.
                let is_empty = code == codes::PAYLOAD_MISSING && node.substructures().next().is_none();
                if is_empty && !validation.may_be_empty && !flags.has_xref() {
                    return;
                }
                match suggest_pointer(&payload, kind, self.standard.table) {
                    Some(help) => validation.findings.report_with_help(code, node, message, &help),
                    None => validation.findings.report(code, node, message),
                }
            }
            (None, Payload::Text(text)) => {
                values::check_text(node, &text, &kind.text, &mut validation.findings)
            }
            (None, Payload::None | Payload::Pointer(_)) => {}
        }
    }
}

struct RunValidation<'f, 'd> {
    findings: Findings<'f, 'd>,
    links: LinkCollector<'d>,
    tags: TagCollector<'d>,
    stack: StructureStack<'d>,
    /// False if the rules insert records for unresolved pointers.
    is_as_written: bool,
    /// True if dates were already checked when types were found.
    dates_are_checked: bool,
    /// False if the grammar of lines forbids empty structures. The reader then reports them.
    may_be_empty: bool,
}

impl<'d> RunValidation<'_, 'd> {
    /// Collects a top-level structure, a structure with an identifier, or a structure whose type is
    /// a type of records.
    #[inline(never)]
    fn collect_bearer(&mut self, node: Node<'d>, flags: Flags, number: u16, traits: Traits, is_root: bool) {
        if is_root {
            self.links.start_record(node, number);
            self.check_identifier(node, flags, number);
            return;
        }
        if flags.has_xref() || flags.is_hidden() {
            self.links.add_structure(node, number);
        }
        if traits.has(Traits::RECORD) {
            report_nested_record(node, &mut self.findings);
        }
    }
}

impl<'d> RunValidation<'_, 'd> {
    /// Reports a record without an identifier, if the standard requires one.
    fn check_identifier(&mut self, node: Node<'d>, flags: Flags, number: u16) {
        let is_record = number != NO_KIND && !flags.has_xref() && !matches!(node.tag(), "HEAD" | "TRLR");
        if is_record && !flags.is_pointer() && self.findings.standard().identifies_records() {
            let message = format!("expected an identifier before `{}`, but found none", shorten(node.tag()));
            self.findings.report(codes::IDENTIFIER_MISSING, node, message);
        }
    }

    /// Reports a pointer that is not allowed. If the pointer follows the tag of a record, it is
    /// probably the identifier of that record.
    #[cold]
    fn report_pointer(&mut self, node: Node<'d>, flags: Flags, code: Code, message: String) {
        let is_record = node.superstructure().is_none() && !flags.has_xref() && !flags.is_continued();
        match node.pointer().filter(|_| is_record) {
            Some(xref) => {
                let help = format!(
                    "write the identifier before the tag: `0 @{}@ {}`",
                    shorten(xref),
                    shorten(node.tag())
                );
                self.findings.report_with_fix(
                    code,
                    node,
                    message,
                    help,
                    Fix::guess(FixAction::IdentifierFirst),
                );
            }
            None => self.findings.report(code, node, message),
        }
    }
}

/// Returns the nodes of a document in the order of validation, the header first. Each range says
/// whether hidden nodes count in it. Serialisation metadata is hidden in the drafts, but consists
/// of ordinary structures in GEDCOM.
fn node_ranges(document: &Document<'_>) -> [(Range<u32>, bool); 3] {
    let header = document.head().map_or(0..0, |head| head.id().get()..head.subtree_end().get());
    let (before, behind) = (0..header.start, header.end..u32::MAX);
    [(header, true), (before, false), (behind, false)]
}

#[cold]
fn report_nested_record<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    let above = node.superstructure().map_or("", Node::tag);
    let message = format!("record `{}` inside `{}`", shorten(node.tag()), shorten(above));
    findings.report(codes::RECORD_NESTED, node, message);
}
