//! Names as pictures show them: without what is not seen, as wide as they are drawn, shortened where they
//! must be.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` without controls and directions of its own, which could make it read as something else; blanks of
/// all kinds are one space each. Joiners stay: some scripts are spelled with them.
pub(crate) fn clean(text: &str) -> String {
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

/// Tells whether a character is a control, gives a direction, or is none that XML has.
fn is_unseen(char: char) -> bool {
    match char {
        // Controls, marks and overrides of direction, breaks and operators that take no room.
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
        // The last two of each plane are no characters.
        _ => (u32::from(char) & 0xFFFE) == 0xFFFE,
    }
}

/// Tells whether a text begins in a script that is written from right to left: its first letter decides.
pub(crate) fn is_right_to_left(text: &str) -> bool {
    text.chars().find(|char| char.is_alphabetic()).is_some_and(is_right_to_left_letter)
}

/// Tells whether some letter of a text is of a script that is written from right to left.
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

/// The columns that a text takes in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The widths of the characters from the space to the tilde in `DejaVu Sans`, in thousandths of the size of the type.
/// Of the common typefaces without serifs it is the widest.
const ASCII_WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
    295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
    392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// The weight of a typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

impl Weight {
    /// The width of a character, in sizes of the type: an estimate, rather too much than too little.
    fn em(self, char: char) -> f64 {
        let regular = em(char);
        match self {
            Weight::Bold if regular > 0.0 => regular * 1.06 + 0.06,
            Weight::Bold | Weight::Regular => regular,
        }
    }
}

/// The width of a text in a common typeface without serifs, in sizes of the type: an estimate, rather too much than
/// too little.
pub(crate) fn ems(text: &str, weight: Weight) -> f64 {
    text.chars().map(|char| weight.em(char)).sum()
}

/// The width of a character.
fn em(char: char) -> f64 {
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

/// The beginning of `text` and `…`, where it is wider than `most`, as `measure` has it for single characters.
fn shortened(text: &str, most: f64, measure: impl Fn(char) -> f64) -> Option<String> {
    let room = most - measure('…');
    let (mut width, mut end) = (0.0, 0);
    for (at, char) in text.char_indices() {
        width += measure(char);
        // A mark without a width belongs to the letter before it.
        if width <= room {
            end = at + char.len_utf8();
        }
        if width > most {
            return Some(format!("{}…", text[..end].trim_end()));
        }
    }
    None
}

/// `text`, or its beginning and `…` where it takes more columns than `most`.
pub(crate) fn shortened_to_columns(text: &str, most: usize) -> String {
    let column = |char: char| char.width().unwrap_or(0) as f64;
    shortened(text, most as f64, column).unwrap_or_else(|| text.to_owned())
}

/// The room for a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRoom {
    /// The greatest width of a line, in sizes of the type.
    pub(crate) width: f64,
    /// The most lines.
    pub(crate) lines: usize,
    pub(crate) weight: Weight,
}

/// The lines that a name is set in.
pub(crate) fn wrapped(text: &str, room: TextRoom) -> Vec<String> {
    let TextRoom { width: most, lines, weight } = room;
    let mut set = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = if set.len() + 1 == lines { rest.len() } else { line_end(rest, room) };
        let (line, next) = rest.split_at(end);
        // A word that is wider than the line is shortened where it stands.
        set.push(shortened(line, most, |char| weight.em(char)).unwrap_or_else(|| line.to_owned()));
        rest = next.trim_start();
    }
    set
}

/// The end of the last word of a text that fits into a line; of the first word, if that does not.
fn line_end(text: &str, room: TextRoom) -> usize {
    let TextRoom { width: most, weight, .. } = room;
    let (mut width, mut end) = (0.0, None);
    for (at, char) in text.char_indices() {
        if char == ' ' && (width <= most || end.is_none()) {
            end = Some(at);
        }
        width += weight.em(char);
        if char == '-' && width <= most {
            end = Some(at + 1);
        }
        if width > most && end.is_some() {
            return end.unwrap_or(text.len());
        }
    }
    if width <= most { text.len() } else { end.unwrap_or(text.len()) }
}
