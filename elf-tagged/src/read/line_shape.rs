//! Properties of a single line.

use elf_lines::Line;

/// The recommended maximum length of a tag in characters (D19 *Tags*).
pub const ADVISED_TAG_LENGTH: u32 = 15;
/// The recommended maximum length of a cross-reference identifier in characters, without its at signs (D19 *Pointer
/// conversion*).
pub const ADVISED_XREF_LENGTH: u32 = 20;

#[inline]
pub(crate) const fn is_long(line: &Line<'_>) -> bool {
    line.tag_span().len() > ADVISED_TAG_LENGTH || line.xref_span().len() > ADVISED_XREF_LENGTH
}

/// Returns whether the tag has lower-case letters. No known tag has such letters.
pub(crate) fn has_small_letters(line: &Line<'_>) -> bool {
    line.tag().bytes().any(|octet| octet.is_ascii_lowercase())
}

/// Returns whether a line that is too deep is probably text that starts with a number.
///
/// A tag never has lower-case letters, and a real line is never a hundred levels too deep. A line in which CONT follows
/// the number is always a real line.
pub(crate) fn is_prose(line: &Line<'_>) -> bool {
    let is_continuation = matches!(line.tag(), "CONT" | "CONC");
    let is_text = line.level() > 99 || has_small_letters(line);
    line.xref().is_none() && !is_continuation && is_text
}
