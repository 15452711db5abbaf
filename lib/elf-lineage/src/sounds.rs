//! Compares surnames by sound.

use crate::fold::folded;
use rphonetic::DaitchMokotoffSoundex;
use std::collections::{HashMap, HashSet};

/// A surname with which others are compared by sound. The comparison uses the Daitch–Mokotoff
/// system for surnames of eastern and central Europe. A name has several codes if its letters can
/// be pronounced in several ways.
///
/// ```
/// use elf_lineage::SoundPattern;
///
/// let pattern = SoundPattern::new("Schwarzenegger");
/// assert!(pattern.is_like("Shwartsenegger") && !pattern.is_like("Schwab"));
/// assert!(SoundPattern::new("Miller").is_like("von Müller"));
/// ```
#[derive(Clone, Debug)]
pub struct SoundPattern {
    encoder: DaitchMokotoffSoundex,
    whole: Sound,
    words: Vec<Sound>,
}

/// The codes of a word. A word without Latin letters is its own code.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sound {
    Codes(HashSet<String>),
    Letters(String),
}

impl SoundPattern {
    /// Creates a pattern for a surname of one or more words.
    pub fn new(surname: &str) -> SoundPattern {
        let encoder = DaitchMokotoffSoundex::default();
        let words = surname.split_whitespace().map(|word| Sound::of(&encoder, word)).collect();
        SoundPattern { whole: Sound::of(&encoder, surname), words, encoder }
    }

    /// Returns whether a surname sounds like the pattern: as a whole, or because each word of the
    /// pattern sounds like one word of the surname.
    pub fn is_like(&self, surname: &str) -> bool {
        if self.words.is_empty() || surname.trim().is_empty() {
            return false;
        }
        if self.whole.is_like(&Sound::of(&self.encoder, surname)) {
            return true;
        }
        let words: Vec<Sound> = surname
            .split(|c: char| c.is_whitespace() || c == '-')
            .filter(|word| !word.is_empty())
            .map(|word| Sound::of(&self.encoder, word))
            .collect();
        self.words.iter().all(|wanted| words.iter().any(|word| wanted.is_like(word)))
    }
}

/// Computes the codes of surnames. The codes of each surname are computed only once.
#[derive(Default)]
pub(crate) struct SoundCodes {
    encoder: DaitchMokotoffSoundex,
    known: HashMap<String, Vec<String>>,
}

impl SoundCodes {
    /// Returns the codes of a surname. A surname without Latin letters is its own code.
    pub(crate) fn of(&mut self, surname: &str) -> &[String] {
        let SoundCodes { encoder, known } = self;
        known.entry(surname.to_owned()).or_insert_with(|| {
            // A longer text is not a surname, and would take long.
            let start: String = surname.chars().take(40).collect();
            match Sound::of(encoder, &start) {
                Sound::Codes(codes) => codes.into_iter().collect(),
                Sound::Letters(letters) => vec![letters],
            }
        })
    }
}

impl Sound {
    fn of(encoder: &DaitchMokotoffSoundex, text: &str) -> Sound {
        let plain = folded(text);
        if !plain.bytes().any(|letter| letter.is_ascii_alphabetic()) {
            return Sound::Letters(plain);
        }
        let spellings = [plain, folded(&spell_as_spoken(text))];
        let codes = spellings.iter().flat_map(|spelling| {
            let letters = spelling.chars().filter(char::is_ascii_alphabetic).take(MAX_LETTERS);
            encoder.inner_soundex(&letters.collect::<String>(), true)
        });
        Sound::Codes(codes.collect())
    }

    fn is_like(&self, other: &Sound) -> bool {
        match (self, other) {
            (Sound::Codes(one), Sound::Codes(other)) => !one.is_disjoint(other),
            (Sound::Letters(one), Sound::Letters(other)) => one == other,
            (Sound::Codes(_), Sound::Letters(_)) | (Sound::Letters(_), Sound::Codes(_)) => false,
        }
    }
}

/// The maximum number of letters of a name that are compared. A code has six digits, so few names
/// need as many letters as this.
const MAX_LETTERS: usize = 64;

/// Replaces letters with two pronunciations by their spoken form: the nasal vowels of Polish, and
/// `ţ`. The encoder has rules for them, but skips the next letter.
fn spell_as_spoken(text: &str) -> String {
    text.replace(['ą', 'Ą'], "an").replace(['ę', 'Ę'], "en").replace(['ţ', 'ț', 'Ţ', 'Ț'], "ts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surnames_that_sound_alike_are_found() {
        for (one, other) in [
            ("Moskowitz", "Moskovitz"),
            ("Müller", "Miller"),
            ("Müller", "Mueller"),
            ("Dąbrowski", "Dabrowski"),
            ("Dąbrowski", "Dombrowski"),
            ("Peters", "Peterson Peters"),
            ("Auerbach", "Uhrbach"),
            ("von Berg", "Berg von"),
            ("Иванов", "ИВАНОВ"),
            ("O’Brien", "OBrien"),
        ] {
            assert!(SoundPattern::new(one).is_like(other), "{one}, {other}");
            if !other.contains(' ') {
                assert!(SoundPattern::new(other).is_like(one), "{other}, {one}");
            }
        }
        for (one, other) in
            [("Müller", "Schmidt"), ("Иванов", "Петров"), ("Иванов", "Ivanov"), ("", ""), ("A", "")]
        {
            assert!(!SoundPattern::new(one).is_like(other), "{one}, {other}");
        }
    }

    #[test]
    fn long_names_take_no_long_time() {
        let name = "chrzcsj".repeat(20_000);
        assert!(SoundPattern::new(&name).is_like(&name));
    }
}
