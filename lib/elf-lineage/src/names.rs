//! The names of a person, divided into their parts.

use crate::view::RoleNode;
use elf_schema::vocabulary::elf;
use elf_schema::{Node, Role, vendors};
use elf_values::PersonalName;

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
    /// The nickname.
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
    /// A married name, in a tag of a program.
    Married,
    /// Another name, in a tag of a program.
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
}

/// The extension tags of married names.
const MARRIED_NAMES: [&str; 5] = ["_MAR", "_MARNM", "_MARRNM", "_MARNAME", "_MARN"];

/// The extension tags of other names that the dictionary of vendor tags does not have as names.
const OTHER_NAMES: [&str; 3] = ["_FORMERNAME", "_BIRTHNAME", "_RUFNAME"];

/// The words that follow a surname and are not given names.
const SUFFIXES: [&str; 16] = [
    "jr", "sr", "jun", "sen", "junior", "senior", "i", "ii", "iii", "iv", "v", "vi", "esq", "md", "phd",
    "dds",
];

/// Collects the names of a person: first those of `NAME` structures, then those directly under the
/// record that have an extension tag. `substructures_of` returns the substructures of a structure,
/// each with its role.
pub(crate) fn collect_names<'d, I: Iterator<Item = RoleNode<'d>>>(
    record: RoleNode<'d>,
    substructures_of: impl Fn(RoleNode<'d>) -> I,
) -> Vec<PersonName> {
    let mut names: Vec<PersonName> = Vec::new();
    let mut further: Vec<Node<'d>> = Vec::new();
    for name in substructures_of(record) {
        if name.role() != Some(Role::Name) {
            further.push(name.node);
            continue;
        }
        names.push(PersonName::of(name.node, substructures_of(name)));
        for part in substructures_of(name) {
            if is_variant(part) {
                let pieces = NamePieces::of(substructures_of(part));
                names.push(PersonName::from_payload(NameKind::Variant, &part.node.text(), pieces));
            } else {
                names.extend(PersonName::of_extension(part.node, &names));
            }
        }
    }
    for node in further {
        names.extend(PersonName::of_extension(node, &names));
    }
    names.retain(|name| !name.text.is_empty());
    names
}

/// Returns whether a structure under a name is a variant of the name. GEDCOM 7 has one tag where
/// earlier standards have two types.
fn is_variant(part: RoleNode<'_>) -> bool {
    match part.iri() {
        Some(elf::NAME_PHONETIC_VARIATION | elf::NAME_ROMANIZED_VARIATION) => true,
        _ => part.node.tag() == "TRAN",
    }
}

impl NamePieces {
    fn of<'d>(substructures: impl Iterator<Item = RoleNode<'d>>) -> NamePieces {
        let mut pieces = NamePieces::default();
        for part in substructures {
            let piece = match part.iri() {
                Some(elf::NAME_PIECE_PREFIX) => &mut pieces.prefix,
                // Some vendor tags are for one of the given names, such as `_RUFNAME`.
                Some(elf::NAME_PIECE_GIVEN) if !is_vendor_tag(part.node) => &mut pieces.given,
                Some(elf::NAME_PIECE_NICKNAME) => &mut pieces.nickname,
                Some(elf::NAME_PIECE_SURNAME_PREFIX) => &mut pieces.surname_prefix,
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
}

fn is_vendor_tag(node: Node<'_>) -> bool {
    node.tag() != "GIVN" && vendors::tags_named(node.tag()).next().is_some()
}

impl PersonName {
    /// Reads a `NAME` structure. `substructures` are the structures under it, with their roles.
    pub fn of<'d>(name: Node<'_>, substructures: impl Iterator<Item = RoleNode<'d>>) -> PersonName {
        PersonName::from_payload(NameKind::Name, &name.text(), NamePieces::of(substructures))
    }

    /// Reads a name with an extension tag, such as `_MARNM`; `None` if the tag is not one of a name. A married name
    /// without slashes is taken as a surname, and gets given names of the `known` names of the person.
    pub fn of_extension(node: Node<'_>, known: &[PersonName]) -> Option<PersonName> {
        let kind = match node.tag() {
            tag if MARRIED_NAMES.contains(&tag) => NameKind::Married,
            tag if OTHER_NAMES.contains(&tag) || vendors::is_personal_name(tag) => NameKind::Other,
            _ => return None,
        };
        let text = node.text();
        if kind == NameKind::Other || text.contains('/') {
            return Some(PersonName::from_payload(kind, &text, NamePieces::default()));
        }
        let given: Vec<&str> = known.iter().flat_map(|name| name.given.split_whitespace()).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let before = words.iter().take_while(|word| given.contains(word)).count();
        let before = if before == words.len() { 0 } else { before };
        Some(PersonName {
            kind,
            text: words.join(" "),
            given: words[..before].join(" "),
            surname: words[before..].join(" "),
            ..PersonName::default()
        })
    }

    /// Creates a name from its payload and its substructures.
    fn from_payload(kind: NameKind, payload: &str, pieces: NamePieces) -> PersonName {
        // The closing slash after the surname is missing.
        let closed = (payload.matches('/').count() == 1).then(|| format!("{payload}/"));
        let Ok(name) = PersonalName::parse(closed.as_deref().unwrap_or(payload)) else {
            // The slashes do not mark a surname, so only the words are certain.
            return PersonName { text: remove_slashes(payload), ..PersonName::from_pieces(kind, pieces) };
        };
        if name.to_string().is_empty() {
            return PersonName::from_pieces(kind, pieces);
        }
        let NamePieces { prefix, given, nickname, surname_prefix, surname, suffix } = pieces;
        let is_given_behind = name.before().is_empty() && !is_suffix(name.after()) && name.after() != suffix;
        let (own_given, own_suffix) = match is_given_behind {
            true => (name.after(), ""),
            false => (name.before(), name.after()),
        };
        let or_else = |own: &str, other: String| if own.is_empty() { other } else { own.to_owned() };
        let own_surname = name.surname().filter(|surname| !surname.is_empty());
        PersonName {
            kind,
            text: name.to_string(),
            given: if given.is_empty() { strip_prefix(own_given, &prefix).to_owned() } else { given },
            surname: own_surname.map_or_else(|| join_parts(&[&surname_prefix, &surname]), str::to_owned),
            suffix: if suffix.is_empty() { own_suffix.to_owned() } else { suffix },
            nickname: or_else(&nickname, find_quoted(own_given)),
            prefix,
        }
    }

    /// Creates a name from its substructures alone.
    fn from_pieces(kind: NameKind, pieces: NamePieces) -> PersonName {
        let NamePieces { prefix, given, nickname, surname_prefix, surname, suffix } = pieces;
        let surname = join_parts(&[&surname_prefix, &surname]);
        let text = join_parts(&[&prefix, &given, &surname, &suffix]);
        PersonName { kind, text, given, surname, prefix, suffix, nickname }
    }

    /// Returns the texts of the name: the whole name and all pieces.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = [&self.text, &self.given, &self.surname, &self.prefix, &self.suffix, &self.nickname];
        texts.into_iter().map(String::as_str).filter(|text| !text.is_empty())
    }
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

    fn named(payload: &str, pieces: [&str; 6]) -> PersonName {
        let [prefix, given, nickname, surname_prefix, surname, suffix] = pieces.map(str::to_owned);
        PersonName::from_payload(
            NameKind::Name,
            payload,
            NamePieces { prefix, given, nickname, surname_prefix, surname, suffix },
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
