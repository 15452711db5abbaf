//! Finds tags for types, and writes the dictionary that defines them (O17 §6.3, §6.4).

use super::{Dictionary, Entry};
use crate::tagger::TagError;
use crate::term;
use elf_tagged::elf_lines::is_tag;
use elf_tagged::write::PreambleLine;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The maximum length in characters of the stem of a new key or tag.
const STEM_LIMIT: usize = 8;

/// Finds tags for types under the rules of 2017, and adds the necessary definitions to a dictionary.
///
/// ```
/// use elf_schema::{Dictionary, DictionaryTagger};
///
/// let mut tagger = DictionaryTagger::new(&Dictionary::default());
/// assert_eq!(&*tagger.tag("http://terms.fhiso.org/elf/INDI")?, "INDI");
/// assert_eq!(&*tagger.tag("http://shoes.example/Sole")?, "SHOES_Sole");
/// assert_eq!(&*tagger.tag("http://shoes.example/Lace")?, "SHOES_Lace");
/// let lines = tagger.into_dictionary().to_lines();
/// assert_eq!((&*lines[0].tag, &*lines[0].payload), ("PRFX", "SHOES_ http://shoes.example/"));
/// # Ok::<(), elf_schema::TagError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DictionaryTagger {
    dictionary: Dictionary,
    chosen: HashMap<Box<str>, Arc<str>>,
    /// The chosen tags, and the part of each up to its first underscore.
    given: HashSet<Arc<str>>,
    given_keys: HashSet<Box<str>>,
    mapped: HashMap<Box<str>, Box<str>>,
    namespaces: HashMap<Box<str>, Box<str>>,
    number: u32,
}

impl DictionaryTagger {
    /// Creates a tagger that starts with `dictionary`.
    pub fn new(dictionary: &Dictionary) -> DictionaryTagger {
        let mut mapped = HashMap::new();
        for (tag, entry) in &dictionary.mappings {
            if let Some(first) = entry.value.first() {
                mapped.entry(first.clone()).or_insert_with(|| tag.clone());
            }
        }
        let mut namespaces = HashMap::new();
        for (key, entry) in &dictionary.namespaces {
            namespaces.entry(entry.value.clone()).or_insert_with(|| key.clone());
        }
        DictionaryTagger {
            dictionary: dictionary.clone(),
            chosen: HashMap::new(),
            given: HashSet::new(),
            given_keys: HashSet::new(),
            mapped,
            namespaces,
            number: 0,
        }
    }

    /// Returns a tag that readers will resolve to this type (O17 §6.3).
    ///
    /// # Errors
    ///
    /// A [`TagError`] if the type is not an IRI that can be read back.
    pub fn tag(&mut self, iri: &str) -> Result<Arc<str>, TagError> {
        if let Some(tag) = self.chosen.get(iri) {
            return Ok(Arc::clone(tag));
        }
        if !term::is_iri(iri) || !term::survives_uri(iri) {
            return Err(TagError::NoTerm { iri: iri.to_owned() });
        }
        let tag = match self.find_defined_tag(iri) {
            Some(tag) => tag,
            None => self.define_tag(iri),
        };
        let tag: Arc<str> = Arc::from(tag);
        if let Some(end) = tag.find('_') {
            self.given_keys.insert(tag[..=end].into());
        }
        self.given.insert(Arc::clone(&tag));
        self.chosen.insert(iri.into(), Arc::clone(&tag));
        Ok(tag)
    }

    /// Returns the dictionary with the added definitions.
    pub fn into_dictionary(self) -> Dictionary {
        self.dictionary
    }

    /// Returns a tag that the dictionary already maps to the type.
    fn find_defined_tag(&self, iri: &str) -> Option<String> {
        let reads_back = |tag: &str| self.dictionary.resolve(tag).as_deref() == Some(iri);
        if let Some(tag) = self.mapped.get(iri).filter(|tag| reads_back(tag)) {
            return Some(tag.to_string());
        }
        let default =
            self.dictionary.default_namespace.as_ref().map_or(term::NAMESPACE_2017, |entry| &entry.value);
        if let Some(tag) = iri.strip_prefix(default).filter(|tag| is_tag(tag) && reads_back(tag)) {
            return Some(tag.to_owned());
        }
        // A namespace may end anywhere; what follows it is part of a tag.
        let mut end = iri.len();
        loop {
            let (namespace, name) = iri.split_at_checked(end)?;
            if let Some(key) = self.namespaces.get(namespace) {
                let tag = [key, name].concat();
                if reads_back(&tag) {
                    return Some(tag);
                }
            }
            end = end.checked_sub(1)?;
            if !iri.as_bytes().get(end).is_some_and(|octet| octet.is_ascii_alphanumeric() || *octet == b'_') {
                return None;
            }
        }
    }

    /// Defines a tag: with a namespace if the rest of the IRI can be in a tag, otherwise by a mapping (O17 §6.3).
    fn define_tag(&mut self, iri: &str) -> String {
        let end = iri.rfind(['/', '#']).map_or(0, |at| at + 1);
        let (namespace, name) = iri.split_at(end);
        if is_tag(name) && term::is_iri(namespace) && !self.namespaces.contains_key(namespace) {
            let key = self.new_key(namespace);
            self.namespaces.insert(namespace.into(), key.as_str().into());
            let entry = Entry { value: namespace.into(), at: None };
            self.dictionary.namespaces.insert(key.as_str().into(), entry);
            return key + name;
        }
        let stem = make_stem(name, "X");
        let mut tag = stem.clone();
        while super::is_pseudo_tag(&tag)
            || self.given.contains(&*tag)
            || self.dictionary.mappings.contains_key(&*tag)
        {
            self.number += 1;
            tag = format!("{stem}{}", self.number);
        }
        let entry = Entry { value: vec![iri.into()], at: None };
        self.dictionary.mappings.insert(tag.as_str().into(), entry);
        tag
    }

    /// Returns a key that no namespace has and no chosen tag starts with.
    fn new_key(&mut self, namespace: &str) -> String {
        let (_, rest) = namespace.split_once(':').unwrap_or_default();
        let rest = rest.trim_matches(['/', '#']);
        // The last part of the path, or the distinctive part of the host.
        let part = match rest.rsplit_once(['/', '#']) {
            Some((_, last)) => last,
            None => rest.strip_prefix("www.").unwrap_or(rest).split('.').next().unwrap_or_default(),
        };
        let stem = make_stem(part, "N");
        let mut key = format!("{stem}_");
        while self.dictionary.namespaces.contains_key(&*key) || self.given_keys.contains(&*key) {
            self.number += 1;
            key = format!("{stem}{}_", self.number);
        }
        key
    }
}

/// Returns upper-case letters and digits of `text`, or `otherwise` if there are none.
fn make_stem(text: &str, otherwise: &str) -> String {
    let stem: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(STEM_LIMIT)
        .map(|c| c.to_ascii_uppercase())
        .collect();
    if stem.is_empty() { otherwise.to_owned() } else { stem }
}

impl Dictionary {
    /// Returns the structures of a header that define this dictionary (O17 §6.4): PRFX first, then DEFN.
    pub fn to_lines(&self) -> Vec<PreambleLine<'static>> {
        let default = self.default_namespace().map(|iri| PreambleLine::new(1, "PRFX", iri.to_owned()));
        let namespaces =
            self.namespaces().map(|(key, iri)| PreambleLine::new(1, "PRFX", format!("{key} {iri}")));
        let mappings = self.mappings().map(|(tag, iris)| {
            let payload = iris.fold(tag.to_owned(), |payload, iri| payload + " " + iri);
            PreambleLine::new(1, "DEFN", payload)
        });
        default.into_iter().chain(namespaces).chain(mappings).collect()
    }
}
