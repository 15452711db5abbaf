//! The reports of `elf extract` and `elf redact`: what was removed, and what the user has to check. Only the list of
//! people who may be living contains names.

use crate::args::Format;
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use elf_check::Problems;
use elf_extract::{
    DoubtReason, Extraction, HiddenPerson, Plan, PlanError, RecordKind, Redaction, StructurePlace, Survey,
};
use elf_report::json::{self, Event, ExtractSummary, LivingSummary, RecordTally};
use elf_report::{counted, grouped};
use std::io::{self, Write};

/// The number of mentions and lines that are printed as text.
const MOST_MENTIONS: usize = 10;

/// The problems of the input.
pub(crate) struct InputProblems {
    pub(crate) problems: Problems,
    /// True if the rules stopped reading early.
    pub(crate) ended_reading: bool,
}

impl InputProblems {
    /// The reason why nothing is written if the rules stopped reading early.
    pub(crate) fn refusal_message(&self, file: &str) -> String {
        let place = self.problems.place();
        format!(
            "reading of {file} stopped early{place}, so nothing is written; `--partial` writes the part that was read"
        )
    }
}

/// The report on what a plan removed from a file.
pub(crate) struct RemovalReport<'r> {
    pub(crate) file: &'r str,
    pub(crate) plan: &'r Plan<'r>,
    pub(crate) extraction: &'r Extraction<'r>,
    pub(crate) problems: &'r InputProblems,
}

impl RemovalReport<'_> {
    /// The exit status. It is [`Exit::Problems`] if the user has to check something.
    pub(crate) fn exit_status(&self) -> Exit {
        let Self { plan, problems, .. } = self;
        // The lines after a malformed line may be about someone else.
        let is_uncertain = plan.is_redaction() && problems.problems.is_malformed();
        let needs_a_look = !self.extraction.mentions.is_empty()
            || !plan.unclear_lines().is_empty()
            || !plan.doubts().is_empty();
        let is_clean = !problems.ended_reading && !is_uncertain && !needs_a_look;
        if is_clean { Exit::Clean } else { Exit::Problems }
    }

    pub(crate) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { file, plan, extraction, problems } = self;
        let mut places = extraction.places();
        for removal in &extraction.removed {
            let StructurePlace { path, line, .. } = places.of_removal(removal);
            let event = Event::Removed {
                path: path.as_deref(),
                file,
                line,
                tag: removal.structure.tag(),
                structures: removal.structures(),
                reason: removal.reason.name(),
            };
            json::write_line(out, &event)?;
        }
        for mention in &extraction.mentions {
            let StructurePlace { path, line, .. } = places.of_mention(mention);
            json::write_line(out, &Event::Mention { path: path.as_deref(), file, line })?;
        }
        for &line in plan.unclear_lines() {
            json::write_line(out, &Event::Unclear { file, line })?;
        }
        for doubt in plan.doubts() {
            json::write_line(out, &Event::Doubt { file, line: doubt.line, reason: doubt.reason.name() })?;
        }
        let tally = |kind| {
            let counts = plan.counts(kind);
            RecordTally { kept: counts.kept, hidden: counts.hidden, removed: counts.removed }
        };
        let summary = ExtractSummary {
            file,
            persons: tally(RecordKind::Person),
            families: tally(RecordKind::Family),
            others: tally(RecordKind::Other),
            structures: extraction.removed_from_kept(),
            mentions: extraction.mentions.len() as u64,
            unclear: plan.unclear_lines().len() as u64,
            doubts: plan.doubts().len() as u64,
            complete: !problems.ended_reading,
        };
        json::write_summary(out, &summary)
    }

    pub(crate) fn print(&self, console: &mut Console) {
        self.print_counts(console);
        self.print_mentions(console);
        print_unclear(self.plan.unclear_lines(), "are hidden or removed", console);
        self.print_doubts(console);
        let more = self.extraction.mentions.len().saturating_sub(MOST_MENTIONS);
        if more > 0 {
            console.print_note(&format!(
                "{} more structures contain names of hidden people; `--format json` lists all",
                grouped(more as u64)
            ));
        }
        self.print_problems(console);
        if self.plan.is_redaction() {
            console.print_note("this filter cannot find everything: read the output before you publish it");
        }
    }

    fn print_counts(&self, console: &mut Console) {
        let Self { file, plan, .. } = self;
        let left = |kind, one: &str, several: &str| {
            let counts = plan.counts(kind);
            let all = counts.kept + counts.hidden + counts.removed;
            let word = if all == 1 { one } else { several };
            format!("{} of {} {word}", grouped(counts.kept), grouped(all))
        };
        let [persons, families, others] = [
            left(RecordKind::Person, "person", "people"),
            left(RecordKind::Family, "family", "families"),
            left(RecordKind::Other, "other record", "other records"),
        ];
        console.print_note(&format!("{file}: kept {persons}, {families} and {others} unchanged"));
        let of_persons = plan.counts(RecordKind::Person);
        if of_persons.hidden > 0 {
            let families = plan.counts(RecordKind::Family).hidden;
            let hidden = counted(of_persons.hidden, "person");
            console.print_note(&format!("hid the content of {hidden} and {}", count_families(families)));
        }
        let structures = self.extraction.removed_from_kept();
        if structures > 0 {
            let went = counted(structures, "structure");
            console.print_note(&format!("removed {went} from kept records; `--format json` lists all"));
        }
    }

    fn print_mentions(&self, console: &mut Console) {
        let mentions = &self.extraction.mentions;
        if mentions.is_empty() {
            return;
        }
        let mut places = self.extraction.places();
        for mention in mentions.iter().take(MOST_MENTIONS) {
            let StructurePlace { path, line, .. } = places.of_mention(mention);
            let path = path.map_or_else(|| "the text ".to_owned(), |path| format!("`{path}` "));
            console.print_note(&format!(
                "{path}at line {line} contains the name of a hidden person and is kept"
            ));
        }
    }

    fn print_doubts(&self, console: &mut Console) {
        for reason in DoubtReason::ALL {
            let of_reason = self.plan.doubts().iter().filter(|doubt| doubt.reason == reason);
            let lines: Vec<u64> = of_reason.map(|doubt| doubt.line).collect();
            if !lines.is_empty() {
                console.print_note(&format!(
                    "at line {}: the record {}",
                    format_first_lines(&lines),
                    reason.about()
                ));
            }
        }
    }

    fn print_problems(&self, console: &mut Console) {
        let Self { file, problems: InputProblems { problems, ended_reading }, .. } = self;
        if *ended_reading {
            let place = problems.place();
            console.print_note(&format!("reading stopped early{place}: the rest is not in the output"));
        } else if problems.count() > 0 {
            let count = counted(problems.count(), "problem");
            let may_be = match self.plan.is_redaction() && problems.is_malformed() {
                true => ", so lines may be in the wrong record",
                false => "",
            };
            console.print_note(&format!("the input has {count}{may_be}: `elf check {file}` shows them"));
        }
    }
}

/// Prints the lines whose records are treated as those of living people. `fate` says what happens to them.
fn print_unclear(lines: &[u64], fate: &str, console: &mut Console) {
    if lines.is_empty() {
        return;
    }
    let records = counted(lines.len() as u64, "record");
    console.print_note(&format!(
        "{records} may belong to living people, because of invalid or misplaced lines, at line {}: these lines {fate}",
        format_first_lines(lines)
    ));
}

/// Formats the first line numbers, such as `3, 7 and more`.
fn format_first_lines(lines: &[u64]) -> String {
    let first: Vec<String> = lines.iter().take(MOST_MENTIONS).map(|&line| grouped(line)).collect();
    let more = if lines.len() > first.len() { " and more; `--format json` lists all" } else { "" };
    format!("{}{more}", first.join(", "))
}

fn count_families(count: u64) -> String {
    if count == 1 { "1 family".to_owned() } else { format!("{} families", grouped(count)) }
}

/// The report on the people who may be living.
pub(crate) struct LivingReport {
    /// The number of all people.
    persons: u64,
    living: Vec<HiddenPerson>,
    /// The lines whose records are treated as those of living people.
    unclear: Vec<u64>,
}

impl LivingReport {
    pub(crate) fn find(survey: &Survey<'_>, redaction: &Redaction) -> Result<LivingReport, PlanError> {
        let living = survey.hidden_persons(redaction)?;
        let unclear = survey.unclear_lines().to_vec();
        Ok(LivingReport { living, persons: survey.lineage().person_count() as u64, unclear })
    }

    pub(crate) fn print(&self, file: &str, format: Format, complete: bool, console: &mut Console) -> Exit {
        console.clear_progress();
        let is_clean = self.living.is_empty() && self.unclear.is_empty() && complete;
        let exit = if is_clean { Exit::Clean } else { Exit::Problems };
        let exit = write_to(None, console, |out, _| {
            for person in &self.living {
                match format {
                    Format::Json => write_json_person(out, file, person)?,
                    Format::Human => {
                        writeln!(out, "{}", elf_report::sanitise(&line_of_person(file, person)))?
                    }
                }
            }
            if format == Format::Json {
                for &line in &self.unclear {
                    json::write_line(out, &Event::Unclear { file, line })?;
                }
                let (persons, living) = (self.persons, self.living.len() as u64);
                json::write_summary(out, &LivingSummary { file, persons, living, complete })?;
            }
            Ok(exit)
        });
        if format == Format::Human {
            let count = counted(self.living.len() as u64, "person");
            console.print_note(&format!("{file}: {count} of {} may be living", grouped(self.persons)));
            print_unclear(&self.unclear, "would be hidden", console);
            if !complete {
                console.print_note("reading stopped early: the rest was not checked");
            }
        }
        exit
    }
}

fn write_json_person(out: &mut impl Write, file: &str, person: &HiddenPerson) -> io::Result<()> {
    let HiddenPerson { identifier, name, birth, reason, line, .. } = person;
    let (id, birth) = (identifier.as_deref(), birth.as_deref());
    json::write_line(out, &json::HiddenPerson { file, id, name, birth, reason, line: *line })
}

/// The line of text about a person who may be living: identifier, name, birth and reason.
fn line_of_person(file: &str, person: &HiddenPerson) -> String {
    let HiddenPerson { identifier, name, birth, reason, line, .. } = person;
    let who = match identifier {
        Some(identifier) => format!("@{identifier}@"),
        None => "a person without an identifier".to_owned(),
    };
    let name = if name.is_empty() { String::new() } else { format!(" {name}") };
    let birth = birth.as_ref().map_or_else(String::new, |birth| format!(" (born {birth})"));
    format!("{file}:{line}: {who}{name}{birth}: {reason}")
}
