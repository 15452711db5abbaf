//! Pages of the book that repeat other files, so that they can be read in the repository as well as in the book: the
//! manual pages of the codes, and the examples in the cookbook. `cargo xtask book` writes them.

use super::{Problem, ProjectFiles};
use elf_base::{Code, codes};

const COOKBOOK: &str = "docs/cookbook.md";

/// A page with the manual pages of the codes whose identifiers start with `prefix`.
struct Chapter {
    prefix: &'static str,
    path: &'static str,
    title: &'static str,
}

const CHAPTERS: &[Chapter] = &[
    Chapter { prefix: "E01", path: "docs/codes/octets.md", title: "E01xx Octets and encodings" },
    Chapter { prefix: "E02", path: "docs/codes/lines.md", title: "E02xx Lines" },
    Chapter { prefix: "E03", path: "docs/codes/structures.md", title: "E03xx Tagged structures" },
    Chapter { prefix: "E04", path: "docs/codes/schemas.md", title: "E04xx Schemas and types" },
    Chapter { prefix: "E05", path: "docs/codes/datasets.md", title: "E05xx Datasets" },
    Chapter { prefix: "E06", path: "docs/codes/values.md", title: "E06xx Values" },
    Chapter { prefix: "E07", path: "docs/codes/fetching.md", title: "E07xx Fetching" },
    Chapter { prefix: "E08", path: "docs/codes/writing.md", title: "E08xx Writing" },
    Chapter { prefix: "E09", path: "docs/codes/standards.md", title: "E09xx Structural standards" },
    Chapter { prefix: "P", path: "docs/codes/questions.md", title: "Pxx Questions about facts" },
];

/// A page with the text that it should have.
pub(super) struct Page {
    pub(super) path: &'static str,
    pub(super) text: String,
}

/// Returns the pages that repeat other files.
pub(super) fn copied_pages(files: &ProjectFiles) -> Vec<Page> {
    let chapters = CHAPTERS.iter().map(|chapter| Page { path: chapter.path, text: render_chapter(chapter) });
    let cookbook = files.text(COOKBOOK).map(|text| Page { path: COOKBOOK, text: with_examples(text, files) });
    chapters.chain(cookbook).collect()
}

/// Finds pages that differ from the files they repeat, and examples that the cookbook does not show.
pub(super) fn check_copies(files: &ProjectFiles) -> Vec<Problem> {
    let outdated = copied_pages(files).into_iter().filter(|page| files.text(page.path) != Some(&page.text));
    let message = "differs from the files that it repeats: run `cargo xtask book`";
    let mut problems: Vec<Problem> = outdated.map(|page| Problem::in_file(page.path, message)).collect();
    let cookbook = files.text(COOKBOOK).unwrap_or_default();
    for path in files.paths().filter(|path| path.contains("/examples/") && path.ends_with(".rs")) {
        if !cookbook.lines().any(|line| shown_example(line) == Some(path)) {
            problems.push(Problem::in_file(path, format!("is not in {COOKBOOK}")));
        }
    }
    for (index, line) in cookbook.lines().enumerate() {
        if let Some(path) = shown_example(line).filter(|path| files.text(path).is_none()) {
            problems.push(Problem::in_line(COOKBOOK, index, format!("there is no `{path}`")));
        }
    }
    problems
}

fn render_chapter(chapter: &Chapter) -> String {
    let codes: Vec<Code> = codes::all().filter(|code| code.id().starts_with(chapter.prefix)).collect();
    let mut text = format!(
        "# {}\n\n<!-- `cargo xtask book` writes this page from `base/elf-base/pages`. -->\n\n\
         | code | name | meaning |\n| --- | --- | --- |\n",
        chapter.title
    );
    for code in &codes {
        let anchor = format!("{}-{}", code.id().to_lowercase(), code.name());
        text.push_str(&format!("| [{}](#{anchor}) | {} | {} |\n", code.id(), code.name(), code.title()));
    }
    for code in codes {
        text.push('\n');
        text.push_str(&with_lower_headings(code.page()));
    }
    text
}

/// Lowers every heading of a page by one level, except in code blocks.
fn with_lower_headings(page: &str) -> String {
    let mut text = String::new();
    let mut in_code = false;
    for line in page.lines() {
        in_code ^= line.starts_with("```");
        if line.starts_with('#') && !in_code {
            text.push('#');
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The path of the example that the next code block of the cookbook shows: `<!-- lib/elf-edit/examples/date.rs -->`.
fn shown_example(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->").filter(|path| path.ends_with(".rs"))
}

/// Replaces the code block after each comment that names an example by the source of that example.
fn with_examples(cookbook: &str, files: &ProjectFiles) -> String {
    let mut text = String::new();
    let mut source = None;
    let mut in_replaced = false;
    for line in cookbook.lines() {
        let is_fence = line.starts_with("```");
        if in_replaced && !is_fence {
            continue;
        }
        text.push_str(line);
        text.push('\n');
        in_replaced = false;
        if let Some(path) = shown_example(line) {
            source = files.text(path);
        } else if let Some(source) = source.take_if(|_| is_fence) {
            text.push_str(source);
            in_replaced = true;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::problems_of;
    use super::*;

    #[test]
    fn each_code_is_on_one_page() {
        for code in codes::all() {
            let pages = CHAPTERS.iter().filter(|chapter| code.id().starts_with(chapter.prefix)).count();
            assert_eq!(pages, 1, "{}", code.id());
        }
    }

    #[test]
    fn headings_are_lowered_outside_code() {
        let page = "# E0101 name\n\n```text\n# 1\n```\n\n## What to do\n";
        assert_eq!(with_lower_headings(page), "## E0101 name\n\n```text\n# 1\n```\n\n### What to do\n");
    }

    #[test]
    fn the_cookbook_shows_the_source_of_examples() {
        let cookbook = "# A\n\n<!-- a/examples/a.rs -->\n```rust\nold\n```\n\ntext\n```sh\nstays\n```\n";
        let files = ProjectFiles::from_texts(&[("a/examples/a.rs", "//! New.\nfn main() {}\n")]);
        assert_eq!(
            with_examples(cookbook, &files),
            "# A\n\n<!-- a/examples/a.rs -->\n```rust\n//! New.\nfn main() {}\n```\n\ntext\n```sh\nstays\n```\n"
        );
    }

    #[test]
    fn missing_examples_and_outdated_pages_are_found() {
        let files = [
            (
                COOKBOOK,
                "<!-- a/examples/gone.rs -->\n```rust\n```\n<!-- a/examples/a.rs -->\n```rust\nold\n```\n",
            ),
            ("a/examples/a.rs", "fn main() {}\n"),
            ("a/examples/b.rs", "fn main() {}\n"),
        ];
        let problems = problems_of(check_copies, &files);
        assert_eq!(
            problems[CHAPTERS.len()..],
            [
                "docs/cookbook.md: differs from the files that it repeats: run `cargo xtask book`",
                "a/examples/b.rs: is not in docs/cookbook.md",
                "docs/cookbook.md:1: there is no `a/examples/gone.rs`",
            ]
        );
    }
}
