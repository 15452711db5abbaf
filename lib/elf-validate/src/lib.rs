#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A standard is a [`Table`]: kinds of structures, with the minimum and maximum number of their substructures, the
//! payloads they allow and the records that their pointers may refer to. The table of the ELF data model identifies
//! structures by type, including supertypes; those of GEDCOM 5.5, 5.5.1 and 7.0 identify them by the path of their
//! tags. The same validator works for all tables.
//!
//! All findings are advice, unless the user names the standard; see
//! [`Code::class_against`](elf_base::Code::class_against). Even then, a tag without an underscore that the standard does
//! not allow is only advice if the dictionary of [vendor tags](elf_schema::vendors) knows it there. Nothing under a
//! structure that GEDCOM does not allow there is reported; the ELF data model treats it as an extension.
//!
//! A document that is read in runs is validated [run by run](Validator::validate_run), on any thread. At the end, its
//! [`Links`] report the findings that need the whole document, such as pointers to the wrong kind of record.

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
