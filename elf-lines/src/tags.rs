//! The tags that GEDCOM and ELF define, their full names, and which of them have no text.
//!
//! Recovery needs them: a damaged line is known by its tag. Nothing of their meaning is known here.

/// A tag, by the tag itself and its full name in GEDCOM 5.5 Appendix A, if that is another.
struct FullName {
    name: &'static str,
    tag: &'static str,
}

const fn full(name: &'static str, tag: &'static str) -> FullName {
    FullName { name, tag }
}

/// Returns the tag for a full name such as `BIRTH` (GEDCOM 5.5 Appendix A; 5.5.1 Appendix A), or `None`.
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

/// Returns whether GEDCOM or ELF define a tag anywhere.
///
/// ```
/// assert!(elf_lines::is_known_tag("BIRT") && !elf_lines::is_known_tag("BIRTH") && !elf_lines::is_known_tag("_UID"));
/// ```
pub fn is_known_tag(tag: &str) -> bool {
    KNOWN_TAGS.binary_search(&tag).is_ok()
}

/// Returns whether structures with this tag never have text, such as records of people and events. Unknown tags may
/// have text.
///
/// ```
/// use elf_lines::takes_no_text;
/// assert!(takes_no_text("BIRT", false) && !takes_no_text("NOTE", false) && !takes_no_text("_ABC", false));
/// assert!(takes_no_text("SOUR", true) && !takes_no_text("SOUR", false));
/// ```
pub fn takes_no_text(tag: &str, is_record: bool) -> bool {
    WITHOUT_TEXT.binary_search(&tag).is_ok() || is_record && matches!(tag, "OBJE" | "REPO" | "SOUR")
}

/// Returns whether the text of structures with this tag is always one line, such as names, dates and codes.
///
/// ```
/// assert!(elf_lines::takes_one_line("SEX") && !elf_lines::takes_one_line("NOTE"));
/// ```
pub fn takes_one_line(tag: &str) -> bool {
    OF_ONE_LINE.binary_search(&tag).is_ok()
}

const SHORTEST_FULL_NAME: usize = 5;

/// The full names, in order.
const FULL_NAMES: &[FullName] = &[
    full("ABBREVIATION", "ABBR"),
    full("ADDRESS", "ADDR"),
    full("ADDRESS1", "ADR1"),
    full("ADDRESS2", "ADR2"),
    full("ADOPTION", "ADOP"),
    full("ADULT_CHRISTENING", "CHRA"),
    full("AGENCY", "AGNC"),
    full("ALIAS", "ALIA"),
    full("ANCESTORS", "ANCE"),
    full("ANCES_INTEREST", "ANCI"),
    full("ANNULMENT", "ANUL"),
    full("ASSOCIATES", "ASSO"),
    full("AUTHOR", "AUTH"),
    full("BAPTISM", "BAPM"),
    full("BAPTISM_LDS", "BAPL"),
    full("BAR_MITZVAH", "BARM"),
    full("BAS_MITZVAH", "BASM"),
    full("BINARY_OBJECT", "BLOB"),
    full("BIRTH", "BIRT"),
    full("BLESSING", "BLES"),
    full("BURIAL", "BURI"),
    full("CALL_NUMBER", "CALN"),
    full("CASTE", "CAST"),
    full("CAUSE", "CAUS"),
    full("CENSUS", "CENS"),
    full("CHANGE", "CHAN"),
    full("CHARACTER", "CHAR"),
    full("CHILD", "CHIL"),
    full("CHILDREN_COUNT", "NCHI"),
    full("CHRISTENING", "CHR"),
    full("CONCATENATION", "CONC"),
    full("CONFIRMATION", "CONF"),
    full("CONFIRMATION_L", "CONL"),
    full("CONTINUED", "CONT"),
    full("COPYRIGHT", "COPR"),
    full("CORPORATE", "CORP"),
    full("COUNTRY", "CTRY"),
    full("CREMATION", "CREM"),
    full("DEATH", "DEAT"),
    full("DESCENDANTS", "DESC"),
    full("DESCENDANT_INT", "DESI"),
    full("DESTINATION", "DEST"),
    full("DIVORCE", "DIV"),
    full("DIVORCE_FILED", "DIVF"),
    full("EDUCATION", "EDUC"),
    full("EMIGRATION", "EMIG"),
    full("ENDOWMENT", "ENDL"),
    full("ENGAGEMENT", "ENGA"),
    full("EVENT", "EVEN"),
    full("FACSIMILE", "FAX"),
    full("FAMILY", "FAM"),
    full("FAMILY_CHILD", "FAMC"),
    full("FAMILY_FILE", "FAMF"),
    full("FAMILY_SPOUSE", "FAMS"),
    full("FIRST_COMMUNION", "FCOM"),
    full("FORMAT", "FORM"),
    full("GEDCOM", "GEDC"),
    full("GIVEN_NAME", "GIVN"),
    full("GRADUATION", "GRAD"),
    full("HEADER", "HEAD"),
    full("HUSBAND", "HUSB"),
    full("IDENT_NUMBER", "IDNO"),
    full("IMMIGRATION", "IMMI"),
    full("INDIVIDUAL", "INDI"),
    full("LANGUAGE", "LANG"),
    full("LATITUDE", "LATI"),
    full("LEGATEE", "LEGA"),
    full("LONGITUDE", "LONG"),
    full("MARRIAGE", "MARR"),
    full("MARRIAGE_BANN", "MARB"),
    full("MARRIAGE_COUNT", "NMR"),
    full("MARR_CONTRACT", "MARC"),
    full("MARR_LICENSE", "MARL"),
    full("MARR_SETTLEMENT", "MARS"),
    full("MEDIA", "MEDI"),
    full("NAME_PREFIX", "NPFX"),
    full("NAME_SUFFIX", "NSFX"),
    full("NATIONALITY", "NATI"),
    full("NATURALIZATION", "NATU"),
    full("NICKNAME", "NICK"),
    full("OBJECT", "OBJE"),
    full("OCCUPATION", "OCCU"),
    full("ORDINANCE", "ORDI"),
    full("ORDINATION", "ORDN"),
    full("PEDIGREE", "PEDI"),
    full("PHONE", "PHON"),
    full("PHONETIC", "FONE"),
    full("PHY_DESCRIPTION", "DSCR"),
    full("PLACE", "PLAC"),
    full("POSTAL_CODE", "POST"),
    full("PROBATE", "PROB"),
    full("PROPERTY", "PROP"),
    full("PUBLICATION", "PUBL"),
    full("QUALITY_OF_DATA", "QUAY"),
    full("REC_FILE_NUMBER", "RFN"),
    full("REC_ID_NUMBER", "RIN"),
    full("REFERENCE", "REFN"),
    full("RELATIONSHIP", "RELA"),
    full("RELIGION", "RELI"),
    full("REPOSITORY", "REPO"),
    full("RESIDENCE", "RESI"),
    full("RESTRICTION", "RESN"),
    full("RETIREMENT", "RETI"),
    full("ROMANIZED", "ROMN"),
    full("SEALING_CHILD", "SLGC"),
    full("SEALING_SPOUSE", "SLGS"),
    full("SOC_SEC_NUMBER", "SSN"),
    full("SOURCE", "SOUR"),
    full("STATE", "STAE"),
    full("STATUS", "STAT"),
    full("SUBMISSION", "SUBN"),
    full("SUBMITTER", "SUBM"),
    full("SURNAME", "SURN"),
    full("SURN_PREFIX", "SPFX"),
    full("TEMPLE", "TEMP"),
    full("TITLE", "TITL"),
    full("TRAILER", "TRLR"),
    full("VERSION", "VERS"),
];

/// The tags of GEDCOM 5.5, 5.5.1 and 7.0 and of ELF, in order.
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

/// The tags of structures whose text is one line, in order.
const OF_ONE_LINE: &[&str] = &[
    "AFN", "AGE", "CHAR", "DATE", "GIVN", "LANG", "LATI", "LONG", "MEDI", "NAME", "NCHI", "NICK", "NMR",
    "NPFX", "NSFX", "PEDI", "QUAY", "RESN", "RFN", "RIN", "ROLE", "SEX", "SPFX", "SSN", "STAT", "SURN",
    "TEMP", "TIME", "UID", "VERS",
];

/// The tags of structures without text, wherever they stand, in order.
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
