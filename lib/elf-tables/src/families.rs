//! The table of families.

use crate::couples::Couple;
use crate::events::{self, MainEvent};
use crate::reader::TableReader;
use crate::rows::Rows;
use crate::survey::Relatives;
use elf_lineage::{Family, FamilyId, Lineage, Person, PersonId};
use elf_schema::Role;
use elf_schema::TypedDocument;

pub(crate) fn add_family_rows(
    reader: &TableReader,
    typed: &TypedDocument<'_>,
    relatives: &Relatives,
    file: &str,
    rows: &mut Rows,
) {
    let first = relatives.counts_before(typed.document().run_number()).families;
    for (number, record, found) in reader.records_of(typed, Role::Family, first) {
        let (mut marriage, mut divorce) = (MainEvent::default(), MainEvent::default());
        for (node, found) in reader.substructures(typed, (record, found)) {
            match found.role() {
                Some(Role::Marriage) => marriage.consider(reader, typed, (node, found)),
                Some(Role::Divorce) => divorce.consider(reader, typed, (node, found)),
                _ => {}
            }
        }
        rows.text(file).text_of(record.xref());
        let lineage = &relatives.lineage;
        match FamilyId::of_index(number).and_then(|id| lineage.family(id)) {
            Some(family) => push_members(lineage, family, rows),
            None => (0..3).for_each(|_| {
                rows.empty();
            }),
        }
        events::push_event(&marriage.text(), rows);
        // No other column shows that an undated divorce happened.
        rows.text(&divorce.date_or_yes());
    }
}

fn push_members(lineage: &Lineage, family: Family<'_>, rows: &mut Rows) {
    let couple = Couple::of(family);
    let identifier = |id: PersonId| lineage.person(id).and_then(Person::identifier);
    for side in [couple.husbands, couple.wives] {
        let side: Vec<String> = side.into_iter().filter_map(identifier).collect();
        rows.list(&side);
    }
    let children: Vec<String> = family.children().filter_map(Person::identifier).collect();
    rows.list(&children);
}
