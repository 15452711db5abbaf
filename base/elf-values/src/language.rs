//! Language tags (RFC 5646) and the language names of GEDCOM 5.5.1 (`LANGUAGE_ID`).

use elf_base::is_language_tag;

/// The language names of GEDCOM 5.5.1, each with the tag of its language.
const NAMES: [(&str, &str); 86] = [
    ("Afrikaans", "af"),
    ("Albanian", "sq"),
    ("Amharic", "am"),
    ("Anglo-Saxon", "ang"),
    ("Arabic", "ar"),
    ("Armenian", "hy"),
    ("Assamese", "as"),
    ("Belorusian", "be"),
    ("Bengali", "bn"),
    ("Braj", "bra"),
    ("Bulgarian", "bg"),
    ("Burmese", "my"),
    ("Cantonese", "yue"),
    ("Catalan", "ca"),
    ("Catalan_Spn", "ca-ES"),
    ("Church-Slavic", "cu"),
    ("Czech", "cs"),
    ("Danish", "da"),
    ("Dogri", "doi"),
    ("Dutch", "nl"),
    ("English", "en"),
    ("Esperanto", "eo"),
    ("Estonian", "et"),
    ("Faroese", "fo"),
    ("Finnish", "fi"),
    ("French", "fr"),
    ("Georgian", "ka"),
    ("German", "de"),
    ("Greek", "el"),
    ("Gujarati", "gu"),
    ("Hawaiian", "haw"),
    ("Hebrew", "he"),
    ("Hindi", "hi"),
    ("Hungarian", "hu"),
    ("Icelandic", "is"),
    ("Indonesian", "id"),
    ("Italian", "it"),
    ("Japanese", "ja"),
    ("Kannada", "kn"),
    ("Khmer", "km"),
    ("Konkani", "kok"),
    ("Korean", "ko"),
    ("Lahnda", "lah"),
    ("Lao", "lo"),
    ("Latvian", "lv"),
    ("Lithuanian", "lt"),
    ("Macedonian", "mk"),
    ("Maithili", "mai"),
    ("Malayalam", "ml"),
    ("Mandrin", "cmn"),
    ("Manipuri", "mni"),
    ("Marathi", "mr"),
    ("Mewari", "mtr"),
    ("Navaho", "nv"),
    ("Nepali", "ne"),
    ("Norwegian", "no"),
    ("Oriya", "or"),
    ("Pahari", "him"),
    ("Pali", "pi"),
    ("Panjabi", "pa"),
    ("Persian", "fa"),
    ("Polish", "pl"),
    ("Portuguese", "pt"),
    ("Prakrit", "pra"),
    ("Pusto", "ps"),
    ("Rajasthani", "raj"),
    ("Romanian", "ro"),
    ("Russian", "ru"),
    ("Sanskrit", "sa"),
    ("Serb", "sr"),
    ("Serbo_Croa", "sh"),
    ("Slovak", "sk"),
    ("Slovene", "sl"),
    ("Spanish", "es"),
    ("Swedish", "sv"),
    ("Tagalog", "tl"),
    ("Tamil", "ta"),
    ("Telugu", "te"),
    ("Thai", "th"),
    ("Tibetan", "bo"),
    ("Turkish", "tr"),
    ("Ukrainian", "uk"),
    ("Urdu", "ur"),
    ("Vietnamese", "vi"),
    ("Wendic", "wen"),
    ("Yiddish", "yi"),
];

/// Returns the language tag of a payload, which is either the tag itself or the name of a language.
///
/// A single word of four letters or more is treated as an unknown name. Such a word would be a well-formed tag, but no
/// registered language has such a tag.
pub(crate) fn find_tag_of_payload(payload: &str) -> Option<&str> {
    language_tag(payload).or_else(|| {
        let is_word = payload.len() > 3 && payload.bytes().all(|octet| octet.is_ascii_alphabetic());
        (!is_word && is_language_tag(payload)).then_some(payload)
    })
}

/// Returns the language tag for a language name of GEDCOM 5.5.1, ignoring case.
///
/// ```
/// assert_eq!(elf_values::language_tag("Navaho"), Some("nv"));
/// assert_eq!(elf_values::language_tag("Klingon"), None);
/// ```
pub fn language_tag(name: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, tag)| tag)
}

/// Returns the GEDCOM 5.5.1 name for a language tag. The whole tag must match.
///
/// ```
/// assert_eq!(elf_values::language_name("de"), Some("German"));
/// assert_eq!(elf_values::language_name("de-AT"), None);
/// ```
pub fn language_name(tag: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|(_, known)| known.eq_ignore_ascii_case(tag)).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_well_formed_tag_and_is_found_by_it() {
        for (name, tag) in NAMES {
            assert!(is_language_tag(tag), "{name}");
            assert_eq!(language_tag(name), Some(tag));
            assert_eq!(language_name(tag), Some(name));
        }
    }
}
