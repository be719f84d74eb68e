//! Refused and accepted contents.

use crate::{AllowList, SafetyOptions, safety};

/// A scene with resources and nodes.
fn scene(rest: &str) -> String {
    format!("[gd_scene format=3]\n\n{rest}")
}

fn root(class: &str, properties: &str) -> String {
    scene(&format!("[node name=\"A\" type=\"{class}\"]\n{properties}\n"))
}

/// The reasons against a text.
fn reasons(text: &str) -> Vec<String> {
    let found = safety(text.as_bytes(), &SafetyOptions::default());
    assert_eq!(found.is_safe, found.reasons.is_empty(), "{text}");
    found.reasons.into_iter().map(|reason| format!("{} {}", reason.code, reason.message)).collect()
}

#[track_caller]
fn is_safe(text: &str) {
    assert_eq!(reasons(text), [] as [&str; 0], "{text}");
}

/// `expected` is a part of one of the reasons.
#[track_caller]
fn is_refused(text: &str, expected: &str) {
    let reasons = reasons(text);
    assert!(
        reasons.iter().any(|reason| reason.contains(expected)),
        "{expected}: {reasons:#?}\n{text}"
    );
}

#[test]
fn plain_properties() {
    is_safe(&root(
        "Sprite2D",
        "position = Vector2(1, 2)\nframe = 3\nvisible = false\nmodulate = Color(1, 0, 0, 1)",
    ));
    is_safe(&root("Label", "text = \"Hello [b]\"\nmetadata/a = {\"b\": [1, 2.5, null]}"));
    is_safe(&root("Timer", "wait_time = 0.5\nautostart = true"));
    is_refused(&root("HTTPRequest", ""), "the class `HTTPRequest` is not known to be harmless");
    is_refused(&root("Texture2D", ""), "the class `Texture2D` is not known to be harmless");
    is_refused(&root("Gradient", ""), "the class `Gradient` is not known to be harmless");
    for (property, reason) in [
        ("scene_file_path = \"user://a.tscn\"", "the property `scene_file_path` of `Sprite2D`"),
        ("multiplayer = null", "the property `multiplayer`"),
        ("texture/x = null", "the property `texture/x`"),
        ("metadata/_custom_type_script = \"a\"", "the property `metadata/_custom_type_script`"),
        (
            "position = Vector2(nan, 0)",
            "`position` is known to be harmless only as `Vector2` of numbers from",
        ),
        ("position = Vector2(1e30, 0)", "`position` is known"),
        ("position = 5", "`position` is known"),
        ("frame = 1.5", "`frame` is known"),
        ("visible = 1", "`visible` is known"),
        ("frame = 1\nframe = 2", "duplicate property"),
        ("metadata/a = Callable()", "`metadata/a` is known to be harmless only as plain data"),
        ("metadata/a = RID()", "`metadata/a` is known"),
        ("metadata/a = Array[Node]([])", "`metadata/a` is known"),
        ("script = null\nscript/source = \"a\"", "the property `script/source`"),
    ] {
        is_refused(&root("Sprite2D", property), reason);
    }
    let deep = format!("metadata/a = {}{}", "[".repeat(20), "]".repeat(20));
    is_refused(&root("Node", &deep), "at most 16 levels deep");
}

/// Texts that made Godot 4.6.3 hang or confuse its own nodes.
#[test]
fn what_kept_the_engine_busy() {
    is_refused(&root("Button", "expand_icon = true"), "the property `expand_icon`");
    is_refused(&root("ShapeCast2D", ""), "ShapeCast2D");
    is_refused(&root("VFlowContainer", ""), "VFlowContainer");
    is_refused(&root("RichTextLabel", "fit_content = true"), "the property `fit_content`");
    is_refused(&root("CPUParticles2D", "speed_scale = 64.0"), "`speed_scale` is known");
    let transform = "variation_transform = Transform2D(9, 0, 0, 9, 0, 0)";
    let resource = |class: &str, property: &str| {
        format!("[gd_resource type=\"{class}\" format=3]\n\n[resource]\n{property}\n")
    };
    is_refused(&resource("FontVariation", transform), "the property `variation_transform`");
    is_refused(&resource("HeightMapShape3D", "map_width = 3"), "the class `HeightMapShape3D`");
    for name in ["_v_scroll", "_focus", "@ScrollBar@2"] {
        for class in [" type=\"Label\"", ""] {
            let text = root("ScrollContainer", "")
                + &format!("\n[node name=\"{name}\"{class} parent=\".\"]\n");
            is_refused(&text, "Godot does not use such a node name");
        }
    }
    is_refused(&root("Label", &format!("text = \"{}\"", "ꙮa".repeat(200))), "`characters` is");
    let polygon = format!("polygon = PackedVector2Array({})", ["0"; 500].join(", "));
    is_safe(&root("Polygon2D", &polygon));
    let polygons = |count: usize| {
        let node = |number: usize| {
            format!("[node name=\"P{number}\" type=\"Polygon2D\" parent=\".\"]\n{polygon}\n\n")
        };
        root("Node2D", "\n") + &(0..count).map(node).collect::<String>()
    };
    is_safe(&polygons(1));
    is_refused(&polygons(2), "`points` is");
    is_refused(&root("NavigationObstacle2D", "vertices = PackedVector2Array()"), "`vertices`");
    is_refused(&root("CPUParticles2D", "speed_scale = 0.0"), "`speed_scale` is known");
    let modulates = |count: usize| {
        let node = |number: usize| {
            format!("[node name=\"M{number}\" type=\"CanvasModulate\" parent=\".\"]\n\n")
        };
        root("Node2D", "\n") + &(0..count).map(node).collect::<String>()
    };
    is_safe(&modulates(32));
    is_refused(&modulates(33), "`effects` is");
}

/// A few lines may ask for work that grows with the square of the things that they name.
#[test]
fn what_grows_with_its_square() {
    let labels = |count: usize| {
        let node = |size: usize| {
            format!(
                "[node name=\"L{size}\" type=\"Label\" parent=\".\"]\ntext = \"a\"\n\
                 theme_override_font_sizes/font_size = {}\n\n",
                100 + size
            )
        };
        root("Node2D", "\n") + &(0..count).map(node).collect::<String>()
    };
    is_safe(&labels(10));
    is_refused(&labels(40), "`pixels` is");
    let mesh = |triangles: usize| {
        let all: Vec<String> = (0..triangles)
            .map(|number| {
                let first = 3 * number;
                format!("PackedInt32Array({first}, {}, {})", first + 1, first + 2)
            })
            .collect();
        let vertices = vec!["0"; 6 * triangles].join(", ");
        format!(
            "[gd_resource type=\"NavigationPolygon\" format=3]\n\n[resource]\n\
             vertices = PackedVector2Array({vertices})\npolygons = [{}]\n",
            all.join(", ")
        )
    };
    is_safe(&mesh(400));
    is_refused(&mesh(600), "`pairs` is");
    let library = |names: usize| {
        let names: Vec<String> =
            (0..names).map(|number| format!("\"n{number}\": SubResource(\"1\")")).collect();
        format!(
            "[gd_resource type=\"AnimationLibrary\" format=3]\n\n[sub_resource type=\"Animation\" id=\"1\"]\n\n\
             [resource]\n_data = {{\n{}\n}}\n",
            names.join(",\n")
        )
    };
    is_safe(&library(900));
    is_refused(&library(1_100), "`resources` is");
}

/// A shape belongs to the body above it: as a root, to one of the game.
#[test]
fn roots_are_no_part_of_what_they_hang_below() {
    for class in
        ["CollisionShape2D", "CollisionShape3D", "CollisionPolygon2D", "CollisionPolygon3D"]
    {
        is_refused(&root(class, ""), "is a part of the node above it");
        let base = if class.ends_with("2D") { "StaticBody2D" } else { "StaticBody3D" };
        let below =
            root(base, "") + &format!("\n[node name=\"B\" type=\"{class}\" parent=\".\"]\n");
        is_safe(&below);
    }
}

#[test]
fn tags_hold_text() {
    for (tag, reason) in [
        (
            "[ext_resource type=NodePath(\"Script\") path=\"user://a.gd\" id=\"1\"]",
            "the value of `type`",
        ),
        (
            "[ext_resource type=\"Texture2D\" path=NodePath(\"user://a.gd\") id=\"1\"]",
            "the value of `path`",
        ),
        ("[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=1]", "the value of `id`"),
        (
            "[ext_resource type=\"Texture2D\" path=\"res://a.bin\" id=\"1\"]",
            "the file `res://a.bin`",
        ),
        (
            "[ext_resource type=\"GDScript\" path=\"res://a.png\" id=\"1\"]",
            "the file `res://a.png`",
        ),
        ("[ext_resource type=\"A\" type=\"B\" path=\"res://a.png\" id=\"1\"]", "duplicate field"),
        ("[sub_resource type=NodePath(\"Gradient\") id=\"1\"]", "the value of `type`"),
        ("[sub_resource type=\"Gradient\" id=\"1\" path=\"user://a\"]", "the field `path`"),
        ("[strange a=1]", "the tag is not valid in a scene or resource"),
        (
            "[node name=\"A\" type=\"Node\" instance_placeholder=\"res://a.tscn\"]",
            "the field `instance_placeholder`",
        ),
        ("[node name=\"A\" type=\"Node\" groups=[\"_viewports\"]]", "the value of `groups`"),
        ("[node name=\"A\" type=\"Node\" groups=[1]]", "the value of `groups`"),
        ("[node name=\"..\" type=\"Node\"]", "Godot does not use such a node name"),
        ("[node name=\"A\" instance=SubResource(\"1\")]", "the value of `instance`"),
    ] {
        is_refused(&scene(&format!("{tag}\n")), reason);
    }
    is_refused(
        &scene(
            "[node name=\"A\" type=\"Node\"]\n[node name=\"B\" type=\"Node\" parent=\"../B\"]\n",
        ),
        "`parent` is not a plain path",
    );
    is_refused(
        "[gd_scene format=2]\n[node name=\"A\" type=\"Node\"]\n",
        "the format is not 3 or 4",
    );
    is_refused("[gd_resource type=\"GDScript\" format=3]\n[resource]\n", "the class `GDScript`");
}

#[test]
fn resources() {
    let file = |property: &str| {
        scene(&format!(
            "[sub_resource type=\"Gradient\" id=\"1\"]\noffsets = PackedFloat32Array(0, 1)\n\n\
             [sub_resource type=\"GradientTexture2D\" id=\"2\"]\ngradient = SubResource(\"1\")\n\n\
             [node name=\"A\" type=\"Sprite2D\"]\n{property}\n"
        ))
    };
    is_safe(&file("texture = SubResource(\"2\")"));
    is_safe(&file("texture = null\nmetadata/a = [SubResource(\"1\")]"));
    is_refused(&file("texture = SubResource(\"1\")"), "a resource of the class `Texture2D`");
    is_refused(&file("texture = SubResource(\"3\")"), "a resource of the class `Texture2D`");
    is_refused(&file("texture = Resource(\"res://a.png\")"), "a resource of the class `Texture2D`");
    is_refused(
        &file("texture = Object(Gradient,\"resource_name\":\"a\")"),
        "a resource of the class `Texture2D`",
    );
    let svg = "[sub_resource type=\"DPITexture\" id=\"1\"]\n_source = \"<svg/>\"\n[node name=\"A\" type=\"Node\"]\n";
    is_refused(&scene(svg), "the class `DPITexture`");
    let frames = "[gd_resource type=\"SpriteFrames\" format=3]\n[resource]\nanimations = [{\n\"frames\": [{\n\
                  \"duration\": 1.0,\n\"texture\": null\n}],\n\"loop\": true,\n\"name\": &\"default\",\n\"speed\": 5.0\n}]\n";
    is_safe(frames);
    is_refused(&frames.replace("5.0", "inf"), "animations of frames");
    is_refused(&frames.replace("\"loop\"", "\"lop\""), "animations of frames");
}

/// A scene with an animation that a player at the root, or below it, plays.
fn animated(track: &str, player: &str) -> String {
    scene(&format!(
        "[sub_resource type=\"Animation\" id=\"1\"]\n{track}\n\n[sub_resource type=\"AnimationLibrary\" id=\"2\"]\n\
         _data = {{\n&\"a\": SubResource(\"1\")\n}}\n\n[node name=\"A\" type=\"Sprite2D\"]\n\n\
         [node name=\"L\" type=\"RichTextLabel\" parent=\".\"]\n\n[node name=\"T\" type=\"Label\" parent=\".\"]\n\n\
         [node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{\n&\"\": SubResource(\"2\")\n}}\n{player}\n"
    ))
}

fn value_track(path: &str, update: u32, values: &str) -> String {
    let count = values.matches(',').count() + 1;
    let numbers = vec!["0"; count].join(", ");
    format!(
        "tracks/0/type = \"value\"\ntracks/0/path = NodePath(\"{path}\")\ntracks/0/keys = {{\n\"times\": PackedFloat32Array({numbers}),\n\
         \"transitions\": PackedFloat32Array({numbers}),\n\"update\": {update},\n\"values\": [{values}]\n}}"
    )
}

#[test]
fn tracks() {
    for (path, update, values) in [
        (".:visible", 1, "true, false"),
        (".:frame", 0, "1, 2"),
        (".:region_enabled", 1, "true, false"),
        ("T:self_modulate:a", 0, "0, 0.5"),
    ] {
        is_safe(&animated(&value_track(path, update, values), ""));
    }
    for (path, update, values) in [
        (".:metadata/t:advance_expression", 1, "\"a\""),
        (".:metadata/g:resource_path", 1, "\"res://a\""),
        (".:multiplayer:allow_object_decoding", 1, "true"),
        ("L:text", 1, "\"a\""),
        ("T:text", 1, "\"a\""),
        ("T:tooltip_text", 1, "\"a\""),
        ("T:uppercase", 1, "true"),
        (".:build_mode", 1, "1"),
        (".:invert_border", 1, "1.5"),
        ("T:text", 0, "\"[hmg]\", \"[jmg]\""),
        (".:position", 0, "1, 2"),
        ("../Sibling:visible", 1, "true"),
        ("%T:visible", 1, "true"),
        ("T/%L:visible", 1, "true"),
        ("/root/Game:visible", 1, "true"),
        (".:script", 1, "null"),
        (".", 1, "null"),
        (".:visible", 1, "5"),
        (".:position:z", 0, "5"),
        (".:visible", 2, "true"),
        (".:visible", 3, "true"),
        ("P:libraries", 1, "{}"),
        ("P:root_node", 1, "NodePath(\"..\")"),
        ("P:libraries/", 1, "SubResource(\"2\")"),
        ("P:libraries/a", 1, "SubResource(\"2\")"),
        ("T:unique_name_in_owner", 1, "true"),
        ("P:active", 1, "true"),
        ("P:deterministic", 1, "true"),
        ("P:callback_mode_process", 1, "1"),
    ] {
        let text = animated(&value_track(path, update, values), "");
        assert!(!reasons(&text).is_empty(), "{path}: {text}");
    }
    let method = animated(
        "tracks/0/type/x = \"method\"\ntracks/0/path/x = NodePath(\".\")\ntracks/0/keys = {}",
        "",
    );
    is_refused(&method, "the property `tracks/0/type/x`");
    let method = animated(
        "tracks/0/type = \"method\"\ntracks/0/path = NodePath(\".\")\ntracks/0/keys = {}",
        "",
    );
    is_refused(&method, "tracks of the type `method`");
}

#[test]
fn animations_start_inside_the_scene() {
    let track = value_track("A:visible", 1, "true");
    is_refused(
        &animated(&track, "root_node = NodePath(\"../..\")"),
        "`NodePath` of a node inside the scene",
    );
    is_refused(
        &animated(&track, "root_node = NodePath(\"/root\")"),
        "`NodePath` of a node inside the scene",
    );
    let at_root = scene("[node name=\"P\" type=\"AnimationPlayer\"]\n");
    is_refused(&at_root, "the animations start from a node outside the scene");
    let inside = animated(&track, "")
        .replace("libraries = {\n&\"\": SubResource(\"2\")\n}", "libraries/ = SubResource(\"2\")");
    is_refused(&animated(&value_track("..:visible", 1, "true"), ""), "a node outside the scene");
    is_refused(
        &inside.replace("NodePath(\"A:visible\")", "NodePath(\"..:visible\")"),
        "a node outside the scene",
    );
    is_safe(&scene("[node name=\"P\" type=\"AnimationPlayer\"]\nroot_node = NodePath(\".\")\n"));
}

#[test]
fn connections() {
    let file = |signal: &str, method: &str| {
        scene(&format!(
            "[node name=\"A\" type=\"Node2D\"]\n\n[node name=\"T\" type=\"Timer\" parent=\".\"]\n\n\
             [connection signal=\"{signal}\" from=\"T\" to=\".\" method=\"{method}\"]\n"
        ))
    };
    is_safe(&file("timeout", "hide"));
    is_refused(
        &file("visibility_changed", "hide"),
        "connections of the signal `visibility_changed`",
    );
    is_refused(&file("finished", "hide"), "connections of the signal `finished`");
    is_refused(&file("toggled", "hide"), "connections of the signal `toggled`");
    is_refused(&file("timeout", "queue_free"), "calls of `queue_free`");
    is_refused(&file("timeout", "play"), "calls of `play`");
    let alone = "[connection signal=\"ready\" from=\"A/B\" to=\".\" method=\"hide\"]\n";
    is_refused(&scene(alone), "the node with the signal is not in the file");
}

#[test]
fn what_is_too_much() {
    let texture = |size: u32| {
        format!(
            "[gd_resource type=\"GradientTexture2D\" format=3]\n[resource]\nwidth = {size}\nheight = {size}\n"
        )
    };
    is_safe(&texture(1024));
    is_refused(&texture(2048), "`pixels` is");
    is_refused(&texture(16384), "a whole number from 1 to 4096");
    let many = (0..8).fold("[gd_scene format=3]\n".to_owned(), |text, id| {
        format!("{text}[sub_resource type=\"GradientTexture2D\" id=\"{id}\"]\nwidth = 4096\nheight = 4096\n")
    });
    is_refused(&format!("{many}[node name=\"A\" type=\"Node\"]\n"), "`pixels` is");
    let path = |interval: &str| {
        format!(
            "[gd_resource type=\"Curve2D\" format=3]\n[resource]\nbake_interval = {interval}\n_data = {{\n\"points\": \
                 PackedVector2Array(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100000, 0)\n}}\npoint_count = 2\n"
        )
    };
    is_safe(&path("5.0"));
    is_refused(&path("0.01"), "`points` is");
    let materials = (1..20).fold("[gd_scene format=3]\n[sub_resource type=\"StandardMaterial3D\" id=\"0\"]\n".to_owned(), |text, id| {
        format!("{text}[sub_resource type=\"StandardMaterial3D\" id=\"{id}\"]\nnext_pass = SubResource(\"{}\")\n", id - 1)
    });
    is_refused(
        &format!("{materials}[node name=\"A\" type=\"Node\"]\n"),
        "resources are nested more than 12 levels deep",
    );
}

/// A node that replaces another one would be the target of its tracks and calls.
#[test]
fn nodes_take_no_places() {
    let file = |nodes: &str| {
        scene(&format!(
            "[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\n\n\
             [node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n\n{nodes}\n"
        ))
    };
    is_safe(&file(
        "[node name=\"C\" parent=\"B\"]\n\n[node name=\"D\" type=\"Node\" parent=\".\"]",
    ));
    for (nodes, reason) in [
        (
            "[node name=\"X\" type=\"Label\" parent=\"B\"]",
            "added to a node that the file does not create",
        ),
        (
            "[node name=\"X\" type=\"Label\" parent=\"B/Y\"]",
            "added to a node that the file does not create",
        ),
        (
            "[node name=\"X\" parent=\"B\" instance=ExtResource(\"1\")]",
            "added to a node that the file does not create",
        ),
        (
            "[node name=\"X\" type=\"Label\" parent=\"Z\"]",
            "added to a node that the file does not create",
        ),
        (
            "[node name=\"X\" type=\"Label\" parent=\".\" parent_id_path=PackedInt32Array(6)]",
            "added to a node",
        ),
        ("[node name=\"X\" type=\"Label\" parent=\".\" owner=\"B\"]", "the field `owner`"),
        ("[node name=\"X\" type=\"Label\"]", "added to a node that the file does not create"),
        (
            "[node name=\"B\" type=\"Label\" parent=\".\"]",
            "two nodes have the same name and parent",
        ),
    ] {
        is_refused(&file(nodes), reason);
    }
}

/// On nodes with their class in another file, only the properties of every node.
#[test]
fn nodes_of_other_scenes() {
    let file = |property: &str| {
        scene(&format!(
            "[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\n\n\
             [node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\nposition = Vector2(1, 2)\n\n\
             [node name=\"C\" parent=\"B\"]\n{property}\n"
        ))
    };
    is_safe(&file("visible = false\nscale = Vector3(1, 1, 1)\nrotation = 0.5"));
    for (property, reason) in [
        ("text = \"a\"", "the property `text` of a node of another scene"),
        ("script = null", "the property `script` of a node of another scene"),
        ("root_node = NodePath(\".\")", "the property `root_node`"),
        ("unique_name_in_owner = false", "the property `unique_name_in_owner`"),
        ("metadata/next = \"a\"", "the property `metadata/next`"),
    ] {
        is_refused(&file(property), reason);
    }
}

#[test]
fn nodes_that_enlarge_each_other() {
    let nested = |scale: f64| {
        let node = |depth: usize| {
            let parent = if depth == 1 { ".".to_owned() } else { vec!["N"; depth - 1].join("/") };
            format!(
                "[node name=\"N\" type=\"Node2D\" parent=\"{parent}\"]\nscale = Vector2({scale}, 1)\n"
            )
        };
        scene(&format!(
            "[node name=\"A\" type=\"Node2D\"]\n{}",
            (1..=8).map(node).collect::<String>()
        ))
    };
    is_safe(&nested(2.0));
    is_refused(&nested(3.0), "`enlargement` is");
    let track = |largest: f64| {
        value_track(".:scale", 0, "1, 2")
            .replace("[1, 2]", &format!("[Vector2(1, 1), Vector2(0, {largest})]"))
    };
    is_safe(&animated(&track(100.0), ""));
    is_refused(&animated(&track(10_000.0), ""), "`enlargement` is");
}

/// Shapes that may all meet.
#[test]
fn physics() {
    let bodies = |class: &str, count: usize, shape: &str| {
        let body = |number: usize| {
            format!(
                "[node name=\"B{number}\" type=\"{class}\" parent=\".\"]\n\
                 [node name=\"S\" type=\"CollisionShape3D\" parent=\"B{number}\"]\nshape = SubResource(\"1\")\n"
            )
        };
        let bodies: String = (0..count).map(body).collect();
        scene(&format!("[sub_resource {shape}\n[node name=\"A\" type=\"Node3D\"]\n{bodies}"))
    };
    let sphere = "type=\"SphereShape3D\" id=\"1\"]";
    is_safe(&bodies("RigidBody3D", 128, sphere));
    is_refused(&bodies("RigidBody3D", 129, sphere), "`moving_shapes` is 129, more than 128");
    is_refused(&bodies("RigidBody3D", 200, sphere), "`pairs` is");
    is_safe(&bodies("StaticBody3D", 900, sphere));
    is_refused(&bodies("StaticBody3D", 1001, sphere), "`nodes` is 2003, more than 2000");
    let triangles = ["0"; 9 * 4000].join(", ");
    let ground =
        format!("type=\"ConcavePolygonShape3D\" id=\"1\"]\ndata = PackedVector3Array({triangles})");
    is_safe(&bodies("StaticBody3D", 1, &ground));
    is_refused(&bodies("RigidBody3D", 10, &ground), "`pairs` is");
    let with = |class: &str, count: usize| {
        let nodes = (0..count)
            .map(|number| format!("[node name=\"C{number}\" type=\"{class}\" parent=\".\"]\n"));
        bodies("StaticBody3D", 20, sphere) + &nodes.collect::<String>()
    };
    is_safe(&with("RayCast3D", 64));
    is_refused(&with("RayCast3D", 65), "`rays` is 65, more than 64");
    let points = ["0, 1, 2"; 48].join(", ");
    let hull =
        format!("type=\"ConvexPolygonShape3D\" id=\"1\"]\npoints = PackedVector3Array({points})");
    is_safe(&bodies("StaticBody3D", 20, &hull));
    is_safe(&bodies("RigidBody3D", 1, &hull));
    is_refused(&bodies("RigidBody3D", 3, &hull), "`pairs` is");
    is_safe(&with("NavigationLink3D", 64));
    is_refused(&with("NavigationLink3D", 65), "`links` is 65, more than 64");
}

#[test]
fn properties_of_listed_scripts() {
    let text = scene(
        "[ext_resource type=\"Script\" path=\"res://door.gd\" id=\"1\"]\n\n[node name=\"A\" type=\"Node2D\"]\n\
         script = ExtResource(\"1\")\nlocked = true\n",
    );
    let mut list =
        AllowList { paths: Some(vec!["res://door.gd".to_owned()]), ..AllowList::default() };
    let is_safe = |list: &AllowList| {
        let options = SafetyOptions { allow_list: Some(list), ..SafetyOptions::default() };
        safety(text.as_bytes(), &options).is_safe
    };
    assert!(!is_safe(&list));
    list.properties = Some(["locked".to_owned()].into());
    assert!(is_safe(&list));
    list.paths = Some(Vec::new());
    assert!(!is_safe(&list));
}

/// The same letters are more pixels if they are larger.
#[test]
fn letters_are_as_large_as_the_largest_of_the_file() {
    let text = |before: &str, properties: &str, letters: u32| {
        let text: String =
            ('A'..).filter(|letter| letter.is_alphabetic()).take(letters as usize).collect();
        scene(&format!("{before}[node name=\"A\" type=\"Label\"]\ntext = \"{text}\"\n{properties}"))
    };
    let settings =
        "[sub_resource type=\"LabelSettings\" id=\"1\"]\nfont_size = 192\noutline_size = 32\n\n";
    is_safe(&text("", "", 500));
    for (before, properties) in [
        ("", "theme_override_font_sizes/font_size = 192"),
        (settings, "label_settings = SubResource(\"1\")"),
    ] {
        is_safe(&text(before, properties, 80));
        is_refused(&text(before, properties, 500), "`pixels` is");
    }
    let outline = "theme_override_constants/shadow_outline_size = 1024";
    is_refused(&text("", outline, 1), "`theme_override_constants/shadow_outline_size` is known");
}

/// Scenes of a player's file and the things that they draw from other files.
#[test]
fn what_other_files_hold_is_drawn_as_often_as_theirs() {
    let text = |class: &str, node: &str| {
        scene(&format!(
            "[ext_resource type=\"Resource\" path=\"user://a.tres\" id=\"1\"]\n\n\
             [sub_resource type=\"MultiMesh\" id=\"2\"]\nmesh = ExtResource(\"1\")\ninstance_count = 100\n\n\
             [sub_resource type=\"AnimationLibrary\" id=\"3\"]\n_data = {{\"a\": ExtResource(\"1\")}}\n\n\
             [node name=\"A\" type=\"Node3D\"]\n\n[node name=\"B\" type=\"{class}\" parent=\".\"]\n{node}\n\n\
             [node name=\"C\" type=\"{class}\" parent=\".\"]\n{node}\n"
        ))
    };
    let list = AllowList { paths: Some(vec!["user://".to_owned()]), ..AllowList::default() };
    let options = SafetyOptions { allow_list: Some(&list), ..SafetyOptions::default() };
    for (class, node, expected) in [
        ("MeshInstance3D", "mesh = ExtResource(\"1\")", 2),
        ("MultiMeshInstance3D", "multimesh = SubResource(\"2\")", 200),
        ("CPUParticles3D", "mesh = ExtResource(\"1\")\namount = 50", 100),
        ("AnimationPlayer", "libraries = {\"\": SubResource(\"3\")}", 2),
        (
            "AnimationPlayer",
            "libraries/a = ExtResource(\"1\")\nlibraries/b = SubResource(\"3\")",
            4,
        ),
        ("MeshInstance3D", "visible = false", 0),
    ] {
        let found = safety(text(class, node).as_bytes(), &options);
        let uses = found.weight.uses.get("user://a.tres").map_or(0, |uses| uses.count);
        assert_eq!((uses, found.is_safe), (expected, true), "{class} {node} {:?}", found.reasons);
    }
}

#[test]
fn keys_count_as_often_as_they_are_played() {
    let players = |tracks: usize| {
        let track = |number| {
            let track = value_track("A0:visible", 1, "true");
            track.replace("tracks/0/", &format!("tracks/{number}/")) + "\n"
        };
        let tracks: String = (0..tracks).map(track).collect();
        let player = |number| {
            format!(
                "[node name=\"A{number}\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{\"\": SubResource(\"2\")}}\n\n"
            )
        };
        let players: String = (0..10).map(player).collect();
        scene(&format!(
            "[sub_resource type=\"Animation\" id=\"1\"]\n{tracks}\n\
             [sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {{\"a\": SubResource(\"1\")}}\n\n\
             [node name=\"A\" type=\"Node2D\"]\n\n{players}"
        ))
    };
    let weight = |tracks| safety(players(tracks).as_bytes(), &SafetyOptions::default()).weight;
    let (one, many) = (weight(1), weight(101));
    let keys = |weight: &crate::Weight| weight.each.get(crate::Thing::Keys);
    assert_eq!((keys(&many), keys(&one)), (101 * keys(&one), keys(&one)), "{many:?}");
    assert!(keys(&one) >= 20);
}

#[test]
fn meshes_count_as_often_as_they_are_drawn() {
    let particles = |amount: u32, rings: u32| {
        scene(&format!(
            "[sub_resource type=\"TorusMesh\" id=\"1\"]\nrings = {rings}\nring_segments = {rings}\n\n\
             [sub_resource type=\"MultiMesh\" id=\"2\"]\nmesh = SubResource(\"1\")\ninstance_count = {amount}\n\n\
             [node name=\"A\" type=\"MultiMeshInstance3D\"]\nmultimesh = SubResource(\"2\")\n\n\
             [node name=\"B\" type=\"CPUParticles3D\" parent=\".\"]\nmesh = SubResource(\"1\")\namount = {amount}\n"
        ))
    };
    is_safe(&particles(100, 16));
    is_refused(&particles(100, 64), "`vertices` is");
    is_refused(&particles(5000, 3), "`particles` is 10000, more than 8192");
}

/// The weight of a file with many lines of one kind.
#[test]
fn what_is_repeated_is_counted() {
    let nodes = |count: usize, node: &str| {
        let nodes = (0..count).map(|number| node.replace('#', &number.to_string()) + "\n");
        root("Control", "\n") + &nodes.collect::<String>()
    };
    let properties = |class: &str, count: usize, property: &str| {
        let lines = (0..count).map(|number| property.replace('#', &number.to_string()) + "\n");
        root(class, &lines.collect::<String>())
    };
    let control = "[node name=\"N#\" type=\"Control\" parent=\".\"]";
    is_safe(&nodes(499, control));
    is_refused(&nodes(500, control), "`controls` is 501, more than 500");
    let timer = "[node name=\"N#\" type=\"Timer\" parent=\".\"]";
    is_refused(&nodes(33, timer), "`timers` is 33, more than 32");
    let first = "[node name=\"N#\" type=\"Control\" parent=\".\" index=\"0\"]";
    is_refused(&nodes(1, first), "a new node has an `index`");
    is_refused(&nodes(51, "[editable path=\".\"]"), "`editable` is 51, more than 50");
    let ready = "[connection signal=\"ready\" from=\".\" to=\".\" method=\"hide\" flags=#]";
    is_refused(&nodes(201, ready), "`connections` is 201, more than 200");
    is_refused(&properties("Node", 1001, "metadata/m# = 1"), "`metadata` is 1001, more than 1000");
    let constant = "theme_override_constants/c# = 1";
    is_refused(&properties("Label", 1001, constant), "`theme_items` is 1001, more than 1000");
    let theme = properties("Node", 1001, "A/constants/c# = 1")
        .replace("[gd_scene format=3]", "[gd_resource type=\"Theme\" format=3]")
        .replace("[node name=\"A\" type=\"Node\"]", "[resource]");
    is_refused(&theme, "`theme_items` is 1001, more than 1000");
    let groups = vec!["\"g\""; 501].join(", ");
    let groups = scene(&format!("[node name=\"A\" type=\"Node\" groups=[{groups}]]\n"));
    is_refused(&groups, "`groups` is 501, more than 500");
    let long = root("Node", &format!("editor_description = \"{}\"", "a".repeat(5000)));
    is_refused(&long, "text of at most 4096 bytes");
}

#[test]
fn options_raise_the_budget() {
    let text = root("Node", "metadata/a = 1\nmetadata/b = 1");
    let is_safe = |most| {
        let mut budget = crate::Budget::default();
        budget.set(crate::Thing::Metadata, most);
        let options = SafetyOptions { budget: Some(&budget), ..SafetyOptions::default() };
        safety(text.as_bytes(), &options).is_safe
    };
    assert!(is_safe(2) && !is_safe(1));
}

/// Godot finds nodes by their ids, so that those of another name may be any node.
#[test]
fn nodes_are_what_they_seem() {
    let twice = scene(
        "[node name=\"A\" type=\"Node\" unique_id=1]\n\n[node name=\"B\" type=\"Node\" parent=\".\" unique_id=1]\n",
    );
    is_refused(&twice, "two nodes have the same `unique_id`");
    let loose = scene("[node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\"]\n");
    is_refused(&loose, "neither a class nor an instance");
    let parts = |count: usize| {
        let part =
            |number| format!("[node name=\"P{number}\" parent=\"B\"]\nscale = Vector2(4, 4)\n\n");
        let parts: String = (0..count).map(part).collect();
        scene(&format!(
            "[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\n\n\
             [node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n\n{parts}"
        ))
    };
    is_safe(&parts(5));
    is_refused(&parts(6), "`enlargement` is");
}
