//! Collects the names of a person from all places of the record.

use crate::words::{significant_words, spellings};
use elf_schema::vocabulary::elf;
use elf_schema::{Node, TypedDocument, vendors};
use std::collections::HashMap;
use std::sync::OnceLock;

/// What a structure of a person's record says about the names of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamePart {
    /// A name: the name itself, a variant of it, or another name of the person.
    Name,
    Given,
    Surname,
    Nickname,
    /// A prefix or a suffix, which is not a name by itself.
    Affix,
}

/// The tags of names and their parts. Their types are known only where a standard allows them.
const KNOWN_TAGS: [(&str, NamePart); 26] = [
    ("ALIA", NamePart::Name),
    ("FONE", NamePart::Name),
    ("GIVN", NamePart::Given),
    ("NICK", NamePart::Nickname),
    ("NPFX", NamePart::Affix),
    ("NSFX", NamePart::Affix),
    ("ROMN", NamePart::Name),
    ("SECG", NamePart::Given),
    ("SPFX", NamePart::Affix),
    ("SURN", NamePart::Surname),
    ("TRAN", NamePart::Name),
    ("_AKA", NamePart::Name),
    ("_AKAN", NamePart::Name),
    ("_ALIAS", NamePart::Name),
    ("_BIRTHNAME", NamePart::Name),
    ("_CALL", NamePart::Nickname),
    ("_FORMERNAME", NamePart::Name),
    ("_FRKA", NamePart::Name),
    ("_MARN", NamePart::Name),
    ("_MARNAME", NamePart::Name),
    ("_MARNM", NamePart::Name),
    ("_MARRNM", NamePart::Name),
    ("_NICK", NamePart::Nickname),
    ("_OTHN", NamePart::Name),
    ("_PATR", NamePart::Given),
    ("_RUFNAME", NamePart::Given),
];

/// Words in the tags of names that no dictionary knows, such as `_FORMER_NAME`.
const WORDS_IN_TAGS: [&str; 5] = ["NAME", "NICK", "AKA", "ALIAS", "MARNM"];

/// Words in tags of files and accounts, whose names are not those of people, such as `_PHOTO_NAME`.
const WORDS_IN_OTHER_TAGS: [&str; 3] = ["FILE", "PHOTO", "USER"];

/// The types of names and of their parts. Call names are nicknames to the dictionary of vendor tags, but they are also
/// among the given names, and a given name alone does not identify a person.
const TYPES: [(&str, NamePart); 10] = [
    ("https://terms.fhiso.org/elf/vendor/INDI-NAME-_USED", NamePart::Given),
    ("https://terms.fhiso.org/elf/vendor/_RUFN", NamePart::Given),
    ("https://terms.fhiso.org/elf/vendor/_RUFNAME", NamePart::Given),
    (elf::PERSONAL_NAME, NamePart::Name),
    (elf::NAME_PIECE_GIVEN, NamePart::Given),
    (elf::NAME_PIECE_NICKNAME, NamePart::Nickname),
    (elf::NAME_PIECE_PREFIX, NamePart::Affix),
    (elf::NAME_PIECE_SUFFIX, NamePart::Affix),
    (elf::NAME_PIECE_SURNAME, NamePart::Surname),
    (elf::NAME_PIECE_SURNAME_PREFIX, NamePart::Affix),
];

/// The kinds of facts that are names, in lower case and without blanks.
const NAME_KINDS: [&str; 6] = ["aka", "alsoknownas", "alias", "nickname", "othername", "marriedname"];

/// Words in place of a name that is not known, and of the names of people whom the program hid.
const PLACEHOLDERS: [&str; 30] = [
    "baby",
    "child",
    "daughter",
    "desconocido",
    "female",
    "girl",
    "inconnu",
    "infant",
    "lebend",
    "living",
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

/// The maximum number of given names, and of surnames, that are combined.
const MAX_NAME_PARTS: usize = 8;

/// Tells which structures are names, by their types and tags.
#[derive(Debug)]
pub(crate) struct NameTypes {
    /// For each type of the schema, what it says about names.
    of_types: Vec<Option<NamePart>>,
}

impl NameTypes {
    pub(crate) fn of(typed: &TypedDocument<'_>) -> NameTypes {
        let known = |iri: &str| TYPES.iter().find(|(of, _)| *of == iri).map(|(_, part)| *part);
        NameTypes { of_types: typed.schema().by_nearest_supertype(known) }
    }

    /// Returns which part of a name a structure contains. The type of the structure decides. If the type is not that of
    /// a name, the tag decides; the structure must then be in a person's record or under a name.
    pub(crate) fn part(&self, typed: &TypedDocument<'_>, node: Node<'_>) -> Option<NamePart> {
        let by_type = typed.type_id(node).and_then(|of| self.of_types.get(of.index()).copied().flatten());
        by_type
            .or_else(|| part_of_tag(node.tag()))
            .or_else(|| is_name_in_words(node).then_some(NamePart::Name))
    }
}

/// Returns what a tag says about names, whichever program wrote the file.
fn part_of_tag(tag: &str) -> Option<NamePart> {
    if let Some((_, part)) = KNOWN_TAGS.iter().find(|(known, _)| *known == tag) {
        return Some(*part);
    }
    if !tag.starts_with('_') {
        return None;
    }
    static OF_VENDORS: OnceLock<HashMap<&str, NamePart>> = OnceLock::new();
    let of_vendors = OF_VENDORS.get_or_init(|| {
        let entries = vendors::VendorTag::all().filter(|entry| entry.place().starts_with("INDI"));
        let part = |iri: &str| TYPES.iter().find(|(of, _)| *of == iri).map(|(_, part)| *part);
        let part =
            |entry: &vendors::VendorTag| part(entry.structure_type()).or_else(|| part(entry.supertype()?));
        entries.filter_map(|entry| Some((entry.tag(), part(&entry)?))).collect()
    });
    let is_named = || {
        let tag = tag.to_ascii_uppercase();
        let contains_one_of = |words: &[&str]| words.iter().any(|word| tag.contains(word));
        contains_one_of(&WORDS_IN_TAGS) && !contains_one_of(&WORDS_IN_OTHER_TAGS)
    };
    of_vendors.get(tag).copied().or_else(|| is_named().then_some(NamePart::Name))
}

/// Returns whether a fact is a name: the file says so in its TYPE.
fn is_name_in_words(node: Node<'_>) -> bool {
    let is_name = |kind: Node<'_>| {
        let text = kind.text();
        let letters = text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase);
        NAME_KINDS.contains(&&*letters.collect::<String>())
    };
    matches!(node.tag(), "EVEN" | "FACT" | "_ATTR") && node.substructures_tagged("TYPE").any(is_name)
}

#[derive(Debug, Default)]
pub(crate) struct NamesOfPerson {
    /// The payloads of NAME, the names under it and in other substructures, and each given name or
    /// nickname combined with each surname. Surnames are between slashes.
    pub(crate) whole: Vec<String>,
    /// The given names and nicknames. Each may have several words.
    pub(crate) given: Vec<String>,
    /// The surnames. Each may have several words.
    pub(crate) surnames: Vec<String>,
    /// The names and nicknames of one word.
    pub(crate) single: Vec<String>,
}

/// Collects the names in a record. `part` returns what a structure says about names: of the record's substructures, and of
/// those under a name.
pub(crate) fn collect_names<'d>(
    record: Node<'d>,
    part: impl Fn(Node<'d>) -> Option<NamePart>,
) -> NamesOfPerson {
    let mut parts = NameParts::default();
    for node in record.substructures().filter(|node| node.pointer().is_none()) {
        let Some(found) = part(node) else { continue };
        parts.add(found, &node.text(), node.tag() != "NAME");
        let below = node.substructures().filter(|below| part(*below).is_some());
        for below in below.flat_map(|below| std::iter::once(below).chain(below.substructures())) {
            if let Some(found) = part(below).filter(|_| below.pointer().is_none()) {
                parts.add(found, &below.text(), true);
            }
        }
        parts.add_name_of_parts(node, &part);
    }
    parts.into_names()
}

#[derive(Default)]
struct NameParts {
    whole: Vec<String>,
    given: Vec<String>,
    surnames: Vec<String>,
    single: Vec<String>,
}

impl NameParts {
    /// Adds a name, or a part of one. A further name of one word, such as a married name, may be a surname.
    fn add(&mut self, part: NamePart, text: &str, is_further: bool) {
        match part {
            NamePart::Name => {
                self.add_name(text, is_further);
                self.whole.push(text.to_owned());
            }
            NamePart::Given => push_part(&mut self.given, text),
            NamePart::Surname => push_part(&mut self.surnames, text),
            NamePart::Nickname => self.add_nickname(text),
            NamePart::Affix => {}
        }
    }

    fn add_name(&mut self, name: &str, is_further: bool) {
        let mut parts = name.splitn(3, '/');
        match (parts.next(), parts.next()) {
            (Some(given), Some(surname)) => {
                push_part(&mut self.given, given);
                push_part(&mut self.surnames, surname);
            }
            (Some(word), None) if name.split_whitespace().nth(1).is_none() => {
                push_part(&mut self.given, word);
                if is_further {
                    push_part(&mut self.surnames, word);
                }
            }
            _ => {}
        }
        for nickname in quoted_parts(name) {
            self.add_nickname(nickname);
        }
        self.add_single(name);
    }

    fn add_nickname(&mut self, text: &str) {
        push_part(&mut self.given, text);
        self.whole.push(text.to_owned());
        self.add_single(text);
    }

    /// Adds a name that has only one word. A surname that is not known does not count. A surname alone, such as
    /// `/Strauss/`, is not added, because it is also the name of all relatives.
    fn add_single(&mut self, name: &str) {
        let (given, surname) = name.split_once('/').unwrap_or((name, ""));
        let [given, surname] = [given, surname].map(significant_words);
        let surname: Vec<&str> = surname.into_iter().filter(|word| !is_placeholder(word)).collect();
        if let ([word], []) = (&*given, &*surname)
            && word.chars().nth(1).is_some()
            && !is_placeholder(word)
        {
            self.single.push((*word).to_owned());
        }
    }

    /// Adds the name of a structure that has only parts, such as a NAME without payload.
    fn add_name_of_parts<'d>(&mut self, name: Node<'d>, part: &impl Fn(Node<'d>) -> Option<NamePart>) {
        let text = name.text();
        if part(name) != Some(NamePart::Name) || text.chars().any(char::is_alphanumeric) {
            return;
        }
        let texts_of = |wanted: NamePart| {
            let parts = name.substructures().filter(move |below| part(*below) == Some(wanted));
            parts.map(|below| below.text().into_owned()).collect::<Vec<String>>().join(" ")
        };
        let name = format!("{} /{}/", texts_of(NamePart::Given), texts_of(NamePart::Surname));
        self.add_single(&name);
        self.whole.push(name);
    }

    fn into_names(mut self) -> NamesOfPerson {
        let combined = self.surnames.iter().flat_map(|surname| {
            let given = self.given.iter().filter(move |given| *given != surname);
            given.map(move |given| format!("{given} /{surname}/"))
        });
        let combined: Vec<String> = combined.collect();
        self.whole.extend(combined);
        let unmarked: Vec<String> = self.whole.iter().filter(|name| !name.contains('/')).cloned().collect();
        // The last word of a name without slashes is the surname.
        for (given, surname) in
            unmarked.iter().filter_map(|name| name.trim().rsplit_once(char::is_whitespace))
        {
            push_part(&mut self.given, given);
            push_part(&mut self.surnames, surname);
        }
        let NameParts { whole, given, surnames, single } = self;
        NamesOfPerson { whole, given, surnames, single }
    }
}

/// Returns the parts of a name in quotation marks or brackets, such as `Jack` in `John "Jack" /Smith/`.
pub(crate) fn quoted_parts(name: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| matches!(c, '"' | '“' | '”' | '„' | '(' | ')' | '«' | '»');
    name.split(is_mark).skip(1).step_by(2).filter(|part| !part.contains('/'))
}

/// Returns whether a word stands in place of a name.
fn is_placeholder(word: &str) -> bool {
    spellings(word).any(|spelling| PLACEHOLDERS.contains(&spelling.as_str()))
}

/// Adds a part, unless it is already there or the list is full.
fn push_part(pieces: &mut Vec<String>, piece: &str) {
    let piece = piece.trim();
    if !piece.is_empty() && pieces.len() < MAX_NAME_PARTS && !pieces.iter().any(|known| known == piece) {
        pieces.push(piece.to_owned());
    }
}
