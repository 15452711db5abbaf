//! Compares the schemas in the header: each statement must be in the output or be reported.

use super::header::MetadataLine;
use super::text::normalise;
use super::{Difference, Judge};
use elf_base::rules::Mechanism;
use elf_schema::Schema;
use elf_tagged::escape::names_default_schema;
use elf_tagged::{Document, Node};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The kinds of reports about a missing line of a schema.
const LEFT_OUT: [Difference; 2] = [Difference::Schema, Difference::Metadata];

/// The namespace of ELF.
const ELF: &str = "https://terms.fhiso.org/elf/";

/// A type that only the default schema defines.
const A_DEFAULT_TYPE: &str = "https://terms.fhiso.org/elf/INDIVIDUAL_RECORD";

/// A statement: the tag and payload of a line of a schema, and those of the lines above it.
type Statement = Vec<(String, String)>;

/// The schema in a header.
pub(super) struct HeaderSchema {
    /// The lines, and how often each occurs.
    lines: HashMap<Statement, usize>,
    /// The statements, with prefixes expanded.
    statements: HashSet<Statement>,
    /// The IRIs of types, from IRI or DEFN.
    types: HashSet<String>,
    prefixes: HashMap<String, String>,
    /// The texts of structures tagged ERROR.
    faulty: Vec<String>,
}

impl HeaderSchema {
    /// Reads the schema of a document.
    pub(super) fn of(document: &Document<'_>) -> HeaderSchema {
        let is_schema = |top: &Node<'_>| matches!(top.tag(), "SCHMA" | "PRFX" | "DEFN");
        let mut nodes = Vec::new();
        let mut waiting: Vec<Node<'_>> = document.serialisation_metadata().filter(is_schema).collect();
        while let Some(node) = waiting.pop() {
            nodes.push(node);
            waiting.extend(node.lines().filter(|line| !line.is_continuation()));
        }
        let prefixes = nodes.iter().filter(|node| node.tag() == "PRFX").filter_map(|node| {
            let said = payload_by_rules(*node);
            let (prefix, namespace) = said.trim().split_once(' ')?;
            // If the namespace is not an IRI, the prefix is not expanded.
            is_iri(namespace.trim()).then(|| (prefix.to_owned(), namespace.trim().to_owned()))
        });
        let mut stated = HeaderSchema {
            lines: HashMap::new(),
            statements: HashSet::new(),
            types: HashSet::new(),
            prefixes: prefixes.collect(),
            faulty: nodes
                .iter()
                .filter(|node| node.tag() == "ERROR")
                .map(|node| normalise(&node.text()))
                .collect(),
        };
        // A reference also provides the prefixes of the schema that it names, if the rules allow references.
        if document.rules().schema.mechanism != (Mechanism::Inline { external: false })
            && nodes.iter().any(|node| node.tag() == "SCHMA" && names_default_schema(node.merged().trim()))
        {
            stated.prefixes.entry("elf".to_owned()).or_insert_with(|| ELF.to_owned());
        }
        for node in nodes {
            *stated.lines.entry(statement_of(node)).or_default() += 1;
            stated.statements.extend(stated.statements_of(node));
            let payload = normalise(&payload_by_rules(node));
            match node.tag() {
                "IRI" => stated
                    .types
                    .extend(payload.split_whitespace().next().map(|iri| stated.expand_prefix(iri))),
                "DEFN" => stated.types.extend(payload.split_whitespace().skip(1).map(str::to_owned)),
                _ => {}
            }
        }
        stated
    }

    /// Returns whether the schema contains the published one, by reference or by its definitions.
    fn has_published(&self) -> bool {
        let refers = |said: &Statement| matches!(&**said, [(tag, iri), _] if tag == "SCHMA" && names_default_schema(iri));
        self.types.contains(A_DEFAULT_TYPE) || self.statements.iter().any(refers)
    }

    /// Expands the prefix of an IRI.
    fn expand_prefix(&self, iri: &str) -> String {
        match iri.split_once(':').and_then(|(prefix, rest)| Some((self.prefixes.get(prefix)?, rest))) {
            Some((namespace, rest)) => format!("{namespace}{rest}"),
            None => iri.to_owned(),
        }
    }

    /// Returns the statements of a line: one for each superstructure type of a tag.
    fn statements_of(&self, node: Node<'_>) -> Vec<Statement> {
        let payload = normalise(&payload_by_rules(node));
        let above =
            node.superstructure().map(|above| self.expand_prefix(normalise(&payload_by_rules(above)).trim()));
        let words: Vec<String> = payload.split_whitespace().map(|word| self.expand_prefix(word)).collect();
        let say = |words: &[&str]| {
            let above = if matches!(node.tag(), "ISA" | "TAG") { above.clone() } else { None };
            vec![(node.tag().to_owned(), words.join(" ")), (String::new(), above.unwrap_or_default())]
        };
        match (node.tag(), &*words) {
            ("TAG", [tag, contexts @ ..]) if !contexts.is_empty() => {
                contexts.iter().map(|context| say(&[tag, context])).collect()
            }
            ("ESC", [tag, types]) => {
                let mut types: Vec<char> = types.chars().collect();
                types.sort_unstable();
                types.dedup();
                vec![say(&[tag, &types.iter().collect::<String>()])]
            }
            _ => vec![say(&words.iter().map(String::as_str).collect::<Vec<_>>())],
        }
    }
}

/// Returns the payload of a line of a schema by its rules: with or without escapes.
pub(super) fn payload_by_rules(node: Node<'_>) -> Cow<'_, str> {
    if node.document().rules().tagged.metadata.is_raw() { node.merged() } else { node.text() }
}

/// Returns whether a schema implies a statement: a type is defined, has a direct or indirect supertype, or has a tag in
/// a superstructure.
fn implies_statement(schema: &Schema, said: &Statement) -> bool {
    let [(kind, words), (_, above)] = &**said else { return false };
    let of = |iri: &str| schema.type_of(iri);
    match &**kind {
        "IRI" => of(words).is_some_and(|of| schema.declared(of).is_some()),
        "ISA" => of(above)
            .zip(of(words))
            .is_some_and(|(of, supertype)| schema.eventual_supertypes(of).any(|other| other == supertype)),
        "TAG" => words.split_once(' ').and_then(|(tag, context)| Some((tag, of(context)?))).is_some_and(
            |(tag, context)| {
                let mut there = schema.definitions_in(context);
                there.any(|one| (one.tag(), one.structure_type()) == (tag, above))
            },
        ),
        _ => false,
    }
}

/// Returns whether a namespace looks like an absolute IRI, by its characters (RFC 3987).
fn is_iri(namespace: &str) -> bool {
    let is_barred = |character: char| {
        character.is_control() || character.is_whitespace() || "<>\"{}|\\^`".contains(character)
    };
    namespace.contains(':') && !namespace.contains(is_barred)
}

/// Returns whether a structure is the header. January 2019 accepts it in any case.
fn is_header(node: Node<'_>) -> bool {
    node.tag().eq_ignore_ascii_case("HEAD")
}

/// Returns the statement of a line and those above it.
fn statement_of(node: Node<'_>) -> Statement {
    let of = |node: &Node<'_>| !is_header(*node);
    let lines = std::iter::successors(Some(node).filter(of), |node| node.superstructure().filter(of));
    // Whitespace and line breaks around a definition are ignored.
    lines.map(|node| (node.tag().to_owned(), normalise(&node.merged()).trim().to_owned())).collect()
}

impl<'c> Judge<'c> {
    /// Returns whether the output contains a malformed line of the schema as a structure. Each counts once.
    pub(super) fn is_faulty_line_kept(&mut self, node: Node<'c>) -> bool {
        let text = normalise(&node.text());
        let faulty = &mut self.schema_after.faulty;
        faulty.iter().position(|of| *of == text).map(|at| faulty.remove(at)).is_some()
    }

    /// Checks one line of a schema. Returns whether a report covers the lines under it.
    pub(super) fn check_schema_line(&mut self, beneath: MetadataLine<'c>) -> bool {
        let MetadataLine { node, line, is_covered, .. } = beneath;
        let said = statement_of(node);
        if is_covered {
            // A dictionary reports each line that it cannot express, and each invalid line under a definition.
            let _ = LEFT_OUT.iter().any(|kind| self.reports.explain(line, *kind));
            return true;
        }
        let [from, to] = self.conversion.rules().map(|rules| rules.schema.mechanism);
        let is_inline = |of| matches!(of, Mechanism::Inline { .. });
        let lines = &self.schema_before.lines;
        // A schema with only this line does not enable the default schema, and no schema does (docs/readings.md, S19).
        if is_inline(from)
            && !is_inline(to)
            && lines.keys().all(|line| **line == [("SCHMA".into(), String::new())])
        {
            self.reports
                .require_report(line, Difference::Schema, || "the default schema is in force".to_owned());
            return true;
        }
        // All of it may be left out, if another schema is written instead.
        let is_top = node.superstructure().is_none_or(is_header);
        let is_given = Arc::ptr_eq(self.conversion.before.schema(), Schema::completed());
        if is_top
            && (node.merged().is_empty() || is_given)
            && LEFT_OUT.iter().any(|kind| self.reports.explain(line, *kind))
        {
            return true;
        }
        // The output has the same line and the same prefixes, unless a prefix is reported as left out.
        let is_stated = self.reports.is_reported_for_prefixes(&LEFT_OUT)
            || self
                .schema_before
                .statements_of(node)
                .iter()
                .all(|of| self.schema_after.statements.contains(of));
        if let Some(count) = self.schema_after.lines.get_mut(&said).filter(|count| **count > 0 && is_stated) {
            *count -= 1;
            return false;
        }
        // The output may express the line in another form, or a report covers it.
        if LEFT_OUT.iter().any(|kind| self.reports.explain(line, *kind)) {
            // Each line that a dictionary cannot express is reported.
            return to != Mechanism::IriDictionary;
        }
        let is_said = match (from, to) {
            (Mechanism::IriDictionary, Mechanism::IriDictionary) => false,
            (Mechanism::IriDictionary, _) => self.is_defined(node),
            (_, Mechanism::IriDictionary) => self.is_in_dictionary(node),
            _ => self.is_stated(node),
        };
        if !is_said {
            self.reports.add_fault(
                line,
                &format!("Schema not reported, {} of {from:?}: missing is {said:?}", node.tag()),
            );
        }
        false
    }

    /// Returns whether the output has a type for an entry of a dictionary.
    fn is_defined(&self, entry: Node<'c>) -> bool {
        let payload = entry.merged();
        let words: Vec<&str> = payload.split_whitespace().collect();
        let types = &self.schema_after.types;
        match (entry.tag(), &*words) {
            // An entry whose type no schema can name is lost with its structures.
            ("DEFN", [tag, iri]) => types.contains(*iri) || self.loses_types(tag),
            ("PRFX", [.., namespace]) => types.iter().any(|iri| iri.starts_with(namespace)),
            _ => false,
        }
    }

    /// Returns whether a report says that structures with a tag lose their type.
    fn loses_types(&self, tag: &str) -> bool {
        let mut of = self.before.structures.iter().filter(|each| each.node.tag() == tag);
        of.any(|each| self.reports.is_reported_at(each.line, Difference::Type))
    }

    /// Returns whether a dictionary expresses a line of a schema, or need not do so.
    fn is_in_dictionary(&self, of: Node<'c>) -> bool {
        let payload = normalise(&of.merged());
        let above = || of.superstructure().map(|above| normalise(&above.merged()));
        match of.tag() {
            // Prefixes only abbreviate, and 2017 preserves all escapes (O17 §5.4).
            "PRFX" | "ESC" => true,
            "SCHMA" => payload.is_empty() || names_default_schema(payload.trim()),
            // The tags of the definition express it.
            "IRI" => of.substructure("TAG").is_some(),
            "TAG" => above().is_some_and(|iri| {
                let iri = self.schema_before.expand_prefix(iri.trim());
                // Types of GEDCOM need no definition.
                self.schema_after.types.contains(&iri) || iri.starts_with(ELF)
            }),
            _ => false,
        }
    }

    /// Returns whether the output contains lines of the schema, other than PRFX, in another form.
    fn is_written_anew(&self) -> bool {
        let mut lines = self.schema_before.lines.keys();
        lines.any(|said| {
            !self.schema_after.lines.contains_key(said) && said.first().is_some_and(|(tag, _)| tag != "PRFX")
        })
    }

    /// Returns whether the output expresses a line of the schema in another form.
    fn is_stated(&self, of: Node<'c>) -> bool {
        let statements = self.schema_before.statements_of(of);
        match of.tag() {
            // A rewritten schema need not define all prefixes.
            "PRFX" if self.is_written_anew() => true,
            "SCHMA" if of.merged().is_empty() => !self.schema_after.lines.is_empty(),
            // The reference may be at another level. The default schema is also in force without a schema, and rules
            // without references write its definitions.
            "SCHMA" if names_default_schema(of.merged().trim()) => {
                statements.iter().all(|said| self.schema_after.statements.contains(said))
                    || self.schema_after.lines.is_empty()
                    || self.schema_after.types.contains(A_DEFAULT_TYPE)
            }
            // A reference to the published schema implies its statements, and so do its definitions, with the nearest
            // supertypes; if they are in force.
            _ => statements.iter().all(|said| {
                self.schema_after.statements.contains(said)
                    || self.schema_after.has_published()
                        && implies_statement(Schema::published(), said)
                        && implies_statement(self.conversion.after.schema(), said)
            }),
        }
    }
}
