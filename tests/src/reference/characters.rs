//! The classes of characters of Basic Concepts §2.

/// Matches `S`: space, tab, carriage return and line feed (Basic Concepts §2.1).
pub(super) fn is_whitespace(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// Matches `Char`. A Rust `char` is never a surrogate (Basic Concepts §2).
pub(super) fn is_character(character: char) -> bool {
    !matches!(character, '\0' | '\u{FFFE}' | '\u{FFFF}')
}

/// Splits a text after the characters of a class at its start.
pub(super) fn split_while(text: &str, class: fn(char) -> bool) -> (&str, &str) {
    let end = text.char_indices().find(|(_, character)| !class(*character)).map_or(text.len(), |(at, _)| at);
    text.split_at(end)
}

/// Splits a text after one or more characters of a class at its start.
pub(super) fn split_some(text: &str, class: fn(char) -> bool) -> Option<(&str, &str)> {
    Some(split_while(text, class)).filter(|(taken, _)| !taken.is_empty())
}

/// Applies whitespace normalisation (Basic Concepts §2.1).
pub(super) fn normalise_whitespace(text: &str) -> String {
    text.split(is_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
