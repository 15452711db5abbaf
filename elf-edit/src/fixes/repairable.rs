//! The number of findings that safe repairs remove, of a document that is read in parts.

use super::by_finding::{RepairedFinding, by_finding};
use super::file_encoding::{FileEncoding, OctetsSeen, names_encoding};
use super::units::{Divider, PayloadFindings, Unit, is_of_payload, judged};
use super::{Chosen, FixOptions};
use elf_base::{Code, Diagnostic, Rules, Safety};
use elf_octets::{Decision, Passage};
use elf_tagged::{Document, Header};

/// The safe repairs of a document, counted part by part.
///
/// ```
/// use elf_edit::Repairable;
/// use elf_tagged::{Diagnostic, Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR utf8\n0 NOTE ada@example.org\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default()).with_part_size(1);
/// let mut repairable = Repairable::new(&Rules::WILD);
/// let mut said = Vec::new();
/// loop {
///     let mut findings: Vec<Diagnostic> = Vec::new();
///     let Some(part) = reader.next_part(&mut findings)? else { break };
///     said.extend(findings.iter().filter_map(Repairable::about_encoding));
///     let part = Repairable::of_part(&part, &findings, &|_| true);
///     repairable.add(part);
/// }
/// let decision = reader.decision().expect("there was a part");
/// assert_eq!(repairable.finish(decision, &said, &|_| true).count, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Repairable {
    rules: Rules,
    seen: OctetsSeen,
    head: Option<Head>,
    count: u64,
}

/// The share of a part in the repairs of its document: for [`Repairable::add`].
#[derive(Debug)]
pub struct PartRepairs {
    seen: OctetsSeen,
    head: Option<Head>,
    count: u64,
    repaired: Vec<RepairedFinding>,
}

/// The safe repairs of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repairs {
    /// The number of findings that they remove.
    pub count: u64,
    /// The repairs of the header, which the parts do not have.
    pub of_header: Vec<RepairedFinding>,
}

/// The findings of a part that safe repairs may concern, as far as these have to know them: a part may have
/// a fault in every line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedRepairs {
    lines: Vec<u64>,
    payloads: Vec<Diagnostic>,
}

impl WantedRepairs {
    /// Takes note of a finding that is to be repaired.
    pub fn add(&mut self, finding: &Diagnostic) {
        let Some(line) = Repairable::line_of(finding) else { return };
        if self.lines.last() != Some(&line) {
            self.lines.push(line);
        }
        if is_of_payload(finding) {
            self.payloads.push(judged(finding.clone()));
        }
    }

    /// Tells whether there is nothing to repair.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

impl PartRepairs {
    /// Takes out the findings of the part that are repaired, those of the header apart.
    pub fn take_repaired(&mut self) -> Vec<RepairedFinding> {
        std::mem::take(&mut self.repaired)
    }
}

/// The lines that hold the header: repaired when the encoding of the file is known for good.
#[derive(Debug)]
struct Head {
    passage: Passage,
    header: Header,
    /// True if any finding of the header may be repaired.
    wanted: bool,
    /// The findings of its payloads.
    of_payloads: Vec<Diagnostic>,
}

impl Repairable {
    /// Counts the repairs of a document that is read by `rules`.
    pub fn new(rules: &Rules) -> Repairable {
        Repairable { rules: *rules, seen: OctetsSeen::default(), head: None, count: 0 }
    }

    /// The line of a finding that a safe repair may concern.
    fn line_of(finding: &Diagnostic) -> Option<u64> {
        let is_safe = finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
        let safe = is_safe && !names_encoding(finding);
        finding.place.filter(|_| safe).map(|place| place.line)
    }

    /// The code of a finding about the encoding of the file, for [`finish`](Repairable::finish).
    pub fn about_encoding(finding: &Diagnostic) -> Option<Code> {
        names_encoding(finding).then_some(finding.code)
    }

    /// Works out the repairs of a part, or of a whole document, of those of its findings that `chosen` is
    /// true of. That can be done on any thread.
    pub fn of_part(document: &Document<'_>, findings: &[Diagnostic], chosen: Chosen<'_>) -> PartRepairs {
        let mut wanted = WantedRepairs::default();
        findings.iter().filter(|finding| chosen(finding)).for_each(|finding| wanted.add(finding));
        Repairable::of_wanted(document, wanted, chosen)
    }

    /// Works out the repairs of a part as [`of_part`](Repairable::of_part) does, from what was kept of those
    /// of its findings that `chosen` is true of.
    pub fn of_wanted(document: &Document<'_>, wanted: WantedRepairs, chosen: Chosen<'_>) -> PartRepairs {
        let WantedRepairs { mut lines, payloads } = wanted;
        lines.sort_unstable();
        let mut repairs =
            PartRepairs { seen: OctetsSeen::of(document), head: None, count: 0, repaired: Vec::new() };
        if lines.is_empty() && !document.may_hold_header() {
            return repairs;
        }
        let (source, rules) = (document.source(), document.rules());
        let payloads = PayloadFindings::of(&payloads, chosen);
        let divider = Divider::new(document);
        let mut from = divider.lines.start;
        if let Some((head, _)) = divider.head() {
            from = head.end;
            repairs.head = Some(Head {
                wanted: lines.first().is_some_and(|&line| line < from),
                of_payloads: payloads.within(&head),
                passage: source.passage(head),
                header: document.header().clone(),
            });
        }
        for (lines, passage) in divider.units(&lines, from) {
            let unit = Unit {
                passage,
                rules,
                decision: source.decision(),
                header: document.header(),
                encoding: None,
                of_payloads: payloads.within(&lines),
            };
            let (fixes, findings) = unit.fixes(FixOptions::from(Safety::Safe).choosing(chosen), &mut ());
            repairs.count += fixes.repaired.len() as u64;
            repairs.repaired.extend(by_finding(fixes, &findings, chosen));
        }
        repairs
    }

    /// Takes the repairs of the next part.
    pub fn add(&mut self, part: PartRepairs) {
        self.seen = self.seen.and(part.seen);
        self.count += part.count;
        if let Some(next) = part.head {
            match &mut self.head {
                Some(head) => {
                    head.passage.append(&next.passage);
                    head.header = next.header;
                    head.wanted |= next.wanted;
                    head.of_payloads.extend(next.of_payloads);
                }
                head => *head = Some(next),
            }
        }
    }

    /// The repairs of the document, after the last part: `decision` is that on the encoding of the file,
    /// `said` what was found of it, `chosen` as for the parts.
    pub fn finish(self, decision: &Decision, said: &[Code], chosen: Chosen<'_>) -> Repairs {
        let Repairable { rules, seen, head, count } = self;
        let mut repairs = Repairs { count, of_header: Vec::new() };
        let Some(Head { passage, header, wanted, of_payloads }) = head else { return repairs };
        if !wanted && said.is_empty() {
            return repairs;
        }
        let encoding = FileEncoding::new(&passage, decision, seen, said, &rules);
        let encoding = Some(encoding);
        let unit = Unit { passage, rules: &rules, decision, header: &header, encoding, of_payloads };
        let (fixes, findings) = unit.fixes(FixOptions::from(Safety::Safe).choosing(chosen), &mut ());
        repairs.count += fixes.repaired.len() as u64;
        repairs.of_header.extend(by_finding(fixes, &findings, chosen));
        repairs
    }
}
