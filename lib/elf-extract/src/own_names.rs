//! Reads the name of someone who is not hidden: which words of it are the person's own name.

use crate::words::{fold, is_apostrophe, is_between_names, is_word_character, split_words};

/// Words for relatives, in lower case and without diacritics. `Wife of Ida Berg` and `Mrs. Max Berg` name somebody else.
const RELATIVES: [&str; 77] = [
    "aunt",
    "bror",
    "brother",
    "child",
    "corka",
    "cousin",
    "datter",
    "daughter",
    "dcera",
    "dochter",
    "dotter",
    "enfant",
    "enke",
    "epouse",
    "epoux",
    "esposa",
    "esposo",
    "father",
    "femme",
    "fiance",
    "fiancee",
    "figlia",
    "figlio",
    "filha",
    "filho",
    "filia",
    "filius",
    "fille",
    "fils",
    "frau",
    "gattin",
    "granddaughter",
    "grandson",
    "hermana",
    "hermano",
    "hija",
    "hijo",
    "husband",
    "hustru",
    "infant",
    "kind",
    "kone",
    "madame",
    "madre",
    "manzelka",
    "marido",
    "mme",
    "moglie",
    "mother",
    "mrs",
    "mujer",
    "mutter",
    "neffe",
    "nephew",
    "nichte",
    "niece",
    "padre",
    "relict",
    "schwester",
    "sister",
    "soeur",
    "sohn",
    "son",
    "spouse",
    "syn",
    "tochter",
    "uncle",
    "uxor",
    "vater",
    "vedova",
    "veuve",
    "viuda",
    "weduwe",
    "widow",
    "wife",
    "witwe",
    "zona",
];

/// Returns whether a name says whose relative the person is.
pub(crate) fn names_relative(name: &str) -> bool {
    split_words(name).any(|word| RELATIVES.contains(&fold(word).as_str()))
}

/// Returns the words after a word that is not part of a name: one without a capital, or one such as `or`. Empty if there is
/// none.
pub(crate) fn words_after_link(name: &str) -> &str {
    let has_capitals = name.contains(char::is_uppercase);
    let mut rest = name;
    let mut is_first = true;
    while let Some(start) = rest.find(is_word_character) {
        let (gap, behind) = rest.split_at(start);
        let (word, behind) = behind.split_at(behind.find(|c| !is_word_character(c)).unwrap_or(behind.len()));
        // `Jean-marie` is one name.
        let is_joined = !is_first
            && !gap.is_empty()
            && gap.chars().all(|c| is_apostrophe(c) || matches!(c, '-' | '‐' | '‑'));
        let is_small = has_capitals && !is_joined && word.starts_with(char::is_lowercase);
        if is_small || is_between_names(word) || word.eq_ignore_ascii_case("of") {
            return behind;
        }
        (rest, is_first) = (behind, false);
    }
    ""
}

/// Returns the words after the end of the person's own name: after the surname between slashes, or after a comma or a
/// similar mark. Empty if there are none.
pub(crate) fn words_after_own_name(name: &str) -> &str {
    let is_mark = |c: char| matches!(c, ',' | ';' | '&' | '+' | '=' | '|');
    let behind_surname = name.match_indices('/').nth(1).map(|(at, _)| at);
    let end = name.find(is_mark).into_iter().chain(behind_surname).min();
    end.map_or("", |end| &name[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_names_end_where_others_begin() {
        for (name, after_link, after_own_name) in [
            ("Johan Sebastian /Bach/", "", "/"),
            ("Ludwig /van Beethoven/", " Beethoven/", "/"),
            ("Anna or Ida Berg", " Ida Berg", ""),
            ("ANNA OF IDA BERG", " IDA BERG", ""),
            ("anna berg", "", ""),
            ("Jean-marie O'brien", "", ""),
            ("Berg, Ida", "", ", Ida"),
            ("Anna /Berg/ Ida Lind", "", "/ Ida Lind"),
            ("", "", ""),
        ] {
            assert_eq!(
                (words_after_link(name), words_after_own_name(name)),
                (after_link, after_own_name),
                "{name}"
            );
        }
        assert!(
            names_relative("WIFE-Ida /Berg/")
                && names_relative("Épouse Berg")
                && !names_relative("Anna Berg")
        );
    }
}
