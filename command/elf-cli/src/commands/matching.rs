//! `elf match`: finds records of the same person.

use crate::args::{Match, MatchFormat};
use crate::commands::decisions::{
    Decision, FoundDecision, NamedPerson, check_contradictions, read_decisions,
};
use crate::commands::people::{report_reading, with_people, write_csv_row};
use crate::commands::{list_inputs, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Listed, Output};
use crate::reading;
use crate::schemas::Schemas;
use elf_lineage::{MatchField, MatchPerson, MatchSide, PersonMatch, PersonMatcher};
use elf_report::{json, sanitise};
use elf_schema::ReadOptions;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

pub(crate) fn run(args: &Match, console: &mut Console) -> Exit {
    let mut decided: Vec<Decision> = Vec::new();
    for path in &args.decided {
        match read_decisions(path) {
            Ok(decisions) => decided.extend(decisions),
            Err(reason) => {
                console.print_error(&reason);
                return Exit::Failed;
            }
        }
    }
    let schemas = match Schemas::from_args(&args.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.reading.encoding);
    crate::threads::start_pool(args.reading.jobs);
    let mut files =
        MatchedFiles { matcher: PersonMatcher::default(), names: Vec::new(), has_two_sides: false };
    // If the second file is the first one, compare the file with itself.
    let other = args.other.iter().filter(|other| !crate::io::would_overwrite(&args.one, other));
    let sides = std::iter::once((MatchSide::A, &args.one)).chain(other.map(|other| (MatchSide::B, other)));
    let mut exit = Exit::Clean;
    for (side, path) in sides {
        let Some(list) = list_inputs(std::slice::from_ref(path), None, &args.output, console) else {
            return Exit::Failed;
        };
        files.has_two_sides |= side == MatchSide::B;
        for file in &list {
            // A folder may contain the file that it is compared with.
            if side == MatchSide::B && crate::io::would_overwrite(&args.one, &file.name) {
                continue;
            }
            exit = exit.max(files.add_file(side, file, args, &options, console));
        }
    }
    if exit == Exit::Failed {
        return exit;
    }
    console.show_progress("comparing people");
    let pairs = files.find_pairs(args.at_least, &decided);
    console.clear_progress();
    let pairs = match pairs {
        Ok(pairs) => pairs,
        Err(reason) => {
            console.print_error(&reason);
            return Exit::Failed;
        }
    };
    write_to(args.output.as_deref(), console, |out, _| {
        files.print_pairs(args.format, &pairs, out)?;
        Ok(exit)
    })
}

struct MatchedFiles {
    matcher: PersonMatcher,
    names: Vec<String>,
    has_two_sides: bool,
}

/// The pairs with a decision, by the numbers of their people.
struct DecidedPairs {
    same: HashSet<(usize, usize)>,
    different: HashSet<(usize, usize)>,
}

/// A pair to be printed.
struct PrintedPair {
    found: PersonMatch,
    is_decided: bool,
}

impl MatchedFiles {
    /// Adds the people of a file.
    fn add_file(
        &mut self,
        side: MatchSide,
        file: &Listed,
        args: &Match,
        options: &ReadOptions<'_>,
        console: &mut Console,
    ) -> Exit {
        let name = reading::display_name(&file.name);
        let meter = console.show_progress(&format!("reading {name}"));
        let number = self.names.len();
        let rules = args.reading.common.rules();
        let read = with_people(&file.source, rules, options, &meter, |people| {
            self.matcher.add(side, number, &people.view);
            (people.problems.clone(), people.is_complete)
        });
        console.clear_progress();
        match read {
            Ok((problems, is_complete)) => {
                report_reading(&name, &problems, is_complete, console);
                self.names.push(name);
                if is_complete { Exit::Clean } else { Exit::Problems }
            }
            Err(reason) => {
                console.print_unreadable(&file.name, &reason);
                Exit::Failed
            }
        }
    }

    /// The pairs with a score of at least `at_least`, and all pairs decided to be the same.
    ///
    /// # Errors
    ///
    /// A contradiction between decisions.
    fn find_pairs(&self, at_least: f64, decided: &[Decision]) -> Result<Vec<PrintedPair>, String> {
        let DecidedPairs { same, different } = self.decided_pairs(decided)?;
        let found = self.matcher.matches(at_least);
        let is_open = |found: &PersonMatch| {
            let pair = (found.a, found.b);
            !same.contains(&pair) && !different.contains(&pair)
        };
        let mut same: Vec<(usize, usize)> = same.difference(&different).copied().collect();
        same.sort_unstable();
        let decided = self.matcher.compare(same).into_iter().map(|mut found| {
            found.score = 1.0;
            PrintedPair { found, is_decided: true }
        });
        let open = found.into_iter().filter(is_open).map(|found| PrintedPair { found, is_decided: false });
        let mut pairs: Vec<PrintedPair> = decided.chain(open).collect();
        pairs.sort_by(|one, other| {
            let (one, other) = (&one.found, &other.found);
            other.score.total_cmp(&one.score).then((one.a, one.b).cmp(&(other.a, other.b)))
        });
        Ok(pairs)
    }

    fn decided_pairs(&self, decided: &[Decision]) -> Result<DecidedPairs, String> {
        let (mut same, mut different) = (HashSet::new(), HashSet::new());
        let mut by_identifier: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, person) in self.matcher.persons().iter().enumerate() {
            if let Some(identifier) = &person.identifier {
                by_identifier.entry(identifier).or_default().push(number);
            }
        }
        let find = |named: &NamedPerson| -> Vec<usize> {
            let found = by_identifier.get(&*named.id).into_iter().flatten().copied();
            let is_path = self.names.contains(&named.file);
            let is_of = |file: &str| if is_path { named.file == file } else { named.is_in_file(file) };
            found.filter(|number| is_of(self.file_of(self.matcher.person(*number)))).collect()
        };
        let mut all: Vec<FoundDecision<'_, usize>> = Vec::new();
        for decision in decided {
            let set = if decision.is_same { &mut same } else { &mut different };
            for a in find(&decision.a) {
                for b in find(&decision.b) {
                    let pair = self.matcher.pair_of(a, b);
                    set.extend(pair);
                    // Duplicates within one file do not contradict each other, but people decided to differ may.
                    if pair.is_some() || !decision.is_same && a != b {
                        all.push(FoundDecision { place: &decision.place, a, b, is_same: decision.is_same });
                    }
                }
            }
        }
        // Only two single files can be merged.
        check_contradictions(&all)?;
        Ok(DecidedPairs { same, different })
    }

    fn file_of(&self, person: &MatchPerson) -> &str {
        self.names.get(person.file).map_or("", String::as_str)
    }

    fn print_pairs(&self, format: MatchFormat, pairs: &[PrintedPair], out: &mut Output) -> io::Result<()> {
        if format == MatchFormat::Csv {
            out.write_all(PairRow::HEADER)?;
        }
        for pair in pairs {
            let row = self.row_of(pair);
            match format {
                MatchFormat::Human => row.write_text(out)?,
                MatchFormat::Json => json::write_line(out, &row)?,
                MatchFormat::Csv => row.write_csv(pair.is_decided, out)?,
            }
        }
        Ok(())
    }

    fn row_of(&self, pair: &PrintedPair) -> PairRow<'_> {
        let side = |number: usize| {
            let person = self.matcher.person(number);
            PairPerson {
                file: self.file_of(person),
                id: person.identifier.as_deref().unwrap_or(""),
                name: &person.name,
                birth: &person.birth,
                death: &person.death,
            }
        };
        let names = |fields: &[MatchField]| fields.iter().map(|field| field.name()).collect();
        let found = &pair.found;
        PairRow {
            score: found.score,
            a: side(found.a),
            b: side(found.b),
            agree: names(&found.agree),
            similar: names(&found.similar),
            differ: names(&found.differ),
        }
    }
}

/// A pair as a row of CSV or an object of JSON.
#[derive(Serialize)]
struct PairRow<'p> {
    score: f64,
    a: PairPerson<'p>,
    b: PairPerson<'p>,
    agree: Vec<&'static str>,
    similar: Vec<&'static str>,
    differ: Vec<&'static str>,
}

/// A person of a pair. JSON omits empty fields.
#[derive(Serialize)]
struct PairPerson<'p> {
    file: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    birth: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    death: &'p str,
}

impl PairRow<'_> {
    /// The header of the table, with its line ending.
    const HEADER: &'static [u8] = b"score,decision,a_file,a_id,a_name,a_birth,a_death,b_file,b_id,b_name,b_birth,b_death,agree,similar,differ\r\n";

    fn write_csv(&self, is_decided: bool, out: &mut dyn Write) -> io::Result<()> {
        let score = self.score.to_string();
        let decision = if is_decided { "same" } else { "" };
        let [agree, similar, differ] =
            [&self.agree, &self.similar, &self.differ].map(|fields| fields.join(";"));
        let mut fields: Vec<&str> = vec![&score, decision];
        for person in [&self.a, &self.b] {
            fields.extend([person.file, person.id, person.name, person.birth, person.death]);
        }
        fields.extend([&*agree, &*similar, &*differ]);
        write_csv_row(&fields, out)
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = [&self.a, &self.b].map(PairPerson::text_line);
        writeln!(out, "{:.4}  {a}\n        {b}", self.score)?;
        let lists = [("agree", &self.agree), ("similar", &self.similar), ("differ", &self.differ)];
        for (label, fields) in lists.into_iter().filter(|(_, fields)| !fields.is_empty()) {
            writeln!(out, "        {label}: {}", fields.join(", "))?;
        }
        Ok(())
    }
}

impl PairPerson<'_> {
    fn text_line(&self) -> String {
        let id = if self.id.is_empty() { String::new() } else { format!("@{}@ ", sanitise(self.id)) };
        let name = if self.name.is_empty() { "(no name)".into() } else { sanitise(self.name) };
        let mut line = format!("{}: {id}{name}", sanitise(self.file));
        for (mark, date) in
            [("*", self.birth), ("†", self.death)].into_iter().filter(|(_, date)| !date.is_empty())
        {
            line += &format!(", {mark} {}", sanitise(date));
        }
        line
    }
}
