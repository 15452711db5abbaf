//! Fixes findings. The fixes are returned as patches of lines.
//!
//! The layer that reports a finding proposes its fix ([`FixAction`](elf_base::FixAction)). This module converts the fix
//! into changed lines (`kinds`, `levels`, `lines`), and tries it, record by record (`split`, `run`). All fixes of a
//! record are applied, the record is read again, and the result is compared with the original record (`verify`). If
//! something is worse, half of the fixes are tried, and so on until the bad fixes are found; these are refused. In the
//! next round, fixes of findings that have newly appeared are tried. `patched` keeps the lines of all rounds, so that
//! the result is patches of the file.
//!
//! A fix is *safe* if a reader that makes no guesses gets the same meaning before and after the fix. This means the
//! same structures with the same payloads, or with the payload that a finding proposes. All other fixes are guesses:
//! they choose a meaning, or remove the evidence of a guess.
//!
//! Three kinds of fixes concern the whole file. The header, which names the encoding, is fixed last, when all evidence
//! is known (`file`). If the bytes decide the encoding, the fixed file must give the same decision; otherwise nothing
//! is fixed. The missing half of a link is added to another record (`links`).
//!
//! Safe fixes do not change lines with bytes that cannot be decoded. Safe fixes do not change structures that are
//! locked (`RESN locked`) either. In a GEDCOM 7 file, safe fixes do not change anything that only GEDCOM 5.5.1
//! requires.

mod file;
mod header_encoding;
mod kinds;
mod levels;
mod lines;
mod links;
mod locked;
mod patched;
mod run;
mod split;
mod trailer;
mod verify;

use elf_base::{Code, Diagnostic, FixAction, Safety};
use elf_octets::Patch;
use elf_tagged::path::Types;
use elf_tagged::{Document, Target};
use file::{find_file_refusal, fix_header, header_lines, is_encoding_fix, is_payload_fix};
use links::is_link_fix;
use patched::OwnedPatch;
use run::{RecordLines, RunFixes};
use split::LineSplitter;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use trailer::is_trailer_fix;

pub use file::FileRefusal;
pub use links::LinkFixes;

/// The fixes that are made: how safe they must be, and for which findings they are made.
///
/// ```
/// use elf_edit::{FixOptions, Safety, fix_document};
/// use elf_tagged::{Diagnostic, Options, Rules, codes, read};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE a@b\nand more\n0 TRLR\n";
/// let mut findings: Vec<Diagnostic> = Vec::new();
/// let document = read(file, &Rules::WILD, &Options::default(), &mut findings)?;
/// let at_signs = |finding: &Diagnostic| finding.code == codes::AT_SIGN_BARE;
/// let options = FixOptions::from(Safety::Safe).choosing(&at_signs);
/// let fixes = fix_document(&document, &findings, options, &mut ());
/// let fixed = document.source().splice(&fixes.patches)?;
/// assert_eq!(fixed, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE a@@b\nand more\n0 TRLR\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct FixOptions<'c> {
    most: Safety,
    chosen: Option<Chosen<'c>>,
}

/// A function that returns whether a finding may be fixed, by its code, class, place and proposed fix. The finding may
/// lack its message and its help.
pub type Chosen<'c> = &'c (dyn Fn(&Diagnostic) -> bool + Sync);

impl<'c> FixOptions<'c> {
    /// Restricts the fixes to the findings for which `chosen` returns true.
    #[must_use]
    pub const fn choosing(self, chosen: Chosen<'c>) -> FixOptions<'c> {
        FixOptions { chosen: Some(chosen), ..self }
    }

    fn is_chosen(&self, finding: &Diagnostic) -> bool {
        self.chosen.is_none_or(|chosen| chosen(finding))
    }

    /// Returns whether a finding proposes a fix that the options allow.
    fn wants_fix_of(&self, finding: &Diagnostic) -> bool {
        finding.fix.as_ref().is_some_and(|fix| fix.safety <= self.most) && self.is_chosen(finding)
    }
}

/// Allows fixes of all findings, if they are at least this safe.
impl From<Safety> for FixOptions<'_> {
    fn from(most: Safety) -> Self {
        FixOptions { most, chosen: None }
    }
}

impl std::fmt::Debug for FixOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FixOptions").field("most", &self.most).finish_non_exhaustive()
    }
}

/// The result of fixing findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixes {
    /// The changed lines in order, as patches for [`Source::splice`](elf_octets::Source::splice).
    pub patches: Vec<Patch>,
    /// The findings that were fixed, in the order of their records.
    pub fixed: Vec<FixedFinding>,
    /// The findings whose fixes were requested, but were not made.
    pub refused: Vec<RefusedFix>,
    /// The reason why nothing in the file was fixed.
    pub file_refusal: Option<FileRefusal>,
}

/// A finding that was fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixedFinding {
    /// The index of the finding in the list of the caller.
    pub finding: usize,
    /// The indices of the patches that were made for the finding. Several findings may share a patch, and every patch
    /// belongs to a finding. If a long line has many findings, only the first ones have the index of its patch.
    pub patches: Vec<usize>,
}

/// A fix that was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedFix {
    /// The index of the finding that proposes the fix.
    pub finding: usize,
    /// The reason why the fix was not made.
    pub reason: Refusal,
}

/// The reason why a fix was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The lines cannot be changed in the way that the fix requires.
    #[error("its lines cannot be changed")]
    NotPossible,
    /// With the fix, there would be more findings with this code than before.
    #[error("it would cause a finding {}", .0.id())]
    NewFinding(Code),
    /// With the fix, no finding would disappear.
    #[error("it would change nothing")]
    NothingGone,
    /// With the fix, other structures would be read.
    #[error("it would change the meaning of the record")]
    ReadDifferently,
    /// Too many combinations of fixes were tried in the record.
    #[error("too many fixes in this record contradict each other")]
    TooManyAttempts,
}

/// Fixes `findings` of a document, and findings that appear only after these are fixed. The document may be a run.
/// Links and the encoding are then checked within the run.
///
/// The list `findings` may also contain findings of other layers. `types` returns which structures have types. If the
/// last structure has no type, the end of the file seems to be missing, and no trailer is added. Only a guess adds a
/// trailer, so for safe fixes you can pass `&mut ()`.
///
/// ```
/// use elf_edit::{Safety, fix_document};
/// use elf_tagged::{Diagnostic, Options, Rules, read};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE ada@example.org\nand so on\n0 TRLR\n";
/// let mut findings: Vec<Diagnostic> = Vec::new();
/// let document = read(file, &Rules::WILD, &Options::default(), &mut findings)?;
/// let fixes = fix_document(&document, &findings, Safety::Safe.into(), &mut ());
/// assert_eq!(
///     document.source().splice(&fixes.patches)?,
///     b"0 HEAD\n1 CHAR UTF-8\n0 NOTE ada@@example.org\n1 CONT and so on\n0 TRLR\n"
/// );
/// assert_eq!(fixes.fixed.len(), findings.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fix_document(
    document: &Document<'_>,
    findings: &[Diagnostic],
    options: FixOptions<'_>,
    types: &mut dyn Types,
) -> Fixes {
    if !document.is_complete() {
        return Fixes::refuse_all(FileRefusal::Ended);
    }
    let is_chosen =
        |finding: &Diagnostic| options.is_chosen(finding) && !restores_unknown_pointer(document, finding);
    let options = options.choosing(&is_chosen);
    let splitter = LineSplitter::new(document);
    let head = header_lines(document, &splitter);
    let mut fixes = match &head {
        Some(head) => fix_header(document, head.clone(), findings, options, types),
        None => Fixes::default(),
    };
    let from = head.as_ref().map_or(splitter.lines().start, |head| head.end);
    fixes.append(fix_records(document, &splitter, from, findings, options, types));
    let mut links = LinkFixes::default();
    findings.iter().filter(|finding| options.wants_fix_of(finding)).for_each(|finding| links.want(finding));
    links.find(document, options.most);
    fixes.add_links(&links, findings, options);
    fixes.move_trailers(document, &splitter, findings, options);
    // A run without the header needs no such check.
    match head.and_then(|_| find_file_refusal(document, &fixes.patches)) {
        Some(refusal) => Fixes::refuse_all(refusal),
        None => fixes,
    }
}

/// Returns whether a finding proposes to restore a pointer to a record that the document does not contain, or contains
/// more than once.
fn restores_unknown_pointer(document: &Document<'_>, finding: &Diagnostic) -> bool {
    match finding.fix.as_ref().map(|fix| &fix.action) {
        Some(FixAction::RestorePointer(identifier)) => {
            !matches!(document.resolve(identifier), Target::One(_))
        }
        _ => false,
    }
}

/// Fixes the findings about the records from the line `from` on. This function does not add the missing halves of
/// links.
fn fix_records(
    document: &Document<'_>,
    splitter: &LineSplitter<'_>,
    from: u64,
    findings: &[Diagnostic],
    options: FixOptions<'_>,
    types: &mut dyn Types,
) -> Fixes {
    let last = splitter.lines().end.saturating_sub(1);
    let is_of_file =
        |finding: &Diagnostic| is_encoding_fix(finding) || is_link_fix(finding) || is_trailer_fix(finding);
    let of_records = |finding: &&Diagnostic| options.wants_fix_of(finding) && !is_of_file(finding);
    let mut lines: Vec<u64> = findings
        .iter()
        .filter(of_records)
        .map(|finding| finding.place.map_or(last, |place| place.line))
        .collect();
    lines.sort_unstable();
    let mut of_payloads: Vec<&Diagnostic> =
        findings.iter().filter(of_records).filter(|finding| is_payload_fix(finding)).collect();
    of_payloads.sort_by_key(|finding| finding.place.map_or(0, |place| place.line));
    let fixer = RecordFixer { document, of_payloads, options };
    let mut fixes = Fixes::default();
    let mut index = FindingIndex::of(findings);
    for records in group_adjacent(splitter.records_with(&lines, from)) {
        fixer.fix_records(&records, types, |run| fixes.add_run(run, &mut index));
    }
    fixes
}

/// Groups records that directly follow each other.
fn group_adjacent(records: Vec<Range<u64>>) -> Vec<Vec<Range<u64>>> {
    let mut groups: Vec<Vec<Range<u64>>> = Vec::new();
    for record in records {
        match groups.last_mut().filter(|group| group.last().is_some_and(|last| last.end == record.start)) {
            Some(group) => group.push(record),
            None => groups.push(vec![record]),
        }
    }
    groups
}

struct RecordFixer<'d> {
    document: &'d Document<'d>,
    /// The findings about payloads, in the order of their lines.
    of_payloads: Vec<&'d Diagnostic>,
    options: FixOptions<'d>,
}

/// The maximum number of bytes of the records that are fixed together. The cost of reading a run is that of 50 lines,
/// which is negligible for larger runs.
const MOST_AT_ONCE: usize = 1 << 15;

impl RecordFixer<'_> {
    /// Fixes records that directly follow each other. Many records are fixed together, if the result is the same as
    /// fixing each of them separately.
    fn fix_records(&self, records: &[Range<u64>], types: &mut dyn Types, mut add: impl FnMut(RunFixes)) {
        let source = self.document.source();
        // Strict rules can stop reading, and some irregularities are reported only once for all lines.
        let may_join = self.document.rules().recovers() && source.irregular().is_empty();
        let octet = |line: u64| source.line(line).map_or(u64::MAX, |line| line.octets.start);
        let is_near = |first: &Range<u64>, next: &Range<u64>| {
            octet(next.end).saturating_sub(octet(first.start)) <= MOST_AT_ONCE as u64
        };
        let mut rest = records;
        while let Some((first, others)) = rest.split_first() {
            let joined = others.iter().take_while(|next| may_join && is_near(first, next)).count();
            let (group, behind) = rest.split_at(1 + joined);
            rest = behind;
            let all = first.start..group[joined].end;
            let at_once = if joined == 0 { None } else { self.record_lines(all).fix_at_once() };
            match at_once {
                Some(fixes) => add(fixes),
                None => group
                    .iter()
                    .filter_map(|lines| self.record_lines(lines.clone()).fix(types))
                    .for_each(&mut add),
            }
        }
    }

    fn record_lines(&self, lines: Range<u64>) -> RecordLines<'_> {
        let line = |finding: &&Diagnostic| finding.place.map_or(0, |place| place.line);
        let [first, behind] =
            [lines.start, lines.end].map(|at| self.of_payloads.partition_point(|one| line(one) < at));
        let source = self.document.source();
        RecordLines {
            passage: source.passage(lines.clone()),
            lines,
            rules: self.document.rules(),
            decision: source.decision(),
            header: self.document.header(),
            encoding: None,
            payload_findings: self.of_payloads[first..behind]
                .iter()
                .map(|&finding| finding.clone())
                .collect(),
            options: self.options,
        }
    }
}

/// The maximum total size in bytes of the copies of a patch that several findings share.
const MOST_SHARED: usize = 4096;

impl Fixes {
    fn refuse_all(reason: FileRefusal) -> Fixes {
        Fixes { file_refusal: Some(reason), ..Fixes::default() }
    }

    /// Adds the fixes of a run. `index` maps the findings of the run to the findings of the caller.
    fn add_run(&mut self, run: RunFixes, index: &mut FindingIndex) {
        let first = self.patches.len();
        let mut patches_of = patches_by_finding(&run);
        for finding in &run.fixed {
            let patches = patches_of.remove(finding).unwrap_or_default();
            if let Some(finding) = index.take_match(&run.findings[*finding]) {
                let patches = patches.into_iter().map(|patch| first + patch).collect();
                self.fixed.push(FixedFinding { finding, patches });
            }
        }
        for refused in &run.refused {
            let finding = index.take_match(&run.findings[refused.finding]);
            self.refused.extend(finding.map(|finding| RefusedFix { finding, reason: refused.reason }));
        }
        self.patches.extend(run.patches.into_iter().map(|one| one.patch));
    }

    /// Adds the fixes of lines that follow these lines.
    fn append(&mut self, behind: Fixes) {
        let first = self.patches.len();
        self.patches.extend(behind.patches);
        self.refused.extend(behind.refused);
        self.fixed.extend(behind.fixed.into_iter().map(|mut one| {
            one.patches.iter_mut().for_each(|patch| *patch += first);
            one
        }));
    }

    /// Returns the patches that were made for a fixed finding.
    pub fn patches_of<'f>(&'f self, fixed: &'f FixedFinding) -> impl Iterator<Item = &'f Patch> {
        fixed.patches.iter().map(|&patch| &self.patches[patch])
    }
}

/// Assigns the patches of a run to its fixed findings. Each finding gets the patches that were made for it.
fn patches_by_finding(run: &RunFixes) -> BTreeMap<usize, Vec<usize>> {
    let line = |finding: usize| run.findings[finding].place.map_or(0, |place| place.line);
    let mut by_line = run.fixed.clone();
    by_line.sort_by_key(|&finding| line(finding));
    let mut owners: Vec<Vec<usize>> = Vec::with_capacity(run.patches.len());
    let mut has_patch = BTreeSet::new();
    for OwnedPatch { patch, findings } in &run.patches {
        let is_fixed = |owner: &usize| run.fixed.binary_search(owner).is_ok();
        let mut of_patch: Vec<usize> = findings.iter().copied().filter(is_fixed).collect();
        if of_patch.is_empty() {
            // If another fix uncovered this fix, the patch belongs to the finding at its place, or to the last one
            // before it.
            let before = by_line.partition_point(|&finding| line(finding) < patch.lines.start);
            let within = by_line.get(before).filter(|&&finding| line(finding) < patch.lines.end);
            of_patch.extend(within.or(by_line.get(before.saturating_sub(1))));
        }
        has_patch.extend(of_patch.iter().copied());
        owners.push(of_patch);
    }
    // A finding about the encoding has no line.
    let of_encoding = owners.iter().position(|owners| owners.iter().any(|&owner| line(owner) == 0));
    for &finding in by_line.iter().filter(|finding| !has_patch.contains(finding)) {
        // If a finding disappears because another one is fixed, it gets the patch at its place, or the last one before
        // it.
        let before = run.patches.partition_point(|one| one.patch.lines.start <= line(finding));
        let patch = of_encoding.filter(|_| line(finding) == 0).unwrap_or(before.saturating_sub(1));
        owners[patch].push(finding);
    }
    let mut patches_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (patch, mut owners) in owners.into_iter().enumerate() {
        owners.sort_unstable_by_key(|&owner| (line(owner), owner));
        owners.dedup();
        // If many findings share a long patch, its text is not repeated for each of them.
        let most = 1 + MOST_SHARED / (run.patches[patch].patch.with.len() + 1);
        owners.into_iter().take(most).for_each(|owner| patches_of.entry(owner).or_default().push(patch));
    }
    patches_of
}

/// The findings of the caller, found by their place and code.
struct FindingIndex {
    findings: Vec<IndexedFinding>,
}

struct IndexedFinding {
    key: FindingKey,
    index: usize,
    is_taken: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FindingKey {
    code: &'static str,
    line: u64,
    column: u64,
}

impl FindingKey {
    fn of(finding: &Diagnostic) -> FindingKey {
        let (line, column) = finding.place.map_or((0, 0), |place| (place.line, place.column));
        FindingKey { code: finding.code.id(), line, column }
    }
}

impl FindingIndex {
    fn of(findings: &[Diagnostic]) -> FindingIndex {
        let all = findings.iter().enumerate();
        let mut findings: Vec<IndexedFinding> = all
            .map(|(index, finding)| IndexedFinding { key: FindingKey::of(finding), index, is_taken: false })
            .collect();
        findings.sort_unstable_by_key(|one| (one.key, one.index));
        FindingIndex { findings }
    }

    /// Removes and returns the first finding with the same code and place.
    fn take_match(&mut self, finding: &Diagnostic) -> Option<usize> {
        let key = FindingKey::of(finding);
        let first = self.findings.partition_point(|one| one.key < key);
        // A finding about the encoding is found by its code alone.
        let is_same = |one: &IndexedFinding| one.key.code == key.code && (key.line == 0 || one.key == key);
        let mut same = self.findings[first..].iter_mut().take_while(|one| is_same(one));
        let found = same.find(|one| !one.is_taken)?;
        found.is_taken = true;
        Some(found.index)
    }
}
