use godot_tscn::GodotVersion;

use super::{CLASSES, ClassDb, VERSIONS, nearest};

fn godot4(minor: u8) -> &'static ClassDb {
    ClassDb::for_version(GodotVersion::godot4(minor))
}

#[test]
fn versions_differ() {
    let godot3 = ClassDb::for_version(GodotVersion::LAST_3);
    assert!(godot3.class("Spatial").is_some() && godot3.class("Node3D").is_none());
    assert!(godot4(6).class("Spatial").is_none() && godot4(6).class("Node3D").is_some());
    assert!(godot4(2).class("TileMapLayer").is_none() && godot4(3).class("TileMapLayer").is_some());
    assert_eq!(godot4(1).version(), Some(GodotVersion::godot4(2)));
    assert_eq!(godot4(7).version(), Some(GodotVersion::godot4(7)));
    let old = ClassDb::for_version(GodotVersion { major: 3, minor: 2 });
    assert_eq!(old.version(), Some(GodotVersion::LAST_3));
}

#[test]
fn members_are_found_in_bases() {
    let classes = godot4(6);
    assert_eq!(classes.property("Sprite2D", "process_mode").unwrap().type_name(), "int");
    assert!(classes.class("Sprite2D").unwrap().property("process_mode").is_none());
    assert!(!classes.property("Node2D", "global_position").unwrap().is_stored());
    assert_eq!(classes.default("Label", "focus_mode"), Some("0"));
    assert_eq!(classes.default("Sprite2D", "position"), Some("Vector2(0, 0)"));
    let call = classes.method("Timer", "call").unwrap();
    assert_eq!((call.least, call.most), (1, None));
    let connect = classes.method("Timer", "connect").unwrap();
    assert_eq!((connect.least, connect.most), (2, Some(3)));
    assert!(classes.method("Node", "_ready").unwrap().is_virtual);
    assert_eq!(classes.signal("Area2D", "body_shape_entered").unwrap().argument_count(), 4);
    assert_eq!(classes.signal("Timer", "timeout").unwrap().argument_count(), 0);
    let mode = classes.class("Node").unwrap().enum_values("ProcessMode").unwrap();
    assert!(mode.into_iter().any(|value| value == ("PROCESS_MODE_ALWAYS", 3)));
    assert!(!classes.class("CanvasItem").unwrap().is_instantiable());
    assert!(classes.class("EditorPlugin").unwrap().is_editor_only());
}

#[test]
fn dynamic_properties() {
    let classes = godot4(6);
    assert!(classes.takes("Button", "theme_override_colors/font_color"));
    assert!(!classes.takes("Button", "theme_override_colour/font_color"));
    assert!(classes.takes("Skeleton3D", "bones/0/name"));
    assert!(!classes.takes("Sprite2D", "bones/0/name"));
    assert!(classes.takes("Label", "valign") && !classes.takes("Label", "vertical"));
    assert!(
        classes.takes("TabContainer", "tab_0/title")
            && !classes.takes("TabContainer", "tab_0/tilte")
    );
    assert!(classes.takes("TileSet", "terrain_set_0/terrain_1/name"));
    assert!(!classes.takes("TileSet", "terrain_set_0/terrain_1/title"));
    assert!(
        classes.takes("Theme", "Button/colors/font_color")
            && !classes.takes("Theme", "Button/colours/a")
    );
    assert!(
        godot4(7).takes("TabContainer", "tab_0/new") && !godot4(7).takes("TabContainer", "tabs")
    );
    assert!(ClassDb::for_version(GodotVersion::LAST_3).takes("Button", "custom_fonts/font"));
}

#[test]
fn renames() {
    let classes = godot4(6);
    let spatial = classes.renamed_class("Spatial").unwrap();
    assert_eq!((spatial.name, spatial.is_understood), ("Node3D", true));
    assert!(classes.renamed_class("Node3D").is_none());
    assert_eq!(classes.renamed_property("Control", "margin_left").unwrap().name, "offset_left");
    assert!(classes.renamed_property("Node", "margin_left").is_none());
    let now = |class, name| classes.renamed_property(class, name).map(|found| found.name);
    assert_eq!(now("Button", "align").unwrap(), "alignment");
    let color = now("Button", "custom_colors/font_color_hover").unwrap();
    assert_eq!(color, "theme_override_colors/font_hover_color");
    assert_eq!(now("ProgressBar", "custom_styles/fg").unwrap(), "theme_override_styles/fill");
    assert_eq!(now("MarginContainer", "custom_styles/panel"), None);
    assert_eq!(classes.nearest("Sprit2D"), Some("Sprite2D"));
    assert_eq!(classes.nearest("KinematicBody2D"), Some("CharacterBody2D"));
    assert_eq!(classes.nearest("SomethingElse"), None);
}

#[test]
fn every_row_can_be_read() {
    for (index, version) in VERSIONS.iter().enumerate() {
        let classes = ClassDb::for_version(*version);
        assert_eq!(classes.version(), Some(*version));
        let bit = 1 << index;
        let rows = |kind: char| {
            CLASSES
                .lines()
                .filter(|line| line.starts_with(kind))
                .filter(|line| u8::from_str_radix(&line[1..3], 16).unwrap() & bit != 0)
                .count()
        };
        assert_eq!(classes.class_names().count(), rows('b'), "{version}");
        let all = || classes.class_names().map(|name| classes.class(name).unwrap());
        let methods = all()
            .flat_map(|class| class.method_names().map(move |name| class.method(name).unwrap()));
        assert_eq!(methods.count(), rows('m'), "{version}");
        let properties = all().flat_map(|class| {
            class.property_names().map(move |name| class.property(name).unwrap())
        });
        assert_eq!(properties.count(), rows('p'), "{version}");
        for class in all() {
            let root = classes.lineage(class.name()).last().unwrap();
            assert!(
                root.name() == "Object" || root.is_instantiable(),
                "{version} {}",
                class.name()
            );
        }
    }
}

#[test]
fn tables_from_outside_may_be_broken() {
    let circle = ClassDb::from_text("=A\nb80\tB\t+\n=B\nb80\tA\n".to_owned());
    assert!(!circle.inherits("A", "C"));
    for text in [
        "",
        "=",
        "\n=\n",
        "=A",
        "=A\nb",
        "=A\nb8",
        "=A\nb80",
        "=A\nbé0\n",
        "=A\nb80\tB\t+\np80\nm80\tx\ty\n",
    ] {
        let classes = ClassDb::from_text(text.to_owned());
        for name in classes.class_names() {
            let class = classes.class(name).unwrap();
            assert!(class.method("x").is_none() && class.base().is_none());
        }
    }
    let unsorted = ClassDb::from_text("=A\nb80\np80\tz\tint\np80\ta\tint\n".to_owned());
    assert!(unsorted.property("A", "z").is_some() && unsorted.property("A", "a").is_some());
}

#[test]
fn the_table_is_small() {
    assert!(CLASSES.len() < 2_000_000);
}

#[test]
fn the_nearest_of_more_names_than_are_compared() {
    let others: Vec<String> = (0..5000).map(|index| format!("SomethingElse{index}")).collect();
    let names = || others.iter().map(String::as_str);
    let meant = || ["Sprite2E", "Sprite2D"].into_iter();
    assert_eq!(nearest("Sprte2D", names().chain(meant())), Some("Sprite2D"));
    assert_eq!(nearest("Sprte2D", meant().chain(names())), Some("Sprite2D"));
    // Of names with the same distance, the first in the order of the alphabet.
    assert_eq!(nearest("Sprite2X", meant()), Some("Sprite2D"));
    assert_eq!(nearest("Sprite2X", meant().rev()), Some("Sprite2D"));
}
