//! Lists: places from small to large, pieces of a name, kinds of events (GEDCOM 5.5.1 `PLACE_HIERARCHY`,
//! `NAME_PIECE`, `EVENTS_RECORDED`).

use crate::scan::is_space;

/// The items of a payload that separates them by commas, without whitespace at their ends. An empty item
/// means that nothing is known at its place, so it counts; a payload of whitespace has no items.
///
/// ```
/// let places: Vec<&str> = elf_values::items("Salem, , Massachusetts,USA").collect();
/// assert_eq!(places, ["Salem", "", "Massachusetts", "USA"]);
/// assert_eq!(elf_values::items(" ").count(), 0);
/// ```
pub fn items(text: &str) -> impl Iterator<Item = &str> {
    let is_empty = text.chars().all(is_space);
    text.split(',').map(|item| item.trim_matches(is_space)).filter(move |_| !is_empty)
}
