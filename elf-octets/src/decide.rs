//! Decides the encoding of a file by its first bytes, by CHAR, and by all its bytes.

use crate::detection::{Detection, OpenCase};
use crate::evidence::{self, CharCheck, Verdict};
use crate::file_kind::FileKind;
use crate::findings::{PendingFinding, Region, char_finding, quote_visibly};
use crate::prescan;
use crate::units::Units;
use crate::weigh::{OVERRIDE, decide_from_header};
use crate::{Decision, Encoding, EncodingReason, LineBreaks, Options};
use elf_base::{Code, Rules, Sink, codes};

/// The greatest number of bytes that are examined to detect the encoding from the content. The bytes are counted from
/// the first non-ASCII byte: an ASCII byte means the same in every encoding based on ASCII, so the bytes before do not
/// matter.
pub const EVIDENCE_LIMIT: usize = 1 << 20;

/// The number of bytes at the start of a file that are examined to find out how its lines end.
pub const BREAKS_LIMIT: usize = 1 << 18;

/// Decides the encoding of `octets`. Also reports contradictions, such as a CHAR that names another encoding.
///
/// The order is that of D19 *Parsing and serialising line strings*: first the encoding that CHAR specifies, then the
/// detected one, then the default of the rules. Detected UTF-16 always overrides CHAR, because UTF-16 makes no sense in
/// another encoding.
///
/// If the rules allow it ([`OctetRules::content`]), the bytes of the file decide in two cases. In the first, CHAR is
/// missing, unknown or impossible. In the second, CHAR names a single-byte encoding, but another encoding fits the
/// bytes better.
///
/// [`OctetRules::content`]: elf_base::rules::OctetRules::content
///
/// ```
/// use elf_octets::{Encoding, EncodingReason, Options, decide};
/// use elf_base::Rules;
///
/// let file = b"0 HEAD\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME Jos\xE9\n0 TRLR\n";
/// let decision = decide(file, &Rules::WILD, &Options::default(), &mut ());
/// assert_eq!((decision.used, decision.because), (Encoding::Windows1252, EncodingReason::Specified));
/// // December 2019 does not define this name, so the default is used.
/// let decision = decide(file, &Rules::DECEMBER_2019, &Options::default(), &mut ());
/// assert_eq!((decision.used, decision.because), (Encoding::Utf8, EncodingReason::Default));
/// ```
pub fn decide(octets: &[u8], rules: &Rules, options: &Options, sink: &mut dyn Sink) -> Decision {
    Detection::of_file_in_memory(octets, rules, options, sink).decision
}

/// A problem with the encoding that the bytes of the file show.
struct EncodingProblem {
    code: Code,
    message: String,
    help: String,
}

impl Detection {
    /// Decides the encoding as far as the first bytes and the header allow it.
    ///
    /// The slice `octets` must include the header. `start` must be long enough to recognise the kind of the file.
    pub(crate) fn from_start(octets: &[u8], start: &[u8], rules: &Rules, options: &Options) -> Detection {
        let detected = prescan::detect_encoding(octets, rules, options);
        // Any further byte-order mark is text.
        let body = &octets[detected.mark..];
        let mut scan = prescan::scan_header(body, options.forced.or(detected.encoding), rules);
        let mut rules = *rules;
        if scan.gedcom_7 {
            rules = rules.of_gedcom_7();
        }
        if scan.gedcom_7_1 {
            rules = rules.of_gedcom_7_1();
        }
        if !rules.octets.prescan.reads_char() {
            (scan.char, scan.version) = (None, None);
        }
        let kind = if scan.head == Some(true) { None } else { FileKind::of(start) };
        decide_from_header(
            Detection::header_part(octets, detected.mark),
            kind,
            detected,
            &scan,
            &rules,
            options,
        )
    }

    pub(crate) fn of_file_in_memory(
        octets: &[u8],
        rules: &Rules,
        options: &Options,
        sink: &mut dyn Sink,
    ) -> Detection {
        let mut detection = Detection::from_start(octets, octets, rules, options);
        let rules = &detection.decision.rules.clone();
        detection.count_breaks(octets);
        let answered = detection.decide_open_case_in_memory(octets, rules);
        let (mark, used) = (detection.mark, detection.decision.used);
        let waiting = std::mem::take(&mut detection.waiting);
        let header = Region::start_of_file(Detection::header_part(octets, mark), mark);
        header.report(waiting, used, &rules.octets, sink);
        Region::start_of_file(octets, mark).report(answered, used, &rules.octets, sink);
        detection
    }

    /// Finds out which line breaks a file uses. `octets` must have [`BREAKS_LIMIT`] bytes, or the whole file.
    pub(crate) fn count_breaks(&mut self, octets: &[u8]) {
        let octets = octets.get(..BREAKS_LIMIT).unwrap_or(octets);
        let breaks = LineBreaks::of_octets(
            &octets[self.mark.min(octets.len())..],
            Units::of(Some(self.decision.used)),
        );
        self.decision.feeds_break_payloads =
            self.decision.rules.octets.lone_feeds.break_payloads() && breaks.are_mostly_crlf();
    }

    /// Returns the part of a file in which the header is searched. If the file is read in blocks, at most
    /// `prescan::HEADER_LIMIT` bytes are available.
    fn header_part(octets: &[u8], mark: usize) -> &[u8] {
        octets.get(..mark + prescan::HEADER_LIMIT).unwrap_or(octets)
    }

    /// Returns the units in which bytes are split into lines before the encoding is known.
    pub(crate) fn provisional_units(octets: &[u8], rules: &Rules, options: &Options) -> Units {
        Units::of(options.forced.or(prescan::detect_encoding(octets, rules, options).encoding))
    }

    pub(crate) fn needs_more(octets: &[u8], rules: &Rules, options: &Options) -> bool {
        let detected = prescan::detect_encoding(octets, rules, options);
        let body = &octets[detected.mark..];
        body.len() < prescan::HEADER_LIMIT
            && prescan::scan_header(body, options.forced.or(detected.encoding), rules).unfinished
    }

    /// Returns whether a finding about `header` must wait for the final decision on the encoding.
    pub(crate) fn must_wait(&self, header: Region<'_>) -> bool {
        let shown = |waiting: &PendingFinding| waiting.at.is_none_or(|at| header.is_ascii_at(at, Units::One));
        self.open.is_some() && !self.waiting.iter().all(shown)
    }

    /// Answers the open question about the encoding by the bytes of the whole file. Returns findings about the
    /// decision.
    fn decide_open_case_in_memory(&mut self, octets: &[u8], rules: &Rules) -> Vec<PendingFinding> {
        let Some(start) = self.open.and_then(|_| self.first_evidence(octets, self.mark)) else {
            return Vec::new();
        };
        let end = octets.len().min(start.saturating_add(EVIDENCE_LIMIT));
        self.decide_open_case(&octets[..end], start, self.mark, end == octets.len(), rules)
    }

    /// Returns the offset of the first non-ASCII byte after the byte-order mark.
    pub(crate) fn first_evidence(&self, octets: &[u8], mark: usize) -> Option<usize> {
        let body = &octets[mark..];
        let ascii = encoding_rs::Encoding::ascii_valid_up_to(body);
        (ascii < body.len()).then_some(mark + ascii)
    }

    /// Answers the open question about the encoding by `octets`, whose first non-ASCII byte is at `start`. `to_end` is
    /// true if the file ends with these bytes. Returns findings about the decision.
    pub(crate) fn decide_open_case(
        &mut self,
        octets: &[u8],
        start: usize,
        mark: usize,
        to_end: bool,
        rules: &Rules,
    ) -> Vec<PendingFinding> {
        let Some(question) = self.open.take() else { return Vec::new() };
        // Include the byte before the first non-ASCII byte, because it shows whether this byte continues a word.
        let window = &octets[start.saturating_sub(1).max(mark)..];
        let said = quote_visibly(self.decision.specified.as_deref().unwrap_or_default());
        let finding = match question {
            OpenCase::AsciiBehindMark => Some(self.decide_for_mark(&said)),
            OpenCase::SingleByteCharName => {
                let check = evidence::check_char_name(window, to_end, self.decision.used, self.hints);
                self.apply_char_check(check, &said)
            }
            OpenCase::CodePage => {
                let check = evidence::check_code_page(window, to_end, self.decision.used, self.hints);
                self.apply_char_check(check, &said)
            }
            OpenCase::BehindMark => {
                let Verdict { encoding, reason, .. } =
                    evidence::detect_from_content(window, to_end, self.hints);
                if encoding == Encoding::Utf8 {
                    self.decision.used = Encoding::Utf8;
                }
                self.decision.because = EncodingReason::Content;
                let used = self.decision.used;
                self.decision.evidence.push(format!("{reason}, so the file is read as {used}"));
                None
            }
            OpenCase::Ascii => {
                let verdict = evidence::detect_from_content(window, to_end, self.hints);
                let evidence = format!("not all bytes are ASCII; {}", verdict.reason);
                let help = self.decide_for_content(verdict, evidence);
                let message = format!("CHAR says {said}, but this byte is not ASCII");
                Some(EncodingProblem { code: codes::ENCODING_CONTRADICTED, message, help })
            }
            OpenCase::NoCharName => {
                let verdict = evidence::detect_from_content(window, to_end, self.hints);
                let evidence = verdict.reason.clone();
                let help = self.decide_for_content(verdict, evidence);
                // If a CHAR cannot decide, that has been reported already.
                let message = "CHAR does not name the encoding".to_owned();
                let is_news = self.decision.specified.is_none();
                is_news.then_some(EncodingProblem { code: codes::ENCODING_BY_CONTENT, message, help })
            }
        };
        let is_uncertain = !self.decision.rivals.is_empty();
        let waiting = |EncodingProblem { code, message, help }| {
            let mut finding = char_finding(code, rules, message).help(help);
            // A guess must not be written into CHAR as if it were certain, so such a finding has no fix.
            finding.fix = finding.fix.filter(|_| !is_uncertain);
            PendingFinding { finding, at: Some(start) }
        };
        finding.into_iter().chain(self.find_uncertainty()).map(waiting).collect()
    }

    /// Makes the finding about weak evidence for the encoding. Returns `None` if the evidence is strong.
    fn find_uncertainty(&mut self) -> Option<EncodingProblem> {
        let rivals = &self.decision.rivals;
        if rivals.is_empty() {
            return None;
        }
        let names: Vec<&str> = rivals.iter().map(|encoding| encoding.name()).collect();
        let names = names.join(", ");
        let used = self.decision.used;
        self.decision.evidence.push(format!("the evidence is weak: it may also be {names}"));
        let message = format!("the encoding is uncertain: {used} or {names}");
        let help = format!("the file is read as {used}; look at a name that you know, and {OVERRIDE}");
        Some(EncodingProblem { code: codes::ENCODING_UNCERTAIN, message, help })
    }

    /// Decides for UTF-8, because the file has the byte-order mark of UTF-8 and non-ASCII bytes.
    fn decide_for_mark(&mut self, said: &str) -> EncodingProblem {
        self.decision.used = Encoding::Utf8;
        self.decision.because = EncodingReason::Detected;
        self.decision.evidence.push("not all bytes are ASCII, so the byte-order mark decides".to_owned());
        let message = format!(
            "CHAR says {said}, but the file has the byte-order mark of UTF-8 and bytes that are not ASCII"
        );
        EncodingProblem {
            code: codes::ENCODING_CONTRADICTS_MARK,
            message,
            help: format!("the file is read as UTF-8; {OVERRIDE}"),
        }
    }

    /// Applies the result of comparing CHAR with the bytes. If the encoding in CHAR is impossible, the bytes decide.
    /// Returns the finding about CHAR.
    fn apply_char_check(&mut self, check: CharCheck, said: &str) -> Option<EncodingProblem> {
        let used = self.decision.used;
        let (message, help) = match check {
            CharCheck::Fits(rivals) => {
                self.decision.rivals = rivals;
                return None;
            }
            CharCheck::Chance => {
                self.decision.evidence.push(format!(
                    "the bytes are valid UTF-8 only by chance: in {used} they are a letter and a quotation mark"
                ));
                return None;
            }
            CharCheck::Doubtful(Verdict { encoding, reason, .. }) => {
                self.decision.rivals = vec![encoding];
                self.decision.evidence.push(format!("but {reason}"));
                let help = format!(
                    "the file is read as {used}, as CHAR says; if the text looks wrong, it may be {encoding}"
                );
                (format!("CHAR says {said}, but {reason}"), help)
            }
            CharCheck::Impossible(verdict) => {
                let message = format!("CHAR says {said}, but {}", verdict.reason);
                let evidence = format!("but {}, so the file cannot be {used}", verdict.reason);
                (message, self.decide_for_content(verdict, evidence))
            }
        };
        Some(EncodingProblem { code: codes::ENCODING_CONTRADICTED, message, help })
    }

    /// Decides by the bytes of the file. Returns the help of the finding, which explains how the file is read, and why.
    fn decide_for_content(&mut self, verdict: Verdict, evidence: String) -> String {
        let Verdict { encoding, reason, rivals } = verdict;
        self.decision.used = encoding;
        self.decision.rivals = rivals;
        self.decision.because = EncodingReason::Content;
        self.decision.evidence.push(evidence);
        format!("the file is read as {encoding}, because {reason}; {OVERRIDE}")
    }
}
