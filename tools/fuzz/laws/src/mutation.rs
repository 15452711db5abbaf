//! Mutations that know the grammar: what they make is often a file still, or a date, or a list of edits.
//!
//! A fuzzer that changes octets finds its way to faults of lines by itself; to a schema that defines a type
//! twice, or a pointer to a record that moved, it takes a hand that moves lines and words.

/// The material that the inputs of a law are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Lines of a file.
    Lines,
    /// Payloads, one a line: dates and other values.
    Values,
    /// A file, an octet 0, and edits of it or another file.
    Pair,
    /// Anything else.
    Octets,
}

impl Material {
    /// The material of the inputs of the law of that name.
    pub fn of(law: &str) -> Material {
        match law {
            "values" => Material::Values,
            "edits" | "comparison" => Material::Pair,
            "archive" | "config" => Material::Octets,
            _ => Material::Lines,
        }
    }
}

/// Tags that mean something somewhere.
const TAGS: &[&str] = &[
    "HEAD", "TRLR", "CHAR", "GEDC", "VERS", "SCHMA", "IRI", "ISA", "TAG", "PRFX", "ESC", "DEFN", "ELF",
    "PLANG", "LANG", "INDI", "FAM", "NOTE", "SNOTE", "SOUR", "OBJE", "REPO", "SUBM", "NAME", "GIVN", "SEX",
    "BIRT", "DEAT", "MARR", "EVEN", "DATE", "AGE", "TIME", "PLAC", "HUSB", "WIFE", "CHIL", "FAMC", "FAMS",
    "ASSO", "CONT", "CONC", "ERROR", "UNDEF", "RESN", "FILE", "FORM", "TYPE", "_A", "_B", "X_C",
];

/// Payloads that mean something somewhere.
const PAYLOADS: &[&str] = &[
    "",
    "UTF-8",
    "ANSEL",
    "ASCII",
    "UNICODE",
    "ANSI",
    "IBMPC",
    "5.5.1",
    "7.0",
    "1.0.0",
    "@I1@",
    "@F1@",
    "@N1@",
    "@VOID@",
    "@#DHEBREW@ 1 NSN 5700",
    "@#DJULIAN@ 1 JAN 1700/01",
    "ABT 1900",
    "BET 1 JAN 1900 AND 1910",
    "FROM 1900",
    "31 FEB 1900",
    "INT 1900 (x)",
    "Y",
    "M",
    "a@b",
    "a@@b",
    "@#U41@ ",
    "@#U0301@ ",
    "e http://e/",
    "elf:Document",
    "e:X",
    "e:Y",
    "_A e:X",
    "_A elf:Document",
    "NAME e:X",
    "http://e/Z _B",
    "U",
    "DATE D",
    "é",
    "e\u{301}",
    "漢字",
    "Ada /King/",
    "\u{a0}",
    "confidential",
    "12y 3m",
    "12:30:00",
];

/// Words of dates.
const WORDS: &[&str] = &[
    "ABT",
    "CAL",
    "EST",
    "BEF",
    "AFT",
    "BET",
    "AND",
    "FROM",
    "TO",
    "INT",
    "@#DGREGORIAN@",
    "@#DJULIAN@",
    "@#DHEBREW@",
    "@#DFRENCH R@",
    "@#DROMAN@",
    "@#DUNKNOWN@",
    "JAN",
    "FEB",
    "FEBR",
    "DEC",
    "TSH",
    "ADS",
    "ELL",
    "VEND",
    "COMP",
    "B.C.",
    "BC",
    "1",
    "29",
    "31",
    "0",
    "1900",
    "1700/01",
    "1699/00",
    "99999",
    "(x)",
    "(",
    ")",
    "12y",
    "3m",
    "4d",
    "<",
    ">",
    "CHILD",
    "12:30",
    "23:59:59.999Z",
    "N1.5",
    "/x/",
    ",",
];

/// Beginnings of what is hard to read: breaks, marks, signatures.
const DAMAGE: &[&str] = &[
    "\n0 ",
    "\r\n1 ",
    "\r",
    "\n2 CONC ",
    "\n1 CONT ",
    "\t",
    "\0",
    "\u{1b}",
    "\u{feff}",
    "\u{fffd}",
    "\u{85}",
    "@@",
    "@#",
    "PK\u{3}\u{4}",
    "PK\u{1}\u{2}",
    "PK\u{5}\u{6}",
    "[check]\n",
    "[[check.files]]\n",
    "glob = \"**\"\n",
    "deny = [\"E03\"]\n",
];

/// Paths and values of edits.
const EDITS: &[&str] = &[
    "set @I1@/NAME=Ada",
    "set @I1@/BIRT/DATE=31 FEB 1900",
    "set @N1@=a\u{301}",
    "text @I1@/NOTE=@I2@",
    "insert @I1@/NOTE=text",
    "insert @I1@/FAMC=@F1@",
    "insert @X1@ NOTE=new",
    "remove @I1@",
    "remove @I1@/NAME",
    "remove @F1@/CHIL[1]",
    "move @I1@/BIRT=@I2@/BIRT",
    "rename I1=I9",
    "rename N1=LONGIDENTIFIERINDEED",
    "cascade",
    "create",
    "dangling",
];

/// The words that a fuzzer may put anywhere, as libFuzzer reads them: an entry a line, in quotation marks.
pub fn dictionary() -> String {
    let words = [TAGS, PAYLOADS, WORDS, DAMAGE].concat();
    let words: std::collections::BTreeSet<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let escaped = |octet: u8| match octet {
        b' '..=b'~' if octet != b'"' && octet != b'\\' => char::from(octet).to_string(),
        octet => format!("\\x{octet:02X}"),
    };
    words.into_iter().map(|word| format!("\"{}\"\n", word.bytes().map(escaped).collect::<String>())).collect()
}

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides.max(1)
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all.get(self.throw(all.len())).copied().unwrap_or_default()
    }
}

/// Changes an input as its material suggests; `None` where the material has no grammar, or the input nothing
/// that it could be applied to. The last octet, which chooses the rules, is left alone.
pub fn mutated(material: Material, octets: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut dice = Dice(u64::from(seed) << 1 | 1);
    dice.throw(1);
    let (choice, octets) = octets.split_last()?;
    let mut made = match material {
        Material::Lines => lines(octets, &mut dice),
        Material::Values => values(octets, &mut dice),
        Material::Pair => {
            let at = octets.iter().position(|octet| *octet == 0).unwrap_or(octets.len());
            let (file, rest) = octets.split_at(at);
            let rest = rest.get(1..).unwrap_or_default();
            let [file, rest] = match dice.throw(3) {
                0 => [file.to_vec(), lines(rest, &mut dice)],
                1 => [file.to_vec(), list(rest, &mut dice)],
                _ => [lines(file, &mut dice), rest.to_vec()],
            };
            [file, vec![0], rest].concat()
        }
        Material::Octets => return None,
    };
    made.push(*choice);
    Some(made)
}

/// The lines of a text with their breaks.
fn split(octets: &[u8]) -> Vec<Vec<u8>> {
    octets.split_inclusive(|octet| *octet == b'\n').map(<[u8]>::to_vec).collect()
}

fn lines(octets: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut lines = split(octets);
    let at = dice.throw(lines.len());
    let level =
        lines.get(at).and_then(|line| line.first()).map_or(0, |digit| digit.wrapping_sub(b'0').min(9));
    match dice.throw(8) {
        // A line in between, a level deeper or not.
        0 | 1 => {
            let level = (usize::from(level) + dice.throw(3)).saturating_sub(1);
            let xref = if dice.throw(4) == 0 { ["@I1@ ", "@F1@ ", "@N1@ "][dice.throw(3)] } else { "" };
            let line = format!("{level} {xref}{} {}\n", dice.pick(TAGS), dice.pick(PAYLOADS));
            lines.insert((at + 1).min(lines.len()), line.into_bytes());
        }
        2 if !lines.is_empty() => drop(lines.remove(at)),
        // A line and what is under it moves, or comes twice.
        3 | 4 if !lines.is_empty() => {
            let is_beneath =
                |line: &&Vec<u8>| line.first().is_some_and(|digit| digit.wrapping_sub(b'0') > level);
            let length = 1 + lines.iter().skip(at + 1).take_while(is_beneath).count();
            let block: Vec<Vec<u8>> = match dice.throw(2) {
                0 => lines.drain(at..at + length).collect(),
                _ => lines.iter().skip(at).take(length).take(50).cloned().collect(),
            };
            let to = dice.throw(lines.len() + 1);
            lines.splice(to..to, block);
        }
        5 if !lines.is_empty() => {
            if let Some(digit) = lines.get_mut(at).and_then(|line| line.first_mut()) {
                *digit = b'0' + u8::try_from(dice.throw(6)).unwrap_or_default();
            }
        }
        // Another word in the line: a tag, a payload.
        _ => {
            if let Some(line) = lines.get_mut(at) {
                *line = word(line, if dice.throw(2) == 0 { TAGS } else { PAYLOADS }, dice);
            }
        }
    }
    lines.concat()
}

fn values(octets: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut lines = split(octets);
    let at = dice.throw(lines.len());
    match lines.get_mut(at) {
        Some(line) => *line = word(line, WORDS, dice),
        None => lines.push([dice.pick(WORDS), " ", dice.pick(WORDS)].concat().into_bytes()),
    }
    lines.concat()
}

fn list(octets: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut lines = split(octets);
    let at = dice.throw(lines.len() + 1);
    match dice.throw(3) {
        0 if at < lines.len() => drop(lines.remove(at)),
        1 if at < lines.len() => lines.swap(0, at),
        _ => lines.insert(at, [dice.pick(EDITS), "\n"].concat().into_bytes()),
    }
    lines.concat()
}

/// Replaces, removes or adds one of the words of a line.
fn word(line: &[u8], with: &[&str], dice: &mut Dice) -> Vec<u8> {
    let is_ended = line.ends_with(b"\n");
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut words: Vec<&[u8]> = line.split(|octet| *octet == b' ').collect();
    let (at, new) = (dice.throw(words.len()), dice.pick(with).as_bytes());
    match dice.throw(4) {
        0 => words.insert(at, new),
        1 if words.len() > 1 => drop(words.remove(at)),
        _ => words[at] = new,
    }
    let mut made = words.join(&b' ');
    made.extend(is_ended.then_some(b'\n'));
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_another_input_of_the_same_rules() {
        let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n0 TRLR\n\x003";
        for material in [Material::Lines, Material::Values, Material::Pair] {
            for octets in [&file[..], b"3", b"\n3", b"\xFF\x003"] {
                let made: Vec<_> = (0..500).filter_map(|seed| mutated(material, octets, seed)).collect();
                assert!(made.iter().all(|made| made.ends_with(b"3")), "{material:?}");
                assert!(made.iter().any(|made| made != octets), "{material:?}");
            }
            assert_eq!(mutated(material, b"", 1), None);
        }
        assert_eq!(mutated(Material::Octets, file, 1), None);
    }
}
