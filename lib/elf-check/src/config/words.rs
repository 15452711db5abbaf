//! The words that `--select`, `--ignore` and `--deny` accept.

use elf_base::{Class, Code, codes};
use std::str::FromStr;

/// A word by which the user selects findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingWord {
    /// Selects the findings of a code, which is given by its identifier or name: `E0203`, `level-too-deep`.
    Code(Code),
    /// Selects the findings whose codes start with a prefix, such as `E03`.
    Prefix(&'static str),
    /// Selects the findings of a class, such as `advice`.
    Class(Class),
    /// Selects all findings. The word is `warnings`, which only `--deny` accepts.
    All,
}

impl FindingWord {
    /// Returns whether the word selects findings of this code and class.
    pub fn is_about(self, code: Code, class: Class) -> bool {
        match self {
            FindingWord::Code(other) => other == code,
            FindingWord::Prefix(prefix) => code.id().starts_with(prefix),
            FindingWord::Class(other) => other == class,
            FindingWord::All => true,
        }
    }
}

/// Parses a word of `--deny`. This option also accepts `warnings`.
///
/// # Errors
///
/// Returns the words that were expected if the word is unknown.
pub fn parse_denied(word: &str) -> Result<FindingWord, String> {
    match word {
        "warnings" => Ok(FindingWord::All),
        _ => word.parse().map_err(|error| format!("{error}; or `warnings`, which means all of them")),
    }
}

impl FromStr for FindingWord {
    type Err = String;

    fn from_str(word: &str) -> Result<FindingWord, String> {
        if let Some(class) = Class::ALL.into_iter().find(|class| class.name() == word) {
            return Ok(FindingWord::Class(class));
        }
        if let Some(code) = Code::from_name(word) {
            return Ok(FindingWord::Code(code));
        }
        let starts =
            |code: &Code| code.id().get(..word.len()).is_some_and(|id| id.eq_ignore_ascii_case(word));
        let prefix = codes::all().find(starts).and_then(|code| code.id().get(..word.len()));
        prefix.filter(|prefix| !prefix.is_empty()).map(FindingWord::Prefix).ok_or_else(|| {
            let classes = Class::ALL.map(Class::name).join(", ");
            format!(
                "expected a code (E0203), its start (E03), its name (level-too-deep) or a class ({classes}); \
                 `elf explain` lists the codes"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_codes_starts_names_and_classes() {
        let word = |text: &str| text.parse::<FindingWord>();
        assert_eq!(word("e0203"), Ok(FindingWord::Code(codes::LEVEL_TOO_DEEP)));
        assert_eq!(word("level-too-deep"), Ok(FindingWord::Code(codes::LEVEL_TOO_DEEP)));
        assert_eq!(word("e02"), Ok(FindingWord::Prefix("E02")));
        assert_eq!(word("E"), Ok(FindingWord::Prefix("E")));
        assert_eq!(word("advice"), Ok(FindingWord::Class(Class::Advice)));
        assert_eq!(parse_denied("warnings"), Ok(FindingWord::All));
        assert_eq!(parse_denied("E02"), word("E02"));
        for wrong in ["", "warnings", "E99", "levels", "E02030", "é"] {
            assert!(word(wrong).is_err(), "{wrong}");
        }
    }
}
