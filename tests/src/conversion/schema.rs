//! The schemas of the header: what each line of them says has to be in the output, or to be reported.

use super::header::Beneath;
use super::text::normal;
use super::{Difference, Judge};
use elf_base::rules::Mechanism;
use elf_schema::Schema;
use elf_tagged::escape::names_default_schema;
use elf_tagged::{Document, Node};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The kinds of a report that a line of a schema is left out.
const LEFT_OUT: [Difference; 2] = [Difference::Schema, Difference::Metadata];

/// The namespace of ELF.
const ELF: &str = "https://terms.fhiso.org/elf/";

/// A type of the default schema.
const A_DEFAULT_TYPE: &str = "https://terms.fhiso.org/elf/INDIVIDUAL_RECORD";

/// The tag and payload of a line of a schema, with those of the lines above it.
type Said = Vec<(String, String)>;

/// The schema of a header.
pub(super) struct Stated {
    /// The lines, with how often each is there.
    lines: HashMap<Said, usize>,
    /// The statements, without prefixes.
    statements: HashSet<Said>,
    /// The IRIs that are given to types, by IRI or DEFN.
    types: HashSet<String>,
    prefixes: HashMap<String, String>,
    /// The texts of structures tagged ERROR.
    faulty: Vec<String>,
}

impl Stated {
    /// Reads the schema of a document.
    pub(super) fn of(document: &Document<'_>) -> Stated {
        let is_schema = |top: &Node<'_>| matches!(top.tag(), "SCHMA" | "PRFX" | "DEFN");
        let mut nodes = Vec::new();
        let mut waiting: Vec<Node<'_>> = document.serialisation_metadata().filter(is_schema).collect();
        while let Some(node) = waiting.pop() {
            nodes.push(node);
            waiting.extend(node.lines().filter(|line| !line.is_continuation()));
        }
        let prefixes = nodes.iter().filter(|node| node.tag() == "PRFX").filter_map(|node| {
            let said = meant(*node);
            let (prefix, namespace) = said.trim().split_once(' ')?;
            // What is no IRI is none, and the prefix stands for itself.
            is_iri(namespace.trim()).then(|| (prefix.to_owned(), namespace.trim().to_owned()))
        });
        let mut stated = Stated {
            lines: HashMap::new(),
            statements: HashSet::new(),
            types: HashSet::new(),
            prefixes: prefixes.collect(),
            faulty: nodes
                .iter()
                .filter(|node| node.tag() == "ERROR")
                .map(|node| normal(&node.text()))
                .collect(),
        };
        // A reference brings the prefixes of what it refers to, where there are references.
        if document.rules().schema.mechanism != (Mechanism::Inline { external: false })
            && nodes.iter().any(|node| node.tag() == "SCHMA" && names_default_schema(node.merged().trim()))
        {
            stated.prefixes.entry("elf".to_owned()).or_insert_with(|| ELF.to_owned());
        }
        for node in nodes {
            *stated.lines.entry(said(node)).or_default() += 1;
            stated.statements.extend(stated.statements_of(node));
            let payload = normal(&meant(node));
            match node.tag() {
                "IRI" => stated.types.extend(payload.split_whitespace().next().map(|iri| stated.whole(iri))),
                "DEFN" => stated.types.extend(payload.split_whitespace().skip(1).map(str::to_owned)),
                _ => {}
            }
        }
        stated
    }

    /// Returns whether the published schema is part of it, by reference or with its definitions.
    fn has_published(&self) -> bool {
        let refers =
            |said: &Said| matches!(&**said, [(tag, iri), _] if tag == "SCHMA" && names_default_schema(iri));
        self.types.contains(A_DEFAULT_TYPE) || self.statements.iter().any(refers)
    }

    /// Returns an IRI without its prefix.
    fn whole(&self, iri: &str) -> String {
        match iri.split_once(':').and_then(|(prefix, rest)| Some((self.prefixes.get(prefix)?, rest))) {
            Some((namespace, rest)) => format!("{namespace}{rest}"),
            None => iri.to_owned(),
        }
    }

    /// Returns what a line says, one statement for each type above which a tag is defined.
    fn statements_of(&self, node: Node<'_>) -> Vec<Said> {
        let payload = normal(&meant(node));
        let above = node.superstructure().map(|above| self.whole(normal(&meant(above)).trim()));
        let words: Vec<String> = payload.split_whitespace().map(|word| self.whole(word)).collect();
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

/// Returns the payload of a line of a schema as its rules have it: as it stands, or without escapes.
pub(super) fn meant(node: Node<'_>) -> Cow<'_, str> {
    if node.document().rules().tagged.metadata.is_raw() { node.merged() } else { node.text() }
}

/// Returns whether a schema makes a statement: that a type is defined, that it has a supertype, perhaps by
/// others between them, or that a tag has it in a superstructure.
fn says(schema: &Schema, said: &Said) -> bool {
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

/// Returns whether a namespace is an absolute IRI, as far as single characters show (RFC 3987).
fn is_iri(namespace: &str) -> bool {
    let is_barred = |character: char| {
        character.is_control() || character.is_whitespace() || "<>\"{}|\\^`".contains(character)
    };
    namespace.contains(':') && !namespace.contains(is_barred)
}

/// Returns whether a structure is the header, which January 2019 knows in any letters.
fn is_header(node: Node<'_>) -> bool {
    node.tag().eq_ignore_ascii_case("HEAD")
}

/// Returns what a line of a schema and those above it say.
fn said(node: Node<'_>) -> Said {
    let of = |node: &Node<'_>| !is_header(*node);
    let lines = std::iter::successors(Some(node).filter(of), |node| node.superstructure().filter(of));
    // Blanks and line breaks around a definition are no part of it.
    lines.map(|node| (node.tag().to_owned(), normal(&node.merged()).trim().to_owned())).collect()
}

impl<'c> Judge<'c> {
    /// Returns whether a line that could not be read is in the schema of the output as a structure; once
    /// for each.
    pub(super) fn is_faulty_line_kept(&mut self, node: Node<'c>) -> bool {
        let text = normal(&node.text());
        let faulty = &mut self.schema_after.faulty;
        faulty.iter().position(|of| *of == text).map(|at| faulty.remove(at)).is_some()
    }

    /// Looks at one line of a schema; tells whether a report covers what is under it.
    pub(super) fn line_of_schema(&mut self, beneath: Beneath<'c>) -> bool {
        let Beneath { node, line, is_covered, .. } = beneath;
        let said = said(node);
        if is_covered {
            // What a dictionary has no place for is named line by line as well, and so is what stands
            // under a definition, which is at fault by itself.
            let _ = LEFT_OUT.iter().any(|kind| self.reports.explain(line, *kind));
            return true;
        }
        let [from, to] = self.conversion.rules().map(|rules| rules.schema.mechanism);
        let is_inline = |of| matches!(of, Mechanism::Inline { .. });
        let lines = &self.schema_before.lines;
        // The default schema is not in force where this is all of it, and is without it (docs/readings.md,
        // S19).
        if is_inline(from)
            && !is_inline(to)
            && lines.keys().all(|line| **line == [("SCHMA".into(), String::new())])
        {
            self.reports.needs(line, Difference::Schema, || "the default schema is in force".to_owned());
            return true;
        }
        // All of it may be left out, for another schema that is in its place.
        let is_top = node.superstructure().is_none_or(is_header);
        let is_given = Arc::ptr_eq(self.conversion.before.schema(), Schema::completed());
        if is_top
            && (node.merged().is_empty() || is_given)
            && LEFT_OUT.iter().any(|kind| self.reports.explain(line, *kind))
        {
            return true;
        }
        // The same words, and by the same prefixes, unless one is said to be left out.
        let is_stated = self.reports.says_of_prefixes(&LEFT_OUT)
            || self
                .schema_before
                .statements_of(node)
                .iter()
                .all(|of| self.schema_after.statements.contains(of));
        if let Some(count) = self.schema_after.lines.get_mut(&said).filter(|count| **count > 0 && is_stated) {
            *count -= 1;
            return false;
        }
        // Another form of it may say the same; or it is reported as lost.
        if LEFT_OUT.iter().any(|kind| self.reports.explain(line, *kind)) {
            // Whatever a dictionary has no place for is named line by line.
            return to != Mechanism::IriDictionary;
        }
        let is_said = match (from, to) {
            (Mechanism::IriDictionary, Mechanism::IriDictionary) => false,
            (Mechanism::IriDictionary, _) => self.is_defined(node),
            (_, Mechanism::IriDictionary) => self.is_mapped(node),
            _ => self.is_stated(node),
        };
        if !is_said {
            self.reports.fault(
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
            // One that no schema can name is lost with the structures.
            ("DEFN", [tag, iri]) => types.contains(*iri) || self.loses_types(tag),
            ("PRFX", [.., namespace]) => types.iter().any(|iri| iri.starts_with(namespace)),
            _ => false,
        }
    }

    /// Returns whether structures of a tag are said to lose their type.
    fn loses_types(&self, tag: &str) -> bool {
        let mut of = self.before.structures.iter().filter(|each| each.node.tag() == tag);
        of.any(|each| self.reports.has(each.line, Difference::Type))
    }

    /// Returns whether a dictionary says what a line of a schema does, or need not.
    fn is_mapped(&self, of: Node<'c>) -> bool {
        let payload = normal(&of.merged());
        let above = || of.superstructure().map(|above| normal(&above.merged()));
        match of.tag() {
            // Prefixes only shorten, and 2017 keeps all escapes (O17 §5.4).
            "PRFX" | "ESC" => true,
            "SCHMA" => payload.is_empty() || names_default_schema(payload.trim()),
            // It is said by its tags.
            "IRI" => of.substructure("TAG").is_some(),
            "TAG" => above().is_some_and(|iri| {
                let iri = self.schema_before.whole(iri.trim());
                // Those of GEDCOM have their types without it.
                self.schema_after.types.contains(&iri) || iri.starts_with(ELF)
            }),
            _ => false,
        }
    }

    /// Returns whether lines of the schema but PRFX are in the output in other words.
    fn is_written_anew(&self) -> bool {
        let mut lines = self.schema_before.lines.keys();
        lines.any(|said| {
            !self.schema_after.lines.contains_key(said) && said.first().is_some_and(|(tag, _)| tag != "PRFX")
        })
    }

    /// Returns whether the output says in other words what a line of a schema does.
    fn is_stated(&self, of: Node<'c>) -> bool {
        let statements = self.schema_before.statements_of(of);
        match of.tag() {
            // A schema that is written anew needs not all prefixes.
            "PRFX" if self.is_written_anew() => true,
            "SCHMA" if of.merged().is_empty() => !self.schema_after.lines.is_empty(),
            // It may be named at another level. Without a schema the default one is in force; one that cannot
            // refer to it has its definitions.
            "SCHMA" if names_default_schema(of.merged().trim()) => {
                statements.iter().all(|said| self.schema_after.statements.contains(said))
                    || self.schema_after.lines.is_empty()
                    || self.schema_after.types.contains(A_DEFAULT_TYPE)
            }
            // A reference to the published schema says what that says, and so do its definitions, each
            // supertype by the nearest ones; if they are in force.
            _ => statements.iter().all(|said| {
                self.schema_after.statements.contains(said)
                    || self.schema_after.has_published()
                        && says(Schema::published(), said)
                        && says(self.conversion.after.schema(), said)
            }),
        }
    }
}
