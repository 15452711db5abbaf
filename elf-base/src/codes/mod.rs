//! The table of codes: everything that can be wrong with a file, a row each, a room for each layer.
//!
//! Codes are stable once released: a row may get a better title, clause or page, never another meaning.

mod datasets;
mod fetching;
mod lines;
mod octets;
mod schemas;
mod tagged;
mod writing;

pub use datasets::*;
pub use fetching::*;
pub use lines::*;
pub use octets::*;
pub use schemas::*;
pub use tagged::*;
pub use writing::*;

use crate::Code;

/// Every code, in the order of their identifiers.
pub fn all() -> impl Iterator<Item = Code> {
    [octets::ALL, lines::ALL, tagged::ALL, schemas::ALL, datasets::ALL, fetching::ALL, writing::ALL]
        .into_iter()
        .flatten()
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;
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
            assert!(code.id().len() == 5 && code.id().starts_with('E'));
            assert!(code.name().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            assert!(
                !code.title().ends_with('.') && !code.title().starts_with(char::is_uppercase)
                    || code.title().starts_with("CHAR")
                    || code.title().starts_with("CONT")
                    || code.title().starts_with("CONC")
                    || code.title().starts_with("TRLR")
                    || code.title().starts_with("HEAD")
                    || code.title().starts_with("GEDC")
            );
            assert_eq!(Code::find(code.id()), Some(code));
            assert_eq!(Code::find(code.name()), Some(code));
        }
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
