//! Finds places in the file for many lines of a document.

use super::Document;
use crate::read::tree::Node;
use crate::read::xref::PlaceFinder;
use elf_base::{Excerpt, Place, Span};

/// Finds places in the lines of nodes. This is faster than a [locator](Document::locator) if each line of the document
/// is a node.
///
/// ```
/// use elf_tagged::Document;
///
/// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n0 TRLR\n")?;
/// let sex = document.records().next().and_then(|person| person.substructure("SEX")).expect("one");
/// let place = document.line_places().place(sex, sex.payload_span());
/// assert_eq!(place, document.locator().place(sex.payload_span()));
/// assert_eq!((place.octet, place.line, place.column), (25, 3, 7));
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Debug)]
pub struct LinePlaces<'d> {
    document: &'d Document<'d>,
    finder: PlaceFinder<'d>,
}

impl<'d> LinePlaces<'d> {
    pub(super) fn of(document: &'d Document<'_>) -> LinePlaces<'d> {
        LinePlaces { document, finder: PlaceFinder::new(&document.source, &document.nodes) }
    }

    /// Returns the place of a span in the line of a node.
    pub fn place(&mut self, node: Node<'_>, span: Span) -> Place {
        self.finder.place(self.document.view(), node.id().get(), span)
    }

    /// Returns the line of a node, or a part of it, for a finding about a span.
    pub fn excerpt(&mut self, node: Node<'_>, span: Span) -> Option<Excerpt> {
        let place = self.finder.place_without_table(self.document.view(), node.id().get(), span);
        let line = node.line_span();
        match place.zip(span.start.checked_sub(line.start)) {
            Some((place, start)) => {
                Some(Excerpt::around(line.of(self.document.text()), start as usize, place.column))
            }
            None => self.finder.locator().excerpt(span),
        }
    }
}
