//! Paths of many structures of one document.

use elf_tagged::path::{PathTree, push_step};
use elf_tagged::{Document, Node, NodeId};
use std::collections::HashMap;

/// Finds the paths of many structures, in time that does not grow with what stands beside each.
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
}

impl<'d> PathFinder<'d> {
    /// Makes a finder of the paths of a document.
    pub fn of(document: &'d Document<'d>) -> PathFinder<'d> {
        let numbered = Numbered { document, beneath: HashMap::new() };
        PathFinder { repeated: document.repeated_bearers(), numbered }
    }

    /// The path of a structure, as [`find`](Document::find) takes it; empty where there is no such structure.
    pub fn path_of(&mut self, node: NodeId) -> String {
        let document = self.numbered.document;
        let mut steps: Vec<Node<'_>> =
            document.node(node).map(Node::ancestors).into_iter().flatten().collect();
        let mut path = String::new();
        while let Some(step) = steps.pop() {
            let xref = step.xref().filter(|_| path.is_empty());
            let (number, count) = match xref {
                None => self.numbered.number(step.id()),
                Some(xref) => self.repeated.get(xref).map_or((1, 1), |bearers| {
                    (bearers.partition_point(|&id| id < step.id()) + 1, bearers.len())
                }),
            };
            let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            push_step(&mut path, xref, step.tag(), small(number), small(count));
        }
        path
    }
}

/// The number of each structure among those of its tag, worked out for all beneath a superstructure at once.
#[derive(Debug)]
struct Numbered<'d> {
    document: &'d Document<'d>,
    beneath: HashMap<Option<NodeId>, HashMap<&'d str, Vec<NodeId>>>,
}

impl Numbered<'_> {
    /// The number of a structure, and how many there are.
    fn number(&mut self, node: NodeId) -> (usize, usize) {
        let document = self.document;
        let above = PathTree::superstructure(document, node);
        let by_tag = self.beneath.entry(above).or_insert_with(|| {
            let mut by_tag: HashMap<&str, Vec<NodeId>> = HashMap::new();
            let mut add = |id| by_tag.entry(PathTree::tag(document, id)).or_default().push(id);
            document.visit(above, &mut add);
            by_tag
        });
        let alike = by_tag.get(PathTree::tag(document, node)).map(Vec::as_slice).unwrap_or_default();
        (alike.partition_point(|other| *other < node) + 1, alike.len())
    }
}
