//! Generates records with their substructures.

use super::payload::{IdentifierSource, make_payload, make_text};
use super::{Random, Sort};
use elf_base::Draft;

/// Tags, and the tags that GEDCOM allows under them.
const BENEATH: [(&str, &[&str]); 12] = [
    (
        "INDI",
        &[
            "NAME", "BIRT", "DEAT", "SEX", "FAMC", "FAMS", "NOTE", "SOUR", "CHAN", "RESI", "ASSO", "REFN",
            "EVEN",
        ],
    ),
    ("FAM", &["HUSB", "WIFE", "CHIL", "MARR", "NOTE", "SOUR", "DIV", "EVEN", "NCHI"]),
    ("NAME", &["GIVN", "SURN", "NOTE", "FONE", "TYPE"]),
    ("BIRT", &["DATE", "PLAC", "NOTE", "FAMC", "AGE", "SOUR"]),
    ("DEAT", &["DATE", "PLAC", "CAUS", "AGE"]),
    ("MARR", &["DATE", "PLAC", "HUSB", "WIFE", "NOTE"]),
    ("SOUR", &["TITL", "AUTH", "DATA", "PAGE", "TEXT", "REPO", "NOTE"]),
    ("NOTE", &["SOUR", "REFN", "RIN", "CHAN"]),
    ("SUBM", &["NAME", "ADDR", "PHON", "LANG"]),
    ("PLAC", &["FORM", "MAP", "NOTE"]),
    ("CHAN", &["DATE", "NOTE"]),
    ("HUSB", &["AGE"]),
];

/// Tags that may occur anywhere.
const ANYWHERE: [&str; 10] = ["_A", "_B", "_C", "_D", "_E", "_UID", "NOTE", "DATE", "X1", "indi"];

/// Tags with a meaning in the serialisation.
const RESERVED: [&str; 9] = ["CONT", "CONC", "HEAD", "TRLR", "PLANG", "DTYPE", "ERROR", "UNDEF", "CHAR"];

/// Appends one record.
pub(super) fn push_record(
    random: &mut Random,
    sort: Sort,
    own: bool,
    names: &mut IdentifierSource,
    lines: &mut Vec<String>,
) {
    let tag = match random.below(10) {
        0 if random.chance(sort.faults) => random.pick_word(&RESERVED),
        1 | 2 if own => random.pick_word(&ANYWHERE),
        _ => random.pick_word(&["INDI", "INDI", "FAM", "SOUR", "NOTE", "SUBM", "_X"]),
    };
    let label = if random.chance(75) { names.next_identifier(random, sort) } else { None };
    let label = label.map(|name| format!("@{name}@ ")).unwrap_or_default();
    let content =
        if tag == "NOTE" || random.chance(15) { make_payload(random, sort, names) } else { String::new() };
    lines.push(format!("0 {label}{tag}{content}"));
    push_substructures(random, sort, names, lines, (0, tag));
}

/// Appends continuations and substructures of a structure with a level and a tag.
fn push_substructures(
    random: &mut Random,
    sort: Sort,
    names: &mut IdentifierSource,
    lines: &mut Vec<String>,
    (level, tag): (usize, &str),
) {
    let has_pointer = lines.last().is_some_and(|line| line.ends_with('@'));
    if random.chance(20) && (!has_pointer || random.chance(sort.faults)) {
        push_continuations(random, sort, names, lines, level);
    }
    if level > 5 {
        return;
    }
    let usual =
        BENEATH.iter().find(|(above, _)| *above == tag).map_or::<&[_], _>(&[], |(_, beneath)| beneath);
    for _ in 0..random.below(4_usize.saturating_sub(level / 2)) {
        let tag = match random.below(20) {
            0 if random.chance(sort.faults) => random.pick_word(&RESERVED),
            1 if sort.draft == Draft::December2019 => {
                push_language(random, sort, lines, level);
                continue;
            }
            2..=5 => random.pick_word(&ANYWHERE),
            _ if usual.is_empty() => random.pick_word(&ANYWHERE),
            _ => random.pick_word(usual),
        };
        let label =
            if random.chance(sort.faults / 6) { format!("@S{}@ ", lines.len()) } else { String::new() };
        let separator =
            if random.chance(sort.faults / 6) { random.pick_word(&["  ", "\t", " \t"]) } else { " " };
        lines.push(format!("{}{separator}{label}{tag}{}", level + 1, make_payload(random, sort, names)));
        push_substructures(random, sort, names, lines, (level + 1, tag));
    }
}

/// Appends continuation lines, sometimes with pointers, which are a fault in December.
fn push_continuations(
    random: &mut Random,
    sort: Sort,
    names: &IdentifierSource,
    lines: &mut Vec<String>,
    level: usize,
) {
    for _ in 0..=random.below(3) {
        let tag = random.pick_word(&["CONT", "CONC"]);
        let content = match random.below(8) {
            0 => String::new(),
            1 if random.chance(sort.faults) => format!(" @{}@", names.any_identifier(random)),
            _ => format!(" {}", make_text(random, sort)),
        };
        lines.push(format!("{} {tag}{content}", level + 1));
    }
}

/// Appends the language of a payload.
fn push_language(random: &mut Random, sort: Sort, lines: &mut Vec<String>, level: usize) {
    let language = if random.chance(sort.faults / 2) {
        random.pick_word(&["de_DE", "@I1@", "i-foo", ""])
    } else {
        random.pick_word(&["de", "en-GB", "und", "fr-Latn-CA"])
    };
    lines.push(format!("{} PLANG {language}", level + 1));
}
