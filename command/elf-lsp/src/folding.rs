//! Finds structures that the editor can fold.

use crate::client::Client;
use crate::document::OpenDocument;
use crate::text::protocol_number;
use gen_lsp_types::FoldingRange;

struct FoldableStructure {
    depth: usize,
    start: usize,
    end: usize,
}

/// Returns the structures with several lines. If the client supports fewer ranges, the outer
/// structures are returned.
pub(crate) fn folding_ranges(document: &OpenDocument, client: Client) -> Option<Vec<FoldingRange>> {
    let snapshot = document.snapshot()?;
    let mut folds = Vec::new();
    // The last lines of the structures that contain the current node.
    let mut open: Vec<u32> = Vec::new();
    for node in snapshot.typed.document().nodes().filter(|node| !node.is_inserted()) {
        while open.pop_if(|end| *end <= node.id().get()).is_some() {}
        let Some(last) = node.subtree_lines().next_back().filter(|last| *last != node) else { continue };
        let [start, end] = [node, last].map(|node| snapshot.line_of(node));
        if end > start {
            folds.push(FoldableStructure { depth: open.len(), start, end });
        }
        open.push(node.subtree_end().get());
    }
    let most = client.most_folds.map_or(folds.len(), |most| most as usize);
    if folds.len() > most {
        folds.sort_by_key(|fold| (fold.depth, fold.start));
        folds.truncate(most);
        folds.sort_by_key(|fold| fold.start);
    }
    let range = |fold: FoldableStructure| FoldingRange {
        start_line: protocol_number(fold.start),
        end_line: protocol_number(fold.end),
        ..FoldingRange::default()
    };
    Some(folds.into_iter().map(range).collect())
}
