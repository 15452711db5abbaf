//! Rules for all that the drafts and GEDCOM do differently: one value, a sub-struct for each layer, eight
//! presets.
//!
//! The five drafts differ in about eighty places, and GEDCOM 5.5.1 and 7.0 in some more; the fields here
//! cover them. A function of one layer takes only its own slice ([`LineRules`], [`TaggedRules`], …); a
//! function that runs several layers takes [`Rules`]. There is no default: whoever reads a file says by which
//! rules.
//!
//! The presets stand side by side in `rules/presets.rs`. Read line by line, they *are* the comparison.

mod escape;
mod line_limit;
mod presets;
mod questions;

pub use escape::{Escape, EscapeLookalikes, EscapesWithoutSchema};
pub use line_limit::{LengthUnit, LineLimit};

use crate::Format;

/// The rules of one draft, of GEDCOM 7.0 or 5.5.1, or of files as they are found ([`Rules::WILD`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    /// The name of the preset this is, or was made from: `wild`, `2019-12`, `2019-01`, `declarative`,
    /// `2017-10`, `2017-07`, `gedcom-7`, `gedcom-5.5.1`.
    pub name: &'static str,
    /// The format whose classes and clauses diagnostics bear. [`Rules::WILD`] bears those of December 2019.
    pub format: Format,
    /// Octets to line strings.
    pub octets: OctetRules,
    /// Line strings to lines.
    pub lines: LineRules,
    /// Lines to tagged structures.
    pub tagged: TaggedRules,
    /// Tags to structure types.
    pub schema: SchemaRules,
    /// Rules that only a writer needs.
    pub write: WriteRules,
}

/// Octets to line strings: encoding decision, blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OctetRules {
    /// The way to find the encoding: default encoding, UTF-16 without a mark, the scan for CHAR, the first
    /// line.
    pub prescan: Prescan,
    /// The names in CHAR that are known (J19 §4.1, D19 *Specified character encodings*). Others are E0103.
    pub names: EncodingNames,
    /// True if the octets decide where CHAR is missing, unknown or impossible (E0108), and faults of decoding
    /// that have one likely cause are repaired (E0112, E0113). No draft does; `WILD` preserves data.
    pub content: bool,
    /// The fate of blank lines (D19 *Line strings*, J19 §2.4, E17 §5.1).
    pub blank_lines: BlankLines,
    /// True if whitespace at the start of a line string is removed with the line breaks (D19 *Line strings*).
    /// The drafts before leave it to the grammar of lines: [`LineRules::leading_whitespace`].
    pub strip_leading: bool,
    /// True if Unicode escapes are replaced in the character stream, before there are line strings (2017
    /// §7.2).
    pub stream_escapes: bool,
    /// The characters that text should not hold.
    pub controls: Controls,
    /// The treatment of a file whose header says that it is GEDCOM 7.
    pub gedcom_7: Gedcom7,
    /// The meaning of a line feed alone in a file whose lines nearly all end in CR LF.
    pub lone_feeds: LoneFeeds,
}

/// The meaning of a line feed alone in a file whose lines nearly all end in CR LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoneFeeds {
    /// It ends a line (all drafts).
    EndLines,
    /// It is a line break within the payload of the line, if that may have text (E0306; `WILD`, GEDCOM).
    BreakPayloads,
}

/// The way to find the encoding of an octet stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prescan {
    /// The drafts before December 2019: ANSEL unless said otherwise; an encoded digit zero shows UTF-16; CHAR
    /// is looked for in parsed lines up to the second one at level 0 (J19 §7.2).
    Early,
    /// December 2019: UTF-8 unless said otherwise; any ASCII character shows UTF-16; CHAR is looked for in
    /// line strings with whitespace normalised and letters upper-cased; U+0000 there is fatal, and so is a
    /// first line string other than `0 HEAD` (E0101; D19 *Specified character encodings*).
    December,
    /// GEDCOM 7.0: UTF-8, whatever a CHAR may say; UTF-16 with a mark or of ASCII characters is read, and
    /// reported (GEDCOM 7.0 *Characters*).
    Gedcom7,
}

/// The characters that text should not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Controls {
    /// Controls but U+0085, and private-use characters, are better avoided (E0115).
    Restricted,
    /// Controls but tab, LF and CR are none of the characters there are (E0119; GEDCOM 7.0 *Characters*).
    Banned,
}

/// The treatment of a file whose header says that it is GEDCOM 7, in HEAD.GEDC.VERS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gedcom7 {
    /// The file is read like any other (all drafts; D19 *Legacy GEDCOM version* leaves it to the reader).
    Ignore,
    /// The file is read by [`Rules::GEDCOM_7`], as soon as the header has been scanned (`WILD`).
    Heed,
}

/// The CHAR payloads that name an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodingNames {
    /// ASCII, ANSEL, UNICODE and UTF-8 only.
    Standard,
    /// The spellings real producers write as well, such as `ANSI`, `IBMPC`, `UTF8` (E0107).
    Producers,
}

/// The fate of blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlankLines {
    /// Blank lines are line strings, and no lines: malformed (October 2017; declarative).
    Malformed,
    /// Empty ones vanish in the run of line breaks; those of whitespace are malformed (January 2019).
    SkipEmpty,
    /// Empty ones and those of whitespace vanish (July 2017, December 2019).
    SkipBlank,
}

/// Line strings to lines: the grammar of level, cross-reference identifier, tag and payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineRules {
    /// True if whitespace may stand before the level (J19 §6.1 *Parseable*, 2017 §5.1). If not, E0201.
    pub leading_whitespace: bool,
    /// Levels with leading zeros (J19 §6.1). If not, E0202.
    pub level_zeros: LevelZeros,
    /// The highest level. Lines of higher ones are read, and reported (E0212).
    pub highest_level: u32,
    /// The separator of tag and payload, and the whitespace that is payload.
    pub payload: PayloadWhitespace,
    /// The whitespace that separates the parts of a line before the tag.
    pub delimiters: Delimiters,
    /// The characters that are read as a cross-reference identifier. Others are E0204.
    pub xref: XrefChars,
    /// The characters of identifiers that conform: what others are read is reported (E0204, E0210).
    pub conformant_xref: XrefChars,
    /// The letters of a tag.
    pub tags: TagLetters,
    /// The names by which a tag may stand in a line.
    pub tag_names: TagNames,
    /// True if long identifiers and tags are better avoided (E0208, E0209).
    pub lengths_advised: bool,
}

/// The whitespace that separates the parts of a line before the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiters {
    /// Any run of spaces and tabs (all drafts).
    Blanks,
    /// One space; other runs, and blanks before the level, are read and reported (E0211; GEDCOM 7.0 *Lines*).
    Space,
}

/// The letters of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagLetters {
    /// Letters, digits and underscores (all drafts; GEDCOM 5.5.1).
    Any,
    /// Capital letters, digits and underscores, the first one no digit; others are read and reported (E0205;
    /// GEDCOM 7.0 *Lines*).
    Capitals,
}

/// The names by which a tag may stand in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagNames {
    /// Tags alone (all drafts, GEDCOM 7).
    Short,
    /// Tags, and their full names in GEDCOM 5.5 Appendix A, such as `INDIVIDUAL`, which are reported (E0215;
    /// `WILD`, GEDCOM 5.5.1).
    ShortOrFull,
}

/// The fate of a level with leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelZeros {
    /// The line is malformed (all drafts but January 2019).
    Malformed,
    /// Such zeros mean nothing (January 2019).
    Ignore,
    /// Such zeros mean nothing, and are reported (`WILD`).
    Report,
}

/// The separator of tag and payload, and the whitespace that is payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PayloadWhitespace {
    /// Any run of spaces and tabs separates; whitespace at either end is no payload (2017 §5.1).
    Trim,
    /// Exactly one space separates, or a tab, which is reported (E0201); all further whitespace is payload
    /// (declarative).
    KeepAfterSpace,
    /// Exactly one space or tab separates; all further whitespace is payload (January and December 2019).
    KeepAfterSpaceOrTab,
}

/// The characters that make a cross-reference identifier, and the text that is a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XrefChars {
    /// A digit, letter or underscore, then anything but at signs and line breaks (2017 §5.1 `XRef`).
    Loose,
    /// A digit, letter or underscore, then printable ASCII but at signs (declarative; J19 §5.1 `XrefID`).
    AsciiId,
    /// Characters that an IRI may hold unescaped (D19 *Cross-reference identifiers*, `IDChar`); a pointer may
    /// hold more, and then points nowhere (D19 *Payloads*).
    IriSafe,
    /// Anything but at signs and line breaks, not starting with `#` (`WILD`, GEDCOM).
    Any,
    /// Capital letters, digits and underscores, but not `VOID` (GEDCOM 7.0 *Lines*, `Xref`).
    Capitals,
}

/// Lines to tagged structures: bad lines, escapes, pointers, the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaggedRules {
    /// The fate of a malformed line, a level too deep, a stray continuation, a missing trailer.
    pub bad_line: BadLine,
    /// The fate of a line that runs on into another one.
    pub joined_lines: JoinedLines,
    /// The grammar of escapes and the stage at which they are read.
    pub escape: Escape,
    /// The fate of pointers without exactly one target, and of repeated identifiers.
    pub xref_errors: XrefErrors,
    /// The structures extracted from the header and from the end.
    pub metadata: Metadata,
    /// The substructures of the header that may bear a cross-reference identifier. Others are E0313.
    pub header_xrefs: HeaderXrefs,
    /// True if a structure that is no record may bear a cross-reference identifier. If not, E0339 (GEDCOM 7.0
    /// *Lines*).
    pub inner_xrefs: bool,
    /// True if `@VOID@` is a pointer to nothing (GEDCOM 7.0 *Lines*).
    pub void_pointer: bool,
    /// True if CONC goes on with the payload of a line. If not, E0340 (GEDCOM 7.0 *Lines*).
    pub conc: bool,
    /// True if a structure may have neither payload nor substructures. If not, E0341 (GEDCOM 7.0
    /// *Structures*).
    pub empty_structures: bool,
    /// The difference between an empty payload and none.
    pub empty_payload: EmptyPayload,
    /// True if PLANG and DTYPE are reserved, and PLANG names the language of payloads (D19 *Tags*, *Header
    /// metadata*). To the drafts before they are tags like any other.
    pub payload_language: bool,
}

/// The fate of a line that cannot be read, or not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BadLine {
    /// The line ends the reading, with what there is (December 2019).
    Terminate,
    /// The line becomes an ERROR line one deeper than the line before (J19 §6.1).
    ErrorLine,
    /// The line is rejected with what depends on it (declarative).
    Reject,
    /// The line is kept where it most likely belongs: as continuation of the line before, under the nearest
    /// possible superstructure, or as an ERROR line where nothing else explains it (`WILD`, and 2017, which
    /// leaves it to us).
    Recover,
}

/// The fate of a line that runs on into another one, since a line break is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinedLines {
    /// It is a line like any other (all drafts).
    Accept,
    /// It is read like any other, and reported (E0214; `WILD`, GEDCOM).
    Report,
}

impl BadLine {
    /// Returns whether a line that is none is left out, with what depends on it (RDX *Level*).
    pub const fn leaves_lines_out(self) -> bool {
        match self {
            BadLine::Reject => true,
            BadLine::Terminate | BadLine::ErrorLine | BadLine::Recover => false,
        }
    }
}

/// The fate of a pointer that no structure or several structures answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XrefErrors {
    /// The pointer keeps its text and is reported (2017 and December 2019, which leave it to us; `WILD`).
    Keep,
    /// The pointer points to an inserted record tagged UNDEF (J19 §5.1).
    Undef,
    /// The pointer keeps its text and is reported; repeated identifiers are treated by one of four options
    /// (declarative).
    Options(Duplicates),
}

/// The choices of the declarative draft where several structures bear one identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// Option 1: the whole dataset is rejected.
    RejectAll,
    /// Option 2: the bearers are rejected, and the structures that point to them.
    RejectBearers,
    /// Option 3, where nothing points to it: the identifier is dropped. Else as option 2.
    DropUnused,
    /// Option 4, where exactly one bearer is a record: the record keeps it. Else as option 3.
    KeepRecord,
}

/// The structures taken out of the data because they describe the serialisation, not the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metadata {
    /// The six pseudo-structures CHAR, CONC, CONT, DEFN, PRFX, TRLR (2017 §3.2).
    PseudoStructures,
    /// CHAR and SCHMA in HEAD, and the trailer (declarative; January 2019).
    Schema,
    /// CHAR, ELF, GEDC, PLANG and SCHMA in HEAD, and the trailer; read before anything is unescaped, so
    /// without escapes and continuations (D19 *Header metadata*).
    Versions,
    /// CHAR and GEDC in HEAD, and the trailer (GEDCOM 5.5.1).
    Gedcom551,
    /// GEDC and SCHMA in HEAD, and the trailer; CHAR and the form of GEDC are relics of GEDCOM 5.5.1 and
    /// reported (E0342; GEDCOM 7.0 *The Header and Trailer*).
    Gedcom7,
}

/// The substructures of the header that may bear a cross-reference identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeaderXrefs {
    /// All of them (2017).
    Any,
    /// Substructures that are data, but not serialisation metadata (J19 §5.1; D19 *Parsing serialisation
    /// metadata*).
    OnData,
    /// None (RDX *Header*).
    None,
}

/// The difference between a payload of no characters and none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmptyPayload {
    /// An empty payload is one where a structure has text, and none in a line, whose blanks are trimmed
    /// (2017 §5.2).
    Trimmed,
    /// An empty payload differs from none: a space stands after the tag (declarative; January 2019).
    Present,
    /// An empty payload is none (D19 *Payloads*).
    Absent,
}

/// Tags to structure types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaRules {
    /// The way in which a file defines types.
    pub mechanism: Mechanism,
    /// The schema in force where the file brings none.
    pub default: DefaultSchema,
    /// The standard that judges dates, ages and times.
    pub dates: DateRules,
}

/// The standard that judges dates, ages and times, unless the user names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateRules {
    /// ELF Dates, as it stands.
    Elf,
    /// ELF Dates and GEDCOM 5.5.1 together, for files as they are found: capital and small letters count as alike, a
    /// year has three or four digits, and a dual year ends in the next year.
    AsFound,
    /// GEDCOM 7.0.
    Gedcom7,
}

/// The way in which a file defines the types of its structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mechanism {
    /// The IRI dictionary of HEAD.PRFX and HEAD.DEFN: a tag has one type, wherever it stands (2017).
    IriDictionary,
    /// HEAD.SCHMA with PRFX, IRI, ISA, TAG and ESC: a tag has a type in a superstructure (declarative,
    /// January 2019).
    Inline {
        /// True if a SCHMA may name external schemas (January 2019).
        external: bool,
    },
    /// HEAD.SCHMA is a reference by IRI or, by its shape, an inline schema read as January 2019 does
    /// (December 2019).
    Reference,
    /// HEAD.SCHMA gives extension tags URIs, and no other tag a type (GEDCOM 7.0 *Extensions*).
    ExtensionTags,
    /// There is none (GEDCOM 5.5.1).
    None,
}

/// The schema in force where the file brings none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultSchema {
    /// None: the built-in namespace and the tag make the type (2017).
    None,
    /// The default schema exactly as the January 2019 draft publishes it in Appendix A.
    Published,
    /// The published schema with its gaps filled, so that every path of GEDCOM 5.5.1 has a type.
    Completed,
    /// The structures of GEDCOM 7.0, where they may stand (GEDCOM 7.0 *Structures*).
    Gedcom7,
    /// Those of the draft of GEDCOM 7.1.
    Gedcom71,
}

/// Rules that only a writer needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteRules {
    /// The files that get a byte-order mark.
    pub mark: WriteMark,
    /// The longest line a writer should make.
    pub limit: LineLimit,
    /// True if whitespace at the ends of a payload line is written as Unicode escapes, because readers trim.
    pub edge_escapes: bool,
    /// True if identifiers and pointers with faults are written as they were read: repeated identifiers,
    /// pointers that lead out of the file (`WILD`). No draft lets a writer do so (D19 *Pointer conversion*).
    pub keeps_faults: bool,
    /// The target of a pointer that is written as one.
    pub pointers: PointerTargets,
    /// The encodings that a file may be in.
    pub encodings: Encodings,
    /// The longest identifier, in characters without its at signs; `None` where the length is only advised.
    pub longest_xref: Option<u32>,
}

/// The encodings that a writer may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encodings {
    /// Any that CHAR has a name for: ASCII, ANSEL, UTF-8 and UTF-16.
    Named,
    /// UTF-8 (GEDCOM 7.0 *Characters*).
    Utf8,
}

/// The targets of pointers that are written as such. Others become text, or are led to a record
/// ([`XrefErrors::Undef`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerTargets {
    /// To records of the file (RDX *Intermediate forms*).
    Records,
    /// To structures of the file (O17 §3.1; J19 §5.1).
    Structures,
    /// To whatever has an identifier that a structure of the file could bear (D19 *Pointer conversion*,
    /// *Payloads*).
    Identifiers,
}

/// The files that get a byte-order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteMark {
    /// Never (declarative and January 2019 say nothing).
    Never,
    /// In UTF-8 and UTF-16 (2017).
    Unicode,
    /// In UTF-16 only (December 2019).
    Utf16,
}

impl WriteMark {
    /// Returns whether a byte-order mark is written in an encoding, of which is said whether it has one, and
    /// whether it is UTF-16.
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
