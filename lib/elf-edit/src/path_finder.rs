//! Computes the paths of many structures of one document.

use crate::nodes::to_u32;
use elf_tagged::path::{PathTree, push_step};
use elf_tagged::{Document, Node, NodeId};
use std::collections::HashMap;

/// The initial capacity of a path for each step, in bytes. Most steps are shorter.
const ROOM: usize = 16;

/// Computes the paths of many structures. The time does not depend on the number of siblings that a structure has.
///
/// ```
/// use elf_edit::PathFinder;
/// use elf_tagged::{Options, Rules, read};
///
/// let octets = b"0 HEAD\n0 @I1@ INDI\n1 NAME A\n1 NAME B\n0 TRLR\n";
/// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// let mut finder = PathFinder::of(&document);
/// let paths: Vec<String> = document.nodes().map(|node| finder.path_of(node.id())).collect();
/// assert_eq!(paths, ["HEAD", "@I1@", "@I1@/NAME[1]", "@I1@/NAME[2]", "TRLR"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PathFinder<'d> {
    repeated: HashMap<&'d str, Vec<NodeId>>,
    numbered: Numbered<'d>,
    /// The superstructure of the last structure, with its path. The superstructure is stored because siblings often
    /// follow each other.
    above: Option<(NodeId, String)>,
}

impl<'d> PathFinder<'d> {
    /// Creates a finder for a document.
    pub fn of(document: &'d Document<'d>) -> PathFinder<'d> {
        let numbered = Numbered { document, numbers: Vec::new() };
        PathFinder { repeated: document.repeated_bearers(), numbered, above: None }
    }

    /// Returns the path of a structure in the form that [`find`](Document::find) accepts. The path is empty if the
    /// structure does not exist.
    pub fn path_of(&mut self, node: NodeId) -> String {
        let Some(node) = self.numbered.document.node(node) else { return String::new() };
        let Some(above) = node.superstructure() else { return self.path_through([node]) };
        let known = self.above.take().filter(|(known, _)| *known == above.id());
        let known = known.unwrap_or_else(|| {
            let mut steps: Vec<Node<'_>> = above.with_ancestors().collect();
            steps.reverse();
            (above.id(), self.path_through(steps))
        });
        let mut path = String::with_capacity(known.1.len() + ROOM);
        path.push_str(&known.1);
        self.push_step(&mut path, node);
        self.above = Some(known);
        path
    }

    /// Returns the path that consists of the steps for these structures.
    fn path_through(&mut self, steps: impl IntoIterator<Item = Node<'d>>) -> String {
        let mut path = String::new();
        steps.into_iter().for_each(|step| self.push_step(&mut path, step));
        path
    }

    fn push_step(&mut self, path: &mut String, step: Node<'_>) {
        let xref = step.xref().filter(|_| path.is_empty());
        let SiblingNumber { number, count } = match xref {
            None => self.numbered.number_of(step.id()),
            Some(xref) => self.repeated.get(xref).map_or(SiblingNumber { number: 1, count: 1 }, |bearers| {
                let before = bearers.partition_point(|&id| id < step.id());
                SiblingNumber { number: to_u32(before + 1), count: to_u32(bearers.len()) }
            }),
        };
        push_step(path, xref, step.tag(), number, count);
    }
}

/// Finds the numbers of structures among their siblings with the same tag. All siblings get their numbers at once.
#[derive(Debug)]
struct Numbered<'d> {
    document: &'d Document<'d>,
    numbers: Vec<SiblingNumber>,
}

/// The number of a structure among its siblings with the same tag, from 1, and the count of these siblings. A number
/// that is not known yet is 0.
#[derive(Clone, Copy, Debug, Default)]
struct SiblingNumber {
    number: u32,
    count: u32,
}

impl Numbered<'_> {
    fn number_of(&mut self, node: NodeId) -> SiblingNumber {
        if self.numbers.is_empty() {
            self.numbers.resize(self.document.len(), SiblingNumber::default());
        }
        if self.known_number(node).number == 0 {
            // If the superstructure does not list a structure, the structure counts as the only one with its tag.
            self.set_number(node, SiblingNumber { number: 1, count: 0 });
            self.number_all_under(PathTree::superstructure(self.document, node));
        }
        self.known_number(node)
    }

    fn known_number(&self, node: NodeId) -> SiblingNumber {
        self.numbers[node.index()]
    }

    fn set_number(&mut self, node: NodeId, number: SiblingNumber) {
        self.numbers[node.index()] = number;
    }

    fn number_all_under(&mut self, above: Option<NodeId>) {
        let document = self.document;
        let mut all: Vec<(&str, NodeId)> = Vec::new();
        document.visit(above, &mut |id| all.push((PathTree::tag(document, id), id)));
        all.sort_unstable();
        for alike in all.chunk_by(|(one, _), (other, _)| one == other) {
            let count = to_u32(alike.len());
            for (number, (_, id)) in (1..).zip(alike) {
                self.set_number(*id, SiblingNumber { number, count });
            }
        }
    }
}
