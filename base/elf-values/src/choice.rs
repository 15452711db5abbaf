//! Payloads that are one of several words.

/// The result of looking up a payload in a list of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice<'v> {
    /// The payload is this word.
    Listed(&'v str),
    /// The payload is this word, but in other case or with whitespace at the ends.
    Alike(&'v str),
    /// The payload is none of the words.
    Other,
}

impl<'v> Choice<'v> {
    /// Looks up a payload in a list of words. Letters outside ASCII must match exactly.
    ///
    /// ```
    /// use elf_values::Choice;
    ///
    /// let words = ["adopted", "birth", "foster"];
    /// assert_eq!(Choice::of("birth", words), Choice::Listed("birth"));
    /// assert_eq!(Choice::of("Birth ", words), Choice::Alike("birth"));
    /// assert_eq!(Choice::of("step", words), Choice::Other);
    /// ```
    pub fn of(text: &str, words: impl IntoIterator<Item = &'v str>) -> Choice<'v> {
        let trimmed = text.trim_matches(crate::scan::is_space);
        let mut alike = Choice::Other;
        for word in words {
            if word == text {
                return Choice::Listed(word);
            }
            if word.eq_ignore_ascii_case(trimmed) && alike == Choice::Other {
                alike = Choice::Alike(word);
            }
        }
        alike
    }
}
