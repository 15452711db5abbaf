//! The tools that change files.

use crate::{FAMILY, PlainDisk, Served, TODAY, ask, fail};
use elf_mcp::{Disk, FileMarks, LivingRule, ServerOptions, Session};
use serde_json::{Value, json};
use std::any::Any;
use std::path::Path;
use std::sync::Barrier;
use std::{fs, io, thread};

/// Proposes a new date of death for Anna.
fn proposal(date: &str) -> Value {
    json!({ "reason": "gravestone", "edits": [{ "op": "set", "path": "@I1@/DEAT/DATE", "value": date }] })
}

#[test]
fn a_change_is_shown_applied_and_undone() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let proposed = ask(&mut session, "propose_edits", proposal("12 MAY 1910"));
    assert_eq!(served.bytes(), FAMILY.as_bytes(), "a proposal changes nothing");
    let change = &proposed["changes"][0];
    assert_eq!(change["cite"], "family.ged:16");
    assert_eq!(
        (&change["removed"], &change["added"]),
        (&json!(["2 DATE 1910"]), &json!(["2 DATE 12 MAY 1910"]))
    );
    assert_eq!(proposed["total_findings"], 0);
    let applied = ask(&mut session, "apply_proposal", json!({ "number": proposed["number"] }));
    assert_eq!(applied["state"], "applied");
    let text = String::from_utf8(served.bytes()).expect("UTF-8");
    assert_eq!(text, FAMILY.replace("2 DATE 1910", "2 DATE 12 MAY 1910"));
    assert_eq!(ask(&mut session, "person", json!({ "id": "I1" }))["person"]["death"], "12 MAY 1910");
    // After a restart.
    let mut session = served.editing();
    let changes = ask(&mut session, "changes", json!({}));
    assert_eq!(
        (&changes["changes"][0]["state"], &changes["changes"][0]["summary"]),
        (&json!("applied"), &json!("gravestone"))
    );
    let undone = ask(&mut session, "undo", json!({ "number": applied["number"] }));
    assert_eq!((&undone["state"], served.bytes()), (&json!("undone"), FAMILY.as_bytes().to_vec()));
    let message = fail(&mut session, "undo", json!({ "number": applied["number"] }));
    assert!(message.contains("undone already"), "{message}");
    let next = ask(&mut session, "propose_edits", proposal("1911"));
    assert_eq!(next["number"], 2, "numbers go on after a restart");
}

#[test]
fn structures_are_inserted_and_removed() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let edits = json!([
        { "op": "insert", "id": "@I9@", "tag": "INDI" },
        { "op": "insert", "under": "@I9@", "tag": "NAME", "value": "Eva /Berg/" },
        { "op": "insert", "under": "@I9@", "tag": "DEAT", "value": "Y" },
        { "op": "insert", "under": "@I9@", "tag": "FAMC", "value": "@F1@" },
        { "op": "insert", "under": "@F1@", "tag": "CHIL", "value": "@I9@" },
        { "op": "remove", "path": "@I1@/OCCU" }
    ]);
    let proposed = ask(&mut session, "propose_edits", json!({ "reason": "census of 1880", "edits": edits }));
    ask(&mut session, "apply_proposal", json!({ "number": proposed["number"] }));
    let text = String::from_utf8(served.bytes()).expect("UTF-8");
    assert!(
        text.contains("0 @I9@ INDI\n1 NAME Eva /Berg/\n1 DEAT Y\n1 FAMC @F1@\n") && !text.contains("Weaver"),
        "{text}"
    );
    assert!(text.contains("1 CHIL @I9@"), "{text}");
}

#[test]
fn a_fact_is_added_with_its_source() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let fact = json!({
        "reason": "register", "record": "@I3@", "kind": "baptism", "date": "5 JAN 1875", "place": "Wien",
        "note": "godmother: Rosa", "source": "@S1@", "page": "folio 3"
    });
    let proposed = ask(&mut session, "propose_fact", fact);
    let added = json!([
        "1 BAPM",
        "2 DATE 5 JAN 1875",
        "2 PLAC Wien",
        "2 NOTE godmother: Rosa",
        "2 SOUR @S1@",
        "3 PAGE folio 3"
    ]);
    assert_eq!((&proposed["changes"][0]["added"], &proposed["changes"][0]["removed"]), (&added, &json!([])));
    for (fact, part) in [
        (json!({ "reason": "x", "record": "I3", "kind": "birth", "date": "5/1/1875" }), "is not a date"),
        (json!({ "reason": "x", "record": "I3", "kind": "first tooth" }), "unknown kind"),
        (json!({ "reason": "x", "record": "I3", "kind": "occupation" }), "needs a `value`"),
        (
            json!({ "reason": "x", "record": "I3", "kind": "birth", "source": "@S9@" }),
            "no record has the identifier",
        ),
        (json!({ "reason": "x", "record": "I77", "kind": "birth" }), "@I77@"),
        (json!({ "reason": " ", "record": "I3", "kind": "birth" }), "`reason` is empty"),
    ] {
        let message = fail(&mut session, "propose_fact", fact.clone());
        assert!(message.contains(part), "{fact}: {message}");
    }
}

#[test]
fn text_is_replaced_everywhere_but_in_hidden_records() {
    let served = Served::new(FAMILY.replace("2 PLAC Graz", "2 PLAC Wein"));
    let mut session = served.editing();
    let replacement = json!({ "reason": "misspelled", "tags": ["PLAC"], "from": "Wein", "to": "Wien" });
    let proposed = ask(&mut session, "propose_replacement", replacement);
    assert_eq!(
        (&proposed["total_changes"], &proposed["changes"][0]["cite"]),
        (&json!(1), &json!("family.ged:34"))
    );
    let nothing = json!({ "reason": "x", "tags": ["PLAC"], "from": "Linz", "to": "Graz" });
    assert!(fail(&mut session, "propose_replacement", nothing).contains("no payload of these tags"));
}

#[test]
fn two_records_of_a_person_are_merged() {
    // Ida is in the file a second time, with a husband.
    let again = "0 @I9@ INDI\n1 NAME Ida /Berg/\n1 SEX M\n1 BIRT\n2 DATE 1875\n2 PLAC Wein\n2 NOTE register\n\
        1 DEAT Y\n1 FAMS @F9@\n0 @F9@ FAM\n1 WIFE @I9@\n0 TRLR\n";
    let file = FAMILY.replace("0 TRLR\n", again);
    let served = Served::new(&file);
    let mut session = served.editing();
    let pairs = ask(&mut session, "duplicates", json!({ "id": "@I3@", "at_least": 0.1 }));
    assert_eq!(pairs["pairs"][0]["b"]["id"], "@I9@", "{pairs}");
    let merge = json!({ "reason": "the same register", "keep": "@I3@", "remove": "@I9@" });
    let proposed = ask(&mut session, "propose_merge", merge);
    assert_eq!(served.bytes(), file.as_bytes(), "a proposal changes nothing");
    assert_eq!(
        (&proposed["conflicts"], &proposed["total_findings"]),
        (&json!(["SEX"]), &json!(1)),
        "{proposed}"
    );
    assert_eq!(proposed["causes"][0]["code"], "E0902");
    ask(&mut session, "apply_proposal", json!({ "number": proposed["number"] }));
    let merged = "0 @I3@ INDI\n1 NAME Ida /Berg/\n1 SEX F\n1 BIRT\n2 DATE 1875\n2 PLAC Wein\n2 NOTE register\n\
        1 DEAT Y\n1 FAMC @F1@\n1 SEX M\n1 FAMS @F9@\n";
    let text = String::from_utf8(served.bytes()).expect("UTF-8");
    assert!(text.contains(merged) && text.contains("0 @F9@ FAM\n1 WIFE @I3@\n0 TRLR\n"), "{text}");
    assert!(!text.contains("@I9@"), "{text}");
    ask(&mut session, "undo", json!({ "number": proposed["number"] }));
    assert_eq!(served.bytes(), file.as_bytes());
    for (keep, remove, part) in [
        ("@I1@", "@I3@", "an ancestor of the other one"),
        ("@I2@", "@I1@", "has one of them as HUSB and the other one as WIFE"),
        ("@I3@", "I3", "the same record"),
        ("@I3@", "@I77@", "no person has the identifier @I77@"),
        ("@F1@", "@I3@", "@I3@ is a record with the tag INDI, but expected a family"),
    ] {
        let message =
            fail(&mut session, "propose_merge", json!({ "reason": "x", "keep": keep, "remove": remove }));
        assert!(message.contains(part), "{keep} {remove}: {message}");
    }
}

#[test]
fn the_findings_that_a_change_causes_are_shown() {
    let served = Served::new(FAMILY);
    let proposed = ask(&mut served.editing(), "propose_edits", proposal("31 FEB 1910"));
    assert_eq!((&proposed["total_findings"], &proposed["causes"][0]["code"]), (&json!(1), &json!("E0602")));
    assert_eq!(proposed["causes"][0]["line_after"], 16);
}

#[test]
fn impossible_edits_are_refused() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    for (edit, part) in [
        (json!({ "op": "set", "path": "@I1@/BURI/DATE", "value": "1910" }), "edit 1"),
        (json!({ "op": "set", "path": "@I1@/DEAT/DATE", "value": "@I77@" }), "no record has the identifier"),
        (json!({ "op": "set", "path": "HEAD/CHAR", "value": "ANSEL" }), "elf convert"),
        (json!({ "op": "insert", "id": "@I1@", "tag": "INDI" }), "edit 1"),
        (json!({ "op": "insert", "under": "@I1@", "id": "@X@", "tag": "NOTE" }), "only a record"),
        (json!({ "op": "insert", "under": "INDI[*]", "tag": "NOTE" }), "names several structures"),
        (json!({ "op": "set", "path": "@I1@/DEAT/DATE", "value": "1910" }), "no line would change"),
        (json!({ "op": "rename", "path": "@I1@" }), "do not fit its schema"),
        (json!({ "op": "set", "path": "@I1@/BIRT/PLAC", "value": "Wien\u{1b}[2J" }), "but found U+001B"),
        (json!({ "op": "insert", "under": "@I1@", "tag": "NOTE", "value": "\u{0}" }), "but found U+0000"),
    ] {
        let message = fail(&mut session, "propose_edits", json!({ "reason": "x", "edits": [edit] }));
        assert!(message.contains(part), "{edit}: {message}");
    }
    assert!(
        fail(&mut session, "propose_edits", json!({ "reason": "x", "edits": [] })).contains("expected 1 to")
    );
    assert!(fail(&mut session, "apply_proposal", json!({ "number": 7 })).contains("no proposal 7"));
    assert!(fail(&mut session, "undo", json!({ "number": 7 })).contains("no applied change 7"));
    assert_eq!(served.bytes(), FAMILY.as_bytes());
}

#[test]
fn two_changes_at_once_and_changed_files_are_not_mixed() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let numbers = ["1911", "1912", "1913"]
        .map(|date| ask(&mut session, "propose_edits", proposal(date))["number"].clone());
    ask(&mut session, "apply_proposal", json!({ "number": numbers[0] }));
    let message = fail(&mut session, "apply_proposal", json!({ "number": numbers[1] }));
    assert!(message.contains("has changed since proposal 2"), "{message}");
    let fourth = ask(&mut session, "propose_edits", proposal("1914"))["number"].clone();
    ask(&mut session, "apply_proposal", json!({ "number": fourth }));
    let message = fail(&mut session, "undo", json!({ "number": numbers[0] }));
    assert!(message.contains("undo change 4 first"), "{message}");
    // Somebody else writes.
    fs::write(served.path(), FAMILY.replace("1848", "1847")).expect("written");
    let message = fail(&mut session, "undo", json!({ "number": fourth }));
    assert!(message.contains("not touched") && message.contains("backup"), "{message}");
    fs::write(served.path(), FAMILY.replace("1910", "1914")).expect("written");
    ask(&mut session, "undo", json!({ "number": fourth }));
    ask(&mut session, "undo", json!({ "number": numbers[0] }));
    assert_eq!(served.bytes(), FAMILY.as_bytes());
}

#[test]
fn a_damaged_backup_is_not_used() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let number = ask(&mut session, "propose_edits", proposal("1911"))["number"].clone();
    let applied = ask(&mut session, "apply_proposal", json!({ "number": number }));
    let backup =
        served.folder.path().join("family.ged.undo").join(applied["backup"].as_str().expect("a name"));
    fs::write(backup, "other").expect("written");
    assert!(fail(&mut session, "undo", json!({ "number": number })).contains("has been changed"));
}

#[test]
fn a_change_can_be_undone_although_two_servers_apply_at_once() {
    for round in 0..60 {
        let served = Served::new(FAMILY);
        let mut sessions = [served.editing(), served.editing()];
        for (session, date) in sessions.iter_mut().zip(["1911", "12 MAY 1912"]) {
            assert_eq!(ask(session, "propose_edits", proposal(date))["number"], 1);
        }
        let start = Barrier::new(2);
        let apply = |session: &mut Session| {
            start.wait();
            session.call("apply_proposal", json!({ "number": 1 }))
        };
        let answers = thread::scope(|scope| {
            let threads = sessions.each_mut().map(|session| scope.spawn(|| apply(session)));
            threads.map(|thread| thread.join().expect("an answer"))
        });
        let errors: Vec<&String> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
        assert_eq!(errors.len(), 1, "round {round}: {answers:?}");
        assert!(errors[0].contains("has changed since proposal 1"), "round {round}: {errors:?}");
        for session in &mut sessions {
            let changes = ask(session, "changes", json!({}));
            let changes = changes["changes"].as_array().expect("changes");
            let applied = changes.iter().filter(|change| change["state"] == "applied").count();
            assert_eq!(applied, 1, "round {round}: {changes:?}");
        }
        ask(&mut sessions[round % 2], "undo", json!({ "number": 1 }));
        assert_eq!(served.bytes(), FAMILY.as_bytes(), "round {round}");
    }
}

/// A disk that cannot write the file. While it tries, another server adds a change to the journal, in spite of the lock.
struct FailingDisk;

impl Disk for FailingDisk {
    fn marks(&self, path: &Path) -> io::Result<FileMarks> {
        PlainDisk.marks(path)
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
        PlainDisk.read(path, most)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if path.file_name().is_none_or(|name| name != "family.ged") {
            return PlainDisk.write(path, bytes);
        }
        let journal = path.with_file_name("family.ged.undo").join("journal.jsonl");
        let own = fs::read_to_string(&journal)?;
        fs::write(journal, own.clone() + &own.replace("gravestone", "census"))?;
        Err(io::Error::other("the disk is full"))
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        PlainDisk.write_new(path, bytes)
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn Any>> {
        PlainDisk.lock(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        PlainDisk.create_folder(path)
    }
}

#[test]
fn a_change_that_fails_takes_back_only_its_own_entry() {
    let served = Served::new(FAMILY);
    let options = ServerOptions::new(vec![served.path()], LivingRule::on(TODAY)).with_edits(true);
    let mut session = Session::new(options, Box::new(FailingDisk));
    ask(&mut session, "propose_edits", proposal("1911"));
    let message = fail(&mut session, "apply_proposal", json!({ "number": 1 }));
    assert!(message.contains("nothing was changed: the disk is full"), "{message}");
    let changes = ask(&mut session, "changes", json!({}));
    let states =
        |at: usize| (changes["changes"][at]["state"].clone(), changes["changes"][at]["summary"].clone());
    assert_eq!(states(0), (json!("applied"), json!("census")), "{changes}");
    assert_eq!(states(1), (json!("proposed"), json!("gravestone")), "{changes}");
    assert_eq!(changes["changes"].as_array().map(Vec::len), Some(2), "{changes}");
}

#[test]
fn a_damaged_journal_is_named_with_its_line_and_what_to_do() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    ask(&mut session, "propose_edits", proposal("1911"));
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    ask(&mut session, "propose_edits", proposal("1912"));
    let journal = served.folder.path().join("family.ged.undo").join("journal.jsonl");
    let entry = fs::read_to_string(&journal).expect("a journal");
    for line in ["{}", "oops", "{\"number\":-1}", "\u{0}", &entry[..40]] {
        fs::write(&journal, format!("{entry}\n{line}\n{entry}")).expect("written");
        for (tool, arguments) in [
            ("changes", json!({})),
            ("propose_edits", proposal("1913")),
            ("apply_proposal", json!({ "number": 2 })),
            ("undo", json!({ "number": 1 })),
        ] {
            let message = fail(&mut session, tool, arguments);
            let start = format!("line 3 of the journal `{}` is damaged", journal.display());
            assert!(message.starts_with(&start), "{tool} {line}: {message}");
            assert!(message.contains("move the journal to another folder"), "{tool} {line}: {message}");
        }
    }
    // Windows editors end lines with two characters.
    fs::write(&journal, entry.replace('\n', "\r\n") + "\r\n").expect("written");
    ask(&mut session, "undo", json!({ "number": 1 }));
    fs::remove_file(&journal).expect("moved away");
    ask(&mut session, "propose_edits", proposal("1913"));
}

#[test]
fn a_journal_without_the_end_of_its_last_line_is_used_and_kept() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    ask(&mut session, "propose_edits", proposal("1911"));
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    let folder = served.folder.path().join("family.ged.undo");
    let entry = fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
    let torn = format!("{entry}{}", &entry[..40]);
    fs::write(folder.join("journal.jsonl"), &torn).expect("written");
    // A line with an end is not torn: somebody changed it.
    fs::write(folder.join("journal.jsonl"), format!("{torn}\n")).expect("written");
    assert!(fail(&mut session, "changes", json!({})).contains("line 2 of the journal"));
    fs::write(folder.join("journal.jsonl"), &torn).expect("written");
    let changes = ask(&mut session, "changes", json!({}));
    assert_eq!(changes["changes"].as_array().map(Vec::len), Some(1));
    let warning = changes["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("line 2 of the journal") && warning.contains("not complete"), "{warning}");
    ask(&mut session, "undo", json!({ "number": 1 }));
    assert_eq!(served.bytes(), FAMILY.as_bytes());
    let kept = fs::read_to_string(folder.join("journal-1-not-complete.jsonl")).expect("the old journal");
    assert_eq!(kept, torn);
    assert!(ask(&mut session, "changes", json!({})).get("warnings").is_none());
}

#[test]
fn only_people_and_families_can_be_merged() {
    let file = FAMILY.replace("0 TRLR", "0 @S2@ SOUR\n1 TITL Register\n0 TRLR");
    let served = Served::new(file);
    let mut session = served.editing();
    let message =
        fail(&mut session, "propose_merge", json!({ "reason": "x", "keep": "@S1@", "remove": "@S2@" }));
    assert!(message.contains("only people and families can be merged"), "{message}");
}

#[test]
fn no_backup_is_overwritten_after_the_journal_was_removed() {
    let served = Served::new(FAMILY);
    let folder = served.folder.path().join("family.ged.undo");
    let backup = |name: &str| fs::read_to_string(folder.join(name)).expect("a backup");
    let mut session = served.editing();
    ask(&mut session, "propose_edits", proposal("1911"));
    let applied = ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    assert_eq!(applied["backup"], "0001-before-family.ged");
    fs::remove_file(folder.join("journal.jsonl")).expect("removed");
    let mut session = served.editing();
    assert_eq!(ask(&mut session, "propose_edits", proposal("1912"))["number"], 1);
    let applied = ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    assert_eq!(applied["backup"], "0002-before-family.ged");
    ask(&mut session, "propose_edits", proposal("1913"));
    let applied = ask(&mut session, "apply_proposal", json!({ "number": 2 }));
    assert_eq!(applied["backup"], "0003-before-family.ged");
    for (name, date) in [("0001", "1910"), ("0002", "1911"), ("0003", "1912")] {
        let name = format!("{name}-before-family.ged");
        assert_eq!(backup(&name), FAMILY.replace("1910", date), "{name}");
    }
    ask(&mut session, "undo", json!({ "number": 2 }));
    ask(&mut session, "undo", json!({ "number": 1 }));
    assert_eq!(served.bytes(), FAMILY.replace("1910", "1911").as_bytes());
}

#[test]
fn the_largest_number_in_a_journal_is_no_panic() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    ask(&mut session, "propose_edits", proposal("1911"));
    ask(&mut session, "apply_proposal", json!({ "number": 1 }));
    let journal = served.folder.path().join("family.ged.undo").join("journal.jsonl");
    let entry = fs::read_to_string(&journal).expect("a journal");
    let largest = entry.replace("\"number\":1,", &format!("\"number\":{},", u64::MAX));
    fs::write(&journal, largest).expect("written");
    let message = fail(&mut session, "propose_edits", proposal("1912"));
    assert!(message.contains("has the largest number"), "{message}");
}

#[test]
fn a_full_journal_stops_a_change_before_the_file_changes() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let first = ask(&mut session, "propose_edits", proposal("1911"))["number"].clone();
    ask(&mut session, "apply_proposal", json!({ "number": first }));
    let before = served.bytes();
    // The journal has room for no more entries.
    let journal = served.folder.path().join("family.ged.undo").join("journal.jsonl");
    let entry = fs::read_to_string(&journal).expect("a journal");
    let longer = "gravestone".to_owned() + &"!".repeat((16 << 20) - entry.len());
    fs::write(&journal, entry.replace("gravestone", &longer)).expect("written");
    let second = ask(&mut session, "propose_edits", proposal("1912"))["number"].clone();
    let message = fail(&mut session, "apply_proposal", json!({ "number": second }));
    assert!(message.contains("family.ged.undo") && message.contains("is full"), "{message}");
    assert_eq!(served.bytes(), before);
    // Everything else goes on.
    ask(&mut session, "changes", json!({}));
    ask(&mut session, "undo", json!({ "number": first }));
    assert_eq!(served.bytes(), FAMILY.as_bytes());
}

#[test]
fn a_merge_says_that_a_change_date_is_left_out() {
    let again =
        "0 @I9@ INDI\n1 NAME Ida /Berg/\n1 DEAT Y\n1 CHAN\n2 DATE 2 JAN 2002\n2 NOTE checked\n0 TRLR\n";
    let file =
        FAMILY.replace("1 DEAT Y\n1 FAMC @F1@\n", "1 DEAT Y\n1 FAMC @F1@\n1 CHAN\n2 DATE 1 JAN 2001\n");
    let served = Served::new(file.replace("0 TRLR\n", again));
    let merge = json!({ "reason": "the same register", "keep": "@I3@", "remove": "@I9@" });
    let proposed = ask(&mut served.editing(), "propose_merge", merge);
    assert_eq!(proposed["conflicts"], json!(["CHAN was left out"]), "{proposed}");
}

#[test]
fn a_proposal_says_which_facts_would_be_impossible() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let proposed = ask(&mut session, "propose_edits", proposal("1840"));
    let cause = &proposed["causes"][0];
    assert_eq!(
        (&cause["code"], &cause["class"], &cause["line_after"]),
        (&json!("P01"), &json!("question"), &json!(16))
    );
    assert!(cause["message"].as_str().expect("a text").contains("died in 1840"), "{proposed}");
    ask(&mut session, "apply_proposal", json!({ "number": proposed["number"] }));
    let proposed = ask(&mut session, "propose_edits", proposal("1910"));
    assert_eq!(
        (&proposed["total_findings"], &proposed["total_removed"]),
        (&json!(0), &json!(3)),
        "{proposed}"
    );
    let removed = &proposed["removes"][0];
    assert_eq!((&removed["code"], &removed["cite"]), (&json!("P01"), &json!("family.ged:16")), "{proposed}");
    // An insertion, a replacement and a merge are asked about too.
    let fact = json!({ "reason": "x", "record": "@I2@", "kind": "occupation", "value": "x", "date": "1930" });
    let proposed = ask(&mut session, "propose_fact", fact);
    assert!(proposed["causes"][0]["code"].as_str().is_some_and(|code| code.starts_with('P')), "{proposed}");
    let text = String::from_utf8(served.bytes()).expect("UTF-8");
    let added =
        usize::try_from(proposed["causes"][0]["line_after"].as_u64().expect("a line")).expect("small");
    let karl = text.lines().position(|line| line == "0 @I2@ INDI").expect("a line");
    assert!((karl..karl + 12).contains(&added), "{proposed}");
    let replaced = json!({ "reason": "x", "tags": ["DATE"], "from": "1848", "to": "1948" });
    let proposed = ask(&mut session, "propose_replacement", replaced);
    assert!(proposed["causes"].to_string().contains("question"), "{proposed}");
}

#[test]
fn nobody_learns_dates_of_the_hidden_by_proposing_others() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    let mut with_living = served.with(|options| options.with_living(true).with_edits(true));
    // Max, who is hidden, was born in 1990.
    for date in ["1880", "1985", "1995", "2010"] {
        let edits = json!([{ "op": "set", "path": "@I3@/BIRT/DATE", "value": date }]);
        let proposal = json!({ "reason": "x", "edits": edits });
        let proposed = ask(&mut session, "propose_edits", proposal.clone());
        assert_eq!(proposed["questions_were_asked"], true, "{proposed}");
        let text = proposed["causes"].to_string();
        assert!(!text.contains("I4") && !text.contains("1990") && !text.contains("child"), "{date}: {text}");
        let text = ask(&mut with_living, "propose_edits", proposal)["causes"].to_string();
        assert!(text.contains("1990"), "{date}: {text}");
    }
}

#[test]
fn a_fact_stands_where_a_standard_allows_it_and_says_what_happened() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    for (fact, added) in [
        (json!({ "kind": "residence", "note": "in the mill" }), json!(["1 RESI", "2 NOTE in the mill"])),
        (json!({ "kind": "baptism", "note": "x" }), json!(["1 BAPM", "2 NOTE x"])),
        (json!({ "kind": "baptism" }), json!(["1 BAPM Y"])),
        (json!({ "kind": "_MILT", "date": "1900" }), json!(["1 _MILT", "2 DATE 1900"])),
        (json!({ "kind": "occupation", "value": "Miller" }), json!(["1 OCCU Miller"])),
    ] {
        let mut fact = fact;
        (fact["reason"], fact["record"]) = (json!("x"), json!("@I3@"));
        let proposed = ask(&mut session, "propose_fact", fact);
        assert_eq!(proposed["changes"][0]["added"], added, "{proposed}");
    }
    for (record, kind, part) in [
        ("@I3@", "residence", "`RESI` needs a date, a place, a value, a note or a source"),
        ("@I3@", "_MILT", "`_MILT` needs a date"),
        ("@F1@", "birth", "`BIRT` does not belong in a FAM record"),
        ("@I3@", "marriage", "`MARR` does not belong in an INDI record"),
        ("@S1@", "death", "`DEAT` does not belong in a SOUR record"),
        ("@I77@", "death", "no record has the identifier @I77@"),
    ] {
        let message =
            fail(&mut session, "propose_fact", json!({ "reason": "x", "record": record, "kind": kind }));
        assert!(message.contains(part), "{record} {kind}: {message}");
    }
    let edits = json!([{ "op": "insert", "under": "@F1@", "tag": "BIRT", "value": "Y" }]);
    let proposed = ask(&mut session, "propose_edits", json!({ "reason": "x", "edits": edits }));
    assert!(proposed["causes"].to_string().contains("BIRT"), "{proposed}");
}

#[test]
fn a_merge_that_would_show_somebody_is_refused_when_it_is_proposed() {
    // Nobody knows when the father was born, so his child may be living.
    let again = "0 @I7@ INDI\n1 NAME Karl /Berg/\n1 SEX M\n1 DEAT Y\n1 FAMS @F7@\n0 @I8@ INDI\n1 NAME Rosa /Berg/\n\
        1 FAMC @F7@\n0 @F7@ FAM\n1 HUSB @I7@\n1 CHIL @I8@\n0 TRLR\n";
    let served = Served::new(FAMILY.replace("2 DATE 1848", "2 DATE 1748").replace("0 TRLR\n", again));
    let mut session = served.editing();
    assert_eq!(ask(&mut session, "person", json!({ "id": "@I8@" }))["person"]["hidden"], true);
    let merge = json!({ "reason": "x", "keep": "@I2@", "remove": "@I7@" });
    let message = fail(&mut session, "propose_merge", merge.clone());
    assert!(message.contains("would no longer count as living"), "{message}");
    let mut session = served.with(|options| options.with_living(true).with_edits(true));
    ask(&mut session, "propose_merge", merge);
}

#[test]
fn the_encoding_is_not_replaced() {
    let message = fail(
        &mut Served::new(FAMILY).editing(),
        "propose_replacement",
        json!({ "reason": "x", "tags": ["CHAR"], "from": "UTF-8", "to": "ANSEL" }),
    );
    assert!(message.contains("elf convert"), "{message}");
}
