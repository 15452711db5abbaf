//! Shortens text of a file for messages.

use elf_base::Excerpt;
use std::borrow::Cow;

pub(crate) fn shorten_text(text: &str) -> Cow<'_, str> {
    Excerpt::start(text, 100)
}
