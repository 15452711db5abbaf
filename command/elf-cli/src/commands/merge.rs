//! `elf merge`: adds a file to another one.

use crate::args::{Format, Merge};
use crate::commands::decisions::{Decision, FoundDecision, check_contradictions, read_decisions};
use crate::commands::write_changed;
use crate::console::Console;
use crate::exit::Exit;
use crate::reading;
use crate::schemas::Schemas;
use elf_edit::EditError;
use elf_lineage::{Lineage, LineageBuilder, LineageReader, LineageView, PersonError, PersonId};
use elf_merge::{MergeAction, MergeError, MergeSummary, Merged, UnitedPersons, merge};
use elf_report::{counted, json};
use elf_schema::{ReadOptions, TypedDocument};
use serde::Serialize;
use std::collections::BTreeMap;

pub(crate) fn run(args: &Merge, console: &mut Console) -> Exit {
    match merge_files(args, console) {
        Ok(exit) => exit,
        Err(reason) => {
            console.clear_progress();
            // An empty reason has been reported already.
            if !reason.is_empty() {
                console.print_error(&reason);
            }
            Exit::Failed
        }
    }
}

/// Merges the files and writes the result.
///
/// # Errors
///
/// Why nothing is written. Empty if the reason has been reported.
fn merge_files(args: &Merge, console: &mut Console) -> Result<Exit, String> {
    if crate::io::would_overwrite(&args.one, &args.other) {
        return Err("a file cannot be merged with itself: expected two files".to_owned());
    }
    let decided = args.pairs.as_deref().map(read_decisions).transpose()?;
    let schemas = Schemas::from_args(&args.reading, console).map_err(|_| String::new())?;
    let options = schemas.read_options(None);
    let bytes = reading::read_two_files([&args.one, &args.other], console).ok_or_else(String::new)?;
    let names = [&args.one, &args.other].map(|path| reading::display_name(path));
    let [one, other] = [0, 1].map(|file| read_typed(args, &names[file], &bytes[file], &options));
    let (one, other) = (one?, other?);
    let lineages = [lineage_of(&one), lineage_of(&other)];
    let views = [LineageView::new(&lineages[0], &one), LineageView::new(&lineages[1], &other)];
    console.show_progress("merging");
    let united = match (decided, args.at_least) {
        (Some(decided), _) => pairs_by_decisions(&names, &lineages, &decided)?,
        (None, Some(at_least)) => UnitedPersons::by_score(&views[0], &views[1], at_least),
        (None, None) => UnitedPersons::equal_records(),
    };
    let merged = merge(&views[0], &views[1], &united).map_err(|error| {
        let help = match &error {
            MergeError::Edit(EditError::ReadOtherwise { .. }) => {
                "; if the encoding of the first file lacks characters of the second, first convert the first file with `elf convert --encoding UTF-8`"
            }
            _ => "",
        };
        format!("cannot merge {} and {}: {error}{help}", names[0], names[1])
    })?;
    console.clear_progress();
    let written = write_changed(&merged.edited.octets, args.output.as_deref(), false, console);
    if written != Exit::Clean {
        return Ok(written);
    }
    report_merge(args.format, &merged, console);
    Ok(if merged.summary.lost > 0 { Exit::Problems } else { Exit::Clean })
}

fn read_typed<'b>(
    args: &Merge,
    name: &str,
    bytes: &'b [u8],
    options: &ReadOptions<'_>,
) -> Result<TypedDocument<'b>, String> {
    let read = elf_schema::read(bytes, args.reading.rules(), options, &mut ());
    read.map_err(|error| format!("cannot read {name}: {error}"))
}

fn lineage_of(typed: &TypedDocument<'_>) -> Lineage {
    let mut builder = LineageBuilder::default();
    builder.take(LineageReader::new(typed.schema()).with_whole_names().read(typed));
    builder.build()
}

/// The number of a file, 0 or 1, and a person in it.
type SidePerson = (usize, PersonId);

/// Returns the pairs that the table declares to be the same.
fn pairs_by_decisions(
    names: &[String; 2],
    lineages: &[Lineage; 2],
    decided: &[Decision],
) -> Result<UnitedPersons, String> {
    let mut found: Vec<FoundDecision<'_, SidePerson>> = Vec::new();
    for decision in decided {
        match find_pair(names, lineages, decision) {
            Ok([a, b]) => {
                found.push(FoundDecision { place: &decision.place, a, b, is_same: decision.is_same });
            }
            // Rows with `different` may be about people of other files.
            Err(reason) if decision.is_same => return Err(format!("{}: {reason}", decision.place)),
            Err(_) => {}
        }
    }
    check_contradictions(&found)?;
    let mut united = UnitedPersons::default();
    for decision in found.iter().filter(|decision| decision.is_same) {
        united = match (decision.a, decision.b) {
            ((0, a), (_, b)) | ((_, b), (0, a)) => united.with_pair(a, b),
            ((_, a), (_, b)) if a == b => {
                return Err(format!("{}: a person is paired with itself", decision.place));
            }
            ((_, a), (_, b)) => united.with_pair_of_b(a, b),
        };
    }
    Ok(united)
}

/// Finds the two people of a row.
fn find_pair(
    names: &[String; 2],
    lineages: &[Lineage; 2],
    decision: &Decision,
) -> Result<[SidePerson; 2], String> {
    let files = [&decision.a, &decision.b].map(|person| {
        // The path decides. The name in another folder counts only if no path matches.
        let is_path = names.contains(&person.file);
        [0, 1].map(|side| if is_path { person.file == names[side] } else { person.is_in_file(&names[side]) })
    });
    let sides = match files {
        [[true, _], [_, true]] => [0, 1],
        [[_, true], [true, _]] => [1, 0],
        [[false, true], [false, true]] => [1, 1],
        [[true, false], [true, false]] => {
            return Err(format!("both people are in {}, which the merge does not change", names[0]));
        }
        _ => return Err(format!("expected people of {} and {}", names[0], names[1])),
    };
    let person = |side: usize, id: &str| -> Result<SidePerson, String> {
        let found = lineages[side].only_person(id).map_err(|error| match error {
            PersonError::Unknown(id) => format!("{} has no person `@{id}@`", names[side]),
            error => format!("{}: {error}", names[side]),
        });
        Ok((side, found?.id()))
    };
    Ok([person(sides[0], &decision.a.id)?, person(sides[1], &decision.b.id)?])
}

/// An action as JSON. Empty identifiers are omitted.
#[derive(Default, Serialize)]
struct ActionRow<'a> {
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'a str>,
    /// The tag of the records in which a tag was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    a: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    b: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl<'a> ActionRow<'a> {
    fn from_action(action: &'a MergeAction) -> Option<ActionRow<'a>> {
        let row = ActionRow::default();
        Some(match action {
            MergeAction::United { tag, a, b } => ActionRow { action: "united", tag: Some(tag), a, b, ..row },
            MergeAction::Added { tag, id, b } => ActionRow { action: "added", tag: Some(tag), id, b, ..row },
            MergeAction::Renamed { id, b } => ActionRow { action: "renamed", id, b, ..row },
            MergeAction::Conflict { tag, a, b, kept, added } => ActionRow {
                action: "conflict",
                tag: Some(tag),
                a,
                b,
                kept: Some(kept),
                added: Some(added),
                ..row
            },
            MergeAction::RoleDiffers { a, b, person, kept, left_out } => ActionRow {
                action: "role",
                id: person,
                a,
                b,
                kept: Some(kept),
                left_out: Some(left_out),
                ..row
            },
            MergeAction::RenamedTag { tag, b, record } => {
                ActionRow { action: "renamed_tag", tag: Some(tag), record: record.as_deref(), b, ..row }
            }
            MergeAction::Lost { line, reason } => {
                ActionRow { action: "lost", line: Some(*line), reason: Some(reason), ..row }
            }
            _ => return None,
        })
    }
}

#[derive(Serialize)]
struct SummaryRow {
    persons_united: u64,
    persons_added: u64,
    families_united: u64,
    families_added: u64,
    records_added: u64,
    conflicts: u64,
    #[serde(skip_serializing_if = "is_zero")]
    change_dates_left_out: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The number of notes of each kind that are printed as text.
const MOST_NOTES: usize = 10;

/// Reports what was merged, on standard error.
fn report_merge(format: Format, merged: &Merged<'_>, console: &mut Console) {
    let MergeSummary {
        persons_united,
        persons_added,
        families_united,
        families_added,
        records_added,
        conflicts,
        change_dates_left_out,
        ..
    } = merged.summary;
    if format == Format::Json {
        let mut text = Vec::new();
        let summary = SummaryRow {
            persons_united,
            persons_added,
            families_united,
            families_added,
            records_added,
            conflicts,
            change_dates_left_out,
        };
        // Writing to memory does not fail.
        let _ = merged
            .actions
            .iter()
            .filter_map(ActionRow::from_action)
            .try_for_each(|row| json::write_line(&mut text, &row));
        let _ = json::write_summary(&mut text, &summary);
        console.print_buffer(&mut text);
        return;
    }
    print_notes(&merged.actions, console);
    if merged.actions.iter().any(is_lost_to_encoding) {
        console.print_note(
            "to keep these characters, first convert the first file with `elf convert --encoding UTF-8`",
        );
    }
    if change_dates_left_out > 0 {
        let records = counted(change_dates_left_out, "record");
        console.print_note(&format!("kept the date of last change (CHAN) of the first file in {records}"));
    }
    let families = |count: u64| counted(count, "family").replace("familys", "families");
    console.print_note(&format!(
        "merged {} and {}; added {}, {} and {}; {}",
        counted(persons_united, "person"),
        families(families_united),
        counted(persons_added, "person"),
        families(families_added),
        counted(records_added, "other record"),
        counted(conflicts, "conflict")
    ));
}

/// Returns whether something was lost because the encoding of the first file lacks a character.
fn is_lost_to_encoding(action: &MergeAction) -> bool {
    matches!(action, MergeAction::Lost { reason, .. } if reason.contains("encoding of the first file"))
}

/// Prints at most ten notes of each kind, and then the number of further ones.
fn print_notes(actions: &[MergeAction], console: &mut Console) {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for action in actions {
        let Some((kind, note)) = note_of(action) else { continue };
        let count = counts.entry(kind).or_default();
        *count += 1;
        if *count <= MOST_NOTES {
            console.print_note(&note);
        }
    }
    for (kind, count) in counts.into_iter().filter(|(_, count)| *count > MOST_NOTES) {
        let more = count - MOST_NOTES;
        console.print_note(&format!("{more} more notes about {kind}; `--format json` lists all"));
    }
}

/// The kind and the text of the note about an action.
fn note_of(action: &MergeAction) -> Option<(&'static str, String)> {
    match action {
        MergeAction::Conflict { tag, a, b, kept, added } => Some((
            "conflicts",
            format!(
                "conflict: {tag} of @{a}@ is `{kept}`, but {tag} of @{b}@ in the second file is `{added}`; both are kept"
            ),
        )),
        MergeAction::RoleDiffers { a, b, person, kept, left_out } => Some((
            "roles",
            format!(
                "@{person}@ is {kept} in the family @{a}@, but {left_out} in @{b}@ of the second file; kept {kept}"
            ),
        )),
        MergeAction::RenamedTag { tag, b, record } => {
            let under = record.as_ref().map_or_else(String::new, |record| format!(" under {record}"));
            let text = format!(
                "the tag {b}{under} of the second file has another meaning in the first file; written as {tag}"
            );
            Some(("tags", text))
        }
        MergeAction::Lost { line, reason } => {
            Some(("losses", format!("line {line} of the second file: lost {reason}")))
        }
        _ => None,
    }
}
