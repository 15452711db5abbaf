//! Runs a vector and reports differences from the expected result.

mod judge;
mod reading;
mod schemas;
mod serialising;
mod typing;
mod value;
mod writing;

pub use judge::{outcome_of, tree_of};
pub use schemas::print_schema;

use crate::notation::january::Check;
use crate::vectors::{Action, Case};

/// Runs one vector.
///
/// # Errors
///
/// The expected and the found result, as a message.
pub fn run_vector(case: &Case) -> Result<(), String> {
    let rules = &case.rules;
    match &case.action {
        Action::Schema { octets, expected } => {
            schemas::run_schema(octets, expected.as_deref(), rules, &case.expect)
        }
        Action::Supertypes { octets, of, expected } => schemas::run_supertypes(octets, of, expected, rules),
        Action::Dictionary { octets, expected } => {
            schemas::run_dictionary(octets, expected.as_deref(), rules, &case.expect)
        }
        Action::Serialise { pattern, base, output } => {
            serialising::run_serialise(pattern, base.as_deref(), output, rules, &case.expect)
        }
        Action::Write { tree, output } => writing::run_write(tree, output, rules, &case.expect),
        Action::Rewrite { octets, from, output } => {
            writing::run_rewrite(octets, from.as_ref(), output, rules, &case.expect)
        }
        Action::December { input, expected, external } => {
            reading::run_december(input, expected.as_ref(), *external, &case.rules, &case.expect)
        }
        Action::Value(asked) => value::run_value(asked, &case.expect),
        Action::January(check) => match check {
            Check::Encoding { octets, which, name } => {
                reading::run_encoding(octets, *which, name.as_deref(), &case.rules)
            }
            Check::Lines { text, lines, last } => {
                reading::run_lines(text, lines, *last, &case.rules, &case.expect)
            }
            Check::Payload { tag, payload, expected } => {
                reading::run_payload(tag, payload, expected, &case.rules)
            }
            Check::Tokens { payload, tokens } => reading::run_tokens(payload, tokens, &case.rules),
            Check::Typed { text, pattern } => typing::run_typed(text, pattern, &case.rules, &case.expect),
            Check::Written { tag, payload, encoding, expected } => {
                writing::run_payload(tag, payload, encoding.as_deref(), expected, &case.rules)
            }
        },
    }
}

/// Compares the expected and the found text.
fn compare(what: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("expected {what} {expected}\n but found {found}")) }
}

/// Compares texts that may be absent, as [`compare`] does.
fn compare_option(what: &str, expected: Option<&str>, found: Option<&str>) -> Result<(), String> {
    compare(what, expected.unwrap_or("none"), found.unwrap_or("none"))
}
