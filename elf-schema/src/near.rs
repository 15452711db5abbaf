//! Tags that are spelled nearly as another one is, and the words of help about them.

use crate::brief::brief;

/// The most places and tags that help names.
pub const NAMED: usize = 3;

/// The longest tag, in characters, for which similar ones are looked for.
const LONGEST: usize = 32;

/// Tags of superstructures that nearly every file has, the likeliest first.
pub(crate) const COMMON: [&str; 9] = ["SOUR", "BIRT", "DEAT", "MARR", "INDI", "FAM", "NAME", "PLAC", "NOTE"];

/// The tags that are spelled most nearly as another one.
#[derive(Clone, Debug)]
pub struct Near<'s> {
    /// The number of slips between them: two at most.
    distance: usize,
    tags: Vec<&'s str>,
}

impl<'s> Near<'s> {
    /// Finds the tags of `defined` that are spelled most nearly as `tag` is, whatever the case of letters: at
    /// most two slips away. Of two that are equally near, the one that is as long is nearer.
    ///
    /// ```
    /// use elf_schema::near::Near;
    ///
    /// let near = Near::of("BRTH", ["BIRT", "DEAT", "MARR"]);
    /// assert_eq!(near.help(|| None).as_deref(), Some("is `BIRT` meant?"));
    /// ```
    pub fn of(tag: &str, defined: impl IntoIterator<Item = &'s str>) -> Near<'s> {
        let mut nearest = (usize::MAX, true);
        let mut tags = Vec::new();
        if let Some(letters) = Letters::of(tag) {
            for other in defined {
                let Some(defined) = Letters::of(other) else { continue };
                let Some(slips) = letters.slips_to(&defined) else { continue };
                let nearness = (slips, letters.count != defined.count);
                if nearness < nearest {
                    nearest = nearness;
                    tags.clear();
                }
                if nearness == nearest && tags.len() < NAMED {
                    tags.push(other);
                }
            }
        }
        Near { distance: nearest.0, tags }
    }

    /// Says what may be meant by a tag: a near one, or one that is defined elsewhere, as `elsewhere` has it.
    pub fn help(&self, elsewhere: impl FnOnce() -> Option<String>) -> Option<String> {
        if self.distance == 0 {
            return Some(self.meant());
        }
        match elsewhere() {
            // A tag that has its own places is seldom another one misspelled.
            Some(text) if self.distance == 1 => Some(format!("{text}; or {}", self.meant())),
            Some(text) => Some(text),
            None => (!self.tags.is_empty()).then(|| self.meant()),
        }
    }

    fn meant(&self) -> String {
        format!("is {} meant?", listed(self.tags.iter().map(|tag| format!("`{}`", brief(tag))), "or"))
    }
}

/// Says where a tag is defined: as a record, beneath what is named, and at so many more places; `None` where
/// it is nowhere.
pub fn defined_at(tag: &str, is_record: bool, mut beneath: Vec<String>, more: usize) -> Option<String> {
    if more > 0 {
        beneath.push(format!("{more} more"));
    }
    let mut text = format!("`{}` is defined", brief(tag));
    match (is_record, beneath.is_empty()) {
        (true, true) => text.push_str(" as a record"),
        (true, false) => text.push_str(" as a record and beneath "),
        (false, true) => return None,
        (false, false) => text.push_str(" beneath "),
    }
    Some(text + &listed(beneath.into_iter(), "and"))
}

/// The rank of the tag of a superstructure by how many files have it, the lowest first.
pub fn commonness(tag: &str) -> usize {
    COMMON.iter().position(|common| *common == tag).unwrap_or(COMMON.len())
}

/// Joins items as a sentence has them.
fn listed(items: impl Iterator<Item = String>, last: &str) -> String {
    let mut items: Vec<String> = items.collect();
    match (items.pop(), items.is_empty()) {
        (Some(only), true) => only,
        (Some(end), false) => format!("{} {last} {end}", items.join(", ")),
        (None, _) => String::new(),
    }
}

/// The characters of a tag that is not too long, in capitals.
struct Letters {
    all: [char; LONGEST],
    count: usize,
    /// A bit for each letter that it has; some letters share one.
    set: u32,
}

impl Letters {
    fn of(tag: &str) -> Option<Letters> {
        let mut letters = Letters { all: ['\0'; LONGEST], count: 0, set: 0 };
        for letter in tag.chars() {
            *letters.all.get_mut(letters.count)? = letter.to_ascii_uppercase();
            letters.count += 1;
            letters.set |= 1 << (u32::from(letter.to_ascii_uppercase()) % u32::BITS);
        }
        Some(letters)
    }

    fn as_slice(&self) -> &[char] {
        self.all.get(..self.count).unwrap_or_default()
    }

    /// The number of slips between two tags, if they are two at most: a letter that is missing, too many, or
    /// another one, or two neighbours that changed places. Of two slips, most letters must have stayed as
    /// they are: `NOTE` is no `NAME`.
    fn slips_to(&self, other: &Letters) -> Option<usize> {
        // Each letter that only one of the two has is a slip, or half of one that put it in another's place.
        let only = |one: &Letters, other: &Letters| (one.set & !other.set).count_ones();
        if self.count.abs_diff(other.count) > 2 || only(self, other).max(only(other, self)) > 2 {
            return None;
        }
        let (one, other) = (self.as_slice(), other.as_slice());
        let longer = one.len().max(other.len());
        match distance(one, other) {
            0 => Some(0),
            1 if longer > 2 => Some(1),
            2 if common(one, other) >= 3 => Some(2),
            _ => None,
        }
    }
}

/// A row of a table of pairs of prefixes.
type TableRow = [usize; LONGEST + 1];

/// The distance of Damerau and Levenshtein in which no letter is moved twice.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: TableRow = [0; LONGEST + 1];
    let mut above: TableRow = std::array::from_fn(|column| column);
    for (row, letter) in one.iter().enumerate() {
        let mut current: TableRow = [row + 1; LONGEST + 1];
        for (column, facing) in other.iter().enumerate() {
            let at = |row: &TableRow, column: usize| row.get(column).copied().unwrap_or(usize::MAX);
            let replaced = at(&above, column) + usize::from(letter != facing);
            let mut least = replaced.min(at(&above, column + 1) + 1).min(at(&current, column) + 1);
            let letter_before = row.checked_sub(1).and_then(|row| one.get(row));
            let facing_before = column.checked_sub(1).and_then(|column| other.get(column));
            if letter_before == Some(facing) && facing_before == Some(letter) {
                least = least.min(at(&before, column.saturating_sub(1)) + 1);
            }
            if let Some(entry) = current.get_mut(column + 1) {
                *entry = least;
            }
        }
        (before, above) = (above, current);
    }
    above.get(other.len()).copied().unwrap_or(usize::MAX)
}

/// The length of the longest sequence of letters that both have, in order.
fn common(one: &[char], other: &[char]) -> usize {
    let mut above: TableRow = [0; LONGEST + 1];
    for letter in one {
        let mut current: TableRow = [0; LONGEST + 1];
        for (column, facing) in other.iter().enumerate() {
            let at = |row: &TableRow, column: usize| row.get(column).copied().unwrap_or_default();
            let most = match letter == facing {
                true => at(&above, column) + 1,
                false => at(&above, column + 1).max(at(&current, column)),
            };
            if let Some(entry) = current.get_mut(column + 1) {
                *entry = most;
            }
        }
        above = current;
    }
    above.get(other.len()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips(one: &str, other: &str) -> Option<usize> {
        Letters::of(one)?.slips_to(&Letters::of(other)?)
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
