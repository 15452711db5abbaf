//! A graph together with its document, for access to the structures and payloads of its records and
//! events.

use crate::graph::{Event, FamilyId, Lineage, PersonId};
use crate::reader::LineageReader;
use elf_schema::{Counterpart, Node, NodeId, Role, TypedDocument};
use std::sync::Arc;

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
    records: Arc<LineageRecords>,
}

/// The records of the people and families of a document. Finding them requires a pass over all
/// records, so a program that creates several [`LineageView`]s can store them.
#[derive(Debug)]
pub struct LineageRecords {
    reader: LineageReader,
    persons: Vec<NodeId>,
    families: Vec<NodeId>,
}

/// An event or attribute of a record, with its date and place structures.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EventStructure<'d> {
    /// The structure of the event.
    pub event: Node<'d>,
    /// The role of the event.
    pub role: Role,
    /// The first date.
    pub date: Option<Node<'d>>,
    /// The first place.
    pub place: Option<Node<'d>>,
}

impl LineageRecords {
    /// Finds the records of people and families.
    pub fn of(typed: &TypedDocument<'_>) -> LineageRecords {
        let reader = LineageReader::new(typed.schema());
        let (mut persons, mut families) = (Vec::new(), Vec::new());
        for record in typed.records().filter(|record| !record.is_inserted()) {
            match reader.counterpart(Counterpart::DOCUMENT, record, typed).role() {
                Some(Role::Person) => persons.push(record.id()),
                Some(Role::Family) => families.push(record.id()),
                _ => {}
            }
        }
        LineageRecords { reader, persons, families }
    }
}

impl<'l, 'd> LineageView<'l, 'd> {
    /// Combines a graph with the document that it was built from.
    pub fn new(lineage: &'l Lineage, typed: &'d TypedDocument<'d>) -> LineageView<'l, 'd> {
        LineageView::with_records(lineage, typed, Arc::new(LineageRecords::of(typed)))
    }

    /// Combines a graph with the document that it was built from, whose records were found before.
    pub const fn with_records(
        lineage: &'l Lineage,
        typed: &'d TypedDocument<'d>,
        records: Arc<LineageRecords>,
    ) -> LineageView<'l, 'd> {
        LineageView { lineage, typed, records }
    }

    /// Returns the graph.
    pub const fn lineage(&self) -> &'l Lineage {
        self.lineage
    }

    /// Returns the document.
    pub const fn typed(&self) -> &'d TypedDocument<'d> {
        self.typed
    }

    /// Returns the counterpart of a record.
    pub fn counterpart_of_record(&self, record: Node<'d>) -> Counterpart {
        self.records.reader.counterpart(Counterpart::DOCUMENT, record, self.typed)
    }

    /// Returns the substructures of a structure, each with its counterpart.
    pub fn substructures(
        &self,
        (node, above): (Node<'d>, Counterpart),
    ) -> impl Iterator<Item = (Node<'d>, Counterpart)> {
        node.substructures().map(move |node| (node, self.records.reader.counterpart(above, node, self.typed)))
    }

    /// Returns the record of a person.
    pub fn person(&self, id: PersonId) -> Option<Node<'d>> {
        self.typed.document().node(*self.records.persons.get(id.index())?)
    }

    /// Returns the record of a family.
    pub fn family(&self, id: FamilyId) -> Option<Node<'d>> {
        self.typed.document().node(*self.records.families.get(id.index())?)
    }

    /// Returns the events and attributes of a person with their structures, in the order of the file.
    ///
    /// ```
    /// use elf_lineage::{Lineage, LineageView};
    /// use elf_schema::{ReadOptions, Role, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 OCCU Miller\n1 DEAT\n1 BIRT\n2 DATE 1850\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let lineage = Lineage::of(&typed);
    /// let view = LineageView::new(&lineage, &typed);
    /// let person = lineage.find_person("I1").expect("a person");
    /// let tags: Vec<_> = view.events_of_person(person.id()).map(|(event, node)| (event.role(), node.tag())).collect();
    /// assert_eq!(tags[1..], [(Role::Death, "DEAT"), (Role::Birth, "BIRT")]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn events_of_person(&self, id: PersonId) -> impl Iterator<Item = (Event<'l>, Node<'d>)> {
        // In the graph, births and deaths come first.
        let mut events: Vec<Event<'l>> =
            self.lineage.person(id).into_iter().flat_map(crate::Person::events).collect();
        events.sort_by_key(|event| event.position().line);
        events.into_iter().zip(self.substructures_with_role(self.person(id), Role::is_event_of_person))
    }

    /// Returns the events of a family with their structures.
    pub fn events_of_family(&self, id: FamilyId) -> impl Iterator<Item = (Event<'l>, Node<'d>)> {
        let events = self.lineage.family(id).into_iter().flat_map(crate::Family::events);
        events.zip(self.substructures_with_role(self.family(id), Role::is_event_of_family))
    }

    /// Returns the events and attributes of a record of a person or a family, in the order of the file.
    pub fn events_of_record(&self, record: Node<'d>) -> Vec<EventStructure<'d>> {
        let mut events = Vec::new();
        for (event, found) in self.substructures((record, self.counterpart_of_record(record))) {
            let is_event = |role: &Role| role.is_event_of_person() || role.is_event_of_family();
            let Some(role) = found.role().filter(is_event) else { continue };
            let first = |wanted: Role| {
                let mut parts = self.substructures((event, found));
                parts.find(|(_, part)| part.role() == Some(wanted)).map(|(node, _)| node)
            };
            events.push(EventStructure { event, role, date: first(Role::Date), place: first(Role::Place) });
        }
        events
    }

    /// Returns the substructures of a record whose roles are wanted.
    fn substructures_with_role(
        &self,
        record: Option<Node<'d>>,
        is_wanted: fn(Role) -> bool,
    ) -> impl Iterator<Item = Node<'d>> {
        let above = record.map_or(Counterpart::NONE, |node| {
            self.records.reader.counterpart(Counterpart::DOCUMENT, node, self.typed)
        });
        let nodes = record.into_iter().flat_map(Node::substructures);
        nodes.filter(move |node| {
            self.records.reader.counterpart(above, *node, self.typed).role().is_some_and(is_wanted)
        })
    }
}
