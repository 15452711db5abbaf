//! Words from a file in a bounded length: what is shown, and how much more there is.

use crate::grouped;
use std::borrow::Cow;

/// The most characters of one text that are shown.
const CHARACTERS: usize = 200;

/// The most of several texts that are shown beside each other.
const WORDS: usize = 10;

/// The start of a text that may be as long as the file, and how many characters more it has.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(CHARACTERS).and_then(|(end, _)| text.split_at_checked(end)) {
        Some((start, rest)) => {
            let more = grouped(rest.chars().count() as u64);
            Cow::Owned(format!("{start}… and {more} more characters"))
        }
        None => Cow::Borrowed(text),
    }
}

/// The first of several texts, each in a bounded length, and how many more there are.
pub(crate) fn list<'t>(texts: impl IntoIterator<Item = &'t str>, separator: &str) -> String {
    let mut texts = texts.into_iter();
    let mut shown: Vec<Cow<'t, str>> = texts.by_ref().take(WORDS).map(text).collect();
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
        assert_eq!(text(&whole), whole);
        assert_eq!(text(&long), format!("{whole}… and 1,234 more characters"));
    }

    #[test]
    fn a_list_says_how_many_more_there_are() {
        assert_eq!(list([], ", "), "");
        assert_eq!(list(["a", "b"], ", "), "a, b");
        assert_eq!(list(["a"; WORDS], ""), "a".repeat(WORDS));
        assert_eq!(list(["a"; WORDS + 3], " "), "a ".repeat(WORDS) + "and 3 more");
    }
}
