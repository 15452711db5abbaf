//! Converts findings to the diagnostics of an editor.

use crate::document::OpenDocument;
use crate::encoding::WrongText;
use crate::text::{ColumnUnit, PositionFinder, Text};
use elf_base::{Class, Diagnostic, Place};
use elf_check::config::{Choice, ConfigError};
use gen_lsp_types::{
    Code, Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message,
    Position, Range as LspRange, Uri,
};
use std::ops::Range;

/// The maximum number of findings that are shown for a file.
pub(crate) const MOST: usize = 1_000;

/// The maximum number of characters in a range. If a line is longer, only its start is marked.
const LONGEST: usize = 10_000;

const SOURCE: &str = "elf";

/// Returns the diagnostics of a buffer: its findings, and findings about its encoding on disk.
pub(crate) fn diagnostics_of(
    buffer: &OpenDocument,
    findings: &[&Diagnostic],
    unit: ColumnUnit,
) -> Vec<LspDiagnostic> {
    let mut converter = Converter {
        text: &buffer.text,
        positions: buffer.text.positions(unit),
        related: buffer.text.positions(unit),
        uri: &buffer.uri,
        choice: &buffer.settings.settings.choice,
    };
    let wrong = buffer.wrong_text();
    // The editor produced the characters of these lines. The file does not contain them.
    let is_shown =
        |finding: &&&Diagnostic| wrong.is_none_or(|wrong| !is_on_wrong_line(&buffer.text, finding, wrong));
    let mut chosen: Vec<&Diagnostic> = findings.iter().filter(is_shown).copied().collect();
    // If there are too many findings, only the worst ones are shown.
    chosen.sort_by_key(|finding| severity_rank(finding.class));
    let more = chosen.len().saturating_sub(MOST);
    chosen.truncate(MOST);
    chosen.sort_by_key(|finding| finding.place.map(|place| place.octet));
    let mut diagnostics: Vec<LspDiagnostic> = Vec::with_capacity(chosen.len() + 1);
    if let Some(wrong) = wrong {
        diagnostics.extend(misread_diagnostics(&buffer.text, wrong, unit));
    }
    let (at_char, of_encoding) = buffer.encoding_findings();
    let at_char = buffer.text.positions(unit).range(at_char);
    diagnostics.extend(of_encoding.into_iter().map(|finding| converter.diagnostic_at(at_char, finding)));
    diagnostics.extend(chosen.into_iter().map(|finding| converter.diagnostic_of(finding)));
    if more > 0 {
        let message = format!("{more} more findings are not shown; `elf check --all` lists all");
        diagnostics.push(plain_diagnostic(
            first_line(&buffer.text, unit),
            DiagnosticSeverity::Information,
            message,
        ));
    }
    diagnostics
}

/// Returns the diagnostic for an `elf.toml` that is ignored because it is invalid.
pub(crate) fn diagnostic_of_config(fault: &ConfigError) -> LspDiagnostic {
    let at = |line: u64, column: u64| Position {
        line: u32::try_from(line.saturating_sub(1)).unwrap_or(0),
        character: u32::try_from(column.saturating_sub(1)).unwrap_or(0),
    };
    let place = fault.place.as_ref().map_or(Place::new(0, 1, 1, 1), |at| at.place);
    let range = LspRange { start: at(place.line, place.column), end: at(place.line, place.end_column) };
    let message = match fault.help {
        Some(help) => format!("{}\nhelp: {help}", fault.message),
        None => fault.message.clone(),
    };
    plain_diagnostic(range, DiagnosticSeverity::Error, message)
}

/// Returns the offsets of a finding in a buffer. Returns `None` if the finding is about the whole
/// file.
pub(crate) fn range_of(text: &Text, finding: &Diagnostic) -> Option<Range<usize>> {
    Some(range_of_place(text, finding.place?))
}

fn range_of_place(text: &Text, place: Place) -> Range<usize> {
    let start =
        usize::try_from(place.octet).map_or(text.content().len(), |octet| octet.min(text.content().len()));
    let line = text.line_range(text.line_of(start));
    let rest = text.content().get(start..line.end.max(start)).unwrap_or_default();
    let length = usize::try_from(place.end_column - place.column).unwrap_or(LONGEST).min(LONGEST);
    let end = rest.char_indices().nth(length).map_or(rest.len(), |(end, _)| end);
    start..start + end
}

/// Returns whether the line of a finding may have wrong characters. Every wrong decoding leaves ASCII as it is.
fn is_on_wrong_line(text: &Text, finding: &Diagnostic, wrong: WrongText) -> bool {
    let range = range_of(text, finding).unwrap_or(0..0);
    let line = text.line(text.line_of(range.start));
    match wrong {
        WrongText::OtherEncoding(_) => !line.is_ascii(),
        WrongText::ReplacedBytes(_) => line.contains(char::REPLACEMENT_CHARACTER),
    }
}

/// The findings that the editor shows wrong characters: one for the file, and one for each line with U+FFFD.
fn misread_diagnostics(text: &Text, wrong: WrongText, unit: ColumnUnit) -> Vec<LspDiagnostic> {
    let message =
        format!("{}: if you save it like this, they are lost\nhelp: {}", wrong.problem(), wrong.advice());
    let mut diagnostics = vec![plain_diagnostic(first_line(text, unit), DiagnosticSeverity::Error, message)];
    let mut positions = text.positions(unit);
    let mut line_end = 0;
    for (start, lost) in text.content().match_indices(char::REPLACEMENT_CHARACTER) {
        if start < line_end {
            continue;
        }
        if diagnostics.len() > MOST {
            break;
        }
        line_end = text.line_range(text.line_of(start)).end;
        let range = positions.range(start..start + lost.len());
        let message = "a character was lost when the editor opened the file; the file on disk still has it";
        diagnostics.push(plain_diagnostic(range, DiagnosticSeverity::Warning, message.to_owned()));
    }
    diagnostics
}

/// Returns the rank of a class. The worst class has the lowest rank.
const fn severity_rank(class: Class) -> u8 {
    match class {
        Class::Malformed => 0,
        Class::NonConformant => 1,
        Class::Deprecated => 2,
        Class::Advice => 3,
        Class::Question => 4,
    }
}

struct Converter<'t> {
    text: &'t Text,
    positions: PositionFinder<'t>,
    related: PositionFinder<'t>,
    uri: &'t Uri,
    choice: &'t Choice,
}

impl Converter<'_> {
    fn diagnostic_of(&mut self, finding: &Diagnostic) -> LspDiagnostic {
        let range = range_of(self.text, finding).unwrap_or_else(|| self.text.line_range(0));
        let range = self.positions.range(range);
        let mut diagnostic = self.diagnostic_at(range, finding);
        let related: Vec<DiagnosticRelatedInformation> = finding
            .related
            .iter()
            .map(|related| DiagnosticRelatedInformation {
                location: Location {
                    uri: self.uri.clone(),
                    range: self.related.range(range_of_place(self.text, related.place)),
                },
                message: related.message.clone().into_owned(),
            })
            .collect();
        diagnostic.related_information = (!related.is_empty()).then_some(related);
        diagnostic
    }

    /// Returns the diagnostic for a finding. It has this range and no related places.
    fn diagnostic_at(&self, range: LspRange, finding: &Diagnostic) -> LspDiagnostic {
        let mut message = finding.message.clone().into_owned();
        if let Some(count) = finding.count.filter(|count| count.get() > 1) {
            message += &format!(" ({count} times)");
        }
        if let Some(help) = &finding.help {
            message += &format!("\nhelp: {help}");
        }
        let severity = match finding.class {
            Class::Malformed => DiagnosticSeverity::Error,
            Class::NonConformant => DiagnosticSeverity::Warning,
            Class::Deprecated | Class::Advice | Class::Question if self.choice.fails(finding) => {
                DiagnosticSeverity::Warning
            }
            Class::Deprecated | Class::Advice | Class::Question => DiagnosticSeverity::Information,
        };
        LspDiagnostic {
            code: Some(Code::String(finding.code.id().to_owned())),
            ..plain_diagnostic(range, severity, message)
        }
    }
}

fn plain_diagnostic(range: LspRange, severity: DiagnosticSeverity, message: String) -> LspDiagnostic {
    LspDiagnostic {
        range,
        severity: Some(severity),
        code: None,
        code_description: None,
        source: Some(SOURCE.to_owned()),
        message: Message::String(message),
        tags: None,
        related_information: None,
        data: None,
    }
}

fn first_line(text: &Text, unit: ColumnUnit) -> LspRange {
    text.positions(unit).range(text.line_range(0))
}

/// The line in the header that names the encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderLine {
    /// The offsets of the payload in the buffer.
    pub(crate) range: Range<usize>,
    pub(crate) payload: String,
    /// The number of the line, from 0.
    pub(crate) line: usize,
}

impl HeaderLine {
    /// Finds CHAR in the header of a buffer.
    pub(crate) fn find_char_line(text: &Text) -> Option<HeaderLine> {
        /// The number of lines in which CHAR is searched at most.
        const MOST_LINES: usize = 1_000;
        let is_in_header = |line: &usize| *line == 0 || !text.line(*line).trim_start().starts_with("0 ");
        let mut lines = (0..text.line_count().min(MOST_LINES)).take_while(is_in_header);
        lines.find_map(|line| {
            let content = text.line(line);
            let payload = content.trim_start().strip_prefix("1 CHAR")?;
            if !payload.is_empty() && !payload.starts_with(' ') {
                return None;
            }
            let range = text.line_range(line);
            let payload = payload.trim();
            let end = range.start + content.trim_end().len();
            Some(HeaderLine { range: end - payload.len()..end, payload: payload.to_owned(), line })
        })
    }
}
