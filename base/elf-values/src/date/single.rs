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
//! Reserved words are neither months nor epochs: by the letter of the productions `BET 1900` would be the
//! year 1900 in a month called `BET`.
//!
//! Reading finds the places of the parts, and nothing else; a part is made a number or a name when it is
//! asked for.

use super::year::Year;
use crate::Integer;
use crate::calendar::Calendar;
use crate::problem::Malformed;
use crate::scan::{Cursor, Number, is_space, span};
use elf_base::Span;

/// A single date in any calendar. Day and month may be missing.
///
/// Two dates are equal if their parts are, whatever their spelling: leading zeros, blanks, `BC` or `B.C.`, an
/// escape or an epoch name that says what holds without it.
#[derive(Clone, Copy, Debug)]
pub struct Date<'t> {
    text: &'t str,
    places: Places,
}

/// The places of the parts of a date in its payload; one that is not written is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
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
    /// `@#DUNKNOWN@`, or no escape if the Gregorian calendar does not have the date. Two such dates may be in
    /// different calendars.
    Unknown,
}

impl Places {
    /// Reads a date where the cursor stands and leaves the cursor after it.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Places, Malformed> {
        let escape = match cursor.peek() {
            Some(b'@') => read_escape(cursor)?,
            _ => Span::default(),
        };
        let (day, month) = read_day_and_month(cursor);
        let Some(year) = Year::read(cursor) else { return Err(no_year(cursor, month)) };
        let epoch = if cursor.is_done() { Span::default() } else { read_epoch(cursor) };
        Ok(Places { escape, day, month, year, epoch })
    }

    /// Returns whether it is a year alone, whatever calendar it is of.
    pub(super) const fn is_number(&self) -> bool {
        self.month.is_empty() && self.epoch.is_empty()
    }

    /// Returns whether what stands from its number to the end of the text is a day and a month that a calendar has,
    /// or a month alone: a date that lacks its year.
    pub(super) fn ends_in_month(&self, text: &str) -> bool {
        self.month.is_empty() && ends_in_month(&text[self.year.place.start as usize..])
    }
}

impl<'t> Date<'t> {
    /// The date at these places of a payload.
    pub(super) const fn at(text: &'t str, places: Places) -> Date<'t> {
        Date { text, places }
    }

    /// Returns the range of bytes of the date in the payload, including its calendar escape.
    pub const fn span(&self) -> Span {
        let Places { escape, day, month, year, epoch } = self.places;
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
        self.part(self.places.escape)?.strip_prefix("@#D")?.strip_suffix('@')
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
        self.part(self.places.month)
    }

    /// Returns the year.
    pub fn year(&self) -> Year<'t> {
        Year::of(self.places.year, self.text)
    }

    /// Returns the epoch as written, such as `BC`, if there is one.
    pub fn epoch(&self) -> Option<&'t str> {
        self.part(self.places.epoch)
    }

    /// Returns the epoch with its full stops if the calendar has it: `B.C.` for `BC` (ELF Dates *Epochs*).
    ///
    /// Other names of two letters stay as they are. The standard would have `IF` written `I.F.`, but real
    /// files have such codes of temples after dates.
    pub fn epoch_name(&self) -> Option<&'t str> {
        let written = self.epoch()?;
        let Some(calendar) = self.named_calendar() else { return Some(written) };
        Some(known_epoch(calendar, written).unwrap_or(written))
    }

    /// Returns whether the year is probably wrong: one or two digits may be a day or a year without its century, and
    /// five digits are one too many. A short year with an escape or an epoch is not doubtful.
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
            _ => !self.is_reversed(calendar),
        }
    }

    /// The year as it is written.
    pub(crate) fn written_year(&self) -> &'t str {
        self.year_place().of(self.text)
    }

    /// The place of the year in the payload.
    pub(crate) const fn year_place(&self) -> Span {
        self.places.year.place
    }

    /// Returns whether the date names no calendar, or the Gregorian one.
    pub(crate) fn is_named_gregorian(&self) -> bool {
        self.named_calendar() == Some(Calendar::Gregorian)
    }

    /// Returns whether the date has a dual year in the Hebrew calendar, which is allowed and not recommended (ELF
    /// Dates *The Hebrew calendar*).
    pub(crate) fn is_hebrew_and_dual(&self) -> bool {
        self.escape() == Some(Calendar::Hebrew.name()) && self.year().is_dual()
    }

    /// The calendar of the escape, if ELF Dates defines it; the Gregorian one where there is no escape.
    pub(super) fn named_calendar(&self) -> Option<Calendar> {
        match self.escape() {
            None => Some(Calendar::Gregorian),
            Some(name) => Calendar::named(name),
        }
    }

    /// Returns whether years are counted backwards.
    pub(crate) fn is_reversed(&self, calendar: Calendar) -> bool {
        self.epoch()
            .and_then(|epoch| known_epoch(calendar, epoch))
            .is_some_and(|epoch| Some(epoch) == calendar.reverse_epoch())
    }

    fn part(&self, place: Span) -> Option<&'t str> {
        (!place.is_empty()).then(|| place.of(self.text))
    }
}

/// The calendar's own epoch name that `written` is, with or without full stops.
pub(super) fn known_epoch(calendar: Calendar, written: &str) -> Option<&'static str> {
    [calendar.default_epoch(), calendar.reverse_epoch()].into_iter().flatten().find(|name| {
        *name == written || written.len() == 2 && name.chars().filter(|c| *c != '.').eq(written.chars())
    })
}

/// `(CalEsc S)?`
#[inline(never)]
fn read_escape(cursor: &mut Cursor<'_>) -> Result<Span, Malformed> {
    let mut ahead = *cursor;
    if !ahead.literal("@#D") {
        return Ok(Span::default());
    }
    let name = ahead.take_while(|c| c.is_ascii_uppercase() || c == ' ');
    let well_named = name.starts_with(|c: char| c.is_ascii_uppercase());
    if !well_named || !ahead.octet(b'@') {
        return Err(expected_word(cursor, "a calendar escape such as `@#DJULIAN@`"));
    }
    let place = ahead.since(cursor.at());
    if !ahead.space() {
        return Err(expected_word(&ahead, "a space after the calendar escape"));
    }
    *cursor = ahead;
    Ok(place)
}

/// `((Day S)? Month S)?`; digits that no month follows are left for the year.
#[inline]
fn read_day_and_month(cursor: &mut Cursor<'_>) -> (Number, Span) {
    let none = (Number::default(), Span::default());
    let mut ahead = *cursor;
    let day = ahead.number();
    if !day.is_empty() && !ahead.space() {
        return none;
    }
    let Some(month) = read_month(&mut ahead) else { return none };
    if !ahead.space() {
        return none;
    }
    *cursor = ahead;
    (day, month)
}

/// `Month`, unless it is reserved.
fn read_month(cursor: &mut Cursor<'_>) -> Option<Span> {
    let place = cursor.capitals_and_digits();
    let is_month = match cursor.octets_at(place) {
        [b'A'..=b'Z', _, _, ..] if is_reserved_month(cursor.octets_at(place)) => false,
        [b'A'..=b'Z', _, _, ..] => true,
        _ => false,
    };
    is_month.then_some(place)
}

/// Returns whether no calendar may use this word for a month (ELF Dates *Months*).
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

/// `(S? Epoch)?`
#[inline(never)]
fn read_epoch(cursor: &mut Cursor<'_>) -> Span {
    let mut ahead = *cursor;
    ahead.space();
    let place = ahead.word_place();
    if !is_epoch(place.of(cursor.text())) {
        return Span::default();
    }
    *cursor = ahead;
    place
}

/// Returns whether a word is in the production `Epoch` and not reserved (ELF Dates *Epochs*).
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

/// Returns whether a text is a month that a calendar has, perhaps with a day, and nothing else.
fn ends_in_month(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    if !cursor.number().is_empty() && !cursor.space() {
        return false;
    }
    let word = cursor.word();
    cursor.is_done() && Calendar::ALL.into_iter().any(|calendar| calendar.month(word).is_some())
}

/// The fault that a date has no year where the cursor stands.
#[cold]
fn no_year(cursor: &Cursor<'_>, month: Span) -> Malformed {
    match month.is_empty() {
        true if ends_in_month(cursor.rest()) => missing_year(cursor.text()),
        true => expected_word(cursor, "a date"),
        false => expected_word(cursor, "a year"),
    }
}

/// The fault that a text ends in a month.
pub(super) fn missing_year(text: &str) -> Malformed {
    Malformed::new(text, span(text.len(), text.len()), "a year after the month")
}

/// The fault that the next word is not what was expected.
#[cold]
pub(super) fn expected_word(cursor: &Cursor<'_>, expected: &'static str) -> Malformed {
    let mut ahead = *cursor;
    let start = ahead.at();
    let word = ahead.word();
    if word.is_empty() && !ahead.is_done() {
        ahead.take_while(is_space);
    }
    Malformed::new(cursor.text(), ahead.since(start), expected)
}
