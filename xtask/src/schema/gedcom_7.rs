//! The schema of GEDCOM 7, as an ELF file: the structures of the standard and where they may occur.

use super::facts::Facts;
use super::rows::{GEDCOM_7, Gedcom70, Structure};
use crate::additions::{iri_of, with_prefix};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The row for records, which are in no structure.
const DATASET: &str = "(dataset)";

/// The start and the end of a file, which the reader recognises by their tags.
const PSEUDO: [&str; 2] = ["HEAD", "TRLR"];

/// The maximum length of a generated line in bytes (J19 §6.2).
const WIDTH: usize = 250;

/// Reads the structures and their supertypes. Supertypes that are not listed are derived from `facts`. An error names
/// the line.
pub(super) fn read_structures(structures: &str, supertypes: &str, facts: &Facts) -> Result<Gedcom70, String> {
    let mut read = Gedcom70::default();
    let mut places: Vec<(usize, String, String)> = Vec::new();
    for (line, cells) in fact_rows(structures) {
        let [name, tag, payload, _, value, below] = cells.as_slice() else {
            return Err(format!("{line}: expected six columns"));
        };
        for place in below.split(';').filter(|place| !place.is_empty()) {
            let of = place.split('{').next().unwrap_or_default();
            places.push((line, (*name).to_owned(), of.to_owned()));
        }
        let structure = Structure {
            tag: (*tag).to_owned(),
            value: (*value).to_owned(),
            has_text: payload.split('|').any(|kind| kind == "text"),
            ..Structure::default()
        };
        if *name != DATASET && read.structures.insert((*name).to_owned(), structure).is_some() {
            return Err(format!("{line}: `{name}` has a row already"));
        }
    }
    for (line, above, of) in places {
        let structure = read.structures.get_mut(&of);
        let structure = structure.ok_or_else(|| format!("{line}: nothing says what `{of}` is"))?;
        structure.places.insert(above);
    }
    for (name, structure) in &mut read.structures {
        structure.supertypes = common_supertypes(facts, &facts.elf_types_of(&iri_of(name)));
    }
    for (line, cells) in fact_rows(supertypes) {
        let [of, supertype, reason] = cells.as_slice() else {
            return Err(format!("{line}: expected three columns"));
        };
        let structure = of.strip_prefix("g7:").and_then(|name| read.structures.get_mut(name));
        let structure = structure.ok_or_else(|| format!("{line}: `{of}` is no structure of GEDCOM 7"))?;
        if !facts.types.iter().any(|known| known.name == *supertype) {
            return Err(format!("{line}: `{supertype}` is no type of the built-in schemas"));
        }
        if reason.is_empty() {
            return Err(format!("{line}: expected a reason"));
        }
        if structure.supertypes == [*supertype] {
            return Err(format!("{line}: `{supertype}` is the supertype of `{of}` anyway"));
        }
        structure.supertypes = vec![(*supertype).to_owned()];
    }
    Ok(read)
}

/// The rows of a file of facts, with the numbers of their lines, from 1.
fn fact_rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| (index + 1, line.split('\t').collect()))
}

/// The nearest common supertypes of some types, without the types of the header.
fn common_supertypes(facts: &Facts, types: &[&str]) -> Vec<String> {
    let Some((first, others)) = types.split_first() else { return Vec::new() };
    let others: Vec<Vec<&str>> = others.iter().map(|other| facts.with_supertypes(other)).collect();
    let common: Vec<&str> = facts.with_supertypes(first).into_iter().collect();
    let common: Vec<&str> =
        common.into_iter().filter(|of| others.iter().all(|other| other.contains(of))).collect();
    let is_above = |of: &str, below: &str| of != below && facts.with_supertypes(below).contains(&of);
    let is_nearest = |of: &&&str| !common.iter().any(|other| is_above(of, other));
    common.iter().filter(is_nearest).map(|of| (*of).to_owned()).collect()
}

/// The structures that contain lists of words. The facts about validation treat them as any text (GEDCOM 7.0 *Lists*).
const LISTS: [&str; 4] = ["HEAD-PLAC-FORM", "PLAC", "PLAC-FORM", "PLAC-TRAN"];

/// The IRIs of the structures with text, and the datatypes of the text as Rust expressions. `values` lists the words
/// that a type of values allows. An error names an unknown type of values.
pub(super) fn text_datatypes(read: &Gedcom70, values: &str) -> Result<Vec<(String, String)>, String> {
    let mut words: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (line, cells) in fact_rows(values) {
        let [name, _, listed, ..] = cells.as_slice() else {
            return Err(format!("{line}: expected five columns"));
        };
        words.insert(name, listed.split('|').filter(|word| !word.is_empty()).collect());
    }
    let datatype = |name: &str, value: &str| -> Result<String, String> {
        let plain = match value {
            "Age" => "Gedcom70(Gedcom70::Age)",
            "DateExact" => "Gedcom70(Gedcom70::Exact)",
            "DatePeriod" => "Gedcom70(Gedcom70::Period)",
            "DateValue" => "Gedcom70(Gedcom70::Date)",
            "Time" => "Gedcom70(Gedcom70::Time)",
            "Integer" | "Language" | "Latitude" | "Longitude" | "PersonalName" => value,
            "" if LISTS.contains(&name) => "List",
            "" | "FilePath" | "MediaType" | "TagDef" | "URI" | "UUID" | "Version" => "Text",
            _ if value.starts_with("List-") => "List",
            _ => {
                let listed = words.get(value).filter(|listed| !listed.is_empty());
                let listed = listed.ok_or_else(|| format!("0: nothing says what `{value}` is"))?;
                return Ok(format!("Datatype::Word(&{listed:?})"));
            }
        };
        Ok(format!("Datatype::{plain}"))
    };
    let texts = read.structures.iter().filter(|(_, structure)| structure.has_text);
    texts.map(|(name, structure)| Ok((iri_of(name), datatype(name, &structure.value)?))).collect()
}

/// Renders the schema as an ELF file: the structures by name, then their supertypes in ELF.
pub(super) fn render_schema(facts: &Facts, of: &Gedcom70) -> String {
    let mut out = String::from(
        "0 HEAD\n1 NOTE Made by `cargo xtask schema` of lib/elf-validate/facts/gedcom70.tsv; not to be edited.\n\
         1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 SCHMA\n",
    );
    let _ = writeln!(out, "2 PRFX g7 {GEDCOM_7}");
    if of.structures.keys().any(|name| with_prefix(name).starts_with("g71:")) {
        let _ = writeln!(out, "2 PRFX g71 {}", iri_of("7.1:"));
    }
    for (_, prefix, iri) in &facts.prefixes {
        let _ = writeln!(out, "2 PRFX {prefix} {iri}");
    }
    let mut above: Vec<&str> = Vec::new();
    for (name, structure) in &of.structures {
        if PSEUDO.contains(&name.as_str()) {
            continue;
        }
        let _ = writeln!(out, "2 IRI {}", with_prefix(name));
        for supertype in &structure.supertypes {
            let _ = writeln!(out, "3 ISA {supertype}");
            above.extend(facts.with_supertypes(supertype));
        }
        let mut line = String::new();
        for place in &structure.places {
            let place = match place.as_str() {
                DATASET => "elf:Document".to_owned(),
                "HEAD" => "elf:Metadata".to_owned(),
                place => with_prefix(place),
            };
            if !line.is_empty() && line.len() + place.len() > WIDTH {
                let _ = writeln!(out, "{line}");
                line.clear();
            }
            if line.is_empty() {
                let _ = write!(line, "3 TAG {}", structure.tag);
            }
            let _ = write!(line, " {place}");
        }
        if !line.is_empty() {
            let _ = writeln!(out, "{line}");
        }
    }
    for of in facts.types.iter().filter(|of| above.contains(&of.name.as_str())) {
        let _ = writeln!(out, "2 IRI {}", of.name);
        for (_, supertype) in &of.supertypes {
            let _ = writeln!(out, "3 ISA {supertype}");
        }
    }
    out.push_str("0 TRLR\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::correspondences;

    const FACTS: &str = "published\tprefix\te\thttps://e.example/\npublished\ttype\te:Above\n\
                         published\ttype\te:A\npublished\tisa\te:A\te:Above\n\
                         published\ttype\te:B\npublished\tisa\te:B\te:Above\n";

    const STRUCTURES: &str = "# comment\n(dataset)\t\tnone\t\t\trecord-R{0:M};HEAD{1:1}\n\
                              HEAD\tHEAD\tnone\t\t\tB{0:1}\nrecord-R\tR\tnone\t\t\tA{0:1};B{0:M}\n\
                              A\tA\tnone|text\t\tAge\t\nB\tB\ttext\t\t\tA{0:1}\n";

    fn facts() -> Facts {
        let mut facts = Facts::read_facts(FACTS).expect("good facts");
        facts.correspondences =
            correspondences::read_correspondences("e:A\t\tg7:A|g7:B\ne:B\t\tg7:B\n", &facts)
                .expect("good rows");
        facts
    }

    #[test]
    fn structures_have_their_places_and_supertypes() {
        let mut facts = facts();
        facts.gedcom_7 = read_structures(STRUCTURES, "", &facts).expect("good rows");
        let made = render_schema(&facts, &facts.gedcom_7);
        assert!(made.ends_with(
            "2 IRI g7:A\n3 ISA e:A\n3 TAG A g7:B g7:record-R\n2 IRI g7:B\n3 ISA e:Above\n\
             3 TAG B elf:Metadata g7:record-R\n2 IRI g7:record-R\n3 TAG R elf:Document\n\
             2 IRI e:Above\n2 IRI e:A\n3 ISA e:Above\n0 TRLR\n"
        ));
        facts.gedcom_7 = read_structures(STRUCTURES, "g7:B\te:B\twhy\n", &facts).expect("good rows");
        assert!(render_schema(&facts, &facts.gedcom_7).contains("2 IRI g7:B\n3 ISA e:B\n"));
    }

    #[test]
    fn faults_are_found() {
        let facts = facts();
        let message =
            |supertypes: &str| read_structures(STRUCTURES, supertypes, &facts).expect_err("a problem");
        assert_eq!(message("g7:C\te:A\twhy\n"), "1: `g7:C` is no structure of GEDCOM 7");
        assert_eq!(message("g7:A\te:A\twhy\n"), "1: `e:A` is the supertype of `g7:A` anyway");
        assert_eq!(message("g7:B\te:C\twhy\n"), "1: `e:C` is no type of the built-in schemas");
        assert_eq!(message("g7:B\te:B\t\n"), "1: expected a reason");
        let twice = format!("{STRUCTURES}A\tA\tnone\t\t\t\n");
        assert_eq!(read_structures(&twice, "", &facts).expect_err("a problem"), "7: `A` has a row already");
        let unknown = STRUCTURES.replace("A{0:1}\n", "C{0:1}\n");
        assert!(
            read_structures(&unknown, "", &facts)
                .expect_err("a problem")
                .contains("nothing says what `C` is")
        );
    }
}
