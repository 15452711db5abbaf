//! Writes records as lines of GEDCOM 7.0 or 5.5.1 (MG12, MG13, MG14).

use crate::identifiers::Renamed;
use crate::record::{Record, Structure, Value};
use crate::remarks::Remark;
use elf_base::codes;
use elf_tagged::Node;
use elf_tagged::elf_lines::VOID;

#[derive(Clone, Copy, Debug)]
pub(crate) struct LineWriter {
    pub(crate) line_break: &'static str,
    pub(crate) grammar: LineGrammar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineGrammar {
    Gedcom70,
    /// Lines of any length, in UTF-8.
    Gedcom551,
}

impl LineWriter {
    pub(crate) fn write_line(self, out: &mut Vec<u8>, level: usize, tag: &str, payload: &str) {
        let space = if payload.is_empty() { "" } else { " " };
        out.extend_from_slice(format!("{level} {tag}{space}{payload}{}", self.line_break).as_bytes());
    }

    /// Writes a record. Returns the number of lines.
    pub(crate) fn write_record(self, out: &mut Vec<u8>, record: &Record<'_>) -> u64 {
        let mut lines = 0;
        record.visit_all(|level, structure| {
            lines += self.write_structure(out, level, structure);
        });
        lines
    }

    /// Writes a record of a document that needs no conversion, and returns the number of lines. Returns `None` and
    /// writes nothing if one of its identifiers has to change.
    pub(crate) fn copy_record(self, out: &mut Vec<u8>, record: Node<'_>, renamed: &Renamed) -> Option<u64> {
        let start = out.len();
        let (mut lines, mut open, mut next) = (0, Vec::new(), Some(record));
        loop {
            if let Some(node) = next {
                let structure = Structure::of(node);
                let is_kept = match (&structure.xref, &structure.payload) {
                    (Some(_), _) if !open.is_empty() => false,
                    (Some(xref), _) if !renamed.is_kept(xref) => false,
                    (_, Value::Pointer(xref)) => renamed.is_kept(xref),
                    _ => true,
                };
                if !is_kept {
                    out.truncate(start);
                    return None;
                }
                lines += self.write_structure(out, open.len(), &structure);
                open.push(node.substructures());
            }
            let Some(substructures) = open.last_mut() else { return Some(lines) };
            next = substructures.next();
            if next.is_none() {
                open.pop();
            }
        }
    }

    fn write_structure(self, out: &mut Vec<u8>, level: usize, of: &Structure<'_>) -> u64 {
        // In GEDCOM 7.0, only records have identifiers.
        let allows_xref = level == 0 || self.grammar == LineGrammar::Gedcom551;
        write_level(out, level);
        if let Some(xref) = of.xref.as_deref().filter(|_| allows_xref) {
            write_pointer(out, xref);
        }
        out.push(b' ');
        out.extend_from_slice(of.tag.as_bytes());
        let lines = match &of.payload {
            Value::None => 1,
            Value::Pointer(xref) => {
                write_pointer(out, xref);
                1
            }
            Value::Void => {
                write_pointer(out, VOID);
                1
            }
            Value::Made(made) => {
                write_pointer(out, &made.to_string());
                1
            }
            Value::Text(text) => self.write_text(out, level, text, &of.tag),
        };
        out.extend_from_slice(self.line_break.as_bytes());
        lines
    }

    /// Writes a text, which may have several lines. Returns the number of lines.
    fn write_text(self, out: &mut Vec<u8>, level: usize, text: &str, tag: &str) -> u64 {
        let mut lines = 0;
        for line in text.split('\n') {
            if lines > 0 {
                out.extend_from_slice(self.line_break.as_bytes());
                write_level(out, level + 1);
                out.extend_from_slice(b" CONT");
            }
            lines += 1;
            if !line.is_empty() {
                out.push(b' ');
                match self.grammar {
                    LineGrammar::Gedcom70 => write_line_of_7(out, line),
                    LineGrammar::Gedcom551 => write_line_of_551(out, line, tag),
                }
            }
        }
        lines
    }
}

fn write_level(out: &mut Vec<u8>, level: usize) {
    match u8::try_from(level) {
        Ok(digit @ 0..=9) => out.push(b'0' + digit),
        _ => out.extend_from_slice(level.to_string().as_bytes()),
    }
}

fn write_pointer(out: &mut Vec<u8>, xref: &str) {
    out.extend_from_slice(b" @");
    out.extend_from_slice(xref.as_bytes());
    out.push(b'@');
}

/// Writes a line of a text. A leading at sign is doubled.
fn write_line_of_7(out: &mut Vec<u8>, line: &str) {
    if line.starts_with('@') {
        out.push(b'@');
    }
    out.extend_from_slice(line.as_bytes());
}

/// Writes a line of a text. All at signs are doubled, except those of calendar escapes in dates.
fn write_line_of_551(out: &mut Vec<u8>, line: &str, tag: &str) {
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('@') {
        out.extend_from_slice(before.as_bytes());
        let escape = behind.split_once('@').filter(|(name, _)| tag == "DATE" && is_calendar(name));
        if let Some((name, after)) = escape {
            out.push(b'@');
            out.extend_from_slice(name.as_bytes());
            out.push(b'@');
            rest = after;
        } else {
            out.extend_from_slice(b"@@");
            rest = behind;
        }
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Returns whether an escape is that of a calendar, such as `#DJULIAN`.
fn is_calendar(escape: &str) -> bool {
    let Some(name) = escape.strip_prefix("#D") else { return false };
    let is_letter = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b" _".contains(&byte);
    !name.is_empty() && name.bytes().all(is_letter)
}

/// Replaces pointers by the new names of their records. If no record or several structures have
/// the identifier of a pointer, the pointer becomes `@VOID@` (MG15, MG106), and a remark reports this.
pub(crate) fn rename_pointers(record: &mut Record<'_>, renamed: &Renamed) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for id in record.in_document_order() {
        let structure = record.get_mut(id);
        let Value::Pointer(xref) = &structure.payload else { continue };
        let problem = if renamed.is_ambiguous(xref) {
            "an identifier of several structures, is replaced by `@VOID@`"
        } else if !renamed.is_of_record(xref) {
            "which is not a record, is replaced by `@VOID@`"
        } else {
            if let Some(name) = renamed.new_name(xref) {
                structure.payload = Value::Pointer(name.to_owned().into());
            }
            continue;
        };
        let message = format!("the pointer to `{xref}`, {problem}");
        remarks.push(Remark { origin: structure.origin, code: codes::VALUE_NOT_CARRIED, message });
        structure.payload = Value::Void;
    }
    remarks
}
