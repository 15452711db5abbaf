//! Compares string payloads.

use super::outline::{escapes_of, with_escapes, without_marks};
use super::{Difference, Judge, Outlined};
use elf_base::rules::Escape;
use elf_octets::nfc;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The code points that are not characters.
pub(super) const FORBIDDEN: [char; 3] = ['\0', '\u{FFFE}', '\u{FFFF}'];

/// Normalises a text to the form that all drafts and encodings can express.
pub(super) fn normalise(text: &str) -> String {
    nfc(&text.replace("\r\n", "\n").replace('\r', "\n")).into_owned()
}

/// Trims each line of a text.
fn trim_lines(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_matches([' ', '\t'])).collect();
    lines.join("\n")
}

impl<'c> Judge<'c> {
    /// Compares payloads that are not pointers.
    pub(super) fn compare_text(&mut self, one: &Outlined<'c>, other: &Outlined<'c>) {
        let line = one.line;
        let [mut marked, other_marked] = [one.node, other.node].map(|node| normalise(&with_escapes(node)));
        let [_, to] = self.conversion.rules();
        let (mut plain, mut other_plain) = (without_marks(&marked), without_marks(&other_marked));
        let kept: Vec<&str> = escapes_of(&marked).into_iter().map(|(_, escape)| escape).collect();
        self.require_removed_escapes(line, &one.node.merged(), &kept);
        let has_escapes = !kept.is_empty();
        let is_banned = |c: char| to.octets.controls.are_banned() && c.is_control() && !"\t\n\r".contains(c);
        let is_none = |c: char| FORBIDDEN.contains(&c) || is_banned(c);
        if plain.contains(is_none) {
            self.reports.require_report(line, Difference::Characters, || plain.escape_debug().to_string());
            (marked, plain) = (marked.replace(is_none, ""), normalise(&plain.replace(is_none, "")));
        }
        if plain != other_plain && self.reports.is_reported_at(line, Difference::Whitespace) {
            let [one, other] = [&plain, &other_plain].map(|text| normalise(&trim_lines(text)));
            if one == other {
                self.reports.explain(line, Difference::Whitespace);
                (plain, other_plain) = (one, other);
            }
        }
        // Without Unicode escapes, characters that the encoding lacks become question marks.
        if plain != other_plain && self.is_questioned(line, &plain, &other_plain) {
            // An escape with such a character becomes text.
            let _ = has_escapes && self.reports.explain(line, Difference::Escape);
            return;
        }
        if plain != other_plain {
            self.reports.add_fault(line, &format!("{plain:?} became {other_plain:?}"));
            return;
        }
        let [mut escapes, mut gained] = [&marked, &other_marked].map(|marked| {
            let mut escapes: Vec<&str> = escapes_of(marked).into_iter().map(|(_, escape)| escape).collect();
            escapes.sort_unstable();
            escapes
        });
        remove_common(&mut escapes, &mut gained);
        if !escapes.is_empty() {
            self.reports.require_report(line, Difference::Escape, || escapes.join(" "));
        } else if has_escapes && escapes_of(&marked) != escapes_of(&other_marked) {
            // One of the escapes became text, and text that looks like it became an escape (G11, P20).
            let _ = self.reports.explain(line, Difference::Escape);
        }
        // In other drafts, text cannot be distinguished from an escape that the tag preserves (G11, P20).
        let tells = matches!(to.tagged.escape, Escape::Typed);
        if tells && !gained.is_empty() {
            self.reports.add_fault(line, &format!("text became an escape: {}", gained.join(" ")));
        }
    }

    /// Returns whether a text has question marks for characters that the encoding lacks, and that is reported.
    pub(super) fn is_questioned(&mut self, line: u64, text: &str, written: &str) -> bool {
        let [_, to] = self.conversion.rules();
        !to.tagged.escape.has_characters()
            && is_questioned(text, written)
            && self.reports.explain(line, Difference::Characters)
    }

    /// Requires reports about the escapes that were removed on reading, except those in `kept`.
    pub(super) fn require_removed_escapes(&mut self, line: u64, merged: &str, kept: &[&str]) {
        let [from, _] = self.conversion.rules();
        let Escape::TypedSpace { recover } = from.tagged.escape else { return };
        let RemovedEscapes { escapes, characters } = RemovedEscapes::of(merged, recover, kept);
        if characters > 0 {
            self.reports
                .require_report(line, Difference::Characters, || format!("{characters} in {merged:?}"));
        }
        if !escapes.is_empty() {
            self.reports
                .require_report(line, Difference::Escape, || format!("removed: {}", escapes.join(" ")));
        }
    }
}

/// Returns whether `written` is `text` without marks on letters and with question marks for some non-ASCII characters.
fn is_questioned(text: &str, written: &str) -> bool {
    // Normalise, so that a syllable of Hangul is one character.
    let bare = |text: &str| text.nfd().filter(|c| !is_combining_mark(*c)).nfc().collect::<Vec<char>>();
    let [text, written] = [bare(text), bare(written)];
    text.len() == written.len() && text.iter().zip(&written).all(|(one, other)| one == other || *other == '?')
}

/// The escapes that January 2019 and the declarative draft remove on reading.
#[derive(Debug, PartialEq, Eq)]
struct RemovedEscapes<'m> {
    /// Escapes whose types the tag does not preserve, without the space after them.
    escapes: Vec<&'m str>,
    /// The number of Unicode escapes that do not stand for a character.
    characters: usize,
}

impl<'m> RemovedEscapes<'m> {
    /// Finds the removed escapes in a payload as written. `kept` are the preserved ones (J19 §5.2). `recover` enables
    /// *Deserialisation error recovery* (RDX).
    fn of(merged: &'m str, recover: bool, kept: &[&str]) -> RemovedEscapes<'m> {
        let mut kept = kept.to_vec();
        let mut removed = RemovedEscapes { escapes: Vec::new(), characters: 0 };
        let mut rest = merged;
        while let Some(at) = rest.find('@') {
            let here = rest.get(at..).unwrap_or_default();
            let (inner, behind) = here
                .strip_prefix("@#")
                .and_then(|inner| inner.split_at_checked(inner.find(['@', '\n', '\r'])?))
                .unwrap_or_default();
            let is_whole = behind.starts_with("@ ") || recover && behind.starts_with('@');
            if !is_whole || !inner.starts_with(|first: char| first.is_ascii_uppercase()) {
                // An at sign, or a doubled one.
                let length = if here.starts_with("@@") { 2 } else { 1 };
                rest = here.get(length..).unwrap_or_default();
                continue;
            }
            rest = behind.get(if behind.starts_with("@ ") { 2 } else { 1 }..).unwrap_or_default();
            if let Some(number) = inner.strip_prefix('U') {
                removed.characters += usize::from(recover && !is_character(number));
            } else {
                let escape = here.get(..inner.len() + 3).unwrap_or_default();
                match kept.iter().position(|of| *of == escape) {
                    Some(at) => drop(kept.remove(at)),
                    None => removed.escapes.push(escape),
                }
            }
        }
        removed
    }
}

/// Returns whether a hexadecimal number is the code point of a character.
fn is_character(number: &str) -> bool {
    let digits = number.trim_start_matches('0');
    number.bytes().all(|digit| digit.is_ascii_hexdigit())
        && digits.len() <= 6
        && u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32)
            .is_some_and(|of| !FORBIDDEN.contains(&of))
}

/// Removes the common elements of two sorted lists.
fn remove_common(one: &mut Vec<&str>, other: &mut Vec<&str>) {
    one.retain(|escape| match other.iter().position(|of| of == escape) {
        Some(at) => {
            other.remove(at);
            false
        }
        None => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_escapes_are_those_of_the_grammar() {
        let removed = |merged, recover, kept: &[&str]| {
            let RemovedEscapes { escapes, characters } = RemovedEscapes::of(merged, recover, kept);
            (escapes.join(","), characters)
        };
        assert_eq!(removed("a @#XYZ@ b", false, &[]), ("@#XYZ@".to_owned(), 0));
        assert_eq!(removed("a @#XYZ@b", false, &[]), (String::new(), 0));
        assert_eq!(removed("a @#XYZ@b", true, &[]), ("@#XYZ@".to_owned(), 0));
        assert_eq!(removed("a @@#XYZ@ b@@@#D@ ", false, &[]), ("@#D@".to_owned(), 0));
        assert_eq!(removed("@#DX@ @#DX@ @#DY@ ", false, &["@#DX@"]), ("@#DX@,@#DY@".to_owned(), 0));
        assert_eq!(removed("@#U110000@ @#UE9@ @#U0@ @#U@ ", true, &[]), (String::new(), 3));
        assert_eq!(removed("@#U110000@ @#x@ @#D\n@ ", false, &[]), (String::new(), 0));
    }
}
