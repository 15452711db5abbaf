//! Renders a table for validation as Rust.

use super::split_cell;
use crate::additions::iri_of;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// The standard, for the documentation.
    pub(super) title: &'static str,
    /// The variant of `Naming`.
    pub(super) naming: &'static str,
    pub(super) kinds: Vec<Kind>,
    pub(super) roots: Vec<Slot>,
    /// The index of the kind of each path or type.
    pub(super) numbers: BTreeMap<String, usize>,
    /// True if kinds are found by their tags but have types too.
    pub(super) has_types: bool,
    pub(super) links: Vec<Link>,
}

/// A rule about a pointer that concerns two records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The index of the kind of the record.
    pub(super) record: usize,
    /// The index of the kind of the pointer.
    pub(super) pointer: usize,
    pub(super) rule: Rule,
    pub(super) is_required: bool,
}

/// The rule, with the indices of the kinds of pointers that lead back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Answered { by: Vec<usize>, tags: Vec<String> },
    Unanswered { by: Vec<usize> },
    Elsewhere,
    Acyclic,
    Once,
}

/// A kind of structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    pub(super) name: String,
    /// The default tag. Empty if there is none.
    pub(super) tag: String,
    pub(super) payloads: Payloads,
    pub(super) targets: Vec<String>,
    pub(super) text: Text,
    /// The indices of all supertypes.
    pub(super) supertypes: Vec<usize>,
    pub(super) slots: Vec<Slot>,
    /// True if a structure must have a payload or substructures.
    pub(super) must_say_something: bool,
}

/// The text that a kind of structure may have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Text {
    /// The variant of `Datatype` or `Grammar`, with its type. Empty for any text.
    pub(super) grammar: &'static str,
    pub(super) values: Vec<String>,
    pub(super) is_required: bool,
    pub(super) longest: Option<u32>,
}

impl Text {
    /// Reads the cells for the grammar, the values, whether text is required, and its maximum length.
    pub(super) fn parse(grammar: &str, values: &str, required: &str, longest: &str) -> Result<Text, String> {
        let (_, grammar) = GRAMMARS
            .iter()
            .find(|(name, _)| *name == grammar)
            .ok_or_else(|| format!("expected a grammar, but found `{grammar}`"))?;
        let values = split_cell(values, '|');
        let is_free = grammar.is_empty() && values.is_empty();
        let is_required = match required {
            "must" if !is_free => true,
            "should" if !is_free => false,
            "" if is_free => false,
            other => return Err(format!("expected must or should, but found `{other}`")),
        };
        let longest = match longest {
            "" => None,
            longest => {
                Some(longest.parse().map_err(|_| format!("expected a number, but found `{longest}`"))?)
            }
        };
        Ok(Text { grammar, values, is_required, longest })
    }

    fn render(&self) -> String {
        let Text { grammar, values, is_required, longest } = self;
        if grammar.is_empty() && values.is_empty() {
            return match longest {
                None => "ANY".to_owned(),
                Some(longest) => format!("text_up_to({longest})"),
            };
        }
        if grammar.starts_with("Grammar::") {
            return format!("text_of_grammar({grammar}, &{values:?})");
        }
        let grammar = if grammar.is_empty() { "Datatype::Text" } else { grammar };
        format!("text({grammar}, &{values:?}, {is_required}, {})", longest.unwrap_or(0))
    }
}

/// The names of grammars in the facts, and the variants of `Datatype` or `Grammar`.
const GRAMMARS: [(&str, &str); 20] = [
    ("", ""),
    ("age", "Datatype::Age"),
    ("date", "Datatype::DateValue"),
    ("enumeration", "Grammar::Enumeration"),
    ("enumerations", "Grammar::Enumerations"),
    ("exact-date", "Datatype::DateExact"),
    ("integer", "Datatype::Integer"),
    ("language-tag", "Grammar::LanguageTag"),
    ("latitude", "Datatype::Latitude"),
    ("longitude", "Datatype::Longitude"),
    ("media-type", "Grammar::MediaType"),
    ("name", "Datatype::PersonalName"),
    ("period", "Datatype::DatePeriod"),
    ("tag-definition", "Grammar::TagDefinition"),
    ("time", "Datatype::Time"),
    ("uri", "Grammar::Uri"),
    ("uuid", "Grammar::Uuid"),
    ("file-path", "Grammar::FilePath"),
    ("version", "Grammar::Version"),
    ("word", "Grammar::Word"),
];

/// A substructure that a kind allows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    pub(super) name: String,
    /// The index of the kind of the substructure.
    pub(super) kind: usize,
    pub(super) cardinality: Cardinality,
}

/// The minimum and maximum number. `None` is no maximum.
pub(super) type Cardinality = (u32, Option<u32>);

/// Whether a structure may have no payload, text, or a pointer.
pub(super) type Payloads = [bool; 3];

/// Reads a cell of payloads. An empty cell allows all of them.
pub(super) fn parse_payloads(cell: &str) -> Result<Payloads, String> {
    const NAMES: [&str; 3] = ["none", "text", "pointer"];
    if let Some(other) = cell.split('|').find(|name| !name.is_empty() && !NAMES.contains(name)) {
        return Err(format!("expected none, text or pointer, but found `{other}`"));
    }
    Ok(NAMES.map(|name| cell.is_empty() || cell.split('|').any(|part| part == name)))
}

/// Reads the minimum and maximum number.
pub(super) fn parse_cardinality(min: &str, max: &str) -> Result<Cardinality, String> {
    let number = |text: &str| text.parse().map_err(|_| format!("expected a number, but found `{text}`"));
    Ok((number(min)?, if max == "M" { None } else { Some(number(max)?) }))
}

impl Table {
    /// Renders the table as Rust.
    pub(super) fn render(&self, facts: &str) -> String {
        let mut kinds = String::new();
        for kind in &self.kinds {
            let [none, text, pointer] = kind.payloads;
            let (start, end) = if kind.must_say_something { ("non_empty(", ")") } else { ("", "") };
            let _ = writeln!(
                kinds,
                "    {start}kind({}, payloads({none}, {text}, {pointer}), &{:?}, {}, &{:?}, &{}){end},",
                kind.render_name_and_tag(),
                kind.targets,
                kind.text.render(),
                kind.supertypes,
                render_slots(&kind.slots)
            );
        }
        let used = [
            "ANY",
            "Grammar",
            "Kind",
            "Link",
            "LinkRule",
            "Naming",
            "Slot",
            "Table",
            "kind",
            "limited_slot",
            "non_empty",
            "payloads",
            "text",
            "text_of_grammar",
            "text_up_to",
            "unlimited_slot",
        ];
        let is_used = |name: &&str| {
            name.starts_with(char::is_uppercase) && !["ANY", "Grammar"].contains(name)
                || kinds.contains(&format!("({name}::"))
                || kinds.contains(&format!("({name}("))
                || kinds.contains(&format!(" {name}("))
                || kinds.contains(&format!("[{name}("))
                || kinds.contains(&format!(" {name},"))
        };
        let used: Vec<&str> = used.into_iter().filter(is_used).collect();
        let values = if kinds.contains("Datatype::") { "use elf_values::Datatype;\n" } else { "" };
        // Each line is a string of its own. In a string of several lines, `//!` would be taken for a comment of this
        // file.
        let lines = [
            format!("//! The structures of {}.", self.title),
            "//!".to_owned(),
            format!("//! Made by `cargo xtask standards` of {facts}; not to be edited."),
            String::new(),
            render_imports(&used),
            values.to_owned(),
            "/// The table.".to_owned(),
            format!(
                "pub(crate) const TABLE: Table =\n    Table {{ naming: Naming::{}, kinds: KINDS, roots: ROOTS, links: LINKS{} }};",
                self.naming,
                if self.has_types { ", types: TYPES" } else { ", types: &[]" }
            ),
            String::new(),
            "/// The structures that are in no other.".to_owned(),
            "#[rustfmt::skip]".to_owned(),
            format!("const ROOTS: &[Slot] = &{};", render_slots(&self.roots)),
            String::new(),
            "/// The kinds of structures, by their numbers.".to_owned(),
            "#[rustfmt::skip]".to_owned(),
            format!("const KINDS: &[Kind] = &[\n{kinds}];"),
            String::new(),
            "/// The rules about pointers that concern two records.".to_owned(),
            "#[rustfmt::skip]".to_owned(),
            format!("const LINKS: &[Link] = &[\n{}];", render_links(&self.links)),
        ];
        lines.into_iter().chain(self.render_types()).collect::<Vec<_>>().join("\n") + "\n"
    }

    /// The lines about types, if kinds have types.
    fn render_types(&self) -> Vec<String> {
        if !self.has_types {
            return Vec::new();
        }
        let mut types: Vec<String> =
            self.numbers.iter().map(|(name, number)| format!("({:?}, {number})", iri_of(name))).collect();
        types.sort_unstable();
        vec![
            String::new(),
            "/// The IRIs of types, sorted, with their kinds.".to_owned(),
            "#[rustfmt::skip]".to_owned(),
            format!("const TYPES: &[(&str, u16)] = &[{}];", types.join(", ")),
        ]
    }
}

/// The import of names, with line breaks as `rustfmt` sets them.
fn render_imports(names: &[&str]) -> String {
    const WIDEST: usize = 110;
    let line = format!("use crate::table::{{{}}};", names.join(", "));
    if line.len() <= WIDEST {
        return line;
    }
    let mut lines = vec![String::new()];
    for name in names {
        let item = format!("{name}, ");
        match lines.last_mut() {
            Some(last) if 4 + last.len() + item.len() <= WIDEST + 1 => last.push_str(&item),
            _ => lines.push(item),
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("    {}", line.trim_end())).collect();
    format!("use crate::table::{{\n{}\n}};", lines.join("\n"))
}

impl Kind {
    /// Renders the arguments for the name and the tag.
    fn render_name_and_tag(&self) -> String {
        let tag = if self.tag.is_empty() { "None".to_owned() } else { format!("Some({:?})", self.tag) };
        format!("{:?}, {tag}", self.name)
    }
}

fn render_links(links: &[Link]) -> String {
    let mut out = String::new();
    for Link { record, pointer, rule, is_required } in links {
        let rule = match rule {
            Rule::Answered { by, tags } => format!("Answered {{ by: &{by:?}, tags: &{tags:?} }}"),
            Rule::Unanswered { by } => format!("Unanswered {{ by: &{by:?} }}"),
            Rule::Elsewhere => "Elsewhere".to_owned(),
            Rule::Acyclic => "Acyclic".to_owned(),
            Rule::Once => "Once".to_owned(),
        };
        let _ = writeln!(
            out,
            "    Link {{ record: {record}, pointer: {pointer}, rule: LinkRule::{rule}, is_required: {is_required} }},"
        );
    }
    out
}

fn render_slots(slots: &[Slot]) -> String {
    let slots: Vec<String> = slots
        .iter()
        .map(|Slot { name, kind, cardinality: (min, max) }| match max {
            Some(max) => format!("limited_slot({name:?}, {kind}, {min}, {max})"),
            None => format!("unlimited_slot({name:?}, {kind}, {min})"),
        })
        .collect();
    format!("[{}]", slots.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read() {
        assert_eq!(parse_payloads(""), Ok([true; 3]));
        assert_eq!(parse_payloads("none|pointer"), Ok([true, false, true]));
        assert_eq!(
            parse_payloads("none|words"),
            Err("expected none, text or pointer, but found `words`".to_owned())
        );
        assert_eq!(parse_cardinality("0", "M"), Ok((0, None)));
        assert_eq!(parse_cardinality("1", "3"), Ok((1, Some(3))));
        assert_eq!(parse_cardinality("1", "N"), Err("expected a number, but found `N`".to_owned()));
    }
}
