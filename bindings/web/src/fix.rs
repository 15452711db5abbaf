//! `fix`: what `elf check --fix` does.

use crate::check::{CheckArguments, CheckOptions};
use crate::values::{js_error, object_with_bytes, options};
use elf_base::Safety;
use elf_check::{Keep, RefusedFinding};
use serde::Serialize;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "FixedFile")]
    pub type FixedFile;
}

/// The members of `FixedFile`, except `bytes`.
#[derive(Serialize)]
struct FixedMembers {
    fixed: u64,
    refused: Vec<RefusedMembers>,
}

#[derive(Serialize)]
struct RefusedMembers {
    code: &'static str,
    line: Option<u64>,
    message: String,
    reason: String,
}

impl RefusedMembers {
    fn of(RefusedFinding { diagnostic, reason, .. }: &RefusedFinding) -> RefusedMembers {
        RefusedMembers {
            code: diagnostic.code.id(),
            line: diagnostic.place.map(|place| place.line),
            message: diagnostic.message.to_string(),
            reason: reason.to_string(),
        }
    }
}

/// Makes the safe fixes of a file, as `elf check --fix` does.
#[wasm_bindgen]
pub fn fix(bytes: &[u8], options: Option<CheckOptions>) -> Result<FixedFile, JsError> {
    let options: Option<JsValue> = options.map(Into::into);
    let arguments: CheckArguments = self::options(options.as_ref())?;
    let check = arguments.ready()?.check(Keep::Nothing);
    let mut input = bytes;
    let fixed = check.fix(&mut input, Safety::Safe).map_err(js_error)?;
    let refused = fixed.refused.iter().map(RefusedMembers::of).collect();
    Ok(object_with_bytes(&FixedMembers { fixed: fixed.count, refused }, &fixed.bytes)?.into())
}
