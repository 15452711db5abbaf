//! E02: lines.

use crate::Class::*;
use crate::code::{Classes, Code, Row};

/// A line string is not a line (D19 Parsing lines).
pub const LINE_MALFORMED: Code = Code::new(&Row {
    id: "E0201",
    name: "line-malformed",
    title: "a line string is not a line",
    clause: "D19 Parsing lines",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0201.md"),
});

/// A level has leading zeros (D19 Levels).
pub const LEVEL_ZEROS: Code = Code::new(&Row {
    id: "E0202",
    name: "level-zeros",
    title: "a level has leading zeros",
    clause: "D19 Levels",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0202.md"),
});

/// A level is more than one above that of the line before (D19 Levels).
pub const LEVEL_TOO_DEEP: Code = Code::new(&Row {
    id: "E0203",
    name: "level-too-deep",
    title: "a level is more than one above that of the line before",
    clause: "D19 Levels",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0203.md"),
});

/// A cross-reference identifier holds a character it may not (D19 Cross-reference identifiers).
pub const XREF_MALFORMED: Code = Code::new(&Row {
    id: "E0204",
    name: "xref-malformed",
    title: "a cross-reference identifier holds a character it may not",
    clause: "D19 Cross-reference identifiers",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0204.md"),
});

/// A tag holds a character it may not (D19 Tags).
pub const TAG_MALFORMED: Code = Code::new(&Row {
    id: "E0205",
    name: "tag-malformed",
    title: "a tag holds a character it may not",
    clause: "D19 Tags",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0205.md"),
});

/// A line holds a code point that is no character (D19 Payloads).
pub const CHARACTER_FORBIDDEN: Code = Code::new(&Row {
    id: "E0206",
    name: "character-forbidden",
    title: "a line holds a code point that is no character",
    clause: "D19 Payloads",
    classes: Classes::split(NonConformant, Malformed),
    page: include_str!("../../pages/E0206.md"),
});

/// A blank line stands where the draft has none (O17 Lines).
pub const BLANK_LINE: Code = Code::new(&Row {
    id: "E0207",
    name: "blank-line",
    title: "a blank line stands where the draft has none",
    clause: "O17 Lines",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0207.md"),
});

/// A cross-reference identifier is longer than advised (D19 Pointer conversion).
pub const XREF_LONG: Code = Code::new(&Row {
    id: "E0208",
    name: "xref-long",
    title: "a cross-reference identifier is longer than advised",
    clause: "D19 Pointer conversion",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0208.md"),
});

/// A tag is longer than advised (D19 Tags).
pub const TAG_LONG: Code = Code::new(&Row {
    id: "E0209",
    name: "tag-long",
    title: "a tag is longer than advised",
    clause: "D19 Tags",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0209.md"),
});

/// A pointer holds text that is no cross-reference identifier (D19 Payloads).
pub const POINTER_MALFORMED: Code = Code::new(&Row {
    id: "E0210",
    name: "pointer-malformed",
    title: "a pointer holds text that is no cross-reference identifier",
    clause: "D19 Payloads",
    classes: Classes::all(NonConformant),
    page: include_str!("../../pages/E0210.md"),
});

pub(super) const ALL: &[Code] = &[
    LINE_MALFORMED,
    LEVEL_ZEROS,
    LEVEL_TOO_DEEP,
    XREF_MALFORMED,
    TAG_MALFORMED,
    CHARACTER_FORBIDDEN,
    BLANK_LINE,
    XREF_LONG,
    TAG_LONG,
    POINTER_MALFORMED,
];
