//! `findings`: what `elf check` finds, and questions about implausible facts.

use super::{AssistantTool, Effect};
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::{NOTE, bare, clean, field};
use elf_base::{Code, Diagnostic, Excerpt, Rules, codes};
use elf_check::config::FindingWord;
use elf_check::{Finding, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::ops::Range;

pub(crate) struct Findings;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FindingsArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// `problems` (the default): violations of the format and advice. `questions`: facts that are impossible or unlikely,
    /// such as a child born before its mother. If `select` is about questions only, they are the default.
    #[serde(default)]
    kind: Option<FindingKind>,
    /// Only findings of a code (`E0203` or `P05`), the start of a code (`E03`), a name (`level-too-deep`) or a class
    /// (`advice`).
    #[serde(default)]
    select: Option<String>,
    /// Only findings in the record with this identifier, such as `@I1@`.
    #[serde(default)]
    record: Option<String>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FindingKind {
    Problems,
    Questions,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FindingsAnswer {
    /// The number of findings of each code in the whole file. On the first page only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counts: Vec<CountOfCode>,
    /// The findings: the most serious classes first, and those of a class in the order of the file.
    findings: Vec<FindingEntry>,
    /// The number of problems that also fit the conditions, if these are questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_problems: Option<u64>,
    /// The number of questions that also fit the conditions, if these are problems. `kind: questions` lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_questions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CountOfCode {
    code: &'static str,
    name: &'static str,
    class: &'static str,
    count: u64,
    /// What the code means. The tool `explain` has more.
    means: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FindingEntry {
    /// The code, for the tool `explain`.
    code: &'static str,
    /// `malformed`, `non-conformant`, `deprecated`, `advice` or `question`.
    class: &'static str,
    message: String,
    /// How it was read, or what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    /// The line that the finding is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The file and the line. Missing if the finding is about the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    cite: Option<String>,
    /// Related lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<RelatedLine>,
    /// The number of places with this finding, where it is reported once.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RelatedLine {
    message: String,
    cite: String,
}

/// The most related lines of a finding.
const MOST_RELATED: usize = 4;

impl AssistantTool for Findings {
    const NAME: &'static str = "findings";
    const TITLE: &'static str = "Problems and questions";
    const ABOUT: &'static str = "Lists what is wrong in the file: violations of the format and likely mistakes, or with \
        `kind: questions` facts that cannot be true together or are unlikely. Each finding has a code, which `explain` \
        explains, and cites its line. The answer says how many findings of the other kind there are. Findings about hidden people are left out.";
    const EFFECT: Effect = Effect::Reads;
    type Args = FindingsArgs;
    type Answer = FindingsAnswer;

    fn run(session: &mut Session, args: FindingsArgs) -> Result<FindingsAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let pager = Pager::new(&args.page, &snapshot.version)?;
        let select = args.select.as_deref().map(word_of).transpose()?;
        let lines = args.record.as_deref().map(|record| lines_of_record(&snapshot, record)).transpose()?;
        let kind = args.kind.unwrap_or_else(|| default_kind(select));
        let report = snapshot.report_with_questions()?;
        let fits = |finding: &&Finding| {
            let found = &finding.diagnostic;
            is_about_shown_lines(&snapshot, found)
                && select.is_none_or(|word| word.is_about(found.code, found.class))
                && lines
                    .as_ref()
                    .is_none_or(|lines| found.place.is_some_and(|place| lines.contains(&place.line)))
        };
        let (mut wanted, others): (Vec<&Finding>, Vec<&Finding>) = report
            .findings
            .iter()
            .filter(fits)
            .partition(|finding| is_of_kind(finding.diagnostic.code, kind));
        wanted.sort_by_key(|finding| Reverse(finding.diagnostic.class));
        let is_first = args.page.cursor.as_deref().is_none_or(str::is_empty);
        let is_whole = select.is_none() && lines.is_none();
        let counts = if is_first && is_whole { counts(report, kind) } else { Vec::new() };
        let others: u64 = match is_whole {
            true => report
                .checked
                .codes
                .codes()
                .filter(|one| !is_of_kind(one.code, kind))
                .map(|one| one.count)
                .sum(),
            false => others.len() as u64,
        };
        let others = Some(others).filter(|count| *count > 0);
        let page = pager
            .with_room_for(&counts)
            .page(wanted, |finding| FindingEntry::of(&snapshot, &finding.diagnostic));
        Ok(FindingsAnswer {
            counts,
            findings: page.items,
            other_problems: others.filter(|_| kind == FindingKind::Questions),
            other_questions: others.filter(|_| kind == FindingKind::Problems),
            next_cursor: page.next_cursor,
        })
    }
}

/// The kind of findings that a word selects: questions if it selects nothing else.
fn default_kind(select: Option<FindingWord>) -> FindingKind {
    let Some(word) = select else { return FindingKind::Problems };
    let mut selected =
        codes::all().filter(|code| word.is_about(*code, code.class(Rules::WILD.format))).peekable();
    match selected.peek().is_some() && selected.all(Code::is_question) {
        true => FindingKind::Questions,
        false => FindingKind::Problems,
    }
}

fn is_of_kind(code: Code, kind: FindingKind) -> bool {
    code.is_question() == (kind == FindingKind::Questions)
}

/// Returns whether a finding is about the file and not about what a redaction made of it.
fn is_about_shown_lines(snapshot: &Snapshot, finding: &Diagnostic) -> bool {
    let is_same = |line: u64| snapshot.lines.find_origin(line).is_same;
    finding.place.is_none_or(|place| is_same(place.line))
        && finding.related.iter().all(|related| is_same(related.place.line))
}

fn word_of(text: &str) -> Result<FindingWord, ToolError> {
    text.trim().parse().map_err(|error: String| ToolError::new(format!("`select` is `{text}`: {error}")))
}

/// The lines of the record with an identifier, in the document.
pub(crate) fn lines_of_record(snapshot: &Snapshot, identifier: &str) -> Result<Range<u64>, ToolError> {
    let document = snapshot.typed.document();
    let identifier = bare(identifier);
    let mut records = document.records().filter(|record| record.xref() == Some(identifier));
    let record = records.next().ok_or_else(|| {
        ToolError::new(format!("{}: no record has the identifier `@{identifier}@`", snapshot.name))
    })?;
    let mut citer = snapshot.citer();
    let first = citer.line(record);
    let end = document.node(record.subtree_end()).filter(|next| !next.is_inserted());
    let end = end.map_or_else(|| document.line_count() + 1, |next| citer.line(next));
    Ok(first..end)
}

fn counts(report: &Report, kind: FindingKind) -> Vec<CountOfCode> {
    /// The maximum number of codes in a list.
    const MOST: usize = 20;
    let codes = report.checked.codes.codes().filter(|count| is_of_kind(count.code, kind));
    let mut codes: Vec<CountOfCode> = codes
        .map(|count| CountOfCode {
            code: count.code.id(),
            name: count.code.name(),
            class: count.class.name(),
            count: count.count,
            means: count.code.title(),
        })
        .collect();
    codes.sort_by(|one, other| other.count.cmp(&one.count).then(one.code.cmp(other.code)));
    codes.truncate(MOST);
    codes
}

/// The text of an excerpt, with `…` where it leaves out a part of the line.
fn shown_excerpt(snapshot: &Snapshot, finding: &Diagnostic, excerpt: &Excerpt) -> String {
    let source = snapshot.typed.document().source();
    let line = finding.place.and_then(|place| source.line_text(place.line)).unwrap_or_default();
    let shown_before = usize::try_from(excerpt.first_column).unwrap_or(usize::MAX).saturating_sub(1);
    let is_cut = shown_before.saturating_add(excerpt.text.chars().count()) < line.chars().count();
    let before = if shown_before > 0 { "…" } else { "" };
    let text = field(&excerpt.text);
    let after = if is_cut && !text.ends_with('…') { "…" } else { "" };
    format!("{before}{text}{after}")
}

impl FindingEntry {
    pub(crate) fn of(snapshot: &Snapshot, finding: &Diagnostic) -> FindingEntry {
        let related = finding.related.iter().take(MOST_RELATED).map(|related| RelatedLine {
            message: field(&related.message),
            cite: snapshot.cite_line(related.place.line),
        });
        FindingEntry {
            code: finding.code.id(),
            class: finding.class.name(),
            message: clean(&finding.message, NOTE).text,
            help: finding.help.as_deref().map(|help| clean(help, NOTE).text),
            text: finding.excerpt.as_ref().map(|excerpt| shown_excerpt(snapshot, finding, excerpt)),
            cite: finding.place.map(|place| snapshot.cite_line(place.line)),
            related: related.collect(),
            places: finding.count.map(std::num::NonZero::get),
        }
    }
}
