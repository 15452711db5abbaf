//! E09: structures held against a structural standard.

super::table::codes! {
    E0901 STRUCTURE_MISSING "structure-missing": "a structure lacks a substructure that it must have";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0902 STRUCTURE_REPEATED "structure-repeated": "a structure has more substructures of a kind than it may";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0903 PAYLOAD_MISSING "payload-missing": "a structure has no payload where it must have one";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0904 PAYLOAD_UNEXPECTED "payload-unexpected": "a structure has a payload of a kind that it may not have";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        fix Unsafe;
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0905 VALUE_NOT_LISTED "value-not-listed": "a payload is none of the values that are listed for it";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0906 POINTER_WRONG_TYPE "pointer-wrong-type": "a pointer leads to a structure of another type than is meant";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0907 LINK_ONE_SIDED "link-one-sided": "a record does not answer a link to it";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 Advice "Chapter 2",
            Gedcom55 Advice "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        fix Safe;
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0908 VALUE_MALFORMED "value-malformed": "a text is not in the grammar that is meant";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0909 VALUE_TOO_LONG "value-too-long": "a text is longer than programs have to keep";
        class Advice;
        against Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0910 POINTER_CIRCULAR "pointer-circular": "a pointer leads back to the record that it stands in";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0911 RECORD_NESTED "record-nested": "a record stands in another structure";
        class Advice;
        against DataModel NonConformant "Structures";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0912 STRUCTURE_INCOMPLETE "structure-incomplete": "a structure says less than is recommended";
        class Advice;
        against Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2",
            Gedcom70 NonConformant "Structures";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0913 VALUE_INCONSISTENT "value-inconsistent": "a value contradicts another one of its structure";
        class Advice;
        against Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0914 TYPE_ABSTRACT "type-abstract": "a structure has a type that may only be a supertype";
        class Advice;
        against DataModel NonConformant "Supertypes and subtypes";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0915 IDENTIFIER_UNTYPED "identifier-untyped": "an EXID has no TYPE that says whose identifier it is";
        class Advice;
        against Gedcom70 Deprecated "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0916 POINTER_REPEATED "pointer-repeated": "a record points to another record twice";
        class Advice;
        against Gedcom70 Advice "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0917 UID_UNUSUAL "uid-unusual": "a UID is no UUID";
        class Advice;
        against Gedcom70 Advice "Structures";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0918 CITATION_MIXED "citation-mixed": "a source citation has parts of both of its forms";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0919 VERSION_DRAFT "version-draft": "a file is of a version of GEDCOM that is a draft";
        class Advice;
        against Gedcom70 Advice "Structures";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0930 IDENTIFIER_MISSING "identifier-missing": "a record has no identifier";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 Advice "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
}
