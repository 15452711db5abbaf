//! Code actions of the editor: they fix findings, or ignore their codes.

use crate::client::{Client, text_edit};
use crate::config_edit;
use crate::convert::edits_to_utf_8;
use crate::diagnostics::range_of;
use crate::disk;
use crate::document::OpenDocument;
use crate::edits::edits_of;
use crate::encoding::is_of_encoding;
use crate::error::RequestError;
use crate::settings::CONFIG;
use crate::snapshot::Snapshot;
use crate::text::Text;
use crate::uri::uri_of;
use elf_base::{Code, Diagnostic, Fix, FixAction, Safety};
use elf_check::Finding;
use elf_check::config::Config;
use elf_edit::{FixOptions, fix_document};
use elf_schema::PathTypes;
use elf_tagged::elf_octets::Patch;
use gen_lsp_types::{
    Code as LspCode, CodeAction, CodeActionKind, CodeActionParams, Command, CreateFile,
    Diagnostic as LspDiagnostic, DocumentChange, Position, Range as LspRange, TextEdit, Uri, WorkspaceEdit,
};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The maximum number of findings for which actions are offered at once.
const MOST: usize = 20;

/// The kind of the action that fixes a whole file.
const FIX_ALL: &str = "source.fixAll.elf";

/// The kind of the action that changes a whole file to UTF-8.
pub(crate) const SAVE_AS_UTF_8_KIND: &str = "source.saveAsUtf8.elf";

/// The command that changes a buffer, and its CHAR, to UTF-8.
pub(crate) const SAVE_AS_UTF_8: &str = "elf.saveAsUtf8";

pub(crate) const SAVE_AS_UTF_8_TITLE: &str = "Save as UTF-8 and say so in CHAR";

/// The command that applies all safe fixes of a buffer.
pub(crate) const FIX_FILE: &str = "elf.fixAll";

/// An action whose edit is computed when the user chooses it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct DeferredFix {
    pub(crate) uri: Uri,
    /// The revision of the buffer for which the action was offered.
    revision: u64,
    fix: Fixes,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Fixes {
    /// Applies all safe fixes for one code.
    OfCode(String),
    Safe,
}

pub(crate) fn actions_for(
    document: &mut OpenDocument,
    params: &CodeActionParams,
    client: Client,
) -> Vec<CodeAction> {
    document.check_now();
    let document = &*document;
    let mut offer = Offer { document, params, client, actions: Vec::new() };
    if document.wrong_text().is_some() {
        // Every other change would make the wrong characters permanent.
        offer.offer_save_as_utf_8(true);
        return offer.actions;
    }
    let is_here = |finding: &Finding| is_on_lines(&document.text, &finding.diagnostic, params.range);
    let all = document.findings().iter().enumerate();
    let here: Vec<usize> = all.filter(|(_, one)| is_here(one)).map(|(at, _)| at).take(MOST).collect();
    here.iter().for_each(|at| offer.offer_fix(*at));
    let mut codes: Vec<Code> = here.iter().map(|at| document.findings()[*at].diagnostic.code).collect();
    let (at_char, of_encoding) = document.encoding_findings();
    let is_char_here = contains_line(params.range, document.text.line_of(at_char.start));
    if is_char_here {
        codes.extend(of_encoding.iter().map(|finding| finding.code));
        of_encoding.iter().for_each(|finding| offer.offer_fix_of_encoding(finding.code));
    }
    codes.sort_by_key(|code| code.id());
    codes.dedup();
    for code in &codes {
        offer.offer_fix_of_code(*code);
    }
    if !of_encoding.is_empty() {
        offer.offer_save_as_utf_8(is_char_here);
    }
    offer.offer_fix_of_file(!codes.is_empty());
    for code in &codes {
        offer.offer_ignore(*code);
    }
    offer.actions
}

/// Computes the edit of an action that was offered without one.
pub(crate) fn compute_edit(
    document: &mut OpenDocument,
    deferred: &DeferredFix,
    client: Client,
) -> Result<WorkspaceEdit, RequestError> {
    document.refuse_if_misread()?;
    if deferred.revision != document.revision {
        return Err(RequestError::failed("the file has changed since this fix was offered"));
    }
    document.check_now();
    Ok(client.edit_of(document, deferred.fix.edits(document, client)?))
}

/// Returns the edit with all safe fixes of a buffer.
pub(crate) fn fix_all(document: &OpenDocument, client: Client) -> Result<WorkspaceEdit, RequestError> {
    document.refuse_if_misread()?;
    Ok(client.edit_of(document, Fixes::Safe.edits(document, client)?))
}

impl Fixes {
    /// Returns the edits that apply these fixes.
    fn edits(&self, document: &OpenDocument, client: Client) -> Result<Vec<TextEdit>, RequestError> {
        let only = match self {
            Fixes::OfCode(name) => {
                let code = Code::from_name(name);
                Some(code.ok_or_else(|| RequestError::failed(format!("there is no code `{name}`")))?)
            }
            Fixes::Safe => None,
        };
        // The fix of CHAR depends on the bytes.
        let (mut check, mut bytes) = match document.saved_bytes() {
            Some(saved) => (document.settings.check_of_bytes(), saved),
            None => (document.settings.check(), document.text.content().as_bytes()),
        };
        if let Some(code) = only {
            check.choice = check.choice.only(code);
        }
        let fixed = check.fix(&mut bytes, Safety::Safe);
        let fixed = fixed.map_err(|error| RequestError::failed(error.to_string()))?;
        let snapshot =
            document.snapshot().ok_or_else(|| RequestError::failed("the file is longer than 4 GiB"))?;
        Ok(edits_of(snapshot, &fixed.patches, client.unit))
    }
}

/// Returns the patches that fix one finding and no other. There are none if this fix is refused, for example because it
/// would cause another finding.
fn patches_of_one(snapshot: &Snapshot, finding: &Diagnostic, most: Safety) -> Vec<Patch> {
    let typed = &snapshot.typed;
    let mut types = PathTypes::new(typed.typing(), typed.document().rules());
    let is_it = |other: &Diagnostic| (other.code, other.place) == (finding.code, finding.place);
    let options = FixOptions::from(most).choosing(&is_it);
    fix_document(typed.document(), std::slice::from_ref(finding), options, &mut types).patches
}

/// Returns whether a finding is on one of the lines of a range. A finding about the whole file counts as being on the
/// first line.
fn is_on_lines(text: &Text, finding: &Diagnostic, range: LspRange) -> bool {
    let start = range_of(text, finding).map_or(0, |range| text.line_of(range.start));
    contains_line(range, start)
}

fn contains_line(range: LspRange, line: usize) -> bool {
    (range.start.line as usize..=range.end.line as usize).contains(&line)
}

struct Offer<'d> {
    document: &'d OpenDocument,
    params: &'d CodeActionParams,
    client: Client,
    actions: Vec<CodeAction>,
}

impl Offer<'_> {
    /// Returns whether the client requests actions of a kind.
    fn wants(&self, kind: &str) -> bool {
        let is_part = |wanted: &CodeActionKind| {
            let wanted = wanted.to_string();
            kind.strip_prefix(&wanted)
                .is_some_and(|rest| rest.is_empty() || wanted.is_empty() || rest.starts_with('.'))
        };
        self.params.context.only.as_ref().is_none_or(|only| only.iter().any(is_part))
    }

    /// Returns the diagnostics of a code that the client shows in the range.
    fn shown_diagnostics(&self, code: Code) -> Vec<LspDiagnostic> {
        let is_of_code = |one: &&LspDiagnostic| one.code == Some(LspCode::String(code.id().to_owned()));
        self.params.context.diagnostics.iter().filter(is_of_code).cloned().collect()
    }

    /// Returns the codes of the findings that safe fixes remove, one for each finding. Those about the encoding come
    /// last.
    fn fixable(&self) -> Vec<Code> {
        let findings = self.document.findings().iter().filter(|one| one.fix.is_some());
        let mut codes: Vec<Code> = findings.map(|one| one.diagnostic.code).collect();
        let of_encoding = self.document.encoding_findings().1.into_iter().map(|one| one.code);
        codes.extend(of_encoding.filter(|code| self.document.codes_fixed_in_char().contains(code)));
        codes
    }

    /// Returns the diagnostics of several codes that the client shows in the range. `None` if there are none.
    fn shown_of_codes(&self, codes: &[Code]) -> Option<Vec<LspDiagnostic>> {
        let codes: HashSet<&str> = codes.iter().map(|code| code.id()).collect();
        let is_of_codes =
            |one: &&LspDiagnostic| matches!(&one.code, Some(LspCode::String(id)) if codes.contains(&**id));
        let shown: Vec<LspDiagnostic> =
            self.params.context.diagnostics.iter().filter(is_of_codes).cloned().collect();
        (!shown.is_empty()).then_some(shown)
    }

    /// Offers the fix of the finding with this index, if the fix changes something.
    fn offer_fix(&mut self, at: usize) {
        let Finding { diagnostic, fix: safe, .. } = &self.document.findings()[at];
        let (Some(fix), Some(snapshot)) = (&diagnostic.fix, self.document.snapshot()) else { return };
        if !self.wants("quickfix") {
            return;
        }
        let words = describe_fix(&fix.action);
        let code = diagnostic.code;
        let is_safe = safe.as_ref().is_some_and(|patches| !patches.is_empty());
        // A continuation line that `elf check --fix` refuses would end the text above it, or hold the lines below it.
        if !is_safe && *fix == Fix::safe(FixAction::Continue) {
            return;
        }
        // The fix may be safe only together with the fixes of other findings. It is then not offered alone.
        let (most, kind) = if is_safe { (Safety::Safe, "") } else { (Safety::Unsafe, ", a guess") };
        let title = format!("{words} ({}{kind})", code.name());
        let patches = patches_of_one(snapshot, diagnostic, most);
        let edits = edits_of(snapshot, &patches, self.client.unit);
        if edits.is_empty() {
            return;
        }
        self.actions.push(CodeAction {
            is_preferred: is_safe.then_some(true),
            edit: Some(self.client.edit_of(self.document, edits)),
            ..self.quick_fix(title, code)
        });
    }

    /// Offers to correct CHAR, unless its fix depends on bytes that the editor cannot write.
    fn offer_fix_of_encoding(&mut self, code: Code) {
        let document = self.document;
        let is_fixed = || document.codes_fixed_in_char().contains(&code) && document.saved_bytes().is_some();
        if self.wants("quickfix") && is_fixed() {
            let words = describe_fix(&FixAction::NameEncoding);
            let action = self.quick_fix(format!("{words} ({})", code.name()), code);
            self.push_deferred(action, Fixes::OfCode(code.name().to_owned()));
        }
    }

    fn offer_fix_of_code(&mut self, code: Code) {
        let fixable = self.document.findings().iter().filter(|one| one.fix.is_some());
        let count = fixable.filter(|one| one.diagnostic.code == code).count();
        if count > 1 && self.wants("quickfix") {
            let action = self
                .quick_fix(format!("Fix all {count} findings of {} that are safe to fix", code.name()), code);
            self.push_deferred(action, Fixes::OfCode(code.name().to_owned()));
        }
    }

    /// Offers all safe fixes of the file: as a quick fix beside a finding, or as an action for the whole file.
    fn offer_fix_of_file(&mut self, is_beside_finding: bool) {
        let kinds = [CodeActionKind::QuickFix, CodeActionKind::Custom(FIX_ALL.into())];
        let kinds = kinds.into_iter().skip(usize::from(!is_beside_finding));
        let kinds: Vec<CodeActionKind> = kinds.filter(|kind| self.wants(&kind.to_string())).collect();
        if kinds.is_empty() {
            return;
        }
        let mut codes = self.fixable();
        let leaves_char =
            codes.iter().any(|code| is_of_encoding(*code)) && self.document.saved_bytes().is_none();
        codes.retain(|code| !(leaves_char && is_of_encoding(*code)));
        let mut title = match codes.len() {
            0 => return,
            1 => "Fix the only finding in this file that is safe to fix".to_owned(),
            count => format!("Fix all {count} findings in this file that are safe to fix"),
        };
        if leaves_char {
            title += " (not CHAR: save the file, then run `elf check --fix`)";
        }
        let diagnostics = self.shown_of_codes(&codes);
        for kind in kinds {
            let action = CodeAction {
                title: title.clone(),
                kind: Some(kind),
                diagnostics: diagnostics.clone(),
                ..CodeAction::default()
            };
            self.push_deferred(action, Fixes::Safe);
        }
    }

    /// Offers the command that changes the file to UTF-8: as a quick fix beside a finding about the encoding, or as an
    /// action for the whole file. Not offered for wrong characters that cannot be restored, and for a text that needs no change.
    fn offer_save_as_utf_8(&mut self, is_beside_finding: bool) {
        let wrong = self.document.wrong_text();
        let kind = if is_beside_finding && self.wants("quickfix") {
            CodeActionKind::QuickFix
        } else {
            CodeActionKind::Custom(SAVE_AS_UTF_8_KIND.into())
        };
        let changes_text = || match wrong {
            Some(wrong) => wrong.can_be_restored(),
            None => edits_to_utf_8(self.document, self.client.unit).is_ok_and(|edits| !edits.is_empty()),
        };
        if !self.wants(&kind.to_string()) || !changes_text() {
            return;
        }
        let title = SAVE_AS_UTF_8_TITLE.to_owned();
        let uri = serde_json::Value::String(self.document.uri.0.clone());
        let command = Command {
            title: title.clone(),
            command: SAVE_AS_UTF_8.to_owned(),
            arguments: Some(vec![uri]),
            ..Command::default()
        };
        let shown = self.params.context.diagnostics.iter();
        // A diagnostic without a code says that the editor shows wrong characters.
        let is_fixed = |one: &&LspDiagnostic| match &one.code {
            Some(LspCode::String(id)) => Code::from_name(id).is_some_and(is_of_encoding),
            Some(LspCode::Int(_)) => false,
            None => wrong.is_some(),
        };
        let diagnostics: Vec<LspDiagnostic> = shown.filter(is_fixed).cloned().collect();
        self.actions.push(CodeAction {
            title,
            kind: Some(kind),
            diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
            is_preferred: Some(true),
            command: Some(command),
            ..CodeAction::default()
        });
    }

    fn offer_ignore(&mut self, code: Code) {
        if !self.wants("quickfix") {
            return;
        }
        let Some(edit) = self.edit_that_ignores(code) else { return };
        let title = format!("Ignore {} ({}) in {CONFIG}", code.name(), code.id());
        // Without diagnostics, editors show it after the actions that fix something.
        let action = CodeAction { edit: Some(edit), diagnostics: None, ..self.quick_fix(title, code) };
        self.actions.push(action);
    }

    /// Returns the edit that makes `elf.toml` ignore a code. If there is no `elf.toml`, the edit
    /// creates one beside the file.
    fn edit_that_ignores(&self, code: Code) -> Option<WorkspaceEdit> {
        if let Some(config) = &self.document.settings.config {
            let content = disk::read_limited(config, Config::LONGEST as u64).ok()??;
            let text = Text::new(String::from_utf8(content).ok()?);
            let edit = config_edit::edit_to_ignore(text.content(), code)?;
            let range = text.positions(self.client.unit).range(edit.range);
            let edits = vec![TextEdit { range, new_text: edit.with }];
            return Some(self.client.edit_of_file(&uri_of(config), None, edits));
        }
        if !self.client.can_create_files {
            return None;
        }
        let uri = uri_of(&self.document.path.as_ref()?.parent()?.join(CONFIG));
        let start = Position { line: 0, character: 0 };
        let edit =
            TextEdit { range: LspRange { start, end: start }, new_text: config_edit::new_config(code) };
        let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
        let changes = vec![
            DocumentChange::CreateFile(create),
            DocumentChange::TextDocumentEdit(text_edit(&uri, None, vec![edit])),
        ];
        Some(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
    }

    /// Returns a quick fix for a code, without its edit.
    fn quick_fix(&self, title: String, code: Code) -> CodeAction {
        let shown = self.shown_diagnostics(code);
        CodeAction {
            title,
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: (!shown.is_empty()).then_some(shown),
            ..CodeAction::default()
        }
    }

    /// Adds an action whose edit takes time to compute. If the client cannot ask for the edit
    /// later, it is computed now.
    fn push_deferred(&mut self, action: CodeAction, fix: Fixes) {
        let deferred = DeferredFix { uri: self.document.uri.clone(), revision: self.document.revision, fix };
        if self.client.resolves_edits {
            self.actions.push(CodeAction { data: serde_json::to_value(deferred).ok(), ..action });
            return;
        }
        if let Ok(edits) = deferred.fix.edits(self.document, self.client)
            && !edits.is_empty()
        {
            let edit = self.client.edit_of(self.document, edits);
            self.actions.push(CodeAction { edit: Some(edit), ..action });
        }
    }
}

/// Describes a fix for a menu.
fn describe_fix(action: &FixAction) -> String {
    let quoted = |text: &str| format!("`{}`", elf_base::Excerpt::short(text));
    match action {
        FixAction::Replace(text) if text.is_empty() => "Remove this text".to_owned(),
        FixAction::Replace(text) => format!("Replace with {}", quoted(text)),
        FixAction::SetPayload(text) => format!("Change the payload to {}", quoted(text)),
        FixAction::RemoveIndent => "Remove the indentation".to_owned(),
        FixAction::RemoveLevelZeros => "Remove the zeros before the level".to_owned(),
        FixAction::RemoveXref => "Remove the identifier".to_owned(),
        FixAction::IdentifierFirst => "Move the identifier before the tag".to_owned(),
        FixAction::RemoveBlankLine => "Remove the blank line".to_owned(),
        FixAction::CorrectLevels => "Correct the levels".to_owned(),
        FixAction::Continue => "Make this a continuation line".to_owned(),
        FixAction::DoubleAtSigns(_) => "Double the at signs".to_owned(),
        FixAction::RestorePointer(identifier) => {
            format!("Change to the pointer {}", quoted(&format!("@{identifier}@")))
        }
        FixAction::Respell | FixAction::RespellBoth => {
            "Write this text in the encoding of the file".to_owned()
        }
        FixAction::DecodeAgain => "Decode text that was encoded twice".to_owned(),
        FixAction::NameEncoding => "Name the encoding in CHAR".to_owned(),
        FixAction::AddTrailer => "Add the trailer `0 TRLR`".to_owned(),
        FixAction::MoveTrailer => "Move the trailer to the end".to_owned(),
        FixAction::SplitLine => "Split the line here".to_owned(),
        FixAction::AnswerLink(answer) => {
            format!("Add `1 {} @{}@` to @{}@", answer.tag, answer.to, answer.record)
        }
    }
}
