//! Historical dates as Python objects.

use crate::errors::{date_class, wrong_argument};
use crate::source::named_rules;
use elf_base::Rules;
use elf_values::{Approximation, Bound, Calendar, CalendarDay, CalendarName, DateForm, DateValue};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A historical date, in any calendar.
#[pyclass(frozen, eq, module = "elf_gedcom", name = "Date")]
pub(crate) struct HistoricalDate {
    text: String,
    value: DateValue<'static>,
}

/// A day, month or year of a date.
#[pyclass(frozen, get_all, module = "elf_gedcom", name = "DatePart")]
pub(crate) struct DatePart {
    /// The name of the calendar in its escape. `None` if the calendar is unknown.
    calendar: Option<String>,
    day: Option<i64>,
    /// The number of the month in its calendar, from 1.
    month: Option<u8>,
    month_name: Option<String>,
    /// The year in modern reckoning.
    year: Option<i64>,
    /// The year as people counted it then: the first one of `1648/49`.
    historical_year: Option<i64>,
    epoch: Option<String>,
    text: String,
}

/// Dates with the same meaning are equal, however they are written.
impl PartialEq for HistoricalDate {
    fn eq(&self, other: &HistoricalDate) -> bool {
        self.value == other.value
    }
}

impl HistoricalDate {
    pub(crate) fn new(text: String, value: DateValue<'_>) -> HistoricalDate {
        HistoricalDate { text, value: value.into_owned() }
    }
}

#[pymethods]
impl HistoricalDate {
    /// The text in the file.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The canonical spelling, which is the same for equal dates.
    #[getter]
    fn canonical(&self) -> String {
        self.value.to_string()
    }

    #[getter]
    fn edtf(&self) -> Option<String> {
        self.value.edtf()
    }

    #[getter]
    fn form(&self) -> &'static str {
        self.value.form().name()
    }

    #[getter]
    fn approximation(&self) -> Option<&'static str> {
        match self.value.form() {
            DateForm::Approximated(Approximation::About, _) => Some("about"),
            DateForm::Approximated(Approximation::Calculated, _) => Some("calculated"),
            DateForm::Approximated(Approximation::Estimated, _) => Some("estimated"),
            _ => None,
        }
    }

    #[getter]
    fn phrase(&self) -> Option<&str> {
        self.value.phrase()
    }

    #[getter]
    fn is_period(&self) -> bool {
        self.value.is_period()
    }

    #[getter]
    fn earliest_day(&self) -> Option<i64> {
        self.value.days().earliest.day()
    }

    #[getter]
    fn latest_day(&self) -> Option<i64> {
        self.value.days().latest.day()
    }

    #[getter]
    fn earliest<'py>(&self, py: Python<'py>) -> PyResult<Option<PythonDate<'py>>> {
        python_date(py, self.value.days().earliest)
    }

    #[getter]
    fn latest<'py>(&self, py: Python<'py>) -> PyResult<Option<PythonDate<'py>>> {
        python_date(py, self.value.days().latest)
    }

    #[getter]
    fn first(&self) -> Option<DatePart> {
        self.value.first().map(|date| DatePart::of(&date))
    }

    #[getter]
    fn second(&self) -> Option<DatePart> {
        self.value.second().map(|date| DatePart::of(&date))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Date({:?})", self.text)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.value.to_string().hash(&mut hasher);
        hasher.finish()
    }
}

/// A `datetime.date`.
type PythonDate<'py> = pyo3::Bound<'py, PyAny>;

/// Converts a bound to a `datetime.date`. `None` outside the years 1 to 9999.
fn python_date(py: Python<'_>, bound: Bound) -> PyResult<Option<PythonDate<'_>>> {
    let day = bound.day().and_then(|day| Calendar::Gregorian.day(day));
    match day.filter(|day| (1..=9999).contains(&day.year)) {
        Some(day) => Ok(Some(date_class(py)?.call1((day.year, day.month, day.day))?)),
        None => Ok(None),
    }
}

impl DatePart {
    fn of(date: &elf_values::Date<'_>) -> DatePart {
        let calendar = match date.calendar() {
            CalendarName::Known(calendar) => Some(calendar.name().to_owned()),
            CalendarName::Unfamiliar(name) => Some(name.to_owned()),
            CalendarName::Unknown => None,
        };
        let known = calendar.as_deref().and_then(Calendar::named);
        let year = date.year();
        DatePart {
            day: date.day().and_then(|day| day.to_i64()),
            month: date.month().zip(known).and_then(|(name, calendar)| calendar.month(name)),
            month_name: date.month().map(str::to_owned),
            year: year.logical().to_i64(),
            historical_year: year.historical().to_i64(),
            epoch: date.epoch().map(str::to_owned),
            text: date.to_string(),
            calendar,
        }
    }
}

#[pymethods]
impl DatePart {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("DatePart({:?})", self.text)
    }
}

/// Parses a date as written in a file. `None` if the text is not a date.
#[pyfunction]
#[pyo3(signature = (text, *, rules=None))]
pub(crate) fn parse_date(text: String, rules: Option<&str>) -> PyResult<Option<HistoricalDate>> {
    let rules = rules.map(named_rules).transpose()?.unwrap_or(&Rules::WILD);
    let value = DateValue::parse_lenient(&text, rules.schema.dates).map(DateValue::into_owned);
    Ok(value.map(|value| HistoricalDate { text, value }))
}

/// The Julian day number of the day in the argument `today`, or of the current day.
pub(crate) fn today(argument: Option<&pyo3::Bound<'_, PyAny>>, py: Python<'_>) -> PyResult<i64> {
    let today = match argument {
        Some(day) => day.clone(),
        None => date_class(py)?.call_method0("today")?,
    };
    if !today.is_instance(date_class(py)?.as_any())? {
        return Err(PyTypeError::new_err("expected a datetime.date as `today`"));
    }
    let number = |name: &str| today.getattr(name)?.extract::<u16>();
    let small = |name: &str| today.getattr(name)?.extract::<u8>();
    let day = CalendarDay { year: number("year")?.into(), month: small("month")?, day: small("day")? };
    Calendar::Gregorian.day_number(day).ok_or_else(|| wrong_argument("expected a date"))
}
