//! The IRI of a file, which the IRIs of its structures begin with.

use oxrdf::NamedNode;
use std::fmt::Write;

/// The IRI of a file. A structure with the identifier `@I1@` has this IRI followed by `#I1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base(String);

/// A text that cannot be the IRI of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an absolute IRI without a fragment, such as `https://example.org/family`")]
pub struct InvalidBase;

impl Base {
    /// Checks the IRI of a file.
    ///
    /// # Errors
    ///
    /// [`InvalidBase`] if the text is not an absolute IRI, or has a fragment.
    pub fn parse(iri: &str) -> Result<Base, InvalidBase> {
        match NamedNode::new(iri) {
            Ok(_) if !iri.contains('#') => Ok(Base(iri.to_owned())),
            _ => Err(InvalidBase),
        }
    }

    /// Returns an IRI for a file if only its name is known, such as `file:///family.ged`. Other
    /// files may have the same IRI.
    ///
    /// ```
    /// use elf_rdf::Base;
    ///
    /// assert_eq!(Base::of_file_name("my family.ged").as_str(), "file:///my%20family.ged");
    /// ```
    pub fn of_file_name(name: &str) -> Base {
        Base("file:///".to_owned()).join([name])
    }

    /// Returns the IRI of a file in the folder that this IRI names. Characters of `steps` that have
    /// a special meaning in IRIs are percent-encoded.
    #[must_use]
    pub fn join<'s>(&self, steps: impl IntoIterator<Item = &'s str>) -> Base {
        let mut iri = self.0.clone();
        for step in steps {
            if !iri.ends_with('/') {
                iri.push('/');
            }
            push_encoded(&mut iri, step);
        }
        Base(iri)
    }

    /// Returns the IRI.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the node that stands for the file.
    pub(crate) fn node(&self) -> NamedNode {
        NamedNode::new_unchecked(&self.0)
    }

    /// Returns the node of the structure with this identifier.
    pub(crate) fn structure(&self, identifier: &str) -> NamedNode {
        let mut iri = String::with_capacity(self.0.len() + 1 + identifier.len());
        iri.push_str(&self.0);
        iri.push('#');
        push_encoded(&mut iri, identifier);
        NamedNode::new_unchecked(iri)
    }
}

/// Appends a text. All characters are percent-encoded, except ASCII letters and digits, `-`, `.`,
/// `_` and `~`.
fn push_encoded(iri: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => iri.push(char::from(byte)),
            _ => _ = write!(iri, "%{byte:02X}"),
        }
    }
}

/// Returns the node of a type. Characters that are not allowed in IRIs, which tags of damaged files
/// may contain, are percent-encoded. Returns `None` if the result is not an absolute IRI.
pub(crate) fn type_node(iri: &str) -> Option<NamedNode> {
    NamedNode::new(iri).ok().or_else(|| {
        let (start, name) = iri.split_once('#')?;
        let mut encoded = format!("{start}#");
        push_encoded(&mut encoded, name);
        NamedNode::new(encoded).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_an_absolute_iri_without_a_fragment() {
        for right in ["https://example.org/family", "urn:example:family", "https://example.org/Müller/"] {
            assert_eq!(Base::parse(right).as_ref().map(Base::as_str), Ok(right));
        }
        for wrong in ["", "family", "family.ged", "https://example.org/#", "https://example.org/a b", "#I1"] {
            assert_eq!(Base::parse(wrong), Err(InvalidBase), "{wrong}");
        }
    }

    #[test]
    fn identifiers_cannot_end_the_fragment() {
        let base = Base("https://example.org/f".to_owned());
        assert_eq!(base.structure("I1").as_str(), "https://example.org/f#I1");
        assert_eq!(base.structure("a #>é").as_str(), "https://example.org/f#a%20%23%3E%C3%A9");
        assert_eq!(base.join(["a b", "c.ged"]).as_str(), "https://example.org/f/a%20b/c.ged");
    }

    #[test]
    fn types_of_damaged_tags_are_encoded() {
        let of = |iri| type_node(iri).map(|node| node.as_str().to_owned());
        assert_eq!(
            of("https://terms.fhiso.org/elf/BIRTH").as_deref(),
            Some("https://terms.fhiso.org/elf/BIRTH")
        );
        assert_eq!(
            of("https://e.example/Undefined#A<B>").as_deref(),
            Some("https://e.example/Undefined#A%3CB%3E")
        );
        assert_eq!(of("no iri"), None);
    }
}
