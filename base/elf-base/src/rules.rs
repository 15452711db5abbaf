//! The rules, a value that contains all differences between the drafts and GEDCOM. The value has a sub-struct for each
//! layer, and there are eight presets.
//!
//! The five drafts differ in about eighty places, and GEDCOM 5.5.1 and 7.0 in some more. The fields cover all of these
//! differences. A function of one layer takes only the rules of its layer ([`LineRules`], [`TaggedRules`], …), and a
//! function of several layers takes [`Rules`]. There is no default: the caller always chooses the rules.
//!
//! The file `rules/presets.rs` has the presets side by side, so you can compare the drafts line by line.

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
    /// The name of the preset on which the rules are based: `wild`, `2019-12`, `2019-01`, `declarative`, `2017-10`,
    /// `2017-07`, `gedcom-7`, `gedcom-5.5.1`.
    pub name: &'static str,
    /// The format that determines the classes and clauses of findings. [`Rules::WILD`] uses the format of December
    /// 2019.
    pub format: Format,
    /// The rules by which bytes become line strings.
    pub octets: OctetRules,
    /// The rules by which line strings become lines.
    pub lines: LineRules,
    /// The rules by which lines become tagged structures.
    pub tagged: TaggedRules,
    /// The rules by which tags get structure types.
    pub schema: SchemaRules,
    /// The rules by which files are written.
    pub write: WriteRules,
}

/// The rules by which bytes become line strings. The rules are about encodings and blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OctetRules {
    /// How the encoding is found: the default, UTF-16 without a byte-order mark, the search for CHAR, the first line.
    pub prescan: Prescan,
    /// The names that are allowed in CHAR (J19 §4.1, D19 *Specified character encodings*). Other names are reported
    /// (E0103).
    pub names: EncodingNames,
    /// Whether the content of a file decides its encoding if CHAR is missing, unknown or impossible (E0108), and
    /// whether decoding errors with a likely cause are corrected (E0112, E0113). False in all drafts.
    pub content: bool,
    /// What happens to blank lines (D19 *Line strings*, J19 §2.4, E17 §5.1).
    pub blank_lines: BlankLines,
    /// Whether whitespace at the start of a line string is removed with the line breaks (D19 *Line strings*). In the
    /// earlier drafts, it is part of the grammar of lines: [`LineRules::leading_whitespace`].
    pub strip_leading: bool,
    /// Whether Unicode escapes are replaced before the text is split into lines (2017 §7.2).
    pub stream_escapes: bool,
    /// The control characters that are reported when they occur in a file.
    pub controls: Controls,
    /// Which rules apply to a file whose header says GEDCOM 7.
    pub gedcom_7: Gedcom70Header,
    /// What a lone line feed means in a file in which nearly all lines end in CR LF.
    pub lone_feeds: LoneFeeds,
}

/// What a lone line feed means in a file in which nearly all lines end in CR LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoneFeeds {
    /// A lone line feed ends a line (all drafts).
    EndLines,
    /// A lone line feed is a line break within a payload, if the line can have a payload with text (E0306; `WILD`,
    /// GEDCOM).
    BreakPayloads,
}

/// How the encoding of a file is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prescan {
    /// The rules of the drafts before December 2019. ANSEL is the default. An encoded digit zero shows UTF-16. CHAR is
    /// searched in parsed lines, up to the second line at level 0 (J19 §7.2).
    Early,
    /// The rules of December 2019. UTF-8 is the default. Any ASCII character shows UTF-16. CHAR is searched in line
    /// strings with normalised whitespace and in upper case. U+0000 and a first line other than `0 HEAD` are fatal
    /// there (E0101; D19 *Specified character encodings*).
    December,
    /// The rules of GEDCOM 7.0. Files are in UTF-8, even if CHAR names another encoding. UTF-16 is read and reported
    /// (GEDCOM 7.0 *Characters*).
    Gedcom70,
}

/// The control characters that are reported when they occur in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Controls {
    /// Control characters except U+0085, and private-use characters, are discouraged (E0115).
    Restricted,
    /// Control characters except tab, LF and CR are not allowed (E0119; GEDCOM 7.0 *Characters*).
    Banned,
}

/// Which rules apply to a file whose header says GEDCOM 7 (HEAD.GEDC.VERS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gedcom70Header {
    /// The file is read like any other file (all drafts; D19 *Legacy GEDCOM version* leaves this to the reader).
    Ignore,
    /// The file is read under [`Rules::GEDCOM_7`] after the end of its header (`WILD`).
    Follow,
}

/// The names of encodings that are allowed in CHAR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodingNames {
    /// CHAR can only contain ASCII, ANSEL, UNICODE and UTF-8.
    Standard,
    /// CHAR can also contain the spellings that programs write, such as `ANSI`, `IBMPC`, `UTF8` (E0107).
    Producers,
}

/// What happens to blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlankLines {
    /// Blank lines are invalid lines, so they are malformed (October 2017; declarative).
    Malformed,
    /// Empty lines are skipped. Lines that consist of whitespace are malformed (January 2019).
    SkipEmpty,
    /// Empty lines and lines that consist of whitespace are skipped (July 2017, December 2019).
    SkipBlank,
}

/// The rules by which line strings become lines: the grammar of the level, the cross-reference identifier, the tag and
/// the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineRules {
    /// Whether whitespace is allowed before the level (J19 §6.1 *Parseable*, 2017 §5.1). Whitespace that is not allowed
    /// is reported (E0201).
    pub leading_whitespace: bool,
    /// What happens to levels with leading zeros (J19 §6.1). Leading zeros that are not allowed are reported (E0202).
    pub level_zeros: LevelZeros,
    /// The highest level that is allowed. Lines with higher levels are read and reported (E0212).
    pub highest_level: u32,
    /// How the tag and the payload are separated, and which whitespace belongs to the payload.
    pub payload: PayloadWhitespace,
    /// How the parts of a line before the tag are separated.
    pub delimiters: Delimiters,
    /// The characters that are accepted in cross-reference identifiers. Other characters are reported (E0204).
    pub xref: XrefChars,
    /// The characters that conform to the format in cross-reference identifiers. Other characters are read and reported
    /// (E0204, E0210).
    pub conformant_xref: XrefChars,
    /// The letters that a tag can contain.
    pub tags: TagLetters,
    /// The forms in which a tag can be written.
    pub tag_names: TagNames,
    /// Whether long identifiers and tags are reported (E0208, E0209).
    pub lengths_advised: bool,
}

/// How the parts of a line before the tag are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiters {
    /// Any number of spaces and tabs separates the parts (all drafts).
    Blanks,
    /// One space separates the parts. Other whitespace is read and reported (E0211; GEDCOM 7.0 *Lines*).
    Space,
}

/// The letters that a tag can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagLetters {
    /// Tags contain letters, digits and underscores (all drafts; GEDCOM 5.5.1).
    Any,
    /// Tags contain capital letters, digits and underscores, and do not start with a digit. Other tags are read and
    /// reported (E0205; GEDCOM 7.0 *Lines*).
    Capitals,
}

/// The forms in which a tag can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagNames {
    /// A tag is written in its short form only (all drafts, GEDCOM 7).
    Short,
    /// A tag can also be written as its full name in GEDCOM 5.5 Appendix A, such as `INDIVIDUAL`. Full names are
    /// reported (E0215; `WILD`, GEDCOM 5.5.1).
    ShortOrFull,
}

/// What happens to levels with leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelZeros {
    /// A line whose level has leading zeros is malformed (all drafts except January 2019).
    Malformed,
    /// The leading zeros of a level are ignored (January 2019).
    Ignore,
    /// The leading zeros of a level are ignored and reported (`WILD`).
    Report,
}

/// How the tag and the payload are separated, and which whitespace belongs to the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PayloadWhitespace {
    /// Any number of spaces and tabs separates tag and payload. Whitespace at the ends of the payload is removed (2017
    /// §5.1).
    Trim,
    /// One space separates tag and payload. A tab there is reported (E0201). Further whitespace belongs to the payload
    /// (declarative).
    KeepAfterSpace,
    /// One space or tab separates tag and payload. Further whitespace belongs to the payload (January and December
    /// 2019).
    KeepAfterSpaceOrTab,
}

/// The characters that cross-reference identifiers and pointers can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XrefChars {
    /// An identifier starts with a digit, letter or underscore. After the first character, anything except at signs and
    /// line breaks is allowed (2017 §5.1 `XRef`).
    Loose,
    /// An identifier starts with a digit, letter or underscore. After the first character, printable ASCII except at
    /// signs is allowed (declarative; J19 §5.1 `XrefID`).
    AsciiId,
    /// Only characters that can be in an IRI without an escape are allowed (D19 *Cross-reference identifiers*,
    /// `IDChar`). A pointer may contain other characters, but is then unresolved (D19 *Payloads*).
    IriSafe,
    /// All characters except at signs and line breaks are allowed, but `#` cannot come first. `WILD` and the rules of
    /// GEDCOM use this set.
    Any,
    /// Capital letters, digits and underscores are allowed, but the identifier cannot be `VOID` (GEDCOM 7.0 *Lines*,
    /// `Xref`).
    Capitals,
}

/// The rules by which lines become tagged structures. The rules are about bad lines, escapes, pointers and the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaggedRules {
    /// What happens to a malformed line, a level that is too deep, a misplaced continuation line, or a missing
    /// trailer.
    pub bad_line: BadLine,
    /// What happens to joined lines, which are two lines without a line break between them.
    pub joined_lines: JoinedLines,
    /// The grammar of escapes, which also determines when they are read.
    pub escape: Escape,
    /// What happens to unresolved and ambiguous pointers and to repeated identifiers.
    pub xref_errors: XrefErrors,
    /// The structures that are serialisation metadata instead of data.
    pub metadata: Metadata,
    /// The substructures of the header that can have a cross-reference identifier. An identifier of another
    /// substructure is reported (E0313).
    pub header_xrefs: HeaderXrefs,
    /// Whether a structure that is not a record can have a cross-reference identifier. An identifier that is not
    /// allowed is reported (E0339; GEDCOM 7.0 *Lines*).
    pub inner_xrefs: bool,
    /// Whether `@VOID@` is a pointer that deliberately refers to no record (GEDCOM 7.0 *Lines*).
    pub void_pointer: bool,
    /// Whether CONC continues a payload. A CONC that does not is reported (E0340; GEDCOM 7.0 *Lines*).
    pub conc: bool,
    /// Whether a structure can have neither a payload nor substructures. A structure that must not be empty is reported
    /// (E0341; GEDCOM 7.0 *Structures*).
    pub empty_structures: bool,
    /// How an empty payload differs from a missing payload.
    pub empty_payload: EmptyPayload,
    /// Whether PLANG and DTYPE are reserved tags, and PLANG names the language of payloads (D19 *Tags*, *Header
    /// metadata*). In the earlier drafts they are ordinary tags.
    pub payload_language: bool,
}

/// What happens to an invalid line, or to a line at a place where it is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BadLine {
    /// Reading stops, and everything before the line is returned (December 2019).
    Terminate,
    /// The line becomes an ERROR line, one level below the line before it (J19 §6.1).
    ErrorLine,
    /// The line is rejected, with all lines that depend on it (declarative).
    Reject,
    /// The line is kept where it most likely belongs: as a continuation of the line before, under the nearest possible
    /// superstructure, or as an ERROR line (`WILD`, and 2017, which does not define this).
    Recover,
}

/// What happens to joined lines, which are two lines without a line break between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinedLines {
    /// Two joined lines are read as one line (all drafts).
    Accept,
    /// Two joined lines are read as one line and reported (E0214; `WILD`, GEDCOM).
    Report,
}

impl BadLine {
    /// Returns whether an invalid line is left out, with all lines that depend on it (RDX *Level*).
    pub const fn leaves_lines_out(self) -> bool {
        match self {
            BadLine::Reject => true,
            BadLine::Terminate | BadLine::ErrorLine | BadLine::Recover => false,
        }
    }
}

/// What happens to unresolved and ambiguous pointers, and to repeated identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XrefErrors {
    /// The pointer is kept and reported (2017 and December 2019, which do not define this; `WILD`).
    Keep,
    /// The pointer refers to an inserted record with the tag UNDEF (J19 §5.1).
    Undef,
    /// The pointer is kept and reported. Repeated identifiers are handled by one of four options (declarative).
    Options(Duplicates),
}

/// The four options of the declarative draft for repeated identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// Option 1: a repeated identifier causes the whole dataset to be rejected.
    RejectAll,
    /// Option 2: all structures with the repeated identifier are rejected, and so are the structures that point to
    /// them.
    RejectBearers,
    /// Option 3: if no pointer refers to the repeated identifier, it is removed. If a pointer refers to it, option 2
    /// applies.
    DropUnused,
    /// Option 4: if exactly one of the structures is a record, that record keeps the identifier. If several of them or
    /// none of them are records, option 3 applies.
    KeepRecord,
}

/// The structures that are serialisation metadata instead of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metadata {
    /// The metadata are the six pseudo-structures CHAR, CONC, CONT, DEFN, PRFX and TRLR (2017 §3.2).
    PseudoStructures,
    /// The metadata are CHAR and SCHMA in HEAD, and the trailer (declarative; January 2019).
    Schema,
    /// The metadata are CHAR, ELF, GEDC, PLANG and SCHMA in HEAD, and the trailer. The metadata are read before escapes
    /// and continuation lines (D19 *Header metadata*).
    Versions,
    /// The metadata are CHAR and GEDC in HEAD, and the trailer (GEDCOM 5.5.1).
    Gedcom551,
    /// The metadata are GEDC and SCHMA in HEAD, and the trailer. CHAR and the form of GEDC belong to GEDCOM 5.5.1 and
    /// are reported (E0342; GEDCOM 7.0 *The Header and Trailer*).
    Gedcom70,
}

/// The substructures of the header that can have a cross-reference identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeaderXrefs {
    /// Every substructure of the header can have an identifier (2017).
    Any,
    /// The substructures that are data can have an identifier, and serialisation metadata cannot (J19 §5.1; D19
    /// *Parsing serialisation metadata*).
    OnData,
    /// No substructure of the header can have an identifier (RDX *Header*).
    None,
}

/// How an empty payload differs from a missing payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmptyPayload {
    /// A structure can have an empty payload, but lines cannot show it, because their whitespace is trimmed (2017
    /// §5.2).
    Trimmed,
    /// An empty payload differs from a missing one: a space after the tag shows that there is an empty payload
    /// (declarative; January 2019).
    Present,
    /// An empty payload is the same as a missing one (D19 *Payloads*).
    Absent,
}

/// The rules by which tags get structure types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaRules {
    /// How a file defines the types of its structures.
    pub mechanism: Mechanism,
    /// The schema for files that do not define a schema.
    pub default: DefaultSchema,
    /// The standard by which dates, ages and times are read.
    pub dates: DateRules,
}

/// The standard by which dates, ages and times are read, unless the user names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateRules {
    /// The standard is ELF Dates.
    Elf,
    /// ELF Dates and GEDCOM 5.5.1 apply together, for files as they are found in practice. Case is ignored, years have
    /// three or four digits, and the second year of a dual year is the next one.
    AsFound,
    /// The standard is GEDCOM 7.0.
    Gedcom70,
}

/// How a file defines the types of its structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mechanism {
    /// A file defines types with the IRI dictionary in HEAD.PRFX and HEAD.DEFN. A tag has the same type everywhere
    /// (2017).
    IriDictionary,
    /// A file defines types with PRFX, IRI, ISA, TAG and ESC under HEAD.SCHMA. The type of a tag depends on its
    /// superstructure (declarative, January 2019).
    Inline {
        /// True if a SCHMA may name external schemas (January 2019).
        external: bool,
    },
    /// A file defines types with HEAD.SCHMA, which refers to a schema by an IRI. A SCHMA with substructures is a schema
    /// as in January 2019 (December 2019).
    Reference,
    /// A file defines only extension tags. HEAD.SCHMA gives URIs to them (GEDCOM 7.0 *Extensions*).
    ExtensionTags,
    /// A file cannot define types (GEDCOM 5.5.1).
    None,
}

/// The schema for files that do not define a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultSchema {
    /// There is no schema. Types are made of the built-in namespace and the tag (2017).
    None,
    /// The default schema, exactly as Appendix A of the January 2019 draft publishes it.
    Published,
    /// The default schema of January 2019 with its gaps filled, so that every path of GEDCOM 5.5.1 has a type.
    Completed,
    /// The structures of GEDCOM 7.0, each under its superstructures (GEDCOM 7.0 *Structures*).
    Gedcom70,
    /// The structures of the draft of GEDCOM 7.1.
    Gedcom71,
}

/// The rules by which files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteRules {
    /// Which files get a byte-order mark when they are written.
    pub mark: WriteMark,
    /// The maximum length of a line that is written.
    pub limit: LineLimit,
    /// Whether whitespace at the ends of a payload line is written as Unicode escapes. This is necessary if readers
    /// remove such whitespace.
    pub edge_escapes: bool,
    /// Whether faulty identifiers and pointers are written unchanged, such as repeated identifiers and pointers to
    /// other files (`WILD`). False in all drafts (D19 *Pointer conversion*).
    pub keeps_faults: bool,
    /// The structures that a written pointer can refer to.
    pub pointers: PointerTargets,
    /// The encodings in which a file can be written.
    pub encodings: Encodings,
    /// The maximum length of an identifier in characters, without its at signs. `None` if the standard only recommends
    /// a length.
    pub longest_xref: Option<u32>,
}

/// The encodings in which a file can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encodings {
    /// The encodings that CHAR can name: ASCII, ANSEL, UTF-8 and UTF-16.
    Named,
    /// UTF-8 is the only encoding (GEDCOM 7.0 *Characters*).
    Utf8,
}

/// The structures that a written pointer can refer to. Other pointers become text, or refer to an inserted record
/// ([`XrefErrors::Undef`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerTargets {
    /// A pointer can refer to the records of the file (RDX *Intermediate forms*).
    Records,
    /// A pointer can refer to any structure of the file (O17 §3.1; J19 §5.1).
    Structures,
    /// A pointer can contain any valid identifier (D19 *Pointer conversion*, *Payloads*).
    Identifiers,
}

/// Which files get a byte-order mark when they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteMark {
    /// No file gets a byte-order mark (declarative and January 2019, which do not mention it).
    Never,
    /// Files in UTF-8 and UTF-16 get a byte-order mark (2017).
    Unicode,
    /// Files in UTF-16 get a byte-order mark (December 2019).
    Utf16,
}

impl WriteMark {
    /// Returns whether a file gets a byte-order mark. `has_mark` is true if its encoding has such a mark, and
    /// `is_utf16` if its encoding is UTF-16.
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
