//! Describes differences in the content of two files, by path.

use crate::json::{self, PayloadMember};
use crate::{counted, sanitise};
use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use elf_model::{Difference, Paths, Payload, Structure};
use serde::Serialize;
use std::collections::HashSet;
use std::io::{self, Write};

/// One of the two compared files.
pub struct ComparedFile<'a> {
    /// The path as it was given.
    pub file: &'a str,
    /// The paths of its structures, if needed.
    pub paths: Option<Paths>,
}

/// The maximum number of structures that are shown of a subtree that only one file has.
const SHOWN: usize = 12;

impl ComparedFile<'_> {
    fn path(&self, structure: Structure<'_>) -> String {
        self.paths.as_ref().map_or_else(String::new, |paths| paths.path_of(structure))
    }
}

/// Writes the differences for people: a path, then the content in the first and in the second file.
/// Files that were not read to their ends are not reported as equal.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_for_people(
    out: &mut dyn Write,
    sides: &[ComparedFile<'_>; 2],
    found: &[Difference<'_>],
    coloured: bool,
    complete: bool,
) -> io::Result<()> {
    let ink = Palette::new(coloured);
    let [one, two] = sides;
    let (a, b) = (sanitise(one.file), sanitise(two.file));
    if found.is_empty() {
        let so_far = if complete { "" } else { " in the part that was read" };
        return writeln!(out, "{a} and {b} have the same content{so_far}");
    }
    let Palette { place, old, new } = ink;
    let retyped = paths_of_changed_types(sides, found);
    writeln!(out, "{old}--- {a}{old:#}\n{new}+++ {b}{new:#}")?;
    for difference in found {
        match *difference {
            Difference::Payload(before, after) => {
                let (before_path, after_path) = (one.path(before), two.path(after));
                write!(out, "{place}{}{place:#}", sanitise(&before_path))?;
                if before_path != after_path {
                    write!(out, " | {place}{}{place:#}", sanitise(&after_path))?;
                }
                write_fact_kind(out, before)?;
                writeln!(out)?;
                write_payload(out, old, '-', before)?;
                write_payload(out, new, '+', after)?;
            }
            Difference::Order(before, after) => {
                let (before, after) = (one.path(before), two.path(after));
                let (before, after) = (sanitise(&before), sanitise(&after));
                writeln!(out, "{place}{before}{place:#} is in another order: {place}{after}{place:#}")?;
            }
            Difference::Removed(structure) => write_lone_structure(out, &ink, one, structure, '-', &retyped)?,
            Difference::Added(structure) => write_lone_structure(out, &ink, two, structure, '+', &retyped)?,
            Difference::Language(before, after) => {
                writeln!(out, "{place}HEAD/PLANG{place:#}")?;
                for (style, sign, language) in [(old, '-', before), (new, '+', after)] {
                    let language = language.unwrap_or("(none)");
                    writeln!(out, "  {style}{sign} {}{style:#}", sanitise(language))?;
                }
            }
            _ => {}
        }
    }
    writeln!(out, "{}", counted(found.len() as u64, "difference"))
}

/// Returns the paths at which each file has a structure that the other lacks. The structures look
/// alike, but their types differ.
fn paths_of_changed_types(sides: &[ComparedFile<'_>; 2], found: &[Difference<'_>]) -> HashSet<String> {
    let [one, two] = sides;
    let (mut removed, mut added) = (HashSet::new(), HashSet::new());
    for difference in found {
        match *difference {
            Difference::Removed(structure) => drop(removed.insert(one.path(structure))),
            Difference::Added(structure) => drop(added.insert(two.path(structure))),
            _ => {}
        }
    }
    removed.retain(|path| added.contains(path));
    removed
}

struct Palette {
    place: Style,
    old: Style,
    new: Style,
}

impl Palette {
    fn new(coloured: bool) -> Palette {
        let style = |style: Style| if coloured { style } else { Style::new() };
        Palette {
            place: style(Style::new().effects(Effects::BOLD)),
            old: style(AnsiColor::Red.on_default()),
            new: style(AnsiColor::Green.on_default()),
        }
    }
}

/// Writes the name of the fact that a structure is, or is in.
fn write_fact_kind(out: &mut dyn Write, structure: Structure<'_>) -> io::Result<()> {
    structure.fact_kind().map_or(Ok(()), |kind| write!(out, " ({})", sanitise(kind)))
}

/// Writes a payload. Each line starts with a sign.
fn write_payload(out: &mut dyn Write, style: Style, sign: char, structure: Structure<'_>) -> io::Result<()> {
    match structure.payload() {
        Payload::None => writeln!(out, "  {style}{sign}{style:#} (no payload)"),
        Payload::Pointer(id) => writeln!(out, "  {style}{sign} @{}@{style:#}", sanitise(id)),
        Payload::Literal(literal) => {
            for line in literal.text.split('\n') {
                writeln!(out, "  {style}{sign} {}{style:#}", sanitise(line))?;
            }
            Ok(())
        }
    }
}

/// Writes a structure that only one file has, with its substructures.
fn write_lone_structure(
    out: &mut dyn Write,
    ink: &Palette,
    side: &ComparedFile<'_>,
    structure: Structure<'_>,
    sign: char,
    retyped: &HashSet<String>,
) -> io::Result<()> {
    let place = ink.place;
    let style = if sign == '-' { ink.old } else { ink.new };
    let path = side.path(structure);
    write!(out, "{place}{}{place:#}", sanitise(&path))?;
    write_fact_kind(out, structure)?;
    writeln!(out, " is only in {}", sanitise(side.file))?;
    let mut ends: Vec<usize> = Vec::new();
    for each in structure.subtree().take(SHOWN) {
        while ends.last().is_some_and(|&end| end <= each.index()) {
            ends.pop();
        }
        write!(out, "  {style}{sign} ")?;
        super::tree::indent(out, ends.len())?;
        write!(out, "{}", sanitise(each.tag()))?;
        match each.payload() {
            Payload::None => {}
            Payload::Pointer(id) => write!(out, " @{}@", sanitise(id))?,
            Payload::Literal(literal) => write!(out, " {}", sanitise(literal.text))?,
        }
        if each.index() == structure.index() && retyped.contains(&path) {
            write!(out, " (type {})", sanitise(structure.structure_type().unwrap_or("unknown")))?;
        }
        writeln!(out, "{style:#}")?;
        ends.push(each.index() + each.subtree().len());
    }
    let more = structure.subtree().len().saturating_sub(SHOWN);
    if more > 0 {
        writeln!(out, "  {style}{sign}{style:#} … and {}", counted(more as u64, "more structure"))?;
    }
    Ok(())
}

/// A difference as JSON, with its places in both files.
#[derive(Serialize)]
#[serde(tag = "difference", rename_all = "lowercase")]
enum DifferenceEvent<'a> {
    Payload {
        a: Place<'a>,
        b: Place<'a>,
    },
    Order {
        a: Place<'a>,
        b: Place<'a>,
    },
    Removed {
        a: Place<'a>,
    },
    Added {
        b: Place<'a>,
    },
    Language {
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<Place<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<Place<'a>>,
    },
}

/// A structure of one file as JSON.
#[derive(Serialize)]
struct Place<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'a str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    structure_type: Option<&'a str>,
    /// The name of the fact that the structure is, or is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<PayloadMember<'a>>,
    /// The number of structures in the subtree, if this place stands for all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    structures: Option<u64>,
}

/// Writes the differences as JSON Lines, then a summary.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_json(
    out: &mut dyn Write,
    sides: &[ComparedFile<'_>; 2],
    found: &[Difference<'_>],
    complete: bool,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Summary<'a> {
        a: &'a str,
        b: &'a str,
        differences: u64,
        complete: bool,
    }
    let [one, two] = sides;
    for difference in found {
        let event = match *difference {
            Difference::Payload(before, after) => DifferenceEvent::Payload {
                a: place_of_structure(one, before),
                b: place_of_structure(two, after),
            },
            Difference::Order(before, after) => DifferenceEvent::Order {
                a: place_of_structure(one, before),
                b: place_of_structure(two, after),
            },
            Difference::Removed(structure) => {
                DifferenceEvent::Removed { a: place_of_subtree(one, structure) }
            }
            Difference::Added(structure) => DifferenceEvent::Added { b: place_of_subtree(two, structure) },
            Difference::Language(before, after) => DifferenceEvent::Language {
                a: before.map(place_of_language),
                b: after.map(place_of_language),
            },
            _ => continue,
        };
        json::write_line(out, &event)?;
    }
    let differences = found.len() as u64;
    json::write_summary(out, &Summary { a: one.file, b: two.file, differences, complete })
}

/// Returns a place that stands for a structure and everything under it.
fn place_of_subtree<'a>(side: &ComparedFile<'_>, structure: Structure<'a>) -> Place<'a> {
    Place { structures: Some(structure.subtree().len() as u64), ..place_of_structure(side, structure) }
}

fn place_of_structure<'a>(side: &ComparedFile<'_>, structure: Structure<'a>) -> Place<'a> {
    Place {
        path: side.path(structure),
        tag: Some(structure.tag()),
        structure_type: structure.structure_type(),
        kind: structure.fact_kind(),
        payload: match structure.payload() {
            Payload::None => None,
            Payload::Pointer(pointer) => Some(PayloadMember::Pointer { pointer, resolved: None }),
            Payload::Literal(literal) => Some(PayloadMember::Text(literal.text)),
        },
        structures: None,
    }
}

fn place_of_language(language: &str) -> Place<'_> {
    let payload = Some(PayloadMember::Text(language));
    Place {
        path: "HEAD/PLANG".to_owned(),
        tag: None,
        structure_type: None,
        kind: None,
        payload,
        structures: None,
    }
}
