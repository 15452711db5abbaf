//! Appending that fails: nothing stays of it.

use super::*;
use elf_schema::{ReadOptions, Rules};
use proptest::prelude::*;
use std::fmt::Write as _;

fn read(records: &str) -> Dataset {
    let octets = format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n");
    crate::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

/// Records with identifiers and pointers of few names, some of types that only their file knows.
fn records() -> impl Strategy<Value = String> {
    let line = (prop::sample::select(vec!["NAME", "NOTE", "_PEAL", "FAMS"]), 0..5_u8, "[a-z]{0,12}");
    let record = (prop::option::of(0..5_u8), prop::collection::vec(line, 0..5));
    prop::collection::vec(record, 1..6).prop_map(|records| {
        let mut text = String::new();
        for (xref, lines) in records {
            let xref = xref.map_or(String::new(), |xref| format!("@I{xref}@ "));
            let _ = writeln!(text, "0 {xref}INDI");
            for (tag, to, payload) in lines {
                let payload = if tag == "FAMS" { format!("@I{to}@") } else { payload };
                let _ = writeln!(text, "1 {tag} {payload}");
            }
        }
        text
    })
}

fn json(dataset: DatasetMut) -> String {
    serde_json::to_string(&dataset.finish().expect("small")).expect("JSON")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_fails_leaves_a_dataset_as_it_was(one in records(), two in records(), room in 0..80_usize) {
        let (base, other) = (read(&one), read(&two));
        let peal = "https://e.example/Peal";
        let mut of_other = other.clone().into_mut();
        let first = of_other.records().next().map(|record| record.id());
        if let Some(first) = first {
            of_other.set_type(first, peal).expect("here");
            of_other.supertype(peal, "https://e.example/Ringing");
        }
        let other = of_other.finish().expect("small");
        let append = |dataset: &mut DatasetMut| dataset.append(Position::LastRecord, other.records());
        let mut tried = base.clone().into_mut();
        let whole = tried.room;
        tried.room = tried.base.text.len() + room;
        let failed = append(&mut tried).is_err();
        tried.room = whole;
        let mut untried = base.into_mut();
        if !failed {
            prop_assert!(append(&mut untried).is_ok());
        }
        // What comes after it is what would have come without it.
        prop_assert_eq!(append(&mut tried), append(&mut untried).map(|appended| own(appended, &tried)));
        prop_assert_eq!(tried.fresh_xref("I"), untried.fresh_xref("I"));
        prop_assert_eq!(&tried.supertypes, &untried.supertypes);
        let sizes = |dataset: &DatasetMut| {
            (dataset.links.len(), dataset.nodes.len(), dataset.base.types.len(), dataset.base.tags.len())
        };
        prop_assert_eq!(sizes(&tried), sizes(&untried));
        prop_assert_eq!(json(tried), json(untried));
    }
}

/// Structures are named by the dataset that they are in, too, which is another one.
fn own(mut appended: Appended, of: &DatasetMut) -> Appended {
    appended.ids.iter_mut().for_each(|id| *id = of.id_of(id.number));
    appended
}
