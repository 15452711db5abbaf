//! A graph beside the document it was made of: its records and events as structures, with their payloads.

use crate::graph::{Event, FamilyId, Lineage, PersonId};
use crate::reader::LineageReader;
use elf_schema::{Counterpart, Node, NodeId, Role, TypedDocument};

/// A [`Lineage`] together with the document that it was built from.
///
/// ```
/// use elf_lineage::{Lineage, LineageView};
/// use elf_schema::{ReadOptions, Rules};
///
/// let file = b"0 HEAD\n0 @I1@ INDI\n1 OCCU Miller\n0 TRLR\n";
/// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let lineage = Lineage::of(&typed);
/// let view = LineageView::new(&lineage, &typed);
/// let person = lineage.find_person("I1").expect("a person");
/// let texts: Vec<_> = view.events_of_person(person.id()).map(|(_, node)| node.text()).collect();
/// assert_eq!(texts, ["Miller"]);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
#[derive(Debug)]
pub struct LineageView<'l, 'd> {
    lineage: &'l Lineage,
    typed: &'d TypedDocument<'d>,
    reader: LineageReader,
    persons: Vec<NodeId>,
    families: Vec<NodeId>,
}

impl<'l, 'd> LineageView<'l, 'd> {
    /// Combines a graph with the document that it was built from.
    pub fn new(lineage: &'l Lineage, typed: &'d TypedDocument<'d>) -> LineageView<'l, 'd> {
        let reader = LineageReader::new(typed.schema());
        let (mut persons, mut families) = (Vec::new(), Vec::new());
        for record in typed.records().filter(|record| !record.is_inserted()) {
            match reader.counterpart(Counterpart::DOCUMENT, record, typed).role() {
                Some(Role::Person) => persons.push(record.id()),
                Some(Role::Family) => families.push(record.id()),
                _ => {}
            }
        }
        LineageView { lineage, typed, reader, persons, families }
    }

    /// Returns the graph.
    pub const fn lineage(&self) -> &'l Lineage {
        self.lineage
    }

    /// Returns the document.
    pub const fn typed(&self) -> &'d TypedDocument<'d> {
        self.typed
    }

    /// The counterpart of a record.
    pub fn counterpart_of_record(&self, record: Node<'d>) -> Counterpart {
        self.reader.counterpart(Counterpart::DOCUMENT, record, self.typed)
    }

    /// The substructures of a structure, each with its counterpart.
    pub fn beneath(
        &self,
        (node, above): (Node<'d>, Counterpart),
    ) -> impl Iterator<Item = (Node<'d>, Counterpart)> {
        node.substructures().map(move |node| (node, self.reader.counterpart(above, node, self.typed)))
    }

    /// Returns the record of a person.
    pub fn person(&self, id: PersonId) -> Option<Node<'d>> {
        self.typed.document().node(*self.persons.get(id.index())?)
    }

    /// Returns the record of a family.
    pub fn family(&self, id: FamilyId) -> Option<Node<'d>> {
        self.typed.document().node(*self.families.get(id.index())?)
    }

    /// Returns the events and attributes of a person with their structures.
    pub fn events_of_person(&self, id: PersonId) -> impl Iterator<Item = (Event<'l>, Node<'d>)> {
        let events = self.lineage.person(id).into_iter().flat_map(crate::Person::events);
        events.zip(self.structures(self.person(id), Role::is_event_of_person))
    }

    /// Returns the events of a family with their structures.
    pub fn events_of_family(&self, id: FamilyId) -> impl Iterator<Item = (Event<'l>, Node<'d>)> {
        let events = self.lineage.family(id).into_iter().flat_map(crate::Family::events);
        events.zip(self.structures(self.family(id), Role::is_event_of_family))
    }

    /// The substructures of a record whose role is one of those that are wanted.
    fn structures(
        &self,
        record: Option<Node<'d>>,
        is_wanted: fn(Role) -> bool,
    ) -> impl Iterator<Item = Node<'d>> {
        let above = record.map_or(Counterpart::NONE, |node| {
            self.reader.counterpart(Counterpart::DOCUMENT, node, self.typed)
        });
        let nodes = record.into_iter().flat_map(Node::substructures);
        nodes.filter(move |node| {
            self.reader.counterpart(above, *node, self.typed).role().is_some_and(is_wanted)
        })
    }
}
