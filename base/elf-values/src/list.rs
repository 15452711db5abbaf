//! Lists of items: places from small to large, pieces of a name, kinds of events (GEDCOM 5.5.1 `PLACE_HIERARCHY`,
//! `NAME_PIECE`, `EVENTS_RECORDED`).

use crate::scan::{into_owned_text, is_space};
use std::borrow::Cow;

/// A payload whose items are separated by commas.
///
/// ```
/// use elf_values::List;
///
/// let place = List::new("Salem, , Massachusetts,USA");
/// assert_eq!(place.items().collect::<Vec<_>>(), ["Salem", "", "Massachusetts", "USA"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List<'t>(Cow<'t, str>);

impl<'t> List<'t> {
    /// Creates a list from a payload. Any text is valid.
    pub fn new(text: impl Into<Cow<'t, str>>) -> List<'t> {
        List(text.into())
    }

    /// Returns the payload.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the items of the list, as the function [`items`](items()) does.
    pub fn items(&self) -> impl Iterator<Item = &str> {
        items(&self.0)
    }

    /// Copies the text, so that the result borrows nothing.
    pub fn into_owned(self) -> List<'static> {
        List(into_owned_text(self.0))
    }
}

/// Splits a payload at its commas and returns the items, without whitespace at their ends. Empty items are included: an
/// empty item means that nothing is known for its position. A blank payload has no items.
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
