//! Prints findings as GitHub workflow commands. GitHub shows them at the changed lines.

use super::at::{At, with_slashes};
use crate::sanitise;
use elf_base::{Class, Diagnostic};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a finding as one command.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic, at: &At<'_>) -> io::Result<()> {
    let Diagnostic { class, code, message, place, help, .. } = finding;
    let mut command =
        format!("::{} file={}", annotation_level(*class), escape_text(&with_slashes(file), true));
    if let Some(place) = place {
        // Writing to a string cannot fail.
        let _ = write!(command, ",line={},col={}", place.line, place.column);
        if place.end_column > place.column {
            let _ = write!(command, ",endColumn={}", place.end_column);
        }
    }
    let mut text = sanitise(message).into_owned();
    if let Some(words) = &at.words {
        text = format!("{text}\nin {}", sanitise(words));
    }
    if let Some(help) = help {
        text = format!("{text}\nhelp: {}", sanitise(help));
    }
    let title = format!("{} {}", code.id(), code.name());
    writeln!(out, "{command},title={}::{}", escape_text(&title, true), escape_text(&text, false))
}

/// The level of an annotation.
const fn annotation_level(class: Class) -> &'static str {
    match class {
        Class::Malformed | Class::NonConformant => "error",
        Class::Deprecated => "warning",
        Class::Advice | Class::Question => "notice",
    }
}

/// Returns a file name that can start a line without being read as a command. A command starts with
/// `::`, possibly after whitespace, or contains `##[` anywhere.
pub(super) fn disarm_file_name(name: &str) -> String {
    let name = name.replace("##[", "## [");
    if name.trim_start().starts_with("::") { format!("./{name}") } else { name }
}

/// Escapes a text so that it cannot end the command or, if it is a property, the property.
fn escape_text(text: &str, is_property: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            ':' if is_property => escaped.push_str("%3A"),
            ',' if is_property => escaped.push_str("%2C"),
            _ => escaped.push(c),
        }
    }
    escaped
}
