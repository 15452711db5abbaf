//! Sessions as a person sees them: `tests/sessions/*.trycmd`.

#[test]
fn sessions() {
    trycmd::TestCases::new().case("tests/sessions/*.trycmd").run();
}
