//! The engine in WebAssembly: the functions and classes of the npm package `@elf-gedcom/web`.
//!
//! Each module turns arguments of JavaScript into those of a library, and the result into an object. What is found, fixed
//! or drawn is decided in the libraries.

mod check;
#[cfg(feature = "whole")]
mod convert;
#[cfg(feature = "whole")]
mod document;
#[cfg(feature = "whole")]
mod explain;
#[cfg(feature = "whole")]
mod fix;
#[cfg(feature = "whole")]
mod info;
mod input;
#[cfg(feature = "whole")]
mod pictures;
mod reading;
#[cfg(feature = "whole")]
mod redact;
#[cfg(feature = "whole")]
mod report;
#[cfg(feature = "whole")]
mod unpack;
mod values;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const CHECK_TYPES: &str = include_str!("types/check.d.ts");

#[cfg(feature = "whole")]
#[wasm_bindgen(typescript_custom_section)]
const WHOLE_TYPES: &str = include_str!("types/whole.d.ts");

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(message: &str);
}

/// Shows a panic on the console: without it, a browser only says `unreachable`.
#[wasm_bindgen(start, skip_typescript)]
fn show_panics() {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// The version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
