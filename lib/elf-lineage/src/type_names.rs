//! Names of types in words.

use elf_schema::vendors;

/// Returns the name of a type in words, such as `individual record` for
/// `https://terms.fhiso.org/elf/INDIVIDUAL_RECORD`.
///
/// ```
/// use elf_lineage::type_in_words;
///
/// assert_eq!(type_in_words("https://terms.fhiso.org/elf/INDIVIDUAL_RECORD"), "individual record");
/// assert_eq!(type_in_words("https://terms.fhiso.org/elf/IndividualEvent"), "individual event");
/// assert_eq!(type_in_words("https://terms.fhiso.org/elf/CENSUS#Family"), "family");
/// assert_eq!(type_in_words("https://gedcom.io/terms/v7/record-INDI"), "record indi");
/// ```
pub fn type_in_words(iri: &str) -> String {
    if let Some(label) = vendors::label_of_type(iri) {
        return label.into_owned();
    }
    let name = iri.rsplit(['/', '#']).find(|part| !part.is_empty()).unwrap_or(iri);
    let mut words = String::new();
    let mut is_after_small = false;
    for character in name.chars() {
        if matches!(character, '_' | '-') {
            words.push(' ');
        } else {
            if is_after_small && character.is_uppercase() {
                words.push(' ');
            }
            words.extend(character.to_lowercase());
        }
        is_after_small = character.is_lowercase();
    }
    words
}
