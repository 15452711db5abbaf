//! Writes string payloads as line strings. At signs are doubled, and escapes are preserved. Characters that cannot be
//! encoded become Unicode escapes (D19 *Escaping*, *Unicode escapes*; J19 §5; O17 §5.3, §7.1). Line breaks become CONT.
//!
//! All of this happens in one pass over the payload, so no step can change the output of another (D19 *Serialisation*).

use super::double_marks;
use super::lines::{LineEnds, Lines, ascii_run, first_cluster, is_combining_mark};
use super::payload_losses::PayloadLosses;
use crate::escape::{EscapeTypes, Token, tokens};
use elf_base::rules::Escape;
use elf_octets::{Encoding, Repertoire};

/// Writes payloads in the form of the output.
#[derive(Debug)]
pub(super) struct Spelling {
    repertoire: Repertoire,
    grammar: Escape,
    edges: EdgeWhitespace,
    /// A buffer for the current atom.
    atom: String,
}

/// The way in which whitespace at the ends of a payload line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeWhitespace {
    /// Whitespace is written unchanged, because readers keep it (January and December 2019).
    Keep,
    /// Whitespace is written as Unicode escapes, because readers may remove it.
    Guard,
    /// Whitespace becomes Unicode escapes at the ends of the payload, and is omitted at the ends of other lines.
    /// Readers replace the escapes before they remove whitespace, so all of it is lost (O17 §5.1, §5.3).
    Lose,
}

/// The escapes of a payload that are written unchanged. The at signs of other escapes are doubled.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PreservedEscapes<'k> {
    /// The byte ranges that are known to be escapes, in order.
    pub(super) escapes: &'k [(usize, usize)],
    /// The types of known escapes. Known escapes of other types are not written unchanged.
    pub(super) of_escapes: EscapeTypes,
    /// The types of escapes that are written unchanged if ordinary text looks like them.
    pub(super) of_text: EscapeTypes,
}

/// The code points that are not characters (Basic Concepts, `Char`).
const FORBIDDEN: [char; 3] = ['\0', '\u{FFFE}', '\u{FFFF}'];

/// The characters that are never written unchanged.
const SPECIAL: [char; 4] = ['@', FORBIDDEN[0], FORBIDDEN[1], FORBIDDEN[2]];

/// The greatest number of characters that one Unicode escape contains, so that an escape never fills a line.
const GROUP: usize = 16;

/// The text that replaces a number sign which would start a Unicode escape in 2017. Readers replace such an escape
/// everywhere, even after doubled at signs (O17 §7.2).
const HIDDEN_NUMBER_SIGN: &str = "@#U23@ ";

impl Spelling {
    pub(super) const fn new(repertoire: Repertoire, grammar: Escape, edges: EdgeWhitespace) -> Spelling {
        Spelling { repertoire, grammar, edges, atom: String::new() }
    }

    /// Returns the maximum size of `text` in bytes, in UTF-8 and in the encoding. Returns `None` if `text` has a line
    /// break or cannot be written unchanged.
    pub(super) fn plain_size(&mut self, text: &str) -> Option<usize> {
        let octets = text.as_bytes();
        let (mut special, mut all) = (false, 0);
        for &octet in octets {
            // U+FFFE and U+FFFF start with the byte EF. Other characters with this byte or a higher one are rare.
            special |= octet < 0x20 || octet == b'@' || octet == 0x7F || octet >= 0xEF;
            all |= octet;
        }
        let blank = octets.first() == Some(&b' ') || octets.last() == Some(&b' ');
        if special || blank && self.edges != EdgeWhitespace::Keep {
            None
        } else if all.is_ascii() {
            Some(text.len())
        } else {
            self.repertoire.length(text)
        }
    }

    pub(super) fn has_all_characters(&mut self, text: &str) -> bool {
        self.repertoire.length(text).is_some()
    }

    /// Writes the payload after the tag of the current structure.
    pub(super) fn write_payload(
        &mut self,
        lines: &mut Lines,
        text: &str,
        kept: PreservedEscapes<'_>,
    ) -> PayloadLosses {
        if self.has_halves_only()
            && let Some(halved) = double_marks::split_double_marks(text)
        {
            let escapes = &halved.convert_ranges(kept.escapes);
            let lost = self.write_payload(lines, &halved.text, PreservedEscapes { escapes, ..kept });
            return PayloadLosses { halved: halved.count, ..lost };
        }
        // Remove forbidden characters first. Some grammars examine several characters together, and the text around a
        // removed character could form an escape.
        if self.grammar.removes_forbidden_first() && elf_lines::first_forbidden(text).is_some() {
            let cleaned = &text.replace(FORBIDDEN, "");
            let forbidden = text.matches(FORBIDDEN).count() as u64;
            let escapes = &ranges_without_forbidden(text, kept.escapes);
            return PayloadLosses {
                forbidden,
                ..self.write_payload(lines, cleaned, PreservedEscapes { escapes, ..kept })
            };
        }
        let escapes = if self.grammar.is_leading() { kept.escapes.len() as u64 } else { 0 };
        let mut lost = PayloadLosses { escapes, ..PayloadLosses::default() };
        let mut start = 0;
        for (end, next) in LineEnds::of(text) {
            if start > 0 {
                lines.push_line_break();
            }
            if self.grammar.is_leading() {
                self.write_whole_line(lines, &text[start..end], &mut lost);
                start = next.unwrap_or(end);
                continue;
            }
            let edges = LinePosition { first: start == 0, last: next.is_none() };
            self.write_line(lines, text, start..end, edges, kept, &mut lost);
            start = next.unwrap_or(end);
        }
        lost
    }

    fn has_halves_only(&self) -> bool {
        self.repertoire.encoding() == Encoding::Ansel && !self.grammar.has_characters()
    }

    /// Writes a line of a payload in a grammar that doubles an at sign only at the start of a line.
    ///
    /// The line is never split, because an at sign could then come to the start of a CONC line. Characters that the
    /// encoding does not have are lost, because such a grammar has no escapes.
    fn write_whole_line(&mut self, lines: &mut Lines, line: &str, lost: &mut PayloadLosses) {
        lost.whitespace |=
            self.edges != EdgeWhitespace::Keep && line.trim_matches([' ', '\t']).len() < line.len();
        let mut spelled = line.to_owned();
        if !self.has_all_characters(&spelled) {
            for c in std::mem::take(&mut spelled).chars() {
                match self.has_all_characters(c.encode_utf8(&mut [0; 4])) {
                    true => spelled.push(c),
                    false if c.is_control() => lost.forbidden += 1,
                    false => {
                        lost.missing += 1;
                        spelled.push('?');
                    }
                }
            }
        }
        spelled.insert_str(0, if spelled.starts_with('@') { "@" } else { "" });
        if !spelled.is_empty() {
            lines.without_limit(|lines| lines.push_atom(&spelled, true));
        }
    }

    /// Writes a line of a payload.
    fn write_line(
        &mut self,
        lines: &mut Lines,
        text: &str,
        range: std::ops::Range<usize>,
        edge: LinePosition,
        kept: PreservedEscapes<'_>,
        lost: &mut PayloadLosses,
    ) {
        let line = &text[range.clone()];
        if self.plain_size(line).is_some_and(|octets| lines.fits(octets)) {
            lines.push_whole_payload(line);
            return;
        }
        let inner = match self.edges {
            EdgeWhitespace::Keep => line,
            _ => line.trim_matches([' ', '\t']),
        };
        if inner.len() == line.len() {
            return self.write_text(lines, line, range.start, kept, lost);
        }
        lost.whitespace |= self.edges == EdgeWhitespace::Lose;
        if inner.is_empty() {
            return match self.edges {
                EdgeWhitespace::Lose if !edge.first && !edge.last => {}
                EdgeWhitespace::Lose => self.write_blanks(lines, line),
                _ => self.write_guarded_blanks(lines, line),
            };
        }
        let from = line.len() - line.trim_start_matches([' ', '\t']).len();
        let (before, after) = (&line[..from], &line[from + inner.len()..]);
        match self.edges {
            EdgeWhitespace::Lose if !edge.first => {}
            EdgeWhitespace::Lose => self.write_blanks(lines, before),
            _ => self.write_guarded_start(lines, before),
        }
        self.write_text(lines, inner, range.start + from, kept, lost);
        match self.edges {
            EdgeWhitespace::Lose if !edge.last => {}
            EdgeWhitespace::Lose => self.write_blanks(lines, after),
            _ => self.write_guarded_end(lines, after),
        }
    }

    /// Writes whitespace with every character as an escape.
    fn write_blanks(&mut self, lines: &mut Lines, blanks: &str) {
        for c in blanks.chars() {
            self.atom.clear();
            push_escapes(&mut self.atom, [c], self.grammar);
            lines.push_atom(&self.atom, true);
        }
    }

    /// Writes a line that consists of whitespace. The first and the last character of the line become escapes.
    fn write_guarded_blanks(&mut self, lines: &mut Lines, blanks: &str) {
        let (first, rest) = blanks.split_at(1.min(blanks.len()));
        self.write_blanks(lines, first);
        self.write_guarded_end(lines, rest);
    }

    fn write_guarded_start(&mut self, lines: &mut Lines, blanks: &str) {
        let (first, rest) = blanks.split_at(1.min(blanks.len()));
        self.write_blanks(lines, first);
        lines.push_ascii(rest);
    }

    fn write_guarded_end(&mut self, lines: &mut Lines, blanks: &str) {
        let (rest, last) = blanks.split_at(blanks.len().saturating_sub(1));
        lines.push_ascii(rest);
        self.write_blanks(lines, last);
    }

    /// Writes text without line breaks. `offset` is its position in the payload.
    fn write_text(
        &mut self,
        lines: &mut Lines,
        text: &str,
        offset: usize,
        kept: PreservedEscapes<'_>,
        lost: &mut PayloadLosses,
    ) {
        let first = kept.escapes.partition_point(|range| range.0 < offset);
        let mut ranges = kept.escapes[first..].iter();
        let mut range = ranges.next();
        let mut at = 0;
        let mut behind_escape = false;
        // True if a character other than an at sign follows the last escape. If none does, readers would pair these at
        // signs, and an escape that follows them would be lost (O17 §5.4).
        let mut parted = true;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let run = ascii_run(rest);
            if behind_escape && self.is_stream_escape(rest) {
                lines.push_atom(HIDDEN_NUMBER_SIGN, true);
                at += 1;
                behind_escape = false;
                parted = true;
                continue;
            }
            if run > 0 {
                lines.push_ascii(&rest[..run]);
                at += run;
                behind_escape = false;
                parted = true;
                continue;
            }
            if rest.starts_with('@') {
                while range.is_some_and(|range| range.0 < offset + at) {
                    range = ranges.next();
                }
                let known = range.filter(|range| range.0 == offset + at).map(|range| range.1 - range.0);
                let is_known = known.is_some();
                let types = if is_known { kept.of_escapes } else { kept.of_text };
                let length =
                    self.kept_escape_length(rest, types).filter(|_| parted || !self.grammar.is_untyped());
                // Two escapes together are not an escape, and an escape plus the text after its last at sign is not one
                // either.
                let length = length
                    .filter(|length| known.is_none_or(|known| differ_by_final_space(rest, *length, known)));
                // An escape in the text must not end at the first at sign of the next known escape.
                let next = range.filter(|_| !is_known).map(|range| range.0.saturating_sub(offset + at));
                let length = length.filter(|length| next.is_none_or(|next| *length <= next));
                if let Some(raw) = length.and_then(|length| rest.get(..length)) {
                    self.write_escape(lines, raw);
                    at += raw.len();
                    behind_escape = true;
                    parted = false;
                    continue;
                }
                lost.escapes += u64::from(is_known);
            }
            parted |= !rest.starts_with('@');
            if let Some(behind) = rest.strip_prefix('@')
                && self.is_stream_escape(behind)
            {
                lines.push_atom("@@", false);
                lines.push_atom(HIDDEN_NUMBER_SIGN, true);
                at += 2;
                parted = true;
            } else {
                at += self.write_cluster(lines, rest, lost);
            }
            behind_escape = false;
        }
    }

    /// Returns the length of the escape at the start of `rest`. Returns `None` if its type is not one of `types`, or if
    /// it cannot be written unchanged.
    fn kept_escape_length(&mut self, rest: &str, types: EscapeTypes) -> Option<usize> {
        let grammar = self.grammar.without_recovery();
        let Some((_, token @ Token::Escape(raw))) = tokens(rest, grammar).next() else { return None };
        let keep = if grammar.is_untyped() {
            // Types of escapes have no meaning in this grammar (O17 §5.4).
            types != EscapeTypes::NONE
                && !rest.strip_prefix('@').is_some_and(|behind| self.is_stream_escape(behind))
        } else {
            let is_any = grammar.keeps_without_type() && types == EscapeTypes::ALL;
            (is_any || token.escape_type().is_some_and(|kind| types.contains(kind)))
                && self.has_all_characters(raw)
        };
        (keep && elf_lines::first_forbidden(raw).is_none()).then_some(raw.len())
    }

    /// Writes an escape unchanged. In 2017, it may itself contain escapes for characters that the encoding does not
    /// have.
    fn write_escape(&mut self, lines: &mut Lines, raw: &str) {
        if self.has_all_characters(raw) {
            lines.push_atom(raw, false);
            return;
        }
        self.atom.clear();
        for c in raw.chars() {
            if self.has_all_characters(c.encode_utf8(&mut [0; 4])) {
                self.atom.push(c);
            } else {
                push_escapes(&mut self.atom, [c], self.grammar);
            }
        }
        lines.push_atom(&self.atom, false);
    }

    /// Returns whether an at sign before `rest` would start an escape that the drafts of 2017 replace before the text
    /// is split into lines (O17 §7.2).
    fn is_stream_escape(&self, rest: &str) -> bool {
        if !self.grammar.is_untyped() {
            return false;
        }
        let Some(value) = rest.strip_prefix("#U") else { return false };
        let digits = value.bytes().take_while(u8::is_ascii_hexdigit).count();
        // A Unicode escape that follows starts with an at sign too.
        let next = value.as_bytes().get(digits);
        digits > 0 && !next.is_some_and(|&octet| octet.is_ascii_graphic() && octet != b'@')
    }

    /// Writes a character with its combining marks, or several characters as one Unicode escape. Returns the length of
    /// these characters.
    fn write_cluster(&mut self, lines: &mut Lines, rest: &str, lost: &mut PayloadLosses) -> usize {
        // A blank with marks may be written as an escape. Even then, it counts as whitespace.
        let joined = rest.starts_with(|c: char| matches!(c, ' ' | '\t') || is_combining_mark(c));
        let group = self.group_length(rest);
        let cluster = if group > 0 { rest.get(..group).unwrap_or(rest) } else { first_cluster(rest) };
        if group == 0 && !cluster.starts_with(SPECIAL) && self.has_all_characters(cluster) {
            lines.push_atom(cluster, joined);
            return cluster.len();
        }
        let mut atom = std::mem::take(&mut self.atom);
        atom.clear();
        if group == 0 {
            self.push_cluster(&mut atom, cluster, lost);
        } else {
            self.push_missing(&mut atom, cluster, lost);
        }
        if !atom.is_empty() {
            lines.push_atom(&atom, joined);
            // The space belongs to the escape, which readers of 2017 replace first (O17 §5.3, §7.1).
            if self.grammar.is_untyped() && atom.ends_with("@ ") && !cluster.ends_with([' ', '\t']) {
                lines.end_escape();
            }
        }
        self.atom = atom;
        cluster.len()
    }

    /// Returns the length of the characters at the start of `rest`, with their marks, that are written in one Unicode
    /// escape.
    fn group_length(&self, rest: &str) -> usize {
        let (mut end, mut count) = (0, 0);
        for (at, c) in rest.char_indices() {
            if !is_combining_mark(c) {
                end = at;
            }
            count += 1;
            // Adjacent escapes become one escape, if the grammar allows it.
            let apart = !self.grammar.groups_characters() || count > GROUP;
            if self.repertoire.has(c) || apart && end > 0 {
                return end;
            }
        }
        rest.len()
    }

    /// Appends characters that the encoding does not have, and counts those that are lost.
    fn push_missing(&self, atom: &mut String, missing: &str, lost: &mut PayloadLosses) {
        let characters = missing.chars().filter(|c| !FORBIDDEN.contains(c));
        if self.grammar.has_characters() {
            push_escapes(atom, characters, self.grammar);
        } else {
            // If the encoding does not have a letter, the marks of the letter are written in the same way.
            let (mut letters, mut marks) = (0_usize, 0_usize);
            for c in characters {
                *if is_combining_mark(c) { &mut marks } else { &mut letters } += 1;
            }
            atom.extend(std::iter::repeat_n('?', letters));
            lost.missing += letters as u64;
            lost.marks += if letters == 0 { marks as u64 } else { 0 };
        }
        lost.forbidden += missing.matches(FORBIDDEN).count() as u64;
    }

    /// Appends a character with its marks. Counts the marks and characters that are lost.
    fn push_cluster(&mut self, atom: &mut String, cluster: &str, lost: &mut PayloadLosses) {
        let mut rest = cluster.strip_prefix(SPECIAL).unwrap_or(cluster);
        lost.forbidden += u64::from(rest.len() < cluster.len() && !cluster.starts_with('@'));
        atom.push_str(if cluster.starts_with('@') { "@@" } else { "" });
        while !rest.is_empty() {
            // Marks are encoded together with the letter that precedes them.
            let (encodable, behind) =
                rest.split_at(self.repertoire.first_missing(rest).unwrap_or(rest.len()));
            let mut characters = behind.char_indices().map(|(at, _)| behind.split_at(at));
            let missing = characters.find(|(missing, behind)| {
                !missing.is_empty() && self.repertoire.first_missing(behind) != Some(0)
            });
            let (missing, behind) = missing.unwrap_or((behind, ""));
            atom.push_str(encodable);
            self.push_missing(atom, missing, lost);
            rest = behind;
        }
    }
}

/// Whether a line is the first line of the payload, and whether it is the last.
#[derive(Clone, Copy, Debug)]
struct LinePosition {
    first: bool,
    last: bool,
}

/// Returns whether two lengths of a text differ only by the final space of an escape.
fn differ_by_final_space(text: &str, one: usize, two: usize) -> bool {
    let trimmed = |length| text.get(..length).map(|escape: &str| escape.trim_end_matches(' '));
    trimmed(one) == trimmed(two)
}

/// Converts ranges of `text` to ranges of the same text without U+0000, U+FFFE and U+FFFF. The ranges must be in order.
fn ranges_without_forbidden(text: &str, ranges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut forbidden = text.match_indices(FORBIDDEN).peekable();
    let mut removed = 0;
    let mut moved = |offset: usize| {
        while let Some((_, found)) = forbidden.next_if(|&(at, _)| at < offset) {
            removed += found.len();
        }
        offset.saturating_sub(removed)
    };
    ranges.iter().map(|&(start, end)| (moved(start), moved(end))).collect()
}

/// Appends characters as Unicode escapes. December 2019 has one escape for all of them, and earlier drafts have one for
/// each (D19 *Unicode escapes*; J19 §5.3; O17 §7.1).
fn push_escapes(out: &mut String, characters: impl IntoIterator<Item = char>, grammar: Escape) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    let mut open = false;
    for c in characters.into_iter().filter(|_| grammar.has_characters()) {
        out.push_str(if open { " " } else { "@#U" });
        let code = u32::from(c);
        let count = 8 - (code | 1).leading_zeros() / 4;
        for place in (0..count).rev() {
            out.extend(DIGITS.get((code >> (4 * place)) as usize & 0xF));
        }
        open = grammar.groups_characters();
        if !open {
            out.push_str("@ ");
        }
    }
    if open {
        out.push('@');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::LineBreak;
    use elf_base::Rules;
    use elf_base::rules::LineLimit;
    use proptest::prelude::*;

    fn texts() -> impl Strategy<Value = String> {
        let parts = [
            "a",
            "Zoë ",
            " ",
            "\t",
            "@",
            "@#DX@ ",
            "#U41@",
            "\u{301}",
            "\u{31B}",
            "e\u{323}\u{301}",
            "ơ",
            "ȍ",
            "ḹ",
            "Ж",
            "й",
            "ώ",
            "€",
            "t\u{FE20}",
            "漢",
            "\u{1F600}",
            "\u{93E}",
            "\0",
            "\u{7F}",
            "\u{85}",
            "\u{92}",
            "\u{FFFE}",
        ];
        prop::collection::vec(prop::sample::select(parts.to_vec()), 0..9).prop_map(|parts| parts.concat())
    }

    fn spellings() -> impl Strategy<Value = Spelling> {
        let encodings =
            [Encoding::Utf8, Encoding::Utf16Be, Encoding::Ascii, Encoding::Ansel, Encoding::Windows1252];
        let grammars = [Escape::Typed, Escape::TypedSpace { recover: true }, Escape::Untyped];
        let rules = [Rules::WILD, Rules::DECEMBER_2019];
        let repertoires = (prop::sample::select(encodings.to_vec()), prop::sample::select(rules.to_vec()))
            .prop_map(|(encoding, rules)| Repertoire::new(encoding, &rules.octets));
        (repertoires, prop::sample::select(grammars.to_vec()))
            .prop_map(|(repertoire, grammar)| Spelling::new(repertoire, grammar, EdgeWhitespace::Guard))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        /// The fast path for plain text gives the same line as writing it atom by atom, and its size limit is correct.
        #[test]
        fn plain_text_is_spelled_as_it_is(mut spelling in spellings(), text in texts()) {
            let Some(most) = spelling.plain_size(&text) else { return Ok(()) };
            let mut lines = Lines::new(LineLimit::None, spelling.repertoire.encoding(), LineBreak::Lf);
            let mut lost = PayloadLosses::default();
            lines.start_structure(0, None, "X");
            spelling.write_text(&mut lines, &text, 0, PreservedEscapes::default(), &mut lost);
            prop_assert_eq!(lines.text, if text.is_empty() { "0 X".to_owned() } else { format!("0 X {text}") });
            prop_assert_eq!(lost, PayloadLosses::default());
            let units = if spelling.repertoire.encoding().is_utf16() { 2 } else { 1 };
            prop_assert!(spelling.repertoire.encoding().encoded_len(&text) <= most * units && text.len() <= most);
        }

        /// Whether a character can be encoded does not depend on the characters before it.
        #[test]
        fn what_is_missing_is_missing_everywhere(mut spelling in spellings(), text in texts()) {
            let group = spelling.group_length(&text);
            let missing = text.get(..group).unwrap_or_default();
            for (at, _) in missing.char_indices() {
                prop_assert_eq!(spelling.repertoire.first_missing(missing.get(at..).unwrap_or_default()), Some(0));
            }
            let mut rest = text.get(group..).unwrap_or_default().chars();
            prop_assert!(group == 0 || !rest.next().is_some_and(is_combining_mark));
        }
    }
}
