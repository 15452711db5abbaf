//! Runs vectors that write.

use super::{compare, outcome_of, reading, tree_of};
use crate::notation::december::Outcome;
use crate::notation::text::escape_text;
use crate::notation::tree::{Payload, Structure, Tree};
use crate::vectors::{Expect, OutputExpect};
use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, Options};
use elf_tagged::write::{Content, Preamble, PreambleLine, WriteError, WriteOptions, Writer, write_document};

/// Runs an `E:` vector: writes a record and compares its payload.
pub(super) fn run_payload(
    tag: &str,
    payload: &str,
    encoding: Option<&str>,
    expected: &str,
    rules: &Rules,
) -> Result<(), String> {
    let mut options = WriteOptions::new().with_mark(Some(false));
    if let Some(name) = encoding {
        let encoding = Encoding::from_name(name).ok_or_else(|| format!("there is no encoding {name:?}"))?;
        options = options.with_encoding(encoding);
    }
    let content = if payload.is_empty() { Payload::None } else { Payload::Text(payload.to_owned()) };
    let record = Structure { depth: 0, tag: tag.to_owned(), xref: None, payload: content };
    let mut findings = Vec::new();
    let octets = write_tree(&Tree { structures: vec![record] }, rules, &options, &mut findings)
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8(octets).map_err(|_| "expected UTF-8")?;
    let start = format!("0 {tag} ");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&start))
        .ok_or_else(|| format!("no {tag} in {text:?}"))?;
    compare("the payload", expected, line)
}

/// Runs a vector of kind `write`.
pub(super) fn run_write(
    tree: &Tree,
    output: &OutputExpect,
    rules: &Rules,
    expect: &Expect,
) -> Result<(), String> {
    let mut findings = Vec::new();
    let written = write_tree(tree, rules, &output.options, &mut findings);
    let Some(octets) = check_refusal(written, output)? else { return Ok(()) };
    check(&octets, output, rules, expect, &findings)?;
    if findings.is_empty() {
        let mut left = without_metadata(tree);
        for structure in &mut left.structures {
            // The kind of line break is not part of the data (D19 *Merging continuation lines*).
            if let Payload::Text(text) = &mut structure.payload {
                *text = text.replace("\r\n", "\n").replace('\r', "\n");
            }
        }
        compare("the tree read back", &left.to_string(), &read_back(&octets, rules)?)?;
    }
    Ok(())
}

/// Runs a vector of kind `rewrite`.
pub(super) fn run_rewrite(
    octets: &[u8],
    from: Option<&Rules>,
    output: &OutputExpect,
    rules: &Rules,
    expect: &Expect,
) -> Result<(), String> {
    let document = reading::read_file(octets, from.unwrap_or(rules), &Options::default(), &mut Vec::new())?;
    let mut findings = Vec::new();
    let mut out = Vec::new();
    let options = output.options.with_partial(true);
    let written = write_document(&document, &mut out, rules, &options, &mut findings).map(|_| out);
    let Some(octets) = check_refusal(written, output)? else { return Ok(()) };
    check(&octets, output, rules, expect, &findings)?;
    if findings.is_empty() && from.is_none() {
        compare("the tree read back", &tree_of(&document).to_string(), &read_back(&octets, rules)?)?;
    }
    Ok(())
}

/// Returns the written bytes. `None` if the vector expects an error, which is checked.
pub(super) fn check_refusal(
    written: Result<Vec<u8>, WriteError>,
    output: &OutputExpect,
) -> Result<Option<Vec<u8>>, String> {
    match (written, &output.refused) {
        (Ok(octets), None) => Ok(Some(octets)),
        (Ok(octets), Some(refused)) => {
            Err(format!("expected {refused:?}, but found {}", escape_text(&String::from_utf8_lossy(&octets))))
        }
        (Err(error), Some(refused)) if error.to_string().contains(refused) => Ok(None),
        (Err(error), _) => Err(error.to_string()),
    }
}

/// Writes a tree. The writer creates CHAR, ELF and GEDC in HEAD, and gets PLANG and schemas separately.
fn write_tree(
    tree: &Tree,
    rules: &Rules,
    options: &WriteOptions,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, rules, options, findings)?;
    writer.head(&preamble_of(tree))?;
    for (number, structure) in without_metadata(tree).structures.iter().enumerate() {
        if number == 0 && structure.tag == "HEAD" {
            continue;
        }
        let content = match &structure.payload {
            Payload::None => Content::None,
            Payload::Text(text) => Content::Text(text),
            Payload::Pointer(id) => Content::Pointer(id),
        };
        let level = u32::try_from(structure.depth).unwrap_or(u32::MAX);
        writer.structure(level, structure.xref.as_deref(), &structure.tag, content)?;
    }
    writer.finish()?;
    Ok(out)
}

/// The serialisation metadata among the structures of HEAD.
fn preamble_of(tree: &Tree) -> Preamble<'_> {
    let mut preamble = Preamble::new();
    let mut lines = Vec::new();
    for (structure, is_metadata) in mark_metadata(tree) {
        if !is_metadata {
            continue;
        }
        let payload = match &structure.payload {
            Payload::None => "",
            Payload::Text(text) | Payload::Pointer(text) => text,
        };
        let level = u32::try_from(structure.depth).unwrap_or(u32::MAX);
        match structure.tag.as_str() {
            "PLANG" if level == 1 => preamble = preamble.with_language(Some(payload)),
            tag => lines.push(PreambleLine::new(level, tag, payload)),
        }
    }
    if lines.is_empty() { preamble } else { preamble.with_schema(Some(lines)) }
}

fn without_metadata(tree: &Tree) -> Tree {
    let mut structures: Vec<Structure> = mark_metadata(tree)
        .into_iter()
        .filter(|(_, is_metadata)| !is_metadata)
        .map(|(s, _)| s.clone())
        .collect();
    let only_head =
        structures.first().is_some_and(|first| first.tag == "HEAD" && first.payload == Payload::None)
            && structures.get(1).is_none_or(|second| second.depth == 0);
    if only_head {
        structures.remove(0);
    }
    Tree { structures }
}

/// The structures, each with whether it is serialisation metadata or under it.
fn mark_metadata(tree: &Tree) -> Vec<(&Structure, bool)> {
    let mut in_head = false;
    let mut is_metadata = false;
    let mut marked = Vec::with_capacity(tree.structures.len());
    for structure in &tree.structures {
        match structure.depth {
            0 => {
                in_head = structure.tag == "HEAD" && marked.is_empty();
                is_metadata = false;
            }
            1 => {
                let tags = ["PLANG", "SCHMA", "PRFX", "DEFN"];
                is_metadata = in_head && tags.contains(&structure.tag.as_str());
            }
            _ => {}
        }
        marked.push((structure, is_metadata));
    }
    marked
}

pub(super) fn check(
    octets: &[u8],
    output: &OutputExpect,
    rules: &Rules,
    expect: &Expect,
    findings: &[Diagnostic],
) -> Result<(), String> {
    let print = |octets: &[u8]| escape_text(&String::from_utf8_lossy(octets));
    let shown = print(octets);
    if let Some(whole) = &output.whole
        && whole != octets
    {
        compare("the file", &print(whole), &shown)?;
    }
    let contains = |part: &[u8]| octets.windows(part.len().max(1)).any(|window| window == part);
    for part in &output.has {
        if !contains(part) {
            return Err(format!("expected {} in the file, but found {shown}", print(part)));
        }
    }
    for part in &output.lacks {
        if contains(part) {
            return Err(format!("expected no {} in the file, but found {shown}", print(part)));
        }
    }
    if let Some(starts) = &output.starts
        && !octets.starts_with(starts)
    {
        return Err(format!("expected a file that starts with {starts:02X?}, but found {shown}"));
    }
    if let Some(longest) = output.longest {
        let found = octets.split_inclusive(|&octet| octet == b'\n').map(<[u8]>::len).max().unwrap_or(0);
        if found > longest {
            return Err(format!("expected lines of at most {longest} octets, but found one of {found}"));
        }
    }
    let document = reading::read_file(octets, rules, &Options::default(), &mut Vec::new())?;
    reading::check_assertions(&document, findings, expect)
}

/// Reads the written file by strict rules, by which it must be conformant, and prints its tree.
fn read_back(octets: &[u8], rules: &Rules) -> Result<String, String> {
    let mut findings = Vec::new();
    let document = reading::read_file(octets, rules, &Options::default(), &mut findings)?;
    let found = outcome_of(document.is_complete(), &findings);
    if found != Outcome::Ok {
        return Err(format!(
            "expected a conformant file, but found {found}: {}",
            reading::list_findings(&findings)
        ));
    }
    Ok(tree_of(&document).to_string())
}
