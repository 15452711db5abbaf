//! Names of persons and places in other scripts, and the pieces of names (MG49 to MG51, MG93, MG115).

use elf_values::is_language_tag;

/// The ways to write a name by its sounds or in Latin letters, with the language tag of each.
const WAYS: [(&str, &str, &str); 5] = [
    ("FONE", "hangul", "ko-hang"),
    ("FONE", "kana", "ja-hrkt"),
    ("ROMN", "pinyin", "und-Latn-pinyin"),
    ("ROMN", "romaji", "ja-Latn"),
    ("ROMN", "wadegiles", "zh-Latn-wadegile"),
];

/// The most letters of the code of a language, before what a tag says more.
const CODE: usize = 3;

/// The language tag of a name by its sounds of which nothing is said.
const BY_SOUND: &str = "und-x-fone";

/// The language tag of a name in Latin letters of which nothing is said.
const IN_LATIN: &str = "und-Latn-x-romn";

/// The language tag for a tag of GEDCOM 5.5.1 and the type beneath it, and whether it says all of the
/// type.
pub(crate) fn language_of<'w>(tag: &str, way: Option<&'w str>) -> (&'w str, bool) {
    let known = WAYS.iter().find(|(of, known, _)| *of == tag && Some(*known) == way);
    // A type may itself be a tag, as those are that `way_of` has no other type for.
    let is_tag = |way: &&str| {
        let has_code = way.split('-').next().is_some_and(|code| code.len() <= CODE);
        has_code && is_language_tag(way) && way_of(way) == (of_tag(tag), Some(*way))
    };
    if let Some(way) = way.filter(is_tag) {
        return (way, true);
    }
    match (known, tag) {
        (Some((_, _, language)), _) => (language, true),
        (None, "FONE") => (BY_SOUND, way.is_none()),
        (None, _) => (IN_LATIN, way.is_none()),
    }
}

fn of_tag(tag: &str) -> &'static str {
    if tag == "FONE" { "FONE" } else { "ROMN" }
}

/// The tag of GEDCOM 5.5.1 for a name in a language, and the type beneath it.
pub(crate) fn way_of(language: &str) -> (&'static str, Option<&str>) {
    if let Some((tag, way, _)) = WAYS.iter().find(|(_, _, known)| *known == language) {
        return (tag, Some(way));
    }
    match language {
        BY_SOUND => ("FONE", None),
        IN_LATIN | "" => ("ROMN", None),
        _ if language.split('-').any(|part| part.eq_ignore_ascii_case("latn")) => ("ROMN", Some(language)),
        _ => ("FONE", Some(language)),
    }
}

/// The pieces of a name that may be several.
pub(crate) const PIECES: [&str; 6] = ["NPFX", "GIVN", "NICK", "SPFX", "SURN", "NSFX"];

/// The most octets of a name, and of a piece of one, that are looked at: the parts of a piece are looked
/// for in the name, which takes time by both.
const LONGEST: usize = 1000;

/// The parts of a piece with commas, where each is a piece by itself; one without commas where they
/// are one. A piece stays whole where it or the name is longer than those of people.
pub(crate) fn parts_of(piece: &str, name: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = piece.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if !piece.contains(',') || parts.is_empty() || piece.len().max(name.len()) > LONGEST {
        return None;
    }
    let met = parts.iter().filter(|part| name.contains(**part)).count();
    if met <= 1 || parts.iter().any(|part| part.contains(' ')) {
        return Some(parts.into_iter().map(str::to_owned).collect());
    }
    Some(vec![parts.join(" ")])
}

/// A name with no slashes but those around the surname: a single one opens it, and of more than two
/// those behind them become blanks.
pub(crate) fn slashed(name: &str) -> String {
    /// The slashes around a surname.
    const AROUND: usize = 2;
    let mut met = 0;
    let mut made = String::with_capacity(name.len() + 1);
    for one in name.chars() {
        met += usize::from(one == '/');
        made.push(if one == '/' && met > AROUND { ' ' } else { one });
    }
    if met == 1 {
        made.push('/');
    }
    made
}
