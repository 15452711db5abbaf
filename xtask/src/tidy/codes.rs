//! The table of codes: each is raised by its layer, and each has its page.

use super::sources::library_code;
use super::{Problem, Tree};

/// A room of the table, and the crates whose library code raises its codes.
///
/// A layer's codes are raised by its own crate. Three rooms reach further: what only the tree can see of
/// octets and lines (a character cut by CONC, a file without lines, the leniences of a line) is reported by
/// `elf-tree`, and every layer writes.
const ROOMS: &[(&str, &[&str])] = &[
    ("octets", &["elf-octets", "elf-tree"]),
    ("lines", &["elf-lines", "elf-tree"]),
    ("tagged", &["elf-tree"]),
    ("schemas", &["elf-schema"]),
    ("datasets", &["elf-model"]),
    ("values", &["elf-values"]),
    ("fetching", &["elf-schema"]),
    (
        "writing",
        &[
            "elf-octets",
            "elf-lines",
            "elf-tagged",
            "elf-edit",
            "elf-schema",
            "elf-model",
            "elf-migrate",
            "elf-cli",
        ],
    ),
    ("structures", &["elf-validate"]),
    ("questions", &["elf-lineage"]),
];

/// The sections of a manual page, in order.
const SECTIONS: &[&str] = &["What it finds", "Why it matters", "Example", "What to do"];

/// A section that may stand before the last: where the rules differ in what becomes of the find.
const OPTIONAL: &str = "What the reader does";

/// The beginning of a row of the table, as its source spells it.
#[derive(Debug, PartialEq, Eq)]
struct Row<'t> {
    /// The name of the constant, such as `LEVEL_TOO_DEEP`.
    constant: &'t str,
    /// The identifier, such as `E0203`.
    id: &'t str,
    /// The name, such as `level-too-deep`.
    name: &'t str,
    /// The line of the constant, from 0.
    line: usize,
}

/// Every code is raised somewhere in library code of its own layer: a row that nothing raises is a promise
/// not kept.
pub(super) fn check_raised(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (room, crates) in ROOMS {
        let path = room_path(room);
        let Some(text) = tree.get(&path) else {
            problems.push(Problem::file(&path, "the table of codes lacks this room"));
            continue;
        };
        for row in rows(text) {
            if !crates.iter().any(|name| names(tree, &format!("{name}/src/"), row.constant)) {
                let message = format!("{} {} is raised nowhere in {}", row.id, row.name, crates.join(", "));
                problems.push(Problem::line(&path, row.line, message));
            }
        }
    }
    problems
}

/// Every code has a manual page with the agreed sections, none of them empty, and every page has its code.
pub(super) fn check_pages(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut ids = Vec::new();
    for row in ROOMS.iter().filter_map(|(room, _)| tree.get(&room_path(room))).flat_map(rows) {
        let path = format!("base/elf-base/pages/{}.md", row.id);
        match tree.get(&path) {
            Some(text) => page(&path, text, &row, &mut problems),
            None => problems.push(Problem::file(&path, format!("{} has no manual page", row.name))),
        }
        ids.push(row.id);
    }
    for (path, _) in tree.files() {
        if let Some(id) = path.strip_prefix("base/elf-base/pages/").and_then(|name| name.strip_suffix(".md"))
            && !ids.contains(&id)
        {
            problems.push(Problem::file(path, "a manual page without a code"));
        }
    }
    problems
}

fn room_path(room: &str) -> String {
    format!("base/elf-base/src/codes/{room}.rs")
}

/// The rows of one room, read from its source: a line starts one that has identifier, constant and name.
fn rows(text: &str) -> Vec<Row<'_>> {
    library_code(text).filter_map(|(line, code)| row(line, code.trim())).collect()
}

fn row(line: usize, code: &str) -> Option<Row<'_>> {
    let (id, rest) = code.split_once(' ')?;
    let (constant, rest) = rest.split_once(' ')?;
    let (name, _) = rest.strip_prefix('"')?.split_once("\":")?;
    let (number, digits) = match id.strip_prefix('E') {
        Some(number) => (number, 4),
        None => (id.strip_prefix('P')?, 2),
    };
    (number.len() == digits && number.bytes().all(|octet| octet.is_ascii_digit())).then_some(Row {
        constant,
        id,
        name,
        line,
    })
}

/// Tells whether library code in `folder` names `word`.
fn names(tree: &Tree, folder: &str, word: &str) -> bool {
    tree.files()
        .filter(|(path, _)| path.starts_with(folder) && path.ends_with(".rs") && !path.ends_with("/tests.rs"))
        .any(|(_, text)| library_code(text).any(|(_, line)| has_word(line, word)))
}

/// Tells whether `word` stands in `line` with nothing of an identifier at either side.
fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|tail| tail.chars().next());
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

fn page(path: &str, text: &str, row: &Row<'_>, problems: &mut Vec<Problem>) {
    let heading = format!("# {} {}", row.id, row.name);
    if text.lines().next() != Some(heading.as_str()) {
        problems.push(Problem::line(path, 0, format!("expected the heading `{heading}`")));
    }
    let mut expected = SECTIONS.iter();
    // The open section and whether anything stands in it.
    let mut open: Option<(usize, &str, bool)> = None;
    let mut fenced = false;
    for (index, line) in text.lines().enumerate().skip(1) {
        fenced ^= line.starts_with("```");
        match line.strip_prefix("## ").filter(|_| !fenced) {
            Some(title) => {
                empty_section(path, open, problems);
                open = Some((index, title, false));
                if title == OPTIONAL && expected.len() == 1 {
                    continue;
                }
                if let Some(wanted) = expected.next().filter(|wanted| **wanted != title) {
                    let message = format!("expected the section `{wanted}`, but found `{title}`");
                    problems.push(Problem::line(path, index, message));
                    return;
                }
            }
            None => {
                if let Some((_, _, filled)) = &mut open {
                    *filled |= !line.trim().is_empty();
                }
            }
        }
    }
    empty_section(path, open, problems);
    if let Some(missing) = expected.next() {
        problems.push(Problem::file(path, format!("the section `{missing}` is missing")));
    }
}

fn empty_section(path: &str, section: Option<(usize, &str, bool)>, problems: &mut Vec<Problem>) {
    if let Some((index, title, false)) = section {
        problems.push(Problem::line(path, index, format!("the section `{title}` is empty")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "//! E02.\n\nsuper::table::codes! {\n    E0203 LEVEL_TOO_DEEP \"level-too-deep\": \"a\";\n        \
                         class Malformed;\n        clause D19 \"Levels\";\n}\n";
    const PAGE: &str = "# E0203 level-too-deep\n\n## What it finds\n\na\n\n## Why it matters\n\nb\n\n## Example\n\n\
                        ```text\n## no section\n```\n\n## What to do\n\nc\n";

    fn tree(library: &str, page: &str) -> Tree {
        let mut files = vec![
            ("base/elf-base/src/codes/lines.rs", TABLE),
            ("elf-lines/src/read.rs", library),
            ("base/elf-base/pages/E0203.md", page),
        ];
        let rooms = [
            "octets",
            "tagged",
            "schemas",
            "datasets",
            "values",
            "fetching",
            "writing",
            "structures",
            "questions",
        ];
        for room in rooms {
            files.push((Box::leak(room_path(room).into_boxed_str()), "//! Empty.\n"));
        }
        Tree::of(&files)
    }

    fn messages(problems: Vec<Problem>) -> Vec<String> {
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn rows_are_read_from_the_source() {
        assert_eq!(
            rows(TABLE),
            [Row { constant: "LEVEL_TOO_DEEP", id: "E0203", name: "level-too-deep", line: 3 }]
        );
    }

    #[test]
    fn a_code_that_is_raised_and_has_its_page_is_no_problem() {
        let tree = tree("//! Reads.\nfn f() -> Code { codes::LEVEL_TOO_DEEP }\n", PAGE);
        assert_eq!(check_raised(&tree), []);
        assert_eq!(check_pages(&tree), []);
    }

    #[test]
    fn a_code_in_a_comment_a_test_or_a_longer_word_is_not_raised() {
        for library in [
            "//! Reads.\n// codes::LEVEL_TOO_DEEP\n",
            "//! Reads.\n#[cfg(test)]\nmod tests { const C: Code = codes::LEVEL_TOO_DEEP; }\n",
            "//! Reads.\nconst LEVEL_TOO_DEEP_2: u8 = 0;\n",
        ] {
            let found = messages(check_raised(&tree(library, PAGE)));
            assert_eq!(found, ["E0203 level-too-deep is raised nowhere in elf-lines, elf-tree"]);
        }
    }

    #[test]
    fn a_room_that_is_gone_is_found() {
        assert_eq!(check_raised(&Tree::of(&[])).len(), ROOMS.len());
    }

    #[test]
    fn each_lapse_of_a_page_is_found() {
        let lapse = |page: &str| messages(check_pages(&tree("", page)));
        assert_eq!(lapse(&PAGE.replace("E0203", "E0204")), ["expected the heading `# E0203 level-too-deep`"]);
        assert_eq!(lapse(&PAGE.replace("## What to do\n\nc\n", "")), ["the section `What to do` is missing"]);
        assert_eq!(lapse(&PAGE.replace("\nb\n", "\n")), ["the section `Why it matters` is empty"]);
        assert_eq!(
            lapse(&PAGE.replace("Why it", "What it")),
            ["expected the section `Why it matters`, but found `What it matters`"]
        );
    }

    #[test]
    fn a_page_may_say_what_the_reader_does_but_only_before_the_last_section() {
        let section = "## What the reader does\n\nd\n\n";
        let placed = PAGE.replace("## What to do", &format!("{section}## What to do"));
        assert_eq!(check_pages(&tree("", &placed)), []);
        let misplaced = PAGE.replace("## Example", &format!("{section}## Example"));
        assert_eq!(check_pages(&tree("", &misplaced)).len(), 1);
    }

    #[test]
    fn pages_and_codes_are_one_to_one() {
        let orphan = Tree::of(&[("base/elf-base/pages/E0999.md", "# E0999 gone\n")]);
        assert_eq!(messages(check_pages(&orphan)), ["a manual page without a code"]);
        let bare = Tree::of(&[("base/elf-base/src/codes/lines.rs", TABLE)]);
        assert_eq!(messages(check_pages(&bare)), ["level-too-deep has no manual page"]);
    }
}
