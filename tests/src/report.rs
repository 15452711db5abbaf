//! The table that `cargo xtask conformance` prints.

use crate::requirements::Row;
use crate::suite::{Status, Suite};
use std::fmt::Write;

/// The number of requirements of one area by status.
#[derive(Clone, Debug, Default)]
struct Count {
    met: usize,
    open: usize,
    not_testable: usize,
}

/// Runs every vector and returns a table of the requirements by draft and area. `list` adds every requirement. The last
/// line is `met M/N`. Also returns whether all vectors pass.
pub fn run_and_report(suite: &Suite, list: bool) -> (String, bool) {
    let rows: Vec<(&Row, Status)> =
        suite.requirements.rows().iter().map(|row| (row, suite.status_of(&row.id))).collect();
    let mut out = String::new();
    if list {
        for (row, status) in &rows {
            push_row(&mut out, row, status);
        }
        out.push('\n');
    }
    push_table(&mut out, &rows);
    push_reasons(&mut out, &rows);
    push_failures(&mut out, &rows);
    let met = rows.iter().filter(|(_, status)| *status == Status::Met).count();
    let _ = writeln!(out, "met {met}/{}", rows.len());
    let fails =
        rows.iter().any(|(_, status)| matches!(status, Status::Open(failures) if !failures.is_empty()));
    (out, !fails)
}

fn push_row(out: &mut String, row: &Row, status: &Status) {
    let (word, why) = match status {
        Status::Met => ("met", ""),
        Status::Open(failures) if failures.is_empty() => ("open", ""),
        Status::Open(_) => ("open", " (fails)"),
        Status::NotTestable(reason) => ("not testable", reason.as_str()),
    };
    let why = if matches!(status, Status::NotTestable(_)) { format!(" ({why})") } else { why.to_owned() };
    let _ = writeln!(out, "{:<11} {:<12} {}{why}", row.id, word, row.requirement);
}

fn push_table(out: &mut String, rows: &[(&Row, Status)]) {
    let _ =
        writeln!(out, "{:<12} {:<14} {:>5} {:>5} {:>12}", "standard", "area", "met", "open", "not testable");
    let mut areas: Vec<(&str, &str, Count)> = Vec::new();
    for (row, status) in rows {
        let (draft, area) = (row.standard.name(), row.area.as_str());
        let place = areas.iter().position(|(d, a, _)| (*d, *a) == (draft, area)).unwrap_or_else(|| {
            areas.push((draft, area, Count::default()));
            areas.len() - 1
        });
        let count = &mut areas[place].2;
        match status {
            Status::Met => count.met += 1,
            Status::Open(_) => count.open += 1,
            Status::NotTestable(_) => count.not_testable += 1,
        }
    }
    let mut total = Count::default();
    for (draft, area, count) in &areas {
        push_count(out, draft, area, count);
        total.met += count.met;
        total.open += count.open;
        total.not_testable += count.not_testable;
    }
    push_count(out, "all", "", &total);
}

fn push_count(out: &mut String, draft: &str, area: &str, count: &Count) {
    let Count { met, open, not_testable } = count;
    let _ = writeln!(out, "{draft:<12} {area:<14} {met:>5} {open:>5} {not_testable:>12}");
}

fn push_reasons(out: &mut String, rows: &[(&Row, Status)]) {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (row, status) in rows {
        let Status::NotTestable(reason) = status else { continue };
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, ids)) => ids.push(&row.id),
            None => reasons.push((reason, vec![&row.id])),
        }
    }
    if !reasons.is_empty() {
        let _ = writeln!(out, "\nnot testable:");
    }
    for (reason, ids) in reasons {
        let _ = writeln!(out, "  {reason}: {}", ids.join(", "));
    }
}

fn push_failures(out: &mut String, rows: &[(&Row, Status)]) {
    let failures: Vec<&String> = rows
        .iter()
        .filter_map(|(_, status)| if let Status::Open(failures) = status { Some(failures) } else { None })
        .flatten()
        .collect();
    if !failures.is_empty() {
        let _ = writeln!(out, "\nfailing:");
    }
    for failure in failures {
        let _ = writeln!(out, "  {}", failure.replace('\n', "\n    "));
    }
}
