//! Matches over rules answer for every variant: a new one must not compile where nobody thought of it. Nor is
//! one variant asked for where a method of the rule could answer.

use super::sources::library_code;
use super::{Problem, Tree};

/// The sources whose public enums are closed.
const CLOSED: &[&str] = &[
    "base/elf-base/src/rules.rs",
    "base/elf-base/src/rules/escape.rs",
    "base/elf-base/src/rules/line_limit.rs",
    "base/elf-base/src/draft.rs",
    "base/elf-base/src/class.rs",
    "elf-octets/src/encoding.rs",
];

/// The folder in which rules are compared with one variant: the methods that answer questions about them.
const RULES: &str = "base/elf-base/src/rules";

/// Runs over the library code of every crate that reads or writes.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let (mut names, mut rules) = (Vec::new(), Vec::new());
    let mut problems = Vec::new();
    for path in CLOSED {
        let text = tree.get(path).unwrap_or_default();
        let mut open = false;
        for (line, code) in library_code(text) {
            if let Some(name) = code.strip_prefix("pub enum ").and_then(|rest| rest.strip_suffix(" {")) {
                names.push(format!("{name}::"));
                rules.extend(path.starts_with(RULES).then(|| format!("{name}::")));
                if open {
                    problems.push(Problem::line(path, line, format!("the enum `{name}` is not closed")));
                }
            }
            open = code == "#[non_exhaustive]" || open && code.starts_with('#');
        }
    }
    for (path, text) in tree.files() {
        if path.ends_with(".rs") && path.starts_with("elf-") && path.contains("/src/") {
            matches(path, text, &names, &mut problems);
            if !path.starts_with(RULES) {
                comparisons(path, text, &rules, &mut problems);
            }
        }
    }
    problems
}

/// Finds comparisons of a rule with one variant, which a new variant would answer in silence.
fn comparisons(path: &str, text: &str, rules: &[String], problems: &mut Vec<Problem>) {
    for (line, code) in library_code(text) {
        let behind = |sign| code.split(sign).skip(1);
        let operands = ["== ", "!= "].into_iter().flat_map(behind).map(first_operand);
        let patterns = ["matches!(", "let "].into_iter().flat_map(behind).map(pattern);
        if operands.chain(patterns).any(|part| rules.iter().any(|name| has_name(part, name))) {
            let message = "a rule is compared with one variant, where a method of it could answer for all";
            problems.push(Problem::line(path, line, message));
        }
    }
}

/// Returns what stands behind a sign of comparison.
fn first_operand(rest: &str) -> &str {
    rest.split([')', '&', '{', ';', '>']).next().unwrap_or_default()
}

/// Returns the pattern of a `matches!` or of a `let`.
fn pattern(rest: &str) -> &str {
    match rest.split_once(" = ") {
        Some((pattern, _)) => pattern,
        None => rest,
    }
}

/// A match that is open at a line: the indentation of its arms, whether one names a closed enum, and its
/// wildcard arm.
struct Match {
    arms: usize,
    closed: bool,
    wildcard: Option<usize>,
}

/// Finds matches with an arm that names one of `names` and another that takes all that is left.
///
/// It goes by the indentation of formatted code. A match over tuples counts like any other.
fn matches(path: &str, text: &str, names: &[String], problems: &mut Vec<Problem>) {
    let mut open: Vec<Match> = Vec::new();
    for (line, code) in library_code(text) {
        let trimmed = code.trim_start();
        let indent = code.len() - trimmed.len();
        if trimmed.is_empty() {
            continue;
        }
        while open.last().is_some_and(|last| indent < last.arms) {
            let Some(Match { closed: true, wildcard: Some(line), .. }) = open.pop() else { continue };
            problems.push(Problem::line(path, line, "a match over rules has an arm for whatever is left"));
        }
        if let Some(last) = open.last_mut().filter(|last| last.arms == indent) {
            let pattern = trimmed.split(" => ").next().unwrap_or_default();
            let pattern = pattern.split(" if ").next().unwrap_or_default();
            last.closed |= names.iter().any(|name| has_name(pattern, name));
            let is_name = pattern.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            if is_name && trimmed.contains(" => ") && !trimmed.contains(" if ") {
                last.wildcard = Some(line);
            }
        }
        let begins =
            trimmed.starts_with("match ") || trimmed.contains(" match ") || trimmed.contains("(match ");
        if begins && trimmed.ends_with('{') {
            open.push(Match { arms: indent + 4, closed: false, wildcard: None });
        }
    }
}

fn has_name(pattern: &str, name: &str) -> bool {
    pattern.match_indices(name).any(|(at, _)| {
        let before = pattern.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(|before| before.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "//! Rules.\n\npub enum Escape {\n    Typed,\n}\n";

    fn lines(source: &str) -> Vec<Option<usize>> {
        let tree = Tree::of(&[("base/elf-base/src/rules.rs", RULES), ("elf-lines/src/read.rs", source)]);
        check(&tree).into_iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn an_arm_for_the_rest_is_found() {
        let source = "//! Reads.\nfn f() {\n    match escape {\n        Escape::Typed => 1,\n        _ => 2,\n    }\n}\n";
        assert_eq!(lines(source), [Some(5)]);
        assert_eq!(lines(&source.replace("_ =>", "other =>")), [Some(5)]);
        assert_eq!(lines(&source.replace("Escape::Typed", "(Escape::Typed, Some(_))")), [Some(5)]);
        assert_eq!(lines(&source.replace("match escape", "let x = match escape")), [Some(5)]);
    }

    #[test]
    fn other_matches_may_have_one() {
        let source = "//! Reads.\nfn f() {\n    match token {\n        Token::Escape => 1,\n        _ => 2,\n    }\n    match escape \
                      {\n        Escape::Typed if odd => 1,\n        Escape::Typed => match x {\n            3 => 1,\n            \
                      _ => 2,\n        },\n    }\n}\n";
        assert_eq!(lines(source), []);
    }

    #[test]
    fn a_comparison_with_one_variant_is_found() {
        for code in ["a == Escape::Typed", "rules.escape != Escape::Typed && b", "matches!(a, Escape::Typed)"]
        {
            assert_eq!(
                lines(&format!("//! Reads.\nfn f() -> bool {{\n    {code}\n}}\n")),
                [Some(3)],
                "{code}"
            );
        }
        assert_eq!(lines("//! Reads.\nfn f() {\n    a == Token::Escape;\n    b(Escape::Typed);\n}\n"), []);
        let tests =
            "//! Reads.\n#[cfg(test)]\nmod tests {\n    fn f() {\n        a == Escape::Typed;\n    }\n}\n";
        assert_eq!(lines(tests), []);
    }

    #[test]
    fn an_open_enum_of_rules_is_found() {
        let open = RULES.replace("pub enum", "#[derive(Clone)]\n#[non_exhaustive]\npub enum");
        let tree = Tree::of(&[("base/elf-base/src/rules.rs", &open)]);
        assert_eq!(check(&tree).len(), 1);
    }
}
