//! Reports irregular bytes and restricted characters.

use crate::decoded::{Irregular, Irregularity};
use crate::file_counts::FileCounts;
use crate::findings::{char_finding, quote_visibly};
use crate::line_table::text_offset;
use crate::source::Source;
use crate::survey::is_private_use;
use crate::{Encoding, EncodingReason, LineBreaks, Locator};
use elf_base::rules::Controls;
use elf_base::{Diagnostic, Fix, FixAction, Rules, Sink, Span, codes};
use std::fmt;

/// A finding that has no place yet.
#[derive(Clone, Copy, Debug)]
struct Finding<'s> {
    text: Span,
    what: FindingKind<'s>,
}

#[derive(Clone, Copy, Debug)]
enum FindingKind<'s> {
    /// Adjacent bytes that are irregular in the same way, and how many there are.
    Irregular(&'s Irregular, u64),
    /// The first restricted character of a line, and the number of restricted characters in that line.
    Restricted(char, u64),
}

/// Reports all irregular bytes and restricted characters of `source` up to the offset `end`, in the order of the text.
pub(crate) fn report(
    source: &Source<'_>,
    history: FileCounts,
    end: Option<u32>,
    rules: &Rules,
    sink: &mut dyn Sink,
) {
    let is_read = |text: Span| end.is_none_or(|end| text.start < end);
    let mut findings = collect_irregular(source);
    let before = findings.len();
    collect_restricted(source, rules, &mut findings);
    findings.retain(|finding| is_read(finding.text));
    if findings.len() > before {
        findings.sort_by_key(|finding| finding.text.start);
    }
    let mut locator = Locator::of_decoded(source);
    if let Some(first) =
        source.irregular().first().filter(|first| is_first_contradiction(source, first, history))
        && is_read(first.text)
    {
        sink.report(
            place_diagnostic(
                char_finding(
                    codes::ENCODING_CONTRADICTED,
                    rules,
                    "CHAR says UTF-8, but the first byte that is not ASCII is not valid UTF-8",
                ),
                first,
                first.text,
                &mut locator,
            )
            .help("the file is read as UTF-8, as CHAR says; if the text looks wrong, it may be windows-1252"),
        );
    }
    for finding in findings {
        let diagnostic = match finding.what {
            FindingKind::Irregular(irregular, count) => place_diagnostic(
                irregular_diagnostic(source, irregular, count, rules),
                irregular,
                finding.text,
                &mut locator,
            ),
            FindingKind::Restricted(character, count) => {
                let place = locator.place(finding.text);
                let more = more_on_line(count, "such character", "such characters");
                let (kind, help) = if is_private_use(character) {
                    ("private-use", "kept; other programs may not know what it means")
                } else {
                    ("control", "kept; other programs may not understand it")
                };
                let number = u32::from(character);
                let message = format!("expected text, but found the {kind} character U+{number:04X}{more}");
                let code = match rules.octets.controls {
                    Controls::Restricted => codes::CHARACTER_RESTRICTED,
                    Controls::Banned => codes::CHARACTER_BANNED,
                };
                Diagnostic::new(code, rules, message).at(place, locator.excerpt(finding.text)).help(help)
            }
        };
        sink.report(diagnostic);
    }
}

/// Reports mixed line breaks. `breaks` must contain the counts of the whole file.
pub(crate) fn report_breaks(breaks: LineBreaks, rules: &Rules, sink: &mut dyn Sink) {
    let forms = [(breaks.lf, "LF"), (breaks.cr, "CR"), (breaks.crlf, "CR LF")];
    let used = forms.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = used.map(|(count, name)| format!("{count} {name}")).collect();
    if counts.len() < 2 {
        return;
    }
    let diagnostic = Diagnostic::new(
        codes::LINE_BREAKS_MIXED,
        rules,
        format!("mixed line endings: {}", counts.join(" and ")),
    );
    // LF CR is not a line ending, but some program must have written it.
    let help = if breaks.crlf == 0 && breaks.lf.abs_diff(breaks.cr) <= 1 {
        "each of them ends a line; LF CR is read as two line endings, and the blank line between them is skipped"
    } else {
        "each of them ends a line; `elf convert` writes one kind"
    };
    sink.report(diagnostic.help(help));
}

/// Returns whether the first irregular bytes show that the file is not UTF-8, although CHAR names UTF-8. They show it
/// only if no earlier bytes can be a character of UTF-8.
fn is_first_contradiction(source: &Source<'_>, first: &Irregular, history: FileCounts) -> bool {
    let decision = source.decision();
    source.repairs()
        && !history.non_ascii
        && first.kind == Irregularity::Undecodable
        && decision.used == Encoding::Utf8
        && decision.because == EncodingReason::Specified
        && source.full_text()[..first.text.start as usize].is_ascii()
}

/// Collects irregular bytes for reporting. Adjacent undecodable bytes are one finding, and fixes are one finding for
/// each line.
fn collect_irregular<'s>(source: &'s Source<'_>) -> Vec<Finding<'s>> {
    let mut findings: Vec<Finding<'s>> = Vec::new();
    let mut line_end = 0;
    for irregular in source.irregular() {
        let text = irregular.text;
        if irregular.kind == Irregularity::CutTail {
            continue;
        }
        if let Some(Finding { text: last_text, what: FindingKind::Irregular(last, count) }) =
            findings.last_mut()
            && last.kind == irregular.kind
        {
            let joins = match irregular.kind {
                Irregularity::Undecodable => last.octets.start + *count == irregular.octets.start,
                Irregularity::CutHead => false,
                _ => text.start < line_end,
            };
            if joins {
                *count += if irregular.kind == Irregularity::Undecodable {
                    irregular.octets.end - irregular.octets.start
                } else {
                    1
                };
                if irregular.kind == Irregularity::Undecodable {
                    last_text.end = text.end;
                }
                continue;
            }
        }
        if irregular.kind != Irregularity::Undecodable && text.start >= line_end {
            line_end = end_of_line(source.full_text(), text.start);
        }
        let count = match irregular.kind {
            Irregularity::Undecodable => irregular.octets.end - irregular.octets.start,
            _ => 1,
        };
        findings.push(Finding { text, what: FindingKind::Irregular(irregular, count) });
    }
    findings
}

/// Collects the first restricted character of each line, with the number of restricted characters in the line.
fn collect_restricted<'s>(source: &'s Source<'_>, rules: &Rules, findings: &mut Vec<Finding<'s>>) {
    let text = source.full_text();
    let mut line_end = 0;
    for (offset, character) in source.survey().find_restricted(text, rules.octets.controls) {
        let start = text_offset(offset);
        match findings.last_mut() {
            Some(Finding { what: FindingKind::Restricted(_, count), .. }) if start < line_end => *count += 1,
            _ => {
                line_end = end_of_line(text, start);
                let length = text_offset(character.len_utf8());
                let text = Span::new(start, start + length);
                findings.push(Finding { text, what: FindingKind::Restricted(character, 1) });
            }
        }
    }
}

fn end_of_line(text: &str, from: u32) -> u32 {
    let rest = &text.as_bytes()[from as usize..];
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    from + text_offset(end)
}

fn irregular_diagnostic(source: &Source<'_>, irregular: &Irregular, count: u64, rules: &Rules) -> Diagnostic {
    let octets = Hex(source.octets_of(irregular));
    let used = source.decision().used;
    let character = irregular.text.of(source.full_text());
    match irregular.kind {
        Irregularity::Surrogates => Diagnostic::new(
            codes::SURROGATES_IN_UTF_8,
            rules,
            format!(
                "expected one character of four bytes, but found two surrogates, {octets}{}",
                more_on_line(count, "such pair", "such pairs")
            ),
        )
        .help(format!("read as the character that they encode, {}", quote_visibly(character)))
        .fix(Fix::safe(FixAction::Respell)),
        Irregularity::Control => Diagnostic::new(
            codes::CONTROL_IS_WINDOWS_1252,
            rules,
            format!("expected text, but found a control character, {octets}{}", more_on_line(count, "one", "ones")),
        )
        .help(format!("read as {}, which this byte means in windows-1252", quote_visibly(character)))
        .fix(Fix::guess(FixAction::Respell)),
        Irregularity::CutHead if used == Encoding::Ansel => Diagnostic::new(
            codes::CHARACTER_CUT,
            rules,
            format!("the line ends with a combining mark, {octets}; its base letter is on the following CONC line"),
        )
        .help(format!("read as {} at the end of this line", quote_visibly(character)))
        .fix(Fix::safe(FixAction::RespellBoth)),
        Irregularity::CutHead => Diagnostic::new(
            codes::CHARACTER_CUT,
            rules,
            format!("the line ends within a character, after {octets}; the rest is on the following CONC line"),
        )
        .help(format!("read as {} at the end of this line", quote_visibly(character)))
        .fix(Fix::safe(FixAction::RespellBoth)),
        Irregularity::Dangling => Diagnostic::new(
            codes::MARK_WITHOUT_BASE,
            rules,
            format!("no letter follows a combining mark{}", more_on_line(count, "such place", "such places")),
        )
        .help("read as the mark alone, which programs show on the character before it"),
        Irregularity::Pair => Diagnostic::new(
            codes::ANSEL_PAIR,
            rules,
            format!(
                "expected ANSEL, but found {octets}, which Personal Ancestral File wrote for a character that ANSEL does not have{}",
                more_on_line(count, "such pair", "such pairs")
            ),
        )
        .help(format!("read as {}", quote_visibly(character))),
        Irregularity::Undecodable | Irregularity::CutTail => {
            let octets = Hex(source.octets_from(irregular.octets.start, count));
            let found = Diagnostic::new(
                codes::OCTET_UNDECODABLE,
                rules,
                format!("expected text in {used}, but found {octets}"),
            )
            .fix(Fix::guess(FixAction::Respell));
            match character {
                "" => found.help("reading stops before this line; if the encoding is wrong, name the right encoding"),
                "\u{FFFD}" => {
                    found.help("read as U+FFFD and kept in the file; if the encoding is wrong, name the right encoding")
                }
                guess => found.help(format!(
                    "read as {}, which this byte means in windows-1252; if the encoding is wrong, name the right encoding",
                    quote_visibly(guess)
                )),
            }
        }
    }
}

/// Sets the place of a diagnostic. The columns of the place are those of `text`, and its bytes are those of
/// `irregular`.
fn place_diagnostic(
    diagnostic: Diagnostic,
    irregular: &Irregular,
    text: Span,
    locator: &mut Locator<'_>,
) -> Diagnostic {
    let mut place = locator.place(text);
    place.octet = irregular.octets.start;
    diagnostic.at(place, locator.excerpt(text))
}

/// Returns a text such as `, and 3 more such pairs on this line`. The text is empty if `count` is 1.
fn more_on_line(count: u64, one: &str, many: &str) -> String {
    match count {
        0 | 1 => String::new(),
        2 => format!(", and 1 more {one} on this line"),
        _ => format!(", and {} more {many} on this line", count - 1),
    }
}

/// Formats bytes in hexadecimal: `byte E9`, `bytes ED A0 80`. If there are more than 16 bytes, only their number is
/// written.
struct Hex<'o>(&'o [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.len() == 1 { "byte" } else { "bytes" })?;
        self.0.iter().take(16).try_for_each(|octet| write!(f, " {octet:02X}"))?;
        if self.0.len() > 16 { write!(f, " and {} more", self.0.len() - 16) } else { Ok(()) }
    }
}
