//! Payloads of several lines, merged by each set of rules.

use crate::common;

use common::check;
use elf_base::rules::Escape;
use elf_tagged::Rules;

const MERGING_FIRST: [&Rules; 2] = [&Rules::JANUARY_2019, &Rules::DECLARATIVE];

#[test]
fn a_pointer_may_stand_in_continuations_alone() {
    for rules in MERGING_FIRST {
        for note in [
            "0 NOTE @I1@\n",
            "0 NOTE\n1 CONC @I1@\n",
            "0 NOTE \n1 CONC @I1@\n",
            "0 NOTE\n1 CONC @I\n1 CONC 1@\n",
            "0 NOTE\n1 CONC\n1 CONC @I1\n1 CONC @\n",
            "0 NOTE @\n1 CONC I1@\n",
        ] {
            check(rules, &format!("0 @I1@ INDI\n{note}"), "INDI[I1] NOTE->I1", &[]);
        }
        check(rules, "0 NOTE\n1 CONT @I1@\n", r#"NOTE="\n@I1@""#, &["E0326"]);
    }
    check(&Rules::JANUARY_2019, "0 NOTE\n1 CONC @I9@\n", "NOTE->I9 UNDEF[I9]", &["E0327"]);
    check(&Rules::DECLARATIVE, "0 NOTE\n1 CONC @I9@\n", "NOTE->I9", &["E0327"]);
}

#[test]
fn at_signs_of_what_looked_like_a_pointer_are_reported() {
    for rules in MERGING_FIRST {
        check(rules, "0 NOTE @I1@\n1 CONT x\n", r#"NOTE="@I1@\nx""#, &["E0326"]);
        check(rules, "0 NOTE a\n1 CONT @I1@\n", r#"NOTE="a\n@I1@""#, &["E0326"]);
    }
}

#[test]
fn a_raw_line_break_is_one_for_every_mixture_of_rules() {
    let mut rules = Rules::WILD;
    rules.tagged.escape = Escape::TypedSpace { recover: false };
    let body = "0 @I1x@ INDI\n0 @A@ INDI\n1 NOTE @I1\nx@\n";
    check(&rules, body, r#"INDI[I1x] INDI[A]{NOTE="@I1\nx@"}"#, &["E0326", "E0306"]);
}

#[test]
fn continuations_at_the_level_of_what_they_continue_all_go_there() {
    let body = "0 INDI\n1 NOTE abc\n1 CONT x\n1 CONC y\n1 CONT z\n1 SEX M\nraw\n1 CONT w\n1 CONT v\n";
    let text = r#"INDI{NOTE="abc\nxy\nz" SEX="M\nraw\nw\nv"}"#;
    let codes = ["E0305", "E0305", "E0305", "E0306", "E0305", "E0305"];
    for rules in [&Rules::WILD, &Rules::OCTOBER_2017, &Rules::JULY_2017] {
        check(rules, body, text, &codes);
    }
}
