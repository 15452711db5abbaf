//! E04: schemas.

use crate::Class::*;
use crate::code::{Classes, Code, Row};

/// A schema holds what is no definition (J19 ELF Schema).
pub const SCHEMA_MALFORMED: Code = Code::new(&Row {
    id: "E0401",
    name: "schema-malformed",
    title: "a schema holds what is no definition",
    clause: "J19 ELF Schema",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0401.md"),
});

/// A prefix definition is not a prefix and an IRI (J19 Prefix abbreviation structure).
pub const PREFIX_MALFORMED: Code = Code::new(&Row {
    id: "E0402",
    name: "prefix-malformed",
    title: "a prefix definition is not a prefix and an IRI",
    clause: "J19 Prefix abbreviation structure",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0402.md"),
});

/// A prefix is defined twice, differently (J19 Prefix abbreviation structure).
pub const PREFIX_CONFLICT: Code = Code::new(&Row {
    id: "E0403",
    name: "prefix-conflict",
    title: "a prefix is defined twice, differently",
    clause: "J19 Prefix abbreviation structure",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0403.md"),
});

/// An IRI is not one (J19 IRI definition structure).
pub const IRI_MALFORMED: Code = Code::new(&Row {
    id: "E0404",
    name: "iri-malformed",
    title: "an IRI is not one",
    clause: "J19 IRI definition structure",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0404.md"),
});

/// An IRI changes on its way to a URI and back (J19 IRI definition structure).
pub const IRI_NOT_A_TERM: Code = Code::new(&Row {
    id: "E0405",
    name: "iri-not-a-term",
    title: "an IRI changes on its way to a URI and back",
    clause: "J19 IRI definition structure",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0405.md"),
});

/// A tag definition is not a tag and types (J19 IRI definition structure).
pub const TAG_DEFINITION_MALFORMED: Code = Code::new(&Row {
    id: "E0406",
    name: "tag-definition-malformed",
    title: "a tag definition is not a tag and types",
    clause: "J19 IRI definition structure",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0406.md"),
});

/// A tag has two types in one context (J19 Tag definitions).
pub const TAG_CONFLICT: Code = Code::new(&Row {
    id: "E0407",
    name: "tag-conflict",
    title: "a tag has two types in one context",
    clause: "J19 Tag definitions",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0407.md"),
});

/// A type is its own supertype (J19 Supertypes).
pub const SUPERTYPE_CYCLE: Code = Code::new(&Row {
    id: "E0408",
    name: "supertype-cycle",
    title: "a type is its own supertype",
    clause: "J19 Supertypes",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0408.md"),
});

/// An escape preservation is not a tag and types (J19 Escape-preserving tags).
pub const ESCAPE_DEFINITION_MALFORMED: Code = Code::new(&Row {
    id: "E0409",
    name: "escape-definition-malformed",
    title: "an escape preservation is not a tag and types",
    clause: "J19 Escape-preserving tags",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0409.md"),
});

/// A tag preserves different escapes in two definitions (J19 Escape-preserving tags).
pub const ESCAPE_DEFINITION_CONFLICT: Code = Code::new(&Row {
    id: "E0410",
    name: "escape-definition-conflict",
    title: "a tag preserves different escapes in two definitions",
    clause: "J19 Escape-preserving tags",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0410.md"),
});

/// A definition takes a tag that is reserved (J19 Tags).
pub const TAG_RESERVED: Code = Code::new(&Row {
    id: "E0411",
    name: "tag-reserved",
    title: "a definition takes a tag that is reserved",
    clause: "J19 Tags",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0411.md"),
});

/// A definition speaks of a type that nothing defines (J19 Supertypes).
pub const TYPE_UNKNOWN: Code = Code::new(&Row {
    id: "E0412",
    name: "type-unknown",
    title: "a definition speaks of a type that nothing defines",
    clause: "J19 Supertypes",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0412.md"),
});

/// A definition is repeated (J19 ELF Schema).
pub const DEFINITION_REPEATED: Code = Code::new(&Row {
    id: "E0413",
    name: "definition-repeated",
    title: "a definition is repeated",
    clause: "J19 ELF Schema",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0413.md"),
});

/// An external schema is not at hand (J19 External schema structure).
pub const SCHEMA_EXTERNAL: Code = Code::new(&Row {
    id: "E0414",
    name: "schema-external",
    title: "an external schema is not at hand",
    clause: "J19 External schema structure",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0414.md"),
});

/// A tag has no type where it stands (J19 Tags, Parsing).
pub const TAG_UNDEFINED: Code = Code::new(&Row {
    id: "E0415",
    name: "tag-undefined",
    title: "a tag has no type where it stands",
    clause: "J19 Tags, Parsing",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0415.md"),
});

/// An external schema names further external schemas (J19 External schema structure).
pub const SCHEMA_NESTED: Code = Code::new(&Row {
    id: "E0416",
    name: "schema-nested",
    title: "an external schema names further external schemas",
    clause: "J19 External schema structure",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0416.md"),
});

/// A defined tag is none of the standard and lacks an underscore (J19 Tags).
pub const TAG_BARE: Code = Code::new(&Row {
    id: "E0417",
    name: "tag-bare",
    title: "a defined tag is none of the standard and lacks an underscore",
    clause: "J19 Tags",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0417.md"),
});

/// A mapping is not a tag and IRIs (O17 IRI dictionary format).
pub const MAPPING_MALFORMED: Code = Code::new(&Row {
    id: "E0418",
    name: "mapping-malformed",
    title: "a mapping is not a tag and IRIs",
    clause: "O17 IRI dictionary format",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0418.md"),
});

/// A tag is mapped twice, differently (O17 IRI dictionary format).
pub const MAPPING_CONFLICT: Code = Code::new(&Row {
    id: "E0419",
    name: "mapping-conflict",
    title: "a tag is mapped twice, differently",
    clause: "O17 IRI dictionary format",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0419.md"),
});

/// A schema has more supertypes than are followed (J19 Supertypes).
pub const SCHEMA_TOO_LARGE: Code = Code::new(&Row {
    id: "E0420",
    name: "schema-too-large",
    title: "a schema has more supertypes than are followed",
    clause: "J19 Supertypes",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0420.md"),
});

/// An external schema has faults as a file (J19 External schema structure).
pub const SCHEMA_FAULTY: Code = Code::new(&Row {
    id: "E0421",
    name: "schema-faulty",
    title: "an external schema has faults as a file",
    clause: "J19 External schema structure",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0421.md"),
});

/// An undefined structure stands where its tag is defined (J19 Tags).
pub const TAG_CLAIMED: Code = Code::new(&Row {
    id: "E0422",
    name: "tag-claimed",
    title: "an undefined structure stands where its tag is defined",
    clause: "J19 Tags",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0422.md"),
});

/// A type stands for no structure that could be written (J19 Tags).
pub const TYPE_CANNOT_BE_WRITTEN: Code = Code::new(&Row {
    id: "E0423",
    name: "type-cannot-be-written",
    title: "a type stands for no structure that could be written",
    clause: "J19 Tags",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0423.md"),
});

pub(super) const ALL: &[Code] = &[
    SCHEMA_MALFORMED,
    PREFIX_MALFORMED,
    PREFIX_CONFLICT,
    IRI_MALFORMED,
    IRI_NOT_A_TERM,
    TAG_DEFINITION_MALFORMED,
    TAG_CONFLICT,
    SUPERTYPE_CYCLE,
    ESCAPE_DEFINITION_MALFORMED,
    ESCAPE_DEFINITION_CONFLICT,
    TAG_RESERVED,
    TYPE_UNKNOWN,
    DEFINITION_REPEATED,
    SCHEMA_EXTERNAL,
    TAG_UNDEFINED,
    SCHEMA_NESTED,
    TAG_BARE,
    MAPPING_MALFORMED,
    MAPPING_CONFLICT,
    SCHEMA_TOO_LARGE,
    SCHEMA_FAULTY,
    TAG_CLAIMED,
    TYPE_CANNOT_BE_WRITTEN,
];
