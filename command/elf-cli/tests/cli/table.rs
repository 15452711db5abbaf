//! `elf table`: columns, formats, guards, the order of files, and what is said of files that are not read.

use crate::shell::{file, json, run, run_with, status, stderr, stdout};
use serde_json::json;

/// A family with a name that opens like a formula, and a note of two lines.
const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME =Ada, or \"A\" /King/\n1 BIRT\n2 DATE BEF 1816\n\
    1 DEAT Y\n1 FAMC @F1@\n1 NOTE -a\tb\\c\n2 CONT d\n0 @I2@ INDI\n1 NAME George /Byron/\n1 SEX M\n1 FAMS @F1@\n\
    0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n1 MARR\n2 DATE 2 JAN 1815\n2 PLAC Seaham\n0 TRLR\n";

#[test]
fn columns_stand_in_the_promised_order() {
    for (table, columns) in [
        (
            "people",
            "file,id,name,given,surname,sex,birth,birth_from,birth_to,birth_place,death,death_from,death_to,death_place,\
             father,mother,spouses,children,prefix,suffix,nickname,other_names,living,sources,father_name,mother_name,\
             spouse_names,given_names,place_parts",
        ),
        (
            "families",
            "file,id,husband,wife,children,marriage,marriage_from,marriage_to,marriage_place,divorce",
        ),
        (
            "events",
            "file,record,type,tag,date,date_from,date_to,place,age,line,value,kind,address,cause,latitude,longitude,\
             sources",
        ),
        ("sources", "file,id,title,author,publication,repository,citations"),
        ("structures", "file,path,record,level,tag,type,payload,pointer,language,date_from,date_to,line"),
        ("places", "file,place,levels,latitude,longitude,events,first_line"),
    ] {
        let output = run_with(&["table", table, "-"], b"0 HEAD\n0 TRLR\n");
        let text = stdout(&output);
        assert_eq!((status(&output), text.lines().next()), (0, Some(columns)), "{}", stderr(&output));
    }
}

#[test]
fn places_have_a_row_for_each_spelling() {
    let file = b"0 HEAD\n1 PLAC\n2 FORM City, Country\n0 @I1@ INDI\n1 BIRT\n2 PLAC Ulm, Germany\n1 DEAT\n2 PLAC ulm\n\
        1 OCCU Miller\n2 PLAC\n0 @F1@ FAM\n1 MARR\n2 PLAC Ulm, Germany\n3 MAP\n4 LATI N48.4\n4 LONG E9.98\n\
        1 MARR\n2 PLAC Ulm, Germany\n3 MAP\n4 LATI N1\n4 LONG E1\n0 TRLR\n";
    let output = run_with(&["table", "places", "-"], file);
    let expected = "file,place,levels,latitude,longitude,events,first_line\r\n\
        -,\"Ulm, Germany\",Ulm;Germany,N48.4,E9.98,3,6\r\n-,ulm,ulm,,,1,8\r\n";
    assert_eq!((status(&output), &*stdout(&output)), (0, expected), "{}", stderr(&output));
    // A file of several runs has the same rows.
    let persons: String =
        (0..20_000).map(|n| format!("0 @P{n}@ INDI\n1 BIRT\n2 PLAC Ort {}\n", n % 7)).collect();
    let output = run_with(&["table", "places", "-"], format!("0 HEAD\n{persons}0 TRLR\n").as_bytes());
    let text = stdout(&output);
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!((rows.len(), rows[0], rows[6]), (7, "-,Ort 0,Ort 0,,,2858,4", "-,Ort 6,Ort 6,,,2857,22"));
}

#[test]
fn fields_are_quoted_escaped_and_guarded() {
    let people =
        |more: &[&str]| stdout(&run_with(&[&["table", "people", "-"], more].concat(), FAMILY.as_bytes()));
    let rows = "-,I1,\"=Ada, or \"\"A\"\" King\",\"=Ada, or \"\"A\"\"\",King,,BEF 1816,,1816-12-31,,,,,,I2,,,,,,A,,false,,\
        George Byron,,,=Ada;or;A,\r\n-,I2,George Byron,George,Byron,M,,,,,,,,,,,,I1,,,,,false,,,,,George,\r\n";
    assert!(people(&[]).ends_with(&["place_parts\r\n", rows].concat()), "{}", people(&[]));
    let guarded = people(&["--excel"]);
    assert!(guarded.starts_with("\u{FEFF}file,id"), "{guarded}");
    assert!(guarded.contains("\r\n'-,I1,\"'=Ada, or \"\"A\"\" King\",\"'=Ada"), "{guarded}");
    let structures = run_with(
        &["table", "structures", "--format", "tsv", "--stdin-filename", "a.ged", "-"],
        FAMILY.as_bytes(),
    );
    let text = stdout(&structures);
    let note = text.lines().find(|line| line.contains("/NOTE\t")).expect("a note");
    assert!(note.starts_with("a.ged\t@I1@/NOTE\tI1\t1\tNOTE\t"), "{note}");
    assert!(note.contains("\t-a\\tb\\\\c\\nd\t\t\t\t\t9"), "{note}");
}

#[test]
fn json_has_all_columns_with_their_kinds() {
    let rows = |table| json(&run_with(&["table", table, "--format", "json", "-"], FAMILY.as_bytes()));
    assert_eq!(
        rows("families"),
        [json!({
            "file": "-", "id": "F1", "husband": ["I2"], "wife": [], "children": ["I1"], "marriage": "2 JAN 1815",
            "marriage_from": "1815-01-02", "marriage_to": "1815-01-02", "marriage_place": "Seaham", "divorce": null
        })]
    );
    let events = rows("events");
    assert_eq!(events.len(), 3);
    assert_eq!(
        events[2],
        json!({
            "file": "-", "record": "F1", "type": "https://terms.fhiso.org/elf/MARRIAGE", "tag": "MARR",
            "date": "2 JAN 1815", "date_from": "1815-01-02", "date_to": "1815-01-02", "place": "Seaham", "age": null,
            "line": 18, "value": null, "kind": null, "address": null, "cause": null, "latitude": null,
            "longitude": null, "sources": []
        })
    );
}

#[test]
fn what_is_printed_does_not_depend_on_the_number_of_threads() {
    let files = [file("family.ged"), file("examples.ged"), file("broken.ged"), file("shoes.ged")];
    for table in ["people", "structures"] {
        let printed = |jobs: &str| {
            let files = files.iter().map(String::as_str);
            let output =
                run(&["table", table, "--jobs", jobs].into_iter().chain(files).collect::<Vec<&str>>());
            (status(&output), output.stdout)
        };
        assert_eq!(printed("1"), printed("3"));
        assert!(printed("1").1.len() > 300);
    }
}

#[test]
fn a_reading_that_the_rules_end_is_told() {
    let file = b"0 HEAD\n1 ELF 1.0.0\n1 CHAR UTF-8\n0 @I1@ INDI\n3 NAME A\n0 @I2@ INDI\n0 TRLR\n";
    let output = run_with(&["table", "people", "--rules", "2019-12", "-"], file);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("reading of - stopped early at line 5 (E0"), "{}", stderr(&output));
    let output = run(&["table", "people", "no-such.ged", &crate::shell::file("family.ged")]);
    assert_eq!((status(&output), stdout(&output).lines().count()), (2, 2));
    assert!(stderr(&output).contains("cannot read `no-such.ged`"), "{}", stderr(&output));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_one() {
    let output = run_with(&["table", "people", "--format", "parquet", "-"], FAMILY.as_bytes());
    assert_eq!((status(&output), stdout(&output)), (2, String::new()));
    assert!(stderr(&output).contains("--features parquet"), "{}", stderr(&output));
}

#[test]
fn a_guard_against_formulas_is_for_spreadsheets() {
    let output = run_with(&["table", "people", "--excel", "--format", "json", "-"], FAMILY.as_bytes());
    assert_eq!((status(&output), stdout(&output)), (2, String::new()));
}

#[test]
fn the_first_event_that_says_something_counts_and_dates_are_taken_as_meant() {
    let input = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n1 BIRT\n2 DATE 11 Feb 1731\n1 BIRT\n2 DATE 1800\n1 DEAT\n\
        2 PLAC Rome\n1 DEAT\n2 DATE 1750\n0 @F1@ FAM\n1 DIV\n2 PLAC Reno\n0 TRLR\n";
    let people = run_with(&["table", "people", "-"], input.as_bytes());
    let row = "-,I1,,,,,11 Feb 1731,1731-02-11,1731-02-11,,,,,Rome,,,,,,,,,false,,,,,,Rome\r\n";
    assert!(stdout(&people).ends_with(row), "{}", stdout(&people));
    let damaged =
        run_with(&["table", "people", "-"], b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n3 SEX M\n0 TRLR\n");
    let told = stderr(&damaged);
    assert!(
        status(&damaged) == 0 && told.contains("the input has 1 problem: `elf check -` shows them"),
        "{told}"
    );
    assert_eq!(status(&people), 0);
    let families = run_with(&["table", "families", "-"], input.as_bytes());
    assert!(stdout(&families).ends_with("-,F1,,,,,,,,Y\r\n"), "{}", stdout(&families));
    // The pointer to nothing is one in GEDCOM 7 only.
    let sources = |header: &str| {
        let input = format!("0 HEAD\n1 {header}\n0 @S1@ SOUR\n1 REPO @VOID@\n0 TRLR\n");
        stdout(&run_with(&["table", "sources", "-"], input.as_bytes()))
    };
    assert!(sources("GEDC\n2 VERS 7.0").ends_with("-,S1,,,,,0\r\n"));
    assert!(sources("CHAR UTF-8").ends_with("-,S1,,,,VOID,0\r\n"));
}

#[test]
fn relatives_are_listed_or_said_to_be_missing() {
    let family = |partners: usize| {
        let people = |line: &dyn Fn(usize) -> String| (0..partners).map(line).collect::<String>();
        let input = format!(
            "0 HEAD\n1 CHAR UTF-8\n0 @C@ INDI\n1 FAMC @F@\n{}0 @F@ FAM\n{}1 CHIL @C@\n0 TRLR\n",
            people(&|number| format!("0 @P{number}@ INDI\n1 FAMS @F@\n")),
            people(&|number| format!("1 HUSB @P{number}@\n")),
        );
        run_with(&["table", "people", "--format", "json", "-"], input.as_bytes())
    };
    let (twenty, crowd) = (family(20), family(101));
    let rows = json(&twenty);
    assert_eq!(rows[0]["father"].as_array().map(Vec::len), Some(20));
    assert_eq!(rows[20]["children"], json!(["C"]));
    let told = stderr(&crowd);
    assert!(status(&crowd) == 1 && told.contains("relatives are missing in 102 rows of -"), "{told}");
}

#[test]
fn pointers_that_link_nobody_are_counted() {
    // F9 is not there, I1 is no family, and I2 stands twice; a source links nobody either way.
    let input = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMS @F1@\n1 FAMC @F9@\n1 SOUR @S9@\n0 @I2@ INDI\n1 FAMC @I1@\n\
        0 @I2@ INDI\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n0 TRLR\n";
    let told = "note: the rows lack 3 relatives, because pointers between people and families are unresolved, ambiguous or of the wrong type\n";
    // Enough notes for several runs.
    let long =
        input.replace("0 TRLR", &format!("{}0 TRLR", "0 NOTE of no meaning for this\n".repeat(300_000)));
    for input in [input, &long] {
        for table in ["people", "families"] {
            let output = run_with(&["table", table, "-"], input.as_bytes());
            assert_eq!((status(&output), stderr(&output).as_str()), (0, told), "{table}");
        }
        let output = run_with(&["table", "sources", "-"], input.as_bytes());
        assert_eq!(
            stderr(&output),
            "note: the input has 2 problems: `elf check -` shows them\n",
            "of sources all count that are problems"
        );
    }
    let void = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @VOID@\n0 TRLR\n";
    let output = run_with(&["table", "families", "-"], void.as_bytes());
    assert!(status(&output) == 0 && !stderr(&output).contains("pointer"), "{}", stderr(&output));
}

#[test]
fn identifiers_in_a_list_can_be_told_apart() {
    let input = "0 HEAD\n1 CHAR UTF-8\n0 @A;B@ INDI\n1 FAMC @F@\n0 @C@ INDI\n1 FAMC @F@\n0 @F@ FAM\n1 CHIL @A;B@\n1 CHIL @C@\n0 TRLR\n";
    let output = run_with(&["table", "families", "-"], input.as_bytes());
    assert!(stdout(&output).ends_with("\r\n-,F,,,A\\;B;C,,,,,\r\n"), "{}", stdout(&output));
    let output = run_with(&["table", "families", "--format", "json", "-"], input.as_bytes());
    assert_eq!(json(&output)[0]["children"], json!(["A;B", "C"]));
    let output = run_with(&["table", "people", "-"], input.as_bytes());
    assert!(stdout(&output).contains("\r\n-,A;B,"), "{}", stdout(&output));
}

#[test]
fn an_older_table_stays_where_nothing_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("people.csv");
    std::fs::write(&out, "of yesterday").expect("a file");
    let path = out.to_str().expect("a path");
    let output = run(&["table", "people", "no-such.ged", "-o", path]);
    assert_eq!((status(&output), std::fs::read_to_string(&out).expect("it").as_str()), (2, "of yesterday"));
    let output = run(&["table", "events", "no-such.ged", &crate::shell::file("family.ged"), "-o", path]);
    assert_eq!(status(&output), 2);
    let written = std::fs::read_to_string(&out).expect("a table");
    assert!(written.starts_with("file,record,type,"), "{written}");
    let empty = run_with(&["table", "sources", "-"], b"0 HEAD\n0 TRLR\n");
    assert_eq!(stdout(&empty).lines().count(), 1, "a table without rows has its header");
}
