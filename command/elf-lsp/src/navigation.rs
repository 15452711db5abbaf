//! Follows pointers to records and back: definition, references, highlights, rename.

use crate::client::Client;
use crate::document::OpenDocument;
use crate::edits::edits_of;
use crate::error::RequestError;
use crate::snapshot::{LinePart, Snapshot};
use crate::text::{ColumnUnit, PositionFinder};
use elf_edit::Editor;
use elf_schema::Node;
use gen_lsp_types::{
    Definition, DefinitionResponse, DocumentHighlight, DocumentHighlightKind, Location, Position,
    PrepareRenamePlaceholder, PrepareRenameResult, WorkspaceEdit,
};
use std::ops::Range;

/// Returns the record that the identifier at a position names. Returns all of them if several records have the
/// identifier, and `None` for the pointer `@VOID@` of GEDCOM 7: editors also ask when the mouse moves, and would show an
/// error.
pub(crate) fn find_definition(
    document: &OpenDocument,
    position: Position,
    unit: ColumnUnit,
) -> Option<DefinitionResponse> {
    let named = NamedIdentifier::at(document, position, unit).filter(|named| !named.is_void)?;
    let locations: Vec<Location> =
        named.ranges_in_records().map(|range| named.location_of(document, range, unit)).collect();
    let found = Some(locations).filter(|locations| !locations.is_empty());
    found.map(|locations| DefinitionResponse::Definition(Definition::LocationList(locations)))
}

/// Returns the pointers with the identifier at a position. Includes the record that has the
/// identifier, if the client asks for it.
pub(crate) fn find_references(
    document: &OpenDocument,
    position: Position,
    with_record: bool,
    unit: ColumnUnit,
) -> Option<Vec<Location>> {
    let named = NamedIdentifier::at(document, position, unit)?;
    let records = named.ranges_in_records().filter(|_| with_record);
    let mut ranges: Vec<Range<usize>> = records.chain(named.ranges_in_pointers()).collect();
    ranges.sort_by_key(|range| range.start);
    Some(ranges.into_iter().map(|range| named.location_of(document, range, unit)).collect())
}

/// Returns all places of the identifier at a position.
pub(crate) fn find_highlights(
    document: &OpenDocument,
    position: Position,
    unit: ColumnUnit,
) -> Option<Vec<DocumentHighlight>> {
    let named = NamedIdentifier::at(document, position, unit)?;
    let mut positions = document.text.positions(unit);
    let mut highlight = |range, kind| DocumentHighlight { range: positions.range(range), kind: Some(kind) };
    let mut all: Vec<DocumentHighlight> =
        named.ranges_in_records().map(|range| highlight(range, DocumentHighlightKind::Write)).collect();
    all.extend(named.ranges_in_pointers().map(|range| highlight(range, DocumentHighlightKind::Read)));
    Some(all)
}

/// Returns the identifier at a position, if there is one. Fails if it cannot be renamed.
pub(crate) fn prepare_rename(
    document: &OpenDocument,
    position: Position,
    unit: ColumnUnit,
) -> Result<Option<PrepareRenameResult>, RequestError> {
    document.refuse_if_misread()?;
    let Some(named) = NamedIdentifier::at(document, position, unit) else { return Ok(None) };
    // To its own name, every identifier can be renamed that can be renamed at all.
    named.rename(&named.identifier)?;
    let range = document.text.positions(unit).range(named.range.clone());
    let placeholder = PrepareRenamePlaceholder { range, placeholder: named.identifier };
    Ok(Some(PrepareRenameResult::PrepareRenamePlaceholder(placeholder)))
}

/// Returns the edit that renames the identifier at a position and updates all pointers to it.
pub(crate) fn rename_identifier(
    document: &OpenDocument,
    position: Position,
    new: &str,
    client: Client,
) -> Result<WorkspaceEdit, RequestError> {
    document.refuse_if_misread()?;
    let named = NamedIdentifier::at(document, position, client.unit)
        .ok_or_else(|| RequestError::failed("there is no identifier here"))?;
    let editor = named.rename(new.trim().trim_matches('@'))?;
    let edited = editor.finish_quietly().map_err(|error| RequestError::failed(error.to_string()))?;
    Ok(client.edit_of(document, edits_of(named.snapshot, &edited.patches, client.unit)))
}

/// The identifier at a position.
struct NamedIdentifier<'s> {
    snapshot: &'s Snapshot,
    identifier: String,
    /// The offsets of the identifier at the position.
    range: Range<usize>,
    /// True if the position is in the pointer `@VOID@` of GEDCOM 7, which refers to no record.
    is_void: bool,
}

impl<'s> NamedIdentifier<'s> {
    fn at(document: &'s OpenDocument, position: Position, unit: ColumnUnit) -> Option<NamedIdentifier<'s>> {
        let snapshot = document.snapshot()?;
        let spot = snapshot.spot(snapshot.text.offset(position, unit))?;
        let (identifier, range) = snapshot.identifier_at(&spot)?;
        let header = snapshot.typed.document().header();
        let is_void = spot.part == LinePart::Payload && header.is_void(&identifier);
        Some(NamedIdentifier { snapshot, identifier, range, is_void })
    }

    /// Renames the identifier in an editor that has no other changes.
    fn rename(&self, new: &str) -> Result<Editor<'s>, RequestError> {
        if self.is_void {
            return Err(RequestError::failed("`@VOID@` points to nothing on purpose"));
        }
        let mut editor = Editor::new(self.snapshot.typed.document());
        let renamed = editor.rename(&self.identifier, new);
        renamed.map_err(|error| RequestError::failed(error.to_string()))?;
        Ok(editor)
    }

    /// The offsets of the identifier in the records that have it.
    fn ranges_in_records(&self) -> impl Iterator<Item = Range<usize>> {
        let nodes = self.snapshot.typed.document().nodes_with_xref();
        let bearers = nodes.filter(|node| node.xref() == Some(&self.identifier) && !node.is_inserted());
        bearers.map(|node: Node<'_>| self.snapshot.without_at_signs(self.snapshot.range_of_identifier(node)))
    }

    /// The offsets of the identifier in pointers.
    fn ranges_in_pointers(&self) -> impl Iterator<Item = Range<usize>> {
        let pointers = self.snapshot.pointers_to(&self.identifier);
        pointers.map(|node| self.snapshot.without_at_signs(self.snapshot.range_of(node.payload_span())))
    }

    fn location_of(&self, document: &OpenDocument, range: Range<usize>, unit: ColumnUnit) -> Location {
        let mut positions: PositionFinder<'_> = self.snapshot.text.positions(unit);
        Location { uri: document.uri.clone(), range: positions.range(range) }
    }
}
