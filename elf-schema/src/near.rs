//! Finds tags with a similar spelling, and formats help about them.

use crate::brief::shorten_text;

/// The maximum number of places and tags in a help text.
pub const NAMED: usize = 3;

/// Similar tags are only searched for tags of at most this many characters.
const LONGEST: usize = 32;

/// Tags of superstructures that nearly every file has, most common first.
pub(crate) const COMMON: [&str; 9] = ["SOUR", "BIRT", "DEAT", "MARR", "INDI", "FAM", "NAME", "PLAC", "NOTE"];

/// The tags with the spelling closest to another tag.
#[derive(Clone, Debug)]
pub struct Near<'s> {
    /// The number of spelling errors between the tags, at most two.
    distance: usize,
    tags: Vec<&'s str>,
}

impl<'s> Near<'s> {
    /// Finds the tags of `defined` with the spelling closest to `tag`, ignoring case: at most two errors away. Of two
    /// equally close tags, one with the same length is preferred.
    ///
    /// ```
    /// use elf_schema::near::Near;
    ///
    /// let near = Near::of("BRTH", ["BIRT", "DEAT", "MARR"]);
    /// assert_eq!(near.help(|| None).as_deref(), Some("did you mean `BIRT`?"));
    /// ```
    pub fn of(tag: &str, defined: impl IntoIterator<Item = &'s str>) -> Near<'s> {
        let mut nearest = (usize::MAX, true);
        let mut tags = Vec::new();
        if let Some(letters) = Letters::of(tag) {
            for other in defined {
                let Some(defined) = Letters::of(other) else { continue };
                let Some(slips) = letters.count_slips(&defined) else { continue };
                let nearness = (slips, letters.count != defined.count);
                if nearness < nearest {
                    nearest = nearness;
                    tags.clear();
                }
                if nearness == nearest && tags.len() < NAMED && !tags.contains(&other) {
                    tags.push(other);
                }
            }
        }
        Near { distance: nearest.0, tags }
    }

    /// Returns the number of spelling errors between the tags, at most two. If no tag is near, the number is not meaningful.
    pub(crate) const fn distance(&self) -> usize {
        self.distance
    }

    /// Returns the nearest tag; of several that are equally near, the first.
    pub fn nearest(&self) -> Option<&'s str> {
        self.tags.first().copied()
    }

    /// Returns help about an unknown tag: a similar tag, or, from `elsewhere`, a place where the tag is defined.
    pub fn help(&self, elsewhere: impl FnOnce() -> Option<String>) -> Option<String> {
        if self.distance == 0 {
            return Some(self.describe_nearest());
        }
        match elsewhere() {
            // A tag that is defined elsewhere is rarely misspelled.
            Some(text) if self.distance == 1 => Some(format!("{text}; or {}", self.describe_nearest())),
            Some(text) => Some(text),
            None => (!self.tags.is_empty()).then(|| self.describe_nearest()),
        }
    }

    fn describe_nearest(&self) -> String {
        format!(
            "did you mean {}?",
            join_items(self.tags.iter().map(|tag| format!("`{}`", shorten_text(tag))), "or")
        )
    }
}

/// Returns a text that says where a tag is defined: as a record, under the named structures, and under `more` others.
/// `None` if it is not defined anywhere.
pub fn defined_at(tag: &str, is_record: bool, mut beneath: Vec<String>, more: usize) -> Option<String> {
    if more > 0 {
        beneath.push(format!("{more} more"));
    }
    let mut text = format!("`{}` is defined", shorten_text(tag));
    match (is_record, beneath.is_empty()) {
        (true, true) => text.push_str(" as a record"),
        (true, false) => text.push_str(" as a record and under "),
        (false, true) => return None,
        (false, false) => text.push_str(" under "),
    }
    Some(text + &join_items(beneath.into_iter(), "and"))
}

/// Returns the rank of the tag of a superstructure by how common it is, the most common first.
pub fn commonness(tag: &str) -> usize {
    COMMON.iter().position(|common| *common == tag).unwrap_or(COMMON.len())
}

/// Joins items with commas and a last word.
fn join_items(items: impl Iterator<Item = String>, last: &str) -> String {
    let mut items: Vec<String> = items.collect();
    match (items.pop(), items.is_empty()) {
        (Some(only), true) => only,
        (Some(end), false) => format!("{} {last} {end}", items.join(", ")),
        (None, _) => String::new(),
    }
}

/// The letters of a tag, in upper case.
struct Letters {
    text: String,
    count: usize,
    /// A bit for each letter of the tag. Some letters share a bit.
    set: u32,
}

impl Letters {
    /// Returns `None` if the tag is longer than [`LONGEST`].
    fn of(tag: &str) -> Option<Letters> {
        let text = tag.to_ascii_uppercase();
        let count = text.chars().count();
        let set = text.chars().fold(0, |set, letter| set | 1 << (u32::from(letter) % u32::BITS));
        (count <= LONGEST).then_some(Letters { text, count, set })
    }

    /// Returns the number of spelling errors between two tags, if there are at most two. An error is a missing, extra
    /// or wrong letter, or two neighbouring letters swapped. With two errors, most letters must be the same: `NOTE` is
    /// not similar to `NAME`.
    fn count_slips(&self, other: &Letters) -> Option<usize> {
        // Fast path: each letter that only one tag has is an error, or half of one.
        let only = |one: &Letters, other: &Letters| (one.set & !other.set).count_ones();
        if self.count.abs_diff(other.count) > 2 || only(self, other).max(only(other, self)) > 2 {
            return None;
        }
        match strsim::osa_distance(&self.text, &other.text) {
            0 => Some(0),
            1 if self.count.max(other.count) > 2 => Some(1),
            2 if count_common_letters(&self.text, &other.text) >= 3 => Some(2),
            _ => None,
        }
    }
}

/// Returns the length of the longest common subsequence of letters.
fn count_common_letters(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut above = vec![0; other.len() + 1];
    for letter in one.chars() {
        let mut current = vec![0];
        for (column, facing) in other.iter().enumerate() {
            current.push(match letter == *facing {
                true => above[column] + 1,
                false => above[column + 1].max(current[column]),
            });
        }
        above = current;
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips(one: &str, other: &str) -> Option<usize> {
        Letters::of(one)?.count_slips(&Letters::of(other)?)
    }

    #[test]
    fn a_tag_that_is_defined_twice_is_named_once() {
        let near = Near::of("_NOPE", ["NOTE", "NAME", "NOTE", "NONE", "NOTE"]);
        assert_eq!(near.help(|| None).as_deref(), Some("did you mean `NOTE` or `NONE`?"));
    }

    #[test]
    fn slips_are_counted() {
        for (one, other, expected) in [
            ("birt", "BIRT", Some(0)),
            ("BRTH", "BIRT", Some(2)),
            ("BRIT", "BIRT", Some(1)),
            ("NAM", "NAME", Some(1)),
            ("NAMEE", "NAME", Some(1)),
            ("NAMW", "NAME", Some(1)),
            ("NOTE", "NAME", None),
            ("SEX", "AGE", None),
            ("A", "B", None),
            ("OCUPA", "OCCU", None),
            ("EMAILS", "EMAI", Some(2)),
            ("", "A", None),
        ] {
            assert_eq!(slips(one, other), expected, "{one} {other}");
            assert_eq!(slips(other, one), expected, "{other} {one}");
        }
        assert_eq!(slips(&"X".repeat(LONGEST), &"X".repeat(LONGEST - 1)), Some(1));
        assert_eq!(slips(&"X".repeat(LONGEST + 1), &"X".repeat(LONGEST + 1)), None);
    }
}
