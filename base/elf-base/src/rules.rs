//! Rules: a value for all differences between the drafts and GEDCOM, with a sub-struct for each layer and eight
//! presets.
//!
//! The five drafts differ in about eighty places, and GEDCOM 5.5.1 and 7.0 in some more; the fields cover all of them.
//! A function of one layer takes only the rules of its layer ([`LineRules`], [`TaggedRules`], …); a function of several
//! layers takes [`Rules`]. There is no default: the caller always chooses the rules.
//!
//! The presets are side by side in `rules/presets.rs`, so you can compare the drafts line by line.

mod escape;
mod line_limit;
mod presets;
mod questions;

pub use escape::{Escape, EscapeLookalikes, EscapesWithoutSchema};
pub use line_limit::{LengthUnit, LineLimit};

use crate::Format;

/// The rules of a format, or of files as they are found in practice ([`Rules::WILD`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    /// The name of the preset that this is based on: `wild`, `2019-12`, `2019-01`, `declarative`, `2017-10`,
    /// `2017-07`, `gedcom-7`, `gedcom-5.5.1`.
    pub name: &'static str,
    /// The format that determines the classes and clauses of findings. [`Rules::WILD`] uses that of December 2019.
    pub format: Format,
    /// From bytes to line strings.
    pub octets: OctetRules,
    /// From line strings to lines.
    pub lines: LineRules,
    /// From lines to tagged structures.
    pub tagged: TaggedRules,
    /// From tags to structure types.
    pub schema: SchemaRules,
    /// Rules for writers.
    pub write: WriteRules,
}

/// From bytes to line strings: encodings and blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OctetRules {
    /// How the encoding is found: the default, UTF-16 without a mark, the search for CHAR, the first line.
    pub prescan: Prescan,
    /// The names that are allowed in CHAR (J19 §4.1, D19 *Specified character encodings*). Other names are E0103.
    pub names: EncodingNames,
    /// Whether the encoding is detected from the content if CHAR is missing, unknown or impossible (E0108), and
    /// whether decoding errors with a likely cause are corrected (E0112, E0113). False in all drafts.
    pub content: bool,
    /// What happens to blank lines (D19 *Line strings*, J19 §2.4, E17 §5.1).
    pub blank_lines: BlankLines,
    /// Whether whitespace at the start of a line string is removed with the line breaks (D19 *Line strings*). In the
    /// earlier drafts, it is part of the grammar of lines: [`LineRules::leading_whitespace`].
    pub strip_leading: bool,
    /// Whether Unicode escapes are replaced before the text is split into lines (2017 §7.2).
    pub stream_escapes: bool,
    /// The control characters that are reported.
    pub controls: Controls,
    /// How files are read whose header says GEDCOM 7.
    pub gedcom_7: Gedcom70Header,
    /// What a lone line feed means in a file in which nearly all lines end in CR LF.
    pub lone_feeds: LoneFeeds,
}

/// What a lone line feed means in a file in which nearly all lines end in CR LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoneFeeds {
    /// It ends a line (all drafts).
    EndLines,
    /// It is a line break in the payload of the line, if that can have text (E0306; `WILD`, GEDCOM).
    BreakPayloads,
}

/// How the encoding of a file is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prescan {
    /// The drafts before December 2019: ANSEL by default; an encoded digit zero shows UTF-16; CHAR is searched in
    /// parsed lines up to the second one at level 0 (J19 §7.2).
    Early,
    /// December 2019: UTF-8 by default; any ASCII character shows UTF-16; CHAR is searched in line strings with
    /// normalised whitespace and in upper case; U+0000 and a first line other than `0 HEAD` are fatal there (E0101;
    /// D19 *Specified character encodings*).
    December,
    /// GEDCOM 7.0: UTF-8, whatever CHAR says. UTF-16 is read and reported (GEDCOM 7.0 *Characters*).
    Gedcom70,
}

/// The control characters that are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Controls {
    /// Controls except U+0085, and private-use characters, are discouraged (E0115).
    Restricted,
    /// Controls except tab, LF and CR are not allowed (E0119; GEDCOM 7.0 *Characters*).
    Banned,
}

/// How files are read whose header says GEDCOM 7 (HEAD.GEDC.VERS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gedcom70Header {
    /// Like any other file (all drafts; D19 *Legacy GEDCOM version* leaves it to the reader).
    Ignore,
    /// Under [`Rules::GEDCOM_7`], from the end of the header on (`WILD`).
    Follow,
}

/// The names that are allowed in CHAR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodingNames {
    /// Only ASCII, ANSEL, UNICODE and UTF-8.
    Standard,
    /// Also the spellings that programs write, such as `ANSI`, `IBMPC`, `UTF8` (E0107).
    Producers,
}

/// What happens to blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlankLines {
    /// They are invalid lines, so they are malformed (October 2017; declarative).
    Malformed,
    /// Empty lines are skipped; lines of whitespace are malformed (January 2019).
    SkipEmpty,
    /// Both are skipped (July 2017, December 2019).
    SkipBlank,
}

/// From line strings to lines: the grammar of level, cross-reference identifier, tag and payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineRules {
    /// Whether whitespace is allowed before the level (J19 §6.1 *Parseable*, 2017 §5.1). Otherwise it is E0201.
    pub leading_whitespace: bool,
    /// What happens to levels with leading zeros (J19 §6.1). Otherwise they are E0202.
    pub level_zeros: LevelZeros,
    /// The highest level. Lines with higher levels are read and reported (E0212).
    pub highest_level: u32,
    /// How tag and payload are separated, and which whitespace belongs to the payload.
    pub payload: PayloadWhitespace,
    /// How the parts of a line before the tag are separated.
    pub delimiters: Delimiters,
    /// The characters that are accepted in cross-reference identifiers. Others are E0204.
    pub xref: XrefChars,
    /// The characters that are conformant in cross-reference identifiers. Others are read and reported (E0204,
    /// E0210).
    pub conformant_xref: XrefChars,
    /// The letters of tags.
    pub tags: TagLetters,
    /// The forms in which a tag can be written.
    pub tag_names: TagNames,
    /// Whether long identifiers and tags are reported (E0208, E0209).
    pub lengths_advised: bool,
}

/// How the parts of a line before the tag are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiters {
    /// Any run of spaces and tabs (all drafts).
    Blanks,
    /// By one space; other whitespace is read and reported (E0211; GEDCOM 7.0 *Lines*).
    Space,
}

/// The letters of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagLetters {
    /// Letters, digits and underscores (all drafts; GEDCOM 5.5.1).
    Any,
    /// Capital letters, digits and underscores, not starting with a digit. Others are read and reported (E0205;
    /// GEDCOM 7.0 *Lines*).
    Capitals,
}

/// The forms in which a tag can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagNames {
    /// Only tags (all drafts, GEDCOM 7).
    Short,
    /// Tags and the full names in GEDCOM 5.5 Appendix A, such as `INDIVIDUAL`, which are reported (E0215; `WILD`,
    /// GEDCOM 5.5.1).
    ShortOrFull,
}

/// What happens to levels with leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelZeros {
    /// The line is malformed (all drafts except January 2019).
    Malformed,
    /// The zeros are ignored (January 2019).
    Ignore,
    /// The zeros are ignored and reported (`WILD`).
    Report,
}

/// How tag and payload are separated, and which whitespace belongs to the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PayloadWhitespace {
    /// By any number of spaces and tabs; whitespace at the ends of the payload is trimmed (2017 §5.1).
    Trim,
    /// By one space, or a tab, which is reported (E0201). Further whitespace belongs to the payload (declarative).
    KeepAfterSpace,
    /// By one space or tab. Further whitespace belongs to the payload (January and December 2019).
    KeepAfterSpaceOrTab,
}

/// The characters of cross-reference identifiers and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XrefChars {
    /// A digit, letter or underscore, then anything except at signs and line breaks (2017 §5.1 `XRef`).
    Loose,
    /// A digit, letter or underscore, then printable ASCII except at signs (declarative; J19 §5.1 `XrefID`).
    AsciiId,
    /// Characters that can be in an IRI unescaped (D19 *Cross-reference identifiers*, `IDChar`). A pointer may
    /// contain others, but is then unresolved (D19 *Payloads*).
    IriSafe,
    /// Anything except at signs and line breaks, not starting with `#` (`WILD`, GEDCOM).
    Any,
    /// Capital letters, digits and underscores, but not `VOID` (GEDCOM 7.0 *Lines*, `Xref`).
    Capitals,
}

/// Lines to tagged structures: bad lines, escapes, pointers, the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaggedRules {
    /// What happens to a malformed line, a level that is too deep, a misplaced continuation line, or a missing
    /// trailer.
    pub bad_line: BadLine,
    /// What happens to joined lines.
    pub joined_lines: JoinedLines,
    /// The grammar of escapes, and when they are read.
    pub escape: Escape,
    /// What happens to unresolved and ambiguous pointers and to repeated identifiers.
    pub xref_errors: XrefErrors,
    /// The structures that are serialisation metadata instead of data.
    pub metadata: Metadata,
    /// Which substructures of the header can have a cross-reference identifier. Others are E0313.
    pub header_xrefs: HeaderXrefs,
    /// Whether a structure that is not a record can have a cross-reference identifier. Otherwise it is E0339 (GEDCOM
    /// 7.0 *Lines*).
    pub inner_xrefs: bool,
    /// Whether `@VOID@` is a pointer that deliberately refers to no record (GEDCOM 7.0 *Lines*).
    pub void_pointer: bool,
    /// Whether CONC continues a payload. Otherwise it is E0340 (GEDCOM 7.0 *Lines*).
    pub conc: bool,
    /// Whether a structure can have neither payload nor substructures. Otherwise it is E0341 (GEDCOM 7.0
    /// *Structures*).
    pub empty_structures: bool,
    /// How an empty payload differs from a missing one.
    pub empty_payload: EmptyPayload,
    /// Whether PLANG and DTYPE are reserved, and PLANG names the language of payloads (D19 *Tags*, *Header
    /// metadata*). In the earlier drafts they are ordinary tags.
    pub payload_language: bool,
}

/// What happens to an invalid or misplaced line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BadLine {
    /// Reading stops, and the part before it is returned (December 2019).
    Terminate,
    /// It becomes an ERROR line one level below the line before (J19 §6.1).
    ErrorLine,
    /// It is rejected with everything that depends on it (declarative).
    Reject,
    /// It is kept where it most likely belongs: as a continuation of the line before, under the nearest possible
    /// superstructure, or as an ERROR line (`WILD`, and 2017, which does not define this).
    Recover,
}

/// What happens to joined lines, between which a line break is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinedLines {
    /// They are read as one line (all drafts).
    Accept,
    /// They are read as one line and reported (E0214; `WILD`, GEDCOM).
    Report,
}

impl BadLine {
    /// Returns whether an invalid line is left out with everything that depends on it (RDX *Level*).
    pub const fn leaves_lines_out(self) -> bool {
        match self {
            BadLine::Reject => true,
            BadLine::Terminate | BadLine::ErrorLine | BadLine::Recover => false,
        }
    }
}

/// What happens to unresolved and ambiguous pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XrefErrors {
    /// The pointer is kept and reported (2017 and December 2019, which do not define this; `WILD`).
    Keep,
    /// The pointer refers to an inserted record with the tag UNDEF (J19 §5.1).
    Undef,
    /// The pointer is kept and reported; for repeated identifiers, there are four options (declarative).
    Options(Duplicates),
}

/// The options of the declarative draft for repeated identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// Option 1: the whole dataset is rejected.
    RejectAll,
    /// Option 2: the structures with this identifier are rejected, and those that point to them.
    RejectBearers,
    /// Option 3: if nothing points to it, the identifier is dropped. Otherwise like option 2.
    DropUnused,
    /// Option 4: if exactly one of the structures is a record, it keeps the identifier. Otherwise like option 3.
    KeepRecord,
}

/// The structures that are serialisation metadata instead of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metadata {
    /// The six pseudo-structures CHAR, CONC, CONT, DEFN, PRFX, TRLR (2017 §3.2).
    PseudoStructures,
    /// CHAR and SCHMA in HEAD, and the trailer (declarative; January 2019).
    Schema,
    /// CHAR, ELF, GEDC, PLANG and SCHMA in HEAD, and the trailer. They are read before escapes and continuation lines
    /// (D19 *Header metadata*).
    Versions,
    /// CHAR and GEDC in HEAD, and the trailer (GEDCOM 5.5.1).
    Gedcom551,
    /// GEDC and SCHMA in HEAD, and the trailer. CHAR and the form of GEDC belong to GEDCOM 5.5.1 and are reported
    /// (E0342; GEDCOM 7.0 *The Header and Trailer*).
    Gedcom70,
}

/// Which substructures of the header can have a cross-reference identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeaderXrefs {
    /// All of them (2017).
    Any,
    /// Those that are data, not serialisation metadata (J19 §5.1; D19 *Parsing serialisation metadata*).
    OnData,
    /// None (RDX *Header*).
    None,
}

/// How an empty payload differs from a missing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmptyPayload {
    /// A structure can have an empty payload, but lines cannot show it, because their whitespace is trimmed (2017
    /// §5.2).
    Trimmed,
    /// They differ: before an empty payload, there is a space after the tag (declarative; January 2019).
    Present,
    /// They are the same (D19 *Payloads*).
    Absent,
}

/// From tags to structure types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaRules {
    /// How a file defines types.
    pub mechanism: Mechanism,
    /// The schema for files that do not define one.
    pub default: DefaultSchema,
    /// The standard for dates, ages and times.
    pub dates: DateRules,
}

/// The standard for dates, ages and times, unless the user names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateRules {
    /// ELF Dates.
    Elf,
    /// ELF Dates and GEDCOM 5.5.1 together, for files as they are found: case is ignored, years have three or four
    /// digits, and dual years end in the next year.
    AsFound,
    /// GEDCOM 7.0.
    Gedcom70,
}

/// How a file defines the types of its structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mechanism {
    /// With the IRI dictionary in HEAD.PRFX and HEAD.DEFN: a tag has the same type everywhere (2017).
    IriDictionary,
    /// With PRFX, IRI, ISA, TAG and ESC under HEAD.SCHMA: the type of a tag depends on its superstructure
    /// (declarative, January 2019).
    Inline {
        /// True if a SCHMA may name external schemas (January 2019).
        external: bool,
    },
    /// With HEAD.SCHMA as a reference by IRI or, if it has substructures, as in January 2019 (December 2019).
    Reference,
    /// With HEAD.SCHMA, which gives URIs to extension tags only (GEDCOM 7.0 *Extensions*).
    ExtensionTags,
    /// It cannot (GEDCOM 5.5.1).
    None,
}

/// The schema for files that do not define one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultSchema {
    /// No schema: types are made from the built-in namespace and the tag (2017).
    None,
    /// The default schema exactly as the January 2019 draft publishes it in Appendix A.
    Published,
    /// The published schema with its gaps filled, so that every path of GEDCOM 5.5.1 has a type.
    Completed,
    /// The structures of GEDCOM 7.0 at their places (GEDCOM 7.0 *Structures*).
    Gedcom70,
    /// The structures of the draft of GEDCOM 7.1.
    Gedcom71,
}

/// Rules for writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteRules {
    /// Which files get a byte-order mark.
    pub mark: WriteMark,
    /// The maximum length of a line.
    pub limit: LineLimit,
    /// Whether whitespace at the ends of a payload line is written as Unicode escapes, because readers trim it.
    pub edge_escapes: bool,
    /// Whether faulty identifiers and pointers are written unchanged, such as repeated identifiers and pointers to
    /// other files (`WILD`). False in all drafts (D19 *Pointer conversion*).
    pub keeps_faults: bool,
    /// What a pointer can refer to.
    pub pointers: PointerTargets,
    /// The encodings that a file can be in.
    pub encodings: Encodings,
    /// The maximum length of an identifier in characters, without its at signs; `None` if there is only a
    /// recommendation.
    pub longest_xref: Option<u32>,
}

/// The encodings that a writer can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encodings {
    /// Those that CHAR can name: ASCII, ANSEL, UTF-8 and UTF-16.
    Named,
    /// Only UTF-8 (GEDCOM 7.0 *Characters*).
    Utf8,
}

/// What a pointer can refer to. Other pointers become text, or refer to an inserted record ([`XrefErrors::Undef`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerTargets {
    /// Records of the file (RDX *Intermediate forms*).
    Records,
    /// Structures of the file (O17 §3.1; J19 §5.1).
    Structures,
    /// Any valid identifier (D19 *Pointer conversion*, *Payloads*).
    Identifiers,
}

/// Which files get a byte-order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteMark {
    /// None (declarative and January 2019 do not mention it).
    Never,
    /// Files in UTF-8 and UTF-16 (2017).
    Unicode,
    /// Files in UTF-16 (December 2019).
    Utf16,
}

impl WriteMark {
    /// Returns whether a file gets a byte-order mark. `has_mark`: the encoding has one. `is_utf16`: it is UTF-16.
    ///
    /// ```
    /// use elf_base::rules::WriteMark;
    ///
    /// let of_utf_8 = [WriteMark::Never, WriteMark::Utf16, WriteMark::Unicode].map(|mark| mark.is_written(true, false));
    /// assert_eq!(of_utf_8, [false, false, true]);
    /// ```
    pub const fn is_written(self, has_mark: bool, is_utf16: bool) -> bool {
        match self {
            WriteMark::Unicode => has_mark,
            WriteMark::Utf16 => is_utf16,
            WriteMark::Never => false,
        }
    }
}
