//! E08: writing.

use crate::Class::*;
use crate::code::{Classes, Code, Row};

/// A structure bears a tag a writer may not write (D19 Serialising structures).
pub const TAG_CANNOT_BE_WRITTEN: Code = Code::new(&Row {
    id: "E0801",
    name: "tag-cannot-be-written",
    title: "a structure bears a tag a writer may not write",
    clause: "D19 Serialising structures",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0801.md"),
});

/// A structure bears an identifier a writer may not write (D19 Cross-reference identifiers).
pub const XREF_CANNOT_BE_WRITTEN: Code = Code::new(&Row {
    id: "E0802",
    name: "xref-cannot-be-written",
    title: "a structure bears an identifier a writer may not write",
    clause: "D19 Cross-reference identifiers",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0802.md"),
});

/// A string holds a code point that is no character (D19 Conventions used).
pub const CHARACTER_CANNOT_BE_WRITTEN: Code = Code::new(&Row {
    id: "E0803",
    name: "character-cannot-be-written",
    title: "a string holds a code point that is no character",
    clause: "D19 Conventions used",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0803.md"),
});

/// Serialisation metadata holds what would need an escape (D19 Header metadata).
pub const METADATA_CANNOT_BE_WRITTEN: Code = Code::new(&Row {
    id: "E0804",
    name: "metadata-cannot-be-written",
    title: "serialisation metadata holds what would need an escape",
    clause: "D19 Header metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0804.md"),
});

/// A pointer cannot be written as one (D19 Payloads).
pub const POINTER_CANNOT_BE_WRITTEN: Code = Code::new(&Row {
    id: "E0805",
    name: "pointer-cannot-be-written",
    title: "a pointer cannot be written as one",
    clause: "D19 Payloads",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0805.md"),
});

/// A structure cannot be written in this draft (D19 Serialisation metadata).
pub const STRUCTURE_DROPPED: Code = Code::new(&Row {
    id: "E0806",
    name: "structure-dropped",
    title: "a structure cannot be written in this draft",
    clause: "D19 Serialisation metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0806.md"),
});

/// Whitespace stands where readers trim it (O17 5.3).
pub const WHITESPACE_CANNOT_BE_KEPT: Code = Code::new(&Row {
    id: "E0807",
    name: "whitespace-cannot-be-kept",
    title: "whitespace stands where readers trim it",
    clause: "O17 5.3",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0807.md"),
});

/// A structure that is no record is written with an identifier (D19 Pointer conversion).
pub const XREF_WITHIN_RECORD: Code = Code::new(&Row {
    id: "E0808",
    name: "xref-within-record",
    title: "a structure that is no record is written with an identifier",
    clause: "D19 Pointer conversion",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0808.md"),
});

/// A schema says what the output cannot (J19 Schemas).
pub const SCHEMA_CANNOT_BE_WRITTEN: Code = Code::new(&Row {
    id: "E0809",
    name: "schema-cannot-be-written",
    title: "a schema says what the output cannot",
    clause: "J19 Schemas",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0809.md"),
});

/// A structure loses the type that the file gives it (J19 Tags).
pub const TYPE_CANNOT_BE_KEPT: Code = Code::new(&Row {
    id: "E0810",
    name: "type-cannot-be-kept",
    title: "a structure loses the type that the file gives it",
    clause: "J19 Tags",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0810.md"),
});

/// A line that could not be read is written as a structure tagged ERROR (J19 §6.1).
pub const FAULTY_LINE_WRITTEN: Code = Code::new(&Row {
    id: "E0812",
    name: "faulty-line-written",
    title: "a line that could not be read is written as a structure tagged ERROR",
    clause: "J19 §6.1",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0812.md"),
});

pub(super) const ALL: &[Code] = &[
    TAG_CANNOT_BE_WRITTEN,
    XREF_CANNOT_BE_WRITTEN,
    CHARACTER_CANNOT_BE_WRITTEN,
    METADATA_CANNOT_BE_WRITTEN,
    POINTER_CANNOT_BE_WRITTEN,
    STRUCTURE_DROPPED,
    WHITESPACE_CANNOT_BE_KEPT,
    XREF_WITHIN_RECORD,
    SCHEMA_CANNOT_BE_WRITTEN,
    TYPE_CANNOT_BE_KEPT,
    FAULTY_LINE_WRITTEN,
];
