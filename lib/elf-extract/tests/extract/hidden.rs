//! A record of somebody who may be living, full of whatever lines there are: not a word of it is left, by any
//! rules, in parts of any size.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_base::Tally;
use elf_extract::{Branch, Extraction, LivingRule, Plan, Redaction, Replacement, Survey, elf_schema};
use elf_schema::elf_tagged::{Options, XrefReader, Xrefs};
use elf_schema::{ReadOptions, Reader, Rules};
use proptest::prelude::*;

const TODAY: i64 = 2_461_368;

/// Reads a file in parts, with its names where the rules ask for them.
fn reader<'f>(octets: &'f [u8], rules: &Rules, size: usize) -> Reader<'static, &'f [u8]> {
    let reader = match Xrefs::are_needed(rules) {
        true => {
            let names = XrefReader::new(octets, rules, &Options::default()).with_run_size(size);
            Reader::with_xrefs(octets, ReadOptions::default(), names.into_xrefs().unwrap())
        }
        false => Reader::new(octets, rules, ReadOptions::default()),
    };
    reader.with_run_size(size)
}

/// Carries a plan out; `None` where that is refused.
fn run(octets: &[u8], rules: &Rules, size: usize, plan: &Plan) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let done = Extraction::of(plan).run(&mut reader(octets, rules, size), &mut out, &mut |_| Ok(()));
    done.ok().map(|()| out)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_word_of_a_hidden_record_is_left(
        before in proptest::collection::vec("[1-3] (NOTE|DEAT|_X|CONT|ASSO @I1@)( t@xt| Y)?", 0..4),
        inside in proptest::collection::vec(
            "( {0,2}[1-9]{0,2} ?(@qsecretq@ )?(NAME|SEX|FAMC|FAMS|RESN|NOTE|SOUR|CONT|CONC|_X|ERROR|qsecretq|)\
             ?( @qsecretq@| qsecretq| @F1@| @F1@ qsecretq| F qsecretq| F| @#Dqsecretq@| privacy qsecretq)?)|qsecretq|",
            0..12,
        ),
        behind in proptest::collection::vec("[1-3] (NOTE|CONT|FAMS|BIRT)( @F1@| text)?", 0..4),
        breaks in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        size in prop::sample::select(vec![1_usize, 60, 1 << 20]),
        rules in prop::sample::select(Rules::PRESETS.to_vec()),
        replacement in prop::sample::select(vec![Replacement::Placeholder, Replacement::Nothing]),
    ) {
        let [before, inside, behind] = [before, inside, behind].map(|lines| lines.join("\n"));
        let text = format!(
            "0 HEAD\n1 CHAR UTF-8\n0 @I2@ INDI\n1 BURI Y\n{before}\n0 @I1@ INDI\n{inside}\n0 @F1@ FAM\n1 WIFE @I1@\n\
             0 @I3@ INDI\n1 BURI Y\n{behind}\n0 TRLR\n"
        );
        let octets = text.replace('\n', breaks).into_bytes();
        let survey = Survey::read(&mut reader(&octets, rules, size)).unwrap();
        let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
        let plan = Plan::redaction(survey, &redaction).unwrap();
        if let Some(out) = run(&octets, rules, size, &plan) {
            let out = String::from_utf8(out).unwrap();
            prop_assert!(!out.contains("qsecretq"), "{}: {text:?} to {out:?}", rules.name);
        } else {
            // What a malformed line is may depend on those that go.
            let mut tally = Tally::new(());
            elf_schema::read(&octets, rules, &ReadOptions::default(), &mut tally).unwrap();
            prop_assert!(tally.total() > 0, "{}, refused: {text:?}", rules.name);
        }
        // All of a file is the file, whatever its lines are.
        let survey = Survey::read(&mut reader(&octets, rules, size)).unwrap();
        let people: Vec<String> = survey.lineage().persons().filter_map(|one| one.identifier()).collect();
        let complete = elf_schema::read(&octets, rules, &ReadOptions::default(), &mut ()).unwrap();
        let plan = Plan::branch(survey, &Branch::of(people)).unwrap();
        if let Some(out) = run(&octets, rules, size, &plan).filter(|_| complete.document().is_complete()) {
            prop_assert!(out == octets, "{}: {text:?}", rules.name);
        }
    }
}
