//! Checks whether a payload may be a text, a pointer, or absent.

use crate::table::{Kind, Payloads, Table};
use elf_base::{Code, Excerpt, codes};
use elf_schema::elf_tagged::Flags;
use elf_schema::{Node, Payload};

/// The maximum number of characters of a payload that a message repeats.
const SHOWN: usize = 40;

/// Returns whether the line alone shows that a payload is valid. Nearly all payloads are valid in
/// this obvious way.
#[inline]
pub(crate) fn is_obviously_valid(node: Node<'_>, flags: Flags, kind: &Kind) -> bool {
    if !flags.is_plain_text() {
        return false;
    }
    if kind.takes_any_text {
        return true;
    }
    let length = if flags.has_payload() { node.payload_span().len() } else { 0 };
    match length {
        0 => kind.payloads.none,
        length => kind.payloads.text && kind.text.accepts_any(length),
    }
}

/// Returns the code of a fault, and a message with what was expected and found.
pub(crate) fn find_payload_fault(payload: &Payload<'_>, kind: &Kind) -> Option<(Code, String)> {
    let Payloads { none, text, pointer } = kind.payloads;
    match payload {
        Payload::Text(found) if !found.is_empty() => {
            if text {
                return None;
            }
            let is_doubled = pointer && looks_like_pointer(found);
            let found = shorten(found);
            let message = match (pointer, is_doubled) {
                (true, true) => {
                    format!("expected a pointer, but found the text `{found}`: doubled at signs mean text")
                }
                (true, false) => format!("expected a pointer, but found `{found}`"),
                (false, _) => format!("expected no payload, but found `{found}`"),
            };
            Some((codes::PAYLOAD_UNEXPECTED, message))
        }
        Payload::None | Payload::Text(_) => {
            let wanted = match (text, pointer) {
                (true, true) => "a text or a pointer",
                (true, false) => "a text",
                _ => "a pointer",
            };
            (!none).then(|| (codes::PAYLOAD_MISSING, format!("expected {wanted}, but found no payload")))
        }
        Payload::Pointer(xref) => {
            let wanted = if text { "a text" } else { "no payload" };
            let message = || format!("expected {wanted}, but found the pointer `@{}@`", shorten(xref));
            (!pointer).then(|| (codes::PAYLOAD_UNEXPECTED, message()))
        }
    }
}

/// Suggests a pointer if a text looks like one and only a pointer is allowed.
#[cold]
pub(crate) fn suggest_pointer(payload: &Payload<'_>, kind: &Kind, table: &Table) -> Option<String> {
    let Payload::Text(found) = payload else { return None };
    let Payloads { text, pointer, .. } = kind.payloads;
    let mut pointers = found.split([' ', ',', ';']).filter(|one| !one.is_empty());
    if !text && pointer && pointers.clone().count() > 1 && pointers.all(looks_like_pointer) {
        return Some("write a line for each pointer".to_owned());
    }
    let name = found.trim().trim_matches('@');
    let is_identifier = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_alphanumeric());
    if text || !pointer || !is_identifier || kind.targets.is_empty() {
        return None;
    }
    let targets: Vec<String> =
        kind.targets.iter().map(|of| format!("`{}`", table.display_name(of))).collect();
    Some(format!("did you mean `@{}@`? It must point to {}", shorten(name), targets.join(" or ")))
}

// A text that starts with an at sign is written with two at signs. A single one was meant as the
// start of a pointer.
fn looks_like_pointer(text: &str) -> bool {
    let label = text.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
    label.is_some_and(|label| !label.is_empty() && !label.starts_with('#') && !label.contains('@'))
}

/// Returns the beginning of a text, without line breaks.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let more = if line.len() < text.len() && line.chars().nth(SHOWN).is_none() { "…" } else { "" };
    format!("{}{more}", Excerpt::start(line, SHOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_in_messages() {
        assert_eq!(shorten("Ada"), "Ada");
        assert_eq!(shorten("Ada\nByron"), "Ada…");
        assert_eq!(shorten(&"é".repeat(50)), "é".repeat(40) + "…");
    }
}
