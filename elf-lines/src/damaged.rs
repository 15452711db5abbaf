//! Line strings that are no lines, but were meant to be.

use crate::chars::is_blank;
use crate::line::significant_digits;
use elf_base::rules::LineRules;

/// The most characters of what stands between two at signs and may be an identifier.
const LONGEST_IDENTIFIER: usize = 40;

/// Returns the level of a line string that is no line by the rules, but starts like one: a level without
/// leading zeros, one blank, and then an at sign with a letter or digit after it, or a word as most tags
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
    let word = &text[..end];
    word.chars().count() >= 3
        && word.starts_with(|c: char| c.is_uppercase() || c == '_')
        && !word.contains(char::is_lowercase)
}

/// Returns the level that a line string starts with, after whitespace, capped at [`u32::MAX`]; `None` where
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

/// Returns whether a line string that is no line looks like one that begins a record: it starts with a level 0
/// or an at sign, holds something between two at signs, or a tag of a record, INDI or FAM. What follows it
/// is then perhaps somebody else's.
///
/// ```
/// use elf_lines::may_begin_record;
/// assert!(may_begin_record("0 @@ INDI") && may_begin_record("O @I8@ INDI"));
/// assert!(!may_begin_record("and in 1850 he left"));
/// ```
pub fn may_begin_record(text: &str) -> bool {
    let is_noise = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{FEFF}' | '\u{FFFD}');
    let text = text.trim_start_matches(is_noise);
    let unsigned = text.trim_start_matches(['-', '+']);
    let behind = unsigned.trim_start_matches(['0', 'O', 'o']);
    let has_level = behind.len() < unsigned.len()
        && (behind.starts_with('@')
            || unsigned.starts_with('0') && behind.chars().next().is_none_or(is_noise)
            || behind.trim_start().starts_with('@'));
    has_level || text.starts_with('@') || has_identifier(text) || has_record_tag(text)
}

/// Returns whether something without blanks stands between two at signs.
fn has_identifier(text: &str) -> bool {
    let between = |(at, _)| {
        let behind = &text[at + 1..];
        let end = behind.find(|c: char| c == '@' || c.is_whitespace()).unwrap_or_default();
        (1..=LONGEST_IDENTIFIER).contains(&end) && behind.get(end..).is_some_and(|rest| rest.starts_with('@'))
    };
    text.match_indices('@').any(between)
}

/// Returns whether the tag of a record stands in a text as a word, INDI in any letters.
fn has_record_tag(text: &str) -> bool {
    let is_start = |three: &[u8]| three == b"FAM" || three.eq_ignore_ascii_case(b"IND");
    if !text.as_bytes().windows(3).any(is_start) {
        return false;
    }
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| word.eq_ignore_ascii_case("INDI") || word == "FAM")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_may_begin_records_are_known() {
        for text in [
            "0 @@ INDI",
            "0",
            "00 ",
            "-0 X",
            "O @I8@ INDI",
            "0@I9@INDI",
            "@I6@ INDI",
            "@I6@",
            "\u{FEFF}0 @I1@ X",
            "? @I5@ IN?I",
            "x indi",
            "0INDI",
            "\u{FFFD}\u{FFFD}0 \u{FFFD}",
            "-1 @I12@ INDI",
            "12 FAM",
            "0 @#I14@ INDI",
            "O  @",
        ] {
            assert!(may_begin_record(text), "{text}");
        }
        for text in [
            "he moved to INDIANA",
            "07 May 1850",
            "0.5 acres",
            "Oh dear",
            "O mother",
            "see ada@king.example",
            "",
            "1850 he left",
            "her family",
            "indigo",
            "10 children",
            "a@b.c, d@e.f",
        ] {
            assert!(!may_begin_record(text), "{text}");
        }
    }
}
