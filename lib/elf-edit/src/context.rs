//! The structure that a finding is about: its record, its path, the person whose record it is.

use crate::PathFinder;
use elf_base::Diagnostic;
use elf_tagged::elf_octets::Locator;
use elf_tagged::{Document, Node, NodeId};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The most characters of a person's name.
const LONGEST_NAME: usize = 60;

/// The structure that a finding is about. Small, because a file can have as many findings as lines; contexts of one
/// record share its data.
///
/// ```
/// use elf_edit::elf_tagged::{Diagnostic, Options, Rules, read};
/// use elf_edit::{ContextFinder, RecordTags};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Jane /Doe/\n1 BIRT\n2 NOTE a@b\n0 TRLR\n";
/// let mut found: Vec<Diagnostic> = Vec::new();
/// let document = read(file, &Rules::WILD, &Options::default(), &mut found)?;
/// let mut finder = ContextFinder::of(&document);
/// let context = finder.context_of(&found[0]).expect("a structure");
/// let records = RecordTags::of(&document);
/// assert_eq!(context.path(&records).as_deref(), Some("@I1@/BIRT/NOTE"));
/// assert_eq!(context.words(&records), "@I1@ Jane Doe > BIRT");
/// # Ok::<(), elf_edit::elf_tagged::TooLarge>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The record of the structure.
    pub record: NumberedRecord,
    /// The path relative to the record, starting with `/`. `None` if the line is not a structure, or is too deep.
    pub beneath: Option<Box<str>>,
    /// The length in bytes of the part of `beneath` that names the superstructures.
    pub above: usize,
}

/// A record with its number in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedRecord {
    record: Arc<Record>,
    /// The number of the record: among several that have its identifier, or, of one that has none, among
    /// those of its tag, from 1.
    number: Option<u64>,
}

/// A record, as paths and people name it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    /// The identifier, or else its tag.
    name: String,
    numbered: RecordNumbering,
    person: Option<String>,
}

/// The meaning of the number of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordNumbering {
    /// The number among several that have its identifier.
    AmongBearers,
    /// The record has no identifier: its number among those of its tag, from 1.
    AmongTag,
}

/// The number of records with each tag, which paths need.
#[derive(Clone, Debug, Default)]
pub struct RecordTags {
    counts: BTreeMap<String, u64>,
    /// True if more may come, of any tag.
    is_open: bool,
}

impl Context {
    /// The deepest structure whose path is computed. Deeper paths would take too much time for each finding.
    pub const DEEPEST: usize = 100;

    /// Returns the record: its identifier without at signs, or its tag, with a number if there are several.
    pub fn record(&self, all: &RecordTags) -> String {
        let Record { name, numbered: by, .. } = &*self.record.record;
        number_step(
            name,
            self.record.number.filter(|_| *by == RecordNumbering::AmongTag && all.has_several(name)),
        )
    }

    /// Returns the path, as `elf edit` accepts it.
    pub fn path(&self, all: &RecordTags) -> Option<String> {
        let beneath = self.beneath.as_deref()?;
        Some(self.record_step(all) + beneath)
    }

    /// Returns the record, the person and the superstructures in words: `@I2@ Élise Dupont > BIRT`.
    pub fn words(&self, all: &RecordTags) -> String {
        let mut words = self.record_step(all);
        if let Some(person) = &self.record.record.person {
            words.push(' ');
            words.push_str(person);
        }
        let above = self.beneath.as_deref().and_then(|beneath| beneath.get(..self.above)).unwrap_or_default();
        words + &above.replace('/', " > ")
    }

    fn record_step(&self, all: &RecordTags) -> String {
        let NumberedRecord { record, number } = &self.record;
        match record.numbered {
            RecordNumbering::AmongBearers => label_record(&record.name, *number),
            RecordNumbering::AmongTag => self.record(all),
        }
    }
}

impl NumberedRecord {
    /// Adjusts the number of the record for the runs before this one. `bearers_before` returns how many of their
    /// structures have an identifier.
    pub fn behind(&mut self, before: &RecordTags, bearers_before: impl Fn(&str) -> u64) {
        let Record { name, numbered: by, .. } = &*self.record;
        match by {
            RecordNumbering::AmongTag => {
                let before = before.counts.get(name).copied().unwrap_or(0);
                self.number = self.number.map(|number| number + before);
            }
            RecordNumbering::AmongBearers => match (self.number, bearers_before(name)) {
                (Some(number), before) => self.number = Some(number + before),
                (None, 0) => {}
                // The only one in its run, but not the first in the file.
                (None, before) => self.number = Some(before + 1),
            },
        }
    }
}

fn label_record(xref: &str, number: Option<u64>) -> String {
    number_step(&["@", xref, "@"].concat(), number)
}

fn number_step(step: &str, number: Option<u64>) -> String {
    number.map_or_else(|| step.to_owned(), |number| format!("{step}[{number}]"))
}

impl RecordTags {
    /// Counts the records of a run.
    pub fn of(document: &Document<'_>) -> RecordTags {
        let mut tags: BTreeMap<&str, u64> = BTreeMap::new();
        for record in document.lines().filter(|node| is_record(*node)) {
            *tags.entry(record.tag()).or_default() += 1;
        }
        let counts = tags.into_iter().map(|(tag, count)| (tag.to_owned(), count)).collect();
        RecordTags { counts, is_open: false }
    }

    /// Adds the records of the next run.
    pub fn add(&mut self, run: RecordTags) {
        for (tag, count) in run.counts {
            *self.counts.entry(tag).or_default() += count;
        }
    }

    /// Sets whether more records may follow. If so, every record has a number, because it may not be the only one
    /// with its tag.
    pub fn set_open(&mut self, is_open: bool) {
        self.is_open = is_open;
    }

    fn has_several(&self, tag: &str) -> bool {
        self.is_open && tag != "HEAD" || self.counts.get(tag).is_some_and(|&count| count > 1)
    }
}

/// Returns whether a node is a structure that is in none.
fn is_record(node: Node<'_>) -> bool {
    !node.is_continuation() && !node.is_inserted() && node.superstructure().is_none()
}

/// The nodes that a finding is about.
#[derive(Clone, Copy, Debug)]
pub struct FoundNodes {
    /// The record.
    pub record: NodeId,
    /// The structure; `None` if the line is not a structure, or is deeper than [`Context::DEEPEST`].
    pub structure: Option<NodeId>,
}

/// Finds the structures that findings about a document or a run are about.
#[derive(Debug)]
pub struct ContextFinder<'d, 'o> {
    document: &'d Document<'o>,
    locator: Locator<'d>,
    /// The number of nodes that are in the file.
    count: u32,
    records: Vec<NodeId>,
    /// The line that was looked for last, and the number of nodes up to it.
    line: u64,
    upto: u32,
    /// The structures that have each repeated identifier, worked out when a record has an identifier.
    repeated: OnceCell<HashMap<&'d str, Vec<NodeId>>>,
    numbers: OnceCell<HashMap<NodeId, u64>>,
    /// The records met so far.
    known: HashMap<NodeId, NumberedRecord>,
    paths: Option<PathFinder<'d>>,
    /// The record met last, and the length of its path.
    last: Option<(NodeId, usize)>,
}

impl<'d, 'o> ContextFinder<'d, 'o> {
    /// Creates a finder for a whole document or a run.
    pub fn of(document: &'d Document<'o>) -> ContextFinder<'d, 'o> {
        let in_file = document.node_at(u32::MAX).map_or(0, |last| last.id().get() + 1);
        ContextFinder {
            document,
            locator: document.locator(),
            count: in_file,
            line: 0,
            upto: 0,
            records: document.nodes().filter(|node| is_record(*node)).map(Node::id).collect(),
            repeated: OnceCell::new(),
            numbers: OnceCell::new(),
            known: HashMap::new(),
            paths: None,
            last: None,
        }
    }

    /// Returns the structure that a finding is about; `None` if it is not about a structure of the document.
    pub fn context_of(&mut self, finding: &Diagnostic) -> Option<Context> {
        let FoundNodes { record, structure } = self.find(finding)?;
        let beneath = structure.and_then(|structure| self.path_beneath(record, structure));
        self.context(record, structure, beneath)
    }

    /// The path of a structure from its record on.
    fn path_beneath(&mut self, record: NodeId, structure: NodeId) -> Option<Box<str>> {
        let paths = self.paths.get_or_insert_with(|| PathFinder::of(self.document));
        let (_, of_record) = match self.last.filter(|(last, _)| *last == record) {
            Some(last) => last,
            // Many findings are about one record.
            None => *self.last.insert((record, paths.path_of(record).len())),
        };
        paths.path_of(structure).get(of_record..).map(Box::from)
    }

    /// Returns the nodes that a finding is about; `None` if it is not about a structure of the document.
    pub fn find(&mut self, finding: &Diagnostic) -> Option<FoundNodes> {
        let line = finding.place?.line;
        let last = self.count_up_to(line)?.checked_sub(1)?;
        // If a line is not a structure, use the one before it.
        let is_there = self.line_of(last)? == line;
        let node = self.document.node(NodeId::new(last))?;
        let node = if node.is_continuation() { node.superstructure()? } else { node };
        let record = self.records.partition_point(|&record| record <= node.id()).checked_sub(1)?;
        let is_shallow = node.with_ancestors().take(Context::DEEPEST + 1).count() <= Context::DEEPEST;
        Some(FoundNodes {
            record: *self.records.get(record)?,
            structure: (is_there && is_shallow).then_some(node.id()),
        })
    }

    /// The number of nodes up to a line.
    fn count_up_to(&mut self, line: u64) -> Option<u32> {
        // Nearly each line has a node.
        let ahead = line.checked_sub(self.line).and_then(|ahead| u32::try_from(ahead).ok());
        let guess = ahead.and_then(|ahead| self.upto.checked_add(ahead)).filter(|guess| *guess <= self.count);
        let upto = match guess {
            Some(guess) if self.is_count_up_to(guess, line) => guess,
            _ => self.find_count_up_to(line)?,
        };
        (self.line, self.upto) = (line, upto);
        Some(upto)
    }

    fn is_count_up_to(&mut self, count: u32, line: u64) -> bool {
        let last = count.checked_sub(1).and_then(|last| self.line_of(last));
        last == Some(line) && (count == self.count || self.line_of(count).is_some_and(|next| next > line))
    }

    /// The number of nodes up to a line: looked for from the last answer on, since lines rise as a rule.
    fn find_count_up_to(&mut self, line: u64) -> Option<u32> {
        let (mut from, mut to, mut step) = (self.upto, self.count, 1);
        if from.checked_sub(1).is_some_and(|last| self.line_of(last).is_none_or(|last| last > line)) {
            (from, to) = (0, from);
        }
        while from < to {
            let middle = from + (step - 1).min((to - from) / 2);
            if self.line_of(middle)? <= line {
                from = middle + 1;
                step = step.saturating_mul(2);
            } else {
                to = middle;
                step = u32::MAX;
            }
        }
        Some(from)
    }

    /// The number of the line of a node.
    fn line_of(&mut self, node: u32) -> Option<u64> {
        let node = self.document.node(NodeId::new(node))?;
        Some(self.locator.line_number(node.line_span()))
    }

    fn context(
        &mut self,
        record: NodeId,
        structure: Option<NodeId>,
        beneath: Option<Box<str>>,
    ) -> Option<Context> {
        let node = self.document.node(record)?;
        let tag = structure.and_then(|structure| self.document.node(structure)).map(Node::tag);
        let last = tag.and_then(|tag| {
            let beneath = beneath.as_deref()?;
            let is_tag = |at: &usize| beneath.get(at + 1..).is_some_and(|rest| rest.starts_with(tag));
            memchr::memrchr_iter(b'/', beneath.as_bytes()).find(is_tag)
        });
        let record = match self.known.get(&record) {
            Some(known) => known.clone(),
            None => {
                let known = self.record(node);
                self.known.insert(record, known.clone());
                known
            }
        };
        Some(Context { record, beneath, above: last.unwrap_or_default() })
    }

    fn record(&mut self, record: Node<'_>) -> NumberedRecord {
        let (numbered, number) = match record.xref() {
            Some(xref) => (RecordNumbering::AmongBearers, self.number_among_bearers(record, xref)),
            None => (RecordNumbering::AmongTag, Some(self.numbers().get(&record.id()).copied().unwrap_or(1))),
        };
        let name = record.xref().unwrap_or(record.tag()).to_owned();
        NumberedRecord { record: Arc::new(Record { name, numbered, person: person(record) }), number }
    }

    /// Returns the number of a record among those that have its identifier, from 1, if there are several. In a
    /// run, those of the run are counted.
    fn number_among_bearers(&self, record: Node<'_>, xref: &str) -> Option<u64> {
        let bearers = self.repeated.get_or_init(|| self.document.repeated_bearers()).get(xref)?;
        Some(bearers.partition_point(|&id| id < record.id()) as u64 + 1)
    }

    /// The number of each record among those of its tag, worked out when it is first asked for.
    fn numbers(&self) -> &HashMap<NodeId, u64> {
        self.numbers.get_or_init(|| {
            let mut met: HashMap<&str, u64> = HashMap::new();
            let records = self.records.iter().filter_map(|&id| self.document.node(id));
            let number = |record: Node<'d>| {
                let number = met.entry(record.tag()).or_default();
                *number += 1;
                (record.id(), *number)
            };
            records.map(number).collect()
        })
    }
}

/// The name of the person whose record it is.
fn person(record: Node<'_>) -> Option<String> {
    let name = (record.tag() == "INDI").then(|| record.substructure("NAME")).flatten()?.text();
    let mut person = String::new();
    for word in name.split(|c: char| c.is_whitespace() || c == '/').filter(|word| !word.is_empty()) {
        if !person.is_empty() {
            person.push(' ');
        }
        person.push_str(word);
    }
    let cut = person.char_indices().nth(LONGEST_NAME).map(|(cut, _)| cut);
    if let Some(cut) = cut {
        person.truncate(cut);
        person.push('…');
    }
    (!person.is_empty()).then_some(person)
}
