//! Decides which escapes of a document are preserved, and replaces escapes before the text is split into lines.
//! Re-exports [`elf_lines::escape`], which parses escapes.

mod table;

pub use elf_lines::escape::{
    EscapeTypes, Token, Tokens, have_same_calendars, is_payload_line_of_2017, push_characters, push_meaning,
    tokens, unescape, unicode_characters,
};
pub use table::{
    DEFAULT_SCHEMA, EscapeDefinitionFault, EscapeSource, EscapeTable, ExternalEscapes, names_default_schema,
    read_definition,
};

use elf_base::rules::Escape;
use elf_octets::Step;

/// Replaces the Unicode escapes in a text before it is split into lines, as the drafts of 2017 require. Returns the new
/// text and the ends of the replacements. Returns `None` if the text has no escapes.
///
/// Doubled at signs have no meaning here: `@@#U41@@` becomes `@A@` (O17 §7.2).
pub fn replace_in_stream(text: &str) -> Option<(String, Vec<Step>)> {
    let mut out = String::new();
    let mut replacements = Vec::new();
    // The end of the previous escape. An escape is ASCII, so this is a character boundary.
    let mut copied = 0;
    for at in memchr::memmem::find_iter(text.as_bytes(), "@#U") {
        if at < copied {
            continue;
        }
        let rest = &text[at..];
        // The search ends at the first character that is not a digit, so no byte is examined twice.
        let digits = rest.bytes().skip(3).take_while(u8::is_ascii_hexdigit).count();
        let mut length = 3 + digits;
        if rest.as_bytes().get(length) != Some(&b'@') {
            continue;
        }
        length += 1;
        let found = rest.get(..length).and_then(|raw| unicode_characters(raw, Escape::Untyped));
        let Some(found) = found else { continue };
        if rest.as_bytes().get(length) == Some(&b' ') {
            length += 1;
        }
        out.push_str(&text[copied..at]);
        out.push_str(&found);
        copied = at + length;
        replacements.push(Step { new_end: out.len(), old_end: copied });
    }
    if replacements.is_empty() {
        return None;
    }
    out.push_str(&text[copied..]);
    Some((out, replacements))
}
