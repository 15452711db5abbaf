//! Shortens texts from a file, and notes how much was left out.

use crate::grouped;
use std::borrow::Cow;

/// The maximum number of characters of a text that are shown.
const CHARACTERS: usize = 200;

/// The maximum number of texts that a list shows.
const WORDS: usize = 10;

/// Returns the start of a text, and the number of characters that were left out.
pub(crate) fn shorten_text(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(CHARACTERS).and_then(|(end, _)| text.split_at_checked(end)) {
        Some((start, rest)) => {
            let more = grouped(rest.chars().count() as u64);
            Cow::Owned(format!("{start}… and {more} more characters"))
        }
        None => Cow::Borrowed(text),
    }
}

/// Returns the first of several texts, each shortened, and the number of texts that were left out.
pub(crate) fn shorten_list<'t>(texts: impl IntoIterator<Item = &'t str>, separator: &str) -> String {
    let mut texts = texts.into_iter();
    let mut shown: Vec<Cow<'t, str>> = texts.by_ref().take(WORDS).map(shorten_text).collect();
    match texts.count() {
        0 => {}
        more => shown.push(Cow::Owned(format!("and {} more", grouped(more as u64)))),
    }
    shown.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_whole_up_to_its_bound() {
        let [whole, long] = [CHARACTERS, CHARACTERS + 1_234].map(|count| "é".repeat(count));
        assert_eq!(shorten_text(&whole), whole);
        assert_eq!(shorten_text(&long), format!("{whole}… and 1,234 more characters"));
    }

    #[test]
    fn a_list_says_how_many_more_there_are() {
        assert_eq!(shorten_list([], ", "), "");
        assert_eq!(shorten_list(["a", "b"], ", "), "a, b");
        assert_eq!(shorten_list(["a"; WORDS], ""), "a".repeat(WORDS));
        assert_eq!(shorten_list(["a"; WORDS + 3], " "), "a ".repeat(WORDS) + "and 3 more");
    }
}
