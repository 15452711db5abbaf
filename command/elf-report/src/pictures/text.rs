//! Names in pictures: removes invisible characters, estimates widths, and shortens names.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Removes control characters and direction marks, and replaces each kind of whitespace by a space. Joiners are kept,
/// because some scripts need them.
pub(crate) fn clean_text(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_whitespace() {
            if !clean.is_empty() && !clean.ends_with(' ') {
                clean.push(' ');
            }
        } else if !is_unseen(char) {
            clean.push(char);
        }
    }
    clean.truncate(clean.trim_end().len());
    clean
}

/// Returns whether a character is a control character, a direction mark, or not allowed in XML.
fn is_unseen(char: char) -> bool {
    match char {
        // Control characters, direction marks and overrides, line separators and zero-width operators.
        '\u{0}'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        // The last two code points of each plane are not characters.
        _ => (u32::from(char) & 0xFFFE) == 0xFFFE,
    }
}

/// Returns whether the first letter of a text belongs to a right-to-left script.
pub(crate) fn is_right_to_left(text: &str) -> bool {
    text.chars().find(|char| char.is_alphabetic()).is_some_and(is_right_to_left_letter)
}

/// Returns whether a text contains a letter of a right-to-left script.
pub(crate) fn has_right_to_left(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(is_right_to_left_letter)
}

fn is_right_to_left_letter(char: char) -> bool {
    matches!(
        char,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'
    )
}

/// Returns the number of columns of a text in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The widths of the ASCII characters from space to tilde in `DejaVu Sans`, in thousandths of the font size. This is
/// the widest of the common sans-serif fonts.
const ASCII_WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
    295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
    392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// The weight of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

impl Weight {
    /// Estimates the width of a character, in multiples of the font size. The estimate is rather too large than too
    /// small.
    fn char_width(self, char: char) -> f64 {
        let regular = regular_char_width(char);
        match self {
            Weight::Bold if regular > 0.0 => regular * 1.06 + 0.06,
            Weight::Bold | Weight::Regular => regular,
        }
    }
}

/// Estimates the width of a text in a common sans-serif font, in multiples of the font size. The estimate is rather too
/// large than too small.
pub(crate) fn estimate_width(text: &str, weight: Weight) -> f64 {
    text.chars().map(|char| weight.char_width(char)).sum()
}

/// Estimates the width of a character in the regular weight.
fn regular_char_width(char: char) -> f64 {
    if let Some(width) = (char as usize).checked_sub(0x20).and_then(|at| ASCII_WIDTHS.get(at)) {
        return f64::from(*width) / 1000.0;
    }
    match char {
        'Ж' | 'М' | 'Ф' | 'Ш' | 'Щ' | 'Ы' | 'Ю' | 'Æ' | 'Œ' | 'ж' | 'ш' | 'щ' | 'ю' | 'æ' | 'œ' | '…' => {
            1.08
        }
        '\u{590}'..='\u{5ff}' if char.width() != Some(0) => 0.66,
        _ => match char.width() {
            Some(2..) => 1.05,
            Some(1) if char.is_uppercase() => 0.82,
            Some(1) => 0.68,
            Some(0) | None => 0.0,
        },
    }
}

/// Shortens `text` and appends `…` if it is wider than `most`. `measure` returns the width of a character. `None` if
/// the text fits.
fn shorten_by(text: &str, most: f64, measure: impl Fn(char) -> f64) -> Option<String> {
    let room = most - measure('…');
    let (mut width, mut end) = (0.0, 0);
    for (at, char) in text.char_indices() {
        width += measure(char);
        // A combining mark belongs to the letter before it.
        if width <= room {
            end = at + char.len_utf8();
        }
        if width > most {
            return Some(format!("{}…", text[..end].trim_end()));
        }
    }
    None
}

/// Shortens `text` and appends `…` if it has more columns than `most`.
pub(crate) fn shorten_to_columns(text: &str, most: usize) -> String {
    let column = |char: char| char.width().unwrap_or(0) as f64;
    shorten_by(text, most as f64, column).unwrap_or_else(|| text.to_owned())
}

/// The space for a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRoom {
    /// The maximum width of a line, in multiples of the font size.
    pub(crate) width: f64,
    /// The maximum number of lines.
    pub(crate) lines: usize,
    pub(crate) weight: Weight,
}

/// Breaks a name into lines.
pub(crate) fn wrap_name(text: &str, room: TextRoom) -> Vec<String> {
    let TextRoom { width: most, lines, weight } = room;
    let mut set = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = if set.len() + 1 == lines { rest.len() } else { find_line_end(rest, room) };
        let (line, next) = rest.split_at(end);
        // A word that is wider than the line is shortened in its line.
        set.push(shorten_by(line, most, |char| weight.char_width(char)).unwrap_or_else(|| line.to_owned()));
        rest = next.trim_start();
    }
    set
}

/// Returns the end of the last word that fits into a line. If no word fits, the end of the first word.
fn find_line_end(text: &str, room: TextRoom) -> usize {
    let TextRoom { width: most, weight, .. } = room;
    let (mut width, mut end) = (0.0, None);
    for (at, char) in text.char_indices() {
        if char == ' ' && (width <= most || end.is_none()) {
            end = Some(at);
        }
        width += weight.char_width(char);
        if char == '-' && width <= most {
            end = Some(at + 1);
        }
        if width > most && end.is_some() {
            return end.unwrap_or(text.len());
        }
    }
    if width <= most { text.len() } else { end.unwrap_or(text.len()) }
}
