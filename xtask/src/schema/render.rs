//! Renders the facts as two ELF files and one Rust file.

use super::facts::{Facts, SchemaKind};
use std::fmt::Write;

/// The head of every generated file.
const MADE: &str = "Made by `cargo xtask schema` of elf-schema/facts/default-schema.tsv; not to be edited.";

/// The maximum line width of `rustfmt.toml`.
const WIDTH: usize = 110;

/// Renders a schema as an ELF file, in the order of the facts.
pub(super) fn render_schema(facts: &Facts, schema: SchemaKind) -> String {
    let mut out = format!(
        "0 HEAD\n1 NOTE {MADE}\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 SCHMA\n"
    );
    let mut line = |level: u8, tag: &str, payload: &str| {
        out.push_str(&format!("{level} {tag} {payload}\n"));
    };
    for (_, prefix, iri) in facts.prefixes.iter().filter(|(which, ..)| which.is_in(schema)) {
        line(2, "PRFX", &format!("{prefix} {iri}"));
    }
    for (_, tag, types) in facts.escapes.iter().filter(|(which, ..)| which.is_in(schema)) {
        line(2, "ESC", &format!("{tag} {types}"));
    }
    for of in facts.types.iter().filter(|of| of.which.is_in(schema)) {
        line(2, "IRI", &of.name);
        for (_, supertype) in of.supertypes.iter().filter(|(which, _)| which.is_in(schema)) {
            line(3, "ISA", supertype);
        }
        for (_, tag) in of.tags.iter().filter(|(which, _)| which.is_in(schema)) {
            line(3, "TAG", tag);
        }
    }
    out.push_str("0 TRLR\n");
    out
}

/// Renders the IRIs of all types as Rust constants, with a module for each prefix.
pub(super) fn render_vocabulary(facts: &Facts) -> String {
    let mut out = format!(
        "//! The IRIs of the structure types of the built-in schemas.\n//!\n//! {MADE}\n\n\
         #![allow(clippy::doc_markdown, reason = \"names of types read better as they are\")]\n"
    );
    for (_, prefix, namespace) in &facts.prefixes {
        let types: Vec<_> =
            facts.types.iter().filter_map(|of| Some((of.name.split_once(':')?, of))).collect();
        let mut types = types.into_iter().filter(|((of, _), _)| of == prefix).peekable();
        if types.peek().is_none() {
            continue;
        }
        let _ = write!(out, "\n/// Types of the namespace `{namespace}`.\npub mod {prefix} {{\n");
        for ((_, name), of) in types {
            let tags: Vec<String> = of
                .tags
                .iter()
                .filter_map(|(_, tag)| tag.split_once(' '))
                .map(|(tag, contexts)| format!("`{tag}` in {}", contexts.replace(' ', ", ")))
                .collect();
            let what = if tags.is_empty() { describe_subtypes(facts, &of.name) } else { tags.join("; ") };
            let _ = writeln!(out, "    /// {prefix}:{name}: {what}.");
            push_constant(&mut out, &constant_name(name), &format!("{namespace}{name}"));
        }
        out.push_str("}\n");
    }
    out
}

/// The doc comment of a type without a tag, which lists its subtypes.
fn describe_subtypes(facts: &Facts, name: &str) -> String {
    let is_subtype = |of: &&super::facts::Type| of.supertypes.iter().any(|(_, supertype)| supertype == name);
    let subtypes: Vec<&str> = facts.types.iter().filter(is_subtype).map(|of| of.name.as_str()).collect();
    match subtypes.as_slice() {
        [] => "no tag stands for it".to_owned(),
        subtypes if subtypes.len() > 6 => "no tag stands for it, but for each of its subtypes".to_owned(),
        subtypes => format!("no tag stands for it; its subtypes are {}", subtypes.join(", ")),
    }
}

fn push_constant(out: &mut String, name: &str, iri: &str) {
    let line = format!("    pub const {name}: &str = \"{iri}\";");
    if line.len() <= WIDTH {
        let _ = writeln!(out, "{line}");
    } else {
        let _ = writeln!(out, "    pub const {name}: &str =\n        \"{iri}\";");
    }
}

/// The name of a type as a Rust constant, for types such as `EVENT#Family`, `IndividualEvent` and `DATE-DATE_LDS_ORD`.
fn constant_name(name: &str) -> String {
    let mut out = String::new();
    let capitals = !name.contains(|c: char| c.is_ascii_lowercase());
    let mut before = ' ';
    for c in name.chars() {
        match c {
            '-' | '#' => out.push('_'),
            _ => {
                let starts_word = before.is_ascii_lowercase() || before.is_ascii_digit();
                if c.is_ascii_uppercase() && starts_word && !capitals {
                    out.push('_');
                }
                out.push(c.to_ascii_uppercase());
            }
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_constants() {
        let names = ["BIRTH", "EVENT#Family", "IndividualEvent", "Parent1Age", "DATE-DATE_LDS_ORD"];
        let constants = names.map(constant_name);
        assert_eq!(
            constants,
            ["BIRTH", "EVENT_FAMILY", "INDIVIDUAL_EVENT", "PARENT1_AGE", "DATE_DATE_LDS_ORD"]
        );
    }

    #[test]
    fn the_completed_schema_has_what_the_published_one_has() {
        let facts = "published\tprefix\te\thttps://e.example/\npublished\tescape\tDATE\tD\npublished\ttype\te:Document\n\
                     published\ttype\te:A\ncompleted\ttag\te:A\tA e:Document\twhy\ncompleted\ttype\te:B\n";
        let facts = Facts::read_facts(facts).expect("good facts");
        let published = render_schema(&facts, SchemaKind::Published);
        assert!(published.ends_with("2 ESC DATE D\n2 IRI e:Document\n2 IRI e:A\n0 TRLR\n"));
        let completed = render_schema(&facts, SchemaKind::Completed);
        assert!(completed.ends_with("2 IRI e:A\n3 TAG A e:Document\n2 IRI e:B\n0 TRLR\n"));
        assert!(render_vocabulary(&facts).contains("pub const A: &str = \"https://e.example/A\";"));
    }
}
