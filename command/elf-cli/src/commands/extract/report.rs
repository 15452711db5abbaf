//! The report of `elf extract` and `elf redact`: what went, and what somebody has to look at. It names
//! nobody.

use crate::args::Format;
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::Output;
use elf_check::findings::Problems;
use elf_extract::{
    DoubtReason, ExtractedPart, Plan, PlanError, RecordKind, Redaction, StructurePlace, SurveyedDocument,
};
use elf_report::json::{self, Event, ExtractSummary, LivingSummary, RecordTally};
use elf_report::{counted, grouped};
use std::io::{self, Write};

/// The most mentions that a person is told of.
const MOST_MENTIONS: usize = 10;

/// A report that grows with the parts of a file.
pub(crate) struct RemovalReport<'r> {
    file: &'r str,
    /// The outlet of objects, for a program.
    out: Option<Output>,
    /// The number of structures that were removed from records that stay.
    structures: u64,
    mentions: Vec<StructurePlace>,
    /// The number of all mentions.
    mentioned: u64,
}

impl<'r> RemovalReport<'r> {
    pub(crate) fn new(file: &'r str, format: Format) -> RemovalReport<'r> {
        let out = (format == Format::Json).then(Output::standard);
        RemovalReport { file, out, structures: 0, mentions: Vec::new(), mentioned: 0 }
    }

    /// Adds a part of the file.
    pub(crate) fn add(&mut self, part: &ExtractedPart) -> io::Result<()> {
        for removal in &part.removed {
            if !removal.is_record {
                self.structures += removal.structures;
            }
            if let Some(out) = &mut self.out {
                let event = Event::Removed {
                    path: removal.place.path.as_deref(),
                    file: self.file,
                    line: removal.place.line,
                    tag: &removal.tag,
                    structures: removal.structures,
                    reason: removal.reason.name(),
                };
                json::line(out, &event)?;
            }
        }
        for mention in &part.mentions {
            self.mentioned += 1;
            if let Some(out) = &mut self.out {
                let StructurePlace { path, line, .. } = mention;
                let event = Event::Mention { path: path.as_deref(), file: self.file, line: *line };
                json::line(out, &event)?;
            } else if self.mentions.len() < MOST_MENTIONS {
                self.mentions.push(mention.clone());
            }
        }
        Ok(())
    }

    /// Ends the report. `found`: the problems of the input, and whether they ended the reading.
    pub(crate) fn finish(
        self,
        plan: &Plan,
        found: (Problems, bool),
        console: &mut Console,
    ) -> io::Result<Exit> {
        let has_ended = found.1;
        let unclear = plan.unclear_lines();
        // Behind a line that is no line of the record something may stand that is another's.
        let is_uncertain = plan.is_redaction() && found.0.is_malformed();
        let is_told = self.mentioned > 0 || !unclear.is_empty() || !plan.doubts().is_empty();
        let is_clean = !has_ended && !is_uncertain && !is_told;
        let exit = if is_clean { Exit::Clean } else { Exit::Problems };
        match self.out {
            None => self.say(plan, found, console),
            Some(mut out) => {
                let file = self.file;
                for &line in unclear {
                    json::line(&mut out, &Event::Unclear { file, line })?;
                }
                for doubt in plan.doubts() {
                    let reason = doubt.reason.name();
                    json::line(&mut out, &Event::Doubt { file, line: doubt.line, reason })?;
                }
                let tally = |kind| {
                    let counts = plan.counts(kind);
                    RecordTally { kept: counts.kept, hidden: counts.hidden, removed: counts.removed }
                };
                let summary = ExtractSummary {
                    file: self.file,
                    persons: tally(RecordKind::Person),
                    families: tally(RecordKind::Family),
                    others: tally(RecordKind::Other),
                    structures: self.structures,
                    mentions: self.mentioned,
                    unclear: unclear.len() as u64,
                    doubts: plan.doubts().len() as u64,
                    complete: !has_ended,
                };
                json::summary(&mut out, &summary)?;
                out.finish()?;
            }
        }
        Ok(exit)
    }

    fn say(&self, plan: &Plan, (ending, has_ended): (Problems, bool), console: &mut Console) {
        let file = self.file;
        let left = |kind, one: &str, several: &str| {
            let counts = plan.counts(kind);
            let all = counts.kept + counts.hidden + counts.removed;
            let word = if all == 1 { one } else { several };
            format!("{} of {} {word}", grouped(counts.kept), grouped(all))
        };
        let [persons, families, others] = [
            left(RecordKind::Person, "person", "persons"),
            left(RecordKind::Family, "family", "families"),
            left(RecordKind::Other, "other record", "other records"),
        ];
        console.note(&format!("{file}: {persons}, {families} and {others} stay as they are"));
        let of_persons = plan.counts(RecordKind::Person);
        if of_persons.hidden > 0 {
            let families = plan.counts(RecordKind::Family).hidden;
            let hidden = counted(of_persons.hidden, "person");
            console.note(&format!("{hidden} and {} keep their places only", families_of(families)));
        }
        if self.structures > 0 {
            let went = counted(self.structures, "structure");
            console.note(&format!("{went} went from records that stay; `--format json` lists all"));
        }
        for StructurePlace { path, line, .. } in &self.mentions {
            let path = path.as_ref().map_or_else(|| "what stands ".to_owned(), |path| format!("`{path}` "));
            console
                .note(&format!("{path}at line {line} holds the name of somebody who is hidden, and stays"));
        }
        say_unclear(plan.unclear_lines(), "is hidden or gone", console);
        for reason in DoubtReason::ALL {
            let lines = plan.doubts().iter().filter(|doubt| doubt.reason == reason);
            let lines: Vec<u64> = lines.map(|doubt| doubt.line).collect();
            if !lines.is_empty() {
                console.note(&format!("at line {}: the record {}", first_of(&lines), reason.about()));
            }
        }
        let more = self.mentioned - self.mentions.len() as u64;
        if more > 0 {
            console.note(&format!("{} more hold such names; `--format json` lists all", grouped(more)));
        }
        if ending.count() > 0 && !has_ended {
            let problems = counted(ending.count(), "problem");
            let may_be = match plan.is_redaction() && ending.is_malformed() {
                true => ", by which something may stand in another's record",
                false => "",
            };
            console.note(&format!("the input has {problems}{may_be}: `elf check {file}` shows them"));
        }
        if has_ended {
            let at = ending.place();
            console.note(&format!("the rules ended the reading{at}: what follows is not in the output"));
        }
        if plan.is_redaction() {
            console.note(
                "this is a filter, and no guarantee: read what is written before you publish it; submitters stay",
            );
        }
    }
}

/// Tells of the lines for which their records count as those of somebody who may be living.
fn say_unclear(lines: &[u64], fate: &str, console: &mut Console) {
    if lines.is_empty() {
        return;
    }
    let records = counted(lines.len() as u64, "record");
    console.note(&format!(
        "{records} may be of somebody who is living, by lines that cannot be read or stand in the wrong place, \
         at line {}: what stands there {fate}",
        first_of(lines)
    ));
}

/// The first of some lines, in words.
fn first_of(lines: &[u64]) -> String {
    let first: Vec<String> = lines.iter().take(MOST_MENTIONS).map(|&line| grouped(line)).collect();
    let more = if lines.len() > first.len() { " and more, which `--format json` lists" } else { "" };
    format!("{}{more}", first.join(", "))
}

fn families_of(count: u64) -> String {
    if count == 1 { "1 family".to_owned() } else { format!("{} families", grouped(count)) }
}

/// The records of those who may be living.
pub(crate) struct Living {
    persons: u64,
    /// Identifier and line of each, and whether a notice says that it is private.
    found: Vec<(Option<String>, u64, bool)>,
    /// The lines for which their records are taken for those of such persons.
    unclear: Vec<u64>,
}

/// Finds those who may be living.
pub(crate) fn living(document: &SurveyedDocument, redaction: &Redaction) -> Result<Living, PlanError> {
    let lineage = document.lineage();
    let hidden = redaction.hidden(lineage)?;
    let living = lineage.persons().zip(hidden).filter(|(_, hidden)| *hidden);
    let found = living.map(|(person, _)| (person.identifier(), person.place().line, person.is_private()));
    let unclear = document.unclear_lines().to_vec();
    Ok(Living { found: found.collect(), persons: lineage.person_count() as u64, unclear })
}

impl Living {
    /// Lists them.
    pub(crate) fn print(&self, file: &str, format: Format, complete: bool, console: &mut Console) -> Exit {
        console.done();
        let is_clean = self.found.is_empty() && self.unclear.is_empty() && complete;
        let exit = if is_clean { Exit::Clean } else { Exit::Problems };
        let exit = write_to(None, console, |out, _| {
            for (identifier, line, is_private) in &self.found {
                match format {
                    Format::Json => {
                        let record = identifier.as_deref();
                        json::line(out, &Event::Living { record, file, line: *line, private: *is_private })?;
                    }
                    Format::Human => {
                        let who = identifier.as_ref().map_or_else(
                            || "a person without an identifier".to_owned(),
                            |identifier| format!("@{identifier}@"),
                        );
                        let why = if *is_private { "is marked as private" } else { "may be living" };
                        let text = format!("{file}:{line}: {who} {why}");
                        writeln!(out, "{}", elf_report::sanitise(&text))?;
                    }
                }
            }
            if format == Format::Json {
                for &line in &self.unclear {
                    json::line(out, &Event::Unclear { file, line })?;
                }
                let (persons, living) = (self.persons, self.found.len() as u64);
                json::summary(out, &LivingSummary { file, persons, living, complete })?;
            }
            Ok(exit)
        });
        if format == Format::Human {
            let count = counted(self.found.len() as u64, "person");
            console.note(&format!("{file}: {count} of {} may be living", grouped(self.persons)));
            say_unclear(&self.unclear, "would be hidden", console);
            if !complete {
                console.note("the rules ended the reading: what follows was not looked at");
            }
        }
        exit
    }
}
