//! The notations of the requirement tables, so that their own vectors can be run as they stand.
//!
//! Each table has its own: [`december`] reads that of `req-d19.tsv`, [`january`] that of `req-j19.tsv`,
//! [`earlier`] that of `req-old.tsv`, [`value`] that of `req-dates.tsv`. [`text`] knows the escapes they
//! share, [`tree`] the form of trees, [`typed`] that of typed structures.

pub mod december;
pub mod earlier;
pub mod january;
pub mod text;
pub mod tree;
pub mod typed;
pub mod value;
