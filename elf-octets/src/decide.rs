//! Decides on one encoding from the first octets, CHAR, and the evidence of all octets.

use crate::detection::{Detection, OpenCase};
use crate::evidence::{self, CharCheck, Verdict};
use crate::file_kind::FileKind;
use crate::findings::{PendingFinding, Region, about_char, quoted};
use crate::prescan;
use crate::units::Units;
use crate::weigh::{OVERRIDE, weigh};
use crate::{Decision, Encoding, EncodingReason, LineBreaks, Options};
use elf_base::{Code, Rules, Sink, codes};

/// The most bytes that are examined to detect the encoding from the content, counted from the first byte that is not
/// ASCII. ASCII reads the same in every encoding based on it, so the bytes before it do not matter.
pub const EVIDENCE_LIMIT: usize = 1 << 20;

/// The number of bytes at the start of a file that are examined to find out how its lines end.
pub const BREAKS_LIMIT: usize = 1 << 18;

/// Decides the encoding of `octets` and reports contradictions, such as a CHAR that names another encoding.
///
/// The order is that of D19 *Parsing and serialising line strings*: the encoding that CHAR specifies, else
/// the one the octets show, else the default of the rules. Detected UTF-16 beats CHAR under all rules,
/// because no other encoding could make sense of the octets. Where the rules allow ([`OctetRules::content`]),
/// the octets decide if CHAR is missing, unknown or impossible, and if the encoding of single octets that it
/// names makes sense of fewer of them than another one.
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
/// // December 2019 does not know the name, so the default is used.
/// let decision = decide(file, &Rules::DECEMBER_2019, &Options::default(), &mut ());
/// assert_eq!((decision.used, decision.because), (Encoding::Utf8, EncodingReason::Default));
/// ```
pub fn decide(octets: &[u8], rules: &Rules, options: &Options, sink: &mut dyn Sink) -> Decision {
    Detection::of_whole_file(octets, rules, options, sink).decision
}

impl Detection {
    /// The decision as far as first octets and header take it.
    ///
    /// `octets` are those that the header takes, and `start` those that show the kind of the file.
    pub(crate) fn of(octets: &[u8], start: &[u8], rules: &Rules, options: &Options) -> Detection {
        let detected = prescan::detect(octets, rules, options);
        // A byte-order mark is only detected at the start of the bytes.
        let body = &octets[detected.mark..];
        let mut scan = prescan::scan(body, options.forced.or(detected.encoding), rules);
        let mut rules = *rules;
        if scan.gedcom_7 {
            rules = rules.of_gedcom_7();
        }
        if scan.gedcom_7_1 {
            rules = rules.of_gedcom_7_1();
        }
        if !rules.octets.prescan.heeds_char() {
            (scan.char, scan.version) = (None, None);
        }
        let kind = if scan.head == Some(true) { None } else { FileKind::of(start) };
        weigh(Detection::header(octets, detected.mark), kind, detected, &scan, &rules, options)
    }

    /// The whole decision about a whole file.
    pub(crate) fn of_whole_file(
        octets: &[u8],
        rules: &Rules,
        options: &Options,
        sink: &mut dyn Sink,
    ) -> Detection {
        let mut detection = Detection::of(octets, octets, rules, options);
        let rules = &detection.decision.rules.clone();
        detection.count_breaks(octets);
        let answered = detection.answer_from_file(octets, rules);
        let (mark, used) = (detection.mark, detection.decision.used);
        let waiting = std::mem::take(&mut detection.waiting);
        let header = Region::start_of_file(Detection::header(octets, mark), mark);
        header.report(waiting, used, &rules.octets, sink);
        Region::start_of_file(octets, mark).report(answered, used, &rules.octets, sink);
        detection
    }

    /// Finds out from the start of a file, at least [`BREAKS_LIMIT`] octets or all there are, how it ends its
    /// lines.
    pub(crate) fn count_breaks(&mut self, octets: &[u8]) {
        let octets = octets.get(..BREAKS_LIMIT).unwrap_or(octets);
        let breaks = LineBreaks::of_octets(
            &octets[self.mark.min(octets.len())..],
            Units::of(Some(self.decision.used)),
        );
        self.decision.feeds_break_payloads =
            self.decision.rules.octets.lone_feeds.break_payloads() && breaks.are_mostly_crlf();
    }

    /// Returns the part of a file in which the header is looked for, at most `prescan::HEADER_LIMIT` octets
    /// after the mark: a file read in blocks has no more than that available.
    fn header(octets: &[u8], mark: usize) -> &[u8] {
        octets.get(..mark + prescan::HEADER_LIMIT).unwrap_or(octets)
    }

    /// Returns the units in which octets are taken for lines before the encoding is known.
    pub(crate) fn units(octets: &[u8], rules: &Rules, options: &Options) -> Units {
        Units::of(options.forced.or(prescan::detect(octets, rules, options).encoding))
    }

    /// Returns whether the header has to be scanned again when more octets than `octets` are available.
    pub(crate) fn needs_more(octets: &[u8], rules: &Rules, options: &Options) -> bool {
        let detected = prescan::detect(octets, rules, options);
        let body = &octets[detected.mark..];
        body.len() < prescan::HEADER_LIMIT
            && prescan::scan(body, options.forced.or(detected.encoding), rules).unfinished
    }

    /// Returns whether a finding about `header` can only be shown when the open question is answered.
    pub(crate) fn must_wait(&self, header: Region<'_>) -> bool {
        let shown = |waiting: &PendingFinding| waiting.at.is_none_or(|at| header.is_ascii_at(at, Units::One));
        self.open.is_some() && !self.waiting.iter().all(shown)
    }

    /// Answers the open question from octets of the whole file. Returns the findings about the answer.
    fn answer_from_file(&mut self, octets: &[u8], rules: &Rules) -> Vec<PendingFinding> {
        let Some(start) = self.open.and_then(|_| self.first_evidence(octets, self.mark)) else {
            return Vec::new();
        };
        let end = octets.len().min(start.saturating_add(EVIDENCE_LIMIT));
        self.answer(&octets[..end], start, self.mark, end == octets.len(), rules)
    }

    /// Returns the offset of the first octet after `mark` that is not ASCII.
    pub(crate) fn first_evidence(&self, octets: &[u8], mark: usize) -> Option<usize> {
        let body = &octets[mark..];
        let ascii = encoding_rs::Encoding::ascii_valid_up_to(body);
        (ascii < body.len()).then_some(mark + ascii)
    }

    /// Answers the open question from octets whose first that is not ASCII is at `start`, after `mark`;
    /// `to_end` says whether the file ends with them. Returns the findings about the answer.
    pub(crate) fn answer(
        &mut self,
        octets: &[u8],
        start: usize,
        mark: usize,
        to_end: bool,
        rules: &Rules,
    ) -> Vec<PendingFinding> {
        let Some(question) = self.open.take() else { return Vec::new() };
        // One more byte shows whether a word continues.
        let window = &octets[start.saturating_sub(1).max(mark)..];
        let said = quoted(self.decision.specified.as_deref().unwrap_or_default());
        let finding = match question {
            OpenCase::AsciiBehindMark => Some(self.decide_for_mark(&said)),
            OpenCase::CharName => {
                let check = evidence::check_char_name(window, to_end, self.decision.used, self.hints);
                self.apply_char_check(check, &said)
            }
            OpenCase::CodePage => {
                let check = evidence::check_code_page(window, to_end, self.decision.used, self.hints);
                self.apply_char_check(check, &said)
            }
            OpenCase::BehindMark => {
                let Verdict { encoding, reason, .. } =
                    evidence::detect_by_content(window, to_end, self.hints);
                if encoding == Encoding::Utf8 {
                    self.decision.used = Encoding::Utf8;
                }
                self.decision.because = EncodingReason::Content;
                let used = self.decision.used;
                self.decision.evidence.push(format!("{reason}, so the file is read as {used}"));
                None
            }
            OpenCase::Ascii => {
                let verdict = evidence::detect_by_content(window, to_end, self.hints);
                let evidence = format!("not all bytes are ASCII; {}", verdict.reason);
                let help = self.decide_for_content(verdict, evidence);
                let message = format!("CHAR says {said}, but this byte is not ASCII");
                Some((codes::ENCODING_CONTRADICTED, message, help))
            }
            OpenCase::Which => {
                let verdict = evidence::detect_by_content(window, to_end, self.hints);
                let evidence = verdict.reason.clone();
                let help = self.decide_for_content(verdict, evidence);
                // If CHAR does not decide, it has already been reported.
                let message = "CHAR does not name the encoding".to_owned();
                let is_news = self.decision.specified.is_none();
                is_news.then_some((codes::ENCODING_BY_CONTENT, message, help))
            }
        };
        let is_uncertain = !self.decision.rivals.is_empty();
        let waiting = |(code, message, help): (Code, String, String)| {
            let mut finding = about_char(code, rules, message).help(help);
            // If the encoding is a guess, a fix that names it would hide that.
            finding.fix = finding.fix.filter(|_| !is_uncertain);
            PendingFinding { finding, at: Some(start) }
        };
        finding.into_iter().chain(self.find_uncertainty()).map(waiting).collect()
    }

    /// Returns the finding that the evidence is weak, if it is.
    fn find_uncertainty(&mut self) -> Option<(Code, String, String)> {
        let rivals = &self.decision.rivals;
        if rivals.is_empty() {
            return None;
        }
        let names: Vec<&str> = rivals.iter().map(|encoding| encoding.name()).collect();
        let names = names.join(", ");
        let used = self.decision.used;
        self.decision.evidence.push(format!("the evidence is weak: it may also be {names}"));
        let message = format!("the encoding is uncertain: {used} or {names}");
        let help = format!("read as {used}; look at a name that you know, and {OVERRIDE}");
        Some((codes::ENCODING_UNCERTAIN, message, help))
    }

    /// UTF-8, because the byte-order mark is that of it and not all octets are ASCII.
    fn decide_for_mark(&mut self, said: &str) -> (Code, String, String) {
        self.decision.used = Encoding::Utf8;
        self.decision.because = EncodingReason::Detected;
        self.decision.evidence.push("not all bytes are ASCII, so the byte-order mark decides".to_owned());
        let message = format!(
            "CHAR says {said}, but the file has the byte-order mark of UTF-8 and bytes that are not ASCII"
        );
        (codes::ENCODING_CONTRADICTS_MARK, message, format!("read as UTF-8; {OVERRIDE}"))
    }

    /// Returns the finding about CHAR that `check` calls for, and changes the decision to the encoding of
    /// the octets where they cannot be in the one that CHAR names.
    fn apply_char_check(&mut self, check: CharCheck, said: &str) -> Option<(Code, String, String)> {
        let used = self.decision.used;
        let (message, help) = match check {
            CharCheck::Stands(rivals) => {
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
                let help =
                    format!("read as {used}, as CHAR says; if the text looks wrong, it may be {encoding}");
                (format!("CHAR says {said}, but {reason}"), help)
            }
            CharCheck::Impossible(verdict) => {
                let message = format!("CHAR says {said}, but {}", verdict.reason);
                let evidence = format!("but {}, so the file cannot be {used}", verdict.reason);
                (message, self.decide_for_content(verdict, evidence))
            }
        };
        Some((codes::ENCODING_CONTRADICTED, message, help))
    }

    /// Decides as the octets show. Returns the help of the finding: how the file is read, and why.
    fn decide_for_content(&mut self, verdict: Verdict, evidence: String) -> String {
        let Verdict { encoding, reason, rivals } = verdict;
        self.decision.used = encoding;
        self.decision.rivals = rivals;
        self.decision.because = EncodingReason::Content;
        self.decision.evidence.push(evidence);
        format!("read as {encoding}, because {reason}; {OVERRIDE}")
    }
}
