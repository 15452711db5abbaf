//! What `elf check` does, as a library.
//!
//! * [`config`]: the configuration file `elf.toml`, and the choice of findings
//! * [`findings`]: the findings of a file, counted, located and in the order of its lines; baselines
//!
//! # Which crate next
//!
//! * [`elf-report`](https://docs.rs/elf-report): shows findings to people and to programs
//! * [`elf-cli`](https://docs.rs/elf-cli): the command `elf`

pub mod config;
pub mod findings;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
