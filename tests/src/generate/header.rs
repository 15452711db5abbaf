//! Headers: the encoding, versions, languages and schemas.

use super::{Random, Sort};
use elf_base::Draft;

/// Appends the header record. Returns whether it defines the tags `_A` to `_E`.
pub(super) fn push_header(random: &mut Random, sort: Sort, lines: &mut Vec<String>) -> bool {
    let fault = |random: &mut Random| random.chance(sort.faults / 4);
    lines.push(
        if fault(random) {
            random.pick_word(&["0 head", "0 HEAD x", "0  HEAD", "0 HEAD  "])
        } else {
            "0 HEAD"
        }
        .to_owned(),
    );
    let mut parts: Vec<Vec<String>> = Vec::new();
    if random.chance(85) {
        let name = if fault(random) {
            random.pick_word(&["ANSI", "UTF8", "utf-8", "UNICODE", "IBMPC", "", "UTF-8 "])
        } else {
            random.pick_word(&["UTF-8", "UTF-8", "UTF-8", "UTF-8", "ANSEL", "ASCII", "UNICODE"])
        };
        parts.push(vec![format!("1 CHAR {name}")]);
    }
    match sort.draft {
        Draft::December2019 => push_versions(random, sort, &mut parts),
        // In these drafts, GEDC is data.
        _ if random.chance(15) => parts.push(make_gedc_as_data(random)),
        _ => {}
    }
    if random.chance(15) {
        let language = if fault(random) {
            random.pick_word(&["de_DE", "x", "en-a", ""])
        } else {
            random.pick_word(&["de", "en-GB", "und", "nds", "zh-min-nan", "x-a"])
        };
        parts.push(vec![format!("1 PLANG {language}")]);
    }
    for _ in 0..random.below(3) {
        let tag = random.pick_word(&["SOUR", "DEST", "NOTE", "SUBM", "FILE", "COPR", "LANG", "GED", "_X"]);
        parts.push(vec![format!("1 {tag} something"), "2 VERS 1".to_owned()]);
    }
    let own = random.chance(sort.own_types);
    if own {
        parts.push(match sort.draft {
            Draft::October2017 | Draft::July2017 => make_dictionary(random),
            _ => make_schema(random, sort),
        });
    } else if random.chance(10) && sort.draft == Draft::December2019 {
        parts.push(vec!["1 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0".to_owned()]);
    }
    if fault(random) {
        let repeated = random.pick_word(&[
            "1 CHAR UTF-8",
            "1 ELF 1.0",
            "1 PLANG en",
            "1 GEDC",
            "1 @X@ CHAR UTF-8",
            "1 SCHMA",
        ]);
        parts.push(vec![repeated.to_owned()]);
    }
    if random.chance(20) {
        parts.reverse();
    }
    lines.extend(parts.into_iter().flatten());
    own
}

/// Appends ELF and GEDC for December.
fn push_versions(random: &mut Random, sort: Sort, parts: &mut Vec<Vec<String>>) {
    let fault = |random: &mut Random| random.chance(sort.faults / 4);
    if random.chance(50) {
        let version = if fault(random) {
            random.pick_word(&["2.0", "1", "1.0.0.0", "x", "", "1.0 ", "@X@"])
        } else {
            random.pick_word(&["1.0.0", "1.0", "1.0.7", "01.00", "1.9"])
        };
        parts.push(vec![format!("1 ELF {version}")]);
    }
    if random.chance(60) {
        let version = if fault(random) {
            random.pick_word(&["5.5.2", "x", "5.5.1 EL", "7.0", "5.3"])
        } else {
            random.pick_word(&["5.5.1", "5.5", "5.05", "5.5.0"])
        };
        let form = if fault(random) { "Lineage-Linked" } else { "LINEAGE-LINKED" };
        let [gedc, vers] =
            ["G", "V"].map(|name| if fault(random) { format!("@{name}@ ") } else { String::new() });
        let mut gedc =
            vec![format!("1 {gedc}GEDC"), format!("2 {vers}VERS {version}"), format!("2 FORM {form}")];
        if fault(random) {
            gedc.truncate(1 + random.below(2));
        }
        if fault(random) {
            gedc.push(
                random
                    .pick_word(&["2 VERS 5.5.1", "2 CONC x", "2 @X@ FOO", "2 FOO @X@", "2 FOO bar"])
                    .to_owned(),
            );
        }
        parts.push(gedc);
    }
}

/// Generates GEDC as in GEDCOM, which is data in the drafts before December 2019, so it may have identifiers.
fn make_gedc_as_data(random: &mut Random) -> Vec<String> {
    let mut label = |name: &str| if random.chance(25) { format!("@{name}@ ") } else { String::new() };
    let [gedc, vers, form] = ["G", "V", "F"].map(&mut label);
    let mut lines = vec![format!("1 {gedc}GEDC")];
    if random.chance(90) {
        lines.push(format!("2 {vers}VERS {}", random.pick_word(&["5.5.1", "5.5", "5.5.5", "7.0", "x"])));
    }
    if random.chance(80) {
        lines.push(format!("2 {form}FORM {}", random.pick_word(&["LINEAGE-LINKED", "Lineage-Linked", "x"])));
    }
    if random.chance(15) {
        lines.push(random.pick_word(&["2 NOTE x", "2 SOUR @I1@", "2 NOTE @V@", "2 VERS 1"]).to_owned());
    }
    lines
}

/// Generates a dictionary of the drafts of 2017.
fn make_dictionary(random: &mut Random) -> Vec<String> {
    let mut lines = vec!["1 PRFX X_ https://e.example/x/".to_owned()];
    for tag in ["_A", "_B", "_C", "NAME", "DATE"] {
        if random.chance(40) {
            lines.push(format!("1 DEFN {tag} https://e.example/{}", random.pick_word(&["a", "b", "c"])));
        }
    }
    lines
}

/// Generates a schema with types of its own, and sometimes a reference to the default one.
fn make_schema(random: &mut Random, sort: Sort) -> Vec<String> {
    let mut lines = vec!["1 SCHMA".to_owned(), "2 PRFX ex https://e.example/".to_owned()];
    if random.chance(70) {
        lines.push("2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0".to_owned());
    }
    lines.push("2 PRFX elf https://terms.fhiso.org/elf/".to_owned());
    for _ in 0..=random.below(6) {
        let defined = random.pick_word(&[
            "ex:A",
            "ex:B",
            "ex:C",
            "ex:D",
            "https://e.example/E",
            "elf:EVENT#Individual",
        ]);
        lines.push(format!("2 IRI {defined}"));
        for _ in 0..random.below(3) {
            let of =
                random.pick_word(&["ex:A", "ex:B", "ex:C", "elf:Event", "elf:Record", "elf:IndividualEvent"]);
            if of != defined {
                lines.push(format!("3 ISA {of}"));
            }
        }
        for _ in 0..random.below(3) {
            let tag = random.pick_word(&["_A", "_B", "_C", "_D", "_E", "NAME", "DATE"]);
            let above = |random: &mut Random| {
                random.pick_word(&[
                    "elf:Document",
                    "elf:INDIVIDUAL_RECORD",
                    "elf:Event",
                    "ex:A",
                    "ex:B",
                    "ex:C",
                    "elf:Metadata",
                ])
            };
            let mut definition = format!("3 TAG {tag} {}", above(random));
            if random.chance(25) {
                definition.push_str(&format!(" {}", above(random)));
            }
            lines.push(definition);
        }
    }
    if random.chance(40) {
        lines.push(format!(
            "2 ESC {} {}",
            random.pick_word(&["_A", "_B", "NOTE", "DATE"]),
            random.pick_word(&["L", "D", "LD", "DL"])
        ));
    }
    if random.chance(sort.faults / 4) {
        lines.push(
            random
                .pick_word(&[
                    "2 FOO x",
                    "2 ESC",
                    "2 PRFX x",
                    "2 IRI",
                    "2 IRI ex:A b",
                    "3 TAG _F",
                    "2 ESC _A U",
                ])
                .to_owned(),
        );
    }
    lines
}
