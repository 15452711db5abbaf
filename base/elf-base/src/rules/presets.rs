//! The presets, which are the rules of each draft and of GEDCOM. The presets stand side by side, so that you can
//! compare them.

use super::{
    BadLine, BlankLines, Controls, DateRules, DefaultSchema, Delimiters, Duplicates, EmptyPayload,
    EncodingNames, Encodings, Escape, Gedcom70Header, HeaderXrefs, JoinedLines, LevelZeros, LineLimit,
    LineRules, LoneFeeds, Mechanism, Metadata, OctetRules, PayloadWhitespace, PointerTargets, Prescan, Rules,
    SchemaRules, TagLetters, TagNames, TaggedRules, WriteMark, WriteRules, XrefChars, XrefErrors,
};
use crate::{Draft, Format};

impl Rules {
    /// The rules of July 2017.
    pub const JULY_2017: Rules = Rules {
        name: "2017-07",
        format: Format::Elf(Draft::July2017),
        octets: OctetRules {
            prescan: Prescan::Early,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::SkipBlank,
            strip_leading: false,
            stream_escapes: true,
            controls: Controls::Restricted,
            gedcom_7: Gedcom70Header::Ignore,
            lone_feeds: LoneFeeds::EndLines,
        },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Malformed,
            highest_level: u32::MAX,
            payload: PayloadWhitespace::Trim,
            delimiters: Delimiters::Blanks,
            xref: XrefChars::Loose,
            conformant_xref: XrefChars::AsciiId,
            tags: TagLetters::Any,
            tag_names: TagNames::Short,
            lengths_advised: true,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Recover,
            joined_lines: JoinedLines::Accept,
            escape: Escape::Untyped,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::PseudoStructures,
            header_xrefs: HeaderXrefs::Any,
            inner_xrefs: true,
            void_pointer: false,
            conc: true,
            empty_structures: true,
            empty_payload: EmptyPayload::Trimmed,
            payload_language: false,
        },
        schema: SchemaRules {
            mechanism: Mechanism::IriDictionary,
            default: DefaultSchema::None,
            dates: DateRules::Elf,
        },
        write: WriteRules {
            mark: WriteMark::Unicode,
            limit: LineLimit::Characters(255),
            edge_escapes: true,
            keeps_faults: false,
            pointers: PointerTargets::Structures,
            encodings: Encodings::Named,
            longest_xref: None,
        },
    };

    /// The rules of October 2017.
    pub const OCTOBER_2017: Rules = Rules {
        name: "2017-10",
        format: Format::Elf(Draft::October2017),
        octets: OctetRules { blank_lines: BlankLines::Malformed, ..Rules::JULY_2017.octets },
        ..Rules::JULY_2017
    };

    /// The rules of the declarative draft. The draft has four options for repeated identifiers; this preset uses
    /// [`Duplicates::KeepRecord`], which keeps the most.
    pub const DECLARATIVE: Rules = Rules {
        name: "declarative",
        format: Format::Elf(Draft::Declarative),
        octets: OctetRules {
            prescan: Prescan::Early,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::Malformed,
            strip_leading: false,
            stream_escapes: false,
            controls: Controls::Restricted,
            gedcom_7: Gedcom70Header::Ignore,
            lone_feeds: LoneFeeds::EndLines,
        },
        lines: LineRules {
            leading_whitespace: false,
            level_zeros: LevelZeros::Malformed,
            highest_level: u32::MAX,
            payload: PayloadWhitespace::KeepAfterSpace,
            delimiters: Delimiters::Blanks,
            xref: XrefChars::AsciiId,
            conformant_xref: XrefChars::AsciiId,
            tags: TagLetters::Any,
            tag_names: TagNames::Short,
            lengths_advised: true,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Reject,
            joined_lines: JoinedLines::Accept,
            escape: Escape::TypedSpace { recover: true },
            xref_errors: XrefErrors::Options(Duplicates::KeepRecord),
            metadata: Metadata::Schema,
            header_xrefs: HeaderXrefs::None,
            inner_xrefs: true,
            void_pointer: false,
            conc: true,
            empty_structures: true,
            empty_payload: EmptyPayload::Present,
            payload_language: false,
        },
        schema: SchemaRules {
            mechanism: Mechanism::Inline { external: false },
            default: DefaultSchema::Published,
            dates: DateRules::Elf,
        },
        write: WriteRules {
            mark: WriteMark::Never,
            limit: LineLimit::Utf8(255),
            edge_escapes: true,
            keeps_faults: false,
            pointers: PointerTargets::Records,
            encodings: Encodings::Named,
            longest_xref: None,
        },
    };

    /// The rules of January 2019.
    pub const JANUARY_2019: Rules = Rules {
        name: "2019-01",
        format: Format::Elf(Draft::January2019),
        octets: OctetRules {
            prescan: Prescan::Early,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::SkipEmpty,
            strip_leading: false,
            stream_escapes: false,
            controls: Controls::Restricted,
            gedcom_7: Gedcom70Header::Ignore,
            lone_feeds: LoneFeeds::EndLines,
        },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Ignore,
            highest_level: u32::MAX,
            payload: PayloadWhitespace::KeepAfterSpaceOrTab,
            delimiters: Delimiters::Blanks,
            xref: XrefChars::AsciiId,
            conformant_xref: XrefChars::AsciiId,
            tags: TagLetters::Any,
            tag_names: TagNames::Short,
            lengths_advised: true,
        },
        tagged: TaggedRules {
            bad_line: BadLine::ErrorLine,
            joined_lines: JoinedLines::Accept,
            escape: Escape::TypedSpace { recover: false },
            xref_errors: XrefErrors::Undef,
            metadata: Metadata::Schema,
            header_xrefs: HeaderXrefs::OnData,
            inner_xrefs: true,
            void_pointer: false,
            conc: true,
            empty_structures: true,
            empty_payload: EmptyPayload::Present,
            payload_language: false,
        },
        schema: SchemaRules {
            mechanism: Mechanism::Inline { external: true },
            default: DefaultSchema::Published,
            dates: DateRules::Elf,
        },
        write: WriteRules {
            mark: WriteMark::Never,
            limit: LineLimit::Encoded(255),
            edge_escapes: false,
            keeps_faults: false,
            pointers: PointerTargets::Structures,
            encodings: Encodings::Named,
            longest_xref: None,
        },
    };

    /// The rules of December 2019.
    pub const DECEMBER_2019: Rules = Rules {
        name: "2019-12",
        format: Format::Elf(Draft::December2019),
        octets: OctetRules {
            prescan: Prescan::December,
            names: EncodingNames::Standard,
            content: false,
            blank_lines: BlankLines::SkipBlank,
            strip_leading: true,
            stream_escapes: false,
            controls: Controls::Restricted,
            gedcom_7: Gedcom70Header::Ignore,
            lone_feeds: LoneFeeds::EndLines,
        },
        lines: LineRules {
            leading_whitespace: false,
            level_zeros: LevelZeros::Malformed,
            highest_level: u32::MAX,
            payload: PayloadWhitespace::KeepAfterSpaceOrTab,
            delimiters: Delimiters::Blanks,
            xref: XrefChars::IriSafe,
            conformant_xref: XrefChars::IriSafe,
            tags: TagLetters::Any,
            tag_names: TagNames::Short,
            lengths_advised: true,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Terminate,
            joined_lines: JoinedLines::Accept,
            escape: Escape::Typed,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::Versions,
            header_xrefs: HeaderXrefs::OnData,
            inner_xrefs: true,
            void_pointer: false,
            conc: true,
            empty_structures: true,
            empty_payload: EmptyPayload::Absent,
            payload_language: true,
        },
        schema: SchemaRules {
            mechanism: Mechanism::Reference,
            default: DefaultSchema::Published,
            dates: DateRules::Elf,
        },
        write: WriteRules {
            mark: WriteMark::Utf16,
            limit: LineLimit::EncodedWithBreak(255),
            edge_escapes: false,
            keeps_faults: false,
            pointers: PointerTargets::Identifiers,
            encodings: Encodings::Named,
            longest_xref: None,
        },
    };

    /// The rules for files as they are found in practice. These rules are based on December 2019, but reading continues
    /// after errors. The rules also accept the encoding names and identifiers that programs write, and ELF under HEAD
    /// or GEDC. All of this is reported.
    pub const WILD: Rules = Rules {
        name: "wild",
        format: Format::Elf(Draft::December2019),
        octets: OctetRules {
            prescan: Prescan::December,
            names: EncodingNames::Producers,
            content: true,
            blank_lines: BlankLines::SkipBlank,
            strip_leading: true,
            stream_escapes: false,
            controls: Controls::Restricted,
            gedcom_7: Gedcom70Header::Follow,
            lone_feeds: LoneFeeds::BreakPayloads,
        },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Report,
            highest_level: u32::MAX,
            payload: PayloadWhitespace::KeepAfterSpaceOrTab,
            delimiters: Delimiters::Blanks,
            xref: XrefChars::Any,
            conformant_xref: XrefChars::IriSafe,
            tags: TagLetters::Any,
            tag_names: TagNames::ShortOrFull,
            lengths_advised: true,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Recover,
            joined_lines: JoinedLines::Report,
            escape: Escape::Typed,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::Versions,
            header_xrefs: HeaderXrefs::OnData,
            inner_xrefs: true,
            void_pointer: false,
            conc: true,
            empty_structures: true,
            empty_payload: EmptyPayload::Absent,
            payload_language: true,
        },
        schema: SchemaRules {
            mechanism: Mechanism::Reference,
            default: DefaultSchema::Completed,
            dates: DateRules::AsFound,
        },
        write: WriteRules { keeps_faults: true, ..Rules::DECEMBER_2019.write },
    };

    /// The rules of GEDCOM 7.0. Text that violates its grammar is reported and read as under [`Rules::WILD`].
    pub const GEDCOM_7: Rules = Rules {
        name: "gedcom-7",
        format: Format::Gedcom70,
        octets: OctetRules {
            prescan: Prescan::Gedcom70,
            names: EncodingNames::Producers,
            content: true,
            blank_lines: BlankLines::Malformed,
            strip_leading: false,
            stream_escapes: false,
            controls: Controls::Banned,
            gedcom_7: Gedcom70Header::Ignore,
            lone_feeds: LoneFeeds::BreakPayloads,
        },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Report,
            highest_level: u32::MAX,
            payload: PayloadWhitespace::KeepAfterSpace,
            delimiters: Delimiters::Space,
            xref: XrefChars::Any,
            conformant_xref: XrefChars::Capitals,
            tags: TagLetters::Capitals,
            tag_names: TagNames::Short,
            lengths_advised: false,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Recover,
            joined_lines: JoinedLines::Report,
            escape: Escape::Leading,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::Gedcom70,
            header_xrefs: HeaderXrefs::Any,
            inner_xrefs: false,
            void_pointer: true,
            conc: false,
            empty_structures: false,
            empty_payload: EmptyPayload::Absent,
            payload_language: false,
        },
        schema: SchemaRules {
            mechanism: Mechanism::ExtensionTags,
            default: DefaultSchema::Gedcom70,
            dates: DateRules::Gedcom70,
        },
        write: WriteRules {
            mark: WriteMark::Unicode,
            limit: LineLimit::None,
            edge_escapes: false,
            keeps_faults: false,
            pointers: PointerTargets::Records,
            encodings: Encodings::Utf8,
            longest_xref: None,
        },
    };

    /// The rules of GEDCOM 5.5.1, without extensions of ELF. Use them to write files that other programs should accept.
    pub const GEDCOM_5_5_1: Rules = Rules {
        name: "gedcom-5.5.1",
        format: Format::Gedcom551,
        octets: OctetRules { gedcom_7: Gedcom70Header::Ignore, ..Rules::WILD.octets },
        lines: LineRules {
            leading_whitespace: true,
            level_zeros: LevelZeros::Report,
            highest_level: 99,
            payload: PayloadWhitespace::KeepAfterSpaceOrTab,
            delimiters: Delimiters::Blanks,
            xref: XrefChars::Any,
            conformant_xref: XrefChars::Loose,
            tags: TagLetters::Any,
            tag_names: TagNames::ShortOrFull,
            lengths_advised: true,
        },
        tagged: TaggedRules {
            bad_line: BadLine::Recover,
            joined_lines: JoinedLines::Report,
            escape: Escape::Kept,
            xref_errors: XrefErrors::Keep,
            metadata: Metadata::Gedcom551,
            header_xrefs: HeaderXrefs::Any,
            inner_xrefs: true,
            void_pointer: false,
            conc: true,
            empty_structures: true,
            empty_payload: EmptyPayload::Absent,
            payload_language: false,
        },
        schema: SchemaRules {
            mechanism: Mechanism::None,
            default: DefaultSchema::Completed,
            dates: DateRules::AsFound,
        },
        write: WriteRules {
            mark: WriteMark::Utf16,
            limit: LineLimit::CharactersWithBreak(255),
            edge_escapes: false,
            keeps_faults: false,
            pointers: PointerTargets::Identifiers,
            encodings: Encodings::Named,
            longest_xref: Some(20),
        },
    };

    /// The eight presets: first `WILD`, then the drafts with the newest first, then GEDCOM.
    pub const PRESETS: [&'static Rules; 8] = [
        &Rules::WILD,
        &Rules::DECEMBER_2019,
        &Rules::JANUARY_2019,
        &Rules::DECLARATIVE,
        &Rules::OCTOBER_2017,
        &Rules::JULY_2017,
        &Rules::GEDCOM_7,
        &Rules::GEDCOM_5_5_1,
    ];

    /// Returns the preset with this name: `wild`, `2019-12`, `2019-01`, `declarative`, `2017-10`, `2017-07`,
    /// `gedcom-7` or `gedcom-5.5.1`.
    ///
    /// ```
    /// use elf_base::Rules;
    /// assert_eq!(Rules::from_name("2019-12"), Some(&Rules::DECEMBER_2019));
    /// assert_eq!(Rules::from_name("5.5.1"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<&'static Rules> {
        Rules::PRESETS.into_iter().find(|rules| rules.name.eq_ignore_ascii_case(name))
    }

    /// Returns the preset for a draft.
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
