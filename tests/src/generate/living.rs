//! A family of four generations, for tests of what is hidden.

use std::fmt::Write;

/// Year of birth of each person, whether living, and the family of the parents.
const PEOPLE: [(u32, bool, Option<usize>); 10] = [
    (1840, false, None),
    (1842, false, None),
    (1868, false, Some(0)),
    (1870, false, None),
    (1900, false, Some(1)),
    (1903, false, Some(1)),
    (1942, true, None),
    (1975, true, Some(2)),
    (1978, true, Some(2)),
    (1903, false, None),
];

/// The partners of each family.
const FAMILIES: [(usize, usize); 4] = [(0, 1), (2, 3), (4, 6), (9, 5)];

/// A text about someone living, in the records of the dead.
#[derive(Clone, Copy, Debug)]
pub struct Mention<'m> {
    /// The text.
    pub text: &'m str,
    /// Chooses the tags that it is under.
    pub number: usize,
}

/// The lines of a file in which the living carry the word `qliving` in every text, and the dead the word `qdead`.
pub fn living_family(mention: Option<Mention<'_>>) -> Vec<String> {
    let mut text = String::from("0 HEAD\n1 SOUR test\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n1 SUBM @U1@\n");
    // Writing to a text succeeds.
    let mut add = |lines: std::fmt::Arguments<'_>| text.write_fmt(lines).unwrap_or_default();
    let word = |person: usize| if PEOPLE[person].1 { "qliving" } else { "qdead" };
    for (at, (birth, living, parents)) in PEOPLE.into_iter().enumerate() {
        let w = word(at);
        add(format_args!(
            "0 @I{at}@ INDI\n1 NAME Jo{at} /{w}/\n2 SURN {w}\n1 SEX M\n1 BIRT\n2 DATE {birth}\n2 PLAC {w}\n"
        ));
        if !living {
            add(format_args!("1 DEAT\n2 DATE {}\n1 ASSO @I{}@\n2 RELA qliving\n", birth + 60, 6 + at % 3));
            if let Some(Mention { text, number }) = mention {
                let tags = ["NOTE", "OCCU", "_STORY", "TITL", "RESI"];
                add(format_args!("1 {} told by {text}\n2 CONT and others\n", tags[(number + at) % 5]));
            }
        }
        add(format_args!(
            "1 NOTE of {w}\n2 CONT and {w}\n1 NOTE @N{at}@\n1 SOUR @S{at}@\n2 PAGE {w}\n2 DATA\n3 TEXT {w}\n"
        ));
        add(format_args!("1 OBJE @O{at}@\n1 _UID {w}\n1 OCCU {w}\n2 _X {w}\n"));
        if let Some(family) = parents {
            add(format_args!("1 FAMC @F{family}@\n2 NOTE {w}\n"));
        }
        for (family, _) in FAMILIES.iter().enumerate().filter(|(_, (one, two))| at == *one || at == *two) {
            add(format_args!("1 FAMS @F{family}@\n"));
        }
    }
    for (at, (one, two)) in FAMILIES.into_iter().enumerate() {
        let living = if PEOPLE[one].1 { one } else { two };
        add(format_args!("0 @F{at}@ FAM\n1 HUSB @I{one}@\n1 WIFE @I{two}@\n"));
        for (child, _) in PEOPLE.iter().enumerate().filter(|(_, (_, _, parents))| *parents == Some(at)) {
            add(format_args!("1 CHIL @I{child}@\n2 _FREL {}\n", word(child)));
        }
        add(format_args!("1 MARR\n2 NOTE {w}\n1 NOTE @N{living}@\n1 _STAT {w}\n", w = word(living)));
    }
    for at in 0..PEOPLE.len() {
        let w = word(at);
        add(format_args!("0 @N{at}@ NOTE {w}\n1 CONT more {w}\n1 SOUR @S{at}@\n"));
        add(format_args!("0 @S{at}@ SOUR\n1 TITL {w}\n1 NOTE {w}\n1 REPO @R{at}@\n1 _TAG {w}\n"));
        add(format_args!(
            "0 @R{at}@ REPO\n1 NAME Box {w}\n1 ADDR {w}\n0 @O{at}@ OBJE\n1 FILE {w}.jpg\n1 NOTE {w}\n"
        ));
    }
    add(format_args!("0 @U1@ SUBM\n1 NAME Sub /Mitter/\n0 TRLR"));
    text.lines().map(str::to_owned).collect()
}
