//! `add-animation`

use godot_project::property_path::node_path;
use godot_project::{ObjectPath, Project, ValueType};
use godot_tscn::{GodotVersion, PartRef, ValueTree, quoted_name};
use godot_variant::{Value, VariantType};
use indexmap::IndexMap;
use serde_json::Value as Json;

use crate::edit::Outcome;
use crate::edit::enums::number_of;
use crate::edit::error::EditErrorKind;
use crate::edit::object::Object;
use crate::edit::operation::{AnimationSpec, KeySpec, TrackSpec, ValueSpec};
use crate::edit::properties::{Holder, PropertyPlace};
use crate::edit::scene::{ResourceRef, SceneEdit, references};
use crate::edit::stored::text_of;

const DATA: &str = "_data";
/// All libraries, up to Godot 4.5.
const LIBRARIES: &str = "libraries";
/// The kinds of tracks, as Godot saves them.
const KINDS: [&str; 9] = [
    "value",
    "method",
    "bezier",
    "position_3d",
    "rotation_3d",
    "scale_3d",
    "blend_shape",
    "audio",
    "animation",
];

/// A key with the text of its value.
struct Key<'s> {
    spec: &'s KeySpec,
    text: String,
}

impl SceneEdit {
    /// `add-animation`
    pub(super) fn add_animation(
        &mut self,
        project: &Project,
        node: &str,
        name: &str,
        library: &str,
        animation: &AnimationSpec,
    ) -> Result<Outcome, EditErrorKind> {
        let (holder, object) = self.object(project, &ObjectPath::Node(node_path(node)?))?;
        if !object.is("AnimationMixer") {
            let class = object.called();
            let reason =
                format!("`{node}` is a {class}; only an AnimationPlayer can have animations");
            return Err(EditErrorKind::Refused(reason));
        }
        if name.is_empty() || name.contains(['/', ':', ',', '[']) {
            let reason = format!(
                "`{name}` is not a valid animation name; expected a name without `/`, `:`, `,` and `[`"
            );
            return Err(EditErrorKind::Refused(reason));
        }
        let place =
            |key: String| PropertyPlace { holder: holder.clone(), object: object.clone(), key };
        let root = self.current(project, &place("root_node".to_owned()), "root_node");
        let (properties, mut notes) = self.animation(project, node, root.as_deref(), animation)?;
        let id = self.new_resource(project, "Animation", &properties)?;
        let text = format!("SubResource(\"{id}\")");

        let section = self.section_of(&holder);
        let all = section.and_then(|section| self.value(section, LIBRARIES));
        let is_old = all.is_some() || self.version(project) < GodotVersion::godot4(6);
        let key = if is_old { LIBRARIES.to_owned() } else { format!("{LIBRARIES}/{library}") };
        let current = section.and_then(|section| self.value(section, &key));
        let named = match (is_old, &current) {
            (true, Some(all)) => entry(all, library),
            (false, current) => current.clone(),
            (true, None) => None,
        };
        match named
            .as_deref()
            .map(|value| references(value.as_bytes()))
            .unwrap_or_default()
            .as_slice()
        {
            [ResourceRef::Sub(id)] => {
                let section = self.subs.get(id).copied().ok_or_else(|| {
                    EditErrorKind::not_found(format!("the sub_resource `{id}`"), None)
                })?;
                if self.add_to_library(project, section, name, &text)? {
                    notes.push(format!("replaces the animation `{name}` of the library"));
                }
            }
            [ResourceRef::External(id)] => {
                let path = self.exts.get(id).and_then(|section| self.text(*section, "path"));
                let reason = format!(
                    "its library is the file `{}`; choose another `library`",
                    path.unwrap_or_default()
                );
                return Err(EditErrorKind::Refused(reason));
            }
            _ => {
                let inherited =
                    object.base.as_ref().and_then(|base| base.node().value(project, &key));
                if inherited.is_some() {
                    let reason = format!(
                        "its library `{library}` is in the scene that the node comes from; add the animation there, or choose another `library`"
                    );
                    return Err(EditErrorKind::Refused(reason));
                }
                let data = with_entry("{}", name, &text);
                let properties = IndexMap::from([(DATA.to_owned(), ValueSpec::Godot(data))]);
                let id = self.new_resource(project, "AnimationLibrary", &properties)?;
                let mut value = format!("SubResource(\"{id}\")");
                if is_old {
                    value = with_entry(current.as_deref().unwrap_or("{}"), library, &value);
                }
                self.put(project, &place(key), &value)?;
            }
        }
        let what = format!(
            "made the animation `{name}` of `{node}` with {} tracks",
            animation.tracks.len()
        );
        Ok(Outcome { what, id: Some(id), notes, ..Outcome::default() })
    }

    /// Returns whether it replaced one of the same name.
    fn add_to_library(
        &mut self,
        project: &Project,
        section: godot_tscn::SectionId,
        name: &str,
        animation: &str,
    ) -> Result<bool, EditErrorKind> {
        let object = self.resource_object(project, section);
        let data = self.value(section, DATA).unwrap_or_else(|| "{}".to_owned());
        let replaces = entry(&data, name).is_some();
        let data = with_entry(&data, name, animation);
        let (holder, key) = (Holder::Section(section), DATA.to_owned());
        self.put(project, &PropertyPlace { holder, object, key }, &data)?;
        Ok(replaces)
    }

    /// The properties of an animation, in the order in which Godot saves them, and notes.
    fn animation(
        &mut self,
        project: &Project,
        player: &str,
        root: Option<&str>,
        animation: &AnimationSpec,
    ) -> Result<(IndexMap<String, ValueSpec>, Vec<String>), EditErrorKind> {
        let mut properties = IndexMap::new();
        let mut notes = Vec::new();
        let last = animation.tracks.iter().flat_map(|track| &track.keys).map(|key| key.time);
        let last = last.fold(0.0, f64::max);
        let length = animation.length.unwrap_or(if last > 0.0 { last } else { 1.0 });
        if length < last {
            notes.push(format!(
                "a key at {last} is after the end of the animation, whose length is {length}"
            ));
        }
        properties.insert("length".to_owned(), ValueSpec::Json(length.into()));
        let given = [("loop_mode", &animation.loop_mode), ("step", &animation.step)];
        for (key, value) in given {
            properties.extend(value.clone().map(|value| (key.to_owned(), value)));
        }
        let root = root.and_then(|root| {
            let tree = ValueTree::new(root.as_bytes());
            tree.root()
                .inner_text("NodePath")
                .map(|path| String::from_utf8_lossy(&path).into_owned())
        });
        let root = root.unwrap_or_default();
        for (index, track) in animation.tracks.iter().enumerate() {
            let holds = self.track_holds(project, player, &root, track, &mut notes)?;
            for (key, text) in self.track(project, track, &holds)? {
                properties.insert(format!("tracks/{index}/{key}"), ValueSpec::Godot(text));
            }
        }
        Ok((properties, notes))
    }

    /// The type of the values of a track: that of the property at its path.
    fn track_holds(
        &self,
        project: &Project,
        player: &str,
        root: &str,
        track: &TrackSpec,
        notes: &mut Vec<String>,
    ) -> Result<ValueType, EditErrorKind> {
        let (node, keys) = track.path.split_once(':').unwrap_or((&track.path, ""));
        let keys: Vec<String> =
            keys.split(':').filter(|key| !key.is_empty()).map(str::to_owned).collect();
        match track.kind.as_str() {
            "value" | "bezier" if keys.is_empty() => {
                let reason = format!(
                    "the track `{}` does not name a property; write `{node}:property`",
                    track.path
                );
                return Err(EditErrorKind::Refused(reason));
            }
            "position_3d" | "scale_3d" => return Ok(ValueType::Of(VariantType::Vector3)),
            "rotation_3d" => return Ok(ValueType::Of(VariantType::Quaternion)),
            "bezier" | "blend_shape" => return Ok(ValueType::Of(VariantType::Float)),
            "audio" => return Ok(ValueType::of_native(project.classes(), "AudioStream")),
            "animation" => return Ok(ValueType::Of(VariantType::String)),
            "method" => return Ok(ValueType::Any),
            _ => {}
        }
        // Nodes outside the scene, or made by a script, are unknown.
        let path = node_path(&format!("{player}/{root}/{node}")).ok();
        let path = path.and_then(|path| self.plain_path(&path).ok());
        let Some(path) = path.filter(|_| !root.is_empty()) else { return Ok(ValueType::Unknown) };
        let Some(object) = self.node_object(project, &path) else {
            notes.push(format!("the track `{}` does not lead to a node of the scene", track.path));
            return Ok(ValueType::Unknown);
        };
        self.holds_behind(project, Holder::Node(path), object, &track.path, &keys)
    }

    fn holds_behind<'p>(
        &self,
        project: &'p Project,
        mut holder: Holder,
        mut object: Object<'p>,
        at: &str,
        keys: &[String],
    ) -> Result<ValueType, EditErrorKind> {
        let mut rest = keys;
        loop {
            let section = self.section_of(&holder);
            let is_set = |key: &str| section.is_some_and(|own| self.value(own, key).is_some());
            let (key, behind) = object.first_key(rest, is_set);
            let of_script = object.script_variable(&key);
            let property = match of_script {
                Some(property) => property,
                None => object.known_property(&key)?,
            };
            let value = section.and_then(|section| self.value(section, &key));
            match behind {
                [] => return Ok(property.holds),
                [part] if property.is_plain(value.as_deref()) => {
                    return Ok(part_of(&property.holds, part));
                }
                _ if property.holds == ValueType::Unknown => return Ok(ValueType::Unknown),
                _ => {}
            }
            let Ok(inner) = self.step_into(project, at, &key, value.as_deref()) else {
                return Ok(ValueType::Unknown);
            };
            (holder, object) = inner;
            rest = behind;
        }
    }

    /// The properties of a track behind `tracks/0/`.
    fn track(
        &mut self,
        project: &Project,
        track: &TrackSpec,
        holds: &ValueType,
    ) -> Result<Vec<(&'static str, String)>, EditErrorKind> {
        let kind = track.kind.as_str();
        if !KINDS.contains(&kind) {
            let reason =
                format!("`{kind}` is not a valid track type; expected one of {}", KINDS.join(", "));
            return Err(EditErrorKind::Refused(reason));
        }
        let mut keys: Vec<Key<'_>> = Vec::new();
        for spec in &track.keys {
            if !spec.time.is_finite() || spec.time < 0.0 {
                let reason = format!("`{}` is not a valid key time; expected 0 or more", spec.time);
                return Err(EditErrorKind::Refused(reason));
            }
            keys.push(Key { spec, text: self.key_text(project, track, spec, holds)? });
        }
        keys.sort_by(|one, other| one.spec.time.total_cmp(&other.spec.time));
        if let Some(pair) = keys.windows(2).find(|pair| pair[0].spec.time == pair[1].spec.time) {
            let reason =
                format!("the track `{}` has two keys at {}", track.path, pair[0].spec.time);
            return Err(EditErrorKind::Refused(reason));
        }
        let named = |name, given: &Option<Json>, default: i64| match given {
            Some(given) => constant(project, name, given),
            None => Ok(default),
        };
        let interp = named("InterpolationType", &track.interpolation, 1)?;
        let update = named("UpdateMode", &track.update, default_update(holds))?;
        let wrap = track.loop_wrap.unwrap_or(true).to_string();
        let mut all = vec![
            ("type", format!("\"{kind}\"")),
            ("imported", "false".to_owned()),
            ("enabled", "true".to_owned()),
            ("path", format!("NodePath({})", quoted_name(&track.path))),
            ("interp", interp.to_string()),
            ("loop_wrap", wrap),
            ("keys", keys_text(kind, &keys, update)),
        ];
        if kind == "audio" {
            all.push(("use_blend", "true".to_owned()));
        }
        Ok(all)
    }

    /// The text of a key's value.
    fn key_text(
        &mut self,
        project: &Project,
        track: &TrackSpec,
        key: &KeySpec,
        holds: &ValueType,
    ) -> Result<String, EditErrorKind> {
        if track.kind == "method" {
            let Some(method) = &key.method else {
                let reason = format!("a key of the track `{}` has no `method`", track.path);
                return Err(EditErrorKind::Refused(reason));
            };
            let mut args = Vec::new();
            for argument in &key.args {
                args.push(self.text_of_type(project, argument, &ValueType::Any, "args")?.0);
            }
            let method = quoted_name(method);
            return Ok(format!("{{\n\"args\": [{}],\n\"method\": &{method}\n}}", args.join(", ")));
        }
        let Some(value) = &key.value else {
            let reason = format!("a key of the track `{}` has no `value`", track.path);
            return Err(EditErrorKind::Refused(reason));
        };
        Ok(self.text_of_type(project, value, holds, &track.path)?.0)
    }
}

/// The value of `keys` (`Animation::_get`, scene/resources/animation.cpp, 4.6.3).
fn keys_text(kind: &str, keys: &[Key<'_>], update: i64) -> String {
    let floats = |numbers: Vec<f32>| text_of(&Value::PackedFloat32Array(numbers));
    let times = || floats(keys.iter().map(|key| key.spec.time as f32).collect());
    let transitions = || floats(keys.iter().map(|key| key.spec.transition as f32).collect());
    let texts = || keys.iter().map(|key| key.text.as_str()).collect::<Vec<_>>().join(", ");
    match kind {
        "value" => format!(
            "{{\n\"times\": {},\n\"transitions\": {},\n\"update\": {update},\n\"values\": [{}]\n}}",
            times(),
            transitions(),
            texts()
        ),
        "method" => format!(
            "{{\n\"times\": {},\n\"transitions\": {},\n\"values\": [{}]\n}}",
            times(),
            transitions(),
            texts()
        ),
        "bezier" => {
            let modes = text_of(&Value::PackedInt32Array(vec![0; keys.len()]));
            let points = keys.iter().flat_map(|key| {
                let ends = key.spec.handle_in.into_iter().chain(key.spec.handle_out);
                numbers(&key.text).into_iter().take(1).chain(ends.map(|number| number as f32))
            });
            let points = floats(points.collect());
            format!(
                "{{\n\"handle_modes\": {modes},\n\"points\": {points},\n\"times\": {}\n}}",
                times()
            )
        }
        "audio" => {
            let clip = |key: &Key<'_>| {
                format!(
                    "{{\n\"end_offset\": 0.0,\n\"start_offset\": 0.0,\n\"stream\": {}\n}}",
                    key.text
                )
            };
            let clips: Vec<String> = keys.iter().map(clip).collect();
            format!("{{\n\"clips\": [{}],\n\"times\": {}\n}}", clips.join(", "), times())
        }
        "animation" => {
            format!("{{\n\"clips\": PackedStringArray({}),\n\"times\": {}\n}}", texts(), times())
        }
        _ => {
            let each = keys.iter().flat_map(|key| {
                let head = [key.spec.time as f32, key.spec.transition as f32];
                head.into_iter().chain(numbers(&key.text))
            });
            floats(each.collect())
        }
    }
}

/// The numbers of a value: those of a vector, or the one that it is.
fn numbers(text: &str) -> Vec<f32> {
    match godot_tscn::parse_value(text.as_bytes()) {
        Ok(Value::Float(number)) => vec![number as f32],
        Ok(Value::Int(number)) => vec![number as f32],
        Ok(Value::Vector3(numbers)) => numbers.to_vec(),
        Ok(Value::Quaternion(numbers)) => numbers.to_vec(),
        _ => Vec::new(),
    }
}

/// A constant of an enum of `Animation`, by its name or number.
fn constant(project: &Project, name: &str, given: &Json) -> Result<i64, EditErrorKind> {
    if let Some(number) = given.as_i64() {
        return Ok(number);
    }
    let values = project.classes().class("Animation").and_then(|class| class.enum_values(name));
    let values: Vec<(String, i64)> = values
        .into_iter()
        .flatten()
        .map(|(constant, number)| (constant.to_owned(), number))
        .collect();
    let word = given.as_str().unwrap_or_default();
    number_of(&values, word).map_err(|reason| EditErrorKind::WrongValue {
        value: given.to_string(),
        property: "tracks".to_owned(),
        type_name: name.to_owned(),
        reason,
    })
}

/// The changes of values between keys: types without intermediate values change at the keys, as in
/// the editor.
fn default_update(holds: &ValueType) -> i64 {
    let blends = match holds {
        ValueType::Unknown | ValueType::Any => true,
        ValueType::Of(of) => !matches!(
            of,
            VariantType::Bool
                | VariantType::Int
                | VariantType::String
                | VariantType::StringName
                | VariantType::NodePath
        ),
        _ => false,
    };
    i64::from(!blends)
}

/// The type of a part of a value: `x` of a vector.
fn part_of(holds: &ValueType, part: &str) -> ValueType {
    let is_part = matches!(part, "x" | "y" | "z" | "w" | "r" | "g" | "b" | "a");
    match holds {
        ValueType::Of(VariantType::Vector2i | VariantType::Vector3i | VariantType::Vector4i)
            if is_part =>
        {
            ValueType::Of(VariantType::Int)
        }
        ValueType::Of(
            VariantType::Vector2
            | VariantType::Vector3
            | VariantType::Vector4
            | VariantType::Color
            | VariantType::Quaternion,
        ) if is_part => ValueType::Of(VariantType::Float),
        _ => ValueType::Unknown,
    }
}

/// The value of a name in a dictionary.
fn entry(dictionary: &str, name: &str) -> Option<String> {
    let tree = ValueTree::new(dictionary.as_bytes());
    let mut entries = tree.root().entries();
    let found = entries.find(|(key, _)| name_of(*key).as_deref() == Some(name));
    found.map(|(_, value)| String::from_utf8_lossy(value.source()).into_owned())
}

/// A dictionary in which a name has a value, by names as Godot sorts them. Keys that are not texts stay behind them.
fn with_entry(dictionary: &str, name: &str, value: &str) -> String {
    let tree = ValueTree::new(dictionary.as_bytes());
    let lossy = |part: PartRef<'_>| String::from_utf8_lossy(part.source()).into_owned();
    let (mut named, mut others) = (Vec::new(), Vec::new());
    for (key, value) in tree.root().entries() {
        match name_of(key) {
            Some(known) if known == name => {}
            Some(known) => named.push((known, lossy(value))),
            None => others.push(format!("{}: {}", lossy(key), lossy(value))),
        }
    }
    named.push((name.to_owned(), value.to_owned()));
    named.sort();
    let named = named.iter().map(|(name, value)| format!("&{}: {value}", quoted_name(name)));
    let lines: Vec<String> = named.chain(others).collect();
    format!("{{\n{}\n}}", lines.join(",\n"))
}

fn name_of(part: PartRef<'_>) -> Option<String> {
    part.text().map(|text| String::from_utf8_lossy(&text).into_owned())
}
