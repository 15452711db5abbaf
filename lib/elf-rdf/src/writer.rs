//! Converts typed structures to triples.

use crate::base::{Base, type_node};
use crate::format::{RdfFormat, Serializer};
use crate::vocabulary::{
    EDTF, EDTF_DATATYPE, FIRST_DAY, IDENTIFIER, LAST_DAY, POINTS_TO, POSITION, SUBSTRUCTURE,
};
use elf_schema::elf_values::iso_day;
use elf_schema::vocabulary::elf;
use elf_schema::{Datatype, Node, Payload, Schema, TypeId, TypedDocument, vendors};
use oxrdf::vocab::{rdf, rdfs, xsd};
use oxrdf::{
    BlankNode, Literal, NamedNode, NamedNodeRef, NamedOrBlankNode, NamedOrBlankNodeRef, TermRef, TripleRef,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};
use std::sync::Arc;

/// Writes documents as RDF, in runs or whole.
pub struct RdfWriter<W: Write> {
    serializer: Serializer<W>,
    base: Base,
    schema: Arc<Schema>,
    /// The nodes of the types that the structures so far have.
    types: BTreeMap<TypeId, Option<NamedNode>>,
    /// The number of nodes in earlier runs. It is used to give each blank node a label of its own.
    nodes_before: u64,
    /// True once the description of the file itself is written.
    has_begun: bool,
}

impl<W: Write> RdfWriter<W> {
    /// Creates a writer of a document with the IRI `base` and this schema.
    pub fn new(out: W, format: RdfFormat, base: &Base, schema: &Arc<Schema>) -> RdfWriter<W> {
        RdfWriter {
            serializer: Serializer::new(out, format, base, schema),
            base: base.clone(),
            schema: Arc::clone(schema),
            types: BTreeMap::new(),
            nodes_before: 0,
            has_begun: false,
        }
    }

    /// Writes the structures of a document, or of the next run of one.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output fails.
    pub fn add_run(&mut self, typed: &TypedDocument<'_>) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.link(
                self.base.node().as_ref().into(),
                rdf::TYPE,
                NamedNodeRef::new_unchecked(elf::DOCUMENT),
            )?;
        }
        let document = typed.document();
        let mut run = Run { writer: self, typed, positions: vec![0; document.len()] };
        if let Some(header) = document.head().filter(|header| !header.is_inserted()) {
            run.header(header)?;
        }
        for record in document.records().filter(|record| !record.is_inserted()) {
            run.record(record)?;
        }
        self.nodes_before += document.len() as u64;
        Ok(())
    }

    /// Writes the types that were used, with their supertypes, and ends the graph.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        let schema = Arc::clone(&self.schema);
        let mut open: Vec<TypeId> =
            self.types.keys().copied().filter(|of| schema.iri(*of).is_some()).collect();
        let mut known: BTreeSet<TypeId> = open.iter().copied().collect();
        let mut at = 0;
        while let Some(&of) = open.get(at) {
            at += 1;
            let Some((iri, node)) = schema.iri(of).and_then(|iri| Some((iri, type_node(iri)?))) else {
                continue;
            };
            for supertype in schema.supertypes(of).map(|(supertype, _)| supertype) {
                if let Some(above) = schema.iri(supertype).and_then(type_node) {
                    self.link(node.as_ref().into(), rdfs::SUB_CLASS_OF, above.as_ref())?;
                }
                if known.insert(supertype) {
                    open.push(supertype);
                }
            }
            if let Some(label) = vendors::label_of_type(iri) {
                let label = Literal::new_simple_literal(label);
                self.triple(node.as_ref().into(), rdfs::LABEL, label.as_ref().into())?;
            }
        }
        self.serializer.finish()
    }

    fn triple(
        &mut self,
        subject: NamedOrBlankNodeRef<'_>,
        property: NamedNodeRef<'_>,
        value: TermRef<'_>,
    ) -> io::Result<()> {
        self.serializer.triple(TripleRef::new(subject, property, value))
    }

    fn link(
        &mut self,
        subject: NamedOrBlankNodeRef<'_>,
        property: NamedNodeRef<'_>,
        to: NamedNodeRef<'_>,
    ) -> io::Result<()> {
        self.triple(subject, property, to.into())
    }
}

/// A run that is being written.
struct Run<'r, 'd, W: Write> {
    writer: &'r mut RdfWriter<W>,
    typed: &'d TypedDocument<'d>,
    /// The number of each substructure among those of the same type beside it.
    positions: Vec<u32>,
}

impl<'d, W: Write> Run<'_, 'd, W> {
    /// Writes the header, except for structures that say how the file is serialised.
    fn header(&mut self, header: Node<'d>) -> io::Result<()> {
        let typed = self.typed;
        self.belongs_to_file(header)?;
        let node = self.node(header);
        self.writer.link(node.as_ref(), rdf::TYPE, NamedNodeRef::new_unchecked(elf::METADATA))?;
        self.structure(header, &mut typed.metadata())?;
        for node in typed.metadata() {
            self.with_all_below(node)?;
        }
        Ok(())
    }

    fn record(&mut self, record: Node<'d>) -> io::Result<()> {
        self.belongs_to_file(record)?;
        self.with_all_below(record)
    }

    /// Writes that a record is in the file.
    fn belongs_to_file(&mut self, record: Node<'d>) -> io::Result<()> {
        let node = self.node(record);
        let file = self.writer.base.node();
        let property = NamedNodeRef::new_unchecked(SUBSTRUCTURE);
        self.writer.triple(file.as_ref().into(), property, node.as_ref().into())
    }

    fn with_all_below(&mut self, top: Node<'d>) -> io::Result<()> {
        for node in std::iter::once(top).chain(top.descendants()) {
            self.structure(node, &mut node.substructures())?;
        }
        Ok(())
    }

    /// Writes the properties of a structure, including the links to these substructures.
    fn structure(
        &mut self,
        node: Node<'d>,
        substructures: &mut dyn Iterator<Item = Node<'d>>,
    ) -> io::Result<()> {
        let subject = self.node(node);
        let subject = subject.as_ref();
        if let Some(of) = self.type_of(node) {
            self.writer.link(subject, rdf::TYPE, of.as_ref())?;
        }
        if let Some(identifier) = node.xref() {
            let text = Literal::new_simple_literal(identifier);
            self.text(subject, IDENTIFIER, &text)?;
        }
        let position = self.positions.get(node.id().index()).copied().unwrap_or(0);
        if position > 0 {
            self.text(subject, POSITION, &Literal::from(position))?;
        }
        self.payload(subject, node)?;
        let mut numbers: HashMap<Option<TypeId>, u32> = HashMap::new();
        for below in substructures {
            let number = numbers.entry(self.typed.type_id(below)).or_default();
            *number += 1;
            if let Some(position) = self.positions.get_mut(below.id().index()) {
                *position = *number;
            }
            let below = self.node(below);
            let property = NamedNodeRef::new_unchecked(SUBSTRUCTURE);
            self.writer.triple(subject, property, below.as_ref().into())?;
        }
        Ok(())
    }

    fn payload(&mut self, subject: NamedOrBlankNodeRef<'_>, node: Node<'d>) -> io::Result<()> {
        let text = match node.payload() {
            Payload::None => return Ok(()),
            Payload::Pointer(to) if self.is_void(to) => return Ok(()),
            Payload::Pointer(to) => {
                let to = self.writer.base.structure(to);
                return self.writer.link(subject, NamedNodeRef::new_unchecked(POINTS_TO), to.as_ref());
            }
            Payload::Text(text) => text,
        };
        let language =
            Some(node.language()).filter(|tag| *tag != "und" && has_language(self.typed.datatype(node)));
        let in_language = language.and_then(|tag| Literal::new_language_tagged_literal(&*text, tag).ok());
        let literal = in_language.unwrap_or_else(|| Literal::new_simple_literal(text));
        self.writer.triple(subject, rdf::VALUE, literal.as_ref().into())?;
        self.date(subject, node)
    }

    fn date(&mut self, subject: NamedOrBlankNodeRef<'_>, node: Node<'d>) -> io::Result<()> {
        let Some(date) = self.typed.date(node) else { return Ok(()) };
        if let Some(edtf) = date.edtf() {
            let datatype = NamedNode::new_unchecked(EDTF_DATATYPE);
            self.text(subject, EDTF, &Literal::new_typed_literal(edtf, datatype))?;
        }
        let days = date.days();
        for (property, bound) in [(FIRST_DAY, days.earliest), (LAST_DAY, days.latest)] {
            if let Some(day) = bound.day().and_then(iso_day) {
                // XML Schema allows no plus sign before years after 9999.
                let day = day.strip_prefix('+').unwrap_or(&day);
                self.text(subject, property, &Literal::new_typed_literal(day, xsd::DATE))?;
            }
        }
        Ok(())
    }

    fn text(&mut self, subject: NamedOrBlankNodeRef<'_>, property: &str, value: &Literal) -> io::Result<()> {
        self.writer.triple(subject, NamedNodeRef::new_unchecked(property), value.as_ref().into())
    }

    /// Returns whether a pointer is `@VOID@` of GEDCOM 7.0, which points to nothing.
    fn is_void(&self, pointer: &str) -> bool {
        pointer == "VOID" && self.typed.document().rules().schema.mechanism.is_of_extension_tags()
    }

    /// Returns the node of a structure.
    fn node(&self, node: Node<'_>) -> NamedOrBlankNode {
        match node.xref() {
            Some(identifier) => self.writer.base.structure(identifier).into(),
            None => {
                let number = self.writer.nodes_before + node.id().index() as u64;
                BlankNode::new_unchecked(format!("s{number}")).into()
            }
        }
    }

    fn type_of(&mut self, node: Node<'_>) -> Option<NamedNode> {
        let of = self.typed.type_id(node)?;
        let typed = self.typed;
        let find = || typed.type_of(node).and_then(type_node);
        self.writer.types.entry(of).or_insert_with(find).clone()
    }
}

/// Returns whether payloads of a datatype are written in a language.
const fn has_language(datatype: Datatype) -> bool {
    match datatype {
        Datatype::Text | Datatype::PersonalName | Datatype::List => true,
        Datatype::DateValue
        | Datatype::DatePeriod
        | Datatype::DateExact
        | Datatype::Age
        | Datatype::Time
        | Datatype::Latitude
        | Datatype::Longitude
        | Datatype::Language
        | Datatype::Integer
        | Datatype::Word(_)
        | Datatype::Gedcom70(_) => false,
    }
}
