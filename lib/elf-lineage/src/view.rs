//! Combines a graph with its document, for access to the structures and payloads of its records and
//! events.

use crate::deaths::denies_event;
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

/// A structure of a document, with its role in a family tree.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RoleNode<'d> {
    /// The structure.
    pub node: Node<'d>,
    /// The structure's counterpart in the completed schema, which determines the role.
    pub counterpart: Counterpart,
}

impl<'d> RoleNode<'d> {
    /// Combines a structure with its counterpart.
    pub const fn new(node: Node<'d>, counterpart: Counterpart) -> RoleNode<'d> {
        RoleNode { node, counterpart }
    }

    /// Returns the role of the structure, if it has one.
    pub const fn role(self) -> Option<Role> {
        self.counterpart.role()
    }

    /// Returns the IRI of its type in the completed schema.
    pub fn iri(self) -> Option<&'static str> {
        self.counterpart.iri()
    }
}

impl EventStructure<'_> {
    /// Returns whether the payload says that the event did not happen, as in `MARR N` or `DEAT never`.
    ///
    /// ```
    /// use elf_lineage::{Lineage, LineageView};
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let file = b"0 HEAD\n0 @F1@ FAM\n1 MARR N\n1 DIV Y\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let lineage = Lineage::of(&typed);
    /// let family = typed.records().next().expect("a family");
    /// let events = LineageView::new(&lineage, &typed).events_of_record(family);
    /// let denied: Vec<bool> = events.iter().map(|event| event.did_not_happen()).collect();
    /// assert_eq!(denied, [true, false]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn did_not_happen(&self) -> bool {
        let is_attribute = matches!(
            self.role,
            Role::GenericEvent
                | Role::GenericFamilyEvent
                | Role::GenericAttribute
                | Role::OtherAttribute
                | Role::Property
                | Role::Title
        );
        !is_attribute && denies_event(&self.event.text())
    }
}

impl LineageRecords {
    /// Finds the records of people and families.
    pub fn of(typed: &TypedDocument<'_>) -> LineageRecords {
        let reader = LineageReader::new(typed.schema());
        let (mut persons, mut families) = (Vec::new(), Vec::new());
        for record in typed.records().filter(|record| !record.is_inserted()) {
            match reader.find_counterpart(Counterpart::DOCUMENT, record, typed).role() {
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

    /// Combines a graph with the document that it was built from. `records` are the records of the
    /// document, which were found before.
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

    /// Finds the role of a record.
    pub fn role_of_record(&self, record: Node<'d>) -> RoleNode<'d> {
        RoleNode::new(record, self.find_counterpart(Counterpart::DOCUMENT, record))
    }

    /// Returns the substructures of a structure, each with its role.
    pub fn substructures(&self, above: RoleNode<'d>) -> impl Iterator<Item = RoleNode<'d>> {
        let nodes = above.node.substructures();
        nodes.map(move |node| RoleNode::new(node, self.find_counterpart(above.counterpart, node)))
    }

    fn find_counterpart(&self, above: Counterpart, node: Node<'d>) -> Counterpart {
        self.records.reader.find_counterpart(above, node, self.typed)
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
        // The graph lists births and deaths first.
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
        for event in self.substructures(self.role_of_record(record)) {
            let is_event = |role: &Role| role.is_event_of_person() || role.is_event_of_family();
            let Some(role) = event.role().filter(is_event) else { continue };
            let first = |wanted: Role| {
                let mut parts = self.substructures(event);
                parts.find(|part| part.role() == Some(wanted)).map(|part| part.node)
            };
            events.push(EventStructure {
                event: event.node,
                role,
                date: first(Role::Date),
                place: first(Role::Place),
            });
        }
        events
    }

    /// Returns the substructures of a record that have one of the wanted roles.
    fn substructures_with_role(
        &self,
        record: Option<Node<'d>>,
        is_wanted: fn(Role) -> bool,
    ) -> impl Iterator<Item = Node<'d>> {
        let record = record.map(|record| self.role_of_record(record)).into_iter();
        let nodes = record.flat_map(|record| self.substructures(record));
        nodes.filter(move |node| node.role().is_some_and(is_wanted)).map(|node| node.node)
    }
}
