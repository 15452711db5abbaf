//! Records as lines: those of GEDCOM 7.0, and those that the reader of GEDCOM 5.5.1 takes.

use crate::identifiers::Renamed;
use crate::record::{Record, Structure, Value};
use elf_tagged::elf_lines::VOID;

/// The lines of a file that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    pub(crate) line_break: &'static str,
    pub(crate) grammar: LineGrammar,
}

/// The standard whose lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineGrammar {
    Gedcom7,
    /// Lines of any length, in UTF-8.
    Gedcom551,
}

impl Lines {
    /// Writes a line with a payload as it stands in the file.
    pub(crate) fn line(self, out: &mut Vec<u8>, level: usize, tag: &str, payload: &str) {
        let blank = if payload.is_empty() { "" } else { " " };
        out.extend_from_slice(format!("{level} {tag}{blank}{payload}{}", self.line_break).as_bytes());
    }

    /// Writes a record. Returns the number of lines.
    pub(crate) fn record(self, out: &mut Vec<u8>, record: &Record<'_>) -> u64 {
        let mut lines = 0;
        record.walk(|level, structure| {
            lines += self.structure(out, level, structure);
        });
        lines
    }

    fn structure(self, out: &mut Vec<u8>, level: usize, of: &Structure<'_>) -> u64 {
        let may_bear = level == 0 || self.grammar == LineGrammar::Gedcom551;
        let xref = of.xref.as_deref().filter(|_| may_bear);
        let head = match xref {
            Some(xref) => format!("{level} @{xref}@ {}", of.tag),
            None => format!("{level} {}", of.tag),
        };
        out.extend_from_slice(head.as_bytes());
        let mut lines = 1;
        match &of.payload {
            Value::None => {}
            Value::Pointer(xref) => out.extend_from_slice(format!(" @{xref}@").as_bytes()),
            Value::Void => out.extend_from_slice(format!(" @{VOID}@").as_bytes()),
            Value::Made(made) => out.extend_from_slice(format!(" @{made}@").as_bytes()),
            Value::Text(text) => {
                for (at, line) in text.split('\n').enumerate() {
                    if at > 0 {
                        lines += 1;
                        out.extend_from_slice(self.line_break.as_bytes());
                        out.extend_from_slice(format!("{} CONT", level + 1).as_bytes());
                    }
                    if !line.is_empty() {
                        out.push(b' ');
                        self.text(out, line, &of.tag);
                    }
                }
            }
        }
        out.extend_from_slice(self.line_break.as_bytes());
        lines
    }

    /// Writes the text of a line.
    fn text(self, out: &mut Vec<u8>, line: &str, tag: &str) {
        match self.grammar {
            LineGrammar::Gedcom7 => {
                if line.starts_with('@') {
                    out.push(b'@');
                }
                out.extend_from_slice(line.as_bytes());
            }
            LineGrammar::Gedcom551 => {
                let mut rest = line;
                while let Some((before, behind)) = rest.split_once('@') {
                    out.extend_from_slice(before.as_bytes());
                    let escape =
                        behind.split_once('@').filter(|(name, _)| tag == "DATE" && is_calendar(name));
                    match escape {
                        Some((name, after)) => {
                            out.extend_from_slice(format!("@{name}@").as_bytes());
                            rest = after;
                        }
                        None => {
                            out.extend_from_slice(b"@@");
                            rest = behind;
                        }
                    }
                }
                out.extend_from_slice(rest.as_bytes());
            }
        }
    }
}

/// Tells whether it is what a calendar escape has between its at signs.
fn is_calendar(name: &str) -> bool {
    let name = name.strip_prefix("#D").unwrap_or_default();
    let is_letter =
        |octet: u8| octet.is_ascii_uppercase() || octet.is_ascii_digit() || b" _".contains(&octet);
    !name.is_empty() && name.bytes().all(is_letter)
}

/// Gives pointers the names of the records that they lead to, and makes those that lead nowhere, or to one
/// of several structures, pointers to nothing; returns why.
pub(crate) fn point_somewhere(record: &mut Record<'_>, renamed: &Renamed) -> Vec<(usize, String)> {
    let mut lost = Vec::new();
    for id in record.order() {
        let Value::Pointer(xref) = &record.get(id).payload else { continue };
        let why = match (renamed.is_ambiguous(xref), renamed.is_borne(xref)) {
            (true, _) => Some("which several structures bear, becomes one to nothing"),
            (false, false) => Some("which is no record, becomes one to nothing"),
            (false, true) => None,
        };
        let made = if let Some(why) = why {
            lost.push((id, format!("the pointer to `{xref}`, {why}")));
            Value::Void
        } else {
            let Some(name) = renamed.new_name(xref) else { continue };
            Value::Pointer(name.to_owned().into())
        };
        record.get_mut(id).payload = made;
    }
    lost
}
