//! Languages: the names of GEDCOM 5.5.1 and the tags of GEDCOM 7.0 (MG08, MG09).

use crate::values::Said;
use elf_values::{is_language_tag, language_name, language_tag};

/// The tag of a language that has none.
const UNDETERMINED: &str = "und";

/// Says a language as GEDCOM 7.0 does.
pub(crate) fn to_7(text: &str) -> Said {
    match language_tag(text.trim()) {
        Some(tag) => Said::plain(tag),
        // A word of a few letters may look like a tag, and is the name of a language rather than its
        // code.
        None if is_language_tag(text) && is_code(text) => Said::plain(text),
        None => Said::unread(UNDETERMINED, text),
    }
}

/// Says a language as GEDCOM 5.5.1 does, by its name where it has one there.
pub(crate) fn to_551(tag: &str) -> String {
    language_name(tag).unwrap_or(tag).to_owned()
}

/// Tells whether a tag starts with a code of two or three letters, or says itself that it is private.
fn is_code(tag: &str) -> bool {
    let first = tag.split('-').next().unwrap_or(tag);
    first.len() <= 3
}
