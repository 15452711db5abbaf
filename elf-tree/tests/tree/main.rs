//! The layer from lines to tagged structures, as its callers see it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod escape_tables;
mod packed_tags;
