//! `explain`: what `elf explain` does.

use crate::values::{js_error, object};
use elf_base::Code;
use serde::Serialize;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Explanation")]
    pub type Explanation;
}

/// The members of `Explanation`.
#[derive(Serialize)]
struct ExplanationMembers {
    code: &'static str,
    name: &'static str,
    title: &'static str,
    page: &'static str,
}

/// Returns the manual page of a code, such as `E0203` or `level-too-deep`, in Markdown.
#[wasm_bindgen]
pub fn explain(code: &str) -> Result<Explanation, JsError> {
    let code: Code = code.parse().map_err(js_error)?;
    let members =
        ExplanationMembers { code: code.id(), name: code.name(), title: code.title(), page: code.page() };
    Ok(object(&members)?.into())
}
