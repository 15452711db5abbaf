//! Checks the escapes of payloads (D19 *Identifying escapes*, *Permitted escapes*; J19 §5; O17 §6).

use crate::read::escape::{EscapeTypes, Token, is_payload_line_of_2017, push_characters, tokens};
use crate::read::report::SpanFinding;
use crate::read::tree::build::{Builder, Flow};
use crate::read::tree::{Stretch, flag};
use elf_base::{AtSigns, Fix, FixAction, Span, codes};
use elf_lines::{joined_line, parse_characters_checked};
use std::borrow::Cow;

impl Builder<'_, '_> {
    /// Checks the escapes in the payload of a line. An invalid escape never makes a file malformed.
    #[cold]
    pub(crate) fn check_escapes(&mut self, node: u32) -> Flow {
        if self.check_escapes_later() {
            return Flow::Continue;
        }
        let waits = self.rules.tagged.metadata.is_raw() || self.rules.tagged.escape.reports_unpermitted();
        if self.first_record && waits {
            return self.wait_for_escapes(node);
        }
        self.report_escapes(node);
        Flow::Continue
    }

    /// Postpones the checks until the record is complete, if escapes are read after merging (J19 §5; RDX). Returns
    /// whether it postponed them.
    pub(crate) fn check_escapes_later(&mut self) -> bool {
        let after_merging = self.rules.tagged.escape.reads_merged();
        self.escapes_in_record |= after_merging;
        after_merging
    }

    /// Reports the invalid escapes of one line. At signs that follow a joined line belong to the joined line.
    pub(crate) fn report_escapes(&mut self, node: u32) {
        let text = self.text;
        let is_joined = self.is_joined(node);
        let view = self.view();
        let Some(line) = view.get(node) else { return };
        let payload = view.nodes.payload(node, line);
        // The escapes are checked for the structure that the line continues (docs/readings.md, AMB-51).
        let is_continuation = line.flags & flag::CONTINUATION != 0;
        let of = if is_continuation { view.nodes.parent(node) } else { node };
        let permitted = self.header.escapes().of(view.tag(of));
        let line = payload.of(text);
        let at_signs = match (is_joined, is_continuation) {
            (true, _) => BareAtSigns::Ignored,
            (false, true) => BareAtSigns::OfText,
            (false, false) => BareAtSigns::OfPayload,
        };
        self.report_tokens(line, &[Stretch::of_line(payload.start, line.len())], permitted, at_signs);
    }

    /// Returns whether the line of a node contains another line. Such a joined line is reported separately.
    fn is_joined(&self, node: u32) -> bool {
        let view = self.view();
        if !self.rules.tagged.joined_lines.are_reported() || view.flags(node) & (flag::RAW | flag::ERROR) != 0
        {
            return false;
        }
        let start = view.get(node).map_or(0, |data| data.start);
        let line = Span::new(start, view.line_end(node)).of(self.text);
        let parsed = parse_characters_checked(line, &self.rules.lines);
        parsed.is_ok_and(|parsed| joined_line(line, &parsed).is_some())
    }

    /// Reports invalid escapes in the merged payloads of a record (J19 §5; RDX).
    #[cold]
    pub(crate) fn report_merged_escapes(&mut self, record: u32, end: u32) {
        for id in record..end {
            let flags = self.flags(id);
            let holds = flags & (flag::AT | flag::CONTINUED) != 0
                && flags & (flag::CONTINUATION | flag::POINTER) == 0;
            if !holds {
                continue;
            }
            let view = self.view();
            let (merged, lines) = view.merged_lines(id);
            let preserved = self.header.escapes().of(view.tag(id));
            let at_signs = match flags & (flag::ERROR | flag::CONTINUED) {
                0 => BareAtSigns::OfPayload,
                flag::CONTINUED => BareAtSigns::OfText,
                // For an ERROR line, only losses are reported.
                _ => BareAtSigns::Ignored,
            };
            self.report_tokens(&merged, &lines, preserved, at_signs);
        }
    }

    /// Reports the tokens of a payload whose parts are at `lines` in the text. `permitted` contains the types of
    /// escapes that are allowed.
    fn report_tokens(
        &mut self,
        payload: &str,
        lines: &[Stretch],
        permitted: EscapeTypes,
        at_signs: BareAtSigns,
    ) {
        let grammar = self.rules.tagged.escape;
        let reports_bare =
            at_signs != BareAtSigns::Ignored && !(grammar.is_untyped() && is_payload_line_of_2017(payload));
        let mut bare = false;
        for (offset, token) in tokens(payload, grammar) {
            let finding = match token {
                Token::Text(_) | Token::At => continue,
                Token::Bare | Token::Broken if !reports_bare => continue,
                // Report this once for each payload, because a payload with e-mail addresses has many single at signs.
                Token::Bare if std::mem::replace(&mut bare, true) => continue,
                Token::Bare => {
                    let damaged = damaged_pointer(payload).filter(|_| at_signs == BareAtSigns::OfPayload);
                    let (help, fix) = fix_bare_at_signs(payload, damaged);
                    (codes::AT_SIGN_BARE, "an at sign is not doubled", help, fix)
                }
                Token::Broken => (
                    codes::ESCAPE_MALFORMED,
                    "expected an escape sequence after `@#`, but found none",
                    "read as text; if it is text, write `@@#`".into(),
                    Fix::safe(FixAction::DoubleAtSigns(AtSigns::OfBrokenEscape)),
                ),
                Token::Unicode(raw) if push_characters(raw, grammar, |_| {}) => continue,
                Token::Unicode(_) => (
                    codes::UNICODE_ESCAPE_MALFORMED,
                    "expected the hexadecimal numbers of characters",
                    match grammar.drops_unknown() {
                        true => "the escape is dropped".into(),
                        false => "the escape is kept".into(),
                    },
                    Fix::guess(FixAction::DoubleAtSigns(AtSigns::OfEscape)),
                ),
                Token::Escape(_) => {
                    if token.escape_type().is_some_and(|kind| permitted.contains(kind)) {
                        continue;
                    }
                    let (message, help) = if grammar.is_by_tag() {
                        ("this tag cannot have an escape with this letter", "the escape is dropped")
                    } else if !grammar.reports_unpermitted() {
                        continue;
                    } else if self.header.escapes().is_of_schema() {
                        (
                            "the schema does not allow an escape with this letter under this tag",
                            "the escape is kept",
                        )
                    } else {
                        ("unknown escape: expected the letter U or D", "the escape is kept")
                    };
                    let doubled = Fix::guess(FixAction::DoubleAtSigns(AtSigns::OfEscape));
                    (codes::ESCAPE_NOT_PERMITTED, message, help.into(), doubled)
                }
            };
            let span = Stretch::place(lines, offset, token.raw().len());
            let (code, message, help, fix) = finding;
            self.reporter.report(SpanFinding::new(code, span, message).help(help).fix(fix));
        }
    }
}

/// How the single at signs of a payload are reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BareAtSigns {
    /// They are not reported.
    Ignored,
    /// They are reported as text, because a payload that has continuation lines is not a pointer.
    OfText,
    /// They are reported as text or as parts of a damaged pointer.
    OfPayload,
}

/// Returns the help and the fix for the single at signs of a payload. `damaged` is the identifier of the pointer that
/// the payload may be.
fn fix_bare_at_signs(payload: &str, damaged: Option<&str>) -> (Cow<'static, str>, Fix) {
    if let Some(identifier) = damaged {
        let help =
            format!("read as text; write `@{identifier}@` for a pointer, or double each at sign of a text");
        return (help.into(), Fix::guess(FixAction::RestorePointer(identifier.into())));
    }
    let action = FixAction::DoubleAtSigns(AtSigns::Bare);
    let fix = if names_record(payload) { Fix::guess(action) } else { Fix::safe(action) };
    ("read as an at sign; write `@@`".into(), fix)
}

/// Returns the identifier in a payload that is most likely a pointer with a missing or doubled at sign, such as `@F1`,
/// `F1@` or `@F1@@`. Doubling its at signs would make the damage permanent.
fn damaged_pointer(payload: &str) -> Option<&str> {
    let identifier = payload.trim_matches([' ', '\t']).trim_matches('@');
    is_like_identifier(identifier).then_some(identifier)
}

fn is_like_identifier(text: &str) -> bool {
    (1..=22).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns whether a text contains something that looks like a pointer, such as `@F1@ @F2@` or `M0 @I2@ INDI`. If its
/// at signs were doubled, an intended pointer could become text.
fn names_record(text: &str) -> bool {
    let mut parts = text.split('@');
    let mut before = parts.next();
    while let Some(part) = parts.next() {
        let opens = before.is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t', ',', ';']));
        if opens && is_like_identifier(part) && parts.clone().next().is_some() {
            return true;
        }
        before = Some(part);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{damaged_pointer, names_record};

    #[test]
    fn an_identifier_with_a_wrong_at_sign_may_be_a_pointer() {
        for text in ["@F1", "F1@", " @F1 ", "@F1@@", "@@F1@"] {
            assert_eq!(damaged_pointer(text), Some("F1"), "{text}");
        }
        for text in ["@", "@ F1", "see @F1", "me@home.org", "@F1 @F2", "@F1@ @F2@"] {
            assert_eq!(damaged_pointer(text), None, "{text}");
        }
    }

    #[test]
    fn at_signs_around_an_identifier_may_be_a_pointer() {
        for text in ["@F1@ @F2@", "@F1@,@F2@", "M0 @I2@ INDI", "see @N1@ there"] {
            assert!(names_record(text), "{text}");
        }
        for text in ["ask me@home.org", "a@b@c", "me@x.org and you@y.org", "@ home @ work", "5 @ 3", "@F1"] {
            assert!(!names_record(text), "{text}");
        }
    }
}
