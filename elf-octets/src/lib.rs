//! Octets to line strings and back.
//!
//! A file is octets; what the standard speaks of are line strings. Between them stand a decision (which encoding
//! is this?), a decoder, and the splitting at line breaks.

mod ansel;
mod decide;
mod decision;
mod decode;
mod encode;
mod encoding;
mod evidence;
mod line_strings;
mod line_table;
mod locator;
mod names;
mod normal;
mod pages;
mod patch;
mod prescan;
mod report;
mod source;
mod stream;
mod survey;
mod translated;
mod utf16;
mod utf8;
mod weigh;
mod write;

pub use decide::{EVIDENCE_LIMIT, decide};
pub use decision::{Because, Decision, DetectedBy, Options};
pub use decode::{Decoded, Irregular, Irregularity, decode};
pub use elf_base;
pub use encoding::{Encoding, Unencodable};
pub use line_strings::LineStrings;
pub use line_table::{LineBreak, LineBreaks, LineRange};
pub use locator::Locator;
pub use normal::nfc;
pub use patch::{Patch, PatchError};
pub use source::{Source, TooLarge};
pub use stream::TextReader;
pub use translated::Step;
pub use write::Form;
