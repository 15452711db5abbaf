//! One test for each fixture: what its layer makes of it is what stands beside it.

use elf_tests::fixtures::Fixture;
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match Fixture::all() {
        Ok(fixtures) => fixtures
            .into_iter()
            .map(|fixture| Trial::test(fixture.name(), move || fixture.check().map_err(Failed::from)))
            .collect(),
        Err(error) => vec![Trial::test("the fixtures can be read", move || Err(Failed::from(error)))],
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}
