//! Collects the names and addresses of the people whom a redaction hides.

use crate::links::LinkTable;
use crate::mentions::{HiddenNames, PersonNames, contains_word_of_name};
use crate::names::{NamePart, collect_names};
use crate::records::{RecordAction, RecordKind, RemovalReason, header_and_records};
use crate::references::SettledRecords;
use crate::roles::RoleFinder;
use elf_lineage::{Lineage, Person, PersonId};
use elf_schema::{Node, Role};
use std::collections::HashMap;
use std::rc::Rc;

/// The maximum number of relatives of each kind whose surnames a person may have.
const MAX_RELATIVES: usize = 8;

/// What the records that are hidden or removed say about people.
#[derive(Default)]
pub(crate) struct HiddenRecords {
    pub(crate) names: HiddenNames,
    /// The numbers of the records of hidden people whose identifiers contain a word of their names.
    pub(crate) named: Vec<u32>,
}

impl HiddenRecords {
    /// Collects the names and addresses in hidden and removed records.
    pub(crate) fn of(
        roles: &RoleFinder<'_>,
        links: &LinkTable,
        settled: &SettledRecords,
        lineage: &Lineage,
    ) -> HiddenRecords {
        let records: Vec<Node<'_>> = header_and_records(roles.document()).collect();
        let mut hidden = HiddenRecords::default();
        hidden.add_people(
            NameReader { roles, links, records: &records, known: HashMap::new() },
            settled,
            lineage,
        );
        hidden.add_addresses(links, settled, &records);
        hidden
    }

    /// Adds the names of hidden and removed people. Only their names and those of their relatives are read: in most files,
    /// few people are hidden.
    fn add_people(&mut self, mut reader: NameReader<'_, '_>, settled: &SettledRecords, lineage: &Lineage) {
        use RemovalReason::{Living, Stray};
        let records = || (0..).zip(&reader.links.records);
        let persons = records().filter(|(_, record)| record.kind == RecordKind::Person);
        let persons: Vec<u32> = persons.map(|(number, _)| number).collect();
        let actions = records().zip(&settled.actions);
        let hidden = actions.filter(|((_, record), action)| {
            record.may_be_person()
                && matches!(action, RecordAction::Hide | RecordAction::Remove(Living | Stray))
        });
        let hidden: Vec<u32> = hidden.map(|((number, _), _)| number).collect();
        for number in hidden {
            let own = reader.read(number);
            let person = persons.binary_search(&number).ok().and_then(PersonId::of_index);
            let relatives = person.and_then(|id| lineage.person(id)).into_iter().flat_map(near_relatives);
            let relatives: Vec<Rc<RecordNames>> =
                relatives.map(|relative| reader.read(persons[relative.id().index()])).collect();
            self.names.add(&own.names, relatives.iter().flat_map(|relative| relative.names.surnames()));
            if own.is_in_identifier {
                self.named.push(number);
            }
        }
    }

    /// Adds the addresses and numbers in records that are not kept.
    fn add_addresses(&mut self, links: &LinkTable, settled: &SettledRecords, records: &[Node<'_>]) {
        let actions = settled.actions.iter().zip(&links.records);
        for (record, (action, data)) in records.iter().zip(actions) {
            if *action == RecordAction::Keep {
                continue;
            }
            // The street of an archive is not one of a person.
            let is_about_people = data.kind != RecordKind::Other || data.is_unclear;
            for node in std::iter::once(*record).chain(record.descendants()) {
                let text = node.text();
                self.names.add_contacts(node.tag(), &text);
                // The page of a source is one about many people.
                if text.contains('/') && !node.with_ancestors().any(|above| above.tag() == "SOUR") {
                    self.names.add_links(&text);
                }
                if is_about_people {
                    self.names.add_particulars(node.tag(), &text);
                }
            }
        }
    }
}

/// The names in a record.
struct RecordNames {
    names: PersonNames,
    /// True for a person whose identifier contains a word of the person's name.
    is_in_identifier: bool,
}

/// Reads the names in records, each record once.
struct NameReader<'p, 'd> {
    roles: &'p RoleFinder<'d>,
    links: &'p LinkTable,
    /// The records, in file order.
    records: &'p [Node<'d>],
    /// The records that were read, by their numbers.
    known: HashMap<u32, Rc<RecordNames>>,
}

impl NameReader<'_, '_> {
    /// Reads the names in the record with a number.
    fn read(&mut self, number: u32) -> Rc<RecordNames> {
        if let Some(known) = self.known.get(&number) {
            return Rc::clone(known);
        }
        let record = self.records[number as usize];
        let is_person = self.links.record(number).kind == RecordKind::Person;
        let counterpart = self.roles.counterpart_of_record(record);
        let names = collect_names(record, |node| match is_person {
            true if self.roles.role(counterpart, node) == Some(Role::Name) => Some(NamePart::Name),
            true => self.roles.name_part(node),
            false => (node.tag() == "NAME").then_some(NamePart::Name),
        });
        let is_in_identifier = record
            .xref()
            .filter(|_| is_person)
            .is_some_and(|identifier| names.whole.iter().any(|name| contains_word_of_name(identifier, name)));
        let read = Rc::new(RecordNames { names: PersonNames::of(&names), is_in_identifier });
        self.known.insert(number, Rc::clone(&read));
        read
    }
}

/// Returns the relatives whose surnames a person may have.
fn near_relatives(person: Person<'_>) -> impl Iterator<Item = Person<'_>> {
    let families = move || person.families_as_partner().take(MAX_RELATIVES);
    let partners = families().flat_map(|family| family.partners().take(MAX_RELATIVES)).map(|(one, _)| one);
    let children = families().flat_map(|family| family.children().take(MAX_RELATIVES));
    partners.chain(children).chain(person.parents().map(|parent| parent.person))
}
