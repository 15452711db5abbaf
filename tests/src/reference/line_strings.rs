//! Characters to line strings (D19 *Line strings*; J19 §2.4 *Line break*).

use super::characters::is_whitespace;
use super::model::LineString;

/// Splits at `LB ::= #xD #xA? | #xA` and counts the lines (Basic Concepts §2.1).
fn split_at_line_breaks(text: &str) -> Vec<LineString> {
    let mut strings = Vec::new();
    let mut current = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' | '\n' => {
                if character == '\r' {
                    characters.next_if_eq(&'\n');
                }
                strings.push(std::mem::take(&mut current));
            }
            _ => current.push(character),
        }
    }
    strings.push(current);
    (1..).zip(strings).map(|(number, text)| LineString { number, text }).collect()
}

/// Returns the line strings of December 2019: leading whitespace is removed, and empty lines are discarded.
pub(super) fn split_december(text: &str) -> Vec<LineString> {
    let mut strings = split_at_line_breaks(text);
    for string in &mut strings {
        string.text = string.text.trim_start_matches(is_whitespace).to_owned();
    }
    strings.retain(|string| !string.text.is_empty());
    strings
}

/// Returns the line strings of January 2019, where `LB ::= [#A#D]+`: there is nothing between adjacent line breaks.
pub(super) fn split_january(text: &str) -> Vec<LineString> {
    let mut strings = split_at_line_breaks(text);
    strings.retain(|string| !string.text.is_empty());
    strings
}
