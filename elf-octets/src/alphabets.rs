//! The letters beyond ASCII that languages write names with, and which of them are common.

use std::sync::OnceLock;

/// The number of languages in the table.
pub(crate) const LANGUAGES: usize = ALPHABETS.len();

/// The likelihood of one letter in each language: tenths of the natural logarithm, none above 0.
pub(crate) type Weights = [i16; LANGUAGES];

/// A letter of no language here.
pub(crate) const UNKNOWN: i16 = -80;

/// A letter of other languages only: names travel.
pub(crate) const FOREIGN: i16 = -65;

/// A letter that the language has, but hardly in names.
const RARE: i16 = -40;

/// The common letters of a language and the rare ones, in lower case.
const ALPHABETS: [(&str, &str); 21] = [
    // German; Dutch; French
    ("üöäß", "éëèï"),
    ("ëïéöü", "èêçä"),
    ("éèçêëïôîâ", "àûœüùöæñ"),
    // Spanish; Catalan; Portuguese; Italian
    ("áéíóñú", "üçï"),
    ("àèéíòóúç", "ïü"),
    ("ãçéáíóêâú", "õôàü"),
    ("àèòìù", "éíúî"),
    // Irish; Icelandic
    ("áéíóú", ""),
    ("íáóðþéöæúý", ""),
    // Danish and Norwegian; Swedish; Finnish; Estonian
    ("øåæ", "éöäüòô"),
    ("öåä", "éüæøà"),
    ("äö", "åéüšž"),
    ("äöüõ", "šž"),
    // Polish; Czech and Slovak; Hungarian; South Slavic; Romanian
    ("łęóąśżńćź", "éö"),
    ("áíýéřšěčžů", "úňťďóľôäĺŕöü"),
    ("áéóöőüí", "úűäë"),
    ("ćčšžđ", ""),
    ("ăâîşţ", "éșț"),
    // Lithuanian; Latvian, Polynesian and Japanese; Turkish
    ("ąčęėįšųūž", ""),
    ("āēīōū", "čģķļņšž"),
    ("ışğçöü", "âî"),
];

/// Returns the likelihood of a lower-case letter in each language; `None` for a letter that no language has.
pub(crate) fn weights(letter: char) -> Option<&'static Weights> {
    static TABLE: OnceLock<Vec<(char, Weights)>> = OnceLock::new();
    let table = TABLE.get_or_init(table);
    let index = table.binary_search_by_key(&letter, |(other, _)| *other).ok()?;
    Some(&table[index].1)
}

fn table() -> Vec<(char, Weights)> {
    let mut letters: Vec<char> =
        ALPHABETS.iter().flat_map(|(common, rare)| common.chars().chain(rare.chars())).collect();
    letters.sort();
    letters.dedup();
    let weight = |letter: char, (common, rare): &(&str, &str)| {
        if common.contains(letter) {
            // The more there are, the less common is each.
            match common.chars().count() {
                0..=3 => -11,
                4..=6 => -18,
                7..=10 => -23,
                _ => -25,
            }
        } else if rare.contains(letter) {
            RARE
        } else {
            FOREIGN
        }
    };
    let row = |letter: char| {
        let mut weights = [FOREIGN; LANGUAGES];
        for (slot, alphabet) in weights.iter_mut().zip(&ALPHABETS) {
            *slot = weight(letter, alphabet);
        }
        (letter, weights)
    };
    letters.into_iter().map(row).collect()
}
