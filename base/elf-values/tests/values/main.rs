//! Values from outside: dates in their calendars, languages, and what is in real files.

mod calendars;
mod found;
mod halves;
mod languages;
mod laws;
mod wild;
