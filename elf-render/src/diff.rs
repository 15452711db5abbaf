//! Lines that change, in the unified form: without the lines around them.

use crate::sanitise;
use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use elf_tagged::Source;
use elf_tagged::elf_octets::Patch;
use std::io::{self, Write};

/// Writes what `patches` change in `file`; nothing where there are none.
///
/// # Errors
///
/// Whatever keeps `out` from being written.
pub fn write(
    out: &mut impl Write,
    file: &str,
    source: &Source<'_>,
    patches: &[Patch],
    coloured: bool,
) -> io::Result<()> {
    if patches.is_empty() {
        return Ok(());
    }
    let style = |style: Style| if coloured { style } else { Style::new() };
    let bold = style(Style::new().effects(Effects::BOLD));
    let place = style(AnsiColor::Cyan.on_default());
    let old = style(AnsiColor::Red.on_default());
    let new = style(AnsiColor::Green.on_default());
    let file = sanitise(file);
    writeln!(out, "{bold}--- {file}{bold:#}\n{bold}+++ {file}{bold:#}")?;
    let mut added = 0;
    let mut removed = 0;
    // Patches that meet are one change.
    for hunk in patches.chunk_by(|one, other| one.lines.end == other.lines.start) {
        let start = hunk.first().map_or(1, |patch| patch.lines.start);
        let gone: u64 = hunk.iter().map(|patch| patch.lines.end - patch.lines.start).sum();
        let come = hunk.iter().map(|patch| patch.with.lines().count() as u64).sum();
        let (from, to) = (range(start, gone), range(start + added - removed, come));
        writeln!(out, "{place}@@ -{from} +{to} @@{place:#}")?;
        for number in start..start + gone {
            writeln!(out, "{old}-{}{old:#}", sanitise(source.line_text(number).unwrap_or_default()))?;
        }
        for line in hunk.iter().flat_map(|patch| patch.with.lines()) {
            writeln!(out, "{new}+{}{new:#}", sanitise(line))?;
        }
        added += come;
        removed += gone;
    }
    Ok(())
}

/// A range of lines as the unified form has it: of no lines, it is the one before.
fn range(start: u64, count: u64) -> String {
    match count {
        0 => format!("{},0", start - 1),
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    }
}
