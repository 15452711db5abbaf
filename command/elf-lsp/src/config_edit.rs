//! Adds a code to `ignore` in `elf.toml` and leaves the rest of the file unchanged.

use elf_base::Code;
use elf_check::config::Config;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A change of an `elf.toml`: new text replaces a range of offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConfigEdit {
    pub(crate) range: Range<usize>,
    pub(crate) with: String,
}

/// Returns the edit that makes a configuration ignore a code. Returns `None` if the code is ignored
/// already, or if this function does not understand the form of the configuration.
pub(crate) fn edit_to_ignore(text: &str, code: Code) -> Option<ConfigEdit> {
    let name = code.name();
    let edit = match find_check_table(text)? {
        CheckTable::Missing => ConfigEdit { range: 0..0, with: format_section(name, text.is_empty()) },
        CheckTable::WithoutIgnore { after_header } => {
            ConfigEdit { range: after_header..after_header, with: format!("ignore = [\"{name}\"]\n") }
        }
        CheckTable::Array { range, last } => edit_of_array(text, range, last, name)?,
        CheckTable::Word { range } => {
            let words = text.get(range.clone())?;
            ConfigEdit { with: format!("[{words}, \"{name}\"]"), range }
        }
    };
    let edited = edit.applied_to(text);
    let before = Config::parse("elf.toml", text.as_bytes()).ok()?.section(None, None).ignore;
    let after = Config::parse("elf.toml", edited.as_bytes()).ok()?.section(None, None).ignore;
    (before != after).then_some(edit)
}

/// Returns the edit that adds a word to the end of an array. Comments stay behind the words that they are about. In an
/// array over several lines, the new word gets its own line.
///
/// `array` are the offsets of the array, and `last` those of its last word, if it has words.
fn edit_of_array(
    text: &str,
    array: Range<usize>,
    last: Option<Range<usize>>,
    name: &str,
) -> Option<ConfigEdit> {
    let start = last.as_ref().map_or(array.start + 1, |last| last.end);
    let range = start..array.end.checked_sub(1)?;
    // It contains only spaces, comments and at most one comma.
    let rest = text.get(range.clone())?;
    let has_comma = rest.lines().any(|line| line.split('#').next().is_some_and(|code| code.contains(',')));
    let separator = if last.is_none() || has_comma { "" } else { "," };
    let body = rest.trim_end();
    let tail = &rest[body.len()..];
    let with = if rest.contains('\n') {
        let line_break = if rest.contains("\r\n") { "\r\n" } else { "\n" };
        let comma = if last.is_none() || has_comma { "," } else { "" };
        let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
        // The last word, or the last comment in an array without words.
        let at = line_start(last.map_or(start + body.len(), |last| last.start));
        let line = text[at..].trim_start_matches([' ', '\t']);
        let indent = if at > array.start { &text[at..text.len() - line.len()] } else { "  " };
        format!("{separator}{body}{line_break}{indent}\"{name}\"{comma}{tail}")
    } else {
        let space = if last.is_some() { " " } else { "" };
        format!("{separator}{body}{space}\"{name}\"{tail}")
    };
    Some(ConfigEdit { range, with })
}

/// Returns the text of a new configuration that ignores a code.
pub(crate) fn new_config(code: Code) -> String {
    format_section(code.name(), true)
}

fn format_section(name: &str, is_last: bool) -> String {
    let end = if is_last { "" } else { "\n" };
    format!("[check]\nignore = [\"{name}\"]\n{end}")
}

impl ConfigEdit {
    fn applied_to(&self, text: &str) -> String {
        let mut edited = text.to_owned();
        edited.replace_range(self.range.clone(), &self.with);
        edited
    }
}

/// The table `check` of a configuration.
enum CheckTable {
    Missing,
    WithoutIgnore {
        /// The offset of the line after `[check]`.
        after_header: usize,
    },
    Array {
        range: Range<usize>,
        /// The last word of the array.
        last: Option<Range<usize>>,
    },
    Word {
        range: Range<usize>,
    },
}

fn find_check_table(text: &str) -> Option<CheckTable> {
    let table = DeTable::parse(text).ok()?;
    let check = table.get_ref().iter().find(|(key, _)| key.get_ref() == "check").map(|(_, value)| value);
    let Some(DeValue::Table(check)) = check.map(toml::Spanned::get_ref) else {
        return check.is_none().then_some(CheckTable::Missing);
    };
    let ignore = check.iter().find(|(key, _)| key.get_ref() == "ignore").map(|(_, value)| value);
    let Some(ignore) = ignore else {
        // `[[check.files]]` creates the table without a header of its own.
        let mut after_header = 0;
        for line in text.split_inclusive('\n') {
            after_header += line.len();
            let header = line.split('#').next().unwrap_or_default();
            if header.trim() == "[check]" && line.ends_with('\n') {
                return Some(CheckTable::WithoutIgnore { after_header });
            }
        }
        return Some(CheckTable::Missing);
    };
    let range = ignore.span();
    match ignore.get_ref() {
        DeValue::Array(words) => {
            Some(CheckTable::Array { range, last: words.iter().last().map(toml::Spanned::span) })
        }
        DeValue::String(_) => Some(CheckTable::Word { range }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::codes;

    #[test]
    fn a_code_is_added_to_what_is_ignored() {
        for (before, after) in [
            ("", Some("[check]\nignore = [\"level-too-deep\"]\n")),
            (
                "[check]\nrules = \"wild\"\n",
                Some("[check]\nignore = [\"level-too-deep\"]\nrules = \"wild\"\n"),
            ),
            ("[check]\nignore = [] # none\n", Some("[check]\nignore = [\"level-too-deep\"] # none\n")),
            (
                "[check]\nignore = [\n  \"E01\",\n]\n",
                Some("[check]\nignore = [\n  \"E01\",\n  \"level-too-deep\",\n]\n"),
            ),
            (
                "[check] # ours\nignore = [ # two\n    # old\n    'E01', # why, [x]\n    \"E02\"  # last, too\n    # end\n  ]\n",
                Some(
                    "[check] # ours\nignore = [ # two\n    # old\n    'E01', # why, [x]\n    \"E02\",  # last, too\n    # end\n    \
                     \"level-too-deep\"\n  ]\n",
                ),
            ),
            (
                "[check]\r\nignore = [\"E01\", # why\r\n]\r\n",
                Some("[check]\r\nignore = [\"E01\", # why\r\n  \"level-too-deep\",\r\n]\r\n"),
            ),
            (
                "[check]\nignore = [\n\t# none yet\n]\n",
                Some("[check]\nignore = [\n\t# none yet\n\t\"level-too-deep\",\n]\n"),
            ),
            ("[check]\nignore = [\n]\n", Some("[check]\nignore = [\n  \"level-too-deep\",\n]\n")),
            ("[check]\nignore = [\"E01\", ]\n", Some("[check]\nignore = [\"E01\", \"level-too-deep\" ]\n")),
            (
                "check = { ignore = [\"E01\",\n \"E02\"] }\n",
                Some("check = { ignore = [\"E01\",\n \"E02\", \"level-too-deep\"] }\n"),
            ),
            (
                "[check] # ours\nrules = \"wild\"\n",
                Some("[check] # ours\nignore = [\"level-too-deep\"]\nrules = \"wild\"\n"),
            ),
            ("[check]\nignore = ['E01' ]\n", Some("[check]\nignore = ['E01', \"level-too-deep\" ]\n")),
            ("[check]\nignore = \"E01\"\n", Some("[check]\nignore = [\"E01\", \"level-too-deep\"]\n")),
            (
                "[[check.files]]\nglob = \"*.ged\"\n",
                Some("[check]\nignore = [\"level-too-deep\"]\n\n[[check.files]]\nglob = \"*.ged\"\n"),
            ),
            ("[check]\nignore = [\"level-too-deep\"]\nwrong", None),
            ("check = 1", None),
        ] {
            let edited = edit_to_ignore(before, codes::LEVEL_TOO_DEEP).map(|edit| edit.applied_to(before));
            assert_eq!(edited.as_deref(), after, "{before}");
        }
    }
}
