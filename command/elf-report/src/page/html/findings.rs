//! The findings by code, with the first few of each code.

use super::sections::{Level, render_note};
use super::table::{number_column, render_count, render_wide_table, word_column};
use crate::columns::offset_of_column;
use crate::grouped;
use crate::page::excerpts::{FileFindings, FindingExcerpt, SHOWN};
use crate::page::text::{Text, render_with_code};
use elf_base::{Class, Excerpt, Place, masked_credentials};
use elf_check::{CodeCount, CodeCounts};
use elf_values::iso_day;
use maud::{Markup, html};

/// The kind of findings in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Findings about the file and its format.
    Findings,
    /// Questions about facts, with the Julian day number of today.
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

    /// Returns the codes of this kind, sorted by class (most severe first) and then by count.
    fn codes(self, codes: &CodeCounts) -> Vec<CodeCount> {
        let mut all = codes.merged();
        all.retain(|one| self.includes(one.class));
        all.sort_by_key(|one| std::cmp::Reverse((one.class, one.count)));
        all
    }
}

/// Renders the codes of several files.
pub(super) fn render_all(kind: Kind, codes: &CodeCounts) -> Markup {
    let listed = kind.codes(codes);
    html! {
        (Level::Three.render_heading(kind.title()))
        @if listed.is_empty() { (render_nothing_found(kind, codes.ignored)) } @else { (render_code_table(kind, &listed)) }
    }
}

fn render_code_table(kind: Kind, codes: &[CodeCount]) -> Markup {
    let columns = [
        word_column("Code"),
        word_column("Finding"),
        number_column("Number"),
        word_column("Class"),
        number_column("Fixable"),
    ];
    // All questions have the same class, and there are no fixes for them.
    let (columns, caption) = match kind {
        Kind::Findings => (&columns[..], "Findings of all files by code"),
        Kind::Questions(_) => (&columns[..3], "Questions about all files by code"),
    };
    let rows = html! {
        @for one in codes {
            tr {
                th.code scope="row" { (one.code.id()) }
                td.about { (one.code.title()) }
                (render_count(one.count))
                @if kind == Kind::Findings {
                    td class=(one.class.name()) { (one.class.name()) }
                    (render_count(one.fixable))
                }
            }
            "\n"
        }
    };
    render_wide_table("of-codes", caption, columns, &rows)
}

/// Renders the findings of one file.
pub(super) fn render_file(level: Level, kind: Kind, findings: &FileFindings) -> Markup {
    let codes = kind.codes(&findings.codes);
    html! {
        (level.render_heading(kind.title()))
        @match kind {
            Kind::Findings => (render_note(&describe_counts(findings))),
            Kind::Questions(_) if codes.is_empty() => (render_nothing_found(kind, findings.codes.ignored)),
            Kind::Questions(today) => (render_note(&describe_questions(today))),
        }
        @if !codes.is_empty() {
            div.findings {
                @for one in &codes { (render_code(kind, one, findings.excerpts(one.code.id()))) }
            }
            "\n"
        }
    }
}

fn describe_questions(today: Option<i64>) -> String {
    let day = today.and_then(iso_day).map_or_else(String::new, |day| format!(", asked on {day}"));
    format!(
        "What can hardly be true of people, by the dates in the file{day}. A question is no fault: the file may be right."
    )
}

fn render_nothing_found(kind: Kind, ignored: u64) -> Markup {
    render_note(match (kind, ignored) {
        (Kind::Findings, 0) => "Nothing.",
        (Kind::Questions(_), 0) => "None.",
        (Kind::Findings | Kind::Questions(_), _) => "None but what was to be ignored.",
    })
}

/// Describes the number of findings of each class, and the `elf.toml` that was used.
fn describe_counts(findings: &FileFindings) -> String {
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

/// Renders a code with its first findings. It is open at first if the code is an error.
fn render_code(kind: Kind, one: &CodeCount, shown: &[FindingExcerpt]) -> Markup {
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
            (render_list(&shown[..shown.len().min(SHOWN)]))
            @if let Some(rest) = shown.get(SHOWN..).filter(|rest| !rest.is_empty()) {
                details.more {
                    summary { (grouped(rest.len() as u64)) " more" }
                    (render_list(rest))
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

fn render_list(findings: &[FindingExcerpt]) -> Markup {
    html! { ol { @for finding in findings { (render_excerpt(finding)) } } }
}

fn render_excerpt(FindingExcerpt { finding, structure }: &FindingExcerpt) -> Markup {
    html! {
        li {
            p {
                @if let Some(place) = finding.place { b { "line " (grouped(place.line)) } ", " }
                @if let Some(structure) = structure { bdi.note dir="ltr" { (Text(structure)) } ": " }
                // Set the direction explicitly: the sentence is English, even if it starts with a right-to-left name.
                bdi dir="ltr" { (render_with_code(&finding.message)) }
            }
            @if let (Some(place), Some(excerpt)) = (finding.place, &finding.excerpt) { (render_line(place, excerpt)) }
            @for related in &finding.related {
                p.note { (render_with_code(&related.message)) ": line " (grouped(related.place.line)) }
                @if let Some(excerpt) = &related.excerpt { (render_line(related.place, excerpt)) }
            }
            @if let Some(help) = &finding.help { p.note { (render_with_code(help)) } }
        }
        "\n"
    }
}

/// Renders the line of a finding, with its place marked.
fn render_line(place: Place, excerpt: &Excerpt) -> Markup {
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
