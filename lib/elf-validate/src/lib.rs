//! Validates typed structures against a structural standard, which says where each structure is allowed.
//!
//! A standard is a [`Table`]: kinds of structures, with the minimum and maximum number of their substructures, the
//! payloads they allow and the records that their pointers may refer to. The table of the ELF data model identifies
//! structures by type, including supertypes; those of GEDCOM 5.5, 5.5.1 and 7.0 identify them by the path of their
//! tags. The same validator works for all tables:
//!
//! ```
//! use elf_schema::{Diagnostic, ReadOptions, Rules};
//! use elf_validate::{Against, Standard};
//!
//! let octets = b"0 HEAD\n0 @I1@ INDI\n1 SEX M\n1 SEX F\n1 FAMS @I1@\n0 TRLR\n";
//! let typed = elf_schema::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let mut found: Vec<Diagnostic> = Vec::new();
//! elf_validate::validate(&typed, Against { standard: Standard::DataModel, is_named: true }, &mut found);
//! let messages: Vec<&str> = found.iter().map(|found| &*found.message).collect();
//! assert_eq!(
//!     messages,
//!     [
//!         "expected at most 1 `SEX` in `INDI`, but found another one",
//!         "expected a pointer to `FAM`, but `@I1@` is `INDI`",
//!     ]
//! );
//! assert_eq!(found[1].class, elf_schema::Class::NonConformant);
//! # Ok::<(), elf_schema::TooLarge>(())
//! ```
//!
//! All findings are advice, unless the user names the standard; see
//! [`Code::class_against`](elf_base::Code::class_against). Nothing under a structure that GEDCOM does not allow there
//! is reported; the ELF data model treats it as an extension.
//!
//! A document that is read in runs is validated [run by run](Validator::validate_run), on any thread. At the end, its
//! [`Links`] report the findings that need the whole document, such as pointers to the wrong kind of record.
//!
//! # Which crate next
//!
//! * [`elf-lineage`](https://docs.rs/elf-lineage): persons, families, events and days as a graph
//! * [`elf-edit`](https://docs.rs/elf-edit): changes and fixes a file, and leaves every other line as
//!   it is
//! * [`elf-cli`](https://docs.rs/elf-cli): the command `elf`, made of all of these

#![forbid(unsafe_code)]

mod advice;
mod findings;
mod kinds;
mod links;
mod payloads;
mod prepared;
mod slots;
mod stack;
mod table;
mod tables;
mod undefined;
mod validator;
mod values;

pub use elf_base::{Against, Standard};
pub use elf_schema;
pub use links::{EndedLinks, LinkFaults, Links, RunLinks};
pub use table::{Grammar, Kind, Link, LinkRule, Naming, Payloads, Slot, Table, Text};
pub use validator::{Validator, validate};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
