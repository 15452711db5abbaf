//! Findings by code, with the first few of each.

use super::sections::{Level, note};
use super::table::{self, number, words};

use crate::grouped;
use crate::page::excerpts::{FileFindings, FindingExcerpt};
use crate::page::markup::Markup;
use elf_base::{Class, Excerpt, Place, masked_credentials};
use elf_check::{CodeCount, CodeCounts};
use elf_values::iso_day;
use std::io;

/// The two kinds of findings that have sections of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Findings about the file and its format.
    Findings,
    /// Questions about facts, asked on the day of that Julian day number.
    Questions(Option<i64>),
}

impl Kind {
    fn takes(self, class: Class) -> bool {
        match self {
            Kind::Findings => class != Class::Question,
            Kind::Questions(_) => class == Class::Question,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Kind::Findings => "What was found",
            Kind::Questions(_) => "Questions about facts",
        }
    }

    /// The codes of the kind, the gravest class first and of each the commonest.
    fn codes(self, codes: &CodeCounts) -> Vec<CodeCount> {
        let mut all = codes.merged();
        all.retain(|one| self.takes(one.class));
        all.sort_by_key(|one| std::cmp::Reverse((one.class, one.count)));
        all
    }
}

/// Writes the codes of several files.
pub(super) fn of_all(markup: &mut Markup<'_>, kind: Kind, codes: &CodeCounts) -> io::Result<()> {
    markup.element(Level::Three.element(), &[], kind.title())?;
    let ignored = codes.ignored;
    let codes = kind.codes(codes);
    if codes.is_empty() {
        return nothing(markup, kind, ignored);
    }
    let columns = [words("Code"), words("Finding"), number("Number"), words("Class"), number("Repairable")];
    // All questions are of one class, and none is repaired.
    let (columns, caption) = match kind {
        Kind::Findings => (&columns[..], "Findings of all files by code"),
        Kind::Questions(_) => (&columns[..3], "Questions about all files by code"),
    };
    table::open(markup, caption, columns)?;
    for one in codes {
        markup.open("tr", &[])?;
        markup.element("th", &[("scope", "row"), ("class", "code")], one.code.id())?;
        markup.element("td", &[("class", "about")], one.code.title())?;
        table::count(markup, one.count)?;
        if kind == Kind::Findings {
            markup.element("td", &[("class", one.class.name())], one.class.name())?;
            table::count(markup, one.fixable)?;
        }
        markup.close_line()?;
    }
    table::close(markup)
}

/// Writes the findings of one file.
pub(super) fn of_file(
    markup: &mut Markup<'_>,
    level: Level,
    kind: Kind,
    findings: &FileFindings,
) -> io::Result<()> {
    markup.element(level.element(), &[], kind.title())?;
    let codes = kind.codes(&findings.codes);
    match kind {
        Kind::Findings => summary(markup, findings)?,
        Kind::Questions(_) if codes.is_empty() => return nothing(markup, kind, findings.codes.ignored),
        Kind::Questions(today) => {
            let day = today.and_then(iso_day).map(|day| format!(", asked on {day}")).unwrap_or_default();
            let text = "What can hardly be true of people, by the dates in the file";
            note(markup, &format!("{text}{day}. A question is no fault: the file may be right."))?;
        }
    }
    if codes.is_empty() {
        return Ok(());
    }
    markup.open("div", &[("class", "findings")])?;
    for one in &codes {
        code(markup, kind, one, findings.excerpts(one.code.id()))?;
    }
    markup.close_line()
}

fn nothing(markup: &mut Markup<'_>, kind: Kind, ignored: u64) -> io::Result<()> {
    match (kind, ignored) {
        (Kind::Findings, 0) => note(markup, "Nothing."),
        (Kind::Questions(_), 0) => note(markup, "None."),
        (Kind::Findings | Kind::Questions(_), _) => note(markup, "None but what was to be ignored."),
    }
}

/// Says how many findings there are of each class, and what decided about them.
fn summary(markup: &mut Markup<'_>, findings: &FileFindings) -> io::Result<()> {
    let classes = Class::ALL.into_iter().filter(|class| Kind::Findings.takes(*class));
    let mut parts: Vec<String> = classes
        .map(|class| (findings.codes.of_class(class), class))
        .filter(|(count, _)| *count > 0)
        .map(|(count, class)| format!("{} {class}", grouped(count)))
        .collect();
    if findings.codes.ignored > 0 {
        parts.push(format!("{} ignored", grouped(findings.codes.ignored)));
    }
    let mut text = if parts.is_empty() { "Nothing".to_owned() } else { parts.join(", ") };
    if findings.repairable > 0 {
        text.push_str(&format!(
            "; {} can be repaired without changing what the file says",
            grouped(findings.repairable)
        ));
    }
    if let Some(config) = &findings.config {
        text.push_str(&format!(" (by {config})"));
    }
    note(markup, &format!("{text}."))
}

fn code(markup: &mut Markup<'_>, kind: Kind, one: &CodeCount, shown: &[FindingExcerpt]) -> io::Result<()> {
    // What is no advice is to be seen.
    let attributes: &[_] = if one.class.is_error() { &[("open", "")] } else { &[] };
    markup.open("details", attributes)?;
    markup.open("summary", &[])?;
    if kind == Kind::Findings {
        markup.element("span", &[("class", one.class.name())], one.class.name())?;
        markup.text(" ")?;
    }
    markup.element("span", &[("class", "code")], one.code.id())?;
    markup.text(&format!(" {} ", one.code.title()))?;
    markup.element("b", &[], &grouped(one.count))?;
    markup.close_line()?;
    markup.open("ol", &[])?;
    shown.iter().try_for_each(|one| excerpt(markup, one))?;
    let more = one.count.saturating_sub(shown.len() as u64);
    if more > 0 {
        markup.element("li", &[("class", "note")], &format!("and {} more", grouped(more)))?;
    }
    markup.close()?;
    markup.close_line()
}

fn excerpt(
    markup: &mut Markup<'_>,
    FindingExcerpt { finding, structure }: &FindingExcerpt,
) -> io::Result<()> {
    markup.open("li", &[])?;
    markup.open("p", &[])?;
    if let Some(place) = finding.place {
        markup.element("b", &[], &format!("line {}", grouped(place.line)))?;
        markup.text(", ")?;
    }
    if let Some(structure) = structure {
        markup.element("bdi", &[("class", "note"), ("dir", "ltr")], structure)?;
        markup.text(": ")?;
    }
    // The sentence is English, whatever the name is with which it begins.
    markup.element("bdi", &[("dir", "ltr")], &finding.message)?;
    markup.close()?;
    if let (Some(place), Some(excerpt)) = (finding.place, &finding.excerpt) {
        line(markup, place, excerpt)?;
    }
    for related in &finding.related {
        let text = format!("{}: line {}", related.message, grouped(related.place.line));
        markup.element("p", &[("class", "note")], &text)?;
        if let Some(excerpt) = &related.excerpt {
            line(markup, related.place, excerpt)?;
        }
    }
    if let Some(help) = &finding.help {
        markup.element("p", &[("class", "note")], help)?;
    }
    markup.close_line()
}

/// Writes a line of the file with what is meant in it marked.
fn line(markup: &mut Markup<'_>, place: Place, excerpt: &Excerpt) -> io::Result<()> {
    let text = &*masked_credentials(&excerpt.text);
    let octet = |column: u64| {
        let before = usize::try_from(column.saturating_sub(excerpt.first_column)).unwrap_or(usize::MAX);
        text.char_indices().nth(before).map_or(text.len(), |(octet, _)| octet)
    };
    let start = octet(place.column);
    let end = octet(place.end_column).max(start);
    markup.open("pre", &[("class", "code"), ("dir", "auto")])?;
    markup.element("span", &[("class", "line")], &format!("{} ", place.line))?;
    if excerpt.first_column > 1 {
        markup.text("…")?;
    }
    markup.text(text.get(..start).unwrap_or_default())?;
    if end > start {
        markup.element("mark", &[], text.get(start..end).unwrap_or_default())?;
    }
    markup.text(text.get(end..).unwrap_or_default())?;
    markup.close()
}
