//! Line strings to lines, and back: level, cross-reference identifier, tag, payload; and the paths that name
//! structures by these.
//!
//! A *line string* is what stands between two line breaks. A *line* is what the grammar makes of it. December
//! 2019 gives the grammar as
//!
//! ```text
//! Line          ::= Number S (XRefLabel S)? Tag (PayloadSep Payload)?
//! Number        ::= "0" | [1-9] [0-9]*
//! XRefLabel     ::= "@" XRefID "@"
//! Tag           ::= [0-9A-Za-z_]+
//! PayloadSep    ::= #x20 | #x9
//! Payload       ::= S? Pointer S? | PayloadString
//! Pointer       ::= "@" [^#@#xA#xD] [^@#xA#xD]* "@"
//! ```
//!
//! and the four drafts before it differ in whitespace, leading zeros, the alphabet of identifiers and the
//! shape of pointers: [`LineRules`](elf_base::rules::LineRules) says how. [`parse`] reads a line string by
//! any of them, one function a production; [`write()`] makes one.
//!
//! This crate knows no octets, no encoding and no other line: whether a level is too deep, and what becomes
//! of a line string that is no line, is for the layer above.
//!
//! ```
//! use elf_base::Rules;
//! use elf_lines::{Payload, parse};
//!
//! let line = parse("1 FAMC @F2@", &Rules::DECEMBER_2019.lines)?;
//! assert_eq!((line.level(), line.xref(), line.tag()), (1, None, "FAMC"));
//! assert_eq!(line.payload(), Some(Payload::Pointer("F2")));
//!
//! let fault = parse("01 NOTE x", &Rules::DECEMBER_2019.lines).unwrap_err();
//! assert_eq!(fault.code.id(), "E0202");
//! # Ok::<(), elf_lines::Fault>(())
//! ```
//!
//! A level may have any size. [`Line::level`] counts up to [`u32::MAX`] and stays there, since no file that
//! fits a memory nests so deep; [`Line::level_digits`] has the level as written.
//!
//! # Which crate next
//!
//! * [`elf-octets`](https://docs.rs/elf-octets): a file of any encoding as lines of text, and back
//! * [`elf-tagged`](https://docs.rs/elf-tagged): reads and writes files as trees of tags

mod chars;
mod damaged;
pub mod escape;
mod line;
pub mod passed;
pub mod path;
mod read;
mod record_start;
mod write;

pub use chars::{VOID, first_forbidden, is_blank, is_capital_tag, is_id_char, is_tag, is_tag_octet, is_xref};
pub use damaged::{damaged_level, leading_level, may_begin_record};
pub use elf_base;
pub use line::{Fault, Lenience, Line, Payload};
pub use passed::PassedFault;
pub use read::{parse, parse_characters_checked};
pub use record_start::starts_record;
pub use write::write;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
