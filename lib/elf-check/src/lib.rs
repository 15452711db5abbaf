//! What `elf check` does, as a library: reading, types, a structural standard, facts, and which findings count.
//!
//! A [`Check`] holds the options; [`Check::check`] returns the findings of a file in memory, and [`Check::run`] hands
//! them out while it reads a file of any size.
//!
//! ```
//! use elf_check::Check;
//! use elf_tagged::Rules;
//!
//! let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n3 DATE 1900\n1 FAMS @F1@\n0 TRLR\n";
//! let report = Check::new(&Rules::WILD).check(file)?;
//! let found: Vec<_> = report.findings.iter().map(|one| one.diagnostic.code.name()).collect();
//! assert!(found.contains(&"level-too-deep") && found.contains(&"pointer-dangling"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! From bytes to a finding: [`runs`] reads the file in runs of whole records, on all threads; the sink in `finding`
//! collects what the layers report about a run; `judge` validates the run against a standard and checks facts; `check`
//! finds the structure that each finding is about and computes the fixes; then the findings are sorted and handed out,
//! run by run. If a file has several runs, findings about the whole file, such as unresolved pointers, come last.
//!
//! * [`config`]: the configuration file `elf.toml`, and the choice of findings
//! * [`Baseline`]: known findings, which are not reported again
//!
//! # Which crate next
//!
//! * [`elf-report`](https://docs.rs/elf-report): shows findings to people and to programs
//! * [`elf-cli`](https://docs.rs/elf-cli): the command `elf`

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

pub use baseline::{Baseline, BaselineError, Entries, Ledger, Signature};
pub use check::{Check, Checked, Print, Report};
pub use counts::{CodeCount, CodeCounts};
pub use elf_tagged;
pub use finding::{Finding, Keep, SHOWN_PER_CODE, flat_fix};
pub use fix::{FixError, Fixed, RefusedFinding};
pub use name_pattern::NamePattern;
pub use problems::Problems;
pub use settings::{CheckRequest, FactRequest, Settings};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
