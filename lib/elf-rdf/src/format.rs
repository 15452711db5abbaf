//! The formats of RDF, and their serialisers.

use crate::base::Base;
use crate::vocabulary;
use elf_schema::Schema;
use oxjsonld::{JsonLdSerializer, WriterJsonLdSerializer};
use oxrdf::{GraphNameRef, TripleRef};
use oxttl::TurtleSerializer;
use oxttl::turtle::WriterTurtleSerializer;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A format in which RDF is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RdfFormat {
    /// Turtle, the format that people can read.
    Turtle,
    /// JSON-LD.
    JsonLd,
}

impl RdfFormat {
    /// Returns how the names of files in this format end, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            RdfFormat::Turtle => "ttl",
            RdfFormat::JsonLd => "jsonld",
        }
    }
}

/// The prefixes that every graph has.
const PREFIXES: [(&str, &str); 4] = [
    ("dcterms", "http://purl.org/dc/terms/"),
    ("elfp", vocabulary::NAMESPACE),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
];

/// Returns the prefixes of a graph: our own, and those prefixes of the schema that both formats
/// allow.
fn prefixes(schema: &Schema) -> BTreeMap<&str, &str> {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            // JSON-LD would take IRIs with these schemes for abbreviations.
            && !["file", "http", "https", "mailto", "tag", "urn"].contains(&name)
    };
    let of_schema = schema.prefixes().iter().map(|(name, prefix)| (name, &*prefix.iri));
    let usable = of_schema.filter(|(name, iri)| is_name(name) && iri.ends_with(['/', '#']));
    let mut prefixes: BTreeMap<&str, &str> = usable.collect();
    prefixes.extend(PREFIXES);
    prefixes
}

/// A serialiser of either format.
pub(crate) enum Serializer<W: Write> {
    Turtle(WriterTurtleSerializer<W>),
    JsonLd(WriterJsonLdSerializer<W>),
}

impl<W: Write> Serializer<W> {
    /// Creates a serialiser. A prefix of the schema is left out if it does not stand for an IRI.
    pub(crate) fn new(out: W, format: RdfFormat, base: &Base, schema: &Schema) -> Serializer<W> {
        let prefixes = prefixes(schema);
        match format {
            RdfFormat::Turtle => {
                let mut serializer = TurtleSerializer::new();
                for (name, iri) in prefixes {
                    serializer = serializer.clone().with_prefix(name, iri).unwrap_or(serializer);
                }
                // If the serialiser knew the base, it would write the IRIs of the prefixes relative
                // to the base.
                let of_structures = format!("{}#", base.as_str());
                let serializer = serializer.clone().with_prefix("", of_structures).unwrap_or(serializer);
                Serializer::Turtle(serializer.for_writer(out))
            }
            RdfFormat::JsonLd => {
                let mut serializer = JsonLdSerializer::new();
                for (name, iri) in prefixes {
                    serializer = serializer.clone().with_prefix(name, iri).unwrap_or(serializer);
                }
                Serializer::JsonLd(serializer.for_writer(out))
            }
        }
    }

    /// Writes a triple. The triples of one subject should follow each other.
    pub(crate) fn triple(&mut self, triple: TripleRef<'_>) -> io::Result<()> {
        match self {
            Serializer::Turtle(serializer) => serializer.serialize_triple(triple),
            Serializer::JsonLd(serializer) => {
                serializer.serialize_quad(triple.in_graph(GraphNameRef::DefaultGraph))
            }
        }
    }

    /// Ends the graph.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Serializer::Turtle(serializer) => serializer.finish(),
            Serializer::JsonLd(serializer) => serializer.finish(),
        }
    }
}
