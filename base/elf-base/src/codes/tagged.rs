//! The codes E03, for problems of tagged structures.

super::table::codes! {
    E0301 CONTINUATION_MISPLACED "continuation-misplaced": "CONT or CONC has nothing to continue";
        class NonConformant, J19 Advice, D19 Malformed, G7 Malformed, G551 Malformed;
        clause D19 "Merging continuation lines", J19 "§6 Levels and lines", RDX "Extended Line",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "Lines", G551 "Chapter 1";
    E0302 CONTINUATION_WITH_SUBSTRUCTURES "continuation-with-substructures": "CONT or CONC has substructures";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Safe;
        clause D19 "Merging continuation lines", J19 "§6 Levels and lines", RDX "Extended Line",
            O17 "§4.2 Decoding a dataset", E17 "Decoding a dataset",
            G7 "Lines", G551 "Chapter 1";
    E0303 CONTINUATION_WITH_XREF "continuation-with-xref": "CONT or CONC has a cross-reference identifier";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Unsafe;
        clause D19 "Merging continuation lines", J19 "§6 Levels and lines", RDX "Extended Line",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "Lines", G551 "Chapter 1";
    E0304 CONTINUATION_POINTER "continuation-pointer": "the payload of CONT or CONC is a pointer";
        class NonConformant;
        fix Safe;
        clause D19 "Merging continuation lines", J19 "§6 Levels and lines", RDX "Extended Line",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "Lines", G551 "Chapter 1";
    E0305 CONTINUATION_AT_PARENT_LEVEL "continuation-at-parent-level":
        "CONT or CONC has the level of the structure that it continues";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Safe;
        clause D19 "Line continuation", J19 "§6 Levels and lines", RDX "Extended Line",
            O17 "§5.2 Structure to/from line(s)", E17 "Structure to/from line(s)",
            G7 "Lines", G551 "Chapter 1";
    E0306 LINE_BREAK_RAW "line-break-raw": "text continues without CONT";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Safe;
        clause D19 "Line continuation", J19 "§6 Levels and lines", RDX "Extended Line",
            O17 "§5.3 Payload String Encoding", E17 "Payload String Encoding",
            G7 "Lines", G551 "Chapter 1";
    E0307 TRAILER_MISSING "trailer-missing": "the last record is not the trailer";
        class NonConformant, D19 Malformed;
        fix Unsafe;
        clause D19 "Parsing lines into structures", J19 "§4 Serialisation metadata", RDX "Document",
            O17 "§3.2 Pseudo-structures", E17 "Encoding a dataset",
            G7 "The Header and Trailer", G551 "Chapter 1";
    E0308 TRAILER_MISPLACED "trailer-misplaced": "TRLR is not the last record";
        class NonConformant, D19 Malformed;
        fix Unsafe;
        clause D19 "Second pass: processing", J19 "§4 Serialisation metadata", RDX "Document",
            O17 "§3.2 Pseudo-structures", E17 "Encoding a dataset",
            G7 "The Header and Trailer", G551 "Chapter 1";
    E0309 TRAILER_NOT_BARE "trailer-not-bare": "the trailer has an identifier, a payload or substructures";
        class NonConformant, D19 Malformed;
        clause D19 "Parsing lines into structures", J19 "§4 Serialisation metadata", RDX "Document",
            O17 "§4.1 Encoding a dataset", E17 "Encoding a dataset",
            G7 "The Header and Trailer", G551 "Chapter 1";
    E0310 HEADER_MISPLACED "header-misplaced": "HEAD is not the first record";
        class NonConformant, D19 Malformed;
        clause D19 "Second pass: processing", J19 "§4 Serialisation metadata", RDX "Document",
            O17 "§3.1 Structures", E17 "Structures",
            G7 "The Header and Trailer", G551 "Chapter 1";
    E0311 HEADER_NOT_BARE "header-not-bare": "the header has an identifier or a payload";
        class NonConformant;
        clause D19 "Header metadata", J19 "§4 Serialisation metadata", RDX "Header", O17 _, E17 _,
            G7 "The Header and Trailer", G551 "Chapter 1";
    E0312 HEADER_SPELLING "header-spelling": "the header is not spelled HEAD";
        class NonConformant;
        fix Safe;
        clause D19 "Header metadata", J19 "§4 Serialisation metadata", RDX "Header", O17 "§3.1 Structures",
            E17 "Structures",
            G7 "The Header and Trailer", G551 "Chapter 1";
    E0313 METADATA_XREF "metadata-xref": "a header structure such as CHAR has a cross-reference identifier";
        class NonConformant, O17 Advice, E17 Advice;
        clause D19 "Parsing serialisation metadata", J19 "§5.1 Pointer conversion", RDX "Header",
            O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures",
            G7 "Lines";
    E0314 METADATA_RESERVED_TAG "metadata-reserved-tag": "a header structure such as CHAR contains HEAD, TRLR, CONC or CONT";
        class NonConformant;
        clause D19 "Parsing serialisation metadata", J19 _, RDX _, O17 _, E17 _,
            G7 "Lines";
    E0315 METADATA_POINTER "metadata-pointer": "the payload of a header structure such as CHAR is a pointer";
        class NonConformant;
        clause D19 "Parsing serialisation metadata", J19 _, RDX _, O17 "§3.2 Pseudo-structures",
            E17 "Pseudo-structures",
            G7 "Lines";
    E0316 METADATA_REPEATED "metadata-repeated": "CHAR, ELF, GEDC or PLANG is repeated in the header";
        class NonConformant;
        clause D19 "Parsing serialisation metadata", J19 "§4 Serialisation metadata", RDX "Header", O17 _, E17 _,
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0317 VERSION_MALFORMED "version-malformed": "invalid version number";
        class NonConformant;
        clause D19 "Version numbers", J19 _, RDX _, O17 _, E17 _,
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0318 ELF_VERSION_MINOR "elf-version-minor": "the minor version of ELF is unknown";
        class Advice;
        clause D19 "ELF serialisation version", J19 _, RDX _, O17 _, E17 _;
    E0319 ELF_VERSION_MAJOR "elf-version-major": "the major version of ELF is not supported";
        class NonConformant;
        clause D19 "ELF serialisation version", J19 _, RDX _, O17 _, E17 _;
    E0320 GEDC_MALFORMED "gedc-malformed": "GEDC must have one VERS, one FORM and no payload";
        class NonConformant;
        clause D19 "Parsing serialisation metadata", J19 _, RDX _, O17 _, E17 _,
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0321 GEDCOM_VERSION_UNKNOWN "gedcom-version-unknown":
        "the GEDCOM version is not the one that the rules expect";
        class NonConformant;
        clause D19 "Legacy GEDCOM version", J19 _, RDX _, O17 _, E17 _,
            G7 "The Header and Trailer", G551 "Chapter 2";
    E0322 GEDCOM_FORM "gedcom-form": "the FORM of GEDC is not LINEAGE-LINKED";
        class NonConformant;
        fix Unsafe;
        clause D19 "Parsing serialisation metadata", J19 _, RDX _, O17 _, E17 _,
            G551 "Chapter 2";
    E0323 ESCAPE_NOT_PERMITTED "escape-not-permitted":
        "an escape sequence is not allowed here";
        class Advice, D19 NonConformant;
        fix Unsafe;
        clause D19 "Permitted escapes", J19 "§5.2 Escape preservation and removal", RDX "Payload conversion",
            O17 _, E17 _;
    E0324 ESCAPE_MALFORMED "escape-malformed": "`@#` does not start an escape sequence";
        class NonConformant, RDX Advice, J19 Advice;
        fix Safe;
        clause D19 "Identifying escapes", J19 "§5.2 Escape preservation and removal", RDX "Payload conversion",
            O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0325 UNICODE_ESCAPE_MALFORMED "unicode-escape-malformed": "invalid Unicode escape";
        class NonConformant;
        fix Unsafe;
        clause D19 "Unicode escapes", J19 "§5.3 Unicode escapes", RDX "Payload conversion",
            O17 "§7.2.3 Decoding", E17 "Decoding";
    E0326 AT_SIGN_BARE "at-sign-bare": "an at sign is not doubled";
        class NonConformant, RDX Advice, J19 Advice, D19 Deprecated;
        fix Safe;
        clause D19 "Escaping", J19 "§5.4 Encoding @s", RDX "Payload conversion", O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0327 POINTER_DANGLING "pointer-dangling": "unresolved pointer";
        class NonConformant, D19 Advice, G551 Advice;
        clause D19 "Pointer conversion", J19 "§5.1 Pointer conversion", RDX "xref_id", O17 "§3.1 Structures",
            E17 "Structures",
            G7 "Lines", G551 "Chapter 1";
    E0328 POINTER_AMBIGUOUS "pointer-ambiguous": "ambiguous pointer";
        class NonConformant;
        clause D19 "Pointer conversion", J19 "§5.1 Pointer conversion", RDX "xref_id", O17 "§3.1 Structures",
            E17 "Structures",
            G7 "Lines", G551 "Chapter 1";
    E0329 XREF_REPEATED "xref-repeated": "several structures have the same cross-reference identifier";
        class NonConformant;
        clause D19 "Pointer conversion", J19 "§5.1 Pointer conversion", RDX "xref_id", O17 "§3.1 Structures",
            E17 "Structures",
            G7 "Lines", G551 "Chapter 1";
    E0330 POINTER_TO_SUBSTRUCTURE "pointer-to-substructure": "a pointer refers to a structure that is not a record";
        class Advice, RDX NonConformant;
        clause D19 "Overview", J19 "§2.4 Glossary", RDX "Intermediate forms", O17 _, E17 _,
            G7 "Lines";
    E0331 LANGUAGE_MALFORMED "language-malformed": "invalid language tag";
        class NonConformant;
        clause D19 ("Basic Concepts" "Language tags"), J19 _, RDX _, O17 _, E17 _;
    E0332 ELF_VERSION_MISPLACED "elf-version-misplaced": "the ELF version is under GEDC";
        class NonConformant;
        clause D19 "ELF serialisation version", J19 _, RDX _, O17 _, E17 _;
    E0333 STRUCTURE_REJECTED "structure-rejected": "a structure is omitted by the declarative draft";
        class NonConformant;
        clause D19 _, J19 _, RDX "Rejecting subparts of the dataset", O17 _, E17 _;
    E0334 POINTER_EXTERNAL "pointer-external": "a pointer refers to another file or to a part of a record";
        class NonConformant;
        clause D19 "Payloads", J19 "§5.1 Pointer conversion", RDX "Intermediate forms", O17 "§3.1 Structures",
            E17 "Structures",
            G7 "Lines";
    E0335 METADATA_SPELLING "metadata-spelling": "CHAR in the header is in lower case";
        class Advice;
        clause D19 "Header metadata", J19 _, RDX _, O17 _, E17 _;
    E0336 PSEUDO_STRUCTURE_MISPLACED "pseudo-structure-misplaced":
        "CHAR, PRFX, DEFN, CONT, CONC or TRLR is misplaced";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 "§3.2 Pseudo-structures", E17 "Pseudo-structures";
    E0337 METADATA_NOT_BARE "metadata-not-bare":
        "CHAR or another structure that is not data has substructures";
        class Advice, RDX NonConformant;
        clause D19 "Parsing serialisation metadata", J19 "§4 Serialisation metadata", RDX "Header",
            O17 "§4.2 Decoding a dataset", E17 "Decoding a dataset";
    E0338 RESERVED_TAG_MISUSED "reserved-tag-misused": "PLANG or DTYPE does not describe a text";
        class NonConformant;
        clause D19 "Tags", J19 _, RDX _, O17 _, E17 _;
    E0339 XREF_ON_SUBSTRUCTURE "xref-on-substructure": "a structure that is not a record has an identifier";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G7 "Lines";
    E0340 CONC_UNKNOWN "conc-unknown": "CONC does not exist in this format";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G7 "Lines";
    E0341 STRUCTURE_EMPTY "structure-empty": "a structure has neither a payload nor substructures";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G7 "Structures";
    E0342 METADATA_UNKNOWN "metadata-unknown": "CHAR or FORM does not exist in the header of this format";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G7 "The Header and Trailer";
}
