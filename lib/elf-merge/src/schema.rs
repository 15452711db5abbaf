//! Merges schemas, so that B's tags keep their meaning in the merged file.

use elf_tagged::{Document, Node};
use std::collections::{HashMap, HashSet};

/// The result of merging two GEDCOM 7 schemas.
#[derive(Debug, Default)]
pub(crate) struct SchemaMerge {
    /// The payloads of the TAG lines to add to the schema of A.
    pub(crate) lines: Vec<String>,
    /// New names for B's tags that have another meaning in A.
    pub(crate) new_tags: HashMap<String, String>,
}

struct TagLine {
    tag: String,
    uri: String,
}

impl SchemaMerge {
    pub(crate) fn of(a: &Document<'_>, b: &Document<'_>) -> SchemaMerge {
        let (of_a, of_b) = (read_tag_lines(a), read_tag_lines(b));
        let mut plan = SchemaMerge::default();
        if of_b.is_empty() {
            return plan;
        }
        let mut taken: HashSet<&str> =
            find_extension_tags(a).chain(of_a.iter().map(|line| &*line.tag)).collect();
        let of_both =
            find_extension_tags(b).chain(of_b.iter().map(|line| &*line.tag)).chain(taken.iter().copied());
        let mut names: HashSet<String> = of_both.map(str::to_owned).collect();
        let mut by_uri: HashMap<&str, Vec<&str>> = HashMap::new();
        for line in &of_a {
            by_uri.entry(&line.uri).or_default().push(&line.tag);
        }
        let mut iris_of_b: HashMap<&str, usize> = HashMap::new();
        of_b.iter().for_each(|line| *iris_of_b.entry(&line.tag).or_default() += 1);
        let mut known: HashSet<(&str, &str)> = of_a.iter().map(|line| (&*line.tag, &*line.uri)).collect();
        // Tags of B that keep their names: no structure of A has them, or A gives them one of their URIs.
        let is_shared = |line: &&TagLine| known.contains(&(&*line.tag, &*line.uri));
        let mut kept: HashSet<&str> = of_b.iter().filter(is_shared).map(|line| &*line.tag).collect();
        for line in of_b.iter().filter(|line| known.insert((&line.tag, &line.uri))) {
            let has_several = iris_of_b.get(&*line.tag).is_some_and(|count| *count > 1);
            let other = by_uri.get(&*line.uri).and_then(|tags| tags.first()).filter(|_| !has_several);
            if let Some(other) = other {
                plan.new_tags.insert(line.tag.clone(), (*other).to_owned());
            } else if kept.contains(&*line.tag) || taken.insert(&line.tag) {
                kept.insert(&line.tag);
                plan.lines.push(format!("{} {}", line.tag, line.uri));
            } else {
                let new = plan.new_tags.entry(line.tag.clone());
                let new = new.or_insert_with(|| choose_new_tag(&line.tag, &mut names));
                plan.lines.push(format!("{new} {}", line.uri));
            }
        }
        plan
    }
}

/// Returns a tag with a number that neither file uses.
fn choose_new_tag(tag: &str, names: &mut HashSet<String>) -> String {
    let free = (2_u64..).map(|number| format!("{tag}{number}")).find(|new| !names.contains(new));
    let new = free.unwrap_or_else(|| tag.to_owned());
    names.insert(new.clone());
    new
}

/// Returns the structures of the header that define tags.
pub(crate) fn find_schemas<'d>(document: &'d Document<'_>) -> Vec<Node<'d>> {
    let in_header = document.head().into_iter().flat_map(Node::substructures);
    let all = document.serialisation_metadata().chain(in_header);
    let mut found: Vec<Node<'d>> = Vec::new();
    for node in all.filter(|node| ["SCHMA", "PRFX", "DEFN"].contains(&node.tag()) && !node.is_inserted()) {
        if found.iter().all(|other| other.id() != node.id()) {
            found.push(node);
        }
    }
    found
}

fn read_tag_lines(document: &Document<'_>) -> Vec<TagLine> {
    let schemas = find_schemas(document).into_iter().filter(|node| node.tag() == "SCHMA");
    let lines = schemas.flat_map(Node::substructures).filter(|node| node.tag() == "TAG");
    let parsed = lines.filter_map(|line| {
        let text = line.text();
        let (tag, uri) = text.trim().split_once(char::is_whitespace)?;
        Some(TagLine { tag: tag.to_owned(), uri: uri.trim().to_owned() })
    });
    parsed.collect()
}

/// Returns the extension tags in a file.
fn find_extension_tags<'d>(document: &'d Document<'_>) -> impl Iterator<Item = &'d str> {
    document.nodes().map(Node::tag).filter(|tag| tag.starts_with('_'))
}
