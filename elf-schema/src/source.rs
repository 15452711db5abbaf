//! External schemas, supplied by the caller (J19 §4.2.1).
//!
//! Nothing here opens a file or a connection. A document says which external schemas it [wants](crate::wanted), the caller
//! gets them by whatever means and hands over their octets, and reading goes on. Well-known schemas are built in.

use elf_tagged::Encoding;

/// Supplies external schemas by their IRIs.
pub trait ExternalSchemas {
    /// The document that stands at `iri`, if it is at hand.
    fn schema(&self, iri: &str) -> Option<External<'_>>;
}

/// The document that an external schema stands in.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct External<'s> {
    /// Its octets.
    pub octets: &'s [u8],
    /// The encoding that came with them, such as the charset of an HTTP `Content-Type`.
    pub encoding: Option<Encoding>,
}

impl<'s> External<'s> {
    /// A document of which only the octets are known.
    pub const fn new(octets: &'s [u8]) -> External<'s> {
        External { octets, encoding: None }
    }

    /// The same with the encoding that came with the octets.
    #[must_use]
    pub const fn with_encoding(mut self, encoding: Option<Encoding>) -> External<'s> {
        self.encoding = encoding;
        self
    }
}

/// No external schema is at hand.
impl ExternalSchemas for () {
    fn schema(&self, _: &str) -> Option<External<'_>> {
        None
    }
}

/// External schemas held in memory.
#[derive(Clone, Debug, Default)]
pub struct Supplied {
    schemas: Vec<(Box<str>, Vec<u8>, Option<Encoding>)>,
}

impl Supplied {
    /// None yet.
    pub const fn new() -> Supplied {
        Supplied { schemas: Vec::new() }
    }

    /// Adds the document that stands at `iri`, with the encoding that came with it.
    pub fn add(&mut self, iri: &str, octets: Vec<u8>, encoding: Option<Encoding>) {
        self.schemas.push((iri.into(), octets, encoding));
    }
}

impl ExternalSchemas for Supplied {
    fn schema(&self, iri: &str) -> Option<External<'_>> {
        let (_, octets, encoding) = self.schemas.iter().find(|(of, ..)| **of == *iri)?;
        Some(External::new(octets).with_encoding(*encoding))
    }
}
