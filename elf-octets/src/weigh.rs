//! Compares CHAR with the encoding that the first bytes of the file show.

use crate::detection::{Detection, OpenCase};
use crate::encoding::Scheme;
use crate::file_kind::FileKind;
use crate::findings::{PendingFinding, Region, char_finding, quote_visibly};
use crate::names::{self, CharName};
use crate::prescan::{Detected, HeaderScan};
use crate::{Decision, DetectedBy, Encoding, EncodingReason, Options};
use elf_base::rules::Prescan;
use elf_base::{Class, Code, Diagnostic, Rules, codes};

/// Decides the encoding as far as the first bytes and the header allow it.
pub(crate) fn decide_from_header(
    octets: &[u8],
    kind: Option<FileKind>,
    detected: Detected,
    scan: &HeaderScan,
    rules: &Rules,
    options: &Options,
) -> Detection {
    let mut maker = DecisionBuilder {
        octets,
        kind,
        detected,
        scan,
        rules,
        waiting: Vec::new(),
        evidence: Vec::new(),
        ended: false,
    };
    maker.note_evidence();
    maker.ended = maker.check_start(options);
    maker.decide(options)
}

/// Advice in findings about a decision on the encoding. The user can override this decision.
pub(crate) const OVERRIDE: &str = "if that is wrong, name the right encoding";

/// The encoding that is used, the reason for it, and the question that is still open.
#[derive(Clone, Copy)]
struct Outcome {
    used: Encoding,
    because: EncodingReason,
    open: Option<OpenCase>,
}

impl Outcome {
    const fn new(used: Encoding, because: EncodingReason, open: Option<OpenCase>) -> Outcome {
        Outcome { used, because, open }
    }
}

/// The evidence for the decision, and the findings so far.
struct DecisionBuilder<'a> {
    octets: &'a [u8],
    /// The kind of the file, if the file is neither GEDCOM nor ELF.
    kind: Option<FileKind>,
    detected: Detected,
    scan: &'a HeaderScan,
    rules: &'a Rules,
    waiting: Vec<PendingFinding>,
    evidence: Vec<String>,
    /// Whether the rules stop reading the file at its start.
    ended: bool,
}

impl DecisionBuilder<'_> {
    fn note_evidence(&mut self) {
        self.evidence.push(match (self.detected.by, self.detected.encoding) {
            (Some(DetectedBy::ByteOrderMark), Some(encoding)) => {
                format!("starts with the byte-order mark of {encoding}")
            }
            (Some(DetectedBy::FirstOctets), Some(encoding)) => {
                format!("no byte-order mark, but the first two bytes are a character of {encoding}")
            }
            (Some(DetectedBy::External), Some(encoding)) => format!("an external source says {encoding}"),
            _ => "no byte-order mark, and the first bytes are not UTF-16".to_owned(),
        });
        self.evidence.push(match (&self.scan.char, &self.scan.version) {
            (Some(found), Some(version)) => {
                let (said, version) = (quote_visibly(&found.payload), quote_visibly(version));
                format!("line {} says CHAR {said}, with VERS {version} under it", found.line)
            }
            (Some(found), None) => format!("line {} says CHAR {}", found.line, quote_visibly(&found.payload)),
            (None, _) if self.rules.octets.prescan.reads_char() => "the header has no CHAR".to_owned(),
            (None, _) => "GEDCOM 7 is UTF-8".to_owned(),
        });
    }

    /// Returns whether errors stop the reading, as in December 2019.
    fn is_strict(&self) -> bool {
        self.rules.octets.ends_at_faults()
    }

    /// Reports an error at the start of the file. Returns whether the rules stop reading there.
    fn check_start(&mut self, options: &Options) -> bool {
        // If the caller demands an encoding, the bytes are read as text, even if they look like another kind of file.
        if let Some(kind) = self.kind.filter(|_| options.forced.is_none()) {
            self.evidence.push(format!("it starts like {kind}"));
            let message = format!("the file looks like {kind}, not like GEDCOM or ELF");
            let code = match kind {
                FileKind::Utf32 | FileKind::Ebcdic => codes::ENCODING_UNSUPPORTED,
                _ => codes::NOT_ELF,
            };
            self.add_finding(Diagnostic::new(code, self.rules, message).help(kind.advice()), None);
            return true;
        }
        // The zero byte comes before the end of its line, so it is reported before the line is checked.
        if let Some((_, at)) = self.scan.nul.filter(|_| options.forced.is_none()) {
            let help = "if the file is UTF-16, name UTF-16LE or UTF-16BE as its encoding";
            let message = "expected text in an encoding based on ASCII, but found a zero byte before CHAR";
            self.add_finding(Diagnostic::new(codes::NUL_IN_SCAN, self.rules, message).help(help), Some(at));
            if self.is_strict() {
                return true;
            }
        }
        let Some(message) = self.wrong_start() else { return false };
        let mut found = Diagnostic::new(codes::NOT_ELF, self.rules, message);
        if self.detected.repeated {
            found = found.help("both are skipped");
        } else if let Some(kind) = self.kind {
            found = found.help(format!("it looks like {kind}: {}", kind.advice()));
        }
        self.add_finding(found, self.scan.first.as_ref().map(|(_, range)| range.start));
        self.is_strict()
    }

    /// Describes the error in the first line, if there is one.
    fn wrong_start(&self) -> Option<&'static str> {
        let Some((_, range)) = &self.scan.first else {
            return Some("expected `0 HEAD`, but the file has no line");
        };
        if self.detected.repeated {
            return Some("expected `0 HEAD` after the byte-order mark, but found a second mark");
        }
        let line = &self.body()[range.clone()];
        // The drafts of 2017 replace escapes before they split text into lines, so `0 HE@#U41@D` may be a header.
        let escaped = self.rules.octets.stream_escapes && memchr::memmem::find(line, b"@#").is_some();
        (self.scan.head == Some(false) && !escaped).then_some("expected `0 HEAD` as the first line")
    }

    fn body(&self) -> &[u8] {
        &self.octets[self.detected.mark..]
    }

    fn add_finding(&mut self, finding: Diagnostic, at: Option<usize>) {
        self.waiting.push(PendingFinding { finding, at: at.map(|at| self.detected.mark + at) });
    }

    fn at_char(&self) -> Option<usize> {
        self.scan.char.as_ref().map(|found| found.at)
    }

    fn decide(mut self, options: &Options) -> Detection {
        let default = match self.rules.octets.prescan {
            Prescan::December | Prescan::Gedcom70 => Encoding::Utf8,
            Prescan::Early => Encoding::Ansel,
        };
        let Outcome { used, because, open } = match options.forced {
            Some(forced) => {
                self.evidence.push(format!("you chose {forced}"));
                Outcome::new(forced, EncodingReason::Forced, None)
            }
            None if self.ended => match self.detected.encoding {
                Some(encoding) => Outcome::new(encoding, EncodingReason::Detected, None),
                None => Outcome::new(default, EncodingReason::Default, None),
            },
            None => self.weigh_char(default),
        };
        if !self.ended
            && matches!(used, Encoding::Ascii | Encoding::Ansel | Encoding::Utf16Le | Encoding::Utf16Be)
        {
            let message = match codes::ENCODING_DEPRECATED.class(self.rules.format) {
                Class::Deprecated => format!("{used} is deprecated"),
                _ => format!("expected UTF-8, but the file is {used}"),
            };
            let found = Diagnostic::new(codes::ENCODING_DEPRECATED, self.rules, message)
                .help("UTF-8 is recommended for every file");
            self.add_finding(found, self.at_char());
        }
        let char = self.scan.char.as_ref();
        let mark = self.detected.mark;
        let region = Region::start_of_file(self.octets, mark);
        let specified_at =
            self.at_char().map(|at| region.place_of_octet(mark + at, used, &self.rules.octets).0);
        let decision = Decision {
            detected: self.detected.encoding,
            detected_by: self.detected.by,
            specified: char.map(|found| found.payload.as_str().into()),
            specified_at,
            version: self.scan.version.as_deref().map(Into::into),
            used,
            because,
            mark: mark > 0,
            rivals: Vec::new(),
            evidence: self.evidence,
            feeds_break_payloads: false,
            rules: *self.rules,
        };
        let hints =
            self.scan.hints.with_code_page(char.map(|_| used).filter(|_| open == Some(OpenCase::CodePage)));
        Detection { decision, mark, ended: self.ended, open, hints, waiting: self.waiting }
    }

    /// Compares CHAR with the detected encoding.
    fn weigh_char(&mut self, default: Encoding) -> Outcome {
        let rules = self.rules;
        let content = rules.octets.content;
        let Detected { encoding: detected, by, .. } = self.detected;
        // The result if CHAR does not decide.
        let otherwise = match detected {
            Some(encoding) => Outcome::new(encoding, EncodingReason::Detected, None),
            None => Outcome::new(default, EncodingReason::Default, content.then_some(OpenCase::NoCharName)),
        };
        let Some(found) = &self.scan.char else {
            if !rules.octets.prescan.reads_char() {
                return Outcome { open: None, ..otherwise };
            }
            // A file of GEDCOM 7 does not name its encoding. If other rules apply, the version of the file is reported
            // instead.
            if self.scan.gedcom_7 {
                return otherwise;
            }
            let help = match otherwise.open {
                Some(_) => "detected from the content".to_owned(),
                None => format!("the file is read as {}", otherwise.used),
            };
            // If the header is missing, CHAR is missing for that reason, and the header has been reported already.
            let headless = self.wrong_start().is_some() && !self.detected.repeated;
            if let Some((_, range)) = self.scan.first.as_ref().filter(|_| !headless) {
                let message = "expected CHAR in the header, but found none";
                let found = char_finding(codes::ENCODING_UNNAMED, rules, message).help(help);
                self.add_finding(found, Some(range.start));
            }
            return otherwise;
        };
        let said = quote_visibly(&found.payload);
        let named = names::parse_char_name(&found.payload, self.scan.version.as_deref(), rules.octets.names);
        let utf16 = detected.filter(|encoding| encoding.is_utf16());
        let help = |outcome: &Outcome| match outcome.open {
            Some(_) => format!("detected from the content; {OVERRIDE}"),
            None => format!("the file is read as {}; {OVERRIDE}", outcome.used),
        };
        let specified = match named {
            CharName::Standard(encoding) => encoding,
            // The help says what the name means, because the bytes may still show that the file is in another encoding.
            CharName::Misspelled(encoding) => {
                self.add_finding_at_char(
                    codes::ENCODING_UNKNOWN,
                    format!("expected an encoding name in capital letters, but found {said}"),
                    format!("this name means {encoding}"),
                );
                encoding
            }
            CharName::Alias(encoding) => {
                self.add_alias_finding(&said, format!("this name means {encoding}"));
                encoding
            }
            CharName::CodePage(encoding) => {
                let help = format!("this name means the code page of some computer, usually {encoding}");
                self.add_alias_finding(&said, help);
                encoding
            }
            CharName::Unicode | CharName::UnicodeAlias => {
                let Some(encoding) = utf16 else {
                    self.add_finding_at_char(
                        codes::ENCODING_CONTRADICTED,
                        format!("CHAR says {said}, but the bytes are not UTF-16"),
                        help(&otherwise),
                    );
                    return otherwise;
                };
                if named == CharName::UnicodeAlias {
                    self.add_alias_finding(&said, format!("this name means {encoding}"));
                }
                encoding
            }
            CharName::Unsupported => {
                // The draft requires to “report an error and stop” (D19 *Specified character encodings*).
                self.ended = self.is_strict();
                self.add_finding_at_char(
                    codes::ENCODING_UNSUPPORTED,
                    format!("unsupported encoding {said}"),
                    if self.ended { OVERRIDE.to_owned() } else { help(&otherwise) },
                );
                return otherwise;
            }
            CharName::Unknown => {
                self.add_finding_at_char(
                    codes::ENCODING_UNKNOWN,
                    format!("unknown encoding {said}"),
                    help(&otherwise),
                );
                return otherwise;
            }
        };
        let outcome = self.resolve_contradictions(specified, utf16, detected, by);
        let is_vague =
            matches!(named, CharName::CodePage(_)) && outcome.open == Some(OpenCase::SingleByteCharName);
        Outcome { open: if is_vague { Some(OpenCase::CodePage) } else { outcome.open }, ..outcome }
    }

    /// Decides between the encoding that CHAR names and the detected encoding.
    fn resolve_contradictions(
        &mut self,
        specified: Encoding,
        utf16: Option<Encoding>,
        detected: Option<Encoding>,
        by: Option<DetectedBy>,
    ) -> Outcome {
        let content = self.rules.octets.content;
        let obeyed = Outcome::new(specified, EncodingReason::Specified, None);
        let code = match by {
            Some(DetectedBy::ByteOrderMark) => codes::ENCODING_CONTRADICTS_MARK,
            _ => codes::ENCODING_CONTRADICTED,
        };
        let witness = match by {
            Some(DetectedBy::ByteOrderMark) => "the byte-order mark says",
            Some(DetectedBy::External) => "an external source says",
            _ => "the first bytes are",
        };
        match (detected, utf16) {
            (Some(detected), _) if detected == specified => obeyed,
            (_, Some(utf16)) => {
                self.add_finding_at_char(
                    code,
                    format!("CHAR says {specified}, but {witness} {utf16}"),
                    format!(
                        "the file is read as {utf16}, because the bytes make no sense in other encodings; {OVERRIDE}"
                    ),
                );
                Outcome::new(utf16, EncodingReason::Detected, None)
            }
            (Some(Encoding::Utf8), None) if by == Some(DetectedBy::ByteOrderMark) => {
                if specified == Encoding::Ascii && self.rules.octets.prescan.reads_ascii_after_mark() {
                    return Outcome { open: Some(OpenCase::AsciiBehindMark), ..obeyed };
                }
                let (help, open) = if content {
                    ("the file is read as UTF-8 if the content is valid UTF-8", Some(OpenCase::BehindMark))
                } else {
                    ("read in the encoding that CHAR names", None)
                };
                self.add_finding_at_char(
                    code,
                    format!("CHAR says {specified}, but {witness} UTF-8"),
                    format!("{help}; {OVERRIDE}"),
                );
                Outcome { open, ..obeyed }
            }
            (Some(detected), None) => {
                self.add_finding_at_char(
                    code,
                    format!("CHAR says {specified}, but {witness} {detected}"),
                    format!("the file is read as {specified}, as CHAR says; {OVERRIDE}"),
                );
                obeyed
            }
            (None, None) => {
                let open = match specified.scheme() {
                    Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be => None,
                    Scheme::Ascii => Some(OpenCase::Ascii),
                    Scheme::Ansel | Scheme::Page => Some(OpenCase::SingleByteCharName),
                };
                Outcome { open: open.filter(|_| content), ..obeyed }
            }
        }
    }

    fn add_alias_finding(&mut self, said: &str, help: String) {
        let message = format!("non-standard encoding name {said}: expected ASCII, ANSEL, UNICODE or UTF-8");
        self.add_finding_at_char(codes::ENCODING_ALIAS, message, help);
    }

    fn add_finding_at_char(&mut self, code: Code, message: String, help: String) {
        self.add_finding(char_finding(code, self.rules, message).help(help), self.at_char());
    }
}
