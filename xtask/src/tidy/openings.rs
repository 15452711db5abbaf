//! The openings of documentation: a first line names the item or the module, or says what it does, and asks
//! nothing.

use super::{Problem, Tree};

/// Sources whose documentation the command prints as its help: sentences for users, which follow other rules.
const HELP: &str = "command/elf-cli/src/args";

/// Words that no documentation opens with: behind them stands a clause whose noun the reader has to guess, or
/// they stand for a noun that is not there, as in a list of items each of which shows its first line alone.
const WORDS: &[&str] = &[
    "What", "Whatever", "Whether", "Where", "Which", "How", "Who", "Whoever", "Whom", "Whose", "Why", "When",
    "The same", "Those", "As", "That", "It", "Its", "Itself", "They", "Their", "These",
];

/// Runs over every source.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.files() {
        if path.starts_with(HELP) || !path.ends_with(".rs") {
            continue;
        }
        for (index, line) in openings(text) {
            if let Some(word) = WORDS.iter().find(|word| starts_with_word(line, word)) {
                let message = format!("documentation opens with `{word}`, not with a verb or a noun");
                problems.push(Problem::line(path, index, message));
            }
        }
    }
    problems
}

/// Finds the first line of prose of each documentation comment, with its number from 0. An example or a
/// production of a grammar may stand before the line.
fn openings(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut is_open, mut is_code, mut mark) = (true, false, "");
    text.lines().enumerate().filter_map(move |(index, line)| {
        let line = line.trim_start();
        let found = ["///", "//!"].into_iter().find(|mark| line.starts_with(mark)).unwrap_or_default();
        if found.is_empty() || found != mark {
            (is_open, is_code, mark) = (true, false, found);
        }
        let line = line.strip_prefix(found).unwrap_or_default().trim();
        if found.is_empty() {
            return None;
        }
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_open && !is_code && !line.is_empty() {
            is_open = false;
            return Some((index, line));
        }
        None
    })
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<Option<usize>> {
        check(&Tree::of(&[(path, text)])).into_iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn an_opening_that_asks_is_found() {
        for opening in
            ["Whether it is.", "The same in ANSEL.", "How many.", "What?", "As it stands.", "Its tag."]
        {
            assert_eq!(
                lines("xtask/src/a.rs", &format!("//! A.\n\n    /// {opening}\n    a: u8,\n")),
                [Some(3)]
            );
            assert_eq!(lines("xtask/src/a.rs", &format!("//! {opening}\n\nuse a;\n")), [Some(1)]);
        }
    }

    #[test]
    fn each_comment_has_its_own_opening() {
        let text =
            "//! A.\n/// Where it is.\nfn a() {}\n\n/// A\n/// noun.\n#[inline]\n/// Which.\nfn b() {}\n";
        assert_eq!(lines("tests/src/a.rs", text), [Some(2), Some(8)]);
    }

    #[test]
    fn only_prose_opens() {
        let text = "//! A.\n/// ```text\n/// That ::= Those\n/// ```\n///\n/// When it ends.\nfn a() {}\n";
        assert_eq!(lines("elf-lines/src/a.rs", text), [Some(6)]);
    }

    #[test]
    fn nouns_verbs_and_later_lines_are_free() {
        let text = "//! Parts.\n// Where it is.\n/// A noun,\n/// which says it.\n///\n/// Which too.\n/// \n\
                    fn a() {}\n/// Assembles.\nfn b() {}\n/// Whole.\nfn c() {}\n/// The samest.\nfn d() {}\n";
        assert!(lines("tools/fuzz/laws/src/a.rs", text).is_empty());
    }

    #[test]
    fn help_texts_and_other_files_are_not_checked() {
        for path in
            ["command/elf-cli/src/args.rs", "command/elf-cli/src/args/edit.rs", "elf-octets/README.md"]
        {
            assert!(lines(path, "/// Whether it is.\n").is_empty(), "{path}");
        }
    }
}
