//! Octets to line strings, and back.
//!
//! A file is octets. What the standard speaks of are *line strings*: what stands between two line breaks.
//! Between the two lie three steps, each a door of its own.
//!
//! # Deciding
//!
//! [`decide`] finds the encoding, and its [`Decision`] says by what. D19 *Parsing and serialising line
//! strings* has it in this order, and so had the drafts before:
//!
//! 1. The *detected* encoding: a byte-order mark, an ASCII character in UTF-16, or what came from outside.
//! 2. The *specified* encoding: CHAR in the header, found by reading octets for characters of the same
//!    number. December 2019 normalises whitespace and case for this; the drafts before parse lines.
//! 3. The encoding *used*: the specified one, else the detected one, else UTF-8, or ANSEL before December
//!    2019.
//!
//! Real files contradict themselves. UTF-16 that shows itself is believed under all rules, because nothing
//! else could make sense of the octets (AMB-05). Under [`Rules::WILD`] the octets decide where CHAR is
//! missing, unknown or impossible, and CHAR may bear the names that producers write. Everything that speaks
//! against the decision is a diagnostic, which says what was done and how to have it otherwise; nothing is
//! ever decided twice. A file of another [kind](FileKind) altogether, such as an archive or a web page, gets
//! one diagnostic and is read no further.
//!
//! Evidence is bounded ([`EVIDENCE_LIMIT`], and 16 MiB of header), so that a file is read alike as a whole
//! and in blocks.
//!
//! # Decoding
//!
//! [`decode()`] turns octets into text: borrowed where they are valid UTF-8, owned elsewhere. Octets that do
//! not correspond to text in the regular way of their encoding stand in a side table ([`Irregular`]), with
//! the text that is put in their place:
//!
//! | octets | text | where |
//! | --- | --- | --- |
//! | stand for nothing | U+FFFD | all rules but December 2019, where the reading ends |
//! | one octet in UTF-8 that is none | the windows-1252 character, if there is one | `WILD` |
//! | two surrogates in UTF-8 (CESU-8) | the character they make | all rules (D19 *Character encodings*) |
//! | a C1 control in UTF-8 or ISO 8859 | the character Windows has there | `WILD` |
//! | a character of UTF-8 that CONC cuts in two | the character, at the end of the first line; nothing at the start of the second payload | `WILD` |
//! | marks of ANSEL without a letter | the marks | all rules |
//!
//! So nothing is lost: the octets stay reachable, and [`Source::splice`] writes them back unchanged. A cut
//! character is joined here and not where continuations are merged, because its halves are no characters, and
//! text is all the layers above know.
//!
//! ANSEL is decoded to letters followed by their marks, in FHISO's order, and not composed; [`nfc`] composes.
//!
//! # Splitting
//!
//! [`LineStrings`] splits text at LF, CR and CR LF. Decoding and splitting are apart because the 2017 drafts
//! replace Unicode escapes in between: [`Source::translate`] takes the new text and keeps the way back to the
//! octets.
//!
//! # Whole and in blocks
//!
//! [`Source::read`] does all of this for octets in memory, [`TextReader`] for an input of any length, block
//! by block; both give the same text, the same places and the same diagnostics. A [`Locator`] finds the
//! octet, line and column of a span; until one is asked, no table of lines is made.
//!
//! # Writing
//!
//! [`Encoding::encode_into`] is the way back, [`Form`] writes line strings with their breaks and mark, and
//! [`Source::splice`] changes lines of a file and keeps all others octet for octet. What an encoding cannot
//! express is handed upward ([`Unencodable`]), for the layer that can escape it.
//!
//! ```
//! use elf_base::Rules;
//! use elf_octets::{Encoding, EncodingReason, Options, Source};
//!
//! // A file of the eighties, in the code page of a PC.
//! let file = b"0 HEAD\r\n1 CHAR IBMPC\r\n0 @I1@ INDI\r\n1 NAME J\x81rgen\r\n0 TRLR\r\n";
//! let mut findings = Vec::new();
//! let source = Source::read(file, &Rules::WILD, &Options::default(), &mut findings)?;
//! assert_eq!((source.decision().used, source.decision().because), (Encoding::Cp437, EncodingReason::Specified));
//! assert_eq!(findings[0].code.id(), "E0107"); // IBMPC is no name of the standard
//! let name = source.line_strings().nth(3).unwrap_or_default();
//! assert_eq!(name.of(source.text()), "1 NAME Jürgen");
//! # Ok::<(), elf_octets::TooLarge>(())
//! ```
//!
//! [`Rules::WILD`]: elf_base::Rules::WILD
//!
//! # Which crate next
//!
//! * [`elf-lines`](https://docs.rs/elf-lines): one line: level, identifier, tag, payload; and paths
//! * [`elf-tagged`](https://docs.rs/elf-tagged): reads and writes files as trees of tags

mod alphabets;
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
mod likeness;
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
mod units;
mod utf16;
mod utf8;
mod utf8_char;
mod weigh;
mod write;

pub use decide::{EVIDENCE_LIMIT, decide};
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
pub use write::Form;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
