//! People who may be living do not leave the server, through any tool.

use crate::{FAMILY, Served, ask, fail, serve_files};
use elf_mcp::Session;
use elf_tests::generate::{Mention, living_family};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;

/// Calls each tool in many ways, and returns all answers and errors as one text.
fn everything(session: &mut Session) -> String {
    let mut calls: Vec<(&str, Value)> = vec![
        ("file_info", json!({})),
        ("find_people", json!({})),
        ("find_people", json!({ "name": "strauss" })),
        ("find_people", json!({ "name": "private" })),
        ("find_people", json!({ "place": "q" })),
        ("find_people", json!({ "place": "q", "event": "birth" })),
        ("find_people", json!({ "place": "q", "event": "marriage" })),
        ("find_people", json!({ "name": "q" })),
        ("places", json!({})),
        ("findings", json!({})),
        ("findings", json!({ "kind": "questions" })),
        ("statistics", json!({})),
        ("duplicates", json!({ "at_least": 0.0 })),
        ("kinship", json!({ "a": "I0", "b": "I1" })),
        ("search_notes", json!({ "text": "qliving" })),
        (
            "search_notes",
            json!({ "text": "q", "tags": ["NAME", "SURN", "PLAC", "NOTE", "TITL", "RELA", "PAGE", "_STAT"] }),
        ),
        ("lines", json!({ "from": 1 })),
        (
            "propose_replacement",
            json!({ "reason": "x", "tags": ["NAME", "NOTE", "PLAC"], "from": "qliving", "to": "b" }),
        ),
        (
            "propose_replacement",
            json!({ "reason": "x", "tags": ["NAME", "NOTE", "PLAC"], "from": "qdead", "to": "b" }),
        ),
        (
            "propose_replacement",
            json!({ "reason": "x", "tags": ["NAME", "NOTE", "PLAC", "plac"], "from": "QLIVIN", "to": "b" }),
        ),
        ("changes", json!({})),
    ];
    for number in 0..12 {
        let (person, family) = (format!("@I{number}@"), format!("@F{number}@"));
        calls.push(("person", json!({ "id": person })));
        calls
            .push(("kinship", json!({ "a": person, "b": format!("@I{}@", (number + 4) % 12), "limit": 10 })));
        calls.push(("findings", json!({ "record": person })));
        calls.push(("tree", json!({ "id": person, "up": 9, "down": 9 })));
        calls.push(("duplicates", json!({ "id": person, "at_least": 0.0 })));
        calls.push(("lines", json!({ "record": person })));
        calls.push(("lines", json!({ "path": format!("{person}/NOTE[*]") })));
        calls.push(("family", json!({ "id": family })));
        for record in ["N", "S", "R", "O"] {
            calls.push(("lines", json!({ "record": format!("@{record}{number}@") })));
        }
        let edits = json!([{ "op": "set", "path": format!("{person}/NAME"), "value": "A /B/" }]);
        calls.push(("propose_edits", json!({ "reason": "x", "edits": edits })));
        calls
            .push(("propose_edits", json!({ "reason": "x", "edits": [{ "op": "remove", "path": person }] })));
        for (record, kind) in
            [(&person, "death"), (&person, "marriage"), (&family, "birth"), (&family, "marriage")]
        {
            calls.push(("propose_fact", json!({ "reason": "x", "record": record, "kind": kind })));
        }
        calls.push(("changes", json!({ "number": number })));
        let merge = json!({ "reason": "x", "keep": person, "remove": format!("@I{}@", (number + 3) % 10) });
        calls.push(("propose_merge", merge));
        let merge = json!({ "reason": "x", "keep": family, "remove": format!("@F{}@", (number + 1) % 4) });
        calls.push(("propose_merge", merge));
    }
    let mut text = String::new();
    for (tool, arguments) in calls {
        let mut arguments = arguments;
        loop {
            let (answer, next) = match session.call(tool, arguments.clone()) {
                Ok(answer) => (answer.to_string(), answer["next_cursor"].clone()),
                Err(error) => (error, Value::Null),
            };
            let _ = writeln!(text, "{tool} {arguments}: {answer}");
            if next.is_null() {
                break;
            }
            arguments["cursor"] = next;
        }
    }
    text
}

#[test]
fn a_living_person_is_hidden_and_cannot_be_changed() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let person = ask(&mut session, "person", json!({ "id": "@I4@" }));
    assert_eq!((&person["person"]["hidden"], &person["facts"]), (&json!(true), &json!([])));
    assert_eq!(person["parents"][0]["id"], "@I3@");
    for word in ["Strauss", "Max", "Graz", "1990", "trains"] {
        assert!(!everything(&mut session).contains(word), "{word}");
    }
    for edits in [
        json!([{ "op": "set", "path": "@I4@/NAME", "value": "A" }]),
        json!([{ "op": "insert", "under": "@I4@", "tag": "DEAT", "value": "Y" }]),
        json!([{ "op": "remove", "path": "@I4@" }]),
        json!([{ "op": "set", "path": "@S1@/NOTE", "value": "A" }]),
    ] {
        let message = fail(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
        assert!(message.contains("which are hidden"), "{edits}: {message}");
    }
    for (keep, remove) in [("@I4@", "@I2@"), ("@I2@", "@I4@")] {
        let merge = json!({ "reason": "x", "keep": keep, "remove": remove });
        assert!(fail(&mut session, "propose_merge", merge).contains("which are hidden"), "{keep} {remove}");
    }
    let shown = ask(&mut served.with(|options| options.with_living(true)), "person", json!({ "id": "@I4@" }));
    assert_eq!(
        (&shown["person"]["name"], &shown["person"]["birth"]),
        (&json!("Max Strauss"), &json!("1990"))
    );
}

#[test]
fn a_refused_merge_says_nothing_about_a_hidden_record() {
    // Max, who may be living, is a child in one family and a partner in the other one.
    let file = FAMILY.replace("1 FAMC @F2@\n", "1 FAMC @F2@\n1 FAMS @F9@\n");
    let file = file.replace("0 @S1@ SOUR", "0 @F9@ FAM\n1 WIFE @I3@\n0 @S1@ SOUR");
    let served = Served::new(&file);
    let merge = json!({ "reason": "x", "keep": "@F2@", "remove": "@F9@" });
    let message = fail(&mut served.editing(), "propose_merge", merge.clone());
    assert!(message.contains("which are hidden"), "{message}");
    assert!(!message.contains("I4") && !message.contains("FAM"), "{message}");
    let mut session = served.with(|options| options.with_living(true).with_edits(true));
    let message = fail(&mut session, "propose_merge", merge);
    assert!(message.contains("`@I4@` has one of them as FAMC and the other one as FAMS"), "{message}");
    // The same for a pointer from one record to the other that is not shown.
    let file = FAMILY.replace("1 OCCU Weaver\n", "1 OCCU Weaver\n2 RESN confidential\n2 _SEE @I3@\n");
    let file = file.replace("1 DEAT Y\n1 FAMC @F1@\n", "1 DEAT Y\n").replace("1 CHIL @I3@\n", "");
    let served = Served::new(&file);
    let merge = json!({ "reason": "x", "keep": "@I3@", "remove": "@I1@" });
    let lines = ask(&mut served.editing(), "lines", json!({ "record": "@I1@" })).to_string();
    let message = fail(&mut served.editing(), "propose_merge", merge);
    assert_eq!(message.contains("_SEE"), lines.contains("_SEE"), "{message}\n{lines}");
}

#[test]
fn what_is_told_of_changes_hides_the_living_too() {
    let served = Served::new(FAMILY);
    let mut session = served.with(|options| options.with_living(true).with_edits(true));
    let edits = json!([{ "op": "set", "path": "@I4@/NAME", "value": "Moritz /Strauss/" }]);
    let proposed =
        ask(&mut session, "propose_edits", json!({ "reason": "Moritz Strauss told me", "edits": edits }));
    ask(&mut session, "apply_proposal", json!({ "number": proposed["number"] }));
    let mut hiding = served.editing();
    assert!(!everything(&mut hiding).contains("Moritz"));
    let message = fail(&mut hiding, "undo", json!({ "number": proposed["number"] }));
    assert!(!message.contains("Moritz"), "{message}");
    ask(&mut session, "undo", json!({ "number": proposed["number"] }));
    assert_eq!(served.bytes(), FAMILY.as_bytes());
}

#[test]
fn nothing_new_refers_to_a_hidden_record() {
    // Nothing refers to S2. Only Max, who may be living, refers to S3.
    let file = FAMILY.replace("2 PLAC Graz\n", "2 PLAC Graz\n2 SOUR @S3@\n");
    let file =
        file.replace("0 TRLR", "0 @S2@ SOUR\n1 TITL Orphansecret\n0 @S3@ SOUR\n1 TITL Livingsecret\n0 TRLR");
    let served = Served::new(&file);
    let mut session = served.editing();
    let edits_to = |target: &str| {
        [
            json!([{ "op": "insert", "under": "@I1@", "tag": "SOUR", "value": target }]),
            json!([{ "op": "set", "path": "@I1@/BIRT/SOUR", "value": target }]),
            json!([{ "op": "insert", "under": "HEAD", "tag": "SUBM", "value": target }]),
            json!([
                { "op": "insert", "id": "S7", "tag": "SOUR" },
                { "op": "insert", "under": "@S7@", "tag": "NOTE", "value": target },
                { "op": "insert", "under": "@I1@", "tag": "SOUR", "value": "@S7@" }
            ]),
        ]
    };
    let mut refuse = |target: &str, part: &str| {
        for edits in edits_to(target) {
            let message = fail(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
            assert!(message.contains(part), "{edits}: {message}");
        }
        let fact = json!({ "reason": "x", "record": "@I1@", "kind": "census", "source": target });
        let message = fail(&mut session, "propose_fact", fact);
        assert!(message.contains(part), "{target}: {message}");
    };
    for target in ["@S2@", "@S3@", "@S99@"] {
        refuse(target, &format!("no record has the identifier `{target}`"));
    }
    refuse("@I4@", "`@I4@` is hidden and would need a link back: this would change lines");
    let edits = json!([
        { "op": "insert", "id": "S7", "tag": "SOUR" },
        { "op": "insert", "under": "@S7@", "tag": "TITL", "value": "Register" },
        { "op": "insert", "under": "@I2@", "tag": "SOUR", "value": "@S7@" },
        { "op": "insert", "under": "@I2@", "tag": "SOUR", "value": "@S1@" }
    ]);
    ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
    let mut session = served.with(|options| options.with_living(true).with_edits(true));
    for edits in edits_to("@S2@") {
        ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
    }
}

#[test]
fn a_change_that_would_show_a_text_is_refused() {
    // The notes are hidden, because Eva may have the surname of her husband.
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Eva /Qliving/\n1 BIRT\n2 DATE 1990\n1 FAMS @F1@\n\
        0 @I2@ INDI\n1 NAME Otto /Lind/\n1 DEAT\n2 DATE 2020\n1 FAMS @F1@\n1 NOTE {NOTE}\n\
        0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n0 @N1@ NOTE {RECORD}\n0 TRLR\n";
    let edits = json!([{ "op": "set", "path": "@I2@/NAME", "value": "Otto /Berg/" }]);
    for (note, record) in [("Told by Eva Lind", "x"), ("@N1@", "Told by Eva Lind")] {
        let text = text.replace("{NOTE}", note).replace("{RECORD}", record);
        let served = Served::new(&text);
        let mut session = served.editing();
        let edit = json!([{ "op": "insert", "under": "@I2@", "tag": "OCCU", "value": "Weaver" }]);
        ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edit }));
        let message = fail(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
        assert!(message.contains("something that is hidden would be shown"), "{message}");
        // A hidden text itself cannot be changed.
        let path = if record == "x" { "@I2@/NOTE" } else { "@N1@" };
        let edits = json!([{ "op": "set", "path": path, "value": "Told by Eva" }]);
        let message = fail(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
        assert!(message.contains("which are hidden"), "{message}");
        assert_eq!(served.bytes(), text.as_bytes());
    }
}

#[test]
fn a_change_that_would_show_a_text_in_another_file_is_refused() {
    let couple = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Eva /Qliving/\n1 BIRT\n2 DATE 1990\n1 FAMS @F1@\n\
        0 @I2@ INDI\n1 NAME Otto /Lind/\n1 DEAT\n2 DATE 2020\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n\
        0 TRLR\n";
    let notes =
        "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Karl /Stern/\n1 DEAT Y\n1 NOTE Told by Eva Lind\n0 TRLR\n";
    let files = [("couple.ged", couple), ("notes.ged", notes)];
    let (_folder, mut session) = serve_files(&files, |options| options.with_edits(true));
    let replacement =
        json!({ "file": "couple.ged", "reason": "x", "tags": ["NAME"], "from": "Lind", "to": "Berg" });
    let message = fail(&mut session, "propose_replacement", replacement);
    assert!(message.contains("texts in other files"), "{message}");
    for edit in [
        json!([{ "op": "set", "path": "@I2@/NAME", "value": "Otto /Berg/" }]),
        json!([{ "op": "remove", "path": "@I2@/NAME" }]),
    ] {
        let edits = json!({ "file": "couple.ged", "reason": "x", "edits": edit });
        let message = fail(&mut session, "propose_edits", edits);
        assert!(message.contains("texts in other files"), "{message}");
    }
    let edit = json!([{ "op": "insert", "under": "@I2@", "tag": "OCCU", "value": "Weaver" }]);
    ask(&mut session, "propose_edits", json!({ "file": "couple.ged", "reason": "x", "edits": edit }));
}

#[test]
fn a_change_that_was_made_with_the_living_is_not_undone_without_them() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Eva /Qliving/\n1 BIRT\n2 DATE 1850\n0 TRLR\n";
    let served = Served::new(text);
    let mut session = served.with(|options| options.with_edits(true).with_living(true));
    let edits = json!([{ "op": "insert", "under": "@I1@", "tag": "RESN", "value": "confidential" }]);
    let proposal = ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
    ask(&mut session, "apply_proposal", json!({ "number": proposal["number"] }));
    let message = fail(&mut served.editing(), "undo", json!({ "number": proposal["number"] }));
    assert!(message.contains("start the server with `--living`"), "{message}");
    let mut session = served.with(|options| options.with_edits(true).with_living(true));
    ask(&mut session, "undo", json!({ "number": proposal["number"] }));
    assert_eq!(served.bytes(), text.as_bytes());
}

#[test]
fn a_change_that_would_show_someone_is_refused() {
    // Nobody knows when Paul was born, unless his child was born long ago.
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Paul /Stern/\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Eva /Stern/\n\
        1 BIRT\n2 DATE 1850\n1 DEAT Y\n0 @I3@ INDI\n1 NAME Ida /Lind/\n1 DEAT Y\n1 FAMC @F1@\n\
        0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I3@\n0 TRLR\n";
    let served = Served::new(text);
    let mut session = served.editing();
    let fact = json!({ "reason": "x", "record": "@I3@", "kind": "birth", "date": "1700" });
    let message = fail(&mut session, "propose_fact", fact);
    assert!(message.contains("no longer count as living"), "{message}");
    assert_eq!(served.bytes(), text.as_bytes());
}

/// A file in which the living carry the word `qliving` in every text. The number chooses where else a name is told.
fn made_case(number: usize) -> String {
    let texts = ["Jo7 qliving", "QLIVING, Jo8", "Jo6 /qliving/", "J. Qliving", "<b>Jo7</b> Qliving"];
    let mention = Mention { text: texts[number % 5], number: number / 5 };
    damaged(&living_family(Some(mention)).join("\n"), number)
}

/// Damages a line of every second file, in ways that a reading can tell.
fn damaged(text: &str, number: usize) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = number * 7919 % lines.len();
    let people = lines.iter().position(|line| line.starts_with("0 @F0@")).expect("a family");
    let (level, rest) =
        lines[at].split_once(' ').map(|(level, rest)| (level.to_owned(), rest.to_owned())).expect("a line");
    match number % 12 {
        1 => lines.insert(at, lines[at].clone()),
        3 => lines[at] = format!("{} {rest}", level.parse::<u32>().unwrap_or(0) + 1),
        // Nobody knows the name of a person whose record is cut off.
        5 => lines.truncate(at.max(people) + 1),
        7 => lines[at] = lines[at].to_lowercase(),
        9 => lines[at] = lines[at].replacen(' ', "", 1),
        11 => lines.insert(at, "0 HEAD".to_owned()),
        _ => {}
    }
    lines.join("\n") + "\n"
}

#[test]
fn no_name_of_the_living_leaves_the_server_in_200_cases() {
    for number in 0..200 {
        let case = made_case(number);
        let served = Served::new(&case);
        let answers = everything(&mut served.editing());
        // The word that a caller sends comes back in errors.
        let answers = answers.replace("\"text\":\"qliving\"", "").replace("\"from\":\"qliving\"", "");
        let leak = answers.lines().find(|line| line.to_lowercase().contains("qliving"));
        let lost = Served::new(&case).session().call("file_info", json!({})).map(|info| info.to_string());
        assert!(leak.is_none(), "case {number}: {leak:?}\n{lost:?}\n{case}");
        if number % 2 == 0 {
            assert!(
                answers.contains("qdead") && answers.contains("\"hidden_people\":3"),
                "case {number}: {answers}"
            );
        }
    }
}

#[test]
fn people_who_are_hidden_in_one_file_are_not_named_by_another_one() {
    let other = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n1 NOTE godfather of Max Strauss\n\
        1 NOTE call 0664 1234567\n1 OCCU Weaver\n0 TRLR\n";
    let family = FAMILY.replace("2 DATE 1990", "2 DATE 1990\n1 PHON +43 664/123 45 67");
    let (folder, mut session) =
        crate::serve_files(&[("a.ged", other), ("b.ged", &family)], |options| options.with_edits(true));
    let lines = |session: &mut Session, file: &str| {
        ask(session, "lines", json!({ "file": file, "from": 1 })).to_string()
    };
    let text = lines(&mut session, "a.ged");
    assert!(!text.contains("Max") && !text.contains("1234567") && text.contains("Weaver"), "{text}");
    let note = json!([{ "op": "set", "path": "@I1@/NOTE[1]", "value": "x" }]);
    let message =
        fail(&mut session, "propose_edits", json!({ "file": "a.ged", "reason": "x", "edits": note }));
    assert!(message.contains("which are hidden"), "{message}");
    // What changes in one file counts for the other one, and for what was proposed before.
    let occupation = json!([{ "op": "set", "path": "@I1@/OCCU", "value": "Miller" }]);
    let proposed =
        ask(&mut session, "propose_edits", json!({ "file": "a.ged", "reason": "x", "edits": occupation }));
    std::fs::write(folder.path().join("b.ged"), family.replace("Max /Strauss/", "Weaver")).expect("written");
    let text = lines(&mut session, "a.ged");
    assert!(text.contains("Max Strauss") && !text.contains("Weaver"), "{text}");
    let message = fail(&mut session, "apply_proposal", json!({ "number": proposed["number"] }));
    assert!(message.contains("which are hidden"), "{message}");
    // A file that is gone does not show whom it hid.
    std::fs::remove_file(folder.path().join("b.ged")).expect("removed");
    assert!(!lines(&mut session, "a.ged").contains("Weaver"));
    let (_folder, mut session) =
        crate::serve_files(&[("a.ged", other), ("b.ged", &family)], |options| options.with_living(true));
    assert!(lines(&mut session, "a.ged").contains("Max Strauss"));
}

#[test]
fn reasons_in_the_journal_do_not_name_the_hidden() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let edits = json!([{ "op": "set", "path": "@I1@/OCCU", "value": "Miller" }]);
    let proposed =
        ask(&mut session, "propose_edits", json!({ "reason": "Max Strauss told me", "edits": edits }));
    ask(&mut session, "apply_proposal", json!({ "number": proposed["number"] }));
    let changes = ask(&mut served.editing(), "changes", json!({}));
    assert!(!changes.to_string().contains("Max"), "{changes}");
    assert!(changes["changes"][0]["summary"].as_str().expect("a text").contains("is hidden"), "{changes}");
}

#[test]
fn names_of_a_file_that_cannot_be_read_stay_hidden() {
    let other = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Eva /Qliving/\n1 BIRT\n2 DATE 1990\n0 TRLR\n";
    let one = FAMILY.replace("Her loom is in the museum.", "Told by Eva Qliving.");
    let seen =
        |session: &mut Session| ask(session, "person", json!({ "id": "@I1@", "file": "a.ged" })).to_string();
    let (folder, mut session) = serve_files(&[("a.ged", &one), ("b.ged", other)], |options| options);
    let path = folder.path().join("b.ged");
    assert!(!seen(&mut session).contains("Qliving"));
    // Another program is writing the file.
    fs::write(&path, "").expect("written");
    let text = seen(&mut session);
    assert!(text.contains("Anna") && !text.contains("Qliving"), "{text}");
    // The beginning of the file can be read, but the names are not there yet.
    fs::write(&path, "0 HEAD\n1 CHAR UTF-8\n0 @I2@ INDI\n1 NAME Otto /Lind/\n1 DEAT 1900\n")
        .expect("written");
    assert!(!seen(&mut session).contains("Qliving"));
    // The whole file has another person.
    fs::write(&path, other.replace("Qliving", "Other")).expect("written");
    assert!(seen(&mut session).contains("Qliving"));
    // A server that never knew the names shows nothing.
    let (_folder, mut session) = serve_files(&[("a.ged", &one), ("b.ged", "")], |options| options);
    let message = fail(&mut session, "person", json!({ "id": "@I1@", "file": "a.ged" }));
    assert!(message.contains("b.ged: this file cannot be read") && !message.contains("Qliving"), "{message}");
    // With `--living`, nothing is hidden.
    let (_folder, mut session) =
        serve_files(&[("a.ged", &one), ("b.ged", "")], |options| options.with_living(true));
    assert!(seen(&mut session).contains("Eva Qliving"));
}

#[test]
fn hidden_relatives_neither_agree_nor_differ() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Peter /Muller/\n1 SEX M\n1 BIRT\n\
        2 DATE 1930\n1 DEAT\n2 DATE 1990\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Peter /Mueller/\n1 SEX M\n1 DEAT\n\
        2 DATE 1992\n1 FAMS @F2@\n0 @I3@ INDI\n1 NAME Kid /Muller/\n1 SEX M\n1 BIRT\n2 DATE 1960\n1 FAMC @F1@\n\
        0 @I4@ INDI\n1 NAME Zed /Mueller/\n1 SEX M\n1 BIRT\n2 DATE 1965\n1 FAMC @F2@\n0 @F1@ FAM\n1 HUSB @I1@\n\
        1 CHIL @I3@\n0 @F2@ FAM\n1 HUSB @I2@\n1 CHIL @I4@\n0 TRLR\n";
    let served = Served::new(file);
    let answer = ask(&mut served.session(), "duplicates", json!({ "id": "@I1@", "at_least": 0.1 }));
    assert!(!answer.to_string().contains("children"), "{answer}");
}

#[test]
fn a_link_to_a_hidden_child_may_be_an_adoption() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Peter /Muller/\n1 BIRT\n2 DATE 1930\n\
        1 DEAT\n2 DATE 1990\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Kid /Muller/\n1 BIRT\n2 DATE 1960\n1 FAMC @F1@\n\
        2 PEDI adopted\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n0 TRLR\n";
    let served = Served::new(file);
    let answer = ask(&mut served.session(), "kinship", json!({ "a": "@I1@", "b": "@I2@" }));
    assert_eq!(
        (&answer["relationships"][0]["kind"], answer.get("coefficient")),
        (&json!("uncertain"), None),
        "{answer}"
    );
}
