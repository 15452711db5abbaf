//! Fixes a file in the way in which `elf check --fix` does.

use crate::check::Check;
use crate::finding::Finding;
use crate::judge::{FileContribution, Judge, JudgeOptions};
use crate::once::is_once_per_file;
use crate::runs::Restart;
use elf_base::{Code, Diagnostic, FixAction, Safety, codes};
use elf_edit::{FileRefusal, FixOptions, Fixes, Refusal, fix_document};
use elf_schema::{PathTypes, RunTyper};
use elf_tagged::elf_octets::{Patch, PatchError};
use elf_tagged::{Document, Source};
use std::collections::HashSet;
use std::io;

/// A fixed file.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Fixed {
    /// The bytes of the fixed file.
    pub bytes: Vec<u8>,
    /// The changed lines, as patches.
    pub patches: Vec<Patch>,
    /// The texts of the lines that are removed or replaced, in the order of the file.
    pub removed: Vec<String>,
    /// The number of findings that are fixed.
    pub count: u64,
    /// The findings whose fixes were not made.
    pub refused: Vec<RefusedFinding>,
}

/// A finding whose fix was not made.
#[derive(Debug)]
#[non_exhaustive]
pub struct RefusedFinding {
    /// The finding that proposes the fix.
    pub diagnostic: Diagnostic,
    /// The reason why the fix was not made.
    pub reason: Refusal,
}

/// The reason why a file was not fixed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixError {
    /// The file could not be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// Nothing in the file can be fixed.
    #[error("{0}")]
    Refused(FileRefusal),
    /// The patches do not fit the file, which is a bug.
    #[error("{0}")]
    Patch(#[from] PatchError),
}

impl Check<'_> {
    /// Fixes the reported findings whose fixes are at least as safe as `most`. Findings about implausible facts have no
    /// fixes.
    ///
    /// ```
    /// use elf_base::Safety;
    /// use elf_check::Check;
    /// use elf_tagged::Rules;
    ///
    /// let mut file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
    /// let fixed = Check::new(&Rules::WILD).fix(&mut file, Safety::Safe)?;
    /// assert_eq!((fixed.count, &*fixed.removed), (1, &["1 NOTE a@b".to_owned()][..]));
    /// # Ok::<(), elf_check::FixError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`FixError::Refused`] if the rules stopped the reading, or if the fixed file would be read in another
    /// encoding.
    pub fn fix(&self, input: &mut dyn Restart, most: Safety) -> Result<Fixed, FixError> {
        self.with_fixes(input, most, |document, findings, fixes| {
            if let Some(refusal) = fixes.file_refusal {
                return Err(FixError::Refused(refusal));
            }
            let source = document.source();
            let refused = fixes
                .refused
                .iter()
                .map(|one| RefusedFinding { diagnostic: findings[one.finding].clone(), reason: one.reason });
            Ok(Fixed {
                bytes: source.splice(&fixes.patches)?,
                removed: removed_lines(source, &fixes.patches),
                count: self.count_fixed(findings, &fixes),
                refused: refused.collect(),
                patches: fixes.patches,
            })
        })?
    }

    /// Counts the fixed findings in the same way as the summary: a code that is reported once for a file counts as one
    /// finding.
    fn count_fixed(&self, findings: &[Diagnostic], fixes: &Fixes) -> u64 {
        let codes = fixes.fixed.iter().map(|fixed| findings[fixed.finding].code);
        let (once, others): (Vec<Code>, Vec<Code>) =
            codes.partition(|code| !self.each_undefined && is_once_per_file(*code));
        let once: HashSet<&str> = once.iter().map(|code| code.id()).collect();
        (others.len() + once.len()) as u64
    }

    /// Adds fixes to the findings about the encoding of a file that has several runs. Returns false if the fixes were
    /// refused.
    pub(crate) fn fix_encoding(&self, late: &mut [Finding], input: &mut dyn Restart) -> io::Result<bool> {
        self.with_fixes(input, Safety::Safe, |_, findings, fixes| {
            for fixed in &fixes.fixed {
                let made_for = &findings[fixed.finding];
                let is_same = |one: &&mut Finding| {
                    (one.diagnostic.code, one.diagnostic.place) == (made_for.code, made_for.place)
                };
                if let Some(one) = late.iter_mut().find(is_same) {
                    one.fix = Some(fixes.patches_of(fixed).cloned().collect());
                }
            }
            fixes.file_refusal.is_none()
        })
    }

    /// Reads a file as one run and computes the fixes of the reported findings. Passes the run and the fixes to `make`.
    fn with_fixes<T>(
        &self,
        input: &mut dyn Restart,
        most: Safety,
        make: impl FnOnce(&Document<'_>, &[Diagnostic], Fixes) -> T,
    ) -> io::Result<T> {
        let mut reader =
            elf_tagged::Reader::new(input.restart()?, self.rules, &self.options.octets).in_one_run();
        // Every file has a first run.
        let run = reader.next_unread()?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut findings: Vec<Diagnostic> = Vec::new();
        let mut typer = RunTyper::new(self.options.clone());
        let (typed, ..) = typer.read(&run, &mut findings)?;
        let judge = Judge::new(JudgeOptions { against: self.against, each_undefined: false, facts: None });
        let mut share = FileContribution::default();
        judge.add(judge.judge_run(&typed, &mut findings), &mut share);
        judge.judge_file(share, &mut findings);
        let is_moved = findings.iter().any(moves_trailer);
        findings.retain(|finding| !(is_moved && finding.code == codes::TRAILER_MISSING));
        let is_chosen = |finding: &Diagnostic| self.choice.reports(finding);
        let options = FixOptions::from(most).choosing(&is_chosen);
        let mut types = PathTypes::new(typed.typing(), typed.document().rules());
        let fixes = fix_document(typed.document(), &findings, options, &mut types);
        Ok(make(typed.document(), &findings, fixes))
    }
}

/// Returns whether the fix moves the trailer to the end of the file. After such a fix, the trailer is not missing at
/// the end.
pub(crate) fn moves_trailer(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::MoveTrailer)
}

fn removed_lines(source: &Source<'_>, patches: &[Patch]) -> Vec<String> {
    let lines = patches.iter().flat_map(|patch| patch.lines.clone());
    // A patch contains only line numbers of the file.
    lines.map(|line| source.line_text(line).unwrap_or("").to_owned()).collect()
}
