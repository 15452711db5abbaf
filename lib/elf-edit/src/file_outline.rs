//! The outline of a file that is read in parts: enough to tell which parts some edits concern.

use crate::concerned::{ConcernedParts, Stretch};
use crate::edit_scope::{EditScope, Labels};
use crate::file_style::FileStyle;
use elf_base::{PackedText, Place};
use elf_octets::{Decision, LineBreaks};
use elf_tagged::{Document, XrefList};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most octets of parts that are edited by themselves: with more the whole file is as good.
const MOST: u64 = 8 << 20;

/// The outline of a part of a document, to be made on the thread that reads it.
#[derive(Debug)]
pub struct PartOutline {
    xrefs: Arc<XrefList>,
    /// The place where the text of the part starts.
    start: Place,
    octets: u64,
    /// The style of its lines, unless they are indented.
    style: Option<FileStyle<'static>>,
    is_ascii: bool,
    has_head: bool,
    /// The number of records with the tag of a header, where an edit names that.
    headers: usize,
    /// True if structures beneath records bear identifiers.
    is_nested: bool,
    /// Long identifiers that edits name, with the numbers that stand for them in the lists of this reading.
    long: Vec<(Box<str>, u64)>,
    /// The decision on the encoding when the part was read: what stands in a later one may change it.
    decision: Decision,
    complete: bool,
}

/// The outline of a document whose parts were read in their order.
///
/// It takes some ten octets for each identifier and each pointer.
#[derive(Debug, Default)]
pub struct FileOutline {
    parts: Vec<OutlinedPart>,
    octets: u64,
    style: FileStyle<'static>,
    is_indented: bool,
    is_ascii: bool,
    long: HashMap<Box<str>, u64>,
    decision: Option<Decision>,
    is_broken: bool,
}

#[derive(Debug)]
struct OutlinedPart {
    xrefs: Arc<XrefList>,
    start: (u64, u64),
    is_nested: bool,
}

impl PartOutline {
    /// The outline of a part, for edits of that scope.
    pub fn of(part: &Document<'_>, scope: &EditScope) -> PartOutline {
        let nodes = part.xref_nodes();
        let bearers = nodes.list().bearers();
        let mut long = Vec::new();
        let mut is_nested = false;
        for (at, node) in nodes.bearers().iter().filter_map(|id| part.node(*id)).enumerate() {
            is_nested |= node.superstructure().is_some();
            if let Some(key) = bearers.key(at).filter(|key| *key >= PackedText::END && !scope.long.is_empty())
                && let Some(xref) = node.xref().and_then(|xref| scope.long.get(xref))
            {
                long.push((xref.clone(), key));
            }
        }
        let source = part.source();
        PartOutline {
            xrefs: Arc::clone(nodes.list()),
            start: source.start(),
            octets: source.octets().len() as u64,
            style: FileStyle::of(part).without_indents(),
            is_ascii: source.octets().is_ascii(),
            has_head: part.head().is_some(),
            headers: part.lines().filter(|line| scope.header && line.tag() == "HEAD").count(),
            is_nested,
            long,
            decision: source.decision().clone(),
            complete: source.is_complete() && !source.is_cut() && part.end().is_none(),
        }
    }
}

impl FileOutline {
    /// Makes the outline of a document of which no part was read.
    pub fn new() -> FileOutline {
        FileOutline { is_ascii: true, ..FileOutline::default() }
    }

    /// Adds the outline of the next part. Where that is not the next, only the whole file can tell what edits
    /// concern.
    pub fn add(&mut self, part: PartOutline) {
        let PartOutline { xrefs, start, octets, style, is_ascii, has_head, is_nested, long, .. } = part;
        self.is_broken |= !part.complete;
        self.is_broken |= match self.parts.is_empty() {
            true => !has_head || start.line != 1,
            // Which of several headers an edit means is a question of the whole file.
            false => start.octet != self.octets || part.headers > 0,
        };
        self.parts.push(OutlinedPart { xrefs, start: (self.octets, start.line), is_nested });
        self.octets += octets;
        match style {
            Some(style) => self.style.join(&style),
            None => self.is_indented = true,
        }
        self.is_ascii &= is_ascii;
        self.long.extend(long);
        // Parts that were decoded before the encoding was known for good do not show how the file is written.
        self.is_broken |= self.decision.as_ref().is_some_and(|before| !is_same(before, &part.decision));
        self.decision = Some(part.decision);
    }

    /// The parts of the file that edits of a scope concern, when all parts were added: edited by themselves,
    /// they make the file that edits of the whole would make. `cascade` is that of the
    /// [options](crate::EditOptions::cascade), `breaks` are all line breaks of the file.
    ///
    /// `None` where only the whole file can tell: where the rules ended the reading, where lines are indented
    /// or end differently, and where the parts are many.
    pub fn concerned(&self, scope: &EditScope, cascade: bool, breaks: LineBreaks) -> Option<ConcernedParts> {
        let LineBreaks { lf, cr, crlf, .. } = breaks;
        let kinds = [lf, cr, crlf].into_iter().filter(|count| *count > 0).count();
        if self.is_broken || self.is_indented || kinds != 1 {
            return None;
        }
        let decision = self.decision.clone()?;
        let stretches = self.stretches(&self.chosen(scope, cascade)?)?;
        let header = self.parts.get(1).map_or(self.octets, |part| part.start.0);
        Some(ConcernedParts::new(stretches, self.style.clone(), decision, (header, self.is_ascii)))
    }

    /// The parts that edits concern: those with the records that they change, with what points to those that
    /// leave, and with what the changed ones point to or others bear too.
    fn chosen(&self, scope: &EditScope, cascade: bool) -> Option<Vec<bool>> {
        let changed = self.keys(&scope.changed);
        let leaving = self.keys(&scope.leaving);
        let (mut gone, mut targets) = (leaving.clone(), self.keys(&scope.named));
        let mut chosen = vec![false; self.parts.len()];
        // The header, and what new records stand behind.
        let last = self.parts.len().saturating_sub(2);
        chosen.iter_mut().enumerate().for_each(|(at, chosen)| *chosen = at == 0 || at >= last);
        // Where no record of them is known to stay, new ones stand behind one before.
        for (at, part) in self.parts.iter().enumerate().take(last + 1).rev() {
            chosen.get_mut(at).into_iter().for_each(|chosen| *chosen = true);
            let bearers = part.xrefs.bearers();
            // What bears an identifier may be no record there, and go with one.
            if !part.is_nested
                && (0..bearers.len()).any(|at| bearers.key(at).is_some_and(|key| !leaving.contains(&key)))
            {
                break;
            }
        }
        if let Some(first) = self.parts.first().filter(|_| scope.header) {
            if first.is_nested {
                return None;
            }
            let pointers = first.xrefs.pointers();
            let records = first.xrefs.bearers().place(0).map_or(u64::MAX, |place| place.line);
            let count = (0..pointers.len())
                .take_while(|at| pointers.place(*at).is_some_and(|place| place.line < records));
            targets.extend(count.filter_map(|at| pointers.key(at)));
        }
        for (part, chosen) in self.parts.iter().zip(&mut chosen) {
            let (bearers, pointers) = (part.xrefs.bearers(), part.xrefs.pointers());
            let (mut pointer, mut all_gone) = (0, false);
            for at in 0..bearers.len() {
                let Some(key) = bearers.key(at).filter(|key| changed.contains(key)) else { continue };
                *chosen = true;
                let line = |at| bearers.place(at).map(|place| place.line);
                if leaving.contains(&key) && !all_gone {
                    // Where a record ends is not known if others stand in it.
                    all_gone = part.is_nested;
                    let below = if part.is_nested { at..bearers.len() } else { at..at + 1 };
                    gone.extend(below.filter_map(|at| bearers.key(at)));
                }
                let next = if part.is_nested { None } else { line(at + 1) };
                let (first, end) = (line(at)?, next.unwrap_or(u64::MAX));
                while let Some(place) = pointers.place(pointer).filter(|place| place.line < end) {
                    if place.line >= first {
                        targets.extend(pointers.key(pointer));
                    }
                    pointer += 1;
                }
            }
        }
        for (part, chosen) in self.parts.iter().zip(&mut chosen).filter(|_| !gone.is_empty()) {
            let (bearers, pointers) = (part.xrefs.bearers(), part.xrefs.pointers());
            let mut record = 0;
            for at in 0..pointers.len() {
                if pointers.key(at).is_none_or(|key| !gone.contains(&key)) {
                    continue;
                }
                *chosen = true;
                let line = pointers.place(at)?.line;
                while bearers.place(record).is_some_and(|place| place.line < line) {
                    record += 1;
                }
                // What goes with it would leave others without what they point to.
                let bears = bearers.place(record).is_some_and(|place| place.line == line);
                if cascade && (part.is_nested || bears) {
                    return None;
                }
                targets.extend(record.checked_sub(1).and_then(|record| bearers.key(record)));
            }
        }
        // Another bearer of an identifier keeps what points to it from leading nowhere.
        targets.extend(gone);
        for (part, chosen) in self.parts.iter().zip(&mut chosen).filter(|(_, chosen)| !**chosen) {
            let bearers = part.xrefs.bearers();
            *chosen = (0..bearers.len()).any(|at| bearers.key(at).is_some_and(|key| targets.contains(&key)));
        }
        Some(chosen)
    }

    /// The numbers of identifiers; one that no structure bears has none.
    fn keys(&self, labels: &Labels) -> HashSet<u64> {
        let long = labels.long.iter().filter_map(|xref| self.long.get(xref));
        labels.short.iter().chain(long).copied().collect()
    }

    /// Joins parts that follow each other.
    fn stretches(&self, chosen: &[bool]) -> Option<Vec<Stretch>> {
        let end = |at: usize| self.parts.get(at + 1).map_or((self.octets, u64::MAX), |next| next.start);
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut joined = (0_u64, 1_u64);
        for (at, part) in self.parts.iter().enumerate().filter(|(at, _)| chosen.get(*at) == Some(&true)) {
            let (start, end) = (part.start, end(at));
            match stretches.last_mut().filter(|before| before.octets.end == start.0) {
                Some(before) => (before.octets.end, before.lines.end) = end,
                None => {
                    stretches.push(Stretch { octets: start.0..end.0, lines: start.1..end.1, joined });
                }
            }
            joined = (joined.0 + end.0 - start.0, joined.1.saturating_add(end.1 - start.1));
        }
        (joined.0 <= MOST).then_some(stretches)
    }
}

/// Tells whether two decisions read the same octets as the same text.
pub(crate) fn is_same(one: &Decision, other: &Decision) -> bool {
    (one.used, one.because, &one.rules) == (other.used, other.because, &other.rules)
}
