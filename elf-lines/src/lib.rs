#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A *line* has a level, a tag, and sometimes a cross-reference identifier and a payload. [`parse`] reads a line from a
//! line string, and [`write()`] writes a line as a line string.
//!
//! The crate implements D19 *Parsing and serialising lines*, whose grammar is
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
//! and J19 §2.4 and O17 §5. These differ in whitespace, leading zeros, the characters of identifiers and the shape of
//! pointers: see [`LineRules`](elf_base::rules::LineRules). The grammar of at signs and escapes in payloads is in
//! [`escape`].
//!
//! This crate handles each line alone. The crate `elf-tagged` decides whether a level is too deep, and what happens to
//! an invalid line string. A level may have any size: [`Line::level`] is at most [`u32::MAX`], and
//! [`Line::level_digits`] returns all digits.
//!
//! [`elf_base::readings`] explains what citations such as D19 and AMB-05 mean.

#![forbid(unsafe_code)]

mod chars;
mod damaged;
pub mod escape;
mod joined;
mod line;
pub mod passed;
pub mod path;
mod read;
mod record_start;
mod tags;
mod write;

pub use chars::{VOID, first_forbidden, is_blank, is_capital_tag, is_id_char, is_tag, is_tag_octet, is_xref};
pub use damaged::{
    DamagedLine, MeantLine, ScannedHead, damaged_line, lacks_level, leading_level, may_begin_record,
    parse_damaged,
};
pub use elf_base;
pub use joined::{JoinedLine, find_joined, joined_line, joined_text};
pub use line::{Fault, Lenience, Line, Payload};
pub use passed::PassedFault;
pub use read::{parse, parse_characters_checked};
pub use record_start::starts_record;
pub use tags::{is_known_tag, tag_of_full_name, takes_no_text, takes_one_line};
pub use write::write;
