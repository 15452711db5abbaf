//! Writes the header.

use super::Writer;
use crate::decisions::{Decisions, From7Decisions, To7Decisions};
use crate::header_losses;
use crate::remarks::{self, Remark};
use crate::target::Target;
use crate::unstated;
use elf_base::{Sink, codes};
use elf_schema::TypedDocument;
use elf_tagged::Node;

impl Writer<'_> {
    /// Writes the header (MG01, MG02, MG03).
    pub(super) fn write_header(&mut self, part: &TypedDocument<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        let migration = self.migration;
        self.write_line(out, 0, "HEAD", "");
        self.write_line(out, 1, "GEDC", "");
        let mut schema = Vec::new();
        match &migration.decisions {
            Decisions::To7(decisions) => {
                self.write_line(out, 2, "VERS", "7.0");
                self.write_schema_of_7(decisions, &mut schema);
            }
            Decisions::From7(decisions) => {
                self.write_line(out, 2, "VERS", "5.5.1");
                self.write_line(out, 2, "FORM", "LINEAGE-LINKED");
                self.write_line(out, 1, "CHAR", "UTF-8");
                if migration.target == Target::Elf {
                    self.write_schema_of_elf(decisions, &mut schema);
                }
            }
        }
        let losses = header_losses::find_header_losses(migration, part);
        self.summary.losses += remarks::report(losses, part.document(), &self.rules, sink);
        let Some(head) = part.document().head() else {
            out.append(&mut schema);
            return;
        };
        self.origins.add_record(1, part.document().line_places().place(head, head.tag_span()));
        self.report_replaced_tags(part, head, sink);
        // The schema comes first, as in the files of other writers.
        out.append(&mut schema);
        self.write_header_substructures(part, head, out, sink);
        if migration.target == Target::Gedcom551 {
            self.write_unstated(part, head, out, sink);
        }
    }

    /// Writes the substructures that the header has in the file.
    fn write_header_substructures(
        &mut self,
        part: &TypedDocument<'_>,
        head: Node<'_>,
        out: &mut Vec<u8>,
        sink: &mut dyn Sink,
    ) {
        // The line of the header itself is already written.
        self.summary.lines -= 1;
        let mut written = Vec::new();
        self.write_record(part, head, &mut written, sink);
        self.summary.records -= 1;
        let line = written.iter().position(|byte| b"\r\n".contains(byte));
        if let Some(line) = line {
            out.extend_from_slice(&written[line + self.lines.line_break.len()..]);
        }
    }

    fn report_replaced_tags(&self, part: &TypedDocument<'_>, head: Node<'_>, sink: &mut dyn Sink) {
        let Decisions::To7(decisions) = &self.migration.decisions else { return };
        let replaced = decisions.extensions.replaced_tags().map(|one| {
            let message = format!("tag `{}` renamed to `{}` where it means `{}`", one.tag, one.made, one.iri);
            Remark { origin: head.id(), code: codes::STRUCTURE_REARRANGED, message }
        });
        remarks::report(replaced.collect(), part.document(), &self.rules, sink);
    }

    /// Writes placeholders for the program and the submitter that GEDCOM 5.5.1 requires, if the file names none.
    fn write_unstated(
        &mut self,
        part: &TypedDocument<'_>,
        head: Node<'_>,
        out: &mut Vec<u8>,
        sink: &mut dyn Sink,
    ) {
        let Decisions::From7(decisions) = &self.migration.decisions else { return };
        let mut added = Vec::new();
        if !unstated::has_program(head) {
            self.write_line(out, 1, "SOUR", unstated::NAME);
            added.push("SOUR");
        }
        self.lacks_submitter = !unstated::has_submitter(head);
        if let Some(xref) = decisions.unstated.as_deref().filter(|_| self.lacks_submitter) {
            self.write_line(out, 1, "SUBM", &format!("@{xref}@"));
            added.push("SUBM");
        }
        let added = added.into_iter().map(|tag| {
            let message = format!("{tag} {} added: GEDCOM 5.5.1 requires {tag}", unstated::NAME);
            Remark { origin: head.id(), code: codes::STRUCTURE_REARRANGED, message }
        });
        remarks::report(added.collect(), part.document(), &self.rules, sink);
    }

    /// Writes the schema of GEDCOM 7.0: its extension tags (MG102).
    fn write_schema_of_7(&mut self, decisions: &To7Decisions, out: &mut Vec<u8>) {
        for (at, (tag, iri)) in decisions.extensions.tags_with_iris().enumerate() {
            if at == 0 {
                self.write_line(out, 1, "SCHMA", "");
            }
            self.write_line(out, 2, "TAG", &format!("{tag} {iri}"));
        }
    }

    /// Writes a schema of ELF with the types of extensions (MG102).
    fn write_schema_of_elf(&mut self, decisions: &From7Decisions, out: &mut Vec<u8>) {
        if decisions.types.is_empty() {
            return;
        }
        self.write_line(out, 1, "SCHMA", "");
        self.write_line(out, 2, "SCHMA", elf_schema::DATA_MODEL);
        for (iri, places) in &decisions.types {
            self.write_line(out, 2, "IRI", iri);
            for place in places {
                let tag = decisions.renamed_tags.get(&place.tag).unwrap_or(&place.tag);
                self.write_line(out, 3, "TAG", &format!("{tag} {}", place.parent));
            }
        }
    }
}
