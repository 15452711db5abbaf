//! Creates the table of structures.

use crate::dates::DatedText;
use crate::record_numbers::{RecordNumber, RecordNumbers};
use crate::rows::Rows;
use elf_schema::elf_tagged::path::{PathTree, push_step};
use elf_schema::elf_tagged::{NodeId, Payload};
use elf_schema::{Document, Node, TypedDocument};
use std::borrow::Cow;

/// The maximum length of a path in bytes. A longer path, of a structure deeper than in any
/// standard, is left out. Otherwise the table would grow with the square of the depth.
const MAX_PATH_BYTES: usize = 1024;

/// Adds a row for each structure. These are the header and the records, with all structures under
/// them.
pub(crate) fn add_structure_rows(
    typed: &TypedDocument<'_>,
    numbers: &RecordNumbers,
    file: &str,
    rows: &mut Rows,
) {
    let document = typed.document();
    let mut numbers = numbers.of_run(document, document.run_number());
    let mut locator = document.locator();
    let mut places = PathTracker::of(document);
    // All structures at level 0 are numbered, even if they are not records.
    let mut of_roots: Vec<(NodeId, RecordNumber)> = Vec::new();
    document.visit(None, &mut |id| {
        if let Some(root) = document.node(id) {
            of_roots.push((id, numbers.next_number(root)));
        }
    });
    let of_root = |node: Node<'_>| {
        let at = of_roots.binary_search_by_key(&node.id(), |(id, _)| *id).ok();
        at.and_then(|at| of_roots.get(at)).map_or((1, 1), |(_, numbered)| *numbered)
    };
    for record in document.head().into_iter().chain(document.records()) {
        places.start_record(of_root(record));
        for node in std::iter::once(record).chain(record.descendants()) {
            let level = places.enter_structure(node);
            let (payload, pointer) = match node.payload() {
                Payload::None => (Cow::default(), None),
                Payload::Pointer(to) => (Cow::default(), Some(to)),
                Payload::Text(text) => (text, None),
            };
            let language = Some(node.language()).filter(|tag| *tag != "und" && !payload.is_empty());
            let datatype = typed.datatype(node);
            let date = match datatype.is_of_dates() && pointer.is_none() {
                true => DatedText::of(Cow::Borrowed(&payload), datatype, document.rules().schema.dates),
                false => DatedText::default(),
            };
            let line = (!node.is_inserted()).then(|| locator.line_number(node.line_span()));
            rows.text(file).text_of(places.current_path()).text_of(record.xref()).integer(level as u64);
            rows.text(node.tag()).text_of(typed.type_of(node)).text(&payload).text_of(pointer);
            rows.text_of(language).date_of(date.from).date_of(date.to).integer_of(line);
        }
    }
}

/// Tracks the path of the current structure, while structures are entered in file order.
struct PathTracker<'a> {
    document: &'a Document<'a>,
    path: String,
    /// The structures that contain the current one. For each of them, the end of the structure and
    /// the length of its path, unless the path is left out.
    open: Vec<(NodeId, Option<usize>)>,
    /// For each node, its number among the siblings with the same tag, and the number of these
    /// siblings. Both are 0 if they were not computed.
    numbers: Vec<(u32, u32)>,
    root: RecordNumber,
}

impl<'a> PathTracker<'a> {
    fn of(document: &'a Document<'a>) -> PathTracker<'a> {
        let numbers = vec![(0, 0); document.len()];
        PathTracker { document, path: String::new(), open: Vec::new(), numbers, root: (1, 1) }
    }

    /// Starts the next record.
    fn start_record(&mut self, numbered: RecordNumber) {
        self.open.clear();
        self.root = numbered;
    }

    /// Enters a structure, and returns its depth.
    fn enter_structure(&mut self, node: Node<'a>) -> usize {
        while self.open.pop_if(|(end, _)| *end <= node.id()).is_some() {}
        let above = match self.open.last() {
            Some((_, length)) => *length,
            None => Some(0),
        };
        let length = above.and_then(|length| {
            self.path.truncate(length);
            let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
            match length {
                0 => {
                    push_step(&mut self.path, node.xref(), node.tag(), small(self.root.0), small(self.root.1))
                }
                _ => {
                    let (number, count) = self.number(node.id());
                    push_step(&mut self.path, None, node.tag(), number, count);
                }
            }
            (self.path.len() <= MAX_PATH_BYTES).then_some(self.path.len())
        });
        let level = self.open.len();
        if length.is_some() {
            self.number_all_under(node.id());
        }
        self.open.push((node.subtree_end(), length));
        level
    }

    /// Returns the path of the current structure. `None` if the path is left out.
    fn current_path(&self) -> Option<&str> {
        self.open.last().and_then(|(_, length)| self.path.get(..(*length)?))
    }

    fn number(&self, node: NodeId) -> (u32, u32) {
        self.numbers.get(node.index()).copied().filter(|numbered| numbered.0 > 0).unwrap_or((1, 1))
    }

    fn number_all_under(&mut self, above: NodeId) {
        let document = self.document;
        let mut all: Vec<(&str, NodeId)> = Vec::new();
        document.visit(Some(above), &mut |id| all.push((document.tag(id), id)));
        all.sort_unstable();
        for alike in all.chunk_by(|(one, _), (other, _)| one == other) {
            let count = u32::try_from(alike.len()).unwrap_or(u32::MAX);
            for (number, (_, id)) in (1..).zip(alike) {
                if let Some(numbered) = self.numbers.get_mut(id.index()) {
                    *numbered = (number, count);
                }
            }
        }
    }
}
