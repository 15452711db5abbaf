#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! | module | draws |
//! | --- | --- |
//! | [`findings`] | the findings of files in each format, with summaries |
//! | [`human`] | a finding with its line and a caret |
//! | [`code`] | the manual pages of codes |
//! | [`json`] | findings, events and summaries as JSON Lines |
//! | [`lines`], [`tree`] | the lines and the structures of a file |
//! | [`value`], [`age_and_time`] | values of payloads: dates, ages, times |
//! | [`schema`], [`why`] | schemas, and why a tag has its type |
//! | [`meaning`] | differences in the content of two files |
//! | [`diff`] | lines that change |
//! | [`pictures`] | family trees and type graphs |
//! | [`people`] | lists of persons, and how two are related |
//! | [`page`] | the HTML report on one or many files |
//! | [`progress`] | a line on the progress of long work |

#![forbid(unsafe_code)]

pub mod age_and_time;
pub mod code;
mod columns;
pub mod diff;
pub mod findings;
pub mod human;
pub mod json;
pub mod lines;
pub mod meaning;
pub mod page;
pub mod people;
pub mod pictures;
pub mod progress;
mod sanitise;
pub mod schema;
pub mod tag;
pub mod tree;
pub mod value;
pub mod vendor;
pub mod why;

pub use {elf_check, elf_extract, elf_lineage, elf_model};

pub use sanitise::sanitise;

/// Returns `number` with a comma after every three digits.
///
/// ```
/// assert_eq!(elf_report::grouped(24911), "24,911");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns `number` of what `noun` names in the singular, such as `1 line`, `24,911 lines`.
///
/// ```
/// assert_eq!(elf_report::counted(2, "record"), "2 records");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "person") => format!("{} people", grouped(number)),
        (_, _) => format!("{} {noun}s", grouped(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn numbers_are_grouped_by_three() {
        let texts = [0, 7, 999, 1000, 24911, 123_456_789].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "24,911", "123,456,789"]);
        let texts = [0, 1, 2].map(|number| counted(number, "line"));
        assert_eq!(texts, ["0 lines", "1 line", "2 lines"]);
        let texts = [1, 1000].map(|number| counted(number, "person"));
        assert_eq!(texts, ["1 person", "1,000 people"]);
    }
}
