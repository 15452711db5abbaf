//! Edits of a file of which an assistant sees only a part.
//!
//! A [`TwinEditor`] edits two documents: the redacted one, in which paths mean what the assistant sees and errors name
//! nothing else, and the file. A structure of one is found in the other by its line. At the end, an edit that touches a
//! hidden line is refused.

use crate::error::ToolError;
use crate::lines::LineMap;
use crate::snapshot::{Citer, Snapshot, read_typed};
use elf_base::{Diagnostic, Rules};
use elf_check::Check;
use elf_edit::{EditError, Editor, Replacement, Structure, Value};
use elf_lineage::Lineage;
use elf_merge::{MergeAction, MergeError, MergedRecords, RecordKind, RecordPair, merge_records};
use elf_schema::{Document, Node, PathTypes, ReadOptions};
use elf_tagged::elf_octets::{Patch, Repertoire};
use elf_tagged::path::{Path, PathError, Selector, Step, Which};
use elf_tagged::{LinePlaces, Target};
use std::collections::HashMap;
use std::io;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// The most bytes of the new texts of a replacement.
const MOST_NEW_TEXT: usize = 50_000_000;

/// Edits a file and its redacted version at once.
pub(crate) struct TwinEditor<'s> {
    snapshot: &'s Snapshot,
    shown: Editor<'s>,
    file: Editor<'s>,
    types: PathTypes,
    citer: Citer<'s>,
    /// Where the lines of the file are.
    file_places: LinePlaces<'s>,
    /// The structures that edits have added: those of the redacted document, and those of the file.
    added: HashMap<Structure, Structure>,
    conflicts: Vec<String>,
}

/// The result of edits: the lines that change, and what the edits cause.
#[derive(Clone, Debug)]
pub(crate) struct TwinEdit {
    pub(crate) patches: Vec<Patch>,
    /// The findings that the file does not have without the edits, by the lines of the edited file.
    pub(crate) findings: Vec<Diagnostic>,
    /// The findings that the edits remove, by the lines of the file.
    pub(crate) removed: Vec<Diagnostic>,
    /// What the edits change in the questions about facts. These are about what the assistant sees, so all may be shown.
    /// `None` if the edits could not be made in what the assistant sees, so that no questions were asked.
    pub(crate) questions: Option<QuestionChanges>,
    /// In what merged records differ: the tags of facts that a person has once, and what became of roles and change dates.
    pub(crate) conflicts: Vec<String>,
    /// Reasons why the edits may be a mistake.
    pub(crate) warnings: Vec<String>,
}

/// The questions about facts that edits cause and remove.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuestionChanges {
    /// By the lines of the edited file.
    pub(crate) caused: Vec<Diagnostic>,
    /// By the lines of the file.
    pub(crate) removed: Vec<Diagnostic>,
}

impl TwinEdit {
    /// Merges two records, of which the first stays. The merge is made in the file alone, so it cannot be combined with
    /// other edits.
    pub(crate) fn of_merge(
        snapshot: &Snapshot,
        kept: &str,
        removed: &str,
        kind: RecordKind,
    ) -> Result<TwinEdit, ToolError> {
        let mut editor = TwinEditor::new(snapshot);
        if !editor.is_shown(kept) || !editor.is_shown(removed) {
            return Err(ToolError::new(TOUCHES_HIDDEN));
        }
        let merged =
            merge_in(snapshot.file().document(), kept, removed, kind)?.map_err(|error| {
                match editor.shows_cause(&error, kept, removed) {
                    true => ToolError::new(format!("the records cannot be merged: {error}")),
                    false => ToolError::new(TOUCHES_HIDDEN),
                }
            })?;
        if let Ok(Ok(merged)) = merge_in(snapshot.typed.document(), kept, removed, kind) {
            editor.shown = merged.editor;
        }
        for action in merged.actions {
            match action {
                MergeAction::Conflict { tag, .. } => editor.conflicts.push(tag),
                MergeAction::RoleDiffers { kept, left_out, .. } => {
                    editor.conflicts.push(format!("{left_out} became {kept}"));
                }
                MergeAction::Lost { line, reason } => {
                    let name = &snapshot.name;
                    return Err(ToolError::new(format!(
                        "the records cannot be merged without loss: {name}:{line} has {reason}"
                    )));
                }
                _ => {}
            }
        }
        if merged.summary.change_dates_left_out > 0 {
            editor.conflicts.push("CHAN was left out".to_owned());
        }
        editor.file = merged.editor;
        editor.finish()
    }
}

/// Merges two records of a document. The outer error says that a record is not there.
fn merge_in<'d>(
    document: &'d Document<'d>,
    kept: &str,
    removed: &str,
    kind: RecordKind,
) -> Result<Result<MergedRecords<'d>, MergeError>, ToolError> {
    let record = |identifier: &str| match document.resolve(identifier) {
        Target::One(record) => Ok(record),
        _ => Err(ToolError::new(format!("expected one record with the identifier `@{identifier}@`"))),
    };
    let pair = RecordPair { kept: record(kept)?, removed: record(removed)?, kind };
    Ok(merge_records(Editor::new(document), pair))
}

/// The reason why an edit is refused that would touch hidden lines.
pub(crate) const TOUCHES_HIDDEN: &str = "this would change lines about people who may be living, which are hidden. The user can start the \
    server with `--living`";

impl<'s> TwinEditor<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot) -> TwinEditor<'s> {
        let shown = snapshot.typed.document();
        TwinEditor {
            snapshot,
            shown: Editor::new(shown),
            file: Editor::new(snapshot.file().document()),
            types: PathTypes::new(snapshot.typed.typing(), shown.rules()),
            citer: snapshot.citer(),
            file_places: snapshot.file().document().line_places(),
            added: HashMap::new(),
            conflicts: Vec::new(),
        }
    }

    /// Sets the payload of the structure at a path; of all if the path says so by `[*]` or `[=VALUE]`.
    pub(crate) fn set(&mut self, path: &str, value: &Value) -> Result<(), ToolError> {
        self.check_new_value(value)?;
        for structure in self.find(path)? {
            let twin = self.twin(structure)?;
            self.shown.set(structure, value.clone()).map_err(|error| refused(&error))?;
            self.file.set(twin, value.clone()).map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    /// Removes the structure at a path with everything under it.
    pub(crate) fn remove(&mut self, path: &str) -> Result<(), ToolError> {
        for structure in self.find(path)? {
            let twin = self.twin(structure)?;
            self.shown.remove(structure).map_err(|error| refused(&error))?;
            self.file.remove(twin).map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    /// Adds a structure at the end of the one at a path, or a record if there is no path.
    pub(crate) fn insert(
        &mut self,
        under: Option<&str>,
        identifier: Option<&str>,
        tag: &str,
        value: &Value,
    ) -> Result<Structure, ToolError> {
        let above = match under {
            None => None,
            Some(path) => match self.find(path)?[..] {
                [above] => Some(above),
                _ => return Err(ToolError::new(format!("`{path}` names several structures: expected one"))),
            },
        };
        self.insert_under(above, identifier, tag, value)
    }

    /// Adds a structure at the end of another one.
    pub(crate) fn insert_under(
        &mut self,
        above: Option<Structure>,
        identifier: Option<&str>,
        tag: &str,
        value: &Value,
    ) -> Result<Structure, ToolError> {
        self.check_new_value(value)?;
        identifier.map_or(Ok(()), |identifier| self.check_text(identifier))?;
        let above_in_file = above.map(|above| self.twin(above)).transpose()?;
        // A hidden record may have the identifier. The error is the same as for any other one that cannot be used.
        let refused = |error: EditError| match error {
            EditError::XrefTaken { xref } | EditError::Xref { xref } => ToolError::new(format!(
                "`@{xref}@` cannot be the identifier of a new record, because it is in use or has a sign that is not allowed: \
                 choose another one"
            )),
            error => refused(&error),
        };
        let shown = self.shown.insert(above, identifier, tag, value.clone(), None).map_err(refused)?;
        let in_file =
            self.file.insert(above_in_file, identifier, tag, value.clone(), None).map_err(refused)?;
        self.added.insert(shown, in_file);
        Ok(shown)
    }

    /// Replaces text in the payloads of some tags. Each byte of a payload becomes at most `growth` bytes. Returns the number
    /// of payloads that change.
    pub(crate) fn replace(
        &mut self,
        tags: &[String],
        replacement: &Replacement,
        growth: usize,
    ) -> Result<usize, ToolError> {
        let too_long = || {
            ToolError::new(format!(
                "the new texts would have more than {MOST_NEW_TEXT} bytes: replace less, or by a shorter text"
            ))
        };
        let mut new_text = 0;
        let document = self.snapshot.typed.document();
        let is_wanted =
            |node: &Node<'_>| node.pointer().is_none() && tags.iter().any(|tag| tag == node.tag());
        let mut changed = 0;
        for node in document.structures().filter(is_wanted) {
            let old = node.text();
            if old.len().saturating_mul(growth) > MOST_NEW_TEXT {
                return Err(too_long());
            }
            let Some(text) = replacement.applied_to(&old) else { continue };
            let line = self.citer.line(node);
            if !self.snapshot.lines.find_origin(line).is_same {
                continue;
            }
            new_text += text.len();
            if new_text > MOST_NEW_TEXT {
                return Err(too_long());
            }
            let structure = self.shown.structure(node).map_err(|error| refused(&error))?;
            let twin = self.twin(structure)?;
            let set = |editor: &mut Editor<'_>, structure| editor.set(structure, text.clone());
            set(&mut self.shown, structure).map_err(|error| refused(&error))?;
            set(&mut self.file, twin).map_err(|error| refused(&error))?;
            changed += 1;
        }
        Ok(changed)
    }

    /// Returns whether the pointers that an error names are shown. `kept` and `removed` are the identifiers of the records
    /// that cannot be merged.
    fn shows_cause(&mut self, error: &MergeError, kept: &str, removed: &str) -> bool {
        match error {
            MergeError::DifferentRoles { record, kept: role, removed: other } => {
                self.shows_pointer(record, role, kept) && self.shows_pointer(record, other, removed)
            }
            MergeError::RefersToOther { tag } => {
                self.shows_pointer(kept, tag, removed) || self.shows_pointer(removed, tag, kept)
            }
            _ => true,
        }
    }

    /// Returns whether a pointer in a record is shown.
    fn shows_pointer(&mut self, record: &str, tag: &str, to: &str) -> bool {
        let Target::One(node) = self.snapshot.typed.document().resolve(record) else { return false };
        self.is_shown(record)
            && node.descendants().any(|below| below.tag() == tag && below.pointer() == Some(to))
    }

    /// Returns whether the record with an identifier is shown.
    fn is_shown(&mut self, identifier: &str) -> bool {
        let Target::One(record) = self.snapshot.typed.document().resolve(identifier) else { return false };
        let line = self.citer.line(record);
        let origin = self.snapshot.lines.find_origin(line);
        origin.is_same && !self.snapshot.is_in_hidden_record(origin.line)
    }

    /// Makes the lines that change, and finds out what the edits cause. This thread finds out whom the edited file hides,
    /// which takes longest. The findings and the questions are asked for on two others.
    pub(crate) fn finish(self) -> Result<TwinEdit, ToolError> {
        let TwinEditor { snapshot, shown, file, conflicts, .. } = self;
        let changed = file.changed_lines().map_err(|error| refused(&error))?;
        if changed.iter().any(|patch| snapshot.hides_lines_of(patch)) {
            return Err(ToolError::new(TOUCHES_HIDDEN));
        }
        thread::scope(|scope| {
            let questions = scope.spawn(move || EditedQuestions::ask(snapshot, &shown));
            let mut checked = Ok(Vec::new());
            let mut hidden = Ok(());
            let mut findings: Vec<Diagnostic> = Vec::new();
            let edited = file.finish_with(
                || Ok(snapshot.findings_before_edits().to_vec()),
                |octets, sink| {
                    let (found, typed) = thread::scope(|scope| {
                        let found = scope.spawn(|| findings_of(octets));
                        let typed = read_typed(octets);
                        if let Ok(typed) = &typed {
                            hidden = snapshot.check_hidden(typed, &changed);
                        }
                        (joined(found), typed)
                    });
                    found.iter().flatten().for_each(|finding| sink.report(finding.clone()));
                    checked = found;
                    Ok(typed?.into_parts().0)
                },
                &mut findings,
            );
            let patches = edited.map_err(|error| refused(&error))?.patches;
            let after = checked
                .map_err(|error| ToolError::new(format!("the edited file cannot be checked: {error}")))?;
            hidden?;
            // Without a change, the new version was not read.
            let removed = match patches.is_empty() {
                true => Vec::new(),
                false => missing_from(snapshot.findings_before_edits(), &after),
            };
            let questions = joined(questions).and_then(|questions| questions.compare(snapshot, &patches));
            Ok(TwinEdit { patches, findings, removed, questions, conflicts, warnings: Vec::new() })
        })
    }

    fn find(&mut self, path: &str) -> Result<Vec<Structure>, ToolError> {
        let parsed: Path =
            path.parse().map_err(|error: PathError| ToolError::new(format!("`{path}`: {error}")))?;
        let means_all = parsed.steps().iter().any(|step| step.value.is_some() || step.which == Which::All);
        let found = match means_all {
            true => self.shown.find(&parsed, &mut self.types),
            false => self.shown.find_one(&parsed, &mut self.types).map(|found| vec![found]),
        };
        found.map_err(|error| {
            ToolError::new(format!("`{path}`: {error}{}", self.help_for_path(path, &parsed)))
        })
    }

    /// Suggests the path that was probably meant, if a path has an identifier without at signs or tags in small letters.
    fn help_for_path(&mut self, path: &str, parsed: &Path) -> String {
        let first = parsed.steps().first().map(|step| &step.selector);
        if let Some(Selector::Tag(tag)) = first
            && let Some(rest) = path.strip_prefix(&**tag)
            && !self.shown.structures_with_xref(tag).is_empty()
        {
            return format!("; did you mean `@{tag}@{rest}`?");
        }
        let is_small = |step: &Step| match &step.selector {
            Selector::Tag(tag) => tag.chars().any(|letter| letter.is_ascii_lowercase()),
            _ => false,
        };
        match parsed.steps().iter().any(is_small) {
            true => "; write tags in capitals, such as `@I1@/BIRT/DATE`".to_owned(),
            false => String::new(),
        }
    }

    /// The structure of the file that a structure of the redacted document was read from.
    fn twin(&mut self, structure: Structure) -> Result<Structure, ToolError> {
        if let Some(added) = self.added.get(&structure) {
            return Ok(*added);
        }
        let hidden = || ToolError::new(TOUCHES_HIDDEN);
        let node = self.shown.node(structure).map_err(|error| refused(&error))?.ok_or_else(hidden)?;
        let line = self.citer.line(node);
        let origin = self.snapshot.lines.find_origin(line);
        if !origin.is_same {
            return Err(hidden());
        }
        let document = self.snapshot.file().document();
        let range = document.source().line(origin.line).ok_or_else(hidden)?;
        let twin =
            document.node_at(range.text.end).filter(|twin| twin.tag() == node.tag()).ok_or_else(hidden)?;
        self.file.structure(twin).map_err(|error| refused(&error))
    }

    /// Refuses a text with a control character, which hardly anybody wants in a file, or with a character that the
    /// encoding of the file lacks: hardly any program reads the escape that would stand for it.
    pub(crate) fn check_text(&self, text: &str) -> Result<(), ToolError> {
        let is_control = |letter: &char| letter.is_control() && !matches!(letter, '\t' | '\n' | '\r');
        if let Some(found) = text.chars().find(is_control) {
            let code = u32::from(found);
            return Err(ToolError::new(format!(
                "expected a text without control characters, but found U+{code:04X}"
            )));
        }
        let document = self.snapshot.file().document();
        let used = document.source().decision().used;
        let mut repertoire = Repertoire::new(used, &document.rules().octets);
        text.lines().try_for_each(|line| repertoire.check(line)).map_err(|error| {
            let (letter, code) = (error.character, u32::from(error.character));
            ToolError::new(format!(
                "`{letter}` (U+{code:04X}) cannot be written in {used}, which is the encoding of the file. The user can convert \
                 the file to UTF-8 first: `elf convert {} --encoding UTF-8 -o NEW.ged`",
                self.snapshot.name
            ))
        })
    }

    /// Refuses a pointer to a record that is not there or hidden, and a text that [`check_text`](TwinEditor::check_text)
    /// refuses.
    pub(crate) fn check_new_value(&mut self, value: &Value) -> Result<(), ToolError> {
        let identifier = match value {
            Value::Pointer(identifier) => identifier,
            Value::Text(text) => return self.check_text(text),
            _ => return Ok(()),
        };
        let unknown = || ToolError::new(format!("no record has the identifier `@{identifier}@`"));
        if self.shown.structures_with_xref(identifier).is_empty() {
            return Err(unknown());
        }
        let found = self.file.structures_with_xref(identifier);
        if found.is_empty() {
            return Err(unknown());
        }
        for structure in found {
            let Some(node) = self.file.node(structure).map_err(|error| refused(&error))? else { continue };
            let line = self.file_places.place(node, node.line_span()).line;
            if !self.snapshot.is_in_hidden_record(line) {
                continue;
            }
            // The assistant sees the identifiers of hidden people and families. Other hidden records are as good as absent:
            // a link to one could show it, because then it would be about someone who is shown.
            return Err(match matches!(node.tag(), "INDI" | "FAM") {
                true => ToolError::new(format!(
                    "`@{identifier}@` is hidden and would need a link back: {TOUCHES_HIDDEN}"
                )),
                false => unknown(),
            });
        }
        Ok(())
    }
}

/// The questions about what the assistant sees, after edits. People who are hidden are not asked about, so that nobody
/// learns their dates by proposing others.
struct EditedQuestions {
    asked: Vec<Diagnostic>,
    /// What the edits change in what the assistant sees.
    patches: Vec<Patch>,
}

impl EditedQuestions {
    /// Asks. Returns `None` if the edits cannot be made in what the assistant sees: only the file decides whether they are
    /// possible.
    fn ask(snapshot: &Snapshot, shown: &Editor<'_>) -> Option<EditedQuestions> {
        let mut asked: Vec<Diagnostic> = Vec::new();
        let edited = shown.finish_with(
            || Ok(Vec::new()),
            |octets, _| {
                let typed = read_typed(octets)?;
                asked = snapshot.questions_about(&Lineage::with_notices(&typed));
                Ok(typed.into_parts().0)
            },
            &mut (),
        );
        Some(EditedQuestions { asked, patches: edited.ok()?.patches })
    }

    /// Compares the questions with those before the edits. `patches` are what the edits change in the file.
    fn compare(self, snapshot: &Snapshot, patches: &[Patch]) -> Option<QuestionChanges> {
        if self.patches.is_empty() {
            return patches.is_empty().then(QuestionChanges::default);
        }
        let before = snapshot.questions_before_edits();
        let (of_shown, of_file) = (LineMap::of(&self.patches), LineMap::of(patches));
        let mut caused = missing_from(&self.asked, before);
        for place in caused.iter_mut().filter_map(|finding| finding.place.as_mut()) {
            place.line = of_shown.line_in_twin(place.line, &snapshot.lines, &of_file);
        }
        let mut removed = missing_from(before, &self.asked);
        for place in removed.iter_mut().filter_map(|finding| finding.place.as_mut()) {
            place.line = snapshot.lines.find_origin(place.line).line;
        }
        Some(QuestionChanges { caused, removed })
    }
}

/// Waits for a thread. If it panicked, this one does too.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Checks an edited file.
fn findings_of(octets: &[u8]) -> io::Result<Vec<Diagnostic>> {
    let report = edit_check().check(octets)?;
    Ok(report.findings.into_iter().map(|finding| finding.diagnostic).collect())
}

/// Returns the findings of one list that the other one does not have. Their lines do not count, because edits move them.
fn missing_from(findings: &[Diagnostic], others: &[Diagnostic]) -> Vec<Diagnostic> {
    let key = |finding: &Diagnostic| {
        let text = finding.excerpt.as_ref().map(|excerpt| excerpt.text.clone());
        (finding.code.id(), finding.message.to_string(), text)
    };
    let mut known: HashMap<_, usize> = HashMap::new();
    others.iter().for_each(|finding| *known.entry(key(finding)).or_default() += 1);
    let is_missing = |finding: &&Diagnostic| match known.get_mut(&key(finding)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    findings.iter().filter(is_missing).cloned().collect()
}

/// How an edited file is checked: each finding counts, so that one more of a kind is noticed.
pub(crate) fn edit_check() -> Check<'static> {
    let options = ReadOptions::default().with_vendor_tags(true).with_check_values(true);
    Check { each_undefined: true, options, keep: elf_check::Keep::All, ..Check::new(&Rules::WILD) }
}

fn refused(error: &EditError) -> ToolError {
    let help = match error {
        EditError::CharacterEncoding => "; `elf convert` changes the encoding",
        _ => "",
    };
    ToolError::new(format!("the edit cannot be made: {error}{help}"))
}
