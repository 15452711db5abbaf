//! A table of languages, for names of people and places. The table has the names of the languages in LANG, their code
//! pages, and their letters outside ASCII.

use crate::Encoding;
use std::sync::OnceLock;

/// The number of languages in the table.
pub(crate) const LANGUAGES: usize = TABLE.len();

/// The likelihood of one letter in each language, in tenths of the natural logarithm. A likelihood is at most 0.
pub(crate) type Weights = [i16; LANGUAGES];

/// The score of a letter that no language of the table has.
pub(crate) const UNKNOWN: i16 = -80;

/// The score of a letter that only other languages of the table have. People have such names in foreign countries too.
pub(crate) const FOREIGN: i16 = -65;

/// The score of a letter that the language has, but seldom uses in names.
const RARE: i16 = -40;

struct Language {
    /// The names of the language in lower case: the names in LANG, the code of ISO 639, and the name in the language
    /// itself.
    names: &'static [&'static str],
    /// The code pages of the language: those of Windows and DOS, and the part of ISO 8859 or of another standard.
    pages: &'static [Encoding],
    letters: Letters,
}

/// The letters of a language outside ASCII, in lower case.
enum Letters {
    /// A Latin alphabet: first the common letters, then the rare letters.
    Latin(&'static str, &'static str),
    /// All letters of another script, with the most frequent one first.
    ByFrequency(&'static str),
}

use Encoding::{
    Cp437, Cp850, Cp852, Cp866, Iso8859_2, Iso8859_5, Koi8R, Windows1250, Windows1251, Windows1252,
    Windows1253, Windows1254, Windows1255, Windows1256, Windows1257, Windows1258,
};
use Letters::{ByFrequency, Latin};

const WESTERN: &[Encoding] = &[Windows1252, Cp437, Cp850];
const CENTRAL: &[Encoding] = &[Windows1250, Cp852, Iso8859_2];
const CYRILLIC: &[Encoding] = &[Windows1251, Cp866, Koi8R, Iso8859_5];

const fn language(names: &'static [&'static str], pages: &'static [Encoding], letters: Letters) -> Language {
    Language { names, pages, letters }
}

const TABLE: [Language; 34] = [
    language(
        &["german", "de", "ger", "deu", "deutsch", "luxembourgish", "lb"],
        WESTERN,
        Latin("üöäß", "éëèï"),
    ),
    language(&["dutch", "nl", "dut", "nld", "nederlands", "afrikaans"], WESTERN, Latin("ëïéöü", "èêçä")),
    language(&["french", "fr", "fre", "fra", "francais"], WESTERN, Latin("éèçêëïôîâ", "àûœüùöæñ")),
    language(
        &["spanish", "es", "spa", "espanol", "galician", "gl", "basque", "eu"],
        WESTERN,
        Latin("áéíóñú", "üçï"),
    ),
    language(&["catalan", "ca", "cat", "catala"], WESTERN, Latin("àèéíòóúç", "ïü")),
    language(&["portuguese", "pt", "por", "portugues"], WESTERN, Latin("ãçéáíóêâú", "õôàü")),
    language(&["italian", "it", "ita", "italiano"], WESTERN, Latin("àèòìù", "éíúî")),
    language(&["irish", "ga", "gle", "gaelic", "gaeilge"], WESTERN, Latin("áéíóú", "")),
    language(
        &["icelandic", "is", "ice", "isl", "islenska", "faroese", "fo"],
        WESTERN,
        Latin("íáóðþéöæúý", "ø"),
    ),
    language(
        &["danish", "da", "dan", "dansk", "norwegian", "no", "nb", "nn", "nor", "norsk"],
        WESTERN,
        Latin("øåæ", "éöäüòô"),
    ),
    language(&["swedish", "sv", "swe", "svenska"], WESTERN, Latin("öåä", "éüæøà")),
    language(&["finnish", "fi", "fin", "suomi"], WESTERN, Latin("äö", "åéüšž")),
    language(
        &["estonian", "et", "est", "eesti"],
        &[Windows1257, Windows1252, Encoding::Iso8859_15],
        Latin("äöüõ", "šž"),
    ),
    language(&["polish", "pl", "pol", "polski", "wendic"], CENTRAL, Latin("łęóąśżńćź", "éö")),
    language(
        &["czech", "cs", "cze", "ces", "cesky", "cestina", "slovak", "sk", "slo", "slk"],
        CENTRAL,
        Latin("áíýéřšěčžů", "úňťďóľôäĺŕöü"),
    ),
    language(&["hungarian", "hu", "hun", "magyar"], CENTRAL, Latin("áéóöőüíúű", "äë")),
    language(
        &[
            "croatian",
            "hr",
            "hrv",
            "hrvatski",
            "slovene",
            "slovenian",
            "sl",
            "slv",
            "bosnian",
            "bs",
            "serbo",
            "serb",
            "serbian",
            "sr",
        ],
        CENTRAL,
        Latin("ćčšžđ", ""),
    ),
    language(&["romanian", "ro", "rum", "ron", "romana"], CENTRAL, Latin("ăâîşţ", "éșț")),
    language(&["albanian", "sq", "alb", "sqi", "shqip"], &[Windows1252, Windows1250, Cp852], Latin("ëç", "")),
    language(&["lithuanian", "lt", "lit", "lietuviu"], &[Windows1257], Latin("ąčęėįšųūž", "")),
    language(&["latvian", "lv", "lav", "latviesu"], &[Windows1257], Latin("āēīšņļģžčķū", "ōŗ")),
    // Polynesian and Japanese languages.
    language(&["hawaiian", "haw", "maori", "mi", "japanese", "ja"], &[Windows1257], Latin("āēīōū", "")),
    language(
        &["turkish", "tr", "tur", "turkce", "azeri", "azerbaijani", "az"],
        &[Windows1254],
        Latin("ışğçöüİ", "âî"),
    ),
    language(
        &["vietnamese", "vi", "vie"],
        &[Windows1258],
        Latin("\u{300}\u{301}\u{323}êđâôơưăí\u{303}\u{309}", "àáèéòóùúìý"),
    ),
    language(
        &["russian", "ru", "rus", "russkij", "russkiy"],
        CYRILLIC,
        ByFrequency("оаеинрвлстмкдпгяйьушбюзчфыхцжщэёъ"),
    ),
    language(
        &["ukrainian", "uk", "ukr", "ukrainska"],
        &[Windows1251, Iso8859_5, Cp866],
        ByFrequency("оаинвіреклстмдупгйьябчюзшхцжїєфщґ"),
    ),
    language(
        &["belorusian", "belarusian", "be", "bel"],
        &[Windows1251, Iso8859_5, Cp866],
        ByFrequency("анівркеслтомдпуягчзйшцюўьбыжхэфё"),
    ),
    language(&["bulgarian", "bg", "bul"], CYRILLIC, ByFrequency("аоиенврлтскмдпгйябчушзъцжхфющь")),
    language(
        &["serb", "serbian", "sr", "srp", "serbo"],
        &[Windows1251, Iso8859_5],
        ByFrequency("аоиерлвјнсткмдубпћгзшчжњљцфхђџ"),
    ),
    language(
        &["macedonian", "mk", "mac", "mkd"],
        &[Windows1251, Iso8859_5],
        ByFrequency("аоиевнрлсткмјдубпгзчшжњцфхѓќљџѕ"),
    ),
    language(
        &["greek", "el", "gre", "ell", "ellinika"],
        &[Windows1253],
        ByFrequency("αοισρνςλετκπυγδμηίάόέήβθύχφζώξψϊϋΐΰ"),
    ),
    language(
        &["hebrew", "he", "iw", "heb", "yiddish", "yi", "ivrit"],
        &[Windows1255],
        ByFrequency("יולהרמאבנשתדעחםןקגצפזכטסךףץײװױ"),
    ),
    language(&["arabic", "ar", "ara"], &[Windows1256], ByFrequency("المينروهبدعحسفتةقكشجصخطزضىأإثغذئءظؤآ")),
    language(
        &["persian", "farsi", "fa", "per", "fas", "urdu", "ur"],
        &[Windows1256],
        ByFrequency("ايرندمهوسبشتلكحفزعپقگخجصطضچغذژثظئأآکٹںڑےہھ"),
    ),
];

/// A set of languages, with a bit for each row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LanguageSet(u64);

impl LanguageSet {
    /// Returns the languages that are named by the first word of LANG. Returns `None` for a language that is not in the
    /// table, and for English, because English files have names of all languages.
    pub(crate) fn from_lang(payload: &str) -> Option<LanguageSet> {
        let word = payload.split(|c: char| !c.is_alphabetic()).next()?.to_lowercase();
        let rows = TABLE.iter().enumerate().filter(|(_, row)| row.names.contains(&word.as_str()));
        let bits = rows.fold(0, |bits, (index, _)| bits | 1_u64 << index);
        (bits != 0).then_some(LanguageSet(bits))
    }

    pub(crate) const fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    pub(crate) fn uses_code_page(self, page: Encoding) -> bool {
        TABLE.iter().enumerate().any(|(index, row)| self.has(index) && row.pages.contains(&page))
    }
}

/// Returns the likelihood of a lower-case letter in each language. Returns `None` for a letter that no language has.
pub(crate) fn letter_weights(letter: char) -> Option<&'static Weights> {
    static WEIGHTS: OnceLock<Vec<(char, Weights)>> = OnceLock::new();
    let table = WEIGHTS.get_or_init(build_weights);
    let index = table.binary_search_by_key(&letter, |(other, _)| *other).ok()?;
    Some(&table[index].1)
}

fn build_weights() -> Vec<(char, Weights)> {
    let mut letters: Vec<char> = TABLE.iter().flat_map(|row| row.letters.characters()).collect();
    letters.sort_unstable();
    letters.dedup();
    let row = |letter: char| {
        let mut weights = [FOREIGN; LANGUAGES];
        for (slot, language) in weights.iter_mut().zip(&TABLE) {
            *slot = language.letters.weight_of(letter);
        }
        (letter, weights)
    };
    letters.into_iter().map(row).collect()
}

impl Letters {
    fn characters(&self) -> impl Iterator<Item = char> {
        let (one, other) = match self {
            Latin(common, rare) => (*common, *rare),
            ByFrequency(all) => (*all, ""),
        };
        one.chars().chain(other.chars())
    }

    fn weight_of(&self, letter: char) -> i16 {
        match self {
            Latin(common, _) if common.contains(letter) => {
                // The more letters a language has, the less common is each of them.
                match common.chars().count() {
                    0..=3 => -11,
                    4..=6 => -18,
                    7..=10 => -23,
                    _ => -25,
                }
            }
            Latin(_, rare) if rare.contains(letter) => RARE,
            // The first letter has a frequency of 1/11. Each following letter is one twelfth less frequent.
            ByFrequency(all) => match all.chars().zip(0_i16..).find(|(other, _)| *other == letter) {
                Some((_, rank)) => -24 - rank * 9 / 10,
                None => FOREIGN,
            },
            Latin(..) => FOREIGN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lang_names_a_language_in_any_spelling() {
        for name in ["Russian", "RUSSIAN", "ru", "ru-RU", "rus"] {
            let named = LanguageSet::from_lang(name).expect("a language of the table");
            assert!(
                named.uses_code_page(Encoding::Windows1251) && named.uses_code_page(Encoding::Koi8R),
                "{name}"
            );
            assert!(!named.uses_code_page(Encoding::Windows1252), "{name}");
        }
        let both = LanguageSet::from_lang("Serbo_Croa").expect("two rows");
        assert!(both.uses_code_page(Encoding::Windows1250) && both.uses_code_page(Encoding::Windows1251));
        assert_eq!(LanguageSet::from_lang("English"), None);
        assert_eq!(LanguageSet::from_lang(""), None);
    }
}
