//! Parses a configuration. Each error contains its place in the text.

use crate::config::section::{Section, StandardChoice};
use crate::config::{ConfigError, ConfigPlace, FindingWord, parse_denied};
use elf_base::{Excerpt, Place, Rules};
use elf_lineage::{ThresholdError, Thresholds};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The maximum length of a pattern. The parser of patterns is recursive for braces, so long patterns could exhaust the
/// stack.
const LONGEST_GLOB: usize = 1000;

/// A configuration (`elf.toml`). A configuration has settings for all files, and settings for files that match a
/// pattern.
#[derive(Debug, Default)]
pub struct Config {
    base: Section,
    globs: GlobSet,
    /// The settings for each pattern, in the same order as `globs`.
    files: Vec<Section>,
}

impl Config {
    /// The maximum size of a configuration in bytes.
    pub const LONGEST: usize = 1 << 18;

    /// Parses a configuration. Error messages contain `name`, which is the name of its file.
    ///
    /// # Errors
    ///
    /// Returns the first error in the order of the lines: text that is not UTF-8 or not TOML, an unknown key or word,
    /// or a pattern that leads out of the folder.
    pub fn parse(name: &str, octets: &[u8]) -> Result<Config, ConfigError> {
        let text = match std::str::from_utf8(octets) {
            Ok(text) => text,
            Err(error) => {
                let good = octets.get(..error.valid_up_to()).unwrap_or_default();
                let fault =
                    ConfigFault { span: good.len()..good.len(), message: "it is not UTF-8".to_owned() };
                return Err(fault.into_error(name, &String::from_utf8_lossy(octets)));
            }
        };
        Config::parse_text(text).map_err(|fault| fault.into_error(name, text))
    }

    /// Returns the settings for a file. `relative_path` is its path from the folder of the configuration, with `/`
    /// between the parts. For a file in an archive, `relative_path` is the path of the archive, and `archive_member` is
    /// the name of the file inside the archive.
    pub fn section(&self, relative_path: Option<&str>, archive_member: Option<&str>) -> Section {
        let mut section = self.base.clone();
        let Some(relative_path) = relative_path else { return section };
        let mut matched = self.globs.matches(relative_path);
        if let Some(archive_member) = archive_member {
            matched.extend(self.globs.matches(format!("{relative_path}!{archive_member}")));
            matched.sort_unstable();
            matched.dedup();
        }
        for entry in matched.into_iter().filter_map(|index| self.files.get(index)) {
            section.override_with(entry);
        }
        section
    }

    fn parse_text(text: &str) -> Result<Config, ConfigFault> {
        let table = DeTable::parse(text).map_err(|error| ConfigFault {
            span: error.span().unwrap_or(text.len()..text.len()),
            message: error.message().to_owned(),
        })?;
        let mut faults = Vec::new();
        let mut file = Config::default();
        for (key, value) in table.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("check", DeValue::Table(table)) => file.read_check_table(table, &mut faults),
                ("check", _) => faults.push(wrong_type_fault(value, "a table")),
                _ => faults.push(unknown_key_fault(key.get_ref(), key.span(), "`check`")),
            }
        }
        // The parser sorts tables by key, so the errors are not in the order of the lines.
        faults.sort_by_key(|fault| fault.span.start);
        faults.into_iter().next().map_or(Ok(file), Err)
    }

    fn read_check_table(&mut self, table: &DeTable<'_>, faults: &mut Vec<ConfigFault>) {
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("files", DeValue::Array(entries)) => self.read_file_entries(entries.iter(), faults),
                ("files", _) => faults.push(wrong_type_fault(value, "an array of tables, `[[check.files]]`")),
                (name, _) => {
                    if !self.base.read_key(name, value, faults) {
                        let known = "`rules`, `select`, `ignore`, `deny`, `against`, `facts` or `files`";
                        faults.push(unknown_key_fault(name, key.span(), known));
                    }
                }
            }
        }
    }

    /// Reads the entries `[[check.files]]`.
    fn read_file_entries<'v, 'i: 'v>(
        &mut self,
        entries: impl Iterator<Item = &'v Spanned<DeValue<'i>>>,
        faults: &mut Vec<ConfigFault>,
    ) {
        let mut globs = GlobSetBuilder::new();
        let mut last = 0..0;
        for entry in entries {
            let DeValue::Table(table) = entry.get_ref() else {
                faults.push(wrong_type_fault(entry, "a table"));
                continue;
            };
            let (mut section, mut glob) = (Section::default(), None);
            for (key, value) in table {
                match (key.get_ref().as_ref(), value.get_ref()) {
                    ("glob", DeValue::String(text)) => glob = Some((text.as_ref(), value.span())),
                    ("glob", _) => {
                        faults.push(wrong_type_fault(value, "a string"));
                        glob = Some(("", value.span()));
                    }
                    (name, _) => {
                        if !section.read_key(name, value, faults) {
                            let known = "`glob`, `rules`, `select`, `ignore`, `deny`, `against` or `facts`";
                            faults.push(unknown_key_fault(name, key.span(), known));
                        }
                    }
                }
            }
            let Some((text, span)) = glob else {
                let message = "`glob` is missing: it selects the files of this entry".to_owned();
                faults.push(ConfigFault { span: entry.span(), message });
                continue;
            };
            match parse_glob(text) {
                Ok(glob) => {
                    globs.add(glob);
                    self.files.push(section);
                }
                Err(message) => faults.push(ConfigFault { span: span.clone(), message }),
            }
            last = span;
        }
        match globs.build() {
            Ok(globs) => self.globs = globs,
            Err(error) => faults.push(ConfigFault { span: last, message: error.kind().to_string() }),
        }
    }
}

impl Section {
    /// Reads a key that is allowed in `[check]` and in `[[check.files]]`. Returns false if `key` is not such a key.
    fn read_key(&mut self, key: &str, value: &Spanned<DeValue<'_>>, faults: &mut Vec<ConfigFault>) -> bool {
        match key {
            "rules" => {
                let names = Rules::PRESETS.map(|rules| rules.name);
                let rules = |name: &str| Rules::from_name(name).ok_or_else(|| expected_one_of(&names));
                self.rules = parse_word(value, rules, faults);
            }
            "against" => {
                self.against = parse_word(value, str::parse::<StandardChoice>, faults);
            }
            "facts" => self.read_thresholds(value, faults),
            "select" => self.select = Some(parse_words(value, str::parse, faults)),
            "ignore" => self.ignore = Some(parse_words(value, str::parse, faults)),
            "deny" => self.deny = Some(parse_words(value, parse_denied, faults)),
            _ => return false,
        }
        true
    }
}

impl Section {
    fn read_thresholds(&mut self, value: &Spanned<DeValue<'_>>, faults: &mut Vec<ConfigFault>) {
        let DeValue::Table(table) = value.get_ref() else {
            faults.push(wrong_type_fault(value, "a table, `[check.facts]`"));
            return;
        };
        for (name, value) in table {
            let number = match value.get_ref() {
                DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
                _ => None,
            };
            let Some(number) = number else {
                faults.push(wrong_type_fault(value, "a whole number"));
                continue;
            };
            match self.thresholds.set(name.get_ref(), number) {
                Ok(()) => {}
                Err(ThresholdError::Unknown { .. }) => {
                    let known: Vec<String> =
                        Thresholds::ALL.iter().map(|one| format!("`{}`", one.name)).collect();
                    faults.push(unknown_key_fault(
                        name.get_ref(),
                        name.span(),
                        &format!("one of {}", known.join(", ")),
                    ));
                }
                Err(error) => faults.push(ConfigFault { span: value.span(), message: error.to_string() }),
            }
        }
    }
}

fn parse_word<T>(
    value: &Spanned<DeValue<'_>>,
    read: impl Fn(&str) -> Result<T, String>,
    faults: &mut Vec<ConfigFault>,
) -> Option<T> {
    let DeValue::String(text) = value.get_ref() else {
        faults.push(wrong_type_fault(value, "a string"));
        return None;
    };
    read(text).map_err(|reason| faults.push(unknown_word_fault(text, value.span(), &reason))).ok()
}

/// Reads an array of strings, or a single string with commas between its words.
fn parse_words(
    value: &Spanned<DeValue<'_>>,
    read: impl Fn(&str) -> Result<FindingWord, String>,
    faults: &mut Vec<ConfigFault>,
) -> Vec<FindingWord> {
    let mut all = Vec::new();
    let one = std::slice::from_ref(value);
    let values: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
        DeValue::Array(values) => values.iter().collect(),
        _ => one.iter().collect(),
    };
    let expected = if values.first().is_some_and(|first| std::ptr::eq(*first, value)) {
        "an array of strings, or a string"
    } else {
        "a string"
    };
    for value in values {
        let DeValue::String(text) = value.get_ref() else {
            faults.push(wrong_type_fault(value, expected));
            continue;
        };
        for part in text.split(',').map(str::trim) {
            match read(part) {
                Ok(word) => all.push(word),
                Err(reason) => faults.push(unknown_word_fault(part, value.span(), &reason)),
            }
        }
    }
    all
}

fn parse_glob(text: &str) -> Result<globset::Glob, String> {
    if text.len() > LONGEST_GLOB {
        return Err(format!("the pattern is longer than {LONGEST_GLOB} bytes"));
    }
    if text.is_empty() || text.starts_with('/') || text.split('/').any(|step| matches!(step, "." | "..")) {
        return Err(
            "expected a pattern of paths relative to the folder of this file, such as `old/**/*.ged`, without `..` and without `/` at its start"
                .to_owned(),
        );
    }
    let glob = GlobBuilder::new(text).literal_separator(true).backslash_escape(true).build();
    glob.map_err(|error| error.kind().to_string())
}

#[derive(Debug)]
struct ConfigFault {
    span: Range<usize>,
    message: String,
}

impl ConfigFault {
    /// Converts the offset of the error to a line and a column.
    fn into_error(self, name: &str, text: &str) -> ConfigError {
        let ConfigFault { span, message } = self;
        let before = text.get(..span.start).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let in_line = before.len() - start;
        let end = (span.end - span.start).saturating_add(in_line).min(line.len());
        let columns =
            |octets: usize| line.char_indices().take_while(|(at, _)| *at < octets).count() as u64 + 1;
        let (column, end_column) = (columns(in_line), columns(end.max(in_line)));
        let number = before.matches('\n').count() as u64 + 1;
        let place = Place::new(before.len() as u64, number, column, end_column);
        let excerpt = Excerpt::around(line, in_line.min(line.len()), column);
        ConfigError {
            file: name.to_owned(),
            message,
            place: Some(ConfigPlace { place, excerpt }),
            help: None,
        }
    }
}

fn unknown_key_fault(key: &str, span: Range<usize>, known: &str) -> ConfigFault {
    ConfigFault { span, message: format!("unknown key `{key}`; expected {known}") }
}

fn unknown_word_fault(word: &str, span: Range<usize>, reason: &str) -> ConfigFault {
    ConfigFault { span, message: format!("unknown word `{word}`: {reason}") }
}

fn wrong_type_fault(value: &Spanned<DeValue<'_>>, expected: &str) -> ConfigFault {
    let found = value.get_ref().type_str();
    ConfigFault {
        span: value.span(),
        message: format!("expected {expected}, but found a value of type {found}"),
    }
}

fn expected_one_of(names: &[&str]) -> String {
    format!("expected one of {}", names.join(", "))
}
