//! The editor: edits one after the other, and the file that they make.

use crate::file_style::FileStyle;
use crate::tree::{Change, EditedTree, TOP, TreeChanges};
use crate::verify::read_again;
use crate::{CheckAgain, EditError, cascade};
use elf_base::rules::XrefChars;
use elf_base::{Diagnostic, Rules, Sink};
use elf_octets::{Options, Patch, Repertoire, TooLarge};
use elf_tagged::escape::EscapeSource;
use elf_tagged::write::Content;
use elf_tagged::{Document, read_with};
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};

/// A file being edited.
///
/// Edits are made in order, and each fails on its own: what it would have changed is then as it was. Nothing
/// is spelled before [`finish`](Editor::finish).
#[derive(Debug)]
pub struct Editor<'o> {
    /// The number that its structures bear.
    pub(crate) number: u32,
    pub(crate) document: Opened<'o>,
    pub(crate) options: EditOptions,
    pub(crate) tree: TreeChanges,
    /// The structures that were taken away because they pointed to nothing any more.
    pub(crate) cascaded: Vec<cascade::RemovedStructure>,
    /// The style of the lines of the file, where the document is not all of it.
    pub(crate) style: Option<FileStyle<'static>>,
}

/// Options of an editor, where there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditOptions {
    /// True if a character that the encoding of the file lacks is written as a Unicode escape; if false,
    /// giving a text with such a character is an error. Default: true.
    pub escape: bool,
    /// True if an [`Edit`](crate::Edit) may make a pointer to an identifier that no structure bears; if
    /// false, such an edit is an error. Default: false.
    pub dangling: bool,
    /// True if removing a structure takes away the pointers that then lead nowhere, too, with all beneath
    /// them. Default: false.
    pub cascade: bool,
    /// True if an [`Edit`](crate::Edit) makes the structures that are missing along its path: the path of the
    /// payload that it sets, or of the place where it inserts or moves something. Default: false.
    pub create: bool,
}

/// The document that edits are laid over.
#[derive(Debug)]
pub(crate) enum Opened<'o> {
    Owned(Box<Document<'o>>),
    /// A part of a document, which others look at too.
    Part(&'o Document<'o>),
}

impl<'o> Opened<'o> {
    pub(crate) const fn get(&self) -> &Document<'o> {
        match self {
            Opened::Owned(document) => document,
            Opened::Part(document) => document,
        }
    }
}

impl<'o> Deref for Opened<'o> {
    type Target = Document<'o>;

    fn deref(&self) -> &Document<'o> {
        self.get()
    }
}

/// A structure of a file being edited: one that was read, or one that an edit has added.
///
/// It belongs to the editor that gave it out; every other one refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Structure {
    /// The number of the editor.
    pub(crate) editor: u32,
    pub(crate) item: u32,
}

/// The number of editors so far, so that each gets one of its own.
static EDITORS: AtomicU32 = AtomicU32::new(0);

/// The payload that an edit gives a structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// None. December 2019 does not tell it from an empty text.
    None,
    /// Text, not escaped; each LF, CR or CR LF is a line break. In a DATE what has the shape of a calendar
    /// escape is one, as [`Content::Text`] says.
    Text(String),
    /// A pointer: the identifier it names, without at signs.
    Pointer(String),
}

/// The result of edits: the file, the lines that changed, and the number of new faults.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited<'o> {
    /// The file; the octets that were opened where no line has changed.
    pub octets: Cow<'o, [u8]>,
    /// The lines that have changed, in order, by their numbers in the file that was opened.
    pub patches: Vec<Patch>,
    /// The number of faults among the findings that the edits brought about: findings of malformed and
    /// non-conformant sources, and of pointers that lead nowhere or to several structures.
    pub faults: u64,
    /// True if the rules let the reading of the edited file reach its end.
    pub complete: bool,
}

impl<'o> Editor<'o> {
    /// Opens a file, whatever its octets are. The faults of the file are reported by
    /// [`read`](elf_tagged::read()), not here.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] where the text is longer than 4 GiB.
    pub fn open(octets: &'o [u8], rules: &Rules, options: &Options) -> Result<Editor<'o>, TooLarge> {
        Editor::open_with(octets, rules, options, &())
    }

    /// Opens a file, as [`open`](Editor::open) does; `escapes` says which ones its tags keep, so that a text
    /// given for a payload is spelled by the schema in force.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] where the text is longer than 4 GiB.
    pub fn open_with(
        octets: &'o [u8],
        rules: &Rules,
        options: &Options,
        escapes: &dyn EscapeSource,
    ) -> Result<Editor<'o>, TooLarge> {
        let document = read_with(octets, rules, options, escapes, &mut ())?;
        Ok(Editor::new(document))
    }

    /// Opens a document that has been read, so that its findings need not be asked for twice.
    ///
    /// ```
    /// use elf_edit::Editor;
    /// use elf_tagged::{Options, Rules};
    ///
    /// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n";
    /// let mut findings = Vec::new();
    /// let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut findings)?;
    /// let mut editor = Editor::new(document);
    /// let person = editor.document().records().next().expect("a record");
    /// let name = editor.structure(person.substructure("NAME").expect("a name"))?;
    /// editor.set(name, "Ada Lovelace")?;
    /// assert_eq!(editor.payload(name)?.text(), Some("Ada Lovelace"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(document: Document<'o>) -> Editor<'o> {
        Editor::of(Opened::Owned(Box::new(document)))
    }

    pub(crate) fn of(document: Opened<'o>) -> Editor<'o> {
        Editor {
            number: EDITORS.fetch_add(1, Ordering::Relaxed),
            document,
            options: EditOptions::default(),
            tree: TreeChanges::default(),
            cascaded: Vec::new(),
            style: None,
        }
    }

    /// Sets the options.
    #[must_use]
    pub const fn with_options(mut self, options: EditOptions) -> Editor<'o> {
        self.options = options;
        self
    }

    /// The document as it was opened, without the edits.
    pub const fn document(&self) -> &Document<'o> {
        self.document.get()
    }

    /// Gives a structure another payload, its continuation lines included. Lines of the payload whose text
    /// stays the same stay as they are.
    ///
    /// # Errors
    ///
    /// Where the structure cannot have that payload; and for HEAD.CHAR, which says in which encoding
    /// everything else is.
    pub fn set(&mut self, structure: Structure, value: impl Into<Value>) -> Result<(), EditError> {
        let value = value.into();
        let item = self.settable(structure, &value)?;
        self.tree.set(&self.document, item, value);
        Ok(())
    }

    /// Gives a structure another tag.
    ///
    /// # Errors
    ///
    /// Where `tag` is none, or one that means something else there.
    pub fn set_tag(&mut self, structure: Structure, tag: &str) -> Result<(), EditError> {
        let item = self.editable(structure)?;
        self.check_line(item)?;
        self.check_tag(tag, self.now().superstructure(item))?;
        self.tree.change(&self.document, item).tag = Some(tag.into());
        Ok(())
    }

    /// Takes a structure away, with all beneath it.
    ///
    /// # Errors
    ///
    /// Where the structure is gone already, and for what HEAD.CHAR is part of.
    pub fn remove(&mut self, structure: Structure) -> Result<(), EditError> {
        let item = self.removable(structure)?;
        self.remove_cascading(item);
        Ok(())
    }

    /// Adds a substructure, or a record where `superstructure` is `None`. `number` makes it the N-th of its
    /// tag there; without it, it is the last, records standing before the trailer.
    ///
    /// # Errors
    ///
    /// Where such a structure cannot stand there: for its tag, its identifier, its payload or its number.
    pub fn insert(
        &mut self,
        superstructure: Option<Structure>,
        xref: Option<&str>,
        tag: &str,
        value: impl Into<Value>,
        number: Option<u32>,
    ) -> Result<Structure, EditError> {
        let value = value.into();
        let above = self.above(superstructure)?;
        self.check_tag(tag, above)?;
        if let Some(xref) = xref {
            self.check_new_xref(xref)?;
        }
        self.check_value(&value, self.is_metadata(above, tag))?;
        let before = self.nth(above, tag, number, None)?;
        let change = Change { xref: xref.map(Into::into), tag: Some(tag.into()), payload: Some(value) };
        let item = self.tree.add(&self.document, change)?;
        self.tree.put(&self.document, item, above, before);
        Ok(self.handle(item))
    }

    /// Puts a structure, with all beneath it, somewhere else: beneath `superstructure`, or among the records
    /// where that is `None`. `number` is as in [`insert`](Editor::insert).
    ///
    /// # Errors
    ///
    /// Where it cannot stand there, or would stand beneath itself.
    pub fn move_to(
        &mut self,
        structure: Structure,
        superstructure: Option<Structure>,
        number: Option<u32>,
    ) -> Result<(), EditError> {
        let item = self.editable(structure)?;
        let above = self.above(superstructure)?;
        self.check_movable(item)?;
        self.check_tag(self.now().tag(item), above)?;
        if self.now().is_within(above, item) {
            return Err(EditError::WithinItself);
        }
        let before = self.nth(above, self.now().tag(item), number, Some(item))?;
        self.tree.put(&self.document, item, above, before);
        Ok(())
    }

    /// Gives the structure that bears an identifier another one, and leads there all pointers to it. Both are
    /// given without at signs.
    ///
    /// # Errors
    ///
    /// Where not exactly one structure bears `xref`, and where `new` cannot be an identifier or is one
    /// already.
    pub fn rename(&mut self, xref: &str, new: &str) -> Result<(), EditError> {
        self.check_complete()?;
        let bearer = match *self.now().bearers(xref) {
            [] => return Err(EditError::XrefUnknown { xref: xref.to_owned() }),
            [one] => one,
            _ => return Err(EditError::XrefAmbiguous { xref: xref.to_owned() }),
        };
        if xref == new {
            return Ok(());
        }
        self.check_new_xref(new)?;
        let bearer = self.editable(self.handle(bearer))?;
        self.check_line(bearer)?;
        self.tree.rename(&self.document, bearer, new);
        for item in self.tree.pointing(&self.document, xref) {
            self.tree.set(&self.document, item, Value::Pointer(new.to_owned()));
        }
        Ok(())
    }

    /// The file with the edits. Every finding that the edits bring about goes to `sink`, whatever its class,
    /// at its place in the new file; what could be said of the file before is not said again.
    ///
    /// # Errors
    ///
    /// Where a change needs a line whose octets cannot be kept, or would change how the file is decoded.
    pub fn finish(&self, sink: &mut dyn Sink) -> Result<Edited<'o>, EditError> {
        let mut check =
            |octets: &[u8], sink: &mut dyn Sink| read_again(octets, &self.document, sink).map(drop);
        self.finish_checked(&mut check, sink)
    }

    /// The file with the edits, as [`finish`](Editor::finish) gives it, but with the findings of another
    /// reader, such as one that knows types: `check` reads octets by the rules of the file, as they were
    /// decoded when it was opened.
    ///
    /// # Errors
    ///
    /// As those of [`finish`](Editor::finish).
    pub fn finish_checked(
        &self,
        check: &mut CheckAgain<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Edited<'o>, EditError> {
        let mut told = 0;
        let patches = self.render(&mut |finding: Diagnostic| {
            told += u64::from(finding.class.is_error());
            sink.report(finding);
        })?;
        if patches.is_empty() {
            let octets = self.document.source().octets_for_long();
            return Ok(Edited { octets, patches, faults: told, complete: self.document.is_complete() });
        }
        let edited = self.document.source().splice(&patches)?;
        let (faults, complete) = self.verify(&edited, &patches, check, sink)?;
        Ok(Edited { octets: Cow::Owned(edited), patches, faults: told + faults, complete })
    }

    pub(crate) fn now(&self) -> EditedTree<'_> {
        EditedTree { document: &self.document, tree: &self.tree }
    }

    /// Checks that the file was read to its end: lines that are not known cannot be changed without harm.
    /// Of a part they are cut off.
    pub(crate) fn check_complete(&self) -> Result<(), EditError> {
        let is_open = self.document.is_complete() || matches!(self.document, Opened::Part(_));
        if is_open { Ok(()) } else { Err(EditError::Incomplete) }
    }

    /// Returns the item of a structure, if it still stands and is no part of HEAD.CHAR.
    pub(crate) fn editable(&self, structure: Structure) -> Result<u32, EditError> {
        self.check_complete()?;
        let item = self.item(structure)?;
        let now = self.now();
        if !now.stands(item) || now.flags(item).is_inserted() || now.flags(item).is_continuation() {
            return Err(EditError::Removed);
        }
        match now.metadata(item) {
            Some(top) if now.tag(top) == "CHAR" => Err(EditError::CharacterEncoding),
            _ => Ok(item),
        }
    }

    /// The structure that others can stand beneath.
    pub(crate) fn above(&self, superstructure: Option<Structure>) -> Result<u32, EditError> {
        self.check_complete()?;
        let Some(structure) = superstructure else { return Ok(TOP) };
        let item = self.editable(structure)?;
        self.check_line(item)?;
        Ok(item)
    }

    /// Checks that a structure has a line with parts that can be changed, unlike the structures that the
    /// rules make of a malformed line; and that structures can stand beneath it, unlike a continuation line,
    /// even one that continues nothing (J19 §6.1).
    pub(crate) fn check_line(&self, item: u32) -> Result<(), EditError> {
        let now = self.now();
        if now.flags(item).is_error() {
            return Err(EditError::NoLine);
        }
        let error_lines = self.document.rules().tagged.bad_line.makes_error_lines();
        match now.tag(item) {
            tag @ ("CONT" | "CONC") => Err(EditError::TagReserved { tag: tag.to_owned() }),
            "ERROR" if error_lines => Err(EditError::TagReserved { tag: "ERROR".to_owned() }),
            _ => Ok(()),
        }
    }

    /// Checks that a structure can go from where it stands: a header that says CHAR cannot.
    pub(crate) fn check_movable(&self, item: u32) -> Result<(), EditError> {
        let now = self.now();
        let is_head = self.document.head().is_some_and(|head| head.id().get() == item);
        if is_head && now.substructures(item).any(|below| now.tag(below) == "CHAR") {
            return Err(EditError::CharacterEncoding);
        }
        Ok(())
    }

    /// The structure before which a new one stands, so that it is the N-th of its tag.
    pub(crate) fn nth(
        &self,
        above: u32,
        tag: &str,
        number: Option<u32>,
        moved: Option<u32>,
    ) -> Result<Option<u32>, EditError> {
        let Some(number) = number else { return Ok(None) };
        let now = self.now();
        let of_tag = now.substructures(above).filter(|&item| now.tag(item) == tag && Some(item) != moved);
        let mut count = 0;
        for item in of_tag {
            count += 1;
            if count == number {
                return Ok(Some(item));
            }
        }
        if number == count + 1 { Ok(None) } else { Err(EditError::Number { tag: tag.to_owned(), count }) }
    }

    /// Tells whether a structure of a tag would be serialisation metadata beneath `above`.
    pub(crate) fn is_metadata(&self, above: u32, tag: &str) -> bool {
        let at_head = self.document.head().is_some_and(|head| head.id().get() == above);
        let metadata = self.document.rules().tagged.metadata;
        // CHAR is set by nobody.
        metadata.is_raw()
            && match at_head {
                true => tag != "CHAR" && metadata.takes(tag, true),
                false => above != TOP && self.now().metadata(above).is_some(),
            }
    }

    /// Checks that a structure beneath `above` may be given a tag (D19 *Tags*).
    pub(crate) fn check_tag(&self, tag: &str, above: u32) -> Result<(), EditError> {
        if !elf_lines::is_tag(tag) {
            return Err(EditError::Tag { tag: tag.to_owned() });
        }
        let at_head = self.document.head().is_some_and(|head| head.id().get() == above);
        match tag {
            "CHAR" if at_head => Err(EditError::CharacterEncoding),
            "CONT" | "CONC" => Err(EditError::TagReserved { tag: tag.to_owned() }),
            "ERROR" if self.document.rules().tagged.bad_line.makes_error_lines() => {
                Err(EditError::TagReserved { tag: tag.to_owned() })
            }
            "HEAD" | "TRLR" if above != TOP => Err(EditError::TagReserved { tag: tag.to_owned() }),
            _ => Ok(()),
        }
    }

    /// Checks that a pointer in this file can name an identifier (D19 *Payloads*).
    pub(crate) fn check_xref(&self, xref: &str) -> Result<(), EditError> {
        self.check_xref_of(xref, self.document.rules().lines.xref)
    }

    fn check_xref_of(&self, xref: &str, chars: XrefChars) -> Result<(), EditError> {
        if !elf_lines::is_xref(xref, chars) || elf_lines::first_forbidden(xref).is_some() {
            return Err(EditError::Xref { xref: xref.to_owned() });
        }
        self.check_encodable(xref)
    }

    /// Checks that a structure can be given an identifier (D19 *Cross-reference identifiers*; O17
    /// *Identifiers*, `ID`).
    fn check_new_xref(&mut self, xref: &str) -> Result<(), EditError> {
        self.check_xref_of(xref, self.document.rules().lines.conformant_xref)?;
        match self.tree.is_borne(&self.document, xref) {
            true => Err(EditError::XrefTaken { xref: xref.to_owned() }),
            false => Ok(()),
        }
    }

    /// Checks that a structure can have a payload. Serialisation metadata of December 2019 is read as it
    /// stands, without escapes and continuation (D19 *Header metadata*).
    pub(crate) fn check_value(&self, value: &Value, metadata: bool) -> Result<(), EditError> {
        let text = match value {
            Value::None => return Ok(()),
            Value::Pointer(xref) => return self.check_xref(xref),
            Value::Text(text) => text,
        };
        if let Some(at) = elf_lines::first_forbidden(text) {
            let found = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
            return Err(EditError::NoCharacter { code: found.into() });
        }
        let raw = metadata && self.document.rules().tagged.metadata.is_raw();
        if raw && text.contains(['\n', '\r']) {
            return Err(EditError::MetadataLines);
        }
        let escapes = self.options.escape && self.document.escape().has_characters();
        if raw || !escapes { self.check_encodable(text) } else { Ok(()) }
    }

    fn check_encodable(&self, text: &str) -> Result<(), EditError> {
        let document = &self.document;
        let mut repertoire = Repertoire::new(document.source().decision().used, &document.rules().octets);
        text.lines().try_for_each(|line| repertoire.check(line))?;
        Ok(())
    }
}

impl EditOptions {
    /// Unicode escapes for what the encoding lacks, and nothing else that was not asked for.
    pub const fn new() -> EditOptions {
        EditOptions { escape: true, dangling: false, cascade: false, create: false }
    }

    /// Sets whether edits may make pointers to identifiers that no structure bears.
    #[must_use]
    pub const fn with_dangling(mut self, dangling: bool) -> EditOptions {
        self.dangling = dangling;
        self
    }

    /// Sets whether pointers to removed structures are removed, too.
    #[must_use]
    pub const fn with_cascade(mut self, cascade: bool) -> EditOptions {
        self.cascade = cascade;
        self
    }

    /// Sets whether structures are made where a path lacks them.
    #[must_use]
    pub const fn with_create(mut self, create: bool) -> EditOptions {
        self.create = create;
        self
    }

    /// Sets whether characters that the encoding lacks become Unicode escapes.
    #[must_use]
    pub const fn with_escapes(mut self, escape: bool) -> EditOptions {
        self.escape = escape;
        self
    }
}

impl Default for EditOptions {
    fn default() -> EditOptions {
        EditOptions::new()
    }
}

impl Value {
    /// The payload that a person means: nothing by no text, a pointer by `@I1@`, and text by any other.
    ///
    /// ```
    /// use elf_edit::Value;
    /// assert_eq!(Value::of("@I1@"), Value::Pointer("I1".to_owned()));
    /// assert_eq!(Value::of("@#DJULIAN@ 1540"), Value::Text("@#DJULIAN@ 1540".to_owned()));
    /// assert_eq!(Value::of(""), Value::None);
    /// ```
    pub fn of(text: &str) -> Value {
        let label = text.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
        match label.filter(|label| !label.is_empty() && !label.starts_with('#') && !label.contains('@')) {
            Some(label) => Value::Pointer(label.to_owned()),
            None if text.is_empty() => Value::None,
            None => Value::Text(text.to_owned()),
        }
    }

    pub(crate) fn content(&self) -> Content<'_> {
        match self {
            Value::None => Content::None,
            Value::Text(text) => Content::Text(text),
            Value::Pointer(xref) => Content::Pointer(xref),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}
