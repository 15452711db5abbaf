//! The IRI dictionary of the drafts of 2017 (O17 §6): a tag has the same type everywhere.

mod write;

pub use write::DictionaryTagger;

use crate::term;
use elf_base::{Code, Diagnostic, Place, Related, Sink, Span, codes};
use elf_tagged::elf_lines::is_tag;
use elf_tagged::{Document, Node};
use indexmap::IndexMap;
use std::borrow::Cow;

/// The dictionary of the 2017 drafts, defined by HEAD.PRFX and HEAD.DEFN: namespaces for tag prefixes, and IRIs for
/// single tags.
///
/// ```
/// use elf_schema::{Dictionary, Options, Rules};
///
/// let octets = b"0 HEAD\n1 PRFX X_ http://e.example/\n1 DEFN AUTH http://e.example/author http://e.example/person\n0 TRLR\n";
/// let document = elf_tagged::read(octets, &Rules::OCTOBER_2017, &Options::default(), &mut ())?;
/// let dictionary = Dictionary::of_document(&document, &mut ());
/// assert_eq!(dictionary.resolve("X_LAT").as_deref(), Some("http://e.example/LAT"));
/// assert_eq!(dictionary.resolve("AUTH").as_deref(), Some("http://e.example/author"));
/// assert_eq!(dictionary.resolve("INDI").as_deref(), Some("http://terms.fhiso.org/elf/INDI"));
/// assert_eq!(dictionary.hints("AUTH"), ["http://e.example/person"]);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    pub(crate) default_namespace: Option<Entry<Box<str>>>,
    pub(crate) namespaces: IndexMap<Box<str>, Entry<Box<str>>>,
    pub(crate) mappings: IndexMap<Box<str>, Entry<Vec<Box<str>>>>,
}

/// A definition, and its place if it is in a file.
#[derive(Clone, Debug)]
pub(crate) struct Entry<T> {
    pub(crate) value: T,
    pub(crate) at: Option<(Span, Place)>,
}

/// Returns whether a tag never has a type (O17 §3.2, §6.2).
pub(crate) fn is_pseudo_tag(tag: &str) -> bool {
    matches!(tag, "CHAR" | "CONC" | "CONT" | "DEFN" | "PRFX" | "TRLR")
}

impl Dictionary {
    /// Reads the dictionary in the header of a document (O17 §4.2).
    pub fn of_document(document: &Document<'_>, sink: &mut dyn Sink) -> Dictionary {
        let mut reader =
            DictionaryReader { document, dictionary: Dictionary::default(), findings: Vec::new() };
        for node in document.serialisation_metadata() {
            match node.tag() {
                "PRFX" => reader.read_prefix(node),
                "DEFN" => reader.read_mapping(node),
                _ => {}
            }
        }
        reader.report(sink);
        reader.dictionary
    }

    /// Returns the IRI of a tag. The draft has five rules, of which the first that applies is used (O17 §6.2). `None`
    /// for the tags of pseudo-structures.
    pub fn resolve(&self, tag: &str) -> Option<Cow<'_, str>> {
        if is_pseudo_tag(tag) {
            return None;
        }
        if let Some(iri) = self.mappings.get(tag).and_then(|mapping| mapping.value.first()) {
            return Some(Cow::Borrowed(iri));
        }
        // Only the first underscore separates prefix and name.
        if let Some(end) = tag.find('_') {
            let (key, name) = tag.split_at(end + 1);
            if let Some(namespace) = self.namespaces.get(key) {
                return Some(Cow::Owned([&namespace.value, name].concat()));
            }
        }
        let namespace = self.default_namespace.as_ref().map_or(term::NAMESPACE_2017, |entry| &entry.value);
        Some(Cow::Owned([namespace, tag].concat()))
    }

    /// Returns the other IRIs that a tag is mapped to, in order: types that an application may use if it does not
    /// know the first one (O17 §6.2).
    pub fn hints(&self, tag: &str) -> Vec<&str> {
        let iris = self.mappings.get(tag).map_or(&[][..], |mapping| mapping.value.as_slice());
        iris.iter().skip(1).map(|iri| &**iri).collect()
    }

    /// Returns the default namespace, if one is defined.
    pub fn default_namespace(&self) -> Option<&str> {
        self.default_namespace.as_ref().map(|entry| &*entry.value)
    }

    /// Returns the namespaces with their tag prefixes, such as `X_`, in order.
    pub fn namespaces(&self) -> impl Iterator<Item = (&str, &str)> {
        self.namespaces.iter().map(|(key, entry)| (&**key, &*entry.value))
    }

    /// Returns the mapped tags with their IRIs, in order.
    pub fn mappings(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
        self.mappings.iter().map(|(key, entry)| (&**key, entry.value.iter().map(|iri| &**iri)))
    }
}

struct DictionaryReader<'d> {
    document: &'d Document<'d>,
    dictionary: Dictionary,
    findings: Vec<(Code, Span, String, Option<Span>)>,
}

impl DictionaryReader<'_> {
    /// Reads a namespace: a key and an IRI, or the IRI of the default namespace alone (O17 §6.4).
    fn read_prefix(&mut self, node: Node<'_>) {
        let payload = node.text();
        let Some((key, iri)) = self.split_key(&payload, node, codes::PREFIX_MALFORMED) else { return };
        if iri.is_empty() {
            let iri = key;
            if !self.is_absolute(iri, node) {
                return;
            }
            match &self.dictionary.default_namespace {
                Some(first) if *first.value != *iri => {
                    let message = format!("`{}` already is the default namespace", first.value);
                    let first = first.at.map(|(span, _)| span);
                    self.add_related_finding(codes::PREFIX_CONFLICT, node, message, first);
                }
                Some(first) => {
                    let first = first.at.map(|(span, _)| span);
                    let message = "the default namespace is defined twice";
                    self.add_related_finding(codes::DEFINITION_REPEATED, node, message.to_owned(), first);
                }
                None => self.dictionary.default_namespace = Some(self.new_entry(iri.into(), node)),
            }
            return;
        }
        if !is_namespace_key(key) {
            let message =
                format!("expected letters and digits with one underscore at the end, but found `{key}`");
            self.add_finding(codes::PREFIX_MALFORMED, node, message);
            return;
        }
        if iri.contains([' ', '\t', '\n', '\r']) {
            self.add_finding(
                codes::PREFIX_MALFORMED,
                node,
                "expected one IRI for a prefix, but found several words",
            );
            return;
        }
        if !self.is_absolute(iri, node) {
            return;
        }
        match self.dictionary.namespaces.get(key) {
            Some(first) => {
                let (code, message) = match *first.value == *iri {
                    true => (
                        codes::DEFINITION_REPEATED,
                        format!("the prefix {key} has two identical definitions"),
                    ),
                    false => (
                        codes::PREFIX_CONFLICT,
                        format!("the prefix {key} is already defined as `{}`", first.value),
                    ),
                };
                let first = first.at.map(|(span, _)| span);
                self.add_related_finding(code, node, message, first);
            }
            None => {
                let entry = self.new_entry(iri.into(), node);
                self.dictionary.namespaces.insert(key.into(), entry);
            }
        }
    }

    /// Reads a mapping: a tag and its IRIs (O17 §6.4).
    fn read_mapping(&mut self, node: Node<'_>) {
        let payload = node.text();
        let Some((key, iris)) = self.split_key(&payload, node, codes::MAPPING_MALFORMED) else { return };
        if !is_tag(key) {
            let message = format!("expected a tag of letters, digits and underscores, but found `{key}`");
            self.add_finding(codes::MAPPING_MALFORMED, node, message);
            return;
        }
        let mut words = iris.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        let Some(first) = words.next() else {
            self.add_finding(
                codes::MAPPING_MALFORMED,
                node,
                format!("expected the IRIs of {key}, but found none"),
            );
            return;
        };
        // Without the first IRI, which is the type, hints have no meaning. An invalid hint is left out.
        if !self.is_absolute(first, node) {
            return;
        }
        let mut iris = vec![first];
        for hint in words {
            if self.is_absolute(hint, node) {
                iris.push(hint);
            }
        }
        match self.dictionary.mappings.get(key) {
            Some(first) => {
                let alike = first.value.iter().map(|iri| &**iri).eq(iris);
                let (code, message) = match alike {
                    true => (codes::DEFINITION_REPEATED, format!("the tag {key} has two identical mappings")),
                    false => {
                        (codes::MAPPING_CONFLICT, format!("the tag {key} is already mapped to other IRIs"))
                    }
                };
                let first = first.at.map(|(span, _)| span);
                self.add_related_finding(code, node, message, first);
            }
            None => {
                let entry = self.new_entry(iris.into_iter().map(Box::from).collect(), node);
                self.dictionary.mappings.insert(key.into(), entry);
            }
        }
    }

    /// Splits a payload into its first word and the rest. Both must be on one line: a line break is not a delimiter
    /// (O17 §6.4).
    fn split_key<'p>(&mut self, payload: &'p str, node: Node<'_>, code: Code) -> Option<(&'p str, &'p str)> {
        let payload = payload.trim_matches([' ', '\t']);
        let end = payload.find([' ', '\t', '\n', '\r']).unwrap_or(payload.len());
        let (key, rest) = payload.split_at(end);
        let rest = rest.trim_start_matches([' ', '\t']);
        if key.is_empty() || rest.starts_with(['\n', '\r']) {
            self.add_finding(code, node, "expected a word and an IRI on one line");
            return None;
        }
        Some((key, rest))
    }

    fn is_absolute(&mut self, iri: &str, node: Node<'_>) -> bool {
        if !term::is_iri(iri) {
            let message =
                format!("expected an absolute IRI, but found `{}`", crate::brief::shorten_text(iri));
            self.add_finding(codes::IRI_MALFORMED, node, message);
            return false;
        }
        if !term::survives_uri(iri) {
            let message =
                format!("`{}` changes if it is converted to a URI and back", crate::brief::shorten_text(iri));
            self.add_finding(codes::IRI_NOT_A_TERM, node, message);
        }
        true
    }

    fn new_entry<T>(&self, value: T, node: Node<'_>) -> Entry<T> {
        let span = node_span(node);
        Entry { value, at: Some((span, self.document.locator().place(span))) }
    }

    fn add_finding(&mut self, code: Code, node: Node<'_>, message: impl Into<String>) {
        self.add_related_finding(code, node, message.into(), None);
    }

    fn add_related_finding(&mut self, code: Code, node: Node<'_>, message: String, first: Option<Span>) {
        self.findings.push((code, node_span(node), message, first));
    }

    fn report(&mut self, sink: &mut dyn Sink) {
        let mut locator = self.document.locator();
        for (code, span, message, first) in std::mem::take(&mut self.findings) {
            let place = locator.place(span);
            let excerpt = locator.excerpt(span);
            let mut diagnostic = Diagnostic::new(code, self.document.rules(), message).at(place, excerpt);
            if let Some(first) = first {
                let place = locator.place(first);
                let excerpt = locator.excerpt(first);
                diagnostic = diagnostic.related(Related::new("first defined here", place, excerpt));
            }
            sink.report(diagnostic);
        }
    }
}

fn node_span(node: Node<'_>) -> Span {
    if node.payload_span().is_empty() { node.tag_span() } else { node.payload_span() }
}

/// Returns whether a text is the key of a namespace (O17 §6.1): letters and digits, then one underscore.
fn is_namespace_key(text: &str) -> bool {
    text.strip_suffix('_').is_some_and(|stem| stem.bytes().all(|octet| octet.is_ascii_alphanumeric()))
}
