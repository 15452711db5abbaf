//! Finds the lines before which a file can be divided.

use crate::parse;
use elf_base::Rules;

/// Returns whether a line certainly starts a record. Such a line is valid under the rules, has level 0, and is not a
/// continuation line. A file can be divided before such a line.
///
/// ```
/// use elf_lines::elf_base::Rules;
/// use elf_lines::starts_record;
///
/// assert!(starts_record("0 @I1@ INDI", &Rules::WILD));
/// assert!(!starts_record("0 CONT x", &Rules::WILD));
/// assert!(!starts_record("1 NAME Ada", &Rules::WILD));
/// ```
pub fn starts_record(line: &str, rules: &Rules) -> bool {
    let text = if rules.octets.strip_leading { line.trim_start_matches([' ', '\t']) } else { line };
    // An escape may become a line break when the text is read (O17 §7.2).
    let is_of_level_0 = text.trim_start_matches([' ', '\t']).starts_with('0');
    if !is_of_level_0 || rules.octets.stream_escapes && text.contains("@#") {
        return false;
    }
    parse(text, &rules.lines)
        .is_ok_and(|line| line.level() == 0 && !matches!(line.tag(), "CONT" | "CONC" | "ERROR"))
}
