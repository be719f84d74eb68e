//! Makes the JavaScript and types around the built library: `bindgen IN.wasm FOLDER`.
//!
//! A program of its own instead of `wasm-bindgen-cli`: so the lock file of the workspace holds it to the version of the library,
//! which has to be the same.

use std::env::args;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = args().skip(1).collect();
    let [input, folder] = &arguments[..] else {
        return Err("usage: bindgen IN.wasm FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name("wasm").web(true)?.reset_state_function(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder)?;
    Ok(())
}
