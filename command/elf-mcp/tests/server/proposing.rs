//! What proposals refuse and say, and what `changes` shows of them.

use crate::{FAMILY, Served, ask, fail, serve_files};
use elf_mcp::Session;
use serde_json::{Value, json};
use std::fs;

/// Proposes a fact that is refused, and returns the message.
fn refuse_fact(session: &mut Session, mut fact: Value) -> String {
    fact["reason"] = json!("x");
    fail(session, "propose_fact", fact)
}

fn set_death(date: &str) -> Value {
    json!({ "reason": "gravestone", "edits": [{ "op": "set", "path": "@I1@/DEAT/DATE", "value": date }] })
}

/// The states of the proposals and changes, the newest first, with their numbers.
fn states(session: &mut Session) -> Vec<(u64, String)> {
    let changes = ask(session, "changes", json!({}));
    let changes = changes["changes"].as_array().expect("changes").clone();
    let state = |change: &Value| change["state"].as_str().expect("a state").to_owned();
    changes.iter().map(|change| (change["number"].as_u64().expect("a number"), state(change))).collect()
}

#[test]
fn a_fact_must_be_one_of_its_record() {
    // Ancestry writes marriages and a program of its own writes contracts with people. Others should not.
    for program in ["FTM", "Ancestry.com Family Trees", "PAF", "Gramps"] {
        let file = FAMILY.replace("1 SOUR FTM", &format!("1 SOUR {program}"));
        let file = file.replace("1 OCCU Weaver\n", "1 OCCU Weaver\n1 _UID 77\n");
        let served = Served::new(file);
        let mut session = served.editing();
        for kind in
            ["marriage", "divorce", "engagement", "annulment", "marriage banns", "MARC", "MARL", "DIVF"]
        {
            let message = refuse_fact(&mut session, json!({ "record": "@I1@", "kind": kind }));
            assert!(message.contains("does not belong in an INDI record"), "{program} {kind}: {message}");
            assert!(message.contains("@F1@ with @I2@ Karl Berg"), "{program} {kind}: {message}");
        }
        for kind in ["birth", "death", "baptism", "occupation"] {
            let message = refuse_fact(&mut session, json!({ "record": "@F1@", "kind": kind, "value": "x" }));
            assert!(message.contains("does not belong in a FAM record"), "{program} {kind}: {message}");
            assert!(message.contains("@I2@ Karl Berg and @I1@ Anna Müller"), "{program} {kind}: {message}");
        }
        for kind in ["XYZ", "NAME", "SEX", "NOTE", "FAMS", "SOUR", "RESN", "_UID"] {
            let message = refuse_fact(&mut session, json!({ "record": "@I1@", "kind": kind, "value": "x" }));
            assert!(
                message.contains("unknown kind") && message.contains("birth, burial, census"),
                "{program} {kind}: {message}"
            );
        }
        for (record, kind, added) in [
            ("@I1@", "CENS", json!(["1 CENS Y"])),
            ("@F1@", "CENS", json!(["1 CENS Y"])),
            ("@F1@", "engagement", json!(["1 ENGA Y"])),
            ("@F2@", "MARC", json!(["1 MARC Y"])),
        ] {
            let fact = json!({ "reason": "x", "record": record, "kind": kind });
            assert_eq!(
                ask(&mut session, "propose_fact", fact)["changes"][0]["added"],
                added,
                "{program} {kind}"
            );
        }
    }
    let message =
        refuse_fact(&mut Served::new(FAMILY).editing(), json!({ "record": "@I4@", "kind": "marriage" }));
    assert!(message.contains("which are hidden"), "{message}");
    let message =
        refuse_fact(&mut Served::new(FAMILY).editing(), json!({ "record": "@F2@", "kind": "birth" }));
    assert!(message.contains("@I3@ Ida Berg") && !message.contains("Max"), "{message}");
}

#[test]
fn facts_of_gedcom_7_follow_the_same_rules() {
    let served = Served::new(
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME Ada /King/\n1 DEAT\n2 DATE 1852\n1 FAMS @F1@\n\
         0 @F1@ FAM\n1 WIFE @I1@\n0 TRLR\n",
    );
    let mut session = served.editing();
    let message = refuse_fact(&mut session, json!({ "record": "@I1@", "kind": "marriage" }));
    assert!(message.contains("@F1@ without a partner"), "{message}");
    for (record, kind, added) in [("@I1@", "baptism", "1 BAPM Y"), ("@F1@", "marriage", "1 MARR Y")] {
        let fact = json!({ "reason": "x", "record": record, "kind": kind });
        assert_eq!(ask(&mut session, "propose_fact", fact)["changes"][0]["added"], json!([added]));
    }
    assert!(
        refuse_fact(&mut session, json!({ "record": "@I1@", "kind": "NAME", "value": "x" }))
            .contains("unknown kind")
    );
}

#[test]
fn the_parts_of_a_fact_are_checked() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    for (fact, part) in [
        (json!({ "kind": "census", "source": "@F1@" }), "`source` is @F1@, a record with the tag FAM"),
        (json!({ "kind": "census", "source": "I2" }), "but expected a source"),
        (json!({ "kind": "death", "value": "yes" }), "its only `value` is `Y`, but found `yes`"),
        (json!({ "kind": "baptism", "value": "Wien", "date": "1850" }), "its only `value` is `Y`"),
        (json!({ "kind": "birth" }), "@I1@ already has `BIRT` at line 10"),
        (json!({ "kind": "death", "value": "Y" }), "use `propose_edits` to add to `@I1@/DEAT`"),
        (json!({ "kind": "event", "date": "1900" }), "`EVEN` needs a `type`"),
        (json!({ "kind": "fact", "value": "blue" }), "`FACT` needs a `type`"),
        (json!({ "kind": "baptism", "note": "a\u{1}" }), "control characters"),
    ] {
        let mut fact = fact;
        fact["record"] = json!("@I1@");
        let message = refuse_fact(&mut session, fact.clone());
        assert!(message.contains(part), "{fact}: {message}");
    }
    for (fact, added) in [
        (
            json!({ "kind": "event", "type": "Military service", "date": "1870" }),
            json!(["1 EVEN", "2 TYPE Military service", "2 DATE 1870"]),
        ),
        (json!({ "kind": "FACT", "type": "Eyes", "value": "blue" }), json!(["1 FACT blue", "2 TYPE Eyes"])),
        (json!({ "kind": "death", "cause": "typhus" }), json!(["1 DEAT", "2 CAUS typhus"])),
        (json!({ "kind": "death", "date": "1911", "value": "Y" }), json!(["1 DEAT Y", "2 DATE 1911"])),
    ] {
        let mut fact = fact;
        (fact["reason"], fact["record"]) = (json!("x"), json!("@I1@"));
        assert_eq!(ask(&mut session, "propose_fact", fact)["changes"][0]["added"], added);
    }
}

#[test]
fn characters_that_the_encoding_lacks_are_refused() {
    let ansel = FAMILY.replace("1 CHAR UTF-8", "1 CHAR ANSEL").replace("Müller", "Mueller");
    let served = Served::new(&ansel);
    let mut session = served.editing();
    for (tool, arguments) in [
        ("propose_edits", json!({ "edits": [{ "op": "set", "path": "@I1@/NAME", "value": "Анна /Berg/" }] })),
        (
            "propose_edits",
            json!({ "edits": [{ "op": "insert", "under": "@I1@", "tag": "NOTE", "value": "x\nА" }] }),
        ),
        ("propose_edits", json!({ "edits": [{ "op": "insert", "id": "@А@", "tag": "NOTE" }] })),
        ("propose_fact", json!({ "record": "@I1@", "kind": "baptism", "place": "А" })),
        ("propose_replacement", json!({ "tags": ["PLAC"], "from": "Wien", "to": "А" })),
    ] {
        let mut arguments = arguments;
        arguments["reason"] = json!("x");
        let message = fail(&mut session, tool, arguments.clone());
        for part in [
            "`А` (U+0410) cannot be written in ANSEL",
            "`elf convert family.ged --encoding UTF-8 -o NEW.ged`",
        ] {
            assert!(message.contains(part), "{arguments}: {message}");
        }
    }
    let edits = json!([{ "op": "set", "path": "@I1@/NAME", "value": "Anna /Müller/" }]);
    ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
}

#[test]
fn outdated_proposals_are_listed_as_such() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    for date in ["1911", "1912"] {
        ask(&mut session, "propose_edits", set_death(date));
    }
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    assert_eq!(states(&mut session), [(2, "outdated".to_owned()), (1, "applied".to_owned())]);
    ask(&mut session, "undo", json!({ "number": 1 }));
    assert_eq!(states(&mut session), [(2, "proposed".to_owned()), (1, "undone".to_owned())]);
    fs::write(served.path(), FAMILY.replace("1848", "1847")).expect("written");
    assert_eq!(states(&mut session), [(2, "outdated".to_owned()), (1, "undone".to_owned())]);
}

#[test]
fn a_change_is_shown_after_it_was_applied() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let edits = json!([
        { "op": "set", "path": "@I1@/DEAT/DATE", "value": "12 MAY 1910" },
        { "op": "insert", "id": "@S9@", "tag": "SOUR" },
        { "op": "insert", "under": "@S9@", "tag": "TITL", "value": "Census of 1900" },
        { "op": "insert", "under": "@I3@/BIRT", "tag": "SOUR", "value": "@S9@" }
    ]);
    let proposed = ask(&mut session, "propose_edits", json!({ "reason": "gravestone", "edits": edits }));
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    for state in ["applied", "undone"] {
        let mut session = served.editing();
        let shown = ask(&mut session, "changes", json!({ "number": 1 }));
        let change = &shown["change"];
        assert_eq!((&change["state"], &change["kind"]), (&json!(state), &json!("edits")), "{shown}");
        assert_eq!(
            (&change["summary"], &change["changes"]),
            (&json!("gravestone"), &proposed["changes"]),
            "{shown}"
        );
        assert_eq!(change["total_changes"], 3, "{shown}");
        let records: Vec<&Value> = (0..3).map(|at| &change["changes"][at]["records"]).collect();
        assert_eq!(records, [&json!(["@I1@"]), &json!(["@I3@"]), &json!(["@S9@"])], "{shown}");
        let time = change["applied_at"].as_str().expect("a time");
        assert!(time.len() == 20 && time.starts_with("20") && time.ends_with('Z'), "{time}");
        assert_eq!(ask(&mut session, "changes", json!({}))["changes"][0]["applied_at"], time);
        if state == "applied" {
            ask(&mut session, "undo", json!({ "number": 1 }));
        }
    }
    let message = fail(&mut session, "changes", json!({ "number": 9 }));
    assert!(message.contains("no proposal 9"), "{message}");
}

#[test]
fn the_journal_keeps_few_lines_of_a_large_change() {
    let people: String =
        (10..400).map(|number| format!("0 @I{number}@ INDI\n1 DEAT\n2 PLAC Wein {number}\n")).collect();
    let served = Served::new(FAMILY.replace("0 TRLR", &(people + "0 TRLR")));
    let mut session = served.editing();
    ask(
        &mut session,
        "propose_replacement",
        json!({ "reason": "x", "tags": ["PLAC"], "from": "Wein", "to": "Wien" }),
    );
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    let change = ask(&mut session, "changes", json!({ "number": 1 }))["change"].clone();
    assert_eq!(change["total_changes"], 391);
    let kept = change["changes"].as_array().map_or(0, Vec::len);
    assert!((10..100).contains(&kept), "{kept}");
    let journal = served.folder.path().join("family.ged.undo").join("journal.jsonl");
    assert!(fs::metadata(journal).expect("a journal").len() < 6_000);
}

#[test]
fn the_journal_keeps_the_start_of_a_long_text() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let text: String = (0..40).map(|line| format!("{line} {}\n", "x".repeat(190))).collect();
    let edits = json!([{ "op": "insert", "under": "@I1@", "tag": "NOTE", "value": text.trim() }]);
    ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    let changes = ask(&mut session, "changes", json!({ "number": 1 }))["change"]["changes"].clone();
    let changes = changes.as_array().expect("changes");
    let lines = changes.iter().filter_map(|change| change["added"].as_array()).flatten().count();
    assert!(lines > 9 && lines < 20 && changes.last().is_some_and(|last| last["cut"] == true), "{changes:?}");
}

#[test]
fn a_change_shows_nothing_that_is_hidden_now() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    // Somebody who counts as dead gets a place of birth.
    let place = json!({ "reason": "register", "edits": [{ "op": "set", "path": "@I3@/BIRT/PLAC", "value": "Gmunden" }] });
    ask(&mut session, "propose_edits", place);
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    let shows = |session: &mut Session| {
        let shown = ask(session, "changes", json!({ "number": 1 }));
        assert_eq!(
            shown["change"]["changes"] == json!([]),
            shown["change"]["lines_are_hidden"] == true,
            "{shown}"
        );
        shown.to_string().contains("Gmunden")
    };
    assert!(shows(&mut session));
    // Another change of the server: Ida counts as living.
    let text = String::from_utf8(served.bytes()).expect("UTF-8");
    let born = json!({ "reason": "x", "edits": [
        { "op": "set", "path": "@I3@/BIRT/DATE", "value": "1990" }, { "op": "remove", "path": "@I3@/DEAT" }
    ] });
    let mut with_living = served.with(|options| options.with_living(true).with_edits(true));
    let number = ask(&mut with_living, "propose_edits", born)["number"].clone();
    ask(&mut with_living, "apply_proposal", json!({ "number": number }));
    assert!(!shows(&mut session) && shows(&mut with_living));
    let shown = ask(&mut session, "changes", json!({ "number": number }));
    assert!(shown["change"]["lines_are_hidden"] == true && !shown.to_string().contains("1990"), "{shown}");
    ask(&mut with_living, "undo", json!({ "number": number }));
    assert!(shows(&mut session));
    // Another program: the identifiers may be those of others.
    fs::write(served.path(), text.replace("1848", "1847")).expect("written");
    assert!(!shows(&mut session) && shows(&mut with_living));
    fs::write(served.path(), text.replace("1 DEAT Y", "1 NOTE x").replace("1875", "1990")).expect("written");
    assert!(!shows(&mut session));
    // The name of somebody who is hidden now.
    fs::write(served.path(), &text).expect("written");
    let note = json!({ "reason": "x", "edits": [{ "op": "insert", "under": "@I1@", "tag": "NOTE", "value": "Told by Otto\nLind" }] });
    let number = ask(&mut session, "propose_edits", note)["number"].clone();
    ask(&mut session, "apply_proposal", json!({ "number": number }));
    let shown = ask(&mut session, "changes", json!({ "number": number })).to_string();
    assert!(shown.contains("Told by Otto"), "{shown}");
    let otto = json!({ "reason": "x", "edits": [
        { "op": "insert", "id": "@I9@", "tag": "INDI" },
        { "op": "insert", "under": "@I9@", "tag": "NAME", "value": "Otto /Lind/" }
    ] });
    let otto = ask(&mut session, "propose_edits", otto)["number"].clone();
    ask(&mut session, "apply_proposal", json!({ "number": otto }));
    for number in [number, otto] {
        let shown = ask(&mut session, "changes", json!({ "number": number })).to_string();
        assert!(!shown.contains("Lind") && !shown.contains("Otto"), "{shown}");
    }
}

#[test]
fn a_number_is_never_that_of_two_changes() {
    let served = Served::new(FAMILY);
    let (mut one, mut other) = (served.editing(), served.editing());
    ask(&mut one, "propose_edits", set_death("1911"));
    ask(&mut other, "propose_edits", set_death("1912"));
    ask(&mut one, "apply_proposal", json!({ "number": 1 }));
    ask(&mut one, "undo", json!({ "number": 1 }));
    // Both a proposal and a change have the number until the proposal is applied.
    let shown = ask(&mut other, "changes", json!({ "number": 1 }));
    assert_eq!(shown["proposal"]["changes"][0]["added"], json!(["2 DATE 1912"]), "{shown}");
    assert_eq!(shown["change"]["changes"][0]["added"], json!(["2 DATE 1911"]), "{shown}");
    let applied = ask(&mut other, "apply_proposal", json!({ "number": 1 }));
    assert_eq!((&applied["number"], &applied["proposal"]), (&json!(2), &json!(1)), "{applied}");
    assert_eq!(applied["backup"], "0002-before-family.ged");
    assert_eq!(states(&mut one), [(2, "applied".to_owned()), (1, "undone".to_owned())]);
    assert!(fail(&mut one, "undo", json!({ "number": 1 })).contains("undone already"));
    ask(&mut one, "undo", json!({ "number": 2 }));
    assert_eq!(served.bytes(), FAMILY.as_bytes());
}

#[test]
fn a_number_in_two_journals_needs_the_name_of_the_file() {
    let (folder, mut both) =
        serve_files(&[("a.ged", FAMILY), ("b.ged", FAMILY)], |options| options.with_edits(true));
    for name in ["a.ged", "b.ged"] {
        let options = elf_mcp::ServerOptions::new(
            vec![folder.path().join(name)],
            elf_mcp::LivingRule::on(crate::TODAY),
        );
        let mut alone = Session::new(options.with_edits(true), Box::new(crate::PlainDisk));
        ask(&mut alone, "propose_edits", set_death("1911"));
        ask(&mut alone, "apply_proposal", json!({ "number": 1 }));
    }
    for tool in ["undo", "changes"] {
        let message = fail(&mut both, tool, json!({ "number": 1 }));
        assert!(
            message.contains("several files have a change 1: set `file` to one of `a.ged`, `b.ged`"),
            "{message}"
        );
    }
    assert_eq!(ask(&mut both, "changes", json!({ "number": 1, "file": "b.ged" }))["change"]["file"], "b.ged");
    assert_eq!(
        ask(&mut both, "changes", json!({ "file": "b.ged" }))["changes"].as_array().map(Vec::len),
        Some(1)
    );
    ask(&mut both, "undo", json!({ "number": 1, "file": "b.ged" }));
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert!(text("b.ged") == FAMILY && text("a.ged") != FAMILY);
}

#[test]
fn a_merge_names_different_names_and_warns_about_relatives() {
    let again = "0 @I8@ INDI\n1 NAME Ida /Bergh/\n1 SEX F\n1 DEAT Y\n1 FAMC @F1@\n\
        0 @I9@ INDI\n1 NAME Karl /Berg/\n1 NAME Carl /Berg/\n1 SEX M\n1 DEAT Y\n1 FAMS @F1@\n0 TRLR\n";
    let file = FAMILY.replace("1 CHIL @I3@\n1 MARR", "1 CHIL @I3@\n1 CHIL @I8@\n1 HUSB @I9@\n1 MARR");
    let served = Served::new(file.replace("0 TRLR\n", again));
    let mut session = served.editing();
    let mut merge = |keep: &str, remove: &str| {
        ask(&mut session, "propose_merge", json!({ "reason": "x", "keep": keep, "remove": remove }))
    };
    let siblings = merge("@I3@", "@I8@");
    assert_eq!(siblings["conflicts"], json!(["NAME: `Ida /Berg/` and `Ida /Bergh/`"]), "{siblings}");
    let warning = "the two are children (siblings) in @F1@: are they really one person?";
    assert_eq!(siblings["warnings"], json!([warning]), "{siblings}");
    let partners = merge("@I2@", "@I9@");
    assert!(partners.get("conflicts").is_none(), "{partners}");
    assert_eq!(partners["warnings"], json!(["the two are partners in @F1@: are they really one person?"]));
}

#[test]
fn a_merge_of_a_child_and_an_adoptive_parent_is_refused_or_warned_about() {
    let file = FAMILY.replace("1 FAMC @F1@\n", "1 FAMC @F1@\n2 PEDI adopted\n");
    let served = Served::new(file);
    let arguments = json!({ "reason": "x", "keep": "@I1@", "remove": "@I3@" });
    match served.editing().call("propose_merge", arguments) {
        Ok(proposed) => assert!(proposed["warnings"].to_string().contains("parent and child"), "{proposed}"),
        Err(message) => assert!(message.contains("has one of them as"), "{message}"),
    }
}

#[test]
fn a_replacement_says_what_it_leaves_alone_and_why_nothing_matches() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let mut with_living = served.with(|options| options.with_living(true).with_edits(true));
    let replace = |tags: &[&str], from: &str, whole: bool| json!({ "reason": "x", "tags": tags, "from": from, "to": "Wien", "whole": whole });
    let proposed = ask(&mut session, "propose_replacement", replace(&["PLAC"], "Wein", false));
    assert_eq!(proposed["hidden_records_are_left_alone"], true, "{proposed}");
    let proposed = ask(&mut with_living, "propose_replacement", replace(&["PLAC"], "Wein", false));
    assert!(proposed.get("hidden_records_are_left_alone").is_none(), "{proposed}");
    for (arguments, part) in [
        (replace(&["PLCA"], "Wein", false), "no line that is shown has the tag `PLCA`"),
        (replace(&["plac"], "Wein", false), "the tag `plac`; did you mean `PLAC`?"),
        (replace(&["PLAC"], "wein", false), "family.ged:34 has the text in another case"),
        (replace(&["PLAC"], "Wei", true), "family.ged:34 contains the text, but more than it"),
        (replace(&["PLAC"], "Linz", false), "Hidden records and texts are not searched"),
    ] {
        let message = fail(&mut session, "propose_replacement", arguments.clone());
        assert!(message.contains(part), "{arguments}: {message}");
    }
    // The answer is the same for a text that only a hidden record has.
    let message = |session: &mut Session, from: &str| {
        fail(session, "propose_replacement", replace(&["PLAC"], from, false))
    };
    assert_eq!(message(&mut session, "Graz"), message(&mut session, "Linz"));
    assert_eq!(message(&mut session, "graz"), message(&mut session, "linz"));
    assert!(message(&mut with_living, "graz").contains("in another case"));
    let message = message(&mut with_living, "Linz");
    assert!(message.ends_with("contains the text"), "{message}");
}

#[test]
fn errors_of_arguments_name_the_argument() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    for (tool, arguments, part) in [
        ("person", json!({ "id": 1 }), "argument `id`: expected a text, found a number"),
        (
            "propose_replacement",
            json!({ "tags": "PLAC" }),
            "argument `tags`: expected a list of texts, found a text",
        ),
        (
            "propose_replacement",
            json!({ "tags": ["PLAC", 1] }),
            "argument `tags`, item 2: expected a text, found a number",
        ),
        (
            "propose_replacement",
            json!({ "whole": "yes" }),
            "argument `whole`: expected true or false, found a text",
        ),
        (
            "changes",
            json!({ "limit": 1000 }),
            "argument `limit`: expected a whole number from 1 to 100, found 1000",
        ),
        (
            "changes",
            json!({ "limit": 0 }),
            "argument `limit`: expected a whole number from 1 to 100, found 0",
        ),
        (
            "changes",
            json!({ "number": -1 }),
            "argument `number`: expected a whole number of at least 0, found -1",
        ),
        (
            "changes",
            json!({ "number": 1.5 }),
            "expected a whole number of at least 0, found a number with a fraction",
        ),
        ("findings", json!({ "kind": "all" }), "argument `kind`: expected one of "),
        ("propose_edits", json!({ "edits": {} }), "argument `edits`: expected a list, found an object"),
        (
            "propose_edits",
            json!({ "edits": ["x"] }),
            "argument `edits`, item 1: expected an object, found a text",
        ),
        ("propose_edits", json!({ "edits": [{}] }), "argument `edits`, item 1: `op` is missing"),
        (
            "propose_edits",
            json!({ "edits": [{ "op": "rename" }] }),
            "argument `edits`, item 1, `op`: expected one of `set`, `remove`, `insert`, found `rename`",
        ),
        (
            "propose_edits",
            json!({ "edits": [{ "op": "set", "path": "x" }] }),
            "argument `edits`, item 1: `value` is missing",
        ),
        (
            "propose_edits",
            json!({ "edits": [{ "op": "set", "path": 7, "value": "" }] }),
            "argument `edits`, item 1, `path`: expected a text, found a number",
        ),
        ("propose_edits", json!({ "edits": [{ "op": "remove", "paht": "x" }] }), "there is no `paht`, only "),
    ] {
        let message = fail(&mut session, tool, arguments.clone());
        assert!(message.contains(part), "{tool} {arguments}: {message}");
    }
    // Nothing is the same as a missing argument, where it may be missing.
    ask(&mut session, "person", json!({ "id": "I1", "file": null, "limit": null }));
}

#[test]
fn a_proposal_names_the_place_and_the_records() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let fact = json!({ "reason": "x", "record": "@I1@", "kind": "baptism", "date": "1850" });
    let change = ask(&mut session, "propose_fact", fact)["changes"][0].clone();
    assert_eq!(
        (&change["cite"], &change["position"], &change["records"]),
        (&json!("family.ged:20"), &json!("after line 20"), &json!(["@I1@"])),
        "{change}"
    );
    let edits = json!([{ "op": "remove", "path": "@I1@/BIRT" }]);
    let change =
        ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }))["changes"][0].clone();
    assert_eq!(
        (&change["cite"], &change["position"], &change["records"]),
        (&json!("family.ged:10"), &json!("lines 10 to 14"), &json!(["@I1@"])),
        "{change}"
    );
}

#[test]
fn paths_and_tags_that_are_nearly_right_get_a_suggestion() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    for (edit, part) in [
        (json!({ "op": "insert", "under": "@I1@", "tag": "note", "value": "x" }), "did you mean `NOTE`?"),
        (json!({ "op": "remove", "path": "I1/BIRT" }), "did you mean `@I1@/BIRT`?"),
        (json!({ "op": "insert", "under": "I1", "tag": "NOTE", "value": "x" }), "did you mean `@I1@`?"),
        (json!({ "op": "remove", "path": "@I1@/birt" }), "write tags in capitals"),
    ] {
        let message = fail(&mut session, "propose_edits", json!({ "reason": "x", "edits": [edit] }));
        assert!(message.contains(part), "{edit}: {message}");
    }
}

#[test]
fn a_proposal_shows_all_its_lines() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let text: String = (0..50).map(|line| format!("line {line}.\n")).collect();
    let edits = json!([{ "op": "insert", "under": "@I1@", "tag": "NOTE", "value": text.trim() }]);
    let mut answer = ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
    let mut shown = answer["changes"].to_string();
    let mut answers = 1;
    while let Some(cursor) = answer["next_cursor"].as_str() {
        let page = json!({ "number": answer["number"], "cursor": cursor });
        answer = ask(&mut session, "changes", page)["proposal"].clone();
        shown += &answer["changes"].to_string();
        answers += 1;
        assert!(answers < 5, "{answer}");
    }
    for line in 0..50 {
        assert!(shown.contains(&format!("line {line}.")), "{line}: {shown}");
    }
    assert!(!shown.contains("\"cut\""), "{shown}");
}

#[test]
fn a_change_in_a_long_line_is_shown() {
    let long = "äbc ".repeat(2_000);
    let file = format!(
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME Ada /Lind/\n1 DEAT\n2 DATE 1900\n1 NOTE {long}in Wein {long}\n0 TRLR\n"
    );
    let served = Served::new(&file);
    let mut session = served.editing();
    let arguments = json!({ "reason": "x", "tags": ["NOTE"], "from": "Wein", "to": "Wien" });
    let answer = ask(&mut session, "propose_replacement", arguments);
    let change = &answer["changes"][0];
    for (lines, word) in [("removed", "in Wein ä"), ("added", "in Wien ä")] {
        let line = change[lines][0].as_str().expect("a line");
        assert!(line.starts_with("1 NOTE äbc") && line.contains(word) && line.len() < 600, "{change}");
    }
    // The end of a long line can be read too.
    let mut text = String::new();
    let mut arguments = json!({ "from": 8, "to": 8 });
    loop {
        let page = ask(&mut session, "lines", arguments.clone());
        for line in page["lines"].as_array().expect("lines") {
            assert_eq!(line["line"], 8, "{page}");
            text += line["text"].as_str().expect("a text").trim_matches('…');
        }
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        arguments["cursor"] = json!(cursor);
    }
    assert!(text.trim_end() == format!("1 NOTE {long}in Wein {long}").trim_end());
}

#[test]
fn a_replacement_that_makes_a_file_huge_is_refused() {
    let notes = format!("1 NOTE {}\n", "a".repeat(200)).repeat(20);
    let file = format!("0 HEAD\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n1 DEAT Y\n{notes}0 TRLR\n");
    let served = Served::new(&file);
    let mut session = served.editing();
    for length in [20_000, 300_000] {
        let arguments = json!({ "reason": "x", "tags": ["NOTE"], "from": "a", "to": "x".repeat(length) });
        let error = session.call("propose_replacement", arguments).expect_err("an error");
        assert!(error.contains("more than 50000000 bytes"), "{error}");
    }
}
