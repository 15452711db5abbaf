//! E03: tagged structures.

use crate::Class::*;
use crate::code::{Classes, Code, Row};

/// CONT or CONC continues nothing (D19 Merging continuation lines).
pub const CONTINUATION_MISPLACED: Code = Code::new(&Row {
    id: "E0301",
    name: "continuation-misplaced",
    title: "CONT or CONC continues nothing",
    clause: "D19 Merging continuation lines",
    classes: Classes::each(NonConformant, NonConformant, NonConformant, Advice, Malformed),
    page: include_str!("../../pages/E0301.md"),
});

/// CONT or CONC has substructures (D19 Merging continuation lines).
pub const CONTINUATION_WITH_SUBSTRUCTURES: Code = Code::new(&Row {
    id: "E0302",
    name: "continuation-with-substructures",
    title: "CONT or CONC has substructures",
    clause: "D19 Merging continuation lines",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0302.md"),
});

/// CONT or CONC has a cross-reference identifier (D19 Merging continuation lines).
pub const CONTINUATION_WITH_XREF: Code = Code::new(&Row {
    id: "E0303",
    name: "continuation-with-xref",
    title: "CONT or CONC has a cross-reference identifier",
    clause: "D19 Merging continuation lines",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0303.md"),
});

/// CONT or CONC has a pointer for payload (D19 Merging continuation lines).
pub const CONTINUATION_POINTER: Code = Code::new(&Row {
    id: "E0304",
    name: "continuation-pointer",
    title: "CONT or CONC has a pointer for payload",
    clause: "D19 Merging continuation lines",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0304.md"),
});

/// CONT or CONC stands at the level of what it continues (D19 Line continuation).
pub const CONTINUATION_AT_PARENT_LEVEL: Code = Code::new(&Row {
    id: "E0305",
    name: "continuation-at-parent-level",
    title: "CONT or CONC stands at the level of what it continues",
    clause: "D19 Line continuation",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0305.md"),
});

/// A payload holds a line break that CONT should carry (D19 Line continuation).
pub const LINE_BREAK_RAW: Code = Code::new(&Row {
    id: "E0306",
    name: "line-break-raw",
    title: "a payload holds a line break that CONT should carry",
    clause: "D19 Line continuation",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0306.md"),
});

/// The last record is not the trailer (D19 Parsing lines into structures).
pub const TRAILER_MISSING: Code = Code::new(&Row {
    id: "E0307",
    name: "trailer-missing",
    title: "the last record is not the trailer",
    clause: "D19 Parsing lines into structures",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0307.md"),
});

/// TRLR stands before the end (D19 Second pass: processing).
pub const TRAILER_MISPLACED: Code = Code::new(&Row {
    id: "E0308",
    name: "trailer-misplaced",
    title: "TRLR stands before the end",
    clause: "D19 Second pass: processing",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0308.md"),
});

/// The trailer has an identifier, a payload or substructures (D19 Parsing lines into structures).
pub const TRAILER_NOT_BARE: Code = Code::new(&Row {
    id: "E0309",
    name: "trailer-not-bare",
    title: "the trailer has an identifier, a payload or substructures",
    clause: "D19 Parsing lines into structures",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0309.md"),
});

/// HEAD stands elsewhere than first (D19 Second pass: processing).
pub const HEADER_MISPLACED: Code = Code::new(&Row {
    id: "E0310",
    name: "header-misplaced",
    title: "HEAD stands elsewhere than first",
    clause: "D19 Second pass: processing",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0310.md"),
});

/// The header has an identifier or a payload (D19 Header metadata).
pub const HEADER_NOT_BARE: Code = Code::new(&Row {
    id: "E0311",
    name: "header-not-bare",
    title: "the header has an identifier or a payload",
    clause: "D19 Header metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0311.md"),
});

/// The header is not spelled HEAD (D19 Header metadata).
pub const HEADER_SPELLING: Code = Code::new(&Row {
    id: "E0312",
    name: "header-spelling",
    title: "the header is not spelled HEAD",
    clause: "D19 Header metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0312.md"),
});

/// Serialisation metadata bears a cross-reference identifier (D19 Parsing serialisation metadata).
pub const METADATA_XREF: Code = Code::new(&Row {
    id: "E0313",
    name: "metadata-xref",
    title: "serialisation metadata bears a cross-reference identifier",
    clause: "D19 Parsing serialisation metadata",
    classes: Classes::each(Advice, Advice, NonConformant, NonConformant, NonConformant),
    page: include_str!("../../pages/E0313.md"),
});

/// Serialisation metadata holds HEAD, TRLR, CONC or CONT (D19 Parsing serialisation metadata).
pub const METADATA_RESERVED_TAG: Code = Code::new(&Row {
    id: "E0314",
    name: "metadata-reserved-tag",
    title: "serialisation metadata holds HEAD, TRLR, CONC or CONT",
    clause: "D19 Parsing serialisation metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0314.md"),
});

/// Serialisation metadata has a pointer for payload (D19 Parsing serialisation metadata).
pub const METADATA_POINTER: Code = Code::new(&Row {
    id: "E0315",
    name: "metadata-pointer",
    title: "serialisation metadata has a pointer for payload",
    clause: "D19 Parsing serialisation metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0315.md"),
});

/// Serialisation metadata is repeated (D19 Parsing serialisation metadata).
pub const METADATA_REPEATED: Code = Code::new(&Row {
    id: "E0316",
    name: "metadata-repeated",
    title: "serialisation metadata is repeated",
    clause: "D19 Parsing serialisation metadata",
    classes: Classes::each(Advice, Advice, NonConformant, NonConformant, NonConformant),
    page: include_str!("../../pages/E0316.md"),
});

/// A version number is not one (D19 Version numbers).
pub const VERSION_MALFORMED: Code = Code::new(&Row {
    id: "E0317",
    name: "version-malformed",
    title: "a version number is not one",
    clause: "D19 Version numbers",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0317.md"),
});

/// The file is of an unknown minor version of ELF (D19 ELF serialisation version).
pub const ELF_VERSION_MINOR: Code = Code::new(&Row {
    id: "E0318",
    name: "elf-version-minor",
    title: "the file is of an unknown minor version of ELF",
    clause: "D19 ELF serialisation version",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0318.md"),
});

/// The file is of another major version of ELF (D19 ELF serialisation version).
pub const ELF_VERSION_MAJOR: Code = Code::new(&Row {
    id: "E0319",
    name: "elf-version-major",
    title: "the file is of another major version of ELF",
    clause: "D19 ELF serialisation version",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0319.md"),
});

/// GEDC is not one VERS and one FORM, without a payload (D19 Parsing serialisation metadata).
pub const GEDC_MALFORMED: Code = Code::new(&Row {
    id: "E0320",
    name: "gedc-malformed",
    title: "GEDC is not one VERS and one FORM, without a payload",
    clause: "D19 Parsing serialisation metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0320.md"),
});

/// The file is of a GEDCOM version other than 5.5 and 5.5.1 (D19 Legacy GEDCOM version).
pub const GEDCOM_VERSION_UNKNOWN: Code = Code::new(&Row {
    id: "E0321",
    name: "gedcom-version-unknown",
    title: "the file is of a GEDCOM version other than 5.5 and 5.5.1",
    clause: "D19 Legacy GEDCOM version",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0321.md"),
});

/// The form is not LINEAGE-LINKED (D19 Parsing serialisation metadata).
pub const GEDCOM_FORM: Code = Code::new(&Row {
    id: "E0322",
    name: "gedcom-form",
    title: "the form is not LINEAGE-LINKED",
    clause: "D19 Parsing serialisation metadata",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0322.md"),
});

/// An escape sequence of a type that is not permitted here (D19 Permitted escapes).
pub const ESCAPE_NOT_PERMITTED: Code = Code::new(&Row {
    id: "E0323",
    name: "escape-not-permitted",
    title: "an escape sequence of a type that is not permitted here",
    clause: "D19 Permitted escapes",
    classes: Classes::split(Advice, NonConformant),
    page: include_str!("../../pages/E0323.md"),
});

/// An at sign and a number sign begin no escape sequence (D19 Identifying escapes).
pub const ESCAPE_MALFORMED: Code = Code::new(&Row {
    id: "E0324",
    name: "escape-malformed",
    title: "an at sign and a number sign begin no escape sequence",
    clause: "D19 Identifying escapes",
    classes: Classes::each(NonConformant, NonConformant, Advice, Advice, NonConformant),
    page: include_str!("../../pages/E0324.md"),
});

/// A Unicode escape names no character (D19 Unicode escapes).
pub const UNICODE_ESCAPE_MALFORMED: Code = Code::new(&Row {
    id: "E0325",
    name: "unicode-escape-malformed",
    title: "a Unicode escape names no character",
    clause: "D19 Unicode escapes",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0325.md"),
});

/// An at sign is not doubled (D19 Escaping).
pub const AT_SIGN_BARE: Code = Code::new(&Row {
    id: "E0326",
    name: "at-sign-bare",
    title: "an at sign is not doubled",
    clause: "D19 Escaping",
    classes: Classes::each(NonConformant, NonConformant, Advice, Advice, Deprecated),
    page: include_str!("../../pages/E0326.md"),
});

/// A pointer leads nowhere (D19 Pointer conversion).
pub const POINTER_DANGLING: Code = Code::new(&Row {
    id: "E0327",
    name: "pointer-dangling",
    title: "a pointer leads nowhere",
    clause: "D19 Pointer conversion",
    classes: Classes::split(NonConformant, Advice),
    page: include_str!("../../pages/E0327.md"),
});

/// A pointer leads to several structures (D19 Pointer conversion).
pub const POINTER_AMBIGUOUS: Code = Code::new(&Row {
    id: "E0328",
    name: "pointer-ambiguous",
    title: "a pointer leads to several structures",
    clause: "D19 Pointer conversion",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0328.md"),
});

/// Several structures bear one cross-reference identifier (D19 Pointer conversion).
pub const XREF_REPEATED: Code = Code::new(&Row {
    id: "E0329",
    name: "xref-repeated",
    title: "several structures bear one cross-reference identifier",
    clause: "D19 Pointer conversion",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0329.md"),
});

/// A pointer leads to a structure that is no record (D19 Overview).
pub const POINTER_TO_SUBSTRUCTURE: Code = Code::new(&Row {
    id: "E0330",
    name: "pointer-to-substructure",
    title: "a pointer leads to a structure that is no record",
    clause: "D19 Overview",
    classes: Classes::each(Advice, Advice, NonConformant, Advice, Advice),
    page: include_str!("../../pages/E0330.md"),
});

/// A payload language is no language tag (Basic Concepts, Language tags).
pub const LANGUAGE_MALFORMED: Code = Code::new(&Row {
    id: "E0331",
    name: "language-malformed",
    title: "a payload language is no language tag",
    clause: "Basic Concepts, Language tags",
    classes: Classes::split(Advice, NonConformant),
    page: include_str!("../../pages/E0331.md"),
});

/// The ELF version stands under GEDC (D19 ELF serialisation version).
pub const ELF_VERSION_MISPLACED: Code = Code::new(&Row {
    id: "E0332",
    name: "elf-version-misplaced",
    title: "the ELF version stands under GEDC",
    clause: "D19 ELF serialisation version",
    classes: Classes::split(Advice, NonConformant),
    page: include_str!("../../pages/E0332.md"),
});

/// A structure is rejected with what depends on it (RDX Rejection).
pub const STRUCTURE_REJECTED: Code = Code::new(&Row {
    id: "E0333",
    name: "structure-rejected",
    title: "a structure is rejected with what depends on it",
    clause: "RDX Rejection",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0333.md"),
});

/// A pointer leads out of the file or into a record (D19 Payloads).
pub const POINTER_EXTERNAL: Code = Code::new(&Row {
    id: "E0334",
    name: "pointer-external",
    title: "a pointer leads out of the file or into a record",
    clause: "D19 Payloads",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0334.md"),
});

/// Serialisation metadata is spelled in lower case (D19 Header metadata).
pub const METADATA_SPELLING: Code = Code::new(&Row {
    id: "E0335",
    name: "metadata-spelling",
    title: "serialisation metadata is spelled in lower case",
    clause: "D19 Header metadata",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0335.md"),
});

/// A pseudo-structure stands where none belongs (O17 Pseudo-structures).
pub const PSEUDO_STRUCTURE_MISPLACED: Code = Code::new(&Row {
    id: "E0336",
    name: "pseudo-structure-misplaced",
    title: "a pseudo-structure stands where none belongs",
    clause: "O17 Pseudo-structures",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0336.md"),
});

/// Serialisation metadata has substructures (RDX Header).
pub const METADATA_NOT_BARE: Code = Code::new(&Row {
    id: "E0337",
    name: "metadata-not-bare",
    title: "serialisation metadata has substructures",
    clause: "RDX Header",
    classes: Classes::each(Advice, Advice, NonConformant, Advice, Advice),
    page: include_str!("../../pages/E0337.md"),
});

/// PLANG or DTYPE describes no payload (D19 Tags).
pub const RESERVED_TAG_MISUSED: Code = Code::new(&Row {
    id: "E0338",
    name: "reserved-tag-misused",
    title: "PLANG or DTYPE describes no payload",
    clause: "D19 Tags",
    classes: Classes::split(Advice, NonConformant),
    page: include_str!("../../pages/E0338.md"),
});

pub(super) const ALL: &[Code] = &[
    CONTINUATION_MISPLACED,
    CONTINUATION_WITH_SUBSTRUCTURES,
    CONTINUATION_WITH_XREF,
    CONTINUATION_POINTER,
    CONTINUATION_AT_PARENT_LEVEL,
    LINE_BREAK_RAW,
    TRAILER_MISSING,
    TRAILER_MISPLACED,
    TRAILER_NOT_BARE,
    HEADER_MISPLACED,
    HEADER_NOT_BARE,
    HEADER_SPELLING,
    METADATA_XREF,
    METADATA_RESERVED_TAG,
    METADATA_POINTER,
    METADATA_REPEATED,
    VERSION_MALFORMED,
    ELF_VERSION_MINOR,
    ELF_VERSION_MAJOR,
    GEDC_MALFORMED,
    GEDCOM_VERSION_UNKNOWN,
    GEDCOM_FORM,
    ESCAPE_NOT_PERMITTED,
    ESCAPE_MALFORMED,
    UNICODE_ESCAPE_MALFORMED,
    AT_SIGN_BARE,
    POINTER_DANGLING,
    POINTER_AMBIGUOUS,
    XREF_REPEATED,
    POINTER_TO_SUBSTRUCTURE,
    LANGUAGE_MALFORMED,
    ELF_VERSION_MISPLACED,
    STRUCTURE_REJECTED,
    POINTER_EXTERNAL,
    METADATA_SPELLING,
    PSEUDO_STRUCTURE_MISPLACED,
    METADATA_NOT_BARE,
    RESERVED_TAG_MISUSED,
];
