//! Rules for all that the drafts do differently: one value, a sub-struct for each layer, six presets.
//!
//! The five drafts differ in about eighty places; the fields here cover them. A function of one layer takes
//! only its own slice ([`LineRules`], [`TaggedRules`], …); a function that runs several layers takes
//! [`Rules`]. There is no default: whoever reads a file says by which rules.
//!
//! The presets stand side by side in this file. Read line by line, they *are* the comparison of the drafts.

mod questions;

use crate::Draft;

/// The rules of one draft, or of files as they are found ([`Rules::WILD`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    /// The name of the preset this is, or was made from: `wild`, `2019-12`, `2019-01`, `declarative`,
    /// `2017-10`, `2017-07`.
    pub name: &'static str,
    /// The draft whose classes diagnostics bear. [`Rules::WILD`] bears those of December 2019.
    pub draft: Draft,
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
    /// They are line strings, and no lines: malformed (October 2017; declarative).
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
    /// The separator of tag and payload, and the whitespace that is payload.
    pub payload: PayloadWhitespace,
    /// The characters that make a cross-reference identifier. Others are E0204.
    pub xref: XrefChars,
}

/// The fate of a level with leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelZeros {
    /// The line is malformed (all drafts but January 2019).
    Malformed,
    /// They mean nothing (January 2019).
    Ignore,
    /// They mean nothing, and are reported (`WILD`).
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
    /// Anything but at signs and line breaks, not starting with `#`; what [`XrefChars::IriSafe`] lacks is
    /// reported (`WILD`).
    Any,
}

/// Lines to tagged structures: bad lines, escapes, pointers, the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaggedRules {
    /// The fate of a malformed line, a level too deep, a stray continuation, a missing trailer.
    pub bad_line: BadLine,
    /// The grammar of escapes and the stage at which they are read.
    pub escape: Escape,
    /// The fate of pointers without exactly one target, and of repeated identifiers.
    pub xref_errors: XrefErrors,
    /// The structures extracted from the header and from the end.
    pub metadata: Metadata,
    /// The substructures of the header that may bear a cross-reference identifier. Others are E0313.
    pub header_xrefs: HeaderXrefs,
    /// The treatment of a file whose header says that it is GEDCOM 7.
    pub gedcom_7: Gedcom7,
    /// The difference between an empty payload and none.
    pub empty_payload: EmptyPayload,
    /// True if PLANG and DTYPE are reserved, and PLANG names the language of payloads (D19 *Tags*, *Header
    /// metadata*). To the drafts before they are tags like any other.
    pub payload_language: bool,
}

/// The fate of a line that cannot be read, or not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BadLine {
    /// It ends the reading, with what there is (December 2019).
    Terminate,
    /// It becomes an ERROR line one deeper than the line before (J19 §6.1).
    ErrorLine,
    /// It is rejected with what depends on it (declarative).
    Reject,
    /// It is kept where it most likely belongs: as continuation of the line before, under the nearest
    /// possible superstructure, or as an ERROR line where nothing else explains it (`WILD`, and 2017, which
    /// leaves it to us).
    Recover,
}

/// The grammar of escapes, and the stage at which they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Escape {
    /// `@#…@`: Unicode escapes are replaced in the character stream, others kept (2017).
    Untyped,
    /// `@#X…@␠`, read after continuations are merged; kept only where the tag preserves the type (declarative
    /// and January 2019).
    TypedSpace {
        /// True if an escape without its final space is read as if it had one (declarative).
        recover: bool,
    },
    /// `@#X…@`, read in each line's payload before continuations are merged; types other than U and D are
    /// E0323 and kept (December 2019).
    Typed,
    /// There are no escapes: two at signs at the start of a line's payload are one, and all others stand for
    /// themselves. No draft has it; it is how payloads of GEDCOM 7 are read ([`Gedcom7::Heed`]).
    Leading,
}

/// The fate of a pointer that no structure or several structures answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XrefErrors {
    /// It keeps its text and is reported (2017 and December 2019, which leave it to us; `WILD`).
    Keep,
    /// It points to an inserted record tagged UNDEF (J19 §5.1).
    Undef,
    /// It keeps its text and is reported; repeated identifiers are treated by one of four options
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

/// The treatment of a file whose header says that it is GEDCOM 7, in HEAD.GEDC.VERS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gedcom7 {
    /// It is read like any other (all drafts; D19 *Legacy GEDCOM version* leaves it to the reader).
    Ignore,
    /// Its at signs and `@VOID@` mean what they mean in GEDCOM 7, and what only GEDCOM 5.5.1 asks for is not
    /// asked of it (`WILD`). It goes with [`Metadata::Versions`]: where GEDC is data, a writer repeats it in
    /// files that are no GEDCOM 7.
    Heed,
}

/// The difference between a payload of no characters and none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmptyPayload {
    /// It is one where a structure has text, and cannot be told from none in a line, whose blanks are trimmed
    /// (2017 §5.2).
    Trimmed,
    /// It differs from none: a space stands behind the tag (declarative; January 2019).
    Present,
    /// It is none (D19 *Payloads*).
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

/// The longest line a writer should make, in the draft's own unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineLimit {
    /// So many characters (2017: 255).
    Characters(u32),
    /// So many octets in UTF-8, whatever the encoding (declarative: 255).
    Utf8(u32),
    /// So many octets in the encoding written, without the line break (January 2019: 255).
    Encoded(u32),
    /// So many octets in the encoding written, with the line break, and twice as many in UTF-16 (December
    /// 2019: 255).
    EncodedWithBreak(u32),
    /// No limit.
    None,
}

impl Rules {
    /// The rules of July 2017.
    pub const JULY_2017: Rules = Rules {
        name: "2017-07",
        draft: Draft::July2017,
        octets: OctetRules {
            prescan: Prescan::Early,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::SkipBlank,
            strip_leading: false,
            stream_escapes: true,
        },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Malformed,
            payload: PayloadWhitespace::Trim,
            xref: XrefChars::Loose,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Recover,
            escape: Escape::Untyped,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::PseudoStructures,
            header_xrefs: HeaderXrefs::Any,
            gedcom_7: Gedcom7::Ignore,
            empty_payload: EmptyPayload::Trimmed,
            payload_language: false,
        },
        schema: SchemaRules { mechanism: Mechanism::IriDictionary, default: DefaultSchema::None },
        write: WriteRules {
            mark: WriteMark::Unicode,
            limit: LineLimit::Characters(255),
            edge_escapes: true,
            keeps_faults: false,
            pointers: PointerTargets::Structures,
        },
    };

    /// The rules of October 2017.
    pub const OCTOBER_2017: Rules = Rules {
        name: "2017-10",
        draft: Draft::October2017,
        octets: OctetRules { blank_lines: BlankLines::Malformed, ..Rules::JULY_2017.octets },
        ..Rules::JULY_2017
    };

    /// The rules of the declarative draft. It names four ways to treat a repeated identifier and obliges to
    /// none; this preset takes the one that keeps most, [`Duplicates::KeepRecord`].
    pub const DECLARATIVE: Rules = Rules {
        name: "declarative",
        draft: Draft::Declarative,
        octets: OctetRules {
            prescan: Prescan::Early,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::Malformed,
            strip_leading: false,
            stream_escapes: false,
        },
        lines: LineRules {
            leading_whitespace: false,
            level_zeros: LevelZeros::Malformed,
            payload: PayloadWhitespace::KeepAfterSpace,
            xref: XrefChars::AsciiId,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Reject,
            escape: Escape::TypedSpace { recover: true },
            xref_errors: XrefErrors::Options(Duplicates::KeepRecord),
            metadata: Metadata::Schema,
            header_xrefs: HeaderXrefs::None,
            gedcom_7: Gedcom7::Ignore,
            empty_payload: EmptyPayload::Present,
            payload_language: false,
        },
        schema: SchemaRules {
            mechanism: Mechanism::Inline { external: false },
            default: DefaultSchema::Published,
        },
        write: WriteRules {
            mark: WriteMark::Never,
            limit: LineLimit::Utf8(255),
            edge_escapes: true,
            keeps_faults: false,
            pointers: PointerTargets::Records,
        },
    };

    /// The rules of January 2019.
    pub const JANUARY_2019: Rules = Rules {
        name: "2019-01",
        draft: Draft::January2019,
        octets: OctetRules {
            prescan: Prescan::Early,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::SkipEmpty,
            strip_leading: false,
            stream_escapes: false,
        },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Ignore,
            payload: PayloadWhitespace::KeepAfterSpaceOrTab,
            xref: XrefChars::AsciiId,
        },
        tagged: TaggedRules {
            bad_line: BadLine::ErrorLine,
            escape: Escape::TypedSpace { recover: false },
            xref_errors: XrefErrors::Undef,
            metadata: Metadata::Schema,
            header_xrefs: HeaderXrefs::OnData,
            gedcom_7: Gedcom7::Ignore,
            empty_payload: EmptyPayload::Present,
            payload_language: false,
        },
        schema: SchemaRules {
            mechanism: Mechanism::Inline { external: true },
            default: DefaultSchema::Published,
        },
        write: WriteRules {
            mark: WriteMark::Never,
            limit: LineLimit::Encoded(255),
            edge_escapes: false,
            keeps_faults: false,
            pointers: PointerTargets::Structures,
        },
    };

    /// The rules of December 2019.
    pub const DECEMBER_2019: Rules = Rules {
        name: "2019-12",
        draft: Draft::December2019,
        octets: OctetRules {
            prescan: Prescan::December,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::SkipBlank,
            strip_leading: true,
            stream_escapes: false,
        },
        lines: LineRules {
            leading_whitespace: false,
            level_zeros: LevelZeros::Malformed,
            payload: PayloadWhitespace::KeepAfterSpaceOrTab,
            xref: XrefChars::IriSafe,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Terminate,
            escape: Escape::Typed,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::Versions,
            header_xrefs: HeaderXrefs::OnData,
            gedcom_7: Gedcom7::Ignore,
            empty_payload: EmptyPayload::Absent,
            payload_language: true,
        },
        schema: SchemaRules { mechanism: Mechanism::Reference, default: DefaultSchema::Published },
        write: WriteRules {
            mark: WriteMark::Utf16,
            limit: LineLimit::EncodedWithBreak(255),
            edge_escapes: false,
            keeps_faults: false,
            pointers: PointerTargets::Identifiers,
        },
    };

    /// December 2019 for files as they are found: recovers where the draft says stop, knows the encoding
    /// names and identifiers real producers write, reads ELF under HEAD or GEDC, and says so in a diagnostic
    /// every time.
    pub const WILD: Rules = Rules {
        name: "wild",
        draft: Draft::December2019,
        octets: OctetRules {
            prescan: Prescan::December,
            names: EncodingNames::Producers,
            content: true,
            blank_lines: BlankLines::SkipBlank,
            strip_leading: true,
            stream_escapes: false,
        },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Report,
            payload: PayloadWhitespace::KeepAfterSpaceOrTab,
            xref: XrefChars::Any,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Recover,
            escape: Escape::Typed,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::Versions,
            header_xrefs: HeaderXrefs::OnData,
            gedcom_7: Gedcom7::Heed,
            empty_payload: EmptyPayload::Absent,
            payload_language: true,
        },
        schema: SchemaRules { mechanism: Mechanism::Reference, default: DefaultSchema::Completed },
        write: WriteRules { keeps_faults: true, ..Rules::DECEMBER_2019.write },
    };

    /// The six presets: `WILD`, then the drafts, newest first.
    pub const PRESETS: [&'static Rules; 6] = [
        &Rules::WILD,
        &Rules::DECEMBER_2019,
        &Rules::JANUARY_2019,
        &Rules::DECLARATIVE,
        &Rules::OCTOBER_2017,
        &Rules::JULY_2017,
    ];

    /// The preset of that name: `wild`, `2019-12`, `2019-01`, `declarative`, `2017-10` or `2017-07`.
    ///
    /// ```
    /// use elf_base::Rules;
    /// assert_eq!(Rules::from_name("2019-12"), Some(&Rules::DECEMBER_2019));
    /// assert_eq!(Rules::from_name("5.5.1"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<&'static Rules> {
        Rules::PRESETS.into_iter().find(|rules| rules.name.eq_ignore_ascii_case(name))
    }

    /// The preset that reads as `draft` says.
    pub const fn of(draft: Draft) -> &'static Rules {
        match draft {
            Draft::July2017 => &Rules::JULY_2017,
            Draft::October2017 => &Rules::OCTOBER_2017,
            Draft::Declarative => &Rules::DECLARATIVE,
            Draft::January2019 => &Rules::JANUARY_2019,
            Draft::December2019 => &Rules::DECEMBER_2019,
        }
    }
}
