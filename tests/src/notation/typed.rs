//! Typed structures as `req-j19.tsv` writes them: `type"payload"{substructures}`, `type^target` for a
//! pointer.

use super::text::{decode_bracketed, escape_text, parse_quoted};
use std::fmt;

/// The IRI that `elf:` stands for.
pub const ELF: &str = "https://terms.fhiso.org/elf/";

/// Typed structures in document order, each with its depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forest {
    /// The structures, in document order.
    pub structures: Vec<Structure>,
}

/// A typed structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// 0 for structures directly in the metadata or in the document.
    pub depth: usize,
    /// The IRI of the type.
    pub kind: String,
    /// The string payload. January 2019 distinguishes an empty one from an absent one.
    pub payload: Option<String>,
    /// The target of the pointer payload.
    pub target: Option<Target>,
    /// The type of the target, if it was read from a file.
    pub target_kind: Option<String>,
}

/// The target of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The structure with this identifier, without at signs.
    Xref(String),
    /// A structure with this type.
    Kind(String),
}

/// The structures that the table expects in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The metadata, if the table shows it.
    pub metadata: Option<Forest>,
    /// The records, if the table shows them.
    pub document: Option<Forest>,
    /// Structures that must occur somewhere, in this order.
    pub somewhere: Vec<Forest>,
}

impl Pattern {
    /// Parses an expected result.
    ///
    /// # Errors
    ///
    /// The expected and the found text, as a message. Prose is refused.
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let mut pattern = Pattern::default();
        let mut names: Vec<(String, String)> = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix("metadata{") {
                let (forest, after) = Forest::parse_list(inner)?;
                pattern.metadata = Some(forest);
                rest = after;
            } else if let Some(inner) = rest.strip_prefix("document{") {
                let (forest, after) = Forest::parse_list(inner)?;
                pattern.document = Some(forest);
                rest = after;
            } else if let Some((name, after)) = parse_binding(rest) {
                let (kind, after) = parse_kind(after)?;
                names.push((name.to_owned(), kind));
                rest = after;
            } else {
                let mut forest = Forest::default();
                rest = forest.parse_one(rest)?;
                pattern.somewhere.push(forest);
            }
            rest = rest.trim_start_matches([' ', ';', ',']);
        }
        for structure in pattern.forests_mut().flat_map(|forest| &mut forest.structures) {
            if let Some(Target::Xref(name)) = &structure.target
                && let Some((_, kind)) = names.iter().find(|(known, _)| known == name)
            {
                structure.target = Some(Target::Kind(kind.clone()));
            }
        }
        Ok(pattern)
    }

    fn forests_mut(&mut self) -> impl Iterator<Item = &mut Forest> {
        self.metadata.iter_mut().chain(&mut self.document).chain(&mut self.somewhere)
    }
}

/// Parses `name=` before a type.
fn parse_binding(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.split_once('=')?;
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase())).then_some((name, after))
}

/// Parses `elf:NAME`, `elf:NAME#NAME`, or `<IRI>`.
fn parse_kind(text: &str) -> Result<(String, &str), String> {
    if let Some((iri, rest)) = text.strip_prefix('<').and_then(|text| text.split_once('>')) {
        return Ok((iri.to_owned(), rest));
    }
    let name = text.strip_prefix("elf:").ok_or_else(|| format!("expected a type, but found {text:?}"))?;
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '#').unwrap_or(name.len());
    if end == 0 {
        return Err(format!("expected a type, but found {text:?}"));
    }
    Ok((format!("{ELF}{}", &name[..end]), &name[end..]))
}

impl Forest {
    /// Parses structures up to a closing brace. Returns them and the text after the brace.
    fn parse_list(text: &str) -> Result<(Forest, &str), String> {
        let mut forest = Forest::default();
        let mut rest = text.trim_start();
        loop {
            if let Some(after) = rest.strip_prefix('}') {
                return Ok((forest, after));
            }
            rest = forest.parse_one(rest)?.trim_start_matches([' ', ',']);
        }
    }

    /// Parses one structure with its substructures and appends it.
    fn parse_one<'t>(&mut self, text: &'t str) -> Result<&'t str, String> {
        let mut depth = 0;
        let mut rest = text;
        loop {
            let (kind, after) = parse_kind(rest)?;
            rest = after;
            let mut payload = None;
            if rest.starts_with('"') {
                let (content, after) = parse_quoted(rest)?;
                payload = Some(decode_bracketed(content)?);
                rest = after;
            }
            let mut target = None;
            if let Some(after) = rest.strip_prefix('^') {
                (target, rest) = parse_pointer(after)?;
            }
            self.structures.push(Structure { depth, kind, payload, target, target_kind: None });
            if let Some(after) = rest.strip_prefix('{') {
                depth += 1;
                rest = after.trim_start();
                if !rest.starts_with('}') {
                    continue;
                }
            }
            while let Some(after) = rest.strip_prefix('}').filter(|_| depth > 0) {
                depth -= 1;
                rest = after;
            }
            if depth == 0 {
                return Ok(rest);
            }
            rest = rest.trim_start_matches([' ', ',']);
        }
    }

    /// Returns whether this forest, read from a file, equals `expected`.
    pub fn equals(&self, expected: &Forest) -> bool {
        self.structures.len() == expected.structures.len()
            && self
                .structures
                .iter()
                .zip(&expected.structures)
                .all(|(found, expected)| found.matches(expected, 0))
    }

    /// Finds a structure, from the index `start` on, that equals the one tree in `expected` with everything under it.
    /// Returns its index.
    pub fn find(&self, expected: &Forest, start: usize) -> Option<usize> {
        let root = expected.structures.first()?;
        (start..self.structures.len()).find(|&at| {
            let base = self.structures[at].depth;
            let end = (at + 1..self.structures.len())
                .find(|&next| self.structures[next].depth <= base)
                .unwrap_or(self.structures.len());
            root.kind == self.structures[at].kind
                && end - at == expected.structures.len()
                && self.structures[at..end].iter().zip(&expected.structures).all(|(f, e)| f.matches(e, base))
        })
    }
}

/// Parses `^@X@`, `^name` or `^type`.
fn parse_pointer(text: &str) -> Result<(Option<Target>, &str), String> {
    if let Some((id, rest)) = text.strip_prefix('@').and_then(|text| text.split_once('@')) {
        return Ok((Some(Target::Xref(id.to_owned())), rest));
    }
    if text.starts_with("elf:") || text.starts_with('<') {
        let (kind, rest) = parse_kind(text)?;
        return Ok((Some(Target::Kind(kind)), rest));
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    Ok((Some(Target::Xref(text[..end].to_owned())), &text[end..]))
}

impl Structure {
    /// Returns whether this structure, read from a file, matches the one in the table. If the table shows no target,
    /// any pointer matches. A string payload must be in the table.
    fn matches(&self, expected: &Structure, base: usize) -> bool {
        let target = match &expected.target {
            None => true,
            Some(Target::Kind(kind)) => self.target_kind.as_ref() == Some(kind),
            expected => self.target == *expected,
        };
        target
            && self.depth - base == expected.depth
            && self.kind == expected.kind
            && self.payload == expected.payload
    }
}

impl fmt::Display for Forest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before: Option<usize> = None;
        for structure in &self.structures {
            match before {
                Some(depth) if structure.depth > depth => f.write_str("{")?,
                Some(depth) => {
                    for _ in structure.depth..depth {
                        f.write_str("}")?;
                    }
                    f.write_str(" ")?;
                }
                None => {}
            }
            structure.fmt(f)?;
            before = Some(structure.depth);
        }
        (0..before.unwrap_or(0)).try_for_each(|_| f.write_str("}"))
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind.strip_prefix(ELF) {
            Some(name) => write!(f, "elf:{name}")?,
            None => write!(f, "<{}>", self.kind)?,
        }
        if let Some(payload) = &self.payload {
            write!(f, "\"{}\"", escape_text(payload))?;
        }
        match &self.target {
            None => Ok(()),
            Some(Target::Xref(id)) => write!(f, "^@{id}@"),
            Some(Target::Kind(kind)) => write!(f, "^{}", kind.replace(ELF, "elf:")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(text: &str) -> Forest {
        let mut pattern = Pattern::parse(&format!("document{{{text}}}")).expect("a pattern");
        pattern.document.take().expect("a document")
    }

    #[test]
    fn structures_are_printed_as_they_are_read() {
        for text in [
            r#"elf:NOTE_RECORD"a\nb"{elf:Undefined#SOUR^@S1@ elf:Undefined#CONT"x"} elf:FAM_RECORD"#,
            r#"<https://e.example/A>{elf:A{elf:B} elf:C}"#,
            "",
        ] {
            assert_eq!(forest(text).to_string(), text);
        }
    }

    #[test]
    fn names_stand_for_types() {
        let pattern = Pattern::parse("elf:A{elf:B^u} u=elf:Undefined").expect("a pattern");
        let target = pattern.somewhere[0].structures[1].target.clone();
        assert_eq!(target, Some(Target::Kind(format!("{ELF}Undefined"))));
    }

    #[test]
    fn a_tree_is_found_where_it_stands() {
        let found = forest(r#"elf:A{elf:B{elf:C"x"} elf:B} elf:B"#);
        assert_eq!(found.find(&forest(r#"elf:B{elf:C"x"}"#), 0), Some(1));
        assert_eq!(found.find(&forest("elf:B"), 0), Some(3));
        assert_eq!(found.find(&forest("elf:B"), 4), Some(4));
        assert_eq!(found.find(&forest("elf:C"), 0), None);
    }

    #[test]
    fn prose_is_refused() {
        for text in ["two elf:FAM_RECORD", "records: the NOTE only", "elf:A{", "any of: metadata{}"] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }
}
