//! Trees of structures, as vectors have them and as messages print them: `TAG[xref]="payload"{children}`,
//! `->X` for a pointer, `-` for nothing, and the type in place of a tag that is not known.
//!
//! A tree is a flat list in document order, each structure with its depth, so that nothing here recurses on
//! the depth of a file.

use super::text::escape_text;
use serde::{Deserialize, Deserializer};
use std::fmt;
use unicode_normalization::UnicodeNormalization;

/// Structures in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The structures, in document order.
    pub structures: Vec<Structure>,
}

/// A structure of a [`Tree`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// 0 for the first and for those beside it.
    pub depth: usize,
    /// The tag; empty if only the type matters.
    pub tag: String,
    /// The cross-reference identifier, without at signs.
    pub xref: Option<String>,
    /// The IRI of the type, in typed structures.
    pub structure_type: Option<String>,
    /// The payload.
    pub payload: Payload,
    /// The type of the structure that a pointer leads to, if it is known.
    pub target_type: Option<String>,
}

/// The payload of a [`Structure`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Payload {
    /// Absent. In tagged structures also an empty one.
    #[default]
    None,
    /// A string.
    Text(String),
    /// A pointer, without at signs.
    Pointer(String),
    /// A pointer to a structure of this type. Only vectors have it.
    PointerTo(String),
}

/// A structure as JSON and TOML nest it.
#[derive(Deserialize)]
struct Nested {
    xref: Option<String>,
    #[serde(default)]
    tag: String,
    #[serde(rename = "type")]
    structure_type: Option<String>,
    payload: Option<NestedPayload>,
    #[serde(default)]
    substructures: Vec<Nested>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NestedPayload {
    Text(String),
    Pointer { pointer: String },
    PointerTo { pointer_to: String },
}

/// Reads a list of nested structures as a tree.
///
/// # Errors
///
/// The errors of the format.
pub fn tree<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Tree>, D::Error> {
    Vec::<Nested>::deserialize(deserializer).map(|nested| {
        let mut tree = Tree::default();
        tree.extend(nested);
        Some(tree)
    })
}

/// Reads a list of nested structures as one tree for each.
///
/// # Errors
///
/// The errors of the format.
pub fn trees<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Tree>, D::Error> {
    let one = |nested| {
        let mut tree = Tree::default();
        tree.extend(vec![nested]);
        tree
    };
    Vec::<Nested>::deserialize(deserializer).map(|nested| nested.into_iter().map(one).collect())
}

impl Tree {
    /// Appends structures with everything under them.
    fn extend(&mut self, nested: Vec<Nested>) {
        let mut open = vec![nested.into_iter()];
        while let Some(siblings) = open.last_mut() {
            let Some(Nested { xref, tag, structure_type, payload, substructures }) = siblings.next() else {
                open.pop();
                continue;
            };
            let payload = match payload {
                None => Payload::None,
                Some(NestedPayload::Text(text)) => Payload::Text(text),
                Some(NestedPayload::Pointer { pointer }) => Payload::Pointer(pointer),
                Some(NestedPayload::PointerTo { pointer_to }) => Payload::PointerTo(pointer_to),
            };
            let depth = open.len() - 1;
            self.structures.push(Structure { depth, tag, xref, structure_type, payload, target_type: None });
            open.push(substructures.into_iter());
        }
    }

    /// Appends a structure as JSON has it, with everything under it.
    ///
    /// # Errors
    ///
    /// An error if the value is not a structure.
    pub fn push_json(&mut self, value: serde_json::Value) -> Result<(), String> {
        let nested: Nested = serde_json::from_value(value).map_err(|error| error.to_string())?;
        self.extend(vec![nested]);
        Ok(())
    }

    /// Converts the text of payloads to normal form C.
    pub fn to_nfc(&self) -> Tree {
        let mut tree = self.clone();
        for structure in &mut tree.structures {
            if let Payload::Text(text) = &mut structure.payload {
                *text = text.nfc().collect();
            }
        }
        tree
    }

    /// Returns whether this tree, read from a file, has the tags, identifiers and payloads of `expected`. An
    /// empty payload equals an absent one.
    pub fn is_tagged_like(&self, expected: &Tree) -> bool {
        self.structures.len() == expected.structures.len()
            && self.structures.iter().zip(&expected.structures).all(|(found, expected)| {
                (found.depth, &found.tag, &found.xref) == (expected.depth, &expected.tag, &expected.xref)
                    && found.payload.or_none() == expected.payload.or_none()
            })
    }

    /// Returns whether this tree, read from a file, has the types and payloads of `expected`.
    pub fn is_typed_like(&self, expected: &Tree) -> bool {
        self.structures.len() == expected.structures.len()
            && self
                .structures
                .iter()
                .zip(&expected.structures)
                .all(|(found, expected)| found.fits(expected, 0))
    }

    /// Finds, from `start` on, a typed structure that with everything under it is like the one of `expected`;
    /// returns its index.
    pub fn find_typed(&self, expected: &Tree, start: usize) -> Option<usize> {
        (start..self.structures.len()).find(|&at| {
            let base = self.structures[at].depth;
            let end = (at + 1..self.structures.len())
                .find(|&next| self.structures[next].depth <= base)
                .unwrap_or(self.structures.len());
            end - at == expected.structures.len()
                && self.structures[at..end].iter().zip(&expected.structures).all(|(f, e)| f.fits(e, base))
        })
    }

    /// Gives each pointer the type of its target: the only structure with its identifier.
    pub fn resolve_target_types(trees: &mut [&mut Tree]) {
        let mut types: std::collections::BTreeMap<String, Option<String>> = std::collections::BTreeMap::new();
        for structure in trees.iter().flat_map(|tree| &tree.structures) {
            if let Some(xref) = &structure.xref {
                let is_first = !types.contains_key(xref);
                types.insert(xref.clone(), structure.structure_type.clone().filter(|_| is_first));
            }
        }
        for structure in trees.iter_mut().flat_map(|tree| &mut tree.structures) {
            if let Payload::Pointer(pointer) = &structure.payload {
                structure.target_type = types.get(pointer).cloned().flatten();
            }
        }
    }
}

impl Structure {
    /// Returns whether this typed structure is the expected one. If no payload is expected, any pointer will
    /// do.
    fn fits(&self, expected: &Structure, base: usize) -> bool {
        let payload = match &expected.payload {
            Payload::None => !matches!(self.payload, Payload::Text(_)),
            Payload::PointerTo(structure_type) => self.target_type.as_ref() == Some(structure_type),
            payload => self.payload == *payload,
        };
        payload && self.depth - base == expected.depth && self.structure_type == expected.structure_type
    }
}

impl Payload {
    /// A string payload; an empty one is none.
    pub fn text(text: String) -> Payload {
        if text.is_empty() { Payload::None } else { Payload::Text(text) }
    }

    fn or_none(&self) -> Option<&Payload> {
        match self {
            Payload::None => None,
            Payload::Text(text) if text.is_empty() => None,
            payload => Some(payload),
        }
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
        if let Some(structure_type) = &self.structure_type {
            write!(f, "<{structure_type}>")?;
        }
        if let Some(xref) = &self.xref {
            write!(f, "[{}]", escape_text(xref))?;
        }
        match &self.payload {
            Payload::None => Ok(()),
            Payload::Text(text) => write!(f, "=\"{}\"", escape_text(text)),
            Payload::Pointer(id) => write!(f, "->{}", escape_text(id)),
            Payload::PointerTo(structure_type) => write!(f, "-><{structure_type}>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(structures: &[serde_json::Value]) -> Tree {
        let mut tree = Tree::default();
        for structure in structures {
            tree.push_json(structure.clone()).expect("a structure");
        }
        tree
    }

    #[test]
    fn trees_are_printed_on_one_line() {
        let tree = parse(&[
            json!({"xref": "I1", "tag": "INDI", "substructures": [
                {"tag": "FAMC", "payload": {"pointer": "F1"}, "substructures": [{"tag": "PEDI", "payload": "a\n"}]}]}),
            json!({"tag": "FAM"}),
        ]);
        assert_eq!(tree.to_string(), r#"INDI[I1]{FAMC->F1{PEDI="a\n"}} FAM"#);
        assert_eq!(Tree::default().to_string(), "-");
    }

    #[test]
    fn a_typed_structure_is_found_with_everything_under_it() {
        let found = parse(&[json!({"tag": "A", "type": "a", "substructures": [
            {"tag": "B", "type": "b", "substructures": [{"tag": "C", "type": "c", "payload": "x"}]},
            {"tag": "B", "type": "b", "payload": {"pointer": "I"}}]})]);
        let with_note = json!({"type": "b", "substructures": [{"type": "c", "payload": "x"}]});
        assert_eq!(found.find_typed(&parse(&[with_note]), 0), Some(1));
        assert_eq!(found.find_typed(&parse(&[json!({"type": "b"})]), 0), Some(3));
        assert_eq!(found.find_typed(&parse(&[json!({"type": "b", "payload": ""})]), 0), None);
    }
}
