//! A payload held against the sorts of payload that its kind may have.

use crate::table::{Kind, Naming, Payloads};
use elf_base::{Code, codes};
use elf_schema::elf_tagged::Flags;
use elf_schema::{Node, Payload};
use std::borrow::Cow;

/// The longest part of a payload that a message repeats, in characters.
const SHOWN: usize = 40;

/// Tells whether the payload of a structure is good, as far as its line alone shows that: nearly all are.
#[inline]
pub(crate) fn is_plainly_good((node, flags): (Node<'_>, Flags), kind: &Kind) -> bool {
    if flags.is_pointer() || flags.is_continued() || flags.has_at_sign() || flags.has_made_payload() {
        return false;
    }
    if kind.takes_any_text {
        return true;
    }
    let length = if flags.has_payload() { node.payload_span().len() } else { 0 };
    match length {
        0 => kind.payloads.none,
        length => kind.payloads.text && kind.text.takes_any(length),
    }
}

/// Returns what is wrong with a payload: the code, and what was expected and found.
pub(crate) fn fault(payload: &Payload<'_>, kind: &Kind) -> Option<(Code, String)> {
    let Payloads { none, text, pointer } = kind.payloads;
    match payload {
        Payload::Text(found) if !found.is_empty() => {
            if text {
                return None;
            }
            let wanted = if pointer { "a pointer" } else { "no payload" };
            Some((codes::PAYLOAD_UNEXPECTED, format!("expected {wanted}, but found `{}`", shown(found))))
        }
        Payload::None | Payload::Text(_) => {
            let wanted = match (text, pointer) {
                (true, true) => "a text or a pointer",
                (true, false) => "a text",
                _ => "a pointer",
            };
            (!none).then(|| (codes::PAYLOAD_MISSING, format!("expected {wanted}, but found no payload")))
        }
        Payload::Pointer(_) if pointer => None,
        Payload::Pointer(xref) => {
            let wanted = if text { "a text" } else { "no payload" };
            let message = format!("expected {wanted}, but found the pointer `@{}@`", shown(xref));
            Some((codes::PAYLOAD_UNEXPECTED, message))
        }
    }
}

/// The name of a kind as messages have it: a tag, or a type with its prefix.
pub(crate) fn name(name: &str, naming: Naming) -> Cow<'_, str> {
    match (naming, name.strip_prefix("https://terms.fhiso.org/elf/")) {
        (Naming::Type, Some(local)) => format!("elf:{local}").into(),
        _ => name.into(),
    }
}

/// The beginning of a text, in one line.
pub(crate) fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_in_messages() {
        assert_eq!(shown("Ada"), "Ada");
        assert_eq!(shown("Ada\nByron"), "Ada…");
        assert_eq!(shown(&"é".repeat(50)), "é".repeat(40) + "…");
    }

    #[test]
    fn types_have_their_prefix_and_tags_are_as_they_are() {
        assert_eq!(name("https://terms.fhiso.org/elf/BIRTH", Naming::Type), "elf:BIRTH");
        assert_eq!(name("BIRT", Naming::Tag), "BIRT");
    }
}
