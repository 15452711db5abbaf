//! Events and partners of which there are several, and what is said of them only in part.

use crate::{codes, lineage, lineage_by, questions};
use elf_lineage::Lineage;
use elf_schema::{ReadOptions, Rules};

/// The messages of what is asked.
fn messages(body: &str) -> Vec<String> {
    questions(&lineage(body), true).into_iter().map(|found| found.message.into()).collect()
}

#[test]
fn an_approximated_date_is_five_years_wide_on_either_side() {
    for (birth, death, asked) in
        [("ABT 1800", "1799", 0), ("ABT 1800", "1795", 0), ("ABT 1800", "1794", 1), ("1800", "EST 1795", 0)]
    {
        let body = format!("0 @I1@ INDI\n1 BIRT\n2 DATE {birth}\n1 DEAT\n2 DATE {death}");
        assert_eq!(codes(&body, true).len(), asked, "{birth} {death}");
    }
}

#[test]
fn all_marriages_baptisms_and_burials_are_asked_about() {
    let family =
        |events: &str| format!("0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n0 @F1@ FAM\n1 HUSB @I1@\n{events}0 NOTE x");
    for events in ["1 MARR\n2 DATE 1880\n1 MARR\n2 DATE 1820\n", "1 MARR\n1 MARR\n2 DATE 1820\n"] {
        assert_eq!(codes(&family(events), false), ["P07"], "{events}");
    }
    for (tag, code) in [("BAPM", "P15"), ("CHR", "P15"), ("CHRA", "P15"), ("BURI", "P06"), ("CREM", "P06")] {
        for first in ["", "2 DATE 1860\n"] {
            let body = format!("0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n1 {tag}\n{first}1 {tag}\n2 DATE 1840");
            assert_eq!(codes(&body, true), [code], "{body}");
        }
    }
}

#[test]
fn of_births_and_deaths_the_first_with_a_date_counts() {
    for first in ["", "2 DATE (unknown)\n", "2 DATE 31 FEB 1800\n", "2 PLAC x\n"] {
        let body = format!(
            "0 @I1@ INDI\n1 BIRT\n{first}1 BIRT\n2 DATE 1900\n1 BIRT\n2 DATE 1800\n1 DEAT\n1 DEAT\n2 DATE 1880"
        );
        let found = questions(&lineage(&body), false);
        let [death] = found.as_slice() else { panic!("{found:?}") };
        let related: Vec<&str> = death.related.iter().map(|one| &*one.message).collect();
        assert_eq!(
            related,
            ["the birth", "another birth, in 1800", "another birth", "another death"],
            "{first}"
        );
    }
}

#[test]
fn a_range_with_an_impossible_end_bounds_nothing() {
    for (birth, death) in [("BET 1800 AND 30 FEB 1801", "1700"), ("1900", "BET 30 FEB 1800 AND 1801")] {
        let body = format!("0 @I1@ INDI\n1 BIRT\n2 DATE {birth}\n1 DEAT\n2 DATE {death}");
        assert_eq!(codes(&body, true), Vec::<&str>::new());
    }
}

#[test]
fn the_types_of_a_file_are_events_like_others() {
    let file = "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX e https://e.example/\n\
        2 IRI elf:INDIVIDUAL_RECORD\n3 TAG INDI elf:Document\n2 IRI elf:BIRTH\n3 ISA elf:IndividualEvent\n\
        3 TAG BIRT elf:INDIVIDUAL_RECORD\n2 IRI elf:DATE_VALUE\n3 TAG DATE elf:Event\n\
        2 IRI elf:IndividualEvent\n3 ISA elf:Event\n2 IRI elf:IndividualAttribute\n3 ISA elf:Event\n\
        2 IRI elf:DEATH\n3 ISA elf:IndividualEvent\n3 TAG DEAT elf:INDIVIDUAL_RECORD\n\
        2 IRI e:Militia\n3 ISA elf:IndividualEvent\n3 TAG MILT elf:INDIVIDUAL_RECORD\n\
        2 IRI e:Job\n3 ISA elf:IndividualAttribute\n3 TAG JOB elf:INDIVIDUAL_RECORD\n\
        0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n1 DEAT\n2 DATE 1900\n1 MILT\n2 DATE 1700\n1 JOB x\n2 DATE 1950\n0 TRLR\n";
    for rules in [&Rules::JANUARY_2019, &Rules::WILD] {
        let typed =
            elf_schema::read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).expect("small");
        let found = questions(&Lineage::of(&typed), true);
        let codes: Vec<&str> = found.iter().map(|found| found.code.id()).collect();
        assert_eq!(codes, ["P06", "P16"], "{}", rules.name);
        let of = |at: usize, name: &str| found[at].message.starts_with(&format!("the {name} of @I1@"));
        assert!(of(0, "event `MILT`") && of(1, "attribute `JOB`"), "{found:?}");
    }
}

#[test]
fn one_sex_that_is_wrong_or_missing_hides_no_question() {
    for (husband, wife, asked) in [
        ("1 SEX F\n", "", 2),
        ("1 SEX F\n", "1 SEX U\n", 2),
        ("", "1 SEX M\n", 2),
        ("1 SEX F\n", "1 SEX M\n", 2),
        ("1 SEX F\n", "1 SEX F\n", 0),
        ("1 SEX M\n", "1 SEX M\n", 0),
    ] {
        let body = format!(
            "0 @I1@ INDI\n{husband}1 BIRT\n2 DATE 1850\n0 @I2@ INDI\n{wife}1 BIRT\n2 DATE 1850\n\
             0 @I3@ INDI\n1 BIRT\n2 DATE 1800\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@"
        );
        assert_eq!(codes(&body, false).len(), asked, "{body}");
    }
}

#[test]
fn of_two_husbands_nothing_is_asked_but_of_the_wife() {
    let body = "0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n0 @I2@ INDI\n1 BIRT\n2 DATE 1850\n0 @I4@ INDI\n1 BIRT\n\
        2 DATE 1850\n0 @I3@ INDI\n1 BIRT\n2 DATE 1800\n0 @F1@ FAM\n1 HUSB @I1@\n1 HUSB @I2@\n1 WIFE @I4@\n1 CHIL @I3@";
    let found = messages(body);
    let [message] = found.as_slice() else { panic!("{found:?}") };
    assert!(message.contains("before the mother @I4@"), "{message}");
}

#[test]
fn a_circle_is_asked_about_once() {
    let own = "0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n1 DEAT\n2 DATE 1900\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I1@";
    assert_eq!(codes(own, true), ["P08"]);
    let of_two = "0 @I1@ INDI\n1 SEX F\n1 BIRT\n2 DATE 1800\n0 @I2@ INDI\n1 BIRT\n2 DATE 1900\n\
        0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I9@\n1 CHIL @I2@\n0 @F2@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @I9@ INDI";
    assert_eq!(codes(of_two, true), ["P08"]);
    assert!(messages(own)[0].starts_with("@I1@ is among their own ancestors: "));
}

#[test]
fn distances_about_a_birth_are_told_in_days_with_their_limit() {
    let father = "0 @I1@ INDI\n1 DEAT\n2 DATE 1 JAN 1880\n0 @I2@ INDI\n1 BIRT\n2 DATE 22 OCT 1880\n\
        0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@";
    let found = messages(father);
    let end = "295 days after the death of the father @I1@ on 1 JAN 1880; at most 294 days are expected";
    assert!(found[0].ends_with(end), "{found:?}");
    let siblings = "0 @I1@ INDI\n1 BIRT\n2 DATE 1 JAN 1850\n0 @I2@ INDI\n1 BIRT\n2 DATE 29 JUL 1850\n\
        0 @F1@ FAM\n1 CHIL @I1@\n1 CHIL @I2@";
    let found = messages(siblings);
    let end = "209 days after @I1@, born on 1 JAN 1850, of the same family; at least 210 days are expected";
    assert!(found[0].ends_with(end), "{found:?}");
}

#[test]
fn all_that_a_couple_agrees_on_comes_after_both_births_and_before_a_death() {
    for tag in ["ENGA", "MARB", "MARC", "MARL", "MARS", "DIV", "DIVF", "ANUL"] {
        let body = format!("0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n0 @F1@ FAM\n1 WIFE @I1@\n1 {tag}\n2 DATE 1840");
        assert_eq!(codes(&body, false), ["P06"], "{tag}");
    }
    for tag in ["ENGA", "DIV", "DIVF", "ANUL"] {
        let body = format!("0 @I1@ INDI\n1 DEAT\n2 DATE 1850\n0 @F1@ FAM\n1 WIFE @I1@\n1 {tag}\n2 DATE 1860");
        assert_eq!(codes(&body, true), ["P16"], "{tag}");
        assert_eq!(codes(&body, false), Vec::<&str>::new(), "{tag}");
    }
    let body = "0 @F1@ FAM\n1 DIV\n2 DATE 1850\n1 MARR\n2 DATE 1860";
    assert!(messages(body)[0].starts_with("the family @F1@ was divorced"));
}

#[test]
fn messages_name_the_event() {
    for (event, name) in [
        ("RESI", "residence"),
        ("EMIG", "emigration"),
        ("OCCU x", "occupation"),
        ("BAPL", "ordinance of baptism"),
        ("EVEN\n2 TYPE Military service", "event `Military service`"),
        ("EVEN", "event"),
        ("FACT x\n2 TYPE Skill", "attribute `Skill`"),
        ("WILL", "will"),
    ] {
        let found = messages(&format!("0 @I1@ INDI\n1 {event}\n2 DATE 2050"));
        assert!(found[0].starts_with(&format!("the {name} of @I1@ is dated in 2050")), "{found:?}");
    }
    let found = messages("0 @F1@ FAM\n1 MARL\n2 DATE 2050");
    assert!(found[0].starts_with("the marriage licence of the family @F1@"), "{found:?}");
}

#[test]
fn types_of_events_do_not_change_by_rules() {
    let body = "0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n1 EVEN x\n2 DATE 1840\n1 RESI\n2 DATE 1840";
    for rules in Rules::PRESETS {
        assert_eq!(questions(&lineage_by(body, rules), true).len(), 1, "{}", rules.name);
    }
}

#[test]
fn a_parent_by_two_families_is_asked_about_once() {
    let body = "0 @I1@ INDI\n1 BIRT\n2 DATE 1800\n1 FAMC @F1@\n2 PEDI birth\n1 FAMC @F2@\n2 PEDI birth\n\
        0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @F2@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n\
        0 @I2@ INDI\n1 BIRT\n2 DATE 1850";
    let codes: Vec<&str> = questions(&lineage(body), false).iter().map(|found| found.code.id()).collect();
    assert_eq!(codes, ["P05"]);
}
