//! The crates together: one thing done in two ways, on files that were made, generated, or found.

mod answers;
mod conversions;
mod conversions_in_parts;
mod corpus;
mod differences;
mod encodings;
mod errors;
mod examples;
mod extracts;
mod generated_conversions;
mod judge;
mod mixed_rules;
mod page_check;
mod probes;
mod repaired_values;
mod repairs;
mod reports;
mod robustness;
mod second_reader;
mod tables;
mod values;
