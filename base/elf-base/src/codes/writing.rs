//! The codes E08, for problems that occur when a file is written.

super::table::codes! {
    E0801 TAG_CANNOT_BE_WRITTEN "tag-cannot-be-written": "a tag is not allowed in the output";
        class NonConformant;
        clause D19 "Serialising structures", J19 "§3.2 Serialisation", RDX "Intermediate forms",
            O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0802 XREF_CANNOT_BE_WRITTEN "xref-cannot-be-written":
        "an identifier is not allowed in the output";
        class NonConformant;
        clause D19 "Cross-reference identifiers", J19 "§5.1 Pointer conversion", RDX "xref_id",
            O17 "§3.1 Structures", E17 "Structures",
            G7 "Lines", G551 "Chapter 1";
    E0803 CHARACTER_CANNOT_BE_WRITTEN "character-cannot-be-written":
        "a character cannot be written";
        class NonConformant;
        clause D19 "Conventions used", J19 ("Basic Concepts" "Characters and strings"),
            RDX ("Basic Concepts" "Characters and strings"), O17 ("Basic Concepts" "Characters and strings"),
            E17 "Characters and strings",
            G7 "Characters", G551 "Chapter 1";
    E0804 METADATA_CANNOT_BE_WRITTEN "metadata-cannot-be-written":
        "a value cannot be written in the header";
        class NonConformant;
        clause D19 "Header metadata", J19 "§4 Serialisation metadata", RDX "Header",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0805 POINTER_CANNOT_BE_WRITTEN "pointer-cannot-be-written": "a pointer cannot be written as a pointer";
        class NonConformant;
        clause D19 "Payloads", J19 "§5.1 Pointer conversion", RDX "xref_id",
            O17 "§5.2 Structure to/from line(s)", E17 "Structure to/from line(s)",
            G7 "Lines", G551 "Chapter 1";
    E0806 STRUCTURE_DROPPED "structure-dropped": "a structure cannot be written in this draft";
        class NonConformant;
        clause D19 "Serialisation metadata", J19 "§4 Serialisation metadata", RDX "Header",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0807 WHITESPACE_CANNOT_BE_KEPT "whitespace-cannot-be-kept": "programs will drop spaces at the start or end of a line";
        class NonConformant;
        clause D19 "Line strings", J19 "§6 Levels and lines", RDX "Payload conversion",
            O17 "§5.3 Payload String Encoding", E17 "Payload String Encoding",
            G7 "Lines", G551 "Chapter 1";
    E0808 XREF_WITHIN_RECORD "xref-within-record": "a structure that is not a record is written with an identifier";
        class Advice;
        clause D19 "Pointer conversion", J19 "§5.1 Pointer conversion", RDX "xref_id", O17 _, E17 _,
            G7 "Lines";
    E0809 SCHEMA_CANNOT_BE_WRITTEN "schema-cannot-be-written": "a part of a schema cannot be written";
        class NonConformant;
        clause D19 ("ELF Schemas" "ELF Schema"), J19 "§4.2 ELF Schema", RDX "ELF Schema",
            O17 "§6.4 IRI dictionary encoding", E17 "IRI dictionary encoding",
            G7 "Extensions", G551 "Chapter 2";
    E0810 TYPE_CANNOT_BE_KEPT "type-cannot-be-kept": "a structure cannot keep its type";
        class NonConformant;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag",
            G7 "Extensions", G551 "Chapter 2";
    E0811 IDENTIFIER_RENAMED "identifier-renamed": "an identifier is renamed";
        class Advice;
        clause D19 "Pointer conversion", J19 "§5.1 Pointer conversion", RDX "xref_id", O17 "§3.1 Structures",
            E17 "Structures",
            G7 "Lines", G551 "Chapter 1";
    E0812 FAULTY_LINE_WRITTEN "faulty-line-written":
        "an invalid line is written as an ERROR structure";
        class NonConformant;
        clause D19 "Parsing lines", J19 "§6.1 Error lines", RDX "Line", O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0813 ESCAPE_CANNOT_BE_KEPT "escape-cannot-be-kept": "an escape becomes text or is left out";
        class NonConformant;
        clause D19 "Escape preservation and removal", J19 "§5.2.1 Serialisation", RDX "Payload conversion",
            O17 "§5.3 Payload String Encoding", E17 "Payload String Encoding",
            G7 "Lines", G551 "Chapter 1";
    E0814 VERSION_REPLACED "version-replaced": "the version in the header is replaced";
        class NonConformant;
        clause D19 "Version numbers", J19 "§9 Appendix A: Default Schema", RDX "Appendix A: Default Schema",
            O17 "§2 Overview of ELF", E17 "General",
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0815 METADATA_NOT_CARRIED "metadata-not-carried":
        "a version under CHAR or FORM in the header is not written";
        class Advice;
        clause D19 "Header metadata", J19 "§4 Serialisation metadata", RDX "Header",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0816 LEFT_OUT_WHEN_READ "left-out-when-read": "text that is not data in the input is not written";
        class NonConformant;
        clause D19 "Parsing serialisation metadata", J19 "§4 Serialisation metadata", RDX "Line",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0817 OCTETS_REPLACED "octets-replaced": "bytes that could not be decoded are not written";
        class NonConformant;
        clause D19 "Character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§7.2.3 Decoding", E17 "Decoding",
            G7 "Characters", G551 "Chapter 3";
    E0818 OUTPUT_TAKEN_FOR_OTHER "output-taken-for-other": "programs may read the file in another encoding";
        class NonConformant;
        clause D19 "Specified character encodings", J19 "§7.2.2 Character encoding", RDX "Character encoding",
            O17 "§7.2.2 Character encoding", E17 "Character encoding",
            G7 "Characters", G551 "Chapter 3";
    E0819 STRUCTURE_NOT_CARRIED "structure-not-carried": "a structure does not exist in the other standard";
        class NonConformant;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag",
            G7 "Extensions", G551 "Chapter 2";
    E0820 VALUE_NOT_CARRIED "value-not-carried": "a payload cannot be expressed in the other standard";
        class NonConformant;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag",
            G7 "Extensions", G551 "Chapter 2";
    E0821 STRUCTURE_REARRANGED "structure-rearranged": "a structure is written differently in the other standard";
        class Advice;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag";
    E0822 FILE_NOT_CARRIED "file-not-carried": "a file is not copied to the output";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _, G7 "The FamilySearch GEDZIP file format";
    E0823 LEVEL_CANNOT_BE_KEPT "level-cannot-be-kept": "a structure is written at another level";
        class NonConformant;
        clause D19 "Levels", J19 _, RDX _, O17 _, E17 _;
}
