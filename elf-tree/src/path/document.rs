//! Paths in a document as it was read.

use super::{FindError, Path, PathTree, Types, find, push_step};
use crate::tree::flag;
use crate::{Document, Node, NodeId, Payload, Target};
use std::borrow::Cow;
use std::collections::HashMap;

impl Document<'_> {
    /// Finds all structures that a path names, in document order; `types` knows the types that it names.
    ///
    /// # Errors
    ///
    /// [`FindError::NotFound`] where there is none.
    ///
    /// ```
    /// use elf_tree::{Options, Rules, read};
    ///
    /// let octets = b"0 HEAD\n0 @I1@ INDI\n1 NAME A\n1 NAME B\n0 TRLR\n";
    /// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
    /// let names = document.find(&"INDI/NAME".parse()?, &mut ())?;
    /// assert_eq!(names.iter().map(|name| name.text()).collect::<Vec<_>>(), ["A", "B"]);
    /// assert_eq!(document.path_of(names[1]), "@I1@/NAME[2]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, path: &Path, types: &mut dyn Types) -> Result<Vec<Node<'_>>, FindError> {
        let found = find(self, path, types)?;
        Ok(found.into_iter().filter_map(|id| self.node(id)).collect())
    }

    /// The path of a structure, as [`find`](Document::find) takes it.
    pub fn path_of(&self, node: Node<'_>) -> String {
        super::path_of(self, node.id())
    }

    /// The paths of many structures, in time that does not grow with what stands beside each.
    pub fn paths_of(&self, nodes: &[NodeId]) -> Vec<String> {
        let mut finder = self.path_finder();
        nodes.iter().map(|&node| finder.path_of(node)).collect()
    }

    /// Returns a finder of the paths of many structures, one after another.
    pub fn path_finder(&self) -> PathFinder<'_> {
        let numbered = Numbered { document: self, beneath: HashMap::new() };
        PathFinder { repeated: self.repeated_bearers(), numbered }
    }
}

/// Finds the paths of structures, in time that does not grow with what stands beside each.
#[derive(Debug)]
pub struct PathFinder<'d> {
    repeated: HashMap<&'d str, Vec<NodeId>>,
    numbered: Numbered<'d>,
}

impl PathFinder<'_> {
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
        (alike.partition_point(|other| other.0 < node.0) + 1, alike.len())
    }
}

impl PathTree for Document<'_> {
    type Structure = NodeId;

    fn visit(&self, above: Option<NodeId>, visit: &mut dyn FnMut(NodeId)) {
        let view = self.view();
        let below = above.map_or_else(|| view.roots(), |above| view.children(above.0));
        let stands = |&id: &u32| view.flags(id) & (flag::UNDEF | flag::CONTINUATION) == 0;
        below.filter(stands).for_each(|id| visit(NodeId(id)));
    }

    fn superstructure(&self, structure: NodeId) -> Option<NodeId> {
        let above = self.view().get(structure.0)?.parent;
        self.node(NodeId(above)).map(Node::id)
    }

    fn tag(&self, structure: NodeId) -> &str {
        self.view().tag(structure.0)
    }

    fn xref(&self, structure: NodeId) -> Option<&str> {
        self.view().xref(structure.0)
    }

    fn value(&self, structure: NodeId) -> Cow<'_, str> {
        let payload = self.node(structure).map_or(Payload::None, |node| match node.pointer() {
            Some(id) => Payload::Pointer(id),
            None => node.payload(),
        });
        payload.into_value()
    }

    fn bearers(&self, xref: &str) -> Vec<NodeId> {
        let view = self.view();
        match self.resolve(xref) {
            Target::None => Vec::new(),
            Target::One(node) if view.flags(node.id) & flag::UNDEF != 0 => Vec::new(),
            Target::One(node) => vec![node.id()],
            Target::Several => {
                let ids = (0..).zip(self.nodes.iter()).filter(|(_, node)| node.flags & flag::UNDEF == 0);
                ids.map(|(id, _)| id).filter(|&id| view.xref(id) == Some(xref)).map(NodeId).collect()
            }
        }
    }
}
