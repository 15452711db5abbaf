//! Converts names of people and places in other scripts, and name pieces (MG49 to MG51, MG93, MG115).

use crate::record::{Id, Record};
use elf_values::is_language_tag;
use std::borrow::Cow;

/// The types of phonetic and romanized names, each with its language tag.
const WAYS: [(&str, &str, &str); 5] = [
    ("FONE", "hangul", "ko-hang"),
    ("FONE", "kana", "ja-hrkt"),
    ("ROMN", "pinyin", "und-Latn-pinyin"),
    ("ROMN", "romaji", "ja-Latn"),
    ("ROMN", "wadegiles", "zh-Latn-wadegile"),
];

/// The maximum length of the language code at the start of a language tag.
const CODE: usize = 3;

/// The language tag of a phonetic name without a type.
const PHONETIC: &str = "und-x-fone";

/// The language tag of a romanized name without a type.
const ROMANIZED: &str = "und-Latn-x-romn";

/// The language of a name in another script.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ScriptLanguage<'w> {
    pub(crate) tag: &'w str,
    /// True if the type follows from the language, so it need not be kept.
    pub(crate) implies_way: bool,
}

/// The form of a name in another script in GEDCOM 5.5.1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Script<'l> {
    /// `FONE` or `ROMN`.
    pub(crate) tag: &'static str,
    /// The payload of its `TYPE`.
    pub(crate) way: Option<&'l str>,
}

/// Returns the language of a `FONE` or `ROMN` with this `TYPE` (MG49, MG50).
pub(crate) fn script_language<'w>(tag: &str, way: Option<&'w str>) -> ScriptLanguage<'w> {
    let tag = if tag == "FONE" { "FONE" } else { "ROMN" };
    // The type may itself be a language tag: one that this type was made from.
    let is_language = |way: &&'w str| {
        let has_code = way.split('-').next().is_some_and(|code| code.len() <= CODE);
        has_code && is_language_tag(way) && script_of(way) == (Script { tag, way: Some(way) })
    };
    if let Some(way) = way.filter(is_language) {
        return ScriptLanguage { tag: way, implies_way: true };
    }
    if let Some((_, _, language)) = WAYS.iter().find(|(of, known, _)| *of == tag && Some(*known) == way) {
        return ScriptLanguage { tag: language, implies_way: true };
    }
    let language = if tag == "FONE" { PHONETIC } else { ROMANIZED };
    ScriptLanguage { tag: language, implies_way: way.is_none() }
}

/// Returns how GEDCOM 5.5.1 writes a name in a language (MG115).
pub(crate) fn script_of(language: &str) -> Script<'_> {
    if let Some((tag, way, _)) = WAYS.iter().find(|(_, _, known)| *known == language) {
        return Script { tag, way: Some(way) };
    }
    let is_latin = || language.split('-').any(|part| part.eq_ignore_ascii_case("latn"));
    match language {
        PHONETIC => Script { tag: "FONE", way: None },
        ROMANIZED | "" => Script { tag: "ROMN", way: None },
        _ => Script { tag: if is_latin() { "ROMN" } else { "FONE" }, way: Some(language) },
    }
}

pub(crate) const PIECES: [&str; 6] = ["NPFX", "GIVN", "NICK", "SPFX", "SURN", "NSFX"];

/// The maximum length in bytes of names and pieces that are split. Searching the parts in the name takes time
/// proportional to both lengths.
const LONGEST: usize = 1000;

/// Splits a piece at its commas if its parts are separate pieces, otherwise replaces the commas by spaces (MG51).
/// `None` if the piece stays unchanged: it has no commas, or it or the name is unusually long.
pub(crate) fn split_piece(piece: &str, name: &str) -> Option<Vec<String>> {
    if !piece.contains(',') || piece.len().max(name.len()) > LONGEST {
        return None;
    }
    let parts: Vec<&str> = piece.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return None;
    }
    let found = parts.iter().filter(|part| name.contains(**part)).count();
    if found <= 1 || parts.iter().any(|part| part.contains(' ')) {
        return Some(parts.into_iter().map(str::to_owned).collect());
    }
    Some(vec![parts.join(" ")])
}

/// The tags of pieces before, in and after the surname, in the order in which they form a name.
const AROUND_SURNAME: [&[&str]; 3] = [&["NPFX", "GIVN"], &["SPFX", "SURN"], &["NSFX"]];

/// Creates a name from the pieces under it, such as `Ann /Bee/`. `None` if it has no pieces, or only a nickname.
pub(crate) fn join_name_pieces(record: &Record<'_>, name: Id) -> Option<String> {
    let join = |tags: &[&str]| {
        let pieces = tags.iter().flat_map(|&tag| {
            let pieces = record.get(name).below.iter().map(|&id| record.get(id));
            pieces.filter(move |piece| piece.tag == tag).filter_map(|piece| piece.payload.text())
        });
        let words: Vec<String> =
            pieces.map(|piece| name_to_7(&piece.replace('/', " ")).trim().to_owned()).collect();
        words.join(" ").trim().to_owned()
    };
    let [before, surname, after] = AROUND_SURNAME.map(join);
    let surname = if surname.is_empty() { surname } else { format!("/{surname}/") };
    let parts = [before, surname, after];
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Converts a name to GEDCOM 7.0, which allows no tabs and line breaks, and at most two slashes. They become spaces.
pub(crate) fn name_to_7(name: &str) -> Cow<'_, str> {
    if name.contains(['\t', '\n']) {
        return close_slashes(&name.replace(['\t', '\n'], " ")).into_owned().into();
    }
    close_slashes(name)
}

/// Adds a missing second slash after the surname, and replaces further slashes by spaces.
fn close_slashes(name: &str) -> Cow<'_, str> {
    let mut slashes = name.match_indices('/').map(|(at, _)| at);
    match (slashes.next(), slashes.next(), slashes.next()) {
        (None, ..) | (Some(_), Some(_), None) => name.into(),
        (Some(_), None, _) => format!("{name}/").into(),
        (Some(_), Some(_), Some(third)) => {
            let (kept, rest) = name.split_at(third);
            format!("{kept}{}", rest.replace('/', " ")).into()
        }
    }
}
