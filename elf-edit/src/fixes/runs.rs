//! The runs of lines that long records are divided by: records that are too long to be repaired.

use super::units::{MOST_LINES, MOST_OCTETS};
use elf_base::{Rules, codes};
use elf_octets::{LineLevel, RunLine, Runs};

/// The number of the run of line strings that are no lines.
const NO_LINES: u64 = 0;

/// The way in which records are divided that are too long to be repaired, for
/// [`Reader::with_runs_apart`](elf_tagged::Reader::with_runs_apart): runs of lines that continue one payload,
/// and of line strings that are no lines.
///
/// ```
/// use elf_edit::elf_tagged::elf_octets::RunLine;
/// use elf_edit::elf_tagged::Rules;
///
/// let runs = elf_edit::runs_of_long_records();
/// let told = |line| (runs.line)(line, &Rules::WILD, false);
/// assert_eq!(told("2 CONT and so on"), RunLine::Of(2, false));
/// assert_eq!(told("and so on"), RunLine::Of(0, true));
/// assert_eq!([told("1 NOTE and so on"), told("1 N*TE and so on")], [RunLine::Apart; 2]);
/// ```
pub fn runs_of_long_records() -> Runs {
    Runs {
        most_lines: MOST_LINES,
        most_octets: MOST_OCTETS,
        kept: 1 << 14,
        least: 1 << 17,
        line: run_line,
        longest_lines: 2 * MOST_LINES,
        longest_octets: MOST_OCTETS,
        level,
        cuts: may_divide,
    }
}

/// Tells in which run a line is, where recovery adds each to the same structure, or beneath it, and changes
/// nothing else. In the header, what continuations and at signs are is known only behind all of it.
fn run_line(line: &str, rules: &Rules, may_be_header: bool) -> RunLine {
    if !may_divide(rules) {
        return RunLine::Apart;
    }
    let text = stripped(line, rules);
    if text.bytes().all(|octet| matches!(octet, b' ' | b'\t')) {
        return RunLine::Blank;
    }
    match elf_lines::parse(text, &rules.lines) {
        Ok(line)
            if matches!(line.tag(), "CONT" | "CONC")
                && line.level() > 0
                && line.xref().is_none()
                && !line.is_pointer()
                && !may_be_header =>
        {
            RunLine::Of(u64::from(line.level()), false)
        }
        Ok(_) => RunLine::Apart,
        Err(fault) if fault.code == codes::LEVEL_ZEROS || fault.code == codes::CHARACTER_FORBIDDEN => {
            RunLine::Apart
        }
        Err(_) if may_be_header && text.contains('@') => RunLine::Apart,
        // One that was meant as a line ends what stands above it.
        Err(_) if elf_lines::damaged_level(text, &rules.lines).is_some() => RunLine::Apart,
        Err(_) => RunLine::Of(NO_LINES, true),
    }
}

/// Tells whether lines of a record may be read apart from it: none ends the reading, and none is changed by
/// what stands behind it.
fn may_divide(rules: &Rules) -> bool {
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
