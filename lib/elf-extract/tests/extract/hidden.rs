//! A record of somebody who may be living, full of whatever lines there are: not a word of it is left, by any
//! rules.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_base::Tally;
use elf_extract::{Branch, LivingRule, Plan, Redaction, Replacement, Survey};
use elf_schema::{ReadOptions, Rules};
use proptest::prelude::*;

const TODAY: i64 = 2_461_368;

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
        rules in prop::sample::select(Rules::PRESETS.to_vec()),
        replacement in prop::sample::select(vec![Replacement::Placeholder, Replacement::Nothing]),
    ) {
        let [before, inside, behind] = [before, inside, behind].map(|lines| lines.join("\n"));
        let text = format!(
            "0 HEAD\n1 CHAR UTF-8\n0 @I2@ INDI\n1 BURI Y\n{before}\n0 @I1@ INDI\n{inside}\n0 @F1@ FAM\n1 WIFE @I1@\n\
             0 @I3@ INDI\n1 BURI Y\n{behind}\n0 TRLR\n"
        );
        let octets = text.replace('\n', breaks).into_bytes();
        let mut tally = Tally::new(());
        let typed = elf_schema::read(&octets, rules, &ReadOptions::default(), &mut tally).unwrap();
        let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
        let plan = Plan::redaction(Survey::of(&typed), &redaction).unwrap();
        if let Ok(extraction) = plan.extract() {
            let out = String::from_utf8_lossy(&extraction.octets);
            prop_assert!(!out.contains("qsecretq"), "{}: {text:?} to {out:?}", rules.name);
        } else {
            // What a malformed line is may depend on those that go.
            prop_assert!(tally.total() > 0, "{}, refused: {text:?}", rules.name);
        }
        // All of a file is the file, whatever its lines are.
        let survey = Survey::of(&typed);
        let people: Vec<String> = survey.lineage().persons().filter_map(|one| one.identifier()).collect();
        let plan = Plan::branch(survey, &Branch::of(people)).unwrap();
        if typed.document().is_complete() && let Ok(extraction) = plan.extract() {
            prop_assert!(*extraction.octets == *octets, "{}: {text:?}", rules.name);
        }
    }
}
