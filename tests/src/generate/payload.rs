//! Generates payloads and identifiers.

use super::{Random, Sort};
use elf_base::Draft;

/// The identifiers of a file, and how many have been used.
pub(super) struct IdentifierSource {
    known: Vec<String>,
    given: usize,
}

impl IdentifierSource {
    /// Chooses the identifiers of a file.
    pub(super) fn new(random: &mut Random, sort: Sort) -> IdentifierSource {
        let mut known: Vec<String> = (1..=5).map(|number| format!("I{number}")).collect();
        if random.chance(30) {
            let rare: &[&str] = match sort.draft {
                Draft::December2019 => {
                    &["é", "a-b", "漢", "_x", "?$&", "e\u{301}", "12345678901234567890123"]
                }
                _ => &["A B", "a-b", "I(1)", "x!y", "9/", "A:B", "12345678901234567890123"],
            };
            known.push(random.pick_word(rare).to_owned());
        }
        IdentifierSource { known, given: 0 }
    }

    /// Returns the next identifier for a record. As a fault, a repeated or invalid one.
    pub(super) fn next_identifier(&mut self, random: &mut Random, sort: Sort) -> Option<String> {
        if random.chance(sort.faults / 8) {
            return Some(random.pick_word(&["I1", "I 1", "I:1", "é(", "", "I@1"]).to_owned());
        }
        let name = self.known.get(self.given).cloned();
        self.given += 1;
        name
    }

    /// Returns an identifier to point to, mostly of a record.
    pub(super) fn any_identifier(&self, random: &mut Random) -> String {
        let one_more = usize::from(random.chance(10));
        let at = random.below(self.known.len() + one_more);
        self.known.get(at).cloned().unwrap_or_else(|| {
            // GEDC, VERS and FORM may have the last three.
            random.pick_word(&["I9", "N:1", "a b", "I!1", "é(", "G", "V", "F"]).to_owned()
        })
    }
}

/// Pieces of text without at signs.
const PLAIN: [&str; 18] = [
    "Anna",
    " ",
    " and ",
    "x",
    "  ",
    "\t",
    "é",
    "e\u{301}",
    "漢字",
    "\u{1F600}",
    "\u{2028}",
    "\u{85}",
    "\u{FEFF}",
    "1881",
    "#",
    "Ł",
    "a\u{323}\u{301}",
    "/",
];

/// Valid escapes and at signs.
const ESCAPED: [&str; 8] = [
    "@@",
    "name@@example.com",
    "@#DJULIAN@ 1540",
    "@#U41@",
    "@#U E9 1F600 @",
    "@#U@",
    "@@#DX@@ ",
    "@#DFRENCH R@",
];

/// Escapes of January, with the space that belongs to them.
const ESCAPED_JANUARY: [&str; 5] = ["@#UE9@ ", "@#DJULIAN@ 1540", "@#U1F600@ ", "@#LABC@ ", "@#Dx@@#Dy@ "];

/// Invalid at signs and escapes.
const AT_SIGNS: [&str; 10] =
    ["@", "@#", "@#x@", "@#LAB@", "@#U110000@", "@#Ug@ ", "@#U0@", "a@b", "@#DJ", "@@@"];

/// Generates a string payload.
pub(super) fn make_text(random: &mut Random, sort: Sort) -> String {
    let mut text = String::new();
    for _ in 0..random.below(5) {
        let piece = match random.below(10) {
            0 if random.chance(sort.faults * 2) => random.pick_word(&AT_SIGNS),
            1 | 2 if sort.draft == Draft::December2019 => random.pick_word(&ESCAPED),
            1 | 2 if random.chance(70) => random.pick_word(&ESCAPED_JANUARY),
            1 | 2 => random.pick_word(&ESCAPED),
            _ => random.pick_word(&PLAIN),
        };
        text.push_str(piece);
    }
    text
}

/// Generates a payload with the space before it: nothing, a string or a pointer.
pub(super) fn make_payload(random: &mut Random, sort: Sort, names: &IdentifierSource) -> String {
    match random.below(10) {
        0 => String::new(),
        1..=3 => {
            let blank = if random.chance(sort.faults / 3) { " " } else { "" };
            format!(" {blank}@{}@", names.any_identifier(random))
        }
        _ => format!("{}{}", if random.chance(3) { "\t" } else { " " }, make_text(random, sort)),
    }
}
