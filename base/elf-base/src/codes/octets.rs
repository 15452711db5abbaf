//! The codes E01, for problems of bytes and encodings.

super::table::codes! {
    E0101 NOT_ELF "not-elf": "the first line is not `0 HEAD`";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        clause D19 "Specified character encodings", J19 "§4 Serialisation metadata", RDX "Document",
            O17 "§3.1 Structures", E17 "Structures",
            G7 "The Header and Trailer", G551 "Chapter 1";
    E0102 NO_LINES "no-lines": "the file contains no valid line";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        clause D19 "Parsing lines", J19 "§6.1 Error lines", RDX "Line", O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0103 ENCODING_UNKNOWN "encoding-unknown": "CHAR names an unknown encoding";
        class NonConformant, D19 Advice;
        fix Safe;
        clause D19 "Specified character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§4.1 Encoding a dataset", E17 "Encoding a dataset",
            G551 "Chapter 2";
    E0104 ENCODING_UNSUPPORTED "encoding-unsupported": "the encoding of the file is not supported";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        clause D19 "Specified character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§4.1 Encoding a dataset", E17 "Encoding a dataset",
            G7 "Characters", G551 "Chapter 3";
    E0105 ENCODING_CONTRADICTED "encoding-contradicted": "the content is not in the encoding that CHAR names";
        class NonConformant;
        fix Safe;
        clause D19 "Specified character encodings", J19 "§7.2.2 Character encoding", RDX "Character encoding",
            O17 "§7.2.2 Character encoding", E17 "Character encoding",
            G551 "Chapter 3";
    E0106 ENCODING_CONTRADICTS_MARK "encoding-contradicts-mark":
        "the byte-order mark contradicts the encoding that CHAR names";
        class NonConformant;
        fix Safe;
        clause D19 "Detecting a character encoding", J19 "§7.2.1 Detected character encoding",
            RDX "Detected character encoding", O17 "§7.2.1 Detected character encoding",
            E17 "Detected character encoding",
            G551 "Chapter 3";
    E0107 ENCODING_ALIAS "encoding-alias": "CHAR has a non-standard encoding name";
        class NonConformant;
        fix Safe;
        clause D19 "Character encoding names", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§4.1 Encoding a dataset", E17 "Encoding a dataset",
            G551 "Chapter 2";
    E0108 ENCODING_BY_CONTENT "encoding-by-content": "the encoding was detected from the content";
        class Advice, G7 NonConformant;
        fix Safe;
        clause D19 "Specified character encodings", J19 "§7.2.2 Character encoding", RDX "Character encoding",
            O17 "§7.2.2 Character encoding", E17 "Character encoding",
            G7 "Characters", G551 "Chapter 3";
    E0109 OCTET_UNDECODABLE "octet-undecodable": "bytes that are invalid in the encoding of the file";
        class NonConformant;
        fix Unsafe;
        clause D19 "Character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§7.2.3 Decoding", E17 "Decoding",
            G7 "Characters", G551 "Chapter 3";
    E0110 NUL_IN_SCAN "nul-in-scan": "a zero byte in the header before CHAR";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        clause D19 "Specified character encodings", J19 ("Basic Concepts" "Characters and strings"),
            RDX ("Basic Concepts" "Characters and strings"), O17 ("Basic Concepts" "Characters and strings"),
            E17 "Characters and strings",
            G7 "Characters", G551 "Chapter 1";
    E0111 SURROGATES_IN_UTF_8 "surrogates-in-utf-8": "a character above U+FFFF is encoded as two surrogates";
        class NonConformant;
        fix Safe;
        clause D19 "Character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§7.2.3 Decoding", E17 "Decoding",
            G7 "Characters", G551 "Chapter 3";
    E0112 CONTROL_IS_WINDOWS_1252 "control-is-windows-1252":
        "a control character is read as a Windows character";
        class NonConformant;
        fix Unsafe;
        clause D19 "Character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§7.2.3 Decoding", E17 "Decoding",
            G7 "Characters", G551 "Chapter 3";
    E0113 CHARACTER_CUT "character-cut": "CONC splits a character";
        class NonConformant;
        fix Safe;
        clause D19 "Serialising structures", J19 "§6 Levels and lines", RDX "Extended Line",
            O17 "§5.3 Payload String Encoding", E17 "Payload String Encoding",
            G7 "Characters", G551 "Chapter 1";
    E0114 MARK_WITHOUT_BASE "mark-without-base": "a combining mark has no base letter";
        class Advice;
        clause D19 "Converting ANSEL to Unicode", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§4.1 Encoding a dataset", E17 "Encoding a dataset";
    E0115 CHARACTER_RESTRICTED "character-restricted": "the text contains a control or private-use character";
        class Advice;
        clause D19 "Conventions used", J19 ("Basic Concepts" "Restricted characters"),
            RDX ("Basic Concepts" "Restricted characters"), O17 ("Basic Concepts" "Restricted characters"),
            E17 "Characters and strings",
            G551 "Chapter 1";
    E0116 LINE_BREAKS_MIXED "line-breaks-mixed": "the file mixes line endings";
        class Advice;
        clause D19 "Serialising line strings", J19 "§7.1 Serialising", RDX _, O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines";
    E0117 ENCODING_DEPRECATED "encoding-deprecated": "the encoding of the file is deprecated";
        class Advice, D19 Deprecated, G7 NonConformant;
        clause D19 "Character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§4.1 Encoding a dataset", E17 "Encoding a dataset",
            G7 "Characters";
    E0118 ENCODING_UNNAMED "encoding-unnamed": "the header does not name the encoding";
        class Advice, G551 NonConformant;
        fix Safe;
        clause D19 "Specified character encodings", J19 "§4 Serialisation metadata", RDX "Header",
            O17 "§4.1 Encoding a dataset", E17 "Encoding a dataset",
            G551 "Chapter 2";
    E0119 CHARACTER_BANNED "character-banned": "the text contains a control character";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G7 "Characters";
    E0120 RECORD_TOO_LONG "record-too-long": "retired: a record is too long";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G551 "Chapter 1";
    E0121 ENCODING_UNCERTAIN "encoding-uncertain": "the encoding is uncertain";
        class Advice;
        clause D19 "Specified character encodings", J19 "§7.2.2 Character encoding", RDX "Character encoding",
            O17 "§7.2.2 Character encoding", E17 "Character encoding",
            G7 "Characters", G551 "Chapter 3";
    E0122 ANSEL_PAIR "ansel-pair": "two bytes stand for a character that ANSEL does not have";
        class NonConformant;
        clause D19 "Character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§7.2.3 Decoding", E17 "Decoding",
            G551 "Chapter 3";
    E0123 TEXT_ENCODED_TWICE "text-encoded-twice": "text was encoded twice as UTF-8";
        class Advice;
        fix Unsafe;
        clause D19 "Character encodings", J19 "§4.1 Character encoding names", RDX "Serialised Line",
            O17 "§7.2.3 Decoding", E17 "Decoding",
            G7 "Characters", G551 "Chapter 3";
}
