//! The answers of our libraries to vectors.

mod reading;
mod schemas;
mod serialising;
mod trees;
mod value;
mod writing;

pub(crate) use reading::answer_of_file;
pub use schemas::definitions;
pub use trees::tree_of;
pub(crate) use writing::structures_to_read_back;

use crate::answer::Answer;
use crate::vectors::Case;
use crate::vectors::vector::Form;
use elf_octets::{Encoding, Options};

/// Returns what our libraries say about a vector.
///
/// # Errors
///
/// An error if the vector lacks what its form needs, or a file is too large.
pub fn answer(case: &Case) -> Result<Answer, String> {
    match case.vector.form {
        Form::Encoding | Form::Lines | Form::Tagged => reading::answer(case),
        Form::Typed => reading::typed(case),
        Form::Value => value::answer(case),
        Form::Schema => schemas::schema(case),
        Form::Dictionary => schemas::dictionary(case),
        Form::Supertypes => schemas::supertypes(case),
        Form::Tokens => reading::tokens(case),
        Form::Written => writing::answer(case),
        Form::Serialised => serialising::answer(case),
    }
}

/// Returns the input of a vector that needs one.
fn input(case: &Case) -> Result<Vec<u8>, String> {
    case.vector.input()?.ok_or_else(|| "expected an input".to_owned())
}

/// Returns the input of a vector as text.
fn text(case: &Case) -> Result<String, String> {
    String::from_utf8(input(case)?).map_err(|_| "expected text".to_owned())
}

/// Returns the options for vectors about schemas, which do not test the encoding.
fn utf8() -> Options {
    Options::default().with_forced(Some(Encoding::Utf8))
}
