//! The codes E07, for problems with fetching external schemas.

super::table::codes! {
    E0701 SCHEMA_OUT_OF_DATE "schema-out-of-date": "the cached copy of an external schema may be out of date";
        class Advice;
        clause D19 ("ELF Schemas" "External schema structure"), J19 "§4.2.1 External schema structure", RDX _,
            O17 _, E17 _;
}
