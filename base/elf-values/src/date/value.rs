//! The forms of a date: an exact or approximated date, an interpreted phrase, a range or a period (ELF Dates *Date
//! modifiers*).

use super::single::{Date, PartSpans, missing_year_at_end, unexpected_word};
use crate::calendar::Calendar;
use crate::problem::Malformed;
use crate::scan::{Cursor, into_owned_text};
use elf_base::Span;
use std::borrow::Cow;
use std::fmt;

/// A payload of the datatype `elf:DateValue`: the date of an event.
///
/// Two values are equal if their form and their dates are equal. Spelling does not matter.
///
/// ```
/// use elf_values::{DateForm, DateValue};
///
/// let value = DateValue::parse("ABT @#DJULIAN@ 3 MAR 1701/02")?;
/// let days = value.days();
/// assert_eq!(days.earliest.day(), Some(2_342_775));
/// assert!(matches!(value.form(), DateForm::Approximated(..)));
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Debug)]
pub struct DateValue<'t> {
    text: Cow<'t, str>,
    form: Form,
}

/// The form of a value, with the spans of its parts in the payload.
#[derive(Clone, Copy, Debug)]
enum Form {
    Exact(PartSpans),
    Approximated(Approximation, PartSpans),
    Interpreted(PartSpans, Span),
    Phrase(Span),
    Before(PartSpans),
    After(PartSpans),
    Between(PartSpans, PartSpans),
    From(PartSpans),
    To(PartSpans),
    FromTo(PartSpans, PartSpans),
}

/// The form of a [`DateValue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateForm<'t> {
    /// A date without a keyword.
    Exact(Date<'t>),
    /// `ABT`, `CAL` or `EST` and a date.
    Approximated(Approximation, Date<'t>),
    /// `INT`, a date, and the phrase that the date interprets. The parentheses are not included.
    Interpreted(Date<'t>, &'t str),
    /// A phrase without a date. The parentheses are not included.
    Phrase(&'t str),
    /// `BEF`: the event was on this date or before it.
    Before(Date<'t>),
    /// `AFT`: the event was on this date or after it.
    After(Date<'t>),
    /// `BET … AND …`: the event was on one of the two dates, or on a day between them.
    Between(Date<'t>, Date<'t>),
    /// `FROM`: a state that started on this date and whose end is unknown.
    From(Date<'t>),
    /// `TO`: a state that ended on this date and whose start is unknown.
    To(Date<'t>),
    /// `FROM … TO …`: a state with a known start and end.
    FromTo(Date<'t>, Date<'t>),
}

impl DateForm<'_> {
    /// Returns the name of the form in JSON and in Python: `exact`, `approximated`, `between`, `from-to` and so on.
    ///
    /// ```
    /// use elf_values::DateValue;
    ///
    /// assert!(DateValue::parse("BEF 1850").is_ok_and(|date| date.form().name() == "before"));
    /// ```
    pub const fn name(&self) -> &'static str {
        match self {
            DateForm::Exact(_) => "exact",
            DateForm::Approximated(..) => "approximated",
            DateForm::Interpreted(..) => "interpreted",
            DateForm::Phrase(_) => "phrase",
            DateForm::Before(_) => "before",
            DateForm::After(_) => "after",
            DateForm::Between(..) => "between",
            DateForm::From(_) => "from",
            DateForm::To(_) => "to",
            DateForm::FromTo(..) => "from-to",
        }
    }
}

/// The reason why a date is not exact (ELF Dates *Approximated dates*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Approximation {
    /// `ABT`: approximately, according to the evidence.
    About,
    /// `CAL`: calculated from other values, such as an age.
    Calculated,
    /// `EST`: estimated from probabilities or customs.
    Estimated,
}

impl<'t> DateValue<'t> {
    /// Parses a payload.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place that does not match the production `DateValue`. Do not discard such a
    /// payload. A date that matches the grammar but does not exist is not an error here; see [`Date::fault`].
    pub fn parse(text: &'t str) -> Result<DateValue<'t>, Malformed> {
        let mut cursor = Cursor::new(text);
        let form = read_form(&mut cursor)?;
        if !cursor.is_done() {
            return Err(text_after_value_error(&cursor, form));
        }
        Ok(DateValue { text: Cow::Borrowed(text), form })
    }

    /// Copies the text, so that the result borrows nothing.
    ///
    /// ```
    /// use elf_values::DateValue;
    ///
    /// fn read(payload: String) -> Option<DateValue<'static>> {
    ///     DateValue::parse(&payload).ok().map(DateValue::into_owned)
    /// }
    /// assert_eq!(read("INT 1900 (the turn of the century)".to_owned()).expect("a date").to_string().len(), 34);
    /// ```
    pub fn into_owned(self) -> DateValue<'static> {
        DateValue { text: into_owned_text(self.text), form: self.form }
    }

    /// Returns the form with its dates.
    pub fn form(&self) -> DateForm<'_> {
        let date = |places| Date::from_spans(&self.text, places);
        match self.form {
            Form::Exact(places) => DateForm::Exact(date(places)),
            Form::Approximated(how, places) => DateForm::Approximated(how, date(places)),
            Form::Interpreted(places, phrase) => DateForm::Interpreted(date(places), phrase.of(&self.text)),
            Form::Phrase(phrase) => DateForm::Phrase(phrase.of(&self.text)),
            Form::Before(places) => DateForm::Before(date(places)),
            Form::After(places) => DateForm::After(date(places)),
            Form::Between(first, second) => DateForm::Between(date(first), date(second)),
            Form::From(places) => DateForm::From(date(places)),
            Form::To(places) => DateForm::To(date(places)),
            Form::FromTo(first, second) => DateForm::FromTo(date(first), date(second)),
        }
    }

    /// Returns the first or only date; `None` for a phrase without a date.
    pub fn first(&self) -> Option<Date<'_>> {
        self.form.first().map(|places| Date::from_spans(&self.text, places))
    }

    /// Returns the second date of a range or a period.
    pub fn second(&self) -> Option<Date<'_>> {
        self.form.second().map(|places| Date::from_spans(&self.text, places))
    }

    /// Returns all dates, in the order of the text.
    pub fn dates(&self) -> impl Iterator<Item = Date<'_>> {
        self.first().into_iter().chain(self.second())
    }

    /// Returns the date phrase without parentheses.
    pub fn phrase(&self) -> Option<&str> {
        match self.form {
            Form::Interpreted(_, phrase) | Form::Phrase(phrase) => Some(phrase.of(&self.text)),
            Form::Exact(_)
            | Form::Approximated(..)
            | Form::Before(_)
            | Form::After(_)
            | Form::Between(..)
            | Form::From(_)
            | Form::To(_)
            | Form::FromTo(..) => None,
        }
    }

    /// Returns whether one of the dates [has a doubtful year](Date::has_doubtful_year).
    pub fn has_doubtful_year(&self) -> bool {
        self.dates().any(|date| date.has_doubtful_year())
    }

    /// Returns whether the value is a period (a state that lasted), not an event.
    pub const fn is_period(&self) -> bool {
        matches!(self.form, Form::From(_) | Form::To(_) | Form::FromTo(..))
    }

    /// Returns whether the two dates are in different calendars. Without an escape, a date is Gregorian, because the
    /// second date does not inherit the escape of the first (ELF Dates *Date ranges*).
    pub fn is_of_two_calendars(&self) -> bool {
        let (Some(first), Some(second)) = (self.first(), self.second()) else { return false };
        let gregorian = Calendar::Gregorian.name();
        first.escape().unwrap_or(gregorian) != second.escape().unwrap_or(gregorian)
    }
}

impl PartialEq for DateValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.form() == other.form()
    }
}

impl Eq for DateValue<'_> {}

impl Form {
    const fn first(self) -> Option<PartSpans> {
        match self {
            Form::Exact(places)
            | Form::Approximated(_, places)
            | Form::Interpreted(places, _)
            | Form::Before(places)
            | Form::After(places)
            | Form::Between(places, _)
            | Form::From(places)
            | Form::To(places)
            | Form::FromTo(places, _) => Some(places),
            Form::Phrase(_) => None,
        }
    }

    const fn second(self) -> Option<PartSpans> {
        match self {
            Form::Between(_, places) | Form::FromTo(_, places) => Some(places),
            Form::Exact(_)
            | Form::Approximated(..)
            | Form::Interpreted(..)
            | Form::Phrase(_)
            | Form::Before(_)
            | Form::After(_)
            | Form::From(_)
            | Form::To(_) => None,
        }
    }
}

fn read_form(cursor: &mut Cursor<'_>) -> Result<Form, Malformed> {
    let form = match cursor.peek() {
        Some(b'A'..=b'Z') => read_modified(cursor)?,
        Some(b'(') => Some(Form::Phrase(read_phrase(cursor)?)),
        _ => None,
    };
    match form {
        Some(form) => Ok(form),
        None => PartSpans::read(cursor).map(Form::Exact),
    }
}

/// Reads `DateApprox | DateInterp | DateRange | DatePeriod`. Returns `None` if the text does not start with a keyword.
#[inline(never)]
fn read_modified(cursor: &mut Cursor<'_>) -> Result<Option<Form>, Malformed> {
    let start = *cursor;
    let form = match cursor.read_word_octets() {
        b"ABT" => Form::Approximated(Approximation::About, read_date_after_keyword(cursor)?),
        b"CAL" => Form::Approximated(Approximation::Calculated, read_date_after_keyword(cursor)?),
        b"EST" => Form::Approximated(Approximation::Estimated, read_date_after_keyword(cursor)?),
        b"BEF" => Form::Before(read_date_after_keyword(cursor)?),
        b"AFT" => Form::After(read_date_after_keyword(cursor)?),
        b"TO" => Form::To(read_date_after_keyword(cursor)?),
        b"BET" => {
            let first = read_date_after_keyword(cursor)?;
            if !skip_keyword(cursor, b"AND") {
                return Err(text_after_date_error(cursor, first, "`AND` and a second date"));
            }
            Form::Between(first, read_date_after_keyword(cursor)?)
        }
        b"FROM" => {
            let first = read_date_after_keyword(cursor)?;
            if skip_keyword(cursor, b"TO") {
                Form::FromTo(first, read_date_after_keyword(cursor)?)
            } else {
                Form::From(first)
            }
        }
        b"INT" => {
            let date = read_date_after_keyword(cursor)?;
            let mut ahead = *cursor;
            if !ahead.skip_space() || ahead.peek() != Some(b'(') {
                return Err(text_after_date_error(cursor, date, "a date phrase in parentheses"));
            }
            *cursor = ahead;
            Form::Interpreted(date, read_phrase(cursor)?)
        }
        _ => {
            *cursor = start;
            return Ok(None);
        }
    };
    Ok(Some(form))
}

/// Reads the date that follows a keyword, `S Date`.
#[inline(never)]
fn read_date_after_keyword(cursor: &mut Cursor<'_>) -> Result<PartSpans, Malformed> {
    if !cursor.skip_space() {
        return Err(unexpected_word(cursor, "a space and a date"));
    }
    PartSpans::read(cursor)
}

/// Skips `S keyword`, or nothing if the text does not match. Returns whether the keyword was found.
fn skip_keyword(cursor: &mut Cursor<'_>, keyword: &[u8]) -> bool {
    let mut ahead = *cursor;
    let comes = ahead.skip_space() && ahead.read_word_octets() == keyword;
    if comes {
        *cursor = ahead;
    }
    comes
}

/// Reads a phrase in parentheses, `"(" DatePhrase ")"`.
fn read_phrase(cursor: &mut Cursor<'_>) -> Result<Span, Malformed> {
    cursor.skip_octet(b'(');
    let start = cursor.position();
    cursor.read_while(|c| !matches!(c, '(' | ')' | '\n' | '\r'));
    let phrase = cursor.span_from(start);
    if !cursor.skip_octet(b')') {
        return Err(unexpected_word(cursor, "`)` at the end of the date phrase"));
    }
    Ok(phrase)
}

/// Makes the error about text that follows a value. If a number comes before the text, the text may be meant as a
/// month.
#[cold]
fn text_after_value_error(cursor: &Cursor<'_>, form: Form) -> Malformed {
    let is_number = matches!(form, Form::Exact(date) if date.is_year_alone());
    let expected = if is_number { "a month such as `JAN`" } else { "nothing after the date" };
    let date = form.second().or_else(|| form.first()).unwrap_or_default();
    text_after_date_error(cursor, date, expected)
}

/// Makes the error that `expected` is missing after a date, or that the number of the date is a day without a month.
#[cold]
fn text_after_date_error(cursor: &Cursor<'_>, date: PartSpans, expected: &'static str) -> Malformed {
    if date.ends_in_month(cursor.text()) {
        return missing_year_at_end(cursor.text());
    }
    let mut ahead = *cursor;
    ahead.skip_space();
    if ahead.is_done() { unexpected_word(cursor, expected) } else { unexpected_word(&ahead, expected) }
}

impl fmt::Display for Approximation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Approximation::About => "ABT",
            Approximation::Calculated => "CAL",
            Approximation::Estimated => "EST",
        })
    }
}

impl fmt::Display for DateValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form() {
            DateForm::Exact(date) => write!(f, "{date}"),
            DateForm::Approximated(approximation, date) => write!(f, "{approximation} {date}"),
            DateForm::Interpreted(date, phrase) => write!(f, "INT {date} ({phrase})"),
            DateForm::Phrase(phrase) => write!(f, "({phrase})"),
            DateForm::Before(date) => write!(f, "BEF {date}"),
            DateForm::After(date) => write!(f, "AFT {date}"),
            DateForm::Between(first, second) => write!(f, "BET {first} AND {second}"),
            DateForm::From(date) => write!(f, "FROM {date}"),
            DateForm::To(date) => write!(f, "TO {date}"),
            DateForm::FromTo(first, second) => write!(f, "FROM {first} TO {second}"),
        }
    }
}

/// A payload of the datatype `elf:DatePeriod`: a [`DateValue`] that is a period.
///
/// ```
/// use elf_values::DatePeriod;
///
/// assert!(DatePeriod::parse("FROM 1861 TO 1865").is_ok());
/// assert!(DatePeriod::parse("1861").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatePeriod<'t>(DateValue<'t>);

impl<'t> DatePeriod<'t> {
    /// Parses a payload.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place that does not match the production `DatePeriod`.
    pub fn parse(text: &'t str) -> Result<DatePeriod<'t>, Malformed> {
        let cursor = Cursor::new(text);
        match DateValue::parse(text) {
            Ok(value) if value.is_period() => Ok(DatePeriod(value)),
            Err(fault) if matches!(cursor.peek_word(), "FROM" | "TO") => Err(fault),
            Ok(_) | Err(_) => Err(unexpected_word(&cursor, "`FROM` or `TO`")),
        }
    }

    /// Copies the text, so that the result borrows nothing.
    pub fn into_owned(self) -> DatePeriod<'static> {
        DatePeriod(self.0.into_owned())
    }

    /// Returns the period as a date value.
    pub const fn value(&self) -> &DateValue<'t> {
        &self.0
    }
}

impl fmt::Display for DatePeriod<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
