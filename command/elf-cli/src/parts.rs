//! Reading the parts of a large file on several threads.
//!
//! The thread that calls reads the file, divides it, and takes the results in the order of the file; the
//! others read the parts. So what comes out does not depend on how many there are. At most a few parts are on
//! the way at any time, which bounds the memory.

mod on_threads;

pub(crate) use on_threads::start;

use crate::io::Large;
use elf_base::{Rules, Sink};
use elf_schema::{Part, PartReader, ReadOptions, Reader};
use elf_tagged::escape::EscapeSource;
use elf_tagged::write::{EncodedPart, PartEncoder, WriteError};
use elf_tagged::{Document, Options, PartError, UnreadPart, XrefReader, Xrefs};
use on_threads::{ReadToSlot, UnreadParts};
use std::io::{self, Read, Seek};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The size of a part, in octets: large enough that handing it over does not count, small enough that its
/// text and its nodes stay in the cache of a core.
pub(crate) const PART: usize = 1 << 18;

/// The number of parts on the way for each thread: one that it reads, and one that waits for it.
const EACH: usize = 2;

/// Returns the number of threads to use: `asked`, or as many as the machine has cores.
pub(crate) fn threads(asked: Option<NonZero<usize>>) -> usize {
    asked.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
}

/// The input, to be read from its start; and what only the whole of it shows of its identifiers, where
/// reading it in parts takes that: it is read once for that alone.
pub(crate) fn with_xrefs(
    input: Large,
    rules: &Rules,
    options: &Options,
    threads: usize,
) -> io::Result<(AnyRead<'static>, Option<Xrefs>)> {
    if !Xrefs::are_needed(rules) {
        return Ok((input.into_read(), None));
    }
    let mut file = input.into_file()?;
    let xrefs = xrefs(|| Ok(&mut file), rules, options, threads)?;
    file.rewind()?;
    Ok((Box::new(file), xrefs))
}

/// Any input: readers of parts are compiled for this one type.
pub(crate) type AnyRead<'i> = Box<dyn Read + 'i>;

/// An input of any kind.
pub(crate) fn any_read<'i>(input: impl Read + 'i) -> AnyRead<'i> {
    Box::new(input)
}

/// Returns a reader of `input`, with its irregular identifiers where it has been read for them.
pub(crate) fn reader<'o, 'i>(
    input: impl Read + 'i,
    rules: &Rules,
    options: ReadOptions<'o>,
    xrefs: Option<impl Into<Arc<Xrefs>>>,
) -> Reader<'o, AnyRead<'i>> {
    let input = any_read(input);
    let reader = match xrefs {
        Some(xrefs) => Reader::with_xrefs(input, options, xrefs),
        None => Reader::new(input, rules, options),
    };
    reader.with_part_size(PART)
}

/// Reads an input for what only the whole of it shows of its identifiers, where reading it in parts by these
/// rules takes that.
pub(crate) fn xrefs<R: Read>(
    input: impl FnOnce() -> io::Result<R>,
    rules: &Rules,
    options: &Options,
    threads: usize,
) -> io::Result<Option<Xrefs>> {
    let are_needed = Xrefs::are_needed(rules).then_some(());
    let read = |()| {
        let input = any_read(input()?);
        read_xrefs(XrefReader::new(input, rules, options).with_part_size(PART), threads)
    };
    are_needed.map(read).transpose()
}

/// Reads all parts for the irregular identifiers of the document alone.
fn read_xrefs(mut reader: XrefReader<AnyRead<'_>>, threads: usize) -> io::Result<Xrefs> {
    survey(&mut reader, threads, |_| (), |()| ())?;
    reader.into_xrefs()
}

/// Reads all parts to find out the irregular identifiers of the document, and what is asked of them besides:
/// `see` makes it of each, `fold` gets it in the order of the file. Nothing is reported.
pub(crate) fn survey<T: Send>(
    reader: &mut XrefReader<AnyRead<'_>>,
    threads: usize,
    see: impl Fn(&Document<'_>) -> T + Sync,
    mut fold: impl FnMut(T),
) -> io::Result<()> {
    let mut undivided = threads > 1;
    loop {
        if undivided && let Some(divided) = reader.divide() {
            undivided = false;
            let see = &see;
            let read =
                |part: &UnreadPart| part.read(&mut ()).map(|(document, outcome)| (see(&document), outcome));
            divide(divided, vec![read; threads], &mut fold, &mut ())?;
        }
        match reader.next_part()? {
            Some(part) => fold(see(&part)),
            None => return Ok(()),
        }
    }
}

/// Reads all parts for their structures alone: `see` makes of each what is asked, `fold` gets it in the order
/// of the file. Nothing is reported.
pub(crate) fn look<T: Send>(
    reader: &mut elf_tagged::Reader<AnyRead<'_>>,
    escapes: &(dyn EscapeSource + Sync),
    threads: usize,
    see: impl Fn(&Document<'_>) -> T + Sync,
    mut fold: impl FnMut(T),
) -> io::Result<()> {
    loop {
        if let Some(divided) = reader.divide() {
            let see = &see;
            let read = |part: &UnreadPart| {
                part.read_with(escapes, &mut ()).map(|(document, outcome)| (see(&document), outcome))
            };
            divide(divided, vec![read; threads.max(1)], &mut fold, &mut ())?;
        }
        match reader.next_part_with(escapes, &mut ())? {
            Some(part) => fold(see(&part)),
            None => return Ok(()),
        }
    }
}

/// Reads all parts that can be read apart, and encodes each on a thread of its own encoder; `put` gets it in
/// the order of the file, with its findings. What only the whole file shows goes to `sink`.
pub(crate) fn encode<S: Sink + Default + Send, E: From<io::Error> + From<WriteError>>(
    reader: &mut elf_tagged::Reader<AnyRead<'_>>,
    encoders: Vec<PartEncoder>,
    mut put: impl FnMut(EncodedPart, S) -> Result<(), E>,
    sink: &mut dyn Sink,
) -> Result<(), E> {
    let Some(divided) = reader.divide() else { return Ok(()) };
    let has_failed = AtomicBool::new(false);
    let read = |mut encoder: PartEncoder| {
        let has_failed = &has_failed;
        move |part: &UnreadPart| {
            // Nothing is written behind what could not be.
            if has_failed.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let mut findings = S::default();
            let (document, outcome) = part.read(&mut findings)?;
            Ok(((encoder.encode(&document), findings), outcome))
        }
    };
    let mut written = Ok(());
    let mut fold = |(part, findings): (Result<EncodedPart, WriteError>, S)| {
        if written.is_ok() {
            written = part.map_err(E::from).and_then(|part| put(part, findings));
            has_failed.store(written.is_err(), Ordering::Relaxed);
        }
    };
    let read = divide(divided, encoders.into_iter().map(read).collect(), &mut fold, sink);
    written.and_then(|()| read.map_err(E::from))
}

/// Reads all parts. The findings of each go to a sink that `start` makes, on the thread that reads it; `see`
/// makes of a part and its sink what is asked, and of a sink alone behind the last part; `fold` gets that in
/// the order of the file. What only the whole file shows goes to `sink`, or into the sink behind the last
/// part.
///
/// Some parts only show that something is wrong in a part before.
pub(crate) fn read<S: Sink, T: Send>(
    reader: &mut Reader<'_, AnyRead<'_>>,
    threads: usize,
    (start, see): (impl Fn() -> S + Sync, impl Fn(Option<&Part<'_>>, S) -> T + Sync),
    mut fold: impl FnMut(T),
    sink: &mut dyn Sink,
) -> io::Result<()> {
    loop {
        // The first part holds the header, as a rule.
        if let Some(divided) = reader.divide() {
            let (start, see) = (&start, &see);
            let read = |mut one: PartReader| {
                move |part: &UnreadPart| {
                    let mut findings = start();
                    let (typed, outcome) = one.read(part, &mut findings)?;
                    Ok((see(Some(&typed), findings), outcome))
                }
            };
            let readers = vec![divided.part_reader(); threads.max(1)];
            divide(divided, readers.into_iter().map(read).collect(), &mut fold, sink)?;
        }
        let mut findings = start();
        let part = reader.next_part(&mut findings)?;
        let is_last = part.is_none();
        fold(see(part.as_ref(), findings));
        if is_last {
            return Ok(());
        }
    }
}

/// A document whose parts can be read on any thread, to make a `T` of each.
trait PartSource<T> {
    /// The part of a result that concerns the whole file, not only the part.
    type PartOutcome: Send;

    fn next_unread(&mut self) -> io::Result<Option<UnreadPart>>;
    fn take(
        &mut self,
        outcome: Self::PartOutcome,
        value: T,
        sink: &mut dyn Sink,
        fold: impl FnMut(T, &mut dyn Sink),
    ) -> Result<(), PartError>;
    fn recycle(&mut self, part: UnreadPart);
    fn pending(&self) -> u64;
    fn is_done(&self) -> bool;
}

macro_rules! part_sources {
    ($($layer:ident),*) => { $(
        impl<T> PartSource<T> for $layer::Divided<'_, AnyRead<'_>, T> {
            type PartOutcome = $layer::PartOutcome;

            fn next_unread(&mut self) -> io::Result<Option<UnreadPart>> {
                self.next_unread()
            }

            fn take(
                &mut self,
                outcome: Self::PartOutcome,
                value: T,
                sink: &mut dyn Sink,
                fold: impl FnMut(T, &mut dyn Sink),
            ) -> Result<(), PartError> {
                self.take(outcome, value, sink, fold)
            }

            fn recycle(&mut self, part: UnreadPart) {
                self.recycle(part);
            }

            fn pending(&self) -> u64 {
                self.pending()
            }

            fn is_done(&self) -> bool {
                self.is_done()
            }
        }
    )* };
}

part_sources!(elf_tagged, elf_schema);

/// The results of parts that were read and not taken yet: what was made of each, and the outcome for the
/// whole file.
type Slots<T, O> = Vec<Mutex<Option<(T, O)>>>;

/// A document whose parts are read on several threads.
struct Dividing<'d, T, D: PartSource<T>, F> {
    divided: D,
    slots: &'d Slots<T, D::PartOutcome>,
    fold: &'d mut F,
    sink: &'d mut dyn Sink,
}

impl<T, D: PartSource<T>, F: FnMut(T)> UnreadParts for Dividing<'_, T, D, F> {
    fn next_unread(&mut self) -> io::Result<Option<UnreadPart>> {
        self.divided.next_unread()
    }

    fn take(&mut self, slot: usize) -> io::Result<()> {
        let result = self.slots.get(slot).and_then(|slot| locked(slot).take());
        let missing = || io::Error::other("a part that was read has left no result");
        let (seen, outcome) = result.ok_or_else(missing)?;
        let fold = |seen, _: &mut dyn Sink| (self.fold)(seen);
        self.divided.take(outcome, seen, self.sink, fold).map_err(io::Error::other)
    }

    fn recycle(&mut self, part: UnreadPart) {
        self.divided.recycle(part);
    }

    fn pending(&self) -> u64 {
        self.divided.pending()
    }

    fn is_done(&self) -> bool {
        self.divided.is_done()
    }
}

/// Reads all parts that are left, each thread by one of `readers`; with one alone, whoever calls does.
fn divide<T: Send, D: PartSource<T>>(
    mut divided: D,
    mut readers: Vec<impl FnMut(&UnreadPart) -> io::Result<(T, D::PartOutcome)> + Send>,
    fold: &mut impl FnMut(T),
    sink: &mut dyn Sink,
) -> io::Result<()> {
    if readers.len() == 1
        && let Some(mut read) = readers.pop()
    {
        while !divided.is_done()
            && let Some(part) = divided.next_unread()?
        {
            let (seen, outcome) = read(&part)?;
            divided.take(outcome, seen, sink, |seen, _| fold(seen)).map_err(io::Error::other)?;
            divided.recycle(part);
        }
        return Ok(());
    }
    let slots: Slots<T, D::PartOutcome> = (0..readers.len() * EACH).map(|_| Mutex::new(None)).collect();
    let mut to_slots: Vec<ReadToSlot<'_>> = Vec::new();
    for mut read in readers {
        let slots = &slots;
        to_slots.push(Box::new(move |part, slot| {
            let result = read(part)?;
            if let Some(slot) = slots.get(slot) {
                *locked(slot) = Some(result);
            }
            Ok(())
        }));
    }
    on_threads::read(&mut Dividing { divided, slots: &slots, fold, sink }, to_slots, slots.len())
}

/// A thread takes longer to start than a few parts to be looked through.
pub(crate) const FEW: usize = 8;

/// Makes something of each of so many numbers from 0, on so many threads at most; returns it in their order.
/// Each thread takes the next number as it is done with one, so that one which takes long keeps no other
/// waiting.
pub(crate) fn each<T: Send>(count: usize, threads: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = threads.min(count / FEW).max(1);
    let next = AtomicUsize::new(0);
    let all: Mutex<Vec<Option<T>>> = Mutex::new(std::iter::repeat_with(|| None).take(count).collect());
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let numbers = numbers.take_while(|number| *number < count);
        let made: Vec<(usize, T)> = numbers.map(|number| (number, make(number))).collect();
        let mut all = locked(&all);
        for (number, made) in made {
            if let Some(entry) = all.get_mut(number) {
                *entry = Some(made);
            }
        }
    };
    thread::scope(|scope| {
        // As many as there are to be had.
        let others: Vec<_> = (1..threads).map_while(|_| on_threads::start(scope, Box::new(&work))).collect();
        work();
        others.into_iter().for_each(|other| drop(other.join()));
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    // What a thread that ended early took is made here.
    (0..).zip(all).map(|(number, made)| made.unwrap_or_else(|| make(number))).collect()
}

/// Makes two things, at the same time if there are several threads and another one is to be had; `None` for
/// the second one where that thread ended early.
pub(crate) fn beside<A, B: Send>(
    threads: usize,
    one: impl FnOnce() -> A,
    other: impl FnOnce() -> B + Send,
) -> (A, Option<B>) {
    let (waiting, made) = (Mutex::new(Some(other)), Mutex::new(None));
    let make_other = || {
        let make = locked(&waiting).take();
        if let Some(make) = make {
            let other = make();
            *locked(&made) = Some(other);
        }
    };
    let one = thread::scope(|scope| {
        let thread = if threads > 1 { on_threads::start(scope, Box::new(&make_other)) } else { None };
        let one = one();
        thread.into_iter().for_each(|thread| drop(thread.join()));
        make_other();
        one
    });
    (one, made.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The value that a lock guards; a thread that panicked with it has left it whole.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_schema::Diagnostic;
    use elf_tagged::write::{PartWriter, Survey, WriteOptions};
    use proptest::prelude::*;

    /// The result of reading a file: its findings, the numbers of its lines and records, and whether all of
    /// it was read.
    type Outcome = (Vec<String>, u64, u64, bool);

    /// The findings, sorted: who takes them puts them in order.
    fn said(findings: &[Diagnostic]) -> Vec<String> {
        let said = |one: &Diagnostic| format!("{} {:?} {}", one.code, one.place, one.message);
        let mut all: Vec<String> = findings.iter().map(said).collect();
        all.sort();
        all
    }

    fn in_parts(octets: &[u8], rules: &Rules, size: usize, threads: usize) -> Outcome {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let options = ReadOptions::default();
        let names = Xrefs::are_needed(rules).then(|| {
            let first = XrefReader::new(any_read(octets), rules, &options.octets).with_part_size(size);
            read_xrefs(first, threads).unwrap()
        });
        let mut reader = reader(octets, rules, options, names).with_part_size(size);
        let (mut lines, mut records) = (0, 0);
        let see = |part: Option<&Part<'_>>, findings: Vec<Diagnostic>| {
            let counts =
                |part: &Part<'_>| (part.document().line_count(), part.document().records().count() as u64);
            (part.map(counts).unwrap_or_default(), findings)
        };
        let mut of_parts = Vec::new();
        let add = |((more_lines, more_records), findings): ((u64, u64), Vec<Diagnostic>)| {
            lines += more_lines;
            records += more_records;
            of_parts.extend(findings);
        };
        read(&mut reader, threads, (Vec::new, see), add, &mut findings).unwrap();
        of_parts.append(&mut findings);
        (said(&of_parts), lines, records, reader.tagged().is_complete())
    }

    fn whole(octets: &[u8], rules: &Rules) -> Outcome {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let typed = elf_schema::read(octets, rules, &ReadOptions::default(), &mut findings).unwrap();
        let document = typed.document();
        let (lines, records) = (document.line_count(), document.records().count() as u64);
        (said(&findings), lines, records, document.is_complete())
    }

    fn check(octets: &[u8], rules: &Rules, size: usize) {
        let one = in_parts(octets, rules, size, 1);
        for threads in [2, 4] {
            assert_eq!(in_parts(octets, rules, size, threads), one, "{} threads, {}", threads, rules.name);
        }
        let all = whole(octets, rules);
        assert_eq!(one, all, "{} in parts of {size}", rules.name);
    }

    #[test]
    fn each_is_made_once_and_in_order() {
        for count in [0, 1, 7, 8, 31, 32, 33, 100] {
            for threads in [0, 1, 2, 3, 64] {
                let made = each(count, threads, |number| number);
                assert_eq!(made, (0..count).collect::<Vec<usize>>(), "{count} on {threads}");
            }
        }
    }

    #[test]
    fn an_example_is_the_same_on_any_number_of_threads() {
        let example = include_bytes!("../../../examples/haugen.ged");
        for rules in Rules::PRESETS {
            for size in [1, 64, 1000] {
                check(example, rules, size);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn mutated_files_are_the_same_on_any_number_of_threads(
            lines in proptest::collection::vec(
                "[012] (@[AB]@ )?(INDI|NOTE|NAME|_UID|WHAT|CONT|CONC|HEAD|TRLR|x-)( @[AB]@| t@xt| caf\u{E9})?|[ -~]{0,12}",
                0..60,
            ),
            at in any::<prop::sample::Index>(),
            with in prop::sample::select(vec![b'0', b'@', b'\n', b'\r', b' ', 0xC3, 0xFF, 0]),
            size in 1_usize..200,
            rules in prop::sample::select(Rules::PRESETS.to_vec()),
            utf16 in any::<bool>(),
        ) {
            let text = format!("0 HEAD\n1 CHAR UTF-8\n{}\n0 TRLR\n", lines.join("\n"));
            let mut octets: Vec<u8> = match utf16 {
                true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                false => text.into_bytes(),
            };
            let at = at.index(octets.len());
            octets[at] = with;
            check(&octets, rules, size);
        }
    }

    /// The octets that a file is converted to on so many threads, with the losses and the findings; `most` parts
    /// are put.
    fn converted(
        octets: &[u8],
        size: usize,
        threads: usize,
        most: usize,
    ) -> (Vec<u8>, Vec<String>, Vec<String>) {
        let (rules, options) = (&Rules::WILD, Options::default());
        let blank = Survey::new(&Rules::OCTOBER_2017, &WriteOptions::new()).unwrap();
        let see = |part: &Document<'_>| {
            let mut one = blank.clone();
            one.see(part);
            one
        };
        let mut first = XrefReader::new(any_read(octets), rules, &options).with_part_size(size);
        let mut all = blank.clone();
        survey(&mut first, threads, see, |one| all.join(one)).unwrap();
        let names = first.into_xrefs().unwrap();
        let (mut written, mut losses): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let mut writer = PartWriter::new(&mut written, all.finish(&names).unwrap(), &mut losses).unwrap();
        let mut reader = elf_tagged::Reader::with_xrefs(any_read(octets), names).with_part_size(size);
        let (mut findings, mut late): (Vec<Diagnostic>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let mut puts = 0;
        let done = loop {
            if let Some(encoder) = writer.encoder() {
                let put = |part, found: Vec<Diagnostic>| {
                    puts += 1;
                    findings.extend(found);
                    if puts > most { Err(WriteError::Incomplete) } else { writer.put(part) }
                };
                if let Err(error) = encode(&mut reader, vec![encoder; threads], put, &mut late) {
                    break Err(error);
                }
            }
            let Some(part) = reader.next_part(&mut findings).unwrap() else { break Ok(()) };
            writer.part(&part, None).unwrap();
        };
        match done {
            Ok(()) => assert!(writer.finish().unwrap().records > 0 && puts > 1),
            Err(error) => assert!(matches!(error, WriteError::Incomplete) && puts == most + 1),
        }
        findings.extend(late);
        let lost = losses.iter().map(|one| format!("{} {:?} {}", one.code, one.place, one.message)).collect();
        (written, lost, said(&findings))
    }

    #[test]
    fn parts_are_written_in_order_on_any_number_of_threads() {
        let mut file = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
        for number in 0..300 {
            let to = number * 7 % 311;
            file += &format!(
                "0 @I{number}@ INDI\n1 NOTE a@b \u{416} {number}\n1 FAMC @I{to}@\n1 BIRT\n3 DATE x\n"
            );
        }
        file += "0 TRLR\n";
        let octets = file.as_bytes();
        for size in [1, 100, 1000] {
            let one = converted(octets, size, 1, usize::MAX);
            assert!(!one.1.is_empty() && !one.2.is_empty());
            for threads in [2, 4] {
                assert!(
                    converted(octets, size, threads, usize::MAX) == one,
                    "{threads} threads, parts of {size}"
                );
                // Nothing is written behind what could not be.
                let (stopped, ..) = converted(octets, size, threads, 3);
                assert!(one.0.starts_with(&stopped) && stopped.len() < one.0.len());
            }
        }
    }

    #[test]
    fn a_thread_that_panics_ends_the_reading() {
        let file = "0 HEAD\n1 CHAR UTF-8\n".to_owned() + &"0 @I1@ INDI\n1 NAME A\n".repeat(500) + "0 TRLR\n";
        for threads in [2, 4] {
            let names: Option<Xrefs> = None;
            let mut reader =
                reader(file.as_bytes(), &Rules::WILD, ReadOptions::default(), names).with_part_size(64);
            let seen = AtomicUsize::new(0);
            let see = |_: Option<&Part<'_>>, (): ()| {
                assert_ne!(seen.fetch_add(1, Ordering::Relaxed), 100, "a panic that is meant");
            };
            let result = read(&mut reader, threads, (|| (), see), |()| (), &mut ());
            assert!(result.is_err());
        }
    }
}
