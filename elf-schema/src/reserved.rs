//! Types and tags that no schema may define.

use crate::ids::TypeId;
use crate::term;

/// Returns whether a type needs no IRI structure and can have no tag (J19 §3.2).
pub(crate) fn is_reserved_type(iri: &str, of: TypeId) -> bool {
    of <= TypeId::UNDEFINED || term::undefined_tag(iri).is_some()
}

/// Returns the type in which a tag is reserved for the serialisation (J19 §3.2).
pub(crate) fn reserved_in(tag: &str, superstructure: TypeId) -> Option<&'static str> {
    match tag {
        "HEAD" | "TRLR" if superstructure == TypeId::DOCUMENT => Some("elf:Document"),
        "CHAR" | "SCHMA" if superstructure == TypeId::METADATA => Some("elf:Metadata"),
        _ => None,
    }
}

/// Returns whether the serialisation reserves a tag in every type (J19 §3.1.2).
pub(crate) fn is_reserved_everywhere(tag: &str) -> bool {
    matches!(tag, "CONT" | "CONC" | "ERROR" | "UNDEF")
}
