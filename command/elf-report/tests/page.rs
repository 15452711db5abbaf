//! The page on a family: who is shown, who is hidden, and what findings quote.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_base::Rules;
use elf_check::config::Choice;
use elf_check::{Check, Keep};
use elf_lineage::{LivingRule, QuestionOptions};
use elf_report::page::{FileReport, PeopleOptions, ReportSettings, report_html};
use elf_schema::ReadOptions;

/// 2026-11-22.
const TODAY: i64 = 2_461_367;

/// A grandmother who is dead, her son who is dead, and a grandchild who is living and has bad dates.
const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /King/\n2 _MARNM Lovelace\n1 BIRT\n\
    2 DATE 10 DEC 1815\n2 PLAC London\n2 SOUR @S1@\n3 PAGE 12\n1 OCCU Countess\n1 DEAT\n2 DATE 27 NOV 1852\n\
    1 NOTE She wrote\n2 CONT the first program.\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Byron /King/\n1 BIRT\n\
    2 DATE 1836\n1 DEAT Y\n1 FAMC @F1@\n1 FAMS @F2@\n0 @I3@ INDI\n1 NAME Secret /Livingstone/\n1 BIRT\n\
    2 DATE 31 FEB 1990\n2 PLAC Hiddenham\n1 NOTE A private matter\n1 FAMC @F2@\n0 @F1@ FAM\n1 WIFE @I1@\n\
    1 MARR\n2 DATE 8 JUL 1835\n2 PLAC Ockham\n1 CHIL @I2@\n0 @F2@ FAM\n1 HUSB @I2@\n1 CHIL @I3@\n\
    0 @S1@ SOUR\n1 TITL Register of births\n1 AUTH Parish\n0 TRLR\n";

fn html(file: &str, people: Option<PeopleOptions>) -> String {
    let check = Check {
        rules: &Rules::WILD,
        options: ReadOptions::default().with_check_values(true),
        against: None,
        each_undefined: false,
        facts: Some(QuestionOptions::on(TODAY)),
        choice: Choice::default(),
        keep: Keep::Nothing,
    };
    let settings = ReportSettings::new(check).with_people(people);
    let report = FileReport::read("family.ged", file.as_bytes(), &settings).unwrap();
    report_html(&[report], Some(TODAY))
}

fn hiding() -> Option<PeopleOptions> {
    Some(PeopleOptions::hiding_living(LivingRule::on(TODAY)))
}

#[test]
fn relatives_read_of_everybody_who_is_not_hidden() {
    let page = html(FAMILY, hiding());
    for words in [
        "<h2>People</h2>",
        "3 people and 2 families.",
        "1 person who may be living is hidden",
        "<a href=\"#f1-p1\"><bdi>King, Ada</bdi></a>",
        "id=\"f1-p1\"",
        "Lovelace",
        "Countess",
        "<dt><bdi>Birth</bdi></dt><dd><bdi>10 DEC 1815</bdi>, <bdi>London</bdi>",
        "<a href=\"#f1-s1\"><bdi>Register of births</bdi></a>, <bdi>12</bdi>",
        "<p dir=\"auto\">the first program.</p>",
        "Children: <a href=\"#f1-p2\">",
        "<dt><bdi>Marriage</bdi></dt>",
        "Ockham",
        "id=\"f1-s1\"",
        "class=\"elf-chart\"",
        "<a href=\"#f1-p2\"><g class=\"box person",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    for hidden in ["Livingstone", "Hiddenham", "private matter", "31 FEB", "id=\"f1-p3\"", "href=\"#f1-p3\""]
    {
        assert!(!page.contains(hidden), "{hidden}: {page}");
    }
    assert!(page.contains("in a part about people who may be living"), "the finding is counted: {page}");
}

#[test]
fn living_people_are_shown_where_that_is_wanted() {
    let page = html(FAMILY, Some(PeopleOptions::everybody()));
    assert!(
        page.contains("Secret Livingstone") && page.contains("Hiddenham") && page.contains("31 FEB 1990")
    );
    assert!(!page.contains("may be living"));
    let page = html(FAMILY, None);
    assert!(!page.contains("<h2>People</h2>") && !page.contains("Countess") && page.contains("31 FEB 1990"));
}

#[test]
fn a_question_that_names_a_hidden_person_loses_its_words() {
    // The mother is dead; her child, who is hidden, was born after her death.
    let file = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Old /Mother/\n1 SEX F\n1 BIRT\n2 DATE 1900\n1 DEAT\n2 DATE 1950\n\
        0 @I2@ INDI\n1 NAME Secret /Livingstone/\n1 BIRT\n2 DATE 1980\n0 @F1@ FAM\n1 WIFE @I1@\n1 CHIL @I2@\n0 TRLR\n";
    assert!(html(file, Some(PeopleOptions::everybody())).contains("Livingstone"));
    let page = html(file, hiding());
    assert!(page.contains("Old Mother") && !page.contains("Livingstone"), "{page}");
    assert!(page.contains("in a part about people who may be living"), "{page}");
}

#[test]
fn a_file_that_cannot_be_redacted_shows_nobody() {
    // Lines that no rule takes make it unclear whom they are about.
    let file = FAMILY.replace("0 @F1@ FAM", "not a line at all\n0 @F1@ FAM");
    let page = html(&file, hiding());
    if !page.contains("id=\"f1-p1\"") {
        assert!(page.contains("living people cannot be hidden"), "{page}");
    }
    assert!(!page.contains("Livingstone") && !page.contains("Hiddenham"), "{page}");
}

#[test]
fn the_page_has_all_findings_up_to_many() {
    let many = |count: usize| {
        let lines: String =
            (0..count).map(|number| format!("1 BIRT\n2 DATE {} FEB 1800\n", 30 + number % 2)).collect();
        let file = format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /King/\n1 DEAT Y\n{lines}0 TRLR\n");
        html(&file, None)
    };
    let page = many(20);
    assert_eq!(page.matches("FEB 1800</code>").count(), 20, "{page}");
    assert!(page.contains("<summary>17 more</summary>") && !page.contains("not on this page"));
    let page = many(250);
    assert!(page.contains("50 more are not on this page"), "{page}");
    assert!(page.contains("<code>elf check --all --select E0602</code>"), "{page}");
}

#[test]
fn many_people_take_linear_time() {
    let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
    let count = 4000;
    for number in 0..count {
        file.push_str(&format!(
            "0 @I{number}@ INDI\n1 NAME Person /Same/\n1 BIRT\n2 DATE 1700\n2 PLAC One place\n1 DEAT Y\n"
        ));
    }
    // One family of everybody.
    file.push_str("0 @F1@ FAM\n1 HUSB @I0@\n");
    (1..count).for_each(|number| file.push_str(&format!("1 CHIL @I{number}@\n")));
    file.push_str("0 TRLR\n");
    let page = html(&file, hiding());
    assert!(page.len() < 3000 * count, "{}", page.len());
}
