//! The codes E05, for problems of datasets.

super::table::codes! {
    E0501 TYPE_CHANGES "type-changes": "a structure will be read back with another type";
        class NonConformant;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag";
    E0502 TAG_CHANGES "tag-changes": "a structure gets another tag";
        class Advice;
        clause D19 ("ELF Schemas" "Serialisation"), J19 "§3.2 Serialisation", RDX "IRI definitions",
            O17 "§6.3 IRI to Tag", E17 "IRI to Tag";
}
