//! `elf convert --format turtle` and `jsonld`: rdflib and pyoxigraph read what it writes, and answer the question of
//! the cookbook. If they are not installed, those tests say so and pass.

use crate::shell::{elf, file, run, run_with, status, stderr, stdout};
use std::path::Path;
use std::process::Command;

/// Reads a graph in both formats with both packages, and prints the number of triples and whether all are the same.
const COMPARE: &str = r#"
import sys
import pyoxigraph, rdflib
from rdflib.compare import isomorphic

def canonical(path, format):
    dataset = pyoxigraph.Dataset(pyoxigraph.parse(path=path, format=format))
    dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}

for name in sys.argv[1:]:
    turtle, json = f"{name}.ttl", f"{name}.jsonld"
    graphs = [rdflib.Graph().parse(turtle, format="turtle"), rdflib.Graph().parse(json, format="json-ld")]
    ours = canonical(turtle, pyoxigraph.RdfFormat.TURTLE)
    same = ours == canonical(json, pyoxigraph.RdfFormat.JSON_LD) and isomorphic(*graphs)
    print(name, len(graphs[0]) == len(ours) > 0, same)
"#;

/// The interpreter that has the packages, if any does.
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn python() -> Option<String> {
    let name = std::env::var("ELF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = Command::new(&name).args(["-c", "import rdflib, pyoxigraph"]).output();
    let has_all = import.is_ok_and(|output| output.status.success());
    if !has_all {
        eprintln!("skipped: {name} has no rdflib and pyoxigraph; ELF_PYTHON names one that has");
    }
    has_all.then_some(name)
}

fn run_python(python: &str, folder: &Path, script: &str, args: &[&str]) -> String {
    let output =
        Command::new(python).arg("-c").arg(script).args(args).current_dir(folder).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn other_readers_of_rdf_find_the_same_graph_in_both_formats() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let inputs = [
        example("bell-ringers.ged"),
        example("attic.ged"),
        example("damaged.ged"),
        example("haugen.ged"),
        file("family.ged"),
        file("hostile.ged"),
    ];
    let mut names = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        for (format, ending) in [("turtle", "ttl"), ("jsonld", "jsonld")] {
            let output = folder.join(format!("{number}.{ending}")).to_string_lossy().into_owned();
            let done = run(&["convert", input, "--format", format, "-o", &output]);
            assert_eq!(status(&done), 0, "{input}: {}", stderr(&done));
        }
        names.push(number.to_string());
    }
    let args: Vec<&str> = names.iter().map(String::as_str).collect();
    let expected: String = names.iter().map(|name| format!("{name} True True\n")).collect();
    assert_eq!(run_python(&python, folder, COMPARE, &args), expected);
}

/// The first block of the cookbook after a heading that opens with a word.
fn block<'p>(page: &'p str, heading: &str, opening: &str) -> &'p str {
    let (_, section) = page.split_once(heading).expect("the heading");
    let opening = ["```", opening, "\n"].concat();
    section.split_once(&*opening).and_then(|(_, rest)| rest.split_once("```")).expect("the block").0
}

#[test]
fn the_query_of_the_cookbook_finds_events_of_the_file_s_own_types() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(example("bell-ringers.ged"), folder.path().join("bell-ringers.ged")).expect("a file");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cookbook.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let heading = "## Query a file with SPARQL";
    let command =
        block(&page, heading, "sh").lines().find_map(|line| line.strip_prefix("elf ")).expect("a command");
    let args: Vec<&str> = command.split_whitespace().collect();
    let output = elf(&args).current_dir(folder.path()).output().expect("the command runs");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let printed = run_python(&python, folder.path(), block(&page, heading, "python"), &[]);
    assert_eq!(printed, block(&page, heading, "text"));
}

#[test]
fn the_iri_of_a_file_comes_from_its_name_or_the_base() {
    let input = b"0 HEAD\n0 @I1@ INDI\n1 _MILT\n2 DATE 1815\n0 TRLR\n";
    let turtle = stdout(&run_with(&["convert", "-", "--format", "turtle", "-o", "-"], input));
    assert!(turtle.contains("@prefix : <file:///stdin#> ."), "{turtle}");
    // Vendor tags have their types.
    assert!(turtle.contains("vendor:INDI-_MILT"), "{turtle}");
    let args = ["convert", "-", "--format", "turtle", "--base", "https://example.org/f", "-o", "-"];
    let turtle = stdout(&run_with(&args, input));
    assert!(turtle.contains("<https://example.org/f> a elf:Document"), "{turtle}");

    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("a b")).expect("a folder");
    std::fs::write(folder.path().join("a b/c.ged"), input).expect("a file");
    let args = ["convert", ".", "--format", "jsonld", "--base", "https://example.org/f", "--out-dir", "out"];
    let output = elf(&args).current_dir(folder.path()).output().expect("the command runs");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let json = std::fs::read_to_string(folder.path().join("out/a b/c.jsonld")).expect("an output");
    assert!(json.contains(r#""https://example.org/f/a%20b/c.ged#I1""#), "{json}");
}

#[test]
fn options_that_contradict_rdf_are_refused() {
    let family = file("family.ged");
    for (args, word) in [
        (vec!["--format", "turtle", "--to-rules", "gedcom-7", "-o", "-"], "--to-rules"),
        (vec!["--format", "jsonld", "--encoding", "ANSEL", "-o", "-"], "--encoding"),
        (vec!["--format", "turtle", "-o", "x.gdz"], ".gdz"),
        (vec!["--base", "https://example.org/", "-o", "-"], "--base"),
        (vec!["--format", "turtle", "--base", "family", "-o", "-"], "absolute IRI"),
    ] {
        let output = run(&[&["convert", &*family], &*args].concat());
        assert_eq!(status(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(word), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_file_whose_reading_ends_early_replaces_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("old.ttl");
    std::fs::write(&place, "old").expect("a file");
    let output = place.to_string_lossy();
    let input = b"0 HEAD\n0 @I1@ INDI\nx y z\n0 @I2@ INDI\n0 TRLR\n";
    let args = ["convert", "-", "--rules", "2019-12", "--format", "turtle", "-o", &*output];
    assert_eq!(status(&run_with(&args, input)), 2);
    assert_eq!(std::fs::read_to_string(&place).expect("a file"), "old");
    let done = run_with(&[&args[..], &["--partial"]].concat(), input);
    assert_eq!(status(&done), 1, "{}", stderr(&done));
    assert!(std::fs::read_to_string(&place).expect("a file").contains("@prefix"));
}
