//! Documents of GEDCOM 5.5.1 as ones of GEDCOM 7.0, and back.

mod crowds;
mod dictionary;
mod generated;
mod kinship;
mod laws;
mod left_out;
mod pairs;
mod table;
mod unreported;
mod vectors;
