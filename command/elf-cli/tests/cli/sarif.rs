//! `elf check --format sarif`: one log in SARIF 2.1.0.

use crate::shell::{elf, file, run, run_with, status, stderr, stdout};
use serde_json::Value;
use std::process::Output;

/// The log that the command printed, which keeps the rules of the standard.
fn log(output: &Output) -> Value {
    let log: Value = serde_json::from_str(&stdout(output)).expect("one JSON object");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().expect("a schema").ends_with("sarif-schema-2.1.0.json"));
    let runs = members(&log["runs"]);
    assert_eq!(runs.len(), 1, "one run");
    let run = &runs[0];
    has_only(
        run,
        &["tool", "columnKind", "newlineSequences", "results", "artifacts", "invocations"],
        &["tool", "columnKind", "results"],
    );
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    has_only(driver, &["name", "version", "rules"], &["name"]);
    let rules: Vec<&str> = members(&driver["rules"]).iter().map(rule).collect();
    let mut distinct = rules.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(rules.len(), distinct.len(), "each code is one rule");
    for result in members(&run["results"]) {
        is_result(result);
        assert!(rules.contains(&text(&result["ruleId"])), "{result}");
    }
    for artifact in members(&run["artifacts"]) {
        has_only(artifact, &["location", "properties"], &["location"]);
        is_reference(&artifact["location"]);
    }
    let invocations = members(&run["invocations"]);
    assert_eq!(invocations.len(), 1, "one invocation");
    let invocation = &invocations[0];
    let allowed = ["executionSuccessful", "exitCode", "toolExecutionNotifications"];
    has_only(invocation, &allowed, &["executionSuccessful"]);
    assert_eq!(invocation["exitCode"], status(output));
    assert_eq!(invocation["executionSuccessful"], status(output) < 2);
    for one in members(&invocation["toolExecutionNotifications"]) {
        has_only(one, &["level", "message", "locations"], &["message"]);
        is_level(&one["level"]);
        is_message(&one["message"]);
        members(&one["locations"]).iter().for_each(is_location);
    }
    log
}

fn members(array: &Value) -> &[Value] {
    array.as_array().expect("an array")
}

fn text(text: &Value) -> &str {
    text.as_str().expect("a string")
}

/// Sees that an object has members of those names only, and the required ones.
fn has_only(object: &Value, allowed: &[&str], required: &[&str]) {
    let members = object.as_object().expect("an object");
    assert!(members.keys().all(|name| allowed.contains(&&**name)), "{object}");
    assert!(required.iter().all(|name| members.contains_key(*name)), "{object}");
}

fn is_level(level: &Value) {
    assert!(["none", "note", "warning", "error"].contains(&text(level)), "{level}");
}

fn is_message(message: &Value) {
    assert!(!text(&message["text"]).is_empty());
    assert!(!text(&message["text"]).contains("]("), "a link: {message}");
}

/// Sees that a rule is one, and returns its identifier.
fn rule(rule: &Value) -> &str {
    let all =
        ["id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"];
    has_only(rule, &all, &all);
    ["shortDescription", "fullDescription", "help"].into_iter().for_each(|name| is_message(&rule[name]));
    assert!(text(&rule["help"]["markdown"]).starts_with(&format!("# {} ", text(&rule["id"]))));
    is_level(&rule["defaultConfiguration"]["level"]);
    text(&rule["id"])
}

fn is_result(result: &Value) {
    let allowed = [
        "ruleId",
        "level",
        "message",
        "locations",
        "relatedLocations",
        "partialFingerprints",
        "fixes",
        "properties",
    ];
    has_only(result, &allowed, &["ruleId", "level", "message", "locations"]);
    is_level(&result["level"]);
    is_message(&result["message"]);
    members(&result["locations"]).iter().for_each(is_location);
    if let Some(related) = result.get("relatedLocations") {
        members(related).iter().for_each(is_location);
        let is_first = |index: usize, one: &Value| !members(related)[..index].contains(one);
        assert!(members(related).iter().enumerate().all(|(index, one)| is_first(index, one)), "{related}");
    }
    if let Some(fingerprints) = result.get("partialFingerprints") {
        assert!(fingerprints.as_object().expect("an object").values().all(Value::is_string));
    }
    for fix in result.get("fixes").map(members).unwrap_or_default() {
        has_only(fix, &["description", "artifactChanges"], &["artifactChanges"]);
        is_message(&fix["description"]);
        assert!(!members(&fix["artifactChanges"]).is_empty());
        for change in members(&fix["artifactChanges"]) {
            is_reference(&change["artifactLocation"]);
            assert!(!members(&change["replacements"]).is_empty());
            for one in members(&change["replacements"]) {
                has_only(one, &["deletedRegion", "insertedContent"], &["deletedRegion"]);
                is_region(&one["deletedRegion"]);
                assert!(one.get("insertedContent").is_none_or(|content| content["text"].is_string()));
            }
        }
    }
}

fn is_location(location: &Value) {
    has_only(location, &["physicalLocation", "logicalLocations", "message"], &["physicalLocation"]);
    let physical = &location["physicalLocation"];
    has_only(physical, &["artifactLocation", "region"], &["artifactLocation"]);
    is_reference(&physical["artifactLocation"]);
    if let Some(region) = physical.get("region") {
        is_region(region);
    }
    for one in location.get("logicalLocations").map(members).unwrap_or_default() {
        has_only(one, &["name", "fullyQualifiedName"], &["name"]);
        assert!(one["name"].is_string());
    }
}

fn is_region(region: &Value) {
    has_only(region, &["startLine", "startColumn", "endLine", "endColumn"], &["startLine"]);
    let number = |name: &str| region.get(name).map(|number| number.as_u64().expect("a number"));
    for name in ["startLine", "startColumn", "endLine", "endColumn"] {
        assert_ne!(number(name), Some(0), "{region}");
    }
    assert!(number("endLine").is_none_or(|end| Some(end) >= number("startLine")), "{region}");
    if region.get("endLine").is_none() {
        assert!(number("endColumn") >= number("startColumn"), "{region}");
    }
}

/// Sees that a location is a URI reference (RFC 3986) that no scheme begins but `file`.
fn is_reference(location: &Value) {
    has_only(location, &["uri"], &["uri"]);
    let uri = text(&location["uri"]);
    assert!(!uri.is_empty());
    let behind = uri.strip_prefix("file://").unwrap_or(uri);
    let mut rest = behind.bytes();
    while let Some(octet) = rest.next() {
        match octet {
            b'%' => assert!([rest.next(), rest.next()].iter().flatten().all(u8::is_ascii_hexdigit), "{uri}"),
            b':' if cfg!(windows) => {}
            _ => assert!(octet.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&octet), "{uri}"),
        }
    }
}

/// The results of a log.
fn results(log: &Value) -> &[Value] {
    members(&log["runs"][0]["results"])
}

/// Faults of all classes, with and without places and structures.
const FAULTS: &str = "0 HEAD\n1 CHAR utf8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I2@ INDI\n\
    1 NAME \u{c9}lise a@b /Dupont/\n1 BIRT\n3 DATE 31 FEB 1900\n1 NOTE [x](http://example.org) @#Dx\u{1b}\n\
    0 @I2@ INDI\n\n1 FAMS @F9@\nand so on\n";

#[test]
fn findings_are_one_log() {
    let output = run_with(&["check", "--format", "sarif", "-"], FAULTS.as_bytes());
    assert_eq!((status(&output), stderr(&output).as_str()), (1, ""));
    let log = log(&output);
    let deep = results(&log).iter().find(|one| one["ruleId"] == "E0203").expect("a fault");
    assert_eq!(deep["level"], "error");
    let location = &deep["locations"][0];
    assert_eq!(location["physicalLocation"]["artifactLocation"]["uri"], "-");
    assert_eq!(
        location["physicalLocation"]["region"],
        serde_json::json!({ "startLine": 9, "startColumn": 1, "endColumn": 2 })
    );
    assert_eq!(location["logicalLocations"][0]["name"], "I2");
    assert!(results(&log).iter().any(|one| one.get("relatedLocations").is_some()), "{log}");
    // As many as in JSON, in the same order.
    let json = run_with(&["check", "--format", "json", "-"], FAULTS.as_bytes());
    let json: Vec<Value> = crate::shell::json(&json);
    let codes: Vec<_> = json.iter().filter_map(|one| one.get("code")).collect();
    assert_eq!(results(&log).iter().map(|one| &one["ruleId"]).collect::<Vec<_>>(), codes);
    let summary = &log["runs"][0]["artifacts"][0]["properties"];
    for (name, count) in summary.as_object().expect("counts") {
        assert_eq!(&json.last().expect("a summary")["summary"][name], count, "{name}");
    }
}

#[test]
fn several_files_are_one_log() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("a b#%41?.ged", FAULTS), ("clean.ged", "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n")] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let mut command = elf(&["check", "--format", "sarif", "clean.ged", "a b#%41?.ged", "none.ged"]);
    let output = command.arg("a b#%41?.ged").current_dir(folder.path()).output().expect("the command runs");
    assert_eq!(status(&output), 2);
    let log = log(&output);
    let run = &log["runs"][0];
    let uris: Vec<_> = members(&run["artifacts"]).iter().map(|one| text(&one["location"]["uri"])).collect();
    assert_eq!(uris, ["clean.ged", "a%20b%23%2541%3F.ged"], "no two are alike");
    let [failure] = members(&run["invocations"][0]["toolExecutionNotifications"]) else { panic!("one") };
    assert_eq!(failure["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "none.ged");
    assert!(stderr(&output).contains("none.ged"));
}

#[test]
fn any_file_makes_a_log() {
    let large = format!("0 HEAD\n1 CHAR UTF-8\n{}0 TRLR\n", "0 NOTE a@b\n5 CONT c@d\n".repeat(25_000));
    let inputs: [&[u8]; 6] = [
        b"",
        b"\0\0\0",
        b"0 HEAD\r1 CHAR ANSEL\r0 NOTE \xE2\r\r0 TRLR",
        b"\xFF\xFE0\0",
        b"@",
        large.as_bytes(),
    ];
    for input in inputs {
        for more in [&[][..], &["--quiet"], &["--statistics"], &["--rules", "2019-12"]] {
            let arguments = [&["check", "--format", "sarif", "-"], more].concat();
            let log = log(&run_with(&arguments, input));
            let is_silent = more.first().is_some_and(|one| ["--quiet", "--statistics"].contains(one));
            assert!(!is_silent || results(&log).is_empty());
        }
    }
    log(&run(&["check", "--format", "sarif", &file("hostile.ged"), &file("shoes.ged")]));
}

#[test]
fn questions_about_two_spouses_have_two_fingerprints() {
    let person = |number: u8| format!("0 @I{number}@ INDI\n1 NAME A\n1 BIRT\n2 DATE 1900\n1 FAMS @F1@\n");
    let file = format!(
        "0 HEAD\n1 CHAR UTF-8\n{}{}0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 MARR\n2 DATE 1890\n0 TRLR\n",
        person(1),
        person(2)
    );
    let output = run_with(&["check", "--facts", "--format", "sarif", "-"], file.as_bytes());
    let log = log(&output);
    let results = members(&log["runs"][0]["results"]).iter();
    let asked = results.filter(|result| text(&result["ruleId"]).starts_with('P'));
    let prints: Vec<&str> = asked.map(|one| text(&one["partialFingerprints"]["elfFinding/v1"])).collect();
    assert_eq!(prints, ["P07 F1 @F1@/MARR/DATE I1", "P07 F1 @F1@/MARR/DATE I2"]);
}
