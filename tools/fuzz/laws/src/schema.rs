//! The law of types.

use crate::Input;
use elf_base::{Diagnostic, Span};
use elf_schema::{Node, ReadOptions, read};

/// Every structure, by any rules, has a type whose IRI can be asked for, and whatever schema
/// the file brings, typing ends. Values are what their payloads say, and what is found at fault with them has
/// a place in the file; so has every character of a payload.
///
/// # Panics
///
/// If the law does not hold.
pub fn schema(input: &Input<'_>) {
    let (rules, octets) = (input.rules, input.octets);
    let options = ReadOptions::default().with_check_values(true);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed = read(octets, rules, &options, &mut findings).expect("no fuzzed input has 4 GiB");
    for place in findings.iter().filter(|found| found.code.id().starts_with("E06")).map(|found| found.place) {
        assert!(
            place.is_some_and(|place| place.octet <= octets.len() as u64),
            "by {}: {place:?}",
            rules.name
        );
    }
    let document = typed.document();
    // In 2017 the header is a structure too.
    let head = document.head().and_then(|head| typed.typing().get(head.id()));
    let mut count = u64::from(head.is_some());
    for node in document.structures() {
        let typed = typed.type_of(node).is_some_and(|iri| !iri.is_empty());
        assert!(typed, "by {}: {} has no type", rules.name, node.tag());
        places(node);
        count += 1;
    }
    assert_eq!(typed.typing().counts().map(|(_, count)| count).sum::<u64>(), count);
}

/// The places of the characters of a payload lie in the text, one after the other.
fn places(node: Node<'_>) {
    /// Each place is worked out anew, so not of all that are long.
    const LONGEST: usize = 100;
    let (payload, text) = (node.text(), node.document().source().text());
    if payload.len() > LONGEST || node.is_error() {
        return;
    }
    let mut before = 0;
    for (at, character) in payload.char_indices() {
        let span = Span::new(at as u32, (at + character.len_utf8()) as u32);
        let place = node.payload_place(span);
        assert!(text.get(place.range()).is_some(), "{payload:?} {at} {place:?}");
        assert!(place.start >= before || place == Span::default(), "{payload:?} {at} {place:?}");
        before = before.max(place.start);
    }
}
