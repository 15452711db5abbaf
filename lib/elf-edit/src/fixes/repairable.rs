//! The number of findings that safe repairs remove, of a document that is read in parts.

use super::answers::{Answers, is_of_link};
use super::batch::Batch;
use super::by_finding::RepairedFindings;
use super::changes::Changes;
use super::file_encoding::{FileEncoding, OctetsSeen, names_encoding};
use super::found::UnitFindings;
use super::refusal::{RepairRefusal, RepairedOctets};
use super::units::{Divider, PayloadFindings, Unit, is_of_payload, is_too_long};
use super::{Chosen, FixOptions};
use elf_base::{Code, Diagnostic, Rules, Safety, codes};
use elf_octets::{Decision, Passage};
use elf_tagged::{Document, Header};
use std::collections::BTreeMap;

/// The safe repairs of a document, counted part by part.
///
/// ```
/// use elf_edit::Repairable;
/// use elf_tagged::{Diagnostic, Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR utf8\n0 NOTE ada@example.org\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default()).with_run_size(1);
/// let mut repairable = Repairable::new(&Rules::WILD);
/// let mut said = Vec::new();
/// loop {
///     let mut findings: Vec<Diagnostic> = Vec::new();
///     let Some(part) = reader.next_run(&mut findings)? else { break };
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
    by_code: BTreeMap<&'static str, u64>,
    too_long: u64,
    ended: bool,
    octets: RepairedOctets,
}

/// The share of a part in the repairs of its document: for [`Repairable::add`].
#[derive(Debug)]
pub struct PartRepairs {
    /// The rules it was read by: those of GEDCOM 7 where a header says that it is.
    rules: Rules,
    seen: OctetsSeen,
    head: Option<Head>,
    by_code: BTreeMap<&'static str, u64>,
    too_long: u64,
    ended: bool,
    octets: RepairedOctets,
    repaired: RepairedFindings,
}

/// The safe repairs of a document.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Repairs {
    /// The number of findings that they remove.
    pub count: u64,
    /// The number of those of each code, by its identifier.
    pub by_code: BTreeMap<&'static str, u64>,
    /// The number of records that are left as they are, faults and all, since they are too long to be
    /// repaired in bounded memory: longer than 65,536 lines or 4 MiB.
    pub too_long: u64,
    /// The reason why nothing is repaired, whatever the parts have.
    pub refused: Option<RepairRefusal>,
    /// The repairs of the header, which the parts do not have.
    pub of_header: RepairedFindings,
    /// The lines and octets of the header that change.
    pub changes_of_header: Changes,
}

/// The findings of a part that safe repairs may concern, as far as these have to know them: a part may have
/// a fault in every line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedRepairs {
    lines: Vec<u64>,
    payloads: UnitFindings,
    /// The findings of links, of a whole document.
    links: Vec<Diagnostic>,
    lacks_trailer: bool,
}

impl WantedRepairs {
    /// Takes note of any finding, to be repaired or not.
    pub fn see(&mut self, finding: &Diagnostic) {
        self.lacks_trailer |= finding.code == codes::TRAILER_MISSING;
    }

    /// Tells whether the rules ended the reading of a document, or of a part of one. Such a file is not
    /// repaired: what stands behind was not read. Behind a missing trailer there is nothing.
    pub const fn is_ended(&self, document: &Document<'_>) -> bool {
        !document.is_complete() && !self.lacks_trailer
    }

    /// Takes note of a finding that is to be repaired.
    pub fn add(&mut self, finding: &Diagnostic) {
        if is_safe(finding) && is_of_link(finding) {
            self.links.push(finding.clone());
        }
        let Some(line) = Repairable::line_of(finding) else { return };
        if self.lines.last() != Some(&line) {
            self.lines.push(line);
        }
        if is_of_payload(finding) {
            self.payloads.add(finding, true);
        }
    }

    /// Tells whether there is nothing to repair.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.links.is_empty()
    }
}

impl PartRepairs {
    /// Takes note of the octets behind the header, which takes the first `head`.
    fn see_octets(&mut self, document: &Document<'_>, head: usize) {
        // What is safe was read again, and so has been written before.
        self.octets = RepairedOctets::of(document, head, self.repaired.patches()).unwrap_or_default();
    }

    /// The lines and octets that change in the part, read as `document`, those of the header apart: before
    /// the findings are taken out.
    pub fn changes(&self, document: &Document<'_>) -> Changes {
        Changes::of(document, &self.repaired)
    }

    /// Takes out the findings of the part that are repaired, those of the header apart.
    pub fn take_repaired(&mut self) -> RepairedFindings {
        std::mem::take(&mut self.repaired)
    }
}

/// The lines that hold the header: repaired when the encoding of the file is known for good.
#[derive(Debug)]
struct Head {
    passage: Passage,
    header: Header,
    /// The number of its lines.
    lines: u64,
    /// True if any finding of the header may be repaired.
    wanted: bool,
    /// The findings of its payloads.
    of_payloads: UnitFindings,
}

impl Repairable {
    /// Counts the repairs of a document that is read by `rules`.
    pub fn new(rules: &Rules) -> Repairable {
        let (seen, by_code) = (OctetsSeen::default(), BTreeMap::new());
        let octets = RepairedOctets::default();
        Repairable { rules: *rules, seen, head: None, by_code, too_long: 0, ended: false, octets }
    }

    /// The line of a finding that a safe repair may concern.
    fn line_of(finding: &Diagnostic) -> Option<u64> {
        let safe = is_safe(finding) && !names_encoding(finding) && !is_of_link(finding);
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
        findings.iter().for_each(|finding| wanted.see(finding));
        findings.iter().filter(|finding| chosen(finding)).for_each(|finding| wanted.add(finding));
        Repairable::of_wanted(document, wanted, chosen)
    }

    /// Works out the repairs of a part as [`of_part`](Repairable::of_part) does, from what was kept of those
    /// of its findings that `chosen` is true of.
    pub fn of_wanted(document: &Document<'_>, wanted: WantedRepairs, chosen: Chosen<'_>) -> PartRepairs {
        let ended = wanted.is_ended(document);
        let WantedRepairs { mut lines, payloads, links, .. } = wanted;
        lines.sort();
        let mut repairs = PartRepairs {
            rules: *document.rules(),
            seen: OctetsSeen::of(document),
            head: None,
            by_code: BTreeMap::new(),
            too_long: 0,
            ended,
            octets: RepairedOctets::default(),
            repaired: RepairedFindings::default(),
        };
        if lines.is_empty() && links.is_empty() && !document.may_hold_header() {
            repairs.see_octets(document, 0);
            return repairs;
        }
        let (source, rules) = (document.source(), document.rules());
        let payloads = PayloadFindings::of(payloads);
        let divider = Divider::new(document);
        let (mut from, mut octets_of_head) = (divider.lines.start, 0);
        if let Some((head, _)) = divider.head() {
            from = head.end;
            let passage = source.passage(head.clone());
            octets_of_head = passage.octets().len();
            repairs.head = Some(Head {
                wanted: lines.first().is_some_and(|&line| line < from),
                lines: head.end - head.start,
                of_payloads: payloads.within(&head),
                passage,
                header: document.header().clone(),
            });
        }
        let make = |passage, of_payloads| Unit {
            passage,
            rules,
            decision: source.decision(),
            header: document.header(),
            encoding: None,
            of_payloads,
            options: FixOptions::from(Safety::Safe).choosing(chosen),
        };
        let mut batch = Batch::new(document, &payloads, make);
        for (lines, passage) in divider.units(&lines, from) {
            if is_too_long(lines.end - lines.start, &passage) {
                repairs.too_long += 1;
                continue;
            }
            batch.add(lines, passage, &mut repairs.repaired);
        }
        batch.repair(&mut repairs.repaired);
        let mut answers = Answers::default();
        links.iter().for_each(|finding| answers.want(finding));
        answers.find(document);
        for finding in &links {
            if let Some(patches) = answers.patches_of(finding) {
                repairs.repaired.add_one(finding, patches);
            }
        }
        repairs.repaired.count(&mut repairs.by_code);
        repairs.see_octets(document, octets_of_head);
        repairs
    }

    /// Takes a finding that only the whole document shows, to be repaired: one of a link is, wherever its
    /// record stands. What is found of parts is repaired there.
    pub fn add_late(&mut self, finding: &Diagnostic) {
        if is_safe(finding) && is_of_link(finding) {
            *self.by_code.entry(finding.code.id()).or_default() += 1;
        }
    }

    /// Takes the repairs of the next part.
    pub fn add(&mut self, part: PartRepairs) {
        self.rules = part.rules;
        self.seen = self.seen.and(part.seen);
        self.ended |= part.ended;
        self.octets.append(part.octets);
        self.too_long += part.too_long;
        for (code, count) in part.by_code {
            *self.by_code.entry(code).or_default() += count;
        }
        if let Some(next) = part.head {
            match &mut self.head {
                Some(head) => {
                    head.passage.append(&next.passage);
                    head.header = next.header;
                    head.wanted |= next.wanted;
                    head.lines += next.lines;
                    head.of_payloads.extend(next.of_payloads.with_fixes());
                }
                head => *head = Some(next),
            }
        }
    }

    /// The repairs of the document, after the last part: `decision` is that on the encoding of the file,
    /// `said` what was found of it, `chosen` as for the parts.
    pub fn finish(self, decision: &Decision, said: &[Code], chosen: Chosen<'_>) -> Repairs {
        if self.ended {
            return Repairs { refused: Some(RepairRefusal::Ended), ..Repairs::default() };
        }
        let Repairable { rules, seen, head, mut by_code, mut too_long, octets, .. } = self;
        let (mut of_header, mut changes_of_header) = <(RepairedFindings, Changes)>::default();
        let mut octets_of_head = Vec::new();
        if let Some(Head { passage, header, lines, wanted, of_payloads }) = head {
            passage.octets().clone_into(&mut octets_of_head);
            let is_wanted = wanted || !said.is_empty();
            if is_wanted && is_too_long(lines, &passage) {
                too_long += 1;
            } else if is_wanted {
                let encoding = Some(FileEncoding::new(&passage, decision, seen, said, &rules));
                let options = FixOptions::from(Safety::Safe).choosing(chosen);
                let (rules, header) = (&rules, &header);
                let unit = Unit { passage, rules, decision, header, encoding, of_payloads, options };
                if let Some((document, fixes, findings)) = unit.repaired(&mut ()) {
                    of_header.add(&document, fixes, &findings, 0);
                    changes_of_header = Changes::of(&document, &of_header);
                    octets_of_head =
                        document.source().splice_lines(of_header.patches()).unwrap_or(octets_of_head);
                }
            }
        }
        let is_head_changed = !changes_of_header.patches.is_empty();
        let refused = octets.refusal(octets_of_head, is_head_changed, decision, &rules);
        if refused.is_some() {
            return Repairs { refused, too_long, ..Repairs::default() };
        }
        of_header.count(&mut by_code);
        let count = by_code.values().sum();
        Repairs { count, by_code, too_long, refused, of_header, changes_of_header }
    }
}

fn is_safe(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe)
}
