//! Evidence for an encoding in the octets themselves.
//!
//! UTF-8 proves itself: text of another encoding is hardly ever valid by chance. Encodings of one octet a
//! character are told apart by what they would make of names and places: in the right one, most octets from
//! 80 are accented letters in the middle of words, in the right case; in a wrong one, many are signs there,
//! or capitals, or nothing.

use crate::Encoding;
use crate::likeness::Likelihood;
use crate::pages::Page;

/// The encoding that octets seem to be in, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) encoding: Encoding,
    /// A clause, such as `the octets are valid UTF-8`.
    pub(crate) reason: String,
}

/// Judges octets from the first that is not ASCII on, or from the one before it. `to_end` says whether the
/// file ends with them.
pub(crate) fn detect_by_content(window: &[u8], to_end: bool) -> Verdict {
    if let Some(verdict) = detect_utf8(count_utf8(window, to_end)) {
        return verdict;
    }
    let encoding = likeliest(window).encoding;
    Verdict { encoding, reason: format!("the octets are not UTF-8 and read best as {encoding}") }
}

/// The verdict where octets are UTF-8, but for few faults perhaps.
fn detect_utf8((characters, faults): (usize, usize)) -> Option<Verdict> {
    let reason = match faults {
        0 => "the octets are valid UTF-8".to_owned(),
        _ if characters >= 4 * faults => {
            format!("the octets are UTF-8 with few faults: {faults}, and {characters} characters")
        }
        _ => return None,
    };
    Some(Verdict { encoding: Encoding::Utf8, reason })
}

/// The evidence of octets for or against the encoding of single octets that they are said to be in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CharCheck {
    /// No evidence against the encoding.
    Stands,
    /// The octets are valid UTF-8, but by chance.
    Chance,
    /// The octets read badly in the encoding, and well in another.
    Doubtful(Verdict),
    /// The octets cannot be in the encoding.
    Impossible(Verdict),
}

/// Weighs octets against the encoding of single octets that they are said to be in.
pub(crate) fn check_char_name(window: &[u8], to_end: bool, said: Encoding) -> CharCheck {
    let (characters, faults) = count_utf8(window, to_end);
    let utf8 = detect_utf8((characters, faults));
    if let Some(verdict) = utf8.clone().filter(|_| faults == 0) {
        return if is_utf8_by_chance(window, said) {
            CharCheck::Chance
        } else {
            CharCheck::Impossible(verdict)
        };
    }
    let is_candidate = CANDIDATES.iter().any(|(encoding, _)| *encoding == said);
    let named = Likelihood::of(window, said, !is_candidate);
    if named.missing == 0 && named.misfits <= named.fits {
        // No other reading can be so much better; trying them all takes many times as long.
        return CharCheck::Stands;
    }
    let (verdict, fits) = match utf8 {
        Some(verdict) => (verdict, characters),
        None => {
            let best = likeliest(window);
            let reason = format!("the octets read better as {}", best.encoding);
            (Verdict { encoding: best.encoding, reason }, best.fits)
        }
    };
    if verdict.encoding == said {
        CharCheck::Stands
    } else if named.missing > 0 && fits > named.fits {
        CharCheck::Impossible(verdict)
    } else if named.misfits > named.fits && fits >= named.fits + 4 {
        // Far enough apart that a name or two cannot decide it.
        CharCheck::Doubtful(verdict)
    } else {
        CharCheck::Stands
    }
}

/// Returns whether octets that are valid UTF-8 are so by chance, and rather in the encoding that they are said
/// to be in: they hold one sequence of two octets, which is a letter and a quotation mark there, as in
/// `ANDRÉ’S`.
fn is_utf8_by_chance(window: &[u8], said: Encoding) -> bool {
    let mut high = window.iter().enumerate().filter(|(_, octet)| !octet.is_ascii());
    let (Some((at, letter)), Some((next, mark)), None) = (high.next(), high.next(), high.next()) else {
        return false;
    };
    let page = Page::of(said, true);
    let is_quotation = |c| matches!(c, '’' | '‘' | '“' | '”' | '‚' | '„' | '‹' | '›' | '«' | '»' | '´');
    next == at + 1
        && page.character(*letter).is_some_and(char::is_alphabetic)
        && page.character(*mark).is_some_and(is_quotation)
}

/// Counts the characters of several octets in `window`, and the faults, as UTF-8.
fn count_utf8(window: &[u8], to_end: bool) -> (usize, usize) {
    let (mut characters, mut faults) = (0, 0);
    let mut rest = window;
    loop {
        // ASCII ends a sequence, whole or broken, so each run of other octets is judged by itself.
        rest = &rest[encoding_rs::Encoding::ascii_valid_up_to(rest)..];
        let run = rest.iter().take_while(|octet| !octet.is_ascii()).count();
        if run == 0 {
            return (characters, faults);
        }
        let (octets, behind) = rest.split_at(run);
        rest = behind;
        let mut left = run;
        for chunk in octets.utf8_chunks() {
            characters += chunk.valid().chars().count();
            left -= chunk.valid().len() + chunk.invalid().len();
            let ends_window = left == 0 && rest.is_empty() && !to_end;
            let cut_off = ends_window && chunk.invalid().first().is_some_and(|octet| *octet >= 0xC0);
            faults += usize::from(!chunk.invalid().is_empty() && !cut_off);
        }
    }
}

/// The encodings that are told apart, the likeliest first, and how much less likely the others are to begin
/// with.
const CANDIDATES: [(Encoding, i64); 6] = [
    (Encoding::Windows1252, 0),
    (Encoding::Ansel, -5),
    (Encoding::Cp437, -8),
    (Encoding::Cp850, -10),
    (Encoding::Windows1250, -20),
    (Encoding::Macintosh, -15),
];

/// Returns the reading of octets in the likeliest of the candidates.
fn likeliest(window: &[u8]) -> Likelihood {
    let readings = CANDIDATES.map(|(encoding, handicap)| {
        let reading = Likelihood::of(window, encoding, false);
        Likelihood { likelihood: reading.likelihood + handicap, ..reading }
    });
    // What Mac OS Roman has where others have letters is letters as well, only odd ones: so it must be
    // needed. Letters that no language has together are as odd.
    let is_clean = |reading: &Likelihood| reading.encoding != Encoding::Macintosh && reading.is_clean();
    let spared = readings.iter().any(is_clean);
    let mut best: Option<Likelihood> = None;
    for reading in readings {
        let impossible = reading.boxed || spared && reading.encoding == Encoding::Macintosh;
        if !impossible && best.as_ref().is_none_or(|best| reading.likelihood > best.likelihood) {
            best = Some(reading);
        }
    }
    best.unwrap_or_else(|| Likelihood::of(window, Encoding::Windows1252, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_through_an_alphabet_tells_nothing() {
        let row = b"\xE0A\xE0B\xE0C\xE0D\xE0E\xE0F\xE0G\xE0H \xE0a\xE0b\xE0c\xE0d\xE0f\xE0g\xE0h";
        assert_eq!(Likelihood::of(row, Encoding::Macintosh, false).misfits, 0);
        assert_eq!(check_char_name(row, true, Encoding::Ansel), CharCheck::Stands);
        // Two are a word: what ANSEL writes as a mark before its letter stands before a consonant here.
        assert!(likeliest(b"H\xE9l\xE8ne").fits > 0);
        let names = b"Jos\xE9 Ren\xE9 Andr\xE9 Fran\xE7ois Mu\xF1oz";
        let CharCheck::Doubtful(Verdict { encoding, .. }) = check_char_name(names, true, Encoding::Ansel)
        else {
            panic!("these are no names in ANSEL");
        };
        assert_eq!(encoding, Encoding::Windows1252);
    }
}
