//! One thing of the budget, as much as there may be of it, in the way that costs the engine most.

use std::fmt::Write as _;

use crate::limits::COUNTS;

/// What is written: the names are those of the functions below, and of things.
pub(crate) const NAMES: [&str; 27] = [
    "rays_shapes_2d",
    "rays_shapes_3d",
    "rigid_static_3d",
    "areas_static_2d",
    "groups",
    "metadata",
    "theme",
    "overrides",
    "tiles",
    "tile_layers",
    "frames",
    "keys",
    "lines",
    "polygons",
    "rays_2d",
    "rays_3d",
    "rigid_2d",
    "areas_2d",
    "areas_3d",
    "hulls_3d",
    "collision_polygons",
    "materials",
    "pixels",
    "noise",
    "particles",
    "sounds",
    "navigation",
];

/// The file for a name: `count` of the largest of [`COUNTS`] says how full it is.
pub(crate) fn text(name: &str, count: usize) -> String {
    let share = |most: usize| (most * count / COUNTS[COUNTS.len() - 1]).max(1);
    let scene = |rest: &str| format!("[gd_scene format=3]\n\n{rest}");
    match name {
        "groups" => {
            let groups = list(share(500), |number| format!("\"g{number}\""));
            scene(&format!("[node name=\"R\" type=\"Node\" groups=[{groups}]]\n"))
        }
        "metadata" => {
            let lines =
                lines(share(1000), |number| format!("metadata/m{number} = [1, {{\"a\": 2}}]\n"));
            scene(&format!("[node name=\"R\" type=\"Node\"]\n{lines}"))
        }
        "theme" => {
            let items = lines(share(1000), |number| format!("Label/constants/c{number} = 1\n"));
            scene(&format!(
                "[sub_resource type=\"Theme\" id=\"1\"]\n{items}\n[node name=\"R\" type=\"Control\"]\ntheme = SubResource(\"1\")\n\n{}",
                nodes(200, "Label", "text = \"a\"\n")
            ))
        }
        "overrides" => {
            let items =
                lines(share(1000), |number| format!("theme_override_constants/c{number} = 1\n"));
            scene(&format!("[node name=\"R\" type=\"Label\"]\ntext = \"a\"\n{items}"))
        }
        "tiles" => tiles(share(32_768), 1),
        "tile_layers" => tiles(share(32_768), 16),
        "frames" => {
            let frame = "{\n\"duration\": 1.0,\n\"texture\": SubResource(\"1\")\n}";
            let frames = list(share(1000), |_| frame.to_owned());
            scene(&format!(
                "[sub_resource type=\"PlaceholderTexture2D\" id=\"1\"]\n\n[sub_resource type=\"SpriteFrames\" id=\"2\"]\nanimations = [{{\n\
                 \"frames\": [{frames}],\n\"loop\": true,\n\"name\": &\"default\",\n\"speed\": 1000.0\n}}]\n\n[node name=\"R\" type=\"Node2D\"]\n\n{}",
                nodes(
                    250,
                    "AnimatedSprite2D",
                    "sprite_frames = SubResource(\"2\")\nautoplay = \"default\"\nspeed_scale = 1000000.0\n"
                )
            ))
        }
        "keys" => keys(share(32)),
        "lines" => {
            let points = list(share(4096), |number| format!("{}, {}", number % 2 * 100, number));
            let line = format!(
                "points = PackedVector2Array({points})\nwidth = 50.0\njoint_mode = 2\nround_precision = 32\nbegin_cap_mode = 2\n"
            );
            scene(&format!("[node name=\"R\" type=\"Node2D\"]\n\n{}", nodes(2, "Line2D", &line)))
        }
        "polygons" => {
            let points = list(80, |number| {
                format!("{}, {}", number % 7 * 100 + number, number * number % 1009)
            });
            scene(&format!(
                "[node name=\"R\" type=\"Node2D\"]\n\n{}",
                nodes(share(10), "Polygon2D", &format!("polygon = PackedVector2Array({points})\n"))
            ))
        }
        "rays_2d" => {
            let points = list(share(10_000), |number| {
                format!(
                    "{}, {}, {}, {}",
                    -1000.0 - (number % 7) as f64,
                    number % 5,
                    1000 + number % 3,
                    number % 11
                )
            });
            scene(&format!(
                "[sub_resource type=\"ConcavePolygonShape2D\" id=\"1\"]\nsegments = PackedVector2Array({points})\n\n\
                 [node name=\"R\" type=\"Node2D\"]\n\n{}{}",
                bodies(1, "StaticBody2D", "CollisionShape2D", ""),
                nodes(
                    64,
                    "RayCast2D",
                    "position = Vector2(0, -500)\ntarget_position = Vector2(0, 1000)\n"
                )
            ))
        }
        "rays_3d" => {
            let triangles = list(share(5000), |number| {
                format!("-9, {0}, -9, 9, {0}, -9, 0, {0}, 9", number as f64 / 1000.0)
            });
            let caster = nodes(
                64,
                "RayCast3D",
                "position = Vector3(0, 50, 0)\ntarget_position = Vector3(0, -100, 0)\n",
            );
            scene(&format!(
                "[sub_resource type=\"ConcavePolygonShape3D\" id=\"1\"]\ndata = PackedVector3Array({triangles})\n\n\
                 [sub_resource type=\"SphereShape3D\" id=\"2\"]\n\n[node name=\"R\" type=\"Node3D\"]\n\n{}{caster}",
                bodies(1, "StaticBody3D", "CollisionShape3D", "")
            ))
        }
        "rays_shapes_2d" => {
            let ray = "position = Vector2(0, -50)\ntarget_position = Vector2(0, 100)\n";
            shapes(share(500), "CircleShape2D", "", "StaticBody2D", "")
                + &nodes(64, "RayCast2D", ray)
        }
        "rays_shapes_3d" => {
            let ray = "position = Vector3(0, 50, 0)\ntarget_position = Vector3(0, -100, 0)\n";
            shapes(share(500), "SphereShape3D", "", "StaticBody3D", "")
                + &nodes(64, "RayCast3D", ray)
        }
        "rigid_static_3d" | "areas_static_2d" => {
            let (end, shape, body) = if name.ends_with("3d") {
                ("3D", "BoxShape3D", "RigidBody3D")
            } else {
                ("2D", "RectangleShape2D", "Area2D")
            };
            let inner = bodies(40, body, &format!("CollisionShape{end}"), "").replace("\"B", "\"M");
            shapes(share(900), shape, "", &format!("StaticBody{end}"), "") + &inner
        }
        "rigid_2d" => shapes(
            share(200),
            "RectangleShape2D",
            "",
            "RigidBody2D",
            "contact_monitor = true\nmax_contacts_reported = 256\n",
        ),
        "areas_2d" => shapes(share(200), "RectangleShape2D", "", "Area2D", ""),
        "areas_3d" => shapes(share(200), "BoxShape3D", "", "Area3D", ""),
        "hulls_3d" => {
            let points = list(48, |number| {
                let (height, turn) = ((number as f64 + 0.5) / 24.0 - 1.0, number as f64 * 2.39996);
                let round = (1.0 - height * height).sqrt();
                format!("{:.4}, {:.4}, {height:.4}", round * turn.cos(), round * turn.sin())
            });
            let points = format!("points = PackedVector3Array({points})\n");
            shapes(
                share(200),
                "ConvexPolygonShape3D",
                &points,
                "RigidBody3D",
                "contact_monitor = true\nmax_contacts_reported = 256\n",
            )
        }
        "collision_polygons" => {
            let points = list(share(200), |number| {
                let far = if number % 2 == 0 { 100.0 } else { 40.0 };
                let turn = number as f64 * std::f64::consts::TAU / share(200) as f64;
                format!("{:.3}, {:.3}", far * turn.cos(), far * turn.sin())
            });
            scene(&format!(
                "[node name=\"R\" type=\"RigidBody2D\"]\n\n[node name=\"C\" type=\"CollisionPolygon2D\" parent=\".\"]\npolygon = PackedVector2Array({points})\n"
            ))
        }
        "materials" => {
            let flags = [
                "ao_enabled",
                "clearcoat_enabled",
                "emission_enabled",
                "grow",
                "refraction_enabled",
                "rim_enabled",
            ];
            let count = share(64);
            let materials = lines(count, |number| {
                let on = flags.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
                let on: String = on.map(|(_, flag)| format!("{flag} = true\n")).collect();
                format!("[sub_resource type=\"StandardMaterial3D\" id=\"m{number}\"]\n{on}\n")
            });
            let meshes = lines(count, |number| {
                format!(
                    "[node name=\"N{number}\" type=\"MeshInstance3D\" parent=\".\"]\nmesh = SubResource(\"q\")\nmaterial_override = SubResource(\"m{number}\")\n\n"
                )
            });
            scene(&format!(
                "[sub_resource type=\"SphereMesh\" id=\"q\"]\nradial_segments = 16\nrings = 8\n\n{materials}[node name=\"R\" type=\"Node3D\"]\n\n{meshes}"
            ))
        }
        "pixels" => scene(&format!(
            "[sub_resource type=\"GradientTexture2D\" id=\"1\"]\nwidth = 1024\nheight = {}\nuse_hdr = true\n\n[node name=\"R\" type=\"Sprite2D\"]\ntexture = SubResource(\"1\")\n",
            share(1024)
        )),
        "noise" => scene(&format!(
            "[sub_resource type=\"FastNoiseLite\" id=\"1\"]\nfractal_octaves = 4\ndomain_warp_enabled = true\ndomain_warp_fractal_octaves = 4\n\n\
             [sub_resource type=\"NoiseTexture2D\" id=\"2\"]\nwidth = 1024\nheight = {}\nas_normal_map = true\nnoise = SubResource(\"1\")\n\n\
             [node name=\"R\" type=\"Sprite2D\"]\ntexture = SubResource(\"2\")\n",
            share(1024)
        )),
        "particles" => scene(&format!(
            "[node name=\"R\" type=\"Node2D\"]\n\n{}",
            nodes(
                2,
                "CPUParticles2D",
                &format!(
                    "amount = {}\nlifetime = 60.0\npreprocess = 0.1\nfixed_fps = 60\n",
                    share(4096)
                )
            )
        )),
        "sounds" => scene(&format!(
            "[ext_resource type=\"AudioStream\" path=\"res://own/sound.tres\" id=\"s\"]\n\n[node name=\"R\" type=\"Node\"]\n\n{}",
            nodes(
                share(64),
                "AudioStreamPlayer",
                "stream = ExtResource(\"s\")\nautoplay = true\npitch_scale = 16.0\n"
            )
        )),
        _ => {
            let points = list(share(4096).max(3), |number| {
                format!("{}, {}", number % 64 * 10, number / 64 * 10)
            });
            scene(&format!(
                "[sub_resource type=\"NavigationPolygon\" id=\"1\"]\nvertices = PackedVector2Array({points})\npolygons = [PackedInt32Array(0, 1, 2)]\n\n\
                 [node name=\"R\" type=\"Node2D\"]\n\n[node name=\"N\" type=\"NavigationRegion2D\" parent=\".\"]\nnavigation_polygon = SubResource(\"1\")\n\n{}",
                nodes(32, "NavigationLink2D", "end_position = Vector2(300, 300)\n")
            ))
        }
    }
}

fn list(count: usize, element: impl Fn(usize) -> String) -> String {
    (0..count).map(element).collect::<Vec<_>>().join(", ")
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn nodes(count: usize, class: &str, properties: &str) -> String {
    lines(count, |number| {
        format!("[node name=\"{class}{number}\" type=\"{class}\" parent=\".\"]\n{properties}\n")
    })
}

/// Bodies with the shape `1`.
fn bodies(count: usize, class: &str, shape: &str, properties: &str) -> String {
    lines(count, |number| {
        format!(
            "[node name=\"B{number}\" type=\"{class}\" parent=\".\"]\n{properties}\n\
             [node name=\"S\" type=\"{shape}\" parent=\"B{number}\"]\nshape = SubResource(\"1\")\n\n"
        )
    })
}

/// Bodies that all are at one place.
fn shapes(
    count: usize,
    shape: &str,
    shape_properties: &str,
    body: &str,
    properties: &str,
) -> String {
    let end = &shape[shape.len() - 2..];
    format!(
        "[gd_scene format=3]\n\n[sub_resource type=\"{shape}\" id=\"1\"]\n{shape_properties}\n[node name=\"R\" type=\"Node{end}\"]\n\n{}",
        bodies(count, body, &format!("CollisionShape{end}"), properties)
    )
}

/// Layers of a map that share a number of tiles.
fn tiles(count: usize, layers: usize) -> String {
    let cells: Vec<String> = (0..count / layers)
        .map(|cell| {
            let (x, y) = (cell % 250, cell / 250);
            format!("{x}, 0, {y}, 0, 0, 0, 0, 0, 0, 0, 0, 0")
        })
        .collect();
    let data = format!(
        "tile_set = ExtResource(\"t\")\ntile_map_data = PackedByteArray(0, 0, {})\n",
        cells.join(", ")
    );
    format!(
        "[gd_scene format=3]\n\n[ext_resource type=\"TileSet\" path=\"res://own/tiles.tres\" id=\"t\"]\n\n[node name=\"R\" type=\"Node2D\"]\n\n{}",
        nodes(layers, "TileMapLayer", &data)
    )
}

/// As many players as there may be, each with tracks of one key.
fn keys(players: usize) -> String {
    let tracks = lines(60, |number| {
        format!(
            "tracks/{number}/type = \"value\"\ntracks/{number}/path = NodePath(\"T:modulate\")\ntracks/{number}/interp = 1\ntracks/{number}/keys = {{\n\
             \"times\": PackedFloat32Array(0),\n\"transitions\": PackedFloat32Array(1),\n\"update\": 0,\n\"values\": [Color(1, 0, 0, 1)]\n}}\n"
        )
    });
    let mut text = format!(
        "[gd_scene format=3]\n\n[sub_resource type=\"Animation\" id=\"1\"]\nloop_mode = 1\nlength = 0.001\n{tracks}\n\
         [sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {{\n&\"a\": SubResource(\"1\")\n}}\n\n[node name=\"R\" type=\"Node2D\"]\n\n\
         [node name=\"T\" type=\"Sprite2D\" parent=\".\"]\n\n"
    );
    for number in 0..players {
        write!(text, "[node name=\"P{number}\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{\n&\"\": SubResource(\"2\")\n}}\nautoplay = \"a\"\nspeed_scale = 1000000.0\n\n").ok();
    }
    text
}
