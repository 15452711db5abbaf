#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! ```text
//! octets ── line strings ── lines ── tagged structures ── typed structures
//! elf-octets             elf-lines   elf-tagged           elf-schema, elf-model
//! ```
//!
//! The five public drafts of the Extended Legacy Format describe the same layers for reading and writing, and differ in
//! about eighty places. This crate has the types that all layers use:
//!
//! * [`Draft`] names the drafts, [`Format`] adds GEDCOM to them, and [`Rules`] contains what a reader or writer does
//!   where they differ. Rules are a value: to compare the drafts, read the eight presets in [`rules`] side by side.
//! * [`Code`] identifies a kind of problem. All codes are in one table. For each draft, it has the clause that the
//!   problem violates and the severity ([`Class`]), and each code has a manual page.
//! * [`Diagnostic`] is one finding at one [`Place`], with the [`Fix`] for it if there is one. A [`Sink`] receives the
//!   findings while the file is read.
//! * [`Span`] is a range of bytes in decoded text.
//! * [`Version`] is a version number of ELF or GEDCOM.
//!
//! Invalid content is never an error: a reader reports findings to a sink and returns what it could read. `Result` is
//! used for other failures: input and output, limits, the network, and characters that cannot be written.
//!
//! [`codes`] has the manual page of each code. [`readings`] explains how this project interprets unclear places of the
//! drafts.

#![forbid(unsafe_code)]

mod class;
mod code;
pub mod codes;
mod credentials;
mod diagnostic;
mod draft;
mod field;
mod fix;
#[cfg(feature = "serde")]
mod flat;
mod format;
mod language;
mod names;
mod packed_text;
mod place;
/// Explains what citations such as `D19`, `J19 §2.4` and `AMB-05` in the documentation mean.
///
/// | citation | text |
/// | --- | --- |
/// | D19 | *ELF Serialisation Format*, draft of 11 December 2019 |
/// | J19 | the same title, draft of 7 January 2019 |
/// | RDX | the same title, the “declarative” draft of January 2019 |
/// | O17, E17 | the same title, the drafts of October and July 2017 |
///
/// Identifiers such as AMB-05, C05 and G18 refer to *readings*. A reading is how this project interprets a draft that
/// contradicts itself or leaves a case open. The page `docs/readings.md` of the repository lists all readings, each
/// with the clause that it is about.
pub mod readings {}
pub mod rules;
mod sink;
mod standard;
mod version;

pub use class::Class;
pub use code::Code;
pub use credentials::{masked_credentials, without_credentials};
pub use diagnostic::{Diagnostic, Excerpt, Related};
pub use draft::Draft;
pub use field::push_field;
pub use fix::{AtSigns, Fix, FixAction, LinkAnswer, Safety};
#[cfg(feature = "serde")]
pub use flat::{FlatFinding, FlatFix, FlatLines, FlatRelated};
pub use format::Format;
pub use language::is_language_tag;
pub use names::UnknownName;
pub use packed_text::PackedText;
pub use place::{Place, Span};
pub use rules::Rules;
pub use sink::{BoundedFindings, Detail, First, Sink, Tally, UntilBreak};
pub use standard::{Against, Standard};
pub use version::Version;
