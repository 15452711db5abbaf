//! E01: octets and line strings.

use crate::Class::*;
use crate::code::{Classes, Code, Row};

/// The first line string is not `0 HEAD` (D19 Specified character encodings).
pub const NOT_ELF: Code = Code::new(&Row {
    id: "E0101",
    name: "not-elf",
    title: "the first line string is not `0 HEAD`",
    clause: "D19 Specified character encodings",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0101.md"),
});

/// Nothing in the file is a line of ELF (D19 Parsing lines).
pub const NO_LINES: Code = Code::new(&Row {
    id: "E0102",
    name: "no-lines",
    title: "nothing in the file is a line of ELF",
    clause: "D19 Parsing lines",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0102.md"),
});

/// CHAR names an encoding the rules do not know (D19 Specified character encodings).
pub const ENCODING_UNKNOWN: Code = Code::new(&Row {
    id: "E0103",
    name: "encoding-unknown",
    title: "CHAR names an encoding the rules do not know",
    clause: "D19 Specified character encodings",
    classes: Classes::split(NonConformant, Advice),
    page: include_str!("../../pages/E0103.md"),
});

/// The file is in an encoding that cannot be read (D19 Specified character encodings).
pub const ENCODING_UNSUPPORTED: Code = Code::new(&Row {
    id: "E0104",
    name: "encoding-unsupported",
    title: "the file is in an encoding that cannot be read",
    clause: "D19 Specified character encodings",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0104.md"),
});

/// CHAR names another encoding than the octets show (D19 Specified character encodings).
pub const ENCODING_CONTRADICTED: Code = Code::new(&Row {
    id: "E0105",
    name: "encoding-contradicted",
    title: "CHAR names another encoding than the octets show",
    clause: "D19 Specified character encodings",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0105.md"),
});

/// CHAR names another encoding than the byte-order mark (D19 Detecting a character encoding).
pub const ENCODING_CONTRADICTS_MARK: Code = Code::new(&Row {
    id: "E0106",
    name: "encoding-contradicts-mark",
    title: "CHAR names another encoding than the byte-order mark",
    clause: "D19 Detecting a character encoding",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0106.md"),
});

/// CHAR spells an encoding as producers do, not as the standard does (D19 Character encoding names).
pub const ENCODING_ALIAS: Code = Code::new(&Row {
    id: "E0107",
    name: "encoding-alias",
    title: "CHAR spells an encoding as producers do, not as the standard does",
    clause: "D19 Character encoding names",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0107.md"),
});

/// CHAR does not decide the encoding, so the octets did (D19 Specified character encodings).
pub const ENCODING_BY_CONTENT: Code = Code::new(&Row {
    id: "E0108",
    name: "encoding-by-content",
    title: "CHAR does not decide the encoding, so the octets did",
    clause: "D19 Specified character encodings",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0108.md"),
});

/// An octet stands for nothing in the encoding used (D19 Character encodings).
pub const OCTET_UNDECODABLE: Code = Code::new(&Row {
    id: "E0109",
    name: "octet-undecodable",
    title: "an octet stands for nothing in the encoding used",
    clause: "D19 Character encodings",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0109.md"),
});

/// An octet 00 stands before the encoding is known (D19 Specified character encodings).
pub const NUL_IN_SCAN: Code = Code::new(&Row {
    id: "E0110",
    name: "nul-in-scan",
    title: "an octet 00 stands before the encoding is known",
    clause: "D19 Specified character encodings",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0110.md"),
});

/// A character above U+FFFF is written as two surrogates (D19 Character encodings).
pub const SURROGATES_IN_UTF_8: Code = Code::new(&Row {
    id: "E0111",
    name: "surrogates-in-utf-8",
    title: "a character above U+FFFF is written as two surrogates",
    clause: "D19 Character encodings",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0111.md"),
});

/// A C1 control is read as the windows-1252 character it most likely is (D19 Character encodings).
pub const CONTROL_IS_WINDOWS_1252: Code = Code::new(&Row {
    id: "E0112",
    name: "control-is-windows-1252",
    title: "a C1 control is read as the windows-1252 character it most likely is",
    clause: "D19 Character encodings",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0112.md"),
});

/// CONC cuts a character in two (D19 Serialising structures).
pub const CHARACTER_CUT: Code = Code::new(&Row {
    id: "E0113",
    name: "character-cut",
    title: "CONC cuts a character in two",
    clause: "D19 Serialising structures",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0113.md"),
});

/// A combining mark has no letter to stand on (D19 Converting ANSEL to Unicode).
pub const MARK_WITHOUT_BASE: Code = Code::new(&Row {
    id: "E0114",
    name: "mark-without-base",
    title: "a combining mark has no letter to stand on",
    clause: "D19 Converting ANSEL to Unicode",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0114.md"),
});

/// A control character stands in the text (D19 Conventions used).
pub const CHARACTER_RESTRICTED: Code = Code::new(&Row {
    id: "E0115",
    name: "character-restricted",
    title: "a control character stands in the text",
    clause: "D19 Conventions used",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0115.md"),
});

/// The file mixes forms of line break (D19 Serialising line strings).
pub const LINE_BREAKS_MIXED: Code = Code::new(&Row {
    id: "E0116",
    name: "line-breaks-mixed",
    title: "the file mixes forms of line break",
    clause: "D19 Serialising line strings",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0116.md"),
});

/// The file is in a deprecated encoding (D19 Character encodings).
pub const ENCODING_DEPRECATED: Code = Code::new(&Row {
    id: "E0117",
    name: "encoding-deprecated",
    title: "the file is in a deprecated encoding",
    clause: "D19 Character encodings",
    classes: Classes::split(Advice, Deprecated),
    page: include_str!("../../pages/E0117.md"),
});

/// The header does not name the encoding (D19 Specified character encodings).
pub const ENCODING_UNNAMED: Code = Code::new(&Row {
    id: "E0118",
    name: "encoding-unnamed",
    title: "the header does not name the encoding",
    clause: "D19 Specified character encodings",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0118.md"),
});

pub(super) const ALL: &[Code] = &[
    NOT_ELF,
    NO_LINES,
    ENCODING_UNKNOWN,
    ENCODING_UNSUPPORTED,
    ENCODING_CONTRADICTED,
    ENCODING_CONTRADICTS_MARK,
    ENCODING_ALIAS,
    ENCODING_BY_CONTENT,
    OCTET_UNDECODABLE,
    NUL_IN_SCAN,
    SURROGATES_IN_UTF_8,
    CONTROL_IS_WINDOWS_1252,
    CHARACTER_CUT,
    MARK_WITHOUT_BASE,
    CHARACTER_RESTRICTED,
    LINE_BREAKS_MIXED,
    ENCODING_DEPRECATED,
    ENCODING_UNNAMED,
];
