//! The names of a person, wherever they are in the record.

use elf_schema::Node;

/// The tags of other spellings of a name, and of further names.
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

/// The number of given names, and of surnames, that are combined.
const MOST_PIECES: usize = 8;

/// The names of a person.
#[derive(Debug, Default)]
pub(crate) struct NamesOfPerson {
    /// The payloads of NAME, the further names under it and in other substructures, and each given name or nickname
    /// with each surname. Surnames are between slashes.
    pub(crate) whole: Vec<String>,
    /// The given names and nicknames, each of one or several words.
    pub(crate) given: Vec<String>,
    /// The surnames, each of one or several words.
    pub(crate) surnames: Vec<String>,
}

/// Finds the names of a person.
pub(crate) fn names_of<'d>(record: Node<'d>, is_name: impl Fn(Node<'d>) -> bool) -> NamesOfPerson {
    let mut names = Vec::new();
    let mut pieces = Pieces::default();
    for node in record.substructures().filter(|node| node.pointer().is_none()) {
        let is_further = is_further_name(node);
        if !is_further && !is_name(node) {
            continue;
        }
        pieces.add(&node.text(), is_further);
        names.push(node.text().into_owned());
        for below in node.substructures().filter(|below| below.pointer().is_none()) {
            let text = below.text();
            match below.tag() {
                "GIVN" | "NICK" | "_RUFNAME" | "_NICK" => push(&mut pieces.given, &text),
                "SURN" => push(&mut pieces.surnames, &text),
                _ if is_further_name(below) => {
                    pieces.add(&text, true);
                    names.push(text.into_owned());
                }
                _ => {}
            }
        }
    }
    names.extend(pieces.names());
    for name in names.iter().filter(|name| !name.contains('/')) {
        pieces.split(name);
    }
    NamesOfPerson { whole: names, given: pieces.given, surnames: pieces.surnames }
}

fn is_further_name(node: Node<'_>) -> bool {
    FURTHER_NAMES.contains(&node.tag())
}

/// Given names and surnames.
#[derive(Default)]
struct Pieces {
    given: Vec<String>,
    surnames: Vec<String>,
}

impl Pieces {
    /// Adds the pieces of a name. A further name of one word, such as a married name, is a surname.
    fn add(&mut self, name: &str, is_further: bool) {
        let mut parts = name.splitn(3, '/');
        match (parts.next(), parts.next()) {
            (Some(given), Some(surname)) => {
                push(&mut self.given, given);
                push(&mut self.surnames, surname);
            }
            (Some(word), None) if is_further && word.split_whitespace().nth(1).is_none() => {
                push(&mut self.surnames, word);
            }
            _ => {}
        }
    }

    /// Adds the pieces of a name without slashes: the last word is the surname.
    fn split(&mut self, name: &str) {
        if let Some((given, surname)) = name.trim().rsplit_once(char::is_whitespace) {
            push(&mut self.given, given);
            push(&mut self.surnames, surname);
        }
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.surnames
            .iter()
            .flat_map(|surname| self.given.iter().map(move |given| format!("{given} /{surname}/")))
    }
}

/// Adds a piece unless it is known or there are many.
fn push(pieces: &mut Vec<String>, piece: &str) {
    let piece = piece.trim();
    if !piece.is_empty() && pieces.len() < MOST_PIECES && !pieces.iter().any(|known| known == piece) {
        pieces.push(piece.to_owned());
    }
}
