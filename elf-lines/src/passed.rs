//! Describes the faults of a line that lenient rules accept.

use crate::{Line, VOID};
use elf_base::{AtSigns, Code, Fix, FixAction, Span, codes};
use std::borrow::Cow;

/// A fault of a line that lenient rules accept. [`Line::passed`] returns them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassedFault {
    /// The code of the finding, one of E02.
    pub code: Code,
    /// The part of the line string with the fault, in bytes.
    pub span: Span,
    /// The message, which contains what was expected.
    pub message: &'static str,
    /// The help, which explains how the line is read.
    pub help: Cow<'static, str>,
    /// The fix, if there is one.
    pub fix: Option<Fix>,
}

impl PassedFault {
    fn new(code: Code, span: Span, message: &'static str, help: impl Into<Cow<'static, str>>) -> PassedFault {
        PassedFault { code, span, message, help: help.into(), fix: None }
    }
}

impl Line<'_> {
    /// Returns the faults of the line that the rules accept, with messages and fixes.
    ///
    /// ```
    /// use elf_base::{Rules, codes};
    ///
    /// let line = elf_lines::parse("01  Name Ada", &Rules::GEDCOM_7.lines)?;
    /// let found: Vec<_> = line.passed().into_iter().map(|fault| fault.code).collect();
    /// assert_eq!(found, [codes::LEVEL_ZEROS, codes::LINE_SPACING, codes::TAG_MALFORMED]);
    /// # Ok::<(), elf_lines::Fault>(())
    /// ```
    pub fn passed(&self) -> Vec<PassedFault> {
        let lenience = self.lenience();
        let mut all = Vec::new();
        if lenience.of_level() {
            let end = self.text.find([' ', '\t']).unwrap_or(self.text.len());
            let span = Span::new(0, u32::try_from(end).unwrap_or(u32::MAX));
            let help = format!("read as level {}", self.level());
            if self.text.trim_start_matches([' ', '\t']).starts_with('0') {
                let message = "expected a level without leading zeros";
                let fix = Some(Fix::safe(FixAction::RemoveLevelZeros));
                all.push(PassedFault { fix, ..PassedFault::new(codes::LEVEL_ZEROS, span, message, help) });
            } else {
                let message = "expected a level of one or two digits";
                all.push(PassedFault::new(codes::LEVEL_HIGH, span, message, help));
            }
        }
        if lenience.of_xref() {
            all.push(PassedFault::new(
                codes::XREF_MALFORMED,
                self.xref_span(),
                match self.xref() {
                    Some(VOID) => "`VOID` cannot be an identifier: a pointer to it means that there is no record",
                    _ => {
                        "expected letters and digits, but found a character that is not allowed in a cross-reference identifier"
                    }
                },
                "the identifier is kept",
            ));
        }
        if lenience.of_tab() {
            let tag = self.tag_span().end;
            all.push(PassedFault::new(
                codes::LINE_MALFORMED,
                Span::new(tag, tag + 1),
                "expected a space before the payload, but found a tab",
                "the tab is read as a space",
            ));
        }
        if lenience.of_spacing() {
            all.push(PassedFault::new(
                codes::LINE_SPACING,
                Span::new(0, self.tag_span().start),
                "expected one space between the parts of the line, and none before the level",
                "read as one space",
            ));
        }
        if lenience.of_tag() {
            let message = match self.tag() {
                "_" => "expected a letter, a digit or an underscore after the underscore of a tag",
                _ => {
                    "expected a tag of capital letters, digits and underscores that does not start with a digit"
                }
            };
            let (code, help) = (codes::TAG_MALFORMED, "the tag is kept");
            all.push(PassedFault::new(code, self.tag_span(), message, help));
        }
        if lenience.of_full_tag() {
            let (message, help) = ("a tag is written as its full name", format!("read as `{}`", self.tag()));
            let fix = Some(Fix::safe(FixAction::Replace(Cow::Owned(self.tag().to_owned()))));
            all.push(PassedFault {
                fix,
                ..PassedFault::new(codes::TAG_IN_FULL, self.tag_span(), message, help)
            });
        }
        if lenience.of_pointer() {
            let message = "expected a cross-reference identifier between the at signs";
            let help = "the payload is kept; if it is text, double the at signs";
            let fix = Some(Fix::guess(FixAction::DoubleAtSigns(AtSigns::Bare)));
            let fault = PassedFault::new(codes::POINTER_MALFORMED, self.payload_span(), message, help);
            all.push(PassedFault { fix, ..fault });
        }
        all
    }
}
