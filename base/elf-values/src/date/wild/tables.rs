//! Words that real files use instead of the words of the grammar.

pub(super) fn find_replacement(table: &[(&str, &str)], word: &str) -> Option<String> {
    table.iter().find(|(from, _)| *from == word).map(|(_, to)| (*to).to_owned())
}

pub(super) const ENGLISH: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];

/// English words that mean exactly one keyword.
pub(super) const KEYWORDS: [(&str, &str); 6] = [
    ("ABOUT", "ABT"),
    ("BEFORE", "BEF"),
    ("AFTER", "AFT"),
    ("BETWEEN", "BET"),
    ("ESTIMATED", "EST"),
    ("CALCULATED", "CAL"),
];

/// Words and signs that likely mean a keyword.
pub(super) const LOOSE: [(&str, &str); 23] = [
    ("C", "ABT"),
    ("C.", "ABT"),
    ("CA", "ABT"),
    ("CCA", "ABT"),
    ("CIRCA", "ABT"),
    ("CIRC", "ABT"),
    ("CIR", "ABT"),
    ("APPROX", "ABT"),
    ("APPROXIMATELY", "ABT"),
    ("APPR", "ABT"),
    ("AROUND", "ABT"),
    ("ROUGHLY", "ABT"),
    ("UM", "ABT"),
    ("VERS", "ABT"),
    ("ENV", "ABT"),
    ("ENVIRON", "ABT"),
    ("OMSTREEKS", "ABT"),
    ("CIRKA", "ABT"),
    ("~", "ABT"),
    ("&", "AND"),
    ("<", "BEF"),
    (">", "AFT"),
    ("UNTIL", "TO"),
];

/// Names of months in nine languages (German, French, Spanish, Portuguese, Italian, Dutch, Danish, Norwegian and
/// Swedish), without names that two languages use for different months.
pub(super) const FOREIGN: [(&str, &str); 46] = [
    ("JANUAR", "JAN"),
    ("JÄNNER", "JAN"),
    ("JANV", "JAN"),
    ("JANVIER", "JAN"),
    ("ENE", "JAN"),
    ("ENERO", "JAN"),
    ("JANEIRO", "JAN"),
    ("GEN", "JAN"),
    ("GENNAIO", "JAN"),
    ("JANUARI", "JAN"),
    ("FEBRUAR", "FEB"),
    ("FÉV", "FEB"),
    ("FÉVR", "FEB"),
    ("FEBRERO", "FEB"),
    ("FEV", "FEB"),
    ("MÄR", "MAR"),
    ("MÄRZ", "MAR"),
    ("MRZ", "MAR"),
    ("MARS", "MAR"),
    ("MARZO", "MAR"),
    ("MRT", "MAR"),
    ("MAART", "MAR"),
    ("AVR", "APR"),
    ("AVRIL", "APR"),
    ("ABR", "APR"),
    ("ABRIL", "APR"),
    ("MAI", "MAY"),
    ("MAJ", "MAY"),
    ("MEI", "MAY"),
    ("MAYO", "MAY"),
    ("MAG", "MAY"),
    ("JUIN", "JUN"),
    ("JUNI", "JUN"),
    ("GIU", "JUN"),
    ("JUIL", "JUL"),
    ("JUILLET", "JUL"),
    ("JULI", "JUL"),
    ("LUG", "JUL"),
    ("AOÛT", "AUG"),
    ("AGO", "AUG"),
    ("SETT", "SEP"),
    ("OKT", "OCT"),
    ("OKTOBER", "OCT"),
    ("DEZ", "DEC"),
    ("DÉC", "DEC"),
    ("DIC", "DEC"),
];

/// Other names of the epochs of the Gregorian calendar.
pub(super) const EPOCHS: [(&str, &str); 4] =
    [("BCE", "B.C."), ("B.C.E.", "B.C."), ("CE", "A.D."), ("C.E.", "A.D.")];

/// Codes of temples in ordinances of GEDCOM 5.5, which real files have after dates.
const TEMPLES: [&str; 18] = [
    "AL", "AT", "AZ", "HA", "IF", "JR", "LA", "LD", "LG", "MT", "NZ", "OG", "OK", "PV", "SG", "SL", "SW",
    "WA",
];

pub(crate) fn is_temple(word: &str) -> bool {
    TEMPLES.contains(&word)
}
