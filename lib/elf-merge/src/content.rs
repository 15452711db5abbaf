//! What a structure says, in a form that can be compared.

use elf_schema::elf_values::DateValue;
use elf_schema::elf_values::elf_base::rules::DateRules;
use elf_tagged::{Node, Payload};
use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// The payload of a structure as it is compared: without needless spaces, pointers apart from text.
pub(crate) fn key_of_payload(tag: &str, payload: &Payload<'_>, map: impl FnOnce(&str) -> String) -> String {
    match payload {
        Payload::None => String::new(),
        Payload::Pointer(xref) => format!("@{}", map(xref)),
        // Line breaks of a text have a meaning.
        Payload::Text(text) if text.contains('\n') => format!("={}", text.nfc()),
        Payload::Text(text) => {
            // ANSEL is read as letters and their marks.
            let text: String = text.nfc().collect();
            let words: Vec<&str> = text.split_whitespace().collect();
            let text = words.join(" ");
            match (&*text, tag) {
                ("", _) => String::new(),
                (_, "DATE") => format!("={}", date_as_meant(&text)),
                _ => format!("={text}"),
            }
        }
    }
}

/// What a date means, in one spelling.
fn date_as_meant(text: &str) -> String {
    let meant = DateValue::parse_lenient(text, DateRules::AsFound).map(|value| value.to_string());
    meant.unwrap_or_else(|| text.to_owned()).to_uppercase()
}

/// All that a record says, apart from its identifier and the date of its last change.
pub(crate) fn content_of(record: Node<'_>, map: &mut dyn FnMut(&str) -> String) -> String {
    let mut content = String::new();
    let mut waiting = vec![(record, 0_usize)];
    while let Some((node, depth)) = waiting.pop() {
        let payload = key_of_payload(node.tag(), &node.payload(), &mut *map);
        let _ = writeln!(content, "{depth} {} {}", node.tag(), payload.replace('\n', "\u{1}"));
        let below: Vec<Node<'_>> =
            node.substructures().filter(|below| depth > 0 || below.tag() != "CHAN").collect();
        waiting.extend(below.into_iter().rev().map(|below| (below, depth + 1)));
    }
    content
}
