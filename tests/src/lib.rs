//! The conformance suite: tables of requirements, vectors that test them, and the code that runs the vectors.

#![allow(clippy::disallowed_methods, reason = "a test suite reads its own files")]

pub mod answer;
pub mod attempt;
pub mod comparison;
pub mod conversion;
pub mod corpus;
pub mod departures;
pub mod edits;
pub mod fixtures;
pub mod generate;
pub mod json_schema;
pub mod library;
pub mod named;
pub mod notation;
pub mod program;
pub mod reference;
pub mod report;
pub mod requirements;
pub mod snapshot;
pub mod suite;
pub mod vectors;
pub mod verdict;

use std::path::PathBuf;

/// The folder `conformance` at the top of the repository.
pub fn conformance_folder() -> PathBuf {
    folder("..").join("conformance")
}

/// A folder of this crate.
pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The examples in `README.md`, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
