//! The suite as a whole: which requirement has which owner, and how its vectors come out.

use crate::library;
use crate::named::{self, NamedTest};
use crate::requirements::Requirements;
use crate::vectors::{Case, Vectors};
use crate::verdict::{self, Expectations};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The tables of requirements with all tests.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The tables.
    pub requirements: Requirements,
    /// The vectors, and what the files say about other requirements.
    pub vectors: Vectors,
}

/// One test of the suite: a requirement and a vector, or a named test.
#[derive(Clone, Copy, Debug)]
pub enum Test<'s> {
    /// A vector.
    Vector(&'s Case),
    /// A named test.
    Named(&'static NamedTest),
}

/// The status of a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// All its vectors pass.
    Met,
    /// No test belongs to the requirement, or these tests fail.
    Open(Vec<String>),
    /// No input can test it.
    NotTestable(String),
}

impl Suite {
    /// Reads the tables and vectors of this crate.
    ///
    /// # Errors
    ///
    /// An invalid file, as a message.
    pub fn load() -> Result<Suite, String> {
        let folder = crate::conformance_folder();
        let requirements = Requirements::load(&folder.join("requirements"))?;
        let vectors = Vectors::load(&folder, &crate::folder("named-tests.toml"), &requirements)?;
        Ok(Suite { requirements, vectors })
    }

    /// Lists what is inconsistent: requirements with several owners, vectors of the tables that are not run, named
    /// tests that do not exist.
    pub fn find_inconsistencies(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut owners: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for case in &self.vectors.cases {
            for id in &case.vector.requirements {
                owners.entry(id).or_default().insert(format!("conformance/{}", case.file));
            }
        }
        for named in &self.vectors.named {
            if !named::ALL.iter().any(|test| test.name == named.test) {
                problems.push(format!("there is no named test {:?}", named.test));
            }
            for id in &named.rows {
                owners.entry(id).or_default().insert(format!("the test {:?}", named.test));
            }
        }
        for test in named::ALL {
            if !self.vectors.named.iter().any(|named| named.test == test.name) {
                problems.push(format!("the named test {:?} meets no row", test.name));
            }
        }
        for untestable in &self.vectors.untestable {
            if untestable.reason.trim().is_empty() {
                problems.push(format!(
                    "expected a reason why these are not testable: {}",
                    untestable.rows.join(", ")
                ));
            }
            for id in &untestable.rows {
                owners.entry(id).or_default().insert("not-testable.toml".to_owned());
            }
        }
        for (id, owners) in &owners {
            if owners.len() > 1 {
                let all: Vec<&str> = owners.iter().map(String::as_str).collect();
                problems.push(format!("{id} has several owners: {}", all.join(", ")));
            }
            if self.requirements.get(id).is_none() {
                problems.push(format!("there is no row {id}"));
            }
        }
        let mut ids: BTreeSet<&str> = BTreeSet::new();
        let repeated = self.vectors.cases.iter().filter(|case| !ids.insert(&case.vector.id));
        problems.extend(repeated.map(|case| format!("there are two vectors {}", case.vector.id)));
        problems
    }

    /// The vectors of a row.
    pub fn vectors_of<'s>(&'s self, id: &'s str) -> impl Iterator<Item = &'s Case> {
        self.vectors.cases.iter().filter(move |case| case.vector.requirements.iter().any(|row| row == id))
    }

    /// The tests of a requirement, with their names.
    pub fn tests_of<'s>(&'s self, id: &'s str) -> Vec<(String, Test<'s>)> {
        let mut tests: Vec<(String, Test<'s>)> = Vec::new();
        for case in self.vectors_of(id) {
            tests.push((format!("{} ({})", case.vector.id, case.rules.name), Test::Vector(case)));
        }
        for named in self.vectors.named.iter().filter(|named| named.rows.iter().any(|row| row == id)) {
            if let Some(test) = named::ALL.iter().find(|test| test.name == named.test) {
                tests.push((format!("{id}/{}", test.name), Test::Named(test)));
            }
        }
        tests
    }

    /// Runs the tests of a requirement.
    pub fn status_of(&self, id: &str) -> Status {
        let untestable =
            self.vectors.untestable.iter().find(|untestable| untestable.rows.iter().any(|row| row == id));
        if let Some(untestable) = untestable {
            return Status::NotTestable(untestable.reason.clone());
        }
        let tests = self.tests_of(id);
        if tests.is_empty() {
            return Status::Open(Vec::new());
        }
        let failures: Vec<String> = tests
            .iter()
            .filter_map(|(name, test)| {
                test.run().err().map(|error| format!("{name} {}: {error}", test.label()))
            })
            .collect();
        if failures.is_empty() { Status::Met } else { Status::Open(failures) }
    }
}

impl Test<'_> {
    /// Runs the test. A panic counts as a failure.
    ///
    /// # Errors
    ///
    /// The expected and the found value, as a message.
    pub fn run(&self) -> Result<(), String> {
        let result = catch_unwind(AssertUnwindSafe(|| match self {
            Test::Vector(case) => verdict::check(case, &library::answer(case)?, Expectations::ALL),
            Test::Named(test) => (test.run)(),
        }));
        result.unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            Err(format!("it panicked: {message}"))
        })
    }

    /// The file of the vector, or the name of the test.
    pub fn label(&self) -> String {
        match self {
            Test::Vector(case) => format!("[{}]", case.file),
            Test::Named(test) => test.name.to_owned(),
        }
    }
}
