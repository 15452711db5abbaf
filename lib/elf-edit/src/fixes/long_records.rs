//! The records that are read as one when a file is read in parts, and how longer ones are cut.

use super::units::{MOST_LINES, MOST_OCTETS};
use elf_base::Rules;
use elf_octets::{LineLevel, LongRecords};

/// The records that are too long to be repaired, to be cut by
/// [`Reader::with_long_records`](elf_tagged::Reader::with_long_records).
///
/// ```
/// use elf_edit::elf_tagged::Rules;
///
/// let long = elf_edit::long_records();
/// let level = |line| (long.level)(line, &Rules::WILD).map(|level| (level.level, level.is_continuation));
/// assert_eq!(level("1 NOTE and so on"), Some((1, false)));
/// assert_eq!(level("2 CONT and so on"), Some((2, true)));
/// assert_eq!(level("and so on"), None);
/// ```
pub fn long_records() -> LongRecords {
    LongRecords { most_lines: MOST_LINES, most_octets: MOST_OCTETS, level, cuts: may_cut }
}

/// Tells whether a record may be cut: no line ends the reading, and none is changed by what stands behind it.
fn may_cut(rules: &Rules) -> bool {
    rules.recovers()
        && !rules.octets.stream_escapes
        && !rules.tagged.escape.reads_merged()
        && !rules.tagged.metadata.is_pseudo()
}

fn stripped<'l>(line: &'l str, rules: &Rules) -> &'l str {
    if rules.octets.strip_leading { line.trim_start_matches([' ', '\t']) } else { line }
}

/// The level of a line, be it damaged.
fn level(line: &str, rules: &Rules) -> Option<LineLevel> {
    let text = stripped(line, rules);
    let (level, is_continuation) = match elf_lines::parse(text, &rules.lines) {
        Ok(line) => (line.level(), matches!(line.tag(), "CONT" | "CONC")),
        Err(_) => (elf_lines::damaged_level(text, &rules.lines)?, false),
    };
    Some(LineLevel { level, is_continuation })
}
