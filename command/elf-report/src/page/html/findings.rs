//! Findings by code, with the first few of each.

use super::sections::{Level, note};
use super::table::{count, number, wide_table, words};
use crate::columns::offset_of_column;
use crate::grouped;
use crate::page::excerpts::{FileFindings, FindingExcerpt, SHOWN};
use crate::page::text::{Text, marked};
use elf_base::{Class, Excerpt, Place, masked_credentials};
use elf_check::{CodeCount, CodeCounts};
use elf_values::iso_day;
use maud::{Markup, html};

/// The two kinds of findings that have sections of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Findings about the file and its format.
    Findings,
    /// Questions about facts, asked on the day of that Julian day number.
    Questions(Option<i64>),
}

impl Kind {
    fn includes(self, class: Class) -> bool {
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
        all.retain(|one| self.includes(one.class));
        all.sort_by_key(|one| std::cmp::Reverse((one.class, one.count)));
        all
    }
}

/// The codes of several files.
pub(super) fn of_all(kind: Kind, codes: &CodeCounts) -> Markup {
    let listed = kind.codes(codes);
    html! {
        (Level::Three.heading(kind.title()))
        @if listed.is_empty() { (nothing(kind, codes.ignored)) } @else { (code_table(kind, &listed)) }
    }
}

fn code_table(kind: Kind, codes: &[CodeCount]) -> Markup {
    let columns = [words("Code"), words("Finding"), number("Number"), words("Class"), number("Fixable")];
    // All questions are of one class, and none is fixed.
    let (columns, caption) = match kind {
        Kind::Findings => (&columns[..], "Findings of all files by code"),
        Kind::Questions(_) => (&columns[..3], "Questions about all files by code"),
    };
    let rows = html! {
        @for one in codes {
            tr {
                th.code scope="row" { (one.code.id()) }
                td.about { (one.code.title()) }
                (count(one.count))
                @if kind == Kind::Findings {
                    td class=(one.class.name()) { (one.class.name()) }
                    (count(one.fixable))
                }
            }
            "\n"
        }
    };
    wide_table("of-codes", caption, columns, &rows)
}

/// The findings of one file.
pub(super) fn of_file(level: Level, kind: Kind, findings: &FileFindings) -> Markup {
    let codes = kind.codes(&findings.codes);
    html! {
        (level.heading(kind.title()))
        @match kind {
            Kind::Findings => (note(&summary(findings))),
            Kind::Questions(_) if codes.is_empty() => (nothing(kind, findings.codes.ignored)),
            Kind::Questions(today) => (note(&about_questions(today))),
        }
        @if !codes.is_empty() {
            div.findings {
                @for one in &codes { (code(kind, one, findings.excerpts(one.code.id()))) }
            }
            "\n"
        }
    }
}

fn about_questions(today: Option<i64>) -> String {
    let day = today.and_then(iso_day).map_or_else(String::new, |day| format!(", asked on {day}"));
    format!(
        "What can hardly be true of people, by the dates in the file{day}. A question is no fault: the file may be right."
    )
}

fn nothing(kind: Kind, ignored: u64) -> Markup {
    note(match (kind, ignored) {
        (Kind::Findings, 0) => "Nothing.",
        (Kind::Questions(_), 0) => "None.",
        (Kind::Findings | Kind::Questions(_), _) => "None but what was to be ignored.",
    })
}

/// The number of findings of each class, and the configuration that chose them.
fn summary(findings: &FileFindings) -> String {
    let classes = Class::ALL.into_iter().filter(|class| Kind::Findings.includes(*class));
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
            "; {} can be fixed without changing what the file says",
            grouped(findings.repairable)
        ));
    }
    if let Some(config) = &findings.config {
        text.push_str(&format!(" (by {config})"));
    }
    text + "."
}

/// A code with its first findings, unfolded if it is an error.
fn code(kind: Kind, one: &CodeCount, shown: &[FindingExcerpt]) -> Markup {
    let more = one.count.saturating_sub(shown.len() as u64);
    html! {
        details open=[one.class.is_error().then_some("")] {
            summary {
                @if kind == Kind::Findings {
                    span class=(one.class.name()) { (one.class.name()) }
                    " "
                }
                span.code { (one.code.id()) }
                " " (one.code.title()) " "
                b { (grouped(one.count)) }
            }
            "\n"
            (list(&shown[..shown.len().min(SHOWN)]))
            @if let Some(rest) = shown.get(SHOWN..).filter(|rest| !rest.is_empty()) {
                details.more {
                    summary { (grouped(rest.len() as u64)) " more" }
                    (list(rest))
                }
            }
            @if more > 0 {
                p.note {
                    "Not in this page: " (grouped(more)) " more. To list them all, run "
                    code { "elf check --max 0 --select " (one.code.id()) } "."
                }
            }
        }
        "\n"
    }
}

fn list(findings: &[FindingExcerpt]) -> Markup {
    html! { ol { @for finding in findings { (excerpt(finding)) } } }
}

fn excerpt(FindingExcerpt { finding, structure }: &FindingExcerpt) -> Markup {
    html! {
        li {
            p {
                @if let Some(place) = finding.place { b { "line " (grouped(place.line)) } ", " }
                @if let Some(structure) = structure { bdi.note dir="ltr" { (Text(structure)) } ": " }
                // The sentence is English, even if it begins with a name that is written from right to left.
                bdi dir="ltr" { (marked(&finding.message)) }
            }
            @if let (Some(place), Some(excerpt)) = (finding.place, &finding.excerpt) { (line(place, excerpt)) }
            @for related in &finding.related {
                p.note { (marked(&related.message)) ": line " (grouped(related.place.line)) }
                @if let Some(excerpt) = &related.excerpt { (line(related.place, excerpt)) }
            }
            @if let Some(help) = &finding.help { p.note { (marked(help)) } }
        }
        "\n"
    }
}

/// A line of the file with the place of the finding marked.
fn line(place: Place, excerpt: &Excerpt) -> Markup {
    let text = &*masked_credentials(&excerpt.text);
    let start = offset_of_column(text, excerpt.first_column, place.column);
    let end = offset_of_column(text, excerpt.first_column, place.end_column).max(start);
    html! {
        pre.code dir="auto" {
            span.line { (place.line) " " }
            @if excerpt.first_column > 1 { "…" }
            (Text(&text[..start]))
            @if end > start { mark { (Text(&text[start..end])) } }
            (Text(&text[end..]))
        }
    }
}
