//! Text that was encoded as UTF-8 twice: a program read UTF-8 in a code page, and then wrote it as UTF-8 again.

use crate::Encoding;
use crate::languages;
use crate::pages::Page;
use std::ops::Range;

/// The code page through which text was encoded as UTF-8 twice. With this page, the second encoding can be undone.
///
/// ```
/// use elf_octets::{Encoding, TwiceEncoded};
///
/// let twice = TwiceEncoded::find("1 NAME SÃ¸ren /Ã†belÃ¸/").unwrap();
/// assert_eq!(twice.page(), Encoding::Windows1252);
/// assert_eq!(twice.decode("SÃ¸ren"), "Søren");
/// assert_eq!(TwiceEncoded::find("1 NAME JOÃO DA CONCEIÇÃO"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwiceEncoded(Encoding);

impl TwiceEncoded {
    /// The code pages in which programs wrongly read UTF-8. ISO 8859-1 is treated as windows-1252.
    const PAGES: [Encoding; 2] = [Encoding::Windows1252, Encoding::Cp850];

    /// Finds the code page by which every sequence of non-ASCII characters in `text` can be decoded once more. Returns
    /// `None` if there is no such page, or if `text` is ASCII.
    pub fn find(text: &str) -> Option<TwiceEncoded> {
        if text.is_ascii() {
            return None;
        }
        let decodes_by = |page: &Encoding| {
            let twice = TwiceEncoded(*page);
            non_ascii_runs(text).all(|run| twice.decode_run(&text[run]).is_some()) && !is_by_chance(text)
        };
        TwiceEncoded::PAGES.into_iter().find(decodes_by).map(TwiceEncoded)
    }

    /// Returns the code page through which the text was encoded.
    pub const fn page(self) -> Encoding {
        self.0
    }

    /// Decodes `text` once more. Sequences that cannot be decoded stay unchanged.
    pub fn decode(self, text: &str) -> String {
        let mut decoded = String::with_capacity(text.len());
        let mut at = 0;
        for run in non_ascii_runs(text) {
            decoded.push_str(&text[at..run.start]);
            at = run.end;
            let part = &text[run];
            decoded.push_str(self.decode_run(part).as_deref().unwrap_or(part));
        }
        decoded + &text[at..]
    }

    /// Decodes non-ASCII characters once more. Returns `None` unless the result has only characters that names and
    /// prose have.
    fn decode_run(self, run: &str) -> Option<String> {
        let page = Page::of(self.0, false);
        let octet = |character: char| match character {
            // A byte for which the code page has no character became a control character.
            '\u{80}'..='\u{9F}' => u8::try_from(u32::from(character)).ok(),
            _ => page.octet(character),
        };
        let octets: Option<Vec<u8>> = run.chars().map(octet).collect();
        String::from_utf8(octets?).ok().filter(|text| text.chars().all(is_expected))
    }
}

/// Returns whether a character is likely in a text that was encoded twice. Characters of three or four bytes hardly
/// occur by chance.
fn is_expected(character: char) -> bool {
    let lower = character.to_lowercase().next().unwrap_or(character);
    match character {
        '\u{80}'..='\u{9F}' => false,
        '\u{A0}'..='\u{BF}' | '×' | '÷' => true,
        '\u{800}'.. => true,
        _ => languages::letter_weights(lower).is_some(),
    }
}

/// Returns whether a text is probably not encoded twice. Such a text has one letter with a quotation mark after it, at
/// the end of a word, as in `IRMÃ”`.
fn is_by_chance(text: &str) -> bool {
    let mut all = non_ascii_runs(text);
    let (Some(run), None) = (all.next(), all.next()) else { return false };
    let is_end = !text[run.end..].starts_with(char::is_alphanumeric);
    let mut characters = text[run].chars();
    match (characters.next(), characters.next(), characters.next()) {
        (Some(letter), Some(mark), None) => {
            is_end && letter.is_alphabetic() && matches!(mark, '’' | '‘' | '“' | '”' | '„' | '«' | '»' | '´')
        }
        _ => false,
    }
}

fn non_ascii_runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let octets = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &octets[at..];
        let start = at + encoding_rs::Encoding::ascii_valid_up_to(rest);
        let length = octets[start..].iter().take_while(|octet| !octet.is_ascii()).count();
        at = start + length;
        (length > 0).then_some(start..at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the UTF-8 of `text` in a code page. Bytes that the page lacks become control characters.
    fn encoded_twice(text: &str, page: Encoding) -> String {
        let character = |octet: &u8| Page::of(page, false).character(*octet).unwrap_or(char::from(*octet));
        text.as_bytes().iter().map(character).collect()
    }

    #[test]
    fn every_text_that_was_encoded_twice_is_found_and_decoded() {
        for text in [
            "Søren /Æbelø/",
            "1 NAME Jürgen /Müller/\n1 PLAC Besançon, Franche-Comté\n1 NOTE “so”, 5 €",
            "ÁÍÐÝ à",
            "Иван /Петров/",
            "Παπαδόπουλος",
            "משה /כהן/",
            "Łukasz /Wiśniewski/",
            "王小明",
            "Noël",
            "O’Neill",
        ] {
            for page in [Encoding::Windows1252, Encoding::Iso8859_1, Encoding::Cp850] {
                let garbled = encoded_twice(text, page);
                let twice = TwiceEncoded::find(&garbled);
                assert_eq!(twice.map(|twice| twice.decode(&garbled)).as_deref(), Some(text), "{garbled}");
            }
        }
    }

    #[test]
    fn text_that_merely_has_such_letters_is_right() {
        for text in [
            "JOÃO DA CONCEIÇÃO",
            "Größe „so“ – 5 €",
            "ANDRÉ’S",
            "“MULATÈ”",
            "IRMÃ” E «IRMû",
            "IRMÃ”",
            "Søren",
            "Ångström, Å“",
            "SÃ¸ren and Søren",
            "ASCII",
            "",
            "Â",
            "├─ one\n└─ two",
            "Иван",
            "½ ¼ ©",
        ] {
            assert_eq!(TwiceEncoded::find(text), None, "{text}");
        }
    }
}
