//! Makes JavaScript and TypeScript for a compiled module: `elf-web-bindgen MODULE.wasm FOLDER`.
//!
//! The command `wasm-bindgen` does the same, but it has to be installed in exactly the version of the crate. The lock file
//! of this workspace pins this one.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        eprintln!("usage: elf-web-bindgen MODULE.wasm FOLDER");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("elf")
        .typescript(true)
        .remove_name_section(true)
        // `init()` alone loads the module beside the script.
        .omit_default_module_path(false);
    let made = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
