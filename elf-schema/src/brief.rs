//! Text of a file as messages quote it.

use elf_base::Excerpt;
use std::borrow::Cow;

/// Text of a file for a message, cut if it is long.
pub(crate) fn brief(text: &str) -> Cow<'_, str> {
    Excerpt::start(text, 100)
}
