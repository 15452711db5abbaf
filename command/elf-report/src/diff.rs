//! Writes changed lines in unified diff format, without context lines.

use crate::sanitise;
use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use elf_tagged::Source;
use elf_tagged::elf_octets::Patch;
use std::io::{self, Write};

/// Returns the lines that patches remove from a file, in order.
pub fn removed_lines<'s>(source: &'s Source<'_>, patches: &[Patch]) -> impl Iterator<Item = &'s str> {
    let lines = patches.iter().flat_map(|patch| patch.lines.clone());
    lines.map(|line| source.line_text(line).unwrap_or_default())
}

/// Writes the changes of `patches` in `file`. `removed` are the removed lines. Writes nothing if
/// there are no patches.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write(
    out: &mut impl Write,
    file: &str,
    removed: impl IntoIterator<Item = impl AsRef<str>>,
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
    let mut removed = removed.into_iter();
    writeln!(out, "{bold}--- {file}{bold:#}\n{bold}+++ {file}{bold:#}")?;
    let mut added = 0;
    let mut lost = 0;
    // Adjacent patches are one change.
    for hunk in patches.chunk_by(|one, other| one.lines.end == other.lines.start) {
        let start = hunk.first().map_or(1, |patch| patch.lines.start);
        let gone: u64 = hunk.iter().map(|patch| patch.lines.end - patch.lines.start).sum();
        let come = hunk.iter().map(|patch| patch.with.lines().count() as u64).sum();
        let (from, to) = (format_range(start, gone), format_range(start + added - lost, come));
        writeln!(out, "{place}@@ -{from} +{to} @@{place:#}")?;
        for (_, line) in (0..gone).zip(removed.by_ref()) {
            writeln!(out, "{old}-{}{old:#}", sanitise(line.as_ref()))?;
        }
        for line in hunk.iter().flat_map(|patch| patch.with.lines()) {
            writeln!(out, "{new}+{}{new:#}", sanitise(line))?;
        }
        added += come;
        lost += gone;
    }
    Ok(())
}

/// Formats a range of lines for a unified diff. An empty range is given by the line before it.
fn format_range(start: u64, count: u64) -> String {
    match count {
        0 => format!("{},0", start - 1),
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    }
}
