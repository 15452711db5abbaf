//! The results of the reference reader, step by step.

/// The drafts that the reference reader supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draft {
    /// The draft of 11 December 2019.
    December2019,
    /// The draft of 7 January 2019.
    January2019,
}

/// A character encoding that the drafts name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterEncoding {
    /// US-ASCII.
    Ascii,
    /// ANSEL, with the octets that GEDCOM added.
    Ansel,
    /// UTF-8.
    Utf8,
    /// UTF-16, least significant octet first.
    Utf16Le,
    /// UTF-16, most significant octet first.
    Utf16Be,
}

/// The severity of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The source is non-conformant; an application may continue.
    NonConformant,
    /// The application must stop: a malformed line or structure, or a file that is not ELF.
    Malformed,
}

/// A violation of the draft, at its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the file, from 1.
    pub line: usize,
    /// How serious the fault is.
    pub severity: Severity,
    /// The clause that is violated, and how.
    pub reason: &'static str,
}

/// The verdict on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file is conformant.
    Conformant,
    /// The file is not conformant, but reading may continue.
    NonConformant,
    /// Reading ends at this line.
    Malformed(usize),
}

/// A line string: the text of a line before the grammar is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineString {
    /// The line of the file, from 1; blank lines count.
    pub number: usize,
    /// The text, without its line break.
    pub text: String,
}

/// A payload, of a line or of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayloadValue {
    /// A string; an omitted payload is the empty one (D19 *Payloads*).
    Text(String),
    /// A pointer, without its at signs.
    Pointer(String),
}

/// A line string parsed into its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedLine {
    /// The line of the file, from 1.
    pub number: usize,
    /// The level.
    pub level: u64,
    /// The cross-reference identifier, without its at signs.
    pub xref: Option<String>,
    /// The tag.
    pub tag: String,
    /// The payload as it is spelled.
    pub payload: PayloadValue,
}

/// A structure: first tagged, later typed too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedStructure {
    /// The line of the file on which it starts, from 1.
    pub line: usize,
    /// The cross-reference identifier, without its at signs.
    pub xref: Option<String>,
    /// The tag.
    pub tag: String,
    /// The payload.
    pub payload: PayloadValue,
    /// True if the draft does not specify the payload.
    pub payload_is_unspecified: bool,
    /// The substructures, in the order of the file.
    pub substructures: Vec<TaggedStructure>,
    /// The IRI of the structure type, once it is known.
    pub structure_type: String,
}

/// The metadata of the serialisation in the header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderMetadata {
    /// The ELF serialisation version.
    pub elf: Option<[u64; 3]>,
    /// The legacy GEDCOM version.
    pub gedcom: Option<[u64; 3]>,
    /// The default payload language.
    pub language: Option<String>,
    /// The schema references: the payloads of SCHMA.
    pub schemas: Vec<String>,
}

/// The result of reading a file, with all intermediate steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The character encoding. `None` if the draft does not define it.
    pub encoding: Option<CharacterEncoding>,
    /// The decoded text, up to what cannot be decoded.
    pub text: String,
    /// True if some bytes cannot be decoded, and the draft does not say how reading continues.
    pub ends_in_undecodable: bool,
    /// True if the search for CHAR of January 2019 skipped a malformed line string that starts like a line of level 0
    /// or 1 (`docs/readings.md`, G27).
    pub search_is_in_doubt: bool,
    /// The line strings.
    pub line_strings: Vec<LineString>,
    /// The lines.
    pub lines: Vec<ParsedLine>,
    /// The serialisation metadata.
    pub metadata: HeaderMetadata,
    /// The records, the header record first; without trailer record and serialisation metadata.
    pub records: Vec<TaggedStructure>,
    /// The violations of the draft, in no particular order.
    pub faults: Vec<Fault>,
}

impl Reading {
    /// Adds a fault after which an application may continue.
    pub(super) fn add_non_conformant(&mut self, line: usize, reason: &'static str) {
        self.faults.push(Fault { line, severity: Severity::NonConformant, reason });
    }

    /// Adds a fault at which an application must stop.
    pub(super) fn add_malformed(&mut self, line: usize, reason: &'static str) {
        self.faults.push(Fault { line, severity: Severity::Malformed, reason });
    }

    /// Returns the verdict on the file.
    pub fn verdict(&self) -> Verdict {
        let malformed = self.faults.iter().filter(|fault| fault.severity == Severity::Malformed);
        match malformed.map(|fault| fault.line).min() {
            Some(line) => Verdict::Malformed(line),
            None if self.faults.is_empty() => Verdict::Conformant,
            None => Verdict::NonConformant,
        }
    }
}
