//! Texts that can be made of any size: each repeats one thing that a rule, the parser or a fix may have to compare with all
//! others of its kind.

use std::fmt::Write;

/// A text of about `count` times what it repeats.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) make: fn(count: usize) -> Vec<u8>,
}

/// Lists functions as shapes, which are called as they are.
macro_rules! shapes {
    ($($name:ident = $make:expr;)*) => {
        pub(crate) const SHAPES: &[Shape] =
            &[$(Shape { name: stringify!($name), make: $make }),*];
    };
}

const HEADER: &str = "[gd_scene format=3]\n\n";
const ROOT: &str = "[node name=\"Root\" type=\"Node\"]\n";

/// `part(0)` to `part(count - 1)`, put end to end.
fn each(count: usize, mut part: impl FnMut(&mut String, usize)) -> String {
    let mut all = String::new();
    (0..count).for_each(|index| part(&mut all, index));
    all
}

/// A `String` of what `write!` takes, for each number below `count`.
macro_rules! each {
    ($count:expr, $index:ident, $($format:tt)*) => {
        each($count, |out, $index| {
            let _ = ($index, write!(out, $($format)*));
        })
    };
}

/// The same with commas between the parts.
macro_rules! listed {
    ($count:expr, $index:ident, $($format:tt)*) => {
        each($count, |out, $index| {
            out.push_str(if $index == 0 { "" } else { ", " });
            let _ = write!(out, $($format)*);
        })
    };
}

/// A scene with this before its root, and this behind it: the root's properties, and more nodes.
fn scene(before: &str, after: &str) -> Vec<u8> {
    format!("{HEADER}{before}{ROOT}{after}").into_bytes()
}

/// A scene whose root is followed by this.
fn below(after: &str) -> Vec<u8> {
    scene("", after)
}

/// A scene whose root has one property with this value.
fn value(value: &str) -> Vec<u8> {
    below(&format!("metadata/a = {value}\n"))
}

/// A scene of this alone.
fn only(text: &str) -> Vec<u8> {
    format!("{HEADER}{text}").into_bytes()
}

shapes! {
    // Nodes.
    siblings_of_one_name = |count| below(&each!(count, i, "[node name=\"A\" type=\"Node\" parent=\".\"]\n"));
    siblings = |count| below(&each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\".\"]\n"));
    siblings_with_children = |count| below(&each!(count, i,
        "[node name=\"A{i}\" type=\"Node\" parent=\".\"]\n[node name=\"B\" type=\"Node\" parent=\"A{i}\"]\n"));
    deep_nodes = deep_nodes;
    parents_behind = |count| below(&each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\"A{}\"]\n", i + 1));
    generated_parents = |count| below(&each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\"@Node@{i}\"]\n"));
    nodes_without_name = |count| below(&each!(count, i, "[node type=\"Node\" parent=\".\"]\n"));
    roots = |count| only(&each!(count, i, "[node name=\"A\" type=\"Node\"]\n"));
    long_parent = |count| below(&format!("[node name=\"{}\" type=\"Node\" parent=\".\"]\n[node name=\"B\" type=\"Node\" parent=\"{}B\"]\n",
        "A".repeat(count), "A".repeat(count - 1)));
    deep_parent = |count| below(&format!("[node name=\"B\" type=\"Node\" parent=\"{}\"]\n", "A/".repeat(count)));
    deep_parents = |count| below(&each!(count, i, "[node name=\"B{i}\" type=\"Node\" parent=\"{}\"]\n", "A/".repeat(100)));
    owners = |count| below(&each!(count, i, "[node name=\"A{}\" type=\"Node\" parent=\".\" owner=\"A{i}\"]\n", i + 1));
    unique_names = |count| below(&each!(count, i,
        "[node name=\"A{}\" type=\"Node\" parent=\".\"]\nunique_name_in_owner = true\n", i % (count / 2)));
    unique_ids = |count| below(&each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\".\" unique_id={}]\n", i % 10));
    indices = |count| below(&each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\".\" index=\"{}\"]\n", count - i));
    indices_at_front = |count| below(&each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\".\" index=\"0\"]\n"));
    unknown_classes = |count| below(&each!(count, i, "[node name=\"A{i}\" type=\"Spritte{i}\" parent=\".\"]\n"));
    groups = |count| only(&format!("[node name=\"A\" type=\"Node\" groups=[{}]]\n", listed!(count, i, "\"g{i}\"")));
    groups_of_one_name = |count| only(&format!("[node name=\"A\" type=\"Node\" groups=[{}]]\n", listed!(count, i, "\"g\"")));
    groups_twice = |count| only(&format!("[node name=\"A\" type=\"Node\" groups=[{}]]\n", listed!(count, i, "\"g{}\"", i % (count / 2))));
    editables = |count| below(&(each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\".\"]\n") + &each!(count, i, "[editable path=\"A{i}\"]\n")));
    instances = |count| scene(INSTANCED, &each!(count, i, "[node name=\"A{i}\" parent=\".\" instance=ExtResource(\"1\")]\n"));
    overrides = |count| scene(INSTANCED, &each!(count, i,
        "[node name=\"A{i}\" parent=\".\" instance=ExtResource(\"1\")]\n[node name=\"X\" parent=\"A{i}\"]\nfoo = 1\n"));
    overrides_of_one = |count| scene(INSTANCED, &format!("[node name=\"A\" parent=\".\" instance=ExtResource(\"1\")]\n{}",
        each!(count, i, "[node name=\"X{i}\" parent=\"A\"]\nfoo = 1\n")));
    editable_overrides = |count| scene(INSTANCED, &(each!(count, i,
        "[node name=\"A{i}\" parent=\".\" instance=ExtResource(\"1\")]\n[node name=\"X\" parent=\"A{i}\"]\nfoo = 1\n")
        + &each!(count, i, "[editable path=\"A{i}\"]\n")));
    overrides_by_id = |count| scene(INSTANCED, &format!("[node name=\"A\" parent=\".\" instance=ExtResource(\"1\")]\n{}",
        each!(count, i, "[node name=\"Y{i}\" parent=\"A\" unique_id={0} parent_id_path=PackedInt32Array({0})]\nfoo = 1\n", i + 5)));

    deep_overrides = |count| {
        let depth = (count * 20).isqrt();
        scene(INSTANCED, &format!("[node name=\"a\" parent=\".\" instance=ExtResource(\"1\")]\n{}",
            each!(depth, i, "[node name=\"a\" type=\"Node\" parent=\"{}\"]\n", vec!["a"; i + 1].join("/"))))
    };

    // Paths to nodes.
    node_paths = |count| below(&format!("[node name=\"A\" type=\"Node\" parent=\".\" node_paths=PackedStringArray({})]\n{}",
        listed!(count, i, "\"p{i}\""), each!(count / 2, i, "p{i} = NodePath(\"..\")\n")));
    paths_to_nothing = |count| below(&each!(count, i, "metadata/p{i} = NodePath(\"X{i}/Y\")\n"));
    paths_up_to_nothing = |count| below(&each!(count, i,
        "[node name=\"N{i}\" type=\"RemoteTransform2D\" parent=\".\"]\nremote_path = NodePath(\"../X{i}\")\n"));
    paths_by_unique_name = |count| below(&each!(count, i,
        "[node name=\"N{i}\" type=\"RemoteTransform2D\" parent=\".\"]\nremote_path = NodePath(\"%A\")\n[node name=\"A\" type=\"Node\" parent=\"N{i}\"]\n"));
    long_path_up = |count| value(&format!("NodePath(\"{}\")", "../".repeat(count)));
    long_paths = |count| below(&each!(count, i, "[node name=\"N{i}\" type=\"RemoteTransform2D\" parent=\".\"]\nremote_path = NodePath(\"{}\")\n",
        format!("../N{i}/").repeat(20)));

    // Resources.
    externals_of_one_path = |count| scene(&each!(count, i, "[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"{i}\"]\n"), "");
    externals_of_one_id = |count| scene(&each!(count, i, "[ext_resource type=\"Script\" path=\"res://a{i}.gd\" id=\"1\"]\n"), "");
    unused_externals = |count| scene(&each!(count, i, "[ext_resource type=\"Texture2D\" path=\"res://a{i}.png\" id=\"{i}\"]\n"), "");
    unknown_externals = |count| below(&each!(count, i, "metadata/a{i} = ExtResource(\"x{i}\")\n"));
    unknown_beside_known = |count| scene(&each!(count, i, "[ext_resource type=\"Texture2D\" path=\"res://a{i}.png\" id=\"{i}_abc\"]\n"),
        &each!(count, i, "metadata/a{i} = ExtResource(\"{i}_abd\")\n"));
    unknown_subs_beside_known = |count| scene(&each!(count, i, "[sub_resource type=\"Gradient\" id=\"Gradient_a{i}\"]\n\n"),
        &each!(count, i, "metadata/a{i} = SubResource(\"Gradient_b{i}\")\n"));
    subs_of_one_id = |count| scene(&each!(count, i, "[sub_resource type=\"Gradient\" id=\"1\"]\nx = 1\n\n"), "");
    equal_subs = |count| scene(&each!(count, i,
        "[sub_resource type=\"Gradient\" id=\"{i}\"]\noffsets = PackedFloat32Array(0, 1)\n\n"), "");
    chain_of_subs = |count| scene(&each!(count, i,
        "[sub_resource type=\"StandardMaterial3D\" id=\"{}\"]\nnext_pass = SubResource(\"{i}\")\n\n", i + 1), "");
    subs_before_used = |count| scene(&each!(count, i,
        "[sub_resource type=\"StandardMaterial3D\" id=\"{i}\"]\nnext_pass = SubResource(\"{}\")\n\n", i + 1), "");
    subs_far_before_used = |count| scene(&each!(count, i,
        "[sub_resource type=\"StandardMaterial3D\" id=\"{i}\"]\nnext_pass = SubResource(\"{}\")\n\n", count - i), "");
    circle_of_subs = |count| scene(&each!(count, i,
        "[sub_resource type=\"StandardMaterial3D\" id=\"{i}\"]\nnext_pass = SubResource(\"{}\")\n\n", (i + 1) % count), "");
    unused_chain = |count| scene(&each!(count, i,
        "[sub_resource type=\"StandardMaterial3D\" id=\"a{}\"]\nnext_pass = SubResource(\"a{}\")\nmetadata/x = [SubResource(\"a{i}\")]\n\n", i + 2, i + 1), "");

    used_externals = |count| scene(&each!(count, i, "[ext_resource type=\"Texture2D\" path=\"res://a{i}.png\" id=\"{i}_a\"]\n"),
        &each!(count, i, "[node name=\"S{i}\" type=\"Sprite2D\" parent=\".\"]\ntexture = ExtResource(\"{i}_a\")\n"));
    externals_of_other_uids = |count| scene(&each!(count, i, "[ext_resource type=\"Script\" uid=\"uid://b{i}\" path=\"res://leaf.gd\" id=\"{i}_a\"]\n"), "");
    ids_with_other_characters = |count| scene(&each!(count, i, "[sub_resource type=\"Gradient\" id=\"a-{i}\"]\n\n"),
        &each!(count, i, "metadata/a{i} = SubResource(\"a-{i}\")\n"));
    paths_in_one_string = |count| value(&format!("\"{}\"", "res://".repeat(count)));
    inline_paths = |count| below(&each!(count, i, "metadata/a{i} = Resource(\"res://a{i}.png\")\n"));

    // Scripts.
    nodes_of_one_script = |count| scene(&script(count), &each!(count, i,
        "[node name=\"N{i}\" type=\"Node\" parent=\".\"]\nscript = SubResource(\"1\")\nv{i} = 1\n"));
    scripts_of_one_node = |count| scene(&script(1), &"script = SubResource(\"1\")\n".repeat(count));
    connections_of_one_script = |count| scene(&script(count), &format!("script = SubResource(\"1\")\n{}",
        each!(count, i, "[connection signal=\"s{i}\" from=\".\" to=\".\" method=\"f{i}\"]\n")));

    // Connections.
    equal_connections = |count| below(&each!(count, i, "[connection signal=\"ready\" from=\".\" to=\".\" method=\"queue_free\"]\n"));
    connections = |count| below(&(each!(count, i, "[node name=\"A{i}\" type=\"Timer\" parent=\".\"]\n")
        + &each!(count, i, "[connection signal=\"timeout\" from=\"A{i}\" to=\"A{}\" method=\"start\"]\n", count - 1 - i)));
    unknown_connections = |count| below(&each!(count, i, "[connection signal=\"tim{i}\" from=\"A{i}\" to=\"B{i}\" method=\"start\"]\n"));
    connections_above_root = |count| only(&(each!(count, i,
        "[connection signal=\"tim{i}\" from=\"A{i}\" to=\"B{i}\" method=\"start\"]\n") + ROOT));

    // Fields, properties, values.
    properties_of_one_name = |count| below(&each!(count, i, "metadata/a = 1\n"));
    renamed_properties = |count| below(&"pause_mode = 1\n".repeat(count));
    unknown_properties = |count| below(&each!(count, i, "foo{i} = 1\n"));
    misspelled_properties = |count| below(&each!(count, i, "[node name=\"N{i}\" type=\"Node2D\" parent=\".\"]\npositoin = 1\n"));
    fields = |count| only(&format!("[node name=\"A\" type=\"Node\"{}]\n", each!(count, i, " f{i}=1")));
    fields_of_one_name = |count| only(&format!("[node name=\"A\" type=\"Node\"{}]\n", each!(count, i, " f=1")));
    fields_and_properties = |count| only(&format!("[node name=\"A\" type=\"Node2D\"{}]\n{}", each!(count, i, " f{i}=1"),
        each!(count, i, "p{i} = NodePath(\"..\")\n")));
    fields_of_root = |count| only(&format!("[node name=\"A\" type=\"Node\"{}]\n{}", each!(count, i, " f{i}=1"),
        each!(count, i, "[node name=\"A{i}\" type=\"Node\" parent=\".\" index=\"{i}\"]\n")));
    tags_in_one_line = |count| below(&"[connection signal=\"ready\" from=\".\" to=\".\" method=\"queue_free\"]".repeat(count));
    keys_of_one_name = |count| value(&format!("{{\n{}\n}}", listed!(count, i, "\"a\": 1")));
    keys = |count| value(&format!("{{\n{}\n}}", listed!(count, i, "\"a{i}\": 1")));
    keys_in_small_dictionaries = |count| value(&format!("[{}]", listed!(count, i, "{{\"a\": 1, \"a\": 2}}")));
    long_keys = |count| value(&format!("{{{}}}", listed!(count, i, "[{}]: 1", ["1"; 50].join(", "))));
    equal_hashes_of_keys = |count| value(&format!("{{{}}}", listed!(count, i, "{}.0: 1, {}: 1", i, i)));
    deep_arrays = |count| below(&each!(count, i, "metadata/a{i} = {}{}\n", "[".repeat(400), "]".repeat(400)));
    deep_dictionaries = |count| below(&each!(count, i, "metadata/a{i} = {}1{}\n", "{1:".repeat(400), "}".repeat(400)));
    deep_keys = |count| below(&each!(count, i, "metadata/a{i} = {}}}{}\n", "{".repeat(400), ":1}".repeat(399)));
    array_in_one_line = |count| value(&format!("[{}]", listed!(count, i, "ExtResource(\"{i}\")")));
    sparse_in_one_line = |count| value(&format!("[{}]", listed!(count, i, "\"{}\", ExtResource(\"{i}\")", "a".repeat(1000))));
    long_string = |count| value(&format!("\"{}\"", "a".repeat(count)));
    missing_commas = |count| below(&format!("x = [{}]\n", "1 ".repeat(count)));
    missing_commas_in_lines = |count| below(&format!("x = [\n{}]\n", "\"a\"\n".repeat(count)));
    two_commas = |count| below(&"x = [1,,2]\n".repeat(count));
    escapes = |count| below(&"x = \"\\q\\w\\u12\"\n".repeat(count));
    escapes_in_one_string = |count| below(&format!("x = \"{}\"\n", "\\q".repeat(count)));
    characters_by_number = |count| below(&format!("x = \"{}\"\n", "\\u00e9".repeat(count)));
    numbers_out_of_range = |count| below(&"x = 99999999999999999999999\n".repeat(count));
    unknown_constructors = |count| below(&"x = Vectr2(1)\n".repeat(count));
    older_constructors = |count| below(&"x = Quat(1,2,3,4)\n".repeat(count));
    strings_in_apostrophes = |count| below(&"x = 'a'\n".repeat(count));
    base64 = |count| below(&format!("x = PackedByteArray(\"{}!\")\n", "AAAA".repeat(count)));
    decimal_bytes = |count| below(&format!("x = PackedByteArray({})\n", listed!(count, i, "1")));
    noisy_floats = |count| below(&"x = Vector2(0.30000001192, 0.1000000015)\n".repeat(count));
    old_metadata = |count| below(&format!("__meta__ = {{{}}}\n", listed!(count, i, "\"a{i}\": 1")));
    surfaces = |count| scene(&format!("[sub_resource type=\"ArrayMesh\" id=\"1\"]\n_surfaces = [{}]\n", listed!(count, i,
        "{{\"aabb\": AABB(0,0,0,1,1,1), \"format\": 1, \"primitive\": 3, \"vertex_count\": 3, \"vertex_data\": PackedByteArray(\"AAAA\")}}")), "");
    shader_nodes = |count| format!("[gd_resource type=\"VisualShader\" format=3]\n\n[resource]\n{}",
        each!(count, i, "nodes/fragment/{i}/position = Vector2(0, 0)\n")).into_bytes();

    // Animations and bones.
    tracks = |count| scene(&(format!("[sub_resource type=\"Animation\" id=\"1\"]\n{}", each!(count, i, "{}", track(i))) + LIBRARY), PLAYER);
    tracks_and_players = |count| scene(&(format!("[sub_resource type=\"Animation\" id=\"1\"]\n{}", each!(count, i, "{}", track(i))) + LIBRARY),
        &each!(count, i, "[node name=\"P{i}\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{&\"\": SubResource(\"2\")}}\n"));
    tracks_and_distant_players = |count| scene(&(format!("[sub_resource type=\"Animation\" id=\"1\"]\n{}", each!(count, i, "{}", track(i))) + LIBRARY),
        &each!(count, i, "[node name=\"N{i}\" type=\"Node\" parent=\".\"]\n\
            [node name=\"P\" type=\"AnimationPlayer\" parent=\"N{i}\"]\nlibraries = {{&\"\": SubResource(\"2\")}}\n"));
    animations_and_players = |count| scene(&format!("{}[sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {{{}}}\n\n",
        each!(count, i, "[sub_resource type=\"Animation\" id=\"a{i}\"]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"X:position\")\n\n"),
        listed!(count, i, "&\"a{i}\": SubResource(\"a{i}\")")),
        &each!(count, i, "[node name=\"P{i}\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{&\"\": SubResource(\"2\")}}\n"));
    animations_and_distant_players = |count| scene(&format!("{}[sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {{{}}}\n\n",
        each!(count, i, "[sub_resource type=\"Animation\" id=\"a{i}\"]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"X:position\")\n\n"),
        listed!(count, i, "&\"a{i}\": SubResource(\"a{i}\")")),
        &each!(count, i, "[node name=\"N{i}\" type=\"Node\" parent=\".\"]\n\
            [node name=\"P\" type=\"AnimationPlayer\" parent=\"N{i}\"]\nlibraries = {{&\"\": SubResource(\"2\")}}\n"));
    libraries_of_other_files = |count| scene(&format!("{}[sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {{{}}}\n\n",
        each!(count, i, "[ext_resource type=\"Animation\" path=\"res://a{i}.tres\" id=\"{i}\"]\n"),
        listed!(count, i, "&\"a{i}\": ExtResource(\"{i}\")")),
        &each!(count, i, "[node name=\"P{i}\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{&\"\": SubResource(\"2\")}}\n"));
    keys_of_a_track = |count| scene(&format!("[sub_resource type=\"Animation\" id=\"1\"]\ntracks/0/type = \"value\"\n\
        tracks/0/path = NodePath(\"X:position\")\ntracks/0/keys = {{\"times\": PackedFloat32Array({0}), \
        \"transitions\": PackedFloat32Array({0}), \"update\": 0, \"values\": [{0}]}}\n", listed!(count, i, "1")), "");
    bone_tracks = |count| scene(&(format!("[sub_resource type=\"Animation\" id=\"1\"]\n{}",
        each!(count, i, "tracks/{i}/type = \"position_3d\"\ntracks/{i}/path = NodePath(\"S:b{i}\")\n")) + LIBRARY),
        &format!("[node name=\"S\" type=\"Skeleton3D\" parent=\".\"]\n{}{PLAYER}",
            each!(count, i, "bones/{i}/name = \"b{}\"\nbones/{i}/parent = {}\n", i + 1, i as i64 - 1)));
    attached_to_bones = |count| below(&format!("[node name=\"S\" type=\"Skeleton3D\" parent=\".\"]\n{}{}",
        each!(count, i, "bones/{i}/name = \"b{i}\"\n"),
        each!(count, i, "[node name=\"B{i}\" type=\"BoneAttachment3D\" parent=\"S\"]\nbone_name = \"b{i}\"\n")));
    bones = |count| below(&format!("[node name=\"S\" type=\"Skeleton3D\" parent=\".\"]\n{}",
        each!(count, i, "bones/{i}/name = \"b\"\nbones/{i}/parent = {}\n", i + 1)));

    // What the parser has to find its way out of.
    conflicts = |count| below(&"<<<<<<< a\nx = 1\n=======\ny = 2\n>>>>>>> b\n".repeat(count));
    open_conflicts = |count| below(&"<<<<<<< a\nx = 1\n".repeat(count));
    middles_of_conflicts = |count| below(&"=======\nx = 1\n".repeat(count));
    open_strings = |count| below(&"x = \"abc\n".repeat(count));
    open_strings_before_tags = |count| below(&"x = \"\n[node name=\"B\" type=\"Node\" parent=\".\"]\n".repeat(count));
    open_arrays = |count| below(&"x = [1, 2\n".repeat(count));
    open_dictionaries = |count| below(&"x = {\"a\": \n".repeat(count));
    open_constructors = |count| below(&"x = Vector2(1,\n".repeat(count));
    open_tags = |count| below(&"[node name=\"A\" type=\"B\"\n".repeat(count));
    open_strings_in_tags = |count| below(&"[node name=\"A\n".repeat(count));
    brackets = |count| below(&"[".repeat(count));
    brackets_in_lines = |count| below(&"[\n".repeat(count));
    quotes = |count| below(&("\"".repeat(count) + "\n"));
    quotes_in_lines = |count| below(&"\"\n".repeat(count));
    keys_without_value = |count| below(&"foo\n".repeat(count));
    equals_signs = |count| below(&"=\n".repeat(count));
    hash_comments = |count| below(&"# foo\n".repeat(count));
    comments = |count| below(&"; foo\n".repeat(count));
    semicolons = |count| below(&("x = 1;".repeat(count) + "\n"));
    nul_bytes = |count| below(&"x\0 = 1\n".repeat(count));
    nul_bytes_in_one_line = |count| below(&"\0a".repeat(count));
    no_utf8 = |count| [below(""), b"x = \"\xff\"\n".repeat(count)].concat();
    no_utf8_in_one_line = |count| [below("x = \""), b"\xff".repeat(count), b"\"\n".to_vec()].concat();
    headers = |count| "[gd_scene format=3]\n".repeat(count).into_bytes();
    resources = |count| format!("[gd_resource type=\"Resource\" format=3]\n{}", "[resource]\nx = 1\n".repeat(count)).into_bytes();
    unknown_tags = |count| only(&each!(count, i, "[nod{i} a=1]\n"));

    // Lists and elements that must fit other properties.
    absent_items = |count| below(&format!("[node name=\"L\" type=\"ItemList\" parent=\".\"]\n{}item_count = 1\n",
        each!(count, i, "item_{i}/text = \"a\"\n")));
    counts_of_points = |count| scene(&format!("[sub_resource type=\"Curve\" id=\"1\"]\n_data = [{}]\n{}",
        listed!(5 * count, i, "1"), "point_count = 1\n".repeat(count)), "");
    gradients = |count| scene(&format!("[sub_resource type=\"Gradient\" id=\"1\"]\n{}", each!(count, i,
        "offsets = PackedFloat32Array(0, 1, 1)\ncolors = PackedColorArray(0, 0, 0, 1)\n")), "");
    transitions = |count| scene(&format!("[sub_resource type=\"AnimationNodeStateMachine\" id=\"1\"]\n{}transitions = [{}]\n",
        each!(count, i, "states/s{i}/node = null\n"), listed!(count, i, "\"s{i}\", \"t{i}\", null")), "");
    lists_of_transitions = |count| scene(&format!("[sub_resource type=\"AnimationNodeStateMachine\" id=\"1\"]\n{}{}",
        each!(count, i, "states/s{i}/node = null\n"), "transitions = [\"t\", \"t\", null]\n".repeat(count)), "");
    positions_of_states = |count| scene(&format!("[sub_resource type=\"AnimationNodeStateMachine\" id=\"1\"]\n{}",
        each!(count, i, "states/s{i}/position = Vector2(0, 0)\n")), "");
    parameters_of_a_tree = |count| scene(&format!("[sub_resource type=\"AnimationNodeBlendTree\" id=\"1\"]\n{}\n",
        each!(count, i, "nodes/n{i}/node = null\n")), &format!("[node name=\"T\" type=\"AnimationTree\" parent=\".\"]\n\
        tree_root = SubResource(\"1\")\n{}", each!(count, i, "parameters/m{i}/scale = 1.0\n")));
    surfaces_of_a_node = |count| scene(&format!("[sub_resource type=\"ArrayMesh\" id=\"1\"]\n_surfaces = [{}]\nblend_shape_names = [{}]\n\n",
        listed!(count, i, "{{}}"), listed!(count, i, "\"b{i}\"")), &format!("[node name=\"M\" type=\"MeshInstance3D\" parent=\".\"]\n\
        mesh = SubResource(\"1\")\n{}", each!(count, i, "surface_material_override/{i} = null\nblend_shapes/c{i} = 0.1\n")));
    layers_of_a_map = |count| scene(&format!("[sub_resource type=\"TileSet\" id=\"1\"]\n{}\n", each!(count, i, "sources/{i} = null\n")),
        &format!("[node name=\"M\" type=\"TileMap\" parent=\".\"]\ntile_set = SubResource(\"1\")\nformat = 2\n{}",
            each!(count, i, "layer_{i}/tile_data = PackedInt32Array(0, 70000, 0)\n")));
    layers_of_a_long_value = |count| below(&format!("[node name=\"M\" type=\"TileMap\" parent=\".\"]\ntile_set = [{0}]\nformat = [{0}]\n{1}",
        listed!(count, i, "1"), each!(count, i, "layer_{i}/tile_data = PackedInt32Array(0, 70000, 0)\n")));
    sprites_of_one_resource = |count| scene(&format!("[sub_resource type=\"SpriteFrames\" id=\"1\"]\nanimations = [{}]\n\n",
        listed!(count, i, "{{\"name\": &\"a{i}\"}}")), &each!(count, i,
        "[node name=\"S{i}\" type=\"AnimatedSprite2D\" parent=\".\"]\nsprite_frames = SubResource(\"1\")\nanimation = &\"b\"\n"));
    animations_of_a_sprite = |count| scene(&format!("[sub_resource type=\"SpriteFrames\" id=\"1\"]\nanimations = [{}]\n\n",
        listed!(count, i, "{{\"name\": &\"a{i}\"}}")), &format!("[node name=\"S\" type=\"AnimatedSprite2D\" parent=\".\"]\n\
        sprite_frames = SubResource(\"1\")\n{}", "animation = &\"b\"\n".repeat(count)));
    missing_in_one_value = |count| scene(&each!(count, i, "[ext_resource type=\"Texture2D\" path=\"res://m{i}.png\" id=\"{i}\"]\n"),
        &format!("metadata/a = [{}]\n", listed!(count, i, "ExtResource(\"{i}\")")));
    missing_of_one_id = |count| scene("[ext_resource type=\"Texture2D\" path=\"res://m.png\" id=\"1\"]\n",
        &format!("metadata/a = [{}]\n", listed!(count, i, "ExtResource(\"1\")")));
    wrong_types_of_one_value = |count| scene(&each!(count, i, "[ext_resource type=\"Texture2D\" path=\"res://leaf.gd\" id=\"{i}\"]\n"),
        &format!("metadata/a = {{{}}}\n", listed!(count, i, "{i}: ExtResource(\"{i}\")")));
    libraries_of_a_player = |count| scene(&each!(count, i, "[sub_resource type=\"AnimationLibrary\" id=\"{i}\"]\n\n"),
        &format!("[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\n{}",
            each!(count, i, "libraries/l{i} = SubResource(\"{i}\")\n")));

    // What a file says is wanted.
    ignores = |count| below(&"; gdscene: ignore[REF007] x\nfoo = 1\n".repeat(count));
    ignores_in_one_comment = |count| scene(&format!("; gdscene: ignore[{}] x\n", listed!(count, i, "REF007")), &"foo = 1\n".repeat(count));
    ignores_for_the_file = |count| [b"; gdscene: ignore[STY011] x\n".repeat(count), below(&"foo = 1\n".repeat(count))].concat();
    ignores_in_metadata = |count| below(&format!("metadata/_lint_ignore = [{}]\n{}", listed!(count, i, "\"REF007\""), "foo = 1\n".repeat(count)));
    unknown_ignores = |count| below(&format!("metadata/_lint_ignore = [{}]\n", listed!(count, i, "\"REF{i}\"")));
}

const INSTANCED: &str = "[ext_resource type=\"PackedScene\" path=\"res://leaf.tscn\" id=\"1\"]\n\n";
const LIBRARY: &str =
    "\n[sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {&\"a\": SubResource(\"1\")}\n\n";
const PLAYER: &str = "[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {&\"\": SubResource(\"2\")}\n";

/// The scene that some of the shapes instance, `leaf.tscn` beside them.
pub(crate) const LEAF: &str = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n[node name=\"X\" type=\"Node\" parent=\".\"]\n";

/// Nodes in one another. The paths to them grow, too, so there are fewer of them.
fn deep_nodes(count: usize) -> Vec<u8> {
    let depth = (count * 20).isqrt();
    let path = |depth: usize| if depth == 0 { ".".to_owned() } else { vec!["a"; depth].join("/") };
    below(&each!(depth, i, "[node name=\"a\" type=\"Node\" parent=\"{}\"]\n", path(i)))
}

/// A built-in script with variables, signals and functions.
fn script(count: usize) -> String {
    let source = each!(count, i, "var v{i} = 1\nsignal s{i}\nfunc f{i}():\n\tpass\n");
    format!(
        "[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"extends Node\n{source}\"\n\n"
    )
}

fn track(index: usize) -> String {
    format!(
        "tracks/{index}/type = \"value\"\ntracks/{index}/path = NodePath(\"X{index}:position\")\n\
         tracks/{index}/keys = {{\"times\": PackedFloat32Array(0), \"transitions\": PackedFloat32Array(1), \
         \"update\": 0, \"values\": [1]}}\n"
    )
}
