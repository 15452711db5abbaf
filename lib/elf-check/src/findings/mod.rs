//! Findings of a file: counted, kept as far as they are wanted, with the structures that they are about, in
//! the order of its lines.
//!
//! A file may have a fault in every line, and its findings come from several layers, from parts that several
//! threads read, and some only when the last part was read. A [`Sifted`] is the sink of one part: it counts
//! all, and keeps what somebody will see. [`PartFindings`] are what is left of a part, on any thread, and
//! [`Gathered`] takes them in the order of the file. It prints each finding in its place in memory that has a
//! bound: of more findings than fit, those that only the whole file shows come last. A fault of the header
//! that the reader and a structural standard both find is told once.
//!
//! ```
//! use elf_check::config::Choice;
//! use elf_edit::{RecordTags, RepairedFindings, Repairs};
//! use elf_check::findings::{Gathered, Keep, Located, PartFindings, Sieve, Sifted};
//! use elf_tagged::{Options, Rules, read};
//!
//! let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n3 DATE 1900\n1 FAMS @F1@\n0 TRLR\n";
//! let choice = Choice::default();
//! let mut findings = Sifted::new(Sieve { choice: &choice, keep: Keep::All, keyed: false });
//! let document = read(octets, &Rules::WILD, &Options::default(), &mut findings)?;
//!
//! let mut printed = Vec::new();
//! let mut print = |some: &[Located], records: &RecordTags| {
//!     for one in some {
//!         let path = one.context.as_ref().and_then(|context| context.path(records));
//!         printed.push((one.finding.code.name(), path.unwrap_or_default()));
//!     }
//!     Ok(())
//! };
//! let mut gathered = Gathered::new(&choice, Keep::All, None, &mut print);
//! gathered.add(PartFindings::of(&document, findings, RepairedFindings::default(), true))?;
//! let (counts, _) = gathered.finish(Repairs::default(), |late| Ok(vec![late]))?;
//! assert_eq!(counts.codes().map(|one| one.count).sum::<u64>(), printed.len() as u64);
//! let expected = [("level-too-deep", "@I1@/BIRT/DATE".to_owned()), ("pointer-dangling", "@I1@/FAMS".to_owned())];
//! for one in expected {
//!     assert!(printed.contains(&one), "{printed:?}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Baseline`] holds the findings that somebody knows of already; a [`Ledger`] is the account of those of
//! one file.

mod baseline;
mod counts;
mod gathered;
mod kept;
mod located;
mod packed;
mod problems;
mod signature;
mod twice;

pub use baseline::{Baseline, BaselineError, Entries, Ledger, Signature};
pub use counts::{CodeCount, CodeCounts};
pub use gathered::{Gathered, PartFindings, Print};
pub use kept::{DRAWN, Keep, Sieve, Sifted};
pub use located::Located;
pub use packed::PackedFindings;
pub use problems::Problems;
