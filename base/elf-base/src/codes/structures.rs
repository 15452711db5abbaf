//! The codes E09, for structures that are validated against a structural standard.

super::table::codes! {
    E0901 STRUCTURE_MISSING "structure-missing": "a required substructure is missing";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0902 STRUCTURE_REPEATED "structure-repeated": "a structure has too many substructures of one kind";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0903 PAYLOAD_MISSING "payload-missing": "a required payload is missing";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0904 PAYLOAD_UNEXPECTED "payload-unexpected": "a structure has a payload that is not allowed";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        fix Unsafe;
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0905 VALUE_NOT_LISTED "value-not-listed": "a payload is not one of the listed values";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0906 POINTER_WRONG_TYPE "pointer-wrong-type": "a pointer refers to a record of the wrong type";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0907 LINK_ONE_SIDED "link-one-sided": "a linked record does not link back";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 Advice "Chapter 2",
            Gedcom55 Advice "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        fix Safe;
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0908 VALUE_MALFORMED "value-malformed": "a payload has the wrong form";
        class Advice;
        against DataModel NonConformant "Structures", Gedcom551 NonConformant "Chapter 2",
            Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Data types";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0909 VALUE_TOO_LONG "value-too-long": "a text is longer than programs must support";
        class Advice;
        against Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0910 POINTER_CIRCULAR "pointer-circular": "pointers form a circle";
        class Advice;
        against DataModel Advice "Structures", Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2",
            Gedcom70 NonConformant "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0911 RECORD_NESTED "record-nested": "a record is inside another structure";
        class Advice;
        against DataModel NonConformant "Structures";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0912 STRUCTURE_INCOMPLETE "structure-incomplete": "a structure lacks recommended content";
        class Advice;
        against Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2",
            Gedcom70 NonConformant "Structures";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0913 VALUE_INCONSISTENT "value-inconsistent": "a value contradicts another value of the same structure";
        class Advice;
        against Gedcom551 Advice "Chapter 2", Gedcom55 Advice "Chapter 2";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0914 TYPE_ABSTRACT "type-abstract": "the type of a structure is abstract";
        class Advice;
        against DataModel NonConformant "Supertypes and subtypes";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0915 IDENTIFIER_UNTYPED "identifier-untyped": "an EXID has no TYPE";
        class Advice;
        against Gedcom70 Deprecated "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0916 POINTER_REPEATED "pointer-repeated": "a record points to another record twice";
        class Advice;
        against Gedcom70 Advice "Structure Organization";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0917 UID_UNUSUAL "uid-unusual": "a UID is not a UUID";
        class Advice;
        against Gedcom70 Advice "Structures";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0918 CITATION_MIXED "citation-mixed": "a source citation mixes its two forms";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2";
        clause D19 _, J19 _, RDX _, O17 _, E17 _;
    E0919 VERSION_DRAFT "version-draft": "the GEDCOM version of the file is a draft";
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
