//! The codes E04, for problems of schemas.

super::table::codes! {
    E0401 SCHEMA_MALFORMED "schema-malformed": "a schema contains something that is not a definition";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "ELF Schema"), J19 "§4.2 ELF Schema", RDX "ELF Schema", O17 _, E17 _;
    E0402 PREFIX_MALFORMED "prefix-malformed": "invalid prefix definition";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "Prefix abbreviation structure"), J19 "§4.2.2 Prefix abbreviation structure",
            RDX "Prefix abbreviation", O17 "§6.4 IRI dictionary encoding", E17 "IRI dictionary encoding";
    E0403 PREFIX_CONFLICT "prefix-conflict": "a prefix has conflicting definitions";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "Prefix abbreviation structure"), J19 "§4.2.2 Prefix abbreviation structure",
            RDX "Prefix abbreviation", O17 "§6.1 IRI dictionary format", E17 "IRI dictionary format";
    E0404 IRI_MALFORMED "iri-malformed": "invalid IRI";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "IRI definition structure"), J19 "§4.2.3 IRI definition structure",
            RDX "Encoding IRI and supertype definitions", O17 "§6.1 IRI dictionary format", E17 "IRIs";
    E0405 IRI_NOT_A_TERM "iri-not-a-term": "an IRI changes if it is converted to a URI and back";
        class NonConformant, D19 Advice;
        clause D19 ("Basic Concepts" "Terms"), J19 ("Basic Concepts" "Terms"), RDX ("Basic Concepts" "Terms"),
            O17 ("Basic Concepts" "Terms"), E17 "IRIs";
    E0406 TAG_DEFINITION_MALFORMED "tag-definition-malformed": "invalid tag definition";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "IRI definition structure"), J19 "§4.2.3 IRI definition structure",
            RDX "Encoding IRI and supertype definitions", O17 _, E17 _;
    E0407 TAG_CONFLICT "tag-conflict": "a tag has two types at one place";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "Tag definitions"), J19 "§3.1.2 Tag definitions", RDX "IRI definitions",
            O17 _, E17 _;
    E0408 SUPERTYPE_CYCLE "supertype-cycle": "a type is its own supertype";
        class Advice;
        clause D19 ("ELF Schemas" "Supertypes"), J19 "§3.1.1 Supertypes", RDX "IRI definitions", O17 _, E17 _;
    E0409 ESCAPE_DEFINITION_MALFORMED "escape-definition-malformed":
        "invalid ESC definition";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "Escape-preserving tags"), J19 "§4.2.4 Escape-preserving tags",
            RDX "Escape-preserving tags", O17 _, E17 _;
    E0410 ESCAPE_DEFINITION_CONFLICT "escape-definition-conflict":
        "a tag has conflicting ESC definitions";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "Escape-preserving tags"), J19 "§4.2.4 Escape-preserving tags",
            RDX "Escape-preserving tags", O17 _, E17 _;
    E0411 TAG_RESERVED "tag-reserved": "a definition uses a reserved tag";
        class NonConformant, D19 Advice;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "Extended Line", O17 _, E17 _;
    E0412 TYPE_UNKNOWN "type-unknown": "a definition refers to an undefined type";
        class Advice;
        clause D19 ("ELF Schemas" "Supertypes"), J19 "§3.1.1 Supertypes", RDX "IRI definitions", O17 _, E17 _;
    E0413 DEFINITION_REPEATED "definition-repeated": "a definition is repeated";
        class Advice;
        clause D19 ("ELF Schemas" "ELF Schema"), J19 "§4.2 ELF Schema", RDX "ELF Schema",
            O17 "§6.1 IRI dictionary format", E17 "IRI dictionary format";
    E0414 SCHEMA_EXTERNAL "schema-external": "an external schema is not available";
        class Advice;
        clause D19 ("ELF Schemas" "External schema structure"), J19 "§4.2.1 External schema structure", RDX _,
            O17 _, E17 _;
    E0415 TAG_UNDEFINED "tag-undefined": "unknown tag";
        class Advice;
        against Gedcom551 NonConformant "Chapter 2", Gedcom55 NonConformant "Chapter 2",
            Gedcom70 NonConformant "Extensions";
        clause D19 ("ELF Schemas" "Parsing"), J19 "§3.3 Parsing", RDX "IRI definitions", O17 _, E17 _;
    E0416 SCHEMA_NESTED "schema-nested": "an external schema refers to other external schemas";
        class Advice;
        clause D19 ("ELF Schemas" "External schema structure"), J19 "§4.2.1 External schema structure", RDX _,
            O17 _, E17 _;
    E0417 TAG_BARE "tag-bare": "a non-standard tag is defined without an underscore";
        class Advice;
        clause D19 "Tags", J19 "§3.1 Definitions", RDX _, O17 _, E17 _;
    E0418 MAPPING_MALFORMED "mapping-malformed": "invalid DEFN";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 "§6.4 IRI dictionary encoding", E17 "IRI dictionary encoding";
    E0419 MAPPING_CONFLICT "mapping-conflict": "a tag has conflicting DEFN definitions";
        class NonConformant;
        clause D19 _, J19 _, RDX _, O17 "§6.1 IRI dictionary format", E17 "IRI dictionary format";
    E0420 SCHEMA_TOO_LARGE "schema-too-large": "a schema has too many supertypes";
        class NonConformant;
        clause D19 ("ELF Schemas" "Supertypes"), J19 "§3.1.1 Supertypes", RDX "IRI definitions", O17 _, E17 _;
    E0421 SCHEMA_FAULTY "schema-faulty": "an external schema is not a valid file";
        class Advice;
        clause D19 ("ELF Schemas" "External schema structure"), J19 "§4.2.1 External schema structure", RDX _,
            O17 _, E17 _;
    E0422 TAG_CLAIMED "tag-claimed": "an undefined structure has a tag that is defined at its new place";
        class NonConformant;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag";
    E0423 TYPE_CANNOT_BE_WRITTEN "type-cannot-be-written":
        "no structure of this type can be written";
        class NonConformant;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag";
}
