//! Structures as JSON.

use super::{Children, Structures};
use crate::json;
use crate::value::Value;
use elf_tagged::{Node, Payload};
use elf_values::Datatype;
use std::io::{self, Write};

/// The members that structures of a tag and a type have in common, of those that were met last.
#[derive(Debug)]
pub(super) struct Heads<'d>(Option<Box<[Head<'d>; PLACES]>>);

/// The members that structures of one tag and type have in common.
#[derive(Debug)]
struct Head<'d> {
    tag: &'d str,
    iri: Option<&'d str>,
    /// The datatype of their payloads, if it is one of dates.
    of_dates: Option<Datatype>,
    /// The members `tag` and `type`; nothing where there is none yet.
    json: Vec<u8>,
}

/// The number of places for heads. A file has some hundred kinds of structures, and a few of them make up
/// most of it.
const PLACES: usize = 512;

impl Head<'_> {
    const NONE: Self = Head { tag: "", iri: None, of_dates: None, json: Vec::new() };
}

impl<'d> Heads<'d> {
    pub(super) const fn new() -> Heads<'d> {
        Heads(None)
    }

    /// The head of that tag and type, which `make` makes if it is not at hand.
    fn of(
        &mut self,
        tag: &'d str,
        iri: Option<&'d str>,
        make: impl FnOnce(&mut Head<'d>) -> io::Result<()>,
    ) -> io::Result<&Head<'d>> {
        let heads = self.0.get_or_insert_with(|| Box::new([const { Head::NONE }; PLACES]));
        // A type has one place in memory; most have one tag.
        let address = iri.map_or(0, |iri| iri.as_ptr().addr());
        let mix = |place: usize, octet: u8| place.wrapping_mul(31).wrapping_add(octet.into());
        let place = tag.bytes().take(8).fold(address / 4, mix) % PLACES;
        let head = &mut heads[place];
        let is_same_type = match (head.iri, iri) {
            (Some(one), Some(other)) => std::ptr::eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        if head.json.is_empty() || !is_same_type || head.tag != tag {
            (head.tag, head.iri) = (tag, iri);
            head.json.clear();
            make(head)?;
        }
        Ok(head)
    }
}

impl<'d> Structures<'d> {
    /// Appends a structure with all beneath it to `out` as one JSON object, without a line break.
    ///
    /// # Errors
    ///
    /// None as long as there is memory.
    pub fn json(&mut self, out: &mut Vec<u8>, root: Node<'d>) -> io::Result<()> {
        let mut open: Vec<Children<'d>> = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(node) = next.take() {
                out.write_all(b"{")?;
                self.json_fields(out, node)?;
                let mut children = self.children(node);
                next = children.next();
                if next.is_some() {
                    out.write_all(b",\"substructures\":[")?;
                    open.push(children);
                    continue;
                }
                out.write_all(b"}")?;
            }
            let Some(children) = open.last_mut() else { return Ok(()) };
            next = children.next();
            if next.is_some() {
                out.write_all(b",")?;
            } else {
                out.write_all(b"]}")?;
                open.pop();
            }
        }
    }

    fn json_fields(&mut self, out: &mut Vec<u8>, node: Node<'d>) -> io::Result<()> {
        if let Some(xref) = node.xref() {
            out.write_all(b"\"xref\":")?;
            json::string(out, xref)?;
            out.write_all(b",")?;
        }
        let of_dates = self.json_head(out, node)?;
        match self.payload(node) {
            Payload::None => {}
            Payload::Pointer(id) => {
                out.write_all(b",\"payload\":{\"pointer\":")?;
                json::string(out, id)?;
                out.write_all(if self.leads_to_one(node, id) { b"}" } else { b",\"resolved\":false}" })?;
            }
            Payload::Text(text) => {
                out.write_all(b",\"payload\":")?;
                json::string(out, &text)?;
                if node.language() != "und" {
                    out.write_all(b",\"language\":")?;
                    json::string(out, node.language())?;
                }
                if let Some(datatype) = of_dates {
                    let mut value = Value::of(&text, datatype, None, self.document.rules());
                    value.text = None;
                    out.write_all(b",\"value\":")?;
                    value.json(out)?;
                }
            }
        }
        Ok(())
    }

    /// Writes tag and type. Returns the datatype of the payload, if it is one of dates.
    fn json_head(&mut self, out: &mut Vec<u8>, node: Node<'d>) -> io::Result<Option<Datatype>> {
        let (tag, iri) = (Self::tag(node), self.type_of(node));
        let types = self.types;
        let head = self.heads.of(tag, iri, |head| {
            head.of_dates = types.map(|types| types.datatype(node)).filter(|datatype| datatype.is_of_dates());
            head.json.write_all(b"\"tag\":")?;
            json::string(&mut head.json, tag)?;
            if let Some(iri) = iri {
                head.json.write_all(b",\"type\":")?;
                json::string(&mut head.json, iri)?;
            }
            Ok(())
        })?;
        out.write_all(&head.json)?;
        Ok(head.of_dates)
    }
}
