//! Splits marks over two letters into halves, because ANSEL has only the halves (GEDCOM 5.5.1, Appendix C: `ligature`
//! and `double tilde`, each with a left and a right half).

/// The marks over two letters. Each comes with its left half and its right half.
const DOUBLE_MARKS: [(char, [char; 2]); 2] =
    [('\u{360}', ['\u{FE22}', '\u{FE23}']), ('\u{361}', ['\u{FE20}', '\u{FE21}'])];

/// A text in which marks over two letters are replaced by halves.
#[derive(Debug)]
pub(super) struct HalvedText {
    pub(super) text: String,
    /// The number of marks that were halved.
    pub(super) count: u64,
    /// The offsets in the original text at which the difference between the two texts changes, each with the new
    /// difference.
    moves: Vec<(usize, usize)>,
}

/// Replaces the marks over two letters in `text` by halves. Returns `None` if there are no such marks.
pub(super) fn split_double_marks(text: &str) -> Option<HalvedText> {
    if !text.contains(DOUBLE_MARKS.map(|(mark, _)| mark)) {
        return None;
    }
    let mut halved = HalvedText { text: String::with_capacity(text.len() + 8), count: 0, moves: Vec::new() };
    let (mut is_on_letter, mut right) = (false, None);
    for (at, c) in text.char_indices() {
        let is_mark = unicode_normalization::char::is_combining_mark(c);
        if !is_mark {
            is_on_letter = c.is_alphabetic();
        }
        let behind = &text[at + c.len_utf8()..];
        let of_two = DOUBLE_MARKS.iter().find(|(mark, _)| *mark == c && is_on_letter);
        if let Some((_, [left, of_next])) = of_two.filter(|_| behind.starts_with(char::is_alphabetic)) {
            // If two marks join three letters, the middle letter gets the right half of the first mark, and then the
            // left half of the second.
            halved.text.extend(right.replace(*of_next).into_iter().chain([*left]));
            halved.count += 1;
        } else {
            halved.text.push(c);
        }
        let end = at + c.len_utf8();
        // The right half comes after the letter and all other marks of the letter.
        let is_next = is_on_letter && of_two.is_none();
        if is_next && !behind.starts_with(unicode_normalization::char::is_combining_mark) {
            halved.text.extend(right.take());
        }
        let moved = halved.text.len().saturating_sub(end);
        if halved.moves.last().map_or(0, |(_, before)| *before) != moved {
            halved.moves.push((end, moved));
        }
    }
    (halved.count > 0).then_some(halved)
}

impl HalvedText {
    /// Converts ranges of the original text to ranges of this text. The ranges must be in order.
    pub(super) fn convert_ranges(&self, ranges: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let moved = |offset: usize| {
            let behind = self.moves.partition_point(|(from, _)| *from <= offset);
            offset + behind.checked_sub(1).and_then(|at| self.moves.get(at)).map_or(0, |(_, by)| *by)
        };
        ranges.iter().map(|&(start, end)| (moved(start), moved(end))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_over_two_letters_is_a_half_on_each() {
        let halved = |text: &str| split_double_marks(text).map(|halved| (halved.text, halved.count));
        for (text, expected) in [
            ("a\u{361}b", "a\u{FE20}b\u{FE21}"),
            ("xa\u{360}e\u{301} y", "xa\u{FE22}e\u{301}\u{FE23} y"),
            ("\u{436}\u{361}\u{448}.", "\u{436}\u{FE20}\u{448}\u{FE21}."),
        ] {
            assert_eq!(halved(text), Some((expected.to_owned(), 1)), "{text}");
        }
        let three = "a\u{FE20}b\u{FE21}\u{FE20}c\u{FE21}".to_owned();
        assert_eq!(halved("a\u{361}b\u{361}c"), Some((three, 2)));
        for text in ["ab\u{301}", "a\u{361}", "a\u{361} b", " \u{361}b", "\u{361}b"] {
            assert_eq!(halved(text), None, "{text}");
        }
    }

    #[test]
    fn ranges_are_moved_with_the_text() {
        let text = "@#A@a\u{361}b@#B@c\u{361}d@#C@";
        let ranges: Vec<(usize, usize)> = text.match_indices("@#").map(|(at, _)| (at, at + 4)).collect();
        let halved = split_double_marks(text).map(|halved| {
            let moved = halved.convert_ranges(&ranges);
            moved.iter().map(|&(start, end)| halved.text[start..end].to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(halved, Some(vec!["@#A@".to_owned(), "@#B@".to_owned(), "@#C@".to_owned()]));
    }
}
