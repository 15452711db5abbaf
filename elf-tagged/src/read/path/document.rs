//! Finds paths in a document.

use super::{FindError, Path, PathTree, Types, find, find_under};
use crate::read::tree::flag;
use crate::{Document, Node, NodeId, Payload, Target};
use std::borrow::Cow;

impl Document<'_> {
    /// Finds all structures that match a path, in document order. `types` returns the types of structures.
    ///
    /// # Errors
    ///
    /// Returns [`FindError::NotFound`] if there is none.
    ///
    /// ```
    /// use elf_tagged::{Options, Rules, read};
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

    /// Finds all structures that match a path relative to a structure. The first step selects among its substructures.
    ///
    /// ```
    /// use elf_tagged::Document;
    ///
    /// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 1815\n0 TRLR\n")?;
    /// let record = document.records().next().expect("a record");
    /// let dates = document.find_under(record, &"BIRT/DATE".parse()?, &mut ());
    /// assert_eq!(dates[0].text(), "1815");
    /// assert!(document.find_under(record, &"DEAT".parse()?, &mut ()).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_under(&self, above: Node<'_>, path: &Path, types: &mut dyn Types) -> Vec<Node<'_>> {
        let found = find_under(self, above.id(), path, types);
        found.into_iter().filter_map(|id| self.node(id)).collect()
    }

    /// Returns the path of a structure, in a form that [`find`](Document::find) accepts.
    pub fn path_of(&self, node: Node<'_>) -> String {
        super::path_of(self, node.id())
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
        let above = self.view().nodes.parent(structure.0);
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
            Target::None if !self.header().is_void(xref) => Vec::new(),
            Target::One(node) if view.flags(node.id) & flag::UNDEF != 0 => Vec::new(),
            Target::One(node) => vec![node.id()],
            // A pointer cannot refer to this identifier, but a path can. In a run, the path finds only the structures
            // of the run.
            Target::Several | Target::None | Target::Unknown => {
                let ids = (0..).zip(self.nodes.iter()).filter(|(_, node)| node.flags & flag::UNDEF == 0);
                ids.map(|(id, _)| id).filter(|&id| view.xref(id) == Some(xref)).map(NodeId).collect()
            }
        }
    }
}
