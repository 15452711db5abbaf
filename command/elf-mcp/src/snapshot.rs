//! A file as it was last read: what an assistant may see of it.

use crate::changed_lines::{label_of, top_structures};
use crate::error::ToolError;
use crate::lines::LineMap;
use crate::options::ServerOptions;
use crate::text::{at_signs, bare, field};
use crate::twin::edit_check;
use elf_base::{Diagnostic, Rules};
use elf_check::{Check, Keep, Report};
use elf_extract::{DoubtReason, Extraction, HiddenNames, Plan, Redaction, Survey};
use elf_lineage::{
    FamilyId, Lineage, LineageRecords, LineageView, LivingRule, Person, PersonError, PersonId, PersonMatcher,
    QuestionOptions,
};
use elf_schema::near::Near;
use elf_schema::{Node, ReadOptions, TooLarge, TypedDocument};
use elf_tagged::elf_octets::{FileKind, Patch};
use elf_tagged::{LinePlaces, Target};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The most findings of each code that are listed. All are counted.
const MOST_OF_EACH_CODE: usize = 2_000;

/// A file as it was last read.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The name by which the assistant knows the file.
    pub(crate) name: String,
    /// A part of the hash of the file: another version of the file has another one.
    pub(crate) version: String,
    /// The hash of the file.
    pub(crate) hash: String,
    /// The size of the file in bytes.
    pub(crate) size: usize,
    /// The document that tools work on: without people who may be living, unless they are shown.
    pub(crate) typed: TypedDocument<'static>,
    pub(crate) lineage: Lineage,
    records: Arc<LineageRecords>,
    /// For each person, whether the person is hidden.
    hidden: Vec<bool>,
    pub(crate) lines: LineMap,
    /// The number of records that are kept although they may be about someone who is hidden.
    pub(crate) doubts: usize,
    /// The file itself, if changes are allowed and it is not `typed`.
    file: Option<TypedDocument<'static>>,
    /// The lines of the file whose records are hidden.
    hidden_lines: Vec<Range<u64>>,
    /// The names of the people who are hidden in this file.
    pub(crate) hidden_names: Arc<HiddenNames>,
    /// The names of the people who are hidden in the other files.
    hidden_elsewhere: Vec<Arc<HiddenNames>>,
    families: HashMap<String, FamilyId>,
    hides_the_living: bool,
    rule: LivingRule,
    report: OnceLock<Result<Report, ToolError>>,
    matcher: OnceLock<PersonMatcher>,
    before_edits: OnceLock<Vec<Diagnostic>>,
    questions_before_edits: OnceLock<Vec<Diagnostic>>,
    pub(crate) caches: Caches,
}

/// What tools have worked out about the whole file.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    pub(crate) places: OnceLock<Vec<crate::tools::places::PlaceUse>>,
    pub(crate) statistics: OnceLock<crate::tools::statistics::Counts>,
}

/// A file with hidden people, as it is read again.
struct Redacted {
    typed: TypedDocument<'static>,
    hidden: Vec<bool>,
    lines: LineMap,
    doubts: usize,
    hidden_lines: Vec<Range<u64>>,
    hidden_names: HiddenNames,
}

/// Returns the names of the people whom a file hides. `known` are those of the file as it was before. The error says why
/// nobody knows them.
pub(crate) fn hidden_names_in(
    name: &str,
    bytes: &[u8],
    options: &ServerOptions,
    known: Option<&HiddenNames>,
) -> Result<HiddenNames, ToolError> {
    let document = read_document(name, bytes)?;
    Ok(hidden_names_of(&plan_redaction(name, &document, options.rule)?, known))
}

/// The names that a plan hides. A file without a trailer may not be complete, because another program is writing it. Then
/// the names that were known before stay, until the file has a trailer again or the server is started again.
fn hidden_names_of(plan: &Plan<'_>, known: Option<&HiddenNames>) -> HiddenNames {
    let mut names = plan.hidden_names().cloned().unwrap_or_default();
    let is_complete = plan.doubts().iter().all(|doubt| doubt.reason != DoubtReason::NoTrailer);
    if let Some(known) = known.filter(|_| !is_complete) {
        names.merge(known);
    }
    names
}

impl Snapshot {
    /// Reads a file. `hidden_elsewhere` are the names of people who are hidden in other files, and `known` are those of the
    /// file as it was before. The error says why an assistant can see nothing of the file.
    pub(crate) fn read(
        name: &str,
        bytes: &[u8],
        options: &ServerOptions,
        hidden_elsewhere: &[Arc<HiddenNames>],
        known: Option<&HiddenNames>,
    ) -> Result<Snapshot, ToolError> {
        refuse_other_kinds(name, bytes)?;
        let document = read_document(name, bytes)?;
        let (redacted, file) = match options.shows_living {
            true => (None, document.into_owned()),
            false => {
                let redacted = redact(name, &document, options, hidden_elsewhere, known)?;
                (Some(redacted), document.into_owned())
            }
        };
        let (redacted, file) = match redacted {
            Some(redacted) => (redacted, Some(file).filter(|_| options.allows_edits)),
            None => (shown(file), None),
        };
        let Redacted { typed, mut hidden, lines, doubts, hidden_lines, hidden_names } = redacted;
        let lineage = Lineage::with_notices(&typed);
        if hidden.is_empty() {
            hidden = vec![false; lineage.person_count()];
        }
        if hidden.len() != lineage.person_count() {
            return Err(cannot_hide(name, "the file is too damaged"));
        }
        let families = lineage.families().filter_map(|family| Some((family.identifier()?, family.id())));
        let hash = hash_of(bytes);
        Ok(Snapshot {
            name: name.to_owned(),
            version: version_of(&hash),
            hash,
            size: bytes.len(),
            records: Arc::new(LineageRecords::of(&typed)),
            families: families.collect(),
            typed,
            lineage,
            hidden,
            lines,
            doubts,
            file,
            hidden_lines,
            hidden_names: Arc::new(hidden_names),
            hidden_elsewhere: hidden_elsewhere.to_vec(),
            hides_the_living: !options.shows_living,
            rule: options.rule,
            report: OnceLock::new(),
            matcher: OnceLock::new(),
            before_edits: OnceLock::new(),
            questions_before_edits: OnceLock::new(),
            caches: Caches::default(),
        })
    }

    /// The graph beside the document.
    pub(crate) fn view(&self) -> LineageView<'_, '_> {
        LineageView::with_records(&self.lineage, &self.typed, Arc::clone(&self.records))
    }

    /// The document of the file itself, with the people who may be living. For edits only.
    pub(crate) fn file(&self) -> &TypedDocument<'static> {
        self.file.as_ref().unwrap_or(&self.typed)
    }

    /// Returns whether a line of the file is in a record that is hidden.
    pub(crate) fn is_in_hidden_record(&self, line: u64) -> bool {
        let after = self.hidden_lines.partition_point(|lines| lines.start <= line);
        after
            .checked_sub(1)
            .and_then(|at| self.hidden_lines.get(at))
            .is_some_and(|lines| lines.contains(&line))
    }

    /// Returns whether a line of the file is shown.
    pub(crate) fn shows_line(&self, line: u64) -> bool {
        self.lines.shown(line).is_some() && !self.is_in_hidden_record(line)
    }

    /// Returns whether all lines of the record with a label are shown. True if there is no such record.
    pub(crate) fn shows_whole_record(&self, label: &str) -> bool {
        let document = self.file().document();
        let mut places = document.line_places();
        let mut starts = Vec::new();
        for node in top_structures(document) {
            starts.push((
                places.place(node, node.line_span()).line,
                label_of(node.xref(), node.tag()) == label,
            ));
        }
        let found: Vec<usize> =
            (0..starts.len()).filter(|at| starts.get(*at).is_some_and(|(_, is_it)| *is_it)).collect();
        match *found {
            [] => true,
            [at] => {
                let line = |at: usize| starts.get(at).map_or(u64::MAX, |(line, _)| *line);
                let lines = line(at)..line(at + 1);
                !self.is_in_hidden_record(lines.start)
                    && !self.lines.changed_lines().any(|line| lines.contains(&line))
            }
            // Nobody knows which one is meant.
            _ => false,
        }
    }

    /// Returns whether a patch of the file changes a hidden line, or adds one to a hidden record.
    pub(crate) fn hides_lines_of(&self, patch: &Patch) -> bool {
        if !patch.lines.is_empty() {
            return patch.lines.clone().any(|line| !self.shows_line(line));
        }
        let is_record = patch.with.trim_start().starts_with('0');
        !is_record && self.is_in_hidden_record(patch.lines.start.saturating_sub(1))
    }

    pub(crate) fn is_hidden(&self, person: PersonId) -> bool {
        // There is an entry for each person.
        self.hidden.get(person.index()).copied().unwrap_or(true)
    }

    /// Returns whether people who may be living are hidden, if there are any. Depends on the options only.
    pub(crate) const fn hides_the_living(&self) -> bool {
        self.hides_the_living
    }

    pub(crate) fn hidden_count(&self) -> usize {
        self.hidden.iter().filter(|is_hidden| **is_hidden).count()
    }

    /// Refuses a new version of the file that shows a line that is hidden now: a record, or a text. Also refuses one without
    /// a hidden name for which the other files are searched. `edits` are the changes that make the version.
    pub(crate) fn check_hidden(&self, new: &TypedDocument<'_>, edits: &[Patch]) -> Result<(), ToolError> {
        if self.file.is_none() {
            return Ok(());
        }
        let edits = LineMap::of(edits);
        // The hidden lines of now, by their numbers in the new version.
        let lines: Vec<u64> = self.lines.changed_lines().filter_map(|line| edits.shown(line)).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let contains_one = |record: Range<u64>| {
            let from = lines.partition_point(|line| *line < record.start);
            lines.get(from).is_some_and(|line| record.contains(line))
        };
        let plan = plan_redaction(&self.name, new, self.rule)?;
        let names = hidden_names_of(&plan, Some(&self.hidden_names));
        // The texts of the other files are searched for these names. There is an entry for each other file.
        if !self.hidden_elsewhere.is_empty() && !names.contains(&self.hidden_names) {
            return Err(ToolError::new(
                "after this change, texts in other files that name someone hidden might be shown. The user can serve this file \
                 alone, or start the server with `--living`",
            ));
        }
        let plan = with_names(plan, &names, &self.hidden_elsewhere);
        let changed = plan.changed_lines_in(contains_one).map_err(|_| cannot_change(&self.name))?;
        let redaction = LineMap::of(&changed);
        match lines.iter().any(|line| redaction.shown(*line).is_some()) {
            false => Ok(()),
            true => Err(ToolError::new(
                "after this change, something that is hidden would be shown, for example because someone would no longer count \
                 as living. The user can start the server with `--living` to make it",
            )),
        }
    }

    /// Finds a person by an identifier, with or without at signs.
    pub(crate) fn person(&self, identifier: &str) -> Result<Person<'_>, ToolError> {
        let identifier = bare(identifier);
        self.lineage.only_person(identifier).map_err(|error| match error {
            PersonError::Unknown(_) if self.tag_of_record(identifier).is_some() => {
                self.wrong_kind(identifier, "a person")
            }
            PersonError::Unknown(_) => {
                let known: Vec<String> = self.lineage.persons().filter_map(Person::identifier).collect();
                let near = Near::of(identifier, known.iter().map(String::as_str));
                let help =
                    near.help(|| None).unwrap_or_else(|| "`find_people` finds people by name".to_owned());
                ToolError::new(format!(
                    "{}: no person has the identifier {}; {help}",
                    self.name,
                    at_signs(identifier)
                ))
            }
            error => ToolError::new(format!("{}: {error}", self.name)),
        })
    }

    /// Finds a family by an identifier, with or without at signs.
    pub(crate) fn family(&self, identifier: &str) -> Result<FamilyId, ToolError> {
        let identifier = bare(identifier);
        self.families.get(identifier).copied().ok_or_else(|| match self.tag_of_record(identifier) {
            Some(_) => self.wrong_kind(identifier, "a family"),
            None => ToolError::new(format!(
                "{}: no family has the identifier {}; `person` lists the families of a person",
                self.name,
                at_signs(identifier)
            )),
        })
    }

    /// The tag of the only record with an identifier.
    pub(crate) fn tag_of_record(&self, identifier: &str) -> Option<&str> {
        match self.typed.document().resolve(bare(identifier)) {
            Target::One(record) => Some(record.tag()),
            _ => None,
        }
    }

    fn wrong_kind(&self, identifier: &str, expected: &str) -> ToolError {
        let tag = field(self.tag_of_record(identifier).unwrap_or_default());
        ToolError::new(format!(
            "{}: {} is a record with the tag {tag}, but expected {expected}",
            self.name,
            at_signs(identifier)
        ))
    }

    /// Cites a line of the redacted document as `family.ged:12`, by its number in the file.
    pub(crate) fn cite_line(&self, line: u64) -> String {
        format!("{}:{}", self.name, self.lines.find_origin(line).line)
    }

    /// Makes something that cites structures.
    pub(crate) fn citer(&self) -> Citer<'_> {
        Citer { snapshot: self, places: self.typed.document().line_places() }
    }

    /// The findings of `elf check --facts --unlikely`, with the questions.
    pub(crate) fn report_with_questions(&self) -> Result<&Report, ToolError> {
        self.report.get_or_init(|| self.check()).as_ref().map_err(Clone::clone)
    }

    /// The questions about the facts that are shown, to tell which ones an edit causes.
    pub(crate) fn questions_before_edits(&self) -> &[Diagnostic] {
        self.questions_before_edits.get_or_init(|| self.questions_about(&self.lineage))
    }

    /// Questions about the facts of a document, as [`report_with_questions`](Snapshot::report_with_questions) asks them.
    pub(crate) fn questions_about(&self, lineage: &Lineage) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        lineage.questions(&self.asking(), &mut found);
        found
    }

    fn asking(&self) -> QuestionOptions {
        QuestionOptions::on(self.rule.today).with_unlikely(true)
    }

    fn check(&self) -> Result<Report, ToolError> {
        let rules = self.typed.document().rules();
        let options = ReadOptions::default().with_vendor_tags(true).with_check_values(true);
        let keep = Keep::FirstOfEach(MOST_OF_EACH_CODE);
        let check = Check { facts: Some(self.asking()), options, keep, ..Check::new(&Rules::WILD) };
        debug_assert_eq!(rules.name, check.rules.name, "files are read by one set of rules");
        let checked = check.check(self.typed.document().source().octets());
        checked.map_err(|error| ToolError::new(format!("{}: cannot be checked: {error}", self.name)))
    }

    /// The findings of the file itself, to tell which ones an edit causes. For edits only.
    pub(crate) fn findings_before_edits(&self) -> &[Diagnostic] {
        self.before_edits.get_or_init(|| {
            let report = edit_check().check(self.file().document().source().octets());
            // The edited file cannot be checked either, and that is an error.
            let findings = report.map(|report| report.findings).unwrap_or_default();
            findings.into_iter().map(|finding| finding.diagnostic).collect()
        })
    }

    /// Works out what the first proposal needs.
    pub(crate) fn prepare_edits(&self) {
        self.findings_before_edits();
        self.questions_before_edits();
    }

    /// The people, compared with each other.
    pub(crate) fn matcher(&self) -> &PersonMatcher {
        self.matcher.get_or_init(|| {
            let mut matcher = PersonMatcher::default();
            matcher.add(elf_lineage::MatchSide::A, 0, &self.view());
            matcher
        })
    }
}

/// Cites structures of a snapshot.
pub(crate) struct Citer<'s> {
    snapshot: &'s Snapshot,
    places: LinePlaces<'s>,
}

impl<'s> Citer<'s> {
    /// The line of a structure in the redacted document.
    pub(crate) fn line(&mut self, node: Node<'s>) -> u64 {
        self.places.place(node, node.line_span()).line
    }

    /// The line of a structure in the file.
    pub(crate) fn line_of_file(&mut self, node: Node<'s>) -> u64 {
        let line = self.line(node);
        self.snapshot.lines.find_origin(line).line
    }

    /// The file and the line of a structure, as `family.ged:12`.
    pub(crate) fn cite(&mut self, node: Node<'s>) -> String {
        let line = self.line(node);
        self.snapshot.cite_line(line)
    }
}

/// Refuses files that are neither GEDCOM nor ELF, such as web pages.
fn refuse_other_kinds(name: &str, bytes: &[u8]) -> Result<(), ToolError> {
    match FileKind::of(bytes) {
        Some(kind) => {
            Err(ToolError::new(format!("{name}: this is {}, not GEDCOM; {}", kind.name(), kind.advice())))
        }
        None => Ok(()),
    }
}

fn read_document<'o>(name: &str, bytes: &'o [u8]) -> Result<TypedDocument<'o>, ToolError> {
    read_typed(bytes).map_err(|error| ToolError::new(format!("{name}: cannot be read: {error}")))
}

/// Reads a file with the types of vendor tags.
pub(crate) fn read_typed(bytes: &[u8]) -> Result<TypedDocument<'_>, TooLarge> {
    elf_schema::read(bytes, &Rules::WILD, &ReadOptions::default().with_vendor_tags(true), &mut ())
}

/// A file in which nobody is hidden.
fn shown(typed: TypedDocument<'static>) -> Redacted {
    let (hidden, hidden_lines) = (Vec::new(), Vec::new());
    let (lines, hidden_names) = Default::default();
    Redacted { typed, hidden, lines, doubts: 0, hidden_lines, hidden_names }
}

/// Decides what is hidden in a file.
fn plan_redaction<'d>(
    name: &str,
    document: &'d TypedDocument<'d>,
    rule: LivingRule,
) -> Result<Plan<'d>, ToolError> {
    let survey = Survey::of(document);
    if !survey.has_records() {
        return Err(cannot_hide(name, "no record could be read"));
    }
    let redaction = Redaction::by(rule).with_strictness(true);
    Plan::redaction(survey, &redaction).map_err(|error| cannot_hide(name, &error.to_string()))
}

/// Adds the names that a file hides to a plan, and those of people who are hidden in other files.
fn with_names<'d>(plan: Plan<'d>, names: &HiddenNames, hidden_elsewhere: &[Arc<HiddenNames>]) -> Plan<'d> {
    hidden_elsewhere.iter().fold(plan.with_hidden_names(names), |plan, names| plan.with_hidden_names(names))
}

/// Hides people and texts by a plan.
fn extract<'d>(name: &str, plan: &Plan<'d>) -> Result<Extraction<'d>, ToolError> {
    plan.extract().map_err(|_| cannot_change(name))
}

/// The error of a file that cannot be redacted. The reason of the editor may name a structure of someone who is hidden.
fn cannot_change(name: &str) -> ToolError {
    cannot_hide(name, "it cannot be changed without damage")
}

/// Hides the people who may be living, and texts that name those who are hidden in other files.
fn redact(
    name: &str,
    document: &TypedDocument<'_>,
    options: &ServerOptions,
    hidden_elsewhere: &[Arc<HiddenNames>],
    known: Option<&HiddenNames>,
) -> Result<Redacted, ToolError> {
    let plan = plan_redaction(name, document, options.rule)?;
    let hidden_names = hidden_names_of(&plan, known);
    let plan = with_names(plan, &hidden_names, hidden_elsewhere);
    let extraction = extract(name, &plan)?;
    Ok(Redacted {
        typed: read_document(name, &extraction.octets)?.into_owned(),
        hidden: plan.hidden_people(),
        lines: LineMap::of(&extraction.patches),
        doubts: plan.doubts().len(),
        hidden_lines: plan.hidden_lines(),
        hidden_names,
    })
}

fn cannot_hide(name: &str, reason: &str) -> ToolError {
    ToolError::new(format!(
        "{name}: people who may be living cannot be hidden: {reason}. Nothing of the file is shown. The user can run \
         `elf check` on it, or start the server with `--living`"
    ))
}

/// The version of a file with a hash: enough of it to tell versions apart.
pub(crate) fn version_of(hash: &str) -> String {
    hash.chars().take(12).collect()
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn hash_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
