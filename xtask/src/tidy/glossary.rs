//! The glossary: each word occurs in the file that it names.

use super::{Problem, Tree};

const GLOSSARY: &str = "docs/glossary.md";

/// The number of words that a reader can be asked to learn.
const MOST: usize = 40;

/// Runs over the rows of the glossary.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut count = 0;
    for (index, line) in tree.get(GLOSSARY).unwrap_or_default().lines().enumerate() {
        let Some((word, file)) = row(line) else { continue };
        count += 1;
        match tree.get(file) {
            None => problems.push(Problem::line(GLOSSARY, index, format!("there is no file {file}"))),
            Some(text) if !text.to_lowercase().contains(word) => {
                problems.push(Problem::line(GLOSSARY, index, format!("`{word}` does not occur in {file}")));
            }
            Some(_) => {}
        }
    }
    match count {
        0 => problems.push(Problem::file(GLOSSARY, "there is no word in it")),
        1..=MOST => {}
        _ => {
            problems.push(Problem::file(GLOSSARY, "there are more words than a reader should have to learn"))
        }
    }
    problems
}

/// Returns the word and the file of a row of the table.
fn row(line: &str) -> Option<(&str, &str)> {
    let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
    let (word, file) = (cells.next()?, cells.last()?);
    Some((word, file.strip_prefix('`')?.strip_suffix('`')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(glossary: &str) -> usize {
        check(&Tree::of(&[(GLOSSARY, glossary), ("a/src/b.rs", "/// A File style.\n")])).len()
    }

    #[test]
    fn words_that_are_gone_are_found() {
        let head = "| word | meaning | file |\n| --- | --- | --- |\n";
        let row = |word: &str, file: &str| format!("{head}| {word} | means something | `{file}` |\n");
        assert_eq!(count(&row("file style", "a/src/b.rs")), 0);
        assert_eq!(count(&row("habit", "a/src/b.rs")), 1);
        assert_eq!(count(&row("file style", "a/src/c.rs")), 1);
        assert_eq!(count(head), 1);
        assert_eq!(count(&row("file style", "a/src/b.rs").repeat(MOST + 1)), 1);
    }
}
