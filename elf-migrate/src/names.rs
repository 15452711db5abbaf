//! Names of persons and places in other scripts, and the pieces of names (MG49 to MG51, MG93, MG115).

/// The ways to write a name by its sounds or in Latin letters, with the language tag of each.
const WAYS: [(&str, &str, &str); 5] = [
    ("FONE", "hangul", "ko-hang"),
    ("FONE", "kana", "ja-hrkt"),
    ("ROMN", "pinyin", "und-Latn-pinyin"),
    ("ROMN", "romaji", "ja-Latn"),
    ("ROMN", "wadegiles", "zh-Latn-wadegile"),
];

/// The language tag of a name by its sounds of which nothing is said.
const BY_SOUND: &str = "und-x-fone";

/// The language tag of a name in Latin letters of which nothing is said.
const IN_LATIN: &str = "und-Latn";

/// The language tag for a tag of GEDCOM 5.5.1 and the type beneath it, and whether it says all of the
/// type.
pub(crate) fn language_of(tag: &str, way: Option<&str>) -> (&'static str, bool) {
    let known = WAYS.iter().find(|(of, known, _)| *of == tag && Some(*known) == way);
    match (known, tag) {
        (Some((_, _, language)), _) => (language, true),
        (None, "FONE") => (BY_SOUND, way.is_none()),
        (None, _) => (IN_LATIN, way.is_none()),
    }
}

/// The tag of GEDCOM 5.5.1 for a name in a language, and the type beneath it.
pub(crate) fn way_of(language: &str) -> (&'static str, Option<&str>) {
    if let Some((tag, way, _)) = WAYS.iter().find(|(_, _, known)| known.eq_ignore_ascii_case(language)) {
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

/// The parts of a piece with commas, where each is a piece by itself; one without commas where they
/// are one.
pub(crate) fn parts_of(piece: &str, name: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = piece.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if !piece.contains(',') || parts.is_empty() {
        return None;
    }
    let met = parts.iter().filter(|part| name.contains(**part)).count();
    if met <= 1 || parts.iter().any(|part| part.contains(' ')) {
        return Some(parts.into_iter().map(str::to_owned).collect());
    }
    Some(vec![parts.join(" ")])
}
