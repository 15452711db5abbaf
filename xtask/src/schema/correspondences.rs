//! The facts about corresponding types: which types of other standards mean the same.

use super::facts::Facts;
use super::rows::{Correspondence, GEDCOM_7};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Reads the facts. An error names the line.
pub(super) fn read_correspondences(text: &str, facts: &Facts) -> Result<Vec<Correspondence>, String> {
    let mut read: Vec<Correspondence> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let problem = |message: String| format!("{}: {message}", index + 1);
        let cells: Vec<&str> = line.split('\t').collect();
        let [of, role, gedcom_7] = cells.as_slice() else {
            return Err(problem("expected three columns".to_owned()));
        };
        let of = Some((*of).to_owned()).filter(|of| of != "-");
        if let Some(of) = of.as_ref().filter(|of| !facts.types.iter().any(|known| known.name == **of)) {
            return Err(problem(format!("`{of}` is no type of the built-in schemas")));
        }
        if of.is_some() && read.iter().any(|known| known.of == of) {
            return Err(problem(format!("`{}` has a row already", of.unwrap_or_default())));
        }
        let is_name = |role: &str| role.chars().all(|c| c.is_ascii_alphabetic());
        if !is_name(role) || role.is_empty() && gedcom_7.is_empty() {
            return Err(problem(format!("expected a role, or what corresponds, but found `{role}`")));
        }
        let terms = gedcom_7.split('|').filter(|term| !term.is_empty()).map(|term| {
            let name = term.strip_prefix("g7:");
            name.map(|name| format!("{GEDCOM_7}{name}"))
                .ok_or_else(|| problem(format!("expected a structure of GEDCOM 7, but found `{term}`")))
        });
        let gedcom_7 = terms.collect::<Result<Vec<String>, String>>()?;
        let role = Some((*role).to_owned()).filter(|role| !role.is_empty());
        // A structure of GEDCOM 7 that corresponds to several types has the same role in all of them.
        for term in &gedcom_7 {
            if let Some(other) = read.iter().find(|known| known.gedcom_7.contains(term) && known.role != role)
            {
                return Err(problem(format!("`{term}` has the role of {other:?} already")));
            }
        }
        read.push(Correspondence { of, role, gedcom_7 });
    }
    Ok(read)
}

/// Renders the table as Rust, sorted by the IRIs of the types.
pub(super) fn render_correspondences(facts: &Facts) -> String {
    let iri = |name: &str| {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let namespace = facts.prefixes.iter().find(|(_, known, _)| known == prefix);
        namespace.map_or_else(|| name.to_owned(), |(_, _, namespace)| format!("{namespace}{local}"))
    };
    let mut rows = BTreeSet::new();
    for Correspondence { of, role, gedcom_7 } in &facts.correspondences {
        let known = facts.types.iter().find(|known| Some(&known.name) == of.as_ref());
        let mut tags: Vec<&str> = Vec::new();
        for (_, tag) in known.into_iter().flat_map(|known| &known.tags) {
            let tag = tag.split(' ').next().unwrap_or_default();
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        let role = role.as_ref().map_or_else(|| "None".to_owned(), |role| format!("Some(Role::{role})"));
        let of = of.as_deref().map(iri).unwrap_or_default();
        rows.insert(format!("    row({of:?}, {role}, &{tags:?}, &{gedcom_7:?}),"));
    }
    let mut out = String::from(
        "//! The correspondences of types between the standards.\n//!\n\
         //! Made by `cargo xtask schema` of elf-schema/facts/correspondences.tsv; not to be edited.\n\n\
         use super::{Correspondence, Role, row};\n\n\
         /// All rows, those without a type of ELF first, the others by its IRI.\n\
         #[rustfmt::skip]\n\
         pub(super) const ROWS: &[Correspondence] = &[\n",
    );
    for row in rows {
        let _ = writeln!(out, "{row}");
    }
    out.push_str("];\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str = "published\tprefix\te\thttps://e.example/\npublished\ttype\te:A\npublished\ttype\te:B\npublished\ttag\te:B\tBB e:A\n";

    #[test]
    fn the_table_is_sorted_and_has_the_tags() {
        let mut facts = Facts::read_facts(FACTS).expect("good facts");
        facts.correspondences =
            read_correspondences("# comment\ne:B\tBirth\tg7:X|g7:Y\ne:A\t\tg7:Z\n", &facts)
                .expect("good rows");
        let made = render_correspondences(&facts);
        let rows: Vec<&str> = made.lines().filter(|line| line.starts_with("    row(")).collect();
        assert_eq!(
            rows,
            [
                r#"    row("https://e.example/A", None, &[], &["https://gedcom.io/terms/v7/Z"]),"#,
                r#"    row("https://e.example/B", Some(Role::Birth), &["BB"], &["https://gedcom.io/terms/v7/X", "https://gedcom.io/terms/v7/Y"]),"#,
            ]
        );
    }

    #[test]
    fn faults_are_found() {
        let facts = Facts::read_facts(FACTS).expect("good facts");
        let message = |text| read_correspondences(text, &facts).expect_err("a problem");
        assert_eq!(message("e:C\tBirth\t\n"), "1: `e:C` is no type of the built-in schemas");
        assert_eq!(message("e:A\tBirth\t\ne:A\tDeath\t\n"), "2: `e:A` has a row already");
        assert_eq!(message("e:A\t\t\n"), "1: expected a role, or what corresponds, but found ``");
        assert_eq!(message("e:A\tBirth\tX\n"), "1: expected a structure of GEDCOM 7, but found `X`");
        assert!(message("e:A\tBirth\tg7:X\ne:B\tDeath\tg7:X\n").starts_with("2: "));
    }
}
