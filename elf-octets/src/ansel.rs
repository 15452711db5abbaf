//! ANSEL, which is ANSI Z39.47 with the extensions of GEDCOM and MARC 21.
//!
//! Each byte is a character. A1 to CF are letters and signs. E0 to FE are combining marks, which come *before* their
//! letter; in Unicode, they come after it. A letter may have several marks.
//!
//! For marks above the letter, ANSEL starts with the outermost mark; for marks below, with the innermost. Unicode
//! always goes outwards from the letter. So decoding reverses the marks above and keeps the order of the marks below.
//! The table and the order are those of FHISO's *ANSEL to Unicode*, except for F8. FHISO repeats there the U+0328 of
//! F1, but ANSI Z39.47 and MARC 21 have a left half ring below, U+031C.
//!
//! The ligature tie and the double tilde have two halves, with one half on each letter (EB and EC, FA and FB). The
//! halves are decoded to the combining half marks of Unicode (U+FE20 to U+FE23).
//!
//! The program Personal Ancestral File wrote two bytes for characters that ANSEL lacks ([`pair_character`]).

use crate::decode_buffer::{CommonStart, DecodeBuffer, DecodeOptions, OctetBuffer};
use crate::decoded::{Decoded, Irregularity};
use crate::input_chunk::InputChunk;
use crate::utf8_char::Utf8;
use crate::{Encoding, Unencodable};
use std::ops::Range;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

/// The position of a mark on its letter, which determines the order in which several marks are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MarkPosition {
    /// The mark is above the letter. ANSEL and Unicode have opposite orders of such marks.
    High,
    /// The mark is below the letter. ANSEL and Unicode have the same order of such marks.
    Low,
    /// The mark goes through the letter. In Unicode it comes directly after the letter.
    Centre,
}

/// The letters and signs of ANSEL. GEDCOM added BE, BF and CD to CF. MARC 21 added C7 and C8, which are read but not
/// written.
const LETTERS: [(u8, char); 41] = [
    (0xA1, 'Ł'),
    (0xA2, 'Ø'),
    (0xA3, 'Đ'),
    (0xA4, 'Þ'),
    (0xA5, 'Æ'),
    (0xA6, 'Œ'),
    (0xA7, '\u{2B9}'),
    (0xA8, '·'),
    (0xA9, '♭'),
    (0xAA, '®'),
    (0xAB, '±'),
    (0xAC, 'Ơ'),
    (0xAD, 'Ư'),
    (0xAE, '\u{2BE}'),
    (0xB0, '\u{2BF}'),
    (0xB1, 'ł'),
    (0xB2, 'ø'),
    (0xB3, 'đ'),
    (0xB4, 'þ'),
    (0xB5, 'æ'),
    (0xB6, 'œ'),
    (0xB7, '\u{2BA}'),
    (0xB8, 'ı'),
    (0xB9, '£'),
    (0xBA, 'ð'),
    (0xBC, 'ơ'),
    (0xBD, 'ư'),
    (0xBE, '□'),
    (0xBF, '■'),
    (0xC0, '°'),
    (0xC1, 'ℓ'),
    (0xC2, '℗'),
    (0xC3, '©'),
    (0xC4, '♯'),
    (0xC5, '¿'),
    (0xC6, '¡'),
    (0xC7, 'ß'),
    (0xC8, '€'),
    (0xCD, 'e'),
    (0xCE, 'o'),
    (0xCF, 'ß'),
];

/// The combining marks of ANSEL. GEDCOM added FC.
const MARKS: [(u8, char, MarkPosition); 30] = [
    (0xE0, '\u{309}', MarkPosition::High),
    (0xE1, '\u{300}', MarkPosition::High),
    (0xE2, '\u{301}', MarkPosition::High),
    (0xE3, '\u{302}', MarkPosition::High),
    (0xE4, '\u{303}', MarkPosition::High),
    (0xE5, '\u{304}', MarkPosition::High),
    (0xE6, '\u{306}', MarkPosition::High),
    (0xE7, '\u{307}', MarkPosition::High),
    (0xE8, '\u{308}', MarkPosition::High),
    (0xE9, '\u{30C}', MarkPosition::High),
    (0xEA, '\u{30A}', MarkPosition::High),
    (0xEB, '\u{FE20}', MarkPosition::High),
    (0xEC, '\u{FE21}', MarkPosition::High),
    (0xED, '\u{315}', MarkPosition::High),
    (0xEE, '\u{30B}', MarkPosition::High),
    (0xEF, '\u{310}', MarkPosition::High),
    (0xF0, '\u{327}', MarkPosition::Low),
    (0xF1, '\u{328}', MarkPosition::Low),
    (0xF2, '\u{323}', MarkPosition::Low),
    (0xF3, '\u{324}', MarkPosition::Low),
    (0xF4, '\u{325}', MarkPosition::Low),
    (0xF5, '\u{333}', MarkPosition::Low),
    (0xF6, '\u{332}', MarkPosition::Low),
    (0xF7, '\u{326}', MarkPosition::Low),
    (0xF8, '\u{31C}', MarkPosition::Low),
    (0xF9, '\u{32E}', MarkPosition::Low),
    (0xFA, '\u{FE22}', MarkPosition::High),
    (0xFB, '\u{FE23}', MarkPosition::High),
    (0xFC, '\u{338}', MarkPosition::Centre),
    (0xFE, '\u{313}', MarkPosition::High),
];

/// Pairs of bytes that Personal Ancestral File wrote for characters that ANSEL lacks.
///
/// A row has the first byte (D7 for boxes, D8 for Greek, D9 for signs and quotation marks), the lowest second byte, and
/// the characters of the second bytes from there on. A space marks a pair without a meaning. The reader `gedcom5-java`
/// of `FamilySearch` documents these pairs. The pairs are read under rules that recover from errors, and never written.
const PAIRS: [(u8, u8, &str); 8] = [
    (0xD7, 0x41, "═║╗╝╚╔╣╩╠╦╬╢╧╟╤╡╨╞╥╪░▒▓█"),
    (0xD7, 0x61, "─│┐┘└┌┤┴├┬┼╕╛╘╒╖╜╙╓╫▌▀▐▄▪"),
    (0xD8, 0x24, "ς"),
    (0xD8, 0x41, "ΑΒΥΔΕΦΓΨΙ ΚΛΜΝΟΠΧΡΣΤΩΘΗΞ Ζ"),
    (0xD8, 0x61, "αβυδεφγψι κλμνοπχρστωθηξ ζ"),
    (0xD9, 0x20, "฿¢¥₧ƒ¤₤₠₡₢₣₥₦₨₩₪€¹²³"),
    (0xD9, 0x41, "ªº«»¦¶§⌐†‡ ™ﬁﬂ‹›‰…“”‚„•–\u{A0}µ"),
    (0xD9, 0x61, "½¼¾∞∅∈∩¬≡×≥≤÷≈⋅⌠⌡√⁄‘’—\u{AD} ₭₮₯₫"),
];

/// The meaning of an octet in ANSEL.
#[derive(Clone, Copy, Debug)]
enum Octet {
    Letter(char),
    Mark(char, MarkPosition),
    Nothing,
}

/// The meaning of every byte: ASCII, and the two tables of letters and marks.
const OCTETS: [Octet; 256] = {
    let mut octets = [Octet::Nothing; 256];
    let mut ascii = 0_u8;
    while ascii < 0x80 {
        octets[ascii as usize] = Octet::Letter(ascii as char);
        ascii += 1;
    }
    let mut index = 0;
    while index < LETTERS.len() {
        octets[LETTERS[index].0 as usize] = Octet::Letter(LETTERS[index].1);
        index += 1;
    }
    index = 0;
    while index < MARKS.len() {
        octets[MARKS[index].0 as usize] = Octet::Mark(MARKS[index].1, MARKS[index].2);
        index += 1;
    }
    octets
};

const UTF8: [Utf8; 256] = {
    let mut utf8 = [Utf8::NONE; 256];
    let mut index = 0;
    while index < 256 {
        if let Octet::Letter(c) | Octet::Mark(c, _) = OCTETS[index] {
            utf8[index] = Utf8::encode(c);
        }
        index += 1;
    }
    utf8
};

fn utf8_of(octet: u8) -> Utf8 {
    UTF8[usize::from(octet)]
}

fn classify_byte(octet: u8) -> Octet {
    OCTETS[usize::from(octet)]
}

pub(crate) fn mark_character(octet: u8) -> Option<char> {
    match classify_byte(octet) {
        Octet::Mark(c, _) => Some(c),
        _ => None,
    }
}

pub(crate) fn letter_character(octet: u8) -> Option<char> {
    match classify_byte(octet) {
        Octet::Letter(c) => Some(c),
        _ => None,
    }
}

pub(crate) fn decode<'o>(chunk: InputChunk<'_>, options: DecodeOptions) -> Decoded<'o> {
    let octets = chunk.octets;
    let mut out = DecodeBuffer::new(octets.len() + octets.len() / 16, chunk.base, options);
    let mut stretch = OctetBuffer::default();
    let mut at = record_cut_letter(octets, 0, chunk.already_decoded(), &mut out);
    while at < octets.len() {
        at += stretch.decode_from(&octets[at..], decode_common_start);
        if out.push_buffer(&mut stretch) || at == octets.len() {
            continue;
        }
        if let Some(character) = pair_character(octets, at).filter(|_| options.repair) {
            out.push_irregular(character, at..at + 2, Irregularity::Pair);
            at += 2;
            continue;
        }
        let cluster = Cluster::starting_at(octets, at);
        match cluster.base {
            Base::Letter(c) => {
                out.text.push(c);
                cluster.push_marks(octets, &mut out.text);
            }
            Base::None => {
                let marks = cluster.start..cluster.end;
                let start = out.len();
                if let Some((whole, tail)) = join_cut_cluster(chunk, &marks).filter(|_| options.repair) {
                    let joined = Cluster::starting_at(&whole, 0);
                    out.text.extend(joined.base.letter());
                    joined.push_marks(&whole, &mut out.text);
                    out.record_irregular(start, marks, Irregularity::CutHead);
                    at = record_cut_letter(octets, cluster.end, tail, &mut out);
                    continue;
                }
                cluster.push_marks(octets, &mut out.text);
                out.record_irregular(start, marks, Irregularity::Dangling);
            }
            Base::Undecodable => {
                if out.push_undecodable(cluster.start..cluster.end, None) {
                    break;
                }
            }
        }
        at = cluster.end;
    }
    out.into_decoded()
}

/// Returns the character for which Personal Ancestral File wrote the two bytes at `at`.
pub(crate) fn pair_character(octets: &[u8], at: usize) -> Option<char> {
    let (first, second) = (*octets.get(at)?, *octets.get(at + 1)?);
    let in_row = |&(lead, start, row): &(u8, u8, &str)| {
        let index = second.checked_sub(start).filter(|_| lead == first)?;
        row.chars().nth(usize::from(index)).filter(|character| *character != ' ')
    };
    matches!(first, 0xD7..=0xD9).then(|| PAIRS.iter().find_map(in_row))?
}

/// Joins marks at the end of a line with their letter, which CONC has moved to the next line. Returns the joined bytes,
/// and the range of the joined bytes that are on the next line.
fn join_cut_cluster(chunk: InputChunk<'_>, marks: &Range<usize>) -> Option<(Vec<u8>, Range<usize>)> {
    let continuation = chunk.conc_continuation(marks.end)?;
    let tail = Cluster::starting_at(continuation.payload(), 0);
    tail.base.letter().filter(|letter| letter.is_alphabetic())?;
    let mut whole = chunk.octets[marks.clone()].to_vec();
    whole.extend_from_slice(&continuation.payload()[..tail.end]);
    Some((whole, continuation.begins..continuation.begins + tail.end))
}

/// Finds the letter on the next line that belongs to marks at the end of a line. The letter may have marks of its own.
pub(crate) fn find_cut_letter(chunk: InputChunk<'_>, marks: &Range<usize>) -> Option<Range<usize>> {
    join_cut_cluster(chunk, marks).map(|(_, tail)| tail)
}

/// Adds the bytes between marks and their letter on the next line, as far as these bytes are available, and records the
/// letter as decoded. Returns the offset after the letter.
fn record_cut_letter(octets: &[u8], from: usize, tail: Range<usize>, out: &mut DecodeBuffer) -> usize {
    if tail.is_empty() {
        return from;
    }
    // If the letter comes after the available bytes, the caller continues on the line of the letter.
    let between = &octets[from..tail.start.min(octets.len())];
    out.text.push_str(&String::from_utf8_lossy(between));
    if tail.start >= octets.len() {
        return octets.len();
    }
    out.record_irregular(out.len(), tail.clone(), Irregularity::CutTail);
    tail.end
}

/// Decodes the start of `octets` if it is a letter, or a letter with one mark.
#[inline(always)]
fn decode_common_start(octets: &[u8]) -> Option<CommonStart> {
    let (letter, mark, count) = match octets {
        [mark @ 0xE0..=0xFF, letter @ 0x20..0xE0, ..] => (utf8_of(*letter), utf8_of(*mark), 2),
        [letter @ 0..0xE0, ..] => (utf8_of(*letter), Utf8::NONE, 1),
        _ => return None,
    };
    let regular = letter.len() > 0 && (count == 1 || mark.len() > 0);
    regular.then_some(CommonStart { first: letter, second: mark, octets: count })
}

/// Marks and the letter that they belong to. Decoding changes the order of characters only within a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cluster {
    start: usize,
    /// The offset after the marks.
    marks: usize,
    base: Base,
    /// The offset after the cluster.
    pub(crate) end: usize,
}

/// The letter to which the marks of a cluster belong.
#[derive(Clone, Copy, Debug)]
enum Base {
    Letter(char),
    /// There is no letter: the end of the text, a control character or a byte without a meaning follows the marks.
    None,
    /// The cluster is a single byte without a meaning and has no marks.
    Undecodable,
}

impl Base {
    const fn letter(self) -> Option<char> {
        match self {
            Base::Letter(letter) => Some(letter),
            _ => None,
        }
    }
}

impl Cluster {
    pub(crate) fn starting_at(octets: &[u8], start: usize) -> Cluster {
        let rest = &octets[start..];
        let count = rest.iter().take_while(|octet| matches!(classify_byte(**octet), Octet::Mark(..))).count();
        let marks = start + count;
        let (base, end) = match rest.get(count).map(|octet| classify_byte(*octet)) {
            // A mark never moves across a control character or a line break.
            Some(Octet::Letter(c)) if count == 0 || c >= ' ' => (Base::Letter(c), marks + 1),
            Some(Octet::Nothing) if count == 0 => (Base::Undecodable, marks + 1),
            _ => (Base::None, marks),
        };
        Cluster { start, marks, base, end }
    }

    fn marks_at(self, octets: &[u8], stack: MarkPosition) -> impl DoubleEndedIterator<Item = char> {
        let marks = &octets[self.start..self.marks];
        marks.iter().filter_map(move |octet| match classify_byte(*octet) {
            Octet::Mark(c, other) if other == stack => Some(c),
            _ => None,
        })
    }

    /// Appends the marks through the letter, then the low marks in order, then the high marks in reverse. This is
    /// FHISO's order. The normal forms of Unicode also have low marks before high ones.
    fn push_marks(self, octets: &[u8], text: &mut String) {
        if self.marks == self.start + 1 {
            // Nearly always there is only one mark, so there is nothing to reorder.
            text.extend(mark_character(octets[self.start]));
            return;
        }
        text.extend(self.marks_at(octets, MarkPosition::Centre));
        text.extend(self.marks_at(octets, MarkPosition::Low));
        text.extend(self.marks_at(octets, MarkPosition::High).rev());
    }

    pub(crate) fn text_len(self, octets: &[u8]) -> usize {
        let base = match self.base {
            Base::Letter(c) => c.len_utf8(),
            Base::None => 0,
            Base::Undecodable => char::REPLACEMENT_CHARACTER.len_utf8(),
        };
        let marks = &octets[self.start..self.marks];
        base + marks.iter().filter_map(|octet| mark_character(*octet)).map(char::len_utf8).sum::<usize>()
    }

    /// Returns the number of decoded characters.
    pub(crate) fn chars(self) -> u64 {
        (self.end - self.start) as u64
    }
}

/// Encodes `text` in ANSEL. The letters of the text may be composed or decomposed; see [`Encoding::encode_into`].
pub(crate) fn encode(text: &str, octets: &mut Vec<u8>) -> Result<(), Unencodable> {
    octets.reserve(text.len());
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let mut run = encoding_rs::Encoding::ascii_valid_up_to(rest.as_bytes());
        if let Some(next) = next_character(rest, run) {
            if let Some(common) = find_common(next).filter(|common| common.length > 0)
                && !next_character(rest, run + next.len_utf8()).is_some_and(is_mark)
            {
                octets.extend_from_slice(&rest.as_bytes()[..run]);
                octets.extend_from_slice(common.octets());
                at += run + next.len_utf8();
                continue;
            }
            if let Some((plain, base, mark)) = split_accented_letter(rest, run, next) {
                octets.extend_from_slice(plain);
                octets.extend_from_slice(&[mark, base]);
                at += run + next.len_utf8();
                continue;
            }
            // The last character of the run may have marks after the run.
            run = run.saturating_sub(usize::from(is_mark(next)));
        }
        octets.extend_from_slice(&rest.as_bytes()[..run]);
        at += run;
        if let Some(character) = next_character(text, at) {
            if find_common(character).is_some_and(|common| common.length == 0) {
                return Err(Unencodable { character, offset: at, encoding: Encoding::Ansel });
            }
            at += encode_cluster(&text[at..], at, octets)?;
        }
    }
    Ok(())
}

/// Encodes the character at `offset` and the marks that follow it. The character may be composed or decomposed. Returns
/// the length of both in the text.
fn encode_cluster(text: &str, offset: usize, octets: &mut Vec<u8>) -> Result<usize, Unencodable> {
    let missing = |character, at| Unencodable { character, offset: offset + at, encoding: Encoding::Ansel };
    let mut base: Option<char> = None;
    let mut marks: Vec<(u8, MarkPosition)> = Vec::new();
    let mut first = None;
    // If the letter cannot be encoded, report the letter instead of its mark.
    let mut fault = None;
    let mut length = 0;
    for (at, character) in text.char_indices().take_while(|&(at, next)| at == 0 || is_mark(next)) {
        first.get_or_insert(character);
        length = at + character.len_utf8();
        decompose_canonical(character, |part| match (base, mark_octet(part)) {
            (None, _) => base = Some(part),
            (Some(_), Some(mark)) => marks.push(mark),
            (Some(letter), None) => match compose_horned_letter(letter, part) {
                Some(letter) => base = Some(letter),
                None => fault = fault.or(Some(missing(character, at))),
            },
        });
        if base.and_then(letter_octet).is_none() {
            break;
        }
    }
    let base = base.filter(|base| marks.is_empty() || !base.is_control()).and_then(letter_octet);
    let base = base.ok_or_else(|| missing(first.unwrap_or_default(), 0))?;
    if let Some(fault) = fault {
        return Err(fault);
    }
    let of =
        |stack: MarkPosition| marks.iter().filter(move |(_, other)| *other == stack).map(|(octet, _)| *octet);
    octets.extend(of(MarkPosition::High).rev());
    octets.extend(of(MarkPosition::Low));
    octets.extend(of(MarkPosition::Centre));
    octets.push(base);
    Ok(length)
}

/// Splits the start of `text` before its last ASCII letter, if `next` is the only mark on that letter. `run` is the
/// number of ASCII characters at the start. Returns the text before the letter, the letter, and the byte of the mark.
fn split_accented_letter(text: &str, run: usize, next: char) -> Option<(&[u8], u8, u8)> {
    let (mark, _) = mark_octet(next)?;
    let (base, plain) = text.as_bytes().get(..run)?.split_last()?;
    let lone = !next_character(text, run + next.len_utf8()).is_some_and(is_mark);
    (*base >= 0x20 && *base != 0x7F && lone).then_some((plain, *base, mark))
}

fn next_character(text: &str, offset: usize) -> Option<char> {
    text.get(offset..)?.chars().next()
}

fn is_mark(character: char) -> bool {
    // Combining marks start at U+0300.
    character >= '\u{300}' && canonical_combining_class(character) != 0
}

/// The bytes of a common character without marks. There are no bytes if ANSEL does not have the character.
#[derive(Clone, Copy, Debug, Default)]
struct Common {
    octets: [u8; 3],
    length: u8,
}

impl Common {
    fn encode(code: u32) -> Common {
        let mut octets = Vec::new();
        let mut common = Common::default();
        let text = char::from_u32(code).map(String::from).unwrap_or_default();
        if encode_cluster(&text, 0, &mut octets).is_ok()
            && let Some(slots) = common.octets.get_mut(..octets.len())
        {
            slots.copy_from_slice(&octets);
            common.length = u8::try_from(octets.len()).unwrap_or_default();
        }
        common
    }

    fn octets(&self) -> &[u8] {
        &self.octets[..usize::from(self.length)]
    }
}

/// The blocks of Unicode whose characters are cached: Latin, Greek and Cyrillic.
const COMMON: [Range<u32>; 2] = [0x80..0x530, 0x1E00..0x2000];

fn find_common(character: char) -> Option<Common> {
    static TABLE: std::sync::OnceLock<Vec<Common>> = std::sync::OnceLock::new();
    let [low, high] = COMMON;
    let code = u32::from(character);
    let index = if code < low.end {
        code.checked_sub(low.start)?
    } else if high.contains(&code) {
        low.end - low.start + code - high.start
    } else {
        return None;
    };
    let table = TABLE.get_or_init(|| COMMON.into_iter().flatten().map(Common::encode).collect());
    Some(table[index as usize])
}

pub(crate) fn can_encode(character: char) -> bool {
    octet_of(character).is_some()
        || match find_common(character) {
            Some(common) => common.length > 0,
            None => encode_cluster(character.encode_utf8(&mut [0; 4]), 0, &mut Vec::new()).is_ok(),
        }
}

/// Returns the number of bytes of a character that ANSEL has.
pub(crate) fn encoded_len(character: char) -> usize {
    if let Some(common) = find_common(character).filter(|common| common.length > 0) {
        return usize::from(common.length);
    }
    let (mut count, mut last) = (0, '\0');
    decompose_canonical(character, |part| {
        count += usize::from(compose_horned_letter(last, part).is_none());
        last = part;
    });
    // ANSEL has no mark for a horn; the letter has another byte instead.
    if character == '\u{31B}' { 0 } else { count }
}

/// Composes a letter with a horn. ANSEL has such letters, but Unicode decomposes them.
fn compose_horned_letter(letter: char, mark: char) -> Option<char> {
    match (letter, mark) {
        ('O', '\u{31B}') => Some('Ơ'),
        ('o', '\u{31B}') => Some('ơ'),
        ('U', '\u{31B}') => Some('Ư'),
        ('u', '\u{31B}') => Some('ư'),
        _ => None,
    }
}

/// The bytes of the characters from U+0080 on, with 0 for a character that ANSEL does not have. If two bytes mean the
/// same character, the last one in the table is used: for `ß`, this is the byte of GEDCOM.
const LOW: [u8; 0x2C0] = {
    let mut octets = [0; 0x2C0];
    let mut octet = 0xA0_u8;
    while octet < 0xFF {
        if let Octet::Letter(c) | Octet::Mark(c, _) = OCTETS[octet as usize]
            && c as usize >= 0x80
            && (c as usize) < 0x80 + octets.len()
        {
            octets[c as usize - 0x80] = octet;
        }
        octet += 1;
    }
    octets
};

fn octet_of(character: char) -> Option<u8> {
    match u32::from(character) {
        code @ 0..0x80 => u8::try_from(code).ok(),
        code @ 0x80..0x340 => LOW.get(code as usize - 0x80).copied().filter(|&octet| octet > 0),
        // These ranges contain only a few signs and the half marks that ANSEL has.
        0x20A0..0x2700 | 0xFE20..0xFE30 => {
            (0xA0..0xFF).find(|&octet| letter_character(octet).or(mark_character(octet)) == Some(character))
        }
        _ => None,
    }
}

fn mark_octet(character: char) -> Option<(u8, MarkPosition)> {
    let octet = octet_of(character)?;
    match classify_byte(octet) {
        Octet::Mark(_, stack) => Some((octet, stack)),
        _ => None,
    }
}

fn letter_octet(character: char) -> Option<u8> {
    // Characters that only MARC 21 has are read but not written, because readers that follow ANSI Z39.47 and GEDCOM
    // reject a whole file with such a character.
    octet_of(character).filter(|&octet| letter_character(octet).is_some() && !matches!(octet, 0xC7 | 0xC8))
}
