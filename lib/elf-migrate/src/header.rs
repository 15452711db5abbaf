//! Losses of the header: definitions of its schema, and tags in what each header has anew.

use crate::grammar::TERMS;
use crate::languages;
use crate::migration::{Migration, Target};
use crate::remarks::Remark;
use elf_base::{Excerpt, Version, codes};
use elf_schema::{Resolver, Run, Schema, TypeId};
use elf_tagged::Node;
use std::collections::HashSet;
use std::sync::Arc;

/// The tags that stand beneath those that a header has anew, whose values follow from the standard.
const ANEW: &[&[&str]] = &[
    &["GEDC"],
    &["GEDC", "VERS"],
    &["GEDC", "FORM"],
    &["GEDC", "FORM", "VERS"],
    &["CHAR"],
    &["CHAR", "VERS"],
];

/// Finds what the header that is written does not say.
pub(crate) fn unsaid(migration: &Migration, part: &Run<'_>) -> Vec<Remark> {
    let Some(head) = part.document().head() else { return Vec::new() };
    let schemas = head.lines().filter(|line| line.tag() == "SCHMA");
    let definition = |line: Node<'_>| {
        let message = match migration.target() {
            Target::Gedcom7 => unsaid_type(migration, part, line),
            Target::Gedcom551 | Target::Elf => unsaid_tag(migration, line),
        };
        let said = line.text();
        let name = if matches!(line.tag(), "TAG" | "IRI" | "SCHMA") { &*said } else { line.tag() };
        let message = format!("`{name}` is not written: {}", message?);
        Some(Remark { origin: line.id(), code: codes::SCHEMA_CANNOT_BE_WRITTEN, message })
    };
    let definitions: Vec<Node<'_>> = schemas.flat_map(Node::lines).collect();
    let mut found: Vec<Remark> = Vec::new();
    if !head.merged().is_empty() {
        let message = "the payload of `HEAD` is left out: a header has none".to_owned();
        found.push(Remark { origin: head.id(), code: codes::STRUCTURE_NOT_CARRIED, message });
    }
    found.extend(definitions.iter().copied().filter_map(definition));
    found.extend(definitions.into_iter().flat_map(|line| beneath(migration, line)));
    found.extend(left_out(head));
    if migration.target() == Target::Gedcom7 {
        found.extend(metadata_left_out(head));
    }
    found
}

/// The reason why a line of a schema of ELF is not written in a header of GEDCOM 7.0.
fn unsaid_type(migration: &Migration, part: &Run<'_>, line: Node<'_>) -> Option<&'static str> {
    let is_type = line.tag() == "IRI";
    if line.tag() == "SCHMA" {
        let text = line.text();
        let is_at_hand = part.schema().references().iter().any(|one| *one.iri == *text && one.at_hand);
        return (!is_at_hand).then_some("the schema is not at hand, and GEDCOM 7.0 refers to none");
    }
    let iri = full_iri(part, line);
    // A type of GEDCOM 7.0 has its tag again, and its supertypes are known.
    if is_type && iri.starts_with(TERMS) && Schema::gedcom_7().type_of(&iri).is_some() {
        return None;
    }
    // Of one of ELF or GEDCOM 5.5.1 that much is known without a definition.
    let known = Schema::completed().type_of(&iri);
    let has_supertypes = line.lines().filter(|line| line.tag() == "ISA").any(|line| {
        let supertype = Schema::completed().type_of(&full_iri(part, line));
        let own = known.into_iter().flat_map(|of| Schema::completed().supertypes(of));
        supertype.is_none_or(|supertype| !own.map(|(of, _)| of).any(|of| of == supertype))
    });
    let is_known = known.is_some_and(|known| line.lines().all(|tag| is_standard(part, tag, known)));
    let is_unused = is_type && !is_known && !migration.says(&iri);
    (has_supertypes || is_unused).then_some("GEDCOM 7.0 has no supertypes, nor types that are not used")
}

/// Tells whether a line beneath the definition of a type is no tag, or one that the type has there anyway.
fn is_standard(part: &Run<'_>, line: Node<'_>, of: TypeId) -> bool {
    let text = line.text();
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    if line.tag() != "TAG" {
        return true;
    }
    let Some(tag) = words.next() else { return true };
    let mut resolver = Resolver::new(Arc::clone(Schema::completed()));
    words.all(|above| {
        let above = Schema::completed().type_of(&part.schema().prefixes().expand(above));
        above.is_some_and(|above| resolver.resolve(above, tag) == of)
    })
}

/// The reason why a tag of a schema of GEDCOM 7.0 is not written in a header of GEDCOM 5.5.1 or ELF.
fn unsaid_tag(migration: &Migration, line: Node<'_>) -> Option<&'static str> {
    let text = line.text();
    let (tag, iri) = text.split_once(' ').unwrap_or((&text, ""));
    let iri = iri.trim();
    if line.tag() != "TAG" {
        return Some("no schema of GEDCOM 5.5.1 or ELF has the tag");
    }
    if migration.is_borne(tag) {
        if migration.is_undecided(tag, iri) {
            return Some("no structure with the tag is known to be of that IRI, for it has several");
        }
        let is_lost = migration.target() == Target::Gedcom551 && migration.types_say(iri);
        return is_lost.then_some("GEDCOM 5.5.1 has no schema");
    }
    Some(if migration.is_named(tag) {
        "calendars and values of enumerations have no types in GEDCOM 5.5.1 and ELF"
    } else {
        "no structure bears the tag"
    })
}

/// Finds what stands beneath a definition and is none of it.
fn beneath<'d>(migration: &Migration, definition: Node<'d>) -> impl Iterator<Item = Remark> + use<'d> {
    let is_of_elf = migration.target() == Target::Gedcom7;
    let is_said = move |line: &Node<'_>| {
        let is_beside = line.superstructure().is_some_and(|above| above.id() == definition.id());
        line.flags().is_continuation() || is_of_elf && is_beside && matches!(line.tag(), "ISA" | "TAG")
    };
    definition.subtree().skip(1).filter(move |line| !is_said(line)).map(|line| {
        let message = format!("`{}` is left out: it is no part of a definition", line.tag());
        Remark { origin: line.id(), code: codes::STRUCTURE_NOT_CARRIED, message }
    })
}

/// Finds the tags beneath what each header has anew, which are none of its own.
fn left_out(head: Node<'_>) -> Vec<Remark> {
    let mut found = Vec::new();
    let is_anew = |line: &Node<'_>| matches!(line.tag(), "GEDC" | "CHAR");
    let mut open: Vec<(Vec<&str>, Node<'_>)> = Vec::new();
    let mut met = HashSet::new();
    for line in head.lines().filter(is_anew) {
        let is_first = met.insert(line.tag());
        if is_first && (line.tag() == "CHAR" || line.text().is_empty()) {
            open.push((vec![line.tag()], line));
            continue;
        }
        let what = if is_first { "the payload of" } else { "another" };
        let message = format!("{what} `{}` is left out: the header has it anew", line.tag());
        found.push(Remark { origin: line.id(), code: codes::STRUCTURE_NOT_CARRIED, message });
    }
    while let Some((path, line)) = open.pop() {
        if !ANEW.contains(&&path[..]) {
            let message = format!(
                "`{}` is left out with what is beneath it: the header has `{}` anew",
                line.tag(),
                path.first().copied().unwrap_or_default()
            );
            found.push(Remark { origin: line.id(), code: codes::STRUCTURE_NOT_CARRIED, message });
            continue;
        }
        if let [top, .., "VERS"] = &path[..]
            && path != ["GEDC", "VERS"]
        {
            let message = format!("the version is none of what is written under {top} in the header");
            found.push(Remark { origin: line.id(), code: codes::METADATA_NOT_CARRIED, message });
        }
        open.extend(line.lines().map(|below| {
            let mut path = path.clone();
            path.push(below.tag());
            (path, below)
        }));
    }
    found.sort_by_key(|remark| remark.origin.index());
    found
}

/// Finds what the metadata of ELF in a header says besides versions, definitions, and the language that LANG
/// says too.
fn metadata_left_out(head: Node<'_>) -> Vec<Remark> {
    let metadata = head.document().rules().tagged.metadata;
    let mut found = Vec::new();
    let of_elf = |line: &Node<'_>| matches!(line.tag(), "ELF" | "PLANG" | "SCHMA");
    for line in head.lines().filter(|line| of_elf(line) && metadata.takes(line.tag(), true)) {
        let (tag, text) = (line.tag(), line.text());
        let is_language = |said: Node<'_>| languages::to_7(&said.text()).payload == *text;
        let (is_said, code) = match tag {
            "ELF" => (Version::parse(&text).is_some(), codes::STRUCTURE_NOT_CARRIED),
            "PLANG" => (head.substructures_tagged("LANG").any(is_language), codes::METADATA_NOT_CARRIED),
            _ => (text.is_empty(), codes::STRUCTURE_NOT_CARRIED),
        };
        if !is_said {
            let message =
                format!("`{tag} {}` is left out: GEDCOM 7.0 has none in its header", Excerpt::short(&text));
            found.push(Remark { origin: line.id(), code, message });
        }
        for below in line.lines().filter(|_| tag != "SCHMA") {
            let message =
                format!("`{}` is left out with what is beneath it: it is no part of `{tag}`", below.tag());
            found.push(Remark { origin: below.id(), code: codes::STRUCTURE_NOT_CARRIED, message });
        }
    }
    found
}

/// The IRI that a definition of a schema in the header is of, whatever its prefix.
fn full_iri(part: &Run<'_>, definition: Node<'_>) -> String {
    let text = definition.text();
    let name = text.split(' ').next().unwrap_or_default();
    part.schema().prefixes().expand(name).into_owned()
}
