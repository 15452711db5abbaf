//! One test for each vector of each requirement, named `VECTOR (RULES)`, and one for each fixture.

use elf_tests::fixtures::Fixture;
use elf_tests::suite::{Suite, Test};
use elf_tests::vectors::schema_problems;
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let mut trials = vector_trials();
    trials.extend(fixture_trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn vector_trials() -> Vec<Trial> {
    let suite = match Suite::load() {
        Ok(suite) => Arc::new(suite),
        Err(error) => return vec![Trial::test("the vectors can be read", move || Err(Failed::from(error)))],
    };
    let ledger = Arc::clone(&suite);
    let mut trials = vec![Trial::test("every row has one owner", move || {
        let problems = ledger.find_inconsistencies();
        if problems.is_empty() { Ok(()) } else { Err(Failed::from(problems.join("\n"))) }
    })];
    trials.push(Trial::test("every vector is in the form of the JSON Schema", || {
        let problems = schema_problems(&elf_tests::conformance_folder())?;
        if problems.is_empty() { Ok(()) } else { Err(Failed::from(problems.join("\n"))) }
    }));
    for row in suite.requirements.rows() {
        for (number, (name, _)) in suite.tests_of(&row.id).into_iter().enumerate() {
            let (suite, id) = (Arc::clone(&suite), row.id.clone());
            trials.push(Trial::test(name, move || {
                let (_, test): (String, Test<'_>) =
                    suite.tests_of(&id).into_iter().nth(number).ok_or("the test is gone")?;
                test.run().map_err(|error| Failed::from(format!("{}\n{error}", test.label())))
            }));
        }
    }
    trials
}

/// Each fixture is compared with the expected output beside it.
fn fixture_trials() -> Vec<Trial> {
    match Fixture::all_fixtures() {
        Ok(fixtures) => fixtures
            .into_iter()
            .map(|fixture| Trial::test(fixture.name(), move || fixture.check().map_err(Failed::from)))
            .collect(),
        Err(error) => vec![Trial::test("the fixtures can be read", move || Err(Failed::from(error)))],
    }
}
