//! Family trees for Graphviz: persons as boxes, families as points between them.

use crate::pictures::family_tree::{FamilyTree, LONG_NAME, Way};
use crate::pictures::text::{clean, shortened_to_columns};
use elf_lineage::{Sex, Tie};
use std::fmt::Write;

impl FamilyTree {
    /// The tree in the language of Graphviz: each person once, and a point for each family, with lines from
    /// the partners to it and from it to the children.
    pub fn to_dot(&self) -> String {
        let mut out =
            String::from("digraph family {\n  rankdir = LR;\n  node [shape = box, style = rounded];\n");
        let _ = writeln!(out, "  label = {};", quoted(&[&self.title()]));
        for (number, person) in self.persons.iter().enumerate() {
            let whole = person.title();
            let title = shortened_to_columns(whole, LONG_NAME);
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
                if title == whole { String::new() } else { format!(", tooltip = {}", quoted(&[whole])) };
            let bold = if number == 0 { ", penwidth = 2" } else { "" };
            let _ = writeln!(out, "  p{number} [label = {}{color}{bold}{tip}];", quoted(&texts));
        }
        for (number, family) in self.families.iter().enumerate() {
            let label = family.marriage.as_ref().map(|year| quoted(&[&format!("⚭ {year}")]));
            let label = label.map_or_else(String::new, |label| format!(", xlabel = {label}"));
            let _ = writeln!(out, "  f{number} [shape = point{label}];");
            for partner in &family.partners {
                let _ = writeln!(out, "  p{partner} -> f{number} [dir = none];");
            }
            for (child, tie) in &family.children {
                let style = match tie {
                    Tie::Unknown | Tie::Birth => "",
                    Tie::Adopted => ", style = dashed",
                    Tie::Foster | Tie::Other | Tie::Disproven => ", style = dotted",
                };
                let word = Way::Down.tie_word(*tie).map(|word| quoted(&[word]));
                let word = word.map_or_else(String::new, |word| format!(", label = {word}"));
                let _ = writeln!(out, "  f{number} -> p{child} [dir = none{style}{word}];");
            }
        }
        let note = self.note();
        if !note.is_empty() {
            let _ = writeln!(out, "  left_out [shape = plaintext, label = {}];", quoted(&[&note]));
        }
        out.push_str("}\n");
        out
    }
}

/// Lines of text as a string of Graphviz: quotation marks, backslashes and ampersands escaped.
fn quoted(lines: &[&str]) -> String {
    let mut out = String::from("\"");
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            out.push_str("\\n");
        }
        for char in clean(line).chars() {
            match char {
                '"' | '\\' => out.extend(['\\', char]),
                // Graphviz reads entities of HTML in all strings.
                '&' => out.push_str("&amp;"),
                _ => out.push(char),
            }
        }
    }
    out.push('"');
    out
}
