//! Tests of the IRIs that are terms.

use super::*;

#[test]
fn what_comes_back_as_it_was_is_a_term() {
    for iri in [
        "https://terms.fhiso.org/elf/CENSUS#Family",
        "https://e.example/%2F?a%25b",
        "https://e.example/%2f",
        "https://e.example/%FF",
        "https://e.example/%E2%80%AE",
        "https://e.example/?q=\u{E000}",
    ] {
        assert!(is_iri(iri) && survives_uri(iri), "{iri}");
    }
}

#[test]
fn what_comes_back_otherwise_is_none() {
    for iri in [
        "https://e.example/%C3%A9",
        "https://e.example/%7E",
        "https://e.example/%ff",
        "https://e.example/%e2%80%ae",
        "https://e.example/a\u{200E}b",
        "https://e.example/?q=%EE%80%80",
    ] {
        assert!(!survives_uri(iri), "{iri}");
    }
}

#[test]
fn undefined_identifiers_and_their_tags() {
    assert_eq!(undefined("UNDEF"), UNDEFINED);
    assert_eq!(undefined_tag(UNDEFINED), Some("UNDEF"));
    assert_eq!(undefined_tag("https://terms.fhiso.org/elf/Undefined#A-B"), None);
    assert_eq!(undefined_tag("https://terms.fhiso.org/elf/UndefinedX"), None);
}
