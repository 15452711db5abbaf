//! Vendor tags: the built-in dictionary, and what follows from types.

use crate::shell::{self, json, run, run_with, status, stderr, stdout};
use std::path::PathBuf;

/// A file with tags of Family Tree Maker: a fact with a label, military service, and ties to the parents.
const FTM: &[u8] = b"0 HEAD\n1 SOUR FTW\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n1 _SCHEMA\n\
    2 INDI\n3 _FA1\n4 LABL Ordained deacon\n3 _FA2\n4 LABL Fact 2\n0 @I1@ INDI\n1 NAME Ann /Lee/\n\
    1 _FA1 by the bishop\n2 DATE 3 MAR 1900\n2 PLAC York\n1 _MILT\n2 DATE 1915\n1 FAMC @F1@\n\
    0 @I2@ INDI\n1 NAME Bea /Lee/\n0 @F1@ FAM\n1 WIFE @I2@\n1 CHIL @I1@\n2 _FREL Natural\n2 _MREL Step\n0 TRLR\n";

/// Writes a file into the folder of the tests and returns its path.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("vendor-{name}"));
    std::fs::write(&path, bytes).expect("a file");
    path
}

/// The tags and types of all structures in records.
fn types(args: &[&str], bytes: &[u8]) -> Vec<(String, String)> {
    let output = run_with(&[&["table", "structures", "--format", "json"], args, &["-"]].concat(), bytes);
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let rows = json(&output);
    let in_records = rows.iter().filter(|row| !text(&row["path"]).starts_with("HEAD"));
    in_records.map(|row| (text(&row["tag"]), text(&row["type"]))).collect()
}

#[test]
fn known_tags_are_counted_and_not_reported() {
    let lines = json(&run_with(&["check", "--format", "json", "-"], FTM));
    assert!(lines.iter().all(|line| line["code"] != "E0415"), "{lines:?}");
    let summary = &lines.last().expect("a summary")["summary"];
    assert!(summary["vendor"].as_u64().is_some_and(|count| count > 5), "{summary}");
    let lines = json(&run_with(&["check", "--format", "json", "--schema", "completed", "-"], FTM));
    assert_eq!(lines.last().expect("a summary")["summary"]["vendor"], serde_json::Value::Null);
}

#[test]
fn a_tag_without_underscore_is_known_in_files_of_its_producers_only() {
    let with = |producer: &str| {
        let file =
            format!("0 HEAD\n1 SOUR {producer}\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 QUAY 1\n0 TRLR\n");
        let lines = json(&run_with(&["check", "--format", "json", "-"], file.as_bytes()));
        lines.iter().any(|line| line["code"] == "E0415")
    };
    assert!(!with("BROSKEEP") && with("Nobody") && with("PAF"));
}

#[test]
fn info_lists_vendor_tags_with_their_meaning() {
    let info = &json(&run_with(&["info", "--format", "json", "-"], FTM))[0];
    let rows = info["vendor"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["tags"][0] == "_FREL").expect("a row");
    assert_eq!(row["count"], 1);
    assert_eq!(row["meaning"], "Kind of relationship of the child to the father");
    assert!(stdout(&run_with(&["info", "-"], FTM)).contains("vendor tags"));
}

#[test]
fn statistics_list_vendor_tags_of_all_files_as_info_does() {
    let path = file("statistics.ged", FTM);
    let path = path.to_string_lossy();
    let info = &json(&run(&["info", "--format", "json", &path]))[0]["vendor"];
    let once = json(&run(&["check", "--statistics", "--format", "json", &path]));
    let rows: Vec<_> = once.iter().map(|line| line["vendor"].clone()).filter(|row| !row.is_null()).collect();
    assert_eq!(info, &serde_json::Value::from(rows));
    let twice = json(&run(&["check", "--statistics", "--format", "json", &path, &path]));
    let row = twice.iter().find(|line| line["vendor"]["tags"][0] == "_MREL").expect("a row");
    assert_eq!(row["vendor"]["count"], 2);
    let text = stdout(&run(&["check", "--statistics", &path]));
    let line = "1  _FREL: Kind of relationship of the child to the father (";
    assert!(text.contains(line) && text.contains("\nvendor tags  "), "{text}");
    let without = run(&["check", "--statistics", "--schema", "completed", &path]);
    assert!(!stdout(&without).contains("vendor tags"));
}

#[test]
fn a_tag_is_explained() {
    let page = stdout(&run(&["explain", "_frel"]));
    assert!(page.starts_with("_FREL is a vendor tag"), "{page}");
    assert!(page.contains("FAM/CHIL") && page.contains("Family Tree Maker"), "{page}");
    let rows = json(&run(&["explain", "_MILT", "--format", "json"]));
    assert_eq!(rows[0]["tag"], "_MILT");
    // Standard tags, and where programs write them elsewhere.
    let page = stdout(&run(&["explain", "BIRT"]));
    assert!(
        page.contains(
            "elf:BIRTH\n  a kind of  elf:IndividualEvent\n  under      elf:INDIVIDUAL_RECORD (INDI)"
        ),
        "{page}"
    );
    let page = stdout(&run(&["explain", "name"]));
    assert!(
        page.starts_with("NAME is a tag of GEDCOM 5.5.1.\n") && page.contains("\nPrograms also write NAME"),
        "{page}"
    );
    let rows = json(&run(&["explain", "TYPE", "--format", "json"]));
    assert_eq!((&rows[0]["tag"], &rows[0]["standard"]), (&"TYPE".into(), &"GEDCOM 5.5.1".into()));
    for tag in ["SNOTE", "SDATE", "INIL", "NO"] {
        let page = stdout(&run(&["explain", tag]));
        assert!(page.starts_with(&format!("{tag} is a tag of GEDCOM 7.0.\n")), "{page}");
        assert!(page.contains(&format!("\nPrograms also write {tag}")), "{page}");
        assert!(!page.contains("no standard defines it"), "{page}");
    }
    let rows = json(&run(&["explain", "SNOTE", "--format", "json"]));
    let of_vendors: Vec<_> = rows.iter().filter(|row| row["standard"].is_null()).collect();
    assert!(!of_vendors.is_empty() && of_vendors.iter().all(|row| row["place"].is_string()), "{rows:?}");
    assert!(rows.iter().all(|row| row.get("standard").is_some()), "{rows:?}");
    assert_eq!(status(&run(&["explain", "_NOSUCHTAG"])), 2);
}

#[test]
fn a_dictionary_is_printed_and_read_as_a_schema() {
    let printed = run(&["schema", "--vendor", "rootsmagic", "--format", "elf"]);
    assert!(stdout(&printed).contains("TAG _EVDEF elf:Document"), "{}", stdout(&printed));
    let listed = stdout(&run(&["schema", "--vendor", "rootsmagic"]));
    let (mut met, mut of) = (std::collections::BTreeSet::new(), "");
    for line in listed.lines() {
        if !line.starts_with(' ') {
            of = line;
        } else if line.contains(" in ") {
            assert!(met.insert((of, line)), "{of}: {line}");
        }
    }
    let path = file("reunion.elf", &run(&["schema", "--vendor", "Reunion", "--format", "elf"]).stdout);
    let added = format!("completed+{}", path.display());
    let found = types(&["--schema", &added], b"0 HEAD\n0 @I1@ INDI\n1 _PURC\n2 DATE 1900\n1 BIRT\n0 TRLR\n");
    let expected = ["elf/vendor/_PURC", "elf/DATE_VALUE", "elf/BIRTH"];
    for (expected, (_, found)) in expected.iter().zip(found.iter().skip(1)) {
        assert!(found.ends_with(expected), "{found}");
    }
    let unknown = run(&["schema", "--vendor", "nobody"]);
    assert_eq!(status(&unknown), 2);
    assert!(stderr(&unknown).contains("rootsmagic"), "{}", stderr(&unknown));
}

#[test]
fn additions_may_mention_types_of_the_schema_that_they_are_added_to() {
    let definition = |above: &str| {
        let text = format!(
            "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI https://e.example/Shoe\n\
             3 ISA elf:IndividualAttribute\n3 TAG _SHOE elf:{above}\n0 TRLR\n"
        );
        format!("completed+{}", file("addition.elf", text.as_bytes()).display())
    };
    let check = |above: &str| stderr(&run_with(&["info", "--schema", &definition(above), "-"], FTM));
    assert_eq!(check("INDIVIDUAL_RECORD"), "");
    // The labels of the file apply as they do without additions.
    assert_eq!(types(&["--schema", &definition("INDIVIDUAL_RECORD")], FTM), types(&[], FTM));
    let misspelled = check("INDIVIDUAL_RECROD");
    assert!(misspelled.contains("E0412") && misspelled.contains("INDIVIDUAL_RECROD"), "{misspelled}");
}

#[test]
fn why_names_the_dictionary() {
    let why = stdout(&run(&["schema", "--why", "INDI/_MILT/DATE"]));
    assert!(why.contains("the built-in dictionary `vendor` for all producers"), "{why}");
    let why = stdout(&run_with(&["schema", "-", "--why", "INDI/_FA1"], FTM));
    assert!(why.contains("the header, line 9"), "{why}");
    let why = stdout(&run_with(&["schema", "-", "--why", "INDI/_FA2"], FTM));
    assert!(why.contains("the built-in dictionary `vendor` for Family Tree Maker"), "{why}");
}

#[test]
fn events_under_vendor_tags_are_in_the_table_with_their_names() {
    let rows = json(&run_with(&["table", "events", "--format", "json", "-"], FTM));
    let kinds: Vec<_> =
        rows.iter().map(|row| (row["tag"].as_str(), row["kind"].as_str(), row["date"].as_str())).collect();
    assert_eq!(
        kinds,
        [
            (Some("_FA1"), Some("Ordained deacon"), Some("3 MAR 1900")),
            (Some("_MILT"), Some("Military service"), Some("1915")),
        ]
    );
    assert_eq!(rows[0]["place"], "York");
}

#[test]
fn events_named_by_type_keep_their_name() {
    for (producer, definition) in [
        (
            "RootsMagic",
            "0 _EVDEF Apprenticeship\n1 TYPE P\n1 TITL Apprenticeship\n1 ABBR Appr\n1 ROLE Master\n2 SENT x\n1 DATE Y\n",
        ),
        (
            "Legacy",
            "0 _EVENT_DEFN Apprenticeship\n1 TYPE I\n1 TITL Apprenticeship\n1 _SEN1 x\n1 ROLE Witness\n2 _DEF Y\n",
        ),
    ] {
        let file = format!(
            "0 HEAD\n1 SOUR {producer}\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A /B/\n1 EVEN\n2 TYPE Apprenticeship\n\
             2 DATE 1900\n{definition}0 TRLR\n"
        );
        let rows = json(&run_with(&["table", "events", "--format", "json", "-"], file.as_bytes()));
        assert_eq!(rows[0]["kind"], "Apprenticeship", "{producer}");
        let undefined = &json(&run_with(&["info", "--format", "json", "-"], file.as_bytes()))[0]["undefined"];
        assert_eq!(undefined.as_object().map(serde_json::Map::len), Some(0), "{producer}: {undefined}");
    }
}

#[test]
fn differences_name_the_fact_that_they_are_in() {
    let with = |date: &str| {
        format!(
            "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 EVEN\n2 TYPE Apprenticeship\n2 DATE {date}\n1 BIRT\n2 DATE {date}\n\
             2 SOUR x\n3 EVEN BIRT\n0 TRLR\n"
        )
    };
    let [one, two] = [("kind-a.ged", "1875"), ("kind-b.ged", "1876")]
        .map(|(name, date)| file(name, with(date).as_bytes()));
    let args = ["diff", &*one.to_string_lossy(), &*two.to_string_lossy()];
    let text = stdout(&run(&args));
    assert!(
        text.contains("@I1@/EVEN/DATE (Apprenticeship)\n") && text.contains("@I1@/BIRT/DATE\n"),
        "{text}"
    );
    let rows = json(&run(&[&args[..], &["--format", "json"]].concat()));
    assert_eq!(
        (&rows[0]["a"]["kind"], &rows[0]["b"]["kind"]),
        (&"Apprenticeship".into(), &"Apprenticeship".into())
    );
    assert_eq!(rows[1]["a"]["kind"], serde_json::Value::Null);
}

/// The line of the only structure at a path, as `elf show` finds it.
fn line_at(path: &str, file: &str) -> String {
    let output = run(&["show", file, "--form", "typed", "--format", "tsv", "--at", path]);
    let text = stdout(&output);
    let row = text.lines().nth(1);
    assert!(row.is_some(), "{path}: {}", stderr(&output));
    let row = row.unwrap_or_default();
    row.rsplit('\t').next().expect("a column").to_owned()
}

#[test]
fn a_path_with_a_type_names_the_same_structure_in_all_commands() {
    let birth_last = String::from_utf8_lossy(FTM).replace("1 FAMC", "1 BIRT\n2 DATE 1880\n1 FAMC");
    let file = file("paths.ged", birth_last.as_bytes());
    let file = &*file.to_string_lossy();
    for path in ["@I1@/elf:IndividualEvent[1]/DATE", "@I1@/elf:Event[2]/DATE", "@I1@/vendor:INDI-_MILT/DATE"]
    {
        let line = line_at(path, file);
        let edited = run(&["edit", file, "--set", &format!("{path}=1 JAN 1870"), "--diff"]);
        let diff = stdout(&edited);
        let at = diff.lines().find_map(|line| line.strip_prefix("@@ -")).unwrap_or_else(|| {
            panic!("{path}: {diff} {}", stderr(&edited));
        });
        assert_eq!(at.split([',', ' ']).next(), Some(&*line), "{path}: {diff}");
    }
    let replaced = run(&["replace", "--in", "elf:Event", "by the bishop", "by a priest", file, "-o", "-"]);
    assert!(stdout(&replaced).contains("1 _FA1 by a priest\n"), "{}", stderr(&replaced));
    let found = stdout(&run(&["find", file, "--has", "vendor:INDI-_MILT", "--format", "ids"]));
    assert_eq!(found, "@I1@\n");
}

#[test]
fn files_are_compared_by_the_names_of_their_facts() {
    let one = file("labels-a.ged", FTM);
    let with = |from: &str, to: &str| {
        let text = String::from_utf8_lossy(FTM).replace(from, to);
        file("labels-b.ged", text.as_bytes()).to_string_lossy().into_owned()
    };
    let one = &*one.to_string_lossy();
    // The same label under another number.
    let two = with("_FA1", "_FA7");
    let rows = json(&run(&["diff", one, &two, "--format", "json"]));
    assert_eq!((rows.len(), &rows[0]["summary"]["differences"]), (1, &0.into()), "{rows:?}");
    // Another label: the label, and the fact with either name.
    let rows = json(&run(&["diff", one, &with("Ordained deacon", "Ordained priest"), "--format", "json"]));
    assert_eq!((rows.len(), &rows[3]["summary"]["differences"]), (4, &3.into()), "{rows:?}");
    // The name of the fact is the one in the table of events.
    let rows = json(&run(&["diff", one, &with("3 MAR 1900", "4 MAR 1900"), "--format", "json"]));
    assert_eq!(rows[0]["a"]["kind"], "Ordained deacon", "{rows:?}");
    assert_eq!(rows[0]["a"]["type"], "https://terms.fhiso.org/elf/DATE_VALUE");
    let rows = json(&run(&["diff", one, &with("2 DATE 1915", "2 DATE 1916"), "--format", "json"]));
    assert_eq!(rows[0]["a"]["kind"], "Military service", "{rows:?}");
    // Without the dictionary, nobody knows what it means.
    let args =
        ["diff", one, &with("2 DATE 1915", "2 DATE 1916"), "--format", "json", "--schema", "completed"];
    assert_eq!(json(&run(&args))[0]["a"]["kind"], serde_json::Value::Null);
}

#[test]
fn facts_of_the_user_s_own_have_their_names_everywhere() {
    for (name, own) in [
        ("family-tree-maker.ged", "Ordained deacon"),
        ("rootsmagic.ged", "Apprenticeship"),
        ("legacy.ged", "Apprenticeship"),
    ] {
        let path = shell::file(name);
        let undefined = &json(&run(&["info", "--format", "json", &path]))[0]["undefined"];
        assert_eq!(undefined.as_object().map(serde_json::Map::len), Some(0), "{name}: {undefined}");
        let rows = json(&run(&["table", "events", "--format", "json", &path]));
        let kinds: Vec<&str> = rows.iter().filter_map(|row| row["kind"].as_str()).collect();
        let report = stdout(&run(&["report", &path, "--no-config", "-o", "-"]));
        let tree = &json(&run(&["tree", &path, "@I1@", "--format", "json"]))[0]["tree"];
        let drawn = stdout(&run(&["tree", &path, "@I1@", "--format", "svg"]));
        for own in [own, "Military service", "Handfasting"] {
            assert!(kinds.contains(&own), "{name}: {own}: {kinds:?}");
            assert!(report.contains(&format!("<dt><bdi>{own}</bdi></dt>")), "{name}: {own}");
            let in_tree = own.replace("Military", "military");
            assert!(tree.to_string().contains(&format!("\"name\":\"{in_tree}\"")), "{name}: {own}: {tree}");
        }
        assert!(drawn.contains(&format!("\n{own} 18")), "{name}: {drawn}");
        // What they say comes back from GEDCOM 7.0.
        let seven = run(&["convert", &path, "--to-rules", "gedcom-7", "-o", "-", "--allow-loss"]).stdout;
        assert!(String::from_utf8_lossy(&seven).contains(&format!("2 TYPE {own}\n")), "{name}");
        let args = ["convert", "-", "--to-rules", "gedcom-5.5.1", "-o", "-", "--allow-loss"];
        let back = file(name, &run_with(&args, &seven).stdout);
        let differences = json(&run(&["diff", "--format", "json", &path, &back.to_string_lossy()]));
        let others: Vec<_> = differences.iter().filter(|one| one["difference"].is_string()).collect();
        assert!(others.is_empty(), "{name}: {others:?}");
    }
}

#[test]
fn flags_and_attributes_of_family_historian_have_types_and_names() {
    let file =
        b"0 HEAD\n1 SOUR FAMILY_HISTORIAN\n1 CHAR UTF-8\n0 @I1@ INDI\n1 _FLGS\n2 __1881_CENSUS 1881 Census\n\
        1 _ATTR 6 ft\n2 TYPE Height\n1 BIRT\n2 _FLGS\n3 __DOUBTFUL Doubtful\n0 TRLR\n";
    let types = types(&[], file);
    let flags = types.iter().filter(|(tag, of)| tag.starts_with("__") && of.ends_with("vendor/_FLGS-flag"));
    assert_eq!(flags.count(), 2, "{types:?}");
    let rows = json(&run_with(&["table", "events", "--format", "json", "-"], file));
    assert_eq!((&rows[0]["kind"], &rows[0]["value"]), (&"Height".into(), &"6 ft".into()));
    // The definitions that are written down have the flags of the file.
    let path = self::file("flags.ged", file);
    let inferred = stdout(&run(&["schema", &path.to_string_lossy(), "--infer", "--format", "elf"]));
    assert!(inferred.contains("TAG __1881_CENSUS vendor:INDI-_FLGS"), "{inferred}");
}

#[test]
fn labels_of_facts_stay_in_a_redaction_unless_they_hold_a_person() {
    let redacted = stdout(&run(&["redact", &shell::file("family-tree-maker.ged"), "-o", "-"]));
    assert!(redacted.contains("2 INDI\n3 _FREL\n4 LABL Relationship to father\n"), "{redacted}");
    let file = String::from_utf8_lossy(FTM).replace("3 _FA2\n", "3 NAME Zoe /Lee/\n3 _FA2\n");
    let redacted = stdout(&run_with(&["redact", "-", "-o", "-"], file.as_bytes()));
    assert!(!redacted.contains("Zoe"), "{redacted}");
}

#[test]
fn a_private_fact_or_person_stays_private() {
    for notice in ["_PRIVATE Y", "_PRIVATE", "_PRIV Y", "_LIVING Y", "_CONF_FLAG"] {
        let file = format!(
            "0 HEAD\n1 SOUR TNG\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n\
             1 NAME Ann /Lee/\n1 BIRT\n2 DATE 1700\n1 DEAT\n2 DATE 1750\n1 {notice}\n0 TRLR\n"
        );
        let redacted = stdout(&run_with(&["redact", "-", "-o", "-"], file.as_bytes()));
        assert!(!redacted.contains("Ann"), "{notice}: {redacted}");
    }
}

#[test]
fn ties_to_parents_become_pedi_in_gedcom_7() {
    let written =
        stdout(&run_with(&["convert", "-", "--to-rules", "gedcom-7", "-o", "-", "--allow-loss"], FTM));
    assert!(
        written.contains(
            "1 FAMC @F1@\n2 PEDI OTHER\n3 _VENDOR _FREL father: Natural, mother: Step\n3 PHRASE father: Natural, mother: Step\n"
        ),
        "{written}"
    );
    assert!(
        written.contains("1 EVEN by the bishop\n2 DATE 3 MAR 1900\n2 PLAC York\n2 TYPE Ordained deacon\n"),
        "{written}"
    );
    assert!(written.contains("2 TAG _FREL https://terms.fhiso.org/elf/vendor/FAM-CHIL-_FREL\n"), "{written}");
    let back = ["convert", "-", "--to-rules", "gedcom-5.5.1", "-o", "-", "--allow-loss"];
    let back = run_with(&back, written.as_bytes());
    assert!(stdout(&back).contains("1 CHIL @I1@\n2 _FREL Natural\n2 _MREL Step\n"), "{}", stdout(&back));
    assert!(!stdout(&back).contains("PEDI"), "{}", stdout(&back));
    // A PEDI that somebody changed stays.
    let changed = written.replace("3 PHRASE father: Natural, mother: Step", "3 PHRASE by the state");
    let args = ["convert", "-", "--to-rules", "gedcom-5.5.1", "-o", "-", "--allow-loss"];
    let back = stdout(&run_with(&args, changed.as_bytes()));
    assert!(back.contains("2 PEDI by the state\n"), "{back}");
}

#[test]
fn definitions_are_written_and_give_the_same_types_without_the_dictionary() {
    let before = types(&[], FTM);
    assert!(before.len() > 10, "{before:?}");
    for rules in ["2019-01", "2019-12", "declarative"] {
        let written =
            run_with(&["convert", "-", "--to-rules", rules, "--define", "-o", "-", "--allow-loss"], FTM);
        let text = stdout(&written);
        assert!(text.contains("INDI#Ordained%20deacon"), "{rules}: {text}");
        assert!(text.lines().count() < 80, "{rules}: {text}");
        let after = types(&["--rules", rules], &written.stdout);
        assert_eq!(after, before, "{rules}: {text}");
    }
    // The others have no place for supertypes.
    for rules in ["gedcom-7", "gedcom-5.5.1", "2017-10", "2017-07"] {
        let refused = run_with(&["convert", "-", "--to-rules", rules, "--define", "-o", "-"], FTM);
        assert_eq!(status(&refused), 2, "{rules}");
        assert!(stderr(&refused).contains("2019-12"), "{rules}: {}", stderr(&refused));
    }
}

#[test]
fn added_definitions_are_written_as_far_as_they_are_in_use() {
    let additions = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n\
        2 IRI https://e.example/Shoe\n3 ISA elf:IndividualAttribute\n3 TAG _SHOE elf:INDIVIDUAL_RECORD\n\
        2 IRI https://e.example/Hat\n3 ISA elf:IndividualAttribute\n3 TAG _HAT elf:INDIVIDUAL_RECORD\n0 TRLR\n";
    let schema = format!("completed+{}", file("addition-in-use.elf", additions.as_bytes()).display());
    let text = String::from_utf8_lossy(FTM).replace("1 _FA1", "1 _SHOE 39\n2 DATE 1900\n1 _FA1");
    let before = types(&["--schema", &schema], text.as_bytes());
    let of_shoe = |types: &[(String, String)]| {
        let at = types.iter().position(|(tag, _)| tag == "_SHOE").expect("a shoe");
        types[at..at + 2].to_vec()
    };
    assert_eq!(of_shoe(&before)[1].1, "https://terms.fhiso.org/elf/DATE_VALUE");
    for rules in ["2019-01", "2019-12", "declarative"] {
        for define in [&[][..], &["--define"]] {
            let args = ["convert", "-", "--to-rules", rules, "--schema", &schema, "-o", "-"];
            let written = run_with(&[&args, define].concat(), text.as_bytes());
            assert_eq!(status(&written), 0, "{rules} {define:?}: {}", stderr(&written));
            let out = stdout(&written);
            assert!(out.contains("TAG _SHOE elf:INDIVIDUAL_RECORD\n"), "{rules} {define:?}: {out}");
            assert!(!out.contains("_HAT"), "{rules} {define:?}: {out}");
            let after = types(&["--rules", rules], &written.stdout);
            match define {
                [] => assert_eq!(of_shoe(&after), of_shoe(&before), "{rules}: {out}"),
                _ => assert_eq!(after, before, "{rules}: {out}"),
            }
        }
    }
    // A dictionary of 2017 has no supertypes.
    let refused =
        run_with(&["convert", "-", "--to-rules", "2017-10", "--schema", &schema, "-o", "-"], text.as_bytes());
    assert_eq!(status(&refused), 2);
    assert!(stderr(&refused).contains("2019-12"), "{}", stderr(&refused));
}

#[test]
fn definitions_are_inferred_and_proposed() {
    let path = file("infer.ged", &[FTM, b"0 @I3@ INDI\n1 _MILTX\n1 _QZX 7\n"].concat());
    let printed = run(&["schema", &path.to_string_lossy(), "--infer", "--format", "elf"]);
    let text = stdout(&printed);
    assert!(text.contains("2 IRI vendor:HEAD-_SCHEMA-LABL\n3 TAG LABL vendor:HEAD-_SCHEMA-tag\n"), "{text}");
    assert!(text.contains("3 TAG _MILT elf:INDIVIDUAL_RECORD") && !text.contains("TAG BIRT"), "{text}");
    assert!(text.contains("2 IRI proposed:INDI-_MILTX\n3 ISA elf:IndividualEvent\n"), "{text}");
    assert!(text.contains("2 IRI proposed:INDI-_QZX\n3 TAG _QZX"), "{text}");
    let note = stderr(&printed);
    assert!(note.contains("`_MILTX` is defined nowhere") && note.contains("like `_MILT`"), "{note}");
}

#[test]
fn documented_tags_of_gedcom_7_have_supertypes() {
    let file =
        b"0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _MILT https://terms.fhiso.org/elf/vendor/INDI-_MILT\n\
        0 @I1@ INDI\n1 _MILT\n2 DATE 1915\n0 TRLR\n";
    let rows = json(&run_with(&["table", "events", "--format", "json", "-"], file));
    assert_eq!((&rows[0]["date"], &rows[0]["kind"]), (&"1915".into(), &"Military service".into()));
}

/// Converts a file to GEDCOM 7.0 and back to GEDCOM 5.5.1, and returns both.
fn to_7_and_back(file: &str) -> [String; 2] {
    let to_7 = ["convert", "-", "--to-rules", "gedcom-7", "-o", "-", "--allow-loss"];
    let seven = stdout(&run_with(&to_7, file.as_bytes()));
    let back = ["convert", "-", "--to-rules", "gedcom-5.5.1", "-o", "-", "--allow-loss"];
    let output = run_with(&back, seven.as_bytes());
    assert!(!stderr(&output).contains("undocumented"), "{}", stderr(&output));
    [seven, stdout(&output)]
}

/// The tags with an underscore, in the records of a file and in SCHMA.
fn extension_tags(file: &str) -> [std::collections::BTreeSet<&str>; 2] {
    let used = file.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let first = words.next()?;
        let tag = if first.starts_with('@') { words.next()? } else { first };
        tag.starts_with('_').then_some(tag)
    });
    let documented = file.lines().filter_map(|line| line.strip_prefix("2 TAG ")?.split(' ').next());
    [used.collect(), documented.collect()]
}

#[test]
fn every_extension_tag_of_gedcom_7_is_documented() {
    let file = "0 HEAD\n1 SOUR FAMILY_HISTORIAN\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
        0 @I1@ INDI\n1 NAME Ann /Lee/\n1 _FLGS\n2 __1881_CENSUS 1881 Census\n2 __DOUBTFUL Doubtful\n1 _MILT\n2 DATE 1915\n\
        1 _QZX 7\n2 _SUB 8\n1 _UID 1234\n1 _FA2 a\n0 @F1@ FAM\n1 WIFE @I1@\n1 _FA2 b\n1 _QZX 9\n0 @X1@ _QZY\n1 NOTE x\n0 TRLR\n";
    let [seven, back] = to_7_and_back(file);
    let [used, documented] = extension_tags(&seven);
    assert_eq!(used, documented, "{seven}");
    for line in [
        "__DOUBTFUL https://terms.fhiso.org/elf/vendor/_FLGS-flag#__DOUBTFUL",
        "_QZX https://terms.fhiso.org/elf/proposed/INDI-_QZX",
        "_QZX https://terms.fhiso.org/elf/proposed/FAM-_QZX",
        "_SUB https://terms.fhiso.org/elf/proposed/_QZX-_SUB",
        "_QZY https://terms.fhiso.org/elf/proposed/record-_QZY",
        "_FA2 https://terms.fhiso.org/elf/vendor/INDI-_FA2",
        "_FA2 https://terms.fhiso.org/elf/vendor/FAM-_FA2",
        "_VENDOR https://terms.fhiso.org/elf/vendor/_VENDOR",
    ] {
        assert!(seven.contains(&format!("2 TAG {line}\n")), "{line}: {seven}");
    }
    assert!(!seven.contains("Undefined"), "{seven}");
    // The same tag has the type of its place.
    let of = |tag: &str| {
        let types = types(&[], seven.as_bytes());
        types.into_iter().filter(|(one, _)| one == tag).map(|(_, of)| of).collect::<Vec<_>>()
    };
    let iri = |name: &str| format!("https://terms.fhiso.org/elf/{name}");
    assert_eq!(of("_FA2"), [iri("vendor/INDI-_FA2"), iri("vendor/FAM-_FA2")]);
    assert_eq!(of("_QZX"), [iri("proposed/INDI-_QZX"), iri("proposed/FAM-_QZX")]);
    for line in ["2 __DOUBTFUL Doubtful\n", "1 _QZX 7\n2 _SUB 8\n1 _UID 1234\n", "0 @X1@ _QZY\n1 NOTE x\n"] {
        assert!(back.contains(line), "{line}: {back}");
    }
}

#[test]
fn what_stands_under_vendor_tags_of_gedcom_7_has_types_and_is_counted() {
    let file = "0 HEAD\n1 SOUR RootsMagic\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
        0 @I1@ INDI\n1 NAME Ann /Lee/\n1 _WEBTAG\n2 NAME Page\n2 URL https://e.example/\n\
        0 _EVDEF Bells\n1 TYPE P\n1 TITL Bells\n1 ABBR Bell\n1 ROLE Ringer\n2 SENT x\n0 TRLR\n";
    let [seven, back] = to_7_and_back(file);
    let found = types(&[], seven.as_bytes());
    for (tag, of) in &found {
        assert!(!of.contains("Undefined"), "{tag} is {of}: {seven}");
    }
    assert!(
        found.contains(&("ABBR".into(), "https://terms.fhiso.org/elf/vendor/_EVDEF-ABBR".into())),
        "{found:?}"
    );
    assert!(back.contains("2 URL https://e.example/\n"), "{back}");
    let rows = json(&run_with(&["check", "--statistics", "--format", "json", "-"], seven.as_bytes()));
    let tags: Vec<_> = rows.iter().map(|row| row["vendor"]["tags"][0].clone()).collect();
    assert!(tags.contains(&"_EVDEF".into()) && tags.contains(&"_WEBTAG".into()), "{rows:?}");
}

#[test]
fn the_summary_counts_vendor_tags_in_words() {
    let line = |args: &[&str]| stdout(&run_with(&[&["check", "-q", "-"], args].concat(), FTM));
    assert!(line(&[]).contains(" vendor tags, "), "{}", line(&[]));
    assert!(!line(&["--schema", "completed"]).contains("vendor"), "{}", line(&["--schema", "completed"]));
}

#[test]
fn findings_about_a_schema_are_capped() {
    let mut schema = String::from("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n");
    for number in 0..60 {
        schema
            .push_str(&format!("2 IRI https://e.example/T{number}\n3 TAG B{number} elf:INDIVIDUAL_RECORD\n"));
    }
    let path = file("capped.elf", format!("{schema}0 TRLR\n").as_bytes());
    let output = run_with(&["info", "--schema", &format!("completed+{}", path.display()), "-"], FTM);
    let shown =
        stderr(&output).matches("E0406").count() + stderr(&output).matches("lacks an underscore").count();
    assert!(shown < 60, "{shown}: {}", stderr(&output));
}

#[test]
fn names_with_vendor_tags_are_other_names() {
    let file = "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n1 _MARNM Anna /Huber/\n\
        1 NAME Anna Sophie /Maier/\n2 _RUFNAME Sophie\n2 _HEB Chana\n2 _RELN Agnes /Tuck/\n2 _MIDN Berta\n0 TRLR\n";
    let output = run_with(&["table", "people", "--format", "json", "-"], file.as_bytes());
    let row = &json(&output)[0];
    assert_eq!((&row["name"], &row["given"]), (&"Anna Sophie Maier".into(), &"Anna Sophie".into()));
    assert_eq!(row["nickname"], "Sophie");
    let others = ["Chana", "Agnes Tuck", "Anna Huber"];
    assert_eq!(row["other_names"], serde_json::json!(others), "{row}");
    assert_eq!(row["given_names"], serde_json::json!(["Anna", "Sophie", "Chana", "Agnes"]), "{row}");
    // In GEDCOM 7.0, some of these names are NAMEs.
    let migrated =
        run_with(&["convert", "-", "--to-rules", "gedcom-7", "-o", "-", "--allow-loss"], file.as_bytes());
    let output = run_with(&["table", "people", "--format", "json", "-"], &migrated.stdout);
    let row_in_7 = &json(&output)[0];
    for column in ["name", "given", "surname", "nickname", "given_names"] {
        assert_eq!(row_in_7[column], row[column], "{column}");
    }
    let sorted = |row: &serde_json::Value| {
        let mut names: Vec<String> = serde_json::from_value(row["other_names"].clone()).expect("names");
        names.sort();
        names
    };
    assert_eq!(sorted(row_in_7), sorted(row));
    for (option, text) in [
        ("--name", "tuck"),
        ("--name", "chana"),
        ("--given", "anna"),
        ("--name", "huber"),
        ("--name", "sophie maier"),
    ] {
        let output = run_with(&["find", "-", option, text], file.as_bytes());
        let found = stdout(&output);
        assert!(found.contains("Anna Sophie Maier"), "{text}: {found}");
    }
}

#[test]
fn call_names_do_not_change_how_alike_two_people_are() {
    let file = |call: &str| {
        format!(
            "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n\
             1 NAME Johann Sebastian /Bach/\n{call}1 BIRT\n2 DATE 1685\n0 TRLR\n"
        )
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (plain, called) = (folder.path().join("plain.ged"), folder.path().join("called.ged"));
    std::fs::write(&plain, file("")).expect("a file");
    std::fs::write(&called, file("2 _RUFNAME Sebastian\n")).expect("a file");
    let score = |other: &std::path::Path| {
        let paths = [&plain, other].map(|path| path.to_str().expect("a path").to_owned());
        let output = run_with(&["match", &paths[0], &paths[1], "--format", "json"], b"");
        json(&output)[0]["score"].as_f64().expect("a score")
    };
    let copy = folder.path().join("copy.ged");
    std::fs::copy(&plain, &copy).expect("a copy");
    assert!((score(&called) - score(&copy)).abs() < 1e-9, "{} {}", score(&called), score(&copy));
}

#[test]
fn a_parent_whose_tie_the_file_calls_unknown_is_a_parent() {
    for (father, expected) in [
        ("Unknown", "Dad B is a parent of A B"),
        ("Private", "Dad B is a parent of A B"),
        ("Step", "Dad B is a step-parent of A B"),
    ] {
        let file = format!(
            "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A /B/\n1 FAMC @F1@\n\
             2 _FREL {father}\n2 _MREL Birth\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I3@\n1 CHIL @I1@\n\
             0 @I2@ INDI\n1 NAME Dad /B/\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME Mum /B/\n1 FAMS @F1@\n0 TRLR\n"
        );
        let output = run_with(&["kinship", "-", "I2", "I1"], file.as_bytes());
        assert!(stdout(&output).contains(expected), "{}", stdout(&output));
        // GEDCOM 7.0 has no PEDI for a tie that is not known.
        let migrated =
            run_with(&["convert", "-", "--to-rules", "gedcom-7", "-o", "-", "--allow-loss"], file.as_bytes());
        assert_eq!(stdout(&migrated).contains("PEDI"), father == "Step", "{}", stdout(&migrated));
        let output = run_with(&["kinship", "-", "I2", "I1"], &migrated.stdout);
        assert!(stdout(&output).contains(expected), "in GEDCOM 7.0: {}", stdout(&output));
    }
}
