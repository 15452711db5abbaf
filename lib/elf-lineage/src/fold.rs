//! Folds text: removes case, accents and other differences of spelling that a search ignores.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Folds a text so that different spellings of a word become equal: lower case, no accents, basic
/// letters instead of national ones, and single spaces.
///
/// ```
/// use elf_lineage::folded;
///
/// assert_eq!(folded("MÜLLER"), "muller");
/// assert_eq!(folded("Weiß  Østergård Łódź"), "weiss ostergard lodz");
/// assert_eq!(folded("O’Brien"), "o'brien");
/// ```
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        let letters = text.chars().map(|c| if c == '`' { '\'' } else { c.to_ascii_lowercase() });
        letters.for_each(|c| push_char(&mut folded, c));
    } else {
        // Marks are removed, so their order does not matter.
        text.chars().for_each(|c| decompose_canonical(c, |part| push_part(&mut folded, part)));
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Adds a letter in lower case and with basic letters. Skips combining marks.
fn push_part(folded: &mut String, part: char) {
    for c in part.to_lowercase().filter(|c| !is_combining_mark(*c)) {
        match plain_letters(c) {
            Some(plain) => folded.push_str(plain),
            None => push_char(folded, c),
        }
    }
}

/// Adds a character. Skips a space at the start or after another space.
fn push_char(folded: &mut String, c: char) {
    match c.is_whitespace() {
        true if folded.is_empty() || folded.ends_with(' ') => {}
        true => folded.push(' '),
        false => folded.push(c),
    }
}

/// Returns the basic letters that replace a letter such as `ß`, which is not a basic letter with an
/// accent, or a ligature. Returns the same character for all quotation marks of a kind, and for all
/// hyphens.
///
/// Unicode has compatibility decompositions for some of these characters. Their table would make the
/// module for browsers 22 KB larger, and nearly all of its characters never occur in names.
const fn plain_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ı' => "i",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "ng",
        'ĸ' => "k",
        'ς' => "σ",
        'ſ' => "s",
        'ª' => "a",
        'º' => "o",
        'ĳ' => "ij",
        'ŀ' => "l·",
        'ŉ' => "'n",
        'ǆ' | 'ǳ' => "dz",
        'ǉ' => "lj",
        'ǌ' => "nj",
        'և' => "եւ",
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        '…' => "...",
        '’' | '‘' | 'ʼ' | 'ʻ' | '`' | '´' => "'",
        '‐' | '‑' | '–' | '—' => "-",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_become_equal() {
        for (spellings, expected) in [
            (&["Müller", "MÜLLER", "Mu\u{308}ller", "muller"][..], "muller"),
            (&["Weiß", "WEISS", "WEIẞ"], "weiss"),
            (&["Sørensen", "SØRENSEN", "Sorensen"], "sorensen"),
            (&["Ærø", "AERO"], "aero"),
            (&["Łukasz", "lukasz", "ŁUKASZ"], "lukasz"),
            (&["Đorđe", "Dorde"], "dorde"),
            (&["Þórður", "Thordur"], "thordur"),
            (&["İstanbul", "istanbul"], "istanbul"),
            (&["Παπαδόπουλος", "ΠΑΠΑΔΟΠΟΥΛΟΣ"], "παπαδοπουλοσ"),
            (&["Фёдор", "ФЕДОР"], "федор"),
            (&["  Jean\u{a0}  Pierre ", "jean pierre"], "jean pierre"),
            (&["ﬁsher", "Fisher"], "fisher"),
            (&["Hoﬀmann", "HOFFMANN"], "hoffmann"),
            (&["Paſtor", "PASTOR"], "pastor"),
            (&["Ĳsbrand", "ĳsbrand", "IJsbrand"], "ijsbrand"),
            (&["Mª Carmen", "Ma Carmen"], "ma carmen"),
            (&["Ǉubica", "ǈubica", "Ljubica"], "ljubica"),
            (&["Ǆuro", "ǅuro", "Džuro"], "dzuro"),
            (&["O’Brien", "O'BRIEN", "O`Brien", "O´Brien"], "o'brien"),
            (&[""], ""),
        ] {
            for spelling in spellings {
                assert_eq!(folded(spelling), expected, "{spelling}");
            }
        }
    }
}
