//! Converts the content of structures to a form that can be compared.

use elf_schema::elf_values::DateValue;
use elf_schema::elf_values::elf_base::rules::DateRules;
use elf_tagged::{Node, Payload};
use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// Returns a key for comparing payloads. Spaces are normalised, and pointers never equal text.
pub(crate) fn payload_key(tag: &str, payload: &Payload<'_>, map: impl FnOnce(&str) -> String) -> String {
    match payload {
        Payload::None => String::new(),
        Payload::Pointer(xref) => format!("@{}", map(xref)),
        // Line breaks in a text have a meaning.
        Payload::Text(text) if text.contains('\n') => format!("={}", text.nfc()),
        Payload::Text(text) => {
            // ANSEL is decoded as letters followed by combining marks.
            let text: String = text.nfc().collect();
            let words: Vec<&str> = text.split_whitespace().collect();
            let text = words.join(" ");
            match (&*text, tag) {
                ("", _) => String::new(),
                (_, "DATE") => format!("={}", normalise_date(&text)),
                _ => format!("={text}"),
            }
        }
    }
}

/// Returns a date in one spelling for all dates with the same meaning.
fn normalise_date(text: &str) -> String {
    let meant = DateValue::parse_lenient(text, DateRules::AsFound).map(|value| value.to_string());
    meant.unwrap_or_else(|| text.to_owned()).to_uppercase()
}

/// Returns a key for comparing records. It contains everything except the identifier and the change
/// date.
pub(crate) fn record_key(record: Node<'_>, map: &mut dyn FnMut(&str) -> String) -> String {
    let mut content = String::new();
    let mut waiting = vec![(record, 0_usize)];
    while let Some((node, depth)) = waiting.pop() {
        let payload = payload_key(node.tag(), &node.payload(), &mut *map);
        let _ = writeln!(content, "{depth} {} {}", node.tag(), payload.replace('\n', "\u{1}"));
        let below: Vec<Node<'_>> =
            node.substructures().filter(|below| depth > 0 || below.tag() != "CHAN").collect();
        waiting.extend(below.into_iter().rev().map(|below| (below, depth + 1)));
    }
    content
}
