//! Named tests: what a vector cannot say, because it is about the interface or about more than one file.

/// A named test.
#[derive(Clone, Copy, Debug)]
pub struct NamedTest {
    /// Its name, as `vectors/named-tests.toml` gives it.
    pub name: &'static str,
    /// What it does.
    pub run: fn() -> Result<(), String>,
}

/// All named tests.
pub const ALL: &[NamedTest] = &[];
