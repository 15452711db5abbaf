//! Implements the command that changes a buffer to UTF-8. The buffer gets the text that the bytes
//! on disk mean, and a CHAR that names UTF-8.

use crate::diagnostics::HeaderLine;
use crate::disk;
use crate::document::OpenDocument;
use crate::edits::smallest_edit;
use crate::encoding::{WrongText, decode_file, has_replacement, have_same_ascii};
use crate::error::RequestError;
use crate::text::{ColumnUnit, Text};
use gen_lsp_types::TextEdit;
use std::collections::HashMap;

/// The name of the encoding in CHAR.
const UTF_8: &str = "UTF-8";

/// Returns the edits of a buffer after which it can be saved as UTF-8. There are none if its text needs no change.
///
/// If the editor shows wrong characters, each line that the user has not changed is
/// replaced by what the bytes on disk mean. Otherwise only CHAR changes.
pub(crate) fn edits_to_utf_8(
    document: &OpenDocument,
    unit: ColumnUnit,
) -> Result<Vec<TextEdit>, RequestError> {
    // GEDCOM 7 has no CHAR.
    let adds_char =
        document.snapshot().is_none_or(|snapshot| !snapshot.typed.document().header().says_gedcom_7());
    let new = with_char(&correct_text(document)?, adds_char);
    let whole = 0..document.text.content().len();
    let mut positions = document.text.positions(unit);
    let edit = smallest_edit(&mut positions, &document.text, whole, &new);
    Ok(edit.into_iter().collect())
}

/// Returns the correct text of a buffer, before CHAR is changed.
fn correct_text(document: &OpenDocument) -> Result<String, RequestError> {
    let Some(wrong) = document.wrong_text() else { return Ok(document.text.content().to_owned()) };
    if !wrong.can_be_restored() {
        return Err(wrong.refusal());
    }
    let bytes = document.path.as_deref().and_then(disk::bytes_of);
    let bytes = bytes.ok_or_else(|| RequestError::failed("the file cannot be read"))?;
    let correct = decode_file(&bytes, document.settings.settings.rules);
    let correct = correct.ok_or_else(|| RequestError::failed("the file is longer than 4 GiB"))?;
    // The editor may have decoded the open file again.
    let opened = match wrong {
        WrongText::OtherEncoding(_) => {
            document.disk.as_ref().and_then(|disk| disk.misreading.as_ref()).map(|one| &one.opened)
        }
        WrongText::ReplacedBytes(_) => Some(&document.opened).filter(|opened| has_replacement(opened)),
    };
    let opened = opened.unwrap_or(&document.text);
    restore_lines(&Text::new(correct), opened, &document.text)
}

/// Returns the text `shown` with the lines of `correct` for those that are as the editor opened them. Lines that the
/// user has changed or added stay.
///
/// Fails if a line was changed that still has wrong characters, because nobody knows what belongs there.
fn restore_lines(correct: &Text, opened: &Text, shown: &Text) -> Result<String, RequestError> {
    const DIFFERS: &str = "the text in the editor differs from the file on disk: undo all changes, or revert the file, \
        and then do this again";
    if correct.line_count() != opened.line_count() {
        return Err(RequestError::failed(DIFFERS));
    }
    // Lines at both ends that are as they were. What is between them was moved, changed or added.
    let shorter = shown.line_count().min(opened.line_count());
    let from_end = |text: &Text, at: usize| text.line_count() - 1 - at;
    let start = (0..shorter).take_while(|at| shown.line(*at) == opened.line(*at)).count();
    let is_same = |at: &usize| shown.line(from_end(shown, *at)) == opened.line(from_end(opened, *at));
    let end = (0..shorter - start).take_while(is_same).count();
    let changed = start..shown.line_count() - end;
    // The correct form of a line between them, by the form that the editor opened. `None` if there are several.
    let mut meant: HashMap<&str, Option<&str>> = HashMap::new();
    for at in start..opened.line_count() - end {
        let correct = correct.line(at);
        meant
            .entry(opened.line(at))
            .and_modify(|one| *one = one.filter(|one| *one == correct))
            .or_insert(Some(correct));
    }
    // Wrong decoding as UTF-8 leaves U+FFFD. Other wrong decoding cannot be told from letters that the user typed.
    let has_traces = has_replacement(opened);
    let is_fine = |line: &str| line.is_ascii() || has_traces && !line.contains(char::REPLACEMENT_CHARACTER);
    let mut restored = String::with_capacity(shown.content().len());
    for at in 0..shown.line_count() {
        let line = shown.line(at);
        let meant = if at < changed.start {
            Some(correct.line(at))
        } else if at >= changed.end {
            Some(correct.line(from_end(correct, from_end(shown, at))))
        } else {
            meant.get(line).copied().flatten()
        };
        // The user may have changed a line before the server saw it, so even an unchanged line may not fit.
        let line = match meant.filter(|meant| have_same_ascii(meant, line)) {
            Some(meant) => meant,
            None if is_fine(line) => line,
            None => {
                return Err(RequestError::failed(format!(
                    "line {} was changed, and some of its letters are wrong: undo this change, and then do this again",
                    at + 1
                )));
            }
        };
        restored.push_str(line);
        restored.push_str(&shown.content()[shown.line_range(at).end..shown.line_start(at + 1)]);
    }
    Ok(restored)
}

/// Returns the text with `CHAR UTF-8` in its header. CHAR is added only if `adds_char`.
fn with_char(content: &str, adds_char: bool) -> String {
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
        None if adds_char && text.line(0).trim_start_matches('\u{FEFF}').trim() == "0 HEAD" => {
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
            assert_eq!(with_char(before, true), after);
        }
        assert_eq!(with_char("0 HEAD\n0 TRLR\n", false), "0 HEAD\n0 TRLR\n");
    }
}
