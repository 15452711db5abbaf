//! The forms of a date: approximated, interpreted, a range, a period (ELF Dates *Date modifiers*).

use super::days::{Days, Relation};
use super::single::{Date, expected_word};
use crate::problem::Malformed;
use crate::scan::{Cursor, owned};
use std::borrow::Cow;
use std::fmt;

/// A payload of the datatype `elf:DateValue`: a date of history.
///
/// Two values are equal if their form and their parts are, whatever their spelling.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateValue<'t> {
    form: DateForm<'t>,
}

/// The form of a [`DateValue`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DateForm<'t> {
    /// A date with nothing before it.
    Exact(Date<'t>),
    /// `ABT`, `CAL` or `EST` and a date.
    Approximated(Approximation, Date<'t>),
    /// `INT`, a date, and the words that it interprets, without their parentheses.
    Interpreted(Date<'t>, Cow<'t, str>),
    /// Words without a date, without their parentheses.
    Phrase(Cow<'t, str>),
    /// `BEF`: on that date or before.
    Before(Date<'t>),
    /// `AFT`: on that date or after.
    After(Date<'t>),
    /// `BET … AND …`: on one of the two dates or between.
    Between(Date<'t>, Date<'t>),
    /// `FROM`: a state that lasted from that date, nobody knows until when.
    From(Date<'t>),
    /// `TO`: a state that lasted until that date, nobody knows from when.
    To(Date<'t>),
    /// `FROM … TO …`: a state that lasted all that time.
    FromTo(Date<'t>, Date<'t>),
}

/// The ways to say that a date is not exact (ELF Dates *Approximated dates*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Approximation {
    /// `ABT`: roughly correct by the evidence.
    About,
    /// `CAL`: calculated from other values, such as an age.
    Calculated,
    /// `EST`: estimated by likelihoods or customs.
    Estimated,
}

impl<'t> DateValue<'t> {
    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// [`Malformed`] with the first place outside the production `DateValue`. Such a payload is no date, and
    /// still data: nothing here says that it may be dropped. A date that is in the grammar and does not exist
    /// is no error; see [`Date::fault`].
    pub fn parse(text: &'t str) -> Result<DateValue<'t>, Malformed> {
        let mut cursor = Cursor::new(text);
        let form = read_form(text, &mut cursor)?;
        if !cursor.is_done() {
            return Err(unread(text, &cursor, &form));
        }
        Ok(DateValue { form })
    }

    /// Makes the value own its text, so that it outlives the payload.
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
        let form = match self.form {
            DateForm::Exact(date) => DateForm::Exact(date.into_owned()),
            DateForm::Approximated(how, date) => DateForm::Approximated(how, date.into_owned()),
            DateForm::Interpreted(date, phrase) => DateForm::Interpreted(date.into_owned(), owned(phrase)),
            DateForm::Phrase(phrase) => DateForm::Phrase(owned(phrase)),
            DateForm::Before(date) => DateForm::Before(date.into_owned()),
            DateForm::After(date) => DateForm::After(date.into_owned()),
            DateForm::Between(first, second) => DateForm::Between(first.into_owned(), second.into_owned()),
            DateForm::From(date) => DateForm::From(date.into_owned()),
            DateForm::To(date) => DateForm::To(date.into_owned()),
            DateForm::FromTo(first, second) => DateForm::FromTo(first.into_owned(), second.into_owned()),
        };
        DateValue { form }
    }

    /// The form, with its dates.
    pub const fn form(&self) -> &DateForm<'t> {
        &self.form
    }

    /// The first date, or the only one; `None` of a phrase alone.
    pub const fn first(&self) -> Option<&Date<'t>> {
        match &self.form {
            DateForm::Exact(date)
            | DateForm::Approximated(_, date)
            | DateForm::Interpreted(date, _)
            | DateForm::Before(date)
            | DateForm::After(date)
            | DateForm::Between(date, _)
            | DateForm::From(date)
            | DateForm::To(date)
            | DateForm::FromTo(date, _) => Some(date),
            DateForm::Phrase(_) => None,
        }
    }

    /// The second date of a range or a period.
    pub const fn second(&self) -> Option<&Date<'t>> {
        match &self.form {
            DateForm::Between(_, date) | DateForm::FromTo(_, date) => Some(date),
            DateForm::Exact(_)
            | DateForm::Approximated(..)
            | DateForm::Interpreted(..)
            | DateForm::Phrase(_)
            | DateForm::Before(_)
            | DateForm::After(_)
            | DateForm::From(_)
            | DateForm::To(_) => None,
        }
    }

    /// All dates, in the order of the text.
    pub fn dates(&self) -> impl Iterator<Item = &Date<'t>> {
        self.first().into_iter().chain(self.second())
    }

    /// The words of a date phrase, without parentheses.
    pub fn phrase(&self) -> Option<&str> {
        match &self.form {
            DateForm::Interpreted(_, phrase) | DateForm::Phrase(phrase) => Some(phrase),
            DateForm::Exact(_)
            | DateForm::Approximated(..)
            | DateForm::Before(_)
            | DateForm::After(_)
            | DateForm::Between(..)
            | DateForm::From(_)
            | DateForm::To(_)
            | DateForm::FromTo(..) => None,
        }
    }

    /// Tells if the value is a period: a state that lasted, rather than an event on a day that is not known
    /// exactly.
    pub const fn is_period(&self) -> bool {
        matches!(self.form, DateForm::From(_) | DateForm::To(_) | DateForm::FromTo(..))
    }

    /// The days that the value may mean, closed on both ends; of an approximated date those of the date
    /// stated.
    pub fn days(&self) -> Days {
        Days::of_value(self)
    }

    /// Tells if the second date is certainly before the first: no choice of days within both would put that
    /// right (ELF Dates *Date ranges*: the first must not be later).
    pub fn is_reversed(&self) -> bool {
        match (self.first(), self.second()) {
            (Some(first), Some(second)) => {
                Days::of_date(second).relation(Days::of_date(first)) == Relation::Before
            }
            _ => false,
        }
    }
}

/// Any of the forms, up to where its grammar ends.
fn read_form<'t>(text: &'t str, cursor: &mut Cursor<'t>) -> Result<DateForm<'t>, Malformed> {
    if cursor.peek() == Some(b'(') {
        return read_phrase(text, cursor).map(DateForm::Phrase);
    }
    let word = cursor.next_word();
    let approximation = match word {
        "ABT" => Some(Approximation::About),
        "CAL" => Some(Approximation::Calculated),
        "EST" => Some(Approximation::Estimated),
        _ => None,
    };
    if let Some(approximation) = approximation {
        return Ok(DateForm::Approximated(approximation, read_behind(text, cursor, word)?));
    }
    match word {
        "BEF" => read_behind(text, cursor, word).map(DateForm::Before),
        "AFT" => read_behind(text, cursor, word).map(DateForm::After),
        "TO" => read_behind(text, cursor, word).map(DateForm::To),
        "BET" => {
            let first = read_behind(text, cursor, word)?;
            if !comes_after_space(cursor, "AND") {
                return Err(unread_as(text, cursor, "`AND` and a second date"));
            }
            Ok(DateForm::Between(first, read_behind(text, cursor, "AND")?))
        }
        "FROM" => {
            let first = read_behind(text, cursor, word)?;
            if !comes_after_space(cursor, "TO") {
                return Ok(DateForm::From(first));
            }
            Ok(DateForm::FromTo(first, read_behind(text, cursor, "TO")?))
        }
        "INT" => {
            let date = read_behind(text, cursor, word)?;
            let mut ahead = *cursor;
            if !ahead.space() || ahead.peek() != Some(b'(') {
                return Err(unread_as(text, cursor, "a date phrase in parentheses"));
            }
            *cursor = ahead;
            Ok(DateForm::Interpreted(date, read_phrase(text, cursor)?))
        }
        _ => Date::read(text, cursor).map(DateForm::Exact),
    }
}

/// `keyword S Date`; the keyword is known to come next.
fn read_behind<'t>(text: &'t str, cursor: &mut Cursor<'t>, keyword: &str) -> Result<Date<'t>, Malformed> {
    cursor.literal(keyword);
    if !cursor.space() {
        return Err(expected_word(text, cursor, "a blank and a date"));
    }
    Date::read(text, cursor)
}

/// Moves the cursor behind whitespace if `keyword` is the word that follows.
fn comes_after_space(cursor: &mut Cursor<'_>, keyword: &str) -> bool {
    let mut ahead = *cursor;
    let comes = ahead.space() && ahead.next_word() == keyword;
    if comes {
        *cursor = ahead;
    }
    comes
}

/// `"(" DatePhrase ")"`
fn read_phrase<'t>(text: &'t str, cursor: &mut Cursor<'t>) -> Result<Cow<'t, str>, Malformed> {
    cursor.literal("(");
    let phrase = cursor.take_while(|c| !matches!(c, '(' | ')' | '\n' | '\r'));
    if !cursor.literal(")") {
        return Err(expected_word(text, cursor, "`)` at the end of the date phrase"));
    }
    Ok(Cow::Borrowed(phrase))
}

/// The fault of text behind a value; behind a number alone it may be a month.
fn unread(text: &str, cursor: &Cursor<'_>, form: &DateForm<'_>) -> Malformed {
    let is_number = matches!(form, DateForm::Exact(date) if date.month().is_none() && date.epoch().is_none());
    let expected =
        if is_number { "a month such as `JAN`, or nothing more" } else { "nothing behind the date" };
    unread_as(text, cursor, expected)
}

fn unread_as(text: &str, cursor: &Cursor<'_>, expected: &'static str) -> Malformed {
    let mut ahead = *cursor;
    ahead.space();
    if ahead.is_done() {
        expected_word(text, cursor, expected)
    } else {
        expected_word(text, &ahead, expected)
    }
}

impl fmt::Display for Approximation {
    /// Writes the keyword.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Approximation::About => "ABT",
            Approximation::Calculated => "CAL",
            Approximation::Estimated => "EST",
        })
    }
}

impl fmt::Display for DateValue<'_> {
    /// Writes the canonical spelling; it is read as an equal value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
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
    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// [`Malformed`] with the first place outside the production `DatePeriod`.
    pub fn parse(text: &'t str) -> Result<DatePeriod<'t>, Malformed> {
        let cursor = Cursor::new(text);
        if !matches!(cursor.next_word(), "FROM" | "TO") {
            return Err(expected_word(text, &cursor, "`FROM` or `TO`"));
        }
        DateValue::parse(text).map(DatePeriod)
    }

    /// Makes the period own its text.
    pub fn into_owned(self) -> DatePeriod<'static> {
        DatePeriod(self.0.into_owned())
    }

    /// The period as a date value.
    pub const fn value(&self) -> &DateValue<'t> {
        &self.0
    }
}

impl fmt::Display for DatePeriod<'_> {
    /// Writes the canonical spelling.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
