#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A *line string* is the text between two line breaks. [`Source::read`] decides the encoding of a file, decodes the
//! file and splits it into line strings. [`Encoding::encode_into`] and [`Form`] write line strings as bytes.
//!
//! The crate implements D19 *Parsing and serialising line strings* and *Character encodings*, J19 §2.1 to §2.3 and O17
//! §4.
//!
//! # The encoding
//!
//! The function [`decide`] finds the encoding, and its [`Decision`] contains the reasons. By the drafts, there are
//! three sources, in this order:
//!
//! 1. The *detected* encoding: a byte-order mark, an ASCII character in UTF-16, or what the caller knows.
//! 2. The *specified* encoding: CHAR in the header.
//! 3. The *default*: UTF-8, or ANSEL before December 2019.
//!
//! Detected UTF-16 overrides CHAR (AMB-05). Under [`Rules::WILD`](elf_base::Rules::WILD), the bytes of the file decide
//! if CHAR is missing, unknown or impossible, or if it only names "the code page of this computer" (`ANSI`, `IBMPC`).
//! The module `evidence` has a table of the evidence. If the evidence is weak, [`Decision::rivals`] lists other
//! possible encodings. Contradictions are reported. For another [kind of file](FileKind), such as an archive or a web
//! page, there is one finding, and the file is not read further.
//!
//! # Bytes that cannot be decoded
//!
//! The function [`decode()`] lists the bytes that it cannot decode in the regular way ([`Irregular`]), with the text
//! that replaces them:
//!
//! | bytes | text | rules |
//! | --- | --- | --- |
//! | without a meaning | U+FFFD | all except December 2019, where reading stops |
//! | one byte in UTF-8 that is not UTF-8 | the windows-1252 character, if there is one | `WILD` |
//! | two surrogates in UTF-8 (CESU-8) | the character that they encode | all (D19 *Character encodings*) |
//! | a C1 control in UTF-8 or ISO 8859 | the character of Windows with this byte | `WILD` |
//! | a UTF-8 character that CONC cuts in two | the character, at the end of the first line | `WILD` |
//! | ANSEL marks without a letter | the marks | all |
//! | two bytes of Personal Ancestral File in ANSEL | the character that they encode | `WILD` |
//!
//! No byte is lost: [`Source::splice`] changes some lines of a file and copies all others byte for byte. ANSEL is
//! decoded to letters that are followed by their marks; [`nfc`] composes each letter and its marks to one character.
//!
//! # Large files
//!
//! A [`TextReader`] reads an input of any length block by block, with the same text, places and findings as
//! [`Source::read`]. Both decide the encoding in the same way, because the evidence is bounded ([`EVIDENCE_LIMIT`], and
//! 16 MiB of header).
//!
//! [`elf_base::readings`] explains what citations such as D19 and AMB-05 mean.

#![forbid(unsafe_code)]

mod ansel;
mod buffer;
mod decide;
mod decision;
mod decode;
mod decode_buffer;
mod decoded;
mod detection;
mod encode;
mod encoding;
mod evidence;
mod file_counts;
mod file_kind;
mod findings;
mod input_chunk;
mod languages;
mod likelihood;
mod line_strings;
mod line_table;
mod locator;
mod names;
mod normal;
mod pages;
mod passage;
mod patch;
mod prescan;
mod read;
mod read_back;
mod record_start;
mod records;
mod repertoire;
mod report;
mod source;
mod stream;
mod survey;
mod translated;
mod twice;
mod units;
mod utf16;
mod utf8;
mod utf8_char;
mod weigh;
mod write;

pub use decide::{BREAKS_LIMIT, EVIDENCE_LIMIT, decide};
pub use decision::{Decision, DetectedBy, EncodingReason, Options};
pub use decode::decode;
pub use decoded::{Decoded, Irregular, Irregularity};
pub use elf_base;
pub use encoding::{Encoding, Unencodable};
pub use file_kind::FileKind;
pub use line_strings::LineStrings;
pub use line_table::{LineBreak, LineBreaks, LineRange};
pub use locator::Locator;
pub use normal::nfc;
pub use passage::{HeaderDecision, Passage};
pub use patch::{Patch, PatchError};
pub use read_back::ReadBack;
pub use record_start::LONGEST_START;
pub use records::{Block, Records};
pub use repertoire::Repertoire;
pub use source::{Source, TooLarge};
pub use stream::{RecordTooLong, TextReader};
pub use translated::Step;
pub use twice::TwiceEncoded;
pub use write::Form;
