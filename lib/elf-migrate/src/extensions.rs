//! Extensions: structures that only one of both standards has. Their tags start with an underscore and, if possible,
//! are documented with the IRI of their type (MG102 to MG104, MG110).

use elf_schema::{proposed_iri, term};
use elf_tagged::Node;
use elf_tagged::elf_lines::is_tag;
use indexmap::{IndexMap, IndexSet};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The tag that marks an empty structure, which GEDCOM 7.0 does not allow.
pub(crate) const EMPTY: &str = "_EMPTY";

/// The IRI of the mark of empty structures. No other extension has it.
pub(crate) const EMPTY_IRI: &str = "https://terms.fhiso.org/elf/vendor/_EMPTY";

/// The start of the IRIs of extensions that keep the payload of a structure without a type; the tag follows. No other
/// extension has such an IRI.
const PAYLOAD_IRI: &str = "https://terms.fhiso.org/elf/vendor/payload#";

/// The tag that keeps the text of a residence.
pub(crate) const RESIDENCE: &str = "_RESI";

/// The tag of shared notes.
const SHARED_NOTE: &str = "SNOTE";

/// Returns the IRI for a tag without a type.
pub(crate) fn undefined_iri(tag: &str) -> String {
    term::undefined(tag)
}

/// Returns the IRI that is proposed for a structure without a type.
pub(crate) fn proposed_iri_of(node: Node<'_>) -> String {
    match node.tag() {
        SHARED_NOTE => iri_of_stray_notes(),
        tag => proposed_iri(node.superstructure().map(Node::tag), tag),
    }
}

/// Returns the IRI of shared notes that point to something else. It has no place, because the study of a file does not
/// know yet which notes these are.
pub(crate) fn iri_of_stray_notes() -> String {
    proposed_iri(None, SHARED_NOTE)
}

/// Returns the IRI of the extension that keeps the payload of a structure with an IRI and a tag.
pub(crate) fn iri_of_kept_payload<'i>(iri: &'i str, tag: &str) -> Cow<'i, str> {
    match term::undefined_tag(iri) {
        Some(_) => format!("{PAYLOAD_IRI}{}", tag_of(tag)).into(),
        None => iri.into(),
    }
}

/// Returns the tag of an extension that keeps the payload of a structure without a type, by its IRI.
pub(crate) fn tag_of_kept_payload(iri: &str) -> Option<&str> {
    iri.strip_prefix(PAYLOAD_IRI).filter(|tag| is_tag(tag))
}

/// Returns the tag for an extension that is made from a tag.
pub(crate) fn tag_of(tag: &str) -> String {
    let upper = tag.to_ascii_uppercase();
    // An underscore alone is not a tag.
    if upper.starts_with('_') && upper != "_" { upper } else { format!("_{upper}") }
}

/// An extension tag with one of its IRIs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Documented7 {
    tag: String,
    iri: String,
}

/// What is known of a tag that stays, because the file does not say what it means.
#[derive(Clone, Debug)]
pub(crate) struct KeptTag {
    /// Its IRI in the built-in dictionary of vendor tags.
    pub(crate) iri: Option<String>,
    /// The superstructure in the converted file; `None` for a record.
    pub(crate) above: Option<TagAbove>,
}

/// The tag of a superstructure in the converted file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TagAbove {
    pub(crate) tag: String,
    /// The IRI of an extension whose tag may still change.
    pub(crate) iri: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Extensions {
    /// Tags with their IRIs, in document order.
    documented: IndexSet<Documented7>,
    /// Tags that stay, with their IRIs.
    kept: IndexMap<String, KeptIris>,
}

/// The IRIs of a tag that stays. A schema may list a tag several times if its IRIs cannot occur in the same place, and
/// both the dictionary and the proposed IRIs name the place.
#[derive(Clone, Debug, Default)]
struct KeptIris {
    /// The IRIs in the dictionary, and the superstructures there.
    known: IndexSet<String>,
    known_places: HashSet<Option<TagAbove>>,
    /// The superstructures where the dictionary does not have the tag.
    unknown_places: IndexSet<Option<TagAbove>>,
}

impl KeptIris {
    /// Returns the IRIs of a tag. `tags` has the chosen tags of superstructures.
    fn iris(&self, tag: &str, tags: &IndexMap<Documented7, String>) -> IndexSet<String> {
        let chosen = |above: &Option<TagAbove>| {
            let TagAbove { tag, iri } = above.as_ref()?;
            let with_iri = iri.as_ref().map(|iri| Documented7 { tag: tag.clone(), iri: iri.clone() });
            Some(with_iri.and_then(|one| tags.get(&one)).unwrap_or(tag).clone())
        };
        let known_places: HashSet<Option<String>> = self.known_places.iter().map(chosen).collect();
        let unknown = self.unknown_places.iter().map(chosen).filter(|above| !known_places.contains(above));
        let proposed = unknown.map(|above| proposed_iri(above.as_deref(), tag));
        self.known.iter().cloned().chain(proposed).collect()
    }
}

impl Extensions {
    /// Adds a tag that stays.
    pub(crate) fn add_kept(&mut self, tag: &str, kept: KeptTag) {
        let iris = match self.kept.get_mut(tag) {
            Some(iris) => iris,
            None => self.kept.entry(tag.to_owned()).or_default(),
        };
        match kept.iri {
            Some(iri) => {
                iris.known.insert(iri);
                iris.known_places.insert(kept.above);
            }
            None => _ = iris.unknown_places.insert(kept.above),
        }
    }

    /// Adds a tag that may change.
    pub(crate) fn add(&mut self, tag: &str, iri: &str) {
        self.documented.insert(Documented7 { tag: tag.to_owned(), iri: iri.to_owned() });
    }

    /// Chooses a tag for each IRI. Only the first IRI of a tag keeps the tag, and none does if the tag stays elsewhere.
    pub(crate) fn assign_tags(self) -> ExtensionTags {
        let kept = &self.kept;
        let mut taken: HashSet<String> = kept.keys().cloned().collect();
        taken.extend(self.documented.iter().map(|one| one.tag.clone()));
        let mut firsts: HashSet<String> = HashSet::new();
        let mut numbers: HashMap<String, u64> = HashMap::new();
        let iris = self.documented.iter().map(|one| one.iri.clone()).collect();
        let mut tags = IndexMap::new();
        for extension in self.documented {
            let tag = &extension.tag;
            let mut made = tag.clone();
            if kept.contains_key(tag) || !firsts.insert(tag.clone()) {
                let number = numbers.entry(tag.clone()).or_insert(1);
                while !taken.insert(made.clone()) {
                    *number += 1;
                    made = format!("{tag}_{number}");
                }
            }
            tags.insert(extension, made);
        }
        for (tag, iris) in &self.kept {
            let with_tag = |iri| (Documented7 { tag: tag.clone(), iri }, tag.clone());
            let found = iris.iris(tag, &tags);
            tags.extend(found.into_iter().map(with_tag));
        }
        ExtensionTags { tags, iris }
    }
}

/// The tags chosen for the extensions of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExtensionTags {
    tags: IndexMap<Documented7, String>,
    iris: HashSet<String>,
}

pub(crate) struct ReplacedTag<'e> {
    pub(crate) tag: &'e str,
    pub(crate) iri: &'e str,
    pub(crate) made: &'e str,
}

impl ExtensionTags {
    /// Returns the chosen tag for an IRI that has the tag `tag` in the file.
    pub(crate) fn tag(&self, tag: &str, iri: &str) -> Option<&str> {
        let extension = Documented7 { tag: tag.to_owned(), iri: iri.to_owned() };
        self.tags.get(&extension).map(String::as_str)
    }

    pub(crate) fn has_iri(&self, iri: &str) -> bool {
        self.iris.contains(iri)
    }

    pub(crate) fn replaced_tags(&self) -> impl Iterator<Item = ReplacedTag<'_>> {
        let all = self.tags.iter().map(|(Documented7 { tag, iri }, made)| ReplacedTag { tag, iri, made });
        all.filter(|one| one.tag != one.made)
    }

    /// Returns the tags with their IRIs, in document order.
    pub(crate) fn tags_with_iris(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(extension, tag)| (tag.as_str(), extension.iri.as_str()))
    }
}

/// Chooses new tags for types of ELF whose tags also occur without a type.
pub(crate) fn rename_tags<'t>(
    typed_tags: impl Iterator<Item = &'t str> + Clone,
    plain: &HashSet<String>,
) -> HashMap<String, String> {
    let mut taken: HashSet<&str> = typed_tags.clone().collect();
    taken.extend(plain.iter().map(String::as_str));
    let mut renamed: HashMap<String, String> = HashMap::new();
    for tag in typed_tags.filter(|tag| plain.contains(*tag)) {
        if !renamed.contains_key(tag) {
            let mut numbered = (2_u64..).map(|number| format!("{tag}_{number}"));
            let free = numbered.find(|made| !taken.contains(made.as_str()));
            renamed.extend(free.map(|made| (tag.to_owned(), made)));
        }
    }
    renamed
}
