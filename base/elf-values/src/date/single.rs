//! One date in the generic syntax (ELF Dates *Generic date syntax*).
//!
//! ```text
//! Date   ::= (CalEsc S)? ((Day S)? Month S)? Year (S? Epoch)?
//! CalEsc ::= "@#D" [A-Z] [A-Z ]* "@"
//! Day    ::= [0-9]+
//! Month  ::= [A-Z] [A-Z0-9] [A-Z0-9]+
//! Epoch  ::= [A-Z] ( [A-Z] | [A-Z0-9._]* [._] [A-Z0-9._]* ) | "$" [^ #x9#xA#xD]+
//! ```
//!
//! Reserved words are neither months nor epochs. By the productions alone, `BET 1900` would be the year 1900 in a month
//! called `BET`.
//!
//! Parsing only finds the spans of the parts. The methods of [`Date`] convert a part when a caller asks for it.

use super::year::Year;
use crate::Integer;
use crate::calendar::Calendar;
use crate::problem::Malformed;
use crate::scan::{Cursor, Number, is_space, span};
use elf_base::Span;

/// A single date in any calendar. Day and month may be missing.
///
/// Two dates are equal if their parts are equal. Spelling does not matter: leading zeros, blanks, `BC` or `B.C.`, and
/// an escape or an epoch that is the default.
#[derive(Clone, Copy, Debug)]
pub struct Date<'t> {
    text: &'t str,
    places: PartSpans,
}

/// The spans of the parts of a date in its payload. The span of a missing part is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartSpans {
    escape: Span,
    day: Number,
    month: Span,
    year: Number,
    epoch: Span,
}

/// The calendar that a date is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CalendarName<'t> {
    /// A calendar that ELF Dates defines.
    Known(Calendar),
    /// Another calendar with this name. All its dates count as valid.
    Unfamiliar(&'t str),
    /// The calendar of a date with `@#DUNKNOWN@`, or of a date that has no escape and that the Gregorian calendar does
    /// not have. Two such dates may be in different calendars.
    Unknown,
}

impl PartSpans {
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<PartSpans, Malformed> {
        let escape = match cursor.peek() {
            Some(b'@') => read_escape(cursor)?,
            _ => Span::default(),
        };
        let (day, month) = read_day_and_month(cursor);
        let Some(year) = Year::read(cursor) else { return Err(missing_year_at_cursor(cursor, month)) };
        let epoch = if cursor.is_done() { Span::default() } else { read_epoch(cursor) };
        Ok(PartSpans { escape, day, month, year, epoch })
    }

    pub(super) const fn is_year_alone(&self) -> bool {
        self.month.is_empty() && self.epoch.is_empty()
    }

    /// Returns whether the text that starts with the number of the year is a month of a known calendar, with or without
    /// a day. A date with such a text has no year.
    pub(super) fn ends_in_month(&self, text: &str) -> bool {
        self.month.is_empty() && ends_in_month(&text[self.year.place.start as usize..])
    }
}

impl<'t> Date<'t> {
    pub(super) const fn from_spans(text: &'t str, places: PartSpans) -> Date<'t> {
        Date { text, places }
    }

    /// Returns the range of bytes of the date in the payload, including its calendar escape.
    pub const fn span(&self) -> Span {
        let PartSpans { escape, day, month, year, epoch } = self.places;
        let start = match (escape.is_empty(), day.is_empty(), month.is_empty()) {
            (false, ..) => escape.start,
            (true, false, _) => day.place.start,
            (true, true, false) => month.start,
            (true, true, true) => year.place.start,
        };
        Span::new(start, if epoch.is_empty() { year.place.end } else { epoch.end })
    }

    /// Returns the name in the calendar escape, such as `JULIAN`, if there is one.
    pub fn escape(&self) -> Option<&'t str> {
        self.text_at(self.places.escape)?.strip_prefix("@#D")?.strip_suffix('@')
    }

    /// Returns the calendar of the date.
    pub fn calendar(&self) -> CalendarName<'t> {
        let fault = || self.fault();
        match self.escape() {
            None if fault().is_none() => CalendarName::Known(Calendar::Gregorian),
            None | Some("UNKNOWN") => CalendarName::Unknown,
            Some(name) => Calendar::named(name).map_or(CalendarName::Unfamiliar(name), CalendarName::Known),
        }
    }

    /// Returns the day of the month as written.
    pub fn day(&self) -> Option<Integer<'t>> {
        let day = self.places.day;
        let long = || Integer::from_digits(day.place.of(self.text), false);
        (!day.is_empty()).then(|| day.value().map_or_else(long, |day| Integer::from(i64::from(day))))
    }

    /// Returns the name of the month.
    pub fn month(&self) -> Option<&'t str> {
        self.text_at(self.places.month)
    }

    /// Returns the year.
    pub fn year(&self) -> Year<'t> {
        Year::from_number(self.places.year, self.text)
    }

    /// Returns the epoch as written, such as `BC`, if there is one.
    pub fn epoch(&self) -> Option<&'t str> {
        self.text_at(self.places.epoch)
    }

    /// Returns the epoch as its calendar spells it, with full stops: `B.C.` for `BC` (ELF Dates *Epochs*).
    ///
    /// Other names of two letters do not change. The standard would write `IF` as `I.F.`, but in real files `IF` after
    /// a date is the code of a temple.
    pub fn epoch_name(&self) -> Option<&'t str> {
        let written = self.epoch()?;
        let Some(calendar) = self.named_calendar() else { return Some(written) };
        Some(find_epoch(calendar, written).unwrap_or(written))
    }

    /// Returns whether the year is probably wrong. One or two digits may be a day, or a year without its century; five
    /// digits are one too many. A short year with an escape or an epoch is not doubtful.
    ///
    /// ```
    /// use elf_values::DateValue;
    ///
    /// let is_doubtful = |text| DateValue::parse(text).map(|value| value.has_doubtful_year());
    /// assert!(is_doubtful("12 JAN 76")? && is_doubtful("12345")?);
    /// for text in ["12 JAN 076", "76 B.C.", "@#DJULIAN@ 76", "@#DFRENCH R@ 6 COMP 3"] {
    ///     assert!(!is_doubtful(text)?, "{text}");
    /// }
    /// # Ok::<(), elf_values::Malformed>(())
    /// ```
    pub fn has_doubtful_year(&self) -> bool {
        let Some(calendar) = self.named_calendar() else { return false };
        let digits = self.written_year().bytes().take_while(u8::is_ascii_digit).count();
        match digits {
            0 | 3 | 4 => false,
            1 | 2 => calendar == Calendar::Gregorian && self.epoch().is_none(),
            _ => !self.counts_backwards(calendar),
        }
    }

    pub(crate) fn written_year(&self) -> &'t str {
        self.year_place().of(self.text)
    }

    pub(crate) const fn year_place(&self) -> Span {
        self.places.year.place
    }

    /// Returns whether the date is Gregorian, with or without an escape.
    pub(crate) fn is_named_gregorian(&self) -> bool {
        self.named_calendar() == Some(Calendar::Gregorian)
    }

    /// Returns whether the date has a dual year in the Hebrew calendar. Such years are allowed, but not recommended
    /// (ELF Dates *The Hebrew calendar*).
    pub(crate) fn is_hebrew_and_dual(&self) -> bool {
        self.escape() == Some(Calendar::Hebrew.name()) && self.year().is_dual()
    }

    /// Returns the calendar that the escape names, if ELF Dates defines it. A date without an escape is Gregorian.
    pub(super) fn named_calendar(&self) -> Option<Calendar> {
        match self.escape() {
            None => Some(Calendar::Gregorian),
            Some(name) => Calendar::named(name),
        }
    }

    pub(crate) fn counts_backwards(&self, calendar: Calendar) -> bool {
        self.epoch()
            .and_then(|epoch| find_epoch(calendar, epoch))
            .is_some_and(|epoch| Some(epoch) == calendar.reverse_epoch())
    }

    fn text_at(&self, place: Span) -> Option<&'t str> {
        (!place.is_empty()).then(|| place.of(self.text))
    }
}

/// Finds the epoch of the calendar with this name, which may lack its full stops.
pub(super) fn find_epoch(calendar: Calendar, written: &str) -> Option<&'static str> {
    [calendar.default_epoch(), calendar.reverse_epoch()].into_iter().flatten().find(|name| {
        *name == written || written.len() == 2 && name.chars().filter(|c| *c != '.').eq(written.chars())
    })
}

/// Reads the calendar escape, `(CalEsc S)?`.
#[inline(never)]
fn read_escape(cursor: &mut Cursor<'_>) -> Result<Span, Malformed> {
    let mut ahead = *cursor;
    if !ahead.skip_literal("@#D") {
        return Ok(Span::default());
    }
    let name = ahead.read_while(|c| c.is_ascii_uppercase() || c == ' ');
    let well_named = name.starts_with(|c: char| c.is_ascii_uppercase());
    if !well_named || !ahead.skip_octet(b'@') {
        return Err(unexpected_word(cursor, "a calendar escape such as `@#DJULIAN@`"));
    }
    let place = ahead.span_from(cursor.position());
    if !ahead.skip_space() {
        return Err(unexpected_word(&ahead, "a space after the calendar escape"));
    }
    *cursor = ahead;
    Ok(place)
}

/// Reads the day and the month, `((Day S)? Month S)?`. Digits without a month after them are left for the year.
#[inline]
fn read_day_and_month(cursor: &mut Cursor<'_>) -> (Number, Span) {
    let none = (Number::default(), Span::default());
    let mut ahead = *cursor;
    let day = ahead.read_number();
    if !day.is_empty() && !ahead.skip_space() {
        return none;
    }
    let Some(month) = read_month(&mut ahead) else { return none };
    if !ahead.skip_space() {
        return none;
    }
    *cursor = ahead;
    (day, month)
}

/// Reads the production `Month`, unless the word is reserved.
fn read_month(cursor: &mut Cursor<'_>) -> Option<Span> {
    let place = cursor.read_capitals_and_digits();
    let is_month = match cursor.octets_at(place) {
        [b'A'..=b'Z', _, _, ..] if is_reserved_month(cursor.octets_at(place)) => false,
        [b'A'..=b'Z', _, _, ..] => true,
        _ => false,
    };
    is_month.then_some(place)
}

const fn is_reserved_month(word: &[u8]) -> bool {
    matches!(
        word,
        b"ABT"
            | b"AFT"
            | b"AND"
            | b"BCE"
            | b"BEF"
            | b"BET"
            | b"CAL"
            | b"EST"
            | b"EVERY"
            | b"FOR"
            | b"FROM"
            | b"INT"
            | b"POS"
            | b"REP"
            | b"TIME"
            | b"UNCERT"
            | b"UNK"
            | b"ZONE"
    )
}

/// Reads the epoch, `(S? Epoch)?`.
#[inline(never)]
fn read_epoch(cursor: &mut Cursor<'_>) -> Span {
    let mut ahead = *cursor;
    ahead.skip_space();
    let place = ahead.read_word_span();
    if !is_epoch(place.of(cursor.text())) {
        return Span::default();
    }
    *cursor = ahead;
    place
}

/// Returns whether a word matches the production `Epoch` and is not reserved (ELF Dates *Epochs*).
fn is_epoch(word: &str) -> bool {
    if let Some(rest) = word.strip_prefix('$') {
        return !rest.is_empty();
    }
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '.' | '_');
    let Some(rest) = word.strip_prefix(|c: char| c.is_ascii_uppercase()) else { return false };
    let two_letters = rest.len() == 1 && rest.bytes().all(|octet| octet.is_ascii_uppercase());
    let initials = rest.contains(['.', '_']) && rest.chars().all(fits);
    (two_letters || initials) && !matches!(word, "TO" | "AT")
}

fn ends_in_month(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    if !cursor.read_number().is_empty() && !cursor.skip_space() {
        return false;
    }
    let word = cursor.read_word();
    cursor.is_done() && Calendar::ALL.into_iter().any(|calendar| calendar.month(word).is_some())
}

#[cold]
fn missing_year_at_cursor(cursor: &Cursor<'_>, month: Span) -> Malformed {
    match month.is_empty() {
        true if ends_in_month(cursor.rest()) => missing_year_at_end(cursor.text()),
        true => unexpected_word(cursor, "a date"),
        false => unexpected_word(cursor, "a year"),
    }
}

pub(super) fn missing_year_at_end(text: &str) -> Malformed {
    Malformed::new(text, span(text.len(), text.len()), "a year after the month")
}

#[cold]
pub(super) fn unexpected_word(cursor: &Cursor<'_>, expected: &'static str) -> Malformed {
    let mut ahead = *cursor;
    let start = ahead.position();
    let word = ahead.read_word();
    if word.is_empty() && !ahead.is_done() {
        ahead.read_while(is_space);
    }
    Malformed::new(cursor.text(), ahead.span_from(start), expected)
}
