//! A buffer that is open in the editor.

use crate::diagnostics::HeaderLine;
use crate::disk;
use crate::encoding::{DiskFile, WrongText, decode_file, is_of_encoding, without_mark};
use crate::error::RequestError;
use crate::settings::{BufferSettings, ClientOptions};
use crate::snapshot::Snapshot;
use crate::text::{ColumnUnit, Text};
use crate::uri::path_of;
use elf_base::{Code, Diagnostic, codes};
use elf_check::{Finding, Report};
use elf_tagged::Encoding;
use gen_lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use std::cell::OnceCell;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

#[derive(Debug)]
pub(crate) struct OpenDocument {
    pub(crate) uri: Uri,
    /// The path of the file. `None` if the buffer has not been saved yet.
    pub(crate) path: Option<PathBuf>,
    /// The version number that the editor assigned.
    pub(crate) version: i32,
    pub(crate) text: Arc<Text>,
    /// The text when the editor opened the file or saved it last.
    pub(crate) opened: Arc<Text>,
    pub(crate) settings: Arc<BufferSettings>,
    /// The file on disk. `None` if there is no file.
    pub(crate) disk: Option<DiskFile>,
    /// Counts changes of everything that findings depend on: the text, the settings and the file on disk.
    pub(crate) revision: u64,
    /// When the buffer will be checked. `None` if nothing has changed since the last check.
    pub(crate) due: Option<Instant>,
    /// True while another thread checks the buffer.
    pub(crate) is_checking: bool,
    /// The result of the last check.
    pub(crate) checked: Option<CheckedText>,
    snapshot: OnceCell<Option<Snapshot>>,
    wrong_text: OnceCell<Option<WrongText>>,
    fixed_in_char: OnceCell<Vec<Code>>,
    saved_bytes: OnceCell<Option<Vec<u8>>>,
}

/// The findings for one revision of a buffer.
#[derive(Debug, Default)]
pub(crate) struct CheckedText {
    pub(crate) revision: u64,
    pub(crate) findings: Vec<Finding>,
    /// Why the buffer could not be checked.
    pub(crate) failure: Option<String>,
}

impl OpenDocument {
    pub(crate) fn open(item: TextDocumentItem, options: ClientOptions) -> OpenDocument {
        let path = path_of(&item.uri);
        let settings = Arc::new(BufferSettings::for_file(path.as_deref(), options));
        let text = Arc::new(Text::new(item.text));
        let mut document = OpenDocument {
            uri: item.uri,
            path,
            version: item.version,
            opened: Arc::clone(&text),
            text,
            settings,
            disk: None,
            revision: 0,
            due: None,
            is_checking: false,
            checked: None,
            snapshot: OnceCell::new(),
            wrong_text: OnceCell::new(),
            fixed_in_char: OnceCell::new(),
            saved_bytes: OnceCell::new(),
        };
        document.read_disk();
        document
    }

    pub(crate) fn apply_changes(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        unit: ColumnUnit,
    ) {
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let range = self.text.offsets(part.range, unit);
                    Arc::make_mut(&mut self.text).replace(range, &part.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    self.text = Arc::new(Text::new(whole.text));
                }
            }
        }
        self.version = version;
        self.mark_changed();
    }

    /// Reads the file on disk: its encoding, and whether the editor shows its text.
    pub(crate) fn read_disk(&mut self) {
        let bytes = self.path.as_deref().and_then(disk::bytes_of);
        self.disk =
            bytes.and_then(|bytes| DiskFile::read(&bytes, self.settings.settings.rules, &self.opened));
        self.wrong_text = OnceCell::new();
        self.fixed_in_char = OnceCell::new();
        self.saved_bytes = OnceCell::new();
        self.revision += 1;
    }

    /// Reads the file on disk after the editor has saved the buffer.
    pub(crate) fn read_saved(&mut self) {
        self.opened = Arc::clone(&self.text);
        self.read_disk();
    }

    /// Reads the configuration again. Returns whether it has changed.
    pub(crate) fn read_settings(&mut self, options: ClientOptions) -> bool {
        let settings = BufferSettings::for_file(self.path.as_deref(), options);
        let has_changed = !settings.is_same(&self.settings);
        if has_changed {
            self.settings = Arc::new(settings);
            self.read_disk();
            self.mark_changed();
        }
        has_changed
    }

    fn mark_changed(&mut self) {
        self.snapshot = OnceCell::new();
        self.wrong_text = OnceCell::new();
        self.saved_bytes = OnceCell::new();
        self.revision += 1;
    }

    /// Returns the structures of the buffer. Returns `None` if the buffer is longer than 4 GiB.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        let read = || Snapshot::read(Arc::clone(&self.text), self.settings.settings.rules).ok();
        self.snapshot.get_or_init(read).as_ref()
    }

    /// Returns why the editor shows wrong characters. `None` if it shows the text of the file.
    pub(crate) fn wrong_text(&self) -> Option<WrongText> {
        let find = || self.disk.as_ref()?.wrong_text(self.text.content());
        *self.wrong_text.get_or_init(find)
    }

    /// Fails if the editor shows wrong characters: each change and the saving after it would make them permanent.
    pub(crate) fn refuse_if_misread(&self) -> Result<(), RequestError> {
        self.wrong_text().map_or(Ok(()), |wrong| Err(wrong.refusal()))
    }

    /// Returns the offsets of CHAR in the buffer, and the findings about the encoding on disk, which belong there.
    ///
    /// There are no findings if CHAR in the buffer differs from CHAR on disk: then the user is about to save the file
    /// in another encoding.
    pub(crate) fn encoding_findings(&self) -> (Range<usize>, Vec<&Diagnostic>) {
        let header = HeaderLine::find_char_line(&self.text);
        let disk = self.disk.as_ref().filter(|disk| has_char_of(header.as_ref(), disk));
        let range = header.map_or_else(|| self.text.line_range(0), |line| line.range);
        let found = disk.map_or(&[][..], |disk| &disk.findings);
        let choice = &self.settings.settings.choice;
        (range, found.iter().filter(|finding| choice.reports(finding)).collect())
    }

    /// Returns the codes of the findings about the encoding on disk that `elf check --fix` fixes by changing CHAR. The
    /// first call checks the file on disk.
    pub(crate) fn codes_fixed_in_char(&self) -> &[Code] {
        let find = || {
            self.disk.as_ref().filter(|disk| disk.findings.iter().any(|finding| finding.fix.is_some()))?;
            let bytes = disk::bytes_of(self.path.as_deref()?)?;
            // Not every fix that a finding proposes can be made: CHAR has no name for some encodings.
            let report = self.settings.check_of_bytes().check(&bytes).ok()?;
            let fixed = report.findings.iter().filter(|one| one.fix.is_some());
            Some(fixed.map(|one| one.diagnostic.code).filter(|code| is_of_encoding(*code)).collect())
        };
        self.fixed_in_char.get_or_init(|| find().unwrap_or_default())
    }

    /// Returns the bytes that the editor will write when it saves the buffer: in the encoding of the file on disk, or in
    /// UTF-8 if this file has only ASCII, if it has another CHAR, or if there is no file.
    ///
    /// Returns `None` if the encoding lacks a character, or if `elf` would read other characters from these bytes.
    pub(crate) fn saved_bytes(&self) -> Option<&[u8]> {
        self.saved_bytes.get_or_init(|| self.compute_saved_bytes()).as_deref()
    }

    fn compute_saved_bytes(&self) -> Option<Vec<u8>> {
        let header = HeaderLine::find_char_line(&self.text);
        let disk = self.disk.as_ref().filter(|disk| has_char_of(header.as_ref(), disk));
        let is_utf_8 = |disk: &DiskFile| disk.is_ascii && !disk.decision.used.is_utf16();
        let encoding = disk.filter(|disk| !is_utf_8(disk)).map_or(Encoding::Utf8, |disk| disk.decision.used);
        let mark = encoding.mark().filter(|_| disk.is_some_and(|disk| disk.decision.mark));
        let mut bytes = mark.unwrap_or_default().to_vec();
        encoding.encode_into(without_mark(self.text.content()), &mut bytes).ok()?;
        let shown = self.snapshot()?.typed.document().source();
        let saved = decode_file(&bytes, self.settings.settings.rules)?;
        (without_mark(&saved) == without_mark(shown.text())).then_some(bytes)
    }

    /// Checks the buffer now, unless its findings are up to date.
    pub(crate) fn check_now(&mut self) {
        let is_known = self.checked.as_ref().is_some_and(|checked| checked.revision == self.revision);
        if !is_known {
            self.checked = Some(CheckedText::check(self.revision, &self.text, &self.settings));
        }
    }

    /// Returns the findings of the current text. Returns none if the text has changed since the
    /// last check.
    pub(crate) fn findings(&self) -> &[Finding] {
        let checked = self.checked.as_ref().filter(|checked| checked.revision == self.revision);
        checked.map_or(&[], |checked| &checked.findings)
    }
}

/// Returns whether CHAR in the header of a buffer is that of the file on disk.
fn has_char_of(header: Option<&HeaderLine>, disk: &DiskFile) -> bool {
    match (header, &disk.decision.specified) {
        (Some(line), Some(on_disk)) => line.payload.eq_ignore_ascii_case(on_disk.trim()),
        (None, None) => true,
        (Some(line), None) => line.payload.is_empty(),
        (None, Some(_)) => false,
    }
}

impl CheckedText {
    /// Checks a text.
    pub(crate) fn check(revision: u64, text: &Text, settings: &BufferSettings) -> CheckedText {
        match settings.check().check(text.content().as_bytes()) {
            Ok(Report { mut findings, checked, .. }) => {
                if !checked.is_gedcom {
                    let reasons = [codes::NOT_ELF, codes::NO_LINES];
                    findings.retain(|one| reasons.contains(&one.diagnostic.code));
                    findings.truncate(1);
                    for Finding { diagnostic, .. } in &mut findings {
                        let message = format!("this is not a GEDCOM file: {}", diagnostic.message);
                        diagnostic.message = message.into();
                    }
                }
                CheckedText { revision, findings, failure: None }
            }
            Err(error) => CheckedText { revision, findings: Vec::new(), failure: Some(error.to_string()) },
        }
    }
}
