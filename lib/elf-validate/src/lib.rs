#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A standard is a [`Table`] of kinds of structures. For each kind, the table lists the minimum and
//! maximum number of its substructures, the allowed payloads, and the records that its pointers may
//! refer to. The table of the ELF data model identifies structures by type, including supertypes.
//! The tables of GEDCOM 5.5, 5.5.1 and 7.0 identify structures by the path of their tags. The same
//! validator works for all tables.
//!
//! All findings are advice, unless the user names the standard (see
//! [`Code::class_against`](elf_base::Code::class_against)). Even then, an unknown tag without an
//! underscore is only advice if the dictionary of [vendor tags](elf_schema::vendors) knows the tag
//! at this place. If GEDCOM does not allow a structure at its place, nothing under the structure is
//! reported. The ELF data model treats such a structure as an extension.
//!
//! A document that is read in runs is validated [run by run](Validator::validate_run), on any
//! thread. Some findings need the whole document, such as a pointer to the wrong kind of record.
//! The document's [`Links`] report these at the end.

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
