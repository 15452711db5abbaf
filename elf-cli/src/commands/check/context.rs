//! The structure that a finding is about: its record, its path, the person whose record it is.

use elf_base::{Diagnostic, codes};
use elf_tagged::elf_octets::Locator;
use elf_tagged::{Document, Names, Node, NodeId};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

/// The deepest structure of which the path is told: what stands deeper costs as much for each finding.
pub(super) const DEEPEST: usize = 100;

/// The most characters of a person's name.
const LONGEST_NAME: usize = 60;

/// The structure that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Context {
    record: Record,
    /// The path beneath the record, with the `/` before it; `None` where the line is no structure, or one
    /// that stands too deep.
    beneath: Option<String>,
    /// The number of octets of `beneath` that name what the structure stands in.
    above: usize,
    person: Option<String>,
}

/// A record, as paths name it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Record {
    /// One with an identifier, and its number among several that bear it.
    Xref(String, Option<usize>),
    /// One with an identifier that others of the file may bear too, and the number of its line.
    Bearer(String, u64),
    /// One without, and its number among those of its tag, from 1.
    Tag(String, u64),
}

/// The records of a file, as far as paths number them: those of each tag.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordTags {
    counts: BTreeMap<String, u64>,
    bearers: BearerNumbers,
    /// True if more may come, of any tag.
    is_open: bool,
}

/// The structures of a file in parts whose identifier others bear too, by their lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct BearerNumbers {
    /// The line of each with that of the first to bear the identifier, as they are met.
    met: Vec<(u64, u64)>,
    /// The line of each with its number, from 1, when all have been met.
    numbers: Vec<(u64, usize)>,
}

impl BearerNumbers {
    /// Takes note of what a finding says of identifiers that are borne again.
    pub(crate) fn see(&mut self, finding: &Diagnostic) {
        let first = || finding.related.first().map(|first| first.place.line);
        if finding.code == codes::XREF_REPEATED
            && let (Some(place), Some(first)) = (finding.place, first())
        {
            self.met.push((first, place.line));
        }
    }

    /// Numbers those of each identifier, when all findings have been seen.
    pub(crate) fn number(&mut self) {
        let mut met = std::mem::take(&mut self.met);
        met.sort_unstable();
        let mut last = (0, 0);
        for (first, line) in met {
            if first != last.0 {
                self.numbers.push((first, 1));
                last = (first, 1);
            }
            last.1 += 1;
            self.numbers.push((line, last.1));
        }
        self.numbers.sort_unstable();
    }

    fn of_line(&self, line: u64) -> Option<usize> {
        let found = self.numbers.binary_search_by_key(&line, |&(line, _)| line).ok()?;
        self.numbers.get(found).map(|&(_, number)| number)
    }
}

impl Context {
    /// The record: its identifier without at signs, or its tag, with its number where there are several.
    pub(crate) fn record(&self, all: &RecordTags) -> String {
        match &self.record {
            Record::Xref(xref, _) | Record::Bearer(xref, _) => xref.clone(),
            Record::Tag(tag, number) => numbered(tag, all.has_several(tag).then_some(*number)),
        }
    }

    /// The path, as `elf edit` takes it.
    pub(crate) fn path(&self, all: &RecordTags) -> Option<String> {
        let beneath = self.beneath.as_deref()?;
        Some(self.record_step(all) + beneath)
    }

    /// The record, its person and the structures above, for people: `@I2@ Élise Dupont > BIRT`.
    pub(crate) fn words(&self, all: &RecordTags) -> String {
        let mut words = self.record_step(all);
        if let Some(person) = &self.person {
            words.push(' ');
            words.push_str(person);
        }
        let above = self.beneath.as_deref().and_then(|beneath| beneath.get(..self.above)).unwrap_or_default();
        words + &above.replace('/', " > ")
    }

    fn record_step(&self, all: &RecordTags) -> String {
        match &self.record {
            Record::Xref(xref, number) => labelled(xref, *number),
            Record::Bearer(xref, line) => labelled(xref, all.bearers.of_line(*line)),
            Record::Tag(..) => self.record(all),
        }
    }

    /// Counts the record among those of the parts before as well.
    pub(crate) fn behind(&mut self, before: &RecordTags) {
        if let Record::Tag(tag, number) = &mut self.record {
            *number += before.counts.get(tag).copied().unwrap_or_default();
        }
    }
}

fn labelled(xref: &str, number: Option<usize>) -> String {
    number.map_or_else(|| format!("@{xref}@"), |number| format!("@{xref}@[{number}]"))
}

fn numbered(step: &str, number: Option<u64>) -> String {
    number.map_or_else(|| step.to_owned(), |number| format!("{step}[{number}]"))
}

impl RecordTags {
    /// Counts the records of a part.
    pub(crate) fn of(document: &Document<'_>) -> RecordTags {
        let mut tags: BTreeMap<&str, u64> = BTreeMap::new();
        for record in document.nodes().filter(|node| is_record(*node)) {
            *tags.entry(record.tag()).or_default() += 1;
        }
        let counts = tags.into_iter().map(|(tag, count)| (tag.to_owned(), count)).collect();
        RecordTags { counts, ..RecordTags::default() }
    }

    /// Adds those of the next part.
    pub(crate) fn add(&mut self, part: RecordTags) {
        for (tag, count) in part.counts {
            *self.counts.entry(tag).or_default() += count;
        }
    }

    /// Sets the numbers of those that share an identifier.
    pub(crate) fn set_bearers(&mut self, bearers: BearerNumbers) {
        self.bearers = bearers;
    }

    /// Says that more records may come, or that none do: a record that may not be the last of its tag has a
    /// number.
    pub(crate) fn set_open(&mut self, is_open: bool) {
        self.is_open = is_open;
    }

    fn has_several(&self, tag: &str) -> bool {
        self.is_open && tag != "HEAD" || self.counts.get(tag).is_some_and(|&count| count > 1)
    }
}

/// Tells whether a node is a structure that stands in none.
fn is_record(node: Node<'_>) -> bool {
    !node.is_continuation() && !node.is_inserted() && node.superstructure().is_none()
}

/// The structures that findings about a part, or about a whole document, concern, in their order; `None` for
/// what concerns nothing in it.
pub(crate) fn contexts(
    document: &Document<'_>,
    findings: &[Diagnostic],
    is_whole: bool,
) -> Vec<Option<Context>> {
    if findings.is_empty() {
        return Vec::new();
    }
    let mut finder = Finder::of(document);
    finder.repeated = is_whole.then(|| document.repeated_bearers());
    let found: Vec<Option<Found>> = findings.iter().map(|finding| finder.find(finding)).collect();
    let nodes: Vec<NodeId> =
        found.iter().flatten().flat_map(|found| [Some(found.record), found.structure]).flatten().collect();
    let mut paths = document.paths_of(&nodes).into_iter();
    let contexts = found.into_iter().map(|found| {
        let Found { record, structure } = found?;
        let of_record = paths.next()?;
        let path = structure.and_then(|_| paths.next());
        finder.context(record, structure, path.as_deref().and_then(|path| path.get(of_record.len()..)))
    });
    contexts.collect()
}

/// The nodes that a finding is about.
pub(super) struct Found {
    pub(super) record: NodeId,
    pub(super) structure: Option<NodeId>,
}

/// Finds the structures of one part.
pub(super) struct Finder<'d, 'o> {
    document: &'d Document<'o>,
    locator: Locator<'d>,
    /// The number of nodes that stand in the file.
    count: u32,
    records: Vec<NodeId>,
    /// The structures that bear each repeated identifier, of a whole document.
    repeated: Option<HashMap<&'d str, Vec<NodeId>>>,
    numbers: OnceCell<HashMap<NodeId, u64>>,
    /// The names of the persons met so far.
    persons: HashMap<NodeId, Option<String>>,
}

impl<'d, 'o> Finder<'d, 'o> {
    pub(super) fn of(document: &'d Document<'o>) -> Finder<'d, 'o> {
        let in_file = document.node_at(u32::MAX).map_or(0, |last| last.id().get() + 1);
        Finder {
            document,
            locator: document.locator(),
            count: in_file,
            records: document.nodes().filter(|node| is_record(*node)).map(Node::id).collect(),
            repeated: None,
            numbers: OnceCell::new(),
            persons: HashMap::new(),
        }
    }

    pub(super) fn find(&mut self, finding: &Diagnostic) -> Option<Found> {
        let line = finding.place?.line;
        let (mut from, mut to) = (0, self.count);
        while from < to {
            let middle = from + (to - from) / 2;
            if self.line_of(middle)? <= line { from = middle + 1 } else { to = middle }
        }
        let last = from.checked_sub(1)?;
        // A line that is no structure stands behind one.
        let is_there = self.line_of(last)? == line;
        let node = self.document.node(NodeId::new(last))?;
        let node = if node.is_continuation() { node.superstructure()? } else { node };
        let record = self.records.partition_point(|&record| record <= node.id()).checked_sub(1)?;
        let is_shallow = node.ancestors().take(DEEPEST + 1).count() <= DEEPEST;
        Some(Found {
            record: *self.records.get(record)?,
            structure: (is_there && is_shallow).then_some(node.id()),
        })
    }

    /// The number of the line of a node.
    fn line_of(&mut self, node: u32) -> Option<u64> {
        let node = self.document.node(NodeId::new(node))?;
        Some(self.locator.place(node.line_span()).line)
    }

    fn context(
        &mut self,
        record: NodeId,
        structure: Option<NodeId>,
        beneath: Option<&str>,
    ) -> Option<Context> {
        let node = self.document.node(record)?;
        let tag = structure.and_then(|structure| self.document.node(structure)).map(Node::tag);
        let last = tag.and_then(|tag| beneath?.rfind(&format!("/{tag}")));
        Some(Context {
            record: self.record(node),
            beneath: beneath.map(str::to_owned),
            above: last.unwrap_or_default(),
            person: self.persons.entry(record).or_insert_with(|| person(node)).clone(),
        })
    }

    fn record(&mut self, record: Node<'_>) -> Record {
        match record.xref() {
            Some(xref) => {
                let xref = xref.to_owned();
                if let Some(repeated) = &self.repeated {
                    let bearers = repeated.get(&*xref);
                    let number = bearers.map(|bearers| bearers.partition_point(|&id| id < record.id()) + 1);
                    return Record::Xref(xref, number);
                }
                // With the names of the document, a part knows whether the rules let several bear it.
                let is_known = Names::are_needed(self.document.rules());
                if is_known && !self.document.is_repeated(&xref) {
                    return Record::Xref(xref, None);
                }
                let line = self.locator.place(record.line_span()).line;
                Record::Bearer(xref, line)
            }
            None => {
                let number = self.numbers().get(&record.id()).copied().unwrap_or(1);
                Record::Tag(record.tag().to_owned(), number)
            }
        }
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
