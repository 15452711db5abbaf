//! The structures of a SCHMA, before they are interpreted (J19 §4.2).

use crate::provenance::Origin;
use elf_base::{Place, Rules, Span};
use elf_tagged::elf_octets::Locator;
use elf_tagged::{Document, Node};

/// All SCHMA structures of one document, which count as one schema (J19 §4.2).
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) origin: Origin,
    pub(crate) items: Vec<Item>,
    /// True if there is a schema. Even an empty one replaces the default schema (J19 §4.2).
    pub(crate) found: bool,
}

/// A structure under a SCHMA, or the SCHMA itself.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) payload: Box<str>,
    pub(crate) at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// PRFX (J19 §4.2.2).
    Prefix,
    /// ESC (J19 §4.2.4).
    Escape,
    /// SCHMA within a SCHMA (J19 §4.2.1), or one in the header with a payload (D19 *Header metadata*).
    External,
    /// IRI; the ISA and TAG that follow are under it (J19 §4.2.3).
    Iri,
    /// ISA, under an IRI.
    IsA,
    /// TAG, under an IRI.
    Tag,
    /// A structure that is not allowed there, with the reason.
    Misplaced(String),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) span: Span,
    pub(crate) place: Place,
}

impl Raw {
    /// Collects the schemas of a document. The rules decide which form they have.
    pub(crate) fn of(document: &Document<'_>, origin: Origin) -> Raw {
        let mut raw = Raw { origin, items: Vec::new(), found: false };
        // The SCHMA of GEDCOM 7 is different (docs/readings.md, S19).
        if document.rules().schema.mechanism.is_of_extension_tags() {
            return raw;
        }
        let mut reader =
            SchemaReader { rules: document.rules(), locator: document.locator(), items: &mut raw.items };
        for node in document.serialisation_metadata().filter(|node| node.tag() == "SCHMA") {
            raw.found |= reader.read_schema(node);
        }
        raw
    }
}

struct SchemaReader<'d, 'r> {
    rules: &'d Rules,
    locator: Locator<'d>,
    items: &'r mut Vec<Item>,
}

impl SchemaReader<'_, '_> {
    /// Reads a SCHMA of the header. Returns whether it is a schema or refers to one.
    fn read_schema(&mut self, node: Node<'_>) -> bool {
        let reference = self.rules.schema.mechanism.is_by_shape();
        let payload = self.read_payload(node);
        if !payload.is_empty() {
            if reference {
                self.push(Kind::External, node);
            } else {
                self.add_misplaced(node, "SCHMA in the header has a payload");
                let mechanism = self.rules.schema.mechanism;
                if mechanism.is_inline() && mechanism.may_refer() {
                    self.push(Kind::External, node);
                }
            }
        }
        let mut definitions = false;
        for child in node.substructures() {
            definitions |= self.read_definition(child);
        }
        // December 2019 does not define the form. A SCHMA without ELF definitions, such as that of GEDCOM 7, is not a
        // schema of ELF.
        if reference && payload.is_empty() && !definitions {
            self.add_misplaced(node, "expected the IRI of a schema, or PRFX, IRI and ESC under SCHMA");
            return false;
        }
        true
    }

    /// Reads a structure under a SCHMA. Returns whether it is allowed there.
    fn read_definition(&mut self, node: Node<'_>) -> bool {
        let kind = match node.tag() {
            "PRFX" => Kind::Prefix,
            "ESC" => Kind::Escape,
            "SCHMA" => Kind::External,
            "IRI" => Kind::Iri,
            other => {
                let message = format!("expected PRFX, IRI, ESC or SCHMA in a schema, but found {other}");
                self.add_misplaced(node, message);
                return false;
            }
        };
        let is_type = kind == Kind::Iri;
        self.push(kind, node);
        for child in node.substructures() {
            match child.tag() {
                "ISA" if is_type => self.push(Kind::IsA, child),
                "TAG" if is_type => self.push(Kind::Tag, child),
                other => {
                    let expected = if is_type { "ISA or TAG" } else { "nothing" };
                    let message = format!("expected {expected} under {}, but found {other}", node.tag());
                    self.add_misplaced(child, message);
                    continue;
                }
            }
            for below in child.substructures() {
                let message = format!("expected nothing under {}, but found {}", child.tag(), below.tag());
                self.add_misplaced(below, message);
            }
        }
        true
    }

    /// Returns the payload as January 2019 reads it. If serialisation metadata is stored unchanged (D19 *Header
    /// metadata*), at signs are not decoded.
    fn read_payload(&self, node: Node<'_>) -> Box<str> {
        if self.rules.schema.mechanism.is_by_shape() { node.merged().into() } else { node.text().into() }
    }

    fn add_misplaced(&mut self, node: Node<'_>, message: impl Into<String>) {
        self.push(Kind::Misplaced(message.into()), node);
    }

    fn push(&mut self, kind: Kind, node: Node<'_>) {
        let payload = self.read_payload(node);
        let span = match kind {
            Kind::Misplaced(_) => node.tag_span(),
            _ if node.payload_span().is_empty() => node.tag_span(),
            _ => node.payload_span(),
        };
        let place = self.locator.place(span);
        self.items.push(Item { kind, payload, at: At { span, place } });
    }
}
