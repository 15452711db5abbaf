//! The codes E02, for problems of lines.

super::table::codes! {
    E0201 LINE_MALFORMED "line-malformed": "invalid line";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Unsafe;
        clause D19 "Parsing lines", J19 "§6.1 Error lines", RDX "Line", O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0202 LEVEL_ZEROS "level-zeros": "a level has leading zeros";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Safe;
        clause D19 "Levels", J19 "§7.1 Serialising", RDX "Line", O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0203 LEVEL_TOO_DEEP "level-too-deep": "a line is more than one level deeper than the line before";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Safe;
        clause D19 "Levels", J19 "§6.1 Error lines", RDX "Tagged Structure",
            O17 "§5.2 Structure to/from line(s)", E17 "Structure to/from line(s)",
            G7 "Lines", G551 "Chapter 1";
    E0204 XREF_MALFORMED "xref-malformed": "a cross-reference identifier contains an invalid character";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        clause D19 "Cross-reference identifiers", J19 "§5.1 Pointer conversion", RDX "Intermediate forms",
            O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0205 TAG_MALFORMED "tag-malformed": "a tag contains an invalid character";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        clause D19 "Tags", J19 "§3.1 Definitions", RDX "Intermediate forms", O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0206 CHARACTER_FORBIDDEN "character-forbidden": "a line contains a code point that is not a character";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Unsafe;
        clause D19 "Payloads", J19 ("Basic Concepts" "Characters and strings"),
            RDX ("Basic Concepts" "Characters and strings"), O17 ("Basic Concepts" "Characters and strings"),
            E17 "Characters and strings",
            G7 "Characters", G551 "Chapter 1";
    E0207 BLANK_LINE "blank-line": "a blank line is not allowed here";
        class NonConformant;
        fix Safe;
        clause D19 _, J19 "§6.1 Error lines", RDX "Line", O17 "§5.1 Lines", E17 _,
            G7 "Lines";
    E0208 XREF_LONG "xref-long": "a cross-reference identifier is longer than recommended";
        class Advice, G551 NonConformant;
        clause D19 "Pointer conversion", J19 "§5.1 Pointer conversion", RDX _, O17 _, E17 _,
            G551 "Chapter 1";
    E0209 TAG_LONG "tag-long": "a tag is longer than recommended";
        class Advice;
        clause D19 "Tags", J19 "§3.1 Definitions", RDX _, O17 _, E17 _,
            G551 "Chapter 1";
    E0210 POINTER_MALFORMED "pointer-malformed": "a pointer contains text that is not a cross-reference identifier";
        class NonConformant;
        fix Unsafe;
        clause D19 "Payloads", J19 "§5.1 Pointer conversion", RDX "Intermediate forms",
            O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0211 LINE_SPACING "line-spacing": "the parts of a line are separated by more than one space";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G7 "Lines";
    E0212 LEVEL_HIGH "level-high": "a level is higher than GEDCOM 5.5.1 allows";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 _, E17 _,
            G551 "Chapter 1";
    E0213 LINE_DAMAGED "line-damaged": "a damaged line that can still be read";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Safe;
        clause D19 "Parsing lines", J19 _, RDX _, O17 "§5.1 Lines", E17 "Lines",
            G7 "Lines", G551 "Chapter 1";
    E0214 LINES_JOINED "lines-joined": "a line ending is missing between two lines";
        class NonConformant, D19 Malformed, G7 Malformed, G551 Malformed;
        fix Unsafe;
        only Recovering;
        clause D19 "Parsing lines", J19 _, RDX _, O17 _, E17 _,
            G7 "Lines", G551 "Chapter 1";
    E0215 TAG_IN_FULL "tag-in-full": "a tag is written as its full name";
        class Deprecated;
        fix Safe;
        only Recovering;
        clause D19 "Tags", J19 _, RDX _, O17 _, E17 _,
            G551 "Chapter 1";
}
