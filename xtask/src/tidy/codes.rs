//! The table of codes: every code is reported by its layer, and its manual page has the agreed sections.

use super::{Problem, ProjectFiles};
use elf_base::{Code, codes};
use std::collections::HashSet;

const PAGES: &str = "base/elf-base/pages/";

/// The codes whose identifiers start with `prefix`, and the folders of the crates that report them.
struct Layer {
    prefix: &'static str,
    crates: &'static [&'static str],
}

const LAYERS: &[Layer] = &[
    // Some faults of bytes and lines are visible only in the tree, such as a character cut by CONC.
    Layer { prefix: "E01", crates: &["elf-octets", "elf-tagged"] },
    Layer { prefix: "E02", crates: &["elf-lines", "elf-tagged"] },
    Layer { prefix: "E03", crates: &["elf-tagged"] },
    Layer { prefix: "E04", crates: &["elf-schema"] },
    Layer { prefix: "E05", crates: &["elf-model"] },
    Layer { prefix: "E06", crates: &["base/elf-values"] },
    Layer { prefix: "E07", crates: &["elf-schema"] },
    // Every layer writes.
    Layer { prefix: "E08", crates: &["elf-", "lib/", "command/"] },
    Layer { prefix: "E09", crates: &["lib/elf-validate"] },
    Layer { prefix: "P", crates: &["lib/elf-lineage"] },
];

/// The codes that are not reported any more. They keep their rows and pages, because codes are never reused.
const RETIRED: [Code; 1] = [codes::RECORD_TOO_LONG];

/// The sections of a manual page in order. The second-last one may be missing.
const SECTIONS: [&str; 5] =
    ["What it finds", "Why it matters", "Example", "What the reader does", "What to do"];
const OPTIONAL: usize = 3;

/// Finds codes that are not reported in the library code of their layer.
pub(super) fn check_reported(files: &ProjectFiles) -> Vec<Problem> {
    let mut unreported: Vec<Code> = codes::all().filter(|code| !RETIRED.contains(code)).collect();
    for layer in LAYERS {
        let is_source = |path: &str| path.contains("/src/") && path.ends_with(".rs");
        let is_of_layer = |path: &str| layer.crates.iter().any(|name| path.starts_with(name));
        let sources = files.texts().filter(|(path, _)| is_source(path) && is_of_layer(path));
        let identifiers: HashSet<&str> = sources
            .flat_map(|(_, text)| library_code(text))
            .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
            .collect();
        unreported.retain(|code| {
            let constant = code.name().to_uppercase().replace('-', "_");
            !code.id().starts_with(layer.prefix) || !identifiers.contains(constant.as_str())
        });
    }
    let problem = |code| Problem::in_file(&page_path(code), "the layer of this code does not report it");
    unreported.into_iter().map(problem).collect()
}

/// Finds manual pages that lack one of the agreed sections, and pages without a code.
pub(super) fn check_pages(files: &ProjectFiles) -> Vec<Problem> {
    let mut problems: Vec<Problem> =
        codes::all().filter_map(|code| find_page_fault(code, code.page())).collect();
    for path in files.paths().filter(|path| path.starts_with(PAGES)) {
        if !codes::all().any(|code| page_path(code) == path) {
            problems.push(Problem::in_file(path, "there is no such code"));
        }
    }
    problems
}

fn page_path(code: Code) -> String {
    format!("{PAGES}{}.md", code.id())
}

fn find_page_fault(code: Code, page: &str) -> Option<Problem> {
    let heading = format!("# {} {}", code.id(), code.name());
    let mut sections = page.split("\n## ");
    if sections.next().map(str::trim_end) != Some(&heading) {
        return Some(Problem::in_file(&page_path(code), format!("expected the heading `{heading}`")));
    }
    // A section without text counts as missing.
    let filled =
        sections.filter_map(|section| section.split_once('\n')).filter(|(_, text)| !text.trim().is_empty());
    let found: Vec<&str> = filled.map(|(title, _)| title).collect();
    let mut required = SECTIONS.to_vec();
    required.remove(OPTIONAL);
    let message = format!("expected text in the sections {SECTIONS:?}, found {found:?}");
    (found != SECTIONS && found != required).then(|| Problem::in_file(&page_path(code), message))
}

/// The lines of a source without comments and without the tests at its end.
fn library_code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_in_comments_tests_and_longer_names_do_not_count() {
        let is_reported = |source: &str| {
            let files = ProjectFiles::from_texts(&[("elf-lines/src/read.rs", source)]);
            !check_reported(&files).iter().any(|problem| problem.place == page_path(codes::LEVEL_TOO_DEEP))
        };
        assert!(is_reported("fn f() -> Code { codes::LEVEL_TOO_DEEP }\n"));
        assert!(!is_reported("// codes::LEVEL_TOO_DEEP\n"));
        assert!(!is_reported("//! A.\n#[cfg(test)]\nmod tests { const C: Code = LEVEL_TOO_DEEP; }\n"));
        assert!(!is_reported("const LEVEL_TOO_DEEP_2: u8 = 0;\n"));
    }

    #[test]
    fn each_mistake_of_a_page_is_found() {
        const PAGE: &str = "# E0203 level-too-deep\n\n## What it finds\n\na\n\n## Why it matters\n\nb\n\n\
                            ## Example\n\n```text\n0 HEAD\n```\n\n## What to do\n\nc\n";
        let is_good = |from, to| find_page_fault(codes::LEVEL_TOO_DEEP, &PAGE.replace(from, to)).is_none();
        assert!(is_good("", ""));
        assert!(is_good("## What to do", "## What the reader does\n\nd\n\n## What to do"));
        assert!(!is_good("## Example", "## What the reader does\n\nd\n\n## Example"));
        assert!(!is_good("## What to do\n\nc\n", ""));
        assert!(!is_good("E0203", "E0204"));
        assert!(!is_good("\nb\n", "\n"));
        assert!(!is_good("\nc\n", ""));
    }
}
