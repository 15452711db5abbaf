//! The questions that several layers ask of one rule. None of them is which draft it is.

use super::{
    BadLine, Controls, DateRules, DefaultSchema, Delimiters, Duplicates, EmptyPayload, EncodingNames,
    Encodings, Gedcom7, HeaderXrefs, JoinedLines, LevelZeros, LineRules, LoneFeeds, Mechanism, Metadata,
    OctetRules, PayloadWhitespace, Prescan, Rules, TagLetters, TagNames, XrefChars, XrefErrors,
};
use crate::{Class, Code, Draft, Format, Standard};

impl Rules {
    /// Returns whether a finding of that code ends the reading: under [`BadLine::Terminate`], which is
    /// December's, what December 2019 calls malformed (D19 *Errors in structures*).
    pub const fn end_at(&self, code: Code) -> bool {
        self.terminates() && matches!(code.class(Format::Elf(Draft::December2019)), Class::Malformed)
    }

    /// Returns the rules by which a file is read whose header says that it is GEDCOM 7.
    #[must_use]
    pub const fn of_gedcom_7(&self) -> Rules {
        match self.octets.gedcom_7 {
            Gedcom7::Heed => Rules::GEDCOM_7,
            Gedcom7::Ignore => *self,
        }
    }

    /// Returns the rules by which a file is read whose header says that it is of the draft of GEDCOM 7.1, where these
    /// rules read it as GEDCOM 7.
    #[must_use]
    pub const fn of_gedcom_7_1(&self) -> Rules {
        let default = match self.schema.default {
            DefaultSchema::Gedcom7 => DefaultSchema::Gedcom71,
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

    /// Returns whether a malformed line ends the reading ([`BadLine::Terminate`]).
    pub const fn terminates(&self) -> bool {
        match self.tagged.bad_line {
            BadLine::Terminate => true,
            BadLine::Recover | BadLine::ErrorLine | BadLine::Reject => false,
        }
    }
}

impl Prescan {
    /// Returns whether the scan for CHAR reads small letters as capital ones, so that `0 Head` begins a header.
    pub const fn folds_case(self) -> bool {
        match self {
            Prescan::December | Prescan::Gedcom7 => true,
            Prescan::Early => false,
        }
    }

    /// Returns whether the first line string is `0 HEAD` and no more, so that a header has neither identifier
    /// nor payload.
    pub const fn wants_bare_header(self) -> bool {
        match self {
            Prescan::December | Prescan::Gedcom7 => true,
            Prescan::Early => false,
        }
    }

    /// Returns whether an encoding that is known from outside, such as the one a medium was labelled with, goes
    /// before a byte-order mark (J19 §7.2.1).
    pub const fn prefers_external(self) -> bool {
        match self {
            Prescan::Early => true,
            Prescan::December | Prescan::Gedcom7 => false,
        }
    }

    /// Returns whether an encoded digit zero alone shows UTF-16 at the start of a file, rather than any
    /// character of ASCII (D19 *Detecting a character encoding*; J19 §7.2.1).
    pub const fn detects_by_zero(self) -> bool {
        match self {
            Prescan::Early => true,
            Prescan::December | Prescan::Gedcom7 => false,
        }
    }

    /// Returns whether a file whose CHAR says ASCII is ASCII after the byte-order mark of UTF-8, until an
    /// octet of it says otherwise (D19 *Specified character encodings*).
    pub const fn lets_ascii_stand_behind_mark(self) -> bool {
        match self {
            Prescan::December => true,
            Prescan::Early | Prescan::Gedcom7 => false,
        }
    }

    /// Returns whether CHAR says which encoding a file is in.
    pub const fn heeds_char(self) -> bool {
        match self {
            Prescan::Early | Prescan::December => true,
            Prescan::Gedcom7 => false,
        }
    }
}

impl Metadata {
    /// Returns whether a structure of that tag is serialisation metadata: in the header if `in_head`, elsewhere
    /// if not.
    ///
    /// The trailer and continuations are no question of the tag alone, and not meant.
    ///
    /// ```
    /// use elf_base::rules::Metadata;
    /// assert!(Metadata::Versions.takes("GEDC", true) && !Metadata::Versions.takes("GEDC", false));
    /// assert!(Metadata::PseudoStructures.takes("DEFN", false) && !Metadata::Schema.takes("ELF", true));
    /// ```
    pub fn takes(self, tag: &str, in_head: bool) -> bool {
        match self {
            Metadata::PseudoStructures => matches!(tag, "CHAR" | "DEFN" | "PRFX"),
            Metadata::Schema => in_head && matches!(tag, "CHAR" | "SCHMA"),
            Metadata::Versions => in_head && matches!(tag, "CHAR" | "ELF" | "GEDC" | "PLANG" | "SCHMA"),
            Metadata::Gedcom551 => in_head && matches!(tag, "CHAR" | "GEDC"),
            Metadata::Gedcom7 => in_head && matches!(tag, "CHAR" | "GEDC" | "SCHMA"),
        }
    }

    /// Returns whether the metadata is read as it stands, before continuations are merged and escapes are read
    /// (D19 *Header metadata*).
    pub const fn is_raw(self) -> bool {
        match self {
            Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom7 => true,
            Metadata::PseudoStructures | Metadata::Schema => false,
        }
    }

    /// Returns whether the metadata are pseudo-structures, which are no data wherever they stand, nor is what
    /// stands under them (O17 §3.2, §4.2).
    pub const fn is_pseudo(self) -> bool {
        match self {
            Metadata::PseudoStructures => true,
            Metadata::Schema | Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom7 => false,
        }
    }

    /// Returns whether the header names the version of ELF (D19 *ELF serialisation version*).
    pub const fn has_elf_version(self) -> bool {
        match self {
            Metadata::Versions => true,
            Metadata::PseudoStructures | Metadata::Schema | Metadata::Gedcom551 | Metadata::Gedcom7 => false,
        }
    }

    /// Returns whether the header has relics only of GEDCOM 5.5.1: an encoding, and the form of its lineage
    /// (GEDCOM 7.0 *The Header and Trailer*).
    pub const fn has_no_form(self) -> bool {
        match self {
            Metadata::Gedcom7 => true,
            Metadata::PseudoStructures | Metadata::Schema | Metadata::Versions | Metadata::Gedcom551 => false,
        }
    }

    /// Returns whether the versions in ELF and GEDC are metadata, written anew by each writer, rather than data
    /// (D19 *Version numbers*).
    pub const fn has_versions(self) -> bool {
        match self {
            Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom7 => true,
            Metadata::PseudoStructures | Metadata::Schema => false,
        }
    }

    /// Returns whether HEAD is a structure of the dataset like any other, which may bear an identifier and a
    /// payload (O17 §3.1).
    pub const fn leaves_header(self) -> bool {
        match self {
            Metadata::PseudoStructures => true,
            Metadata::Schema | Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom7 => false,
        }
    }

    /// Returns whether HEAD is serialisation metadata itself, so that no pointer leads to it (J19 §4; RDX
    /// *Header*).
    pub const fn takes_header(self) -> bool {
        match self {
            Metadata::Schema => true,
            Metadata::PseudoStructures | Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom7 => {
                false
            }
        }
    }

    /// Returns whether no structure within a record may be tagged `tag`, which is HEAD or TRLR: December 2019
    /// reserves both in all contexts (D19 *Tags*), January 2019 and the declarative draft for records alone
    /// (J19 §3.2), and 2017 makes TRLR a pseudo-structure wherever it stands (O17 §3.2).
    pub fn reserves_within_records(self, tag: &str) -> bool {
        match self {
            Metadata::Versions => matches!(tag, "HEAD" | "TRLR"),
            Metadata::Schema | Metadata::Gedcom551 | Metadata::Gedcom7 => false,
            Metadata::PseudoStructures => tag == "TRLR",
        }
    }

    /// Returns whether a trailer is no data even if it holds something; if not, only a bare one is taken out.
    pub const fn takes_any_trailer(self) -> bool {
        match self {
            Metadata::PseudoStructures | Metadata::Schema => true,
            Metadata::Versions | Metadata::Gedcom551 | Metadata::Gedcom7 => false,
        }
    }
}

impl XrefChars {
    /// Returns whether small letters are none of them.
    pub const fn are_capitals(self) -> bool {
        match self {
            XrefChars::Capitals => true,
            XrefChars::Loose | XrefChars::AsciiId | XrefChars::IriSafe | XrefChars::Any => false,
        }
    }
}

impl LineRules {
    /// Returns whether a pointer may have blanks around it (D19 *Payloads*).
    pub const fn lets_blanks_surround_pointers(&self) -> bool {
        match self.conformant_xref {
            XrefChars::IriSafe | XrefChars::Any => true,
            XrefChars::Loose | XrefChars::AsciiId | XrefChars::Capitals => false,
        }
    }

    /// Returns whether a pointer may hold characters that no identifier has, which are then reported (D19
    /// *Payloads*).
    pub const fn has_wide_pointers(&self) -> bool {
        match self.xref {
            XrefChars::IriSafe | XrefChars::Any | XrefChars::Capitals => true,
            XrefChars::Loose | XrefChars::AsciiId => false,
        }
    }
}

impl Delimiters {
    /// Returns whether other whitespace than one space between the parts of a line is reported.
    pub const fn is_one_space(self) -> bool {
        match self {
            Delimiters::Space => true,
            Delimiters::Blanks => false,
        }
    }
}

impl TagLetters {
    /// Returns whether small letters in a tag are reported.
    pub const fn are_capitals(self) -> bool {
        match self {
            TagLetters::Capitals => true,
            TagLetters::Any => false,
        }
    }
}

impl TagNames {
    /// Returns whether a tag may stand in a line by its full name.
    pub const fn may_be_full(self) -> bool {
        match self {
            TagNames::ShortOrFull => true,
            TagNames::Short => false,
        }
    }
}

impl LoneFeeds {
    /// Returns whether a line feed alone may be part of a payload.
    pub const fn break_payloads(self) -> bool {
        match self {
            LoneFeeds::BreakPayloads => true,
            LoneFeeds::EndLines => false,
        }
    }
}

impl Controls {
    /// Returns whether controls are none of the characters of a text, and private-use characters are.
    pub const fn are_banned(self) -> bool {
        match self {
            Controls::Banned => true,
            Controls::Restricted => false,
        }
    }
}

impl Encodings {
    /// Returns whether a file is in UTF-8 and nothing else, and does not say so.
    pub const fn are_utf_8(self) -> bool {
        match self {
            Encodings::Utf8 => true,
            Encodings::Named => false,
        }
    }
}

impl EmptyPayload {
    /// Returns whether an empty payload is none: read, shown and compared as none. In 2017 only the type of the
    /// structure says which of the two it is (O17 §5.2), and no layer but that of types tells them apart.
    pub const fn is_absent(self) -> bool {
        !self.is_written()
    }

    /// Returns whether an empty payload is written in another way than none: by a space after the tag.
    pub const fn is_written(self) -> bool {
        match self {
            EmptyPayload::Present => true,
            EmptyPayload::Absent | EmptyPayload::Trimmed => false,
        }
    }
}

impl Mechanism {
    /// Returns whether types are defined in HEAD.SCHMA and nowhere else, in the form that the draft describes.
    pub const fn is_inline(self) -> bool {
        match self {
            Mechanism::Inline { .. } => true,
            Mechanism::IriDictionary | Mechanism::Reference | Mechanism::ExtensionTags | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether types are defined by the IRI dictionary of 2017, which is no schema.
    pub const fn is_dictionary(self) -> bool {
        match self {
            Mechanism::IriDictionary => true,
            Mechanism::Inline { .. } | Mechanism::Reference | Mechanism::ExtensionTags | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether SCHMA is kept as it stands, whatever it holds, and no schema is written in its place
    /// (D19 *Parsing serialisation metadata*). What GEDCOM 7 has in it says nothing of other tags.
    pub const fn stores_schema(self) -> bool {
        match self {
            Mechanism::Reference | Mechanism::ExtensionTags => true,
            Mechanism::IriDictionary | Mechanism::Inline { .. } | Mechanism::None => false,
        }
    }

    /// Returns whether a file can define types of its own in the ways of ELF.
    pub const fn defines_types(self) -> bool {
        match self {
            Mechanism::IriDictionary | Mechanism::Inline { .. } | Mechanism::Reference => true,
            Mechanism::ExtensionTags | Mechanism::None => false,
        }
    }

    /// Returns whether a SCHMA gives IRIs to extension tags and no more (GEDCOM 7.0 *Extensions*).
    pub const fn is_of_extension_tags(self) -> bool {
        match self {
            Mechanism::ExtensionTags => true,
            Mechanism::IriDictionary | Mechanism::Inline { .. } | Mechanism::Reference | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether a SCHMA is a reference or, by its shape, an inline schema (D19 *Parsing serialisation
    /// metadata*).
    pub const fn is_by_shape(self) -> bool {
        match self {
            Mechanism::Reference => true,
            Mechanism::IriDictionary
            | Mechanism::Inline { .. }
            | Mechanism::ExtensionTags
            | Mechanism::None => false,
        }
    }

    /// Returns whether a file that brings no schema should refer to the default one (J19 §4.2.1).
    pub const fn asks_for_default(self) -> bool {
        match self {
            Mechanism::Inline { external } => external,
            Mechanism::IriDictionary | Mechanism::Reference | Mechanism::ExtensionTags | Mechanism::None => {
                false
            }
        }
    }

    /// Returns whether several SCHMA may stand in the header, and refer to schemas elsewhere (J19 §4.2.1; D19
    /// *Parsing serialisation metadata*). In 2017 SCHMA is data like any other, and nothing is asked of it.
    pub const fn may_refer(self) -> bool {
        match self {
            Mechanism::IriDictionary | Mechanism::Reference => true,
            Mechanism::Inline { external } => external,
            Mechanism::ExtensionTags | Mechanism::None => false,
        }
    }
}

impl OctetRules {
    /// Returns whether octets and headers that cannot be read end the reading, rather than being reported and
    /// passed (D19 *Specified character encodings*).
    pub const fn ends_at_faults(&self) -> bool {
        match self.prescan {
            Prescan::December | Prescan::Gedcom7 => !self.content,
            Prescan::Early => false,
        }
    }
}

impl EncodingNames {
    /// Returns whether names that producers write are known beside those of the standard.
    pub const fn knows_producers(self) -> bool {
        match self {
            EncodingNames::Producers => true,
            EncodingNames::Standard => false,
        }
    }
}

impl LevelZeros {
    /// Returns whether a line with zeros before its level is none.
    pub const fn are_malformed(self) -> bool {
        match self {
            LevelZeros::Malformed => true,
            LevelZeros::Ignore | LevelZeros::Report => false,
        }
    }
}

impl PayloadWhitespace {
    /// Returns whether whitespace at either end of a payload is no part of it.
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
    /// Returns whether a malformed line becomes an ERROR line, which is written and read as such (J19 §6.1).
    pub const fn makes_error_lines(self) -> bool {
        match self {
            BadLine::ErrorLine => true,
            BadLine::Terminate | BadLine::Reject | BadLine::Recover => false,
        }
    }

    /// Returns whether the level of a continuation line counts for the lines after it, as that of any other
    /// does.
    pub const fn counts_continuations(self) -> bool {
        match self {
            BadLine::Terminate | BadLine::Recover => true,
            BadLine::ErrorLine | BadLine::Reject => false,
        }
    }
}

impl JoinedLines {
    /// Returns whether a line that runs on into another one is reported.
    pub const fn are_reported(self) -> bool {
        match self {
            JoinedLines::Report => true,
            JoinedLines::Accept => false,
        }
    }
}

impl XrefErrors {
    /// Returns whether records are inserted for pointers that lead nowhere (J19 §5.1).
    pub const fn inserts_records(self) -> bool {
        match self {
            XrefErrors::Undef => true,
            XrefErrors::Keep | XrefErrors::Options(_) => false,
        }
    }

    /// Returns whether identifiers are taken away, or structures rejected for them (RDX).
    pub const fn rejects(self) -> bool {
        self.duplicates().is_some()
    }

    /// Returns the option by which repeated identifiers are treated, if they are (RDX).
    pub const fn duplicates(self) -> Option<Duplicates> {
        match self {
            XrefErrors::Options(option) => Some(option),
            XrefErrors::Keep | XrefErrors::Undef => None,
        }
    }
}

impl Duplicates {
    /// Returns whether one repeated identifier has the whole dataset rejected.
    pub const fn reject_all(self) -> bool {
        match self {
            Duplicates::RejectAll => true,
            Duplicates::RejectBearers | Duplicates::DropUnused | Duplicates::KeepRecord => false,
        }
    }
}

impl HeaderXrefs {
    /// Returns whether no substructure of the header may bear an identifier.
    pub const fn bars_all(self) -> bool {
        match self {
            HeaderXrefs::None => true,
            HeaderXrefs::Any | HeaderXrefs::OnData => false,
        }
    }
}

impl Gedcom7 {
    /// Returns whether a file that says it is GEDCOM 7 is read as such.
    pub const fn is_heeded(self) -> bool {
        match self {
            Gedcom7::Heed => true,
            Gedcom7::Ignore => false,
        }
    }
}

impl DateRules {
    /// Returns whether a year of one or two digits may be a day or a year that lacks its century, and a year of five
    /// a slip: such a date is reported and has no days.
    pub const fn doubt_years(self) -> bool {
        match self {
            DateRules::AsFound => true,
            DateRules::Elf | DateRules::Gedcom7 => false,
        }
    }

    /// Returns whether a date or an age in other letters, or with leading zeros, is still in the grammar.
    pub const fn fold_letters(self) -> bool {
        match self {
            DateRules::AsFound => true,
            DateRules::Elf | DateRules::Gedcom7 => false,
        }
    }
}

impl DefaultSchema {
    /// Returns whether there is none, so that a type is made of the tag alone.
    pub const fn is_none(self) -> bool {
        match self {
            DefaultSchema::None => true,
            DefaultSchema::Published
            | DefaultSchema::Completed
            | DefaultSchema::Gedcom7
            | DefaultSchema::Gedcom71 => false,
        }
    }

    /// Returns whether the schema in force is the published one with its gaps filled.
    pub const fn is_completed(self) -> bool {
        match self {
            DefaultSchema::Completed => true,
            DefaultSchema::None
            | DefaultSchema::Published
            | DefaultSchema::Gedcom7
            | DefaultSchema::Gedcom71 => false,
        }
    }

    /// The published schema with its gaps filled in place of the published one; any other as it is.
    #[must_use]
    pub const fn completed(self) -> DefaultSchema {
        match self {
            DefaultSchema::Published | DefaultSchema::Completed => DefaultSchema::Completed,
            DefaultSchema::None => DefaultSchema::None,
            DefaultSchema::Gedcom7 => DefaultSchema::Gedcom7,
            DefaultSchema::Gedcom71 => DefaultSchema::Gedcom71,
        }
    }

    /// The standard whose types it has, which a document is held against where no other is named.
    pub const fn standard(self) -> Option<Standard> {
        match self {
            DefaultSchema::None => None,
            DefaultSchema::Published | DefaultSchema::Completed => Some(Standard::DataModel),
            DefaultSchema::Gedcom7 => Some(Standard::Gedcom70),
            DefaultSchema::Gedcom71 => Some(Standard::Gedcom71),
        }
    }
}
