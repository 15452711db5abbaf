//! Findings, structures, values, schemas and differences as text for people and as data for programs.
//!
//! Nothing here opens a file or looks at a terminal: whoever calls hands over a writer, and says how wide it
//! is and whether it shows colours. Text that comes from a file is neutralised ([`sanitise`]) wherever a
//! person reads it; in JSON it is kept as it is, escaped.
//!
//! | module | draws |
//! | --- | --- |
//! | [`findings`] | what is wrong with files, for people, `grep`, JSON, SARIF and GitHub |
//! | [`age_and_time`] | ages and times in words |
//! | [`human`] | a finding with its line and a caret |
//! | [`code`] | what codes of findings mean |
//! | [`json`] | findings and summaries, one object a line |
//! | [`tree`] | structures of a file |
//! | [`value`] | what payloads say by their datatypes |
//! | [`schema`], [`why`] | schemas, and how a tag gets its type |
//! | [`meaning`] | differences in what two files say |
//! | [`diff`] | lines that change |
//!
//! ```
//! use elf_base::{Diagnostic, Excerpt, Place, Rules, codes};
//! use elf_report::human::Renderer;
//!
//! let finding = Diagnostic::new(codes::LEVEL_TOO_DEEP, &Rules::DECEMBER_2019, "expected 2, but found 3")
//!     .at(Place::new(4012, 121, 1, 2), Some(Excerpt::around("3 DATE 31 FEB 1850", 0, 1)));
//! let text = Renderer::new(false, None).diagnostic("smith.ged", &finding);
//! assert!(text.starts_with("malformed[E0203]: expected 2, but found 3\n   --> smith.ged:121:1"));
//! ```
//!
//! # Which crate next
//!
//! * [`elf-findings`](https://docs.rs/elf-findings): findings of large files: counted, kept, in order;
//!   baselines
//! * [`elf-report`](https://docs.rs/elf-report): one HTML page about many files
//! * [`elf-cli`](https://docs.rs/elf-cli): the command `elf`, made of all of these

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
pub mod pictures;
pub mod progress;
mod sanitise;
pub mod schema;
pub mod tree;
pub mod value;
pub mod why;

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
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
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
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
