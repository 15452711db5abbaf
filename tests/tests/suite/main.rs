//! The crates together: one thing done in two ways, on files that were made, generated, or found.

mod conversions;
mod conversions_in_runs;
mod corpus;
mod differences;
mod encodings;
mod errors;
mod examples;
mod extracts;
mod fixed_values;
mod fixes;
mod generated_conversions;
mod judge;
mod link_fixes;
mod mixed_rules;
mod page_check;
mod probes;
mod reports;
mod robustness;
mod second_reader;
mod tables;
mod values;
mod vendors;
