//! Reads the facts about structure types, and checks that they agree.

use super::rows::{Correspondence, Datatype, Gedcom70};
use std::collections::HashSet;
use std::fmt;

/// The schema that a fact belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaKind {
    Published,
    Completed,
}

/// All facts, in the order of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Prefix and IRI.
    pub(super) prefixes: Vec<(SchemaKind, String, String)>,
    /// Tag and types of escapes.
    pub(super) escapes: Vec<(SchemaKind, String, String)>,
    pub(super) types: Vec<Type>,
    /// The datatypes of types, from a file of their own.
    pub(super) datatypes: Vec<Datatype>,
    /// The corresponding types of other standards, from a file of their own.
    pub(super) correspondences: Vec<Correspondence>,
    /// The structures of GEDCOM 7, from files of their own.
    pub(super) gedcom_7: Gedcom70,
    /// The structures of GEDCOM 7 with the additions of the draft of 7.1.
    pub(super) gedcom_7_1: Gedcom70,
    /// The IRIs of structures of GEDCOM 7, and the datatypes of their text as Rust expressions.
    pub(super) datatypes_of_gedcom_7: Vec<(String, String)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) which: SchemaKind,
    /// The name with its prefix.
    pub(super) name: String,
    pub(super) supertypes: Vec<(SchemaKind, String)>,
    /// A tag and the superstructure types under which it occurs, separated by single spaces.
    pub(super) tags: Vec<(SchemaKind, String)>,
}

/// An error in a line of the facts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The number of the line, from 1.
    line: usize,
    message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl SchemaKind {
    /// Returns whether a fact of `self` belongs to `schema`. The completed schema contains the published one.
    pub(super) fn is_in(self, schema: SchemaKind) -> bool {
        self == SchemaKind::Published || schema == SchemaKind::Completed
    }
}

impl Facts {
    pub(super) fn read_facts(text: &str) -> Result<Facts, Problem> {
        let mut facts = Facts::default();
        // The facts without their reasons, to find repetitions.
        let mut said = HashSet::new();
        for (index, line) in text.lines().enumerate() {
            let problem = |message: String| Problem { line: index + 1, message };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut columns = line.split('\t');
            let mut column = || columns.next().unwrap_or_default();
            let (schema, kind, subject, value, reason) = (column(), column(), column(), column(), column());
            if columns.next().is_some() {
                return Err(problem("expected at most five columns".to_owned()));
            }
            let which = match (schema, kind, reason) {
                ("published", _, "") => SchemaKind::Published,
                ("published", ..) => return Err(problem("published rows have no reason of ours".to_owned())),
                ("completed", "type", _) => SchemaKind::Completed,
                ("completed", _, "") => return Err(problem("expected a reason".to_owned())),
                ("completed", ..) => SchemaKind::Completed,
                (other, ..) => {
                    return Err(problem(format!("expected `published` or `completed`, but found `{other}`")));
                }
            };
            for said_here in split_row(kind, subject, value) {
                if !said.insert(said_here) {
                    return Err(problem(format!(
                        "`{kind} {subject} {value}` is said already, at least in part"
                    )));
                }
            }
            facts.add_fact(which, kind, subject, value).map_err(problem)?;
        }
        facts.check_names()?;
        Ok(facts)
    }

    fn add_fact(&mut self, which: SchemaKind, kind: &str, subject: &str, value: &str) -> Result<(), String> {
        let pair = (which, value.to_owned());
        match kind {
            "prefix" => self.prefixes.push((which, subject.to_owned(), value.to_owned())),
            "escape" => self.escapes.push((which, subject.to_owned(), value.to_owned())),
            "type" => self.types.push(Type {
                which,
                name: subject.to_owned(),
                supertypes: Vec::new(),
                tags: Vec::new(),
            }),
            "isa" | "tag" => {
                let of = self.types.last_mut().filter(|of| of.name == subject);
                let Some(of) = of else {
                    return Err(format!("expected the rows of `{subject}` together, its `type` first"));
                };
                if kind == "isa" { &mut of.supertypes } else { &mut of.tags }.push(pair);
            }
            other => return Err(format!("expected a kind of fact, but found `{other}`")),
        }
        Ok(())
    }

    /// The types of ELF that a structure of GEDCOM 7 corresponds to.
    pub(super) fn elf_types_of(&self, gedcom_7: &str) -> Vec<&str> {
        let rows = self.correspondences.iter().filter(|row| row.gedcom_7.iter().any(|term| term == gedcom_7));
        rows.filter_map(|row| row.of.as_deref()).collect()
    }

    /// A type and all its supertypes, with the nearest first.
    pub(super) fn with_supertypes(&self, name: &str) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        let known = |name: &str| self.types.iter().find(|of| of.name == name);
        found.extend(known(name).map(|of| of.name.as_str()));
        let mut next = 0;
        while let Some(of) = found.get(next).and_then(|name| known(name)) {
            for (_, above) in &of.supertypes {
                if !found.contains(&above.as_str()) {
                    found.push(above);
                }
            }
            next += 1;
        }
        found
    }

    /// Checks that every named type has a row.
    fn check_names(&self) -> Result<(), Problem> {
        let known: HashSet<&str> = self.types.iter().map(|of| of.name.as_str()).collect();
        for of in &self.types {
            let contexts = of.tags.iter().flat_map(|(_, value)| value.split(' ').skip(1));
            for name in contexts.chain(of.supertypes.iter().map(|(_, name)| name.as_str())) {
                if !known.contains(name) {
                    let message = format!("`{}` speaks of `{name}`, which has no row", of.name);
                    return Err(Problem { line: 0, message });
                }
            }
        }
        Ok(())
    }
}

/// Splits a row about several types into one fact for each type.
fn split_row(kind: &str, subject: &str, value: &str) -> Vec<String> {
    match value.split_once(' ').filter(|_| kind == "tag") {
        Some((tag, contexts)) => {
            contexts.split(' ').map(|context| format!("{kind} {subject} {tag} {context}")).collect()
        }
        None => vec![format!("{kind} {subject} {value}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# comment\npublished\tprefix\telf\thttps://e.example/\npublished\ttype\telf:Document\n\
                        published\ttype\telf:A\npublished\ttag\telf:A\tA elf:Document\ncompleted\ttag\telf:A\tB elf:A\twhy\n";

    fn message(text: &str) -> String {
        Facts::read_facts(text).expect_err("a problem").to_string()
    }

    #[test]
    fn facts_are_read_in_order() {
        let facts = Facts::read_facts(GOOD).expect("good facts");
        assert_eq!(facts.types.len(), 2);
        assert_eq!(facts.types[1].tags[1], (SchemaKind::Completed, "B elf:A".to_owned()));
    }

    #[test]
    fn a_completed_row_needs_its_reason_and_a_new_fact() {
        assert_eq!(message(&GOOD.replace("\twhy", "")), "6: expected a reason");
        let needless = GOOD.replace("B elf:A\twhy", "A elf:A elf:Document\twhy");
        assert_eq!(
            message(&needless),
            "6: `tag elf:A A elf:A elf:Document` is said already, at least in part"
        );
    }

    #[test]
    fn rows_that_speak_of_nothing_are_found() {
        assert!(message(&GOOD.replace("B elf:A", "B elf:C")).contains("elf:C"));
        assert!(message("published\ttag\telf:A\tA elf:A\n").starts_with("1: expected the rows"));
        assert!(message("published\twhat\telf:A\n").starts_with("1: expected a kind"));
        assert!(message("draft\ttype\telf:A\n").starts_with("1: expected `published`"));
    }
}
