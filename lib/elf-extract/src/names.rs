//! The names of a person, wherever its record has them.

use elf_schema::Node;

/// The tags of other spellings of a name, and of names that producers write as structures of their own.
const FURTHER_NAMES: [&str; 7] = ["FONE", "ROMN", "TRAN", "ALIA", "_AKA", "_MARNM", "_MARN"];

/// The most given names, and surnames, that are put together.
const MOST_PIECES: usize = 8;

/// The names of a person: the payloads of NAME, further spellings and names beneath it and beside it, and
/// those that the pieces of a name make: each given name or nickname with each surname. Surnames stand
/// between slashes.
pub(crate) fn names_of<'d>(record: Node<'d>, is_name: impl Fn(Node<'d>) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    let mut pieces = Pieces::default();
    for node in record.substructures().filter(|node| node.pointer().is_none()) {
        let is_further = is_further_name(node);
        if !is_further && !is_name(node) {
            continue;
        }
        pieces.take(&node.text(), is_further);
        names.push(node.text().into_owned());
        for below in node.substructures().filter(|below| below.pointer().is_none()) {
            let text = below.text();
            match below.tag() {
                "GIVN" | "NICK" => push(&mut pieces.given, &text),
                "SURN" => push(&mut pieces.surnames, &text),
                _ if is_further_name(below) => {
                    pieces.take(&text, true);
                    names.push(text.into_owned());
                }
                _ => {}
            }
        }
    }
    names.extend(pieces.names());
    names
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
    /// Takes the pieces of a name. A single word of a further name, as of somebody who married, is a surname.
    fn take(&mut self, name: &str, is_further: bool) {
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

    fn names(&self) -> impl Iterator<Item = String> {
        self.surnames
            .iter()
            .flat_map(|surname| self.given.iter().map(move |given| format!("{given} /{surname}/")))
    }
}

/// Adds a piece that is not there yet, while there are few.
fn push(pieces: &mut Vec<String>, piece: &str) {
    let piece = piece.trim();
    if !piece.is_empty() && pieces.len() < MOST_PIECES && !pieces.iter().any(|known| known == piece) {
        pieces.push(piece.to_owned());
    }
}
