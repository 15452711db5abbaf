//! A buffer that is open in the editor.

use crate::disk;
use crate::encoding::DiskEncoding;
use crate::settings::{BufferSettings, ClientOptions};
use crate::snapshot::Snapshot;
use crate::text::{ColumnUnit, Text};
use crate::uri::path_of;
use elf_check::Finding;
use elf_tagged::Encoding;
use gen_lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use std::cell::OnceCell;
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
    pub(crate) settings: Arc<BufferSettings>,
    /// The encoding of the file on disk. `None` if there is no file.
    pub(crate) disk: Option<DiskEncoding>,
    /// Counts changes of everything that the findings depend on: the text, the settings and the
    /// file on disk.
    pub(crate) revision: u64,
    /// When the buffer will be checked. `None` if nothing has changed since the last check.
    pub(crate) due: Option<Instant>,
    /// True while another thread checks the buffer.
    pub(crate) is_checking: bool,
    /// The result of the last check.
    pub(crate) checked: Option<CheckedText>,
    snapshot: OnceCell<Option<Snapshot>>,
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
        let mut document = OpenDocument {
            uri: item.uri,
            path,
            version: item.version,
            text: Arc::new(Text::new(item.text)),
            settings,
            disk: None,
            revision: 0,
            due: None,
            is_checking: false,
            checked: None,
            snapshot: OnceCell::new(),
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

    /// Detects the encoding of the file on disk.
    pub(crate) fn read_disk(&mut self) {
        let bytes = self.path.as_deref().and_then(disk::bytes_of);
        self.disk = bytes.map(|bytes| DiskEncoding::detect(&bytes, self.settings.settings.rules));
        self.revision += 1;
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
        self.revision += 1;
    }

    /// Returns the structures of the buffer. Returns `None` if the buffer is longer than 4 GiB.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        let read = || Snapshot::read(Arc::clone(&self.text), self.settings.settings.rules).ok();
        self.snapshot.get_or_init(read).as_ref()
    }

    /// Returns the encoding of the file if the editor decoded the file in another one, so that it shows wrong
    /// characters.
    pub(crate) fn misread_encoding(&self) -> Option<Encoding> {
        let encoding = self.disk.as_ref()?.decision.used;
        let is_unicode = encoding == Encoding::Utf8 || encoding.is_utf16();
        (!is_unicode && self.text.content().contains(char::REPLACEMENT_CHARACTER)).then_some(encoding)
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

impl CheckedText {
    /// Checks a text.
    pub(crate) fn check(revision: u64, text: &Text, settings: &BufferSettings) -> CheckedText {
        match settings.check().check(text.content().as_bytes()) {
            Ok(report) => CheckedText { revision, findings: report.findings, failure: None },
            Err(error) => CheckedText { revision, findings: Vec::new(), failure: Some(error.to_string()) },
        }
    }
}
