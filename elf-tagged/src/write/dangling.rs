//! Decides how pointers that do not refer to a record are written, so that the file is valid under its own rules.

use super::payload::PreservedEscapes;
use super::reports::Reports;
use super::{WriteError, WriteOptions, Writer, is_special_tag, shorten};
use crate::is_external_pointer;
use elf_base::rules::PointerTargets;
use elf_base::{Rules, codes};
use elf_lines::VOID;
use std::collections::HashSet;
use std::io;

/// The target of a pointer that does not refer to a record of the file. [`Content::Dangling`](super::Content::Dangling)
/// contains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DanglingTarget {
    /// No structure has the identifier, neither in the input nor in the output.
    Nowhere,
    /// The structure with the identifier is left out, or loses its identifier. A pointer to such a structure is always
    /// a loss, even if the pointer itself can be written.
    ToWhatIsLeftOut,
    /// The structure with the identifier is not a record.
    ToSubstructure,
}

/// The form in which a pointer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PointerForm {
    /// The pointer is written unchanged.
    Pointer,
    /// The pointer is written unchanged, and a record with its identifier is written at the end (J19 §5.1).
    Undefined,
    /// The pointer becomes text.
    Text,
    /// The pointer becomes `@VOID@`, which refers to no record (GEDCOM 7.0 *Lines*).
    Void,
}

pub(super) fn restricts_targets(rules: &Rules) -> bool {
    [DanglingTarget::Nowhere, DanglingTarget::ToSubstructure]
        .into_iter()
        .any(|leads| form_of_dangling("", leads, rules) != PointerForm::Pointer)
}

/// Returns the form in which a pointer is written under `rules`. The pointer is written unchanged if the rules allow
/// its target.
fn form_of_dangling(id: &str, leads: DanglingTarget, rules: &Rules) -> PointerForm {
    let may_stand = match (rules.write.pointers, leads) {
        _ if rules.write.keeps_faults => true,
        (PointerTargets::Identifiers, DanglingTarget::Nowhere | DanglingTarget::ToWhatIsLeftOut) => {
            !is_external_pointer(id)
        }
        (PointerTargets::Identifiers | PointerTargets::Structures, DanglingTarget::ToSubstructure) => true,
        (PointerTargets::Structures, DanglingTarget::Nowhere | DanglingTarget::ToWhatIsLeftOut)
        | (PointerTargets::Records, _) => false,
    };
    match leads {
        _ if may_stand => PointerForm::Pointer,
        _ if rules.tagged.void_pointer => PointerForm::Void,
        DanglingTarget::Nowhere | DanglingTarget::ToWhatIsLeftOut
            if rules.tagged.xref_errors.inserts_records() =>
        {
            PointerForm::Undefined
        }
        DanglingTarget::Nowhere | DanglingTarget::ToWhatIsLeftOut | DanglingTarget::ToSubstructure => {
            PointerForm::Text
        }
    }
}

/// Returns whether every draft allows a structure with this tag anywhere among the data.
///
/// ```
/// use elf_tagged::write::is_ordinary;
/// assert!(is_ordinary("NOTE") && !is_ordinary("CONT") && !is_ordinary("x y"));
/// ```
pub fn is_ordinary(tag: &str) -> bool {
    elf_lines::is_tag(tag) && !is_special_tag(tag)
}

impl Writer<'static, io::Sink> {
    /// Creates a writer that writes and reports nothing. Use this writer to find out which identifiers a file under
    /// `rules` will not contain, because their structures are left out or cannot have an identifier.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`](super::OptionError) if the options are impossible.
    ///
    /// ```
    /// use elf_tagged::Rules;
    /// use elf_tagged::write::{Content, WriteOptions, Writer};
    ///
    /// let mut rehearsal = Writer::rehearsal(&Rules::OCTOBER_2017, &WriteOptions::new())?;
    /// rehearsal.structure(0, Some("D1"), "DEFN", Content::None)?;
    /// rehearsal.structure(0, Some("I1"), "INDI", Content::None)?;
    /// assert!(rehearsal.into_absent_identifiers().into_iter().eq([Box::from("D1")]));
    /// # Ok::<(), elf_tagged::write::WriteError>(())
    /// ```
    pub fn rehearsal(rules: &Rules, options: &WriteOptions) -> Result<Writer<'static, io::Sink>, WriteError> {
        let mut writer = Writer::with_reports(io::sink(), rules, options, Reports::Nobody)?;
        writer.absent = Some(HashSet::new());
        Ok(writer)
    }

    /// Returns the identifiers that the file will not contain.
    pub fn into_absent_identifiers(self) -> HashSet<Box<str>> {
        self.absent.unwrap_or_default()
    }
}

impl<W: io::Write> Writer<'_, W> {
    /// Returns whether the rules restrict the targets of pointers.
    pub fn restricts_pointers(&self) -> bool {
        restricts_targets(&self.rules)
    }

    /// Writes a pointer after the tag of the current structure. `leads` is its target, if the target is not a record.
    pub(super) fn write_pointer(&mut self, id: &str, leads: Option<DanglingTarget>, tag: &str) {
        let is_void = id == VOID && self.rules.tagged.void_pointer;
        if is_void && leads == Some(DanglingTarget::Nowhere) {
            return self.write_kept_pointer(id, PointerForm::Pointer);
        }
        if self.renaming.is_renamed(id) {
            return self.report_renamed_pointer(id, leads, tag);
        }
        if is_void && leads.is_none() {
            return self.write_kept_pointer(id, PointerForm::Pointer);
        }
        self.write_pointer_as(id, id, leads, tag);
    }

    /// Writes a pointer whose identifier is `old` in the document and `id` in the file.
    fn write_pointer_as(&mut self, id: &str, old: &str, leads: Option<DanglingTarget>, tag: &str) {
        let shown = shorten(old);
        if !self.is_xref(id) {
            let message = format!("the pointer `@{shown}@` cannot be written");
            return self.replace_pointer(id, tag, &message);
        }
        let fate = leads.map_or(PointerForm::Pointer, |leads| form_of_dangling(id, leads, &self.rules));
        match (fate, leads) {
            (PointerForm::Text | PointerForm::Void, Some(DanglingTarget::ToSubstructure)) => {
                let message = format!("the pointer `@{shown}@` refers to a structure that is not a record");
                self.replace_pointer(id, tag, &message);
            }
            (PointerForm::Text | PointerForm::Void, _) => {
                let message = format!("no record has the identifier `@{shown}@`");
                self.replace_pointer(id, tag, &message);
            }
            (_, Some(DanglingTarget::ToWhatIsLeftOut)) => {
                let message = format!("the structure `@{shown}@` is left out or loses its identifier");
                self.write_unresolved_pointer(id, tag, &message, fate);
            }
            _ => self.write_kept_pointer(id, fate),
        }
    }

    /// Writes a pointer unchanged. If a record must be written for it, stores its identifier.
    fn write_kept_pointer(&mut self, id: &str, fate: PointerForm) {
        if fate == PointerForm::Undefined && !self.undefined.contains(id) {
            self.undefined.insert(id.into());
        }
        self.lines.push_pointer(id);
        self.record_open_pointer();
    }

    /// Writes a pointer that no longer refers to its structure, and reports the loss.
    #[cold]
    fn write_unresolved_pointer(&mut self, id: &str, tag: &str, because: &str, fate: PointerForm) {
        let message = format!("{because}: the pointer of `{}` becomes unresolved", shorten(tag));
        self.lose(codes::POINTER_CANNOT_BE_WRITTEN, message);
        self.write_kept_pointer(id, fate);
    }

    /// Reports a pointer whose identifier was renamed.
    #[cold]
    fn report_renamed_pointer(&mut self, id: &str, leads: Option<DanglingTarget>, tag: &str) {
        if let Some(new) = self.renaming.renamed(id).map(Box::<str>::from) {
            return self.write_pointer_as(&new, id, leads, tag);
        }
        // After the renaming, no structure has this identifier.
        let message = match leads {
            Some(DanglingTarget::Nowhere) => format!("the pointer `@{}@` is unresolved", shorten(id)),
            _ => format!("several structures have the identifier `@{}@`", shorten(id)),
        };
        let fate = form_of_dangling(id, DanglingTarget::Nowhere, &self.rules);
        if matches!(fate, PointerForm::Text | PointerForm::Void) || !self.is_xref(id) {
            return self.replace_pointer(id, tag, &message);
        }
        match leads {
            Some(DanglingTarget::Nowhere) => self.write_kept_pointer(id, fate),
            _ => self.write_unresolved_pointer(id, tag, &message, fate),
        }
    }

    /// Writes a pointer as text, so that it is not lost (D19 *Payloads*). If the rules have the pointer `@VOID@`,
    /// writes that instead (GEDCOM 7.0 *Lines*).
    fn replace_pointer(&mut self, id: &str, tag: &str, because: &str) {
        if self.rules.tagged.void_pointer {
            let message = format!("{because}: the pointer of `{}` is replaced by `@VOID@`", shorten(tag));
            self.lose(codes::POINTER_CANNOT_BE_WRITTEN, message);
            return self.write_kept_pointer(VOID, PointerForm::Pointer);
        }
        let message = format!("{because}: the pointer of `{}` is written as text", shorten(tag));
        self.lose(codes::POINTER_CANNOT_BE_WRITTEN, message);
        let text = format!("@{id}@");
        self.text(&text, PreservedEscapes::default(), tag);
    }

    /// Writes empty records for unresolved pointers, one for each identifier (J19 §5.1).
    pub(super) fn write_undefined_records(&mut self) {
        for id in std::mem::take(&mut self.undefined) {
            self.lines.start_structure(0, Some(&id), "UNDEF");
            self.lines.end_line();
            self.record_structure(0);
        }
    }

    /// Stores an identifier that its structure loses.
    pub(super) fn add_lost_identifier(&mut self, xref: Option<&str>) {
        if let (Some(absent), Some(xref)) = (&mut self.absent, xref) {
            absent.insert(xref.into());
        }
    }
}
