//! What all charts are drawn with.

use svg::node::element::Text;

/// A text that starts at this place.
pub(crate) fn text(content: &str, x: f64, y: f64) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

/// A tenth of a pixel is enough, and keeps the file readable.
pub(crate) fn rounded(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
