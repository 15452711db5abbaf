//! The words for how a child is tied to a parent.

/// How a child is tied to a parent, as one word says it: a payload of `PEDI`, or of the `_FREL` and `_MREL` that programs
/// write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChildTie {
    /// By birth.
    Birth,
    /// By adoption.
    Adopted,
    /// In foster care.
    Foster,
    /// Sealed to parents other than the parents by birth, as GEDCOM defines the word.
    Sealing,
    /// Another tie, such as that to a step-parent or a guardian.
    Other,
    /// Somebody showed that there is no tie.
    Disproven,
    /// The word does not say how the child is tied to the parent.
    Unknown,
}

/// The known words in lower case.
///
/// `sealed` is a word of programs for a rite. Children are sealed to their parents by birth, too, so the word does not say
/// what the `sealing` of GEDCOM says.
const WORDS: [(&str, ChildTie); 22] = [
    ("birth", ChildTie::Birth),
    ("natural", ChildTie::Birth),
    ("biological", ChildTie::Birth),
    ("born", ChildTie::Birth),
    ("adopted", ChildTie::Adopted),
    ("foster", ChildTie::Foster),
    ("sealing", ChildTie::Sealing),
    ("step", ChildTie::Other),
    ("stepchild", ChildTie::Other),
    ("guardian", ChildTie::Other),
    ("sponsored", ChildTie::Other),
    ("related", ChildTie::Other),
    ("family member", ChildTie::Other),
    ("other", ChildTie::Other),
    ("disproved", ChildTie::Disproven),
    ("disproven", ChildTie::Disproven),
    ("unknown", ChildTie::Unknown),
    ("private", ChildTie::Unknown),
    ("sealed", ChildTie::Unknown),
    ("challenged", ChildTie::Unknown),
    ("disputed", ChildTie::Unknown),
    ("parent", ChildTie::Unknown),
];

impl ChildTie {
    /// Returns the tie that a word names, in any letter case. Without a word, the tie is unknown; an unfamiliar word names
    /// another tie.
    ///
    /// ```
    /// use elf_values::ChildTie;
    ///
    /// assert_eq!(ChildTie::of("Natural"), ChildTie::Birth);
    /// assert_eq!(ChildTie::of("Step"), ChildTie::Other);
    /// assert_eq!(ChildTie::of("Private"), ChildTie::Unknown);
    /// ```
    pub fn of(text: &str) -> ChildTie {
        let text = text.trim();
        if text.is_empty() {
            return ChildTie::Unknown;
        }
        let known = WORDS.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
        known.map_or(ChildTie::Other, |(_, tie)| *tie)
    }
}
