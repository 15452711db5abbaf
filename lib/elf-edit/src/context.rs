//! Finds the structure that a finding is about, with its record, its path, and the name of the person.

use crate::PathFinder;
use elf_base::Diagnostic;
use elf_tagged::elf_octets::Locator;
use elf_tagged::{Document, Node, NodeId};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The maximum number of characters of a person's name.
const LONGEST_NAME: usize = 60;

/// The structure that a finding is about. A context is small, because a file can have as many findings as lines. The
/// contexts in one record share the data about the record.
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
/// assert_eq!(context.describe(&records), "@I1@ Jane Doe > BIRT");
/// # Ok::<(), elf_edit::elf_tagged::TooLarge>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The record that contains the structure.
    pub record: NumberedRecord,
    /// The path from the record to the structure, starting with `/`. `None` if the line is not a structure, or is too
    /// deep.
    pub path_in_record: Option<Box<str>>,
    /// The length in bytes of the part of `path_in_record` that leads to the superstructure.
    pub superstructures_len: usize,
}

/// A record with its number in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedRecord {
    record: Arc<Record>,
    /// The number of the record, from 1. A record with an identifier is counted among the records with the same
    /// identifier, and another record among the records with the same tag. `None` if it is the only one.
    number: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    /// The identifier of the record. If the record has no identifier, this is its tag.
    name: String,
    numbered: RecordNumbering,
    person: Option<String>,
}

/// The records among which a record is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordNumbering {
    /// The record is counted among the records with the same identifier.
    AmongSameXref,
    /// The record has no identifier, so it is counted among the records with the same tag.
    AmongSameTag,
}

/// The number of records with each tag. Paths contain these numbers.
#[derive(Clone, Debug, Default)]
pub struct RecordTags {
    counts: BTreeMap<String, u64>,
    /// Whether more records may follow, with any tag.
    is_open: bool,
}

impl Context {
    /// The depth of the deepest structure for which a path is computed. A deeper path would take too much time for each
    /// finding.
    pub const DEEPEST: usize = 100;

    /// Returns the identifier of the record without at signs, or its tag. If several records have it, a number follows.
    pub fn record(&self, all: &RecordTags) -> String {
        let Record { name, numbered: by, .. } = &*self.record.record;
        number_step(
            name,
            self.record.number.filter(|_| *by == RecordNumbering::AmongSameTag && all.has_several(name)),
        )
    }

    /// Returns the path in the form that `elf edit` accepts.
    pub fn path(&self, all: &RecordTags) -> Option<String> {
        let beneath = self.path_in_record.as_deref()?;
        Some(self.record_step(all) + beneath)
    }

    /// Describes the structure for people. The description has the record, the person and the superstructures, such as
    /// `@I2@ Élise Dupont > BIRT`.
    pub fn describe(&self, all: &RecordTags) -> String {
        let mut words = self.record_step(all);
        if let Some(person) = &self.record.record.person {
            words.push(' ');
            words.push_str(person);
        }
        let above = self
            .path_in_record
            .as_deref()
            .and_then(|beneath| beneath.get(..self.superstructures_len))
            .unwrap_or_default();
        words + &above.replace('/', " > ")
    }

    fn record_step(&self, all: &RecordTags) -> String {
        let NumberedRecord { record, number } = &self.record;
        match record.numbered {
            RecordNumbering::AmongSameXref => label_record(&record.name, *number),
            RecordNumbering::AmongSameTag => self.record(all),
        }
    }
}

impl NumberedRecord {
    /// Adds the records of earlier runs to the number of this record. `bearers_before` returns the number of structures
    /// in those runs that have an identifier.
    pub fn count_earlier_runs(&mut self, before: &RecordTags, bearers_before: impl Fn(&str) -> u64) {
        let Record { name, numbered: by, .. } = &*self.record;
        match by {
            RecordNumbering::AmongSameTag => {
                let before = before.counts.get(name).copied().unwrap_or(0);
                self.number = self.number.map(|number| number + before);
            }
            RecordNumbering::AmongSameXref => match (self.number, bearers_before(name)) {
                (Some(number), before) => self.number = Some(number + before),
                (None, 0) => {}
                // The record is the only one in its run, but not the first one in the file.
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
    /// Counts the records of a run by tag.
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

    /// Sets whether more records may follow. If so, every record gets a number, because a later record may have the
    /// same tag.
    pub fn set_open(&mut self, is_open: bool) {
        self.is_open = is_open;
    }

    fn has_several(&self, tag: &str) -> bool {
        self.is_open && tag != "HEAD" || self.counts.get(tag).is_some_and(|&count| count > 1)
    }
}

fn is_record(node: Node<'_>) -> bool {
    !node.is_continuation() && !node.is_inserted() && node.superstructure().is_none()
}

/// The nodes that a finding is about.
#[derive(Clone, Copy, Debug)]
pub struct FoundNodes {
    /// The record that contains the structure.
    pub record: NodeId,
    /// The structure. `None` if the line is not a structure, or is deeper than [`Context::DEEPEST`].
    pub structure: Option<NodeId>,
}

/// Finds the structures that findings are about, in a whole document or in a run.
#[derive(Debug)]
pub struct ContextFinder<'d, 'o> {
    document: &'d Document<'o>,
    locator: Locator<'d>,
    /// The number of nodes that are in the file.
    nodes_in_file: u32,
    records: Vec<NodeId>,
    /// The line for which nodes were last searched.
    last_line: u64,
    upto: u32,
    /// The structures that have each repeated identifier. The structures are computed for the first record that has an
    /// identifier.
    repeated: OnceCell<HashMap<&'d str, Vec<NodeId>>>,
    numbers: OnceCell<HashMap<NodeId, u64>>,
    numbered_records: HashMap<NodeId, NumberedRecord>,
    paths: Option<PathFinder<'d>>,
    /// The record of the last search, and the length of its path.
    last_record: Option<(NodeId, usize)>,
}

impl<'d, 'o> ContextFinder<'d, 'o> {
    /// Creates a finder for a whole document or for a run.
    pub fn of(document: &'d Document<'o>) -> ContextFinder<'d, 'o> {
        let in_file = document.node_at(u32::MAX).map_or(0, |last| last.id().get() + 1);
        ContextFinder {
            document,
            locator: document.locator(),
            nodes_in_file: in_file,
            last_line: 0,
            upto: 0,
            records: document.nodes().filter(|node| is_record(*node)).map(Node::id).collect(),
            repeated: OnceCell::new(),
            numbers: OnceCell::new(),
            numbered_records: HashMap::new(),
            paths: None,
            last_record: None,
        }
    }

    /// Returns the context of a finding. Returns `None` if the finding is not about a structure of the document.
    pub fn context_of(&mut self, finding: &Diagnostic) -> Option<Context> {
        let FoundNodes { record, structure } = self.find_nodes(finding)?;
        let beneath = structure.and_then(|structure| self.path_in_record(record, structure));
        self.build_context(record, structure, beneath)
    }

    /// Returns the path of a structure without the step for its record.
    fn path_in_record(&mut self, record: NodeId, structure: NodeId) -> Option<Box<str>> {
        let paths = self.paths.get_or_insert_with(|| PathFinder::of(self.document));
        let (_, of_record) = match self.last_record.filter(|(last, _)| *last == record) {
            Some(last) => last,
            // The last record is stored, because many findings are about the same record.
            None => *self.last_record.insert((record, paths.path_of(record).len())),
        };
        paths.path_of(structure).get(of_record..).map(Box::from)
    }

    /// Returns the nodes that a finding is about. Returns `None` if the finding is not about a structure of the
    /// document.
    pub fn find_nodes(&mut self, finding: &Diagnostic) -> Option<FoundNodes> {
        let line = finding.place?.line;
        let last = self.count_nodes_up_to(line)?.checked_sub(1)?;
        // If the line is not a structure, use the structure before it.
        let is_there = self.line_of_node(last)? == line;
        let node = self.document.node(NodeId::new(last))?;
        let node = if node.is_continuation() { node.superstructure()? } else { node };
        let record = self.records.partition_point(|&record| record <= node.id()).checked_sub(1)?;
        let is_shallow = node.with_ancestors().take(Context::DEEPEST + 1).count() <= Context::DEEPEST;
        Some(FoundNodes {
            record: *self.records.get(record)?,
            structure: (is_there && is_shallow).then_some(node.id()),
        })
    }

    fn count_nodes_up_to(&mut self, line: u64) -> Option<u32> {
        // Nearly every line has a node.
        let ahead = line.checked_sub(self.last_line).and_then(|ahead| u32::try_from(ahead).ok());
        let guess =
            ahead.and_then(|ahead| self.upto.checked_add(ahead)).filter(|guess| *guess <= self.nodes_in_file);
        let upto = match guess {
            Some(guess) if self.is_node_count_up_to(guess, line) => guess,
            _ => self.search_node_count_up_to(line)?,
        };
        (self.last_line, self.upto) = (line, upto);
        Some(upto)
    }

    fn is_node_count_up_to(&mut self, count: u32, line: u64) -> bool {
        let last = count.checked_sub(1).and_then(|last| self.line_of_node(last));
        last == Some(line)
            && (count == self.nodes_in_file || self.line_of_node(count).is_some_and(|next| next > line))
    }

    /// Counts the nodes up to a line. The search starts at the result of the last search, because lines usually come in
    /// ascending order.
    fn search_node_count_up_to(&mut self, line: u64) -> Option<u32> {
        let (mut from, mut to, mut step) = (self.upto, self.nodes_in_file, 1);
        if from.checked_sub(1).is_some_and(|last| self.line_of_node(last).is_none_or(|last| last > line)) {
            (from, to) = (0, from);
        }
        while from < to {
            let middle = from + (step - 1).min((to - from) / 2);
            if self.line_of_node(middle)? <= line {
                from = middle + 1;
                step = step.saturating_mul(2);
            } else {
                to = middle;
                step = u32::MAX;
            }
        }
        Some(from)
    }

    fn line_of_node(&mut self, node: u32) -> Option<u64> {
        let node = self.document.node(NodeId::new(node))?;
        Some(self.locator.line_number(node.line_span()))
    }

    fn build_context(
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
        let record = match self.numbered_records.get(&record) {
            Some(known) => known.clone(),
            None => {
                let known = self.number_record(node);
                self.numbered_records.insert(record, known.clone());
                known
            }
        };
        Some(Context { record, path_in_record: beneath, superstructures_len: last.unwrap_or_default() })
    }

    fn number_record(&mut self, record: Node<'_>) -> NumberedRecord {
        let (numbered, number) = match record.xref() {
            Some(xref) => (RecordNumbering::AmongSameXref, self.number_among_same_xref(record, xref)),
            None => (
                RecordNumbering::AmongSameTag,
                Some(self.numbers_among_same_tag().get(&record.id()).copied().unwrap_or(1)),
            ),
        };
        let name = record.xref().unwrap_or(record.tag()).to_owned();
        NumberedRecord { record: Arc::new(Record { name, numbered, person: person_name(record) }), number }
    }

    /// Returns the number of a record among the records with the same identifier, from 1. Returns `None` if the record
    /// is the only one. In a run, only the records of the run are counted.
    fn number_among_same_xref(&self, record: Node<'_>, xref: &str) -> Option<u64> {
        let bearers = self.repeated.get_or_init(|| self.document.repeated_bearers()).get(xref)?;
        Some(bearers.partition_point(|&id| id < record.id()) as u64 + 1)
    }

    /// Returns the number of each record among the records with the same tag. The numbers are computed in the first
    /// call.
    fn numbers_among_same_tag(&self) -> &HashMap<NodeId, u64> {
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

fn person_name(record: Node<'_>) -> Option<String> {
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
