//! Merges schemas, so that B's tags keep their meaning in the merged file.

use elf_schema::Schema;
use elf_tagged::{Document, Node};
use std::collections::{BTreeSet, HashMap, HashSet};

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
        let (uris_of_a, uris_of_b) = (group_by_tag(&of_a), group_by_tag(&of_b));
        let taken: HashSet<&str> = find_extension_tags(a).chain(of_a.iter().map(|line| &*line.tag)).collect();
        let of_both =
            find_extension_tags(b).chain(of_b.iter().map(|line| &*line.tag)).chain(taken.iter().copied());
        let mut names: HashSet<String> = of_both.map(str::to_owned).collect();
        let tags_of_a = find_tags_with_one_uri(&of_a, &uris_of_a, &uris_of_b);
        let mut kept: HashSet<&str> = HashSet::new();
        let mut met: HashSet<(&str, &str)> = HashSet::new();
        for line in of_b.iter().filter(|line| met.insert((&line.tag, &line.uri))) {
            let tag = &*line.tag;
            let is_first = !kept.contains(tag) && !plan.new_tags.contains_key(tag);
            if is_first {
                let (in_a, in_b) = (uris_of_a.get(tag), &uris_of_b[tag]);
                let other = tags_of_a.get(&*line.uri).filter(|_| in_b.len() == 1);
                if in_a.is_some_and(|in_a| can_share_tag(in_a, in_b)) {
                    kept.insert(tag);
                } else if let Some(other) = other {
                    plan.new_tags.insert(tag.to_owned(), (*other).to_owned());
                } else if taken.contains(tag) {
                    plan.new_tags.insert(tag.to_owned(), choose_new_tag(tag, &mut names));
                } else {
                    kept.insert(tag);
                }
            }
            let new = plan.new_tags.get(tag).map_or(tag, String::as_str);
            let is_in_a = uris_of_a.get(new).is_some_and(|uris| uris.contains(&*line.uri));
            if !is_in_a {
                plan.lines.push(format!("{new} {}", line.uri));
            }
        }
        plan
    }
}

type UrisByTag<'l> = HashMap<&'l str, BTreeSet<&'l str>>;

fn group_by_tag(lines: &[TagLine]) -> UrisByTag<'_> {
    let mut uris: UrisByTag<'_> = HashMap::new();
    for line in lines {
        uris.entry(&line.tag).or_default().insert(&line.uri);
    }
    uris
}

/// Returns the tags of A that B's tags can be renamed to, by their URIs: those that have one URI in the merged file too.
fn find_tags_with_one_uri<'l>(
    of_a: &'l [TagLine],
    uris_of_a: &UrisByTag<'_>,
    uris_of_b: &UrisByTag<'_>,
) -> HashMap<&'l str, &'l str> {
    let mut tags: HashMap<&str, &str> = HashMap::new();
    for line in of_a {
        let uris = uris_of_a.get(&*line.tag);
        let is_same_in_b = uris_of_b.get(&*line.tag).is_none_or(|in_b| Some(in_b) == uris);
        if is_same_in_b && uris.is_some_and(|uris| uris.len() == 1) {
            tags.entry(&line.uri).or_insert(&line.tag);
        }
    }
    tags
}

/// Returns whether a tag of both files keeps its types in each of them if it has the URIs of both.
fn can_share_tag(in_a: &BTreeSet<&str>, in_b: &BTreeSet<&str>) -> bool {
    in_a == in_b || Schema::have_places_apart(in_a.union(in_b).copied())
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
