//! The other halves of links that stand in one of two records only: lines behind the last of the other
//! record.
//!
//! Such a line stands in another record than the link, anywhere in the file, so no unit of repairs holds
//! both: the records are looked for in the whole document, or part by part, and the file is judged as one.

use super::by_finding::REPEATED;
use super::locked::is_guarded;
use crate::editor::Opened;
use crate::file_style::{indent_of, line_at};
use crate::{EditError, Editor, Value};
use elf_base::{Diagnostic, Fix, FixAction, LinkAnswer, Safety};
use elf_lines::leading_level;
use elf_octets::Patch;
use elf_tagged::{Document, Node};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// The answers to one-sided links that are certain and safe ([`FixAction::AnswerLink`]), and the lines that
/// they become: in memory for those that are wanted, however long the document is.
///
/// ```
/// use elf_base::{Diagnostic, Fix, FixAction, LinkAnswer, Rules, codes};
/// use elf_edit::Answers;
/// use elf_tagged::{Options, read};
///
/// let file = b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n0 @F1@ FAM\n1 CHIL @I1@\n0 TRLR\n";
/// let answer = LinkAnswer { record: "I1".into(), tag: "FAMC", to: "F1".into() };
/// let finding = Diagnostic::new(codes::LINK_ONE_SIDED, &Rules::WILD, "one half is missing")
///     .fix(Fix::safe(FixAction::AnswerLink(Box::new(answer))));
/// let mut answers = Answers::default();
/// answers.want(&finding);
/// answers.find(&read(file, &Rules::WILD, &Options::default(), &mut ())?);
/// let patches = answers.patches_of(&finding).expect("a place");
/// assert_eq!((patches[0].lines.clone(), &*patches[0].with), (4..4, "1 FAMC @F1@\n"));
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Debug, Default)]
pub struct Answers {
    /// The answers that are wanted, in their order, by the record that gets them, until that is found.
    wanted: HashMap<Box<str>, Vec<LinkAnswer>>,
    /// The lines that records get, each those of all its answers.
    patches: Vec<Patch>,
    /// The lines of each answer among those, once its record was found.
    known: HashMap<LinkAnswer, Option<Range<usize>>>,
}

impl Answers {
    /// Takes note of the answer that a finding asks for, if it does and that is safe.
    pub fn want(&mut self, finding: &Diagnostic) {
        let is_safe = finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
        let Some(answer) = answer_of(finding).filter(|_| is_safe) else { return };
        if let Entry::Vacant(vacant) = self.known.entry(answer.clone()) {
            self.wanted.entry(answer.record.clone()).or_default().push(answer.clone());
            vacant.insert(None);
        }
    }

    /// Tells whether the records of all that are wanted were found.
    pub fn is_complete(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Finds the records that stand in a document, or in a part of one, and the lines that they get.
    pub fn find(&mut self, document: &Document<'_>) {
        if self.is_complete() {
            return;
        }
        let mut editor = Editor::of(Opened::Part(document));
        let given = self.give(&mut editor, document, Safety::Safe);
        let Some(patches) = rendered(&editor, &given) else { return };
        let source = document.source();
        let last = (source.start().line + source.line_count()).saturating_sub(1);
        let is_open = source.line(last).is_some_and(|line| line.ending.is_none());
        for (Given { answers, .. }, mut patch) in given.into_iter().zip(patches) {
            patch.line_break = Some(source.line_break_of(&patch));
            if is_open && patch.lines.start > last {
                // What comes behind a line without a break comes together with that line.
                patch.with.insert(0, '\n');
                patch.with.insert_str(0, source.line_text(last).unwrap_or_default());
                patch.lines = last..last + 1;
            }
            // Of many, not all have the lines of all.
            let most = 1 + REPEATED / (patch.with.len() + 1);
            let at = self.patches.len();
            self.patches.push(patch);
            for (number, answer) in answers.into_iter().enumerate() {
                self.known.insert(answer, Some(at..at + usize::from(number < most)));
            }
        }
    }

    /// Adds to an editor of a document the answers of its records; of those that are guarded, where guesses
    /// are wanted.
    fn give<'d>(
        &mut self,
        editor: &mut Editor<'_>,
        document: &'d Document<'_>,
        most: Safety,
    ) -> Vec<Given<'d>> {
        let mut given = Vec::new();
        for record in document.records() {
            let Some(mut answers) = record.xref().and_then(|xref| self.wanted.remove(xref)) else { continue };
            let is_kept = most == Safety::Safe && is_guarded(record);
            answers.retain(|answer| !is_kept && editor.answer(record, answer).is_ok());
            if !answers.is_empty() {
                given.push(Given { record, answers });
            }
        }
        given
    }

    /// The lines that answer the link of a finding, together with the others that its record gets; none of
    /// them where that has so many that they stand with the first findings alone. `None` where nothing
    /// answers it, or its record was not found.
    pub fn patches_of(&self, finding: &Diagnostic) -> Option<&[Patch]> {
        self.patches.get(self.known.get(answer_of(finding)?)?.clone()?)
    }
}

/// A record, and the answers that it gets.
struct Given<'d> {
    record: Node<'d>,
    answers: Vec<LinkAnswer>,
}

/// The patch of each record; `None` where there are no such.
fn rendered(editor: &Editor<'_>, given: &[Given<'_>]) -> Option<Vec<Patch>> {
    let mut patches = editor.render(&mut ()).ok().filter(|patches| patches.len() == given.len())?;
    for (Given { record, .. }, patch) in given.iter().zip(&mut patches) {
        // The style of the file would be another for each part.
        let indent = indent_beneath(*record);
        let lines =
            patch.with.split_inclusive('\n').flat_map(|line| [indent, line.trim_start_matches(BLANKS)]);
        patch.with = lines.collect();
    }
    Some(patches)
}

const BLANKS: [char; 2] = [' ', '\t'];

/// The blanks before the last line directly beneath a record, if the rules let a line have some.
fn indent_beneath(record: Node<'_>) -> &str {
    if record.document().rules().lines.delimiters.is_one_space() {
        return "";
    }
    let last = record.substructures().filter(|node| !node.is_inserted()).last();
    let line = last.map_or("", |last| line_at(record.document().text(), last.span()));
    if leading_level(line) == Some(1) { indent_of(line) } else { "" }
}

impl Editor<'_> {
    /// Adds an answer behind all else that stands in its record.
    fn answer(&mut self, record: Node<'_>, answer: &LinkAnswer) -> Result<(), EditError> {
        let record = self.structure(record)?;
        self.insert(Some(record), None, answer.tag, Value::Pointer(answer.to.to_string()), None).map(drop)
    }
}

/// The answer that a finding asks for.
fn answer_of(finding: &Diagnostic) -> Option<&LinkAnswer> {
    match &finding.fix {
        Some(Fix { action: FixAction::AnswerLink(answer), .. }) => Some(answer),
        _ => None,
    }
}

/// Tells whether the repair of a finding is an answer, which stands in another record.
pub(super) fn is_of_link(finding: &Diagnostic) -> bool {
    answer_of(finding).is_some()
}
