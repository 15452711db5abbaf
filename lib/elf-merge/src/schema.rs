//! The schema of B: what its tags mean must stay the same in the merged file.

use elf_tagged::{Document, Node};
use std::collections::{HashMap, HashSet};

/// What the merge of two GEDCOM 7 schemas does.
#[derive(Debug, Default)]
pub(crate) struct TagPlan {
    /// The payloads of the TAG lines to be added to the schema of A.
    pub(crate) lines: Vec<String>,
    /// New tags of B's tags, which have another meaning in A.
    pub(crate) new_tags: HashMap<String, String>,
}

/// A TAG line of a schema.
struct TagLine {
    tag: String,
    uri: String,
}

impl TagPlan {
    pub(crate) fn of(a: &Document<'_>, b: &Document<'_>) -> TagPlan {
        let (of_a, of_b) = (tag_lines(a), tag_lines(b));
        let mut plan = TagPlan::default();
        if of_b.is_empty() {
            return plan;
        }
        let mut taken: HashSet<&str> = tags_of(a).chain(of_a.iter().map(|line| &*line.tag)).collect();
        let of_both = tags_of(b).chain(of_b.iter().map(|line| &*line.tag)).chain(taken.iter().copied());
        let mut names: HashSet<String> = of_both.map(str::to_owned).collect();
        let mut by_uri: HashMap<&str, Vec<&str>> = HashMap::new();
        for line in &of_a {
            by_uri.entry(&line.uri).or_default().push(&line.tag);
        }
        for line in &of_b {
            let of_uri = by_uri.get(&*line.uri).map_or(&[] as &[&str], Vec::as_slice);
            match of_uri {
                same if same.contains(&&*line.tag) => {}
                [other, ..] => drop(plan.new_tags.insert(line.tag.clone(), (*other).to_owned())),
                [] if taken.insert(&line.tag) => plan.lines.push(format!("{} {}", line.tag, line.uri)),
                [] => {
                    let new = new_tag(&line.tag, &mut names);
                    plan.lines.push(format!("{new} {}", line.uri));
                    plan.new_tags.insert(line.tag.clone(), new);
                }
            }
        }
        plan
    }
}

/// A tag with a number that neither file has.
fn new_tag(tag: &str, names: &mut HashSet<String>) -> String {
    let free = (2_u64..).map(|number| format!("{tag}{number}")).find(|new| !names.contains(new));
    let new = free.unwrap_or_else(|| tag.to_owned());
    names.insert(new.clone());
    new
}

/// The structures of the header that say what tags mean.
pub(crate) fn schemas_of<'d>(document: &'d Document<'_>) -> Vec<Node<'d>> {
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

fn tag_lines(document: &Document<'_>) -> Vec<TagLine> {
    let schemas = schemas_of(document).into_iter().filter(|node| node.tag() == "SCHMA");
    let lines = schemas.flat_map(Node::substructures).filter(|node| node.tag() == "TAG");
    let parsed = lines.filter_map(|line| {
        let text = line.text();
        let (tag, uri) = text.trim().split_once(char::is_whitespace)?;
        Some(TagLine { tag: tag.to_owned(), uri: uri.trim().to_owned() })
    });
    parsed.collect()
}

/// The extension tags that the structures of a file have.
fn tags_of<'d>(document: &'d Document<'_>) -> impl Iterator<Item = &'d str> {
    document.nodes().map(Node::tag).filter(|tag| tag.starts_with('_'))
}
