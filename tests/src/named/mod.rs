//! Named tests: what a vector cannot say, because it is about the interface or about more than one file.

mod reading;

/// A named test.
#[derive(Clone, Copy, Debug)]
pub struct NamedTest {
    /// Its name, as `vectors/named-tests.toml` gives it.
    pub name: &'static str,
    /// What it does.
    pub run: fn() -> Result<(), String>,
}

/// All named tests.
pub const ALL: &[NamedTest] = &[
    NamedTest { name: "a line of ten million characters is read", run: reading::long_line },
    NamedTest {
        name: "an encoding that cannot be decoded ends the reading",
        run: reading::unsupported_encoding,
    },
    NamedTest { name: "string payloads have a language", run: reading::language },
    NamedTest { name: "UNDEF records are an option", run: reading::undefined_records },
    NamedTest {
        name: "the rules for found files take what is conformant",
        run: reading::wild_takes_conformant,
    },
    NamedTest { name: "nothing non-conformant passes in silence", run: reading::nothing_silent },
    NamedTest { name: "structures are read without schemas", run: reading::without_schemas },
];

/// Fails with what was expected and what was found, unless they are equal.
fn equal<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("expected {what} {expected:?}, but found {found:?}")) }
}

/// Fails unless it holds.
fn holds(what: &str, condition: bool) -> Result<(), String> {
    if condition { Ok(()) } else { Err(format!("expected {what}")) }
}
