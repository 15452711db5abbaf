//! External schemas, supplied by the caller (J19 §4.2.1).
//!
//! Reading opens no file and no connection. [`wanted`](crate::wanted) lists the external schemas of a document; the
//! caller gets their bytes by any means and passes them on to the reader. Well-known schemas are built in. For a
//! stream, whose header comes first, [`StreamStart`] does so without holding the rest.
//!
//! With the feature `http`, the module of that name gets them over the network. Fetched documents can be cached: a
//! [`CachedSchema`] can be used again without a request, or be requested again only if it has changed.

#[cfg(feature = "http-without-ring")]
mod address;
#[cfg(feature = "http-without-ring")]
pub mod http;
mod stream;

pub use stream::StreamStart;

use elf_tagged::Encoding;
use std::borrow::Cow;
use std::collections::HashMap;

/// Supplies external schemas by IRI. Can be shared between threads.
pub trait ExternalSchemas: Sync {
    /// Announces all documents that will be requested, so that they can be fetched at the same time.
    fn prepare(&self, iris: &[&str]) {
        let _ = iris;
    }

    /// Returns the document of `iri`, if it is available.
    fn schema(&self, iri: &str) -> Option<External<'_>>;

    /// Returns a remark about a document: why it is not available or may be out of date. A few words, such as "the
    /// server answered with status 404". Called after [`schema`](ExternalSchemas::schema).
    fn remark(&self, iri: &str) -> Option<Cow<'_, str>> {
        let _ = iri;
        None
    }
}

/// The document of an external schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct External<'s> {
    /// The octets of the document.
    pub octets: Cow<'s, [u8]>,
    /// The encoding that the transport states, such as the charset of an HTTP `Content-Type`.
    pub encoding: Option<Encoding>,
}

impl<'s> External<'s> {
    /// Creates a document with unknown encoding.
    pub fn new(octets: impl Into<Cow<'s, [u8]>>) -> External<'s> {
        External { octets: octets.into(), encoding: None }
    }

    /// Sets the encoding that the transport states.
    #[must_use]
    pub fn with_encoding(mut self, encoding: Option<Encoding>) -> External<'s> {
        self.encoding = encoding;
        self
    }
}

/// No external schema is available.
impl ExternalSchemas for () {
    fn schema(&self, _: &str) -> Option<External<'_>> {
        None
    }
}

/// External schemas held in memory.
#[derive(Clone, Debug, Default)]
pub struct SuppliedSchemas {
    schemas: HashMap<Box<str>, (Vec<u8>, Option<Encoding>)>,
    remarks: HashMap<Box<str>, Box<str>>,
}

impl SuppliedSchemas {
    /// Creates an empty collection.
    pub fn new() -> SuppliedSchemas {
        SuppliedSchemas::default()
    }

    /// Adds the document for `iri`, with the encoding that the transport states. The first document for an IRI is
    /// used.
    pub fn add(&mut self, iri: &str, octets: Vec<u8>, encoding: Option<Encoding>) {
        self.schemas.entry(iri.into()).or_insert((octets, encoding));
    }

    /// Adds the reason why the document for `iri` is not available or may be out of date.
    /// [`remark`](ExternalSchemas::remark) returns it for findings.
    pub fn add_remark(&mut self, iri: &str, remark: &str) {
        self.remarks.entry(iri.into()).or_insert_with(|| remark.into());
    }
}

/// A document from the network with its HTTP headers, for the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachedSchema {
    /// The octets of the document.
    pub octets: Vec<u8>,
    /// The `Content-Type` that came with it.
    pub content_type: Option<String>,
    /// The `ETag` that came with it.
    pub etag: Option<String>,
    /// The `Last-Modified` that came with it.
    pub last_modified: Option<String>,
}

impl CachedSchema {
    /// Creates a document without HTTP headers.
    pub const fn new(octets: Vec<u8>) -> CachedSchema {
        CachedSchema { octets, content_type: None, etag: None, last_modified: None }
    }

    /// Returns the encoding in its `Content-Type`, if it is supported (J19 §7.2.1).
    pub fn encoding(&self) -> Option<Encoding> {
        let parameters = self.content_type.as_deref()?.split(';').skip(1);
        let mut parameters = parameters.filter_map(|parameter| parameter.split_once('='));
        let (_, charset) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        let charset = charset.trim().trim_matches('"');
        match charset {
            _ if charset.eq_ignore_ascii_case("us-ascii") => Some(Encoding::Ascii),
            _ => Encoding::from_name(charset),
        }
    }
}

impl SuppliedSchemas {
    /// Adds the documents of `others`. The first document for an IRI is used.
    pub fn join(&mut self, others: SuppliedSchemas) {
        for (iri, document) in others.schemas {
            self.schemas.entry(iri).or_insert(document);
        }
        for (iri, remark) in others.remarks {
            self.remarks.entry(iri).or_insert(remark);
        }
    }

    /// Adds a document from the cache.
    pub fn add_kept(&mut self, iri: &str, kept: &CachedSchema) {
        self.add(iri, kept.octets.clone(), kept.encoding());
    }
}

impl ExternalSchemas for SuppliedSchemas {
    fn schema(&self, iri: &str) -> Option<External<'_>> {
        let (octets, encoding) = self.schemas.get(iri)?;
        Some(External::new(octets).with_encoding(*encoding))
    }

    fn remark(&self, iri: &str) -> Option<Cow<'_, str>> {
        self.remarks.get(iri).map(|remark| Cow::Borrowed(&**remark))
    }
}
