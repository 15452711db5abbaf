//! Repairs of a file that is read in parts, as changes of the file.

use super::by_finding::RepairedFindings;
use elf_octets::{Patch, Replacement};
use elf_tagged::Document;

/// The lines that repairs change in a file, or in a part of one, and its octets that they change.
///
/// ```
/// use elf_edit::{Changes, Repairable};
/// use elf_octets::ReplacedReader;
/// use elf_tagged::{Diagnostic, Options, Reader, Rules};
/// use std::io::Read;
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR utf8\n0 NOTE ada@example.org\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default()).with_run_size(1);
/// let (mut repairable, mut said) = (Repairable::new(&Rules::WILD), Vec::new());
/// let mut changes = Changes::default();
/// loop {
///     let mut findings: Vec<Diagnostic> = Vec::new();
///     let Some(part) = reader.next_run(&mut findings)? else { break };
///     said.extend(findings.iter().filter_map(Repairable::about_encoding));
///     let repairs = Repairable::of_part(&part, &findings, &|_| true);
///     changes.append(repairs.changes(&part));
///     repairable.add(repairs);
/// }
/// let decision = reader.decision().expect("there was a part");
/// let changes = repairable.finish(decision, &said, &|_| true).changes_of_header.followed_by(changes);
/// let mut repaired = String::new();
/// ReplacedReader::new(file, &changes.replacements).read_to_string(&mut repaired)?;
/// assert_eq!(repaired, "0 HEAD\n1 CHAR UTF-8\n0 NOTE ada@@example.org\n0 TRLR\n");
/// assert_eq!(changes.removed, ["1 CHAR utf8", "0 NOTE ada@example.org"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// The octets that change, in the order of the file.
    pub replacements: Vec<Replacement>,
    /// The lines that change, by their numbers in the file.
    pub patches: Vec<Patch>,
    /// The text of the lines that go, in their order.
    pub removed: Vec<String>,
}

impl Changes {
    /// The changes of the repairs of a document, or of a part of one.
    pub(super) fn of(document: &Document<'_>, repaired: &RepairedFindings) -> Changes {
        let (source, patches) = (document.source(), repaired.patches());
        // What is safe was read again, and so has been written before.
        let Ok(replacements) = source.replacements(patches.clone()) else { return Changes::default() };
        let lines = patches.clone().flat_map(|patch| patch.lines);
        let removed = lines.map(|line| source.line_text(line).unwrap_or_default().to_owned()).collect();
        Changes { replacements, patches: patches.map(Patch::from).collect(), removed }
    }

    /// Adds those of what stands behind.
    pub fn append(&mut self, behind: Changes) {
        self.replacements.extend(behind.replacements);
        self.patches.extend(behind.patches);
        self.removed.extend(behind.removed);
    }

    /// Returns these, and behind them others.
    #[must_use]
    pub fn followed_by(mut self, behind: Changes) -> Changes {
        self.append(behind);
        self
    }
}
