//! The rules of all standards about pointers that concern two records.

use super::render::{Link, Rule, Table};
use super::{fact_rows, split_cell};

/// The path of the facts.
pub(super) const FACTS: &str = "lib/elf-validate/facts/links.tsv";

/// Reads the rules of a standard, whose kinds of structures are in `table`. An error names the line.
pub(super) fn read_links(text: &str, standard: &str, table: &Table) -> Result<Vec<Link>, String> {
    let mut links = Vec::new();
    for row in fact_rows::<7>(text) {
        let (line, [of, record, pointer, rule, by, tags, level]) = row?;
        if of != standard {
            continue;
        }
        let number = |name: &str| {
            table.numbers.get(name).copied().ok_or_else(|| format!("{line}: nothing says what `{name}` is"))
        };
        let by =
            split_cell(by, '|').iter().map(|name| number(name)).collect::<Result<Vec<usize>, String>>()?;
        let tags = split_cell(tags, '|');
        let is_required = match level {
            "must" => true,
            "advice" => false,
            other => return Err(format!("{line}: expected must or advice, but found `{other}`")),
        };
        let rule = match rule {
            "answered" => Rule::Answered { by, tags },
            "unanswered" => Rule::Unanswered { by },
            "elsewhere" => Rule::Elsewhere,
            "acyclic" => Rule::Acyclic,
            "once" => Rule::Once,
            other => return Err(format!("{line}: no rule is called `{other}`")),
        };
        links.push(Link { record: number(record)?, pointer: number(pointer)?, rule, is_required });
    }
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standards::paths;

    #[test]
    fn rules_name_kinds_by_their_numbers() {
        let table = paths::read_standard("x", "A\t0\tM\tnone\t\t\nA.P\t0\t1\tpointer\tA\t\n", "")
            .expect("good facts");
        let row = |rule: &str, by: &str, level: &str| format!("x\tA\tA.P\t{rule}\t{by}\tP\t{level}\n");
        let links = read_links(&row("answered", "A.P", "must"), "x", &table).expect("good facts");
        let rule = Rule::Answered { by: vec![1], tags: vec!["P".to_owned()] };
        assert_eq!(links, [Link { record: 0, pointer: 1, rule, is_required: true }]);
        assert_eq!(read_links(&row("answered", "A.P", "must"), "y", &table), Ok(Vec::new()));
        let message = |row: String| read_links(&row, "x", &table).expect_err("a problem");
        assert_eq!(message(row("answered", "P", "must")), "1: nothing says what `P` is");
        assert_eq!(message(row("left", "", "must")), "1: no rule is called `left`");
        assert_eq!(message(row("elsewhere", "", "may")), "1: expected must or advice, but found `may`");
    }
}
