//! Checks the schema in a header (J19 §4.2, §3.1.2, §3.2).

use super::characters::is_whitespace;
use super::model::{PayloadValue, Reading, TaggedStructure};
use super::schema::Definitions;

/// Checks the SCHMA structures of a header, and their definitions together.
pub(super) fn check_schemas(schemas: &[&TaggedStructure], definitions: &Definitions, reading: &mut Reading) {
    for schema in schemas {
        if schema.payload != PayloadValue::Text(String::new()) {
            reading.add_non_conformant(schema.line, "J19 §4.2: SCHMA has no payload");
        }
        for part in &schema.substructures {
            check_part(part, reading);
        }
    }
    let line = schemas.first().map_or(1, |schema| schema.line);
    if definitions.is_of_the_header && definitions.has_escapes_that_differ() {
        reading.add_non_conformant(line, "J19 §4.2.4: escape preservation structures that differ");
    }
    if definitions.is_of_the_header && definitions.has_conflicts() {
        reading.add_non_conformant(line, "J19 §3.1.2: two types for one structure");
    }
    if definitions.is_of_the_header && definitions.prefixes_differ {
        reading.add_non_conformant(line, "J19 §4.2.2: two values of one prefix");
    }
    if definitions.has_reserved {
        reading.add_non_conformant(line, "J19 §3.2: what no tag definition may be");
    }
}

/// Checks one structure under SCHMA.
fn check_part(part: &TaggedStructure, reading: &mut Reading) {
    let tokens = split_payload(part);
    let is_right = match (part.tag.as_str(), tokens.as_slice()) {
        ("SCHMA", [iri]) => is_iri(iri),
        ("PRFX", [prefix, iri]) => !prefix.contains(':') && is_iri(iri),
        ("IRI", [iri]) => is_iri(iri),
        ("ESC", [tag, kinds]) => {
            is_tag(tag) && kinds.chars().all(|kind| matches!(kind, 'A'..='T' | 'V'..='Z'))
        }
        _ => false,
    };
    if !is_right {
        reading.add_non_conformant(part.line, "J19 §4.2: a structure that no schema has");
    }
    for beneath in &part.substructures {
        if part.tag != "IRI" || !is_definition(beneath) || !beneath.substructures.is_empty() {
            reading.add_non_conformant(beneath.line, "J19 §4.2.3: a structure that no definition has");
        }
    }
}

/// Returns whether a structure is a supertype definition or a tag definition (J19 §4.2.3).
fn is_definition(structure: &TaggedStructure) -> bool {
    match (structure.tag.as_str(), split_payload(structure).as_slice()) {
        ("ISA", [iri]) => is_iri(iri),
        ("TAG", [tag, first, others @ ..]) => {
            is_tag(tag) && is_iri(first) && others.iter().all(|iri| is_iri(iri))
        }
        _ => false,
    }
}

/// Splits a payload into whitespace-separated tokens.
fn split_payload(structure: &TaggedStructure) -> Vec<&str> {
    match &structure.payload {
        PayloadValue::Text(text) => text.split(is_whitespace).filter(|token| !token.is_empty()).collect(),
        PayloadValue::Pointer(_) => Vec::new(),
    }
}

/// Returns whether a token starts with a scheme or a prefix, and contains only characters that an IRI may contain (RFC
/// 3987).
pub(super) fn is_iri(token: &str) -> bool {
    let has_scheme = token.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    });
    has_scheme
        && !token
            .contains(|character: char| character.is_ascii_control() || "<>\"{}|\\^`".contains(character))
        && token.split('%').skip(1).all(starts_with_hex_digits)
        && has_authority_if_any(token)
}

/// `pct-encoded = "%" HEXDIG HEXDIG` (RFC 3986 §2.1).
fn starts_with_hex_digits(text: &str) -> bool {
    text.as_bytes().first_chunk::<2>().is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
}

/// `iauthority = [ iuserinfo "@" ] ihost [ ":" port ]`: at most one at sign, and digits in the port (RFC 3987 §2.2).
/// Only the brackets of an address in brackets are checked.
fn has_authority_if_any(iri: &str) -> bool {
    let behind = iri.split_once(':').map_or("", |(_, rest)| rest);
    let Some(rest) = behind.strip_prefix("//") else { return true };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let place = authority.split_once('@').map_or(authority, |(_, place)| place);
    let port = match place.split_once(']') {
        Some((_, port)) => port,
        None => place.split_once(':').map_or("", |(_, port)| port),
    };
    !place.contains('@') && port.strip_prefix(':').unwrap_or(port).chars().all(|digit| digit.is_ascii_digit())
}

/// `Tag ::= [0-9a-zA-Z_]+` (J19 §3.1).
pub(super) fn is_tag(token: &str) -> bool {
    !token.is_empty() && token.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}
