//! Structures as JSON.

use super::Structures;
use crate::json::PayloadMember;
use crate::value::{Value, ValueMembers};
use elf_schema::Typing;
use elf_tagged::{Node, Payload};
use serde::Serialize;
use std::io;

/// The members of a structure, except its substructures.
#[derive(Serialize)]
struct StructureMembers<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    xref: Option<&'a str>,
    tag: &'a str,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    iri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<PayloadMember<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueMembers<'a>>,
}

impl<'d> Structures<'d> {
    /// Appends a structure with everything under it to `out` as one JSON object, without a line break.
    ///
    /// # Errors
    ///
    /// None as long as there is memory.
    pub fn json(&self, out: &mut Vec<u8>, root: Node<'d>) -> io::Result<()> {
        // A file may nest deeper than the stack reaches, so substructures are put into the object of their
        // superstructure here, not by serde.
        let mut open = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(node) = next.take() {
                self.json_members(out, node)?;
                let mut children = self.children(node);
                next = children.next();
                if next.is_some() {
                    let end = out.pop();
                    debug_assert_eq!(end, Some(b'}'));
                    out.extend_from_slice(b",\"substructures\":[");
                    open.push(children);
                    continue;
                }
            }
            let Some(children) = open.last_mut() else { return Ok(()) };
            next = children.next();
            if next.is_some() {
                out.push(b',');
            } else {
                out.extend_from_slice(b"]}");
                open.pop();
            }
        }
    }

    fn json_members(&self, out: &mut Vec<u8>, node: Node<'d>) -> io::Result<()> {
        let payload = self.payload(node);
        let value = match (&payload, self.types) {
            (Payload::Text(text), Some(types)) => self.date_value(text, node, types),
            _ => None,
        };
        let members = StructureMembers {
            xref: node.xref(),
            tag: Self::tag(node),
            iri: self.type_of(node),
            payload: match &payload {
                Payload::None => None,
                Payload::Text(text) => Some(PayloadMember::Text(text)),
                Payload::Pointer(pointer) => {
                    let resolved = node.target().is_none().then_some(false);
                    Some(PayloadMember::Pointer { pointer, resolved })
                }
            },
            language: matches!(payload, Payload::Text(_))
                .then(|| node.language())
                .filter(|tag| *tag != "und"),
            value: value.as_ref().map(Value::members),
        };
        Ok(serde_json::to_writer(out, &members)?)
    }

    /// The value of a payload of dates.
    fn date_value<'t>(&self, text: &'t str, node: Node<'d>, types: &Typing) -> Option<Value<'t>> {
        let datatype = Some(types.datatype(node)).filter(|datatype| datatype.is_of_dates())?;
        let mut value = Value::of(text, datatype, None, self.document.rules());
        // It stands in the payload already.
        value.text = None;
        Some(value)
    }
}
