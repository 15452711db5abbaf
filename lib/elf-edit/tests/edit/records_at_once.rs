//! Records that are fixed at once get the same fixes as each by itself.

use elf_edit::{Safety, fix_document};
use elf_tagged::elf_octets::Patch;
use elf_tagged::{Diagnostic, Options, Reader, Rules};
use proptest::prelude::*;

/// Lines of records, most of them with a fault.
const LINES: &[&str] = &[
    "1 NOTE a@b and c@d",
    "01 SEX M",
    "3 DATE 1 JAN 1900",
    "1 NOTE some text",
    "that goes on here",
    "and 0 @I9@ INDI there",
    "0 @@ INDI",
    "",
    "  ",
    " 1 BIRT",
    "2 CONT more",
    "2 CONC @ more",
    "1 RESN locked",
    "2 DATE @#DJULIAN 4 MAY 1700",
    "1 NOTE @#x@ y",
    "1 FAMS @F1@",
    "1 @N1@ NOTE identifier",
    "1 NAME Zo\u{EB} /\u{DF}/",
    "5",
    "1 B$RT",
    "2 PLAC @",
    "99 X",
    "0 TRLR",
    "0 HEAD",
];

const RULES: [Rules; 3] = [Rules::WILD, Rules::GEDCOM_5_5_1, Rules::OCTOBER_2017];

/// A fixed finding: its line, its code, and its patches.
type Fixed = (u64, &'static str, Vec<Patch>);

fn fixes_of(file: &str, rules: &Rules, size: usize) -> Vec<Fixed> {
    let mut reader = Reader::new(file.as_bytes(), rules, &Options::default()).with_run_size(size);
    let mut all = Vec::new();
    loop {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let Some(run) = reader.next_run(&mut findings).expect("it can be read") else { break };
        let fixes = fix_document(&run, &findings, Safety::Safe.into(), &mut ());
        all.extend(fixes.fixed.iter().map(|fixed| {
            let finding = &findings[fixed.finding];
            let line = finding.place.map_or(0, |place| place.line);
            (line, finding.code.id(), fixes.patches_of(fixed).cloned().collect())
        }));
    }
    all
}

proptest! {
    #[test]
    fn records_are_fixed_at_once_as_each_by_itself(
        records in prop::collection::vec(prop::collection::vec(0..LINES.len(), 0..6), 1..12),
        ending in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        rules in 0..RULES.len(),
    ) {
        let mut file = format!("0 HEAD{ending}1 CHAR UTF-8{ending}");
        for (number, record) in records.iter().enumerate() {
            file.push_str(&format!("0 @R{number}@ INDI{ending}"));
            for line in record.iter().filter_map(|line| LINES.get(*line)) {
                file.push_str(&format!("{line}{ending}"));
            }
        }
        file.push_str(&format!("0 TRLR{ending}"));
        let [apart, together] = [1, 1 << 20].map(|size| fixes_of(&file, &RULES[rules], size));
        prop_assert_eq!(apart, together, "{}", file);
    }
}
