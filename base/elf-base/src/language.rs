//! Language tags.

/// Returns whether a text is a well-formed language tag (`Language-Tag` in RFC 5646 §2.1), including extended
/// languages, scripts, regions, variants, extensions, private use and grandfathered tags (Basic Concepts *Language
/// tags*). Subtags need not be registered and may be repeated.
///
/// ```
/// use elf_base::is_language_tag;
///
/// assert!(is_language_tag("pt-BR") && is_language_tag("x-pig-latin") && is_language_tag("i-klingon"));
/// assert!(is_language_tag("sl-Latn-IT-nedis-u-islamcal-x-ours"));
/// assert!(!is_language_tag("pt_BR") && !is_language_tag("en-x") && !is_language_tag("de-419-DE"));
/// ```
pub fn is_language_tag(text: &str) -> bool {
    oxilangtag::LanguageTag::parse(text).is_ok()
}
