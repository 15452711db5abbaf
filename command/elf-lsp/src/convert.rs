//! Implements the command that changes a buffer to UTF-8. The buffer gets the text that the bytes
//! on disk mean, and a CHAR that names UTF-8.

use crate::client::Client;
use crate::diagnostics::HeaderLine;
use crate::disk;
use crate::document::OpenDocument;
use crate::edits::smallest_edit;
use crate::encoding::decode_file;
use crate::error::RequestError;
use crate::text::Text;
use elf_tagged::Encoding;
use gen_lsp_types::WorkspaceEdit;

/// The name of the encoding in CHAR.
const UTF_8: &str = "UTF-8";

/// Returns the edit of a buffer after which it can be saved as UTF-8.
///
/// If the editor guessed the wrong encoding and shows wrong characters, the whole text is replaced
/// by the text that the bytes on disk mean. Otherwise only CHAR changes.
pub(crate) fn to_utf_8(document: &OpenDocument, client: Client) -> Result<WorkspaceEdit, RequestError> {
    let text = correct_text(document)?;
    let new = with_char(&text);
    let whole = 0..document.text.content().len();
    let mut positions = document.text.positions(client.unit);
    let edit = smallest_edit(&mut positions, &document.text, whole, &new);
    Ok(client.edit_of(document, edit.into_iter().collect()))
}

/// Returns the correct text of a buffer, before CHAR is changed.
fn correct_text(document: &OpenDocument) -> Result<String, RequestError> {
    let shown = document.text.content();
    let bytes = document.path.as_deref().and_then(disk::bytes_of);
    let Some(bytes) = bytes else { return Ok(shown.to_owned()) };
    let rules = document.settings.settings.rules;
    let is_unicode = document
        .disk
        .as_ref()
        .is_some_and(|disk| disk.decision.used == Encoding::Utf8 || disk.decision.used.is_utf16());
    let right =
        decode_file(&bytes, rules).ok_or_else(|| RequestError::failed("the file is longer than 4 GiB"))?;
    let without_mark = shown.trim_start_matches('\u{FEFF}');
    if is_unicode || bytes.is_ascii() || have_same_lines(&right, without_mark) {
        return Ok(shown.to_owned());
    }
    if have_same_lines(&String::from_utf8_lossy(&bytes), without_mark) {
        return Ok(right);
    }
    // The editor decoded the file correctly, and the user has changed the text since.
    if !shown.contains('\u{FFFD}') {
        return Ok(shown.to_owned());
    }
    Err(RequestError::failed(
        "the editor shows characters that it cannot decode, and the text has been changed; undo the changes first",
    ))
}

/// Returns whether two texts are equal apart from their line endings.
fn have_same_lines(one: &str, other: &str) -> bool {
    one.lines().eq(other.lines())
}

/// Returns the text with `CHAR UTF-8` in its header.
fn with_char(content: &str) -> String {
    let text = Text::new(content.to_owned());
    let mut new = content.to_owned();
    match HeaderLine::find_char_line(&text) {
        Some(line) => {
            let version = text.line(line.line + 1).trim_start().starts_with("2 VERS");
            if version {
                new.replace_range(text.line_start(line.line + 1)..text.line_start(line.line + 2), "");
            }
            let space = if text.line(line.line).trim_end().ends_with("CHAR") { " " } else { "" };
            new.replace_range(line.range, &format!("{space}{UTF_8}"));
        }
        None if text.line(0).trim_start_matches('\u{FEFF}').trim() == "0 HEAD" => {
            let line_break = &content[text.line_range(0).end..text.line_start(1)];
            let line_break = if line_break.is_empty() { "\n" } else { line_break };
            new.insert_str(text.line_range(0).end, &format!("{line_break}1 CHAR {UTF_8}"));
        }
        None => {}
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn char_says_utf_8() {
        for (before, after) in [
            (
                "0 HEAD\r\n1 CHAR ANSEL\r\n2 VERS ANSI Z39.47\r\n1 SOUR X\r\n",
                "0 HEAD\r\n1 CHAR UTF-8\r\n1 SOUR X\r\n",
            ),
            ("0 HEAD\n1 CHAR\n0 TRLR\n", "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n"),
            ("0 HEAD\r0 TRLR\r", "0 HEAD\r1 CHAR UTF-8\r0 TRLR\r"),
            ("0 HEAD", "0 HEAD\n1 CHAR UTF-8"),
            (
                "0 HEAD\n1 CHARACTER x\n0 @I1@ INDI\n1 CHAR ANSEL\n",
                "0 HEAD\n1 CHAR UTF-8\n1 CHARACTER x\n0 @I1@ INDI\n1 CHAR ANSEL\n",
            ),
            ("nothing", "nothing"),
        ] {
            assert_eq!(with_char(before), after);
        }
    }
}
