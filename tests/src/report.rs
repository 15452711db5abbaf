//! The tables of `cargo xtask conformance`.

use crate::program::{Program, Verdict};
use crate::requirements::Row;
use crate::suite::{Status, Suite};
use crate::vectors::{Case, FOLDERS};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// The numbers of vectors of one standard, by verdict.
#[derive(Clone, Debug, Default)]
struct VectorCount {
    met: usize,
    failed: usize,
    not_claimed: usize,
}

/// A vector and how it came out.
pub type ProgramResult<'s> = (&'s Case, Verdict);

/// Runs every vector against a program, on all processors, and returns the results in the order of the vectors.
///
/// # Errors
///
/// An error if no folder for the files can be made.
pub fn run_program<'s>(suite: &'s Suite, program: &Program) -> Result<Vec<ProgramResult<'s>>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let cases = &suite.vectors.cases;
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut results: Vec<(usize, Verdict)> = std::thread::scope(|scope| {
        let work = || {
            let mut results = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = cases.get(number) else { break results };
                results.push((number, program.verdict(case, folder.path())));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    results.sort_unstable_by_key(|(number, _)| *number);
    Ok(cases.iter().zip(results).map(|(case, (_, verdict))| (case, verdict)).collect())
}

/// Prints the results of a program: a table by standard, the reasons of what it does not claim, and, with `list`,
/// every vector that fails.
pub fn report_program(program: &Program, results: &[ProgramResult<'_>], list: bool) -> String {
    let mut out = format!("{} {}\n\n", program.claims.program, program.claims.version);
    let _ =
        writeln!(out, "{:<12} {:>7} {:>5} {:>6} {:>12}", "draft", "vectors", "met", "differ", "not claimed");
    let mut total = VectorCount::default();
    for draft in FOLDERS {
        let mut count = VectorCount::default();
        let of_draft = results.iter().filter(|(case, _)| case.file.starts_with(&format!("{draft}/")));
        for (_, verdict) in of_draft {
            match verdict {
                Verdict::Met => count.met += 1,
                Verdict::Failed(_) => count.failed += 1,
                Verdict::NotClaimed(_) => count.not_claimed += 1,
            }
        }
        push_vectors(&mut out, draft, &count);
        total.met += count.met;
        total.failed += count.failed;
        total.not_claimed += count.not_claimed;
    }
    push_vectors(&mut out, "all", &total);
    push_requirements(&mut out, results);
    push_not_claimed(&mut out, results);
    for (case, verdict) in results.iter().filter(|_| list) {
        if let Verdict::Failed(error) = verdict {
            let _ = writeln!(out, "{} [{}]: {}", case.vector.id, case.file, error.replace('\n', "\n    "));
        }
    }
    out
}

fn push_vectors(out: &mut String, name: &str, count: &VectorCount) {
    let VectorCount { met, failed, not_claimed } = count;
    let all = met + failed + not_claimed;
    let _ = writeln!(out, "{name:<12} {all:>7} {met:>5} {failed:>6} {not_claimed:>12}");
}

/// Prints how many requirements are met: those of which a vector is met and none fails.
fn push_requirements(out: &mut String, results: &[ProgramResult<'_>]) {
    let mut states: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
    for (case, verdict) in results {
        for id in &case.vector.requirements {
            let (is_met, fails) = states.entry(id).or_default();
            *is_met |= *verdict == Verdict::Met;
            *fails |= matches!(verdict, Verdict::Failed(_));
        }
    }
    let failed = states.values().filter(|(_, fails)| *fails).count();
    let met = states.values().filter(|(is_met, fails)| *is_met && !fails).count();
    let _ = writeln!(
        out,
        "\nrequirements with vectors: {}; met {met}, differ {failed}, not claimed {}",
        states.len(),
        states.len() - met - failed
    );
}

fn push_not_claimed(out: &mut String, results: &[ProgramResult<'_>]) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, verdict) in results {
        if let Verdict::NotClaimed(reason) = verdict {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    if !reasons.is_empty() {
        let _ = writeln!(out, "\nnot claimed:");
    }
    for (reason, count) in reasons {
        let _ = writeln!(out, "{count:>6}  {reason}");
    }
    out.push('\n');
}
