#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A payload is text. The type of its structure determines its [`Datatype`], by which this crate parses the text as a
//! [`Value`]. `elf_schema::TypedDocument::value` does both steps for a structure. A value stores what was written
//! (calendar, parts, phrase) and computes its days from that, with integers only.
//!
//! | datatype | here | standard |
//! | --- | --- | --- |
//! | `elf:DateValue`, `elf:DatePeriod` | [`DateValue`], [`DatePeriod`] | ELF Dates *Date formats* |
//! | `elf:DateExact` | [`DateExact`] | ELF Dates *The elf:DateExact datatype* |
//! | `elf:Time` | [`Time`] | ELF Dates *The elf:Time datatype* |
//! | `elf:Age` | [`Age`] | ELF Dates *The elf:Age datatype* |
//! | names of persons | [`PersonalName`] | ELF Data Model *Personal name format* |
//! | latitudes, longitudes | [`Coordinate`] | GEDCOM 5.5.1 `PLACE_LATITUDE`, `PLACE_LONGITUDE` |
//! | languages | [`is_language_tag`], [`language_tag`], [`language_name`] | RFC 5646, GEDCOM 5.5.1 `LANGUAGE_ID` |
//! | lists, one of several words, numbers | [`List`], [`Choice`], [`Integer`] | GEDCOM 5.5.1 *Primitive elements* |
//! | ties of children to parents | [`ChildTie`] | GEDCOM 5.5.1 `PEDIGREE_LINKAGE_TYPE` |
//! | formats of files | [`MediaType`] | RFC 6838 |
//! | addresses | [`uri_fault`], [`url_fault`], [`file_path_fault`] | RFC 3986, GEDCOM 7.0 *Data types* |
//!
//! If parsing fails, it returns [`Malformed`], which contains what was expected and at which place. Do not discard such
//! a payload: many dates in real files match no grammar, and [`recover`] finds the most likely meaning of most of them.
//!
//! [`elf_base::readings`] explains what citations such as D19 and AMB-05 mean.

#![forbid(unsafe_code)]

mod age;
mod calendar;
mod check;
mod child_tie;
mod choice;
mod coordinate;
mod datatype;
mod date;
mod file_path;
mod finding;
mod gedcom;
mod gedcom_7;
mod integer;
mod language;
mod list;
mod media_type;
mod name;
mod plain;
mod problem;
mod recovery;
mod reference;
mod scan;
#[cfg(feature = "serde")]
mod serial;
mod time;
mod value;

pub use age::{Age, AgeBound, AgeWord, Duration};
pub use calendar::{Calendar, CalendarDay};
pub use check::check;
pub use child_tie::ChildTie;
pub use choice::Choice;
pub use coordinate::Coordinate;
pub use datatype::{Datatype, Gedcom70};
pub use date::{
    Approximation, Bound, CalendarName, Date, DateExact, DateForm, DateParts, DatePeriod, DateValue, Days,
    Fault, Recovered, Relation, Year, in_capitals, iso_day, parse_iso_day, recover,
};
pub use elf_base::{self, is_language_tag};
pub use file_path::file_path_fault;
pub use finding::{Finding, Respelling};
pub use gedcom::{check_as_found, check_gedcom};
pub use gedcom_7::{check_gedcom_7, check_gedcom_7_with_extensions};
pub use integer::Integer;
pub use language::{language_name, language_tag};
pub use list::{List, items};
pub use media_type::MediaType;
pub use name::PersonalName;
pub use plain::{PlainDays, is_canonical_date, plain_days};
pub use problem::Malformed;
pub use recovery::{canonical_spelling, recover_age};
pub use reference::{is_extension_tag, tag_definition_fault, uri_fault, url_fault};
pub use time::Time;
pub use value::Value;
