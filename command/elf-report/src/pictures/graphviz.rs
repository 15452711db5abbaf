//! Family trees for Graphviz: people are boxes, and families are points between them.

use crate::pictures::family_tree::{Direction, FamilyTree, LONG_NAME};
use crate::pictures::text::{clean_text, shorten_to_columns};
use elf_lineage::{Sex, Tie};
use std::fmt::Write;

impl FamilyTree {
    /// Returns the tree in the DOT language of Graphviz. Each person is a box and each family a point, with lines from
    /// the partners to the point and from the point to the children.
    pub fn to_dot(&self) -> String {
        let mut out =
            String::from("digraph family {\n  rankdir = LR;\n  node [shape = box, style = rounded];\n");
        let _ = writeln!(out, "  label = {};", quote_lines(&[&self.title()]));
        for (number, person) in self.persons.iter().enumerate() {
            let whole = person.title();
            let title = shorten_to_columns(whole, LONG_NAME);
            let mut texts = vec![&*title];
            if !person.years.is_empty() {
                texts.push(&person.years);
            }
            let color = match person.sex {
                Sex::Male => ", color = steelblue",
                Sex::Female => ", color = palevioletred",
                Sex::Unknown => "",
            };
            let tip =
                if title == whole { String::new() } else { format!(", tooltip = {}", quote_lines(&[whole])) };
            let bold = if number == 0 { ", penwidth = 2" } else { "" };
            let _ = writeln!(out, "  p{number} [label = {}{color}{bold}{tip}];", quote_lines(&texts));
        }
        for (number, family) in self.families.iter().enumerate() {
            let label = family.marriage.as_ref().map(|year| quote_lines(&[&format!("⚭ {year}")]));
            let label = label.map_or_else(String::new, |label| format!(", xlabel = {label}"));
            let _ = writeln!(out, "  f{number} [shape = point{label}];");
            for partner in &family.partners {
                let _ = writeln!(out, "  p{partner} -> f{number} [dir = none];");
            }
            for (child, tie) in &family.children {
                let style = match tie {
                    Tie::Unknown | Tie::Birth => "",
                    Tie::Adopted => ", style = dashed",
                    Tie::Uncertain | Tie::Foster | Tie::Other | Tie::Disproven => ", style = dotted",
                };
                let word = Direction::Down.tie_word(*tie).map(|word| quote_lines(&[word]));
                let word = word.map_or_else(String::new, |word| format!(", label = {word}"));
                let _ = writeln!(out, "  f{number} -> p{child} [dir = none{style}{word}];");
            }
        }
        let note = self.note();
        if !note.is_empty() {
            let _ = writeln!(out, "  left_out [shape = plaintext, label = {}];", quote_lines(&[&note]));
        }
        out.push_str("}\n");
        out
    }
}

/// Writes lines of text as a quoted string of Graphviz.
fn quote_lines(lines: &[&str]) -> String {
    let mut out = String::from("\"");
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            out.push_str("\\n");
        }
        for char in clean_text(line).chars() {
            match char {
                '"' | '\\' => out.extend(['\\', char]),
                // Graphviz decodes HTML entities in all strings.
                '&' => out.push_str("&amp;"),
                _ => out.push(char),
            }
        }
    }
    out.push('"');
    out
}
