//! Checks the schema in a header, except for the rules that need types (J19 §4.2.1 to §4.2.4).
//!
//! A line that a strict reader would reject is not written. Definitions that contradict each other because of
//! supertypes are found by `elf-schema`.

use super::{PreambleLine, shorten};
use crate::escape::{EscapeTypes, read_definition};
use elf_base::Rules;
use std::collections::HashMap;

/// The way in which a line of a schema is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineTreatment {
    Kept,
    /// The line is left out with everything under it. The text is the message about that.
    LeftOut(String),
    /// The line is written with the first text as its payload. The second text is the message about what is left out.
    Shortened(String, String),
}

use LineTreatment::{Kept, LeftOut, Shortened};

pub(super) fn decide_treatments(lines: &[PreambleLine<'_>], rules: &Rules) -> Vec<LineTreatment> {
    let mut grammar = Grammar::of(lines, rules.schema.mechanism.may_refer());
    lines.iter().map(|line| grammar.decide_on_line(line)).collect()
}

struct Grammar<'l> {
    may_refer: bool,
    /// The first definition of each prefix.
    prefixes: HashMap<&'l str, &'l str>,
    /// The escapes that each tag preserves, by the first definition of the tag.
    escapes: HashMap<&'l str, EscapeTypes>,
    /// The type of each tag under a type. `None` if definitions contradict each other.
    types: HashMap<Definition<'l>, Option<String>>,
    /// The type to which the lines at level 3 belong.
    current: Option<String>,
}

/// A tag under a type. The type is given by its complete IRI.
#[derive(PartialEq, Eq, Hash)]
struct Definition<'l> {
    tag: &'l str,
    superstructure: String,
}

const NAMESPACE: &str = "https://terms.fhiso.org/elf/";

impl<'l> Grammar<'l> {
    fn of(lines: &'l [PreambleLine<'_>], may_refer: bool) -> Grammar<'l> {
        let mut grammar = Grammar {
            may_refer,
            prefixes: HashMap::new(),
            escapes: HashMap::new(),
            types: HashMap::new(),
            current: None,
        };
        // Collect all prefixes first, because a prefix may be used before it is defined.
        for line in lines.iter().filter(|line| line.level == 2 && line.tag == "PRFX") {
            if let [prefix, iri] = split_words(&line.payload)[..] {
                grammar.prefixes.entry(prefix).or_insert(iri);
            }
        }
        for line in lines.iter().filter(|line| line.level == 2 && line.tag == "ESC") {
            if let Ok((tag, types)) = read_definition(&line.payload) {
                grammar.escapes.entry(tag).or_insert(types);
            }
        }
        grammar.find_types(lines);
        grammar
    }

    fn find_types(&mut self, lines: &'l [PreambleLine<'_>]) {
        let mut current = String::new();
        for line in lines {
            match (line.level, &*line.tag) {
                (2, "IRI") => current = self.expand(line.payload.trim()),
                (3, "TAG") => {
                    let words = split_words(&line.payload);
                    let Some((tag, superstructures)) = words.split_first() else { continue };
                    for superstructure in superstructures {
                        let definition = Definition { tag, superstructure: self.expand(superstructure) };
                        let of = self.types.entry(definition).or_insert_with(|| Some(current.clone()));
                        if of.as_deref() != Some(&current) {
                            *of = None;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn expand(&self, name: &str) -> String {
        let expanded = name.split_once(':').and_then(|(prefix, rest)| {
            let iri = self.prefixes.get(prefix)?;
            Some(format!("{iri}{rest}"))
        });
        expanded.unwrap_or_else(|| name.to_owned())
    }

    fn decide_on_line(&mut self, line: &'l PreambleLine<'_>) -> LineTreatment {
        match (line.level, &*line.tag) {
            (0 | 1, _) if line.payload.is_empty() => Kept,
            (0 | 1, "SCHMA") | (2, "SCHMA") => self.decide_on_reference(line.payload.trim()),
            (0 | 1, _) => Kept,
            (2, "PRFX") => self.decide_on_prefix(&line.payload),
            (2, "ESC") => self.decide_on_escape(&line.payload),
            (2, "IRI") => {
                let iri = self.expand(line.payload.trim());
                let treatment = expect_iri(&iri);
                self.current = (treatment == Kept).then_some(iri);
                treatment
            }
            (3, "ISA") if self.current.is_some() => expect_iri(&self.expand(line.payload.trim())),
            (3, "TAG") if self.current.is_some() => self.decide_on_tag(&line.payload),
            (_, tag) => {
                if line.level == 2 {
                    self.current = None;
                }
                leave_out(&format!("a schema cannot contain `{}`", shorten(tag)))
            }
        }
    }

    fn decide_on_reference(&mut self, iri: &str) -> LineTreatment {
        self.current = None;
        if self.may_refer {
            expect_iri(iri)
        } else {
            leave_out("a schema of this draft cannot refer to another schema")
        }
    }

    fn decide_on_prefix(&mut self, payload: &'l str) -> LineTreatment {
        self.current = None;
        let [prefix, iri] = split_words(payload)[..] else {
            return leave_out("expected a prefix and an IRI");
        };
        match self.prefixes.get(prefix) {
            Some(first) if *first != iri => {
                leave_out(&format!("the prefix `{}` already has another IRI", shorten(prefix)))
            }
            _ => expect_iri(iri),
        }
    }

    fn decide_on_escape(&mut self, payload: &'l str) -> LineTreatment {
        self.current = None;
        match read_definition(payload) {
            Ok((tag, types)) if self.escapes.get(tag) == Some(&types) => Kept,
            Ok((tag, _)) => leave_out(&format!("the tag {tag} already has an ESC with other letters")),
            Err(_) => leave_out("expected a tag and letters, such as `ESC DATE D`"),
        }
    }

    fn decide_on_tag(&self, payload: &'l str) -> LineTreatment {
        let words = split_words(payload);
        let Some((tag, superstructures)) = words.split_first().filter(|(_, more)| !more.is_empty()) else {
            return leave_out("expected a tag and the types of the structures that it can be under");
        };
        if !elf_lines::is_tag(tag) || matches!(*tag, "CONT" | "CONC" | "ERROR" | "UNDEF") {
            return leave_out(&format!("a schema cannot define the tag `{}`", shorten(tag)));
        }
        let (right, wrong): (Vec<&str>, Vec<&str>) =
            superstructures.iter().partition(|superstructure| self.is_definable(tag, superstructure));
        match (right.as_slice(), wrong.as_slice()) {
            (_, []) => Kept,
            ([], _) => leave_out(&format!(
                "the definition of {tag} conflicts with another definition, or the tag is reserved"
            )),
            _ => Shortened(
                format!("{tag} {}", right.join(" ")),
                format!("left out of the header: {} of `TAG {}`", wrong.join(" "), shorten(payload)),
            ),
        }
    }

    /// Returns whether a tag can be defined under a type. All definitions must give it the same type, and the
    /// serialisation must not reserve the tag.
    fn is_definable(&self, tag: &'l str, superstructure: &str) -> bool {
        let superstructure = self.expand(superstructure);
        let is_reserved = match superstructure.strip_prefix(NAMESPACE) {
            Some("Document") => matches!(tag, "HEAD" | "TRLR"),
            Some("Metadata") => matches!(tag, "CHAR" | "SCHMA"),
            _ => false,
        };
        !is_reserved
            && expect_iri(&superstructure) == Kept
            && self.types.get(&Definition { tag, superstructure }).is_none_or(Option::is_some)
    }
}

fn split_words(payload: &str) -> Vec<&str> {
    payload.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect()
}

fn leave_out(message: &str) -> LineTreatment {
    LeftOut(format!("left out of the header: {message}"))
}

/// Accepts a line with an IRI, which has a scheme and only characters of IRIs. Another check finds out whether the
/// prefix or type exists.
fn expect_iri(text: &str) -> LineTreatment {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let is_banned = |one: char| one.is_control() || one == ' ' || "<>\"{}|\\^`".contains(one);
    match text.split_once(':') {
        Some((scheme, _)) if is_scheme(scheme) && !text.contains(is_banned) => Kept,
        _ => leave_out(&format!("expected an IRI, but found `{}`", shorten(text))),
    }
}
