//! The decision: from what the first octets show, what CHAR says and what the octets are, to one encoding.

use crate::evidence::{self, Verdict};
use crate::names::{self, Named};
use crate::prescan::{self, Detected, RawLines, Scan, Units};
use crate::report::quoted;
use crate::{Because, Decision, DetectedBy, Encoding, Options};
use elf_base::rules::Prescan;
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
        let mut maker = Maker { octets, detected, scan: &scan, rules, sink, evidence: Vec::new() };
        maker.note_detected();
        let ended = maker.check_start(options);
        maker.decide(options, ended)
    }

    /// The whole decision about a whole file.
    pub(crate) fn settled(octets: &[u8], rules: &Rules, options: &Options, sink: &mut dyn Sink) -> Opening {
        let mut opening = Opening::of(octets, rules, options, sink);
        opening.settle(octets, rules, sink);
        opening
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
        let said = decision.specified.as_deref().unwrap_or_default().to_owned();
        let mut report = |code: Code, message: String, help: String| {
            sink.report(Diagnostic::new(code, rules, message).at(at.0, at.1.clone()).help(help));
        };
        if question == Question::AsciiBehindMark {
            decision.used = Encoding::Utf8;
            decision.because = Because::Detected;
            decision.evidence.push("octets from 80 are not ASCII, so the byte-order mark stands".to_owned());
            report(
                codes::ENCODING_CONTRADICTS_MARK,
                "CHAR says ASCII, but the byte-order mark is that of UTF-8, and not all octets are ASCII"
                    .to_owned(),
                format!("read as UTF-8; {OVERRIDE}"),
            );
            return;
        }
        let Verdict { encoding, reason } = evidence::judge(window, to_end);
        if question == Question::Report {
            if encoding == Encoding::Utf8 {
                decision.evidence.push(format!("and yet {reason}"));
                report(
                    codes::ENCODING_CONTRADICTED,
                    format!("CHAR says {said}, but {reason}"),
                    format!(
                        "read as {}, as CHAR says; `--encoding UTF-8` reads the octets for what they seem to be",
                        decision.used
                    ),
                );
            }
            return;
        }
        if question == Question::BehindMark {
            if encoding == Encoding::Utf8 {
                decision.used = Encoding::Utf8;
            }
        } else {
            decision.used = encoding;
        }
        decision.because = Because::Content;
        decision.evidence.push(format!("{reason}, so the text is read as {}", decision.used));
        if question == Question::Ascii {
            report(
                codes::ENCODING_CONTRADICTED,
                format!("CHAR says {said}, but here is an octet from 80"),
                format!("read as {}, because {reason}; {OVERRIDE}", decision.used),
            );
        } else if question == Question::Which {
            report(
                codes::ENCODING_BY_CONTENT,
                format!("CHAR does not say which encoding this is, and {reason}"),
                format!("read as {}; {OVERRIDE}", decision.used),
            );
        }
    }
}

const OVERRIDE: &str = "`--encoding NAME` reads it in another encoding";

/// What the decision is made from.
struct Maker<'a> {
    octets: &'a [u8],
    detected: Detected,
    scan: &'a Scan,
    rules: &'a Rules,
    sink: &'a mut dyn Sink,
    evidence: Vec<String>,
}

impl Maker<'_> {
    fn note_detected(&mut self) {
        self.evidence.push(match (self.detected.by, self.detected.encoding) {
            (Some(DetectedBy::ByteOrderMark), Some(encoding)) => {
                format!("starts with the byte-order mark of {encoding}")
            }
            (Some(DetectedBy::FirstOctets), Some(encoding)) => {
                format!("no byte-order mark, but the first two octets are a character of {encoding}")
            }
            (Some(DetectedBy::External), Some(encoding)) => format!("{encoding} is given from outside"),
            _ => "no byte-order mark, and the first octets are not UTF-16".to_owned(),
        });
    }

    /// Reports a wrong start. Whether the rules end the reading there.
    fn check_start(&mut self, options: &Options) -> bool {
        let strict = self.rules.octets.prescan == Prescan::December && !self.rules.octets.content;
        let units = Units::of(options.forced.or(self.detected.encoding));
        let mut ended = false;
        // The 2017 drafts replace escapes in the stream before there are lines: `0 HE@#U41@D` is a header.
        let escaped = |range: &std::ops::Range<usize>| {
            self.rules.octets.stream_escapes
                && memchr::memmem::find(self.body().get(range.clone()).unwrap_or_default(), b"@#U").is_some()
        };
        match (&self.scan.head, &self.scan.first) {
            (Some(false), Some((_, range))) if !escaped(range) => {
                let (place, excerpt) = self.place_of_line(units, range);
                let mut diagnostic = Diagnostic::new(
                    codes::NOT_ELF,
                    self.rules,
                    "expected `0 HEAD` on the first line that is not blank, but found something else",
                )
                .at(place, excerpt);
                if let Some(what) = evidence::foreign(self.body()) {
                    diagnostic = diagnostic.help(what);
                }
                self.sink.report(diagnostic);
                ended = strict;
            }
            (None, _) => {
                self.sink.report(Diagnostic::new(
                    codes::NOT_ELF,
                    self.rules,
                    "expected `0 HEAD` on the first line that is not blank, but found no such line",
                ));
                ended = strict;
            }
            _ => {}
        }
        if let Some((_, at)) = self.scan.nul.filter(|_| !ended && options.forced.is_none()) {
            let (place, excerpt) = place_of(self.octets, self.detected.mark, units, self.detected.mark + at);
            self.sink.report(
                Diagnostic::new(
                    codes::NUL_IN_SCAN,
                    self.rules,
                    "expected text in an encoding based on ASCII, but found an octet 00 before CHAR",
                )
                .at(place, excerpt)
                .help("UTF-16 with a byte-order mark is read; `--encoding UTF-16LE` reads it without one"),
            );
            ended = strict || ended;
        }
        ended
    }

    fn body(&self) -> &[u8] {
        self.octets.get(self.detected.mark..).unwrap_or_default()
    }

    fn place_of_line(&self, units: Units, range: &std::ops::Range<usize>) -> (Place, Option<Excerpt>) {
        place_of(self.octets, self.detected.mark, units, self.detected.mark + range.start)
    }

    fn decide(mut self, options: &Options, ended: bool) -> Opening {
        let default = match self.rules.octets.prescan {
            Prescan::December => Encoding::Utf8,
            _ => Encoding::Ansel,
        };
        let (used, because, open) = match options.forced {
            Some(forced) => {
                self.evidence.push(format!("{forced} is demanded by the caller"));
                (forced, Because::Forced, None)
            }
            None if ended => (self.detected.encoding.unwrap_or(default), Because::Default, None),
            None => self.weigh(default),
        };
        if !ended && matches!(used, Encoding::Ascii | Encoding::Ansel | Encoding::Utf16Le | Encoding::Utf16Be)
        {
            let found =
                Diagnostic::new(codes::ENCODING_DEPRECATED, self.rules, format!("{used} is deprecated"))
                    .help("UTF-8 is recommended for every file");
            let found = self.at_char(found);
            self.sink.report(found);
        }
        let units = Units::of(options.forced.or(self.detected.encoding));
        let char = self.scan.char.as_ref();
        let decision = Decision {
            detected: self.detected.encoding,
            detected_by: self.detected.by,
            specified: char.map(|found| found.payload.as_str().into()),
            specified_at: char.map(|found| {
                place_of(self.octets, self.detected.mark, units, self.detected.mark + found.at).0
            }),
            version: self.scan.version.as_deref().map(Into::into),
            used,
            because,
            mark: self.detected.mark > 0,
            evidence: self.evidence,
        };
        Opening { decision, mark: self.detected.mark, ended, open }
    }

    /// Weighs CHAR against what was detected.
    fn weigh(&mut self, default: Encoding) -> (Encoding, Because, Option<Question>) {
        let rules = self.rules;
        let content = rules.octets.content;
        let Detected { encoding: detected, by, .. } = self.detected;
        // Where CHAR decides nothing.
        let otherwise = match detected {
            Some(encoding) => (encoding, Because::Detected, None),
            None => (default, Because::Default, content.then_some(Question::Which)),
        };
        let Some(found) = &self.scan.char else {
            self.evidence.push("the header has no CHAR".to_owned());
            let help = match otherwise.2 {
                Some(_) => "the octets decide".to_owned(),
                None => format!("read as {}", otherwise.0),
            };
            self.sink.report(
                Diagnostic::new(
                    codes::ENCODING_UNNAMED,
                    rules,
                    "the header does not say in which encoding the file is",
                )
                .help(help),
            );
            return otherwise;
        };
        let said = found.payload.clone();
        self.evidence.push(match &self.scan.version {
            Some(version) => format!("line {} says CHAR {said}, and VERS {version} beneath", found.line),
            None => format!("line {} says CHAR {said}", found.line),
        });
        let named = names::named(&said, self.scan.version.as_deref(), rules.octets.names);
        let utf16 = detected.filter(|encoding| encoding.is_utf16());
        let fate = |outcome: &(Encoding, Because, Option<Question>)| match outcome.2 {
            Some(_) => format!("the octets decide; {OVERRIDE}"),
            None => format!("read as {}; {OVERRIDE}", outcome.0),
        };
        let specified = match named {
            Named::Standard(encoding) => encoding,
            Named::Alias(encoding) => {
                self.report(
                    codes::ENCODING_ALIAS,
                    format!("expected ASCII, ANSEL, UNICODE or UTF-8, but found {said}"),
                    format!("taken for {encoding}"),
                );
                encoding
            }
            Named::Unicode | Named::UnicodeAlias => {
                let Some(encoding) = utf16 else {
                    self.report(
                        codes::ENCODING_CONTRADICTED,
                        format!("CHAR says {said}, but the octets are not UTF-16"),
                        fate(&otherwise),
                    );
                    return otherwise;
                };
                if named == Named::UnicodeAlias {
                    self.report(
                        codes::ENCODING_ALIAS,
                        format!("expected ASCII, ANSEL, UNICODE or UTF-8, but found {said}"),
                        format!("taken for {encoding}"),
                    );
                }
                encoding
            }
            Named::Unsupported => {
                self.report(
                    codes::ENCODING_UNSUPPORTED,
                    format!("expected an encoding that can be read, but found {said}"),
                    fate(&otherwise),
                );
                return otherwise;
            }
            Named::Unknown => {
                self.report(
                    codes::ENCODING_UNKNOWN,
                    format!("expected the name of an encoding, but found {said}"),
                    fate(&otherwise),
                );
                return otherwise;
            }
        };
        self.contradictions(specified, utf16, detected, by)
    }

    /// What becomes of a specified encoding that is known.
    fn contradictions(
        &mut self,
        specified: Encoding,
        utf16: Option<Encoding>,
        detected: Option<Encoding>,
        by: Option<DetectedBy>,
    ) -> (Encoding, Because, Option<Question>) {
        let content = self.rules.octets.content;
        let obeyed = (specified, Because::Specified, None);
        let code = match by {
            Some(DetectedBy::ByteOrderMark) => codes::ENCODING_CONTRADICTS_MARK,
            _ => codes::ENCODING_CONTRADICTED,
        };
        let witness = match by {
            Some(DetectedBy::ByteOrderMark) => "the byte-order mark is that of",
            Some(DetectedBy::External) => "what was given from outside is",
            _ => "the first octets are those of",
        };
        match (detected, utf16) {
            (Some(detected), _) if detected == specified => obeyed,
            (_, Some(utf16)) => {
                self.report(
                    code,
                    format!("CHAR says {specified}, but {witness} {utf16}"),
                    format!("read as {utf16}, since nothing else could make sense of the octets; {OVERRIDE}"),
                );
                (utf16, Because::Detected, None)
            }
            (Some(Encoding::Utf8), None) if by == Some(DetectedBy::ByteOrderMark) => {
                let december = self.rules.octets.prescan == Prescan::December;
                if specified == Encoding::Ascii && december {
                    return (specified, Because::Specified, Some(Question::AsciiBehindMark));
                }
                let (help, open) = if content {
                    ("read as UTF-8 if the octets are", Some(Question::BehindMark))
                } else {
                    ("read as CHAR says", None)
                };
                self.report(
                    code,
                    format!("CHAR says {specified}, but {witness} UTF-8"),
                    format!("{help}; {OVERRIDE}"),
                );
                (specified, Because::Specified, open)
            }
            (Some(detected), None) => {
                self.report(
                    code,
                    format!("CHAR says {specified}, but {witness} {detected}"),
                    format!("read as {specified}, as CHAR says; {OVERRIDE}"),
                );
                obeyed
            }
            (None, None) => {
                let open = match specified {
                    _ if !content => None,
                    Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => None,
                    Encoding::Ascii => Some(Question::Ascii),
                    _ => Some(Question::Report),
                };
                (specified, Because::Specified, open)
            }
        }
    }

    fn report(&mut self, code: Code, message: String, help: String) {
        let diagnostic = self.at_char(Diagnostic::new(code, self.rules, message).help(help));
        self.sink.report(diagnostic);
    }

    /// The diagnostic at the line of CHAR, if there is one.
    fn at_char(&self, diagnostic: Diagnostic) -> Diagnostic {
        match &self.scan.char {
            Some(found) => {
                let units = Units::of(self.detected.encoding);
                let (place, excerpt) =
                    place_of(self.octets, self.detected.mark, units, self.detected.mark + found.at);
                diagnostic.at(place, excerpt)
            }
            None => diagnostic,
        }
    }
}

/// The place of the octet at `offset`, from it to the end of its line, before the encoding is known.
pub(crate) fn place_of(octets: &[u8], mark: usize, units: Units, offset: usize) -> (Place, Option<Excerpt>) {
    let body = octets.get(mark..).unwrap_or_default();
    let mut lines = RawLines { octets: body, units, at: 0, number: 1 };
    let at = offset.saturating_sub(mark);
    while let Some(line) = lines.next() {
        if at < lines.at || lines.at >= body.len() {
            return place_on(body, mark as u64, units, line.number, line.octets, at);
        }
    }
    (Place::new(offset as u64, 1, 1, 1), None)
}

/// The place of the octet at `at` of `body` on a line of it, from there to the end of the line. `body` starts at
/// octet `base` of the file.
pub(crate) fn place_on(
    body: &[u8],
    base: u64,
    units: Units,
    number: u64,
    line: std::ops::Range<usize>,
    at: usize,
) -> (Place, Option<Excerpt>) {
    let at = at.clamp(line.start, line.end);
    let before = units.count(body.get(line.start..at).unwrap_or_default());
    let after = units.count(body.get(at..line.end).unwrap_or_default());
    let place = Place::new(base + at as u64, number, before + 1, before + after + 1);
    // A window that surely holds the excerpt; what stands before it is counted, not kept.
    let from = at.saturating_sub(80 * units.len()).max(line.start);
    let text = units.text(body.get(from..line.end).unwrap_or_default(), Excerpt::MAX_CHARS);
    let shift = units.count(body.get(line.start..from).unwrap_or_default());
    let mut excerpt = Excerpt::around(&text, 0, 1);
    excerpt.first_column = shift + 1;
    (place, Some(excerpt))
}
