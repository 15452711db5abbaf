//! Creates the outline of a file, and searches for people in all open files.

use crate::client::Client;
use crate::document::OpenDocument;
use crate::names::name_of;
use crate::snapshot::Snapshot;
use crate::text::PositionFinder;
use elf_base::Excerpt;
use elf_lineage::folded;
use elf_schema::Node;
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind,
};

/// If a file has more records than this, the outline contains only the records.
const MOST_WITH_CHILDREN: usize = 2_000;

/// The maximum number of symbols that a search returns.
const MOST_FOUND: usize = 200;

/// Returns the records of a file. If the file is not too large, includes the structures under them.
pub(crate) fn document_symbols(document: &OpenDocument, client: Client) -> Option<DocumentSymbolResponse> {
    let snapshot = document.snapshot()?;
    let records: Vec<Node<'_>> = records_in_file(snapshot).collect();
    if !client.has_nested_symbols {
        let mut positions = snapshot.text.positions(client.unit);
        let symbols =
            records.into_iter().map(|record| symbol_information(document, snapshot, record, &mut positions));
        return Some(DocumentSymbolResponse::SymbolInformationList(symbols.collect()));
    }
    let has_children = records.len() <= MOST_WITH_CHILDREN;
    let mut outline = Outline { snapshot, positions: snapshot.text.positions(client.unit) };
    let symbols = records.into_iter().map(|record| {
        let children: Vec<DocumentSymbol> = match has_children {
            true => record.substructures().map(|node| outline.document_symbol(node, Vec::new())).collect(),
            false => Vec::new(),
        };
        outline.document_symbol(record, children)
    });
    Some(DocumentSymbolResponse::DocumentSymbolList(symbols.collect()))
}

/// Finds the records whose names contain all words of `query`. Case and accents are ignored.
pub(crate) fn search_symbols(
    document: &OpenDocument,
    query: &str,
    client: Client,
    found: &mut Vec<SymbolInformation>,
) {
    let Some(snapshot) = document.snapshot() else { return };
    let words: Vec<String> = query.split_whitespace().map(folded).collect();
    let mut positions = snapshot.text.positions(client.unit);
    for record in records_in_file(snapshot) {
        if found.len() >= MOST_FOUND {
            return;
        }
        let name = folded(&record_label(record));
        if words.iter().all(|word| name.contains(&**word)) {
            found.push(symbol_information(document, snapshot, record, &mut positions));
        }
    }
}

fn records_in_file(snapshot: &Snapshot) -> impl Iterator<Item = Node<'_>> {
    snapshot.typed.records().filter(|record| !record.is_inserted())
}

/// Returns the name of a record with its identifier.
fn record_label(record: Node<'_>) -> String {
    let name = name_of(record).unwrap_or_else(|| record.tag().to_owned());
    match record.xref() {
        Some(xref) => format!("{name} @{xref}@"),
        None => name,
    }
}

fn kind_of(node: Node<'_>) -> SymbolKind {
    match node.tag() {
        _ if node.superstructure().is_some() => SymbolKind::Field,
        "INDI" => SymbolKind::Class,
        "FAM" => SymbolKind::Interface,
        "SOUR" | "REPO" => SymbolKind::Module,
        "OBJE" => SymbolKind::File,
        "NOTE" | "SNOTE" => SymbolKind::String,
        _ => SymbolKind::Object,
    }
}

#[allow(deprecated, reason = "the type has a field that the protocol replaces by tags")]
fn symbol_information(
    document: &OpenDocument,
    snapshot: &Snapshot,
    record: Node<'_>,
    positions: &mut PositionFinder<'_>,
) -> SymbolInformation {
    let range = positions.range(snapshot.range_of(record.line_span()));
    SymbolInformation {
        deprecated: None,
        location: Location { uri: document.uri.clone(), range },
        base_symbol_information: BaseSymbolInformation {
            name: record_label(record),
            kind: kind_of(record),
            tags: None,
            container_name: document
                .path
                .as_ref()
                .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned())),
        },
    }
}

struct Outline<'s> {
    snapshot: &'s Snapshot,
    positions: PositionFinder<'s>,
}

impl Outline<'_> {
    #[allow(deprecated, reason = "the type has a field that the protocol replaces by tags")]
    fn document_symbol(&mut self, node: Node<'_>, children: Vec<DocumentSymbol>) -> DocumentSymbol {
        let is_record = node.superstructure().is_none();
        let selected = if is_record { node.line_span() } else { node.tag_span() };
        let range = self.positions.range(self.snapshot.lines_of(node));
        let selection_range = self.positions.range(self.snapshot.range_of(selected));
        let (name, detail) = match is_record {
            true => (record_label(node), node.tag().to_owned()),
            false => (node.tag().to_owned(), symbol_detail(node)),
        };
        DocumentSymbol {
            name: if name.is_empty() { "?".to_owned() } else { name },
            detail: (!detail.is_empty()).then_some(detail),
            kind: kind_of(node),
            tags: None,
            deprecated: None,
            range,
            selection_range,
            children: (!children.is_empty()).then_some(children),
        }
    }
}

/// Returns the payload of a structure, or the date of an event.
fn symbol_detail(node: Node<'_>) -> String {
    let payload = node.payload().into_value();
    let date = || node.substructure("DATE").map(Node::text).unwrap_or_default();
    let text = if payload.is_empty() || payload == "Y" { date() } else { payload };
    Excerpt::short(text.lines().next().unwrap_or_default()).into_owned()
}
