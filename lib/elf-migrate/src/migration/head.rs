//! The header of a file that is written.

use super::{Target, Writer};
use crate::header;
use crate::remarks::{self, Remark};
use crate::unstated;
use elf_base::{Sink, codes};
use elf_schema::Run;
use elf_tagged::Node;

impl Writer<'_> {
    /// Writes the header.
    pub(super) fn start(&mut self, part: &Run<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        self.is_started = true;
        self.line(out, 0, "HEAD", "");
        self.line(out, 1, "GEDC", "");
        let mut schema = Vec::new();
        match self.migration.target {
            Target::Gedcom7 => {
                self.line(out, 2, "VERS", "7.0");
                self.tags(&mut schema);
            }
            Target::Gedcom551 | Target::Elf => {
                self.line(out, 2, "VERS", "5.5.1");
                self.line(out, 2, "FORM", "LINEAGE-LINKED");
                self.line(out, 1, "CHAR", "UTF-8");
                if self.migration.target == Target::Elf {
                    self.schema(&mut schema);
                }
            }
        }
        self.summary.losses +=
            remarks::report(header::unsaid(self.migration, part), part.document(), &self.rules, sink);
        let Some(head) = part.document().head() else {
            out.append(&mut schema);
            return;
        };
        self.origins.meet(1, part.document().line_places().place(head, head.tag_span()));
        if self.migration.target == Target::Gedcom7 {
            let respelled = self.migration.extensions.respelled().map(|(tag, iri, made)| {
                let message = format!("`{tag}` is written `{made}` where it means `{iri}`");
                Remark { origin: head.id(), code: codes::STRUCTURE_REARRANGED, message }
            });
            remarks::report(respelled.collect(), part.document(), &self.rules, sink);
        }
        // The first line of the record stands there already.
        self.summary.lines -= 1;
        let mut written = Vec::new();
        self.record(part, head, &mut written, sink);
        let length = written.iter().position(|octet| b"\r\n".contains(octet)).unwrap_or(written.len());
        let rest = written.get(length + self.lines.line_break.len()..).unwrap_or_default();
        // A writer that writes it once more has the schema there too.
        out.append(&mut schema);
        out.extend_from_slice(rest);
        self.summary.records -= 1;
        if self.migration.target == Target::Gedcom551 {
            self.state(part, head, out, sink);
        }
    }

    /// Writes what GEDCOM 5.5.1 wants in a header, and the file does not say.
    fn state(&mut self, part: &Run<'_>, head: Node<'_>, out: &mut Vec<u8>, sink: &mut dyn Sink) {
        let [lacks_program, lacks_submitter] = unstated::lacks(head);
        self.lacks_submitter = lacks_submitter;
        if lacks_program {
            self.line(out, 1, "SOUR", unstated::NAME);
        }
        if let Some(xref) = self.migration.unstated.as_deref().filter(|_| lacks_submitter) {
            self.line(out, 1, "SUBM", &format!("@{xref}@"));
        }
        let found =
            [("SOUR", lacks_program), ("SUBM", lacks_submitter)].into_iter().filter(|(_, lacks)| *lacks);
        let found = found.map(|(tag, _)| {
            let message = format!("{tag} {} is added, since GEDCOM 5.5.1 wants one", unstated::NAME);
            Remark { origin: head.id(), code: codes::STRUCTURE_REARRANGED, message }
        });
        remarks::report(found.collect(), part.document(), &self.rules, sink);
    }

    pub(super) fn line(&mut self, out: &mut Vec<u8>, level: usize, tag: &str, payload: &str) {
        self.lines.line(out, level, tag, payload);
        self.summary.lines += 1;
    }

    /// Writes the schema of GEDCOM 7.0.
    fn tags(&mut self, out: &mut Vec<u8>) {
        for (at, (tag, iri)) in self.migration.extensions.entries().enumerate() {
            if at == 0 {
                self.line(out, 1, "SCHMA", "");
            }
            self.line(out, 2, "TAG", &format!("{tag} {iri}"));
        }
    }

    /// Writes the schema that says what extension tags mean.
    fn schema(&mut self, out: &mut Vec<u8>) {
        let types = &self.migration.types;
        if types.is_empty() {
            return;
        }
        self.line(out, 1, "SCHMA", "");
        self.line(out, 2, "SCHMA", elf_schema::DATA_MODEL);
        for (iri, tags) in types {
            self.line(out, 2, "IRI", iri);
            for (tag, above) in tags {
                let tag = self.migration.renamed_tags.get(tag).unwrap_or(tag);
                self.line(out, 3, "TAG", &format!("{tag} {above}"));
            }
        }
    }
}
