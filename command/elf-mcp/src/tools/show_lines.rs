//! `lines`: the lines of the file themselves.

use super::findings::lines_of_record;
use super::{AssistantTool, Effect};
use crate::answer::is_false;
use crate::error::ToolError;
use crate::page::{PageArgs, Pager};
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::{NOTE, parts_of_line};
use elf_schema::PathTypes;
use elf_tagged::path::Path;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

pub(crate) struct ShowLines;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct LinesArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// The record with this identifier, such as `@I1@`.
    #[serde(default)]
    record: Option<String>,
    /// The structure at this path with everything under it, such as `@I1@/BIRT`, `HEAD` or `@I1@/NOTE[2]`.
    #[serde(default)]
    path: Option<String>,
    /// The number of the first line.
    #[serde(default)]
    from: Option<u64>,
    /// The number of the last line.
    #[serde(default)]
    to: Option<u64>,
    #[serde(flatten)]
    page: PageArgs,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LinesAnswer {
    file: String,
    lines: Vec<LineEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LineEntry {
    /// The number of the line in the file. Numbers are missing where lines are hidden.
    line: u64,
    /// The text. A long line is shown in several entries, with `…` between its parts.
    text: String,
    /// True if the server shows this line in place of one that is hidden.
    #[serde(skip_serializing_if = "is_false")]
    replaced: bool,
}

impl AssistantTool for ShowLines {
    const NAME: &'static str = "lines";
    const TITLE: &'static str = "Lines of the file";
    const ABOUT: &'static str = "Shows the lines of the file with their numbers, as they are written: of a record, of the \
        structure at a path, or from one line to another. Use it to quote evidence and to see what an edit would change.";
    const EFFECT: Effect = Effect::Reads;
    type Args = LinesArgs;
    type Answer = LinesAnswer;

    fn run(session: &mut Session, args: LinesArgs) -> Result<LinesAnswer, ToolError> {
        let snapshot = session.snapshot(args.file.as_deref())?;
        let pager = Pager::new(&args.page, &snapshot.version)?;
        let document = snapshot.typed.document();
        let lines = match (args.record.as_deref(), args.path.as_deref(), args.from) {
            (Some(record), None, None) => lines_of_record(&snapshot, record)?,
            (None, Some(path), None) => lines_at(&snapshot, path)?,
            (None, None, Some(from)) => shown_range(&snapshot, from, args.to)?,
            _ => return Err(ToolError::new("set exactly one of `record`, `path` and `from`")),
        };
        let last = document.line_count();
        let lines = lines.start..lines.end.min(last + 1);
        let source = document.source();
        let parts = lines.flat_map(|line| {
            let text = source.line_text(line).unwrap_or_default();
            let parts: Vec<String> = parts_of_line(text, NOTE).collect();
            parts.into_iter().map(move |part| (line, part))
        });
        let page = pager.page(parts, |(line, text)| {
            let origin = snapshot.lines.find_origin(line);
            LineEntry { line: origin.line, text, replaced: !origin.is_same }
        });
        Ok(LinesAnswer { file: snapshot.name.clone(), lines: page.items, next_cursor: page.next_cursor })
    }
}

/// The lines of the document that are these lines of the file.
fn shown_range(snapshot: &Snapshot, from: u64, to: Option<u64>) -> Result<Range<u64>, ToolError> {
    let last = snapshot.typed.document().line_count();
    if last == 0 {
        return Err(ToolError::new(format!("{}: no line could be read: `findings` says why", snapshot.name)));
    }
    let start = snapshot.lines.first_line_for(from.max(1));
    if from == 0 || start > last || to.is_some_and(|to| to < from) {
        let lines = snapshot.lines.find_origin(last).line;
        return Err(ToolError::new(format!(
            "{}: expected line numbers from 1 to {lines}, in order",
            snapshot.name
        )));
    }
    let end = to.map_or(u64::MAX, |to| snapshot.lines.first_line_for(to.saturating_add(1)));
    Ok(start..end)
}

/// The lines of the structure at a path.
fn lines_at(snapshot: &Snapshot, path: &str) -> Result<Range<u64>, ToolError> {
    let document = snapshot.typed.document();
    let parsed: Path =
        path.parse().map_err(|error| ToolError::new(format!("`path` is `{path}`: {error}")))?;
    let mut types = PathTypes::new(snapshot.typed.typing(), document.rules());
    let found =
        document.find(&parsed, &mut types).map_err(|error| ToolError::new(format!("`path`: {error}")))?;
    let [node] = found[..] else {
        return Err(ToolError::new(format!(
            "`path` names {} structures: add `[N]` to a step, such as `NOTE[2]`",
            found.len()
        )));
    };
    let mut citer = snapshot.citer();
    let first = citer.line(node);
    let last = node.subtree_lines().next_back().unwrap_or(node);
    Ok(first..citer.line(last) + 1)
}
