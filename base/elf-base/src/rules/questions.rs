//! Properties of rules that several layers need. None of these properties is the draft itself.

use super::{
    BadLine, Controls, DateRules, DefaultSchema, Delimiters, Duplicates, EmptyPayload, EncodingNames,
    Encodings, Gedcom70Header, HeaderXrefs, JoinedLines, LevelZeros, LineRules, LoneFeeds, Mechanism,
    Metadata, OctetRules, PayloadWhitespace, Prescan, Rules, TagLetters, TagNames, XrefChars, XrefErrors,
};
use crate::{Class, Code, Draft, Format, Standard};

impl Rules {
    /// Returns whether a finding of this code stops the reading. Under [`BadLine::Terminate`], it does if the code is
    /// malformed under the rules of December 2019 (D19 *Errors in structures*).
    pub const fn end_at(&self, code: Code) -> bool {
        self.terminates() && matches!(code.class(Format::Elf(Draft::December2019)), Class::Malformed)
    }

    /// Returns the rules that apply to a file whose header says GEDCOM 7.
    #[must_use]
    pub const fn of_gedcom_7(&self) -> Rules {
        match self.octets.gedcom_7 {
            Gedcom70Header::Follow => Rules::GEDCOM_7,
            Gedcom70Header::Ignore => *self,
        }
    }

    /// Returns the rules that apply to a file whose header says GEDCOM 7.1 (a draft).
    #[must_use]
    pub const fn of_gedcom_7_1(&self) -> Rules {
        let default = match self.schema.default {
            DefaultSchema::Gedcom70 => DefaultSchema::Gedcom71,
            other @ (DefaultSchema::None
            | DefaultSchema::Published
            | DefaultSchema::Completed
            | DefaultSchema::Gedcom71) => other,
        };
        Rules { schema: super::SchemaRules { default, ..self.schema }, ..*self }
    }

    /// Returns whether a malformed line is kept where it most likely belongs ([`BadLine::Recover`]).
    pub const fn recovers(&self) -> bool {
        match self.tagged.bad_line {
            BadLine::Recover => true,
            BadLine::Terminate | BadLine::ErrorLine | BadLine::Reject => false,
        }
    }

    /// Returns whether reading stops at a malformed line ([`BadLine::Terminate`]).
    pub const fn terminates(&self) -> bool {
        match self.tagged.bad_line {
            BadLine::Terminate => true,
            BadLine::Recover | BadLine::ErrorLine | BadLine::Reject => false,
        }
    }
}

impl Prescan {
    /// Returns whether the search for CHAR ignores case, so that `0 Head` starts a header.
    pub const fn folds_case(self) -> bool {
        match self {
            Prescan::December | Prescan::Gedcom70 => true,
            Prescan::Early => false,
        }
    }

    /// Returns whether the first line must be exactly `0 HEAD`, without identifier and payload.
    pub const fn wants_bare_header(self) -> bool {
        match self {
            Prescan::December | Prescan::Gedcom70 => true,
            Prescan::Early => false,
        }
    }

    /// Returns whether an encoding that the caller names has priority over a byte-order mark (J19 §7.2.1).
    pub const fn prefers_external(self) -> bool {
        match self {
            Prescan::Early => true,
            Prescan::December | Prescan::Gedcom70 => false,
        }
    }

    /// Returns whether only an encoded digit zero at the start of a file shows that the file is UTF-16 (J19 §7.2.1). In
    /// December 2019, any ASCII character shows it (D19 *Detecting a character encoding*).
    pub const fn detects_by_zero(self) -> bool {
        match self {
            Prescan::Early => true,
            Prescan::December | Prescan::Gedcom70 => false,
        }
    }

    /// Returns whether a file with a UTF-8 byte-order mark and CHAR ASCII is read as ASCII until a byte shows that it
    /// is not ASCII (D19 *Specified character encodings*).
    pub const fn reads_ascii_after_mark(self) -> bool {
        match self {
            Prescan::December => true,
            Prescan::Early | Prescan::Gedcom70 => false,
        }
    }

    /// Returns whether CHAR determines the encoding of a file.
    pub const fn reads_char(self) -> bool {
        match self {
            Prescan::Early | Prescan::December => true,
            Prescan::Gedcom70 => false,
        }
    }
}

impl Metadata {
    /// Returns whether a structure with this tag is serialisation metadata. `in_head` says whether the structure is in
    /// the header.
    ///
    /// Always false for the trailer and for continuation lines, because they are not metadata by their tag alone.
    ///
    /// ```
    /// use elf_base::rules::Metadata;
    /// assert!(Metadata::Versions.includes("GEDC", true) && !Metadata::Versions.includes("GEDC", false));
    /// assert!(Metadata::PseudoStructures.includes("DEFN", false) && !Metadata::Schema.includes("ELF", true));
    /// ```
    pub fn includes(self, tag: &str, in_head: bool) -> bool {
        match self {
            Metadata::PseudoStructures => matches!(tag, "CHAR" | "DEFN" | "PRFX"),
            Metadata::Schema => in_head && matches!(tag, "CHAR" | "SCHMA"),
            Metadata::Versions => in_head && matches!(tag, "CHAR" | "ELF" | "GEDC" | "PLANG" | "SCHMA"),
            Metadata::Gedcom551 => in_head && matches!(tag, "CHAR" | "GEDC"),
            Metadata::Gedcom70 => in_head && matches!(tag, "CHAR" | "GEDC" | "SCHMA"),
        }
    }

    /// Returns whether the metadata is read before escapes are read and continuation lines are merged (D19 *Header
    /// metadata*).
    pub const fn is_raw(self) -> bool {
        match self {
            Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom70 => true,
            Metadata::PseudoStructures | Metadata::Schema => false,
        }
    }

    /// Returns whether the metadata are pseudo-structures. Pseudo-structures and everything under them are not data,
    /// wherever they are (O17 §3.2, §4.2).
    pub const fn is_pseudo(self) -> bool {
        match self {
            Metadata::PseudoStructures => true,
            Metadata::Schema | Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom70 => false,
        }
    }

    /// Returns whether the header states the version of ELF (D19 *ELF serialisation version*).
    pub const fn has_elf_version(self) -> bool {
        match self {
            Metadata::Versions => true,
            Metadata::PseudoStructures | Metadata::Schema | Metadata::Gedcom551 | Metadata::Gedcom70 => false,
        }
    }

    /// Returns whether CHAR and the form of GEDC in the header belong to GEDCOM 5.5.1 only (GEDCOM 7.0 *The Header and
    /// Trailer*).
    pub const fn has_no_form(self) -> bool {
        match self {
            Metadata::Gedcom70 => true,
            Metadata::PseudoStructures | Metadata::Schema | Metadata::Versions | Metadata::Gedcom551 => false,
        }
    }

    /// Returns whether the versions in ELF and GEDC are metadata instead of data. Each writer sets its own versions
    /// (D19 *Version numbers*).
    pub const fn has_versions(self) -> bool {
        match self {
            Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom70 => true,
            Metadata::PseudoStructures | Metadata::Schema => false,
        }
    }

    /// Returns whether HEAD is an ordinary structure that can have an identifier and a payload (O17 §3.1).
    pub const fn keeps_header_as_data(self) -> bool {
        match self {
            Metadata::PseudoStructures => true,
            Metadata::Schema | Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom70 => false,
        }
    }

    /// Returns whether HEAD is serialisation metadata itself, so that pointers cannot refer to it (J19 §4; RDX
    /// *Header*).
    pub const fn includes_header(self) -> bool {
        match self {
            Metadata::Schema => true,
            Metadata::PseudoStructures | Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom70 => {
                false
            }
        }
    }

    /// Returns whether `tag`, which is HEAD or TRLR, is not allowed inside records. In December 2019, neither tag is
    /// allowed there (D19 *Tags*). In January 2019 and the declarative draft, both are allowed (J19 §3.2). In 2017,
    /// TRLR is not allowed, because it is a pseudo-structure (O17 §3.2).
    pub fn reserves_within_records(self, tag: &str) -> bool {
        match self {
            Metadata::Versions => matches!(tag, "HEAD" | "TRLR"),
            Metadata::Schema | Metadata::Gedcom551 | Metadata::Gedcom70 => false,
            Metadata::PseudoStructures => tag == "TRLR",
        }
    }

    /// Returns whether a trailer with content is metadata too. Under the other rules, only an empty trailer is removed
    /// from the data.
    pub const fn includes_any_trailer(self) -> bool {
        match self {
            Metadata::PseudoStructures | Metadata::Schema => true,
            Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom70 => false,
        }
    }
}

impl XrefChars {
    /// Returns whether lower-case letters are not allowed in an identifier.
    pub const fn are_capitals(self) -> bool {
        match self {
            XrefChars::Capitals => true,
            XrefChars::Loose | XrefChars::AsciiId | XrefChars::IriSafe | XrefChars::Any => false,
        }
    }
}

impl LineRules {
    /// Returns whether spaces are allowed before and after a pointer (D19 *Payloads*).
    pub const fn lets_blanks_surround_pointers(&self) -> bool {
        match self.conformant_xref {
            XrefChars::IriSafe | XrefChars::Any => true,
            XrefChars::Loose | XrefChars::AsciiId | XrefChars::Capitals => false,
        }
    }

    /// Returns whether a pointer can contain characters that are not allowed in identifiers. Such pointers are reported
    /// (D19 *Payloads*).
    pub const fn has_wide_pointers(&self) -> bool {
        match self.xref {
            XrefChars::IriSafe | XrefChars::Any | XrefChars::Capitals => true,
            XrefChars::Loose | XrefChars::AsciiId => false,
        }
    }
}

impl Delimiters {
    /// Returns whether whitespace between the parts of a line is reported, unless it is one space.
    pub const fn is_one_space(self) -> bool {
        match self {
            Delimiters::Space => true,
            Delimiters::Blanks => false,
        }
    }
}

impl TagLetters {
    /// Returns whether lower-case letters in a tag are reported.
    pub const fn are_capitals(self) -> bool {
        match self {
            TagLetters::Capitals => true,
            TagLetters::Any => false,
        }
    }
}

impl TagNames {
    /// Returns whether a tag can be written as its full name, such as `INDIVIDUAL`.
    pub const fn may_be_full(self) -> bool {
        match self {
            TagNames::ShortOrFull => true,
            TagNames::Short => false,
        }
    }
}

impl LoneFeeds {
    /// Returns whether a lone line feed can be part of a payload.
    pub const fn break_payloads(self) -> bool {
        match self {
            LoneFeeds::BreakPayloads => true,
            LoneFeeds::EndLines => false,
        }
    }
}

impl Controls {
    /// Returns whether control characters are not allowed. Rules that forbid control characters allow private-use
    /// characters.
    pub const fn are_banned(self) -> bool {
        match self {
            Controls::Banned => true,
            Controls::Restricted => false,
        }
    }
}

impl Encodings {
    /// Returns whether files are always in UTF-8, and CHAR does not name the encoding.
    pub const fn are_utf_8(self) -> bool {
        match self {
            Encodings::Utf8 => true,
            Encodings::Named => false,
        }
    }
}

impl EmptyPayload {
    /// Returns whether an empty payload is the same as a missing one. In 2017, only the type of the structure
    /// distinguishes them (O17 §5.2).
    pub const fn is_absent(self) -> bool {
        !self.is_written()
    }

    /// Returns whether an empty payload is written differently from a missing one: with a space after the tag.
    pub const fn is_written(self) -> bool {
        match self {
            EmptyPayload::Present => true,
            EmptyPayload::Absent | EmptyPayload::Trimmed => false,
        }
    }
}

impl Mechanism {
    /// Returns whether the only place that defines types is HEAD.SCHMA, and that it contains the definitions
    /// themselves.
    pub const fn is_inline(self) -> bool {
        match self {
            Mechanism::Inline { .. } => true,
            Mechanism::IriDictionary | Mechanism::Reference | Mechanism::ExtensionTags | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether types are defined by the IRI dictionary of 2017.
    pub const fn is_dictionary(self) -> bool {
        match self {
            Mechanism::IriDictionary => true,
            Mechanism::Inline { .. } | Mechanism::Reference | Mechanism::ExtensionTags | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether SCHMA is kept unchanged and no other schema is written in its place (D19 *Parsing serialisation
    /// metadata*). The SCHMA of GEDCOM 7 only affects extension tags.
    pub const fn stores_schema(self) -> bool {
        match self {
            Mechanism::Reference | Mechanism::ExtensionTags => true,
            Mechanism::IriDictionary | Mechanism::Inline { .. } | Mechanism::None => false,
        }
    }

    /// Returns whether a file can define types with the mechanisms of ELF.
    pub const fn defines_types(self) -> bool {
        match self {
            Mechanism::IriDictionary | Mechanism::Inline { .. } | Mechanism::Reference => true,
            Mechanism::ExtensionTags | Mechanism::None => false,
        }
    }

    /// Returns whether SCHMA only gives URIs to extension tags (GEDCOM 7.0 *Extensions*).
    pub const fn is_of_extension_tags(self) -> bool {
        match self {
            Mechanism::ExtensionTags => true,
            Mechanism::IriDictionary | Mechanism::Inline { .. } | Mechanism::Reference | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether SCHMA can be a reference or an inline schema. The substructures of a SCHMA decide which one it
    /// is (D19 *Parsing serialisation metadata*).
    pub const fn is_by_shape(self) -> bool {
        match self {
            Mechanism::Reference => true,
            Mechanism::IriDictionary
            | Mechanism::Inline { .. }
            | Mechanism::ExtensionTags
            | Mechanism::None => false,
        }
    }

    /// Returns whether a file without a schema should refer to the default schema (J19 §4.2.1).
    pub const fn wants_default(self) -> bool {
        match self {
            Mechanism::Inline { external } => external,
            Mechanism::IriDictionary | Mechanism::Reference | Mechanism::ExtensionTags | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether the header can have several SCHMA, and these can refer to external schemas (J19 §4.2.1; D19
    /// *Parsing serialisation metadata*). In 2017, SCHMA is data.
    pub const fn may_refer(self) -> bool {
        match self {
            Mechanism::IriDictionary | Mechanism::Reference => true,
            Mechanism::Inline { external } => external,
            Mechanism::ExtensionTags | Mechanism::None => false,
        }
    }
}

impl OctetRules {
    /// Returns whether reading stops at bytes and headers that cannot be read (D19 *Specified character encodings*).
    pub const fn ends_at_faults(&self) -> bool {
        match self.prescan {
            Prescan::December | Prescan::Gedcom70 => !self.content,
            Prescan::Early => false,
        }
    }
}

impl EncodingNames {
    /// Returns whether CHAR can also contain the spellings that programs write, besides those of the standard.
    pub const fn knows_producers(self) -> bool {
        match self {
            EncodingNames::Producers => true,
            EncodingNames::Standard => false,
        }
    }
}

impl LevelZeros {
    /// Returns whether a line is malformed if its level has leading zeros.
    pub const fn are_malformed(self) -> bool {
        match self {
            LevelZeros::Malformed => true,
            LevelZeros::Ignore | LevelZeros::Report => false,
        }
    }
}

impl PayloadWhitespace {
    /// Returns whether whitespace at the ends of a payload is removed.
    pub const fn is_trimmed(self) -> bool {
        match self {
            PayloadWhitespace::Trim => true,
            PayloadWhitespace::KeepAfterSpace | PayloadWhitespace::KeepAfterSpaceOrTab => false,
        }
    }

    /// Returns whether a tab between tag and payload is reported.
    pub const fn reports_tab(self) -> bool {
        match self {
            PayloadWhitespace::KeepAfterSpace => true,
            PayloadWhitespace::Trim | PayloadWhitespace::KeepAfterSpaceOrTab => false,
        }
    }
}

impl BadLine {
    /// Returns whether a malformed line becomes an ERROR line. An ERROR line is written and read as such (J19 §6.1).
    pub const fn makes_error_lines(self) -> bool {
        match self {
            BadLine::ErrorLine => true,
            BadLine::Terminate | BadLine::Reject | BadLine::Recover => false,
        }
    }

    /// Returns whether the level of a continuation line affects the lines that follow it.
    pub const fn counts_continuations(self) -> bool {
        match self {
            BadLine::Terminate | BadLine::Recover => true,
            BadLine::ErrorLine | BadLine::Reject => false,
        }
    }
}

impl JoinedLines {
    /// Returns whether joined lines are reported.
    pub const fn are_reported(self) -> bool {
        match self {
            JoinedLines::Report => true,
            JoinedLines::Accept => false,
        }
    }
}

impl XrefErrors {
    /// Returns whether records are inserted for unresolved pointers (J19 §5.1).
    pub const fn inserts_records(self) -> bool {
        match self {
            XrefErrors::Undef => true,
            XrefErrors::Keep | XrefErrors::Options(_) => false,
        }
    }

    /// Returns whether repeated identifiers can be removed, or structures rejected because of them (RDX).
    pub const fn rejects(self) -> bool {
        self.duplicates().is_some()
    }

    /// Returns the option for repeated identifiers, if the rules have options (RDX).
    pub const fn duplicates(self) -> Option<Duplicates> {
        match self {
            XrefErrors::Options(option) => Some(option),
            XrefErrors::Keep | XrefErrors::Undef => None,
        }
    }
}

impl Duplicates {
    /// Returns whether a repeated identifier causes the whole dataset to be rejected.
    pub const fn reject_all(self) -> bool {
        match self {
            Duplicates::RejectAll => true,
            Duplicates::RejectBearers | Duplicates::DropUnused | Duplicates::KeepRecord => false,
        }
    }
}

impl HeaderXrefs {
    /// Returns whether no substructure of the header can have an identifier.
    pub const fn bars_all(self) -> bool {
        match self {
            HeaderXrefs::None => true,
            HeaderXrefs::Any | HeaderXrefs::OnData => false,
        }
    }
}

impl Gedcom70Header {
    /// Returns whether a file that says GEDCOM 7 is read by the rules of GEDCOM 7.
    pub const fn is_followed(self) -> bool {
        match self {
            Gedcom70Header::Follow => true,
            Gedcom70Header::Ignore => false,
        }
    }
}

impl DateRules {
    /// Returns whether years of one, two or five digits are doubtful. A date with a doubtful year is reported, and it
    /// has no days.
    pub const fn doubt_years(self) -> bool {
        match self {
            DateRules::AsFound => true,
            DateRules::Elf | DateRules::Gedcom70 => false,
        }
    }

    /// Returns whether the case of letters and leading zeros are ignored in dates and ages.
    pub const fn fold_letters(self) -> bool {
        match self {
            DateRules::AsFound => true,
            DateRules::Elf | DateRules::Gedcom70 => false,
        }
    }
}

impl DefaultSchema {
    /// Returns whether there is no schema. Types are then made from tags.
    pub const fn is_none(self) -> bool {
        match self {
            DefaultSchema::None => true,
            DefaultSchema::Published
            | DefaultSchema::Completed
            | DefaultSchema::Gedcom70
            | DefaultSchema::Gedcom71 => false,
        }
    }

    /// Returns whether the schema is the published one with its gaps filled.
    pub const fn is_completed(self) -> bool {
        match self {
            DefaultSchema::Completed => true,
            DefaultSchema::None
            | DefaultSchema::Published
            | DefaultSchema::Gedcom70
            | DefaultSchema::Gedcom71 => false,
        }
    }

    /// Replaces the published schema by the one with its gaps filled. Other schemas are returned unchanged.
    #[must_use]
    pub const fn completed(self) -> DefaultSchema {
        match self {
            DefaultSchema::Published | DefaultSchema::Completed => DefaultSchema::Completed,
            DefaultSchema::None => DefaultSchema::None,
            DefaultSchema::Gedcom70 => DefaultSchema::Gedcom70,
            DefaultSchema::Gedcom71 => DefaultSchema::Gedcom71,
        }
    }

    /// Returns the standard that belongs to the schema. Documents are validated against it if the user names no other
    /// standard.
    pub const fn standard(self) -> Option<Standard> {
        match self {
            DefaultSchema::None => None,
            DefaultSchema::Published | DefaultSchema::Completed => Some(Standard::DataModel),
            DefaultSchema::Gedcom70 => Some(Standard::Gedcom70),
            DefaultSchema::Gedcom71 => Some(Standard::Gedcom71),
        }
    }
}
