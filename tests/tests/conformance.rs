//! One test for each requirement and each vector that meets it; their names are `ROW/NUMBER (RULES)`.

use elf_tests::suite::{Suite, Test};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let suite = match Suite::load() {
        Ok(suite) => Arc::new(suite),
        Err(error) => {
            let trial = Trial::test("the vectors can be read", move || Err(Failed::from(error)));
            return libtest_mimic::run(&arguments, vec![trial]).exit_code();
        }
    };
    let ledger = Arc::clone(&suite);
    let mut trials = vec![Trial::test("every row has one owner, and its own vectors are run", move || {
        let problems = ledger.problems();
        if problems.is_empty() { Ok(()) } else { Err(Failed::from(problems.join("\n"))) }
    })];
    for row in suite.requirements.rows() {
        for (number, (name, _)) in suite.tests(&row.id).into_iter().enumerate() {
            let (suite, id) = (Arc::clone(&suite), row.id.clone());
            trials.push(Trial::test(name, move || {
                let (_, test): (String, Test<'_>) =
                    suite.tests(&id).into_iter().nth(number).ok_or("the test is gone")?;
                test.run().map_err(|error| Failed::from(format!("{}\n{error}", test.label())))
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
