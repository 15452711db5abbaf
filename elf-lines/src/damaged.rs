//! Line strings that are no lines, but were meant to be.

use crate::chars::is_blank;
use crate::line::significant_digits;
use elf_base::rules::LineRules;

/// Returns the level of a line string that is no line by the rules, but starts like one: a level without
/// leading zeros, one blank, and then an at sign with a letter or digit behind it, or a word as most tags
/// are.
///
/// Such a word has at least three characters, starts with a capital letter or an underscore, and holds no
/// small letter: `BI$T` is one, `March` is none. Levels are capped at [`u32::MAX`], as
/// [`Line::level`](crate::Line::level) caps them.
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::damaged_level;
///
/// let wild = Rules::WILD.lines;
/// assert_eq!(damaged_level("0 @I2 INDI", &wild), Some(0)); // the at sign that closes the identifier is missing
/// assert_eq!(damaged_level("2 BI$T", &wild), Some(2));
/// assert_eq!(damaged_level("19 March too, and 20.", &wild), None);
/// assert_eq!(damaged_level("01 JAN/FEB", &wild), None); // no level is written with a zero before it
/// assert_eq!(damaged_level("second line", &wild), None);
/// ```
pub fn damaged_level(text: &str, rules: &LineRules) -> Option<u32> {
    let text = if rules.leading_whitespace { text.trim_start_matches([' ', '\t']) } else { text };
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (level, rest) = text.split_at_checked(digits).filter(|(level, _)| !level.is_empty())?;
    if level.len() > 1 && level.starts_with('0') {
        return None;
    }
    let rest = rest.strip_prefix([' ', '\t'])?;
    let starts_label = rest.strip_prefix('@').is_some_and(|label| label.starts_with(char::is_alphanumeric));
    (starts_label || starts_with_capitals(rest)).then(|| capped_level(level))
}

fn starts_with_capitals(text: &str) -> bool {
    let end = text.bytes().position(is_blank).unwrap_or(text.len());
    let word = text.get(..end).unwrap_or_default();
    word.chars().count() >= 3
        && word.starts_with(|c: char| c.is_uppercase() || c == '_')
        && !word.contains(char::is_lowercase)
}

/// Returns the level that a line string starts with, behind whitespace, capped at [`u32::MAX`]; `None` where
/// it starts with none.
///
/// ```
/// use elf_lines::leading_level;
/// assert_eq!(leading_level(" 2 DATE"), Some(2));
/// assert_eq!(leading_level("99999999999 DATE"), Some(u32::MAX));
/// assert_eq!(leading_level("DATE"), None);
/// ```
pub fn leading_level(text: &str) -> Option<u32> {
    let text = text.trim_start_matches([' ', '\t']);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let level = text.get(..text.len() - rest.len()).filter(|level| !level.is_empty())?;
    Some(capped_level(level))
}

fn capped_level(digits: &str) -> u32 {
    significant_digits(digits).parse().unwrap_or(u32::MAX)
}
