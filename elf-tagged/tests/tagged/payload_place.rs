//! Places of octets of payloads in the text that they were read from.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_tagged::{Options, Rules, Span, read};
use std::borrow::Cow;

/// Each character of the payload has a place, and the places rise; what is verbatim is found as it is.
fn check(line: &str, rules: &Rules) {
    let octets =
        format!("0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n{line}\n0 TRLR\n");
    let document = read(octets.as_bytes(), rules, &Options::default(), &mut ()).expect("small");
    let note = document.records().next().expect("a record");
    let (payload, text) = (note.text(), document.source().text());
    let mut before = 0;
    for (at, character) in payload.char_indices() {
        let span = |start: usize, end: usize| {
            Span::new(u32::try_from(start).expect("small"), u32::try_from(end).expect("small"))
        };
        let place = note.payload_place(span(at, at + character.len_utf8()));
        let found = text.get(place.range()).unwrap_or_else(|| panic!("{line:?} {character:?} {place:?}"));
        assert!(place.start >= before, "{line:?} {character:?} {place:?}");
        before = place.start;
        let is_found = found.contains(character) || found.starts_with("@#U") || character == '\n';
        assert!(is_found, "{} {line:?} {character:?} {found:?}", rules.name);
        // Up to the end of its line everything is one span.
        let rest = note.payload_place(span(at, payload.len()));
        assert!(rest.start == place.start && rest.end >= place.end, "{line:?} {rest:?} {place:?}");
    }
    let end = u32::try_from(payload.len()).expect("small");
    let behind = note.payload_place(Span::new(end, end));
    assert!(behind.start == behind.end && behind.end as usize <= text.len());
}

#[test]
fn every_character_of_a_payload_has_its_place() {
    for line in [
        "0 NOTE plain",
        "0 NOTE",
        "0 NOTE a@@b@@c",
        "0 NOTE @@",
        "0 NOTE ABT @#DJULIAN@ 30 JAN 1648/49 @@x",
        "0 NOTE one @@\n1 CONC two\n1 CONT\n1 CONT @@three",
        "0 NOTE x@#U20AC@ y\n1 CONC @#UE9@ z",
        "0 NOTE é@@ü\n1 CONC ß",
        "0 NOTE a@\n1 CONC @b",
        "0 NOTE a@#DJULI\n1 CONC AN@ b",
        "0 NOTE bare @ sign\n1 CONT \n1 CONC  x ",
    ] {
        for rules in [
            &Rules::WILD,
            &Rules::DECEMBER_2019,
            &Rules::JANUARY_2019,
            &Rules::DECLARATIVE,
            &Rules::OCTOBER_2017,
            &Rules::JULY_2017,
        ] {
            check(line, rules);
        }
    }
}

#[test]
fn nothing_is_allocated_for_an_escape_that_stays() {
    let octets = b"0 HEAD\n0 NOTE @#DJULIAN@ 30 JAN 1648/49\n0 NOTE ada@example.org\n0 TRLR\n";
    let document = read(octets, &Rules::WILD, &Options::default(), &mut ()).expect("small");
    for record in document.records() {
        assert!(matches!(record.text(), Cow::Borrowed(_)), "{:?}", record.text());
    }
}
