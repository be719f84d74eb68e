//! Properties with a short form: the points of curves and gradients, from which Godot saves other properties, and the messages of a
//! translation.

use godot_project::{ClassDb, Project, ValueType};
use godot_tscn::{quoted_name, write_value};
use godot_variant::{Value, VariantType};
use serde_json::{Map, Value as Json};

use crate::edit::error::EditErrorKind;
use crate::edit::object::Object;
use crate::edit::operation::ValueSpec;
use crate::edit::properties::PropertyPlace;
use crate::edit::scene::SceneEdit;
use crate::edit::stored::{Stored, text_of};

/// The name by which operations set the points.
const POINTS: &str = "points";
const MESSAGES: &str = "messages";

/// Objects with points: the class, and the form of a point.
const CLASSES: [(&str, &str); 4] = [
    ("Curve", "[x, y], or {\"at\": [x, y], \"left\": 0, \"right\": 0} with tangents"),
    ("Curve2D", "[x, y], or {\"at\": [x, y], \"in\": [x, y], \"out\": [x, y]}"),
    ("Curve3D", "[x, y, z], or {\"at\": [x, y, z], \"in\": […], \"out\": […], \"tilt\": 0}"),
    ("Gradient", "[offset, color], such as [0.5, \"#ff8000\"]"),
];

/// The form of a point of this class in the value of `points`, if its objects have points.
pub fn points_of(classes: &ClassDb, class: &str) -> Option<&'static str> {
    let found = CLASSES.into_iter().find(|(base, _)| classes.inherits(class, base));
    found.map(|(_, form)| form)
}

impl Object<'_> {
    /// Whether a key is not a property, but the points of a curve or gradient.
    pub(super) fn has_points(&self, key: &str) -> bool {
        key == POINTS && self.kind_with_points().is_some()
    }

    fn kind_with_points(&self) -> Option<(&'static str, &'static str)> {
        CLASSES.into_iter().find(|(class, _)| self.is(class))
    }
}

impl SceneEdit {
    /// The saved form of a value in a short form; nothing if it is not in one.
    ///
    /// # Errors
    /// When it is not one of this class.
    pub(super) fn stored_of_shorthand(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        value: &ValueSpec,
    ) -> Result<Option<Stored>, EditErrorKind> {
        if place.object.has_points(&place.key) {
            return self.stored_of_points(project, place, value).map(Some);
        }
        match value {
            ValueSpec::Json(Json::Object(texts))
                if place.key == MESSAGES && place.object.is("Translation") =>
            {
                Ok(messages(texts).map(|text| vec![(MESSAGES.to_owned(), text)]))
            }
            _ => Ok(None),
        }
    }

    /// The saved form of points.
    ///
    /// # Errors
    /// When they are not points of this class.
    fn stored_of_points(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        value: &ValueSpec,
    ) -> Result<Stored, EditErrorKind> {
        let Some((class, form)) = place.object.kind_with_points() else { return Ok(Vec::new()) };
        let refuse = |what: &str| {
            let reason = format!("{what} is not a valid point of a {class}; expected {form}");
            EditErrorKind::Refused(reason)
        };
        let ValueSpec::Json(Json::Array(points)) = value else {
            return Err(refuse("the value of `points` (expected a list) "));
        };
        if class == "Gradient" {
            return self.gradient(project, points, &refuse);
        }
        let size = if class == "Curve3D" { 3 } else { 2 };
        let read = |point| Point::of(point, size).ok_or_else(|| refuse(&format!("`{point}`")));
        let mut points = points.iter().map(read).collect::<Result<Vec<Point>, _>>()?;
        if class == "Curve" {
            points.sort_by(|one, other| one.at[0].total_cmp(&other.at[0]));
        }
        let count = points.len().to_string();
        let data = match class {
            "Curve" => curve(&points),
            _ => path(&points, size),
        };
        Ok(vec![("_data".to_owned(), data), ("point_count".to_owned(), count)])
    }

    fn gradient(
        &mut self,
        project: &Project,
        points: &[Json],
        refuse: &dyn Fn(&str) -> EditErrorKind,
    ) -> Result<Stored, EditErrorKind> {
        let (mut offsets, mut colors) = (Vec::new(), Vec::new());
        for point in points {
            let wrong = || refuse(&format!("`{point}`"));
            let parts = point.as_array().filter(|parts| parts.len() == 2).ok_or_else(wrong)?;
            offsets.push(parts[0].as_f64().ok_or_else(wrong)? as f32);
            let color = ValueSpec::Json(parts[1].clone());
            let color_type = ValueType::Of(VariantType::Color);
            let (text, _) = self.text_of_type(project, &color, &color_type, POINTS)?;
            match godot_tscn::parse_value(text.as_bytes()) {
                Ok(Value::Color(color)) => colors.push(color),
                _ => return Err(wrong()),
            }
        }
        Ok(vec![
            ("offsets".to_owned(), text_of(&Value::PackedFloat32Array(offsets))),
            ("colors".to_owned(), text_of(&Value::PackedColorArray(colors))),
        ])
    }
}

/// `Translation::_get_messages`: each message with its context, and a text for each plural form.
fn messages(texts: &Map<String, Json>) -> Option<String> {
    let entry = |(message, translated): (&String, &Json)| {
        let forms: Vec<String> = match translated {
            Json::String(one) => vec![format!("&{}", quoted_name(one))],
            Json::Array(all) => all
                .iter()
                .map(|form| Some(format!("&{}", quoted_name(form.as_str()?))))
                .collect::<Option<_>>()?,
            _ => return None,
        };
        Some(format!("[&\"\", &{}]: [{}]", quoted_name(message), forms.join(", ")))
    };
    let entries: Option<Vec<String>> = texts.iter().map(entry).collect();
    let entries = entries.filter(|entries| !entries.is_empty())?;
    Some(format!("{{\n{}\n}}", entries.join(",\n")))
}

/// A point of a curve.
struct Point {
    at: Vec<f32>,
    /// The control points in front and behind.
    ends: [Vec<f32>; 2],
    /// The tangents of a `Curve`.
    tangents: [f64; 2],
    tilt: f32,
}

impl Point {
    fn of(json: &Json, size: usize) -> Option<Self> {
        let numbers = |json: &Json| -> Option<Vec<f32>> {
            let list = json.as_array().filter(|list| list.len() == size)?;
            list.iter().map(|number| Some(number.as_f64()? as f32)).collect()
        };
        let (mut ends, mut tangents) = ([vec![0.0; size], vec![0.0; size]], [0.0; 2]);
        let Json::Object(parts) = json else {
            return Some(Self { at: numbers(json)?, ends, tangents, tilt: 0.0 });
        };
        let mut tilt = 0.0;
        for (key, value) in parts {
            match key.as_str() {
                "at" => {}
                "in" => ends[0] = numbers(value)?,
                "out" => ends[1] = numbers(value)?,
                "left" => tangents[0] = value.as_f64()?,
                "right" => tangents[1] = value.as_f64()?,
                "tilt" => tilt = value.as_f64()? as f32,
                _ => return None,
            }
        }
        Some(Self { at: numbers(parts.get("at")?)?, ends, tangents, tilt })
    }
}

/// `Curve::get_data`: of each point the place, the tangents and their modes.
fn curve(points: &[Point]) -> String {
    let data = points.iter().flat_map(|point| {
        let [left, right] = point.tangents;
        let place = Value::Vector2([point.at[0], point.at[1]]);
        [place, Value::Float(left), Value::Float(right), Value::Int(0), Value::Int(0)]
    });
    let data: Vec<String> = data.map(|value| text_of(&value)).collect();
    format!("[{}]", data.join(", "))
}

/// `Curve2D::_get_data`, `Curve3D::_get_data`: of each point the ends of its handles, and its place.
fn path(points: &[Point], size: usize) -> String {
    let numbers = points.iter().flat_map(|point| {
        let [before, behind] = &point.ends;
        before.iter().chain(behind).chain(&point.at).copied()
    });
    let numbers: Vec<f32> = numbers.collect();
    let array = |values: &Value| write_value(values).unwrap_or_default();
    if size == 2 {
        let pairs = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let points = array(&Value::PackedVector2Array(pairs));
        return format!("{{\n\"points\": {}\n}}", String::from_utf8_lossy(&points));
    }
    let triples = numbers.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect();
    let places = array(&Value::PackedVector3Array(triples));
    let tilts = points.iter().map(|point| point.tilt).collect();
    let tilts = array(&Value::PackedFloat32Array(tilts));
    let [places, tilts] = [&places, &tilts].map(|text| String::from_utf8_lossy(text));
    format!("{{\n\"points\": {places},\n\"tilts\": {tilts}\n}}")
}
