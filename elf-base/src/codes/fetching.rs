//! E07: fetching external schemas.

use crate::Class::Advice;
use crate::code::{Classes, Code, Row};

/// A copy of an external schema may be out of date (J19 External schema structure).
pub const SCHEMA_OUT_OF_DATE: Code = Code::new(&Row {
    id: "E0701",
    name: "schema-out-of-date",
    title: "a copy of an external schema may be out of date",
    clause: "J19 External schema structure",
    classes: Classes::all(Advice),
    page: include_str!("../../pages/E0701.md"),
});

pub(super) const ALL: &[Code] = &[SCHEMA_OUT_OF_DATE];
