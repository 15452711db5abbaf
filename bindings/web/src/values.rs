//! Values between Rust and JavaScript: options as objects, results as objects, bytes as `Uint8Array`.

use js_sys::JSON;
#[cfg(feature = "whole")]
use js_sys::{Reflect, Uint8Array};
#[cfg(feature = "whole")]
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::{JsError, JsValue};

/// Reads an object of options; the defaults if there is none. An unknown option is an error that lists the known ones.
pub(crate) fn options<T: DeserializeOwned + Default>(options: Option<&JsValue>) -> Result<T, JsError> {
    let Some(options) = options.filter(|options| !options.is_undefined() && !options.is_null()) else {
        return Ok(T::default());
    };
    let text = JSON::stringify(options).ok().and_then(|text| text.as_string());
    let text = text.ok_or_else(|| JsError::new("the options are not an object of plain values"))?;
    serde_json::from_str(&text).map_err(|error| JsError::new(&format!("invalid options: {error}")))
}

/// Makes an object of JSON.
pub(crate) fn object_of_json(json: &str) -> Result<JsValue, JsError> {
    JSON::parse(json).map_err(|_| JsError::new("the result is too large for one object"))
}

/// Makes an object of what serialises as JSON.
#[cfg(feature = "whole")]
pub(crate) fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    object_of_json(&serde_json::to_string(value)?)
}

/// Makes an object that also has the member `bytes`.
#[cfg(feature = "whole")]
pub(crate) fn object_with_bytes(value: &impl Serialize, bytes: &[u8]) -> Result<JsValue, JsError> {
    let object = object(value)?;
    let set = Reflect::set(&object, &"bytes".into(), &Uint8Array::from(bytes));
    set.map_err(|_| JsError::new("the bytes do not fit into memory"))?;
    Ok(object)
}

/// Makes an error of JavaScript.
pub(crate) fn js_error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
