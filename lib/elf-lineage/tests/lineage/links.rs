//! Links between persons and families, whatever way the file says them.

use crate::{codes, lineage, lineage_by, questions};
use elf_lineage::{LivingReason, LivingRule, PartnerRole, Tie, TiesFollowed};
use elf_schema::Rules;

/// A child born in 1900, with more lines under its record, and a father born in 1950 and a mother in 1800.
fn family(child: &str, chil: &str, fam: &str) -> String {
    format!(
        "0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n{child}0 @I2@ INDI\n1 SEX M\n1 BIRT\n2 DATE 1950\n0 @I3@ INDI\n1 SEX F\n\
         1 BIRT\n2 DATE 1950\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I3@\n1 CHIL @I1@\n{chil}{fam}0 NOTE x"
    )
}

#[test]
fn only_links_by_birth_are_asked_about() {
    for (child, chil, asked) in [
        ("", "", 2),
        ("1 FAMC @F1@\n", "", 2),
        ("1 FAMC @F1@\n2 PEDI birth\n", "", 2),
        ("1 FAMC @F1@\n2 PEDI adopted\n", "", 0),
        ("1 FAMC @F1@\n2 PEDI FOSTER\n", "", 0),
        ("1 FAMC @F1@\n2 PEDI sealing\n", "", 0),
        ("1 FAMC @F1@\n2 STAT disproven\n", "", 0),
        ("1 ADOP\n", "", 0),
        ("1 ADOP\n2 FAMC @F1@\n", "", 0),
        ("1 ADOP\n2 FAMC @F1@\n3 ADOP HUSB\n", "", 1),
        ("1 ADOP\n2 FAMC @F1@\n3 ADOP BOTH\n", "", 0),
        ("", "2 _FREL Natural\n2 _MREL Adopted\n", 1),
        ("", "2 _FREL Step\n2 _MREL Step\n", 0),
    ] {
        let found = codes(&family(child, chil, ""), false);
        assert_eq!(found.iter().filter(|code| **code == "P05").count(), asked, "{child}{chil}");
    }
}

#[test]
fn of_several_families_the_first_counts_or_the_one_of_the_birth() {
    let more = "0 @I4@ INDI\n1 SEX F\n1 BIRT\n2 DATE 1870\n0 @F2@ FAM\n1 WIFE @I4@\n1 CHIL @I1@\n";
    let with = |child| family(child, "", more);
    let count = |body: &str| codes(body, false).len();
    assert_eq!(count(&with("1 FAMC @F1@\n1 FAMC @F2@\n")), 2);
    assert_eq!(count(&with("1 FAMC @F2@\n1 FAMC @F1@\n")), 0, "though the first family has no father");
    assert_eq!(count(&with("1 BIRT\n1 FAMC @F1@\n1 FAMC @F2@\n2 PEDI birth\n")), 0);
    assert_eq!(count(&with("1 FAMC @F1@\n1 ADOP\n")), 0, "nobody knows which of them");
}

#[test]
fn a_couple_of_one_sex_is_not_asked_about_births() {
    let body = |sex: &str| {
        format!(
            "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n0 @I1@ INDI\n1 SEX F\n1 DEAT\n2 DATE 1890\n\
             0 @I2@ INDI\n1 SEX {sex}\n1 BIRT\n2 DATE 1950\n0 @I3@ INDI\n1 BIRT\n2 DATE 1900\n1 FAMC @F1@"
        )
    };
    assert_eq!(codes(&body("F"), true), Vec::<&str>::new());
    assert_eq!(codes(&body("M"), true), ["P03", "P05"]);
    assert_eq!(codes(&(body("F") + "\n2 PEDI birth"), true), ["P03", "P03", "P05"][1..]);
}

#[test]
fn either_half_of_a_link_is_enough() {
    let whole = lineage("0 @I1@ INDI\n1 FAMC @F1@\n0 @I2@ INDI\n1 FAMS @F1@\n0 @F1@ FAM");
    let family = whole.families().next().expect("a family");
    assert_eq!(family.children().count(), 1);
    let partners: Vec<PartnerRole> = family.partners().map(|(_, role)| role).collect();
    assert_eq!(partners, [PartnerRole::Partner]);
    let both = lineage("0 @I2@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I2@");
    let partners: Vec<_> =
        both.families().flat_map(|family| family.partners().map(|(_, role)| role)).collect();
    assert_eq!(partners, [PartnerRole::Wife]);
}

#[test]
fn a_pointer_to_several_records_or_none_leads_nowhere() {
    let body = "0 @I1@ INDI\n1 FAMC @F1@\n1 FAMC @F9@\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I3@\n0 @I2@ INDI\n0 @I2@ INDI\n0 @I3@ INDI";
    let lineage = lineage(body);
    let parents: Vec<_> = lineage.find_person("I1").expect("a child").parents().collect();
    assert_eq!(parents.len(), 1);
    assert_eq!((parents[0].role, parents[0].tie), (PartnerRole::Wife, Tie::Unknown));
}

#[test]
fn roles_are_those_of_the_table_by_all_rules() {
    let body = "0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n1 BURI\n2 DATE 1890\n1 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n\
        1 CHIL @I1@\n0 @I2@ INDI\n1 BIRT\n2 DATE 1950";
    for rules in Rules::PRESETS {
        let found = questions(&lineage_by(body, rules), false);
        let codes: Vec<&str> = found.iter().map(|found| found.code.id()).collect();
        assert_eq!(codes, ["P06", "P05"], "{}", rules.name);
    }
}

#[test]
fn a_type_of_the_file_counts_as_its_nearest_supertype() {
    let file = "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX e https://e.example/\n\
        2 IRI elf:INDIVIDUAL_RECORD\n3 TAG INDI elf:Document\n2 IRI elf:BIRTH\n3 ISA elf:Event\n\
        3 TAG BIRT elf:INDIVIDUAL_RECORD\n2 IRI elf:DATE_VALUE\n3 TAG DATE elf:Event\n\
        2 IRI e:END\n3 ISA elf:DEATH\n3 TAG END elf:INDIVIDUAL_RECORD\n2 IRI elf:DEATH\n3 ISA elf:Event\n\
        0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n1 END\n2 DATE 1890\n0 TRLR\n";
    let options = elf_schema::ReadOptions::default();
    let typed = elf_schema::read(file.as_bytes(), &Rules::JANUARY_2019, &options, &mut ()).expect("small");
    let found = questions(&elf_lineage::Lineage::of(&typed), false);
    assert_eq!(found.iter().map(|found| found.code.id()).collect::<Vec<_>>(), ["P01"]);
}

#[test]
fn the_first_of_alternative_events_counts_and_others_are_mentioned() {
    let body = "0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n1 BIRT\n2 DATE 1850\n1 DEAT\n2 DATE 1880";
    let found = questions(&lineage(body), false);
    let [death] = found.as_slice() else { panic!("{found:?}") };
    let related: Vec<(&str, u64)> =
        death.related.iter().map(|related| (&*related.message, related.place.line)).collect();
    assert_eq!(
        (death.place.expect("a place").line, related),
        (9, vec![("the birth", 5), ("another birth, in 1850", 7)])
    );
    let other = "0 @I1@ INDI\n1 BIRT\n2 DATE 1850\n1 BIRT\n2 DATE 1900\n1 DEAT\n2 DATE 1880";
    assert_eq!(codes(other, true), ["P24"]);
}

#[test]
fn what_is_no_date_bounds_nothing() {
    for date in [
        "31 FEB 1890",
        "(before the war)",
        "5/10/1890",
        "1890?",
        "BET 1890 AND 1880",
        "90",
        "12 JAN 90",
        "BET 1890 AND 18",
        "@#DMARS@ 1890",
    ] {
        let body = format!("0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n1 DEAT\n2 DATE {date}");
        assert_eq!(codes(&body, true), Vec::<&str>::new(), "{date}");
    }
    for date in [
        "INT 1890 (late)",
        "ABT 1890",
        "1890/91",
        "1890/92",
        "27 JUNE 1890",
        "BET 3 AND 4 JAN 1890",
        // What is meant is beyond doubt, in letters or in the grammar of GEDCOM 7.
        "5 Oct 1890",
        "about 5 October 1890",
        "JULIAN 5 OCT 1890",
        "BEF JULIAN 44 BCE",
        "FROM JULIAN 1880 TO JULIAN 1885",
    ] {
        let body = format!("0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n1 DEAT\n2 DATE {date}");
        assert_eq!(codes(&body, true), ["P01"], "{date}");
    }
    assert_eq!(codes("0 @I1@ INDI\n1 DEAT\n2 DATE AFT 1880\n1 RESI\n2 DATE 1890", true), Vec::<&str>::new());
}

#[test]
fn events_that_may_be_before_or_after_a_life_are_not_asked_about() {
    for tag in ["EVEN", "FACT", "TITL", "PROP", "ADOP", "BAPL"] {
        let body = format!("0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n1 {tag} x\n2 DATE 1890");
        assert_eq!(codes(&body, true), Vec::<&str>::new(), "{tag}");
    }
    for tag in ["BURI", "CREM", "PROB", "EVEN", "FACT", "PROP", "TITL", "GRAD", "CENS", "ENDL"] {
        let body = format!("0 @I1@ INDI\n1 DEAT\n2 DATE 1900\n1 {tag} x\n2 DATE 1901");
        assert_eq!(codes(&body, true), Vec::<&str>::new(), "{tag}");
    }
}

#[test]
fn descendants_are_those_of_all_families() {
    let body = "0 @A@ INDI\n0 @B@ INDI\n0 @C@ INDI\n0 @D@ INDI\n0 @E@ INDI\n0 @X@ INDI\n\
        0 @F1@ FAM\n1 HUSB @A@\n1 CHIL @B@\n1 CHIL @C@\n0 @F2@ FAM\n1 WIFE @B@\n1 HUSB @E@\n1 CHIL @D@";
    let lineage = lineage(body);
    let person = |id: &str| lineage.find_person(id).expect("a person");
    let names = |found: Vec<(elf_lineage::Person<'_>, u32)>| -> Vec<(String, u32)> {
        found.into_iter().map(|(one, at)| (one.identifier().unwrap_or_default(), at)).collect()
    };
    let below = names(person("A").descendants(TiesFollowed::All).collect());
    assert_eq!(below, [("B".to_owned(), 1), ("C".to_owned(), 1), ("D".to_owned(), 2)]);
}

#[test]
fn ties_beneath_the_link_of_the_child_count_as_those_beneath_that_of_the_family() {
    for (beneath, is_by_birth) in [
        ("2 _FREL Adopted\n2 _MREL Adopted\n", [false, false]),
        ("2 _FREL Step\n", [false, true]),
        ("2 _MREL Natural\n", [true, true]),
        ("2 _FREL Natural\n2 _MREL Natural\n", [true, true]),
        ("2 PEDI adopted\n", [false, false]),
    ] {
        let body = format!(
            "0 @C@ INDI\n1 FAMC @F2@\n{beneath}0 @F2@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @C@\n0 @I1@ INDI\n0 @I2@ INDI"
        );
        let lineage = lineage(&body);
        let child = lineage.find_person("C").expect("a child");
        let found: Vec<bool> = child.parents().map(|parent| parent.is_by_birth).collect();
        assert_eq!(found, is_by_birth, "{beneath}");
    }
}

#[test]
fn ties_to_each_parent_overrule_another_word_of_pedi() {
    use Tie::{Adopted, Birth, Disproven, Other, Uncertain, Unknown};
    for (of_child, of_family, expected) in [
        ("2 PEDI OTHER\n", "", [Other, Other]),
        ("2 PEDI OTHER\n", "2 _FREL Natural\n2 _MREL Step\n", [Birth, Other]),
        (
            "2 PEDI OTHER\n3 PHRASE father: Natural, mother: Step\n2 _FREL Natural\n2 _MREL Step\n",
            "",
            [Birth, Other],
        ),
        ("2 _FREL Natural\n2 _MREL Natural\n2 PEDI Step\n", "", [Birth, Birth]),
        ("2 PEDI OTHER\n", "2 _MREL Step\n", [Unknown, Other]),
        ("2 PEDI OTHER\n", "2 _FREL\n2 _MREL\n", [Other, Other]),
        ("2 _FREL Unknown\n2 _MREL Private\n", "", [Uncertain, Uncertain]),
        ("2 _FREL Sealed\n2 _MREL Birth\n", "", [Uncertain, Birth]),
        ("2 _FREL Unknown\n", "2 _FREL Natural\n", [Birth, Unknown]),
        ("2 PEDI unknown\n", "2 _FREL Step\n", [Other, Uncertain]),
        ("2 PEDI OTHER\n", "2 _FREL Unknown\n2 _MREL Unknown\n", [Uncertain, Uncertain]),
        // A sealing as GEDCOM defines it is one to other parents.
        ("2 PEDI sealing\n", "", [Other, Other]),
        ("2 _FREL Disproved\n2 _MREL Guardian\n", "", [Disproven, Other]),
        ("2 PEDI adopted\n", "2 _FREL Natural\n", [Adopted, Adopted]),
        ("2 PEDI birth\n2 PEDI OTHER\n", "", [Other, Other]),
    ] {
        let lineage = lineage(&format!(
            "0 @C@ INDI\n1 FAMC @F2@\n{of_child}0 @F2@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @C@\n{of_family}\
             0 @I1@ INDI\n0 @I2@ INDI"
        ));
        let child = lineage.find_person("C").expect("a child");
        let found: Vec<Tie> = child.parents().map(|parent| parent.tie).collect();
        assert_eq!(found, expected, "{of_child}{of_family}");
    }
}

#[test]
fn who_may_be_living_follows_from_what_bounds_the_birth() {
    let rule = LivingRule::on(2_461_367);
    let first =
        |body: &str, rule: &LivingRule| lineage(body).persons().next().expect("a person").may_be_living(rule);
    for (lines, living) in [
        ("", true),
        ("1 RESN privacy\n1 DEAT Y\n", true),
        ("1 DEAT\n", true),
        ("1 DEAT Y\n", false),
        ("1 DEAT\n2 PLAC x\n", false),
        ("1 BURI\n", true),
        ("1 BURI Y\n", false),
        ("1 BIRT\n2 DATE 22 NOV 1916\n", true),
        ("1 BIRT\n2 DATE 21 NOV 1916\n", false),
        ("1 BIRT\n2 DATE ABT 22 NOV 1911\n", true),
        ("1 BIRT\n2 DATE ABT 21 NOV 1911\n", false),
        ("1 BIRT\n2 DATE BEF 1900\n", false),
        ("1 BIRT\n2 DATE AFT 1900\n", true),
        ("1 CHR\n2 DATE 1850\n", false),
        ("1 TITL Duke\n2 DATE 1850\n", true),
    ] {
        assert_eq!(first(&format!("0 @I1@ INDI\n{lines}0 NOTE x"), &rule), living, "{lines}");
    }
    let mut bare = rule;
    bare.bare_death = true;
    assert!(!first("0 @I1@ INDI\n1 DEAT", &bare));
    let child = |year: &str| {
        format!("0 @I1@ INDI\n0 @F1@ FAM\n1 WIFE @I1@\n1 CHIL @I2@\n0 @I2@ INDI\n1 BIRT\n2 DATE {year}")
    };
    assert!(!first(&child("21 NOV 1926"), &rule));
    assert!(first(&child("22 NOV 1926"), &rule));
    let grandchild = |year: &str| {
        format!(
            "0 @I1@ INDI\n0 @F1@ FAM\n1 WIFE @I1@\n1 CHIL @I2@\n0 @I2@ INDI\n0 @F2@ FAM\n1 WIFE @I2@\n1 CHIL @I3@\n\
             0 @I3@ INDI\n1 BIRT\n2 DATE {year}"
        )
    };
    assert!(!first(&grandchild("21 NOV 1936"), &rule));
    assert!(first(&grandchild("22 NOV 1936"), &rule));
    let parent = |day: &str| {
        format!("0 @I1@ INDI\n0 @F1@ FAM\n1 WIFE @I2@\n1 CHIL @I1@\n0 @I2@ INDI\n1 DEAT\n2 DATE {day}")
    };
    assert!(!first(&parent("21 NOV 1915"), &rule));
    assert!(first(&parent("22 NOV 1915"), &rule));
}

/// A person without dates, with a child that `tie` links, a grandchild, and lines of these.
fn three_generations(tie: &str, of_child: &str, of_grandchild: &str) -> String {
    format!(
        "0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n{tie}0 @I2@ INDI\n1 FAMC @F1@\n\
         1 FAMS @F2@\n{of_child}0 @F2@ FAM\n1 WIFE @I2@\n1 CHIL @I3@\n0 @I3@ INDI\n1 FAMC @F2@\n{of_grandchild}0 NOTE x"
    )
}

#[test]
fn births_of_descendants_bound_a_birth_only_where_they_are_beyond_doubt() {
    let rule = LivingRule::on(2_461_367);
    let old = "1 BIRT\n2 DATE 1880\n";
    for (what, body, living) in [
        ("a child by birth", three_generations("", old, ""), false),
        ("a grandchild by birth", three_generations("", "", old), false),
        ("a tie by birth that is named", three_generations("2 _FREL Natural\n", old, ""), false),
        ("an adopted child", three_generations("2 _FREL Adopted\n", old, ""), true),
        ("a stepchild", three_generations("2 _FREL Step\n", old, ""), true),
        ("a child of a tie that is unknown", three_generations("2 _FREL Unknown\n", old, ""), true),
        ("a foster child", three_generations("2 _FREL Foster\n2 _MREL Foster\n", old, ""), true),
        ("an adopted child's child", three_generations("2 _FREL Adopted\n", "", old), true),
        ("a child's adopted child", three_generations("", "", &format!("{old}1 ADOP\n2 FAMC @F2@\n")), true),
        ("PEDI", three_generations("", "", old).replace("1 FAMC @F2@", "1 FAMC @F2@\n2 PEDI foster"), true),
        ("a child about then, at the latest", three_generations("", "1 BIRT\n2 DATE ABT 1922\n", ""), true),
        ("a child about then, before", three_generations("", "1 BIRT\n2 DATE ABT 1920\n", ""), false),
        ("a child before a day", three_generations("", "1 BIRT\n2 DATE BEF 1920\n", ""), false),
        ("a child after a day", three_generations("", "1 BIRT\n2 DATE AFT 1850\n", ""), true),
        ("a period without an end", three_generations("", "1 BIRT\n2 DATE FROM 1850\n", ""), true),
        ("a range that ends late", three_generations("", "1 BIRT\n2 DATE BET 1850 AND 1950\n", ""), true),
        ("two births of a child", three_generations("", &format!("{old}1 BIRT\n2 DATE 1980\n"), ""), true),
        ("a year that lost a digit", three_generations("", "1 BIRT\n2 DATE 188\n", ""), true),
        ("a day without a year", three_generations("", "1 BIRT\n2 DATE 5 JAN\n", ""), true),
        // The child is not the one whose birth it is: nor is it the child of this person then.
        ("a child who acts at 125", three_generations("", &format!("{old}1 RESI\n2 DATE 2005\n"), ""), true),
        ("a child who dies at 135", three_generations("", &format!("{old}1 DEAT\n2 DATE 2015\n"), ""), true),
        ("a child who dies at 90", three_generations("", &format!("{old}1 DEAT\n2 DATE 1970\n"), ""), false),
        ("a child with a child at 105", three_generations("", old, "1 BIRT\n2 DATE 1985\n"), true),
        (
            "a grandchild who acts at 125",
            three_generations("", "", &format!("{old}1 RESI\n2 DATE 2005\n")),
            true,
        ),
    ] {
        let lineage = lineage(&body);
        let person = lineage.find_person("I1").expect("a person");
        assert_eq!(person.may_be_living(&rule), living, "{what}: {body}");
    }
    // One child's date is wrong, and nobody knows which: the siblings are 105 years apart.
    let body = "0 @I1@ INDI\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n1 CHIL @I3@\n0 @I2@ INDI\n1 BIRT\n2 DATE 1880\n\
                0 @I3@ INDI\n1 BIRT\n2 DATE 1985\n0 NOTE x";
    assert!(lineage(body).find_person("I1").expect("a person").may_be_living(&rule));
}

#[test]
fn a_death_before_the_birth_does_not_count() {
    let rule = LivingRule::on(2_461_367);
    for (events, living) in [
        ("1 BIRT\n2 DATE 1990\n1 DEAT\n2 DATE 1850", true),
        ("1 BIRT\n2 DATE 1990\n1 DEAT Y\n2 DATE 1850\n2 PLAC Graz", true),
        ("1 BIRT\n2 DATE 1990\n1 BURI\n2 DATE 1850", true),
        ("1 BIRT\n2 DATE 1990\n1 DEAT\n2 DATE BEF 1850", true),
        ("1 BIRT\n2 DATE ABT 1990\n1 DEAT\n2 DATE 1850", true),
        ("1 BIRT\n2 DATE 1840\n1 BIRT\n2 DATE 1990\n1 DEAT\n2 DATE 1850", true),
        // The year of the birth may be wrong by a little.
        ("1 BIRT\n2 DATE ABT 1990\n1 DEAT\n2 DATE 1989", false),
        ("1 BIRT\n2 DATE 1990\n1 DEAT\n2 DATE 1990", false),
        ("1 BIRT\n2 DATE 2 MAR 1990\n1 DEAT\n2 DATE MAR 1990", false),
        ("1 BIRT\n2 DATE 1990\n1 DEAT\n2 DATE AFT 1850", false),
        ("1 BIRT\n2 DATE 1990\n1 DEAT Y", false),
        ("1 BIRT\n2 DATE 1990\n1 DEAT\n2 DATE 1850\n1 DEAT\n2 DATE 2010", false),
        // Whichever date is wrong, the person was born long ago.
        ("1 BIRT\n2 DATE 1850\n1 DEAT\n2 DATE 1840", false),
    ] {
        let lineage = lineage(&format!("0 @I1@ INDI\n{events}\n0 NOTE x"));
        let person = lineage.find_person("I1").expect("a person");
        assert_eq!(person.may_be_living(&rule), living, "{events}");
    }
}

#[test]
fn a_later_event_than_the_limit_allows_is_a_reason_of_its_own() {
    let mut rule = LivingRule::on(2_461_367);
    rule.within = 5;
    let lineage = lineage("0 @I1@ INDI\n1 BIRT\n2 DATE 1950\n1 RESI\n2 DATE 1975\n0 NOTE x");
    let person = lineage.find_person("I1").expect("a person");
    assert!(matches!(person.living_reason(&rule), Some(LivingReason::LaterSign { .. })));
    rule.within = 30;
    assert_eq!(person.living_reason(&rule), None);
    rule.within = 110;
    assert!(matches!(person.living_reason(&rule), Some(LivingReason::Born(_))));
}
