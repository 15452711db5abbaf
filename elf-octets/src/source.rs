//! The bytes of a file, and the text to which they decode.

use crate::decoded::{Decoded, DecodedText, Irregular, Irregularity};
use crate::encoding::Scheme;
use crate::file_counts::FileCounts;
use crate::line_table::{
    Cursor, LineBreak, LineBreaks, LineRange, LineTable, count_characters, line_starts, text_offset,
};
use crate::pages::Page;
use crate::survey::Survey;
use crate::translated::{Step, Translated};
use crate::units::Units;
use crate::{Decision, Encoding, LineStrings, ansel};
use elf_base::rules::OctetRules;
use elf_base::{Excerpt, Place, Rules, Span};
use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

/// The bytes and the decoded text of a file, or of some whole lines of it.
///
/// Valid UTF-8 is borrowed, and other text is owned. A [`Locator`](crate::Locator) finds positions. The tables of a
/// source are built when they are needed.
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::{Options, Source};
///
/// let file = b"0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n1 NAME Jo\xE4ao\r\n0 TRLR\r\n";
/// let source = Source::read(file, &Rules::DECEMBER_2019, &Options::default(), &mut ())?;
/// let name = source.line_strings().nth(3).unwrap_or_default();
/// assert_eq!(name.of(source.text()), "1 NAME Joa\u{303}o");
/// let place = source.locator().place(name);
/// assert_eq!((place.line, place.octet), (4, 35));
/// # Ok::<(), elf_octets::TooLarge>(())
/// ```
#[derive(Debug)]
pub struct Source<'o> {
    octets: Cow<'o, [u8]>,
    text: Cow<'o, str>,
    /// The length of the text that may be used. The length is shorter than the whole text if the rules stopped reading.
    usable: usize,
    irregular: Vec<Irregular>,
    decision: Cow<'o, Decision>,
    complete: bool,
    rules: OctetRules,
    survey: Survey,
    position: Position,
    table: OnceLock<LineTable>,
    breaks: OnceLock<LineBreaks>,
    translated: Option<Translated>,
    last: bool,
    /// Facts about the part of the file before this text.
    history: FileCounts,
}

/// The position of the available bytes in their file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// The offset in the bytes at which the text starts. This is the length of the byte-order mark.
    pub(crate) start: usize,
    /// The offset in the file of the first byte.
    pub(crate) octet: u64,
    /// The number of the first line, from 1.
    pub(crate) line: u64,
}

/// The error for a text longer than 4 GiB, which 32-bit offsets cannot address. Use [`TextReader`](crate::TextReader)
/// to read it in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge;

impl<'o> Source<'o> {
    /// Creates a source from decoded bytes.
    pub(crate) fn assemble(
        octets: &'o [u8],
        decoded: DecodedText<'o>,
        decision: Cow<'o, Decision>,
        position: Position,
        rules: &Rules,
    ) -> Source<'o> {
        let DecodedText { decoded: Decoded { text, irregular, complete }, survey } = decoded;
        // The line with the error at which reading stopped cannot be used.
        let usable = if complete { text.len() } else { text.rfind(['\n', '\r']).map_or(0, |at| at + 1) };
        Source {
            octets: Cow::Borrowed(octets),
            text,
            usable,
            irregular,
            decision,
            complete,
            rules: rules.octets,
            survey,
            position,
            table: OnceLock::new(),
            breaks: OnceLock::new(),
            translated: None,
            last: true,
            history: FileCounts::default(),
        }
    }

    /// Copies the bytes and the text if they are borrowed.
    pub fn into_owned(self) -> Source<'static> {
        let Source { octets, text, decision, .. } = self;
        Source {
            octets: Cow::Owned(octets.into_owned()),
            text: Cow::Owned(text.into_owned()),
            usable: self.usable,
            irregular: self.irregular,
            decision: Cow::Owned(decision.into_owned()),
            complete: self.complete,
            rules: self.rules,
            survey: self.survey,
            position: self.position,
            table: self.table,
            breaks: self.breaks,
            translated: self.translated,
            last: self.last,
            history: self.history,
        }
    }

    pub(crate) fn with_last(mut self, last: bool) -> Source<'o> {
        self.last = last;
        self
    }

    pub(crate) fn with_history(mut self, history: FileCounts) -> Source<'o> {
        self.history = history;
        self
    }

    pub(crate) const fn octet_of_file(&self, at: usize) -> u64 {
        self.position.octet + at as u64
    }

    pub(crate) fn local_offset(&self, octet: u64) -> usize {
        // The available bytes are in memory, so an offset among them fits.
        usize::try_from(octet.saturating_sub(self.position.octet)).unwrap_or(usize::MAX)
    }

    pub(crate) const fn number_of_line(&self, index: usize) -> u64 {
        self.position.line + index as u64
    }

    /// Converts a line number of the file to an index in the table of available lines. Returns `None` if the line is
    /// before the available lines.
    fn index_of_line(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.position.line)?).ok()
    }

    pub(crate) const fn history(&self) -> FileCounts {
        self.history
    }

    pub(crate) fn breaks_before(&self, end: u32) -> LineBreaks {
        LineBreaks::of(self.decoded().get(..end as usize).unwrap_or_default())
    }

    /// Returns the number of line breaks of each form before the offset `end` of the text.
    pub fn line_breaks_before(&self, end: u32) -> LineBreaks {
        self.breaks_before(self.decoded_span(Span::new(end, end)).start)
    }

    pub(crate) fn with_breaks(mut self, breaks: LineBreaks) -> Source<'o> {
        self.breaks = OnceLock::from(breaks);
        self
    }

    /// Returns whether the file ends with these bytes. This is true for a whole file, and for the last block of a file.
    pub const fn is_last(&self) -> bool {
        self.last
    }

    /// Returns the decoded text without the byte-order mark. If the rules stopped reading (see
    /// [`is_complete`](Source::is_complete)), the text ends there.
    #[inline]
    pub fn text(&self) -> &str {
        match &self.translated {
            Some(translated) => &translated.text,
            None => self.decoded(),
        }
    }

    /// Returns the usable text as it was decoded, before escapes were replaced.
    #[inline]
    fn decoded(&self) -> &str {
        &self.text[..self.usable]
    }

    /// Replaces the decoded text by `text`. `steps` lists the ends of the replaced parts in order. Between these parts,
    /// both texts are the same. Places still refer to the file.
    #[must_use]
    pub fn translate(mut self, text: String, steps: Vec<Step>) -> Source<'o> {
        self.translated = Some(Translated::new(text, steps));
        self
    }

    pub(crate) fn decoded_span(&self, span: Span) -> Span {
        self.translated.as_ref().map_or(span, |translated| translated.old_span(span))
    }

    /// Returns the bytes, including the byte-order mark.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns the encoding in which the file was read, with the evidence for it.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Returns whether [`text`](Source::text) contains the whole text. Returns false if the rules stopped reading.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns whether the bytes after the byte-order mark are the text itself. Valid UTF-8 that was read as UTF-8 is
    /// its own text.
    pub fn is_verbatim(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_)) && self.complete && self.translated.is_none()
    }

    /// Returns the place in the file at which the text starts.
    pub fn start(&self) -> Place {
        Place::new(self.position.octet + self.position.start as u64, self.position.line, 1, 1)
    }

    /// Returns an iterator over the line strings of the text.
    pub fn line_strings(&self) -> LineStrings<'_> {
        LineStrings::with_known_cr(self.text(), self.survey.cr || self.translated.is_some(), &self.rules)
    }

    /// Returns the bytes that were not decoded in the regular way, in the order of the text. Together with the text,
    /// they preserve every byte of the file.
    pub fn irregular(&self) -> &[Irregular] {
        &self.irregular
    }

    /// Returns the places where U+FFFD replaces bytes that could not be decoded, in order. Adjacent places are
    /// joined. Guessed characters and U+FFFD characters of the file itself are not included.
    pub fn replaced(&self) -> Vec<Span> {
        self.find_undecodable(|text| text == "\u{FFFD}")
    }

    /// Returns the places where bytes that could not be decoded were read as windows-1252 characters, in order.
    /// Adjacent places are joined.
    pub fn guessed(&self) -> Vec<Span> {
        self.find_undecodable(|text| text != "\u{FFFD}")
    }

    fn find_undecodable(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        for irregular in &self.irregular {
            let span = irregular.text;
            if irregular.kind != Irregularity::Undecodable || !is_wanted(span.of(self.decoded())) {
                continue;
            }
            match spans.last_mut() {
                Some(last) if last.end == span.start => last.end = span.end,
                _ => spans.push(span),
            }
        }
        if let Some(translated) = &self.translated {
            spans.iter_mut().for_each(|span| *span = translated.new_span(*span));
        }
        spans
    }

    /// Returns whether the text contains U+0000, U+FFFE or U+FFFF, which are not characters. If the text has none, no
    /// line needs to be searched for them.
    pub fn has_forbidden(&self) -> bool {
        match &self.translated {
            Some(translated) => Survey::of_text(&translated.text).has_forbidden(&translated.text),
            None => self.survey.has_forbidden(&self.text),
        }
    }

    /// Returns whether all characters of the text are ASCII.
    pub fn is_ascii(&self) -> bool {
        !self.survey.non_ascii
    }

    /// Returns the number of line breaks of each form in the text.
    pub fn line_breaks(&self) -> LineBreaks {
        *self.breaks.get_or_init(|| LineBreaks::of(self.decoded()))
    }

    /// Returns whether the text has lone line feeds that may be part of payloads.
    pub fn feeds_break_payloads(&self) -> bool {
        self.decision.feeds_break_payloads && self.line_breaks().lf > 0
    }

    /// Returns the number of lines, including blank lines and a last line without a line break.
    pub fn line_count(&self) -> u64 {
        let open = !self.decoded().is_empty() && !self.decoded().ends_with(['\n', '\r']);
        self.line_breaks().total() + u64::from(open)
    }

    /// Returns the text of a line without its line break. Leading whitespace is included. Unicode escapes are replaced
    /// if the rules replace them before the text is split into lines. Returns `None` if the line does not exist.
    pub fn line_text(&self, number: u64) -> Option<&str> {
        let line = self.line_with_break(number)?.of(&self.text);
        let broken = LineBreak::ending(line).map_or(0, |ending| ending.text().len());
        line.get(..line.len() - broken)
    }

    /// Returns the span of line `number` with its line break, in the text as it was decoded.
    pub(crate) fn line_with_break(&self, number: u64) -> Option<Span> {
        let index = self.index_of_line(number)?;
        let table = self.lines();
        let start = *table.text.get(index)?;
        let end = table.text.get(index + 1).copied();
        let full = Span::new(start, end.unwrap_or(text_offset(self.text.len())));
        (end.is_some() || !full.is_empty()).then_some(full)
    }

    /// Returns the line of a place in the form that findings show. Returns `None` if the line does not exist.
    ///
    /// ```
    /// use elf_base::{Place, Rules};
    /// use elf_octets::{Options, Source};
    ///
    /// let source = Source::read(b"0 HEAD\n0 TRLR\n", &Rules::WILD, &Options::default(), &mut ())?;
    /// let excerpt = source.excerpt(Place::new(9, 2, 3, 7)).expect("a line");
    /// assert_eq!(&*excerpt.text, "0 TRLR");
    /// assert!(source.excerpt(Place::new(99, 9, 1, 1)).is_none());
    /// # Ok::<(), elf_octets::TooLarge>(())
    /// ```
    pub fn excerpt(&self, place: Place) -> Option<Excerpt> {
        let text = self.line_text(place.line)?;
        let before = usize::try_from(place.column.checked_sub(1)?).ok()?;
        let start = text.char_indices().nth(before).map_or(text.len(), |(start, _)| start);
        Some(Excerpt::around(text, start, place.column))
    }

    /// Returns the ranges of a line in the text and in the file. Lines are counted as in a [`Place`](elf_base::Place):
    /// from 1 at the start of the file, including blank lines. Returns `None` if the source does not contain the line.
    pub fn line(&self, number: u64) -> Option<LineRange> {
        let full = self.line_with_break(number)?;
        let index = self.index_of_line(number)?;
        let end = self.lines().text.get(index + 1).copied();
        let line = full.of(&self.text);
        let ending = LineBreak::ending(line);
        let broken = ending.map_or(0, |ending| text_offset(ending.text().len()));
        let from = self.start_of_line(index, full.start as usize).octet;
        let to = match end {
            Some(end) => self.start_of_line(index + 1, end as usize).octet,
            None => self.octets.len(),
        };
        Some(LineRange {
            text: Span::new(full.start, full.end - broken),
            octets: self.octet_of_file(from)..self.octet_of_file(from) + to.saturating_sub(from) as u64,
            ending,
        })
    }

    /// Returns all decoded text, including the part that must not be used because the rules stopped reading.
    pub(crate) fn full_text(&self) -> &str {
        &self.text
    }

    pub(crate) fn survey(&self) -> Survey {
        self.survey
    }

    pub(crate) fn repairs(&self) -> bool {
        self.rules.content
    }

    pub(crate) fn first_line(&self) -> u64 {
        self.position.line
    }

    pub(crate) const fn text_start(&self) -> usize {
        self.position.start
    }

    pub(crate) fn first_octet(&self) -> u64 {
        self.position.octet
    }

    pub(crate) fn octets_of(&self, irregular: &Irregular) -> &[u8] {
        self.octets_from(irregular.octets.start, irregular.octets.end - irregular.octets.start)
    }

    /// Returns `length` bytes from the offset `start` of the file. The bytes must be available.
    pub(crate) fn octets_from(&self, start: u64, length: u64) -> &[u8] {
        &self.octets[self.local_offset(start)..self.local_offset(start + length)]
    }

    pub(crate) fn lines(&self) -> &LineTable {
        self.table.get_or_init(|| {
            let used = self.decision.used;
            let one_for_one = used == Encoding::Utf8;
            let mut table = LineTable {
                text: line_starts(self.text.as_bytes(), Units::One),
                units: if one_for_one { Vec::new() } else { line_starts(self.body(), Units::of(Some(used))) },
                landmarks: Vec::new(),
            };
            table.landmarks = self.find_search_starts(&table);
            table
        })
    }

    /// Finds positions within long lines from which searches can start. Without such positions, each search would start
    /// at the beginning of its line.
    fn find_search_starts(&self, table: &LineTable) -> Vec<Cursor> {
        let length = self.full_text().len();
        let mut landmarks = Vec::new();
        for (number, start) in table.text.iter().enumerate() {
            let start = *start as usize;
            let end = table.text.get(number + 1).map_or(length, |next| *next as usize);
            if end - start <= LineTable::LONG {
                continue;
            }
            let mut cursor = self.start_of_line_by(table, number, start);
            for target in (start + LineTable::STRIDE..end).step_by(LineTable::STRIDE) {
                self.advance_to(&mut cursor, target);
                landmarks.push(cursor);
            }
        }
        landmarks
    }

    fn body(&self) -> &[u8] {
        self.octets.get(self.position.start..).unwrap_or_default()
    }

    /// Returns the position of the start of a line. `number` is counted from 0, and `text` is the offset of the line in
    /// the text.
    pub(crate) fn start_of_line(&self, number: usize, text: usize) -> Cursor {
        self.start_of_line_by(self.lines(), number, text)
    }

    pub(crate) fn start_of_line_by(&self, table: &LineTable, number: usize, text: usize) -> Cursor {
        let units = table.units.get(number).copied().unwrap_or(0) as usize;
        self.start_behind(units, text)
    }

    pub(crate) fn start_of_text(&self) -> Cursor {
        self.start_behind(0, 0)
    }

    /// Returns the position of the line that starts after `units` units. The offset of the line in the text is `text`.
    fn start_behind(&self, units: usize, text: usize) -> Cursor {
        let octet = match self.decision.used.scheme() {
            Scheme::Utf8 => self.utf8_octet(text),
            Scheme::Utf16Le | Scheme::Utf16Be => self.position.start + units * 2,
            Scheme::Ascii | Scheme::Ansel | Scheme::Page => self.position.start + units,
        };
        Cursor { text, octet, column: 0 }
    }

    /// Returns the offset, among the available bytes, of the character at `text`. The encoding must be UTF-8.
    fn utf8_octet(&self, text: usize) -> usize {
        let after = self.irregular.partition_point(|irregular| irregular.text.start as usize <= text);
        match self.irregular[..after].last() {
            None => self.position.start + text,
            Some(here) if text < here.text.end as usize => self.local_offset(here.octets.start),
            // The bytes at which decoding stopped come after all text.
            Some(last) if !self.complete && after == self.irregular.len() && last.text.is_empty() => {
                self.local_offset(last.octets.start)
            }
            Some(last) => self.local_offset(last.octets.end) + (text - last.text.end as usize),
        }
    }

    /// Moves forward to the character that contains the offset `target`.
    pub(crate) fn advance_to(&self, cursor: &mut Cursor, target: usize) {
        if self.decision.used == Encoding::Utf8 {
            cursor.column += count_characters(&self.text, cursor.text..target);
            cursor.text = target;
            cursor.octet = self.utf8_octet(target);
            return;
        }
        // Bytes without text are skipped together with the text that precedes them.
        while cursor.text <= target {
            match self.step_at(cursor.octet) {
                Some(step)
                    if cursor.text + step.text <= target && (cursor.text < target || step.text == 0) =>
                {
                    cursor.text += step.text;
                    cursor.octet += step.octet;
                    cursor.column += step.column;
                }
                _ => break,
            }
        }
    }

    /// Returns the lengths in text, bytes and columns of the irregular bytes at `octet`, if they are half a character
    /// or a pair. Returns `None` for all other bytes.
    fn step_of_irregular(&self, octet: usize) -> Option<Cursor> {
        let octet = self.position.octet + octet as u64;
        let index = self.irregular.binary_search_by_key(&octet, |irregular| irregular.octets.start).ok()?;
        let half = &self.irregular[index];
        let octets = usize::try_from(half.octets.end - half.octets.start).ok()?;
        let text = half.text.of(&self.text);
        matches!(half.kind, Irregularity::CutHead | Irregularity::CutTail | Irregularity::Pair).then(|| {
            Cursor { octet: octets, text: text.len(), column: count_characters(text, 0..text.len()) }
        })
    }

    /// Returns the lengths in text, bytes and columns of the character at `octet`. Returns `None` at the end of the
    /// bytes. Also returns `None` in UTF-8, where [`advance_to`](Source::advance_to) is faster.
    pub(crate) fn step_at(&self, octet: usize) -> Option<Cursor> {
        let rest = self.octets.get(octet..).filter(|rest| !rest.is_empty())?;
        let used = self.decision.used;
        let unit = |at: usize| {
            let pair = [*rest.get(at)?, *rest.get(at + 1)?];
            Some(if used == Encoding::Utf16Le { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
        };
        Some(match used.scheme() {
            Scheme::Utf8 => return None,
            Scheme::Utf16Le | Scheme::Utf16Be => {
                let decoded = char::decode_utf16([unit(0), unit(2)].into_iter().flatten()).next();
                match decoded {
                    Some(Ok(c)) => Cursor { octet: c.len_utf16() * 2, text: c.len_utf8(), column: 1 },
                    Some(Err(_)) => {
                        Cursor { octet: 2, text: char::REPLACEMENT_CHARACTER.len_utf8(), column: 1 }
                    }
                    None => Cursor { octet: 1, text: char::REPLACEMENT_CHARACTER.len_utf8(), column: 1 },
                }
            }
            Scheme::Ansel => {
                if let Some(step) = self.step_of_irregular(octet) {
                    return Some(step);
                }
                let cluster = ansel::Cluster::starting_at(rest, 0);
                Cursor { octet: cluster.end, text: cluster.text_len(rest), column: cluster.chars() }
            }
            Scheme::Ascii | Scheme::Page => {
                let character =
                    rest.first().and_then(|octet| Page::of(used, self.rules.content).character(*octet));
                let text = character.unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8();
                Cursor { octet: 1, text, column: 1 }
            }
        })
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is longer than 4 GiB, so it cannot be read as a whole")
    }
}

impl std::error::Error for TooLarge {}
