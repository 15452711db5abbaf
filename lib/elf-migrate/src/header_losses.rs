//! Finds losses in the header: definitions of its schema, and lines under structures that are written anew in every
//! header.

use crate::decisions::{Decisions, From7Decisions, To7Decisions};
use crate::grammar::TERMS;
use crate::languages;
use crate::migration::Migration;
use crate::remarks::Remark;
use crate::target::Target;
use crate::vendor_tags;
use elf_base::{Code, Excerpt, Version, codes};
use elf_schema::{Resolver, Schema, TypeId, TypedDocument, vendors};
use elf_tagged::Node;
use std::collections::HashSet;
use std::sync::Arc;

/// Paths of lines whose values follow from the standard, so nothing is lost with them.
const IMPLIED: &[&[&str]] = &[
    &["GEDC"],
    &["GEDC", "VERS"],
    &["GEDC", "FORM"],
    &["GEDC", "FORM", "VERS"],
    &["CHAR"],
    &["CHAR", "VERS"],
];

pub(crate) fn find_header_losses(migration: &Migration, run: &TypedDocument<'_>) -> Vec<Remark> {
    let Some(head) = run.document().head() else { return Vec::new() };
    let mut found: Vec<Remark> = Vec::new();
    if !head.merged().is_empty() {
        let message = "left out the payload of `HEAD`: a header cannot have one".to_owned();
        found.push(new_remark(head, codes::STRUCTURE_NOT_CARRIED, message));
    }
    let schemas = head.lines().filter(|line| line.tag() == "SCHMA");
    let definitions: Vec<Node<'_>> = schemas.flat_map(Node::lines).collect();
    for &line in &definitions {
        let problem = match &migration.decisions {
            Decisions::To7(decisions) => find_elf_definition_problem(decisions, run, line),
            Decisions::From7(decisions) => find_tag_problem(decisions, migration.target, line),
        };
        if let Some(problem) = problem {
            let text = line.text();
            let name = if matches!(line.tag(), "TAG" | "IRI" | "SCHMA") { &*text } else { line.tag() };
            let message = format!("left out `{name}`: {problem}");
            found.push(new_remark(line, codes::SCHEMA_CANNOT_BE_WRITTEN, message));
        }
    }
    let is_of_elf = migration.target == Target::Gedcom70;
    found.extend(definitions.into_iter().flat_map(|line| find_lines_under_definition(line, is_of_elf)));
    found.extend(find_lines_under_implied(head));
    if is_of_elf {
        found.extend(find_lost_elf_metadata(head));
    }
    found
}

fn new_remark(line: Node<'_>, code: Code, message: String) -> Remark {
    Remark { origin: line.id(), code, message }
}

/// Returns why a line of a schema of ELF is lost in GEDCOM 7.0.
fn find_elf_definition_problem(
    decisions: &To7Decisions,
    run: &TypedDocument<'_>,
    line: Node<'_>,
) -> Option<&'static str> {
    let is_type = line.tag() == "IRI";
    if line.tag() == "SCHMA" {
        let text = line.text();
        let is_at_hand = run.schema().references().iter().any(|one| *one.iri == *text && one.at_hand);
        return (!is_at_hand).then_some("the schema is not available, and GEDCOM 7.0 cannot refer to it");
    }
    let iri = expanded_iri(run, line);
    // A type of GEDCOM 7.0 is written with its own tag there, and its supertypes are known.
    if is_type && iri.starts_with(TERMS) && Schema::gedcom_7().type_of(&iri).is_some() {
        return None;
    }
    // The supertypes and tags of ELF and GEDCOM 5.5.1 are known as well.
    let known = Schema::completed().type_of(&iri);
    let has_supertypes = line.lines().filter(|line| line.tag() == "ISA").any(|line| {
        let supertype = Schema::completed().type_of(&expanded_iri(run, line));
        let own = known.into_iter().flat_map(|of| Schema::completed().supertypes(of));
        supertype.is_none_or(|supertype| !own.map(|(of, _)| of).any(|of| of == supertype))
    });
    let is_known = known.is_some_and(|known| line.lines().all(|tag| is_known_tag(run, tag, known)));
    let is_unused = is_type && !is_known && !decisions.extensions.has_iri(&iri);
    (has_supertypes || is_unused).then_some("GEDCOM 7.0 does not have supertypes or unused types")
}

/// Returns whether a line under the definition of a type only repeats a tag that the type has by default.
fn is_known_tag(run: &TypedDocument<'_>, line: Node<'_>, of: TypeId) -> bool {
    let text = line.text();
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    if line.tag() != "TAG" {
        return true;
    }
    let Some(tag) = words.next() else { return true };
    let mut resolver = Resolver::new(Arc::clone(Schema::completed()));
    words.all(|above| {
        let above = Schema::completed().type_of(&run.schema().prefixes().expand(above));
        above.is_some_and(|above| resolver.resolve(above, tag) == of)
    })
}

/// Returns why a tag of a schema of GEDCOM 7.0 is lost in GEDCOM 5.5.1 or ELF.
fn find_tag_problem(decisions: &From7Decisions, target: Target, line: Node<'_>) -> Option<&'static str> {
    let text = line.text();
    let (tag, iri) = text.split_once(' ').unwrap_or((&text, ""));
    let iri = iri.trim();
    if line.tag() != "TAG" {
        return Some("this tag does not exist in a schema of GEDCOM 5.5.1 or ELF");
    }
    // Only migrations write marks, so nothing is lost with a mark that no structure has.
    if vendor_tags::is_known(tag, iri) || iri == vendors::MARK {
        return None;
    }
    if decisions.used_tags.contains(tag) {
        if decisions.is_undecided(tag, iri) {
            return Some("the tag has several IRIs, and no structure is known to have this one");
        }
        let is_lost = target == Target::Gedcom551 && decisions.types.contains_key(iri);
        return is_lost.then_some("GEDCOM 5.5.1 does not have schemas");
    }
    Some(if decisions.used_values.contains(tag) {
        "calendars and enumeration values do not have types in GEDCOM 5.5.1 and ELF"
    } else {
        "no structure has this tag"
    })
}

/// Returns the lines under a definition that are not part of it.
fn find_lines_under_definition(definition: Node<'_>, is_of_elf: bool) -> impl Iterator<Item = Remark> {
    let belongs = move |line: &Node<'_>| {
        let is_child = line.superstructure().is_some_and(|parent| parent.id() == definition.id());
        line.flags().is_continuation() || is_of_elf && is_child && matches!(line.tag(), "ISA" | "TAG")
    };
    definition.subtree_lines().skip(1).filter(move |line| !belongs(line)).map(|line| {
        let message = format!("left out `{}`: it is not part of a definition", line.tag());
        new_remark(line, codes::STRUCTURE_NOT_CARRIED, message)
    })
}

/// Returns the lines under GEDC and CHAR that do not follow from the standard.
fn find_lines_under_implied(head: Node<'_>) -> Vec<Remark> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<&str>, Node<'_>)> = Vec::new();
    let mut seen = HashSet::new();
    for line in head.lines().filter(|line| matches!(line.tag(), "GEDC" | "CHAR")) {
        let is_first = seen.insert(line.tag());
        if is_first && (line.tag() == "CHAR" || line.text().is_empty()) {
            open.push((vec![line.tag()], line));
            continue;
        }
        let what = if is_first { "the payload of" } else { "another" };
        let message = format!("left out {what} `{}`: the output has its own", line.tag());
        found.push(new_remark(line, codes::STRUCTURE_NOT_CARRIED, message));
    }
    while let Some((path, line)) = open.pop() {
        // A path starts with GEDC or CHAR.
        let top = path[0];
        if !IMPLIED.contains(&&path[..]) {
            let tag = line.tag();
            let message = format!("left out `{tag}` and everything under it: the output has its own `{top}`");
            found.push(new_remark(line, codes::STRUCTURE_NOT_CARRIED, message));
            continue;
        }
        if path.len() > 1 && line.tag() == "VERS" && path != ["GEDC", "VERS"] {
            let message = format!("left out a version: the output cannot have one under {top} in the header");
            found.push(new_remark(line, codes::METADATA_NOT_CARRIED, message));
        }
        open.extend(line.lines().map(|below| ([&path[..], &[below.tag()]].concat(), below)));
    }
    found.sort_by_key(|remark| remark.origin.index());
    found
}

/// Returns the metadata of ELF that is lost: everything except versions, definitions, and a language that LANG also
/// gives.
fn find_lost_elf_metadata(head: Node<'_>) -> Vec<Remark> {
    let metadata = head.document().rules().tagged.metadata;
    let mut found = Vec::new();
    let of_elf = |line: &Node<'_>| matches!(line.tag(), "ELF" | "PLANG" | "SCHMA");
    for line in head.lines().filter(|line| of_elf(line) && metadata.includes(line.tag(), true)) {
        let (tag, text) = (line.tag(), line.text());
        let is_language = |line: Node<'_>| languages::to_7(&line.text()).payload == text;
        let (is_kept, code) = match tag {
            "ELF" => (Version::parse(&text).is_some(), codes::STRUCTURE_NOT_CARRIED),
            "PLANG" => (head.substructures_tagged("LANG").any(is_language), codes::METADATA_NOT_CARRIED),
            _ => (text.is_empty(), codes::STRUCTURE_NOT_CARRIED),
        };
        if !is_kept {
            let message = format!(
                "left out `{tag} {}`: GEDCOM 7.0 does not have it in the header",
                Excerpt::short(&text)
            );
            found.push(new_remark(line, code, message));
        }
        for below in line.lines().filter(|_| tag != "SCHMA") {
            let message =
                format!("left out `{}` and everything under it: it is not part of `{tag}`", below.tag());
            found.push(new_remark(below, codes::STRUCTURE_NOT_CARRIED, message));
        }
    }
    found
}

/// Returns the IRI in a definition, with its prefix expanded.
fn expanded_iri(run: &TypedDocument<'_>, definition: Node<'_>) -> String {
    let text = definition.text();
    let name = text.split_once(' ').map_or(&*text, |(name, _)| name);
    run.schema().prefixes().expand(name).into_owned()
}
