//! Prints the meaning of a vendor tag, its places, and the programs that write it; and the number of structures of each
//! type that the dictionary of vendor tags has.

use crate::json;
use crate::tag::StandardTag;
use elf_schema::Schema;
use elf_schema::vendors::{self, Producer, VendorTag};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// A meaning of a tag, with all places where the tag has it.
struct TagMeaning {
    first: VendorTag,
    places: Vec<&'static str>,
    producers: BTreeSet<Producer>,
}

/// Writes the meanings of a tag for people. `entries` are the entries of the tag, and `standard` are its meanings in a
/// standard.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_page(
    out: &mut impl Write,
    tag: &str,
    standard: &[StandardTag],
    entries: &[VendorTag],
) -> io::Result<()> {
    let meanings = list_meanings(entries);
    match standard.is_empty() {
        false => writeln!(out, "Programs also write {tag} where the standard does not have it.")?,
        true => writeln!(out, "{tag} is a vendor tag: no standard defines it, but programs write it.")?,
    }
    for one in &meanings {
        let (first, short) =
            (one.first, |iri: &str| Schema::completed().prefixes().shorten(iri).into_owned());
        writeln!(out, "\n{}", first.meaning())?;
        writeln!(out, "  place       {}", one.places.join(", "))?;
        writeln!(out, "  payload     {}", describe_payload(first.payload()))?;
        writeln!(out, "  type        {}", first.structure_type())?;
        if let Some(above) = first.supertype() {
            writeln!(out, "  supertype   {}", short(above))?;
        }
        let names: Vec<&str> = one.producers.iter().map(|producer| producer.name()).collect();
        if !names.is_empty() {
            writeln!(out, "  written by  {}", names.join(", "))?;
        }
        if !first.is_common() {
            writeln!(out, "  applies to  files of these programs only")?;
        }
        if let Some(same) = first.gedcom_7() {
            writeln!(out, "  GEDCOM 7    {same}")?;
        }
    }
    writeln!(
        out,
        "\nIn a place, `*` stands for any event or attribute, `**` for any structures, and `-` for a record."
    )
}

/// Groups entries by meaning, in order.
fn list_meanings(entries: &[VendorTag]) -> Vec<TagMeaning> {
    let mut meanings: Vec<TagMeaning> = Vec::new();
    for entry in entries {
        let same = meanings.iter().position(|one| {
            one.first.structure_type() == entry.structure_type() && one.first.is_common() == entry.is_common()
        });
        let same = same.unwrap_or_else(|| {
            meanings.push(TagMeaning { first: *entry, places: Vec::new(), producers: BTreeSet::new() });
            meanings.len() - 1
        });
        // The index is one of a meaning that was found or added.
        let meaning = &mut meanings[same];
        meaning.places.push(entry.place());
        meaning.producers.extend(entry.producers());
    }
    meanings
}

/// Describes a payload in words.
fn describe_payload(payload: &str) -> String {
    match payload.split_once(':') {
        Some(("enum", values)) => format!("one of {}", values.replace(',', ", ")),
        Some(("pointer", tag)) => format!("a pointer to {tag}"),
        _ => payload.to_owned(),
    }
}

/// A tag at one place, as data.
#[derive(Serialize)]
struct Entry {
    tag: &'static str,
    /// Always `None`: no standard has the tag at the place.
    standard: Option<&'static str>,
    place: &'static str,
    meaning: &'static str,
    kind: &'static str,
    payload: &'static str,
    r#type: &'static str,
    supertype: Option<&'static str>,
    producers: Vec<&'static str>,
    common: bool,
    gedcom7: Option<&'static str>,
}

/// Writes the entries of a tag as JSON Lines.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_json(out: &mut impl Write, entries: &[VendorTag]) -> io::Result<()> {
    entries.iter().try_for_each(|one| {
        let entry = Entry {
            tag: one.tag(),
            standard: None,
            place: one.place(),
            meaning: one.meaning(),
            kind: one.kind(),
            payload: one.payload(),
            r#type: one.structure_type(),
            supertype: one.supertype(),
            producers: one.producers().map(Producer::key).collect(),
            common: one.is_common(),
            gedcom7: one.gedcom_7(),
        };
        json::write_line(out, &entry)
    })
}

/// The number of structures of one type that the dictionary of vendor tags has.
#[derive(Clone, Debug, Serialize)]
pub struct VendorCount {
    /// All tags that the dictionary has for the type. The file may have only some of them.
    tags: Vec<&'static str>,
    r#type: &'static str,
    meaning: &'static str,
    /// The programs that are known to write one of the tags.
    producers: Vec<&'static str>,
    pub(crate) count: u64,
}

impl VendorCount {
    /// Lists the types of vendor tags in a file, the most frequent first. `counts` has the number of structures of each
    /// type, by its IRI.
    pub fn list(counts: &BTreeMap<String, u64>) -> Vec<VendorCount> {
        let mut list: Vec<VendorCount> =
            counts.iter().filter_map(|(iri, &count)| VendorCount::of(iri, count)).collect();
        list.sort_by_key(|one| Reverse(one.count));
        list
    }

    fn of(iri: &str, count: u64) -> Option<VendorCount> {
        let entries: Vec<VendorTag> = vendors::tags_of_type(iri).collect();
        let first = entries.first()?;
        let mut tags: Vec<&str> = entries.iter().map(|one| one.tag()).collect();
        tags.dedup();
        let producers: BTreeSet<Producer> = entries.iter().flat_map(|one| one.producers()).collect();
        let producers = producers.into_iter().map(Producer::name).collect();
        Some(VendorCount { tags, r#type: first.structure_type(), meaning: first.meaning(), producers, count })
    }

    /// Returns the tags of the type, what they mean, and the programs that write them, in words.
    pub(crate) fn words(&self) -> String {
        let described = vendors::describe_type(self.r#type).unwrap_or_default();
        format!("{}: {described}", self.tags.join(" or "))
    }
}
