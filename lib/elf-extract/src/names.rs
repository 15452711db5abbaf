//! Collects the names of a person from all places of the record.

use elf_schema::Node;

/// The tags of variants of a name, and of further names.
const FURTHER_NAMES: [&str; 14] = [
    "FONE",
    "ROMN",
    "TRAN",
    "ALIA",
    "_AKA",
    "_AKAN",
    "_MARNM",
    "_MARN",
    "_MARRNM",
    "_MARNAME",
    "_FORMERNAME",
    "_BIRTHNAME",
    "_FRKA",
    "_OTHN",
];

/// The maximum number of given names, and of surnames, that are combined.
const MAX_NAME_PARTS: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct NamesOfPerson {
    /// The payloads of NAME, the names under it and in other substructures, and each given name or
    /// nickname combined with each surname. Surnames are between slashes.
    pub(crate) whole: Vec<String>,
    /// The given names and nicknames. Each may have several words.
    pub(crate) given: Vec<String>,
    /// The surnames. Each may have several words.
    pub(crate) surnames: Vec<String>,
}

pub(crate) fn collect_names<'d>(record: Node<'d>, is_name: impl Fn(Node<'d>) -> bool) -> NamesOfPerson {
    let mut names = Vec::new();
    let mut pieces = NameParts::default();
    for node in record.substructures().filter(|node| node.pointer().is_none()) {
        let is_further = is_further_name(node);
        if !is_further && !is_name(node) {
            continue;
        }
        pieces.add_name(&node.text(), is_further);
        names.push(node.text().into_owned());
        for below in node.substructures().filter(|below| below.pointer().is_none()) {
            let text = below.text();
            match below.tag() {
                "GIVN" | "NICK" | "_RUFNAME" | "_NICK" => push_part(&mut pieces.given, &text),
                "SURN" => push_part(&mut pieces.surnames, &text),
                _ if is_further_name(below) => {
                    pieces.add_name(&text, true);
                    names.push(text.into_owned());
                }
                _ => {}
            }
        }
    }
    names.extend(pieces.combinations());
    for name in names.iter().filter(|name| !name.contains('/')) {
        pieces.add_unmarked_name(name);
    }
    NamesOfPerson { whole: names, given: pieces.given, surnames: pieces.surnames }
}

fn is_further_name(node: Node<'_>) -> bool {
    FURTHER_NAMES.contains(&node.tag())
}

#[derive(Default)]
struct NameParts {
    given: Vec<String>,
    surnames: Vec<String>,
}

impl NameParts {
    /// Adds the parts of a name. A further name of one word, such as a married name, is a surname.
    fn add_name(&mut self, name: &str, is_further: bool) {
        let mut parts = name.splitn(3, '/');
        match (parts.next(), parts.next()) {
            (Some(given), Some(surname)) => {
                push_part(&mut self.given, given);
                push_part(&mut self.surnames, surname);
            }
            (Some(word), None) if is_further && word.split_whitespace().nth(1).is_none() => {
                push_part(&mut self.surnames, word);
            }
            _ => {}
        }
    }

    /// Adds the parts of a name without slashes. The last word is the surname.
    fn add_unmarked_name(&mut self, name: &str) {
        if let Some((given, surname)) = name.trim().rsplit_once(char::is_whitespace) {
            push_part(&mut self.given, given);
            push_part(&mut self.surnames, surname);
        }
    }

    fn combinations(&self) -> impl Iterator<Item = String> {
        self.surnames
            .iter()
            .flat_map(|surname| self.given.iter().map(move |given| format!("{given} /{surname}/")))
    }
}

/// Adds a part, unless it is already there or the list is full.
fn push_part(pieces: &mut Vec<String>, piece: &str) {
    let piece = piece.trim();
    if !piece.is_empty() && pieces.len() < MAX_NAME_PARTS && !pieces.iter().any(|known| known == piece) {
        pieces.push(piece.to_owned());
    }
}
