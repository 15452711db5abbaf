//! The tags that GEDCOM and ELF define, with their full names and the kinds of text that they have.
//!
//! These tables are used to recognise damaged lines.

/// A tag and its full name in GEDCOM 5.5 Appendix A.
struct FullName {
    name: &'static str,
    tag: &'static str,
}

const fn full_name(name: &'static str, tag: &'static str) -> FullName {
    FullName { name, tag }
}

/// Returns the tag for a full name such as `BIRTH` (GEDCOM 5.5 Appendix A; 5.5.1 Appendix A). Returns `None` for other
/// words.
///
/// ```
/// assert_eq!(elf_lines::tag_of_full_name("INDIVIDUAL"), Some("INDI"));
/// assert_eq!(elf_lines::tag_of_full_name("INDI"), None);
/// ```
pub fn tag_of_full_name(name: &str) -> Option<&'static str> {
    let may_be = name.len() >= SHORTEST_FULL_NAME && !name.starts_with('_');
    let found = FULL_NAMES.binary_search_by_key(&name, |one| one.name).ok().filter(|_| may_be)?;
    FULL_NAMES.get(found).map(|one| one.tag)
}

/// Returns whether any version of GEDCOM or ELF defines a tag.
///
/// ```
/// assert!(elf_lines::is_known_tag("BIRT") && !elf_lines::is_known_tag("BIRTH") && !elf_lines::is_known_tag("_UID"));
/// ```
pub fn is_known_tag(tag: &str) -> bool {
    KNOWN_TAGS.binary_search(&tag).is_ok()
}

/// Returns whether structures with this tag never have text. For example, records of people and events never have text.
/// Unknown tags may have text.
///
/// ```
/// use elf_lines::takes_no_text;
/// assert!(takes_no_text("BIRT", false) && !takes_no_text("NOTE", false) && !takes_no_text("_ABC", false));
/// assert!(takes_no_text("SOUR", true) && !takes_no_text("SOUR", false));
/// ```
pub fn takes_no_text(tag: &str, is_record: bool) -> bool {
    WITHOUT_TEXT.binary_search(&tag).is_ok() || is_record && matches!(tag, "OBJE" | "REPO" | "SOUR")
}

/// Returns whether the text of structures with this tag is always one line, as for names, dates and codes.
///
/// ```
/// assert!(elf_lines::takes_one_line("SEX") && !elf_lines::takes_one_line("NOTE"));
/// ```
pub fn takes_one_line(tag: &str) -> bool {
    OF_ONE_LINE.binary_search(&tag).is_ok()
}

const SHORTEST_FULL_NAME: usize = 5;

/// The full names of tags, sorted by name.
const FULL_NAMES: &[FullName] = &[
    full_name("ABBREVIATION", "ABBR"),
    full_name("ADDRESS", "ADDR"),
    full_name("ADDRESS1", "ADR1"),
    full_name("ADDRESS2", "ADR2"),
    full_name("ADOPTION", "ADOP"),
    full_name("ADULT_CHRISTENING", "CHRA"),
    full_name("AGENCY", "AGNC"),
    full_name("ALIAS", "ALIA"),
    full_name("ANCESTORS", "ANCE"),
    full_name("ANCES_INTEREST", "ANCI"),
    full_name("ANNULMENT", "ANUL"),
    full_name("ASSOCIATES", "ASSO"),
    full_name("AUTHOR", "AUTH"),
    full_name("BAPTISM", "BAPM"),
    full_name("BAPTISM_LDS", "BAPL"),
    full_name("BAR_MITZVAH", "BARM"),
    full_name("BAS_MITZVAH", "BASM"),
    full_name("BINARY_OBJECT", "BLOB"),
    full_name("BIRTH", "BIRT"),
    full_name("BLESSING", "BLES"),
    full_name("BURIAL", "BURI"),
    full_name("CALL_NUMBER", "CALN"),
    full_name("CASTE", "CAST"),
    full_name("CAUSE", "CAUS"),
    full_name("CENSUS", "CENS"),
    full_name("CHANGE", "CHAN"),
    full_name("CHARACTER", "CHAR"),
    full_name("CHILD", "CHIL"),
    full_name("CHILDREN_COUNT", "NCHI"),
    full_name("CHRISTENING", "CHR"),
    full_name("CONCATENATION", "CONC"),
    full_name("CONFIRMATION", "CONF"),
    full_name("CONFIRMATION_L", "CONL"),
    full_name("CONTINUED", "CONT"),
    full_name("COPYRIGHT", "COPR"),
    full_name("CORPORATE", "CORP"),
    full_name("COUNTRY", "CTRY"),
    full_name("CREMATION", "CREM"),
    full_name("DEATH", "DEAT"),
    full_name("DESCENDANTS", "DESC"),
    full_name("DESCENDANT_INT", "DESI"),
    full_name("DESTINATION", "DEST"),
    full_name("DIVORCE", "DIV"),
    full_name("DIVORCE_FILED", "DIVF"),
    full_name("EDUCATION", "EDUC"),
    full_name("EMIGRATION", "EMIG"),
    full_name("ENDOWMENT", "ENDL"),
    full_name("ENGAGEMENT", "ENGA"),
    full_name("EVENT", "EVEN"),
    full_name("FACSIMILE", "FAX"),
    full_name("FAMILY", "FAM"),
    full_name("FAMILY_CHILD", "FAMC"),
    full_name("FAMILY_FILE", "FAMF"),
    full_name("FAMILY_SPOUSE", "FAMS"),
    full_name("FIRST_COMMUNION", "FCOM"),
    full_name("FORMAT", "FORM"),
    full_name("GEDCOM", "GEDC"),
    full_name("GIVEN_NAME", "GIVN"),
    full_name("GRADUATION", "GRAD"),
    full_name("HEADER", "HEAD"),
    full_name("HUSBAND", "HUSB"),
    full_name("IDENT_NUMBER", "IDNO"),
    full_name("IMMIGRATION", "IMMI"),
    full_name("INDIVIDUAL", "INDI"),
    full_name("LANGUAGE", "LANG"),
    full_name("LATITUDE", "LATI"),
    full_name("LEGATEE", "LEGA"),
    full_name("LONGITUDE", "LONG"),
    full_name("MARRIAGE", "MARR"),
    full_name("MARRIAGE_BANN", "MARB"),
    full_name("MARRIAGE_COUNT", "NMR"),
    full_name("MARR_CONTRACT", "MARC"),
    full_name("MARR_LICENSE", "MARL"),
    full_name("MARR_SETTLEMENT", "MARS"),
    full_name("MEDIA", "MEDI"),
    full_name("NAME_PREFIX", "NPFX"),
    full_name("NAME_SUFFIX", "NSFX"),
    full_name("NATIONALITY", "NATI"),
    full_name("NATURALIZATION", "NATU"),
    full_name("NICKNAME", "NICK"),
    full_name("OBJECT", "OBJE"),
    full_name("OCCUPATION", "OCCU"),
    full_name("ORDINANCE", "ORDI"),
    full_name("ORDINATION", "ORDN"),
    full_name("PEDIGREE", "PEDI"),
    full_name("PHONE", "PHON"),
    full_name("PHONETIC", "FONE"),
    full_name("PHY_DESCRIPTION", "DSCR"),
    full_name("PLACE", "PLAC"),
    full_name("POSTAL_CODE", "POST"),
    full_name("PROBATE", "PROB"),
    full_name("PROPERTY", "PROP"),
    full_name("PUBLICATION", "PUBL"),
    full_name("QUALITY_OF_DATA", "QUAY"),
    full_name("REC_FILE_NUMBER", "RFN"),
    full_name("REC_ID_NUMBER", "RIN"),
    full_name("REFERENCE", "REFN"),
    full_name("RELATIONSHIP", "RELA"),
    full_name("RELIGION", "RELI"),
    full_name("REPOSITORY", "REPO"),
    full_name("RESIDENCE", "RESI"),
    full_name("RESTRICTION", "RESN"),
    full_name("RETIREMENT", "RETI"),
    full_name("ROMANIZED", "ROMN"),
    full_name("SEALING_CHILD", "SLGC"),
    full_name("SEALING_SPOUSE", "SLGS"),
    full_name("SOC_SEC_NUMBER", "SSN"),
    full_name("SOURCE", "SOUR"),
    full_name("STATE", "STAE"),
    full_name("STATUS", "STAT"),
    full_name("SUBMISSION", "SUBN"),
    full_name("SUBMITTER", "SUBM"),
    full_name("SURNAME", "SURN"),
    full_name("SURN_PREFIX", "SPFX"),
    full_name("TEMPLE", "TEMP"),
    full_name("TITLE", "TITL"),
    full_name("TRAILER", "TRLR"),
    full_name("VERSION", "VERS"),
];

/// The tags of GEDCOM 5.5, 5.5.1 and 7.0 and of ELF, in alphabetical order.
const KNOWN_TAGS: &[&str] = &[
    "ABBR", "ADDR", "ADOP", "ADR1", "ADR2", "ADR3", "AFN", "AGE", "AGNC", "ALIA", "ANCE", "ANCI", "ANUL",
    "ASSO", "AUTH", "BAPL", "BAPM", "BARM", "BASM", "BIRT", "BLES", "BLOB", "BURI", "CALN", "CAST", "CAUS",
    "CENS", "CHAN", "CHAR", "CHIL", "CHR", "CHRA", "CITY", "CONC", "CONF", "CONL", "CONT", "COPR", "CORP",
    "CREA", "CREM", "CROP", "CTRY", "DATA", "DATE", "DEAT", "DESC", "DESI", "DEST", "DIV", "DIVF", "DSCR",
    "EDUC", "ELF", "EMAIL", "EMIG", "ENDL", "ENGA", "EVEN", "EXID", "FACT", "FAM", "FAMC", "FAMF", "FAMS",
    "FAX", "FCOM", "FILE", "FONE", "FORM", "GEDC", "GIVN", "GRAD", "HEAD", "HEIGHT", "HUSB", "IDNO", "IMMI",
    "INDI", "INIL", "LANG", "LATI", "LEFT", "LEGA", "LONG", "MAP", "MARB", "MARC", "MARL", "MARR", "MARS",
    "MEDI", "MIME", "NAME", "NATI", "NATU", "NCHI", "NICK", "NMR", "NO", "NOTE", "NPFX", "NSFX", "OBJE",
    "OCCU", "ORDI", "ORDN", "PAGE", "PEDI", "PHON", "PHRASE", "PLAC", "PLANG", "POST", "PROB", "PROP",
    "PUBL", "QUAY", "REFN", "RELA", "RELI", "REPO", "RESI", "RESN", "RETI", "RFN", "RIN", "ROLE", "ROMN",
    "SCHMA", "SDATE", "SEX", "SLGC", "SLGS", "SNOTE", "SOUR", "SPFX", "SSN", "STAE", "STAT", "SUBM", "SUBN",
    "SURN", "TAG", "TEMP", "TEXT", "TIME", "TITL", "TOP", "TRAN", "TRLR", "TYPE", "UID", "VERS", "WIDTH",
    "WIFE", "WILL", "WWW",
];

/// The tags of structures whose text is always one line, in alphabetical order.
const OF_ONE_LINE: &[&str] = &[
    "AFN", "AGE", "CHAR", "DATE", "GIVN", "LANG", "LATI", "LONG", "MEDI", "NAME", "NCHI", "NICK", "NMR",
    "NPFX", "NSFX", "PEDI", "QUAY", "RESN", "RFN", "RIN", "ROLE", "SEX", "SPFX", "SSN", "STAT", "SURN",
    "TEMP", "TIME", "UID", "VERS",
];

/// The tags of structures that never have text, in alphabetical order.
const WITHOUT_TEXT: &[&str] = &[
    "ADOP", "ANUL", "BAPL", "BAPM", "BARM", "BASM", "BIRT", "BLES", "BURI", "CENS", "CHAN", "CHR", "CHRA",
    "CONF", "CONL", "CREM", "DEAT", "DIV", "DIVF", "EMIG", "ENDL", "ENGA", "FAM", "FCOM", "GEDC", "GRAD",
    "HEAD", "IMMI", "INDI", "MAP", "MARB", "MARC", "MARL", "MARR", "MARS", "NATU", "ORDN", "PROB", "RETI",
    "SLGC", "SLGS", "SUBM", "SUBN", "TRLR", "WILL",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order_and_agree() {
        assert!(FULL_NAMES.is_sorted_by(|one, next| one.name < next.name));
        assert!(
            KNOWN_TAGS.is_sorted_by(|one, next| one < next)
                && WITHOUT_TEXT.is_sorted_by(|one, next| one < next)
        );
        for one in FULL_NAMES {
            assert!(one.name.len() >= SHORTEST_FULL_NAME, "{}", one.name);
            assert!(is_known_tag(one.tag) && !is_known_tag(one.name), "{}", one.name);
            assert!(crate::is_capital_tag(one.name), "{}", one.name);
        }
        assert!(OF_ONE_LINE.is_sorted_by(|one, next| one < next));
        assert!(WITHOUT_TEXT.iter().chain(OF_ONE_LINE).all(|tag| is_known_tag(tag)));
    }
}
