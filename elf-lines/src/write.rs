//! Writes lines as line strings.

use crate::line::Payload;

/// Appends a line string to `out`. The line string has one space between its parts and no leading zeros, and nothing
/// follows the tag if the payload is absent or empty (D19 *Serialising lines*).
///
/// The function does not check the parts. The caller makes sure that they are valid.
///
/// ```
/// use elf_lines::{Payload, write};
///
/// let mut out = String::new();
/// write(&mut out, 0, Some("I1"), "INDI", None);
/// out.push('\n');
/// write(&mut out, 1, None, "FAMC", Some(Payload::Pointer("F1")));
/// assert_eq!(out, "0 @I1@ INDI\n1 FAMC @F1@");
/// ```
pub fn write(out: &mut String, level: u32, xref: Option<&str>, tag: &str, payload: Option<Payload<'_>>) {
    push_level(out, level);
    out.push(' ');
    if let Some(xref) = xref {
        out.push('@');
        out.push_str(xref);
        out.push_str("@ ");
    }
    out.push_str(tag);
    match payload {
        None | Some(Payload::Text("")) => {}
        Some(Payload::Text(text)) => {
            out.push(' ');
            out.push_str(text);
        }
        Some(Payload::Pointer(id)) => {
            out.push_str(" @");
            out.push_str(id);
            out.push('@');
        }
    }
}

fn push_level(out: &mut String, level: u32) {
    if level >= 10 {
        push_level(out, level / 10);
    }
    out.push(char::from(b'0' + (level % 10).to_le_bytes()[0]));
}
