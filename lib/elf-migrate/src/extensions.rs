//! Extensions: structures of one standard that the other has no place for, by tags that start with an
//! underscore and, where they have one, by the IRI of their type (MG102 to MG104, MG110).

use elf_schema::term;
use indexmap::{IndexMap, IndexSet};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The IRI of what stands for a tag where that has no type.
pub(crate) fn undefined(tag: &str) -> String {
    term::undefined(tag)
}

/// The tag of what is put beneath a structure that is empty, which GEDCOM 7.0 does not allow. No file
/// has an extension of its IRI: one with this tag would be without a type, and without an IRI.
pub(crate) const EMPTY: &str = "_EMPTY";

/// The IRI of the extension that has the payload of a structure with a tag and a type. Where the type is
/// unknown, the IRI is that of a tag with an underscore, which no structure has that stands there itself.
pub(crate) fn kept<'i>(iri: &'i str, tag: &str) -> Cow<'i, str> {
    match term::undefined_tag(iri) {
        Some(_) => undefined(&tag_of(tag)).into(),
        None => iri.into(),
    }
}

/// The tag of an extension.
pub(crate) fn tag_of(tag: &str) -> String {
    let upper = tag.to_ascii_uppercase();
    // An underscore alone is no tag.
    if upper.starts_with('_') && upper != "_" { upper } else { format!("_{upper}") }
}

/// The extensions of a file, as they are met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extensions {
    /// The tags, with the IRIs that they stand for.
    documented: IndexSet<(String, String)>,
    /// The tags that stand for no IRI somewhere.
    plain: HashSet<String>,
}

impl Extensions {
    /// Takes note of a structure with its tag, and the IRI of its type where that is known.
    pub(crate) fn meet(&mut self, tag: &str, iri: Option<&str>) {
        match iri {
            Some(iri) => {
                if !self.documented.contains(&(tag.to_owned(), iri.to_owned()) as &(String, String)) {
                    self.documented.insert((tag.to_owned(), iri.to_owned()));
                }
            }
            None => {
                if !self.plain.contains(tag) {
                    self.plain.insert(tag.to_owned());
                }
            }
        }
    }

    /// Gives each IRI a tag of its own for each tag that it was met with.
    pub(crate) fn settle(self) -> Settled {
        let mut taken = self.plain.clone();
        taken.extend(self.documented.iter().map(|(tag, _)| tag.clone()));
        let mut firsts: HashSet<String> = HashSet::new();
        let mut numbers: HashMap<String, u64> = HashMap::new();
        let iris = self.documented.iter().map(|(_, iri)| iri.clone()).collect();
        let mut tags = IndexMap::new();
        for (tag, iri) in self.documented {
            // Only the first IRI has the tag that all were met with, and none that others bear without one.
            let mut made = tag.clone();
            if self.plain.contains(&tag) || !firsts.insert(tag.clone()) {
                let number = numbers.entry(tag.clone()).or_insert(1);
                while !taken.insert(made.clone()) {
                    *number += 1;
                    made = format!("{tag}_{number}");
                }
            }
            tags.insert((tag, iri), made);
        }
        Settled { tags, iris }
    }
}

/// The extensions of a file with their tags.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settled {
    tags: IndexMap<(String, String), String>,
    iris: HashSet<String>,
}

impl Settled {
    /// The tag of an IRI that was met with a tag.
    pub(crate) fn tag(&self, tag: &str, iri: &str) -> Option<&str> {
        self.tags.get(&(tag.to_owned(), iri.to_owned())).map(String::as_str)
    }

    /// Returns whether some tag stands for an IRI.
    pub(crate) fn says(&self, iri: &str) -> bool {
        self.iris.contains(iri)
    }

    /// The tags that were met with IRIs which are written by other tags, and those.
    pub(crate) fn respelled(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let all = self.tags.iter().map(|((tag, iri), made)| (tag.as_str(), iri.as_str(), made.as_str()));
        all.filter(|(tag, _, made)| tag != made)
    }

    /// The tags with their IRIs, in the order in which they were met.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|((_, iri), tag)| (tag.as_str(), iri.as_str()))
    }
}

/// Gives other tags to types whose own tags stand in the file without a type too.
pub(crate) fn renamed_tags(
    types: &IndexMap<String, IndexSet<(String, String)>>,
    plain: &HashSet<String>,
) -> HashMap<String, String> {
    let mut taken: HashSet<&str> = types.values().flatten().map(|(tag, _)| tag.as_str()).collect();
    taken.extend(plain.iter().map(String::as_str));
    let mut renamed: HashMap<String, String> = HashMap::new();
    for (tag, _) in types.values().flatten().filter(|(tag, _)| plain.contains(tag)) {
        let mut numbered = (2_u64..).map(|number| format!("{tag}_{number}"));
        let mut free = || numbered.find(|made| !taken.contains(made.as_str()));
        if !renamed.contains_key(tag) {
            renamed.extend(free().map(|made| (tag.clone(), made)));
        }
    }
    renamed
}
