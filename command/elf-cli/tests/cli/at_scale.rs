//! `docs/at-scale.md`: two databases read the tables that it makes and answer its questions, and Parquet has
//! the rows of CSV. Where the databases are not installed, the test says so and passes.

use crate::shell::{elf, status, stderr};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the blocks of one database and then the questions, and prints how many rows each has.
const ASK: &str = r#"
import sys
engine, setup, *questions = sys.argv[1:]
if engine == "duckdb":
    import duckdb
    connection = duckdb.connect()
    connection.execute(setup)
    ask = lambda sql: connection.execute(sql).fetchall()
else:
    import datafusion
    context = datafusion.SessionContext()
    for statement in setup.split(";"):
        if statement.strip():
            context.sql(statement).collect()
    ask = lambda sql: [row for batch in context.sql(sql).collect() for row in batch.to_pylist()]
for question in questions:
    rows = ask(question)
    print(len(rows), [str(v) for v in (rows[0].values() if isinstance(rows[0], dict) else rows[0])] if rows else [])
"#;

/// Prints how many rows of Parquet differ from those of CSV, by columns that hold the same text.
const COMPARE: &str = r#"
import csv, duckdb, sys
for table in sys.argv[1:]:
    with open(f"{table}.csv", newline="", encoding="utf-8") as file:
        expected = list(csv.reader(file))
    result = duckdb.connect().execute(f"SELECT * FROM '{table}.parquet'")
    names = [column[0] for column in result.description]
    def text(value):
        if value is None: return ""
        if isinstance(value, list): return ";".join(value)
        return str(value)
    rows = [names] + [[text(value) for value in row] for row in result.fetchall()]
    print(table, len(rows), sum(one != other for one, other in zip(rows, expected)) + abs(len(rows) - len(expected)))
"#;

/// The interpreter that has the databases, if any does.
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn python() -> Option<String> {
    let name = std::env::var("ELF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = Command::new(&name).args(["-c", "import duckdb, datafusion"]).output();
    let has_all = import.is_ok_and(|output| output.status.success());
    if !has_all {
        eprintln!("skipped: {name} has no duckdb and datafusion; ELF_PYTHON names one that has");
    }
    has_all.then_some(name)
}

fn run_python(python: &str, folder: &Path, script: &str, args: &[&str]) -> String {
    let output: Output =
        Command::new(python).arg("-c").arg(script).args(args).current_dir(folder).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The blocks of the page that open with a word.
fn blocks<'p>(page: &'p str, opening: &str) -> Vec<&'p str> {
    let opening = ["```", opening, "\n"].concat();
    page.split(&*opening).skip(1).filter_map(|rest| rest.split_once("```").map(|(block, _)| block)).collect()
}

/// Files of several producers, with tags of their own and dates of several calendars.
fn make_files(folder: &Path) {
    std::fs::create_dir(folder.join("many")).expect("a folder");
    for number in 0..30 {
        let calendar = ["", "@#DJULIAN@ ", "@#DHEBREW@ "][number % 3];
        let month = if number % 3 == 2 { "TSH" } else { "MAY" };
        let year = if number % 3 == 2 { 5600 } else { 1840 } + number;
        let mut text = format!("0 HEAD\n1 SOUR Attic{}\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n", number % 2);
        for person in 0..20 {
            let _ = write!(
                text,
                "0 @I{person}@ INDI\n1 NAME Ada, \"A\" /King{person}/\n1 _UID {person}\n1 BIRT\n2 DATE {calendar}{person} \
                 {month} {year}\n2 PLAC Seaham\n1 FAMS @F1@\n1 NOTE of two\n2 CONT lines\n"
            );
        }
        text.push_str("0 @F1@ FAM\n1 HUSB @I0@\n1 WIFE @I1@\n1 CHIL @I2@\n1 CHIL @I3@\n0 TRLR\n");
        std::fs::write(folder.join(format!("many/{number}.ged")), text).expect("a file");
    }
}

#[test]
fn the_page_is_true() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    make_files(folder);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/at-scale.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let commands: Vec<&str> = blocks(&page, "sh")
        .into_iter()
        .flat_map(str::lines)
        .filter(|line| line.starts_with("elf "))
        .collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let args: Vec<&str> = command.split_whitespace().skip(1).collect();
        let output = elf(&args).current_dir(folder).output().expect("the command runs");
        assert_eq!(status(&output), 0, "{command}: {}", stderr(&output));
    }
    let questions = blocks(&page, "sql query");
    for engine in ["duckdb", "datafusion"] {
        let setup = blocks(&page, &format!("sql {engine}")).concat();
        let args = [&[engine, &*setup], &*questions].concat();
        let answers = run_python(&python, folder, ASK, &args);
        let answers: Vec<&str> = answers.lines().collect();
        assert_eq!(answers.len(), 3, "{engine}");
        assert!(answers[0].starts_with("20 ['King"), "{engine}: {}", answers[0]);
        assert_eq!(answers[1], "2 ['Attic0', '_UID', '300', '15']", "{engine}");
        // A birth on day 0 is in no calendar.
        assert!(answers[2].starts_with("4 ['"), "{engine}: {}", answers[2]);
    }
}

#[test]
fn parquet_has_the_rows_of_csv() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    make_files(folder);
    for name in ["family.ged", "examples.ged", "shoes.ged"] {
        std::fs::copy(crate::shell::file(name), folder.join("many").join(name)).expect("a file");
    }
    let tables = ["people", "families", "events", "sources", "structures"];
    for table in tables {
        for format in ["csv", "parquet"] {
            let out = format!("{table}.{format}");
            let output = elf(&["table", table, "--format", format, "-o", &out, "many"])
                .current_dir(folder)
                .output()
                .expect("the command runs");
            assert_eq!(status(&output), 0, "{}", stderr(&output));
        }
    }
    let answers = run_python(&python, folder, COMPARE, &tables);
    assert_eq!(answers.lines().count(), tables.len(), "{answers}");
    assert!(answers.lines().all(|line| line.ends_with(" 0")), "{answers}");
    assert!(answers.contains("people 6"), "{answers}");
}
