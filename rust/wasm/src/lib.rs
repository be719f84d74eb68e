//! The engine-free crates for JavaScript. What comes in is bytes, and options as a JSON text; what goes out is a JSON text, and
//! bytes where a text changed. `rust/npm` makes the interface that people use of it.
//!
//! Only the rules for single files are here ([`godot_tscn::RULES`]): what needs a project reads files, which a page cannot.
#![deny(unsafe_code)]

mod answers;
mod options;
mod tree;

use godot_tscn::{Applicability, Document, FormatRefusal};
use godot_variant_codec::Dialect;
use godot_variant_codec::framing::ByteOrder;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use answers::{FixAnswer, FormatAnswer, Listed, ParseAnswer, found_in, listed_rules};
use options::read;

/// What became of a text.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Changed {
    answer: String,
    text: Option<Vec<u8>>,
}

#[wasm_bindgen]
impl Changed {
    /// What else is to be said, as JSON.
    #[wasm_bindgen(getter)]
    pub fn answer(&self) -> String {
        self.answer.clone()
    }

    /// The new text, once; nothing if it does not differ.
    pub fn take_text(&mut self) -> Option<Vec<u8>> {
        self.text.take()
    }
}

/// What the rules for single files report of a text: a list of [`gdscene_render::JsonDiagnostic`].
#[wasm_bindgen]
pub fn check(text: &[u8], options: &str) -> Result<String, JsError> {
    let options = read(options)?;
    let found = options.lint()?.diagnostics(text);
    Ok(gdscene_render::to_json(&found_in(text, &found, &options)))
}

/// Applies the fixes up to a limit until none is left. The answer is a [`FixAnswer`].
#[wasm_bindgen]
pub fn fix(text: &[u8], options: &str, with_unsafe: bool) -> Result<Changed, JsError> {
    let options = read(options)?;
    let limit = if with_unsafe { Applicability::Unsafe } else { Applicability::Safe };
    let lint = options.lint()?;
    let fixed = godot_tscn::fix_by(text, limit, |text| lint.diagnostics(text));
    let left = lint.diagnostics(&fixed.text);
    let answer = FixAnswer {
        applied: fixed.applied_count,
        left: found_in(&fixed.text, &left, &options),
        postponed: fixed.postponed_count,
        uncovered: fixed.uncovered_count,
    };
    let answer = gdscene_render::to_json(&answer);
    Ok(Changed { answer, text: (fixed.text != text).then_some(fixed.text) })
}

/// Writes a text as Godot saves it. The answer is a [`FormatAnswer`].
#[wasm_bindgen]
pub fn format(text: &[u8], options: &str) -> Result<Changed, JsError> {
    let options = read(options)?;
    let formatted = godot_tscn::format(text, &options.format()?);
    let refusal = formatted.as_ref().err();
    let finding = refusal
        .filter(|refusal| **refusal != FormatRefusal::Escn)
        .map(|refusal| gdscene_render::format_refused(text, refusal));
    let answer = FormatAnswer {
        finding: found_in(text, &finding, &options).pop(),
        reason: refusal.map(ToString::to_string),
    };
    let answer = gdscene_render::to_json(&answer);
    let changed = formatted.ok().filter(|formatted| formatted.is_changed);
    Ok(Changed { answer, text: changed.map(|formatted| formatted.text.into_owned()) })
}

/// What stands in a file: a [`ParseAnswer`].
#[wasm_bindgen]
pub fn parse(text: &[u8], path: &str) -> String {
    let of = |document: &Document<'_>| gdscene_render::to_json(&ParseAnswer::new(document, path));
    if godot_tscn::is_config_path(path) {
        return of(godot_tscn::parse_config(text).document());
    }
    of(&godot_tscn::parse(text))
}

/// Lists binary values: a [`Listed`].
#[wasm_bindgen]
pub fn list_values(bytes: &[u8], options: &str) -> Result<String, JsError> {
    let options = read(options)?;
    let dialect = match &options.dialect {
        None => &Dialect::GODOT_4,
        Some(name) => Dialect::from_name(name).ok_or_else(|| {
            let known =
                "`godot4`, `godot4.3`, `godot4.0`, `godot3`, `godot2`, `docs3.0` and `docs4.2`";
            JsError::new(&format!("`{name}` is not a dialect; there are {known}"))
        })?,
    };
    let order = match options.framed.as_deref() {
        None => None,
        Some("little") => Some(ByteOrder::LittleEndian),
        Some("big") => Some(ByteOrder::BigEndian),
        Some(other) => {
            let message =
                format!("`{other}` is not an order of bytes; there are `little` and `big`");
            return Err(JsError::new(&message));
        }
    };
    Ok(gdscene_render::to_json(&Listed::new(bytes, dialect, order, options.max_rows)))
}

/// The rules that are here, by code, with their documentation.
#[wasm_bindgen]
pub fn rules() -> String {
    gdscene_render::to_json(&listed_rules())
}

/// The version of the crates.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
