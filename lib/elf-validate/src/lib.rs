//! Validation of typed structures: where each should stand, by a structural standard.
//!
//! A standard is a [`Table`]: kinds of structures, the substructures that each has with the fewest and the
//! most of them, the payloads it may have and the records its pointers may lead to. There is one for the
//! ELF data model, whose structures are told apart by their types, supertypes included, and one each for
//! GEDCOM 5.5, 5.5.1 and 7.0, whose structures are told apart by the path of their tags. One engine holds a
//! document against any of them:
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
//! All is advice, unless the user names the standard; see
//! [`Code::class_against`](elf_base::Code::class_against). Under a structure that GEDCOM does not
//! have where it stands, nothing is said; to the ELF data model it is an extension.
//!
//! A document that is read in runs is held against a standard [run by run](Validator::run_links), on any
//! threads; at the end its [`Links`] tell what only the whole of it shows, such as what its pointers lead to.
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
