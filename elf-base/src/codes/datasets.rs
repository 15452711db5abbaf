//! E05: datasets.

use crate::Class::*;
use crate::code::{Classes, Code, Row};

/// A structure will be read back with another type (J19 3.2).
pub const TYPE_CHANGES: Code = Code::new(&Row {
    id: "E0501",
    name: "type-changes",
    title: "a structure will be read back with another type",
    clause: "J19 3.2",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0501.md"),
});

pub(super) const ALL: &[Code] = &[TYPE_CHANGES];
