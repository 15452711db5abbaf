//! The names of a person, divided into their parts.

use crate::view::RoleNode;
use elf_schema::vendors::VendorTag;
use elf_schema::vocabulary::elf;
use elf_schema::{Node, Role};
use elf_values::PersonalName;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// A name of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PersonName {
    /// How the person got this name.
    pub kind: NameKind,
    /// The whole name in spoken form, without slashes.
    pub text: String,
    /// The given names.
    pub given: String,
    /// The surname with its prefix, such as `van der Berg`.
    pub surname: String,
    /// Words before the name, such as a title.
    pub prefix: String,
    /// Words after the name, such as `Jr.`.
    pub suffix: String,
    /// The nickname, or the name by which the person was called.
    pub nickname: String,
}

/// How a person got a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameKind {
    /// A name of a `NAME` structure.
    #[default]
    Name,
    /// A variant of such a name: in another script, or phonetic.
    Variant,
    /// A married name with a vendor tag.
    Married,
    /// Another name with a vendor tag.
    Other,
}

/// The name parts in the substructures of a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamePieces {
    prefix: String,
    given: String,
    nickname: String,
    surname_prefix: String,
    surname: String,
    suffix: String,
    vendor: VendorPieces,
}

/// The name parts whose types are subtypes of the standard's types, such as a middle name or a call name. They count only
/// if the name has no such part otherwise.
#[derive(Clone, Debug, Default)]
struct VendorPieces {
    given: String,
    nickname: String,
    surname: String,
}

/// The types of names, and of the parts of names that vendor tags have.
const NAME_TYPES: [&str; 4] =
    [elf::PERSONAL_NAME, elf::NAME_PIECE_GIVEN, elf::NAME_PIECE_NICKNAME, elf::NAME_PIECE_SURNAME];

/// Vendor tags of married names. A test compares this list and the next one with the dictionary of vendor tags, whose column
/// about GEDCOM 7 would make the module for browsers larger.
const MARRIED_NAMES: [&str; 4] = ["_MAR", "_MARN", "_MARNM", "_MARRNM"];

/// Vendor tags of names in another language or script.
const TRANSLATIONS: [&str; 4] = ["_GERN", "_HEB", "_HEBN", "_HNM"];

/// Vendor tags of names that the dictionary of vendor tags does not have.
const UNLISTED_TAGS: [(&str, NameKind); 3] =
    [("_BIRTHNAME", NameKind::Other), ("_FORMERNAME", NameKind::Other), ("_MARNAME", NameKind::Married)];

/// The words that follow a surname and are not given names.
const SUFFIXES: [&str; 16] = [
    "jr", "sr", "jun", "sen", "junior", "senior", "i", "ii", "iii", "iv", "v", "vi", "esq", "md", "phd",
    "dds",
];

/// Words in place of a name that is not known, and of the names of people whom a program hid, as [`folded`](crate::folded)
/// returns them.
pub const NAME_PLACEHOLDERS: [&str; 33] = [
    "baby",
    "child",
    "daughter",
    "desconocido",
    "female",
    "fnu",
    "girl",
    "inconnu",
    "infant",
    "known",
    "lebend",
    "living",
    "lnu",
    "male",
    "name",
    "nn",
    "no",
    "none",
    "not",
    "onbekend",
    "private",
    "privat",
    "son",
    "stillborn",
    "true",
    "twin",
    "unbekannt",
    "unk",
    "unknown",
    "unnamed",
    "wife",
    "xx",
    "yes",
];

/// Returns whether a structure under a name is a variant of the name. GEDCOM 7 has one tag where
/// earlier standards have two types.
fn is_variant(part: RoleNode<'_>) -> bool {
    match part.iri() {
        Some(elf::NAME_PHONETIC_VARIATION | elf::NAME_ROMANIZED_VARIATION) => true,
        _ => part.node.tag() == "TRAN",
    }
}

/// Returns the type of a name or of a part of one, of a structure in the record of a person or under a name. If the
/// structure has no type, its tag decides: programs write such tags at other places than those that the dictionary has.
fn name_type(part: RoleNode<'_>) -> Option<&'static str> {
    let found = match part.iri() {
        // In GEDCOM 7, the types of names with vendor tags are subtypes of NAME.
        Some(elf::PERSONAL_NAME_STRUCTURE) if part.counterpart.is_inherited() => Some(elf::PERSONAL_NAME),
        Some(iri) => Some(iri),
        None => vendor_name_type(part.node.tag()),
    };
    found.filter(|_| part.node.pointer().is_none())
}

/// Returns whether a structure is a NAME of a person. Structures whose types are subtypes of NAME are further names.
fn is_name(part: RoleNode<'_>) -> bool {
    part.role() == Some(Role::Name) && !part.counterpart.is_inherited()
}

/// Returns the kind of a name with a vendor tag; `None` if the structure is not such a name. The structure must be in the
/// record of a person or under a name.
fn kind_of_vendor_name(part: RoleNode<'_>) -> Option<NameKind> {
    let is_name = name_type(part) == Some(elf::PERSONAL_NAME);
    is_name.then(|| VendorName::of_tag(part.node.tag()).map_or(NameKind::Other, |name| name.kind))
}

/// Returns the type of names, or of parts of names, that a vendor tag has in the record of a person or under a name,
/// whichever program wrote the file. `None` if the tag is not that of a name.
///
/// ```
/// use elf_lineage::{elf_schema::vocabulary::elf, vendor_name_type};
///
/// assert_eq!(vendor_name_type("_MARNM"), Some(elf::PERSONAL_NAME));
/// assert_eq!(vendor_name_type("_MIDN"), Some(elf::NAME_PIECE_GIVEN));
/// assert_eq!(vendor_name_type("_MILT"), None);
/// ```
pub fn vendor_name_type(tag: &str) -> Option<&'static str> {
    VendorName::of_tag(tag).map(|name| name.supertype)
}

/// What a vendor tag says about names.
#[derive(Clone, Copy, Debug)]
struct VendorName {
    /// The type of names, or of a part of them.
    supertype: &'static str,
    /// The kind of the name, if the tag is that of a whole name.
    kind: NameKind,
}

impl VendorName {
    /// Returns what a tag with an underscore says about the names of a person, whichever program wrote the file.
    fn of_tag(tag: &str) -> Option<VendorName> {
        static NAMES: OnceLock<HashMap<&str, VendorName>> = OnceLock::new();
        let names = NAMES.get_or_init(|| {
            let named = |entry: VendorTag| {
                let is_of_person = entry.place() == "INDI" || entry.place() == "INDI/NAME";
                let supertype = entry.supertype().filter(|of| is_of_person && NAME_TYPES.contains(of))?;
                let kind = match entry.tag() {
                    tag if MARRIED_NAMES.contains(&tag) => NameKind::Married,
                    tag if TRANSLATIONS.contains(&tag) => NameKind::Variant,
                    _ => NameKind::Other,
                };
                Some((entry.tag(), VendorName { supertype, kind }))
            };
            let unlisted = UNLISTED_TAGS
                .into_iter()
                .map(|(tag, kind)| (tag, VendorName { supertype: elf::PERSONAL_NAME, kind }));
            VendorTag::all().filter_map(named).chain(unlisted).collect()
        });
        tag.starts_with('_').then(|| names.get(tag).copied()).flatten()
    }
}

impl NamePieces {
    fn of<'d>(substructures: impl Iterator<Item = RoleNode<'d>>) -> NamePieces {
        let mut pieces = NamePieces::default();
        for part in substructures {
            let is_subtype = part.counterpart.is_inherited() || part.iri().is_none();
            let piece = match name_type(part) {
                Some(elf::NAME_PIECE_PREFIX) => &mut pieces.prefix,
                Some(elf::NAME_PIECE_GIVEN) if is_subtype => &mut pieces.vendor.given,
                Some(elf::NAME_PIECE_GIVEN) => &mut pieces.given,
                Some(elf::NAME_PIECE_NICKNAME) if is_subtype => &mut pieces.vendor.nickname,
                Some(elf::NAME_PIECE_NICKNAME) => &mut pieces.nickname,
                Some(elf::NAME_PIECE_SURNAME_PREFIX) => &mut pieces.surname_prefix,
                Some(elf::NAME_PIECE_SURNAME) if is_subtype => &mut pieces.vendor.surname,
                Some(elf::NAME_PIECE_SURNAME) => &mut pieces.surname,
                Some(elf::NAME_PIECE_SUFFIX) => &mut pieces.suffix,
                _ => continue,
            };
            if piece.is_empty() {
                part.node.text().trim().clone_into(piece);
            }
        }
        pieces
    }

    fn are_empty(&self) -> bool {
        let NamePieces { prefix, given, nickname, surname_prefix, surname, suffix, vendor } = self;
        let own = [prefix, given, nickname, surname_prefix, surname, suffix];
        own.into_iter().chain([&vendor.given, &vendor.nickname, &vendor.surname]).all(String::is_empty)
    }

    /// Returns the surname with its prefix, of the standard's structures or else of a vendor tag.
    fn whole_surname(&self) -> String {
        let surname = join_parts(&[&self.surname_prefix, &self.surname]);
        if surname.is_empty() { self.vendor.surname.clone() } else { surname }
    }
}

impl PersonName {
    /// Returns the names in the record of a person. Each NAME is followed by its variants and by the names with vendor
    /// tags under it, and names with vendor tags that are not under a NAME come last. Empty names are left out. So the
    /// first name is that of [`Person::name`](crate::Person::name). `substructures_of` returns the substructures of a
    /// structure, each with its role.
    pub fn all_of<'d, I: Iterator<Item = RoleNode<'d>>>(
        record: RoleNode<'d>,
        substructures_of: impl Fn(RoleNode<'d>) -> I,
    ) -> Vec<PersonName> {
        let mut names = NameList::default();
        for name in substructures_of(record).filter(|part| is_name(*part)) {
            names.add(PersonName::of(name.node, substructures_of(name)));
            for part in substructures_of(name) {
                if is_variant(part) {
                    let pieces = NamePieces::of(substructures_of(part));
                    names.add(PersonName::from_payload(NameKind::Variant, &part.node.text(), pieces));
                } else if let Some(kind) = kind_of_vendor_name(part) {
                    names.add_vendor_name(kind, part.node, NamePieces::of(substructures_of(part)));
                }
            }
        }
        for part in substructures_of(record).filter(|part| !is_name(*part)) {
            if let Some(kind) = kind_of_vendor_name(part) {
                names.add_vendor_name(kind, part.node, NamePieces::of(substructures_of(part)));
            }
        }
        names.names
    }

    /// Reads a `NAME` structure. `substructures` are the structures under it, with their roles.
    pub fn of<'d>(name: Node<'_>, substructures: impl Iterator<Item = RoleNode<'d>>) -> PersonName {
        PersonName::from_payload(NameKind::Name, &name.text(), NamePieces::of(substructures))
    }

    /// Creates a name from its payload and its substructures.
    fn from_payload(kind: NameKind, payload: &str, pieces: NamePieces) -> PersonName {
        if is_empty_name(payload) {
            return PersonName::from_pieces(kind, pieces);
        }
        // The closing slash after the surname is missing.
        let closed = (payload.matches('/').count() == 1).then(|| format!("{payload}/"));
        let Ok(name) = PersonalName::parse(closed.as_deref().unwrap_or(payload)) else {
            // The slashes do not mark a surname, so only the words are certain.
            return PersonName { text: remove_slashes(payload), ..PersonName::from_pieces(kind, pieces) };
        };
        let pieces_surname = pieces.whole_surname();
        let NamePieces { prefix, given, nickname, suffix, vendor, .. } = pieces;
        let is_given_behind = name.before().is_empty() && !is_suffix(name.after()) && name.after() != suffix;
        let (own_given, own_suffix) = match is_given_behind {
            true => (name.after(), ""),
            false => (name.before(), name.after()),
        };
        let own_surname = name.surname().filter(|surname| !surname.is_empty());
        PersonName {
            kind,
            text: name.to_string(),
            given: first_present([given, strip_prefix(own_given, &prefix).to_owned(), vendor.given]),
            surname: own_surname.map_or(pieces_surname, str::to_owned),
            suffix: if suffix.is_empty() { own_suffix.to_owned() } else { suffix },
            nickname: first_present([nickname, find_quoted(own_given), vendor.nickname]),
            prefix,
        }
    }

    /// Creates a name from its substructures alone.
    fn from_pieces(kind: NameKind, pieces: NamePieces) -> PersonName {
        let surname = pieces.whole_surname();
        let NamePieces { prefix, given, nickname, suffix, vendor, .. } = pieces;
        let given = first_present([given, vendor.given]);
        let nickname = first_present([nickname, vendor.nickname]);
        let text = join_parts(&[&prefix, &given, &surname, &suffix]);
        PersonName { kind, text, given, surname, prefix, suffix, nickname }
    }

    /// Returns the texts of the name: the whole name and all pieces.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = [&self.text, &self.given, &self.surname, &self.prefix, &self.suffix, &self.nickname];
        texts.into_iter().map(String::as_str).filter(|text| !text.is_empty())
    }
}

/// The names of a person, in the order in which they are read.
#[derive(Debug, Default)]
struct NameList {
    names: Vec<PersonName>,
    /// The words of the given names in all names.
    given: HashSet<String>,
}

impl NameList {
    fn add(&mut self, name: PersonName) {
        if !name.text.is_empty() {
            self.given.extend(name.given.split_whitespace().map(str::to_owned));
            self.names.push(name);
        }
    }

    /// Adds a name with a vendor tag. A married name without slashes is taken as a surname; words before it that are
    /// known as given names are its given names.
    fn add_vendor_name(&mut self, kind: NameKind, node: Node<'_>, pieces: NamePieces) {
        let text = node.text();
        if kind != NameKind::Married || text.contains('/') || !pieces.are_empty() {
            self.add(PersonName::from_payload(kind, &text, pieces));
            return;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let before = words.iter().take_while(|word| self.given.contains(**word)).count();
        let before = if before == words.len() { 0 } else { before };
        self.add(PersonName {
            kind,
            text: words.join(" "),
            given: words[..before].join(" "),
            surname: words[before..].join(" "),
            ..PersonName::default()
        });
    }
}

/// Returns whether the payload of a name has no words.
pub(crate) fn is_empty_name(payload: &str) -> bool {
    payload.chars().all(|c| c == '/' || c.is_whitespace())
}

/// Returns the first text that is not empty; empty if there is none.
fn first_present(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// Returns whether a text after a surname has no given names.
fn is_suffix(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words().next().is_some() && words().all(|word| SUFFIXES.contains(&&*word.to_lowercase()))
}

/// Removes the prefix from given names.
fn strip_prefix<'t>(given: &'t str, prefix: &str) -> &'t str {
    match given.strip_prefix(prefix) {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => given,
    }
}

/// Returns the words between quotation marks; empty if there are none.
fn find_quoted(text: &str) -> String {
    let is_mark = |c: char| matches!(c, '"' | '“' | '”' | '„');
    let mut parts = text.split(is_mark);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(inner), Some(_)) => inner.trim().to_owned(),
        _ => String::new(),
    }
}

/// Removes the slashes from a name.
fn remove_slashes(name: &str) -> String {
    let words = name.split(|c: char| c == '/' || c.is_whitespace()).filter(|word| !word.is_empty());
    words.collect::<Vec<&str>>().join(" ")
}

/// Joins the non-empty parts with spaces.
fn join_parts(parts: &[&str]) -> String {
    let parts = parts.iter().copied().filter(|part| !part.is_empty());
    parts.collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_of_a_vendor_tag_for_names_agree() {
        let named = |entry: VendorTag| Some((entry.tag(), entry.supertype()?));
        let rows = VendorTag::all().filter_map(named).filter(|(tag, _)| tag.starts_with('_'));
        for (tag, supertype) in rows.filter(|(_, supertype)| NAME_TYPES.contains(supertype)) {
            assert_eq!(vendor_name_type(tag), Some(supertype), "{tag}");
        }
    }

    #[test]
    fn kinds_of_vendor_names_are_those_of_the_dictionary() {
        for entry in VendorTag::all().filter(|entry| entry.tag().starts_with('_')) {
            let kind = match entry.gedcom_7() {
                Some("NAME (TYPE MARRIED)") => NameKind::Married,
                Some("NAME.TRAN") => NameKind::Variant,
                _ => NameKind::Other,
            };
            let found =
                VendorName::of_tag(entry.tag()).filter(|_| entry.supertype() == Some(elf::PERSONAL_NAME));
            assert!(found.is_none_or(|name| name.kind == kind), "{}", entry.tag());
        }
    }

    fn named(payload: &str, pieces: [&str; 6]) -> PersonName {
        let [prefix, given, nickname, surname_prefix, surname, suffix] = pieces.map(str::to_owned);
        PersonName::from_payload(
            NameKind::Name,
            payload,
            NamePieces { prefix, given, nickname, surname_prefix, surname, suffix, ..NamePieces::default() },
        )
    }

    #[test]
    fn names_have_their_pieces() {
        for (payload, given, surname, expected) in [
            ("Ada /Byron/", "", "", ["Ada Byron", "Ada", "Byron"]),
            ("Johan  /van der Berg/ Jr.", "", "", ["Johan van der Berg Jr.", "Johan", "van der Berg"]),
            ("Madonna", "", "", ["Madonna", "Madonna", ""]),
            ("Ada Byron", "Ada", "Byron", ["Ada Byron", "Ada", "Byron"]),
            ("/Byron/", "Ada", "Lovelace", ["Byron", "Ada", "Byron"]),
            ("Ada //", "", "Byron", ["Ada", "Ada", "Byron"]),
            ("", "Ada", "Byron", ["Ada Byron", "Ada", "Byron"]),
            ("Ada /Byron", "", "", ["Ada Byron", "Ada", "Byron"]),
            ("/Szabó/ János", "", "", ["Szabó János", "János", "Szabó"]),
            ("/Smith/ Jr.", "", "", ["Smith Jr.", "", "Smith"]),
            ("a/b/c/d", "Ada", "", ["a b c d", "Ada", ""]),
        ] {
            let name = named(payload, ["", given, "", "", surname, ""]);
            assert_eq!([&*name.text, &*name.given, &*name.surname], expected, "{payload}");
        }
    }

    #[test]
    fn pieces_of_names_are_put_together() {
        for (payload, pieces, expected) in [
            (
                "Dr. John /Smith/",
                ["Dr.", "John", "", "", "", ""],
                ["Dr. John Smith", "John", "Smith", "Dr.", "", ""],
            ),
            (
                "Dr. John /Smith/",
                ["Dr.", "", "", "", "", ""],
                ["Dr. John Smith", "John", "Smith", "Dr.", "", ""],
            ),
            ("", ["Baron", "Carl", "", "", "", ""], ["Baron Carl", "Carl", "", "Baron", "", ""]),
            ("", ["", "Ann", "", "von", "Bee", ""], ["Ann von Bee", "Ann", "von Bee", "", "", ""]),
            (
                "John /Smith/ III",
                ["", "", "", "", "", ""],
                ["John Smith III", "John", "Smith", "", "III", ""],
            ),
            (
                "John /Smith/",
                ["", "", "Jack", "", "", "Sr."],
                ["John Smith", "John", "Smith", "", "Sr.", "Jack"],
            ),
            (
                "Ann \"Nan\" /Lee/",
                ["", "", "", "", "", ""],
                ["Ann \"Nan\" Lee", "Ann \"Nan\"", "Lee", "", "", "Nan"],
            ),
        ] {
            let name = named(payload, pieces);
            let found =
                [&*name.text, &*name.given, &*name.surname, &*name.prefix, &*name.suffix, &*name.nickname];
            assert_eq!(found, expected, "{payload} {pieces:?}");
        }
    }
}
