//! Converts languages between the names of GEDCOM 5.5.1 and the tags of GEDCOM 7.0 (MG08, MG09).

use crate::converted::Converted7;
use elf_values::{is_language_tag, language_name, language_tag};

const UNDETERMINED: &str = "und";

pub(crate) fn to_7(text: &str) -> Converted7<'_> {
    match language_tag(text.trim()) {
        Some(tag) => Converted7::exact(tag),
        // A longer word may look like a tag, but is the name of a language.
        None if is_language_tag(text) && is_code(text) => Converted7::exact(text),
        None => Converted7::unread(UNDETERMINED, text),
    }
}

/// Converts a language tag to GEDCOM 5.5.1: to its name if there is one.
pub(crate) fn to_551(tag: &str) -> String {
    language_name(tag).unwrap_or(tag).to_owned()
}

/// Returns whether a tag starts with a code of at most three letters; `x-` marks private tags.
fn is_code(tag: &str) -> bool {
    let first = tag.split('-').next().unwrap_or(tag);
    first.len() <= 3
}
