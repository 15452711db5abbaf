//! Trees of tagged structures: `TAG[xref]="payload"{children}`, `->X` for a pointer, `-` for nothing.
//!
//! A tree is a flat list in document order, each structure with its depth, so that nothing here recurses on
//! the depth of a file.

use super::text::{decode_text, escape_text, parse_quoted};
use std::fmt;

/// The structures of a file: HEAD, if anything in it is data, and the records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The structures, in document order.
    pub structures: Vec<Structure>,
}

/// A structure of a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// 0 for HEAD and for records.
    pub depth: usize,
    /// The tag.
    pub tag: String,
    /// The cross-reference identifier, without at signs.
    pub xref: Option<String>,
    /// The payload. An empty one equals an absent one.
    pub payload: Payload,
}

/// The payload of a [`Structure`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Payload {
    /// Absent or empty.
    #[default]
    None,
    /// A string.
    Text(String),
    /// A pointer, without at signs.
    Pointer(String),
}

impl Tree {
    /// Parses a tree at the start of `text`, and returns the rest.
    ///
    /// # Errors
    ///
    /// The expected and the found text, as a message.
    pub fn parse_prefix(text: &str) -> Result<(Tree, &str), String> {
        let mut tree = Tree::default();
        let mut rest = text.trim_start();
        if let Some(after) = rest.strip_prefix('-').filter(|after| after.is_empty() || after.starts_with(' '))
        {
            return Ok((tree, after));
        }
        let mut depth = 0;
        loop {
            let (structure, after) = structure(rest, depth)?;
            tree.structures.push(structure);
            rest = after;
            if let Some(after) = rest.strip_prefix('{') {
                depth += 1;
                rest = after.trim_start();
                continue;
            }
            while let Some(after) = rest.strip_prefix('}').filter(|_| depth > 0) {
                depth -= 1;
                rest = after;
            }
            let next = rest.trim_start();
            if !next.starts_with(is_tag) {
                break;
            }
            rest = next;
        }
        if depth > 0 {
            return Err(format!("expected a closing brace, but found {rest:?}"));
        }
        Ok((tree, rest))
    }

    /// Parses a tree.
    ///
    /// # Errors
    ///
    /// The expected and the found text, as a message.
    pub fn parse(text: &str) -> Result<Tree, String> {
        match Tree::parse_prefix(text)? {
            (tree, rest) if rest.trim().is_empty() => Ok(tree),
            (_, rest) => Err(format!("expected the end of a tree, but found {rest:?}")),
        }
    }
}

fn structure(text: &str, depth: usize) -> Result<(Structure, &str), String> {
    let end = text.find(|c| !is_tag(c)).unwrap_or(text.len());
    let (tag, mut rest) = text.split_at(end);
    if tag.is_empty() {
        return Err(format!("expected a tag, but found {text:?}"));
    }
    let mut xref = None;
    if let Some(after) = rest.strip_prefix('[') {
        let (id, after) = after.split_once(']').ok_or_else(|| format!("expected `]` after {after:?}"))?;
        xref = Some(decode_text(id)?);
        rest = after;
    }
    let mut payload = Payload::None;
    if let Some(after) = rest.strip_prefix("->") {
        let end = after.find([' ', '{', '}']).unwrap_or(after.len());
        payload = Payload::Pointer(decode_text(&after[..end])?);
        rest = &after[end..];
    } else if let Some(after) = rest.strip_prefix('=') {
        let (content, after) = parse_quoted(after)?;
        payload = Payload::from_text(decode_text(content)?);
        rest = after;
    }
    Ok((Structure { depth, tag: tag.to_owned(), xref, payload }, rest))
}

fn is_tag(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl Payload {
    /// A string payload. An empty one is `None`.
    pub fn from_text(text: String) -> Payload {
        if text.is_empty() { Payload::None } else { Payload::Text(text) }
    }
}

impl fmt::Display for Tree {
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
        match before {
            None => f.write_str("-"),
            Some(depth) => (0..depth).try_for_each(|_| f.write_str("}")),
        }
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tag)?;
        if let Some(xref) = &self.xref {
            write!(f, "[{}]", escape_text(xref))?;
        }
        match &self.payload {
            Payload::None => Ok(()),
            Payload::Text(text) => write!(f, "=\"{}\"", escape_text(text)),
            Payload::Pointer(id) => write!(f, "->{}", escape_text(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_printed_as_they_are_read() {
        for text in [
            "-",
            "A A B",
            r#"INDI[I1]{FAMC->F1{PEDI="birth"}} FAM[F1]"#,
            r#"A{B{C{D}} E}"#,
            r#"HEAD{NOTE="a \"b\"\n"{PLANG="fr"} SOUR="X"}"#,
        ] {
            assert_eq!(Tree::parse(text).map(|tree| tree.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let text = "A{".repeat(100_000) + "B" + &"}".repeat(100_000);
        let tree = Tree::parse(&text).expect("a tree");
        assert_eq!(tree.structures.last().map(|last| last.depth), Some(100_000));
        assert_eq!(tree.to_string(), text);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for text in ["", "A{", "A}", "A=b", "A[B", "{A}"] {
            assert!(Tree::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn commentary_is_left_over() {
        let (tree, rest) = Tree::parse_prefix(r#"NOTE="x" (why; because)"#).expect("a tree");
        assert_eq!((tree.to_string().as_str(), rest), (r#"NOTE="x""#, " (why; because)"));
    }
}
