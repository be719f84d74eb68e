"""Merges what the engines say of their classes into the files of `rust/godot-project/data`.

    merge.py APIS GODOT3_API GODOT4_PROPERTIES GODOT3_PROPERTIES GODOT4_SOURCE GODOT3_SOURCE OUTPUT

APIS is a folder with `4.2/extension_api.json` and so on; the others are what `scripts/data/class_db.sh` has the engines write,
and the engines' sources. The form of the files is described at the head of each.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

VERSIONS = ["3.6", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"]
BIT = {version: 1 << index for index, version in enumerate(VERSIONS)}
GODOT_4 = sum(BIT[version] for version in VERSIONS[1:])
# Newer than the sources of Godot 4 that are read.
UNREAD = BIT["4.7"]
PROPERTY_USAGE_STORAGE = {"3.6": 1, "4.6": 2}

# Properties that `_set` takes, if the source does not show this, as in Godot 4.6.3. The script scripts/test/project/class_rules.sh
# asks every class of the engine whether it takes names that are missing here.
BONE_CHAIN = "root_bone root_bone_name end_bone end_bone_name"
BONE_END = "end_bone/direction end_bone/length extend_end_bone"
THEME_OVERRIDES = (
    "theme_override_colors/* theme_override_constants/* theme_override_font_sizes/* theme_override_fonts/* "
    "theme_override_icons/* theme_override_styles/*"
)
MENU_ITEM = "text icon checkable checked id disabled separator"
PHYSICS_POLYGON = "points one_way one_way_margin"
SCRIPTED = "parameters/*"


def below(start: str, names: str) -> str:
    """Each of the names with the start in front."""
    return " ".join(start + name for name in names.split())


DYNAMIC_4 = {
    "AimModifier3D": below("settings/*/", "forward_axis use_euler primary_rotation_axis use_secondary_rotation relative"),
    "Animation": "_compression loop markers "
    + below("tracks/*/", "type path compressed_track use_blend interp loop_wrap imported enabled keys key_values"),
    "AnimationMixer": "anims/* libraries libraries/*",
    "AnimationNodeBlendTree": "node_connections nodes/*/node nodes/*/position",
    "AnimationNodeStateMachine": "graph_offset states/*/node states/*/position transitions",
    "AnimationNodeTransition": below("input_*/", "name auto_advance break_loop_at_end reset"),
    "AnimationPlayer": "blend_times method_call_mode next/* playback/play playback_active playback_process_mode",
    "AnimationTree": "parameters/* process_callback",
    "ArrayMesh": "surface_*/* surfaces/*",
    "AudioBusLayout": below("bus/*/", "name solo mute bypass_fx volume_db send effect/*/effect effect/*/enabled"),
    "AudioEffectEQ": "band_db/*",
    "AudioListener2D": "current",
    "AudioListener3D": "current",
    "AudioStreamPlayer": SCRIPTED,
    "AudioStreamPlayer2D": SCRIPTED,
    "AudioStreamPlayer3D": SCRIPTED,
    "AudioStreamRandomizer": "stream_*/stream stream_*/weight",
    "BoneConstraint3D": below("settings/*/", "amount apply_bone apply_bone_name reference_type reference_bone "
                              "reference_bone_name reference_node"),
    "BoneMap": "bone_map/*",
    "BoneTwistDisperser3D": below("settings/*/", f"{BONE_CHAIN} end_bone/* end_bone_direction extend_end_bone twist_from_rest twist_from "
                                  "disperse_mode weight_position damping_curve joint_count joints/*/twist_amount"),
    "CanvasItem": "instance_shader_parameters/*",
    "ChainIK3D": below("settings/*/", f"{BONE_CHAIN} {BONE_END} joint_count"),
    "Control": THEME_OVERRIDES,
    "ConvertTransformModifier3D": "settings/*/relative settings/*/additive "
    + below("settings/*/apply/", "transform_mode axis range_min range_max") + " "
    + below("settings/*/reference/", "transform_mode axis range_min range_max"),
    "CopyTransformModifier3D": below("settings/*/", "copy axes invert relative additive"),
    "Curve": below("point_*/", "position left_tangent left_mode right_tangent right_mode"),
    "Curve2D": "point_*/position point_*/in point_*/out",
    "Curve3D": "point_*/position point_*/in point_*/out point_*/tilt",
    "Environment": "background_sky background_sky_custom_fov background_sky_orientation",
    "FileDialog": "option_*/name option_*/values option_*/default",
    "FontFile": "font_path font_data fallback fallback/* textures chars kernings height ascent "
    "language_support_override/* script_support_override/* "
    + below("cache/*/", "variation_coordinates embolden face_index transform spacing_top spacing_bottom spacing_space "
            "spacing_glyph baseline_offset *ascent *descent *underline_position *underline_thickness *scale "
            "*textures/*/image *textures/*/offsets *glyphs/*/advance *glyphs/*/offset *glyphs/*/size *glyphs/*/uv_rect "
            "*glyphs/*/texture_idx *kerning_overrides/*"),
    "GeometryInstance3D": "instance_shader_parameters/* use_dynamic_gi use_in_baked_light",
    "GraphNode": "slot/*",
    "GridMap": "data baked_meshes",
    "ItemList": "items " + below("item_*/", "text icon selectable disabled"),
    "IterateIK3D": "settings/*/target_node "
    + below("settings/*/joints/*/", "rotation_axis rotation_axis_vector limitation limitation/right_axis "
            "limitation/right_axis_vector limitation/rotation_offset"),
    "Label": "align valign",
    "LabelSettings": below("stacked_outline_*/", "size color") + " " + below("stacked_shadow_*/", "offset color outline_size"),
    "LimitAngularVelocityModifier3D": below("chains/*/", BONE_CHAIN),
    "MenuButton": "items " + below("popup/item_*/", MENU_ITEM),
    "MeshInstance3D": "blend_shapes/* surface_material_override/*",
    "MeshLibrary": below("item/*/", "name mesh mesh_transform mesh_cast_shadow shape shapes preview navigation_mesh "
                         "navigation_mesh_transform navmesh navmesh_transform navigation_layers"),
    "MultiplayerSpawner": "_spawnable_scene_count scenes/*",
    "OptimizedTranslation": "hash_table bucket_table strings load_from",
    "OptionButton": "items " + below("popup/item_*/", MENU_ITEM),
    "PhysicalBone3D": "bone_name joint_constraints/*",
    "PopupMenu": "items " + below("item_*/", MENU_ITEM),
    "SceneReplicationConfig": below("properties/*/", "path replication_mode spawn sync watch"),
    "ShaderGlobalsOverride": "params/*",
    "ShaderMaterial": "shader_parameter/* param/* shader_param/* shader_uniform/*",
    "Skeleton3D": "animate_physical_bones bones/*",
    "SkeletonModification2DCCDIK": "editor/draw_gizmo* "
    + below("joint_data/*/", "bone2d_node bone_index rotate_from_joint enable_constraint constraint_angle_min "
            "constraint_angle_max constraint_angle_invert constraint_in_localspace editor_draw_gizmo*"),
    "SkeletonModification2DFABRIK": below("joint_data/*/", "bone2d_node bone_index magnet_position use_target_rotation"),
    "SkeletonModification2DJiggle": "use_colliders collision_mask "
    + below("joint_data/*/", "bone2d_node bone_index override_defaults stiffness mass damping use_gravity gravity"),
    "SkeletonModification2DLookAt": "editor/draw_gizmo* enable_constraint* constraint_angle_min* constraint_angle_max* "
    "constraint_angle_invert* constraint_in_localspace* additional_rotation*",
    "SkeletonModification2DPhysicalBones": "fetch_bones* joint_*_nodepath",
    "SkeletonModification2DTwoBoneIK": "editor/draw_gizmo* editor/draw_min_max* joint_one_bone_idx joint_one_bone2d_node "
    "joint_two_bone_idx joint_two_bone2d_node",
    "SkeletonModificationStack2D": "modifications/*",
    "SkeletonProfile": "groups/*/group_name groups/*/texture "
    + below("bones/*/", "bone_name bone_parent tail_direction bone_tail reference_pose handle_offset group require"),
    "Skin": "bind_count bind/*/bone bind/*/name bind/*/pose",
    "SoftBody3D": "pinned_points attachments/*/spatial_attachment_path attachments/*/offset",
    "SplineIK3D": below("settings/*/", "path_3d tilt_enabled tilt_fade_in tilt_fade_out"),
    "SpringBoneSimulator3D": below(
        "settings/*/", f"{BONE_CHAIN} {BONE_END} center_from center_node center_bone center_bone_name individual_config "
        "rotation_axis rotation_axis_vector radius/value radius/damping_curve stiffness/value stiffness/damping_curve "
        "drag/value drag/damping_curve gravity/value gravity/damping_curve gravity/direction enable_all_child_collisions "
        "joint_count exclude_collision_count exclude_collisions/* collision_count collisions/* "
    ) + " " + below("settings/*/joints/*/", "rotation_axis rotation_axis_vector radius stiffness drag gravity gravity_direction"),
    "StandardMaterial3D": below("flags_", "transparent unshaded vertex_lighting use_shadow_to_opacity no_depth_test use_point_size "
                                "fixed_size albedo_tex_force_srgb do_not_receive_shadows disable_ambient_light") + " "
    + below("params_", "use_alpha_scissor use_alpha_hash depth_draw_mode diffuse_mode specular_mode blend_mode cull_mode "
            "point_size billboard_mode billboard_keep_scale grow grow_amount alpha_scissor_threshold alpha_hash_scale "
            "alpha_antialiasing_edge") + " "
    + below("depth_", "enabled scale deep_parallax min_layers max_layers flip_tangent flip_binormal texture")
    + " emission_energy",
    "TabBar": below("tab_*/", "title tooltip icon disabled"),
    "TabContainer": below("tab_*/", "title icon disabled hidden"),
    "TextureRect": "expand ignore_texture_size",
    "Theme": below("*/", "icons/* styles/* fonts/* font_sizes/* colors/* constants/* base_type"),
    "TileData": "texture_offset terrains_peering_bit/* custom_data_* "
    + below("occlusion_layer_*/", "polygon polygons_count polygon_*/polygon") + " "
    + below("physics_layer_*/", "linear_velocity angular_velocity polygons_count") + " "
    + below("physics_layer_*/polygon_*/", PHYSICS_POLYGON) + " navigation_layer_*/polygon",
    # Godot 4.2 reads `tile_data` of Godot 3.
    "TileMap": "format cell_quadrant_size tile_data "
    + below("layer_*/", "name enabled modulate y_sort_enabled y_sort_origin z_index navigation_enabled tile_data"),
    # Names that start with a number are tiles of Godot 3; some are read and forgotten.
    "TileSet": below("*/", "name texture normal_map tex_offset material modulate region tile_mode is_autotile autotile* shape "
                     "shape_offset shape_transform shape_one_way shape_one_way_margin shapes occluder occluder_offset "
                     "navigation navigation_offset z_index")
    + " occlusion_layer_*/light_mask occlusion_layer_*/sdf_collision "
    + below("physics_layer_*/", "collision_layer collision_mask collision_priority physics_material")
    + " terrain_set_*/mode terrain_set_*/terrain_*/name terrain_set_*/terrain_*/color navigation_layer_*/layers"
    " custom_data_layer_*/name custom_data_layer_*/type sources/* "
    + below("tile_proxies/", "source_level coords_level alternative_level") + " pattern_*",
    # After the number of an alternative comes any property of its `TileData`.
    "TileSetAtlasSource": "*:*",
    "TileSetScenesCollectionSource": "scenes/*/scene scenes/*/display_placeholder",
    "TouchScreenButton": "normal pressed",
    "TwoBoneIK3D": below("settings/*/", f"{BONE_CHAIN} {BONE_END} target_node pole_node middle_bone middle_bone_name "
                         "pole_direction pole_direction_vector use_virtual_end"),
    "VisualShader": "mode flags/* modes/* stencil/enabled stencil/reference stencil_flags/* stencil_modes/* varyings/* "
    "preview_params/* nodes/*/connections "
    + below("nodes/*/*/", "node position size input_ports output_ports expression"),
    "Window": THEME_OVERRIDES,
}
DYNAMIC_3 = {
    "Animation": below("tracks/*/", "type path interp loop_wrap imported enabled keys key_values"),
    "AnimationNodeBlendTree": "node_connections nodes/*/node nodes/*/position",
    "AnimationNodeStateMachine": "end_node graph_offset start_node states/*/node states/*/position transitions",
    "AnimationPlayer": "anims/* blend_times next/* playback/*",
    "AnimationTree": "parameters/*",
    "AnimationTreePlayer": "base_path data master_player playback/active",
    "ArrayMesh": "blend_shape/names blend_shape/mode surface_*/material surface_*/name surfaces/*",
    "AudioBusLayout": DYNAMIC_4["AudioBusLayout"],
    "AudioEffectEQ": "band_db/*",
    "Control": "custom_colors/* custom_constants/* custom_fonts/* custom_icons/* custom_shaders/* custom_styles/*",
    "CubeMap": "lossy_quality side/* storage",
    "DynamicFont": "fallback/*",
    "GDNativeLibrary": "entry/* dependency/*",
    "GraphNode": "slot/*",
    "GridMap": "data baked_meshes",
    "Listener": "current",
    "Listener2D": "current",
    "MeshInstance": "blend_shapes/* material/*",
    "MeshLibrary": below("item/*/", "name mesh mesh_transform shape shapes preview navmesh navmesh_transform"),
    # `cell/size` is of older versions.
    "NavigationMesh": "*/*",
    # Properties of older editors, which 3.6 reads and forgets.
    "Object": "_sections_unfolded editor/display_folded",
    "PHashTranslation": DYNAMIC_4["OptimizedTranslation"],
    "PhysicalBone": "bone_name joint_constraints/*",
    "ShaderMaterial": "param/* shader_param/*",
    "Skeleton": "bones/*",
    "Skin": DYNAMIC_4["Skin"],
    "SoftBody": DYNAMIC_4["SoftBody3D"],
    "Theme": below("*/", "icons/* styles/* fonts/* colors/* constants/* base_type"),
    "TileMap": "format tile_data",
    "TileSet": below("*/", "name texture normal_map tex_offset material modulate region tile_mode is_autotile autotile/* shape "
                     "shape_offset shape_transform shape_one_way shape_one_way_margin shapes occluder occluder_offset "
                     "navigation navigation_offset z_index"),
    "VisualShader": "mode flags/* modes/* nodes/*",
}
# Classes of builds with C#, which the dumped engines do not have.
MONO = {"CSharpScript": "Script"}


def main() -> None:
    apis, api_3, properties_4, properties_3, source_4, source_3, output = map(Path, sys.argv[1:])
    table = Table()
    known_4, known_3 = json.loads(properties_4.read_text()), json.loads(properties_3.read_text())
    for version in VERSIONS[1:]:
        table.add_api(version, json.loads((apis / version / "extension_api.json").read_text())["classes"], lists(known_4))
    table.add_api("3.6", classes_of_3(json.loads(api_3.read_text())), lists(known_3))
    table.add_properties("4.6", known_4)
    table.add_properties("3.6", known_3)
    table.add_dynamic(GODOT_4, source_4, DYNAMIC_4)
    table.add_dynamic(BIT["3.6"], source_3, DYNAMIC_3)
    for name in disabled_classes(source_3):
        table.make_instantiable(BIT["3.6"], name)
    for name, base in MONO.items():
        for version in VERSIONS:
            table.rows[name][("b", base, "+")] |= BIT[version]
        table.rows[name][("w", "*", "")] |= GODOT_4 | BIT["3.6"]
    (output / "classes.txt").write_text(table.text())
    (output / "renames.txt").write_text(renames(source_4, source_3))


class Table:
    """Rows by class; each says in which versions it holds."""

    def __init__(self):
        self.rows = defaultdict(Counter)

    def add(self, bit: int, name: str, kind: str, what: str, details: str) -> None:
        self.rows[name][(kind, what, details)] |= bit

    def add_api(self, version: str, classes: list, list_types: dict) -> None:
        """`list_types`: the properties by class and name whose type is not that of their hint, which the API gives."""
        bit = BIT[version]
        by_name = {found["name"]: found for found in classes}
        for found in classes:
            name = found["name"]
            flags = ("+" if found["is_instantiable"] else "") + ("e" if found["api_type"] == "editor" else "")
            self.add(bit, name, "b", found.get("inherits", ""), flags)
            for entry in found.get("properties", []):
                given = list_types.get((name, entry["name"])) or taken_type(by_name, name, entry)
                self.add(bit, name, "p", entry["name"], spelled_type(given))
            for entry in found.get("signals", []):
                types = [spelled_type(argument["type"]) for argument in entry.get("arguments", [])]
                self.add(bit, name, "s", entry["name"], ",".join(types))
            for entry in found.get("methods", []):
                self.add(bit, name, "m", entry["name"], arity(entry))
            for entry in found.get("enums", []):
                values = " ".join(f"{value['name']}={value['value']}" for value in entry["values"])
                self.add(bit, name, "e", entry["name"], values)

    def add_properties(self, version: str, classes: list) -> None:
        """What the running engine says beyond its API: hidden properties, which are stored, and defaults."""
        bit = BIT[version]
        every = GODOT_4 if version == "4.6" else bit
        by_name = {found["name"]: found for found in classes}
        for name, found in by_name.items():
            if name not in self.rows:
                self.add(bit, name, "b", found["inherits"], "")
            known = Counter()
            for (kind, what, _), bits in self.rows[name].items():
                known[what] |= bits if kind == "p" else 0
            there = every & self.versions(name)
            for entry in filter(lambda entry: entry["own"], found["properties"]):
                if not entry["usage"] & PROPERTY_USAGE_STORAGE[version]:
                    self.add(there, name, "t", entry["name"], "")
                if known[entry["name"]] & every == 0:
                    self.add(there, name, "p", entry["name"], spelled_type(entry["type"]))
        for name, values in lifted_defaults(by_name).items():
            for key, value in values.items():
                if "\n" not in value and len(value) <= 120:
                    self.add(bit, name, "d", key, value)

    def add_dynamic(self, bits: int, source: Path, by_hand: dict) -> None:
        """Which properties a class takes by its function `_set`, besides those of its list."""
        found = set_functions(source)
        found.update({name: words.split() for name, words in by_hand.items()})
        known = class_names(source)
        for name in list(self.rows):
            here = self.versions(name) & bits
            words = found.get(name, [] if name in known else ["*"])
            for word in words:
                self.add(here & ~UNREAD, name, "w", word, "")
            for word in sorted({known_start(word) for word in words}):
                self.add(here & UNREAD, name, "w", word, "")

    def make_instantiable(self, bit: int, name: str) -> None:
        for (kind, base, flags), bits in list(self.rows[name].items()):
            if kind == "b" and bits & bit and "+" not in flags:
                self.rows[name][(kind, base, flags)] &= ~bit
                self.rows[name][(kind, base, "+" + flags)] |= bit

    def versions(self, name: str) -> int:
        """Where the class is there."""
        versions = 0
        for (kind, _, _), bit in self.rows[name].items():
            versions |= bit if kind == "b" else 0
        return versions

    def text(self) -> str:
        lines = [HEAD]
        for name in sorted(self.rows):
            rows = [(row, bits) for row, bits in self.rows[name].items() if bits]
            rows.sort(key=lambda row: ("bpdtwsme".index(row[0][0]), row[0]))
            block = ["\t".join([f"{kind}{bit:02x}", what, details]).rstrip("\t") for (kind, what, details), bit in rows]
            lines.append("\n".join([f"={name}", *block]))
        return "\n".join(lines) + "\n"


HEAD = """\
# Classes of Godot {versions}. Written by scripts/data/class_db.sh; not to be edited.
# `=Class`, then its rows: a letter and the versions (a bit each, in the order above, in hexadecimal digits), a name, details.
#   b base class; + if it can be instantiated, e if it is of the editor
#   p property, its type     d default of a property, also of an inherited one     t property that is never stored
#   w property that is taken without being in the list; * stands for anything
#   s signal, the types of its arguments     m method, least and most arguments (* for any number), v virtual, s static
#   e enum, its values""".format(versions=" ".join(VERSIONS))


def lists(classes: list) -> dict:
    """Arrays whose hint names the class of their elements, and what is listed with another type than its value has."""
    return {
        (found["name"], entry["name"]): entry["type"]
        for found in classes
        for entry in found["properties"]
        if entry["type"] in ("Array", "Dictionary") or entry.get("is_listed_wrong")
    }


def taken_type(classes: dict, name: str, entry: dict) -> str:
    """The type of a property: for objects what its setter takes, for the hint is only what the inspector offers."""
    hinted = entry["type"]
    if hinted.split(",")[0] not in classes:
        return hinted
    while name in classes:
        for method in classes[name].get("methods", []):
            if method["name"] == entry.get("setter") and method.get("arguments"):
                taken = method["arguments"][-1]["type"]
                return taken if taken in classes else hinted
        name = classes[name].get("inherits", "")
    return hinted


def known_start(word: str) -> str:
    """What is sure of a pattern in a newer version: groups like `tab_0/` may have more there."""
    start, slash, _ = word.partition("/")
    return f"{start}/*" if slash else word


def spelled_type(name: str) -> str:
    if name.startswith(("enum::", "bitfield::", "enum.")):
        return "int"
    if name.startswith("typedarray::"):
        return "Array"
    if name.startswith("typeddictionary::"):
        return "Dictionary"
    return "Variant" if name in ("Nil", "") else name


def arity(method: dict) -> str:
    arguments = method.get("arguments", [])
    least = sum("default_value" not in argument for argument in arguments)
    most = "*" if method["is_vararg"] else len(arguments)
    flags = ("v" if method["is_virtual"] else "") + ("s" if method.get("is_static") else "")
    return f"{least} {most} {flags}".rstrip()


def classes_of_3(found: list) -> list:
    """Godot 3's description in the form of Godot 4's. `GlobalConstants` is no class."""
    return [in_form_of_4(entry) for entry in found if entry["name"] != "GlobalConstants"]


def in_form_of_4(found: dict) -> dict:
    def argument(entry: dict) -> dict:
        default = {"default_value": ""} if entry["has_default_value"] else {}
        return {"name": entry["name"], "type": entry["type"], **default}

    return {
        "name": found["name"].lstrip("_") if found["singleton"] else found["name"],
        "inherits": found["base_class"],
        "is_instantiable": found["instanciable"],
        "api_type": "editor" if found["api_type"] == "tools" else "core",
        "properties": found["properties"],
        "signals": [
            {"name": entry["name"], "arguments": [argument(one) for one in entry["arguments"]]}
            for entry in found["signals"]
        ],
        "methods": [
            {
                "name": entry["name"],
                "is_vararg": entry["has_varargs"],
                "is_virtual": entry["is_virtual"],
                "arguments": [argument(one) for one in entry["arguments"]],
            }
            for entry in found["methods"]
        ],
        "enums": [
            {
                "name": entry["name"],
                "values": [{"name": name, "value": value} for name, value in entry["values"].items()],
            }
            for entry in found["enums"]
        ],
    }


def lifted_defaults(classes: dict) -> dict:
    """Defaults by class and property: one that most heirs of an abstract class share is told for that class alone.

    A class has none of its own where it has that of the class above it, so what is told further up cannot be lifted.
    """
    children = defaultdict(list)
    for name, found in classes.items():
        children[found["inherits"]].append(name)
    own = {
        name: {entry["name"]: entry["default"] for entry in found["properties"] if "default" in entry}
        for name, found in classes.items()
    }
    stored = {
        name: {entry["name"] for entry in found["properties"] if entry["own"]} for name, found in classes.items()
    }

    def lift(name: str, above: set) -> None:
        for child in children[name]:
            lift(child, above | set(own[name]))
        counts = defaultdict(Counter)
        for child in children[name]:
            for key, value in own[child].items():
                if key not in stored[child] and key not in own[name] and key not in above:
                    counts[key][value] += 1
        for key, values in counts.items():
            value = values.most_common(1)[0][0]
            own[name][key] = value
            for child in children[name]:
                if own[child].get(key) == value:
                    del own[child][key]

    for name in list(children[""]):
        lift(name, set())
    return own


def sources(folder: Path):
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".cpp", ".h"):
            yield path.read_text(errors="replace")


def disabled_classes(folder: Path) -> set:
    """Classes that only an editor can make in Godot 3, which is not what was asked."""
    names = set()
    for text in sources(folder):
        names.update(re.findall(r'set_class_enabled\("(\w+)", false\)', text))
    return names


def class_names(folder: Path) -> set:
    names = set()
    for text in sources(folder):
        names.update(re.findall(r"\bGD(?:SOFT)?CLASS\((\w+)", text))
        names.update(re.findall(r"^class (\w+)", text, re.M))
    return names


def set_functions(folder: Path) -> dict:
    """By class the names that its function `_set` compares with; `*` if it does more than that."""
    found = {}
    pattern = re.compile(r"^bool (\w+)::_set\(const StringName ?&\w+, const Variant ?&\w+\)[^{;]*\{(.*?)^\}", re.M | re.S)
    inline = re.compile(r"^\tbool _set\(const StringName ?&\w+, const Variant ?&\w+\)[^;{]*\{(?! return false; \})", re.M)
    for text in sources(folder):
        for match in inline.finditer(text):
            found[re.findall(r"^class (\w+)", text[: match.start()], re.M)[-1]] = ["*"]
        for name, body in pattern.findall(text):
            names = re.findall(r'(?:==|!=) (?:SNAME\()?"([^"]+)"', body)
            does_more = re.search(r"begins_with|get_slice|split|substr|property_helper|getptr|internal->|for \(|operator|\bfind|trim_", body)
            found[name] = ["*"] if does_more or not names else sorted(set(names))
    return found


def renames(source_4: Path, source_3: Path) -> str:
    """Old and new names of classes and properties, as the engines' sources list them."""
    lines = [RENAMES_HEAD]
    for kind, folder in (("c4", source_4), ("c3", source_3)):
        pairs = set()
        for text in sources(folder):
            pairs.update(re.findall(r'^\s*ClassDB::add_compatibility_class\("(\w+)", "(\w+)"\)', text, re.M))
        lines += [f"{kind}\t{old}\t{new}" for old, new in sorted(pairs)]
    table = (source_4 / "editor/project_upgrade/renames_map_3_to_4.cpp").read_text()
    for kind, array in (("n", "class_renames"), ("p", "gdscript_properties_renames"), ("s", "gdscript_signals_renames")):
        body = table.split(f"RenamesMap3To4::{array}[][2] = {{", 1)[1].split("\n};", 1)[0]
        rows = re.findall(r'^\s*(?:// )?\{ "([\w/]+)", "([\w/]+)" \},', body, re.M)
        lines += [f"{kind}\t{old}\t{new}" for old, new in sorted(set(rows))]
    return "\n".join(lines) + "\n"


RENAMES_HEAD = """\
# What was renamed, by Godot's own sources. Written by scripts/data/class_db.sh; not to be edited.
#   c4, c3 class that Godot 4 or 3 takes for another one when it loads (ClassDB::add_compatibility_class)
#   n class, p property, s signal that the converter from 3 to 4 renames (renames_map_3_to_4.cpp)"""

main()
