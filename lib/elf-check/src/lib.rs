#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A [`Check`] contains the options. [`Check::check`] returns the findings of a file in memory. [`Check::run`] hands
//! out the findings while it reads a file of any size.
//!
//! A file becomes findings in these steps. [`runs`] reads the file in runs of whole records, on all threads. The sink
//! in `finding` collects what the layers report about a run. `judge` validates the run against a standard and checks
//! facts. `check` finds the structure that each finding is about, and computes the fixes. Then the findings are sorted
//! and handed out, run by run. If a file has several runs, findings about the whole file, such as unresolved pointers,
//! come last.
//!
//! * [`config`]: the configuration file `elf.toml`, and the choice of findings
//! * [`Baseline`]: known findings, which are not reported again

#![forbid(unsafe_code)]

mod baseline;
mod check;
pub mod config;
mod counts;
mod finding;
mod fix;
mod judge;
mod name_pattern;
mod once;
mod problems;
mod reported_twice;
pub mod runs;
mod settings;
mod signature;
mod summary;
mod threads;

pub use baseline::{Baseline, BaselineError, Entries, Ledger, Signature};
pub use check::{Check, Checked, Print, Report};
pub use counts::{CodeCount, CodeCounts};
pub use elf_tagged;
pub use finding::{Finding, Keep, SHOWN_PER_CODE, flat_fix};
pub use fix::{FixError, Fixed, RefusedFinding};
pub use name_pattern::NamePattern;
pub use problems::Problems;
pub use settings::{CheckRequest, FactRequest, Settings};
pub use summary::FindingCounts;
