//! Text of files, as an assistant gets it: only in fields, short, and without characters that nobody sees.

use elf_report::sanitise;

/// The longest text of a field, in bytes.
pub(crate) const FIELD: usize = 200;

/// The longest text of a note, in bytes.
pub(crate) const NOTE: usize = 600;

/// A text that may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CleanText {
    pub(crate) text: String,
    /// True if the end of the text is left out.
    pub(crate) is_cut: bool,
}

/// Makes a text of a file harmless: control characters and invisible ones are replaced by visible ones, and a long text
/// is cut after at most `most` bytes. Line breaks stay.
pub(crate) fn clean(text: &str, most: usize) -> CleanText {
    let end = boundary(text, most);
    let lines: Vec<_> = text[..end].split('\n').map(|line| sanitise(line.trim_end_matches('\r'))).collect();
    let is_cut = end < text.len();
    let mut text = lines.join("\n");
    if is_cut {
        text.push('…');
    }
    CleanText { text, is_cut }
}

/// Makes a long line harmless, as parts of at most `most` bytes. `…` marks where parts follow each other.
pub(crate) fn parts_of_line(line: &str, most: usize) -> impl Iterator<Item = String> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let is_first = text.len() == line.len();
        let (part, behind) = text.split_at(boundary(text, most));
        rest = Some(behind).filter(|behind| !behind.is_empty());
        let [before, after] = [!is_first, rest.is_some()].map(|is_cut| if is_cut { "…" } else { "" });
        Some(format!("{before}{}{after}", clean(part, most).text))
    })
}

/// Shortens two long lines to what differs between them, with the start of each line and some text around. `…` marks what is
/// left out.
pub(crate) fn around_change(old: &str, new: &str) -> [String; 2] {
    /// The bytes of a line that are kept: its start, and those on either side of the change.
    const KEPT: usize = 100;
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
    };
    let start = same(&mut old.chars().zip(new.chars()));
    let end = same(&mut old[start..].chars().rev().zip(new[start..].chars().rev()));
    [old, new].map(|line| {
        let first = boundary(line, KEPT);
        let from = boundary(line, start.saturating_sub(KEPT)).max(first);
        let to = boundary(line, (line.len() - end).saturating_add(KEPT)).max(from);
        let [gap, after] = [from > first, to < line.len()].map(|is_cut| if is_cut { "…" } else { "" });
        format!("{}{gap}{}{after}", &line[..first], &line[from..to])
    })
}

/// The last boundary of a character at an offset or before it.
pub(crate) fn boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A short text of one line: a name, a date, a place, a tag.
pub(crate) fn field(text: &str) -> String {
    clean(text.trim(), FIELD).text
}

/// As [`field`]; `None` if it is empty.
pub(crate) fn field_if_any(text: &str) -> Option<String> {
    Some(field(text)).filter(|text| !text.is_empty())
}

/// An identifier between at signs, as an assistant gets and gives it.
pub(crate) fn at_signs(identifier: &str) -> String {
    format!("@{}@", field(identifier))
}

/// An identifier without its at signs.
pub(crate) fn bare(identifier: &str) -> &str {
    let identifier = identifier.trim();
    identifier.strip_prefix('@').and_then(|rest| rest.strip_suffix('@')).unwrap_or(identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_seen_and_long_texts_are_cut() {
        assert_eq!(clean("a\u{1b}[2J\r\nb\u{202e}\u{e0041}c", 20).text, "a␛[2J\nb▯▯c");
        let cut = clean("äöüß", 5);
        assert_eq!((&*cut.text, cut.is_cut), ("äö…", true));
        assert!(!clean("äöüß", 8).is_cut);
        let parts: Vec<String> = parts_of_line("äöüß x", 5).collect();
        assert_eq!(parts, ["äö…", "…üß …", "…x"]);
        assert_eq!(parts_of_line("", 5).collect::<Vec<_>>(), [""]);
        let long = "äb".repeat(500);
        let [old, new] =
            around_change(&format!("1 NOTE {long} Wein {long}"), &format!("1 NOTE {long} Wien {long}"));
        assert!(old.len() < 400 && old.starts_with("1 NOTE äb") && old.contains("b Wein ä"), "{old}");
        assert!(new.len() < 400 && new.starts_with("1 NOTE äb") && new.contains("b Wien ä"), "{new}");
        assert_eq!(around_change("1 NOTE a", "1 NOTE aa"), ["1 NOTE a", "1 NOTE aa"]);
        assert_eq!((bare("@I1@"), bare(" I1 "), bare("@")), ("I1", "I1", "@"));
    }
}
