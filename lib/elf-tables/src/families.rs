//! The table of families.

use crate::couples::Couple;
use crate::events::{self, MainEvent};
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::survey::Relatives;
use elf_lineage::{Family, Lineage, Person, PersonId};
use elf_schema::Role;
use elf_schema::TypedDocument;

pub(crate) fn add_family_rows(
    reader: &TableReader,
    typed: &TypedDocument<'_>,
    relatives: &Relatives,
    file: &str,
    rows: &mut Rows,
) {
    let run = typed.document().run_number();
    for (number, record) in reader.records_of(typed, Role::Family) {
        let (mut marriage, mut divorce) = (MainEvent::default(), MainEvent::default());
        for event in reader.substructures(typed, record) {
            match event.role() {
                Some(Role::Marriage) => marriage.consider(reader, typed, event),
                Some(Role::Divorce) => divorce.consider(reader, typed, event),
                _ => {}
            }
        }
        rows.text(file).text_of(record.node.xref());
        let members = relatives.of_family(run, number);
        rows.list(&members.husbands).list(&members.wives).list(&members.children);
        events::push_event(&marriage.text(), rows);
        // No other column shows that an undated divorce happened.
        rows.text(&divorce.date_or_yes());
    }
}

/// The identifiers of the members of a family.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct FamilyMembers {
    husbands: Vec<String>,
    wives: Vec<String>,
    children: Vec<String>,
}

impl FamilyMembers {
    pub(crate) fn of(lineage: &Lineage, family: Family<'_>) -> FamilyMembers {
        let couple = Couple::of(family);
        let identifiers = |ids: Vec<PersonId>| {
            ids.into_iter().filter_map(|id| lineage.person(id).and_then(Person::identifier)).collect()
        };
        FamilyMembers {
            husbands: identifiers(couple.husbands),
            wives: identifiers(couple.wives),
            children: family.children().filter_map(Person::identifier).collect(),
        }
    }
}
