//! Fixes one run of lines. This module applies the proposed fixes, reads the run again, and refuses the fixes that make
//! it worse.

use super::header_encoding::HeaderEncoding;
use super::kinds::{FixConditions, is_for_gedcom_5, make_fixes, reach_of};
use super::lines::{LineChanges, WrittenChanges};
use super::patched::{OwnedPatch, PatchedLines};
use super::verify::{self, StructureNumbers};
use super::{FixOptions, Refusal};
use elf_base::{Code, Detail, Diagnostic, FixAction, Rules, Safety, Sink, codes};
use elf_octets::{Decision, Passage, Patch};
use elf_tagged::path::Types;
use elf_tagged::write::Preamble;
use elf_tagged::{Document, Header, read_apart};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// The maximum number of rounds of fixes. A fix can uncover another finding, such as an at sign in a line that could
/// not be read before. In real files, only few fixes depend on each other in this way.
const MAX_ROUNDS: usize = 8;

/// The maximum number of attempts to apply fixes to one run. Each attempt reads the run again.
const MAX_ATTEMPTS: u32 = 50;

/// Lines of one or several records, which are read separately from the rest of the file.
///
/// When the header is known, runs do not depend on each other. So a file gets the same fixes whether it is read as a
/// whole or in runs.
pub(super) struct RecordLines<'u> {
    pub(super) lines: Range<u64>,
    pub(super) passage: Passage,
    pub(super) rules: &'u Rules,
    pub(super) decision: &'u Decision,
    pub(super) header: &'u Header,
    /// The evidence for the encoding of the file. The evidence is set if the run contains the header.
    pub(super) encoding: Option<HeaderEncoding<'u>>,
    /// The findings about payloads. The findings about payloads need types, so they are not reported when the run is
    /// read again.
    pub(super) payload_findings: Vec<Diagnostic>,
    pub(super) options: FixOptions<'u>,
}

pub(super) struct RunFixes {
    /// The findings of the run, without their messages.
    pub(super) findings: Vec<Diagnostic>,
    /// The indices of the findings that have disappeared, in order.
    pub(super) fixed: Vec<usize>,
    pub(super) patches: Vec<OwnedPatch>,
    pub(super) refused: Vec<RefusedFinding>,
}

pub(super) struct RefusedFinding {
    pub(super) finding: usize,
    pub(super) reason: Refusal,
}

#[derive(Clone)]
struct RunState {
    lines: PatchedLines,
    octets: Vec<u8>,
    /// All findings that the run has now.
    findings: Vec<Diagnostic>,
    /// The index that each finding had before any fix. `None` if the finding is new, or is on another line than before.
    origins: Vec<Option<usize>>,
    /// The findings for which fixes were made, by their indices before any fix.
    aimed: BTreeSet<usize>,
    /// The payloads that fixes have set, by the numbers of their structures.
    payloads: BTreeMap<u32, String>,
}

impl<'u> RecordLines<'u> {
    /// Reads `octets` in place of the bytes of the run. Returns `None` if they would change how the rest of the file is
    /// read.
    pub(super) fn read_with<'o>(
        &self,
        octets: &'o [u8],
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Document<'o>>
    where
        'u: 'o,
    {
        let source = self.passage.decode(octets, self.decision, self.rules).ok()?;
        if let Some(encoding) = &self.encoding {
            findings.extend(encoding.findings_with_header(octets, self.passage.is_last(), self.rules)?);
        }
        let mut sink = RunSink(findings);
        let (document, _) = read_apart(source, self.rules, self.header, self.encoding.is_some(), &mut sink);
        Some(document)
    }

    /// Fixes the run. Returns `None` if the run cannot be read separately.
    pub(super) fn fix(&self, types: &mut dyn Types) -> Option<RunFixes> {
        let mut fixer = RunFixer::new(self)?;
        let mut fixed = fixer.fix_until_stable(fixer.initial_state(), Safety::Safe, types);
        if self.options.most == Safety::Unsafe {
            let counts = verify::count_by_class(fixed.findings.iter());
            let guessed = fixer.fix_until_stable(fixed.clone(), Safety::Unsafe, types);
            if verify::count_by_class(guessed.findings.iter()) <= counts {
                fixed = guessed;
            }
        }
        Some(fixer.into_run_fixes(&fixed))
    }

    /// Fixes a run of several records together. Returns `None` if the result would differ from fixing each record
    /// separately. The result would differ if a fix makes something worse or uncovers another fix, if guesses are
    /// requested, or if a finding moves to another line.
    pub(super) fn fix_at_once(&self) -> Option<RunFixes> {
        let fixer = RunFixer::new(self)?;
        let initial_state = fixer.initial_state();
        let wanted = fixer.wanted_findings(&initial_state.findings, Safety::Safe);
        let fixed = fixer.try_fixes(&fixer.original, &initial_state, &wanted, Safety::Safe, &mut ()).ok()?;
        let all_known = fixed.origins.iter().all(Option::is_some);
        let all_made = fixer.wanted_findings(&fixed.findings, self.options.most).is_empty();
        (all_known && all_made).then(|| fixer.into_run_fixes(&fixed))
    }
}

struct RunFixer<'r, 'u> {
    run: &'r RecordLines<'u>,
    original: Document<'r>,
    numbers: StructureNumbers,
    findings: Vec<Diagnostic>,
    /// The number of findings that are reported when the run is read. Findings about payloads follow them in the list.
    count_read: usize,
    refused: BTreeMap<usize, Refusal>,
    attempts_left: u32,
}

impl<'r, 'u> RunFixer<'r, 'u> {
    fn new(run: &'r RecordLines<'u>) -> Option<RunFixer<'r, 'u>> {
        let mut findings = Vec::new();
        let original = run.read_with(run.passage.octets(), &mut findings)?;
        let count_read = findings.len();
        findings.extend(run.payload_findings.iter().cloned());
        let numbers = StructureNumbers::of(&original);
        let (refused, attempts_left) = (BTreeMap::new(), MAX_ATTEMPTS);
        Some(RunFixer { run, original, numbers, findings, count_read, refused, attempts_left })
    }

    fn initial_state(&self) -> RunState {
        RunState {
            lines: PatchedLines::new(self.run.lines.clone()),
            octets: self.run.passage.octets().to_vec(),
            findings: self.findings.clone(),
            origins: (0..self.findings.len()).map(Some).collect(),
            aimed: BTreeSet::new(),
            payloads: BTreeMap::new(),
        }
    }

    /// Lists the findings whose fixes are at least as safe as `most`. The fixes with the shortest reach come first.
    fn wanted_findings(&self, findings: &[Diagnostic], most: Safety) -> Vec<usize> {
        let is_gedcom_7 = self.original.header().says_gedcom_7();
        let is_shown = self.run.encoding.as_ref().is_some_and(HeaderEncoding::is_certain);
        let reach_of = |finding: &Diagnostic| {
            let fix = finding.fix.as_ref().filter(|_| self.run.options.is_chosen(finding))?;
            let is_guess = fix.action == FixAction::NameEncoding && !is_shown;
            let safety = if is_guess { Safety::Unsafe } else { fix.safety };
            let is_of_run = fix.action != FixAction::MoveTrailer;
            let is_wanted = safety <= most && is_of_run && !(is_gedcom_7 && is_for_gedcom_5(&fix.action));
            is_wanted.then(|| reach_of(&fix.action))
        };
        let all = findings.iter().enumerate();
        let mut wanted: Vec<(u8, usize)> =
            all.filter_map(|(index, finding)| Some((reach_of(finding)?, index))).collect();
        wanted.sort_unstable();
        wanted.into_iter().map(|(_, index)| index).collect()
    }

    /// Makes fixes round after round, until no fix is left.
    fn fix_until_stable(&mut self, mut fixed: RunState, safety: Safety, types: &mut dyn Types) -> RunState {
        for _ in 0..MAX_ROUNDS {
            let Some(next) = self.fix_round(&fixed, safety, types) else { break };
            fixed = next;
        }
        fixed
    }

    /// Applies as many fixes as possible without making anything worse. Returns `None` if there are no such fixes.
    fn fix_round(&mut self, fixed: &RunState, safety: Safety, types: &mut dyn Types) -> Option<RunState> {
        let wanted = self.wanted_findings(&fixed.findings, safety);
        if wanted.is_empty() {
            return None;
        }
        let again = match fixed.aimed.is_empty() {
            true => None,
            false => Some(self.run.read_with(&fixed.octets, &mut Vec::new())?),
        };
        let (mut best, mut kept) = (None, Vec::new());
        let mut sets = vec![wanted];
        while let Some(mut set) = sets.pop() {
            if self.attempts_left == 0 {
                self.refuse_fixes(fixed, &set, Refusal::TooManyAttempts);
                continue;
            }
            self.attempts_left -= 1;
            let all = [kept.as_slice(), &set].concat();
            let document = again.as_ref().unwrap_or(&self.original);
            match self.try_fixes(document, fixed, &all, safety, types) {
                Ok(next) => (best, kept) = (Some(next), all),
                Err(reason) if set.len() == 1 || reason == Refusal::NotPossible => {
                    self.refuse_fixes(fixed, &set, reason);
                }
                Err(_) => {
                    // Try the first half of the fixes first.
                    let second = set.split_off(set.len() / 2);
                    sets.extend([second, set]);
                }
            }
        }
        best
    }

    fn refuse_fixes(&mut self, fixed: &RunState, set: &[usize], reason: Refusal) {
        let origins = set.iter().filter_map(|&index| fixed.origins[index]);
        self.refused.extend(origins.map(|origin| (origin, reason)));
    }

    /// Applies fixes and reads the run again. Returns an error if something is worse than before.
    fn try_fixes(
        &self,
        document: &Document<'_>,
        fixed: &RunState,
        chosen: &[usize],
        safety: Safety,
        types: &mut dyn Types,
    ) -> Result<RunState, Refusal> {
        let may_guess = safety == Safety::Unsafe;
        let holds_header = self.run.encoding.is_some();
        let conditions = FixConditions { may_guess, holds_header, types };
        let WrittenChanges { lines: changes, fixed: made } =
            make_fixes(document, &fixed.findings, chosen, conditions);
        if changes.is_empty() {
            return Err(Refusal::NotPossible);
        }
        let lines = fixed.lines.apply_changes(self.run.lines.start, changes, |index| fixed.origins[index]);
        let patches = lines.patches(self.original.source());
        let of_file: Vec<Patch> = patches.iter().map(|one| one.patch.clone()).collect();
        let octets = self.original.source().splice(&of_file).map_err(|_| Refusal::NotPossible)?;
        let mut aimed = fixed.aimed.clone();
        aimed.extend(made.iter().filter_map(|&index| fixed.origins[index]));
        let mut payloads = fixed.payloads.clone();
        payloads.extend(find_new_payloads(document, made.iter().map(|&index| &fixed.findings[index])));

        let mut left = Vec::new();
        let again = self.run.read_with(&octets, &mut left).ok_or(Refusal::ReadDifferently)?;
        match safety {
            Safety::Safe => verify::check_findings(&fixed.findings, &left, &made)?,
            Safety::Unsafe => {
                // If a new finding has a fix, it may be fixed in the next round.
                let is_lasting = |finding: &&Diagnostic| !self.run.options.wants_fix_of(finding);
                let lasting = verify::count_by_class(left.iter().filter(is_lasting));
                if lasting >= verify::count_by_class(fixed.findings.iter()) {
                    return Err(Refusal::NothingGone);
                }
            }
        }
        let is_same = || {
            self.is_rest_read_alike(&again)
                && verify::have_same_structures(&self.original, &self.numbers, &again, &payloads)
        };
        if safety == Safety::Safe && !is_same() {
            return Err(Refusal::ReadDifferently);
        }
        drop(again);
        let (findings, origins) = self.current_findings(left, &lines, &aimed);
        Ok(RunState { lines, octets, findings, origins, aimed, payloads })
    }

    /// Returns whether the lines after the run are still read in the same way. Reading must continue, and the header
    /// must have the same meaning.
    fn is_rest_read_alike(&self, again: &Document<'_>) -> bool {
        let goes_on = self.run.passage.is_last() || self.original.is_complete() == again.is_complete();
        let schema = |document| Preamble::of_document(document).schema.unwrap_or_default();
        let says_same = || {
            self.original.header().has_same_metadata(again.header())
                && schema(&self.original) == schema(again)
        };
        goes_on && (self.run.encoding.is_none() || says_same())
    }

    /// Matches the findings `left` after fixes with the findings before any fix. Also adds the findings about payloads
    /// that have not been fixed.
    fn current_findings(
        &self,
        left: Vec<Diagnostic>,
        lines: &PatchedLines,
        aimed: &BTreeSet<usize>,
    ) -> (Vec<Diagnostic>, Vec<Option<usize>>) {
        let (start, old_numbers) = (self.run.lines.start, lines.numbers_in_file());
        let old_line = |finding: &Diagnostic| match finding.place {
            // A structure that is missing at the end is reported after the last line.
            Some(place) => usize::try_from(place.line - start)
                .ok()
                .and_then(|at| old_numbers.get(at).copied())
                .unwrap_or(self.run.lines.end),
            None => 0,
        };
        let mut known = FindingsByLine::of(&self.findings[..self.count_read], self.run.lines.end, aimed);
        let mut origins: Vec<Option<usize>> =
            left.iter().map(|finding| known.take_finding(old_line(finding), finding.code)).collect();
        let mut findings = left;
        for (index, finding) in self.findings.iter().enumerate().skip(self.count_read) {
            let Some(mut place) = finding.place.filter(|_| !aimed.contains(&index)) else { continue };
            // The line numbers in the file are ascending. An inserted line comes before the line that has the same
            // number.
            let behind = old_numbers.partition_point(|&old| old <= place.line);
            if let Some(at) = behind.checked_sub(1).filter(|&at| old_numbers[at] == place.line) {
                place.line = start + at as u64;
                let mut finding = finding.clone();
                finding.place = Some(place);
                findings.push(finding);
                origins.push(Some(index));
            }
        }
        (findings, origins)
    }

    fn into_run_fixes(self, fixed: &RunState) -> RunFixes {
        let patches = fixed.lines.patches(self.original.source());
        let mut is_left = vec![false; self.findings.len()];
        let mut moved: HashMap<Code, usize> = HashMap::new();
        for (finding, origin) in fixed.findings.iter().zip(&fixed.origins) {
            match origin {
                Some(index) => is_left[*index] = true,
                None => *moved.entry(finding.code).or_default() += 1,
            }
        }
        // A finding that has moved to another line is the same finding. First look for one for which no fix was made.
        for is_aimed in [false, true] {
            for index in (0..self.count_read).rev() {
                if !is_left[index]
                    && fixed.aimed.contains(&index) == is_aimed
                    && let Some(count) = moved.get_mut(&self.findings[index].code).filter(|count| **count > 0)
                {
                    *count -= 1;
                    is_left[index] = true;
                }
            }
        }
        let is_fixed = |&index: &usize| {
            let is_gone =
                if index < self.count_read { !is_left[index] } else { fixed.aimed.contains(&index) };
            is_gone && !patches.is_empty() && self.run.options.is_chosen(&self.findings[index])
        };
        let fixed: Vec<usize> = (0..self.findings.len()).filter(is_fixed).collect();
        let refused = self.refused.into_iter().filter(|(index, _)| fixed.binary_search(index).is_err());
        let refused = refused.map(|(finding, reason)| RefusedFinding { finding, reason }).collect();
        RunFixes { findings: self.findings, fixed, patches, refused }
    }
}

/// Returns the payloads that fixes have set, by the numbers of their structures.
fn find_new_payloads<'f>(
    document: &Document<'_>,
    findings: impl Iterator<Item = &'f Diagnostic>,
) -> Vec<(u32, String)> {
    let (mut lines, numbers) = (LineChanges::new(document, false), StructureNumbers::of(document));
    let mut payloads = Vec::new();
    for finding in findings {
        if let (Some(FixAction::SetPayload(text)), Some(place)) =
            (finding.fix.as_ref().map(|fix| &fix.action), finding.place)
            && let Some((node, _)) = lines.replaceable_payload(place.line, text)
        {
            payloads.push((numbers.number(node), text.clone().into_owned()));
        }
    }
    payloads
}

/// The indices of findings, by line and code. Each finding can be removed once.
struct FindingsByLine(HashMap<(u64, Code), Vec<usize>>);

impl FindingsByLine {
    /// Findings in `aimed`, for which fixes were made, are removed last.
    fn of(findings: &[Diagnostic], end: u64, aimed: &BTreeSet<usize>) -> FindingsByLine {
        let mut known: HashMap<(u64, Code), Vec<usize>> = HashMap::new();
        let of_kind = |is_aimed: bool| {
            findings.iter().enumerate().rev().filter(move |(index, _)| aimed.contains(index) == is_aimed)
        };
        for (index, finding) in of_kind(true).chain(of_kind(false)) {
            let line = finding.place.map_or(0, |place| place.line.min(end));
            known.entry((line, finding.code)).or_default().push(index);
        }
        FindingsByLine(known)
    }

    fn take_finding(&mut self, line: u64, code: Code) -> Option<usize> {
        self.0.get_mut(&(line, code))?.pop()
    }
}

/// Collects the findings of a run without their messages. Mixed line endings are not collected, because that finding is
/// about the whole file.
struct RunSink<'f>(&'f mut Vec<Diagnostic>);

impl Sink for RunSink<'_> {
    fn report(&mut self, finding: Diagnostic) {
        if finding.code != codes::LINE_BREAKS_MIXED {
            self.0.push(finding);
        }
    }

    fn detail(&self) -> Detail {
        Detail::NoWords
    }
}
