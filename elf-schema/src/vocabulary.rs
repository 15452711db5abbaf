//! The IRIs of the structure types of the built-in schemas.
//!
//! Made by `cargo xtask schema` of elf-schema/facts/default-schema.tsv; not to be edited.

#![allow(clippy::doc_markdown, reason = "names of types read better as they are")]

/// Types of the namespace `https://terms.fhiso.org/elf/`.
pub mod elf {
    /// elf:ADDRESS: `ADDR` in elf:Agent, elf:Event.
    pub const ADDRESS: &str = "https://terms.fhiso.org/elf/ADDRESS";
    /// elf:ADDRESS_CITY: `CITY` in elf:ADDRESS.
    pub const ADDRESS_CITY: &str = "https://terms.fhiso.org/elf/ADDRESS_CITY";
    /// elf:ADDRESS_COUNTRY: `CTRY` in elf:ADDRESS.
    pub const ADDRESS_COUNTRY: &str = "https://terms.fhiso.org/elf/ADDRESS_COUNTRY";
    /// elf:ADDRESS_EMAIL: `EMAIL` in elf:Agent; `EMAI` in elf:Agent; `EMAIL` in elf:Event; `EMAI` in elf:Event.
    pub const ADDRESS_EMAIL: &str = "https://terms.fhiso.org/elf/ADDRESS_EMAIL";
    /// elf:ADDRESS_FAX: `FAX` in elf:Agent; `FAX` in elf:Event.
    pub const ADDRESS_FAX: &str = "https://terms.fhiso.org/elf/ADDRESS_FAX";
    /// elf:ADDRESS_LINE1: `ADR1` in elf:ADDRESS.
    pub const ADDRESS_LINE1: &str = "https://terms.fhiso.org/elf/ADDRESS_LINE1";
    /// elf:ADDRESS_LINE2: `ADR2` in elf:ADDRESS.
    pub const ADDRESS_LINE2: &str = "https://terms.fhiso.org/elf/ADDRESS_LINE2";
    /// elf:ADDRESS_LINE3: `ADR3` in elf:ADDRESS.
    pub const ADDRESS_LINE3: &str = "https://terms.fhiso.org/elf/ADDRESS_LINE3";
    /// elf:ADDRESS_POSTAL_CODE: `POST` in elf:ADDRESS.
    pub const ADDRESS_POSTAL_CODE: &str = "https://terms.fhiso.org/elf/ADDRESS_POSTAL_CODE";
    /// elf:ADDRESS_STATE: `STAE` in elf:ADDRESS.
    pub const ADDRESS_STATE: &str = "https://terms.fhiso.org/elf/ADDRESS_STATE";
    /// elf:ADDRESS_WEB_PAGE: `WWW` in elf:Agent; `WWW` in elf:Event.
    pub const ADDRESS_WEB_PAGE: &str = "https://terms.fhiso.org/elf/ADDRESS_WEB_PAGE";
    /// elf:ADOPTED_BY_WHICH_PARENT: `ADOP` in elf:ADOPTIVE_FAMILY.
    pub const ADOPTED_BY_WHICH_PARENT: &str = "https://terms.fhiso.org/elf/ADOPTED_BY_WHICH_PARENT";
    /// elf:ADOPTION: `ADOP` in elf:INDIVIDUAL_RECORD.
    pub const ADOPTION: &str = "https://terms.fhiso.org/elf/ADOPTION";
    /// elf:ADOPTIVE_FAMILY: `FAMC` in elf:ADOPTION.
    pub const ADOPTIVE_FAMILY: &str = "https://terms.fhiso.org/elf/ADOPTIVE_FAMILY";
    /// elf:ADULT_CHRISTENING: `CHRA` in elf:INDIVIDUAL_RECORD.
    pub const ADULT_CHRISTENING: &str = "https://terms.fhiso.org/elf/ADULT_CHRISTENING";
    /// elf:AGE_AT_EVENT: `AGE` in elf:IndividualEvent, elf:Parent1Age, elf:Parent2Age; `AGE` in elf:IndividualAttribute; `AGE` in elf:FamilyEvent.
    pub const AGE_AT_EVENT: &str = "https://terms.fhiso.org/elf/AGE_AT_EVENT";
    /// elf:ALIAS_POINTER: `ALIA` in elf:INDIVIDUAL_RECORD.
    pub const ALIAS_POINTER: &str = "https://terms.fhiso.org/elf/ALIAS_POINTER";
    /// elf:ANCESTOR_INTEREST_POINTER: `ANCI` in elf:INDIVIDUAL_RECORD.
    pub const ANCESTOR_INTEREST_POINTER: &str = "https://terms.fhiso.org/elf/ANCESTOR_INTEREST_POINTER";
    /// elf:ANNULMENT: `ANUL` in elf:FAM_RECORD.
    pub const ANNULMENT: &str = "https://terms.fhiso.org/elf/ANNULMENT";
    /// elf:ASSOCIATION_STRUCTURE: `ASSO` in elf:INDIVIDUAL_RECORD.
    pub const ASSOCIATION_STRUCTURE: &str = "https://terms.fhiso.org/elf/ASSOCIATION_STRUCTURE";
    /// elf:ATTRIBUTE_DESCRIPTOR: `FACT` in elf:INDIVIDUAL_RECORD.
    pub const ATTRIBUTE_DESCRIPTOR: &str = "https://terms.fhiso.org/elf/ATTRIBUTE_DESCRIPTOR";
    /// elf:AUTOMATED_RECORD_ID: `RIN` in elf:Record.
    pub const AUTOMATED_RECORD_ID: &str = "https://terms.fhiso.org/elf/AUTOMATED_RECORD_ID";
    /// elf:Agent: no tag stands for it; its subtypes are elf:NAME_OF_BUSINESS, elf:REPOSITORY_RECORD, elf:SUBMITTER_RECORD.
    pub const AGENT: &str = "https://terms.fhiso.org/elf/Agent";
    /// elf:BAPTISM: `BAPM` in elf:INDIVIDUAL_RECORD.
    pub const BAPTISM: &str = "https://terms.fhiso.org/elf/BAPTISM";
    /// elf:BAR_MITZVAH: `BARM` in elf:INDIVIDUAL_RECORD.
    pub const BAR_MITZVAH: &str = "https://terms.fhiso.org/elf/BAR_MITZVAH";
    /// elf:BAS_MITZVAH: `BASM` in elf:INDIVIDUAL_RECORD.
    pub const BAS_MITZVAH: &str = "https://terms.fhiso.org/elf/BAS_MITZVAH";
    /// elf:BINARY_OBJECT: `BLOB` in elf:MULTIMEDIA_RECORD.
    pub const BINARY_OBJECT: &str = "https://terms.fhiso.org/elf/BINARY_OBJECT";
    /// elf:BIRTH: `BIRT` in elf:INDIVIDUAL_RECORD.
    pub const BIRTH: &str = "https://terms.fhiso.org/elf/BIRTH";
    /// elf:BLESSING: `BLES` in elf:INDIVIDUAL_RECORD.
    pub const BLESSING: &str = "https://terms.fhiso.org/elf/BLESSING";
    /// elf:BURIAL: `BURI` in elf:INDIVIDUAL_RECORD; `BRI` in elf:INDIVIDUAL_RECORD.
    pub const BURIAL: &str = "https://terms.fhiso.org/elf/BURIAL";
    /// elf:CASTE_NAME: `CAST` in elf:INDIVIDUAL_RECORD.
    pub const CASTE_NAME: &str = "https://terms.fhiso.org/elf/CASTE_NAME";
    /// elf:CAUSE_OF_EVENT: `CAUS` in elf:Event.
    pub const CAUSE_OF_EVENT: &str = "https://terms.fhiso.org/elf/CAUSE_OF_EVENT";
    /// elf:CENSUS#Family: `CENS` in elf:FAM_RECORD.
    pub const CENSUS_FAMILY: &str = "https://terms.fhiso.org/elf/CENSUS#Family";
    /// elf:CENSUS#Individual: `CENS` in elf:INDIVIDUAL_RECORD.
    pub const CENSUS_INDIVIDUAL: &str = "https://terms.fhiso.org/elf/CENSUS#Individual";
    /// elf:CERTAINTY_ASSESSMENT: `QUAY` in elf:SOURCE_CITATION.
    pub const CERTAINTY_ASSESSMENT: &str = "https://terms.fhiso.org/elf/CERTAINTY_ASSESSMENT";
    /// elf:CHANGE_DATE: `CHAN` in elf:Record.
    pub const CHANGE_DATE: &str = "https://terms.fhiso.org/elf/CHANGE_DATE";
    /// elf:CHANGE_DATE_DATE: `DATE` in elf:CHANGE_DATE.
    pub const CHANGE_DATE_DATE: &str = "https://terms.fhiso.org/elf/CHANGE_DATE_DATE";
    /// elf:CHILD_LINKAGE_STATUS: `STAT` in elf:CHILD_TO_FAMILY_LINK.
    pub const CHILD_LINKAGE_STATUS: &str = "https://terms.fhiso.org/elf/CHILD_LINKAGE_STATUS";
    /// elf:CHILD_POINTER: `CHIL` in elf:FAM_RECORD.
    pub const CHILD_POINTER: &str = "https://terms.fhiso.org/elf/CHILD_POINTER";
    /// elf:CHILD_TO_FAMILY_LINK: `FAMC` in elf:INDIVIDUAL_RECORD.
    pub const CHILD_TO_FAMILY_LINK: &str = "https://terms.fhiso.org/elf/CHILD_TO_FAMILY_LINK";
    /// elf:CHRISTENING: `CHR` in elf:INDIVIDUAL_RECORD.
    pub const CHRISTENING: &str = "https://terms.fhiso.org/elf/CHRISTENING";
    /// elf:CONFIRMATION: `CONF` in elf:INDIVIDUAL_RECORD.
    pub const CONFIRMATION: &str = "https://terms.fhiso.org/elf/CONFIRMATION";
    /// elf:CONTINUED_BINARY_OBJECT: `OBJE` in elf:MULTIMEDIA_RECORD.
    pub const CONTINUED_BINARY_OBJECT: &str = "https://terms.fhiso.org/elf/CONTINUED_BINARY_OBJECT";
    /// elf:COPYRIGHT_GEDCOM_FILE: `COPR` in elf:Metadata.
    pub const COPYRIGHT_GEDCOM_FILE: &str = "https://terms.fhiso.org/elf/COPYRIGHT_GEDCOM_FILE";
    /// elf:COPYRIGHT_SOURCE_DATA: `COPR` in elf:NAME_OF_SOURCE_DATA.
    pub const COPYRIGHT_SOURCE_DATA: &str = "https://terms.fhiso.org/elf/COPYRIGHT_SOURCE_DATA";
    /// elf:COUNT_OF_CHILDREN#Family: `NCHI` in elf:FAM_RECORD.
    pub const COUNT_OF_CHILDREN_FAMILY: &str = "https://terms.fhiso.org/elf/COUNT_OF_CHILDREN#Family";
    /// elf:COUNT_OF_CHILDREN#Individual: `NCHI` in elf:INDIVIDUAL_RECORD.
    pub const COUNT_OF_CHILDREN_INDIVIDUAL: &str = "https://terms.fhiso.org/elf/COUNT_OF_CHILDREN#Individual";
    /// elf:COUNT_OF_MARRIAGES: `NMR` in elf:INDIVIDUAL_RECORD.
    pub const COUNT_OF_MARRIAGES: &str = "https://terms.fhiso.org/elf/COUNT_OF_MARRIAGES";
    /// elf:CREMATION: `CREM` in elf:INDIVIDUAL_RECORD.
    pub const CREMATION: &str = "https://terms.fhiso.org/elf/CREMATION";
    /// elf:DATE_PERIOD: `DATE` in elf:EVENTS_RECORDED.
    pub const DATE_PERIOD: &str = "https://terms.fhiso.org/elf/DATE_PERIOD";
    /// elf:DATE_VALUE: `DATE` in elf:Event.
    pub const DATE_VALUE: &str = "https://terms.fhiso.org/elf/DATE_VALUE";
    /// elf:DEATH: `DEAT` in elf:INDIVIDUAL_RECORD.
    pub const DEATH: &str = "https://terms.fhiso.org/elf/DEATH";
    /// elf:DEFAULT_PLACE_FORMAT: `PLAC` in elf:Metadata.
    pub const DEFAULT_PLACE_FORMAT: &str = "https://terms.fhiso.org/elf/DEFAULT_PLACE_FORMAT";
    /// elf:DESCENDANT_INTEREST_POINTER: `DESI` in elf:INDIVIDUAL_RECORD.
    pub const DESCENDANT_INTEREST_POINTER: &str = "https://terms.fhiso.org/elf/DESCENDANT_INTEREST_POINTER";
    /// elf:DESCRIPTIVE_TITLE: `TITL` in elf:MULTIMEDIA_FILE_REFERENCE, elf:MULTIMEDIA_LINK, elf:MULTIMEDIA_RECORD.
    pub const DESCRIPTIVE_TITLE: &str = "https://terms.fhiso.org/elf/DESCRIPTIVE_TITLE";
    /// elf:DIVORCE: `DIV` in elf:FAM_RECORD.
    pub const DIVORCE: &str = "https://terms.fhiso.org/elf/DIVORCE";
    /// elf:DIVORCE_FILED: `DIVF` in elf:FAM_RECORD.
    pub const DIVORCE_FILED: &str = "https://terms.fhiso.org/elf/DIVORCE_FILED";
    /// elf:DOCUMENT_SOURCE: `SOUR` in elf:Metadata.
    pub const DOCUMENT_SOURCE: &str = "https://terms.fhiso.org/elf/DOCUMENT_SOURCE";
    /// elf:Document: no tag stands for it.
    pub const DOCUMENT: &str = "https://terms.fhiso.org/elf/Document";
    /// elf:EMIGRATION: `EMIG` in elf:INDIVIDUAL_RECORD.
    pub const EMIGRATION: &str = "https://terms.fhiso.org/elf/EMIGRATION";
    /// elf:ENGAGEMENT: `ENGA` in elf:FAM_RECORD.
    pub const ENGAGEMENT: &str = "https://terms.fhiso.org/elf/ENGAGEMENT";
    /// elf:ENTRY_RECORDING_DATE: `DATE` in elf:SOURCE_CITATION_DATA.
    pub const ENTRY_RECORDING_DATE: &str = "https://terms.fhiso.org/elf/ENTRY_RECORDING_DATE";
    /// elf:EVENT#Family: `EVEN` in elf:FAM_RECORD.
    pub const EVENT_FAMILY: &str = "https://terms.fhiso.org/elf/EVENT#Family";
    /// elf:EVENT#Individual: `EVEN` in elf:INDIVIDUAL_RECORD.
    pub const EVENT_INDIVIDUAL: &str = "https://terms.fhiso.org/elf/EVENT#Individual";
    /// elf:EVENTS_RECORDED: `EVEN` in elf:SOURCE_RECORD_DATA.
    pub const EVENTS_RECORDED: &str = "https://terms.fhiso.org/elf/EVENTS_RECORDED";
    /// elf:EVENT_OR_FACT_CLASSIFICATION: `TYPE` in elf:Event.
    pub const EVENT_OR_FACT_CLASSIFICATION: &str = "https://terms.fhiso.org/elf/EVENT_OR_FACT_CLASSIFICATION";
    /// elf:EVENT_TYPE_CITED_FROM: `EVEN` in elf:SOURCE_CITATION.
    pub const EVENT_TYPE_CITED_FROM: &str = "https://terms.fhiso.org/elf/EVENT_TYPE_CITED_FROM";
    /// elf:Event: no tag stands for it; its subtypes are elf:FamilyEvent, elf:IndividualAttribute, elf:IndividualEvent.
    pub const EVENT: &str = "https://terms.fhiso.org/elf/Event";
    /// elf:FAM_RECORD: `FAM` in elf:Document.
    pub const FAM_RECORD: &str = "https://terms.fhiso.org/elf/FAM_RECORD";
    /// elf:FILE_NAME: `FILE` in elf:Metadata.
    pub const FILE_NAME: &str = "https://terms.fhiso.org/elf/FILE_NAME";
    /// elf:FIRST_COMMUNION: `FCOM` in elf:INDIVIDUAL_RECORD.
    pub const FIRST_COMMUNION: &str = "https://terms.fhiso.org/elf/FIRST_COMMUNION";
    /// elf:FamilyEvent: no tag stands for it, but for each of its subtypes.
    pub const FAMILY_EVENT: &str = "https://terms.fhiso.org/elf/FamilyEvent";
    /// elf:GEDCOM_CONTENT_DESCRIPTION: `NOTE` in elf:Metadata.
    pub const GEDCOM_CONTENT_DESCRIPTION: &str = "https://terms.fhiso.org/elf/GEDCOM_CONTENT_DESCRIPTION";
    /// elf:GEDCOM_FORM: `FORM` in elf:GEDCOM_FORMAT.
    pub const GEDCOM_FORM: &str = "https://terms.fhiso.org/elf/GEDCOM_FORM";
    /// elf:GEDCOM_FORMAT: `GEDC` in elf:Metadata.
    pub const GEDCOM_FORMAT: &str = "https://terms.fhiso.org/elf/GEDCOM_FORMAT";
    /// elf:GRADUATION: `GRAD` in elf:INDIVIDUAL_RECORD.
    pub const GRADUATION: &str = "https://terms.fhiso.org/elf/GRADUATION";
    /// elf:IMMIGRATION: `IMMI` in elf:INDIVIDUAL_RECORD.
    pub const IMMIGRATION: &str = "https://terms.fhiso.org/elf/IMMIGRATION";
    /// elf:INDIVIDUAL_RECORD: `INDI` in elf:Document.
    pub const INDIVIDUAL_RECORD: &str = "https://terms.fhiso.org/elf/INDIVIDUAL_RECORD";
    /// elf:IndividualAttribute: no tag stands for it, but for each of its subtypes.
    pub const INDIVIDUAL_ATTRIBUTE: &str = "https://terms.fhiso.org/elf/IndividualAttribute";
    /// elf:IndividualEvent: no tag stands for it, but for each of its subtypes.
    pub const INDIVIDUAL_EVENT: &str = "https://terms.fhiso.org/elf/IndividualEvent";
    /// elf:LANGUAGE_OF_TEXT: `LANG` in elf:Metadata.
    pub const LANGUAGE_OF_TEXT: &str = "https://terms.fhiso.org/elf/LANGUAGE_OF_TEXT";
    /// elf:LANGUAGE_PREFERENCE: `LANG` in elf:SUBMITTER_RECORD.
    pub const LANGUAGE_PREFERENCE: &str = "https://terms.fhiso.org/elf/LANGUAGE_PREFERENCE";
    /// elf:MAP_COORDINATES: `MAP` in elf:PLACE_STRUCTURE.
    pub const MAP_COORDINATES: &str = "https://terms.fhiso.org/elf/MAP_COORDINATES";
    /// elf:MARRIAGE: `MARR` in elf:FAM_RECORD.
    pub const MARRIAGE: &str = "https://terms.fhiso.org/elf/MARRIAGE";
    /// elf:MARRIAGE_BANN: `MARB` in elf:FAM_RECORD.
    pub const MARRIAGE_BANN: &str = "https://terms.fhiso.org/elf/MARRIAGE_BANN";
    /// elf:MARRIAGE_CONTRACT: `MARC` in elf:FAM_RECORD.
    pub const MARRIAGE_CONTRACT: &str = "https://terms.fhiso.org/elf/MARRIAGE_CONTRACT";
    /// elf:MARRIAGE_LICENSE: `MARL` in elf:FAM_RECORD.
    pub const MARRIAGE_LICENSE: &str = "https://terms.fhiso.org/elf/MARRIAGE_LICENSE";
    /// elf:MARRIAGE_SETTLEMENT: `MARS` in elf:FAM_RECORD.
    pub const MARRIAGE_SETTLEMENT: &str = "https://terms.fhiso.org/elf/MARRIAGE_SETTLEMENT";
    /// elf:MULTIMEDIA_FILE_REFERENCE: `FILE` in elf:MULTIMEDIA_LINK, elf:MULTIMEDIA_RECORD.
    pub const MULTIMEDIA_FILE_REFERENCE: &str = "https://terms.fhiso.org/elf/MULTIMEDIA_FILE_REFERENCE";
    /// elf:MULTIMEDIA_FORMAT: `FORM` in elf:MULTIMEDIA_FILE_REFERENCE, elf:MULTIMEDIA_LINK, elf:MULTIMEDIA_RECORD.
    pub const MULTIMEDIA_FORMAT: &str = "https://terms.fhiso.org/elf/MULTIMEDIA_FORMAT";
    /// elf:MULTIMEDIA_LINK: `OBJE` in elf:Event, elf:FAM_RECORD, elf:INDIVIDUAL_RECORD, elf:SOURCE_CITATION, elf:SOURCE_RECORD, elf:SUBMITTER_RECORD.
    pub const MULTIMEDIA_LINK: &str = "https://terms.fhiso.org/elf/MULTIMEDIA_LINK";
    /// elf:MULTIMEDIA_RECORD: `OBJE` in elf:Document.
    pub const MULTIMEDIA_RECORD: &str = "https://terms.fhiso.org/elf/MULTIMEDIA_RECORD";
    /// elf:Metadata: no tag stands for it.
    pub const METADATA: &str = "https://terms.fhiso.org/elf/Metadata";
    /// elf:NAME_OF_BUSINESS: `CORP` in elf:DOCUMENT_SOURCE.
    pub const NAME_OF_BUSINESS: &str = "https://terms.fhiso.org/elf/NAME_OF_BUSINESS";
    /// elf:NAME_OF_PRODUCT: `NAME` in elf:DOCUMENT_SOURCE.
    pub const NAME_OF_PRODUCT: &str = "https://terms.fhiso.org/elf/NAME_OF_PRODUCT";
    /// elf:NAME_OF_REPOSITORY: `NAME` in elf:REPOSITORY_RECORD.
    pub const NAME_OF_REPOSITORY: &str = "https://terms.fhiso.org/elf/NAME_OF_REPOSITORY";
    /// elf:NAME_OF_SOURCE_DATA: `DATA` in elf:DOCUMENT_SOURCE.
    pub const NAME_OF_SOURCE_DATA: &str = "https://terms.fhiso.org/elf/NAME_OF_SOURCE_DATA";
    /// elf:NAME_PHONETIC_VARIATION: `FONE` in elf:PERSONAL_NAME_STRUCTURE.
    pub const NAME_PHONETIC_VARIATION: &str = "https://terms.fhiso.org/elf/NAME_PHONETIC_VARIATION";
    /// elf:NAME_PIECE_GIVEN: `GIVN` in elf:PersonalName.
    pub const NAME_PIECE_GIVEN: &str = "https://terms.fhiso.org/elf/NAME_PIECE_GIVEN";
    /// elf:NAME_PIECE_NICKNAME: `NICK` in elf:PersonalName.
    pub const NAME_PIECE_NICKNAME: &str = "https://terms.fhiso.org/elf/NAME_PIECE_NICKNAME";
    /// elf:NAME_PIECE_PREFIX: `NPFX` in elf:PersonalName.
    pub const NAME_PIECE_PREFIX: &str = "https://terms.fhiso.org/elf/NAME_PIECE_PREFIX";
    /// elf:NAME_PIECE_SUFFIX: `NSFX` in elf:PersonalName.
    pub const NAME_PIECE_SUFFIX: &str = "https://terms.fhiso.org/elf/NAME_PIECE_SUFFIX";
    /// elf:NAME_PIECE_SURNAME: `SURN` in elf:PersonalName.
    pub const NAME_PIECE_SURNAME: &str = "https://terms.fhiso.org/elf/NAME_PIECE_SURNAME";
    /// elf:NAME_PIECE_SURNAME_PREFIX: `SPFX` in elf:PersonalName.
    pub const NAME_PIECE_SURNAME_PREFIX: &str = "https://terms.fhiso.org/elf/NAME_PIECE_SURNAME_PREFIX";
    /// elf:NAME_ROMANIZED_VARIATION: `ROMN` in elf:PERSONAL_NAME_STRUCTURE.
    pub const NAME_ROMANIZED_VARIATION: &str = "https://terms.fhiso.org/elf/NAME_ROMANIZED_VARIATION";
    /// elf:NAME_TYPE: `TYPE` in elf:PERSONAL_NAME_STRUCTURE.
    pub const NAME_TYPE: &str = "https://terms.fhiso.org/elf/NAME_TYPE";
    /// elf:NATIONAL_ID_NUMBER: `IDNO` in elf:INDIVIDUAL_RECORD.
    pub const NATIONAL_ID_NUMBER: &str = "https://terms.fhiso.org/elf/NATIONAL_ID_NUMBER";
    /// elf:NATIONAL_OR_TRIBAL_ORIGIN: `NATI` in elf:INDIVIDUAL_RECORD.
    pub const NATIONAL_OR_TRIBAL_ORIGIN: &str = "https://terms.fhiso.org/elf/NATIONAL_OR_TRIBAL_ORIGIN";
    /// elf:NATURALIZATION: `NATU` in elf:INDIVIDUAL_RECORD.
    pub const NATURALIZATION: &str = "https://terms.fhiso.org/elf/NATURALIZATION";
    /// elf:NOBILITY_TYPE_TITLE: `TITL` in elf:INDIVIDUAL_RECORD.
    pub const NOBILITY_TYPE_TITLE: &str = "https://terms.fhiso.org/elf/NOBILITY_TYPE_TITLE";
    /// elf:NOTE_RECORD: `NOTE` in elf:Document.
    pub const NOTE_RECORD: &str = "https://terms.fhiso.org/elf/NOTE_RECORD";
    /// elf:NOTE_STRUCTURE: `NOTE` in elf:ASSOCIATION_STRUCTURE, elf:CHANGE_DATE, elf:CHILD_TO_FAMILY_LINK, elf:Event, elf:PLACE_STRUCTURE, elf:PersonalName, elf:Record, elf:SOURCE_CITATION, elf:SOURCE_RECORD_DATA, elf:SOURCE_REPOSITORY_CITATION, elf:SPOUSE_TO_FAMILY_LINK; `NOTE` in elf:MULTIMEDIA_LINK; `NOTE` in g551:BAPL, g551:CONL, g551:ENDL, g551:SLGC, g551:SLGS.
    pub const NOTE_STRUCTURE: &str = "https://terms.fhiso.org/elf/NOTE_STRUCTURE";
    /// elf:OCCUPATION: `OCCU` in elf:INDIVIDUAL_RECORD.
    pub const OCCUPATION: &str = "https://terms.fhiso.org/elf/OCCUPATION";
    /// elf:ORDINATION: `ORDN` in elf:INDIVIDUAL_RECORD.
    pub const ORDINATION: &str = "https://terms.fhiso.org/elf/ORDINATION";
    /// elf:PARENT1_POINTER: `HUSB` in elf:FAM_RECORD.
    pub const PARENT1_POINTER: &str = "https://terms.fhiso.org/elf/PARENT1_POINTER";
    /// elf:PARENT2_POINTER: `WIFE` in elf:FAM_RECORD.
    pub const PARENT2_POINTER: &str = "https://terms.fhiso.org/elf/PARENT2_POINTER";
    /// elf:PEDIGREE_LINKAGE_TYPE: `PEDI` in elf:CHILD_TO_FAMILY_LINK.
    pub const PEDIGREE_LINKAGE_TYPE: &str = "https://terms.fhiso.org/elf/PEDIGREE_LINKAGE_TYPE";
    /// elf:PERSONAL_NAME_STRUCTURE: `NAME` in elf:INDIVIDUAL_RECORD.
    pub const PERSONAL_NAME_STRUCTURE: &str = "https://terms.fhiso.org/elf/PERSONAL_NAME_STRUCTURE";
    /// elf:PHONETIC_TYPE: `TYPE` in elf:NAME_PHONETIC_VARIATION, elf:PLACE_PHONETIC_VARIATION.
    pub const PHONETIC_TYPE: &str = "https://terms.fhiso.org/elf/PHONETIC_TYPE";
    /// elf:PHONE_NUMBER: `PHON` in elf:Agent; `PHON` in elf:Event.
    pub const PHONE_NUMBER: &str = "https://terms.fhiso.org/elf/PHONE_NUMBER";
    /// elf:PHYSICAL_DESCRIPTION: `DSCR` in elf:INDIVIDUAL_RECORD.
    pub const PHYSICAL_DESCRIPTION: &str = "https://terms.fhiso.org/elf/PHYSICAL_DESCRIPTION";
    /// elf:PLACE_HIERARCHY: `FORM` in elf:DEFAULT_PLACE_FORMAT, elf:PLACE_STRUCTURE.
    pub const PLACE_HIERARCHY: &str = "https://terms.fhiso.org/elf/PLACE_HIERARCHY";
    /// elf:PLACE_LATITUDE: `LATI` in elf:MAP_COORDINATES.
    pub const PLACE_LATITUDE: &str = "https://terms.fhiso.org/elf/PLACE_LATITUDE";
    /// elf:PLACE_LONGITUDE: `LONG` in elf:MAP_COORDINATES.
    pub const PLACE_LONGITUDE: &str = "https://terms.fhiso.org/elf/PLACE_LONGITUDE";
    /// elf:PLACE_PHONETIC_VARIATION: `FONE` in elf:PLACE_STRUCTURE.
    pub const PLACE_PHONETIC_VARIATION: &str = "https://terms.fhiso.org/elf/PLACE_PHONETIC_VARIATION";
    /// elf:PLACE_ROMANIZED_VARIATION: `ROMN` in elf:PLACE_STRUCTURE.
    pub const PLACE_ROMANIZED_VARIATION: &str = "https://terms.fhiso.org/elf/PLACE_ROMANIZED_VARIATION";
    /// elf:PLACE_STRUCTURE: `PLAC` in elf:Event.
    pub const PLACE_STRUCTURE: &str = "https://terms.fhiso.org/elf/PLACE_STRUCTURE";
    /// elf:POSSESSIONS: `PROP` in elf:INDIVIDUAL_RECORD.
    pub const POSSESSIONS: &str = "https://terms.fhiso.org/elf/POSSESSIONS";
    /// elf:PROBATE: `PROB` in elf:INDIVIDUAL_RECORD.
    pub const PROBATE: &str = "https://terms.fhiso.org/elf/PROBATE";
    /// elf:PUBLICATION_DATE: `DATE` in elf:NAME_OF_SOURCE_DATA.
    pub const PUBLICATION_DATE: &str = "https://terms.fhiso.org/elf/PUBLICATION_DATE";
    /// elf:Parent1Age: `HUSB` in elf:FamilyEvent.
    pub const PARENT1_AGE: &str = "https://terms.fhiso.org/elf/Parent1Age";
    /// elf:Parent2Age: `WIFE` in elf:FamilyEvent.
    pub const PARENT2_AGE: &str = "https://terms.fhiso.org/elf/Parent2Age";
    /// elf:ParentPointer: no tag stands for it; its subtypes are elf:PARENT1_POINTER, elf:PARENT2_POINTER.
    pub const PARENT_POINTER: &str = "https://terms.fhiso.org/elf/ParentPointer";
    /// elf:PersonalName: no tag stands for it; its subtypes are elf:NAME_PHONETIC_VARIATION, elf:NAME_ROMANIZED_VARIATION, elf:PERSONAL_NAME_STRUCTURE.
    pub const PERSONAL_NAME: &str = "https://terms.fhiso.org/elf/PersonalName";
    /// elf:RECEIVING_SYSTEM_NAME: `DEST` in elf:Metadata.
    pub const RECEIVING_SYSTEM_NAME: &str = "https://terms.fhiso.org/elf/RECEIVING_SYSTEM_NAME";
    /// elf:RELATION_IS_DESCRIPTOR: `RELA` in elf:ASSOCIATION_STRUCTURE.
    pub const RELATION_IS_DESCRIPTOR: &str = "https://terms.fhiso.org/elf/RELATION_IS_DESCRIPTOR";
    /// elf:RELIGIOUS_AFFILIATION: `RELI` in elf:Event.
    pub const RELIGIOUS_AFFILIATION: &str = "https://terms.fhiso.org/elf/RELIGIOUS_AFFILIATION";
    /// elf:RELIGIOUS_AFFILIATION#Individual: `RELI` in elf:INDIVIDUAL_RECORD.
    pub const RELIGIOUS_AFFILIATION_INDIVIDUAL: &str =
        "https://terms.fhiso.org/elf/RELIGIOUS_AFFILIATION#Individual";
    /// elf:REPOSITORY_RECORD: `REPO` in elf:Document.
    pub const REPOSITORY_RECORD: &str = "https://terms.fhiso.org/elf/REPOSITORY_RECORD";
    /// elf:RESIDENCE: `RESI` in elf:FAM_RECORD.
    pub const RESIDENCE: &str = "https://terms.fhiso.org/elf/RESIDENCE";
    /// elf:RESIDES_AT: `RESI` in elf:INDIVIDUAL_RECORD.
    pub const RESIDES_AT: &str = "https://terms.fhiso.org/elf/RESIDES_AT";
    /// elf:RESPONSIBLE_AGENCY: `AGNC` in elf:Event, elf:SOURCE_RECORD_DATA.
    pub const RESPONSIBLE_AGENCY: &str = "https://terms.fhiso.org/elf/RESPONSIBLE_AGENCY";
    /// elf:RESTRICTION_NOTICE: `RESN` in elf:Event, elf:FAM_RECORD, elf:INDIVIDUAL_RECORD.
    pub const RESTRICTION_NOTICE: &str = "https://terms.fhiso.org/elf/RESTRICTION_NOTICE";
    /// elf:RETIREMENT: `RETI` in elf:INDIVIDUAL_RECORD.
    pub const RETIREMENT: &str = "https://terms.fhiso.org/elf/RETIREMENT";
    /// elf:ROLE_IN_EVENT: `ROLE` in elf:EVENT_TYPE_CITED_FROM.
    pub const ROLE_IN_EVENT: &str = "https://terms.fhiso.org/elf/ROLE_IN_EVENT";
    /// elf:ROMANIZED_TYPE: `TYPE` in elf:NAME_ROMANIZED_VARIATION, elf:PLACE_ROMANIZED_VARIATION.
    pub const ROMANIZED_TYPE: &str = "https://terms.fhiso.org/elf/ROMANIZED_TYPE";
    /// elf:Record: no tag stands for it, but for each of its subtypes.
    pub const RECORD: &str = "https://terms.fhiso.org/elf/Record";
    /// elf:SCHOLASTIC_ACHIEVEMENT: `EDUC` in elf:INDIVIDUAL_RECORD.
    pub const SCHOLASTIC_ACHIEVEMENT: &str = "https://terms.fhiso.org/elf/SCHOLASTIC_ACHIEVEMENT";
    /// elf:SEX_VALUE: `SEX` in elf:INDIVIDUAL_RECORD.
    pub const SEX_VALUE: &str = "https://terms.fhiso.org/elf/SEX_VALUE";
    /// elf:SOCIAL_SECURITY_NUMBER: `SSN` in elf:INDIVIDUAL_RECORD.
    pub const SOCIAL_SECURITY_NUMBER: &str = "https://terms.fhiso.org/elf/SOCIAL_SECURITY_NUMBER";
    /// elf:SOURCE_CALL_NUMBER: `CALN` in elf:SOURCE_REPOSITORY_CITATION.
    pub const SOURCE_CALL_NUMBER: &str = "https://terms.fhiso.org/elf/SOURCE_CALL_NUMBER";
    /// elf:SOURCE_CITATION: `SOUR` in elf:ASSOCIATION_STRUCTURE, elf:Event, elf:FAM_RECORD, elf:INDIVIDUAL_RECORD, elf:PersonalName; `SOUR` in elf:NOTE_RECORD, elf:MULTIMEDIA_RECORD; `SOUR` in elf:NOTE_STRUCTURE, elf:PLACE_STRUCTURE; `SOUR` in g551:BAPL, g551:CONL, g551:ENDL, g551:SLGC, g551:SLGS.
    pub const SOURCE_CITATION: &str = "https://terms.fhiso.org/elf/SOURCE_CITATION";
    /// elf:SOURCE_CITATION_DATA: `DATA` in elf:SOURCE_CITATION.
    pub const SOURCE_CITATION_DATA: &str = "https://terms.fhiso.org/elf/SOURCE_CITATION_DATA";
    /// elf:SOURCE_DESCRIPTIVE_TITLE: `TITL` in elf:SOURCE_RECORD.
    pub const SOURCE_DESCRIPTIVE_TITLE: &str = "https://terms.fhiso.org/elf/SOURCE_DESCRIPTIVE_TITLE";
    /// elf:SOURCE_FILED_BY_ENTRY: `ABBR` in elf:SOURCE_RECORD.
    pub const SOURCE_FILED_BY_ENTRY: &str = "https://terms.fhiso.org/elf/SOURCE_FILED_BY_ENTRY";
    /// elf:SOURCE_JURISDICTION_PLACE: `PLAC` in elf:EVENTS_RECORDED.
    pub const SOURCE_JURISDICTION_PLACE: &str = "https://terms.fhiso.org/elf/SOURCE_JURISDICTION_PLACE";
    /// elf:SOURCE_MEDIA_TYPE: `MEDI` in elf:MULTIMEDIA_FORMAT, elf:SOURCE_CALL_NUMBER; `TYPE` in elf:MULTIMEDIA_FORMAT.
    pub const SOURCE_MEDIA_TYPE: &str = "https://terms.fhiso.org/elf/SOURCE_MEDIA_TYPE";
    /// elf:SOURCE_ORIGINATOR: `AUTH` in elf:SOURCE_RECORD.
    pub const SOURCE_ORIGINATOR: &str = "https://terms.fhiso.org/elf/SOURCE_ORIGINATOR";
    /// elf:SOURCE_PUBLICATION_FACTS: `PUBL` in elf:SOURCE_RECORD.
    pub const SOURCE_PUBLICATION_FACTS: &str = "https://terms.fhiso.org/elf/SOURCE_PUBLICATION_FACTS";
    /// elf:SOURCE_RECORD: `SOUR` in elf:Document.
    pub const SOURCE_RECORD: &str = "https://terms.fhiso.org/elf/SOURCE_RECORD";
    /// elf:SOURCE_RECORD_DATA: `DATA` in elf:SOURCE_RECORD.
    pub const SOURCE_RECORD_DATA: &str = "https://terms.fhiso.org/elf/SOURCE_RECORD_DATA";
    /// elf:SOURCE_REPOSITORY_CITATION: `REPO` in elf:SOURCE_RECORD.
    pub const SOURCE_REPOSITORY_CITATION: &str = "https://terms.fhiso.org/elf/SOURCE_REPOSITORY_CITATION";
    /// elf:SPOUSE_TO_FAMILY_LINK: `FAMS` in elf:INDIVIDUAL_RECORD.
    pub const SPOUSE_TO_FAMILY_LINK: &str = "https://terms.fhiso.org/elf/SPOUSE_TO_FAMILY_LINK";
    /// elf:SUBMITTER_NAME: `NAME` in elf:SUBMITTER_RECORD.
    pub const SUBMITTER_NAME: &str = "https://terms.fhiso.org/elf/SUBMITTER_NAME";
    /// elf:SUBMITTER_POINTER: `SUBM` in elf:FAM_RECORD, elf:INDIVIDUAL_RECORD, elf:Metadata; `SUBM` in g551:record-SUBN.
    pub const SUBMITTER_POINTER: &str = "https://terms.fhiso.org/elf/SUBMITTER_POINTER";
    /// elf:SUBMITTER_RECORD: `SUBM` in elf:Document.
    pub const SUBMITTER_RECORD: &str = "https://terms.fhiso.org/elf/SUBMITTER_RECORD";
    /// elf:Structure: no tag stands for it.
    pub const STRUCTURE: &str = "https://terms.fhiso.org/elf/Structure";
    /// elf:TEXT_FROM_SOURCE: `TEXT` in elf:SOURCE_CITATION, elf:SOURCE_CITATION_DATA, elf:SOURCE_RECORD.
    pub const TEXT_FROM_SOURCE: &str = "https://terms.fhiso.org/elf/TEXT_FROM_SOURCE";
    /// elf:TIME_VALUE: `TIME` in elf:CHANGE_DATE_DATE, elf:TRANSMISSION_DATE.
    pub const TIME_VALUE: &str = "https://terms.fhiso.org/elf/TIME_VALUE";
    /// elf:TRANSMISSION_DATE: `DATE` in elf:Metadata.
    pub const TRANSMISSION_DATE: &str = "https://terms.fhiso.org/elf/TRANSMISSION_DATE";
    /// elf:USER_REFERENCE_NUMBER: `REFN` in elf:Record.
    pub const USER_REFERENCE_NUMBER: &str = "https://terms.fhiso.org/elf/USER_REFERENCE_NUMBER";
    /// elf:USER_REFERENCE_TYPE: `TYPE` in elf:USER_REFERENCE_NUMBER.
    pub const USER_REFERENCE_TYPE: &str = "https://terms.fhiso.org/elf/USER_REFERENCE_TYPE";
    /// elf:VERSION_NUMBER: `VERS` in elf:DOCUMENT_SOURCE, elf:GEDCOM_FORMAT.
    pub const VERSION_NUMBER: &str = "https://terms.fhiso.org/elf/VERSION_NUMBER";
    /// elf:WHERE_WITHIN_SOURCE: `PAGE` in elf:SOURCE_CITATION.
    pub const WHERE_WITHIN_SOURCE: &str = "https://terms.fhiso.org/elf/WHERE_WITHIN_SOURCE";
    /// elf:WILL: `WILL` in elf:INDIVIDUAL_RECORD.
    pub const WILL: &str = "https://terms.fhiso.org/elf/WILL";
    /// elf:WITHIN_FAMILY: `FAMC` in elf:BIRTH, elf:CHRISTENING; `FAMC` in g551:SLGC.
    pub const WITHIN_FAMILY: &str = "https://terms.fhiso.org/elf/WITHIN_FAMILY";
}

/// Types of the namespace `https://gedcom.io/terms/v5.5.1/`.
pub mod g551 {
    /// g551:AFN: `AFN` in elf:INDIVIDUAL_RECORD.
    pub const AFN: &str = "https://gedcom.io/terms/v5.5.1/AFN";
    /// g551:ANCE: `ANCE` in g551:record-SUBN.
    pub const ANCE: &str = "https://gedcom.io/terms/v5.5.1/ANCE";
    /// g551:BAPL: `BAPL` in elf:INDIVIDUAL_RECORD.
    pub const BAPL: &str = "https://gedcom.io/terms/v5.5.1/BAPL";
    /// g551:CONL: `CONL` in elf:INDIVIDUAL_RECORD.
    pub const CONL: &str = "https://gedcom.io/terms/v5.5.1/CONL";
    /// g551:DATE-CHANGE_DATE: `DATE` in g551:STAT-LDS_BAPTISM_DATE_STATUS, g551:ENDL-STAT, g551:SLGC-STAT, g551:SLGS-STAT.
    pub const DATE_CHANGE_DATE: &str = "https://gedcom.io/terms/v5.5.1/DATE-CHANGE_DATE";
    /// g551:DATE-DATE_LDS_ORD: `DATE` in g551:BAPL, g551:CONL, g551:ENDL, g551:SLGC, g551:SLGS.
    pub const DATE_DATE_LDS_ORD: &str = "https://gedcom.io/terms/v5.5.1/DATE-DATE_LDS_ORD";
    /// g551:DESC: `DESC` in g551:record-SUBN.
    pub const DESC: &str = "https://gedcom.io/terms/v5.5.1/DESC";
    /// g551:ENDL: `ENDL` in elf:INDIVIDUAL_RECORD.
    pub const ENDL: &str = "https://gedcom.io/terms/v5.5.1/ENDL";
    /// g551:ENDL-STAT: `STAT` in g551:ENDL.
    pub const ENDL_STAT: &str = "https://gedcom.io/terms/v5.5.1/ENDL-STAT";
    /// g551:FAMF: `FAMF` in g551:record-SUBN.
    pub const FAMF: &str = "https://gedcom.io/terms/v5.5.1/FAMF";
    /// g551:INDI-RFN: `RFN` in elf:INDIVIDUAL_RECORD.
    pub const INDI_RFN: &str = "https://gedcom.io/terms/v5.5.1/INDI-RFN";
    /// g551:ORDI: `ORDI` in g551:record-SUBN.
    pub const ORDI: &str = "https://gedcom.io/terms/v5.5.1/ORDI";
    /// g551:PLAC-PLACE_LIVING_ORDINANCE: `PLAC` in g551:BAPL, g551:CONL, g551:ENDL, g551:SLGC, g551:SLGS.
    pub const PLAC_PLACE_LIVING_ORDINANCE: &str =
        "https://gedcom.io/terms/v5.5.1/PLAC-PLACE_LIVING_ORDINANCE";
    /// g551:record-SUBN: `SUBN` in elf:Document.
    pub const RECORD_SUBN: &str = "https://gedcom.io/terms/v5.5.1/record-SUBN";
    /// g551:SLGC: `SLGC` in elf:INDIVIDUAL_RECORD.
    pub const SLGC: &str = "https://gedcom.io/terms/v5.5.1/SLGC";
    /// g551:SLGC-STAT: `STAT` in g551:SLGC.
    pub const SLGC_STAT: &str = "https://gedcom.io/terms/v5.5.1/SLGC-STAT";
    /// g551:SLGS: `SLGS` in elf:FAM_RECORD.
    pub const SLGS: &str = "https://gedcom.io/terms/v5.5.1/SLGS";
    /// g551:SLGS-STAT: `STAT` in g551:SLGS.
    pub const SLGS_STAT: &str = "https://gedcom.io/terms/v5.5.1/SLGS-STAT";
    /// g551:STAT-LDS_BAPTISM_DATE_STATUS: `STAT` in g551:BAPL, g551:CONL.
    pub const STAT_LDS_BAPTISM_DATE_STATUS: &str =
        "https://gedcom.io/terms/v5.5.1/STAT-LDS_BAPTISM_DATE_STATUS";
    /// g551:SUBM-RFN: `RFN` in elf:SUBMITTER_RECORD.
    pub const SUBM_RFN: &str = "https://gedcom.io/terms/v5.5.1/SUBM-RFN";
    /// g551:SUBN: `SUBN` in elf:Metadata.
    pub const SUBN: &str = "https://gedcom.io/terms/v5.5.1/SUBN";
    /// g551:TEMP: `TEMP` in g551:record-SUBN, g551:BAPL, g551:CONL, g551:ENDL, g551:SLGC, g551:SLGS.
    pub const TEMP: &str = "https://gedcom.io/terms/v5.5.1/TEMP";
    /// g551:TYPE-RECORD_TYPE: `TYPE` in elf:ASSOCIATION_STRUCTURE.
    pub const TYPE_RECORD_TYPE: &str = "https://gedcom.io/terms/v5.5.1/TYPE-RECORD_TYPE";
}
