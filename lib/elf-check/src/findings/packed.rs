//! Findings in few octets: a file may have as many as lines, and those that wait to be printed are kept so.

use crate::findings::baseline::Signature;
use crate::findings::located::Located;
use elf_base::{Code, Diagnostic, DiagnosticPacker, FixAction, PackedOctets, pack_number, pack_text};
use elf_edit::{Answers, Context, NumberedRecord, RecordTags};
use elf_tagged::elf_octets::{LineBreak, Patch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The least and the most octets that are set aside at once.
const CHUNKS: [usize; 2] = [1 << 8, 1 << 16];

/// Findings with the structures that they are about, to be taken out in the order of the file.
#[derive(Debug, Default)]
pub struct PackedFindings {
    index: Vec<Packed>,
    /// The codes of all.
    codes: Vec<Code>,
    chunks: Vec<Vec<u8>>,
    /// The octets that the full chunks take.
    filled: usize,
    packer: DiagnosticPacker,
    records: Vec<NumberedRecord>,
    signatures: Vec<Arc<Signature>>,
    /// True if any proposes the answer to a link.
    any_answer: bool,
}

/// A finding: its octet, and where the rest of it stands.
#[derive(Clone, Copy, Debug)]
struct Packed {
    octet: u64,
    chunk: u32,
    /// The index in the chunk, which is full at the greatest.
    start: u16,
    /// The index of its code.
    code: u16,
}

/// The key of the order in which findings are told.
type Order = (u64, &'static str, u32, u16);

/// The octet of a finding about the file as a whole: such findings come last.
pub(crate) const BEHIND: u64 = u64::MAX;

impl PackedFindings {
    /// The number of findings.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The octets that they take in memory.
    pub(crate) fn octets(&self) -> usize {
        self.filled
            + self.chunks.last().map_or(0, Vec::capacity)
            + self.index.capacity() * size_of::<Packed>()
            + self.records.capacity() * size_of::<NumberedRecord>()
            + self.signatures.capacity() * size_of::<Arc<Signature>>()
    }

    /// Adds a finding.
    pub fn push(&mut self, one: &Located) {
        let mut room = self.room();
        let start = u16::try_from(room.len()).unwrap_or(u16::MAX);
        self.packer.pack(&one.finding, &mut room);
        self.pack_context(one.context.as_ref(), &mut room);
        self.pack_signature(one.signature.as_ref(), &mut room);
        pack_repair(one.repair.as_deref(), &mut room);
        self.chunks.push(room);
        let chunk = u32::try_from(self.chunks.len() - 1).unwrap_or(u32::MAX);
        let octet = one.finding.place.map_or(BEHIND, |place| place.octet);
        let action = one.finding.fix.as_ref().map(|fix| &fix.action);
        self.any_answer |= matches!(action, Some(FixAction::AnswerLink(_)));
        let code = self.code_index(one.finding.code);
        self.index.push(Packed { octet, chunk, start, code });
    }

    fn code_index(&mut self, code: Code) -> u16 {
        let index = self.codes.iter().position(|known| *known == code).unwrap_or_else(|| {
            self.codes.push(code);
            self.codes.len() - 1
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    fn order(&self, packed: &Packed) -> Order {
        let code = self.codes.get(usize::from(packed.code)).map_or("", |code| code.id());
        (packed.octet, code, packed.chunk, packed.start)
    }

    /// Takes out the finding with the code and the place of another, if it is there.
    pub(crate) fn remove(&mut self, finding: &Diagnostic) -> Option<Located> {
        let octet = finding.place?.octet;
        let is_it = |packed: &Packed| {
            let code = self.codes.get(usize::from(packed.code));
            packed.octet == octet && code.is_some_and(|code| *code == finding.code)
        };
        let at = self.index.iter().position(is_it)?;
        let packed = self.index.remove(at);
        self.unpack(packed)
    }

    /// The chunk to write to, with room left in it.
    fn room(&mut self) -> Vec<u8> {
        let [least, most] = CHUNKS;
        match self.chunks.pop() {
            None => Vec::with_capacity(least),
            // One that is not full grows by itself.
            Some(last) if last.len() < most => last,
            Some(mut full) => {
                full.shrink_to_fit();
                self.filled += full.capacity();
                self.chunks.push(full);
                Vec::with_capacity(most)
            }
        }
    }

    /// Gives back what was set aside for more.
    pub(crate) fn shrink(&mut self) {
        self.index.shrink_to_fit();
        self.chunks.last_mut().into_iter().for_each(Vec::shrink_to_fit);
    }

    /// Counts the records that they stand in among those of the parts before as well.
    pub fn behind(&mut self, before: &RecordTags) {
        self.records.iter_mut().for_each(|record| record.behind(before));
    }

    /// Leaves out the findings whose code `keep` is not true of, which is asked in their order.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Code) -> bool) {
        self.sort();
        let codes = &self.codes;
        self.index.retain(|packed| codes.get(usize::from(packed.code)).is_some_and(|code| keep(*code)));
        if self.index.is_empty() {
            *self = PackedFindings::default();
        }
    }

    /// The answers to links that they propose.
    pub fn answers(&self) -> Answers {
        let mut answers = Answers::default();
        let all = self.index.iter().filter(|_| self.any_answer);
        all.filter_map(|packed| self.unpack(*packed)).for_each(|one| answers.want(&one.finding));
        answers
    }

    /// Puts them in the order of the file, for [`within`](PackedFindings::within).
    pub fn sort(&mut self) {
        let mut index = std::mem::take(&mut self.index);
        index.sort_by_key(|packed| self.order(packed));
        self.index = index;
    }

    /// Lists those of a part of the file, once they are sorted: its first octet, the line behind its last.
    pub fn within(&self, (first_octet, end_line): (u64, u64)) -> impl Iterator<Item = Diagnostic> {
        let from = self.index.partition_point(|packed| packed.octet < first_octet);
        let behind = self.index.get(from..).unwrap_or_default().iter();
        let all = behind.filter_map(|packed| self.unpack(*packed)).map(|one| one.finding);
        all.take_while(move |finding| finding.place.is_some_and(|place| place.line < end_line))
    }

    /// Copies those about the file as a whole.
    pub fn of_file(&self) -> PackedFindings {
        let mut of_file = PackedFindings::default();
        let all = self.index.iter().filter(|packed| packed.octet == BEHIND);
        all.filter_map(|packed| self.unpack(*packed)).for_each(|one| of_file.push(&one));
        of_file
    }

    /// Gives those their repairs that answer links, once the records that get the answers were found.
    #[must_use]
    pub fn answered(self, answers: &Answers) -> PackedFindings {
        if !self.any_answer {
            return self;
        }
        let mut answered = PackedFindings::default();
        for mut one in self.in_order() {
            if let Some(patches) = answers.patches_of(&one.finding) {
                one.repair = Some(patches.into());
            }
            answered.push(&one);
        }
        answered
    }

    /// Takes them out in the order of the file: those of one place in the order of their codes, and those
    /// about the file as a whole last. What was taken out takes no memory.
    pub fn in_order(self) -> impl Iterator<Item = Located> {
        InOrder::of(self)
    }

    /// Takes them out of several, all in the order of the file together.
    pub(crate) fn all_in_order(all: Vec<PackedFindings>) -> impl Iterator<Item = Located> {
        let mut waiting: Vec<Option<InOrder>> = all.into_iter().map(|one| Some(InOrder::of(one))).collect();
        let next = |of: &InOrder, number: usize| of.next_order().map(|order| Reverse((order, number)));
        let first = waiting.iter().enumerate().filter_map(|(number, of)| next(of.as_ref()?, number));
        let mut order: BinaryHeap<Reverse<(_, usize)>> = first.collect();
        std::iter::from_fn(move || {
            let Reverse((_, number)) = order.pop()?;
            let of = waiting.get_mut(number)?;
            let found = of.as_mut()?.next();
            match of.as_ref().and_then(|of| next(of, number)) {
                Some(next) => order.push(next),
                None => *of = None,
            }
            found
        })
    }

    fn unpack(&self, packed: Packed) -> Option<Located> {
        let rest =
            self.chunks.get(packed.chunk as usize).and_then(|chunk| chunk.get(packed.start as usize..));
        let one = self.located(PackedOctets::new(rest.unwrap_or_default()));
        debug_assert!(one.is_some(), "a finding that was packed can be unpacked");
        one
    }

    fn located(&self, mut from: PackedOctets<'_>) -> Option<Located> {
        let finding = self.packer.unpack(&mut from)?;
        let context = match item(&self.records, from.number()?) {
            None => None,
            Some(record) => {
                let (beneath, above) = (from.text()?.map(Box::from), from.number()?);
                Some(Context { record: record.clone(), beneath, above: usize::try_from(above).ok()? })
            }
        };
        let signature = item(&self.signatures, from.number()?).map(Arc::clone);
        let repair = match from.number()? {
            0 => None,
            count => Some((1..count).map(|_| patch(&mut from)).collect::<Option<Box<[Patch]>>>()?),
        };
        Some(Located { finding, context, signature, repair })
    }

    fn pack_context(&mut self, context: Option<&Context>, out: &mut Vec<u8>) {
        let Some(Context { record, beneath, above }) = context else { return pack_number(0, out) };
        // Many findings are about one record, one after another.
        if self.records.last() != Some(record) {
            self.records.push(record.clone());
        }
        pack_number(self.records.len() as u64, out);
        pack_text(beneath.as_deref(), out);
        pack_number(*above as u64, out);
    }

    fn pack_signature(&mut self, signature: Option<&Arc<Signature>>, out: &mut Vec<u8>) {
        let Some(signature) = signature else { return pack_number(0, out) };
        if !self.signatures.last().is_some_and(|last| Arc::ptr_eq(last, signature)) {
            self.signatures.push(Arc::clone(signature));
        }
        pack_number(self.signatures.len() as u64, out);
    }
}

/// Findings that are taken out in their order.
struct InOrder {
    findings: PackedFindings,
    index: std::vec::IntoIter<Packed>,
    /// The number of findings that are left in each chunk.
    left: Vec<u32>,
}

impl InOrder {
    fn of(mut findings: PackedFindings) -> InOrder {
        findings.sort();
        let index = std::mem::take(&mut findings.index);
        let mut left = vec![0; findings.chunks.len()];
        for packed in &index {
            left.get_mut(packed.chunk as usize).into_iter().for_each(|left| *left += 1);
        }
        InOrder { findings, index: index.into_iter(), left }
    }

    /// The place and the code of the next one.
    fn next_order(&self) -> Option<(u64, &'static str)> {
        let (octet, code, ..) = self.findings.order(self.index.as_slice().first()?);
        Some((octet, code))
    }
}

impl Iterator for InOrder {
    type Item = Located;

    fn next(&mut self) -> Option<Located> {
        let packed = self.index.next()?;
        let one = self.findings.unpack(packed);
        let chunk = packed.chunk as usize;
        if let (Some(left), Some(chunk)) = (self.left.get_mut(chunk), self.findings.chunks.get_mut(chunk)) {
            *left -= 1;
            if *left == 0 {
                *chunk = Vec::new();
            }
        }
        one
    }
}

/// The item of that number, from 1.
fn item<T>(items: &[T], number: u64) -> Option<&T> {
    items.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

/// The line breaks that a patch may have, by the numbers that they are packed as.
const LINE_BREAKS: [Option<LineBreak>; 4] =
    [None, Some(LineBreak::Lf), Some(LineBreak::Cr), Some(LineBreak::CrLf)];

fn pack_repair(repair: Option<&[Patch]>, out: &mut Vec<u8>) {
    pack_number(repair.map_or(0, |patches| patches.len() as u64 + 1), out);
    for Patch { lines, with, line_break, .. } in repair.unwrap_or_default() {
        pack_number(lines.start, out);
        pack_number(lines.end - lines.start, out);
        pack_text(Some(with), out);
        let line_break = LINE_BREAKS.iter().position(|one| one == line_break);
        pack_number(line_break.map_or(0, |number| number as u64), out);
    }
}

fn patch(from: &mut PackedOctets<'_>) -> Option<Patch> {
    let start = from.number()?;
    let end = start + from.number()?;
    let mut patch = Patch::new(start..end, from.text()??);
    patch.line_break = *LINE_BREAKS.get(usize::try_from(from.number()?).ok()?)?;
    Some(patch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::{Place, Rules, codes};

    fn findings() -> Vec<Located> {
        let located = |number: u64| {
            let code = if number > 2 { codes::LEVEL_TOO_DEEP } else { codes::AT_SIGN_BARE };
            let mut finding = Diagnostic::new(code, &Rules::WILD, "a text");
            finding.place = (number > 0).then(|| Place::new(1000 - number * 100, 50, 3, 9));
            let mut patch = Patch::new(5..7, "1 NOTE a@@b\n");
            patch.line_break = (number == 4).then_some(LineBreak::CrLf);
            let repair = (number > 1).then(|| vec![patch; usize::try_from(number).unwrap_or(0) - 2].into());
            let signature = (number > 3).then(|| Arc::new(Signature::default()));
            Located { repair, signature, ..Located::without_place(finding) }
        };
        (0..5).map(located).collect()
    }

    fn packed(findings: &[Located]) -> PackedFindings {
        let mut packed = PackedFindings::default();
        findings.iter().for_each(|one| packed.push(one));
        packed.shrink();
        packed
    }

    #[test]
    fn findings_come_back_in_the_order_of_the_file() {
        let mut expected = findings();
        expected.rotate_left(1);
        expected[..4].reverse();
        assert_eq!(packed(&findings()).in_order().collect::<Vec<_>>(), expected);
        let each = findings().chunks(1).map(packed).collect();
        assert_eq!(PackedFindings::all_in_order(each).collect::<Vec<_>>(), expected);
        let mut some = packed(&findings());
        some.retain(|code| code == codes::LEVEL_TOO_DEEP);
        assert_eq!(some.in_order().collect::<Vec<_>>(), expected[..2]);
    }

    #[test]
    fn many_take_few_octets() {
        let finding = |number: u64| {
            let message = format!("no record is called `@N{number}@`");
            let finding = Diagnostic::new(codes::POINTER_DANGLING, &Rules::WILD, message);
            Located::without_place(finding.at(Place::new(number * 20, number + 1, 8, 14), None))
        };
        let all = packed(&(0..50_000).map(finding).collect::<Vec<_>>());
        assert!(all.octets() < 50_000 * 90, "{}", all.octets());
        assert_eq!(all.in_order().count(), 50_000);
    }
}
