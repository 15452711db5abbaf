//! A real file of three thousand persons: every question that holds by hand, and no other.

use crate::judge::is_judged;
use crate::{is_impossible, questions};
use elf_lineage::Lineage;
use elf_schema::{ReadOptions, Rules};
use std::collections::BTreeSet;
use std::path::Path;

const NAME: &str = "D-Jeffrey__gedcom-samples__Royal92-Famous+European+Royalty+Gedcom.ged";

#[test]
fn what_is_asked_is_what_holds_by_hand() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(NAME);
    let Ok(octets) = std::fs::read(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return;
    };
    let options = ReadOptions::default();
    let typed = elf_schema::read(&octets, &Rules::WILD, &options, &mut ()).expect("a short file");
    let lineage = Lineage::of(&typed);
    assert_eq!((lineage.person_count(), lineage.family_count()), (3010, 1422));

    let rows = include_str!("data/royal92.tsv").lines().filter(|line| !line.starts_with('#'));
    let expected: Vec<&str> = rows.collect();
    let impossible = |row: &&&str| is_impossible(&row[..3]);
    assert!(expected.len() >= 40 && expected.iter().filter(impossible).count() >= 20);
    for unlikely in [true, false] {
        let found: BTreeSet<String> = questions(&lineage, unlikely)
            .iter()
            .filter(|found| is_judged(found.code))
            .map(|found| {
                let mut row = vec![found.code.id().to_owned()];
                let named = found.message.split("(@").skip(1).filter_map(|rest| rest.split('@').next());
                row.extend(named.map(str::to_owned));
                if ["P07", "P13", "P17"].contains(&found.code.id()) {
                    let line = found.place.map_or(0, |place| place.line);
                    let before = lineage.families().filter(|family| family.position().line < line);
                    row.extend(before.last().and_then(|family| family.identifier()));
                }
                row.join("\t")
            })
            .collect();
        let wanted = expected.iter().filter(|row| unlikely || impossible(row));
        let wanted: BTreeSet<String> = wanted.map(|row| (*row).to_owned()).collect();
        assert_eq!(found, wanted);
    }
}
