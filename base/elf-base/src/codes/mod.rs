//! The table of codes. The table has a row for each kind of problem, and a module for each layer.
//!
//! Codes that have been released are stable: a row may get a better title, clause or page, but never another meaning.

mod datasets;
mod fetching;
mod lines;
mod octets;
mod questions;
mod schemas;
#[cfg(test)]
mod sections;
mod structures;
mod table;
mod tagged;
mod values;
mod writing;

pub use datasets::*;
pub use fetching::*;
pub use lines::*;
pub use octets::*;
pub use questions::*;
pub use schemas::*;
pub use structures::*;
pub use tagged::*;
pub use values::*;
pub use writing::*;

use crate::{Code, Standard};

/// Returns every code, in the order of their identifiers.
pub fn all() -> impl Iterator<Item = Code> {
    let layers = [
        octets::ALL,
        lines::ALL,
        tagged::ALL,
        schemas::ALL,
        datasets::ALL,
        values::ALL,
        fetching::ALL,
        writing::ALL,
        structures::ALL,
        questions::ALL,
    ];
    layers.into_iter().flatten().copied()
}

impl Code {
    /// Returns the manual page of the code as Markdown. The page explains the problem, why it matters and what to do,
    /// with an example.
    pub fn page(self) -> &'static str {
        // The rows do not contain the pages, so a program that never calls this function is linked without their text.
        let pages = [
            octets::PAGES,
            lines::PAGES,
            tagged::PAGES,
            schemas::PAGES,
            datasets::PAGES,
            values::PAGES,
            fetching::PAGES,
            writing::PAGES,
            structures::PAGES,
            questions::PAGES,
        ];
        let mut pages = all().zip(pages.into_iter().flatten().copied());
        let found = pages.find(|(code, _)| *code == self);
        debug_assert!(found.is_some(), "every code is listed");
        found.map_or("", |(_, page)| page)
    }

    /// Finds a code by its identifier or name: `E0203`, `e0203` or `level-too-deep`.
    ///
    /// ```
    /// use elf_base::{Code, codes};
    /// assert_eq!(Code::from_name("level-too-deep"), Some(codes::LEVEL_TOO_DEEP));
    /// assert_eq!(Code::from_name("e0203"), Some(codes::LEVEL_TOO_DEEP));
    /// assert_eq!(Code::from_name("E9999"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Code> {
        all().find(|code| code.id().eq_ignore_ascii_case(name) || code.name().eq_ignore_ascii_case(name))
    }
}

impl Standard {
    /// Returns the codes that are not reported if the user names the standard. The codes enforce rules of GEDCOM 5.5.1
    /// for lines and headers that this standard does not have.
    pub const fn unreported_codes(self) -> &'static [Code] {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => &[],
            Standard::Gedcom70 | Standard::Gedcom71 => &[GEDCOM_VERSION_UNKNOWN, XREF_LONG, TAG_LONG],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Against, Class, Format, Standard};
    use std::collections::HashSet;

    #[test]
    fn identifiers_and_names_are_unique_and_well_formed() {
        let mut ids = HashSet::new();
        let mut names = HashSet::new();
        let mut last = "";
        for code in all() {
            assert!(ids.insert(code.id()), "{} twice", code.id());
            assert!(names.insert(code.name()), "{} twice", code.name());
            assert!(code.id() > last, "{} out of order", code.id());
            last = code.id();
            let digits =
                if code.is_question() { code.id().strip_prefix('P') } else { code.id().strip_prefix('E') };
            assert_eq!(digits.map(str::len), Some(if code.is_question() { 2 } else { 4 }), "{code}");
            assert!(code.name().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            let first = code.title().split([' ', ',']).next().unwrap_or_default();
            let is_tag = first.len() > 1 && first.bytes().all(|b| b.is_ascii_uppercase());
            assert!(
                !code.title().ends_with('.') && (is_tag || !first.starts_with(char::is_uppercase)),
                "{code}"
            );
            assert_eq!(Code::from_name(code.id()), Some(code));
            assert_eq!(Code::from_name(code.name()), Some(code));
        }
    }

    /// The standards that the drafts build on.
    const COMPANIONS: [&str; 3] = ["Basic Concepts: ", "ELF Dates: ", "ELF Schemas: "];

    #[test]
    fn a_clause_is_one_of_the_format_in_force() {
        for code in all() {
            for format in Format::ALL {
                let Some(clause) = code.clause(format) else {
                    let class = if code.is_question() { Class::Question } else { Class::Advice };
                    assert_eq!(code.class(format), class, "{code} in {format}");
                    continue;
                };
                let own = match format {
                    Format::Elf(draft) => format!("{} ", draft.abbreviation()),
                    Format::Gedcom551 => "GEDCOM 5.5.1: ".to_owned(),
                    Format::Gedcom70 => "GEDCOM 7.0: ".to_owned(),
                };
                let named = std::iter::once(&*own).chain(COMPANIONS).find(|name| clause.starts_with(name));
                let Some(standard) = named else { panic!("{code} in {format} cites {clause}") };
                let section = clause.strip_prefix(standard).unwrap_or_default();
                let sections = sections::sections_of(standard.trim_end_matches([':', ' ']));
                assert!(sections.contains(&section), "{code}: {standard} has no section `{section}`");
            }
        }
    }

    #[test]
    fn every_code_has_a_clause_somewhere() {
        for code in all() {
            let in_a_format = Format::ALL.into_iter().any(|format| code.clause(format).is_some());
            let in_a_standard =
                Standard::ALL.into_iter().any(|standard| code.clause_against(standard).is_some());
            assert_eq!(in_a_format || in_a_standard, !code.is_question(), "{code}");
        }
    }

    #[test]
    fn a_clause_of_a_structural_standard_is_one_of_it() {
        for (code, standard) in all().flat_map(|code| Standard::ALL.map(|standard| (code, standard))) {
            let named = Against { standard, is_named: true };
            let Some(clause) = code.clause_against(standard) else {
                assert_eq!(code.class_against(named), Class::Advice, "{code} of {standard}");
                continue;
            };
            let section = clause.strip_prefix(standard.title()).and_then(|rest| rest.strip_prefix(": "));
            let Some(section) = section else { panic!("{code} of {standard} cites {clause}") };
            assert!(sections::sections_of(standard.title()).contains(&section), "{code}: {section}");
            assert_eq!(code.class_against(Against { is_named: false, ..named }), Class::Advice);
        }
    }

    #[test]
    fn cardinalities_of_the_data_model_stay_advice() {
        let class = |code: Code, standard| code.class_against(Against { standard, is_named: true });
        for code in [STRUCTURE_MISSING, STRUCTURE_REPEATED, VALUE_NOT_LISTED] {
            assert_eq!(class(code, Standard::DataModel), Class::Advice, "{code}");
            assert_eq!(class(code, Standard::Gedcom551), Class::NonConformant, "{code}");
        }
        assert_eq!(class(PAYLOAD_MISSING, Standard::DataModel), Class::NonConformant);
    }

    #[test]
    fn every_code_has_its_page() {
        for code in all() {
            let heading = format!("# {} {}", code.id(), code.name());
            assert!(
                code.page().starts_with(&heading),
                "the page of {} does not start with its heading",
                code.id()
            );
        }
    }
}
