//! Editing a document part by part: in memory that does not grow with it.
//!
//! A part starts with a record that means the same whatever stands before it, so parts are edited apart, on
//! any thread, and their octets stand one behind the other. What only the whole of them shows, their order
//! and the encoding in which they will be read, [`EditedParts`] looks after.

use crate::editor::Opened;
use crate::evidence::Evidence;
use crate::verify::options_of;
use crate::{EditError, Editor, Value};
use elf_octets::{Because, Decision, Options, Patch, Source};
use elf_tagged::{Document, Node, PartError, PartId, Rules, Xrefs, read_apart, starts_record};
use std::borrow::Cow;

/// Edits of one part of a document that is read in parts, by an `elf_tagged::Reader` or one that knows types.
///
/// The octets of the parts, one behind the other, are the edited file: all lines that no edit names stay
/// octet for octet, whatever the encoding. An edit sees its own part only, so that pointers to what it
/// removes are for the caller to find.
///
/// ```
/// use elf_edit::{EditedParts, PartEditor};
/// use elf_tagged::{Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\r\n0 @I1@ INDI\r\n1 NAME Ada\r\n1  SEX F\r\n0 @I2@ INDI\r\n1 NAME Max\r\n0 TRLR\r\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default()).with_run_size(1);
/// let (mut edited, mut octets) = (EditedParts::default(), Vec::new());
/// while let Some(part) = reader.next_run(&mut ())? {
///     let mut editor = PartEditor::new(&part);
///     for record in part.records() {
///         match record.xref() {
///             Some("I1") => editor.set(record.substructure("NAME").expect("a name"), "Ada /King/")?,
///             Some("I2") => editor.remove(record)?,
///             _ => {}
///         }
///     }
///     let part = editor.finish()?;
///     octets.extend_from_slice(&part.octets);
///     edited.add(part)?;
/// }
/// edited.finish()?;
/// assert_eq!(octets, b"0 HEAD\r\n0 @I1@ INDI\r\n1 NAME Ada /King/\r\n1  SEX F\r\n0 TRLR\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PartEditor<'d> {
    editor: Editor<'d>,
}

/// The octets of an edited part, for [`EditedParts::add`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EditedPart<'d> {
    /// The octets: those of the part where no edit was made. Of a part in which the rules ended the reading,
    /// lines behind the last structure are left out.
    pub octets: Cow<'d, [u8]>,
    /// The lines that have changed, in order, by their numbers in the file that was read.
    pub patches: Vec<Patch>,
    common: CommonGround,
}

/// The edited parts of a document so far, in their order.
///
/// Where the encoding of a file was found out from its octets, those that are left may show another one: then
/// [`finish`](EditedParts::finish) fails, since the lines that stay would not be read as they were.
#[derive(Debug, Default)]
pub struct EditedParts {
    /// The next part, by its number.
    next: u64,
    last: Option<CommonGround>,
    evidence: Evidence,
}

/// The facts about a part that matter to the whole file.
#[derive(Clone, Debug)]
struct CommonGround {
    id: PartId,
    decision: Decision,
    rules: Rules,
    options: Options,
}

impl<'d> PartEditor<'d> {
    /// Lays edits over a part of a document, or over a whole one.
    pub fn new(part: &'d Document<'d>) -> PartEditor<'d> {
        PartEditor { editor: Editor::of(Opened::Part(part)) }
    }

    /// Gives a structure of the part another payload, as [`Editor::set`] does.
    ///
    /// # Errors
    ///
    /// As those of [`Editor::set`]; [`EditError::Foreign`] for a structure of another part.
    pub fn set(&mut self, node: Node<'_>, value: impl Into<Value>) -> Result<(), EditError> {
        self.editor.set(self.editor.structure(node)?, value)
    }

    /// Adds a substructure behind those that a structure of the part has, as [`Editor::insert`] does.
    ///
    /// # Errors
    ///
    /// As those of [`Editor::insert`]; [`EditError::Foreign`] beneath a structure of another part.
    pub fn insert(&mut self, above: Node<'_>, tag: &str, value: impl Into<Value>) -> Result<(), EditError> {
        let above = self.editor.structure(above)?;
        self.editor.insert(Some(above), None, tag, value, None).map(|_| ())
    }

    /// Takes a structure of the part away, with all beneath it. Of one that is gone already, with what it
    /// stands beneath, nothing is left to take.
    ///
    /// # Errors
    ///
    /// For the header that says CHAR, and what that is part of; [`EditError::Foreign`] for a structure of
    /// another part.
    pub fn remove(&mut self, node: Node<'_>) -> Result<(), EditError> {
        let structure = self.editor.structure(node)?;
        if !self.editor.now().stands(node.id().get()) {
            return Ok(());
        }
        self.editor.remove(structure)
    }

    /// The octets of the part with the edits. They are read again, to make sure that everything else in the
    /// part is read as it was.
    ///
    /// # Errors
    ///
    /// Where a change needs a line whose octets cannot be kept, or where something else would be read
    /// otherwise.
    pub fn finish(self) -> Result<EditedPart<'d>, EditError> {
        let Opened::Part(part) = self.editor.document else { return Err(EditError::Foreign) };
        let mut octets = Cow::Borrowed(part.source().octets());
        let patches = self.editor.render(&mut ())?;
        let behind = octets_behind_end(part);
        if !patches.is_empty() {
            octets = Cow::Owned(part.source().splice(&patches)?);
        }
        let kept = octets.len().saturating_sub(behind);
        match &mut octets {
            Cow::Borrowed(octets) => *octets = octets.get(..kept).unwrap_or_default(),
            Cow::Owned(octets) => octets.truncate(kept),
        }
        if !patches.is_empty() {
            self.check_read_again(part, &octets)?;
        }
        let common = CommonGround {
            id: part.part_id().clone(),
            decision: part.source().decision().clone(),
            rules: *part.rules(),
            options: options_of(part),
        };
        Ok(EditedPart { octets, patches, common })
    }

    /// Checks that the edited part has the structures that the edits meant.
    fn check_read_again(self, part: &Document<'_>, octets: &[u8]) -> Result<(), EditError> {
        let (source, rules, headless) = (part.source(), part.rules(), part.may_hold_header());
        let first = source.start().line;
        let passage = source.passage(first..u64::MAX);
        let decode =
            |octets| passage.decode(octets, source.decision(), rules).map_err(|_| EditError::TooLarge);
        let again = decode(octets)?;
        if part.part_id().number() > 0 && !is_start(&again, rules) {
            return Err(EditError::ReadOtherwise { line: first });
        }
        let (again, _) = read_apart(again, rules, part.header(), headless, &mut ());
        if headless && !part.header().says_as(again.header()) {
            return Err(EditError::ReadOtherwise { line: first });
        }
        if !Xrefs::are_needed(rules) {
            return self.editor.check_structures(&again).map(drop);
        }
        // What the rules make of repeated identifiers depends on other parts, too: both are read without.
        let before = decode(passage.octets())?;
        let (before, _) = read_apart(before, rules, part.header(), headless, &mut ());
        let Editor { number, options, tree, cascaded, style, .. } = self.editor;
        let editor = Editor { number, document: Opened::Part(&before), options, tree, cascaded, style };
        editor.check_structures(&again).map(drop)
    }
}

/// Tells whether text, as long as there is any, starts with a record, whatever stands before it.
fn is_start(source: &Source<'_>, rules: &Rules) -> bool {
    let mut lines = source.line_strings().map(|line| line.of(source.text()));
    lines
        .find(|line| !line.trim_matches([' ', '\t']).is_empty())
        .is_none_or(|line| starts_record(line, rules))
}

/// Counts the octets that stand behind the line of the last structure of a part in which the rules ended the
/// reading.
fn octets_behind_end(part: &Document<'_>) -> usize {
    let source = part.source();
    if part.end().is_none() && source.is_complete() {
        return 0;
    }
    let last = part.nodes().rev().find(|node| !node.is_inserted());
    let line = last.map_or(source.start().line, |last| source.locator().place(last.line_span()).line + 1);
    let first_octet = source.start().octet;
    let start = source.line(line).map(|line| line.octets.start.saturating_sub(first_octet));
    let start = start.and_then(|start| usize::try_from(start).ok());
    source.octets().len().saturating_sub(start.unwrap_or(source.octets().len()))
}

impl EditedPart<'_> {
    /// Makes it own its octets, so that the part can go.
    pub fn into_owned(self) -> EditedPart<'static> {
        let EditedPart { octets, patches, common } = self;
        EditedPart { octets: Cow::Owned(octets.into_owned()), patches, common }
    }
}

impl EditedParts {
    /// Takes an edited part: the first part of its document, or the one behind that taken last.
    ///
    /// # Errors
    ///
    /// [`EditError::Part`] for any other part.
    pub fn add(&mut self, part: EditedPart<'_>) -> Result<(), EditError> {
        let EditedPart { octets, common, .. } = part;
        let id = &common.id;
        if self.last.as_ref().is_some_and(|last| last.id.reading() != id.reading()) {
            return Err(PartError::Foreign(id.number()).into());
        }
        if id.number() != self.next {
            return Err(PartError::OutOfOrder { expected: self.next, found: id.number() }.into());
        }
        let is_first = self.next == 0;
        self.next += 1;
        self.evidence.add(&octets, is_first);
        self.last = Some(common);
        Ok(())
    }

    /// Tells whether the last part was taken, and the edited file will be read in the encoding of the parts.
    ///
    /// # Errors
    ///
    /// [`EditError::Part`] where the last part was not taken; [`EditError::EncodingChanged`].
    pub fn finish(self) -> Result<(), EditError> {
        let Some(CommonGround { decision, rules, options, .. }) = self.last.filter(|last| last.id.is_last())
        else {
            return Err(PartError::Missing(self.next).into());
        };
        let is_shown = matches!(decision.because, Because::Detected | Because::Forced);
        // All encodings of single octets spell ASCII alike.
        if is_shown || self.evidence.is_ascii() && !decision.used.is_utf16() {
            return Ok(());
        }
        let after = self.evidence.decide(&rules, &options).0.used;
        match after == decision.used {
            true => Ok(()),
            false => Err(EditError::EncodingChanged { before: decision.used, after }),
        }
    }
}
