//! Generates files from a seed: mostly conformant ones that use rare features, and damaged ones. [`make_file`] generates
//! lines, [`Random`] chooses, [`damage_lines`] damages them, and [`encode_text`] makes bytes.

mod header;
mod living;
mod mutate;
mod payload;
mod random;
mod records;
pub mod vendor_files;

pub use living::{Mention, living_family};
pub use mutate::{damage_lines, damage_octets};
pub use random::Random;

use elf_base::{Draft, Rules};

/// The kind of file to generate.
#[derive(Clone, Copy, Debug)]
pub struct Sort {
    /// The draft of the header and the schema.
    pub draft: Draft,
    /// The chance in percent that the header contains definitions.
    pub own_types: usize,
    /// The chance in percent that a choice violates the draft.
    pub faults: usize,
}

/// The draft of the header for a file that `rules` will read. The header of GEDCOM is similar to that of December.
pub fn draft_of(rules: &Rules) -> Draft {
    rules.format.draft().unwrap_or(Draft::December2019)
}

/// Generates the lines of a file, without line breaks.
pub fn make_file(random: &mut Random, sort: Sort) -> Vec<String> {
    let mut lines = Vec::new();
    let own = header::push_header(random, sort, &mut lines);
    let mut names = payload::IdentifierSource::new(random, sort);
    for _ in 0..random.below(7) {
        records::push_record(random, sort, own, &mut names, &mut lines);
    }
    if !random.chance(sort.faults / 2) {
        lines.push("0 TRLR".to_owned());
    }
    lines
}

/// Joins lines with one kind of line break, or several as a fault.
pub fn join_lines(random: &mut Random, sort: Sort, lines: &[String]) -> String {
    const BREAKS: [&str; 3] = ["\n", "\r\n", "\r"];
    let usual = random.pick_word(&BREAKS);
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push_str(if random.chance(sort.faults / 8) { random.pick_word(&BREAKS) } else { usual });
    }
    if random.chance(5) {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

/// Encodes a text in the encoding that its header names. In ANSEL, each non-ASCII character becomes some valid byte,
/// before a letter if it is a combining mark.
pub fn encode_text(random: &mut Random, text: &str) -> Vec<u8> {
    if text.contains("1 CHAR UNICODE") {
        let is_little = random.chance(50);
        let units = text.encode_utf16();
        let marked = random.chance(60).then_some(0xFEFF);
        let octets = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        return marked.into_iter().chain(units).flat_map(octets).collect();
    }
    if text.contains("1 CHAR ANSEL") {
        return encode_ansel(random, text);
    }
    if text.contains("1 CHAR ASCII") {
        return text
            .chars()
            .map(|character| u8::try_from(character).ok().filter(u8::is_ascii).unwrap_or(b'?'))
            .collect();
    }
    let mark: &[u8] = if random.chance(15) { &[0xEF, 0xBB, 0xBF] } else { &[] };
    [mark, text.as_bytes()].concat()
}

/// Encodes ASCII unchanged, and everything else as bytes of ANSEL.
fn encode_ansel(random: &mut Random, text: &str) -> Vec<u8> {
    let letters: Vec<u8> = (0xA1..=0xAE).chain(0xB0..=0xBA).chain(0xBC..=0xC8).chain(0xCD..=0xCF).collect();
    let marks: Vec<u8> = (0xE0..=0xFC).chain([0xFE]).collect();
    let mut octets = Vec::new();
    for character in text.chars() {
        match u8::try_from(character).ok().filter(u8::is_ascii) {
            Some(octet) => octets.push(octet),
            None if random.chance(50) => octets.extend(random.pick(&letters)),
            None => {
                for _ in 0..=random.below(3) {
                    octets.extend(random.pick(&marks));
                }
                octets.push(b'e');
            }
        }
    }
    octets
}
