//! Imports between crates go one way: from the reader's end of the pipeline to its beginning.

use super::{Problem, Tree};
use toml::{Table, Value};

/// The crates of this project that each crate may import; the same table stands in `ARCHITECTURE.md` with the
/// reasons. `elf-octets` and `elf-lines` are siblings, so that the grammar can be tested with no encoder in
/// sight.
const ALLOWED: &[(&str, &[&str])] = &[
    ("elf-base", &[]),
    ("elf-octets", &["elf-base"]),
    ("elf-lines", &["elf-base"]),
    ("elf-values", &["elf-base"]),
    ("elf-tree", &["elf-base", "elf-octets", "elf-lines"]),
    ("elf-tagged", &["elf-base", "elf-octets", "elf-lines", "elf-tree"]),
    ("elf-edit", &["elf-base", "elf-octets", "elf-lines", "elf-tagged"]),
    ("elf-schema", &["elf-base", "elf-values", "elf-tagged"]),
    ("elf-validate", &["elf-base", "elf-values", "elf-schema"]),
    ("elf-lineage", &["elf-base", "elf-values", "elf-schema"]),
    ("elf-extract", &["elf-base", "elf-tagged", "elf-edit", "elf-schema", "elf-lineage"]),
    ("elf-tables", &["elf-base", "elf-values", "elf-schema", "elf-lineage"]),
    ("elf-parquet", &["elf-tables"]),
    ("elf-pictures", &["elf-base", "elf-schema", "elf-lineage"]),
    ("elf-model", &["elf-base", "elf-octets", "elf-lines", "elf-values", "elf-tagged", "elf-schema"]),
    ("elf-migrate", &["elf-base", "elf-values", "elf-tagged", "elf-schema", "elf-validate", "elf-model"]),
    ("elf-archive", &[]),
    ("elf-config", &["elf-base", "elf-lineage"]),
    ("elf-render", &["elf-base", "elf-values", "elf-tagged", "elf-schema", "elf-pictures", "elf-model"]),
    ("elf-findings", &["elf-base", "elf-tagged", "elf-edit", "elf-config", "elf-render"]),
    (
        "elf-report",
        &["elf-base", "elf-values", "elf-tagged", "elf-schema", "elf-lineage", "elf-render", "elf-findings"],
    ),
    ("elf-cli", LIBRARIES),
    ("xtask", LIBRARIES),
    ("tests", ANYTHING),
];

/// The library crates, lowest first.
const LIBRARIES: &[&str] = &[
    "elf-base",
    "elf-octets",
    "elf-lines",
    "elf-values",
    "elf-tree",
    "elf-tagged",
    "elf-edit",
    "elf-schema",
    "elf-validate",
    "elf-lineage",
    "elf-extract",
    "elf-tables",
    "elf-parquet",
    "elf-pictures",
    "elf-model",
    "elf-migrate",
    "elf-archive",
    "elf-config",
    "elf-render",
    "elf-findings",
    "elf-report",
];

const ANYTHING: &[&str] = &[
    "elf-base",
    "elf-octets",
    "elf-lines",
    "elf-values",
    "elf-tree",
    "elf-tagged",
    "elf-edit",
    "elf-schema",
    "elf-validate",
    "elf-lineage",
    "elf-extract",
    "elf-tables",
    "elf-parquet",
    "elf-pictures",
    "elf-model",
    "elf-migrate",
    "elf-archive",
    "elf-config",
    "elf-render",
    "elf-findings",
    "elf-report",
    "elf-cli",
    "xtask",
];

/// The kinds of dependency; one that only tests need goes the same way as any other.
const KINDS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

/// The document in which the table is printed for people.
const PRINTED: &str = "ARCHITECTURE.md";

/// The crate of the suites, and the one whose tests run them as well.
const SUITES: &str = "elf-tests";
const RUNS_SUITES: &str = "elf-cli";

/// Every member of the workspace stands in the table and imports only what its row allows, and the table as
/// printed says the same.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = check_manifests(tree);
    problems.extend(check_printed(tree));
    problems
}

fn check_manifests(tree: &Tree) -> Vec<Problem> {
    let root = match manifest(tree, "Cargo.toml") {
        Ok(root) => root,
        Err(problem) => return vec![problem],
    };
    let members =
        root.get("workspace").and_then(|workspace| workspace.get("members")).and_then(Value::as_array);
    let mut problems = Vec::new();
    for member in members.into_iter().flatten().filter_map(Value::as_str) {
        let path = format!("{member}/Cargo.toml");
        let Some(&(_, allowed)) = ALLOWED.iter().find(|(folder, _)| *folder == member) else {
            problems.push(Problem::file(&path, "the table of imports has no row for this crate"));
            continue;
        };
        match manifest(tree, &path) {
            Ok(manifest) => {
                let has_suites =
                    |kind: &&str| manifest.get(*kind).is_some_and(|all| all.get(SUITES).is_some());
                let in_tests_only = KINDS.iter().copied().filter(has_suites).eq(["dev-dependencies"]);
                let is_free = |import: &str| import == SUITES && member == RUNS_SUITES && in_tests_only;
                problems.extend(
                    imports(&manifest)
                        .filter(|import| ANYTHING.contains(import) || *import == SUITES)
                        .filter(|import| !allowed.contains(import) && !is_free(import))
                        .map(|import| Problem::file(&path, format!("{member} may not import {import}"))),
                )
            }
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

/// The rows of the printed table allow what [`ALLOWED`] does, crate by crate.
fn check_printed(tree: &Tree) -> Vec<Problem> {
    let rows = tree.get(PRINTED).unwrap_or_default().lines().enumerate().filter_map(|(index, line)| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        Some((index, name, cells.nth(1)?))
    });
    let rows: Vec<_> = rows.filter(|(_, name, _)| ALLOWED.iter().any(|(folder, _)| folder == name)).collect();
    let mut problems = Vec::new();
    for (name, allowed) in ALLOWED.iter().filter(|(name, _)| LIBRARIES.contains(name)) {
        match rows.iter().find(|(_, row, _)| row == name) {
            None => {
                problems.push(Problem::file(PRINTED, format!("the table of imports has no row for {name}")))
            }
            Some(&(index, _, cell)) if printed(cell) != *allowed => {
                let message = format!("{name} may import {}, but found {cell:?}", allowed.join(", "));
                problems.push(Problem::line(PRINTED, index, message));
            }
            Some(_) => {}
        }
    }
    problems
}

/// The crates that a cell names, lowest first: `base, lines`, or a dash for none.
fn printed(cell: &str) -> Vec<&'static str> {
    let names = |name: &str| cell.split([' ', ',']).any(|word| name.strip_prefix("elf-") == Some(word));
    LIBRARIES.iter().copied().filter(|name| names(name)).collect()
}

/// The names of what a manifest depends on, for whatever target.
fn imports(manifest: &Table) -> impl Iterator<Item = &str> {
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let tables = targets.filter_map(Value::as_table).chain([manifest]);
    tables
        .flat_map(|table| KINDS.iter().filter_map(|kind| table.get(*kind)))
        .filter_map(Value::as_table)
        .flatten()
        .map(|(name, value)| value.get("package").and_then(Value::as_str).unwrap_or(name))
}

fn manifest(tree: &Tree, path: &str) -> Result<Table, Problem> {
    let text = tree.get(path).ok_or_else(|| Problem::file(path, "there is no such manifest"))?;
    text.parse().map_err(|error| Problem::file(path, format!("the manifest cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: (&str, &str) = ("Cargo.toml", "[workspace]\nmembers = ['elf-lines', 'elf-tagged']\n");

    fn messages(lines: &str, tagged: &str) -> Vec<String> {
        let tree = Tree::of(&[ROOT, ("elf-lines/Cargo.toml", lines), ("elf-tagged/Cargo.toml", tagged)]);
        check_manifests(&tree).into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn the_suites_are_for_the_tests_of_one_crate() {
        let of = |member: &str, kinds: &[&str]| {
            let root = format!("[workspace]\nmembers = ['{member}']\n");
            let lists: String =
                kinds.iter().map(|kind| format!("[{kind}]\nelf-tests.path = '../tests'\n")).collect();
            let path = format!("{member}/Cargo.toml");
            check_manifests(&Tree::of(&[("Cargo.toml", &root), (&path, &lists)])).len()
        };
        assert_eq!(of("elf-cli", &["dev-dependencies"]), 0);
        assert!(of("elf-cli", &["dependencies"]) > 0);
        assert!(of("elf-cli", &["dependencies", "dev-dependencies"]) > 0);
        assert!(of("elf-lines", &["dev-dependencies"]) > 0);
    }

    #[test]
    fn downwards_is_allowed() {
        let lines = "[dependencies]\nelf-base.workspace = true\nmemchr = '2'\n";
        let tagged = "[dependencies]\nelf-lines.workspace = true\nelf-octets = { path = '../elf-octets' }\n";
        assert!(messages(lines, tagged).is_empty());
    }

    #[test]
    fn sideways_and_upwards_are_not() {
        let lines =
            "[dependencies]\nelf-octets.workspace = true\n[dev-dependencies]\nelf-tagged.workspace = true\n";
        let tagged = "[target.'cfg(unix)'.dependencies]\nschema = { package = 'elf-schema', path = '..' }\n";
        assert_eq!(
            messages(lines, tagged),
            [
                "elf-lines may not import elf-octets",
                "elf-lines may not import elf-tagged",
                "elf-tagged may not import elf-schema"
            ]
        );
    }

    #[test]
    fn a_crate_without_a_row_and_a_manifest_that_is_none_are_found() {
        let tree = Tree::of(&[
            ("Cargo.toml", "[workspace]\nmembers = ['elf-new', 'elf-lines']\n"),
            ("elf-lines/Cargo.toml", "not a manifest"),
        ]);
        let problems = check_manifests(&tree);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert_eq!(problems[0].path, "elf-new/Cargo.toml");
        assert_eq!(problems[1].path, "elf-lines/Cargo.toml");
    }
    #[test]
    fn the_printed_table_must_say_the_same() {
        let row = |name: &str, cell: &str| format!("| `{name}` | turns | {cell} | nothing |\n");
        let good: String = [
            ("elf-base", "–"),
            ("elf-octets", "base"),
            ("elf-lines", "base"),
            ("elf-values", "base"),
            ("elf-archive", "–"),
            ("elf-config", "base, lineage"),
            ("elf-tree", "base, octets, lines"),
            ("elf-tagged", "base, octets, lines, tree"),
            ("elf-edit", "base, octets, lines, tagged"),
            ("elf-schema", "base, values, tagged"),
            ("elf-validate", "base, values, schema"),
            ("elf-migrate", "base, values, tagged, schema, validate, model"),
            ("elf-lineage", "base, values, schema"),
            ("elf-extract", "base, tagged, edit, schema, lineage"),
            ("elf-pictures", "base, schema, lineage"),
            ("elf-tables", "base, values, schema, lineage"),
            ("elf-parquet", "tables"),
            ("elf-report", "base, values, tagged, schema, lineage, render, findings"),
            ("elf-model", "base, octets, lines, values, tagged, schema"),
            ("elf-render", "base, values, tagged, schema, pictures, model"),
            ("elf-findings", "base, tagged, edit, config, render"),
        ]
        .map(|(name, cell)| row(name, cell))
        .concat();
        assert_eq!(check_printed(&Tree::of(&[(PRINTED, &good)])), []);
        let wrong = good.replace(&row("elf-tree", "base, octets, lines"), &row("elf-tree", "base, lines"));
        assert_eq!(check_printed(&Tree::of(&[(PRINTED, &wrong)])).len(), 1);
        let short = good.replace(&row("elf-lines", "base"), "");
        assert_eq!(check_printed(&Tree::of(&[(PRINTED, &short)])).len(), 1);
        assert_eq!(check_printed(&Tree::of(&[])).len(), LIBRARIES.len());
    }
}
