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
        CheckTable::Array { range } => {
            let inner = text.get(range.clone())?.strip_suffix(']')?;
            let words = inner.trim_end();
            let separator = match words.chars().last() {
                Some('[') => "",
                Some(',') => " ",
                _ => ", ",
            };
            let at = range.start + words.len();
            ConfigEdit { range: at..at, with: format!("{separator}\"{name}\"") }
        }
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
            if line.trim() == "[check]" && line.ends_with('\n') {
                return Some(CheckTable::WithoutIgnore { after_header });
            }
        }
        return Some(CheckTable::Missing);
    };
    let range = ignore.span();
    match ignore.get_ref() {
        DeValue::Array(_) => Some(CheckTable::Array { range }),
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
                Some("[check]\nignore = [\n  \"E01\", \"level-too-deep\"\n]\n"),
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
