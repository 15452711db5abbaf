//! The decision: from what the first octets show, what CHAR says and what the octets are, to one encoding.

use crate::evidence::{self, Verdict};
use crate::prescan;
use crate::report::quoted;
use crate::units::{Units, place_of};
use crate::weigh::{OVERRIDE, weigh};
use crate::{Because, Decision, Encoding, Options};
use elf_base::{Code, Diagnostic, Excerpt, Place, Rules, Sink, codes};

/// How far past the first octet that is not ASCII the octets are looked at, where they decide. ASCII reads the
/// same in every encoding based on it, so nothing before that octet depends on the decision.
pub const EVIDENCE_LIMIT: usize = 1 << 20;

/// Decides in which encoding `octets` are read, and reports what speaks against it.
///
/// The order is that of D19 *Parsing and serialising line strings*: the encoding that CHAR specifies, else the one
/// the octets show, else the default of the rules. Detected UTF-16 beats CHAR under all rules, because no other
/// encoding could make sense of the octets. Where the rules allow ([`OctetRules::content`]), the octets decide if
/// CHAR is missing, unknown or impossible.
///
/// [`OctetRules::content`]: elf_base::rules::OctetRules::content
///
/// ```
/// use elf_octets::{Because, Encoding, Options, decide};
/// use elf_base::Rules;
///
/// let file = b"0 HEAD\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME Jos\xE9\n0 TRLR\n";
/// let decision = decide(file, &Rules::WILD, &Options::default(), &mut ());
/// assert_eq!((decision.used, decision.because), (Encoding::Windows1252, Because::Specified));
/// // To December 2019 the name means nothing, so its default stands.
/// let decision = decide(file, &Rules::DECEMBER_2019, &Options::default(), &mut ());
/// assert_eq!((decision.used, decision.because), (Encoding::Utf8, Because::Default));
/// ```
pub fn decide(octets: &[u8], rules: &Rules, options: &Options, sink: &mut dyn Sink) -> Decision {
    Opening::settled(octets, rules, options, sink).decision
}

/// The decision as far as the header takes it.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub(crate) decision: Decision,
    /// The length of the byte-order mark.
    pub(crate) mark: usize,
    /// Whether the rules end the reading here.
    pub(crate) ended: bool,
    /// What the first octet that is not ASCII has still to answer.
    pub(crate) open: Option<Question>,
}

/// What is still open when the header has been scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// CHAR decides nothing: which encoding is it?
    Which,
    /// CHAR says ASCII: which encoding is it if there are other octets?
    Ascii,
    /// CHAR says ASCII behind a mark of UTF-8: the mark stands if there are other octets (D19; AMB-05).
    AsciiBehindMark,
    /// CHAR names an encoding of one octet a character behind a mark of UTF-8: UTF-8 if the octets are.
    BehindMark,
    /// CHAR is obeyed, and reported if the octets are UTF-8 all the same.
    Report,
}

impl Opening {
    /// The decision as far as first octets and header take it.
    pub(crate) fn of(octets: &[u8], rules: &Rules, options: &Options, sink: &mut dyn Sink) -> Opening {
        let detected = prescan::detect(octets, rules, options);
        let body = octets.get(detected.mark..).unwrap_or_default();
        let scan = prescan::scan(body, options.forced.or(detected.encoding), rules);
        // What stands past the limit is not there when a file is read in blocks.
        let octets = octets.get(..detected.mark + prescan::HEADER_LIMIT).unwrap_or(octets);
        weigh(octets, detected, &scan, rules, options, sink)
    }

    /// The whole decision about a whole file.
    pub(crate) fn settled(octets: &[u8], rules: &Rules, options: &Options, sink: &mut dyn Sink) -> Opening {
        let mut opening = Opening::of(octets, rules, options, sink);
        opening.settle(octets, rules, sink);
        opening
    }

    /// How octets are taken for lines before the encoding is known.
    pub(crate) fn units(octets: &[u8], rules: &Rules, options: &Options) -> Units {
        Units::of(options.forced.or(prescan::detect(octets, rules, options).encoding))
    }

    /// Whether the header has to be looked at again when there are more octets than `octets`.
    pub(crate) fn needs_more(octets: &[u8], rules: &Rules, options: &Options) -> bool {
        let detected = prescan::detect(octets, rules, options);
        let body = octets.get(detected.mark..).unwrap_or_default();
        body.len() < prescan::HEADER_LIMIT
            && prescan::scan(body, options.forced.or(detected.encoding), rules).unfinished
    }

    /// Answers the open question from octets of the whole file.
    fn settle(&mut self, octets: &[u8], rules: &Rules, sink: &mut dyn Sink) {
        if self.open.is_none() {
            return;
        }
        let start =
            self.mark + encoding_rs::Encoding::ascii_valid_up_to(octets.get(self.mark..).unwrap_or_default());
        if start < octets.len() {
            let end = octets.len().min(start.saturating_add(EVIDENCE_LIMIT));
            let window = octets.get(start..end).unwrap_or_default();
            let at = place_of(octets, self.mark, Units::One, start);
            self.answer(window, end == octets.len(), &at, rules, sink);
        }
    }

    /// Answers the open question from the octets from the first that is not ASCII, which stands at `at`. `to_end`
    /// says whether the file ends with them.
    pub(crate) fn answer(
        &mut self,
        window: &[u8],
        to_end: bool,
        at: &(Place, Option<Excerpt>),
        rules: &Rules,
        sink: &mut dyn Sink,
    ) {
        let Some(question) = self.open.take() else { return };
        let decision = &mut self.decision;
        let said = quoted(decision.specified.as_deref().unwrap_or_default());
        let mut report = |code: Code, message: String, help: String| {
            sink.report(Diagnostic::new(code, rules, message).at(at.0, at.1.clone()).help(help));
        };
        match question {
            Question::AsciiBehindMark => {
                decision.used = Encoding::Utf8;
                decision.because = Because::Detected;
                decision.evidence.push("not all octets are ASCII, so the byte-order mark stands".to_owned());
                report(
                    codes::ENCODING_CONTRADICTS_MARK,
                    format!(
                        "CHAR says {said}, but the byte-order mark is that of UTF-8, and this is not ASCII"
                    ),
                    format!("read as UTF-8; {OVERRIDE}"),
                );
            }
            Question::Report => {
                if let Some(Verdict { encoding, reason }) =
                    evidence::contradicts(window, to_end, decision.used)
                {
                    decision.evidence.push(format!("and yet {reason}"));
                    report(
                        codes::ENCODING_CONTRADICTED,
                        format!("CHAR says {said}, but {reason}"),
                        format!(
                            "read as {}, as CHAR says; `--encoding {encoding}` reads it otherwise",
                            decision.used
                        ),
                    );
                }
            }
            Question::BehindMark => {
                let Verdict { encoding, reason } = evidence::judge(window, to_end);
                if encoding == Encoding::Utf8 {
                    decision.used = Encoding::Utf8;
                }
                decision.because = Because::Content;
                decision.evidence.push(format!("{reason}, so the text is read as {}", decision.used));
            }
            Question::Ascii => {
                let Verdict { encoding, reason } = evidence::judge(window, to_end);
                decision.used = encoding;
                decision.because = Because::Content;
                decision.evidence.push(format!("not all octets are ASCII; {reason}"));
                report(
                    codes::ENCODING_CONTRADICTED,
                    format!("CHAR says {said}, but here is an octet that is not ASCII"),
                    format!("read as {encoding}, because {reason}; {OVERRIDE}"),
                );
            }
            Question::Which => {
                let Verdict { encoding, reason } = evidence::judge(window, to_end);
                decision.used = encoding;
                decision.because = Because::Content;
                decision.evidence.push(reason.clone());
                // A CHAR that does not decide has been reported for what it says.
                if decision.specified.is_none() {
                    report(
                        codes::ENCODING_BY_CONTENT,
                        "expected CHAR to say which encoding this is".to_owned(),
                        format!("read as {encoding}, because {reason}; {OVERRIDE}"),
                    );
                }
            }
        }
    }
}
