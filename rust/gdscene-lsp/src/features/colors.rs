//! Colours, shown and chosen where they stand.

use godot_tscn::Document;
use ls_types::request::{ColorPresentationRequest, DocumentColor};
use ls_types::{
    Color, ColorInformation, ColorPresentation, ColorPresentationParams, DocumentColorParams,
};
use memchr::memmem;

use crate::features::Answer;
use crate::snapshot::{Failure, File, Snapshot};

impl Answer for DocumentColor {
    fn answer(
        snapshot: &Snapshot,
        params: DocumentColorParams,
    ) -> Result<Vec<ColorInformation>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_in_notation() {
            return Ok(Vec::new());
        }
        Ok(file.with_document(|document| colors(&file, document)))
    }
}

fn colors(file: &File, document: &Document<'_>) -> Vec<ColorInformation> {
    let mut colors = Vec::new();
    for property in document.sections().flat_map(godot_tscn::Section::properties) {
        // Most values hold none, and are not taken apart.
        if memmem::find(property.source(), b"Color(").is_none() {
            continue;
        }
        for part in property.value_tree().parts().filter(|part| part.name() == b"Color") {
            let range = file.text.range(part.span());
            colors.extend(color(part).map(|color| ColorInformation { range, color }));
        }
    }
    colors
}

/// Nothing for anything except four numbers. Brighter than white is shown as white.
fn color(part: godot_tscn::PartRef<'_>) -> Option<Color> {
    let number = |number: &[u8]| -> Option<f32> {
        let number: f32 = std::str::from_utf8(number).ok()?.trim().parse().ok()?;
        number.is_finite().then(|| number.clamp(0.0, 1.0))
    };
    let numbers: Option<Vec<f32>> = part.numbers().map(number).collect();
    let [red, green, blue, alpha] = numbers?[..] else { return None };
    Some(Color { red, green, blue, alpha })
}

impl Answer for ColorPresentationRequest {
    fn answer(
        _: &Snapshot,
        params: ColorPresentationParams,
    ) -> Result<Vec<ColorPresentation>, Failure> {
        let Color { red, green, blue, alpha } = params.color;
        // Godot writes as many digits as a float of 32 bits needs, and `1` for `1.0`.
        let label = format!("Color({red}, {green}, {blue}, {alpha})");
        Ok(vec![ColorPresentation { label, ..ColorPresentation::default() }])
    }
}
