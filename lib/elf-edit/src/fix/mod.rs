//! Fixes of findings, as patches of lines.
//!
//! The layer that reports a finding proposes its fix ([`FixAction`](elf_base::FixAction)). Here the fix becomes
//! a change of lines (`kinds`, `levels`, `lines`), and is tried out, record by record (`split`, `run`): all
//! fixes of a record are applied, the record is read again, and the result is compared with the record before
//! (`verify`). If something is worse, half of the fixes are tried, and so on until the bad ones are found;
//! these are refused. Then the fixes of findings that only show now are tried. `patched` keeps track of the
//! lines, so that all rounds together give patches of the file.
//!
//! A fix is *safe* if a reader that makes no guesses gets the same meaning before and after: the same
//! structures with the same payloads, or with the payload that a finding says is meant. All other fixes are
//! guesses: they choose a meaning, or remove the trace of a guess.
//!
//! Three things concern the whole file. Its header names the encoding, and is fixed last, when all evidence is
//! known (`file`). If the bytes decide the encoding, those of the fixed file must give the same decision, or
//! nothing is fixed. And the missing half of a link belongs into another record (`links`).
//!
//! Safe fixes leave alone: lines with bytes that cannot be decoded, structures that are locked (`RESN locked`),
//! and, in a file of GEDCOM 7, everything that only GEDCOM 5.5.1 asks for.

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

use elf_base::{Code, Diagnostic, Safety};
use elf_octets::Patch;
use elf_tagged::Document;
use elf_tagged::path::Types;
use file::{fix_header, head_lines, is_of_payload, names_encoding, refusal_of};
use links::is_of_link;
use patched::OwnedPatch;
use run::{RecordLines, RunFixes};
use split::LineSplitter;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use trailer::moves_trailer;

pub use file::FileRefusal;
pub use links::LinkFixes;

/// Which fixes to make: how safe they must be, and for which findings.
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

/// Returns whether a finding may be fixed, by its code, class, place and proposed fix. The finding may lack its
/// texts.
pub type Chosen<'c> = &'c (dyn Fn(&Diagnostic) -> bool + Sync);

impl<'c> FixOptions<'c> {
    /// Fixes only the findings that `chosen` returns true for.
    #[must_use]
    pub const fn choosing(self, chosen: Chosen<'c>) -> FixOptions<'c> {
        FixOptions { chosen: Some(chosen), ..self }
    }

    fn takes(&self, finding: &Diagnostic) -> bool {
        self.chosen.is_none_or(|chosen| chosen(finding))
    }

    /// Returns whether a finding proposes a fix that is wanted.
    fn wants(&self, finding: &Diagnostic) -> bool {
        finding.fix.as_ref().is_some_and(|fix| fix.safety <= self.most) && self.takes(finding)
    }
}

/// Wants fixes that are at least this safe, of all findings.
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

/// The fixes of some findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixes {
    /// The lines that change, in order: for [`Source::splice`](elf_octets::Source::splice).
    pub patches: Vec<Patch>,
    /// The findings that are fixed, in the order of the records that they are in.
    pub fixed: Vec<FixedFinding>,
    /// The findings whose fixes are wanted but not made.
    pub refused: Vec<RefusedFix>,
    /// The reason why nothing in the file is fixed.
    pub file_refusal: Option<FileRefusal>,
}

/// A finding that is fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixedFinding {
    /// The index of the finding.
    pub finding: usize,
    /// The indices of the patches that are made for it. Several findings may share a patch; the patches of all
    /// findings are all patches. A long line with many findings has its patch with the first of them alone.
    pub patches: Vec<usize>,
}

/// A fix that is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedFix {
    /// The index of the finding that proposes it.
    pub finding: usize,
    /// The reason.
    pub reason: Refusal,
}

/// The reason why a fix is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The lines cannot be changed as the fix asks for.
    #[error("its lines cannot be changed")]
    NotPossible,
    /// There would be more findings of this code than before.
    #[error("it would cause a finding {}", .0.id())]
    NewFinding(Code),
    /// No finding would disappear.
    #[error("it would change nothing")]
    NothingGone,
    /// Other structures would be read than before.
    #[error("it would change the meaning of the record")]
    ReadDifferently,
    /// Too many combinations of fixes were tried in this record.
    #[error("too many fixes in this record contradict each other")]
    TooManyAttempts,
}

/// Fixes `findings` of a document, and findings that only appear after these are fixed. The document may be a run;
/// links and encoding are then checked within the run.
///
/// `findings` may have findings of other layers too. `types` knows which structures have types: if the last
/// one has none, the file counts as cut off and gets no trailer. Only a guess adds a trailer, so `&mut ()` does
/// for safe fixes.
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
    let splitter = LineSplitter::new(document);
    let head = head_lines(document, &splitter);
    let mut fixes = match &head {
        Some(head) => fix_header(document, head.clone(), findings, options, types),
        None => Fixes::default(),
    };
    let from = head.as_ref().map_or(splitter.lines().start, |head| head.end);
    fixes.append(fix_records(document, &splitter, from, findings, options, types));
    let mut links = LinkFixes::default();
    findings.iter().filter(|finding| options.wants(finding)).for_each(|finding| links.want(finding));
    links.find(document, options.most);
    fixes.add_links(&links, findings, options);
    fixes.move_trailers(document, &splitter, findings, options);
    // Skip this for a run without the header.
    match head.and_then(|_| refusal_of(document, &fixes.patches)) {
        Some(refusal) => Fixes::refuse_all(refusal),
        None => fixes,
    }
}

/// Fixes the findings about the records from the line `from` on. The missing halves of links are left to
/// [`LinkFixes`].
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
        |finding: &Diagnostic| names_encoding(finding) || is_of_link(finding) || moves_trailer(finding);
    let of_records = |finding: &&Diagnostic| options.wants(finding) && !is_of_file(finding);
    let mut lines: Vec<u64> = findings
        .iter()
        .filter(of_records)
        .map(|finding| finding.place.map_or(last, |place| place.line))
        .collect();
    lines.sort();
    let mut of_payloads: Vec<&Diagnostic> =
        findings.iter().filter(of_records).filter(|finding| is_of_payload(finding)).collect();
    of_payloads.sort_by_key(|finding| finding.place.map_or(0, |place| place.line));
    let fixer = RecordFixer { document, of_payloads, options };
    let mut fixes = Fixes::default();
    let mut index = FindingIndex::of(findings);
    for records in group_adjacent(splitter.records_with(&lines, from)) {
        fixer.fix_records(&records, types, |run| fixes.add(run, &mut index));
    }
    fixes
}

/// Groups records that follow each other.
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

/// Fixes the records of a document.
struct RecordFixer<'d> {
    document: &'d Document<'d>,
    /// The findings about payloads in the order of lines.
    of_payloads: Vec<&'d Diagnostic>,
    options: FixOptions<'d>,
}

/// The most bytes of records that are fixed at once. Reading a run takes as long as reading 50 lines; for
/// larger runs that does not count.
const MOST_AT_ONCE: usize = 1 << 15;

impl RecordFixer<'_> {
    /// Fixes records that follow each other: many at once if that is the same as one by one.
    fn fix_records(&self, records: &[Range<u64>], types: &mut dyn Types, mut add: impl FnMut(RunFixes)) {
        let source = self.document.source();
        // Strict rules end the reading, and some irregularities are reported once for all lines.
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
            let at_once = if joined == 0 { None } else { self.run(all).fix_at_once() };
            match at_once {
                Some(fixes) => add(fixes),
                None => {
                    group.iter().filter_map(|lines| self.run(lines.clone()).fix(types)).for_each(&mut add)
                }
            }
        }
    }

    fn run(&self, lines: Range<u64>) -> RecordLines<'_> {
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
            of_payloads: self.of_payloads[first..behind].iter().map(|&finding| finding.clone()).collect(),
            options: self.options,
        }
    }
}

/// The most bytes of a patch that several findings share, for all of them together.
const MOST_SHARED: usize = 4096;

impl Fixes {
    fn refuse_all(reason: FileRefusal) -> Fixes {
        Fixes { file_refusal: Some(reason), ..Fixes::default() }
    }

    /// Adds the fixes of a run. `index` finds the findings of the caller.
    fn add(&mut self, run: RunFixes, index: &mut FindingIndex) {
        let first = self.patches.len();
        let mut patches_of = patches_by_finding(&run);
        for finding in &run.fixed {
            let patches = patches_of.remove(finding).unwrap_or_default();
            if let Some(finding) = index.take(&run.findings[*finding]) {
                let patches = patches.into_iter().map(|patch| first + patch).collect();
                self.fixed.push(FixedFinding { finding, patches });
            }
        }
        for refused in &run.refused {
            let finding = index.take(&run.findings[refused.finding]);
            self.refused.extend(finding.map(|finding| RefusedFix { finding, reason: refused.reason }));
        }
        self.patches.extend(run.patches.into_iter().map(|one| one.patch));
    }

    /// Adds the fixes of lines after these.
    fn append(&mut self, behind: Fixes) {
        let first = self.patches.len();
        self.patches.extend(behind.patches);
        self.refused.extend(behind.refused);
        self.fixed.extend(behind.fixed.into_iter().map(|mut one| {
            one.patches.iter_mut().for_each(|patch| *patch += first);
            one
        }));
    }

    /// Returns the patches that are made for a fixed finding.
    pub fn patches_of<'f>(&'f self, fixed: &'f FixedFinding) -> impl Iterator<Item = &'f Patch> {
        fixed.patches.iter().map(|&patch| &self.patches[patch])
    }
}

/// Divides the patches of a run among its fixed findings: each finding gets the patches that are made for it.
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
            // A fix that another fix made possible belongs to the finding at or before its place.
            let before = by_line.partition_point(|&finding| line(finding) < patch.lines.start);
            let within = by_line.get(before).filter(|&&finding| line(finding) < patch.lines.end);
            of_patch.extend(within.or(by_line.get(before.saturating_sub(1))));
        }
        has_patch.extend(of_patch.iter().copied());
        owners.push(of_patch);
    }
    // Findings about the encoding have no line.
    let of_encoding = owners.iter().position(|owners| owners.iter().any(|&owner| line(owner) == 0));
    for &finding in by_line.iter().filter(|finding| !has_patch.contains(finding)) {
        // A finding that disappears because another one is fixed has the patch at or before its place.
        let before = run.patches.partition_point(|one| one.patch.lines.start <= line(finding));
        let patch = of_encoding.filter(|_| line(finding) == 0).unwrap_or(before.saturating_sub(1));
        owners[patch].push(finding);
    }
    let mut patches_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (patch, mut owners) in owners.into_iter().enumerate() {
        owners.sort_by_key(|&owner| (line(owner), owner));
        owners.dedup();
        // The text of a long patch is not repeated for each of many findings.
        let most = 1 + MOST_SHARED / (run.patches[patch].patch.with.len() + 1);
        owners.into_iter().take(most).for_each(|owner| patches_of.entry(owner).or_default().push(patch));
    }
    patches_of
}

/// The findings of the caller by place and code.
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
        findings.sort_by_key(|one| (one.key, one.index));
        FindingIndex { findings }
    }

    /// Takes the finding with the same code and place; of several, the first.
    fn take(&mut self, finding: &Diagnostic) -> Option<usize> {
        let key = FindingKey::of(finding);
        let first = self.findings.partition_point(|one| one.key < key);
        // A finding about the encoding is known by its code alone.
        let is_same = |one: &IndexedFinding| one.key.code == key.code && (key.line == 0 || one.key == key);
        let mut same = self.findings[first..].iter_mut().take_while(|one| is_same(one));
        let found = same.find(|one| !one.is_taken)?;
        found.is_taken = true;
        Some(found.index)
    }
}
